/* Values of a round of updates: which way each may move while the elements move theirs, which conditions stay true once
 * they are, what is certainly not the background. */
#include "frontend/normalise/update_rounds_proof.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum motion rg__round_join(enum motion a, enum motion b)
{
    return a == b || b == STILL ? a : a == STILL ? b : UNKNOWN;
}

enum motion rg__round_turned(enum motion m)
{
    return m == FALLS ? RISES : m == RISES ? FALLS : m;
}

bool rg__round_element(const struct follow *f, const struct rg_cnode *e)
{
    return e && e->kind == RG_C_INDEX && e->array == f->r->array;
}

bool rg__round_called(const struct rg_cnode *e, const char *const *names, int n)
{
    for (int i = 0; i < n && e->kind == RG_C_CALL && e->callee < 0 && e->text; i++)
        if (!strcmp(e->text, names[i])) return true;
    return false;
}

const char *const rg__round_least_of[3] = {"fmin", "fminf", "min"}, *const rg__round_most_of[3] = {"fmax", "fmaxf",
                                                                                                   "max"};
static const char *const rising[] = {"sqrt", "sqrtf", "floor", "floorf", "ceil", "ceilf"};

bool rg__round_mentions(const struct rg_cnode *e, int array)
{
    if (!e) return false;
    if ((e->kind == RG_C_INDEX || e->kind == RG_C_VAR) && e->array == array) return true;
    for (int i = 0; i < e->n; i++)
        if (rg__round_mentions(e->kid[i], array)) return true;
    return false;
}

bool rg__round_wraps(enum rg_scalar t)
{
    return rg__scalar_is_int(t) && !rg_scalar_is_signed(t);
}

/* Does the conversion keep every value? */
static bool exact(const struct rg_cnode *e)
{
    enum rg_scalar to = e->type, from = e->kid[0]->type;
    if (e->pointer || e->kid[0]->pointer || to == RG_STRUCT || from == RG_STRUCT || to == RG_BOOL) return false;
    size_t a = rg_scalar_bytes(from), b = rg_scalar_bytes(to);
    bool real = rg_scalar_is_real(to), real_from = rg_scalar_is_real(from);
    if (real || real_from) return real && (real_from ? b >= a : b == 8 && a <= 4);
    return from == RG_BOOL || (rg__round_wraps(from) == rg__round_wraps(to) ? b >= a : rg__round_wraps(from) && b > a);
}

/* Without conversions that keep the value. */
const struct rg_cnode *rg__round_strip(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && exact(e)) e = e->kid[0];
    return e;
}

/* The same, with what locals stand for. */
const struct rg_cnode *rg__round_resolve(const struct follow *f, const struct rg_cnode *e)
{
    for (int step = 0; step < 16; step++) {
        e = rg__round_strip(e);
        if (e->kind != RG_C_VAR || e->array >= 0 || e->var < 0 || e->var >= f->r->n_vars || !f->now[e->var].is) break;
        e = f->now[e->var].is;
    }
    return e;
}

bool rg__round_same(const struct follow *f, const struct rg_cnode *a, const struct rg_cnode *b)
{
    const struct rg_cnode *x = rg__round_strip(a), *y = rg__round_strip(b);
    if (x->kind == RG_C_VAR && y->kind == RG_C_VAR && x->array < 0 && y->array < 0 && x->var == y->var) return true;
    a = rg__round_resolve(f, a);
    b = rg__round_resolve(f, b);
    if (!rg__c_same_head(a, b) || (a->kind == RG_C_CAST && a->type != b->type) || a->kind == RG_C_VERBATIM)
        return false;
    for (int i = 0; i < a->n; i++)
        if (!rg__round_same(f, a->kid[i], b->kid[i])) return false;
    return true;
}

bool rg__round_one_place(const struct follow *f, const struct rg_cnode *a, const struct rg_cnode *b)
{
    for (int d = 0; d < a->n && a->n == b->n; d++)
        if (!rg__round_same(f, a->kid[d], b->kid[d])) return false;
    return a->n == b->n;
}

