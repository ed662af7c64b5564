/* Ping-pong buffers: a time loop whose body exchanges two pointers runs in pairs of iterations, the second with the
 * names exchanged; what stands behind the loop is chosen by the parity of its trips. */
#include "frontend/canon.h"
#include <stdlib.h>
#include <string.h>

struct exchange {
    int a, b;        /* arrays */
    int first, last; /* statements of the exchange in the body */
};

static int pointer_var(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && e->pointer ? e->var : -1;
}

static int pointer_array(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->pointer ? e->array : -1;
}

/* tmp = a; a = b; b = tmp; as three neighbours. */
static bool find_exchange(const struct rg_cnode *b, struct exchange *x)
{
    for (int i = 0; i + 2 < b->n; i++) {
        const struct rg_cnode *d = b->kid[i], *s1 = b->kid[i + 1], *s2 = b->kid[i + 2];
        int tmp = -1;
        const struct rg_cnode *from = NULL;
        if (d->kind == RG_C_DECL && d->pointer && d->n)
            tmp = d->var, from = d->kid[0];
        else if (d->kind == RG_C_STMT && d->kid[0]->kind == RG_C_ASSIGN && d->kid[0]->text[0] == '=')
            tmp = pointer_var(d->kid[0]->kid[0]), from = d->kid[0]->kid[1];
        if (tmp < 0 || pointer_array(from) < 0 || s1->kind != RG_C_STMT || s2->kind != RG_C_STMT) continue;
        const struct rg_cnode *m = s1->kid[0], *n = s2->kid[0];
        if (m->kind != RG_C_ASSIGN || n->kind != RG_C_ASSIGN || strcmp(m->text, "=") || strcmp(n->text, "=")) continue;
        int a = pointer_array(from), c = pointer_array(m->kid[1]);
        if (pointer_array(m->kid[0]) != a || c < 0 || pointer_array(n->kid[0]) != c || pointer_var(n->kid[1]) != tmp)
            continue;
        *x = (struct exchange){a, c, i, i + 2};
        return true;
    }
    return false;
}

static bool moves(const struct rg_cnode *n, int a, int b)
{
    if (!n) return false;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) &&
        (pointer_array(n->kid[0]) == a || pointer_array(n->kid[0]) == b))
        return true;
    for (int i = 0; i < n->n; i++)
        if (moves(n->kid[i], a, b)) return true;
    return false;
}

static void rename_arrays(struct rg_cnode *n, int a, int b)
{
    if (!n) return;
    if (n->array == a)
        n->array = b;
    else if (n->array == b)
        n->array = a;
    for (int i = 0; i < n->n; i++) rename_arrays(n->kid[i], a, b);
}

/* A copy has loop variables and locals of its own: every declaration is its own variable. */
static void fresh_vars(struct rg_ctree *t, struct rg_cnode *root, struct rg_cnode *n)
{
    if (!n) return;
    if (n->kind == RG_C_LOOP || (n->kind == RG_C_DECL && n->var >= 0 && n->array < 0)) {
        const struct rg_cvar old = t->vars[n->var];
        int v = rg__c_add_var(t, old.name, old.kind, old.type), was = n->var;
        t->vars[v].c_type = old.c_type;
        t->vars[v].struct_index = old.struct_index;
        rg__c_replace_var(t, root, was, rg__c_var(t, v));
        n->var = v;
    }
    for (int i = 0; i < n->n; i++) fresh_vars(t, root, n->kid[i]);
}

/* Statements of the body without the exchange; those behind it see the names exchanged. */
static struct rg_cnode *iteration(struct rg_ctree *t, const struct rg_cnode *body, const struct exchange *x, bool odd)
{
    struct rg__kids k = {0};
    for (int i = 0; i < body->n; i++) {
        if (i >= x->first && i <= x->last) continue;
        struct rg_cnode *c = rg__c_copy(t, body->kid[i]);
        if (odd != (i > x->last)) rename_arrays(c, x->a, x->b);
        rg__kids_add(&k, c);
    }
    struct rg_cnode *b = rg__kids_node(t, RG_C_BLOCK, &k);
    fresh_vars(t, b, b);
    return b;
}

