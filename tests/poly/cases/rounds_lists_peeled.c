// Rounds that look at all vertices, list some and go through the list; a round that finds none goes on. want: parallel
#pragma regraph size(n=400,m=3000) size(n=9,m=20) size(n=1,m=1) extent(start: n + 1) extent(next: m)
#pragma regraph input(start: prefix(m)) input(next: uniform(0, n - 1))
#include <stdlib.h>
int peeled(int n, int m, const int *start, const int *next, int *core, int *order)
{
    int *deg = malloc(n * sizeof *deg), *doomed = malloc(n * sizeof *doomed), k = 0, left = n;
    for (int v = 0; v < n; v++) deg[v] = start[v + 1] - start[v], core[v] = -1, order[v] = 0;
    while (left > 0) {
        int found = 0;
        for (int v = 0; v < n; v++)
            if (core[v] < 0 && deg[v] <= k) doomed[found++] = v;
        if (found == 0) {
            k++;
            continue;
        }
        for (int i = 0; i < found; i++) {
            core[doomed[i]] = k;
            order[doomed[i]] = i;
        }
        for (int i = 0; i < found; i++) {
            int v = doomed[i];
            for (int e = start[v]; e < start[v + 1]; e++) deg[next[e]] -= core[next[e]] < 0;
        }
        left -= found;
    }
    free(deg);
    free(doomed);
    return k;
}
