// The parts that change places overlap: what one is given the other has, one place on. want: parallel
// chain: parallelize
#include <stdlib.h>

#pragma regraph size(n=300, k=5) size(n=5, k=2) extent(a: n + 1) extent(out: n)
int parts_exchanged_not(float *out, float *a, int n, int k)
{
    float *buf = malloc(((size_t)n + 1) * sizeof *buf);
    if (!buf) return -1;
    float *x = a, *x2 = buf, *y2 = buf + 1, *t;
    for (int i = 0; i <= n; i++) buf[i] = 0.25f * (i % 7);
    for (int s = 0; s < k; s++) {
        for (int i = 0; i < n; i++) {
            x2[i] += x[i] * 0.5f;
            y2[i] = 0.5f * (y2[i] + x2[i]);
        }
        t = x, x = y2, y2 = x2, x2 = t;
    }
    for (int i = 0; i < n; i++) out[i] = x[i] + x2[i];
    free(buf);
    return 0;
}
