/* Block profiling: everything is counted at first, then, once its loops have shown what they do, it only runs, but
 * for a few looks. */
#include "runtime/sim/model/estimate.h"
#include "runtime/sim/exec/launch.h"
#include <math.h>
#include <string.h>

enum { SLICE_TIMED = 2 /* basic blocks before another warp's turn: warps run side by side, as on the device */ };
static const double work_most = 2e7; /* warp instructions of one block, never more */

static void hottest(struct sim_run *run, struct sim_estimate *e)
{
    double most = 0;
    for (int i = 0; i < run->k->n_blocks; i++)
        if ((double)run->counts[i].warps * run->k->blocks[i].n > most)
            most = (double)run->counts[i].warps * run->k->blocks[i].n;
    e->hottest += most * e->whole * e->weight;
}

/* The tally so far, with the clocks of the block's warps. */
static struct sim_tally seen_so_far(const struct sim_estimate *e, const struct sim_block *b)
{
    struct sim_tally t = e->block;
    for (int i = 0; i < b->n_warps; i++) {
        if (rg__sim_clock(&b->warps[i]) > t.lifetime) t.lifetime = rg__sim_clock(&b->warps[i]);
        t.waits += (double)b->warps[i].time->waits / b->n_warps;
    }
    return t;
}

static void look_begin(struct sim_estimate *e, const struct sim_block *b)
{
    e->looks[e->n_looks++] = (struct sim_look){e->ran, e->ran, seen_so_far(e, b)};
    e->watching = true;
}

static void look_end(struct sim_estimate *e, const struct sim_block *b)
{
    struct sim_look *l = &e->looks[e->n_looks - 1];
    struct sim_tally now = seen_so_far(e, b);
    double *was = (double *)&l->tally;
    const double *is = (const double *)&now;
    for (size_t i = 0; i < sizeof now / sizeof(double); i++) was[i] = is[i] - was[i];
    l->to = e->ran;
    e->watching = false;
    if (e->n_looks == 1) {
        e->watched = e->ran;
        rg__sim_block_keep(e);
    }
}

void rg__sim_watch_begin(struct sim_run *run, struct sim_block *b, const struct sim_choice *c)
{
    struct sim_estimate *e = run->estimate;
    e->weight = c->weight;
    if (!e->n_watched_blocks || c->group != e->group) e->n_groups++;
    e->group = c->group;
    e->neighbours = c->neighbours < e->n_watched_blocks ? c->neighbours : e->n_watched_blocks;
    rg__sim_block_begin(run);
    for (int i = 0; i < b->n_warps; i++) {
        struct sim_timeline *t = b->warps[i].time;
        float *ready = t->ready;
        memset(t, 0, sizeof *t);
        t->ready = ready;
        memset(ready, 0, sizeof *ready * (size_t)e->n_values);
    }
    e->watched = e->ran = e->half_at = 0;
    e->whole = 1;
    e->n_looks = 0;
    look_begin(e, b);
}

sim_exec_fn rg__sim_watch_exec(struct sim_run *run, const struct sim_block *b)
{
    struct sim_estimate *e = run->estimate;
    static const double watch = 2e5; /* warp instructions */
    if (e->n_looks == 1 && e->watching) {
        if (!(e->half_at > 0) && e->ran >= watch / 2) {
            rg__sim_block_half(run);
            e->half_at = e->ran;
        }
        if (e->half_at > 0 && e->ran >= 2 * e->half_at) look_end(e, b);
    } else if (e->watching) {
        if (e->ran >= e->looks[e->n_looks - 1].from + watch / 4) look_end(e, b);
    } else if (e->n_looks < SIM_MAX_LOOKS && e->ran >= 4 * e->looks[e->n_looks - 1].to)
        look_begin(e, b);
    run->estimating = e->watching;
    run->slice = e->watching ? SLICE_TIMED : 64;
    return rg__sim_exec_pick(run->isa, e->watching);
}

/* Each look stands for what is nearer to it than to the others. */
static void join_looks(struct sim_estimate *e)
{
    struct sim_tally all = {0};
    double *sum = (double *)&all;
    for (int k = 0; k < e->n_looks; k++) {
        const struct sim_look *l = &e->looks[k];
        double from = k ? (e->looks[k - 1].to + l->from) / 2 : 0,
               to = k + 1 < e->n_looks ? (l->to + e->looks[k + 1].from) / 2 : e->ran;
        const double *one = (const double *)&l->tally;
        for (size_t i = 0; i < sizeof all / sizeof(double) && l->to > l->from; i++)
            sum[i] += one[i] * (to - from) / (l->to - l->from);
    }
    e->block = all;
    rg__sim_block_take_back(e);
}

void rg__sim_watch_end(struct sim_run *run, struct sim_block *b)
{
    struct sim_estimate *e = run->estimate;
    hottest(run, e);
    if (e->watching && e->n_looks > 1 && e->ran < e->looks[e->n_looks - 1].from + 1e4)
        e->n_looks--, e->watching = false; /* too short to tell */
    if (e->watching) look_end(e, b);
    double ratio = e->watched > 0 ? e->ran / e->watched : 1;
    join_looks(e);
    rg__sim_block_end(run, ratio * e->whole, e->whole, e->whole);
    e->done_weight += e->weight;
    e->n_watched_blocks++;
    run->estimating = false;
}

void rg__sim_watch_block(struct sim_run *run, struct sim_block *b, const struct sim_choice *c)
{
    struct sim_estimate *e = run->estimate;
    double from = run->work;
    bool progress, noted = false;
    struct sim_progress then;
    rg__sim_watch_begin(run, b, c);
    rg__sim_block_start(run, b, c->block);
    while (rg__sim_block_round(run, b, rg__sim_watch_exec(run, b), &progress)) {
        e->ran = run->work - from;
        if (e->ran > work_most / 2 && !noted) {
            rg__sim_progress_note(run, b, 1, &then);
            noted = true;
        }
        if (e->ran > work_most) {
            e->whole = 1 + rg__sim_progress_left(run, b, 1, &then, e->ran, &e->unsure) / e->ran;
            break;
        }
    }
    e->ran = run->work - from;
    rg__sim_watch_end(run, b);
}
