// Parts of four, and how many they took, of fewer than four: the bound in front of the last part may be below zero. want: parallel
#include <stddef.h>
#pragma regraph size(n=301) size(n=1) size(n=2) size(n=3) size(n=4) size(n=38) extent(x: n + 8) extent(y: n + 8)
size_t parts_of_few(size_t n, const float *x, float *y)
{
    size_t i = 0;
    for (; i + 4 <= n; i += 4) y[i] = x[i] + x[i + 3];
    return i;
}
