// A radix sort between two arrays that change places after each digit, counted down. want: parallel
// chain: parallelize@C
#include <stdint.h>
#pragma regraph size(n=3000) size(n=50) size(n=1) extent(key: n) extent(spare: n)
void placed_swapped(uint32_t *key, uint32_t *spare, int n)
{
    uint32_t *from = key, *to = spare, *old;
    for (int digit = 0; digit < 4; digit++) {
        int count[256] = {0};
        for (int i = 0; i < n; i++)
            count[from[i] >> (8 * digit) & 255]++;
        for (int d = 1; d < 256; d++)
            count[d] += count[d - 1];
        for (int i = n - 1; i >= 0; i--)
            to[--count[from[i] >> (8 * digit) & 255]] = from[i];
        old = from;
        from = to;
        to = old;
    }
}
