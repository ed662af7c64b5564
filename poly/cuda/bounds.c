/* The box around a kernel's parallel dimensions, as text over parameters and host loops. Interval arithmetic over the
 * loops' own bounds: exact for rectangular nests, a superset for the rest, whose kernels guard themselves. */
#include "poly/cuda/print.h"
#include <string.h>

static int dim_loop(const struct poly_print *pr, int var)
{
    for (int d = 0; d < pr->k->n_dims; d++)
        if (pr->s->loops[pr->k->dims[d]].var == var) return pr->k->dims[d];
    return -1;
}

static int host_loop(const struct poly_print *pr, int var)
{
    for (int h = 0; h < pr->k->n_host; h++)
        if (pr->s->loops[pr->k->host[h]].var == var) return pr->k->host[h];
    return -1;
}

struct side {
    struct poly_print *pr;
    bool plan;
    bool wide; /* not all of it is an int, as far as is known */
};

static const char *extreme(struct side *s, const struct rg_cnode *e, bool most);

/* Least or greatest value the dimension's variable takes. */
static const char *dim_extreme(struct side *s, int loop, bool most)
{
    const struct poly_loop *l = &s->pr->s->loops[loop];
    bool up = l->step > 0;
    if (most != up) return extreme(s, l->node->kid[0], most);
    const char *b = extreme(s, l->node->kid[1], most);
    return rg__poly_sum_text(s->pr, b, up ? '-' : '+', "1");
}

static bool simple(const char *t)
{
    return !strpbrk(t, " ?<>");
}

static const char *paren(struct poly_print *pr, const char *t)
{
    return simple(t) ? t : rg__poly_printf(pr, "(%s)", t);
}

static const char *choose(struct side *s, const char *a, const char *b, bool most)
{
    if (strcmp(a, b) == 0) return a;
    if (s->plan) return rg__poly_printf(s->pr, "%s(%s, %s)", most ? "max" : "min", a, b);
    const char *call = s->wide ? NULL : rg__poly_call_of_ints(s->pr, most);
    if (call) return rg__poly_printf(s->pr, "%s(%s, %s)", call, a, b);
    return rg__poly_printf(s->pr, "((%s) %c (%s) ? (%s) : (%s))", a, most ? '>' : '<', b, a, b);
}

static bool mentions_dim(const struct poly_print *pr, const struct rg_cnode *e)
{
    for (int d = 0; d < pr->k->n_dims; d++)
        if (rg__poly_mentions_loop(pr->s, e, pr->k->dims[d])) return true;
    for (int h = 0; h < pr->k->n_host && pr->any_host; h++)
        if (rg__poly_mentions_loop(pr->s, e, pr->k->host[h])) return true;
    return false;
}

static bool truth_value(const struct rg_cnode *e)
{
    return e->op == RG_COP_NOT || rg_c_logic(e->op);
}

