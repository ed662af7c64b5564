/* Plan text to statements. The grammar is in docs/plan.md. Plans come from models: depth, length and counts are
 * bounded, and a message says what to write instead where a habit from CUDA host code is the likely cause. */
#include "runtime/plan/plan_parser.h"
#include <rg/scalar.h>
#include <stdlib.h>
#include <string.h>

struct list {
    int n, cap;
    struct rg_plan_stmt **items; /* malloc'd while it grows */
};

static bool parse_stmt(struct parser *ps, struct list *out);
static bool next_stmt(struct parser *ps, struct list *out);

static struct rg_plan_stmt *new_stmt(struct parser *ps, enum rg_plan_kind kind, int line, int column)
{
    if (++ps->n_stmts > RG__PLAN_MAX_STMTS) {
        rg__plan_fail_at(ps, line, column, "the plan has too many statements");
        return NULL;
    }
    struct rg_plan_stmt *s = rg_arena_alloc(ps->a, sizeof *s);
    s->kind = kind;
    s->line = line;
    s->column = column;
    s->kernel_index = -1;
    s->struct_index = -1;
    return s;
}

static bool push(struct list *l, struct rg_plan_stmt *s)
{
    if (!s) return false;
    RG_GROW(l->items, l->n, l->cap);
    l->items[l->n++] = s;
    return true;
}

static void move_list(struct parser *ps, struct list *l, int *n, struct rg_plan_stmt ***items)
{
    *n = l->n;
    *items = rg_arena_alloc(ps->a, (size_t)(l->n ? l->n : 1) * sizeof **items);
    if (l->n) memcpy(*items, l->items, (size_t)l->n * sizeof **items);
    free(l->items);
    *l = (struct list){0, 0, NULL};
}

static bool body(struct parser *ps, int *n, struct rg_plan_stmt ***items)
{
    struct list l = {0, 0, NULL};
    int shapes = ps->n_shapes;
    bool ok = parse_stmt(ps, &l);
    ps->n_shapes = shapes;
    move_list(ps, &l, n, items);
    return ok;
}

/* Words that begin an integer declaration. All are 64-bit here. */
static bool is_integer_word(const char *w)
{
    static const char *const words[] = {"int",      "long",      "const",   "unsigned",  "signed",
                                        "short",    "size_t",    "int64_t", "uint64_t",  "int32_t",
                                        "uint32_t", "ptrdiff_t", "ssize_t", "constexpr", "auto"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], w)) return true;
    return false;
}

/* `= e`, `+= e`, `++` behind a name (or the name behind a leading ++). */
static struct rg_plan_stmt *assignment(struct parser *ps, const char *to, int line, int column)
{
    static const struct {
        const char *text;
        enum rg_op op;
    } compound[] = {{"+=", RG_OP_ADD}, {"-=", RG_OP_SUB}, {"*=", RG_OP_MUL}, {"/=", RG_OP_DIV}, {"%=", RG_OP_MOD}};
    struct rg_plan_stmt *s = new_stmt(ps, RG_PLAN_INT, line, column);
    if (!s) return NULL;
    s->a = to;
    const struct rg_expr *self = rg__plan_leaf(ps, RG_EXPR_NAME, to, 0);
    if (rg__plan_take(ps, "++")) {
        s->value = rg__plan_binary(ps, RG_OP_ADD, self, rg__plan_leaf(ps, RG_EXPR_INT, NULL, 1));
    } else if (rg__plan_take(ps, "--")) {
        s->value = rg__plan_binary(ps, RG_OP_SUB, self, rg__plan_leaf(ps, RG_EXPR_INT, NULL, 1));
    } else {
        for (size_t i = 0; i < sizeof compound / sizeof *compound && !s->value; i++)
            if (rg__plan_take(ps, compound[i].text)) {
                const struct rg_expr *e = rg__plan_expression(ps);
                if (!e) return NULL;
                s->value = rg__plan_binary(ps, compound[i].op, self, e);
            }
        if (!s->value) {
            if (!rg__plan_expect(ps, "=", "expected '=' after a variable")) return NULL;
            s->value = rg__plan_expression(ps);
        }
    }
    return s->value ? s : NULL;
}

