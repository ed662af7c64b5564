// What a statement steps beside an element of a structure, at a place that a member counts: quoted. want: sequential
#include <stdint.h>
#pragma regraph size(n=300) size(n=40) size(n=1) extent(c: 1) extent(in: n) extent(out: n)
struct left {
    uint8_t ks[16];
    unsigned used;
};

void quoted_steps(struct left *c, const uint8_t *in, uint8_t *out, int n)
{
    c->used = 0;
    while (n && c->used < 16) {
        *out++ = *in++ ^ c->ks[c->used++];
        n--;
    }
}
