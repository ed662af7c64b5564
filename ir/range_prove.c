/* Proofs from what is known at a place: what is never negative, the least of a value, how two values compare. */
#include "ir/range.h"
#include <stdlib.h>
#include <string.h>

static bool prove(struct rg__range *r, const struct rg__poly *p, int depth);

static bool of_parameters(const struct rg__range *r, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR)
        return e->array < 0 && r->t->vars[e->var].kind == RG_CVAR_PARAM && !r->t->vars[e->var].assigned;
    bool is = e->kind == RG_C_INT || e->kind == RG_C_CAST || (e->kind == RG_C_BINARY && e->op != RG_COP_SHL);
    for (int i = 0; i < e->n && is; i++) is = of_parameters(r, e->kid[i]);
    return is;
}

/* Is the atom a quotient of parameters that is never negative? */
static bool is_symbol(struct rg__range *r, int v)
{
    if (!r->symbols || v < RG__ATOM) return false;
    signed char *known = &r->symbol[v - RG__ATOM];
    if (*known) return *known > 0;
    *known = -1;
    const struct rg_cnode *e = r->atoms[v - RG__ATOM];
    int64_t by;
    const bool shift = e->op == RG_COP_SHR && rg__c_number(e->kid[1], &by) && by >= 0 && by < 31;
    if ((e->op != RG_COP_DIV && e->op != RG_COP_REM && !shift) || !of_parameters(r, e)) return false;
    struct rg__poly x = rg__poly_of(r, e->kid[0]), d = rg__poly_of(r, e->kid[1]), one = rg__poly_int(1);
    d = rg__poly_add(&d, &one, -1);
    const bool plain = !rg_scalar_is_signed(e->type) || prove(r, &x, 4);
    if (plain && (shift || prove(r, &d, 4))) *known = 1;
    return *known > 0;
}

/* Non-negative for all parameters >= 1 (those known to be so): shifted by one, no coefficient is negative. */
static bool nonneg_in_params(struct rg__range *r, const struct rg__poly *p)
{
    if (p->bad) return false;
    struct rg__poly shifted = rg__poly_int(0);
    for (int i = 0; i < p->n; i++) {
        struct rg__poly m = rg__poly_int(p->terms[i].c);
        for (int k = 0; k < p->terms[i].degree; k++) {
            int v = p->terms[i].var[k];
            if (is_symbol(r, v)) {
                struct rg__poly q = rg__poly_var(v);
                m = rg__poly_mul(&m, &q);
                continue;
            }
            if (v >= RG__ATOM || !r->given || v >= r->given->n_vars) return false;
            bool param = r->t->vars[v].kind == RG_CVAR_PARAM && !r->t->vars[v].assigned;
            if (!r->given->positive[v] && !(r->hull && param)) return false;
            struct rg__poly x = rg__poly_var(v), one = rg__poly_int(1);
            x = rg__poly_add(&x, &one, 1);
            m = rg__poly_mul(&m, &x);
        }
        shifted = rg__poly_add(&shifted, &m, 1);
    }
    if (shifted.bad) return false;
    for (int i = 0; i < shifted.n; i++)
        if (shifted.terms[i].c < 0) return false;
    return true;
}

static const struct rg_cnode *loop_of(const struct rg__range *r, int var)
{
    for (int i = r->n_loops - 1; i >= 0; i--)
        if (r->loops[i]->var == var) return r->loops[i];
    return NULL;
}

/* The value of a local that is set once, where it is declared; in subscripts of one that is clamped behind that, too.
 */
static const struct rg_cnode *definition(const struct rg__range *r, int var)
{
    if (!r->given || var >= r->given->n_vars) return NULL;
    return r->given->definition[var] || !r->hull ? r->given->definition[var] : r->given->clamped[var];
}

