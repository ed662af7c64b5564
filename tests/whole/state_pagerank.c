#include <stdlib.h>
#include <string.h>
struct graph { int n; int m; const int *off; const int *dst; };
static struct graph g;
static float *rank_cur, *rank_next, *contrib;
static float damping = 0.85f;
static void alloc_state(void)
{
    rank_cur  = malloc(g.n * sizeof(float));
    rank_next = malloc(g.n * sizeof(float));
    contrib   = malloc(g.n * sizeof(float));
}
static void iterate(void)
{
    int v, e;
    for (v = 0; v < g.n; v++) {
        int deg = g.off[v + 1] - g.off[v];
        contrib[v] = deg > 0 ? rank_cur[v] / deg : 0.0f;
    }
    for (v = 0; v < g.n; v++) {
        float acc = 0.0f;
        for (e = g.off[v]; e < g.off[v + 1]; e++) acc += contrib[g.dst[e]];
        rank_next[v] = (1.0f - damping) / g.n + damping * acc;
    }
    float *t = rank_cur;
    rank_cur = rank_next;
    rank_next = t;
}
void pagerank(int n, int m, const int *off, const int *dst, int rounds, float *ranks)
{
    g.n = n; g.m = m; g.off = off; g.dst = dst;
    alloc_state();
    for (int i = 0; i < n; i++) rank_cur[i] = 1.0f / n;
    for (int r = 0; r < rounds; r++) iterate();
    memcpy(ranks, rank_cur, n * sizeof(float));
    free(contrib); free(rank_next); free(rank_cur);
}
