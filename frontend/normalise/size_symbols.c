/* Integers that the function computes from its parameters before anything else: `int Lo = (L + 2*pad - K)/stride + 1;`,
 * or the same written into a loop's bound. What no affine expression can say (a quotient by a parameter, a choice, a
 * sum of products, the whole part of a real number: `(int)(box / cutoff)`) becomes a parameter of its own, with the
 * name the user gave it and its expression: loops, subscripts and dependences then treat it as a symbol. */
#include "frontend/normalise/canon.h"
#include "frontend/infer/infer.h"
#include "frontend/normalise/size_symbols.h"
#include "ir/ctree_real.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZE = 40, MAX_DERIVED = 12 };

struct derive {
    struct rg__load *l;
    struct rg_ctree *t;
    int n_vars;
    const struct rg_cnode **value; /* by variable: over parameters alone; NULL: not known */
    bool *factor;                  /* by variable: a product with something that is no number has it; NULL: not asked */
    int made, pitches;             /* those among them that rows are as long as */
};

static bool is_local_int(const struct rg_ctree *t, int var)
{
    const struct rg_cvar *v = &t->vars[var];
    return v->kind == RG_CVAR_LOCAL && rg__scalar_is_int(v->type) && rg_scalar_bytes(v->type) >= 4 &&
           !strchr(v->c_type, '*');
}

static bool is_local_real(const struct rg_ctree *t, int var)
{
    const struct rg_cvar *v = &t->vars[var];
    return v->kind == RG_CVAR_LOCAL && (v->type == RG_F32 || v->type == RG_F64) && !strchr(v->c_type, '*');
}

/* 1 << bits, or the least power of two from a number on. */
static bool is_power(const struct rg_cnode *e)
{
    if (e->kind == RG_C_CALL) return e->callee < 0 && e->text && !strcmp(e->text, "rg_pow2_from");
    return e->op == RG_COP_SHL && rg__c_uncast(e->kid[0], RG__C_INT_CASTS)->kind == RG_C_INT;
}

static bool is_whole_part(const struct rg_cnode *e)
{
    return e->kind == RG_C_CAST && rg_scalar_is_real(e->kid[0]->type) && !e->kid[0]->pointer;
}

struct unknown {
    const struct rg_problem *p;
    int param; /* real, of no stated value; -1 */
};

static void note_unknown(void *arg, const char *name)
{
    struct unknown *u = arg;
    int i = rg_problem_param(u->p, name);
    const struct rg_param *q = i >= 0 ? &u->p->params[i] : NULL;
    double value;
    int64_t *sizes = u->p->n_sizes ? u->p->sizes[0].values : NULL;
    struct rg_problem_env env;
    rg_problem_env_init(&env, u->p, &(struct rg_sizes){.values = sizes});
    if (q && rg_scalar_is_real(q->elem) && !rg_param_stated(q, sizes ? &env.env : NULL, &value)) u->param = i;
}

static int unknown_real(const struct derive *d, const struct rg_expr *e)
{
    struct unknown u = {d->l->p, -1};
    rg_expr_names(e, note_unknown, &u);
    return u.param;
}

/* The whole part of sizes, numbers and real parameters whose values are stated: those of others differ from run to run.
 */
static bool known_whole_part(const struct derive *d, const struct rg_cnode *e)
{
    const struct rg_expr *x = is_whole_part(e) ? rg__c_trunc_expr(d->t, e, &d->t->arena) : NULL;
    return x && unknown_real(d, x) < 0;
}

/* Over unassigned integer parameters and constants, in words that rg_expr has. */
static bool closed(const struct derive *d, const struct rg_cnode *e)
{
    const struct rg_ctree *t = d->t;
    if (!e || e->pointer || !rg__scalar_is_int(e->type) || rg_scalar_bytes(e->type) < 4) return false;
    switch (e->kind) {
    case RG_C_INT:
        return true;
    case RG_C_VAR:
        return e->array < 0 && t->vars[e->var].kind == RG_CVAR_PARAM && !t->vars[e->var].assigned;
    case RG_C_UNARY:
        if (e->op != RG_COP_POS && e->op != RG_COP_NEG && e->op != RG_COP_NOT) return false;
        break;
    case RG_C_BINARY:
        if (!rg_c_logic(e->op) && !rg_c_arithmetic(e->op) && !is_power(e)) return false;
        break;
    case RG_C_CALL:
        if (!is_power(e)) return false;
        break;
    case RG_C_CAST:
        if (is_whole_part(e)) return known_whole_part(d, e);
        break;
    case RG_C_COND:
        break;
    default:
        return false;
    }
    for (int i = 0; i < e->n; i++)
        if (!closed(d, e->kid[i]) && !(e->kid[i]->kind == RG_C_VAR && closed(d, e->kid[i]))) return false;
    return true;
}

