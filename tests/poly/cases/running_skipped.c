// A running variance of what is a number, read through a pointer that steps. want: parallel
#include <math.h>
#pragma regraph size(n=60000) size(n=1) size(n=700) extent(out: 3) role(out: out) input(x: uniform(100, 101))
long running_skipped(const double *x, int n, double *out)
{
    long count = 0;
    double mean = 0, m2 = 0;
    const double *end = x + n;
    while (x < end) {
        double v = *x++;
        if (isnan(v) || v > 100.9) continue;
        count++;
        double delta = v - mean;
        mean += delta / count;
        m2 += delta * (v - mean);
    }
    out[0] = mean;
    out[1] = m2;
    out[2] = count > 1 ? m2 / (count - 1) : 0;
    return count;
}
