/* Updates that meet those of other threads: what the element is combined with, so that an atomic can do it. */
#include "poly/kernel/kernel.h"

static const struct poly_access *access_of(const struct poly_scop *s, const struct rg_cnode *index)
{
    for (int i = 0; i < s->n_accesses; i++)
        if (s->accesses[i].node == index) return &s->accesses[i];
    return NULL;
}

static bool is_integer(enum rg_scalar t)
{
    return !rg_scalar_is_real(t) && t != RG_STRUCT;
}

/* A value of type v may be converted to t before it is compared. */
static bool fits(enum rg_scalar v, enum rg_scalar t)
{
    if (!is_integer(v) || !is_integer(t)) return v == t;
    size_t a = rg_scalar_bytes(v), b = rg_scalar_bytes(t);
    return rg_scalar_is_signed(v) == rg_scalar_is_signed(t) ? a <= b : !rg_scalar_is_signed(v) && a < b;
}

/* The update is `x = x op value`, perhaps under a condition. */
static bool operand_of(const struct rg_cnode *e, const struct rg_cnode *x, enum poly_op op, struct poly_update *u)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->kind == RG_C_COND && e->n == 3) {
        bool keep_then = rg__c_same(e->kid[1], x, RG__C_UNCAST), keep_else = rg__c_same(e->kid[2], x, RG__C_UNCAST);
        if (keep_then == keep_else) return false;
        const struct rg_cnode *other = keep_then ? e->kid[2] : e->kid[1];
        if (op == POLY_OP_MIN || op == POLY_OP_MAX) { /* the condition compares with x: the atomic does that */
            u->value = other;
            return e->kid[0]->kind == RG_C_BINARY &&
                   (rg__c_same(e->kid[0]->kid[0], x, RG__C_UNCAST) || rg__c_same(e->kid[0]->kid[1], x, RG__C_UNCAST));
        }
        if (u->condition) return false;
        u->condition = e->kid[0];
        u->negated = keep_then;
        return operand_of(other, x, op, u);
    }
    if ((e->kind != RG_C_BINARY && e->kind != RG_C_CALL) || e->n != 2) return false;
    for (int side = 0; side < 2; side++)
        if (rg__c_same(e->kid[side], x, RG__C_UNCAST)) {
            u->value = e->kid[1 - side];
            u->minus = e->op == RG_COP_SUB;
            return !(u->minus && side == 1);
        }
    return false;
}

bool rg__poly_update_of(const struct poly_scop *s, const struct poly_kernel *k, const struct rg_cnode *e,
                        struct poly_update *u)
{
    const struct rg_cnode *x = e->kid[0], *index = x;
    while (index->kind == RG_C_MEMBER && index->n) index = index->kid[0];
    if (index->kind != RG_C_INDEX || !k->atomic || !k->atomic[index->array]) return false;
    const struct poly_access *a = access_of(s, index);
    if (!a || a->update == POLY_OP_NONE || a->update == POLY_OP_SAME || rg_scalar_bytes(a->update_type) < 4)
        return false;
    *u = (struct poly_update){.access = a, .known = true};
    if (e->kind == RG_C_INCDEC) {
        u->minus = !rg_c_increments(e->op);
    } else if (e->op != RG_COP_SET) {
        u->value = e->kid[1];
        u->minus = e->op == RG_COP_SUB_SET;
    } else {
        u->known = operand_of(e->kid[1], x, a->update, u);
    }
    bool compares = a->update == POLY_OP_MIN || a->update == POLY_OP_MAX;
    if (u->known && u->value && compares && !fits(u->value->type, a->update_type)) u->known = false;
    return true;
}