/* A real local's value that whole parts may be taken of. */
static bool real_value(const struct derive *d, struct rg_cnode *e, int var)
{
    return e->type == d->t->vars[var].type && known_whole_part(d, rg__c_cast(d->t, rg__c_copy(d->t, e), RG_LLONG));
}

static bool affine(struct rg_ctree *t, const struct rg_cnode *e)
{
    return rg_c_affine(t, rg__c_strip_int_casts(rg__c_copy(t, e)));
}

/* Is it never negative, wherever the function is called? */
static bool plain(const struct derive *d, const struct rg_cnode *e)
{
    struct rg__given *given = rg__given_of(d->t, d->l->p);
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, d->t, given);
    struct rg__poly p = rg__poly_of(r, e);
    bool is = rg__prove(r, &p);
    free(r);
    rg__given_free(given);
    return is;
}

static bool is_quotient(const struct rg_cnode *e)
{
    return (e->op == RG_COP_DIV || e->op == RG_COP_REM);
}

/* Signed throughout: C's integers here, but for overflow, which it does not define. */
static bool is_signed(const struct rg_cnode *e)
{
    if (!rg_scalar_is_signed(e->type)) return false;
    for (int i = 0; i < e->n; i++)
        if (!is_signed(e->kid[i])) return false;
    return true;
}

/* (n - 512) / 128: as an expression of parameters it has C's value whatever the sign; in terms of n alone nothing is
 * known of it. */
static bool rounds_to_zero(const struct derive *d, const struct rg_cnode *e)
{
    return is_quotient(e) && e->kid[1]->kind == RG_C_INT && e->kid[1]->ivalue > 0 &&
           rg__mentions_kind(e->kid[0], RG_C_VAR) && is_signed(e) && !plain(d, e->kid[0]);
}

/* Needs a symbol wherever it stands: products of parameters alone are what strides are made of. */
static bool hard(const struct derive *d, const struct rg_cnode *e)
{
    bool choice = e->kind == RG_C_COND || is_power(e);
    if (is_whole_part(e)) return true;
    if (((choice || is_quotient(e)) && !affine(d->t, e)) || rounds_to_zero(d, e)) return true;
    for (int i = 0; i < e->n; i++)
        if (hard(d, e->kid[i])) return true;
    return false;
}

static bool has_quotient(const struct rg_cnode *e)
{
    bool has = is_quotient(e);
    for (int i = 0; i < e->n && !has; i++) has = has_quotient(e->kid[i]);
    return has;
}

/* Rows of w / 8 + 1 elements, or of n, but no more than so many: affine by itself, but not times the number of a row.
 */
static bool is_pitch(const struct rg_cnode *e)
{
    return rg__mentions_kind(e, RG_C_VAR) && (has_quotient(e) || rg__mentions_kind(e, RG_C_COND));
}

/* With x / 8 for x >> 3 where x is never negative. */
static struct rg_cnode *without_shifts(struct derive *d, struct rg_cnode *e)
{
    int64_t by;
    for (int i = 0; i < e->n; i++) e->kid[i] = without_shifts(d, e->kid[i]);
    if (e->op != RG_COP_SHR || !rg__c_number(e->kid[1], &by) || by < 1 || by > 30 || !closed(d, e->kid[0])) return e;
    if (rg_scalar_is_signed(e->type) && !plain(d, e->kid[0])) return e;
    return rg__c_binary(d->t, RG_COP_DIV, rg__c_cast(d->t, e->kid[0], e->type),
                        rg__c_cast(d->t, rg__c_int(d->t, (int64_t)1 << by), e->type));
}

static void note_factors(bool *factor, const struct rg_cnode *n)
{
    for (int i = 0; n->op == RG_COP_MUL && i < 2; i++) {
        const struct rg_cnode *e = rg__c_uncast(n->kid[i], RG__C_INT_CASTS);
        if (e->kind == RG_C_VAR && e->array < 0 && rg__mentions_kind(n->kid[1 - i], RG_C_VAR)) factor[e->var] = true;
    }
    for (int i = 0; i < n->n; i++)
        if (n->kid[i]) note_factors(factor, n->kid[i]);
}

