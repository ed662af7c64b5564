/* A = Q R by modified Gram-Schmidt */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
double sqrt(double);
#pragma regraph size(m=83, n=61) size(m=23, n=17) size(m=3, n=2)
void kernel_gramschmidt(int m, int n, real A[m][n], real R[n][n], real Q[m][n])
{
    for (int k = 0; k < n; k++) {
        real nrm = 0;
        for (int i = 0; i < m; i++) nrm += A[i][k] * A[i][k];
        R[k][k] = sqrt(nrm);
        for (int i = 0; i < m; i++) Q[i][k] = A[i][k] / R[k][k];
        for (int j = k + 1; j < n; j++) {
            R[k][j] = 0;
            for (int i = 0; i < m; i++) R[k][j] += Q[i][k] * A[i][j];
            for (int i = 0; i < m; i++) A[i][j] -= Q[i][k] * R[k][j];
        }
    }
}
