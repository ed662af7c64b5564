// Pairs of buffers change places: parameters, and two parts of one block. want: parallel
// chain: parallelize
// lacks: int turn
#include <stdlib.h>

#pragma regraph size(n=3000, steps=5) size(n=9, steps=2) extent(a: n) extent(w: n)
int parts_exchanged(float *a, float *w, int n, int steps)
{
    float *buf = malloc(2 * (size_t)n * sizeof(float));
    if (!buf) return -1;
    float *x = a, *y = w, *x2 = buf, *y2 = buf + n;
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++) {
            x2[i] = 0.5f * (x[i] + x[n - 1 - i]);
            y2[i] = y[i] + x[i];
        }
        float *t;
        t = x, x = x2, x2 = t;
        t = y, y = y2, y2 = t;
    }
    if (x != a)
        for (int i = 0; i < n; i++) a[i] = x[i], w[i] = y[i];
    free(buf);
    return 0;
}
