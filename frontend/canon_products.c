/* A loop over n*m elements runs as a nest over n and m: products of parameters are not affine, the nest is. */
#include "frontend/canon.h"
#include "frontend/walk.h"
#include <stdlib.h>
#include <string.h>

struct strides {
    struct rg_ctree *t;
    bool *is_stride; /* by variable: multiplies a loop variable in some subscript */
};

static void note_strides(void *arg, const struct rg__visit *v)
{
    struct strides *s = arg;
    if (v->node->kind != RG_C_INDEX) return;
    for (int d = 0; d < v->node->n; d++) {
        struct rg__poly p = rg__poly_of(v->range, v->node->kid[d]);
        for (int i = 0; i < p.n && !p.bad; i++) {
            bool other = false;
            for (int k = 0; k < p.terms[i].degree; k++) {
                int x = p.terms[i].var[k];
                other |= x >= RG__ATOM || s->t->vars[x].kind != RG_CVAR_PARAM;
            }
            for (int k = 0; other && k < p.terms[i].degree; k++) {
                int x = p.terms[i].var[k];
                if (x < RG__ATOM && s->t->vars[x].kind == RG_CVAR_PARAM) s->is_stride[x] = true;
            }
        }
    }
}

/* Parameters in the order the product names them. */
static bool factors(const struct rg_ctree *t, const struct rg_cnode *e, int *var, int *n, int64_t *c)
{
    while (e->kind == RG_C_CAST) e = e->kid[0];
    if (e->kind == RG_C_BINARY && !strcmp(e->text, "*"))
        return factors(t, e->kid[0], var, n, c) && factors(t, e->kid[1], var, n, c);
    if (e->kind == RG_C_INT && e->ivalue > 0 && e->ivalue < 1 << 20) {
        *c *= e->ivalue;
        return *c < 1 << 30;
    }
    if (e->kind != RG_C_VAR || e->array >= 0 || t->vars[e->var].kind != RG_CVAR_PARAM || t->vars[e->var].assigned ||
        *n == 4)
        return false;
    var[(*n)++] = e->var;
    return true;
}

static void nest(struct rg_ctree *t, struct rg_cnode *l, const bool *is_stride)
{
    int var[4], n = 0;
    int64_t c = 1;
    const struct rg_cnode *lo = l->kid[0];
    while (lo->kind == RG_C_CAST) lo = lo->kid[0];
    if (l->step != 1 || lo->kind != RG_C_INT || lo->ivalue != 0 || !factors(t, l->kid[1], var, &n, &c) || n < 2) return;
    /* factors that are strides elsewhere become inner loops */
    int order[4], k = 0;
    for (int i = 0; i < n; i++)
        if (!is_stride[var[i]]) order[k++] = var[i];
    for (int i = 0; i < n; i++)
        if (is_stride[var[i]]) order[k++] = var[i];
    int levels = n + (c > 1);
    struct rg_cnode *extent[5];
    for (int i = 0; i < n; i++) extent[i] = rg__c_var(t, order[i]);
    if (c > 1) extent[n] = rg__c_int(t, c);
    const struct rg_cvar v = t->vars[l->var];
    int iter[5];
    for (int i = 0; i < levels; i++) iter[i] = rg__c_add_var(t, v.name, RG_CVAR_ITER, v.type);
    struct rg_cnode *flat = rg__c_var(t, iter[0]);
    for (int i = 1; i < levels; i++)
        flat = rg__c_binary(t, "+", rg__c_binary(t, "*", flat, rg__c_copy(t, extent[i])), rg__c_var(t, iter[i]));
    struct rg_cnode *body = rg__c_replace_var(t, l->kid[2], l->var, flat);
    for (int i = levels - 1; i > 0; i--) {
        struct rg_cnode *in = rg_cnode_new(t, RG_C_LOOP, 3);
        in->var = iter[i];
        in->step = 1;
        in->kid[0] = rg__c_int(t, 0);
        in->kid[1] = extent[i];
        in->kid[2] = body;
        in->line = l->line;
        in->column = l->column;
        in->parallel_hint = l->parallel_hint;
        struct rg_cnode *b = rg_cnode_new(t, RG_C_BLOCK, 1);
        b->kid[0] = in;
        body = b;
    }
    l->var = iter[0];
    l->kid[1] = extent[0];
    l->kid[2] = body;
}

struct nesting {
    struct rg_ctree *t;
    const bool *is_stride;
};

static bool each(void *arg, struct rg_cnode *n)
{
    struct nesting *x = arg;
    if (rg__c_is_expr(n)) return false;
    if (n->kind == RG_C_LOOP && n->n == 3) nest(x->t, n, x->is_stride);
    return true;
}

void rg__canon_products(struct rg_ctree *t)
{
    struct rg__given *given = rg__given_of(t, NULL);
    struct strides s = {t, rg_xcalloc((size_t)t->n_vars + 1, sizeof(bool))};
    rg__each_access(t, t->root, given, note_strides, &s);
    struct nesting n = {t, s.is_stride};
    rg__c_walk(t->root, each, &n);
    free(s.is_stride);
    rg__given_free(given);
}
