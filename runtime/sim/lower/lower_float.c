/* Floating point and conversions. */
#include "runtime/sim/lower/lower.h"
#include "runtime/sim/arith/scalar.h"
#include <string.h>

#define TRY(x)                                                                                                         \
    do {                                                                                                               \
        enum rg_status s_ = (x);                                                                                       \
        if (s_) return s_;                                                                                             \
        if (l->k->unsupported) return RG_OK;                                                                           \
    } while (0)

enum rg_status rg__sim_float_arith(struct sim_lower *l);

static int rounding(const struct sim_lower *l)
{
    if (rg__sim_mod(l, "rz") || rg__sim_mod(l, "rzi")) return SIM_RZ;
    if (rg__sim_mod(l, "rm") || rg__sim_mod(l, "rmi")) return SIM_RM;
    if (rg__sim_mod(l, "rp") || rg__sim_mod(l, "rpi")) return SIM_RP;
    return SIM_RN;
}

/* Denormals are flushed for a whole kernel or not at all: a kernel compiled with -ftz flushes everywhere. */
static void note_ftz(struct sim_lower *l, enum ptx_type t)
{
    if (t == PTX_F64 || !rg__sim_mod(l, "ftz"))
        l->has_noftz = true;
    else
        l->has_ftz = true;
}

static enum rg_status operands(struct sim_lower *l, enum ptx_type t, int n, int *d, int v[3])
{
    v[0] = v[1] = v[2] = SIM_NONE;
    TRY(rg__sim_arity(l, n + 1, n + 1));
    for (int i = 0; i < n; i++) TRY(rg__sim_src(l, i + 1, t, &v[i]));
    return rg__sim_dst(l, 0, t, d);
}

static void emit3(struct sim_lower *l, enum sim_op op, int d, const int v[3])
{
    struct sim_inst *in = rg__sim_emit(l, op);
    in->d = d;
    in->a = v[0];
    in->b = v[1];
    in->c = v[2];
}

static enum rg_status half(struct sim_lower *l, enum ptx_type t, sim_scalar_fn fn, int n)
{
    int d, v[3];
    uint64_t how = t == PTX_F16 ? SIM_H_F16 : t == PTX_BF16 ? SIM_H_BF16 : t == PTX_F16X2 ? SIM_H_F16X2 : SIM_H_BF16X2;
    if (rg__sim_mod(l, "sat")) how |= SIM_H_SAT;
    if (rg__sim_mod(l, "relu")) how |= SIM_H_RELU;
    if (rg__sim_mod(l, "NaN")) how |= SIM_H_NAN;
    if (rg__sim_mod(l, "ftz")) how |= SIM_H_FTZ;
    if (rg__sim_mod(l, "xorsign")) how |= SIM_H_XORSIGN;
    TRY(operands(l, t, n, &d, v));
    rg__sim_scalar(l, fn, d, v[0], v[1], v[2], rg__sim_bits(l, 4, how));
    return RG_OK;
}

static enum rg_status saturate(struct sim_lower *l, enum ptx_type t, int d)
{
    if (!rg__sim_mod(l, "sat")) return RG_OK;
    if (t == PTX_F64) return rg__sim_refuse(l);
    struct sim_inst *in = rg__sim_emit(l, SIM_FSAT32);
    in->d = d;
    in->a = d;
    return RG_OK;
}

