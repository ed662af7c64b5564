/* power in bands of a signal: window table made at the first call */
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
#define FRAME 256
#define BANDS 24

static int ready = 0;
static double window[FRAME];
static double cosine[BANDS][FRAME], sine[BANDS][FRAME];

static void make_tables(void)
{
    int i, b;
    for (i = 0; i < FRAME; i++) window[i] = 0.54 - 0.46 * cos(2.0 * M_PI * i / (FRAME - 1));
    for (b = 0; b < BANDS; b++)
        for (i = 0; i < FRAME; i++) {
            double f = 0.01 * pow(1.17, b);
            cosine[b][i] = cos(2.0 * M_PI * f * i);
            sine[b][i] = sin(2.0 * M_PI * f * i);
        }
}

void band_power(const float *signal, int frames, float *power)
{
    int f, b, i;
    if (!ready) {
        make_tables();
        ready = 1;
    }
    for (f = 0; f < frames; f++)
        for (b = 0; b < BANDS; b++) {
            double re = 0, im = 0;
            for (i = 0; i < FRAME; i++) {
                double v = signal[f * (FRAME / 2) + i] * window[i];
                re += v * cosine[b][i];
                im += v * sine[b][i];
            }
            power[f * BANDS + b] = (float)(re * re + im * im);
        }
}

int main(void)
{
    int frames = 500, n = (frames + 1) * FRAME / 2, i;
    float *s = malloc(n * sizeof(float)), *p = malloc(frames * BANDS * sizeof(float));
    for (i = 0; i < n; i++) s[i] = sinf(0.05f * i);
    band_power(s, frames, p);
    printf("%g %g\n", p[0], p[BANDS]);
    free(s);
    free(p);
    return 0;
}
