/* FOR with a counter becomes LOOP with a variable of its own. */
#include "frontend/normalise/counted_loops.h"
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/term_ranges.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_SCALE = 1 << 20 }; /* of a counter in its condition */

/* Same value in every iteration of body. */
static bool invariant(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *body, int iterator)
{
    if (e->kind == RG_C_VAR && e->array < 0 && (e->var == iterator || rg__c_writes_var(body, e->var))) return false;
    if (e->kind == RG_C_INDEX && !t->arrays[e->array].is_const && rg__writes_array(body, e->array)) return false;
    if (e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS) return false;
    if (e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC || e->kind == RG_C_VERBATIM) return false;
    if (e->kind == RG_C_CALL && !rg__c_pure(t, e)) return false;
    for (int i = 0; i < e->n; i++)
        if (!invariant(t, e->kid[i], body, iterator)) return false;
    return true;
}

static struct rg_cnode *plus(struct rg_ctree *t, struct rg_cnode *e, int64_t k)
{
    if (e->kind == RG_C_INT) return rg__c_int(t, e->ivalue + k);
    if ((e->op == RG_COP_SUB || e->op == RG_COP_ADD) && e->kid[1]->kind == RG_C_INT) {
        int64_t c = e->op == RG_COP_SUB ? -e->kid[1]->ivalue : e->kid[1]->ivalue;
        if (c + k == 0) return e->kid[0]; /* n - 1 + 1 */
    }
    return k > 0 ? rg__c_binary(t, RG_COP_ADD, e, rg__c_int(t, k)) : rg__c_binary(t, RG_COP_SUB, e, rg__c_int(t, -k));
}

static bool init_part(const struct rg_cnode *i, struct rg__counted *h)
{
    if (!i) return true;
    if (i->kind == RG_C_DECL && i->n && i->var >= 0 && i->array < 0 && !i->pointer) {
        h->var = i->var;
        h->lower = i->kid[0];
        return h->declared = true;
    }
    if (i->kind == RG_C_STMT) i = i->kid[0];
    if (i->op == RG_COP_SET && i->kid[0]->kind == RG_C_VAR && i->kid[0]->array < 0) {
        h->var = i->kid[0]->var;
        h->lower = i->kid[1];
        return true;
    }
    return false;
}

static bool step_part(const struct rg_cnode *s, struct rg__counted *h)
{
    if (!s) return false;
    if (s->kind == RG_C_STMT) s = s->kid[0];
    const struct rg_cnode *l = s->n ? s->kid[0] : NULL;
    if (!l || l->kind != RG_C_VAR || l->array >= 0) return false;
    if (h->var >= 0 && l->var != h->var) return false;
    h->var = l->var;
    if (s->kind == RG_C_INCDEC) {
        h->step = rg_c_increments(s->op) ? 1 : -1;
        return true;
    }
    if (s->kind != RG_C_ASSIGN) return false;
    const struct rg_cnode *r = s->kid[1];
    bool minus = s->op == RG_COP_SUB_SET;
    if (s->op == RG_COP_SET) { /* i = i + c, i = c + i */
        if (r->op != RG_COP_ADD && r->op != RG_COP_SUB) return false;
        minus = r->op == RG_COP_SUB;
        int at = r->kid[0]->kind == RG_C_VAR && r->kid[0]->array < 0 && r->kid[0]->var == h->var ? 0 : 1;
        if (at && (minus || r->kid[1]->kind != RG_C_VAR || r->kid[1]->var != h->var || r->kid[1]->array >= 0))
            return false;
        r = r->kid[1 - at];
    } else if (s->op != RG_COP_ADD_SET && s->op != RG_COP_SUB_SET) {
        return false;
    }
    int64_t by;
    if (!rg__c_number(rg__c_uncast(r, RG__C_CASTS), &by) || !by || by > 1 << 30 || by < -(1 << 30)) return false;
    h->step = minus ? -by : by;
    return true;
}

/* Does the counter begin where the relation holds, and move away from where it does not? Signed counters alone: they
 * don't wrap around. */
