/* Values as polynomials of a tree's integers, and what conditions say of them at a place. */
#include "ir/range.h"
#include <stdlib.h>
#include <string.h>

const struct rg_cnode *rg__computed_quotient(const struct rg_cnode *e, int64_t *c)
{
    *c = 0;
    while ((e->op == RG_COP_ADD || e->op == RG_COP_SUB) && e->kid[1]->kind == RG_C_INT) {
        *c += e->op == RG_COP_ADD ? e->kid[1]->ivalue : -e->kid[1]->ivalue;
        e = e->kid[0];
    }
    return e;
}

/* q = x/d + c, d >= 1: x < (q - c)*d + d, and where x is never negative (q - c)*d <= x, q - c >= 0. */
static void computed(struct rg__range *r, const struct rg__computed *k)
{
    int64_t c;
    const struct rg_cnode *e = rg__computed_quotient(k->value, &c);
    struct rg__poly q = rg__poly_var(k->var), one = rg__poly_int(1), zero = rg__poly_int(0);
    if (e->op != RG_COP_DIV || r->n_facts + 3 >= RG__MAX_FACTS) return;
    struct rg__poly shift = rg__poly_int(c), x = rg__poly_of(r, e->kid[0]), d = rg__poly_of(r, e->kid[1]);
    q = rg__poly_add(&q, &shift, -1);
    struct rg__poly qd = rg__poly_mul(&q, &d), rest = rg__poly_add(&x, &qd, -1), neg = rg__poly_add(&zero, &rest, -1);
    struct rg__poly below = rg__poly_add(&neg, &d, 1);
    below = rg__poly_add(&below, &one, -1);
    if (rest.bad || below.bad) return;
    r->facts[r->n_facts++] = below;
    if (k->plain) r->facts[r->n_facts++] = rest;
    if (k->plain) r->facts[r->n_facts++] = q;
    r->n_computed_facts = r->n_facts;
}

/* x & m is no more than m, where that is not negative; x >> 4 of few bits has fewer. */
static void bits(struct rg__range *r, const struct rg_cnode *e, const struct rg__poly *a)
{
    enum { MOST = 1 << 24 }; /* elements that somebody counts by a hash */
    if (r->n_facts + 3 >= RG__MAX_FACTS) return;
    for (int side = 0; side < 2 && e->op == RG_COP_BAND; side++) {
        struct rg__poly m = rg__poly_of(r, e->kid[side]);
        if (m.bad || r->n_facts + 3 >= RG__MAX_FACTS || !rg__prove(r, &m)) continue;
        r->facts[r->n_facts++] = *a;
        r->facts[r->n_facts++] = rg__poly_add(&m, a, -1);
    }
    const struct rg_cnode *x = e->op == RG_COP_SHR ? rg__c_uncast(e->kid[0], RG__C_WIDE_CASTS) : NULL;
    int64_t by;
    if (!x || x->pointer || rg_scalar_is_signed(x->type) || !rg__scalar_is_int(x->type) ||
        rg_scalar_bytes(x->type) > 4 || !rg__c_number(e->kid[1], &by) || by < 0 || by > 31)
        return;
    const int64_t most = (((int64_t)1 << 8 * rg_scalar_bytes(x->type)) - 1) >> by;
    if (most > MOST) return;
    struct rg__poly last = rg__poly_int(most);
    r->facts[r->n_facts++] = *a;
    r->facts[r->n_facts++] = rg__poly_add(&last, a, -1);
}

