/* Array privatisation: a local array that every iteration of a loop fills before it reads it is declared in the body of
 * that loop. Helpers bring such arrays (`double st[4]` of a stencil at the top of a function that is put in place),
 * time loops stand around them, people allocate one row in front of the loop over rows, and no loop that shares one
 * could run in parallel. Large ones whose places are all known stay where they are: expanded to a place for each
 * iteration (poly/reorder/array_expansion.c) the loops inside run in parallel, too. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/filled_first.h"
#include "frontend/normalise/pointer_rotation.h"
#include "frontend/normalise/sorted_scratch.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_DIMS = RG__FILLED_DIMS, MAX_ELEMENTS = 1024 };

static bool local(const struct rg_carray *x)
{
    return x->param < 0 && !x->constant_table && !x->view && x->n_dims >= 1 && x->n_dims <= MAX_DIMS && x->dims &&
           x->dims[0];
}

static bool small(const struct rg_carray *x)
{
    int64_t elements = 1;
    for (int d = 0; d < x->n_dims; d++) {
        if (x->dims[d]->kind != RG_EXPR_INT || x->dims[d]->value < 1 || x->dims[d]->value > MAX_ELEMENTS) return false;
        elements *= x->dims[d]->value;
    }
    return elements <= MAX_ELEMENTS;
}

/* Are there places of it that data decide, or code that nobody looks into? */
static bool places_unknown(const struct rg_ctree *t, const struct rg_cnode *n, int array)
{
    if (!n || !rg__c_mentions_array(n, array)) return false;
    if (n->kind == RG_C_OPAQUE) return true;
    for (int i = 0; i < n->n; i++) {
        if (n->kind == RG_C_INDEX && n->array == array && !rg_c_affine(t, n->kid[i])) return true;
        if (places_unknown(t, n->kid[i], array)) return true;
    }
    return false;
}

/* Does the loop's body use it under a condition on data? What is written there is then no matter of places. */
static bool under_data(const struct rg_ctree *t, const struct rg_cnode *n, int array)
{
    if (!n || rg__c_is_expr(n) || !rg__c_mentions_array(n, array)) return false;
    if (n->kind == RG_C_IF && (n->kid[0]->kind == RG_C_VAR || !rg_c_affine(t, n->kid[0]))) return true;
    for (int i = 0; i < n->n; i++)
        if (under_data(t, n->kid[i], array)) return true;
    return false;
}

/* Does each iteration have a large array of its own already? The loop runs in parallel as a whole or not at all. */
static bool declares_large(const struct rg_ctree *t, const struct rg_cnode *body)
{
    for (int i = 0; i < body->n; i++)
        if (body->kid[i]->kind == RG_C_DECL && body->kid[i]->array >= 0 && local(&t->arrays[body->kid[i]->array]) &&
            !small(&t->arrays[body->kid[i]->array]))
            return true;
    return false;
}

/* The one statement of the block that mentions it, its declaration and what fills it in front of that aside; NULL:
 * several. */
static struct rg_cnode *only_user(struct rg_cnode *block, int array)
{
    struct rg_cnode *only = NULL;
    for (int i = 0; i < block->n; i++) {
        struct rg_cnode *s = block->kid[i];
        if ((s->kind == RG_C_DECL && s->array == array) || !rg__c_mentions_array(s, array)) continue;
        if (!only && rg__only_fills(s, array)) continue;
        if (only) return NULL;
        only = s;
    }
    return only;
}

/* What fills it in front of a loop whose iterations fill it themselves is dead. */
static void drop_fills(struct rg_ctree *t, struct rg_cnode *n, int array, const struct rg_cnode *home)
{
    struct rg__kids none = {0};
    if (!n || n == home || rg__c_is_expr(n)) return;
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++)
        if (n->kid[i] != home && rg__only_fills(n->kid[i], array)) rg__block_splice(t, n, i--, 1, &none);
    for (int i = 0; i < n->n; i++) drop_fills(t, n->kid[i], array, home);
}

struct nest { /* what leads to a place */
    int n;
    const struct rg_cnode *loops[RG__MAX_NEST];
};

/* The innermost loop around all uses below `s` whose iterations fill it first; NULL. *split: the block where several
 * statements use it, and what is around that. */
static struct rg_cnode *home(struct rg_ctree *t, const struct rg_problem *p, const struct rg__given *given,
                             struct rg_cnode *s, int array, struct nest *around, struct rg_cnode **split)
{
    struct rg_cnode *found = NULL;
    while (s && around->n < RG__MAX_NEST) {
        if (s->kind == RG_C_LOOP) {
            if (rg__c_mentions_array(s->kid[0], array) || rg__c_mentions_array(s->kid[1], array) ||
                (s->n > 3 && rg__c_mentions_array(s->kid[3], array)))
                break;
            around->loops[around->n++] = s;
            if (s->n <= 3 && rg__fills_first(t, p, given, array, around->loops, around->n, s->kid[2])) found = s;
            s = s->kid[2];
        } else if (s->kind == RG_C_BLOCK) {
            struct rg_cnode *only = only_user(s, array);
            if (!only && split) *split = s;
            s = only;
        } else if (s->kind == RG_C_IF && !rg__c_mentions_array(s->kid[0], array)) {
            struct rg_cnode *arm = rg__c_mentions_array(s->kid[1], array) ? s->kid[1] : NULL;
            if (s->n > 2 && rg__c_mentions_array(s->kid[2], array)) arm = arm ? NULL : s->kid[2];
            s = arm;
        } else {
            break;
        }
    }
    return found;
}

