// Motion search: rows of a block are given up. want: parallel
#pragma regraph extent(now: 16 * w) extent(before: (16 + range) * w) size(w=128, range=32)
#include <stdint.h>
#include <stdlib.h>
int pruned_block(const uint8_t *now, const uint8_t *before, int w, int range, int *at)
{
    int best = INT32_MAX;
    at[0] = at[1] = 0;
    int bx = 0, by = 0;
    for (int dy = 0; dy < range; dy++)
        for (int dx = 0; dx < range; dx++) {
            int sad = 0;
            for (int y = 0; y < 16 && sad < best; y++)
                for (int x = 0; x < 16; x++) sad += abs(now[y * w + x] - before[(y + dy) * w + x + dx]);
            if (sad < best) {
                best = sad;
                bx = dx;
                by = dy;
            }
        }
    at[0] = bx;
    at[1] = by;
    return best;
}
