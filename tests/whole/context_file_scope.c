/* Slope shading of a terrain that the program keeps at file scope, padded to whole cache lines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    int rows, cols, pitch;
    float *height;
    int opened;
} terrain;

static void *need(size_t bytes)
{
    void *p = malloc(bytes);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

int terrain_open(int rows, int cols)
{
    terrain.rows = rows;
    terrain.cols = cols;
    terrain.pitch = (cols + 15) / 16 * 16;
    terrain.height = need(sizeof(float) * terrain.rows * terrain.pitch);
    terrain.opened = 1;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < terrain.pitch; c++)
            terrain.height[r * terrain.pitch + c] = 10 * sinf(0.1f * r) * cosf(0.07f * c) + 0.01f * ((r * 31 + c * 17) % 23);
    return 0;
}

void shade(int rows, int cols, unsigned char *image)
{
    if (rows != terrain.rows || cols != terrain.cols) return;
    for (int r = 1; r < terrain.rows - 1; r++)
        for (int c = 1; c < terrain.cols - 1; c++) {
            const float *h = terrain.height + r * terrain.pitch + c;
            float gx = 0.5f * (h[1] - h[-1]), gy = 0.5f * (h[terrain.pitch] - h[-terrain.pitch]);
            float light = (1 - 0.6f * gx + 0.4f * gy) / sqrtf(1 + gx * gx + gy * gy);
            image[r * cols + c] = (unsigned char)(light < 0 ? 0 : light > 1.5f ? 255 : light * 170);
        }
}
