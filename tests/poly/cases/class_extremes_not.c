// A member that others ask for, and the place beside the least: the order stays. want: sequential
typedef struct { int lo, at; } stat;
#pragma regraph size(n=900,k=6) size(n=7,k=3) extent(st: k)
void class_extremes_not(const int *x, const unsigned char *key, stat *st, int n, int k)
{
    for (int i = 0; i < n; i++) {
        stat *s = &st[key[i] % k];
        if (x[i] < s->lo) s->lo = x[i];
        if (x[i] == s->lo + 1) s->at = i;
    }
}
