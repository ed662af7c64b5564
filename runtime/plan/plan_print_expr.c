/* A plan's expressions as C++: names as the code around them has them, every operation in int64_t. */
#include "runtime/plan/plan_printer.h"
#include <math.h>
#include <rg/scalar.h>
#include <stdlib.h>
#include <string.h>

const char *rg__print_local(const struct rg__printer *p, const char *name)
{
    const char *n = p->host->local ? p->host->local(p->host->arg, name) : NULL;
    return n ? n : name;
}

const char *rg__print_kernel_name(const struct rg__printer *p, const char *name)
{
    const char *n = p->host->kernel ? p->host->kernel(p->host->arg, name) : NULL;
    return n ? n : name;
}

bool rg__print_buffer(const struct rg__printer *p, const char *name, struct rg__buffer *out)
{
    int i = rg_problem_param(p->problem, name);
    if (i >= 0) {
        const struct rg_param *q = &p->problem->params[i];
        *out = (struct rg__buffer){name, q->elem, q->struct_index, i, NULL};
        return q->kind == RG_PARAM_ARRAY;
    }
    for (int k = 0; p->plan && k < p->plan->n; k++) {
        const struct rg_plan_stmt *s = p->plan->stmts[k];
        if (s->kind != RG_PLAN_SCRATCH || strcmp(s->a, name)) continue;
        *out = (struct rg__buffer){name, s->elem, s->struct_index, -1, s->value};
        return true;
    }
    return false;
}

static struct rg_expr *leaf(struct rg__printer *p, const char *text)
{
    struct rg_expr *e = rg_arena_alloc(&p->a, sizeof *e);
    e->kind = RG_EXPR_NAME;
    e->name = text;
    return e;
}

static struct rg_expr *lower(struct rg__printer *p, const struct rg_expr *e);

struct rg_expr *rg__print_lowered_elements(struct rg__printer *p, const struct rg__buffer *b)
{
    if (b->param < 0) return lower(p, b->elements);
    const struct rg_param *q = &p->problem->params[b->param];
    struct rg_expr *e = lower(p, q->dims[0]);
    for (int i = 1; i < q->n_dims; i++) {
        struct rg_expr *m = rg_arena_alloc(&p->a, sizeof *m);
        m->kind = RG_EXPR_BINARY;
        m->op = RG_OP_MUL;
        m->n_args = 2;
        m->args = rg_arena_alloc(&p->a, 2 * sizeof *m->args);
        m->args[0] = e;
        m->args[1] = lower(p, q->dims[i]);
        e = m;
    }
    int64_t v;
    if (rg_expr_eval(e, NULL, &v, NULL) != RG_OK) return e;
    e = rg_arena_alloc(&p->a, sizeof *e); /* constant extents fold: int*int would overflow in C */
    e->kind = RG_EXPR_INT;
    e->value = v;
    return e;
}

/* read(x, i) and x[i]: HELPERSread(x, i, elements, PREFIXstream, &PREFIXerr) */
static struct rg_expr *lower_read(struct rg__printer *p, const char *name, const struct rg_expr *index)
{
    struct rg__buffer b;
    struct rg_expr *e = rg_arena_alloc(&p->a, sizeof *e);
    e->kind = RG_EXPR_CALL;
    bool real = rg__print_buffer(p, name, &b) && rg_scalar_is_real(b.elem);
    e->name = rg_arena_printf(&p->a, "%sread%s", p->host->helpers, real ? "_real" : "");
    e->n_args = 5;
    e->args = rg_arena_alloc(&p->a, 5 * sizeof *e->args);
    e->args[0] = leaf(p, rg__print_local(p, name));
    e->args[1] = lower(p, index);
    e->args[2] = rg__print_buffer(p, name, &b) ? rg__print_lowered_elements(p, &b) : leaf(p, "0");
    e->args[3] = leaf(p, rg_arena_printf(&p->a, "%sstream", p->host->prefix));
    e->args[4] = leaf(p, rg_arena_printf(&p->a, "&%serr", p->host->prefix));
    return e;
}

/* HELPERSresident(kernel, threads of a block, bytes) */
static const char *resident_blocks(struct rg__printer *p)
{
    const struct rg_plan_stmt *s = p->launching;
    struct rg_buf text = RG_BUF_INIT, *out = p->out;
    p->out = &text;
    p->launching = NULL;
    rg_buf_printf(&text, "%sresident((const void *)(%s), ", p->host->helpers, rg__print_kernel_name(p, s->kernel));
    for (int i = 0; i < 3 && s->block[i]; i++) {
        rg_buf_str(&text, i ? " * (" : "(");
        rg__print_integer(p, s->block[i]);
        rg_buf_char(&text, ')');
    }
    rg_buf_str(&text, ", ");
    if (s->shared_bytes)
        rg__print_integer(p, s->shared_bytes);
    else
        rg_buf_char(&text, '0');
    rg_buf_char(&text, ')');
    p->out = out;
    p->launching = s;
    const char *r = rg_arena_strdup(&p->a, text.data);
    rg_buf_release(&text);
    return r;
}

