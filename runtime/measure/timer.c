/* Samples. Several are queued behind one kernel that holds the stream, so that submission never shows. Each works on
 * one of several input sets at the same addresses, and its outputs are hashed on the device: a result kept from an
 * earlier launch, or no work at all, shows. */
#include "runtime/measure/timer.h"
#include <math.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdlib.h>
#include <string.h>

enum {
    QUEUE_LIMIT = 400, /* operations behind a held stream; the driver's queue takes about 1000 */
    HOPELESS = 4,
};

/* place: -1 the module that was checked. */
static enum rg_status run_plan(struct rg_runner *r, struct rg_timer *t, int set, int place, struct rg_error *err)
{
    struct rg_place *p = place < 0 ? NULL : &t->places[place];
    struct rg_module *was = t->l->module;
    t->x.c = t->sets[set];
    t->last = set;
    if (p && p->n_graphs) return r->device.graph_launch(r->device.self, p->graphs[p->n_graphs == 1 ? 0 : set], err);
    if (p) t->l->module = p->module;
    enum rg_status s = rg__exec_run(&t->x, err);
    t->l->module = was;
    return s;
}

static int next_place(struct rg_timer *t)
{
    return t->only >= 0 || !t->n_places ? t->only : t->turn++ % t->n_places;
}

static bool fine(const struct rg_timer *t, enum rg_status s)
{
    return s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK;
}

enum rg_status rg__timer_run(struct rg_runner *r, struct rg_timer *t, int set, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    enum rg_status s = rg__case_restore(r, t->sets[set], err);
    if (s == RG_OK) s = rg__exec_poison_scratch(&t->x, err);
    if (s == RG_OK && !r->cache_hot) s = d->flush(d->self, err); /* this run may be the only one */
    if (s == RG_OK) s = rg__run_settle(r, run_plan(r, t, set, next_place(t), err), &t->x.fault, err);
    return fine(t, s) ? d->sync(d->self, &t->x.fault, err) : s;
}

enum rg_status rg__timer_start(struct rg_timer *t, struct rg_runner *r, struct rg_loaded *l,
                               struct rg_resident *const *sets, int n_sets, bool every_set,
                               enum rg_status (*check)(struct rg_timer *t, struct rg_runner *r, int set, void *arg,
                                                       struct rg_error *err),
                               void *arg, struct rg_error *err)
{
    *t = (struct rg_timer){.l = l, .all_sets = n_sets, .only = -1, .check = check, .check_arg = arg};
    memcpy(t->sets, sets, (size_t)n_sets * sizeof *sets);
    rg__exec_init(&t->x, r, l, sets[0]);
    t->every_set = every_set;
    enum rg_status s = rg__timer_sets(t, r, r->contend_us > 0 && !every_set ? 1 : n_sets, err);
    int outputs = 0;
    for (int i = 0; i < sets[0]->layout.n; i++) outputs += sets[0]->layout.slots[i].expect >= 0;
    t->operations = 4 + r->problem->n_params + 2 * outputs + t->x.n_scratch + (int)fmin((double)t->x.launches, 1e6);
    return s;
}

enum rg_status rg__timer_sets(struct rg_timer *t, struct rg_runner *r, int n, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    enum rg_status s = RG_OK;
    for (int i = t->n_sets; i < n && i < t->all_sets && fine(t, s); i++) {
        const struct rg_known *known;
        double from = rg_now();
        t->n_sets = i + 1;
        if (t->n_places && t->places[0].n_graphs == 1 && !rg__timer_same_scalars(t)) rg__timer_leave(r, t, 0);
        if (i == 0) rg__watch(&t->x);
        s = rg__timer_run(r, t, i, err);
        if (i == 0 && fine(t, s)) s = rg__watch_read(&t->x, err);
        double run_s = rg_now() - from;
        if (i == 0 || run_s < t->run_s) t->run_s = run_s;
        t->hopeless = t->run_s >= RG_TIMER_SLOW_S && r->best_us > 0 && t->run_s * 1e6 > HOPELESS * r->best_us;
        if ((t->run_s >= RG_TIMER_DEAR_S || t->hopeless) && !t->every_set) t->all_sets = t->n_sets = 1;
        if (fine(t, s)) s = d->guards(d->self, &t->x.fault, err);
        if (fine(t, s)) s = rg__case_inputs_kept(r, t->sets[i], &t->x.fault, err);
        if (fine(t, s)) s = rg__case_outputs(r, t->sets[i], &t->hashes[i], &known, err);
        if (fine(t, s) && t->check) s = t->check(t, r, i, t->check_arg, err);
    }
    return s;
}

