/* B = alpha A^T B, A unit lower triangular */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(m=61, n=71) size(m=17, n=23) size(m=1, n=2)
void kernel_trmm(int m, int n, real alpha, const real A[m][m], real B[m][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < m; k++) B[i][j] += A[k][i] * B[k][j];
            B[i][j] *= alpha;
        }
}
