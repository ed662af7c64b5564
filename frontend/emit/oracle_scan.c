#include "frontend/emit/oracle_scan.h"
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static unsigned hash(enum rg__name_space space, int scope, const char *text, uint32_t len)
{
    unsigned h = 2166136261u ^ (unsigned)space * 31u ^ (unsigned)scope * 2654435761u;
    for (uint32_t i = 0; i < len; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h;
}

static struct rg__name *find(const struct rg__oracle_scan *o, enum rg__name_space space, int scope, const char *text,
                             uint32_t len)
{
    if (!o->n_buckets) return NULL;
    for (int i = o->bucket[hash(space, scope, text, len) % o->n_buckets]; i >= 0; i = o->names[i].next) {
        struct rg__name *n = &o->names[i];
        if (n->space == space && n->scope == scope && n->len == len && !memcmp(n->text, text, len)) return n;
    }
    return NULL;
}

static struct rg__name *add(struct rg__oracle_scan *o, enum rg__name_space space, int scope, const char *text,
                            uint32_t len)
{
    struct rg__name *n = find(o, space, scope, text, len);
    if (n) return n;
    if ((unsigned)o->n_names >= o->n_buckets) { /* all again into twice as many */
        o->n_buckets = o->n_buckets ? o->n_buckets * 2 : 1024;
        o->bucket = rg_xrealloc(o->bucket, o->n_buckets * sizeof *o->bucket);
        for (unsigned b = 0; b < o->n_buckets; b++) o->bucket[b] = -1;
        for (int i = 0; i < o->n_names; i++) {
            n = &o->names[i];
            int *head = &o->bucket[hash(n->space, n->scope, n->text, n->len) % o->n_buckets];
            n->next = *head;
            *head = i;
        }
    }
    RG_GROW(o->names, o->n_names, o->cap_names);
    int *head = &o->bucket[hash(space, scope, text, len) % o->n_buckets];
    n = &o->names[o->n_names];
    *n = (struct rg__name){.text = text, .len = len, .space = space, .scope = scope, .next = *head};
    *head = o->n_names++;
    return n;
}

struct rg__name *rg__oracle_add(struct rg__oracle_scan *o, enum rg__name_space space, int scope, int tok)
{
    const struct rg__tok *t = &o->s->toks[tok];
    return add(o, space, scope, o->s->text + t->at, t->len);
}

const struct rg__name *rg__oracle_name(const struct rg__oracle_scan *o, enum rg__name_space space, int scope, int tok)
{
    const struct rg__tok *t = &o->s->toks[tok];
    return find(o, space, scope, o->s->text + t->at, t->len);
}

const struct rg__name *rg__oracle_meaning(const struct rg__oracle_scan *o, int tok)
{
    const struct rg__name *n = o->function[tok] >= 0 ? rg__oracle_name(o, RG__NAME_LOCAL, o->function[tok], tok) : NULL;
    return n ? n : rg__oracle_name(o, RG__NAME_GLOBAL, 0, tok);
}

bool rg__oracle_in(const struct rg__source *s, int tok, const char *const *words)
{
    for (; *words; words++)
        if (rg__tok_is(s, tok, *words)) return true;
    return false;
}

/* ---- brackets, regions, functions ---- */

static void match_brackets(struct rg__oracle_scan *o)
{
    const struct rg__source *s = o->s;
    int *open = rg_xmalloc(((size_t)s->n_toks + 1) * sizeof *open), n = 0;
    for (int i = 0; i < s->n_toks; i++) {
        o->match[i] = -1;
        char c = s->toks[i].len == 1 ? s->text[s->toks[i].at] : 0;
        if (c == '(' || c == '[' || c == '{') open[n++] = i;
        char want = c == ')' ? '(' : c == ']' ? '[' : c == '}' ? '{' : 0;
        if (!want) continue;
        /* an unmatched '(' must not swallow the rest: a brace closes over it */
        while (n && c == '}' && s->text[s->toks[open[n - 1]].at] != '{') n--;
        if (!n || s->text[s->toks[open[n - 1]].at] != want) continue;
        o->match[i] = open[--n];
        o->match[open[n]] = i;
    }
    free(open);
}

/* Macros of system headers leave markers of the user's file with the flag "system": what they expand to is part of the
 * user's code. So a file is the user's when any of its markers says so. */
static void find_regions(struct rg__oracle_scan *o)
{
    const struct rg__source *s = o->s;
    for (int m = 0; m < s->n_marks; m++)
        if (!s->marks[m].system) add(o, RG__NAME_FILE, 0, s->marks[m].file, (uint32_t)strlen(s->marks[m].file));
    bool user = true;
    for (int i = 0, m = 0; i < s->n_toks; i++) {
        for (; m < s->n_marks && s->marks[m].at <= s->toks[i].at; m++)
            user = find(o, RG__NAME_FILE, 0, s->marks[m].file, (uint32_t)strlen(s->marks[m].file)) != NULL;
        o->user[i] = user;
    }
}

const char *const rg__oracle_attributes[] = {"__attribute__", "__attribute", "__declspec", "_Alignas",  "__asm__",
                                             "asm",           "__asm",       "_Pragma",    "__nonnull", NULL};

static void find_functions(struct rg__oracle_scan *o)
{
    const struct rg__source *s = o->s;
    for (int i = 0; i < s->n_toks; i++) {
        o->function[i] = -1;
        if (!rg__tok_is(s, i, "{")) continue;
        int close = i - 1; /* of the parameters; attributes may stand between */
        while (rg__tok_is(s, close, ")") && o->match[close] > 0 &&
               rg__oracle_in(s, o->match[close] - 1, rg__oracle_attributes))
            close = o->match[close] - 2;
        int open = rg__tok_is(s, close, ")") ? o->match[close] : -1,
            end = o->match[i] > i ? o->match[i] : s->n_toks - 1;
        if (open > 0 && o->user[i]) {
            RG_GROW(o->functions, o->n_functions, o->cap_functions);
            bool named = s->toks[open - 1].kind == RG__TOK_IDENT;
            o->functions[o->n_functions++] = (struct rg__oracle_function){named ? open - 1 : -1, open, i, end, false};
        }
        if (o->match[i] < 0) return;
        i = o->match[i]; /* structs, initialisers and bodies: file scope goes on behind */
        o->function[i] = -1;
    }
    for (int f = 0; f < o->n_functions; f++)
        for (int i = o->functions[f].open; i <= o->functions[f].to; i++) o->function[i] = f;
}

/* ---- what is reached ---- */

static void reach(struct rg__oracle_scan *o, const char *const *roots)
{
    const struct rg__source *s = o->s;
    int *todo = rg_xmalloc(((size_t)o->n_functions + 1) * sizeof *todo), n = 0;
    for (int f = 0; f < o->n_functions; f++) {
        int name = o->functions[f].name;
        bool root = name < 0 || (!roots && !rg__tok_is(s, name, "main")) || (roots && rg__oracle_in(s, name, roots));
        if (root) {
            o->functions[f].reached = true;
            todo[n++] = f;
        }
    }
    struct rg__oracle_scan index = {.s = s}; /* of functions by name: .types is the function */
    for (int f = 0; f < o->n_functions; f++)
        if (o->functions[f].name >= 0)
            rg__oracle_add(&index, RG__NAME_GLOBAL, 0, o->functions[f].name)->types = (unsigned)f;
    while (n) {
        const struct rg__oracle_function *f = &o->functions[todo[--n]];
        for (int i = f->from; i <= f->to; i++) {
            const struct rg__name *g =
                s->toks[i].kind == RG__TOK_IDENT ? rg__oracle_name(&index, RG__NAME_GLOBAL, 0, i) : NULL;
            if (!g || o->functions[g->types].reached) continue;
            o->functions[g->types].reached = true;
            todo[n++] = (int)g->types;
        }
    }
    free(index.names);
    free(index.bucket);
    free(todo);
}

/* Labels of _Generic, and the functions that tgmath's macro chooses from. */
static void mark_kept(struct rg__oracle_scan *o)
{
    const struct rg__source *s = o->s;
    for (int i = 0; i + 1 < s->n_toks; i++) {
        bool generic = rg__tok_is(s, i, "_Generic"), tgmath = rg__tok_is(s, i, "__builtin_tgmath");
        if ((!generic && !tgmath) || o->match[i + 1] < 0) continue;
        int from = -1;
        for (int k = i + 2; k < o->match[i + 1]; k++) {
            if (rg__tok_is(s, k, ",")) {
                if (tgmath && s->toks[k - 1].kind == RG__TOK_IDENT) o->keep[k - 1] = true;
                from = k + 1;
            } else if (generic && from >= 0 && rg__tok_is(s, k, ":")) {
                for (int j = from; j < k; j++) o->keep[j] = true;
                from = -1;
            } else if (o->match[k] > k) {
                k = o->match[k];
            }
        }
    }
}

void rg__oracle_scan_init(struct rg__oracle_scan *o, const struct rg__source *s, enum rg__oracle_mode mode,
                          const char *const *roots)
{
    memset(o, 0, sizeof *o);
    o->s = s;
    o->mode = mode;
    o->changed = mode == RG__ORACLE_F64 ? RG__T_FLOAT : RG__T_FLOAT | RG__T_DOUBLE;
    size_t n = (size_t)s->n_toks + 1;
    o->nesting = rg_xcalloc(1, sizeof *o->nesting);
    o->match = rg_xcalloc(n, sizeof *o->match);
    o->function = rg_xcalloc(n, sizeof *o->function);
    o->user = rg_xcalloc(n, sizeof *o->user);
    o->keep = rg_xcalloc(n, sizeof *o->keep);
    for (int i = 0; i < s->n_toks; i++) o->function[i] = -1;
    match_brackets(o);
    find_regions(o);
    find_functions(o);
    rg__oracle_declarations(o);
    reach(o, roots);
    mark_kept(o);
}

void rg__oracle_scan_release(struct rg__oracle_scan *o)
{
    free(o->nesting);
    free(o->match);
    free(o->function);
    free(o->user);
    free(o->keep);
    free(o->functions);
    free(o->names);
    free(o->bucket);
    memset(o, 0, sizeof *o);
}
