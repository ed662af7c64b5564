// Sums along the first values of blocks, and differences to places that other steps lead to: no copy will do. want: parallel
// refused: parallelize@C : carries a dependence (flow) on c
#include <stddef.h>
#pragma regraph size(n=300, m=50) size(n=9, m=3) size(n=1, m=1) extent(c: 64*n) extent(d: 4*m + 8)
void shift_blocks_not(int n, int m, int *c, int *d)
{
    for (int b = 1; b < n; b++) c[(size_t)b * 64] += c[(size_t)(b - 1) * 64];
    for (int i = 0; i < m; i++) d[2 * i] = d[2 * i] + d[4 * i + 4];
    for (int i = m - 1; i >= 0; i--) d[2 * i + 2] = d[2 * i + 2] - d[2 * i] * d[2 * i + 4];
}
