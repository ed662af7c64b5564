/* Arg-min and arg-max by the place alone: `if (x[i] > x[p]) p = i;` reads the best so far through its place, which no
 * reduction does. The best becomes a scalar beside the place, so that the comparison is with that:
 *     best = x[p];  for (..) { v = x[i]; taken = v > best; best = taken ? v : best; p = taken ? i : p; }
 * It is x[p] all along, as nothing else moves p and nothing in the loop writes to x. Where each iteration fills its own
 * x[i] first, x[p] is that of an iteration before, once p begins as the first of them: nothing is read from in front.
 */
#include "frontend/normalise/extreme_places.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLACES = 4, MAX_AROUND = 16 };

struct around { /* a loop or a condition, and where it stands */
    struct rg_cnode *block;
    int at;
};

struct extreme {
    struct rg_ctree *t;
    struct rg__range *r;
    int n_around;
    struct around around[MAX_AROUND]; /* outermost first */
    /* of the candidate */
    struct rg_cnode *block; /* where it stands, from statement `first` on ... */
    int first, count;       /* ... so many */
    int n_places, place[MAX_PLACES];
    const struct rg_cnode *value[MAX_PLACES];  /* what they are set to */
    const struct rg_cnode *test, *here, *best; /* here: the comparison's side of this iteration */
    bool unset;                                /* or the place is below 0: there is none yet */
};

static bool is_scalar(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    return e && e->kind == RG_C_VAR && e->array < 0 && !e->pointer && (var < 0 || e->var == var);
}

/* p = c ? e : p: the condition; NULL: it is another statement. */
static const struct rg_cnode *chooses(const struct rg_cnode *s, int *place, const struct rg_cnode **value)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!a || a->kind != RG_C_ASSIGN || a->op != RG_COP_SET || !is_scalar(a->kid[0], -1)) return NULL;
    const struct rg_cnode *c = rg__c_uncast(a->kid[1], RG__C_CASTS);
    if (c->kind != RG_C_COND || !is_scalar(c->kid[2], a->kid[0]->var)) return NULL;
    *place = a->kid[0]->var;
    *value = c->kid[1];
    return c->kid[0];
}

bool rg__at_places(struct rg_ctree *t, struct rg__range *r, int n, const int *place,
                   const struct rg_cnode *const *value, const struct rg_cnode *x, const struct rg_cnode *y)
{
    for (int i = 0; i < n; i++) /* an unsigned char holds no place but the first ones */
        if (rg__c_uncast(value[i], RG__C_WIDE_CASTS)->kind != RG_C_VAR || !rg__scalar_is_int(t->vars[place[i]].type) ||
            rg_scalar_bytes(t->vars[place[i]].type) < 4)
            return false;
    if (rg__scalar_is_int(x->type) && rg__scalar_is_int(y->type) && !x->pointer && !y->pointer &&
        x->kind != RG_C_INDEX && x->kind != RG_C_MEMBER && x->kind != RG_C_CALL) {
        struct rg_cnode *moved = rg__c_copy(t, x);
        for (int i = 0; i < n; i++) {
            const struct rg_cnode *v = rg__c_uncast(value[i], RG__C_CASTS);
            moved = rg__c_replace_var(t, moved, v->var, rg__c_var(t, place[i]));
        }
        struct rg__poly a = rg__poly_of(r, moved), b = rg__poly_of(r, y);
        if (rg__poly_equal(&a, &b)) return true;
    }
    if (x->kind == RG_C_VAR || !rg__c_same_head(x, y) || x->n != y->n || x->type != y->type) return rg__c_equal(x, y);
    for (int i = 0; i < x->n; i++)
        if (!rg__at_places(t, r, n, place, value, x->kid[i], y->kid[i])) return false;
    return true;
}

static bool mentions_place(const struct extreme *e, const struct rg_cnode *n)
{
    for (int i = 0; i < e->n_places; i++)
        if (rg__c_mentions_var(n, e->place[i])) return true;
    return false;
}

