/* Launches: shapes, attributes, template arguments, arguments. */
#include "runtime/plan/plan_parser.h"
#include <rg/buf.h>
#include <string.h>

/* One of the launch's extents: an expression, dim3(...) or a named dim3. */
static bool extent(struct parser *ps, const struct rg_expr *e[3])
{
    rg__plan_skip(ps);
    const char *p = ps->p;
    if (rg__plan_take(ps, "dim3")) {
        if (!rg__plan_expect(ps, "(", "expected '(' after dim3")) return false;
        for (int i = 0; i < 3; i++) {
            if (!(e[i] = rg__plan_expression(ps))) return false;
            if (!rg__plan_take(ps, ",")) break;
            if (i == 2) return rg__plan_fail(ps, "dim3 takes three extents at most");
        }
        return rg__plan_expect(ps, ")", "expected ')' after dim3's extents");
    }
    if (is_name_start(*p)) {
        size_t n = 0;
        while (rg__plan_is_name(p[n])) n++;
        for (int i = ps->n_shapes - 1; i >= 0; i--)
            if (strlen(ps->shapes[i].name) == n && !memcmp(ps->shapes[i].name, p, n)) {
                memcpy(e, ps->shapes[i].e, sizeof ps->shapes[i].e);
                rg__plan_advance(ps, p + n);
                return true;
            }
    }
    return (e[0] = rg__plan_expression(ps)) != NULL;
}

bool rg__plan_shape(struct parser *ps)
{
    const char *n = rg__plan_name(ps, "expected a name after dim3");
    if (!n) return false;
    if (ps->n_shapes == MAX_SHAPES) return rg__plan_fail(ps, "too many dim3 names");
    struct shape *s = &ps->shapes[ps->n_shapes];
    *s = (struct shape){n, ps->depth, {NULL, NULL, NULL}};
    if (rg__plan_take(ps, "=")) {
        if (!extent(ps, s->e)) return false;
    } else {
        if (!rg__plan_expect(ps, "(", "expected `dim3 name(x, y, z);`")) return false;
        for (int i = 0; i < 3; i++) {
            if (!(s->e[i] = rg__plan_expression(ps))) return false;
            if (!rg__plan_take(ps, ",")) break;
        }
        if (!rg__plan_expect(ps, ")", "expected ')' after dim3's extents")) return false;
    }
    ps->n_shapes++;
    return rg__plan_expect(ps, ";", "expected ';'");
}

/* "[cooperative]", "[cluster(x, y, z)]", several separated by commas or in brackets of their own. */
bool rg__plan_attributes(struct parser *ps, struct rg_plan_stmt *s)
{
    while (rg__plan_take(ps, "[")) {
        do {
            if (rg__plan_take(ps, "cooperative")) {
                s->cooperative = true;
            } else if (rg__plan_take(ps, "cluster")) {
                if (!rg__plan_expect(ps, "(", "expected `cluster(x, y, z)`")) return false;
                for (int i = 0; i < 3; i++) {
                    if (!(s->cluster[i] = rg__plan_expression(ps))) return false;
                    if (!rg__plan_take(ps, ",")) break;
                }
                if (!rg__plan_expect(ps, ")", "expected ')' after the cluster's extents")) return false;
            } else {
                return rg__plan_fail(ps, "a launch's attributes are `cooperative` and `cluster(x, y, z)`");
            }
        } while (rg__plan_take(ps, ","));
        if (!rg__plan_expect(ps, "]", "expected ']'")) return false;
    }
    return true;
}