/* `int a = e, b = e` without its ';'. */
static bool declaration(struct parser *ps, struct list *out)
{
    const char *n;
    do {
        n = rg__plan_name(ps, "expected the name of a variable");
    } while (n && is_integer_word(n));
    for (;;) {
        if (!n) return false;
        int line = ps->line, column = ps->column - (int)strlen(n);
        struct rg_plan_stmt *s = new_stmt(ps, RG_PLAN_INT, line, column);
        if (!s || !rg__plan_expect(ps, "=", "an integer variable needs a value: expected '='")) return false;
        s->a = n;
        s->declares = true;
        if (!(s->value = rg__plan_expression(ps)) || !push(out, s)) return false;
        if (!rg__plan_take(ps, ",")) return true;
        n = rg__plan_name(ps, "expected the name of a variable");
    }
}

static bool scratch(struct parser *ps, struct list *out, int line, int column)
{
    struct rg_buf words = RG_BUF_INIT;
    const char *n = rg__plan_name(ps, "expected a type after 'scratch'"), *next;
    while (n && (rg__plan_skip(ps), is_name_start(*ps->p))) {
        next = rg__plan_name(ps, "");
        if (strcmp(n, "const")) rg_buf_printf(&words, "%s%s", words.len ? " " : "", n);
        n = next;
    }
    struct rg_plan_stmt *s = n ? new_stmt(ps, RG_PLAN_SCRATCH, line, column) : NULL;
    bool ok = s != NULL;
    if (ok && !words.len) ok = rg__plan_fail(ps, "a scratch buffer is written `scratch float name[elements];`");
    if (ok) {
        s->a = n;
        s->b = rg_arena_strdup(ps->a, words.data);
        ok = rg__plan_expect(ps, "[", "expected '[' and the number of elements");
    }
    rg_buf_release(&words);
    if (!ok || !(s->value = rg__plan_expression(ps)) || !rg__plan_expect(ps, "]", "expected ']'")) return false;
    while (rg__plan_take(ps, "[")) { /* T x[a][b] holds a*b elements */
        const struct rg_expr *e = rg__plan_expression(ps);
        if (!e || !rg__plan_expect(ps, "]", "expected ']'")) return false;
        s->value = rg__plan_binary(ps, RG_OP_MUL, s->value, e);
    }
    return rg__plan_expect(ps, ";", "expected ';' after a scratch buffer") && push(out, s);
}

/* A pointer argument of copy: the leftmost name and what is added to it. */
static bool pointer(struct parser *ps, const char **base, const struct rg_expr **offset)
{
    rg__plan_skip(ps);
    int line = ps->line, column = ps->column;
    bool address = rg__plan_take(ps, "&");
    const struct rg_expr *e = rg__plan_expression(ps);
    if (!e) return false;
    if (address && e->kind == RG_EXPR_INDEX) {
        *base = e->name;
        *offset = e->args[0];
        return true;
    }
    struct rg__pointer p = rg__plan_split(ps->a, e, NULL, NULL);
    *base = p.base;
    *offset = p.offset;
    return (p.base && !address) || rg__plan_fail_at(ps, line, column, "expected a buffer, or a buffer + an offset");
}

