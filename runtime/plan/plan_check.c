/* Does a plan fit its problem and its kernels? Also decides what each argument is: buffer, integer, real, scalar. */
#include "runtime/plan/plan_internal.h"
#include <rg/buf.h>
#include <rg/scalar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct symbol {
    const char *name;
    bool buffer;             /* a scratch buffer; else an integer variable */
    bool constant;           /* a variable that scratch extents may use */
    enum rg_scalar elem;
    int struct_index;
};

struct checker {
    struct rg_plan *plan;
    const struct rg_problem *problem;
    const struct rg_kernel_sig *sigs;
    struct rg_error *err;
    int n, depth;
    struct symbol symbols[RG__PLAN_MAX_NAMES];
    bool only_constants; /* inside a scratch extent */
    bool cooperative;    /* inside the grid of a cooperative launch */
    const char *want;    /* while names are searched */
    bool found;
};

struct buffer { /* what a name of a buffer means */
    bool input;
    enum rg_scalar elem;
    int struct_index;
};

static bool fail(struct checker *c, int line, int column, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
static bool fail(struct checker *c, int line, int column, const char *fmt, ...)
{
    struct rg_buf text = RG_BUF_INIT;
    va_list ap;
    va_start(ap, fmt);
    rg_buf_vprintf(&text, fmt, ap);
    va_end(ap);
    rg_error_at(c->err, RG_INPUT, RG__PLAN_FILE, line, column, "%s", text.data);
    rg_buf_release(&text);
    return false;
}

static struct symbol *find(struct checker *c, const char *name)
{
    for (int i = c->n - 1; i >= 0; i--)
        if (!strcmp(c->symbols[i].name, name)) return &c->symbols[i];
    return NULL;
}

static bool find_buffer(struct checker *c, const char *name, struct buffer *out)
{
    const struct symbol *s = find(c, name);
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

static bool is_buffer(void *arg, const char *name)
{
    struct buffer ignored;
    return find_buffer(arg, name, &ignored);
}

bool rg__is_size_param(const struct rg_problem *p, int param)
{
    for (int i = 0; i < p->n_size_params; i++)
        if (p->size_params[i] == param) return true;
    return false;
}

static const char *elem_name(const struct checker *c, enum rg_scalar elem, int struct_index)
{
    if (elem == RG_STRUCT && struct_index >= 0 && struct_index < c->problem->n_structs)
        return c->problem->structs[struct_index].c_name;
    return rg_scalar_cuda(elem);
}

static bool check_int(struct checker *c, const struct rg_expr *e);

static bool check_name(struct checker *c, const struct rg_expr *e)
{
    int64_t ignored;
    double real;
    const struct symbol *s = find(c, e->name);
    if (s && !s->buffer) {
        if (c->only_constants && !s->constant)
            return fail(c, e->line, e->column, "scratch is made before anything runs: its extent can't use '%.100s', which "
                        "changes or depends on data", e->name);
        return true;
    }
    int i = rg_problem_param(c->problem, e->name);
    if (is_buffer(c, e->name))
        return fail(c, e->line, e->column, "'%.100s' is a buffer where an integer is needed (%.100s[i] reads an element)",
                    e->name, e->name);
    if (i >= 0) {
        if (rg__is_size_param(c->problem, i)) return true;
        return fail(c, e->line, e->column, "'%.100s' is no integer: a plan computes in integers only; pass it to a kernel "
                    "as it is", e->name);
    }
    if (rg__plan_constant(e->name, &ignored)) return true;
    if (!strcmp(e->name, RG__PLAN_RESIDENT))
        return c->cooperative || fail(c, e->line, e->column, "'%s' has a value in the grid of a [cooperative] launch only", e->name);
    if (rg__plan_real_constant(e->name, &real))
        return fail(c, e->line, e->column, "%.100s is a real number where an integer is needed", e->name);
    return fail(c, e->line, e->column, "unknown name '%.100s'", e->name);
}

/* x[i] or read(x, i) */
static bool check_read(struct checker *c, const struct rg_expr *e, const char *name, const struct rg_expr *index)
{
    struct buffer b;
    if (c->only_constants)
        return fail(c, e->line, e->column, "scratch is made before anything runs: its extent can't depend on data");
    if (!find_buffer(c, name, &b)) return fail(c, e->line, e->column, "'%.100s' is no buffer", name);
    if (b.elem == RG_STRUCT || rg_scalar_is_real(b.elem))
        return fail(c, e->line, e->column, "'%.100s' holds %s: only elements of integer buffers can be read", name,
                    elem_name(c, b.elem, b.struct_index));
    return check_int(c, index);
}

static bool check_call(struct checker *c, const struct rg_expr *e)
{
    static const struct {
        const char *name;
        int n_args;
    } builtins[] = {{"min", 2}, {"max", 2}, {"ceil_div", 2}, {"abs", 1}};
    enum rg_scalar s;
    if (!strcmp(e->name, "sizeof")) {
        const char *type = e->args[0]->name;
        if (rg_scalar_parse(type, &s) || rg__find_struct(c->problem, type) >= 0) return true;
        return fail(c, e->line, e->column, "sizeof: unknown type '%.100s'", type);
    }
    if (!strcmp(e->name, "read")) {
        if (e->n_args != 2 || e->args[0]->kind != RG_EXPR_NAME)
            return fail(c, e->line, e->column, "read(buffer, index) takes a buffer and an index");
        return check_read(c, e, e->args[0]->name, e->args[1]);
    }
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        if (strcmp(builtins[i].name, e->name)) continue;
        if (e->n_args != builtins[i].n_args)
            return fail(c, e->line, e->column, "%s takes %d argument%s", e->name, builtins[i].n_args,
                        builtins[i].n_args == 1 ? "" : "s");
        for (int k = 0; k < e->n_args; k++)
            if (!check_int(c, e->args[k])) return false;
        return true;
    }
    return fail(c, e->line, e->column, "unknown function '%.100s': a plan knows min, max, ceil_div, abs, sizeof and read",
                e->name);
}

static bool check_int(struct checker *c, const struct rg_expr *e)
{
    switch (e->kind) {
    case RG_EXPR_INT: return true;
    case RG_EXPR_REAL: return fail(c, e->line, e->column, "a real number where an integer is needed");
    case RG_EXPR_NAME: return check_name(c, e);
    case RG_EXPR_CALL: return check_call(c, e);
    case RG_EXPR_INDEX: return check_read(c, e, e->name, e->args[0]);
    default: break;
    }
    for (int i = 0; i < e->n_args; i++)
        if (!check_int(c, e->args[i])) return false;
    return true;
}

/* A real expression: literals, constants and + - * / of them and of integers. */
static bool check_real(struct checker *c, const struct rg_expr *e)
{
    if (!rg__plan_is_real(e)) return check_int(c, e);
    if (e->kind == RG_EXPR_REAL || e->kind == RG_EXPR_NAME) return true;
    bool known = e->kind == RG_EXPR_UNARY ? e->op == RG_OP_NEG
                                          : e->kind == RG_EXPR_BINARY && (e->op == RG_OP_ADD || e->op == RG_OP_SUB ||
                                                                          e->op == RG_OP_MUL || e->op == RG_OP_DIV);
    if (!known) return fail(c, e->line, e->column, "only + - * / are known for real numbers");
    for (int i = 0; i < e->n_args; i++)
        if (!check_real(c, e->args[i])) return false;
    return true;
}

static bool declare(struct checker *c, const struct rg_plan_stmt *s, struct symbol symbol)
{
    int64_t ignored;
    double real;
    symbol.name = s->a;
    if (rg_problem_param(c->problem, s->a) >= 0)
        return fail(c, s->line, s->column, "'%.100s' is a parameter of the function: choose another name", s->a);
    if (find(c, s->a)) return fail(c, s->line, s->column, "'%.100s' is declared already", s->a);
    if (rg__plan_constant(s->a, &ignored) || rg__plan_real_constant(s->a, &real) || !strcmp(s->a, RG__PLAN_RESIDENT))
        return fail(c, s->line, s->column, "'%.100s' is a constant of the language", s->a);
    if (c->n == RG__PLAN_MAX_NAMES) return fail(c, s->line, s->column, "too many names");
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
        const struct symbol *s = find(c, e->name);
        return !s || (!s->buffer && s->constant);
    }
    if (e->kind == RG_EXPR_CALL && !strcmp(e->name, "sizeof")) return true;
    for (int i = 0; i < e->n_args; i++)
        if (!value_constant(c, e->args[i])) return false;
    return true;
}

