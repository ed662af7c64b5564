// A pointer to what bsearch found that goes back to the first like it stays one: so does one that is set from two arrays. want: parallel
// chain: parallelize@C
// lacks: rg_bplace
#include <stdlib.h>
#pragma regraph size(m=300, n=400) size(m=5, n=33) size(m=1, n=2) extent(a: m) extent(b: m) extent(key: n) extent(first: n) extent(other: n)
static int by_number(const void *x, const void *y) { return (*(const int *)x > *(const int *)y) - (*(const int *)x < *(const int *)y); }
void found_by_halves_not(const int *a, const int *b, int m, const int *key, int n, int *first, int *other)
{
    for (int i = 0; i < n; i++) {
        const int *p = bsearch(&key[i], a, m, sizeof *a, by_number), *q;
        while (p && p > a && p[-1] == key[i]) p--;
        first[i] = p ? (int)(p - a) : -1;
        q = bsearch(&key[i], a, m, sizeof *a, by_number);
        if (key[i] > 100) q = bsearch(&key[i], b, m, sizeof *b, by_number);
        other[i] = q ? *q : 0;
    }
}
