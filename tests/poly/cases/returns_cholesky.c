// want: parallel
/* Out of the middle of a factorisation where a pivot is not positive; a solve follows. */
#pragma regraph size(n=80) input(a: constant(0.001)) input(rhs: uniform(1, 2))
#include <math.h>
int cholesky_solve(int n, double a[n][n], double rhs[n])
{
    for (int k = 0; k < n; k++) {
        a[k][k] = a[k][k] + n;
        if (a[k][k] <= 0.0)
            return k + 1;
        a[k][k] = sqrt(a[k][k]);
        for (int i = k + 1; i < n; i++) a[i][k] /= a[k][k];
        for (int j = k + 1; j < n; j++)
            for (int i = j; i < n; i++) a[i][j] -= a[i][k] * a[j][k];
    }
    for (int i = 0; i < n; i++) rhs[i] = rhs[i] / a[i][i];
    return 0;
}
