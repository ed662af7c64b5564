/* When patience is out: what is nearest to the best and was not tried yet, at most half as many evaluations again. A
 * step that the best candidate still offers, or a neighbour of its vector, is the likeliest way to a better one that a
 * run can leave behind; whether one more evaluation would have met it should not decide where a run ends. Part of the
 * closing section: a run that goes on with more patience does so from where it was out. */
#include "engine/engine.h"
#include <rg/buf.h>
#include <stdlib.h>

/* Candidates about as fast as the best: which of them is the best may be noise. */
enum { PLACES = 3 };

static uint32_t fastest(const struct rg__search *s, const uint32_t *known, int n)
{
    uint32_t best = RG__NONE;
    for (uint32_t i = 1; i < (uint32_t)s->n_nodes; i++) {
        double us = rg__node_time(s, i);
        bool taken = us <= 0 || s->nodes[i].outcome != RG_OUTCOME_OK || us > s->p.linger_within * s->best_us;
        for (int k = 0; k < n; k++) taken = taken || known[k] == i;
        if (!taken && (best == RG__NONE || us < rg__node_time(s, best))) best = i;
    }
    return best;
}

/* An untried step there; only coders that cost nothing and answer once are asked. */
static enum rg_status untried(struct rg__search *s, uint32_t node, uint32_t *edge, struct rg_error *err)
{
    *edge = RG__NONE;
    enum rg_status st = rg__expand(s, node, err);
    const struct rg__node *n = &s->nodes[node];
    for (int i = 0; i < n->n_edges && st == RG_OK && *edge == RG__NONE; i++) {
        const struct rg__edge *e = &s->edges[n->edges[i]];
        if (e->state == RG__EDGE_OPEN && rg__edge_alive(s, e) && !s->coders[e->coder]->stochastic) *edge = n->edges[i];
    }
    return st;
}

static enum rg_status next(struct rg__search *s, struct rg__action *a, enum rg__next *what, struct rg_error *err)
{
    uint32_t places[PLACES] = {s->best_node};
    const int *from = s->policy_state;
    int begun = *from > s->best_at ? *from : s->best_at;
    *what = RG__NEXT_END;
    if (s->out->evaluations - begun >= s->o->patience / 2) return RG_OK;
    for (int i = 0; i < PLACES; i++) {
        uint32_t edge, node = i ? fastest(s, places, i) : s->best_node;
        if (node == RG__NONE) break;
        places[i] = node;
        enum rg_status st = untried(s, node, &edge, err);
        if (st != RG_OK) return st;
        *what = RG__NEXT_ACTION;
        if (edge != RG__NONE) {
            rg__action_edge(s, a, edge);
            a->purpose = "linger";
            return RG_OK;
        }
        if (!s->nodes[node].polished && rg__can_tune(s, node)) {
            s->nodes[node].polished = true;
            rg__action_further(s, a, node, "polish");
            return RG_OK;
        }
        *what = RG__NEXT_END;
    }
    if (s->n_actions) *what = RG__NEXT_WAIT; /* one under way may become the best */
    return RG_OK;
}

static void start(struct rg__search *s)
{
    int *from = rg_xcalloc(1, sizeof *from);
    *from = s->out->evaluations;
    s->policy_state = from;
}

static void stop(struct rg__search *s)
{
    free(s->policy_state);
    s->policy_state = NULL;
}

const struct rg__policy rg__policy_linger = {"linger", start, next, NULL, stop, .lean = true};
