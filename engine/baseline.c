/* naive, the baseline every value is measured against (design section 1): wavefront, where another order of a nest pays,
 * or parallelize, + coalesce at default tunables, else reduce.block. Runs before the policy, by the first deterministic coder; its nodes join the search graph
 * untuned and are found again by key. Where none of it verifies, the first verified candidate is naive (commit.c). */
#include "engine/engine.h"
#include <rg/buf.h>
#include <stdlib.h>
#include <string.h>

enum phase { WAVEFRONT, ORDERED, PARALLELIZE, COALESCE, MEASURE, MEASURE_PLAIN, REDUCE, MEASURE_REDUCE, OVER };
enum { MOST_SITES = 16 };

struct baseline {
    enum phase phase;
    bool waiting, ordered; /* ordered: by wavefront */
    int coder;
    uint32_t node, plain; /* plain: without coalesce */
    int n_used;
    const char *used[MOST_SITES]; /* sites already tried, in the arena */
};

static void start(struct rg__search *s)
{
    struct baseline *b = rg_xcalloc(1, sizeof *b);
    b->coder = -1;
    for (int c = 0; c < s->n_coders && b->coder < 0; c++)
        if (!s->coders[c]->stochastic) b->coder = c;
    if (b->coder < 0) b->phase = OVER;
    b->plain = RG__NONE;
    s->policy_state = b;
}

static enum rg_status next_site(struct rg__search *s, struct baseline *b, const char *step_id, struct rg__action *a,
                                bool *found, struct rg_error *err)
{
    *found = false;
    int step = rg_regraph_find(s->g, step_id);
    if (step < 0 || s->forbidden[step]) return RG_OK;
    struct rg_site_list sites;
    enum rg_status st = rg__sites(s, b->coder, s->nodes[b->node].tmpl, step, &sites, err);
    if (st != RG_OK) return st;
    for (int i = 0; i < sites.n && !*found && b->n_used < MOST_SITES; i++) {
        bool used = false;
        for (int k = 0; k < b->n_used; k++) used = used || !strcmp(b->used[k], sites.items[i].name);
        if (used) continue;
        *found = true;
        b->used[b->n_used++] = a->site = rg_arena_strdup(&s->arena, sites.items[i].name);
        a->step = step;
        a->coder = b->coder;
        a->wants_coder = true;
        a->measure = false;
        a->parent = b->node;
    }
    rg_site_list_release(&sites);
    return RG_OK;
}

static void measure(struct rg__action *a, uint32_t node)
{
    a->parent = a->target = node;
    a->tune = false;
}

static enum rg_status next(struct rg__search *s, struct rg__action *a, enum rg__next *what, struct rg_error *err)
{
    struct baseline *b = s->policy_state;
    a->purpose = "naive";
    *what = RG__NEXT_WAIT;
    if (b->waiting) return RG_OK;
    *what = RG__NEXT_ACTION;
    while (b->phase != OVER) {
        bool found = false;
        enum rg_status st = RG_OK;
        switch (b->phase) {
        case WAVEFRONT: /* of the whole program: single nests are choices of the search */
            st = next_site(s, b, "wavefront", a, &found, err);
            if (st != RG_OK) return st;
            found = found && !strcmp(a->site, "C");
            b->n_used = 0;
            b->phase = found ? ORDERED : PARALLELIZE;
            if (!found) continue;
            break;
        case ORDERED:
            b->ordered = b->node != RG__ROOT;
            b->plain = b->ordered ? b->node : RG__NONE;
            b->phase = b->ordered ? COALESCE : PARALLELIZE;
            continue;
        case PARALLELIZE:
        case REDUCE:
            st = next_site(s, b, b->phase == PARALLELIZE ? "parallelize" : "reduce.block", a, &found, err);
            if (st != RG_OK) return st;
            if (found) break;
            b->n_used = 0;
            if (b->phase == PARALLELIZE) {
                b->phase = b->node == RG__ROOT ? REDUCE : COALESCE;
                b->plain = b->node;
            } else
                b->phase = b->node == RG__ROOT ? OVER : MEASURE_REDUCE;
            continue;
        case COALESCE:
            b->phase = MEASURE; /* one site only: several remaps would undo each other */
            if ((st = next_site(s, b, "coalesce", a, &found, err)) != RG_OK) return st;
            if (!found) continue;
            break;
        default:
            measure(a, b->node);
        }
        b->waiting = true;
        return RG_OK;
    }
    *what = RG__NEXT_END;
    return RG_OK;
}

static enum rg_status done(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    struct baseline *b = s->policy_state;
    b->waiting = false;
    if (a->wants_coder) {
        if (a->node != RG__NONE && a->node != a->parent) b->node = a->node;
        return RG_OK;
    }
    const struct rg__trial *t = rg__node_best(s, a->node);
    if (t) {
        rg__naive_is(s, a->node, rg__trial_evaluation(t));
        b->phase = OVER;
        return rg__line_naive(s, err);
    }
    if (b->phase == MEASURE && b->node != b->plain) {
        b->node = b->plain;
        b->phase = MEASURE_PLAIN;
    } else if (b->phase == MEASURE_REDUCE)
        b->phase = OVER;
    else {
        b->phase = b->ordered ? PARALLELIZE : REDUCE;
        if (b->ordered) s->unfit = rg_regraph_find(s->g, "wavefront");
        b->ordered = false;
        b->node = RG__ROOT;
        b->n_used = 0;
    }
    return RG_OK;
}

static void stop(struct rg__search *s)
{
    free(s->policy_state);
    s->policy_state = NULL;
}

const struct rg__policy rg__policy_baseline = {"naive", start, next, done, stop, .lean = false};
