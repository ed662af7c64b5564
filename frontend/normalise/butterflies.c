/* Butterflies: nests that exchange something between elements a power of two apart, as a loop over the elements
 * (doubling.c). Of radix 2, 4 or 8: so many elements h apart, h a power of two. The lowest of them is e, whose bits h,
 * 2h .. are clear, the k-th is e ^ k * h. */
#include "frontend/normalise/twiddles.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_LOCALS = 16, MAX_RADIX = 8 };

static bool times(struct scale a, struct scale b, int radix)
{
    return a.num * b.den == radix * b.num * a.den;
}

/* Is it the same throughout the nest, by variables alone? */
static bool stays(const struct rg__range *r, const struct rg__poly *p, const struct rg_cnode *nest)
{
    for (int i = 0; i < r->n_atoms; i++)
        if (rg__poly_mentions(p, RG__ATOM + i)) return false;
    for (int v = 0; v < r->t->n_vars; v++)
        if (rg__poly_mentions(p, v) && (rg__doubling_writes(nest, v) || rg__c_declares(nest, v))) return false;
    return true;
}

/* Is the distance, a part of the variable, below that many throughout the body: by the rounds' condition, or as what
 * halves from a part of it? */
static bool stays_below(const struct rounds *r, int here, const struct rg_cnode *many, struct scale distance)
{
    const struct rg_cnode *first = rg__c_uncast(r->first, RG__C_INT_CASTS);
    if (distance.num > distance.den || !r->most) return false;
    if (r->up)
        return (r->strict || 2 * distance.num <= distance.den) && here < r->step_at &&
               rg__c_same(r->most, many, RG__C_UNCAST);
    bool part = first->kind == RG_C_BINARY && (first->op == RG_COP_DIV || first->op == RG_COP_SHR);
    const struct rg_cnode *by = part ? rg__c_uncast(first->kid[1], RG__C_INT_CASTS) : NULL;
    return part && by->kind == RG_C_INT && by->ivalue >= (first->op == RG_COP_DIV ? 2 : 1) &&
           rg__c_same(first->kid[0], many, RG__C_UNCAST);
}

/* Is e that number, or a part of it? */
static bool part_of_bound(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *many, int depth)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    many = rg__c_uncast(many, RG__C_INT_CASTS);
    if (rg__c_same(e, many, RG__C_UNCAST)) return true;
    if (depth > 4) return false;
    const struct rg_cnode *value = e->kind == RG_C_VAR && e->array < 0 ? rg__doubling_value(t, e->var) : NULL;
    if (value && part_of_bound(t, value, many, depth + 1)) return true;
    value = many->kind == RG_C_VAR && many->array < 0 ? rg__doubling_value(t, many->var) : NULL;
    if (value && part_of_bound(t, e, value, depth + 1)) return true;
    if (e->kind != RG_C_BINARY || (e->op != RG_COP_DIV && e->op != RG_COP_SHR)) return false;
    const struct rg_cnode *by = rg__c_uncast(e->kid[1], RG__C_INT_CASTS);
    return by->kind == RG_C_INT && by->ivalue >= (e->op == RG_COP_DIV) && part_of_bound(t, e->kid[0], many, depth + 1);
}

/* Is the distance at most `many` in every round, so that the lower elements of its first stride lie below it? */
static bool at_most(const struct rounds *r, int here, const struct rg_cnode *many, struct scale distance)
{
    int64_t factor = 1;
    int var;
    bool up;
    if (!r->most || !part_of_bound(r->t, r->up ? r->most : r->first, many, 0)) return false;
    if (r->up && here > r->step_at && r->step_at < r->body->n &&
        !rg__doubling_factor(r->body->kid[r->step_at], &var, &up, &factor))
        return false;
    /* powers of two below one another: at most half */
    const int64_t room = r->up && r->strict && rg__doubling_power(r, many, false) ? 2 : 1;
    return factor * distance.num <= room * distance.den;
}

