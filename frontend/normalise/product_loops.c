/* A loop over n*m elements runs as a nest over n and m: products of parameters are not affine, the nest is. Factors may
 * be sums, (n + 2)*(m + 2), where an array that the loop touches has rows of such a length: else the product becomes a
 * symbol (size_symbols.c). So it does where a loop goes along an array from another place than its first, up or down
 * (`for (c = n*m; c > 0; c--) start[c] = start[c - 1];`), and nobody knows of rows: no nest has such subscripts. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/size_symbols.h"
#include "ir/access_walk.h"
#include "ir/ctree_sort.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_FACTORS = 4 }; /* parameters of a product; one more for what is constant */

struct stride {                     /* of an array's subscript: a loop variable has this factor */
    int array, n, var[MAX_FACTORS]; /* sorted parameters */
    int64_t c;
};

struct row { /* of an array: what a loop variable is multiplied by in a subscript */
    int array;
    struct rg__poly length;
};

struct strides {
    struct rg__load *l;
    struct rg_ctree *t;
    struct rg__range *range;
    bool *is_stride; /* by variable: multiplies a loop variable in some subscript */
    int n, cap;
    struct stride *items;
    int n_rows, cap_rows;
    struct row *rows;
    bool *shifted; /* by array: a loop over a product goes along it from another place than the first */
};

static void add_row(struct strides *s, int array, const struct rg__poly *length)
{
    for (int i = 0; i < s->n_rows; i++)
        if (s->rows[i].array == array && rg__poly_equal(&s->rows[i].length, length)) return;
    RG_GROW(s->rows, s->n_rows, s->cap_rows);
    s->rows[s->n_rows++] = (struct row){array, *length};
}

static bool of_params(const struct rg_ctree *t, const struct rg__poly *p)
{
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->terms[i].degree; k++) {
            int var = p->terms[i].var[k];
            if (var >= RG__ATOM || t->vars[var].kind != RG_CVAR_PARAM || t->vars[var].assigned) return false;
        }
    return !p->bad;
}

/* Lengths of rows that are sums of parameters. */
static void note_rows(struct strides *s, int array, const struct rg__poly *p)
{
    for (int i = 0; i < p->n && !p->bad; i++)
        for (int k = 0; k < p->terms[i].degree; k++) {
            int var = p->terms[i].var[k];
            struct rg__poly length, rest;
            if (var >= RG__ATOM || s->t->vars[var].kind == RG_CVAR_PARAM) continue;
            if (rg__poly_split(p, var, &length, &rest) && length.n && of_params(s->t, &length))
                add_row(s, array, &length);
        }
}

static void add_stride(struct strides *s, const struct stride *x)
{
    for (int i = 0; i < s->n; i++)
        if (!memcmp(&s->items[i], x, sizeof *x)) return;
    RG_GROW(s->items, s->n, s->cap);
    s->items[s->n++] = *x;
}

static void note_strides(void *arg, const struct rg__visit *v)
{
    struct strides *s = arg;
    if (v->node->kind != RG_C_INDEX) return;
    for (int d = 0; d < v->node->n; d++) {
        struct rg__poly p = rg__poly_of(v->range, v->node->kid[d]);
        note_rows(s, v->node->array, &p);
        for (int i = 0; i < p.n && !p.bad; i++) {
            struct stride x;
            bool other = false, fits = true;
            memset(&x, 0, sizeof x); /* compared as bytes */
            x.array = v->node->array;
            x.c = p.terms[i].c;
            for (int k = 0; k < p.terms[i].degree; k++) {
                int var = p.terms[i].var[k];
                bool param = var < RG__ATOM && s->t->vars[var].kind == RG_CVAR_PARAM;
                other |= !param;
                if (param && x.n < MAX_FACTORS)
                    x.var[x.n++] = var;
                else
                    fits &= !param;
            }
            for (int k = 0; other && k < x.n; k++) s->is_stride[x.var[k]] = true;
            if (other && fits) add_stride(s, &x);
        }
    }
}

