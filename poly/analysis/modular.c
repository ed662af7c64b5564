/* Which points of two accesses may touch one element: by their maps, and, for subscripts that wrap round, by what
 * remainders say. Such are e % n and choices between e, e + n and e - n (whatever decides), where n is a parameter or e
 * has something from a table in it: none of that is affine. Equal ones are of dividends that n divides the difference
 * of, whatever the signs (C's % included). So where what is not affine in e has one value at both points, the affine
 * parts differ by 0, or by n or more: (i + c[k]) % n with 0 <= i < n is another element for every i, as long as k
 * stays. */
#include "poly/analysis/scop.h"
#include <isl/constraint.h>
#include <string.h>

enum { MAX_FIXED = 4, MAX_VARS = 8 };

struct remainder {
    struct poly_linear l; /* of the dividend */
    int n_fixed;          /* and added to it: of one value wherever their iterators have one */
    struct {
        const struct rg_cnode *e;
        int sign;
    } fixed[MAX_FIXED];
};

/* Sums in it are those of whole numbers: nothing wraps round that C gives a value. */
static bool exact(const struct rg_cnode *e)
{
    return rg_scalar_is_signed(e->type) && !rg_scalar_is_real(e->type) && !e->pointer && rg_scalar_bytes(e->type) >= 4;
}

static bool keeps_value(const struct rg_cnode *cast)
{
    const struct rg_cnode *from = cast->kid[0];
    if (rg_scalar_is_real(from->type) || from->pointer || !exact(cast)) return false;
    size_t a = rg_scalar_bytes(from->type), b = rg_scalar_bytes(cast->type);
    return a < b || (a == b && rg_scalar_is_signed(from->type));
}

static bool exact_inside(const struct rg_cnode *e)
{
    bool leaf = e->kind == RG_C_INT || e->kind == RG_C_VAR;
    if (!leaf && !(e->kind == RG_C_CAST ? keeps_value(e) : exact(e))) return false;
    for (int i = 0; i < e->n; i++)
        if (!exact_inside(e->kid[i])) return false;
    return true;
}

static bool is_written(const struct poly_scop *s, int array)
{
    bool may = s->array_hidden[array] || (s->problem->may_alias && !s->tree->arrays[array].constant_table);
    for (int i = 0; i < s->n_accesses && !may; i++) may = s->accesses[i].array == array && s->accesses[i].write;
    return may || s->tree->arrays[array].param < 0;
}

/* Does its value depend on iterators alone? */
static bool fixed_value(const struct poly_scop *s, const struct rg_cnode *e)
{
    switch (e->kind) {
    case RG_C_INT:
    case RG_C_UNARY:
    case RG_C_BINARY:
    case RG_C_CAST:
    case RG_C_COND:
        break;
    case RG_C_VAR:
        return e->array < 0 && e->var >= 0 &&
               (s->tree->vars[e->var].kind == RG_CVAR_ITER ||
                (s->tree->vars[e->var].kind == RG_CVAR_PARAM && !s->tree->vars[e->var].assigned));
    case RG_C_INDEX:
        if (e->n != s->tree->arrays[e->array].n_dims ||
            (!s->tree->arrays[e->array].constant_table && is_written(s, e->array)))
            return false;
        break;
    default:
        return false;
    }
    if (e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS) return false;
    for (int i = 0; i < e->n; i++)
        if (!fixed_value(s, e->kid[i])) return false;
    return true;
}

/* False: code without a tree may set anything. What is set by more than declarations is marked. */
static bool declarations(struct poly_scop *s, bool *set, const struct rg_cnode *n)
{
    if (!n) return true;
    if (n->kind == RG_C_VERBATIM) return false;
    bool target =
        (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) && n->kid[0]->kind == RG_C_VAR;
    if (target && n->kid[0]->array < 0 && n->kid[0]->var >= 0) set[n->kid[0]->var] = true;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0) {
        const struct rg_cnode **value = &s->declared[n->var];
        if (!n->n || !n->kid[0] ||
            (*value && !rg__c_same(*value, n->kid[0], RG__C_TYPED))) /* copies of a loop have copies of it */
            set[n->var] = true;
        else
            *value = n->kid[0];
    }
    for (int i = 0; i < n->n; i++)
        if (!declarations(s, set, n->kid[i])) return false;
    return true;
}

