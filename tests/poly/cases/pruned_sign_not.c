// ... and its sign was taken off behind the local. want: sequential
#pragma regraph extent(a : n *m) size(n = 64, m = 32) input(a : uniform(-100, 100))
#include <stdint.h>
int pruned_sign_not(const int16_t *a, int n, int m)
{
    int best = 1000, who = -1;
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int k = 0; k < m; k++) {
            int x = a[i * m + k];
            int d = x;
            if (x < 0) x = -x;
            s += d;
            if (s >= best) break;
        }
        if (s < best) {
            best = s;
            who = i;
        }
    }
    return who;
}
