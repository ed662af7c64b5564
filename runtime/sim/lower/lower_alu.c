/* Integer, logic, moves, selection. */
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
static enum ptx_type lane32(bool wide)
{
    return wide ? PTX_B64 : PTX_B32;
}
static int bytes0(const struct sim_lower *l)
{
    return rg__ptx_type_bytes(type0(l));
}

/* d = op(a, b) in vectors, both of type t */
static enum rg_status binary(struct sim_lower *l, enum sim_op op, enum ptx_type t)
{
    int d, a, b;
    TRY(rg__sim_arity(l, 3, 3));
    TRY(rg__sim_src(l, 1, t, &a));
    TRY(rg__sim_src(l, 2, t, &b));
    TRY(rg__sim_dst(l, 0, t, &d));
    struct sim_inst *in = rg__sim_emit(l, op);
    in->d = d;
    in->a = a;
    in->b = b;
    return RG_OK;
}

static enum rg_status unary(struct sim_lower *l, enum sim_op op, enum ptx_type t)
{
    int d, a;
    TRY(rg__sim_arity(l, 2, 2));
    TRY(rg__sim_src(l, 1, t, &a));
    TRY(rg__sim_dst(l, 0, t, &d));
    struct sim_inst *in = rg__sim_emit(l, op);
    in->d = d;
    in->a = a;
    return RG_OK;
}

/* d = fn(operands 1..n) lane by lane; td, ta, tb, tc their types (NONE: absent) */
static enum rg_status scalar(struct sim_lower *l, sim_scalar_fn fn, enum ptx_type td, enum ptx_type ta,
                             enum ptx_type tb, enum ptx_type tc)
{
    int d, v[3] = {SIM_NONE, SIM_NONE, SIM_NONE};
    enum ptx_type t[3] = {ta, tb, tc};
    int n = tc ? 3 : tb ? 2 : 1;
    TRY(rg__sim_arity(l, n + 1, n + 1));
    for (int i = 0; i < n; i++) TRY(rg__sim_src(l, i + 1, t[i], &v[i]));
    TRY(rg__sim_dst(l, 0, td, &d));
    rg__sim_scalar(l, fn, d, v[0], v[1], v[2], SIM_NONE);
    return RG_OK;
}

/* Choices by type: six functions for s16 u16 s32 u32 s64 u64. */
static enum rg_status by_type(struct sim_lower *l, sim_scalar_fn s16, sim_scalar_fn u16, sim_scalar_fn s32,
                              sim_scalar_fn u32, sim_scalar_fn s64, sim_scalar_fn u64, bool three)
{
    enum ptx_type t = type0(l);
    sim_scalar_fn fn = NULL;
    switch (t) {
    case PTX_S16:
        fn = s16;
        break;
    case PTX_U16:
    case PTX_B16:
        fn = u16;
        break;
    case PTX_S32:
        fn = s32;
        break;
    case PTX_U32:
    case PTX_B32:
        fn = u32;
        break;
    case PTX_S64:
        fn = s64;
        break;
    case PTX_U64:
    case PTX_B64:
        fn = u64;
        break;
    default:
        break;
    }
    if (!fn) return rg__sim_refuse(l);
    return scalar(l, fn, t, t, t, three ? t : PTX_NONE);
}

static bool float_type(const struct sim_lower *l)
{
    return l->n_types && ptx_is_float(type0(l));
}
extern enum rg_status rg__sim_float_arith(struct sim_lower *l);

