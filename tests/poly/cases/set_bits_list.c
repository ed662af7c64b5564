// The numbers of the bits that are set in each word, in order: all bits of all words ask. want: parallel
#pragma regraph size(n=300) size(n=1) size(n=7) extent(out: 64*n)
#include <stdint.h>
int set_bits_list(const uint64_t *restrict word, int n, int *restrict out)
{
    int c = 0;
    for (int i = 0; i < n; i++) {
        uint64_t w = word[i];
        while (w) {
            uint64_t low = w & -w;
            out[c++] = i * 64 + __builtin_ctzll(low);
            w ^= low;
        }
    }
    return c;
}
