// Marks of which there are so many that 2048 rows of them would not fit: fewer rows. want: parallel
// chain: parallelize@C
// shows: \+= 64
#include <stdlib.h>
#pragma regraph size(n=600, k=3000000, m=4800) size(n=3, k=7, m=5) size(n=100, k=50, m=700) extent(off: n + 1) extent(adj: m) input(off: prefix(m)) extent(cnt: n)
void marks_many(int n, int k, int m, const int *off, const int *adj, int *cnt)
{
    int *mark = malloc((size_t)k * sizeof *mark);
    for (int j = 0; j < k; j++) mark[j] = -1;
    for (int u = 0; u < n; u++) {
        int c = 0;
        for (int p = off[u]; p < off[u + 1]; p++)
            if (mark[adj[p]] != u) {
                mark[adj[p]] = u;
                c++;
            }
        cnt[u] = c;
    }
    free(mark);
}