static const char *extreme(struct side *s, const struct rg_cnode *e, bool most)
{
    struct poly_print *pr = s->pr;
    int64_t c;
    s->wide = s->wide || e->type != RG_I32 || e->pointer;
    if (truth_value(e) || e->kind == RG_C_COND) {
        if (truth_value(e) && mentions_dim(pr, e)) return most ? "1" : "0";
        if (!mentions_dim(pr, e))
            return rg__poly_printf(pr, "(%s)", s->plan ? rg__poly_plan_text(pr, e) : rg__poly_text(pr, e));
    }
    switch (e->kind) {
    case RG_C_INT:
        return rg__poly_printf(pr, "%lld", (long long)e->ivalue);
    case RG_C_VAR: {
        int loop = dim_loop(pr, e->var);
        if (loop < 0 && pr->any_host) loop = host_loop(pr, e->var);
        if (loop >= 0) return dim_extreme(s, loop, most);
        if (s->plan && pr->t->vars[e->var].kind == RG_CVAR_PARAM)
            return pr->s->problem->params[pr->t->vars[e->var].param].name;
        return s->plan ? pr->t->vars[e->var].name : rg__poly_var_name(pr, e->var);
    }
    case RG_C_CAST:
        return extreme(s, e->kid[0], most);
    case RG_C_UNARY:
        if (e->op == RG_COP_NEG) return rg__poly_negated(pr, extreme(s, e->kid[0], !most));
        return extreme(s, e->kid[0], most);
    case RG_C_CALL: {
        const char *a = extreme(s, e->kid[0], most), *b = extreme(s, e->kid[1], most);
        return choose(s, a, b, e->text[1] == 'a');
    }
    case RG_C_COND: {
        const char *a = extreme(s, e->kid[1], most), *b = extreme(s, e->kid[2], most);
        return choose(s, a, b, most); /* either arm */
    }
    case RG_C_BINARY: {
        const enum rg_c_op op = e->op;
        struct poly_linear r = rg__poly_linear_of(pr->t, e->kid[1]), l = rg__poly_linear_of(pr->t, e->kid[0]);
        bool right_const = rg__poly_linear_const(&r, &c);
        if (op == RG_COP_ADD || op == RG_COP_SUB) {
            const char *a = extreme(s, e->kid[0], most), *b = extreme(s, e->kid[1], op == RG_COP_ADD ? most : !most);
            return rg__poly_sum_text(pr, a, op == RG_COP_ADD ? '+' : '-',
                                     op == RG_COP_SUB || *b == '-' ? paren(pr, b) : b);
        }
        if (op == RG_COP_MUL) {
            int64_t lc;
            bool left_const = !right_const && rg__poly_linear_const(&l, &lc);
            int64_t f = right_const ? c : left_const ? lc : 1;
            const struct rg_cnode *x = right_const ? e->kid[0] : e->kid[1];
            return rg__poly_printf(pr, "%s * %lld", paren(pr, extreme(s, x, f < 0 ? !most : most)), (long long)f);
        }
        if (op == RG_COP_DIV && right_const)
            return rg__poly_printf(pr, "%s / %lld", paren(pr, extreme(s, e->kid[0], most)), (long long)c);
        if (op == RG_COP_REM && right_const) {
            if (!mentions_dim(pr, e->kid[0]))
                return rg__poly_printf(pr, "%s %% %lld", paren(pr, extreme(s, e->kid[0], most)), (long long)c);
            return most ? rg__poly_printf(pr, "%lld", (long long)c - 1) : "0";
        }
        break;
    }
    default:
        break;
    }
    if (s->plan) return rg__poly_plan_text(pr, e);
    return rg__poly_text(pr, e);
}

static const char *plan_paren(struct poly_print *pr, const struct rg_cnode *e)
{
    const char *t = rg__poly_plan_text(pr, e);
    return e->kind == RG_C_VAR || e->kind == RG_C_CALL || (e->kind == RG_C_INT && e->ivalue >= 0)
               ? t
               : rg__poly_printf(pr, "(%s)", t);
}

/* What rg__poly_plan_can() accepts. */
const char *rg__poly_plan_text(struct poly_print *pr, const struct rg_cnode *e)
{
    switch (e->kind) {
    case RG_C_INT:
        return rg__poly_printf(pr, "%lld", (long long)e->ivalue);
    case RG_C_VAR:
        if (pr->t->vars[e->var].kind == RG_CVAR_PARAM) return pr->s->problem->params[pr->t->vars[e->var].param].name;
        return pr->t->vars[e->var].name;
    case RG_C_CAST:
        return rg__poly_plan_text(pr, e->kid[0]);
    case RG_C_UNARY:
        if (e->op == RG_COP_POS) return rg__poly_plan_text(pr, e->kid[0]);
        return rg__poly_printf(pr, "%s%s", rg_c_op_text(e->op), plan_paren(pr, e->kid[0]));
    case RG_C_CALL:
        return rg__poly_printf(pr, "%s(%s, %s)", e->text, rg__poly_plan_text(pr, e->kid[0]),
                               rg__poly_plan_text(pr, e->kid[1]));
    case RG_C_COND:
        return rg__poly_printf(pr, "%s ? %s : %s", plan_paren(pr, e->kid[0]), plan_paren(pr, e->kid[1]),
                               plan_paren(pr, e->kid[2]));
    default: {
        bool sum = e->op == RG_COP_ADD;
        return rg__poly_printf(pr, "%s %s %s", sum ? rg__poly_plan_text(pr, e->kid[0]) : plan_paren(pr, e->kid[0]),
                               rg_c_op_text(e->op), plan_paren(pr, e->kid[1]));
    }
    }
}

