#include "runtime/sim/model/sample.h"
#include "runtime/sim/model/counters.h"
#include "runtime/sim/model/estimate.h"
#include <math.h>
#include <rg/hash.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE = 1024 /* launches that are remembered */ };

struct sim_totals {
    struct sim_tally tally;
    double launch_us, blind_launches, unknown_rounds;
    double us, longest, parts[RG_N_LIMITERS], bound[RG_N_LIMITERS], occupancy, dram, l2, lo, hi, launches;
};

enum { SIM_OTHERS = 4 };
struct sim_places {
    uint64_t args, others[SIM_OTHERS];
    int n;
}; /* buffers that a launch reaches: by its arguments, bit by number; by address: the module's own */
struct sim_seen {
    uint64_t key;
    bool blind, unsure;
    struct sim_places steered_by, written;
    double us;
    struct sim_timing timing;
    struct sim_tally tally;
    struct sim_reach reach;
};
struct sim_cache {
    int n;
    struct sim_seen seen[CACHE];
};

void rg__sim_totals_new(struct sim_device *d)
{
    d->totals = rg_xcalloc(1, sizeof *d->totals);
    d->cache = rg_xcalloc(1, sizeof *d->cache);
}
void rg__sim_totals_free(struct sim_device *d)
{
    free(d->totals);
    free(d->cache);
}

/* ---- one launch ---- */

static void estimate_init(struct sim_estimate *e, const struct sim_device *d, struct sim_run *run)
{
    const struct sim_model *m = &d->model;
    memset(e, 0, sizeof *e);
    e->model = m;
    e->in_flight = fmin((double)run->resident, (double)run->n_blocks);
    e->stamp = 1;
    rg__sim_costs(m, run->k, e);
    double per_sm = fmin((double)run->resident / m->facts.sms, ceil((double)run->n_blocks / m->facts.sms));
    double shared = ((double)run->shared_bytes + 1024) * per_sm, left = m->l1_bytes - shared;
    if (left < 16384) left = 16384;
    e->l1.sets = (int)(left * m->l1_usable / (per_sm > 0 ? per_sm : 1) / 128 / 4);
    if (e->l1.sets < 1) e->l1.sets = 1;
    e->l1.tags = rg_xcalloc((size_t)e->l1.sets * 4, sizeof *e->l1.tags);
    e->l1.valid = rg_xcalloc((size_t)e->l1.sets * 4, 1);
    /* First belief about L2: what all arguments together amount to. */
    double bytes = 0;
    for (int i = 0; i < run->launch->n_args; i++) {
        uint64_t a;
        bool inside;
        if (run->launch->arg_bytes[i] != 8) continue;
        memcpy(&a, run->launch->args[i], 8);
        const struct sim_buffer *b = rg__sim_find(run->memory, a, &inside);
        if (b && inside) bytes += (double)b->bytes;
    }
    double x = (bytes / (double)m->facts.l2_bytes - m->l2_keeps) / (m->l2_loses - m->l2_keeps);
    e->miss_rate = x < 0 ? 0 : x > 1 ? 1 : x;
}

static void estimate_release(struct sim_estimate *e)
{
    for (int i = 0; i < e->n_touched; i++) free(e->touched[i].stamps);
    rg__sim_costs_free(e);
    free(e->hot);
    free(e->returns);
    free(e->l1.tags);
    free(e->l1.valid);
}

static void scale(struct sim_estimate *e, double f)
{
    double *v = (double *)&e->sum;
    for (size_t i = 0; i < sizeof e->sum / sizeof(double); i++) v[i] *= f;
    for (int i = 0; i < e->n_touched; i++)
        e->touched[i].unique *= f, e->touched[i].written *= f, e->touched[i].read *= f, e->touched[i].loads *= f,
            e->touched[i].stores *= f, e->touched[i].cas *= f, e->touched[i].queue *= f;
    for (int i = 0; e->hot && i < SIM_HOT_LINES; i++) e->hot[i].cost *= f;
    e->hottest *= f;
}

