/* Co-scheduled blocks: estimates of launches whose blocks wait for one another (a chained scan, a barrier of the
 * whole grid, a lock) or share work out among them (a common counter): as many blocks as are resident run side by
 * side, always the one whose clock is furthest behind, so that a value is seen when it would be there and what is
 * polled is polled as often as it would be. The clock of the last block is what latency alone asks of the launch. */
#include "runtime/sim/model/estimate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE = 1 /* basic block before another warp's turn: what it waited for shows in its clock before it goes on */,
    MOST_BYTES = 256 << 20
};
static const double work_most = 1.2e7; /* warp instructions */

struct flight { /* blocks under way: a heap by their clocks */
    struct sim_run *run;
    struct sim_block *blocks;
    float *clock, *began;
    int *heap, n;
};

static void sift(struct flight *f, int i)
{
    for (;;) {
        int least = i;
        for (int c = 2 * i + 1; c <= 2 * i + 2 && c < f->n; c++)
            if (f->clock[f->heap[c]] < f->clock[f->heap[least]]) least = c;
        if (least == i) return;
        int t = f->heap[i];
        f->heap[i] = f->heap[least];
        f->heap[least] = t;
        i = least;
    }
}

static void begin(struct flight *f, int slot, int64_t number, float at)
{
    struct sim_block *b = &f->blocks[slot];
    rg__sim_block_start(f->run, b, number);
    for (int i = 0; i < b->n_warps; i++) {
        struct sim_timeline *t = b->warps[i].time;
        float *ready = t->ready;
        memset(t, 0, sizeof *t);
        t->ready = ready;
        t->now = at;
        memset(ready, 0, sizeof *ready * (size_t)f->run->estimate->n_values);
    }
    f->clock[slot] = f->began[slot] = at;
}

/* Of the warps that can go on; of all when none can. */
static float clock_of(const struct sim_block *b, bool last)
{
    float least = 0, most = 0;
    bool any = false;
    for (int i = 0; i < b->n_warps; i++) {
        float now = rg__sim_clock(&b->warps[i]);
        if (now > most) most = now;
        if (b->warps[i].state == SIM_WARP_RUNS && (!any || now < least)) least = now, any = true;
    }
    return any && !last ? least : most;
}

/* Its warps that are behind the other blocks: those ahead would see what is not there yet. */
static bool turn(struct flight *f, struct sim_block *b)
{
    static const float slack = 40;       /* cycles */
    static const double turn_most = 1e5; /* warp instructions */
    float until = f->clock[f->heap[0]];
    for (int c = 1; c <= 2 && c < f->n; c++) /* the second of the heap is one of these */
        if (c == 1 || f->clock[f->heap[c]] < until) until = f->clock[f->heap[c]];
    f->run->until = until + slack;
    f->run->ahead = slack;
    bool more = true, progress = true;
    for (double most = f->run->work + turn_most; more && progress && f->run->work < most;)
        more = rg__sim_block_round(f->run, b, rg__sim_exec_pick(f->run->isa, true), &progress);
    return more;
}

