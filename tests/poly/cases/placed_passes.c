// One pass after the other of a radix sort, with a table of counters of its own. want: parallel
// chain: parallelize@C
#include <stdint.h>
#include <string.h>
#pragma regraph size(n=3000) size(n=50) size(n=1) extent(spare: n) extent(more: n) input(key: uniform(0, 70000)) role(spare: out) role(more: out)
void placed_passes(uint32_t *key, float *val, uint32_t *spare, float *more, unsigned n)
{
    for (unsigned pass = 0; pass < 3; pass++) {
        uint32_t start[64] = {0};
        for (unsigned i = 0; i < n; i++)
            start[(key[i] >> (6 * pass)) & 63]++;
        for (uint32_t d = 0, sum = 0; d < 64; d++) {
            uint32_t c = start[d];
            start[d] = sum;
            sum += c;
        }
        for (unsigned i = 0; i < n; i++) {
            uint32_t at = start[(key[i] >> (6 * pass)) & 63]++;
            spare[at] = key[i];
            more[at] = val[i];
        }
        memcpy(key, spare, n * sizeof *key);
        memcpy(val, more, n * sizeof *val);
    }
}
