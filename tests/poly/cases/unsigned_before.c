// What the iteration before wrote stays in a register, counted by an unsigned variable from a literal. want: parallel
// chain: parallelize
// shows: y_before
#include <stddef.h>
#pragma regraph size(n=100, m=50) size(n=7, m=5)
void unsigned_before(size_t n, int m, const float *x, float *y)
{
    for (int k = 0; k < m; k++) {
        size_t i;
        y[k * n] = 1;
        for (i = 1; i < n; i++) y[k * n + i] = y[k * n + i - 1] * 0.5f + x[i];
    }
}
