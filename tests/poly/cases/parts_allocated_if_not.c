// A block is allocated where the size asks for it, and its pointer is NULL else: the test behind it says which. want: parallel
#include <stdlib.h>

#pragma regraph size(n=5) size(n=1) size(n=300) extent(x: n) extent(y: n)
void parts_allocated_if_not(int n, const int *restrict x, int *restrict y)
{
    int *a = NULL, *b = NULL;
    if (n > 1) {
        a = malloc(2 * (size_t)n * sizeof *a);
        b = a + n;
    }
    if (a)
        for (int i = 0; i < n; i++) a[i] = x[i] + 1, b[i] = x[i];
    if (b)
        for (int i = 0; i < n; i++) y[i] = a[i] + b[i];
    else
        y[0] = 7;
    free(a);
}
