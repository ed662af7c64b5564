// Data lead into the very part that the loop stores to: its iterations keep their order. want: parallel
// chain: parallelize
// lacks: max\(min\(
#include <stdlib.h>

#pragma regraph size(n=2000) size(n=7) extent(x: n) extent(k: n) input(k: uniform(0, n - 1))
int parts_same(int n, const int *k, const int *x)
{
    int *a = malloc(2 * (size_t)n * sizeof *a), *b = a + n;
    a[0] = b[0] = x[0];
    for (int i = 1; i < n; i++) a[i] = x[i] + a[i - 1] * 3 % 7, b[i] = a[i];
    for (int i = 0; i < n; i++) b[i] = b[k[i]] + a[i];
    int s = b[n - 1];
    free(a);
    return s;
}
