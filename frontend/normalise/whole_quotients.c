/* Whole quotients: behind `if (n <= 0 || n % 8) return -1;` the size n is eights, so that (n + 7) / 8 is n / 8 and
 * n % 8 is 0: rows of one length, which are then seen to be such. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/size_symbols.h"
#include <stdlib.h>

struct whole {
    struct rg__load *l;
    struct rg_ctree *t;
    int64_t *by;  /* by variable: it is a multiple of that; 0: nothing is known */
    bool *counts; /* by variable: it is not negative */
};

/* Without conversions that leave every value as it is, but for negative ones that become unsigned. */
static const struct rg_cnode *widened(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && !e->pointer && rg__scalar_is_int(e->type) && e->type != RG_BOOL &&
           rg__scalar_is_int(e->kid[0]->type)) {
        const size_t to = rg_scalar_bytes(e->type), from = rg_scalar_bytes(e->kid[0]->type);
        if (to < from || (to == from && rg_scalar_is_signed(e->type) && !rg_scalar_is_signed(e->kid[0]->type))) break;
        e = e->kid[0];
    }
    return e;
}

/* A size that nothing sets; -1. */
static int size_of(const struct rg_ctree *t, const struct rg_cnode *e)
{
    e = widened(e);
    const bool is = e->kind == RG_C_VAR && e->array < 0 && !e->pointer && t->vars[e->var].kind == RG_CVAR_PARAM &&
                    !t->vars[e->var].assigned && rg__scalar_is_int(t->vars[e->var].type);
    return is ? e->var : -1;
}

/* May a negative value of it have become unsigned on the way to `e`? Its rests are others then, but by powers of two.
 */
static bool turned_unsigned(const struct rg_ctree *t, const struct rg_cnode *e, int v)
{
    return !rg_scalar_is_signed(e->type) && rg_scalar_is_signed(t->vars[v].type);
}

/* What n % 8, n & 7 and their like are the rest of; 0: it is something else. */
static int64_t rest_by(const struct rg_ctree *t, const struct rg_cnode *e, int *var)
{
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    if ((e->op != RG_COP_REM && e->op != RG_COP_BAND) || e->kid[1]->kind != RG_C_INT) return 0;
    const int64_t k = e->kid[1]->ivalue, by = e->op == RG_COP_REM ? k : k + 1;
    *var = size_of(t, e->kid[0]);
    if (*var >= 0 && (by & (by - 1)) && turned_unsigned(t, e->kid[0], *var)) return 0;
    return *var >= 0 && by > 1 && (e->op == RG_COP_REM || !(by & (by - 1))) ? by : 0;
}

static bool is_int(const struct rg_cnode *e, int64_t least)
{
    return e->kind == RG_C_INT && e->ivalue >= least;
}

/* v > -1 and its like, either way round, where that holds. */
static void learn_sign(struct whole *w, const struct rg_cnode *c, bool holds)
{
    static const enum rg_c_op
        turned[][2] = {{RG_COP_LT, RG_COP_GT}, {RG_COP_LE, RG_COP_GE}, {RG_COP_GT, RG_COP_LT}, {RG_COP_GE, RG_COP_LE}},
        denied[][2] = {{RG_COP_LT, RG_COP_GE}, {RG_COP_LE, RG_COP_GT}, {RG_COP_GT, RG_COP_LE}, {RG_COP_GE, RG_COP_LT}};
    for (int side = 0; side < 2; side++) {
        const int v = size_of(w->t, c->kid[side]);
        enum rg_c_op op = c->op;
        for (int i = 0; i < 4 && side; i++)
            if (turned[i][0] == c->op) op = turned[i][1];
        for (int i = 0; i < 4 && !holds; i++)
            if (denied[i][0] == op) {
                op = denied[i][1];
                break;
            }
        if (v < 0 || !rg_scalar_is_signed(c->kid[side]->type)) continue; /* -1 < n of unsigned is something else */
        if ((op == RG_COP_GT && is_int(c->kid[1 - side], -1)) || (op == RG_COP_GE && is_int(c->kid[1 - side], 0)))
            w->counts[v] = true;
    }
}

