/* Run-length loops: an iteration goes along a run of elements that are alike, and the next one begins behind it.
 *     while (i < n) { j = i + 1; while (j < n && key[j] == key[i]) j++; ...; i = j; }
 *     while (i < n) { j = i; while (j + 1 < n && key[j + 1] == key[i]) j++; ...; for (; i <= j; i++) ... }
 *     for (i = 0; i < n; i++) { while (i + 1 < n && key[i] == key[i + 1]) i++; ... }
 * Where a run begins, neighbours differ, and nowhere else: equality is transitive (where a NaN is, no run goes on
 * either way). So each element asks by itself:
 *     for (h = 0; h < n; h++) if (h == 0 || !(key[h] == key[h - 1])) { j = h + 1; while (...) j++; ... }
 * Where an iteration goes along no more than so many elements, `j - i < 255`, pieces begin every so many from where
 * the run does, which a scan tells (runs_heads.c). */
#include "frontend/load.h"
#include "frontend/normalise/canon.h"
#include "frontend/normalise/runs.h"
#include "frontend/normalise/update_rounds.h"
#include <stdlib.h>

struct runs {
    struct rg_ctree *t;
    struct rg_cnode *loop, *body, *inner;
    int i, j;                           /* variables: where the run begins, how far it goes; form 2: the same */
    const struct rg_cnode *begin, *end; /* of all elements */
    struct rg_cnode *alike;             /* of element `i` and the one in front of it */
    int n_body;                         /* statements that count: without `i = j` */
    int in;                             /* the loop along the run is that statement of the body */
    int lead;                           /* 1: j is the run's last element, 0: the one behind it */
    const struct rg_cnode *over;        /* for (; i <= j; i++): the run's elements once more, at the end; NULL */
    int each;                           /* what `over` counts: i, or a variable of its own */
    int64_t most;                       /* no more elements are gone along at once; 0: all of the run are */
    bool neighbours;                    /* an element is compared with the one in front of it, not with the first */
    bool first_passed;                  /* nothing is asked of the first element, even where j begins there */
};

struct rg_cnode *rg__runs_shifted(struct rg_ctree *t, const struct rg_cnode *e, int var, int by, int64_t k)
{
    struct rg_cnode *at = rg__c_var(t, by);
    if (k) at = rg__c_binary(t, k > 0 ? RG_COP_ADD : RG_COP_SUB, at, rg__c_int(t, k > 0 ? k : -k));
    return rg__c_replace_var(t, rg__c_copy(t, e), var, at);
}

/* e with `by + k` for `j + lead`; NULL where it mentions j otherwise. */
static struct rg_cnode *led(const struct runs *r, const struct rg_cnode *e, int by, int64_t k)
{
    int64_t ahead;
    if (rg__runs_offset(e, r->j, &ahead)) {
        if (ahead != r->lead) return NULL;
        return rg__runs_shifted(r->t, rg__c_var(r->t, by), by, by, k);
    }
    struct rg_cnode *c = rg__c_copy(r->t, e);
    for (int i = 0; i < e->n; i++)
        if (!e->kid[i] || !(c->kid[i] = led(r, e->kid[i], by, k))) return NULL;
    return c;
}

/* Is it kept by a scalar of the type, so that an element that is compared with that is compared with the value? */
static bool keeps_value(enum rg_scalar value, enum rg_scalar kept)
{
    if (value == kept) return true;
    if (value == RG_F32 && kept == RG_F64) return true;
    return rg__scalar_is_int(value) && rg__scalar_is_int(kept) && rg_scalar_bytes(kept) >= 4 &&
           rg_scalar_bytes(kept) >= rg_scalar_bytes(value);
}

/* What a local stands for that the iteration's first `front` statements give it, and nothing else in it; *at: the
 * statement. */
static const struct rg_cnode *resolved(const struct runs *r, const struct rg_cnode *e, int front, int *at)
{
    const struct rg_cnode *v = rg__runs_widened(e);
    int var;
    if (v->kind != RG_C_VAR || v->array >= 0 || v->pointer || v->var == r->i || v->var == r->j) return NULL;
    const struct rg_cnode *is = NULL;
    for (int k = 0; k < front && !is; k++) {
        const struct rg_cnode *value = rg__runs_assigned(r->body->kid[k], &var);
        if (value && var == v->var) is = value, *at = k;
    }
    const bool once = is && rg__runs_writers(r->body->kid, r->body->n, v->var) == 1;
    return once && keeps_value(is->type, v->type) ? is : NULL;
}

