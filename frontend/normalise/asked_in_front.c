/* What is asked in front of a nest, because only the run knows it: a flag that begins as 1, loops that clear it where
 * an element says no, and the nest twice, for either answer. */
#include "frontend/normalise/canon.h"

struct rg_cnode *rg__asked_flag(struct rg_ctree *t, const char *name, const struct rg_cnode *at, int *flag)
{
    *flag = rg__c_add_var(t, name, RG_CVAR_LOCAL, RG_I32);
    struct rg_cnode *d = rg__c_new(&t->arena, RG_C_DECL, RG_COP_NONE, RG_I32, 1, at);
    d->var = *flag;
    d->kid[0] = rg__c_int(t, 1);
    return d;
}

struct rg_cnode *rg__asked_over(struct rg_ctree *t, const struct rg_cnode *loop, struct rg_cnode *fails, int flag)
{
    struct rg_cnode *l = rg__c_shallow(&t->arena, loop), *body = rg_cnode_new(t, RG_C_BLOCK, 1);
    struct rg_cnode *holds = rg__c_choice(t, fails, rg__c_int(t, 0), rg__c_var(t, flag));
    body->kid[0] = rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, flag), holds)), loop);
    l->var = rg__c_add_var(t, t->vars[loop->var].name, RG_CVAR_ITER, t->vars[loop->var].type);
    t->vars[l->var].c_type = t->vars[loop->var].c_type;
    l->kid[0] = rg__c_copy(t, l->kid[0]);
    l->kid[1] = rg__c_copy(t, l->kid[1]);
    l->kid[2] = body;
    rg__c_replace_var(t, body, loop->var, rg__c_var(t, l->var));
    return l;
}

struct rg_cnode *rg__asked_arms(struct rg_ctree *t, struct rg_cnode *s, int flag)
{
    struct rg_cnode *both = rg__c_new(&t->arena, RG_C_IF, RG_COP_NONE, RG_I32, 3, s);
    both->kid[0] = rg__c_var(t, flag);
    for (int arm = 1; arm < 3; arm++) {
        both->kid[arm] = rg_cnode_new(t, RG_C_BLOCK, 1);
        both->kid[arm]->kid[0] = arm == 1 ? rg__c_copy(t, s) : s;
    }
    return both;
}
