/* A stochastic coder asked for one step may take another one that was legal there. What it made is not thrown away: the
 * action moves to the edge really taken, which gets node, visit and credit; the edge asked counts as refused. */
#include "engine/engine.h"
#include <rg/buf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* It says what for and not how, and may be taken again and again: whatever a coder thinks of is such a step. */
static bool any_way(const struct rg_step *step)
{
    return !step->poly && step->once == RG_ONCE_NO;
}

static bool offered(const struct rg__search *s, const struct rg__action *a, int step)
{
    const struct rg_template *t = s->nodes[a->parent].tmpl;
    enum rg_once once = rg_regraph_step(s->g, step)->once;
    if (step == a->step || s->forbidden[step] || rg__best_edge(s, t, step, a->coder) < 0) return false;
    /* at the root any kernel shows any step */
    if (a->parent == RG__ROOT && !any_way(rg_regraph_step(s->g, step))) return false;
    return once == RG_ONCE_NO || rg__step_found(s, t, step, NULL) < 0; /* a coder of whole programs: at any site */
}

static double score(const struct rg__search *s, const struct rg__action *a, int step)
{
    int edge = rg__best_edge(s, s->nodes[a->parent].tmpl, step, a->coder);
    return s->weights.w[edge * s->n_coders + a->coder].score;
}

int rg__others(const struct rg__search *s, const struct rg__action *a, const struct rg_step ***out)
{
    *out = NULL;
    /* The chain of --apply is what was asked for and nothing else. */
    if (a->edge == RG__NONE || strcmp(a->purpose, "search")) return 0;
    if (!s->coders[a->coder]->stochastic) return 0;
    int n = 0, n_steps = rg_regraph_steps(s->g), *at = rg_xmalloc((size_t)n_steps * sizeof *at);
    for (int step = 0; step < n_steps; step++) {
        if (!offered(s, a, step)) continue;
        int i = n++;
        for (; i > 0 && score(s, a, at[i - 1]) < score(s, a, step); i--) at[i] = at[i - 1];
        at[i] = step;
    }
    *out = rg_xmalloc((size_t)(n ? n : 1) * sizeof **out);
    for (int i = 0; i < n; i++) (*out)[i] = rg_regraph_step(s->g, at[i]);
    free(at);
    return n;
}

/* How it stands at the node with the step for the action's coder and site: to be had is what nobody has tried there; a
 * way of the coder's own may be had again, unless it was declined. */
static bool to_be_had(const struct rg__search *s, const struct rg__action *a, const struct rg_step *step)
{
    const struct rg__node *at = &s->nodes[a->parent];
    bool open = false, declined = false;
    for (int k = 0; k < at->n_edges; k++) {
        const struct rg__edge *e = &s->edges[at->edges[k]];
        if (e->step < 0 || e->coder != a->coder || strcmp(e->site, a->site) || rg_regraph_step(s->g, e->step) != step)
            continue;
        open = open || e->state == RG__EDGE_OPEN;
        declined = declined || e->refused;
    }
    return any_way(step) ? !declined : open;
}

int rg__offered(const struct rg__search *s, const struct rg__action *a, const struct rg_step *const *others, int n,
                const struct rg_step ***out)
{
    int count = 0;
    *out = rg_xmalloc((size_t)(n ? n : 1) * sizeof **out);
    for (int any = 0; any < 2; any++) /* what says how comes first */
        for (int i = 0; i < n; i++)
            if (any_way(others[i]) == any && to_be_had(s, a, others[i])) (*out)[count++] = others[i];
    return count;
}

/* The edge of the search graph for (step, site, coder) at the action's parent: one that nobody has tried, else a
 * further sample of its group, else a new one. */
static uint32_t edge_for(struct rg__search *s, const struct rg__action *a, int step)
{
    const struct rg__node *n = &s->nodes[a->parent];
    uint32_t group = RG__NONE;
    for (int i = 0; i < n->n_edges; i++) {
        const struct rg__edge *e = &s->edges[n->edges[i]];
        if (e->step != step || e->coder != a->coder || strcmp(e->site, a->site)) continue;
        if (e->state == RG__EDGE_OPEN) return n->edges[i];
        group = e->group;
    }
    int regraph_edge = group != RG__NONE ? s->edges[group].regraph_edge : rg__best_edge(s, n->tmpl, step, a->coder);
    uint32_t e = rg__edge_add(s, a->parent, step, a->site, a->coder, regraph_edge);
    if (group != RG__NONE) {
        s->edges[e].group = group;
        s->edges[e].sample = s->edges[group].n_samples++;
    }
    return e;
}

enum rg_status rg__took_other(struct rg__search *s, struct rg__action *a, struct rg_error *err)
{
    int step =
        a->answer.kind == RG_ANSWER_TEMPLATE && a->answer.applied ? rg_regraph_find(s->g, a->answer.applied->id) : -1;
    if (step < 0 || step == a->step || a->edge == RG__NONE) return RG_OK;
    uint32_t asked = a->edge;
    struct rg__edge *e = &s->edges[asked], *group = &s->edges[e->group];
    e->state = RG__EDGE_CLOSED;
    if (a->lane == RG__LANE_BUILT_IN) {
        e->in_flight--;
        e->visits++; /* without a win: as a refusal counts */
    }
    if (!a->answer.declined) {
        char *message =
            rg_xasprintf("the step was not applied: your code shows '%s' instead", rg_regraph_step(s->g, step)->id);
        group->attempts = rg_xrealloc(group->attempts, (size_t)(group->n_attempts + 1) * sizeof *group->attempts);
        group->attempts[group->n_attempts++] = (struct rg_attempt){NULL, NULL, RG_OUTCOME_UNSUPPORTED, message};
    }
    a->asked_step = a->step;
    a->step = step;
    a->edge = edge_for(s, a, step); /* the edges may have moved */
    if (a->lane == RG__LANE_BUILT_IN)
        s->edges[a->edge].in_flight++;
    else
        s->edges[a->edge].asked++;
    if (a->answer.declined)
        rg__decline(s, asked); /* as by a refusal: it is closed here and below */
    else
        rg__expand_refused(s, asked);
    return rg__expand_fallback(s, asked, err);
}
