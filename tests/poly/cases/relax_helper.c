// A round in a helper that says whether anything changed, edges as structures. want: parallel
// chain: parallelize@C
// shows: atomic
#include <float.h>
#include <stdbool.h>
typedef struct {
    int src, dst;
    float w;
} edge_t;
static bool relax_all(const edge_t *edges, int n_edges, float *dist)
{
    bool any = false;
    for (int i = 0; i < n_edges; ++i) {
        const edge_t *e = &edges[i];
        float cand = dist[e->src] + e->w;
        if (cand < dist[e->dst]) {
            dist[e->dst] = cand;
            any = true;
        }
    }
    return any;
}
#pragma regraph size(n=400, n_edges=3000, s=7) size(n=5, n_edges=6, s=0) input(edges.w: uniform(1, 10)) extent(dist: n)
void sssp(const edge_t *edges, int n_edges, int n, int s, float *dist)
{
    for (int i = 0; i < n; i++) dist[i] = FLT_MAX;
    dist[s] = 0.0f;
    while (relax_all(edges, n_edges, dist))
        ;
}
