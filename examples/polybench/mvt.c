/* x1 += A y1 and x2 += A^T y2 */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(n=191) size(n=37) size(n=1)
void kernel_mvt(int n, real x1[n], real x2[n], const real y1[n], const real y2[n], const real A[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x1[i] += A[i][j] * y1[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x2[i] += A[j][i] * y2[j];
}