/* p < 0 || test, p == -1 || test: the test; NULL: it is something else. */
static const struct rg_cnode *behind_unset(const struct rg_cnode *c, int place)
{
    const struct rg_cnode *u = c->op == RG_COP_OR ? rg__c_uncast(c->kid[0], RG__C_CASTS) : NULL;
    int64_t bound;
    if (!u || (u->op != RG_COP_LT && u->op != RG_COP_EQ) || !is_scalar(u->kid[0], place) ||
        !rg__c_number(u->kid[1], &bound) || bound != (u->op == RG_COP_LT ? 0 : -1))
        return NULL;
    return rg__c_uncast(c->kid[1], RG__C_CASTS);
}

/* The pattern from statement `first` on: a choice by a comparison, or a flag that is one and choices by it. */
static bool matches(struct extreme *e, struct rg_cnode *block, int first)
{
    const struct rg_cnode *s = block->kid[first], *c, *value;
    int flag = -1, place;
    e->block = block;
    e->first = first;
    e->n_places = e->count = 0;
    e->test = NULL;
    e->unset = false;
    if (s->kind == RG_C_DECL && s->array < 0 && s->n && rg__scalar_is_int(s->type)) {
        flag = s->var;
        e->test = rg__c_uncast(s->kid[0], RG__C_CASTS);
        e->count = 1;
    }
    for (int i = first + e->count; i < block->n && e->n_places < MAX_PLACES; i++) {
        if (!(c = chooses(block->kid[i], &place, &value)) || (flag >= 0 && !is_scalar(c, flag))) break;
        if (!e->test) e->test = rg__c_uncast(c, RG__C_CASTS);
        if (!is_scalar(value, -1) || !rg__scalar_is_int(e->t->vars[place].type)) return false;
        e->place[e->n_places] = place;
        e->value[e->n_places++] = value;
        e->count++;
        if (flag < 0) break;
    }
    const struct rg_cnode *set = e->n_places == 1 ? behind_unset(e->test, e->place[0]) : NULL;
    if (set) e->unset = true, e->test = set;
    const struct rg_cnode *t = e->test;
    if (!e->n_places || !rg_c_relation(t->op) || t->op == RG_COP_EQ || t->op == RG_COP_NE) return false;
    bool right = mentions_place(e, t->kid[1]), left = mentions_place(e, t->kid[0]);
    e->best = t->kid[right];
    e->here = t->kid[!right];
    return left != right && rg__mentions_kind(e->best, RG_C_INDEX) && !e->best->pointer &&
           e->best->type == e->here->type && e->best->type != RG_STRUCT && rg__c_pure(e->t, t) &&
           rg__at_places(e->t, e->r, e->n_places, e->place, e->value, e->here, e->best);
}

static struct rg_cnode *node_of(const struct around *a)
{
    return a->block->kid[a->at];
}

/* Nothing in the loop moves what the comparison reads, but the choice itself and the loop's counters. */
static bool stays(const struct extreme *e, int host)
{
    struct rg_cnode *loop = node_of(&e->around[host]);
    struct rg_ctree *t = e->t;
    for (int a = 0; a < t->n_arrays; a++)
        if (rg__c_mentions_array(e->test, a) && rg__writes_array(loop, a)) return false;
    struct rg_cnode *kept[1 + MAX_PLACES];
    for (int i = 0; i < e->count; i++) { /* look at the loop without the choice */
        kept[i] = e->block->kid[e->first + i];
        e->block->kid[e->first + i] = rg_cnode_new(t, RG_C_BLOCK, 0);
    }
    bool ok = !rg__mentions_kind(loop, RG_C_VERBATIM);
    for (int v = 0; v < t->n_vars && ok; v++)
        if (rg__c_mentions_var(e->best, v) && rg__c_writes_var(loop, v)) ok = false;
    for (int i = 0; i < e->count; i++) e->block->kid[e->first + i] = kept[i];
    return ok;
}

