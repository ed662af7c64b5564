// A structure that one iteration leaves to the next, and no multiplication says how: its steps stay in order. want: sequential
#include <math.h>
typedef struct { double re, im; } cpx;
#pragma regraph size(n=256) size(n=8) size(n=2) extent(x: n) require(1073741824 % n == 0)
void not_turned(cpx *x, unsigned n)
{
    for (unsigned len = 2; len <= n; len <<= 1) {
        double ang = -2.0 * M_PI / len;
        cpx wl = {cos(ang), sin(ang)};
        for (unsigned i = 0; i < n; i += len) {
            cpx w = {1.0, 0.0};
            for (unsigned k = 0; k < len / 2; k++) {
                cpx u = x[i + k], v;
                v.re = x[i + k + len / 2].re * w.re - x[i + k + len / 2].im * w.im;
                v.im = x[i + k + len / 2].re * w.im + x[i + k + len / 2].im * w.re;
                x[i + k].re = u.re + v.re;
                x[i + k].im = u.im + v.im;
                x[i + k + len / 2].re = u.re - v.re;
                x[i + k + len / 2].im = u.im - v.im;
                w.re = w.re * wl.re - w.im * wl.im;
                w.im = w.re * wl.im + w.im * wl.re;
            }
        }
    }
}
