/* Loops from one value to another that data give (`for (k = ptr[0]; k < ptr[n]; k++)`), with nothing around them: they
 * run over all elements of an array that every iteration names at its own place, and ask each whether it is among
 * those. Outside of that array the C has no iteration.
 * Inside other loops, too, those that run over all of 0 .. n - 1 but for what a value cuts off at an end, as the
 * diagonals of a matrix do: for (i = off < 0 ? -off : 0; i < (off > 0 ? n - off : n); i++). */
#include "frontend/normalise/canon.h"
#include "ir/range.h"
#include <stdlib.h>

struct bounds {
    struct rg_ctree *t;
    const struct rg_problem *p;
    const struct rg_cnode *loop;
    const struct rg_expr *extent; /* of an array that each iteration names */
};

bool rg__loop_invariant(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *loop)
{
    if (e->pointer || e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS || e->kind == RG_C_CALL ||
        e->kind == RG_C_VERBATIM || e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC)
        return false;
    if (e->kind == RG_C_VAR && (e->array >= 0 || rg__c_writes_var(loop, e->var))) return false;
    if (e->kind == RG_C_INDEX)
        for (int a = 0; a < t->n_arrays; a++) {
            bool same = a == e->array || (t->arrays[a].param >= 0 && t->arrays[a].param == t->arrays[e->array].param);
            if (same && rg__writes_array(loop, a)) return false;
        }
    for (int i = 0; i < e->n; i++)
        if (!rg__loop_invariant(t, e->kid[i], loop)) return false;
    return true;
}

static bool asks_data(const struct rg_cnode *e)
{
    return rg__mentions_kind(e, RG_C_INDEX);
}

/* An array of one dimension, named at the loop's variable in whatever is evaluated in every iteration. */
static void find(struct bounds *b, const struct rg_cnode *n)
{
    if (!n || b->extent) return;
    if (n->kind == RG_C_INDEX && !n->pointer && n->n == 1) {
        const struct rg_cnode *at = rg__c_uncast(n->kid[0], RG__C_WIDE_CASTS);
        const struct rg_carray *a = &b->t->arrays[n->array];
        const struct rg_expr *e = a->view         ? NULL
                                  : a->param >= 0 ? b->p->params[a->param].dims[0]
                                  : a->dims       ? a->dims[0]
                                                  : NULL;
        bool flat = a->n_dims == 1 && (a->param < 0 || b->p->params[a->param].n_dims == 1);
        if (at->kind == RG_C_VAR && at->array < 0 && at->var == b->loop->var && flat) b->extent = e;
    }
    bool some = n->kind == RG_C_IF || n->kind == RG_C_COND || rg_c_lazy(n->op) || n->kind == RG_C_LOOP;
    for (int i = 0; i < (some ? 1 : n->n); i++) find(b, n->kid[i]);
}

static struct rg_cnode *known_first(struct rg_ctree *t, const struct rg_cnode *l, const struct rg_cnode *e,
                                    struct rg__kids *front)
{
    if (!asks_data(e)) return rg__c_copy(t, e);
    int v = rg__c_add_var(t, "bound", RG_CVAR_LOCAL, RG_LONG);
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = v;
    d->type = RG_LONG;
    d->kid[0] = rg__c_cast(t, rg__c_copy(t, e), RG_LONG);
    d->line = l->line;
    d->column = l->column;
    rg__kids_add(front, d);
    return rg__c_var(t, v);
}

void rg__ask_in_loop(struct rg_ctree *t, struct rg_cnode *l, struct rg_cnode *asks, struct rg_cnode *from,
                     struct rg_cnode *to)
{
    struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, 2);
    x->kid[0] = asks;
    x->kid[1] = l->kid[2];
    x->line = l->line;
    x->column = l->column;
    l->kid[2] = rg_cnode_new(t, RG_C_BLOCK, 1);
    l->kid[2]->kid[0] = x;
    l->kid[0] = from;
    l->kid[1] = to;
}

/* A number that data give: an element, or a local that holds one. */
static bool given_by_data(const struct rg_ctree *t, const struct rg_cnode *e)
{
    const struct rg_cnode *v = rg__c_uncast(e, RG__C_WIDE_CASTS);
    return asks_data(e) || (v->kind == RG_C_VAR && v->array < 0 && t->vars[v->var].kind == RG_CVAR_LOCAL);
}

