/* Delinearisation: the rows of a flat array off the strides of its subscripts, where each index is proven, or can be
 * asked, to stay inside. */
#include "frontend/normalise/delinearisation.h"
#include "frontend/normalise/canon.h"
#include "frontend/normalise/row_strides.h"
#include "ir/access_walk.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STRIDES = 5, MIN_CONSTANT_STRIDE = 8 };

struct split {
    struct rg_cnode *node;
    struct rg_cnode *subs[MAX_STRIDES + 1];
};

struct shape {
    struct rg_ctree *t;
    struct rg_arena *a;
    int array;
    int n; /* strides, largest first, the last is 1 */
    struct rg__stride strides[MAX_STRIDES + 1];
    bool failed;
    bool written;
    bool led; /* data say which row */
    const struct rg__given *given;
    bool perhaps;   /* an element may lie nobody knows where */
    int n_anywhere; /* those that do */
    int n_splits, cap_splits;
    struct split *splits;
    struct rg__derived *need;
    int first_need;
    struct rg__shifts shifts;
};

static int64_t gcd(int64_t a, int64_t b)
{
    if (a < 0) a = -a;
    if (b < 0) b = -b;
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static bool same_params(const struct rg__stride *a, const struct rg__stride *b)
{
    return a->degree == b->degree && !memcmp(a->var, b->var, (size_t)a->degree * sizeof *a->var);
}

static bool target_access(const struct shape *s, const struct rg__visit *v)
{
    return v->node->kind == RG_C_INDEX && v->node->array == s->array && !v->pointer && v->node->n == 1;
}

static void add_stride(struct shape *s, struct rg__stride x)
{
    if (x.c < 0) x.c = -x.c;
    for (int i = 0; i < s->n; i++)
        if (same_params(&s->strides[i], &x)) {
            if (x.degree)
                s->strides[i].c = gcd(s->strides[i].c, x.c);
            else if (s->strides[i].c == x.c)
                return;
            else
                continue;
            return;
        }
    if (s->n < MAX_STRIDES)
        s->strides[s->n++] = x;
    else
        s->failed |= !s->perhaps;
}

/* ---- locals that say where a row begins ---- */

/* Has e the same value wherever it stands in the iteration? */
static bool steady(const struct shape *s, const struct rg_cnode *e)
{
    const struct rg_ctree *t = s->t;
    if (e->kind == RG_C_VAR)
        return e->array < 0 && !e->pointer && (t->vars[e->var].kind == RG_CVAR_ITER || rg__stride_param(t, e->var));
    if (e->kind == RG_C_INDEX ? e->pointer || !t->arrays[e->array].is_const || rg__writes_array(t->root, e->array)
                              : e->kind != RG_C_INT && e->kind != RG_C_CAST && !rg_c_arithmetic(e->op))
        return false;
    for (int i = 0; i < e->n; i++)
        if (!steady(s, e->kid[i])) return false;
    return true;
}

/* `src = table + idx[i] * n; src[k]`: the local's value, where it has a length of rows as a factor. */
static struct rg__poly subscript_of(struct shape *s, const struct rg__visit *v)
{
    struct rg__poly p = rg__poly_of(v->range, v->node->kid[0]);
    for (int i = 0; i < p.n && !p.bad; i++) {
        const int id = p.terms[i].degree == 1 ? p.terms[i].var[0] : RG__ATOM;
        const struct rg_cnode *d =
            id < RG__ATOM && s->given && id < s->given->n_vars && s->t->vars[id].kind == RG_CVAR_LOCAL
                ? s->given->definition[id]
                : NULL;
        struct rg__poly coef, rest, is = d && steady(s, d) ? rg__poly_of(v->range, d) : rg__poly_int(0);
        bool rows = false;
        for (int k = 0; k < is.n && !is.bad; k++) {
            struct rg__stride x;
            rows |= rg__stride_part(s->t, &is.terms[k], &x) && x.degree;
        }
        if (!rows || !rg__poly_split(&p, id, &coef, &rest)) continue;
        is = rg__poly_mul(&coef, &is);
        p = rg__poly_add(&rest, &is, 1);
        i = -1;
    }
    return rg__shifted(&s->shifts, &p);
}

static void collect(void *arg, const struct rg__visit *v)
{
    struct shape *s = arg;
    if (s->failed || !target_access(s, v)) return;
    struct rg__poly p = subscript_of(s, v);
    if (p.bad) {
        s->failed |= !s->perhaps;
        return;
    }
    bool small = false; /* a constant stride splits only together with a smaller one */
    for (int i = 0; i < p.n; i++) {
        struct rg__stride x;
        if (rg__stride_part(s->t, &p.terms[i], &x) && !x.degree && (x.c == 1 || x.c == -1)) small = true;
    }
    for (int i = 0; i < p.n; i++) {
        struct rg__stride x;
        bool other = rg__stride_part(s->t, &p.terms[i], &x);
        int64_t c = x.c < 0 ? -x.c : x.c;
        if (other && (x.degree || (c >= MIN_CONSTANT_STRIDE && small))) add_stride(s, x);
        for (int d = 0; d < p.terms[i].degree; d++) s->led |= x.degree && p.terms[i].var[d] >= RG__ATOM;
    }
}

/* x[2*n*it + i], x[2*n*it + n + i] and, behind the loop, x[n*m + i]: rows of n, said by what no loop moves. */
static void refine(void *arg, const struct rg__visit *v)
{
    struct shape *s = arg;
    if (!target_access(s, v)) return;
    struct rg__poly p = subscript_of(s, v);
    for (int i = 0; i < p.n && !p.bad; i++) {
        struct rg__stride x, q;
        if (rg__stride_part(s->t, &p.terms[i], &x)) continue;
        for (int k = 0; k < s->n; k++) {
            struct rg__stride row = s->strides[k], unit = {.c = 1, .degree = x.degree};
            row.c = 1;
            memcpy(unit.var, x.var, sizeof unit.var);
            if (row.degree && rg__stride_over(&unit, &row, &q)) s->strides[k].c = gcd(s->strides[k].c, x.c);
        }
    }
}

/* Largest first, each divides the one before, ends in 1. */
static bool order_strides(struct shape *s)
{
    for (int i = 0; i < s->n; i++)
        for (int k = i + 1; k < s->n; k++) {
            struct rg__stride q;
            if (rg__stride_over(&s->strides[k], &s->strides[i], &q)) {
                struct rg__stride x = s->strides[i];
                s->strides[i] = s->strides[k];
                s->strides[k] = x;
            }
        }
    for (int i = 0; i + 1 < s->n; i++) {
        struct rg__stride q;
        if (!rg__stride_over(&s->strides[i], &s->strides[i + 1], &q)) return false;
    }
    s->strides[s->n++] = (struct rg__stride){.c = 1};
    return s->n > 1;
}

/* Is there more in it than parameters? */
static bool moves(const struct rg_ctree *t, const struct rg__poly *p)
{
    struct rg__stride x;
    bool other = false;
    for (int i = 0; i < p->n; i++) other |= rg__stride_part(t, &p->terms[i], &x);
    return other;
}

/* p >= 0, proven or as a condition on the parameters. */
static bool ensure(struct shape *s, struct rg__range *r, const struct rg__poly *p, bool may_require)
{
    if (rg__prove(r, p)) return true;
    struct rg__poly low;
    int64_t c;
    if (!may_require || !s->need || !rg__lowest(r, p, &low) || rg__poly_is_int(&low, &c) || low.n > 4) return false;
    struct rg__poly pos = rg__poly_int(0), neg = rg__poly_int(0);
    for (int i = 0; i < low.n; i++) {
        struct rg__poly term = {.n = 1};
        term.terms[0] = low.terms[i];
        if (term.terms[0].c > 0)
            pos = rg__poly_add(&pos, &term, 1);
        else
            neg = rg__poly_add(&neg, &term, -1);
    }
    struct rg_cnode *n = rg__c_binary(s->t, RG_COP_LE, rg__poly_node(r, &neg), rg__poly_node(r, &pos));
    const struct rg_expr *e = rg__c_to_expr(s->t, n, s->a);
    if (!e) return false;
    for (int i = 0; i < s->need->n; i++)
        if (rg_expr_equal(s->need->items[i].expr, e)) return true;
    /* Rows that are read may overlap (the windows of a signal), and a call may be made for that; rows that are written,
     * or that data choose, are seldom meant to. */
    const bool open = (s->written || s->led) && s->need->open && s->need->open(s->need->arg, e, !moves(s->t, p));
    if (s->need->holds && !open && !s->need->holds(s->need->arg, e)) return false;
    struct rg_buf text = RG_BUF_INIT;
    rg_expr_print(&text, e, NULL, NULL);
    RG_GROW(s->need->items, s->need->n, s->need->cap);
    s->need->items[s->need->n++] =
        (struct rg__requirement){e, rg_arena_strdup(s->a, text.data),
                                 rg_arena_printf(s->a, "rows of %s must not overlap", s->t->arrays[s->array].name)};
    rg_buf_release(&text);
    return true;
}

/* A column that data say, alone: emit[state * n_symbols + seen[t]]. Data may lead it behind its row as far as the C is
 * concerned, which is where the linear subscript goes, too; of an array that is only read, nothing else follows from
 * the row it is in. */
static bool led_by_data(const struct shape *s, const struct rg__range *r, const struct rg__poly *sub)
{
    const struct rg_carray *x = &s->t->arrays[s->array];
    bool one = sub->n == 1 && sub->terms[0].c == 1 && sub->terms[0].degree == 1 && sub->terms[0].var[0] >= RG__ATOM;
    return one && x->is_const && x->param >= 0 &&
           rg__c_uncast(r->atoms[sub->terms[0].var[0] - RG__ATOM], RG__C_INT_CASTS)->kind == RG_C_INDEX;
}

static bool in_range(struct shape *s, struct rg__range *r, const struct rg__poly *sub, const struct rg__poly *dim,
                     bool may_require)
{
    if (may_require && led_by_data(s, r, sub)) return true;
    struct rg__poly one = rg__poly_int(1), low = rg__unshifted(&s->shifts, sub), top = rg__unshifted(&s->shifts, dim);
    top = rg__poly_add(&top, &low, -1);
    top = rg__poly_add(&top, &one, -1);
    return !low.bad && !top.bad && ensure(s, r, &low, may_require) && ensure(s, r, &top, may_require);
}

/* scratch[e] of a loop over all elements, beside scratch[t * 256 + j] of one over pieces: that its end is at most 256
 * is nothing to ask of a size. */
static bool goes_over_rows(const struct shape *s, const struct rg__poly *p, const struct rg__poly *row, int level)
{
    return s->t->arrays[s->array].param < 0 && !s->strides[level].degree && !row->n && moves(s->t, p);
}

static bool split_level(struct shape *s, struct rg__range *r, const struct rg__poly *p, int level,
                        struct rg_cnode **subs)
{
    if (level + 1 == s->n) {
        struct rg__poly own = rg__unshifted(&s->shifts, p);
        subs[level] = rg__poly_node(r, &own);
        return true;
    }
    struct rg__poly q, rest, row, dims[1];
    rg__poly_over(s->t, p, &s->strides[level], &q, &rest);
    struct rg__stride d;
    if (!rg__stride_over(&s->strides[level], &s->strides[level + 1], &d)) return false;
    dims[0] = rg__stride_poly(&d);
    struct rg__poly unit = rg__stride_poly(&s->strides[level]), one = rg__poly_int(1);
    for (int pass = 0; pass < 2; pass++)
        for (int shift = 0; shift < 3; shift++) { /* n - 1 - j belongs to the row before */
            int by = shift == 2 ? -1 : shift;
            if (pass == 1 && by && !moves(s->t, p))
                break; /* x[k] of the caller's k: other rows than the sizes lead to are as good */
            struct rg__poly inner = rg__poly_add(&rest, &unit, by), below, beyond;
            row = rg__poly_add(&q, &one, -by);
            /* what the next level will call its row must lie in [0, dims) */
            rg__poly_over(s->t, &inner, &s->strides[level + 1], &below, &beyond);
            bool last = level + 2 == s->n;
            struct rg__poly check = last ? inner : below;
            int needs = s->need ? s->need->n : 0;
            const bool may_require = pass == 1 && !goes_over_rows(s, p, &q, level);
            if (in_range(s, r, &check, &dims[0], may_require) && split_level(s, r, &inner, level + 1, subs)) {
                row = rg__unshifted(&s->shifts, &row);
                subs[level] = rg__poly_node(r, &row);
                return true;
            }
            if (s->need) s->need->n = needs;
        }
    return false;
}

static bool look_for_iterator(void *arg, struct rg_cnode *n)
{
    struct shape *s = arg;
    s->failed |= n->kind == RG_C_VAR && n->array < 0 && s->t->vars[n->var].kind == RG_CVAR_ITER;
    return true;
}

/* Said by a flat array's subscript, which rows would lose: x[k] of a loop over all elements. */
static bool known_flat(const struct shape *s, struct rg_cnode *at)
{
    struct shape found = {.t = s->t};
    rg__c_walk(at, look_for_iterator, &found);
    return found.failed && rg_c_affine(s->t, at);
}

/* Without the casts of the file, which subscripts are read through, a product may pass 2^31: not as 64 bits. */
static struct rg_cnode *wide(struct rg_ctree *t, struct rg_cnode *e)
{
    if (e->type != RG_I32 || (e->op != RG_COP_ADD && e->op != RG_COP_SUB && e->op != RG_COP_MUL)) return e;
    struct rg_cnode *a = wide(t, e->kid[0]), *b = wide(t, e->kid[1]);
    return rg__c_binary(t, e->op, e->op == RG_COP_MUL ? rg__c_cast(t, a, RG_LLONG) : a, b);
}

/* An element of nobody knows which row (the source's place, one that data lead to): row and column by division.
 * rg_c_linear finds the linear subscript again. */
static bool anywhere(struct shape *s, struct rg__range *r, struct rg_cnode *at, struct rg_cnode **subs)
{
    if (!s->perhaps || !s->strides[0].degree || !rg__c_pure(s->t, at) || known_flat(s, at)) return false;
    at = wide(s->t, at);
    for (int level = s->n - 1; level > 0; level--) {
        struct rg__stride d;
        if (!rg__stride_over(&s->strides[level - 1], &s->strides[level], &d)) return false;
        struct rg__poly dim = rg__stride_poly(&d), one = rg__poly_int(1), above;
        dim = rg__unshifted(&s->shifts, &dim);
        above = rg__poly_add(&dim, &one, -1);
        if (dim.bad || !ensure(s, r, &above, true)) return false;
        subs[level] = rg__c_binary(s->t, RG_COP_REM, rg__c_copy(s->t, at), rg__poly_node(r, &dim));
        at = rg__c_binary(s->t, RG_COP_DIV, rg__c_copy(s->t, at), rg__poly_node(r, &dim));
    }
    subs[0] = at;
    s->n_anywhere++;
    return true;
}

static void split_access(void *arg, const struct rg__visit *v)
{
    struct shape *s = arg;
    if (s->failed || !target_access(s, v)) return;
    struct rg__poly p = subscript_of(s, v);
    RG_GROW(s->splits, s->n_splits, s->cap_splits);
    struct split *x = &s->splits[s->n_splits];
    x->node = v->node;
    if ((p.bad || !split_level(s, v->range, &p, 0, x->subs)) && !anywhere(s, v->range, v->node->kid[0], x->subs))
        s->failed = true;
    else
        s->n_splits++;
}

static void apply(struct shape *s)
{
    struct rg_ctree *t = s->t;
    struct rg_carray *x = &t->arrays[s->array];
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, t, NULL);
    const struct rg_expr **dims = rg_arena_alloc(&t->arena, (size_t)s->n * sizeof *dims);
    for (int i = 1; i < s->n; i++) {
        struct rg__stride d;
        rg__stride_over(&s->strides[i - 1], &s->strides[i], &d);
        struct rg__poly p = rg__stride_poly(&d);
        p = rg__unshifted(&s->shifts, &p);
        dims[i] = rg__c_to_expr(t, rg__poly_node(r, &p), &t->arena);
    }
    if (x->param < 0) x->flat = x->dims[0];
    x->n_dims = s->n;
    x->dims = dims;
    x->delinearised = true;
    for (int i = 0; i < s->n_splits; i++) {
        struct rg_cnode *n = s->splits[i].node;
        n->n = s->n;
        n->kid = rg_arena_alloc(&t->arena, (size_t)s->n * sizeof *n->kid);
        for (int k = 0; k < s->n; k++) n->kid[k] = s->splits[i].subs[k];
    }
    free(r);
}

