/* What of a graph is looked at, and from where: the options that show, path, export and serve share. */
#ifndef RG_CMD_GRAPH_VIEW_H
#define RG_CMD_GRAPH_VIEW_H
#include "cmd/graph.h"

struct graph_view {
    const char *device, *klass, *coder, *program; /* NULL: over everything seen */
    const char *category, *near;                  /* NULL: all steps */
    int64_t hops;
};
#define GRAPH_VIEW_INIT {NULL, NULL, NULL, NULL, NULL, NULL, 1}
#define GRAPH_VIEW_OPTIONS(v)                                                                                          \
    RG_OPTION_TEXT("device", 'd', &(v).device, "ARCH", "weights as on this device (sm_90, sim:h200; all)"),            \
        RG_OPTION_TEXT("class", 0, &(v).klass, "CLASS", "weights as for this class of problems (contraction; all)"),   \
        RG_OPTION_TEXT("coder", 0, &(v).coder, "CODER", "weights as for this coder (poly, llm; all)"),                 \
        RG_OPTION_TEXT("program", 0, &(v).program, "HASH", "weights as for this program (evidence names it; all)"),    \
        RG_OPTION_TEXT("category", 0, &(v).category, "WORD", "only steps of this category, and edges between them"),   \
        RG_OPTION_TEXT("near", 0, &(v).near, "STEP", "only steps around this one"),                                    \
        RG_OPTION_INT("hops", 0, &(v).hops, "N", 0, 1000, "so many edges away at most (1)")

struct graph_rows { /* the edges that are looked at, with their weights */
    int n;
    int *edges;
    struct rg_weight *weights;
};

/* -1, or the exit code after words that are none were told. */
int graph_view_check(const struct rg_command *c, const struct graph_view *v);
struct rg_circumstances graph_view_at(const struct graph_view *v);
/* steps: an entry a step, whether it is looked at; malloc'd. NULL after the error was printed. */
bool *graph_view_steps(const struct rg_regraph *g, const struct graph_view *v, const char *path, int *code);
/* Edges whose ends are looked at (@start is: but not where steps are filtered and the target is not). */
void graph_view_rows(const struct rg_regraph *g, const struct graph_view *v, const bool *steps, struct graph_rows *out);
void graph_rows_best_first(struct graph_rows *r); /* by score; ties in the graph's order */
void graph_rows_release(struct graph_rows *r);

const char *graph_step_name(const struct rg_regraph *g, int step); /* "@start" for -1 */
/* The step's index, -1 for @start; *code is set, and the message printed, where there is none. */
int graph_step_named(const struct rg_regraph *g, const char *path, const char *id, int *code);
int64_t graph_seen(const struct rg_edge *e); /* observations of all rows */
int64_t graph_led(const struct rg_edge *e);  /* runs that it led to their best */

/* A line of CSV (RFC 4180) goes out cell by cell. */
void graph_csv_text(struct rg_buf *b, const char *text);
void graph_csv_real(struct rg_buf *b, double v); /* 15 digits */
void graph_csv_int(struct rg_buf *b, int64_t v);
void graph_csv_end(struct rg_buf *b);
/* The edges as a table, with the terms of their weights. */
void graph_csv_edges(const struct rg_regraph *g, const struct graph_rows *rows, struct rg_buf *out);
void graph_csv_evidence(const struct rg_regraph *g, int edge, const struct graph_view *v, struct rg_buf *out);
/* The same as one JSON document, regraph-show/1; edge: its evidence too, -1 none of any. */
void graph_json(const struct rg_regraph *g, const bool *steps, const struct graph_rows *rows, const struct graph_view *v,
                int edge, struct rg_buf *out);
#endif