/* What is known of an atom becomes facts. */
static void describe(struct rg__range *r, int id)
{
    const struct rg_cnode *e = r->atoms[id];
    struct rg__poly a = rg__poly_var(RG__ATOM + id);
    const struct rg_carray *table = e->kind == RG_C_INDEX ? &r->t->arrays[e->array] : NULL;
    if (table && table->bounded && r->n_facts + 2 < RG__MAX_FACTS) {
        struct rg__poly least = rg__poly_int(table->least), most = rg__poly_int(table->most);
        r->facts[r->n_facts++] = rg__poly_add(&a, &least, -1);
        r->facts[r->n_facts++] = rg__poly_add(&most, &a, -1);
    }
    const struct rg__value_range *held =
        e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER ? rg__given_held(r->given, e) : NULL;
    if (held && !(r->hull && held->chosen) && r->n_facts + 2 < RG__MAX_FACTS) {
        r->facts[r->n_facts++] = rg__poly_add(&a, &held->low, -1);
        r->facts[r->n_facts++] = rg__poly_add(&held->high, &a, -1);
    }
    /* bits in reverse, of as many as a power of two has: they stay below it */
    if (e->kind == RG_C_CALL && e->callee < 0 && e->text && !strcmp(e->text, "rg_mirrored") &&
        r->n_facts + 2 < RG__MAX_FACTS) {
        struct rg__poly n = rg__poly_of(r, e->kid[1]), one = rg__poly_int(1), last = rg__poly_add(&n, &one, -1);
        r->facts[r->n_facts++] = a;
        if (rg__prove(r, &last)) r->facts[r->n_facts++] = rg__poly_add(&last, &a, -1);
    }
    bits(r, e, &a);
    /* what a quotient or remainder of something non-negative satisfies; below its divisor a remainder always is */
    int64_t places;
    const bool shifted = e->op == RG_COP_SHR && rg__c_number(e->kid[1], &places) && places > 0 && places < 31;
    if ((e->op == RG_COP_DIV || e->op == RG_COP_REM || shifted) && r->n_facts + 3 < RG__MAX_FACTS) {
        struct rg__poly x = rg__poly_of(r, e->kid[0]), zero = rg__poly_int(0),
                        d = shifted ? rg__poly_int((int64_t)1 << places) : rg__poly_of(r, e->kid[1]);
        struct rg__poly one = rg__poly_int(1), d1 = rg__poly_add(&d, &one, -1);
        if (r->n_facts + 3 >= RG__MAX_FACTS || !rg__prove(r, &d1)) return;
        const struct rg_cnode *of = e->kid[0];
        const bool no_less = of->kind == RG_C_VAR && of->array < 0 && !of->pointer && rg__scalar_is_int(of->type) &&
                             !rg_scalar_is_signed(of->type);
        bool remainder = e->op == RG_COP_REM, plain = no_less || rg__prove(r, &x);
        if (remainder) r->facts[r->n_facts++] = rg__poly_add(&d1, &a, -1);
        bool no_sign = remainder && !rg_scalar_is_signed(e->type);
        if (plain || no_sign) r->facts[r->n_facts++] = a;
        if (plain && !remainder) {
            struct rg__poly ad = rg__poly_mul(&a, &d), f = rg__poly_add(&x, &ad, -1);
            r->facts[r->n_facts++] = f;
            struct rg__poly g = rg__poly_add(&zero, &f, -1);
            r->facts[r->n_facts++] = rg__poly_add(&g, &d1, 1);
            struct rg__poly minus = rg__poly_add(&zero, &x, -1), low;
            int64_t by, most;
            if (r->n_facts < RG__MAX_FACTS && rg__poly_is_int(&d, &by) && rg__lowest(r, &minus, &low) &&
                rg__poly_is_int(&low, &most)) { /* k / 2 is 1 at most for k of 0 .. 3, not one and a half */
                struct rg__poly whole = rg__poly_int(-most / by);
                r->facts[r->n_facts++] = rg__poly_add(&whole, &a, -1);
            }
        }
    }
}

/* Are both the same but for the types of literals (0 and 0L), which what they stand in converts to one type? */
static bool same_value(const struct rg_cnode *a, const struct rg_cnode *b)
{
    const struct rg_cnode *la = rg__c_uncast(a, RG__C_WIDE_CASTS), *lb = rg__c_uncast(b, RG__C_WIDE_CASTS);
    if (la->kind == RG_C_INT && lb->kind == RG_C_INT)
        return la->ivalue == lb->ivalue && la->ivalue >= 0 && la->ivalue <= INT32_MAX;
    const bool choice = a->kind == RG_C_COND;
    if ((a->kind != RG_C_BINARY && !choice) || a->kind != b->kind || a->op != b->op || a->pointer || b->pointer)
        return rg__c_equal(a, b);
    struct rg_cnode **x = &a->kid[choice], **y = &b->kid[choice];
    for (int i = 0; i < 2; i++)
        if (!rg__scalar_is_int(x[i]->type) || !rg__scalar_is_int(y[i]->type)) return rg__c_equal(a, b);
    if (rg__scalar_common(x[0]->type, x[1]->type) != rg__scalar_common(y[0]->type, y[1]->type)) return false;
    for (int i = 0; i < a->n; i++)
        if (!same_value(a->kid[i], b->kid[i])) return false;
    return true;
}

