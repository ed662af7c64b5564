// A matrix by diagonals: what its offset cuts off is asked in the loop over all rows. want: parallel
// chain: parallelize@C
#pragma regraph size(n=100, nd=5) size(n=7, nd=3) input(offset: uniform(-3, 3)) extent(val: nd * n) extent(x: n)
void diagonals(int n, int nd, const int *offset, const double *val, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = 0;
    for (int d = 0; d < nd; d++) {
        const int off = offset[d];
        const int lo = off < 0 ? -off : 0, hi = off > 0 ? n - off : n;
        const double *v = val + (long)d * n;
        for (int i = lo; i < hi; i++)
            y[i] += v[i] * x[i + off];
    }
}
