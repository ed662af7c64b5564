/* Chaotic iteration. Updates `if (e < a[p]) a[p] = e`, where no e grows when elements fall, and which go on until none
 * applies, end in the greatest fixed point below where they began, in whatever order they are made (Cousot 1977,
 * Bertsekas 1983): every element is never below its value there, and where nothing applies it has that. So do maxima,
 * and stores of one value under conditions that stay true once they are. This file looks whether a round is of such
 * updates: for every value whether it may only fall, or only rise, while the elements move their way. */
#include "frontend/normalise/update_rounds.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum motion { STILL, FALLS, RISES, UNKNOWN };

struct known { /* of a local, at a place of the round */
    enum motion moves;
    const struct rg_cnode *is;   /* the value that it has here; NULL */
    const struct rg_cnode *from; /* an element that it is not beyond, in the direction of the updates; NULL */
    bool logic;                  /* it is 0 or 1, a condition's value */
    int depth;                   /* how many facts held where it was declared */
};

struct follow {
    struct rg__round *r;
    struct known *now;             /* [var] */
    struct rg_cnode *const *items; /* the round's statements */
    int n_items;
    int n_facts;
    struct rg__condition facts[RG__ROUNDS_FACTS];
    const struct rg_cnode *loop;
};

static enum motion join(enum motion a, enum motion b)
{
    return a == b || b == STILL ? a : a == STILL ? b : UNKNOWN;
}

static enum motion turned(enum motion m)
{
    return m == FALLS ? RISES : m == RISES ? FALLS : m;
}

static bool element(const struct follow *f, const struct rg_cnode *e)
{
    return e && e->kind == RG_C_INDEX && e->array == f->r->array;
}

static bool called(const struct rg_cnode *e, const char *const *names, int n)
{
    for (int i = 0; i < n && e->kind == RG_C_CALL && e->callee < 0 && e->text; i++)
        if (!strcmp(e->text, names[i])) return true;
    return false;
}

static const char *const least_of[] = {"fmin", "fminf", "min"}, *const most_of[] = {"fmax", "fmaxf", "max"},
                         *const rising[] = {"sqrt", "sqrtf", "floor", "floorf", "ceil", "ceilf"};

static bool mentions(const struct rg_cnode *e, int array)
{
    if (!e) return false;
    if ((e->kind == RG_C_INDEX || e->kind == RG_C_VAR) && e->array == array) return true;
    for (int i = 0; i < e->n; i++)
        if (mentions(e->kid[i], array)) return true;
    return false;
}

static bool wraps(enum rg_scalar t)
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
    return from == RG_BOOL || (wraps(from) == wraps(to) ? b >= a : wraps(from) && b > a);
}

/* Without conversions that keep the value. */
static const struct rg_cnode *strip(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && exact(e)) e = e->kid[0];
    return e;
}

/* The same, with what locals stand for. */
static const struct rg_cnode *resolve(const struct follow *f, const struct rg_cnode *e)
{
    for (int step = 0; step < 16; step++) {
        e = strip(e);
        if (e->kind != RG_C_VAR || e->array >= 0 || e->var < 0 || e->var >= f->r->n_vars || !f->now[e->var].is) break;
        e = f->now[e->var].is;
    }
    return e;
}

static bool same(const struct follow *f, const struct rg_cnode *a, const struct rg_cnode *b)
{
    const struct rg_cnode *x = strip(a), *y = strip(b);
    if (x->kind == RG_C_VAR && y->kind == RG_C_VAR && x->array < 0 && y->array < 0 && x->var == y->var) return true;
    a = resolve(f, a);
    b = resolve(f, b);
    if (!rg__c_same_head(a, b) || (a->kind == RG_C_CAST && a->type != b->type) || a->kind == RG_C_VERBATIM)
        return false;
    for (int i = 0; i < a->n; i++)
        if (!same(f, a->kid[i], b->kid[i])) return false;
    return true;
}

static bool one_place(const struct follow *f, const struct rg_cnode *a, const struct rg_cnode *b)
{
    for (int d = 0; d < a->n && a->n == b->n; d++)
        if (!same(f, a->kid[d], b->kid[d])) return false;
    return a->n == b->n;
}

bool rg__round_number(const struct rg_cnode *e, double *v)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->op == RG_COP_NEG && rg__round_number(e->kid[0], v)) return *v = -*v, true;
    if (e->kind == RG_C_INT) return *v = (double)e->ivalue, true;
    return e->kind == RG_C_REAL ? *v = e->rvalue, true : false;
}