struct sim_buffer *rg__sim_argument(const struct sim_run *run, int i)
{
    const struct rg_launch *l = run->launch;
    uint64_t v;
    bool inside;
    if (l->arg_bytes[i] != 8) return NULL;
    memcpy(&v, l->args[i], 8);
    struct sim_buffer *b = v >= SIM_GLOBAL_BASE ? rg__sim_find(run->memory, v, &inside) : NULL;
    return b && inside ? b : NULL;
}

static void note_place(const struct sim_run *run, struct sim_places *p, const struct sim_buffer *b)
{
    bool found = false;
    for (int i = 0; i < run->launch->n_args && i < 64; i++)
        if (rg__sim_argument(run, i) == b) p->args |= 1ull << i, found = true;
    for (int i = 0; i < p->n; i++) found = found || p->others[i] == b->addr;
    if (!found && p->n < SIM_OTHERS) p->others[p->n++] = b->addr;
}

/* Where a launch that was run loads what decides its course, and where it writes. */
static void note_places(struct sim_run *run, struct sim_seen *seen)
{
    for (int i = 0; i < run->k->n_mem; i++) {
        const struct sim_site *s = &run->sites[i];
        bool inside;
        if (s->buffer_index < 0) continue;
        const struct sim_buffer *b = rg__sim_find(run->memory, s->buffer_lo, &inside);
        if (!b || !inside || b->index != s->buffer_index) continue;
        if (run->k->sites[i].steers) note_place(run, &seen->steered_by, b);
        if (run->k->sites[i].writes) note_place(run, &seen->written, b);
    }
}

static bool touch_places(struct sim_run *run, const struct sim_places *p, bool mark)
{
    bool found = false, inside;
    for (int i = 0; i < run->launch->n_args + p->n; i++) {
        bool of_args = i < run->launch->n_args;
        struct sim_buffer *b = !of_args ? rg__sim_find(run->memory, p->others[i - run->launch->n_args], &inside)
                               : i < 64 && p->args >> i & 1 ? rg__sim_argument(run, i)
                                                            : NULL;
        if (!b) continue;
        found = found || b->touched;
        b->touched = b->touched || mark;
    }
    return found;
}

/* Sampled blocks leave gaps: was a load that decides something led there? Then marks what this launch writes; the next
 * like it, which is not run, may load that. */
static bool blind(struct sim_run *run, const struct sim_seen *seen)
{
    bool found = touch_places(run, &seen->steered_by, false);
    touch_places(run, &seen->written, true);
    return found;
}

/* Same kernel, shape, scalars and buffers of the same sizes: same time. Addresses do not matter, so loops that swap
 * buffers hit. A launch that runs in full because its course depends on data is looked at each time. */
static bool steered(const struct sim_kernel *k)
{
    for (int i = 0; i < k->n_mem; i++)
        if (k->sites[i].steers) return true;
    return false;
}

static uint64_t launch_key(const struct sim_device *d, const struct sim_run *run, bool all)
{
    const struct rg_launch *l = run->launch;
    uint64_t h = rg_hash64(&l->module->id, sizeof l->module->id, (uint64_t)l->kernel + 1);
    h = rg_hash64(l->grid, sizeof l->grid, h);
    h = rg_hash64(l->block, sizeof l->block, h);
    h = rg_hash64(&l->shared_bytes, sizeof l->shared_bytes, h + 2 * (uint64_t)all);
    for (int i = 0; i < l->n_args; i++) {
        uint64_t v = 0;
        bool inside = false;
        const struct sim_buffer *b = NULL;
        if (l->arg_bytes[i] == 8) {
            memcpy(&v, l->args[i], 8);
            b = v >= SIM_GLOBAL_BASE ? rg__sim_find(run->memory, v, &inside) : NULL;
        }
        if (b && inside) {
            uint64_t what[3] = {b->bytes, v - b->addr, (uint64_t)(b->cold * 1e6)};
            h = rg_hash64(what, sizeof what, h);
        } else
            h = rg_hash64(l->args[i], l->arg_bytes[i], h);
    }
    return h | 1;
}

