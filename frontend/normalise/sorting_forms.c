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

/* ---- insertion ---- */

/* The inner loop's condition on data, wherever it stands, and the rest of what an iteration does. */
static const struct rg_cnode *inner_parts(struct rg__sorting *s, const struct rg_cnode *f, struct rg_cnode **bound,
                                          struct rg__list *rest, bool *stops)
{
    struct rg_cnode *c = f->kid[1];
    *rest = rg__sorting_statements(f->kid[3]);
    *stops = true;
    *bound = c;
    if (!c) return NULL;
    if (c->op == RG_COP_AND && !rg__mentions_kind(c->kid[0], RG_C_INDEX)) {
        *bound = c->kid[0];
        return c->kid[1];
    }
    const struct rg_cnode *w = rest->n ? rest->s[0] : NULL;
    if (!w || w->kind != RG_C_IF) return NULL;
    if (w->n == 2 && rg__sorting_breaks(w->kid[1])) { /* if (in order) break; .. */
        for (int i = 0; i + 1 < rest->n; i++) rest->s[i] = rest->s[i + 1];
        rest->n--;
        return rg__negated(s->t, rg__c_copy(s->t, w->kid[0]));
    }
    if (rest->n != 1) return NULL;
    *rest = rg__sorting_statements(w->kid[1]);
    if (w->n == 3 && w->kid[2] && rg__sorting_breaks(w->kid[2])) return w->kid[0];
    *stops = false;
    return w->n == 2 ? w->kid[0] : NULL;
}

static bool is_var(const struct rg__poly *p, int var, int64_t *k)
{
    struct rg__poly v = rg__poly_var(var);
    return rg__sorting_gap(p, &v, k);
}

static bool insertion(struct rg__sorting *s, const struct rg__counted *o, const struct rg__list *body)
{
    int at = 0, key = -1, moved, j = -1;
    struct rg__poly taken, start = {.bad = true}, i = rg__poly_var(o->var), source, target;
    const struct rg_cnode *f = NULL;
    if (o->step != 1) return false;
    for (; at < body->n && body->s[at]->kind != RG_C_FOR; at++) { /* key = a[i]; j = i - 1; in either order */
        const struct rg_cnode *v = rg__sorting_sets(body->s[at], &moved);
        if (!v) return false;
        if (key < 0 && rg__sorting_takes(s, body->s[at], &key, &taken)) continue;
        if (j >= 0) return false;
        j = moved;
        start = rg__poly_of(s->r, v);
    }
    if (at == body->n) return false;
    f = body->s[at];
    struct rg_cnode *bound;
    struct rg__list rest;
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
    struct rg__poly hole = rg__sorting_plus(&v, d), before = rg__sorting_plus(&v, d - 1);
    if (key >= 0) {
        struct rg__poly back;
        if (!stops || at + 2 != body->n || rest.n != 1 || !rg__sorting_moves(s, rest.s[0], &target, &source) ||
            !rg__sorting_puts_back(s, body->s[at + 1], key, &back))
            return false;
        s->base = rg__poly_add(&taken, &i, -1);
        struct rg__poly b = rg__poly_add(&back, &hole, -1), m = rg__poly_add(&target, &hole, -1),
                        n = rg__poly_add(&source, &before, -1);
        if (!rg__poly_equal(&b, &s->base) || !rg__poly_equal(&m, &s->base) || !rg__poly_equal(&n, &s->base) ||
            !rg__sorting_out_of_order(s, c, (struct rg__element){&source, -1}, (struct rg__element){NULL, key}))
            return false;
    } else {
        struct rg__poly x, y;
        rg__sorting_open_places(s, &rest, 0);
        if (at + 1 != body->n || rest.n != 3 || !rg__sorting_exchanges(s, &rest, 0, &x, &y)) return false;
        s->base = rg__poly_add(&x, &hole, -1);
        if (rg__poly_mentions(&s->base, h.var)) s->base = rg__poly_add(&y, &hole, -1);
        target = rg__poly_add(&s->base, &hole, 1);
        source = rg__poly_add(&s->base, &before, 1);
        int64_t zero;
        if (!rg__sorting_gap(&target, &x, &zero) || (zero != 0 && zero != 1)) return false;
        if (!rg__sorting_two(&x, &y, &source, &target)) { /* the one behind was taken for the hole */
            s->base = rg__poly_add(&y, &hole, -1);
            target = rg__poly_add(&s->base, &hole, 1);
            source = rg__poly_add(&s->base, &before, 1);
        }
        if (!rg__sorting_two(&x, &y, &source, &target) ||
            !rg__sorting_out_of_order(s, c, (struct rg__element){&source, -1}, (struct rg__element){&target, -1}))
            return false;
    }
    s->lo = rg__sorting_plus(&end, d);
    s->hi = rg__poly_of(s->r, o->upper);
    struct rg__poly from = rg__poly_of(s->r, o->lower);
    s->stable = !s->equal_move;
    return !rg__poly_mentions(&s->base, h.var) && !rg__poly_mentions(&s->base, o->var) &&
           !rg__poly_mentions(&end, o->var) && rg__sorting_gap(&from, &s->lo, &first) && (first == 0 || first == 1);
}

