// Butterflies of four elements behind pointers, a table of twiddle factors, rounds that go up by 4. want: parallel
#include <stddef.h>
typedef struct {
    float re, im;
} cpx;
static cpx times(cpx a, cpx b)
{
    cpx p = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return p;
}
#pragma regraph extent(x: n) extent(w: n)
void transform(cpx *x, const cpx *w, size_t n)
{
    for (size_t q = 1; q < n; q <<= 2) {
        size_t step = n / (4 * q);
        for (size_t k = 0; k < n; k += 4 * q)
            for (size_t j = 0; j < q; j++) {
                cpx *a = x + k + j, *b = a + q, *c = b + q, *d = c + q;
                cpx tb = times(*b, w[j * step]), tc = times(*c, w[2 * j * step]), td = times(*d, w[3 * j * step]);
                cpx s0 = {a->re + tc.re, a->im + tc.im}, s1 = {a->re - tc.re, a->im - tc.im};
                cpx s2 = {tb.re + td.re, tb.im + td.im}, s3 = {tb.re - td.re, tb.im - td.im};
                a->re = s0.re + s2.re;
                a->im = s0.im + s2.im;
                c->re = s0.re - s2.re;
                c->im = s0.im - s2.im;
                b->re = s1.re + s3.im;
                b->im = s1.im - s3.re;
                d->re = s1.re - s3.im;
                d->im = s1.im + s3.re;
            }
    }
}