static void account(struct sim_device *d, const struct sim_seen *s)
{
    struct sim_totals *t = d->totals;
    double launch = d->dispatched ? d->model.launch_gap_us : d->model.launch_us;
    d->clock_us += s->us + launch;
    d->totals->launch_us += launch;
    d->dispatched = true;
    double *sum = (double *)&t->tally;
    const double *one = (const double *)&s->tally;
    for (size_t i = 0; i < sizeof s->tally / sizeof(double); i++) sum[i] += one[i];
    for (int i = 0; i < RG_N_LIMITERS; i++) t->parts[i] += i == (int)s->timing.limiter ? s->us : 0;
    t->parts[RG_LIMIT_LAUNCH] += d->model.launch_gap_us;
    for (int i = 0; i < RG_N_LIMITERS; i++) t->bound[i] += s->timing.parts[i];
    t->us += s->us;
    t->dram += s->timing.dram_bytes;
    t->l2 += s->timing.l2_bytes;
    t->lo += s->timing.lo + launch * 0.9;
    t->hi += s->timing.hi + launch * 1.2;
    t->launches++;
    t->blind_launches += s->blind;
    t->unknown_rounds += s->unsure;
    if (s->us >= t->longest) t->longest = s->us, t->occupancy = s->timing.occupancy;
}

/* Every block runs; some of them are watched. */
static enum rg_status watched_run(struct sim_run *run, struct rg_error *err)
{
    struct sim_choice list[SIM_SAMPLES + 2];
    int n = rg__sim_choose(run, list);
    if (run->launch->cooperative) n = 1; /* blocks interleave: one is watched */
    for (int i = 0; i < n; i++) list[i].neighbours = 0;
    for (int i = 0; i < n; i++) /* by block: they are met in order */
        for (int j = i; j > 0 && list[j].block < list[j - 1].block; j--) {
            struct sim_choice t = list[j];
            list[j] = list[j - 1];
            list[j - 1] = t;
        }
    run->choices = list;
    run->n_choices = n;
    enum rg_status s = rg__sim_run_all(run, err);
    run->n_choices = 0;
    return s;
}

enum rg_status rg__sim_estimate(struct sim_device *d, struct sim_run *run, bool all, struct rg_error *err)
{
    uint64_t key = launch_key(d, run, all);
    struct sim_cache *c = d->cache;
    const bool remembered = !all || !steered(run->k);
    for (int i = 0; i < c->n && remembered; i++)
        if (c->seen[i].key == key) {
            enum rg_status s = all ? rg__sim_run_all(run, err) : RG_OK;
            struct sim_seen again = c->seen[i];
            if (!all) again.blind = blind(run, &again);
            if (!s && run->fault->outcome == RG_OUTCOME_OK) {
                account(d, &again);
                rg__sim_reach_warm(run, &again.reach);
            }
            return s;
        }
    struct sim_estimate e;
    estimate_init(&e, d, run);
    run->estimate = &e;
    enum rg_status s = all                                             ? watched_run(run, err)
                       : run->launch->cooperative || run->k->exchanges ? rg__sim_together(run, err)
                                                                       : rg__sim_sampled(run, err);
    struct sim_seen seen;
    memset(&seen, 0, sizeof seen);
    if (!s && !all) note_places(run, &seen);
    if (!s && !all) seen.blind = blind(run, &seen);
    if (!s && run->fault->outcome == RG_OUTCOME_OK && e.done_weight > 0) {
        scale(&e, (double)run->n_blocks / e.done_weight);
        seen.key = key;
        rg__sim_timing(run, &e, &seen.timing);
        seen.us = seen.timing.us;
        seen.unsure = e.unsure;
        seen.tally = e.sum;
        seen.tally.atomic_us = seen.timing.parts[RG_LIMIT_ATOMIC];
        account(d, &seen);
        rg__sim_reach_note(run, &e, &seen.reach);
        rg__sim_reach_warm(run, &seen.reach);
        if (remembered) c->seen[c->n < CACHE ? c->n++ : (int)(key % CACHE)] = seen;
    }
    run->estimate = NULL;
    estimate_release(&e);
    return s;
}

