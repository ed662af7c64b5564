#include <stddef.h>
#include <assert.h>
/* batch of tridiagonal systems; caller gives work of 2*n*batch doubles */
static double *cp, *dp;
static int nn, nb;

size_t tri_worksize(int n, int batch) { return (size_t)2 * n * batch * sizeof(double); }

static void carve(int n, int batch, double *work)
{
    nn = n; nb = batch;
    cp = work;
    dp = work + (size_t)n * batch;
}
static void forward(const double *lo, const double *di, const double *up, const double *rhs)
{
    for (int b = 0; b < nb; b++) {
        cp[b] = up[b] / di[b];
        dp[b] = rhs[b] / di[b];
    }
    for (int i = 1; i < nn; i++)
        for (int b = 0; b < nb; b++) {
            int k = i * nb + b;
            double m = 1.0 / (di[k] - lo[k] * cp[k - nb]);
            cp[k] = up[k] * m;
            dp[k] = (rhs[k] - lo[k] * dp[k - nb]) * m;
        }
}
static void backward(double *x)
{
    for (int b = 0; b < nb; b++) x[(nn - 1) * nb + b] = dp[(nn - 1) * nb + b];
    for (int i = nn - 2; i >= 0; i--)
        for (int b = 0; b < nb; b++) x[i * nb + b] = dp[i * nb + b] - cp[i * nb + b] * x[(i + 1) * nb + b];
}
int tri_solve(int n, int batch, const double *lo, const double *di, const double *up, const double *rhs, double *x, double *work)
{
    assert(n >= 1);
    assert(batch >= 1);
    carve(n, batch, work);
    forward(lo, di, up, rhs);
    backward(x);
    return 0;
}
