/* Time on a real device: first runs checked in full on every input set, then samples until the noise is small, the
 * module loaded anew between blocks of them; every sample's outputs must be those of a run that was checked. */
#include "runtime/data/compare.h"
#include "runtime/measure/timer.h"
#include <math.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MIN_SAMPLES = 10,
    SLOW_SAMPLES = 3, /* enough when a single run is long */
    DEAR_SAMPLES = 2,
    FIRST_SAMPLES = 3,
    DUEL_PAIRS = 40,
    PAUSE_US = 10000, /* for a clock that fell to come up again */
};
static const double wall_cap_s = 2, good_noise = 0.005;
static const double few_noise = 0.01; /* of the time, where a few samples cannot tell */
/* Times what may be the best: one sample is enough; one that long scatters little. */
static const double far_behind = 3, behind = 1.2, steady_us = 5000;

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
    double us[N];
    if (r->calibrated) return RG_OK;
    enum rg_status s = d->flush(d->self, err); /* what it allocates must not be asked for while the stream is held */
    if (s == RG_OK) s = d->sync(d->self, &f, err);
    if (s == RG_OK && d->hold) s = d->hold(d->self, err);
    for (int i = 0; i < 2 * N && s == RG_OK; i++) s = d->mark(d->self, i, err);
    if (d->release_hold) d->release_hold(d->self, NULL);
    if (s == RG_OK) s = d->sync(d->self, &f, err);
    for (int i = 0; i < N && s == RG_OK; i++) s = d->elapsed(d->self, 2 * i, 2 * i + 1, &us[i], &f, err);
    if (s == RG_OK) {
        r->empty_us = rg__timer_median(us, N, NULL);
        r->calibrated = true;
    }
    return s;
}

/* --- outputs at the timed size --- */

/* The outputs in the buffers, of a candidate that passed every verify case: against what the user's C gives where that
 * was run at this size, else against the anchor, which they become where there is none yet. */
static enum rg_status check_outputs(struct rg_runner *r, struct rg_resident *c, bool anchored, struct rg_fault *fault,
                                    struct rg_error *err)
{
    uint64_t h;
    const struct rg_known *known;
    bool have = anchored || c->c.expected;
    double transfer_s = 0;
    enum rg_status s = rg__case_outputs(r, c, &h, &known, err);
    if (s != RG_OK || (have && known)) return s;
    for (int i = 0; i < c->layout.n && s == RG_OK && fault->outcome == RG_OUTCOME_OK; i++) {
        const struct rg_slot *t = &c->layout.slots[i];
        if (t->expect < 0) continue;
        char *base = c->data.data, *anchor = base + t->expect;
        struct rg_compare cmp;
        rg__compare_case(&cmp, r->problem, &r->problem->sizes[c->c.size], &c->layout, i, base, NULL);
        cmp.seen = c->seen[i];
        cmp.may_move = c->c.may_move;
        if (!c->c.expected)
            cmp.oracle = NULL, cmp.moved = NULL, cmp.spread = NULL,
            cmp.unsettled = NULL; /* another candidate's outputs alone are there */
        if (have && r->transfer_out_us > 0 && rg__reference_agrees(r, c, i, &cmp)) continue;
        void *got = have ? rg__case_room(r, (size_t)t->bytes) : anchor;
        if (!got) return rg_error_set(err, RG_NOMEM, "no memory for an output of %lld bytes", (long long)t->bytes);
        double start = rg_now();
        s = r->device.from_device(r->device.self, got, c->buffers[i], (size_t)t->bytes, err);
        if (s == RG_OK && r->transfer_out_us <= 0 && !r->device.simulated) { /* the first touches the host's pages */
            start = rg_now();
            s = r->device.from_device(r->device.self, got, c->buffers[i], (size_t)t->bytes, err);
        }
        transfer_s += rg_now() - start;
        if (!have) memset(c->seen[i], 0, (size_t)rg__n_parts(r->problem, i) * sizeof *c->seen[i]);
        if (!have && s == RG_OK) rg__reference_set(r, c, i);
        if (s != RG_OK || !have) continue;
        cmp.got = got;
        struct rg_difference d;
        rg__compare(&cmp, &d);
        char text[500];
        rg__compare_text(&cmp, &d, text, sizeof text);
        if (!d.equal) r->disputed = !c->c.expected || c->c.may_move;
        if (!d.equal)
            rg__fault_set(fault, RG_OUTCOME_WRONG,
                          c->c.expected ? "at the timed size %s"
                                        : "at the timed size it disagrees with the first verified candidate: %s",
                          text);
    }
    if (r->transfer_out_us <= 0) r->transfer_out_us = transfer_s * 1e6;
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK) rg__case_learn(c, h, 0, 0);
    return s;
}

