// Pieces of a pool that are gone through by whole parts and a rest, as a pointer and what is left step beside one another. want: parallel
#pragma regraph size(n=3000, at.end=40000) size(n=1, at.end=3) size(n=37, at.end=500)
#include <stddef.h>
void pieces_by_parts(const unsigned char *pool, const size_t *at, size_t n, unsigned *sum)
{
    for (size_t i = 0; i < n; i++) {
        const unsigned char *p = pool + at[i];
        size_t len = at[i + 1] - at[i], left = len;
        unsigned h = 2166136261u;
        for (; left >= 4; left -= 4, p += 4) {
            unsigned word = 0;
            for (int k = 0; k < 4; k++) word |= (unsigned)p[k] << 8 * k;
            h = (h ^ word) * 16777619u;
        }
        while (left--) h = (h ^ *p++) * 16777619u;
        sum[i] = h ^ (unsigned)len;
    }
}