/* Does the loop run at least once, as far as is known in front of `host`? */
static bool runs(struct extreme *e, int host, const struct rg_cnode *l)
{
    e->r->n_loops = 0;
    for (int i = 0; i < host; i++)
        if (node_of(&e->around[i])->kind == RG_C_LOOP) e->r->loops[e->r->n_loops++] = node_of(&e->around[i]);
    struct rg__poly lo = rg__poly_of(e->r, l->kid[0]), hi = rg__poly_of(e->r, l->kid[1]), one = rg__poly_int(1),
                    trips = rg__poly_add(&hi, &lo, -1);
    trips = rg__poly_add(&trips, &one, -1);
    bool yes = rg__prove(e->r, &trips);
    e->r->n_loops = 0;
    return yes;
}

/* In front of the host, the best so far is read where its place is one that the choice could have read, too. False:
 * that can't be said there. */
static bool first_best(struct extreme *e, int host, struct rg_cnode **value)
{
    struct rg_ctree *t = e->t;
    struct rg_cnode *loop = node_of(&e->around[host]), *when = NULL;
    for (int i = host; i < e->n_around; i++) {
        const struct rg_cnode *l = node_of(&e->around[i]);
        if (l->kind != RG_C_LOOP || l->n > 3 || l->step <= 0) return false;
        for (int v = 0; v < t->n_vars; v++)
            if ((rg__c_mentions_var(l->kid[0], v) || rg__c_mentions_var(l->kid[1], v)) && rg__c_writes_var(loop, v))
                return false;
        for (int a = 0; a < t->n_arrays; a++)
            if (rg__c_mentions_array(l->kid[0], a) || rg__c_mentions_array(l->kid[1], a)) return false;
        if (runs(e, host, l)) continue;
        struct rg_cnode *c = rg__c_binary(t, RG_COP_LT, rg__c_copy(t, l->kid[0]), rg__c_copy(t, l->kid[1]));
        when = when ? rg__c_binary(t, RG_COP_AND, when, c) : c;
    }
    *value = rg__c_copy(t, e->best);
    if (!when) return true;
    struct rg_cnode *c = rg_cnode_new(t, RG_C_COND, 3);
    c->type = e->best->type;
    c->kid[0] = when;
    c->kid[1] = *value;
    c->kid[2] = rg__c_cast(t, rg__c_int(t, 0), e->best->type);
    *value = c;
    return true;
}

static struct rg_cnode *declare(struct rg_ctree *t, const char *name, enum rg_scalar type, struct rg_cnode *value,
                                const struct rg_cnode *at)
{
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = rg__c_add_var(t, name, RG_CVAR_LOCAL, type);
    d->type = type;
    d->kid[0] = value;
    d->line = at->line;
    d->column = at->column;
    return d;
}

static struct rg_cnode *choose(struct rg_ctree *t, int flag, int var, struct rg_cnode *value, const struct rg_cnode *at)
{
    struct rg_cnode *c = rg_cnode_new(t, RG_C_COND, 3);
    c->type = t->vars[var].type;
    c->kid[0] = rg__c_var(t, flag);
    c->kid[1] = value;
    c->kid[2] = rg__c_var(t, var);
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), c));
    s->line = at->line;
    s->column = at->column;
    return s;
}

/* ---- elements that the loop fills itself ---- */

/* Writes nothing of the array but that element, and that in plain assignments. */
static bool fills_only(const struct rg_cnode *n, int array, const struct rg_cnode *element)
{
    if (!n || !rg__writes_array(n, array)) return true;
    if (n->kind == RG_C_ASSIGN) return rg__c_equal(n->kid[0], element) && !rg__writes_array(n->kid[1], array);
    if (n->kind != RG_C_BLOCK && n->kind != RG_C_LOOP && n->kind != RG_C_IF && n->kind != RG_C_STMT) return false;
    for (int i = 0; i < n->n; i++)
        if (!fills_only(n->kid[i], array, element)) return false;
    return true;
}

