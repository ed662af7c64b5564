// A nonce whose digest begins with enough zeros, counted word by word, then bit by bit. want: parallel
#pragma regraph size(zeros=9, limit=30000, seed=7) size(zeros=4, limit=200, seed=3) size(zeros=30, limit=500, seed=1) extent(header: 32) extent(nonce: 1) extent(digest: 4)
#include <stdint.h>
#include <string.h>
static void mix(uint32_t st[4], const uint8_t block[64])
{
    for (int i = 0; i < 64; i++) {
        uint32_t t = (st[0] ^ block[i]) * 2654435761u;
        st[0] = st[1] + (t << 7 | t >> 25);
        st[1] = st[2];
        st[2] = st[3];
        st[3] = t;
    }
}
int search_nonce(const uint8_t *header, int seed, int zeros, uint64_t limit, uint64_t *nonce, uint32_t digest[4])
{
    for (uint64_t n = 0; n < limit; n++) {
        uint8_t block[64] = {0};
        uint32_t st[4] = {1u, 2u, 3u, 4u};
        st[2] += (uint32_t)seed;
        memcpy(block, header, 32);
        for (int i = 0; i < 8; i++) block[32 + i] = (uint8_t)(n >> (8 * i));
        mix(st, block);
        int z = 0, i = 0;
        while (i < 4 && st[i] == 0) {
            z += 32;
            i++;
        }
        if (i < 4)
            for (uint32_t m = 0x80000000u; m && !(st[i] & m); m >>= 1) z++;
        if (z >= zeros) {
            *nonce = n;
            memcpy(digest, st, 16);
            return 1;
        }
    }
    return 0;
}
