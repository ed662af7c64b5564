/* Estimates of programs in the cases at hand: a model gives the same again, when a new best is measured once more and
 * when two are compared, and to run it takes seconds. */
#include "runtime/measure/runner.h"
#include <rg/hash.h>

enum { MOST = 32 }; /* programs; the oldest goes */

struct rg__known_estimate {
    uint64_t key[2];
    double us, threads;
    const char *kernel, *limiter;
    int n;
    struct rg_counter *counters;
};

static void key_of(const struct rg_loaded *l, uint64_t key[2])
{
    const struct rg_program *p = l->program;
    for (uint64_t k = 0; k < 2; k++)
        key[k] = rg_hash64(l->ptx.data, (size_t)p->ptx.len, rg_hash64(l->plan_text.data, (size_t)p->plan.len, k + 1));
}

static const struct rg__known_estimate *find(const struct rg_runner *r, const struct rg_loaded *l)
{
    uint64_t key[2];
    key_of(l, key);
    for (int i = 0; i < r->n_estimates && i < MOST; i++)
        if (r->estimates[i].key[0] == key[0] && r->estimates[i].key[1] == key[1]) return &r->estimates[i];
    return NULL;
}

double rg__known_us(const struct rg_runner *r, const struct rg_loaded *l)
{
    const struct rg__known_estimate *e = find(r, l);
    return e ? e->us : 0;
}

bool rg__known_estimate(const struct rg_runner *r, const struct rg_loaded *l, struct rg_msg *reply)
{
    const struct rg__known_estimate *e = find(r, l);
    if (!e) return false;
    reply->time_us = e->us;
    reply->threads = e->threads;
    reply->kernel = e->kernel ? rg_arena_strdup(&reply->arena, e->kernel) : NULL;
    reply->limiter = e->limiter;
    for (int i = 0; i < e->n; i++) rg__counter_add(reply, e->counters[i].name, e->counters[i].value);
    return true;
}

void rg__keep_estimate(struct rg_runner *r, const struct rg_loaded *l, const struct rg_msg *reply, int first)
{
    if (!r->estimates) r->estimates = rg_arena_alloc(&r->arena, MOST * sizeof *r->estimates);
    struct rg__known_estimate *e = &r->estimates[r->n_estimates++ % MOST];
    key_of(l, e->key);
    e->us = reply->time_us;
    e->threads = reply->threads;
    e->kernel = reply->kernel ? rg_arena_strdup(&r->arena, reply->kernel) : NULL;
    e->limiter = reply->limiter;
    e->n = reply->n_counters - first;
    e->counters = rg_arena_alloc(&r->arena, (size_t)(e->n + 1) * sizeof *e->counters);
    for (int i = 0; i < e->n; i++) e->counters[i] = reply->counters[first + i];
}
