/* Controls that walk without looking at results: random (on the regraph's actions) and best-of-n (whole chains drawn
 * from the prior, only their ends measured). A walker for each action in flight. */
#include "engine/engine.h"
#include <rg/buf.h>
#include <stdlib.h>

struct walker {
    uint32_t node, action;
    bool busy;
    int length, wanted; /* best-of-n: chain length drawn for this sample */
};

struct walk {
    int n;
    struct walker *w;
};

static void start(struct rg__search *s)
{
    struct walk *k = rg_xcalloc(1, sizeof *k);
    k->n = s->in_flight;
    k->w = rg_xcalloc((size_t)k->n, sizeof *k->w);
    s->policy_state = k;
}

static void stop(struct rg__search *s)
{
    struct walk *k = s->policy_state;
    if (k) free(k->w);
    free(k);
    s->policy_state = NULL;
}

static bool usable(const struct rg__search *s, const struct rg__edge *e)
{
    return e->state != RG__EDGE_PENDING && rg__edge_alive(s, e);
}

/* Uniform over steps, then over the step's sites: the regraph's out-edges, not its sites, are what is walked. */
static uint32_t draw_uniform(struct rg__search *s, const struct rg__node *n)
{
    int steps = 0;
    for (int pass = 0, want = -1; pass < 2; pass++) {
        if (pass == 1) {
            if (steps == 0) return RG__NONE;
            want = (int)rg_rng_below(&s->rng, (uint64_t)steps);
        }
        int seen = 0;
        for (int i = 0; i < n->n_edges; i++) {
            const struct rg__edge *e = &s->edges[n->edges[i]];
            if (!usable(s, e)) continue;
            bool first = true;
            for (int j = 0; j < i && first; j++) {
                const struct rg__edge *x = &s->edges[n->edges[j]];
                if (x->step == e->step && usable(s, x)) first = false;
            }
            if (!first) continue;
            if (pass == 1 && seen == want) {
                int sites = 0;
                for (int j = i; j < n->n_edges; j++)
                    sites += s->edges[n->edges[j]].step == e->step && usable(s, &s->edges[n->edges[j]]);
                int site = (int)rg_rng_below(&s->rng, (uint64_t)sites);
                for (int j = i; j < n->n_edges; j++)
                    if (s->edges[n->edges[j]].step == e->step && usable(s, &s->edges[n->edges[j]]) && site-- == 0)
                        return n->edges[j];
            }
            seen++;
        }
        steps = seen;
    }
    return RG__NONE;
}

static uint32_t draw_prior(struct rg__search *s, const struct rg__node *n)
{
    double sum = 0;
    for (int i = 0; i < n->n_edges; i++)
        if (usable(s, &s->edges[n->edges[i]])) sum += s->edges[n->edges[i]].prior;
    if (sum <= 0) return RG__NONE;
    double x = rg_rng_unit(&s->rng) * sum;
    uint32_t last = RG__NONE;
    for (int i = 0; i < n->n_edges; i++) {
        if (!usable(s, &s->edges[n->edges[i]])) continue;
        last = n->edges[i];
        x -= s->edges[last].prior;
        if (x < 0) break;
    }
    return last;
}

/* Nothing alive and nothing pending: no walk needs to come here again. */
static void note_exhausted(struct rg__search *s, uint32_t node)
{
    struct rg__node *n = &s->nodes[node];
    for (int i = 0; i < n->n_edges; i++)
        if (rg__edge_alive(s, &s->edges[n->edges[i]])) return;
    n->exhausted[0] = true;
}

static struct walker *idle(struct walk *k)
{
    for (int i = 0; i < k->n; i++)
        if (!k->w[i].busy) return &k->w[i];
    return NULL;
}

static bool others_busy(const struct walk *k)
{
    for (int i = 0; i < k->n; i++)
        if (k->w[i].busy) return true;
    return false;
}

static void restart(struct rg__search *s, struct walker *w)
{
    w->node = RG__ROOT;
    w->length = 0;
    w->wanted = 1 + (int)rg_rng_below(&s->rng, (uint64_t)s->p.walk_longest);
}

