/* Order-free stores. Iterations that store one value V to elements, under conditions, leave the same behind in any
 * order where each condition on an element is one of these:
 *   - it comes out the same for V and for every value that V may take the place of (`level[u] == d`, where d + 1 takes
 *     the place of values below 0);
 *   - it is asked of the very element that is stored to: whoever asks too late finds V there already, and nothing but
 *     stores that the first one has made as well hangs on it (flags, other elements at the same subscripts).
 * So do minima, `if (v < a[p]) a[p] = v`, of values that come from elsewhere, and maxima. */
#include "frontend/normalise/scattered_stores.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct rg_cnode nought = {
    .kind = RG_C_INT, .type = RG_I32, .var = -1, .array = -1, .callee = -1, .struct_index = -1};

/* Without conversions that keep every value. */
static const struct rg_cnode *plain(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && !e->pointer && !e->kid[0]->pointer && !e->text) {
        enum rg_scalar to = e->type, from = e->kid[0]->type;
        if (to == from) {
            e = e->kid[0];
            continue;
        }
        if (!rg__scalar_is_int(to) || !rg__scalar_is_int(from) || to == RG_BOOL) break;
        bool sign = rg_scalar_is_signed(to), sign_from = rg_scalar_is_signed(from);
        size_t a = rg_scalar_bytes(to), b = rg_scalar_bytes(from);
        const struct rg_cnode *v = e->kid[0];
        bool literal = v->kind == RG_C_INT && v->ivalue >= 0 && v->ivalue < (a == 1 ? 128 : a == 2 ? 32768 : INT32_MAX);
        if (!literal && from != RG_BOOL && !(sign == sign_from ? a >= b : sign && a > b)) break;
        e = v;
    }
    return e;
}

const struct rg_cnode *rg__scatter_resolve(const struct rg__scatter *s, const struct rg_cnode *e)
{
    for (int step = 0; step < 16; step++) {
        e = plain(e);
        if (e->kind != RG_C_VAR || e->array >= 0 || e->var < 0 || e->var >= s->n_vars || !s->is[e->var]) break;
        e = s->is[e->var];
    }
    return e;
}

static bool same(const struct rg__scatter *s, const struct rg_cnode *a, const struct rg_cnode *b)
{
    a = rg__scatter_resolve(s, a);
    b = rg__scatter_resolve(s, b);
    if (a->kind == RG_C_INT && b->kind == RG_C_INT) return a->ivalue == b->ivalue;
    if (a->kind != b->kind || a->op != b->op || a->n != b->n || a->var != b->var || a->array != b->array ||
        a->callee != b->callee || (a->kind == RG_C_CAST && a->type != b->type) || a->ivalue != b->ivalue ||
        a->rvalue != b->rvalue || a->kind == RG_C_VERBATIM)
        return false;
    bool literal = a->kind == RG_C_INT || a->kind == RG_C_REAL;
    if (!literal && (!a->text != !b->text || (a->text && strcmp(a->text, b->text)))) return false;
    for (int i = 0; i < a->n; i++)
        if (!same(s, a->kid[i], b->kid[i])) return false;
    return true;
}

/* Has it one value throughout an iteration, wherever it stands: no local that is set again, no element that is stored
 * to? fixed: and throughout the loop. */
static bool steady(const struct rg__scatter *s, const struct rg_cnode *e, bool fixed)
{
    e = rg__scatter_resolve(s, e);
    if (e->kind == RG_C_VAR) {
        if (e->array >= 0 || e->var < 0 || e->var >= s->n_vars || s->set[e->var]) return false;
        return !fixed || !s->own[e->var];
    }
    if (e->kind == RG_C_INDEX && (e->pointer || s->written[e->array])) return false;
    if (e->kind == RG_C_CALL || e->kind == RG_C_VERBATIM || e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS)
        return false;
    for (int i = 0; i < e->n; i++)
        if (!steady(s, e->kid[i], fixed)) return false;
    return true;
}

static bool one_place(const struct rg__scatter *s, const struct rg_cnode *a, const struct rg_cnode *b)
{
    for (int d = 0; d < a->n && a->n == b->n; d++)
        if (!same(s, a->kid[d], b->kid[d]) || !steady(s, a->kid[d], false)) return false;
    return a->n == b->n;
}

