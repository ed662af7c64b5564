/* Polyphase resampling: the tables are made once and handed to the loop by value. */
#include <math.h>
#include <stdlib.h>

typedef struct {
    int phases, taps, total;
    float *coef;
    float gain;
} Resampler;

#define PI 3.14159265358979

void resampler_make(Resampler *r, int phases, int taps)
{
    r->phases = phases;
    r->taps = taps;
    r->total = phases * taps;
    r->gain = 0.98f;
    r->coef = (float *)malloc(sizeof(float) * r->total);
    for (int k = 0; k < r->total; k++) {
        double x = (k + 0.5 - r->total / 2.0) / phases;
        double window = 0.5 - 0.5 * cos(2 * PI * (k + 0.5) / r->total);
        r->coef[k] = (float)(window * (fabs(x) < 1e-9 ? 1.0 : sin(PI * x) / (PI * x)));
    }
}

void resample(Resampler r, int phases, int taps, int n, const float *in, float *out)
{
    if (r.phases != phases || r.taps != taps) return;
    for (int i = 0; i < n; i++)
        for (int p = 0; p < r.phases; p++) {
            float sum = 0;
            for (int t = 0; t < r.taps; t++) sum += r.coef[t * r.phases + p] * in[i + t];
            out[i * r.phases + p] = r.gain * sum;
        }
}
