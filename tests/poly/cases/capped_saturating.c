// The room is asked for in one condition with the hit. want: parallel
// chain: scan.block
#pragma regraph size(n=3000, max_at=20) size(n=300, max_at=500) size(n=9, max_at=1)
long capped_saturating(const double *y, long n, double h, long *at, long max_at)
{
    long m = 0;
    for (long k = 1; k + 1 < n; k++)
        if (m < max_at && y[k] > h && y[k] > y[k - 1] && y[k] >= y[k + 1])
            at[m++] = k;
    return m;
}
