/* Matrix instructions: mma.sync, wmma. (ldmatrix is a load: lower_memory.c) */
#include "runtime/sim/lower/lower.h"
#include "runtime/sim/arith/mma.h"
#include <stdio.h>
#include <string.h>

#define TRY(x)                                                                                                         \
    do {                                                                                                               \
        enum rg_status s_ = (x);                                                                                       \
        if (s_) return s_;                                                                                             \
        if (l->k->unsupported) return RG_OK;                                                                           \
    } while (0)

/* mma.sync: operands are four lists, D A B C */
static enum rg_status mma(struct sim_lower *l)
{
    int how;
    const struct sim_mma *m = rg__sim_mma_find(l->in->op, &how);
    if (!m) return rg__sim_refuse(l);
    TRY(rg__sim_arity(l, 4, 4));
    int regs[64], n = 0, want[4] = {m->nd, m->na, m->nb, m->nc};
    for (int i = 0; i < 4; i++) {
        const struct ptx_operand *o = &l->in->o[i];
        if (o->kind != PTX_O_LIST ? want[i] != 1 : o->n != want[i])
            return rg__sim_bad(l, "a list of %d registers expected", want[i]);
        for (int k = 0; k < want[i]; k++) {
            const struct ptx_operand *item = o->kind == PTX_O_LIST ? &o->items[k] : o;
            enum ptx_type t = m->wide && (i == 0 || i == 3 || m->wide > 1) ? PTX_F64 : PTX_B32;
            if (i)
                TRY(rg__sim_src_of(l, item, t, &regs[n++]));
            else
                TRY(rg__sim_dst_of(l, item, t, &regs[n++]));
        }
    }
    int aux = rg__sim_aux(l, regs, n);
    struct sim_inst *in = rg__sim_emit(l, SIM_MMA);
    in->e = aux;
    in->y = (uint8_t)want[0];
    in->x = (uint8_t)(n - want[0]);
    in->imm = how;
    return RG_OK;
}

/* ---- wmma: fragments are opaque, so their layout is ours (mma.h) ---- */

static bool shape(const struct sim_lower *l, int *m, int *n, int *k)
{
    for (int i = 0; i < l->n_mods; i++)
        if (sscanf(l->mods[i], "m%dn%dk%d", m, n, k) == 3)
            return (*m * *n == 256 && (*k == 16 || *k == 8)) || (*m == 8 && *n == 8 && *k == 4);
    return false;
}

static int fragment_regs(int which, enum ptx_type t, int m, int n, int k)
{
    if (t == PTX_F64 || m * n == 64) return t != PTX_F64 || m * n != 64 ? 0 : which == 2 ? 2 : 1;
    if (which == 2 && t == PTX_S32) return k == 16 ? 8 : 0;
    if (which != 2 && (t == PTX_S8 || t == PTX_U8)) return k == 16 ? (which == 0 ? m : n) * k / 128 : 0;
    if (which == 2) return t == PTX_F32 ? 8 : t == PTX_F16 ? 4 : 0;
    if (t == PTX_F16) return k == 16 ? 8 : 0;
    int elements = which == 0 ? m * k : n * k;
    if (t == PTX_BF16) return k == 16 ? elements / 64 : 0;
    if (t == PTX_TF32) return k == 8 && m == 16 ? elements / 32 : 0;
    return 0;
}

static enum rg_status fragment(struct sim_lower *l, const struct ptx_operand *o, enum ptx_type t, int n, bool write,
                               int *regs)
{
    if (o->kind != PTX_O_LIST ? n != 1 : o->n != n) return rg__sim_bad(l, "a list of %d registers expected", n);
    t = t == PTX_F64 ? PTX_F64 : PTX_B32;
    for (int i = 0; i < n; i++) {
        const struct ptx_operand *item = o->kind == PTX_O_LIST ? &o->items[i] : o;
        TRY(write ? rg__sim_dst_of(l, item, t, &regs[i]) : rg__sim_src_of(l, item, t, &regs[i]));
    }
    return RG_OK;
}

