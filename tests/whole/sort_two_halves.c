#include <stdlib.h>
#include <string.h>
static void msort(int *a, int *tmp, int lo, int hi)
{
    if (hi - lo < 2) return;
    int mid = lo + (hi - lo) / 2;
    msort(a, tmp, lo, mid);
    msort(a, tmp, mid, hi);
    int i = lo, j = mid, k = lo;
    while (i < mid && j < hi) tmp[k++] = a[j] < a[i] ? a[j++] : a[i++];
    while (i < mid) tmp[k++] = a[i++];
    while (j < hi) tmp[k++] = a[j++];
    memcpy(a + lo, tmp + lo, (hi - lo) * sizeof(int));
}
void merge_sort(int *a, int n)
{
    int *tmp = malloc(n * sizeof(int));
    msort(a, tmp, 0, n);
    free(tmp);
}
