#include <math.h>
#include <stdlib.h>

typedef struct {
    int width; /* outputs of the bank, bands * taps */
    int bands;
    const float *mix; /* width rows of width */
} Bank;

static void project(float *to, const float *from, const float *mix, int frames, int n_out, int n_in)
{
    for (int t = 0; t < frames; t++)
        for (int o = 0; o < n_out; o++) {
            float acc = 0.0f;
            for (int i = 0; i < n_in; i++) acc += from[t * n_in + i] * mix[o * n_in + i];
            to[t * n_out + o] = acc;
        }
}

static void taper(float *y, int frames, int bands, int taps)
{
    for (int t = 0; t < frames; t++)
        for (int b = 0; b < bands; b++)
            for (int k = 0; k < taps; k++) y[(t * bands + b) * taps + k] *= 1.0f - (float)k / taps;
}

/* Level of every band in every frame. */
int band_levels(const Bank *bank, int frames, const float *in, float *level)
{
    if (bank->bands < 1 || bank->width % bank->bands) return -1;
    int taps = bank->width / bank->bands;
    float *y = malloc(sizeof(float) * frames * bank->width);
    if (!y) abort();
    project(y, in, bank->mix, frames, bank->width, bank->width);
    taper(y, frames, bank->bands, taps);
    for (int t = 0; t < frames; t++)
        for (int b = 0; b < bank->bands; b++) {
            const float *band = y + (t * bank->bands + b) * taps;
            float s = 0.0f;
            for (int k = 0; k < taps; k++) s += band[k] * band[k];
            level[t * bank->bands + b] = sqrtf(s / taps);
        }
    free(y);
    return 0;
}
