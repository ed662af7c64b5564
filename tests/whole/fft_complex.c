#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

typedef double complex cplx;

static void bit_reverse(cplx *a, int n)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) {
            cplx t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
    }
}

/* in place, n a power of two */
void fft(cplx *a, int n, int inverse)
{
    bit_reverse(a, n);
    for (int len = 2; len <= n; len *= 2) {
        double ang = 2 * M_PI / len * (inverse ? 1 : -1);
        cplx wl = cexp(I * ang);
        for (int i = 0; i < n; i += len) {
            cplx w = 1.0;
            for (int k = 0; k < len / 2; k++) {
                cplx u = a[i + k], v = a[i + k + len / 2] * w;
                a[i + k] = u + v;
                a[i + k + len / 2] = u - v;
                w *= wl;
            }
        }
    }
    if (inverse)
        for (int i = 0; i < n; i++) a[i] /= n;
}

int main(void)
{
    enum { N = 1024 };
    static cplx x[N];
    for (int i = 0; i < N; i++) x[i] = cos(2 * M_PI * 5 * i / N);
    fft(x, N, 0);
    for (int i = 0; i < 8; i++) printf("%d: %.3f %.3f\n", i, creal(x[i]), cimag(x[i]));
    return 0;
}
