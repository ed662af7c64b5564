#include "frontend/read/directive.h"
#include <ctype.h>
#include <rg/similar.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    enum rg__directive_kind kind;
    bool named;
} words[] = {
    {"size", RG__DIR_SIZE, false}, {"extent", RG__DIR_EXTENT, true},        {"require", RG__DIR_REQUIRE, false},
    {"role", RG__DIR_ROLE, true},  {"input", RG__DIR_INPUT, true},          {"expect", RG__DIR_EXPECT, true},
    {"init", RG__DIR_INIT, false}, {"tolerance", RG__DIR_TOLERANCE, false}, {"mismatch", RG__DIR_MISMATCH, true},
};

enum { N_WORDS = sizeof words / sizeof *words, MAX_DIRECTIVES = 10000 };

void rg__directives_release(struct rg__directives *d)
{
    free(d->items);
    rg_arena_release(&d->arena);
    memset(d, 0, sizeof *d);
}

enum rg_status rg__directive_error(struct rg_error *err, const struct rg__directive *d, const char *fmt, ...)
{
    struct rg_buf text = RG_BUF_INIT;
    va_list ap;
    va_start(ap, fmt);
    rg_buf_vprintf(&text, fmt, ap);
    va_end(ap);
    enum rg_status st = d->option ? rg_error_set(err, RG_INPUT, "%s", text.data)
                                  : rg_error_at(err, RG_INPUT, d->file, d->line, d->column, "%s", text.data);
    rg_buf_release(&text);
    return st;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static const char *trimmed(struct rg_arena *a, const char *from, const char *to)
{
    while (from < to && blank(*from)) from++;
    while (to > from && blank(to[-1])) to--;
    return rg_arena_strndup(a, from, (size_t)(to - from));
}

static bool is_name(const char *s)
{
    if (!isalpha((unsigned char)*s) && *s != '_') return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_') return false;
    return true;
}

/* Behind the parenthesis that closes the one at p[0]; NULL when none does. */
static const char *closing(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        if (*p == '"') {
            for (p++; *p && *p != '"'; p++)
                if (*p == '\\' && p[1]) p++;
            if (!*p) return NULL;
        } else if (*p == '(' || *p == '[') {
            depth++;
        } else if (*p == ')' || *p == ']') {
            if (--depth == 0) return p;
        }
    }
    return NULL;
}

/* g.nx and g->nx name the parameter g_nx, g.dim[0] the parameter g_dim_0. */
static const char *members(struct rg_arena *a, const char *text)
{
    char *s = rg_arena_strdup(a, text);
    size_t to = 0;
    bool name = false, joined = false; /* inside an identifier; of which one is a member */
    for (size_t i = 0; text[i]; i++) {
        const size_t digits = name && joined && text[i] == '[' ? strspn(text + i + 1, "0123456789") : 0;
        if (digits && text[i + 1 + digits] == ']') { /* no longer than what it stands for */
            s[to++] = '_';
            memcpy(s + to, text + i + 1, digits);
            to += digits;
            i += digits + 1;
            continue;
        }
        bool arrow = text[i] == '-' && text[i + 1] == '>';
        bool joins = (text[i] == '.' || arrow) && name &&
                     (isalpha((unsigned char)text[i + 1 + arrow]) || text[i + 1 + arrow] == '_');
        if (joins) {
            s[to++] = '_';
            i += arrow;
            joined = true;
            continue;
        }
        unsigned char c = (unsigned char)text[i];
        name = name ? isalnum(c) || c == '_' : (isalpha(c) || c == '_') && !(i && isdigit((unsigned char)text[i - 1]));
        joined = joined && name;
        s[to++] = text[i];
    }
    s[to] = 0;
    return s;
}

/* Does a bracket of g.dim[0] stand at s[n]? */
static bool element(const char *s, size_t n)
{
    const size_t digits = s[n] == '[' ? strspn(s + n + 1, "0123456789") : 0;
    return n && ((digits && s[n + 1 + digits] == ']') || (s[n] == ']' && isdigit((unsigned char)s[n - 1])));
}

const char *rg__directive_name(struct rg__directives *all, const struct rg__directive *d, const char *name)
{
    const char *const texts[] = {d->name_written, d->written};
    for (int t = 0; t < 2; t++)
        for (const char *s = texts[t] ? texts[t] : ""; *s;) {
            size_t n = 0;
            while (isalnum((unsigned char)s[n]) || s[n] == '_' || (n && s[n] == '.') || element(s, n) ||
                   (n && s[n] == '-' && s[n + 1] == '>') || (n && s[n] == '>' && s[n - 1] == '-'))
                n++;
            char *word = rg_arena_strndup(&all->arena, s, n);
            if (n && !strcmp(members(&all->arena, word), name)) return word;
            s += n ? n : 1;
        }
    return name;
}

