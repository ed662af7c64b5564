// want: parallel
// chain: wavefront@C
#include <math.h>
#pragma regraph size(n=17, T=2) size(n=1, T=1) size(n=8, T=3) size(n=33, T=1)
#pragma regraph input(K: uniform(0, 5)) tolerance(rtol=1e-9, atol=1e-11)
double nest(int n, int T, double A[n + 16][n + 16], double B[n + 16][n + 16], double X[n + 16], double Y[n + 16],
    const double C[n + 16][n + 16], const double D[n + 16], int K[n + 16], int result_count[1])
{
    int count = 0;
    double sum = 0, top = 0;
    for (int i0 = 1; i0 < n; i0++) {
        for (int i1 = 0; i1 < n; i1++) {
            for (int i2 = 1; i2 < n; i2++) {
                Y[i1 + 4] = 0.3 * A[i1 + 6][i0 + 5] + 0.2 * A[i2 + 5][i1 + 4];
            }
            X[i0 + 2] += 0.05 * 0.01 * i1;
        }
    }
    for (int i3 = 1; i3 < n; i3++) {
        top = fmax(top, B[i3 % 4 + 4][i3 + 5]);
    }
    for (int i4 = 0; i4 < n; i4++) {
        Y[i4 + 2] = 0.1 * C[i4 + 6][i4 + 4] - 0.3 * D[i4 + 4];
        for (int i5 = i4 > 3 ? i4 - 3 : 0; i5 < n; i5++) {
            for (int i6 = 1; i6 < n; i6++) {
                if (i5 > 3 && i5 != n - 2) {
                    if (i4 > 3 && i4 != n - 2) {
                        for (int i7 = 1; i7 < n; i7++) {
                            double w9[6];
                            for (int k8 = 0; k8 < 6; k8++) w9[k8] = 0.2 * A[i5 + 4][i5 + 4] + 0.1 * D[k8 + 2];
                        }
                        double w11[n + 6];
                        for (int k10 = 0; k10 < n + 6; k10++) w11[k10] = 0.1 * 0.01 * i5 + 0.3 * Y[(i4 + i6) / 2 + 4] + 0.1 * D[k10 + 2];
                    }
                    else {
                        if (K[i6 + 2] > 2) {
                            K[n - 1 - i5 + 4] = 2;
                            for (int i12 = 0; i12 < 5; i12++) {
                                X[i12 % 4 + 4] = 0.3 * X[i4 + 6] + 0.3 * X[i6 + 4] + 0.1 * D[i5 % 4 + 4];
                            }
                        }
                    }
                }
                else {
                }
            }
        }
    }
    result_count[0] = count;
    return sum + top + T + X[4];
}