static bool check_variable(struct checker *c, const struct rg_plan_stmt *s)
{
    if (rg__plan_is_real(s->value)) return fail(c, s->value->line, s->value->column, "'%.100s' is an integer variable: a plan "
                                                "computes in integers only", s->a);
    if (!check_int(c, s->value)) return false;
    if (s->declares) {
        bool constant = !c->depth && value_constant(c, s->value);
        c->want = s->a;
        c->found = false;
        if (constant) rg__plan_each(c->plan, note_assigned, c);
        return declare(c, s, (struct symbol){.constant = constant && !c->found, .struct_index = -1});
    }
    const struct symbol *v = find(c, s->a);
    if (v && !v->buffer) return true;
    if (rg_problem_param(c->problem, s->a) >= 0)
        return fail(c, s->line, s->column, "'%.100s' is a parameter: a plan can't assign it", s->a);
    return fail(c, s->line, s->column, "unknown variable '%.100s': declare it with `int %.100s = ...;`", s->a, s->a);
}

static bool check_scratch(struct checker *c, struct rg_plan_stmt *s)
{
    if (c->depth)
        return fail(c, s->line, s->column, "scratch buffers are made once, before anything runs: put '%.100s' outside of "
                    "loops and blocks", s->a);
    if (!rg_scalar_parse(s->b, &s->elem)) {
        s->struct_index = rg__find_struct(c->problem, s->b);
        if (s->struct_index < 0)
            return fail(c, s->line, s->column, "scratch '%.100s': unknown element type '%.100s'", s->a, s->b);
        s->elem = RG_STRUCT;
    }
    c->only_constants = true;
    bool ok = check_int(c, s->value);
    c->only_constants = false;
    return ok && declare(c, s, (struct symbol){.buffer = true, .elem = s->elem, .struct_index = s->struct_index});
}

