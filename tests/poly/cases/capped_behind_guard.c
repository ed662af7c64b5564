// A list of limited length behind a condition that returns early: its counter begins in the block around. want: parallel
// chain: scan.block@C
#pragma regraph size(n=5000, most=300) size(n=33, most=4) size(n=5, most=1) input(y: uniform(0, 1))
#include <stddef.h>
size_t peaks(const double *y, size_t n, double level, size_t *at, size_t most)
{
    size_t count = 0;
    if (n < 3) return 0;
    for (size_t i = 1; i < n - 1; ++i) {
        if (y[i] > level && y[i] > y[i - 1] && y[i] >= y[i + 1]) {
            if (count == most) break;
            at[count++] = i;
        }
    }
    return count;
}
