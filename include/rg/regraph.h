/* The reasoning graph: persistent knowledge, one JSON file ("format": "regraph/1", design section 6). */
#ifndef RG_REGRAPH_H
#define RG_REGRAPH_H
#include <rg/buf.h>
#include <rg/decls.h>
#include <rg/error.h>
#include <rg/outcome.h>
#include <rg/step.h>
#include <stdbool.h>
#include <stdint.h>

RG_BEGIN_DECLS

struct rg_regraph;

/* A tunable's value in a run's best candidate, under the edge whose action opened it. */
struct rg_tuned {
    const char *name;
    int64_t value, count; /* count: runs, at least 1 */
};

/* What a run was made in, or a weight is asked for. A question's NULL or "" is answered by every row. */
struct rg_circumstances {
    const char *device, *klass;
    const char *program; /* which one, whatever its sizes (rg_problem_program) */
    const char *coder;
};

/* Where and when a run was made. Says where knowledge comes from; no weight depends on it. NULL or "": not known. */
struct rg_provenance {
    const char *date;    /* "2026-11-23", of the run's start, UTC; of a compacted row the latest */
    const char *version; /* of this program */
    const char *machine; /* its host's name */
};

/* One row of experience of one edge: keyed by (device, class, program, coder, run). Gains in 1e-6 of
 * ln(t_parent/t_child). */
struct rg_evidence {
    const char *device, *klass;
    const char *program;     /* "" where nobody wrote it down */
    const char *coder, *run; /* run: run id; "" when compacted (then `runs` lists them) */
    int n_runs;
    const char **runs;
    struct rg_provenance origin; /* of a compacted row: what its runs have in common */
    int64_t n, ok;
    int64_t sum; /* exact integers; sumsq in 1e-6 too: sum of round(gain_fp^2 / 1e6) */
    int64_t sumsq;
    int64_t max; /* INT64_MIN when ok == 0 */
    int64_t fail[RG_N_OUTCOMES];
    int64_t refused; /* times the coder declined: neither in n nor a failure, and of no weight */
    int64_t told;    /* actions that the runs had taken when this was told: of two tellings of one run the one with more
                        stays */
    int64_t lead;    /* runs whose way to their best candidate the edge is on; at most ok, and their number */
    int n_tuned;     /* sorted by name and value */
    const struct rg_tuned *tuned;
};

/* The baseline of a search is the first of these chains whose candidate verifies at default tunables (design section
 * 1). */
struct rg_baseline_step {
    const char *step;
    const char *site; /* NULL: at each of its sites; an optional step: at the first */
    bool optional;    /* left out where it has no site, and once more where what it makes does not verify */
};

struct rg_baseline_chain {
    int n;
    struct rg_baseline_step *items;
};

struct rg_edge {
    int from, to; /* step indices; -1: @start */
    double prior, confidence;
    const char *note;
    const char *author, *date; /* of the note; NULL not known */
    bool never;                /* the expert bars it: no search takes it, whatever its weight */
    int n_evidence;
    const struct rg_evidence *evidence;
};

/* What an expert took out, or gave another name. A merge does not bring it back. */
struct rg_removal {
    const char *step;      /* NULL: an edge */
    const char *now;       /* the step's new name; NULL: it is gone */
    const char *from, *to; /* of an edge */
    const char *author, *date;
};

enum rg_status rg_regraph_load(const char *path, struct rg_regraph **out, struct rg_error *err);
enum rg_status rg_regraph_parse(const char *text, size_t len, const char *name, struct rg_regraph **out,
                                struct rg_error *err);
/* Canonical bytes: same content, same bytes. */
enum rg_status rg_regraph_print(const struct rg_regraph *g, struct rg_buf *out, struct rg_error *err);
enum rg_status rg_regraph_save(const struct rg_regraph *g, const char *path, struct rg_error *err);
void rg_regraph_free(struct rg_regraph *g);
void rg_regraph_swap(struct rg_regraph *a, struct rg_regraph *b); /* each becomes the other */
struct rg_regraph *rg_regraph_clone(const struct rg_regraph *g);

