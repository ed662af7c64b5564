/* Text to struct rg_expr: precedence climbing, bounded in depth and size because the text comes from models and files.
 */
#include <errno.h>
#include <rg/expr.h>
#include <rg/scalar.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 200, MAX_NODES = 2000, MAX_ARGS = 32 };

struct parser {
    struct rg_arena *a;
    const char *p;
    const char *file;
    int line, column;
    int depth, nodes;
    struct rg_error *err;
    bool shifts; /* are << and >> operators? In a plan they end a launch's brackets */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name(char c)
{
    return is_name_start(c) || is_digit(c);
}

static void advance(struct parser *ps, size_t n)
{
    for (; n && *ps->p; n--, ps->p++) {
        if (*ps->p == '\n') {
            ps->line++;
            ps->column = 1;
        } else {
            ps->column++;
        }
    }
}

/* Blanks and both kinds of comment. */
static void skip(struct parser *ps)
{
    for (;;) {
        if (*ps->p == ' ' || *ps->p == '\t' || *ps->p == '\n' || *ps->p == '\r' || *ps->p == '\f' || *ps->p == '\v') {
            advance(ps, 1);
        } else if (ps->p[0] == '/' && ps->p[1] == '/') {
            while (*ps->p && *ps->p != '\n') advance(ps, 1);
        } else if (ps->p[0] == '/' && ps->p[1] == '*') {
            const char *end = strstr(ps->p + 2, "*/");
            advance(ps, end ? (size_t)(end - ps->p) + 2 : strlen(ps->p));
        } else {
            return;
        }
    }
}

static enum rg_status fail(struct parser *ps, const char *what)
{
    /* What stands there, cut to a token or so; bytes that are no ASCII text are not echoed. */
    char seen[24];
    size_t n = 0;
    const char *p = ps->p;
    if (is_name(*p)) {
        while (is_name(p[n]) && n < sizeof seen - 1) n++;
    } else if (*p > ' ' && *p < 127) {
        n = 1;
    }
    memcpy(seen, p, n);
    seen[n] = 0;
    const char *file = ps->file ? ps->file : "";
    if (!*p) return rg_error_at(ps->err, RG_INPUT, file, ps->line, ps->column, "%s, but the text ends", what);
    if (!n) return rg_error_at(ps->err, RG_INPUT, file, ps->line, ps->column, "%s", what);
    return rg_error_at(ps->err, RG_INPUT, file, ps->line, ps->column, "%s, not '%s'", what, seen);
}

static struct rg_expr *node(struct parser *ps, enum rg_expr_kind kind, int n_args)
{
    if (++ps->nodes > MAX_NODES) {
        rg_error_at(ps->err, RG_INPUT, ps->file ? ps->file : "", ps->line, ps->column,
                    "expression too long: more than %d operands and operators", MAX_NODES);
        return NULL;
    }
    struct rg_expr *e = rg_arena_alloc(ps->a, sizeof *e);
    e->kind = kind;
    e->line = ps->line;
    e->column = ps->column;
    e->n_args = n_args;
    if (n_args) e->args = rg_arena_alloc(ps->a, (size_t)n_args * sizeof *e->args);
    return e;
}

static struct rg_expr *parse_cond(struct parser *ps);
static struct rg_expr *parse_unary(struct parser *ps);

static struct rg_expr *parse_number(struct parser *ps)
{
    const char *s = ps->p;
    size_t n = 0;
    bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
    bool real = false;
    if (hex) {
        n = 2;
        while (is_digit(s[n]) || (s[n] >= 'a' && s[n] <= 'f') || (s[n] >= 'A' && s[n] <= 'F')) n++;
        if (n == 2) {
            fail(ps, "a hexadecimal number needs digits");
            return NULL;
        }
    } else {
        while (is_digit(s[n])) n++;
        if (s[n] == '.') {
            real = true;
            n++;
            while (is_digit(s[n])) n++;
        }
        if (s[n] == 'e' || s[n] == 'E') {
            size_t m = n + 1;
            if (s[m] == '+' || s[m] == '-') m++;
            if (is_digit(s[m])) {
                real = true;
                while (is_digit(s[m])) m++;
                n = m;
            }
        }
    }
    size_t digits = n;
    if (real) {
        if (s[n] == 'f' || s[n] == 'F') n++;
    } else if (!hex && (s[n] == 'f' || s[n] == 'F')) {
        fail(ps, "a real number needs a point before its 'f'");
        return NULL;
    } else {
        for (int k = 0; k < 3 && (s[n] == 'u' || s[n] == 'U' || s[n] == 'l' || s[n] == 'L'); k++) n++;
    }
    if (is_name(s[n]) || s[n] == '.') {
        fail(ps, "malformed number");
        return NULL;
    }
    struct rg_expr *e = node(ps, real ? RG_EXPR_REAL : RG_EXPR_INT, 0);
    if (!e) return NULL;
    char *text = rg_arena_strndup(ps->a, s, digits);
    errno = 0;
    if (real) {
        e->real = strtod(text, NULL);
        e->name = rg_arena_strndup(ps->a, s, n);
    } else {
        bool octal = !hex && digits > 1 && s[0] == '0';
        if (octal) {
            fail(ps, "octal numbers are not accepted: drop the leading 0");
            return NULL;
        }
        unsigned long long v = strtoull(text, NULL, hex ? 16 : 10);
        if (errno == ERANGE || v > INT64_MAX) {
            fail(ps, "the number exceeds 64 bits");
            return NULL;
        }
        e->value = (int64_t)v;
    }
    advance(ps, n);
    return e;
}

/* Words of a type up to ')', single blanks between: the argument of sizeof. */
static struct rg_expr *parse_type_words(struct parser *ps)
{
    struct rg_expr *e = node(ps, RG_EXPR_NAME, 0);
    if (!e) return NULL;
    char text[128];
    size_t len = 0;
    while (is_name_start(*ps->p)) {
        size_t n = 0;
        while (is_name(ps->p[n])) n++;
        if (len + n + 2 > sizeof text) {
            fail(ps, "type name too long");
            return NULL;
        }
        if (len) text[len++] = ' ';
        memcpy(text + len, ps->p, n);
        len += n;
        advance(ps, n);
        skip(ps);
    }
    text[len] = 0;
    if (!len) {
        fail(ps, "sizeof needs the name of a type");
        return NULL;
    }
    e->name = rg_arena_strdup(ps->a, text);
    return e;
}

static bool expect(struct parser *ps, char c, const char *what)
{
    skip(ps);
    if (*ps->p != c) {
        fail(ps, what);
        return false;
    }
    advance(ps, 1);
    return true;
}

static struct rg_expr *parse_call(struct parser *ps, struct rg_expr *e)
{
    struct rg_expr *args[MAX_ARGS];
    int n = 0;
    advance(ps, 1);
    skip(ps);
    if (!strcmp(e->name, "sizeof")) {
        if (!(args[n++] = parse_type_words(ps))) return NULL;
    } else if (*ps->p != ')') {
        for (;;) {
            if (n == MAX_ARGS) {
                fail(ps, "too many arguments");
                return NULL;
            }
            if (!(args[n++] = parse_cond(ps))) return NULL;
            skip(ps);
            if (*ps->p != ',') break;
            advance(ps, 1);
        }
    }
    if (!expect(ps, ')', "expected ',' or ')' after an argument")) return NULL;
    e->kind = RG_EXPR_CALL;
    e->n_args = n;
    e->args = rg_arena_alloc(ps->a, (size_t)(n ? n : 1) * sizeof *args);
    memcpy(e->args, args, (size_t)n * sizeof *args);
    return e;
}

static struct rg_expr *parse_name(struct parser *ps)
{
    struct rg_expr *e = node(ps, RG_EXPR_NAME, 0);
    if (!e) return NULL;
    size_t n = 0;
    while (is_name(ps->p[n])) n++;
    e->name = rg_arena_strndup(ps->a, ps->p, n);
    advance(ps, n);
    skip(ps);
    if (*ps->p == '(') return parse_call(ps, e);
    if (*ps->p == '[') {
        advance(ps, 1);
        struct rg_expr *index = parse_cond(ps);
        if (!index || !expect(ps, ']', "expected ']'")) return NULL;
        e->kind = RG_EXPR_INDEX;
        e->n_args = 1;
        e->args = rg_arena_alloc(ps->a, sizeof *e->args);
        e->args[0] = index;
    }
    return e;
}

/* "(long)" in front of an operand: arithmetic is 64-bit anyway, so a widening or `int` cast says nothing new. True when
 * one was there and is passed. */
static bool skip_cast(struct parser *ps)
{
    const char *p = ps->p + 1;
    size_t n = strcspn(p, "()");
    enum rg_scalar s;
    char words[64];
    if (p[n] != ')' || n >= sizeof words) return false;
    memcpy(words, p, n);
    words[n] = 0;
    if (!rg_scalar_parse(words, &s) || rg_scalar_is_real(s) || rg_scalar_bytes(s) < 4) return false;
    advance(ps, n + 2);
    skip(ps);
    return true;
}

static struct rg_expr *parse_primary(struct parser *ps)
{
    char c = *ps->p;
    if (is_digit(c) || (c == '.' && is_digit(ps->p[1]))) return parse_number(ps);
    if (is_name_start(c)) return parse_name(ps);
    if (c == '(') {
        if (skip_cast(ps)) return parse_unary(ps);
        advance(ps, 1);
        struct rg_expr *e = parse_cond(ps);
        if (!e || !expect(ps, ')', "expected ')'")) return NULL;
        return e;
    }
    fail(ps, "expected an expression");
    return NULL;
}

static bool deeper(struct parser *ps)
{
    if (++ps->depth <= MAX_DEPTH) return true;
    fail(ps, "expression nested too deeply");
    return false;
}

static struct rg_expr *parse_unary(struct parser *ps)
{
    skip(ps);
    char c = *ps->p;
    if ((c == '+' || c == '-') && ps->p[1] == c) {
        fail(ps, "expected an expression; ++ and -- are no operators here");
        return NULL;
    }
    if (c != '-' && c != '!' && c != '+') {
        if (!deeper(ps)) return NULL;
        struct rg_expr *e = parse_primary(ps);
        ps->depth--;
        return e;
    }
    struct rg_expr *e = NULL;
    if (c != '+') {
        if (!(e = node(ps, RG_EXPR_UNARY, 1))) return NULL;
        e->op = c == '-' ? RG_OP_NEG : RG_OP_NOT;
    }
    advance(ps, 1);
    if (!deeper(ps)) return NULL;
    struct rg_expr *arg = parse_unary(ps);
    ps->depth--;
    if (!arg || !e) return arg;
    e->args[0] = arg;
    return e;
}

static const struct {
    char text[3];
    int level;
    enum rg_op op;
} binaries[] = {
    {"||", 1, RG_OP_OR}, {"&&", 2, RG_OP_AND}, {"==", 3, RG_OP_EQ},  {"!=", 3, RG_OP_NE}, {"<=", 4, RG_OP_LE},
    {">=", 4, RG_OP_GE}, {"<<", 5, RG_OP_MUL}, {">>", 5, RG_OP_DIV}, {"<", 4, RG_OP_LT},  {">", 4, RG_OP_GT},
    {"+", 6, RG_OP_ADD}, {"-", 6, RG_OP_SUB},  {"*", 7, RG_OP_MUL},  {"/", 7, RG_OP_DIV}, {"%", 7, RG_OP_MOD},
};
enum { SHIFTS = 5 }; /* the level of a << b, which is a * pow2(b), and of a >> b, a / pow2(b) */

/* The operator at the cursor, -1 none. Assignments like "+=", and the brackets of a launch, end an expression. */
static int peek_binary(const struct parser *ps)
{
    const char *p = ps->p;
    if ((p[0] == '<' || p[0] == '>') && p[1] == p[0] && (!ps->shifts || p[2] == p[0])) return -1;
    if (p[0] && strchr("+-*/%", p[0]) && p[1] == '=') return -1;
    if ((p[0] == '+' || p[0] == '-') && p[1] == p[0]) return -1;
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (!strncmp(p, binaries[i].text, strlen(binaries[i].text))) return (int)i;
    return -1;
}

static struct rg_expr *parse_binary(struct parser *ps, int level)
{
    struct rg_expr *left = parse_unary(ps);
    while (left) {
        skip(ps);
        int i = peek_binary(ps);
        if (i < 0 || binaries[i].level < level) return left;
        struct rg_expr *e = node(ps, RG_EXPR_BINARY, 2);
        if (!e) return NULL;
        e->op = binaries[i].op;
        e->line = left->line;
        e->column = left->column;
        advance(ps, strlen(binaries[i].text));
        e->args[0] = left;
        if (!(e->args[1] = parse_binary(ps, binaries[i].level + 1))) return NULL;
        if (binaries[i].level == SHIFTS) {
            struct rg_expr *power = node(ps, RG_EXPR_CALL, 1);
            if (!power) return NULL;
            power->name = "pow2";
            power->line = e->args[1]->line;
            power->column = e->args[1]->column;
            power->args[0] = e->args[1];
            e->args[1] = power;
        }
        left = e;
    }
    return NULL;
}

static struct rg_expr *parse_cond(struct parser *ps)
{
    if (!deeper(ps)) return NULL;
    struct rg_expr *c = parse_binary(ps, 1);
    if (c) skip(ps);
    if (c && *ps->p == '?') {
        struct rg_expr *e = node(ps, RG_EXPR_COND, 3);
        if (!e) return NULL;
        e->line = c->line;
        e->column = c->column;
        advance(ps, 1);
        e->args[0] = c;
        if (!(e->args[1] = parse_cond(ps)) || !expect(ps, ':', "expected ':' of '?:'") ||
            !(e->args[2] = parse_cond(ps)))
            return NULL;
        c = e;
    }
    ps->depth--;
    return c;
}

static enum rg_status parse(struct rg_arena *a, const char **cursor, const char *file, int line, int column,
                            bool shifts, const struct rg_expr **out, struct rg_error *err)
{
    struct rg_error own = RG_ERROR_INIT; /* so that the status is known even with err == NULL or already set */
    struct parser ps = {a, *cursor, file, line, column, 0, 0, &own, shifts};
    struct rg_expr *e = parse_cond(&ps);
    if (!e) {
        *out = NULL;
        if (file) return rg_error_at(err, RG_INPUT, own.file, own.line, own.column, "%s", own.text);
        return rg_error_set(err, RG_INPUT, "column %d: %s", own.column, own.text);
    }
    *cursor = ps.p;
    *out = e;
    return RG_OK;
}

enum rg_status rg_expr_parse(struct rg_arena *a, const char **cursor, const char *file, int line, int column,
                             const struct rg_expr **out, struct rg_error *err)
{
    return parse(a, cursor, file, line, column, true, out, err);
}

enum rg_status rg_expr_parse_in_plan(struct rg_arena *a, const char **cursor, const char *file, int line, int column,
                                     const struct rg_expr **out, struct rg_error *err)
{
    return parse(a, cursor, file, line, column, false, out, err);
}

enum rg_status rg_expr_parse_all(struct rg_arena *a, const char *text, const struct rg_expr **out, struct rg_error *err)
{
    struct rg_error own = RG_ERROR_INIT;
    const char *p = text;
    *out = NULL;
    enum rg_status s = parse(a, &p, NULL, 1, 1, true, out, &own);
    if (s == RG_OK) {
        struct parser ps = {a, p, NULL, 1, 1 + (int)(p - text), 0, 0, &own, true};
        skip(&ps);
        if (*ps.p) {
            ps.file = "expression";
            *out = NULL;
            fail(&ps, "expected an operator or the end of the expression");
            s = RG_INPUT;
        }
    }
    if (s == RG_OK) return RG_OK;
    return rg_error_set(err, s, "'%.200s': %s", text, own.text);
}