/* The end of a local's few values that makes `sign` times it smallest. */
static bool few_values(const struct rg__range *r, int var, int sign, struct rg__poly *end)
{
    if (!r->given || var >= r->given->n_vars) return false;
    for (int i = 0; i < r->given->n_held; i++) {
        const struct rg__value_range *h = &r->given->held[i];
        if (h->var != var || (r->hull && h->chosen)) continue;
        *end = sign > 0 ? h->low : h->high;
        return true;
    }
    if (r->given->least[var] > r->given->most[var]) return false;
    *end = rg__poly_int(sign > 0 ? r->given->least[var] : r->given->most[var]);
    return true;
}

/* Does the quotient bound the loop, `i < n - n / 4 * 4`? In a sum of both the loop's end may cancel it. */
static bool bounds_loop(struct rg__range *r, int atom, const struct rg_cnode *loop)
{
    if (r->atoms[atom - RG__ATOM]->op != RG_COP_DIV) return false;
    for (int k = 0; k < 2; k++) {
        const struct rg__poly e = rg__poly_of(r, loop->kid[k]);
        if (!e.bad && rg__poly_mentions(&e, atom)) return true;
    }
    return false;
}

/* The variable to eliminate next: an atom, a local by its definition, then the innermost iterator. -1: parameters
 * only. */
static int next_var(struct rg__range *r, const struct rg__poly *p)
{
    int best = -1, best_depth = -1, best_atom = -1;
    struct rg__poly end;
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->terms[i].degree; k++) {
            int v = p->terms[i].var[k];
            if (is_symbol(r, v)) continue;
            if (v >= RG__ATOM) {
                if (r->atoms[v - RG__ATOM]->kind == RG_C_COND) return v;
                best_atom = v;
                continue;
            }
            if (definition(r, v) || few_values(r, v, 1, &end)) return v;
            for (int d = 0; d < r->n_loops; d++)
                if (r->loops[d]->var == v && d > best_depth) best = v, best_depth = d;
        }
    if (best_atom >= 0 && best >= 0 && bounds_loop(r, best_atom, r->loops[best_depth])) return best;
    return best_atom >= 0 ? best_atom : best;
}

/* Is the condition `span % k == 0` known, k a multiple of the step? Then the loop meets its bound exactly. */
static bool divisible(struct rg__range *r, const struct rg_cnode *c, const struct rg__poly *span, int64_t step)
{
    if (c->kind != RG_C_BINARY) return false;
    if (c->op == RG_COP_AND) return divisible(r, c->kid[0], span, step) || divisible(r, c->kid[1], span, step);
    const struct rg_cnode *m = c->kid[0];
    if (c->op != RG_COP_EQ || c->kid[1]->kind != RG_C_INT || c->kid[1]->ivalue || m->kind != RG_C_BINARY ||
        m->op != RG_COP_REM)
        return false;
    if (m->kid[1]->kind != RG_C_INT || m->kid[1]->ivalue % step) return false;
    struct rg__poly x = rg__poly_of(r, m->kid[0]);
    return rg__poly_equal(&x, span);
}

/* Lowest (want_upper false) and highest value an iterator takes, as expressions with a constant added. */
static const struct rg_cnode *iterator_bound(struct rg__range *r, const struct rg_cnode *loop, bool want_upper,
                                             int64_t *plus)
{
    bool up = loop->step > 0;
    if (want_upper) {
        *plus = up ? -1 : 0;
        if (loop->step > 1 && r->given) {
            struct rg__poly lo = rg__poly_of(r, loop->kid[0]), hi = rg__poly_of(r, loop->kid[1]),
                            span = rg__poly_add(&hi, &lo, -1);
            for (int i = 0; i < r->given->n; i++)
                if (divisible(r, r->given->conditions[i], &span, loop->step)) *plus = -loop->step;
        }
        return up ? loop->kid[1] : loop->kid[0];
    }
    *plus = up ? 0 : 1;
    return up ? loop->kid[0] : loop->kid[1];
}

static struct rg__poly substitute(const struct rg__poly *coef, const struct rg__poly *rest, const struct rg__poly *by)
{
    struct rg__poly m = rg__poly_mul(coef, by);
    return rg__poly_add(rest, &m, 1);
}