/* 1 << 30, INT_MAX / 2, in a type that has room for it. */
static bool integer_constant(const struct rg_cnode *e, int64_t *v)
{
    int64_t a, b;
    if (e->kind == RG_C_INT) return *v = e->ivalue, true;
    if (e->kind == RG_C_CAST && rg__scalar_is_int(e->type) && rg_scalar_bytes(e->type) >= 4 &&
        rg_scalar_bytes(e->type) >= rg_scalar_bytes(e->kid[0]->type))
        return rg__scalar_is_int(e->kid[0]->type) && integer_constant(e->kid[0], v) && *v >= 0;
    bool whole = e->kind == RG_C_BINARY && rg__scalar_is_int(e->type) && rg_scalar_bytes(e->type) >= 4;
    if (!whole || !integer_constant(e->kid[0], &a) || !integer_constant(e->kid[1], &b) || a < 0 || b < 0) return false;
    switch (e->op) {
    case RG_COP_SHL:
        if (b > 62 || a > INT64_MAX >> b) return false;
        *v = a << b;
        break;
    case RG_COP_SHR:
        if (b > 62) return false;
        *v = a >> b;
        break;
    case RG_COP_MUL:
        if (__builtin_mul_overflow(a, b, v)) return false;
        break;
    case RG_COP_DIV:
        if (!b) return false;
        *v = a / b;
        break;
    case RG_COP_ADD:
        if (__builtin_add_overflow(a, b, v)) return false;
        break;
    case RG_COP_SUB:
        *v = a - b;
        break;
    default:
        return false;
    }
    return *v >= 0 && (rg_scalar_bytes(e->type) == 8 || *v <= INT32_MAX);
}

bool rg__round_number(const struct rg_cnode *e, double *v)
{
    int64_t whole;
    if (e->kind != RG_C_INT && integer_constant(e, &whole)) return *v = (double)whole, true;
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->kind == RG_C_BINARY && integer_constant(e, &whole)) return *v = (double)whole, true;
    if (e->op == RG_COP_NEG && rg__round_number(e->kid[0], v)) return *v = -*v, true;
    if (e->kind == RG_C_INT) return *v = (double)e->ivalue, true;
    return e->kind == RG_C_REAL ? *v = e->rvalue, true : false;
}

/* ---- motions ---- */

/* Of `element op k`, where elements only ever become the one value. */
static enum motion against_one(const struct follow *f, enum rg_c_op op, const struct rg_cnode *k)
{
    double one, v;
    if (rg__round_same(f, k, f->r->one) && rg__round_motion_of(f, k) == STILL)
        return rg__relation_holds(op, 0, 0) ? RISES : FALLS;
    if (!rg__round_number(f->r->one, &one) || !rg__round_number(rg__round_resolve(f, k), &v)) return UNKNOWN;
    return rg__relation_holds(op, one, v) ? RISES : FALLS;
}

/* The ends that no element is beyond: those of its type, and of what all were set to. */
static bool at_end(const struct follow *f, const struct rg_cnode *k, bool top)
{
    const struct rg__round *r = f->r;
    enum rg_scalar t = r->t->arrays[r->array].elem;
    double v;
    if (!rg__round_number(rg__round_resolve(f, k), &v)) return false;
    if (r->bounded && (top ? r->direction == RG__LESS && v >= r->most : r->direction == RG__MORE && v <= r->least))
        return true;
    if (!rg__scalar_is_int(t) || rg_scalar_bytes(t) > 4)
        return !rg__scalar_is_int(t) ? isinf(v) && (v > 0) == top : !top && !rg_scalar_is_signed(t) && v <= 0;
    double span = ldexp(1, (int)rg_scalar_bytes(t) * 8), low = rg_scalar_is_signed(t) ? -span / 2 : 0;
    return top ? v >= low + span - 1 : v <= low;
}

/* Is it `element == background`, or !=? */
static bool of_background(const struct follow *f, const struct rg_cnode *a, enum rg_c_op op, const struct rg_cnode *b)
{
    double v;
    bool is = f->r->apart && (op == RG_COP_EQ || op == RG_COP_NE) && rg__round_element(f, a) &&
              rg__round_number(b, &v) && v == f->r->background;
    for (int d = 0; is && d < a->n; d++) is = rg__round_motion_of(f, a->kid[d]) == STILL;
    return is;
}