/* Is what bounds the rounds the power of a number of stages (shifts.c)? They are taken to be those that the elements
 * have: another one would leave an array of so many. */
static bool by_stages(const struct rounds *r)
{
    const struct rg_cnode *m = r->up && r->most ? rg__c_uncast(r->most, RG__C_INT_CASTS) : NULL;
    if (m && m->kind == RG_C_COND) m = rg__c_uncast(m->kid[1], RG__C_INT_CASTS);
    return m && m->op == RG_COP_SHL;
}

/* for (h = 1; h < n; h *= radix): n must be a power of that radix, or the last round goes past it. */
static void mark_radix(const struct rounds *r, const struct rg_cnode *many, int radix)
{
    const struct rg_cnode *first = rg__c_uncast(r->first, RG__C_INT_CASTS), *n = rg__c_uncast(many, RG__C_INT_CASTS),
                          *most = r->most ? rg__c_uncast(r->most, RG__C_INT_CASTS) : NULL;
    const bool param = n->kind == RG_C_VAR && n->array < 0 && r->t->vars[n->var].kind == RG_CVAR_PARAM;
    if (radix > 2 && r->up && r->strict && r->factor == radix && rg__doubling_one(first) && most && param &&
        rg__c_same(most, n, RG__C_UNCAST))
        r->powers->radix[r->t->vars[n->var].param] = radix;
}

/* i + e < n, i < n - e: n */
static struct rg_cnode *sum_below(const struct header *h)
{
    const struct rg_cnode *c = h->cond, *l = rg__c_uncast(c->kid[0], RG__C_INT_CASTS);
    if (c->op != RG_COP_LT || l->op != RG_COP_ADD) return NULL;
    return rg__doubling_var(l->kid[0], h->var) || rg__doubling_var(l->kid[1], h->var) ? c->kid[1] : NULL;
}

static bool is_zero(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    return e->kind == RG_C_INT && e->ivalue == 0;
}

/* ---- the nest's elements ---- */

struct elements { /* subscripts of arrays that the nest writes: a few, a distance apart, and their parts behind each */
    struct rg__range *range;
    const struct rg_cnode *nest;
    int n_locals, local[MAX_LOCALS];          /* integer locals of the nest's body, set once, with .. */
    const struct rg_cnode *value[MAX_LOCALS]; /* .. these values */
    int n;
    struct rg__poly at[MAX_RADIX];             /* the lowest first, once they are `spaced` */
    int64_t least[MAX_RADIX], most[MAX_RADIX]; /* what is added to them: the parts of one element */
    struct rg__poly unit; /* so far neighbours are apart in memory: a product of variables, or a number */
    bool bad;
};

static bool writes_array(const struct rg_cnode *n, int array)
{
    return rg__writes_array(n, array);
}

static void find_locals(struct elements *x, const struct rg_ctree *t, const struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *s = n->kid[i];
        int var = -1;
        if (!s) continue;
        if (s->kind == RG_C_DECL && s->array < 0 && s->n)
            var = s->var;
        else if (s->kind == RG_C_STMT && s->kid[0]->op == RG_COP_SET && s->kid[0]->kid[0]->kind == RG_C_VAR &&
                 s->kid[0]->kid[0]->array < 0)
            var = s->kid[0]->kid[0]->var;
        if (var >= 0 && n->kind == RG_C_BLOCK && x->n_locals < MAX_LOCALS && rg__scalar_is_int(t->vars[var].type) &&
            rg__doubling_writes(x->nest, var) == 1 && rg__doubling_set(s, var) &&
            rg__c_pure(t, rg__doubling_set(s, var))) {
            x->local[x->n_locals] = var;
            x->value[x->n_locals++] = rg__doubling_set(s, var);
        }
        find_locals(x, t, s);
    }
}

static struct rg_cnode *expanded(const struct elements *x, struct rg_ctree *t, const struct rg_cnode *e)
{
    struct rg_cnode *c = rg__c_copy(t, e);
    for (int i = x->n_locals - 1; i >= 0; i--) c = rg__c_replace_var(t, c, x->local[i], x->value[i]);
    return c;
}