static bool relation_holds(enum rg_c_op op, double a, double b)
{
    switch (op) {
    case RG_COP_LT:
        return a < b;
    case RG_COP_LE:
        return a <= b;
    case RG_COP_GT:
        return a > b;
    case RG_COP_GE:
        return a >= b;
    case RG_COP_EQ:
        return a == b;
    default:
        return a != b;
    }
}

/* ---- motions ---- */

static enum motion motion(const struct follow *f, const struct rg_cnode *e);

/* Of `element op k`, where elements only ever become the one value. */
static enum motion against_one(const struct follow *f, enum rg_c_op op, const struct rg_cnode *k)
{
    double one, v;
    if (same(f, k, f->r->one) && motion(f, k) == STILL) return relation_holds(op, 0, 0) ? RISES : FALLS;
    if (!rg__round_number(f->r->one, &one) || !rg__round_number(resolve(f, k), &v)) return UNKNOWN;
    return relation_holds(op, one, v) ? RISES : FALLS;
}

/* The ends that no element is beyond: those of its type, and of what all were set to. */
static bool at_end(const struct follow *f, const struct rg_cnode *k, bool top)
{
    const struct rg__round *r = f->r;
    enum rg_scalar t = r->t->arrays[r->array].elem;
    double v;
    if (!rg__round_number(resolve(f, k), &v)) return false;
    if (r->bounded && (top ? r->direction == RG__LESS && v >= r->most : r->direction == RG__MORE && v <= r->least))
        return true;
    if (!rg__scalar_is_int(t) || rg_scalar_bytes(t) > 4)
        return !rg__scalar_is_int(t) ? isinf(v) && (v > 0) == top : !top && !rg_scalar_is_signed(t) && v <= 0;
    double span = ldexp(1, (int)rg_scalar_bytes(t) * 8), low = rg_scalar_is_signed(t) ? -span / 2 : 0;
    return top ? v >= low + span - 1 : v <= low;
}

static enum motion relation(const struct follow *f, const struct rg_cnode *e)
{
    const struct rg_cnode *a = resolve(f, e->kid[0]), *b = resolve(f, e->kid[1]);
    enum rg_c_op op = e->op;
    if (element(f, b) && !element(f, a)) {
        const struct rg_cnode *x = a;
        a = b;
        b = x;
        op = rg_c_converse(op);
    }
    if (f->r->direction == RG__ONE && (element(f, a) || element(f, b))) {
        bool known = element(f, a) && motion(f, b) == STILL;
        for (int d = 0; d < a->n && known; d++) known = motion(f, a->kid[d]) == STILL;
        return known ? against_one(f, op, b) : UNKNOWN;
    }
    enum motion x = motion(f, a), y = motion(f, b);
    if (x == UNKNOWN || y == UNKNOWN) return UNKNOWN;
    if ((op == RG_COP_EQ || op == RG_COP_NE) && element(f, a)) { /* at an end: an inequality */
        bool top = at_end(f, b, true), bottom = !top && at_end(f, b, false);
        if (!top && !bottom) return UNKNOWN;
        op = top == (op == RG_COP_NE) ? RG_COP_LT : RG_COP_GE;
        if (bottom) op = op == RG_COP_LT ? RG_COP_LE : RG_COP_GT;
    }
    if (op == RG_COP_EQ || op == RG_COP_NE) return UNKNOWN;
    bool less = op == RG_COP_LT || op == RG_COP_LE;
    return less ? join(turned(x), y) : join(x, turned(y)); /* a < b rises where a falls or b rises */
}

/* All values that the local is ever set to in the round are numbers: the least and the greatest. */
static bool few(const struct rg_cnode *n, int var, double *least, double *most)
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
        if (!few(n->kid[i], var, least, most)) return false;
    return true;
}

