// A median by a function that calls itself on the part that has it. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile
#include <stdlib.h>
#include <string.h>
static int split(int *a, int lo, int hi)
{
    int pivot = a[hi], i = lo, t;
    for (int j = lo; j < hi; j++)
        if (a[j] <= pivot) {
            t = a[i];
            a[i++] = a[j];
            a[j] = t;
        }
    t = a[i];
    a[i] = a[hi];
    a[hi] = t;
    return i;
}
static int element_at(int *a, int lo, int hi, int k)
{
    if (lo == hi) return a[lo];
    int p = split(a, lo, hi);
    if (k == p) return a[k];
    return k < p ? element_at(a, lo, p - 1, k) : element_at(a, p + 1, hi, k);
}
#pragma regraph size(n=3000) size(n=41)
int median_of(const int *v, int n)
{
    int *a = malloc(sizeof(int) * n);
    memcpy(a, v, sizeof(int) * n);
    int m = element_at(a, 0, n - 1, n / 2);
    free(a);
    return m;
}
