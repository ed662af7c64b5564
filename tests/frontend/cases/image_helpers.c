// function: blur
// function: gray
// function: window
#include <stdint.h>
#include <stddef.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static float pixel(const float *img, int w, int h, int x, int y)
{
    if (x < 0 || y < 0 || x >= w || y >= h) return 0.0f;
    return img[y * w + x];
}
#pragma regraph size(w=40, h=30)
void blur(const float *img, float *out, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float s = 0;
            for (int d = -2; d <= 2; d++) s += pixel(img, w, h, x + d, y);
            out[y * w + x] = s / 5;
        }
}
typedef struct { uint8_t r, g, b, a; } rgba_t;
#pragma regraph size(n=60)
void gray(const rgba_t *restrict px, uint8_t *restrict out, size_t n)
{
    for (size_t i = 0; i < n; ++i) out[i] = (uint8_t)((77u * px[i].r + 150u * px[i].g + 29u * px[i].b) >> 8);
}
#pragma regraph size(w=20, h=18, r=2)
void window(const uint8_t *src, uint8_t *dst, int w, int h, int r)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int y0 = MAX(y - r, 0), y1 = MIN(y + r, h - 1), x0 = MAX(x - r, 0), x1 = MIN(x + r, w - 1);
            int count = (y1 - y0 + 1) * (x1 - x0 + 1), sum = 0;
            for (int c = 0; c < 3; c++) {
                sum = 0;
                for (int yy = y0; yy <= y1; yy++)
                    for (int xx = x0; xx <= x1; xx++) sum += src[(yy * w + xx) * 3 + c];
                dst[(y * w + x) * 3 + c] = (uint8_t)((sum + count / 2) / count);
            }
        }
}
// explain(window): dst is read as dst[h][3*w]
