/* What a function that calls itself for both halves does: which parameters say how large a call is and where its
 * elements are, what it does without calling itself, in front of its calls, and behind them (halves.h). */
#include "frontend/read/halves.h"
#include <stdlib.h>
#include <string.h>

static bool equal(const struct rg__poly *a, const struct rg__poly *b)
{
    return !a->bad && !b->bad && rg__poly_equal(a, b);
}

static bool is_zero(const struct rg__poly *p)
{
    int64_t v;
    return !p->bad && rg__poly_is_int(p, &v) && v == 0;
}

static struct rg__poly bad(void)
{
    struct rg__poly p = rg__poly_int(0);
    p.bad = true;
    return p;
}

/* ---- parameters ---- */

static bool find_calls(struct rg__halves *x, struct rg_cnode *n, int *found)
{
    if (!n) return true;
    if (n->kind == RG_C_CALL && n->text && !strcmp(n->text, RG__HALVES_AGAIN)) {
        if (*found > 1 || n->n != x->n) return false;
        x->again[(*found)++] = n;
    }
    for (int i = 0; i < n->n; i++)
        if (!find_calls(x, n->kid[i], found)) return false;
    return true;
}

static bool both(const struct rg__halves *x, int param, const struct rg__poly *want)
{
    for (int c = 0; c < 2; c++) {
        struct rg__poly p = rg__halves_poly(x, x->again[c]->kid[param]);
        if (!equal(&p, want)) return false;
    }
    return true;
}

static bool same_name(const struct rg__halves *x, int param)
{
    for (int c = 0; c < 2; c++) {
        const struct rg_cnode *e = x->again[c]->kid[param];
        if (e->kind != RG_C_VAR || e->array >= 0 || e->var != x->p[param].var) return false;
    }
    return true;
}

static bool find_size(struct rg__halves *x)
{
    struct rg__poly half = rg__poly_var(x->h);
    for (int i = 0; i < x->n; i++) {
        struct rg__halves_param *p = &x->p[i];
        if (p->array >= 0 || !rg__scalar_is_int(x->t->vars[p->var].type)) continue;
        x->size = i;
        if (both(x, i, &half)) {
            p->kind = RG__HALVES_SIZE;
            return true;
        }
    }
    x->size = -1;
    return false;
}

static void find_stride(struct rg__halves *x)
{
    for (int i = 0; i < x->n && x->stride < 0; i++) {
        struct rg__poly want = rg__halves_twice(x->p[i].var, -1);
        if (x->p[i].array < 0 && rg__scalar_is_int(x->t->vars[x->p[i].var].type) && both(x, i, &want))
            x->stride = i, x->p[i].kind = RG__HALVES_STRIDE;
    }
}

/* Of places relative to the call's: as BLOCK or COMB has it. */
static bool kind_of_places(const struct rg__halves *x, const struct rg__poly at[2], enum rg__halves_kind *kind)
{
    struct rg__poly h = rg__poly_var(x->h), s = x->stride >= 0 ? rg__poly_var(x->p[x->stride].var) : bad();
    if (!is_zero(&at[0])) return false;
    *kind = is_zero(&at[1]) ? RG__HALVES_SAME : equal(&at[1], &h) ? RG__HALVES_BLOCK : RG__HALVES_COMB;
    return *kind != RG__HALVES_COMB || equal(&at[1], &s);
}

static bool number(struct rg__halves *x, int i)
{
    struct rg__halves_param *p = &x->p[i];
    if (p->kind == RG__HALVES_SIZE || p->kind == RG__HALVES_STRIDE || same_name(x, i)) return true;
    if (!rg__scalar_is_int(x->t->vars[p->var].type)) return false;
    struct rg__poly at[2], own = rg__poly_var(p->var);
    for (int c = 0; c < 2; c++) {
        at[c] = rg__halves_poly(x, x->again[c]->kid[i]);
        if (at[c].bad) return false;
        at[c] = rg__poly_add(&at[c], &own, -1);
    }
    return kind_of_places(x, at, &p->kind);
}

