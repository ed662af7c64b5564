/* Does a plan fit its problem and its kernels? All that is wrong is told, each at its first use. */
#include "runtime/plan/plan_checker.h"
#include <rg/buf.h>
#include <rg/scalar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool tell(struct rg_error *err, int line, int column, const char *fmt, va_list ap)
{
    struct rg_buf text = RG_BUF_INIT;
    struct rg_error own = RG_ERROR_INIT;
    rg_buf_vprintf(&text, fmt, ap);
    rg_error_at(&own, RG_INPUT, RG__PLAN_FILE, line, column, "%s", text.data);
    rg_error_also(err, &own);
    rg_buf_release(&text);
    return false;
}

bool rg__check_fail(struct checker *c, int line, int column, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    tell(c->err, line, column, fmt, ap);
    va_end(ap);
    return false;
}

/* Of a name that nothing declares. */
static bool missing(struct checker *c, int line, int column, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
static bool missing(struct checker *c, int line, int column, const char *name, const char *fmt, ...)
{
    for (int i = 0; i < c->n_missing; i++)
        if (!strcmp(c->missing[i], name)) return false;
    for (int i = 0; i < c->n_unread; i++)
        if (!strcmp(c->unread[i], name)) return false;
    if (c->n_missing < (int)(sizeof c->missing / sizeof *c->missing)) c->missing[c->n_missing++] = name;
    va_list ap;
    va_start(ap, fmt);
    tell(c->names, line, column, fmt, ap);
    va_end(ap);
    return false;
}

static bool no_buffer(struct checker *c, int line, int column, const char *name)
{
    if (!rg__check_find(c, name) && rg_problem_param(c->problem, name) < 0)
        return missing(
            c, line, column, name,
            "'%.100s' is no buffer: nothing declares it (`scratch int %.100s[elements];` before its first use)", name,
            name);
    return rg__check_fail(c, line, column, "'%.100s' is no buffer", name);
}

struct symbol *rg__check_find(struct checker *c, const char *name)
{
    for (int i = c->n - 1; i >= 0; i--)
        if (!strcmp(c->symbols[i].name, name)) return &c->symbols[i];
    return NULL;
}

bool rg__check_buffer(struct checker *c, const char *name, struct buffer *out)
{
    const struct symbol *s = rg__check_find(c, name);
    if (s) {
        if (s->buffer) *out = (struct buffer){false, s->elem, s->struct_index};
        return s->buffer;
    }
    int i = rg_problem_param(c->problem, name);
    if (i < 0 || c->problem->params[i].kind != RG_PARAM_ARRAY) return false;
    const struct rg_param *p = &c->problem->params[i];
    *out = (struct buffer){p->role == RG_ROLE_IN, p->elem, p->struct_index};
    return true;
}

bool rg__check_is_buffer(void *arg, const char *name)
{
    struct buffer ignored;
    return rg__check_buffer(arg, name, &ignored);
}

bool rg__is_size_param(const struct rg_problem *p, int param)
{
    for (int i = 0; i < p->n_size_params; i++)
        if (p->size_params[i] == param) return true;
    return false;
}

const char *rg__check_elem_name(const struct checker *c, enum rg_scalar elem, int struct_index)
{
    if (elem == RG_STRUCT && struct_index >= 0 && struct_index < c->problem->n_structs)
        return c->problem->structs[struct_index].c_name;
    return rg_scalar_cuda(elem);
}

static bool check_name(struct checker *c, const struct rg_expr *e)
{
    int64_t ignored;
    double real;
    const struct symbol *s = rg__check_find(c, e->name);
    if (s && !s->buffer) {
        if (c->only_constants && !s->constant)
            return rg__check_fail(c, e->line, e->column,
                                  "scratch is made before anything runs: its extent can't use '%.100s', which "
                                  "changes or depends on data",
                                  e->name);
        return true;
    }
    int i = rg_problem_param(c->problem, e->name);
    if (rg__check_is_buffer(c, e->name))
        return rg__check_fail(c, e->line, e->column,
                              "'%.100s' is a buffer where an integer is needed (%.100s[i] reads an element)", e->name,
                              e->name);
    if (i >= 0) {
        if (rg__is_size_param(c->problem, i)) return true;
        return rg__check_fail(c, e->line, e->column,
                              "'%.100s' is no integer: a plan computes in integers only; pass it to a kernel "
                              "as it is",
                              e->name);
    }
    if (rg__plan_constant(e->name, &ignored)) return true;
    if (!strcmp(e->name, RG__PLAN_RESIDENT))
        return c->cooperative || rg__check_fail(c, e->line, e->column,
                                                "'%s' has a value in the grid of a [cooperative] launch only", e->name);
    if (rg__plan_real_constant(e->name, &real))
        return rg__check_fail(c, e->line, e->column, "%.100s is a real number where an integer is needed", e->name);
    return missing(c, e->line, e->column, e->name, "unknown name '%.100s'", e->name);
}

/* x[i] or read(x, i) */
static bool check_read(struct checker *c, const struct rg_expr *e, const char *name, const struct rg_expr *index)
{
    struct buffer b;
    if (c->only_constants)
        return rg__check_fail(c, e->line, e->column,
                              "scratch is made before anything runs: its extent can't depend on data");
    if (!rg__check_buffer(c, name, &b)) return no_buffer(c, e->line, e->column, name);
    if (b.elem == RG_F32 || b.elem == RG_F64)
        return rg__check_fail(c, e->line, e->column, "'%.100s' holds %s: a real can only be compared, in a condition",
                              name, rg__check_elem_name(c, b.elem, b.struct_index));
    if (b.elem == RG_STRUCT || rg_scalar_is_real(b.elem))
        return rg__check_fail(c, e->line, e->column, "'%.100s' holds %s: elements of such buffers can't be read", name,
                              rg__check_elem_name(c, b.elem, b.struct_index));
    return rg__check_int(c, index);
}

static bool check_call(struct checker *c, const struct rg_expr *e)
{
    static const struct {
        const char *name;
        int n_args;
    } builtins[] = {{"min", 2}, {"max", 2}, {"ceil_div", 2}, {"abs", 1}, {"pow2", 1}, {"pow2_from", 1}};
    enum rg_scalar s;
    if (!strcmp(e->name, "sizeof")) {
        const char *type = e->args[0]->name;
        if (rg_scalar_parse(type, &s) || rg__find_struct(c->problem, type) >= 0) return true;
        return rg__check_fail(c, e->line, e->column, "sizeof: unknown type '%.100s'", type);
    }
    if (!strcmp(e->name, "read")) {
        if (e->n_args != 2 || e->args[0]->kind != RG_EXPR_NAME)
            return rg__check_fail(c, e->line, e->column, "read(buffer, index) takes a buffer and an index");
        return check_read(c, e, e->args[0]->name, e->args[1]);
    }
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        if (strcmp(builtins[i].name, e->name)) continue;
        if (e->n_args != builtins[i].n_args)
            return rg__check_fail(c, e->line, e->column, "%s takes %d argument%s", e->name, builtins[i].n_args,
                                  builtins[i].n_args == 1 ? "" : "s");
        bool ok = true;
        for (int k = 0; k < e->n_args; k++) ok &= rg__check_int(c, e->args[k]);
        return ok;
    }
    return rg__check_fail(
        c, e->line, e->column,
        "unknown function '%.100s': a plan knows min, max, ceil_div, abs, pow2, pow2_from, sizeof and read", e->name);
}

