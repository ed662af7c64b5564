/* Affine expressions of the tree: as plain linear forms, which the printer handles, and as isl piecewise affine
 * functions, which dependence tests need. */
#include "poly/analysis/scop.h"
#include <stdio.h>
#include <string.h>

static bool integer_var(const struct rg_ctree *t, int var)
{
    if (var < 0 || var >= t->n_vars) return false;
    const struct rg_cvar *v = &t->vars[var];
    if (rg_scalar_is_real(v->type) || v->type == RG_STRUCT) return false;
    return v->kind == RG_CVAR_ITER || (v->kind == RG_CVAR_PARAM && !v->assigned);
}

static void add_term(struct poly_linear *l, int var, int64_t c)
{
    for (int i = 0; i < l->n; i++)
        if (l->term[i].var == var) {
            if (__builtin_add_overflow(l->term[i].c, c, &l->term[i].c)) l->ok = false;
            if (l->term[i].c == 0) l->term[i] = l->term[--l->n];
            return;
        }
    if (l->n == POLY_MAX_TERMS) {
        l->ok = false;
        return;
    }
    if (c) {
        l->term[l->n].var = var;
        l->term[l->n++].c = c;
    }
}

void rg__poly_linear_add(struct poly_linear *l, const struct poly_linear *b, int64_t factor)
{
    int64_t v;
    l->ok = l->ok && b->ok;
    for (int i = 0; i < b->n && l->ok; i++) {
        if (__builtin_mul_overflow(b->term[i].c, factor, &v))
            l->ok = false;
        else
            add_term(l, b->term[i].var, v);
    }
    if (__builtin_mul_overflow(b->k, factor, &v) || __builtin_add_overflow(l->k, v, &l->k)) l->ok = false;
}

/* A conversion to a type of less than 32 bits that loses what its operand may have there. */
static bool narrows(const struct rg_cnode *cast)
{
    const enum rg_scalar from = cast->kid[0]->type, to = cast->type;
    const size_t a = rg_scalar_bytes(from), b = rg_scalar_bytes(to);
    if (cast->kid[0]->kind == RG_C_INT || b >= 4) return false;
    return a > b || (from != to && (a == b || rg_scalar_is_signed(from)) &&
                     rg_scalar_is_signed(from) != rg_scalar_is_signed(to));
}

struct poly_linear rg__poly_linear_of(const struct rg_ctree *t, const struct rg_cnode *e)
{
    struct poly_linear l, a, b;
    memset(&l, 0, sizeof l);
    if (!e) return l;
    switch (e->kind) {
    case RG_C_INT:
        l.ok = true;
        l.k = e->ivalue;
        return l;
    case RG_C_VAR:
        if (e->array >= 0 || !integer_var(t, e->var)) return l;
        l.ok = true;
        add_term(&l, e->var, 1);
        return l;
    case RG_C_CAST:
        if (e->n < 1 || e->pointer || rg_scalar_is_real(e->type) || e->type == RG_BOOL || narrows(e)) return l;
        return rg__poly_linear_of(t, e->kid[0]);
    case RG_C_UNARY:
        if (e->n < 1 || (e->op != RG_COP_NEG && e->op != RG_COP_POS)) return l;
        a = rg__poly_linear_of(t, e->kid[0]);
        l.ok = a.ok;
        rg__poly_linear_add(&l, &a, e->op == RG_COP_NEG ? -1 : 1);
        return l;
    case RG_C_BINARY:
        if (e->n < 2 || (e->op != RG_COP_ADD && e->op != RG_COP_SUB && e->op != RG_COP_MUL)) return l;
        a = rg__poly_linear_of(t, e->kid[0]);
        b = rg__poly_linear_of(t, e->kid[1]);
        if (!a.ok || !b.ok) return l;
        l.ok = true;
        if (e->op == RG_COP_MUL) {
            if (a.n == 0)
                rg__poly_linear_add(&l, &b, a.k);
            else if (b.n == 0)
                rg__poly_linear_add(&l, &a, b.k);
            else
                l.ok = false;
        } else {
            rg__poly_linear_add(&l, &a, 1);
            rg__poly_linear_add(&l, &b, e->op == RG_COP_SUB ? -1 : 1);
        }
        return l;
    default:
        return l;
    }
}

