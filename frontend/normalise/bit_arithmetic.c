/* Bits of integers that cannot be negative as arithmetic that is affine: e & 7 is e % 8, e >> 3 is e / 8, and (a ^ b) &
 * 1, the parity of the sum, is (a + b) % 2. Elsewhere they stay as they are. */
#include "frontend/normalise/canon.h"
#include <string.h>

static bool never_negative(struct rg__range *r, const struct rg_cnode *e)
{
    struct rg__poly p = rg__poly_of(r, e);
    return !p.bad && rg__prove(r, &p);
}

/* Does it fit the type of the operation: 32 bits or more? */
static bool plain_int(const struct rg_cnode *e)
{
    return !e->pointer && rg__scalar_is_int(e->type) && rg_scalar_bytes(e->type) >= 4;
}

/* Exclusive or, at any depth, as sums. */
static struct rg_cnode *as_sum(struct rg_ctree *t, struct rg_cnode *e)
{
    if (e->kind == RG_C_CAST && e->n == 1 && plain_int(e) && plain_int(e->kid[0])) return as_sum(t, e->kid[0]);
    if (e->op != RG_COP_XOR) return e;
    struct rg_cnode *c = rg__c_binary(t, RG_COP_ADD, as_sum(t, e->kid[0]), as_sum(t, e->kid[1]));
    c->type = e->type;
    return c;
}

struct rg_cnode *rg__without_bits(struct rg__range *r, struct rg_cnode *e)
{
    struct rg_ctree *t = r->t;
    if (!e) return NULL;
    for (int i = 0; i < e->n; i++) e->kid[i] = rg__without_bits(r, e->kid[i]);
    if (e->kind != RG_C_BINARY || e->n != 2 || !plain_int(e)) return e;
    const bool mask = e->op == RG_COP_BAND, right = e->op == RG_COP_SHR;
    if (!mask && !right) return e;
    struct rg_cnode *of = e->kid[0], *by = e->kid[1];
    if (mask && of->kind == RG_C_INT) of = e->kid[1], by = e->kid[0];
    by = (struct rg_cnode *)rg__c_uncast(by, RG__C_CASTS);
    if (by->kind != RG_C_INT) return e;
    int64_t v = mask ? by->ivalue + 1 : by->ivalue >= 0 && by->ivalue < 31 ? (int64_t)1 << by->ivalue : 0;
    if (v < 2 || v > (int64_t)1 << 30 || (v & (v - 1))) return e;
    if (v == 2 && mask) of = as_sum(t, of);
    if (!plain_int(of) || !rg_c_affine(t, of) || !never_negative(r, of)) return e;
    struct rg_cnode *c = rg__c_binary(t, mask ? RG_COP_REM : RG_COP_DIV, of, rg__c_cast(t, rg__c_int(t, v), of->type));
    c->line = e->line;
    c->column = e->column;
    return rg__c_cast(t, c, e->type);
}
