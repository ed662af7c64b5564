// An array of a structure handed on to a parameter that is written as an array. want: parallel
// chain: parallelize@C
// lacks: one thread
#include <stdint.h>
#pragma regraph size(n=3000) size(n=40) size(n=1) extent(c: 1) extent(in: 16*n) extent(out: 16*n)
struct keys {
    uint32_t round[60];
    uint8_t counter[16];
    unsigned used;
};

static void stream(const struct keys *c, unsigned block, const uint8_t at[16], uint8_t out[16])
{
    for (int i = 0; i < 16; i++) out[i] = (uint8_t)((at[i] + block) ^ c->round[i]);
}

void member_as_array(const struct keys *c, const uint8_t *in, uint8_t *out, int n)
{
    for (int b = 0; b < n; b++) {
        uint8_t k[16];
        stream(c, (unsigned)b, c->counter, k);
        for (int i = 0; i < 16; i++) out[16 * b + i] = in[16 * b + i] ^ k[i];
    }
}
