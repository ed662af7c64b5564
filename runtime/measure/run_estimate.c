/* A time on the simulated device: the model's clock over one run of the plan at the timed size. Launches execute
 * sampled blocks only. Where the course depends on data that the plan made (the plan reads some, or a launch's control
 * and addresses come from what earlier launches wrote), that would be nonsense: the plan runs in full, at the timed
 * size where that turns out to be little enough, else at small sizes, and what it took is extrapolated: launches and
 * waiting as they grow between two such sizes, the rest with the counted work. Where the user's C was counted while it
 * ran, how much more it did at the timed size is known, and with that how many rounds more it went: what the first of
 * them take there tells the rest. */
#include "runtime/measure/runner.h"
#include <math.h>
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double full_run_work = 2e7; /* accesses: a second or two of interpretation */
static const double try_work = 4e8;      /* thread instructions that a try at the timed size may take: as long */

static const double few_launches = 4; /* some rounds of a plan's loop, from which the others are told */

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

/* A smaller case than c that is still worth comparing with, to see how the number of launches grows; NULL: none. */
static struct rg_resident *smaller_case(struct rg_runner *r, const struct rg_resident *c)
{
    const struct rg_sizes *sizes = r->problem->sizes;
    struct rg_resident *best = NULL;
    for (int i = 0; i < r->n_cases; i++) {
        struct rg_resident *q = &r->cases[i];
        if (q->c.timed || !q->c.expected || !(sizes[q->c.size].work > 0) ||
            sizes[q->c.size].work * 2 > sizes[c->c.size].work)
            continue;
        if (!best || sizes[q->c.size].work > sizes[best->c.size].work) best = q;
    }
    return best;
}

/* What the device counted since it was last asked. */
struct parts {
    double launches, launch_us, latency_us, busy_us, blind, low_us, high_us;
    int n;
    struct rg_counter list[RG_MAX_COUNTERS];
    enum rg_limiter limiter;
};

static struct parts counted(const struct rg_device *d)
{
    struct parts p = {.n = RG_MAX_COUNTERS, .limiter = RG_LIMIT_UNKNOWN};
    if (!d->counters) {
        p.n = 0;
        return p;
    }
    d->counters(d->self, p.list, &p.n, &p.limiter);
    for (int i = 0; i < p.n && i < RG_MAX_COUNTERS; i++) {
        const struct rg_counter *c = &p.list[i];
        if (!strcmp(c->name, "launches")) p.launches = c->value;
        if (!strcmp(c->name, "launch_us")) p.launch_us = c->value;
        if (!strcmp(c->name, "latency_us")) p.latency_us = c->value;
        if (!strcmp(c->name, "compute_us") || !strcmp(c->name, "memory_us") || !strcmp(c->name, "atomic_us"))
            p.busy_us = fmax(p.busy_us, c->value);
        if (!strcmp(c->name, "blind_launches")) p.blind = c->value;
        if (!strcmp(c->name, "interval_low_us")) p.low_us = c->value;
        if (!strcmp(c->name, "interval_high_us")) p.high_us = c->value;
    }
    return p;
}

struct growth {
    double launches, latency, threads;
}; /* from the case at hand to the timed one, factors */

/* ratio: of the work. Waiting happens beside the busy parts of many blocks. */
static double extrapolated(const struct parts *p, double us, double ratio, struct growth g)
{
    double now = p->launch_us + fmax(p->latency_us, p->busy_us);
    if (!(p->launches > 0) || !(now > 0) || !(us > 0)) return us * ratio;
    double then = p->launch_us * g.launches + fmax(p->latency_us * g.latency, p->busy_us * ratio);
    return then * us / now; /* what the model adds beside its bounds (tails, waves) stays in proportion */
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
    enum rg_status s = r->cache_hot ? RG_OK : d->flush(d->self, err);
    if (s == RG_OK) s = d->mark(d->self, 0, err);
    if (s == RG_OK) s = rg__exec_run(x, err);
    if (s == RG_OK && x->fault.outcome == RG_OUTCOME_OK) s = d->sync(d->self, &x->fault, err);
    if (s == RG_OK && x->fault.outcome == RG_OUTCOME_OK) s = d->mark(d->self, 1, err);
    if (s == RG_OK && x->fault.outcome == RG_OUTCOME_OK) s = d->elapsed(d->self, 0, 1, us, &x->fault, err);
    if (d->estimate_mode) d->estimate_mode(d->self, false);
    return s;
}

/* One run of the plan on a case, and what it counted. The case stays up. */
static enum rg_status one_run(struct rg_runner *r, struct rg_exec *x, struct rg_resident *c, bool full, double *us,
                              struct parts *p, struct rg_error *err)
{
    enum rg_status s = rg__case_up(r, c, err);
    if (s == RG_OK) s = rg__case_restore(r, c, err);
    if (s != RG_OK) return s;
    double work = r->problem->sizes[c->c.size].work;
    if (r->device.budget) r->device.budget(r->device.self, full ? 4e9 + 100 * (work > 0 ? work : 0) : 2e10);
    if (full) x->max_launches = RG_SIM_MAX_LAUNCHES;
    rg__watch(x);
    s = clocked(r, x, !full, us, err);
    *p = counted(&r->device);
    return s;
}

