// A search that begins with several vertices, some of them twice in the list, and goes no further than a limit. want: parallel
#include <stdlib.h>
int frontier_seeds(int n, const int *restrict start, const int *restrict to, const int *restrict seed, int m, int limit,
                   int *restrict hops)
{
    int *fifo = malloc((n + 1) * sizeof *fifo), head = 0, tail = 0;
    for (int i = 0; i < n; i++) hops[i] = -1;
    for (int i = 0; i < m; i++)
        if (hops[seed[i]] < 0) {
            hops[seed[i]] = 0;
            fifo[tail++] = seed[i];
        }
    while (head < tail) {
        int v = fifo[head++];
        if (hops[v] == limit) continue;
        for (int k = start[v]; k < start[v + 1]; k++) {
            if (hops[to[k]] >= 0) continue;
            hops[to[k]] = hops[v] + 1;
            fifo[tail++] = to[k];
        }
    }
    free(fifo);
    return tail;
}
#pragma regraph size(n = 3000, m = 20, limit = 9) size(n = 40, m = 3, limit = 2) size(n = 1, m = 1, limit = 1)
