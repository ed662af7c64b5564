#include "runtime/sim/sample.h"
#include "runtime/sim/counters.h"
#include "runtime/sim/estimate.h"
#include <math.h>
#include <rg/hash.h>
#include <rg/rng.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = 12,            /* blocks of a launch that are run, at most; more where they are cheap: */
    MORE_GROUPS = 24,        /* groups of these, so that a part of the grid that does something else is seen, */
    MOST_GROUPS = 96,        /* and where blocks turn out to differ */
    ENOUGH = 4,              /* of these at least, unless one block alone is too long */
    CACHE = 1024,
    SLICE_TIMED = 2          /* basic blocks before another warp's turn: warps run side by side, as on the device */
};
static const double work_wanted = 2e6, work_most = 2e7; /* warp instructions: of a launch's sample, usually; of one block, never more */
static const double work_cheap = 1.5e5, work_differing = 6e5; /* up to these, more groups are run */

struct sim_totals {
    struct sim_tally tally;
    double launch_us, blind_launches, unknown_rounds;
    double us, longest, parts[RG_N_LIMITERS], bound[RG_N_LIMITERS], occupancy, dram, l2, lo, hi, launches;
};

enum { SIM_OTHERS = 4 };
struct sim_places { uint64_t args, others[SIM_OTHERS]; int n; }; /* buffers that a launch reaches: by its arguments, bit by number; by address: the module's own */
struct sim_seen { uint64_t key; bool blind, unsure; struct sim_places steered_by, written; double us; struct sim_timing timing; struct sim_tally tally; struct sim_reach reach; };
struct sim_cache { int n; struct sim_seen seen[CACHE]; };

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

/* ---- which blocks ---- */

/* How far below a block its neighbours are that are in flight together with it. */
static int neighbours(const struct sim_run *run, int64_t back[3])
{
    int64_t n = run->n_blocks, near = run->resident, step[3] = {1, run->grid[0], run->grid[0] * run->grid[1]};
    int dims = 0;
    for (int d = 2; d >= 0; d--)
        if (run->grid[d] > 1 && (d == 0 || (step[d] > 1 && step[d] < near && step[d] * 2 < n))) back[dims++] = step[d];
    if (!dims) back[dims++] = 1;
    return dims;
}

static int group_at(int64_t at, int j, double weight, const int64_t *back, int dims, struct sim_choice *out)
{
    for (int d = 0; d < dims; d++) out[d] = (struct sim_choice){at - back[d] > 0 ? at - back[d] : 0, weight, 0, j};
    out[dims] = (struct sim_choice){at, weight, dims, j};
    return dims + 1;
}

/* The first and the last block stand for themselves; the rest is covered by groups: a block at a random place of each stratum after its
 * neighbours below, behind and beside it, as far as they are in flight together with it. What it touches that they did not is what
 * streams through L2. In an order such that any beginning of the list covers the launch. */
static int choose(const struct sim_run *run, struct sim_choice *out)
{
    int64_t n = run->n_blocks, back[3];
    int k = 0, dims = neighbours(run, back);
    if (n <= SAMPLES) {
        for (int64_t i = 0; i < n; i++) out[k++] = (struct sim_choice){i, 1, i > 0, (int)i};
        return k;
    }
    struct rg_rng rng;
    rg_rng_seed(&rng, (uint64_t)n * 0x9E3779B97F4A7C15u + 1);
    int strata = (SAMPLES - 2) / (dims + 1);
    static const int order[5] = {2, 0, 4, 1, 3};
    for (int j = 0; j < strata; j++) {
        int s = strata == 5 ? order[j] : strata == 3 ? (j + 1) % 3 : j;
        int64_t lo = 1 + (n - 2) * s / strata, hi = 1 + (n - 2) * (s + 1) / strata, room = hi - lo;
        int64_t at = lo + (room > 1 ? (int64_t)rg_rng_below(&rng, (uint64_t)room) : 0);
        if (at < back[0]) at = back[0] < n - 1 ? back[0] : at;
        double weight = (double)room / (dims + 1);
        k += group_at(at, j, weight, back, dims, out + k);
    }
    out[k++] = (struct sim_choice){0, 1, 0, strata};
    out[k++] = (struct sim_choice){n - 1, 1, 0, strata + 1};
    return k;
}

