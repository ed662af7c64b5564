/* y = A^T (A x) */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(m=191, n=211) size(m=37, n=23) size(m=1, n=2)
void kernel_atax(int m, int n, const real A[m][n], const real x[n], real y[n], real tmp[m])
{
    for (int i = 0; i < n; i++) y[i] = 0;
    for (int i = 0; i < m; i++) {
        tmp[i] = 0;
        for (int j = 0; j < n; j++) tmp[i] += A[i][j] * x[j];
        for (int j = 0; j < n; j++) y[j] += A[i][j] * tmp[i];
    }
}
