/* Where tuning a template starts, and how much of it there is: values from the parent, from this run, from earlier
 * runs. */
#include "engine/engine.h"
#include <math.h>
#include <string.h>

/* A value for a tunable that a step opens: what the best candidate of this run has been tuned to, else what earlier
 * runs found. */
struct advice {
    const struct rg__search *s;
    const struct rg__action *a;
};

static bool learnt(const struct rg__search *s, int step, int coder, const char *name, int64_t *value)
{
    const struct rg_circumstances at = rg__circumstances(s, rg__family(s->coders[coder]));
    return rg_regraph_tuned(s->g, step, &at, &s->weighing, name, value);
}

static bool advise(void *arg, const char *name, int64_t *value)
{
    const struct advice *x = arg;
    const struct rg__search *s = x->s;
    if (x->a->model != RG__NONE) {
        int i = rg_tunables_find(&s->nodes[x->a->model].tmpl->tunables, name);
        if (i >= 0) {
            *value = x->a->model_v.values[i];
            return true;
        }
    }
    return x->a->step >= 0 && learnt(s, x->a->step, x->a->coder, name, value);
}

/* On the way that earlier runs marked, all tunables start where those runs ended, also what the parent has tuned: it
 * was tuned for what the parent is. */
static void start_where_they_ended(const struct rg__search *s, const struct rg__action *a, struct rg_vector *start)
{
    const struct rg_template *t = a->tmpl;
    struct rg_vector v = *start;
    for (int i = 0; i < t->tunables.n; i++) {
        bool found = false;
        for (int k = 0; k < t->n_chain && !found; k++) {
            int64_t value;
            int step = rg_regraph_find(s->g, t->chain[k].step);
            found = step >= 0 && learnt(s, step, a->coder, t->tunables.items[i].name, &value);
            if (found && rg_tunable_has(&t->tunables.items[i], value)) v.values[i] = value;
        }
    }
    if (rg_tunables_allow(&t->tunables, &v)) *start = v;
}

static double move_gain(const void *arg, const char *name, int64_t from, int64_t to)
{
    const struct rg__action *a = arg;
    return rg__search_moves_gain(a->search, a->stamp, name, from, to);
}

/* Neither this run nor an earlier one knows anything of its values. */
static bool cold(const struct advice *x, const struct rg_tunable *t)
{
    int64_t value;
    if (t->n_values < 2 || advise((void *)x, t->name, &value)) return false;
    for (int i = 0; i < x->a->n_swept; i++)
        if (!strcmp(x->s->swept[i].name, t->name)) return false;
    return true;
}

enum rg_status rg__begin_tuning(struct rg__search *s, struct rg__action *a, struct rg_error *err)
{
    const struct rg_template *t = a->tmpl, *pt = s->nodes[a->parent].tmpl;
    struct rg_vector start;
    uint32_t inherited;
    struct advice x = {s, a};
    bool own = !strcmp(a->purpose, "search");
    rg__vector_inherit(&t->tunables, a->parent_e && pt ? &pt->tunables : NULL, &a->parent_v, own ? advise : NULL, &x,
                       &start, &inherited);
    if (own && s->policy->lean && (a->marked || (a->edge != RG__NONE && rg__edge_led(s, &s->edges[a->edge]))))
        start_where_they_ended(s, a, &start);
    if (a->further) inherited = s->nodes[a->target].inherited; /* what its own step opened is tuned first */
    a->inherited = inherited;
    if (a->force && !a->has_forced) {
        enum rg_status st = a->force(a->force_arg, t, &start, err);
        if (st != RG_OK) return st;
    } else if (a->has_forced)
        start = a->forced;
    bool drafted = s->p.draft > 0 && rg__drafted_known(s, t);
    if (drafted && own && !a->marked && !a->has_forced && !a->force) rg__drafted_start(s, a, &start);
    double parent_us = a->parent_e ? rg__expected(s, a->parent_e) : 0;
    rg__tuner_init(&a->tuner, &t->tunables, &start, inherited, parent_us, a->reference_us);
    a->tuner.p = &s->p;
    a->tuner.cap = (int)s->p.tuner_cap;
    a->tuner.expect = s->p.move_memory > 0 ? move_gain : NULL;
    a->tuner.expect_arg = a;
    if (drafted) {
        a->tuner.propose = rg__drafted_propose;
        a->tuner.propose_arg = a;
    }
    if (!a->tune) a->tuner.allowance = a->tuner.cap = 1;
    if (a->further)
        a->tuner.allowance = (int)(strcmp(a->purpose, "polish") ? s->p.tune_allowance : s->p.polish_allowance);
    if (own && s->policy->lean && !a->has_forced) {
        rg__tuner_lean(&a->tuner);
        for (int i = 0; i < t->tunables.n && !a->marked; i++)
            if (!(inherited >> i & 1) && cold(&x, &t->tunables.items[i]))
                a->tuner.allowance += (int)s->p.sweep_allowance;
        if (a->promised) a->tuner.allowance = 1; /* its values are what was promised */
        if (drafted && a->tuner.allowance > 1 + s->p.draft_allowance)
            a->tuner.allowance = 1 + (int)s->p.draft_allowance;
    }
    a->tuner.wide = a->further && a->target == a->best_then;
    if (a->tuner.wide && drafted && !s->ev->estimated)
        a->tuner.allowance = (int)fmax(a->tuner.allowance, s->p.tune_abreast * s->in_flight);
    if (s->policy == &rg__policy_exhaustive) { /* to a local optimum, or the cap, and what lies elsewhere */
        a->tuner.allowance = a->tuner.cap;
        a->tuner.scatter = true;
    }
    if (a->target != RG__NONE) {
        const struct rg__node *n = &s->nodes[a->target];
        bool pruned = false;
        for (int i = 0; i < n->n_trials; i++)
            if (n->trials[i].stamp <= a->stamp) {
                pruned = pruned || n->trials[i].e->outcome == RG_OUTCOME_PRUNED;
                double us = rg__expected(s, n->trials[i].e);
                rg__tuner_know(&a->tuner, &n->trials[i].v, us > 0, us);
            }
        if (pruned && a->tuner.best_us == 0) a->tuner.given_up = true;
        if (!a->tune && a->tuner.started) a->tuner.given_up = true;
    }
    a->state = RG__ACT_EVAL;
    return RG_OK;
}