/* The host waits for everything, copies, and only then makes the next launch, which finds an empty queue. */
void rg__sim_charge_read(struct sim_device *d)
{
    double us = d->model.read_us;
    d->clock_us += us;
    d->totals->launch_us += us;
    d->totals->lo += us / 1.3;
    d->totals->hi += us * 1.3;
    d->totals->parts[RG_LIMIT_LAUNCH] += us;
    d->dispatched = false;
}

void rg__sim_charge(struct sim_device *d, double bytes)
{
    double us = bytes / d->model.fill_bytes_us;
    double launch = d->dispatched ? d->model.launch_gap_us : d->model.launch_us;
    d->clock_us += us + launch;
    d->totals->launch_us += launch;
    d->dispatched = true;
    d->totals->us += us;
    d->totals->lo += us / 1.3 + launch * 0.9;
    d->totals->hi += us * 1.3 + launch * 1.2;
    d->totals->parts[RG_LIMIT_DRAM] += us;
    d->totals->parts[RG_LIMIT_LAUNCH] += d->model.launch_gap_us;
}

void rg__sim_counters(struct sim_device *d, struct rg_counter *out, int *n, enum rg_limiter *limiter)
{
    struct sim_totals *t = d->totals;
    const struct sim_tally *a = &t->tally;
    double most = 0;
    *limiter = RG_LIMIT_UNKNOWN;
    for (int i = 0; i < RG_N_LIMITERS; i++)
        if (t->parts[i] > most) most = t->parts[i], *limiter = (enum rg_limiter)i;
    const double *b = t->bound;
    double launches = t->launches, instructions = a->thread_instructions, warp_instructions = a->warp_instructions,
           flops = a->flops, lanes_active = warp_instructions > 0 ? instructions / warp_instructions : 0,
           occupancy = t->occupancy, dram_bytes = t->dram, l2_bytes = t->l2,
           l1_hit = a->global_sectors > 0 ? fmax(0, 1 - (a->l2_loads + a->l2_stores) / a->global_sectors) : 0,
           sectors_per_request = a->global_requests > 0 ? a->global_sectors / a->global_requests : 0,
           global_efficiency = a->global_sectors > 0 ? fmin(1, a->useful_bytes / (32 * a->global_sectors)) : 0,
           shared_waves_per_request = a->shared_requests > 0 ? a->shared_waves / a->shared_requests : 0,
           atomics = a->atomics, atomic_us = a->atomic_us, barriers = a->barriers,
           divergence = warp_instructions > 0 ? 1000 * a->divergence / warp_instructions : 0,
           latency_us = b[RG_LIMIT_LATENCY] + b[RG_LIMIT_OCCUPANCY] + b[RG_LIMIT_BARRIER],
           compute_us = fmax(fmax(b[RG_LIMIT_ISSUE], b[RG_LIMIT_FP32]),
                             fmax(fmax(b[RG_LIMIT_FP64], b[RG_LIMIT_SFU]), b[RG_LIMIT_TENSOR])),
           memory_us = fmax(fmax(b[RG_LIMIT_DRAM], b[RG_LIMIT_L2]), fmax(b[RG_LIMIT_L1], b[RG_LIMIT_SHARED_MEMORY])),
           launch_us = t->launch_us, blind_launches = t->blind_launches, unknown_rounds = t->unknown_rounds,
           interval_low_us = t->lo, interval_high_us = t->hi;
    int max = *n, k = 0;
#define X(counter, text)                                                                                               \
    if (k < max) {                                                                                                     \
        strncpy(out[k].name, #counter, sizeof out[k].name - 1);                                                        \
        out[k].name[sizeof out[k].name - 1] = 0;                                                                       \
        out[k++].value = counter;                                                                                      \
    }
    SIM_COUNTERS(X)
#undef X
    *n = k;
    memset(t, 0, sizeof *t);
}
