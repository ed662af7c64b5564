/* Sums that are kept from falling below something, or from rising above it: x = max(x + a, b), as in the largest sum of
 * neighbours (`cur = cur > 0 ? cur + x[i] : x[i]`), cumulative sums that are reset, levels of a tank. Such functions
 * compose: behind max(x + a, b), max(x + c, d) is max(x + (a + c), max(b + c, d)). In max-plus algebra they are affine.
 */
#include "poly/kernel/recurrence.h"
#include <string.h>

struct clamp {
    const struct poly_scan *sc;
    int which;
};

/* A conversion of a sum that keeps it, however far it falls. */
static bool keeps(const struct poly_carried *x, const struct rg_cnode *e)
{
    if (e->kind != RG_C_CAST || e->n != 1 || e->pointer) return false;
    if (rg_scalar_is_real(x->type)) return rg_scalar_is_real(e->type) && rg_scalar_bytes(e->type) >= 4;
    return !rg_scalar_is_real(e->type) && rg_scalar_is_signed(e->type) && rg_scalar_bytes(e->type) == 8;
}

/* Sums are of signed integers, or of reals. */
static bool number(enum rg_scalar t)
{
    return rg_scalar_is_real(t) ? rg_scalar_bytes(t) >= 4 : rg_scalar_is_signed(t) && rg_scalar_bytes(t) >= 4;
}

static const struct rg_cnode *inside(const struct clamp *c, const struct rg_cnode *e)
{
    while (keeps(&c->sc->at[c->which], e)) e = e->kid[0];
    return e;
}

static bool is_carried(const struct clamp *c, const struct rg_cnode *e)
{
    const struct poly_carried *x = &c->sc->at[c->which];
    int at;
    if (x->var >= 0) return e->kind == RG_C_VAR && e->array < 0 && e->var == x->var;
    return rg__poly_carried_node(c->sc, e, &at) && at == c->which;
}

static bool depends(const struct clamp *c, const struct rg_cnode *e)
{
    return rg__poly_scan_mask(c->sc, e) != 0;
}

/* x, x + a, x - a, a + x: a sum that the value is one addend of. `a`: what is added, where it is one thing; NULL. */
static bool is_sum(const struct clamp *c, const struct rg_cnode *e, const struct rg_cnode **a)
{
    *a = NULL;
    e = inside(c, e);
    if (is_carried(c, e)) return true;
    if (e->kind != RG_C_BINARY || (e->op != RG_COP_ADD && e->op != RG_COP_SUB) || !number(e->type)) return false;
    bool left = depends(c, e->kid[0]), right = depends(c, e->kid[1]);
    const struct rg_cnode *deeper;
    if (left == right || (right && e->op == RG_COP_SUB)) return false;
    if (!is_sum(c, e->kid[right], &deeper)) return false;
    if (e->op == RG_COP_ADD && is_carried(c, inside(c, e->kid[right]))) *a = e->kid[left];
    return true;
}

static bool is_zero(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    return (e->kind == RG_C_INT && !e->ivalue) || (e->kind == RG_C_REAL && e->rvalue == 0);
}

static bool same(const struct rg_cnode *a, const struct rg_cnode *b)
{
    return rg__c_same(a, b, RG__C_UNCAST);
}

/* The relation that holds where the sum is taken, as `sum-like op other-like`; false: it compares something else. */
static bool compares(const struct clamp *c, const struct rg_cnode *test, const struct rg_cnode *sum,
                     const struct rg_cnode *other, enum rg_c_op *op)
{
    const struct rg_cnode *a;
    if (test->kind != RG_C_BINARY || !rg_c_relation(test->op) || test->op == RG_COP_EQ || test->op == RG_COP_NE)
        return false;
    bool right = depends(c, test->kid[1]);
    if (depends(c, test->kid[0]) == right) return false;
    const struct rg_cnode *mine = test->kid[right], *its = test->kid[!right];
    *op = right ? rg_c_converse(test->op) : test->op;
    if (same(mine, sum) && same(its, other)) return true;
    /* x > 0 for x + a > a */
    return is_carried(c, inside(c, mine)) && is_zero(its) && is_sum(c, sum, &a) && a && same(a, other);
}

static bool clamped(const struct clamp *c, const struct rg_cnode *e, enum poly_op *op, const struct rg_cnode **sum);

/* flag ? d : max(x, e), the flag none that is carried: what is set anew is a bound, and takes no sum. Where a run says
 * that it is (resets), nothing needs to be so low that no bound is lower. */
static bool chosen(const struct clamp *c, const struct rg_cnode *e, enum poly_op *op, const struct rg_cnode **sum)
{
    enum rg_scalar type = c->sc->at[c->which].type;
    bool resets = c->sc->at[c->which].resets;
    *op = POLY_OP_ADD;
    *sum = e;
    for (int i = 1; i < 3; i++) {
        enum poly_op own = POLY_OP_ADD;
        const struct rg_cnode *part;
        if (depends(c, e->kid[i]) ? !clamped(c, e->kid[i], &own, &part)
                                  : !resets && (rg_scalar_is_real(type) || rg_scalar_bytes(type) > 4))
            return false;
        if (own != POLY_OP_ADD && *op != POLY_OP_ADD && own != *op) return false;
        if (own != POLY_OP_ADD) *op = own;
    }
    return resets || *op != POLY_OP_ADD; /* else it is affine */
}

