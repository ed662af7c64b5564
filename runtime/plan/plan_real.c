/* Real numbers in a plan: literals passed to kernels, and comparisons in conditions, of elements and scalar parameters
 * too. */
#include "runtime/plan/plan_internal.h"
#include <math.h>
#include <string.h>

bool rg__plan_is_real(const struct rg_expr *e)
{
    double ignored;
    if (e->kind == RG_EXPR_REAL) return true;
    if (e->kind == RG_EXPR_NAME) return rg__plan_real_constant(e->name, &ignored);
    if (e->kind == RG_EXPR_CALL || e->kind == RG_EXPR_INDEX) return false;
    for (int i = 0; i < e->n_args; i++)
        if (rg__plan_is_real(e->args[i])) return true;
    return false;
}

enum rg_status rg__plan_eval_real(const struct rg_expr *e, const struct rg_expr_env *env, double *out,
                                  struct rg_error *err)
{
    enum rg_status s;
    double x, y;
    if (!rg__plan_is_real(e)) {
        int64_t v = 0;
        s = rg_expr_eval(e, env, &v, err);
        *out = (double)v;
        return s;
    }
    switch (e->kind) {
    case RG_EXPR_REAL: {
        size_t n = e->name ? strlen(e->name) : 0;
        bool single = n && (e->name[n - 1] == 'f' || e->name[n - 1] == 'F');
        *out = single ? (double)(float)e->real : e->real;
        return RG_OK;
    }
    case RG_EXPR_NAME:
        rg__plan_real_constant(e->name, out);
        return RG_OK;
    case RG_EXPR_UNARY:
        if (e->op != RG_OP_NEG) break;
        if ((s = rg__plan_eval_real(e->args[0], env, &x, err)) != RG_OK) return s;
        *out = -x;
        return RG_OK;
    case RG_EXPR_BINARY:
        if ((s = rg__plan_eval_real(e->args[0], env, &x, err)) != RG_OK) return s;
        if ((s = rg__plan_eval_real(e->args[1], env, &y, err)) != RG_OK) return s;
        if (e->op == RG_OP_ADD)
            *out = x + y;
        else if (e->op == RG_OP_SUB)
            *out = x - y;
        else if (e->op == RG_OP_MUL)
            *out = x * y;
        else if (e->op == RG_OP_DIV && y != 0)
            *out = x / y;
        else if (e->op == RG_OP_DIV)
            return rg_error_set(err, RG_INPUT, "division by zero");
        else
            break;
        return RG_OK;
    default:
        break;
    }
    return rg_error_set(err, RG_INPUT, "only + - * / are known for real numbers");
}

/* ---- comparisons ---- */

static bool is_call(const struct rg_expr *e, const char *name)
{
    return e->kind == RG_EXPR_CALL && !strcmp(e->name, name);
}

bool rg__plan_real_operation(const struct rg_expr *e)
{
    if (e->kind == RG_EXPR_UNARY) return e->op == RG_OP_NEG;
    if (e->kind == RG_EXPR_BINARY)
        return e->op == RG_OP_ADD || e->op == RG_OP_SUB || e->op == RG_OP_MUL || e->op == RG_OP_DIV;
    return (is_call(e, "abs") && e->n_args == 1) || ((is_call(e, "min") || is_call(e, "max")) && e->n_args == 2);
}

bool rg__plan_real_valued(const struct rg_expr *e, const struct rg__reals *r)
{
    double ignored;
    if (e->kind == RG_EXPR_REAL) return true;
    if (e->kind == RG_EXPR_NAME) return r->is_real(r->arg, e->name, false) || rg__plan_real_constant(e->name, &ignored);
    if (e->kind == RG_EXPR_INDEX) return r->is_real(r->arg, e->name, true);
    if (is_call(e, "read"))
        return e->n_args == 2 && e->args[0]->kind == RG_EXPR_NAME && r->is_real(r->arg, e->args[0]->name, true);
    if (e->kind == RG_EXPR_CALL && !rg__plan_real_operation(e)) return false;
    if (e->kind == RG_EXPR_BINARY && e->op != RG_OP_MOD && !rg__plan_real_operation(e)) return false;
    for (int i = e->kind == RG_EXPR_COND; i < e->n_args; i++)
        if (rg__plan_real_valued(e->args[i], r)) return true;
    return false;
}

