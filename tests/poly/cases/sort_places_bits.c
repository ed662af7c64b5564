// Places of real numbers by digits of their bits, made with the first count: zeros of either sign and NaN have an order. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile.*rg_keys
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static inline uint32_t flipped(uint32_t f)
{
    uint32_t mask = -(int32_t)(f >> 31) | 0x80000000u;
    return f ^ mask;
}
/* 0, or -1 without memory */
static int places_up(const float *key, uint32_t *perm, size_t n)
{
    uint32_t hist[4][256], *k0 = malloc(n * sizeof *k0 + 1), *k1 = malloc(n * sizeof *k1 + 1),
                           *other = malloc(n * sizeof *other + 1);
    if (!k0 || !k1 || !other) {
        free(k0), free(k1), free(other);
        return -1;
    }
    memset(hist, 0, sizeof hist);
    for (size_t i = 0; i < n; i++) {
        uint32_t u;
        memcpy(&u, &key[i], 4);
        k0[i] = u = flipped(u);
        perm[i] = (uint32_t)i;
        hist[0][u & 255]++, hist[1][u >> 8 & 255]++, hist[2][u >> 16 & 255]++, hist[3][u >> 24]++;
    }
    for (int pass = 0; pass < 4; pass++) {
        uint32_t sum = 0, *t, *from = pass & 1 ? other : perm, *to = pass & 1 ? perm : other;
        for (int d = 0; d <= 255; d++) {
            uint32_t c = hist[pass][d];
            hist[pass][d] = sum;
            sum += c;
        }
        for (size_t i = 0; i < n; i++) {
            uint32_t d = k0[i] >> pass * 8 & 255, pos = hist[pass][d]++;
            k1[pos] = k0[i];
            to[pos] = from[i];
        }
        t = k0, k0 = k1, k1 = t;
    }
    free(k0), free(k1), free(other);
    return 0;
}
#pragma regraph size(n=3000) size(n=40) extent(key: n) extent(perm: n) input(key: uniform(-1, 1))
int argsort_up(const float *key, uint32_t *perm, size_t n)
{
    return places_up(key, perm, n);
}