/* Parameters in the order the product names them. */
static bool factors(const struct rg_ctree *t, const struct rg_cnode *e, int *var, int *n, int64_t *c)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->op == RG_COP_MUL) return factors(t, e->kid[0], var, n, c) && factors(t, e->kid[1], var, n, c);
    if (e->kind == RG_C_INT && e->ivalue > 0 && e->ivalue < 1 << 20) {
        *c *= e->ivalue;
        return *c < 1 << 30;
    }
    if (e->kind != RG_C_VAR || e->array >= 0 || t->vars[e->var].kind != RG_CVAR_PARAM || t->vars[e->var].assigned ||
        *n == MAX_FACTORS)
        return false;
    var[(*n)++] = e->var;
    return true;
}

/* How many of the products of the last factors (-1: the constant c) are strides of arrays that the loop touches. */
static int agreeing(const struct strides *s, const struct rg_cnode *body, const int *order, int levels, int64_t c)
{
    int agree = 0;
    struct stride x;
    memset(&x, 0, sizeof x);
    x.c = 1;
    for (int i = levels - 1; i > 0; i--) {
        if (order[i] < 0) {
            x.c *= c;
        } else {
            int at = x.n++;
            for (; at > 0 && x.var[at - 1] > order[i]; at--) x.var[at] = x.var[at - 1];
            x.var[at] = order[i];
        }
        for (int k = 0; k < s->n; k++) {
            x.array = s->items[k].array;
            if (!memcmp(&x, &s->items[k], sizeof x) && rg__c_mentions_array(body, x.array)) {
                agree++;
                break;
            }
        }
    }
    return agree;
}

/* The order of the factors, outermost first, in which the touched arrays are laid out; of equal ones the first. */
static void permute(const struct strides *s, const struct rg_cnode *body, int *order, int from, int levels, int64_t c,
                    int *best, int *most)
{
    if (from == levels) {
        int agree = agreeing(s, body, order, levels, c);
        if (agree > *most) {
            *most = agree;
            memcpy(best, order, sizeof *order * (size_t)levels);
        }
        return;
    }
    for (int i = from; i < levels; i++) {
        int at = order[i];
        memmove(order + from + 1, order + from, sizeof *order * (size_t)(i - from));
        order[from] = at;
        permute(s, body, order, from + 1, levels, c, best, most);
        memmove(order + from, order + from + 1, sizeof *order * (size_t)(i - from));
        order[i] = at;
    }
}

/* Is `e` the product of the factors behind the first? Then the loop starts with the second row: `for (k = w; k < w*h;
 * k++)`. */
static bool one_row(const struct rg_ctree *t, const struct rg_cnode *e, const int *order, int levels, int64_t c)
{
    int var[MAX_FACTORS], n = 0, left = 0;
    int64_t k = 1, want = 1;
    if (!factors(t, e, var, &n, &k)) return false;
    for (int i = 1; i < levels; i++) {
        if (order[i] < 0) {
            want = c;
            continue;
        }
        left++;
        for (int v = 0; v < n; v++)
            if (var[v] == order[i]) {
                var[v] = -1;
                left--;
                break;
            }
    }
    return !left && k == want && n == levels - 1 - (want > 1);
}

/* The loop as a nest over the factors, outermost first. */
static void make_nest(struct rg_ctree *t, struct rg_cnode *l, struct rg_cnode **extent, int levels, bool from_zero)
{
    const struct rg_cvar v = t->vars[l->var];
    int iter[MAX_FACTORS + 1] = {0};
    for (int i = 0; i < levels; i++) iter[i] = rg__c_add_var(t, v.name, RG_CVAR_ITER, v.type);
    struct rg_cnode *flat = rg__c_var(t, iter[0]);
    for (int i = 1; i < levels; i++)
        flat = rg__c_binary(t, RG_COP_ADD, rg__c_binary(t, RG_COP_MUL, flat, rg__c_copy(t, extent[i])),
                            rg__c_var(t, iter[i]));
    struct rg_cnode *body = rg__c_replace_var(t, l->kid[2], l->var, flat);
    for (int i = levels - 1; i > 0; i--) {
        struct rg_cnode *in = rg_cnode_new(t, RG_C_LOOP, 3);
        in->var = iter[i];
        in->step = 1;
        in->kid[0] = rg__c_int(t, 0);
        in->kid[1] = extent[i];
        in->kid[2] = body;
        in->line = l->line;
        in->column = l->column;
        in->parallel_hint = l->parallel_hint;
        struct rg_cnode *b = rg_cnode_new(t, RG_C_BLOCK, 1);
        b->kid[0] = in;
        body = b;
    }
    l->var = iter[0];
    if (!from_zero) l->kid[0] = rg__c_int(t, 1);
    l->kid[1] = extent[0];
    l->kid[2] = body;
}

