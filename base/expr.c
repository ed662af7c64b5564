/* Integer expressions once parsed: evaluate, print, copy, compare. Recursion is bounded by the parser's limits. */
#include "base/expr_internal.h"
#include <rg/expr.h>
#include <rg/scalar.h>
#include <string.h>

enum rg_status rg__expr_error(const struct rg_expr *e, const char *what, struct rg_error *err)
{
    if (!err) return RG_INPUT;
    struct rg_buf text = RG_BUF_INIT;
    rg_expr_print(&text, e, NULL, NULL);
    rg_error_set(err, RG_INPUT, "%s in '%.300s'", what, text.data);
    rg_buf_release(&text);
    return RG_INPUT;
}

static enum rg_status eval_binary(const struct rg_expr *e, int64_t x, int64_t y, int64_t *out, struct rg_error *err)
{
    bool overflow = false;
    switch (e->op) {
    case RG_OP_ADD:
        overflow = __builtin_add_overflow(x, y, out);
        break;
    case RG_OP_SUB:
        overflow = __builtin_sub_overflow(x, y, out);
        break;
    case RG_OP_MUL:
        overflow = __builtin_mul_overflow(x, y, out);
        break;
    case RG_OP_DIV:
    case RG_OP_MOD:
        if (!y) return rg__expr_error(e, "division by zero", err);
        if (y == -1) {
            /* INT64_MIN / -1 traps on x86, so -1 never reaches the instruction. */
            overflow = e->op == RG_OP_DIV && __builtin_sub_overflow((int64_t)0, x, out);
            if (e->op == RG_OP_MOD) *out = 0;
        } else {
            *out = e->op == RG_OP_DIV ? x / y : x % y;
        }
        break;
    case RG_OP_LT:
        *out = x < y;
        break;
    case RG_OP_LE:
        *out = x <= y;
        break;
    case RG_OP_GT:
        *out = x > y;
        break;
    case RG_OP_GE:
        *out = x >= y;
        break;
    case RG_OP_EQ:
        *out = x == y;
        break;
    case RG_OP_NE:
        *out = x != y;
        break;
    default:
        return rg__expr_error(e, "unknown operator", err);
    }
    return overflow ? rg__expr_error(e, "integer overflow", err) : RG_OK;
}

static bool one_argument(const char *name)
{
    return !strcmp(name, "abs") || !strcmp(name, "pow2") || !strcmp(name, "pow2_from");
}

static bool is_builtin(const char *name)
{
    return !strcmp(name, "min") || !strcmp(name, "max") || !strcmp(name, "ceil_div") || one_argument(name);
}

static enum rg_status eval_builtin(const struct rg_expr *e, const struct rg_expr_env *env, int64_t *out,
                                   struct rg_error *err)
{
    int want = one_argument(e->name) ? 1 : 2;
    int64_t v[2] = {0, 0};
    if (e->n_args != want)
        return rg__expr_error(e, want == 1 ? "one argument expected" : "two arguments expected", err);
    for (int i = 0; i < want; i++) {
        enum rg_status s = rg_expr_eval(e->args[i], env, &v[i], err);
        if (s != RG_OK) return s;
    }
    if (!strcmp(e->name, "min")) {
        *out = v[0] < v[1] ? v[0] : v[1];
    } else if (!strcmp(e->name, "max")) {
        *out = v[0] > v[1] ? v[0] : v[1];
    } else if (!strcmp(e->name, "abs")) {
        if (v[0] == INT64_MIN) return rg__expr_error(e, "integer overflow", err);
        *out = v[0] < 0 ? -v[0] : v[0];
    } else if (!strcmp(e->name, "pow2")) {
        if (v[0] < 0 || v[0] > 62) return rg__expr_error(e, "exponent out of range", err);
        *out = (int64_t)1 << v[0];
    } else if (!strcmp(e->name, "pow2_from")) {
        if (v[0] > (int64_t)1 << 62) return rg__expr_error(e, "integer overflow", err);
        for (*out = 1; *out < v[0];) *out *= 2;
    } else {
        if (!v[1]) return rg__expr_error(e, "division by zero", err);
        if (v[0] == INT64_MIN && v[1] == -1) return rg__expr_error(e, "integer overflow", err);
        *out = v[0] / v[1] + (v[0] % v[1] && (v[0] < 0) == (v[1] < 0));
    }
    return RG_OK;
}

