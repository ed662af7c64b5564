// The k-th smallest of a copy, by partitions. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile
#include <stdlib.h>
#pragma regraph size(n=3000, k=70) size(n=40, k=39)
#pragma regraph require(k < n)
float kth_smallest(const float *x, int n, int k)
{
    float *a = malloc(n * sizeof(float));
    for (int i = 0; i < n; i++) a[i] = x[i];
    int lo = 0, hi = n - 1;
    while (lo < hi) {
        float pivot = a[k];
        int i = lo, j = hi;
        do {
            while (a[i] < pivot) i++;
            while (pivot < a[j]) j--;
            if (i <= j) {
                float t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        } while (i <= j);
        if (j < k) lo = i;
        if (k < i) hi = j;
    }
    float r = a[k];
    free(a);
    return r;
}