static enum rg_status carry_op(struct sim_lower *l, int kind, bool three)
{
    int d, a, b, c = SIM_NONE, n = three ? 4 : 3;
    enum ptx_type t = lane32(bytes0(l) == 8);
    TRY(rg__sim_arity(l, n, n));
    TRY(rg__sim_src(l, 1, t, &a));
    TRY(rg__sim_src(l, 2, t, &b));
    if (three) TRY(rg__sim_src(l, 3, t, &c));
    TRY(rg__sim_dst(l, 0, t, &d));
    bool in_carry = !strcmp(l->base, "addc") || !strcmp(l->base, "subc") || !strcmp(l->base, "madc");
    struct sim_inst *in = rg__sim_emit(l, SIM_CARRY);
    in->d = d;
    in->a = a;
    in->b = b;
    in->c = c;
    in->x = (uint8_t)kind;
    in->y = bytes0(l) == 8;
    in->e = in_carry ? rg__sim_carry(l) : SIM_NONE;
    in->p = rg__sim_mod(l, "cc") ? rg__sim_carry(l) : SIM_NONE;
    return RG_OK;
}

/* add, min, max of .u16x2 and .s16x2 */
static enum rg_status pairs(struct sim_lower *l)
{
    int d, a, b;
    if (l->n_types || rg__sim_mod(l, "sat")) return rg__sim_refuse(l);
    uint64_t how = (l->base[0] == 'a'   ? 0u
                    : l->base[1] == 'i' ? 1u
                                        : 2u) |
                   (rg__sim_mod(l, "s16x2") ? 4u : 0) | (rg__sim_mod(l, "relu") ? 8u : 0);
    TRY(rg__sim_arity(l, 3, 3));
    TRY(rg__sim_src(l, 1, PTX_B32, &a));
    TRY(rg__sim_src(l, 2, PTX_B32, &b));
    TRY(rg__sim_dst(l, 0, PTX_B32, &d));
    rg__sim_scalar(l, rg__sim_pair16, d, a, b, SIM_NONE, rg__sim_bits(l, 4, how));
    return RG_OK;
}
/* vadd4, vsub4, vabsdiff4 over whole registers: .dtype.atype.btype[.add] d, a, b, c */
static enum rg_status bytes4(struct sim_lower *l)
{
    int d, v[3];
    if (l->n_types != 3 || rg__sim_mod(l, "sat")) return rg__sim_refuse(l);
    uint64_t how = (l->base[1] == 's'   ? 1u
                    : l->base[2] == 'b' ? 2u
                                        : 0u) |
                   (l->types[1] == PTX_S32 ? 4u : 0) | (l->types[2] == PTX_S32 ? 8u : 0) |
                   (rg__sim_mod(l, "add") ? 16u : 0);
    TRY(rg__sim_arity(l, 4, 4));
    for (int i = 0; i < 3; i++) TRY(rg__sim_src(l, i + 1, PTX_B32, &v[i]));
    TRY(rg__sim_dst(l, 0, PTX_B32, &d));
    rg__sim_scalar(l, rg__sim_bytes4, d, v[0], v[1], v[2], rg__sim_bits(l, 4, how));
    return RG_OK;
}
static bool of_pairs(const struct sim_lower *l)
{
    return rg__sim_mod(l, "u16x2") || rg__sim_mod(l, "s16x2");
}

static enum rg_status add_sub(struct sim_lower *l)
{
    if (of_pairs(l) && l->base[0] == 'a' && !l->base[3]) return pairs(l);
    bool sub = l->base[0] == 's';
    if (float_type(l)) return rg__sim_float_arith(l);
    if (rg__sim_mod(l, "cc") || !strcmp(l->base, "addc") || !strcmp(l->base, "subc")) return carry_op(l, sub, false);
    if (rg__sim_mod(l, "sat"))
        return scalar(l, sub ? rg__sim_subsat_s32 : rg__sim_addsat_s32, PTX_S32, PTX_S32, PTX_S32, PTX_NONE);
    switch (bytes0(l)) {
    case 2:
        return scalar(l, sub ? rg__sim_sub16 : rg__sim_add16, PTX_B16, PTX_B16, PTX_B16, PTX_NONE);
    case 4:
        return type0(l) == PTX_F16X2 || type0(l) == PTX_BF16X2 ? rg__sim_refuse(l)
                                                               : binary(l, sub ? SIM_SUB32 : SIM_ADD32, PTX_B32);
    case 8:
        return binary(l, sub ? SIM_SUB64 : SIM_ADD64, PTX_B64);
    default:
        return rg__sim_refuse(l);
    }
}

