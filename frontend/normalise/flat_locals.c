/* Linearisation: an array with rows that some code walks through as one piece (`float a[8][26][26]` passed as
 * `&a[0][0][0]`) is an array of one dimension: `a[0][0][700]` and `a[1][0][24]` are one element. Delinearisation then
 * finds rows that all its subscripts agree on. Three times: where a pointer goes along the whole of an array that is
 * subscripted by rows, too, before anything is said of its elements; where a pointer into a row is not known to stay
 * there, once loops are in shape; and what is left of local arrays. */
#include "frontend/normalise/canon.h"
#include "frontend/load.h"
#include "ir/access_walk.h"
#include <limits.h>
#include <stdlib.h>

struct look {
    struct rg_ctree *t;
    int array;
    bool outside; /* a subscript is not known to stay inside its row */
    bool other;   /* an access that is not to one element */
    bool rows;    /* one to a row that is not said to be the first */
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

/* In one piece, with rows of known length? */
static bool has_rows(const struct rg_carray *x, const struct rg_problem *p)
{
    if (x->constant_table || x->view || x->n_dims < 2 || !x->dims || x->delinearised) return false;
    if (x->param >= 0 && (p->params[x->param].rows || p->params[x->param].n_dims != x->n_dims)) return false;
    for (int d = x->param >= 0; d < x->n_dims; d++)
        if (!x->dims[d]) return false;
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
        struct rg__poly sub = rg__poly_of(v->range, v->node->kid[d]), one = rg__poly_int(1),
                        end = rg__poly_of(v->range, rg__c_from_expr(l->t, x->dims[d]));
        end = rg__poly_add(&end, &one, -1);
        struct rg__poly left = rg__poly_add(&end, &sub, -1);
        l->outside = sub.bad || end.bad || !rg__prove(v->range, &sub) || !rg__prove(v->range, &left);
    }
    RG_GROW(l->nodes, l->n, l->cap);
    l->nodes[l->n++] = v->node;
}

/* The same without what is known at the place. */
static void find(struct look *l, struct rg_cnode *n)
{
    const struct rg_carray *x = &l->t->arrays[l->array];
    if (!n) return;
    for (int i = 0; i < n->n; i++) find(l, n->kid[i]);
    if (n->array != l->array || n->kind == RG_C_DECL) return;
    if (n->kind != RG_C_INDEX || n->pointer || n->n != x->n_dims) {
        l->other = true;
        return;
    }
    for (int d = 0; d + 1 < n->n; d++) l->rows |= n->kid[d]->kind != RG_C_INT || n->kid[d]->ivalue;
    RG_GROW(l->nodes, l->n, l->cap);
    l->nodes[l->n++] = n;
}

static void flatten(struct rg_ctree *t, struct rg_cnode *n, const struct rg_carray *x)
{
    struct rg_cnode *at = n->kid[0];
    for (int d = 1; d < x->n_dims; d++) {
        bool number = x->dims[d]->kind == RG_EXPR_INT && x->param < 0, first = at->kind == RG_C_INT && !at->ivalue;
        struct rg_cnode *of = number ? at : rg__c_cast(t, at, RG_LLONG),
                        *row = rg__c_binary(t, RG_COP_MUL, of, rg__c_from_expr(t, x->dims[d]));
        at = first ? n->kid[d] : rg__c_binary(t, RG_COP_ADD, row, n->kid[d]);
    }
    n->n = 1;
    n->kid[0] = at;
}

/* Of a parameter the problem's, too: it is what the caller has, in one dimension. */
static void make_flat(struct look *l, struct rg_problem *p)
{
    struct rg_ctree *t = l->t;
    struct rg_carray *x = &t->arrays[l->array];
    for (int i = 0; i < l->n; i++)
        if (l->nodes[i]->n == x->n_dims) flatten(t, l->nodes[i], x); /* once, where it is read and written */
    struct rg_arena *a = x->param >= 0 ? &p->arena : &t->arena;
    struct rg_cnode *all = x->dims[0] ? rg__c_from_expr(t, x->dims[0]) : NULL;
    for (int d = 1; d < x->n_dims && all; d++) all = rg__c_binary(t, RG_COP_MUL, all, rg__c_from_expr(t, x->dims[d]));
    const struct rg_expr **dims = rg_arena_alloc(a, sizeof *dims);
    dims[0] = all ? rg__c_to_expr(t, all, a) : NULL;
    x->dims = dims;
    x->n_dims = 1;
    if (x->param < 0) return;
    p->params[x->param].dims = dims;
    p->params[x->param].n_dims = 1;
}

