/* Real numbers in expressions of sizes: trunc(R) of rg/expr.h and the tree's (int)R, each from the other. */
#include "ir/ctree_real.h"
#include "ir/ctree_util.h"
#include <math.h>
#include <string.h>

static struct rg_expr *call(struct rg_arena *a, const char *name, int n)
{
    struct rg_expr *e = rg_arena_alloc(a, sizeof *e);
    memset(e, 0, sizeof *e);
    e->kind = RG_EXPR_CALL;
    e->name = name;
    e->n_args = n;
    e->args = rg_arena_alloc(a, 2 * sizeof *e->args);
    return e;
}

static struct rg_expr *operation(struct rg_arena *a, enum rg_expr_kind kind, enum rg_op op, int n)
{
    struct rg_expr *e = call(a, NULL, n);
    e->kind = kind;
    e->op = op;
    return e;
}

static struct rg_expr *literal(struct rg_arena *a, double value)
{
    if (!isfinite(value) || signbit(value)) return NULL;
    struct rg_expr *e = call(a, NULL, 0);
    const char *text = rg_arena_printf(a, "%.17g", value);
    e->kind = RG_EXPR_REAL;
    e->real = value;
    e->name = strpbrk(text, ".e") ? text : rg_arena_printf(a, "%s.0", text);
    return e;
}

/* Functions that come out the same in float and, rounded, in double; of the others the ones in double. */
static const char *function(const struct rg_cnode *n, bool *single)
{
    static const char *const exact[] = {"sqrt", "floor", "ceil", "round", "fabs", "fmin", "fmax", "log2"};
    if (n->callee >= 0 || !n->text) return NULL;
    const char *text = !strncmp(n->text, "rg_log2", 7) ? n->text + 3 : n->text;
    size_t length = strlen(text);
    *single = n->type == RG_F32;
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        size_t k = strlen(exact[i]);
        if (!strncmp(text, exact[i], k) && (length == k || (length == k + 1 && text[k] == 'f'))) return exact[i];
    }
    return !*single && rg_expr_real_function(text) == n->n ? text : NULL;
}

bool rg__c_real_call(const struct rg_cnode *n)
{
    bool single;
    return n->kind == RG_C_CALL && n->n <= 2 && function(n, &single) != NULL;
}

static struct rg_expr *real_of(const struct rg_ctree *t, const struct rg_cnode *n, struct rg_arena *a)
{
    struct rg_expr *e = NULL;
    bool single = n->type == RG_F32;
    if (n->pointer || (n->type != RG_F32 && n->type != RG_F64)) return NULL;
    switch (n->kind) {
    case RG_C_REAL:
        return literal(a, single ? (double)(float)n->rvalue : n->rvalue);
    case RG_C_VAR:
        if (n->array >= 0 || t->vars[n->var].kind != RG_CVAR_PARAM || t->vars[n->var].assigned) return NULL;
        e = call(a, rg_arena_strdup(a, t->vars[n->var].name), 0);
        e->kind = RG_EXPR_NAME;
        return e;
    case RG_C_CAST: {
        const struct rg_cnode *of = n->kid[0];
        if (rg__scalar_is_int(of->type) && !of->pointer) {
            const struct rg_expr *whole =
                of->type != RG_ULLONG && of->type != RG_ULONG ? rg__c_size_expr(t, of, a) : NULL;
            if (!whole) return NULL;
            e = call(a, "real", 1);
            e->args[0] = rg_expr_clone(a, whole);
            break;
        }
        e = real_of(t, of, a);
        if (!e || n->type == of->type || !single) return e;
        break;
    }
    case RG_C_UNARY:
        if (n->op == RG_COP_POS) return real_of(t, n->kid[0], a);
        if (n->op != RG_COP_NEG) return NULL;
        e = operation(a, RG_EXPR_UNARY, RG_OP_NEG, 1);
        break;
    case RG_C_BINARY:
        if (!rg_c_arithmetic(n->op) || n->op == RG_COP_REM) return NULL;
        e = operation(a, RG_EXPR_BINARY,
                      n->op == RG_COP_ADD   ? RG_OP_ADD
                      : n->op == RG_COP_SUB ? RG_OP_SUB
                      : n->op == RG_COP_MUL ? RG_OP_MUL
                                            : RG_OP_DIV,
                      2);
        break;
    case RG_C_CALL: {
        const char *name = n->n <= 2 ? function(n, &single) : NULL;
        if (!name) return NULL;
        e = call(a, name, n->n);
        break;
    }
    default:
        return NULL;
    }
    for (int i = 0; i < e->n_args && n->kind != RG_C_CAST; i++)
        if (!(e->args[i] = real_of(t, n->kid[i], a))) return NULL;
    if (!single || (n->kind == RG_C_UNARY)) return e;
    struct rg_expr *f = call(a, "f32", 1);
    f->args[0] = e;
    return f;
}

