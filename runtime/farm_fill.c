/* The queue of the reference workers: cases to be filled with inputs and with what the user's C makes of them. Several at once on
 * machines with cores to spare; one that only times the sequential run may go on beside a search. */
#include "runtime/farm.h"
#include <rg/file.h>
#include <stdio.h>
#include <string.h>

struct farm_fill *rg__farm_fill(struct rg_farm *f, enum rg_msg_kind kind, const struct rg_case *c, bool measure, double limit_s)
{
    if (f->n_fills == FARM_FILLS) return NULL;
    struct farm_fill *fill = &f->fills[f->n_fills++];
    *fill = (struct farm_fill){.kind = kind, .c = *c, .measure = measure, .limit_s = limit_s, .seconds = -1};
    return fill;
}

static struct farm_fill *waiting(const struct rg_farm *f)
{
    for (int i = 0; i < f->n_fills; i++)
        if (f->fills[i].state == FARM_FILL_WAITS) return (struct farm_fill *)&f->fills[i];
    return NULL;
}

bool rg__farm_fill_waits(const struct rg_farm *f)
{
    return waiting(f) != NULL;
}

bool rg__farm_fill_start(struct rg_farm *f, struct farm_worker *w)
{
    struct farm_fill *fill = waiting(f);
    if (!fill) return false;
    struct rg_msg m;
    rg__msg_init(&m, fill->kind, fill - f->fills + 1);
    m.n_cases = 1;
    m.cases = &fill->c;
    m.measure = fill->measure;
    m.measure_only = fill->measure_only;
    if (rg__farm_send(w, &m, NULL) != RG_OK) return false;
    fill->state = FARM_FILL_RUNS;
    w->fill = fill;
    w->state = FARM_BUSY;
    rg__farm_clock(w, fill->limit_s);
    return true;
}

void rg__farm_filled(struct farm_worker *w, const struct rg_msg *m)
{
    struct farm_fill *fill = w->fill;
    bool answered = m->kind == (fill->kind == RG_MSG_PREPARE ? RG_MSG_PREPARED : RG_MSG_DONE);
    if (answered && fill->kind == RG_MSG_PREPARE) {
        fill->seconds = m->seconds;
        fill->c.positive = m->positive;
    } else if (m->kind == RG_MSG_ERROR) {
        rg__msg_to_error(m, &fill->error);
    } else if (!answered) {
        rg_error_set(&fill->error, RG_BUG, "the reference worker answered '%s'", rg__msg_word(m->kind));
    }
    fill->state = FARM_FILL_DONE;
    w->fill = NULL;
    w->state = FARM_IDLE;
    if (!answered) rg__farm_stop(w); /* the function may have left anything behind */
}

void rg__farm_fill_lost(struct farm_fill *fill, enum farm_loss loss, const char *why)
{
    if ((loss == FARM_KILLED || loss == FARM_STALLED) && ++fill->attempts < FARM_ATTEMPTS) {
        fill->state = FARM_FILL_WAITS;
        return;
    }
    fill->state = FARM_FILL_DONE;
    if (loss == FARM_LATE) rg_error_set(&fill->error, RG_CANCELED, "no answer within %g s", fill->limit_s);
    else rg_error_set(&fill->error, RG_INPUT, "%s", why);
}

enum rg_status rg__farm_fills_wait(struct rg_farm *f, struct rg_error *err)
{
    for (;;) {
        bool open = false;
        for (int i = 0; i < f->n_fills; i++) open = open || f->fills[i].state != FARM_FILL_DONE;
        if (!open) return RG_OK;
        enum rg_status s = rg__farm_pump(f, 1, err);
        if (s != RG_OK) return s;
    }
}
