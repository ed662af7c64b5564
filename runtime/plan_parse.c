/* Plan text to statements. The grammar is in docs/plan.md. Plans come from models: depth, length and counts are
 * bounded, and a message says what to write instead where a habit from CUDA host code is the likely cause. */
#include "plan_internal.h"
#include <rg/scalar.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHAPES = 64 };

struct shape { /* dim3 g(x, y, z); */
    const char *name;
    int depth;
    const struct rg_expr *e[3];
};

struct parser {
    struct rg_plan *plan;
    struct rg_arena *a;
    const char *p;
    int line, column;
    int depth, n_stmts;
    int n_shapes;
    struct shape shapes[MAX_SHAPES];
    struct rg_error *err;
};

struct list {
    int n, cap;
    struct rg_plan_stmt **items; /* malloc'd while it grows */
};

static bool parse_stmt(struct parser *ps, struct list *out);

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name(char c)
{
    return is_name_start(c) || (c >= '0' && c <= '9');
}

static void advance_to(struct parser *ps, const char *to)
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

static void skip(struct parser *ps)
{
    for (;;) {
        char c = *ps->p;
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
            advance_to(ps, ps->p + 1);
        } else if (c == '/' && ps->p[1] == '/') {
            advance_to(ps, ps->p + strcspn(ps->p, "\n"));
        } else if (c == '/' && ps->p[1] == '*') {
            const char *end = strstr(ps->p + 2, "*/");
            advance_to(ps, end ? end + 2 : ps->p + strlen(ps->p));
        } else {
            return;
        }
    }
}

static bool fail_at(struct parser *ps, int line, int column, const char *what)
{
    rg_error_at(ps->err, RG_INPUT, RG__PLAN_FILE, line, column, "%s", what);
    return false;
}

static bool fail(struct parser *ps, const char *what)
{
    char seen[32];
    size_t n = 0;
    const char *p = ps->p;
    while (is_name(p[n]) && n < sizeof seen - 1) n++;
    if (!n && *p > ' ' && *p < 127) n = 1;
    memcpy(seen, p, n);
    seen[n] = 0;
    if (!*p) rg_error_at(ps->err, RG_INPUT, RG__PLAN_FILE, ps->line, ps->column, "%s, but the plan ends", what);
    else if (n) rg_error_at(ps->err, RG_INPUT, RG__PLAN_FILE, ps->line, ps->column, "%s, not '%s'", what, seen);
    else return fail_at(ps, ps->line, ps->column, what);
    return false;
}

static bool take(struct parser *ps, const char *text)
{
    skip(ps);
    size_t n = strlen(text);
    if (strncmp(ps->p, text, n)) return false;
    if (is_name(text[n - 1]) && is_name(ps->p[n])) return false;
    advance_to(ps, ps->p + n);
    return true;
}

static bool expect(struct parser *ps, const char *text, const char *what)
{
    return take(ps, text) || fail(ps, what);
}

/* A name at the cursor, NULL (with an error) when there is none. */
static const char *name(struct parser *ps, const char *what)
{
    skip(ps);
    size_t n = 0;
    if (is_name_start(*ps->p))
        while (is_name(ps->p[n])) n++;
    if (!n) {
        fail(ps, what);
        return NULL;
    }
    const char *s = rg_arena_strndup(ps->a, ps->p, n);
    advance_to(ps, ps->p + n);
    return s;
}

static const struct rg_expr *expression(struct parser *ps)
{
    const struct rg_expr *e;
    skip(ps);
    const char *p = ps->p;
    if (rg_expr_parse(ps->a, &p, RG__PLAN_FILE, ps->line, ps->column, &e, ps->err) != RG_OK) return NULL;
    advance_to(ps, p);
    if (rg__plan_reads(e)) ps->plan->reads_data = true;
    return e;
}