static struct rg__poly atom(struct rg__range *r, const struct rg_cnode *e)
{
    for (int i = 0; i < r->n_atoms; i++) {
        if (!same_value(r->atoms[i], e)) continue;
        bool said = !r->told[i];
        for (int f = 0; f < r->n_facts && !said; f++) said = rg__poly_mentions(&r->facts[f], RG__ATOM + i);
        if (!said) {
            r->told[i] = false; /* it may be met again on the way */
            describe(r, i);
            r->told[i] = true;
        }
        return rg__poly_var(RG__ATOM + i);
    }
    struct rg__poly bad = {.bad = true};
    if (r->n_atoms == RG__MAX_ATOMS) return bad;
    int id = r->n_atoms++;
    r->atoms[id] = e;
    const int before = r->n_facts;
    describe(r, id);
    r->told[id] = r->n_facts > before;
    return rg__poly_var(RG__ATOM + id);
}

void rg__range_describe(struct rg__range *r, const struct rg__poly *p)
{
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->terms[i].degree; k++) {
            int id = p->terms[i].var[k];
            bool said = id < RG__ATOM;
            for (int f = 0; f < r->n_facts && !said; f++) said = rg__poly_mentions(&r->facts[f], id);
            if (!said) describe(r, id - RG__ATOM);
        }
}

/* Never more than its type holds, or the C is undefined: of unsigned arithmetic and of shifts the upper bits may be
 * lost, as (x << 8) >> 8 wants them to be. */
static bool keeps_all(const struct rg_cnode *e)
{
    if (!rg__scalar_is_int(e->type)) return false;
    if (e->kind != RG_C_BINARY && e->kind != RG_C_UNARY && e->kind != RG_C_CAST) return true;
    if (!rg_scalar_is_signed(e->type) || e->op == RG_COP_SHL) return false;
    for (int i = 0; i < e->n; i++)
        if (!keeps_all(e->kid[i])) return false;
    return true;
}

/* The quotient, or the remainder, of a multiple of `by` and of what is added to it within one: (8 * b + y) / 8 is b for
 * y from 0 to 7, where b is not below 0. False: the division stays as it is. */
static bool divided(struct rg__range *r, const struct rg__poly *p, int64_t by, bool quotient, struct rg__poly *out)
{
    const struct rg__poly zero = rg__poly_int(0), most = rg__poly_int(by - 1);
    struct rg__poly times = zero, rest = zero;
    for (int i = 0; i < p->n; i++) {
        struct rg__poly term = {.n = 1, .terms = {p->terms[i]}};
        if (p->terms[i].c % by == 0) {
            term.terms[0].c /= by;
            times = rg__poly_add(&times, &term, 1);
        } else
            rest = rg__poly_add(&rest, &term, 1);
    }
    if (p->bad || times.bad || rest.bad || !times.n) return false;
    if (rest.n) {
        struct rg__poly room = rg__poly_add(&most, &rest, -1);
        if (r->dividing) return false;
        r->dividing = true;
        bool within = rg__prove(r, &rest) && rg__prove(r, &room) && rg__prove(r, &times);
        r->dividing = false;
        if (!within) return false;
    }
    *out = quotient ? times : rest;
    return true;
}

