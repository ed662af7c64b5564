/* Floating point a lane at a time: conversions, half precision, functions the device approximates. */
#include "runtime/sim/arith/scalar.h"
#include <math.h>

#define FN(n) uint64_t rg__sim_##n(uint64_t a, uint64_t b, uint64_t c, uint64_t e)
#define F32_NAN 0x7fffffffu
#define F64_NAN 0x7ff8000000000000u

/* ---- narrow formats: m mantissa bits, bias, through double, which holds them exactly ---- */

static double narrow_to_double(uint32_t h, int ebits, int mbits)
{
    int bias = (1 << (ebits - 1)) - 1;
    uint32_t mask = (1u << mbits) - 1, m = h & mask;
    int ex = (int)(h >> mbits) & ((1 << ebits) - 1);
    double sign = h >> (ebits + mbits) & 1 ? -1 : 1;
    if (ex == (1 << ebits) - 1) return m ? copysign(NAN, sign) : sign * INFINITY;
    if (ex == 0) return sign * ldexp((double)m, 1 - bias - mbits);
    return sign * ldexp((double)(m | (mask + 1)), ex - bias - mbits);
}

static uint32_t double_to_narrow(double x, int ebits, int mbits, int rounding)
{
    int bias = (1 << (ebits - 1)) - 1, emax = bias;
    uint32_t sign = signbit(x) ? 1u << (ebits + mbits) : 0, inf = (uint32_t)((1 << ebits) - 1) << mbits;
    if (isnan(x)) return inf | ((1u << mbits) - 1);
    double v = fabs(x);
    if (isinf(v)) return sign | inf;
    if (v == 0) return sign;
    int ex;
    frexp(v, &ex);
    ex--;
    if (ex < 1 - bias) ex = 1 - bias;
    double scaled = ldexp(v, mbits - ex), low = floor(scaled), rest = scaled - low;
    uint64_t m = (uint64_t)low;
    bool up = rounding == SIM_RN   ? rest > 0.5 || (rest == 0.5 && (m & 1))
              : rounding == SIM_RP ? rest > 0 && !sign
              : rounding == SIM_RM ? rest > 0 && sign
                                   : false;
    m += up;
    if (m >> (mbits + 1)) m >>= 1, ex++;
    if (ex > emax) {
        bool to_inf = rounding == SIM_RN || (rounding == SIM_RP && !sign) || (rounding == SIM_RM && sign);
        return sign | (to_inf ? inf : inf - 1);
    }
    if (!(m >> mbits)) return sign | (uint32_t)m;
    return sign | (uint32_t)(ex + bias) << mbits | ((uint32_t)m & ((1u << mbits) - 1));
}

double rg__sim_half_to_double(uint16_t h)
{
    return narrow_to_double(h, 5, 10);
}
uint16_t rg__sim_double_to_half(double x, int rounding)
{
    return (uint16_t)double_to_narrow(x, 5, 10, rounding);
}
double rg__sim_bf16_to_double(uint16_t h)
{
    return sim_f32((uint32_t)h << 16);
}
uint16_t rg__sim_double_to_bf16(double x, int rounding)
{
    return (uint16_t)double_to_narrow(x, 8, 7, rounding);
}

static float to_f32(double x, int rounding)
{
    float r = (float)x;
    if (rounding == SIM_RN || isnan(x) || isinf(x) || (double)r == x) return r;
    if (rounding == SIM_RM || (rounding == SIM_RZ && x > 0)) return (double)r > x ? nextafterf(r, -INFINITY) : r;
    return (double)r < x ? nextafterf(r, INFINITY) : r;
}

static double integral(double x, int rounding)
{
    return rounding == SIM_RN ? nearbyint(x) : rounding == SIM_RZ ? trunc(x) : rounding == SIM_RM ? floor(x) : ceil(x);
}

/* ---- cvt ---- */

/* A 64-bit integer to float with one rounding: what double cannot hold exactly is rounded to odd on the way. */
static double odd_double(uint64_t mag)
{
    if (mag >> 53) {
        int drop = 64 - __builtin_clzll(mag) - 53;
        uint64_t lost = mag & (((uint64_t)1 << drop) - 1);
        mag = mag >> drop << drop;
        if (lost) mag |= (uint64_t)1 << drop;
    }
    return (double)mag;
}