static bool implied(struct rg_ctree *t, const struct rg_cnode *c, const struct rg_cnode *body,
                    const struct rg__counted *h)
{
    const bool less = c->op == RG_COP_LT || c->op == RG_COP_LE, strict = c->op == RG_COP_LT || c->op == RG_COP_GT;
    if (!less && c->op != RG_COP_GT && c->op != RG_COP_GE) return false;
    for (int i = 0; i < 2; i++)
        if (c->kid[i]->pointer || !rg__scalar_is_int(c->kid[i]->type) || !rg_scalar_is_signed(c->kid[i]->type))
            return false;
    if (!invariant(t, c, body, -1) || rg__c_mentions_var(h->lower, h->var)) return false;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    struct rg__poly a = rg__poly_of(r, c->kid[0]), b = rg__poly_of(r, c->kid[1]), first = rg__poly_of(r, h->lower);
    struct rg__poly gap = less ? rg__poly_add(&b, &a, -1) : rg__poly_add(&a, &b, -1), one = rg__poly_int(1);
    if (strict) gap = rg__poly_add(&gap, &one, -1); /* holds while gap >= 0 */
    struct rg__poly coef, rest;
    int64_t k;
    bool ok = rg__value_safe(r, c) && rg__value_safe(r, h->lower) && rg__poly_split(&gap, h->var, &coef, &rest) &&
              rg__poly_is_int(&coef, &k) && k && (k > 0) == (h->step > 0);
    for (int i = 0; ok && i < r->n_atoms; i++) ok = !rg__c_mentions_var(r->atoms[i], h->var);
    if (ok) {
        struct rg__poly at_first = rg__poly_mul(&coef, &first);
        at_first = rg__poly_add(&at_first, &rest, 1);
        ok = rg__prove(r, &at_first);
    }
    free(r);
    return ok;
}

/* for (x = n - 1; x >= 0 && x < n; x--): that x is below n goes without saying. Said, it keeps the loop from being a
 * counted one, and nvcc 13.0 takes it for a loop of one iteration. */
static struct rg_cnode *without_implied(struct rg_ctree *t, struct rg_cnode *c, const struct rg_cnode *body,
                                        const struct rg__counted *h)
{
    if (c->op != RG_COP_AND) return implied(t, c, body, h) ? NULL : c;
    struct rg_cnode *l = without_implied(t, c->kid[0], body, h), *r = without_implied(t, c->kid[1], body, h);
    if (l && r) c->kid[0] = l, c->kid[1] = r;
    return l && r ? c : l ? l : r;
}

static void drop_implied(struct rg_ctree *t, struct rg_cnode *f)
{
    struct rg__counted h = {.var = -1};
    if (!f->kid[1] || f->kid[1]->op != RG_COP_AND || !init_part(f->kid[0], &h) || h.var < 0 ||
        !step_part(f->kid[2], &h))
        return;
    const struct rg_cvar *v = &t->vars[h.var];
    if (!rg__scalar_is_int(v->type) || !rg_scalar_is_signed(v->type) || rg_scalar_bytes(v->type) < 4 ||
        rg__c_writes_var(f->kid[3], h.var))
        return;
    struct rg_cnode *c = without_implied(t, f->kid[1], f->kid[3], &h);
    if (c) f->kid[1] = c; /* none left: an endless loop, which stays as it is written */
}

/* ---- bounds that are taken to the other side ---- */

/* Numbers without a sign that may be made below zero: `z + 2 < n` runs up to n - 2, and n may be 1. */
static bool may_wrap(struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind != RG_C_BINARY || rg_scalar_is_signed(e->type) || !rg__scalar_is_int(e->type)) return false;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    const bool safe = rg__value_safe(r, e);
    free(r);
    return !safe;
}

/* The same sums and products, of numbers with a sign. */
static struct rg_cnode *in_long(struct rg_ctree *t, struct rg_cnode *n)
{
    if (n->kind == RG_C_INT) return rg__c_int(t, n->ivalue);
    if (n->kind != RG_C_BINARY || (n->op != RG_COP_ADD && n->op != RG_COP_SUB && n->op != RG_COP_MUL))
        return rg__c_cast(t, n, RG_LONG);
    return rg__c_binary(t, n->op, in_long(t, n->kid[0]), in_long(t, n->kid[1]));
}

