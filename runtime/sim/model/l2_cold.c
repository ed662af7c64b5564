/* Cold misses of L2: what a flush left out of L2, by buffer: a launch's first touch of it comes from DRAM, whichever
 * launch of the plan that is; what it touched is warm for the next. */
#include "runtime/sim/device_sim.h"
#include "runtime/sim/model/estimate.h"
#include <math.h>
#include <string.h>

void rg__sim_cold_all(struct sim_memory *m, double share)
{
    for (int i = 0; i < m->n; i++) m->buffers[i]->cold = share;
}

static void warm(struct sim_buffer *b, double share)
{
    b->cold = share < 1 ? b->cold * (1 - share) : 0;
}

void rg__sim_cold_touched(struct sim_memory *m, uint64_t addr, double bytes)
{
    bool inside;
    struct sim_buffer *b = rg__sim_find(m, addr, &inside);
    if (b && inside && b->cold > 0 && b->bytes) warm(b, bytes / (double)b->bytes);
}

void rg__sim_reach_note(const struct sim_run *run, const struct sim_estimate *e, struct sim_reach *out)
{
    out->n = 0;
    for (int i = 0; i < e->n_touched && out->n < SIM_MAX_REACHED; i++) {
        const struct sim_touch *t = &e->touched[i];
        int arg = 0;
        while (arg < run->launch->n_args && rg__sim_argument(run, arg) != t->buffer) arg++;
        out->at[out->n++] = (struct sim_reached){arg < run->launch->n_args ? arg : -1, t->addr,
                                                 (float)fmin(1, t->unique * 32 / (double)t->bytes)};
    }
}

void rg__sim_reach_warm(const struct sim_run *run, const struct sim_reach *r)
{
    bool inside;
    for (int i = 0; i < r->n; i++) {
        struct sim_buffer *b =
            r->at[i].arg >= 0 ? rg__sim_argument(run, r->at[i].arg) : rg__sim_find(run->memory, r->at[i].addr, &inside);
        if (b && b->cold > 0) warm(b, (double)r->at[i].share);
    }
}

double rg__sim_fresh_miss(const struct sim_run *run, const struct sim_touch *t)
{
    const struct sim_estimate *e = run->estimate;
    if (!(t->cold > 0)) return e->miss_rate;
    /* Of the blocks that touch a sector, one meets it first. */
    double blocks = run->k->exchanges || run->launch->cooperative
                        ? 1
                        : (double)run->n_blocks; /* coscheduled_blocks.c watches all of them as one */
    double all = 32 * fmax(t->block_unique * blocks, e->done_weight > 0 ? t->unique * blocks / e->done_weight : 0);
    return e->miss_rate + (1 - e->miss_rate) * t->cold * fmin(1, (double)t->bytes / fmax(all, 32));
}
