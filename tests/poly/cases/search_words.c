// The first record whose mixed words are small: each iteration has words of its own. want: parallel
#pragma regraph size(n=40000, most=200000) size(n=300, most=90000000) extent(x: n) extent(out: 2)
#include <stdint.h>
int search_words(const uint32_t *x, int n, uint32_t most, int *out)
{
    for (int i = 0; i < n; i++) {
        uint32_t w[4], v = 0;
        for (int k = 0; k < 4; k++) w[k] = x[i] * (2 * k + 1) ^ (x[i] >> (k + 3));
        for (int k = 1; k < 4; k++) w[k] += w[k - 1] * 2654435761u;
        for (int k = 0; k < 4; k++) v ^= w[k] << k;
        if (v < most) {
            out[0] = i;
            out[1] = (int)(w[3] & 1023u);
            return 1;
        }
    }
    return 0;
}
