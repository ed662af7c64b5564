// What is given up is asked in front of the last step: a candidate may be taken that is worse. want: sequential
#include <stdint.h>
int pruned_early_not(const uint8_t *x, const uint8_t *q, int n, int *distance)
{
    int best = 90000, which = -1;
    for (int i = 0; i < n; i++) {
        int s = 0, left = 0;
        for (int k = 0; k < 64; k++) {
            if (s >= best) {
                left = 1;
                break;
            }
            s += x[i * 64 + k] ^ q[k];
        }
        if (!left) {
            best = s;
            which = i;
        }
    }
    *distance = best;
    return which;
}