/* ---- one launch ---- */

static void estimate_init(struct sim_estimate *e, const struct sim_device *d, struct sim_run *run)
{
    const struct sim_model *m = &d->model;
    memset(e, 0, sizeof *e);
    e->model = m;
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
    free(e->l1.tags);
    free(e->l1.valid);
}

static void hottest(struct sim_run *run, struct sim_estimate *e)
{
    double most = 0;
    for (int i = 0; i < run->k->n_blocks; i++)
        if ((double)run->counts[i].warps * run->k->blocks[i].n > most) most = (double)run->counts[i].warps * run->k->blocks[i].n;
    e->hottest += most * e->whole * e->weight;
}

/* ---- watching a block: everything is counted at first, then, once its loops have shown what they do, it only runs, but for a few looks ---- */

/* The tally so far, with the clocks of the block's warps. */
static struct sim_tally seen_so_far(const struct sim_estimate *e, const struct sim_block *b)
{
    struct sim_tally t = e->block;
    for (int i = 0; i < b->n_warps; i++) {
        if (rg__sim_clock(&b->warps[i]) > t.lifetime) t.lifetime = rg__sim_clock(&b->warps[i]);
        t.waits += (double)b->warps[i].time->waits / b->n_warps;
    }
    return t;
}

static void look_begin(struct sim_estimate *e, const struct sim_block *b)
{
    e->looks[e->n_looks++] = (struct sim_look){e->ran, e->ran, seen_so_far(e, b)};
    e->watching = true;
}

static void look_end(struct sim_estimate *e, const struct sim_block *b)
{
    struct sim_look *l = &e->looks[e->n_looks - 1];
    struct sim_tally now = seen_so_far(e, b);
    double *was = (double *)&l->tally;
    const double *is = (const double *)&now;
    for (size_t i = 0; i < sizeof now / sizeof(double); i++) was[i] = is[i] - was[i];
    l->to = e->ran;
    e->watching = false;
    if (e->n_looks == 1) {
        e->watched = e->ran;
        rg__sim_block_keep(e);
    }
}

void rg__sim_watch_begin(struct sim_run *run, struct sim_block *b, const struct sim_choice *c)
{
    struct sim_estimate *e = run->estimate;
    e->weight = c->weight;
    if (!e->n_watched_blocks || c->group != e->group) e->n_groups++;
    e->group = c->group;
    e->neighbours = c->neighbours < e->n_watched_blocks ? c->neighbours : e->n_watched_blocks;
    rg__sim_block_begin(run);
    for (int i = 0; i < b->n_warps; i++) {
        struct sim_timeline *t = b->warps[i].time;
        float *ready = t->ready;
        memset(t, 0, sizeof *t);
        t->ready = ready;
        memset(ready, 0, sizeof *ready * (size_t)e->n_values);
    }
    e->watched = e->ran = e->half_at = 0;
    e->whole = 1;
    e->n_looks = 0;
    look_begin(e, b);
}

sim_exec_fn rg__sim_watch_exec(struct sim_run *run, const struct sim_block *b)
{
    struct sim_estimate *e = run->estimate;
    static const double watch = 2e5; /* warp instructions */
    if (e->n_looks == 1 && e->watching) {
        if (!(e->half_at > 0) && e->ran >= watch / 2) {
            rg__sim_block_half(run);
            e->half_at = e->ran;
        }
        if (e->half_at > 0 && e->ran >= 2 * e->half_at) look_end(e, b);
    } else if (e->watching) {
        if (e->ran >= e->looks[e->n_looks - 1].from + watch / 4) look_end(e, b);
    } else if (e->n_looks < SIM_MAX_LOOKS && e->ran >= 4 * e->looks[e->n_looks - 1].to) look_begin(e, b);
    run->estimating = e->watching;
    run->slice = e->watching ? SLICE_TIMED : 64;
    return rg__sim_exec_pick(run->isa, e->watching);
}

/* Each look stands for what is nearer to it than to the others. */
static void join_looks(struct sim_estimate *e)
{
    struct sim_tally all = {0};
    double *sum = (double *)&all;
    for (int k = 0; k < e->n_looks; k++) {
        const struct sim_look *l = &e->looks[k];
        double from = k ? (e->looks[k - 1].to + l->from) / 2 : 0, to = k + 1 < e->n_looks ? (l->to + e->looks[k + 1].from) / 2 : e->ran;
        const double *one = (const double *)&l->tally;
        for (size_t i = 0; i < sizeof all / sizeof(double) && l->to > l->from; i++) sum[i] += one[i] * (to - from) / (l->to - l->from);
    }
    e->block = all;
    rg__sim_block_take_back(e);
}