/* The rows that the strides chosen by mask make; false where an access does not fit. */
static bool split_all(struct shape *s, const struct rg__given *given, const struct rg__stride *all, int n, int mask)
{
    s->n = s->n_splits = s->n_anywhere = 0;
    s->failed = false;
    if (s->need) s->need->n = s->first_need;
    for (int i = 0; i < n; i++)
        if (mask >> i & 1) s->strides[s->n++] = all[i];
    if (!order_strides(s)) return false;
    rg__each_access(s->t, s->t->root, given, split_access, s);
    return !s->failed && s->n_anywhere < s->n_splits;
}

/* Which of the factors are rows, and which only steps (x[(i*stride + u)*W + j*stride + v])? The most that fit; the
 * fewest elements that lie nobody knows where. */
static bool choose_strides(struct shape *s, const struct rg__given *given)
{
    struct rg__stride all[MAX_STRIDES + 1];
    int n = s->n, best = 0, fewest = 0;
    memcpy(all, s->strides, sizeof all);
    for (int want = n; want > 0; want--)
        for (int mask = (1 << n) - 1; mask > 0; mask--) {
            if (__builtin_popcount((unsigned)mask) != want || !split_all(s, given, all, n, mask) ||
                (best && s->n_anywhere >= fewest))
                continue;
            best = mask, fewest = s->n_anywhere;
            if (!fewest) return true;
        }
    return best && split_all(s, given, all, n, best);
}