bool rg__check_int(struct checker *c, const struct rg_expr *e)
{
    switch (e->kind) {
    case RG_EXPR_INT:
        return true;
    case RG_EXPR_REAL:
        return rg__check_fail(c, e->line, e->column, "a real number where an integer is needed");
    case RG_EXPR_NAME:
        return check_name(c, e);
    case RG_EXPR_CALL:
        return check_call(c, e);
    case RG_EXPR_INDEX:
        return check_read(c, e, e->name, e->args[0]);
    default:
        break;
    }
    bool ok = true;
    for (int i = 0; i < e->n_args; i++) ok &= rg__check_int(c, e->args[i]);
    return ok;
}

/* What a name in a comparison of reals holds: a real scalar, or with `element` reals in a buffer. */
static bool holds_real(void *arg, const char *name, bool element)
{
    struct checker *c = arg;
    struct buffer b;
    if (element) return rg__check_buffer(c, name, &b) && (b.elem == RG_F32 || b.elem == RG_F64);
    int i = rg__check_find(c, name) ? -1 : rg_problem_param(c->problem, name);
    return i >= 0 && c->problem->params[i].kind == RG_PARAM_SCALAR && rg_scalar_is_real(c->problem->params[i].elem);
}

/* One side of a comparison of reals. */
static bool check_compared(struct checker *c, const struct rg_expr *e)
{
    const struct rg__reals reals = {c, holds_real, NULL};
    if (!rg__plan_real_valued(e, &reals)) return rg__check_int(c, e);
    if (e->kind == RG_EXPR_REAL || e->kind == RG_EXPR_NAME) return true;
    if (e->kind == RG_EXPR_INDEX) return rg__check_int(c, e->args[0]);
    if (e->kind == RG_EXPR_CALL && !strcmp(e->name, "read")) return rg__check_int(c, e->args[1]);
    if (!rg__plan_real_operation(e))
        return rg__check_fail(c, e->line, e->column, "only + - * /, abs, min and max are known for real numbers");
    bool ok = true;
    for (int i = 0; i < e->n_args; i++) ok &= check_compared(c, e->args[i]);
    return ok;
}

