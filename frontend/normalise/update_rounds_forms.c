/* Rounds in the form that the proof reads: an element is stored behind what asks whether it changes, the bound on the
 * number of rounds is the loop's and not the flag's, and `a |= x` says what is stored. In place, and undone where no
 * rounds are found. */
#include "frontend/normalise/update_rounds.h"
#include <stdint.h>
#include <stdlib.h>

/* a[p] = e of an element; NULL. */
static const struct rg_cnode *store_of(const struct rg_cnode *s)
{
    const struct rg_cnode *e = s && s->kind == RG_C_STMT ? s->kid[0] : NULL;
    return e && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_INDEX && !e->kid[0]->pointer ? e : NULL;
}

/* May the variables that are read below n differ behind `s`? */
static bool changes_reads(const struct rg_cnode *s, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_VAR && n->array < 0 && (rg__c_writes_var(s, n->var) || rg__c_declares(s, n->var))) return true;
    for (int i = 0; i < n->n; i++)
        if (changes_reads(s, n->kid[i])) return true;
    return false;
}

/* Sets scalars alone, and reads of the array the one element. */
static bool about_scalars(const struct rg_ctree *t, const struct rg_cnode *n, const struct rg_cnode *element)
{
    if (!n) return true;
    if (rg__c_is_expr(n)) {
        if (n->kind == RG_C_INDEX && n->array == element->array) return rg__c_same(n, element, RG__C_UNCAST);
        if (n->kind == RG_C_VAR && n->array == element->array) return false;
    } else if (n->kind == RG_C_STMT) {
        if (rg__round_sets(n) < 0 || (n->kid[0]->kind == RG_C_ASSIGN && !rg__c_pure(t, n->kid[0]->kid[1])))
            return false;
    } else if (n->kind == RG_C_DECL) {
        if (n->array >= 0 || n->pointer || (n->n && !rg__c_pure(t, n->kid[0]))) return false;
    } else if (n->kind != RG_C_IF && n->kind != RG_C_BLOCK) {
        return false;
    }
    if (n->kind == RG_C_IF && !rg__c_pure(t, n->kid[0])) return false;
    for (int i = 0; i < n->n; i++)
        if (!about_scalars(t, n->kid[i], element)) return false;
    return true;
}

static struct rg_cnode *with_value(struct rg_ctree *t, struct rg_cnode *n, const struct rg_cnode *element,
                                   const struct rg_cnode *value)
{
    if (!n) return NULL;
    if (n->kind == RG_C_INDEX && n->array == element->array) return rg__c_cast(t, rg__c_copy(t, value), n->type);
    for (int i = 0; i < n->n; i++) n->kid[i] = with_value(t, n->kid[i], element, value);
    return n;
}

/* A store changes places with what follows it, as far as that goes. */
static void sink(struct rg_ctree *t, struct rg_cnode *block, int at, struct rg__round_edits *e)
{
    for (; at + 1 < block->n; at++) {
        struct rg_cnode *s = block->kid[at], *next = block->kid[at + 1];
        const struct rg_cnode *set = store_of(s);
        if (!rg__c_pure(t, set->kid[1]) || !about_scalars(t, next, set->kid[0]) || changes_reads(next, set)) return;
        struct rg_cnode *moved = with_value(t, rg__c_copy(t, next), set->kid[0], set->kid[1]);
        rg__round_edit(e, &block->kid[at], moved);
        rg__round_edit(e, &block->kid[at + 1], s);
    }
}

static void sink_all(struct rg_ctree *t, struct rg_cnode *n, struct rg__round_edits *e)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) sink_all(t, n->kid[i], e);
    for (int i = n->n - 2; i >= 0 && n->kind == RG_C_BLOCK; i--)
        if (store_of(n->kid[i])) sink(t, n, i, e);
}