static enum motion relation(const struct follow *f, const struct rg_cnode *e)
{
    const struct rg_cnode *a = rg__round_resolve(f, e->kid[0]), *b = rg__round_resolve(f, e->kid[1]);
    enum rg_c_op op = e->op;
    if (f->r->direction == RG__BITS) return rg__round_bits(f, e);
    if (rg__round_element(f, b) && !rg__round_element(f, a)) {
        const struct rg_cnode *x = a;
        a = b;
        b = x;
        op = rg_c_converse(op);
    }
    if (of_background(f, a, op, b)) return STILL;
    if (f->r->direction == RG__ONE && (rg__round_element(f, a) || rg__round_element(f, b))) {
        bool known = rg__round_element(f, a) && rg__round_motion_of(f, b) == STILL;
        for (int d = 0; d < a->n && known; d++) known = rg__round_motion_of(f, a->kid[d]) == STILL;
        return known ? against_one(f, op, b) : UNKNOWN;
    }
    enum motion x = rg__round_motion_of(f, a), y = rg__round_motion_of(f, b);
    if (x == UNKNOWN || y == UNKNOWN) return UNKNOWN;
    if ((op == RG_COP_EQ || op == RG_COP_NE) && rg__round_element(f, a)) { /* at an end: an inequality */
        bool top = at_end(f, b, true), bottom = !top && at_end(f, b, false);
        if (!top && !bottom) return UNKNOWN;
        op = top == (op == RG_COP_NE) ? RG_COP_LT : RG_COP_GE;
        if (bottom) op = op == RG_COP_LT ? RG_COP_LE : RG_COP_GT;
    }
    if (op == RG_COP_EQ || op == RG_COP_NE) return UNKNOWN;
    bool less = op == RG_COP_LT || op == RG_COP_LE;
    return less ? rg__round_join(rg__round_turned(x), y)
                : rg__round_join(x, rg__round_turned(y)); /* a < b rises where a falls or b rises */
}

/* All values that the local is ever set to in the round are numbers: the least and the greatest. */
bool rg__round_few(const struct rg_cnode *n, int var, double *least, double *most)
{
    const struct rg_cnode *v = NULL, *c;
    bool holds;
    double x;
    if (!n) return true;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == var) v = n->n ? n->kid[0] : NULL;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 &&
        n->kid[0]->var == var) {
        if (n->op != RG_COP_SET) return false;
        v = rg__round_choice(n, &c, &holds);
        v = v ? v : n->kid[1];
    }
    if (v && !rg__round_number(v, &x)) return false;
    if (v) *least = x < *least ? x : *least, *most = x > *most ? x : *most;
    for (int i = 0; i < n->n; i++)
        if (!rg__round_few(n->kid[i], var, least, most)) return false;
    return true;
}

/* Of a condition's value, 0 or 1. */
static enum motion truth(const struct follow *f, const struct rg_cnode *e)
{
    static struct rg_cnode zero = {
        .kind = RG_C_INT, .type = RG_I32, .var = -1, .array = -1, .callee = -1, .struct_index = -1};
    e = rg__round_strip(e);
    enum motion m = rg__round_motion_of(f, e);
    bool named = e->kind == RG_C_VAR && e->array < 0 && e->var < f->r->n_vars && f->now[e->var].logic;
    double least = DBL_MAX, most = -DBL_MAX; /* 0 or more: it is so as it is above 0 */
    bool local = e->kind == RG_C_VAR && e->array < 0 && e->var < f->r->n_vars && m != STILL;
    for (int i = 0; i < f->n_items && local; i++) local = rg__round_few(f->items[i], e->var, &least, &most);
    if ((local && least >= 0) || named || rg_c_logic(e->op) || e->op == RG_COP_NOT ||
        (m == STILL && !rg__round_element(f, rg__round_resolve(f, e))))
        return m;
    struct rg_cnode *kids[2] = {(struct rg_cnode *)e, &zero};
    struct rg_cnode differs = {.kind = RG_C_BINARY,
                               .op = RG_COP_NE,
                               .type = RG_I32,
                               .var = -1,
                               .array = -1,
                               .callee = -1,
                               .struct_index = -1,
                               .n = 2,
                               .kid = kids};
    return relation(f, &differs);
}

/* Is a condition `a < b`, or `a > b`, or such with equality? 1 less, -1 more, 0 neither. loose: or that they have no
 * order. */
