/* What runs under a condition inside an expression: c ? f(x) : y, a && f(x), a call of one of several functions, a call
 * whose argument leads to one of two places. What an arm does stands in front of the statement, as an if. */
#include "frontend/read/build_cell.h"

struct rg__arm rg__arm_of(struct rg__build *b, struct rg_cnode *(*build)(void *arg, struct rg__build *b), void *arg)
{
    struct rg__arm a = {0};
    struct rg__kids *hoist = b->hoist;
    struct rg__span span;
    rg__span_enter(b, false, &span);
    b->hoist = &a.front;
    b->nesting++;
    a.value = build(arg, b);
    b->nesting--;
    b->hoist = hoist;
    rg__span_leave(b, &span);
    a.end = rg__now_save(b);
    rg__now_restore(b, &span.now);
    return a;
}

/* The variable that keeps the value; -1: there is none of that type. */
static int variable_for(struct rg__build *b, CXType t)
{
    enum rg_scalar s = RG_I32;
    bool scalar = rg__type_scalar(b->u, t, &s);
    if (!scalar && (!rg__type_is_record(b->u, t) || rg__object_is(b, t))) return -1;
    int index = scalar ? -1 : rg__build_local_struct(b, t, "a helper's value");
    if (!scalar && index < 0) return -1;
    int v = rg__c_add_var(b->t, "chosen", RG_CVAR_LOCAL, scalar ? s : RG_STRUCT);
    if (!scalar) {
        b->t->vars[v].struct_index = index;
        b->t->vars[v].c_type = b->p->structs[index].c_name;
    }
    struct rg_cnode *d = rg_cnode_new(b->t, RG_C_DECL, 0);
    d->var = v;
    d->type = b->t->vars[v].type;
    rg__kids_add(b->hoist, d);
    return v;
}

static struct rg_cnode *block_of(struct rg__build *b, struct rg__arm *a, int var)
{
    if (var >= 0)
        rg__kids_add(&a->front, rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, rg__c_var(b->t, var), a->value)));
    return rg__kids_node(b->t, RG_C_BLOCK, &a->front);
}

struct rg_cnode *rg__arms_chosen(struct rg__build *b, CXCursor c, CXType t, struct rg_cnode *cond, struct rg__arm *yes,
                                 struct rg__arm *no)
{
    rg__now_restore(b, &yes->end);
    rg__now_meet(b, &no->end);
    bool nothing = b->c->getCanonicalType(t).kind == CXType_Void;
    int v = nothing || yes->value->pointer || no->value->pointer ? -1 : variable_for(b, t);
    if (!nothing && v < 0) return rg__verbatim(b, c, "a call that runs under a condition inside an expression");
    struct rg_cnode *n = rg_cnode_new(b->t, RG_C_IF, 3);
    rg__place_node(b, n, c);
    n->kid[0] = cond;
    n->kid[1] = block_of(b, yes, v);
    n->kid[2] = block_of(b, no, v);
    rg__kids_add(b->hoist, n);
    return v < 0 ? rg__c_int(b->t, 0) : rg__c_var(b->t, v);
}
