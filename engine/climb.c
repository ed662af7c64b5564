/* Controls that follow results in simple ways: greedy (first improvement), refine (always on from the last that
 * verified), beam (level by level), exhaustive (every action of node after node;
 * records tables). */
#include "engine/engine.h"
#include <math.h>
#include <rg/buf.h>
#include <rg/similar.h>
#include <stdlib.h>
#include <string.h>

static uint32_t first_open(const struct rg__search *s, const struct rg__node *n)
{
    for (int i = 0; i < n->n_edges; i++) {
        const struct rg__edge *e = &s->edges[n->edges[i]];
        if (e->state == RG__EDGE_OPEN && rg__edge_alive(s, e)) return n->edges[i];
    }
    return RG__NONE;
}

static bool standing(const struct rg__search *s, uint32_t node)
{
    const struct rg__node *n = &s->nodes[node];
    return node == RG__ROOT ||
           (n->n_trials > 0 && n->first_in != RG__NONE && !rg__edge_failed(s, &s->edges[n->first_in]));
}

/* Places are tried by expected time; what nobody knows comes last. */
static double order_time(const struct rg__search *s, uint32_t node)
{
    double us = rg__node_expected(s, node);
    return us > 0 ? us : INFINITY;
}

/* The fastest node that still has an open action; the root comes last. */
static enum rg_status fastest_open(struct rg__search *s, uint32_t *out, struct rg_error *err)
{
    for (;;) {
        uint32_t best = RG__NONE;
        for (uint32_t i = 0; i < (uint32_t)s->n_nodes; i++) {
            if (s->nodes[i].exhausted[0] || !standing(s, i)) continue;
            if (best == RG__NONE || best == RG__ROOT || (i != RG__ROOT && order_time(s, i) < order_time(s, best)))
                best = i;
        }
        *out = best;
        if (best == RG__NONE) return RG_OK;
        enum rg_status st = rg__expand(s, best, err);
        if (st != RG_OK || first_open(s, &s->nodes[best]) != RG__NONE) return st;
        s->nodes[best].exhausted[0] = true; /* here: no open action; done() lifts it when a sample is added */
    }
}

struct climb {
    uint32_t at;
    int pending;
};

static void climb_start(struct rg__search *s)
{
    s->policy_state = rg_xcalloc(1, sizeof(struct climb));
}

static void plain_stop(struct rg__search *s)
{
    free(s->policy_state);
    s->policy_state = NULL;
}

static enum rg_status climb_next(struct rg__search *s, struct rg__action *a, enum rg__next *what, struct rg_error *err)
{
    struct climb *c = s->policy_state;
    enum rg_status st = rg__expand(s, c->at, err);
    if (st != RG_OK) return st;
    uint32_t edge = first_open(s, &s->nodes[c->at]);
    if (edge == RG__NONE && c->pending == 0) {
        if ((st = fastest_open(s, &c->at, err)) != RG_OK) return st;
        if (c->at == RG__NONE) {
            c->at = RG__ROOT;
            *what = RG__NEXT_END;
            return RG_OK;
        }
        edge = first_open(s, &s->nodes[c->at]);
    }
    *what = edge == RG__NONE ? RG__NEXT_WAIT : RG__NEXT_ACTION;
    if (edge == RG__NONE) return RG_OK;
    rg__action_edge(s, a, edge);
    c->pending++;
    return RG_OK;
}

static enum rg_status refine_next(struct rg__search *s, struct rg__action *a, enum rg__next *what, struct rg_error *err)
{
    *what = RG__NEXT_WAIT;
    return ((struct climb *)s->policy_state)->pending ? RG_OK : climb_next(s, a, what, err);
}