void rg__timer_release(struct rg_runner *r, struct rg_timer *t)
{
    if (r->lost) {
        free(t->x.scratch);
        return;
    }
    rg__timer_leave(r, t, 0);
    if (t->x.r) rg__exec_release(&t->x);
}

/* --- samples --- */

/* Hashes of the outputs of one sample go to consecutive slots. */
static enum rg_status queue_hashes(struct rg_runner *r, const struct rg_resident *c, int *slot, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    enum rg_status s = RG_OK;
    for (int i = 0; i < c->layout.n && s == RG_OK; i++)
        if (c->layout.slots[i].expect >= 0)
            s = d->hash_queue(d->self, c->buffers[i], (size_t)c->layout.slots[i].bytes, (*slot)++, err);
    return s;
}

static enum rg_status queue_sample(struct rg_runner *r, struct rg_timer *t, int set, int place, int mark, int *slot,
                                   struct rg_error *err)
{
    struct rg_device *d = &r->device;
    struct rg_resident *c = t->sets[set];
    enum rg_status s = rg__case_restore(r, c, err);
    if (s == RG_OK) s = rg__exec_poison_scratch(&t->x, err);
    if (s == RG_OK && r->cache_hot &&
        t->run_s < RG_TIMER_SLOW_S) { /* the plan itself brings the working set in; then everything is restored */
        s = run_plan(r, t, set, place, err);
        if (s == RG_OK) s = rg__case_restore(r, c, err);
    } else if (s == RG_OK && !r->cache_hot) {
        s = d->flush(d->self, err);
    }
    if (s == RG_OK) s = d->mark(d->self, 2 * mark, err);
    if (s == RG_OK) s = run_plan(r, t, set, place, err);
    if (s == RG_OK) s = d->mark(d->self, 2 * mark + 1, err);
    return s == RG_OK ? queue_hashes(r, c, slot, err) : s;
}

static enum rg_status collect(struct rg_runner *r, struct rg_timer *t, int place, int mark, double hz,
                              struct rg_error *err)
{
    double us = 0;
    enum rg_status s = r->device.elapsed(r->device.self, 2 * mark, 2 * mark + 1, &us, &t->x.fault, err);
    us -= r->empty_us;
    if (fine(t, s) && t->n < RG_TIMER_SAMPLES) {
        t->hz[t->n] = hz;
        t->at[t->n] = (signed char)(place < 0 ? 0 : place);
        t->us[t->n++] = us > 0.1 ? us : 0.1;
    }
    return s;
}

static struct rg_timer *turn(struct rg_timer *a, struct rg_timer *b, int i)
{
    return b && (i + i / 2) % 2 ? b : a; /* a b b a a b: neither is always first */
}

/* Before the first and behind the last sample of a block. What fails here says nothing of the candidate, and what it
 * has done shows elsewhere. */
static void queue_clock(struct rg_runner *r, int slot)
{
    if (r->device.clock_queue) (void)r->device.clock_queue(r->device.self, slot, NULL);
}

/* The lower of the two; 0 where one of them is not known. */
static double read_clock(struct rg_runner *r)
{
    double hz[RG_CLOCK_SLOTS] = {0};
    if (!r->device.clock_read || r->device.clock_read(r->device.self, hz, 2, NULL) != RG_OK || hz[0] <= 0 || hz[1] <= 0)
        return 0;
    double low = fmin(hz[0], hz[1]), high = fmax(hz[0], hz[1]);
    if (high > r->top_hz) r->top_hz = high;
    return low;
}