enum where {
    SIDE,
    INSIDE,
    PLACE
}; /* of an equality, whose conversions are looked at apart; a subscript: never wraps */

/* e with what its locals stand for. */
static struct rg_cnode *of_inputs(const struct runs *r, const struct rg_cnode *e, int front, enum where where)
{
    int at;
    const struct rg_cnode *is = where == INSIDE && e->kind != RG_C_VAR ? NULL : resolved(r, e, front, &at);
    if (is && where != INSIDE) return of_inputs(r, rg__runs_widened(is), at, where);
    if (is) {
        struct rg_cnode *value = of_inputs(r, is, at, where);
        return value->type == e->type ? value : rg__c_cast(r->t, value, e->type);
    }
    struct rg_cnode *c = rg__c_copy(r->t, e);
    if (where == SIDE) where = INSIDE;
    if (e->kind == RG_C_INDEX) where = PLACE;
    for (int i = 0; i < e->n; i++)
        if (e->kid[i]) c->kid[i] = of_inputs(r, e->kid[i], front, where);
    return c;
}

/* What conversions on the way from what it stands for to a side of an equality make of -1. */
static int64_t way_to_side(const struct runs *r, const struct rg_cnode *e, int front)
{
    int at;
    const struct rg_cnode *is = resolved(r, e, front, &at);
    return rg__runs_converted(e, is ? way_to_side(r, is, at) : -1);
}

/* The condition, all of which is of equalities of elements j and i, or of element j and the one in front of it whatever
 * is asked of the two, as one of elements i and i - 1; NULL: it is of another form. */
static struct rg_cnode *of_neighbours(struct runs *r, const struct rg_cnode *c)
{
    struct rg_ctree *t = r->t;
    if (c->op != RG_COP_AND && t->vars[r->j].type == t->vars[r->i].type && rg__c_mentions_var(c, r->j) &&
        !rg__c_mentions_var(c, r->i) && rg__runs_fixed(t, c, r->loop, r->i, r->j)) {
        r->neighbours = true;
        return rg__runs_shifted(t, c, r->j, r->i, -r->lead);
    }
    if (c->op == RG_COP_AND) {
        struct rg_cnode *a = of_neighbours(r, c->kid[0]), *b = a ? of_neighbours(r, c->kid[1]) : NULL;
        return b ? rg__c_binary(t, RG_COP_AND, a, b) : NULL;
    }
    if (c->op != RG_COP_EQ) return NULL;
    for (int side = 0; side < 2; side++) {
        const struct rg_cnode *now = c->kid[side], *first = of_inputs(r, c->kid[1 - side], r->in, SIDE);
        const enum rg_scalar common = rg__scalar_common(now->type, c->kid[1 - side]->type);
        if (rg__c_mentions_var(now, r->i) || rg__c_mentions_var(first, r->j) || !rg__c_mentions_var(now, r->j))
            continue;
        const struct rg_cnode *here = led(r, rg__runs_widened(now), r->i, 0);
        if (!here || !rg__c_same(here, rg__runs_widened(first), RG__C_TYPED)) continue;
        if (rg__runs_kept(common, rg__runs_converted(now, -1)) !=
            rg__runs_kept(common, way_to_side(r, c->kid[1 - side], r->in)))
            continue;
        return rg__c_binary(t, RG_COP_EQ, led(r, now, r->i, 0), led(r, now, r->i, -1));
    }
    return NULL;
}

bool rg__runs_below(const struct rg_cnode *c, int var, const struct rg_cnode *end, int64_t k)
{
    int64_t plus, minus = 0;
    if ((c->op != RG_COP_LT && c->op != RG_COP_NE) || !rg__runs_offset(c->kid[0], var, &plus)) return false;
    const struct rg_cnode *top = c->kid[1];
    if (!rg__c_same(top, end, RG__C_UNCAST)) {
        if (top->op != RG_COP_SUB || top->kid[1]->kind != RG_C_INT || !rg__c_same(top->kid[0], end, RG__C_UNCAST))
            return false;
        minus = top->kid[1]->ivalue;
    }
    return plus + minus == k;
}