static enum rg_status add(struct rg__directives *d, int word, const char *from, const char *to, struct rg__directive at,
                          struct rg_error *err)
{
    struct rg__directive x = at;
    x.kind = words[word].kind;
    const char *text = from;
    if (words[word].named) {
        const char *sep = from;
        while (sep < to && *sep != ':' && !(at.option && *sep == '=')) sep++;
        if (sep == to)
            return rg__directive_error(err, &at, "'%s' needs a parameter and a colon: %s(NAME: ...)", words[word].word,
                                       words[word].word);
        x.name = trimmed(&d->arena, from, sep);
        x.name_written = x.name;
        x.name = members(&d->arena, x.name);
        if (!is_name(x.name))
            return rg__directive_error(err, &at, "'%s' is no parameter name in %s(...)", x.name, words[word].word);
        text = sep + 1;
        x.column += (int)(text - from);
    }
    x.text = x.written = trimmed(&d->arena, text, to);
    if (x.kind == RG__DIR_SIZE || x.kind == RG__DIR_EXTENT || x.kind == RG__DIR_REQUIRE ||
        (x.kind == RG__DIR_INPUT && strchr(x.text, '(')))
        x.text = members(&d->arena, x.text);
    if (!*x.text) return rg__directive_error(err, &x, "%s(...) is empty", words[word].word);
    if (d->n >= MAX_DIRECTIVES) return rg__directive_error(err, &x, "too many pragmas");
    RG_GROW(d->items, d->n, d->cap);
    d->items[d->n++] = x;
    return RG_OK;
}

enum rg_status rg__directives_parse(struct rg__directives *d, const char *text, const char *file, int line, int column,
                                    uint32_t at, struct rg_error *err)
{
    const char *p = text;
    for (;;) {
        while (blank(*p) || *p == ',') p++;
        struct rg__directive here = {
            .file = rg_arena_strdup(&d->arena, file), .line = line, .column = column + (int)(p - text), .at = at};
        if (!*p) return RG_OK;
        const char *word = p;
        while (isalnum((unsigned char)*p) || *p == '_') p++;
        int w = 0;
        while (w < N_WORDS &&
               (strlen(words[w].word) != (size_t)(p - word) || memcmp(words[w].word, word, (size_t)(p - word))))
            w++;
        if (w == N_WORDS) {
            const char *known[N_WORDS];
            char near[160], given[41];
            for (int i = 0; i < N_WORDS; i++) known[i] = words[i].word;
            snprintf(given, sizeof given, "%.*s", (int)(p > word ? p - word : 1), word);
            return rg__directive_error(err, &here,
                                       "unknown word '%s' in #pragma regraph; known are size, extent, require, role, "
                                       "input, expect, init, tolerance, mismatch%s",
                                       given, rg_did_you_mean(given, known, N_WORDS, near));
        }
        while (blank(*p)) p++;
        const char *end = *p == '(' ? closing(p) : NULL;
        if (!end) return rg__directive_error(err, &here, "'%s' needs its arguments in parentheses", words[w].word);
        here.column = column + (int)(p + 1 - text);
        enum rg_status st = add(d, w, p + 1, end, here, err);
        if (st != RG_OK) return st;
        p = end + 1;
    }
}

enum rg_status rg__directives_scan(struct rg__directives *d, const struct rg__source *s, struct rg_error *err)
{
    for (int i = 0; i < s->n_pragmas; i++) {
        const char *t = s->pragmas[i].text;
        while (blank(*t)) t++;
        if (strncmp(t, "regraph", 7) || (t[7] && !blank(t[7]))) continue;
        struct rg__place p = rg__source_place(s, s->pragmas[i].at);
        int column = s->pragmas[i].column + (int)(t + 7 - s->pragmas[i].text);
        enum rg_status st = rg__directives_parse(d, t + 7, p.file, p.line, column, s->pragmas[i].at, err);
        if (st != RG_OK) return st;
    }
    return RG_OK;
}

/* Does a size give any of the numbers that the other gives? */
static bool sizes_overlap(struct rg_arena *a, const char *x, const char *y)
{
    for (const char *p = x, *q; *p; p = q + (*q == ',')) {
        q = p + strcspn(p, ",");
        const char *name = trimmed(a, p, p + strcspn(p, "=,"));
        for (const char *r = y, *s; *r; r = s + (*s == ',')) {
            s = r + strcspn(r, ",");
            if (!strcmp(name, trimmed(a, r, r + strcspn(r, "=,")))) return true;
        }
    }
    return false;
}