/* Is e `a > b ? a : b` (+1) or `a < b ? a : b` (-1)? */
static int min_max(const struct rg_cnode *e)
{
    const struct rg_cnode *c = e->kid[0];
    const bool least = c->op == RG_COP_LT || c->op == RG_COP_LE, most = c->op == RG_COP_GT || c->op == RG_COP_GE;
    if (!least && !most) return 0;
    bool same = rg__c_equal(c->kid[0], e->kid[1]) && rg__c_equal(c->kid[1], e->kid[2]);
    bool swapped = rg__c_equal(c->kid[0], e->kid[2]) && rg__c_equal(c->kid[1], e->kid[1]);
    if (!same && !swapped) return 0;
    return most == same ? 1 : -1;
}

static bool prove_cond(struct rg__range *r, const struct rg_cnode *e, const struct rg__poly *coef,
                       const struct rg__poly *rest, bool negative, int depth)
{
    struct rg__poly x[2] = {rg__poly_of(r, e->kid[1]), rg__poly_of(r, e->kid[2])};
    struct rg__poly p0 = substitute(coef, rest, &x[0]), p1 = substitute(coef, rest, &x[1]);
    int mm = min_max(e);
    if ((mm > 0 && !negative) || (mm < 0 && negative))
        if (prove(r, &p0, depth + 1) || prove(r, &p1, depth + 1)) return true;
    int facts = r->n_facts;
    rg__range_assume(r, e->kid[0], true);
    bool ok = prove(r, &p0, depth + 1);
    r->n_facts = facts;
    if (!ok) return false;
    rg__range_assume(r, e->kid[0], false);
    ok = prove(r, &p1, depth + 1);
    r->n_facts = facts;
    return ok;
}

/* Sign of a coefficient over positive parameters: +1, -1, 0 unknown. */
static int sign_of(struct rg__range *r, const struct rg__poly *c)
{
    struct rg__poly zero = rg__poly_int(0), neg = rg__poly_add(&zero, c, -1);
    if (nonneg_in_params(r, c)) return 1;
    if (nonneg_in_params(r, &neg)) return -1;
    return 0;
}

/* p with `by` for v, to any power. */
static struct rg__poly with(const struct rg__poly *p, int v, const struct rg__poly *by)
{
    struct rg__poly sum = rg__poly_int(0);
    for (int i = 0; i < p->n; i++) {
        struct rg__poly one = {.n = 1};
        int power = 0, k = 0;
        one.terms[0] = p->terms[i];
        for (int d = 0; d < p->terms[i].degree; d++) {
            if (p->terms[i].var[d] == v)
                power++;
            else
                one.terms[0].var[k++] = p->terms[i].var[d];
        }
        one.terms[0].degree = k;
        for (; power > 0; power--) one = rg__poly_mul(&one, by);
        sum = rg__poly_add(&sum, &one, 1);
    }
    return sum;
}

/* By how much p grows with a step of v. */
static struct rg__poly growth(const struct rg__poly *p, int v)
{
    struct rg__poly one = rg__poly_int(1), x = rg__poly_var(v), next = rg__poly_add(&x, &one, 1),
                    after = with(p, v, &next);
    return rg__poly_add(&after, p, -1);
}

/* Of a loop variable in higher powers: at that end of its range from which every step leads up. */
static bool prove_at_end(struct rg__range *r, const struct rg__poly *p, int v, int depth)
{
    const struct rg_cnode *l = loop_of(r, v);
    if (!l) return false;
    struct rg__poly zero = rg__poly_int(0), up = growth(p, v), down = rg__poly_add(&zero, &up, -1);
    for (int falls = 0; falls < 2 && !up.bad; falls++) {
        if (!prove(r, falls ? &down : &up, depth + 2)) continue;
        int64_t plus;
        const struct rg_cnode *e = iterator_bound(r, l, falls, &plus);
        struct rg__poly k = rg__poly_int(plus), end = rg__poly_of(r, e);
        end = rg__poly_add(&end, &k, 1);
        struct rg__poly q = with(p, v, &end);
        return prove(r, &q, depth + 1);
    }
    return false;
}

