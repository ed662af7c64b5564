/* Extremes by several keys, one after the other: the lowest point, of these the leftmost; the smallest value, of equal
 * ones the one with the smallest number.
 *     for (i..) if (y[i] < y[p] || (y[i] == y[p] && x[i] < x[p])) p = i;
 * No one value is compared, so no reduction does it. But who has the best first key is an extreme by itself, and the
 * others are one among those that share it:
 *     q = p;  b = y[q];  for (i..) if (y[i] < b) { b = y[i]; q = i; }
 *     p = q;  c = x[p];  for (i..) if (y[i] == b) if (x[i] < c) { c = x[i]; p = i; }
 * The C takes nothing but equals once it has met the first of those, which is where the first loop ends; whatever it
 * took before is forgotten then. Keys that are no number compare false in both, and are never taken. It holds where the
 * loop does nothing else. Bests may stand in scalars of their own, too. So may one key alone be, read at its place,
 * where conditions say who takes part: for (i..) if (ok[i]) if (x[i] < x[p]) p = i; */
#include "frontend/normalise/extreme_places.h"
#include "frontend/normalise/placements.h"
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 4, MOST_CHOSEN = 6, MOST_PARTS = 8 };

struct key {
    enum rg_c_op op;                    /* here `op` best: it is taken */
    const struct rg_cnode *here, *best; /* of this iteration; so far */
};

struct keys {
    struct rg_ctree *t;
    struct rg__range *r;
    struct rg_cnode *block, *loop; /* the loop is block->kid[at] */
    int at, first;                 /* of its body's statements, the choice begins there */
    int n_chosen, chosen[MOST_CHOSEN];
    const struct rg_cnode *value[MOST_CHOSEN]; /* what they are set to */
    int n_guards;                              /* who takes part at all: each is asked where those before it hold */
    const struct rg_cnode *guard[MOST_PARTS];
    int n_keys;
    struct key key[MOST_KEYS];
};

static bool is_scalar(const struct rg_cnode *e, int var)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && e->var == var;
}

static bool mentions_chosen(const struct keys *k, const struct rg_cnode *e)
{
    for (int i = 0; i < k->n_chosen; i++)
        if (rg__c_mentions_var(e, k->chosen[i])) return true;
    return false;
}

/* With the iteration's locals in their own words. */
static const struct rg_cnode *in_full(const struct keys *k, const struct rg_cnode *e)
{
    struct rg_cnode *c = rg__c_copy(k->t, e);
    for (int i = k->first - 1; i >= 0; i--) {
        const struct rg_cnode *d = k->loop->kid[2]->kid[i];
        const enum rg_scalar type = k->t->vars[d->var].type;
        if (d->kid[0]->type == type) c = rg__c_replace_var(k->t, c, d->var, d->kid[0]);
    }
    return c;
}

/* Is `best` what `here` is with the best so far in place of this iteration? */
static bool alike(const struct keys *k, const struct rg_cnode *here, const struct rg_cnode *best)
{
    int place[MOST_CHOSEN], n = 0;
    const struct rg_cnode *value[MOST_CHOSEN];
    if (here->type != best->type || here->pointer || here->type == RG_STRUCT || mentions_chosen(k, here)) return false;
    here = in_full(k, here);
    for (int i = 0; i < k->n_chosen; i++) {
        const struct rg_cnode *v = rg__c_uncast(k->value[i], RG__C_CASTS);
        if (is_scalar(best, k->chosen[i])) return rg__c_same(here, in_full(k, k->value[i]), RG__C_TYPED);
        if (v->kind != RG_C_VAR || v->array >= 0 || !rg__scalar_is_int(k->t->vars[k->chosen[i]].type)) continue;
        place[n] = k->chosen[i];
        value[n++] = k->value[i];
    }
    return n > 0 && rg__at_places(k->t, k->r, n, place, value, here, best);
}

/* here < best, best > here: a key; strict where more may follow. */
static bool strict(const struct keys *k, const struct rg_cnode *e, struct key *out)
{
    if (!rg_c_relation(e->op) || e->op == RG_COP_EQ || e->op == RG_COP_NE) return false;
    const bool right = mentions_chosen(k, e->kid[1]);
    if (right == mentions_chosen(k, e->kid[0])) return false;
    out->here = e->kid[!right];
    out->best = e->kid[right];
    out->op = right                ? e->op
              : e->op == RG_COP_LT ? RG_COP_GT
              : e->op == RG_COP_LE ? RG_COP_GE
              : e->op == RG_COP_GT ? RG_COP_LT
                                   : RG_COP_LE;
    return true;
}