enum rg_status rg__timer_sample(struct rg_runner *r, struct rg_timer *a, struct rg_timer *b, int batch,
                                struct rg_error *err)
{
    struct rg_device *d = &r->device;
    bool reads = a->l->plan->reads_data || (b && b->l->plan->reads_data); /* a held stream would never answer them */
    int operations = (a->operations + (b ? b->operations : 0)) * batch;
    bool hold = d->hold && !reads && operations <= QUEUE_LIMIT;
    enum rg_status s = hold ? d->hold(d->self, err) : RG_OK;
    queue_clock(r, 0);
    int n = b ? 2 * batch : batch, sets[2 * RG_TIMER_BATCH], places[2 * RG_TIMER_BATCH], slots = 0, queued = 0;
    for (int i = 0; i < n && s == RG_OK; i++) {
        struct rg_timer *t = turn(a, b, i);
        /* the two of a pair work on the same set */
        sets[i] = b && i % 2 ? sets[i - 1] : (int)(rg_mix64(++r->n_timed) % (uint64_t)t->n_sets);
        places[i] = next_place(t);
        s = rg__run_settle(r, queue_sample(r, t, sets[i], places[i], i, &slots, err), &t->x.fault, err);
        if (!fine(t, s)) break;
        queued++;
    }
    queue_clock(r, 1);
    if (hold) d->release_hold(d->self, NULL);
    if (fine(a, s)) s = d->sync(d->self, &a->x.fault, err);
    if (s != RG_OK || a->x.fault.outcome != RG_OUTCOME_OK || (b && b->x.fault.outcome != RG_OUTCOME_OK)) return s;
    uint64_t sums[RG_HASH_SLOTS];
    double hz = read_clock(r);
    s = d->hash_read(d->self, sums, slots, err);
    for (int i = 0, slot = 0, each = queued ? slots / queued : 0; i < queued && s == RG_OK; i++) {
        struct rg_timer *t = turn(a, b, i);
        uint64_t h = 0;
        for (int k = 0; k < each; k++) h = rg_mix64(h ^ sums[slot++]);
        if (h != t->hashes[sets[i]]) t->surprised = true;
        s = collect(r, t, places[i], i, hz, err);
        if (t->x.fault.outcome != RG_OUTCOME_OK) break;
    }
    return s;
}

/* --- clocks --- */

/* Boost steps and the count's own error are below 1 %; a GPU that is too hot or draws too much loses more. */
static const double least_clock = 0.95;

static bool slow(const struct rg_runner *r, double hz)
{
    return hz > 0 && hz < least_clock * r->top_hz;
}

static int drop_slow(const struct rg_runner *r, struct rg_timer *t, bool may)
{
    int kept = 0, n = t->n;
    for (int i = 0; i < n; i++) {
        bool drop = may && slow(r, t->hz[i]) && t->discarded < RG_TIMER_DISCARDS;
        if (drop) t->discarded++;
        t->throttled = t->throttled || (!drop && slow(r, t->hz[i]));
        t->us[kept] = t->us[i];
        t->at[kept] = t->at[i];
        t->hz[kept] = t->hz[i];
        kept += !drop;
    }
    t->n = kept;
    return n - kept;
}

bool rg__timer_sift(struct rg_runner *r, struct rg_timer *a, struct rg_timer *b, bool may)
{
    int dropped = drop_slow(r, a, may);
    if (b) dropped += drop_slow(r, b, may);
    return dropped > 0;
}

void rg__timer_clocks(struct rg_runner *r, const struct rg_timer *t, struct rg_msg *reply)
{
    double known[RG_TIMER_SAMPLES];
    int n = 0;
    struct rg_clocks c;
    for (int i = 0; i < t->n; i++)
        if (t->hz[i] > 0) known[n++] = t->hz[i];
    bool told = r->device.clocks && r->device.clocks(r->device.self, &c);
    if (n)
        rg__counter_add(reply, "sm_mhz", rg__timer_median(known, n, NULL) * 1e-6);
    else if (told && c.sm_hz > 0)
        rg__counter_add(reply, "sm_mhz", c.sm_hz * 1e-6);
    if (told && c.memory_hz > 0) rg__counter_add(reply, "memory_mhz", c.memory_hz * 1e-6);
    if (told && c.limits) rg__counter_add(reply, "clock_limits", (double)c.limits);
    if (t->discarded) rg__counter_add(reply, "discarded", t->discarded);
    if (t->throttled) rg__counter_add(reply, "throttled", 1);
}

int rg__timer_batch(const struct rg_runner *r, const struct rg_timer *t, int pairs)
{
    int n = QUEUE_LIMIT / (t->operations * pairs > 0 ? t->operations * pairs : 1), outputs = 0;
    for (int i = 0; i < t->sets[0]->layout.n; i++) outputs += t->sets[0]->layout.slots[i].expect >= 0;
    if (outputs && n > RG_HASH_SLOTS / (outputs * pairs)) n = RG_HASH_SLOTS / (outputs * pairs);
    return n < 1 ? 1 : n > RG_TIMER_BATCH ? RG_TIMER_BATCH : n;
}
