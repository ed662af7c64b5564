// A block that holds something even where n is 0: its extent asks nothing of n. want: parallel
// chain: parallelize
// lacks: int turn
#include <stdlib.h>

#pragma regraph size(n=3000) size(n=9) extent(a: n) extent(w: n)
int parts_never_empty(float *a, float *w, size_t n)
{
    float *buf = malloc((n ? n : 1) * 2 * sizeof *buf);
    if (!buf) return -1;
    float *x = a, *y = w, *x2 = buf, *y2 = buf + n, *t;
    for (int s = 0; s < 4; s++) {
        for (size_t i = 0; i < n; i++) {
            x2[i] = 0.5f * (x[i] + x[n - 1 - i]);
            y2[i] = y[i] + x[i];
        }
        t = x, x = x2, x2 = t;
        t = y, y = y2, y2 = t;
    }
    free(buf);
    return 0;
}