void rg__poly_declared_analyse(struct poly_scop *s)
{
    bool *set = rg_xcalloc((size_t)s->tree->n_vars + 1, sizeof *set), all = declarations(s, set, s->tree->root);
    for (int v = 0; v < s->tree->n_vars; v++)
        if (set[v] || !all) s->declared[v] = NULL;
    free(set);
}

/* Without casts that change nothing, and with what locals stand for. */
static const struct rg_cnode *meant(const struct poly_scop *s, const struct rg_cnode *e)
{
    for (int step = 0; step < 8; step++) {
        bool local = e->kind == RG_C_VAR && e->array < 0 && e->var >= 0 &&
                     s->tree->vars[e->var].kind == RG_CVAR_LOCAL && !s->var_hidden[e->var];
        const struct rg_cnode *value = local ? s->declared[e->var] : NULL;
        if (e->kind == RG_C_CAST && keeps_value(e))
            e = e->kid[0];
        else if (value && exact(e) && exact(value) && value->type == e->type)
            e = value;
        else
            break;
    }
    return e;
}

static bool same_fixed(const struct remainder *a, const struct remainder *b)
{
    if (a->n_fixed != b->n_fixed) return false;
    for (int i = 0; i < a->n_fixed; i++)
        if (a->fixed[i].sign != b->fixed[i].sign || !rg__c_same(a->fixed[i].e, b->fixed[i].e, RG__C_TYPED))
            return false;
    return true;
}

static bool over_parameters(const struct poly_scop *s, const struct poly_linear *l)
{
    for (int i = 0; i < l->n; i++)
        if (s->tree->vars[l->term[i].var].kind != RG_CVAR_PARAM) return false;
    return l->ok && l->n;
}

static bool add_terms(const struct poly_scop *s, const struct rg_cnode *e, int sign, const struct poly_linear *modulus,
                      struct remainder *out);

/* The arms' dividends, where no modulus, or that one, is known; false: they have other parts that are not affine. */
static bool arms_of(const struct poly_scop *s, const struct rg_cnode *e, const struct poly_linear *modulus,
                    struct remainder arm[2], struct poly_linear *apart)
{
    for (int i = 0; i < 2; i++) {
        memset(&arm[i], 0, sizeof arm[i]);
        arm[i].l.ok = true;
        if (!add_terms(s, e->kid[i + 1], 1, modulus, &arm[i])) return false;
    }
    *apart = arm[0].l;
    rg__poly_linear_add(apart, &arm[1].l, -1);
    return apart->ok && same_fixed(&arm[0], &arm[1]);
}

static bool divides(const struct poly_linear *modulus, const struct poly_linear *l)
{
    struct poly_linear rest = *l;
    int64_t by = modulus->n ? modulus->term[0].c : modulus->k,
            of = modulus->n ? rg__poly_linear_coef(l, modulus->term[0].var) : l->k;
    if (!by || of % by) return false;
    rg__poly_linear_add(&rest, modulus, -(of / by));
    return rest.ok && !rest.n && !rest.k;
}

static bool is_remainder(const struct rg_cnode *e)
{
    return e->op == RG_COP_REM && exact(e) && exact_inside(e->kid[1]);
}