/* What was put around block->kid[at], a loop; -1: it stays. */
static int over_all(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, int at)
{
    struct rg_cnode *l = block->kid[at];
    struct bounds b = {t, p, l, NULL};
    if (l->n != 3 || (l->step != 1 && l->step != -1) || l->kid[2]->kind != RG_C_BLOCK || rg__leaves_early(l->kid[2]) ||
        rg__mentions_kind(l->kid[2], RG_C_VERBATIM) || !rg__loop_invariant(t, l->kid[0], l) ||
        !rg__loop_invariant(t, l->kid[1], l))
        return -1;
    for (int i = 0; i < l->kid[2]->n; i++) find(&b, l->kid[2]->kid[i]);
    struct rg_cnode *count = b.extent ? rg__c_from_expr(t, b.extent) : NULL;
    if (!count) return -1;
    bool up = l->step > 0;
    struct rg__kids front = {0};
    struct rg_cnode *from = known_first(t, l, l->kid[0], &front), *to = known_first(t, l, l->kid[1], &front);
    struct rg_cnode *i = rg__c_cast(t, rg__c_var(t, l->var), RG_LONG),
                    *asks = rg__c_binary(t, RG_COP_AND, rg__c_binary(t, up ? RG_COP_GE : RG_COP_LE, i, from),
                                         rg__c_binary(t, up ? RG_COP_LT : RG_COP_GT, rg__c_copy(t, i), to));
    rg__ask_in_loop(t, l, asks, up ? rg__c_int(t, 0) : rg__c_binary(t, RG_COP_SUB, count, rg__c_int(t, 1)),
                    up ? count : rg__c_int(t, -1));
    int added = front.n;
    rg__block_splice(t, block, at, 0, &front);
    return added;
}

/* No counter of a loop but by way of a local's value. */
static bool counts_nothing(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && e->array < 0 && t->vars[e->var].kind == RG_CVAR_ITER) return false;
    for (int i = 0; i < e->n; i++)
        if (!counts_nothing(t, e->kid[i])) return false;
    return true;
}

static bool holds_local(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && e->array < 0 && t->vars[e->var].kind == RG_CVAR_LOCAL) return true;
    for (int i = 0; i < e->n; i++)
        if (holds_local(t, e->kid[i])) return true;
    return false;
}

/* c ? what a value says : an end of all, either way round: that end. NULL: it is none. */
static const struct rg_cnode *end_of_all(const struct rg_ctree *t, const struct rg_cnode *e, bool low)
{
    int64_t v;
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    for (int i = 1; e->kind == RG_C_COND && i < 3; i++) {
        const struct rg_cnode *end = rg__c_uncast(e->kid[i], RG__C_INT_CASTS), *other = e->kid[3 - i];
        if (holds_local(t, other) && (low ? rg__c_number(end, &v) && !v : rg__c_of_params(t, end))) return end;
    }
    return NULL;
}

/* The loop runs over all but what a value cuts off at its ends: it asks each element. */
static void uncut(struct rg_ctree *t, struct rg_cnode *l)
{
    const struct rg_cnode *end = end_of_all(t, l->kid[1], false), *begin = end_of_all(t, l->kid[0], true);
    int64_t from;
    if (l->n != 3 || l->step != 1 || !end || (!begin && (!rg__c_number(l->kid[0], &from) || from))) return;
    if (!counts_nothing(t, l->kid[0]) || !counts_nothing(t, l->kid[1]) || rg__leaves_early(l->kid[2]) ||
        rg__mentions_kind(l->kid[2], RG_C_VERBATIM) || !rg__loop_invariant(t, l->kid[0], l) ||
        !rg__loop_invariant(t, l->kid[1], l))
        return;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    struct rg__poly low = rg__poly_of(r, l->kid[0]), high = rg__poly_of(r, l->kid[1]), all = rg__poly_of(r, end),
                    room = rg__poly_add(&all, &high, -1);
    const bool inside = !low.bad && !room.bad && rg__prove(r, &low) && rg__prove(r, &room);
    free(r);
    if (!inside) return;
    struct rg_cnode *i = rg__c_cast(t, rg__c_var(t, l->var), RG_LONG),
                    *asks = rg__c_binary(t, RG_COP_LT, rg__c_copy(t, i), rg__c_cast(t, l->kid[1], RG_LONG));
    if (begin)
        asks = rg__c_binary(t, RG_COP_AND, rg__c_binary(t, RG_COP_GE, i, rg__c_cast(t, l->kid[0], RG_LONG)), asks);
    rg__ask_in_loop(t, l, asks, rg__c_cast(t, rg__c_int(t, 0), l->kid[0]->type), rg__c_copy(t, end));
}

static void walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF)) return;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *l = n->kid[i];
        if (n->kind == RG_C_BLOCK && l->kind == RG_C_LOOP) {
            if (!asks_data(l->kid[0]) && !asks_data(l->kid[1])) continue;
            const int added = over_all(t, p, n, i);
            if (added > 0) i += added;
        } else
            walk(t, p, n->kid[i]);
    }
}

