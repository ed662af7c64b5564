/* Steady loops: those whose rounds all do the same: where a round goes depends neither on how many were before it nor
 * on memory that somebody may have changed. The time loop of a solver is one; a loop over the columns of a triangle
 * is none. What is counted in one round of it holds for all (loop_extrapolation.c). */
#include "runtime/sim/lower/flow.h"
#include <stdlib.h>
#include <string.h>

enum { CARRIED = 1 /* comes from the round before */, DATA = 2 /* from memory, or the time */ };

struct taint {
    struct sim_flow *f;
    unsigned char *of;     /* a register */
    const uint64_t *alive; /* where the loop begins */
    unsigned char now;     /* of what the instruction at hand uses */
    bool changed;
};

static void gather(void *arg, int32_t *o, bool is_def)
{
    struct taint *t = arg;
    if (!is_def && *o >= 0) t->now |= t->of[*o];
}

static void spread(void *arg, int32_t *o, bool is_def)
{
    struct taint *t = arg;
    if (!is_def || *o < 0) return;
    unsigned char all = t->of[*o] | t->now | (t->alive[*o >> 6] >> (*o & 63) & 1 ? CARRIED : 0);
    t->changed = t->changed || all != t->of[*o];
    t->of[*o] = all;
}

static bool reads(const struct sim_inst *in)
{
    switch (in->op) {
    case SIM_LDG:
    case SIM_LDG32:
        return !(in->flags & SIM_F_CONSTANT);
    case SIM_LDX:
    case SIM_LDS:
    case SIM_LDS32:
    case SIM_LDL:
    case SIM_LDMATRIX:
    case SIM_WMMALD:
    case SIM_ATOM:
    case SIM_CLOCK:
        return true;
    default:
        return false;
    }
}

/* waits: of a branch that only says how long to wait for other blocks. */
static bool equal(struct taint *t, int from, int to, const bool *waits)
{
    const struct sim_flow *f = t->f;
    t->alive = f->in + (size_t)f->block_of[from] * (size_t)f->words;
    memset(t->of, 0, (size_t)f->l->n_regs + 1);
    do {
        t->changed = false;
        for (int i = from; i <= to; i++) {
            if (f->dead[i]) continue;
            t->now = reads(&f->k->code[i]) ? DATA : 0;
            rg__sim_visit(f->k, &f->k->code[i], gather, t);
            rg__sim_visit(f->k, &f->k->code[i], spread, t);
        }
    } while (t->changed);
    for (int i = from; i <= to; i++) {
        const struct sim_inst *in = &f->k->code[i];
        if (f->dead[i] || waits[i] || (in->op != SIM_BRAP && in->op != SIM_BAR)) continue;
        bool ends = in->op == SIM_BRAP && (i == to || in->imm > to ||
                                           in->imm < from); /* counting its own rounds is all it may do with them */
        t->now = 0;
        rg__sim_visit(f->k, &f->k->code[i], gather, t);
        if (t->now & (ends ? DATA : DATA | CARRIED)) return false;
    }
    return true;
}

void rg__sim_mark_rounds(struct sim_flow *f)
{
    struct taint t = {.f = f, .of = rg_xmalloc((size_t)f->l->n_regs + 1)};
    bool *waits = rg_xcalloc((size_t)f->n + 1, sizeof *waits);
    f->equal = rg_xcalloc((size_t)f->nb, sizeof *f->equal);
    for (int pass = 0; pass < 2 && f->k->exchanges;
         pass++) /* others are not run side by side, unless they share nothing */
        for (int i = 0; i < f->n; i++) {
            const struct sim_inst *in = &f->k->code[i];
            if (f->dead[i] || (in->op != SIM_BRA && in->op != SIM_BRAP) || in->imm > i) continue;
            bool spins = rg__sim_spins(f, (int)in->imm, i);
            for (int j = (int)in->imm; pass == 0 && spins && j <= i; j++) waits[j] = true;
            if (pass == 1 && !spins) f->equal[f->block_of[i]] = equal(&t, (int)in->imm, i, waits);
        }
    free(waits);
    free(t.of);
}
