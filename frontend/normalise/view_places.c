/* Views that are set to places in arrays, as members of a structure are that cut up a block: `w_p = mem; w_q = w_p +
 * n;`. Each becomes a view of the whole array and an offset, `w_q = w_p; w_q_at = w_p_at + n;`, and w_q[i] is
 * w_q[w_q_at + i]: the pass that moves pointers follows both. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>

struct places {
    struct rg_ctree *t;
    int n_arrays;
    bool *is; /* [array] a view that is set to a place */
    int *at;  /* [array] its offset */
    bool more, bad;
};

static bool is_view(const struct places *x, int array)
{
    return array >= 0 && array < x->n_arrays && x->t->arrays[array].view;
}

/* The array in which a sum of a pointer and integers lies; -1. *whole: nothing is added. */
static int array_of(const struct rg_cnode *e, bool *whole)
{
    *whole = true;
    while (e->kind == RG_C_BINARY && e->op == RG_COP_ADD && e->pointer) {
        e = e->kid[0];
        *whole = false;
    }
    return rg__moves_pointer(e);
}

/* Marks what is set to a place, or from one that is marked. */
static void mark(struct places *x, const struct rg_cnode *n)
{
    if (!n) return;
    const int p = rg__moves_moved(n);
    bool whole;
    if (is_view(x, p) && !x->is[p]) {
        const int to = array_of(n->kid[0]->kid[1], &whole);
        if (to >= 0 && (!whole || x->is[to])) x->is[p] = x->more = true;
    }
    for (int i = 0; i < n->n; i++) mark(x, n->kid[i]);
}

static bool alike(const struct places *x, int p, int to)
{
    const struct rg_carray *a = &x->t->arrays[p], *b = &x->t->arrays[to];
    return a->n_dims == 1 && b->n_dims == 1 && a->elem == b->elem && a->struct_index == b->struct_index;
}

/* Are all marked views subscripted, or set by statements to sums that are seen through, and named nowhere else? */
static void check(struct places *x, const struct rg_cnode *n)
{
    if (!n || x->bad) return;
    const int p = rg__moves_moved(n);
    if (p >= 0) {
        bool whole;
        const struct rg_cnode *v = n->kid[0]->kid[1];
        const int to = array_of(v, &whole);
        const bool marked = is_view(x, p) && x->is[p];
        if (to >= 0 && (marked || !is_view(x, to) || !x->is[to])) {
            x->bad |= marked && !alike(x, p, to);
            for (; v->kind == RG_C_BINARY; v = v->kid[0]) check(x, v->kid[1]);
            return;
        }
        x->bad |= marked;
    }
    if (n->kind == RG_C_VERBATIM) x->bad = true;
    if (is_view(x, n->array) && x->is[n->array]) x->bad |= n->kind != RG_C_INDEX || n->n != 1 || n->pointer;
    for (int i = 0; i < n->n; i++) check(x, n->kid[i]);
}

/* How far the sum leads into its array. */
static struct rg_cnode *offset(struct places *x, const struct rg_cnode *e)
{
    if (e->kind == RG_C_BINARY) {
        struct rg_cnode *off = offset(x, e->kid[0]), *by = rg__c_cast(x->t, rg__c_copy(x->t, e->kid[1]), RG_LONG);
        return off->kind == RG_C_INT && !off->ivalue ? by : rg__c_binary(x->t, RG_COP_ADD, off, by);
    }
    const int a = rg__moves_pointer(e);
    return is_view(x, a) && x->is[a] ? rg__c_var(x->t, x->at[a]) : rg__c_int(x->t, 0);
}

static void rewrite(struct places *x, struct rg_cnode *n)
{
    struct rg_ctree *t = x->t;
    for (int i = 0; n && i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        if (!k) continue;
        rewrite(x, k);
        if (k->kind == RG_C_INDEX && is_view(x, k->array) && x->is[k->array])
            k->kid[0] = rg__c_binary(t, RG_COP_ADD, rg__c_var(t, x->at[k->array]), k->kid[0]);
        const int p = n->kind == RG_C_BLOCK ? rg__moves_moved(k) : -1;
        if (!is_view(x, p) || !x->is[p]) continue;
        bool whole;
        const struct rg_cnode *v = k->kid[0]->kid[1];
        struct rg_cnode *off = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, x->at[p]), offset(x, v)));
        off->line = k->line;
        off->column = k->column;
        k->kid[0]->kid[1] = rg__c_array_name(t, array_of(v, &whole));
        struct rg__kids both = {0};
        rg__kids_add(&both, off); /* it may read through the pointer as it was */
        rg__kids_add(&both, k);
        rg__block_splice(t, n, i, 1, &both);
        i++;
    }
}

/* A statement that is no block's own, the arm of an if say, can't become two. */
static void in_blocks(struct places *x, const struct rg_cnode *n)
{
    for (int i = 0; n && i < n->n; i++) {
        const int p = n->kid[i] ? rg__moves_moved(n->kid[i]) : -1;
        if (is_view(x, p) && x->is[p] && n->kind != RG_C_BLOCK) x->bad = true;
        in_blocks(x, n->kid[i]);
    }
}

void rg__canon_view_places(struct rg_ctree *t)
{
    struct places x = {.t = t, .n_arrays = t->n_arrays};
    x.is = rg_xcalloc((size_t)t->n_arrays + 1, sizeof *x.is);
    x.at = rg_xcalloc((size_t)t->n_arrays + 1, sizeof *x.at);
    bool any = false;
    do {
        x.more = false;
        mark(&x, t->root);
        any |= x.more;
    } while (x.more);
    if (any) check(&x, t->root);
    if (any) in_blocks(&x, t->root);
    if (any && !x.bad) {
        struct rg__kids front = {0};
        for (int a = 0; a < x.n_arrays; a++) {
            if (!x.is[a]) continue;
            x.at[a] = rg__c_add_var(t, rg_arena_printf(&t->arena, "%s_at", t->arrays[a].name), RG_CVAR_LOCAL, RG_LONG);
            struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 0);
            d->var = x.at[a];
            d->type = RG_LONG;
            d->line = t->root->line;
            rg__kids_add(&front, d);
        }
        rewrite(&x, t->root);
        rg__block_splice(t, t->root, 0, 0, &front);
    }
    free(x.is);
    free(x.at);
}
