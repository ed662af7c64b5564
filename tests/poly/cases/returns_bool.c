// want: parallel
// `bool` is a macro of a system header: the function is the user's all the same, not the helper beside it
#include <stdbool.h>
static int next(int i, int n)
{
    return i + 1 < n ? i + 1 : 0;
}
#pragma regraph size(n=20000) size(n=37) extent(x: n) extent(rising: n)
bool mark(int n, const float *x, bool *rising)
{
    for (int i = 0; i < n; i++) rising[i] = x[next(i, n)] > x[i];
    return n > 0;
}