static enum rg_status mul(struct sim_lower *l)
{
    if (float_type(l)) return rg__sim_float_arith(l);
    enum ptx_type t = type0(l);
    bool sign = ptx_is_signed(t);
    if (rg__sim_mod(l, "wide")) {
        if (bytes0(l) == 2)
            return scalar(l, sign ? rg__sim_mulwide_s16 : rg__sim_mulwide_u16, PTX_B32, PTX_B16, PTX_B16, PTX_NONE);
        if (bytes0(l) != 4) return rg__sim_refuse(l);
        int d, a, b;
        TRY(rg__sim_arity(l, 3, 3));
        TRY(rg__sim_src(l, 1, PTX_B32, &a));
        TRY(rg__sim_src(l, 2, PTX_B32, &b));
        TRY(rg__sim_dst(l, 0, PTX_B64, &d));
        struct sim_inst *in = rg__sim_emit(l, sign ? SIM_MULWIDES : SIM_MULWIDEU);
        in->d = d;
        in->a = a;
        in->b = b;
        return RG_OK;
    }
    if (rg__sim_mod(l, "hi"))
        return by_type(l, rg__sim_mulhi_s16, rg__sim_mulhi_u16, rg__sim_mulhi_s32, rg__sim_mulhi_u32, rg__sim_mulhi_s64,
                       rg__sim_mulhi_u64, false);
    if (bytes0(l) == 2) return scalar(l, rg__sim_mul16, PTX_B16, PTX_B16, PTX_B16, PTX_NONE);
    if (bytes0(l) == 4) return binary(l, SIM_MUL32, PTX_B32);
    if (bytes0(l) == 8) return binary(l, SIM_MUL64, PTX_B64);
    return rg__sim_refuse(l);
}

static enum rg_status ternary(struct sim_lower *l, enum sim_op op, enum ptx_type td, enum ptx_type ts, enum ptx_type tc)
{
    int d, a, b, c;
    TRY(rg__sim_arity(l, 4, 4));
    TRY(rg__sim_src(l, 1, ts, &a));
    TRY(rg__sim_src(l, 2, ts, &b));
    TRY(rg__sim_src(l, 3, tc, &c));
    TRY(rg__sim_dst(l, 0, td, &d));
    struct sim_inst *in = rg__sim_emit(l, op);
    in->d = d;
    in->a = a;
    in->b = b;
    in->c = c;
    return RG_OK;
}

static enum rg_status mad(struct sim_lower *l)
{
    if (float_type(l)) return rg__sim_float_arith(l);
    enum ptx_type t = type0(l);
    bool sign = ptx_is_signed(t), hi = rg__sim_mod(l, "hi");
    if (rg__sim_mod(l, "cc") || !strcmp(l->base, "madc")) return carry_op(l, hi ? (sign ? 4 : 3) : 2, true);
    if (rg__sim_mod(l, "wide")) {
        if (bytes0(l) == 2)
            return scalar(l, sign ? rg__sim_madwide_s16 : rg__sim_madwide_u16, PTX_B32, PTX_B16, PTX_B16, PTX_B32);
        if (bytes0(l) != 4) return rg__sim_refuse(l);
        return ternary(l, sign ? SIM_MADWIDES : SIM_MADWIDEU, PTX_B64, PTX_B32, PTX_B64);
    }
    if (hi && rg__sim_mod(l, "sat")) return scalar(l, rg__sim_madsat_s32, PTX_S32, PTX_S32, PTX_S32, PTX_S32);
    if (hi)
        return by_type(l, NULL, NULL, rg__sim_madhi_s32, rg__sim_madhi_u32, rg__sim_madhi_s64, rg__sim_madhi_u64, true);
    if (bytes0(l) == 2) return scalar(l, rg__sim_mad16, PTX_B16, PTX_B16, PTX_B16, PTX_B16);
    if (bytes0(l) == 4) return ternary(l, SIM_MAD32, PTX_B32, PTX_B32, PTX_B32);
    if (bytes0(l) == 8) return ternary(l, SIM_MAD64, PTX_B64, PTX_B64, PTX_B64);
    return rg__sim_refuse(l);
}