/* Of a condition's value, 0 or 1. */
static enum motion truth(const struct follow *f, const struct rg_cnode *e)
{
    static struct rg_cnode zero = {
        .kind = RG_C_INT, .type = RG_I32, .var = -1, .array = -1, .callee = -1, .struct_index = -1};
    e = strip(e);
    enum motion m = motion(f, e);
    bool named = e->kind == RG_C_VAR && e->array < 0 && e->var < f->r->n_vars && f->now[e->var].logic;
    double least = DBL_MAX, most = -DBL_MAX; /* 0 or more: it is so as it is above 0 */
    bool local = e->kind == RG_C_VAR && e->array < 0 && e->var < f->r->n_vars && m != STILL;
    for (int i = 0; i < f->n_items && local; i++) local = few(f->items[i], e->var, &least, &most);
    if ((local && least >= 0) || named || rg_c_logic(e->op) || e->op == RG_COP_NOT ||
        (m == STILL && !element(f, resolve(f, e))))
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
static int compares(const struct follow *f, const struct rg__condition *x, const struct rg_cnode *a,
                    const struct rg_cnode *b, bool loose)
{
    const struct rg_cnode *c = strip(x->c);
    enum rg_c_op op = c->op;
    if (c->kind != RG_C_BINARY || !rg_c_relation(op) || x->gone) return 0;
    if (!x->holds) {
        if (!loose && (rg_scalar_is_real(c->kid[0]->type) || rg_scalar_is_real(c->kid[1]->type))) return 0;
        op = rg_c_opposite(op);
    }
    if (op == RG_COP_EQ || op == RG_COP_NE) return 0;
    bool less = op == RG_COP_LT || op == RG_COP_LE;
    if (same(f, c->kid[0], a) && same(f, c->kid[1], b)) return less ? 1 : -1;
    if (same(f, c->kid[0], b) && same(f, c->kid[1], a)) return less ? -1 : 1;
    return 0;
}

/* Adds what it says, part by part, that the condition holds, or that it does not. */
static void assume(struct follow *f, const struct rg_cnode *c, bool holds, bool derived)
{
    c = rg__c_uncast(c, RG__C_CASTS);
    if (c->op == RG_COP_NOT) {
        assume(f, c->kid[0], !holds, derived);
    } else if (c->op == (holds ? RG_COP_AND : RG_COP_OR)) {
        assume(f, c->kid[0], holds, derived);
        assume(f, c->kid[1], holds, derived);
    } else if (f->n_facts == RG__ROUNDS_FACTS) {
        f->r->other = true;
    } else {
        const struct rg_cnode *is = resolve(f, c);
        bool named = c->kind == RG_C_VAR && is != c && !element(f, is);
        f->facts[f->n_facts++] = (struct rg__condition){.c = c, .holds = holds, .resolved = named, .derived = derived};
        if (named) assume(f, is, holds, true);
    }
}

static bool stays_true(const struct follow *f, const struct rg__condition *x)
{
    enum motion m = x->gone ? UNKNOWN : truth(f, x->c);
    return m == STILL || m == (x->holds ? RISES : FALLS);
}

/* Of what is `next` where the facts from `first` on hold, and `old` elsewhere. */
static enum motion chosen(const struct follow *f, int first, const struct rg_cnode *next, enum motion old,
                          const struct rg_cnode *old_node)
{
    enum motion m = join(motion(f, next), old);
    bool still = true, stay = true;
    int order = 0;
    for (int i = first; i < f->n_facts; i++) {
        const struct rg__condition *x = &f->facts[i];
        if (x->resolved) continue;
        int c = old_node ? compares(f, x, next, old_node, false) : 0;
        if (c) {
            order = c;
            continue;
        }
        still = still && !x->gone && motion(f, x->c) == STILL;
        stay = stay && stays_true(f, x);
    }
    bool toward = f->r->direction == RG__LESS ? order > 0 : f->r->direction == RG__MORE && order < 0;
    return still || (toward && stay) ? m : UNKNOWN;
}

static enum motion converted(const struct follow *f, const struct rg_cnode *e)
{
    const struct rg_cnode *from = e->kid[0];
    enum motion m = motion(f, from);
    if (m == STILL || e->pointer || from->pointer || e->text) return m == STILL ? STILL : UNKNOWN;
    bool real = rg_scalar_is_real(e->type), real_from = rg_scalar_is_real(from->type);
    if (real || from->type == RG_BOOL) return m;
    if (e->type == RG_BOOL || real_from) return UNKNOWN;
    size_t to = rg_scalar_bytes(e->type), was = rg_scalar_bytes(from->type);
    bool keeps = wraps(e->type) == wraps(from->type) ? to >= was : !wraps(e->type) && to > was;
    return keeps ? m : UNKNOWN;
}

/* Is the element not as it was before any update, by what holds here? `d[u] != INF` */
static bool reached(const struct follow *f, const struct rg_cnode *x)
{
    for (int i = 0; i < f->n_facts; i++) {
        const struct rg__condition *k = &f->facts[i];
        const struct rg_cnode *c = strip(k->c);
        if (k->gone || c->kind != RG_C_BINARY || !rg_c_relation(c->op)) continue;
        enum rg_c_op op = k->holds ? c->op : rg_c_opposite(c->op);
        for (int side = 0; side < 2; side++) {
            if (!same(f, c->kid[side], x)) continue;
            enum rg_c_op o = side ? rg_c_converse(op) : op;
            bool less = f->r->direction == RG__LESS;
            if ((o == RG_COP_NE || o == (less ? RG_COP_LT : RG_COP_GT)) && at_end(f, c->kid[1 - side], less))
                return true;
        }
    }
    return false;
}

/* May a sum of an element and something of the same size leave the type? A round may add to elements that are further
 * from their end than those which the C adds to: where its own sums are in range, these need not be. */
static bool far(const struct follow *f, const struct rg_cnode *e, enum rg_scalar type)
{
    const struct rg__round *r = f->r;
    e = resolve(f, e);
    if (element(f, e)) {
        double most = ldexp(1, (int)rg_scalar_bytes(type) * 8 - 2);
        bool near = r->bounded && r->least >= -most && r->most <= most;
        return !near && rg_scalar_bytes(type) <= rg_scalar_bytes(r->t->arrays[r->array].elem) && !reached(f, e);
    }
    for (int i = 0; i < e->n; i++)
        if (far(f, e->kid[i], type)) return true;
    return false;
}

static enum motion arithmetic(const struct follow *f, const struct rg_cnode *e)
{
    enum motion a = motion(f, e->kid[0]), b = motion(f, e->kid[1]);
    double v;
    if (a == STILL && b == STILL) return STILL;
    if (wraps(e->type) || (rg__scalar_is_int(e->type) && far(f, e, e->type))) return UNKNOWN;
    switch (e->op) {
    case RG_COP_ADD:
        return join(a, b);
    case RG_COP_SUB:
        return join(a, turned(b));
    case RG_COP_MUL:
        for (int i = 0; i < 2; i++)
            if (rg__round_number(e->kid[i], &v)) return v >= 0 ? (i ? a : b) : turned(i ? a : b);
        return UNKNOWN;
    case RG_COP_DIV:
        return rg__round_number(e->kid[1], &v) && v > 0 ? a : UNKNOWN;
    default:
        return UNKNOWN;
    }
}

static enum motion motion(const struct follow *f, const struct rg_cnode *e)
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
        for (int d = 0; d < e->n; d++) all = join(all, motion(f, e->kid[d]));
        if (all != STILL || e->pointer || (!element(f, e) && f->r->written[e->array])) return UNKNOWN;
        if (!element(f, e)) return STILL;
        return f->r->direction == RG__LESS ? FALLS : f->r->direction == RG__MORE ? RISES : UNKNOWN;
    case RG_C_CAST:
        return converted(f, e);
    case RG_C_UNARY:
        if (e->op == RG_COP_NOT) return turned(truth(f, e->kid[0]));
        if (e->op == RG_COP_NEG && !wraps(e->type)) return turned(motion(f, e->kid[0]));
        return e->op == RG_COP_POS     ? motion(f, e->kid[0])
               : e->op == RG_COP_COMPL ? (motion(f, e->kid[0]) == STILL ? STILL : UNKNOWN)
                                       : UNKNOWN;
    case RG_C_BINARY:
        if (motion(f, e->kid[0]) == STILL && motion(f, e->kid[1]) == STILL) return STILL;
        if (rg_c_relation(e->op)) return relation(f, e);
        if (rg_c_lazy(e->op)) return join(truth(f, e->kid[0]), truth(f, e->kid[1]));
        return arithmetic(f, e);
    case RG_C_COND: {
        struct follow here = *f;
        int first = here.n_facts;
        if (motion(f, e->kid[0]) == STILL) return join(motion(f, e->kid[1]), motion(f, e->kid[2]));
        assume(&here, e->kid[0], true, false);
        enum motion m = chosen(&here, first, e->kid[1], motion(f, e->kid[2]), e->kid[2]);
        if (m != UNKNOWN) return m;
        here.n_facts = first;
        assume(&here, e->kid[0], false, false);
        return chosen(&here, first, e->kid[2], motion(f, e->kid[1]), e->kid[1]);
    }
    case RG_C_CALL: {
        bool known = called(e, least_of, 3) || called(e, most_of, 3) || called(e, rising, 6);
        for (int i = 0; i < e->n; i++) all = join(all, motion(f, e->kid[i]));
        return all == STILL ? (rg__c_pure(f->r->t, e) ? STILL : UNKNOWN) : known ? all : UNKNOWN;
    }
    default:
        return UNKNOWN;
    }
}