bool rg__poly_linear_const(const struct poly_linear *l, int64_t *out)
{
    *out = l->k;
    return l->ok && l->n == 0;
}

int64_t rg__poly_linear_coef(const struct poly_linear *l, int var)
{
    for (int i = 0; i < l->n; i++)
        if (l->term[i].var == var) return l->term[i].c;
    return 0;
}

bool rg__poly_linear_same_terms(const struct poly_linear *a, const struct poly_linear *b)
{
    if (!a->ok || !b->ok || a->n != b->n) return false;
    for (int i = 0; i < a->n; i++)
        if (rg__poly_linear_coef(b, a->term[i].var) != a->term[i].c) return false;
    return true;
}

bool rg__poly_linear_equal(const struct poly_linear *a, const struct poly_linear *b)
{
    return rg__poly_linear_same_terms(a, b) && a->k == b->k;
}

bool rg__poly_same_element(const struct poly_access *a, const struct poly_access *b)
{
    bool same = a->array == b->array && a->n_subs == b->n_subs;
    for (int d = 0; same && d < a->n_subs; d++)
        same = a->sub[d].ok && b->sub[d].ok && rg__poly_linear_equal(&a->sub[d], &b->sub[d]);
    return same;
}

static isl_pw_aff *constant(isl_space *space, int64_t v)
{
    isl_ctx *ctx = isl_space_get_ctx(space);
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(space));
    return isl_pw_aff_from_aff(isl_aff_val_on_domain(ls, isl_val_int_from_si(ctx, v)));
}

static isl_pw_aff *variable(const struct poly_scop *s, const int *loops, int depth, isl_space *space, int var)
{
    isl_local_space *ls;
    for (int d = depth - 1; d >= 0; d--)
        if (s->loops[loops[d]].var == var) {
            ls = isl_local_space_from_space(isl_space_copy(space));
            return isl_pw_aff_from_aff(isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)d));
        }
    const struct rg_cvar *v = &s->tree->vars[var];
    if (v->kind != RG_CVAR_PARAM) return NULL;
    int pos = isl_space_find_dim_by_name(space, isl_dim_param, v->name);
    if (pos < 0) return NULL;
    ls = isl_local_space_from_space(isl_space_copy(space));
    return isl_pw_aff_from_aff(isl_aff_var_on_domain(ls, isl_dim_param, (unsigned)pos));
}

/* One value that nobody knows, or a local that stands for what it was declared to be; NULL: it is none of both. */
static isl_pw_aff *symbol(const struct poly_scop *s, const int *loops, int depth, isl_space *space,
                          const struct rg_cnode *e)
{
    for (int i = 0; i < s->n_symbols; i++) {
        if (!rg__c_same(s->symbols[i], e, RG__C_UNCAST)) continue;
        char name[24];
        snprintf(name, sizeof name, POLY_SYMBOL, i);
        int pos = isl_space_find_dim_by_name(space, isl_dim_param, name);
        isl_local_space *ls = isl_local_space_from_space(isl_space_copy(space));
        if (pos >= 0) return isl_pw_aff_from_aff(isl_aff_var_on_domain(ls, isl_dim_param, (unsigned)pos));
        isl_local_space_free(ls);
    }
    bool local = e->kind == RG_C_VAR && e->array < 0 && e->var >= 0 && s->tree->vars[e->var].kind == RG_CVAR_LOCAL;
    return local && s->declared[e->var] ? rg__poly_aff(s, loops, depth, space, s->declared[e->var]) : NULL;
}

static bool named(const struct rg_cnode *e, const char *a)
{
    return e->text && strcmp(e->text, a) == 0;
}

