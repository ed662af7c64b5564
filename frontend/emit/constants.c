/* Macros that stand for integers, as the preprocessor knows them: `#define N 1024`, `#define M (2 * N)`, -DN=1024; and
 * enumerators at file scope. The tree has their values; the exporter writes their names again. */
#include "frontend/emit/emit.h"
#include <rg/expr.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 16 };

struct definition {
    const char *name, *body;
};

struct definitions {
    struct rg_arena a;
    int n, cap;
    struct definition *items; /* in the order of the text: the last of a name holds */
    int depth;
};

static size_t word_length(const char *p)
{
    return strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

/* `#define NAME BODY`, or `#undef NAME`, of a line of the preprocessor's output. */
static void define(struct definitions *d, const char *line, size_t len)
{
    bool defines = len > 8 && !strncmp(line, "#define ", 8);
    if (!defines && !(len > 7 && !strncmp(line, "#undef ", 7))) return;
    const char *name = line + (defines ? 8 : 7);
    size_t n = word_length(name);
    if (!n || name[n] == '(' || !strncmp(name, "__", 2)) return;
    const char *body = defines && name[n] == ' ' ? name + n + 1 : line + len;
    RG_GROW(d->items, d->n, d->cap);
    d->items[d->n++] = (struct definition){rg_arena_strndup(&d->a, name, n),
                                           rg_arena_strndup(&d->a, body, (size_t)(line + len - body))};
}

bool rg__marker_is_users(const char *line, size_t len)
{
    const char *file = memchr(line, '"', len), *end = file ? memrchr(line, '"', len) : NULL;
    if (!end || end == file) return true;
    return file[1] != '<' && !memchr(end, '3', (size_t)(line + len - end));
}

static void collect(struct definitions *d, const char *text)
{
    bool users = false, given = false; /* given: on the compiler's command line */
    for (const char *line = text, *end; line && *line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        size_t len = end ? (size_t)(end - line) : strlen(line);
        if (len > 2 && line[0] == '#' && line[1] == ' ') {
            users = rg__marker_is_users(line, len);
            given = memmem(line, len, "\"<command", 9) != NULL;
        } else if (users || given) {
            define(d, line, len);
        }
    }
}

static bool value_of(struct definitions *d, const char *text, int64_t *value);

static int defined(void *arg, const char *name, int64_t *value)
{
    struct definitions *d = arg;
    for (int i = d->n - 1; i >= 0; i--)
        if (!strcmp(d->items[i].name, name)) return value_of(d, d->items[i].body, value);
    return 0;
}

/* Of the integer expressions of extents and plans, which C's are a part of: what it can't read keeps its number. */
static bool value_of(struct definitions *d, const char *text, int64_t *value)
{
    const struct rg_expr *e;
    if (d->depth >= DEPTH_MOST) return false; /* it names itself */
    d->depth++;
    const struct rg_expr_env env = {.arg = d, .name = defined};
    bool known = rg_expr_parse_all(&d->a, text, &e, NULL) == RG_OK && rg_expr_eval(e, &env, value, NULL) == RG_OK;
    d->depth--;
    return known;
}

struct enumerators {
    struct rg__unit *u;
    struct definitions *d;
};

/* `enum { WIDTH = 640 };` of the user's files */
static enum CXChildVisitResult enumerator(CXCursor c, CXCursor parent, CXClientData data)
{
    struct enumerators *e = data;
    const struct rg__clang *k = e->u->c;
    enum CXCursorKind kind = k->getCursorKind(c);
    if (kind == CXCursor_EnumDecl)
        return rg__source_place(&e->u->src, rg__cursor_at(e->u, c)).system ? CXChildVisit_Continue
                                                                           : CXChildVisit_Recurse;
    if (kind != CXCursor_EnumConstantDecl) return CXChildVisit_Continue;
    struct definitions *d = e->d;
    RG_GROW(d->items, d->n, d->cap);
    d->items[d->n++] = (struct definition){rg__cursor_name(e->u, c, &d->a),
                                           rg_arena_printf(&d->a, "%lld", (long long)k->getEnumConstantDeclValue(c))};
    return CXChildVisit_Continue;
}

static void add(struct rg_problem *p, int *cap, const char *name, int64_t value)
{
    for (int i = 0; i < p->n_constants; i++)
        if (!strcmp(p->constants[i].name, name)) return;
    if (p->n_constants == *cap) {
        struct rg_constant *more = rg_arena_alloc(&p->arena, (size_t)(*cap = 2 * *cap + 8) * sizeof *more);
        if (p->n_constants) memcpy(more, p->constants, (size_t)p->n_constants * sizeof *more);
        p->constants = more;
    }
    p->constants[p->n_constants++] = (struct rg_constant){rg_arena_strdup(&p->arena, name), value};
}

/* Those that the text names. */
static void named(struct rg_problem *p, struct definitions *d, const char *text, int *cap)
{
    struct rg__source s;
    rg__source_init(&s, rg_xstrdup(text), strlen(text));
    for (int k = 0; k < s.n_toks; k++) {
        int64_t value;
        if (s.toks[k].kind != RG__TOK_IDENT) continue;
        const char *word = rg__tok_text(&s, k, &d->a);
        if (defined(d, word, &value)) add(p, cap, word, value);
    }
    rg__source_release(&s);
}

void rg__named_constants(struct rg__load *l)
{
    static const char *const keep[] = {"-dD", NULL};
    struct definitions d = {.a = RG_ARENA_INIT};
    struct rg_buf text = RG_BUF_INIT;
    int cap = 0;
    struct enumerators e = {&l->unit, &d}; /* first: a macro of the same name is what the text says */
    l->unit.c->visitChildren(l->unit.c->getTranslationUnitCursor(l->unit.tu), enumerator, &e);
    /* The file was preprocessed before: where this fails (a compiler without -dD) the numbers stay numbers. */
    if (rg__preprocess(l->o->file, l->p->cflags, keep, &text, NULL) == RG_OK) collect(&d, text.data);
    if (d.n) {
        named(l->p, &d, l->p->function_source, &cap);
        named(l->p, &d, l->p->context_source, &cap); /* variables, helpers */
    }
    rg_buf_release(&text);
    free(d.items);
    rg_arena_release(&d.a);
}
