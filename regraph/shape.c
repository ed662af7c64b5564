/* Structure of the graph, computed by igraph and copied out to plain arrays. Never
 * called from the search (Debian's igraph is not thread-safe). */
#include "regraph/internal.h"

#include <igraph/igraph.h>
#include <rg/regraph_tools.h>
#include <stdlib.h>

/* igraph's own handler aborts. This one frees what igraph had begun and lets the code come back to us. */
static void keep_going(const char *reason, const char *file, int line, igraph_error_t code)
{
    (void)reason, (void)file, (void)line, (void)code;
    IGRAPH_FINALLY_FREE();
}

static void ignore_warning(const char *reason, const char *file, int line)
{
    (void)reason, (void)file, (void)line;
}

/* Vertex 0 is @start, vertex s + 1 is step s. */
struct work {
    igraph_t graph;
    igraph_vector_int_t ends, component, size;
    igraph_vector_t prior, rank;
    igraph_matrix_t depth;
};

static igraph_error_t fill(struct work *w, const struct rg_regraph *g)
{
    for (int i = 0; i < g->n_links; i++) {
        const struct rg_edge *e = &g->links[i].edge;
        VECTOR(w->ends)[2 * i] = e->from + 1;
        VECTOR(w->ends)[2 * i + 1] = e->to + 1;
        VECTOR(w->prior)[i] = e->prior > 1e-6 ? e->prior : 1e-6; /* PageRank wants positive weights */
    }
    return igraph_add_edges(&w->graph, &w->ends, NULL);
}

static igraph_error_t compute(struct work *w)
{
    igraph_real_t eigenvalue;
    igraph_error_t e = igraph_connected_components(&w->graph, &w->component, &w->size, NULL, IGRAPH_STRONG);
    if (!e) e = igraph_distances(&w->graph, &w->depth, igraph_vss_1(0), igraph_vss_all(), IGRAPH_OUT);
    if (!e)
        e = igraph_pagerank(&w->graph, IGRAPH_PAGERANK_ALGO_PRPACK, &w->rank, &eigenvalue, igraph_vss_all(),
                            IGRAPH_DIRECTED, 0.85, &w->prior, NULL);
    return e;
}

static void copy_out(const struct work *w, const struct rg_regraph *g, struct rg_regraph_shape *out)
{
    double total = 0;
    for (int s = 0; s < out->n_steps; s++) {
        double d = MATRIX(w->depth, 0, s + 1);
        out->depth[s] = d < out->n_steps + 1.0 ? (int)d : -1; /* unreachable: infinite */
        out->component[s] = (int)VECTOR(w->component)[s + 1];
        out->component_size[s] = (int)VECTOR(w->size)[out->component[s]];
        out->centrality[s] = VECTOR(w->rank)[s + 1];
        out->n_unreachable += out->depth[s] < 0;
        total += out->centrality[s];
    }
    for (int s = 0; s < out->n_steps; s++)
        if (total > 0) out->centrality[s] /= total;
    for (int c = 0; c < igraph_vector_int_size(&w->size); c++) out->n_cyclic_components += VECTOR(w->size)[c] > 1;
    for (int i = 0; i < g->n_links; i++) {
        const struct rg_edge *e = &g->links[i].edge;
        out->n_cyclic_components += e->from == e->to && out->component_size[e->to] == 1;
    }
}

enum rg_status rg_regraph_shape(const struct rg_regraph *g, struct rg_regraph_shape *out, struct rg_error *err)
{
    size_t n = (size_t)g->n_nodes + 1;
    *out = (struct rg_regraph_shape){g->n_nodes,
                                     rg_xcalloc(n, sizeof(int)),
                                     rg_xcalloc(n, sizeof(int)),
                                     rg_xcalloc(n, sizeof(int)),
                                     rg_xcalloc(n, sizeof(double)),
                                     0,
                                     0};
    igraph_error_handler_t *old = igraph_set_error_handler(keep_going);
    igraph_warning_handler_t *old_warning = igraph_set_warning_handler(ignore_warning);
    struct work w;
    igraph_error_t e = igraph_empty(&w.graph, (igraph_integer_t)n, IGRAPH_DIRECTED);
    bool graph = !e, ends = false, component = false, size = false, prior = false, rank = false, depth = false;
    if (!e) ends = !(e = igraph_vector_int_init(&w.ends, 2 * g->n_links));
    if (!e) component = !(e = igraph_vector_int_init(&w.component, 0));
    if (!e) size = !(e = igraph_vector_int_init(&w.size, 0));
    if (!e) prior = !(e = igraph_vector_init(&w.prior, g->n_links));
    if (!e) rank = !(e = igraph_vector_init(&w.rank, 0));
    if (!e) depth = !(e = igraph_matrix_init(&w.depth, 0, 0));
    if (!e) e = fill(&w, g);
    if (!e) e = compute(&w);
    if (!e) copy_out(&w, g, out);
    if (depth) igraph_matrix_destroy(&w.depth);
    if (rank) igraph_vector_destroy(&w.rank);
    if (prior) igraph_vector_destroy(&w.prior);
    if (size) igraph_vector_int_destroy(&w.size);
    if (component) igraph_vector_int_destroy(&w.component);
    if (ends) igraph_vector_int_destroy(&w.ends);
    if (graph) igraph_destroy(&w.graph);
    igraph_set_error_handler(old);
    igraph_set_warning_handler(old_warning);
    if (!e) return RG_OK;
    rg_regraph_shape_release(out);
    return rg_error_set(err, e == IGRAPH_ENOMEM ? RG_NOMEM : RG_BUG, "igraph: %s", igraph_strerror(e));
}

void rg_regraph_shape_release(struct rg_regraph_shape *s)
{
    free(s->depth);
    free(s->component);
    free(s->component_size);
    free(s->centrality);
    *s = (struct rg_regraph_shape){0};
}