/* Is it no less than that, for all that is known? */
static bool at_least(struct rg_ctree *t, const struct rg_cnode *e, int64_t least)
{
    int64_t v;
    if (!e) return false;
    if (rg__c_number(rg__c_uncast(e, RG__C_WIDE_CASTS), &v)) return v >= least && v <= INT32_MAX;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    struct rg__poly p = rg__poly_of(r, e), k = rg__poly_int(least);
    p = rg__poly_add(&p, &k, -1);
    const bool ok = rg__value_safe(r, e) && rg__prove(r, &p);
    free(r);
    return ok;
}

/* Does the counter begin at no less than zero? A local without a sign does, whatever it holds: `for (; i + 4 <= n;
 * ..)`. */
static bool begins_at_least_0(struct rg_ctree *t, const struct rg__counted *h)
{
    const struct rg_cnode *e = h->lower ? rg__c_uncast(h->lower, RG__C_WIDE_CASTS) : NULL;
    const bool held = !e || (e->kind == RG_C_VAR && e->array < 0 && !e->pointer);
    const enum rg_scalar type = e ? e->type : t->vars[h->var].type;
    return (held && rg__scalar_is_int(type) && !rg_scalar_is_signed(type)) || at_least(t, h->lower, 0);
}

/* i + lag < n, 2*i < n, n - i > 0: linear in the counter. */
static bool linear_condition(struct rg_ctree *t, const struct rg_cnode *c, struct rg__counted *h)
{
    const bool less = c->op == RG_COP_LT || c->op == RG_COP_LE, strict = c->op == RG_COP_LT || c->op == RG_COP_GT;
    if ((!less && c->op != RG_COP_GT && c->op != RG_COP_GE) || !rg__scalar_is_int(c->kid[0]->type) ||
        !rg__scalar_is_int(c->kid[1]->type))
        return false;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    struct rg__poly a = rg__poly_of(r, c->kid[0]), b = rg__poly_of(r, c->kid[1]), zero = rg__poly_int(0), coef, rest;
    struct rg__poly gap = less ? rg__poly_add(&b, &a, -1) : rg__poly_add(&a, &b, -1); /* runs while gap > 0, >= 0 */
    int64_t k = 0;
    bool ok = rg__poly_split(&gap, h->var, &coef, &rest) && rg__poly_is_int(&coef, &k) && k &&
              (k < 0) == (h->step > 0) && k > -MOST_SCALE && k <= 1;
    for (int i = 0; ok && i < r->n_atoms; i++) ok = !rg__c_mentions_var(r->atoms[i], h->var);
    if (ok) {
        /* k < 0: |k|*i < rest (<= rest: rest + 1);  k = 1: i > -rest (>= -rest: -rest - 1) */
        struct rg__poly one = rg__poly_int(!strict);
        if (k < 0)
            rest = rg__poly_add(&rest, &one, 1);
        else
            rest = rg__poly_add(&zero, &rest, -1), rest = rg__poly_add(&rest, &one, -1);
        h->upper = rg__poly_node(r, &rest);
        if (k < -1) h->upper = rg__c_binary(t, RG_COP_DIV, plus(t, h->upper, -k - 1), rg__c_int(t, -k));
        if (k == -1 && h->step > 0 && may_wrap(t, h->upper) && begins_at_least_0(t, h) &&
            rg__value_safe(r, c->kid[0]) &&
            rg__value_safe(r, c->kid[1])) /* what the C itself makes below zero stays what it is there */
            h->upper = in_long(t, h->upper), h->below = true;
    }
    free(r);
    return ok;
}

/* `for (int i = -1; i < n; i++)` with a size_t n makes no trips: -1 is more than any n. */
static bool begins_below_zero(struct rg_ctree *t, const struct rg_cnode *c, const struct rg__counted *h)
{
    const enum rg_scalar common = rg__scalar_common(c->kid[0]->type, c->kid[1]->type);
    const struct rg_cnode *lower = h->lower ? rg__c_uncast(h->lower, RG__C_WIDE_CASTS) : NULL;
    if (!lower || h->step < 0 || rg_scalar_is_signed(common) || !rg__scalar_is_int(common) ||
        !rg_scalar_is_signed(t->vars[h->var].type) || (lower->kind == RG_C_VAR && lower->array < 0))
        return false;
    return !at_least(t, lower, 0);
}

static bool condition_part(struct rg_ctree *t, struct rg_cnode *c, struct rg__counted *h);

