// Runs that are sorted by insertion, and merged through the caller's scratch, which few elements leave alone. want: parallel
// chain: parallelize@C
// lacks: one thread
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#pragma regraph size(n=3000) size(n=24) size(n=25) size(n=1) extent(a: n) extent(buf: n)
static void merge(const int64_t *l, size_t nl, const int64_t *r, size_t nr, int64_t *o)
{
    size_t i = 0, j = 0;
    while (i < nl && j < nr) *o++ = (r[j] < l[i]) ? r[j++] : l[i++];
    while (i < nl) *o++ = l[i++];
    while (j < nr) *o++ = r[j++];
}

void sort_merge_runs(int64_t *a, int64_t *buf, size_t n)
{
    const size_t run = 24;
    for (size_t s = 0; s < n; s += run) {
        size_t e = s + run < n ? s + run : n;
        for (size_t i = s + 1; i < e; i++) {
            int64_t x = a[i];
            size_t j = i;
            for (; j > s && a[j - 1] > x; j--) a[j] = a[j - 1];
            a[j] = x;
        }
    }
    for (size_t w = run; w < n; w *= 2) {
        for (size_t s = 0; s < n; s += 2 * w) {
            size_t m = s + w < n ? s + w : n;
            size_t e = s + 2 * w < n ? s + 2 * w : n;
            merge(a + s, m - s, a + m, e - m, buf + s);
        }
        memcpy(a, buf, n * sizeof *a);
    }
}
