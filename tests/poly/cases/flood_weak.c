// Weak pixels beside strong ones, found by a stack that all strong ones begin on: marks of three kinds are there before. want: parallel
// chain: parallelize@C
// shows: front_before\[
// lacks: stack
#include <stddef.h>
#include <stdlib.h>
#pragma regraph size(h=90, w=70) size(h=7, w=5) size(h=16, w=33) input(img: uniform(0, 3))
static size_t inside(ptrdiff_t v, size_t n)
{
    return v < 0 ? 0 : (size_t)v >= n ? n - 1 : (size_t)v;
}
size_t flood_weak(size_t h, size_t w, const float *img, unsigned char *mark)
{
    size_t *stack = malloc(w * h * sizeof *stack), sp = 0, kept = 0;
    if (!stack) return 0;
    for (size_t i = 0; i < w * h; i++) mark[i] = img[i] > 2.9f ? 255 : img[i] > 1.5f ? 96 : 0;
    for (size_t i = 0; i < w * h; ++i)
        if (mark[i] == 255) stack[sp++] = i;
    while (sp > 0) {
        size_t i = stack[--sp], cx = i % w, cy = i / w;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                size_t j = inside((ptrdiff_t)cy + dy, h) * w + inside((ptrdiff_t)cx + dx, w);
                if (mark[j] == 96) {
                    mark[j] = 255;
                    stack[sp++] = j;
                }
            }
    }
    for (size_t i = 0; i < w * h; ++i)
        if (mark[i] != 255)
            mark[i] = 0;
        else
            ++kept;
    free(stack);
    return kept;
}
