// A recursive merge sort of longs from the largest down that merges into the caller's scratch and copies back. want: parallel
#pragma regraph size(n=3000) size(n=700) size(n=1) extent(a: n) extent(tmp: n)
static void msort(long *a, long *tmp, int lo, int hi)
{
    int mid, i, j, k;
    if (hi - lo < 2) return;
    mid = lo + (hi - lo) / 2;
    msort(a, tmp, lo, mid);
    msort(a, tmp, mid, hi);
    i = lo, j = mid, k = lo;
    while (i < mid && j < hi) tmp[k++] = a[i] >= a[j] ? a[i++] : a[j++];
    while (i < mid) tmp[k++] = a[i++];
    while (j < hi) tmp[k++] = a[j++];
    for (k = lo; k < hi; k++) a[k] = tmp[k];
}
void sort_down(long *a, long *tmp, int n)
{
    msort(a, tmp, 0, n);
}