void rg__sim_watch_end(struct sim_run *run, struct sim_block *b)
{
    struct sim_estimate *e = run->estimate;
    hottest(run, e);
    if (e->watching && e->n_looks > 1 && e->ran < e->looks[e->n_looks - 1].from + 1e4) e->n_looks--, e->watching = false; /* too short to tell */
    if (e->watching) look_end(e, b);
    double ratio = e->watched > 0 ? e->ran / e->watched : 1;
    join_looks(e);
    rg__sim_block_end(run, ratio * e->whole, e->whole, e->whole);
    e->done_weight += e->weight;
    e->n_watched_blocks++;
    run->estimating = false;
}

static void run_block(struct sim_run *run, struct sim_block *b, const struct sim_choice *c)
{
    struct sim_estimate *e = run->estimate;
    double from = run->work;
    bool progress, noted = false;
    struct sim_progress then;
    rg__sim_watch_begin(run, b, c);
    rg__sim_block_start(run, b, c->block);
    while (rg__sim_block_round(run, b, rg__sim_watch_exec(run, b), &progress)) {
        e->ran = run->work - from;
        if (e->ran > work_most / 2 && !noted) {
            rg__sim_progress_note(run, b, 1, &then);
            noted = true;
        }
        if (e->ran > work_most) {
            e->whole = 1 + rg__sim_progress_left(run, b, 1, &then, e->ran, &e->unsure) / e->ran;
            break;
        }
    }
    e->ran = run->work - from;
    rg__sim_watch_end(run, b);
}

/* Where blocks are cheap, groups at places that fill the gaps of those before (multiples of the golden section), none twice. */
static void sample_more(struct sim_run *run, struct sim_block *b, const struct sim_choice *list, int n, double cost)
{
    struct sim_estimate *e = run->estimate;
    int64_t back[3], seen[(MOST_GROUPS + SAMPLES) * 4];
    int dims = neighbours(run, back), n_seen = 0;
    double sum = 0, squares = 0, blocks = 0;
    for (int i = 0; i < n; i++) seen[n_seen++] = list[i].block;
    for (int j = n; j < MOST_GROUPS + n && run->fault->outcome == RG_OUTCOME_OK; j++) {
        double mean = blocks > 0 ? sum / blocks : 0, spread = blocks > 0 ? squares / blocks - mean * mean : 0;
        bool differ = spread > mean * mean * 0.0025;
        if (cost > (differ ? work_differing : work_cheap) || (j >= MORE_GROUPS + n && !differ)) break;
        struct sim_choice group[4];
        double place = (j - n + 0.5) * 0.6180339887498949;
        int k = group_at(1 + (int64_t)((place - floor(place)) * (double)(run->n_blocks - 2)), j, (double)(run->n_blocks - 2) / (double)(n - 2), back, dims, group);
        bool twice = false;
        for (int i = 0; i < k; i++)
            for (int q = 0; q < n_seen + i; q++) twice = twice || (q < n_seen ? seen[q] : group[q - n_seen].block) == group[i].block;
        if (twice) continue;
        for (int i = 0; i < k; i++) {
            seen[n_seen++] = group[i].block;
            run_block(run, b, &group[i]);
            double work = e->block.warp_instructions;
            cost += work / 3 + fmin(work, 2e5);
            sum += work, squares += work * work, blocks++;
        }
    }
}

static enum rg_status sampled(struct sim_run *run, struct rg_error *err)
{
    struct sim_choice list[SAMPLES + 2];
    int n = choose(run, list);
    struct sim_block b;
    enum rg_status s = rg__sim_block_new(run, &b, err);
    if (!s) s = rg__sim_timelines_new(run, &b, err);
    double cost = 0;
    run->lenient = true;
    for (int i = 0; i < n && !s && run->fault->outcome == RG_OUTCOME_OK; i++) {
        if (cost > work_wanted && i >= (cost > 4 * work_wanted ? 1 : ENOUGH)) break;
        run_block(run, &b, &list[i]);
        cost += run->estimate->block.warp_instructions / 3 + fmin(run->estimate->block.warp_instructions, 2e5);
    }
    if (!s && run->n_blocks > SAMPLES) sample_more(run, &b, list, n, cost);
    rg__sim_timelines_free(&b);
    rg__sim_block_free(&b);
    return s;
}

