// An integer that is given real numbers rounds each: what an iteration adds is no sum that begins with 0. want: parallel
// chain: parallelize@C
// lacks: \+= 2048
#include <stdlib.h>
#pragma regraph size(n=600, m=4800) size(n=3, m=5) size(n=100,m=700) extent(off: n + 1) extent(adj: m) input(off: prefix(m)) input(w: uniform(-1.5,1.5)) extent(w: m) extent(cnt: n)
int marks_rounded_not(int n, int m, const int *off, const int *adj, const double *w, int *cnt)
{
    int *mark = malloc((size_t)n * sizeof *mark);
    int all = 100000;
    for (int j = 0; j < n; j++) mark[j] = -1;
    for (int u = 0; u < n; u++) {
        int c = 0;
        for (int p = off[u]; p < off[u + 1]; p++)
            if (mark[adj[p]] != u) {
                mark[adj[p]] = u;
                c++;
                all += w[p];
            }
        cnt[u] = c;
    }
    free(mark);
    return all;
}