static bool fill_copy_swap(struct parser *ps, const char *word, struct list *out, int line, int column)
{
    enum rg_plan_kind kind = *word == 'f' ? RG_PLAN_FILL : *word == 'c' ? RG_PLAN_COPY : RG_PLAN_SWAP;
    struct rg_plan_stmt *s = new_stmt(ps, kind, line, column);
    if (!s || !rg__plan_expect(ps, "(", "expected '('")) return false;
    if (kind == RG_PLAN_COPY) {
        if (!pointer(ps, &s->a, &s->a_offset) ||
            !rg__plan_expect(ps, ",", "copy(to, from[, elements]): expected ','") ||
            !pointer(ps, &s->b, &s->b_offset) || (rg__plan_take(ps, ",") && !(s->count = rg__plan_expression(ps))))
            return false;
    } else {
        if (!(s->a = rg__plan_name(ps, "expected a buffer")) ||
            !rg__plan_expect(ps, ",", "expected ',' after the buffer"))
            return false;
        if (kind == RG_PLAN_SWAP ? !(s->b = rg__plan_name(ps, "expected a buffer"))
                                 : !(s->value = rg__plan_expression(ps)))
            return false;
    }
    const char *what = kind == RG_PLAN_FILL ? "fill(buffer, value) sets every element: expected ')'" : "expected ')'";
    return rg__plan_expect(ps, ")", what) && rg__plan_expect(ps, ";", "expected ';'") && push(out, s);
}

/* The first and third slot of `for`: an assignment, for init a declaration, or nothing. */
static bool slot(struct parser *ps, bool init, struct rg_plan_stmt **out)
{
    rg__plan_skip(ps);
    *out = NULL;
    if (*ps->p == ';' || *ps->p == ')') return true;
    int line = ps->line, column = ps->column;
    const char *before = NULL;
    if (rg__plan_take(ps, "++"))
        before = "+";
    else if (rg__plan_take(ps, "--"))
        before = "-";
    const char *start = ps->p;
    int start_line = ps->line, start_column = ps->column;
    const char *n = rg__plan_name(ps, "expected an assignment");
    if (!n) return false;
    if (init && is_integer_word(n)) {
        ps->p = start;
        ps->line = start_line;
        ps->column = start_column;
        struct list l = {0, 0, NULL};
        bool ok = declaration(ps, &l) && (l.n == 1 || rg__plan_fail(ps, "a for loop declares one variable"));
        if (ok) *out = l.items[0];
        free(l.items);
        return ok;
    }
    if (!before) return (*out = assignment(ps, n, line, column)) != NULL;
    struct rg_plan_stmt *s = new_stmt(ps, RG_PLAN_INT, line, column);
    if (!s) return false;
    s->a = n;
    s->value = rg__plan_binary(ps, *before == '+' ? RG_OP_ADD : RG_OP_SUB, rg__plan_leaf(ps, RG_EXPR_NAME, n, 0),
                               rg__plan_leaf(ps, RG_EXPR_INT, NULL, 1));
    *out = s;
    return true;
}

static bool condition(struct parser *ps, struct rg_plan_stmt *s)
{
    return rg__plan_expect(ps, "(", "expected '(' and a condition") && (s->value = rg__plan_expression(ps)) != NULL &&
           rg__plan_expect(ps, ")", "expected ')' after the condition");
}

/* Of `for`: what is left out holds always. */
static const struct rg_expr *loop_condition(struct parser *ps)
{
    rg__plan_skip(ps);
    return *ps->p == ';' ? rg__plan_leaf(ps, RG_EXPR_INT, NULL, 1) : rg__plan_expression(ps);
}

static bool control(struct parser *ps, const char *word, struct list *out, int line, int column)
{
    enum rg_plan_kind kind = *word == 'f'   ? RG_PLAN_FOR
                             : *word == 'w' ? RG_PLAN_WHILE
                             : *word == 'd' ? RG_PLAN_DO
                                            : RG_PLAN_IF;
    struct rg_plan_stmt *s = new_stmt(ps, kind, line, column);
    if (!s) return false;
    if (kind == RG_PLAN_FOR) {
        if (!rg__plan_expect(ps, "(", "expected '('") || !slot(ps, true, &s->init) ||
            !rg__plan_expect(ps, ";", "expected ';' after the loop's start") || !(s->value = loop_condition(ps)) ||
            !rg__plan_expect(ps, ";", "expected ';' after the loop's condition") || !slot(ps, false, &s->step) ||
            !rg__plan_expect(ps, ")", "expected ')' after the loop's step"))
            return false;
    } else if (kind != RG_PLAN_DO && !condition(ps, s)) {
        return false;
    }
    if (!body(ps, &s->n_body, &s->body)) return false;
    if (kind == RG_PLAN_DO && (!rg__plan_expect(ps, "while", "expected 'while' after the body of 'do'") ||
                               !condition(ps, s) || !rg__plan_expect(ps, ";", "expected ';'")))
        return false;
    if (kind == RG_PLAN_IF && rg__plan_take(ps, "else") && !body(ps, &s->n_else, &s->orelse)) return false;
    return push(out, s);
}

