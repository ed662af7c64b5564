/* Late cases: the large sizes, at which the user's C takes its time, are filled beside the search. Candidates are
 * verified at the others meanwhile, and at these too from when they are there; what the search ends with is verified at
 * all (rg__farm_settle_cases, rg_farm_doubts). A size at which the C gives no reference is left out, and the report
 * says so: the others have shown that it is one. */
#include "runtime/data/layout.h"
#include "runtime/farm/farm.h"
#include <rg/log.h>
#include <stdio.h>
#include <string.h>

static const double quick_work = 3e7;                 /* accesses: some hundredths of a second */
static const int64_t quick_bytes = INT64_C(32) << 20; /* of a case: fresh memory costs more than the C there */
static const double spread_s = 20;                    /* a loop that a rounding keeps from ending costs no more */

bool rg__farm_is_late(const struct rg_farm *f, const struct rg_case *c)
{
    double work = f->problem->sizes[c->size].work;
    return f->o.beside && !f->simulated && work > 0 && (work > quick_work || c->at.len > quick_bytes);
}

bool rg__farm_late_add(struct rg_farm *f, const struct rg_case *c, double limit_s)
{
    if (f->n_late == RG_MAX_CASES) return false;
    f->late[f->n_late++] = (struct farm_late){.c = *c, .limit_s = limit_s};
    return true;
}

void rg__farm_leave_out(struct rg_farm *f, const struct rg_case *c, const struct rg_error *e, double limit_s)
{
    char at[200], why[200];
    rg__sizes_text(f->problem, &f->problem->sizes[c->size], at, sizeof at);
    if (e->status == RG_CANCELED)
        snprintf(why, sizeof why, "the C takes longer than %g s there", limit_s);
    else
        snprintf(why, sizeof why, "%.190s", e->text);
    rg_log(RG_LOG_WARN, "candidates are not verified at %s: %s", at, why);
    size_t n = strlen(f->info.left_out);
    snprintf(f->info.left_out + n, sizeof f->info.left_out - n, "%s%s (%s)", n ? "; " : "", at, why);
    rg__shm_free(&f->shm, c->at);
}

void rg__farm_late_drop(struct rg_farm *f, struct farm_late *l, const struct rg_error *e)
{
    rg__farm_leave_out(f, &l->c, e, l->limit_s);
    l->done = true;
}

static void queue(struct rg_farm *f, struct farm_late *l, enum rg_msg_kind kind)
{
    l->fill = rg__farm_fill(f, kind, &l->c, false, kind == RG_MSG_SPREAD ? spread_s : l->limit_s);
    if (l->fill) return;
    struct rg_error e = RG_ERROR_INIT;
    rg_error_set(&e, RG_LIMIT, "there are too many cases");
    rg__farm_late_drop(f, l, &e);
}

void rg__farm_late_begin(struct rg_farm *f)
{
    for (int i = 0; i < f->n_late; i++)
        if (!f->late[i].done) queue(f, &f->late[i], RG_MSG_PREPARE);
}

/* Before the timed sets, as it would stand had it been there at the start. */
static void join(struct rg_farm *f, struct farm_late *l)
{
    int at = 0;
    l->done = true;
    while (at < f->n_cases && !f->cases[at].timed) at++;
    memmove(&f->cases[at + 1], &f->cases[at], (size_t)(f->n_cases - at) * sizeof *f->cases);
    f->cases[at] = l->c;
    f->n_cases++;
    f->doubt_from = ++f->cases_version;
}

static void advance(struct rg_farm *f, struct farm_late *l)
{
    const struct farm_fill *fill = l->fill;
    const struct rg_error *e = &fill->error;
    switch (fill->kind) {
    case RG_MSG_PREPARE:
        l->c.positive = fill->c.positive;
        f->info.init_missed += fill->random && l->c.seed == 0;
        if (e->status != RG_OK)
            rg__farm_late_drop(f, l, e);
        else if (f->n_cases == RG_MAX_CASES)
            l->done = true;
        else
            queue(f, l, f->in_double ? RG_MSG_ORACLE : RG_MSG_SPREAD);
        return;
    case RG_MSG_ORACLE:
        l->c.in_double = e->status == RG_OK; /* else its own values are judged by their spread */
        queue(f, l, RG_MSG_SPREAD);
        return;
    default: /* without a spread the tolerance stands alone, unless it is all there is */
        if (rg__farm_needs_spread(f, &l->c) && !fill->rounded) {
            struct rg_error why = RG_ERROR_INIT;
            rg_error_set(&why, RG_UNAVAILABLE,
                         "there is no evaluation in double there, and how exact the C is could not be measured");
            rg__farm_late_drop(f, l, &why);
            return;
        }
        if (e->status == RG_OK) rg__farm_uncertain(f, &l->c);
        join(f, l);
    }
}

bool rg__farm_late(struct rg_farm *f)
{
    bool open = false;
    for (int i = 0; i < f->n_late; i++) {
        struct farm_late *l = &f->late[i];
        if (!l->done && l->fill && l->fill->state == FARM_FILL_DONE) advance(f, l);
        open = open || !l->done;
    }
    return open;
}

void rg__farm_late_lost(struct rg_farm *f, const char *why)
{
    rg__farm_moves_lost(f);
    for (int i = 0; i < f->n_late; i++) {
        struct farm_late *l = &f->late[i];
        struct rg_error e = RG_ERROR_INIT;
        if (l->done) continue;
        for (int k = 0; k < f->n_workers; k++)
            if (l->fill && f->workers[k].fill == l->fill) rg__farm_stop(&f->workers[k]); /* it may be writing there */
        if (l->fill) l->fill->state = FARM_FILL_DONE;
        rg_error_set(&e, RG_UNAVAILABLE, "%s", why);
        rg__farm_late_drop(f, l, &e);
    }
}

void rg__farm_settle_cases(struct rg_farm *f)
{
    struct rg_error e = RG_ERROR_INIT;
    while ((rg__farm_late(f) || f->n_moves || f->arbiter.state == FARM_ARBITER_RUNS) &&
           rg__farm_pump(f, 1, &e) == RG_OK)
        ;
}
