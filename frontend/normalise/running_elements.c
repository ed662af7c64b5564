/* Elements that an iteration stores and reads again: drawdown[i] = high - run; if (drawdown[i] > worst) .. What is read
 * is the scalar that was stored, so that it is seen what the reader is computed of. */
#include "frontend/normalise/running_values.h"

/* The same element all through the iteration: of scalars that it does not write. */
static bool stays(const struct rg_cnode *e, const struct rg_cnode *b)
{
    if (e->kind == RG_C_VAR) return e->array < 0 && !e->pointer && !rg__c_writes_var(b, e->var);
    if (e->kind != RG_C_INT && e->kind != RG_C_CAST && e->kind != RG_C_BINARY && e->op != RG_COP_NEG) return false;
    for (int i = 0; i < e->n; i++)
        if (!stays(e->kid[i], b)) return false;
    return true;
}

/* May a store to array o change what array a has? */
static bool one_memory(const struct rg_ctree *t, int a, int o)
{
    const struct rg_carray *x = &t->arrays[a], *y = &t->arrays[o];
    return x->view || y->view || (x->param >= 0 && x->param == y->param);
}

/* The array whose element the statement stores, which nothing else in the body writes; -1. */
static int stored(const struct rg_ctree *t, const struct rg_cnode *b, int at)
{
    const struct rg_cnode *s = b->kid[at], *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_INDEX || e->kid[0]->pointer)
        return -1;
    const struct rg_cnode *x = e->kid[0];
    enum rg_scalar elem = t->arrays[x->array].elem;
    if (elem == RG_STRUCT || elem == RG_F16 || !rg__c_pure(t, e->kid[1])) return -1;
    for (int d = 0; d < x->n; d++)
        if (!stays(x->kid[d], b)) return -1;
    for (int o = 0; o < t->n_arrays; o++)
        for (int i = 0; i < b->n; i++) {
            if (!rg__writes_array(b->kid[i], o) || (o == x->array && i == at)) continue;
            if (o == x->array || one_memory(t, x->array, o)) return -1;
        }
    return x->array;
}

static bool reads(const struct rg_cnode *n, const struct rg_cnode *element)
{
    if (!n) return false;
    if (n->kind == RG_C_INDEX && n->array == element->array && !n->pointer && rg__c_same(n, element, RG__C_UNCAST))
        return true;
    for (int i = 0; i < n->n; i++)
        if (reads(n->kid[i], element)) return true;
    return false;
}

static struct rg_cnode *with_scalar(struct rg_ctree *t, struct rg_cnode *n, const struct rg_cnode *element, int var)
{
    if (!n) return NULL;
    if (n->kind == RG_C_INDEX && n->array == element->array && !n->pointer && rg__c_same(n, element, RG__C_UNCAST))
        return rg__c_var(t, var);
    for (int i = 0; i < n->n; i++) n->kid[i] = with_scalar(t, n->kid[i], element, var);
    return n;
}

static bool opaque(const struct rg_cnode *n)
{
    return rg__mentions_kind(n, RG_C_VERBATIM) || rg__mentions_kind(n, RG_C_OPAQUE);
}

void rg__running_read_back(struct rg_ctree *t, const struct rg_problem *p, const struct rg_cnode *loop,
                           struct rg_cnode *b)
{
    if (loop->n != 3 || p->may_alias || opaque(b)) return;
    for (int i = 0; i < b->n; i++) {
        int array = stored(t, b, i);
        bool again = false;
        const struct rg_cnode *element = array >= 0 ? b->kid[i]->kid[0]->kid[0] : NULL;
        for (int k = i + 1; k < b->n && element; k++) again |= reads(b->kid[k], element);
        if (!again) continue;
        enum rg_scalar type = t->arrays[array].elem;
        struct rg_cnode *s = rg__c_copy(t, b->kid[i]), *d = rg_cnode_new(t, RG_C_DECL, 1);
        d->var = rg__c_add_var(t, rg_arena_printf(&t->arena, "%s_now", t->arrays[array].name), RG_CVAR_LOCAL, type);
        d->type = type;
        d->line = s->line;
        d->column = s->column;
        d->kid[0] = rg__c_cast(t, s->kid[0]->kid[1], type);
        s->kid[0]->kid[1] = rg__c_var(t, d->var);
        for (int k = i + 1; k < b->n; k++)
            if (reads(b->kid[k], element)) b->kid[k] = with_scalar(t, rg__c_copy(t, b->kid[k]), element, d->var);
        struct rg__kids both = {0};
        rg__kids_add(&both, d);
        rg__kids_add(&both, s);
        rg__block_splice(t, b, i, 1, &both);
        i++;
    }
}
