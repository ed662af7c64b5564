#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint8_t r, g, b, a;
} pixel_t;

static const int gx[3][3] = { { -1, 0, 1 }, { -2, 0, 2 }, { -1, 0, 1 } };
static const int gy[3][3] = { { -1, -2, -1 }, { 0, 0, 0 }, { 1, 2, 1 } };

static inline uint8_t luma(pixel_t p) { return (uint8_t)((77 * p.r + 150 * p.g + 29 * p.b) >> 8); }
static inline int iabs(int v) { return v < 0 ? -v : v; }

void edge_detect(const pixel_t *src, uint8_t *dst, int width, int height, uint8_t threshold)
{
    uint8_t *gray = malloc((size_t)width * height);
    if (!gray) return;
    for (int i = 0; i < width * height; i++)
        gray[i] = luma(src[i]);
    memset(dst, 0, (size_t)width * height);
    for (int y = 1; y < height - 1; y++) {
        for (int x = 1; x < width - 1; x++) {
            int sx = 0, sy = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++) {
                    int v = gray[(y + j) * width + (x + i)];
                    sx += gx[j + 1][i + 1] * v;
                    sy += gy[j + 1][i + 1] * v;
                }
            int mag = iabs(sx) + iabs(sy);
            if (mag > 255) mag = 255;
            dst[y * width + x] = mag >= threshold ? (uint8_t)mag : 0;
        }
    }
    free(gray);
}

int main(void)
{
    enum { W = 320, H = 200 };
    static pixel_t img[W * H];
    static uint8_t out[W * H];
    for (int i = 0; i < W * H; i++) {
        img[i].r = rand();
        img[i].g = rand();
        img[i].b = rand();
    }
    edge_detect(img, out, W, H, 40);
    printf("%d\n", out[W * 10 + 10]);
    return 0;
}