static void note_variable(void *arg, const char *name)
{
    struct { struct checker *c; const char *variable; } *w = arg;
    if (find(w->c, name)) w->variable = name;
}

/* What the exported function asks of its sizes before it does anything. */
static bool check_require(struct checker *c, const struct rg_plan_stmt *s)
{
    struct { struct checker *c; const char *variable; } w = {c, NULL};
    if (c->depth) return fail(c, s->line, s->column, "a requirement is of the sizes: put it outside of loops and blocks");
    rg_expr_names(s->value, note_variable, &w);
    if (w.variable)
        return fail(c, s->line, s->column, "a requirement is of the function's parameters alone: '%.100s' is none", w.variable);
    c->only_constants = true;
    bool ok = check_int(c, s->value);
    c->only_constants = false;
    return ok;
}

static void describe(const struct checker *c, const struct rg_kernel_param *p, struct rg_buf *out)
{
    rg_buf_printf(out, "%s%s%s", p->is_const ? "const " : "",
                  p->type == RG_N_SCALARS ? "void" : p->type == RG_STRUCT ? p->struct_name : rg_scalar_cuda(p->type),
                  p->pointer ? " *" : "");
}

static bool argument_fails(struct checker *c, const struct rg_plan_stmt *s, int i, const char *is)
{
    struct rg_buf want = RG_BUF_INIT;
    describe(c, &c->sigs[s->kernel_index].params[i], &want);
    fail(c, s->args[i].line, s->args[i].column, "argument %d of '%.100s' must be %s: %s", i + 1, s->kernel, want.data, is);
    rg_buf_release(&want);
    return false;
}