struct begun { /* the first launches of a run that was too long: how many, and what they took */
    double us, launches;
};

/* The plan in full at the timed size, where nobody knew whether that is little enough: rounds until nothing changes are
 * often few, whatever the bound of their number is. False: it was too much, or did not work out, and nothing is known
 * but how it began. */
static bool tried(struct rg_runner *r, struct rg_exec *x, const struct rg_loaded *l, struct rg_resident *timed,
                  double *us, struct parts *p, struct begun *begun, enum rg_status *s, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    if (!d->allowance) return false;
    rg__exec_init(x, r, l, timed);
    d->allowance(d->self, try_work);
    *s = one_run(r, x, timed, true, us, p, err);
    d->allowance(d->self, 0);
    if (*s != RG_OK || x->fault.outcome == RG_OUTCOME_OK) return true;
    if (x->fault.outcome == RG_OUTCOME_TIMEOUT && d->clock) /* the last launch did not end */
        *begun = (struct begun){d->clock(d->self), (double)x->launches - 1};
    rg__exec_release(x);
    rg__case_down(r, timed); /* what it left there is nobody's input */
    *us = 0;
    return false;
}

static double power_law(double small, double large, double step, double ratio)
{
    if (!(small > 0) || !(large > 0)) return ratio;
    double power = log(large / small) / log(step);
    return pow(ratio, power < 0 ? 0 : power > 1 ? 1 : power);
}

/* How much more the user's C does in `to` than in `from`: all of it, in a round, and how many rounds more. */
struct more {
    double work, round, rounds;
};

/* As counted while it ran. False: it was not, or has no rounds. */
static bool counted_more(const struct rg_case *from, const struct rg_case *to, struct more *out)
{
    if (!(from->steps > 0) || !(to->steps > 0) || !(from->round > 0) || !(to->round > 0)) return false;
    *out = (struct more){to->steps / from->steps, to->round / from->round, 1};
    out->rounds = out->work / out->round;
    return true;
}

/* How the number of launches, the time that waiting takes and the threads of the main kernel grow from c to the timed
 * case, seen between c and a smaller one; with the work where there is none. */
static struct growth growth_of(struct rg_runner *r, const struct rg_loaded *l, const struct rg_resident *c,
                               const struct rg_exec *now, const struct parts *p, double ratio,
                               const struct more *counted)
{
    int most = rg__watch_main(now);
    double threads = most >= 0 ? now->watch.kernels[most].threads : 1;
    struct growth g = {ratio, ratio, threads > 1 ? ratio : 1};
    struct rg_resident *small = smaller_case(r, c);
    if (!small || !(p->launches > 0)) return g;
    struct rg_error ignored = RG_ERROR_INIT;
    struct rg_exec x;
    struct parts q;
    double us = 0;
    rg__exec_init(&x, r, l, small);
    enum rg_status s = one_run(r, &x, small, true, &us, &q, &ignored);
    bool fine = s == RG_OK && x.fault.outcome == RG_OUTCOME_OK && q.launches > 0;
    double fewer = fine && most >= 0 && most < x.watch.n ? x.watch.kernels[most].threads : 0;
    rg__exec_release(&x);
    if (!fine) return g;
    struct more before;
    if (counted && counted_more(&small->c, &c->c, &before) && before.round > 1) {
        /* what a launch takes grows with what a round does, and their number with that of the rounds */
        double each = power_law(q.latency_us / q.launches, p->latency_us / p->launches, before.round, counted->round);
        if (threads > 1) g.threads = power_law(fewer, threads, before.round, counted->round);
        g.launches = l->plan->reads_data ? counted->rounds : 1;
        g.latency = each * (l->plan->reads_data ? counted->rounds : 1);
        return g;
    }
    double step = r->problem->sizes[c->c.size].work / r->problem->sizes[small->c.size].work;
    g.launches = power_law(q.launches, p->launches, step, ratio);
    g.latency = power_law(q.latency_us, p->latency_us, step, ratio);
    if (threads > 1) g.threads = power_law(fewer, threads, step, ratio);
    return g;
}

