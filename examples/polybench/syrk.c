/* C = alpha A A^T + beta C, lower triangle */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(n=61, m=71) size(n=17, m=23) size(n=1, m=2)
void kernel_syrk(int n, int m, real alpha, real beta, real C[n][n], const real A[n][m])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++) C[i][j] += alpha * A[i][k] * A[j][k];
    }
}
