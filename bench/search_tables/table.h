/* A recorded search space: what every action at every node led to, and every node's tuned time. Policies are replayed
 * on it in milliseconds, over many seeds, at equal evaluations. docs/journal.md describes the file. */
#ifndef RG_BENCH_TABLE_H
#define RG_BENCH_TABLE_H
#include <rg/search.h>

struct table_action {
    char *step, *site;
    int node; /* -1: refused or failed before there was a candidate: outcome */
    enum rg_outcome outcome;
};

struct table_node {
    enum rg_outcome outcome;
    bool measured;
    double time_us;
    enum rg_limiter limiter;
    int cost; /* vectors that were measured to tune it; 1 when unknown */
    int n_actions, cap_actions;
    struct table_action *actions;
};

struct table {
    char *name, *klass, *device;
    double naive_us, best_us;
    int n, cap;
    struct table_node *nodes; /* 0: the sequential code */
};

void table_free(struct table *t);
struct table_node *table_node(struct table *t, int index); /* grows the table */
void table_action(struct table *t, int node, const char *step, const char *site, int child, enum rg_outcome outcome);
void table_best(struct table *t);

enum rg_status table_load(const char *path, struct table **out, struct rg_error *err);
enum rg_status table_save(const struct table *t, const char *path, struct rg_error *err);
/* From the journal of an exhaustive run (--policy exhaustive --patience 0); `name` is copied. */
enum rg_status table_from_journal(const char *path, const char *name, struct table **out, struct rg_error *err);
/* A made-up problem over the steps of g, in the manner of real ones: prerequisites, synergies, failures, no-ops. */
struct table *table_synthetic(const struct rg_regraph *g, uint64_t seed, int depth, int n_steps);

/* A coder and an evaluator that answer from the table. Both borrow it. */
struct rg_coder table_coder(struct table *t);
struct rg_evaluator table_evaluator(struct table *t);
/* Vectors that the nodes measured so far stand for. */
int table_spent(const struct rg_evaluator *e);
void table_coder_free(struct rg_coder *c);
void table_evaluator_free(struct rg_evaluator *e);
#endif