/* here == best of that key? `op`: EQ or NE. */
static bool of_key(const struct rg_cnode *e, enum rg_c_op op, const struct key *key)
{
    if (e->op != op) return false;
    for (int i = 0; i < 2; i++)
        if (rg__c_equal(e->kid[i], key->here) && rg__c_equal(e->kid[1 - i], key->best)) return true;
    return false;
}

/* Both sides of && or ||, all of a chain in order; how many, 0: too many. */
static int parts(const struct rg_cnode *e, enum rg_c_op op, const struct rg_cnode **out, int n)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->op != op) {
        if (n == MOST_PARTS) return 0;
        out[n] = e;
        return n + 1;
    }
    n = parts(e->kid[0], op, out, n);
    return n ? parts(e->kid[1], op, out, n) : 0;
}

static bool add_key(struct keys *k, const struct rg_cnode *e)
{
    if (k->n_keys == MOST_KEYS ||
        (k->n_keys && k->key[k->n_keys - 1].op != RG_COP_LT && k->key[k->n_keys - 1].op != RG_COP_GT))
        return false;
    return strict(k, e, &k->key[k->n_keys]) && ++k->n_keys;
}

/* The keys that the condition compares behind those there are. */
static bool compares(struct keys *k, const struct rg_cnode *e)
{
    const struct rg_cnode *either[MOST_PARTS], *all[MOST_PARTS];
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->kind == RG_C_COND) { /* a != b ? a < b : .. */
        const struct rg_cnode *c = rg__c_uncast(e->kid[0], RG__C_CASTS);
        const bool differ = c->op == RG_COP_NE;
        return add_key(k, rg__c_uncast(e->kid[differ ? 1 : 2], RG__C_CASTS)) &&
               of_key(c, differ ? RG_COP_NE : RG_COP_EQ, &k->key[k->n_keys - 1]) && compares(k, e->kid[differ ? 2 : 1]);
    }
    const int n = parts(e, RG_COP_OR, either, 0), from = k->n_keys;
    if (!n || !add_key(k, either[0])) return false;
    for (int i = 1; i < n; i++) { /* .. || (a == b && c == d && e < f) || .. */
        const int m = parts(either[i], RG_COP_AND, all, 0);
        if (m != i + 1) return false;
        for (int j = 0; j < i; j++)
            if (!of_key(all[j], RG_COP_EQ, &k->key[from + j])) return false;
        if (i == n - 1 ? !compares(k, all[i]) : !add_key(k, all[i])) return false;
    }
    return true;
}

/* v = c ? e : v: the condition; NULL. */
static const struct rg_cnode *chooses(const struct rg_cnode *s, int *var, const struct rg_cnode **value)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!a || a->kind != RG_C_ASSIGN || a->op != RG_COP_SET || a->kid[0]->kind != RG_C_VAR || a->kid[0]->array >= 0)
        return NULL;
    const struct rg_cnode *c = rg__c_uncast(a->kid[1], RG__C_CASTS);
    if (c->kind != RG_C_COND || !is_scalar(rg__c_uncast(c->kid[2], RG__C_CASTS), a->kid[0]->var)) return NULL;
    *var = a->kid[0]->var;
    *value = c->kid[1];
    return c->kid[0];
}

static bool chosen(struct keys *k, int var, const struct rg_cnode *value)
{
    const struct rg_cvar *v = &k->t->vars[var];
    if (k->n_chosen == MOST_CHOSEN || v->kind != RG_CVAR_LOCAL || v->type == RG_STRUCT || strchr(v->c_type, '*') ||
        !rg__c_pure(k->t, value) || rg__c_addressed(k->t->root, var))
        return false;
    k->chosen[k->n_chosen] = var;
    k->value[k->n_chosen++] = value;
    return true;
}

static bool add_guard(struct keys *k, const struct rg_cnode *e)
{
    if (k->n_guards == MOST_PARTS || !rg__c_pure(k->t, e)) return false;
    k->guard[k->n_guards++] = e;
    return true;
}

