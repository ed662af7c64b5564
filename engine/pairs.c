/* Before and after of each step's largest gain: examples for coders that learn from them. */
#include "engine/engine.h"
#include <stdlib.h>

static struct rg_pair *pair_for(struct rg_search_result *r, const char *step)
{
    for (int i = 0; i < r->n_pairs; i++)
        if (r->pairs[i].step == step) return &r->pairs[i];
    r->pairs = rg_xrealloc(r->pairs, (size_t)(r->n_pairs + 1) * sizeof *r->pairs);
    r->pairs[r->n_pairs] = (struct rg_pair){.step = step};
    return &r->pairs[r->n_pairs++];
}

void rg__pairs(struct rg__search *s)
{
    for (int i = 0; i < s->n_credits; i++) {
        const struct rg__credit *c = &s->credits[i];
        if (c->child == RG__NONE || c->noop || c->left_out || c->regraph_edge < 0 || c->parent == RG__ROOT) continue;
        const struct rg__node *parent = &s->nodes[c->parent], *child = &s->nodes[c->child];
        const struct rg__trial *pb = rg__node_best(s, c->parent), *cb = rg__node_best(s, c->child);
        if (!parent->tmpl || !child->tmpl || !pb || !cb) continue;
        double gain = rg__trial_evaluation(pb)->time_us / rg__trial_evaluation(cb)->time_us;
        if (!(gain >= s->p.example_gain)) continue;
        struct rg_pair *x = pair_for(s->out, rg_regraph_step(s->g, rg_regraph_edge(s->g, c->regraph_edge)->to)->id);
        if (x->gain >= gain) continue;
        rg_template_unref(x->before);
        rg_template_unref(x->after);
        *x = (struct rg_pair){x->step, gain, rg_template_ref(parent->tmpl), rg_template_ref(child->tmpl), pb->v, cb->v};
    }
}
