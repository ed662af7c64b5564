// Seeds that may be on the list twice, seeds with marks of their own, and a list that begins anew behind them. want: parallel
// chain: parallelize@C
// lacks: front\[
#include <stdlib.h>
int frontier_seeds_not(int n, const int *restrict start, const int *restrict to, const int *restrict seed, int m,
                       int *restrict hops, int *restrict marks)
{
    int *fifo = malloc((n + m + 1) * sizeof *fifo), head = 0, tail = 0, sum = 0;
    for (int i = 0; i < n; i++) hops[i] = -1;
    for (int i = 0; i < m; i++) {
        hops[seed[i]] = 0;
        fifo[tail++] = seed[i];
    }
    while (head < tail) {
        int v = fifo[head++];
        for (int k = start[v]; k < start[v + 1]; k++) {
            if (hops[to[k]] >= 0) continue;
            hops[to[k]] = hops[v] + 1;
            fifo[tail++] = to[k];
        }
    }
    sum = tail;
    for (int i = 0; i < n; i++) marks[i] = -1;
    head = tail = 0;
    for (int i = 0; i < m; i++)
        if (marks[seed[i]] < 0) {
            marks[seed[i]] = i;
            fifo[tail++] = seed[i];
        }
    while (head < tail) {
        int v = fifo[head++];
        for (int k = start[v]; k < start[v + 1]; k++) {
            if (marks[to[k]] >= 0) continue;
            marks[to[k]] = marks[v] + 1;
            fifo[tail++] = to[k];
        }
    }
    free(fifo);
    return sum + tail;
}
#pragma regraph size(n = 3000, m = 20) size(n = 40, m = 3) size(n = 1, m = 1)