static enum rg_status check_first(struct rg_timer *t, struct rg_runner *r, int set, void *arg, struct rg_error *err)
{
    return check_outputs(r, t->sets[set], *(const bool *)arg, &t->x.fault, err);
}

/* A sample's outputs were others than those of the checked run. Kernels that add in any order do that; so do those that
 * keep results or stop working when they are not looked at. Every set is run and compared in full again: the former
 * pass. */
static enum rg_status look_again(struct rg_runner *r, struct rg_timer *t, struct rg_error *err)
{
    enum rg_status s = RG_OK;
    for (int i = 0; i < t->n_sets && s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK; i++) {
        s = rg__timer_run(r, t, i, err);
        if (s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK) s = check_outputs(r, t->sets[i], true, &t->x.fault, err);
    }
    if (t->x.fault.outcome == RG_OUTCOME_WRONG) {
        char was[400];
        snprintf(was, sizeof was, "%.399s", t->x.fault.message);
        snprintf(t->x.fault.message, sizeof t->x.fault.message, "its timed runs differ from its checked ones: %s", was);
    }
    t->varies = true;
    return s;
}

/* Of the samples just taken. From the first surprise on the last sample of every block is compared in full. */
static enum rg_status check_samples(struct rg_runner *r, struct rg_timer *t, struct rg_error *err)
{
    if (!t->surprised || t->x.fault.outcome != RG_OUTCOME_OK) return RG_OK;
    t->surprised = false;
    enum rg_status s = check_outputs(r, t->sets[t->last], true, &t->x.fault, err);
    if (s != RG_OK || t->x.fault.outcome != RG_OUTCOME_OK || t->varies) return s;
    return look_again(r, t, err);
}

/* A fresh module is cold: a sample there that does not count. s: what came before. */
static enum rg_status visit(struct rg_runner *r, struct rg_timer *t, int place, enum rg_status s, struct rg_error *err)
{
    int n = t->n;
    if (s != RG_OK || t->x.fault.outcome != RG_OUTCOME_OK) return s;
    t->only = place;
    s = rg__timer_sample(r, t, NULL, 1, err);
    t->only = -1;
    t->n = n;
    return s;
}

/* A first look at what is to be compared with a best time, on the set on which it was checked: a sample tells what
 * takes several times that, three tell what takes a good part more. Where a graph is what counts, it is of one; the
 * luck of the place is less than what is looked for. */
static enum rg_status look_first(struct rg_runner *r, struct rg_timer *t, struct rg_error *err)
{
    enum rg_status s = RG_OK;
    if (t->x.launches >= RG_TIMER_GRAPH) {
        s = rg__timer_places(r, t, 1, err);
        if (t->n_places && t->run_s < RG_TIMER_SLOW_S) s = visit(r, t, 0, s, err);
    }
    t->n = 0;
    while (s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK && t->n < FIRST_SAMPLES) {
        s = rg__timer_sample(r, t, NULL, t->n ? FIRST_SAMPLES - t->n : 1, err);
        if (s == RG_OK) s = check_samples(r, t, err);
        if (s != RG_OK || t->x.fault.outcome != RG_OUTCOME_OK || t->n == 0) return s;
        double us = rg__timer_time(t, NULL, NULL);
        t->behind = us > (t->n > 1 ? 1 : us > steady_us ? behind : far_behind) * r->contend_us;
        if (t->behind || us <= r->contend_us) break;
    }
    return s;
}

