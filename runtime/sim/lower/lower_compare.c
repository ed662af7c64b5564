/* Comparisons: setp, set, of single values and of pairs of halves. */
#include "runtime/sim/lower/lower.h"
#include "runtime/sim/arith/scalar.h"
#include <string.h>

#define TRY(x)                                                                                                         \
    do {                                                                                                               \
        enum rg_status s_ = (x);                                                                                       \
        if (s_) return s_;                                                                                             \
        if (l->k->unsupported) return RG_OK;                                                                           \
    } while (0)

static enum ptx_type type0(const struct sim_lower *l)
{
    return l->n_types ? l->types[0] : PTX_NONE;
}

/* name, integer op, swapped, inverted; unsigned words included. Floats: op over ordered compares. */
static const struct comparison {
    const char *word;
    int op;
    bool swap, invert, is_unsigned, floats_only;
} comparisons[] = {
    {"eq", 0, false, false, false, false}, {"ne", 3, false, false, false, false}, {"lt", 1, false, false, false, false},
    {"le", 2, false, false, false, false}, {"gt", 1, true, false, false, false},  {"ge", 2, true, false, false, false},
    {"lo", 1, false, false, true, false},  {"ls", 2, false, false, true, false},  {"hi", 1, true, false, true, false},
    {"hs", 2, true, false, true, false},   {"equ", 3, false, true, false, true},  {"neu", 0, false, true, false, true},
    {"ltu", 2, true, true, false, true},   {"leu", 1, true, true, false, true},   {"gtu", 2, false, true, false, true},
    {"geu", 1, false, true, false, true},  {"num", 4, false, false, false, true}, {"nan", 4, false, true, false, true}};

static enum rg_status compare(struct sim_lower *l, enum ptx_type t, int a, int b, int d)
{
    const struct comparison *c = NULL;
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (l->n_mods && !strcmp(l->mods[0], comparisons[i].word)) c = &comparisons[i];
    if (!c) return rg__sim_bad(l, "unknown comparison");
    bool is_float = ptx_is_float(t), wide = rg__sim_cls(t) == 8;
    if (c->floats_only && !is_float) return rg__sim_bad(l, "a comparison for floats");
    if (t == PTX_F16X2 || t == PTX_BF16X2) return rg__sim_refuse(l);
    if (t == PTX_F32 && rg__sim_mod(l, "ftz")) l->has_ftz = true;
    int v[2] = {a, b};
    for (int i = 0; i < 2; i++) { /* narrow values compare as wide ones */
        if (rg__ptx_type_bytes(t) != 2) break;
        int w = rg__sim_temp(l, 4);
        if (is_float)
            rg__sim_scalar(l, rg__sim_cvt, w, v[i],
                           rg__sim_bits(l, 4,
                                        sim_cvt_code(PTX_F32, t, SIM_RN, false, false, false, false) |
                                            (rg__sim_mod(l, "ftz") ? SIM_CVT_FLUSH : 0)),
                           SIM_NONE, SIM_NONE);
        else {
            struct sim_inst *in = rg__sim_emit(l, t == PTX_S16 ? SIM_SEXT16 : SIM_MOV32);
            in->d = w;
            in->a = v[i];
        }
        v[i] = w;
    }
    static const enum sim_op f32[5] = {SIM_FEQ32, SIM_FLT32, SIM_FLE32, SIM_FNE32, SIM_FORD32},
                             f64[5] = {SIM_FEQ64, SIM_FLT64, SIM_FLE64, SIM_FNE64, SIM_FORD64},
                             s32[4] = {SIM_EQ32, SIM_LTS32, SIM_LES32, SIM_EQ32},
                             s64[4] = {SIM_EQ64, SIM_LTS64, SIM_LES64, SIM_EQ64},
                             u32[4] = {SIM_EQ32, SIM_LTU32, SIM_LEU32, SIM_EQ32},
                             u64[4] = {SIM_EQ64, SIM_LTU64, SIM_LEU64, SIM_EQ64};
    bool sign = ptx_is_signed(t) && !c->is_unsigned;
    enum sim_op op = is_float ? (wide ? f64 : f32)[c->op]
                     : sign   ? (wide ? s64 : s32)[c->op]
                              : (wide ? u64 : u32)[c->op];
    bool invert = c->invert;
    if (!is_float && c->op == 3) invert = true; /* integer ne is not eq */
    struct sim_inst *in = rg__sim_emit(l, op);
    in->d = d;
    in->a = c->swap ? v[1] : v[0];
    in->b = c->swap ? v[0] : v[1];
    in->x = invert;
    return RG_OK;
}

static enum rg_status combine(struct sim_lower *l, int p, int q, int d)
{
    enum sim_op op = rg__sim_mod(l, "and") ? SIM_PAND : rg__sim_mod(l, "or") ? SIM_POR : SIM_PXOR;
    struct sim_inst *in = rg__sim_emit(l, op);
    in->d = d;
    in->a = p;
    in->b = q;
    return RG_OK;
}

/* The two halves of a pair, compared one by one. */
static enum rg_status compare_pair(struct sim_lower *l, enum ptx_type t, int a, int b, int out[2])
{
    for (int i = 0; i < 2; i++) {
        int v[2] = {a, b}, w[2];
        for (int k = 0; k < 2; k++) {
            w[k] = rg__sim_temp(l, 4);
            rg__sim_scalar(l, rg__sim_word16, w[k], v[k], rg__sim_bits(l, 4, (uint64_t)i), SIM_NONE, SIM_NONE);
        }
        out[i] = rg__sim_temp(l, 0);
        TRY(compare(l, t == PTX_F16X2 ? PTX_F16 : PTX_BF16, w[0], w[1], out[i]));
    }
    return RG_OK;
}

