// Counters counted down from the last element on, before and behind their use: the classic stable counting sort. want: parallel
// chain: parallelize@C
// lacks: one thread: loop i
#include <stddef.h>
#pragma regraph size(n=3000,kinds=40) size(n=50,kinds=7) size(n=1,kinds=1) extent(count: kinds) extent(rank: n) extent(out: n) extent(from: n)
#pragma regraph input(key: uniform(0, kinds-1)) require(kinds >= 1)
void placed_down(size_t n, int kinds, const unsigned *key, const double *val, int *count, double *out, unsigned *from, int *rank)
{
    for (int k = 0; k < kinds; k++)
        count[k] = 0;
    for (size_t i = 0; i < n; i++)
        count[key[i]]++;
    for (int k = 1; k < kinds; k++)
        count[k] += count[k - 1];
    for (size_t i = n; i-- > 0;) {
        out[count[key[i]] - 1] = val[i];
        rank[i] = count[key[i]] - 1;
        count[key[i]]--;
    }
    for (int k = 0; k < kinds; k++)
        count[k] = 0;
    for (size_t i = 0; i < n; i++)
        count[key[i]] += 1;
    for (int k = 1; k < kinds; k++)
        count[k] = count[k] + count[k - 1];
    for (long i = (long)n - 1; i >= 0; i--)
        from[--count[key[i]]] = (unsigned)i;
}