static bool extent_can_be_said(struct rg_ctree *t, const struct rg_carray *x)
{
    for (int d = 0; d < x->n_dims; d++) {
        struct rg_cnode *e = x->dims[d] ? rg__c_from_expr(t, x->dims[d]) : NULL;
        if (x->dims[d] && !e) return false;
    }
    return true;
}

enum rg_status rg__flat_whole(struct rg__load *load)
{
    struct rg_ctree *t = load->t;
    for (int a = 0; a < t->n_arrays; a++) {
        struct look l = {.t = t, .array = a};
        if (!t->arrays[a].walked_whole || !has_rows(&t->arrays[a], load->p) || rows_are_named(t->root, a) ||
            !extent_can_be_said(t, &t->arrays[a]))
            continue;
        find(&l, t->root);
        if (l.rows && !l.other) {
            struct rg__origin *o = t->arrays[a].param >= 0 ? &load->b.origins[t->arrays[a].param] : NULL;
            if (o) o->written = t->arrays[a].dims, o->n_written = t->arrays[a].n_dims;
            make_flat(&l, load->p);
        }
        free(l.nodes);
    }
    return RG_OK;
}

static void flat_where(struct rg_ctree *t, struct rg_problem *p, const struct rg__given *given, int array)
{
    struct look l = {.t = t, .array = array};
    if (rows_are_named(t->root, array) || !extent_can_be_said(t, &t->arrays[array])) return;
    rg__each_access(t, t->root, given, see, &l);
    if (l.outside && !l.other) make_flat(&l, p);
    free(l.nodes);
}

/* x / c and x % c of places in a structure's member, where x is q * c + r with 0 <= r < c. */
static struct rg_cnode *divided(struct rg_ctree *t, struct rg__range *r, struct rg_cnode *e)
{
    if ((e->op != RG_COP_DIV && e->op != RG_COP_REM) || e->kid[1]->kind != RG_C_INT || e->kid[1]->ivalue < 1) return e;
    int64_t c = e->kid[1]->ivalue;
    e->kid[0] = divided(t, r, e->kid[0]);
    struct rg__poly p = rg__poly_of(r, e->kid[0]), q = rg__poly_int(0), rest = rg__poly_int(0),
                    top = rg__poly_int(c - 1);
    for (int i = 0; i < p.n && !p.bad; i++) {
        struct rg__poly term = {.n = 1};
        bool whole = p.terms[i].c % c == 0;
        term.terms[0] = p.terms[i];
        if (whole) term.terms[0].c /= c;
        if (whole)
            q = rg__poly_add(&q, &term, 1);
        else
            rest = rg__poly_add(&rest, &term, 1);
    }
    top = rg__poly_add(&top, &rest, -1);
    if (p.bad || q.bad || rest.bad || !rg__prove(r, &q) || !rg__prove(r, &rest) || !rg__prove(r, &top)) return e;
    return rg__poly_node(r, e->op == RG_COP_DIV ? &q : &rest);
}

static void see_member(void *arg, const struct rg__visit *v)
{
    struct rg_cnode *m = (struct rg_cnode *)(uintptr_t)v->member;
    for (; m && m->kind == RG_C_MEMBER; m = m->kid[0])
        for (int d = 1; d < m->n; d++) m->kid[d] = divided(arg, v->range, m->kid[d]);
}

enum rg_status rg__flat_walked(struct rg__load *l)
{
    struct rg__given *given = rg__given_of(l->t, l->p);
    for (int a = 0; a < l->t->n_arrays; a++)
        if (l->t->arrays[a].walked && has_rows(&l->t->arrays[a], l->p)) flat_where(l->t, l->p, given, a);
    rg__each_access(l->t, l->t->root, given, see_member, l->t);
    rg__given_free(given);
    return RG_OK;
}

void rg__flat_locals(struct rg__load *l)
{
    struct rg__given *given = rg__given_of(l->t, l->p);
    for (int a = 0; a < l->t->n_arrays; a++)
        if (of_constant_rows(&l->t->arrays[a])) flat_where(l->t, l->p, given, a);
    rg__given_free(given);
}