/* The element is one of this iteration alone: a subscript is its counter, the others stay as they are. */
static bool own_element(const struct rg_cnode *x, const struct rg_cnode *loop)
{
    bool own = false;
    if (x->kind != RG_C_INDEX || x->array < 0) return false;
    for (int d = 0; d < x->n; d++) {
        if (is_scalar(x->kid[d], loop->var)) {
            own = true;
            continue;
        }
        const struct rg_cnode *k = rg__c_uncast(x->kid[d], RG__C_CASTS);
        if (k->kind != RG_C_INT && (!is_scalar(k, -1) || rg__c_writes_var(loop, k->var))) return false;
    }
    return own;
}

const struct rg_cnode *rg__held_value(const struct rg_cnode *block, int at, int var)
{
    while (at-- > 0) {
        const struct rg_cnode *s = block->kid[at], *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
        if (s->kind == RG_C_DECL && s->var == var && s->array < 0) return s->n ? s->kid[0] : NULL;
        if (a && a->kind == RG_C_ASSIGN && a->op == RG_COP_SET && is_scalar(a->kid[0], var)) return a->kid[1];
        if (rg__c_writes_var(s, var)) return NULL;
    }
    return NULL;
}

/* What no number of the type is better than. */
static struct rg_cnode *worst(struct rg_ctree *t, enum rg_scalar type, bool least)
{
    struct rg_cnode *n = rg_cnode_new(t, rg_scalar_is_real(type) ? RG_C_REAL : RG_C_INT, 0);
    n->type = type;
    n->rvalue = least ? INFINITY : -INFINITY;
    if (type == RG_I32) n->ivalue = least ? INT32_MAX : INT32_MIN;
    if (type == RG_LONG || type == RG_LLONG) n->ivalue = least ? INT64_MAX : INT64_MIN;
    return n;
}

/* The loop right around the choice fills here[i] in front of it: the first iteration takes its own, as its place is
 * what the best one begins as. NULL: it does not. */
static struct rg_cnode *filled_before(struct extreme *e)
{
    const struct around *at = &e->around[e->n_around - 1];
    const struct rg_cnode *loop = node_of(at), *here = rg__c_uncast(e->here, RG__C_CASTS),
                          *best = rg__c_uncast(e->best, RG__C_CASTS);
    enum rg_scalar type = e->best->type;
    if (loop->kind != RG_C_LOOP || loop->n > 3 || loop->step != 1 || e->block != loop->kid[2] || e->n_places != 1 ||
        best->kind != RG_C_INDEX || !own_element(here, loop) || !is_scalar(e->value[0], loop->var) ||
        (!rg_scalar_is_real(type) && type != RG_I32 && type != RG_LONG && type != RG_LLONG) ||
        rg__mentions_kind(loop, RG_C_VERBATIM))
        return NULL;
    for (int i = 0; i < e->block->n; i++) {
        const struct rg_cnode *s = e->block->kid[i];
        bool before = i < e->first, choice = !before && i < e->first + e->count;
        if (before ? !fills_only(s, here->array, here) : rg__writes_array(s, here->array)) return NULL;
        if (!choice && rg__c_writes_var(s, e->place[0])) return NULL;
    }
    const struct rg_cnode *first = rg__held_value(at->block, at->at, e->place[0]);
    int64_t p, lo;
    if (!first || !rg__c_number(first, &p) || !rg__c_number(loop->kid[0], &lo) || p > lo) return NULL;
    struct rg_cnode *value;
    if (e->unset && (p != -1 || lo < 0)) return NULL;
    if (p < lo && !e->unset) return first_best(e, e->n_around - 1, &value) ? value : NULL;
    bool right = e->test->kid[1] == e->best, less = e->test->op == RG_COP_LT || e->test->op == RG_COP_LE;
    return worst(e->t, type, less == right);
}