static double int_to_double(uint64_t mag, bool negative, int rounding)
{
    double d = (double)mag; /* to nearest */
    if (rounding != SIM_RN && mag >> 53) {
        bool up = (rounding == SIM_RP && !negative) || (rounding == SIM_RM && negative);
        int drop = 64 - __builtin_clzll(mag) - 53;
        uint64_t low = mag >> drop << drop;
        d = (double)low;
        if (up && low != mag) d = nextafter(d, INFINITY);
    }
    return negative ? -d : d;
}

/* wide: from f64 */
static uint64_t double_to_int(double x, enum ptx_type t, int rounding, bool wide)
{
    bool sign = ptx_is_signed(t);
    int bits = rg__ptx_type_bytes(t) * 8;
    if (isnan(x)) return bits == 64 || wide ? (uint64_t)1 << (bits - 1) : 0; /* as the device gives them */
    x = integral(x, rounding);
    if (sign) {
        int64_t lo = bits == 64 ? INT64_MIN : -((int64_t)1 << (bits - 1)),
                hi = bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1;
        if (x <= (double)lo) return (uint64_t)lo;
        if (x >= ldexp(1, bits - 1)) return (uint64_t)hi;
        return (uint64_t)(int64_t)x;
    }
    if (x <= 0) return 0;
    if (x >= ldexp(1, bits)) return bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
    return (uint64_t)x;
}

static uint64_t from_int(uint64_t v, enum ptx_type t) /* the value, sign- or zero-extended */
{
    switch (t) {
    case PTX_S8:
        return (uint64_t)(int8_t)v;
    case PTX_U8:
    case PTX_B8:
        return (uint8_t)v;
    case PTX_S16:
        return (uint64_t)(int16_t)v;
    case PTX_U16:
    case PTX_B16:
        return (uint16_t)v;
    case PTX_S32:
        return (uint64_t)(int32_t)v;
    case PTX_U32:
    case PTX_B32:
        return (uint32_t)v;
    default:
        return v;
    }
}

static uint64_t saturate_int(uint64_t v, bool is_signed, enum ptx_type t)
{
    int bits = rg__ptx_type_bytes(t) * 8;
    if (ptx_is_signed(t)) {
        int64_t hi = bits == 64 ? INT64_MAX : ((int64_t)1 << (bits - 1)) - 1, lo = -hi - 1;
        if (!is_signed && v > (uint64_t)hi) return (uint64_t)hi;
        return is_signed && (int64_t)v < lo ? (uint64_t)lo : is_signed && (int64_t)v > hi ? (uint64_t)hi : v;
    }
    uint64_t hi = bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
    if (is_signed && (int64_t)v < 0) return 0;
    return v > hi ? hi : v;
}

static bool denormal32(double x)
{
    return x != 0 && fabs(x) < 0x1p-126;
}

