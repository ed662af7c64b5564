// Squares of whole numbers of which nobody knows that they fit: the rest of a sum may not be what it was. want: sequential
#include <limits.h>
int pruned_overflow_not(const int *x, const int *q, int n, int *distance)
{
    int best = 1000, which = -1;
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int k = 0; k < 64; k++) {
            int d = x[i * 64 + k] - q[k];
            s += d * d;
            if (s >= best) break;
        }
        if (s < best) {
            best = s;
            which = i;
        }
    }
    *distance = best;
    return which;
}
