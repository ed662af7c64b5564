/* Transform of structures from one array to another, its input at a stride that doubles with each call. */
#include <math.h>
#include <stddef.h>

typedef struct {
    double re, im;
} phasor;

static phasor sum(phasor a, phasor b)
{
    phasor r = {a.re + b.re, a.im + b.im};
    return r;
}
static phasor difference(phasor a, phasor b)
{
    phasor r = {a.re - b.re, a.im - b.im};
    return r;
}
static phasor product(phasor a, phasor b)
{
    phasor r = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return r;
}

static void every(const phasor *in, phasor *out, size_t n, size_t stride)
{
    if (n == 1) {
        out[0] = in[0];
    } else {
        every(in, out, n / 2, 2 * stride);
        every(in + stride, out + n / 2, n / 2, 2 * stride);
        for (size_t k = 0; k < n / 2; k++) {
            double phi = -2.0 * M_PI * k / n;
            phasor w = {cos(phi), sin(phi)};
            phasor p = out[k], q = product(w, out[k + n / 2]);
            out[k] = sum(p, q);
            out[k + n / 2] = difference(p, q);
        }
    }
}

void transform(const phasor *in, phasor *out, size_t n)
{
    every(in, out, n, 1);
}
