/* Constant propagation to one place: the number that a scalar was given in front of a statement, in its block or in one
 * around it. Behind a condition it is the same; in a loop the iteration before may have left another. */
#include "frontend/normalise/search_loops.h"

enum known {
    ELSEWHERE, /* the place is not below */
    OPEN,      /* it is, and nothing in front of it there sets the scalar */
    NO_NUMBER,
    NUMBER
};

static enum known number_in(const struct rg_cnode *block, int at, int var, int64_t *value)
{
    for (int i = at - 1; i >= 0; i--) {
        const struct rg_cnode *s = block->kid[i], *v = NULL;
        if (s->kind == RG_C_DECL && s->var == var && s->array < 0)
            v = s->n ? s->kid[0] : NULL;
        else if (s->kind == RG_C_STMT && s->kid[0]->op == RG_COP_SET && rg__search_sets(s) == var)
            v = s->kid[0]->kid[1];
        else if (!rg__c_writes_var(s, var))
            continue;
        v = v ? rg__c_uncast(v, RG__C_CASTS) : NULL;
        *value = 0;
        return v && rg__c_number(v, value) ? NUMBER : NO_NUMBER;
    }
    return OPEN;
}

static enum known number_at(const struct rg_cnode *n, const struct rg_cnode *block, int at, int var, int64_t *value)
{
    if (n == block) return number_in(block, at, var, value);
    for (int i = 0; n && !rg__c_is_expr(n) && i < n->n; i++) {
        const enum known k = number_at(n->kid[i], block, at, var, value);
        if (k == ELSEWHERE) continue;
        if (k != OPEN) return k;
        if (n->kind == RG_C_BLOCK) return number_in(n, i, var, value);
        return n->kind == RG_C_IF && !rg__c_writes_var(n->kid[0], var) ? OPEN : NO_NUMBER; /* a loop comes round */
    }
    return ELSEWHERE;
}

bool rg__search_number_before(const struct rg_cnode *root, const struct rg_cnode *block, int at, int var,
                              int64_t *value)
{
    enum known k = number_at(root, block, at, var, value);
    if (k == ELSEWHERE) k = number_in(block, at, var, value); /* a copy that stands nowhere yet */
    return k == NUMBER;
}
