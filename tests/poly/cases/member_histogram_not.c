// Counts that say where the next goes: the order stays. want: sequential
typedef struct { int n, at[16]; int bins[16]; } hist;
#pragma regraph size(n=900) size(n=7) input(x: uniform(0,15))
void member_histogram_not(const int *x, int n, hist *s, int *out)
{
    s->n = 0;
    for (int i = 0; i < n; i++) {
        s->bins[x[i] & 15]++;
        if (s->bins[x[i] & 15] > 3 && s->n < 16) s->at[s->n++] = i;
        out[i] = s->bins[0];
    }
}
