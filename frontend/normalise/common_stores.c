/* Stores that both arms of a condition make: if (c) { a[i] = e; .. } else { ..; a[i] = f; } is
 *     if (c) { v = e; .. } else { ..; v = f; }
 *     a[i] = v;
 * in loops that read other elements of the array. Each iteration surely stores its element then, by one statement, so
 * that it is seen what the loop carries from one to the next. An arm's other statements behind the store leave the
 * array and the place alone. */
#include "frontend/normalise/canon.h"
#include <string.h>

struct stores {
    struct rg_ctree *t;
    const struct rg_problem *p;
    const struct rg_cnode *loop;
};

/* A place made of scalars that the condition's arms do not write. */
static bool stays(const struct rg_cnode *e, const struct rg_cnode *arms)
{
    if (e->kind == RG_C_VAR)
        return e->array < 0 && !e->pointer && !rg__c_writes_var(arms, e->var) && !rg__c_declares(arms, e->var) &&
               !rg__c_binds(arms, e->var);
    if (e->kind != RG_C_INT && e->kind != RG_C_CAST && e->kind != RG_C_BINARY && e->op != RG_COP_NEG) return false;
    for (int i = 0; i < e->n; i++)
        if (!stays(e->kid[i], arms)) return false;
    return true;
}

/* The element that a statement stores, of an array of numbers; NULL. */
static const struct rg_cnode *stored(const struct rg_ctree *t, const struct rg_cnode *s)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL, *to = e ? e->kid[0] : NULL;
    if (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || to->kind != RG_C_INDEX || to->pointer || to->array < 0)
        return NULL;
    const struct rg_carray *a = &t->arrays[to->array];
    const bool number = a->elem != RG_STRUCT && a->elem != RG_F16 && to->n == a->n_dims && !a->view;
    return number && rg__c_pure(t, e->kid[1]) ? to : NULL;
}

/* May the statement name memory of the array? */
static bool touches(const struct stores *x, const struct rg_cnode *s, int array)
{
    const struct rg_ctree *t = x->t;
    const struct rg_carray *a = &t->arrays[array];
    for (int o = 0; o < t->n_arrays; o++) {
        const struct rg_carray *b = &t->arrays[o];
        const bool both = a->param >= 0 && b->param >= 0;
        const bool one = o == array || b->view || (both && (a->param == b->param || x->p->may_alias));
        if (one && rg__c_mentions_array(s, o)) return true;
    }
    return rg__mentions_kind(s, RG_C_VERBATIM) || rg__mentions_kind(s, RG_C_OPAQUE) || rg__leaves_early(s) ||
           rg__mentions_kind(s, RG_C_RETURN);
}

/* Where the arm stores to the place, as its only store to the array and the last that it has to do with it; -1. */
static int store_of(const struct stores *x, const struct rg_cnode *arm, const struct rg_cnode *place)
{
    int at = -1;
    for (int i = 0; i < arm->n; i++) {
        const struct rg_cnode *s = arm->kid[i], *to = stored(x->t, s);
        if (at >= 0 && touches(x, s, place->array)) return -1;
        if (to && rg__c_equal(to, place))
            at = i;
        else if (rg__writes_array(s, place->array) || rg__leaves_early(s))
            return -1;
        bool calls = s->kind == RG_C_STMT && s->kid[0]->kind == RG_C_CALL && !rg__c_pure(x->t, s->kid[0]);
        if (calls) return -1;
    }
    return at;
}

/* Does anything below read another element of the array? */
static bool reads_another(const struct rg_cnode *n, const struct rg_cnode *place)
{
    if (!n) return false;
    if (n->kind == RG_C_INDEX && n->array == place->array && !rg__c_equal(n, place)) return true;
    for (int i = 0; i < n->n; i++)
        if (reads_another(n->kid[i], place)) return true;
    return false;
}

/* if at block->kid[at]; true: a store of its arms stands behind it. */
static bool sunk(struct stores *x, struct rg_cnode *block, int at)
{
    struct rg_ctree *t = x->t;
    struct rg_cnode *c = block->kid[at];
    if (c->n < 3 || !c->kid[2] || c->kid[1]->kind != RG_C_BLOCK || c->kid[2]->kind != RG_C_BLOCK) return false;
    for (int i = c->kid[1]->n - 1; i >= 0; i--) {
        const struct rg_cnode *place = stored(t, c->kid[1]->kid[i]);
        if (!place || !reads_another(x->loop, place)) continue;
        bool fixed = true;
        for (int d = 0; d < place->n; d++) fixed = fixed && stays(place->kid[d], c);
        const int in[] = {store_of(x, c->kid[1], place), store_of(x, c->kid[2], place)};
        if (!fixed || in[0] != i || in[1] < 0) continue;
        const enum rg_scalar type = t->arrays[place->array].elem;
        const int v = rg__c_add_var(t, t->arrays[place->array].name, RG_CVAR_LOCAL, type);
        struct rg_cnode *declared = rg_cnode_new(t, RG_C_DECL, 0), *first = c->kid[1]->kid[i],
                        *behind = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_copy(t, place), rg__c_var(t, v)));
        declared->var = v;
        declared->type = type;
        declared->line = c->line;
        declared->column = c->column;
        behind->line = first->line;
        behind->column = first->column;
        for (int arm = 1; arm <= 2; arm++) {
            struct rg_cnode *s = c->kid[arm]->kid[in[arm - 1]];
            s->kid[0] = rg__c_assign(t, RG_COP_SET, rg__c_var(t, v), rg__c_cast(t, s->kid[0]->kid[1], type));
        }
        struct rg__kids with = {0};
        rg__kids_add(&with, declared);
        rg__kids_add(&with, c);
        rg__kids_add(&with, behind);
        rg__block_splice(t, block, at, 1, &with);
        return true;
    }
    return false;
}

static void arms(struct stores *x, struct rg_cnode *block)
{
    for (int i = 0; block && block->kind == RG_C_BLOCK && i < block->n; i++) {
        struct rg_cnode *s = block->kid[i];
        if (s->kind != RG_C_IF) continue;
        for (int k = 1; k < s->n; k++) arms(x, s->kid[k]);
        while (sunk(x, block, i)) i++; /* its declaration stands in front now */
    }
}

static bool loops(void *arg, struct rg_cnode *n)
{
    struct stores *x = arg;
    if (n->kind == RG_C_LOOP && n->kid[2]->kind == RG_C_BLOCK) {
        x->loop = n->kid[2];
        arms(x, n->kid[2]);
    }
    return !rg__c_is_expr(n);
}

void rg__canon_common_stores(struct rg_ctree *t, const struct rg_problem *p)
{
    struct stores x = {t, p, NULL};
    rg__c_walk(t->root, loops, &x);
}
