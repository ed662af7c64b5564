// Complex numbers by their absolute value. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile<[0-9]+
#include <complex.h>
#include <stdlib.h>
static int by_abs(const void *a, const void *b)
{
    double x = cabs(*(const double complex *)a), y = cabs(*(const double complex *)b);
    return x < y ? -1 : x > y;
}
#pragma regraph size(n=3000) size(n=50)
void roots(const double complex *z, int n, double complex *out, double scale)
{
    for (int i = 0; i < n; i++) out[i] = scale * z[i];
    qsort(out, n, sizeof(double complex), by_abs);
}