/* The loop along the run. */
static bool along(struct runs *r, struct rg_cnode *in)
{
    const struct rg_cnode *c = in->kid[1];
    if (in->kind != RG_C_FOR || in->kid[0] || !c || !in->kid[2] || c->op != RG_COP_AND) return false;
    if (rg__leaves_loop(in->kid[3])) return false; /* before the run is over */
    const struct rg_cnode *inc = in->kid[2]->kind == RG_C_STMT ? in->kid[2]->kid[0] : in->kid[2];
    if (!inc->n || inc->kid[0]->kind != RG_C_VAR || inc->kid[0]->array >= 0) return false;
    r->j = inc->kid[0]->var;
    if (!rg__runs_counts(in->kid[2], r->j) || rg__c_writes_var(in->kid[3], r->j)) return false;
    const struct rg_cnode *bound = c->kid[0];
    struct rg_cnode *rest = c->kid[1];
    while (bound->op == RG_COP_AND) { /* (j < n && a) && b */
        rest = rg__c_binary(r->t, RG_COP_AND, bound->kid[1], rest);
        bound = bound->kid[0];
    }
    r->inner = in;
    r->most = 0;
    r->neighbours = r->first_passed = false;
    if (r->j == r->i) { /* asks for the next one: about it and the one in front of it, whatever is asked */
        if (!rg__runs_below(bound, r->i, r->end, 1)) return false;
        r->alike = rg__runs_shifted(r->t, rest, r->i, r->i, -1);
        return true;
    }
    r->lead = rg__runs_below(bound, r->j, r->end, 1);
    if (!r->lead && !rg__runs_below(bound, r->j, r->end, 0)) return false;
    if (!r->lead && rest->op == RG_COP_OR && rest->kid[0]->op == RG_COP_EQ && /* the first one is not asked */
        rg__runs_is_var(rest->kid[0]->kid[0], r->j) && rg__runs_is_var(rest->kid[0]->kid[1], r->i)) {
        rest = rest->kid[1];
        r->first_passed = true;
    }
    rest = rg__runs_unlimited(r->t, rest, r->i, r->j, &r->most);
    if (r->most) r->most += r->lead;
    r->alike = rest ? of_neighbours(r, rest) : NULL;
    return r->alike != NULL;
}

static bool reads_only_inputs(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *loop)
{
    if (e->kind == RG_C_INDEX && (e->pointer || rg__writes_array(loop, e->array))) return false;
    if ((e->kind == RG_C_CALL && (e->callee >= 0 || !rg__c_pure_library(e->text))) || e->op == RG_COP_DEREF ||
        e->op == RG_COP_ADDRESS)
        return false;
    if (e->kind == RG_C_VAR && (e->array >= 0 || e->pointer)) return false;
    for (int i = 0; i < e->n; i++)
        if (!reads_only_inputs(t, e->kid[i], loop)) return false;
    return true;
}

/* Where a store may be to any array. */
static bool stores_anywhere(void *arg, struct rg_cnode *n)
{
    const struct rg_ctree *t = ((void **)arg)[0];
    bool *any = ((void **)arg)[1];
    const struct rg_cnode *to = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC ? n->kid[0] : NULL;
    while (to && to->kind == RG_C_MEMBER) to = to->kid[0];
    *any = *any || (to && (to->op == RG_COP_DEREF || (to->kind == RG_C_INDEX && to->pointer))) ||
           (n->kind == RG_C_CALL && !rg__c_pure(t, n));
    return !*any;
}

bool rg__runs_stores_anywhere(struct rg_ctree *t, struct rg_cnode *loop)
{
    bool any = false;
    rg__c_walk(loop, stores_anywhere, (void *[]){t, &any});
    return any;
}

static bool invariant(const struct rg_cnode *loop, const struct rg_cnode *e, int i, int j)
{
    if (e->kind == RG_C_VAR && e->array < 0 && e->var != i && e->var != j && rg__c_writes_var(loop, e->var))
        return false;
    for (int k = 0; k < e->n; k++)
        if (!invariant(loop, e->kid[k], i, j)) return false;
    return true;
}

