/* Bits under names that CUDA lacks: gcc's builtins, <strings.h>, <byteswap.h>, <arpa/inet.h>. */
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>
#include <byteswap.h>
#include <arpa/inet.h>

void bits(int n, const unsigned *a, const unsigned long *b, const int *c, int *out, unsigned long *wide)
{
    for (int i = 0; i < n; i++) {
        unsigned x = a[i] | 1u;
        unsigned long y = b[i] | 1ul;
        unsigned long long z = (unsigned long long)y;
        int r = 0;
        r += __builtin_popcount(a[i]) + 2 * __builtin_popcountl(b[i]) + 3 * __builtin_popcountll(b[i]);
        r += 5 * __builtin_clz(x) + 7 * __builtin_clzl(y) + 11 * __builtin_clzll(z);
        r += 13 * __builtin_ctz(x << (i % 31)) + 17 * __builtin_ctzl(y << (i % 63)) + 19 * __builtin_ctzll(z << (i % 61));
        r += 23 * __builtin_ffs(c[i]) + 29 * __builtin_ffsl((long)b[i]) + 31 * __builtin_ffsll((long long)b[i]) + 3 * ffs(c[i] - 50);
        r += 37 * __builtin_parity(a[i]) + 41 * __builtin_parityl(b[i]) + 43 * __builtin_parityll(b[i]);
        r += 47 * __builtin_clrsb(c[i] - 50) + 3 * __builtin_clrsbl((long)c[i] - 50);
        r += abs(c[i] - 50) + (int)labs((long)c[i] - 50) + (int)llabs(50ll - c[i]) + __builtin_abs(c[i] - 9);
        if (__builtin_expect(c[i] > 40, 0)) r += 1000;
        out[i] = r;
        uint16_t h = (uint16_t)(a[i] * 2654435761u >> 7);
        uint32_t w = a[i] * 2654435761u;
        wide[i] = __builtin_bswap16(h) + __builtin_bswap32(w) + __builtin_bswap64(b[i] * 0x9E3779B97F4A7C15ul) + bswap_32(w + 1) + htonl(w + 2) + ntohs(h);
        switch (c[i] & 1) {
        case 0: wide[i] += 5; break;
        case 1: wide[i] += 9; break;
        default: __builtin_unreachable();
        }
    }
}