static enum rg_status mul24(struct sim_lower *l)
{
    bool sign = type0(l) == PTX_S32, is_mad = l->base[1] == 'a';
    if (rg__sim_mod(l, "hi") && is_mad)
        return scalar(l,
                      rg__sim_mod(l, "sat") ? rg__sim_mad24hisat_s32
                      : sign                ? rg__sim_mad24hi_s32
                                            : rg__sim_mad24hi_u32,
                      PTX_B32, PTX_B32, PTX_B32, PTX_B32);
    if (rg__sim_mod(l, "hi"))
        return scalar(l, sign ? rg__sim_mul24hi_s32 : rg__sim_mul24hi_u32, PTX_B32, PTX_B32, PTX_B32, PTX_NONE);
    if (is_mad) return scalar(l, sign ? rg__sim_mad24_s32 : rg__sim_mad24_u32, PTX_B32, PTX_B32, PTX_B32, PTX_B32);
    return scalar(l, sign ? rg__sim_mul24_s32 : rg__sim_mul24_u32, PTX_B32, PTX_B32, PTX_B32, PTX_NONE);
}

static enum rg_status div_rem(struct sim_lower *l)
{
    if (float_type(l)) return rg__sim_float_arith(l);
    if (l->base[0] == 'd')
        return by_type(l, rg__sim_div_s16, rg__sim_div_u16, rg__sim_div_s32, rg__sim_div_u32, rg__sim_div_s64,
                       rg__sim_div_u64, false);
    return by_type(l, rg__sim_rem_s16, rg__sim_rem_u16, rg__sim_rem_s32, rg__sim_rem_u32, rg__sim_rem_s64,
                   rg__sim_rem_u64, false);
}

static enum rg_status min_max(struct sim_lower *l)
{
    if (float_type(l)) return rg__sim_float_arith(l);
    bool is_max = l->base[1] == 'a';
    enum ptx_type t = type0(l);
    if (of_pairs(l)) return pairs(l);
    if (rg__sim_mod(l, "relu")) {
        if (t != PTX_S32) return rg__sim_refuse(l);
        TRY(binary(l, is_max ? SIM_MAXS32 : SIM_MINS32, t));
        int d = l->k->code[l->k->n_code - 1].d;
        struct sim_inst *in = rg__sim_emit(l, SIM_MAXS32);
        in->d = in->a = d;
        in->b = rg__sim_bits(l, 4, 0);
        return RG_OK;
    }
    switch (t) {
    case PTX_S16:
        return scalar(l, is_max ? rg__sim_max_s16 : rg__sim_min_s16, t, t, t, PTX_NONE);
    case PTX_U16:
        return scalar(l, is_max ? rg__sim_max_u16 : rg__sim_min_u16, t, t, t, PTX_NONE);
    case PTX_S32:
        return binary(l, is_max ? SIM_MAXS32 : SIM_MINS32, t);
    case PTX_U32:
        return binary(l, is_max ? SIM_MAXU32 : SIM_MINU32, t);
    case PTX_S64:
        return binary(l, is_max ? SIM_MAXS64 : SIM_MINS64, t);
    case PTX_U64:
        return binary(l, is_max ? SIM_MAXU64 : SIM_MINU64, t);
    default:
        return rg__sim_refuse(l);
    }
}

