/* Time on a real device. One sample: inouts restored from a pristine device copy, outputs and scratch poisoned, L2 flushed
 * by reading, mark, plan, mark. Several samples are queued behind one kernel that holds the stream, so that submission
 * never shows. The first and the last run's outputs are checked against the anchor. */
#include "runtime/compare.h"
#include "runtime/runner.h"
#include <math.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MIN_SAMPLES = 10,
    MAX_SAMPLES = 60,
    SLOW_SAMPLES = 3,      /* enough when a single run takes seconds */
    QUEUE_LIMIT = 400,     /* operations behind a held stream; the driver's queue takes about 1000 */
    MAX_BATCH = 10,
    GRAPH_MIN = 8,         /* launches from which a graph pays */
    GRAPH_MAX = 20000,
    DUEL_PAIRS = 40,
};
static const double wall_cap_s = 2, good_noise = 0.005;

struct timer { /* one program being timed */
    struct rg_exec x;
    void *graph;
    int operations;       /* queued by one sample */
    int n;
    double us[MAX_SAMPLES];
};

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Median, and the half-width of its 95 % interval from the median absolute deviation. */
static double median(const double *v, int n, double *half)
{
    double s[MAX_SAMPLES], d[MAX_SAMPLES];
    memcpy(s, v, (size_t)n * sizeof *s);
    qsort(s, (size_t)n, sizeof *s, by_value);
    double m = n % 2 ? s[n / 2] : 0.5 * (s[n / 2 - 1] + s[n / 2]);
    for (int i = 0; i < n; i++) d[i] = fabs(s[i] - m);
    qsort(d, (size_t)n, sizeof *d, by_value);
    double mad = n % 2 ? d[n / 2] : 0.5 * (d[n / 2 - 1] + d[n / 2]);
    if (half) *half = 1.96 * 1.2533 * 1.4826 * mad / sqrt(n);
    return m;
}

static void note_fault(struct rg_runner *r, const struct rg_fault *from, struct rg_fault *to)
{
    if (from->outcome == RG_OUTCOME_OK) return;
    rg__fault_set(to, from->outcome, "%s (at the timed size)", from->message);
    if (from->outcome == RG_OUTCOME_CRASH || from->outcome == RG_OUTCOME_TIMEOUT || from->outcome == RG_OUTCOME_BOUNDS)
        r->lost = true;
}

/* What an empty pair of marks measures, queued behind a hold. */
static enum rg_status calibrate(struct rg_runner *r, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    struct rg_fault f = {RG_OUTCOME_OK, ""};
    enum { N = 15 };
    double us[MAX_SAMPLES];
    if (r->calibrated) return RG_OK;
    enum rg_status s = d->flush(d->self, err); /* what it allocates must not be asked for while the stream is held */
    if (s == RG_OK) s = d->sync(d->self, &f, err);
    if (s == RG_OK && d->hold) s = d->hold(d->self, err);
    for (int i = 0; i < 2 * N && s == RG_OK; i++) s = d->mark(d->self, i, err);
    if (d->release_hold) d->release_hold(d->self, NULL);
    if (s == RG_OK) s = d->sync(d->self, &f, err);
    for (int i = 0; i < N && s == RG_OK; i++) s = d->elapsed(d->self, 2 * i, 2 * i + 1, &us[i], &f, err);
    if (s == RG_OK) {
        r->empty_us = median(us, N, NULL);
        r->calibrated = true;
    }
    return s;
}

static enum rg_status run_plan(struct rg_runner *r, struct timer *t, struct rg_error *err)
{
    return t->graph ? r->device.graph_launch(r->device.self, t->graph, err) : rg__exec_run(&t->x, err);
}

static enum rg_status queue_sample(struct rg_runner *r, struct timer *t, struct rg_resident *c, int mark, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    enum rg_status s = rg__case_restore(r, c, err);
    if (s == RG_OK) s = rg__exec_poison_scratch(&t->x, err);
    if (s == RG_OK && r->cache_hot) { /* the plan itself brings the working set in; then everything is restored */
        s = run_plan(r, t, err);
        if (s == RG_OK) s = rg__case_restore(r, c, err);
    } else if (s == RG_OK) {
        s = d->flush(d->self, err);
    }
    if (s == RG_OK) s = d->mark(d->self, 2 * mark, err);
    if (s == RG_OK) s = run_plan(r, t, err);
    if (s == RG_OK) s = d->mark(d->self, 2 * mark + 1, err);
    return s;
}

