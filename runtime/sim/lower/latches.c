/* Latches: the integer comparisons by which loops go on or are left. A loop that waits for other threads compares what
 * they stored: such a comparison tells nothing of how far the loop has come. */
#include "runtime/sim/lower/flow.h"
#include "runtime/sim/calls.h"
#include <stdlib.h>
#include <string.h>

static bool compares(const struct sim_inst *in)
{
    switch (in->op) {
    case SIM_EQ32:
    case SIM_LTS32:
    case SIM_LES32:
    case SIM_LTU32:
    case SIM_LEU32:
    case SIM_EQ64:
    case SIM_LTS64:
    case SIM_LES64:
    case SIM_LTU64:
    case SIM_LEU64:
        return true;
    default:
        return false;
    }
}

static bool sets(const struct sim_inst *in, int32_t slot)
{
    return in->d == slot && strchr(rg__sim_op_shape(in->op), 'd');
}

/* ---- def-use chains that begin at a load that waits for other threads ---- */

enum { DEEP = 6 };
struct chains {
    const struct sim_kernel *k;
    int64_t from;
    struct link {
        int32_t slot;
        int64_t to;
        int depth;
    } * asked; /* and answered with no: chains meet again and again */
    int n, cap;
};

/* Does what the slot holds at instruction `to`, set behind the loop's begin, come of such a load? */
static bool polled(struct chains *c, int32_t slot, int64_t to, int depth)
{
    if (slot < 0 || depth <= 0) return false;
    for (int i = 0; i < c->n; i++)
        if (c->asked[i].slot == slot && c->asked[i].to >= to && c->asked[i].depth >= depth) return false;
    RG_GROW(c->asked, c->n, c->cap);
    c->asked[c->n++] = (struct link){slot, to, depth};
    for (int64_t x = c->from; x <= to; x++) {
        const struct sim_inst *in = &c->k->code[x];
        if (!sets(in, slot)) continue;
        if (in->flags & SIM_F_ORDERED) return true;
        if (polled(c, in->a, x, depth - 1) || polled(c, in->b, x, depth - 1)) return true;
    }
    return false;
}

static bool waits(const struct sim_kernel *k, int b, const struct sim_inst *compare)
{
    int64_t end = k->blocks[b].first + k->blocks[b].n - 1;
    struct chains c = {.k = k, .from = k->code[end].imm};
    bool found = polled(&c, compare->a, end, DEEP) || polled(&c, compare->b, end, DEEP);
    free(c.asked);
    return found;
}

/* The comparison that decides the branch ending basic block b, backward or (ahead) out of a loop; -1: none, or not of
 * integers. It may stand far from the branch, in front of a barrier of the whole grid say: then nothing else sets what
 * it sets. */
static int decides(const struct sim_kernel *k, int b, bool ahead)
{
    const struct sim_block_info *info = &k->blocks[b];
    if (info->n < 1) return -1;
    const struct sim_inst *last = &k->code[info->first + info->n - 1];
    if (last->op != SIM_BRAP || (last->imm >= info->first) != ahead) return -1;
    for (int i = info->first + info->n - 2; i >= info->first; i--)
        if (sets(&k->code[i], last->a)) return compares(&k->code[i]) ? i : -1;
    int only = -1;
    for (int i = 0; i < k->n_blocks; i++)
        for (int x = k->blocks[i].first; x < k->blocks[i].first + k->blocks[i].n; x++) {
            if (!sets(&k->code[x], last->a)) continue;
            if (only >= 0 || !compares(&k->code[x])) return -1;
            only = x;
        }
    return only;
}

void rg__sim_mark_latches(struct sim_kernel *k)
{
    for (int b = 0; b < k->n_blocks; b++) {
        struct sim_block_info *info = &k->blocks[b];
        info->leaves = decides(k, b, true);
        info->latch = decides(k, b, false);
        if (info->latch >= 0 && waits(k, b, &k->code[info->latch])) info->latch = -1;
    }
}
