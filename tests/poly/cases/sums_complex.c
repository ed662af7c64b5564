// Sums and differences of complex numbers over the outermost loop, under a condition, and in the caller's element. want: parallel
#include <complex.h>
#pragma regraph size(n=30000) size(n=1) size(n=301) input(f: uniform(0, 0.5))
typedef float complex cf;
double spectrum_at(const double *x, const cf *a, const cf *b, int n, double f, cf *correlation)
{
    double _Complex s = 0, w = 0;
    *correlation = 0;
    for (int i = n - 1; i >= 0; --i) {
        if (x[i] > 0.5) s = x[i] * cexp(-I * f * i) + s;
        w -= x[i] * I;
        *correlation += a[i] * conjf(b[i]);
    }
    return cabs(s) + cimag(w);
}
