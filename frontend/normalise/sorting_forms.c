/* The forms of sorting loops: insertion, bubble, exchange and selection sort, each with the bounds under which it sorts
 * whatever the array holds.
 *   - Insertion: `for (i = lo + 1; i < hi; i++)` moves element i in front of all those before it that belong behind it,
 *     so that the first i + 1 are in order when they were for i.
 *   - Bubble: a pass over neighbours takes what belongs last to the end (or what belongs first to the front). As many
 *     passes as pairs in the first one suffice where each leaves out at most one more pair; so does a pass that
 *     exchanges nothing.
 *   - Exchange and selection: iteration i leaves at i what belongs first (or last) among those not placed yet.
 * They compare by what an element holds, so that the values alone decide; NaN, which no order has a place for, is seen
 * to by sorting_loops.c. */
#include "frontend/normalise/doubling.h"
#include "frontend/normalise/sorting_loops.h"
#include <string.h>

enum { MOST_STATEMENTS = 8 };

struct list { /* statements in order, blocks opened, declarations without a value left out */
    int n;
    const struct rg_cnode *s[MOST_STATEMENTS + 1];
};

static void gather(const struct rg_cnode *n, struct list *l)
{
    if (!n) return;
    if (n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++) gather(n->kid[i], l);
        return;
    }
    if (n->kind == RG_C_DECL && !n->n && n->array < 0) return;
    if (l->n <= MOST_STATEMENTS) l->s[l->n++] = n;
}

static struct list statements(const struct rg_cnode *n)
{
    struct list l = {0};
    gather(n, &l);
    return l;
}

/* ---- places ---- */

/* The last subscript of an element of the array that is sorted. */
static bool place(struct rg__sorting *s, const struct rg_cnode *e, struct rg__poly *at)
{
    if (e->kind != RG_C_INDEX || e->pointer || !e->n) return false;
    if (!s->like) s->like = e;
    if (e->array != s->like->array || e->n != s->like->n) return false;
    for (int i = 0; i + 1 < e->n; i++)
        if (!rg__c_equal(e->kid[i], s->like->kid[i])) return false;
    struct rg_cnode *last = e->kid[e->n - 1];
    for (int i = 0; i < s->n_locals; i++)
        if (rg__c_mentions_var(last, s->local[i]))
            last = rg__c_replace_var(s->t, rg__c_copy(s->t, last), s->local[i], s->value[i]);
    *at = rg__poly_of(s->r, last);
    return !at->bad;
}

static struct rg__poly plus(const struct rg__poly *a, int64_t k)
{
    struct rg__poly c = rg__poly_int(k);
    return rg__poly_add(a, &c, 1);
}

/* a - b, a number. */
static bool gap(const struct rg__poly *a, const struct rg__poly *b, int64_t *out)
{
    struct rg__poly d = rg__poly_add(a, b, -1);
    return !d.bad && rg__poly_is_int(&d, out);
}

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

/* v = e, as a statement or a declaration: e; v in *var. */
static struct rg_cnode *sets(const struct rg_cnode *n, int *var)
{
    if (n->kind == RG_C_DECL && n->array < 0 && n->n && n->var >= 0) {
        *var = n->var;
        return n->kid[0];
    }
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : n;
    if (e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || !scalar(e->kid[0])) return NULL;
    *var = e->kid[0]->var;
    return e->kid[1];
}

/* A variable that holds an element as it is. */
static bool holds_element(const struct rg__sorting *s, int var)
{
    const struct rg_cvar *v = &s->t->vars[var];
    const struct rg_carray *a = &s->t->arrays[s->like->array];
    return v->type == a->elem && (v->type != RG_STRUCT || v->struct_index == a->struct_index);
}

/* a[x] = a[y] */
static bool moves(struct rg__sorting *s, const struct rg_cnode *n, struct rg__poly *to, struct rg__poly *from)
{
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : n;
    return e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && place(s, e->kid[0], to) && place(s, e->kid[1], from);
}

