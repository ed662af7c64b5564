// Places sorted by what a file-scope pointer has there. want: parallel
// chain: parallelize@C
// shows: by_key\(rg_x, rg_y, &key\[
#include <stdlib.h>
static const double *keys;
static int by_key(const void *a, const void *b)
{
    int i = *(const int *)a, j = *(const int *)b;
    if (keys[i] < keys[j]) return -1;
    if (keys[i] > keys[j]) return 1;
    return i < j ? -1 : i > j;
}
#pragma regraph size(n=4500) size(n=33)
void argsort(const double *key, int *order, int n)
{
    for (int i = 0; i < n; i++) order[i] = i;
    keys = key;
    qsort(order, (size_t)n, sizeof order[0], by_key);
}
