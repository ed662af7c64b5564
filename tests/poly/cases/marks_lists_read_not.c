// Lists of a row that the rest of the iteration reads. want: parallel
// chain: parallelize@C
// lacks: \+= 2048
#include <stdlib.h>
#pragma regraph size(n=2000, m=16000) size(n=3, m=5) size(n=100,m=700) extent(off: n + 1) extent(adj: m) input(off: prefix(m)) extent(rp: n + 1) role(rp: out) extent(cols: m) role(cols: inout)
long marks_lists_read_not(int n, int m, const int *off, const int *adj, int *rp, int *cols)
{
    int *mark = malloc((size_t)n * sizeof *mark);
    int nnz = 0;
    long sum = 0;
    for (int j = 0; j < n; j++) mark[j] = -1;
    for (int u = 0; u < n; u++) {
        rp[u] = nnz;
        for (int p = off[u]; p < off[u + 1]; p++)
            if (mark[adj[p]] != u) {
                mark[adj[p]] = u;
                cols[nnz++] = adj[p];
            }
        if (nnz > 0) sum = sum * 3 + cols[nnz - 1];
    }
    rp[n] = nnz;
    free(mark);
    return sum;
}