static bool pointer(struct rg__halves *x, int i)
{
    struct rg__halves_param *p = &x->p[i];
    struct rg__poly at[2];
    for (int c = 0; c < 2; c++) {
        struct rg_cnode *rows[8], *off;
        int n_rows;
        if (!x->again[c]->kid[i]->pointer ||
            !rg__split_pointer(x->b, x->again[c]->kid[i], &p->child_array[c], rows, &n_rows, &off) || n_rows)
            return false;
        p->child_at[c] = off ? rg__halves_poly(x, off) : rg__poly_int(0);
        if (p->child_at[c].bad) return false;
    }
    p->partner = -1;
    for (int q = 0; q < x->n; q++)
        if (x->p[q].array >= 0 && x->p[q].array == p->child_array[0]) p->partner = q;
    if (p->partner < 0) { /* memory of the call */
        p->kind = RG__HALVES_SCRATCH;
        for (int c = 0; c < 2; c++)
            if (!rg__c_declares_array(x->body, p->child_array[c])) return false;
        return true;
    }
    if (p->child_array[1] != p->child_array[0]) return false;
    struct rg__poly own = rg__poly_var(x->p[p->partner].var);
    for (int c = 0; c < 2; c++) at[c] = rg__poly_add(&p->child_at[c], &own, -1);
    if (!kind_of_places(x, at, &p->kind)) return false;
    p->swaps = p->partner != i;
    return true;
}

static bool writes(const struct rg__kids *l, int array)
{
    for (int i = 0; i < l->n; i++)
        if (rg__writes_array(l->items[i], array)) return true;
    return false;
}

static bool parameters(struct rg__halves *x)
{
    if (!find_size(x)) { /* a stride that goes up to a number: which, the condition says */
        find_stride(x);
        return x->stride >= 0;
    }
    find_stride(x);
    return true;
}

/* Two pointers that swap: both by combs; or one has its elements, sorted out, where the other leads to, which is then
 * spare, whatever the calls use of the first's for themselves: each fills it before it reads it. */
static bool swapping(struct rg__halves *x, int i)
{
    struct rg__halves_param *p = &x->p[i], *q = &x->p[p->partner];
    if (!q->swaps || q->partner != i) return false;
    if (p->kind == RG__HALVES_COMB || q->kind == RG__HALVES_COMB) {
        bool both = p->kind == q->kind;
        p->kind = q->kind = RG__HALVES_SWAP;
        return both;
    }
    if (writes(&x->pre, p->array) == writes(&x->pre, q->array)) return false;
    struct rg__halves_param *own = writes(&x->pre, p->array) ? q : p, *spare = own == p ? q : p;
    bool blocks = own->kind == RG__HALVES_BLOCK;
    own->kind = RG__HALVES_SCRATCH;
    spare->kind = RG__HALVES_SPARE;
    return blocks;
}

static bool kinds(struct rg__halves *x)
{
    for (int i = 0; i < x->n; i++)
        if (!(x->p[i].array < 0 ? number(x, i) : pointer(x, i))) return false;
    for (int i = 0; i < x->n; i++)
        if (x->p[i].swaps && x->p[i].partner > i && !swapping(x, i)) return false;
    for (int i = 0; i < x->n; i++)
        if (x->p[i].swaps && (x->p[x->p[i].partner].partner != i || x->t->arrays[x->p[i].array].view)) return false;
    return true;
}

/* ---- when it calls itself ---- */

/* A relation of the size and a number, or of the stride and what it goes up to: 1 it holds of one element alone, -1 of
 * any more. */
