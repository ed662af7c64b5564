#include <stdlib.h>
#include <string.h>
static int split(int *a, int lo, int hi)
{
    int pivot = a[hi], i = lo;
    for (int j = lo; j < hi; j++)
        if (a[j] <= pivot) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; }
    int t = a[i]; a[i] = a[hi]; a[hi] = t;
    return i;
}
static int select_kth(int *a, int lo, int hi, int k)
{
    if (lo == hi) return a[lo];
    int p = split(a, lo, hi);
    if (k == p) return a[k];
    if (k < p) return select_kth(a, lo, p - 1, k);
    return select_kth(a, p + 1, hi, k);
}
int median_of(const int *v, int n)
{
    int *a = malloc(sizeof(int) * n);
    memcpy(a, v, sizeof(int) * n);
    int m = select_kth(a, 0, n - 1, n / 2);
    free(a);
    return m;
}