static void learn(struct whole *w, const struct rg_cnode *c, bool holds)
{
    int v = -1;
    int64_t by;
    c = rg__c_uncast(c, RG__C_WIDE_CASTS);
    if (c->op == RG_COP_NOT) {
        learn(w, c->kid[0], !holds);
    } else if (c->op == (holds ? RG_COP_AND : RG_COP_OR)) {
        learn(w, c->kid[0], holds);
        learn(w, c->kid[1], holds);
    } else if (c->op == (holds ? RG_COP_EQ : RG_COP_NE) && c->kid[1]->kind == RG_C_INT && !c->kid[1]->ivalue) {
        if ((by = rest_by(w->t, c->kid[0], &v))) w->by[v] = by;
    } else if (c->kind == RG_C_BINARY && rg_c_relation(c->op) && c->op != RG_COP_EQ && c->op != RG_COP_NE) {
        learn_sign(w, c, holds);
    } else if (!holds && (by = rest_by(w->t, c, &v))) {
        w->by[v] = by;
    }
}

/* n, or n + k with k below d: then n / d is the quotient, k the rest. */
static bool is_whole(const struct whole *w, const struct rg_cnode *e, int64_t d, const struct rg_cnode **n, int64_t *k)
{
    int64_t rest = 0;
    const struct rg_cnode *sum = widened(e), *of = e;
    if (sum->op == RG_COP_ADD && sum->kind == RG_C_BINARY && !sum->pointer) {
        const int number = sum->kid[1]->kind == RG_C_INT ? 1 : 0;
        if (sum->kid[number]->kind != RG_C_INT) return false;
        if (!rg_scalar_is_signed(sum->type) && (d & (d - 1))) return false; /* it may wrap around */
        rest = sum->kid[number]->ivalue;
        of = sum->kid[1 - number];
    }
    const int v = size_of(w->t, of);
    if (v < 0 || d < 2 || !w->by[v] || w->by[v] % d || rest < 0 || rest >= d) return false;
    if (rest && !w->counts[v] && rg_scalar_is_signed(w->t->vars[v].type)) return false;
    if ((d & (d - 1)) && !w->counts[v] && (turned_unsigned(w->t, e, v) || turned_unsigned(w->t, sum, v))) return false;
    *n = of;
    *k = rest;
    return true;
}

static struct rg_cnode *simpler(const struct whole *w, struct rg_cnode *n)
{
    const struct rg_cnode *of;
    int64_t k, d = 0;
    if (!n) return n;
    for (int i = 0; i < n->n; i++) n->kid[i] = simpler(w, n->kid[i]);
    if (n->kind != RG_C_BINARY || n->kid[1]->kind != RG_C_INT || !rg__scalar_is_int(n->type)) return n;
    const int64_t by = n->kid[1]->ivalue;
    if (n->op == RG_COP_DIV || n->op == RG_COP_REM) d = by;
    if (n->op == RG_COP_SHR && by > 0 && by < 31) d = (int64_t)1 << by;
    if (n->op == RG_COP_BAND && by > 0 && by < INT32_MAX && !(by & (by + 1))) d = by + 1;
    if (!d || !is_whole(w, n->kid[0], d, &of, &k)) return n;
    if (n->op == RG_COP_REM || n->op == RG_COP_BAND) return rg__c_cast(w->t, rg__c_int(w->t, k), n->type);
    if (k) n->kid[0] = rg__c_cast(w->t, rg__c_copy(w->t, of), n->kid[0]->type);
    return n;
}

static bool is_quotient(const struct whole *w, const struct rg_cnode *n, int v)
{
    return n->kind == RG_C_BINARY && n->op == RG_COP_DIV && n->kid[1]->kind == RG_C_INT && n->kid[1]->ivalue > 1 &&
           size_of(w->t, n->kid[0]) == v && w->by[v] % n->kid[1]->ivalue == 0 && rg__scalar_is_int(n->type);
}