const char *rg_regraph_name(const struct rg_regraph *g);
int rg_regraph_steps(const struct rg_regraph *g);
const struct rg_step *rg_regraph_step(const struct rg_regraph *g, int index);
int rg_regraph_find(const struct rg_regraph *g, const char *id); /* -1 unknown */
/* "; did you mean 'x'?" of the steps, or "": the end of a message about one that is unknown. */
const char *rg_regraph_did_you_mean(const struct rg_regraph *g, const char *id, char out[160]);
/* In order; *n 0: the first candidate that verifies is the baseline. The graph's, until it is changed. */
const struct rg_baseline_chain *rg_regraph_baseline(const struct rg_regraph *g, int *n);
int rg_regraph_edges(const struct rg_regraph *g);
const struct rg_edge *rg_regraph_edge(const struct rg_regraph *g, int index);
int rg_regraph_find_edge(const struct rg_regraph *g, int from, int to); /* -1 none */
/* Edges leaving step `from` (-1: @start), as indices; frozen on first use, plain arrays. */
const int *rg_regraph_out(const struct rg_regraph *g, int from, int *n);

/* The constants of that weight: X(name, value, least, most, what it is). docs/graph.md gives the formulas and says why.
 */
#define RG_WEIGHING_MAP(X)                                                                                             \
    X(unit_gain, 0.69314718055994531, 0, 100, "ln of the gain that an edge of prior 1 is expected to bring")           \
    X(prior_sigma, 0.5, 1e-6, 100, "spread of gains before any was seen")                                              \
    X(prior_shape, 2, 1.01, 1e6, "of the inverse gamma over their variance")                                           \
    X(beta, 0.25, 0, 100, "what little is known of an edge counts for in its score")                                   \
    X(beta_shrink, 1, 1e-6, 1e6, "observations beside those of an edge in that")                                       \
    X(temperature, 0.2, 1e-6, 100, "of the softmax over scores")                                                       \
    X(lead_bonus, 4, 0, 1e6, "of an edge that led every run over it to its best")                                      \
    X(lead_shrink, 1, 1e-6, 1e6, "runs beside those in that")                                                          \
    X(least_votes, 1, 0, 1e6, "runs in the same circumstances that a tuned value needs to be a start")                 \
    X(other_arch, 0.5, 0, 1, "what a row of another device counts for")                                                \
    X(other_kind, 0.25, 0, 1, "the same of a simulated device for a real one, and the other way round")                \
    X(other_class, 0.3, 0, 1, "the same of another class")                                                             \
    X(other_program, 0.03, 0, 1, "the same of another program, on top of its class")                                   \
    X(other_coder, 0.5, 0, 1, "the same of another coder")                                                             \
    X(most_foreign, 20, 0, 1e9, "observations that rows of other circumstances count for together at most")

struct rg_weighing {
#define X(name, value, least, most, what) double name;
    RG_WEIGHING_MAP(X)
#undef X
};
extern const struct rg_weighing rg_weighing_default; /* what NULL stands for below */

/* The derived weight of an edge in these circumstances: the documented posterior (docs/graph.md). */
struct rg_weight {
    double p_ok;   /* chance of success, posterior mean */
    double gain;   /* expected ln gain given success, shrunk */
    double sigma;  /* its spread */
    double n;      /* effective observations, the prior's included */
    double runs;   /* effective runs that tried it */
    double lead;   /* and those that it led to their best */
    double score;  /* what priors of the search are made from (softmax input): the sum of the next four, unitless */
    double prior;  /* what the expert's opinion alone is worth: p * p ln 2 / temperature */
    double learnt; /* what evidence added to it, or took from it: p_ok * gain / temperature - prior */
    double bonus;  /* for being little known */
    double way;    /* for lying on the way to the best of runs */
};
void rg_regraph_weigh(const struct rg_regraph *g, int edge, const struct rg_circumstances *at,
                      const struct rg_weighing *by, struct rg_weight *out);
/* How much one observation of a row counts for what is asked: 1 in the same circumstances. */
double rg_evidence_relevance(const struct rg_evidence *e, const struct rg_circumstances *at,
                             const struct rg_weighing *by);
