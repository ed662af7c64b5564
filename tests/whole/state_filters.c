#include <stdlib.h>
#include <stdio.h>
/* a filter bank: every channel is filtered with its own taps; state is file-scope */
struct filter { int taps; float *coef; float gain; };
struct bank { int n; struct filter **f; float *scratch; };
static struct bank *g_bank;
static int g_len;

int bank_setup(int channels, int taps, int len)
{
    g_bank = (struct bank *)calloc(1, sizeof(struct bank));
    if (!g_bank) return -1;
    g_bank->n = channels;
    g_bank->f = malloc(channels * sizeof(struct filter *));
    for (int c = 0; c < channels; ++c) {
        g_bank->f[c] = malloc(sizeof(struct filter));
        g_bank->f[c]->taps = taps;
        g_bank->f[c]->gain = 1.0f / (1 + c);
        g_bank->f[c]->coef = malloc(taps * sizeof(float));
        for (int t = 0; t < taps; ++t) g_bank->f[c]->coef[t] = 1.0f / (t + 1);
    }
    g_len = len;
    return 0;
}
/* in: len + taps samples; out: channels x len */
void bank_run(const float *in, float *out)
{
    for (int c = 0; c < g_bank->n; ++c) {
        struct filter *f = g_bank->f[c];
        for (int i = 0; i < g_len; ++i) {
            float s = 0.0f;
            for (int t = 0; t < f->taps; ++t) s += f->coef[t] * in[i + t];
            out[c * g_len + i] = s * f->gain;
        }
    }
}
int main(void)
{
    int ch = 8, taps = 32, len = 4096;
    if (bank_setup(ch, taps, len)) return 1;
    float *in = malloc((len + taps) * sizeof *in), *out = malloc(ch * len * sizeof *out);
    for (int i = 0; i < len + taps; i++) in[i] = i % 13;
    bank_run(in, out);
    printf("%f\n", out[5]);
    return 0;
}