enum rg_status rg__sim_float_arith(struct sim_lower *l)
{
    enum ptx_type t = l->types[0];
    const char *b = l->base;
    static const struct {
        const char *base;
        int n;
        sim_scalar_fn half;
        enum sim_op w32, w64;
        int rnd;
    } ops[] = {
        {"add", 2, rg__sim_h_add, SIM_FADD32, SIM_FADD64, 0},  {"sub", 2, rg__sim_h_sub, SIM_FSUB32, SIM_FSUB64, 5},
        {"mul", 2, rg__sim_h_mul, SIM_FMUL32, SIM_FMUL64, 1},  {"fma", 3, rg__sim_h_fma, SIM_FFMA32, SIM_FFMA64, 2},
        {"mad", 3, rg__sim_h_fma, SIM_FFMA32, SIM_FFMA64, 2},  {"div", 2, NULL, SIM_FDIV32, SIM_FDIV64, 3},
        {"min", 2, rg__sim_h_min, SIM_FMIN32, SIM_FMIN64, -1}, {"max", 2, rg__sim_h_max, SIM_FMAX32, SIM_FMAX64, -1},
        {"neg", 1, rg__sim_h_neg, SIM_FNEG32, SIM_FNEG64, -1}, {"abs", 1, rg__sim_h_abs, SIM_FABS32, SIM_FABS64, -1}};
    if (l->n_types != 1) return rg__sim_refuse(l);
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        if (strcmp(ops[i].base, b)) continue;
        if (rg__ptx_type_bytes(t) == 2 || t == PTX_F16X2 || t == PTX_BF16X2)
            return ops[i].half ? half(l, t, ops[i].half, ops[i].n) : rg__sim_refuse(l);
        if (t != PTX_F32 && t != PTX_F64) return rg__sim_refuse(l);
        int d, v[3], r = rounding(l), n = ops[i].n;
        if ((b[0] == 'm' && (b[1] == 'i' || b[1] == 'a') && b[2] != 'd') && l->in->n == 4)
            return rg__sim_refuse(l); /* 3-input */
        TRY(operands(l, t, n, &d, v));
        if (ops[i].rnd >= 0 && strcmp(b, "neg")) note_ftz(l, t);
        if ((b[1] == 'i' || b[1] == 'a') && b[0] == 'm' && b[2] != 'd' &&
            (rg__sim_mod(l, "NaN") || rg__sim_mod(l, "xorsign"))) {
            uint64_t how = (b[1] == 'a') | (uint64_t)rg__sim_mod(l, "NaN") << 1 |
                           (uint64_t)rg__sim_mod(l, "xorsign") << 2 | (uint64_t)rg__sim_mod(l, "ftz") << 3;
            rg__sim_scalar(l, t == PTX_F64 ? rg__sim_fminmax_f64 : rg__sim_fminmax_f32, d, v[0], v[1],
                           rg__sim_bits(l, 4, how), SIM_NONE);
            return RG_OK;
        }
        if (r != SIM_RN && ops[i].rnd >= 0) {
            emit3(l, t == PTX_F64 ? SIM_FRND64 : SIM_FRND32, d, v);
            struct sim_inst *in = &l->k->code[l->k->n_code - 1];
            in->x = (uint8_t)ops[i].rnd;
            in->y = (uint8_t)r;
        } else {
            enum sim_op op = t == PTX_F64 ? ops[i].w64 : ops[i].w32;
            if (rg__sim_mod(l, "ftz")) /* what is no arithmetic for the processor has to do it itself */
                op = op == SIM_FMIN32   ? SIM_FMINZ32
                     : op == SIM_FMAX32 ? SIM_FMAXZ32
                     : op == SIM_FNEG32 ? SIM_FNEGZ32
                     : op == SIM_FABS32 ? SIM_FABSZ32
                                        : op;
            emit3(l, op, d, v);
        }
        return saturate(l, t, d);
    }
    return rg__sim_refuse(l);
}

