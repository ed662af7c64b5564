/* Fast Fourier transform on two arrays of reals; its twiddle factor runs along the inner loop as two numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void transform(double *re, double *im, int n)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) {
            double t = re[i];
            re[i] = re[j];
            re[j] = t;
            t = im[i];
            im[i] = im[j];
            im[j] = t;
        }
    }
    for (int len = 2; len <= n; len <<= 1) {
        double ang = -2 * 3.14159265358979323846 / len, wlr = cos(ang), wli = sin(ang);
        for (int i = 0; i < n; i += len) {
            double wr = 1, wi = 0;
            for (int j = 0; j < len / 2; j++) {
                double ur = re[i + j], ui = im[i + j];
                double vr = re[i + j + len / 2] * wr - im[i + j + len / 2] * wi;
                double vi = re[i + j + len / 2] * wi + im[i + j + len / 2] * wr;
                re[i + j] = ur + vr;
                im[i + j] = ui + vi;
                re[i + j + len / 2] = ur - vr;
                im[i + j + len / 2] = ui - vi;
                double t = wr * wlr - wi * wli;
                wi = wr * wli + wi * wlr;
                wr = t;
            }
        }
    }
}

int main(void)
{
    int n = 1 << 12;
    double *re = malloc(n * sizeof *re), *im = calloc(n, sizeof *im);
    for (int i = 0; i < n; i++) re[i] = i % 17;
    transform(re, im, n);
    printf("%g %g\n", re[1], im[1]);
    free(re);
    free(im);
    return 0;
}
