/* Early exits as a minimum over iterations. for (i = lo; i < hi; i++) { if (c(i)) return e; f(i); } is
 *     first = hi;
 *     for i: if (c(i)) first = min(first, i);      a reduction
 *     for i: if (i < first) f(i);                  where f does anything that is seen behind the loop
 *     if (first < hi) return e of first            that iteration alone, as it stands
 * wherever no iteration decides by what others do. Of a perfect nest the number of the iteration stands for its
 * counters. A flag that ends the loop (for (i = 0; i < n && !found; i++)) is a break at the end of the body. Loops
 * inside others stay: there a thread that stops early is as well. */
#include "frontend/normalise/pointer_rotation.h"
#include "frontend/normalise/search_loops.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBER = 1 << 22 }; /* a longer way than that, and no parameter says so: it is meant to be left */

void rg__search_conjuncts(struct rg_cnode *c, struct rg_cnode **parts, int *n)
{
    if (!c) return;
    if (c->op == RG_COP_AND && *n < RG__SEARCH_PARTS - 1) {
        rg__search_conjuncts(c->kid[0], parts, n);
        rg__search_conjuncts(c->kid[1], parts, n);
    } else if (*n < RG__SEARCH_PARTS) {
        parts[(*n)++] = c;
    }
}

/* if (!c) { i += step; break; } */
static struct rg_cnode *leave_unless(struct rg_ctree *t, const struct rg_cnode *c, const struct rg__counted *past,
                                     const struct rg_cnode *at)
{
    struct rg__kids arm = {0};
    struct rg_cnode *x = rg_cnode_new(t, RG_C_IF, 2), *out = rg_cnode_new(t, RG_C_BREAK, 0);
    if (past && !past->declared)
        rg__kids_add(&arm,
                     rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, past->var), rg__c_int(t, past->step))));
    rg__kids_add(&arm, out);
    x->kid[0] = rg__negated(t, rg__c_copy(t, c));
    x->kid[1] = rg__kids_node(t, RG_C_BLOCK, &arm);
    x->line = out->line = x->kid[1]->line = at->line;
    return x;
}

/* !f, f, f == 3: of one integer alone; what it is whenever the condition holds goes to *value where that is one number.
 */
static int flag_of(const struct rg_cnode *c, bool *equality, int64_t *value)
{
    const struct rg_cnode *e = rg__c_uncast(c, RG__C_CASTS), *k = NULL;
    *equality = e->op == RG_COP_NOT || e->op == RG_COP_EQ;
    *value = 0;
    if (e->op == RG_COP_EQ || e->op == RG_COP_NE) {
        k = rg__c_uncast(e->kid[1], RG__C_CASTS);
        if (k->kind != RG_C_INT) return -1;
        *value = k->ivalue;
    }
    if (k || e->op == RG_COP_NOT) e = rg__c_uncast(e->kid[0], RG__C_CASTS);
    if (e->op == RG_COP_NOT && *equality && !k) return -1;
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer ? e->var : -1;
}

/* Does everything below give the flag numbers that end the loop, or, where any but one does, whatever? */
static bool only_ends(const struct rg__search *s, const struct rg_cnode *n)
{
    if (!n) return true;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 &&
        n->kid[0]->var == s->flag.var) {
        if (n->op != RG_COP_SET) return false;
        const struct rg_cnode *k = rg__c_uncast(n->kid[1], RG__C_CASTS);
        bool equality;
        int64_t end;
        flag_of(s->goes_on, &equality, &end);
        if (!equality && (k->kind != RG_C_INT || k->ivalue != end)) return false;
    }
    for (int i = 0; i < n->n; i++)
        if (!only_ends(s, n->kid[i])) return false;
    return true;
}

/* ---- what a loop is ---- */

/* The parts of the condition that bound the counter, as one; the others, that ask data, become exits: tests at the top,
 * a flag's at the end. */
