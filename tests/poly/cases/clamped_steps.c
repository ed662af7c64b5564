// Sizes that a condition steps, `if (n % 2) n++;`, the rest to a multiple taken off or put on: bounds of reductions. want: parallel
#include <stddef.h>
static double f(double x)
{
    return 4.0 / (1.0 + x * x);
}
#pragma regraph size(n=1000) size(n=1) size(n=7) size(n=8) extent(x: n + 4) extent(y: n + 4)
double clamped_steps(double a, double b, int n, const float *x, float *y)
{
    long m = n;
    if (m < 2) m = 2;
    if (m % 2) m++;
    double h = (b - a) / m, odd = 0, even = 0;
    for (long i = 1; i < m; i += 2) odd += f(a + i * h);
    for (long i = 2; i < m; i += 2) even += f(a + i * h);
    size_t padded = (size_t)n;
    if (padded % 4 != 0) padded += 4 - padded % 4;
    for (size_t i = 0; i < padded; i++) y[i] = 2 * x[i];
    unsigned whole = (unsigned)n;
    if (n & 1) --whole;
    for (unsigned i = 0; i < whole; i++) y[i] += x[i + 1];
    return h / 3 * (f(a) + 4 * odd + 2 * even + f(b));
}