/* ---- products that stay in one piece ---- */

struct along { /* a loop over a product */
    struct strides *s;
    const struct rg_cnode *loop;
    struct rg__poly product, symbol; /* symbol: what stands for it; n == 0: it is only asked whether one could */
    bool other;                      /* a subscript is none of: the variable, up or down, from a place on */
    bool shifted, any; /* one begins at another place than the first; one is of an array that is shifted */
};

/* p without k times the product. */
static int64_t times_product(const struct along *a, struct rg__poly *p)
{
    for (int i = 0; i < p->n && !p->bad; i++) {
        if (p->terms[i].degree != a->product.terms[0].degree || p->terms[i].c % a->product.terms[0].c) continue;
        const int64_t k = p->terms[i].c / a->product.terms[0].c;
        struct rg__poly rest = rg__poly_add(p, &a->product, -k);
        if (rest.bad || rest.n >= p->n) continue;
        *p = rest;
        return k;
    }
    return 0;
}

static bool see_along(void *arg, struct rg_cnode *n)
{
    struct along *a = arg;
    if (n->kind != RG_C_INDEX || !rg__c_mentions_var(n, a->loop->var)) return true;
    struct rg__poly p = n->n == 1 ? rg__poly_of(a->s->range, n->kid[0]) : rg__poly_int(0), by, rest;
    int64_t one, c;
    const int64_t k = times_product(a, &p);
    if (n->n != 1 || n->pointer || !rg__poly_split(&p, a->loop->var, &by, &rest) || !rg__poly_is_int(&by, &one) ||
        (one != 1 && one != -1) || !rg__poly_is_int(&rest, &c)) {
        a->other = true; /* what stands in the subscript of another is led by data, and seen by itself */
        return true;
    }
    a->shifted |= one < 0 || c || k;
    a->any |= a->s->shifted[n->array];
    if (!a->symbol.n || !k) return false;
    p = rg__poly_add(&p, &a->symbol, k);
    if (!p.bad) n->kid[0] = rg__poly_node(a->s->range, &p);
    return false;
}

static bool mark_shifted(void *arg, struct rg_cnode *n)
{
    struct along *a = arg;
    if (n->kind == RG_C_INDEX && rg__c_mentions_var(n, a->loop->var)) a->s->shifted[n->array] = true;
    return true;
}

/* Does the loop end by a product that no array which it goes along has rows of, and goes along one from elsewhere? */
static bool is_along(struct strides *s, struct rg_cnode *l, struct along *a)
{
    int var[MAX_FACTORS], n = 0, most = 0;
    int64_t c = 1;
    const struct rg_cnode *lo = rg__c_uncast(l->kid[0], RG__C_CASTS);
    *a = (struct along){.s = s, .loop = l};
    if (l->step != 1 || lo->kind != RG_C_INT || lo->ivalue || !factors(s->t, l->kid[1], var, &n, &c) || n < 2)
        return false;
    int best[MAX_FACTORS + 1];
    permute(s, l->kid[2], var, 0, n, 1, best, &most);
    a->product = rg__poly_of(s->range, l->kid[1]);
    if (most || a->product.bad || a->product.n != 1) return false;
    rg__c_walk(l->kid[2], see_along, a);
    return !a->other;
}

