// A running twiddle in a structure, which its list starts, is a power of the first, with what asks for all of it. want: parallel
// chain: parallelize@C
// shows: rg_cpowi_d\(rg_cmake_d\(wl\.re, wl\.im\)
#include <math.h>
typedef struct { double re, im; } cpx;
static cpx times(cpx a, cpx b)
{
    cpx c;
    c.re = a.re * b.re - a.im * b.im;
    c.im = a.re * b.im + a.im * b.re;
    return c;
}
#pragma regraph size(n=1024) size(n=8) size(n=2) extent(x: n) require(1073741824 % n == 0)
void butterflies(cpx *x, unsigned n)
{
    unsigned i, k, len;
    for (len = 2; len <= n; len <<= 1) {
        double ang = -2.0 * M_PI / len;
        cpx wl = {cos(ang), sin(ang)};
        for (i = 0; i < n; i += len) {
            cpx w = {1.0, 0.0};
            for (k = 0; k < len / 2; k++) {
                cpx u = x[i + k], v = times(x[i + k + len / 2], w);
                x[i + k].re = u.re + v.re;
                x[i + k].im = u.im + v.im;
                x[i + k + len / 2].re = u.re - v.re;
                x[i + k + len / 2].im = u.im - v.im;
                double nr = w.re * wl.re - w.im * wl.im;
                w.im = w.re * wl.im + w.im * wl.re;
                w.re = nr;
            }
        }
    }
}
