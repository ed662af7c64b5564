/* Sizes that nobody gave: is the C done there in good time? Its counted work decides what is proposed; where data lead
 * its loops, or nest them, it takes more than that says, and grows faster. Times at verify sizes tell. */
#include "runtime/data/layout.h"
#include "runtime/farm/farm.h"
#include <math.h>
#include <rg/log.h>
#include <stdio.h>

static const double aim = 0.3, timed_aim = 0.5; /* of what it may take: what is left is to take that */
static const double patience = 3;               /* times that, a case may take: the C is run more than once for it */
static const double telling_s = 1e-4;           /* a time from which on growth can be told */
static const double least_power = 1, most_power = 8; /* of the work; below 1 what is fixed shows */
static const double guessed_power = 2;               /* two loops instead of one */
static const double endless_work = 1e4;              /* accesses: what is given up at so few does not end at all */
static const double verified = 2e8;                  /* accesses, at most, before any halving */
enum { GIVEN_UP = 2 };                               /* halvings more where it is not known how long it takes */

/* Is the case's size ours to choose, and larger than the smallest? Where the C takes long at that one, it is not the
 * size's doing. */
static bool ours(const struct rg_farm *f, const struct rg_case *c)
{
    const struct rg_sizes *z = &f->problem->sizes[c->size];
    return f->o.most_verify_s > 0 && (z->chosen || z->timed) && z->work > f->problem->sizes[f->cases[0].size].work;
}

double rg__farm_brief(const struct rg_farm *f, const struct rg_case *c, double limit_s)
{
    return ours(f, c) ? fmin(limit_s, patience * f->o.most_verify_s) : limit_s;
}

static enum rg_status too_long(struct rg_farm *f, int *less, double halvings, const struct rg_sizes *at,
                               struct rg_error *err)
{
    char where[200];
    rg__sizes_text(f->problem, at, where, sizeof where);
    *less = (int)fmin(fmax(ceil(halvings), 1), RG_MAX_HALVINGS);
    return rg_error_set(err, RG_LIMIT, "%s takes longer at %s than its loops say", f->problem->function, where);
}

/* On one input set, the median of a few runs; -1: unknown. */
static enum rg_status seconds_at(struct rg_farm *f, const struct rg_sizes *z, int seed, bool positive, double limit_s,
                                 double *seconds, struct rg_error *err)
{
    struct rg_case c = {.size = (int)(z - f->problem->sizes), .seed = seed, .positive = positive};
    enum rg_status s = rg__farm_place(f, &c, err);
    *seconds = -1;
    if (s != RG_OK) return s;
    struct farm_fill *fill = rg__farm_fill_now(f, &c, true, false, limit_s, err);
    if (fill && fill->error.status == RG_OK) *seconds = fill->seconds;
    if (fill && fill->error.status == RG_CANCELED) *seconds = limit_s;
    rg__shm_free(&f->shm, c.at);
    return fill ? RG_OK : err->status;
}

/* Of the C at a verify size: the simulated device is some hundred times slower. */
static double most_verify(const struct rg_farm *f)
{
    const double most_on_sim = 0.1;
    return f->simulated ? fmin(most_on_sim, f->o.most_verify_s) : f->o.most_verify_s;
}

/* RG_LIMIT: at the size of this case there is too much to do. */
static enum rg_status less_there(struct rg_farm *f, const struct farm_fill *fill, double s, bool late,
                                 struct rg_error *err)
{
    const struct rg_sizes *z = &f->problem->sizes[fill->c.size];
    rg_log(RG_LOG_INFO, "the C took %.3g s at a verify size of %.3g accesses", s, z->work);
    const double allowed = ldexp(verified, -f->problem->verify_halvings);
    return too_long(f, f->o.verify_less,
                    log2(allowed / z->work) + log2(s / (aim * most_verify(f))) / guessed_power + (late ? GIVEN_UP : 0),
                    z, err);
}

enum rg_status rg__farm_verify_brief(struct rg_farm *f, struct farm_fill *const *fills, int n, struct rg_error *err)
{
    const struct farm_fill *longest = NULL;
    for (bool open = true; open;) {
        open = false;
        for (int i = 0; i < n; i++) {
            const bool done = fills[i]->state == FARM_FILL_DONE;
            open = open || !done;
            if (done && fills[i]->error.status == RG_CANCELED && ours(f, &fills[i]->c) &&
                f->problem->sizes[fills[i]->c.size].work > endless_work)
                return less_there(f, fills[i], fills[i]->limit_s, true, err);
        }
        enum rg_status s = open ? rg__farm_pump(f, 1, err) : rg__farm_fills_wait(f, err);
        if (s != RG_OK) return s;
    }
    for (int i = 0; i < n; i++)
        if (fills[i]->error.status == RG_OK && ours(f, &fills[i]->c) && fills[i]->seconds > most_verify(f) &&
            (!longest || fills[i]->seconds > longest->seconds))
            longest = fills[i];
    if (!longest) return RG_OK;
    double seconds; /* once more: it may have waited for its processor */
    enum rg_status s = seconds_at(f, &f->problem->sizes[longest->c.size], longest->c.seed, longest->c.positive,
                                  patience * f->o.most_verify_s, &seconds, err);
    return s == RG_OK && seconds > most_verify(f) ? less_there(f, longest, seconds, false, err) : s;
}

enum rg_status rg__farm_timed_brief(struct rg_farm *f, const struct rg_sizes *timed, bool positive,
                                    struct rg_error *err)
{
    const struct rg_sizes *at = NULL, *small = NULL;
    const double limit_s = patience * f->o.most_timed_s;
    double s = -1, small_s = -1, power = least_power;
    if (!(f->o.most_timed_s > 0 && timed->work > 0)) return RG_OK;
    for (int i = 0; i < f->n_cases; i++) {
        const struct rg_sizes *z = &f->problem->sizes[f->cases[i].size];
        if (z->work > 0 && (!at || z->work > at->work)) at = z;
    }
    for (int i = 0; at && i < f->n_cases; i++) {
        const struct rg_sizes *z = &f->problem->sizes[f->cases[i].size];
        if (z->work > 0 && 2 * z->work <= at->work && (!small || z->work > small->work)) small = z;
    }
    double expected = INFINITY;
    /* The least of several rounds: each may have waited for its processor. */
    for (int round = 0; at && round < FARM_BRIEF && expected > f->o.most_timed_s; round++) {
        double now = -1;
        enum rg_status st = seconds_at(f, at, 0, positive, limit_s, &now, err);
        if (st != RG_OK || now < 0) return st;
        if (!round || now < s) s = now;
        if (at->work < timed->work && small && s > telling_s) {
            st = seconds_at(f, small, 0, positive, limit_s, &now, err);
            if (st != RG_OK) return st;
            if (now > 0 && (small_s < 0 || now < small_s)) small_s = now;
            power = small_s > 0 ? log(s / small_s) / log(at->work / small->work) : least_power;
            power = fmin(fmax(power, least_power), most_power);
        }
        expected = at->work < timed->work ? s * pow(timed->work / at->work, power) : s;
    }
    if (!at || expected <= f->o.most_timed_s) return RG_OK;
    rg_log(RG_LOG_INFO,
           "the C took %.3g s at %.3g accesses, and its time grows as their number to the %.2g: %.3g s are expected", s,
           at->work, power, expected);
    return too_long(f, f->o.timed_less, log2(expected / (timed_aim * f->o.most_timed_s)) / power, timed, err);
}