static const char *plan_name(struct poly_print *pr, int var)
{
    const struct rg_cvar *v = &pr->t->vars[var];
    return v->kind == RG_CVAR_PARAM ? pr->s->problem->params[v->param].name : v->name;
}

static const char *long_name(struct poly_print *pr, int var)
{
    const char *name = rg__poly_var_name(pr, var);
    return rg_scalar_bytes(pr->t->vars[var].type) > 4 ? name : rg__poly_printf(pr, "(long long)%s", name);
}

static bool leans_on_dim(const struct poly_print *pr, int loop)
{
    return mentions_dim(pr, pr->s->loops[loop].node->kid[0]);
}

/* A strided loop whose start differs between the points of other dimensions: counted from that start, since from the
 * box's corner the stride would meet other values. */
static bool own_start(const struct poly_print *pr, int loop)
{
    int64_t step = pr->s->loops[loop].step;
    return step != 1 && step != -1 && leans_on_dim(pr, loop);
}

const char *rg__poly_dim_lower(struct poly_print *pr, int loop, bool plan)
{
    struct side s = {pr, plan, false};
    const struct poly_loop *l = &pr->s->loops[loop];
    if (!plan && own_start(pr, loop)) return rg__poly_addend(pr, l->node->kid[0]);
    /* counted from the loop's first value; a falling loop counts down from its greatest */
    return extreme(&s, l->node->kid[0], l->step < 0);
}

bool rg__poly_dim_exact_lower(const struct poly_print *pr, int loop)
{
    return !leans_on_dim(pr, loop) || own_start(pr, loop);
}

const char *rg__poly_dim_count(struct poly_print *pr, int loop, bool plan)
{
    struct side s = {pr, plan, false};
    const struct poly_loop *l = &pr->s->loops[loop];
    bool up = l->step > 0;
    int64_t m = up ? l->step : -l->step;
    if (l->constant) return rg__poly_printf(pr, "%lld", (long long)l->trip);
    const char *first = extreme(&s, l->node->kid[0], !up), *last = extreme(&s, l->node->kid[1], up);
    const char *n;
    bool box = l->lower.ok && l->upper.ok; /* plain difference of linear bounds */
    box = box && !mentions_dim(pr, l->node->kid[0]) && !mentions_dim(pr, l->node->kid[1]);
    struct poly_linear diff = up ? l->upper : l->lower, other = up ? l->lower : l->upper;
    for (int t = 0; t < other.n && box; t++) {
        int at = 0;
        while (at < diff.n && diff.term[at].var != other.term[t].var) at++;
        if (at == diff.n) {
            if (diff.n == POLY_MAX_TERMS) {
                box = false;
                break;
            }
            diff.term[diff.n].var = other.term[t].var;
            diff.term[diff.n++].c = 0;
        }
        diff.term[at].c -= other.term[t].c;
        if (diff.term[at].c == 0) diff.term[at] = diff.term[--diff.n];
    }
    if (box && !__builtin_sub_overflow(diff.k, other.k, &diff.k))
        n = rg__poly_linear_text(pr, &diff,
                                 plan                                                          ? plan_name
                                 : rg_scalar_bytes(pr->t->vars[l->var].type) > 4 && diff.n > 1 ? long_name
                                                                                               : NULL);
    else if (up)
        n = strcmp(first, "0") == 0 ? last : rg__poly_printf(pr, "%s - %s", last, paren(pr, first));
    else
        n = rg__poly_printf(pr, "%s - %s", first, paren(pr, last));
    if (m == 1) return n;
    if (plan) return rg__poly_printf(pr, "ceil_div(%s, %lld)", n, (long long)m);
    return rg__poly_printf(pr, "(%s + %lld) / %lld", n, (long long)m - 1, (long long)m);
}

/* ---- comparisons with an unsigned variable ---- */

static bool is_unsigned(const struct poly_print *pr, int var)
{
    enum rg_scalar t = pr->t->vars[var].type;
    return !rg_scalar_is_signed(t) && rg_scalar_bytes(t) >= 4;
}

const char *rg__poly_signed(struct poly_print *pr, int loop, const char *value)
{
    bool name = strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(value);
    return is_unsigned(pr, pr->s->loops[loop].var)
               ? rg__poly_printf(pr, name ? "(long long)%s" : "(long long)(%s)", value)
               : value;
}