static enum rg_status climb_done(struct rg__search *s, const struct rg__action *a, bool any)
{
    struct climb *c = s->policy_state;
    c->pending--;
    s->nodes[a->parent].exhausted[0] = false; /* a failure may have opened another sample or coder */
    if (a->failed || a->node == RG__NONE) return RG_OK;
    double was = c->at == RG__ROOT ? INFINITY : order_time(s, c->at);
    if (any || was == INFINITY || order_time(s, a->node) < was) c->at = a->node;
    return RG_OK;
}

static enum rg_status greedy_done(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    return climb_done(s, a, false);
}

static enum rg_status refine_done(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    return climb_done(s, a, true);
}

struct beam {
    int width, fan; /* nodes a level, actions a node */
    int n_level, at, pending;
    uint32_t *level;
    bool acted, fruitless; /* since the last restart from the root */
};

static void beam_start(struct rg__search *s)
{
    struct beam *b = rg_xcalloc(1, sizeof *b);
    b->width = (int)s->p.beam_width;
    b->fan = (int)s->p.beam_fan;
    b->level = rg_xcalloc(1, sizeof *b->level);
    b->n_level = 1; /* the root */
    s->policy_state = b;
}

static void beam_stop(struct rg__search *s)
{
    struct beam *b = s->policy_state;
    if (b) free(b->level);
    plain_stop(s);
}

static void insert_by_time(struct rg__search *s, uint32_t *level, int *n, int width, uint32_t node)
{
    for (int i = 0; i < *n; i++)
        if (level[i] == node) return;
    double t = order_time(s, node);
    int i = *n;
    while (i > 0 && order_time(s, level[i - 1]) > t) {
        if (i < width) level[i] = level[i - 1];
        i--;
    }
    if (i >= width) return;
    level[i] = node;
    if (*n < width) (*n)++;
}

/* The fastest children of this level; from the root again, twice as wide, when there are none. */
static void next_level(struct rg__search *s, struct beam *b)
{
    uint32_t *level = rg_xcalloc((size_t)b->width, sizeof *level);
    int n = 0;
    for (int i = 0; i < b->n_level; i++) {
        const struct rg__node *p = &s->nodes[b->level[i]];
        for (int j = 0; j < p->n_edges; j++) {
            const struct rg__edge *e = &s->edges[p->edges[j]];
            if (e->state == RG__EDGE_LINKED && !rg__edge_failed(s, e)) insert_by_time(s, level, &n, b->width, e->child);
        }
    }
    b->at = 0;
    free(b->level);
    b->level = level;
    b->n_level = n;
    if (n > 0) return;
    b->fruitless = !b->acted;
    b->acted = false;
    if (b->width < 1 << 20) {
        b->width *= 2;
        b->fan *= 2;
    }
    b->level[0] = RG__ROOT;
    b->n_level = 1;
}

static enum rg_status beam_next(struct rg__search *s, struct rg__action *a, enum rg__next *what, struct rg_error *err)
{
    struct beam *b = s->policy_state;
    int dry = 0; /* restarts in a row that found nothing to do */
    for (;;) {
        for (; b->at < b->n_level; b->at++) {
            uint32_t node = b->level[b->at];
            enum rg_status st = rg__expand(s, node, err);
            if (st != RG_OK) return st;
            const struct rg__node *n = &s->nodes[node];
            for (int i = 0; i < n->n_edges && i < b->fan; i++) {
                const struct rg__edge *e = &s->edges[n->edges[i]];
                if (e->state != RG__EDGE_OPEN || !rg__edge_alive(s, e)) continue;
                rg__action_edge(s, a, n->edges[i]);
                b->pending++;
                b->acted = true;
                *what = RG__NEXT_ACTION;
                return RG_OK;
            }
        }
        *what = RG__NEXT_WAIT;
        if (b->pending) return RG_OK;
        next_level(s, b);
        if (b->level[0] == RG__ROOT && b->fruitless && ++dry > (int)s->p.beam_dry) { /* wider than any graph here */
            *what = RG__NEXT_END;
            return RG_OK;
        }
    }
}

