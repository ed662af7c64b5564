/* report.html: what journals, and what stands beside them, say of runs, as one page. Reading (report_read_json.c,
 * report_beside_json.c), figures made of it (report_figures.c), and the page (report_page.c and the sections of it,
 * report_data_json.c). Nothing here prints or exits. */
#ifndef RG_CMD_REPORT_H
#define RG_CMD_REPORT_H
#include <rg/arena.h>
#include <rg/buf.h>
#include <rg/error.h>
#include <rg/outcome.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct report_value { /* of a tunable */
    const char *name;
    int64_t value;
};

struct report_vector {
    int n;
    struct report_value *items; /* in the order in which they were opened */
};

struct report_eval {  /* a measured candidate */
    int number;       /* 1, 2, ...: of the evaluations of the run */
    double seconds;   /* since the start */
    int action, node; /* node -1: not known yet */
    const char *step, *site, *coder, *purpose;
    struct report_vector vector;
    const char *source; /* its name in sources.jsonl.gz */
    enum rg_outcome outcome;
    const char *message, *kernel, *limiter;
    double us, noise_us, total_us; /* us: 0 unless ok; total_us: < 0 unknown */
    bool estimated;
    int n_counters;
    struct rg_counter *counters;
};

struct report_action {
    int number, parent, node; /* node -1: none came of it */
    const char *purpose, *step, *site, *coder, *from;
    const char *answer;            /* "template", "refused", "failed", "" not yet */
    const char *outcome, *message; /* where nothing came of it */
    bool noop;
};

struct report_node {    /* a version of the code: a chain of steps */
    int number, action; /* action: index of the first that made it */
    bool measured;
    double us;          /* of its best configuration; 0 unknown */
    double expected_us; /* of one on the way to the best that was not measured; 0 unknown */
    struct report_vector vector;
    const char *source; /* of that configuration; "" not evaluated */
};

struct report_link { /* a step of the winning chain */
    const char *step, *site;
    int node;                    /* -1: not known */
    struct report_vector opened; /* the tunables it brought, with their values in the best */
};

struct report_reused { /* a configuration whose source was measured before */
    int action;
    struct report_vector vector;
    const char *source;
};

struct report_edge { /* what an edge of the reasoning graph learnt from the run */
    const char *from, *to, *coder;
    int64_t n, ok, lead, refused;
    double mean_gain, max_gain;       /* ln of time before / time after; NaN: none worked */
    const char *failures;             /* "2 wrong, 1 race"; "" */
    double score_before, score_after; /* NaN unknown */
};

struct report_refusal {
    const char *after;                       /* "" the sequential code, else the chain */
    const char *step, *site, *reason, *kind; /* kind: rg_refusal_word; "" unknown */
    int line;                                /* of the C; 0 unknown */
};

struct report_text {
    const char *name, *text;
}; /* a fact of run.json, in words */

struct report_run {
    struct rg_arena arena;
    const char *folder, *journal;
    char label[160]; /* what tells it from the others of a comparison */
    /* of the run line */
    const char *function, *klass, *program, *device, *graph, *graph_sha256, *policy, *seed, *run_id, *coders;
    bool estimated;
    double budget_evals, budget_seconds, patience; /* 0 none, NaN unknown */
    /* what happened */
    int n_evals, cap_evals, n_actions, cap_actions, n_nodes, cap_nodes;
    struct report_eval *evals;
    struct report_action *actions;
    struct report_node *nodes;
    double naive_us;   /* 0 unknown */
    double seconds;    /* of the last line */
    const char *ended; /* why; "" it goes on, or was cut off */
    bool closed;       /* the last line of a finished run is there */
    int best_node;     /* -1 none */
    double best_us;
    struct report_vector best_vector;
    int n_chain, n_first; /* n_first: of the chain, steps taken before any action */
    struct report_link *chain;
    int n_edges, cap_edges, n_reused, cap_reused, n_final;
    struct report_reused *reused;
    struct report_link *final_chain; /* as the last line tells it */
    int n_final_first, n_run_first;
    struct report_link *run_first; /* first steps of all candidates that no action leaves out */
    struct report_edge *edges;
    /* beside the journal */
    const char *problem_file, *source_text, *prototype, *sizes;
    int source_line;                 /* the line of the file that the function begins at */
    int comment_line, comment_lines; /* of the comment that the text begins with; 0 none */
    double flops;                    /* < 0 unknown */
    const char *command;             /* "" unknown */
    double command_seconds;          /* of the whole command, from its start; 0: not known */
    double sequential_ms, threads_ms, sol_ms, read_bytes, write_bytes, copy_bytes_s, flop_s, transfer_ms,
        total_ms; /* NaN unknown */
    const char *sequential_how, *transfer_how, *peaks, *device_name;
    int threads;
    int n_refusals;
    struct report_refusal *refusals;
    int n_model, n_facts;
    struct report_text *model, *facts;
    bool accepted_error; /* max_error is known */
    double max_error;
    /* reading */
    size_t at; /* bytes of the journal that were read */
    struct report_mark {
        int n_evals, n_actions, n_nodes;
        struct report_node *nodes;
        double naive_us;
        bool set;
    } mark;         /* where the closing section begins */
    char *diff_key; /* the chain that the diffs below are of */
    int n_diffs;
    char **diffs; /* of each link, or NULL; malloc'd */
};