static enum rg_status neg_abs(struct sim_lower *l)
{
    if (float_type(l)) return rg__sim_float_arith(l);
    bool neg = l->base[0] == 'n';
    switch (bytes0(l)) {
    case 2:
        return scalar(l, neg ? rg__sim_neg16 : rg__sim_abs16, PTX_B16, PTX_B16, PTX_NONE, PTX_NONE);
    case 4:
        return unary(l, neg ? SIM_NEG32 : SIM_ABS32, PTX_B32);
    case 8:
        return unary(l, neg ? SIM_NEG64 : SIM_ABS64, PTX_B64);
    default:
        return rg__sim_refuse(l);
    }
}

static enum rg_status logic(struct sim_lower *l)
{
    enum ptx_type t = type0(l);
    int which = l->base[0] == 'a' ? 0 : l->base[0] == 'o' ? 1 : 2;
    static const enum sim_op pred[3] = {SIM_PAND, SIM_POR, SIM_PXOR}, w32[3] = {SIM_AND32, SIM_OR32, SIM_XOR32},
                             w64[3] = {SIM_AND64, SIM_OR64, SIM_XOR64};
    if (t == PTX_PRED) return binary(l, pred[which], t);
    switch (bytes0(l)) {
    case 2:
    case 4:
        return binary(l, w32[which], t);
    case 8:
        return binary(l, w64[which], t);
    default:
        return rg__sim_refuse(l);
    }
}

static enum rg_status not_op(struct sim_lower *l)
{
    enum ptx_type t = type0(l);
    if (l->base[0] == 'c') /* cnot */
        return scalar(l,
                      bytes0(l) == 2   ? rg__sim_cnot16
                      : bytes0(l) == 4 ? rg__sim_cnot32
                                       : rg__sim_cnot64,
                      t, t, PTX_NONE, PTX_NONE);
    if (t == PTX_PRED) return unary(l, SIM_PNOT, t);
    switch (bytes0(l)) {
    case 2:
        return scalar(l, rg__sim_not16, t, t, PTX_NONE, PTX_NONE);
    case 4:
        return unary(l, SIM_NOT32, t);
    case 8:
        return unary(l, SIM_NOT64, t);
    default:
        return rg__sim_refuse(l);
    }
}

static enum rg_status shift(struct sim_lower *l)
{
    enum ptx_type t = type0(l);
    bool left = l->base[2] == 'l', sign = ptx_is_signed(t);
    if (bytes0(l) == 2)
        return scalar(l, left ? rg__sim_shl16 : sign ? rg__sim_shr_s16 : rg__sim_shr_u16, t, t, PTX_B32, PTX_NONE);
    if (bytes0(l) != 4 && bytes0(l) != 8) return rg__sim_refuse(l);
    int d, a, b;
    TRY(rg__sim_arity(l, 3, 3));
    TRY(rg__sim_src(l, 1, t, &a));
    TRY(rg__sim_src(l, 2, PTX_B32, &b));
    TRY(rg__sim_dst(l, 0, t, &d));
    bool wide = bytes0(l) == 8;
    struct sim_inst *in = rg__sim_emit(l, left   ? (wide ? SIM_SHL64 : SIM_SHL32)
                                          : sign ? (wide ? SIM_SHRS64 : SIM_SHRS32)
                                                 : (wide ? SIM_SHRU64 : SIM_SHRU32));
    in->d = d;
    in->a = a;
    in->b = b;
    return RG_OK;
}