static void walk_uncut(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_VERBATIM) return;
    if (n->kind == RG_C_LOOP) uncut(t, n);
    for (int i = 0; i < n->n; i++) walk_uncut(t, n->kid[i]);
}

void rg__canon_data_bounds(struct rg_ctree *t, const struct rg_problem *p)
{
    walk(t, p, t->root);
    walk_uncut(t, t->root);
}

/* Nothing but stores to elements, of what the iteration itself reads: no calls of building blocks, no loops but where
 * they may be, nothing that iterations hand on. */
static bool plain_stores(const struct rg_ctree *t, const struct rg_cnode *body, const struct rg_cnode *n, bool loops)
{
    if (n->kind == RG_C_OPAQUE || n->kind == RG_C_VERBATIM || n->op == RG_COP_ADDRESS) return false;
    if (rg__c_is_loop(n) && (!loops || n->kind != RG_C_LOOP)) return false;
    if (n->kind == RG_C_CALL && !rg__c_pure(t, n)) return false;
    const bool sets = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    const struct rg_cnode *to = sets ? n->kid[0] : NULL;
    while (to && to->kind == RG_C_MEMBER) to = to->kid[0];
    if (to && (to->kind != RG_C_INDEX || to->pointer) &&
        !(to->kind == RG_C_VAR && to->array < 0 && rg__c_declares(body, to->var)))
        return false;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !plain_stores(t, body, n->kid[i], loops)) return false;
    return true;
}

/* Is there a loop in the round, by itself, that runs as often whatever the data say? */
static bool as_long_beside(struct rg__range *r, const struct rg_cnode *n, const struct rg__poly *count)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_OPAQUE) return false;
    if (n->kind == RG_C_LOOP) {
        const struct rg_cnode *low = n->kid[n->step < 0], *high = n->kid[n->step > 0];
        if (n->n != 3 || (n->step != 1 && n->step != -1)) return false;
        struct rg__poly lo = rg__poly_of(r, low), trips = rg__poly_of(r, high);
        trips = rg__poly_add(&trips, &lo, -1);
        struct rg__poly more = rg__poly_add(&trips, count, -1);
        return !more.bad && rg__c_of_params(r->t, low) && rg__c_of_params(r->t, high) && rg__prove(r, &more);
    }
    for (int i = 0; i < n->n; i++)
        if (as_long_beside(r, n->kid[i], count)) return true;
    return false;
}

/* A list that a round goes through (`for (i = 0; i < found; i++) core[list[i]] = k;`), where it looks at all elements
 * anyway: to ask each place of the list costs no more than that. */
static bool in_full_round(struct rg_ctree *t, const struct rg_problem *p, const struct rg_cnode *round,
                          const struct rg_cnode *loop)
{
    struct bounds b = {t, p, loop, NULL};
    for (int i = 0; loop->kid[2]->kind == RG_C_BLOCK && i < loop->kid[2]->n; i++) find(&b, loop->kid[2]->kid[i]);
    if (!b.extent) return false;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    struct rg__poly count = rg__poly_of(r, rg__c_from_expr(t, b.extent));
    const bool full = !count.bad && as_long_beside(r, round->kid[2], &count);
    free(r);
    return full;
}

/* Behind the first time the loop has become opaque; what is in it is asked anew what has to be. round: the loop around
 * it; NULL: none. */
static void open_again(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n, const struct rg_cnode *round)
{
    if (n && n->kind == RG_C_LOOP && n->n > 3 && !round) { /* rounds, as long as data say */
        open_again(t, p, n->kid[2], n);
        return;
    }
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *s = n->kid[i];
        if (n->kind != RG_C_BLOCK || s->kind != RG_C_OPAQUE || s->n != 1 || s->kid[0]->kind != RG_C_LOOP) {
            open_again(t, p, s, round);
            continue;
        }
        struct rg_cnode *only = rg_cnode_new(t, RG_C_BLOCK, 1), *l = s->kid[0];
        only->kid[0] = l;
        if (!given_by_data(t, l->kid[0]) && !given_by_data(t, l->kid[1])) continue;
        if (!plain_stores(t, l->kid[2], l->kid[2], round != NULL)) continue;
        if ((round && !in_full_round(t, p, round, l)) || over_all(t, p, only, 0) < 0) continue;
        rg__opaque_parts(t, p, only);
        struct rg__kids k = {0};
        for (int j = 0; j < only->n; j++) rg__kids_add(&k, only->kid[j]);
        rg__block_splice(t, n, i, 1, &k);
        i += only->n - 1;
    }
}

void rg__canon_data_bounds_again(struct rg_ctree *t, const struct rg_problem *p)
{
    open_again(t, p, t->root, NULL);
}
