// Stockham's transform, whose two buffers change places in every round, in a helper of its own. want: parallel
// chain: parallelize@C
// shows: \^
#include <complex.h>
#include <math.h>
#include <string.h>
typedef double complex cplx;
static void stockham(int n, int stride, cplx *x, cplx *y)
{
    int swap = 0, all = n;
    while (n > 1) {
        int m = n / 2;
        for (int p = 0; p < m; p++) {
            cplx w = cexp(-2.0 * M_PI * I * p / n);
            for (int q = 0; q < stride; q++) {
                cplx a = x[q + stride * p], b = x[q + stride * (p + m)];
                y[q + stride * (2 * p)] = a + b;
                y[q + stride * (2 * p + 1)] = (a - b) * w;
            }
        }
        cplx *t = x;
        x = y;
        y = t;
        n = m;
        stride *= 2;
        swap = !swap;
    }
    if (swap)
        memcpy(y, x, sizeof(cplx) * (size_t)all);
}
#pragma regraph size(n=64) size(n=8) size(n=2) extent(work: n) require(1048576 % n == 0)
void fft(cplx *x, cplx *work, int n)
{
    stockham(n, 1, x, work);
}
