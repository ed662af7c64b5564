#include <math.h>
#include <stdint.h>
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
#define B 8
static int   tables_ready;
static float cos_tab[B][B];
static float scale[B];
static uint8_t zigzag[B * B];

static void init_tables(void)
{
    int u, x, i, d, k = 0;
    for (u = 0; u < B; u++) {
        for (x = 0; x < B; x++)
            cos_tab[u][x] = (float)cos((2 * x + 1) * u * M_PI / (2.0 * B));
        scale[u] = u == 0 ? sqrtf(1.0f / B) : sqrtf(2.0f / B);
    }
    for (d = 0; d < 2 * B - 1; d++)
        for (i = 0; i <= d; i++) {
            int r = (d & 1) ? i : d - i, c = d - r;
            if (r < B && c < B) zigzag[k++] = (uint8_t)(r * B + c);
        }
}

static void dct_block(const uint8_t *px, int stride, const uint16_t *quant, int16_t *coef)
{
    float tmp[B][B];
    int u, v, x, y, i;
    float out[B * B];
    for (y = 0; y < B; y++)
        for (u = 0; u < B; u++) {
            float s = 0;
            for (x = 0; x < B; x++) s += ((float)px[y * stride + x] - 128.0f) * cos_tab[u][x];
            tmp[y][u] = s * scale[u];
        }
    for (v = 0; v < B; v++)
        for (u = 0; u < B; u++) {
            float s = 0;
            for (y = 0; y < B; y++) s += tmp[y][u] * cos_tab[v][y];
            out[v * B + u] = s * scale[v];
        }
    for (i = 0; i < B * B; i++) {
        float q = out[zigzag[i]] / (float)(quant[i] + 1);
        coef[i] = (int16_t)(q < 0 ? q - 0.5f : q + 0.5f);
    }
}

void dct_image(const uint8_t *img, int bw, int bh, const uint16_t *quant, int16_t *coefs)
{
    int bx, by;
    if (!tables_ready) {
        init_tables();
        tables_ready = 1;
    }
    for (by = 0; by < bh; by++)
        for (bx = 0; bx < bw; bx++)
            dct_block(img + (by * B) * (bw * B) + bx * B, bw * B, quant, coefs + (by * bw + bx) * B * B);
}
