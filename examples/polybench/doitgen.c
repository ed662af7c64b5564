/* Every row A[r][q][:] times the matrix C4 */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(nr=23, nq=29, np=31) size(nr=5, nq=3, np=7) size(nr=1, nq=1, np=2)
void kernel_doitgen(int nr, int nq, int np, real A[nr][nq][np], const real C4[np][np], real sum[np])
{
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                sum[p] = 0;
                for (int s = 0; s < np; s++) sum[p] += A[r][q][s] * C4[s][p];
            }
            for (int p = 0; p < np; p++) A[r][q][p] = sum[p];
        }
}
