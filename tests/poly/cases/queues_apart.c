// A search of a graph by a queue from each of several vertices, with paths counted: all at once. want: parallel
#pragma regraph size(nv=300, ne=900, ns=40) size(nv=40, ne=90, ns=7) size(nv=5, ne=8, ns=3) extent(xadj: nv+1) extent(adj: ne) input(xadj: sorted(0, ne)) input(adj: uniform(0, nv - 1)) input(src: uniform(0, nv - 1))
#include <stdlib.h>
void reach(long nv, long ne, const long *xadj, const int *adj, int ns, const int *src, double *out)
{
    int *dist = malloc(nv * sizeof *dist);
    double *sigma = malloc(nv * sizeof *sigma);
    int *queue = malloc(nv * sizeof *queue);
    for (int s = 0; s < ns; s++) {
        long qh = 0, qt = 0;
        double total = 0;
        for (long v = 0; v < nv; v++) dist[v] = -1, sigma[v] = 0;
        dist[src[s]] = 0;
        sigma[src[s]] = 1;
        queue[qt++] = src[s];
        while (qh < qt) {
            int u = queue[qh++];
            for (long e = xadj[u]; e < xadj[u + 1]; e++) {
                int x = adj[e];
                if (dist[x] < 0) {
                    dist[x] = dist[u] + 1;
                    queue[qt++] = x;
                }
                if (dist[x] == dist[u] + 1) sigma[x] += sigma[u];
            }
        }
        for (long k = qt - 1; k >= 0; k--) total += sigma[queue[k]];
        out[s] = total;
    }
    free(dist);
    free(queue);
    free(sigma);
}