/* v = a[x] */
static bool takes(struct rg__sorting *s, const struct rg_cnode *n, int *var, struct rg__poly *from)
{
    const struct rg_cnode *v = sets(n, var);
    return v && place(s, v, from) && holds_element(s, *var);
}

/* a[x] = v */
static bool puts_back(struct rg__sorting *s, const struct rg_cnode *n, int var, struct rg__poly *to)
{
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : n;
    return e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && place(s, e->kid[0], to) && scalar(e->kid[1]) &&
           e->kid[1]->var == var;
}

/* Statements from `at` on that exchange two elements. */
static bool exchanges(struct rg__sorting *s, const struct list *l, int at, struct rg__poly *x, struct rg__poly *y)
{
    int var;
    struct rg__poly a, b, c, d;
    if (at + 3 > l->n || !takes(s, l->s[at], &var, &a) || !moves(s, l->s[at + 1], &b, &c) ||
        !puts_back(s, l->s[at + 2], var, &d) || !rg__poly_equal(&a, &b) || !rg__poly_equal(&c, &d))
        return false;
    *x = a;
    *y = c;
    return true;
}

/* `long x_at = i;` in front of an exchange. */
static void open_places(struct rg__sorting *s, struct list *l, int at)
{
    s->n_locals = 0;
    while (at < l->n && s->n_locals < 2 && l->s[at]->kind == RG_C_DECL && l->s[at]->array < 0 && l->s[at]->n &&
           rg__scalar_is_int(s->t->vars[l->s[at]->var].type) && rg_scalar_bytes(s->t->vars[l->s[at]->var].type) == 8 &&
           rg__doubling_writes(s->nest, l->s[at]->var) == 1 && rg__c_pure(s->t, l->s[at]->kid[0]) &&
           !rg__mentions_kind(l->s[at]->kid[0], RG_C_INDEX)) {
        s->local[s->n_locals] = l->s[at]->var;
        s->value[s->n_locals++] = l->s[at]->kid[0];
        for (int i = at; i + 1 < l->n; i++) l->s[i] = l->s[i + 1];
        l->n--;
    }
}

static bool two(const struct rg__poly *a, const struct rg__poly *b, const struct rg__poly *x, const struct rg__poly *y)
{
    return (rg__poly_equal(a, x) && rg__poly_equal(b, y)) || (rg__poly_equal(a, y) && rg__poly_equal(b, x));
}

/* ---- comparisons ---- */

/* The expression with `mark` for the element at a place, or for the variable that holds it. NULL: it has anything else
 * that may change. */
static struct rg_cnode *key_of(struct rg__sorting *s, const struct rg_cnode *e, const struct rg__poly *at, int held,
                               const char *mark)
{
    struct rg__poly p;
    bool element = at ? place(s, e, &p) && rg__poly_equal(&p, at) : scalar(e) && e->var == held;
    if (element) {
        struct rg_cnode *m = rg_cnode_new(s->t, RG_C_STRING, 0);
        m->text = mark;
        m->type = e->type;
        m->struct_index = e->struct_index;
        return m;
    }
    bool may = e->kind == RG_C_INT || e->kind == RG_C_REAL || e->kind == RG_C_CAST || e->kind == RG_C_UNARY ||
               e->kind == RG_C_BINARY || e->kind == RG_C_COND || (e->kind == RG_C_MEMBER && e->n == 1) ||
               (e->kind == RG_C_CALL && rg__c_pure(s->t, e) && e->callee < 0);
    if (!may || e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS) return NULL;
    struct rg_cnode *c = rg__c_shallow(&s->t->arena, e);
    for (int i = 0; i < e->n; i++) {
        c->kid[i] = key_of(s, e->kid[i], at, held, mark);
        if (!c->kid[i]) return NULL;
    }
    return c;
}

struct element { /* at a place, or held by a variable */
    const struct rg__poly *at;
    int held;
};

