// What is marked depends on what the iteration before has found. want: parallel
// chain: parallelize@C
// lacks: \+= 2048
#include <stdlib.h>
#pragma regraph size(n=2000, m=16000) size(n=3, m=5) size(n=100,m=700) extent(off: n + 1) extent(adj: m) input(off: prefix(m)) extent(c: n) role(c: out)
int marks_carried_not(int n, int m, const int *off, const int *adj, int *c)
{
    int *mark = malloc((size_t)n * sizeof *mark);
    for (int j = 0; j < n; j++) mark[j] = -1;
    int last = -1;
    for (int u = 0; u < n; u++) {
        int k = 0;
        for (int p = off[u]; p < off[u + 1]; p++)
            if (mark[adj[p]] != u && adj[p] != last) { mark[adj[p]] = u; k++; }
        c[u] = k;
        last = k;   /* carried into the next iteration's marking: not */
    }
    free(mark);
    return last;
}