/* Of the sizes, before anything runs. */
static bool requirement(struct parser *ps, struct list *out, int line, int column)
{
    struct rg_plan_stmt *s = new_stmt(ps, RG_PLAN_REQUIRE, line, column);
    return s && condition(ps, s) && rg__plan_expect(ps, ";", "expected ';'") && push(out, s);
}

static bool block(struct parser *ps, struct list *out, int line, int column)
{
    struct rg_plan_stmt *s = new_stmt(ps, RG_PLAN_BLOCK, line, column);
    struct list l = {0, 0, NULL};
    int shapes = ps->n_shapes;
    bool ok = s != NULL;
    while (ok && !rg__plan_take(ps, "}")) ok = *ps->p ? next_stmt(ps, &l) : rg__plan_fail(ps, "expected '}'");
    ps->n_shapes = shapes;
    if (!s) {
        free(l.items);
        return false;
    }
    move_list(ps, &l, &s->n_body, &s->body);
    return ok && push(out, s);
}

/* What is written often and is not part of the language. */
static const char *advice(const char *word)
{
    static const struct {
        const char *prefix, *advice;
    } table[] = {
        {"cudaMemset", "host calls are not part of a plan: write `fill(buffer, value);`"},
        {"cudaMemcpy", "host calls are not part of a plan: write `copy(to, from, elements);`"},
        {"cudaMalloc", "host calls are not part of a plan: write `scratch float name[elements];`"},
        {"cudaFree", "scratch buffers are freed by themselves: drop the call"},
        {"cudaDeviceSynchronize", "a plan runs in order: drop the call"},
        {"cudaStreamSynchronize", "a plan runs in order: drop the call"},
        {"cuda", "host calls are not part of a plan"},
        {"continue", "'continue' is not part of a plan: use `if`"},
        {"return", "'return' is not part of a plan"},
        {"float", "a plan computes in integers only: compute real values in a kernel"},
        {"double", "a plan computes in integers only: compute real values in a kernel"},
        {"void", "a plan is only the statements of the host side, without a function around them"},
        {"__global__", "kernels belong into the device code, not into the plan"},
        {"swap", "swap(a, b): expected '('"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strncmp(word, table[i].prefix, strlen(table[i].prefix))) return table[i].advice;
    return NULL;
}

static bool other(struct parser *ps, const char *word, struct rg_plan_stmt *attributed, struct list *out, int line,
                  int column)
{
    struct rg_buf kernel = RG_BUF_INIT;
    rg_buf_str(&kernel, word);
    rg__plan_skip(ps);
    while (ps->p[0] == ':' && ps->p[1] == ':') {
        rg__plan_advance(ps, ps->p + 2);
        const char *n = rg__plan_name(ps, "expected a name after '::'");
        if (!n || kernel.len > 400) {
            rg_buf_release(&kernel);
            return n ? rg__plan_fail(ps, "name too long") : false;
        }
        rg_buf_printf(&kernel, "::%s", n);
        rg__plan_skip(ps);
    }
    bool ok = true, is_launch = *ps->p == '<';
    if (is_launch && strncmp(ps->p, "<<<", 3)) ok = rg__plan_template_arguments(ps, &kernel);
    const char *text = rg_arena_strdup(ps->a, kernel.data);
    rg_buf_release(&kernel);
    if (!ok) return false;
    if (is_launch) {
        struct rg_plan_stmt *s = attributed ? attributed : new_stmt(ps, RG_PLAN_LAUNCH, line, column);
        return s && rg__plan_launch(ps, s, text) && push(out, s);
    }
    if (attributed) return rg__plan_fail(ps, "attributes belong to a launch: expected '<<<'");
    if (advice(word)) return rg__plan_fail_at(ps, line, column, advice(word));
    if (*ps->p == '[') return rg__plan_fail_at(ps, line, column, "a plan can't write elements: use a kernel or fill");
    if (*ps->p == '(')
        return rg__plan_fail_at(ps, line, column,
                                "unknown statement: a kernel is launched as `name<<<grid, block>>>(...);`");
    struct rg_plan_stmt *s = assignment(ps, text, line, column);
    return s && rg__plan_expect(ps, ";", "expected ';'") && push(out, s);
}

static bool statement(struct parser *ps, struct list *out)
{
    rg__plan_skip(ps);
    int line = ps->line, column = ps->column;
    struct rg_plan_stmt *s;
    if (rg__plan_take(ps, ";")) return true;
    if (rg__plan_take(ps, "{")) return block(ps, out, line, column);
    if (*ps->p == '[') {
        if (!(s = new_stmt(ps, RG_PLAN_LAUNCH, line, column)) || !rg__plan_attributes(ps, s)) return false;
        const char *word = rg__plan_name(ps, "expected a kernel's name");
        return word && other(ps, word, s, out, line, column);
    }
    if ((ps->p[0] == '+' && ps->p[1] == '+') || (ps->p[0] == '-' && ps->p[1] == '-'))
        return slot(ps, false, &s) && push(out, s) && rg__plan_expect(ps, ";", "expected ';'");
    const char *start = ps->p;
    const char *word = rg__plan_name(ps, "expected a statement");
    if (!word) return false;
    if (!strcmp(word, "scratch")) return scratch(ps, out, line, column);
    if (!strcmp(word, "dim3")) return rg__plan_shape(ps);
    if (!strcmp(word, "break"))
        return push(out, new_stmt(ps, RG_PLAN_BREAK, line, column)) &&
               rg__plan_expect(ps, ";", "expected ';' after 'break'");
    if (!strcmp(word, "for") || !strcmp(word, "while") || !strcmp(word, "do") || !strcmp(word, "if"))
        return control(ps, word, out, line, column);
    rg__plan_skip(ps);
    if (*ps->p == '(' && (!strcmp(word, "fill") || !strcmp(word, "copy") || !strcmp(word, "swap")))
        return fill_copy_swap(ps, word, out, line, column);
    if (*ps->p == '(' && !strcmp(word, "require")) return requirement(ps, out, line, column);
    if (is_integer_word(word)) {
        ps->p = start;
        ps->line = line;
        ps->column = column;
        return declaration(ps, out) && rg__plan_expect(ps, ";", "expected ';'");
    }
    return other(ps, word, NULL, out, line, column);
}

static bool parse_stmt(struct parser *ps, struct list *out)
{
    if (++ps->depth > RG__PLAN_MAX_DEPTH) return rg__plan_fail(ps, "statements nested too deeply");
    bool ok = statement(ps, out);
    ps->depth--;
    return ok;
}

/* Where the statement that begins at the cursor ends, as far as its brackets say: behind its ';' or its last '}',
 * before a '}' that is not its own. */
static void pass_stmt(struct parser *ps)
{
    int depth = 0, braces = 0;
    for (rg__plan_skip(ps); *ps->p; rg__plan_skip(ps)) {
        char c = *ps->p;
        if (c == '}' && !braces) return;
        rg__plan_advance(ps, ps->p + 1);
        braces += (c == '{') - (c == '}');
        if (!braces) depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (c == '{' || c == '}') depth = 0;
        if (!braces && depth <= 0 && (c == ';' || c == '}')) return;
    }
}

/* The words of a statement that was passed over: it may be their declaration. What launches, moves data or branches
 * declares nothing for others. */
static void note_passed(struct parser *ps, const char *at, const char *end)
{
    static const char *const no_declaration[] = {"for",  "while", "do",   "if",      "fill",
                                                 "copy", "swap",  "read", "require", "break"};
    for (const char *p = at; p + 3 <= end; p++)
        if (!strncmp(p, "<<<", 3)) return;
    bool first = true;
    while (at < end) {
        size_t n = 0;
        while (at + n < end && rg__plan_is_name(at[n])) n++;
        if (n && is_name_start(*at)) {
            for (size_t i = 0; first && i < sizeof no_declaration / sizeof *no_declaration; i++)
                if (strlen(no_declaration[i]) == n && !memcmp(no_declaration[i], at, n)) return;
            first = false;
            if (ps->n_passed < MAX_PASSED) ps->passed[ps->n_passed] = rg_arena_strndup(ps->a, at, n);
            ps->n_passed += ps->n_passed <= MAX_PASSED;
        }
        at += n ? n : 1;
    }
}

/* parse_stmt, which what is wrong does not end: it is noted, and the next statement is looked at. A model mends all of
 * it at once. */
static bool next_stmt(struct parser *ps, struct list *out)
{
    struct rg_error *err = ps->err, own = RG_ERROR_INIT;
    const char *start = ps->p;
    int line = ps->line, column = ps->column, depth = ps->depth, kept = out->n;
    ps->err = &own;
    bool ok = parse_stmt(ps, out);
    ps->err = err;
    rg_error_also(err, &own);
    if (ok) return true;
    ps->failed = true;
    out->n = kept;
    ps->depth = depth;
    if (ps->n_stmts > RG__PLAN_MAX_STMTS || depth >= RG__PLAN_MAX_DEPTH / 2) return false;
    ps->p = start;
    ps->line = line;
    ps->column = column;
    pass_stmt(ps);
    note_passed(ps, start, ps->p);
    return ps->p > start;
}

enum rg_status rg_plan_parse(const char *text, struct rg_plan **out, struct rg_error *err)
{
    return rg_plan_parse_for(text, NULL, out, err);
}

enum rg_status rg_plan_parse_for(const char *text, const struct rg_problem *problem, struct rg_plan **out,
                                 struct rg_error *err)
{
    *out = NULL;
    if (strlen(text) > RG__PLAN_MAX_TEXT)
        return rg_error_set(err, RG_INPUT, "the plan is longer than %d bytes", RG__PLAN_MAX_TEXT);
    struct rg_plan *plan = rg_xcalloc(1, sizeof *plan);
    struct parser *ps = rg_xcalloc(1, sizeof *ps);
    *ps = (struct parser){.plan = plan, .a = &plan->arena, .p = text, .line = 1, .column = 1, .err = err};
    plan->kernels = rg_arena_alloc(&plan->arena, RG__PLAN_MAX_KERNELS * sizeof *plan->kernels);
    struct list l = {0, 0, NULL};
    bool ok = true;
    for (rg__plan_skip(ps); ok && *ps->p; rg__plan_skip(ps)) ok = next_stmt(ps, &l);
    move_list(ps, &l, &plan->n, &plan->stmts);
    if (problem && ps->failed && ps->n_passed <= MAX_PASSED)
        rg__plan_check_names(plan, problem, ps->passed, ps->n_passed, err);
    ok = ok && !ps->failed;
    free(ps);
    if (!ok) {
        rg_plan_free(plan);
        return RG_INPUT;
    }
    *out = plan;
    return RG_OK;
}

void rg_plan_free(struct rg_plan *p)
{
    if (!p) return;
    rg_arena_release(&p->arena);
    free(p);
}