/* `path`: a folder of regraph-search, or a journal. RG_INPUT: no such file, or no journal. */
enum rg_status report_open(const char *path, struct report_run **out, struct rg_error *err);
/* Reads what has been written since. Cost: of the new lines. A last line that is not whole is left for the next time.
 */
enum rg_status report_update(struct report_run *r, struct rg_error *err);
/* problem.json, run.json and certificate.json beside it, as far as they are there and readable. */
void report_beside(struct report_run *r);
/* Differences of the sources along the chain, read where it is another chain than last time. Cost: unpacks every kept
 * source. */
void report_sources(struct report_run *r);
/* What the edges of graph-before.json learnt; only of a finished run. Cost: reads the graph. */
void report_learnt(struct report_run *r);
void report_free(struct report_run *r);

const struct report_node *report_node(const struct report_run *r, int number); /* NULL unknown */
double report_counter(const struct report_eval *e, const char *name);          /* NaN unknown */
const struct report_eval *report_best_eval(const struct report_run *r);        /* NULL none */
/* "BX=16, BY=8" */
void report_vector_print(struct rg_buf *b, const struct report_vector *v);

struct report_importance {
    const char *name;
    double share;
    int n;
};
/* Of each tunable: which share of the variance of ln time, among verified configurations of the same version, lies
 * between those that differ in its value; n: configurations. The most important first; malloc'd. */
int report_importance(const struct report_run *r, struct report_importance **out);
/* Break-even: calls of the kernel after which the seconds of the search are earned back; NaN unknown or never.
 * per_call_ms: what a call saves. */
double report_break_even(double search_s, double sequential_ms, double call_ms);

/* Unified difference of two texts by lines, three lines of context. Cost O(lines x differences). */
void report_diff(const char *a, const char *b, struct rg_buf *out);

struct report_page_options {
    bool live; /* the search runs: the page loads itself again */
};
void report_page(const struct report_run *const *runs, int n, const struct report_page_options *o, struct rg_buf *out);
/* A folder of regraph-suite: has it suite.json? */
bool report_is_suite(const char *folder);
/* Its page: every problem, with links to their pages. RG_INPUT: suite.json is none. */
enum rg_status report_suite(const char *folder, struct rg_buf *out, struct rg_error *err);
/* --- sections (report_page.c, report_run.c, report_svg.c) --- */
void report_time(struct rg_buf *b, double us); /* "66.3 µs" */
void report_head(struct rg_buf *b, const char *title, bool live);
void report_terms(struct rg_buf *b);
void report_foot(struct rg_buf *b, char *data); /* data: JSON for the script, owned; NULL none */
void report_run_sections(const struct report_run *r, int index, struct rg_buf *b);
void report_cell(struct rg_buf *b, const char *text);
/* report_more.c */
void report_tunables(const struct report_run *r, int index, struct rg_buf *b);
void report_kernels(const struct report_run *r, int index, struct rg_buf *b);
void report_edges(const struct report_run *r, struct rg_buf *b);
void report_refusals(const struct report_run *r, struct rg_buf *b);
void report_about(const struct report_run *r, struct rg_buf *b);
/* Points of the best time so far; x and y have room for n_evals + 1. Returns how many. */
int report_best_so_far(const struct report_run *r, bool by_seconds, double *x, double *y);
/* Its place in the roofline: operations a byte, GFLOP/s. False: not known. */
bool report_roof(const struct report_run *r, const struct report_eval *e, double *intensity, double *gflops);
/* One call of the best from host memory, ms: measured, else its kernels and the estimated transfers; NaN unknown. */
double report_call_ms(const struct report_run *r);
enum report_axis { REPORT_LINEAR, REPORT_LOG };
struct report_series {
    const char *name, *css;
    int n;
    const double *x, *y;
    bool line, steps;
};
void report_svg(struct rg_buf *b, const char *title, const char *x_name, enum report_axis x, const char *y_name,
                enum report_axis y, const struct report_series *s, int n);
/* report_data_json.c: the same figures for the drawing script; malloc'd, safe inside a script element. */
char *report_data(const struct report_run *const *runs, int n, bool live);
#endif
