/* The search (design section 7): Monte-Carlo graph search over candidates, driven by the regraph's weights. */
#ifndef RG_SEARCH_H
#define RG_SEARCH_H
#include <rg/coder.h>
#include <rg/decls.h>
#include <rg/evaluator.h>
#include <rg/regraph.h>

RG_BEGIN_DECLS

struct rg_search_progress;
/* A kernel to begin from (--start). Everything is borrowed. */
struct rg_search_given {
    struct rg_source source;
    int n_chain; /* 0: the actions that made it are not known */
    const struct rg_link *chain;
    int n_values; /* of its tunables */
    const char *const *names;
    const int64_t *values;
    const char
        *file; /* that the kernels were read from, in which messages name lines; NULL: those of the kernels' own text */
    int line;  /* of it where they begin, 1-based */
};

struct rg_search_options {
    const char *policy; /* mcgs | uct | random | greedy | beam | best-of-n | refine | exhaustive */
    uint64_t seed;
    int evals;        /* 0 no limit; where a model and the built-in coder search together (mcgs), so many of each */
    double seconds;   /* 0 no limit; what ends a run (second measurements, duels, counters) fits into it, within 3 % */
    double began;     /* by rg_now(): what `seconds` counts from; 0: the call */
    double closing_s; /* of `seconds`, for what the caller does after the call */
    int patience;     /* evaluations without a better best; 0 off; as above, of each */
    double target_us; /* 0 none */
    double target_speedup; /* over naive; 0 none */
    bool total;    /* what is minimised: evaluations' total_us, transfers included, where it is known; else time_us */
    int in_flight; /* actions at once */
    int model_in_flight; /* the same of stochastic coders; 0: in_flight */
    const char *const *forbid;
    int n_forbid;                        /* step ids */
    const char *apply;                   /* chain "parallelize,tile.shared@A{TILE=32}"; NULL: search */
    const struct rg_search_given *given; /* measured after naive, and gone on from; NULL none */
    const char *journal;                 /* path, appended; NULL none */
    const char *sources;           /* file in which every source that is evaluated is kept (rg/pack.h); NULL none */
    bool resume;                   /* replay the journal first */
    bool prune;                    /* candidates may be pruned by estimate: part of what makes a run the same */
    const char *prune_how;         /* in words, for the journal; NULL unknown */
    const char *hardware_counters; /* which of the device's own counters can be read, for the journal; NULL unknown */
    const char *run_id;            /* hash of problem, graph, seed, options */
    const char *klass, *function;  /* for the journal and evidence */
    const char *program;         /* likewise: which program, whatever its sizes (rg_problem_program); NULL: not told */
    struct rg_provenance origin; /* of this run, for evidence; a resumed run keeps its journal's */
    uint32_t traits;             /* of the problem */
    const char *file;            /* of the problem, whose lines refusals name (--apply); NULL: not told */
    int max_depth;               /* longest chain; 0: no limit */
    int tries;                   /* samples of one action of a stochastic coder; 0: 4 */
    double exploration;          /* c of PUCT; 0: default */
    double max_mix;              /* w of max/mean backup; < 0: default */
    const char *const *constants;
    int n_constants;    /* "NAME=VALUE" of engine/params.h */
    volatile int *stop; /* becomes non-zero: end cleanly with the best so far */
    /* Called after every evaluation and at least twice a second. */
    void (*progress)(void *arg, const struct rg_search_progress *p);
    void *progress_arg;
};

struct rg_search_progress {
    int evaluations;
    double seconds, best_us, naive_us; /* us: of what is minimised */
    const char *action;                /* "tile.shared @ C", being tried */
    bool new_best;
};

struct rg_search_result {
    struct rg_template *best; /* NULL when nothing verified */
    int n_first, n_chain;     /* first steps that the best has; its whole chain, these in front: the result's */
    struct rg_link *chain;
    struct rg_vector vector;
    struct rg_source source; /* of best */
    struct rg_evaluation
        evaluation;  /* its time, and naive_us, by the runs in which the two took turns at the end, if they did */
    double naive_us; /* of its kernel; 0 unknown */
    int evaluations, nodes, actions_masked;
    int outcomes[RG_N_OUTCOMES];
    int prune_measured, prune_missed; /* candidates that an estimate would have pruned, timed all the same; of these:
                                         faster than the estimate's low end */
    int edges_updated;
    bool stopped;                /* by .stop */
    enum rg_status coder_status; /* RG_SERVICE when a coder's service was down at the end */
    double coder_s;
    char last_failure[1024]; /* message of the last failed candidate, for exit 6 */
    int n_pairs;             /* of each step that gained, the largest gain */
    struct rg_pair *pairs;
    /* Evidence of this run, one row an edge; applied by rg_search_learn. */
    int n_rows;
    struct rg_search_row {
        int edge;
        struct rg_evidence row;
    } * rows;
};

struct rg_buf;
/* The constants that options.constants may set: name, default and what it does, as text. */
void rg_search_constants(struct rg_buf *out);
enum rg_status rg_search_constant_check(const char *text, struct rg_error *err); /* RG_USAGE says what is wrong */
enum rg_status rg_search_run(const struct rg_search_options *o, const struct rg_regraph *g, struct rg_coder **coders,
                             int n_coders, struct rg_evaluator *ev, struct rg_search_result *out, struct rg_error *err);
void rg_search_result_release(struct rg_search_result *r);

/* Rebuilds evidence from one journal: what rg_search_run's rows were, exactly. The graph is needed for edge indices. */
enum rg_status rg_journal_evidence(const char *path, const struct rg_regraph *g, struct rg_search_row **rows, int *n,
                                   struct rg_error *err);
void rg_search_rows_free(struct rg_search_row *rows, int n);
/* Re-reads the graph file under its lock, merges rows, saves. When the lock can't be had within 10 s: writes rows to
 * `path`.pending-RUN.json and says so in err (RG_IO). */
enum rg_status rg_search_learn(const char *path, const struct rg_search_row *rows, int n, const struct rg_regraph *used,
                               struct rg_error *err);
/* One run's evidence as a file (format regraph-evidence/1), written beside and renamed. `used`: the graph that the
 * rows' edges are of. */
enum rg_status rg_evidence_save(const char *path, const struct rg_search_row *rows, int n,
                                const struct rg_regraph *used, struct rg_error *err);
/* Such a file into a graph: a union, in any order and as often as one likes (rg_regraph_join); `latest`: it is known to
 * be the last telling of its run (rg_regraph_learn). *n: its rows. Edges that the graph lacks are left out with a
 * warning. */
enum rg_status rg_evidence_join(struct rg_regraph *g, const char *path, bool latest, int *n, struct rg_error *err);
bool rg_evidence_is(const char *path); /* by its "format" */
RG_END_DECLS
#endif
