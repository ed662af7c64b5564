/* Work that need not be done: copies, repeats, results nobody reads. */
#include "runtime/sim/lower/flow.h"
#include <rg/hash.h>
#include <stdlib.h>
#include <string.h>

struct rename {
    const int32_t *to;
};
static void rename_operand(void *arg, int32_t *o, bool is_def)
{
    const int32_t *to = ((struct rename *)arg)->to;
    while (!is_def && *o >= 0 && to[*o] != *o) *o = to[*o];
}

/* A copy into a register defined once, of a constant or of another register defined once, needs no instruction. Both
 * must be defined on every way to their uses, which is so when they are not alive at the entry. */
void rg__sim_remove_copies(struct sim_flow *f)
{
    int32_t *to = rg_xmalloc(sizeof *to * (size_t)(f->l->n_regs + 1));
    for (int i = 0; i < f->l->n_regs; i++) to[i] = i;
    for (int i = 0; i < f->n; i++) {
        const struct sim_inst *in = &f->k->code[i];
        if (f->dead[i] || (in->op != SIM_MOV32 && in->op != SIM_MOV64 && in->op != SIM_PMOV)) continue;
        if (f->n_defs[in->d] != 1 || sim_alive_at_entry(f, in->d)) continue;
        if (in->a >= 0 && (f->n_defs[in->a] != 1 || sim_alive_at_entry(f, in->a) || in->a == in->d)) continue;
        to[in->d] = in->a;
        f->dead[i] = true;
    }
    struct rename r = {to};
    for (int i = 0; i < f->n; i++)
        if (!f->dead[i]) rg__sim_visit(f->k, &f->k->code[i], rename_operand, &r);
    free(to);
}

static bool pure(int op)
{
    if (op < SIM_BB) return true;
    switch (op) {
    case SIM_SEL32:
    case SIM_SEL64:
    case SIM_P2R:
    case SIM_PACK64:
    case SIM_LO32:
    case SIM_HI32:
    case SIM_SCALAR:
    case SIM_SCALARP:
    case SIM_CARRY:
    case SIM_FSQRT32:
    case SIM_FSQRT64:
    case SIM_FRND32:
    case SIM_FRND64:
    case SIM_EX2F32:
    case SIM_LG2F32:
    case SIM_CVTS32F32Z:
    case SIM_CVTA:
    case SIM_ISSPACE:
    case SIM_CLOCK:
    case SIM_ACTIVE:
        return true;
    default:
        return false;
    }
}

/* ---- the same thing computed twice in a block ---- */

static uint64_t identity(const struct sim_inst *in)
{
    uint64_t h = in->op | (uint64_t)in->x << 16 | (uint64_t)in->y << 24;
    const int32_t v[] = {in->a, in->b, in->c, in->e};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) h = rg_mix64(h ^ (uint32_t)v[i]);
    return rg_mix64(h ^ (uint64_t)in->imm);
}
static bool identical(const struct sim_inst *a, const struct sim_inst *b)
{
    return a->op == b->op && a->x == b->x && a->y == b->y && a->a == b->a && a->b == b->b && a->c == b->c &&
           a->e == b->e && a->imm == b->imm;
}
/* Its sources never change and its result is set here only. */
static bool settled(const struct sim_flow *f, const struct sim_inst *in)
{
    const int32_t v[] = {in->a, in->b, in->c, in->e};
    if (!pure(in->op) || in->op == SIM_CARRY || in->op == SIM_CLOCK || in->op == SIM_ACTIVE || in->d < 0 ||
        in->p >= 0 || f->n_defs[in->d] != 1 || sim_alive_at_entry(f, in->d))
        return false;
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        if (v[i] >= 0 && (f->n_defs[v[i]] != 1 || sim_alive_at_entry(f, v[i]))) return false;
    return true;
}

void rg__sim_remove_repeats(struct sim_flow *f)
{
    enum { TABLE = 4096 };
    int *table = rg_xmalloc(sizeof *table * TABLE);
    int32_t *to = rg_xmalloc(sizeof *to * (size_t)(f->l->n_regs + 1));
    for (int i = 0; i < f->l->n_regs; i++) to[i] = i;
    struct rename r = {to};
    memset(table, -1, sizeof *table * TABLE);
    for (int b = 0; b < f->nb; b++)
        for (int i = f->first[b]; i < f->first[b + 1]; i++) {
            struct sim_inst *in = &f->k->code[i];
            if (f->dead[i]) continue;
            rg__sim_visit(f->k, in, rename_operand, &r);
            if (!settled(f, in)) continue;
            int *t = &table[identity(in) % TABLE];
            if (*t >= f->first[b] && identical(&f->k->code[*t], in)) {
                to[in->d] = f->k->code[*t].d;
                f->dead[i] = true;
            } else
                *t = i;
        }
    for (int i = 0; i < f->n; i++)
        if (!f->dead[i]) rg__sim_visit(f->k, &f->k->code[i], rename_operand, &r);
    free(table);
    free(to);
}

static void drop_use(void *arg, int32_t *o, bool is_def)
{
    struct sim_flow *f = arg;
    if (*o >= 0 && !is_def) f->n_uses[*o]--;
}

void rg__sim_remove_dead(struct sim_flow *f)
{
    for (int i = f->n - 1; i >= 0; i--) {
        struct sim_inst *in = &f->k->code[i];
        if (f->dead[i] || !pure(in->op)) continue;
        if ((in->d >= 0 && f->n_uses[in->d]) || (in->p >= 0 && f->n_uses[in->p])) continue;
        f->dead[i] = true;
        rg__sim_visit(f->k, in, drop_use, f);
    }
}
