/* Steps of a _Bool: f++ makes it 1, f-- the other one, and C++ has neither. */
#include "frontend/read/build.h"

struct rg_cnode *rg__step_bool(struct rg_ctree *t, struct rg_cnode *place, bool up, bool prefix)
{
    if (!rg__c_pure(t, place)) return NULL;
    struct rg_cnode *one = rg__c_cast(t, rg__c_int(t, 1), RG_BOOL),
                    *set = rg__c_assign(t, up ? RG_COP_SET : RG_COP_XOR_SET, place, one);
    if (prefix) return set;
    if (!up) return rg__c_unary(t, RG_COP_NOT, set); /* the other one than it is now */
    struct rg_cnode *was = rg_cnode_new(t, RG_C_COND, 3), *none = rg_cnode_new(t, RG_C_COMMA, 2);
    none->kid[0] = set;
    none->kid[1] = rg__c_cast(t, rg__c_int(t, 0), RG_BOOL);
    was->kid[0] = rg__c_copy(t, place);
    was->kid[1] = rg__c_copy(t, one);
    was->kid[2] = none;
    none->type = was->type = RG_BOOL;
    return was;
}

struct rg_cnode *rg__bool_step(struct rg_cnode *e)
{
    if (e->op == RG_COP_NOT && e->kid[0]->kind == RG_C_ASSIGN && e->kid[0]->op == RG_COP_XOR_SET) return e->kid[0];
    const bool was = e->kind == RG_C_COND && e->type == RG_BOOL && e->kid[2]->kind == RG_C_COMMA &&
                     e->kid[2]->kid[0]->kind == RG_C_ASSIGN && e->kid[2]->kid[0]->op == RG_COP_SET;
    return was && rg__c_equal(e->kid[0], e->kid[2]->kid[0]->kid[0]) ? e->kid[2]->kid[0] : NULL;
}
