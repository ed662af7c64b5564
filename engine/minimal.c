/* Minimal chains: at the end a step whose removal costs nothing is dropped from the best. First among what was measured
 * anyway: candidates made by some of the best's steps that are as fast. Then, where evaluations and time are left, the
 * best without one of its steps, at the same values, for each step that nothing shows to be needed, then without each
 * of the first steps, by which these are learnt. On a device that measures a shorter chain must hold its own against
 * the best in paired runs; a timing model's times are compared as they are. Part of the closing section. */
#include "engine/engine.h"
#include <rg/buf.h>
#include <stdlib.h>
#include <string.h>

struct state {
    uint32_t best;       /* the candidate that is being shortened */
    int trial, drop, at; /* link that is left out; next one to apply */
    int first;           /* next first step to leave out */
    int left;            /* evaluations */
    bool waiting;
    int n_path, from_path;
    uint32_t *path, node; /* edges to where the links so far have led */
};

static bool is_part(const struct rg_template *part, const struct rg_template *of)
{
    bool used[64] = {false};
    for (int i = 0; i < part->n_chain; i++) {
        int k = 0;
        while (k < of->n_chain && k < 64 &&
               (used[k] || strcmp(part->chain[i].step, of->chain[k].step) ||
                strcmp(part->chain[i].site, of->chain[k].site)))
            k++;
        if (k == of->n_chain || k == 64) return false;
        used[k] = true;
    }
    return part->n_chain < of->n_chain;
}

static double within(const struct rg__search *s)
{
    return s->ev->estimated ? s->p.minimal_estimated : s->p.minimal_within;
}

/* The shortest candidate of some of the best's steps that is as fast, of those not met yet the fastest. */
static uint32_t shorter(const struct rg__search *s, const bool *met)
{
    uint32_t found = RG__NONE;
    const struct rg_template *best = s->nodes[s->best_node].tmpl;
    for (uint32_t i = 1; i < (uint32_t)s->n_nodes; i++) {
        const struct rg__node *n = &s->nodes[i], *f = found == RG__NONE ? NULL : &s->nodes[found];
        double us = rg__node_time(s, i);
        if (met[i] || !n->tmpl || us <= 0 || us > within(s) * s->best_us || strcmp(n->tmpl->coder, best->coder) ||
            !is_part(n->tmpl, best))
            continue;
        if (!f || n->tmpl->n_chain < f->tmpl->n_chain ||
            (n->tmpl->n_chain == f->tmpl->n_chain && us < rg__node_time(s, found)))
            found = i;
    }
    return found;
}

static enum rg_status take_shorter(struct rg__search *s, struct rg_error *err)
{
    int n = s->n_nodes;
    bool *met = rg_xcalloc((size_t)n + 1, sizeof *met);
    enum rg_status st = RG_OK;
    for (uint32_t i; st == RG_OK && s->best_us > 0 && (i = shorter(s, met)) != RG__NONE;) {
        met[i] = true;
        st = rg__final_shorter(s, i, s->nodes[i].best_trial, err);
    }
    free(met);
    return st;
}

/* ---- the best without one of its steps ---- */

static void start(struct rg__search *s)
{
    struct state *m = rg_xcalloc(1, sizeof *m);
    m->best = s->best_node;
    m->trial = s->best_trial;
    m->drop = s->nodes[s->best_node].tmpl->n_chain;
    m->left = (int)(s->p.minimal_share * s->out->evaluations);
    s->policy_state = m;
}

static void stop(struct rg__search *s)
{
    struct state *m = s->policy_state;
    if (m) free(m->path);
    free(m);
    s->policy_state = NULL;
}

/* The best's values, as far as the template has them. */
static enum rg_status force(void *arg, const struct rg_template *t, struct rg_vector *v, struct rg_error *err)
{
    const struct rg__search *s = arg;
    const struct state *m = s->policy_state;
    const struct rg__node *n = &s->nodes[m->best];
    struct rg_vector w = *v;
    for (int i = 0; i < t->tunables.n; i++) {
        int k = rg_tunables_find(&n->tmpl->tunables, t->tunables.items[i].name);
        if (k >= 0 && rg_tunable_has(&t->tunables.items[i], n->trials[m->trial].v.values[k]))
            w.values[i] = n->trials[m->trial].v.values[k];
    }
    if (rg_tunables_allow(&t->tunables, &w)) *v = w;
    return RG_OK;
}

static void next_drop(struct state *m)
{
    m->drop--;
    m->at = m->n_path = 0;
    m->node = RG__ROOT;
}

/* Is there a shorter candidate without it that is slower? Then it is known to be needed. */
static bool needed(const struct rg__search *s, const struct state *m)
{
    const struct rg_template *best = s->nodes[m->best].tmpl;
    for (int i = 1; i < s->n_nodes; i++) {
        const struct rg__node *n = &s->nodes[i];
        if (!n->tmpl || n->tmpl->n_chain != best->n_chain - 1 || n->n_trials == 0 || !is_part(n->tmpl, best)) continue;
        bool lacks = true;
        for (int k = 0; k < n->tmpl->n_chain; k++)
            lacks = lacks && (strcmp(n->tmpl->chain[k].step, best->chain[m->drop].step) ||
                              strcmp(n->tmpl->chain[k].site, best->chain[m->drop].site));
        struct rg_vector v;
        rg_tunables_default(&n->tmpl->tunables, &v);
        force((void *)s, n->tmpl, &v, NULL);
        for (int k = 0; k < n->n_trials && lacks; k++)
            if (rg_vector_equal(&n->trials[k].v, &v)) return true; /* it was not as fast, or would be the best by now */
    }
    return false;
}

