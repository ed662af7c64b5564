/* The queue of the reference workers: cases to be filled with inputs and with what the user's C makes of them. Several
 * at once on machines with cores to spare; one that only times the sequential run may go on beside a search. */
#include "runtime/farm/farm.h"
#include <math.h>
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a case's draws of its uncertainty may take of the time that is left: where they are many they show what is rare,
 * but until they are over no candidate is known to be right. */
static const double draws_share = 0.05;

struct farm_fill *rg__farm_fill(struct rg_farm *f, enum rg_msg_kind kind, const struct rg_case *c, bool measure,
                                double limit_s)
{
    if (f->n_fills == FARM_FILLS) return NULL;
    struct farm_fill *fill = &f->fills[f->n_fills++];
    *fill = (struct farm_fill){.kind = kind, .c = *c, .measure = measure, .limit_s = limit_s, .seconds = -1};
    return fill;
}

static bool for_hooks(const struct farm_fill *fill)
{
    return fill->kind == RG_MSG_TOUCH;
}

static struct farm_fill *waiting(const struct rg_farm *f, enum farm_role role)
{
    for (int i = 0; i < f->n_fills; i++)
        if (f->fills[i].state == FARM_FILL_WAITS && for_hooks(&f->fills[i]) == (role == FARM_HOOKS))
            return (struct farm_fill *)&f->fills[i];
    return NULL;
}

bool rg__farm_fill_waits(const struct rg_farm *f, enum farm_role role)
{
    return waiting(f, role) != NULL;
}

bool rg__farm_fill_start(struct rg_farm *f, struct farm_worker *w)
{
    struct farm_fill *fill = waiting(f, w->role);
    if (!fill) return false;
    struct rg_msg m;
    rg__msg_init(&m, fill->kind, fill - f->fills + 1);
    m.n_cases = 1;
    m.cases = &fill->c;
    m.measure = fill->measure;
    m.measure_only = fill->measure_only;
    if (fill->kind == RG_MSG_SPREAD && f->o.until > 0) m.seconds = fmax(draws_share * (f->o.until - rg_now()), 1e-3);
    if (rg__farm_send(w, &m, NULL) != RG_OK) return false;
    fill->state = FARM_FILL_RUNS;
    w->fill = fill;
    w->state = FARM_BUSY;
    rg__farm_clock(w, fill->limit_s);
    return true;
}

static void touched(struct farm_fill *fill, const struct rg_msg *m)
{
    if (strcmp(m->status, rg_status_name(RG_OK))) {
        fill->violation = true;
        if (m->file[0])
            rg_error_at(&fill->error, RG_INPUT, m->file, (int)m->line, (int)m->column, "%s", m->text);
        else
            rg_error_set(&fill->error, RG_INPUT, "%s", m->text);
        return;
    }
    fill->n_touches = m->n_touches;
    fill->touches = rg_xcalloc((size_t)m->n_touches + 1, sizeof *fill->touches);
    for (int i = 0; i < m->n_touches; i++) fill->touches[i] = m->touches[i];
}

void rg__farm_fills_free(struct rg_farm *f)
{
    for (int i = 0; i < f->n_fills; i++) free(f->fills[i].touches);
}

/* The init function loops for ever: at other sizes it would do so, too. */
static void give_up(struct rg_farm *f, const struct rg_error *e)
{
    for (struct farm_fill *fill; (fill = waiting(f, FARM_REFERENCE)) != NULL;) {
        fill->state = FARM_FILL_DONE;
        fill->error = *e;
    }
}

void rg__farm_filled(struct rg_farm *f, struct farm_worker *w, const struct rg_msg *m)
{
    struct farm_fill *fill = w->fill;
    bool answered = m->kind == (fill->kind == RG_MSG_PREPARE ? RG_MSG_PREPARED
                                : for_hooks(fill)            ? RG_MSG_TOUCHED
                                                             : RG_MSG_DONE);
    if (answered && fill->kind == RG_MSG_PREPARE) {
        fill->seconds = m->seconds;
        fill->c.positive = m->positive;
        fill->random = m->random;
        fill->undefined = m->undefined;
        if (m->undefined) rg_error_set(&fill->error, RG_INPUT, "%s", m->text);
    } else if (answered && fill->kind == RG_MSG_SPREAD) {
        fill->rounded = m->measure;
    } else if (answered && fill->kind == RG_MSG_COUNT) {
        fill->c.steps = m->steps;
        fill->rounds = m->rounds;
    } else if (answered && for_hooks(fill)) {
        touched(fill, m);
    } else if (m->kind == RG_MSG_ERROR) {
        rg__msg_to_error(m, &fill->error);
        if (fill->error.status == RG_LIMIT) give_up(f, &fill->error);
    } else if (!answered) {
        rg_error_set(&fill->error, RG_BUG, "the reference worker answered '%s'", rg__msg_word(m->kind));
    }
    fill->state = FARM_FILL_DONE;
    w->fill = NULL;
    w->state = FARM_IDLE;
    if (!answered || fill->violation) rg__farm_stop(w); /* the function may have left anything behind */
}

void rg__farm_fill_lost(struct farm_fill *fill, enum farm_loss loss, const char *why)
{
    if (((loss == FARM_KILLED || loss == FARM_STALLED) && ++fill->attempts < FARM_ATTEMPTS) ||
        (loss == FARM_TAKEN && ++fill->taken < FARM_TAKEN_ATTEMPTS)) {
        fill->state = FARM_FILL_WAITS;
        return;
    }
    fill->state = FARM_FILL_DONE;
    if (loss == FARM_LATE)
        rg_error_set(&fill->error, RG_CANCELED, "no answer within %g s", fill->limit_s);
    else
        rg_error_set(&fill->error, RG_INPUT, "%s", why);
}

enum rg_status rg__farm_fills_wait(struct rg_farm *f, struct rg_error *err)
{
    for (;;) {
        bool open = false;
        for (int i = 0; i < f->n_fills; i++)
            open = open || (f->fills[i].state != FARM_FILL_DONE && !for_hooks(&f->fills[i]));
        if (!open) return RG_OK;
        enum rg_status s = rg__farm_pump(f, 1, err);
        if (s != RG_OK) return s;
    }
}