static bool header(struct rg__search *s, struct rg_cnode *f, const struct rg_cnode *block, int at, struct rg__kids *top,
                   struct rg__kids *bottom)
{
    struct rg_ctree *t = s->t;
    struct rg_cnode *parts[RG__SEARCH_PARTS], *bound = NULL;
    struct rg__counted h;
    int n = 0;
    rg__search_conjuncts(f->kid[1], parts, &n);
    for (int i = 0; i < n; i++) {
        if (!rg__counted(t, f, parts[i], &h)) continue;
        bound = bound ? rg__c_binary(t, RG_COP_AND, bound, parts[i]) : parts[i];
        parts[i] = NULL;
    }
    if (!bound || !rg__counted(t, f, bound, &h)) return false;
    s->h[s->depth++] = h;
    for (int i = 0; i < n; i++) {
        bool equality, given;
        int64_t value, start;
        if (!parts[i]) continue;
        if (!rg__c_pure(t, parts[i])) return false;
        int v = flag_of(parts[i], &equality, &value);
        if (v < 0 || !rg__c_writes_var(f->kid[3], v)) {
            rg__kids_add(top, leave_unless(t, parts[i], NULL, f));
            continue;
        }
        given = s->flag.var == v || rg__search_number_before(t->root, block, at, v, &start);
        if (s->flag.var == v) start = s->flag.value;
        if (!given || (equality ? start != value : start == value) || (s->flag.var >= 0 && s->flag.var != v) ||
            t->vars[v].kind != RG_CVAR_LOCAL)
            return false;
        s->flag = (struct rg__flag){v, start};
        s->goes_on = parts[i];
        if (!only_ends(s, f->kid[3])) return false;
        rg__kids_add(bottom, leave_unless(t, parts[i], &h, f));
    }
    return true;
}

static bool steps_by_one(const struct rg__counted *h)
{
    return (h->step == 1 || h->step == -1) && !h->down;
}

/* Loops that are all that the one around them has, with bounds of their own. */
static bool nest(struct rg__search *s, const struct rg_cnode *block, int at)
{
    struct rg_cnode *f = block->kid[at];
    struct rg__kids top = {0}, bottom = {0};
    struct rg_ctree *t = s->t;
    bool ok = header(s, f, block, at, &top, &bottom);
    while (ok && s->depth < RG__SEARCH_DEPTH) {
        struct rg_cnode *in = f->kid[3];
        struct rg__search inner = *s;
        struct rg__kids top2 = {0}, bottom2 = {0};
        if (in->kind != RG_C_BLOCK || in->n != 1 || in->kid[0]->kind != RG_C_FOR || top.n ||
            rg__leaves_loop(in->kid[0]->kid[3]))
            break;
        bool fits = header(&inner, in->kid[0], in, 0, &top2, &bottom2) && !top2.n &&
                    (bottom2.n > 0) == (bottom.n > 0) && steps_by_one(&inner.h[inner.depth - 1]) &&
                    steps_by_one(&s->h[0]);
        const struct rg__counted *h = &inner.h[inner.depth - 1];
        fits = fits && inner.flag.var == s->flag.var && h->declared; /* others would show how far the loops came */
        for (int i = 0; fits && i < s->depth; i++)
            fits = s->h[i].declared && !rg__c_mentions_var(h->lower, s->h[i].var) &&
                   !rg__c_mentions_var(h->upper, s->h[i].var);
        free(top2.items);
        if (!fits) {
            free(bottom2.items);
            break;
        }
        *s = inner;
        free(bottom.items);
        bottom = bottom2;
        f = in->kid[0];
    }
    struct rg__kids all = {0};
    for (int i = 0; i < top.n; i++) rg__kids_add(&all, top.items[i]);
    if (f->kid[3]->kind == RG_C_BLOCK)
        for (int i = 0; i < f->kid[3]->n; i++) rg__kids_add(&all, f->kid[3]->kid[i]);
    for (int i = 0; i < bottom.n; i++) rg__kids_add(&all, bottom.items[i]);
    free(top.items);
    free(bottom.items);
    s->body = rg__c_copy(t, rg__kids_node(t, RG_C_BLOCK, &all));
    return ok;
}

static void mark_own(struct rg__search *s, const struct rg_cnode *n)
{
    if (!n) return;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0) s->own[n->var] = true;
    if (n->kind == RG_C_DECL && n->array >= 0) s->own_array[n->array] = true;
    for (int i = 0; i < n->n; i++) mark_own(s, n->kid[i]);
}

/* Arrays that one iteration may leave to the next, or pointers that go by such a name. */
static bool keeps_arrays(const struct rg_ctree *t, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_DECL && n->array >= 0 && (t->arrays[n->array].view || t->arrays[n->array].mallocd)) return true;
    for (int i = 0; i < n->n; i++)
        if (keeps_arrays(t, n->kid[i])) return true;
    return false;
}

