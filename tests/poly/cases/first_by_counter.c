// The first that is found, by a counter of all that are: the least place, and a sum. want: parallel
#include <stddef.h>
#pragma regraph size(n=1000) size(n=9)
size_t first_by_counter(const int *x, const int *expect, size_t n, size_t *first, int *what)
{
    size_t bad = 0;
    *first = n;
    for (size_t i = 0; i < n; i++)
        if (x[i] % 7 != expect[i] % 7) {
            if (!bad) {
                *first = i;
                *what = x[i];
            }
            bad++;
        }
    return bad;
}