/* Does the condition say that the one in front belongs behind the other? */
static bool out_of_order(struct rg__sorting *s, const struct rg_cnode *c, struct element front, struct element behind)
{
    c = rg__c_uncast(c, RG__C_INT_CASTS);
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op) || c->op == RG_COP_EQ || c->op == RG_COP_NE) return false;
    for (int turned = 0; turned < 2; turned++) {
        const struct rg_cnode *f = c->kid[turned], *b = c->kid[!turned];
        struct rg_cnode *x = key_of(s, f, front.at, front.held, "(*rg_l)"),
                        *y = key_of(s, b, behind.at, behind.held, "(*rg_l)");
        if (!x || !y || !rg__c_same(x, y, RG__C_TYPED) || !rg__mentions_kind(x, RG_C_STRING)) continue;
        enum rg_c_op op = turned ? rg_c_converse(c->op) : c->op;
        s->key[0] = x;
        s->key[1] = key_of(s, f, front.at, front.held, "(*rg_r)");
        s->descending = op == RG_COP_LT || op == RG_COP_LE;
        s->equal_move = op == RG_COP_GE || op == RG_COP_LE;
        return true;
    }
    return false;
}

/* ---- insertion ---- */

static bool breaks(const struct rg_cnode *n)
{
    struct list l = statements(n);
    return n && l.n == 1 && l.s[0]->kind == RG_C_BREAK;
}

/* The inner loop's condition on data, wherever it stands, and the rest of what an iteration does. */
static const struct rg_cnode *inner_parts(struct rg__sorting *s, const struct rg_cnode *f, struct rg_cnode **bound,
                                          struct list *rest, bool *stops)
{
    struct rg_cnode *c = f->kid[1];
    *rest = statements(f->kid[3]);
    *stops = true;
    *bound = c;
    if (!c) return NULL;
    if (c->op == RG_COP_AND && !rg__mentions_kind(c->kid[0], RG_C_INDEX)) {
        *bound = c->kid[0];
        return c->kid[1];
    }
    const struct rg_cnode *w = rest->n ? rest->s[0] : NULL;
    if (!w || w->kind != RG_C_IF) return NULL;
    if (w->n == 2 && breaks(w->kid[1])) { /* if (in order) break; .. */
        for (int i = 0; i + 1 < rest->n; i++) rest->s[i] = rest->s[i + 1];
        rest->n--;
        return rg__negated(s->t, rg__c_copy(s->t, w->kid[0]));
    }
    if (rest->n != 1) return NULL;
    *rest = statements(w->kid[1]);
    if (w->n == 3 && w->kid[2] && breaks(w->kid[2])) return w->kid[0];
    *stops = false;
    return w->n == 2 ? w->kid[0] : NULL;
}

static bool is_var(const struct rg__poly *p, int var, int64_t *k)
{
    struct rg__poly v = rg__poly_var(var);
    return gap(p, &v, k);
}