/* Do two terms have the same factors but for parameters? */
static bool same_others(const struct rg_ctree *t, const struct rg__term *a, const struct rg__term *b)
{
    int i = 0, k = 0;
    for (;; i++, k++) {
        while (i < a->degree && rg__stride_param(t, a->var[i])) i++;
        while (k < b->degree && rg__stride_param(t, b->var[k])) k++;
        if (i == a->degree || k == b->degree) return i == a->degree && k == b->degree;
        if (a->var[i] != b->var[k]) return false;
    }
}

/* What x, of a coefficient, is of `var * by`, where unit is the factor of both; false: that it is not. */
static bool length_less(const struct shape *s, const struct rg__poly *p, int at, const struct rg__stride *unit, int var,
                        struct rg__poly *by)
{
    *by = rg__poly_int(0);
    for (int k = 0; k < p->n; k++) {
        struct rg__stride b, q;
        if (k == at || !same_others(s->t, &p->terms[at], &p->terms[k])) continue;
        rg__stride_part(s->t, &p->terms[k], &b);
        if (!rg__stride_over(&b, unit, &q)) return false;
        struct rg__poly part = rg__stride_poly(&q);
        *by = rg__poly_add(by, &part, 1);
    }
    return by->n && !by->bad && !rg__poly_mentions(by, var);
}