static enum rg_status root(struct sim_lower *l) /* sqrt rcp rsqrt */
{
    if (l->n_types != 1) return rg__sim_refuse(l);
    enum ptx_type t = l->types[0];
    int d, v[3], r = rounding(l);
    if (t != PTX_F32 && t != PTX_F64) return rg__sim_refuse(l);
    TRY(operands(l, t, 1, &d, v));
    note_ftz(l, t);
    bool wide = t == PTX_F64, approx = rg__sim_mod(l, "approx");
    if (!strcmp(l->base, "sqrt")) {
        emit3(l, r != SIM_RN ? (wide ? SIM_FRND64 : SIM_FRND32) : wide ? SIM_FSQRT64 : SIM_FSQRT32, d, v);
        l->k->code[l->k->n_code - 1].x = 4;
        l->k->code[l->k->n_code - 1].y = (uint8_t)r;
    } else if (!strcmp(l->base, "rcp")) {
        if (wide && approx)
            rg__sim_scalar(l, rg__sim_rcp_ftz_f64, d, v[0], SIM_NONE, SIM_NONE, SIM_NONE);
        else if (r == SIM_RN) {
            int one = rg__sim_bits(l, wide ? 8 : 4, wide ? 0x3ff0000000000000u : 0x3f800000u),
                w[3] = {one, v[0], SIM_NONE};
            emit3(l, wide ? SIM_FDIV64 : SIM_FRCP32, d, wide ? w : v);
        } else {
            int one = rg__sim_bits(l, wide ? 8 : 4, wide ? 0x3ff0000000000000u : 0x3f800000u),
                w[3] = {one, v[0], SIM_NONE};
            emit3(l, wide ? SIM_FRND64 : SIM_FRND32, d, w);
            l->k->code[l->k->n_code - 1].x = 3;
            l->k->code[l->k->n_code - 1].y = (uint8_t)r;
        }
    } else
        rg__sim_scalar(l,
                       !wide                   ? rg__sim_rsqrt_f32
                       : rg__sim_mod(l, "ftz") ? rg__sim_rsqrt_ftz_f64
                                               : rg__sim_rsqrt_f64,
                       d, v[0], SIM_NONE, SIM_NONE, SIM_NONE);
    return RG_OK;
}

static enum rg_status special(struct sim_lower *l) /* ex2 lg2 sin cos tanh */
{
    if (l->n_types != 1) return rg__sim_refuse(l);
    enum ptx_type t = l->types[0];
    const char *b = l->base;
    if (rg__ptx_type_bytes(t) == 2 || t == PTX_F16X2 || t == PTX_BF16X2)
        return !strcmp(b, "ex2")    ? half(l, t, rg__sim_h_ex2, 1)
               : !strcmp(b, "tanh") ? half(l, t, rg__sim_h_tanh, 1)
                                    : rg__sim_refuse(l);
    int d, v[3];
    if (t != PTX_F32) return rg__sim_refuse(l);
    TRY(operands(l, t, 1, &d, v));
    if (!strcmp(b, "ex2"))
        emit3(l, SIM_EX2F32, d, v);
    else if (!strcmp(b, "lg2"))
        emit3(l, SIM_LG2F32, d, v);
    if (!strcmp(b, "ex2") || !strcmp(b, "lg2"))
        l->k->code[l->k->n_code - 1].x = rg__sim_mod(l, "ftz");
    else
        rg__sim_scalar(l,
                       !strcmp(b, "sin")   ? rg__sim_sin_f32
                       : !strcmp(b, "cos") ? rg__sim_cos_f32
                                           : rg__sim_tanh_f32,
                       d, v[0], SIM_NONE, SIM_NONE, SIM_NONE);
    return RG_OK;
}

static enum rg_status copysign_op(struct sim_lower *l) /* copysign d, a, b: the sign of a on b */
{
    if (l->n_types != 1) return rg__sim_refuse(l);
    int d, v[3];
    TRY(operands(l, l->types[0], 2, &d, v));
    rg__sim_scalar(l, l->types[0] == PTX_F64 ? rg__sim_copysign_f64 : rg__sim_copysign_f32, d, v[0], v[1], SIM_NONE,
                   SIM_NONE);
    return RG_OK;
}