/* Scratch of several nests, one behind the other, each of which fills it before it reads it: an array for each.
 * Declared behind block[at], the declaration of the first. */
static bool one_for_each(struct rg_ctree *t, const struct rg_problem *p, const struct rg__given *given,
                         struct rg_cnode *block, int at, struct rg_cnode *uses, const struct nest *around)
{
    const int array = block->kid[at]->array;
    struct rg__kids users = {0}, made = {0};
    bool all = true;
    for (int i = 0; i < uses->n && all; i++) {
        struct rg_cnode *s = uses->kid[i];
        struct nest in = *around;
        if (s == block->kid[at] || !rg__c_mentions_array(s, array) || (!users.n && rg__only_fills(s, array))) continue;
        all = home(t, p, given, s, array, &in, NULL) != NULL;
        rg__kids_add(&users, s);
    }
    for (int i = 1; i < users.n && all; i++) {
        const struct rg_carray of = t->arrays[array];
        int own = rg__c_add_array(t, of.name, of.elem);
        const char *name = t->arrays[own].name;
        t->arrays[own] = of;
        t->arrays[own].name = name;
        struct rg_cnode *d = rg__c_copy(t, block->kid[at]);
        d->array = own;
        rg__c_rename_array(users.items[i], array, own);
        rg__kids_add(&made, d);
    }
    all = all && made.n;
    if (all) rg__block_splice(t, block, at + 1, 0, &made);
    free(users.items);
    return all;
}

/* Does a loop that uses it move pointers from array to array? It will be written out, and nobody sees any more that all
 * of its copies fill it together. */
static bool turns(const struct rg_cnode *n, int array)
{
    if (!n || rg__c_is_expr(n) || !rg__c_mentions_array(n, array)) return false;
    if (n->kind == RG_C_LOOP && rg__moves_any(n->kid[2])) return true;
    for (int i = 0; i < n->n; i++)
        if (turns(n->kid[i], array)) return true;
    return false;
}

/* early: only those that such loops use. */
static void look(struct rg_ctree *t, const struct rg_problem *p, const struct rg__given *given, struct rg_cnode *n,
                 bool early)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_OPAQUE) return;
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        struct rg_cnode *d = n->kid[i];
        if (d->kind != RG_C_DECL || d->array < 0 || d->n || !local(&t->arrays[d->array])) continue;
        if (early && !turns(n, d->array)) continue;
        struct nest around = {0};
        struct rg_cnode *split = NULL, *loop = home(t, p, given, n, d->array, &around, &split);
        if (early && loop && !turns(loop->kid[2], d->array)) continue;
        if (!loop && split && !early && small(&t->arrays[d->array]) &&
            one_for_each(t, p, given, n, i, split, &around)) {
            i--; /* the first has one nest alone now */
            continue;
        }
        if (!loop) continue;
        drop_fills(t, n, d->array, loop);
        bool little = small(&t->arrays[d->array]);
        if (!little && !early && t->arrays[d->array].elem != RG_STRUCT && !places_unknown(t, loop->kid[2], d->array) &&
            !under_data(t, loop->kid[2], d->array) && !declares_large(t, loop->kid[2]))
            continue;
        if (!little && rg__mentions_sort(loop->kid[2], d->array) &&
            (early || rg__sorted_scratch(t, p, loop, d->array) != RG__SCRATCH_OWN))
            continue;
        struct rg__kids none = {0}, front = {0};
        if (little) t->arrays[d->array].mallocd = false; /* its iteration's own: no memory to ask for */
        rg__block_splice(t, n, i--, 1, &none);
        rg__kids_add(&front, d);
        rg__block_splice(t, loop->kid[2], 0, 0, &front);
    }
    for (int i = 0; i < n->n; i++) look(t, p, given, n->kid[i], early);
}

static void private_arrays(struct rg_ctree *t, const struct rg_problem *p, bool early)
{
    struct rg__given *given = rg__given_of(t, p);
    look(t, p, given, t->root, early);
    rg__given_free(given);
}

void rg__canon_private(struct rg_ctree *t, const struct rg_problem *p)
{
    private_arrays(t, p, false);
}

void rg__canon_private_turning(struct rg_ctree *t, const struct rg_problem *p)
{
    private_arrays(t, p, true);
}