/* `--size rows=1024 --size cols=4096` is one size, as nobody gives half a one. */
static void join_sizes(struct rg__directives *d)
{
    struct rg__directive *before = &d->items[d->n - 2], *last = before + 1;
    if (sizes_overlap(&d->arena, before->text, last->text)) return;
    before->text = rg_arena_printf(&d->arena, "%s,%s", before->text, last->text);
    before->written = rg_arena_printf(&d->arena, "%s,%s", before->written, last->written);
    d->n--;
}

static enum rg_status option_list(struct rg__directives *d, enum rg__directive_kind kind, const char *const *texts,
                                  int n, struct rg_error *err)
{
    int w = 0;
    while (words[w].kind != kind) w++;
    for (int i = 0; i < n; i++) {
        struct rg__directive at = {.file = "", .option = true};
        enum rg_status st = add(d, w, texts[i], texts[i] + strlen(texts[i]), at, err);
        if (st != RG_OK) {
            rg_error_prefix(err, "--%s '%s'", words[w].word, texts[i]);
            return st;
        }
        if (kind == RG__DIR_SIZE && i) join_sizes(d);
    }
    return RG_OK;
}

enum rg_status rg__directives_options(struct rg__directives *d, const struct rg_frontend_options *o,
                                      struct rg_error *err)
{
    enum rg_status st = option_list(d, RG__DIR_SIZE, o->sizes, o->n_sizes, err);
    if (st == RG_OK) st = option_list(d, RG__DIR_EXTENT, o->extents, o->n_extents, err);
    if (st == RG_OK) st = option_list(d, RG__DIR_ROLE, o->roles, o->n_roles, err);
    if (st == RG_OK) st = option_list(d, RG__DIR_INPUT, o->inputs, o->n_inputs, err);
    if (st == RG_OK) st = option_list(d, RG__DIR_EXPECT, o->expects, o->n_expects, err);
    if (st == RG_OK) st = option_list(d, RG__DIR_REQUIRE, o->requires_, o->n_requires, err);
    if (st == RG_OK && o->init) st = option_list(d, RG__DIR_INIT, &o->init, 1, err);
    return st;
}

enum rg_status rg__assignments(struct rg_arena *a, const struct rg__directive *d,
                               enum rg_status (*fn)(void *arg, const char *name, const char *value, int column,
                                                    struct rg_error *err),
                               void *arg, struct rg_error *err)
{
    for (const char *p = d->text; *p;) {
        const char *eq = p, *end;
        while (*eq && *eq != '=' && *eq != ',') eq++;
        const char *name = trimmed(a, p, eq);
        if (*eq != '=' || !is_name(name))
            return rg__directive_error(err, d, "expected NAME=VALUE, found '%s'", trimmed(a, p, p + strcspn(p, ",")));
        int depth = 0;
        for (end = eq + 1; *end && (depth || *end != ','); end++) depth += (*end == '(') - (*end == ')');
        enum rg_status st = fn(arg, name, trimmed(a, eq + 1, end), (int)(eq + 1 - d->text), err);
        if (st != RG_OK) return st;
        p = *end ? end + 1 : end;
        while (blank(*p)) p++;
    }
    return RG_OK;
}

/* A constant real: literals, signs, + - * /. */
static bool real_value(const struct rg_expr *e, double *v)
{
    double a, b;
    switch (e->kind) {
    case RG_EXPR_INT:
        return *v = (double)e->value, true;
    case RG_EXPR_REAL:
        return *v = e->real, true;
    case RG_EXPR_UNARY:
        return e->op == RG_OP_NEG && real_value(e->args[0], &a) && (*v = -a, true);
    case RG_EXPR_BINARY:
        if (!real_value(e->args[0], &a) || !real_value(e->args[1], &b)) return false;
        switch (e->op) {
        case RG_OP_ADD:
            return *v = a + b, true;
        case RG_OP_SUB:
            return *v = a - b, true;
        case RG_OP_MUL:
            return *v = a * b, true;
        case RG_OP_DIV:
            return *v = a / b, true;
        default:
            return false;
        }
    default:
        return false;
    }
}

static bool has_real(const struct rg_expr *e)
{
    if (e->kind == RG_EXPR_REAL) return true;
    for (int i = 0; i < e->n_args; i++)
        if (has_real(e->args[i])) return true;
    return false;
}

