/* Operations that run a lane at a time: rare ones, and those whose exact semantics need branches. Values come and go as
 * 64 bits: 32-bit lanes zero-extended, floats as their bits, predicates as 0 or 1. */
#ifndef RG_SIM_SCALAR_H
#define RG_SIM_SCALAR_H
#include "runtime/sim/ptx/ptx.h"
#include "runtime/sim/sim.h"

/* clang-format off */
#define SIM_SCALARS(X) \
    X(div_s16) X(div_u16) X(div_s32) X(div_u32) X(div_s64) X(div_u64) X(rem_s16) X(rem_u16) X(rem_s32) X(rem_u32) \
    X(rem_s64) X(rem_u64) X(mulhi_s16) X(mulhi_u16) X(mulhi_s32) X(mulhi_u32) X(mulhi_s64) X(mulhi_u64) \
    X(mulwide_s16) X(mulwide_u16) X(madwide_s16) X(madwide_u16) X(madhi_s32) X(madhi_u32) X(madhi_s64) X(madhi_u64) \
    X(mul24_s32) X(mul24_u32) X(mad24_s32) X(mad24_u32) X(mul24hi_s32) X(mul24hi_u32) X(mad24hi_s32) X(mad24hi_u32) \
    X(mad24hisat_s32) X(pair16) X(bytes4) X(cvt_pack) X(add16) X(sub16) X(mul16) X(mad16) X(neg16) X(abs16) X(not16) \
    X(min_s16) X(min_u16) X(max_s16) X(max_u16) X(shl16) X(shr_s16) X(shr_u16) X(addsat_s32) X(subsat_s32) \
    X(madsat_s32) X(popc32) X(popc64) X(clz32) X(clz64) X(brev32) X(brev64) X(bfe_u32) X(bfe_s32) X(bfe_u64) \
    X(bfe_s64) X(bfi32) X(bfi64) X(bfind_u32) X(bfind_s32) X(bfind_u64) X(bfind_s64) X(bfindsh_u32) X(bfindsh_s32) \
    X(bfindsh_u64) X(bfindsh_s64) X(fns) X(prmt) X(prmt_f4e) X(prmt_b4e) X(prmt_rc8) X(prmt_ecl) X(prmt_ecr) \
    X(prmt_rc16) X(lop3) X(shf_l_wrap) X(shf_l_clamp) X(shf_r_wrap) X(shf_r_clamp) X(sad_s16) X(sad_u16) X(sad_s32) \
    X(sad_u32) X(sad_s64) X(sad_u64) X(dp4a) X(dp2a_lo) X(dp2a_hi) X(bmsk_clamp) X(bmsk_wrap) X(szext_u32_clamp) \
    X(szext_s32_clamp) X(szext_u32_wrap) X(szext_s32_wrap) X(cnot16) X(cnot32) X(cnot64) X(pack16x2) X(pack16x4_lo) \
    X(word16) X(cvt) X(cvt_pack2) X(cvt_to8) X(cvt_from8) X(flush_f32) X(ex2_f32) X(lg2_f32) X(sin_f32) X(cos_f32) \
    X(tanh_f32) X(rsqrt_f32) X(rsqrt_f64) X(rsqrt_ftz_f64) X(rcp_ftz_f64) X(copysign_f32) X(copysign_f64) \
    X(testp_f32) X(testp_f64) X(fminmax_f32) X(fminmax_f64) X(h_add) X(h_sub) X(h_mul) X(h_fma) X(h_neg) X(h_abs) \
    X(h_min) X(h_max) X(h_ex2) X(h_tanh)
/* clang-format on */

#define X(n) uint64_t rg__sim_##n(uint64_t a, uint64_t b, uint64_t c, uint64_t e);
SIM_SCALARS(X)
#undef X

/* rg__sim_cvt's b: what from, to and how. */
enum { SIM_RN, SIM_RZ, SIM_RM, SIM_RP };
static inline uint64_t sim_cvt_code(enum ptx_type to, enum ptx_type from, int rounding, bool to_integral, bool sat,
                                    bool ftz, bool relu)
{
    return (uint64_t)to | (uint64_t)from << 8 | (uint64_t)rounding << 16 | (uint64_t)to_integral << 18 |
           (uint64_t)sat << 19 | (uint64_t)ftz << 20 | (uint64_t)relu << 21;
}
/* Half precision: e holds how the bits are read. */
enum {
    SIM_H_F16,
    SIM_H_BF16,
    SIM_H_F16X2,
    SIM_H_BF16X2,
    SIM_H_SAT = 8,
    SIM_H_RELU = 16,
    SIM_H_NAN = 32,
    SIM_H_FTZ = 64,
    SIM_H_XORSIGN = 128
};
/* in sim_cvt_code: narrow sources that are denormal count as zero */
enum { SIM_CVT_FLUSH = 1 << 22, SIM_CVT_AWAY = 1 << 23 /* to tf32: ties away from zero */ };

double rg__sim_half_to_double(uint16_t h);
uint16_t rg__sim_double_to_half(double x, int rounding);
double rg__sim_bf16_to_double(uint16_t h);
uint16_t rg__sim_double_to_bf16(double x, int rounding);

static inline uint32_t sim_f32_bits(float f)
{
    uint32_t u;
    __builtin_memcpy(&u, &f, 4);
    return u;
}
static inline float sim_f32(uint64_t b)
{
    float f;
    uint32_t u = (uint32_t)b;
    __builtin_memcpy(&f, &u, 4);
    return f;
}
static inline uint64_t sim_f64_bits(double f)
{
    uint64_t u;
    __builtin_memcpy(&u, &f, 8);
    return u;
}
static inline double sim_f64(uint64_t b)
{
    double f;
    __builtin_memcpy(&f, &b, 8);
    return f;
}
#endif
