/* Equal sizes: behind `if (a->cols != b->rows) return -1;` the two are one number, whatever they are called. There one
 * of them stands for both, so that subscripts that say `k*n + j` and `k*m->cols + j` are seen to mean the same rows. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>
#include <string.h>

struct equal {
    struct rg_ctree *t;
    bool *in_extents; /* by variable: the extent of an array names it */
    int *like;        /* by variable: one that it is equal to; itself: it stands for those that lead to it */
};

static bool is_size(const struct rg_ctree *t, const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && t->vars[e->var].kind == RG_CVAR_PARAM &&
           !t->vars[e->var].assigned && rg__scalar_is_int(t->vars[e->var].type) && t->vars[e->var].type != RG_BOOL;
}

/* Two sizes of one type that are equal; each is converted to the same type, if at all. */
static bool two_sizes(const struct rg_ctree *t, const struct rg_cnode *c, int *a, int *b)
{
    const struct rg_cnode *x = c->kid[0], *y = c->kid[1];
    while (x->kind == RG_C_CAST && y->kind == RG_C_CAST && x->type == y->type &&
           rg_scalar_bytes(x->type) >= rg_scalar_bytes(x->kid[0]->type) && rg__scalar_is_int(x->type))
        x = x->kid[0], y = y->kid[0];
    if (!is_size(t, x) || !is_size(t, y) || t->vars[x->var].type != t->vars[y->var].type || x->var == y->var)
        return false;
    *a = x->var;
    *b = y->var;
    return true;
}

static int same(const struct equal *e, int v)
{
    while (e->like[v] != v) v = e->like[v];
    return v;
}

/* What the condition says where it holds, or does not. One that extents name stands for the others, as it is what the
 * loops' bounds are held against. */
static void learn(const struct equal *e, const struct rg_cnode *c, bool holds)
{
    int a, b;
    while (c->kind == RG_C_CAST && rg__scalar_is_int(c->type) && c->kid[0]->kind != RG_C_VAR) c = c->kid[0];
    if (c->op == RG_COP_NOT) {
        learn(e, c->kid[0], !holds);
    } else if (c->op == (holds ? RG_COP_AND : RG_COP_OR)) {
        learn(e, c->kid[0], holds);
        learn(e, c->kid[1], holds);
    } else if (c->op == (holds ? RG_COP_EQ : RG_COP_NE) && two_sizes(e->t, c, &a, &b)) {
        a = same(e, a);
        b = same(e, b);
        const bool first = e->in_extents[a] || (!e->in_extents[b] && a < b);
        e->like[first ? b : a] = first ? a : b;
    }
}

/* One of those that are equal in `arm` stands there for all but those that extents name as well. */
static void one_for_all(const struct equal *e, struct rg_cnode *arm, const struct rg_cnode *c, bool holds)
{
    for (int v = 0; v < e->t->n_vars; v++) e->like[v] = v;
    learn(e, c, holds);
    for (int v = 0; v < e->t->n_vars; v++)
        if (e->like[v] != v && !e->in_extents[v]) rg__c_replace_var(e->t, arm, v, rg__c_var(e->t, same(e, v)));
}

static void walk(const struct equal *e, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_VERBATIM) return;
    if (n->kind == RG_C_IF) {
        one_for_all(e, n->kid[1], n->kid[0], true);
        if (n->n > 2 && n->kid[2]) one_for_all(e, n->kid[2], n->kid[0], false);
    }
    for (int i = 0; i < n->n; i++) walk(e, n->kid[i]);
}

static void mark(void *arg, const char *name)
{
    struct equal *e = arg;
    for (int v = 0; v < e->t->n_vars; v++)
        if (e->t->vars[v].kind == RG_CVAR_PARAM && !strcmp(e->t->vars[v].name, name)) e->in_extents[v] = true;
}

void rg__canon_equal_sizes(struct rg_ctree *t)
{
    const size_t n = (size_t)t->n_vars + 1;
    struct equal e = {t, rg_xcalloc(n, sizeof *e.in_extents), rg_xcalloc(n, sizeof *e.like)};
    for (int a = 0; a < t->n_arrays; a++)
        for (int d = 0; d < t->arrays[a].n_dims; d++)
            if (t->arrays[a].dims[d]) rg_expr_names(t->arrays[a].dims[d], mark, &e);
    walk(&e, t->root);
    free(e.in_extents);
    free(e.like);
}
