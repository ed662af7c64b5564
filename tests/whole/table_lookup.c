/* aerodynamic tables: interpolation in a sorted abscissa, found by bisection */
#include <stddef.h>

static int bracket(const double *t, int n, double v)
{
    int lo = 0, hi = n - 1;
    while (hi - lo > 1) {
        int mid = (lo + hi) / 2;
        if (t[mid] > v)
            hi = mid;
        else
            lo = mid;
    }
    return lo;
}

void interpolate_table(size_t points, const double *x, int n, const double *mach, const double *drag, double *cd)
{
    for (size_t p = 0; p < points; p++) {
        double v = x[p];
        if (v <= mach[0])
            cd[p] = drag[0];
        else if (v >= mach[n - 1])
            cd[p] = drag[n - 1];
        else {
            int k = bracket(mach, n, v);
            double f = (v - mach[k]) / (mach[k + 1] - mach[k]);
            cd[p] = drag[k] + f * (drag[k + 1] - drag[k]);
        }
    }
}
