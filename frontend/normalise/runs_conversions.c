/* Conversions of integers around what runs and tracked values compare. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/runs.h"

const struct rg_cnode *rg__runs_widened(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && !e->pointer && !e->kid[0]->pointer && rg__scalar_is_int(e->type) &&
           rg__scalar_is_int(e->kid[0]->type) && rg_scalar_bytes(e->type) >= rg_scalar_bytes(e->kid[0]->type))
        e = e->kid[0];
    return e;
}

int64_t rg__runs_kept(enum rg_scalar type, int64_t value)
{
    const int bits = 8 * (int)rg_scalar_bytes(type);
    if (!rg__scalar_is_int(type) || bits >= 64) return value;
    const uint64_t low = (uint64_t)value & ((UINT64_C(1) << bits) - 1);
    const bool ones = rg_scalar_is_signed(type) && low >> (bits - 1);
    return (int64_t)(ones ? low | ~((UINT64_C(1) << bits) - 1) : low);
}

int64_t rg__runs_converted(const struct rg_cnode *e, int64_t value)
{
    const struct rg_cnode *base = rg__runs_widened(e);
    return e == base ? rg__runs_kept(e->type, value) : rg__runs_kept(e->type, rg__runs_converted(e->kid[0], value));
}
