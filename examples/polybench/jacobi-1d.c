/* Three-point stencil, A and B in turn */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
#pragma regraph size(tsteps=7, n=997) size(tsteps=3, n=37) size(tsteps=1, n=3)
void kernel_jacobi_1d(int tsteps, int n, real A[n], real B[n])
{
    for (int t = 0; t < tsteps; t++) {
        for (int i = 1; i < n - 1; i++) B[i] = (real)0.33333 * (A[i - 1] + A[i] + A[i + 1]);
        for (int i = 1; i < n - 1; i++) A[i] = (real)0.33333 * (B[i - 1] + B[i] + B[i + 1]);
    }
}