/* One product of parameters: a nest over its factors says more than a symbol. */
static bool product(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->op == RG_COP_MUL) return product(e->kid[0]) && product(e->kid[1]);
    return e->kind == RG_C_VAR || e->kind == RG_C_INT;
}

static struct rg_cnode *expanded(struct derive *d, const struct rg_cnode *e)
{
    struct rg_cnode *c = rg__c_copy(d->t, e);
    for (int v = 0; v < d->n_vars; v++)
        if (d->value[v] && rg__c_mentions_var(c, v)) c = rg__c_replace_var(d->t, c, v, d->value[v]);
    return c;
}

/* least <= e, where that is not plain; `always`: an exported function is called with sizes nobody checked. */
static bool require_at_least(struct derive *d, struct rg_cnode *e, int64_t least, const struct rg_expr **out, int *n,
                             bool always)
{
    struct rg_ctree *t = d->t;
    int64_t number;
    if (rg__c_number(e, &number)
            ? number >= least
            : !always && plain(d, rg__c_binary(t, RG_COP_SUB, rg__c_copy(t, e), rg__c_int(t, least))))
        return true;
    const struct rg_expr *x = rg__c_to_expr(t, rg__c_binary(t, RG_COP_LE, rg__c_int(t, least), e), &d->l->p->arena);
    if (!x || *n == 8 || !rg__may_hold(d->l, x)) return false;
    out[(*n)++] = x;
    return true;
}

/* A quotient by a parameter is one we reason with only where nothing is negative. */
static bool quotients(struct derive *d, struct rg_cnode *e, const struct rg_expr **out, int *n)
{
    if (is_whole_part(e)) return true;
    if (is_quotient(e) && !rounds_to_zero(d, e))
        if (!require_at_least(d, e->kid[1], 1, out, n, true) || !require_at_least(d, e->kid[0], 0, out, n, false))
            return false;
    for (int i = 0; i < e->n; i++)
        if (!quotients(d, e->kid[i], out, n)) return false;
    return true;
}

static bool needs_symbol(const struct rg_expr *e)
{
    return e->kind == RG_EXPR_CALL && (!strncmp(e->name, "pow2", 4) || !strcmp(e->name, "trunc"));
}

static bool has_power(const struct rg_expr *e)
{
    bool has = e && needs_symbol(e);
    for (int i = 0; e && i < e->n_args; i++) has = has || has_power(e->args[i]);
    return has;
}

/* The parameter that has this value; NULL: there is none. */
static struct rg_cnode *symbol_of(struct derive *d, const struct rg_expr *e)
{
    const struct rg_problem *p = d->l->p;
    for (int i = 0; i < p->n_params; i++)
        for (int v = 0; v < d->t->n_vars && p->params[i].derived && rg_expr_equal(p->params[i].derived, e); v++)
            if (d->t->vars[v].kind == RG_CVAR_PARAM && d->t->vars[v].param == i) return rg__c_var(d->t, v);
    return NULL;
}

/* The parameter's node; NULL when the value cannot be one. */
static struct rg_cnode *symbol(struct derive *d, const char *name, struct rg_cnode *value, enum rg_scalar type)
{
    struct rg_ctree *t = d->t;
    struct rg_problem *p = d->l->p;
    if (d->made == MAX_DERIVED || rg__c_size(value) > MAX_SIZE) return NULL;
    const struct rg_expr *e = rg__c_size_expr(t, value, &p->arena), *need[8];
    int n_need = 0;
    if (!e || unknown_real(d, e) >= 0) return NULL;
    struct rg_cnode *same = symbol_of(d, e); /* written twice */
    if (same) return same;
    if (!quotients(d, value, need, &n_need)) return NULL;
    int var = rg__build_derived_param(&d->l->b, name, type, e);
    if (rg__append_derived(d->l, t->vars[var].param) != RG_OK) return NULL;
    for (int i = 0; i < n_need; i++) rg__add_require(p, need[i]);
    d->made++;
    return rg__c_var(t, var);
}

struct rg_cnode *rg__derive_symbol(struct rg__load *l, const char *name, struct rg_cnode *value)
{
    struct derive d = {.l = l, .t = l->t, .n_vars = l->t->n_vars};
    d.value = rg_xcalloc((size_t)d.n_vars + 1, sizeof *d.value);
    struct rg_cnode *s = symbol(&d, name, value, RG_LLONG);
    free(d.value);
    return s;
}

