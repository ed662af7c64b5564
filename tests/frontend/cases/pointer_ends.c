/* Pointer parameters that say where an array ends. */
#include <stddef.h>

// function: axpy
// explain(axpy): x.count          scalar long
// explain(axpy): double[x.count]
// not(axpy): opaque
#pragma regraph size(x.count=1000)
void axpy(double a, const double *x, const double *end, const double *y, double *z)
{
    while (x != end) *z++ = a * *x++ + *y++;
}

// function: sum
// not(sum): opaque
#pragma regraph size(first.count=1000)
float sum(const float *first, const float *last)
{
    float s = 0;
    for (const float *p = first; p != last; ++p) s += *p;
    return s;
}

// function: scale
// not(scale): opaque
#pragma regraph size(begin.count=1000)
void scale(float *begin, const float *stop, float f)
{
    while (begin < stop) {
        *begin = *begin * f + 1;
        begin++;
    }
}

// function: mean
// not(mean): opaque
#pragma regraph size(x.count=1000)
double mean(const double *x, const double *end)
{
    double s = 0;
    size_t n = end - x;
    while (x < end) s += *x++;
    return s / n;
}
