// What a local was made of is another value by the time a condition asks for it. want: sequential
#pragma regraph extent(a                                                                                               \
                       : n *m) extent(b                                                                                \
                                      : n *m) size(n = 64, m = 32) input(a                                             \
                                                                         : uniform(-100, 100))                         \
    input(b                                                                                                            \
          : uniform(-100, 100))
#include <stdint.h>
int pruned_changed_not(const int16_t *a, const int16_t *b, int n, int m)
{
    int best = 1000, who = -1;
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int k = 0; k < m; k++) {
            int16_t x = a[i * m + k];
            int d = x;
            x = b[i * m + k];
            s += x > 0 ? d : 0;
            if (s >= best) break;
        }
        if (s < best) {
            best = s;
            who = i;
        }
    }
    return who;
}