static int mentions_but(const struct rg_cnode *n, int var, const struct rg_cnode *but)
{
    if (!n || n == but) return 0;
    int c = n->kind == RG_C_VAR && n->array < 0 && n->var == var;
    for (int i = 0; i < n->n; i++) c += mentions_but(n->kid[i], var, but);
    return c;
}

bool rg__search_given_first(const struct rg_cnode *body, int v)
{
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *x = body->kid[i];
        if (!rg__c_mentions_var(x, v)) continue;
        const struct rg_cnode *e = x->kind == RG_C_FOR ? x->kid[0] : x->kind == RG_C_STMT ? x->kid[0] : NULL;
        if (e && e->kind == RG_C_STMT) e = e->kid[0];
        if (e && e->op == RG_COP_SET && rg__search_sets(e) == v) return !rg__c_mentions_var(e->kid[1], v);
        /* each round of the one loop that names it has its own */
        bool alone = x->kind == RG_C_FOR && x->kid[3]->kind == RG_C_BLOCK;
        for (int k = 0; k < 3 && alone; k++) alone = !x->kid[k] || !rg__c_mentions_var(x->kid[k], v);
        for (int k = i + 1; k < body->n && alone; k++) alone = !rg__c_mentions_var(body->kid[k], v);
        return alone && rg__search_given_first(x->kid[3], v);
    }
    return false;
}

/* Statements that leave the loop. */
static int count_exits(const struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return 0;
    int c = n->kind == RG_C_BREAK || n->kind == RG_C_RETURN;
    bool loop = n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO || n->kind == RG_C_LOOP;
    for (int i = 0; i < n->n && !loop; i++) c += count_exits(n->kid[i]);
    return c;
}

/* Does an iteration leave the elements alone that the bound is made of? */
static bool stays(const struct rg__search *s, const struct rg_cnode *e)
{
    if (e->op == RG_COP_DEREF || e->kind == RG_C_MEMBER || e->pointer) return false;
    if (e->kind == RG_C_INDEX && rg__writes_array(s->body, e->array)) return false;
    if (e->kind == RG_C_VAR && (e->array >= 0 || rg__c_writes_var(s->body, e->var))) return false;
    for (int i = 0; i < e->n; i++)
        if (!stays(s, e->kid[i])) return false;
    return true;
}

static bool understood(struct rg__search *s)
{
    struct rg_ctree *t = s->t;
    if (rg__mentions_kind(s->body, RG_C_CONTINUE) || rg__mentions_kind(s->body, RG_C_SWITCH) ||
        rg__mentions_kind(s->body, RG_C_VERBATIM) || rg__mentions_kind(s->body, RG_C_GOTO) ||
        rg__mentions_kind(s->body, RG_C_LABEL) || keeps_arrays(t, s->body))
        return false;
    s->returns = rg__mentions_kind(s->body, RG_C_RETURN);
    s->breaks = rg__leaves_loop(s->body);
    if (!s->returns && !s->breaks) return false;
    s->exits = count_exits(s->body);
    for (int i = 0; i < s->depth; i++) {
        const struct rg_cnode *u = rg__c_uncast(s->h[i].upper, RG__C_INT_CASTS),
                              *l = rg__c_uncast(s->h[i].lower, RG__C_INT_CASTS);
        if (u->kind == RG_C_INT && l->kind == RG_C_INT &&
            (u->ivalue - l->ivalue > MOST_NUMBER || l->ivalue - u->ivalue > MOST_NUMBER))
            return false;
        if (!rg__c_pure(t, u)) return false;
        if ((rg__mentions_kind(u, RG_C_INDEX) || rg__mentions_kind(l, RG_C_INDEX)) &&
            !(s->inner && stays(s, u) && stays(s, l)))
            return false; /* known before the loop */
    }
    mark_own(s, s->body);
    for (int v = 0; v < s->n_vars; v++) {
        s->outside[v] = mentions_but(t->root, v, s->loop) > 0;
        if (t->vars[v].kind == RG_CVAR_LOCAL && !s->own[v] && v != s->flag.var && rg__c_writes_var(s->body, v)) {
            s->fresh[v] = rg__search_given_first(s->body, v);
            for (int i = 0; i < s->depth; i++) s->fresh[v] &= s->h[i].var != v;
        }
    }
    return true;
}

