#include <math.h>
#include <stdlib.h>
#include <string.h>
typedef struct { float re, im; } cpx;
static cpx cmul(cpx a, cpx b) { cpx r = { a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re }; return r; }
static cpx cadd(cpx a, cpx b) { return (cpx){ a.re + b.re, a.im + b.im }; }
static cpx csub(cpx a, cpx b) { return (cpx){ a.re - b.re, a.im - b.im }; }
static unsigned reverse_bits(unsigned x, int bits)
{
    unsigned r = 0;
    for (int i = 0; i < bits; i++) { r = (r << 1) | (x & 1); x >>= 1; }
    return r;
}
/* n = 1 << bits */
void fft(const cpx *in, cpx *out, int bits)
{
    int n = 1 << bits;
    cpx *tmp = malloc(n * sizeof *tmp);
    memcpy(tmp, in, n * sizeof *tmp);
    for (int i = 0; i < n; i++) out[reverse_bits(i, bits)] = tmp[i];
    for (int len = 2; len <= n; len <<= 1) {
        double ang = -2.0 * M_PI / len;
        for (int i = 0; i < n; i += len)
            for (int j = 0; j < len / 2; j++) {
                cpx w = { (float)cos(ang * j), (float)sin(ang * j) };
                cpx u = out[i + j], v = cmul(out[i + j + len / 2], w);
                out[i + j] = cadd(u, v);
                out[i + j + len / 2] = csub(u, v);
            }
    }
    free(tmp);
}