/* The choices at the end of a block: the condition that they share. NULL: it is something else. */
static const struct rg_cnode *choices(struct keys *k, const struct rg_cnode *list, int from, int *flag)
{
    const struct rg_cnode *test = NULL, *c, *value, *inner;
    int var, same;
    for (int i = from; i < list->n; i++) {
        if (!(c = chooses(list->kid[i], &var, &value))) return NULL;
        if (list->n == from + 1) {
            while (c->kind != RG_C_VAR && (inner = rg__c_uncast(value, RG__C_CASTS))->kind == RG_C_COND &&
                   is_scalar(rg__c_uncast(inner->kid[2], RG__C_CASTS), var)) { /* p = c ? d ? i : p : p */
                if (!add_guard(k, c)) return NULL;
                c = inner->kid[0];
                value = inner->kid[1];
            }
            test = c;
        } else {
            same = c->kind == RG_C_VAR && c->array < 0 ? c->var : -1;
            if (same < 0 || (*flag >= 0 && same != *flag)) return NULL;
            *flag = same;
            test = c;
        }
        if (!chosen(k, var, value)) return NULL;
    }
    return test;
}

/* Conditions that the best so far has nothing to do with, in front of the comparison, say who takes part. */
static const struct rg_cnode *compared(struct keys *k, const struct rg_cnode *test)
{
    const struct rg_cnode *all[MOST_PARTS];
    const int n = parts(test, RG_COP_AND, all, 0);
    for (int i = 0; i + 1 < n; i++)
        if (mentions_chosen(k, all[i]) || !add_guard(k, all[i])) return NULL;
    return n ? all[n - 1] : NULL;
}

/* Does the loop do nothing but the choice, behind locals of the iteration? */
static bool matches(struct keys *k)
{
    const struct rg_cnode *body = k->loop->kid[2], *list = body, *test;
    int flag = -1, from;
    if (k->loop->n != 3 || body->kind != RG_C_BLOCK || !rg__c_pure(k->t, k->loop->kid[0]) ||
        !rg__c_pure(k->t, k->loop->kid[1]))
        return false;
    k->n_chosen = k->n_keys = k->n_guards = k->first = 0;
    while (k->first < body->n && body->kid[k->first]->kind == RG_C_DECL) {
        const struct rg_cnode *d = body->kid[k->first];
        if (d->array >= 0 || !d->n || !d->kid[0] || !rg__c_pure(k->t, d->kid[0])) return false;
        k->first++;
    }
    for (from = k->first; from + 1 == list->n && list->kid[from]->kind == RG_C_IF;
         from = list->kid[0]->kind == RG_C_DECL) {
        const struct rg_cnode *x = list->kid[from];
        if ((x->n > 2 && x->kid[2]) || x->kid[1]->kind != RG_C_BLOCK || !x->kid[1]->n || !add_guard(k, x->kid[0]))
            return false;
        list = x->kid[1];
    }
    if (!(test = choices(k, list, from, &flag))) return false;
    if (flag >= 0) { /* the last of the locals, asked by the choices alone */
        const struct rg_cnode *d = from ? list->kid[from - 1] : NULL;
        if (!d || d->kind != RG_C_DECL || !d->n || d->var != flag || rg__c_count_var(k->t->root, flag) != k->n_chosen)
            return false;
        test = d->kid[0];
        k->first -= list == body;
    } else if (list != body && from) {
        return false;
    }
    if (!rg__c_pure(k->t, test) || !(test = compared(k, test))) return false;
    for (int i = 0; i < k->first; i++)
        if (mentions_chosen(k, body->kid[i])) return false;
    for (int i = 0; i < k->n_chosen; i++)
        if (mentions_chosen(k, k->value[i])) return false;
    for (int i = 0; i < k->n_guards; i++)
        if (mentions_chosen(k, k->guard[i])) return false;
    for (int i = 0; i < 2; i++)
        if (mentions_chosen(k, k->loop->kid[i])) return false;
    /* one key of all is extreme_places.c's, one in a scalar a reduction as it stands */
    return compares(k, test) && (k->n_keys > 1 || (k->n_guards && rg__mentions_kind(k->key[0].best, RG_C_INDEX)));
}

/* Is it where the loop begins, or right in front? */
static bool near(const struct keys *k, const struct rg_cnode *first)
{
    struct rg__poly at = rg__poly_of(k->r, first), lower = rg__poly_of(k->r, k->loop->kid[0]), one = rg__poly_int(1),
                    next = rg__poly_add(&at, &one, 1);
    return !at.bad && !lower.bad && (rg__poly_equal(&at, &lower) || rg__poly_equal(&next, &lower));
}

