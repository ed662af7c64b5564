// How many are sorted only data say; largest first. want: parallel
// chain: scan.block@C
// shows: rg_sort_tile<[0-9]+
#include <stdlib.h>
static int by_size(const void *a, const void *b)
{
    const long long x = *(const long long *)a, y = *(const long long *)b;
    if (x == y) return 0;
    return x < y ? 1 : -1;
}
#pragma regraph extent(out: n) size(n=6000) size(n=40)
int keep(const long long *z, int n, long long *out)
{
    int m = 0;
    for (int i = 0; i < n; i++)
        if (z[i] & 1) { out[m] = z[i]; m++; }
    qsort(out, m, sizeof *out, by_size);
    return m;
}
