/* Move memory: what changing one tunable from one value to another did to the time, wherever this run saw it. The same
 * move tends to do the same at another candidate, so the tuner tries moves in this order. Pairs of trials of one node
 * that differ in one tunable alone are observations; each carries the commit it was seen at, so that an action knows
 * what was known when it was selected, whatever finished since. */
#include "engine/engine.h"
#include <math.h>
#include <rg/buf.h>
#include <string.h>

int rg__search_name(struct rg__search *s, const char *name)
{
    for (int i = 0; i < s->n_move_names; i++)
        if (!strcmp(s->move_names[i], name)) return i;
    RG_GROW(s->move_names, s->n_move_names, s->cap_move_names);
    s->move_names[s->n_move_names] = rg_arena_strdup(&s->arena, name);
    return s->n_move_names++;
}

/* The one tunable in which two vectors differ; -1: none, or several. */
static int only_difference(const struct rg_vector *a, const struct rg_vector *b)
{
    int at = -1;
    for (int i = 0; i < a->n && a->n == b->n; i++) {
        if (a->values[i] == b->values[i]) continue;
        if (at >= 0) return -1;
        at = i;
    }
    return at;
}

void rg__search_moves_note(struct rg__search *s, uint32_t node, int from_trial)
{
    const struct rg__node *n = &s->nodes[node];
    for (int k = from_trial; k < n->n_trials; k++) {
        double mine = rg__expected(s, n->trials[k].e);
        for (int j = 0; j < k && mine > 0; j++) {
            double other = rg__expected(s, n->trials[j].e);
            int at = other > 0 ? only_difference(&n->trials[j].v, &n->trials[k].v) : -1;
            if (at < 0) continue;
            RG_GROW(s->moves, s->n_moves, s->cap_moves);
            s->moves[s->n_moves++] =
                (struct rg__move){rg__search_name(s, n->tmpl->tunables.items[at].name), s->commits,
                                  n->trials[j].v.values[at], n->trials[k].v.values[at], log(other / mine)};
        }
    }
}

double rg__search_moves_gain(const struct rg__search *s, uint32_t stamp, const char *name, int64_t from, int64_t to)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < s->n_moves && s->moves[i].stamp <= stamp; i++) {
        const struct rg__move *m = &s->moves[i];
        bool forth = m->from == from && m->to == to, back = m->from == to && m->to == from;
        if (!(forth || back) || strcmp(s->move_names[m->name], name)) continue;
        sum += forth ? m->gain : -m->gain;
        n++;
    }
    return n ? sum / n : 0;
}