/* So many elements has an array: at least one. Any other parameter may be below 0. */
static bool is_length(const struct rg_ctree *t, int var)
{
    for (int a = 0; a < t->n_arrays; a++)
        for (int d = 0; t->arrays[a].param >= 0 && t->arrays[a].dims && d < t->arrays[a].n_dims; d++) {
            const struct rg_expr *e = t->arrays[a].dims[d];
            if (e && e->kind == RG_EXPR_NAME && !strcmp(e->name, t->vars[var].name)) return true;
        }
    return false;
}

/* Sums and products of numbers, lengths and iterators that are never below 0: quotients round down there. */
static bool never_negative(const struct poly_scop *s, const int *loops, int depth, const struct rg_cnode *e)
{
    switch (e->kind) {
    case RG_C_INT:
        return e->ivalue >= 0;
    case RG_C_VAR:
        for (int d = 0; d < depth; d++)
            if (s->loops[loops[d]].var == e->var) {
                const struct rg_cnode *l = s->loops[loops[d]].node;
                const struct rg_cnode *least = l->step > 0 ? l->kid[0] : l->kid[1];
                int64_t last;
                if (l->step < 0 && rg__c_number(least, &last)) return last >= -1;
                return never_negative(s, loops, d, least);
            }
        return e->array < 0 && s->tree->vars[e->var].kind == RG_CVAR_PARAM && is_length(s->tree, e->var);
    case RG_C_CAST:
        return e->n == 1 && never_negative(s, loops, depth, e->kid[0]);
    case RG_C_BINARY:
        if (e->op != RG_COP_ADD && e->op != RG_COP_MUL && e->op != RG_COP_DIV && e->op != RG_COP_REM) return false;
        return never_negative(s, loops, depth, e->kid[0]) && never_negative(s, loops, depth, e->kid[1]);
    default:
        return false;
    }
}

/* Is it 0 or more in all iterations of the loops, as an integer? */
static bool above_zero(const struct poly_scop *s, const int *loops, int depth, isl_space *space,
                       const struct rg_cnode *e)
{
    if (never_negative(s, loops, depth, e)) return true;
    isl_pw_aff *a = rg__poly_aff(s, loops, depth, space, e);
    if (!a) return false;
    bool exact = true;
    isl_set *dom = isl_set_universe(isl_space_copy(space));
    for (int d = 0; d < depth; d++) dom = rg__poly_loop_bounds((struct poly_scop *)s, loops, space, dom, d, &exact);
    dom = isl_set_intersect(dom, isl_pw_aff_lt_set(a, constant(space, 0)));
    const bool never = isl_set_is_empty(dom) == isl_bool_true;
    isl_set_free(dom);
    return never;
}

/* May some unsigned part of it come round at 0, so that the C goes on with another number than integers have? */
static bool turns(const struct poly_scop *s, const int *loops, int depth, isl_space *space, const struct rg_cnode *e)
{
    if (!e || e->kind == RG_C_INDEX || rg_scalar_is_real(e->type)) return false;
    const bool local =
        e->kind == RG_C_VAR && e->array < 0 && e->var >= 0 && s->tree->vars[e->var].kind == RG_CVAR_LOCAL;
    const struct rg_cnode *from = local ? s->declared[e->var] : e->kind == RG_C_CAST && e->n == 1 ? e->kid[0] : NULL;
    const bool natural = rg__scalar_is_int(e->type) && e->type != RG_BOOL && !rg_scalar_is_signed(e->type);
    const bool differs = (e->kind == RG_C_BINARY && e->op == RG_COP_SUB) || e->op == RG_COP_NEG;
    if (natural && differs && !above_zero(s, loops, depth, space, e)) return true;
    if (natural && from && rg_scalar_is_signed(from->type) && !above_zero(s, loops, depth, space, from)) return true;
    if (local) return turns(s, loops, depth, space, from);
    for (int i = 0; i < e->n; i++)
        if (turns(s, loops, depth, space, e->kid[i])) return true;
    return false;
}

