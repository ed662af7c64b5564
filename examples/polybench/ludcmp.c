/* Solves A x = b by A = L U and two substitutions */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
static void inputs(int n, real A[n][n], real b[n])
{
    for (int i = 0; i < n; i++) {
        b[i] = (real)(i + 1) / n / 2 + 4;
        for (int j = 0; j < n; j++) A[i][j] = i == j ? n + 2 : (real)1 / (1 + (i > j ? i - j : j - i));
    }
}
#pragma regraph init(inputs)
#pragma regraph size(n=61) size(n=17) size(n=1)
void kernel_ludcmp(int n, real A[n][n], const real b[n], real x[n], real y[n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            real w = A[i][j];
            for (int k = 0; k < j; k++) w -= A[i][k] * A[k][j];
            A[i][j] = w / A[j][j];
        }
        for (int j = i; j < n; j++) {
            real w = A[i][j];
            for (int k = 0; k < i; k++) w -= A[i][k] * A[k][j];
            A[i][j] = w;
        }
    }
    for (int i = 0; i < n; i++) {
        real w = b[i];
        for (int j = 0; j < i; j++) w -= A[i][j] * y[j];
        y[i] = w;
    }
    for (int i = n - 1; i >= 0; i--) {
        real w = y[i];
        for (int j = i + 1; j < n; j++) w -= A[i][j] * x[j];
        x[i] = w / A[i][i];
    }
}