bool rg__runs_fixed(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *loop, int i, int j)
{
    return reads_only_inputs(t, e, loop) && rg__c_pure(t, e) && invariant(loop, e, i, j);
}

int rg__runs_writers(struct rg_cnode *const *k, int n, int var)
{
    int count = 0;
    for (int i = 0; i < n; i++) count += rg__c_writes_var(k[i], var);
    return count;
}

/* for (; i <= j; i++), behind which i is where the next run begins. */
static bool goes_over(const struct runs *r, const struct rg_cnode *k)
{
    const struct rg_cnode *c = k->kind == RG_C_FOR ? k->kid[1] : NULL;
    int64_t from, to;
    if (!c || k->kid[0] || (c->op != RG_COP_LT && c->op != RG_COP_LE) || !rg__runs_offset(c->kid[0], r->i, &from) ||
        !rg__runs_offset(c->kid[1], r->j, &to) || !k->kid[2])
        return false;
    if (k->kid[3]->kind != RG_C_BLOCK || rg__c_mentions_var(k->kid[3], r->j)) return false;
    return to - from + (c->op == RG_COP_LE) == r->lead && rg__runs_counts(k->kid[2], r->i) &&
           !rg__c_writes_var(k->kid[3], r->i);
}

/* for (k = i; k < j; k++), in front of i = j: k; -1. */
static int goes_along(const struct runs *r, const struct rg_cnode *k)
{
    const struct rg_cnode *c = k->kind == RG_C_FOR ? k->kid[1] : NULL, *first;
    int64_t from, to;
    int each;
    if (!c || !k->kid[0] || (c->op != RG_COP_LT && c->op != RG_COP_LE) || !k->kid[2]) return -1;
    first = rg__runs_assigned(k->kid[0], &each);
    if (!first || each == r->i || each == r->j || !rg__runs_offset(first, r->i, &from) || from != 0) return -1;
    if (!rg__runs_offset(c->kid[0], each, &from) || !rg__runs_offset(c->kid[1], r->j, &to)) return -1;
    if (to - from + (c->op == RG_COP_LE) != r->lead || !rg__runs_counts(k->kid[2], each)) return -1;
    if (k->kid[3]->kind != RG_C_BLOCK || rg__c_writes_var(k->kid[3], each) || rg__c_writes_var(k->kid[3], r->i) ||
        rg__c_writes_var(k->kid[3], r->j) || rg__c_count_var(r->t->root, each) != rg__c_count_var(k, each))
        return -1;
    return each;
}

const struct rg_cnode *rg__runs_begin(const struct rg_ctree *t, const struct rg_cnode *block, int at, int i)
{
    const struct rg_cnode *begin = NULL;
    int var;
    for (int k = 0; k < at; k++) {
        const struct rg_cnode *value = rg__runs_assigned(block->kid[k], &var);
        if (value && var == i)
            begin = value;
        else if (rg__c_writes_var(block->kid[k], i) || (begin && !rg__runs_fixed(t, begin, block->kid[k], -1, -1)))
            begin = NULL;
    }
    return begin;
}

