/* Real numbers inside integer expressions: trunc(R), the whole part of what is computed in double. */
#include "base/expr_internal.h"
#include <rg/expr.h>
#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
} functions[] = {
    {"sqrt", sqrt, NULL}, {"cbrt", cbrt, NULL}, {"floor", floor, NULL}, {"ceil", ceil, NULL}, {"round", round, NULL},
    {"fabs", fabs, NULL}, {"exp", exp, NULL},   {"log", log, NULL},     {"log2", log2, NULL}, {"log10", log10, NULL},
    {"pow", NULL, pow},   {"fmin", NULL, fmin}, {"fmax", NULL, fmax},
};

int rg_expr_real_function(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(name, functions[i].name)) return functions[i].one ? 1 : 2;
    return !strcmp(name, "f32") ? 1 : 0;
}

static enum rg_status call(const struct rg_expr *e, const struct rg_expr_env *env, double *out, struct rg_error *err)
{
    if (!strcmp(e->name, "real") && e->n_args == 1) {
        int64_t v = 0;
        enum rg_status s = rg_expr_eval(e->args[0], env, &v, err);
        *out = (double)v;
        return s;
    }
    int n = rg_expr_real_function(e->name);
    if (!n || n != e->n_args) return rg__expr_error(e, "unknown function of real numbers", err);
    double x[2] = {0, 0};
    for (int i = 0; i < n; i++) {
        enum rg_status s = rg__expr_real(e->args[i], env, &x[i], err);
        if (s != RG_OK) return s;
    }
    if (!strcmp(e->name, "f32")) {
        *out = (double)(float)x[0];
        return RG_OK;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(e->name, functions[i].name))
            *out = functions[i].one ? functions[i].one(x[0]) : functions[i].two(x[0], x[1]);
    return RG_OK;
}

enum rg_status rg__expr_real(const struct rg_expr *e, const struct rg_expr_env *env, double *out, struct rg_error *err)
{
    double x, y;
    enum rg_status s;
    switch (e->kind) {
    case RG_EXPR_INT: /* as a literal 2 beside reals */
        *out = (double)e->value;
        return RG_OK;
    case RG_EXPR_REAL: {
        size_t n = e->name ? strlen(e->name) : 0;
        *out = n && (e->name[n - 1] == 'f' || e->name[n - 1] == 'F') ? (double)(float)e->real : e->real;
        return RG_OK;
    }
    case RG_EXPR_NAME:
        if (env && env->real && env->real(env->arg, e->name, out)) return RG_OK;
        return rg_error_set(err, RG_INPUT, "no value is known of '%.100s'", e->name);
    case RG_EXPR_UNARY:
        if (e->op != RG_OP_NEG) break;
        if ((s = rg__expr_real(e->args[0], env, &x, err)) != RG_OK) return s;
        *out = -x;
        return RG_OK;
    case RG_EXPR_BINARY:
        if (e->op > RG_OP_DIV) break;
        if ((s = rg__expr_real(e->args[0], env, &x, err)) != RG_OK) return s;
        if ((s = rg__expr_real(e->args[1], env, &y, err)) != RG_OK) return s;
        *out = e->op == RG_OP_ADD ? x + y : e->op == RG_OP_SUB ? x - y : e->op == RG_OP_MUL ? x * y : x / y;
        return RG_OK;
    case RG_EXPR_CALL:
        return call(e, env, out, err);
    default:
        break;
    }
    return rg__expr_error(e, "only + - * / and functions are known for real numbers", err);
}

enum rg_status rg__expr_trunc(const struct rg_expr *e, const struct rg_expr_env *env, int64_t *out,
                              struct rg_error *err)
{
    double x;
    if (e->n_args != 1) return rg__expr_error(e, "one argument expected", err);
    enum rg_status s = rg__expr_real(e->args[0], env, &x, err);
    if (s != RG_OK) return s;
    if (!(fabs(x) < 0x1p62)) return rg__expr_error(e, "a number that no integer holds", err);
    *out = (int64_t)x;
    return RG_OK;
}