struct mentions {
    struct shape *s;
    int var, n;
};

/* Terms of the array's subscripts that have a parameter as a factor, and nothing that moves. */
static void count_mentions(void *arg, const struct rg__visit *v)
{
    struct mentions *x = arg;
    if (!target_access(x->s, v)) return;
    struct rg__poly p = subscript_of(x->s, v);
    for (int i = 0; i < p.n && !p.bad; i++) {
        struct rg__stride m;
        if (rg__stride_part(x->s->t, &p.terms[i], &m)) continue;
        for (int k = 0; k < m.degree; k++) x->n += m.var[k] == x->var;
    }
}

/* Has what moves several terms, the same but for parameters, as i has in i*(n + 2)*m and in i*(n + m - 1)? Then a
 * parameter is shifted by the others: of several the one that columns have least. */
static void find_shift(void *arg, const struct rg__visit *v)
{
    struct shape *s = arg;
    if (s->failed || s->shifts.n == RG__MAX_SHIFTS || !target_access(s, v)) return;
    struct rg__poly p = subscript_of(s, v);
    struct rg__shift best = {.var = -1};
    int fewest = INT_MAX;
    for (int i = 0; i < p.n && !p.bad; i++) {
        struct rg__stride a;
        if (!rg__stride_part(s->t, &p.terms[i], &a)) continue;
        for (int d = 0; d < a.degree; d++) {
            struct rg__stride var = {.c = 1, .degree = 1, .var = {a.var[d]}}, unit;
            struct mentions m = {.s = s, .var = a.var[d]};
            struct rg__poly by;
            bool known = !rg__stride_over(&a, &var, &unit) || !length_less(s, &p, i, &unit, a.var[d], &by);
            for (int k = 0; k < s->shifts.n; k++)
                known = known || s->shifts.items[k].var == a.var[d]; /* rows of two lengths in it */
            if (known) continue;
            rg__each_access(s->t, s->t->root, s->given, count_mentions, &m);
            if (m.n >= fewest) continue;
            fewest = m.n;
            best = (struct rg__shift){a.var[d], by};
        }
        if (best.var >= 0) break;
    }
    if (best.var >= 0) s->shifts.items[s->shifts.n++] = best;
}