struct rg__poly rg__poly_of(struct rg__range *r, const struct rg_cnode *e)
{
    struct rg__poly bad = {.bad = true};
    if (!e || e->pointer || !rg__scalar_is_int(e->type)) return bad;
    switch (e->kind) {
    case RG_C_INT:
        return rg__poly_int(e->ivalue);
    case RG_C_VAR:
        return e->array >= 0 ? bad : rg__poly_var(e->var);
    case RG_C_CAST:
        if (rg_scalar_bytes(e->type) >= 4 && rg__scalar_is_int(e->kid[0]->type)) return rg__poly_of(r, e->kid[0]);
        return atom(r, e);
    case RG_C_UNARY:
        if (e->op == RG_COP_POS) return rg__poly_of(r, e->kid[0]);
        if (e->op == RG_COP_NEG) {
            struct rg__poly zero = rg__poly_int(0), p = rg__poly_of(r, e->kid[0]);
            return rg__poly_add(&zero, &p, -1);
        }
        return atom(r, e);
    case RG_C_BINARY:
        if (e->op == RG_COP_ADD || e->op == RG_COP_SUB || e->op == RG_COP_MUL) {
            struct rg__poly a = rg__poly_of(r, e->kid[0]), b = rg__poly_of(r, e->kid[1]);
            return e->op == RG_COP_MUL ? rg__poly_mul(&a, &b) : rg__poly_add(&a, &b, e->op == RG_COP_SUB ? -1 : 1);
        }
        if (e->op == RG_COP_SHL && e->kid[1]->kind == RG_C_INT && e->kid[1]->ivalue >= 0 && e->kid[1]->ivalue < 31) {
            struct rg__poly a = rg__poly_of(r, e->kid[0]), zero = rg__poly_int(0);
            return rg__poly_add(&zero, &a, (int64_t)1 << e->kid[1]->ivalue);
        }
        if (e->op == RG_COP_DIV || e->op == RG_COP_REM) {
            struct rg__poly a = rg__poly_of(r, e->kid[0]), b = rg__poly_of(r, e->kid[1]);
            int64_t over, by;
            if (rg__poly_is_int(&a, &over) && rg__poly_is_int(&b, &by) && over >= 0 && by > 0)
                return rg__poly_int(e->op == RG_COP_DIV ? over / by : over % by);
            struct rg__poly part;
            if (rg__poly_is_int(&b, &by) && by > 1 && keeps_all(e->kid[0]) &&
                divided(r, &a, by, e->op == RG_COP_DIV, &part))
                return part;
        }
        return atom(r, e);
    default:
        return atom(r, e);
    }
}

struct rg_cnode *rg__poly_node(struct rg__range *r, const struct rg__poly *p)
{
    struct rg_ctree *t = r->t;
    struct rg_cnode *sum = NULL;
    /* highest degree first, positive terms before negative ones, reads like the source */
    for (int pass = 0; pass < 2; pass++)
        for (int i = p->n - 1; i >= 0; i--) {
            const struct rg__term *m = &p->terms[i];
            if ((m->c < 0) != (pass == 1)) continue;
            struct rg_cnode *e = NULL;
            for (int k = 0; k < m->degree; k++) {
                struct rg_cnode *v =
                    m->var[k] >= RG__ATOM ? rg__c_copy(t, r->atoms[m->var[k] - RG__ATOM]) : rg__c_var(t, m->var[k]);
                e = e ? rg__c_binary(t, RG_COP_MUL, e, v) : v;
            }
            int64_t c = m->c < 0 ? -m->c : m->c;
            if (!e)
                e = rg__c_int(t, c);
            else if (c != 1)
                e = rg__c_binary(t, RG_COP_MUL, rg__c_int(t, c), e);
            if (!sum)
                sum = m->c < 0 ? (m->degree ? rg__c_unary(t, RG_COP_NEG, e) : rg__c_int(t, -c)) : e;
            else
                sum = rg__c_binary(t, m->c < 0 ? RG_COP_SUB : RG_COP_ADD, sum, e);
        }
    return sum ? sum : rg__c_int(t, 0);
}

/* `n % 2 == 0`: the quotient times the divisor is the whole of it. */
static void divides(struct rg__range *r, const struct rg_cnode *rem)
{
    struct rg__poly whole = rg__poly_of(r, rem->kid[0]), by = rg__poly_of(r, rem->kid[1]),
                    q = rg__poly_of(r, rg__c_binary(r->t, RG_COP_DIV, rg__c_copy(r->t, rem->kid[0]),
                                                    rg__c_copy(r->t, rem->kid[1])));
    rg__range_describe(r, &q);
    struct rg__poly times = rg__poly_mul(&q, &by), f = rg__poly_add(&times, &whole, -1);
    int64_t k;
    if (f.bad || !rg__poly_is_int(&by, &k) || k < 2 || r->n_facts + 2 >= RG__MAX_FACTS) return;
    r->facts[r->n_facts++] = f;
}

