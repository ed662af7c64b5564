#include <math.h>
#pragma regraph size(n=120)
#pragma regraph input(A: uniform(1.0, 2.0))
void cholesky(int n, double A[n][n])
{
    int i, j, k;
    for (i = 0; i < n; i++) {
        for (j = 0; j < i; j++) {
            for (k = 0; k < j; k++) {
                A[i][j] -= A[i][k] * A[j][k];
            }
            A[i][j] /= A[j][j];
        }
        for (k = 0; k < i; k++) {
            A[i][i] -= A[i][k] * A[i][k];
        }
        A[i][i] = sqrt(fabs(A[i][i]) + 1.0);
    }
}