/* Is p the element with a number added? */
static bool part_of(struct elements *x, const struct rg__poly *p, int k)
{
    int64_t d;
    struct rg__poly away = rg__poly_add(p, &x->at[k], -1);
    if (!rg__poly_is_int(&away, &d) || d < -16 || d > 16) return false;
    if (d < x->least[k]) x->least[k] = d;
    if (d > x->most[k]) x->most[k] = d;
    return true;
}

static void collect(struct elements *x, struct rg_ctree *t, const struct rg_cnode *n)
{
    if (!n || x->bad) return;
    if (n->kind == RG_C_VERBATIM || (n->kind == RG_C_CALL && !rg__c_pure(t, n)) ||
        (n->kind == RG_C_VAR && n->array >= 0))
        x->bad = true;
    if (n->kind == RG_C_INDEX && writes_array(x->nest, n->array)) {
        struct rg__poly p =
            n->n == 1 && !n->pointer ? rg__poly_of(x->range, expanded(x, t, n->kid[0])) : rg__poly_int(0);
        x->bad = x->bad || n->n != 1 || n->pointer || p.bad;
        int k = 0;
        while (k < x->n && !part_of(x, &p, k)) k++;
        if (k == MAX_RADIX)
            x->bad = true;
        else if (k == x->n)
            x->at[x->n++] = p;
    }
    for (int i = 0; i < n->n; i++) collect(x, t, n->kid[i]);
}

/* Each element by the first of its parts. */
static void settle_parts(struct elements *x)
{
    for (int k = 0; k < x->n; k++) {
        struct rg__poly least = rg__poly_int(x->least[k]);
        x->at[k] = rg__poly_add(&x->at[k], &least, 1);
        x->most[k] -= x->least[k];
        x->least[k] = 0;
    }
}

/* All parts of an element lie before the next one. */
static bool within_unit(const struct elements *x)
{
    int64_t unit, most = 0;
    for (int k = 0; k < x->n; k++) most = x->most[k] > most ? x->most[k] : most;
    return !most || (rg__poly_is_int(&x->unit, &unit) && most < unit);
}

/* p, divided by a product; false: a term has not all of its factors. */
static bool over(struct rg__poly *p, const struct rg__term *product)
{
    struct rg__poly out = rg__poly_int(0);
    for (int i = 0; i < p->n; i++) {
        const struct rg__term *m = &p->terms[i];
        struct rg__poly term = rg__poly_int(m->c / product->c);
        if (m->c % product->c) return false;
        int k = 0; /* factors found; both are in order */
        for (int j = 0; j < m->degree; j++) {
            struct rg__poly factor = rg__poly_var(m->var[j]);
            if (k < product->degree && product->var[k] == m->var[j])
                k++;
            else
                term = rg__poly_mul(&term, &factor);
        }
        if (k < product->degree) return false;
        out = rg__poly_add(&out, &term, 1);
    }
    *p = out;
    return !out.bad;
}

struct setter {
    int var;
    const struct rg_cnode *value;
};

static bool look_for_value(void *arg, struct rg_cnode *n)
{
    struct setter *s = arg;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == s->var) s->value = n->n ? n->kid[0] : NULL;
    return true;
}

/* Is it at least 1 where the nest has an iteration: its bound, or a local that is declared as that or a number? */
static bool positive(const struct rg_ctree *t, int var, const struct rg_cnode *bound, int depth)
{
    if (var >= RG__ATOM || depth > 4) return false;
    if (rg__doubling_var(bound, var)) return true;
    if (t->vars[var].kind != RG_CVAR_LOCAL || rg__doubling_writes(t->root, var) != 1) return false;
    struct setter s = {var, NULL};
    rg__c_walk(t->root, look_for_value, &s);
    const struct rg_cnode *e = s.value ? rg__c_uncast(s.value, RG__C_INT_CASTS) : NULL;
    if (!e) return false;
    return e->kind == RG_C_INT ? e->ivalue > 0
                               : e->kind == RG_C_VAR && e->array < 0 && positive(t, e->var, bound, depth + 1);
}

