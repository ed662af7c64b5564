/* Short code behind a forward branch, as tests of bounds make it: ptxas runs it under a predicate instead of the
 * branch, and then moves its loads up past what waits, so that those of several such places are under way together.
 * Chains of them are marked as regions for the estimate. Nothing is predicated here. */
#include "runtime/sim/lower/flow.h"
#include <stdlib.h>

enum { BODY = 24 /* instructions of PTX, of which address arithmetic shares a good part with its neighbours */ };

static int last_of(const struct sim_flow *f, int b)
{
    for (int i = f->first[b + 1] - 1; i >= f->first[b]; i--)
        if (!f->dead[i]) return i;
    return -1;
}

/* Loads of a block; -1 where it cannot be predicated. */
static int loads_of(const struct sim_flow *f, int b, int *n)
{
    int loads = 0;
    *n = 0;
    for (int i = f->first[b]; i < f->first[b + 1]; i++) {
        const struct sim_inst *in = &f->k->code[i];
        if (f->dead[i]) continue;
        ++*n;
        switch (in->op) {
        case SIM_LDG:
        case SIM_LDG32:
        case SIM_LDS:
        case SIM_LDS32:
            loads += in->y > 1 ? in->y : 1;
            break;
        case SIM_BRA:
        case SIM_BRAP:
        case SIM_EXIT:
        case SIM_TRAP:
        case SIM_BAR:
        case SIM_WARPSYNC:
        case SIM_ATOM:
        case SIM_FENCE:
        case SIM_CPASYNC:
        case SIM_SHFL:
        case SIM_VOTE:
        case SIM_MATCH:
        case SIM_REDUX:
        case SIM_MMA:
        case SIM_WMMA:
        case SIM_WMMALD:
        case SIM_WMMAST:
        case SIM_LDMATRIX:
        case SIM_LDX:
        case SIM_STX:
        case SIM_LDL:
        case SIM_STL:
        case SIM_SAVE:
        case SIM_RESTORE:
        case SIM_CALL:
        case SIM_RET:
        case SIM_PASS:
            return -1;
        default:
            break;
        }
        if (in->flags & SIM_F_ORDERED) return -1;
    }
    return loads;
}

void rg__sim_mark_predicated(struct sim_flow *f, int in_flight)
{
    const struct sim_kernel *k = f->k;
    int *entries = rg_xcalloc((size_t)f->nb + 1, sizeof *entries); /* branches to a block */
    f->region = rg_xcalloc((size_t)f->nb + 1, sizeof *f->region);
    for (int i = 0; i < f->n; i++)
        if (!f->dead[i] && (k->code[i].op == SIM_BRA || k->code[i].op == SIM_BRAP) && k->code[i].imm >= 0 &&
            k->code[i].imm < f->n)
            entries[f->block_of[k->code[i].imm]]++;
    int first = -1, loads = 0;
    for (int b = 0; b + 2 < f->nb; b++) {
        int at = last_of(f, b), n, more = -1;
        bool hops = at >= 0 && k->code[at].op == SIM_BRAP && k->code[at].imm == f->first[b + 2] && !entries[b + 1] &&
                    entries[b + 2] == 1 && f->unroll[b] == 1;
        if (hops) more = loads_of(f, b + 1, &n);
        if (more < 1 || n > BODY || more > in_flight) continue;
        if (first < 0 || f->region[b] != first + 1 || loads + more > in_flight) first = b, loads = 0;
        loads += more;
        f->region[b] = f->region[b + 1] = f->region[b + 2] = first + 1;
        rg__sim_mark_early(f, f->first[b + 1], f->first[b + 2]);
        b++; /* the block where they meet may begin the next */
    }
    free(entries);
}
