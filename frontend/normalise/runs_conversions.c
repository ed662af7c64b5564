/* What runs and tracked values compare: conversions of integers around it, counters in it. */
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

bool rg__runs_is_var(const struct rg_cnode *e, int var)
{
    e = rg__runs_widened(e);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

const struct rg_cnode *rg__runs_assigned(const struct rg_cnode *k, int *var)
{
    *var = -1;
    if (k->kind == RG_C_DECL && k->array < 0 && k->n) return *var = k->var, k->kid[0];
    const struct rg_cnode *e = k->kind == RG_C_STMT ? k->kid[0] : NULL;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0)
        return NULL;
    return *var = e->kid[0]->var, e->kid[1];
}

bool rg__runs_offset(const struct rg_cnode *e, int var, int64_t *k)
{
    e = rg__runs_widened(e);
    *k = 0;
    if (rg__runs_is_var(e, var)) return true;
    if ((e->op != RG_COP_ADD && e->op != RG_COP_SUB) || e->kid[1]->kind != RG_C_INT || !rg__runs_is_var(e->kid[0], var))
        return false;
    *k = e->op == RG_COP_ADD ? e->kid[1]->ivalue : -e->kid[1]->ivalue;
    return true;
}

bool rg__runs_counts(const struct rg_cnode *k, int var)
{
    const struct rg_cnode *e = k && k->kind == RG_C_STMT ? k->kid[0] : k;
    if (!e || !e->n || !rg__runs_is_var(e->kid[0], var)) return false;
    if (e->kind == RG_C_INCDEC) return rg_c_increments(e->op);
    return e->op == RG_COP_ADD_SET && e->kid[1]->kind == RG_C_INT && e->kid[1]->ivalue == 1;
}
