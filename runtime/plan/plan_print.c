/* A checked plan as C++ host statements. They use what runtime/export/export_cu.c puts around them: PREFIXTRY(call)
 * leaves on an error, PREFIXerr, PREFIXstream, and helpers of regraph_host.h. Everything is computed in int64_t as in
 * the plan. */
#include "runtime/plan/plan_internal.h"
#include <math.h>
#include <rg/scalar.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
    const char *name;
    enum rg_scalar elem;
    int struct_index, param;        /* param -1: scratch */
    const struct rg_expr *elements; /* scratch */
};

struct printer {
    struct rg_buf *out;
    const struct rg_plan *plan; /* NULL: no names but the parameters */
    const struct rg_problem *problem;
    const struct rg__host *host;
    struct rg_arena a;                    /* of lowered expressions */
    const struct rg_plan_stmt *launching; /* the cooperative launch whose grid is being printed */
};

static const char *local(const struct printer *p, const char *name)
{
    const char *n = p->host->local ? p->host->local(p->host->arg, name) : NULL;
    return n ? n : name;
}

static const char *kernel_name(const struct printer *p, const char *name)
{
    const char *n = p->host->kernel ? p->host->kernel(p->host->arg, name) : NULL;
    return n ? n : name;
}

static bool find_buffer(const struct printer *p, const char *name, struct buffer *out)
{
    int i = rg_problem_param(p->problem, name);
    if (i >= 0) {
        const struct rg_param *q = &p->problem->params[i];
        *out = (struct buffer){name, q->elem, q->struct_index, i, NULL};
        return q->kind == RG_PARAM_ARRAY;
    }
    for (int k = 0; p->plan && k < p->plan->n; k++) {
        const struct rg_plan_stmt *s = p->plan->stmts[k];
        if (s->kind != RG_PLAN_SCRATCH || strcmp(s->a, name)) continue;
        *out = (struct buffer){name, s->elem, s->struct_index, -1, s->value};
        return true;
    }
    return false;
}

/* --- expressions --- */

static struct rg_expr *leaf(struct printer *p, const char *text)
{
    struct rg_expr *e = rg_arena_alloc(&p->a, sizeof *e);
    e->kind = RG_EXPR_NAME;
    e->name = text;
    return e;
}

static struct rg_expr *lower(struct printer *p, const struct rg_expr *e);

static struct rg_expr *lower_elements(struct printer *p, const struct buffer *b)
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
static struct rg_expr *lower_read(struct printer *p, const char *name, const struct rg_expr *index)
{
    struct buffer b;
    struct rg_expr *e = rg_arena_alloc(&p->a, sizeof *e);
    e->kind = RG_EXPR_CALL;
    bool real = find_buffer(p, name, &b) && rg_scalar_is_real(b.elem);
    e->name = rg_arena_printf(&p->a, "%sread%s", p->host->helpers, real ? "_real" : "");
    e->n_args = 5;
    e->args = rg_arena_alloc(&p->a, 5 * sizeof *e->args);
    e->args[0] = leaf(p, local(p, name));
    e->args[1] = lower(p, index);
    e->args[2] = find_buffer(p, name, &b) ? lower_elements(p, &b) : leaf(p, "0");
    e->args[3] = leaf(p, rg_arena_printf(&p->a, "%sstream", p->host->prefix));
    e->args[4] = leaf(p, rg_arena_printf(&p->a, "&%serr", p->host->prefix));
    return e;
}

static void integer(struct printer *p, const struct rg_expr *e);