/* Differences of unsigned numbers, and signed ones that become unsigned: these may come round below zero. */
static bool turns(const struct rg_cnode *e)
{
    const bool here = rg__scalar_is_int(e->type) && !rg_scalar_is_signed(e->type);
    if (e->kind != RG_C_BINARY && e->kind != RG_C_UNARY && e->kind != RG_C_CAST && e->kind != RG_C_COND) return false;
    if (here && (e->op == RG_COP_SUB || e->op == RG_COP_NEG)) return true;
    for (int i = 0; i < e->n; i++)
        if (turns(e->kid[i]) || (here && rg_scalar_is_signed(e->kid[i]->type) && e->kid[i]->kind != RG_C_INT))
            return true;
    return false;
}

/* May a side of a comparison, that it converts to `common`, be more than the polynomial says? A proof asks for the
 * conditions of choices itself: what it takes another proof for is not known of these. */
static bool exceeds(struct rg__range *r, const struct rg_cnode *e, enum rg_scalar common, const struct rg__poly *p)
{
    const bool converted = !rg_scalar_is_signed(common) && rg_scalar_is_signed(e->type) && e->kind != RG_C_INT;
    if (!converted && !turns(e)) return false;
    if (r->weighing) return true;
    r->weighing = true;
    const bool safe = (!converted || rg__prove(r, p)) && rg__value_safe(r, e);
    r->weighing = false;
    return !safe;
}

/* May an unsigned value be any number of its type? A size that loops and arrays go to is none that sums come round at.
 */
static bool is_free(const struct rg__range *r, const struct rg_cnode *e)
{
    if (e->kind == RG_C_CAST && rg_scalar_bytes(e->type) >= 4) return is_free(r, e->kid[0]);
    if (e->kind == RG_C_INT || !rg__scalar_is_int(e->type) || rg_scalar_is_signed(e->type) ||
        rg_scalar_bytes(e->type) < 4)
        return false;
    if (e->kind != RG_C_VAR || e->array >= 0) return e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER;
    const struct rg_cvar *v = &r->t->vars[e->var];
    return v->kind == RG_CVAR_PARAM && !v->assigned && r->given && e->var < r->given->n_vars &&
           (!r->given->positive[e->var] || r->given->place[e->var]);
}

/* Does a sum of unsigned numbers have a part that may be any: `i + s` is below n where s is near the last of its type?
 */
static bool comes_round(const struct rg__range *r, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    const bool sum = e->op == RG_COP_ADD || e->op == RG_COP_MUL;
    if (e->kind != RG_C_BINARY || (!sum && e->op != RG_COP_SUB)) return false;
    const bool here = sum && rg__scalar_is_int(e->type) && !rg_scalar_is_signed(e->type);
    for (int i = 0; i < 2; i++)
        if ((here && is_free(r, e->kid[i])) || comes_round(r, e->kid[i])) return true;
    return false;
}

/* `n - i == 2` of unsigned numbers, i by its type less than half of what they hold: n - i is no less than 2 as
 * integers, either, as it is above what would come round to 2. */
static bool differs_by(const struct rg_cnode *e, enum rg_c_op op, const struct rg__poly *by)
{
    int64_t k;
    if (op != RG_COP_EQ || e->op != RG_COP_SUB || !rg__scalar_is_int(e->type) || rg_scalar_is_signed(e->type) ||
        !rg__poly_is_int(by, &k) || k < 0 || k > INT32_MAX)
        return false;
    const struct rg_cnode *from = e->kid[0], *i = e->kid[1];
    while (i->kind == RG_C_CAST && rg__scalar_is_int(i->type) && !rg_scalar_is_signed(i->type) &&
           rg_scalar_bytes(i->type) == rg_scalar_bytes(e->type))
        i = i->kid[0];
    while (from->kind == RG_C_CAST && rg__scalar_is_int(from->type) && !rg_scalar_is_signed(from->type))
        from = from->kid[0];
    return from->kind == RG_C_VAR && !rg_scalar_is_signed(from->type) && rg__scalar_is_int(from->type) &&
           rg__scalar_is_int(i->type) && !turns(i) &&
           (rg_scalar_is_signed(i->type) ? rg_scalar_bytes(i->type) <= rg_scalar_bytes(e->type)
                                         : rg_scalar_bytes(i->type) < rg_scalar_bytes(e->type));
}

