// Stockham's transform of two arrays of parts, behind a check that n is a power of two. want: parallel
// chain: parallelize@C
#include <stdlib.h>
#include <string.h>
#include <math.h>
#pragma regraph size(n = 64) size(n = 8) size(n = 2)
int fft(float *re, float *im, long n)
{
    for (long m = n; m > 1; m >>= 1)
        if (m & 1) return -22;
    float *wr = malloc(n * sizeof *wr), *wi = malloc(n * sizeof *wi);

    float *xr = re, *xi = im;
    float *yr = wr, *yi = wi;
    for (long l = n / 2, m = 1; l >= 1; l /= 2, m *= 2) {
        for (long j = 0; j < l; j++) {
            float c = cosf(-(float)M_PI * j / l), s = sinf(-(float)M_PI * j / l);
            for (long k = 0; k < m; k++) {
                float ar = xr[k + j * m], ai = xi[k + j * m];
                float br = xr[k + j * m + l * m], bi = xi[k + j * m + l * m];
                yr[k + 2 * j * m] = ar + br;
                yi[k + 2 * j * m] = ai + bi;
                yr[k + 2 * j * m + m] = c * (ar - br) - s * (ai - bi);
                yi[k + 2 * j * m + m] = c * (ai - bi) + s * (ar - br);
            }
        }
        float *t = xr;
        xr = yr;
        yr = t;
        float *u = xi;
        xi = yi;
        yi = u;
    }
    if (xr != re) {
        memcpy(re, xr, n * sizeof *xr);
        memcpy(im, xi, n * sizeof *xi);
    }

    free(wr);
    free(wi);
    return 0;
}
