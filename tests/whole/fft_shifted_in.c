/* Transform of complex numbers whose stages are counted up to a logarithm that a loop finds; a running factor. */
#include <complex.h>
#include <math.h>

static unsigned rev(unsigned x, int bits)
{
    unsigned r = 0;
    for (int i = 0; i < bits; i++) {
        r = (r << 1) | (x & 1);
        x >>= 1;
    }
    return r;
}

void fft(double complex *a, int n)
{
    int lg = 0;
    while ((1 << lg) < n) lg++;
    for (int i = 0; i < n; i++) {
        int j = rev(i, lg);
        if (i < j) {
            double complex t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    }
    for (int s = 1; s <= lg; s++) {
        int m = 1 << s;
        double complex wm = cexp(-2.0 * M_PI * I / m);
        for (int k = 0; k < n; k += m) {
            double complex w = 1.0;
            for (int j = 0; j < m / 2; j++) {
                double complex t = w * a[k + j + m / 2];
                double complex u = a[k + j];
                a[k + j] = u + t;
                a[k + j + m / 2] = u - t;
                w *= wm;
            }
        }
    }
}
