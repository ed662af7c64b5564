/* A += u1 v1^T + u2 v2^T, x = beta A^T y + z, w = alpha A x */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(n=191) size(n=37) size(n=1)
void kernel_gemver(int n, real alpha, real beta, real A[n][n], const real u1[n], const real v1[n], const real u2[n],
                   const real v2[n], real w[n], real x[n], const real y[n], const real z[n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] += u1[i] * v1[j] + u2[i] * v2[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x[i] += beta * A[j][i] * y[j];
    for (int i = 0; i < n; i++) x[i] += z[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) w[i] += alpha * A[i][j] * x[j];
}
