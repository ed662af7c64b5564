/* Monte-Carlo graph search: PUCT (mcgs) and plain UCT (uct) over the search graph. */
#include "engine/engine.h"
#include <math.h>
#include <rg/buf.h>
#include <stdlib.h>

static double bounded(double x)
{
    return x < -1 ? -1 : x > 1 ? 1 : x;
}

static double hoped(double value, double hope)
{
    return value * (value > 0 ? hope : 2 - hope);
}

/* An edge's value in [-1,1]. For what is not known the best known below its parent stands in: an untried action is
 * judged by its prior, against actions that were tried by what is below them. */
static double edge_value(const struct rg__search *s, const struct rg__node *n, const struct rg__edge *e, double mix,
                         double scale)
{
    if (e->state == RG__EDGE_LINKED && !rg__ahead_blank(s, e->child)) {
        const struct rg__node *c = &s->nodes[e->child];
        return hoped(bounded((mix * c->best + (1 - mix) * c->q) / scale),
                     s->choosing == RG__LANE_BUILT_IN ? c->hope : 1);
    }
    double own = bounded((mix * n->best + (1 - mix) * n->q) / scale);
    if (e->state == RG__EDGE_LINKED) own = rg__ahead_value(s, e->child, own, scale);
    const struct rg__edge *group = &s->edges[e->group];
    if (group->n_failed == 0) return own;
    /* Its earlier samples failed: worth that times its chance of success; less, too, where it is below naive. */
    double prior_weight = s->p.failure_prior;
    double chance =
        (e->p_ok * prior_weight + (group->n_samples - 1 - group->n_failed)) / (prior_weight + group->n_samples - 1);
    return hoped(own, chance);
}

/* Visits, those under way included, of the lane that chooses. */
static double tries(const struct rg__search *s, const struct rg__edge *e)
{
    return s->choosing == RG__LANE_MODEL ? e->asked : e->visits + e->in_flight;
}

static double score(const struct rg__search *s, const struct rg__node *n, const struct rg__edge *e, double visits,
                    bool uct, double scale)
{
    double q = edge_value(s, n, e, s->p.max_mix, scale), tried = tries(s, e);
    if (uct) return q + s->p.exploration * sqrt(2 * log(1 + visits) / (1 + tried));
    return q + s->p.exploration * e->prior * sqrt(1 + visits) / (1 + tried);
}

bool rg__edge_alive(const struct rg__search *s, const struct rg__edge *e)
{
    return !rg__edge_failed(s, e) && !(e->state == RG__EDGE_LINKED && s->nodes[e->child].exhausted[s->choosing]) &&
           !(e->state == RG__EDGE_OPEN && (s->coder_down[e->coder] || !rg__needs_met(s, e)));
}

/* Tuning a node further competes with the steps that go on from it. */
static const uint32_t tune_it = RG__NONE - 1;

static double tune_prior(const struct rg__search *s, uint32_t node)
{
    double us = rg__node_expected(s, node), near = s->best_us > 0 && us > 0 ? s->best_us / us : 1;
    return s->p.tune_prior * pow(near, s->p.tune_focus);
}

/* The best selectable edge of a node, or `tune_it`. none: nothing ever; RG__NONE without it: nothing now. */
static uint32_t pick(struct rg__search *s, uint32_t node, bool uct, bool *none)
{
    struct rg__node *n = &s->nodes[node];
    double visits = 0, scale = rg__search_scale(s), top = -INFINITY;
    for (int i = 0; i < n->n_edges; i++) {
        const struct rg__edge *e = &s->edges[n->edges[i]];
        visits += tries(s, e);
    }
    bool tunes = s->choosing == RG__LANE_BUILT_IN;
    if (tunes) visits += n->tunes + n->tuning;
    int width = uct ? n->n_edges : (int)(s->p.widen_base + s->p.widen_rate * sqrt(visits)), live = 0;
    uint32_t best = RG__NONE;
    *none = uct || !tunes || !n->tuning;
    if (!uct && tunes && rg__can_tune(s, node)) {
        *none = false;
        best = tune_it;
        top = hoped(bounded(n->g / scale), rg__node_hope(s, node)) +
              s->p.exploration * tune_prior(s, node) * sqrt(1 + visits) / (1 + n->tunes);
    }
    for (int i = 0; i < n->n_edges; i++) {
        const struct rg__edge *e = &s->edges[n->edges[i]];
        bool blank = e->state == RG__EDGE_LINKED && rg__ahead_blank(s, e->child); /* for who made it as untried */
        bool others = (blank || e->state != RG__EDGE_LINKED) && rg__lane_of_coder(s, e->coder) != s->choosing;
        if (!rg__edge_alive(s, e) || others) continue;
        *none = false;
        if (e->state == RG__EDGE_PENDING || (blank && s->nodes[e->child].tuning)) {
            live++;
            continue;
        }
        if (e->state == RG__EDGE_LINKED && s->nodes[e->child].round == s->round) continue; /* waits for results */
        if (live++ >= width) break;
        double x = score(s, n, e, visits, uct, scale);
        if (x > top || (x == top && best < tune_it && e->tie > s->edges[best].tie)) {
            top = x;
            best = n->edges[i];
        }
    }
    return best;
}