static int of_one(struct rg__halves *x, const struct rg_cnode *c)
{
    if (c->kind == RG_C_UNARY && c->op == RG_COP_NOT) return -of_one(x, c->kid[0]);
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op)) return 0;
    x->plain = true;
    struct rg__poly a = rg__halves_poly(x, c->kid[0]), b = rg__halves_poly(x, c->kid[1]);
    x->plain = false;
    if (a.bad || b.bad) return 0;
    struct rg__poly d = rg__poly_add(&a, &b, -1);
    int size = x->size >= 0 ? x->p[x->size].var : -1, stride = x->size < 0 ? x->p[x->stride].var : -1, whole = -1;
    int64_t by_size = 0, by_stride = 0, rest = 0;
    for (int i = 0; i < d.n; i++) {
        const struct rg__term *t = &d.terms[i];
        if (t->degree > 1) return 0;
        if (!t->degree)
            rest = t->c;
        else if (t->var[0] == size)
            by_size = t->c;
        else if (t->var[0] == stride)
            by_stride = t->c;
        else if (size < 0 && whole < 0)
            whole = t->var[0], by_size = t->c;
        else
            return 0;
    }
    if (!by_size || (size < 0 && (rest || !by_stride || by_stride != -by_size))) return 0;
    if (size < 0) {
        for (int i = 0; i < x->n; i++)
            if (x->p[i].array < 0 && x->p[i].var == whole && same_name(x, i)) x->whole = i;
        if (x->whole < 0) return 0;
        rest = by_stride; /* in strides */
    }
    bool one = rg__relation_holds(c->op, (double)(by_size + rest), 0);
    for (int e = 1; e <= 40; e++) /* a relation of a linear function: what holds from 2 on changes no more than once */
        if (rg__relation_holds(c->op, (double)(by_size * ((int64_t)1 << e) + rest), 0) == one) return 0;
    return one ? 1 : -1;
}

static bool ends(const struct rg_cnode *s)
{
    return (s->kind == RG_C_GOTO && s->text && !strcmp(s->text, RG__END_LABEL)) || s->kind == RG_C_RETURN;
}

static void add_all(struct rg__kids *to, struct rg_cnode *n)
{
    if (!n) return;
    if (n->kind != RG_C_BLOCK) {
        rg__kids_add(to, n);
        return;
    }
    for (int i = 0; i < n->n; i++) add_all(to, n->kid[i]);
}

/* The statements up to where the function ends; false: it may end elsewhere, too. */
static bool up_to_end(struct rg__kids *l)
{
    for (int i = 0; i < l->n; i++)
        if (ends(l->items[i])) l->n = i;
    for (int i = 0; i < l->n; i++)
        if (rg__mentions_kind(l->items[i], RG_C_GOTO) || rg__mentions_kind(l->items[i], RG_C_RETURN) ||
            rg__mentions_kind(l->items[i], RG_C_LABEL) || rg__mentions_kind(l->items[i], RG_C_VERBATIM))
            return false;
    return true;
}

static bool is_call(const struct rg__halves *x, const struct rg_cnode *s, int c)
{
    return s->kind == RG_C_STMT && s->kid[0] == x->again[c];
}

/* PRE, a call, the other, POST. */
static bool around_calls(struct rg__halves *x, const struct rg__kids *rest)
{
    int phase = 0;
    for (int i = 0; i < rest->n; i++) {
        struct rg_cnode *s = rest->items[i];
        int var;
        if (phase < 2 && is_call(x, s, phase))
            phase++;
        else if (phase == 1 && !(s->kind == RG_C_DECL && (s->array >= 0 || !s->n || rg__halves_set_by(s, &var))))
            return false;
        else
            rg__kids_add(phase ? &x->post : &x->pre, s);
    }
    return phase == 2;
}