static bool insertion(struct rg__sorting *s, const struct rg__counted *o, const struct list *body)
{
    int at = 0, key = -1, moved, j = -1;
    struct rg__poly taken, start = {.bad = true}, i = rg__poly_var(o->var), source, target;
    const struct rg_cnode *f = NULL;
    if (o->step != 1) return false;
    for (; at < body->n && body->s[at]->kind != RG_C_FOR; at++) { /* key = a[i]; j = i - 1; in either order */
        const struct rg_cnode *v = sets(body->s[at], &moved);
        if (!v) return false;
        if (key < 0 && takes(s, body->s[at], &key, &taken)) continue;
        if (j >= 0) return false;
        j = moved;
        start = rg__poly_of(s->r, v);
    }
    if (at == body->n) return false;
    f = body->s[at];
    struct rg_cnode *bound;
    struct list rest;
    bool stops;
    const struct rg_cnode *c = inner_parts(s, f, &bound, &rest, &stops);
    struct rg__counted h;
    if (!c || !rg__counted(s->t, f, bound, &h) || h.down || h.step != -1 || (j >= 0 && h.var != j)) return false;
    if (j < 0 || f->kid[0]) start = rg__poly_of(s->r, h.lower);
    struct rg__poly end = rg__poly_of(s->r, h.upper), v = rg__poly_var(h.var);
    int64_t d, first;
    struct rg__poly turned = rg__poly_int(0);
    turned = rg__poly_add(&turned, &start, -1);
    struct rg__poly minus_i = rg__poly_add(&turned, &i, 1); /* the hole is d behind the counter */
    if (start.bad || end.bad || !rg__poly_is_int(&minus_i, &d) || d < 0 || d > 1) return false;
    if (d && !rg_scalar_is_signed(s->t->vars[h.var].type)) return false; /* j >= 0 would hold for ever */
    struct rg__poly hole = plus(&v, d), before = plus(&v, d - 1);
    if (key >= 0) {
        struct rg__poly back;
        if (!stops || at + 2 != body->n || rest.n != 1 || !moves(s, rest.s[0], &target, &source) ||
            !puts_back(s, body->s[at + 1], key, &back))
            return false;
        s->base = rg__poly_add(&taken, &i, -1);
        struct rg__poly b = rg__poly_add(&back, &hole, -1), m = rg__poly_add(&target, &hole, -1),
                        n = rg__poly_add(&source, &before, -1);
        if (!rg__poly_equal(&b, &s->base) || !rg__poly_equal(&m, &s->base) || !rg__poly_equal(&n, &s->base) ||
            !out_of_order(s, c, (struct element){&source, -1}, (struct element){NULL, key}))
            return false;
    } else {
        struct rg__poly x, y;
        open_places(s, &rest, 0);
        if (at + 1 != body->n || rest.n != 3 || !exchanges(s, &rest, 0, &x, &y)) return false;
        s->base = rg__poly_add(&x, &hole, -1);
        if (rg__poly_mentions(&s->base, h.var)) s->base = rg__poly_add(&y, &hole, -1);
        target = rg__poly_add(&s->base, &hole, 1);
        source = rg__poly_add(&s->base, &before, 1);
        int64_t zero;
        if (!gap(&target, &x, &zero) || (zero != 0 && zero != 1)) return false;
        if (!two(&x, &y, &source, &target)) { /* the one behind was taken for the hole */
            s->base = rg__poly_add(&y, &hole, -1);
            target = rg__poly_add(&s->base, &hole, 1);
            source = rg__poly_add(&s->base, &before, 1);
        }
        if (!two(&x, &y, &source, &target) ||
            !out_of_order(s, c, (struct element){&source, -1}, (struct element){&target, -1}))
            return false;
    }
    s->lo = plus(&end, d);
    s->hi = rg__poly_of(s->r, o->upper);
    struct rg__poly from = rg__poly_of(s->r, o->lower);
    s->stable = !s->equal_move;
    return !rg__poly_mentions(&s->base, h.var) && !rg__poly_mentions(&s->base, o->var) &&
           !rg__poly_mentions(&end, o->var) && gap(&from, &s->lo, &first) && (first == 0 || first == 1);
}

/* ---- passes over neighbours ---- */

/* flag, flag != 0: 1; !flag, flag == 0: 0; else -1. */
static int asks(const struct rg_cnode *c, int *var)
{
    c = rg__c_uncast(c, RG__C_CASTS);
    if (scalar(c)) {
        *var = c->var;
        return 1;
    }
    if (c->op == RG_COP_NOT) {
        int r = asks(c->kid[0], var);
        return r < 0 ? r : !r;
    }
    if (c->op != RG_COP_EQ && c->op != RG_COP_NE) return -1;
    const struct rg_cnode *k = rg__c_uncast(c->kid[1], RG__C_CASTS);
    if (k->kind != RG_C_INT || k->ivalue) return -1;
    int r = asks(c->kid[0], var);
    return r < 0 ? r : c->op == RG_COP_NE ? r : !r;
}