static void bump(struct rg__search *s, const struct rg__action *a)
{
    for (int i = 0; i < a->n_path; i++) {
        s->edges[a->path[i]].visits++;
        s->edges[a->path[i]].wins++;
    }
    rg__graph_refresh(s, s->edges[a->path[a->n_path - 1]].child);
}

static void clear_path(struct rg__action *a)
{
    free(a->path);
    a->path = NULL;
    a->n_path = 0;
}

static void resample(struct rg__search *s, uint32_t edge)
{
    const struct rg__edge *e = &s->edges[edge], *group = &s->edges[e->group];
    if (!s->coders[e->coder]->stochastic) return;
    if (s->n_lanes > 1 && s->choosing != RG__LANE_MODEL) return;
    if ((s->n_lanes > 1 ? e->asked : e->visits) >= pow(s->p.resample_base, group->n_samples))
        rg__expand_sample(s, edge);
}

static enum rg_status descend(struct rg__search *s, struct rg__action *a, bool uct, enum rg__next *what,
                              struct rg_error *err)
{
    s->round++;
    for (;;) {
        uint32_t node = RG__ROOT;
        clear_path(a);
        for (;;) {
            enum rg_status st = rg__expand(s, node, err);
            if (st != RG_OK) return st;
            if (!uct) rg__expand_reweigh(s, node);
            bool none;
            uint32_t edge = pick(s, node, uct, &none);
            if (edge == RG__NONE) {
                if (none)
                    s->nodes[node].exhausted[s->choosing] = true;
                else
                    s->nodes[node].round = s->round;
                if (node == RG__ROOT) {
                    *what = none ? RG__NEXT_END : RG__NEXT_WAIT;
                    return RG_OK;
                }
                break; /* from the root again: this node is now left out */
            }
            if (edge == tune_it) {
                *what = RG__NEXT_ACTION;
                rg__action_further(s, a, node, "tune");
                return RG_OK;
            }
            const struct rg__edge *e = &s->edges[edge];
            if (e->state == RG__EDGE_OPEN) {
                *what = RG__NEXT_ACTION;
                rg__action_edge(s, a, edge);
                if (!uct) rg__ahead_make(s, a);
                return RG_OK;
            }
            if (rg__ahead_blank(s, e->child)) {
                *what = RG__NEXT_ACTION;
                rg__ahead_measure(s, a, edge);
                return RG_OK;
            }
            node = e->child;
            rg__action_path(a, edge);
            resample(s, edge);
            if (s->choosing == RG__LANE_BUILT_IN && s->nodes[node].visits > s->edges[edge].visits) {
                bump(s, a); /* measured through another parent: taken over for free */
                break;
            }
        }
    }
}

/* A marked way: edges by which earlier runs in these circumstances found their best. From the root it is taken at once
 * by coders that cost nothing: its steps are applied, and only what it ends at is measured, at the values that those
 * runs ended at. What it leads past, and ways that a model's code would have to be asked for, are measured as any
 * action; the search goes on along marked edges from there too, as a step on the way may cost and by its value alone
 * would not be built on. At most once an edge, as only untried ones are followed. */
struct follow {
    uint32_t node; /* RG__NONE: nothing to go on from */
    bool skims;    /* from the root on, nothing measured so far */
    bool waits;    /* for the step under way */
    int n_path;
    uint32_t *path;
};

static void follow_from(struct follow *f, uint32_t edge, uint32_t node)
{
    f->path = rg_xrealloc(f->path, (size_t)(f->n_path + 1) * sizeof *f->path);
    f->path[f->n_path++] = edge;
    f->node = node;
}

/* The way's end: it is measured where it was not. */
static void end_way(struct rg__search *s, struct follow *f, uint32_t node, struct rg__action *a, bool *found)
{
    *found = f->skims && node != RG__ROOT && s->nodes[node].n_trials == 0 && !s->nodes[node].tuning;
    f->skims = false;
    if (!*found) return;
    for (int k = 0; k < f->n_path; k++) rg__action_path(a, f->path[k]);
    a->parent = a->target = node;
    a->coder = s->edges[f->path[f->n_path - 1]].coder;
    a->marked = true;
}

