// Sums of differences, given up by goto, and a best that nothing is below. want: parallel
#include <stdint.h>
long pruned_goto(const int16_t *x, long n, const int16_t *y, long m, int64_t *score)
{
    long s, where = -1;
    int64_t best = INT64_MAX;
    for (s = 0; s + m <= n; s++) {
        const int16_t *a = x + s, *b = y, *stop = y + m;
        int64_t sum = 0;
        while (b < stop) {
            int diff = *a++ - *b++;
            if (diff < 0) diff = -diff;
            sum += diff;
            if (sum >= best) goto next;
        }
        best = sum;
        where = s;
        if (best == 0) break;
    next:;
    }
    *score = best;
    return where;
}