static bool add_terms(const struct poly_scop *s, const struct rg_cnode *e, int sign, const struct poly_linear *modulus,
                      struct remainder *out)
{
    e = meant(s, e);
    struct poly_linear l = rg__poly_linear_of(s->tree, e), apart;
    struct remainder arm[2];
    if (l.ok && exact_inside(e)) {
        rg__poly_linear_add(&out->l, &l, sign);
        return out->l.ok;
    }
    if ((e->op == RG_COP_NEG || e->op == RG_COP_POS) && exact(e))
        return add_terms(s, e->kid[0], e->op == RG_COP_NEG ? -sign : sign, modulus, out);
    if ((e->op == RG_COP_ADD || e->op == RG_COP_SUB) && exact(e))
        return add_terms(s, e->kid[0], sign, modulus, out) &&
               add_terms(s, e->kid[1], e->op == RG_COP_SUB ? -sign : sign, modulus, out);
    if (modulus && is_remainder(e)) {
        l = rg__poly_linear_of(s->tree, e->kid[1]);
        if (rg__poly_linear_equal(&l, modulus)) /* differs from its dividend by a multiple */
            return add_terms(s, e->kid[0], sign, modulus, out);
    }
    if (modulus && e->kind == RG_C_COND && exact(e) && arms_of(s, e, modulus, arm, &apart) && divides(modulus, &apart))
        return add_terms(s, e->kid[1], sign, modulus, out);
    if (out->n_fixed == MAX_FIXED || !fixed_value(s, e)) return false;
    out->fixed[out->n_fixed].e = e;
    out->fixed[out->n_fixed++].sign = sign;
    return true;
}

/* What the subscript wraps round at: a form over parameters; false: it does not. */
static bool modulus_of(const struct poly_scop *s, const struct rg_cnode *e, struct poly_linear *out)
{
    struct remainder arm[2];
    e = meant(s, e);
    if (is_remainder(e)) {
        *out = rg__poly_linear_of(s->tree, e->kid[1]);
        return out->ok && (over_parameters(s, out) || (!out->n && out->k));
    }
    if (e->kind != RG_C_COND) return false;
    if (modulus_of(s, e->kid[1], out) || modulus_of(s, e->kid[2], out)) return true;
    if (!arms_of(s, e, NULL, arm, out) || !over_parameters(s, out)) return false;
    struct poly_linear minus = {.ok = true};
    rg__poly_linear_add(&minus, out, -1);
    if (out->term[0].c < 0) *out = minus;
    return true;
}

static int place_of(const struct poly_scop *s, const struct poly_stmt *st, int var)
{
    for (int d = st->depth - 1; d >= 0; d--)
        if (s->loops[st->loops[d]].var == var) return d;
    return -1;
}

static bool iterators(const struct poly_scop *s, const struct rg_cnode *e, int *vars, int *n)
{
    if (e->kind == RG_C_VAR && e->var >= 0 && s->tree->vars[e->var].kind == RG_CVAR_ITER) {
        for (int i = 0; i < *n; i++)
            if (vars[i] == e->var) return true;
        if (*n == MAX_VARS) return false;
        vars[(*n)++] = e->var;
    }
    for (int i = 0; i < e->n; i++)
        if (!iterators(s, e->kid[i], vars, n)) return false;
    return true;
}

/* sign * l at a point of one side, added to c; NULL: it has a variable that is unknown there. */
static isl_constraint *add_linear(const struct poly_scop *s, isl_constraint *c, isl_space *sp,
                                  const struct poly_stmt *st, enum isl_dim_type side, const struct poly_linear *l,
                                  int sign)
{
    for (int i = 0; c && i < l->n; i++) {
        int var = l->term[i].var, at = place_of(s, st, var);
        enum isl_dim_type type = side;
        if (at < 0) {
            type = isl_dim_param;
            at = s->tree->vars[var].kind == RG_CVAR_PARAM
                     ? isl_space_find_dim_by_name(sp, isl_dim_param, s->tree->vars[var].name)
                     : -1;
        }
        if (at < 0) return isl_constraint_free(c);
        isl_val *v = isl_val_add(isl_constraint_get_coefficient_val(c, type, at),
                                 isl_val_int_from_si(s->ctx, sign * l->term[i].c));
        c = isl_constraint_set_coefficient_val(c, type, at, v);
    }
    return c ? isl_constraint_set_constant_val(
                   c, isl_val_add(isl_constraint_get_constant_val(c), isl_val_int_from_si(s->ctx, sign * l->k)))
             : NULL;
}

