/* Words, positions and expressions of plan text. */
#include "runtime/plan/plan_parser.h"
#include <string.h>

bool rg__plan_is_name(char c)
{
    return is_name_start(c) || (c >= '0' && c <= '9');
}

void rg__plan_advance(struct parser *ps, const char *to)
{
    for (; ps->p < to; ps->p++) {
        if (*ps->p == '\n') {
            ps->line++;
            ps->column = 1;
        } else {
            ps->column++;
        }
    }
}

void rg__plan_skip(struct parser *ps)
{
    for (;;) {
        char c = *ps->p;
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
            rg__plan_advance(ps, ps->p + 1);
        } else if (c == '/' && ps->p[1] == '/') {
            rg__plan_advance(ps, ps->p + strcspn(ps->p, "\n"));
        } else if (c == '/' && ps->p[1] == '*') {
            const char *end = strstr(ps->p + 2, "*/");
            rg__plan_advance(ps, end ? end + 2 : ps->p + strlen(ps->p));
        } else {
            return;
        }
    }
}

bool rg__plan_fail_at(struct parser *ps, int line, int column, const char *what)
{
    rg_error_at(ps->err, RG_INPUT, RG__PLAN_FILE, line, column, "%s", what);
    return false;
}

bool rg__plan_fail(struct parser *ps, const char *what)
{
    char seen[32];
    size_t n = 0;
    const char *p = ps->p;
    while (rg__plan_is_name(p[n]) && n < sizeof seen - 1) n++;
    if (!n && *p > ' ' && *p < 127) n = 1;
    memcpy(seen, p, n);
    seen[n] = 0;
    if (!*p)
        rg_error_at(ps->err, RG_INPUT, RG__PLAN_FILE, ps->line, ps->column, "%s, but the plan ends", what);
    else if (n)
        rg_error_at(ps->err, RG_INPUT, RG__PLAN_FILE, ps->line, ps->column, "%s, not '%s'", what, seen);
    else
        return rg__plan_fail_at(ps, ps->line, ps->column, what);
    return false;
}

bool rg__plan_take(struct parser *ps, const char *text)
{
    rg__plan_skip(ps);
    size_t n = strlen(text);
    if (strncmp(ps->p, text, n)) return false;
    if (rg__plan_is_name(text[n - 1]) && rg__plan_is_name(ps->p[n])) return false;
    rg__plan_advance(ps, ps->p + n);
    return true;
}

bool rg__plan_expect(struct parser *ps, const char *text, const char *what)
{
    return rg__plan_take(ps, text) || rg__plan_fail(ps, what);
}

/* A name at the cursor, NULL (with an error) when there is none. */
const char *rg__plan_name(struct parser *ps, const char *what)
{
    rg__plan_skip(ps);
    size_t n = 0;
    if (is_name_start(*ps->p))
        while (rg__plan_is_name(ps->p[n])) n++;
    if (!n) {
        rg__plan_fail(ps, what);
        return NULL;
    }
    const char *s = rg_arena_strndup(ps->a, ps->p, n);
    rg__plan_advance(ps, ps->p + n);
    return s;
}

const struct rg_expr *rg__plan_expression(struct parser *ps)
{
    const struct rg_expr *e;
    rg__plan_skip(ps);
    const char *p = ps->p;
    if (rg_expr_parse_in_plan(ps->a, &p, RG__PLAN_FILE, ps->line, ps->column, &e, ps->err) != RG_OK) return NULL;
    rg__plan_advance(ps, p);
    if (rg__plan_reads(e)) ps->plan->reads_data = true;
    return e;
}

struct rg_expr *rg__plan_binary(struct parser *ps, enum rg_op op, const struct rg_expr *left,
                                const struct rg_expr *right)
{
    struct rg_expr *e = rg_arena_alloc(ps->a, sizeof *e);
    e->kind = RG_EXPR_BINARY;
    e->op = op;
    e->line = left->line;
    e->column = left->column;
    e->n_args = 2;
    e->args = rg_arena_alloc(ps->a, 2 * sizeof *e->args);
    e->args[0] = (struct rg_expr *)left;
    e->args[1] = (struct rg_expr *)right;
    return e;
}

struct rg_expr *rg__plan_leaf(struct parser *ps, enum rg_expr_kind kind, const char *text, int64_t value)
{
    struct rg_expr *e = rg_arena_alloc(ps->a, sizeof *e);
    e->kind = kind;
    e->name = text;
    e->value = value;
    e->line = ps->line;
    e->column = ps->column;
    return e;
}
