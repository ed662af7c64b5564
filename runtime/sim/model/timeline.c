/* When things would happen if the warp had its multiprocessor to itself: issue in order, each instruction after its
 * operands. */
#include "runtime/sim/model/estimate.h"
#include <stdlib.h>
#include <string.h>

static bool is_load(int op)
{
    return op == SIM_LDG || op == SIM_LDG32 || op == SIM_LDS || op == SIM_LDS32 || op == SIM_LDL || op == SIM_LDX ||
           op == SIM_ATOM || op == SIM_LDMATRIX || op == SIM_RESTORE;
}

void rg__sim_time(struct sim_run *run, struct sim_warp *w, const struct sim_inst *in, uint32_t mask)
{
    struct sim_estimate *e = run->estimate;
    struct sim_timeline *t = w->time;
    const struct sim_cost *c = &e->costs[in - run->k->code];
    const int *o = e->operands + c->operands;
    if (c->block != t->basic_block || in->op == SIM_BAR || in->op == SIM_WARPSYNC || in->op == SIM_FENCE) {
        bool on = c->region && c->region == t->region && c->block + 1 != c->region; /* the region goes on */
        t->basic_block = c->block;
        if (!on) {
            t->n_issued = 0;
            if (t->latest > t->now) t->now = t->latest;
            t->region = c->region;
            t->region_start = t->now;
        }
    }
    /* Behind a device-wide fence L1 holds nothing. Of blocks that take turns one speaks for all: in a barrier of the
     * grid they are there together. */
    if (in->op == SIM_FENCE && !in->x && !(in->flags & SIM_F_BLOCK) && run->launch->cooperative) e->l1.emptied++;
    float at = t->now;
    if (c->unroll > 1) {
        /* Loads of an unrolled loop, and what their addresses need, do not wait for the iterations before them in the
         * group. */
        if (t->block != c->block + 1) t->block = c->block + 1, t->iteration = 0, t->loop_start = at;
        if (c->early) at = t->loop_start;
    } else {
        t->block = 0;
        if (c->region && c->early) at = t->region_start;
    }
    for (int i = 0; i < c->n_sources; i++)
        if (t->ready[o[i]] > at) at = t->ready[o[i]];
    bool shared = in->op == SIM_LDS || in->op == SIM_LDS32 || in->op == SIM_STS || in->op == SIM_STS32;
    bool load =
        in->op == SIM_LDG || in->op == SIM_LDG32 || in->op == SIM_LDX || in->op == SIM_LDS || in->op == SIM_LDS32;
    bool store = in->op == SIM_STG || in->op == SIM_STG32 || in->op == SIM_STX || in->op == SIM_ATOM ||
                 in->op == SIM_STS || in->op == SIM_STS32;
    if (load && !(in->flags & SIM_F_CONSTANT) && t->stored[shared] > at) at = t->stored[shared];
    if (store && at > t->stored[shared]) t->stored[shared] = at;
    t->waits += at - rg__sim_clock(w) > 60;
    if (at > t->latest) t->latest = at;
    float done = at + c->latency;
    if (is_load(in->op))
        done = at + e->access_latency;
    else if (in->op == SIM_CPASYNC) {
        if (at + e->access_latency > t->copies) t->copies = at + e->access_latency;
    } else if (in->op == SIM_FENCE && in->x == 1) {
        memmove(t->groups + 1, t->groups, sizeof t->groups - sizeof *t->groups);
        t->groups[0] = t->copies;
        t->copies = 0;
    } else if (in->op == SIM_FENCE && in->x == 2) { /* y of the newest groups may still be under way */
        for (int i = in->y; i < 8; i++)
            if (t->groups[i] > at) at = t->groups[i];
    }
    for (int i = 0; i < c->n_results; i++) t->ready[o[c->n_sources + i]] = done;
    if (c->unroll > 1) {
        if (c->early) {
            t->now += c->stall;
            return;
        }
        if (c->branch && ++t->iteration % c->unroll == 0) t->loop_start = rg__sim_clock(w) + c->stall;
    }
    t->now += c->stall;
    if (c->region && c->early && c->unroll <= 1) {
        t->region_start += c->stall;
        return;
    }
    if ((in->op == SIM_BRA || in->op == SIM_BRAP || in->op == SIM_CALL || in->op == SIM_RET) && !c->skips)
        t->basic_block = -1; /* nothing moves past it */
    int window = (int)e->model->window;
    if (t->n_issued >= window && t->issued[(t->n_issued - window) & 63] > t->now)
        t->now = t->issued[(t->n_issued - window) & 63];
    t->issued[t->n_issued++ & 63] = at + c->stall;
}

void rg__sim_note_barrier(struct sim_run *run, struct sim_block *b, int id)
{
    float latest = 0;
    for (int i = 0; i < b->n_warps; i++)
        if (b->warps[i].state == SIM_WARP_AT_BARRIER && b->warps[i].barrier == id &&
            rg__sim_clock(&b->warps[i]) > latest)
            latest = rg__sim_clock(&b->warps[i]);
    for (int i = 0; i < b->n_warps; i++)
        if (b->warps[i].state == SIM_WARP_AT_BARRIER && b->warps[i].barrier == id)
            b->warps[i].time->now = latest + (float)run->estimate->model->barrier_latency + (float)b->n_warps;
    run->estimate->block.barriers++;
}

void rg__sim_note_divergence(struct sim_run *run)
{
    run->estimate->block.divergence++;
}

enum rg_status rg__sim_timelines_new(struct sim_run *run, struct sim_block *b, struct rg_error *err)
{
    size_t n = (size_t)run->estimate->n_values + 1;
    struct sim_timeline *t = calloc((size_t)b->n_warps, sizeof *t);
    float *ready = calloc(n * (size_t)b->n_warps, sizeof *ready);
    if (!t || !ready) {
        free(t);
        free(ready);
        return rg_error_set(err, RG_NOMEM, "no memory for an estimate");
    }
    for (int i = 0; i < b->n_warps; i++) {
        t[i].ready = ready + n * (size_t)i;
        b->warps[i].time = &t[i];
    }
    return RG_OK;
}

void rg__sim_timelines_free(struct sim_block *b)
{
    if (!b->warps || !b->warps[0].time) return;
    free(b->warps[0].time->ready);
    free(b->warps[0].time);
    for (int i = 0; i < b->n_warps; i++) b->warps[i].time = NULL;
}