static enum rg_status collect(struct rg_runner *r, struct timer *t, int mark, struct rg_error *err)
{
    double us = 0;
    enum rg_status s = r->device.elapsed(r->device.self, 2 * mark, 2 * mark + 1, &us, &t->x.fault, err);
    us -= r->empty_us;
    if (s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK) t->us[t->n++] = us > 0.1 ? us : 0.1;
    return s;
}

/* `batch` samples at once; alternating between a and b where b is given. */
static enum rg_status sample(struct rg_runner *r, struct timer *a, struct timer *b, struct rg_resident *c, int batch,
                             struct rg_error *err)
{
    struct rg_device *d = &r->device;
    bool reads = a->x.l->plan->reads_data || (b && b->x.l->plan->reads_data); /* a held stream would never answer them */
    int operations = (a->operations + (b ? b->operations : 0)) * batch;
    bool hold = d->hold && !reads && operations <= QUEUE_LIMIT;
    enum rg_status s = hold ? d->hold(d->self, err) : RG_OK;
    int n = b ? 2 * batch : batch;
    for (int i = 0; i < n && s == RG_OK; i++) {
        struct timer *t = b && (i + i / 2) % 2 ? b : a; /* a b b a a b: neither is always first */
        s = rg__settle(r, queue_sample(r, t, c, i, err), &t->x.fault, err);
        if (t->x.fault.outcome != RG_OUTCOME_OK) break;
    }
    if (hold) d->release_hold(d->self, NULL);
    if (s == RG_OK && a->x.fault.outcome == RG_OUTCOME_OK) s = d->sync(d->self, &a->x.fault, err);
    for (int i = 0; i < n && s == RG_OK; i++) {
        struct timer *t = b && (i + i / 2) % 2 ? b : a;
        if (a->x.fault.outcome != RG_OUTCOME_OK || (b && b->x.fault.outcome != RG_OUTCOME_OK)) break;
        s = collect(r, t, i, err);
    }
    return s;
}

/* Launch-heavy straight plans become a graph; where capture is refused they are launched one by one. */
static enum rg_status make_graph(struct rg_runner *r, struct timer *t, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    if (!d->capture_begin || t->x.l->plan->reads_data || t->x.launches < GRAPH_MIN || t->x.launches > GRAPH_MAX) return RG_OK;
    struct rg_error e = RG_ERROR_INIT;
    if (d->capture_begin(d->self, &e) != RG_OK) return RG_OK;
    enum rg_status s = rg__exec_run(&t->x, &e), ended = d->capture_end(d->self, &t->graph, &e);
    if (s == RG_OK && ended == RG_OK) return RG_OK;
    if (t->graph) d->graph_free(d->self, t->graph);
    t->graph = NULL;
    return d->sync(d->self, &t->x.fault, err);
}

static void timer_release(struct rg_runner *r, struct timer *t)
{
    if (r->lost) {
        free(t->x.scratch);
        return;
    }
    if (t->graph) r->device.graph_free(r->device.self, t->graph);
    rg__exec_release(&t->x);
}

/* First run, unmeasured: allocates scratch, counts launches, makes the graph. Its outputs are left for checking. */
static enum rg_status first_run(struct rg_runner *r, struct timer *t, const struct rg_loaded *l, struct rg_resident *c,
                                struct rg_error *err)
{
    struct rg_device *d = &r->device;
    rg__exec_init(&t->x, r, l, c);
    enum rg_status s = rg__case_restore(r, c, err);
    if (s == RG_OK) s = rg__settle(r, rg__exec_run(&t->x, err), &t->x.fault, err);
    if (s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK) s = d->sync(d->self, &t->x.fault, err);
    if (s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK) s = d->guards(d->self, &t->x.fault, err);
    if (s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK) s = rg__case_inputs_kept(r, c, &t->x.fault, err);
    return s;
}

static enum rg_status get_ready(struct rg_runner *r, struct timer *t, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    enum rg_status s = make_graph(r, t, err);
    if (s == RG_OK && t->graph) { /* its first launch uploads it: not behind a held stream */
        s = d->graph_launch(d->self, t->graph, err);
        if (s == RG_OK) s = d->sync(d->self, &t->x.fault, err);
    }
    t->operations = 4 + r->problem->n_params + t->x.n_scratch + (t->graph ? 1 : (int)fmin((double)t->x.launches, 1e6));
    return s;
}

/* --- outputs at the timed size --- */

