/* additive synthesis with a wavetable that is made on first use */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define TABLE 1024
typedef struct { float freq, amp, phase; } osc;
static float wave(float phase)
{
    static float tab[TABLE];
    static int done = 0;
    if (done == 0) {
        int i;
        for (i = 0; i < TABLE; ++i) tab[i] = sinf(2.0f * (float)M_PI * i / TABLE);
        done = 1;
    }
    phase -= floorf(phase);
    return tab[(int)(phase * TABLE) & (TABLE - 1)];
}
void render(const osc *bank, int voices, float *out, int samples, float rate)
{
    for (int s = 0; s < samples; ++s) {
        float v = 0.0f;
        for (int o = 0; o < voices; ++o) v += bank[o].amp * wave(bank[o].freq * s / rate + bank[o].phase);
        out[s] = v;
    }
}
int main(void)
{
    osc b[16]; static float o[44100];
    for (int i = 0; i < 16; i++) b[i] = (osc){ 110.0f * (i + 1), 1.0f / (i + 1), 0 };
    render(b, 16, o, 44100, 44100.0f);
    printf("%g\n", o[100]);
    return 0;
}
