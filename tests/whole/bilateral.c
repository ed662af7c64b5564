#include <math.h>
#include <stdlib.h>
#include "stdio.h"

#define CLAMP(v, lo, hi) ((v) < (lo) ? (lo) : (v) > (hi) ? (hi) : (v))
#define PIX(img, x, y) (img)[CLAMP(y, 0, h - 1) * w + CLAMP(x, 0, w - 1)]

static float *space_weight = NULL;
static float range_weight[256];
static int radius_of_table = -1;

static void prepare(int radius, float sigma_s, float sigma_r)
{
    int d = 2 * radius + 1, i, j;
    if (space_weight) free(space_weight);
    space_weight = (float *)malloc(d * d * sizeof(float));
    for (i = 0; i < d; i++)
        for (j = 0; j < d; j++)
            space_weight[i * d + j] = expf(-((i - radius) * (i - radius) + (j - radius) * (j - radius)) / (2 * sigma_s * sigma_s));
    for (i = 0; i < 256; i++) range_weight[i] = expf(-(i * i) / (2 * sigma_r * sigma_r));
    radius_of_table = radius;
}

void bilateral(const unsigned char *src, unsigned char *dst, int w, int h, int radius)
{
    int x, y, i, j, d = 2 * radius + 1;
    prepare(radius, 0.5f * radius, 30.0f);
    for (y = 0; y < h; y++)
        for (x = 0; x < w; x++) {
            float sum = 0, norm = 0;
            int centre = src[y * w + x];
            for (i = 0; i < d; i++)
                for (j = 0; j < d; j++) {
                    int v = PIX(src, x + j - radius, y + i - radius);
                    float k = space_weight[i * d + j] * range_weight[abs(v - centre)];
                    sum += k * v;
                    norm += k;
                }
            dst[y * w + x] = (unsigned char)(sum / norm + 0.5f);
        }
}