/* What the counter is multiplied with in the lower element's place. */
static bool find_unit(struct elements *x, const struct rg_ctree *t, int counter, const struct rg_cnode *bound)
{
    struct rg__poly coef, rest;
    x->unit = rg__poly_int(1);
    if (!x->n || x->at[0].bad || !rg__poly_split(&x->at[0], counter, &coef, &rest) || coef.n != 1 ||
        coef.terms[0].c < 1)
        return false;
    for (int i = 0; i < coef.terms[0].degree; i++)
        if (!positive(t, coef.terms[0].var[i], bound, 0)) return false;
    x->unit = coef;
    return stays(x->range, &coef, x->nest);
}

/* How far neighbours are apart, as the nest has it: the step's part by their number. NULL: it is none. */
static struct rg_cnode *distance_of(const struct elements *x, const struct rounds *r, int here, struct scale step,
                                    struct scale *distance)
{
    for (int i = 0; i < x->n; i++)
        for (int k = i + 1; k < x->n; k++) {
            struct rg__poly gap = rg__poly_add(&x->at[k], &x->at[i], -1);
            if (gap.bad || !over(&gap, &x->unit.terms[0])) return NULL;
            struct rg_cnode *h = rg__poly_node(x->range, &gap);
            if (h && h->op == RG_COP_NEG) h = h->kid[0];
            if (h && rg__doubling_scale(r, h, here, here, 0, distance) && distance->num > 0 &&
                times(step, *distance, x->n))
                return h;
        }
    return NULL;
}

/* The elements in order, each `distance` behind the one before. */
static bool spaced(struct elements *x, const struct rg_cnode *distance)
{
    struct rg__poly by = rg__poly_of(x->range, distance), d = rg__poly_mul(&by, &x->unit);
    for (int low = 0; low < x->n; low++) {
        int order[MAX_RADIX], n = 0;
        for (struct rg__poly want = x->at[low]; n < x->n; n++, want = rg__poly_add(&want, &d, 1)) {
            order[n] = -1;
            for (int k = 0; k < x->n; k++)
                if (rg__poly_equal(&x->at[k], &want)) order[n] = k;
            if (order[n] < 0) break;
        }
        if (n < x->n) continue;
        struct rg__poly at[MAX_RADIX];
        int64_t most[MAX_RADIX];
        for (int k = 0; k < n; k++) at[k] = x->at[order[k]], most[k] = x->most[order[k]];
        for (int k = 0; k < n; k++) x->at[k] = at[k], x->most[k] = most[k];
        return true;
    }
    return false;
}

/* k * h, of which each bit of k has its own: h, 2 * h, h | 2 * h .. */
static struct rg_cnode *bits_times(struct rg_ctree *t, int k, const struct rg_cnode *h, enum rg_scalar type)
{
    struct rg_cnode *sum = NULL;
    for (int bit = 1; bit <= k; bit *= 2) {
        if (!(k & bit)) continue;
        struct rg_cnode *part = rg__c_cast(t, rg__c_copy(t, h), type);
        if (bit > 1) part = rg__c_binary(t, RG_COP_MUL, rg__c_cast(t, rg__c_int(t, bit), type), part);
        sum = sum ? rg__c_binary(t, RG_COP_BOR, sum, part) : part;
    }
    return sum;
}

/* e is the lowest of its elements: its bits h, 2 * h .. are clear, and there are such (h > 0). */
static struct rg_cnode *is_lowest(struct rg_ctree *t, int e, int radix, const struct rg_cnode *h, bool asks)
{
    const enum rg_scalar type = t->vars[e].type;
    struct rg_cnode *bits = rg__c_binary(t, RG_COP_BAND, rg__c_var(t, e), bits_times(t, radix - 1, h, type)),
                    *clear = rg__c_binary(t, RG_COP_EQ, bits, rg__c_cast(t, rg__c_int(t, 0), type));
    if (!asks) return clear;
    struct rg_cnode *some =
        rg__c_binary(t, RG_COP_GT, rg__c_cast(t, rg__c_copy(t, h), type), rg__c_cast(t, rg__c_int(t, 0), type));
    return rg__c_binary(t, RG_COP_AND, some, clear);
}