/* How many times p has to be taken for an atom that stands alone in both to go against the fact; 1: none. */
static int64_t quotient_times(const struct rg__poly *p, const struct rg__poly *fact)
{
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < fact->n && p->terms[i].degree == 1 && p->terms[i].var[0] >= RG__ATOM; k++) {
            const struct rg__term *a = &p->terms[i], *b = &fact->terms[k];
            if (b->degree == 1 && b->var[0] == a->var[0] && b->c % a->c == 0 && b->c / a->c > 1) return b->c / a->c;
        }
    return 1;
}

static bool prove(struct rg__range *r, const struct rg__poly *p, int depth)
{
    if (p->bad || depth > 12 || r->fuel-- <= 0) return false;
    if (nonneg_in_params(r, p)) return true;
    int v = next_var(r, p);
    if (v >= 0) {
        struct rg__poly coef, rest, end;
        if (rg__poly_split(p, v, &coef, &rest)) {
            int s = sign_of(r, &coef);
            if (v >= RG__ATOM && r->atoms[v - RG__ATOM]->kind != RG_C_COND) {
                /* only what is known of it helps: below */
            } else if (s && v >= RG__ATOM) {
                if (prove_cond(r, r->atoms[v - RG__ATOM], &coef, &rest, s < 0, depth)) return true;
            } else if (definition(r, v)) {
                struct rg__poly b = rg__poly_of(r, definition(r, v)), q = substitute(&coef, &rest, &b);
                if (prove(r, &q, depth + 1)) return true;
            } else if (s && few_values(r, v, s, &end)) {
                struct rg__poly q = substitute(&coef, &rest, &end);
                if (prove(r, &q, depth + 1)) return true;
            } else if (s) {
                int64_t plus;
                const struct rg_cnode *e = iterator_bound(r, loop_of(r, v), s < 0, &plus);
                struct rg__poly b = rg__poly_of(r, e), k = rg__poly_int(plus);
                b = rg__poly_add(&b, &k, 1);
                struct rg__poly q = substitute(&coef, &rest, &b);
                if (prove(r, &q, depth + 1)) return true;
            }
        } else if (v < RG__ATOM && r->squares && prove_at_end(r, p, v, depth)) {
            return true;
        }
    }
    /* p - fact >= 0 is enough */
    for (int i = 0; i < r->n_facts && depth < 4; i++) {
        bool shares = false;
        for (int k = 0; k < r->facts[i].n && !shares; k++)
            for (int d = 0; d < r->facts[i].terms[k].degree; d++)
                shares |= rg__poly_mentions(p, r->facts[i].terms[k].var[d]);
        if (!shares) continue;
        struct rg__poly q = rg__poly_add(p, &r->facts[i], -1);
        int64_t times = quotient_times(p, &r->facts[i]);
        if (times > 1) { /* 2 * (n/2) <= n says of n/2 what twice p needs; whole numbers: 2p >= -1 is enough */
            struct rg__poly most = rg__poly_int(times), rest = rg__poly_int(times - 1);
            q = rg__poly_mul(p, &most);
            q = rg__poly_add(&q, &rest, 1);
            q = rg__poly_add(&q, &r->facts[i], -1);
        }
        if (q.n > p->n + 1) continue;
        if (prove(r, &q, depth + 2)) return true;
    }
    return false;
}

bool rg__prove(struct rg__range *r, const struct rg__poly *p)
{
    int before = r->fuel;
    r->fuel = 400;
    bool ok = prove(r, p, 0);
    r->fuel = before;
    return ok;
}