static struct rg_plan_stmt *new_stmt(struct parser *ps, enum rg_plan_kind kind, int line, int column)
{
    if (++ps->n_stmts > RG__PLAN_MAX_STMTS) {
        fail_at(ps, line, column, "the plan has too many statements");
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
    static const char *const words[] = {"int", "long", "const", "unsigned", "signed", "short", "size_t", "int64_t",
                                        "uint64_t", "int32_t", "uint32_t", "ptrdiff_t", "ssize_t", "constexpr", "auto"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], w)) return true;
    return false;
}

static struct rg_expr *binary(struct parser *ps, enum rg_op op, const struct rg_expr *left, const struct rg_expr *right)
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

static struct rg_expr *leaf(struct parser *ps, enum rg_expr_kind kind, const char *text, int64_t value)
{
    struct rg_expr *e = rg_arena_alloc(ps->a, sizeof *e);
    e->kind = kind;
    e->name = text;
    e->value = value;
    e->line = ps->line;
    e->column = ps->column;
    return e;
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
    const struct rg_expr *self = leaf(ps, RG_EXPR_NAME, to, 0);
    if (take(ps, "++")) {
        s->value = binary(ps, RG_OP_ADD, self, leaf(ps, RG_EXPR_INT, NULL, 1));
    } else if (take(ps, "--")) {
        s->value = binary(ps, RG_OP_SUB, self, leaf(ps, RG_EXPR_INT, NULL, 1));
    } else {
        for (size_t i = 0; i < sizeof compound / sizeof *compound && !s->value; i++)
            if (take(ps, compound[i].text)) {
                const struct rg_expr *e = expression(ps);
                if (!e) return NULL;
                s->value = binary(ps, compound[i].op, self, e);
            }
        if (!s->value) {
            if (!expect(ps, "=", "expected '=' after a variable")) return NULL;
            s->value = expression(ps);
        }
    }
    return s->value ? s : NULL;
}

/* `int a = e, b = e` without its ';'. */
static bool declaration(struct parser *ps, struct list *out)
{
    const char *n;
    do {
        n = name(ps, "expected the name of a variable");
    } while (n && is_integer_word(n));
    for (;;) {
        if (!n) return false;
        int line = ps->line, column = ps->column - (int)strlen(n);
        struct rg_plan_stmt *s = new_stmt(ps, RG_PLAN_INT, line, column);
        if (!s || !expect(ps, "=", "an integer variable needs a value: expected '='")) return false;
        s->a = n;
        s->declares = true;
        if (!(s->value = expression(ps)) || !push(out, s)) return false;
        if (!take(ps, ",")) return true;
        n = name(ps, "expected the name of a variable");
    }
}

static bool scratch(struct parser *ps, struct list *out, int line, int column)
{
    struct rg_buf words = RG_BUF_INIT;
    const char *n = name(ps, "expected a type after 'scratch'"), *next;
    while (n && (skip(ps), is_name_start(*ps->p))) {
        next = name(ps, "");
        if (strcmp(n, "const")) rg_buf_printf(&words, "%s%s", words.len ? " " : "", n);
        n = next;
    }
    struct rg_plan_stmt *s = n ? new_stmt(ps, RG_PLAN_SCRATCH, line, column) : NULL;
    bool ok = s != NULL;
    if (ok && !words.len) ok = fail(ps, "a scratch buffer is written `scratch float name[elements];`");
    if (ok) {
        s->a = n;
        s->b = rg_arena_strdup(ps->a, words.data);
        ok = expect(ps, "[", "expected '[' and the number of elements");
    }
    rg_buf_release(&words);
    if (!ok || !(s->value = expression(ps)) || !expect(ps, "]", "expected ']'")) return false;
    while (take(ps, "[")) { /* T x[a][b] holds a*b elements */
        const struct rg_expr *e = expression(ps);
        if (!e || !expect(ps, "]", "expected ']'")) return false;
        s->value = binary(ps, RG_OP_MUL, s->value, e);
    }
    return expect(ps, ";", "expected ';' after a scratch buffer") && push(out, s);
}

