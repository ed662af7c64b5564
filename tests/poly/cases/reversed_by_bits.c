// A whole transform: the permutation by reversed bits, each computed in a loop of its own. want: parallel
// chain: parallelize@C
// shows: rg_mirrored\(
// lacks: one thread: loop
#include <complex.h>
#include <math.h>
#include <stddef.h>
/* in-place radix 2 with a running twiddle, n a power of two */
#pragma regraph size(n=1024) size(n=8) size(n=2)
void fft(double complex *x, size_t n)
{
    size_t k = n, m;
    double theta = 3.14159265358979323846 / (double)n;
    double complex phi = CMPLX(cos(theta), -sin(theta)), t;
    while (k > 1) {
        m = k;
        k >>= 1;
        phi = phi * phi;
        t = 1.0;
        for (size_t l = 0; l < k; l++) {
            for (size_t a = l; a < n; a += m) {
                size_t b = a + k;
                double complex d = x[a] - x[b];
                x[a] += x[b];
                x[b] = d * t;
            }
            t *= phi;
        }
    }
    size_t bits = (size_t)log2((double)n);
    for (size_t a = 0; a < n; a++) {
        size_t b = 0;
        for (size_t j = 0; j < bits; j++) if (a >> j & 1) b |= (size_t)1 << (bits - 1 - j);
        if (b > a) { double complex c = x[a]; x[a] = x[b]; x[b] = c; }
    }
}
