/* Arrays get their dimensions: canonical tree, rows off the subscripts. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/delinear.h"
#include "frontend/infer/infer.h"
#include "frontend/normalise/shape.h"
#include <stdlib.h>
#include <string.h>

/* T **: how long the rows are, off the subscripts that go along them, before anything asks for it. */
static enum rg_status infer_rows(struct rg__load *l)
{
    bool all = true;
    for (int a = 0; a < l->t->n_arrays; a++) {
        struct rg_carray *x = &l->t->arrays[a];
        struct rg_param *q = x->param >= 0 && !x->constant_table ? &l->p->params[x->param] : NULL;
        for (int d = 0; q && d < q->n_dims && x->n_dims == q->n_dims; d++) {
            const struct rg_expr *e, **dims;
            if (q->dims[d] || (d == 0 && !q->indirect)) continue;
            if (!rg__infer_dim(l->t, l->p, a, d, &l->p->arena, &e)) {
                all = all && d == 0;
                continue;
            }
            dims = rg_arena_alloc(&l->p->arena, (size_t)q->n_dims * sizeof *dims);
            memcpy(dims, q->dims, (size_t)q->n_dims * sizeof *dims);
            dims[d] = e;
            x->dims = q->dims = dims;
            q->extent_inferred = true;
        }
    }
    return all ? RG_OK : rg__require_extents(l);
}

struct kept { /* of a tree: what the passes from here on change */
    struct rg_cnode *root;
    int n_vars, n_arrays, n_need;
    struct rg_cvar *vars;
    struct rg_carray *arrays;
    struct rg__requirement *need;
};

static struct kept keep(struct rg__load *l)
{
    struct rg_ctree *t = l->t;
    struct kept k = {.root = t->root, .n_vars = t->n_vars, .n_arrays = t->n_arrays, .n_need = l->need.n};
    k.vars = rg_arena_alloc(&t->arena, (size_t)(k.n_vars + 1) * sizeof *k.vars);
    k.arrays = rg_arena_alloc(&t->arena, (size_t)(k.n_arrays + 1) * sizeof *k.arrays);
    k.need = rg_arena_alloc(&t->arena, (size_t)(k.n_need + 1) * sizeof *k.need);
    if (k.n_need) memcpy(k.need, l->need.items, (size_t)k.n_need * sizeof *k.need);
    if (k.n_vars) memcpy(k.vars, t->vars, (size_t)k.n_vars * sizeof *k.vars);
    if (k.n_arrays) memcpy(k.arrays, t->arrays, (size_t)k.n_arrays * sizeof *k.arrays);
    return k;
}

/* Tables only ever grow: there is room. */
static void put_back(struct rg__load *l, const struct kept *k)
{
    struct rg_ctree *t = l->t;
    t->root = k->root;
    t->n_vars = k->n_vars;
    t->n_arrays = k->n_arrays;
    l->need.n = k->n_need;
    if (k->n_need) memcpy(l->need.items, k->need, (size_t)k->n_need * sizeof *k->need);
    if (k->n_vars) memcpy(t->vars, k->vars, (size_t)k->n_vars * sizeof *k->vars);
    if (k->n_arrays) memcpy(t->arrays, k->arrays, (size_t)k->n_arrays * sizeof *k->arrays);
}

/* Elements whose place is not affine; marks those arrays that have them because of variables from `from` on. */
static int not_affine(const struct rg_ctree *t, const struct rg_cnode *n, int from, bool *array)
{
    if (!n) return 0;
    int count = 0;
    for (int i = 0; i < n->n; i++) {
        bool place = n->kind == RG_C_INDEX && !rg_c_affine(t, n->kid[i]);
        count += place;
        for (int v = from; v < t->n_vars && place && array; v++)
            if (rg__c_mentions_var(n->kid[i], v)) array[n->array] = true;
        count += not_affine(t, n->kid[i], from, array);
    }
    return count;
}

static enum rg_status shape(struct rg__load *l)
{
    rg__canonicalize(l->t, l->p);
    enum rg_status st = infer_rows(l);
    if (st == RG_OK) rg__delinearize(l->t, l->p, &l->p->arena, &l->need);
    return st;
}

enum rg_status rg__shape_arrays(struct rg__load *l)
{
    struct rg_ctree *t = l->t;
    struct rg_problem *p = l->p;
    struct kept before = keep(l);
    before.root = rg__c_copy(t, t->root);
    enum rg_status st = shape(l);
    if (st != RG_OK) return st;
    /* A loop over n*m elements has become a nest for the sake of rows that its arrays then did not get: as it stood, up to a symbol, it is affine. */
    bool *array = rg_xcalloc((size_t)t->n_arrays + 1, sizeof *array);
    int n_params = p->n_params, n_sizes = p->n_size_params, was = not_affine(t, t->root, before.n_vars, array);
    bool any = false;
    for (int a = 0; a < before.n_arrays; a++) any = any || array[a];
    struct kept first = keep(l);
    if (any) {
        for (int a = 0; a < before.n_arrays; a++) /* rows of tables are known by now */
            if (t->arrays[a].param >= 0 && p->params[t->arrays[a].param].indirect) before.arrays[a] = t->arrays[a];
        put_back(l, &before);
        bool better = rg__derive_products(l, array) > 0;
        if (better) st = shape(l);
        if (!better || st != RG_OK || not_affine(t, t->root, 0, NULL) >= was) {
            put_back(l, &first);
            p->n_params = n_params;
            p->n_size_params = n_sizes;
            st = RG_OK;
        }
    }
    free(array);
    return st;
}