/* The candidate passed every verify case: where there is no anchor yet its outputs become it, else they must agree. */
static enum rg_status check_outputs(struct rg_runner *r, struct rg_resident *c, bool *anchored, struct rg_fault *fault,
                                    struct rg_error *err)
{
    uint64_t h;
    const struct rg_known *known;
    enum rg_status s = rg__case_outputs(r, c, &h, &known, err);
    if (s != RG_OK || (*anchored && known)) return s;
    double start = rg_now();
    for (int i = 0; i < c->layout.n && s == RG_OK && fault->outcome == RG_OUTCOME_OK; i++) {
        const struct rg_slot *t = &c->layout.slots[i];
        if (t->expect < 0) continue;
        char *anchor = (char *)c->data.data + t->expect;
        void *got = *anchored ? rg__case_room(r, (size_t)t->bytes) : anchor;
        if (!got) return rg_error_set(err, RG_NOMEM, "no memory for an output of %lld bytes", (long long)t->bytes);
        s = r->device.from_device(r->device.self, got, c->buffers[i], (size_t)t->bytes, err);
        if (!*anchored) {
            memset(c->seen[i], 0, (size_t)rg__n_parts(r->problem, i) * sizeof *c->seen[i]);
            continue;
        }
        struct rg_compare cmp = {.problem = r->problem, .param = i, .elements = t->elements, .expect = anchor, .got = got,
                                 .n_accum = rg__accumulated(r->problem, &r->problem->sizes[c->c.size]), .seen = c->seen[i]};
        struct rg_difference d;
        if (s == RG_OK) {
            rg__compare(&cmp, &d);
            char text[400];
            rg__compare_text(&cmp, &d, text, sizeof text);
            if (!d.equal)
                rg__fault_set(fault, RG_OUTCOME_WRONG, "at the timed size it disagrees with the first verified candidate: %s", text);
        }
    }
    if (!*anchored) r->transfer_out_us = (rg_now() - start) * 1e6;
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK) {
        rg__case_learn(c, h, 0, 0);
        *anchored = true;
    }
    return s;
}

/* The outputs of the last sample must be those of a run that was checked in full. */
static enum rg_status check_last(struct rg_runner *r, struct timer *t, struct rg_resident *c, struct rg_error *err)
{
    bool anchored = true;
    struct rg_device *d = &r->device;
    enum rg_status s = d->guards(d->self, &t->x.fault, err);
    if (s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK) s = rg__case_inputs_kept(r, c, &t->x.fault, err);
    if (s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK) s = check_outputs(r, c, &anchored, &t->x.fault, err);
    return s;
}

static int batch_size(const struct timer *t, int pairs)
{
    int n = QUEUE_LIMIT / (t->operations * pairs > 0 ? t->operations * pairs : 1);
    return n < 1 ? 1 : n > MAX_BATCH ? MAX_BATCH : n;
}

static enum rg_status measure(struct rg_runner *r, struct timer *t, struct rg_resident *c, struct rg_error *err)
{
    double start = rg_now(), half = 0;
    /* how often a kernel ran before it is timed is not predictable for it */
    int warm = 1 + (int)(rg_mix64(r->n_timed++) % 3);
    enum rg_status s = RG_OK;
    for (int i = 0; i < warm && s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK; i++) s = sample(r, t, NULL, c, 1, err);
    double one = t->n ? t->us[t->n - 1] : 0;
    t->n = 0;
    int batch = one > 2e5 ? 1 : batch_size(t, 1);
    while (s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK && t->n + batch <= MAX_SAMPLES) {
        s = sample(r, t, NULL, c, batch, err);
        if (t->n < SLOW_SAMPLES) continue;
        double m = median(t->us, t->n, &half);
        if (t->n >= MIN_SAMPLES && half <= good_noise * m) break;
        if (rg_now() - start > wall_cap_s) break;
    }
    return s;
}

/* Under what DRAM can deliver the inputs in: looked at again on fresh inputs, then accepted and marked. */
static bool too_fast(const struct rg_runner *r, double us)
{
    const struct rg_problem *p = r->problem;
    double rate = r->device.facts.dram_bytes_s;
    return !r->cache_hot && p->compulsory_read_bytes > 0 && rate > 0 && us * 1e-6 < 0.9 * p->compulsory_read_bytes / rate;
}

