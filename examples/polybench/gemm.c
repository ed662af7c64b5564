/* C = alpha A B + beta C */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(ni=97, nj=89, nk=101) size(ni=17, nj=23, nk=5) size(ni=1, nj=2, nk=3)
void kernel_gemm(int ni, int nj, int nk, real alpha, real beta, real C[ni][nj], const real A[ni][nk], const real B[nk][nj])
{
    for (int i = 0; i < ni; i++) {
        for (int j = 0; j < nj; j++) C[i][j] *= beta;
        for (int k = 0; k < nk; k++)
            for (int j = 0; j < nj; j++) C[i][j] += alpha * A[i][k] * B[k][j];
    }
}
