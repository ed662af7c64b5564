// Places by counters in a nest, under a condition, two to one array and members of another. want: parallel
// chain: parallelize@C
// lacks: one thread: loop e
#include <stdint.h>
typedef struct {
    int16_t x, y;
} spot;
#pragma regraph size(w=70,h=40) size(w=9,h=5) size(w=1,h=1) extent(first: 256) extent(at: w*h) extent(pair: 2*w*h) extent(where: w*h)
#pragma regraph input(im: uniform(0, 255)) input(dark: constant(60)) role(at: out) role(pair: out) role(where: out)
void placed_nest(int w, int h, const uint8_t *im, uint8_t dark, int *first, spot *at, int *pair, int *where)
{
    for (int b = 0; b < 256; b++)
        first[b] = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (im[y * w + x] > dark)
                first[im[y * w + x]]++;
    for (int b = 0, sum = 0; b < 256; b++) {
        int here = first[b];
        first[b] = sum;
        sum += here;
    }
    for (int i = 0; i < w * h; i++) {
        at[i].x = at[i].y = -1;
        pair[2 * i] = pair[2 * i + 1] = 0;
    }
    for (int y = 0; y < h; y++) {
        const uint8_t *row = im + y * w;
        for (int x = w - 1; x >= 0; x--) {
            where[y * w + x] = -1;
            if (row[x] <= dark)
                continue;
            int p = first[row[x]]++;
            at[p].x = x;
            at[p].y = y;
            pair[2 * p] = y;
            pair[2 * p + 1] = x;
        }
    }
}