/* ---- what becomes of it ---- */

static struct rg_cnode *declare(struct rg__search *s, int var, struct rg_cnode *value)
{
    struct rg_cnode *d = rg_cnode_new(s->t, RG_C_DECL, value ? 1 : 0);
    d->var = var;
    d->type = s->t->vars[var].type;
    if (value) d->kid[0] = rg__c_cast(s->t, value, d->type);
    d->line = s->loop->line;
    d->column = s->loop->column;
    return d;
}

static struct rg_cnode *set(struct rg__search *s, int var, struct rg_cnode *value)
{
    struct rg_cnode *x = rg__c_stmt(
        s->t, rg__c_assign(s->t, RG_COP_SET, rg__c_var(s->t, var), rg__c_cast(s->t, value, s->t->vars[var].type)));
    x->line = s->loop->line;
    x->column = s->loop->column;
    return x;
}

static struct rg_cnode *choice(struct rg__search *s, struct rg_cnode *c, struct rg_cnode *a, struct rg_cnode *b,
                               enum rg_scalar type)
{
    struct rg_cnode *x = rg_cnode_new(s->t, RG_C_COND, 3);
    x->kid[0] = c;
    x->kid[1] = a;
    x->kid[2] = b;
    x->type = type;
    return x;
}

/* Iterations of one loop of a nest. */
static struct rg_cnode *trips(struct rg__search *s, const struct rg__counted *h)
{
    struct rg_cnode *lo = rg__c_cast(s->t, rg__c_copy(s->t, h->lower), RG_LLONG),
                    *hi = rg__c_cast(s->t, rg__c_copy(s->t, h->upper), RG_LLONG);
    return h->step > 0 ? rg__c_binary(s->t, RG_COP_SUB, hi, lo) : rg__c_binary(s->t, RG_COP_SUB, lo, hi);
}

/* The loops again, with counters of their own (given back in mine), around `body`. */
static struct rg_cnode *again(struct rg__search *s, struct rg_cnode *body, int *mine)
{
    struct rg_ctree *t = s->t;
    for (int d = s->depth - 1; d >= 0; d--) {
        const struct rg__counted *h = &s->h[d];
        struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4);
        struct rg_cnode *now = rg__c_var(t, mine[d]);
        rg__c_replace_var(t, body, h->var, h->below ? rg__c_cast(t, now, t->vars[h->var].type) : now);
        f->kid[0] = declare(s, mine[d], rg__c_copy(t, h->lower));
        f->kid[1] = rg__c_binary(t, h->step > 0 ? RG_COP_LT : RG_COP_GT, rg__c_var(t, mine[d]),
                                 rg__c_cast(t, rg__c_copy(t, h->upper), t->vars[mine[d]].type));
        f->kid[2] = rg__c_assign(t, h->step > 0 ? RG_COP_ADD_SET : RG_COP_SUB_SET, rg__c_var(t, mine[d]),
                                 rg__c_int(t, h->step > 0 ? h->step : -h->step));
        f->kid[3] = body;
        f->line = s->loop->line;
        f->column = s->loop->column;
        if (d) {
            struct rg__kids k = {0};
            rg__kids_add(&k, f);
            body = rg__kids_node(t, RG_C_BLOCK, &k);
        } else {
            body = f;
        }
    }
    return body;
}

static void counters(struct rg__search *s, int *mine)
{
    struct rg_ctree *t = s->t;
    for (int d = 0; d < s->depth; d++) {
        enum rg_scalar type = t->vars[s->h[d].var].type;
        if ((s->h[d].step < 0 || s->h[d].below) && !rg_scalar_is_signed(type))
            type = RG_LLONG; /* it, or its bound, must be able to pass below zero */
        mine[d] = rg__c_add_var(t, t->vars[s->h[d].var].name, RG_CVAR_LOCAL, type);
    }
}

/* The number of the iteration, in the order of the C: the counter of a single loop, the place in the order of a nest.
 */