/* a / b for a b of one term: false where a term of a is no multiple. */
static bool quotient(const struct rg__poly *a, const struct rg__poly *b, struct rg__poly *q)
{
    *q = rg__poly_int(0);
    if (a->bad || b->bad || b->n != 1 || !b->terms[0].c) return false;
    const struct rg__term *d = &b->terms[0];
    for (int i = 0; i < a->n; i++) {
        if (a->terms[i].c % d->c) return false;
        struct rg__poly m = rg__poly_int(a->terms[i].c / d->c);
        int k = 0;
        for (int j = 0; j < a->terms[i].degree; j++) {
            if (k < d->degree && a->terms[i].var[j] == d->var[k]) {
                k++;
                continue;
            }
            struct rg__poly v = rg__poly_var(a->terms[i].var[j]);
            m = rg__poly_mul(&m, &v);
        }
        if (k != d->degree) return false;
        *q = rg__poly_add(q, &m, 1);
    }
    return true;
}

/* p = coef*v + rest without v, each no larger than p: by the loop's bound, and by what conditions say of v. */
static int lower_bounds(struct rg__range *r, const struct rg__poly *p, const struct rg__poly *coef,
                        const struct rg__poly *rest, int v, int sign, struct rg__poly *out, int max)
{
    int n = 0;
    const struct rg_cnode *loop = loop_of(r, v);
    if (loop) {
        int64_t plus;
        const struct rg_cnode *e = iterator_bound(r, loop, sign < 0, &plus);
        struct rg__poly k = rg__poly_int(plus), own = rg__poly_of(r, e);
        own = rg__poly_add(&own, &k, 1);
        out[n++] = substitute(coef, rest, &own);
    }
    for (int i = 0; i < r->n_facts && n < max; i++) {
        struct rg__poly fc, fr, q, m;
        if (!rg__poly_mentions(&r->facts[i], v) || !rg__poly_split(&r->facts[i], v, &fc, &fr)) continue;
        if (sign_of(r, &fc) != sign || !quotient(coef, &fc, &q)) continue;
        m = rg__poly_mul(&q, &r->facts[i]); /* q >= 0 and the fact >= 0 */
        m = rg__poly_add(p, &m, -1);
        if (!m.bad && !rg__poly_mentions(&m, v)) out[n++] = m;
    }
    return n;
}

static bool at_least(struct rg__range *r, const struct rg__poly *a, const struct rg__poly *b)
{
    struct rg__poly d = rg__poly_add(a, b, -1);
    return rg__prove(r, &d);
}

static bool params_only(struct rg__range *r, const struct rg__poly *q)
{
    for (int i = 0; i < q->n; i++)
        for (int k = 0; k < q->terms[i].degree; k++) {
            int x = q->terms[i].var[k];
            if (is_symbol(r, x)) continue;
            if (x >= RG__ATOM || r->t->vars[x].kind != RG_CVAR_PARAM || r->t->vars[x].assigned) return false;
        }
    return !q->bad;
}

/* Something no larger and shorter, by a multiple of a fact: (Lo - 1)*stride + K <= L. */
static void simplify(struct rg__range *r, struct rg__poly *p, const struct rg__poly *fact)
{
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < fact->n; k++) {
            struct rg__poly a = {.n = 1}, b = {.n = 1}, q;
            a.terms[0] = p->terms[i];
            b.terms[0] = fact->terms[k];
            if (!quotient(&a, &b, &q) || sign_of(r, &q) <= 0) continue;
            struct rg__poly m = rg__poly_mul(&q, fact);
            m = rg__poly_add(p, &m, -1);
            if (m.bad || m.n >= p->n) continue;
            *p = m;
            i = -1;
            break;
        }
}

static bool lowest(struct rg__range *r, const struct rg__poly *p, struct rg__poly *out, int depth);

/* Over a loop variable that stands there in higher powers: at an end of its range, where every step leads that way
 * (rows of a packed triangle). */
