/* Sources: the function and its context as written, device declarations, what a host needs before the prototype. */
#include "frontend/read/device_c.h"
#include "frontend/emit/context.h"
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

/* Lines first..last of a file, from 1. */
static void file_lines(const char *path, int first, int last, struct rg_buf *out)
{
    char *text;
    size_t len;
    if (rg_file_read(path, (size_t)64 << 20, &text, &len, NULL) != RG_OK) return;
    int line = 1;
    for (size_t i = 0; i < len && line <= last; i++) {
        if (line >= first) rg_buf_char(out, text[i]);
        if (text[i] == '\n') line++;
    }
    if (out->len && out->data[out->len - 1] != '\n') rg_buf_char(out, '\n');
    free(text);
}

static void as_written(struct rg__load *l, uint32_t at, uint32_t end, struct rg_buf *out)
{
    struct rg__place a = rg__source_place(&l->unit.src, at), b = rg__source_place(&l->unit.src, end ? end - 1 : 0);
    size_t before = out->len;
    if (!strcmp(a.file, b.file) && a.line <= b.line) file_lines(a.file, a.line, b.line, out);
    if (out->len == before) { /* a file that is gone, or a body spread over several */
        rg__source_slice(&l->unit.src, at, end, out);
        rg_buf_char(out, '\n');
    }
}

static const char *prototype(struct rg__load *l)
{
    const struct rg_problem *p = l->p;
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_printf(&b, "%s%s%s(", p->return_c, p->return_c[0] && p->return_c[strlen(p->return_c) - 1] == '*' ? "" : " ",
                  p->function);
    bool any = false;
    for (int i = 0; i < l->b.n_args; i++) {
        rg_buf_printf(&b, "%s%s", any ? ", " : "", l->b.args[i].c_decl);
        any = true;
    }
    rg_buf_str(&b, any ? ")" : "void)");
    const char *s = rg_arena_strdup(&l->p->arena, b.data);
    rg_buf_release(&b);
    return s;
}

/* The comment that ends right above a line: what the author says of the function. Pragmas between the two are passed
 * over. *first: its first line. Returns how many it has. */
static int comment_above(const char *path, int line, struct rg_buf *out, int *first_line)
{
    enum { MOST_LINES = 30 };
    char *text;
    size_t len;
    if (line < 2 || rg_file_read(path, (size_t)64 << 20, &text, &len, NULL) != RG_OK) return 0;
    const char *at[MOST_LINES + 1]; /* starts of the lines above, the nearest first */
    int n = 0, number = 1;
    for (const char *s = text; s && *s && number < line; s = (s = strchr(s, '\n')) ? s + 1 : NULL, number++) {
        memmove(at + 1, at, (size_t)(n < MOST_LINES ? n : MOST_LINES) * sizeof *at);
        at[0] = s;
        if (n < MOST_LINES) n++;
    }
    int first = 0, from = 0; /* of the comment's lines: [first, from) */
    bool inside = false;     /* a block comment whose beginning is further up */
    for (int i = 0; i < n; i++) {
        size_t length = strcspn(at[i], "\n");
        const char *s = at[i] + strspn(at[i], " \t"), *end = at[i] + length;
        while (end > s && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) end--;
        bool pragma = !inside && s < end && *s == '#', closes = end - s >= 2 && end[-1] == '/' && end[-2] == '*';
        if (pragma && first == i) {
            first = from = i + 1;
            continue;
        }
        if (!inside && !closes && strncmp(s, "//", 2)) break;
        if (!inside) inside = closes;
        if (inside && memmem(at[i], length, "/*", 2)) {
            inside = false;
            if (*s != '/') break; /* code stands before it */
        }
        from = i + 1;
    }
    for (int i = from - 1; i >= first && !inside; i--) {
        rg_buf_add(out, at[i], strcspn(at[i], "\n"));
        rg_buf_char(out, '\n');
    }
    free(text);
    *first_line = line - from;
    return inside ? 0 : from - first;
}

struct declarations {
    struct rg__load *l;
    struct rg_buf *types; /* preprocessed, C */
    struct rg__context *context;
    struct rg_arena *arena;
    const struct rg__function *function;
    const bool *needed; /* by function of the unit: the one at hand calls it, or one that it calls does */
    uint32_t done;      /* end of the last one: a struct inside a typedef is part of it */
    int last_line;
    const char *last_file;
};