static struct rg_cnode *number(struct rg__search *s, const int *mine, enum rg_scalar type)
{
    struct rg_ctree *t = s->t;
    if (s->depth == 1) return rg__c_cast(t, rg__c_var(t, mine[0]), type);
    struct rg_cnode *key = NULL;
    for (int d = 0; d < s->depth; d++) {
        const struct rg__counted *h = &s->h[d];
        struct rg_cnode *i = rg__c_cast(t, rg__c_var(t, mine[d]), RG_LLONG),
                        *lo = rg__c_cast(t, rg__c_copy(t, h->lower), RG_LLONG);
        struct rg_cnode *at = h->step > 0 ? rg__c_binary(t, RG_COP_SUB, i, lo) : rg__c_binary(t, RG_COP_SUB, lo, i);
        key = key ? rg__c_binary(t, RG_COP_ADD, rg__c_binary(t, RG_COP_MUL, key, trips(s, h)), at) : at;
    }
    return key;
}

/* Counters as they are in iteration `first`, in front of its replay. */
static void recall(struct rg__search *s, int first, struct rg_cnode *replay, struct rg__kids *out)
{
    struct rg_ctree *t = s->t;
    struct rg_cnode *rest = rg__c_var(t, first), *at[RG__SEARCH_DEPTH];
    for (int d = s->depth - 1; d >= 0; d--) {
        const struct rg__counted *h = &s->h[d];
        struct rg_cnode *n = s->depth > 1 ? trips(s, h) : NULL,
                        *k = d && n ? rg__c_binary(t, RG_COP_REM, rg__c_copy(t, rest), n) : rg__c_copy(t, rest);
        if (d && n) rest = rg__c_binary(t, RG_COP_DIV, rest, rg__c_copy(t, n));
        struct rg_cnode *lo = rg__c_cast(t, rg__c_copy(t, h->lower), RG_LLONG);
        at[d] = !n ? k : rg__c_binary(t, h->step > 0 ? RG_COP_ADD : RG_COP_SUB, lo, k);
    }
    for (int d = 0; d < s->depth; d++) {
        const struct rg__counted *h = &s->h[d];
        if (!h->declared && s->outside[h->var]) {
            rg__kids_add(out, set(s, h->var, at[d]));
            continue;
        }
        int mine = rg__c_add_var(t, t->vars[h->var].name, RG_CVAR_LOCAL, t->vars[h->var].type);
        rg__c_replace_var(t, replay, h->var, rg__c_var(t, mine));
        rg__kids_add(out, declare(s, mine, at[d]));
    }
}

static bool first_of(struct rg__search *s, struct rg_cnode *slice, int first, struct rg__kids *out)
{
    struct rg_ctree *t = s->t;
    int mine[RG__SEARCH_DEPTH];
    const struct rg__counted *h = &s->h[0];
    enum rg_scalar type = t->vars[first].type;
    bool down = s->depth == 1 && h->step < 0;
    struct rg_cnode *none = s->depth > 1 ? rg__c_int(t, INT64_MAX) : rg__c_cast(t, rg__c_copy(t, h->upper), type);
    rg__kids_add(out, declare(s, first, none));
    counters(s, mine);
    slice = rg__search_own_vars(s, slice, true);
    struct rg__kids body = {0};
    rg__kids_add(&body, declare(s, s->hit, rg__c_int(t, 0)));
    for (int i = 0; i < slice->n; i++) rg__kids_add(&body, slice->kid[i]);
    struct rg_cnode *better =
        choice(s, rg__c_binary(t, down ? RG_COP_GT : RG_COP_LT, number(s, mine, type), rg__c_var(t, first)),
               number(s, mine, type), rg__c_var(t, first), type);
    struct rg_cnode *hit = rg__c_binary(t, RG_COP_NE, rg__c_var(t, s->hit), rg__c_int(t, 0));
    rg__kids_add(&body, set(s, first, choice(s, hit, better, rg__c_var(t, first), type)));
    rg__kids_add(out, again(s, rg__kids_node(t, RG_C_BLOCK, &body), mine));
    return true;
}

