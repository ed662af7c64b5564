// A running twiddle of complex numbers is a power of the first. want: parallel
// chain: parallelize@C
// shows: rg_cpowi_d\(wlen
#include <complex.h>
#include <math.h>
#pragma regraph size(n=1024) size(n=8) size(n=2)
void fft(double complex *a, int n)
{
    for (int len = 2; len <= n; len <<= 1) {
        double ang = 2 * M_PI / len;
        double complex wlen = cos(ang) + I * sin(ang);
        for (int i = 0; i < n; i += len) {
            double complex w = 1;
            for (int j = 0; j < len / 2; j++) {
                double complex u = a[i + j], v = a[i + j + len / 2] * w;
                a[i + j] = u + v;
                a[i + j + len / 2] = u - v;
                w *= wlen;
            }
        }
    }
}
