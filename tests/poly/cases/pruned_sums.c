// The nearest row by squares of bytes, given up where it is farther than the nearest so far. want: parallel
#include <limits.h>
int pruned_sums(const unsigned char *rows, const unsigned char *q, int n, int dim, int *distance)
{
    int best = INT_MAX, which = -1;
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int k = 0; k < dim; k++) {
            int d = rows[i * dim + k] - q[k];
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