/* One of the launch's extents: an expression, dim3(...) or a named dim3. */
static bool extent(struct parser *ps, const struct rg_expr *e[3])
{
    skip(ps);
    const char *p = ps->p;
    if (take(ps, "dim3")) {
        if (!expect(ps, "(", "expected '(' after dim3")) return false;
        for (int i = 0; i < 3; i++) {
            if (!(e[i] = expression(ps))) return false;
            if (!take(ps, ",")) break;
            if (i == 2) return fail(ps, "dim3 takes three extents at most");
        }
        return expect(ps, ")", "expected ')' after dim3's extents");
    }
    if (is_name_start(*p)) {
        size_t n = 0;
        while (is_name(p[n])) n++;
        for (int i = ps->n_shapes - 1; i >= 0; i--)
            if (strlen(ps->shapes[i].name) == n && !memcmp(ps->shapes[i].name, p, n)) {
                memcpy(e, ps->shapes[i].e, sizeof ps->shapes[i].e);
                advance_to(ps, p + n);
                return true;
            }
    }
    return (e[0] = expression(ps)) != NULL;
}

static bool shape(struct parser *ps)
{
    const char *n = name(ps, "expected a name after dim3");
    if (!n) return false;
    if (ps->n_shapes == MAX_SHAPES) return fail(ps, "too many dim3 names");
    struct shape *s = &ps->shapes[ps->n_shapes];
    *s = (struct shape){n, ps->depth, {NULL, NULL, NULL}};
    if (take(ps, "=")) {
        if (!extent(ps, s->e)) return false;
    } else {
        if (!expect(ps, "(", "expected `dim3 name(x, y, z);`")) return false;
        for (int i = 0; i < 3; i++) {
            if (!(s->e[i] = expression(ps))) return false;
            if (!take(ps, ",")) break;
        }
        if (!expect(ps, ")", "expected ')' after dim3's extents")) return false;
    }
    ps->n_shapes++;
    return expect(ps, ";", "expected ';'");
}

/* "[cooperative]", "[cluster(x, y, z)]", several separated by commas or in brackets of their own. */
static bool attributes(struct parser *ps, struct rg_plan_stmt *s)
{
    while (take(ps, "[")) {
        do {
            if (take(ps, "cooperative")) {
                s->cooperative = true;
            } else if (take(ps, "cluster")) {
                if (!expect(ps, "(", "expected `cluster(x, y, z)`")) return false;
                for (int i = 0; i < 3; i++) {
                    if (!(s->cluster[i] = expression(ps))) return false;
                    if (!take(ps, ",")) break;
                }
                if (!expect(ps, ")", "expected ')' after the cluster's extents")) return false;
            } else {
                return fail(ps, "a launch's attributes are `cooperative` and `cluster(x, y, z)`");
            }
        } while (take(ps, ","));
        if (!expect(ps, "]", "expected ']'")) return false;
    }
    return true;
}

