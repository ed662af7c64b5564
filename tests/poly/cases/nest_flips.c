// want: parallel
#include <math.h>
#pragma regraph size(n=17, T=2) size(n=1, T=1) size(n=8, T=3) size(n=33, T=1)
#pragma regraph input(K: uniform(0, 5)) tolerance(rtol=1e-9, atol=1e-11)
double nest(int n, int T, double A[n + 16][n + 16], double B[n + 16][n + 16], double X[n + 16], double Y[n + 16],
    const double C[n + 16][n + 16], const double D[n + 16], int K[n + 16], int result_count[1])
{
    int count = 0;
    double sum = 0, top = 0;
    for (int i0 = 1; i0 < n; i0++) {
        Y[(i0 + i0) / 2 + 4] = 0.1 * Y[i0 + 4] + 0.1 * D[6];
        Y[n - 1 - i0 + 4] += 0.05 * A[i0 + 4][n - 1 - i0 + 4];
    }
    for (int i1 = 0; i1 < n; i1++) {
        if (K[n - 1 - i1 + 4] > 3) {
            for (int i2 = 0; i2 < n; i2++) {
                if (i1 < i2 + 2) {
                    if (K[i2 + 6] > 1) {
                        for (int i3 = 0; i3 < n; i3++) {
                            Y[i3 + 4] = 0.1 * B[6][i2 / 2 + 4] + 0.1 * A[i1 + 5][i2 + 5] + 0.1 * 0.01 * i2;
                            for (int i4 = 0; i4 < n && i4 <= i1; i4++) {
                                if (i1 > 0 && i2 != n - 2) {
                                    if (D[(i4 + i4) / 2 + 4] > 0 || i1 == 1) {
                                        K[i4 + 4] ^= 2;
                                    }
                                }
                                top = fmin(top, C[(i2 + i1) / 2 + 4][4]);
                            }
                        }
                        for (int i5 = i2 + 1; i5 < n; i5++) {
                            top = fmin(top, X[n - 1 - i5 + 4]);
                        }
                    }
                    else {
                    }
                }
            }
        }
    }
    result_count[0] = count;
    return sum + top + T + X[4];
}