/* a the value, b sim_cvt_code, c 1 to keep 16 bits */
FN(cvt)
{
    enum ptx_type to = (enum ptx_type)(b & 255), from = (enum ptx_type)(b >> 8 & 255);
    int rounding = (int)(b >> 16 & 3);
    bool to_integral = b >> 18 & 1, sat = b >> 19 & 1, ftz = b >> 20 & 1, relu = b >> 21 & 1;
    uint64_t r;
    if (!ptx_is_float(from)) {
        uint64_t v = from_int(a, from);
        bool sign = ptx_is_signed(from), negative = sign && (int64_t)v < 0;
        uint64_t mag = negative ? 0 - v : v;
        switch (to) {
        case PTX_F64:
            return sim_f64_bits(int_to_double(mag, negative, rounding));
        case PTX_F32: {
            double d = odd_double(mag);
            float f = to_f32(negative ? -d : d, rounding);
            return sim_f32_bits(sat ? fminf(fmaxf(f, 0), 1) : f);
        }
        case PTX_F16:
            return rg__sim_double_to_half(negative ? -odd_double(mag) : odd_double(mag), rounding);
        case PTX_BF16:
            return rg__sim_double_to_bf16(negative ? -odd_double(mag) : odd_double(mag), rounding);
        default:
            break;
        }
        r = sat ? saturate_int(v, sign, to) : from_int(v, to);
        return c ? r & 0xffff : r;
    }
    double x = from == PTX_F64                       ? sim_f64(a)
               : from == PTX_F32 || from == PTX_TF32 ? (double)sim_f32(a)
               : from == PTX_F16                     ? rg__sim_half_to_double((uint16_t)a)
                                                     : rg__sim_bf16_to_double((uint16_t)a);
    if (ftz && from == PTX_F32 && denormal32(x)) x = copysign(0, x);
    if ((b & SIM_CVT_FLUSH) && fabs(x) < (from == PTX_F16 ? 0x1p-14 : 0x1p-126)) x = copysign(0, x);
    if (!ptx_is_float(to)) {
        r = double_to_int(x, to, rounding, from == PTX_F64);
        if (isnan(x)) r = from_int(r, to);
        return c ? r & 0xffff : r;
    }
    if (to_integral) x = integral(x, rounding);
    if (sat) x = x > 0 ? (x < 1 ? x : 1) : 0; /* NaN gives 0 */
    if (relu && x <= 0) x = 0;
    switch (to) {
    case PTX_F64:
        return isnan(x) ? F64_NAN : sim_f64_bits(x);
    case PTX_F32: {
        if (isnan(x)) return F32_NAN;
        float f = to_f32(x, to_integral ? SIM_RN : rounding);
        if (ftz && denormal32(f)) f = copysignf(0, f);
        return sim_f32_bits(f);
    }
    case PTX_TF32: { /* ten bits of mantissa stay; to nearest with ties away (.rna), to even, or cut off */
        uint32_t u = (uint32_t)a;
        if (isnan(x) || isinf(x)) return b & SIM_CVT_AWAY ? u & ~0x1fffu : isinf(x) ? u : F32_NAN;
        return (u + (b & SIM_CVT_AWAY ? 0x1000 : rounding == SIM_RN ? 0xfff + (u >> 13 & 1) : 0)) & ~0x1fffu;
    }
    case PTX_F16:
        return rg__sim_double_to_half(x, to_integral ? SIM_RN : rounding);
    default:
        return rg__sim_double_to_bf16(x, to_integral ? SIM_RN : rounding);
    }
}

FN(cvt_pack2) /* a to the upper, b to the lower half; c sim_cvt_code of one */
{
    return rg__sim_cvt(b, c, 0, 0) | rg__sim_cvt(a, c, 0, 0) << 16;
}

/* ---- functions ---- */

/* Two floats (a above) or two halves (c a half type) to bytes of e 4 or 5 bits of exponent; too large is the largest
 * there is. */
static uint32_t to8(double x, int ebits)
{
    int mbits = 7 - ebits;
    uint32_t most = ebits == 4 ? 0x7e : 0x7b;
    if (isnan(x)) return 0x7f;
    uint32_t sign = signbit(x) ? 0x80 : 0;
    if (x == 0) return sign;
    if (fabs(x) >= (ebits == 4 ? 448 : 57344)) return sign | most;
    if (ebits == 5) {
        uint32_t r = double_to_narrow(x, 5, 2, SIM_RN);
        return (r & 0x7f) > most ? sign | most : r;
    }
    /* e4m3 has no infinity: its top exponent holds numbers, which one of a bit more of exponent holds as well */
    uint32_t r = 0;
    double v = fabs(x);
    int ex;
    frexp(v, &ex);
    ex = ex - 1 < -6 ? -6 : ex - 1;
    double scaled = ldexp(v, mbits - ex), low = floor(scaled), rest = scaled - low;
    uint32_t m = (uint32_t)low;
    m += rest > 0.5 || (rest == 0.5 && (m & 1));
    r = (uint32_t)((ex + 6) << mbits) + m; /* a carry out of the mantissa goes where it belongs */
    return sign | (r > most ? most : r);
}
static double from8(uint32_t v, int ebits)
{
    if (ebits == 5) return narrow_to_double(v, 5, 2);
    int ex = (int)(v >> 3 & 15), m = (int)(v & 7);
    double r = (v & 0x7f) == 0x7f ? NAN : ex ? ldexp(8 + m, ex - 10) : ldexp(m, -9);
    return v & 0x80 ? -r : r;
}
FN(cvt_to8)
{
    if (c)
        return to8(rg__sim_half_to_double((uint16_t)a), (int)e) |
               (uint64_t)to8(rg__sim_half_to_double((uint16_t)(a >> 16)), (int)e) << 8;
    return to8(sim_f32(b), (int)e) | (uint64_t)to8(sim_f32(a), (int)e) << 8;
}
FN(cvt_from8)
{
    return rg__sim_double_to_half(from8(a & 255, (int)e), SIM_RN) |
           (uint64_t)rg__sim_double_to_half(from8(a >> 8 & 255, (int)e), SIM_RN) << 16;
}