/* ---- locals ---- */

struct writes {
    int *count;
    struct rg_cnode **value; /* of the only one */
    struct rg_cnode **where;
};

static void count(struct writes *w, struct rg_cnode *n, struct rg_cnode *stmt)
{
    if (!n) return;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0 && n->n) {
        w->count[n->var]++;
        w->value[n->var] = n->kid[0];
        w->where[n->var] = n;
    }
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) {
        const struct rg_cnode *l = n->kid[0];
        while (l->kind == RG_C_MEMBER) l = l->kid[0];
        if (l->kind == RG_C_VAR && l->array < 0) {
            bool plain = n->op == RG_COP_SET && stmt && stmt->kid[0] == n;
            w->count[l->var] += plain ? 1 : 2;
            if (plain) w->value[l->var] = n->kid[1], w->where[l->var] = stmt;
        }
    }
    if (n->kind == RG_C_LOOP) w->count[n->var] += 2;
    if (n->kind == RG_C_STMT) stmt = n;
    for (int i = 0; i < n->n; i++) count(w, n->kid[i], stmt);
}

static void locals(struct derive *d)
{
    struct rg_ctree *t = d->t;
    size_t n = (size_t)d->n_vars + 1;
    struct writes w = {rg_xcalloc(n, sizeof *w.count), rg_xcalloc(n, sizeof *w.value), rg_xcalloc(n, sizeof *w.where)};
    count(&w, t->root, NULL);
    bool changed = true;
    for (int round = 0; changed && round < 8; round++) {
        changed = false;
        for (int v = 0; v < d->n_vars; v++) {
            if (d->value[v] || w.count[v] != 1 || !w.value[v]) continue;
            struct rg_cnode *e = expanded(d, w.value[v]);
            if (is_local_real(t, v) && rg__c_size(e) <= MAX_SIZE && real_value(d, e, v))
                d->value[v] = e, changed = true;
            if (!is_local_int(t, v)) continue;
            if (d->factor && d->factor[v]) e = without_shifts(d, e);
            if (!closed(d, e) || !rg__mentions_kind(e, RG_C_VAR) || rg__c_size(e) > MAX_SIZE) continue;
            const bool pitch = d->factor && d->factor[v] && is_pitch(e);
            struct rg_cnode *s = pitch || hard(d, e) ? symbol(d, t->vars[v].wanted, e, t->vars[v].type) : NULL;
            if (hard(d, e) && !s) continue;
            d->pitches += pitch && s;
            d->value[v] = s ? s : e;
            changed = true;
            if (!s) continue;
            w.where[v]->kind = RG_C_BLOCK; /* the statement is gone */
            w.where[v]->n = 0;
            t->root = rg__c_replace_var(t, t->root, v, s);
            const char *name = t->vars[v].name; /* the local's name is free for it */
            struct rg_cvar *made = &t->vars[s->var];
            if (!strcmp(t->vars[v].wanted, name)) {
                t->vars[v].name = made->name;
                rg__rename_derived(d->l->p, made->param, made->name = name);
            }
        }
    }
    free(w.count);
    free(w.value);
    free(w.where);
}

/* ---- bounds, conditions and subscripts that say it in place ---- */

static struct rg_cnode *in_place(struct derive *d, struct rg_cnode *e, const char *name, bool whole)
{
    if (!e) return e;
    struct rg_cnode *x = expanded(d, e);
    bool bound = whole && closed(d, x) && !affine(d->t, x);
    if (bound && !hard(d, x) && !product(x) && rg__product_of_sums(d->t, x)) return x; /* its factors stay in sight */
    if (closed(d, x) && rg__mentions_kind(x, RG_C_VAR) && (hard(d, x) || (bound && !product(x)))) {
        struct rg_cnode *s = symbol(d, name, x, e->type);
        if (s) return s;
    }
    for (int i = 0; i < 2 && e->op == RG_COP_MUL && !closed(d, x); i++) { /* what is closed is more than a factor */
        struct rg_cnode *f = without_shifts(d, expanded(d, rg__c_uncast(e->kid[i], RG__C_INT_CASTS)));
        const bool pitch = closed(d, f) && is_pitch(f) && rg__mentions_kind(e->kid[1 - i], RG_C_VAR);
        struct rg_cnode *s = pitch ? symbol(d, name, f, f->type) : NULL;
        if (s) e->kid[i] = rg__c_cast(d->t, s, e->kid[i]->type), d->pitches++;
    }
    if (e->kind == RG_C_BINARY || e->kind == RG_C_UNARY || e->kind == RG_C_CAST || e->kind == RG_C_COND)
        for (int i = 0; i < e->n; i++) e->kid[i] = in_place(d, e->kid[i], name, false);
    return e;
}