/* for i: if (i < first) ... */
static void others(struct rg__search *s, struct rg_cnode *rest, int first, struct rg__kids *out)
{
    struct rg_ctree *t = s->t;
    int mine[RG__SEARCH_DEPTH];
    counters(s, mine);
    rest = rg__search_own_vars(s, rest, false);
    struct rg_cnode *guard = rg_cnode_new(t, RG_C_IF, 2);
    guard->kid[0] = rg__c_binary(t, s->depth == 1 && s->h[0].step < 0 ? RG_COP_GT : RG_COP_LT,
                                 number(s, mine, t->vars[first].type), rg__c_var(t, first));
    guard->kid[1] = rest;
    guard->line = s->loop->line;
    struct rg__kids body = {0};
    rg__kids_add(&body, guard);
    rg__kids_add(out, again(s, rg__kids_node(t, RG_C_BLOCK, &body), mine));
}

static struct rg_cnode *replayed(struct rg__search *s, struct rg__kids *before)
{
    struct rg_ctree *t = s->t;
    s->hit = -1;
    s->value = s->returns && s->breaks;
    struct rg_cnode *r = s->value ? NULL : rg__search_replay(s);
    if (!r) { /* what follows it has to know how it left */
        s->hit = rg__c_add_var(t, "hit", RG_CVAR_LOCAL, RG_I32);
        s->value = s->returns;
        if (s->value) {
            s->left = rg__c_add_var(t, "left", RG_CVAR_LOCAL, RG_I32);
            s->result = t->result_array >= 0 ? rg__c_add_var(t, "value", RG_CVAR_LOCAL, t->arrays[t->result_array].elem)
                                             : s->left;
            rg__kids_add(before, declare(s, s->left, rg__c_int(t, 0)));
            if (s->result != s->left) rg__kids_add(before, declare(s, s->result, rg__c_int(t, 0)));
        }
        r = rg__search_replay(s);
        struct rg__kids front = {0};
        if (r) rg__kids_add(&front, declare(s, s->hit, rg__c_int(t, 0)));
        if (r) rg__block_splice(t, r, 0, 0, &front);
    }
    return r;
}

static bool rewrite(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, int at, bool tail,
                    struct rg__flag flag, bool inner, bool *ends)
{
    struct rg__search s = {.t = t,
                           .p = p,
                           .loop = block->kid[at],
                           .flag = flag,
                           .inner = inner,
                           .n_vars = t->n_vars,
                           .n_arrays = t->n_arrays,
                           .hit = -1,
                           .left = -1,
                           .result = -1};
    size_t n = (size_t)t->n_vars + 1;
    bool *marks = rg_xcalloc(4 * n + 2 * (size_t)t->n_arrays + 1, sizeof *marks), done = false;
    s.own = marks, s.fresh = marks + n, s.outside = marks + 2 * n, s.needed = marks + 3 * n;
    s.own_array = marks + 4 * n, s.needed_array = s.own_array + t->n_arrays;
    struct rg__kids with = {0};
    struct rg_cnode *start = s.loop->kid[0];
    rg__counted_start(t, s.loop, &with);
    if (!nest(&s, block, at) || !understood(&s) || (s.returns && !tail) ||
        (t->result_array >= 0 && t->arrays[t->result_array].elem == RG_STRUCT))
        goto out;
    s.hit = rg__c_add_var(t, "hit", RG_CVAR_LOCAL, RG_I32);
    struct rg_cnode *slice = rg__search_slice(&s);
    if (!slice) goto out;
    struct rg_cnode *rest = rg__search_rest(&s);
    bool effects = rg__search_effects(&s, rest);
    if (effects && !rg__search_apart(&s, slice, rest)) goto out;
    const struct rg__counted *h = &s.h[0];
    enum rg_scalar counter = t->vars[h->var].type, type = s.depth > 1 || counter != RG_I32 ? RG_LLONG : RG_I32;
    int first = rg__c_add_var(t, "first", RG_CVAR_LOCAL, type),
        found = rg__c_add_var(t, "found", RG_CVAR_LOCAL, RG_I32);
    if (!first_of(&s, slice, first, &with)) goto out;
    if (effects) others(&s, rest, first, &with);
    struct rg__kids arm = {0}, none = {0};
    struct rg_cnode *replay = replayed(&s, &with);
    if (!replay) goto out;
    struct rg_cnode *last = s.depth > 1 ? rg__c_int(t, INT64_MAX) : rg__c_cast(t, rg__c_copy(t, h->upper), type);
    rg__kids_add(&with, declare(&s, found,
                                rg__c_binary(t, s.depth == 1 && h->step < 0 ? RG_COP_GT : RG_COP_LT,
                                             rg__c_var(t, first), last)));
    recall(&s, first, replay, &arm);
    replay = rg__search_own_vars(&s, replay, false);
    for (int i = 0; i < replay->n; i++) rg__kids_add(&arm, replay->kid[i]);
    for (int d = 0; d < s.depth; d++)
        if (!s.h[d].declared && s.outside[s.h[d].var])
            rg__kids_add(&none, set(&s, s.h[d].var, rg__counted_end(t, &s.h[d])));
    struct rg_cnode *when = rg_cnode_new(t, RG_C_IF, 3);
    when->line = s.loop->line;
    when->column = s.loop->column;
    when->kid[0] = rg__c_var(t, found);
    when->kid[1] = rg__kids_node(t, RG_C_BLOCK, &arm);
    if (s.returns && !s.value)
        for (int i = at + 1; i < block->n; i++) rg__kids_add(&none, block->kid[i]);
    when->kid[2] = rg__kids_node(t, RG_C_BLOCK, &none);
    if (!when->kid[2]->n) when->n = 2;
    rg__kids_add(&with, when);
    if (s.value) {
        struct rg_cnode *gone = rg_cnode_new(t, RG_C_IF, 3), *back = rg_cnode_new(t, RG_C_RETURN, s.result != s.left),
                        *yes = rg_cnode_new(t, RG_C_BLOCK, 1);
        struct rg__kids no = {0};
        if (back->n) back->kid[0] = rg__c_var(t, s.result);
        yes->kid[0] = back;
        for (int i = at + 1; i < block->n; i++) rg__kids_add(&no, block->kid[i]);
        gone->kid[0] = rg__c_var(t, s.left);
        gone->kid[1] = yes;
        gone->kid[2] = rg__kids_node(t, RG_C_BLOCK, &no);
        gone->line = back->line = yes->line = s.loop->line;
        rg__kids_add(&with, gone);
    }
    *ends = s.returns;
    rg__block_splice(t, block, at, s.returns ? block->n - at : 1, &with);
    done = true;
out:
    if (!done) { /* nothing names what it would have had */
        t->n_vars = s.n_vars;
        t->n_arrays = s.n_arrays;
        s.loop->kid[0] = start;
    }
    free(with.items);
    free(marks);
    return done;
}