/* i < n && i < m: to the smaller. */
static bool both_conditions(struct rg_ctree *t, struct rg_cnode *c, struct rg__counted *h)
{
    struct rg__counted x = *h, y = *h;
    if (!condition_part(t, c->kid[0], &x) || !condition_part(t, c->kid[1], &y)) return false;
    if (x.below || y.below) {
        x.upper = rg__c_cast(t, x.upper, RG_LONG);
        y.upper = rg__c_cast(t, y.upper, RG_LONG);
        h->below = true;
    }
    struct rg_cnode *m = rg_cnode_new(t, RG_C_COND, 3);
    m->kid[0] = rg__c_binary(t, h->step > 0 ? RG_COP_LT : RG_COP_GT, rg__c_copy(t, x.upper), rg__c_copy(t, y.upper));
    m->kid[1] = x.upper;
    m->kid[2] = y.upper;
    m->type = rg__scalar_common(x.upper->type, y.upper->type);
    h->upper = m;
    return true;
}

/* i + 4 <= n: where the counter (`sum` adds a number to it) ends. NULL: the sum may wrap around, and begin elsewhere.
 */
static struct rg_cnode *moved_bound(struct rg_ctree *t, const struct rg_cnode *c, const struct rg_cnode *sum,
                                    struct rg__counted *h)
{
    const bool adds = sum->op == RG_COP_ADD, up = h->step > 0,
               sign = rg_scalar_is_signed(rg__scalar_common(c->kid[0]->type, c->kid[1]->type));
    const int64_t by = sum->kid[1]->ivalue;
    int64_t from;
    if (!sign && !adds && by > 0 && up && !at_least(t, h->lower, by)) return NULL; /* i - 2 < n from 0 on */
    if (!sign && (adds || !by) && h->lower && rg__c_number(rg__c_uncast(h->lower, RG__C_WIDE_CASTS), &from) &&
        !at_least(t, h->lower, 0))
        return NULL; /* i + 2 < n from -2u on: 0, 1, .. */
    struct rg_cnode *bound = plus(t, c->kid[1], adds ? -by : by);
    if (!adds || !up || !may_wrap(t, bound) || !begins_at_least_0(t, h)) return bound;
    h->below = true;
    return plus(t, rg__c_cast(t, c->kid[1], RG_LONG), -by);
}

static bool condition_part(struct rg_ctree *t, struct rg_cnode *c, struct rg__counted *h)
{
    if (c && c->op == RG_COP_AND) return both_conditions(t, c, h);
    if (c && c->kind == RG_C_VAR && c->array < 0 && c->var == h->var) /* for (; n; n--) */
        c = rg__c_binary(t, RG_COP_NE, c, rg__c_cast(t, rg__c_int(t, 0), c->type));
    if (!c || c->kind != RG_C_BINARY || begins_below_zero(t, c, h)) return false;
    const enum rg_c_op op = c->op;
    const struct rg_cnode *l = rg__c_uncast(c->kid[0], RG__C_WIDE_CASTS),
                          *r = rg__c_uncast(c->kid[1], RG__C_WIDE_CASTS);
    struct rg_cnode *bound;
    bool flip = false;
    if (l->kind == RG_C_VAR && l->array < 0 && l->var == h->var)
        bound = c->kid[1];
    else if (r->kind == RG_C_VAR && r->array < 0 && r->var == h->var)
        bound = c->kid[0], flip = true;
    else if ((l->op == RG_COP_ADD || l->op == RG_COP_SUB) && l->kid[1]->kind == RG_C_INT &&
             rg__c_uncast(l->kid[0], RG__C_WIDE_CASTS)->kind == RG_C_VAR &&
             rg__c_uncast(l->kid[0], RG__C_WIDE_CASTS)->var == h->var) /* i + 4 <= n */
        bound = moved_bound(t, c, l, h);
    else
        return linear_condition(t, c, h);
    if (!bound || !rg__scalar_is_int(bound->type) || bound->pointer) return false;
    const bool less = op == RG_COP_LT || op == RG_COP_LE, equal = op == RG_COP_LE || op == RG_COP_GE;
    if (op == RG_COP_NE) {
        if (h->step != 1 && h->step != -1) return false;
        h->upper = bound; /* a counted loop that meets its bound exactly */
        return true;
    }
    if (!less && op != RG_COP_GT && op != RG_COP_GE) return false;
    if ((less != flip) != (h->step > 0)) return false;
    h->upper = equal ? plus(t, bound, h->step > 0 ? 1 : -1) : bound;
    return true;
}

