/* Sinking of stores: what every iteration stores to one and the same element, and nothing in the loop asks for, is the
 * last iteration's.
 *     for (i..n) { t = a[i]; a[i] = s; s += t; a[n] = s; }   becomes   for (i..n) { .. }  if (0 < n) a[n] = s;  */
#include "frontend/normalise/canon.h"
#include <stdlib.h>

struct sink {
    struct rg_ctree *t;
    struct rg__range *r;
    const struct rg__given *given;
    const struct rg_cnode *loop, *body;
    int at;
    const struct rg_cnode *to; /* the element */
};

/* The same at the end of the loop as in its last iteration at statement `at`, and made of nothing that ends with it. */
static bool lasts(const struct sink *s, const struct rg_cnode *e, bool place)
{
    if (e->pointer || e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS || e->kind == RG_C_ASSIGN ||
        e->kind == RG_C_INCDEC || e->kind == RG_C_VERBATIM || (e->kind == RG_C_CALL && !rg__c_pure(s->t, e)))
        return false;
    if (e->kind == RG_C_INDEX && (place || rg__writes_array(s->loop, e->array))) return false;
    if (e->kind == RG_C_VAR) {
        if (e->array >= 0 || e->var == s->loop->var || rg__c_declares(s->body, e->var) || rg__c_binds(s->body, e->var))
            return false;
        for (int i = place ? 0 : s->at + 1; i < s->body->n; i++)
            if (rg__c_writes_var(s->body->kid[i], e->var)) return false;
    }
    for (int i = 0; i < e->n; i++)
        if (!lasts(s, e->kid[i], place)) return false;
    return true;
}

/* Is `other`, of the same array, another element all through the loop? */
static bool apart(struct sink *s, const struct rg_cnode *other)
{
    if (other->n != s->to->n || other->pointer) return false;
    for (int d = 0; d < other->n; d++) {
        rg__range_init(s->r, s->t, s->given);
        struct rg__poly a = rg__poly_of(s->r, other->kid[d]), b = rg__poly_of(s->r, s->to->kid[d]), coef, rest, zero;
        zero = rg__poly_int(0);
        int64_t by;
        if (a.bad || b.bad || !rg__poly_split(&a, s->loop->var, &coef, &rest) || !rg__poly_is_int(&coef, &by) ||
            by != 1 || !rg__poly_equal(&rest, &zero) || s->loop->step < 1)
            continue;
        struct rg__poly low = rg__poly_of(s->r, s->loop->kid[0]), high = rg__poly_of(s->r, s->loop->kid[1]), one;
        one = rg__poly_int(1);
        struct rg__poly above = rg__poly_add(&b, &high, -1), below = rg__poly_add(&low, &b, -1);
        below = rg__poly_add(&below, &one, -1);
        if ((!above.bad && rg__prove(s->r, &above)) || (!below.bad && rg__prove(s->r, &below))) return true;
    }
    return false;
}

static bool others_apart(struct sink *s, const struct rg_cnode *n)
{
    const struct rg_carray *a = &s->t->arrays[s->to->array];
    if (!n || n == s->to) return true;
    bool same =
        n->array >= 0 && (n->array == s->to->array || (a->param >= 0 && s->t->arrays[n->array].param == a->param));
    if (same && (n->kind != RG_C_INDEX || n->array != s->to->array || !apart(s, n))) return false;
    for (int i = 0; i < n->n; i++)
        if (!others_apart(s, n->kid[i])) return false;
    return true;
}

static bool sinks(struct sink *s)
{
    const struct rg_cnode *st = s->body->kid[s->at], *a = st->kind == RG_C_STMT ? st->kid[0] : NULL;
    if (!a || a->kind != RG_C_ASSIGN || a->op != RG_COP_SET || a->kid[0]->kind != RG_C_INDEX || a->kid[0]->pointer ||
        s->t->arrays[a->kid[0]->array].view || rg__c_declares_array(s->body, a->kid[0]->array))
        return false;
    s->to = a->kid[0];
    bool others = false; /* alone, it is a reduction's last value to those who look for such */
    for (int i = 0; i < s->body->n; i++) others |= i != s->at && rg__c_mentions_array(s->body->kid[i], s->to->array);
    if (!others || !lasts(s, a->kid[1], false)) return false;
    for (int d = 0; d < s->to->n; d++)
        if (!lasts(s, s->to->kid[d], true)) return false;
    return others_apart(s, s->loop);
}

static void walk(struct sink *s, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) walk(s, n->kid[i]);
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        struct rg_cnode *l = n->kid[i];
        if (l->kind != RG_C_LOOP || l->n != 3 || l->kid[2]->kind != RG_C_BLOCK || rg__leaves_early(l->kid[2]) ||
            rg__mentions_kind(l->kid[2], RG_C_VERBATIM) || !rg__c_of_params(s->t, l->kid[0]) ||
            !rg__c_of_params(s->t, l->kid[1]))
            continue;
        s->loop = l;
        s->body = l->kid[2];
        for (s->at = 0; s->at < s->body->n; s->at++) {
            if (!sinks(s)) continue;
            struct rg_cnode *x = rg_cnode_new(s->t, RG_C_IF, 2), *st = s->body->kid[s->at];
            struct rg__kids none = {0}, with = {0};
            x->kid[0] = rg__c_binary(s->t, l->step > 0 ? RG_COP_LT : RG_COP_GT, rg__c_copy(s->t, l->kid[0]),
                                     rg__c_copy(s->t, l->kid[1]));
            x->kid[1] = rg_cnode_new(s->t, RG_C_BLOCK, 1);
            x->kid[1]->kid[0] = st;
            x->line = st->line;
            x->column = st->column;
            rg__block_splice(s->t, l->kid[2], s->at--, 1, &none);
            rg__kids_add(&with, x);
            rg__block_splice(s->t, n, i + 1, 0, &with);
        }
    }
}

void rg__canon_last_stores(struct rg_ctree *t, const struct rg_problem *p)
{
    if (p->may_alias) return;
    struct rg__given *given = rg__given_of(t, p);
    struct sink s = {.t = t, .r = rg_xmalloc(sizeof *s.r), .given = given};
    walk(&s, t->root);
    free(s.r);
    rg__given_free(given);
}
