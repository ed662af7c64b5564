/* A checked plan as C++ host statements. They use what runtime/export/export_cu.c puts around them: PREFIXTRY(call)
 * leaves on an error, PREFIXerr, PREFIXstream, and helpers of regraph_host.h. Everything is computed in int64_t as in
 * the plan. */
#include "runtime/plan/plan_printer.h"
#include <rg/scalar.h>
#include <stdlib.h>
#include <string.h>

static void statements(struct rg__printer *p, int n, struct rg_plan_stmt *const *items, int indent);

/* A dimension: constants as they are, else checked for what a launch can take. */
static void dimension(struct rg__printer *p, const struct rg_expr *e)
{
    int64_t v = 0;
    if (!e) {
        rg_buf_char(p->out, '1');
    } else if (rg_expr_eval(e, NULL, &v, NULL) == RG_OK && v >= 1 && v <= INT32_MAX) {
        rg_buf_printf(p->out, "%lld", (long long)v);
    } else {
        rg_buf_printf(p->out, "%sdim(", p->host->helpers);
        rg__print_integer(p, e);
        rg_buf_char(p->out, ')');
    }
}

static void dimensions(struct rg__printer *p, const struct rg_expr *const e[3])
{
    rg_buf_str(p->out, "dim3(");
    for (int i = 0; i < 3 && e[i]; i++) {
        if (i) rg_buf_str(p->out, ", ");
        dimension(p, e[i]);
    }
    rg_buf_char(p->out, ')');
}

static void shape(struct rg__printer *p, const struct rg_expr *const e[3])
{
    if (e[1])
        dimensions(p, e);
    else
        dimension(p, e[0]);
}

static void argument(struct rg__printer *p, const struct rg_plan_arg *arg)
{
    switch (arg->kind) {
    case RG_ARG_BUFFER:
        rg_buf_str(p->out, rg__print_local(p, arg->name));
        if (arg->offset) {
            rg_buf_str(p->out, " + (");
            rg__print_integer(p, arg->offset);
            rg_buf_char(p->out, ')');
        }
        break;
    case RG_ARG_SCALAR:
        rg_buf_str(p->out, rg__print_local(p, arg->name));
        break;
    case RG_ARG_REAL:
        rg__print_real(p, arg->value);
        break;
    case RG_ARG_INT: {
        const struct rg_expr *e = arg->value;
        /* A parameter alone keeps its own type. */
        if (e->kind == RG_EXPR_NAME && rg_problem_param(p->problem, e->name) >= 0)
            rg_buf_str(p->out, rg__print_local(p, e->name));
        else
            rg__print_integer(p, e);
        break;
    }
    }
}

static bool needs_more_shared(const struct rg_plan_stmt *s)
{
    int64_t v;
    return s->shared_bytes && (rg_expr_eval(s->shared_bytes, NULL, &v, NULL) != RG_OK || v > 48 * 1024);
}

