// The columns of a product's rows, by marks that are stamped with the row: lists, which end at a running total. want: parallel
// chain: scan.block@C
// shows: \+= 2048
#include <stdlib.h>
#pragma regraph size(n=6000, m=48000) size(n=3, m=5) size(n=100,m=700) extent(off: n + 1) extent(adj: m) input(off: prefix(m)) extent(w: m) extent(rp: n + 1) role(rp: out) extent(cols: 20*m) role(cols: inout) extent(first: 20*m) role(first: inout)
int marks_lists(int n, int m, const int *off, const int *adj, const float *w, int *rp, int *cols, float *first, double *weight)
{
    int *mark = malloc((size_t)n * sizeof *mark);
    int nnz = 0;
    double all = 0;
    for (int j = 0; j < n; j++) mark[j] = -1;
    for (int u = 0; u < n; u++) {
        rp[u] = nnz;
        for (int p = off[u]; p < off[u + 1]; p++) {
            int c = adj[p];
            all += w[p];
            if (mark[c] != u) {
                mark[c] = u;
                cols[nnz] = c;
                first[nnz++] = w[p];
            }
        }
    }
    rp[n] = nnz;
    *weight = all;
    free(mark);
    return nnz;
}