static bool rewrite(struct extreme *e)
{
    struct rg_ctree *t = e->t;
    struct rg_cnode *start = NULL, *value;
    int host = -1;
    for (int i = e->n_around - 1; i >= 0 && !e->unset; i--) { /* as far out as it goes */
        if (node_of(&e->around[i])->kind != RG_C_LOOP || !stays(e, i) || !first_best(e, i, &value)) break;
        host = i;
        start = value;
    }
    if (host < 0 && (start = filled_before(e)) != NULL) host = e->n_around - 1;
    if (host < 0) return false;
    const struct rg_cnode *s = e->block->kid[e->first];
    struct rg_cnode *best = declare(t, "best", e->best->type, start, s);
    struct rg_cnode *now = declare(t, "value", e->here->type, rg__c_copy(t, e->here), s);
    bool right = e->test->kid[1] == e->best;
    struct rg_cnode *test = rg__c_binary(t, e->test->op, rg__c_var(t, right ? now->var : best->var),
                                         rg__c_var(t, right ? best->var : now->var));
    struct rg_cnode *taken = declare(t, "taken", RG_I32, test, s);
    struct rg__kids with = {0}, front = {0};
    rg__kids_add(&with, now);
    rg__kids_add(&with, taken);
    rg__kids_add(&with, choose(t, taken->var, best->var, rg__c_var(t, now->var), s));
    for (int i = 0; i < e->n_places; i++)
        rg__kids_add(&with, choose(t, taken->var, e->place[i], rg__c_copy(t, e->value[i]), s));
    rg__block_splice(t, e->block, e->first, e->count, &with);
    rg__kids_add(&front, best);
    if (e->unset) { /* the first iteration takes its own, where there is one */
        const struct rg_cnode *l = node_of(&e->around[host]);
        struct rg_cnode *any = declare(
            t, "any", RG_I32, rg__c_binary(t, RG_COP_LT, rg__c_copy(t, l->kid[0]), rg__c_copy(t, l->kid[1])), s);
        rg__kids_add(&front, any);
        rg__kids_add(&front, choose(t, any->var, e->place[0], rg__c_copy(t, l->kid[0]), s));
    }
    rg__block_splice(t, e->around[host].block, e->around[host].at, 0, &front);
    return true;
}

/* Is the flag, where there is one, asked by the choices alone? */
static bool own_flag(const struct extreme *e)
{
    const struct rg_cnode *d = e->block->kid[e->first];
    return d->kind != RG_C_DECL || rg__c_count_var(e->t->root, d->var) == e->count - 1;
}

static bool look(struct extreme *e, struct rg_cnode *n)
{
    if (!n || n->kind != RG_C_BLOCK) return false;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *s = n->kid[i];
        if (e->n_around && matches(e, n, i) && own_flag(e) && rewrite(e)) return true;
        if ((s->kind != RG_C_LOOP && s->kind != RG_C_IF) || e->n_around == MAX_AROUND) continue;
        e->around[e->n_around++] = (struct around){n, i};
        for (int k = s->kind == RG_C_LOOP ? 2 : 1; k < (s->kind == RG_C_LOOP ? 3 : s->n); k++)
            if (look(e, s->kid[k])) return true;
        e->n_around--;
    }
    return false;
}

void rg__canon_extremes(struct rg_ctree *t, const struct rg_problem *p)
{
    if (p->may_alias) return;
    struct rg__given *given = rg__given_of(t, p);
    struct extreme e = {.t = t, .r = rg_xmalloc(sizeof *e.r)};
    do { /* places in blocks move with each */
        rg__range_init(e.r, t, given);
        e.n_around = 0;
    } while (look(&e, t->root));
    free(e.r);
    rg__given_free(given);
}
