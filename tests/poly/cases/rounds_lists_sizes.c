// Lists of size_t in rounds that a condition under another ends early, or a flag. want: parallel
#pragma regraph size(g.cells=3000) size(g.cells=9) size(g.cells=1) extent(list: g.cells) extent(count: g.cells)
#include <stddef.h>
struct mesh { size_t cells; const float *height; float *level; };
size_t settled(const struct mesh *g, size_t *list, int *count, const float *cut)
{
    size_t rounds = 0;
    int busy = 1;
    for (size_t c = 0; c < g->cells; c++) g->level[c] = g->height[c];
    while (busy && rounds < 50) {
        size_t n = 0;
        const float at = cut[0] + 0.02f * (float)rounds;
        rounds++;
        for (size_t c = 0; c < g->cells; c++)
            if (g->level[c] > at) list[n++] = c;
        busy = n > 0;
        if (busy) {
            if (n > g->cells / 2) {
                for (size_t c = 0; c < g->cells; c++) g->level[c] *= 0.875f;
                continue;
            }
        }
        for (size_t i = 0; i < n; ++i) {
            count[list[i] / 4] += 1;
            g->level[list[i]] = at;
        }
    }
    return rounds;
}