isl_pw_aff *rg__poly_aff(const struct poly_scop *s, const int *loops, int depth, isl_space *space,
                         const struct rg_cnode *e)
{
    isl_pw_aff *a, *b;
    if (!e) return NULL;
    a = s->n_symbols ? symbol(s, loops, depth, space, e) : NULL;
    if (a) return a;
    switch (e->kind) {
    case RG_C_INT:
        return constant(space, e->ivalue);
    case RG_C_VAR:
        return e->array < 0 && integer_var(s->tree, e->var) ? variable(s, loops, depth, space, e->var) : NULL;
    case RG_C_CAST:
        if (e->n < 1 || e->pointer || rg_scalar_is_real(e->type) || e->type == RG_BOOL || narrows(e)) return NULL;
        return rg__poly_aff(s, loops, depth, space, e->kid[0]);
    case RG_C_UNARY:
        if (e->n < 1 || (e->op != RG_COP_NEG && e->op != RG_COP_POS)) return NULL;
        a = rg__poly_aff(s, loops, depth, space, e->kid[0]);
        return a && e->op == RG_COP_NEG ? isl_pw_aff_neg(a) : a;
    case RG_C_COND: {
        if (e->n < 3) return NULL;
        if (turns(s, loops, depth, space, e->kid[0])) return NULL;
        isl_set *c = rg__poly_condition(s, loops, depth, space, e->kid[0]);
        a = c ? rg__poly_aff(s, loops, depth, space, e->kid[1]) : NULL;
        b = a ? rg__poly_aff(s, loops, depth, space, e->kid[2]) : NULL;
        if (!b) {
            isl_set_free(c);
            isl_pw_aff_free(a);
            return NULL;
        }
        return isl_pw_aff_cond(isl_set_indicator_function(c), a, b);
    }
    case RG_C_CALL:
        if (e->n != 2 || e->callee >= 0 || (!named(e, "min") && !named(e, "max"))) return NULL;
        break;
    case RG_C_BINARY:
        if (e->n != 2 || !rg_c_arithmetic(e->op)) return NULL;
        if ((e->op == RG_COP_DIV || e->op == RG_COP_REM) && turns(s, loops, depth, space, e->kid[0])) return NULL;
        break;
    default:
        return NULL;
    }
    a = rg__poly_aff(s, loops, depth, space, e->kid[0]);
    b = a ? rg__poly_aff(s, loops, depth, space, e->kid[1]) : NULL;
    if (!b) {
        isl_pw_aff_free(a);
        return NULL;
    }
    if (e->kind == RG_C_CALL) return e->text[1] == 'i' ? isl_pw_aff_min(a, b) : isl_pw_aff_max(a, b);
    switch (e->op) {
    case RG_COP_ADD:
        return isl_pw_aff_add(a, b);
    case RG_COP_SUB:
        return isl_pw_aff_sub(a, b);
    case RG_COP_MUL:
        if (!isl_pw_aff_is_cst(a) && !isl_pw_aff_is_cst(b)) break;
        return isl_pw_aff_mul(a, b);
    default: { /* floor is C's truncation of what is never below 0 */
        struct poly_linear d = rg__poly_linear_of(s->tree, e->kid[1]);
        int64_t v;
        if (!rg__poly_linear_const(&d, &v) || v <= 0) break;
        if (!never_negative(s, loops, depth, e->kid[0]))
            return e->op == RG_COP_REM ? isl_pw_aff_tdiv_r(a, b) : isl_pw_aff_tdiv_q(a, b);
        isl_pw_aff_free(b);
        isl_val *val = isl_val_int_from_si(s->ctx, v);
        if (e->op == RG_COP_REM) return isl_pw_aff_mod_val(a, val);
        return isl_pw_aff_floor(isl_pw_aff_scale_down_val(a, val));
    }
    }
    isl_pw_aff_free(a);
    isl_pw_aff_free(b);
    return NULL;
}

