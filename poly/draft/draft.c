/* From counts to a time: bounds of throughput joined by a high norm, as they overlap well, and with latency by a lower
 * one. */
#include "poly/draft/draft.h"
#include <math.h>
#include <stdlib.h>

/* A current device of a data centre: the draft orders values of tunables, and their order is much the same on others.
 * Per cycle of a multiprocessor, in warp instructions: issue slots, lanes of the pipes. */
static const double SMS = 132, CYCLES_US = 1980, ISSUE = 4, FP32 = 4, FP64 = 2, SFU = 0.5, INTEGERS = 2, LSU = 1,
                    MAX_WARPS = 64, MAX_BLOCKS = 32, MAX_REGS = 65536, SHARED_SM = 233472, L2_RATE = 150, L2_PORT = 2,
                    DRAM_US = 4.2e6, BLOCK_START = 159, LAUNCH_US = 1.5, FIRST_US = 3.1;

static double norm(const double *v, int n, double p)
{
    double most = 0, s = 0;
    for (int i = 0; i < n; i++) most = fmax(most, v[i]);
    for (int i = 0; i < n && most > 0; i++) s += pow(v[i] / most, p);
    return most > 0 ? most * pow(s, 1 / p) : 0;
}

/* Blocks on a multiprocessor; what registers do not hold is spilled. */
static double occupancy(struct draft *d)
{
    double most = 255, minimum = d->k->launch_bounds ? (double)d->tiling.v.min_blocks : 0;
    if (d->k->coarsened || d->k->launch_bounds || d->threads > 256)
        most = fmin(most, floor(MAX_REGS / (d->warps * 32) / fmax(1, minimum) / 8) * 8);
    double spilled = fmax(0, d->regs - most), regs = ceil(fmin(d->regs, most) / 8) * 8;
    d->resident = fmin(fmin(MAX_WARPS / d->warps, MAX_BLOCKS), floor(MAX_REGS / (regs * 32 * d->warps)));
    if (d->shared_bytes > 0) d->resident = fmin(d->resident, SHARED_SM / (d->shared_bytes + 1024));
    d->resident = fmax(1, floor(d->resident));
    return spilled;
}

static double kernel_us(struct draft *d)
{
    rg__draft_work(d);
    double spilled = occupancy(d);
    rg__draft_traffic(d);
    struct draft_span own = rg__draft_life(d);
    const struct draft_count *c = &d->count;
    double at_once = fmin(d->resident, ceil(d->blocks / SMS)),
           per_sm = d->blocks > SMS * d->resident ? d->blocks / SMS : ceil(d->blocks / SMS);
    double schedulers = fmin(ISSUE, at_once * d->warps), sectors = 0, dram = 0;
    for (int i = 0; i < d->n_groups; i++) {
        sectors += d->groups[i].sectors * d->share;
        dram += d->groups[i].sectors * d->share * d->groups[i].l2 * 32 * d->blocks;
    }
    double spill = (1 + spilled / 32) * d->share; /* of an average block */
    double warps = d->warps * d->share;
    double sm[] = {c->issue * spill * d->warps / schedulers,
                   c->fp32 * warps / FP32,
                   c->fp64 * warps / FP64,
                   c->sfu * warps / SFU,
                   c->integers * warps / INTEGERS,
                   c->lsu * warps / LSU,
                   c->waves * d->warps * spill,
                   sectors / L2_PORT};
    double block = norm(sm, sizeof sm / sizeof *sm, 4);
    double thr[] = {block * per_sm, dram / DRAM_US * CYCLES_US, sectors * d->blocks / L2_RATE,
                    d->blocks * BLOCK_START / SMS};
    double throughput = norm(thr, sizeof thr / sizeof *thr, 4),
           share = fmax(thr[1], thr[2]) / d->blocks * fmin(SMS, d->blocks);
    double both_work[] = {block, share}, work = norm(both_work, 2, 4), phases = own.phases,
           tied = fmin(1, c->barriers / phases);
    own.wait *= d->share;
    own.busy *= d->share;
    double life = tied * (own.wait + work) + (1 - tied) * (fmax(own.wait, work) + fmin(own.wait, work) / phases) +
                  BLOCK_START * 0.5;
    double waves = d->blocks / (SMS * d->resident);
    waves = waves <= 1 ? 1 : waves < 4 ? ceil(waves) * 0.5 + waves * 0.5 : waves + 0.5;
    double both[] = {throughput, fmax(waves * life, own.wait + own.busy)};
    return norm(both, 2, 2 + 6 / pow(at_once, 4)) / CYCLES_US;
}

double rg__poly_draft(const struct poly_program *p, const struct poly_values *v, struct draft **room)
{
    double us = FIRST_US;
    struct draft *d = *room ? *room : (*room = rg_xmalloc(sizeof *d));
    for (int i = 0; i < p->n_kernels && us > 0; i++) {
        const struct poly_kernel *k = &p->kernels[i];
        if (k->last_resort) continue;
        if (k->form == POLY_KIR && k->draft) {
            double all = k->draft(p, k, v);
            us = all > 0 && isfinite(all) ? us + rg__poly_launches(p->scop, k) * all : 0;
            continue;
        }
        double own = rg__draft_launch(d, p, i, v) ? kernel_us(d) : 0;
        us = own > 0 && isfinite(own) && !d->unknown ? us + d->launches * (own + LAUNCH_US) : 0;
        rg__poly_tiling_release(&d->tiling);
    }
    return us;
}