static enum rg_status eval_call(const struct rg_expr *e, const struct rg_expr_env *env, int64_t *out,
                                struct rg_error *err)
{
    enum rg_scalar s;
    if (e->kind == RG_EXPR_CALL && !strcmp(e->name, "trunc")) return rg__expr_trunc(e, env, out, err);
    if (e->kind == RG_EXPR_CALL && is_builtin(e->name)) return eval_builtin(e, env, out, err);
    if (e->kind == RG_EXPR_CALL && !strcmp(e->name, "sizeof") && e->n_args == 1 && e->args[0]->kind == RG_EXPR_NAME &&
        rg_scalar_parse(e->args[0]->name, &s)) {
        *out = (int64_t)rg_scalar_bytes(s);
        return RG_OK;
    }
    if (env && env->call) return env->call(env->arg, e, env, out, err);
    return rg__expr_error(e, e->kind == RG_EXPR_INDEX ? "elements of arrays can't be read" : "unknown function or type",
                          err);
}

enum rg_status rg_expr_eval(const struct rg_expr *e, const struct rg_expr_env *env, int64_t *out, struct rg_error *err)
{
    int64_t x = 0, y = 0;
    enum rg_status s;
    switch (e->kind) {
    case RG_EXPR_INT:
        *out = e->value;
        return RG_OK;
    case RG_EXPR_REAL:
        return rg__expr_error(e, "a real number where an integer is needed", err);
    case RG_EXPR_NAME:
        if (env && env->name && env->name(env->arg, e->name, out)) return RG_OK;
        return rg_error_set(err, RG_INPUT, "unknown name '%.100s'", e->name);
    case RG_EXPR_UNARY:
        if ((s = rg_expr_eval(e->args[0], env, &x, err)) != RG_OK) return s;
        if (e->op == RG_OP_NOT)
            *out = !x;
        else if (__builtin_sub_overflow((int64_t)0, x, out))
            return rg__expr_error(e, "integer overflow", err);
        return RG_OK;
    case RG_EXPR_BINARY:
        if ((s = rg_expr_eval(e->args[0], env, &x, err)) != RG_OK) return s;
        if ((e->op == RG_OP_AND && !x) || (e->op == RG_OP_OR && x)) {
            *out = x != 0;
            return RG_OK;
        }
        if ((s = rg_expr_eval(e->args[1], env, &y, err)) != RG_OK) return s;
        if (e->op == RG_OP_AND || e->op == RG_OP_OR) {
            *out = y != 0;
            return RG_OK;
        }
        return eval_binary(e, x, y, out, err);
    case RG_EXPR_COND:
        if ((s = rg_expr_eval(e->args[0], env, &x, err)) != RG_OK) return s;
        return rg_expr_eval(e->args[x ? 1 : 2], env, out, err);
    case RG_EXPR_CALL:
    case RG_EXPR_INDEX:
        return eval_call(e, env, out, err);
    }
    return rg__expr_error(e, "unknown expression", err);
}

int rg_expr_table_name(void *table, const char *name, int64_t *value)
{
    const struct rg_expr_table *t = table;
    for (int i = 0; i < t->n; i++)
        if (!strcmp(t->names[i], name)) {
            *value = t->values[i];
            return 1;
        }
    return 0;
}

static const struct {
    const char *text;
    int level;
} ops[] = {
    [RG_OP_ADD] = {" + ", 5}, [RG_OP_SUB] = {" - ", 5}, [RG_OP_MUL] = {"*", 6},   [RG_OP_DIV] = {"/", 6},
    [RG_OP_MOD] = {" % ", 6}, [RG_OP_LT] = {" < ", 4},  [RG_OP_LE] = {" <= ", 4}, [RG_OP_GT] = {" > ", 4},
    [RG_OP_GE] = {" >= ", 4}, [RG_OP_EQ] = {" == ", 3}, [RG_OP_NE] = {" != ", 3}, [RG_OP_AND] = {" && ", 2},
    [RG_OP_OR] = {" || ", 1}, [RG_OP_NOT] = {"!", 7},   [RG_OP_NEG] = {"-", 7},
};

struct printer {
    struct rg_buf *out;
    const char *(*rename)(void *, const char *);
    void *arg;
};

static void print_name(const struct printer *p, const char *name)
{
    const char *n = p->rename ? p->rename(p->arg, name) : NULL;
    rg_buf_str(p->out, n ? n : name);
}

