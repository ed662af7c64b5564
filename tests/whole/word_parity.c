#include <stdint.h>
#include <stdio.h>

static uint32_t fold(uint32_t w) { w ^= w >> 16; w ^= w >> 8; w ^= w >> 4; return (0x6996u >> (w & 15)) & 1; }

struct check { uint32_t all; int odd_words, even; };

/* One parity over all words, how many words are odd, and whether an even number of them is above the limit. */
void checksum(const uint32_t *words, int count, uint32_t limit, struct check *c)
{
    uint32_t acc = 0;
    int odd = 0, even = 1;
    for (int i = 0; i < count; ++i)
    {
        acc = acc ^ words[i];
        if (fold(words[i])) ++odd;
        even = even == (words[i] <= limit);
    }
    c->all = acc;
    c->odd_words = odd;
    c->even = even;
}

int main(void)
{
    uint32_t w[3] = {1, 2, 7};
    struct check c;
    checksum(w, 3, 5, &c);
    printf("%u %d %d\n", (unsigned)c.all, c.odd_words, c.even);
    return 0;
}