int rg__round_compares(const struct follow *f, const struct rg__condition *x, const struct rg_cnode *a,
                       const struct rg_cnode *b, bool loose)
{
    const struct rg_cnode *c = rg__round_strip(x->c);
    enum rg_c_op op = c->op;
    if (c->kind != RG_C_BINARY || !rg_c_relation(op) || x->gone || f->r->direction == RG__BITS) return 0;
    if (!x->holds) {
        if (!loose && (rg_scalar_is_real(c->kid[0]->type) || rg_scalar_is_real(c->kid[1]->type))) return 0;
        op = rg_c_opposite(op);
    }
    if (op == RG_COP_EQ || op == RG_COP_NE) return 0;
    bool less = op == RG_COP_LT || op == RG_COP_LE;
    if (rg__round_same(f, c->kid[0], a) && rg__round_same(f, c->kid[1], b)) return less ? 1 : -1;
    if (rg__round_same(f, c->kid[0], b) && rg__round_same(f, c->kid[1], a)) return less ? -1 : 1;
    return 0;
}

/* Adds what it says, part by part, that the condition holds, or that it does not. */
void rg__round_assume(struct follow *f, const struct rg_cnode *c, bool holds, bool derived)
{
    c = rg__c_uncast(c, RG__C_CASTS);
    if (c->op == RG_COP_NOT) {
        rg__round_assume(f, c->kid[0], !holds, derived);
    } else if (c->op == (holds ? RG_COP_AND : RG_COP_OR)) {
        rg__round_assume(f, c->kid[0], holds, derived);
        rg__round_assume(f, c->kid[1], holds, derived);
    } else if (f->n_facts == RG__ROUNDS_FACTS) {
        f->r->other = true;
    } else {
        const struct rg_cnode *is = rg__round_resolve(f, c);
        bool named = c->kind == RG_C_VAR && is != c && !rg__round_element(f, is);
        f->facts[f->n_facts++] = (struct rg__condition){.c = c, .holds = holds, .resolved = named, .derived = derived};
        if (named) rg__round_assume(f, is, holds, true);
    }
}

bool rg__round_stays_true(const struct follow *f, const struct rg__condition *x)
{
    enum motion m = x->gone ? UNKNOWN : truth(f, x->c);
    return m == STILL || m == (x->holds ? RISES : FALLS);
}

/* Of what is `next` where the facts from `first` on hold, and `old` elsewhere. */
enum motion rg__round_chosen(const struct follow *f, int first, const struct rg_cnode *next, enum motion old,
                             const struct rg_cnode *old_node)
{
    enum motion m = rg__round_join(rg__round_motion_of(f, next), old);
    bool still = true, stay = true;
    int order = 0;
    for (int i = first; i < f->n_facts; i++) {
        const struct rg__condition *x = &f->facts[i];
        if (x->resolved) continue;
        int c = old_node ? rg__round_compares(f, x, next, old_node, false) : 0;
        if (c) {
            order = c;
            continue;
        }
        still = still && !x->gone && rg__round_motion_of(f, x->c) == STILL;
        stay = stay && rg__round_stays_true(f, x);
    }
    bool toward = f->r->direction == RG__LESS ? order > 0 : f->r->direction == RG__MORE && order < 0;
    return still || (toward && stay) ? m : UNKNOWN;
}

static enum motion converted(const struct follow *f, const struct rg_cnode *e)
{
    const struct rg_cnode *from = e->kid[0];
    enum motion m = rg__round_motion_of(f, from);
    if (m == STILL || e->pointer || from->pointer || e->text) return m == STILL ? STILL : UNKNOWN;
    bool real = rg_scalar_is_real(e->type), real_from = rg_scalar_is_real(from->type);
    if (f->r->direction == RG__BITS) return real || real_from ? UNKNOWN : m; /* what is cut off or repeated is bits */
    if (real || from->type == RG_BOOL) return m;
    if (e->type == RG_BOOL || real_from) return UNKNOWN;
    size_t to = rg_scalar_bytes(e->type), was = rg_scalar_bytes(from->type);
    bool keeps =
        rg__round_wraps(e->type) == rg__round_wraps(from->type) ? to >= was : !rg__round_wraps(e->type) && to > was;
    return keeps ? m : UNKNOWN;
}