static bool phases(struct rg__halves *x)
{
    struct rg__kids all = {0}, rest = {0}, front = {0};
    add_all(&all, x->body);
    while (all.n && ends(all.items[all.n - 1])) all.n--;
    int at = -1, which = 0;
    for (int i = 0; i < all.n && at < 0; i++) {
        if (all.items[i]->kind == RG_C_DECL && all.items[i]->array < 0)
            rg__kids_add(&front, all.items[i]);
        else if (all.items[i]->kind == RG_C_IF)
            at = i;
        else
            break;
    }
    bool ok = at >= 0 && (which = of_one(x, all.items[at]->kid[0])) != 0;
    if (ok) {
        const struct rg_cnode *test = all.items[at];
        struct rg_cnode *other = test->n > 2 ? test->kid[2] : NULL;
        struct rg__kids then = {0}, otherwise = {0};
        add_all(&then, test->kid[1]);
        add_all(&otherwise, other);
        struct rg__kids *one = which > 0 ? &then : &otherwise, *more = which > 0 ? &otherwise : &then;
        bool left = one->n && ends(one->items[one->n - 1]), more_left = more->n && ends(more->items[more->n - 1]);
        ok = left || more_left || at + 1 == all.n; /* what is behind both of them is neither's */
        for (int i = 0; i < front.n; i++) rg__kids_add(&x->base, front.items[i]);
        for (int i = 0; i < front.n; i++) rg__kids_add(&rest, front.items[i]);
        for (int i = 0; i < one->n; i++) rg__kids_add(&x->base, one->items[i]);
        for (int i = 0; i < more->n; i++) rg__kids_add(&rest, more->items[i]);
        for (int i = at + 1; i < all.n; i++) rg__kids_add(left ? &rest : &x->base, all.items[i]);
        ok = ok && up_to_end(&x->base) && up_to_end(&rest) && around_calls(x, &rest);
        free(then.items);
        free(otherwise.items);
    }
    free(all.items);
    free(rest.items);
    free(front.items);
    return ok;
}

/* ---- arrays ---- */

bool rg__halves_moves(const struct rg__halves *x, const struct rg__halves_family *f)
{
    return x->p[f->param].kind == RG__HALVES_SCRATCH || x->p[f->param].kind == RG__HALVES_SWAP;
}

static bool families(struct rg__halves *x)
{
    for (int i = 0; i < x->n; i++)
        for (int k = 0; k < i; k++) /* two names for one array */
            if (x->p[i].array >= 0 && x->p[i].array == x->p[k].array) return false;
    for (int a = 0; a < x->t->n_arrays; a++) {
        if (!writes(&x->base, a) && !writes(&x->pre, a) && !writes(&x->post, a)) continue;
        int param = -1, block = -1;
        bool scratch = false;
        for (int i = 0; i < x->n; i++) {
            if (x->p[i].array == a) param = i;
            if (x->p[i].array < 0 && x->p[i].kind == RG__HALVES_BLOCK && block < 0) block = i;
            scratch = scratch || (x->p[i].array >= 0 && x->p[i].kind == RG__HALVES_SCRATCH &&
                                  (x->p[i].child_array[0] == a || x->p[i].child_array[1] == a));
        }
        if (scratch && !writes(&x->post, a) && !writes(&x->base, a)) continue;
        enum rg__halves_kind kind = param >= 0 ? x->p[param].kind : RG__HALVES_SIZE;
        bool places = kind == RG__HALVES_BLOCK || kind == RG__HALVES_SCRATCH || kind == RG__HALVES_SWAP;
        if (x->n_families == RG__HALVES_FAMILIES || (!places && (kind != RG__HALVES_SAME || block < 0))) return false;
        x->family[x->n_families++] = (struct rg__halves_family){param, places ? -1 : block};
    }
    for (int i = 0; i < x->n_families; i++) /* one of two that swap is written, of the other the calls' part is read */
        for (int k = 0; k < x->n_families; k++)
            if (x->p[x->family[i].param].kind == RG__HALVES_SWAP &&
                x->p[x->family[i].param].partner == x->family[k].param)
                return false;
    return x->n_families > 0;
}

int rg__halves_place(struct rg__halves *x, const struct rg_cnode *e, int *high, bool *own)
{
    struct rg__poly h = rg__poly_var(x->h), k = rg__poly_var(x->k), unit = rg__poly_int(1);
    for (int i = 0; i < x->n_families; i++) {
        const struct rg__halves_family *f = &x->family[i];
        const struct rg__halves_param *p = &x->p[f->param];
        bool swap = p->kind == RG__HALVES_SWAP,
             child = rg__halves_moves(x, f) && (e->array == p->child_array[0] || e->array == p->child_array[1]);
        if (e->array != p->array && !child) continue;
        struct rg__poly at = e->n == 1 && !e->pointer ? rg__halves_poly(x, e->kid[0]) : bad();
        if (at.bad) return -2;
        *own = e->array == p->array;
        if (!*own) {
            if (swap) unit = rg__halves_twice(x->p[x->stride].var, -1);
            for (int c = 0; c < 2; c++) {
                struct rg__poly rel = rg__poly_add(&at, &p->child_at[c], -1), want = rg__poly_mul(&k, &unit);
                *high = c;
                if (e->array == p->child_array[c] && equal(&rel, &want)) return i;
            }
            return -2;
        }
        if (swap) unit = rg__poly_var(x->p[x->stride].var);
        for (int c = 0; c < 2; c++) {
            struct rg__poly base = rg__poly_var(p->var), want = rg__poly_add(&k, &h, c);
            if (f->block >= 0) {
                struct rg__poly more = rg__poly_var(x->p[f->block].var);
                base = rg__poly_add(&base, &more, 1);
            }
            want = rg__poly_mul(&want, &unit);
            want = rg__poly_add(&want, &base, 1);
            *high = c;
            if (equal(&at, &want)) return i;
        }
        return -2;
    }
    return -1;
}