static bool shape_of(struct runs *r, const struct rg_cnode *block, int at)
{
    struct rg_cnode *l = block->kid[at];
    const bool is_for = l->kind == RG_C_FOR;
    const struct rg_cnode *c = is_for ? l->kid[1] : l->kid[0], *value;
    int var;
    r->loop = l;
    r->body = is_for ? l->kid[3] : l->kid[1];
    if (!c || c->op != RG_COP_LT || !r->body || r->body->kind != RG_C_BLOCK || r->body->n < 2) return false;
    const struct rg_cnode *i = rg__runs_widened(c->kid[0]);
    if (i->kind != RG_C_VAR || i->array >= 0 || i->pointer) return false;
    r->i = i->var;
    r->end = c->kid[1];
    const bool counted = is_for && l->kid[2];
    if (counted && !rg__runs_counts(l->kid[2], r->i)) return false;
    if (is_for && l->kid[0]) {
        r->begin = rg__runs_assigned(l->kid[0], &var);
        if (!r->begin || var != r->i) return false;
    } else if (!(r->begin = rg__runs_begin(r->t, block, at, r->i))) {
        return false;
    }
    struct rg_cnode **k = r->body->kid;
    int in = -1;
    for (int n = 0; n < r->body->n && in < 0; n++) {
        r->in = n;
        if (along(r, k[n])) in = n;
    }
    if (in < 0 || (r->j == r->i) != counted) return false;
    r->n_body = r->body->n;
    if (!counted) { /* j = i, or i + 1; ...; i = j; */
        int64_t ahead;
        bool started = false;
        r->over = goes_over(r, k[r->body->n - 1]) ? k[r->body->n - 1] : NULL;
        value = rg__runs_assigned(k[r->body->n - 1], &var);
        if (!r->over && (!value || var != r->i || !rg__runs_offset(value, r->j, &ahead) || ahead != r->lead))
            return false;
        r->n_body--;
        for (int n = 0; n < in && !started; n++) {
            value = rg__runs_assigned(k[n], &var);
            started = value && var == r->j && rg__runs_offset(value, r->i, &ahead) &&
                      (ahead == 1 - r->lead || (ahead == 0 && (!r->neighbours || r->first_passed)));
            if (!started && rg__c_writes_var(k[n], r->j)) return false;
        }
        if (!started || rg__runs_writers(k, r->n_body, r->j) != 2 || rg__runs_writers(k, r->n_body, r->i) ||
            (r->over && rg__c_writes_var(r->over, r->j)))
            return false;
    } else if (rg__runs_writers(k, r->n_body, r->i) != 1) {
        return false;
    }
    return true;
}

/* What the run's elements ask for of what their first one has computed is kept in arrays: `value[h] = v;` behind it,
 * `value[heads[h]]` for v in `over`. */
static struct rg_cnode *own_values(struct rg_ctree *t, struct rg__kids *body, struct rg_cnode *over, int h, int heads,
                                   const struct rg_expr *extent, struct rg__kids *declarations)
{
    for (int k = 0, n = body->n; k < n; k++) {
        const struct rg_cnode *d = body->items[k];
        if (d->kind != RG_C_DECL || d->array >= 0 || !rg__c_mentions_var(over, d->var)) continue;
        const int array =
            rg__runs_scratch(t, t->vars[d->var].name, t->vars[d->var].type, extent, d->line, declarations);
        rg__kids_add(body, rg__runs_set(t, rg__runs_element(t, array, rg__c_var(t, h)), rg__c_var(t, d->var), d->line));
        over =
            rg__c_replace_var(t, over, d->var, rg__runs_element(t, array, rg__runs_element(t, heads, rg__c_var(t, h))));
    }
    return over;
}

/* for (h = 0; h < n; h++) over */
static struct rg_cnode *every_element(const struct runs *r, const struct rg_cnode *loop, struct rg_cnode *over, int h,
                                      int heads)
{
    struct rg_ctree *t = r->t;
    struct rg__kids rest = {0};
    over = rg__c_replace_var(t, over, r->each, rg__c_var(t, h));
    if (r->each != r->i) over = rg__c_replace_var(t, over, r->i, rg__runs_element(t, heads, rg__c_var(t, h)));
    for (int k = 0; k < over->n; k++) rg__kids_add(&rest, over->kid[k]);
    return rg__runs_once_more(t, loop, h, &rest);
}

/* Do parameters say how many elements there are? */
static bool has_extent(const struct runs *r)
{
    return rg__c_to_expr(r->t, r->end, &r->t->arena) && rg__c_of_params(r->t, r->end);
}

/* Could the values that the run's elements ask for stand in arrays: of so many as parameters say, of plain numbers
 * that the elements leave alone? */
static bool keeps(const struct runs *r)
{
    const struct rg_ctree *t = r->t;
    if (!has_extent(r)) return false;
    for (int v = 0; v < t->n_vars; v++) {
        bool here = false;
        for (int k = 0; k < r->n_body; k++) {
            const struct rg_cnode *d = r->body->kid[k];
            here = here || rg__c_writes_var(d, v) || (d->kind == RG_C_DECL && d->array < 0 && d->var == v);
            if (d->kind == RG_C_DECL && d->array >= 0) return false;
        }
        if (!here || !rg__c_mentions_var(r->over->kid[3], v)) continue;
        bool declared = false;
        for (int k = 0; k < r->n_body; k++) {
            const struct rg_cnode *d = r->body->kid[k];
            declared = declared || (d->kind == RG_C_DECL && d->array < 0 && d->var == v);
        }
        if (!declared || rg__c_writes_var(r->over->kid[3], v) || t->vars[v].type == RG_STRUCT) return false;
    }
    return true;
}

