// A do loop down from a parameter, and one up whose counter steps first. want: parallel
#pragma regraph size(n=3000) size(n=1) size(n=2) extent(x: n) extent(y: n) extent(z: n)
void down(long n, const double *x, double *y, double *z)
{
    long i = n, k = -1;
    do {
        --i;
        y[i] = 2 * x[i];
    } while (i > 0);
    do {
        k++;
        z[k] = x[k] + y[k];
    } while (k <= n - 2);
}
