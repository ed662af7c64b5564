/* Nine-point Gauss-Seidel sweeps in place */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(tsteps=3, n=61) size(tsteps=2, n=17) size(tsteps=1, n=3)
void kernel_seidel_2d(int tsteps, int n, real A[n][n])
{
    for (int t = 0; t < tsteps; t++)
        for (int i = 1; i <= n - 2; i++)
            for (int j = 1; j <= n - 2; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                           A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / (real)9;
}
