// Lists whose next element is stored before it is known to stay: the last one of a row is in the next one's place. want: parallel
// chain: parallelize@C
// lacks: \+= 2048
#include <stdlib.h>
#pragma regraph size(n=2000, m=16000) size(n=3, m=5) size(n=100,m=700) extent(off: n + 1) extent(adj: m) input(off: prefix(m)) extent(rp: n + 1) role(rp: out) extent(cols: m + 1) role(cols: inout)
int marks_lists_not(int n, int m, const int *off, const int *adj, int *rp, int *cols)
{
    int *mark = malloc((size_t)n * sizeof *mark);
    int nnz = 0;
    for (int j = 0; j < n; j++) mark[j] = -1;
    for (int u = 0; u < n; u++) {
        rp[u] = nnz;
        for (int p = off[u]; p < off[u + 1]; p++) {
            int c = adj[p];
            cols[nnz] = c;
            if (mark[c] != u) {
                mark[c] = u;
                nnz++;
            }
        }
    }
    rp[n] = nnz;
    free(mark);
    return nnz;
}