static void scale(struct sim_estimate *e, double f)
{
    double *v = (double *)&e->sum;
    for (size_t i = 0; i < sizeof e->sum / sizeof(double); i++) v[i] *= f;
    for (int i = 0; i < e->n_touched; i++) e->touched[i].unique *= f, e->touched[i].written *= f, e->touched[i].read *= f, e->touched[i].loads *= f, e->touched[i].stores *= f, e->touched[i].cas *= f, e->touched[i].queue *= f;
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
        struct sim_buffer *b = !of_args ? rg__sim_find(run->memory, p->others[i - run->launch->n_args], &inside) : i < 64 && p->args >> i & 1 ? rg__sim_argument(run, i) : NULL;
        if (!b) continue;
        found = found || b->touched;
        b->touched = b->touched || mark;
    }
    return found;
}

/* Sampled blocks leave gaps: was a load that decides something led there? Then marks what this launch writes; the next like it, which is not run, may load that. */
static bool blind(struct sim_run *run, const struct sim_seen *seen)
{
    bool found = touch_places(run, &seen->steered_by, false);
    touch_places(run, &seen->written, true);
    return found;
}

/* Same kernel, shape, scalars and buffers of the same sizes: same time. Addresses do not matter, so loops that swap buffers hit. A launch
 * that runs in full because its course depends on data is looked at each time. */
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
        } else h = rg_hash64(l->args[i], l->arg_bytes[i], h);
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
    struct sim_choice list[SAMPLES + 2];
    int n = choose(run, list);
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
    enum rg_status s = all ? watched_run(run, err) : run->launch->cooperative || run->k->exchanges ? rg__sim_together(run, err) : sampled(run, err);
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
    double launches = t->launches, instructions = a->thread_instructions, warp_instructions = a->warp_instructions, flops = a->flops,
           lanes_active = warp_instructions > 0 ? instructions / warp_instructions : 0, occupancy = t->occupancy, dram_bytes = t->dram,
           l2_bytes = t->l2, l1_hit = a->global_sectors > 0 ? fmax(0, 1 - (a->l2_loads + a->l2_stores) / a->global_sectors) : 0,
           sectors_per_request = a->global_requests > 0 ? a->global_sectors / a->global_requests : 0,
           global_efficiency = a->global_sectors > 0 ? fmin(1, a->useful_bytes / (32 * a->global_sectors)) : 0,
           shared_waves_per_request = a->shared_requests > 0 ? a->shared_waves / a->shared_requests : 0, atomics = a->atomics,
           atomic_us = a->atomic_us, barriers = a->barriers,
           divergence = warp_instructions > 0 ? 1000 * a->divergence / warp_instructions : 0,
           latency_us = b[RG_LIMIT_LATENCY] + b[RG_LIMIT_OCCUPANCY] + b[RG_LIMIT_BARRIER],
           compute_us = fmax(fmax(b[RG_LIMIT_ISSUE], b[RG_LIMIT_FP32]), fmax(fmax(b[RG_LIMIT_FP64], b[RG_LIMIT_SFU]), b[RG_LIMIT_TENSOR])),
           memory_us = fmax(fmax(b[RG_LIMIT_DRAM], b[RG_LIMIT_L2]), fmax(b[RG_LIMIT_L1], b[RG_LIMIT_SHARED_MEMORY])),
           launch_us = t->launch_us, blind_launches = t->blind_launches, unknown_rounds = t->unknown_rounds, interval_low_us = t->lo, interval_high_us = t->hi;
    int max = *n, k = 0;
#define X(counter, text)                                                                                      \
    if (k < max) {                                                                                            \
        strncpy(out[k].name, #counter, sizeof out[k].name - 1);                                                  \
        out[k].name[sizeof out[k].name - 1] = 0;                                                              \
        out[k++].value = counter;                                                                               \
    }
    SIM_COUNTERS(X)
#undef X
    *n = k;
    memset(t, 0, sizeof *t);
}
