/* A loop over n*m elements runs as a nest over n and m: products of parameters are not affine, the nest is. */
#include "frontend/normalise/canon.h"
#include "ir/access_walk.h"
#include "ir/ctree_sort.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_FACTORS = 4 }; /* parameters of a product; one more for what is constant */

struct stride {                     /* of an array's subscript: a loop variable has this factor */
    int array, n, var[MAX_FACTORS]; /* sorted parameters */
    int64_t c;
};

struct strides {
    struct rg_ctree *t;
    bool *is_stride; /* by variable: multiplies a loop variable in some subscript */
    int n, cap;
    struct stride *items;
};

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

static bool each(void *arg, struct rg_cnode *n)
{
    if (rg__c_is_expr(n)) return false;
    struct rg_csort sort;
    if (n->kind == RG_C_LOOP && n->n == 3 && !rg_c_sort_of(n, &sort)) nest(arg, n);
    return true;
}

void rg__canon_products(struct rg_ctree *t)
{
    struct rg__given *given = rg__given_of(t, NULL);
    struct strides s = {.t = t, .is_stride = rg_xcalloc((size_t)t->n_vars + 1, sizeof(bool))};
    rg__each_access(t, t->root, given, note_strides, &s);
    rg__c_walk(t->root, each, &s);
    free(s.is_stride);
    free(s.items);
    rg__given_free(given);
}