/* The next untried led action from where the last one ended, over led ones that were tried. */
static enum rg_status go_on(struct rg__search *s, struct follow *f, struct rg__action *a, bool *found,
                            struct rg_error *err)
{
    *found = false;
    while (f->node != RG__NONE && !*found) {
        uint32_t at = f->node;
        enum rg_status st = rg__expand(s, at, err);
        if (st != RG_OK) return st;
        const struct rg__node *n = &s->nodes[at];
        f->node = RG__NONE;
        uint32_t on = RG__NONE;
        for (int i = 0; i < n->n_edges && !*found; i++) {
            const struct rg__edge *e = &s->edges[n->edges[i]];
            if (!rg__edge_led(s, e) || !rg__edge_alive(s, e) || rg__lane_of_coder(s, e->coder)) continue;
            if (f->skims && s->coders[e->coder]->stochastic) continue;
            if (e->state == RG__EDGE_OPEN) {
                for (int k = 0; k < f->n_path; k++) rg__action_path(a, f->path[k]);
                rg__action_edge(s, a, n->edges[i]);
                a->measure = !f->skims;
                f->waits = f->skims;
                *found = true;
            } else if (e->state == RG__EDGE_LINKED && on == RG__NONE)
                on = n->edges[i];
        }
        if (!*found && on != RG__NONE)
            follow_from(f, on, s->edges[on].child);
        else if (!*found)
            end_way(s, f, at, a, found);
    }
    return RG_OK;
}

static void start_follow(struct rg__search *s)
{
    struct follow *f = rg_xcalloc(1, sizeof *f);
    f->node = RG__ROOT;
    f->skims = true;
    s->policy_state = f;
}

static void stop_follow(struct rg__search *s)
{
    struct follow *f = s->policy_state;
    if (f) free(f->path);
    free(f);
    s->policy_state = NULL;
}

static enum rg_status done_follow(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    struct follow *f = s->policy_state;
    bool skimmed = !a->measure;
    if (a->lane == RG__LANE_MODEL) return RG_OK;
    rg__ahead_done(s, a);
    if (skimmed) f->waits = false;
    if (skimmed && (!a->linked || a->failed)) f->skims = false; /* as any other search from here */
    if (!a->linked || a->failed || a->edge == RG__NONE || !rg__edge_led(s, &s->edges[a->edge])) return RG_OK;
    f->n_path = 0;
    for (int k = 0; k < a->n_path; k++) follow_from(f, a->path[k], RG__NONE);
    follow_from(f, a->edge, a->node);
    return RG_OK;
}

/* What a model is asked before the values decide: the whole program its own way, where nobody else can; and what it
 * would do to a new best. */
static uint32_t model_first(const struct rg__search *s, uint32_t node, bool of_best)
{
    const struct rg__node *n = &s->nodes[node];
    for (int i = 0; i < n->n_edges; i++) {
        const struct rg__edge *e = &s->edges[n->edges[i]];
        if (e->state != RG__EDGE_OPEN || e->sample > 0 || !s->coders[e->coder]->stochastic || !rg__edge_alive(s, e))
            continue;
        const struct rg_step *step = rg_regraph_step(s->g, e->step);
        if (of_best ? step->needs == RG_NEEDS_BEST : !step->poly && step->once == RG_ONCE_NO) return n->edges[i];
    }
    return RG__NONE;
}

static enum rg_status ask_first(struct rg__search *s, struct rg__action *a, bool *found, struct rg_error *err)
{
    const uint32_t places[] = {RG__ROOT, s->best_node};
    uint32_t repair = s->repair;
    s->repair = RG__NONE;
    *found = repair != RG__NONE && s->edges[repair].state == RG__EDGE_OPEN && rg__edge_alive(s, &s->edges[repair]);
    if (*found) rg__action_take(s, a, repair);
    for (int k = 0; k < (s->best_us > 0 ? 2 : 1) && !*found; k++) {
        enum rg_status st = rg__expand(s, places[k], err);
        if (st != RG_OK) return st;
        uint32_t edge = model_first(s, places[k], k == 1);
        if (edge == RG__NONE) continue;
        rg__action_take(s, a, edge);
        *found = true;
    }
    return RG_OK;
}

static enum rg_status next_puct(struct rg__search *s, struct rg__action *a, enum rg__next *what, struct rg_error *err)
{
    struct follow *f = s->policy_state;
    bool found = false;
    enum rg_status st = RG_OK;
    if (s->choosing == RG__LANE_BUILT_IN) { /* marked ways are its own */
        if (f->waits) {
            *what = RG__NEXT_WAIT;
            return RG_OK;
        }
        st = go_on(s, f, a, &found, err);
        if (st == RG_OK && !found) st = rg__ahead_next(s, a, &found, err);
    }
    bool model = s->n_lanes > 1 ? s->choosing == RG__LANE_MODEL : s->coders[0]->stochastic && !rg__lanes_mixed(s);
    if (st == RG_OK && !found && model) st = ask_first(s, a, &found, err);
    *what = RG__NEXT_ACTION;
    return st != RG_OK || found ? st : descend(s, a, false, what, err);
}

static enum rg_status next_uct(struct rg__search *s, struct rg__action *a, enum rg__next *what, struct rg_error *err)
{
    return descend(s, a, true, what, err);
}

const struct rg__policy rg__policy_mcgs = {"mcgs",      start_follow,  next_puct,   done_follow,
                                           stop_follow, .lanes = true, .lean = true};
const struct rg__policy rg__policy_uct = {"uct", NULL, next_uct, NULL, NULL, .lanes = true};
