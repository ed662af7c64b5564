/* Steady-state extrapolation: blocks side by side go round a loop whose rounds do the same (steady_loops.c), a
 * solver's steps with a barrier of the whole grid between them: once a round met no memory that those before had not,
 * or took the time of the one before, those that are left are added instead of run. */
#include "runtime/sim/model/estimate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double same = 0.01; /* of the time, of what was touched */

struct mark { /* where all warps had ended a round */
    double clock, work, distance, waits;
    struct sim_tally tally;
    struct sim_count *counts;
    int n_touched;
    double touched[SIM_MAX_TOUCHED][SIM_TOUCH_COUNTS];
    double hot[SIM_HOT_LINES];
};

struct sim_pace {
    int loop; /* basic block of its branch back; -1 */
    int n;    /* marks */
    double warps;
    struct mark marks[3]; /* the last ones, newest first */
};

static double waits_of(const struct sim_block *blocks, int n)
{
    double all = 0;
    for (int q = 0; q < n; q++)
        for (int i = 0; i < blocks[q].n_warps; i++) all += (double)blocks[q].warps[i].time->waits / blocks[q].n_warps;
    return all;
}

struct sim_pace *rg__sim_pace_new(const struct sim_run *run)
{
    struct sim_pace *p = rg_xcalloc(1, sizeof *p);
    p->loop = -1;
    for (int i = 0; i < 3; i++)
        p->marks[i].counts = rg_xcalloc((size_t)run->k->n_blocks + 1, sizeof *p->marks[i].counts);
    return p;
}

void rg__sim_pace_free(struct sim_pace *p)
{
    for (int i = 0; p && i < 3; i++) free(p->marks[i].counts);
    free(p);
}

static void mark(struct sim_pace *p, struct sim_run *run, const struct sim_block *blocks, int n, double clock)
{
    struct sim_estimate *e = run->estimate;
    struct mark spare = p->marks[2];
    p->marks[2] = p->marks[1];
    p->marks[1] = p->marks[0];
    struct mark *m = &p->marks[0];
    m->counts = spare.counts;
    m->clock = clock;
    m->work = run->work;
    m->distance = rg__sim_progress_distance(run, blocks, n, p->loop);
    m->waits = waits_of(blocks, n);
    m->tally = e->block;
    memcpy(m->counts, run->counts, sizeof *m->counts * (size_t)run->k->n_blocks);
    m->n_touched = e->n_touched;
    for (int i = 0; i < e->n_touched; i++) {
        double *list[SIM_TOUCH_COUNTS];
        rg__sim_touch_counts(&e->touched[i], list);
        for (int k = 0; k < SIM_TOUCH_COUNTS; k++) m->touched[i][k] = *list[k];
    }
    for (int i = 0; i < SIM_HOT_LINES; i++) m->hot[i] = e->hot ? e->hot[i].block_cost : 0;
    p->n++;
}

/* Caches are as they will be. */
static bool settled(const struct sim_pace *p)
{
    const struct mark *m = p->marks;
    double last = m[0].clock - m[1].clock, before = m[1].clock - m[2].clock, all = 0, fresh = 0;
    for (int i = 0; i < m[0].n_touched; i++) {
        all += m[0].touched[i][0];
        fresh += m[0].touched[i][0] - (i < m[1].n_touched ? m[1].touched[i][0] : 0);
    }
    return (p->n >= 2 && fresh <= same * all) || (p->n >= 3 && fabs(last - before) <= same * last);
}

/* Rounds left after the newest mark; 0: none, or they may be others than the last. */
static double left(const struct sim_pace *p)
{
    const struct mark *m = p->marks;
    double moved = m[1].distance - m[0].distance;
    return settled(p) && moved > 0 && isfinite(moved) ? floor(m[0].distance / moved) : 0;
}

static void add_rounds(struct sim_pace *p, struct sim_run *run, double rounds)
{
    struct sim_estimate *e = run->estimate;
    const struct mark *a = &p->marks[1], *b = &p->marks[0];
    double *to = (double *)&e->block;
    const double *from = (const double *)&a->tally, *until = (const double *)&b->tally;
    for (size_t i = 0; i < sizeof e->block / sizeof(double); i++) to[i] += rounds * (until[i] - from[i]);
    for (int i = 0; i < run->k->n_blocks; i++) {
        run->counts[i].warps += (uint64_t)(rounds * (double)(b->counts[i].warps - a->counts[i].warps));
        run->counts[i].lanes += (uint64_t)(rounds * (double)(b->counts[i].lanes - a->counts[i].lanes));
    }
    for (int i = 0; i < a->n_touched; i++) {
        double *list[SIM_TOUCH_COUNTS];
        rg__sim_touch_counts(&e->touched[i], list);
        for (int k = 0; k < SIM_TOUCH_COUNTS; k++) *list[k] += rounds * (b->touched[i][k] - a->touched[i][k]);
    }
    for (int i = 0; e->hot && i < SIM_HOT_LINES; i++) e->hot[i].block_cost += rounds * (b->hot[i] - a->hot[i]);
}

bool rg__sim_pace(struct sim_pace *p, struct sim_run *run, const struct sim_block *blocks, int n, double clock,
                  double *more, double *waits)
{
    if (p->loop < 0) {
        p->loop = rg__sim_progress_loop(run);
        p->warps = (double)n * run->n_warps;
        if (p->loop < 0) return false;
    }
    if ((double)run->counts[p->loop].warps < p->warps * (p->n + 1)) return false;
    mark(p, run, blocks, n, clock);
    double rounds = left(p);
    if (!(rounds >= 1) || rg__sim_progress_after(run, blocks, n, p->loop)) return false;
    add_rounds(p, run, rounds);
    *more = rounds * (p->marks[0].clock - p->marks[1].clock);
    *waits = p->marks[0].waits + rounds * (p->marks[0].waits - p->marks[1].waits);
    return true;
}