/* for (i = n; i-- > 0;) and for (...; i--;): runs n-1 .. 0. */
static bool countdown(struct rg_ctree *t, const struct rg_cnode *f, const struct rg_cnode *c, struct rg__counted *h)
{
    if (f->kid[2] || !c) return false;
    if ((c->op == RG_COP_GT || c->op == RG_COP_NE) && rg__c_uncast(c->kid[1], RG__C_WIDE_CASTS)->kind == RG_C_INT &&
        rg__c_uncast(c->kid[1], RG__C_WIDE_CASTS)->ivalue == 0)
        c = rg__c_uncast(c->kid[0], RG__C_WIDE_CASTS);
    if (c->op != RG_COP_POST_DEC || c->kid[0]->kind != RG_C_VAR) return false;
    if (h->var >= 0 && c->kid[0]->var != h->var) return false;
    h->var = c->kid[0]->var;
    if (!h->lower) h->lower = rg__c_var(t, h->var);
    h->lower = plus(t, h->lower, -1);
    h->upper = rg__c_int(t, -1);
    h->step = -1;
    return true;
}

struct rg_cnode *rg__counted_end(struct rg_ctree *t, const struct rg__counted *h)
{
    if (h->down) return rg__c_int(t, -1);
    struct rg_cnode *lo = rg__c_copy(t, h->lower), *up = rg__c_copy(t, h->upper), *end = up;
    int64_t s = h->step > 0 ? h->step : -h->step;
    if (s != 1) {
        struct rg_cnode *span = h->step > 0 ? rg__c_binary(t, RG_COP_SUB, up, lo) : rg__c_binary(t, RG_COP_SUB, lo, up);
        struct rg_cnode *trips =
            rg__c_binary(t, RG_COP_DIV, rg__c_binary(t, RG_COP_ADD, span, rg__c_int(t, s - 1)), rg__c_int(t, s));
        end = rg__c_binary(t, h->step > 0 ? RG_COP_ADD : RG_COP_SUB, rg__c_copy(t, lo),
                           rg__c_binary(t, RG_COP_MUL, trips, rg__c_int(t, s)));
    }
    struct rg_cnode *c = rg_cnode_new(t, RG_C_COND, 3);
    c->kid[0] = rg__c_binary(t, h->step > 0 ? RG_COP_LT : RG_COP_GT, rg__c_copy(t, h->lower), rg__c_copy(t, h->upper));
    c->kid[1] = end;
    c->kid[2] = rg__c_copy(t, h->lower);
    c->type = end->type;
    return c;
}

void rg__counted_start(struct rg_ctree *t, struct rg_cnode *f, struct rg__kids *out)
{
    struct rg__counted h = {.var = -1}, first = {.var = -1};
    if (!f->kid[0] || !f->kid[2] || !step_part(f->kid[2], &h) || !init_part(f->kid[0], &first) || first.var == h.var)
        return;
    if (f->kid[0]->kind != RG_C_DECL && f->kid[0]->kind != RG_C_STMT) f->kid[0] = rg__c_stmt(t, f->kid[0]);
    rg__kids_add(out, f->kid[0]);
    f->kid[0] = NULL;
}

/* Does a counter of 8 or 16 bits come to its bound without passing the end of its type? Not where that is further:
 * `for (uint8_t i = 0; i < 256; i++)` has no end. */
static bool reaches(const struct rg_ctree *t, const struct rg__counted *h)
{
    enum rg_scalar type = t->vars[h->var].type;
    size_t bits = rg_scalar_bytes(type) * 8;
    bool sign = rg_scalar_is_signed(type);
    if (bits >= 32) return true;
    if (type == RG_BOOL || h->step != 1) return false;
    int64_t most = ((int64_t)1 << (bits - sign)) - 1;
    const struct rg_cnode *e = rg__c_uncast(h->upper, RG__C_WIDE_CASTS);
    if (e->op == RG_COP_SUB && e->kid[1]->kind == RG_C_INT && e->kid[1]->ivalue >= 0)
        e = rg__c_uncast(e->kid[0], RG__C_WIDE_CASTS); /* i + 1 < n */
    int64_t number, low, high;
    if (rg__c_number(e, &number)) return number <= most;
    const struct rg__term_at where = {.t = t, .scope = t->root};
    if (rg__term_range(&where, h->upper, &low, &high) && low >= 0 && high <= most) return true; /* (row + 1) * 40 */
    if (e->kind != RG_C_VAR || e->array >= 0) return false;
    enum rg_scalar to = t->vars[e->var].type;
    size_t wide = rg_scalar_bytes(to) * 8;
    return rg__scalar_is_int(to) && (wide < bits || (wide == bits && (!sign || rg_scalar_is_signed(to))));
}