/* "<16, float>" behind a kernel's name, blanks dropped except between words. */
static bool template_arguments(struct parser *ps, struct rg_buf *out)
{
    int angle = 0, paren = 0;
    const char *p = ps->p;
    do {
        if (!*p || *p == ';' || *p == '{' || *p == '}') return fail(ps, "unfinished template arguments");
        if (*p == '(') paren++;
        if (*p == ')') paren--;
        if (!paren && *p == '<') angle++;
        if (!paren && *p == '>') angle--;
        bool blank = *p == ' ' || *p == '\t' || *p == '\n' || *p == '\r';
        if (!blank) rg_buf_char(out, *p);
        else if (out->len && is_name(out->data[out->len - 1]) && is_name(p[1])) rg_buf_char(out, ' ');
        p++;
    } while (angle > 0 && out->len < 400);
    if (angle) return fail(ps, "template arguments too long");
    advance_to(ps, p);
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
    if (!expect(ps, "(", "expected '(' and the kernel's arguments")) return false;
    if (!take(ps, ")")) {
        do {
            skip(ps);
            if (n == RG__PLAN_MAX_ARGS) return fail(ps, "too many arguments");
            struct rg_plan_arg *arg = &args[n++];
            *arg = (struct rg_plan_arg){.kind = RG_ARG_INT, .line = ps->line, .column = ps->column};
            if (take(ps, "&")) { /* &x[i] is x + i */
                const struct rg_expr *e = expression(ps);
                if (!e) return false;
                if (e->kind != RG_EXPR_INDEX)
                    return fail_at(ps, arg->line, arg->column, "only an element of a buffer has an address: &x[i]");
                arg->value = binary(ps, RG_OP_ADD, leaf(ps, RG_EXPR_NAME, e->name, 0), e->args[0]);
            } else if (!(arg->value = expression(ps))) {
                return false;
            }
            if (rg__plan_is_real(arg->value)) arg->kind = RG_ARG_REAL;
        } while (take(ps, ","));
        if (!expect(ps, ")", "expected ',' or ')' after an argument")) return false;
    }
    s->n_args = n;
    s->args = rg_arena_alloc(ps->a, (size_t)(n ? n : 1) * sizeof *args);
    memcpy(s->args, args, (size_t)n * sizeof *args);
    return true;
}

/* Behind the kernel's name and template arguments. */
static bool launch(struct parser *ps, struct rg_plan_stmt *s, const char *kernel, struct list *out)
{
    s->kernel = kernel;
    if ((s->kernel_index = kernel_index(ps, kernel)) < 0) return fail(ps, "too many kernels");
    if (!expect(ps, "<<<", "expected '<<<'") || !extent(ps, s->grid) ||
        !expect(ps, ",", "expected ',' between grid and block") || !extent(ps, s->block))
        return false;
    if (take(ps, ",") && !(s->shared_bytes = expression(ps))) return false;
    if (take(ps, ",")) {
        if (!take(ps, "0") && !take(ps, "stream")) return fail(ps, "a plan runs on one stream: drop the fourth launch parameter");
    }
    if (!expect(ps, ">>>", "expected ',' or '>>>'") || !attributes(ps, s) || !arguments(ps, s) || !attributes(ps, s))
        return false;
    return expect(ps, ";", "expected ';' after a launch") && push(out, s);
}

/* A pointer argument of copy: the leftmost name and what is added to it. */
static bool pointer(struct parser *ps, const char **base, const struct rg_expr **offset)
{
    skip(ps);
    int line = ps->line, column = ps->column;
    bool address = take(ps, "&");
    const struct rg_expr *e = expression(ps);
    if (!e) return false;
    if (address && e->kind == RG_EXPR_INDEX) {
        *base = e->name;
        *offset = e->args[0];
        return true;
    }
    struct rg__pointer p = rg__plan_split(ps->a, e, NULL, NULL);
    *base = p.base;
    *offset = p.offset;
    return (p.base && !address) || fail_at(ps, line, column, "expected a buffer, or a buffer + an offset");
}

static bool fill_copy_swap(struct parser *ps, const char *word, struct list *out, int line, int column)
{
    enum rg_plan_kind kind = *word == 'f' ? RG_PLAN_FILL : *word == 'c' ? RG_PLAN_COPY : RG_PLAN_SWAP;
    struct rg_plan_stmt *s = new_stmt(ps, kind, line, column);
    if (!s || !expect(ps, "(", "expected '('")) return false;
    if (kind == RG_PLAN_COPY) {
        if (!pointer(ps, &s->a, &s->a_offset) || !expect(ps, ",", "copy(to, from[, elements]): expected ','") ||
            !pointer(ps, &s->b, &s->b_offset) || (take(ps, ",") && !(s->count = expression(ps))))
            return false;
    } else {
        if (!(s->a = name(ps, "expected a buffer")) || !expect(ps, ",", "expected ',' after the buffer")) return false;
        if (kind == RG_PLAN_SWAP ? !(s->b = name(ps, "expected a buffer")) : !(s->value = expression(ps))) return false;
    }
    const char *what = kind == RG_PLAN_FILL ? "fill(buffer, value) sets every element: expected ')'" : "expected ')'";
    return expect(ps, ")", what) && expect(ps, ";", "expected ';'") && push(out, s);
}

