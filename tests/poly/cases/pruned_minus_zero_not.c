// Divided by the root of -0, a sum goes below all numbers. want: sequential
#pragma regraph extent(a                                                                                               \
                       : n *m) extent(b                                                                                \
                                      : n *m) size(n = 64, m = 33) input(a                                             \
                                                                         : uniform(-1, 1)) input(b                     \
                                                                                                 : choice(0, 1, 4))
#include <math.h>
int pruned_minus_zero_not(const float *a, const float *b, int n, int m)
{
    float best = INFINITY;
    int who = -1;
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < m; k++) {
            s += fabsf(a[i * m + k]) / sqrtf(b[i * m + k]);
            if (s >= best) break;
        }
        if (s < best) {
            best = s;
            who = i;
        }
    }
    return who;
}
