#include <math.h>
#include <stddef.h>
#pragma regraph size(n=40, m=60)
void density(size_t n, const double *points, size_t m, double lo, double hi, double *out)
{
    const double step = (hi - lo) / m;
    size_t g = 0;
    do {
        double x = lo + g * step, sum = 0;
        for (size_t p = 0; p < n; p++) {
            if (fabs(x - points[p]) > 5) continue;
            sum += exp(-(x - points[p]) * (x - points[p]));
        }
        out[g] = sum;
    } while (++g < m);
}
// explain: for (unsigned long g = 0; g < (m > 1 ? m : 1); g++)