/* Locals that stand in subscripts: pointers' places. */
static void note_subscripted(bool *in, const struct rg_cnode *n, bool subscript)
{
    if (!n) return;
    if (subscript && n->kind == RG_C_VAR && n->array < 0) in[n->var] = true;
    for (int i = 0; i < n->n; i++) note_subscripted(in, n->kid[i], subscript || n->kind == RG_C_INDEX);
}

/* What such a local is set to: rows that pointers begin with. */
static void starts(struct derive *d, struct rg_cnode *n, const bool *in)
{
    if (!n) return;
    const bool declared = n->kind == RG_C_DECL && n->array < 0 && n->n;
    const bool set = n->kind == RG_C_ASSIGN && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0;
    const int var = declared ? n->var : set ? n->kid[0]->var : -1;
    struct rg_cnode **value = var >= 0 ? &n->kid[set] : NULL;
    if (value && var < d->n_vars && in[var] && is_local_int(d->t, var) && rg__scalar_is_int((*value)->type))
        *value = in_place(d, *value, rg_arena_printf(&d->t->arena, "%s_step", d->t->vars[var].wanted), false);
    for (int i = 0; i < n->n; i++) starts(d, n->kid[i], in);
}

static void places(struct derive *d, struct rg_cnode *n)
{
    if (!n) return;
    if (n->kind == RG_C_LOOP)
        for (int i = 0; i < 2; i++)
            n->kid[i] =
                in_place(d, n->kid[i],
                         rg_arena_printf(&d->t->arena, i ? "%s_end" : "%s_start", d->t->vars[n->var].wanted), true);
    for (int i = 0; n->kind == RG_C_INDEX && i < n->n; i++) {
        struct rg_cnode *m = n->kid[i];
        while (m->kind == RG_C_CAST) m = m->kid[0];
        if (m->kind == RG_C_CALL && m->callee < 0 && m->text && !strcmp(m->text, "rg_mirrored"))
            m->kid[1] = in_place(d, m->kid[1], "length", false);
    }
    if (n->kind == RG_C_INDEX)
        for (int i = 0; i < n->n; i++)
            n->kid[i] =
                in_place(d, n->kid[i], rg_arena_printf(&d->t->arena, "%s_step", d->t->arrays[n->array].name), false);
    for (int i = 0; i < n->n; i++) places(d, n->kid[i]);
}

/* What else the function computes of whole parts, and of what its rows are as long as, is read off the symbols that
 * there are. */
static struct rg_cnode *by_symbols(struct derive *d, struct rg_cnode *n)
{
    if (!n) return n;
    if (n->kind == RG_C_BINARY || is_whole_part(n)) {
        const bool shift = d->pitches && n->op == RG_COP_SHR;
        struct rg_cnode *x = shift ? without_shifts(d, rg__c_copy(d->t, n)) : n;
        const bool pitch = d->pitches && x->kind == RG_C_BINARY && closed(d, x) && is_pitch(x);
        const struct rg_expr *e = rg__c_size_expr(d->t, x, &d->t->arena);
        struct rg_cnode *s = e && (pitch || has_power(e)) ? symbol_of(d, e) : NULL;
        if (s) return rg__c_cast(d->t, s, n->type);
    }
    for (int i = 0; i < n->n; i++) n->kid[i] = by_symbols(d, n->kid[i]);
    return n;
}

static void drop_empty(struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    int k = 0;
    for (int i = 0; i < n->n; i++) {
        drop_empty(n->kid[i]);
        bool empty = n->kind == RG_C_BLOCK && n->kid[i]->kind == RG_C_BLOCK && !n->kid[i]->n;
        if (!empty) n->kid[k++] = n->kid[i];
    }
    n->n = k;
}

