// Ranks of sorted values, ties with their mean: each run's elements are gone over at its end. want: parallel
#pragma regraph extent(v: n) extent(place: n) extent(rank: n)
#include <stddef.h>
void runs_ranks(const double *v, const int *place, size_t n, double *rank)
{
    size_t a, b;
    for (a = 0; a < n; a = b) {
        b = a + 1;
        while (b < n && v[b] == v[a]) b++;
        double mean = 0.5 * (double)(a + 1 + b);
        for (size_t k = a; k < b; k++) rank[k] = mean + place[k];
    }
}