static bool local_arrays(const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_DECL && n->array >= 0) return true;
    for (int i = 0; i < n->n; i++)
        if (local_arrays(n->kid[i])) return true;
    return false;
}

static void append(struct rg__kids *k, const struct rg_cnode *b)
{
    for (int i = 0; i < b->n; i++) rg__kids_add(k, b->kid[i]);
}

static bool pair_iterations(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    struct rg_cnode *l = block->kid[at], *body = l->kid[2];
    struct exchange x;
    if (l->step != 1 || !find_exchange(body, &x) || local_arrays(body)) return false;
    const struct rg_carray *p = &t->arrays[x.a], *q = &t->arrays[x.b];
    if (p->elem != q->elem || p->n_dims != q->n_dims || p->is_const || q->is_const) return false;
    for (int i = 0; i < body->n; i++)
        if ((i < x.first || i > x.last) && moves(body->kid[i], x.a, x.b)) return false;
    for (int i = 0; i < t->root->n; i++)
        if (t->root->kid[i] != l && moves(t->root->kid[i], x.a, x.b)) return false;
    struct rg_cnode *trips = rg__c_binary(t, "-", rg__c_copy(t, l->kid[1]), rg__c_copy(t, l->kid[0]));
    if (l->kid[0]->kind == RG_C_INT && l->kid[0]->ivalue == 0) trips = rg__c_copy(t, l->kid[1]);
    struct rg_cnode *even = iteration(t, body, &x, false), *odd = iteration(t, body, &x, true),
                    *last = iteration(t, body, &x, false);
    int iter = l->var;
    /* iteration number lower + 2 k, then + 1 */
    struct rg_cnode *k2 = rg__c_binary(t, "*", rg__c_int(t, 2), rg__c_var(t, iter));
    struct rg_cnode *now = rg__c_binary(t, "+", rg__c_copy(t, l->kid[0]), k2);
    struct rg__kids both = {0}, rest = {0}, with = {0};
    append(&both, rg__c_replace_var(t, even, iter, now));
    append(&both, rg__c_replace_var(t, odd, iter, rg__c_binary(t, "+", rg__c_copy(t, now), rg__c_int(t, 1))));
    struct rg_cnode *end = rg__c_binary(t, "-", rg__c_copy(t, l->kid[1]), rg__c_int(t, 1));
    last = rg__c_replace_var(t, last, iter, end);
    struct rg_cnode *is_odd =
        rg__c_binary(t, "==", rg__c_binary(t, "%", rg__c_copy(t, trips), rg__c_int(t, 2)), rg__c_int(t, 1));
    struct rg_cnode *choice = rg_cnode_new(t, RG_C_IF, 2);
    choice->kid[0] = is_odd;
    choice->kid[1] = last;
    choice->line = l->line;
    for (int i = at + 1; i < block->n; i++) rg__kids_add(&rest, block->kid[i]);
    struct rg_cnode *behind = rg__kids_node(t, RG_C_BLOCK, &rest);
    l->kid[1] = rg__c_binary(t, "/", trips, rg__c_int(t, 2));
    l->kid[0] = rg__c_int(t, 0);
    l->kid[2] = rg__kids_node(t, RG_C_BLOCK, &both);
    rg__kids_add(&with, l);
    rg__kids_add(&with, choice);
    if (rg__c_mentions_array(behind, x.a) || rg__c_mentions_array(behind, x.b)) {
        struct rg_cnode *swapped = rg__c_copy(t, behind), *fork = rg_cnode_new(t, RG_C_IF, 3);
        rename_arrays(swapped, x.a, x.b);
        fresh_vars(t, swapped, swapped);
        fork->kid[0] = rg__c_copy(t, is_odd);
        fork->kid[1] = swapped;
        fork->kid[2] = behind;
        fork->line = behind->n ? behind->kid[0]->line : l->line;
        rg__kids_add(&with, fork);
    } else {
        append(&with, behind);
    }
    rg__block_splice(t, block, at, block->n - at, &with);
    return true;
}

void rg__canon_swaps(struct rg_ctree *t)
{
    for (int i = 0; i < t->root->n; i++)
        if (t->root->kid[i]->kind == RG_C_LOOP && pair_iterations(t, t->root, i)) return;
}
