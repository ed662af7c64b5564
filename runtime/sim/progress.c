/* How far a block that is too long to be run has come: its loops compare a counter with a bound, and the distance between them
 * shrinks at a steady rate. */
#include "runtime/sim/estimate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool compares(const struct sim_inst *in)
{
    switch (in->op) {
    case SIM_EQ32: case SIM_LTS32: case SIM_LES32: case SIM_LTU32: case SIM_LEU32: case SIM_EQ64: case SIM_LTS64: case SIM_LES64:
    case SIM_LTU64: case SIM_LEU64: return true;
    default: return false;
    }
}

static bool sets(const struct sim_inst *in, const struct sim_inst *branch)
{
    return in->d == branch->a && strchr(rg__sim_op_shape(in->op), 'd');
}

/* Does what the slot holds come, between those instructions, of a load that waits for other threads? */
static bool polled(const struct sim_kernel *k, int32_t slot, int64_t from, int64_t to, int depth)
{
    for (int64_t x = from; x <= to && slot >= 0 && depth > 0; x++) {
        const struct sim_inst *in = &k->code[x];
        if (in->d != slot || !strchr(rg__sim_op_shape(in->op), 'd')) continue;
        if (in->flags & SIM_F_ORDERED) return true;
        if (polled(k, in->a, from, x, depth - 1) || polled(k, in->b, from, x, depth - 1)) return true;
    }
    return false;
}

/* The comparison that decides the branch ending basic block b, backward or (ahead) out of a loop; NULL: none, or not of integers. It may stand
 * far from the branch, in front of a barrier of the whole grid say: then nothing else sets what it sets. */
static const struct sim_inst *decides(const struct sim_kernel *k, int b, bool ahead)
{
    const struct sim_block_info *info = &k->blocks[b];
    if (info->n < 1) return NULL;
    const struct sim_inst *last = &k->code[info->first + info->n - 1], *only = NULL;
    if (last->op != SIM_BRAP || (last->imm >= info->first) != ahead) return NULL;
    for (int i = info->first + info->n - 2; i >= info->first; i--)
        if (sets(&k->code[i], last)) return compares(&k->code[i]) ? &k->code[i] : NULL;
    for (int i = 0; i < k->n_blocks; i++)
        for (int x = k->blocks[i].first; x < k->blocks[i].first + k->blocks[i].n; x++) {
            if (!sets(&k->code[x], last)) continue;
            if (only || !compares(&k->code[x])) return NULL;
            only = &k->code[x];
        }
    return only;
}

/* The same, where it counts: a loop that waits for a value tells nothing. */
static const struct sim_inst *latch(const struct sim_kernel *k, int b, bool ahead)
{
    enum { DEEP = 6 };
    const struct sim_inst *in = decides(k, b, ahead);
    if (!in || ahead) return in;
    int64_t end = k->blocks[b].first + k->blocks[b].n - 1, begin = k->code[end].imm;
    return polled(k, in->a, begin, end, DEEP) || polled(k, in->b, begin, end, DEEP) ? NULL : in;
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

/* Code between where the branch goes and where it stands: a loop around another has more. */
static int64_t span(const struct sim_kernel *k, int b)
{
    int64_t at = k->blocks[b].first + k->blocks[b].n - 1;
    return llabs(at - k->code[at].imm);
}

/* The work still to do, in that between the two notes; of the outermost loop that moved. Not of the one with the fewest turns: a loop inside
 * may be left at once most of the times. */
double rg__sim_progress_left(const struct sim_run *run, const struct sim_block *blocks, int n, const struct sim_progress *then)
{
    double left = 0;
    int64_t widest = 0;
    for (int i = 0; i < then->n; i++) {
        const struct sim_latch *l = &then->latches[i];
        if (l->ahead && left > 0) break; /* a queue has no counted loop; elsewhere such a test may be anything */
        uint64_t turns = run->counts[l->block].warps - l->turns;
        double now = distance(blocks, n, latch(run->k, l->block, l->ahead)), moved = l->distance - now;
        if (turns < 2 || !(moved > 0) || !isfinite(moved) || span(run->k, l->block) <= widest) continue;
        widest = span(run->k, l->block);
        left = now / moved;
    }
    return left;
}