static enum rg_status bit_ops(struct sim_lower *l)
{
    enum ptx_type t = type0(l);
    bool wide = bytes0(l) == 8, sign = ptx_is_signed(t);
    const char *b = l->base;
    if (bytes0(l) != 4 && !wide) return rg__sim_refuse(l);
    if (!strcmp(b, "popc")) return scalar(l, wide ? rg__sim_popc64 : rg__sim_popc32, PTX_B32, t, PTX_NONE, PTX_NONE);
    if (!strcmp(b, "clz")) return scalar(l, wide ? rg__sim_clz64 : rg__sim_clz32, PTX_B32, t, PTX_NONE, PTX_NONE);
    if (!strcmp(b, "brev")) return scalar(l, wide ? rg__sim_brev64 : rg__sim_brev32, t, t, PTX_NONE, PTX_NONE);
    if (!strcmp(b, "bfind")) {
        static const sim_scalar_fn plain[4] = {rg__sim_bfind_u32, rg__sim_bfind_s32, rg__sim_bfind_u64,
                                               rg__sim_bfind_s64};
        static const sim_scalar_fn amount[4] = {rg__sim_bfindsh_u32, rg__sim_bfindsh_s32, rg__sim_bfindsh_u64,
                                                rg__sim_bfindsh_s64};
        return scalar(l, (rg__sim_mod(l, "shiftamt") ? amount : plain)[wide * 2 + sign], PTX_B32, t, PTX_NONE,
                      PTX_NONE);
    }
    if (!strcmp(b, "bfe")) {
        static const sim_scalar_fn fn[4] = {rg__sim_bfe_u32, rg__sim_bfe_s32, rg__sim_bfe_u64, rg__sim_bfe_s64};
        return scalar(l, fn[wide * 2 + sign], t, t, PTX_B32, PTX_B32);
    }
    int d, v[4]; /* bfi d, a, b, pos, len */
    TRY(rg__sim_arity(l, 5, 5));
    for (int i = 0; i < 4; i++) TRY(rg__sim_src(l, i + 1, i < 2 ? t : PTX_B32, &v[i]));
    TRY(rg__sim_dst(l, 0, t, &d));
    rg__sim_scalar(l, wide ? rg__sim_bfi64 : rg__sim_bfi32, d, v[0], v[1], v[2], v[3]);
    return RG_OK;
}

static enum rg_status misc(struct sim_lower *l)
{
    const char *b = l->base;
    enum ptx_type t = type0(l);
    if (!strcmp(b, "prmt")) {
        sim_scalar_fn fn = rg__sim_mod(l, "f4e")    ? rg__sim_prmt_f4e
                           : rg__sim_mod(l, "b4e")  ? rg__sim_prmt_b4e
                           : rg__sim_mod(l, "rc8")  ? rg__sim_prmt_rc8
                           : rg__sim_mod(l, "ecl")  ? rg__sim_prmt_ecl
                           : rg__sim_mod(l, "ecr")  ? rg__sim_prmt_ecr
                           : rg__sim_mod(l, "rc16") ? rg__sim_prmt_rc16
                                                    : rg__sim_prmt;
        return scalar(l, fn, PTX_B32, PTX_B32, PTX_B32, PTX_B32);
    }
    if (!strcmp(b, "lop3")) {
        int d, v[4];
        if (t != PTX_B32 || l->in->o[0].second >= 0) return rg__sim_refuse(l);
        TRY(rg__sim_arity(l, 5, 5));
        for (int i = 0; i < 4; i++) TRY(rg__sim_src(l, i + 1, PTX_B32, &v[i]));
        TRY(rg__sim_dst(l, 0, PTX_B32, &d));
        rg__sim_scalar(l, rg__sim_lop3, d, v[0], v[1], v[2], v[3]);
        return RG_OK;
    }
    if (!strcmp(b, "shf")) {
        bool left = rg__sim_mod(l, "l"), wrap = rg__sim_mod(l, "wrap");
        return scalar(l,
                      left ? (wrap ? rg__sim_shf_l_wrap : rg__sim_shf_l_clamp)
                           : (wrap ? rg__sim_shf_r_wrap : rg__sim_shf_r_clamp),
                      PTX_B32, PTX_B32, PTX_B32, PTX_B32);
    }
    if (!strcmp(b, "sad")) {
        return by_type(l, rg__sim_sad_s16, rg__sim_sad_u16, rg__sim_sad_s32, rg__sim_sad_u32, rg__sim_sad_s64,
                       rg__sim_sad_u64, true);
    }
    if (!strcmp(b, "dp4a") || !strcmp(b, "dp2a")) {
        int d, v[3];
        TRY(rg__sim_arity(l, 4, 4));
        for (int i = 0; i < 3; i++) TRY(rg__sim_src(l, i + 1, PTX_B32, &v[i]));
        TRY(rg__sim_dst(l, 0, PTX_B32, &d));
        if (l->n_types < 2) return rg__sim_bad(l, "two types expected");
        uint64_t how = (l->types[0] == PTX_S32) | (uint64_t)(l->types[1] == PTX_S32) << 1;
        rg__sim_scalar(l,
                       b[2] == '4'            ? rg__sim_dp4a
                       : rg__sim_mod(l, "hi") ? rg__sim_dp2a_hi
                                              : rg__sim_dp2a_lo,
                       d, v[0], v[1], v[2], rg__sim_bits(l, 4, how));
        return RG_OK;
    }
    if (!strcmp(b, "bmsk"))
        return scalar(l, rg__sim_mod(l, "wrap") ? rg__sim_bmsk_wrap : rg__sim_bmsk_clamp, PTX_B32, PTX_B32, PTX_B32,
                      PTX_NONE);
    if (!strcmp(b, "szext")) {
        bool wrap = rg__sim_mod(l, "wrap"), sign = t == PTX_S32;
        return scalar(l,
                      sign ? (wrap ? rg__sim_szext_s32_wrap : rg__sim_szext_s32_clamp)
                           : (wrap ? rg__sim_szext_u32_wrap : rg__sim_szext_u32_clamp),
                      PTX_B32, PTX_B32, PTX_B32, PTX_NONE);
    }
    if (!strcmp(b, "fns")) return scalar(l, rg__sim_fns, PTX_B32, PTX_B32, PTX_B32, PTX_B32);
    return rg__sim_refuse(l);
}

