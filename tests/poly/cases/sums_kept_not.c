// Sums that are halved where they come too high, or wrap around. want: sequential
#pragma regraph size(n=700) size(n=1) size(n=30) input(in: uniform(-5, 5))
void levels(const int *in, int n, int *level, unsigned *turn)
{
    int l = 0;
    unsigned t = 0;
    for (int i = 0; i < n; i++) {
        l = l + in[i] > 20 ? (l + in[i]) / 2 : l + in[i];
        level[i] = l;
    }
    for (int i = 0; i < n; i++) {
        t = t + (unsigned)in[i] > 7u ? t + (unsigned)in[i] : 7u;
        turn[i] = t;
    }
}
