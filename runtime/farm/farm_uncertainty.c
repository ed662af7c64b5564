/* How well the user's C itself determines its outputs: asked of the reference workers case by case, and summed up for
 * the report. Where its values in double are there, most candidates agree with those, and measuring it takes several
 * runs that are ten times as slow: of all but the smallest cases it is measured beside the search, and a candidate that
 * differs meanwhile waits for it. */
#include "runtime/data/compare.h"
#include "runtime/farm/farm.h"
#include "runtime/data/layout.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double limit_s = 20;     /* of a case: a loop that a rounding keeps from ending costs no more */
static const double quick_work = 3e5; /* accesses: hundredths of a second, rounded at random */

static const char *output_name(const struct rg_param *q)
{
    return q->origin == RG_ORIGIN_RESULT ? "the returned value" : rg_param_shown(q);
}

/* The case and output that are worst: those held to the C's own uncertainty before the others. */
static void take(struct rg_farm_info *info, const struct rg_param *q, const char *at, const struct rg_determined *d)
{
    /* single values that cancel are common, and nothing to be told: the output as a whole must be less certain than is
     * tolerated */
    bool loose = d->n_loose > 0 && d->digits - log10(8) < d->tolerance;
    if (isnan(info->digits) || (loose && !info->loose) || (loose == info->loose && d->digits < info->digits)) {
        info->digits = d->digits;
        info->loose = loose;
        info->wider_helps = rg_scalar_is_real(q->elem) && q->elem != RG_F64;
        snprintf(info->digits_of, sizeof info->digits_of, "%.60s", output_name(q));
        snprintf(info->digits_at, sizeof info->digits_at, "%s", at);
    }
    if (d->n_open <= info->undetermined) return;
    info->undetermined = d->n_open;
    snprintf(info->undetermined_of, sizeof info->undetermined_of, "%.60s", output_name(q));
    snprintf(info->undetermined_at, sizeof info->undetermined_at, "%s", at);
}

/* The case and output with the most reals that are no numbers. */
static void take_odd(struct rg_farm_info *info, const struct rg_param *q, const char *at, const struct rg_determined *d)
{
    if (d->n_nan + d->n_infinite <= info->n_nan + info->n_infinite) return;
    info->n_nan = d->n_nan;
    info->n_infinite = d->n_infinite;
    info->odd_of_n = d->n_reals;
    snprintf(info->odd_of, sizeof info->odd_of, "%.60s", output_name(q));
    snprintf(info->odd_at, sizeof info->odd_at, "%s", at);
}

void rg__farm_uncertain(struct rg_farm *f, const struct rg_case *c)
{
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_layout l;
    struct rg_mapping m = {NULL, 0, NULL};
    const struct rg_sizes *sizes = &f->problem->sizes[c->size];
    char at[160];
    rg__sizes_text(f->problem, sizes, at, 130);
    size_t len = strlen(at);
    if (c->seed) snprintf(at + len, sizeof at - len, ", input set %d", c->seed);
    if (rg__layout(&a, f->problem, sizes, true, &l, NULL) == RG_OK &&
        rg__shm_map(f->shm.fd, c->at, false, &m, NULL) == RG_OK)
        for (int i = 0; i < l.n; i++) {
            struct rg_compare cmp;
            struct rg_determined d;
            if (l.slots[i].expect < 0) continue;
            rg__compare_case(&cmp, f->problem, sizes, &l, i, m.data, NULL);
            bool known = rg__determined(&cmp, &d);
            take_odd(&f->info, &f->problem->params[i], at, &d);
            if (known) take(&f->info, &f->problem->params[i], at, &d);
        }
    rg__shm_unmap(&m);
    rg_arena_release(&a);
}

bool rg__farm_needs_spread(const struct rg_farm *f, const struct rg_case *c)
{
    return f->problem->accumulates && !c->in_double;
}

bool rg__farm_c_can_judge(const struct rg_farm *f, const struct rg_sizes *s)
{
    return !f->problem->accumulates || f->in_double || (s->work > 0 && rg__spread_rounds(s));
}

enum rg_status rg__farm_uncertainty(struct rg_farm *f, int from, int to, struct rg_error *err)
{
    for (int i = from; i < to; i++) {
        struct rg_case *c = &f->cases[i];
        c->may_move = f->o.beside && c->in_double && f->problem->sizes[c->size].work > quick_work;
        if (!c->may_move && !rg__farm_fill(f, RG_MSG_SPREAD, c, false, limit_s))
            return rg_error_set(err, RG_BUG, "too many cases");
    }
    enum rg_status s = rg__farm_fills_wait(f, err);
    for (int i = from; i < to && s == RG_OK; i++)
        if (!f->cases[i].may_move) rg__farm_uncertain(f, &f->cases[i]);
    return s;
}

void rg__farm_moves_begin(struct rg_farm *f)
{
    for (int i = 0; i < f->n_cases; i++) {
        struct rg_case *c = &f->cases[i];
        struct farm_fill *fill = c->may_move ? rg__farm_fill(f, RG_MSG_SPREAD, c, false, limit_s) : NULL;
        c->may_move = fill != NULL;
        if (fill) f->moves[f->n_moves++] = fill;
    }
}

void rg__farm_moves(struct rg_farm *f)
{
    int n = f->n_moves;
    for (int i = 0; i < n; i++)
        if (f->moves[i]->state != FARM_FILL_DONE) return;
    if (!n) return;
    f->n_moves = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < f->n_cases; k++) {
            struct rg_case *c = &f->cases[k];
            if (c->at.off != f->moves[i]->c.at.off) continue; /* another takes its place by now */
            c->may_move = false;
            rg__farm_uncertain(f, c);
        }
    f->cases_version++;
    rg__farm_go_on(f);
}

void rg__farm_moves_lost(struct rg_farm *f)
{
    for (int i = 0; i < f->n_moves; i++) {
        for (int k = 0; k < f->n_workers; k++)
            if (f->workers[k].fill == f->moves[i]) rg__farm_stop(&f->workers[k]); /* it may be writing there */
        f->moves[i]->state = FARM_FILL_DONE;
    }
    rg__farm_moves(f);
}