bool rg__scatter_led(const struct rg__scatter *s, const struct rg_cnode *e)
{
    const struct rg_cnode *r = rg__scatter_resolve(s, e);
    for (int i = 0; i < r->n; i++) {
        const struct rg_cnode *k = rg__scatter_resolve(s, r->kid[i]);
        if (k->kind == RG_C_INDEX || rg__scatter_led(s, k)) return true;
    }
    return false;
}

/* The number that it is, as it is stored or compared: conversions must keep it. */
static bool keeps(enum rg_scalar to, double v)
{
    if (to == RG_F64) return true;
    if (to == RG_F32) return (double)(float)v == v;
    if (!rg__scalar_is_int(to) || v != floor(v)) return false;
    double span = ldexp(1, (int)rg_scalar_bytes(to) * 8), low = rg_scalar_is_signed(to) ? -span / 2 : 0;
    return to == RG_BOOL ? v == 0 || v == 1 : v >= low && v < low + span;
}

static bool number(const struct rg_cnode *e, double *v)
{
    if (e->op == RG_COP_NEG && number(e->kid[0], v)) return *v = -*v, true;
    if (e->kind == RG_C_CAST && !e->pointer && !e->text) return number(e->kid[0], v) && keeps(e->type, *v);
    if (e->kind == RG_C_INT) return *v = (double)e->ivalue, fabs(*v) < 9e15;
    return e->kind == RG_C_REAL ? *v = e->rvalue, true : false;
}

/* ---- what a condition says of an element ---- */

static enum rg_c_op mirrored(enum rg_c_op op)
{
    return op == RG_COP_LT   ? RG_COP_GT
           : op == RG_COP_GT ? RG_COP_LT
           : op == RG_COP_LE ? RG_COP_GE
           : op == RG_COP_GE ? RG_COP_LE
                             : op;
}

/* `x op k` of a condition, x an element; false: it is of another form. */
static bool asked(const struct rg__scatter *s, const struct rg_cnode *c, const struct rg_cnode **x, enum rg_c_op *op,
                  const struct rg_cnode **k, int side)
{
    const struct rg_cnode *e = rg__scatter_resolve(s, c);
    if (e->kind == RG_C_INDEX && !e->pointer && side == 0) {
        *x = e;
        *op = RG_COP_NE;
        *k = &nought;
        return true;
    }
    if (e->kind != RG_C_BINARY || !rg_c_relation(e->op)) return false;
    *x = rg__scatter_resolve(s, e->kid[side]);
    *k = e->kid[1 - side];
    *op = side ? mirrored(e->op) : e->op;
    return (*x)->kind == RG_C_INDEX && !(*x)->pointer;
}

static bool relation_holds(enum rg_c_op op, double a, double b)
{
    return op == RG_COP_LT   ? a < b
           : op == RG_COP_LE ? a <= b
           : op == RG_COP_GT ? a > b
           : op == RG_COP_GE ? a >= b
           : op == RG_COP_EQ ? a == b
                             : a != b;
}

struct limits { /* conditions on a value */
    int n;
    enum rg_c_op op[RG__ROUNDS_FACTS];
    const struct rg_cnode *k[RG__ROUNDS_FACTS];
};

/* What holds of the element behind `to` where the effect stands. */
static struct limits limits_of(const struct rg__scatter *s, const struct rg__effect *e)
{
    struct limits l = {0};
    for (int i = 0; i < e->n; i++)
        for (int side = 0; side < 2; side++) {
            const struct rg_cnode *x, *k;
            enum rg_c_op op;
            if (!asked(s, e->facts[i].c, &x, &op, &k, side) || x->array != e->to->array || !one_place(s, x, e->to) ||
                !steady(s, k, true))
                continue;
            if (!e->facts[i].holds && rg_scalar_is_real(x->type)) continue; /* it may have no order */
            l.op[l.n] = e->facts[i].holds ? op : rg_c_opposite(op);
            l.k[l.n++] = k;
            break;
        }
    return l;
}

