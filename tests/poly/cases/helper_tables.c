// A helper that names a table and then calls one that names another. want: parallel
#include <math.h>
static const double scale[4] = {1.0, 0.5, 0.25, 0.125};
static const int turn[3] = {2, 0, 1};
static double inner(double x, int k) { return x * turn[k % 3]; }
static double outer(double x, int k) { return scale[k & 3] * inner(sqrt(x), k) + turn[(k + 1) % 3]; }
void helper_tables(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) y[i] = outer(fabs(x[i]), i);
}