/* ---- statements ---- */

static void doubt(struct follow *f, const char *why)
{
    if (!f->r->unproven) f->r->unproven = why;
}

static struct known *copy(const struct follow *f)
{
    struct known *k = rg_xcalloc((size_t)f->r->n_vars + 1, sizeof *k);
    memcpy(k, f->now, (size_t)f->r->n_vars * sizeof *k);
    return k;
}

/* What is known where the ways meet; true: less than before. */
static bool meet(struct follow *f, const struct known *other)
{
    bool less = false;
    for (int v = 0; v < f->r->n_vars; v++) {
        struct known *k = &f->now[v], was = *k;
        k->moves = join(k->moves, other[v].moves);
        k->logic = k->logic && other[v].logic;
        if (k->is != other[v].is) k->is = NULL;
        if (k->from && (!other[v].from || !one_place(f, k->from, other[v].from))) k->from = NULL;
        less = less || k->moves != was.moves || k->is != was.is || k->from != was.from;
    }
    return less;
}

/* An element that the value is not beyond; NULL. */
static const struct rg_cnode *bound_by(const struct follow *f, const struct rg_cnode *e)
{
    e = strip(e);
    if (e->kind == RG_C_VAR && e->array < 0 && e->var < f->r->n_vars && f->now[e->var].from) return f->now[e->var].from;
    e = resolve(f, e);
    if (element(f, e)) return e;
    bool least = f->r->direction == RG__LESS ? called(e, least_of, 3) : called(e, most_of, 3);
    for (int i = 0; i < 2 && least; i++) {
        const struct rg_cnode *by = bound_by(f, e->kid[i]);
        if (by) return by;
    }
    return NULL;
}

