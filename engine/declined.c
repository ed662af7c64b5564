/* What a stochastic coder declined. It has seen the whole program: what makes no sense there makes none after further
 * steps, so the action is closed at its node and at all nodes below, those that are yet to come included. */
#include "engine/engine.h"
#include <rg/buf.h>
#include <stdlib.h>
#include <string.h>

static bool same_action(const struct rg__edge *e, int step, const char *site, int coder)
{
    return e->step == step && e->coder == coder && !strcmp(e->site, site);
}

/* What is asked of the best alone is asked of each best anew. */
static bool of_one_version(const struct rg__search *s, int step)
{
    return rg_regraph_step(s->g, step)->needs == RG_NEEDS_BEST;
}

bool rg__declined_above(struct rg__search *s, uint32_t node, int step, const char *site, int coder)
{
    if (!s->coders[coder]->stochastic || step < 0 || of_one_version(s, step)) return false;
    int n;
    bool found = false;
    uint32_t *above = rg__graph_closure(s, node, true, &n);
    for (int i = 0; i < n && !found; i++) {
        const struct rg__node *x = &s->nodes[above[i]];
        for (int k = 0; k < x->n_edges && !found; k++) {
            const struct rg__edge *e = &s->edges[x->edges[k]];
            found = e->refused && same_action(e, step, site, coder);
        }
    }
    free(above);
    return found;
}

void rg__decline_below(struct rg__search *s, uint32_t node)
{
    int n;
    uint32_t *below = rg__graph_closure(s, node, false, &n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < s->nodes[below[i]].n_edges; k++) {
            struct rg__edge *e = &s->edges[s->nodes[below[i]].edges[k]];
            if (e->state == RG__EDGE_OPEN && rg__declined_above(s, below[i], e->step, e->site, e->coder))
                e->state = RG__EDGE_CLOSED;
        }
    free(below);
}

void rg__decline(struct rg__search *s, uint32_t edge)
{
    struct rg__edge *declined = &s->edges[edge];
    declined->refused = true;
    s->edges[declined->group].n_refused++;
    int n;
    uint32_t *below = rg__graph_closure(s, declined->parent, false, &n);
    if (of_one_version(s, declined->step)) n = 1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < s->nodes[below[i]].n_edges; k++) {
            struct rg__edge *e = &s->edges[s->nodes[below[i]].edges[k]];
            if (e->state == RG__EDGE_OPEN && same_action(e, declined->step, declined->site, declined->coder))
                e->state = RG__EDGE_CLOSED;
        }
    free(below);
}

bool rg__needs_met(const struct rg__search *s, const struct rg__edge *e)
{
    if (e->step < 0 || !s->coders[e->coder]->stochastic) return true;
    switch (rg_regraph_step(s->g, e->step)->needs) {
    case RG_NEEDS_NO_BEST:
        return s->best_us <= 0;
    case RG_NEEDS_BEST:
        return s->best_us > 0 && e->parent == s->best_node;
    case RG_NEEDS_NOTHING:
    case RG_NEEDS_CODE:
    case RG_NEEDS_LAUNCHES:
    case RG_NEEDS_FORM:
        break; /* the coder's own business */
    }
    return true;
}