static enum rg_status measure(struct rg_runner *r, struct rg_timer *t, struct rg_error *err)
{
    double start = rg_now(), half = 0;
    /* how often a kernel ran before it is timed is not predictable for it */
    int warm = 1 + (int)(rg_mix64(++r->n_timed) % 3), blocks = 0;
    enum rg_status s = RG_OK;
    bool slow = t->run_s >= RG_TIMER_SLOW_S, dear = t->run_s >= RG_TIMER_DEAR_S;
    int few = t->hopeless ? 1 : dear ? DEAR_SAMPLES : SLOW_SAMPLES;
    if (r->contend_us > 0) s = look_first(r, t, err);
    if (s != RG_OK || t->behind) return s;
    if (t->x.fault.outcome == RG_OUTCOME_OK) s = rg__timer_sets(t, r, t->all_sets, err);
    if (dear && t->hopeless) { /* seconds long, and not to be the best: the checked run has told how long */
        t->us[0] = t->run_s * 1e6;
        t->n = 1;
        return s;
    }
    for (int i = 0; i < warm && !slow && s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK; i++)
        s = rg__timer_sample(r, t, NULL, 1, err);
    slow = t->run_s >= RG_TIMER_SLOW_S;
    if (t->x.fault.outcome == RG_OUTCOME_OK)
        s = rg__timer_places(r, t, slow && few < RG_TIMER_PLACES ? few : RG_TIMER_PLACES, err);
    int batch = slow ? 1 : rg__timer_batch(r, t, 1);
    for (int i = 0; i < t->n_places && !slow; i++) s = visit(r, t, i, s, err);
    t->n = 0;
    while (s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK && t->n + batch <= RG_TIMER_SAMPLES) {
        if (blocks++ && t->n_places &&
            !(t->places[0].n_graphs || slow)) { /* graphs are dear to make, and so is what runs long: once will do */
            int place = blocks % t->n_places;
            s = visit(r, t, place, rg__timer_renew(r, t, place, err), err);
            if (s != RG_OK || t->x.fault.outcome != RG_OUTCOME_OK) break;
        }
        s = rg__timer_sample(r, t, NULL, batch, err);
        if (s == RG_OK) s = check_samples(r, t, err);
        if (s == RG_OK && rg__timer_sift(r, t, NULL, rg_now() - start <= wall_cap_s)) usleep(PAUSE_US);
        if (t->n < few) continue;
        double m = rg__timer_time(t, &half, NULL);
        if (t->n >= (slow ? few : MIN_SAMPLES) && half <= good_noise * m) break;
        if (rg_now() - start > wall_cap_s) break;
    }
    return s;
}

/* Under what DRAM can deliver the inputs in: looked at again on fresh inputs, then accepted and marked. */
static bool too_fast(const struct rg_runner *r, double us)
{
    const struct rg_problem *p = r->problem;
    double rate = r->device.facts.dram_bytes_s;
    return !r->cache_hot && p->compulsory_read_bytes > 0 && rate > 0 &&
           us * 1e-6 < 0.9 * p->compulsory_read_bytes / rate;
}

enum rg_status rg__time(struct rg_runner *r, struct rg_loaded *l, bool anchored, struct rg_fault *fault,
                        struct rg_msg *reply, struct rg_error *err)
{
    struct rg_resident *sets[RG_TIMED_SETS];
    struct rg_timer t;
    int n_sets;
    enum rg_status s = rg__timed_up(r, sets, &n_sets, err);
    if (s == RG_OK) s = calibrate(r, err);
    if (s != RG_OK) return s;
    s = rg__timer_start(&t, r, l, sets, n_sets, !anchored, check_first, &anchored, err);
    if (s == RG_OK && t.x.fault.outcome == RG_OUTCOME_OK) s = measure(r, &t, err);
    if (s == RG_OK && t.x.fault.outcome == RG_OUTCOME_OK) s = r->device.guards(r->device.self, &t.x.fault, err);
    if (s == RG_OK && t.x.fault.outcome == RG_OUTCOME_OK) s = rg__case_inputs_kept(r, t.sets[t.last], &t.x.fault, err);
    if (s == RG_OK) note_fault(r, &t.x.fault, fault);
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK && t.n > 0) {
        double spread;
        reply->time_us = rg__timer_time(&t, &reply->noise_us, &spread);
        if (t.behind) reply->noise_us = fmax(reply->noise_us, few_noise * reply->time_us);
        reply->total_us = reply->time_us + r->transfer_in_us + r->transfer_out_us;
        reply->anchored = true;
        rg__counters(r, &t.x, 1, reply);
        rg__counter_add(reply, "samples", t.n);
        rg__timer_clocks(r, &t, reply);
        if (t.n_sets > 1) rg__counter_add(reply, "input_sets", t.n_sets);
        if (t.n_places && t.places[0].n_graphs) rg__counter_add(reply, "graph", 1);
        if (t.n_places > 1) rg__counter_add(reply, "places", t.n_places);
        if (spread > 0) rg__counter_add(reply, "place_spread", spread);
        if (t.varies) rg__counter_add(reply, "varies", 1);
        if (too_fast(r, reply->time_us)) {
            rg__counter_add(reply, "suspect", 1);
            s = rg__verify(r, l, true, fault, reply, err);
        }
    }
    rg__timer_release(r, &t);
    if (fault->outcome != RG_OUTCOME_OK && !r->lost) rg__case_down(r, sets[0]);
    return s;
}

