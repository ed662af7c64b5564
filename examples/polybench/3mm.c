/* G = (A B) (C D) */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(ni=61, nj=71, nk=83, nl=79, nm=53) size(ni=17, nj=23, nk=5, nl=11, nm=7) size(ni=1, nj=2, nk=3, nl=1, nm=1)
void kernel_3mm(int ni, int nj, int nk, int nl, int nm, real E[ni][nj], const real A[ni][nk], const real B[nk][nj],
                real F[nj][nl], const real C[nj][nm], const real D[nm][nl], real G[ni][nl])
{
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            E[i][j] = 0;
            for (int k = 0; k < nk; k++) E[i][j] += A[i][k] * B[k][j];
        }
    for (int i = 0; i < nj; i++)
        for (int j = 0; j < nl; j++) {
            F[i][j] = 0;
            for (int k = 0; k < nm; k++) F[i][j] += C[i][k] * D[k][j];
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            G[i][j] = 0;
            for (int k = 0; k < nj; k++) G[i][j] += E[i][k] * F[k][j];
        }
}
