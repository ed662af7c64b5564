// Extremes that are cut to fit, or compared by other signs, go by the order of elements. want: sequential
#pragma regraph size(n=900) size(n=7) size(n=1) extent(h: 4) role(h: inout) input(z: uniform(-9000000000,9000000000))
typedef struct { int n, m; short k; } most;
void extremes_cut_not(const int *x, const unsigned *y, const long long *z, int n, most *h)
{
    for (int i = 0; i < n; i++) {
        most *p = &h[(unsigned)x[i] % 4u];
        if (p->n < z[i]) p->n = z[i];
        if (p->m < y[i]) p->m = y[i];
        if (p->k > x[i]) p->k = x[i];
    }
}