static enum rg_status next_random(struct rg__search *s, struct rg__action *a, enum rg__next *what, struct rg_error *err)
{
    struct walk *k = s->policy_state;
    struct walker *w = idle(k);
    *what = RG__NEXT_WAIT;
    if (!w) return RG_OK;
    for (int moves = 0; moves < (int)s->p.walk_free; moves++) {
        if (w->length >= (int)s->p.walk_longest) restart(s, w);
        enum rg_status st = rg__expand(s, w->node, err);
        if (st != RG_OK) return st;
        uint32_t edge = draw_uniform(s, &s->nodes[w->node]);
        if (edge == RG__NONE) {
            note_exhausted(s, w->node);
            if (w->node == RG__ROOT) break;
            restart(s, w);
        } else if (s->edges[edge].state == RG__EDGE_LINKED) {
            w->node = s->edges[edge].child; /* measured before: walked over for free */
            w->length++;
        } else {
            rg__action_edge(s, a, edge);
            w->busy = true;
            w->action = a->id;
            *what = RG__NEXT_ACTION;
            return RG_OK;
        }
    }
    *what = others_busy(k) ? RG__NEXT_WAIT : RG__NEXT_END;
    return RG_OK;
}

static struct walker *walker_of(struct rg__search *s, const struct rg__action *a)
{
    struct walk *k = s->policy_state;
    for (int i = 0; i < k->n; i++)
        if (k->w[i].busy && k->w[i].action == a->id) return &k->w[i];
    return NULL;
}

/* A failed action leaves the walk where it was. */
static enum rg_status done_random(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    struct walker *w = walker_of(s, a);
    if (!w) return RG_OK;
    w->busy = false;
    if (a->failed || a->node == RG__NONE) return RG_OK;
    w->node = a->node;
    w->length++;
    return RG_OK;
}

/* Independent chains ask a stochastic coder anew, as long as it has samples left. */
static bool sample_again(struct rg__search *s, uint32_t *edge)
{
    uint32_t fresh = (uint32_t)s->n_edges;
    rg__expand_sample(s, *edge);
    if ((uint32_t)s->n_edges == fresh) return false;
    *edge = fresh;
    return true;
}

static enum rg_status next_best_of_n(struct rg__search *s, struct rg__action *a, enum rg__next *what,
                                     struct rg_error *err)
{
    struct walk *k = s->policy_state;
    struct walker *w = idle(k);
    *what = RG__NEXT_WAIT;
    if (!w) return RG_OK;
    if (w->wanted == 0) restart(s, w);
    for (int moves = 0; moves < (int)s->p.walk_free; moves++) {
        uint32_t edge = RG__NONE;
        if (w->length < w->wanted) {
            enum rg_status st = rg__expand(s, w->node, err);
            if (st != RG_OK) return st;
            edge = draw_prior(s, &s->nodes[w->node]);
        }
        if (edge == RG__NONE) {
            if (w->node == RG__ROOT) break;
            if (s->nodes[w->node].tuned_stamp == RG__NONE) {
                a->parent = a->target = w->node;
                w->length = w->wanted;
            } else {
                restart(s, w);
                continue;
            }
        } else if (s->edges[edge].state == RG__EDGE_LINKED && !sample_again(s, &edge)) {
            w->node = s->edges[edge].child;
            w->length++;
            continue;
        } else {
            rg__action_edge(s, a, edge);
            a->measure = false;
        }
        w->busy = true;
        w->action = a->id;
        *what = RG__NEXT_ACTION;
        return RG_OK;
    }
    *what = others_busy(k) ? RG__NEXT_WAIT : RG__NEXT_END;
    return RG_OK;
}

static enum rg_status done_best_of_n(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    struct walker *w = walker_of(s, a);
    if (!w) return RG_OK;
    w->busy = false;
    if (!a->wants_coder) {
        const struct rg__node *n = &s->nodes[a->target];
        if (n->outcome != RG_OUTCOME_OK && n->outcome != RG_OUTCOME_PRUNED && n->first_in != RG__NONE)
            rg__expand_sample(s, n->first_in); /* a way that leads nowhere: the next sample is another */
        restart(s, w);
    } else if (a->failed || a->node == RG__NONE)
        w->wanted = w->length; /* the sample ends where the coder stopped */
    else {
        w->node = a->node;
        w->length++;
    }
    return RG_OK;
}

const struct rg__policy rg__policy_random = {"random", start, next_random, done_random, stop, .lean = false};
const struct rg__policy rg__policy_best_of_n = {"best-of-n",    start, next_best_of_n,
                                                done_best_of_n, stop,  .lean = false};
