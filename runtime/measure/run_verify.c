/* Verification: every case in turn, cheapest first, so that a wrong candidate is told soon. */
#include "runtime/data/compare.h"
#include "runtime/measure/runner.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CUDA_MAX_LAUNCHES = 2000000 };
/* Races and the like are looked for in the first case of each of the smallest sizes: that many, for so many accesses of
 * threads (0.2 s), after the first a quarter of them. */
enum { CHECKED_SIZES = 3, CHECKED_ACCESSES = 6000000, CHECKED_LATER = CHECKED_ACCESSES / 4 };

static void note_errors(struct rg_msg *reply, double max_error, double rms_error)
{
    if (!(reply->max_error >= max_error)) reply->max_error = max_error; /* NaN at first */
    if (!(reply->rms_error >= rms_error)) reply->rms_error = rms_error;
}

static enum rg_status compare_outputs(struct rg_runner *r, struct rg_resident *c, struct rg_fault *fault,
                                      struct rg_msg *reply, struct rg_error *err)
{
    const struct rg_problem *p = r->problem;
    const struct rg_sizes *sizes = &p->sizes[c->c.size];
    double max_error = 0, rms_error = 0;
    const struct rg_known *known;
    uint64_t hash;
    enum rg_status st = rg__case_outputs(r, c, &hash, &known, err);
    if (st != RG_OK) return st;
    if (known) { /* the same bytes as an earlier candidate's that passed */
        note_errors(reply, known->max_error, known->rms_error);
        return RG_OK;
    }
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_slot *t = &c->layout.slots[i];
        if (t->expect < 0) continue;
        void *got = rg__case_room(r, (size_t)t->bytes);
        if (!got) return rg_error_set(err, RG_NOMEM, "no memory for an output of %lld bytes", (long long)t->bytes);
        enum rg_status s = r->device.from_device(r->device.self, got, c->buffers[i], (size_t)t->bytes, err);
        if (s != RG_OK) return s;
        struct rg_compare cmp;
        rg__compare_case(&cmp, p, sizes, &c->layout, i, c->data.data, got);
        cmp.seen = c->seen[i];
        cmp.may_move = c->c.may_move;
        struct rg_difference d;
        rg__compare(&cmp, &d);
        /* cases differ in magnitude by orders: only errors in units of the reference's rms can be put together */
        double unit = d.rms > 0 ? d.rms : 1;
        max_error = fmax(max_error, d.max_error / unit);
        rms_error = fmax(rms_error, d.rms_error / unit);
        note_errors(reply, max_error, rms_error);
        if (!d.equal) {
            char text[500], at[200];
            r->disputed = c->c.may_move;
            rg__compare_text(&cmp, &d, text, sizeof text);
            rg__sizes_text(p, sizes, at, sizeof at);
            rg__fault_set(fault, RG_OUTCOME_WRONG, "%s (at %s, input set %d)", text, at, c->c.seed);
        }
        if (!d.equal) return RG_OK;
    }
    rg__case_learn(c, hash, max_error, rms_error);
    return RG_OK;
}

static enum rg_status verify_case(struct rg_runner *r, const struct rg_loaded *l, struct rg_resident *c,
                                  struct rg_fault *fault, struct rg_msg *reply, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    enum rg_status s = rg__case_up(r, c, err);
    if (s == RG_OK) s = rg__case_restore(r, c, err);
    if (s != RG_OK) return s;
    if (d->budget) {
        double work = r->problem->sizes[c->c.size].work;
        d->budget(d->self, 4e9 + (work > 0 ? 100 * work : 0));
    }
    struct rg_exec x;
    rg__exec_init(&x, r, l, c);
    x.max_launches = d->simulated ? RG_SIM_MAX_LAUNCHES : CUDA_MAX_LAUNCHES;
    s = rg__run_settle(r, rg__exec_run(&x, err), &x.fault, err);
    if (s == RG_OK && x.fault.outcome == RG_OUTCOME_OK) s = d->sync(d->self, &x.fault, err);
    bool trapped = x.fault.outcome == RG_OUTCOME_CRASH || x.fault.outcome == RG_OUTCOME_TIMEOUT ||
                   x.fault.outcome == RG_OUTCOME_BOUNDS || x.fault.outcome == RG_OUTCOME_RACE;
    if (s == RG_OK && x.fault.outcome == RG_OUTCOME_OK) s = d->guards(d->self, &x.fault, err);
    if (s == RG_OK && x.fault.outcome == RG_OUTCOME_OK) s = rg__case_inputs_kept(r, c, &x.fault, err);
    if (s == RG_OK && x.fault.outcome == RG_OUTCOME_OK) s = compare_outputs(r, c, &x.fault, reply, err);
    if (s == RG_OK && x.fault.outcome != RG_OUTCOME_OK) {
        char at[200]; /* a comparison names its size itself */
        rg__sizes_text(r->problem, &r->problem->sizes[c->c.size], at, sizeof at);
        if (x.fault.outcome == RG_OUTCOME_WRONG)
            rg__fault_set(fault, x.fault.outcome, "%s", x.fault.message);
        else
            rg__fault_set(fault, x.fault.outcome, "%s (at %s)", x.fault.message, at);
        if (trapped && !d->simulated) r->lost = true; /* a plan that ran too long has work queued: as good as lost */
    }
    if (!r->lost) rg__exec_release(&x);
    /* what a faulty run may have written is no input for the next candidate; a stray write may be anywhere */
    if (s == RG_OK && fault->outcome == RG_OUTCOME_BOUNDS && !r->lost)
        for (int i = 0; i < r->n_cases; i++) rg__case_down(r, &r->cases[i]);
    else if (s == RG_OK && fault->outcome != RG_OUTCOME_OK && !r->lost)
        rg__case_down(r, c);
    return s;
}

enum rg_status rg__verify(struct rg_runner *r, const struct rg_loaded *l, bool again, struct rg_fault *fault,
                          struct rg_msg *reply, struct rg_error *err)
{
    int n = 0, sizes = 0, last = -1;
    for (int i = 0; i < r->n_cases; i++) {
        struct rg_resident *c = &r->cases[i];
        if (c->c.timed || !c->c.expected || (c->c.again && !again)) continue;
        /* at the smallest size alone few threads may have anything to do */
        bool first = c->c.size != last;
        sizes += first;
        last = c->c.size;
        double most = !first || sizes > CHECKED_SIZES ? 0 : sizes > 1 ? CHECKED_LATER : CHECKED_ACCESSES;
        if (r->device.check) r->device.check(r->device.self, most);
        enum rg_status s = verify_case(r, l, c, fault, reply, err);
        if (r->device.check) r->device.check(r->device.self, 0);
        if (s != RG_OK || fault->outcome != RG_OUTCOME_OK) return s;
        n++;
    }
    return n ? RG_OK : rg_error_set(err, RG_BUG, "no case to verify with");
}
