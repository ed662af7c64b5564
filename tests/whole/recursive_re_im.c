/* Inverse transform of two arrays of reals that calls itself, with arrays of each call's length on the stack. */
#include <math.h>

static void halves(float *re, float *im, int n, int inverse)
{
    if (n == 1) return;
    int half = n / 2;
    float even_re[half], even_im[half], odd_re[half], odd_im[half];
    for (int j = 0; j < half; j++) {
        even_re[j] = re[2 * j];
        even_im[j] = im[2 * j];
        odd_re[j] = re[2 * j + 1];
        odd_im[j] = im[2 * j + 1];
    }
    halves(even_re, even_im, half, inverse);
    halves(odd_re, odd_im, half, inverse);
    float sign = inverse ? 1.0f : -1.0f;
    for (int j = 0; j < half; j++) {
        float angle = sign * 2.0f * (float)M_PI * j / n;
        float c = cosf(angle), s = sinf(angle);
        float tr = c * odd_re[j] - s * odd_im[j];
        float ti = c * odd_im[j] + s * odd_re[j];
        re[j] = even_re[j] + tr;
        im[j] = even_im[j] + ti;
        re[j + half] = even_re[j] - tr;
        im[j + half] = even_im[j] - ti;
    }
}

void inverse_transform(float *re, float *im, int n)
{
    halves(re, im, n, 1);
    for (int i = 0; i < n; i++) {
        re[i] /= n;
        im[i] /= n;
    }
}
