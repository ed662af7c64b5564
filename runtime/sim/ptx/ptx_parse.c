/* Module level of PTX: directives, variables with initialisers, function headers. */
#include "runtime/sim/ptx/ptx_parser.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    int bytes;
} types[PTX_N_TYPES] = {
#define X(name, word, bytes) [PTX_##name] = {word, bytes},
    PTX_TYPE_MAP(X)
#undef X
};
const char *rg__ptx_type_word(enum ptx_type t)
{
    return types[t].word;
}
int rg__ptx_type_bytes(enum ptx_type t)
{
    return types[t].bytes;
}
int rg__ptx_type_parse(const char *word, size_t n)
{
    for (int i = 1; i < PTX_N_TYPES; i++)
        if (strlen(types[i].word) == n && memcmp(types[i].word, word, n) == 0) return i;
    return -1;
}

enum rg_status rg__ptx_fail(struct ptx_parser *p, const char *fmt, ...)
{
    char text[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return rg_error_at(p->err, RG_INPUT, "ptx", p->l.t.line, 0, "%s", text);
}

enum rg_status rg__ptx_expect(struct ptx_parser *p, char c)
{
    if (p->l.t.kind == PTX_T_END) return rg__ptx_fail(p, "'%c' expected before the end", c);
    if (!ptx_at_char(&p->l, c))
        return rg__ptx_fail(p, "'%c' expected before '%.*s'", c, (int)(p->l.t.n < 40 ? p->l.t.n : 40), p->l.t.text);
    rg__ptx_lex_next(&p->l);
    return RG_OK;
}

static unsigned hash(const char *s, size_t n)
{
    unsigned h = 2166136261u;
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h % PTX_BUCKETS;
}

struct ptx_symbol *rg__ptx_symbol_add(struct ptx_parser *p, const char *name, size_t n, enum ptx_symbol_kind kind)
{
    RG_GROW(p->symbols, p->n_symbols, p->cap_symbols);
    struct ptx_symbol *s = &p->symbols[p->n_symbols];
    memset(s, 0, sizeof *s);
    s->name = name;
    s->n = n;
    s->kind = kind;
    s->bucket = (int)hash(name, n);
    s->next = p->buckets[s->bucket];
    p->buckets[s->bucket] = p->n_symbols++;
    return s;
}

const struct ptx_symbol *rg__ptx_symbol_find(struct ptx_parser *p, const char *name, size_t n)
{
    for (int i = p->buckets[hash(name, n)]; i >= 0; i = p->symbols[i].next)
        if (p->symbols[i].n == n && memcmp(p->symbols[i].name, name, n) == 0 && p->symbols[i].kind != PTX_S_REG_RANGE)
            return &p->symbols[i];
    return NULL;
}

void rg__ptx_symbols_drop(struct ptx_parser *p, int keep)
{
    while (p->n_symbols > keep) {
        struct ptx_symbol *s = &p->symbols[--p->n_symbols];
        p->buckets[s->bucket] = s->next;
    }
}

enum rg_status rg__ptx_skip_statement(struct ptx_parser *p)
{
    while (!ptx_at_char(&p->l, ';')) {
        if (p->l.t.kind == PTX_T_END) return rg__ptx_fail(p, "';' expected before the end");
        rg__ptx_lex_next(&p->l);
    }
    rg__ptx_lex_next(&p->l);
    return RG_OK;
}

static enum rg_status integer(struct ptx_parser *p, int64_t lo, int64_t hi, int64_t *out)
{
    *out = 0;
    if (p->l.t.kind != PTX_T_INT || p->l.t.bits > (uint64_t)hi || (int64_t)p->l.t.bits < lo)
        return rg__ptx_fail(p, "an integer in %lld..%lld expected", (long long)lo, (long long)hi);
    *out = (int64_t)p->l.t.bits;
    rg__ptx_lex_next(&p->l);
    return RG_OK;
}

enum rg_status rg__ptx_loc(struct ptx_parser *p)
{
    int64_t file, line, col;
    rg__ptx_lex_next(&p->l);
    enum rg_status s;
    if ((s = integer(p, 0, 1 << 20, &file)) || (s = integer(p, 0, INT32_MAX, &line)) ||
        (s = integer(p, 0, INT32_MAX, &col)))
        return s;
    /* A header's line helps nobody: keep the place in the kernel's own file where the call was inlined. */
    if (!p->home_file) p->home_file = (int)file;
    bool chosen = file == p->home_file && line > 0;
    if (chosen) p->cuda_file = (int)file, p->cuda_line = (int)line;
    while (ptx_at_char(&p->l, ',')) {
        rg__ptx_lex_next(&p->l);
        if (rg__ptx_at_word(&p->l, PTX_T_WORD, "inlined_at")) {
            rg__ptx_lex_next(&p->l);
            if ((s = integer(p, 0, 1 << 20, &file)) || (s = integer(p, 0, INT32_MAX, &line)) ||
                (s = integer(p, 0, INT32_MAX, &col)))
                return s;
            if (!chosen && file == p->home_file && line > 0) {
                p->cuda_file = (int)file;
                p->cuda_line = (int)line;
                chosen = true;
            }
        } else { /* function_name label [+ n] */
            while (p->l.t.kind == PTX_T_WORD || p->l.t.kind == PTX_T_INT || ptx_at_char(&p->l, '+'))
                rg__ptx_lex_next(&p->l);
        }
    }
    return RG_OK;
}

static int space_of(const struct ptx_lexer *l)
{
    if (rg__ptx_at_word(l, PTX_T_DOT, "global")) return PTX_GLOBAL;
    if (rg__ptx_at_word(l, PTX_T_DOT, "shared")) return PTX_SHARED;
    if (rg__ptx_at_word(l, PTX_T_DOT, "local")) return PTX_LOCAL;
    if (rg__ptx_at_word(l, PTX_T_DOT, "const")) return PTX_CONST;
    if (rg__ptx_at_word(l, PTX_T_DOT, "param")) return PTX_PARAM;
    return -1;
}

/* .space [.align n] [.ptr ...] [.v2] .type name [dims] */
static enum rg_status declarator(struct ptx_parser *p, struct ptx_var **out, bool *array_open)
{
    struct ptx_var *v = rg_arena_alloc(&p->m->arena, sizeof *v);
    int space = space_of(&p->l);
    if (space < 0) return rg__ptx_fail(p, "a state space expected");
    v->space = (enum ptx_space)space;
    v->line = p->l.t.line;
    rg__ptx_lex_next(&p->l);
    int64_t n, lanes = 1;
    enum rg_status s;
    while (p->l.t.kind == PTX_T_DOT) {
        int t = rg__ptx_type_parse(p->l.t.text, p->l.t.n);
        if (t > 0) {
            v->type = (enum ptx_type)t;
            rg__ptx_lex_next(&p->l);
        } else if (rg__ptx_at_word(&p->l, PTX_T_DOT, "align")) {
            rg__ptx_lex_next(&p->l);
            if ((s = integer(p, 1, 1 << 16, &n))) return s;
            if (n & (n - 1)) return rg__ptx_fail(p, "alignment %lld is no power of two", (long long)n);
            /* in ".ptr .align 4" it is the pointee's: a parameter's own size and natural alignment rule */
            if (v->space != PTX_PARAM || !v->type || v->type == PTX_B8 || n > v->align) v->align = (int)n;
        } else if (rg__ptx_at_word(&p->l, PTX_T_DOT, "ptr")) {
            rg__ptx_lex_next(&p->l);
            while (space_of(&p->l) >= 0 || rg__ptx_at_word(&p->l, PTX_T_DOT, "align")) {
                bool align = rg__ptx_at_word(&p->l, PTX_T_DOT, "align");
                rg__ptx_lex_next(&p->l);
                if (align && (s = integer(p, 1, 1 << 16, &n))) return s;
            }
        } else if (rg__ptx_at_word(&p->l, PTX_T_DOT, "v2") || rg__ptx_at_word(&p->l, PTX_T_DOT, "v4")) {
            lanes = p->l.t.text[1] - '0';
            rg__ptx_lex_next(&p->l);
        } else if (rg__ptx_at_word(&p->l, PTX_T_DOT, "attribute")) {
            while (p->l.t.kind != PTX_T_END && !ptx_at_char(&p->l, ')')) rg__ptx_lex_next(&p->l);
            rg__ptx_lex_next(&p->l);
        } else {
            return rg__ptx_fail(p, "unknown word '.%.*s' in a declaration", (int)(p->l.t.n < 40 ? p->l.t.n : 40),
                                p->l.t.text);
        }
    }
    if (!v->type || !rg__ptx_type_bytes(v->type)) return rg__ptx_fail(p, "a declaration without a storable type");
    if (p->l.t.kind != PTX_T_WORD) return rg__ptx_fail(p, "a name expected");
    v->name = rg_arena_strndup(&p->m->arena, p->l.t.text, p->l.t.n);
    rg__ptx_lex_next(&p->l);
    int elem = rg__ptx_type_bytes(v->type);
    if (v->align < elem) v->align = elem;
    int64_t count = lanes;
    *array_open = false;
    while (ptx_at_char(&p->l, '[')) {
        rg__ptx_lex_next(&p->l);
        if (ptx_at_char(&p->l, ']')) {
            *array_open = true;
            count = 0;
        } else {
            if ((s = integer(p, 0, (int64_t)1 << 40, &n))) return s;
            if (n && count > ((int64_t)1 << 40) / n) return rg__ptx_fail(p, "array '%s' is too large", v->name);
            count *= n;
        }
        if ((s = rg__ptx_expect(p, ']'))) return s;
    }
    v->bytes = count * elem;
    *out = v;
    return RG_OK;
}

enum rg_status rg__ptx_parameter(struct ptx_parser *p, struct ptx_var **out)
{
    bool open;
    return declarator(p, out, &open);
}

static enum rg_status init_value(struct ptx_parser *p, struct ptx_var *v, size_t *at)
{
    int bytes = rg__ptx_type_bytes(v->type);
    struct ptx_init i = {*at, bytes, 0, NULL};
    bool negative = false;
    if (ptx_at_char(&p->l, '-')) negative = true, rg__ptx_lex_next(&p->l);
    struct ptx_token t = p->l.t;
    enum rg_status s;
    if (t.kind == PTX_T_INT)
        i.bits = negative ? -t.bits : t.bits;
    else if (t.kind == PTX_T_F32 || t.kind == PTX_T_F64) {
        double d;
        if (t.kind == PTX_T_F32) {
            float f;
            uint32_t u = (uint32_t)t.bits;
            memcpy(&f, &u, 4);
            d = f;
        } else
            memcpy(&d, &t.bits, 8);
        if (negative) d = -d;
        if (v->type == PTX_F32) {
            float f = (float)d;
            uint32_t u;
            memcpy(&u, &f, 4);
            i.bits = u;
            if (t.kind == PTX_T_F32 && !negative) i.bits = t.bits; /* keeps NaN payloads */
        } else
            memcpy(&i.bits, &d, 8);
    } else if (t.kind == PTX_T_WORD) {
        bool generic = rg__ptx_at_word(&p->l, PTX_T_WORD, "generic");
        if (generic) {
            rg__ptx_lex_next(&p->l);
            if ((s = rg__ptx_expect(p, '('))) return s;
            t = p->l.t;
            if (t.kind != PTX_T_WORD) return rg__ptx_fail(p, "a variable expected");
        }
        i.symbol = rg_arena_strndup(&p->m->arena, t.text, t.n);
        if (generic) {
            rg__ptx_lex_next(&p->l);
            if (!ptx_at_char(&p->l, ')')) return rg__ptx_fail(p, "')' expected");
        }
    } else {
        return rg__ptx_fail(p, "an initial value expected before '%.*s'", (int)(t.n < 40 ? t.n : 40), t.text);
    }
    rg__ptx_lex_next(&p->l);
    while (i.symbol && (ptx_at_char(&p->l, '+') || ptx_at_char(&p->l, '-'))) {
        bool minus = p->l.t.c == '-';
        int64_t add;
        rg__ptx_lex_next(&p->l);
        if ((s = integer(p, 0, INT64_MAX, &add))) return s;
        i.bits += minus ? -(uint64_t)add : (uint64_t)add;
    }
    if (i.symbol && bytes != 8)
        return rg__ptx_fail(p, "an address needs 8 bytes, '%s' has elements of %d", v->name, bytes);
    *at += (size_t)bytes;
    RG_GROW(v->init, v->n_init, v->cap_init);
    v->init[v->n_init++] = i;
    return RG_OK;
}

static enum rg_status initialiser(struct ptx_parser *p, struct ptx_var *v, size_t *at)
{
    enum rg_status s;
    int depth = 0;
    do {
        while (ptx_at_char(&p->l, '{')) depth++, rg__ptx_lex_next(&p->l);
        if (!ptx_at_char(&p->l, '}') && (s = init_value(p, v, at))) return s;
        while (depth && ptx_at_char(&p->l, '}')) depth--, rg__ptx_lex_next(&p->l);
        if (!depth) return RG_OK;
        if ((s = rg__ptx_expect(p, ','))) return s;
    } while (1);
}

enum rg_status rg__ptx_variables(struct ptx_parser *p, struct ptx_func *f, bool is_extern)
{
    bool open;
    struct ptx_var *v;
    enum rg_status s = declarator(p, &v, &open);
    if (s) return s;
    for (;;) {
        v->is_extern = is_extern;
        if (ptx_at_char(&p->l, '=')) {
            size_t at = 0;
            rg__ptx_lex_next(&p->l);
            s = initialiser(p, v, &at);
            if (!s && open) v->bytes = (int64_t)at;
            if (!s && (int64_t)at > v->bytes) s = rg__ptx_fail(p, "too many initial values for '%s'", v->name);
            if (s) {
                free(v->init);
                return s;
            }
        }
        if (f) {
            RG_GROW(f->vars, f->n_vars, f->cap_vars);
            f->vars[f->n_vars++] = v;
        } else {
            RG_GROW(p->m->vars, p->m->n_vars, p->m->cap_vars);
            p->m->vars[p->m->n_vars++] = v;
        }
        rg__ptx_symbol_add(p, v->name, strlen(v->name), PTX_S_VAR)->var = v;
        if (!ptx_at_char(&p->l, ',')) break;
        rg__ptx_lex_next(&p->l); /* "a, b[3]" shares space, alignment and type */
        struct ptx_var *w = rg_arena_alloc(&p->m->arena, sizeof *w);
        w->space = v->space;
        w->type = v->type;
        w->align = v->align;
        w->line = p->l.t.line;
        if (p->l.t.kind != PTX_T_WORD) return rg__ptx_fail(p, "a name expected");
        w->name = rg_arena_strndup(&p->m->arena, p->l.t.text, p->l.t.n);
        w->bytes = rg__ptx_type_bytes(w->type);
        rg__ptx_lex_next(&p->l);
        if (ptx_at_char(&p->l, '[')) {
            int64_t n;
            rg__ptx_lex_next(&p->l);
            if ((s = integer(p, 0, (int64_t)1 << 36, &n)) || (s = rg__ptx_expect(p, ']'))) return s;
            w->bytes *= n;
        }
        v = w;
        open = false;
    }
    return rg__ptx_expect(p, ';');
}

static enum rg_status parameter_list(struct ptx_parser *p, struct ptx_var ***list, int *n, int *cap)
{
    enum rg_status s = rg__ptx_expect(p, '(');
    while (!s && !ptx_at_char(&p->l, ')')) {
        struct ptx_var *v;
        if (rg__ptx_at_word(&p->l, PTX_T_DOT, "reg")) return rg__ptx_fail(p, "register parameters are not supported");
        if ((s = rg__ptx_parameter(p, &v))) return s;
        RG_GROW(*list, *n, *cap);
        (*list)[(*n)++] = v;
        if (!ptx_at_char(&p->l, ')')) s = rg__ptx_expect(p, ',');
    }
    return s ? s : rg__ptx_expect(p, ')');
}

static enum rg_status function(struct ptx_parser *p, bool is_entry)
{
    struct ptx_func *f = rg_arena_alloc(&p->m->arena, sizeof *f);
    RG_GROW(p->m->funcs, p->m->n_funcs, p->m->cap_funcs);
    p->m->funcs[p->m->n_funcs++] = f;
    f->is_entry = is_entry;
    rg__ptx_lex_next(&p->l);
    enum rg_status s;
    f->name = "?";
    if (ptx_at_char(&p->l, '(') && (s = parameter_list(p, &f->rets, &f->n_rets, &f->cap_rets))) return s;
    if (p->l.t.kind != PTX_T_WORD) return rg__ptx_fail(p, "a function name expected");
    f->name = rg_arena_strndup(&p->m->arena, p->l.t.text, p->l.t.n);
    f->line = p->l.t.line;
    rg__ptx_lex_next(&p->l);
    if (ptx_at_char(&p->l, '(') && (s = parameter_list(p, &f->params, &f->n_params, &f->cap_params))) return s;
    int64_t at = 0;
    for (int i = 0; i < f->n_params; i++) {
        struct ptx_var *v = f->params[i];
        at = (at + v->align - 1) / v->align * v->align;
        v->offset = at;
        at += v->bytes;
        if (at > 32768) return rg__ptx_fail(p, "more than 32 KB of parameters");
    }
    f->param_bytes = at;
    while (p->l.t.kind == PTX_T_DOT) { /* performance directives */
        int64_t n[3] = {1, 1, 1};
        bool maxntid = rg__ptx_at_word(&p->l, PTX_T_DOT, "maxntid") || rg__ptx_at_word(&p->l, PTX_T_DOT, "reqntid");
        if (rg__ptx_at_word(&p->l, PTX_T_DOT, "explicitcluster") ||
            rg__ptx_at_word(&p->l, PTX_T_DOT, "reqnctapercluster"))
            f->uses_cluster = true;
        rg__ptx_lex_next(&p->l);
        for (int i = 0; p->l.t.kind == PTX_T_INT; i++) {
            int64_t v;
            if ((s = integer(p, 0, INT32_MAX, &v))) return s;
            if (i < 3) n[i] = v;
            if (ptx_at_char(&p->l, ',')) rg__ptx_lex_next(&p->l);
        }
        if (maxntid) f->max_threads = n[0] * n[1] * n[2] > 1024 ? 1024 : (int)(n[0] * n[1] * n[2]);
    }
    rg__ptx_symbol_add(p, f->name, strlen(f->name), PTX_S_FUNC);
    if (ptx_at_char(&p->l, ';')) {
        rg__ptx_lex_next(&p->l);
        return RG_OK;
    }
    return rg__ptx_body(p, f);
}

static enum rg_status section(struct ptx_parser *p) /* .section name { ... } */
{
    while (!ptx_at_char(&p->l, '{')) {
        if (p->l.t.kind == PTX_T_END) return rg__ptx_fail(p, "'{' expected after .section");
        rg__ptx_lex_next(&p->l);
    }
    while (!ptx_at_char(&p->l, '}')) {
        if (p->l.t.kind == PTX_T_END) return rg__ptx_fail(p, "'}' expected at the end of .section");
        rg__ptx_lex_next(&p->l);
    }
    rg__ptx_lex_next(&p->l);
    return RG_OK;
}

static enum rg_status file_directive(struct ptx_parser *p)
{
    int64_t number, ignored;
    rg__ptx_lex_next(&p->l);
    enum rg_status s = integer(p, 0, 1 << 20, &number);
    if (s) return s;
    if (p->l.t.kind != PTX_T_STRING) return rg__ptx_fail(p, "a file name expected");
    RG_GROW(p->m->files, p->m->n_files, p->m->cap_files);
    p->m->files[p->m->n_files].number = (int)number;
    p->m->files[p->m->n_files++].name = rg_arena_strndup(&p->m->arena, p->l.t.text, p->l.t.n);
    rg__ptx_lex_next(&p->l);
    while (ptx_at_char(&p->l, ',')) {
        rg__ptx_lex_next(&p->l);
        if ((s = integer(p, 0, INT64_MAX, &ignored))) return s;
    }
    return RG_OK;
}

static enum rg_status module(struct ptx_parser *p)
{
    bool is_extern = false;
    enum rg_status s = RG_OK;
    while (!s && p->l.t.kind != PTX_T_END) {
        if (ptx_at_char(&p->l, ';')) {
            rg__ptx_lex_next(&p->l);
            continue;
        }
        if (p->l.t.kind != PTX_T_DOT)
            return rg__ptx_fail(p, "a directive expected before '%.*s'", (int)(p->l.t.n < 40 ? p->l.t.n : 40),
                                p->l.t.text);
        if (rg__ptx_at_word(&p->l, PTX_T_DOT, "version")) {
            rg__ptx_lex_next(&p->l);
            rg__ptx_lex_next(&p->l);
        } else if (rg__ptx_at_word(&p->l, PTX_T_DOT, "target")) {
            rg__ptx_lex_next(&p->l);
            while (p->l.t.kind == PTX_T_WORD) {
                rg__ptx_lex_next(&p->l);
                if (!ptx_at_char(&p->l, ',')) break;
                rg__ptx_lex_next(&p->l);
            }
        } else if (rg__ptx_at_word(&p->l, PTX_T_DOT, "address_size")) {
            rg__ptx_lex_next(&p->l);
            if (p->l.t.bits != 64) return rg__ptx_fail(p, "only 64-bit addresses are supported");
            rg__ptx_lex_next(&p->l);
        } else if (rg__ptx_at_word(&p->l, PTX_T_DOT, "extern")) {
            is_extern = true;
            rg__ptx_lex_next(&p->l);
            continue;
        } else if (rg__ptx_at_word(&p->l, PTX_T_DOT, "visible") || rg__ptx_at_word(&p->l, PTX_T_DOT, "weak") ||
                   rg__ptx_at_word(&p->l, PTX_T_DOT, "common")) {
            rg__ptx_lex_next(&p->l);
            continue;
        } else if (rg__ptx_at_word(&p->l, PTX_T_DOT, "entry")) {
            s = function(p, true);
        } else if (rg__ptx_at_word(&p->l, PTX_T_DOT, "func")) {
            s = function(p, false);
        } else if (rg__ptx_at_word(&p->l, PTX_T_DOT, "file")) {
            s = file_directive(p);
        } else if (rg__ptx_at_word(&p->l, PTX_T_DOT, "loc")) {
            s = rg__ptx_loc(p);
        } else if (rg__ptx_at_word(&p->l, PTX_T_DOT, "section")) {
            s = section(p);
        } else if (rg__ptx_at_word(&p->l, PTX_T_DOT, "pragma") || rg__ptx_at_word(&p->l, PTX_T_DOT, "alias")) {
            s = rg__ptx_skip_statement(p);
        } else {
            s = rg__ptx_variables(p, NULL, is_extern);
        }
        is_extern = false;
    }
    return s;
}

enum rg_status rg__ptx_parse(const char *text, size_t len, struct ptx_module **out, struct rg_error *err)
{
    *out = NULL;
    if (len > PTX_MAX_TEXT) return rg_error_set(err, RG_LIMIT, "PTX of more than %d MB", PTX_MAX_TEXT >> 20);
    struct ptx_parser *p = rg_xcalloc(1, sizeof *p);
    p->m = rg_xcalloc(1, sizeof *p->m);
    p->err = err;
    memset(p->buckets, -1, sizeof p->buckets);
    rg__ptx_lex_start(&p->l, text, len);
    enum rg_status s = module(p);
    struct ptx_module *m = p->m;
    free(p->symbols);
    free(p->refs);
    free(p->labels);
    free(p);
    if (s) {
        rg__ptx_free(m);
        return s;
    }
    rg__ptx_mark_recursive(m);
    *out = m;
    return RG_OK;
}

void rg__ptx_free(struct ptx_module *m)
{
    if (!m) return;
    for (int i = 0; i < m->n_funcs; i++) {
        struct ptx_func *f = m->funcs[i];
        for (int k = 0; k < f->n_vars; k++) free(f->vars[k]->init);
        free(f->params);
        free(f->rets);
        free(f->reg_types);
        free(f->vars);
        free(f->labels);
        free(f->insts);
    }
    for (int i = 0; i < m->n_vars; i++) free(m->vars[i]->init);
    free(m->vars);
    free(m->funcs);
    free(m->files);
    rg_arena_release(&m->arena);
    free(m);
}

struct ptx_func *rg__ptx_find(const struct ptx_module *m, const char *name)
{
    struct ptx_func *found = NULL; /* a definition after a declaration wins */
    for (int i = 0; i < m->n_funcs; i++)
        if (!strcmp(m->funcs[i]->name, name) && (!found || m->funcs[i]->has_body)) found = m->funcs[i];
    return found;
}
