// Passes of a sort by digits that exchange their arrays: the caller's own, and pointers to them that are asked for behind it. want: parallel
// lacks: moves between arrays
#include <stdint.h>
#include <string.h>
#pragma regraph size(n=3000) size(n=1) size(n=70) extent(a: n) extent(tmp: n) extent(key: n) extent(out: n)
struct pair {
    uint32_t key, val;
};

void few_trips_swapped(struct pair *a, struct pair *tmp, uint32_t *key, uint32_t *out, unsigned n)
{
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t next[256] = {0}, sum = 0;
        for (unsigned i = 0; i < n; i++) next[(a[i].key >> shift) & 255]++;
        for (int d = 0; d < 256; d++) {
            uint32_t c = next[d];
            next[d] = sum;
            sum += c;
        }
        for (unsigned i = 0; i < n; i++) tmp[next[(a[i].key >> shift) & 255]++] = a[i];
        struct pair *t = a;
        a = tmp;
        tmp = t;
    }
    uint32_t *from = key, *to = out;
    for (int pass = 0; pass < 3; pass++) {
        uint32_t next[1 << 11];
        memset(next, 0, sizeof next);
        for (unsigned i = 0; i < n; i++) next[(from[i] >> (11 * pass)) & 2047]++;
        for (uint32_t d = 0, sum = 0; d < 2048; d++) {
            uint32_t c = next[d];
            next[d] = sum;
            sum += c;
        }
        for (unsigned i = 0; i < n; i++) {
            uint32_t at = next[(from[i] >> (11 * pass)) & 2047]++;
            to[at] = from[i];
        }
        uint32_t *t = from;
        from = to;
        to = t;
    }
    if (from != out)
        for (unsigned i = 0; i < n; i++) out[i] = from[i];
}