/* Of numbers alone: every value that the limits leave answers like v. Between and beyond the numbers nothing changes,
 * so one value of each part stands for all of it. */
static bool same_of_numbers(const struct limits *l, enum rg_c_op op, double k, double v)
{
    double at[RG__ROUNDS_FACTS + 2];
    int n = 0;
    at[n++] = k;
    at[n++] = v;
    for (int i = 0; i < l->n; i++)
        if (!number(l->k[i], &at[n++])) return false;
    for (int i = 0; i <= 3 * n; i++) {
        double x = i == 3 * n ? NAN : at[i / 3];
        if (i < 3 * n && i % 3 != 1) {
            double next = i % 3 ? INFINITY : -INFINITY;
            for (int j = 0; j < n; j++)
                if (i % 3 ? at[j] > x && at[j] < next : at[j] < x && at[j] > next) next = at[j];
            x = isinf(next) ? (i % 3 ? x + 1 : x - 1) : (x + next) / 2;
        }
        bool left = true;
        for (int j = 0; j < l->n; j++) left = left && relation_holds(l->op[j], x, at[2 + j]);
        if (left && relation_holds(op, x, k) != relation_holds(op, v, k)) return false;
    }
    return true;
}

/* The least value that an integer local ever has: it starts with numbers and is only ever added to. */
static bool never_below(const struct rg_cnode *n, int var, int64_t *least)
{
    if (!n) return true;
    const struct rg_cnode *v = NULL;
    bool decl = n->kind == RG_C_DECL && n->array < 0 && n->var == var;
    bool to = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) &&
              n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var == var;
    if (n->kind == RG_C_VERBATIM || (to && n->op == RG_COP_ADDRESS)) return false;
    if (to && n->kind == RG_C_INCDEC) return rg_c_increments(n->op);
    if (to && n->op != RG_COP_SET) {
        const struct rg_cnode *by = plain(n->kid[1]);
        return n->op == RG_COP_ADD_SET && by->kind == RG_C_INT && by->ivalue >= 0;
    }
    if (decl) v = n->n ? n->kid[0] : NULL;
    if (to) v = n->kid[1];
    const struct rg_cnode *arms[2] = {v ? plain(v) : NULL, NULL};
    if (arms[0] && arms[0]->kind == RG_C_COND) {
        const struct rg_cnode *c = arms[0];
        arms[0] = plain(c->kid[1]);
        arms[1] = plain(c->kid[2]);
    }
    for (int i = 0; i < 2; i++) {
        const struct rg_cnode *a = arms[i];
        if (!a) continue;
        if (a->op == RG_COP_ADD && plain(a->kid[1])->kind == RG_C_INT && plain(a->kid[1])->ivalue >= 0)
            a = plain(a->kid[0]);
        if (a->kind == RG_C_VAR && a->array < 0 && a->var == var) continue;
        if (a->kind != RG_C_INT) return false;
        *least = a->ivalue < *least ? a->ivalue : *least;
    }
    for (int i = 0; i < n->n; i++)
        if (!never_below(n->kid[i], var, least)) return false;
    return true;
}

static void know(const struct rg__scatter *s, struct rg__range *r, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR && e->array < 0 && s->t->vars[e->var].kind == RG_CVAR_LOCAL &&
        rg__scalar_is_int(s->t->vars[e->var].type)) {
        int64_t least = INT64_MAX;
        if (never_below(s->t->root, e->var, &least) && least < INT64_MAX)
            rg__range_assume(r, rg__c_binary(s->t, RG_COP_GE, rg__c_var(s->t, e->var), rg__c_int(s->t, least)), true);
    }
    for (int i = 0; i < e->n; i++) know(s, r, e->kid[i]);
}

static bool is_above(struct rg__range *r, const struct rg__poly *a, const struct rg__poly *b, int64_t by)
{
    struct rg__poly d = rg__poly_add(a, b, -1), k = rg__poly_int(by);
    d = rg__poly_add(&d, &k, -1);
    return rg__prove(r, &d);
}