static void launch(struct rg__printer *p, const struct rg_plan_stmt *s, int indent)
{
    const char *x = p->host->prefix, *k = rg__print_kernel_name(p, s->kernel);
    bool special = s->cooperative || s->cluster[0];
    bool plain = !special && p->host->plain && p->host->plain(p->host->arg, s);
    if (plain) {
        if (needs_more_shared(s)) {
            rg_buf_printf(p->out, "%sTRY(%sallow_shared((const void *)(%s), (size_t)(", x, p->host->helpers, k);
            rg__print_integer(p, s->shared_bytes);
            rg_buf_str(p->out, ")));\n");
            rg_buf_indent(p->out, indent);
        }
        rg_buf_printf(p->out, "%s<<<", k);
        shape(p, s->grid);
        rg_buf_str(p->out, ", ");
        shape(p, s->block);
        rg_buf_str(p->out, ", ");
        if (s->shared_bytes)
            rg__print_integer(p, s->shared_bytes);
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
            rg__print_integer(p, s->shared_bytes);
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
static void scratch(struct rg__printer *p, const struct rg_plan_stmt *s)
{
    int index = 0;
    for (int i = 0; i < p->plan->n && p->plan->stmts[i] != s; i++) index += p->plan->stmts[i]->kind == RG_PLAN_SCRATCH;
    rg_buf_printf(p->out, "%sTRY(%salloc(&%smem[%d], (void **)&%s, ", p->host->prefix, p->host->helpers,
                  p->host->prefix, index, rg__print_local(p, s->a));
    rg__print_integer(p, s->value);
    rg_buf_str(p->out, ", sizeof(");
    rg__print_elem(p->out, p->host, s->elem, s->struct_index);
    rg_buf_printf(p->out, "), %sstream));\n", p->host->prefix);
}

static void fill(struct rg__printer *p, const struct rg_plan_stmt *s)
{
    struct rg__buffer b;
    if (!rg__print_buffer(p, s->a, &b)) return;
    const char *x = p->host->prefix;
    if (b.elem == RG_STRUCT) {
        rg_buf_printf(p->out, "%sTRY(cudaMemsetAsync(%s, 0, (size_t)(", x, rg__print_local(p, s->a));
        rg_expr_print(p->out, rg__print_lowered_elements(p, &b), NULL, NULL);
        rg_buf_printf(p->out, ") * sizeof(*%s), %sstream));\n", rg__print_local(p, s->a), x);
        return;
    }
    rg_buf_printf(p->out, "%sTRY(%sfill(%s, ", x, p->host->helpers, rg__print_local(p, s->a));
    rg_expr_print(p->out, rg__print_lowered_elements(p, &b), NULL, NULL);
    rg_buf_printf(p->out, ", (%s)(", rg_scalar_cuda(b.elem));
    if (b.elem == RG_F16) rg_buf_str(p->out, "(float)("); /* __half has no constructor from int64_t */
    if (rg_scalar_is_real(b.elem) && rg__plan_is_real(s->value))
        rg__print_real(p, s->value);
    else
        rg__print_integer(p, s->value);
    if (b.elem == RG_F16) rg_buf_char(p->out, ')');
    rg_buf_printf(p->out, "), %sstream));\n", x);
}

static void copy(struct rg__printer *p, const struct rg_plan_stmt *s)
{
    struct rg__buffer from;
    const char *x = p->host->prefix;
    if (!rg__print_buffer(p, s->b, &from)) return;
    if (s->a_symbol)
        rg_buf_printf(p->out, "%sTRY(cudaMemcpyToSymbolAsync(%s, ", x, rg__print_kernel_name(p, s->a));
    else
        rg_buf_printf(p->out, "%sTRY(%scopy(%s", x, p->host->helpers, rg__print_local(p, s->a));
    if (s->a_offset) {
        rg_buf_str(p->out, " + (");
        rg__print_integer(p, s->a_offset);
        rg_buf_char(p->out, ')');
    }
    if (!s->a_symbol) rg_buf_str(p->out, ", ");
    rg_buf_str(p->out, rg__print_local(p, s->b));
    if (s->b_offset) {
        rg_buf_str(p->out, " + (");
        rg__print_integer(p, s->b_offset);
        rg_buf_char(p->out, ')');
    }
    rg_buf_str(p->out, s->a_symbol ? ", (size_t)(" : ", ");
    if (s->count) {
        rg__print_integer(p, s->count);
    } else {
        rg_expr_print(p->out, rg__print_lowered_elements(p, &from), NULL, NULL);
        if (s->b_offset) {
            rg_buf_str(p->out, " - (");
            rg__print_integer(p, s->b_offset);
            rg_buf_char(p->out, ')');
        }
    }
    if (s->a_symbol)
        rg_buf_printf(p->out, ") * sizeof(*%s), 0, cudaMemcpyDeviceToDevice, %sstream));\n", rg__print_local(p, s->b),
                      x);
    else
        rg_buf_printf(p->out, ", sizeof(*%s), %sstream));\n", rg__print_local(p, s->b), x);
}

static void swap(struct rg__printer *p, const struct rg_plan_stmt *s, int indent)
{
    struct rg__buffer a, b;
    struct rg_buf x = RG_BUF_INIT, y = RG_BUF_INIT;
    if (rg__print_buffer(p, s->a, &a) && rg__print_buffer(p, s->b, &b)) {
        rg_expr_print(&x, rg__print_lowered_elements(p, &a), NULL, NULL);
        rg_expr_print(&y, rg__print_lowered_elements(p, &b), NULL, NULL);
        if (strcmp(x.data, y.data)) {
            rg_buf_printf(p->out, "if (%s != %s) %sTRY(cudaErrorInvalidValue);\n", x.data, y.data, p->host->prefix);
            rg_buf_indent(p->out, indent);
        }
    }
    rg_buf_release(&x);
    rg_buf_release(&y);
    rg_buf_printf(p->out, "%sswap(%s, %s);\n", p->host->helpers, rg__print_local(p, s->a), rg__print_local(p, s->b));
}

/* `t = t + 1` without its ';' */
static void assignment(struct rg__printer *p, const struct rg_plan_stmt *s)
{
    const struct rg_expr *e = s->value;
    const char *name = rg__print_local(p, s->a);
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
    rg__print_integer(p, e);
}

static void close(struct rg__printer *p, int indent, const char *text)
{
    rg_buf_indent(p->out, indent);
    rg_buf_str(p->out, text);
}

/* A condition; where data is read, it also looks whether the reading went well. */
static void condition(struct rg__printer *p, const struct rg_expr *e, bool reads)
{
    if (reads) rg_buf_str(p->out, "(");
    rg__print_integer(p, e);
    if (reads) rg_buf_printf(p->out, ") && %serr == cudaSuccess", p->host->prefix);
}

static void after_read(struct rg__printer *p, bool reads, int indent)
{
    if (!reads) return;
    rg_buf_indent(p->out, indent);
    rg_buf_printf(p->out, "%sTRY(%serr);\n", p->host->prefix, p->host->prefix);
}

/* The statements between the braces of a loop or a branch: a block that is all of them needs none of its own. */
static void body(struct rg__printer *p, int n, struct rg_plan_stmt *const *items, int indent)
{
    while (n == 1 && items[0]->kind == RG_PLAN_BLOCK) {
        n = items[0]->n_body;
        items = items[0]->body;
    }
    statements(p, n, items, indent);
}

static void loop(struct rg__printer *p, const struct rg_plan_stmt *s, int indent)
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

static void branch(struct rg__printer *p, const struct rg_plan_stmt *s, int indent)
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
        rg__print_integer(p, s->value);
        rg_buf_str(p->out, ") != 0;\n");
        after_read(p, true, inner);
        rg_buf_indent(p->out, inner);
        rg_buf_printf(p->out, "if (%scondition) {\n", p->host->prefix);
    } else {
        rg_buf_str(p->out, "if (");
        rg__print_integer(p, s->value);
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

static void statement(struct rg__printer *p, const struct rg_plan_stmt *s, int indent)
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

static void statements(struct rg__printer *p, int n, struct rg_plan_stmt *const *items, int indent)
{
    for (int i = 0; i < n; i++) statement(p, items[i], indent);
}

void rg__plan_print(struct rg_buf *out, const struct rg_plan *p, const struct rg_problem *problem,
                    const struct rg__host *host, int indent)
{
    struct rg__printer pr = {out, p, problem, host, RG_ARENA_INIT, NULL};
    statements(&pr, p->n, p->stmts, indent);
    rg_arena_release(&pr.a);
}

void rg__print_int(struct rg_buf *out, const struct rg_plan *p, const struct rg_problem *problem,
                   const struct rg__host *host, const struct rg_expr *e)
{
    struct rg__printer pr = {out, p, problem, host, RG_ARENA_INIT, NULL};
    rg__print_integer(&pr, e);
    rg_arena_release(&pr.a);
}

void rg__print_elements(struct rg_buf *out, const struct rg_problem *problem, const struct rg__host *host, int param)
{
    struct rg__printer pr = {out, NULL, problem, host, RG_ARENA_INIT, NULL};
    const struct rg_param *q = &problem->params[param];
    struct rg__buffer b = {q->name, q->elem, q->struct_index, param, NULL};
    rg_expr_print(out, rg__print_lowered_elements(&pr, &b), NULL, NULL);
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
    struct rg__printer p = {NULL, b->plan, b->problem, NULL, RG_ARENA_INIT, NULL};
    for (int i = 0; i < s->n_args && i < sig->n_params; i++) {
        struct rg__buffer buffer;
        enum rg_scalar t = sig->params[i].type;
        if (s->args[i].kind == RG_ARG_BUFFER) {
            if (!rg__print_buffer(&p, s->args[i].name, &buffer)) return false;
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