const struct rg_expr *rg__c_trunc_expr(const struct rg_ctree *t, const struct rg_cnode *n, struct rg_arena *a)
{
    if (n->kind != RG_C_CAST || n->pointer || !rg__scalar_is_int(n->type) || rg_scalar_bytes(n->type) < 4) return NULL;
    struct rg_expr *of = real_of(t, n->kid[0], a);
    if (!of) return NULL;
    struct rg_expr *e = call(a, "trunc", 1);
    e->args[0] = of;
    return e;
}

/* ---- back ---- */

static struct rg_cnode *node_of(struct rg_ctree *t, const struct rg_expr *e)
{
    switch (e->kind) {
    case RG_EXPR_REAL: {
        struct rg_cnode *r = rg_cnode_new(t, RG_C_REAL, 0);
        r->type = RG_F64;
        r->rvalue = e->real;
        r->text = rg_arena_strdup(&t->arena, e->name);
        return r;
    }
    case RG_EXPR_NAME: {
        struct rg_cnode *v = rg__c_from_expr(t, e);
        return v ? rg__c_cast(t, v, RG_F64) : NULL;
    }
    case RG_EXPR_UNARY:
    case RG_EXPR_BINARY: {
        static const enum rg_c_op op[] = {
            [RG_OP_ADD] = RG_COP_ADD, [RG_OP_SUB] = RG_COP_SUB, [RG_OP_MUL] = RG_COP_MUL, [RG_OP_DIV] = RG_COP_DIV};
        struct rg_cnode *x = node_of(t, e->args[0]), *y = e->n_args > 1 ? node_of(t, e->args[1]) : NULL;
        if (!x || (e->n_args > 1 && (!y || e->op > RG_OP_DIV))) return NULL;
        return y ? rg__c_binary(t, op[e->op], x, y) : rg__c_unary(t, RG_COP_NEG, x);
    }
    case RG_EXPR_CALL: {
        struct rg_cnode *c;
        if (!strcmp(e->name, "real")) {
            c = rg__c_from_expr(t, e->args[0]);
            return c ? rg__c_cast(t, c, RG_F64) : NULL;
        }
        if (!strcmp(e->name, "f32")) {
            c = node_of(t, e->args[0]);
            return c ? rg__c_cast(t, rg__c_cast(t, c, RG_F32), RG_F64) : NULL;
        }
        c = rg_cnode_new(t, RG_C_CALL, e->n_args);
        c->text = rg_arena_strdup(&t->arena, e->name);
        c->type = RG_F64;
        for (int i = 0; i < e->n_args; i++)
            if (!(c->kid[i] = node_of(t, e->args[i]))) return NULL;
        return c;
    }
    default:
        return NULL;
    }
}

struct rg_cnode *rg__c_from_trunc(struct rg_ctree *t, const struct rg_expr *e)
{
    struct rg_cnode *x = node_of(t, e->args[0]);
    return x ? rg__c_cast(t, x, RG_LLONG) : NULL;
}
