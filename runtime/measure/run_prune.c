/* Pruning: a verified candidate whose timed runs would be long is estimated first, and not timed where even the low end
 * of the estimate is far above the best time so far. Verification comes before it, so that what is pruned is known to
 * be right, and a wrong one is told as such. The estimate costs a fraction of a second of the processor, and the device
 * waits for it where there is no look worker, so that only long runs are worth it. */
#include "runtime/measure/runner.h"
#include <math.h>
#include <rg/log.h>

static const double factor = 2, /* of the best: what slows down by less may be on the way to something better */
    worth_us = 1000, /* the best's time from which on a candidate twice as slow takes as long to time as to estimate:
                        some 50 runs, or 0.2 s */
    most_seconds = 1, most_instructions = 1e9, /* of an estimate; of a launch in it */
    runs_saved = 20,                           /* an estimate is no longer than so many runs of what it would spare */
    widest =
        3.5; /* high over low: a launch's own interval is 1.7 times either way; more where something was extrapolated */
static const int64_t most_bytes = 512ll << 20;

static enum rg_status estimate(struct rg_runner *r, const struct rg_program *p, struct rg_interval *out,
                               struct rg_error *err)
{
    struct rg_runner *q = r->screen;
    struct rg_loaded l;
    struct rg_fault fault = {RG_OUTCOME_OK, ""};
    q->cache_hot = r->cache_hot;
    enum rg_status s = rg__loaded_new(q, p, &l, &fault, err);
    if (s == RG_OK && fault.outcome == RG_OUTCOME_OK)
        s = rg__estimate_quick(q, &l, fmin(most_seconds, runs_saved * factor * r->best_us * 1e-6), most_instructions,
                               out, err);
    rg__loaded_release(q, &l);
    return s;
}

struct rg_interval rg__expect(struct rg_runner *r, const struct rg_program *p)
{
    struct rg_interval t = {0, 0, 0};
    if (r->prune == RG_PRUNE_NEVER || r->device.simulated || !*r->model || r->best_us < worth_us) return t;
    const struct rg_resident *c = rg__timed_case(r);
    if (!c || c->layout.bytes > most_bytes || !rg__screen_case(r, c)) return t;
    struct rg_error e = RG_ERROR_INIT;
    if (estimate(r, p, &t, &e) != RG_OK) rg_log(RG_LOG_DEBUG, "not estimated: %s", e.text);
    rg_error_clear(&e);
    return t;
}

void rg__prune(struct rg_runner *r, struct rg_interval t, struct rg_fault *fault, struct rg_msg *reply)
{
    double limit = factor * r->best_us;
    if (r->prune == RG_PRUNE_NEVER || r->device.simulated || !(limit > 0)) return;
    if (!(t.us > 0) || !(t.low > limit) || t.high > widest * t.low) return;
    if (r->prune == RG_PRUNE_MEASURE) {
        rg__counter_add(reply, "prune_low_us", t.low);
        rg__counter_add(reply, "prune_limit_us", limit);
        return;
    }
    rg__counter_add(reply, "estimated_us", t.us);
    rg__fault_set(fault, RG_OUTCOME_PRUNED,
                  "estimated by sim:%s at %.4g us, at least %.4g us; the best takes %.4g us: not timed", r->model, t.us,
                  t.low, r->best_us);
}
