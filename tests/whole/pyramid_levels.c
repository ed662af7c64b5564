#include <stdlib.h>
#include <string.h>
/* Laplacian pyramid: blurs and halves, keeps what was lost, sharpens the details, and puts together again */
#define MAX_LEVELS 12
typedef struct { int w[MAX_LEVELS], h[MAX_LEVELS], n; float *img[MAX_LEVELS], *detail[MAX_LEVELS]; } pyramid;

static void reduce(const float *src, int w, int h, float *dst, int dw, int dh)
{
    for (int y = 0; y < dh; y++)
        for (int x = 0; x < dw; x++) {
            float s = 0, ws = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++) {
                    int yy = 2 * y + j, xx = 2 * x + i;
                    if (yy < 0 || yy >= h || xx < 0 || xx >= w) continue;
                    float k = (2 - abs(i)) * (2 - abs(j));
                    s += k * src[yy * w + xx];
                    ws += k;
                }
            dst[y * dw + x] = s / ws;
        }
}
void enhance(int width, int height, const float *in, float *out, float gain)
{
    pyramid p;
    p.n = 0;
    int w = width, h = height;
    while (p.n < MAX_LEVELS && w >= 8 && h >= 8) {
        p.w[p.n] = w;
        p.h[p.n] = h;
        p.img[p.n] = malloc(sizeof(float) * w * h);
        p.detail[p.n] = malloc(sizeof(float) * w * h);
        p.n++;
        w = (w + 1) / 2;
        h = (h + 1) / 2;
    }
    memcpy(p.img[0], in, sizeof(float) * width * height);
    for (int l = 0; l + 1 < p.n; l++) {
        reduce(p.img[l], p.w[l], p.h[l], p.img[l + 1], p.w[l + 1], p.h[l + 1]);
        for (int y = 0; y < p.h[l]; y++)
            for (int x = 0; x < p.w[l]; x++)
                p.detail[l][y * p.w[l] + x] = p.img[l][y * p.w[l] + x] - p.img[l + 1][(y / 2) * p.w[l + 1] + x / 2];
    }
    for (int l = p.n - 2; l >= 0; l--)
        for (int y = 0; y < p.h[l]; y++)
            for (int x = 0; x < p.w[l]; x++)
                p.img[l][y * p.w[l] + x] = gain * p.detail[l][y * p.w[l] + x] + p.img[l + 1][(y / 2) * p.w[l + 1] + x / 2];
    memcpy(out, p.img[0], sizeof(float) * width * height);
    for (int l = 0; l < p.n; l++) { free(p.img[l]); free(p.detail[l]); }
}
