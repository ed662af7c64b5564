/* Rounds of Stockham's Fourier transform, which orders its elements on the way:
 *     while (l >= 1) { for (j < l) for (k < m) y[k + 2 * j * m], y[k + 2 * j * m + m] = ..; l /= 2; m *= 2; }
 * One of two powers of two halves while the other doubles, so that l * m stays what it began as, n / 2. The nest is the
 * same as one over the elements in strides, `for (i = 0; i < n; i += 2 * m) for (k < m)`, j being i / (2 * m), whose
 * stores go to i + k and i + k + m: butterflies (butterflies.c). */
#include "frontend/normalise/doubling.h"
#include <stdlib.h>

struct pair { /* of rounds: what halves and what doubles */
    int half, twice;
    const struct rg_cnode *half_first, *twice_first;
    int64_t least; /* what halves is at least that in each round */
};

static const struct rg_cnode *plain(const struct rg_cnode *e)
{
    return rg__c_uncast(e, RG__C_INT_CASTS);
}

/* x of x / 2, x >> 1 */
static const struct rg_cnode *halved(const struct rg_cnode *e)
{
    e = plain(e);
    int64_t by;
    if (e->kind != RG_C_BINARY || !rg__c_number(plain(e->kid[1]), &by)) return NULL;
    return (e->op == RG_COP_DIV && by == 2) || (e->op == RG_COP_SHR && by == 1) ? plain(e->kid[0]) : NULL;
}

/* What the scalar holds where the statement of the block begins, as far as the block itself says. */
static const struct rg_cnode *held_at(const struct rg_cnode *block, int at, int var)
{
    for (int i = at - 1; i >= 0; i--) {
        const struct rg_cnode *v = rg__doubling_set(block->kid[i], var);
        if (v || rg__c_writes_var(block->kid[i], var)) return v;
    }
    return NULL;
}

/* What halves is at least that in every round: by its own condition, or by that of what doubles below `most`, which
 * the product with it is, or half of which it is. 0: nobody knows. */
static int64_t least_of(const struct rounds *r, const struct rg_cnode *cond, const struct rg_cnode *half_first)
{
    int64_t v;
    if (r->up) {
        const struct rg_cnode *h = halved(half_first);
        if (rg__c_same(plain(half_first), plain(r->most), RG__C_UNCAST)) return r->strict ? 2 : 1;
        return r->strict && h && rg__c_same(h, plain(r->most), RG__C_UNCAST) ? 1 : 0;
    }
    if (rg__doubling_var(cond, r->var)) return 1; /* while (l) */
    if (cond->kind != RG_C_BINARY || !rg__doubling_var(cond->kid[0], r->var) || !rg__c_number(plain(cond->kid[1]), &v))
        return 0;
    v += cond->op == RG_COP_GT || (cond->op == RG_COP_NE && v <= 1);
    return (cond->op == RG_COP_GT || cond->op == RG_COP_GE || cond->op == RG_COP_NE) && v >= 1 && v <= 2 ? v : 0;
}

/* The other variable of the rounds, which steps the other way behind statement `here`. */
static bool find_pair(const struct rounds *r, const struct rg_cnode *block, int at, int here, struct pair *out)
{
    const struct rg_cnode *loop = block->kid[at], *cond = loop->kid[loop->kind == RG_C_FOR];
    if (here >= r->step_at) return false;
    for (int i = here + 1; i < r->body->n; i++) {
        int var;
        bool up;
        int64_t factor;
        if (!rg__doubling_factor(r->body->kid[i], &var, &up, &factor) || factor != 2 || up == r->up || var == r->var ||
            rg__doubling_writes(r->body, var) != 1)
            continue;
        const struct rg_cnode *header =
            loop->kind == RG_C_FOR && loop->kid[0] ? rg__doubling_set(loop->kid[0], var) : NULL;
        const struct rg_cnode *first = header ? header : held_at(block, at, var);
        if (!first || !rg__c_pure(r->t, first)) continue;
        *out = r->up ? (struct pair){var, r->var, first, r->first, 0} : (struct pair){r->var, var, r->first, first, 0};
        out->least = least_of(r, cond, out->half_first);
        return out->least > 0 && rg__doubling_one(out->twice_first);
    }
    return false;
}

/* Does the rounds' own variable step by two? */
static bool by_two(const struct rounds *r, const struct rg_cnode *loop)
{
    int var;
    bool up;
    int64_t factor = 0;
    const struct rg_cnode *s = loop->kind == RG_C_FOR ? loop->kid[2] : r->body->kid[r->step_at];
    return rg__doubling_factor(s, &var, &up, &factor) && factor == 2;
}

struct stores { /* subscripts of arrays that the nest writes: k + 2 * m * j, or m more */
    struct rg_ctree *t;
    struct rg__range *r;
    const struct rg_cnode *nest;
    struct rg__poly low, high;
    int i, k; /* scalars: they become i + k, i + k + m */
    int twice;
    bool any, bad;
};

