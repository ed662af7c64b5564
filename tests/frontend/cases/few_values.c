/* How far subscripts with a local of few values reach. */
#include <math.h>
#pragma regraph size(w=40, h=30)
void thin(int w, int h, const float *gx, const float *gy, const float *mag, float *out, float lo)
{
    for (int y = 1; y < h - 1; ++y)
        for (int x = 1; x < w - 1; ++x) {
            float p = gx[y * w + x], q = gy[y * w + x], m = mag[y * w + x];
            int dx = fabsf(p) > 0.4f * fabsf(q) ? 1 : 0, dy = fabsf(q) > 0.4f * fabsf(p) ? 1 : 0;
            if (p * q < 0) dy = -dy;
            float a = mag[(y + dy) * w + x + dx], b = mag[(y - dy) * w + x - dx];
            out[y * w + x] = (m < a || m < b || m < lo) ? 0.f : 0.5f;
        }
}
// explain: mag              in     float[w*h]
// explain: mag is read as mag[h][w]
