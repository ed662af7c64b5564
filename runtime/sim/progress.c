/* How far a block that is too long to be run has come: its loops compare a counter with a bound, and the distance between them
 * shrinks at a steady rate. */
#include "runtime/sim/estimate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The comparison that decides the branch ending basic block b, backward or (ahead) out of a loop; NULL: none, or not of integers. */
static const struct sim_inst *latch(const struct sim_kernel *k, int b, bool ahead)
{
    const struct sim_block_info *info = &k->blocks[b];
    if (info->n < 1) return NULL;
    const struct sim_inst *last = &k->code[info->first + info->n - 1];
    if (last->op != SIM_BRAP || (last->imm >= info->first) != ahead) return NULL;
    for (int i = info->first + info->n - 2; i >= info->first; i--) {
        const struct sim_inst *in = &k->code[i];
        if (in->d != last->a) continue;
        switch (in->op) {
        case SIM_EQ32: case SIM_LTS32: case SIM_LES32: case SIM_LTU32: case SIM_LEU32: case SIM_EQ64: case SIM_LTS64: case SIM_LES64:
        case SIM_LTU64: case SIM_LEU64: return in;
        default: break;
        }
        if (strchr(rg__sim_op_shape(in->op), 'd')) return NULL;
    }
    return NULL;
}

/* Of the warp that has come furthest. */
static double distance(const struct sim_block *blocks, int n, const struct sim_inst *in)
{
    bool wide = in->op >= SIM_EQ64;
    double least = INFINITY;
    for (int q = 0; q < n; q++)
        for (int i = 0; blocks[q].active && i < blocks[q].n_warps; i++) {
            const struct sim_warp *w = &blocks[q].warps[i];
            if (w->state == SIM_WARP_DONE || !w->live) continue;
            int lane = __builtin_ctz(w->live);
            double a = wide ? (double)(int64_t)sim_u64(w, in->a)[lane] : (double)(int32_t)sim_u32(w, in->a)[lane];
            double b = wide ? (double)(int64_t)sim_u64(w, in->b)[lane] : (double)(int32_t)sim_u32(w, in->b)[lane];
            least = fmin(least, fabs(a - b));
        }
    return least;
}

void rg__sim_progress_note(const struct sim_run *run, const struct sim_block *blocks, int n, struct sim_progress *p)
{
    p->work = run->work;
    p->n = 0;
    for (int ahead = 0; ahead < 2; ahead++)
        for (int i = 0; i < run->k->n_blocks && p->n < SIM_MAX_LATCHES; i++) {
            const struct sim_inst *in = run->counts[i].warps ? latch(run->k, i, ahead) : NULL;
            if (in) p->latches[p->n++] = (struct sim_latch){i, ahead, run->counts[i].warps, distance(blocks, n, in)};
        }
}

/* The work still to do, in that between the two notes; of the outermost loop that moved. */
double rg__sim_progress_left(const struct sim_run *run, const struct sim_block *blocks, int n, const struct sim_progress *then)
{
    double left = 0;
    uint64_t fewest = 0;
    for (int i = 0; i < then->n; i++) {
        const struct sim_latch *l = &then->latches[i];
        if (l->ahead && left > 0) break; /* a queue has no counted loop; elsewhere such a test may be anything */
        uint64_t turns = run->counts[l->block].warps - l->turns;
        double now = distance(blocks, n, latch(run->k, l->block, l->ahead)), moved = l->distance - now;
        if (turns < 2 || !(moved > 0) || !isfinite(moved) || (fewest && turns >= fewest)) continue;
        fewest = turns;
        left = now / moved;
    }
    return left;
}