bool rg__plan_compares(const struct rg_expr *e, const struct rg__reals *r)
{
    if (e->kind != RG_EXPR_BINARY) return false;
    bool comparison = e->op == RG_OP_LT || e->op == RG_OP_LE || e->op == RG_OP_GT || e->op == RG_OP_GE ||
                      e->op == RG_OP_EQ || e->op == RG_OP_NE;
    return comparison && (rg__plan_real_valued(e->args[0], r) || rg__plan_real_valued(e->args[1], r));
}

bool rg__plan_compares_reals(const struct rg_expr *e, const struct rg__reals *r)
{
    if (rg__plan_compares(e, r)) return true;
    for (int i = 0; i < e->n_args; i++)
        if (rg__plan_compares_reals(e->args[i], r)) return true;
    return false;
}

static enum rg_status compared(const struct rg_expr *e, const struct rg__reals *r, const struct rg_expr_env *env,
                               double *out, struct rg_error *err)
{
    if (!rg__plan_real_valued(e, r)) {
        int64_t v = 0;
        enum rg_status s = rg_expr_eval(e, env, &v, err);
        *out = (double)v;
        return s;
    }
    if (e->kind == RG_EXPR_REAL || (e->kind == RG_EXPR_NAME && rg__plan_real_constant(e->name, out)))
        return rg__plan_eval_real(e, env, out, err);
    if (!rg__plan_real_operation(e)) return r->value(r->arg, e, out, err);
    double x = 0, y = 0;
    enum rg_status s = compared(e->args[0], r, env, &x, err);
    if (s == RG_OK && e->n_args > 1) s = compared(e->args[1], r, env, &y, err);
    if (s != RG_OK) return s;
    if (e->kind == RG_EXPR_UNARY)
        *out = -x;
    else if (e->kind == RG_EXPR_CALL)
        *out = *e->name == 'a' ? fabs(x) : e->name[1] == 'i' ? (y < x ? y : x) : (y > x ? y : x);
    else if (e->op == RG_OP_ADD)
        *out = x + y;
    else if (e->op == RG_OP_SUB)
        *out = x - y;
    else if (e->op == RG_OP_MUL)
        *out = x * y;
    else
        *out = x / y; /* as C does: an infinity, which compares */
    return RG_OK;
}

enum rg_status rg__plan_truth(const struct rg_expr *e, const struct rg__reals *r, const struct rg_expr_env *env,
                              int64_t *out, struct rg_error *err)
{
    if (!rg__plan_compares_reals(e, r)) return rg_expr_eval(e, env, out, err);
    enum rg_status s;
    if (rg__plan_compares(e, r)) {
        double x = 0, y = 0;
        if ((s = compared(e->args[0], r, env, &x, err)) != RG_OK ||
            (s = compared(e->args[1], r, env, &y, err)) != RG_OK)
            return s;
        *out = e->op == RG_OP_LT   ? x < y
               : e->op == RG_OP_LE ? x <= y
               : e->op == RG_OP_GT ? x > y
               : e->op == RG_OP_GE ? x >= y
               : e->op == RG_OP_EQ ? x == y
                                   : x != y;
        return RG_OK;
    }
    if ((s = rg__plan_truth(e->args[0], r, env, out, err)) != RG_OK) return s;
    if (e->kind == RG_EXPR_UNARY)
        *out = !*out;
    else if (e->kind == RG_EXPR_COND)
        return rg__plan_truth(e->args[*out ? 1 : 2], r, env, out, err);
    else if ((e->op == RG_OP_AND) != (*out != 0))
        *out = *out != 0; /* short circuit */
    else if ((s = rg__plan_truth(e->args[1], r, env, out, err)) == RG_OK)
        *out = *out != 0;
    return s;
}
