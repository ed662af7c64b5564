/* Ways ahead of measuring (`--set ahead=N`): steps are applied to the cheapest candidates by draft costs, best first,
 * and what comes of them is not measured; of all that was made, what promises most against the best known is measured
 * next, however many steps away from anything measured it is. Draft costs are corrected by what the run measured
 * (process.h). Where nothing promises enough, the policy chooses as ever: to it, an action that was made ahead is
 * untried. Only coders that cost nothing are asked ahead. */
#include "engine/engine.h"
#include "engine/process.h"
#include <math.h>
#include <rg/buf.h>
#include <stdlib.h>

/* Made and not measured, nor anything below it. */
bool rg__ahead_blank(const struct rg__search *s, uint32_t node)
{
    const struct rg__node *n = &s->nodes[node];
    return s->p.ahead > 0 && node != RG__ROOT && n->n_trials == 0 && n->visits == 1 && n->first_in != RG__NONE;
}

/* The cheapest vector of a candidate, as a point of the process. */
static bool cheapest(struct rg__search *s, uint32_t node, struct rg__point *p)
{
    const struct rg_template *t = s->nodes[node].tmpl;
    const struct rg__drafted *d = t ? rg__drafted_glance(s, t) : NULL;
    if (!d) return false;
    p->node = node;
    p->ln_draft = (double)d->ln_us[d->cheapest];
    rg__drafted_features(s, t, d->at[d->cheapest], p->at);
    return true;
}

double rg__ahead_expected(struct rg__search *s, const struct rg__process *g, uint32_t node)
{
    struct rg__point p;
    const struct rg__node *n = &s->nodes[node];
    if (n->n_trials || n->promise == 0 || !cheapest(s, node, &p)) return 0; /* no drafts are made for this alone */
    return exp(rg__process_mean(g, &p));
}

/* Expected ln of the time; of what has no draft, that of what it was made from. To the policy such a candidate promises
 * no more than that and its spread: valued by the best known around it, it would be tried before all that have one. */
static double expected(struct rg__search *s, const struct rg__process *g, uint32_t node)
{
    struct rg__point p;
    uint32_t of = node;
    for (int depth = 0; depth <= s->nodes[node].depth + 1; depth++) {
        double us = rg__node_expected(s, node);
        double mean = us > 0 ? log(us) : cheapest(s, node, &p) ? rg__process_mean(g, &p) : INFINITY;
        if (isfinite(mean)) {
            if (node == of && us <= 0) s->nodes[of].promise = mean;
            if (node != of && s->ahead_drafts) s->nodes[of].promise = mean - s->p.ahead_unknown;
            return mean;
        }
        if (s->nodes[node].first_in == RG__NONE) break;
        node = s->edges[s->nodes[node].first_in].parent;
    }
    return INFINITY;
}

static uint32_t open_edge(const struct rg__search *s, uint32_t node)
{
    const struct rg__node *n = &s->nodes[node];
    for (int i = 0; i < n->n_edges; i++) {
        const struct rg__edge *e = &s->edges[n->edges[i]];
        if (e->state == RG__EDGE_OPEN && !s->coders[e->coder]->stochastic && rg__edge_alive(s, e)) return n->edges[i];
    }
    return RG__NONE;
}

/* Is there a way from the root, over nothing that failed? */
static bool reached(const struct rg__search *s, uint32_t node)
{
    for (; node != RG__ROOT; node = s->edges[s->nodes[node].first_in].parent) {
        const struct rg__node *n = &s->nodes[node];
        if (n->first_in == RG__NONE || (n->outcome != RG_OUTCOME_OK && n->outcome != RG_OUTCOME_PRUNED)) return false;
    }
    return true;
}

/* Has anything so far a draft cost? */
static bool any_drafted(struct rg__search *s)
{
    struct rg__point p;
    for (uint32_t i = 1; i < (uint32_t)s->n_nodes && !s->ahead_drafts; i++) s->ahead_drafts = cheapest(s, i, &p);
    return s->ahead_drafts;
}

/* What each step that nobody measured must promise: without it the longest way of all that change nothing would be
 * measured, and its code costs more to compile. */
static double burden(const struct rg__search *s, uint32_t node)
{
    int steps = 0;
    for (; rg__ahead_blank(s, node); node = s->edges[s->nodes[node].first_in].parent) steps++;
    return steps * s->p.ahead_step;
}

/* The next step to be applied without a measurement: at the cheapest candidate that has one. Where nothing has a draft
 * cost there is nothing to go by, and only the first steps are looked at. */
static enum rg_status to_make(struct rg__search *s, const struct rg__process *g, uint32_t *edge, struct rg_error *err)
{
    *edge = RG__NONE;
    double least = INFINITY;
    uint32_t at = RG__NONE;
    enum rg_status st = rg__expand(s, RG__ROOT, err);
    uint32_t n = any_drafted(s) ? (uint32_t)s->n_nodes : 1;
    for (uint32_t i = 0; i < n && st == RG_OK; i++) {
        if (!reached(s, i)) continue;
        double x = i == RG__ROOT ? -INFINITY : expected(s, g, i) + burden(s, i);
        if (at != RG__NONE && x >= least) continue;
        if ((st = rg__expand(s, i, err)) != RG_OK) break;
        rg__expand_reweigh(s, i); /* in the order of now, whoever else was there since */
        if (open_edge(s, i) == RG__NONE) continue;
        at = i;
        least = x;
    }
    if (st == RG_OK && at != RG__NONE) *edge = open_edge(s, at);
    return st;
}

