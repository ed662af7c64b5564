// function: pixels
// function: masked
// function: lowest
// function: above
// function: beyond
// function: triggered
// function: subscript
/* Integers whose bits are taken apart, and thresholds that small numbers never reach: inputs are drawn from where the
 * code tells them apart. */
#include <stdint.h>
#pragma regraph size(n=300)
void pixels(int n, const uint32_t *px, uint8_t *gray)
{
    for (int i = 0; i < n; i++) {
        uint32_t p = px[i];
        gray[i] = (uint8_t)((((p >> 16) & 255) + ((p >> 8) & 255) + (p & 255)) / 3);
    }
}
// explain(pixels): input uniform(0, 16777215)
void masked(int n, const int16_t *w, int *flags)
{
    for (int i = 0; i < n; i++) flags[i] = (w[i] & 0x7f00) != 0;
}
// explain(masked): input uniform(0, 32767)
void lowest(int n, const int *w, int *odd)
{
    for (int i = 0; i < n; i++) odd[i] = (w[i] & 1) + (w[i] & 2);
}
// not(lowest): uniform
void above(int n, const int *adc, int *count)
{
    int c = 0;
    for (int i = 0; i < n; i++) c += adc[i] > 2048;
    count[0] = c;
}
// explain(above): input uniform(0, 4096)
void beyond(int n, const short *t, int *frost)
{
    for (int i = 0; i < n; i++) frost[i] = t[i] < -5 && t[i] > -400;
}
// explain(beyond): input uniform(-800, 99)
int triggered(int n, int level, const unsigned short *adc)
{
    int c = 0;
    for (int i = 0; i < n; i++)
        if (adc[i] >= level) c++;
    return c;
}
// explain(triggered): input uniform(0, 2*level)
void subscript(int n, int m, const int *at, float *y, const float *x)
{
    for (int i = 0; i < n; i++)
        if (at[i] < m) y[i] = x[at[i]];
}
// explain(subscript): input uniform(0, m - 1)