struct flag {  /* says that a pass has exchanged something */
    int var;   /* -1 none */
    int sense; /* 1: where it is not 0; 0: where it is; -1 not known yet */
    bool set, reset, asked;
};

/* var = v: does the flag say (or not) then that something was exchanged? */
static bool says(struct flag *f, const struct rg_cnode *v, int var, bool exchanged)
{
    const struct rg_cnode *k = v ? rg__c_uncast(v, RG__C_CASTS) : NULL;
    if (!k || k->kind != RG_C_INT || (f->var >= 0 && f->var != var)) return false;
    int sense = (k->ivalue != 0) == exchanged;
    if (f->sense >= 0 && f->sense != sense) return false;
    f->var = var;
    f->sense = sense;
    return true;
}

/* Does the condition ask whether something was exchanged (or not)? */
static bool asks_for(struct flag *f, const struct rg_cnode *c, bool exchanged)
{
    int var, r = asks(c, &var);
    if (r < 0 || (f->var >= 0 && f->var != var)) return false;
    int sense = r == exchanged;
    if (f->sense >= 0 && f->sense != sense) return false;
    f->var = var;
    f->sense = sense;
    return true;
}

/* if (out of order) { exchange; flag = 1; } */
static bool compares(struct rg__sorting *s, const struct rg_cnode *n, struct rg__poly *x, struct rg__poly *y,
                     struct flag *flag)
{
    if (n->kind != RG_C_IF || n->n != 2) return false;
    struct list l = statements(n->kid[1]);
    int at = 0, var;
    open_places(s, &l, 0);
    if (l.n > 3 && !s->n_locals) open_places(s, &l, 1);
    if (l.n == 4) { /* in front of the exchange or behind it */
        const struct rg_cnode *v = sets(l.s[0], &var);
        if (v && rg__c_uncast(v, RG__C_CASTS)->kind == RG_C_INT)
            at = 1;
        else
            v = sets(l.s[3], &var);
        if (flag->set || !says(flag, v, var, true)) return false;
        flag->set = true;
    } else if (l.n != 3)
        return false;
    if (!exchanges(s, &l, at, x, y)) return false;
    int64_t d;
    if (gap(x, y, &d) && d > 0) {
        struct rg__poly z = *x;
        *x = *y;
        *y = z;
    }
    return true;
}

/* A pass: the loop over neighbours with what counts its exchanges. */
static bool pass(struct rg__sorting *s, const struct list *body, struct flag *flag, struct rg__counted *h,
                 struct rg__poly *x)
{
    const struct rg_cnode *loop = NULL;
    for (int k = 0; k < body->n; k++) {
        const struct rg_cnode *n = body->s[k];
        int var;
        if (n->kind == RG_C_FOR && !loop) {
            loop = n;
            continue;
        }
        if (!loop) {
            const struct rg_cnode *v = sets(n, &var);
            if (flag->reset || !says(flag, v, var, false)) return false;
            flag->reset = true;
        } else if (n->kind == RG_C_IF && n->n == 2 && breaks(n->kid[1]) && !flag->asked) {
            if (!asks_for(flag, n->kid[0], false)) return false;
            flag->asked = true;
        } else if (rg__counter_step(n) >= 0 && s->shrinks < 0) {
            const struct rg_cnode *e = n->kid[0];
            const struct rg_cnode *one = e->n > 1 ? rg__c_uncast(e->kid[1], RG__C_CASTS) : NULL;
            bool by_one = e->op == RG_COP_POST_DEC || e->op == RG_COP_PRE_DEC ||
                          (e->op == RG_COP_SUB_SET && one->kind == RG_C_INT && one->ivalue == 1);
            if (!by_one) return false;
            s->shrinks = rg__counter_step(n);
        } else
            return false;
    }
    struct list in;
    struct rg__poly y;
    if (!loop || !rg__counted(s->t, loop, loop->kid[1], h) || h->down || (h->step != 1 && h->step != -1)) return false;
    in = statements(loop->kid[3]);
    int64_t d;
    return in.n == 1 && compares(s, in.s[0], x, &y, flag) && gap(&y, x, &d) && d == 1 &&
           out_of_order(s, in.s[0]->kid[0], (struct element){x, -1}, (struct element){&y, -1});
}

