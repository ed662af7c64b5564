// Gains in fixed point that nobody gives: as small integers they would make zeros of everything. want: parallel
#include <stdint.h>
void fixed_point_gain(int n, const int16_t *a, const int16_t *b, int16_t gain, uint8_t alpha, int16_t *y)
{
    for (int i = 0; i < n; i++) {
        int32_t ka = (a[i] * gain + (1 << 14)) >> 15;
        y[i] = (int16_t)((ka * alpha + b[i] * (255 - alpha)) / 255);
    }
}
