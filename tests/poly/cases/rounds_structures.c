// Butterflies of structures with a table of twiddles. want: parallel
// chain: parallelize@C
// shows: e \^ half_
#include <math.h>
typedef struct { float re, im; } cpx;
static cpx cadd(cpx a, cpx b) { cpx c = {a.re + b.re, a.im + b.im}; return c; }
static cpx csub(cpx a, cpx b) { cpx c = {a.re - b.re, a.im - b.im}; return c; }
static cpx cmul(cpx a, cpx b) { cpx c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; return c; }
/* twiddles from a table, structures */
#pragma regraph extent(w: n) size(n=1024) size(n=8) size(n=2)
void stage(cpx *z, const cpx *w, unsigned n)
{
    for (unsigned len = 2; len <= n; len *= 2) {
        unsigned half = len / 2, step = n / len;
        for (unsigned s = 0; s < n; s += len)
            for (unsigned k = 0; k < half; k++) {
                cpx t = cmul(w[k * step], z[s + k + half]), u = z[s + k];
                z[s + k] = cadd(u, t);
                z[s + k + half] = csub(u, t);
            }
    }
}
