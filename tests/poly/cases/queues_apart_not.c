// A queue of which each round reads one element more than there are: what a search from another vertex left. want: parallel
// chain: parallelize@C
// shows: for \(int s = 0; s < ns
#pragma regraph size(nv=300, ne=900, ns=40) size(nv=40, ne=90, ns=7) size(nv=5, ne=8, ns=3) extent(xadj: nv+1) extent(adj: ne) input(xadj: sorted(0, ne)) input(adj: uniform(0, nv - 1)) input(src: uniform(0, nv - 1))
#include <stdlib.h>
void ahead(long nv, long ne, const long *xadj, const int *adj, int ns, const int *src, double *out)
{
    int *queue = calloc(nv + 2, sizeof *queue);
    for (int s = 0; s < ns; s++) {
        long qh = 0, qt = 0;
        double total = 0;
        queue[qt++] = src[s];
        while (qh < qt) {
            int u = queue[qh++];
            total += queue[qh];
            for (long e = xadj[u]; e < xadj[u + 1]; e++)
                if (adj[e] > u && qt < nv) queue[qt++] = adj[e];
        }
        out[s] = total;
    }
    free(queue);
}
