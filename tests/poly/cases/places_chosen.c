// want: parallel
/* Where a pixel goes is chosen by a mode: each choice is rows of one length or of the other. */
#include <stdint.h>
#pragma regraph size(w=64, h=48, mode=0, planar=0) size(w=37, h=5, mode=1, planar=1) size(w=8, h=9, mode=2, planar=0)
#pragma regraph size(w=16, h=3, mode=3, planar=7) size(w=1, h=1, mode=-1, planar=1)
#pragma regraph extent(src: w * h) extent(dst: w * h) extent(both: 2 * w * h) extent(plain: w * h)
enum turn { NONE, QUARTER, HALF, BACK };
void places_chosen(int w, int h, int mode, int planar, const uint8_t *src, uint16_t *dst, float *both, int *plain)
{
    for (int y = 0; y < h; y++) {
        const uint8_t *line = src + (long)y * w;
        for (int x = 0; x < w; x++) {
            int o;
            switch (mode) {
            case QUARTER: o = x * h + (h - 1 - y); break;
            case HALF: o = (h - 1 - y) * w + (w - 1 - x); break;
            case BACK: o = (w - 1 - x) * h + y; break;
            default: o = y * w + x;
            }
            dst[o] = (uint16_t)(line[x] * 3);
            long at = 2 * ((long)y * w + x);
            if (planar) at = (long)y * w + x;
            both[at] = line[x] / 255.0f;
            both[planar ? (long)w * h + y * w + x : at + 1] = 1 - line[x] / 255.0f;
            plain[mode > 1 ? x * h + y : y * w + x] = line[x] - o;
        }
    }
}
