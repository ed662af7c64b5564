// Counting sort in place: each value is written as often as it was counted, the count running down. want: parallel
// chain: parallelize@C
// shows: first
#pragma regraph size(n=5000, k=60) size(n=17, k=9) size(n=1, k=1)
#include <stdlib.h>
int sort_keys(int *a, int n, int k)
{
    int *count = calloc((size_t)k + 1, sizeof *count), z = 0;
    if (!count) return -1;
    for (int i = 0; i < n; i++) count[a[i]]++;
    for (int v = 0; v <= k; v++)
        while (count[v]-- > 0) a[z++] = v;
    free(count);
    return 0;
}
