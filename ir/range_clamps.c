/* Clamped locals: `int k = ..; if (k < 0) k = 0; if (k > m - 1) k = m - 1;` one behind the other has the value of one
 * expression wherever it is read afterwards, and what the conditions say bounds that. */
#include "ir/range.h"
#include <stdlib.h>

/* The local that the statement sets, to a value of its type; `if (c) k = e;` sets `c ? e : k`. -1 it sets none. */
static int sets(struct rg_ctree *t, const struct rg_cnode *n, const struct rg_cnode **value)
{
    *value = NULL;
    if (n->kind == RG_C_IF && (n->n == 2 || !n->kid[2])) {
        const struct rg_cnode *body = n->kid[1], *e;
        while (body->kind == RG_C_BLOCK && body->n == 1) body = body->kid[0];
        int var = body->kind == RG_C_STMT ? sets(t, body, &e) : -1;
        if (var < 0) return -1;
        struct rg_cnode *choice = rg_cnode_new(t, RG_C_COND, 3);
        choice->type = t->vars[var].type;
        choice->kid[0] = n->kid[0];
        choice->kid[1] = (struct rg_cnode *)e;
        choice->kid[2] = rg__c_var(t, var);
        *value = choice;
        return var;
    }
    if (n->kind == RG_C_DECL && n->array < 0 && n->n == 1 && n->kid[0] && !n->pointer) {
        *value = n->kid[0];
        return n->var;
    }
    const struct rg_cnode *e = n->kind == RG_C_STMT && n->n == 1 ? n->kid[0] : NULL;
    if (!e || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0) return -1;
    *value = e->kid[1];
    return e->kid[0]->var;
}

static int writes_of(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    int writes = n->kind == RG_C_DECL && n->array < 0 && n->var == var && n->n;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) {
        const struct rg_cnode *to = n->kid[0];
        while (to->kind == RG_C_MEMBER) to = to->kid[0];
        writes += to->kind == RG_C_VAR && to->array < 0 && to->var == var;
    }
    for (int i = 0; i < n->n; i++) writes += writes_of(n->kid[i], var);
    return writes;
}

struct clamps {
    struct rg_ctree *t;
    struct rg__given *g;
    bool (*stable)(void *arg, const struct rg_cnode *e);
    void *arg;
};

/* Does the value keep the local, or put another bound in its place, as conditions over it say? */
static bool clamps(const struct clamps *x, const struct rg_cnode *value, int var)
{
    enum { LARGE = 64 }; /* what stands in for the local is copied to each of its places */
    if (value->kind != RG_C_COND || rg__c_size(value) > LARGE || !rg__c_mentions_var(value, var) ||
        rg__mentions_kind(value, RG_C_INDEX) || rg__mentions_kind(value, RG_C_CALL))
        return false;
    return x->stable(x->arg, rg__c_replace_var(x->t, rg__c_copy(x->t, value), var, rg__c_int(x->t, 0)));
}

static bool look(void *arg, struct rg_cnode *block)
{
    struct clamps *x = arg;
    for (int i = 0; block->kind == RG_C_BLOCK && i < block->n; i++) {
        const struct rg_cnode *value;
        int var = block->kid[i] ? sets(x->t, block->kid[i], &value) : -1, last = i;
        if (var < 0 || var >= x->g->n_vars || x->g->definition[var]) continue;
        const struct rg_cvar *v = &x->t->vars[var];
        if (v->kind != RG_CVAR_LOCAL || !rg__scalar_is_int(v->type) || rg_scalar_bytes(v->type) < 4 ||
            rg__c_mentions_var(value, var))
            continue;
        /* what stands in front of the bounds: any number */
        struct rg_cnode *made = rg_cnode_new(x->t, RG_C_VERBATIM, 0);
        made->text = rg_arena_printf(&x->t->arena, "%s before it is clamped (%d)", v->name, var);
        made->type = v->type;
        if (rg__scalar_is_int(value->type) && x->stable(x->arg, value)) made = (struct rg_cnode *)value;
        enum { MOST = 2000 };
        int n = 1;
        for (int k = i + 1; k < block->n && rg__c_size(made) < MOST; k++) {
            const struct rg_cnode *bounded;
            if (block->kid[k] && sets(x->t, block->kid[k], &bounded) == var && clamps(x, bounded, var)) {
                made = rg__c_replace_var(x->t, rg__c_copy(x->t, bounded), var, made);
                last = k, n++;
            } else if (rg__c_mentions_var(block->kid[k], var)) {
                break;
            }
        }
        if (last > i && writes_of(x->t->root, var) == n) x->g->clamped[var] = made;
    }
    return true;
}

void rg__given_clamps(struct rg_ctree *t, struct rg__given *g, bool (*stable)(void *arg, const struct rg_cnode *e),
                      void *arg)
{
    struct clamps x = {t, g, stable, arg};
    g->clamped = rg_xcalloc((size_t)t->n_vars + 1, sizeof *g->clamped);
    rg__c_walk(t->root, look, &x);
}
