/* The cases that a worker is told of. More come up beside a search: what is on the device and has not changed stays
 * there, as bringing up the timed ones costs a second where they have gigabytes. */
#include "runtime/measure/runner.h"
#include <stdlib.h>
#include <string.h>

void rg__cases_forget(struct rg_runner *r)
{
    rg__screen_forget(r);
    for (int i = 0; i < r->n_cases; i++)
        if (r->cases[i].up) rg__case_down(r, &r->cases[i]);
    rg_arena_release(&r->arena);
    r->estimates = NULL;
    r->n_estimates = 0;
    free(r->got);
    r->got = NULL;
    r->got_bytes = 0;
    r->cases = NULL;
    r->n_cases = 0;
}

static int by_cost(const void *va, const void *vb)
{
    const struct rg_resident *a = va, *b = vb;
    if (a->c.timed != b->c.timed) return a->c.timed - b->c.timed;
    if (a->layout.bytes != b->layout.bytes) return a->layout.bytes < b->layout.bytes ? -1 : 1;
    return a->c.size != b->c.size ? a->c.size - b->c.size : a->c.seed - b->c.seed;
}

static bool same(const struct rg_case *a, const struct rg_case *b)
{
    return a->size == b->size && a->seed == b->seed && a->timed == b->timed && a->again == b->again &&
           a->positive == b->positive && a->in_double == b->in_double && a->expected == b->expected &&
           a->at.off == b->at.off && a->at.len == b->at.len;
}

static const struct rg_case *told(const struct rg_msg *m, const struct rg_case *c)
{
    for (int i = 0; i < m->n_cases; i++)
        if (same(&m->cases[i], c)) return &m->cases[i];
    return NULL;
}

/* The timed ones share buffers: all of them stay, or none. */
static bool timed_stay(const struct rg_runner *r, const struct rg_msg *m)
{
    int were = 0, are = 0, stay = 0;
    for (int i = 0; i < m->n_cases; i++) are += m->cases[i].timed;
    for (int i = 0; i < r->n_cases; i++) {
        were += r->cases[i].c.timed;
        stay += r->cases[i].c.timed && told(m, &r->cases[i].c);
    }
    return were == are && stay == are;
}

static enum rg_status add(struct rg_runner *r, const struct rg_case *in, struct rg_resident *c, struct rg_error *err)
{
    size_t n = (size_t)r->problem->n_params + 1;
    c->c = *in;
    if (c->c.size >= r->problem->n_sizes) return rg_error_set(err, RG_INPUT, "a case of size %d", c->c.size);
    enum rg_status s = rg__layout(&r->arena, r->problem, &r->problem->sizes[c->c.size], true, &c->layout, err);
    if (s != RG_OK) return s;
    c->buffers = rg_arena_alloc(&r->arena, n * sizeof *c->buffers);
    c->pristine = rg_arena_alloc(&r->arena, n * sizeof *c->pristine);
    c->hashes = rg_arena_alloc(&r->arena, n * sizeof *c->hashes);
    c->references = rg_arena_alloc(&r->arena, n * sizeof *c->references);
    c->seen = rg_arena_alloc(&r->arena, n * sizeof *c->seen);
    for (int k = 0; k < r->problem->n_params; k++)
        c->seen[k] = rg_arena_alloc(&r->arena, (size_t)(rg__n_parts(r->problem, k) + 1) * sizeof *c->seen[k]);
    return RG_OK;
}

/* What it is like is looked at again: how far it moves has been measured since. */
static void forget_reference(const struct rg_problem *p, struct rg_resident *c)
{
    for (int k = 0; k < p->n_params; k++) memset(c->seen[k], 0, (size_t)rg__n_parts(p, k) * sizeof *c->seen[k]);
}

enum rg_status rg__cases_set(struct rg_runner *r, const struct rg_msg *in, struct rg_error *err)
{
    if (r->device.simulated) rg__cases_forget(r); /* estimates go by addresses */
    rg__screen_forget(r);
    bool timed = timed_stay(r, in);
    for (int i = 0; i < r->n_cases; i++)
        if (r->cases[i].up && !(told(in, &r->cases[i].c) && (timed || !r->cases[i].c.timed)))
            rg__case_down(r, &r->cases[i]);
    struct rg_resident *cases = rg_arena_alloc(&r->arena, (size_t)(in->n_cases + 1) * sizeof *cases);
    enum rg_status s = RG_OK;
    for (int i = 0; i < in->n_cases && s == RG_OK; i++) {
        const struct rg_resident *old = NULL;
        for (int k = 0; k < r->n_cases && !old; k++)
            if (r->cases[k].up && same(&r->cases[k].c, &in->cases[i])) old = &r->cases[k];
        if (old) {
            cases[i] = *old;
            if (old->c.may_move != in->cases[i].may_move) forget_reference(r->problem, &cases[i]);
            cases[i].c.may_move = in->cases[i].may_move;
        } else {
            s = add(r, &in->cases[i], &cases[i], err);
        }
    }
    if (s != RG_OK) return s;
    r->limit_memory = in->limit_memory;
    r->cache_hot = in->cache_hot;
    r->no_screen = in->no_screen;
    r->read_bytes = in->read_bytes;
    r->write_bytes = in->write_bytes;
    r->cases = cases;
    r->n_cases = in->n_cases;
    qsort(r->cases, (size_t)r->n_cases, sizeof *r->cases, by_cost);
    return RG_OK;
}