/* Number of bounds that move with the outer counter by one an iteration, at its first value; false: they move
 * otherwise.
 */
static bool at_first(const struct rg__poly *p, const struct rg__counted *o, const struct rg__poly *first,
                     int64_t inward, struct rg__poly *out)
{
    struct rg__poly coef, rest;
    int64_t c = 0;
    if (!rg__poly_mentions(p, o->var)) {
        *out = *p;
        return true;
    }
    if (!rg__poly_split(p, o->var, &coef, &rest) || !rg__poly_is_int(&coef, &c) || c * o->step != inward) return false;
    *out = rg__poly_add(&rest, first, c);
    return !out->bad;
}

/* Bubble sort with a counter of passes (o), or until a pass exchanges nothing (o NULL, or a flag that is asked). */
static bool bubble(struct rg__sorting *s, const struct rg__counted *o, const struct list *body, struct flag flag)
{
    struct rg__counted h;
    struct rg__poly x, lower, upper, first = rg__poly_int(0), v;
    if (o && o->step != 1 && o->step != -1) return false;
    if (!pass(s, body, &flag, &h, &x)) return false;
    bool watched = flag.var >= 0;
    if (watched && (!flag.set || !flag.reset || s->equal_move)) return false;
    if (!o && (!watched || !flag.asked)) return false;
    v = rg__poly_var(h.var);
    s->base = rg__poly_add(&x, &v, -1); /* of pairs (counter, counter + 1) */
    if (rg__poly_mentions(&s->base, h.var) || (o && rg__poly_mentions(&s->base, o->var))) return false;
    lower = rg__poly_of(s->r, h.lower);
    upper = rg__poly_of(s->r, h.upper);
    if (h.step < 0) { /* pairs upper + 1 .. lower */
        struct rg__poly low = plus(&upper, 1), high = plus(&lower, 1);
        lower = low, upper = high;
    }
    if (o) {
        first = rg__poly_of(s->r, o->lower);
        struct rg__poly end = rg__poly_of(s->r, o->upper), passes = rg__poly_add(&end, &first, -1), pairs;
        if (o->step < 0) passes = rg__poly_add(&first, &end, -1);
        /* up: the upper bound may come down; down: the lower one may rise */
        struct rg__poly *moving = h.step > 0 ? &upper : &lower, *fixed = h.step > 0 ? &lower : &upper;
        if (rg__poly_mentions(fixed, o->var) || !at_first(moving, o, &first, h.step > 0 ? -1 : 1, moving)) return false;
        int64_t spare;
        pairs = rg__poly_add(&upper, &lower, -1);
        if (s->shrinks >= 0 || !gap(&passes, &pairs, &spare) || spare < 0) return false;
    } else if (s->shrinks >= 0 && (h.step < 0 || rg__poly_mentions(&lower, s->shrinks)))
        return false;
    if (s->shrinks >= 0) {
        struct rg__poly coef, rest;
        int64_t c;
        if (!rg__poly_split(&upper, s->shrinks, &coef, &rest) || !rg__poly_is_int(&coef, &c) || c != 1) return false;
    }
    s->lo = lower;
    s->hi = plus(&upper, 1);
    s->stable = !s->equal_move;
    return true;
}

/* ---- exchange and selection ---- */

