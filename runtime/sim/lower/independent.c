/* Whether the blocks of a kernel may run in any order, and beside one another, without anybody being able to tell: no
 * block hands another something by a way that order decides. What is left then are plain accesses to global memory,
 * which race when two blocks meet in them, and atomics whose order leaves no trace. */
#include "runtime/sim/arith/atomic.h"
#include "runtime/sim/lower/flow.h"
#include <stdlib.h>

/* Whole numbers, nobody looks at what was there before: the sum is the same whoever comes first. */
static bool commutes(const struct sim_flow *f, const struct sim_inst *in)
{
    enum ptx_type t = (enum ptx_type)in->y;
    if (in->d >= 0 && f->n_uses[in->d]) return false;
    if (ptx_is_float(t)) return false;
    switch (in->x) {
    case SIM_A_ADD:
    case SIM_A_MIN:
    case SIM_A_MAX:
    case SIM_A_AND:
    case SIM_A_OR:
    case SIM_A_XOR:
        return true;
    default:
        return false;
    }
}

static bool in_order(const struct sim_flow *f, const struct sim_inst *in)
{
    switch (in->op) {
    case SIM_ATOM:
        return in->e != PTX_SHARED && !commutes(f, in);
    /* volatile and its like may wait for another block, or be the flag that one waits for */
    case SIM_LDG:
    case SIM_STG:
    case SIM_LDG32:
    case SIM_STG32:
    case SIM_LDX:
    case SIM_STX:
        return in->flags & SIM_F_ORDERED;
    case SIM_FENCE:
        return !in->x && !(in->flags & SIM_F_BLOCK);
    case SIM_CLOCK:
        return true;
    default:
        return false;
    }
}

/* A loop that looks, again and again, at what other blocks change. Compare-and-swap loops end by themselves. */
static bool looks(const struct sim_flow *f, const struct sim_inst *in)
{
    switch (in->op) {
    case SIM_ATOM:
        return in->e != PTX_SHARED && in->x != SIM_A_CAS && in->d >= 0 && f->n_uses[in->d];
    case SIM_LDG:
    case SIM_LDG32:
    case SIM_LDX:
        return in->flags & SIM_F_ORDERED;
    default:
        return false;
    }
}

static bool exchanges(const struct sim_flow *f)
{
    for (int i = f->l->first_body; f->k->n_bodies && i < f->n; i++) /* a function that calls itself is a loop */
        if (!f->dead[i] && looks(f, &f->k->code[i])) return true;
    for (int i = 0; i < f->n; i++) {
        const struct sim_inst *in = &f->k->code[i];
        if (f->dead[i] || (in->op != SIM_BRA && in->op != SIM_BRAP) || in->imm > i) continue;
        for (int j = (int)in->imm; j <= i; j++)
            if (!f->dead[j] && looks(f, &f->k->code[j])) return true;
    }
    return false;
}

/* To go round again before they had a turn is in vain. */
bool rg__sim_spins(const struct sim_flow *f, int from, int to)
{
    bool any = false;
    for (int j = from; j <= to; j++) {
        const struct sim_inst *in = &f->k->code[j];
        if (f->dead[j]) continue;
        switch (in->op) {
        case SIM_STG:
        case SIM_STG32:
        case SIM_STX:
        case SIM_STS:
        case SIM_STS32:
        case SIM_STL:
        case SIM_BAR:
        case SIM_CPASYNC:
        case SIM_WMMAST:
            return false;
        default:
            any = any || looks(f, in);
        }
    }
    return any;
}

static void mark_meetings(struct sim_flow *f)
{
    f->polls = rg_xcalloc((size_t)f->nb, sizeof *f->polls);
    f->meets = rg_xcalloc((size_t)f->n, sizeof *f->meets);
    for (int i = 0; i < f->n; i++) {
        const struct sim_inst *in = &f->k->code[i];
        f->meets[i] = !f->dead[i] && (in->op == SIM_ATOM ? in->e != PTX_SHARED : in_order(f, in));
        if (f->dead[i] || (in->op != SIM_BRA && in->op != SIM_BRAP) || in->imm > i ||
            !rg__sim_spins(f, (int)in->imm, i))
            continue;
        for (int j = (int)in->imm; j <= i; j++)
            if (!f->dead[j] && looks(f, &f->k->code[j])) f->polls[f->block_of[j]] = true;
    }
}

static void unset(struct sim_flow *f, int reg, const int32_t *slot)
{
    struct sim_kernel *k = f->k;
    RG_GROW(k->unset, k->n_unset, k->cap_unset);
    k->unset[k->n_unset++] = (struct sim_unset){slot[reg], f->l->cls[reg]};
}
static int by_slot(const void *a, const void *b)
{
    int32_t x = ((const struct sim_unset *)a)->slot, y = ((const struct sim_unset *)b)->slot;
    return x < y ? -1 : x > y;
}

void rg__sim_mark_independent(struct sim_flow *f, const int32_t *slot)
{
    struct sim_kernel *k = f->k;
    k->independent = true;
    k->exchanges = exchanges(f);
    mark_meetings(f);
    for (int i = 0; i < f->n; i++) {
        if (f->dead[i]) continue;
        if (in_order(f, &k->code[i])) k->independent = false;
        if (k->code[i].op == SIM_SHFL && k->code[i].a >= 0)
            unset(f, k->code[i].a, slot); /* of lanes that are not there */
    }
    for (int r = 0; r < f->l->n_regs; r++)
        if (sim_alive_at_entry(f, r)) unset(f, r, slot);
    if (!k->n_unset) return;
    qsort(k->unset, (size_t)k->n_unset, sizeof *k->unset, by_slot);
    int n = 1; /* slots are shared by registers of one width */
    for (int i = 1; i < k->n_unset; i++)
        if (k->unset[i].slot != k->unset[n - 1].slot) k->unset[n++] = k->unset[i];
    k->n_unset = n;
}