static void forget(struct follow *f, int var)
{
    for (int v = 0; v < f->r->n_vars; v++) {
        if (f->now[v].is && rg__c_mentions_var(f->now[v].is, var)) f->now[v].is = NULL;
        if (f->now[v].from && rg__c_mentions_var(f->now[v].from, var)) f->now[v].from = NULL;
    }
    for (int i = 0; i < f->n_facts; i++)
        if (rg__c_mentions_var(f->facts[i].c, var)) f->facts[i].gone = true;
}

/* Of a local that becomes greater where the facts hold (`by` above 0), or smaller. */
static enum motion stepped(const struct follow *f, int var, double by)
{
    bool all[2] = {true, true}; /* conditions that stay true, that stay false */
    for (int i = f->now[var].depth; i < f->n_facts; i++) {
        const struct rg__condition *x = &f->facts[i];
        if (x->resolved) continue;
        struct rg__condition opposite = *x;
        opposite.holds = !x->holds;
        all[0] = all[0] && stays_true(f, x);
        all[1] = all[1] && stays_true(f, &opposite);
    }
    enum motion m = all[0] && all[1] ? STILL : all[0] ? RISES : all[1] ? FALLS : UNKNOWN;
    return join(f->now[var].moves, by > 0 ? m : turned(m));
}

static enum motion set_to(const struct follow *f, int var, const struct rg_cnode *value)
{
    double v, least = DBL_MAX, most = -DBL_MAX;
    if (!rg__round_number(value, &v)) return UNKNOWN;
    for (int i = 0; i < f->n_items; i++)
        if (!few(f->items[i], var, &least, &most)) return UNKNOWN;
    return v == most ? stepped(f, var, 1) : v == least ? stepped(f, var, -1) : UNKNOWN;
}