/* Powers of two and whole parts in an extent, by symbols: kernels know the other operators alone. */
static const struct rg_expr *extent_by_symbols(struct derive *d, const struct rg_expr *e)
{
    if (!e) return e;
    struct rg_ctree *t = d->t;
    struct rg_cnode *known = has_power(e) ? symbol_of(d, e) : NULL;
    if (known) return rg__c_to_expr(t, known, &d->l->p->arena);
    if (needs_symbol(e)) {
        struct rg_cnode *value = rg__c_from_expr(t, e),
                        *s = value ? symbol(d, e->name[0] == 't' ? "whole" : "power", value, RG_LLONG) : NULL;
        const struct rg_expr *name = s ? rg__c_to_expr(t, s, &d->l->p->arena) : NULL;
        return name ? name : e;
    }
    struct rg_expr *c = rg_expr_clone(&d->l->p->arena, e);
    for (int i = 0; i < c->n_args; i++) c->args[i] = (struct rg_expr *)extent_by_symbols(d, c->args[i]);
    return c;
}

/* Whole parts of a real parameter of which nobody has said how large it is give no extent. */
static const struct rg_expr *stated(struct derive *d, const struct rg_expr *e)
{
    int param = has_power(e) ? unknown_real(d, e) : -1;
    if (param < 0) return e;
    d->l->unstated_real = rg_param_shown(&d->l->p->params[param]);
    return NULL;
}

static void extents(struct derive *d)
{
    struct rg_problem *p = d->l->p;
    for (int a = 0; a < d->t->n_arrays; a++) {
        struct rg_carray *x = &d->t->arrays[a];
        for (int i = 0; i < x->n_dims && x->dims; i++)
            if (has_power(x->dims[i])) x->dims[i] = stated(d, extent_by_symbols(d, x->dims[i]));
        if (has_power(x->flat)) x->flat = extent_by_symbols(d, x->flat);
    }
    for (int i = 0; i < p->n_params; i++)
        for (int k = 0; k < p->params[i].n_dims; k++)
            if (has_power(p->params[i].dims[k])) {
                const struct rg_expr *e = extent_by_symbols(d, p->params[i].dims[k]);
                p->params[i].dims[k] = e;
            }
}

void rg__derive(struct rg__load *l)
{
    struct derive d = {.l = l, .t = l->t, .n_vars = l->t->n_vars};
    if (rg__mentions_kind(l->t->root, RG_C_VERBATIM)) return;
    d.value = rg_xcalloc((size_t)d.n_vars + 1, sizeof *d.value);
    d.factor = rg_xcalloc((size_t)d.n_vars + 1, sizeof *d.factor);
    note_factors(d.factor, l->t->root);
    locals(&d);
    if (d.made) drop_empty(l->t->root);
    places(&d, l->t->root);
    bool *in = rg_xcalloc((size_t)l->t->n_vars + 1, sizeof *in); /* with those made by now */
    note_subscripted(in, l->t->root, false);
    starts(&d, l->t->root, in);
    free(in);
    extents(&d);
    bool wholes = d.pitches > 0;
    for (int i = 0; i < l->p->n_params; i++)
        wholes = wholes || (l->p->params[i].derived && has_power(l->p->params[i].derived));
    if (wholes) l->t->root = by_symbols(&d, l->t->root);
    free(d.factor);
    free(d.value);
}

/* How many loops end by a symbol now, new or not. */
static int products(struct derive *d, struct rg_cnode *n, const bool *array)
{
    if (!n || rg__c_is_expr(n)) return 0;
    int changed = 0;
    struct rg_cnode *x = n->kind == RG_C_LOOP && n->n == 3 ? expanded(d, n->kid[1]) : NULL;
    bool touched = false;
    for (int a = 0; x && a < d->t->n_arrays; a++) touched = touched || (array[a] && rg__c_mentions_array(n->kid[2], a));
    if (touched && closed(d, x) && !affine(d->t, x) && (product(x) || rg__product_of_sums(d->t, x))) {
        struct rg_cnode *s = symbol(d, rg_arena_printf(&d->t->arena, "%s_end", d->t->vars[n->var].wanted), x, x->type);
        if (s) n->kid[1] = s, changed++;
    }
    for (int i = 0; i < n->n; i++) changed += products(d, n->kid[i], array);
    return changed;
}

int rg__derive_products(struct rg__load *l, const bool *array)
{
    struct derive d = {.l = l, .t = l->t, .n_vars = l->t->n_vars};
    d.value = rg_xcalloc((size_t)d.n_vars + 1, sizeof *d.value);
    locals(&d);
    int changed = products(&d, l->t->root, array);
    free(d.value);
    return changed;
}