static bool exchange(struct rg__sorting *s, const struct rg__counted *o, const struct list *body)
{
    struct rg__counted h;
    struct flag none = {.var = -1, .sense = -1};
    struct rg__poly x, y, i = rg__poly_var(o->var), at, start, end, last;
    int64_t d;
    if (o->step != 1 || body->n != 1 || body->s[0]->kind != RG_C_FOR) return false;
    const struct rg_cnode *f = body->s[0];
    struct list in = statements(f->kid[3]);
    if (!rg__counted(s->t, f, f->kid[1], &h) || h.down || h.step != 1 || in.n != 1 ||
        !compares(s, in.s[0], &x, &y, &none) || none.var >= 0)
        return false;
    struct rg__poly v = rg__poly_var(h.var);
    if (rg__poly_mentions(&x, h.var)) at = x, x = y, y = at; /* x: at the outer counter */
    s->base = rg__poly_add(&x, &i, -1);
    at = rg__poly_add(&s->base, &v, 1);
    if (!rg__poly_equal(&at, &y) || rg__poly_mentions(&s->base, o->var) || rg__poly_mentions(&s->base, h.var) ||
        !out_of_order(s, in.s[0]->kid[0], (struct element){&x, -1}, (struct element){&y, -1}))
        return false;
    start = rg__poly_of(s->r, h.lower);
    end = rg__poly_of(s->r, h.upper);
    last = rg__poly_of(s->r, o->upper);
    s->lo = rg__poly_of(s->r, o->lower);
    s->hi = end;
    return is_var(&start, o->var, &d) && (d == 0 || d == 1) && !rg__poly_mentions(&end, o->var) &&
           gap(&last, &end, &d) && d >= -1 && d <= 0;
}

static bool selection(struct rg__sorting *s, const struct rg__counted *o, const struct list *body)
{
    int best, again, at = 2;
    struct rg__counted h;
    struct rg__poly x, y, i = rg__poly_var(o->var), first, start, end, m, last;
    int64_t d, e;
    const struct rg_cnode *v = body->n >= 3 ? sets(body->s[0], &best) : NULL, *f = v ? body->s[1] : NULL;
    if (!v || (o->step != 1 && o->step != -1) || f->kind != RG_C_FOR || !rg__counted(s->t, f, f->kid[1], &h) ||
        h.down || h.step != 1 || rg__doubling_writes(s->nest, best) != 2)
        return false;
    struct list in = statements(f->kid[3]), out = *body;
    if (in.n != 1 || in.s[0]->kind != RG_C_IF || in.s[0]->n != 2) return false;
    struct list to = statements(in.s[0]->kid[1]);
    const struct rg_cnode *new = to.n == 1 ? sets(to.s[0], &again) : NULL;
    if (!new || again != best || !scalar(rg__c_uncast(new, RG__C_INT_CASTS)) ||
        rg__c_uncast(new, RG__C_INT_CASTS)->var != h.var)
        return false;
    if (body->n == 3 && body->s[2]->kind == RG_C_IF) { /* if (best != i) exchange */
        const struct rg_cnode *w = body->s[2], *c = w->kind == RG_C_IF && w->n == 2 ? w->kid[0] : NULL;
        if (!c || c->op != RG_COP_NE) return false;
        struct rg__poly a = rg__poly_of(s->r, c->kid[0]), b = rg__poly_of(s->r, c->kid[1]);
        m = rg__poly_var(best);
        if (!two(&a, &b, &i, &m)) return false;
        out = statements(w->kid[1]);
        at = 0;
    }
    m = rg__poly_var(best);
    open_places(s, &out, at);
    if (out.n != at + 3 || !exchanges(s, &out, at, &x, &y)) return false;
    if (rg__poly_mentions(&x, best)) first = x, x = y, y = first;
    s->base = rg__poly_add(&x, &i, -1);
    first = rg__poly_add(&s->base, &m, 1);
    if (!rg__poly_equal(&first, &y) || rg__poly_mentions(&s->base, best) || rg__poly_mentions(&s->base, o->var))
        return false;
    struct rg__poly j = rg__poly_var(h.var), cand = rg__poly_add(&s->base, &j, 1);
    const struct rg_cnode *c = in.s[0]->kid[0];
    bool up = o->step == 1;
    /* up: the candidate belongs in front of the best so far; down: behind it */
    if (!out_of_order(s, c, up ? (struct element){&y, -1} : (struct element){&cand, -1},
                      up ? (struct element){&cand, -1} : (struct element){&y, -1}))
        return false;
    start = rg__poly_of(s->r, h.lower);
    end = rg__poly_of(s->r, h.upper);
    first = rg__poly_of(s->r, v);
    last = rg__poly_of(s->r, o->upper);
    if (first.bad || start.bad || end.bad) return false;
    if (up) {
        s->lo = rg__poly_of(s->r, o->lower);
        s->hi = end;
        return is_var(&first, o->var, &d) && d == 0 && is_var(&start, o->var, &e) && (e == 0 || e == 1) &&
               !rg__poly_mentions(&end, o->var) && gap(&last, &end, &d) && d >= -1 && d <= 0;
    }
    struct rg__poly top = rg__poly_of(s->r, o->lower);
    s->hi = plus(&top, 1);
    int64_t most = 1;
    if (is_var(&first, o->var, &d) && d == 0) {
        s->lo = start; /* best = i; from the first on, with i or without it */
        most = 0;
    } else if (!rg__poly_mentions(&first, o->var))
        s->lo = first; /* best = first; from it or the next on, i included */
    else
        return false;
    return !rg__poly_mentions(&start, o->var) && gap(&start, &s->lo, &e) && (e == 0 || e == 1) &&
           is_var(&end, o->var, &d) && (d == 1 || d == most) && gap(&last, &s->lo, &d) && (d == 0 || d == -1);
}