static const char *signed_name(struct poly_print *pr, int var)
{
    const char *name = rg__poly_var_name(pr, var);
    return is_unsigned(pr, var) ? rg__poly_printf(pr, "(long long)%s", name) : name;
}

const char *rg__poly_limit(struct poly_print *pr, int loop)
{
    const struct poly_loop *l = &pr->s->loops[loop];
    if (!is_unsigned(pr, l->var) || !l->upper.ok) return rg__poly_operand(pr, l->node->kid[1]);
    const char *text = rg__poly_linear_text(pr, &l->upper, signed_name);
    return l->upper.n + (l->upper.k != 0) > 1 ? rg__poly_printf(pr, "(%s)", text) : text;
}

/* ---- the grid ---- */

void rg__poly_choose_grid(struct poly_print *pr)
{
    const struct rg_problem *p = pr->s->problem;
    if (pr->k->form != POLY_THREADS && pr->k->form != POLY_BLOCK) return;
    if (pr->k->region && pr->k->n_dims > 1) /* one number a block, which the resident ones count through */
        pr->flat = true;
    for (int axis = 1; axis < 3; axis++) {
        int d = pr->tiling.dim_of_axis[axis];
        const struct rg_expr *e;
        if (d < 0) continue;
        const char *text = rg__poly_printf(pr, "ceil_div(%s, %lld)", rg__poly_dim_count(pr, pr->k->dims[d], true),
                                           (long long)rg__poly_per_block(&pr->tiling, axis));
        if (rg_expr_parse_all(&pr->arena, text, &e, NULL) != RG_OK) continue;
        for (int s = 0; s < p->n_sizes && !pr->flat; s++) {
            struct rg_problem_env env;
            int64_t blocks;
            rg_problem_env_init(&env, p, &p->sizes[s]);
            if (rg_expr_eval(e, &env.env, &blocks, NULL) == RG_OK && blocks > 65535)
                pr->flat = true; /* host loops' variables are unknown here: such an extent is taken to be small */
        }
    }
}

/* Is the count one that is known here, from constants and parameters that `require` gives a value? */
static bool known_count(struct poly_print *pr, int loop, int64_t *count)
{
    const struct poly_loop *l = &pr->s->loops[loop];
    const struct rg_expr *e;
    *count = l->trip;
    return l->constant || (rg_expr_parse_all(&pr->arena, rg__poly_dim_count(pr, loop, true), &e, NULL) == RG_OK &&
                           rg__poly_known_value(pr->s->problem, e, count));
}

bool rg__poly_whole_blocks(struct poly_print *pr, int dim)
{
    int64_t n;
    int loop = pr->k->dims[dim];
    return !leans_on_dim(pr, loop) && pr->k->form == POLY_THREADS && known_count(pr, loop, &n) && n > 0 &&
           n % rg__poly_per_block(&pr->tiling, pr->k->axis[dim]) == 0;
}

const char *rg__poly_block(struct poly_print *pr, int axis)
{
    return rg__poly_printf(pr, pr->flat ? "block_%c" : "blockIdx.%c", "xyz"[axis]);
}

void rg__poly_block_lines(struct poly_print *pr)
{
    int axes = pr->k->n_dims;
    for (int a = 0; a + 1 < axes && pr->flat; a++) {
        const char *n = rg__poly_dim_count(pr, pr->k->dims[pr->tiling.dim_of_axis[a]], false);
        rg__poly_line(pr, "const unsigned grid_%c = (%s) > 0 ? ((%s) + %lld) / %lld : 1;", "xyz"[a], n, n,
                      (long long)rg__poly_per_block(&pr->tiling, a) - 1, (long long)rg__poly_per_block(&pr->tiling, a));
    }
    if (pr->flat && axes == 2)
        rg__poly_line(pr, "const unsigned block_x = blockIdx.x %% grid_x, block_y = blockIdx.x / grid_x;");
    else if (pr->flat)
        rg__poly_line(pr, "const unsigned block_x = blockIdx.x %% grid_x, block_y = blockIdx.x / grid_x %% grid_y, "
                          "block_z = blockIdx.x / grid_x / grid_y;");
}
