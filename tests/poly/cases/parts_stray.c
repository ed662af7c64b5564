// The data do lead from one part of the block into another, which C allows: the loop runs as it stands. want: parallel
#include <stdlib.h>

#pragma regraph size(n=2000) size(n=7) extent(x: n) extent(y: n) extent(k: n) input(k: uniform(0 - n, n - 1))
void parts_stray(int n, const int *k, const float *x, float *y)
{
    float *a = malloc(2 * (size_t)n * sizeof *a), *b = a + n;
    for (int i = 0; i < n; i++) a[i] = x[i], b[i] = 2 * x[i];
    for (int i = 0; i < n; i++) a[i] = b[k[i]] + 1;
    for (int i = 0; i < n; i++) y[i] = a[i] - b[i];
    free(a);
}
