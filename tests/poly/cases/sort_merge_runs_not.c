// What is left in the caller's scratch depends on the elements, not on how many there are: merged as it stands. want: sequential
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#pragma regraph size(n=300) size(n=24) size(n=25) size(n=1) extent(a: n) extent(buf: n)
static void merge(const int64_t *l, size_t nl, const int64_t *r, size_t nr, int64_t *o)
{
    size_t i = 0, j = 0;
    while (i < nl && j < nr) *o++ = (r[j] < l[i]) ? r[j++] : l[i++];
    while (i < nl) *o++ = l[i++];
    while (j < nr) *o++ = r[j++];
}

void sort_merge_runs_not(int64_t *a, int64_t *buf, size_t n)
{
    for (size_t w = 1; w < n; w *= 2)
        for (size_t s = 0; s < n; s += 2 * w) {
            size_t m = s + w < n ? s + w : n;
            size_t e = s + 2 * w < n ? s + 2 * w : n;
            if (m < e && a[m] < a[m - 1]) { /* else they are in order */
                merge(a + s, m - s, a + m, e - m, buf + s);
                memcpy(a + s, buf + s, (e - s) * sizeof *a);
            }
        }
}