/* The first and third slot of `for`: an assignment, for init a declaration, or nothing. */
static bool slot(struct parser *ps, bool init, struct rg_plan_stmt **out)
{
    skip(ps);
    *out = NULL;
    if (*ps->p == ';' || *ps->p == ')') return true;
    int line = ps->line, column = ps->column;
    const char *before = NULL;
    if (take(ps, "++")) before = "+";
    else if (take(ps, "--")) before = "-";
    const char *start = ps->p;
    int start_line = ps->line, start_column = ps->column;
    const char *n = name(ps, "expected an assignment");
    if (!n) return false;
    if (init && is_integer_word(n)) {
        ps->p = start;
        ps->line = start_line;
        ps->column = start_column;
        struct list l = {0, 0, NULL};
        bool ok = declaration(ps, &l) && (l.n == 1 || fail(ps, "a for loop declares one variable"));
        if (ok) *out = l.items[0];
        free(l.items);
        return ok;
    }
    if (!before) return (*out = assignment(ps, n, line, column)) != NULL;
    struct rg_plan_stmt *s = new_stmt(ps, RG_PLAN_INT, line, column);
    if (!s) return false;
    s->a = n;
    s->value = binary(ps, *before == '+' ? RG_OP_ADD : RG_OP_SUB, leaf(ps, RG_EXPR_NAME, n, 0),
                      leaf(ps, RG_EXPR_INT, NULL, 1));
    *out = s;
    return true;
}

static bool condition(struct parser *ps, struct rg_plan_stmt *s)
{
    return expect(ps, "(", "expected '(' and a condition") && (s->value = expression(ps)) != NULL &&
           expect(ps, ")", "expected ')' after the condition");
}

static bool control(struct parser *ps, const char *word, struct list *out, int line, int column)
{
    enum rg_plan_kind kind = *word == 'f' ? RG_PLAN_FOR : *word == 'w' ? RG_PLAN_WHILE : *word == 'd' ? RG_PLAN_DO : RG_PLAN_IF;
    struct rg_plan_stmt *s = new_stmt(ps, kind, line, column);
    if (!s) return false;
    if (kind == RG_PLAN_FOR) {
        if (!expect(ps, "(", "expected '('") || !slot(ps, true, &s->init) ||
            !expect(ps, ";", "expected ';' after the loop's start") || !(s->value = expression(ps)) ||
            !expect(ps, ";", "expected ';' after the loop's condition") || !slot(ps, false, &s->step) ||
            !expect(ps, ")", "expected ')' after the loop's step"))
            return false;
    } else if (kind != RG_PLAN_DO && !condition(ps, s)) {
        return false;
    }
    if (!body(ps, &s->n_body, &s->body)) return false;
    if (kind == RG_PLAN_DO &&
        (!expect(ps, "while", "expected 'while' after the body of 'do'") || !condition(ps, s) || !expect(ps, ";", "expected ';'")))
        return false;
    if (kind == RG_PLAN_IF && take(ps, "else") && !body(ps, &s->n_else, &s->orelse)) return false;
    return push(out, s);
}