/* a's dividend minus b's, or the other way round with sign < 0: at least `times` n, or that. */
static isl_map *apart_by(const struct poly_scop *s, isl_space *sp, const struct poly_stmt *sa,
                         const struct poly_stmt *sb, const struct remainder *a, const struct remainder *b,
                         const struct poly_linear *n, int sign, int times, bool equal)
{
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(sp));
    isl_constraint *c = equal ? isl_constraint_alloc_equality(ls) : isl_constraint_alloc_inequality(ls);
    c = add_linear(s, c, sp, sa, isl_dim_in, &a->l, sign);
    c = c ? add_linear(s, c, sp, sb, isl_dim_out, &b->l, -sign) : NULL;
    c = c && times ? add_linear(s, c, sp, sa, isl_dim_in, n, -times) : c;
    return c ? isl_map_add_constraint(isl_map_universe(isl_space_copy(sp)), c) : NULL;
}

/* By a multiple of the modulus, as far as its first parameter goes: i + n and i are one dividend. */
static void reduce(struct poly_linear *l, const struct poly_linear *modulus)
{
    if (modulus->n)
        rg__poly_linear_add(l, modulus, -(rg__poly_linear_coef(l, modulus->term[0].var) / modulus->term[0].c));
}

/* All pairs of the points `among` that such a subscript of both does not keep apart; NULL: it says nothing. Dividends
 * that are no two n apart, as those of (i + 1) % n with 0 <= i < n, are n apart or equal. */
static isl_map *equal_remainders(const struct poly_scop *s, isl_map *among, const struct poly_stmt *sa,
                                 const struct poly_stmt *sb, const struct rg_cnode *ea, const struct rg_cnode *eb)
{
    struct poly_linear n, of_b;
    struct remainder a = {.l = {.ok = true}}, b = {.l = {.ok = true}};
    int vars[MAX_VARS], n_vars = 0;
    bool wraps = modulus_of(s, ea, &n), other = modulus_of(s, eb, &of_b);
    if (!wraps) n = of_b;
    if (!(wraps || other) || (wraps && other && !rg__poly_linear_equal(&n, &of_b))) return NULL;
    if (!add_terms(s, ea, 1, &n, &a) || !add_terms(s, eb, 1, &n, &b) || !same_fixed(&a, &b)) return NULL;
    reduce(&a.l, &n);
    reduce(&b.l, &n);
    if (!a.l.ok || !b.l.ok) return NULL;
    for (int i = 0; i < a.n_fixed; i++)
        if (!iterators(s, a.fixed[i].e, vars, &n_vars)) return NULL;
    isl_space *sp = isl_map_get_space(among);
    isl_map *all = apart_by(s, sp, sa, sb, &a, &b, &n, 1, 0, true);
    for (int sign = -1; sign <= 1 && all; sign += 2) {
        isl_map *twice = apart_by(s, sp, sa, sb, &a, &b, &n, sign, 2, false);
        twice = twice ? isl_map_intersect(twice, isl_map_copy(among)) : NULL;
        isl_map *more = apart_by(s, sp, sa, sb, &a, &b, &n, sign, 1, twice && isl_map_is_empty(twice) == isl_bool_true);
        isl_map_free(twice);
        all = more ? isl_map_union(all, more) : isl_map_free(all);
    }
    for (int i = 0; i < n_vars && all; i++) { /* another value of what is not affine: anything */
        int da = place_of(s, sa, vars[i]), db = place_of(s, sb, vars[i]);
        if (da < 0 || db < 0) {
            all = isl_map_free(all);
            break;
        }
        isl_map *any = isl_map_universe(isl_space_copy(sp));
        all = isl_map_union(all, isl_map_order_lt(isl_map_copy(any), isl_dim_in, da, isl_dim_out, db));
        all = isl_map_union(all, isl_map_order_gt(any, isl_dim_in, da, isl_dim_out, db));
    }
    isl_space_free(sp);
    return all;
}