/* HELPERSresident(kernel, threads of a block, bytes) */
static const char *resident_blocks(struct printer *p)
{
    const struct rg_plan_stmt *s = p->launching;
    struct rg_buf text = RG_BUF_INIT, *out = p->out;
    p->out = &text;
    p->launching = NULL;
    rg_buf_printf(&text, "%sresident((const void *)(%s), ", p->host->helpers, kernel_name(p, s->kernel));
    for (int i = 0; i < 3 && s->block[i]; i++) {
        rg_buf_str(&text, i ? " * (" : "(");
        integer(p, s->block[i]);
        rg_buf_char(&text, ')');
    }
    rg_buf_str(&text, ", ");
    if (s->shared_bytes)
        integer(p, s->shared_bytes);
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
    const struct printer *p = arg;
    struct buffer b;
    if (element) return find_buffer(p, name, &b) && rg_scalar_is_real(b.elem);
    int i = rg_problem_param(p->problem, name);
    return i >= 0 && p->problem->params[i].kind == RG_PARAM_SCALAR && rg_scalar_is_real(p->problem->params[i].elem);
}

/* A copy in C's words: constants folded, so that every operation left has a 64-bit operand; names as the code has them.
 */
static struct rg_expr *lower(struct printer *p, const struct rg_expr *e)
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
        c->name = i >= 0 ? rg_arena_printf(&p->a, "(%s)%s", type, local(p, e->name)) : local(p, e->name);
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

static void integer(struct printer *p, const struct rg_expr *e)
{
    rg_expr_print(p->out, lower(p, e), NULL, NULL);
}

