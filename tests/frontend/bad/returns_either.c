// expect: 'twice' returns a pointer ('double *')
// size: n=4
#include <stdlib.h>
double *twice(double *a, int n, int copy)
{
    double *out = a;
    if (copy) out = malloc(n * sizeof *out);
    for (int i = 0; i < n; i++) out[i] = a[i] * 2;
    return out;
}