/* The sizes at which the kernel is used are multiples: `n % 2 == 0` among what the problem requires. */
static isl_map *at_multiples(const struct poly_scop *s, isl_map *m)
{
    for (int i = 0; m && i < s->problem->n_require; i++) {
        const struct rg_expr *e = s->problem->require[i], *rem = e->kind == RG_EXPR_BINARY ? e->args[0] : NULL;
        bool multiple = rem && e->op == RG_OP_EQ && rem->kind == RG_EXPR_BINARY && rem->op == RG_OP_MOD &&
                        rem->args[0]->kind == RG_EXPR_NAME && rem->args[1]->kind == RG_EXPR_INT &&
                        rem->args[1]->value > 1 && e->args[1]->kind == RG_EXPR_INT && e->args[1]->value == 0;
        int at = multiple ? isl_map_find_dim_by_name(m, isl_dim_param, rem->args[0]->name) : -1;
        if (at < 0) continue;
        isl_space *params = isl_space_params(isl_map_get_space(m));
        isl_aff *n = isl_aff_var_on_domain(isl_local_space_from_space(params), isl_dim_param, (unsigned)at);
        n = isl_aff_mod_val(n, isl_val_int_from_si(s->ctx, rem->args[1]->value));
        m = isl_map_intersect_params(m, isl_set_from_basic_set(isl_aff_zero_basic_set(n)));
    }
    return m;
}

/* Of the pairs those whose elements of one array member are one (`net->w[i][j]`), as far as subscripts are affine: they
 * stay within its rows. */
static isl_map *same_part(struct poly_scop *s, isl_map *m, const struct poly_access *a, const struct poly_access *b)
{
    const struct poly_stmt *sa = &s->stmts[a->stmt], *sb = &s->stmts[b->stmt];
    if (!m || !a->part || !b->part || a->part->n != b->part->n || strcmp(a->part->text, b->part->text)) return m;
    for (int d = 1; d < a->part->n && m; d++) {
        isl_space *of_a = isl_set_get_space(sa->domain), *of_b = isl_set_get_space(sb->domain);
        isl_pw_aff *x = rg__poly_aff(s, sa->loops, sa->depth, of_a, a->part->kid[d]),
                   *y = rg__poly_aff(s, sb->loops, sb->depth, of_b, b->part->kid[d]);
        isl_space_free(of_a);
        isl_space_free(of_b);
        if (x && y) {
            isl_map *to = isl_map_from_pw_aff(x), *from = isl_map_reverse(isl_map_from_pw_aff(y));
            m = isl_map_intersect(m, isl_map_apply_range(to, from));
        } else {
            isl_pw_aff_free(x);
            isl_pw_aff_free(y);
        }
    }
    return m;
}

isl_map *rg__poly_common(struct poly_scop *s, const struct poly_access *a, const struct poly_access *b)
{
    const struct poly_stmt *sa = &s->stmts[a->stmt], *sb = &s->stmts[b->stmt];
    isl_map *m = isl_map_apply_range(isl_map_copy(a->map), isl_map_reverse(isl_map_copy(b->map)));
    m = same_part(s, at_multiples(s, m), a, b);
    isl_space *all = m ? isl_map_get_space(m) : NULL;
    isl_map *listed = all ? rg__poly_list_range(s, all, a, b) : NULL;
    isl_space_free(all);
    if (listed) m = isl_map_intersect(m, listed);
    if (!m || (a->affine && b->affine) || a->whole || b->whole || sa->node->kind == RG_C_OPAQUE ||
        sb->node->kind == RG_C_OPAQUE)
        return m;
    isl_space *points = isl_map_get_space(m);
    isl_map *symbolic = rg__poly_symbolic(s, points, a, b);
    isl_space_free(points);
    if (symbolic) m = isl_map_intersect(m, symbolic);
    for (int d = 0; d < a->n_subs && d < b->n_subs; d++) {
        isl_space *sp = isl_map_get_space(m);
        isl_map *meet = equal_remainders(s, m, sa, sb, a->node->kid[d], b->node->kid[d]);
        isl_map *guarded = a->sub[d].ok && b->sub[d].ok ? NULL : rg__poly_guarded(s, sp, a, b, d);
        isl_map *packed = a->sub[d].ok && b->sub[d].ok ? NULL : rg__poly_packed(s, a, b, d);
        isl_map *digits = a->sub[d].ok && b->sub[d].ok ? NULL : rg__poly_digits(s, a, b, d);
        isl_space_free(sp);
        if (digits) m = isl_map_intersect(m, digits);
        if (packed) m = isl_map_intersect(m, packed);
        if (meet) m = isl_map_intersect(m, meet);
        if (guarded) m = isl_map_intersect(m, guarded);
    }
    return m;
}
