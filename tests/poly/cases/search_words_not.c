// The words go on from record to record: who leaves depends on all before. want: sequential
#pragma regraph size(n=4000, most=3000000) size(n=300, most=20000000) extent(x: n) input(x: uniform(0, 2000000000))
#include <stdint.h>
int search_words_not(const uint32_t *x, int n, uint32_t most)
{
    uint32_t w[4] = {1u, 2u, 3u, 4u};
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++) w[k] = (w[k] ^ x[i]) * (w[(k + 1) & 3] | 1u);
        if ((w[0] ^ w[3]) < most) return i;
    }
    return -1;
}