/* Subscripts that are elements: e, or its partners, behind `base` (a row's begin) where there is one. */
static void resubscript(struct elements *x, struct rg_ctree *t, struct rg_cnode *n, int e, struct rg_cnode **partner,
                        const struct rg_cnode *base)
{
    if (!n) return;
    for (int i = 0; i < n->n; i++) resubscript(x, t, n->kid[i], e, partner, base);
    if (n->kind != RG_C_INDEX || n->n != 1 || n->pointer) return;
    struct rg__poly p = rg__poly_of(x->range, expanded(x, t, n->kid[0]));
    if (p.bad) return;
    int64_t d = 0, unit;
    struct rg_cnode *place = NULL;
    for (int k = 0; k < x->n && !place; k++) {
        struct rg__poly away = rg__poly_add(&p, &x->at[k], -1);
        if (rg__poly_is_int(&away, &d) && d >= 0 && d <= x->most[k])
            place = k ? rg__c_copy(t, partner[k]) : rg__c_var(t, e);
    }
    if (!place) return;
    if (!rg__poly_is_int(&x->unit, &unit) || unit != 1)
        place = rg__c_binary(t, RG_COP_MUL, rg__poly_node(x->range, &x->unit), place);
    if (d) place = rg__c_binary(t, RG_COP_ADD, place, rg__c_int(t, d));
    n->kid[0] = base ? rg__c_binary(t, RG_COP_ADD, rg__c_copy(t, base), place) : place;
}

/* ---- scalars ---- */

/* Scalars from outside that the nest sets: in another order of its iterations they are the same where each iteration
 * sets what it reads and nobody asks for the last value. `body`: what an iteration runs; `but`: one that is seen to
 * elsewhere; -1. */
static bool own_scalars(const struct rg_ctree *t, const struct rg_cnode *nest, const struct rg_cnode *body,
                        bool reordered, const int *but, int n_but)
{
    for (int v = 0; v < t->n_vars; v++) {
        bool counter = false;
        for (int i = 0; i < n_but; i++) counter = counter || but[i] == v;
        if (!rg__c_mentions_var(nest, v) || !rg__doubling_writes(nest, v) || rg__c_declares(nest, v)) continue;
        if ((counter || reordered) && rg__doubling_live(t, v, nest)) return false;
        if (!counter && reordered && rg__doubling_handed_on(body, v)) return false;
    }
    return true;
}

/* Two loops that become one: does an iteration of the inner one hand a scalar of the outer one's body on to the next (a
 * twiddle factor that runs along), or what stands in front of the inner loop count how often it runs? */
static bool carries(struct rg_ctree *t, const struct rg__kids *front, const struct rg__kids *list)
{
    struct rg_cnode *part[2];
    bool found = false;
    for (int k = 0; k < 2; k++) {
        const struct rg__kids *from = k ? list : front;
        part[k] = rg_cnode_new(t, RG_C_BLOCK, from->n);
        for (int i = 0; i < from->n; i++) part[k]->kid[i] = from->items[i];
    }
    for (int v = 0; v < t->n_vars && !found; v++) {
        bool first = rg__doubling_handed_on(part[0], v), next = rg__doubling_handed_on(part[1], v);
        if (first && !rg__c_declares(part[0], v)) found = true;
        if (next && rg__c_declares(part[0], v)) found = true;
        /* set anew for each run of the inner loop */
        if (next && rg__doubling_writes(part[0], v)) found = true;
    }
    return found;
}

/* ---- the forms ---- */

