/* y = alpha A x + beta B x */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(n=191) size(n=37) size(n=1)
void kernel_gesummv(int n, real alpha, real beta, const real A[n][n], const real B[n][n], real tmp[n], const real x[n], real y[n])
{
    for (int i = 0; i < n; i++) {
        tmp[i] = 0;
        y[i] = 0;
        for (int j = 0; j < n; j++) {
            tmp[i] += A[i][j] * x[j];
            y[i] += B[i][j] * x[j];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
}
