/* Integers that do nothing but stand against what the function computes from its data: `errors(w) <= most`,
 * `score[i] > least`. Any value is right, and which of them lets anything through the data say: they are tried over a
 * wide range. */
#include "frontend/infer/infer.h"
#include "frontend/infer/values.h"
#include "ir/access_walk.h"
#include <stdlib.h>
#include <string.h>

struct threshold {
    const struct rg_ctree *t;
    int var, mentions, relations;
    bool counters; /* locals may be loops' counters yet: they are no data */
};

/* Does it come from data, as far as one looks? */
static bool from_data(const struct threshold *x, const struct rg_cnode *e)
{
    if ((e->kind == RG_C_INDEX && !e->pointer) || e->kind == RG_C_CALL || e->kind == RG_C_MEMBER) return true;
    if (!x->counters && e->kind == RG_C_VAR && e->array < 0 && x->t->vars[e->var].kind == RG_CVAR_LOCAL) return true;
    for (int i = 0; i < e->n; i++)
        if (from_data(x, e->kid[i])) return true;
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
    for (int i = 0; i < 2; i++) x->relations += is_it(x, n->kid[i]) && from_data(x, n->kid[1 - i]);
    return true;
}

bool rg__is_threshold(const struct rg_ctree *t, int param, bool counters)
{
    struct threshold x = {.t = t, .var = -1, .counters = counters};
    for (int v = 0; v < t->n_vars; v++)
        if (t->vars[v].kind == RG_CVAR_PARAM && t->vars[v].param == param && !t->vars[v].assigned) x.var = v;
    if (x.var < 0 || rg__mentions_kind(t->root, RG_C_VERBATIM)) return false;
    rg__c_walk(t->root, look, &x);
    return x.mentions > 0 && x.mentions == x.relations;
}

/* ---- bounds of places ---- */

enum { MOST_CHECKED = 16 };

/* `if (at[i] >= n) return -1; .. v[at[i]]`: the elements that are compared with the integer, and what they lead into.
 */
struct checked {
    const struct rg_problem *p;
    const struct rg_ctree *t;
    struct rg__writes writes;
    int var, n, into;
    struct element {
        int array;
        const char *member; /* NULL: none */
    } element[MOST_CHECKED];
};

/* The element, or the member of one, that e is or was set to; false: anything else. */
static bool element(const struct checked *x, const struct rg_cnode *e, struct element *out)
{
    e = rg__c_uncast(rg__defined_as(&x->writes, rg__c_uncast(e, RG__C_INT_CASTS)), RG__C_INT_CASTS);
    out->member = e->kind == RG_C_MEMBER ? e->text : NULL;
    if (out->member) e = e->kid[0];
    out->array = e->kind == RG_C_INDEX && !e->pointer ? e->array : -1;
    return out->array >= 0;
}

static bool same_element(const struct element *a, const struct element *b)
{
    return a->array == b->array && !a->member == !b->member && (!a->member || !strcmp(a->member, b->member));
}

static bool note_checked(void *arg, struct rg_cnode *n)
{
    struct checked *x = arg;
    if (n->kind != RG_C_BINARY || !rg_c_relation(n->op) || n->op == RG_COP_EQ || n->op == RG_COP_NE) return true;
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *bound = rg__c_uncast(n->kid[i], RG__C_INT_CASTS);
        if (bound->kind != RG_C_VAR || bound->array >= 0 || bound->var != x->var || x->n == MOST_CHECKED) continue;
        x->n += element(x, n->kid[1 - i], &x->element[x->n]);
    }
    return true;
}

/* The size that an extent is, or has one more than; -1. */
static int size_of(const struct rg_problem *p, const struct rg_expr *e)
{
    for (int k = 0; e && e->kind == RG_EXPR_NAME && k < p->n_size_params; k++)
        if (!strcmp(p->params[p->size_params[k]].name, e->name)) return k;
    return -1;
}

static bool note_led(void *arg, struct rg_cnode *n)
{
    struct checked *x = arg;
    const int param = n->kind == RG_C_INDEX && !n->pointer ? x->t->arrays[n->array].param : -1;
    const struct rg_param *q = param >= 0 ? &x->p->params[param] : NULL;
    for (int d = 0; q && q->kind == RG_PARAM_ARRAY && n->n == q->n_dims && d < n->n && x->into < 0; d++) {
        struct element e;
        bool is = false;
        if (!element(x, n->kid[d], &e)) continue;
        for (int i = 0; i < x->n; i++) is = is || same_element(&e, &x->element[i]);
        if (is) x->into = size_of(x->p, q->dims[d]);
    }
    return true;
}

int rg__bounds_places(const struct rg__load *l, int param)
{
    struct checked x = {.p = l->p, .t = l->t, .var = -1, .into = -1};
    for (int v = 0; v < l->t->n_vars; v++)
        if (l->t->vars[v].kind == RG_CVAR_PARAM && l->t->vars[v].param == param) x.var = v;
    if (x.var < 0 || l->b.verbatim) return -1;
    rg__writes_gather(&x.writes, l->t);
    rg__c_walk(l->t->root, note_checked, &x);
    if (x.n) rg__c_walk(l->t->root, note_led, &x);
    rg__writes_release(&x.writes);
    return x.into;
}
