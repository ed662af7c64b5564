/* A recorded search space: what every action at every node led to, and the times of the vectors measured there.
 * Policies are replayed on it in milliseconds, over many seeds, at equal evaluations. docs/journal.md describes the
 * file. */
#ifndef RG_BENCH_TABLE_H
#define RG_BENCH_TABLE_H
#include <rg/arena.h>
#include <rg/search.h>

struct table_action {
    char *step, *site;
    int node; /* -1: refused or failed before there was a candidate: outcome */
    enum rg_outcome outcome;
};

struct table_trial {
    struct rg_vector v;
    enum rg_outcome outcome;
    double time_us; /* of an ok one */
    enum rg_limiter limiter;
};

struct table_node {
    struct rg_tunables tunables; /* in the table's arena */
    int first_parent;            /* the node through which it was first reached; -1 the root */
    int n_trials, cap_trials;
    struct table_trial *trials;
    double best_us; /* of its trials; 0 none */
    int n_drafts;   /* draft costs, by rising number of the vector (table_draft) */
    int64_t *draft_at;
    float *draft_us;
    int n_actions, cap_actions;
    struct table_action *actions;
};

struct table {
    char *name, *klass, *device;
    double naive_us, best_us;
    int n, cap;
    struct table_node *nodes; /* 0: the sequential code */
    struct rg_arena arena;
};

void table_free(struct table *t);
struct table_node *table_node(struct table *t, int index); /* grows the table */
void table_action(struct table *t, int node, const char *step, const char *site, int child, enum rg_outcome outcome);
void table_trial(struct table *t, int node, const struct table_trial *trial);
/* After the last trial and action: the bests and the parents. */
void table_close(struct table *t);

/* What a vector of a node would have given. Measured vectors answer with their record. For others, the records of the
 * nearest ones measured there (fewest tunables that differ; their geometric mean), each changed tunable by tunable as
 * measured pairs at this node, else at the nodes above it, changed; never below the node's best record, so that nothing
 * that was not measured can be the best. */
struct table_trial table_lookup(const struct table *t, int node, const struct rg_vector *v);

/* The draft cost of a vector of a node; 0 unknown. */
double table_draft(const struct table *t, int node, const struct rg_vector *v);

enum rg_status table_load(const char *path, struct table **out, struct rg_error *err);
enum rg_status table_save(const struct table *t, const char *path, struct rg_error *err);
/* From the journal of an exhaustive run (record.sh); `name` is copied. */
enum rg_status table_from_journal(const char *path, const char *name, struct table **out, struct rg_error *err);
/* A made-up problem over the steps of g, in the manner of real ones: prerequisites, synergies, failures, no-ops; no
 * tunables. */
struct table *table_synthetic(const struct rg_regraph *g, uint64_t seed, int depth, int n_steps);

/* What a run measured, each vector of a node once. Right nodes hold a vector that is as good as the best. */
struct table_spent {
    double right_us; /* what is as good as the best */
    int n, cap;
    struct table_asked {
        int node;
        struct rg_vector v;
    } * asked;
    int values, right_values; /* of them, vectors of a node after its first; at right nodes */
};

/* A coder and an evaluator that answer from the table. Both borrow it, and `spent`, which may be NULL. */
struct rg_coder table_coder(struct table *t);
struct rg_evaluator table_evaluator(struct table *t, struct table_spent *spent);
void table_coder_free(struct rg_coder *c);
void table_evaluator_free(struct rg_evaluator *e);
#endif