static void measure(struct rg__search *s, struct rg__action *a)
{
    struct state *m = s->policy_state;
    a->measure = true;
    a->force = force;
    a->force_arg = s;
    m->left--;
}

/* The best without the next first step. */
static enum rg_status leave_out(struct rg__search *s, struct rg__action *a, bool *found, struct rg_error *err)
{
    struct state *m = s->policy_state;
    enum rg_status st = RG_OK;
    *found = false;
    while (!*found && m->first < s->n_first && m->left > 0 && st == RG_OK) {
        const struct rg__first *f = &s->first[m->first++];
        uint32_t edge = RG__NONE;
        if (strcmp(s->coders[f->coder]->name, s->nodes[m->best].tmpl->coder) || s->forbidden[f->step]) continue;
        st = rg__edge_to(s, m->best, f->step, RG_SITE_NONE, &edge, err);
        if (edge == RG__NONE || s->edges[edge].state != RG__EDGE_OPEN) continue;
        rg__action_edge(s, a, edge);
        a->purpose = "minimal";
        a->tune = false;
        measure(s, a);
        *found = true;
    }
    return st;
}

static enum rg_status next(struct rg__search *s, struct rg__action *a, enum rg__next *what, struct rg_error *err)
{
    struct state *m = s->policy_state;
    const struct rg_template *best = s->nodes[m->best].tmpl;
    *what = m->waiting ? RG__NEXT_WAIT : RG__NEXT_END;
    while (!m->waiting && m->left > 0 && m->drop >= 0) {
        if (m->drop == best->n_chain || m->at >= best->n_chain || (m->at == 0 && m->node == RG__ROOT && needed(s, m))) {
            next_drop(m);
            continue;
        }
        if (m->at == m->drop && ++m->at >= best->n_chain) continue;
        const struct rg_link *l = &best->chain[m->at];
        int step = rg_regraph_find(s->g, l->step);
        bool last = m->at + 1 + (m->at + 1 == m->drop) >= best->n_chain;
        uint32_t edge = RG__NONE;
        enum rg_status st = step < 0 ? RG_OK : rg__edge_to(s, m->node, step, l->site, &edge, err);
        if (st != RG_OK) return st;
        if (edge == RG__NONE || s->edges[edge].state == RG__EDGE_CLOSED) {
            next_drop(m);
            continue;
        }
        if (s->edges[edge].state == RG__EDGE_LINKED && !last) {
            m->path = rg_xrealloc(m->path, (size_t)(m->n_path + 1) * sizeof *m->path);
            m->path[m->n_path++] = edge;
            m->node = s->edges[edge].child;
            m->at++;
            continue;
        }
        for (int i = 0; i < m->n_path; i++) rg__action_path(a, m->path[i]);
        a->purpose = "minimal";
        if (s->edges[edge].state == RG__EDGE_LINKED) { /* known, but not at these values */
            rg__action_path(a, edge);
            a->parent = a->target = s->edges[edge].child;
            a->coder = s->edges[edge].coder;
        } else
            rg__action_edge(s, a, edge);
        a->measure = last;
        a->tune = false;
        if (last) measure(s, a);
        m->waiting = true;
        *what = RG__NEXT_ACTION;
        return RG_OK;
    }
    if (m->waiting) return RG_OK;
    enum rg_status st = leave_out(s, a, &m->waiting, err);
    if (m->waiting) *what = RG__NEXT_ACTION;
    return st;
}

static enum rg_status done(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    struct state *m = s->policy_state;
    m->waiting = false;
    if (a->measure || a->node == RG__NONE || a->failed) {
        next_drop(m);
        return RG_OK;
    }
    m->path = rg_xrealloc(m->path, (size_t)(m->n_path + 1) * sizeof *m->path);
    m->path[m->n_path++] = a->edge;
    m->node = a->node;
    m->at++;
    return RG_OK;
}

const struct rg__policy rg__policy_minimal = {"minimal", start, next, done, stop, .lean = false};

enum rg_status rg__minimal(struct rg__search *s,
                           enum rg_status (*run)(struct rg__search *s, const struct rg__policy *p,
                                                 struct rg_error *err),
                           struct rg_error *err)
{
    enum rg_status st = take_shorter(s, err);
    for (int rounds = 0; rounds < 2 && run && st == RG_OK && s->best_us > 0; rounds++) {
        if (s->nodes[s->best_node].tmpl->n_chain < 2 && !s->n_first) break;
        uint32_t was = s->best_node;
        st = run(s, &rg__policy_minimal, err);
        if (st == RG_OK) st = take_shorter(s, err);
        if (s->best_node == was) break;
    }
    return st;
}
