/* Transform of two arrays by stages that are numbered; places in reverse and the number of stages by functions. */
#include <math.h>

static int reverse_bits(int num, int bits)
{
    int result = 0;
    int i;
    for (i = 0; i < bits; i++) {
        if (num & (1 << i))
            result |= 1 << (bits - 1 - i);
    }
    return result;
}

static int ilog2(int n)
{
    int k = 0;
    while (n > 1) {
        n >>= 1;
        k++;
    }
    return k;
}

void fft_split(float *re, float *im, int n, int dir)
{
    int bits = ilog2(n);
    for (int i = 0; i < n; i++) {
        int r = reverse_bits(i, bits);
        if (r > i) {
            float t = re[i];
            re[i] = re[r];
            re[r] = t;
            t = im[i];
            im[i] = im[r];
            im[r] = t;
        }
    }
    for (int stage = 0; stage < bits; stage++) {
        int half = 1 << stage;
        int full = 2 << stage;
        float ang = dir * (float)M_PI / half;
        for (int start = 0; start < n; start += full) {
            for (int k = 0; k < half; k++) {
                float wr = cosf(ang * k), wi = sinf(ang * k);
                float xr = re[start + k + half] * wr - im[start + k + half] * wi;
                float xi = re[start + k + half] * wi + im[start + k + half] * wr;
                re[start + k + half] = re[start + k] - xr;
                im[start + k + half] = im[start + k] - xi;
                re[start + k] += xr;
                im[start + k] += xi;
            }
        }
    }
}
