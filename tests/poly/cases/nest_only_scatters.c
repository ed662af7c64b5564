// want: parallel
// refused: reduce.block@loop:i7 : only scatters
#include <math.h>
#pragma regraph size(n=17, T=2) size(n=1, T=1) size(n=8, T=3) size(n=33, T=1)
#pragma regraph input(K: uniform(0, 5)) tolerance(rtol=1e-2, atol=1e-3)
float nest(int n, int T, float A[n + 16][n + 16], float B[n + 16][n + 16], float X[n + 16], float Y[n + 16],
    const float C[n + 16][n + 16], const float D[n + 16], int K[n + 16], int result_count[1])
{
    int count = 0;
    float sum = 0, top = 0;
    for (int i0 = 0; i0 < n; i0++) {
        float t1 = 0.1f * 0.01f * i0;
        for (int i2 = 0; i2 < 3; i2++) {
            X[i2 + 5] = 0.2f * t1 - 0.2f * t1;
            top = fmaxf(top, A[i0 + 4][i2 + 4]);
            if (i0 > 0 && D[i0 + 3] > D[i0 + 5]) {
                for (int i3 = 0; i3 < 4; i3++) {
                    float w5[6];
                    for (int k4 = 0; k4 < 6; k4++) w5[k4] = 0.2f * Y[i3 + 3] + 0.2f * D[i3 + 4] + 0.1f * B[5][i3 % 4 + 4] + 0.1 * D[k4 + 2];
                    for (int i6 = 0; i6 < n; i6++) {
                        Y[i2 + 5] += 0.05 * 0.01f * i6;
                    }
                }
            }
            else {
                for (int i7 = 1; i7 < n; i7 += 3) {
                    A[i0 % 4 + 4][i0 + 4] += 0.05 * D[i7 + 6];
                }
            }
        }
    }
    result_count[0] = count;
    return sum + top + T + X[4];
}