static bool hidden(void *arg, struct rg_cnode *n)
{
    const struct runs *r = ((void **)arg)[0];
    bool *any = ((void **)arg)[1];
    const bool through = n->op == RG_COP_DEREF || n->op == RG_COP_ADDRESS || (n->kind == RG_C_INDEX && n->pointer);
    *any = *any || through || (n->kind == RG_C_CALL && !rg__c_pure(r->t, n));
    return !*any;
}

/* Do the run's statements and those for each element have no array in common that one of them writes? Then all runs
 * may be first. */
static bool apart(const struct runs *r)
{
    bool any = false;
    rg__c_walk(r->body, hidden, (void *[]){(void *)r, &any});
    if (any) return false;
    for (int a = 0; a < r->t->n_arrays; a++)
        for (int k = 0; k < r->n_body; k++) {
            const struct rg_cnode *d = r->body->kid[k], *o = r->over->kid[3];
            if ((rg__writes_array(d, a) && rg__c_mentions_array(o, a)) ||
                (rg__writes_array(o, a) && rg__c_mentions_array(d, a)))
                return false;
        }
    for (int v = 0; v < r->t->n_vars; v++) /* nor a scalar of outside */
        if (rg__c_writes_var(r->over->kid[3], v) && !rg__c_declares(r->over->kid[3], v)) return false;
    return true;
}

/* May the elements of all runs be gone over behind all runs? */
static bool goes_by_element(const struct runs *r, bool from_zero)
{
    return from_zero && !rg__leaves_early(r->over->kid[3]) && !rg__leaves_loop(r->over->kid[3]) && keeps(r) && apart(r);
}

