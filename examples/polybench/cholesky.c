/* A = L L^T, L in the lower triangle */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
double sqrt(double);
static void spd(int n, real A[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] = i == j ? n + 2 : (real)1 / (1 + (i > j ? i - j : j - i));
}
#pragma regraph init(spd)
#pragma regraph size(n=61) size(n=17) size(n=1)
void kernel_cholesky(int n, real A[n][n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (int k = 0; k < i; k++) A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = sqrt(A[i][i]);
    }
}