static void local(struct follow *f, int var, const struct rg_cnode *value, const struct rg_cnode *target)
{
    struct known *k = &f->now[var];
    enum motion m = target ? chosen(f, k->depth, value, k->moves, target) : motion(f, value);
    if (target && k->depth == f->n_facts) m = motion(f, value);
    if (target && m == UNKNOWN) m = set_to(f, var, value);
    const struct rg_cnode *plain = strip(value);
    bool logic = rg_c_logic(plain->op) || plain->op == RG_COP_NOT;
    bool keeps = false;
    for (int i = 0; target && i < f->n_facts; i++) {
        int c = compares(f, &f->facts[i], value, target, false);
        keeps = keeps || c == (f->r->direction == RG__LESS ? 1 : -1);
    }
    const struct rg_cnode *from = keeps && k->from ? k->from : bound_by(f, value);
    bool itself = rg__c_mentions_var(value, var);
    forget(f, var);
    k->moves = m;
    k->is = itself ? NULL : value;
    k->from = from;
    k->logic = logic && (!target || k->depth == f->n_facts || k->logic);
}

static void place_of(const struct follow *f, const struct rg_cnode *stmt, struct rg__round_place *p)
{
    p->stmt = stmt;
    p->loop = f->loop;
    p->n = f->n_facts;
    memcpy(p->facts, f->facts, sizeof f->facts);
}

/* Does the condition say no more than that the store moves the element, the right way? loose: or that it does not move
 * it the other way. */
static bool own(const struct follow *f, const struct rg__condition *x, const struct rg_cnode *to,
                const struct rg_cnode *value, bool loose)
{
    const struct rg_cnode *c = strip(x->c);
    if (x->stale || x->gone) return false;
    if (compares(f, x, value, to, loose) == (f->r->direction == RG__LESS ? 1 : -1)) return true;
    const struct rg_cnode *from = bound_by(f, value);
    bool differs = c->kind == RG_C_BINARY && c->op == (x->holds ? RG_COP_NE : RG_COP_EQ);
    return differs && from && one_place(f, from, to) &&
           ((same(f, c->kid[0], value) && same(f, c->kid[1], to)) ||
            (same(f, c->kid[1], value) && same(f, c->kid[0], to)));
}

/* Does it read of the array that one element alone, and otherwise what stays? */
static bool only_own(const struct follow *f, const struct rg_cnode *c, const struct rg_cnode *to)
{
    c = resolve(f, c);
    if (element(f, c)) return one_place(f, c, to);
    if (!mentions(c, f->r->array) && c->kind != RG_C_BINARY && c->kind != RG_C_UNARY) return motion(f, c) == STILL;
    if (c->kind != RG_C_BINARY && c->kind != RG_C_UNARY) return false;
    for (int i = 0; i < c->n; i++)
        if (!only_own(f, c->kid[i], to)) return false;
    return true;
}

static void store(struct follow *f, const struct rg_cnode *stmt, const struct rg_cnode *to,
                  const struct rg_cnode *value)
{
    struct rg__round *r = f->r;
    const bool one = r->direction == RG__ONE;
    const struct rg_cnode *v = value;
    if (v->kind == RG_C_CAST && rg_scalar_is_real(v->type) && rg_scalar_is_real(v->kid[0]->type))
        v = v->kid[0]; /* rounds: keeps the order */
    bool toward = one;
    for (int d = 0; d < to->n; d++)
        if (motion(f, to->kid[d]) != STILL) doubt(f, "where elements are stored depends on elements");
    if (one) {
        double a, b;
        bool numbers = rg__round_number(value, &a) && rg__round_number(r->one, &b);
        if (motion(f, value) != STILL || !(numbers ? a == b : same(f, value, r->one))) r->other = true;
    } else {
        enum motion m = motion(f, value);
        if (m != STILL && m != (r->direction == RG__LESS ? FALLS : RISES))
            doubt(f, "what is stored may grow and fall with other elements");
        const struct rg_cnode *from = bound_by(f, value);
        toward = from && one_place(f, from, to);
        for (int i = 0; i < f->n_facts; i++) toward = toward || own(f, &f->facts[i], to, v, false);
    }
    for (int i = 0; i < f->n_facts; i++) {
        const struct rg__condition *x = &f->facts[i];
        bool mine = one ? !x->gone && only_own(f, x->c, to) : toward && own(f, x, to, v, true);
        if (!x->resolved && !mine && !stays_true(f, x))
            doubt(f, "a condition may hold for some orders of the updates and not for others");
    }
    if (!toward) r->other = true;
    struct rg__update *u = NULL;
    for (int i = 0; i < r->n_stores && !u; i++)
        if (r->store[i].at.stmt == stmt) u = &r->store[i];
    if (!u && r->n_stores == RG__ROUNDS_STORES) r->other = true;
    if (!u && !r->other) {
        u = &r->store[r->n_stores++];
        u->to = to;
        u->value = value;
        place_of(f, stmt, &u->at);
        for (int k = 0; k < r->n_sets && r->n_stores == 1 && !one; k++) /* flags that were set in front of it */
            for (int i = 0; i < r->set[k].n; i++) r->set[k].facts[i].own = own(f, &r->set[k].facts[i], to, v, false);
    }
    for (int i = 0; i < r->n_vars; i++) {
        if (f->now[i].is && mentions(f->now[i].is, r->array)) f->now[i].is = NULL;
        f->now[i].from = NULL;
    }
    for (int i = 0; i < f->n_facts; i++) f->facts[i].stale = true;
}