static void look(struct stores *x, struct rg_cnode *n, bool change)
{
    if (!n || x->bad) return;
    if (n->kind == RG_C_VERBATIM || n->op == RG_COP_ADDRESS || (n->kind == RG_C_VAR && n->array >= 0)) x->bad = true;
    if (n->kind == RG_C_INDEX && rg__writes_array(x->nest, n->array)) {
        struct rg__poly p = n->n == 1 && !n->pointer ? rg__poly_of(x->r, n->kid[0]) : rg__poly_int(0);
        const bool low = !p.bad && rg__poly_equal(&p, &x->low), high = !p.bad && rg__poly_equal(&p, &x->high);
        x->any = true;
        x->bad = x->bad || n->n != 1 || n->pointer || (!low && !high);
        if (change && !x->bad) {
            struct rg_cnode *e = rg__c_binary(x->t, RG_COP_ADD, rg__c_var(x->t, x->i), rg__c_var(x->t, x->k));
            n->kid[0] = low ? e : rg__c_binary(x->t, RG_COP_ADD, e, rg__c_var(x->t, x->twice));
            return;
        }
    }
    for (int i = 0; i < n->n; i++) look(x, n->kid[i], change);
}

/* The only loop of a body, its last statement, behind declarations and plain statements; -1. */
static int only_last(const struct rg_cnode *body)
{
    for (int i = 0; i + 1 < body->n; i++)
        if (body->kid[i]->kind != RG_C_DECL && body->kid[i]->kind != RG_C_STMT) return -1;
    return body->n && body->kid[body->n - 1]->kind == RG_C_FOR ? body->n - 1 : -1;
}

static bool from_zero(const struct header *h)
{
    int64_t v;
    return h->upper && !h->exact && rg__doubling_one(h->step) && rg__c_number(plain(h->first), &v) && !v;
}

struct rg_cnode *rg__doubling_stockham(struct rounds *r, const struct rg_cnode *block, int at, int here)
{
    struct rg_ctree *t = r->t;
    struct rg_cnode *nest = r->body->kid[here];
    struct header a, b;
    struct pair of;
    struct scale s;
    if (!by_two(r, block->kid[at]) || !rg__doubling_header(t, nest, &a) || !from_zero(&a)) return NULL;
    const int last = only_last(a.body);
    if (last < 0 || !rg__doubling_header(t, a.body->kid[last], &b) || !from_zero(&b)) return NULL;
    if (!find_pair(r, block, at, here, &of) || !rg__doubling_var(b.upper, of.twice)) return NULL;
    struct rounds by_half = *r;
    by_half.var = of.half;
    if (!rg__doubling_scale(&by_half, a.upper, here, here, 0, &s) || s.num != 1 || s.den > of.least) return NULL;
    /* 2 * l * m, for l of the nest: as often as what halves began with, or twice that */
    const struct rg_cnode *whole = s.den == 2 ? plain(of.half_first) : s.den == 1 ? halved(of.half_first) : NULL;
    if (!whole || !rg__c_pure(t, whole) || !rg__doubling_power(r, whole, false)) return NULL;
    for (int v = 0; v < t->n_vars; v++)
        if (rg__c_mentions_var(whole, v) && rg__c_writes_var(block->kid[at], v)) return NULL;
    if (!rg__c_declares(nest, a.var) || !rg__c_declares(nest, b.var)) {
        const int counter[2] = {a.var, b.var};
        for (int i = 0; i < 2; i++)
            if (!rg__c_declares(nest, counter[i]) && rg__doubling_live(t, counter[i], nest)) return NULL;
    }
    const enum rg_scalar type = t->vars[a.var].type;
    const int i = rg__c_add_var(t, "from", RG_CVAR_LOCAL, type);
    struct rg__range *range = rg_xmalloc(sizeof *range);
    rg__range_init(range, t, NULL);
    struct rg__poly j = rg__poly_var(a.var), k = rg__poly_var(b.var), m = rg__poly_var(of.twice), two = rg__poly_int(2);
    struct stores x = {.t = t, .r = range, .nest = nest, .i = i, .k = b.var, .twice = of.twice};
    x.low = rg__poly_mul(&two, &j);
    x.low = rg__poly_mul(&x.low, &m);
    x.low = rg__poly_add(&x.low, &k, 1);
    x.high = rg__poly_add(&x.low, &m, 1);
    look(&x, nest->kid[3], false);
    struct rg_cnode *f = NULL;
    if (x.any && !x.bad) {
        look(&x, nest->kid[3], true);
        struct rg_cnode *stride = rg__c_binary(t, RG_COP_MUL, rg__c_cast(t, rg__c_int(t, 2), type),
                                               rg__c_cast(t, rg__c_var(t, of.twice), type));
        struct rg_cnode *body = rg_cnode_new(t, RG_C_BLOCK, a.body->n + 1);
        struct rg_cnode *own = rg__doubling_declaration(
            t, a.var, rg__c_binary(t, RG_COP_DIV, rg__c_var(t, i), rg__c_copy(t, stride)), nest);
        body->kid[0] =
            rg__c_declares(nest, a.var)
                ? own
                : rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, a.var), own->kid[0])), nest);
        for (int c = 0; c < a.body->n; c++) body->kid[c + 1] = a.body->kid[c];
        f = rg_cnode_new(t, RG_C_FOR, 4);
        f->kid[0] = rg__doubling_declaration(t, i, rg__c_int(t, 0), nest);
        f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, i), rg__c_cast(t, rg__c_copy(t, whole), type));
        f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, i), stride);
        f->kid[3] = body;
        rg__c_stands(f, nest);
        rg__c_stands(body, nest);
        /* from here on the rounds go by what doubles */
        r->var = of.twice;
        r->first = (struct rg_cnode *)of.twice_first;
        r->most = rg__c_copy(t, whole);
        r->up = r->strict = r->power = true;
        rg__doubling_power(r, whole, true);
    }
    free(range);
    return f;
}