/* ---- passes over neighbours ---- */

/* flag, flag != 0: 1; !flag, flag == 0: 0; else -1. */
static int asks(const struct rg_cnode *c, int *var)
{
    c = rg__c_uncast(c, RG__C_CASTS);
    if (rg__sorting_scalar(c)) {
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
    struct rg__list l = rg__sorting_statements(n->kid[1]);
    int at = 0, var;
    rg__sorting_open_places(s, &l, 0);
    if (l.n > 3 && !s->n_locals) rg__sorting_open_places(s, &l, 1);
    if (l.n == 4) { /* in front of the exchange or behind it */
        const struct rg_cnode *v = rg__sorting_sets(l.s[0], &var);
        if (v && rg__c_uncast(v, RG__C_CASTS)->kind == RG_C_INT)
            at = 1;
        else
            v = rg__sorting_sets(l.s[3], &var);
        if (flag->set || !says(flag, v, var, true)) return false;
        flag->set = true;
    } else if (l.n != 3)
        return false;
    if (!rg__sorting_exchanges(s, &l, at, x, y)) return false;
    int64_t d;
    if (rg__sorting_gap(x, y, &d) && d > 0) {
        struct rg__poly z = *x;
        *x = *y;
        *y = z;
    }
    return true;
}

/* A pass: the loop over neighbours with what counts its exchanges. */
static bool pass(struct rg__sorting *s, const struct rg__list *body, struct flag *flag, struct rg__counted *h,
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
            const struct rg_cnode *v = rg__sorting_sets(n, &var);
            if (flag->reset || !says(flag, v, var, false)) return false;
            flag->reset = true;
        } else if (n->kind == RG_C_IF && n->n == 2 && rg__sorting_breaks(n->kid[1]) && !flag->asked) {
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
    struct rg__list in;
    struct rg__poly y;
    if (!loop || !rg__counted(s->t, loop, loop->kid[1], h) || h->down || (h->step != 1 && h->step != -1)) return false;
    in = rg__sorting_statements(loop->kid[3]);
    int64_t d;
    return in.n == 1 && compares(s, in.s[0], x, &y, flag) && rg__sorting_gap(&y, x, &d) && d == 1 &&
           rg__sorting_out_of_order(s, in.s[0]->kid[0], (struct rg__element){x, -1}, (struct rg__element){&y, -1});
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
static bool bubble(struct rg__sorting *s, const struct rg__counted *o, const struct rg__list *body, struct flag flag)
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
        struct rg__poly low = rg__sorting_plus(&upper, 1), high = rg__sorting_plus(&lower, 1);
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
        if (s->shrinks >= 0 || !rg__sorting_gap(&passes, &pairs, &spare) || spare < 0) return false;
    } else if (s->shrinks >= 0 && (h.step < 0 || rg__poly_mentions(&lower, s->shrinks)))
        return false;
    if (s->shrinks >= 0) {
        struct rg__poly coef, rest;
        int64_t c;
        if (!rg__poly_split(&upper, s->shrinks, &coef, &rest) || !rg__poly_is_int(&coef, &c) || c != 1) return false;
    }
    s->lo = lower;
    s->hi = rg__sorting_plus(&upper, 1);
    s->stable = !s->equal_move;
    return true;
}

/* ---- exchange and selection ---- */

static bool exchange(struct rg__sorting *s, const struct rg__counted *o, const struct rg__list *body)
{
    struct rg__counted h;
    struct flag none = {.var = -1, .sense = -1};
    struct rg__poly x, y, i = rg__poly_var(o->var), at, start, end, last;
    int64_t d;
    if (o->step != 1 || body->n != 1 || body->s[0]->kind != RG_C_FOR) return false;
    const struct rg_cnode *f = body->s[0];
    struct rg__list in = rg__sorting_statements(f->kid[3]);
    if (!rg__counted(s->t, f, f->kid[1], &h) || h.down || h.step != 1 || in.n != 1 ||
        !compares(s, in.s[0], &x, &y, &none) || none.var >= 0)
        return false;
    struct rg__poly v = rg__poly_var(h.var);
    if (rg__poly_mentions(&x, h.var)) at = x, x = y, y = at; /* x: at the outer counter */
    s->base = rg__poly_add(&x, &i, -1);
    at = rg__poly_add(&s->base, &v, 1);
    if (!rg__poly_equal(&at, &y) || rg__poly_mentions(&s->base, o->var) || rg__poly_mentions(&s->base, h.var) ||
        !rg__sorting_out_of_order(s, in.s[0]->kid[0], (struct rg__element){&x, -1}, (struct rg__element){&y, -1}))
        return false;
    start = rg__poly_of(s->r, h.lower);
    end = rg__poly_of(s->r, h.upper);
    last = rg__poly_of(s->r, o->upper);
    s->lo = rg__poly_of(s->r, o->lower);
    s->hi = end;
    return is_var(&start, o->var, &d) && (d == 0 || d == 1) && !rg__poly_mentions(&end, o->var) &&
           rg__sorting_gap(&last, &end, &d) && d >= -1 && d <= 0;
}

