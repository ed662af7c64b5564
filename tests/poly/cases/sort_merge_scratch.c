// Places by a key, rounds of merging between the places and scratch that the caller hands in: it is left as the C leaves it. want: parallel
#pragma regraph size(n=3000) size(n=1500) size(n=513) size(n=1) extent(key: n) extent(order: n) extent(scratch: n) input(key: uniform(0, 40))
#include <stddef.h>
static void merge(const int *key, const int *src, int *dst, size_t lo, size_t mid, size_t hi)
{
    size_t a = lo, b = mid;
    for (size_t k = lo; k < hi; k++) {
        if (a < mid && (b >= hi || key[src[a]] <= key[src[b]]))
            dst[k] = src[a++];
        else
            dst[k] = src[b++];
    }
}
void merge_argsort(const int *key, int *order, int *scratch, size_t n)
{
    int *from = order, *to = scratch;
    for (size_t i = 0; i < n; i++) order[i] = (int)i;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t lo = 0; lo < n; lo += 2 * width) {
            size_t mid = lo + width < n ? lo + width : n;
            size_t hi = lo + 2 * width < n ? lo + 2 * width : n;
            merge(key, from, to, lo, mid, hi);
        }
        int *swap = from;
        from = to;
        to = swap;
    }
    if (from != order)
        for (size_t i = 0; i < n; i++) order[i] = from[i];
}