/* The score of a weight that has seen so many observations more, of which `ok` worked and gained `sum` together. */
double rg_weight_score(const struct rg_weight *w, const struct rg_weighing *by, double n, double ok, double sum);

/* The value of tunable `name` that served this program best where `step` opened it, by the rows of all edges to the
 * step, each counting as in the weight. Another program's values are no start: block shapes and tiles that suit it are
 * joint values of its own. False: no row tells. Ties: the smaller value. Cost O(rows of the graph). */
bool rg_regraph_tuned(const struct rg_regraph *g, int step, const struct rg_circumstances *at,
                      const struct rg_weighing *by, const char *name, int64_t *value);

/* Edits; each checks and leaves g untouched on error. */
enum rg_status rg_regraph_add_step(struct rg_regraph *g, const char *step_json, struct rg_error *err);
/* The same with the file's name for errors; notes: a line `line:column: text` for each member kept without being
 * understood, NULL: nobody asks. */
enum rg_status rg_regraph_add_step_of(struct rg_regraph *g, const char *step_json, const char *name,
                                      struct rg_buf *notes, struct rg_error *err);
enum rg_status rg_regraph_add_edge(struct rg_regraph *g, const char *from, const char *to, double prior,
                                   double confidence, const char *note, struct rg_error *err);
enum rg_status rg_regraph_set(struct rg_regraph *g, const char *from, const char *to, double prior, double confidence,
                              const char *note, struct rg_error *err); /* NaN, NULL: unchanged */
enum rg_status rg_regraph_remove_step(struct rg_regraph *g, const char *id, struct rg_error *err); /* its edges too */
enum rg_status rg_regraph_remove_edge(struct rg_regraph *g, const char *from, const char *to, struct rg_error *err);
/* Members of a step as a JSON merge patch (RFC 7396): null takes one away. name, notes: as above. */
enum rg_status rg_regraph_set_step(struct rg_regraph *g, const char *id, const char *patch_json, const char *name,
                                   struct rg_buf *notes, struct rg_error *err);
enum rg_status rg_regraph_rename(struct rg_regraph *g, const char *id, const char *now, struct rg_error *err);
enum rg_status rg_regraph_bar_step(struct rg_regraph *g, const char *id, bool never, struct rg_error *err);
enum rg_status rg_regraph_bar_edge(struct rg_regraph *g, const char *from, const char *to, bool never,
                                   struct rg_error *err);
/* Who edits g from here on, and when ("2026-11-23"): stands with notes and with what is removed. NULL: unsigned. */
enum rg_status rg_regraph_sign(struct rg_regraph *g, const char *author, const char *date, struct rg_error *err);
/* What was removed or renamed, in canonical order; the graph's, until it is changed. */
const struct rg_removal *rg_regraph_removals(const struct rg_regraph *g, int *n);
/* The id that a step has now: `id` itself where it was never renamed. */
const char *rg_regraph_now(const struct rg_regraph *g, const char *id);
/* Adds one evidence row (a row with the same key is replaced: the same run twice changes nothing). */
enum rg_status rg_regraph_learn(struct rg_regraph *g, int edge, const struct rg_evidence *row, struct rg_error *err);
/* The same as a union: of two tellings of one run the fuller stays, whichever comes first. */
enum rg_status rg_regraph_join(struct rg_regraph *g, int edge, const struct rg_evidence *row, struct rg_error *err);
/* Union of evidence; steps and edges of `other` that g lacks are added; expert values of g win, differences are listed
 * in notes. */
enum rg_status rg_regraph_merge(struct rg_regraph *g, const struct rg_regraph *other, struct rg_buf *notes,
                                struct rg_error *err);
/* What g still has as `then` had it becomes what it is in `now`: steps, and priors, confidences and notes of edges.
 * What the user changed stays. *steps: how many steps changed. */
void rg_regraph_renew(struct rg_regraph *g, const struct rg_regraph *then, const struct rg_regraph *now, int *steps);
RG_END_DECLS
#endif