/* Is the element not as it was before any update, by what holds here? `d[u] != INF` */
static bool reached(const struct follow *f, const struct rg_cnode *x)
{
    for (int i = 0; i < f->n_facts; i++) {
        const struct rg__condition *k = &f->facts[i];
        const struct rg_cnode *c = rg__round_strip(k->c);
        if (k->gone || c->kind != RG_C_BINARY || !rg_c_relation(c->op)) continue;
        enum rg_c_op op = k->holds ? c->op : rg_c_opposite(c->op);
        for (int side = 0; side < 2; side++) {
            if (!rg__round_same(f, c->kid[side], x)) continue;
            enum rg_c_op o = side ? rg_c_converse(op) : op;
            bool less = f->r->direction == RG__LESS;
            if ((o == RG_COP_NE || o == (less ? RG_COP_LT : RG_COP_GT)) && at_end(f, c->kid[1 - side], less))
                return true;
        }
    }
    return false;
}

/* Were all elements far from the ends of the type before the first round? */
bool rg__round_near(const struct rg__round *r, enum rg_scalar type)
{
    const double most = ldexp(1, (int)rg_scalar_bytes(type) * 8 - 2);
    return r->bounded && r->least >= -most && r->most <= most;
}

/* May a sum of an element and something of the same size leave the type? A round may add to elements that are further
 * from their end than those which the C adds to: where its own sums are in range, these need not be. */
static bool far(const struct follow *f, const struct rg_cnode *e, enum rg_scalar type)
{
    const struct rg__round *r = f->r;
    e = rg__round_resolve(f, e);
    if (rg__round_element(f, e)) {
        return !rg__round_near(r, type) && rg_scalar_bytes(type) <= rg_scalar_bytes(r->t->arrays[r->array].elem) &&
               !reached(f, e);
    }
    for (int i = 0; i < e->n; i++)
        if (far(f, e->kid[i], type)) return true;
    return false;
}

static enum motion arithmetic(const struct follow *f, const struct rg_cnode *e)
{
    enum motion a = rg__round_motion_of(f, e->kid[0]), b = rg__round_motion_of(f, e->kid[1]);
    double v;
    if (a == STILL && b == STILL) return STILL;
    if (rg__round_wraps(e->type) || (rg__scalar_is_int(e->type) && far(f, e, e->type))) return UNKNOWN;
    switch (e->op) {
    case RG_COP_ADD:
        return rg__round_join(a, b);
    case RG_COP_SUB:
        return rg__round_join(a, rg__round_turned(b));
    case RG_COP_MUL:
        for (int i = 0; i < 2; i++)
            if (rg__round_number(e->kid[i], &v)) return v >= 0 ? (i ? a : b) : rg__round_turned(i ? a : b);
        return UNKNOWN;
    case RG_COP_DIV:
        return rg__round_number(e->kid[1], &v) && v > 0 ? a : UNKNOWN;
    default:
        return UNKNOWN;
    }
}

