// The same, but the scratch is cleared from place to place as it is read: no kernel of ours leaves that. want: parallel
#pragma regraph size(n=300) size(n=70) extent(a: n) extent(tmp: n)
static void msort(long *a, long *tmp, int lo, int hi)
{
    if (hi - lo < 2) return;
    int mid = lo + (hi - lo) / 2;
    msort(a, tmp, lo, mid);
    msort(a, tmp, mid, hi);
    int i = lo, j = mid, k = lo;
    while (i < mid && j < hi) {
        if (a[i] <= a[j]) tmp[k++] = a[i++];
        else tmp[k++] = a[j++];
    }
    while (i < mid) tmp[k++] = a[i++];
    while (j < hi) tmp[k++] = a[j++];
    for (k = lo; k < hi; k++) {
        a[k] = tmp[k];
        tmp[k] = 0;
    }
}
void sort_cleared(long *a, long *tmp, int n)
{
    msort(a, tmp, 0, n);
}