/* ---- loops ---- */

static const struct rg_cnode *only(const struct rg_cnode *s)
{
    while (s && s->kind == RG_C_BLOCK && s->n == 1) s = s->kid[0];
    return s;
}

bool rg__halves_read_loop(struct rg__halves *x, const struct rg_cnode *n, struct rg__halves_loop *l)
{
    const struct rg_cnode *init = n->kind == RG_C_FOR ? only(n->kid[0]) : NULL, *c = init ? n->kid[1] : NULL,
                          *s = init ? only(n->kid[2]) : NULL, *first;
    if (!c || !s || n->kid[3]->kind != RG_C_BLOCK || !(first = rg__halves_set_by(init, &l->var))) return false;
    if (s->kind == RG_C_STMT) s = s->kid[0];
    if (!s->n || s->kid[0]->kind != RG_C_VAR || s->kid[0]->array >= 0 || s->kid[0]->var != l->var) return false;
    if (rg_c_increments(s->op))
        l->step = rg__poly_int(1);
    else if (s->op == RG_COP_ADD_SET)
        l->step = rg__halves_poly(x, s->kid[1]);
    else
        return false;
    l->body = n->kid[3];
    l->first = rg__halves_poly(x, first);
    if (l->first.bad || l->step.bad || rg__halves_times_set(l->body, l->var) || rg__leaves_early(l->body)) return false;
    const struct rg_cnode *v = c->kind == RG_C_BINARY ? rg__c_uncast(c->kid[0], RG__C_INT_CASTS) : c;
    if ((c->op != RG_COP_LT && c->op != RG_COP_LE && c->op != RG_COP_NE) || v->kind != RG_C_VAR || v->array >= 0 ||
        v->var != l->var || rg__c_mentions_var(c->kid[1], l->var))
        return false;
    struct rg__poly upper = rg__halves_poly(x, c->kid[1]), h = rg__poly_var(x->h), m = rg__halves_twice(x->h, -1),
                    one = rg__poly_int(1);
    if (upper.bad) return false;
    if (c->op == RG_COP_LE) upper = rg__poly_add(&upper, &one, 1);
    struct rg__poly span = rg__poly_add(&upper, &l->first, -1), count = rg__halves_divided(&span, &l->step);
    l->pairs = equal(&count, &h);
    l->elements = equal(&count, &m);
    l->counts = is_zero(&l->first) && equal(&l->step, &one);
    return l->pairs || l->elements;
}

/* ---- every other element for each call ---- */

struct copies {
    struct rg__halves *x;
    int done[RG__HALVES_FAMILIES]; /* bits: low, high */
};

/* scratch[k] = own[2 * k], scratch[k] = own[2 * k + 1] */
static bool copies_one(struct copies *c, const struct rg_cnode *s)
{
    struct rg__halves *x = c->x;
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    int high;
    bool own;
    if (!e || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_INDEX || e->kid[1]->kind != RG_C_INDEX) return false;
    int f = rg__halves_place(x, e->kid[0], &high, &own);
    if (f < 0 || own || x->p[x->family[f].param].array != e->kid[1]->array || e->kid[1]->n != 1) return false;
    struct rg__poly from = rg__halves_poly(x, e->kid[1]->kid[0]), want = rg__halves_twice(x->k, -1),
                    c1 = rg__poly_int(high), base = rg__poly_var(x->p[x->family[f].param].var);
    want = rg__poly_add(&want, &c1, 1);
    want = rg__poly_add(&want, &base, 1);
    c->done[f] |= 1 << high;
    return equal(&from, &want);
}