/* Marks the functions that function `f` names, and those that they name. */
static void needs(struct rg__unit *u, int f, bool *needed)
{
    struct rg_arena a = RG_ARENA_INIT;
    const struct rg__function *x = &u->functions[f];
    for (int k = rg__tok_from(&u->src, x->at); k < u->src.n_toks && u->src.toks[k].at < x->end; k++) {
        if (u->src.toks[k].kind != RG__TOK_IDENT) continue;
        const char *word = rg__tok_text(&u->src, k, &a);
        for (int g = 0; g < u->n_functions; g++) {
            if (needed[g] || g == f || strcmp(u->functions[g].name, word)) continue;
            needed[g] = true;
            needs(u, g, needed);
        }
    }
    rg_arena_release(&a);
}

/* Types, tables and helpers of the user's files that stand before the function's end. */
static enum CXChildVisitResult top(CXCursor c, CXCursor parent, CXClientData data)
{
    struct declarations *d = data;
    struct rg__unit *u = &d->l->unit;
    enum CXCursorKind k = u->c->getCursorKind(c);
    uint32_t at = rg__cursor_at(u, c), end = rg__cursor_end(u, c);
    struct rg__place p = rg__source_place(&u->src, at);
    if (p.system || at >= d->function->end || at == d->function->at) return CXChildVisit_Continue;
    bool type =
        k == CXCursor_StructDecl || k == CXCursor_UnionDecl || k == CXCursor_EnumDecl || k == CXCursor_TypedefDecl;
    bool inside = at < d->done;
    if (type) { /* `typedef struct {...} T;` comes as the struct first: the typedef's text has both */
        int next = rg__tok_from(&u->src, end);
        bool part = !rg__tok_is(&u->src, next, ";");
        if (!part && !(inside && k != CXCursor_TypedefDecl)) {
            rg__source_slice(&u->src, at, end, d->types);
            rg_buf_str(d->types, ";\n");
            d->done = end;
        }
    }
    bool helper = k == CXCursor_FunctionDecl && u->c->isCursorDefinition(c);
    if (helper) {
        int f = rg__unit_function(u, c);
        helper = f >= 0 && d->needed[f];
    }
    bool variable = k == CXCursor_VarDecl;
    if (!helper && !variable && !type) return CXChildVisit_Continue;
    struct rg__place e = rg__source_place(&u->src, end ? end - 1 : 0);
    bool known = d->last_file && !strcmp(d->last_file, p.file) && p.line <= d->last_line; /* its lines, or the first */
    struct rg_buf text = RG_BUF_INIT;
    if (!known)
        as_written(d->l, at, end, &text);
    else if (e.line > d->last_line && !strcmp(e.file, p.file)) /* `typedef struct {...}`, its name on a further line */
        file_lines(p.file, d->last_line + 1, e.line, &text);
    rg__context_declaration(d->context, text.data ? text.data : "", known);
    rg_buf_release(&text);
    if (helper) rg__context_pin(d->context);
    rg__context_name(d->context, rg__cursor_name(u, c, d->arena));
    struct rg__children kids = rg__cursor_children(u, c, d->arena);
    for (int i = 0; i < kids.n && k == CXCursor_EnumDecl; i++)
        rg__context_name(d->context, rg__cursor_name(u, kids.items[i], d->arena));
    if (!known || e.line > d->last_line) d->last_line = e.line;
    d->last_file = p.file;
    return CXChildVisit_Continue;
}

static bool only_builtin_types(const struct rg_problem *p)
{
    struct rg_buf c = RG_BUF_INIT;
    bool plain = p->n_structs == 0;
    for (int i = 0; i < p->n_params && plain; i++) {
        enum rg_scalar s;
        if (p->params[i].origin == RG_ORIGIN_GLOBAL) continue;
        plain = rg_scalar_parse(p->params[i].c_elem, &s);
    }
    rg_buf_release(&c);
    return plain;
}

/* Structures, members and helpers called `class` or `new`: the words that our text uses for names get others. */
static void cxx_names(struct rg_buf *device, struct rg_arena *a)
{
    struct rg__source s;
    struct rg_buf defines = RG_BUF_INIT;
    rg__source_init(&s, rg_xstrdup(device->data), device->len);
    for (int k = 0; k < s.n_toks; k++) {
        const char *word = rg__tok_text(&s, k, a);
        if (s.toks[k].kind != RG__TOK_IDENT || !rg__c_cxx_word(word) || !strcmp(word, "bool") ||
            !strcmp(word, "true") || !strcmp(word, "false"))
            continue;
        struct rg_buf line = RG_BUF_INIT;
        rg_buf_printf(&line, "#define %s %s_\n", word, word);
        if (!defines.len || !strstr(defines.data, line.data)) rg_buf_str(&defines, line.data);
        rg_buf_release(&line);
    }
    rg__source_release(&s);
    if (defines.len) {
        rg_buf_str(&defines, device->data);
        rg_buf_reset(device);
        rg_buf_str(device, defines.data);
    }
    rg_buf_release(&defines);
}

