// Bits are cleared that are not the lowest: how often the loop runs depends on what it finds. want: sequential
#pragma regraph size(set=70, n=40) size(set=0, n=3) size(set=4294967295, n=2) extent(x: 64*n) extent(out: 64)
#include <stdint.h>
int set_bits_not(uint64_t set, int n, const int *restrict x, int *restrict out)
{
    int c = 0;
    for (; set; set &= set - 1) {
        int b = __builtin_ctzll(set), s = 0;
        for (int k = 0; k < n; k++) s = s * 3 ^ x[b * n + k];
        if (s > 100) set &= ~(set << 1);
        out[c++] = s;
    }
    return c;
}
