// spectra of many traces, one behind the other, a power of two of samples each
#include <math.h>

struct sample { float re, im; };

static void transform(struct sample *x, unsigned n)
{
    for (unsigned i = 0, j = 0; i < n; i++) {
        if (i < j) {
            struct sample s = x[i];
            x[i] = x[j];
            x[j] = s;
        }
        unsigned m = n >> 1;
        while (m >= 1 && j & m) {
            j ^= m;
            m >>= 1;
        }
        j |= m;
    }
    for (unsigned half = 1; half < n; half *= 2)
        for (unsigned at = 0; at < n; at += 2 * half)
            for (unsigned k = 0; k < half; k++) {
                float phi = -3.14159265f * k / half, c = cosf(phi), s = sinf(phi);
                struct sample *p = &x[at + k], *q = &x[at + k + half];
                float re = q->re * c - q->im * s, im = q->re * s + q->im * c;
                q->re = p->re - re;
                q->im = p->im - im;
                p->re += re;
                p->im += im;
            }
}

int spectra(int traces, unsigned n, struct sample *x)
{
    if (n == 0 || n & (n - 1))
        return 0;
    for (int t = 0; t < traces; t++)
        transform(x + (long)t * n, n);
    return 1;
}