static bool take_form(struct rg__load *l, struct rg_cnode *block, int at)
{
    struct rg_ctree *t = l->t;
    struct runs r = {.t = t};
    if (!shape_of(&r, block, at) || rg__leaves_early(r.body) || rg__mentions_kind(r.body, RG_C_VERBATIM) ||
        rg__mentions_kind(r.body, RG_C_LABEL))
        return false;
    if (rg__runs_stores_anywhere(t, r.loop) || !rg__runs_fixed(t, r.alike, r.loop, r.i, r.j) ||
        !rg__runs_fixed(t, r.end, r.loop, r.i, r.j) || !rg__runs_fixed(t, r.begin, r.loop, r.i, r.j))
        return false;
    if (rg__c_mentions_var(r.end, r.i) || rg__c_mentions_var(r.begin, r.i) || rg__c_mentions_var(r.begin, r.j))
        return false;
    double from = 0;
    const bool from_zero = rg__round_number(r.begin, &from) && from == 0;
    r.each = r.i;
    if (r.most ? r.over || !from_zero || !has_extent(&r) : r.over && !goes_by_element(&r, from_zero)) return false;
    const int tail = !r.most && !r.over && r.n_body > r.in + 1 ? r.n_body - 1 : -1;
    const int each = tail > 0 ? goes_along(&r, r.body->kid[tail]) : -1;
    if (each >= 0) {
        struct runs with = r;
        with.over = r.body->kid[tail];
        with.n_body = tail;
        with.each = each;
        if (goes_by_element(&with, from_zero)) r = with;
    }
    /* where it ends is of no interest behind the loop */
    int all = rg__c_count_var(t->root, r.i), here = rg__c_count_var(r.loop, r.i), front = 0;
    for (int k = 0; k < at; k++) front += rg__c_count_var(block->kid[k], r.i);
    int behind = rg__c_count_var(t->root, r.j) - rg__c_count_var(r.loop, r.j);
    if (all != here + front || (r.j != r.i && behind > 0)) return false;
    int h = rg__c_add_var(t, t->vars[r.i].name, RG_CVAR_LOCAL, t->vars[r.i].type), own = -1;
    struct rg__kids body = {0};
    bool inside = false;
    if (r.j == r.i) { /* the run's last element is a local of its own */
        struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
        own = rg__c_add_var(t, "last", RG_CVAR_LOCAL, t->vars[r.i].type);
        d->var = own;
        d->type = t->vars[own].type;
        d->kid[0] = rg__c_var(t, h);
        d->line = r.loop->line;
        rg__kids_add(&body, d);
    }
    for (int k = 0; k < r.n_body; k++) {
        inside = inside || r.body->kid[k] == r.inner;
        rg__kids_add(&body, rg__c_replace_var(t, r.body->kid[k], r.i, rg__c_var(t, inside && own >= 0 ? own : h)));
    }
    struct rg__kids with = {0};
    struct rg_cnode *over = r.over ? rg__c_copy(t, r.over->kid[3]) : NULL;
    const bool asks_heads = over || r.most;
    const struct rg_expr *extent = asks_heads ? rg__c_to_expr(t, r.end, &t->arena) : NULL;
    const int heads = asks_heads ? rg__runs_scratch(t, "heads", t->vars[r.i].type, extent, r.loop->line, &with) : -1;
    if (over) over = own_values(t, &body, over, h, heads, extent, &with);
    struct rg_cnode *alike = rg__c_replace_var(t, r.alike, r.i, rg__c_var(t, h));
    struct rg_cnode *first =
        rg__c_binary(t, RG_COP_EQ, rg__c_var(t, h), from_zero ? rg__c_int(t, 0) : rg__c_copy(t, r.begin));
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4), *d = rg_cnode_new(t, RG_C_DECL, 1),
                    *x = rg_cnode_new(t, RG_C_IF, 2), *b = rg_cnode_new(t, RG_C_BLOCK, 1);
    d->var = h;
    d->type = t->vars[h].type;
    d->kid[0] = rg__c_cast(t, from_zero ? rg__c_int(t, 0) : rg__c_copy(t, r.begin), d->type);
    x->kid[0] = r.most ? rg__runs_begins_piece(t, h, heads, r.most)
                       : rg__c_binary(t, RG_COP_OR, first, rg__negated(t, rg__c_copy(t, alike)));
    x->kid[1] = rg__kids_node(t, RG_C_BLOCK, &body);
    b->kid[0] = x;
    f->kid[0] = d;
    f->kid[1] = rg__c_binary(t, RG_COP_LT, rg__c_var(t, h), rg__c_copy(t, r.end));
    f->kid[2] = rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, h), rg__c_int(t, 1));
    f->kid[3] = b;
    f->line = d->line = x->line = b->line = x->kid[1]->line = r.loop->line;
    f->column = x->column = r.loop->column;
    if (r.most) rg__runs_heads(t, f, rg__c_copy(t, alike), h, heads, &with);
    rg__kids_add(&with, f);
    if (over) rg__runs_heads(t, f, rg__c_copy(t, alike), h, heads, &with);
    if (over) rg__kids_add(&with, every_element(&r, f, over, h, heads));
    rg__block_splice(t, block, at, 1, &with);
    return true;
}

static bool take(struct rg__load *l, struct rg_cnode *block, int at)
{
    struct rg_cnode *loop = block->kid[at];
    if (take_form(l, block, at) || rg__words_take(l->t, block, at)) return true;
    const struct rg_cnode *body = loop->kid[loop->kind == RG_C_FOR ? 3 : 1];
    for (int k = 0; body && k < body->n; k++) {
        struct rg_cnode *form = rg__runs_form(l->t, loop, k);
        if (!form) continue;
        block->kid[at] = form;
        if (take_form(l, block, at)) return true;
        block->kid[at] = loop;
    }
    return false;
}

static void walk(struct rg__load *l, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        if (!k) continue;
        if (n->kind == RG_C_BLOCK && (k->kind == RG_C_FOR || k->kind == RG_C_WHILE)) take(l, n, i);
        walk(l, n->kid[i]);
    }
}

enum rg_status rg__canon_runs(struct rg__load *l)
{
    if (!l->p->may_alias) walk(l, l->t->root);
    return RG_OK;
}
