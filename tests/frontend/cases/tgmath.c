#include <tgmath.h>
#pragma regraph size(n=500)
void g(int n, const float *x, const double *y, double *z)
{
    for (int i = 0; i < n; i++) z[i] = sqrt(fabs(x[i])) * exp(-fabs(x[i])) + pow(fabs(y[i]), 1.5);
}
// not: opaque parts
