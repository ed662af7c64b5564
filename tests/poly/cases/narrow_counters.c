// Counters of 16 and 8 bits that come to bounds of their own width, or to numbers. want: parallel
#pragma regraph size(n=90, taps=5) size(n=9, taps=3) size(n=2, taps=1)
#include <stdint.h>
void respond(const float *x, uint16_t n, uint8_t taps, const float *h, float *y, uint8_t *code)
{
    uint16_t i;
    uint8_t k;
    for (i = 0; i + 1 < n; i++) {
        float s = 0;
        for (k = 0; k < taps; k++) s += h[k] * x[i + k];
        y[i] = s;
    }
    for (k = 0; k < 255; k++) code[k] = (uint8_t)(k * 7 ^ 90);
}
