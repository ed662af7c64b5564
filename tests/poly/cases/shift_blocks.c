// The first value of each block becomes its difference to the one before, from the last block on. want: parallel
// chain: parallelize@C
// shows: _ahead
// lacks: one thread: loop b
#include <stddef.h>
#include <stdint.h>
#pragma regraph size(n=3000, m=5) size(n=9, m=3) size(n=1, m=1) extent(c: 64*n) extent(d: 3*m + 3)
void shift_blocks(int n, int m, int16_t *c, float *d)
{
    for (int b = n - 1; b > 0; b--) c[(size_t)b * 64] -= c[(size_t)(b - 1) * 64];
    for (int i = 0; i < m; i++) d[3 * i + 1] = d[3 * i + 1] * 0.5f + d[3 * (i + 1) + 1];
}
