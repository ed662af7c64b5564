#include <stddef.h>
#pragma regraph size(n=501)
void back(int n, const double *x, double *y, double *z)
{
    int i;
    for (i = n - 1; i >= 0; i--)
        y[n - 1 - i] = x[i];
    for (size_t k = (size_t)n; k-- > 0;)
        z[k] = 2.0 * x[k];
    for (i = n - 1; i > 0; i -= 2)
        z[i] += z[i - 1];
    if (n > 2)
        for (i = 0; i + 2 < n; i += 3)
            y[i] += y[i + 2];
    y[0] += i;
}