static void print(const struct printer *p, const struct rg_expr *e, int level)
{
    bool paren = false;
    switch (e->kind) {
    case RG_EXPR_INT:
        if (e->value == INT64_MIN)
            rg_buf_str(p->out, "(-9223372036854775807 - 1)");
        else
            rg_buf_printf(p->out, e->value < 0 && level > 1 ? "(%lld)" : "%lld", (long long)e->value);
        return;
    case RG_EXPR_REAL:
        if (e->name)
            rg_buf_str(p->out, e->name);
        else
            rg_buf_printf(p->out, "%.17e", e->real);
        return;
    case RG_EXPR_NAME:
        print_name(p, e->name);
        return;
    case RG_EXPR_UNARY:
        paren = level > 7;
        if (paren) rg_buf_char(p->out, '(');
        rg_buf_str(p->out, ops[e->op].text);
        print(p, e->args[0], 8); /* 8: "- -x" must not print as "--x" */
        break;
    case RG_EXPR_BINARY:
        paren = level > ops[e->op].level;
        if (paren) rg_buf_char(p->out, '(');
        /* C compilers warn about && inside ||; parentheses cost nothing. */
        print(p, e->args[0], e->op == RG_OP_OR ? 3 : ops[e->op].level);
        rg_buf_str(p->out, ops[e->op].text);
        print(p, e->args[1], e->op == RG_OP_OR ? 3 : ops[e->op].level + 1);
        break;
    case RG_EXPR_COND:
        paren = level > 0;
        if (paren) rg_buf_char(p->out, '(');
        print(p, e->args[0], 1);
        rg_buf_str(p->out, " ? ");
        print(p, e->args[1], 0);
        rg_buf_str(p->out, " : ");
        print(p, e->args[2], 0);
        break;
    case RG_EXPR_CALL:
        rg_buf_printf(p->out, "%s(", e->name);
        for (int i = 0; i < e->n_args; i++) {
            if (i) rg_buf_str(p->out, ", ");
            if (!strcmp(e->name, "sizeof") && e->args[i]->kind == RG_EXPR_NAME)
                rg_buf_str(p->out, e->args[i]->name);
            else
                print(p, e->args[i], 0);
        }
        rg_buf_char(p->out, ')');
        return;
    case RG_EXPR_INDEX:
        print_name(p, e->name);
        rg_buf_char(p->out, '[');
        print(p, e->args[0], 0);
        rg_buf_char(p->out, ']');
        return;
    }
    if (paren) rg_buf_char(p->out, ')');
}

void rg_expr_print(struct rg_buf *out, const struct rg_expr *e, const char *(*rename)(void *, const char *), void *arg)
{
    struct printer p = {out, rename, arg};
    print(&p, e, 0);
}

void rg_expr_names(const struct rg_expr *e, void (*fn)(void *, const char *), void *arg)
{
    if (e->kind == RG_EXPR_NAME || e->kind == RG_EXPR_INDEX) fn(arg, e->name);
    if (e->kind == RG_EXPR_CALL && !strcmp(e->name, "sizeof")) return; /* its argument is a type */
    for (int i = 0; i < e->n_args; i++) rg_expr_names(e->args[i], fn, arg);
}

struct rg_expr *rg_expr_clone(struct rg_arena *a, const struct rg_expr *e)
{
    struct rg_expr *c = rg_arena_alloc(a, sizeof *c);
    *c = *e;
    if (e->name) c->name = rg_arena_strdup(a, e->name);
    if (e->n_args) {
        c->args = rg_arena_alloc(a, (size_t)e->n_args * sizeof *c->args);
        for (int i = 0; i < e->n_args; i++) c->args[i] = rg_expr_clone(a, e->args[i]);
    }
    return c;
}

bool rg_expr_equal(const struct rg_expr *a, const struct rg_expr *b)
{
    if (a->kind != b->kind || a->n_args != b->n_args) return false;
    switch (a->kind) {
    case RG_EXPR_INT:
        if (a->value != b->value) return false;
        break;
    case RG_EXPR_REAL:
        if (memcmp(&a->real, &b->real, sizeof a->real)) return false;
        break;
    case RG_EXPR_NAME:
    case RG_EXPR_CALL:
    case RG_EXPR_INDEX:
        if (strcmp(a->name, b->name)) return false;
        break;
    case RG_EXPR_UNARY:
    case RG_EXPR_BINARY:
        if (a->op != b->op) return false;
        break;
    case RG_EXPR_COND:
        break;
    }
    for (int i = 0; i < a->n_args; i++)
        if (!rg_expr_equal(a->args[i], b->args[i])) return false;
    return true;
}
