/* A time on the simulated device: the model's clock over one run of the plan at the timed size. Launches execute sampled
 * blocks only; a plan whose course depends on data runs in full, at the largest size where that is affordable, and its
 * time is scaled by the counted work. */
#include "runtime/runner.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double full_run_work = 2e7; /* accesses: a second or two of interpretation */

/* The largest case that may be run in full: the timed one if possible. */
static struct rg_resident *full_case(struct rg_runner *r, struct rg_resident *timed)
{
    const struct rg_sizes *sizes = r->problem->sizes;
    double t = sizes[timed->c.size].work;
    if (t >= 0 && t <= full_run_work) return timed;
    struct rg_resident *best = NULL;
    for (int i = 0; i < r->n_cases; i++) {
        struct rg_resident *c = &r->cases[i];
        if (c->c.timed || !c->c.expected) continue;
        if (!best || sizes[c->c.size].work > sizes[best->c.size].work) best = c;
    }
    return best ? best : timed;
}

/* The clock's own rounding depends on what ran before; the estimate must not. */
static double six_digits(double v)
{
    char text[40];
    snprintf(text, sizeof text, "%.5e", v);
    return strtod(text, NULL);
}

static enum rg_status clocked(struct rg_runner *r, struct rg_exec *x, bool sampled, double *us, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    int ignored = RG_MAX_COUNTERS;
    struct rg_counter drop[RG_MAX_COUNTERS];
    enum rg_limiter limiter;
    if (d->counters) d->counters(d->self, drop, &ignored, &limiter); /* since the last call: start from nothing */
    if (d->estimate_mode) d->estimate_mode(d->self, sampled);
    enum rg_status s = d->mark(d->self, 0, err);
    if (s == RG_OK) s = rg__exec_run(x, err);
    if (s == RG_OK && x->fault.outcome == RG_OUTCOME_OK) s = d->sync(d->self, &x->fault, err);
    if (s == RG_OK && x->fault.outcome == RG_OUTCOME_OK) s = d->mark(d->self, 1, err);
    if (s == RG_OK && x->fault.outcome == RG_OUTCOME_OK) s = d->elapsed(d->self, 0, 1, us, &x->fault, err);
    if (d->estimate_mode) d->estimate_mode(d->self, false);
    return s;
}

static enum rg_status estimate(struct rg_runner *r, const struct rg_loaded *l, struct rg_fault *fault, double *us,
                               struct rg_msg *reply, struct rg_error *err)
{
    struct rg_resident *timed = rg__timed_case(r), *c = timed;
    if (!timed) return rg_error_set(err, RG_BUG, "no case to time");
    bool full = l->plan->reads_data;
    if (full) c = full_case(r, timed);
    struct rg_device *d = &r->device;
    enum rg_status s = rg__case_up(r, c, err);
    if (s == RG_OK) s = rg__case_restore(r, c, err);
    if (s != RG_OK) return s;
    double work = r->problem->sizes[c->c.size].work, timed_work = r->problem->sizes[timed->c.size].work;
    if (d->budget) d->budget(d->self, full ? 5e8 + 100 * (work > 0 ? work : 0) : 2e10);
    struct rg_exec x;
    rg__exec_init(&x, r, l, c);
    if (full) x.max_launches = RG_SIM_MAX_LAUNCHES;
    s = clocked(r, &x, !full, us, err);
    if (s == RG_OK && x.fault.outcome == RG_OUTCOME_OK && c != timed && work > 0 && timed_work > work) {
        *us *= timed_work / work;
        x.threads *= timed_work / work;
    }
    *us = six_digits(*us);
    if (s == RG_OK && x.fault.outcome == RG_OUTCOME_OK && reply) {
        reply->threads = x.threads;
        reply->time_us = *us;
        rg__counters(r, &x, reply);
        if (d->counters) {
            struct rg_counter list[RG_MAX_COUNTERS];
            int n = RG_MAX_COUNTERS;
            enum rg_limiter limiter = RG_LIMIT_UNKNOWN;
            d->counters(d->self, list, &n, &limiter);
            for (int i = 0; i < n && i < RG_MAX_COUNTERS; i++) {
                bool have = false;
                for (int k = 0; k < reply->n_counters; k++) have = have || !strcmp(reply->counters[k].name, list[i].name);
                if (!have) rg__counter_add(reply, list[i].name, list[i].value);
            }
            if (limiter != RG_LIMIT_UNKNOWN) reply->limiter = rg_limiter_word(limiter);
        }
    }
    if (x.fault.outcome != RG_OUTCOME_OK) {
        rg__fault_set(fault, x.fault.outcome, "%s", x.fault.message);
        rg__exec_release(&x);
        rg__case_down(r, c);
        return s;
    }
    rg__exec_release(&x);
    return s;
}

enum rg_status rg__estimate(struct rg_runner *r, const struct rg_loaded *l, struct rg_fault *fault,
                            struct rg_msg *reply, struct rg_error *err)
{
    double us = 0;
    enum rg_status s = estimate(r, l, fault, &us, reply, err);
    if (s != RG_OK || fault->outcome != RG_OUTCOME_OK) return s;
    if (!(us > 0)) return rg_error_set(err, RG_BUG, "the timing model gave %g us", us);
    reply->estimated = true;
    reply->noise_us = 0;
    reply->total_us = -1;
    return RG_OK;
}

enum rg_status rg__estimate_duel(struct rg_runner *r, const struct rg_loaded *a, const struct rg_loaded *b,
                                 struct rg_fault *fault, struct rg_msg *reply, struct rg_error *err)
{
    double ta = 0, tb = 0;
    enum rg_status s = estimate(r, a, fault, &ta, NULL, err);
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK) s = estimate(r, b, fault, &tb, NULL, err);
    if (s != RG_OK || fault->outcome != RG_OUTCOME_OK) return s;
    reply->ratio = tb > 0 ? ta / tb : 1;
    reply->significant = ta != tb; /* a model's times have no noise */
    return RG_OK;
}