/* Of x = e. `sum`: the part of e that is taken where the bound does not decide. */
static bool clamped(const struct clamp *c, const struct rg_cnode *e, enum poly_op *op, const struct rg_cnode **sum)
{
    static const char *const lows[] = {"fmin", "fminf", "min"}, *const highs[] = {"fmax", "fmaxf", "max"};
    const struct rg_cnode *a;
    e = inside(c, e);
    *op = POLY_OP_ADD;
    *sum = e;
    if (is_sum(c, e, &a) || (c->sc->at[c->which].resets && !depends(c, e))) return true;
    if (e->kind == RG_C_CALL && e->n == 2 && e->text && e->callee < 0) {
        bool low = false, high = false, right = depends(c, e->kid[1]);
        for (int i = 0; i < 3; i++) {
            low |= !strcmp(e->text, lows[i]);
            high |= !strcmp(e->text, highs[i]);
        }
        *sum = e->kid[right];
        *op = high ? POLY_OP_FLOOR : POLY_OP_CEILING;
        return (low || high) && depends(c, e->kid[0]) != right && is_sum(c, *sum, &a);
    }
    if (e->kind != RG_C_COND || e->n != 3) return false;
    if (!depends(c, e->kid[0])) return chosen(c, e, op, sum);
    enum rg_c_op taken;
    bool second = depends(c, e->kid[2]);
    if (depends(c, e->kid[1]) == second || !is_sum(c, e->kid[1 + second], &a)) return false;
    *sum = e->kid[1 + second];
    if (!compares(c, e->kid[0], *sum, e->kid[2 - second], &taken)) return false;
    bool greater = taken == RG_COP_GT || taken == RG_COP_GE;
    *op = greater == !second ? POLY_OP_FLOOR : POLY_OP_CEILING;
    return true;
}

bool rg__poly_scan_clamped(const struct poly_scan *sc, int which, const struct poly_set *set, enum poly_op *op,
                           const struct rg_cnode **sum)
{
    const struct clamp c = {sc, which};
    const struct poly_carried *x = &sc->at[which];
    bool number =
        x->type == RG_F32 || x->type == RG_F64 || x->type == RG_I32 || x->type == RG_LONG || x->type == RG_LLONG;
    if (!number || x->kind == POLY_CARRIED_ELEMENT || (x->kind == POLY_CARRIED_CHAIN && x->lag != 1)) return false;
    *sum = NULL;
    *op = POLY_OP_ADD;
    if (set->op == RG_COP_SET) return clamped(&c, set->value, op, sum);
    if (x->kind == POLY_CARRIED_CHAIN) return false;
    if (set->op == RG_COP_POST_INC || set->op == RG_COP_POST_DEC) return true;
    bool alike = rg_scalar_is_real(set->value->type) == rg_scalar_is_real(x->type) &&
                 (rg_scalar_is_real(x->type) || rg_scalar_is_signed(set->value->type) ||
                  rg_scalar_bytes(set->value->type) < rg_scalar_bytes(x->type));
    return (set->op == RG_COP_ADD_SET || set->op == RG_COP_SUB_SET) && alike && !depends(&c, set->value);
}

/* ---- set anew ---- */

static enum poly_op reset_op(const struct rg_ctree *t, const struct clamp *c, const struct rg_cnode *e, bool *sets)
{
    const struct poly_carried *x = &c->sc->at[c->which];
    const struct rg_cnode var = {.kind = RG_C_VAR, .type = x->type, .var = x->var, .array = -1};
    if (!depends(c, e)) {
        *sets = true;
        return POLY_OP_SAME;
    }
    if (is_carried(c, e)) return POLY_OP_SAME;
    if (e->kind == RG_C_CAST && e->n == 1 && !e->pointer && e->type == x->type) return reset_op(t, c, e->kid[0], sets);
    if (e->kind != RG_C_COND || e->n != 3 || depends(c, e->kid[0])) return rg__poly_update_op(t, e, &var);
    enum poly_op a = reset_op(t, c, e->kid[1], sets), b = reset_op(t, c, e->kid[2], sets);
    return a == POLY_OP_SAME ? b : b == POLY_OP_SAME || a == b ? a : POLY_OP_NONE;
}

enum poly_op rg__poly_scan_resets(const struct rg_ctree *t, const struct poly_scan *sc, int which,
                                  const struct poly_set *set, bool *sets)
{
    const struct clamp c = {sc, which};
    const struct poly_carried *x = &sc->at[which];
    bool value = set->op == RG_COP_SET && set->value && !rg__poly_has_effects(set->value);
    if (!value || x->kind != POLY_CARRIED_SCALAR || rg_scalar_bytes(x->type) < 4) return POLY_OP_NONE;
    return reset_op(t, &c, set->value, sets);
}