static enum rg_status estimate(struct rg_runner *r, const struct rg_loaded *l, struct rg_fault *fault, double *us,
                               struct rg_msg *reply, struct rg_error *err)
{
    struct rg_resident *timed = rg__timed_case(r), *c = timed;
    if (!timed) return rg_error_set(err, RG_BUG, "no case to time");
    bool full = l->plan->reads_data;
    if (full) c = full_case(r, timed);
    struct rg_exec x;
    struct parts p;
    struct begun begun = {0, 0};
    enum rg_status s = RG_OK;
    if (c != timed && tried(r, &x, l, timed, us, &p, &begun, &s, err)) {
        c = timed;
    } else {
        rg__exec_init(&x, r, l, c);
        s = one_run(r, &x, c, full, us, &p, err);
    }
    if (s == RG_OK && x.fault.outcome == RG_OUTCOME_OK && !full && p.blind > 0 && full_case(r, timed)) {
        rg__exec_release(&x);
        full = true;
        c = full_case(r, timed);
        if (c != timed && tried(r, &x, l, timed, us, &p, &begun, &s, err)) {
            c = timed;
        } else {
            rg__exec_init(&x, r, l, c);
            s = one_run(r, &x, c, full, us, &p, err);
        }
    }
    if (s != RG_OK) {
        rg__exec_release(&x);
        return s;
    }
    double work = r->problem->sizes[c->c.size].work, timed_work = r->problem->sizes[timed->c.size].work, wider = 1,
           grown = 1;
    if (x.fault.outcome == RG_OUTCOME_OK && c != timed && work > 0 && timed_work > work) {
        struct more more;
        bool known = counted_more(&c->c, &timed->c, &more);
        double ratio = known ? more.work : timed_work / work;
        struct growth g = growth_of(r, l, c, &x, &p, ratio, known ? &more : NULL);
        *us = known && l->plan->reads_data && begun.launches >= few_launches
                  ? begun.us * fmax(1, (double)x.launches * g.launches / begun.launches)
                  : extrapolated(&p, *us, ratio, g);
        if (known && l->plan->reads_data) { /* of the timed size, as far as the C's own rounds tell */
            x.launches = llround((double)x.launches * g.launches);
            x.waits = llround((double)x.waits * more.rounds);
        }
        grown = g.threads;
        wider = 2;
    }
    *us = six_digits(*us);
    if (x.fault.outcome == RG_OUTCOME_OK && reply) {
        reply->time_us = *us;
        rg__counters(r, &x, grown, reply);
        for (int i = 0; i < p.n && i < RG_MAX_COUNTERS; i++) {
            bool have = false;
            if (wider > 1 && !strcmp(p.list[i].name, "interval_low_us")) p.list[i].value = *us / wider;
            if (wider > 1 && !strcmp(p.list[i].name, "interval_high_us")) p.list[i].value = *us * wider;
            for (int k = 0; k < reply->n_counters; k++) have = have || !strcmp(reply->counters[k].name, p.list[i].name);
            if (!have) rg__counter_add(reply, p.list[i].name, p.list[i].value);
        }
        if (p.limiter != RG_LIMIT_UNKNOWN) reply->limiter = rg_limiter_word(p.limiter);
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
    int first = reply->n_counters;
    if (!rg__known_estimate(r, l, reply)) {
        enum rg_status s = estimate(r, l, fault, &us, reply, err);
        if (s != RG_OK || fault->outcome != RG_OUTCOME_OK) return s;
        if (!(us > 0)) return rg_error_set(err, RG_BUG, "the timing model gave %g us", us);
        rg__keep_estimate(r, l, reply, first);
    }
    reply->estimated = true;
    reply->noise_us = 0;
    reply->total_us = -1;
    return RG_OK;
}

enum rg_status rg__estimate_quick(struct rg_runner *r, const struct rg_loaded *l, double seconds, double instructions,
                                  struct rg_interval *out, struct rg_error *err)
{
    struct rg_resident *c = rg__timed_case(r);
    *out = (struct rg_interval){0, 0, 0};
    if (!c) return rg_error_set(err, RG_BUG, "no case to time");
    if (l->plan->reads_data) return RG_OK;
    struct rg_exec x;
    double us = 0;
    rg__exec_init(&x, r, l, c);
    x.max_launches = RG_SIM_MAX_LAUNCHES;
    x.until = rg_now() + seconds;
    enum rg_status s = rg__case_up(r, c, err);
    if (s == RG_OK) s = rg__case_restore(r, c, err);
    if (s == RG_OK) {
        r->device.budget(r->device.self, instructions);
        s = clocked(r, &x, true, &us, err);
    }
    if (s == RG_OK && x.fault.outcome == RG_OUTCOME_OK) {
        struct parts p = counted(&r->device);
        if (!(p.blind > 0)) *out = (struct rg_interval){us, p.low_us, p.high_us};
    }
    rg__exec_release(&x);
    if (s == RG_OK && x.fault.outcome != RG_OUTCOME_OK) rg__case_down(r, c); /* what it left there is nobody's input */
    return s;
}

enum rg_status rg__estimate_duel(struct rg_runner *r, const struct rg_loaded *a, const struct rg_loaded *b,
                                 struct rg_fault *fault, struct rg_msg *reply, struct rg_error *err)
{
    double ta = rg__known_us(r, a), tb = rg__known_us(r, b);
    enum rg_status s = ta > 0 ? RG_OK : estimate(r, a, fault, &ta, NULL, err);
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK && !(tb > 0)) s = estimate(r, b, fault, &tb, NULL, err);
    if (s != RG_OK || fault->outcome != RG_OUTCOME_OK) return s;
    reply->ratio = tb > 0 ? ta / tb : 1;
    reply->time_us = ta;
    reply->other_us = tb;
    reply->significant = ta != tb; /* a model's times have no noise */
    return RG_OK;
}