enum rg_status rg__sim_together(struct sim_run *run, struct rg_error *err)
{
    struct sim_estimate *e = run->estimate;
    int64_t context =
        ((int64_t)run->k->frame_bytes + sim_local_likely(run->k) * 32 + (int64_t)e->n_values * 4 + 512) * run->n_warps +
        run->shared_bytes + 1024;
    int64_t most = MOST_BYTES / context, n = run->n_blocks;
    if (most > run->resident) most = run->resident;
    if (most > n) most = n;
    if (most < 1) most = 1;
    struct flight f = {run,
                       rg_xcalloc((size_t)most, sizeof *f.blocks),
                       rg_xcalloc((size_t)most, sizeof(float)),
                       rg_xcalloc((size_t)most, sizeof(float)),
                       rg_xcalloc((size_t)most, sizeof(int)),
                       0};
    float *ends = rg_xcalloc((size_t)n, sizeof *ends);
    double start = e->model->block_start_cycles / e->model->facts.sms, from = run->work, lives = 0, waits = 0, last = 0;
    int64_t next = 0, done = 0;
    enum rg_status s = RG_OK;
    e->weight = 1;
    rg__sim_block_begin(run);
    e->in_flight = 1; /* all are counted as one */
    /* They share what L1 there is. */
    int sets = e->l1.sets;
    int64_t per_sm = (most + e->model->facts.sms - 1) / e->model->facts.sms;
    free(e->l1.tags);
    free(e->l1.valid);
    e->l1.sets = (int)fmin((double)sets * (double)per_sm * fmin((double)most, e->model->facts.sms), 1 << 20);
    e->l1.tags = rg_xcalloc((size_t)e->l1.sets * 4, sizeof *e->l1.tags);
    e->l1.valid = rg_xcalloc((size_t)e->l1.sets * 4, 1);
    run->lenient = run->estimating = true;
    run->slice = SLICE;
    e->watching = true;
    e->n_looks = 1;
    for (int i = 0; i < most && !s; i++) {
        s = rg__sim_block_new(run, &f.blocks[i], err);
        if (!s) s = rg__sim_timelines_new(run, &f.blocks[i], err);
        if (s) break;
        begin(&f, i, next, (float)((double)next * start));
        next++;
        f.heap[f.n++] = i;
    }
    struct sim_progress then;
    struct sim_pace *pace = run->k->exchanges && most == n ? rg__sim_pace_new(run) : NULL;
    int noted = 0;
    bool cut = false, paced = false;
    while (f.n && !s && run->fault->outcome == RG_OUTCOME_OK) {
        int slot = f.heap[0];
        struct sim_block *b = &f.blocks[slot];
        bool more = turn(&f, b);
        f.clock[slot] = clock_of(b, !more);
        if (!more && run->fault->outcome == RG_OUTCOME_OK) {
            float end = f.clock[slot];
            ends[done++] = end;
            lives += (double)(end - f.began[slot]);
            for (int i = 0; i < b->n_warps; i++) waits += (double)b->warps[i].time->waits / b->n_warps;
            if (end > (float)last) last = (double)end;
            if (next < n)
                begin(&f, slot, next++, end + (float)(e->model->block_start_cycles / 2));
            else
                f.heap[0] = f.heap[--f.n];
        }
        double more_cycles = 0;
        if (pace && !done && run->fault->outcome == RG_OUTCOME_OK &&
            rg__sim_pace(pace, run, f.blocks, (int)most, (double)f.clock[slot], &more_cycles, &waits)) {
            last = (double)f.clock[slot] + more_cycles;
            lives = last * (double)next;
            paced = true;
            break;
        }
        sift(&f, 0);
        double ran = run->work - from;
        if (noted < 2 && ran > work_most * (noted ? 1.5 : 0.5))
            rg__sim_progress_note(run, f.blocks, (int)most, &then), noted++;
        if (ran > (done < most ? 3 : 1) *
                      work_most) { /* while the first are at it, the beginning of a queue is all there is to see */
            cut = true;
            break;
        }
    }
    double whole = 1, counted = (double)(paced ? next : done);
    if (cut && done < most) { /* not even the first ones got through: how far have they come? */
        double ran = run->work - from, now = (double)f.clock[f.heap[0]];
        whole = 1 + rg__sim_progress_left(run, f.blocks, (int)most, &then, ran, &e->unsure) / ran;
        last = fmax(last, now) * whole;
        counted = (double)next;
        lives = last * counted;
    } else if (cut) { /* the second half of those that are done shows how they follow one another */
        double a = (double)ends[done / 2], b = (double)ends[done - 1];
        last += (double)(n - done) * fmax(0, b - a) / (double)fmax(1, (double)(done - 1 - done / 2));
    }
    if (!(counted > 0)) counted = 1;
    e->block.lifetime = lives;
    e->block.waits = waits;
    if (!s && run->fault->outcome == RG_OUTCOME_OK) {
        double l = e->block.lifetime, w = e->block.waits;
        e->block.lifetime = l / whole; /* block_end multiplies by the ratio */
        e->block.waits = w;
        e->whole = whole;
        rg__sim_block_end(run, whole, whole, whole);
        e->lifetimes_max = 0; /* it was a sum over blocks */
        e->done_weight = counted;
        e->n_watched_blocks = 1;
        e->makespan = last;
    }
    run->estimating = false;
    run->until = 0;
    for (int i = 0; i < most; i++) {
        rg__sim_timelines_free(&f.blocks[i]);
        rg__sim_block_free(&f.blocks[i]);
    }
    rg__sim_pace_free(pace);
    free(f.blocks);
    free(f.clock);
    free(f.began);
    free(f.heap);
    free(ends);
    return s;
}