/* ---- functions, going on ---- */

FN(flush_f32)
{
    return a & 0x7f800000u ? (uint32_t)a : a & 0x80000000u;
}
FN(ex2_f32)
{
    return sim_f32_bits(exp2f(sim_f32(a)));
}
FN(lg2_f32)
{
    return sim_f32_bits(log2f(sim_f32(a)));
}
FN(sin_f32)
{
    return sim_f32_bits(isinf(sim_f32(a)) ? NAN : sinf(sim_f32(a)));
}
FN(cos_f32)
{
    return sim_f32_bits(isinf(sim_f32(a)) ? NAN : cosf(sim_f32(a)));
}
FN(tanh_f32)
{
    return sim_f32_bits(tanhf(sim_f32(a)));
}
FN(rsqrt_f32)
{
    return sim_f32_bits((float)(1 / sqrt((double)sim_f32(a))));
}
FN(rsqrt_f64)
{
    return sim_f64_bits((double)(1 / sqrtl((long double)sim_f64(a))));
}
FN(rsqrt_ftz_f64)
{
    double x = sim_f64(a);
    if (fabs(x) < 0x1p-1022) x = copysign(0, x);
    return sim_f64_bits(1 / sqrt(x)) & 0xffffffff00000000u;
}
FN(rcp_ftz_f64)
{
    double x = sim_f64(a);
    if (x != 0 && fabs(x) < 0x1p-1022) x = copysign(0, x);
    double r = 1 / x;
    if (r != 0 && fabs(r) < 0x1p-1022) r = copysign(0, r);
    return sim_f64_bits(r) & 0xffffffff00000000u; /* the device computes the upper word only */
}
FN(copysign_f32)
{
    return (uint32_t)((b & 0x7fffffffu) | (a & 0x80000000u));
}
FN(copysign_f64)
{
    return (b & 0x7fffffffffffffffu) | (a & 0x8000000000000000u);
}
static uint64_t test(double x, int class_of, uint64_t how)
{
    switch (how) {
    case 0:
        return isfinite(x) != 0;
    case 1:
        return isinf(x) != 0;
    case 2:
        return !isnan(x);
    case 3:
        return isnan(x) != 0;
    case 4:
        return class_of == FP_NORMAL || class_of == FP_ZERO;
    default:
        return class_of == FP_SUBNORMAL;
    }
}
FN(testp_f32)
{
    float f = sim_f32(a);
    return test(f, fpclassify(f), b);
}
FN(testp_f64)
{
    double f = sim_f64(a);
    return test(f, fpclassify(f), b);
}
FN(fminmax_f32) /* c: 1 max, 2 NaN propagates, 4 sign is the product's, 8 denormals are zero */
{
    if (c & 8) a = rg__sim_flush_f32(a, 0, 0, 0), b = rg__sim_flush_f32(b, 0, 0, 0);
    float x = sim_f32(a), y = sim_f32(b), r;
    bool neg = c & 4 ? (a ^ b) >> 31 & 1 : false;
    if (c & 4) x = fabsf(x), y = fabsf(y);
    if ((c & 2) && (isnan(x) || isnan(y))) return F32_NAN;
    if (isnan(x) && isnan(y)) return F32_NAN;
    if (isnan(x) || isnan(y))
        r = isnan(x) ? y : x;
    else if (x == y)
        r = (c & 1) ? (signbit(x) ? y : x) : (signbit(x) ? x : y);
    else
        r = ((c & 1) != 0) == (x > y) ? x : y;
    return sim_f32_bits(c & 4 ? (neg ? -r : r) : r);
}
FN(fminmax_f64)
{
    double x = sim_f64(a), y = sim_f64(b);
    if ((c & 2) && (isnan(x) || isnan(y))) return F64_NAN;
    if (isnan(x) || isnan(y)) return isnan(x) ? b : a;
    if (x == y) return (c & 1) ? (signbit(x) ? b : a) : (signbit(x) ? a : b);
    return ((c & 1) != 0) == (x > y) ? a : b;
}

