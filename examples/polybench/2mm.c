/* D = alpha A B C + beta D */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(ni=61, nj=71, nk=83, nl=79) size(ni=17, nj=23, nk=5, nl=11) size(ni=1, nj=2, nk=3, nl=1)
void kernel_2mm(int ni, int nj, int nk, int nl, real alpha, real beta, real tmp[ni][nj], const real A[ni][nk],
                const real B[nk][nj], const real C[nj][nl], real D[ni][nl])
{
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            tmp[i][j] = 0;
            for (int k = 0; k < nk; k++) tmp[i][j] += alpha * A[i][k] * B[k][j];
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            D[i][j] *= beta;
            for (int k = 0; k < nj; k++) D[i][j] += tmp[i][k] * C[k][j];
        }
}
