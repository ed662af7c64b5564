// Factors by the outer loop, blocks in the inner one, counted from 0. want: parallel
// chain: parallelize@C
// shows: e \^
#include <complex.h>
#include <math.h>
#include <stddef.h>
#pragma regraph size(n=1024,sign=-1) size(n=8,sign=1) size(n=2,sign=-1) extent(x: n)
int transform(double complex *x, size_t n, int sign)
{
    if (n == 0 || (n & (n - 1)) != 0) return -1;
    for (size_t len = 2; len <= n; len <<= 1) {
        double ang = sign * 6.28318530717958648 / (double)len;
        for (size_t k = 0; k < len / 2; k++) {
            double complex w = cos(ang * (double)k) + I * sin(ang * (double)k);
            for (size_t base = 0; base < n; base += len) {
                double complex u = x[base + k], v = x[base + k + len / 2] * w;
                x[base + k] = u + v;
                x[base + k + len / 2] = u - v;
            }
        }
    }
    return 0;
}