enum motion rg__round_motion_of(const struct follow *f, const struct rg_cnode *e)
{
    enum motion all = STILL;
    switch (e->kind) {
    case RG_C_INT:
    case RG_C_REAL:
        return STILL;
    case RG_C_VAR:
        if (e->array >= 0) return UNKNOWN;
        if (e->var >= f->r->n_vars || f->r->flag[e->var]) return UNKNOWN;
        return f->now[e->var].moves;
    case RG_C_INDEX:
        for (int d = 0; d < e->n; d++) all = rg__round_join(all, rg__round_motion_of(f, e->kid[d]));
        if (all != STILL || e->pointer || (!rg__round_element(f, e) && f->r->written[e->array])) return UNKNOWN;
        if (!rg__round_element(f, e)) return STILL;
        return f->r->direction == RG__LESS ? FALLS : f->r->direction == RG__ONE ? UNKNOWN : RISES;
    case RG_C_MEMBER: /* of an element, which no round writes */
        return e->pointer || (e->kid[0]->kind != RG_C_INDEX && e->kid[0]->kind != RG_C_MEMBER)
                   ? UNKNOWN
                   : rg__round_motion_of(f, e->kid[0]);
    case RG_C_CAST:
        return converted(f, e);
    case RG_C_UNARY:
        if (e->op == RG_COP_NOT) return rg__round_turned(truth(f, e->kid[0]));
        if (f->r->direction == RG__BITS && e->op == RG_COP_COMPL) return rg__round_bits(f, e);
        if (e->op == RG_COP_NEG && f->r->direction != RG__BITS && !rg__round_wraps(e->type))
            return rg__round_turned(rg__round_motion_of(f, e->kid[0]));
        return e->op == RG_COP_POS     ? rg__round_motion_of(f, e->kid[0])
               : e->op == RG_COP_COMPL ? (rg__round_motion_of(f, e->kid[0]) == STILL ? STILL : UNKNOWN)
                                       : UNKNOWN;
    case RG_C_BINARY:
        if (rg__round_motion_of(f, e->kid[0]) == STILL && rg__round_motion_of(f, e->kid[1]) == STILL) return STILL;
        if (rg_c_relation(e->op)) return relation(f, e);
        if (rg_c_lazy(e->op)) return rg__round_join(truth(f, e->kid[0]), truth(f, e->kid[1]));
        return f->r->direction == RG__BITS ? rg__round_bits(f, e) : arithmetic(f, e);
    case RG_C_COND: {
        struct follow here = *f;
        int first = here.n_facts;
        if (rg__round_motion_of(f, e->kid[0]) == STILL)
            return rg__round_join(rg__round_motion_of(f, e->kid[1]), rg__round_motion_of(f, e->kid[2]));
        rg__round_assume(&here, e->kid[0], true, false);
        enum motion m = rg__round_chosen(&here, first, e->kid[1], rg__round_motion_of(f, e->kid[2]), e->kid[2]);
        if (m != UNKNOWN) return m;
        here.n_facts = first;
        rg__round_assume(&here, e->kid[0], false, false);
        return rg__round_chosen(&here, first, e->kid[2], rg__round_motion_of(f, e->kid[1]), e->kid[1]);
    }
    case RG_C_CALL: {
        bool known = f->r->direction != RG__BITS &&
                     (rg__round_called(e, rg__round_least_of, 3) || rg__round_called(e, rg__round_most_of, 3) ||
                      rg__round_called(e, rising, 6));
        for (int i = 0; i < e->n; i++) all = rg__round_join(all, rg__round_motion_of(f, e->kid[i]));
        return all == STILL ? (rg__c_pure(f->r->t, e) ? STILL : UNKNOWN) : known ? all : UNKNOWN;
    }
    default:
        return UNKNOWN;
    }
}

/* ---- the background ---- */

/* Does the condition say that an element is not the background? */
bool rg__round_rules_out(const struct follow *f, const struct rg__condition *x, const struct rg_cnode *place)
{
    const struct rg_cnode *c = rg__round_strip(x->c);
    const double k = f->r->background;
    double v;
    if (x->gone) return false;
    if (rg__round_element(f, c)) return x->holds && k == 0 && rg__round_one_place(f, c, place);
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op)) return false;
    for (int side = 0; side < 2; side++) {
        const struct rg_cnode *e = rg__round_strip(c->kid[side]);
        enum rg_c_op op = x->holds ? c->op : rg_c_opposite(c->op);
        if (!rg__round_element(f, e) || !rg__round_one_place(f, e, place) || !rg__round_number(c->kid[1 - side], &v))
            continue;
        if (!rg__relation_holds(side ? rg_c_converse(op) : op, k, v)) return true;
    }
    return false;
}

bool rg__round_not_background(const struct follow *f, const struct rg_cnode *e)
{
    double v;
    e = rg__round_strip(e);
    if (e->kind == RG_C_VAR && e->array < 0 && e->var < f->r->n_vars && f->now[e->var].apart) return true;
    e = rg__round_resolve(f, e);
    if (rg__round_number(e, &v)) return v != f->r->background;
    for (int i = 0; i < f->n_facts && rg__round_element(f, e); i++)
        if (rg__round_rules_out(f, &f->facts[i], e)) return true;
    if (rg__round_called(e, rg__round_least_of, 3) || rg__round_called(e, rg__round_most_of, 3))
        return rg__round_not_background(f, e->kid[0]) && rg__round_not_background(f, e->kid[1]);
    if (e->kind != RG_C_COND) return false;
    struct follow here = *f;
    int first = here.n_facts;
    rg__round_assume(&here, e->kid[0], true, false);
    if (!rg__round_not_background(&here, e->kid[1])) return false;
    here.n_facts = first;
    rg__round_assume(&here, e->kid[0], false, false);
    return rg__round_not_background(&here, e->kid[2]);
}