/* "<16, float>" behind a kernel's name, blanks dropped except between words. */
bool rg__plan_template_arguments(struct parser *ps, struct rg_buf *out)
{
    int angle = 0, paren = 0;
    const char *p = ps->p;
    do {
        if (!*p || *p == ';' || *p == '{' || *p == '}') return rg__plan_fail(ps, "unfinished template arguments");
        if (*p == '(') paren++;
        if (*p == ')') paren--;
        if (!paren && *p == '<') angle++;
        if (!paren && *p == '>') angle--;
        bool blank = *p == ' ' || *p == '\t' || *p == '\n' || *p == '\r';
        if (!blank)
            rg_buf_char(out, *p);
        else if (out->len && rg__plan_is_name(out->data[out->len - 1]) && rg__plan_is_name(p[1]))
            rg_buf_char(out, ' ');
        p++;
    } while (angle > 0 && out->len < 400);
    if (angle) return rg__plan_fail(ps, "template arguments too long");
    rg__plan_advance(ps, p);
    return true;
}

static int kernel_index(struct parser *ps, const char *kernel)
{
    struct rg_plan *plan = ps->plan;
    for (int i = 0; i < plan->n_kernels; i++)
        if (!strcmp(plan->kernels[i], kernel)) return i;
    if (plan->n_kernels == RG__PLAN_MAX_KERNELS) return -1;
    plan->kernels[plan->n_kernels] = kernel;
    return plan->n_kernels++;
}

static bool arguments(struct parser *ps, struct rg_plan_stmt *s)
{
    struct rg_plan_arg args[RG__PLAN_MAX_ARGS];
    int n = 0;
    if (!rg__plan_expect(ps, "(", "expected '(' and the kernel's arguments")) return false;
    if (!rg__plan_take(ps, ")")) {
        do {
            rg__plan_skip(ps);
            if (n == RG__PLAN_MAX_ARGS) return rg__plan_fail(ps, "too many arguments");
            struct rg_plan_arg *arg = &args[n++];
            *arg = (struct rg_plan_arg){.kind = RG_ARG_INT, .line = ps->line, .column = ps->column};
            if (rg__plan_take(ps, "&")) { /* &x[i] is x + i */
                const struct rg_expr *e = rg__plan_expression(ps);
                if (!e) return false;
                if (e->kind != RG_EXPR_INDEX)
                    return rg__plan_fail_at(ps, arg->line, arg->column,
                                            "only an element of a buffer has an address: &x[i]");
                arg->value = rg__plan_binary(ps, RG_OP_ADD, rg__plan_leaf(ps, RG_EXPR_NAME, e->name, 0), e->args[0]);
            } else if (!(arg->value = rg__plan_expression(ps))) {
                return false;
            }
            if (rg__plan_is_real(arg->value)) arg->kind = RG_ARG_REAL;
        } while (rg__plan_take(ps, ","));
        if (!rg__plan_expect(ps, ")", "expected ',' or ')' after an argument")) return false;
    }
    s->n_args = n;
    s->args = rg_arena_alloc(ps->a, (size_t)(n ? n : 1) * sizeof *args);
    memcpy(s->args, args, (size_t)n * sizeof *args);
    return true;
}

/* Behind the kernel's name and template arguments. */
bool rg__plan_launch(struct parser *ps, struct rg_plan_stmt *s, const char *kernel)
{
    s->kernel = kernel;
    if ((s->kernel_index = kernel_index(ps, kernel)) < 0) return rg__plan_fail(ps, "too many kernels");
    if (!rg__plan_expect(ps, "<<<", "expected '<<<'") || !extent(ps, s->grid) ||
        !rg__plan_expect(ps, ",", "expected ',' between grid and block") || !extent(ps, s->block))
        return false;
    if (rg__plan_take(ps, ",") && !(s->shared_bytes = rg__plan_expression(ps))) return false;
    if (rg__plan_take(ps, ",")) {
        if (!rg__plan_take(ps, "0") && !rg__plan_take(ps, "stream"))
            return rg__plan_fail(ps, "a plan runs on one stream: drop the fourth launch parameter");
    }
    if (!rg__plan_expect(ps, ">>>", "expected ',' or '>>>'") || !rg__plan_attributes(ps, s) || !arguments(ps, s) ||
        !rg__plan_attributes(ps, s))
        return false;
    return rg__plan_expect(ps, ";", "expected ';' after a launch");
}
