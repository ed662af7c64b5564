/* Linearisation: a local array with rows that some code walks through as one piece (`float a[8][26][26]` passed as
 * `&a[0][0][0]`) is an array of one dimension: `a[0][0][700]` and `a[1][0][24]` are one element. Delinearisation then
 * finds rows that all its subscripts agree on. */
#include "frontend/normalise/canon.h"
#include "ir/access_walk.h"
#include <limits.h>
#include <stdlib.h>

struct look {
    struct rg_ctree *t;
    int array;
    bool outside; /* a subscript is not known to stay inside its row */
    bool other;   /* an access that is not to one element */
    int n, cap;
    struct rg_cnode **nodes;
};

/* Its rows stand in a text, or in its declaration's braces. */
static bool rows_are_named(const struct rg_cnode *n, int array)
{
    if (!n) return false;
    if (n->kind == RG_C_VERBATIM || (n->kind == RG_C_DECL && n->array == array && n->n > 0)) return true;
    for (int i = 0; i < n->n; i++)
        if (rows_are_named(n->kid[i], array)) return true;
    return false;
}

static bool of_constant_rows(const struct rg_carray *x)
{
    int64_t elements = 1;
    if (x->param >= 0 || x->constant_table || x->view || x->n_dims < 2 || !x->dims) return false;
    for (int d = 0; d < x->n_dims; d++) {
        if (!x->dims[d] || x->dims[d]->kind != RG_EXPR_INT || x->dims[d]->value < 1 || x->dims[d]->value > INT_MAX)
            return false;
        elements *= x->dims[d]->value;
        if (elements > INT_MAX) return false;
    }
    return true;
}

static void see(void *arg, const struct rg__visit *v)
{
    struct look *l = arg;
    const struct rg_carray *x = &l->t->arrays[l->array];
    if (v->node->array != l->array) return;
    if (v->node->kind != RG_C_INDEX || v->pointer || v->node->n != x->n_dims) {
        l->other = true;
        return;
    }
    for (int d = 1; d < x->n_dims && !l->outside; d++) {
        struct rg__poly sub = rg__poly_of(v->range, v->node->kid[d]), end = rg__poly_int(x->dims[d]->value - 1);
        struct rg__poly left = rg__poly_add(&end, &sub, -1);
        l->outside = sub.bad || !rg__prove(v->range, &sub) || !rg__prove(v->range, &left);
    }
    RG_GROW(l->nodes, l->n, l->cap);
    l->nodes[l->n++] = v->node;
}

static void flatten(struct rg_ctree *t, struct rg_cnode *n, const struct rg_carray *x)
{
    struct rg_cnode *at = n->kid[0];
    for (int d = 1; d < x->n_dims; d++) {
        struct rg_cnode *row = rg__c_binary(t, RG_COP_MUL, at, rg__c_int(t, x->dims[d]->value));
        bool first = at->kind == RG_C_INT && !at->ivalue;
        at = first ? n->kid[d] : rg__c_binary(t, RG_COP_ADD, row, n->kid[d]);
    }
    n->n = 1;
    n->kid[0] = at;
}

void rg__flat_locals(struct rg_ctree *t, const struct rg_problem *p)
{
    struct rg__given *given = rg__given_of(t, p);
    for (int a = 0; a < t->n_arrays; a++) {
        struct rg_carray *x = &t->arrays[a];
        struct look l = {.t = t, .array = a};
        if (!of_constant_rows(x) || rows_are_named(t->root, a)) continue;
        rg__each_access(t, t->root, given, see, &l);
        if (l.outside && !l.other) {
            int64_t elements = 1;
            for (int i = 0; i < l.n; i++)
                if (l.nodes[i]->n == x->n_dims) flatten(t, l.nodes[i], x); /* once, where it is read and written */
            for (int d = 0; d < x->n_dims; d++) elements *= x->dims[d]->value;
            struct rg_expr *e = rg_arena_alloc(&t->arena, sizeof *e);
            *e = (struct rg_expr){.kind = RG_EXPR_INT, .value = elements};
            x->dims[0] = e;
            x->n_dims = 1;
        }
        free(l.nodes);
    }
    rg__given_free(given);
}
