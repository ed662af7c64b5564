/* Privatisation of scalars in loops that data end: what the body sets before it reads it, and nobody asks for behind
 * the loop, gets a variable of the body's own, though the function uses its name for something else before (C89's `int
 * v;` for all loops over vertices). */
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/work_lists.h"

static bool own_scalars(void *arg, struct rg_cnode *n)
{
    struct rg_ctree *t = arg;
    if (n->kind != RG_C_LOOP || n->n != 4 || n->kid[2]->kind != RG_C_BLOCK) return !rg__c_is_expr(n);
    struct rg_cnode *body = n->kid[2];
    for (int k = 0; k < body->n; k++) {
        struct rg_cnode *s = body->kid[k], *set = s->kind == RG_C_STMT ? s->kid[0] : NULL;
        bool sets = set && set->kind == RG_C_ASSIGN && set->op == RG_COP_SET && set->kid[0]->kind == RG_C_VAR &&
                    set->kid[0]->array < 0 && !set->kid[0]->pointer;
        int v = sets ? set->kid[0]->var : -1;
        if (v < 0 || t->vars[v].kind != RG_CVAR_LOCAL || !rg__scalar_is_int(t->vars[v].type) ||
            rg__c_mentions_var(set->kid[1], v) || rg__doubling_live(t, v, n))
            continue;
        bool first =
            !rg__c_mentions_var(n->kid[0], v) && !rg__c_mentions_var(n->kid[1], v) && !rg__c_mentions_var(n->kid[3], v);
        for (int i = 0; i < k; i++) first = first && !rg__c_mentions_var(body->kid[i], v);
        if (!first) continue;
        int own = rg__c_add_var(t, t->vars[v].name, RG_CVAR_LOCAL, t->vars[v].type);
        struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
        d->var = own;
        d->type = t->vars[own].type;
        d->kid[0] = set->kid[1];
        d->line = s->line;
        d->column = s->column;
        body->kid[k] = d;
        for (int i = k + 1; i < body->n; i++) body->kid[i] = rg__c_replace_var(t, body->kid[i], v, rg__c_var(t, own));
    }
    return true;
}

void rg__own_scalars(struct rg_ctree *t)
{
    rg__c_walk(t->root, own_scalars, t);
}