const struct rg_cnode *rg__round_choice(const struct rg_cnode *e, const struct rg_cnode **c, bool *holds)
{
    if (e->op != RG_COP_SET) return NULL;
    const struct rg_cnode *v = rg__c_uncast(e->kid[1], RG__C_CASTS);
    if (v->kind != RG_C_COND) return NULL;
    bool then = rg__c_same(v->kid[1], e->kid[0], RG__C_UNCAST), other = rg__c_same(v->kid[2], e->kid[0], RG__C_UNCAST);
    if (then == other) return NULL;
    *c = v->kid[0];
    *holds = other;
    return then ? v->kid[2] : v->kid[1];
}

static void assigned(struct follow *f, const struct rg_cnode *stmt, const struct rg_cnode *to,
                     const struct rg_cnode *value)
{
    if (to->kind == RG_C_VAR && f->r->flag[to->var]) {
        double v;
        if (!rg__round_number(value, &v) || v == 0 || f->r->n_sets == RG__ROUNDS_STORES) {
            f->r->other = true;
            return;
        }
        for (int i = 0; i < f->r->n_sets; i++)
            if (f->r->set[i].stmt == stmt) return;
        place_of(f, stmt, &f->r->set[f->r->n_sets++]);
    } else if (to->kind == RG_C_VAR) {
        local(f, to->var, value, to);
    } else {
        store(f, stmt, to, value);
    }
}

/* Of a local behind `x += e`, `x++`, `x |= c`. */
static enum motion updated(const struct follow *f, const struct rg_cnode *e)
{
    int var = e->kid[0]->var;
    double by = e->kind == RG_C_INCDEC && !rg_c_increments(e->op) ? -1 : 1;
    const bool add = e->op == RG_COP_ADD_SET, sub = e->op == RG_COP_SUB_SET;
    if (e->kind == RG_C_INCDEC || ((add || sub) && rg__round_number(e->kid[1], &by)))
        return stepped(f, var, sub ? -by : by);
    bool all = !wraps(e->kid[0]->type);
    for (int i = f->now[var].depth; i < f->n_facts; i++)
        all = all && !f->facts[i].gone && motion(f, f->facts[i].c) == STILL;
    enum motion old = f->now[var].moves, m = motion(f, e->kid[1]);
    if (!all) return UNKNOWN;
    if (add || (e->op == RG_COP_BOR_SET && rg_c_logic(strip(e->kid[1])->op))) return join(old, m);
    return sub ? join(old, turned(m)) : old == STILL && m == STILL ? STILL : UNKNOWN;
}

static void expression(struct follow *f, const struct rg_cnode *stmt)
{
    const struct rg_cnode *e = stmt->kid[0], *to = e->n ? e->kid[0] : NULL, *c = NULL;
    for (int v = 0; v < f->r->n_vars; v++)
        if (f->r->part[v] == stmt) return;
    bool scalar = to && to->kind == RG_C_VAR && to->array < 0 && to->var < f->r->n_vars, holds;
    if ((e->kind != RG_C_ASSIGN && e->kind != RG_C_INCDEC) || !(scalar || (element(f, to) && !to->pointer)) ||
        (e->kind == RG_C_ASSIGN && !rg__c_pure(f->r->t, e->kid[1])) || !rg__c_pure(f->r->t, to)) {
        f->r->other = true;
        return;
    }
    if (scalar && f->r->flag[to->var] && e->op != RG_COP_SET) { /* flag++; flag |= 1; */
        double v = 1;
        bool grows =
            e->kind == RG_C_INCDEC ? rg_c_increments(e->op) : e->op == RG_COP_ADD_SET || e->op == RG_COP_BOR_SET;
        if (!grows || (e->kind == RG_C_ASSIGN && (!rg__round_number(e->kid[1], &v) || v <= 0))) f->r->other = true;
        struct rg_cnode one = {
            .kind = RG_C_INT, .type = RG_I32, .ivalue = 1, .var = -1, .array = -1, .callee = -1, .struct_index = -1};
        if (!f->r->other) assigned(f, stmt, to, &one);
        return;
    }
    if (e->kind != RG_C_ASSIGN || e->op != RG_COP_SET) {
        f->r->other |= !scalar;
        if (scalar) {
            enum motion m = updated(f, e);
            forget(f, to->var);
            f->now[to->var] = (struct known){.moves = m, .depth = f->now[to->var].depth};
        }
        return;
    }
    const struct rg_cnode *value = rg__round_choice(e, &c, &holds);
    int before = f->n_facts;
    if (!value) {
        assigned(f, stmt, to, e->kid[1]);
        return;
    }
    struct known *kept = copy(f);
    assume(f, c, holds, false);
    assigned(f, stmt, to, value);
    f->n_facts = before;
    if (scalar && !f->r->flag[to->var]) meet(f, kept);
    free(kept);
}