static bool find_shifted(void *arg, struct rg_cnode *n)
{
    struct along a;
    if (rg__c_is_expr(n)) return false;
    if (n->kind == RG_C_LOOP && n->n == 3 && is_along(arg, n, &a) && a.shifted) rg__c_walk(n->kid[2], mark_shifted, &a);
    return true;
}

/* False: the loop stays a loop over a product. */
static bool as_symbol(struct strides *s, struct rg_cnode *l)
{
    struct along a;
    if (!is_along(s, l, &a) || (!a.shifted && !a.any)) return false;
    const char *name = rg_arena_printf(&s->t->arena, "%s_end", s->t->vars[l->var].wanted);
    struct rg_cnode *end = rg__derive_symbol(s->l, name, rg__c_copy(s->t, l->kid[1]));
    if (!end) return false;
    l->kid[1] = end;
    a.symbol = rg__poly_of(s->range, end);
    rg__c_walk(l->kid[2], see_along, &a);
    return true;
}

static void nest(const struct strides *s, struct rg_cnode *l)
{
    struct rg_ctree *t = s->t;
    int var[MAX_FACTORS], n = 0;
    int64_t c = 1;
    const struct rg_cnode *lo = l->kid[0];
    lo = rg__c_uncast(lo, RG__C_CASTS);
    bool from_zero = lo->kind == RG_C_INT && lo->ivalue == 0;
    if (l->step != 1 || (!from_zero && lo->kind == RG_C_INT) || !factors(t, l->kid[1], var, &n, &c) || n < 1 ||
        n + (c > 1) < 2)
        return;
    /* factors that are strides elsewhere become inner loops */
    int order[MAX_FACTORS + 1], best[MAX_FACTORS + 1], k = 0, most = -1;
    for (int i = 0; i < n; i++)
        if (!s->is_stride[var[i]]) order[k++] = var[i];
    for (int i = 0; i < n; i++)
        if (s->is_stride[var[i]]) order[k++] = var[i];
    if (c > 1) order[k++] = -1;
    int levels = k;
    permute(s, l->kid[2], order, 0, levels, c, best, &most);
    if (n < 2 && most < 1) return; /* a multiple of one parameter is affine as it is, unless the array has rows of it */
    if (!from_zero && !one_row(t, lo, best, levels, c)) return;
    struct rg_cnode *extent[MAX_FACTORS + 1];
    for (int i = 0; i < levels; i++) extent[i] = best[i] < 0 ? rg__c_int(t, c) : rg__c_var(t, best[i]);
    make_nest(t, l, extent, levels, from_zero);
}

/* ---- factors that are sums ---- */

static bool params_only(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR) return e->array < 0 && t->vars[e->var].kind == RG_CVAR_PARAM && !t->vars[e->var].assigned;
    for (int i = 0; i < e->n; i++)
        if (!params_only(t, e->kid[i])) return false;
    return e->kind == RG_C_INT || e->kind == RG_C_BINARY || e->kind == RG_C_CAST || e->kind == RG_C_UNARY;
}

struct factors {
    int n;
    struct rg_cnode *items[3];
    bool sum;  /* one has more than one term, or is `other` */
    int other; /* one that is no expression of parameters: how many rows there are; -1: none is */
};

static bool find_factors(struct rg_ctree *t, struct rg_cnode *e, struct factors *f)
{
    e = (struct rg_cnode *)rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->op == RG_COP_MUL && rg__mentions_kind(e->kid[0], RG_C_VAR) && rg__mentions_kind(e->kid[1], RG_C_VAR))
        return find_factors(t, e->kid[0], f) && find_factors(t, e->kid[1], f);
    e = rg__c_strip_int_casts(rg__c_copy(t, e));
    const bool affine = params_only(t, e) && rg_c_affine(t, e);
    if (f->n == 3 || (!affine && f->other >= 0)) return false;
    if (!affine) f->other = f->n;
    f->sum |= e->kind != RG_C_VAR || !affine;
    f->items[f->n++] = e;
    return true;
}

bool rg__product_of_sums(struct rg_ctree *t, const struct rg_cnode *e)
{
    struct factors f = {.other = -1};
    return find_factors(t, (struct rg_cnode *)e, &f) && f.n > 1 && f.sum && f.other < 0;
}