static const struct {
    const char *word;
    enum rg_input_kind kind;
    int min, max;
    const char *usage;
} inputs[] = {
    {"default", RG_INPUT_DEFAULT, 0, 0, "default"},
    {"uniform", RG_INPUT_UNIFORM, 2, 2, "uniform(lo, hi)"},
    {"normal", RG_INPUT_NORMAL, 2, 2, "normal(mean, sigma)"},
    {"constant", RG_INPUT_CONSTANT, 1, 1, "constant(v)"},
    {"affine", RG_INPUT_AFFINE, 2, 2, "affine(a, b)"},
    {"sorted", RG_INPUT_SORTED, 2, 2, "sorted(lo, hi)"},
    {"prefix", RG_INPUT_PREFIX, 1, 3, "prefix(total), prefix(total, first), prefix(total, first, least)"},
    {"permutation", RG_INPUT_PERMUTATION, 0, 0, "permutation"},
    {"lcg", RG_INPUT_LCG, 3, 3, "lcg(seed, lo, hi)"},
    {"band", RG_INPUT_BAND, 2, 3, "band(width, n), band(width, n, 1)"},
    {"rows", RG_INPUT_ROWS, 2, 3, "rows(total, n), rows(total, n, first)"},
    {"dominant", RG_INPUT_DOMINANT, 1, 1, "dominant(n)"},
    {"links", RG_INPUT_LINKS, 1, 2, "links(n, end), links(n)"},
    {"string", RG_INPUT_STRING, 3, 4, "string(length, lo, hi), string(length, lo, hi, row)"},
    {"plateaus", RG_INPUT_PLATEAUS, 2, 2, "plateaus(lo, hi)"},
    {"choice", RG_INPUT_CHOICE, 1, RG_INPUT_ARGS, "choice(v, ...), up to 8 of them"},
};

enum rg_status rg__parse_input(struct rg_arena *a, const struct rg__directive *d, struct rg_input *out,
                               struct rg_error *err)
{
    const char *t = d->text;
    size_t len = strlen(t);
    memset(out, 0, sizeof *out);
    out->text = rg_arena_strdup(a, t);
    if (len >= 2 && t[0] == '"' && t[len - 1] == '"') {
        out->kind = RG_INPUT_FILE;
        out->file = rg_arena_strndup(a, t + 1, len - 2);
        return RG_OK;
    }
    if (len > 4 && !strcmp(t + len - 4, ".npy")) {
        out->kind = RG_INPUT_FILE;
        out->file = rg_arena_strdup(a, t);
        return RG_OK;
    }
    size_t n = strcspn(t, "( \t"), k = 0, count = sizeof inputs / sizeof *inputs;
    while (k < count && (strlen(inputs[k].word) != n || memcmp(inputs[k].word, t, n))) k++;
    if (k == count) {
        const char *known[sizeof inputs / sizeof *inputs];
        char near[160];
        for (size_t i = 0; i < count; i++) known[i] = inputs[i].word;
        return rg__directive_error(
            err, d,
            "'%s' is no distribution; known are uniform(lo, hi), normal(mean, sigma), constant(v), affine(a, b), "
            "sorted(lo, hi), prefix(total), permutation, lcg(seed, lo, hi), string(length, lo, hi), band(width, n), "
            "rows(total, n), dominant(n), links(n, end), choice(v, ...), a "
            "file NAME.npy%s",
            t, rg_did_you_mean(rg_arena_strndup(a, t, n), known, (int)count, near));
    }
    out->kind = inputs[k].kind;
    const char *p = t + n;
    while (blank(*p)) p++;
    if (*p == '(') {
        p++;
        while (blank(*p)) p++;
        while (*p && *p != ')') {
            if (out->n_args == RG_INPUT_ARGS)
                return rg__directive_error(err, d, "too many arguments: %s", inputs[k].usage);
            const struct rg_expr *e;
            struct rg_error inner = RG_ERROR_INIT;
            if (rg_expr_parse(a, &p, d->file, d->line, d->column, &e, &inner) != RG_OK)
                return rg__directive_error(err, d, "%s", inner.text);
            int i = out->n_args++;
            bool constant = real_value(e, &out->real_args[i]);
            if (has_real(e) && !constant)
                return rg__directive_error(err, d, "an argument mixes real numbers and parameters");
            out->int_args[i] = has_real(e) ? NULL : e;
            while (blank(*p)) p++;
            if (*p == ',') p++;
            while (blank(*p)) p++;
        }
        if (*p != ')') return rg__directive_error(err, d, "a closing parenthesis is missing: %s", inputs[k].usage);
        p++;
        while (blank(*p)) p++;
    }
    if (*p) return rg__directive_error(err, d, "unexpected '%s' behind %s", p, inputs[k].usage);
    if (out->n_args < inputs[k].min || out->n_args > inputs[k].max)
        return rg__directive_error(err, d, "wrong number of arguments: it is %s", inputs[k].usage);
    return RG_OK;
}
