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

struct rg_regraph_picture {     /* what of the graph is drawn */
    struct rg_circumstances at; /* weights as seen from there */
    const bool *steps;          /* an entry a step: drawn; NULL: all */
    int strongest;              /* so many edges out of each step, by score; 0: all */
    const char *subtitle;       /* one line: what was asked for */
};
/* Steps in layers by category. Of an edge, thickness is its score, colour how much is known, dashes that no run has
 * tried it, dots that it is barred; a legend says so. As GraphViz text, and as SVG that is laid out by igraph
 * (Sugiyama's method). */
void rg_regraph_dot(const struct rg_regraph *g, const struct rg_regraph_picture *p, struct rg_buf *out);
enum rg_status rg_regraph_svg(const struct rg_regraph *g, const struct rg_regraph_picture *p, struct rg_buf *out,
                              struct rg_error *err);

/* rg_regraph_graphml, rg_regraph_from_graphml - by igraph. What was written comes back byte for byte; of plain
 * attributes that another program changed (name, title, category, hint; prior, confidence, note, never) the change is
 * taken over. RG_INPUT with the file. */
enum rg_status rg_regraph_graphml(const struct rg_regraph *g, struct rg_buf *out, struct rg_error *err);
enum rg_status rg_regraph_from_graphml(const char *text, size_t len, const char *name, struct rg_regraph **out,
                                       struct rg_error *err);
/* rg_regraph_take_csv - opinions from a table of edges: columns from and to, and of prior, confidence, note, never
 * those that are there; others are passed over. An edge that is not there is added. All or nothing: errors name the
 * line. */
enum rg_status rg_regraph_take_csv(struct rg_regraph *g, const char *text, size_t len, const char *name,
                                   struct rg_error *err);

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

/* rg_regraph_near - near[s]: step s is `step` (-1: @start) or at most `hops` edges from it, whichever way they point.
 * near has an entry a step. Cost O(V + E). */
enum rg_status rg_regraph_near(const struct rg_regraph *g, int step, int hops, bool *near, struct rg_error *err);

struct rg_regraph_path { /* a chain of steps that follow each other */
    int n;
    int *edges;   /* n indices */
    double share; /* product of the edges' shares among those that leave their source, by the softmax of their scores */
    double gain;  /* sum of chance x gain: expected ln(t_before / t_after) */
};
/* rg_regraph_paths - the `most` likeliest chains without a step twice from `from` (-1: @start) to `to`, the likeliest
 * first (Yen's algorithm, igraph). What is barred is not gone through. Caller frees. Cost O(most V (E + V log V)). */
enum rg_status rg_regraph_paths(const struct rg_regraph *g, int from, int to, int most,
                                const struct rg_circumstances *at, struct rg_regraph_path **out, int *n_out,
                                struct rg_error *err);
void rg_regraph_paths_free(struct rg_regraph_path *p, int n);

/* rg_regraph_parse_noting - rg_regraph_parse that also tells of members it kept without understanding them, most often
 * misspelt ones. notes: a line each, `line:column: text`; NULL: as rg_regraph_parse. */
enum rg_status rg_regraph_parse_noting(const char *text, size_t len, const char *name, struct rg_buf *notes,
                                       struct rg_regraph **out, struct rg_error *err);

/* rg_regraph_schema_check - holds the text against docs/graph.schema.json (which the program carries). out: a line for
 * each violation, `line:column: path: text`, the first 50; *n: how many. Errors: RG_INPUT where it is no JSON. */
enum rg_status rg_regraph_schema_check(const char *text, size_t len, const char *name, struct rg_buf *out, int *n,
                                       struct rg_error *err);
/* The same against any schema of the keywords that this one uses; another keyword is RG_BUG. */
enum rg_status rg_json_schema_check(const char *schema, size_t schema_len, const char *text, size_t len,
                                    const char *name, struct rg_buf *out, int *n, struct rg_error *err);

/* rg_regraph_review - what is legal but probably not meant: unreachable steps, endless chains, steps without hint or
 * check. A line each; where many are of one kind and not all are asked for, a line for the kind. Returns their number,
 * -1 with err. */
int rg_regraph_review(const struct rg_regraph *g, bool all, struct rg_buf *out, struct rg_error *err);
RG_END_DECLS
#endif