isl_set *rg__poly_condition(const struct poly_scop *s, const int *loops, int depth, isl_space *space,
                            const struct rg_cnode *e)
{
    if (!e) return NULL;
    if (e->kind == RG_C_CAST && e->n == 1) return rg__poly_condition(s, loops, depth, space, e->kid[0]);
    if (e->op == RG_COP_NOT && e->n == 1) {
        isl_set *a = rg__poly_condition(s, loops, depth, space, e->kid[0]);
        return a ? isl_set_complement(a) : NULL;
    }
    if (rg_c_lazy(e->op) && e->n == 2) {
        isl_set *a = rg__poly_condition(s, loops, depth, space, e->kid[0]);
        isl_set *b = a ? rg__poly_condition(s, loops, depth, space, e->kid[1]) : NULL;
        if (!b) {
            isl_set_free(a);
            return NULL;
        }
        return e->op == RG_COP_AND ? isl_set_intersect(a, b) : isl_set_union(a, b);
    }
    const bool relation = rg_c_relation(e->op) && e->n == 2;
    isl_pw_aff *a = rg__poly_aff(s, loops, depth, space, relation ? e->kid[0] : e);
    isl_pw_aff *b = !a ? NULL : relation ? rg__poly_aff(s, loops, depth, space, e->kid[1]) : constant(space, 0);
    if (!b) {
        isl_pw_aff_free(a);
        return NULL;
    }
    switch (relation ? e->op : RG_COP_NE) {
    case RG_COP_LT:
        return isl_pw_aff_lt_set(a, b);
    case RG_COP_LE:
        return isl_pw_aff_le_set(a, b);
    case RG_COP_GT:
        return isl_pw_aff_gt_set(a, b);
    case RG_COP_GE:
        return isl_pw_aff_ge_set(a, b);
    case RG_COP_EQ:
        return isl_pw_aff_eq_set(a, b);
    default:
        return isl_pw_aff_ne_set(a, b);
    }
}

/* An extent over parameters; NULL when it is no affine one. */
static isl_pw_aff *extent_aff(const struct poly_scop *s, isl_space *space, const struct rg_expr *e)
{
    if (!e) return NULL;
    if (e->kind == RG_EXPR_INT) return constant(space, e->value);
    if (e->kind == RG_EXPR_NAME) {
        int p = rg_problem_param(s->problem, e->name);
        for (int v = 0; v < s->tree->n_vars; v++)
            if (p >= 0 && s->tree->vars[v].kind == RG_CVAR_PARAM && s->tree->vars[v].param == p &&
                integer_var(s->tree, v))
                return variable(s, NULL, 0, space, v);
        return NULL;
    }
    if (e->kind != RG_EXPR_BINARY || (e->op != RG_OP_ADD && e->op != RG_OP_SUB && e->op != RG_OP_MUL)) return NULL;
    isl_pw_aff *a = extent_aff(s, space, e->args[0]), *b = a ? extent_aff(s, space, e->args[1]) : NULL;
    if (b && e->op == RG_OP_ADD) return isl_pw_aff_add(a, b);
    if (b && e->op == RG_OP_SUB) return isl_pw_aff_sub(a, b);
    if (b && (isl_pw_aff_is_cst(a) || isl_pw_aff_is_cst(b))) return isl_pw_aff_mul(a, b);
    isl_pw_aff_free(a);
    isl_pw_aff_free(b);
    return NULL;
}

