/* Integers that do nothing but stand against what the function computes from its data: `errors(w) <= most`,
 * `score[i] > least`. Any value is right, and which of them lets anything through the data say: they are tried over a
 * wide range. */
#include "frontend/infer/infer.h"
#include "ir/ctree_util.h"

struct threshold {
    const struct rg_ctree *t;
    int var, mentions, relations;
};

/* Does it come from data, as far as one looks? */
static bool from_data(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if ((e->kind == RG_C_INDEX && !e->pointer) || e->kind == RG_C_CALL || e->kind == RG_C_MEMBER) return true;
    if (e->kind == RG_C_VAR && e->array < 0 && t->vars[e->var].kind == RG_CVAR_LOCAL) return true;
    for (int i = 0; i < e->n; i++)
        if (from_data(t, e->kid[i])) return true;
    return false;
}

static bool is_it(const struct threshold *x, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == x->var;
}

static bool look(void *arg, struct rg_cnode *n)
{
    struct threshold *x = arg;
    x->mentions += n->kind == RG_C_VAR && n->array < 0 && n->var == x->var;
    if (n->kind != RG_C_BINARY || !rg_c_relation(n->op) || n->op == RG_COP_EQ || n->op == RG_COP_NE) return true;
    for (int i = 0; i < 2; i++) x->relations += is_it(x, n->kid[i]) && from_data(x->t, n->kid[1 - i]);
    return true;
}

bool rg__is_threshold(const struct rg_ctree *t, int param)
{
    struct threshold x = {.t = t, .var = -1};
    for (int v = 0; v < t->n_vars; v++)
        if (t->vars[v].kind == RG_CVAR_PARAM && t->vars[v].param == param && !t->vars[v].assigned) x.var = v;
    if (x.var < 0 || rg__mentions_kind(t->root, RG_C_VERBATIM)) return false;
    rg__c_walk(t->root, look, &x);
    return x.mentions > 0 && x.mentions == x.relations;
}