/* Of families whose calls have memory of their own: it gets every other element, and nothing else is done. */
static bool sorts_out(struct rg__halves *x)
{
    struct copies c = {.x = x};
    int var;
    for (int i = 0; i < x->pre.n; i++) {
        struct rg_cnode *s = x->pre.items[i];
        struct rg__halves_loop l;
        if (s->kind == RG_C_DECL || (rg__halves_set_by(s, &var) && x->t->vars[var].kind == RG_CVAR_LOCAL)) continue;
        if (!rg__halves_read_loop(x, s, &l) || !l.pairs) return false;
        struct rg__poly k = rg__poly_var(x->k);
        x->loop_var = l.var;
        x->loop_value = rg__poly_mul(&k, &l.step);
        x->loop_value = rg__poly_add(&x->loop_value, &l.first, 1);
        bool ok = true;
        for (int j = 0; j < l.body->n && ok; j++) {
            const struct rg_cnode *d = l.body->kid[j];
            ok = d->kind == RG_C_DECL ? d->array < 0 && (!d->n || rg__c_pure(x->t, d->kid[0])) : copies_one(&c, d);
        }
        x->loop_var = -1;
        if (!ok) return false;
    }
    for (int i = 0; i < x->n_families; i++)
        if (c.done[i] != (x->p[x->family[i].param].kind == RG__HALVES_SCRATCH ? 3 : 0)) return false;
    return true;
}

/* ---- the whole ---- */

int64_t rg__halves_most(const struct rg__halves *x)
{
    int64_t bytes = rg_scalar_bytes(x->t->vars[x->p[x->size >= 0 ? x->size : x->whole].var].type);
    return bytes > 7 ? (int64_t)1 << 61 : bytes > 3 ? (int64_t)1 << 29 : bytes > 1 ? 1 << 13 : 1 << 5;
}

/* The first call's size is a power of two where the problem's parameter is, or says so itself. */
static bool whole_size(struct rg__halves *x)
{
    int param = x->size >= 0 ? x->size : x->whole;
    struct rg_cnode *n = rg__c_copy(x->t, x->p[param].top);
    const struct rg_cnode *e = rg__c_uncast(n, RG__C_INT_CASTS);
    int64_t one;
    if (x->size < 0) { /* and the stride begins with 1 */
        struct rg__poly s = rg__halves_poly(x, x->p[x->stride].top);
        if (s.bad || !rg__poly_is_int(&s, &one) || one != 1) return false;
    }
    x->whole_size = rg__c_cast(x->t, n, x->t->vars[x->p[param].var].type);
    int64_t most = rg__halves_most(x);
    if (e->kind == RG_C_INT) return e->ivalue > 0 && e->ivalue <= most && !(e->ivalue & (e->ivalue - 1));
    return e->kind == RG_C_VAR && e->array < 0 && x->t->vars[e->var].kind == RG_CVAR_PARAM &&
           rg__build_power(x->b, x->t->vars[e->var].param, most);
}

bool rg__halves_form(struct rg__halves *x)
{
    int found = 0;
    x->size = x->stride = x->whole = x->loop_var = -1;
    if (!find_calls(x, x->body, &found) || found != 2) return false;
    rg__halves_find_sets(x, x->body);
    if (!parameters(x) || !phases(x) || (x->size < 0 && x->whole < 0) || !kinds(x) || !families(x)) return false;
    for (int i = 0; i < x->n_families; i++) {
        enum rg__halves_kind kind = x->p[x->family[i].param].kind, first = x->p[x->family[0].param].kind;
        bool moves = rg__halves_moves(x, &x->family[i]);
        if (moves != rg__halves_moves(x, &x->family[0]) || (moves && kind != first)) return false;
        x->sorted_out = moves;
    }
    if (x->sorted_out && !sorts_out(x)) return false;
    return whole_size(x);
}