bool rg__check_truth(struct checker *c, const struct rg_expr *e)
{
    const struct rg__reals reals = {c, holds_real, NULL};
    if (!rg__plan_compares_reals(e, &reals)) return rg__check_int(c, e);
    bool ok = true;
    if (rg__plan_compares(e, &reals)) {
        for (int i = 0; i < 2; i++) ok &= check_compared(c, e->args[i]);
    } else if ((e->kind == RG_EXPR_BINARY && (e->op == RG_OP_AND || e->op == RG_OP_OR)) ||
               (e->kind == RG_EXPR_UNARY && e->op == RG_OP_NOT) || e->kind == RG_EXPR_COND) {
        for (int i = 0; i < e->n_args; i++) ok &= rg__check_truth(c, e->args[i]);
    } else {
        ok = rg__check_fail(
            c, e->line, e->column,
            "reals are compared in conditions, joined by && || !: nothing else is done with the outcome");
    }
    return ok;
}

/* A real expression: literals, constants and + - * / of them and of integers. */
bool rg__check_real(struct checker *c, const struct rg_expr *e)
{
    if (!rg__plan_is_real(e)) return rg__check_int(c, e);
    if (e->kind == RG_EXPR_REAL || e->kind == RG_EXPR_NAME) return true;
    bool known = e->kind == RG_EXPR_UNARY ? e->op == RG_OP_NEG
                                          : e->kind == RG_EXPR_BINARY && (e->op == RG_OP_ADD || e->op == RG_OP_SUB ||
                                                                          e->op == RG_OP_MUL || e->op == RG_OP_DIV);
    if (!known) return rg__check_fail(c, e->line, e->column, "only + - * / are known for real numbers");
    bool ok = true;
    for (int i = 0; i < e->n_args; i++) ok &= rg__check_real(c, e->args[i]);
    return ok;
}

static bool declare(struct checker *c, const struct rg_plan_stmt *s, struct symbol symbol)
{
    int64_t ignored;
    double real;
    symbol.name = s->a;
    if (rg_problem_param(c->problem, s->a) >= 0)
        return rg__check_fail(c, s->line, s->column, "'%.100s' is a parameter of the function: choose another name",
                              s->a);
    if (rg__check_find(c, s->a)) return rg__check_fail(c, s->line, s->column, "'%.100s' is declared already", s->a);
    if (rg__plan_constant(s->a, &ignored) || rg__plan_real_constant(s->a, &real) || !strcmp(s->a, RG__PLAN_RESIDENT))
        return rg__check_fail(c, s->line, s->column, "'%.100s' is a constant of the language", s->a);
    if (c->n == RG__PLAN_MAX_NAMES) return rg__check_fail(c, s->line, s->column, "too many names");
    c->symbols[c->n++] = symbol;
    return true;
}

/* Is `want` ever assigned? */
static void note_assigned(void *arg, const struct rg_plan_stmt *s)
{
    struct checker *c = arg;
    if (s->kind == RG_PLAN_INT && !s->declares && !strcmp(s->a, c->want)) c->found = true;
}

