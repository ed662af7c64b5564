/* Low-pass filter of a plane by fast Fourier transforms of its rows and columns, in place. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

typedef double complex cplx;

static void fft_line(cplx *a, int n, int stride, int sign, const cplx *tw)
{
    int i, j, len;

    for (i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            cplx t = a[i * stride];
            a[i * stride] = a[j * stride];
            a[j * stride] = t;
        }
    }
    for (len = 2; len <= n; len <<= 1) {
        int half = len / 2, step = n / len;
        for (i = 0; i < n; i += len)
            for (j = 0; j < half; j++) {
                cplx w = sign < 0 ? tw[j * step] : conj(tw[j * step]);
                cplx u = a[(i + j) * stride];
                cplx v = a[(i + j + half) * stride] * w;
                a[(i + j) * stride] = u + v;
                a[(i + j + half) * stride] = u - v;
            }
    }
}

int smooth_plane(int n, double keep, const double *in, double *out)
{
    cplx *f, *tw;
    int i, j;

    if (n < 2 || (n & (n - 1)))
        return -1;
    f = malloc(sizeof(cplx) * n * n);
    tw = malloc(sizeof(cplx) * (n / 2));
    for (i = 0; i < n / 2; i++)
        tw[i] = cexp(-2.0 * M_PI * I * i / n);
    for (i = 0; i < n * n; i++)
        f[i] = in[i];
    for (i = 0; i < n; i++)
        fft_line(f + (size_t)i * n, n, 1, -1, tw);
    for (i = 0; i < n; i++)
        fft_line(f + i, n, n, -1, tw);
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            double y = i < n / 2 ? i : i - n, x = j < n / 2 ? j : j - n;
            f[i * n + j] *= exp(-(x * x + y * y) / (keep * keep)) / ((double)n * n);
        }
    for (i = 0; i < n; i++)
        fft_line(f + (size_t)i * n, n, 1, +1, tw);
    for (i = 0; i < n; i++)
        fft_line(f + i, n, n, +1, tw);
    for (i = 0; i < n * n; i++)
        out[i] = creal(f[i]);
    free(f);
    free(tw);
    return 0;
}
