/* naive, the baseline every value is measured against (design section 1): the first of the graph's baseline chains
 * whose candidate verifies at default tunables. Runs before the policy, by the first deterministic coder; its nodes
 * join the search graph untuned and are found again by key. Where none of it verifies, the first verified candidate is
 * naive (commit.c). */
#include "engine/engine.h"
#include <rg/buf.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SITES = 16 };

struct baseline {
    const struct rg_baseline_chain *chains;
    int n_chains, chain, item; /* where it stands; item: of the chain, its length: to be measured */
    bool waiting, measured;
    int coder;
    uint32_t node, before,
        plain; /* before this item; plain: without the optional steps at the end, NONE: there are none */
    int n_used;
    const char *used[MOST_SITES]; /* sites of this item already tried, in the arena */
    bool shared, sharing;         /* what one thread runs of the chain's candidate was seen to; is being seen to */
    struct rg__lone lone;
};

static void start(struct rg__search *s)
{
    struct baseline *b = rg_xcalloc(1, sizeof *b);
    b->chains = rg_regraph_baseline(s->g, &b->n_chains);
    b->coder = -1;
    for (int c = 0; c < s->n_coders && b->coder < 0; c++)
        if (!s->coders[c]->stochastic) b->coder = c;
    if (b->coder < 0) b->chain = b->n_chains;
    b->plain = RG__NONE;
    s->policy_state = b;
}

/* The next site of this item that was not tried yet, if it is still to be applied there. */
static enum rg_status next_site(struct rg__search *s, struct baseline *b, struct rg__action *a, bool *found,
                                struct rg_error *err)
{
    const struct rg_baseline_step *item = &b->chains[b->chain].items[b->item];
    *found = false;
    int step = rg_regraph_find(s->g, item->step);
    if (step < 0 || s->forbidden[step] || (item->optional && b->n_used)) return RG_OK;
    struct rg_site_list sites;
    enum rg_status st = rg__sites(s, b->coder, s->nodes[b->node].tmpl, step, &sites, err);
    if (st != RG_OK) return st;
    for (int i = 0; i < sites.n && !*found && b->n_used < MOST_SITES; i++) {
        bool used = item->site && strcmp(item->site, sites.items[i].name);
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

static void next_chain(struct baseline *b)
{
    b->chain++;
    b->item = b->n_used = 0;
    b->node = b->before = RG__ROOT;
    b->plain = RG__NONE;
    b->measured = b->shared = b->sharing = false;
}

/* The item has no further site. A step that is needed and did nothing ends its chain. */
static void next_item(struct baseline *b)
{
    const struct rg_baseline_step *item = &b->chains[b->chain].items[b->item];
    if (item->optional && b->node != b->before && b->plain == RG__NONE) b->plain = b->before;
    if (!item->optional) b->plain = RG__NONE;
    if (!item->optional && b->node == b->before) {
        next_chain(b);
        return;
    }
    b->item++;
    b->n_used = 0;
    b->before = b->node;
}

/* Before the chain's candidate is measured: a step that shares what one thread would run of it for too long. */
static enum rg_status share(struct rg__search *s, struct baseline *b, struct rg__action *a, bool *found,
                            struct rg_error *err)
{
    if (!b->shared) {
        b->shared = true;
        rg__lone_begin(s, &b->lone, b->node);
        b->sharing = b->lone.work >= s->p.lone_first;
        b->before = b->node;
    }
    if (!b->sharing) return RG_OK;
    enum rg_status st = rg__lone_next(s, &b->lone, a, found, err);
    if (st != RG_OK || *found) return st;
    b->sharing = false;
    if (b->lone.node != b->before && b->plain == RG__NONE) b->plain = b->before;
    b->node = b->lone.node;
    return RG_OK;
}

static enum rg_status next(struct rg__search *s, struct rg__action *a, enum rg__next *what, struct rg_error *err)
{
    struct baseline *b = s->policy_state;
    a->purpose = "naive";
    *what = RG__NEXT_WAIT;
    if (b->waiting) return RG_OK;
    *what = RG__NEXT_ACTION;
    while (b->chain < b->n_chains) {
        bool found = false;
        if (b->item < b->chains[b->chain].n) {
            enum rg_status st = next_site(s, b, a, &found, err);
            if (st != RG_OK) return st;
            if (!found) {
                next_item(b);
                continue;
            }
        } else {
            enum rg_status st = share(s, b, a, &found, err);
            if (st != RG_OK) return st;
            if (!found) {
                a->parent = a->target = b->node;
                a->tune = false;
            }
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
    if (a->wants_coder && b->sharing) {
        rg__lone_done(s, &b->lone, a);
        return RG_OK;
    }
    if (a->wants_coder) {
        if (a->node != RG__NONE && a->node != a->parent) b->node = a->node;
        return RG_OK;
    }
    const struct rg__trial *t = rg__node_best(s, a->node);
    if (t) {
        rg__naive_is(s, a->node, rg__trial_evaluation(t));
        b->chain = b->n_chains;
        return rg__line_naive(s, err);
    }
    if (!b->measured && b->plain != RG__NONE) { /* once more without what is optional */
        b->measured = true;
        b->node = b->plain;
        return RG_OK;
    }
    s->unfit[rg_regraph_find(s->g, b->chains[b->chain].items[0].step)] = true;
    next_chain(b);
    return RG_OK;
}

static void stop(struct rg__search *s)
{
    free(s->policy_state);
    s->policy_state = NULL;
}

const struct rg__policy rg__policy_baseline = {"naive", start, next, done, stop, .lean = false};
