// qsort of all of an array: tiles, then merges; data-dependent length, both ends of a piece. want: parallel
// chain: parallelize@C
// shows: rg_merge_tile<[0-9]+, 8>
#include <stdlib.h>
#pragma regraph size(n=5000) size(n=9) size(n=2049) size(n=1)
static int cmp(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}
void sort_floats(float *v, int n) { qsort(v, n, sizeof(float), cmp); }
