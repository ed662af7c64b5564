// Marks of neighbours, stamped with the number of the node and one, which another loop asks. want: parallel
// chain: parallelize@C
// shows: \+= 2048
#include <stdlib.h>
#pragma regraph size(n=20000, m=160000) size(n=3, m=5) size(n=100,m=700) extent(off: n + 1) extent(adj: m) input(off: prefix(m))
long marks_triangles(int n, int m, const int *off, const int *adj)
{
    int *mark = calloc((size_t)n, sizeof *mark);
    long tri = 0;
    if (!mark) return -1;
    for (int u = 0; u < n; u++) {
        for (int k = off[u]; k < off[u + 1]; k++) mark[adj[k]] = u + 1;
        for (int k = off[u]; k < off[u + 1]; k++) {
            int v = adj[k];
            if (v <= u) continue;
            for (int q = off[v]; q < off[v + 1]; q++)
                if (adj[q] > v && mark[adj[q]] == u + 1) tri++;
        }
    }
    free(mark);
    return tri;
}