/* Is it the same in all iterations? */
static bool stays(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *body)
{
    if (e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER || e->kind == RG_C_CALL || e->pointer) return false;
    if (e->kind == RG_C_VAR && (e->array >= 0 || rg__c_writes_var(body, e->var))) return false;
    for (int i = 0; i < e->n; i++)
        if (!stays(t, e->kid[i], body)) return false;
    return rg__c_pure(t, e);
}

/* How many of the products of the last factors are rows of arrays that the loop touches. */
static int agreeing_rows(const struct strides *s, const struct rg_cnode *body, struct rg_cnode *const *factor, int n)
{
    int agree = 0;
    struct rg__poly length = rg__poly_int(1);
    for (int i = n - 1; i > 0; i--) {
        struct rg__poly f = rg__poly_of(s->range, factor[i]);
        length = rg__poly_mul(&length, &f);
        for (int k = 0; k < s->n_rows; k++)
            if (rg__poly_equal(&s->rows[k].length, &length) && rg__c_mentions_array(body, s->rows[k].array)) {
                agree++;
                break;
            }
    }
    return agree;
}

static void nest_sums(struct strides *s, struct rg_cnode *l)
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    struct rg_cnode *best[3], *order[3];
    const struct rg_cnode *lo = rg__c_uncast(l->kid[0], RG__C_CASTS);
    struct factors f = {.other = -1};
    int most = 0;
    if (!find_factors(s->t, l->kid[1], &f) || f.n < 2 || !f.sum ||
        (f.other >= 0 && !stays(s->t, f.items[f.other], l->kid[2])))
        return;
    for (int k = 0; k < (f.n == 2 ? 2 : 6) && l->step == 1 && lo->kind == RG_C_INT && lo->ivalue == 0; k++) {
        bool fits = f.other < 0 || orders[k][0] == f.other;
        for (int i = 0; i < f.n; i++) {
            order[i] = f.items[orders[k][i]];
            struct rg__poly p = rg__poly_of(s->range, order[i]);
            fits = fits && (i == 0 || rg__prove(s->range, &p)); /* two negative factors make a positive product */
        }
        int agree = fits ? agreeing_rows(s, l->kid[2], order, f.n) : 0;
        if (agree <= most) continue;
        most = agree;
        memcpy(best, order, sizeof best);
    }
    if (most) {
        make_nest(s->t, l, best, f.n, true);
        return;
    }
    const char *name = rg_arena_printf(&s->t->arena, "%s_end", s->t->vars[l->var].wanted);
    struct rg_cnode *end = f.other < 0 ? rg__derive_symbol(s->l, name, l->kid[1]) : NULL;
    if (end) l->kid[1] = end;
}

static bool each(void *arg, struct rg_cnode *n)
{
    if (rg__c_is_expr(n)) return false;
    struct rg_csort sort;
    if (n->kind != RG_C_LOOP || n->n != 3 || rg_c_sort_of(n, &sort)) return true;
    if (as_symbol(arg, n)) return true;
    nest(arg, n);
    nest_sums(arg, n);
    return true;
}

enum rg_status rg__canon_products(struct rg__load *l)
{
    struct rg_ctree *t = l->t;
    struct rg__given *given = rg__given_of(t, NULL);
    struct strides s = {.l = l,
                        .t = t,
                        .range = rg_xmalloc(sizeof *s.range),
                        .is_stride = rg_xcalloc((size_t)t->n_vars + 1, sizeof(bool)),
                        .shifted = rg_xcalloc((size_t)t->n_arrays + 1, sizeof(bool))};
    struct rg__given *known = rg__given_of(t, l->p);
    rg__range_init(s.range, t, known);
    rg__each_access(t, t->root, given, note_strides, &s);
    rg__c_walk(t->root, find_shifted, &s);
    rg__c_walk(t->root, each, &s);
    rg__given_free(known);
    free(s.range);
    free(s.rows);
    free(s.is_stride);
    free(s.shifted);
    free(s.items);
    rg__given_free(given);
    return RG_OK;
}
