/* A separable filter whose tables an init routine fills for one image size alone; the work is behind a driver. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#define W 512
#define H 384
#define TAPS 9

static float picture[H * W], blurred[H * W], weights[TAPS];
static unsigned char edges[H * W];

static void paint(float *p, float base)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) p[y * W + x] = base + 100 * ((x / 32 + y / 32) & 1) + (x * 7 + y * 13) % 11;
}

static void gaussian(float *w, int taps, float sigma)
{
    float sum = 0;
    for (int i = 0; i < taps; i++) {
        float d = i - taps / 2;
        w[i] = expf(-d * d / (2 * sigma * sigma));
        sum += w[i];
    }
    for (int i = 0; i < taps; i++) w[i] /= sum;
}

void outline(const float *in, int w, int h, const float *g, int taps, float *smooth, unsigned char *out)
{
    int r = taps / 2;
    memset(out, 0, (size_t)w * h);
    for (int y = 0; y < h; y++)
        for (int x = r; x < w - r; x++) {
            float s = 0;
            for (int k = 0; k < taps; k++) s += g[k] * in[y * w + x + k - r];
            smooth[y * w + x] = s;
        }
    for (int y = 1; y < h - 1; y++)
        for (int x = r + 1; x < w - r - 1; x++) {
            float gx = smooth[y * w + x + 1] - smooth[y * w + x - 1];
            float gy = smooth[(y + 1) * w + x] - smooth[(y - 1) * w + x];
            out[y * w + x] = gx * gx + gy * gy > 900 ? 255 : 0;
        }
}

static void process(const float *in, float *tmp, unsigned char *out)
{
    outline(in, W, H, weights, TAPS, tmp, out);
}

int main(void)
{
    int n = 0;
    paint(picture, 20.0f);
    gaussian(weights, TAPS, 1.5f);
    process(picture, blurred, edges);
    for (int i = 0; i < W * H; i++) n += edges[i] == 255;
    printf("%d\n", n);
    return 0;
}