/* May a buffer of b's elements be passed to pointer p? */
static bool pointee_fits(struct checker *c, const struct rg_kernel_param *p, const struct buffer *b)
{
    enum rg_scalar base;
    if (p->type == RG_N_SCALARS) return true;
    if (p->type != RG_STRUCT) return rg__same_scalar(p->type, b->elem);
    if (b->elem == RG_STRUCT)
        return b->struct_index >= 0 && b->struct_index < c->problem->n_structs &&
               rg__same_struct(c->problem, c->problem->structs[b->struct_index].c_name, p->struct_name);
    if (rg__vector_type(p->struct_name, &base)) return rg__same_scalar(base, b->elem);
    return rg_scalar_bytes(b->elem) == 4 && !rg_scalar_is_real(b->elem) && rg__is_enum(c->problem, p->struct_name);
}

static bool fit_buffer(struct checker *c, const struct rg_plan_stmt *s, int i, const struct rg_kernel_param *p)
{
    struct buffer b = {0};
    char is[300];
    const char *name = s->args[i].name;
    find_buffer(c, name, &b);
    snprintf(is, sizeof is, "'%.100s' is a buffer of %.100s", name, elem_name(c, b.elem, b.struct_index));
    if (!p->pointer || !pointee_fits(c, p, &b)) return argument_fails(c, s, i, is);
    if (b.input && !p->is_const)
        return fail(c, s->args[i].line, s->args[i].column, "'%.100s' is an input: parameter %d of '%.100s' must be a pointer "
                    "to const", name, i + 1, s->kernel);
    return true;
}

static bool fit_scalar(struct checker *c, const struct rg_plan_stmt *s, int i, const struct rg_kernel_param *p)
{
    const struct rg_param *q = &c->problem->params[rg_problem_param(c->problem, s->args[i].name)];
    char is[300];
    const char *type = elem_name(c, q->elem, q->struct_index);
    bool same = p->type == RG_STRUCT && q->elem == RG_STRUCT ? rg__same_struct(c->problem, type, p->struct_name)
                                                            : p->type < RG_STRUCT && q->elem < RG_STRUCT &&
                                                                  rg_scalar_is_real(p->type) == rg_scalar_is_real(q->elem);
    snprintf(is, sizeof is, "'%.100s' is %.100s", q->name, type);
    return (!p->pointer && same) || argument_fails(c, s, i, is);
}

static bool fit_argument(struct checker *c, const struct rg_plan_stmt *s, int i)
{
    const struct rg_kernel_param *p = &c->sigs[s->kernel_index].params[i];
    switch (s->args[i].kind) {
    case RG_ARG_BUFFER: return fit_buffer(c, s, i, p);
    case RG_ARG_SCALAR: return fit_scalar(c, s, i, p);
    case RG_ARG_REAL:
        return (!p->pointer && rg_scalar_is_real(p->type)) || argument_fails(c, s, i, "this is a real number");
    case RG_ARG_INT: break;
    }
    if (p->pointer) return argument_fails(c, s, i, "this is an integer");
    return (p->type != RG_STRUCT && p->type != RG_N_SCALARS) ||
           (p->type == RG_STRUCT && rg__is_enum(c->problem, p->struct_name)) ||
           argument_fails(c, s, i, "a plan can't make a value of that type");
}

