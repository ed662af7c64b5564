/* heap buffers on both sides, row pointers into them, an odd number of steps known when compiled */
#include <stdlib.h>
#pragma regraph size(n=700, m=900) extent(in: n, m) extent(out: n, m)
void rows(int n, int m, const float *in, float *out)
{
    float *cur = malloc((size_t)n * m * sizeof(float)), *nxt = malloc(sizeof(float) * n * m);
    for (int i = 0; i < n * m; i++) cur[i] = nxt[i] = in[i];
    for (int t = 0; t < 7; t++) {
        for (int i = 1; i < n - 1; i++) {
            const float *up = cur + (i - 1) * m, *mid = cur + i * m, *down = cur + (i + 1) * m;
            float *to = nxt + i * m;
            for (int j = 1; j < m - 1; j++) to[j] = 0.5f * mid[j] + 0.125f * (up[j] + down[j] + mid[j - 1] + mid[j + 1]);
        }
        float *old = cur;
        cur = nxt;
        nxt = old;
    }
    for (int i = 0; i < n * m; i++) out[i] = cur[i];
    free(cur);
    free(nxt);
}