static bool block(struct parser *ps, struct list *out, int line, int column)
{
    struct rg_plan_stmt *s = new_stmt(ps, RG_PLAN_BLOCK, line, column);
    struct list l = {0, 0, NULL};
    int shapes = ps->n_shapes;
    bool ok = s != NULL;
    while (ok && !take(ps, "}")) ok = *ps->p ? parse_stmt(ps, &l) : fail(ps, "expected '}'");
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
        {"break", "'break' is not part of a plan: put it into the loop's condition"},
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
    skip(ps);
    while (ps->p[0] == ':' && ps->p[1] == ':') {
        advance_to(ps, ps->p + 2);
        const char *n = name(ps, "expected a name after '::'");
        if (!n || kernel.len > 400) {
            rg_buf_release(&kernel);
            return n ? fail(ps, "name too long") : false;
        }
        rg_buf_printf(&kernel, "::%s", n);
        skip(ps);
    }
    bool ok = true, is_launch = *ps->p == '<';
    if (is_launch && strncmp(ps->p, "<<<", 3)) ok = template_arguments(ps, &kernel);
    const char *text = rg_arena_strdup(ps->a, kernel.data);
    rg_buf_release(&kernel);
    if (!ok) return false;
    if (is_launch) {
        struct rg_plan_stmt *s = attributed ? attributed : new_stmt(ps, RG_PLAN_LAUNCH, line, column);
        return s && launch(ps, s, text, out);
    }
    if (attributed) return fail(ps, "attributes belong to a launch: expected '<<<'");
    if (advice(word)) return fail_at(ps, line, column, advice(word));
    if (*ps->p == '[') return fail_at(ps, line, column, "a plan can't write elements: use a kernel or fill");
    if (*ps->p == '(') return fail_at(ps, line, column, "unknown statement: a kernel is launched as `name<<<grid, block>>>(...);`");
    struct rg_plan_stmt *s = assignment(ps, text, line, column);
    return s && expect(ps, ";", "expected ';'") && push(out, s);
}

static bool statement(struct parser *ps, struct list *out)
{
    skip(ps);
    int line = ps->line, column = ps->column;
    struct rg_plan_stmt *s;
    if (take(ps, ";")) return true;
    if (take(ps, "{")) return block(ps, out, line, column);
    if (*ps->p == '[') {
        if (!(s = new_stmt(ps, RG_PLAN_LAUNCH, line, column)) || !attributes(ps, s)) return false;
        const char *word = name(ps, "expected a kernel's name");
        return word && other(ps, word, s, out, line, column);
    }
    if ((ps->p[0] == '+' && ps->p[1] == '+') || (ps->p[0] == '-' && ps->p[1] == '-'))
        return slot(ps, false, &s) && push(out, s) && expect(ps, ";", "expected ';'");
    const char *start = ps->p;
    const char *word = name(ps, "expected a statement");
    if (!word) return false;
    if (!strcmp(word, "scratch")) return scratch(ps, out, line, column);
    if (!strcmp(word, "dim3")) return shape(ps);
    if (!strcmp(word, "for") || !strcmp(word, "while") || !strcmp(word, "do") || !strcmp(word, "if"))
        return control(ps, word, out, line, column);
    skip(ps);
    if (*ps->p == '(' && (!strcmp(word, "fill") || !strcmp(word, "copy") || !strcmp(word, "swap")))
        return fill_copy_swap(ps, word, out, line, column);
    if (is_integer_word(word)) {
        ps->p = start;
        ps->line = line;
        ps->column = column;
        return declaration(ps, out) && expect(ps, ";", "expected ';'");
    }
    return other(ps, word, NULL, out, line, column);
}

static bool parse_stmt(struct parser *ps, struct list *out)
{
    if (++ps->depth > RG__PLAN_MAX_DEPTH) return fail(ps, "statements nested too deeply");
    bool ok = statement(ps, out);
    ps->depth--;
    return ok;
}

enum rg_status rg_plan_parse(const char *text, struct rg_plan **out, struct rg_error *err)
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
    for (skip(ps); ok && *ps->p; skip(ps)) ok = parse_stmt(ps, &l);
    move_list(ps, &l, &plan->n, &plan->stmts);
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