/* mov, with {a, b} packing and unpacking */
static enum rg_status mov(struct sim_lower *l)
{
    enum ptx_type t = type0(l);
    TRY(rg__sim_arity(l, 2, 2));
    const struct ptx_operand *d = &l->in->o[0], *a = &l->in->o[1];
    if (t == PTX_B128) return rg__sim_refuse(l);
    if (a->kind == PTX_O_FUNC) return rg__sim_refuse(l);
    if (d->kind == PTX_O_LIST) { /* unpack */
        int n = d->n, bytes = rg__ptx_type_bytes(t), src, out;
        if ((n != 2 && n != 4) || bytes / n < 2)
            return n == 0 || n > 4 ? rg__sim_bad(l, "2 or 4 parts expected") : rg__sim_refuse(l);
        TRY(rg__sim_src_of(l, a, t, &src));
        for (int i = 0; i < n; i++) {
            if (d->items[i].kind == PTX_O_SINK) continue;
            TRY(rg__sim_dst_of(l, &d->items[i], bytes / n == 4 ? PTX_B32 : PTX_B16, &out));
            if (out == src && i + 1 < n) return rg__sim_refuse(l);
            if (bytes == 8 && n == 2) {
                struct sim_inst *in = rg__sim_emit(l, i ? SIM_HI32 : SIM_LO32);
                in->d = out;
                in->a = src;
            } else
                rg__sim_scalar(l, rg__sim_word16, out, src, rg__sim_bits(l, 4, (uint64_t)i), SIM_NONE, SIM_NONE);
        }
        return RG_OK;
    }
    if (a->kind == PTX_O_LIST) { /* pack */
        int n = a->n, bytes = rg__ptx_type_bytes(t), v[4], out;
        if ((n != 2 && n != 4) || bytes / n < 2)
            return n == 0 || n > 4 ? rg__sim_bad(l, "2 or 4 parts expected") : rg__sim_refuse(l);
        for (int i = 0; i < n; i++) TRY(rg__sim_src_of(l, &a->items[i], bytes / n == 4 ? PTX_B32 : PTX_B16, &v[i]));
        TRY(rg__sim_dst_of(l, d, t, &out));
        if (bytes == 8 && n == 2) {
            struct sim_inst *in = rg__sim_emit(l, SIM_PACK64);
            in->d = out;
            in->a = v[0];
            in->b = v[1];
        } else if (n == 2) {
            rg__sim_scalar(l, rg__sim_pack16x2, out, v[0], v[1], SIM_NONE, SIM_NONE);
        } else {
            rg__sim_scalar(l, rg__sim_pack16x4_lo, out, v[0], v[1], v[2], v[3]);
        }
        return RG_OK;
    }
    return unary(l, t == PTX_PRED ? SIM_PMOV : rg__sim_cls(t) == 8 ? SIM_MOV64 : SIM_MOV32, t);
}