/* What the device code names of C's library, in front of all of it. */
static void library(struct rg__load *l, struct rg_buf *device)
{
    struct rg_buf body = RG_BUF_INIT, with = RG_BUF_INIT;
    rg_c_print(&body, l->t, l->t->root, NULL);
    for (int i = 0; i < l->p->n_structs; i++) rg_buf_printf(&body, "%s;\n", l->p->structs[i].c_name); /* parameters' */
    const char *texts[] = {device->data, body.data};
    rg__device_library(texts, 2, &with);
    if (with.len) {
        rg_buf_str(&with, device->data);
        rg_buf_reset(device);
        rg_buf_str(device, with.data);
    }
    rg_buf_release(&with);
    rg_buf_release(&body);
}

/* As C's complex types lie in memory. */
static void complex_types(const struct rg_problem *p, struct rg_buf *out)
{
    for (int i = 0; i < p->n_structs; i++)
        if (!strncmp(p->structs[i].c_name, "rg_complex", 10))
            rg_buf_printf(out, "typedef struct { %s re, im; } %s;\n",
                          strchr(p->structs[i].c_name, 'f') ? "float" : "double", p->structs[i].c_name);
}

enum rg_status rg__texts(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    const struct rg__function *f = &l->unit.functions[l->function];
    struct rg_buf own = RG_BUF_INIT, types = RG_BUF_INIT, device = RG_BUF_INIT, context = RG_BUF_INIT;
    struct rg__place at = rg__source_place(&l->unit.src, f->at);
    p->text_line = at.line;
    p->comment_lines = comment_above(at.file, at.line, &own, &p->comment_line);
    as_written(l, f->at, f->end, &own);
    p->function_source = rg_arena_strdup(&p->arena, own.data);
    bool *named = rg_xcalloc((size_t)l->unit.n_functions + 1, sizeof *named);
    needs(&l->unit, l->function, named);
    struct rg__context around;
    rg__context_init(&around, l->o->file, p->cflags);
    struct declarations d = {
        .l = l, .types = &types, .context = &around, .arena = &around.arena, .function = f, .needed = named};
    l->unit.c->visitChildren(l->unit.c->getTranslationUnitCursor(l->unit.tu), top, &d);
    free(named);
    rg__context_follow(&around, own.data);
    rg__context_print(&around, &context);
    p->context_source = rg_arena_strdup(&p->arena, context.data ? context.data : "");
    rg__context_release(&around);
    p->prototype = prototype(l);
    if (l->b.n_carriers || !only_builtin_types(p)) {
        struct rg_buf host = RG_BUF_INIT;
        rg_buf_str(&host, "#include <stddef.h>\n#include <stdint.h>\n#include <stdbool.h>\n");
        complex_types(p, &host);
        rg_buf_str(&host, types.data);
        p->host_decls = rg_arena_strdup(&p->arena, host.data);
        rg_buf_release(&host);
    }
    rg__arguments(l);
    if (p->n_args) {
        struct rg_buf needed = RG_BUF_INIT;
        complex_types(p, &needed);
        rg__argument_types(l, &needed);
        p->auto_decls = rg_arena_strdup(&p->arena, needed.data ? needed.data : "");
        rg_buf_release(&needed);
    }
    rg__device_structs(&l->b, &device);
    rg__device_tables(&l->b, &device);
    rg__device_state_declare(&l->b, &device);
    if (l->b.verbatim) {
        rg_buf_reset(l->b.helper_decls);
        memset(l->b.c_written, 0, (size_t)l->unit.n_functions + 1);
        rg__build_c_callees(&l->b, l->function); /* a body without a tree calls what it calls */
    }
    rg_buf_str(&device, l->b.helper_decls->data);
    cxx_names(&device, &l->p->arena);
    library(l, &device);
    p->device_decls = rg_arena_strdup(&p->arena, device.data);
    rg_buf_release(&own);
    rg_buf_release(&types);
    rg_buf_release(&context);
    rg_buf_release(&device);
    return RG_OK;
}