isl_set *rg__poly_loop_bounds(struct poly_scop *s, const int *loops, isl_space *sp, isl_set *dom, int d, bool *exact)
{
    const struct poly_loop *l = &s->loops[loops[d]];
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(sp));
    isl_pw_aff *var = isl_pw_aff_from_aff(isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)d));
    isl_pw_aff *lo = rg__poly_aff(s, loops, d, sp, l->node->kid[0]);
    isl_pw_aff *hi = rg__poly_aff(s, loops, d, sp, l->node->kid[1]);
    bool up = l->step > 0;
    if (lo) {
        dom = isl_set_intersect(dom, up ? isl_pw_aff_ge_set(isl_pw_aff_copy(var), isl_pw_aff_copy(lo))
                                        : isl_pw_aff_le_set(isl_pw_aff_copy(var), isl_pw_aff_copy(lo)));
        int64_t m = up ? l->step : -l->step;
        if (m > 1) {
            isl_pw_aff *d0 = isl_pw_aff_sub(isl_pw_aff_copy(var), isl_pw_aff_copy(lo));
            d0 = isl_pw_aff_mod_val(d0, isl_val_int_from_si(s->ctx, m));
            dom = isl_set_intersect(dom, isl_pw_aff_zero_set(d0));
        }
    }
    if (hi)
        dom = isl_set_intersect(dom, up ? isl_pw_aff_lt_set(isl_pw_aff_copy(var), isl_pw_aff_copy(hi))
                                        : isl_pw_aff_gt_set(isl_pw_aff_copy(var), isl_pw_aff_copy(hi)));
    *exact = *exact && lo && hi && l->node->n == 3;
    isl_pw_aff_free(lo);
    isl_pw_aff_free(hi);
    isl_pw_aff_free(var);
    return dom;
}

isl_set *rg__poly_domain_over(struct poly_scop *s, int stmt, const int *keep, int n_keep)
{
    const struct poly_stmt *st = &s->stmts[stmt];
    isl_space *sp = isl_set_get_space(st->domain);
    isl_set *dom = isl_set_universe(isl_space_copy(sp));
    for (int d = 0; d < st->depth; d++)
        for (int k = 0; k < n_keep; k++)
            if (keep[k] == st->loops[d]) {
                bool exact = true;
                dom = rg__poly_loop_bounds(s, st->loops, sp, dom, d, &exact);
                break;
            }
    isl_space_free(sp);
    return dom;
}

bool rg__poly_in_bounds(struct poly_scop *s, const struct poly_access *a, const int *keep, int n_keep)
{
    const struct rg_carray *arr = &s->tree->arrays[a->array];
    const struct poly_stmt *st = &s->stmts[a->stmt];
    if (!a->affine) return false;
    rg__poly_isl_begin(s);
    isl_set *domain = rg__poly_domain_over(s, a->stmt, keep, n_keep);
    isl_space *sp = isl_set_get_space(domain);
    isl_set *inside = isl_set_universe(isl_space_copy(sp));
    bool known = true;
    for (int d = 0; d < a->n_subs && known; d++) {
        isl_pw_aff *x = rg__poly_aff(s, st->loops, st->depth, sp, a->node->kid[d]);
        isl_pw_aff *n = x ? extent_aff(s, sp, arr->dims[d]) : NULL;
        known = n != NULL;
        if (known) {
            inside = isl_set_intersect(inside, isl_pw_aff_ge_set(isl_pw_aff_copy(x), constant(sp, 0)));
            inside = isl_set_intersect(inside, isl_pw_aff_lt_set(isl_pw_aff_copy(x), isl_pw_aff_copy(n)));
        }
        isl_pw_aff_free(x);
        isl_pw_aff_free(n);
    }
    isl_bool in = known ? isl_set_is_subset(domain, inside) : isl_bool_false;
    isl_set_free(inside);
    isl_set_free(domain);
    isl_space_free(sp);
    return in == isl_bool_true && rg__poly_isl_ok(s);
}

