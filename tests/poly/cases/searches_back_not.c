// Some are marked, and not on the list: what is read of them is what the search before left. want: parallel
// chain: parallelize@C
// shows: for \(int s = 0; s < ns
#include <stdlib.h>
#pragma regraph size(nv=300, ne=900, ns=40) size(nv=40, ne=90, ns=7) size(nv=5, ne=8, ns=3) extent(xadj: nv+1) extent(adj: ne) extent(bc: nv) input(xadj: sorted(0, ne)) input(adj: uniform(0, nv - 1)) input(src: uniform(0, nv - 1))
void searches_back_not(long nv, long ne, const long *xadj, const int *adj, int ns, const int *src, double *bc)
{
    int *dist = malloc(nv * sizeof *dist), *order = malloc(nv * sizeof *order);
    double *sigma = malloc(nv * sizeof *sigma), *delta = calloc(nv, sizeof *delta);
    for (long v = 0; v < nv; v++) bc[v] = 0;
    for (int s = 0; s < ns; s++) {
        long qh = 0, qt = 0;
        for (long v = 0; v < nv; v++) {
            dist[v] = -1;
            sigma[v] = 0;
        }
        dist[src[s]] = 0;
        sigma[src[s]] = 1;
        order[qt++] = src[s];
        while (qh < qt) {
            int u = order[qh++];
            for (long e = xadj[u]; e < xadj[u + 1]; e++) {
                int x = adj[e];
                if (dist[x] < 0) {
                    dist[x] = dist[u] + 1;
                    if (x % 7) order[qt++] = x;
                }
                if (dist[x] == dist[u] + 1) sigma[x] += sigma[u];
            }
        }
        for (long k = 0; k < qt; k++) delta[order[k]] = 0.25 * s;
        for (long k = qt - 1; k >= 0; k--) {
            int v = order[k];
            double d = 0;
            for (long e = xadj[v]; e < xadj[v + 1]; e++)
                if (dist[adj[e]] == dist[v] + 1) d += sigma[v] / sigma[adj[e]] * (1 + delta[adj[e]]);
            delta[v] = d;
            if (v != src[s]) bc[v] += d;
        }
    }
    free(dist);
    free(order);
    free(sigma);
    free(delta);
}