static bool try_rows(struct shape *s, const struct rg__given *given, bool finer)
{
    s->n = s->n_splits = s->n_anywhere = 0;
    s->failed = false;
    if (s->need) s->need->n = s->first_need;
    rg__each_access(s->t, s->t->root, given, collect, s);
    struct rg__stride before[MAX_STRIDES + 1];
    memcpy(before, s->strides, sizeof before);
    if (finer) rg__each_access(s->t, s->t->root, given, refine, s);
    bool same = finer;
    for (int i = 0; i < s->n; i++) same = same && s->strides[i].c == before[i].c;
    if (!same && !s->failed && s->n && choose_strides(s, given)) return true;
    if (s->need) s->need->n = s->first_need;
    return false;
}

/* How many dimensions the array is found to have; s->splits has the subscripts. */
static int look_for_rows(struct shape *s, const struct rg__given *given)
{
    s->perhaps = false;
    if (try_rows(s, given, false) || try_rows(s, given, true)) return s->n;
    s->perhaps = true;
    int plain = try_rows(s, given, false) ? s->n_anywhere : INT_MAX;
    if (try_rows(s, given, true) && s->n_anywhere < plain) return s->n;
    return try_rows(s, given, false) ? s->n : 1;
}

/* The rows of one array. */
static void rows_of(struct shape *s, const struct rg__given *given)
{
    struct rg_ctree *t = s->t;
    for (int before = -1; before < s->shifts.n;) {
        before = s->shifts.n;
        rg__each_access(t, t->root, given, find_shift, s);
    }
    struct rg__shifts shifts = s->shifts;
    int longer = shifts.n ? look_for_rows(s, given) : 1, unknown = s->n_anywhere;
    s->shifts.n = 0;
    int dims = look_for_rows(s, given);
    if (longer > 1 && (dims == 1 || unknown < s->n_anywhere || (unknown == s->n_anywhere && longer > dims))) {
        s->shifts = shifts;
        dims = look_for_rows(s, given);
    }
    if (dims > 1) apply(s);
    free(s->splits);
}

