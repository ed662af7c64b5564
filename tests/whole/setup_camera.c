#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define BINS 256
struct camera { int w, h; float gain; unsigned short *raw; };
struct camera cam;
static float gamma_lut[BINS];
static float vignette_strength;

void camera_init(int w, int h, float gain)
{
    int i;
    cam.w = w;
    cam.h = h;
    cam.gain = gain;
    cam.raw = (unsigned short *)malloc((size_t)w * h * sizeof(unsigned short));
    if (cam.raw == NULL) { fprintf(stderr, "no memory\n"); exit(1); }
    for (i = 0; i < w * h; i++)
        cam.raw[i] = (unsigned short)((i * 37) % 1021);
    for (i = 0; i < BINS; i++)
        gamma_lut[i] = powf(i / 255.0f, 1.0f / 2.2f);
    vignette_strength = 0.3f;
}

static int clamp_bin(float v)
{
    if (v < 0) return 0;
    if (v > BINS - 1) return BINS - 1;
    return (int)v;
}

void camera_develop(float *out)
{
    int x, y;
    float cx = 0.5f * cam.w, cy = 0.5f * cam.h, r2max = cx * cx + cy * cy;
    for (y = 0; y < cam.h; y++)
        for (x = 0; x < cam.w; x++) {
            float dx = x - cx, dy = y - cy;
            float fall = 1.0f + vignette_strength * (dx * dx + dy * dy) / r2max;
            float v = cam.gain * fall * cam.raw[y * cam.w + x] * 0.25f;
            out[y * cam.w + x] = gamma_lut[clamp_bin(v)];
        }
}