static bool holds_real(void *arg, const char *name, bool element)
{
    const struct rg__printer *p = arg;
    struct rg__buffer b;
    if (element) return rg__print_buffer(p, name, &b) && rg_scalar_is_real(b.elem);
    int i = rg_problem_param(p->problem, name);
    return i >= 0 && p->problem->params[i].kind == RG_PARAM_SCALAR && rg_scalar_is_real(p->problem->params[i].elem);
}

/* A copy in C's words: constants folded, so that every operation left has a 64-bit operand; names as the code has them.
 */
static struct rg_expr *lower(struct rg__printer *p, const struct rg_expr *e)
{
    struct rg_expr *c = rg_arena_alloc(&p->a, sizeof *c);
    int64_t v;
    if (rg_expr_eval(e, NULL, &v, NULL) == RG_OK ||
        (e->kind == RG_EXPR_NAME && rg_problem_param(p->problem, e->name) < 0 && rg__plan_constant(e->name, &v))) {
        c->kind = RG_EXPR_INT;
        c->value = v;
        return c;
    }
    *c = *e;
    if (e->kind == RG_EXPR_NAME && p->launching && !strcmp(e->name, RG__PLAN_RESIDENT) &&
        rg_problem_param(p->problem, e->name) < 0) {
        c->name = resident_blocks(p);
        return c;
    }
    if (e->kind == RG_EXPR_NAME) {
        int i = rg_problem_param(p->problem, e->name);
        const char *type = i >= 0 && rg_scalar_is_real(p->problem->params[i].elem) ? "double" : "int64_t";
        c->name =
            i >= 0 ? rg_arena_printf(&p->a, "(%s)%s", type, rg__print_local(p, e->name)) : rg__print_local(p, e->name);
        return c;
    }
    if (e->kind == RG_EXPR_INDEX) return lower_read(p, e->name, e->args[0]);
    if (e->kind == RG_EXPR_CALL && !strcmp(e->name, "read")) return lower_read(p, e->args[0]->name, e->args[1]);
    if (e->kind == RG_EXPR_CALL && !strcmp(e->name, "sizeof")) { /* of a struct: scalars were folded */
        int i = rg__find_struct(p->problem, e->args[0]->name);
        c->kind = RG_EXPR_INT;
        c->value = i >= 0 ? p->problem->structs[i].bytes : 0;
        c->n_args = 0;
        return c;
    }
    const struct rg__reals reals = {p, holds_real, NULL};
    bool real = e->kind == RG_EXPR_CALL && rg__plan_real_valued(e, &reals);
    if (e->kind == RG_EXPR_CALL)
        c->name = rg_arena_printf(&p->a, "%s%s%s", p->host->helpers, e->name, real ? "_real" : "");
    if (e->n_args) c->args = rg_arena_alloc(&p->a, (size_t)e->n_args * sizeof *c->args);
    for (int i = 0; i < e->n_args; i++) c->args[i] = lower(p, e->args[i]);
    return c;
}

void rg__print_integer(struct rg__printer *p, const struct rg_expr *e)
{
    rg_expr_print(p->out, lower(p, e), NULL, NULL);
}

void rg__print_real(struct rg__printer *p, const struct rg_expr *e)
{
    double v;
    if (rg__plan_eval_real(e, NULL, &v, NULL) == RG_OK) {
        if (isnan(v))
            rg_buf_str(p->out, "NAN");
        else if (isinf(v))
            rg_buf_str(p->out, v < 0 ? "-INFINITY" : "INFINITY");
        else if (fabs(v) < 1e15 && (double)(int64_t)v == v && !(v == 0 && signbit(v)))
            rg_buf_printf(p->out, "%.1f", v);
        else
            rg_buf_printf(p->out, "%.17g", v);
        return;
    }
    rg_buf_char(p->out, '(');
    if (!rg__plan_is_real(e)) {
        rg_buf_str(p->out, "(double)(");
        rg__print_integer(p, e);
        rg_buf_char(p->out, ')');
    } else if (e->kind == RG_EXPR_UNARY) {
        rg_buf_char(p->out, '-');
        rg__print_real(p, e->args[0]);
    } else if (e->kind == RG_EXPR_BINARY) {
        rg__print_real(p, e->args[0]);
        rg_buf_printf(p->out, " %c ",
                      e->op == RG_OP_ADD   ? '+'
                      : e->op == RG_OP_SUB ? '-'
                      : e->op == RG_OP_MUL ? '*'
                                           : '/');
        rg__print_real(p, e->args[1]);
    }
    rg_buf_char(p->out, ')');
}

void rg__print_elem(struct rg_buf *out, const struct rg__host *host, enum rg_scalar elem, int struct_index)
{
    if (elem == RG_STRUCT)
        rg_buf_printf(out, "%ss%d", host->prefix, struct_index);
    else
        rg_buf_str(out, rg_scalar_cuda(elem));
}