void rg__delinearize(struct rg_ctree *t, const struct rg_problem *p, struct rg_arena *a, struct rg__derived *need)
{
    struct rg__given *given = rg__given_of(t, p);
    for (int written = 1; written >= 0; written--) /* what those ask for, others may rely on */
        for (int array = 0; array < t->n_arrays; array++) {
            const struct rg_carray *x = &t->arrays[array];
            bool local = x->param < 0 && !x->mallocd, flat = x->walked && x->dims[0] && x->dims[0]->kind != RG_EXPR_INT;
            if (x->n_dims != 1 || (local && !flat) || x->constant_table) continue;
            struct shape s = {
                .t = t, .a = a, .array = array, .need = need, .first_need = need ? need->n : 0, .given = given};
            s.written = !x->is_const && rg__writes_array(t->root, array);
            if (s.written == written) rows_of(&s, given);
        }
    rg__given_free(given);
}

/* Is the length of rows a sum, other than one that is known? */
static bool sum_of_params(const struct rg_ctree *t, const struct rg__shifts *known, const struct rg__poly *length,
                          struct rg__shift *by)
{
    struct rg__poly own = rg__shifted(known, length);
    for (int i = 0; i < own.n && own.n > 1 && !own.bad; i++) {
        const struct rg__term *x = &own.terms[i];
        bool is_new = x->degree == 1 && x->c == 1 && rg__stride_param(t, x->var[0]);
        for (int k = 0; k < known->n; k++) is_new = is_new && known->items[k].var != x->var[0];
        if (!is_new) continue;
        struct rg__poly var = rg__poly_var(x->var[0]);
        *by = (struct rg__shift){x->var[0], rg__poly_add(&own, &var, -1)};
        if (!rg__poly_mentions(&by->by, x->var[0])) return true;
    }
    return false;
}

