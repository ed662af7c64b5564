/* Scratch of the caller's: an array behind a parameter that every iteration of a loop fills as a whole before it reads
 * it, in places that data or rounds decide (a column that is transformed on its own). Each iteration has one of its
 * own, which a local array is (private_arrays.c goes on with it), and the last stores it for the caller, who may look.
 * Where all places are known, the dependence analysis does the same (poly/reorder/array_expansion.c). */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/filled_first.h"
#include <stdlib.h>

struct scratch {
    struct rg_ctree *t;
    const struct rg_problem *p;
    const struct rg__given *given;
    const struct rg_cnode *around[RG__MAX_NEST];
    int n_around;
};

/* Are there places of it that are no linear ones? */
static bool places_unknown(const struct rg_ctree *t, const struct rg_cnode *n, int array)
{
    if (!n || !rg__c_mentions_array(n, array)) return false;
    if (n->kind == RG_C_INDEX && n->array == array && !rg_c_affine(t, n->kid[0])) return true;
    for (int i = 0; i < n->n; i++)
        if (places_unknown(t, n->kid[i], array)) return true;
    return false;
}

/* Named by its elements alone. */
static bool by_elements(const struct rg_cnode *n, int array)
{
    if (n->kind == RG_C_OPAQUE || n->kind == RG_C_VERBATIM) return !rg__c_mentions_array(n, array);
    if (n->array == array && (n->kind != RG_C_INDEX || n->pointer || n->n != 1)) return false;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !by_elements(n->kid[i], array)) return false;
    return true;
}

/* A local array like the parameter's. */
static int like(struct rg_ctree *t, const struct rg_problem *p, int array)
{
    const int own = rg__c_add_array(t, t->arrays[array].name, t->arrays[array].elem);
    const struct rg_carray *x = &t->arrays[array];
    struct rg_carray *o = &t->arrays[own];
    o->struct_index = x->struct_index;
    o->c_elem = x->c_elem;
    o->mallocd = true;
    o->n_dims = 1;
    o->dims = p->params[x->param].dims;
    return own;
}

/* if (c == last) for (k = 0; k < n; k++) x[k] = own[k]; */
static struct rg_cnode *store(struct rg_ctree *t, const struct rg_cnode *loop, int array, int own)
{
    const struct rg_carray *x = &t->arrays[array];
    struct rg_cnode *l = rg_cnode_new(t, RG_C_LOOP, 3), *body = rg_cnode_new(t, RG_C_BLOCK, 1),
                    *when = rg_cnode_new(t, RG_C_IF, 2), *block = rg_cnode_new(t, RG_C_BLOCK, 1), *element[2];
    const int k = rg__c_add_var(t, "k", RG_CVAR_ITER, RG_LONG);
    for (int i = 0; i < 2; i++) {
        element[i] = rg_cnode_new(t, RG_C_INDEX, 1);
        element[i]->array = i ? own : array;
        element[i]->type = x->elem;
        element[i]->struct_index = x->struct_index;
        element[i]->kid[0] = rg__c_var(t, k);
    }
    body->kid[0] = rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, element[0], element[1])), loop);
    l->var = k;
    l->step = 1;
    l->kid[0] = rg__c_cast(t, rg__c_int(t, 0), RG_LONG);
    l->kid[1] = rg__c_cast(t, rg__c_from_expr(t, t->arrays[own].dims[0]), RG_LONG);
    l->kid[2] = body;
    block->kid[0] = rg__c_stands(l, loop);
    struct rg_cnode *last = rg__c_binary(t, loop->step > 0 ? RG_COP_SUB : RG_COP_ADD, rg__c_copy(t, loop->kid[1]),
                                         rg__c_cast(t, rg__c_int(t, 1), loop->kid[1]->type));
    when->kid[0] = rg__c_binary(t, RG_COP_EQ, rg__c_var(t, loop->var), last);
    when->kid[1] = block;
    return rg__c_stands(when, loop);
}

static void own_scratch(struct scratch *x, struct rg_cnode *loop, int array)
{
    struct rg_ctree *t = x->t;
    const int own = like(t, x->p, array);
    rg__c_rename_array(loop->kid[2], array, own);
    x->around[x->n_around] = loop;
    if (!rg__fills_all_first(t, x->p, x->given, own, x->around, x->n_around + 1, loop->kid[2])) {
        rg__c_rename_array(loop->kid[2], own, array);
        return;
    }
    struct rg_cnode *d = rg__c_new(&t->arena, RG_C_DECL, RG_COP_NONE, t->arrays[own].elem, 0, loop);
    d->array = own;
    d->var = -1;
    struct rg__kids front = {0}, end = {0};
    rg__kids_add(&front, d);
    rg__kids_add(&end, store(t, loop, array, own));
    rg__block_splice(t, loop->kid[2], loop->kid[2]->n, 0, &end);
    rg__block_splice(t, loop->kid[2], 0, 0, &front);
}

static bool may_be(const struct scratch *x, const struct rg_cnode *loop, int array)
{
    const struct rg_carray *a = &x->t->arrays[array];
    if (a->param < 0 || a->is_const || a->view || a->n_dims != 1 || x->p->params[a->param].n_dims != 1 ||
        !x->p->params[a->param].dims || !x->p->params[a->param].dims[0] || x->p->params[a->param].rows)
        return false;
    return rg__writes_array(loop->kid[2], array) && by_elements(loop->kid[2], array) &&
           places_unknown(x->t, loop->kid[2], array) && !rg__c_mentions_array(loop->kid[0], array) &&
           !rg__c_mentions_array(loop->kid[1], array);
}

static void walk(struct scratch *x, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_OPAQUE || n->kind == RG_C_VERBATIM) return;
    const bool loop = n->kind == RG_C_LOOP;
    if (loop && x->n_around + 1 >= RG__MAX_NEST) return;
    if (loop && n->n == 3 && (n->step == 1 || n->step == -1) && n->kid[2]->kind == RG_C_BLOCK &&
        rg__c_has_loop(n->kid[2]) && !rg__leaves_early(n->kid[2]) && !rg__c_writes_var(n->kid[2], n->var))
        for (int a = 0, last = x->t->n_arrays; a < last; a++)
            if (may_be(x, n, a)) own_scratch(x, n, a);
    if (loop) x->around[x->n_around++] = n;
    for (int i = 0; i < n->n; i++) walk(x, n->kid[i]);
    if (loop) x->n_around--;
}

void rg__canon_callers_scratch(struct rg_ctree *t, const struct rg_problem *p)
{
    if (p->may_alias) return;
    struct rg__given *given = rg__given_of(t, p);
    struct scratch x = {.t = t, .p = p, .given = given};
    walk(&x, t->root);
    rg__given_free(given);
}