static enum rg_status setp_pair(struct sim_lower *l, enum ptx_type t)
{
    int a, b, c = SIM_NONE, p[2], to[2];
    TRY(rg__sim_arity(l, 3, 4));
    TRY(rg__sim_src(l, 1, t, &a));
    TRY(rg__sim_src(l, 2, t, &b));
    if (l->in->n == 4) TRY(rg__sim_pred_src(l, 3, &c));
    TRY(rg__sim_dst(l, 0, PTX_PRED, &to[0]));
    to[1] = l->in->o[0].second;
    if (to[1] >= 0 && l->cls[to[1]] != 0) return rg__sim_bad(l, "a predicate expected after '|'");
    TRY(compare_pair(l, t, a, b, p));
    for (int i = 0; i < 2; i++) {
        if (to[i] < 0) continue;
        if (c != SIM_NONE) {
            TRY(combine(l, p[i], c, to[i]));
            continue;
        }
        struct sim_inst *in = rg__sim_emit(l, SIM_PMOV);
        in->d = to[i];
        in->a = p[i];
    }
    return RG_OK;
}

static enum rg_status set_pair(struct sim_lower *l, enum ptx_type td, enum ptx_type t)
{
    int a, b, d, p[2], half[2];
    TRY(rg__sim_arity(l, 3, 3));
    if (td != t && td != PTX_U32) return rg__sim_refuse(l);
    TRY(rg__sim_src(l, 1, t, &a));
    TRY(rg__sim_src(l, 2, t, &b));
    TRY(rg__sim_dst(l, 0, PTX_B32, &d));
    TRY(compare_pair(l, t, a, b, p));
    int64_t one = td == PTX_F16X2 ? 0x3c00 : td == PTX_BF16X2 ? 0x3f80 : 0xffff;
    for (int i = 0; i < 2; i++) {
        struct sim_inst *in = rg__sim_emit(l, SIM_P2R);
        in->d = half[i] = rg__sim_temp(l, 4);
        l->k->code[l->k->n_code - 1].a = p[i];
        l->k->code[l->k->n_code - 1].imm = one << (16 * i);
    }
    struct sim_inst *in = rg__sim_emit(l, SIM_OR32);
    in->d = d;
    in->a = half[0];
    in->b = half[1];
    return RG_OK;
}

static enum rg_status setp(struct sim_lower *l)
{
    enum ptx_type t = type0(l);
    if (t == PTX_F16X2 || t == PTX_BF16X2) return setp_pair(l, t);
    int a, b, d, c = SIM_NONE;
    TRY(rg__sim_arity(l, 3, 4));
    if (!rg__sim_cls(t)) return rg__sim_bad(l, "no type to compare");
    TRY(rg__sim_src(l, 1, t, &a));
    TRY(rg__sim_src(l, 2, t, &b));
    if (l->in->n == 4) TRY(rg__sim_pred_src(l, 3, &c));
    TRY(rg__sim_dst(l, 0, PTX_PRED, &d));
    int second = l->in->o[0].second;
    if (second >= 0 && l->cls[second] != 0) return rg__sim_bad(l, "a predicate expected after '|'");
    int r = c == SIM_NONE && second < 0 ? d : rg__sim_temp(l, 0);
    TRY(compare(l, t, a, b, r));
    if (second >= 0) {
        struct sim_inst *in = rg__sim_emit(l, SIM_PNOT);
        int n = in->d = c == SIM_NONE ? second : rg__sim_temp(l, 0);
        in->a = r;
        if (c != SIM_NONE) TRY(combine(l, n, c, second));
    }
    if (c != SIM_NONE) return combine(l, r, c, d);
    if (r != d) {
        struct sim_inst *in = rg__sim_emit(l, SIM_PMOV);
        in->d = d;
        in->a = r;
    }
    return RG_OK;
}

static enum rg_status set(struct sim_lower *l) /* set.cmp[.bool].dtype.stype */
{
    if (l->n_types != 2) return rg__sim_bad(l, "two types expected");
    enum ptx_type td = l->types[0], t = l->types[1];
    if (t == PTX_F16X2 || t == PTX_BF16X2) return set_pair(l, td, t);
    int a, b, d, c = SIM_NONE, p = rg__sim_temp(l, 0);
    TRY(rg__sim_arity(l, 3, 4));
    if (rg__ptx_type_bytes(td) == 8 || ptx_is_float(td) ? td != PTX_F32 && td != PTX_F16 && td != PTX_BF16 : false)
        return rg__sim_refuse(l);
    TRY(rg__sim_src(l, 1, t, &a));
    TRY(rg__sim_src(l, 2, t, &b));
    if (l->in->n == 4) TRY(rg__sim_pred_src(l, 3, &c));
    TRY(rg__sim_dst(l, 0, td, &d));
    TRY(compare(l, t, a, b, p));
    if (c != SIM_NONE) {
        int q = rg__sim_temp(l, 0);
        TRY(combine(l, p, c, q));
        p = q;
    }
    struct sim_inst *in = rg__sim_emit(l, SIM_P2R);
    in->d = d;
    in->a = p;
    in->imm = td == PTX_F32 ? 0x3f800000 : td == PTX_F16 ? 0x3c00 : td == PTX_BF16 ? 0x3f80 : 0xffffffff;
    return RG_OK;
}

const struct sim_lower_entry rg__sim_lower_compare[] = {{"setp", setp}, {"set", set}, {NULL, NULL}};