static enum rg_status beam_done(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    ((struct beam *)s->policy_state)->pending--;
    return RG_OK;
}

/* Every action of a node, then of another: in turn the oldest (what is behind a slow step is seen, too) and the fastest
 * (the ways that matter are followed to their ends, within any budget). */
struct sweep {
    uint32_t at;
    int finished; /* nodes */
};

static void sweep_start(struct rg__search *s)
{
    s->policy_state = rg_xcalloc(1, sizeof(struct sweep));
}

static enum rg_status oldest_open(struct rg__search *s, uint32_t *out, struct rg_error *err)
{
    *out = RG__NONE;
    for (uint32_t i = 0; i < (uint32_t)s->n_nodes && *out == RG__NONE; i++) {
        if (s->nodes[i].exhausted[0] || !standing(s, i)) continue;
        enum rg_status st = rg__expand(s, i, err);
        if (st != RG_OK) return st;
        if (first_open(s, &s->nodes[i]) != RG__NONE)
            *out = i;
        else if (s->n_actions == 0)
            s->nodes[i].exhausted[0] = true;
    }
    return RG_OK;
}

static enum rg_status exhaustive_next(struct rg__search *s, struct rg__action *a, enum rg__next *what,
                                      struct rg_error *err)
{
    struct sweep *w = s->policy_state;
    enum rg_status st = rg__expand(s, w->at, err);
    if (st != RG_OK) return st;
    uint32_t edge = first_open(s, &s->nodes[w->at]);
    if (edge == RG__NONE && s->n_actions == 0) {
        uint32_t next;
        st = ++w->finished % 2 ? oldest_open(s, &next, err) : fastest_open(s, &next, err);
        if (st != RG_OK) return st;
        if (next != RG__NONE) {
            w->at = next;
            edge = first_open(s, &s->nodes[next]);
        }
    }
    if (edge != RG__NONE) rg__action_edge(s, a, edge);
    *what = edge != RG__NONE ? RG__NEXT_ACTION : s->n_actions ? RG__NEXT_WAIT : RG__NEXT_END;
    return RG_OK;
}

/* A failure may have opened another sample or coder. */
static enum rg_status exhaustive_done(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    s->nodes[a->parent].exhausted[0] = false;
    return RG_OK;
}

const struct rg__policy rg__policy_greedy = {"greedy", climb_start, climb_next, greedy_done, plain_stop, .lean = false};
const struct rg__policy rg__policy_refine = {"refine",    climb_start, refine_next,
                                             refine_done, plain_stop,  .lean = false};
const struct rg__policy rg__policy_beam = {"beam", beam_start, beam_next, beam_done, beam_stop, .lean = false};
const struct rg__policy rg__policy_exhaustive = {"exhaustive",    sweep_start, exhaustive_next,
                                                 exhaustive_done, plain_stop,  .lean = false};

static const struct rg__policy *const policies[] = {&rg__policy_mcgs,   &rg__policy_uct,       &rg__policy_random,
                                                    &rg__policy_greedy, &rg__policy_beam,      &rg__policy_best_of_n,
                                                    &rg__policy_refine, &rg__policy_exhaustive};
enum { N_POLICIES = sizeof policies / sizeof *policies };

const struct rg__policy *rg__policy_find(const char *name)
{
    if (!name) return policies[0];
    for (int i = 0; i < N_POLICIES; i++)
        if (!strcmp(policies[i]->name, name)) return policies[i];
    return NULL;
}

const char *rg__policy_near(const char *name, char out[160])
{
    const char *known[N_POLICIES];
    for (int i = 0; i < N_POLICIES; i++) known[i] = policies[i]->name;
    return rg_did_you_mean(name, known, N_POLICIES, out);
}

void rg__policy_names(struct rg_buf *out)
{
    for (int i = 0; i < N_POLICIES; i++) rg_buf_printf(out, "%s%s", i ? ", " : "", policies[i]->name);
}
