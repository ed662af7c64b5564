// Set bits of which some are left for the next round. want: parallel
#pragma regraph size(set=2868903935, n=9, m=40) size(set=70, n=3,m=2) size(set=0, n=2,m=5)
#pragma regraph extent(x: 64*m) extent(at: n)
#include <stdint.h>
void some_left(uint64_t set, int n, int m, const float *restrict x, float *restrict at)
{
    uint64_t left = set;
    for (int r = 0; r < n; r++) {
        float s = 0;
        while (left) {
            int b = __builtin_ctzll(left);
            left &= left - 1;
            for (int k = 0; k < m; k++) s += x[b * m + k];
            if (b % 3 == r % 3) break;
        }
        at[r] = s;
    }
}
