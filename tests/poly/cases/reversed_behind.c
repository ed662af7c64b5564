// As in Numerical Recipes: the counter is carried behind the exchange; C89. want: parallel
// chain: parallelize@C
// shows: rg_mirrored\(
// lacks: one thread: loop
#include <math.h>
/* in place, bit reversal by a counter, running twiddle as two reals */
#pragma regraph size(n=1024) size(n=8) size(n=2)
void four1(double *re, double *im, int n)
{
    int i, j = 0, k, m;
    double t;
    for (i = 0; i < n - 1; i++) {
        if (i < j) {
            t = re[i]; re[i] = re[j]; re[j] = t;
            t = im[i]; im[i] = im[j]; im[j] = t;
        }
        m = n >> 1;
        while (m >= 1 && j >= m) { j -= m; m >>= 1; }
        j += m;
    }
    for (m = 1; m < n; m <<= 1) {
        for (i = 0; i < n; i += 2 * m)
            for (k = 0; k < m; k++) {
                double a = -3.141592653589793 * k / m, wr = cos(a), wi = sin(a);
                double xr = wr * re[i + k + m] - wi * im[i + k + m], xi = wr * im[i + k + m] + wi * re[i + k + m];
                re[i + k + m] = re[i + k] - xr;
                im[i + k + m] = im[i + k] - xi;
                re[i + k] += xr;
                im[i + k] += xi;
            }
    }
}