/* The nest's own counter, or one from outside. */
static struct rg_cnode *counter_is(struct rg_ctree *t, const struct rg_cnode *nest, int var, struct rg_cnode *value)
{
    struct rg_cnode *d = rg__doubling_declaration(t, var, value, nest);
    if (rg__c_declares(nest, var)) return d;
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), d->kid[0]));
    s->line = nest->line;
    return s;
}

static bool only_before(const struct rg_cnode *body, int *last)
{
    int loops = 0;
    for (int i = 0; i < body->n; i++) {
        if (body->kid[i]->kind == RG_C_FOR)
            *last = i, loops++;
        else if (body->kid[i]->kind != RG_C_DECL && body->kid[i]->kind != RG_C_STMT)
            return false;
    }
    return loops == 1;
}

/* Butterflies: statement `here` of the rounds' body. NULL: it is none. */
struct rg_cnode *rg__doubling_butterflies(struct rounds *r, int here)
{
    struct rg_ctree *t = r->t;
    struct header a, b = {0};
    struct scale step, half;
    struct rg_cnode *nest = r->body->kid[here];
    int at = -1;
    if (!r->power || !rg__doubling_header(t, nest, &a)) return NULL;
    struct rg_cnode *within = a.upper ? NULL : sum_below(&a); /* i + s < n: safe for any n */
    if (!a.upper && !within) return NULL;
    if (within) a.upper = within;
    bool two = only_before(a.body, &at) && rg__doubling_header(t, a.body->kid[at], &b) && b.upper;
    if (!two && rg__mentions_kind(a.body, RG_C_FOR)) return NULL;
    if (!two && a.exact) return NULL;
    bool outer_strides = !rg__doubling_one(a.step);
    struct header *strides = outer_strides ? &a : &b, *counts = two ? (outer_strides ? &b : &a) : NULL;
    if ((!two && !outer_strides) || (two && !rg__doubling_one(counts->step))) return NULL;
    if (!r->most && (!two || outer_strides)) return NULL; /* the rounds may go on past the elements */
    if (!rg__doubling_scale(r, strides->step, here, here, 0, &step)) return NULL;
    if (two && outer_strides && at + 1 != a.body->n) return NULL;
    /* the elements that the loops without stride go through, from `from` on */
    bool shifted =
        two && outer_strides && rg__doubling_var(counts->first, strides->var); /* for (j = i; j < i + h; j++) */
    const struct rg_cnode *span = two ? counts->upper : NULL;
    if (shifted) {
        const struct rg_cnode *u = rg__c_uncast(counts->upper, RG__C_INT_CASTS);
        bool turned = u->op == RG_COP_ADD && rg__doubling_var(u->kid[1], strides->var);
        if (u->op != RG_COP_ADD || !rg__doubling_var(u->kid[!turned ? 0 : 1], strides->var)) return NULL;
        span = u->kid[!turned];
    }
    if (two && !rg__doubling_scale(r, span, here, here, 0, &half)) return NULL;
    if (two && !shifted && !is_zero(counts->first)) return NULL;
    bool based = two && !outer_strides && is_zero(strides->first); /* for (b = 0; b < n; b += 2*h), of b + k */
    if (two && !outer_strides && !based && !rg__doubling_var(strides->first, counts->var))
        return NULL; /* for (a = l; a < n; a += 2*h) */
    if ((!two || outer_strides) && !is_zero(strides->first) && two) return NULL;
    if (rg__c_mentions_var(strides->upper, strides->var) || !rg__c_pure(t, strides->upper)) return NULL;
    struct rg__range *range = rg_xmalloc(sizeof *range);
    rg__range_init(range, t, NULL);
    struct elements x = {.range = range, .nest = nest};
    find_locals(&x, t, nest->kid[3]);
    collect(&x, t, nest->kid[3]);
    settle_parts(&x);
    bool units = two && find_unit(&x, t, strides->var, strides->upper);
    if (!units) x.unit = rg__poly_int(1);
    struct scale distance;
    const int radix = x.n;
    bool ok = !x.bad && (radix == 2 || (two && (radix == 4 || radix == 8))) && (!two || times(step, half, radix));
    struct rg_cnode *h = ok ? distance_of(&x, r, here, step, &distance) : NULL, *result = NULL;
    ok = h && spaced(&x, h) && within_unit(&x);
    /* as many elements as the strides' bound are all, or the loop inside asks each */
    const bool asked = !two || (!outer_strides && !based);
    ok = ok && (asked || at_most(r, here, strides->upper, distance) || (radix == 2 && by_stages(r)));
    struct rg__poly zero = rg__poly_int(0);
    struct rg__poly offset = zero; /* of the low element from the stride's variable, where that loop is alone */
    if (ok) {
        struct rg__poly sv = rg__poly_var(strides->var), want = sv;
        if (based || (two && outer_strides && !shifted)) {
            struct rg__poly cv = rg__poly_var(counts->var);
            want = rg__poly_add(&sv, &cv, 1);
        } else if (shifted)
            want = rg__poly_var(counts->var);
        want = rg__poly_mul(&want, &x.unit);
        offset = rg__poly_add(&x.at[0], &want, -1);
        ok = two ? stays(range, &offset, nest) : !rg__poly_mentions(&offset, strides->var);
    }
    if (ok && within) ok = !two && rg__poly_equal(&offset, &zero);
    if (ok && (within || rg__doubling_power(r, strides->upper, false))) {
        rg__doubling_power(r, r->first, true);
        if (!within) rg__doubling_power(r, strides->upper, true);
        mark_radix(r, strides->upper, radix);
        int e = rg__c_add_var(t, "e", RG_CVAR_LOCAL, t->vars[strides->var].type);
        enum rg_scalar type = t->vars[e].type;
        struct rg_cnode *partner[MAX_RADIX] = {NULL};
        for (int k = 1; k < radix; k++)
            partner[k] = rg__c_binary(t, RG_COP_XOR, rg__c_var(t, e), bits_times(t, k, h, type));
        struct rg_cnode *width = rg__c_cast(t, rg__c_copy(t, strides->step), type),
                        *across = rg__c_cast(t, rg__c_copy(t, h), type);
        struct rg_cnode *acts = radix > 2 ? is_lowest(t, e, radix, h, !r->up || distance.den > 1)
                                          : rg__c_binary(t, RG_COP_GT, rg__c_copy(t, partner[1]), rg__c_var(t, e));
        struct rg_cnode *in_half = rg__c_binary(t, RG_COP_REM, rg__c_var(t, e), across);
        struct rg_cnode *base =
            rg__c_binary(t, RG_COP_SUB, rg__c_var(t, e), rg__c_binary(t, RG_COP_REM, rg__c_var(t, e), width));
        struct rg_cnode *row = two && !rg__poly_equal(&offset, &zero) ? rg__poly_node(range, &offset) : NULL;
        if (radix == 2 && row && stays_below(r, here, strides->upper, distance)) { /* it stays in the row */
            enum rg_scalar no_sign = rg_scalar_bytes(type) > 4 ? RG_ULLONG : RG_U32;
            struct rg_cnode *within_row = rg__c_binary(t, RG_COP_REM, rg__c_cast(t, partner[1], no_sign),
                                                       rg__c_cast(t, rg__c_copy(t, strides->upper), no_sign));
            partner[1] = rg__c_cast(t, within_row, type);
            acts->kid[0] = rg__c_copy(t, partner[1]);
        }
        struct rg__kids inner = {0}, front = {0}, list = {0};
        if (!two) {
            struct rg_cnode *c = rg__poly_node(range, &offset), *start = rg__c_copy(t, strides->first);
            struct rg_cnode *own =
                is_zero(c) ? rg__c_var(t, e) : rg__c_binary(t, RG_COP_SUB, rg__c_var(t, e), rg__c_cast(t, c, type));
            /* e is c behind a place of the stride, which begins at `start` */
            struct rg_cnode *place = rg__c_binary(
                t, RG_COP_EQ,
                rg__c_binary(t, RG_COP_REM, rg__c_binary(t, RG_COP_SUB, rg__c_copy(t, own), rg__c_cast(t, start, type)),
                             rg__c_copy(t, width)),
                rg__c_cast(t, rg__c_int(t, 0), type));
            struct rg_cnode *inside =
                rg__c_binary(t, RG_COP_GE, rg__c_copy(t, own), rg__c_cast(t, rg__c_copy(t, strides->first), type));
            struct rg_cnode *cond = rg__c_replace_var(t, rg__c_copy(t, strides->cond), strides->var, own);
            acts = rg__c_binary(t, RG_COP_AND, acts,
                                rg__c_binary(t, RG_COP_AND, inside, rg__c_binary(t, RG_COP_AND, place, cond)));
            rg__kids_add(&front, counter_is(t, nest, strides->var, own));
            for (int i = 0; i < a.body->n; i++) rg__kids_add(&list, rg__c_copy(t, a.body->kid[i]));
        } else if (outer_strides) {
            for (int i = 0; i < at; i++) rg__kids_add(&front, rg__c_copy(t, a.body->kid[i]));
            for (int i = 0; i < b.body->n; i++) rg__kids_add(&list, rg__c_copy(t, b.body->kid[i]));
            struct rg__twiddles w = {t, r->l, nest, nest, shifted ? in_half : rg__c_var(t, counts->var), NULL};
            ok = rg__doubling_twiddles(&w, &front, &list, &inner);
        } else {
            struct rg__kids tail = {0};
            for (int i = 0; i < at; i++) rg__kids_add(&front, rg__c_copy(t, a.body->kid[i]));
            for (int i = 0; i < b.body->n; i++) rg__kids_add(&list, rg__c_copy(t, b.body->kid[i]));
            for (int i = at + 1; i < a.body->n; i++) rg__kids_add(&tail, rg__c_copy(t, a.body->kid[i]));
            /* the start stands in front of the nest, in the rounds' body */
            struct rg__kids before = {0};
            for (int i = 0; i < here; i++) rg__kids_add(&before, r->body->kid[i]);
            struct rg__twiddles w = {t, r->l, r->body, nest, rg__c_var(t, counts->var), &list};
            ok = rg__doubling_twiddles(&w, &before, &tail, &inner) && tail.n == 0;
            free(before.items);
            free(tail.items);
        }
        struct rg__kids all = {0};
        if (two && (outer_strides || counts)) {
            if (outer_strides) {
                rg__kids_add(&all, counter_is(t, nest, strides->var, base));
                rg__kids_add(&all, counter_is(t, nest, counts->var, shifted ? rg__c_var(t, e) : in_half));
            } else {
                rg__kids_add(&all, counter_is(t, nest, strides->var, based ? base : rg__c_var(t, e)));
                rg__kids_add(&all, counter_is(t, nest, counts->var, in_half));
            }
        }
        for (int i = 0; i < front.n; i++) rg__kids_add(&all, front.items[i]);
        for (int i = 0; i < inner.n; i++) rg__kids_add(&all, inner.items[i]);
        for (int i = 0; i < list.n; i++) rg__kids_add(&all, list.items[i]);
        ok = ok && !(two && carries(t, &front, &list));
        int counters[2] = {strides->var, counts ? counts->var : -1};
        struct rg_cnode *whole = rg_cnode_new(t, RG_C_BLOCK, all.n);
        for (int i = 0; i < all.n; i++) whole->kid[i] = all.items[i];
        ok = ok && own_scalars(t, nest, whole, two && !outer_strides, counters, 2);
        if (ok) {
            for (int i = 0; i < all.n; i++) resubscript(&x, t, all.items[i], e, partner, row);
            result = rg__doubling_over(t, e, rg__c_copy(t, strides->upper), acts, &all, nest);
        } else
            free(all.items);
        free(front.items);
        free(inner.items);
        free(list.items);
    }
    free(range);
    return result;
}