static bool lowest_at_end(struct rg__range *r, const struct rg__poly *p, int v, struct rg__poly *out, int depth)
{
    const struct rg_cnode *loop = NULL;
    for (int i = 0; i < r->n_loops; i++)
        if (r->loops[i]->var == v && r->loops[i]->step == 1) loop = r->loops[i];
    if (!loop) return false;
    struct rg__poly zero = rg__poly_int(0), up = growth(p, v), down = rg__poly_add(&zero, &up, -1);
    bool rises = !up.bad && rg__prove(r, &up), falls = !rises && !up.bad && rg__prove(r, &down);
    struct rg__poly end = rg__poly_of(r, loop->kid[falls ? 1 : 0]);
    struct rg__poly one = rg__poly_int(1);
    if (falls) end = rg__poly_add(&end, &one, -1);
    struct rg__poly q = with(p, v, &end);
    return (rises || falls) && !q.bad && lowest(r, &q, out, depth + 1);
}

static bool lowest(struct rg__range *r, const struct rg__poly *p, struct rg__poly *out, int depth)
{
    if (p->bad || depth > 20 || r->fuel-- <= 0) return false;
    int v = next_var(r, p);
    if (v < 0) {
        *out = *p;
        for (int i = 0; i < r->n_computed_facts && r->hull; i++) simplify(r, out, &r->facts[i]);
        return params_only(r, out);
    }
    struct rg__poly coef, rest, end;
    if (!rg__poly_split(p, v, &coef, &rest)) return v < RG__ATOM && lowest_at_end(r, p, v, out, depth);
    if (v < RG__ATOM && definition(r, v)) {
        struct rg__poly b = rg__poly_of(r, definition(r, v)), q = substitute(&coef, &rest, &b);
        if (lowest(r, &q, out, depth + 1)) return true; /* else a condition may say more than the value does */
    }
    int s = sign_of(r, &coef);
    if (!s) return false;
    if (v >= RG__ATOM && r->atoms[v - RG__ATOM]->kind == RG_C_COND) { /* a ?: b */
        const struct rg_cnode *e = r->atoms[v - RG__ATOM];
        struct rg__poly low[2], own;
        bool ok[2], found = false;
        int mm = min_max(e), facts = r->n_facts;
        for (int k = 0; k < 2; k++) { /* whichever branch is taken, under its condition */
            rg__range_assume(r, e->kid[0], k == 0);
            struct rg__poly x = rg__poly_of(r, e->kid[1 + k]), q = substitute(&coef, &rest, &x);
            ok[k] = lowest(r, &q, &low[k], depth + 1);
            r->n_facts = facts;
        }
        if (ok[0] && ok[1] && (at_least(r, &low[0], &low[1]) || at_least(r, &low[1], &low[0]))) {
            *out = low[at_least(r, &low[0], &low[1])];
            found = true;
        }
        if ((mm > 0 && s > 0) || (mm < 0 && s < 0)) /* each operand alone bounds a minimum or maximum */
            for (int k = 0; k < 2; k++) {
                struct rg__poly x = rg__poly_of(r, e->kid[1 + k]), q = substitute(&coef, &rest, &x);
                if (!lowest(r, &q, &own, depth + 1)) continue;
                if (!found || at_least(r, &own, out)) *out = own;
                found = true;
            }
        struct rg__poly said[3]; /* by conditions, of the choice as a whole: `k >= m ? m - 1 : k` of a k that is one */
        int n_said = lower_bounds(r, p, &coef, &rest, v, s, said, 3);
        for (int k = 0; k < n_said; k++) {
            if (!lowest(r, &said[k], &own, depth + 1)) continue;
            if (!found || at_least(r, &own, out)) *out = own;
            found = true;
        }
        return found;
    }
    struct rg__poly bounds[7];
    int n = lower_bounds(r, p, &coef, &rest, v, s, bounds, 6), found = 0;
    if (v < RG__ATOM && few_values(r, v, s, &end)) bounds[n++] = substitute(&coef, &rest, &end);
    for (int i = 0; i < n; i++) {
        struct rg__poly low;
        if (!lowest(r, &bounds[i], &low, depth + 1)) continue;
        /* of two that cannot be compared the simpler one is what the programmer means */
        if (!found || at_least(r, &low, out) || (low.n < out->n && !at_least(r, out, &low))) *out = low;
        found = 1;
    }
    return found;
}

