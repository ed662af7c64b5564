// want: parallel
// refused: reduce.block@loop:i3 : updated by atomics
#include <math.h>
#pragma regraph size(n=17, T=2) size(n=1, T=1) size(n=8, T=3) size(n=33, T=1)
#pragma regraph input(K: uniform(0, 5)) tolerance(rtol=1e-2, atol=1e-3)
float nest(int n, int T, float A[n + 16][n + 16], float B[n + 16][n + 16], float X[n + 16], float Y[n + 16],
    const float C[n + 16][n + 16], const float D[n + 16], int K[n + 16], int result_count[1])
{
    int count = 0;
    float sum = 0, top = 0;
    for (int i0 = 0; i0 < n; i0++) {
        for (int i1 = 0; i1 < n; i1++) {
            for (int i2 = 0; i2 < n; i2++) {
                for (int i3 = 0; i3 <= n - 1 - i2; i3++) {
                    if (i1 + 2 <= n) {
                        if (i2 < i2 + 1) {
                            if (i0 > 0 && D[i0 + 3] > D[i0 + 5]) {
                                if (i3 % 2 == 0) {
                                    B[i1 + 4][i2 + 4] -= 0.05 * Y[i0 + 4];
                                }
                                if (i3 % 3 == 0) {
                                    X[n - 1 - i3 + 4] += 0.05 * C[i3 + 4][5];
                                }
                                else {
                                }
                            }
                            else {
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