enum { FAR = 1 /* ln of the time over the best's: nothing is hoped for there */ };

/* The one whose cheapest vector promises most. */
static uint32_t to_measure(struct rg__search *s, const struct rg__process *g)
{
    uint32_t at = RG__NONE;
    double most = -INFINITY, best = s->best_us > 0 ? log(s->best_us) : INFINITY;
    for (uint32_t i = 1; i < (uint32_t)s->n_nodes && any_drafted(s); i++) {
        struct rg__point p;
        struct rg__spread spread = {.n = 0};
        if (!rg__ahead_blank(s, i) || s->nodes[i].tuning || !reached(s, i)) continue;
        bool drafted = cheapest(s, i, &p);
        double mean = expected(s, g, i);
        if (mean > best + FAR || (!drafted && s->p.ahead_unknown <= 0)) continue;
        double sd = drafted ? rg__process_spread(g, &p, &spread) : s->p.ahead_unknown;
        double gain = isinf(best) ? 100 - mean : rg__improvement(best, mean, sd);
        if (gain <= s->p.ahead_gain) continue;
        gain -= burden(s, i);
        if (gain <= most) continue;
        at = i;
        most = gain;
    }
    return at;
}

double rg__ahead_value(const struct rg__search *s, uint32_t node, double own, double scale)
{
    double promise = s->nodes[node].promise;
    if (promise == 0 || s->naive_us <= 0) return own;
    double value = (log(s->naive_us) - promise) / scale, share = s->p.draft_trust / (s->p.draft_trust + s->ahead_vain);
    return share * fmax(-1, fmin(1, value)) + (1 - share) * own;
}

/* Work is counted and not timed: a journal's run takes the same course wherever it is replayed. */
enum { MADE_AS = 200 /* drafts: what applying a step and listing the next ones costs */ };

static void charge(struct rg__search *s, const struct rg__action *a)
{
    const struct rg_template *t = a->tmpl ? a->tmpl : s->nodes[a->parent].tmpl;
    const struct rg__drafted *d = a->tmpl ? rg__drafted_glance(s, a->tmpl) : NULL;
    if (t) s->ahead_us += (MADE_AS + (d ? d->n : 0)) * t->draft_cost_us;
}

static bool affords(const struct rg__search *s)
{
    double allowed = s->p.ahead_first + s->p.ahead_each * s->ahead_measured;
    if (s->o->seconds > 0) allowed = fmin(allowed, s->p.ahead_share * s->o->seconds);
    return s->ahead_us < 1e6 * allowed;
}

void rg__ahead_measure(struct rg__search *s, struct rg__action *a, uint32_t edge)
{
    uint32_t node = s->edges[edge].child;
    rg__action_edge(s, a, edge);
    a->wants_coder = false;
    a->target = node;
    s->nodes[node].tuning = true;
}

bool rg__ahead_make(struct rg__search *s, struct rg__action *a)
{
    if (s->p.ahead <= 0 || s->p.draft <= 0 || s->coders[a->coder]->stochastic || !any_drafted(s) || !affords(s))
        return false;
    a->measure = false;
    a->ahead = true;
    return true;
}

void rg__ahead_done(struct rg__search *s, const struct rg__action *a)
{
    if (a->ahead)
        charge(s, a);
    else if (a->n_counted > 0)
        s->ahead_measured++;
    if (a->ahead && a->linked && rg__ahead_blank(s, a->node)) {
        struct rg__process *g = rg__drafted_process(s);
        expected(s, g, a->node);
        free(g);
    }
    if (!a->promised) return;
    s->ahead_hot = a->best;
    s->ahead_vain = a->best ? 0 : s->ahead_vain + 1;
    s->ahead_wait = (int)(s->p.ahead_doubt * s->ahead_vain);
}

enum rg_status rg__ahead_next(struct rg__search *s, struct rg__action *a, bool *found, struct rg_error *err)
{
    *found = false;
    if (s->p.ahead <= 0 || s->p.draft <= 0) return RG_OK;
    s->ahead_hot = s->ahead_hot && s->nodes[s->best_node].fruitless == 0;
    bool makes = s->n_ahead < s->p.ahead && affords(s);
    if (!makes && s->ahead_wait > 0 && !s->ahead_hot) {
        s->ahead_wait--;
        return RG_OK;
    }
    struct rg__process *g = rg__drafted_process(s);
    uint32_t edge = RG__NONE, node;
    enum rg_status st = makes ? to_make(s, g, &edge, err) : RG_OK;
    if (st == RG_OK && edge != RG__NONE) {
        rg__action_take(s, a, edge);
        a->measure = false;
        a->ahead = *found = true;
        s->n_ahead++;
    } else if (st == RG_OK && s->ahead_hot && s->nodes[s->best_node].fruitless == 0 && rg__can_tune(s, s->best_node)) {
        rg__action_further(s, a, s->best_node, "tune");
        *found = true;
    } else if (st == RG_OK && s->ahead_wait > 0)
        s->ahead_wait--;
    else if (st == RG_OK && (node = to_measure(s, g)) != RG__NONE) {
        rg__action_take(s, a, s->nodes[node].first_in);
        rg__ahead_measure(s, a, s->nodes[node].first_in);
        a->promised = *found = true;
    }
    free(g);
    return st;
}
