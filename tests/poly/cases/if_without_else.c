// conditions without an else right inside a loop that the scheduler made. want: parallel
// chain: wavefront@C,coalesce@C
#include <math.h>
#pragma regraph size(n=17, T=2) size(n=1, T=1) size(n=8, T=3) size(n=33, T=1)
#pragma regraph input(K: uniform(0, 5)) tolerance(rtol=1e-9, atol=1e-11)
double nest(int n, int T, double A[n + 16][n + 16], double B[n + 16][n + 16], double X[n + 16], double Y[n + 16],
    const double C[n + 16][n + 16], const double D[n + 16], int K[n + 16], int result_count[1])
{
    int count = 0;
    double sum = 0, top = 0;
    for (int i0 = 0; i0 < n; i0++) {
        for (int i1 = (i0 + i0) % 2; i1 < n; i1 += 2) {
            if (i1 % 3 == 1) {
                A[i1 + 5][i1 + 4] = 0.2 * A[i1 + 4][i0 + 4];
            }
            else {
                for (int i2 = (i1 + i1) % 2; i2 < n; i2 += 2) {
                    K[i0 + 3] = 2;
                }
            }
            if (i0 % 3 == 1) {
                for (int i3 = 0; i3 < n; i3++) {
                    for (int i4 = i3; i4 >= 0; i4 -= 2) {
                        if (i3 % 3 == 1) {
                            if (i4 + 2 <= n) {
                                if (i1 % 3 == 1) {
                                    B[i1 % 4 + 4][n - 1 - i1 + 4] += 0.05 * A[i3 / 2 + 4][i4 + 4];
                                    A[i1 + 4][i0 + 5] = 0.1 * B[i0 + 4][i4 + 3];
                                }
                            }
                        }
                        else {
                        }
                    }
                }
            }
        }
    }
    result_count[0] = count;
    return sum + top + T + X[4];
}
