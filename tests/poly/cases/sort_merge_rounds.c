// Merges of runs by 16 that were sorted by insertion, into the caller's scratch and back. want: parallel
// chain: parallelize@C
// lacks: one thread: loop (i|lo)
#include <string.h>
#include <stddef.h>
typedef int item;
#pragma regraph size(n=3000) size(n=1) size(n=16) size(n=17) size(n=40) extent(a: n) extent(tmp: n)
static void merge_runs(const item *src, item *dst, int lo, int mid, int hi)
{
    int i = lo, j = mid, k = lo;
    while (i < mid && j < hi) dst[k++] = src[j] < src[i] ? src[j++] : src[i++];
    while (i < mid) dst[k++] = src[i++];
    while (j < hi) dst[k++] = src[j++];
}
void sort_merge_rounds(item *a, item *tmp, int n)
{
    for (int lo = 0; lo < n; lo += 16) {
        int hi = lo + 16 < n ? lo + 16 : n;
        for (int i = lo + 1; i < hi; i++) {
            item t = a[i];
            int j = i - 1;
            while (j >= lo && a[j] > t) { a[j + 1] = a[j]; j--; }
            a[j + 1] = t;
        }
    }
    item *src = a, *dst = tmp;
    for (int w = 16; w < n; w *= 2) {
        for (int lo = 0; lo < n; lo += 2 * w) {
            int mid = lo + w < n ? lo + w : n, hi = lo + 2 * w < n ? lo + 2 * w : n;
            merge_runs(src, dst, lo, mid, hi);
        }
        item *t = src; src = dst; dst = t;
    }
    if (src != a) memcpy(a, src, n * sizeof *a);
}