static enum rg_status wmma(struct sim_lower *l)
{
    int m, n, k, regs[64];
    if (l->n_mods < 4 || !l->n_types || !shape(l, &m, &n, &k)) return rg__sim_refuse(l);
    enum ptx_type t = l->types[l->n_types - 1];
    bool load = !strcmp(l->mods[0], "load"), store = !strcmp(l->mods[0], "store");
    if (load || store) {
        int which = !strcmp(l->mods[1], "a")   ? 0
                    : !strcmp(l->mods[1], "b") ? 1
                                               : 2,
            count = fragment_regs(which, t, m, n, k), a, stride;
        bool col = rg__sim_mod(l, "col"), shared = false, global = false;
        if (!count) return rg__sim_refuse(l);
        for (int i = 0; i < l->n_mods; i++)
            shared |= !strncmp(l->mods[i], "shared", 6), global |= !strncmp(l->mods[i], "global", 6);
        TRY(rg__sim_arity(l, 2, 3));
        const struct ptx_operand *addr = &l->in->o[load ? 1 : 0];
        if (addr->kind != PTX_O_ADDRESS || addr->n) return rg__sim_bad(l, "an address expected");
        /* as a 64-bit address of its space, offset included */
        if (addr->var)
            TRY(rg__sim_address_of(l, addr->var, addr->offset, 8, &a));
        else if (addr->reg < 0)
            return rg__sim_refuse(l);
        else {
            a = addr->reg;
            if (l->cls[a] == 4) {
                struct sim_inst *in = rg__sim_emit(l, SIM_CVTU64U32);
                in->a = a;
                a = in->d = rg__sim_temp(l, 8);
            } else if (l->cls[a] != 8)
                return rg__sim_bad(l, "an address register expected");
            if (addr->offset) {
                struct sim_inst *in = rg__sim_emit(l, SIM_ADD64);
                in->a = a;
                in->b = rg__sim_bits(l, 8, (uint64_t)addr->offset);
                a = rg__sim_temp(l, 8);
                l->k->code[l->k->n_code - 1].d = a;
            }
        }
        if (l->in->n == 3)
            TRY(rg__sim_src(l, 2, PTX_B32, &stride));
        else
            stride = rg__sim_bits(l, 4,
                                  (uint64_t)(which == 0   ? (col ? m : k)
                                             : which == 1 ? (col ? k : n)
                                             : col        ? m
                                                          : n));
        TRY(fragment(l, &l->in->o[load ? 0 : 1], t, count, load, regs));
        int aux = rg__sim_aux(l, regs, count);
        struct sim_inst *in = rg__sim_emit(l, load ? SIM_WMMALD : SIM_WMMAST);
        in->a = a;
        in->b = stride;
        in->e = aux;
        in->y = (uint8_t)count;
        in->imm = sim_wmma(m, n, k, which, col, t) | (shared ? SIM_WMMA_SHARED : global ? SIM_WMMA_GLOBAL : 0);
        return RG_OK;
    }
    if (strcmp(l->mods[0], "mma")) return rg__sim_refuse(l);
    /* wmma.mma.sync.aligned.alayout.blayout.shape.dtype[.atype.btype].ctype */
    enum ptx_type ab = l->n_types == 4 ? l->types[1] : PTX_F16, d = l->types[0];
    if ((l->n_types != 2 && l->n_types != 4) || (l->n_types == 4 && l->types[2] != ab)) return rg__sim_refuse(l);
    bool saturate = rg__sim_mod(l, "satfinite"), bytes = ab == PTX_S8 || ab == PTX_U8;
    if ((saturate && !bytes) || bytes != (d == PTX_S32) || bytes != (t == PTX_S32)) return rg__sim_refuse(l);
    int count[4] = {fragment_regs(2, d, m, n, k), fragment_regs(0, ab, m, n, k), fragment_regs(1, ab, m, n, k),
                    fragment_regs(2, t, m, n, k)},
        at = 0;
    if (!count[0] || !count[1] || !count[2] || !count[3]) return rg__sim_refuse(l);
    TRY(rg__sim_arity(l, 4, 4));
    for (int i = 0; i < 4; at += count[i++])
        TRY(fragment(l, &l->in->o[i], i == 0 || i == 3 ? d : ab, count[i], i == 0, regs + at));
    int aux = rg__sim_aux(l, regs, at);
    struct sim_inst *in = rg__sim_emit(l, SIM_WMMA);
    in->e = aux;
    in->y = (uint8_t)count[0];
    in->x = (uint8_t)(at - count[0]);
    in->imm = sim_wmma(m, n, k, 0, false, ab) | (d == PTX_F16 ? SIM_WMMA_D16 : 0) | (t == PTX_F16 ? SIM_WMMA_C16 : 0) |
              (saturate ? SIM_WMMA_SATURATE : 0);
    return RG_OK;
}

const struct sim_lower_entry rg__sim_lower_matrix[] = {{"mma", mma}, {"wmma", wmma}, {NULL, NULL}};