static void statement(struct follow *f, const struct rg_cnode *n)
{
    if (!n || f->r->other) return;
    int before = f->n_facts;
    switch (n->kind) {
    case RG_C_BLOCK:
    case RG_C_OPAQUE:
        for (int i = 0; i < n->n; i++) statement(f, n->kid[i]);
        return;
    case RG_C_DECL:
        if (n->array < 0 && n->var >= 0 && n->var < f->r->n_vars && f->r->part[n->var]) return;
        if (n->array >= 0 || n->pointer || n->var < 0 || n->var >= f->r->n_vars || f->r->flag[n->var] ||
            (n->n && !rg__c_pure(f->r->t, n->kid[0])))
            break;
        forget(f, n->var);
        f->now[n->var] = (struct known){.depth = f->n_facts};
        if (n->n) local(f, n->var, n->kid[0], NULL);
        return;
    case RG_C_STMT:
        expression(f, n);
        return;
    case RG_C_IF: {
        if (!rg__c_pure(f->r->t, n->kid[0])) break;
        struct known *kept = copy(f);
        assume(f, n->kid[0], true, false);
        statement(f, n->kid[1]);
        f->n_facts = before;
        struct known *then = f->now;
        f->now = kept;
        assume(f, n->kid[0], false, false);
        if (n->n > 2) statement(f, n->kid[2]);
        f->n_facts = before;
        meet(f, then);
        free(then);
        return;
    }
    case RG_C_LOOP: {
        if (n->n != 3 || n->var >= f->r->n_vars || motion(f, n->kid[0]) != STILL || motion(f, n->kid[1]) != STILL)
            break;
        const struct rg_cnode *around = f->loop;
        for (bool less = true; less && !f->r->other;) {
            struct known *kept = copy(f), *end;
            forget(f, n->var);
            f->now[n->var] = (struct known){.depth = f->n_facts};
            f->loop = n;
            statement(f, n->kid[2]);
            f->loop = around;
            end = f->now;
            f->now = kept;
            less = meet(f, end);
            free(end);
        }
        return;
    }
    default:
        break;
    }
    f->r->other = true;
}

static bool in(const struct rg__round_place *set, const struct rg__update *u)
{
    if (set->loop != u->at.loop) return false;
    for (int i = 0; i < set->n; i++) {
        bool found = set->facts[i].derived || set->facts[i].own;
        for (int k = 0; k < u->at.n && !found; k++)
            found = set->facts[i].holds == u->at.facts[k].holds &&
                    rg__c_same(set->facts[i].c, u->at.facts[k].c, RG__C_UNCAST);
        if (!found) return false;
    }
    return true;
}

void rg__round_follow(struct rg__round *r, struct rg_cnode *const *items, int n)
{
    struct follow f = {.r = r, .items = items, .n_items = n, .now = rg_xcalloc((size_t)r->n_vars + 1, sizeof *f.now)};
    for (int v = 0; v < r->n_vars; v++) f.now[v].moves = r->varies[v] ? UNKNOWN : STILL;
    for (int i = 0; i < n && !r->other; i++) statement(&f, items[i]);
    free(f.now);
    for (int i = 0; i < r->n_stores; i++)
        for (int k = 0; k < r->n_sets; k++) r->store[i].flagged = r->store[i].flagged || in(&r->set[k], &r->store[i]);
}
