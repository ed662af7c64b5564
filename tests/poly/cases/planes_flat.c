// Planes of a number of pixels for each of some filters, flat, beside rows of another length: each iteration has its own element. want: parallel
// chain: parallelize@C
// shows: parallelize: a thread for each
#include <stddef.h>
#pragma regraph size(m=6, k=4, len=500) size(m=3, k=2, len=100) size(m=2, k=1, len=144) require(len <= 144*k)
#pragma regraph extent(in: 2304*k) extent(out: 144*m*k) extent(w: 10*len) extent(score: 10*m)
void planes_flat(int m, int k, int len, const float *in, float *out, const float *w, float *score)
{
    for (int n = 0; n < m; n++)
        for (int f = 0; f < k; f++) {
            const float *p = in + (size_t)f * 2304;
            float *q = out + ((size_t)n * k + f) * 144;
            for (int y = 0; y < 12; y++)
                for (int x = 0; x < 12; x++) {
                    float best = p[y * 48 + x * 2];
                    for (int s = 1; s < 4; s++) best = p[y * 48 + x * 2 + s] > best ? p[y * 48 + x * 2 + s] : best;
                    q[y * 12 + x] = best * (n + 1);
                }
        }
    for (int n = 0; n < m; n++)
        for (int c = 0; c < 10; c++) {
            float sum = 0;
            for (int i = 0; i < len; i++) sum += w[(size_t)c * len + i] * out[(size_t)n * len + i];
            score[n * 10 + c] = sum;
        }
}