/* 1: `a op b` always, 0: never, -1 unknown. */
static int decided(struct rg__range *r, enum rg_c_op op, const struct rg__poly *a, const struct rg__poly *b)
{
    bool gt = is_above(r, a, b, 1), lt = is_above(r, b, a, 1);
    bool ge = gt || is_above(r, a, b, 0), le = lt || is_above(r, b, a, 0);
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

/* No integer is both `op1 a` and `op2 b`. */
static bool exclude(struct rg__range *r, enum rg_c_op op1, const struct rg__poly *a, enum rg_c_op op2,
                    const struct rg__poly *b)
{
    if (op1 == RG_COP_NE || op2 == RG_COP_NE) {
        enum rg_c_op other = op1 == RG_COP_NE ? op2 : op1;
        return other == RG_COP_EQ && decided(r, RG_COP_EQ, a, b) == 1;
    }
    bool low1 = op1 == RG_COP_GT || op1 == RG_COP_GE || op1 == RG_COP_EQ,
         high1 = op1 == RG_COP_LT || op1 == RG_COP_LE || op1 == RG_COP_EQ,
         low2 = op2 == RG_COP_GT || op2 == RG_COP_GE || op2 == RG_COP_EQ,
         high2 = op2 == RG_COP_LT || op2 == RG_COP_LE || op2 == RG_COP_EQ;
    /* the least of one is above the greatest of the other: by how much a must be above b, or b above a */
    int64_t strict = (op1 == RG_COP_GT || op1 == RG_COP_LT) + (op2 == RG_COP_GT || op2 == RG_COP_LT);
    return (low1 && high2 && is_above(r, a, b, 1 - strict)) || (low2 && high1 && is_above(r, b, a, 1 - strict));
}

/* Is the element, once stored to, the very integer that the value says? */
static bool fits(const struct rg__scatter *s, const struct rg__effect *e)
{
    enum rg_scalar type = s->t->arrays[e->to->array].elem;
    const struct rg_cnode *v = rg__scatter_resolve(s, e->value);
    double n;
    if (number(v, &n)) return keeps(type, n);
    return rg__scalar_is_int(v->type) && rg_scalar_is_signed(v->type) && rg_scalar_is_signed(type) &&
           rg_scalar_bytes(v->type) <= rg_scalar_bytes(type);
}

/* Does what the read asks come out the same before and after the store, wherever both mean one element? */
static bool unmoved(const struct rg__scatter *s, const struct rg__element *x, const struct rg__effect *e)
{
    if (!x->compared || s->kind[x->node->array] != RG__SCATTER_ONE || !steady(s, x->with ? x->with : &nought, true))
        return false;
    struct limits l = limits_of(s, e);
    const struct rg_cnode *k = x->with ? x->with : &nought;
    enum rg_scalar type = s->t->arrays[x->node->array].elem;
    double kn, vn;
    if (number(k, &kn) && number(e->value, &vn) && keeps(type, vn) && same_of_numbers(&l, x->op, kn, vn)) return true;
    if (!rg__scalar_is_int(type) || (!rg_scalar_is_signed(type) && rg_scalar_bytes(type) >= 4)) return false;
    if (!fits(s, e)) return false;
    struct rg__range *r = rg_xcalloc(1, sizeof *r);
    rg__range_init(r, s->t, s->given);
    for (int i = 0; i < s->n_around; i++) r->loops[r->n_loops++] = s->around[i];
    const struct rg_cnode *value = rg__scatter_resolve(s, e->value);
    know(s, r, value);
    know(s, r, k);
    for (int i = 0; i < l.n; i++) know(s, r, l.k[i]);
    struct rg__poly pk = rg__poly_of(r, rg__scatter_resolve(s, k)), pv = rg__poly_of(r, value);
    int then = decided(r, x->op, &pv, &pk);
    bool ok = false;
    enum rg_c_op other = then == 1 ? rg_c_opposite(x->op) : x->op;
    for (int i = 0; i < l.n && then >= 0 && !ok; i++) {
        struct rg__poly b = rg__poly_of(r, rg__scatter_resolve(s, l.k[i]));
        ok = exclude(r, l.op[i], &b, other, &pk);
    }
    free(r);
    return ok;
}

/* ---- the loop ---- */

static bool stores_to(const struct rg__effect *e, int array)
{
    return e->to && e->to->kind == RG_C_INDEX && e->to->array == array;
}

static bool by_iterator(const struct rg__scatter *s, const struct rg_cnode *x, int d)
{
    const struct rg_cnode *sub = d < x->n ? rg__scatter_resolve(s, x->kid[d]) : NULL;
    return sub && sub->kind == RG_C_VAR && sub->array < 0 && sub->var == s->loop->var;
}

bool rg__scatter_held(const struct rg__scatter *s, const struct rg_cnode *x)
{
    const struct rg_cnode *first = NULL;
    bool equal = true;
    for (int d = 0; d < x->n; d++) { /* a dimension of which each iteration has one place */
        bool is = by_iterator(s, x, d);
        for (int i = 0; i < s->n_effects && is; i++)
            if (stores_to(&s->effect[i], x->array)) is = by_iterator(s, s->effect[i].to, d);
        if (is) return true;
    }
    for (int i = 0; i < s->n_effects && equal; i++) {
        if (!stores_to(&s->effect[i], x->array)) continue;
        first = s->effect[i].to;
        equal = one_place(s, x, first);
    }
    return first && equal && !rg__scatter_led(s, first); /* dependence tests know better */
}

/* Are all its elements, those that are stored to and those that are read? */
static bool all_held(const struct rg__scatter *s, int array)
{
    for (int i = 0; i < s->n_effects; i++)
        if (stores_to(&s->effect[i], array) && !rg__scatter_held(s, s->effect[i].to)) return false;
    for (int i = 0; i < s->n_reads; i++)
        if (s->read[i].node->array == array && !rg__scatter_held(s, s->read[i].node)) return false;
    return true;
}

/* Every fact of x is one of y's, at the same evaluation of it. */
static bool whenever(const struct rg__effect *x, const struct rg__effect *y)
{
    if (x->loop != y->loop) return false;
    for (int i = 0; i < x->n; i++) {
        bool found = false;
        for (int k = 0; k < y->n && !found; k++)
            found = x->facts[i].c == y->facts[k].c && x->facts[i].holds == y->facts[k].holds;
        if (!found) return false;
    }
    return true;
}

/* May the store change how the read comes out in another iteration? */
static bool moves(const struct rg__scatter *s, const struct rg__effect *e, const struct rg__element *x)
{
    return stores_to(e, x->node->array) && !rg__scatter_held(s, x->node) && !unmoved(s, x, e);
}

static bool moves_fact(const struct rg__scatter *s, const struct rg__effect *e, const struct rg__holds *f)
{
    for (int i = f->first_read; i < f->first_read + f->n_reads; i++)
        if (moves(s, e, &s->read[i])) return true;
    return false;
}

static bool settled(const struct rg__scatter *s, const struct rg__holds *f)
{
    for (int i = 0; i < s->n_effects; i++)
        if (moves_fact(s, &s->effect[i], f)) return false;
    return true;
}

/* `v < a[p]` where `a[p] = v` stands behind it, or > : LESS, MORE. */
static enum rg__scattered extreme(const struct rg__scatter *s, const struct rg__holds *f, const struct rg__effect *e)
{
    for (int side = 0; side < 2; side++) {
        const struct rg_cnode *x, *k;
        enum rg_c_op op;
        if (!asked(s, f->c, &x, &op, &k, side) || x->array != e->to->array || !one_place(s, x, e->to) ||
            !same(s, k, e->value) || !steady(s, k, false) || op == RG_COP_EQ || op == RG_COP_NE)
            continue;
        if (!f->holds && rg_scalar_is_real(x->type)) continue;
        if (!f->holds) op = rg_c_opposite(op);
        return op == RG_COP_GT || op == RG_COP_GE ? RG__SCATTER_LESS : RG__SCATTER_MORE;
    }
    return RG__SCATTER_NONE;
}

static void classify(struct rg__scatter *s, int array)
{
    const struct rg__effect *first = NULL;
    enum rg__scattered kind = RG__SCATTER_NONE;
    if (s->updated[array] || s->t->arrays[array].elem == RG_STRUCT) return;
    bool one = true, extremes = true;
    for (int i = 0; i < s->n_effects; i++) {
        const struct rg__effect *e = &s->effect[i];
        if (!stores_to(e, array)) continue;
        if (!first) first = e;
        one = one && steady(s, e->value, true) && same(s, e->value, first->value);
        enum rg__scattered own = RG__SCATTER_NONE;
        for (int k = 0; k < e->n && !own; k++) own = extreme(s, &e->facts[k], e);
        extremes = extremes && own && (e == first || own == kind);
        kind = own;
    }
    s->kind[array] = one ? RG__SCATTER_ONE : extremes ? kind : RG__SCATTER_NONE;
}

/* Asks of the element that is stored to, and of nothing else that changes. */
static bool own(const struct rg__scatter *s, const struct rg__holds *f, const struct rg__effect *e)
{
    if (s->kind[e->to->array] != RG__SCATTER_ONE) return extreme(s, f, e) == s->kind[e->to->array];
    bool is = f->n_reads > 0;
    for (int i = f->first_read; i < f->first_read + f->n_reads && is; i++) {
        const struct rg__element *x = &s->read[i];
        if (!s->written[x->node->array]) continue;
        is = x->node->array == e->to->array && x->compared && one_place(s, x->node, e->to) &&
             steady(s, x->with ? x->with : &nought, true);
    }
    return is;
}

/* It asks of elements whose every store has, beside it, one like e: to the same array at its place, or the same
 * scalar, of the same value. */
static bool accompanied(const struct rg__scatter *s, const struct rg__holds *f, const struct rg__effect *e)
{
    for (int i = 0; i < s->n_effects; i++) {
        const struct rg__effect *by = &s->effect[i];
        if (!moves_fact(s, by, f)) continue;
        bool found = false;
        for (int k = 0; k < s->n_effects && !found; k++) {
            const struct rg__effect *x = &s->effect[k];
            found = x->to && x->to->kind == e->to->kind && x->to->array == e->to->array && x->to->var == e->to->var &&
                    whenever(x, by) && (e->to->kind != RG_C_INDEX || one_place(s, x->to, by->to));
        }
        if (!found) return false;
    }
    if (e->to->kind != RG_C_INDEX) return true;
    for (int i = f->first_read; i < f->first_read + f->n_reads; i++) /* whoever asks has one place with it in mind */
        if (s->written[s->read[i].node->array] && !one_place(s, s->read[i].node, e->to)) return false;
    return true;
}

static bool same_facts(const struct rg__effect *a, const struct rg__effect *b)
{
    return whenever(a, b) && whenever(b, a);
}

/* All that is added to the scalar is one number. */
static bool steps_alike(const struct rg__scatter *s, int var)
{
    const struct rg_cnode *first = NULL;
    double k;
    for (int i = 0; i < s->n_effects; i++) {
        const struct rg__effect *e = &s->effect[i];
        if (!e->to || e->to->kind != RG_C_VAR || e->to->var != var) continue;
        const struct rg_cnode *x = e->stmt->kid[0];
        if (x->kind == RG_C_ASSIGN && (!number(x->kid[1], &k) || k != floor(k))) return false;
        if (first && (first->op != x->op || (x->kind == RG_C_ASSIGN && !same(s, first->kid[1], x->kid[1]))))
            return false;
        first = x;
    }
    return first && rg__scalar_is_int(s->t->vars[var].type);
}

/* `count += k` where elements change, each once: what changed can be counted behind the loop. */
static bool once_each(struct rg__scatter *s, int var)
{
    int array = -1, n_sums = 0, n_stores = 0;
    for (int i = 0; i < s->n_effects; i++) {
        const struct rg__effect *e = &s->effect[i];
        bool sum = e->to && e->to->kind == RG_C_VAR && e->to->var == var;
        n_sums += sum;
        for (int k = 0; k < e->n && sum; k++)
            for (int r = 0; r < e->facts[k].n_reads; r++) {
                int a = s->read[e->facts[k].first_read + r].node->array;
                if (!s->written[a] || settled(s, &e->facts[k])) continue;
                if (array >= 0 && array != a) return false;
                array = a;
            }
    }
    if (array < 0 || !steps_alike(s, var) || s->kind[array] != RG__SCATTER_ONE ||
        !rg__scalar_is_int(s->t->arrays[array].elem))
        return false;
    struct rg__range *r = rg_xcalloc(1, sizeof *r);
    rg__range_init(r, s->t, s->given);
    for (int i = 0; i < s->n_around; i++) r->loops[r->n_loops++] = s->around[i];
    bool ok = true;
    for (int i = 0; i < s->n_effects && ok; i++) {
        const struct rg__effect *e = &s->effect[i];
        if (!stores_to(e, array)) continue;
        n_stores++;
        int beside = 0;
        for (int k = 0; k < s->n_effects; k++) {
            const struct rg__effect *x = &s->effect[k];
            beside += x->to && x->to->kind == RG_C_VAR && x->to->var == var && same_facts(x, e);
        }
        struct limits l = limits_of(s, e);
        const struct rg_cnode *value = rg__scatter_resolve(s, e->value);
        know(s, r, value);
        bool changes = false; /* what is stored is none of what it takes the place of */
        for (int k = 0; k < l.n && !changes; k++) {
            know(s, r, l.k[k]);
            struct rg__poly v = rg__poly_of(r, value), b = rg__poly_of(r, rg__scatter_resolve(s, l.k[k]));
            changes = decided(r, l.op[k], &v, &b) == 0;
        }
        for (int k = 0; k < e->n; k++) ok = ok && (settled(s, &e->facts[k]) || own(s, &e->facts[k], e));
        ok = ok && beside == 1 && changes && fits(s, e);
    }
    free(r);
    s->counted_in[var] = array;
    return ok && n_sums == n_stores;
}

static bool effect_proven(struct rg__scatter *s, const struct rg__effect *e)
{
    const bool scalar = e->to && e->to->kind == RG_C_VAR;
    for (int i = 0; i < e->n; i++) {
        const struct rg__holds *f = &e->facts[i];
        if (settled(s, f)) continue;
        if (!e->to) return s->why = "what an iteration does next hangs on what others have stored", false;
        if (scalar && !e->value && !s->flag[e->to->var]) {
            if (!s->counted[e->to->var] && !once_each(s, e->to->var))
                return s->why = "a sum hangs on what others have stored", false;
            s->counted[e->to->var] = true;
            continue;
        }
        if (scalar && accompanied(s, f, e)) continue;
        if (!scalar && s->kind[e->to->array] != RG__SCATTER_NONE &&
            (own(s, f, e) || (s->kind[e->to->array] == RG__SCATTER_ONE && accompanied(s, f, e))))
            continue;
        return s->why = "a condition may come out otherwise once others have stored", false;
    }
    return true;
}

bool rg__scatter_proven(struct rg__scatter *s)
{
    for (int a = 0; a < s->n_arrays && !s->why; a++) {
        if (!s->written[a] || all_held(s, a)) continue;
        classify(s, a);
        if (s->kind[a] == RG__SCATTER_NONE && !s->updated[a]) s->why = "what is stored last counts";
    }
    for (int i = 0; i < s->n_reads && !s->why; i++) {
        const struct rg__element *x = &s->read[i];
        const int a = x->node->array;
        if (!s->written[a] || rg__scatter_held(s, x->node)) continue;
        if (s->updated[a]) s->why = "a sum is read while it grows";
        for (int k = 0; k < s->n_effects && !x->in_fact && !s->why; k++)
            if (moves(s, &s->effect[k], x)) s->why = "a value hangs on what others have stored";
    }
    for (int i = 0; i < s->n_effects && !s->why; i++) {
        const struct rg__effect *e = &s->effect[i];
        for (int k = 0; k < i && e->to && e->to->kind == RG_C_VAR && !s->flag[e->to->var] && !s->why; k++) {
            const struct rg__effect *x = &s->effect[k];
            if (x->to && x->to->kind == RG_C_VAR && x->to->var == e->to->var &&
                (!x->value != !e->value || (x->value && !same(s, x->value, e->value))))
                s->why = "a scalar gets more than one value";
        }
        if (!s->why) effect_proven(s, e);
    }
    return !s->why;
}
