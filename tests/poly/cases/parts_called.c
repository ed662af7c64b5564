// The caller's block is cut up in a function that is called for each row. want: parallel
// chain: array.expand@loop:r,parallelize
#include <stdlib.h>

static void solve(double *x, const double *d, int n, double *ws)
{
    double *cp, *dp;
    cp = ws;
    dp = ws + n;
    cp[0] = 0.5;
    dp[0] = d[0] * 0.5;
    for (int i = 1; i < n; i++) {
        double m = 1.0 / (2.0 - cp[i - 1] * 0.25);
        cp[i] = 0.25 * m;
        dp[i] = (d[i] - 0.25 * dp[i - 1]) * m;
    }
    x[n - 1] = dp[n - 1];
    for (int i = n - 2; i >= 0; i--) x[i] = dp[i] - cp[i] * x[i + 1];
}

#pragma regraph size(rows=40, n=30) size(rows=2, n=3)
int parts_called(double *x, const double *d, int rows, int n)
{
    double *ws;
    ws = (double *)malloc(sizeof(double) * n * 2);
    if (ws == NULL) return -1;
    for (int r = 0; r < rows; r++) solve(x + (size_t)r * n, d + (size_t)r * n, n, ws);
    free(ws);
    return 0;
}