static bool value_constant(struct checker *c, const struct rg_expr *e)
{
    if (e->kind == RG_EXPR_INDEX || (e->kind == RG_EXPR_CALL && !strcmp(e->name, "read"))) return false;
    if (e->kind == RG_EXPR_NAME) {
        const struct symbol *s = rg__check_find(c, e->name);
        return !s || (!s->buffer && s->constant);
    }
    if (e->kind == RG_EXPR_CALL && !strcmp(e->name, "sizeof")) return true;
    for (int i = 0; i < e->n_args; i++)
        if (!value_constant(c, e->args[i])) return false;
    return true;
}

static bool check_variable(struct checker *c, const struct rg_plan_stmt *s)
{
    const struct rg__reals reals = {c, holds_real, NULL};
    bool ok = rg__plan_real_valued(s->value, &reals)
                  ? rg__check_fail(
                        c, s->value->line, s->value->column,
                        "'%.100s' is an integer variable: a plan computes in integers only, and compares reals", s->a)
                  : rg__check_truth(c, s->value);
    if (s->declares) { /* also where its value is wrong: what uses it is not */
        bool constant = !c->depth && value_constant(c, s->value);
        c->want = s->a;
        c->found = false;
        if (constant) rg__plan_each(c->plan, note_assigned, c);
        constant &= !c->found;
        int64_t ignored;
        const struct rg_expr *literal =
            constant && rg_expr_eval(s->value, NULL, &ignored, NULL) == RG_OK ? s->value : NULL;
        return declare(c, s, (struct symbol){.constant = constant, .literal = literal, .struct_index = -1}) && ok;
    }
    if (!ok) return false;
    const struct symbol *v = rg__check_find(c, s->a);
    if (v && !v->buffer) return true;
    if (rg_problem_param(c->problem, s->a) >= 0)
        return rg__check_fail(c, s->line, s->column, "'%.100s' is a parameter: a plan can't assign it", s->a);
    return missing(c, s->line, s->column, s->a, "unknown variable '%.100s': declare it with `int %.100s = ...;`", s->a,
                   s->a);
}

static bool check_scratch(struct checker *c, struct rg_plan_stmt *s)
{
    if (c->depth)
        return rg__check_fail(c, s->line, s->column,
                              "scratch buffers are made once, before anything runs: put '%.100s' outside of "
                              "loops and blocks",
                              s->a);
    if (!rg_scalar_parse(s->b, &s->elem)) {
        s->struct_index = rg__find_struct(c->problem, s->b);
        if (s->struct_index < 0)
            return rg__check_fail(c, s->line, s->column, "scratch '%.100s': unknown element type '%.100s'", s->a, s->b);
        s->elem = RG_STRUCT;
    }
    c->only_constants = true;
    bool ok = rg__check_int(c, s->value);
    c->only_constants = false;
    return declare(c, s, (struct symbol){.buffer = true, .elem = s->elem, .struct_index = s->struct_index}) && ok;
}

static void note_variable(void *arg, const char *name)
{
    struct {
        struct checker *c;
        const char *variable;
    } *w = arg;
    if (rg__check_find(w->c, name)) w->variable = name;
}

/* The expression with variables that stand for a literal written out: the requirement is looked at before the plan
 * declares anything. */
static struct rg_expr *written_out(struct checker *c, const struct rg_expr *e)
{
    const struct symbol *s = e->kind == RG_EXPR_NAME ? rg__check_find(c, e->name) : NULL;
    struct rg_expr *copy = rg_arena_alloc(&c->plan->arena, sizeof *copy);
    *copy = s && s->literal ? *s->literal : *e;
    if (s && s->literal)
        copy = written_out(c, s->literal);
    else if (e->n_args)
        copy->args = rg_arena_alloc(&c->plan->arena, (size_t)e->n_args * sizeof *copy->args);
    for (int i = 0; i < e->n_args; i++) copy->args[i] = written_out(c, e->args[i]);
    return copy;
}

/* What the exported function asks of its sizes before it does anything. */
static bool check_require(struct checker *c, struct rg_plan_stmt *s)
{
    struct {
        struct checker *c;
        const char *variable;
    } w = {c, NULL};
    if (c->depth)
        return rg__check_fail(c, s->line, s->column,
                              "a requirement is of the sizes: put it outside of loops and blocks");
    s->value = written_out(c, s->value);
    rg_expr_names(s->value, note_variable, &w);
    if (w.variable)
        return rg__check_fail(c, s->line, s->column,
                              "a requirement is of the function's parameters alone: '%.100s' is none", w.variable);
    c->only_constants = true;
    bool ok = rg__check_int(c, s->value);
    c->only_constants = false;
    return ok;
}

