/* Inputs for integer arrays that lead into other arrays: what `x[idx[i]]` reads lies inside x, and row pointers
 * (`for (k = row[i]; k < row[i + 1]; k++) ... col[k]`) ascend to the length of what they divide. Only where the user
 * says nothing: default integers would lead anywhere. */
#include "frontend/load.h"
#include "frontend/walk.h"
#include <stdlib.h>
#include <string.h>

struct indices {
    struct rg__load *l;
    const struct rg_ctree *t;
    const struct rg_cnode **loaded; /* by variable: the element a local holds, an INDEX; NULL */
    int *bound_by;                  /* by variable: the array that bounds the loop over it; -1 */
    struct rg_expr **below;         /* by parameter: an extent its elements stay below */
    struct rg_expr **total;         /* by parameter: what they ascend to */
};

static const struct rg_cnode *uncast(const struct rg_cnode *e)
{
    while (e && e->kind == RG_C_CAST && rg__scalar_is_int(e->type)) e = e->kid[0];
    return e;
}

/* The integer input array an expression is an element of; -1. */
static int element_of(const struct indices *x, const struct rg_cnode *e)
{
    e = uncast(e);
    if (e && e->kind == RG_C_VAR && e->array < 0 && x->loaded[e->var]) e = x->loaded[e->var];
    if (!e || e->kind != RG_C_INDEX || e->pointer) return -1;
    int p = x->t->arrays[e->array].param;
    if (p < 0 || x->t->arrays[e->array].constant_table) return -1;
    const struct rg_param *q = &x->l->p->params[p];
    bool plain = q->role == RG_ROLE_IN && q->kind == RG_PARAM_ARRAY && q->elem != RG_STRUCT && rg__scalar_is_int(q->elem);
    return plain && q->input.kind == RG_INPUT_DEFAULT ? p : -1;
}

static bool note_variables(void *arg, struct rg_cnode *n)
{
    struct indices *x = arg;
    if (n->kind == RG_C_DECL && n->array < 0 && n->n && n->var >= 0) {
        const struct rg_cnode *e = uncast(n->kid[0]);
        if (e->kind == RG_C_INDEX && !e->pointer) x->loaded[n->var] = e;
    }
    int lower = -1, upper = -1, var = -1;
    if (n->kind == RG_C_LOOP) var = n->var, lower = element_of(x, n->kid[0]), upper = element_of(x, n->kid[1]);
    if (var >= 0 && lower >= 0 && lower == upper) x->bound_by[var] = lower;
    return true;
}

/* The smaller of two where that can be seen: equal ones stay, otherwise the first one found. */
static void keep(struct rg_expr **slot, struct rg_arena *a, const struct rg_expr *e)
{
    if (!*slot && e) *slot = rg_expr_clone(a, e);
}

static bool note_uses(void *arg, struct rg_cnode *n)
{
    struct indices *x = arg;
    struct rg_arena *a = &x->l->p->arena;
    if (n->kind != RG_C_INDEX) return true;
    const struct rg_carray *b = &x->t->arrays[n->array];
    for (int d = 0; d < n->n && d < b->n_dims; d++) {
        const struct rg_expr *extent = b->dims && b->dims[d] ? b->dims[d] : NULL;
        if (b->param >= 0 && b->n_dims == x->l->p->params[b->param].n_dims && !b->constant_table)
            extent = x->l->p->params[b->param].dims[d];
        const struct rg_cnode *s = uncast(n->kid[d]);
        int leads = element_of(x, s);
        if (leads >= 0 && extent) keep(&x->below[leads], a, extent);
        if (s->kind == RG_C_VAR && s->array < 0 && x->bound_by[s->var] >= 0 && extent && b->n_dims == 1)
            keep(&x->total[x->bound_by[s->var]], a, extent);
    }
    return true;
}

static void set_input(struct rg__load *l, struct rg_param *q, const char *before, const struct rg_expr *e, const char *after)
{
    struct rg_buf text = RG_BUF_INIT;
    bool choice = e->kind == RG_EXPR_COND; /* `- 1` behind it would be of its last arm alone */
    rg_buf_str(&text, before);
    if (choice) rg_buf_char(&text, '(');
    rg_expr_print(&text, e, NULL, NULL);
    if (choice) rg_buf_char(&text, ')');
    rg_buf_str(&text, after);
    struct rg__directive d = {.name = q->name, .text = text.data, .file = "", .option = true};
    struct rg_input in;
    if (rg__parse_input(&l->p->arena, &d, &in, NULL) == RG_OK) q->input = in;
    rg_buf_release(&text);
}

void rg__index_inputs(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    struct rg_ctree *t = l->t;
    size_t n = (size_t)t->n_vars + 1, m = (size_t)p->n_params + 1;
    struct indices x = {.l = l,
                        .t = t,
                        .loaded = rg_xcalloc(n, sizeof *x.loaded),
                        .bound_by = rg_xcalloc(n, sizeof *x.bound_by),
                        .below = rg_xcalloc(m, sizeof *x.below),
                        .total = rg_xcalloc(m, sizeof *x.total)};
    for (size_t v = 0; v < n; v++) x.bound_by[v] = -1;
    rg__c_walk(t->root, note_variables, &x);
    rg__c_walk(t->root, note_uses, &x);
    for (int i = 0; i < p->n_params; i++) {
        struct rg_param *q = &p->params[i];
        if (q->input.kind != RG_INPUT_DEFAULT || l->p->init_function) continue;
        if (x.total[i])
            set_input(l, q, "prefix(", x.total[i], ")");
        else if (x.below[i])
            set_input(l, q, "uniform(0, ", x.below[i], " - 1)");
    }
    free(x.loaded);
    free(x.bound_by);
    free(x.below);
    free(x.total);
}
