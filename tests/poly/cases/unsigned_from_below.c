// Counters that begin below zero, or wrap around to it, among numbers without a sign. want: sequential
#include <stddef.h>
#pragma regraph size(n=9) size(n=1) size(n=4)
#pragma regraph extent(x: n + 8) extent(y: n + 8)
void unsigned_from_below(size_t n, const float *x, float *y)
{
    for (int i = -1; i < n; i++) y[i + 2] += x[i + 2];
    for (unsigned z = -2u; z + 2 < (unsigned)n; z++) y[z + 2] = x[z + 2];
    for (unsigned z = 0; z - 2 < (unsigned)n; z++) y[z] = 2 * x[z];
    for (int z = -3; z + 2 < n; z++) y[z + 4] = x[z + 4];
}
