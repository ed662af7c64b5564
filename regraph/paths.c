/* Ways through the graph, and what lies near a step: igraph over plain arrays. Never called from a search. */
#include "regraph/internal.h"

#include <igraph/igraph.h>
#include <math.h>
#include <rg/regraph_tools.h>
#include <stdlib.h>
#include <string.h>

static void keep_going(const char *reason, const char *file, int line, igraph_error_t code)
{
    (void)reason, (void)file, (void)line, (void)code;
    IGRAPH_FINALLY_FREE();
}

/* Vertex 0 is @start, vertex s + 1 is step s; edge i is edges[i] of the graph. */
struct net {
    igraph_t graph;
    int *edges;
    bool built;
    igraph_error_handler_t *old;
};

static igraph_error_t build(struct net *n, const struct rg_regraph *g, bool barred_too)
{
    igraph_vector_int_t ends;
    int k = 0;
    n->edges = rg_xcalloc((size_t)g->n_links + 1, sizeof *n->edges);
    for (int i = 0; i < g->n_links; i++) {
        const struct rg_edge *e = &g->links[i].edge;
        bool barred = e->never || g->nodes[e->to].step.never || (e->from >= 0 && g->nodes[e->from].step.never);
        if (!barred || barred_too) n->edges[k++] = i;
    }
    igraph_error_t e = igraph_vector_int_init(&ends, 2 * k);
    if (e) return e;
    for (int i = 0; i < k; i++) {
        VECTOR(ends)[2 * i] = g->links[n->edges[i]].edge.from + 1;
        VECTOR(ends)[2 * i + 1] = g->links[n->edges[i]].edge.to + 1;
    }
    e = igraph_create(&n->graph, &ends, g->n_nodes + 1, IGRAPH_DIRECTED);
    n->built = !e;
    igraph_vector_int_destroy(&ends);
    return e;
}

static void tear_down(struct net *n)
{
    if (n->built) igraph_destroy(&n->graph);
    free(n->edges);
    igraph_set_error_handler(n->old);
}

static enum rg_status told(igraph_error_t e, struct rg_error *err)
{
    return e ? rg_error_set(err, e == IGRAPH_ENOMEM ? RG_NOMEM : RG_BUG, "igraph: %s", igraph_strerror(e)) : RG_OK;
}

/* ---- near a step ---- */

enum rg_status rg_regraph_near(const struct rg_regraph *g, int step, int hops, bool *near, struct rg_error *err)
{
    struct net n = {.old = igraph_set_error_handler(keep_going)};
    igraph_vector_int_list_t found;
    igraph_error_t e = build(&n, g, true);
    bool have = !e && !(e = igraph_vector_int_list_init(&found, 0));
    if (!e) e = igraph_neighborhood(&n.graph, &found, igraph_vss_1(step + 1), hops, IGRAPH_ALL, 0);
    memset(near, 0, (size_t)g->n_nodes * sizeof *near);
    if (!e) {
        const igraph_vector_int_t *v = igraph_vector_int_list_get_ptr(&found, 0);
        for (igraph_integer_t i = 0; i < igraph_vector_int_size(v); i++)
            if (VECTOR(*v)[i] > 0) near[VECTOR(*v)[i] - 1] = true;
    }
    if (have) igraph_vector_int_list_destroy(&found);
    tear_down(&n);
    return told(e, err);
}

/* ---- best chains ---- */

/* The share of an edge among those that leave its source, as the search's softmax gives it: -ln of it is its length. */
static void lengths(const struct rg_regraph *g, const struct net *n, int n_edges, const struct rg_circumstances *at,
                    struct rg_weight *w, igraph_vector_t *out)
{
    double *sum = rg_xcalloc((size_t)g->n_nodes + 1, sizeof *sum), *top = rg_xcalloc((size_t)g->n_nodes + 1, sizeof *top);
    for (int i = 0; i < g->n_nodes + 1; i++) top[i] = -INFINITY;
    for (int i = 0; i < n_edges; i++) {
        int from = g->links[n->edges[i]].edge.from + 1;
        rg_regraph_weigh(g, n->edges[i], at, &w[i]);
        if (w[i].score > top[from]) top[from] = w[i].score;
    }
    for (int i = 0; i < n_edges; i++) {
        int from = g->links[n->edges[i]].edge.from + 1;
        sum[from] += exp(w[i].score - top[from]);
    }
    for (int i = 0; i < n_edges; i++) {
        int from = g->links[n->edges[i]].edge.from + 1;
        VECTOR(*out)[i] = fmax(0, log(sum[from]) + top[from] - w[i].score);
    }
    free(sum);
    free(top);
}

static void copy_path(const struct net *n, const igraph_vector_int_t *edges, const igraph_vector_t *length,
                      const struct rg_weight *w, struct rg_regraph_path *p)
{
    p->n = (int)igraph_vector_int_size(edges);
    p->edges = rg_xcalloc((size_t)p->n + 1, sizeof *p->edges);
    double cost = 0;
    p->gain = 0;
    for (int i = 0; i < p->n; i++) {
        igraph_integer_t e = VECTOR(*edges)[i];
        p->edges[i] = n->edges[e];
        cost += VECTOR(*length)[e];
        p->gain += w[e].p_ok * w[e].gain;
    }
    p->share = exp(-cost);
}

enum rg_status rg_regraph_paths(const struct rg_regraph *g, int from, int to, int most, const struct rg_circumstances *at,
                                struct rg_regraph_path **out, int *n_out, struct rg_error *err)
{
    struct net n = {.old = igraph_set_error_handler(keep_going)};
    igraph_vector_t length;
    igraph_vector_int_list_t paths;
    igraph_error_t e = build(&n, g, false);
    int n_edges = e ? 0 : (int)igraph_ecount(&n.graph);
    struct rg_weight *w = rg_xcalloc((size_t)n_edges + 1, sizeof *w);
    bool have_length = !e && !(e = igraph_vector_init(&length, n_edges));
    bool have_paths = !e && !(e = igraph_vector_int_list_init(&paths, 0));
    *out = NULL;
    *n_out = 0;
    if (!e) {
        lengths(g, &n, n_edges, at, w, &length);
        e = igraph_get_k_shortest_paths(&n.graph, &length, NULL, &paths, most, from + 1, to + 1, IGRAPH_OUT);
    }
    if (!e) {
        *n_out = (int)igraph_vector_int_list_size(&paths);
        *out = rg_xcalloc((size_t)*n_out + 1, sizeof **out);
        for (int i = 0; i < *n_out; i++)
            copy_path(&n, igraph_vector_int_list_get_ptr(&paths, i), &length, w, &(*out)[i]);
    }
    if (have_paths) igraph_vector_int_list_destroy(&paths);
    if (have_length) igraph_vector_destroy(&length);
    free(w);
    tear_down(&n);
    return told(e, err);
}

void rg_regraph_paths_free(struct rg_regraph_path *p, int n)
{
    for (int i = 0; i < n; i++) free(p[i].edges);
    free(p);
}
