/* Made-up problems: steps with prerequisites, synergies, failures and no-ops, their gains loosely following the
 * expert's priors. They exercise the policies and the runner; only recorded tables say how good a policy is. */
#include "table.h"
#include <math.h>
#include <rg/buf.h>
#include <rg/hash.h>
#include <rg/rng.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24 };

struct made_step {
    int step;
    double gain, cost; /* ln; cost while the prerequisite is missing */
    int needs;         /* index of another made step; -1 none */
    double p_fail;
    bool noop;
    enum rg_limiter relieves;
};

struct maker {
    struct table *t;
    const struct rg_regraph *g;
    uint64_t seed;
    int n, depth;
    struct made_step s[MOST];
    double pair[MOST][MOST];
    int n_sets, cap_sets;
    uint32_t *sets; /* of node i */
};

static double mean_prior(const struct rg_regraph *g, int step)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < rg_regraph_edges(g); i++)
        if (rg_regraph_edge(g, i)->to == step) {
            sum += rg_regraph_edge(g, i)->prior;
            n++;
        }
    return n ? sum / n : 0;
}

static void make_step(struct maker *m, struct rg_rng *r, int index, int step)
{
    struct made_step *s = &m->s[index];
    s->step = step;
    s->needs = -1;
    double p = mean_prior(m->g, step), u = rg_rng_unit(r);
    if (u < 0.1 + 0.4 * p)
        s->gain = 0.4 + 1.0 * rg_rng_unit(r);
    else if (u < 0.5 + 0.3 * p)
        s->gain = 0.02 + 0.2 * rg_rng_unit(r);
    else
        s->gain = -0.4 * rg_rng_unit(r);
    if (index > 1 && rg_rng_unit(r) < 0.4) {
        s->needs = (int)rg_rng_below(r, (uint64_t)index);
        s->cost = 0.05 + 0.25 * rg_rng_unit(r);
    }
    s->p_fail = rg_rng_unit(r) < 0.5 ? 0 : 0.1 + 0.4 * rg_rng_unit(r);
    s->noop = rg_rng_unit(r) < 0.08;
    s->relieves = (enum rg_limiter)(1 + rg_rng_below(r, RG_N_LIMITERS - 1));
    for (int i = 0; i < index; i++) m->pair[i][index] = rg_rng_unit(r) < 0.15 ? 0.5 * rg_rng_unit(r) - 0.2 : 0;
}

static double log_time(const struct maker *m, uint32_t set)
{
    double t = log(1000.0);
    for (int i = 0; i < m->n; i++) {
        if (!(set >> i & 1)) continue;
        const struct made_step *s = &m->s[i];
        t -= s->needs >= 0 && !(set >> s->needs & 1) ? -s->cost : s->gain;
        for (int j = i + 1; j < m->n; j++)
            if (set >> j & 1) t -= m->pair[i][j];
    }
    return t;
}

static double chance(const struct maker *m, uint32_t set, int i)
{
    uint64_t x[2] = {set, (uint64_t)i};
    return (double)(rg_hash64(x, sizeof x, m->seed) >> 11) * 0x1p-53;
}

/* Bit 0 is parallelize: everything else needs it. */
static int node_of(struct maker *m, uint32_t set)
{
    for (int i = 0; i < m->n_sets; i++)
        if (m->sets[i] == set) return i;
    RG_GROW(m->sets, m->n_sets, m->cap_sets);
    m->sets[m->n_sets++] = set;
    table_node(m->t, m->n_sets - 1);
    struct table_trial x = {.time_us = exp(log_time(m, set))};
    double most = 0;
    for (int i = 1; i < m->n; i++) /* what bounds it is what the best missing step relieves */
        if (!(set >> i & 1) && m->s[i].gain > most) {
            most = m->s[i].gain;
            x.limiter = m->s[i].relieves;
        }
    if (set) table_trial(m->t, m->n_sets - 1, &x);
    return m->n_sets - 1;
}

/* The engine's rule: a step may follow any applied one. */
static bool follows(const struct maker *m, uint32_t set, int i)
{
    if (set == 0) return true;
    for (int j = 0; j < m->n; j++)
        if (set >> j & 1 && rg_regraph_find_edge(m->g, m->s[j].step, m->s[i].step) >= 0) return true;
    return false;
}

static void expand(struct maker *m, int node)
{
    uint32_t set = m->sets[node];
    if (__builtin_popcount(set) >= m->depth) return;
    for (int i = 0; i < m->n; i++) {
        if (set >> i & 1 || (set == 0) != (i == 0) || !follows(m, set, i)) continue;
        const char *id = rg_regraph_step(m->g, m->s[i].step)->id;
        double u = chance(m, set, i);
        if (i > 0 && u < m->s[i].p_fail)
            table_action(m->t, node, id, "A", -1, RG_OUTCOME_WRONG);
        else if (m->s[i].noop)
            table_action(m->t, node, id, "A", node, RG_OUTCOME_OK);
        else
            table_action(m->t, node, id, "A", node_of(m, set | 1u << i), RG_OUTCOME_OK);
    }
}

struct table *table_synthetic(const struct rg_regraph *g, uint64_t seed, int depth, int n_steps)
{
    struct maker m = {.g = g, .seed = seed, .depth = depth};
    struct rg_rng r;
    rg_rng_seed(&r, seed);
    struct table *t = m.t = rg_xcalloc(1, sizeof *t);
    t->name = rg_xasprintf("synthetic-%llu", (unsigned long long)seed);
    t->klass = rg_xstrdup(rg_class_word((int)rg_rng_below(&r, (uint64_t)rg_class_count())));
    t->device = rg_xstrdup("sim:h200");
    bool *taken = rg_xcalloc((size_t)rg_regraph_steps(g) + 1, sizeof *taken);
    int step = rg_regraph_find(g, "parallelize");
    for (int i = 0; i < n_steps && i < MOST && step >= 0; i++) {
        taken[step] = true;
        make_step(&m, &r, m.n++, step);
        step = -1;
        for (int tries = 0; tries < 200 && step < 0; tries++) { /* a successor of something chosen before */
            int n, from = m.s[rg_rng_below(&r, (uint64_t)m.n)].step;
            const int *out = rg_regraph_out(g, from, &n);
            if (n == 0) continue;
            int to = rg_regraph_edge(g, out[rg_rng_below(&r, (uint64_t)n)])->to;
            if (!taken[to]) step = to;
        }
    }
    free(taken);
    m.s[0].gain = 0;
    m.s[0].noop = false;
    node_of(&m, 0);
    for (int i = 0; i < m.n_sets; i++) expand(&m, i);
    free(m.sets);
    table_close(t);
    return t;
}
