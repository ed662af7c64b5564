/* What programs do with whole graphs beyond loading and editing: compare, compact, inspect, draw. */
#ifndef RG_REGRAPH_TOOLS_H
#define RG_REGRAPH_TOOLS_H
#include <rg/decls.h>
#include <rg/regraph.h>

RG_BEGIN_DECLS

/* rg_regraph_compact - fold the rows of one (device, class, coder) of each edge into one that lists its runs.
 * Weights stay what they were; merging with a graph that still has the single runs adds nothing.
 * n_before, n_after  rows, out.   Errors  RG_LIMIT when a sum overflows: g is untouched.   Cost O(rows^2) an edge. */
enum rg_status rg_regraph_compact(struct rg_regraph *g, int *n_before, int *n_after, struct rg_error *err);

/* rg_regraph_diff - what turns a into b, a line each: `+ step x`, `- edge x -> y`, `~ edge x -> y prior 0.5 -> 0.6`.
 * Returns the number of differences; 0: the canonical bytes are equal. */
int rg_regraph_diff(const struct rg_regraph *a, const struct rg_regraph *b, struct rg_buf *out);

/* rg_regraph_dot - GraphViz text; edges are as wide as their weight for (device, class, coder), which may be NULL. */
void rg_regraph_dot(const struct rg_regraph *g, const char *device, const char *klass, const char *coder,
                    struct rg_buf *out);

struct rg_regraph_shape { /* structure, by igraph; arrays are owned, one entry a step */
    int n_steps;
    int *depth;          /* edges on the shortest way from @start; -1 unreachable */
    int *component;      /* strongly connected component; steps of one can follow each other for ever */
    int *component_size; /* of that component */
    double *centrality;  /* PageRank over priors: where chains spend their time; sums to 1 */
    int n_unreachable, n_cyclic_components;
};
/* Cost O(V + E). RG_NOMEM. */
enum rg_status rg_regraph_shape(const struct rg_regraph *g, struct rg_regraph_shape *out, struct rg_error *err);
void rg_regraph_shape_release(struct rg_regraph_shape *s);

/* rg_regraph_parse_noting - rg_regraph_parse that also tells of members it kept without understanding them, most often
 * misspelt ones. notes: a line each, `line:column: text`; NULL: as rg_regraph_parse. */
enum rg_status rg_regraph_parse_noting(const char *text, size_t len, const char *name, struct rg_buf *notes,
                                       struct rg_regraph **out, struct rg_error *err);

/* rg_regraph_review - what is legal but probably not meant, a line each: unreachable steps, endless chains, steps
 * without hint or check. Returns the number of lines. */
int rg_regraph_review(const struct rg_regraph *g, struct rg_buf *out, struct rg_error *err);
RG_END_DECLS
#endif
