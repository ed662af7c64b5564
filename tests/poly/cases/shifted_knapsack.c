// Values of a knapsack, and sums of subsets beside them. want: parallel
#pragma regraph extent(taken: n * (cap + 1)) extent(weight: n) extent(value: n) input(weight: uniform(0, 40)) size(n=30, cap=3000)
#include <stdlib.h>
int shifted_knapsack(const int *weight, const int *value, int n, int cap, int *sums, unsigned char *taken)
{
    int *best = calloc((size_t)cap + 1, sizeof *best), *ways = calloc((size_t)cap + 1, sizeof *ways);
    if (!best || !ways) {
        free(best);
        free(ways);
        return -1;
    }
    ways[0] = 1;
    for (int i = 0; i < n; i++) {
        for (int c = cap; c >= weight[i]; c--) {
            int with = best[c - weight[i]] + value[i];
            if (with > best[c])
                taken[(size_t)i * (cap + 1) + c] = 1;
            if (with > best[c])
                best[c] = with;
        }
        for (int c = cap; c >= weight[i]; --c)
            ways[c] = (ways[c] + ways[c - weight[i]]) % 9973;
    }
    for (int c = 0; c <= cap; c++)
        sums[c] = ways[c];
    int all = best[cap];
    free(best);
    free(ways);
    return all;
}
