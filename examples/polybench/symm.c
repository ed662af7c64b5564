/* C = alpha A B + beta C, A symmetric, its lower triangle stored */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(m=61, n=71) size(m=17, n=23) size(m=1, n=2)
void kernel_symm(int m, int n, real alpha, real beta, real C[m][n], const real A[m][m], const real B[m][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            real temp2 = 0;
            for (int k = 0; k < i; k++) {
                C[k][j] += alpha * B[i][j] * A[i][k];
                temp2 += B[k][j] * A[i][k];
            }
            C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * temp2;
        }
}