enum rg_status rg__time(struct rg_runner *r, const struct rg_loaded *l, bool anchored, struct rg_fault *fault,
                        struct rg_msg *reply, struct rg_error *err)
{
    struct rg_resident *c = rg__timed_case(r);
    if (!c) return rg_error_set(err, RG_BUG, "no case to time");
    struct timer t = {.n = 0};
    struct rg_fault earlier = {RG_OUTCOME_OK, ""};
    enum rg_status s = rg__case_up(r, c, err);
    /* a stray write of an earlier candidate is not this one's fault: inputs are made whole first */
    if (s == RG_OK) s = rg__case_inputs_kept(r, c, &earlier, err);
    if (s == RG_OK) s = calibrate(r, err);
    if (s != RG_OK) return s;
    s = first_run(r, &t, l, c, err);
    if (s == RG_OK && t.x.fault.outcome == RG_OUTCOME_OK) s = check_outputs(r, c, &anchored, &t.x.fault, err);
    if (s == RG_OK && t.x.fault.outcome == RG_OUTCOME_OK) s = get_ready(r, &t, err);
    if (s == RG_OK && t.x.fault.outcome == RG_OUTCOME_OK) s = measure(r, &t, c, err);
    if (s == RG_OK && t.x.fault.outcome == RG_OUTCOME_OK) s = check_last(r, &t, c, err);
    if (s == RG_OK) note_fault(r, &t.x.fault, fault);
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK && t.n > 0) {
        reply->time_us = median(t.us, t.n, &reply->noise_us);
        reply->total_us = reply->time_us + r->transfer_in_us + r->transfer_out_us;
        reply->threads = t.x.threads;
        reply->anchored = true;
        rg__counters(r, &t.x, reply);
        rg__counter_add(reply, "samples", t.n);
        if (t.graph) rg__counter_add(reply, "graph", 1);
        if (too_fast(r, reply->time_us)) {
            rg__counter_add(reply, "suspect", 1);
            s = rg__verify(r, l, true, fault, reply, err);
        }
    }
    timer_release(r, &t);
    if (fault->outcome != RG_OUTCOME_OK && !r->lost) rg__case_down(r, c);
    return s;
}

enum rg_status rg__time_duel(struct rg_runner *r, const struct rg_loaded *a, const struct rg_loaded *b,
                             struct rg_fault *fault, struct rg_msg *reply, struct rg_error *err)
{
    struct rg_resident *c = rg__timed_case(r);
    if (!c) return rg_error_set(err, RG_BUG, "no case to time");
    struct timer ta = {.n = 0}, tb = {.n = 0};
    enum rg_status s = rg__case_up(r, c, err);
    if (s == RG_OK) s = calibrate(r, err);
    if (s != RG_OK) return s;
    rg__exec_init(&tb.x, r, b, c);
    s = first_run(r, &ta, a, c, err);
    if (s == RG_OK && ta.x.fault.outcome == RG_OUTCOME_OK) s = get_ready(r, &ta, err);
    if (s == RG_OK && ta.x.fault.outcome == RG_OUTCOME_OK) s = first_run(r, &tb, b, c, err);
    if (s == RG_OK && tb.x.fault.outcome == RG_OUTCOME_OK) s = get_ready(r, &tb, err);
    double start = rg_now(), ha = 0, hb = 0, ma = 0, mb = 0;
    int batch = batch_size(ta.operations > tb.operations ? &ta : &tb, 2);
    if (batch > 4) batch = 4;
    while (s == RG_OK && ta.x.fault.outcome == RG_OUTCOME_OK && tb.x.fault.outcome == RG_OUTCOME_OK &&
           ta.n + batch <= DUEL_PAIRS) {
        s = sample(r, &ta, &tb, c, batch, err);
        if (ta.n < MIN_SAMPLES && rg_now() - start <= wall_cap_s) continue;
        if (ta.n < SLOW_SAMPLES || tb.n < SLOW_SAMPLES) continue;
        ma = median(ta.us, ta.n, &ha);
        mb = median(tb.us, tb.n, &hb);
        if (rg_now() - start > wall_cap_s || fabs(ma - mb) > 3 * (ha + hb)) break;
    }
    if (s == RG_OK) {
        note_fault(r, &ta.x.fault, fault);
        note_fault(r, &tb.x.fault, fault);
    }
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK && mb > 0) {
        reply->ratio = ma / mb;
        reply->significant = fabs(ma - mb) > ha + hb && fabs(reply->ratio - 1) > 0.02;
    }
    timer_release(r, &ta);
    timer_release(r, &tb);
    return s;
}