bool rg__lowest(struct rg__range *r, const struct rg__poly *p, struct rg__poly *out)
{
    int before = r->fuel;
    r->fuel = 1000;
    bool ok = lowest(r, p, out, 0);
    r->fuel = before;
    return ok;
}

bool rg__lowest_of_quotients(struct rg__range *r, const struct rg__poly *p, struct rg__poly *out)
{
    memset(r->symbol, 0, sizeof r->symbol);
    r->symbols = true;
    bool ok = rg__lowest(r, p, out);
    r->symbols = false;
    return ok;
}

/* -1 as an unsigned number: what is added to it comes round, and it is above all others. */
static bool is_turned(const struct rg_cnode *e)
{
    if (e->kind != RG_C_INT || !rg__scalar_is_int(e->type) || rg_scalar_is_signed(e->type)) return false;
    return e->ivalue < 0 || (rg_scalar_bytes(e->type) == 4 && e->ivalue > INT32_MAX);
}

bool rg__value_safe(struct rg__range *r, const struct rg_cnode *e)
{
    if (!e) return true;
    for (int i = 0; i < e->n; i++)
        if (!rg__value_safe(r, e->kid[i]) || (e->n == 2 && is_turned(e->kid[i]))) return false;
    if (e->op == RG_COP_NEG && rg__scalar_is_int(e->type) && !rg_scalar_is_signed(e->type)) {
        struct rg__poly p = rg__poly_of(r, e);
        if (!rg__prove(r, &p)) return false;
    }
    if (e->kind == RG_C_BINARY) {
        const enum rg_c_op op = e->op;
        bool div = op == RG_COP_DIV || op == RG_COP_REM;
        enum rg_scalar common = rg__scalar_common(e->kid[0]->type, e->kid[1]->type);
        bool unsigned_op = rg__scalar_is_int(common) && !rg_scalar_is_signed(common) && common != RG_BOOL;
        if (div || (unsigned_op && !rg_c_lazy(op))) {
            for (int i = 0; i < (div ? 1 : 2); i++) {
                if (!div && !rg_scalar_is_signed(e->kid[i]->type)) continue; /* checked below it */
                struct rg__poly p = rg__poly_of(r, e->kid[i]);
                if (!rg__prove(r, &p)) return false;
            }
        }
        if (unsigned_op && op == RG_COP_SUB) {
            struct rg__poly p = rg__poly_of(r, e);
            if (!rg__prove(r, &p)) return false;
        }
    }
    if (e->kind == RG_C_CAST && !rg_scalar_is_signed(e->type) && rg_scalar_is_signed(e->kid[0]->type)) {
        struct rg__poly p = rg__poly_of(r, e->kid[0]);
        if (!rg__prove(r, &p)) return false;
    }
    return true;
}

bool rg__range_above(struct rg__range *r, const struct rg__poly *a, const struct rg__poly *b, int64_t by)
{
    struct rg__poly d = rg__poly_add(a, b, -1), k = rg__poly_int(by);
    d = rg__poly_add(&d, &k, -1);
    return rg__prove(r, &d);
}

int rg__range_decide(struct rg__range *r, enum rg_c_op op, const struct rg__poly *a, const struct rg__poly *b)
{
    bool gt = rg__range_above(r, a, b, 1), lt = rg__range_above(r, b, a, 1);
    bool ge = gt || rg__range_above(r, a, b, 0), le = lt || rg__range_above(r, b, a, 0);
    switch (op) {
    case RG_COP_LT:
        return lt ? 1 : ge ? 0 : -1;
    case RG_COP_GE:
        return ge ? 1 : lt ? 0 : -1;
    case RG_COP_GT:
        return gt ? 1 : le ? 0 : -1;
    case RG_COP_LE:
        return le ? 1 : gt ? 0 : -1;
    case RG_COP_EQ:
        return ge && le ? 1 : gt || lt ? 0 : -1;
    default:
        return gt || lt ? 1 : ge && le ? 0 : -1;
    }
}