/* ---- half precision ---- */

static uint16_t half_flush(uint16_t h, uint64_t how)
{
    return (how & SIM_H_FTZ) && !(h & (how & 1 ? 0x7f80 : 0x7c00)) ? h & 0x8000 : h;
}
static double half_value(uint16_t h, uint64_t how)
{
    h = half_flush(h, how);
    bool bf = how & 1;
    return bf ? rg__sim_bf16_to_double(h) : rg__sim_half_to_double(h);
}
static uint16_t half_bits(double x, uint64_t how)
{
    if (how & SIM_H_SAT) x = x > 0 ? (x < 1 ? x : 1) : 0;
    if ((how & SIM_H_RELU) && !(x > 0) && !isnan(x)) x = 0;
    if (isnan(x)) return 0x7fff;
    return half_flush(how & 1 ? rg__sim_double_to_bf16(x, SIM_RN) : rg__sim_double_to_half(x, SIM_RN), how);
}

/* x*y is exact; adding z in double may round once before the last rounding: to odd, so that the last one is right. */
static double fused(double x, double y, double z)
{
    double p = x * y, s = p + z;
    if (!isfinite(s)) return s;
    double t = s - p, lost = (p - (s - t)) + (z - t);
    uint64_t u = sim_f64_bits(s);
    if (lost != 0 && !(u & 1)) s = nextafter(s, (lost > 0) ? INFINITY : -INFINITY);
    return s;
}

#define HALF(name, expr)                                                                                               \
    FN(name)                                                                                                           \
    {                                                                                                                  \
        uint64_t r = 0;                                                                                                \
        for (int i = 0; i < (e & 2 ? 2 : 1); i++) {                                                                    \
            double x = half_value((uint16_t)(a >> (16 * i)), e), y = half_value((uint16_t)(b >> (16 * i)), e);         \
            double z = half_value((uint16_t)(c >> (16 * i)), e);                                                       \
            (void)x, (void)y, (void)z;                                                                                 \
            r |= (uint64_t)half_bits(expr, e) << (16 * i);                                                             \
        }                                                                                                              \
        return r;                                                                                                      \
    }
static double half_min(double x, double y, uint64_t how);
static double half_max(double x, double y, uint64_t how);
static double half_product_sign(double x, double y, uint64_t how, bool is_max)
{
    double r = is_max ? half_max(fabs(x), fabs(y), how & ~(uint64_t)SIM_H_XORSIGN)
                      : half_min(fabs(x), fabs(y), how & ~(uint64_t)SIM_H_XORSIGN);
    return isnan(r) ? r : !!signbit(x) != !!signbit(y) ? -r : r;
}
static double half_min(double x, double y, uint64_t how)
{
    if (how & SIM_H_XORSIGN) return half_product_sign(x, y, how, false);
    if (isnan(x) || isnan(y)) return (how & SIM_H_NAN) || (isnan(x) && isnan(y)) ? NAN : isnan(x) ? y : x;
    return x == y ? (signbit(x) ? x : y) : x < y ? x : y;
}
static double half_max(double x, double y, uint64_t how)
{
    if (how & SIM_H_XORSIGN) return half_product_sign(x, y, how, true);
    if (isnan(x) || isnan(y)) return (how & SIM_H_NAN) || (isnan(x) && isnan(y)) ? NAN : isnan(x) ? y : x;
    return x == y ? (signbit(x) ? y : x) : x > y ? x : y;
}
HALF(h_add, x + y)
HALF(h_sub, x - y)
HALF(h_mul, x *y)
HALF(h_fma, fused(x, y, z))
HALF(h_min, half_min(x, y, e))
HALF(h_max, half_max(x, y, e))
HALF(h_ex2, exp2(x))
HALF(h_tanh, tanh(x))
static uint64_t flush_both(uint64_t a, uint64_t e)
{
    return half_flush((uint16_t)a, e) | (e & 2 ? (uint64_t)half_flush((uint16_t)(a >> 16), e) << 16 : 0);
}
FN(h_neg)
{
    return flush_both(a, e) ^ (e & 2 ? 0x80008000u : 0x8000u);
}
FN(h_abs)
{
    return flush_both(a, e) & (e & 2 ? 0x7fff7fffu : 0x7fffu);
}