static bool classify(struct checker *c, struct rg_plan_arg *arg)
{
    const struct rg_expr *e = arg->value;
    arg->name = NULL;
    arg->offset = NULL;
    if (rg__plan_is_real(e)) {
        arg->kind = RG_ARG_REAL;
        return check_real(c, e);
    }
    struct rg__pointer p = rg__plan_split(&c->plan->arena, e, is_buffer, c);
    if (p.base) {
        arg->kind = RG_ARG_BUFFER;
        arg->name = p.base;
        arg->offset = p.offset;
        return !p.offset || check_int(c, p.offset);
    }
    int i = e->kind == RG_EXPR_NAME && !find(c, e->name) ? rg_problem_param(c->problem, e->name) : -1;
    if (i >= 0 && !rg__is_size_param(c->problem, i)) {
        arg->kind = RG_ARG_SCALAR;
        arg->name = e->name;
        return true;
    }
    arg->kind = RG_ARG_INT;
    return check_int(c, e);
}

static bool check_launch(struct checker *c, struct rg_plan_stmt *s)
{
    for (int i = 0; i < 3; i++) {
        c->cooperative = s->cooperative;
        bool grid = !s->grid[i] || check_int(c, s->grid[i]);
        c->cooperative = false;
        if (!grid) return false;
        if (s->block[i] && !check_int(c, s->block[i])) return false;
        if (s->cluster[i] && !check_int(c, s->cluster[i])) return false;
    }
    if (s->shared_bytes && !check_int(c, s->shared_bytes)) return false;
    for (int i = 0; i < s->n_args; i++)
        if (!classify(c, &s->args[i])) return false;
    if (!c->sigs) return true;
    const struct rg_kernel_sig *sig = &c->sigs[s->kernel_index];
    if (sig->n_params != s->n_args)
        return fail(c, s->line, s->column, "'%.100s' takes %d argument%s, not %d", s->kernel, sig->n_params,
                    sig->n_params == 1 ? "" : "s", s->n_args);
    for (int i = 0; i < s->n_args; i++)
        if (!fit_argument(c, s, i)) return false;
    return true;
}

static bool writable(struct checker *c, const struct rg_plan_stmt *s, const char *name, struct buffer *b)
{
    if (!find_buffer(c, name, b)) return fail(c, s->line, s->column, "'%.100s' is no buffer", name);
    return !b->input || fail(c, s->line, s->column, "'%.100s' is an input and must stay as it is", name);
}

static bool check_fill(struct checker *c, const struct rg_plan_stmt *s)
{
    struct buffer b;
    int64_t zero = 1;
    if (!writable(c, s, s->a, &b)) return false;
    if (b.elem == RG_STRUCT) {
        if (rg__plan_is_real(s->value) || rg_expr_eval(s->value, NULL, &zero, NULL) != RG_OK || zero)
            return fail(c, s->value->line, s->value->column, "'%.100s' holds structs: it can only be filled with 0", s->a);
        return true;
    }
    if (rg_scalar_is_real(b.elem)) return check_real(c, s->value);
    if (rg__plan_is_real(s->value))
        return fail(c, s->value->line, s->value->column, "'%.100s' holds %s: its fill value must be an integer", s->a,
                    elem_name(c, b.elem, b.struct_index));
    return check_int(c, s->value);
}

static bool same_elements(const struct buffer *x, const struct buffer *y)
{
    return x->elem == y->elem && (x->elem != RG_STRUCT || x->struct_index == y->struct_index);
}

static bool check_pair(struct checker *c, const struct rg_plan_stmt *s, const struct buffer *x, const struct buffer *y)
{
    return same_elements(x, y) ||
           fail(c, s->line, s->column, "'%.100s' holds %.100s but '%.100s' holds %.100s", s->a,
                elem_name(c, x->elem, x->struct_index), s->b, elem_name(c, y->elem, y->struct_index));
}