/* Each gets as many, so that neither has the better odds of a fast one. */
static enum rg_status places_of_both(struct rg_runner *r, struct rg_timer *a, struct rg_timer *b, struct rg_error *err)
{
    bool dear = a->run_s >= RG_TIMER_DEAR_S && b->run_s >= RG_TIMER_DEAR_S,
         slow = a->run_s >= RG_TIMER_SLOW_S || b->run_s >= RG_TIMER_SLOW_S;
    enum rg_status s = rg__timer_places(r, a, dear ? DEAR_SAMPLES : RG_TIMER_PLACES, err);
    if (s == RG_OK && a->x.fault.outcome == RG_OUTCOME_OK) s = rg__timer_places(r, b, a->n_places, err);
    rg__timer_leave(r, a, b->n_places);
    for (int i = 0; i < b->n_places && !slow; i++) {
        s = visit(r, a, i, s, err);
        s = visit(r, b, i, s, err);
    }
    return s;
}

enum rg_status rg__time_duel(struct rg_runner *r, struct rg_loaded *a, struct rg_loaded *b, struct rg_fault *fault,
                             struct rg_msg *reply, struct rg_error *err)
{
    struct rg_resident *sets[RG_TIMED_SETS];
    r->contend_us = 0; /* both in full */
    struct rg_timer ta, tb = {.n = 0};
    int n_sets;
    enum rg_status s = rg__timed_up(r, sets, &n_sets, err);
    if (s == RG_OK) s = calibrate(r, err);
    if (s != RG_OK) return s;
    s = rg__timer_start(&ta, r, a, sets, n_sets, false, NULL, NULL, err);
    if (s == RG_OK && ta.x.fault.outcome == RG_OUTCOME_OK)
        s = rg__timer_start(&tb, r, b, sets, n_sets, false, NULL, NULL, err);
    if (ta.n_sets < tb.n_sets) tb.n_sets = ta.n_sets; /* the two of a pair work on one set */
    if (tb.n_sets > 0) ta.n_sets = tb.n_sets;
    if (s == RG_OK && ta.x.fault.outcome == RG_OUTCOME_OK && tb.x.fault.outcome == RG_OUTCOME_OK)
        s = places_of_both(r, &ta, &tb, err);
    double start = rg_now(), ha = 0, hb = 0, ma = 0, mb = 0;
    int few = ta.run_s >= RG_TIMER_DEAR_S && tb.run_s >= RG_TIMER_DEAR_S ? DEAR_SAMPLES : SLOW_SAMPLES;
    int batch = tb.n_sets ? rg__timer_batch(r, ta.operations > tb.operations ? &ta : &tb, 2) : 1;
    if (batch > 4) batch = 4;
    while (s == RG_OK && ta.x.fault.outcome == RG_OUTCOME_OK && tb.x.fault.outcome == RG_OUTCOME_OK &&
           ta.n + batch <= DUEL_PAIRS) {
        s = rg__timer_sample(r, &ta, &tb, batch, err);
        if (s == RG_OK && rg__timer_sift(r, &ta, &tb, rg_now() - start <= wall_cap_s)) usleep(PAUSE_US);
        if (ta.n < MIN_SAMPLES && rg_now() - start <= wall_cap_s) continue;
        if (ta.n < few || tb.n < few) continue;
        ma = rg__timer_time(&ta, &ha, NULL);
        mb = rg__timer_time(&tb, &hb, NULL);
        if (rg_now() - start > wall_cap_s || fabs(ma - mb) > 3 * (ha + hb)) break;
    }
    if (s == RG_OK) {
        note_fault(r, &ta.x.fault, fault);
        note_fault(r, &tb.x.fault, fault);
    }
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK && mb > 0) {
        reply->ratio = ma / mb;
        reply->significant = fabs(ma - mb) > ha + hb;
        reply->time_us = ma;
        reply->other_us = mb;
    }
    rg__timer_release(r, &ta);
    rg__timer_release(r, &tb);
    return s;
}
