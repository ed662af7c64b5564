// want: parallel
// chain: wavefront@loop:s
/* X is written in some iteration only where n is at least 2: where it has a place for each, nothing is copied back at n = 1. */
#include <math.h>
#pragma regraph size(n=17, T=2) size(n=1, T=1) size(n=8, T=3) size(n=33, T=1)
#pragma regraph input(K: uniform(0, 5)) tolerance(rtol=1e-2, atol=1e-3)
float last_where_any(int n, int T, float A[n + 16][n + 16], float B[n + 16][n + 16], float X[n + 16], float Y[n + 16],
    const float C[n + 16][n + 16], const float D[n + 16], int K[n + 16], int result_count[1])
{
    int count = 0;
    float sum = 0, top = 0;
    for (int s = 0; s < T; s++) {
        for (int i0 = 0; i0 < n; i0++) {
            for (int i1 = 0; i1 < 7; i1++) {
                if (i0 + 2 <= n) {
                    float w3[n + 6];
                    for (int k2 = 0; k2 < n + 6; k2++) w3[k2] = 0.1f * 0.01f * i0 + 0.3f * C[i0 + 4][5] + 0.1 * D[k2 + 2];
                    X[i1 + 6] = 0.3f * fabsf(w3[2]);
                }
                for (int i4 = i0; i4 < n; i4++) {
                    if (i1 > 3 && i1 != n - 2) {
                        float w6[6];
                        for (int k5 = 0; k5 < 6; k5++) w6[k5] = 0.3f * D[i4 % 4 + 4] + 0.1f * D[i1 + 4] - 0.2f * A[i1 + 4][i4 + 4] + 0.1 * D[k5 + 2];
                        for (int i7 = 0; i7 < n - 1; i7++) {
                            if (i7 % 2 == 0) {
                                B[(i0 + i1) / 2 + 4][i4 + 4] += 0.05 * X[i1 + 4];
                            }
                        }
                    }
                }
            }
        }
    }
    result_count[0] = count;
    return sum + top + T + X[4];
}