bool rg__counted(struct rg_ctree *t, const struct rg_cnode *f, struct rg_cnode *condition, struct rg__counted *h)
{
    *h = (struct rg__counted){.var = -1};
    if (!init_part(f->kid[0], h)) return false;
    h->down = countdown(t, f, condition, h);
    if (!h->down && (!step_part(f->kid[2], h) || !condition_part(t, condition, h))) return false;
    const struct rg_cnode *body = f->kid[3];
    const struct rg_cvar *v = &t->vars[h->var];
    if (!rg__scalar_is_int(v->type) || rg__c_writes_var(body, h->var) || !reaches(t, h)) return false;
    if (!h->lower) h->lower = rg__c_var(t, h->var);
    if (h->below) h->lower = rg__c_cast(t, h->lower, RG_LONG);
    return invariant(t, h->upper, body, h->var) && rg__c_pure(t, h->lower);
}

int rg__counts_down(const struct rg_ctree *t, const struct rg_cnode *f)
{
    const struct rg_cnode *c = f->kind == RG_C_FOR && !f->kid[0] && !f->kid[2] ? f->kid[1] : NULL;
    if (!c) return -1;
    const bool above = c->op == RG_COP_GT;
    if (above || c->op == RG_COP_NE) {
        const struct rg_cnode *zero = rg__c_uncast(c->kid[1], RG__C_WIDE_CASTS);
        if (zero->kind != RG_C_INT || zero->ivalue) return -1;
        c = rg__c_uncast(c->kid[0], RG__C_WIDE_CASTS);
    }
    if (c->op != RG_COP_POST_DEC || c->kid[0]->kind != RG_C_VAR || c->kid[0]->array >= 0 || c->kid[0]->pointer)
        return -1;
    const struct rg_cvar *v = &t->vars[c->kid[0]->var];
    if (v->kind != RG_CVAR_LOCAL || !rg__scalar_is_int(v->type) || rg_scalar_bytes(v->type) < 4 ||
        (rg_scalar_is_signed(v->type) && !above) || rg__c_writes_var(f->kid[3], c->kid[0]->var))
        return -1;
    return c->kid[0]->var;
}

struct rg_cnode *rg__counted_up(struct rg_ctree *t, const struct rg_cnode *n, int var, int first)
{
    const enum rg_scalar type = t->vars[var].type;
    const int k = rg__c_add_var(t, "k", RG_CVAR_LOCAL, type);
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4), *one = rg__c_cast(t, rg__c_int(t, 1), type);
    struct rg__kids body = {0};
    f->kid[0] = rg__doubling_declaration(t, k, rg__c_int(t, 0), n);
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, k), rg__c_var(t, first));
    f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, k), one);
    struct rg_cnode *gone = rg__c_binary(t, RG_COP_ADD, rg__c_var(t, k), rg__c_copy(t, one));
    struct rg_cnode *now = rg__c_stmt(
        t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), rg__c_binary(t, RG_COP_SUB, rg__c_var(t, first), gone)));
    now->line = n->line;
    now->column = n->column;
    rg__kids_add(&body, now);
    for (int i = 0; i < n->kid[3]->n; i++) rg__kids_add(&body, n->kid[3]->kid[i]);
    f->kid[3] = rg__kids_node(t, RG_C_BLOCK, &body);
    f->line = f->kid[3]->line = n->line;
    f->column = n->column;
    return f;
}

