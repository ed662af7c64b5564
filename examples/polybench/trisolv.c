/* Forward substitution: L x = b */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
static void inputs(int n, real L[n][n], real b[n])
{
    for (int i = 0; i < n; i++) {
        b[i] = 2 + (real)i / n;
        for (int j = 0; j < n; j++) L[i][j] = i == j ? n + 2 : (real)1 / (1 + (i > j ? i - j : j - i));
    }
}
#pragma regraph init(inputs)
#pragma regraph size(n=97) size(n=23) size(n=1)
void kernel_trisolv(int n, const real L[n][n], real x[n], const real b[n])
{
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++) x[i] -= L[i][j] * x[j];
        x[i] = x[i] / L[i][i];
    }
}