bool rg__poly_surely_runs(struct poly_scop *s, int stmt, int loop, const int *keep, int n_keep)
{
    const struct poly_stmt *st = &s->stmts[stmt];
    const struct poly_loop *l = &s->loops[loop];
    if (l->node->n > 3) return false;
    rg__poly_isl_begin(s);
    isl_set *domain = rg__poly_domain_over(s, stmt, keep, n_keep);
    isl_space *sp = isl_set_get_space(domain);
    isl_pw_aff *first = rg__poly_aff(s, st->loops, st->depth, sp, l->node->kid[0]),
               *end = rg__poly_aff(s, st->loops, st->depth, sp, l->node->kid[1]);
    isl_bool in = isl_bool_false;
    if (first && end) {
        isl_set *runs = l->step > 0 ? isl_pw_aff_lt_set(isl_pw_aff_copy(first), isl_pw_aff_copy(end))
                                    : isl_pw_aff_gt_set(isl_pw_aff_copy(first), isl_pw_aff_copy(end));
        in = isl_set_is_subset(domain, runs);
        isl_set_free(runs);
    }
    isl_pw_aff_free(first);
    isl_pw_aff_free(end);
    isl_set_free(domain);
    isl_space_free(sp);
    return in == isl_bool_true && rg__poly_isl_ok(s);
}

static int place(const struct poly_stmt *st, int loop)
{
    for (int d = 0; d < st->depth; d++)
        if (st->loops[d] == loop) return d;
    return -1;
}

/* { points where the loops of keep[] are in their bounds -> the element }; NULL: a subscript is not affine. */
static isl_map *hull_map(struct poly_scop *s, const struct poly_access *a, const int *keep, int n_keep)
{
    const struct poly_stmt *st = &s->stmts[a->stmt];
    isl_set *domain = rg__poly_domain_over(s, a->stmt, keep, n_keep);
    isl_space *sp = isl_set_get_space(domain);
    isl_map *m = NULL;
    for (int d = 0; d < a->n_subs; d++) {
        isl_pw_aff *x = rg__poly_aff(s, st->loops, st->depth, sp, a->node->kid[d]);
        isl_map *one = x ? isl_map_from_pw_aff(x) : NULL;
        m = !one ? isl_map_free(m) : d ? isl_map_flat_range_product(m, one) : one;
        if (!m) break;
    }
    isl_space_free(sp);
    if (!m) {
        isl_set_free(domain);
        return NULL;
    }
    m = isl_map_set_tuple_id(m, isl_dim_out, isl_map_get_tuple_id(a->map, isl_dim_out));
    return isl_map_intersect_domain(m, domain);
}

bool rg__poly_hulls_meet(struct poly_scop *s, const struct poly_access *a, const struct poly_access *b, bool hull_of_b,
                         const int *keep, int n_keep, int loop_a, int loop_b, const int *fixed, int n_fixed)
{
    const struct poly_stmt *sa = &s->stmts[a->stmt], *sb = &s->stmts[b->stmt];
    int da = place(sa, loop_a), db = place(sb, loop_b);
    if (!a->affine || !b->affine || a->n_subs != b->n_subs || !a->n_subs || da < 0 || db < 0) return true;
    rg__poly_isl_begin(s);
    isl_map *x = hull_map(s, a, keep, n_keep), *y = hull_of_b ? hull_map(s, b, keep, n_keep) : isl_map_copy(b->map);
    if (!x || !y) {
        isl_map_free(x);
        isl_map_free(y);
        return true;
    }
    isl_map *m = isl_map_apply_range(x, isl_map_reverse(y));
    for (int f = 0; f < n_fixed; f++) {
        int fa = place(sa, fixed[f]), fb = place(sb, fixed[f]);
        if (fa >= 0 && fb >= 0) m = isl_map_equate(m, isl_dim_in, fa, isl_dim_out, fb);
    }
    isl_map *lt = isl_map_order_lt(isl_map_copy(m), isl_dim_in, da, isl_dim_out, db);
    isl_map *gt = isl_map_order_gt(m, isl_dim_in, da, isl_dim_out, db);
    bool apart = isl_map_is_empty(lt) == isl_bool_true && isl_map_is_empty(gt) == isl_bool_true && rg__poly_isl_ok(s);
    isl_map_free(lt);
    isl_map_free(gt);
    return !apart;
}
