#include "runtime/sim/arith/atomic.h"
#include "runtime/sim/arith/scalar.h"

static uint64_t half_op(int op, enum ptx_type t, uint64_t old, uint64_t b)
{
    uint64_t how = t == PTX_F16 ? SIM_H_F16 : t == PTX_BF16 ? SIM_H_BF16 : t == PTX_F16X2 ? SIM_H_F16X2 : SIM_H_BF16X2;
    return op == SIM_A_ADD   ? rg__sim_h_add(old, b, 0, how)
           : op == SIM_A_MIN ? rg__sim_h_min(old, b, 0, how)
                             : rg__sim_h_max(old, b, 0, how);
}

uint64_t rg__sim_atomic(int op, enum ptx_type t, uint64_t old, uint64_t b, uint64_t c)
{
    if (t == PTX_F16 || t == PTX_BF16 || t == PTX_F16X2 || t == PTX_BF16X2) return half_op(op, t, old, b);
    bool sign = ptx_is_signed(t), wide = rg__ptx_type_bytes(t) == 8;
    switch (op) {
    case SIM_A_ADD:
        if (t == PTX_F32) return sim_f32_bits(sim_f32(old) + sim_f32(b));
        if (t == PTX_F64) return sim_f64_bits(sim_f64(old) + sim_f64(b));
        return wide ? old + b : (uint32_t)(old + b);
    case SIM_A_MIN:
        if (sign) return wide ? ((int64_t)old < (int64_t)b ? old : b) : ((int32_t)old < (int32_t)b ? old : b);
        return old < b ? old : b;
    case SIM_A_MAX:
        if (sign) return wide ? ((int64_t)old > (int64_t)b ? old : b) : ((int32_t)old > (int32_t)b ? old : b);
        return old > b ? old : b;
    case SIM_A_AND:
        return old & b;
    case SIM_A_OR:
        return old | b;
    case SIM_A_XOR:
        return old ^ b;
    case SIM_A_EXCH:
        return b;
    case SIM_A_CAS:
        return old == b ? c : old;
    case SIM_A_INC:
        return old >= b ? 0 : old + 1;
    default:
        return old == 0 || old > b ? b : old - 1;
    }
}

static float flushed(float f)
{
    uint32_t u = sim_f32_bits(f);
    return u & 0x7f800000u ? f : sim_f32(u & 0x80000000u);
}
float rg__sim_add_flushed(float a, float b)
{
    return flushed(flushed(a) + flushed(b));
}

uint64_t rg__sim_atomic_global(int op, enum ptx_type t, uint64_t old, uint64_t b, uint64_t c)
{
    if (op == SIM_A_ADD && t == PTX_F32) return sim_f32_bits(rg__sim_add_flushed(sim_f32(old), sim_f32(b)));
    return rg__sim_atomic(op, t, old, b, c);
}
