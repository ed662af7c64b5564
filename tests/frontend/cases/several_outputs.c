#include <float.h>
#include <math.h>
#pragma regraph size(n=999)
void stats(int n, const double *x, double *mean, double *var, double *mn, double *mx)
{
    double s = 0, s2 = 0;
    *mn = DBL_MAX;
    *mx = -DBL_MAX;
    for (int i = 0; i < n; i++) {
        s += x[i];
        s2 += x[i] * x[i];
        *mn = fmin(*mn, x[i]);
        if (x[i] > *mx) *mx = x[i];
    }
    *mean = s / n;
    *var = s2 / n - *mean * *mean;
}