/* a |= x is a = a | x. */
static void spell(struct rg_ctree *t, struct rg_cnode *n, struct rg__round_edits *e)
{
    for (int i = 0; n && i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        if (!k || rg__c_is_expr(k)) continue;
        const struct rg_cnode *x = k->kind == RG_C_STMT ? k->kid[0] : NULL;
        if (!x || x->op != RG_COP_BOR_SET || x->kid[0]->kind != RG_C_INDEX || x->kid[0]->pointer) {
            spell(t, k, e);
            continue;
        }
        struct rg_cnode *to = x->kid[0], *v = rg__c_binary(t, RG_COP_BOR, rg__c_copy(t, to), rg__c_copy(t, x->kid[1])),
                        *set = rg__c_assign(t, RG_COP_SET, rg__c_copy(t, to), rg__c_cast(t, v, to->type));
        set->line = x->line;
        set->column = x->column;
        rg__round_edit(e, &k->kid[0], set);
    }
}

/* round + k < bound: the number of rounds that it leaves; NULL. */
static struct rg_cnode *rounds_left(struct rg_ctree *t, const struct rg_cnode *loop, const struct rg_cnode *c)
{
    c = rg__c_uncast(c, RG__C_INT_CASTS);
    double by;
    if (c->op != RG_COP_LT && c->op != RG_COP_LE) return NULL;
    const struct rg_cnode *x = rg__c_uncast(c->kid[0], RG__C_INT_CASTS), *end = c->kid[1];
    if (x->op != RG_COP_ADD || !rg__round_number(x->kid[1], &by) || by < 1 || by > 1 << 20) return NULL;
    x = rg__c_uncast(x->kid[0], RG__C_INT_CASTS);
    if (x->kind != RG_C_VAR || x->array >= 0 || x->var != loop->var || !rg__scalar_is_int(end->type) ||
        !rg_c_affine(t, end) || changes_reads(loop, end))
        return NULL;
    const int less = (int)by - 1 - (c->op == RG_COP_LE);
    struct rg_cnode *left = rg__c_copy(t, end);
    return less ? rg__c_binary(t, RG_COP_SUB, left, rg__c_int(t, less)) : left;
}

/* The flag asks whether there is a round left, too: the loop asks that itself. */
static void unbound(struct rg_ctree *t, struct rg_cnode *loop, struct rg__round_edits *e)
{
    struct rg_cnode *body = loop->kid[2], *set = NULL;
    const int go = loop->n == 4 ? loop->kid[3]->var : -1;
    if (go < 0 || loop->step != 1) return;
    for (int i = 0; i < body->n; i++) {
        struct rg_cnode *k = body->kid[i];
        if (!set && k->kind == RG_C_STMT && k->kid[0]->op == RG_COP_SET && rg__round_sets(k) == go)
            set = k;
        else if (rg__c_mentions_var(k, go))
            return;
    }
    struct rg_cnode *c = set ? set->kid[0]->kid[1] : NULL;
    double end, low;
    if (!c || c->op != RG_COP_AND || rg__round_asked_outside(t->root, go, loop) ||
        !rg__round_number(loop->kid[0], &low) || low != 0)
        return;
    for (int i = 0; i < 2; i++) {
        struct rg_cnode *left = rounds_left(t, loop, c->kid[i]);
        if (!left) continue;
        if (!rg__c_same(left, loop->kid[1], RG__C_UNCAST)) {
            if (!rg__round_number(loop->kid[1], &end) || end < INT32_MAX) return;
            struct rg_cnode *one = rg__c_int(t, 1); /* the first was asked for in front of the loop, if at all */
            rg__round_edit(
                e, &loop->kid[1],
                rg__round_either(t, rg__c_binary(t, RG_COP_GT, left, one), rg__c_copy(t, left), rg__c_copy(t, one)));
        }
        rg__round_edit(e, &set->kid[0]->kid[1], c->kid[1 - i]);
        return;
    }
}

void rg__round_plain_forms(struct rg_ctree *t, struct rg_cnode *loop, struct rg__round_edits *e)
{
    if (loop->kid[2]->kind != RG_C_BLOCK) return;
    unbound(t, loop, e);
    for (int i = 0; i < loop->kid[2]->n; i++) {
        struct rg_cnode *k = loop->kid[2]->kid[i];
        if (k->kind != RG_C_LOOP) continue;
        spell(t, k, e);
        sink_all(t, k, e);
    }
}