static bool convert(struct rg_ctree *t, struct rg_cnode *f, struct rg__kids *out)
{
    struct rg__counted h;
    rg__counted_start(t, f, out);
    drop_implied(t, f);
    if (rg__leaves_early(f->kid[3]) || !rg__counted(t, f, f->kid[1], &h)) return false;
    struct rg_cnode *body = f->kid[3];
    const struct rg_cvar v = t->vars[h.var];
    int iter = rg__c_add_var(t, v.name, RG_CVAR_ITER, v.type);
    if (h.declared) { /* the name is free again */
        const char *name = t->vars[h.var].name;
        t->vars[h.var].name = t->vars[iter].name;
        t->vars[iter].name = name;
    }
    if (rg_scalar_bytes(v.type) < 4) { /* what it is promoted to wherever it is read */
        t->vars[iter].type = RG_I32;
        t->vars[iter].c_type = rg_scalar_c(RG_I32);
    }
    struct rg_cnode *value = rg__c_var(t, iter);
    if ((h.step < 0 || h.below) && !rg_scalar_is_signed(v.type)) { /* it must be able to pass below zero */
        t->vars[iter].type = RG_LONG;
        t->vars[iter].c_type = rg_scalar_c(RG_LONG);
        value = rg__c_cast(t, rg__c_var(t, iter), t->vars[h.var].type);
    }
    struct rg_cnode *l = rg_cnode_new(t, RG_C_LOOP, 3);
    l->var = iter;
    l->step = h.step;
    l->kid[0] = h.lower;
    l->kid[1] = h.upper;
    l->kid[2] = rg__c_replace_var(t, body, h.var, value);
    l->parallel_hint = f->parallel_hint;
    l->line = f->line;
    l->column = f->column;
    rg__kids_add(out, l);
    if (!h.declared && t->vars[h.var].kind != RG_CVAR_ITER) {
        struct rg_cnode *end = rg__counted_end(t, &h);
        rg__kids_add(out, rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, h.var), end)));
    }
    return true;
}

static bool holds(const struct rg_cnode *e)
{
    int64_t a, b;
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind == RG_C_BINARY && rg_c_relation(e->op))
        return rg__c_number(e->kid[0], &a) && rg__c_number(e->kid[1], &b) && a >= 0 && b >= 0 &&
               rg__relation_holds(e->op, (double)a, (double)b);
    return rg__c_number(e, &a) && a;
}

/* How often the scalar is set; *on: to what is true. */
static int sets(const struct rg_cnode *n, int var, bool *on)
{
    if (!n) return 0;
    if (n->kind == RG_C_VERBATIM) return 2;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) {
        const struct rg_cnode *to = n->kid[0];
        if (to->kind == RG_C_VAR && to->array < 0 && to->var == var) {
            *on = n->op == RG_COP_SET && holds(n->kid[1]);
            return *on ? 1 : 2;
        }
    }
    int count = n->kind == RG_C_DECL && n->array < 0 && n->var == var && n->n;
    if (count) *on = holds(n->kid[0]);
    for (int i = 0; i < n->n; i++) count += sets(n->kid[i], var, on);
    return count;
}

/* A flag that nothing ever takes down. */
static bool always_on(const struct rg_ctree *t, const struct rg_cnode *c)
{
    bool on = false;
    c = rg__c_uncast(c, RG__C_INT_CASTS);
    return c->kind == RG_C_VAR && c->array < 0 && !c->pointer && t->vars[c->var].kind == RG_CVAR_LOCAL &&
           sets(t->root, c->var, &on) == 1 && on;
}

static struct rg_cnode *without_flags(const struct rg_ctree *t, struct rg_cnode *c)
{
    if (c->op != RG_COP_AND) return c;
    c->kid[0] = without_flags(t, c->kid[0]);
    c->kid[1] = without_flags(t, c->kid[1]);
    return always_on(t, c->kid[0]) ? c->kid[1] : always_on(t, c->kid[1]) ? c->kid[0] : c;
}

void rg__canon_flags_on(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) rg__canon_flags_on(t, n->kid[i]);
    if (n->kind == RG_C_FOR && n->kid[1]) n->kid[1] = without_flags(t, n->kid[1]);
}

static void walk(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) walk(t, n->kid[i]);
    if (n->kind != RG_C_BLOCK) return;
    for (int i = 0; i < n->n; i++) {
        struct rg__kids with = {0};
        if (n->kid[i]->kind != RG_C_FOR) continue;
        if (!convert(t, n->kid[i], &with)) rg__kids_add(&with, n->kid[i]);
        int added = with.n;
        rg__block_splice(t, n, i, 1, &with);
        i += added - 1;
    }
}

void rg__canon_loops(struct rg_ctree *t)
{
    walk(t, t->root);
}