static bool selection(struct rg__sorting *s, const struct rg__counted *o, const struct rg__list *body)
{
    int best, again, at = 2;
    struct rg__counted h;
    struct rg__poly x, y, i = rg__poly_var(o->var), first, start, end, m, last;
    int64_t d, e;
    const struct rg_cnode *v = body->n >= 3 ? rg__sorting_sets(body->s[0], &best) : NULL, *f = v ? body->s[1] : NULL;
    if (!v || (o->step != 1 && o->step != -1) || f->kind != RG_C_FOR || !rg__counted(s->t, f, f->kid[1], &h) ||
        h.down || h.step != 1 || rg__doubling_writes(s->nest, best) != 2)
        return false;
    struct rg__list in = rg__sorting_statements(f->kid[3]), out = *body;
    if (in.n != 1 || in.s[0]->kind != RG_C_IF || in.s[0]->n != 2) return false;
    struct rg__list to = rg__sorting_statements(in.s[0]->kid[1]);
    const struct rg_cnode *new = to.n == 1 ? rg__sorting_sets(to.s[0], &again) : NULL;
    if (!new || again != best || !rg__sorting_scalar(rg__c_uncast(new, RG__C_INT_CASTS)) ||
        rg__c_uncast(new, RG__C_INT_CASTS)->var != h.var)
        return false;
    if (body->n == 3 && body->s[2]->kind == RG_C_IF) { /* if (best != i) exchange */
        const struct rg_cnode *w = body->s[2], *c = w->kind == RG_C_IF && w->n == 2 ? w->kid[0] : NULL;
        if (!c || c->op != RG_COP_NE) return false;
        struct rg__poly a = rg__poly_of(s->r, c->kid[0]), b = rg__poly_of(s->r, c->kid[1]);
        m = rg__poly_var(best);
        if (!rg__sorting_two(&a, &b, &i, &m)) return false;
        out = rg__sorting_statements(w->kid[1]);
        at = 0;
    }
    m = rg__poly_var(best);
    rg__sorting_open_places(s, &out, at);
    if (out.n != at + 3 || !rg__sorting_exchanges(s, &out, at, &x, &y)) return false;
    if (rg__poly_mentions(&x, best)) first = x, x = y, y = first;
    s->base = rg__poly_add(&x, &i, -1);
    first = rg__poly_add(&s->base, &m, 1);
    if (!rg__poly_equal(&first, &y) || rg__poly_mentions(&s->base, best) || rg__poly_mentions(&s->base, o->var))
        return false;
    struct rg__poly j = rg__poly_var(h.var), cand = rg__poly_add(&s->base, &j, 1);
    const struct rg_cnode *c = in.s[0]->kid[0];
    bool up = o->step == 1;
    /* up: the candidate belongs in front of the best so far; down: behind it */
    if (!rg__sorting_out_of_order(s, c, up ? (struct rg__element){&y, -1} : (struct rg__element){&cand, -1},
                                  up ? (struct rg__element){&cand, -1} : (struct rg__element){&y, -1}))
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
               !rg__poly_mentions(&end, o->var) && rg__sorting_gap(&last, &end, &d) && d >= -1 && d <= 0;
    }
    struct rg__poly top = rg__poly_of(s->r, o->lower);
    s->hi = rg__sorting_plus(&top, 1);
    int64_t most = 1;
    if (is_var(&first, o->var, &d) && d == 0) {
        s->lo = start; /* best = i; from the first on, with i or without it */
        most = 0;
    } else if (!rg__poly_mentions(&first, o->var))
        s->lo = first; /* best = first; from it or the next on, i included */
    else
        return false;
    return !rg__poly_mentions(&start, o->var) && rg__sorting_gap(&start, &s->lo, &e) && (e == 0 || e == 1) &&
           is_var(&end, o->var, &d) && (d == 1 || d == most) && rg__sorting_gap(&last, &s->lo, &d) &&
           (d == 0 || d == -1);
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
    struct rg__list l = rg__sorting_statements(body);
    flag.asked = true;
    return l.n <= RG__MOST_STATEMENTS && asks_for(&flag, condition, true) && (first || set_before(s, &flag)) &&
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
    struct rg__list body = rg__sorting_statements(n->kid[3]);
    struct rg_cnode *bound = n->kid[1];
    if (body.n > RG__MOST_STATEMENTS) return false;
    struct flag other = flag;
    if (bound->op == RG_COP_AND && asks_for(&other, bound->kid[1], true) && set_before(s, &other)) {
        flag = other;
        flag.asked = true;
        bound = bound->kid[0];
    }
    struct rg__counted o;
    if (!rg__counted(s->t, n, bound, &o) || o.down) return false;
    bool (*const forms[])(struct rg__sorting *, const struct rg__counted *,
                          const struct rg__list *) = {insertion, exchange, selection};
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