void rg__outer_dims(struct rg_ctree *t, const struct rg_problem *p)
{
    struct rg__range *r = rg_xmalloc(sizeof *r);
    for (int array = 0; array < t->n_arrays; array++) {
        struct rg_carray *x = &t->arrays[array];
        const struct rg_expr *flat = x->flat, *rows;
        if (x->param >= 0) flat = p->params[x->param].dims[0];
        if (!x->delinearised) {
            if (x->param >= 0 && !x->constant_table) x->dims = p->params[x->param].dims;
            continue;
        }
        const struct rg_expr **own = (const struct rg_expr **)(uintptr_t)x->dims;
        if (!flat && x->mallocd) rg__infer_rows(t, p, array, &own[0]);
        if (!flat) continue;
        struct rg_cnode *n = rg__c_from_expr(t, flat);
        rg__range_init(r, t, NULL);
        if (!n) continue;
        struct rg__poly e = rg__poly_of(r, n), stride = rg__poly_int(1), q, rest;
        struct rg__shifts shifts = {0};
        for (int d = 1; d < x->n_dims; d++) {
            struct rg__poly k = rg__poly_of(r, rg__c_from_expr(t, x->dims[d]));
            struct rg__shift by;
            if (shifts.n < RG__MAX_SHIFTS && sum_of_params(t, &shifts, &k, &by)) shifts.items[shifts.n++] = by;
            stride = rg__poly_mul(&stride, &k);
        }
        e = rg__shifted(&shifts, &e);
        stride = rg__shifted(&shifts, &stride);
        own[0] = rg__rows_that_hold(t, x);
        if (e.bad || stride.bad || stride.n != 1) continue;
        struct rg__stride s = {.c = stride.terms[0].c, .degree = stride.terms[0].degree};
        memcpy(s.var, stride.terms[0].var, sizeof s.var);
        rg__poly_over(t, &e, &s, &q, &rest);
        q = rg__unshifted(&shifts, &q);
        if (rest.n == 0)
            own[0] = rg__c_to_expr(t, rg__poly_node(r, &q), &t->arena);
        else if (rg__infer_rows(t, p, array, &rows))
            own[0] = rows;
    }
    free(r);
}