/* The number by which the size is divided where that is the length of rows (`p * (n / 8)`); 0: nowhere. */
static int64_t divisor(const struct whole *w, const struct rg_cnode *n, int v)
{
    int64_t d = 0;
    if (!n) return 0;
    for (int i = 0; i < 2 && n->kind == RG_C_BINARY && n->op == RG_COP_MUL; i++) {
        const struct rg_cnode *q = widened(n->kid[i]);
        if (is_quotient(w, q, v) && widened(n->kid[1 - i])->kind != RG_C_INT) return q->kid[1]->ivalue;
    }
    for (int i = 0; i < n->n && !d; i++) d = divisor(w, n->kid[i], v);
    return d;
}

/* n as d * (n / d), and that quotient as the symbol it is: a loop to n leads into a row of n / d elements. */
static struct rg_cnode *in_parts(const struct whole *w, struct rg_cnode *n, int v, int64_t d,
                                 const struct rg_cnode *symbol)
{
    struct rg_ctree *t = w->t;
    if (!n) return n;
    if (is_quotient(w, n, v) && n->kid[1]->ivalue == d) return rg__c_cast(t, rg__c_copy(t, symbol), n->type);
    if (n->kind == RG_C_VAR && n->array < 0 && !n->pointer && n->var == v) {
        struct rg_cnode *parts = rg__c_binary(t, RG_COP_MUL, rg__c_int(t, d), rg__c_copy(t, symbol));
        return rg__c_cast(t, rg__c_stands(parts, n), t->vars[v].type);
    }
    for (int i = 0; i < n->n; i++) n->kid[i] = in_parts(w, n->kid[i], v, d, symbol);
    return n;
}

static void by_parts(const struct whole *w, struct rg_cnode **body, int v)
{
    struct rg_ctree *t = w->t;
    const enum rg_scalar type = t->vars[v].type;
    const bool counts = w->counts[v] || !rg_scalar_is_signed(type), fits = type != RG_ULONG && type != RG_ULLONG;
    const int64_t d = counts && fits && rg_scalar_bytes(type) >= 4 ? divisor(w, *body, v) : 0;
    if (!d) return;
    struct rg_cnode *s = rg__derive_symbol(w->l, rg_arena_printf(&t->arena, "%s_parts", t->vars[v].name),
                                           rg__c_binary(t, RG_COP_DIV, rg__c_var(t, v), rg__c_int(t, d)));
    if (s) *body = in_parts(w, *body, v, d, s);
}

static void arm(const struct whole *known, struct rg_cnode **body, const struct rg_cnode *c, bool holds)
{
    const size_t n = (size_t)known->t->n_vars + 1;
    struct whole w = {known->l, known->t, rg_xcalloc(n, sizeof *w.by), rg_xcalloc(n, sizeof *w.counts)};
    learn(&w, c, holds);
    bool any = false;
    for (size_t v = 0; v + 1 < n; v++) any |= w.by[v] != 0;
    if (any) *body = simpler(&w, *body);
    for (int v = 0; v + 1 < (int)n; v++)
        if (w.by[v]) by_parts(&w, body, v);
    free(w.by);
    free(w.counts);
}

static void walk(const struct whole *w, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_VERBATIM) return;
    if (n->kind == RG_C_IF) {
        arm(w, &n->kid[1], n->kid[0], true);
        if (n->n > 2 && n->kid[2]) arm(w, &n->kid[2], n->kid[0], false);
    }
    for (int i = 0; i < n->n; i++) walk(w, n->kid[i]);
}

enum rg_status rg__canon_whole_quotients(struct rg__load *l)
{
    struct whole w = {.l = l, .t = l->t};
    walk(&w, l->t->root);
    return RG_OK;
}