static enum rg_status testp(struct sim_lower *l)
{
    static const char *const words[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
    int d, a, how = -1;
    if (l->n_types != 1) return rg__sim_refuse(l);
    for (int i = 0; i < 6; i++)
        if (rg__sim_mod(l, words[i])) how = i;
    if (how < 0) return rg__sim_bad(l, "unknown test");
    TRY(rg__sim_arity(l, 2, 2));
    TRY(rg__sim_src(l, 1, l->types[0], &a));
    TRY(rg__sim_dst(l, 0, PTX_PRED, &d));
    rg__sim_scalar(l, l->types[0] == PTX_F64 ? rg__sim_testp_f64 : rg__sim_testp_f32, d, a,
                   rg__sim_bits(l, 4, (uint64_t)how), SIM_NONE, SIM_NONE);
    return RG_OK;
}

static int declared(const struct sim_lower *l, const struct ptx_operand *o)
{
    return o->kind == PTX_O_REG && o->reg < l->flat.n_regs
               ? rg__ptx_type_bytes((enum ptx_type)l->flat.reg_types[o->reg])
               : 4;
}

static enum rg_status simple(struct sim_lower *l, enum sim_op op, int d, int a)
{
    struct sim_inst *in = rg__sim_emit(l, op);
    in->d = d;
    in->a = a;
    return RG_OK;
}

/* cvt.pack.sat.{s16,u8,s8}.s32[.b32] and conversions between floats or halves and pairs of e4m3 or e5m2 bytes */
static enum rg_status cvt_packed(struct sim_lower *l)
{
    int d, a, b = SIM_NONE, c = SIM_NONE, cls;
    if (rg__sim_mod(l, "pack")) {
        int how = l->types[0] == PTX_S16 ? 0 : l->types[0] == PTX_U8 ? 1 : l->types[0] == PTX_S8 ? 2 : -1;
        if (how < 0 || l->n_types != (how ? 3 : 2) || l->types[1] != PTX_S32 || !rg__sim_mod(l, "sat"))
            return rg__sim_refuse(l);
        TRY(rg__sim_arity(l, how ? 4 : 3, how ? 4 : 3));
        TRY(rg__sim_src(l, 1, PTX_B32, &a));
        TRY(rg__sim_src(l, 2, PTX_B32, &b));
        if (how) TRY(rg__sim_src(l, 3, PTX_B32, &c));
        TRY(rg__sim_dst(l, 0, PTX_B32, &d));
        rg__sim_scalar(l, rg__sim_cvt_pack, d, a, b, c, rg__sim_bits(l, 4, (uint64_t)how));
        return RG_OK;
    }
    int ebits = rg__sim_mod(l, "e4m3x2") ? 4 : 5;
    if (rg__sim_mod(l, "relu") || l->n_types != 1) return rg__sim_refuse(l);
    if (!rg__sim_mod(l, "satfinite")) { /* from bytes */
        if (l->types[0] != PTX_F16X2) return rg__sim_refuse(l);
        TRY(rg__sim_arity(l, 2, 2));
        TRY(rg__sim_any(l, &l->in->o[1], PTX_B16, false, &a, &cls));
        TRY(rg__sim_dst(l, 0, PTX_B32, &d));
        rg__sim_scalar(l, rg__sim_cvt_from8, d, a, SIM_NONE, SIM_NONE, rg__sim_bits(l, 4, (uint64_t)ebits));
        return RG_OK;
    }
    bool halves = l->types[0] == PTX_F16X2;
    if (!halves && l->types[0] != PTX_F32) return rg__sim_refuse(l);
    TRY(rg__sim_arity(l, halves ? 2 : 3, halves ? 2 : 3));
    TRY(rg__sim_src(l, 1, PTX_B32, &a));
    if (!halves) TRY(rg__sim_src(l, 2, PTX_B32, &b));
    TRY(rg__sim_any(l, &l->in->o[0], PTX_B16, true, &d, &cls));
    rg__sim_scalar(l, rg__sim_cvt_to8, d, a, b, halves ? rg__sim_bits(l, 4, 1) : SIM_NONE,
                   rg__sim_bits(l, 4, (uint64_t)ebits));
    return RG_OK;
}

static enum rg_status cvt(struct sim_lower *l)
{
    if (l->n_types && (rg__sim_mod(l, "pack") || rg__sim_mod(l, "e4m3x2") || rg__sim_mod(l, "e5m2x2")))
        return cvt_packed(l);
    if (l->n_types != 2) return rg__sim_refuse(l);
    enum ptx_type td = l->types[0], ta = l->types[1];
    bool sat = rg__sim_mod(l, "sat"), ftz = rg__sim_mod(l, "ftz"), relu = rg__sim_mod(l, "relu");
    int r = rounding(l), d, a, cd, ca;
    bool integral = rg__sim_mod(l, "rni") || rg__sim_mod(l, "rzi") || rg__sim_mod(l, "rmi") || rg__sim_mod(l, "rpi");
    if (rg__sim_mod(l, "rs") || rg__sim_mod(l, "pack") || rg__sim_mod(l, "satfinite")) return rg__sim_refuse(l);
    if (td == PTX_F16X2 || td == PTX_BF16X2) { /* two floats into halves: first the upper one */
        int b;
        if (ta != PTX_F32) return rg__sim_refuse(l);
        TRY(rg__sim_arity(l, 3, 3));
        TRY(rg__sim_src(l, 1, ta, &a));
        TRY(rg__sim_src(l, 2, ta, &b));
        TRY(rg__sim_dst(l, 0, td, &d));
        rg__sim_scalar(
            l, rg__sim_cvt_pack2, d, a, b,
            rg__sim_bits(l, 4, sim_cvt_code(td == PTX_F16X2 ? PTX_F16 : PTX_BF16, PTX_F32, r, false, false, ftz, relu)),
            SIM_NONE);
        return RG_OK;
    }
    TRY(rg__sim_arity(l, 2, 2));
    TRY(rg__sim_any(l, &l->in->o[1], ta, false, &a, &ca));
    TRY(rg__sim_any(l, &l->in->o[0], td, true, &d, &cd));
    int nd = rg__ptx_type_bytes(td), na = rg__ptx_type_bytes(ta);
    bool fd = ptx_is_float(td), fa = ptx_is_float(ta), sa = ptx_is_signed(ta);
    bool fitting = cd == rg__sim_cls(td) && ca == rg__sim_cls(ta) && !sat && !relu;
    if (!fd && !fa && fitting) { /* between integers */
        if (nd == 8 && na == 4) return simple(l, sa ? SIM_CVTS64S32 : SIM_CVTU64U32, d, a);
        if (nd == 4 && na == 8) return simple(l, SIM_CVTU32U64, d, a);
        if (nd == na && nd >= 4) return simple(l, nd == 8 ? SIM_MOV64 : SIM_MOV32, d, a);
        if (nd == 4 && na == 2) return simple(l, sa ? SIM_SEXT16 : SIM_ZEXT16, d, a);
        if (nd == 4 && na == 1) return simple(l, sa ? SIM_SEXT8 : SIM_ZEXT8, d, a);
        if (nd == 2 && na == 4) return simple(l, SIM_ZEXT16, d, a);
        if (nd == 2 && na == 2) return simple(l, SIM_ZEXT16, d, a);
    }
    if (fitting && r == SIM_RN && !ftz) {
        if (td == PTX_F32 && ta == PTX_S32) return simple(l, SIM_CVTF32S32, d, a);
        if (td == PTX_F64 && ta == PTX_F32) return simple(l, SIM_CVTF64F32, d, a);
        if (td == PTX_F64 && ta == PTX_S32) return simple(l, SIM_CVTF64S32, d, a);
        if (td == PTX_F32 && ta == PTX_F64) return simple(l, SIM_CVTF32F64, d, a);
    }
    if (fitting && td == PTX_S32 && ta == PTX_F32 && r == SIM_RZ) return simple(l, SIM_CVTS32F32Z, d, a);
    if (td == PTX_F32 && ta == PTX_F32 && cd == 4 && ca == 4 && !integral && !relu && r == SIM_RN && !ftz)
        return simple(l, sat ? SIM_FSAT32 : SIM_MOV32, d, a);
    rg__sim_scalar(
        l, rg__sim_cvt, d, a,
        rg__sim_bits(l, 4,
                     sim_cvt_code(td, ta, r, integral, sat, ftz, relu) | (rg__sim_mod(l, "rna") ? SIM_CVT_AWAY : 0)),
        declared(l, &l->in->o[0]) == 2 ? rg__sim_bits(l, 4, 1) : SIM_NONE, SIM_NONE);
    return RG_OK;
}

const struct sim_lower_entry rg__sim_lower_float[] = {{"fma", rg__sim_float_arith},
                                                      {"sqrt", root},
                                                      {"rcp", root},
                                                      {"rsqrt", root},
                                                      {"ex2", special},
                                                      {"lg2", special},
                                                      {"sin", special},
                                                      {"cos", special},
                                                      {"tanh", special},
                                                      {"copysign", copysign_op},
                                                      {"testp", testp},
                                                      {"cvt", cvt},
                                                      {NULL, NULL}};
