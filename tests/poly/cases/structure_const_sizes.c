// Sizes that are members of a structure behind a pointer to const, which helpers are given, too. want: parallel
#include <stddef.h>
#include <string.h>
struct axis {
    double lo, hi;
    unsigned n;
};
static unsigned bin_of(const struct axis *a, double v)
{
    double t = (v - a->lo) / (a->hi - a->lo) * a->n;
    if (!(t >= 0.0)) return 0;
    if (t >= (double)a->n) return a->n - 1;
    return (unsigned)t;
}
void structure_const_sizes(const struct axis *ax, const struct axis *ay, size_t n, const double *x, const double *y,
                           double *h)
{
    memset(h, 0, (size_t)ax->n * ay->n * sizeof *h);
    for (size_t i = 0; i < n; i++) h[(size_t)bin_of(ay, y[i]) * ax->n + bin_of(ax, x[i])] += 1.5;
}
