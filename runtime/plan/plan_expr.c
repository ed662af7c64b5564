/* What the plan language adds to integer expressions: pointers, constants, real literals, element reads. */
#include "runtime/plan/plan_internal.h"
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

static struct rg_expr *binary(struct rg_arena *a, enum rg_op op, const struct rg_expr *left,
                              const struct rg_expr *right, const struct rg_expr *at)
{
    struct rg_expr *e = rg_arena_alloc(a, sizeof *e);
    e->kind = RG_EXPR_BINARY;
    e->op = op;
    e->line = at->line;
    e->column = at->column;
    e->n_args = 2;
    e->args = rg_arena_alloc(a, 2 * sizeof *e->args);
    e->args[0] = (struct rg_expr *)left;
    e->args[1] = (struct rg_expr *)right;
    return e;
}

struct rg__pointer rg__plan_split(struct rg_arena *a, const struct rg_expr *e, bool (*is_buffer)(void *, const char *),
                                  void *arg)
{
    struct rg__pointer none = {NULL, NULL};
    if (e->kind == RG_EXPR_NAME)
        return !is_buffer || is_buffer(arg, e->name) ? (struct rg__pointer){e->name, NULL} : none;
    if (e->kind != RG_EXPR_BINARY || (e->op != RG_OP_ADD && e->op != RG_OP_SUB)) return none;
    const struct rg_expr *rest = e->args[1];
    struct rg__pointer p = rg__plan_split(a, e->args[0], is_buffer, arg);
    if (!p.base && is_buffer && e->op == RG_OP_ADD) { /* n + x */
        p = rg__plan_split(a, e->args[1], is_buffer, arg);
        rest = e->args[0];
    }
    if (!p.base) return none;
    if (p.offset) {
        p.offset = binary(a, e->op, p.offset, rest, e);
    } else if (e->op == RG_OP_ADD) {
        p.offset = rest;
    } else {
        struct rg_expr *neg = rg_arena_alloc(a, sizeof *neg);
        neg->kind = RG_EXPR_UNARY;
        neg->op = RG_OP_NEG;
        neg->line = e->line;
        neg->column = e->column;
        neg->n_args = 1;
        neg->args = rg_arena_alloc(a, sizeof *neg->args);
        neg->args[0] = (struct rg_expr *)rest;
        p.offset = neg;
    }
    return p;
}

int rg__plan_constant(const char *name, int64_t *value)
{
    static const struct {
        const char *name;
        int64_t value;
    } table[] = {
        {"true", 1},
        {"false", 0},
        {"INT_MAX", INT_MAX},
        {"INT_MIN", INT_MIN},
        {"UINT_MAX", UINT_MAX},
        {"LONG_MAX", LONG_MAX},
        {"LONG_MIN", LONG_MIN},
        {"LLONG_MAX", LLONG_MAX},
        {"LLONG_MIN", LLONG_MIN},
        {"INT32_MAX", INT32_MAX},
        {"INT32_MIN", INT32_MIN},
        {"UINT32_MAX", UINT32_MAX},
        {"INT64_MAX", INT64_MAX},
        {"INT64_MIN", INT64_MIN},
        {"SHRT_MAX", SHRT_MAX},
        {"SHRT_MIN", SHRT_MIN},
        {"CHAR_MAX", CHAR_MAX},
        {"CHAR_MIN", CHAR_MIN},
        {"UCHAR_MAX", UCHAR_MAX},
        {"USHRT_MAX", USHRT_MAX},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].name, name)) {
            *value = table[i].value;
            return 1;
        }
    return 0;
}

bool rg__plan_real_constant(const char *name, double *value)
{
    static const struct {
        const char *name;
        double value;
    } table[] = {
        {"INFINITY", INFINITY},
        {"NAN", NAN},
        {"HUGE_VALF", INFINITY},
        {"HUGE_VAL", INFINITY},
        {"FLT_MAX", FLT_MAX},
        {"FLT_MIN", FLT_MIN},
        {"FLT_EPSILON", FLT_EPSILON},
        {"DBL_MAX", DBL_MAX},
        {"DBL_MIN", DBL_MIN},
        {"DBL_EPSILON", DBL_EPSILON},
        {"M_PI", 3.14159265358979323846},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].name, name)) {
            *value = table[i].value;
            return true;
        }
    return false;
}

bool rg__plan_reads(const struct rg_expr *e)
{
    if (e->kind == RG_EXPR_INDEX || (e->kind == RG_EXPR_CALL && !strcmp(e->name, "read"))) return true;
    for (int i = 0; i < e->n_args; i++)
        if (rg__plan_reads(e->args[i])) return true;
    return false;
}

bool rg__fits(enum rg_scalar t, int64_t value)
{
    size_t bytes = rg_scalar_bytes(t);
    if (rg_scalar_is_real(t) || !bytes) return true;
    if (t == RG_BOOL) return value == 0 || value == 1;
    if (bytes == 8) return rg_scalar_is_signed(t) || value >= 0;
    int64_t top = (int64_t)1 << (8 * bytes - rg_scalar_is_signed(t));
    return value < top && value >= (rg_scalar_is_signed(t) ? -top : 0);
}