/* ---- */

/* Does the flag say where the nest begins that something was exchanged? */
static bool set_before(const struct rg__sorting *s, struct flag *f)
{
    for (int i = s->at - 1; i >= 0; i--) {
        const struct rg_cnode *v = rg__doubling_set(s->block->kid[i], f->var);
        if (v) return says(f, v, f->var, true);
        if (rg__c_writes_var(s->block->kid[i], f->var)) return false;
    }
    return false;
}

/* Passes until nothing is exchanged: while (flag) .., do .. while (flag), for (..; .. && flag; ..) */
static bool until(struct rg__sorting *s, const struct rg_cnode *condition, const struct rg_cnode *body, bool first)
{
    struct flag flag = {.var = -1, .sense = -1};
    struct list l = statements(body);
    flag.asked = true;
    return l.n <= MOST_STATEMENTS && asks_for(&flag, condition, true) && (first || set_before(s, &flag)) &&
           bubble(s, NULL, &l, flag);
}

bool rg__sorting_form(struct rg__sorting *s)
{
    struct rg_cnode *n = s->nest;
    struct flag flag = {.var = -1, .sense = -1};
    s->shrinks = -1;
    s->like = NULL;
    if (n->kind == RG_C_WHILE) return until(s, n->kid[0], n->kid[1], false);
    if (n->kind == RG_C_DO) return until(s, n->kid[1], n->kid[0], true);
    if (n->kind != RG_C_FOR || !n->kid[1]) return false;
    struct list body = statements(n->kid[3]);
    struct rg_cnode *bound = n->kid[1];
    if (body.n > MOST_STATEMENTS) return false;
    struct flag other = flag;
    if (bound->op == RG_COP_AND && asks_for(&other, bound->kid[1], true) && set_before(s, &other)) {
        flag = other;
        flag.asked = true;
        bound = bound->kid[0];
    }
    struct rg__counted o;
    if (!rg__counted(s->t, n, bound, &o) || o.down) return false;
    bool (*const forms[])(struct rg__sorting *, const struct rg__counted *, const struct list *) = {insertion, exchange,
                                                                                                    selection};
    for (int i = 0; i < 3 && flag.var < 0; i++) {
        s->stable = false;
        s->like = NULL;
        s->n_locals = 0;
        if (forms[i](s, &o, &body)) return true;
    }
    s->stable = false;
    s->like = NULL;
    s->n_locals = 0;
    return bubble(s, &o, &body, flag);
}