/* May the best so far be read in front of the loop? It begins at a place that the loop reaches, or right in front. */
static bool begins(const struct keys *k, const struct rg_cnode *best)
{
    const struct rg_cnode *body = k->loop->kid[2];
    if (rg__c_mentions_var(best, k->loop->var)) return false;
    for (int i = 0; i < k->first; i++)
        if (rg__c_mentions_var(best, body->kid[i]->var)) return false;
    for (int i = 0; i < k->n_chosen && rg__mentions_kind(best, RG_C_INDEX); i++) {
        int64_t from, lower;
        if (!rg__c_mentions_var(best, k->chosen[i])) continue;
        /* places of other elements than the loop's own may be beyond their array */
        if (k->loop->step < 0 || !is_scalar(rg__c_uncast(in_full(k, k->value[i]), RG__C_CASTS), k->loop->var))
            return false;
        const struct rg_cnode *first = rg__held_value(k->block, k->at, k->chosen[i]);
        if (first && near(k, first)) continue;
        const bool number =
            first ? rg__c_number(first, &from) : rg__c_declared_int(k->t->root, k->loop, k->chosen[i], &from) == 1;
        if (!number || !rg__c_number(k->loop->kid[0], &lower) || from < 0 || from > lower) return false;
    }
    return true;
}

/* Is the element among those that e reads? */
static bool reads(const struct rg_cnode *e, const struct rg_cnode *element)
{
    if (e->kind == RG_C_INDEX && rg__c_equal(e, element)) return true;
    for (int i = 0; i < e->n; i++)
        if (reads(e->kid[i], element)) return true;
    return false;
}

/* Elements at places that elements say, x[list[i]], are read only where the C reads them: `always`, NULL for nothing,
 * is compared in each iteration. */
static bool reached(const struct rg_cnode *e, const struct rg_cnode *always)
{
    bool told = false;
    for (int i = 0; i < e->n; i++) {
        told = told || (e->kind == RG_C_INDEX && rg__mentions_kind(e->kid[i], RG_C_INDEX));
        if (!reached(e->kid[i], always)) return false;
    }
    return !told || (always && reads(always, e));
}

static bool fits(const struct keys *k)
{
    const struct rg_cnode *always = k->n_guards ? NULL : in_full(k, k->key[0].here);
    for (int i = 0; i < k->n_keys; i++) {
        const struct key *key = &k->key[i];
        if (!alike(k, key->here, key->best) || !begins(k, key->best)) return false;
        if (rg__mentions_kind(key->best, RG_C_INDEX) && !reached(in_full(k, key->here), always)) return false;
    }
    return true;
}

static struct rg_cnode *with(struct keys *k, const struct rg_cnode *e, const int *now)
{
    struct rg_cnode *c = rg__c_copy(k->t, e);
    for (int i = 0; i < k->n_chosen; i++) c = rg__c_replace_var(k->t, c, k->chosen[i], rg__c_var(k->t, now[i]));
    return c;
}

static struct rg_cnode *choose(struct keys *k, int flag, int var, const struct rg_cnode *value)
{
    struct rg_ctree *t = k->t;
    struct rg_cnode *to = rg__c_cast(t, rg__c_copy(t, value), t->vars[var].type);
    return rg__placed_set(t, rg__c_var(t, var), rg__c_choice(t, rg__c_var(t, flag), to, rg__c_var(t, var)), k->loop);
}

