/* First kernels whose loops nobody shares. What naive leaves in one thread (a sum beside a parallel nest, a running
 * sum) takes most of its time, however well the rest runs: right behind naive the steps that compose what a loop
 * carries, reductions and scans by their traits, are applied where they leave less of such work, and what comes of it
 * is measured once, before the policy chooses. Where candidates have draft costs, ways ahead of measuring (ahead.c)
 * find such steps by those, and this is done only where one thread takes most of naive's time. Naive stays what it is,
 * unless that thread would run so much (lone_first) that measuring it takes the search's time: then the same is done in
 * front of it (baseline.c). */
#include "engine/engine.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_LONE = 64 };

static double work_of(const struct rg_template *t)
{
    double work = 0;
    if (!t || !t->ops->lone) return 0;
    struct rg_lone *all = rg_xcalloc(MOST_LONE, sizeof *all);
    int n = t->ops->lone(t, all, MOST_LONE);
    for (int i = 0; i < n; i++) work += all[i].loops ? all[i].work : 0;
    free(all);
    return work;
}

static int coder_of(const struct rg__search *s, const struct rg_template *t)
{
    for (int c = 0; c < s->n_coders; c++)
        if (!s->coders[c]->stochastic && !s->coder_down[c] && !strcmp(s->coders[c]->name, t->coder)) return c;
    return -1;
}

static bool composes(const struct rg__search *s, int step)
{
    const struct rg_step *x = rg_regraph_step(s->g, step);
    return (x->when & (RG_TRAIT_REDUCTION | RG_TRAIT_SCAN)) && !s->forbidden[step] && !s->unfit[step];
}

/* The next site of this step that was not tried yet. */
static enum rg_status next_site(struct rg__search *s, struct rg__lone *l, struct rg__action *a, int coder, bool *found,
                                struct rg_error *err)
{
    struct rg_site_list sites;
    enum rg_status st = rg__sites(s, coder, s->nodes[l->node].tmpl, l->step, &sites, err);
    *found = false;
    if (st != RG_OK) return st;
    for (int i = 0; i < sites.n && !*found && l->n_used < RG__LONE_SITES; i++) {
        bool used = false;
        for (int k = 0; k < l->n_used; k++) used = used || !strcmp(l->used[k], sites.items[i].name);
        if (used || rg__leaves_out(sites.items[i].name)) continue;
        *found = true;
        l->used[l->n_used++] = a->site = rg_arena_strdup(&s->arena, sites.items[i].name);
        a->step = l->step;
        a->coder = coder;
        a->wants_coder = true;
        a->measure = false;
        a->parent = l->node;
    }
    rg_site_list_release(&sites);
    return st;
}

void rg__lone_begin(const struct rg__search *s, struct rg__lone *l, uint32_t node)
{
    *l = (struct rg__lone){.node = node, .work = work_of(s->nodes[node].tmpl)};
}

enum rg_status rg__lone_next(struct rg__search *s, struct rg__lone *l, struct rg__action *a, bool *found,
                             struct rg_error *err)
{
    const struct rg_template *t = s->nodes[l->node].tmpl;
    int coder = t ? coder_of(s, t) : -1;
    *found = false;
    while (coder >= 0 && l->work >= s->p.lone_work && l->made < (int)s->p.lone_steps &&
           l->step < rg_regraph_steps(s->g)) {
        enum rg_status st = composes(s, l->step) ? next_site(s, l, a, coder, found, err) : RG_OK;
        if (st != RG_OK) return st;
        if (*found) {
            l->made++;
            return RG_OK;
        }
        l->step++;
        l->n_used = 0;
    }
    return RG_OK;
}

bool rg__lone_done(const struct rg__search *s, struct rg__lone *l, const struct rg__action *a)
{
    if (a->node == RG__NONE || a->node == a->parent) return false;
    double work = work_of(s->nodes[a->node].tmpl);
    if (work > l->work * (1 - s->p.lone_share)) return false;
    l->node = a->node;
    l->work = work;
    return true;
}

/* ---- right behind naive ---- */

struct state {
    struct rg__lone lone;
    bool waiting, changed;
};

static bool one_thread_takes_most(const struct rg__search *s, const struct rg__node *n)
{
    return n->best_trial >= 0 && n->n_trials > 0 &&
           rg_evaluation_counter(rg__trial_evaluation(&n->trials[n->best_trial]), "one_thread_share") >= s->p.lone_most;
}

static void start(struct rg__search *s)
{
    struct state *l = rg_xcalloc(1, sizeof *l);
    uint32_t node = s->best_us > 0 ? s->best_node : RG__ROOT;
    const struct rg_template *t = s->nodes[node].tmpl;
    bool drafted = t && s->p.draft > 0 && rg__drafted_glance(s, t);
    rg__lone_begin(s, &l->lone, node);
    if (!t || (drafted && !one_thread_takes_most(s, &s->nodes[node]))) l->lone.work = 0;
    s->policy_state = l;
}

static enum rg_status next(struct rg__search *s, struct rg__action *a, enum rg__next *what, struct rg_error *err)
{
    struct state *l = s->policy_state;
    bool found = false;
    a->purpose = "lone";
    *what = RG__NEXT_WAIT;
    if (l->waiting) return RG_OK;
    *what = RG__NEXT_ACTION;
    enum rg_status st = rg__lone_next(s, &l->lone, a, &found, err);
    if (st != RG_OK) return st;
    if (found) {
        l->waiting = true;
        return RG_OK;
    }
    if (!l->changed) {
        *what = RG__NEXT_END;
        return RG_OK;
    }
    l->changed = false;
    l->waiting = true;
    l->lone.made = (int)s->p.lone_steps;
    a->parent = a->target = l->lone.node;
    a->tune = false;
    return RG_OK;
}

static enum rg_status done(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    struct state *l = s->policy_state;
    (void)err;
    l->waiting = false;
    if (a->wants_coder && rg__lone_done(s, &l->lone, a)) l->changed = true;
    return RG_OK;
}

static void stop(struct rg__search *s)
{
    free(s->policy_state);
    s->policy_state = NULL;
}

const struct rg__policy rg__policy_lone = {"lone", start, next, done, stop, .lean = false};
