/* Connected blobs of a thresholded camera frame.
 *
 * Every bright pixel starts with its own number; numbers spread to bright
 * 4-neighbours until nothing moves.  Dark pixels keep 0.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int w, h; const uint8_t *lum; } frame_t;

static int spread_once(int w, int h, int32_t *label)
{
    int moved = 0;
    for (int y = 1; y + 1 < h; ++y) {
        for (int x = 1; x + 1 < w; ++x) {
            int32_t *p = label + y * w + x;
            int32_t v = *p;
            if (v == 0)
                continue;
            if (p[-1] != 0 && p[-1] < v) v = p[-1];
            if (p[1] != 0 && p[1] < v) v = p[1];
            if (p[-w] != 0 && p[-w] < v) v = p[-w];
            if (p[w] != 0 && p[w] < v) v = p[w];
            if (v != *p) {
                *p = v;
                moved = 1;
            }
        }
    }
    return moved;
}

void blob_labels(const frame_t *f, int threshold, int32_t *label)
{
    int n = f->w * f->h;
    for (int i = 0; i < n; ++i)
        label[i] = f->lum[i] >= threshold ? i + 1 : 0;
    while (spread_once(f->w, f->h, label))
        ;
}

int main(void)
{
    enum { W = 64, H = 48 };
    uint8_t *lum = malloc(W * H);
    int32_t *label = malloc(W * H * sizeof *label);
    for (int i = 0; i < W * H; i++) lum[i] = (uint8_t)(i * 37 % 251);
    frame_t f = { W, H, lum };
    blob_labels(&f, 100, label);
    printf("%d\n", label[W + 1]);
    free(lum);
    free(label);
    return 0;
}
