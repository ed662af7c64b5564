// Two lists of malloc that a pointer declared in the round exchanges; the depth goes up only where there is more. want: parallel
#include <stdlib.h>
#pragma regraph size(n=500) size(n=7)
int levels_two_lists(int n, const int *row, const int *col, int src, int *dist)
{
    int *cur = malloc(n * sizeof(int)), *next = malloc(n * sizeof(int));
    int ncur = 0, depth = 0;
    for (int i = 0; i < n; i++) dist[i] = -1;
    dist[src] = 0;
    cur[ncur++] = src;
    while (ncur > 0) {
        int nnext = 0;
        for (int i = 0; i < ncur; i++) {
            int u = cur[i];
            for (int e = row[u]; e < row[u + 1]; e++) {
                int v = col[e];
                if (dist[v] < 0) {
                    dist[v] = depth + 1;
                    next[nnext++] = v;
                }
            }
        }
        int *t = cur;
        cur = next;
        next = t;
        ncur = nnext;
        if (ncur > 0) depth++;
    }
    free(cur);
    free(next);
    return depth;
}
