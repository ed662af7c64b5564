/* Whether an expression without the conversions that the C has in it is still computed in as many bits. */
#include "ir/ctree_util.h"
#include <stdlib.h>
#include <string.h>

/* The type that the text of e has: that of its operands, and of a number what its spelling says. */
static enum rg_scalar written_type(const struct rg_ctree *t, const struct rg_cnode *e)
{
    switch (e->kind) {
    case RG_C_INT:
        if (e->text && strpbrk(e->text, "lLuU")) return e->type;
        return e->ivalue > INT32_MAX || e->ivalue < INT32_MIN ? RG_LONG : RG_I32;
    case RG_C_VAR:
        return e->array < 0 ? t->vars[e->var].type : e->type;
    case RG_C_UNARY:
        return e->op == RG_COP_NOT ? RG_I32 : rg__scalar_common(RG_I32, written_type(t, e->kid[0]));
    case RG_C_COND:
        return rg__scalar_common(written_type(t, e->kid[1]), written_type(t, e->kid[2]));
    case RG_C_BINARY:
        if (rg_c_logic(e->op)) return RG_I32;
        if (e->op == RG_COP_SHL || e->op == RG_COP_SHR) return rg__scalar_common(RG_I32, written_type(t, e->kid[0]));
        return rg__scalar_common(written_type(t, e->kid[0]), written_type(t, e->kid[1]));
    default:
        return e->type;
    }
}

/* No value of e, computed exactly, is further from 0. */
static double furthest(const struct rg_ctree *t, const struct rg_cnode *e)
{
    const bool var = e->kind == RG_C_VAR && e->array < 0;
    const enum rg_scalar type = var ? t->vars[e->var].type : e->type;
    double most = 1;
    for (size_t i = 0; i < 8 * rg_scalar_bytes(type); i++) most *= 2;
    if (rg_scalar_is_signed(type)) most /= 2;
    if (e->kind == RG_C_INT) return e->ivalue < 0 ? -(double)e->ivalue : (double)e->ivalue;
    if (e->kind == RG_C_UNARY && e->op == RG_COP_NEG) return furthest(t, e->kid[0]);
    if (e->kind != RG_C_BINARY) return e->type == RG_BOOL || e->op == RG_COP_NOT ? 1 : most;
    if (rg_c_logic(e->op)) return 1;
    const double a = furthest(t, e->kid[0]), b = furthest(t, e->kid[1]);
    switch (e->op) {
    case RG_COP_ADD:
    case RG_COP_SUB:
        return a + b;
    case RG_COP_MUL:
        return a * b;
    case RG_COP_DIV:
        return e->kid[1]->kind == RG_C_INT && b >= 1 ? a / b : a;
    case RG_COP_REM:
        return e->kid[1]->kind == RG_C_INT && b >= 1 ? b : a;
    default:
        return most;
    }
}

bool rg__c_narrower(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_INDEX) return false;
    const bool computed = (e->kind == RG_C_UNARY && e->op != RG_COP_NOT) ||
                          (e->kind == RG_C_BINARY && (rg_c_arithmetic(e->op) || e->op == RG_COP_SHL));
    if (computed && rg__scalar_is_int(e->type) && rg_scalar_bytes(written_type(t, e)) < rg_scalar_bytes(e->type) &&
        furthest(t, e) > INT32_MAX)
        return true;
    for (int i = 0; i < e->n; i++)
        if (rg__c_narrower(t, e->kid[i])) return true;
    return false;
}