static void walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, bool tail,
                 struct rg__flag flag, bool inner);

/* A loop whose body has searches of its own is one itself, or neither is changed. */
static bool rewrite_around(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, int at, bool tail,
                           bool *ends)
{
    struct rg_cnode *f = block->kid[at], *was = f->kid[3];
    struct rg__flag none = {-1, 0};
    if (was->kind != RG_C_BLOCK || !rg__mentions_kind(was, RG_C_FOR)) return false;
    int n_vars = t->n_vars, n_arrays = t->n_arrays;
    f->kid[3] = rg__c_copy(t, was);
    walk(t, p, f->kid[3], true, none, true);
    bool ok = t->n_vars > n_vars && rewrite(t, p, block, at, tail, none, false, ends);
    if (ok) return true;
    f->kid[3] = was;
    t->n_vars = n_vars;
    t->n_arrays = n_arrays;
    return false;
}

static void walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, bool tail,
                 struct rg__flag flag, bool inner)
{
    for (int i = 0; block && i < block->n; i++) {
        struct rg_cnode *s = block->kid[i];
        bool last = tail && i + 1 == block->n, ends = false;
        int after = block->n - i - 1;
        if (s->kind == RG_C_FOR &&
            (rewrite(t, p, block, i, tail, flag, inner, &ends) || rewrite_around(t, p, block, i, tail, &ends))) {
            i = ends ? block->n - 2 : block->n - after - 1; /* what follows stands in a branch now, or right behind */
            continue;
        }
        if (s->kind == RG_C_BLOCK) walk(t, p, s, last, flag, inner);
        for (int k = 1; s->kind == RG_C_IF && k < s->n; k++)
            if (s->kid[k] && s->kid[k]->kind == RG_C_BLOCK) walk(t, p, s->kid[k], last, flag, inner);
    }
}

void rg__canon_searches(struct rg_ctree *t, const struct rg_problem *p)
{
    struct rg__flag none = {-1, 0};
    walk(t, p, t->root, true, none, false);
}