static bool writable(struct checker *c, const struct rg_plan_stmt *s, const char *name, struct buffer *b)
{
    if (!rg__check_buffer(c, name, b)) return no_buffer(c, s->line, s->column, name);
    return !b->input || rg__check_fail(c, s->line, s->column, "'%.100s' is an input and must stay as it is", name);
}

static bool check_fill(struct checker *c, const struct rg_plan_stmt *s)
{
    struct buffer b;
    int64_t zero = 1;
    if (!writable(c, s, s->a, &b)) return false;
    if (b.elem == RG_STRUCT) {
        if (rg__plan_is_real(s->value) || rg_expr_eval(s->value, NULL, &zero, NULL) != RG_OK || zero)
            return rg__check_fail(c, s->value->line, s->value->column,
                                  "'%.100s' holds structs: it can only be filled with 0", s->a);
        return true;
    }
    if (rg_scalar_is_real(b.elem)) return rg__check_real(c, s->value);
    if (rg__plan_is_real(s->value))
        return rg__check_fail(c, s->value->line, s->value->column,
                              "'%.100s' holds %s: its fill value must be an integer", s->a,
                              rg__check_elem_name(c, b.elem, b.struct_index));
    return rg__check_int(c, s->value);
}

static bool same_elements(const struct buffer *x, const struct buffer *y)
{
    return x->elem == y->elem && (x->elem != RG_STRUCT || x->struct_index == y->struct_index);
}

static bool check_pair(struct checker *c, const struct rg_plan_stmt *s, const struct buffer *x, const struct buffer *y)
{
    return same_elements(x, y) ||
           rg__check_fail(c, s->line, s->column, "'%.100s' holds %.100s but '%.100s' holds %.100s", s->a,
                          rg__check_elem_name(c, x->elem, x->struct_index), s->b,
                          rg__check_elem_name(c, y->elem, y->struct_index));
}

static bool check_copy(struct checker *c, struct rg_plan_stmt *s)
{
    struct buffer to, from;
    if (!rg__check_buffer(c, s->b, &from))
        return rg__check_fail(c, s->line, s->column, "copy(to, from): '%.100s' is no buffer", s->b);
    s->a_symbol = false;
    if (rg__check_buffer(c, s->a, &to)) {
        if (!writable(c, s, s->a, &to) || !check_pair(c, s, &to, &from)) return false;
    } else {
        if (rg__check_find(c, s->a) || rg_problem_param(c->problem, s->a) >= 0)
            return rg__check_fail(c, s->line, s->column, "copy(to, from): '%.100s' is no buffer", s->a);
        if (s->a_offset)
            return rg__check_fail(c, s->line, s->column,
                                  "copy(to, from): '%.100s' is no buffer; a symbol of the module takes no offset",
                                  s->a);
        s->a_symbol = true;
    }
    return (!s->a_offset || rg__check_int(c, s->a_offset)) && (!s->b_offset || rg__check_int(c, s->b_offset)) &&
           (!s->count || rg__check_int(c, s->count));
}

static bool check_swap(struct checker *c, const struct rg_plan_stmt *s)
{
    struct buffer x, y;
    if (!strcmp(s->a, s->b)) return rg__check_fail(c, s->line, s->column, "swap of '%.100s' with itself", s->a);
    return writable(c, s, s->a, &x) && writable(c, s, s->b, &y) && check_pair(c, s, &x, &y);
}

static bool check_body(struct checker *c, int n, struct rg_plan_stmt **items);

struct progress { /* does a loop change what its condition looks at? */
    const struct rg_expr *condition;
    const char *assigned;
    bool changes;
};

static void note_condition(void *arg, const char *name)
{
    struct progress *p = arg;
    if (!strcmp(name, p->assigned)) p->changes = true;
}

static void note_statement(void *arg, const struct rg_plan_stmt *s)
{
    struct progress *p = arg;
    if (s->kind != RG_PLAN_INT || s->declares) return;
    p->assigned = s->a;
    rg_expr_names(p->condition, note_condition, p);
}

