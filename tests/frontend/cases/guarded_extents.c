// function: sobel
// function: clamped
// function: neighbours
#include <math.h>
/* extents that only guarded accesses show */
static int inside(int x, int y, int w, int h) { return x >= 0 && y >= 0 && x < w && y < h; }
static int clampi(int v, int lo, int hi) { if (v < lo) return lo; if (v > hi) return hi; return v; }
#pragma regraph size(w=60, h=40)
void sobel(const float *in, float *out, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
                const float *p = in + y * w + x;
                out[y * w + x] = fabsf(p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[w - 1]);
            } else {
                out[y * w + x] = 0;
            }
}
// explain(sobel): float[w*h]  (extent read off the accesses)
#pragma regraph size(w=60, h=40)
void clamped(const float *src, float *dst, int w, int h)
{
    for (int y = 0; y < h; y++) {
        float fy = 1.3f * (float)y - 0.5f;
        int y0 = (int)floorf(fy);
        for (int x = 0; x < w; x++) {
            int xa = clampi(x + 3, 0, w - 1), ya = clampi(y0, 0, h - 1);
            dst[y * w + x] = src[ya * w + xa];
        }
    }
}
#pragma regraph size(w=60, h=40)
void neighbours(const int *g, int *n, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int s = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    if (!inside(x + dx, y + dy, w, h)) continue;
                    s += g[(y + dy) * w + x + dx];
                }
            n[y * w + x] = s;
        }
}
