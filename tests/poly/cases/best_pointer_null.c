// The least element by its address, or none: its place, and whether there is one. want: parallel
// Partial places of the one and of the other have names of their own.
#pragma regraph extent(b : n) extent(o : 2) size(n = 300) input(b.w : uniform(0, 99)) input(b.h : uniform(0, 99))
#include <stddef.h>
typedef struct {
    int w, h;
} box;
int best_pointer_null(const box *b, int n, int *o)
{
    const box *best = NULL;
    for (int i = 0; i < n; i++)
        if (b[i].w > 98 && (!best || b[i].h < best->h)) best = &b[i];
    o[0] = best ? best->w : -1;
    o[1] = best ? (int)(best - b) : -2;
    return best != NULL;
}
