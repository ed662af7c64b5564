// says: memset_over.c:7: clear touches memory out of bounds
// says: it writes y[
#include <string.h>
#pragma regraph size(n=1000) extent(x: n) extent(y: n)
void clear(int n, const float *x, float *y)
{
    memset(y, 0, (n + 1) * sizeof *y);
    for (int i = 0; i < n; i++) y[i] += x[i];
}