/* The loop that finds the best by key j among those that share the best of the keys before. */
static struct rg_cnode *among_equals(struct keys *k, int j, const int *best, const int *now)
{
    struct rg_ctree *t = k->t;
    const struct key *key = &k->key[j];
    const struct rg_cnode *body = k->loop->kid[2];
    struct rg__kids inner = {0}, all = {0};
    const int value = rg__c_add_var(t, "value", RG_CVAR_LOCAL, key->here->type),
              taken = rg__c_add_var(t, "taken", RG_CVAR_LOCAL, RG_I32);
    rg__kids_add(&inner, rg__c_declaration(t, value, rg__c_copy(t, key->here), k->loop));
    rg__kids_add(&inner, rg__c_declaration(
                             t, taken, rg__c_binary(t, key->op, rg__c_var(t, value), rg__c_var(t, best[j])), k->loop));
    struct rg_cnode *v = rg__c_var(t, value);
    rg__kids_add(&inner, choose(k, taken, best[j], v));
    for (int i = 0; i < k->n_chosen; i++) rg__kids_add(&inner, choose(k, taken, now[i], k->value[i]));
    struct rg_cnode *s = rg__kids_node(t, RG_C_BLOCK, &inner);
    for (int q = j + k->n_guards - 1; q >= 0; q--) {
        const int e = q - k->n_guards;
        struct rg_cnode *c = e < 0 ? rg__c_copy(t, k->guard[q])
                                   : rg__c_binary(t, RG_COP_EQ, rg__c_copy(t, k->key[e].here), rg__c_var(t, best[e]));
        struct rg__kids one = {0};
        struct rg_cnode *among = rg_cnode_new(t, RG_C_IF, 2);
        among->kid[0] = c;
        among->kid[1] = s;
        among->line = s->line = k->loop->line;
        rg__kids_add(&one, among);
        s = rg__kids_node(t, RG_C_BLOCK, &one);
    }
    for (int i = 0; i < k->first; i++) rg__kids_add(&all, rg__c_copy(t, body->kid[i]));
    for (int i = 0; i < s->n; i++) rg__kids_add(&all, s->kid[i]);
    struct rg_cnode *l = rg__c_shallow(&t->arena, k->loop), *b;
    l->kid[0] = rg__c_copy(t, l->kid[0]);
    l->kid[1] = rg__c_copy(t, l->kid[1]);
    l->kid[2] = rg__kids_node(t, RG_C_BLOCK, &all);
    l->kid[2]->line = k->loop->line;
    b = rg_cnode_new(t, RG_C_BLOCK, 1);
    b->kid[0] = l;
    rg__moves_fresh(t, b, b);
    return b->kid[0];
}

static void rewrite(struct keys *k)
{
    struct rg_ctree *t = k->t;
    struct rg__kids all = {0};
    int best[MOST_KEYS], was[MOST_CHOSEN], now[MOST_CHOSEN];
    for (int i = 0; i < k->n_chosen; i++) was[i] = k->chosen[i];
    for (int j = 0; j < k->n_keys; j++) {
        for (int i = 0; i < k->n_chosen; i++) { /* a choice of its own: one variable goes with one extreme */
            const struct rg_cvar *v = &t->vars[k->chosen[i]];
            now[i] = rg__c_add_var(t, v->name, RG_CVAR_LOCAL, v->type);
            rg__kids_add(&all, rg__c_declaration(t, now[i], rg__c_var(t, was[i]), k->loop));
        }
        struct rg_cnode *begin = with(k, k->key[j].best, now);
        if (rg__mentions_kind(begin, RG_C_INDEX)) { /* where there is no iteration, the C reads nothing */
            const enum rg_c_op op = k->loop->step > 0 ? RG_COP_LT : RG_COP_GT;
            struct rg_cnode *any = rg__c_binary(t, op, rg__c_copy(t, k->loop->kid[0]), rg__c_copy(t, k->loop->kid[1]));
            begin = rg__c_choice(t, any, begin, rg__c_cast(t, rg__c_int(t, 0), begin->type));
        }
        best[j] = rg__c_add_var(t, "best", RG_CVAR_LOCAL, k->key[j].best->type);
        rg__kids_add(&all, rg__c_declaration(t, best[j], begin, k->loop));
        rg__kids_add(&all, among_equals(k, j, best, now));
        for (int i = 0; i < k->n_chosen; i++) was[i] = now[i];
    }
    for (int i = 0; i < k->n_chosen; i++)
        rg__kids_add(&all, rg__placed_set(t, rg__c_var(t, k->chosen[i]), rg__c_var(t, now[i]), k->loop));
    rg__block_splice(t, k->block, k->at, 1, &all);
}

static void walk(struct keys *k, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_OPAQUE || n->kind == RG_C_VERBATIM) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *x = n->kid[i];
        k->block = n;
        k->at = i;
        k->loop = x;
        if (x && n->kind == RG_C_BLOCK && x->kind == RG_C_LOOP && matches(k) && fits(k))
            rewrite(k);
        else
            walk(k, x);
    }
}

void rg__canon_ordered_keys(struct rg_ctree *t, const struct rg_problem *p)
{
    if (p->may_alias) return;
    struct rg__given *given = rg__given_of(t, p);
    struct keys k = {.t = t, .r = rg_xmalloc(sizeof *k.r)};
    rg__range_init(k.r, t, given);
    walk(&k, t->root);
    free(k.r);
    rg__given_free(given);
}