/* integers: it was said of them, whatever the types that it is written in. */
static void assume(struct rg__range *r, const struct rg_cnode *c, bool holds, bool integers)
{
    if (!c || r->n_facts + 2 >= RG__MAX_FACTS) return;
    if (c->op == RG_COP_NOT) {
        assume(r, c->kid[0], !holds, integers);
        return;
    }
    if (c->kind == RG_C_VAR && c->array < 0 && !c->pointer && rg__scalar_is_int(c->type)) { /* if (n) */
        assume(r, rg__c_binary(r->t, RG_COP_NE, rg__c_copy(r->t, c), rg__c_int(r->t, 0)), holds, integers);
        return;
    }
    if (c->kind != RG_C_BINARY) return;
    int64_t none;
    const struct rg_cnode *truth = rg__c_uncast(c->kid[0], RG__C_INT_CASTS); /* !n != 0 */
    if ((c->op == RG_COP_NE || c->op == RG_COP_EQ) && rg__c_number(c->kid[1], &none) && !none &&
        (truth->op == RG_COP_NOT || rg_c_relation(truth->op) || rg_c_lazy(truth->op))) {
        assume(r, truth, holds == (c->op == RG_COP_NE), integers);
        return;
    }
    if (c->op == (holds ? RG_COP_AND : RG_COP_OR)) {
        assume(r, c->kid[0], holds, integers);
        assume(r, c->kid[1], holds, integers);
        return;
    }
    if (c->op == RG_COP_REM && !holds) divides(r, c);
    if (!rg_c_relation(c->op)) return;
    int64_t zero;
    if (c->op == (holds ? RG_COP_EQ : RG_COP_NE) && c->kid[0]->op == RG_COP_REM && rg__c_number(c->kid[1], &zero) &&
        !zero)
        divides(r, c->kid[0]);
    const enum rg_c_op op = holds ? c->op : rg_c_opposite(c->op);
    struct rg__poly a = rg__poly_of(r, c->kid[0]), b = rg__poly_of(r, c->kid[1]), one = rg__poly_int(1), f;
    if (a.bad || b.bad || r->n_facts + 2 >= RG__MAX_FACTS) return;
    if (op == RG_COP_NE) { /* a != b says something only at an end of a's range */
        struct rg__poly ba = rg__poly_add(&b, &a, -1), ab = rg__poly_add(&a, &b, -1);
        if (rg__prove(r, &ba))
            f = rg__poly_add(&ba, &one, -1);
        else if (rg__prove(r, &ab))
            f = rg__poly_add(&ab, &one, -1);
        else
            return;
        r->facts[r->n_facts++] = f;
        return;
    }
    /* `i - 1 < n` of unsigned numbers: i is n at most, and not 0; `i - 1 >= n` says nothing of i that may be 0 */
    const enum rg_scalar common = rg__scalar_common(c->kid[0]->type, c->kid[1]->type);
    const bool below = op == RG_COP_LT || op == RG_COP_LE || op == RG_COP_EQ,
               above = op == RG_COP_GT || op == RG_COP_GE || op == RG_COP_EQ;
    const bool round = !integers && !r->hull && (comes_round(r, c->kid[0]) || comes_round(r, c->kid[1]));
    if (round) return;
    one = rg__poly_int(op == RG_COP_LT || op == RG_COP_GT);
    if (above && (integers || differs_by(c->kid[0], op, &b) || !exceeds(r, c->kid[0], common, &a))) {
        f = rg__poly_add(&a, &b, -1);
        f = rg__poly_add(&f, &one, -1);
        if (!f.bad && r->n_facts < RG__MAX_FACTS) r->facts[r->n_facts++] = f;
    }
    if (below && (integers || !exceeds(r, c->kid[1], common, &b))) {
        f = rg__poly_add(&b, &a, -1);
        f = rg__poly_add(&f, &one, -1);
        if (!f.bad && r->n_facts < RG__MAX_FACTS) r->facts[r->n_facts++] = f;
    }
}

void rg__range_assume(struct rg__range *r, const struct rg_cnode *c, bool holds)
{
    assume(r, c, holds, false);
}

void rg__range_init(struct rg__range *r, struct rg_ctree *t, const struct rg__given *given)
{
    r->t = t;
    r->given = given;
    r->n_loops = r->n_facts = r->n_atoms = r->fuel = 0;
    r->hull = r->squares = r->symbols = r->dividing = r->weighing = false;
    r->n_computed_facts = 0;
    for (int i = 0; given && i < given->n_computed; i++) computed(r, &given->computed[i]);
    for (int i = 0; given && i < given->n; i++) assume(r, given->conditions[i], true, true);
}