static bool check_copy(struct checker *c, struct rg_plan_stmt *s)
{
    struct buffer to, from;
    if (!find_buffer(c, s->b, &from)) return fail(c, s->line, s->column, "copy(to, from): '%.100s' is no buffer", s->b);
    s->a_symbol = false;
    if (find_buffer(c, s->a, &to)) {
        if (!writable(c, s, s->a, &to) || !check_pair(c, s, &to, &from)) return false;
    } else {
        if (find(c, s->a) || rg_problem_param(c->problem, s->a) >= 0)
            return fail(c, s->line, s->column, "copy(to, from): '%.100s' is no buffer", s->a);
        if (s->a_offset)
            return fail(c, s->line, s->column, "copy(to, from): '%.100s' is no buffer; a symbol of the module takes no offset",
                        s->a);
        s->a_symbol = true;
    }
    return (!s->a_offset || check_int(c, s->a_offset)) && (!s->b_offset || check_int(c, s->b_offset)) &&
           (!s->count || check_int(c, s->count));
}

static bool check_swap(struct checker *c, const struct rg_plan_stmt *s)
{
    struct buffer x, y;
    if (!strcmp(s->a, s->b)) return fail(c, s->line, s->column, "swap of '%.100s' with itself", s->a);
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

static bool check_loop(struct checker *c, struct rg_plan_stmt *s)
{
    struct progress p = {s->value, NULL, rg__plan_reads(s->value)};
    struct rg_plan inner = {.n = s->n_body, .stmts = s->body};
    int64_t v = 1;
    int n = c->n;
    c->depth++;
    bool ok = true;
    if (s->init) ok = check_variable(c, s->init);
    if (ok) ok = check_int(c, s->value);
    if (ok) ok = check_body(c, s->n_body, s->body);
    if (ok && s->step) ok = check_variable(c, s->step);
    c->depth--;
    c->n = n;
    if (!ok) return false;
    rg__plan_each(&inner, note_statement, &p);
    if (s->step) note_statement(&p, s->step);
    if (!p.changes && !(rg_expr_eval(s->value, NULL, &v, NULL) == RG_OK && !v))
        return fail(c, s->value->line, s->value->column, "nothing in this loop changes its condition");
    return true;
}

static bool check_stmt(struct checker *c, struct rg_plan_stmt *s)
{
    switch (s->kind) {
    case RG_PLAN_SCRATCH: return check_scratch(c, s);
    case RG_PLAN_REQUIRE: return check_require(c, s);
    case RG_PLAN_LAUNCH: return check_launch(c, s);
    case RG_PLAN_FOR:
    case RG_PLAN_WHILE:
    case RG_PLAN_DO: return check_loop(c, s);
    case RG_PLAN_IF:
        return check_int(c, s->value) && check_body(c, s->n_body, s->body) && check_body(c, s->n_else, s->orelse);
    case RG_PLAN_FILL: return check_fill(c, s);
    case RG_PLAN_COPY: return check_copy(c, s);
    case RG_PLAN_SWAP: return check_swap(c, s);
    case RG_PLAN_INT: return check_variable(c, s);
    case RG_PLAN_BLOCK: return check_body(c, s->n_body, s->body);
    }
    return false;
}

static bool check_body(struct checker *c, int n, struct rg_plan_stmt **items)
{
    int names = c->n;
    bool ok = true;
    c->depth++;
    for (int i = 0; i < n && ok; i++) ok = check_stmt(c, items[i]);
    c->depth--;
    c->n = names;
    return ok;
}

enum rg_status rg_plan_check(struct rg_plan *p, const struct rg_problem *problem, const struct rg_kernel_sig *sigs,
                             struct rg_error *err)
{
    struct checker *c = rg_xcalloc(1, sizeof *c);
    *c = (struct checker){.plan = p, .problem = problem, .sigs = sigs, .err = err};
    bool ok = true;
    for (int i = 0; i < p->n && ok; i++) ok = check_stmt(c, p->stmts[i]);
    if (ok && !p->n) ok = fail(c, 1, 1, "the plan is empty: it must launch a kernel");
    free(c);
    return ok ? RG_OK : RG_INPUT;
}
