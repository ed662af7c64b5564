// want: sequential
/* What is stored was read there, the place is a counter's, or two places are stored to. */
#pragma regraph size(n=900,m=70) size(n=33,m=7) input(at: uniform(0, m - 1)) extent(a: m) extent(b: n) extent(c: m + 1) role(a: inout) role(b: inout) role(c: inout)
void last_not(int n, int m, const int *at, const float *x, float *a, float *b, float *c)
{
    int k = 0;
    for (int i = 0; i < n; i++) a[at[i]] = 0.5f * x[i] - a[at[n - 1 - i]];
    for (int i = 0; i < n; i++) {
        c[at[i]] = x[i];
        c[at[i] + 1] = 0.25f * x[i];
    }
    for (int i = 0; i < n; i++) {
        if (x[i] > a[0]) k = at[i] % 3;
        b[at[k]] = x[i] + c[k];
    }
}