static void real(struct printer *p, const struct rg_expr *e)
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
        integer(p, e);
        rg_buf_char(p->out, ')');
    } else if (e->kind == RG_EXPR_UNARY) {
        rg_buf_char(p->out, '-');
        real(p, e->args[0]);
    } else if (e->kind == RG_EXPR_BINARY) {
        real(p, e->args[0]);
        rg_buf_printf(p->out, " %c ",
                      e->op == RG_OP_ADD   ? '+'
                      : e->op == RG_OP_SUB ? '-'
                      : e->op == RG_OP_MUL ? '*'
                                           : '/');
        real(p, e->args[1]);
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

/* --- statements --- */

static void statements(struct printer *p, int n, struct rg_plan_stmt *const *items, int indent);

/* A dimension: constants as they are, else checked for what a launch can take. */
static void dimension(struct printer *p, const struct rg_expr *e)
{
    int64_t v = 0;
    if (!e) {
        rg_buf_char(p->out, '1');
    } else if (rg_expr_eval(e, NULL, &v, NULL) == RG_OK && v >= 1 && v <= INT32_MAX) {
        rg_buf_printf(p->out, "%lld", (long long)v);
    } else {
        rg_buf_printf(p->out, "%sdim(", p->host->helpers);
        integer(p, e);
        rg_buf_char(p->out, ')');
    }
}

static void dimensions(struct printer *p, const struct rg_expr *const e[3])
{
    rg_buf_str(p->out, "dim3(");
    for (int i = 0; i < 3 && e[i]; i++) {
        if (i) rg_buf_str(p->out, ", ");
        dimension(p, e[i]);
    }
    rg_buf_char(p->out, ')');
}

static void shape(struct printer *p, const struct rg_expr *const e[3])
{
    if (e[1])
        dimensions(p, e);
    else
        dimension(p, e[0]);
}

static void argument(struct printer *p, const struct rg_plan_arg *arg)
{
    switch (arg->kind) {
    case RG_ARG_BUFFER:
        rg_buf_str(p->out, local(p, arg->name));
        if (arg->offset) {
            rg_buf_str(p->out, " + (");
            integer(p, arg->offset);
            rg_buf_char(p->out, ')');
        }
        break;
    case RG_ARG_SCALAR:
        rg_buf_str(p->out, local(p, arg->name));
        break;
    case RG_ARG_REAL:
        real(p, arg->value);
        break;
    case RG_ARG_INT: {
        const struct rg_expr *e = arg->value;
        /* A parameter alone keeps its own type. */
        if (e->kind == RG_EXPR_NAME && rg_problem_param(p->problem, e->name) >= 0)
            rg_buf_str(p->out, local(p, e->name));
        else
            integer(p, e);
        break;
    }
    }
}

static bool needs_more_shared(const struct rg_plan_stmt *s)
{
    int64_t v;
    return s->shared_bytes && (rg_expr_eval(s->shared_bytes, NULL, &v, NULL) != RG_OK || v > 48 * 1024);
}

static void launch(struct printer *p, const struct rg_plan_stmt *s, int indent)
{
    const char *x = p->host->prefix, *k = kernel_name(p, s->kernel);
    bool special = s->cooperative || s->cluster[0];
    bool plain = !special && p->host->plain && p->host->plain(p->host->arg, s);
    if (plain) {
        if (needs_more_shared(s)) {
            rg_buf_printf(p->out, "%sTRY(%sallow_shared((const void *)(%s), (size_t)(", x, p->host->helpers, k);
            integer(p, s->shared_bytes);
            rg_buf_str(p->out, ")));\n");
            rg_buf_indent(p->out, indent);
        }
        rg_buf_printf(p->out, "%s<<<", k);
        shape(p, s->grid);
        rg_buf_str(p->out, ", ");
        shape(p, s->block);
        rg_buf_str(p->out, ", ");
        if (s->shared_bytes)
            integer(p, s->shared_bytes);
        else
            rg_buf_char(p->out, '0');
        rg_buf_printf(p->out, ", %sstream>>>(", x);
    } else {
        rg_buf_printf(p->out, "%sTRY(%slaunch(%s, ", x, p->host->helpers, k);
        p->launching = s->cooperative ? s : NULL;
        dimensions(p, s->grid);
        p->launching = NULL;
        rg_buf_str(p->out, ", ");
        dimensions(p, s->block);
        rg_buf_str(p->out, ", (size_t)(");
        if (s->shared_bytes)
            integer(p, s->shared_bytes);
        else
            rg_buf_char(p->out, '0');
        rg_buf_printf(p->out, "), %sstream, %s, ", x, s->cooperative ? "true" : "false");
        if (s->cluster[0])
            dimensions(p, s->cluster);
        else
            rg_buf_str(p->out, "dim3(0, 0, 0)");
        if (s->n_args) rg_buf_str(p->out, ", ");
    }
    for (int i = 0; i < s->n_args; i++) {
        if (i) rg_buf_str(p->out, ", ");
        argument(p, &s->args[i]);
    }
    rg_buf_str(p->out, plain ? ");\n" : "));\n");
    if (plain) {
        rg_buf_indent(p->out, indent);
        rg_buf_printf(p->out, "%sTRY(cudaGetLastError());\n", x);
    }
}

/* PREFIXmem[i] keeps what to free: the name itself may be swapped. */
static void scratch(struct printer *p, const struct rg_plan_stmt *s)
{
    int index = 0;
    for (int i = 0; i < p->plan->n && p->plan->stmts[i] != s; i++) index += p->plan->stmts[i]->kind == RG_PLAN_SCRATCH;
    rg_buf_printf(p->out, "%sTRY(%salloc(&%smem[%d], (void **)&%s, ", p->host->prefix, p->host->helpers,
                  p->host->prefix, index, local(p, s->a));
    integer(p, s->value);
    rg_buf_str(p->out, ", sizeof(");
    rg__print_elem(p->out, p->host, s->elem, s->struct_index);
    rg_buf_printf(p->out, "), %sstream));\n", p->host->prefix);
}

static void fill(struct printer *p, const struct rg_plan_stmt *s)
{
    struct buffer b;
    if (!find_buffer(p, s->a, &b)) return;
    const char *x = p->host->prefix;
    if (b.elem == RG_STRUCT) {
        rg_buf_printf(p->out, "%sTRY(cudaMemsetAsync(%s, 0, (size_t)(", x, local(p, s->a));
        rg_expr_print(p->out, lower_elements(p, &b), NULL, NULL);
        rg_buf_printf(p->out, ") * sizeof(*%s), %sstream));\n", local(p, s->a), x);
        return;
    }
    rg_buf_printf(p->out, "%sTRY(%sfill(%s, ", x, p->host->helpers, local(p, s->a));
    rg_expr_print(p->out, lower_elements(p, &b), NULL, NULL);
    rg_buf_printf(p->out, ", (%s)(", rg_scalar_cuda(b.elem));
    if (b.elem == RG_F16) rg_buf_str(p->out, "(float)("); /* __half has no constructor from int64_t */
    if (rg_scalar_is_real(b.elem) && rg__plan_is_real(s->value))
        real(p, s->value);
    else
        integer(p, s->value);
    if (b.elem == RG_F16) rg_buf_char(p->out, ')');
    rg_buf_printf(p->out, "), %sstream));\n", x);
}

static void copy(struct printer *p, const struct rg_plan_stmt *s)
{
    struct buffer from;
    const char *x = p->host->prefix;
    if (!find_buffer(p, s->b, &from)) return;
    if (s->a_symbol)
        rg_buf_printf(p->out, "%sTRY(cudaMemcpyToSymbolAsync(%s, ", x, kernel_name(p, s->a));
    else
        rg_buf_printf(p->out, "%sTRY(%scopy(%s", x, p->host->helpers, local(p, s->a));
    if (s->a_offset) {
        rg_buf_str(p->out, " + (");
        integer(p, s->a_offset);
        rg_buf_char(p->out, ')');
    }
    if (!s->a_symbol) rg_buf_str(p->out, ", ");
    rg_buf_str(p->out, local(p, s->b));
    if (s->b_offset) {
        rg_buf_str(p->out, " + (");
        integer(p, s->b_offset);
        rg_buf_char(p->out, ')');
    }
    rg_buf_str(p->out, s->a_symbol ? ", (size_t)(" : ", ");
    if (s->count) {
        integer(p, s->count);
    } else {
        rg_expr_print(p->out, lower_elements(p, &from), NULL, NULL);
        if (s->b_offset) {
            rg_buf_str(p->out, " - (");
            integer(p, s->b_offset);
            rg_buf_char(p->out, ')');
        }
    }
    if (s->a_symbol)
        rg_buf_printf(p->out, ") * sizeof(*%s), 0, cudaMemcpyDeviceToDevice, %sstream));\n", local(p, s->b), x);
    else
        rg_buf_printf(p->out, ", sizeof(*%s), %sstream));\n", local(p, s->b), x);
}

static void swap(struct printer *p, const struct rg_plan_stmt *s, int indent)
{
    struct buffer a, b;
    struct rg_buf x = RG_BUF_INIT, y = RG_BUF_INIT;
    if (find_buffer(p, s->a, &a) && find_buffer(p, s->b, &b)) {
        rg_expr_print(&x, lower_elements(p, &a), NULL, NULL);
        rg_expr_print(&y, lower_elements(p, &b), NULL, NULL);
        if (strcmp(x.data, y.data)) {
            rg_buf_printf(p->out, "if (%s != %s) %sTRY(cudaErrorInvalidValue);\n", x.data, y.data, p->host->prefix);
            rg_buf_indent(p->out, indent);
        }
    }
    rg_buf_release(&x);
    rg_buf_release(&y);
    rg_buf_printf(p->out, "%sswap(%s, %s);\n", p->host->helpers, local(p, s->a), local(p, s->b));
}

/* `t = t + 1` without its ';' */
static void assignment(struct printer *p, const struct rg_plan_stmt *s)
{
    const struct rg_expr *e = s->value;
    const char *name = local(p, s->a);
    if (s->declares) rg_buf_str(p->out, "int64_t ");
    if (!s->declares && e->kind == RG_EXPR_BINARY && e->op == RG_OP_ADD && e->args[0]->kind == RG_EXPR_NAME &&
        !strcmp(e->args[0]->name, s->a) && e->args[1]->kind == RG_EXPR_INT && e->args[1]->value >= 1) {
        if (e->args[1]->value == 1)
            rg_buf_printf(p->out, "%s++", name);
        else
            rg_buf_printf(p->out, "%s += %lld", name, (long long)e->args[1]->value);
        return;
    }
    rg_buf_printf(p->out, "%s = ", name);
    integer(p, e);
}

static void close(struct printer *p, int indent, const char *text)
{
    rg_buf_indent(p->out, indent);
    rg_buf_str(p->out, text);
}

/* A condition; where data is read, it also looks whether the reading went well. */
static void condition(struct printer *p, const struct rg_expr *e, bool reads)
{
    if (reads) rg_buf_str(p->out, "(");
    integer(p, e);
    if (reads) rg_buf_printf(p->out, ") && %serr == cudaSuccess", p->host->prefix);
}

static void after_read(struct printer *p, bool reads, int indent)
{
    if (!reads) return;
    rg_buf_indent(p->out, indent);
    rg_buf_printf(p->out, "%sTRY(%serr);\n", p->host->prefix, p->host->prefix);
}

/* The statements between the braces of a loop or a branch: a block that is all of them needs none of its own. */
static void body(struct printer *p, int n, struct rg_plan_stmt *const *items, int indent)
{
    while (n == 1 && items[0]->kind == RG_PLAN_BLOCK) {
        n = items[0]->n_body;
        items = items[0]->body;
    }
    statements(p, n, items, indent);
}

static void loop(struct printer *p, const struct rg_plan_stmt *s, int indent)
{
    bool reads = rg__plan_reads(s->value) || (s->init && rg__plan_reads(s->init->value)) ||
                 (s->step && rg__plan_reads(s->step->value));
    if (s->kind == RG_PLAN_FOR) {
        rg_buf_str(p->out, "for (");
        if (s->init) assignment(p, s->init);
        rg_buf_str(p->out, "; ");
        condition(p, s->value, reads);
        rg_buf_str(p->out, "; ");
        if (s->step) assignment(p, s->step);
        rg_buf_str(p->out, ") {\n");
    } else if (s->kind == RG_PLAN_WHILE) {
        rg_buf_str(p->out, "while (");
        condition(p, s->value, reads);
        rg_buf_str(p->out, ") {\n");
    } else {
        rg_buf_str(p->out, "do {\n");
    }
    body(p, s->n_body, s->body, indent + 1);
    if (s->kind == RG_PLAN_DO) {
        close(p, indent, "} while (");
        condition(p, s->value, reads);
        rg_buf_str(p->out, ");\n");
    } else {
        close(p, indent, "}\n");
    }
    after_read(p, reads, indent);
}

static void branch(struct printer *p, const struct rg_plan_stmt *s, int indent)
{
    bool reads = rg__plan_reads(s->value);
    int inner = indent;
    int64_t always = 0;
    if (rg_expr_eval(s->value, NULL, &always, NULL) == RG_OK &&
        always) { /* sizes are constants: braces for its names */
        rg_buf_str(p->out, "{\n");
        body(p, s->n_body, s->body, indent + 1);
        close(p, indent, "}\n");
        return;
    }
    if (reads) { /* the condition, then whether it could be read, then the branch */
        inner++;
        rg_buf_str(p->out, "{\n");
        rg_buf_indent(p->out, inner);
        rg_buf_printf(p->out, "const bool %scondition = (", p->host->prefix);
        integer(p, s->value);
        rg_buf_str(p->out, ") != 0;\n");
        after_read(p, true, inner);
        rg_buf_indent(p->out, inner);
        rg_buf_printf(p->out, "if (%scondition) {\n", p->host->prefix);
    } else {
        rg_buf_str(p->out, "if (");
        integer(p, s->value);
        rg_buf_str(p->out, ") {\n");
    }
    body(p, s->n_body, s->body, inner + 1);
    if (s->n_else) {
        close(p, inner, "} else {\n");
        body(p, s->n_else, s->orelse, inner + 1);
    }
    close(p, inner, "}\n");
    if (reads) close(p, indent, "}\n");
}

static void statement(struct printer *p, const struct rg_plan_stmt *s, int indent)
{
    if (s->kind == RG_PLAN_REQUIRE) return; /* the sizes are checked before (export_cu.c) */
    rg_buf_indent(p->out, indent);
    switch (s->kind) {
    case RG_PLAN_SCRATCH:
        scratch(p, s);
        break;
    case RG_PLAN_REQUIRE:
        break;
    case RG_PLAN_LAUNCH:
        launch(p, s, indent);
        break;
    case RG_PLAN_FOR:
    case RG_PLAN_WHILE:
    case RG_PLAN_DO:
        loop(p, s, indent);
        break;
    case RG_PLAN_IF:
        branch(p, s, indent);
        break;
    case RG_PLAN_FILL:
        fill(p, s);
        break;
    case RG_PLAN_COPY:
        copy(p, s);
        break;
    case RG_PLAN_SWAP:
        swap(p, s, indent);
        break;
    case RG_PLAN_INT:
        assignment(p, s);
        rg_buf_str(p->out, ";\n");
        after_read(p, rg__plan_reads(s->value), indent);
        break;
    case RG_PLAN_BREAK:
        rg_buf_str(p->out, "break;\n");
        break;
    case RG_PLAN_BLOCK:
        rg_buf_str(p->out, "{\n");
        body(p, s->n_body, s->body, indent + 1);
        close(p, indent, "}\n");
        break;
    }
}

static void statements(struct printer *p, int n, struct rg_plan_stmt *const *items, int indent)
{
    for (int i = 0; i < n; i++) statement(p, items[i], indent);
}

void rg__plan_print(struct rg_buf *out, const struct rg_plan *p, const struct rg_problem *problem,
                    const struct rg__host *host, int indent)
{
    struct printer pr = {out, p, problem, host, RG_ARENA_INIT, NULL};
    statements(&pr, p->n, p->stmts, indent);
    rg_arena_release(&pr.a);
}

void rg__print_int(struct rg_buf *out, const struct rg_plan *p, const struct rg_problem *problem,
                   const struct rg__host *host, const struct rg_expr *e)
{
    struct printer pr = {out, p, problem, host, RG_ARENA_INIT, NULL};
    integer(&pr, e);
    rg_arena_release(&pr.a);
}

void rg__print_elements(struct rg_buf *out, const struct rg_problem *problem, const struct rg__host *host, int param)
{
    struct printer pr = {out, NULL, problem, host, RG_ARENA_INIT, NULL};
    const struct rg_param *q = &problem->params[param];
    struct buffer b = {q->name, q->elem, q->struct_index, param, NULL};
    rg_expr_print(out, lower_elements(&pr, &b), NULL, NULL);
    rg_arena_release(&pr.a);
}

/* With signatures it is known where a buffer's type is the kernel's own. */
struct by_sigs {
    const struct rg_plan *plan;
    const struct rg_problem *problem;
    const struct rg_kernel_sig *sigs;
};

static bool plain_by_sigs(void *arg, const struct rg_plan_stmt *s)
{
    const struct by_sigs *b = arg;
    if (!b->sigs) return false;
    const struct rg_kernel_sig *sig = &b->sigs[s->kernel_index];
    struct printer p = {NULL, b->plan, b->problem, NULL, RG_ARENA_INIT, NULL};
    for (int i = 0; i < s->n_args && i < sig->n_params; i++) {
        struct buffer buffer;
        enum rg_scalar t = sig->params[i].type;
        if (s->args[i].kind == RG_ARG_BUFFER) {
            if (!find_buffer(&p, s->args[i].name, &buffer)) return false;
            if (t != RG_N_SCALARS && (t == RG_STRUCT || t != buffer.elem)) return false;
        } else if (t == RG_STRUCT) {
            return false;
        }
    }
    return true;
}

void rg_plan_print_host(struct rg_buf *out, const struct rg_plan *p, const struct rg_problem *problem,
                        const struct rg_kernel_sig *sigs, int indent)
{
    struct by_sigs b = {p, problem, sigs};
    struct rg__host host = {"rg_", "rg_", &b, NULL, NULL, plain_by_sigs};
    rg__plan_print(out, p, problem, &host, indent);
}