static enum rg_status selp(struct sim_lower *l)
{
    enum ptx_type t = type0(l);
    int d, a, b, p;
    TRY(rg__sim_arity(l, 4, 4));
    TRY(rg__sim_src(l, 1, t, &a));
    TRY(rg__sim_src(l, 2, t, &b));
    TRY(rg__sim_pred_src(l, 3, &p));
    TRY(rg__sim_dst(l, 0, t, &d));
    if (!rg__sim_cls(t)) return rg__sim_refuse(l);
    struct sim_inst *in = rg__sim_emit(l, rg__sim_cls(t) == 8 ? SIM_SEL64 : SIM_SEL32);
    in->d = d;
    in->a = a;
    in->b = b;
    in->c = p;
    return RG_OK;
}

static enum rg_status slct(struct sim_lower *l) /* d = c >= 0 ? a : b */
{
    if (l->n_types != 2) return rg__sim_bad(l, "two types expected");
    int d, a, b, c;
    enum ptx_type t = l->types[0], tc = l->types[1];
    TRY(rg__sim_arity(l, 4, 4));
    TRY(rg__sim_src(l, 1, t, &a));
    TRY(rg__sim_src(l, 2, t, &b));
    TRY(rg__sim_src(l, 3, tc, &c));
    TRY(rg__sim_dst(l, 0, t, &d));
    if (rg__sim_cls(tc) != 4) return rg__sim_bad(l, "a 32-bit selector expected");
    struct sim_inst *in = rg__sim_emit(l, tc == PTX_F32 ? SIM_FLE32 : SIM_LES32);
    in->a = rg__sim_bits(l, 4, 0);
    in->b = c;
    int p = in->d = rg__sim_temp(l, 0);
    in = rg__sim_emit(l, rg__sim_cls(t) == 8 ? SIM_SEL64 : SIM_SEL32);
    in->d = d;
    in->a = a;
    in->b = b;
    in->c = p;
    return RG_OK;
}

const struct sim_lower_entry rg__sim_lower_alu[] = {
    {"add", add_sub},   {"sub", add_sub},  {"addc", add_sub},     {"subc", add_sub}, {"mul", mul},
    {"mad", mad},       {"madc", mad},     {"mul24", mul24},      {"mad24", mul24},  {"div", div_rem},
    {"rem", div_rem},   {"min", min_max},  {"max", min_max},      {"neg", neg_abs},  {"abs", neg_abs},
    {"and", logic},     {"or", logic},     {"xor", logic},        {"not", not_op},   {"cnot", not_op},
    {"shl", shift},     {"shr", shift},    {"popc", bit_ops},     {"clz", bit_ops},  {"brev", bit_ops},
    {"bfind", bit_ops}, {"bfe", bit_ops},  {"bfi", bit_ops},      {"prmt", misc},    {"lop3", misc},
    {"shf", misc},      {"sad", misc},     {"dp4a", misc},        {"dp2a", misc},    {"bmsk", misc},
    {"szext", misc},    {"fns", misc},     {"mov", mov},          {"selp", selp},    {"slct", slct},
    {"vadd4", bytes4},  {"vsub4", bytes4}, {"vabsdiff4", bytes4}, {NULL, NULL}};