/* A `break` under an `if`, of this very loop. */
static bool leaves(int n, struct rg_plan_stmt *const *items)
{
    for (int i = 0; i < n; i++) {
        const struct rg_plan_stmt *s = items[i];
        if (s->kind == RG_PLAN_BREAK) return true;
        bool loop = s->kind == RG_PLAN_FOR || s->kind == RG_PLAN_WHILE || s->kind == RG_PLAN_DO;
        if (!loop && (leaves(s->n_body, s->body) || leaves(s->n_else, s->orelse))) return true;
    }
    return false;
}

static bool check_loop(struct checker *c, struct rg_plan_stmt *s)
{
    struct progress p = {s->value, NULL, rg__plan_reads(s->value) || leaves(s->n_body, s->body)};
    struct rg_plan inner = {.n = s->n_body, .stmts = s->body};
    int64_t v = 1;
    int n = c->n;
    c->depth++;
    c->loops++;
    bool ok = true;
    if (s->init) ok &= check_variable(c, s->init);
    if (s->kind != RG_PLAN_DO) ok &= rg__check_truth(c, s->value);
    ok &= check_body(c, s->n_body, s->body);
    if (s->kind == RG_PLAN_DO)
        ok &= rg__check_truth(c, s->value); /* in the order of the text: what is missing is told at its first use */
    if (s->step) ok &= check_variable(c, s->step);
    c->depth--;
    c->loops--;
    c->n = n;
    if (!ok) return false;
    rg__plan_each(&inner, note_statement, &p);
    if (s->step) note_statement(&p, s->step);
    if (!p.changes && !(rg_expr_eval(s->value, NULL, &v, NULL) == RG_OK && !v))
        return rg__check_fail(c, s->value->line, s->value->column, "nothing in this loop changes its condition");
    return true;
}

static bool check_stmt(struct checker *c, struct rg_plan_stmt *s)
{
    switch (s->kind) {
    case RG_PLAN_SCRATCH:
        return check_scratch(c, s);
    case RG_PLAN_REQUIRE:
        return check_require(c, s);
    case RG_PLAN_LAUNCH:
        return rg__check_launch(c, s);
    case RG_PLAN_FOR:
    case RG_PLAN_WHILE:
    case RG_PLAN_DO:
        return check_loop(c, s);
    case RG_PLAN_IF: {
        bool ok = rg__check_truth(c, s->value);
        ok &= check_body(c, s->n_body, s->body);
        return check_body(c, s->n_else, s->orelse) && ok;
    }
    case RG_PLAN_BREAK:
        return c->loops || rg__check_fail(c, s->line, s->column, "'break' outside of a loop");
    case RG_PLAN_FILL:
        return check_fill(c, s);
    case RG_PLAN_COPY:
        return check_copy(c, s);
    case RG_PLAN_SWAP:
        return check_swap(c, s);
    case RG_PLAN_INT:
        return check_variable(c, s);
    case RG_PLAN_BLOCK:
        return check_body(c, s->n_body, s->body);
    }
    return false;
}

static bool check_body(struct checker *c, int n, struct rg_plan_stmt **items)
{
    int names = c->n;
    bool ok = true;
    c->depth++;
    for (int i = 0; i < n; i++) ok &= check_stmt(c, items[i]);
    c->depth--;
    c->n = names;
    return ok;
}

enum rg_status rg_plan_check(struct rg_plan *p, const struct rg_problem *problem, const struct rg_kernel_sig *sigs,
                             struct rg_error *err)
{
    struct checker *c = rg_xcalloc(1, sizeof *c);
    *c = (struct checker){.plan = p, .problem = problem, .sigs = sigs, .err = err, .names = err};
    bool ok = true;
    for (int i = 0; i < p->n; i++) ok &= check_stmt(c, p->stmts[i]);
    if (ok && !p->n) ok = rg__check_fail(c, 1, 1, "the plan is empty: it must launch a kernel");
    free(c);
    return ok ? RG_OK : RG_INPUT;
}

void rg__plan_check_names(struct rg_plan *p, const struct rg_problem *problem, const char *const *unread, int n_unread,
                          struct rg_error *err)
{
    struct rg_error other = RG_ERROR_INIT; /* may come of what is missing */
    struct checker *c = rg_xcalloc(1, sizeof *c);
    *c = (struct checker){
        .plan = p, .problem = problem, .err = &other, .names = err, .unread = unread, .n_unread = n_unread};
    for (int i = 0; i < p->n; i++) check_stmt(c, p->stmts[i]);
    free(c);
}
