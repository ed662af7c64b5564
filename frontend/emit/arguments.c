/* How the C function's own arguments lead to the parameters, where these are taken out of structures or tables of row
 * pointers: what the shim puts together (shim.c), the other way round. The exporter writes NAME_auto from it. */
#include "frontend/emit/emit.h"
#include "frontend/infer/reach.h"
#include <stdlib.h>
#include <string.h>

/* "A->" and "im." of a carrier: what stands before a member's name. */
static const char *before_member(struct rg__load *l, int carrier)
{
    const struct rg__carrier *x = &l->b.carriers[carrier];
    struct rg_arena *a = &l->p->arena;
    if (x->parent >= 0)
        return rg_arena_printf(a, "%s%s%s", before_member(l, x->parent), x->path + 1, x->array ? "[rg_k]." : "->");
    for (int i = 0; i < l->b.n_args; i++)
        if (l->b.args[i].carrier == carrier)
            return rg_arena_printf(a, "%s%s", l->p->args[i].name,
                                   x->array               ? "[rg_k]."
                                   : l->b.args[i].address ? "->"
                                                          : ".");
    return "";
}

static const char *own_access(struct rg__load *l, int param)
{
    const struct rg_param *q = &l->p->params[param];
    const struct rg__origin *o = &l->b.origins[param];
    if (o->layout == RG__COLUMN)
        return rg_arena_printf(&l->p->arena, "%s%s", before_member(l, o->parent), o->member + 1);
    return q->access ? q->access : q->name;
}

static const char *access_of(struct rg__load *l, int param)
{
    const struct rg__origin *o = &l->b.origins[param];
    struct rg_arena *a = &l->p->arena;
    const struct rg_param *q = &l->p->params[param];
    if (q->origin != RG_ORIGIN_GLOBAL) return NULL;
    if (q->state && l->p->in_file && o->layout == RG__FIELD)
        return rg_arena_printf(a, "%s.%s", l->b.origins[o->parent].name, o->member);
    if (q->state && l->p->in_file)
        return rg_arena_printf(a, "%s%s", q->kind == RG_PARAM_ARRAY && o->layout == RG__FILE_VALUE ? "&" : "", o->name);
    if (o->layout == RG__LENGTH && l->p->params[o->parent].access)
        return rg_arena_printf(a, "__builtin_strlen((const char *)%s)", l->p->params[o->parent].access);
    if (o->layout == RG__COUNT) return rg_arena_printf(a, "(%s - %s)", o->member, l->b.origins[o->parent].name);
    if (o->layout == RG__REACH) return rg__reach_in_c(l, param, own_access);
    if (o->layout != RG__PART) return NULL;
    bool inside = q->kind == RG_PARAM_ARRAY && !o->pointer;
    const char *before = before_member(l, o->parent);
    if (!*o->member) return rg_arena_printf(a, "*%.*s", (int)(strlen(before) - 2), before);
    return rg_arena_printf(a, "%s%s%s", inside ? "&" : "", before, o->member + 1);
}

/* Does a member's name lead through the table? */
static bool through(const char *name, const char *place)
{
    size_t n = strlen(place);
    return !strncmp(name, place, n) && (name[n] == '[' || name[n] == '-');
}

/* Structures behind file-scope variables, as many as there were when the C was read: the numbers outside of a table are
 * what they were before it is looked into. */
static void tables_reached(struct rg__load *l, struct rg_buf *all)
{
    const struct rg__build *b = &l->b;
    int64_t v;
    bool *said = rg_xcalloc((size_t)l->p->n_params + 1, sizeof *said);
    for (int k = 0; k < b->n_tables; k++) {
        const struct rg__table_at *x = &b->tables[k];
        for (int i = 0; i < l->p->n_params; i++) {
            const char *name = b->origins[i].name;
            bool number = l->p->params[i].origin == RG_ORIGIN_GLOBAL && b->origins[i].layout == RG__FILE_VALUE &&
                          l->p->params[i].kind == RG_PARAM_SCALAR && rg_problem_fixed(l->p, i, &v);
            for (int j = k; number && j < b->n_tables; j++) number = !through(name, b->tables[j].place);
            if (!number || said[i]) continue;
            said[i] = true;
            rg_buf_printf(all, "%s%s == %lld", all->len ? " && " : "", name, (long long)v);
        }
        rg_buf_printf(all, "%s%s", all->len ? " && " : "", x->place);
        for (int64_t i = 0; i < x->count && x->pointers; i++) rg_buf_printf(all, " && %s[%d]", x->place, (int)i);
    }
    free(said);
}

/* Every pointer to a structure is one before a member of what it leads to is read. */
static const char *reached(struct rg__load *l)
{
    struct rg_buf all = RG_BUF_INIT;
    tables_reached(l, &all);
    for (int k = 0; k < l->b.n_carriers; k++) { /* parents come first */
        const char *at = before_member(l, k);
        size_t n = strlen(at);
        if (n < 2 || strcmp(at + n - 2, "->")) continue;
        rg_buf_printf(&all, "%s%.*s", all.len ? " && " : "", (int)(n - 2), at);
    }
    const char *text = all.len ? rg_arena_strdup(&l->p->arena, all.data) : NULL;
    rg_buf_release(&all);
    return text;
}

/* C++ has no restrict, and a caller needs none. */
static const char *without_restrict(struct rg_arena *a, const char *decl)
{
    static const char *const words[] = {"__restrict__", "__restrict", "restrict"};
    char *text = rg_arena_strdup(a, decl);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (char *p = text; (p = strstr(p, words[i])); p++) {
            size_t n = strlen(words[i]);
            bool word = (p == text || strchr(" *\t)", p[-1])) && strchr(" *\t", p[n]);
            if (word) memset(p, ' ', n);
        }
    return text;
}

/* "double *a[n]" as a declaration that needs no n: "double **a". */
static const char *table_decl(struct rg_arena *a, const struct rg_param *q, const char *name, const char *decl)
{
    if (!strchr(decl, '[')) return without_restrict(a, decl);
    return rg_arena_printf(a, "%s%s *%s%s", q->c_const ? "const " : "", q->c_elem, q->n_dims > 2 ? "**" : "*", name);
}

/* Variables that the C file alone names: static ones, members, whose symbol is that of the whole. */
static bool needs_file(struct rg__load *l, int param)
{
    const struct rg__origin *o = &l->b.origins[param];
    return l->p->params[param].state && (o->hidden || strpbrk(o->name, ".[-"));
}

static void note_reach(void *arg, const char *name)
{
    void **x = arg;
    const struct rg__load *l = x[0];
    const int i = rg_problem_param(l->p, name);
    if (i >= 0 && l->b.origins[i].layout == RG__REACH) *(bool *)x[1] = true;
}

/* A member of structures in an array: where each of it lies, and how much there is.
 * "" where C has no text for that. */
static void column(struct rg__load *l, int param)
{
    struct rg_param *q = &l->p->params[param];
    struct rg_arena *a = &l->p->arena;
    const struct rg__origin *o = &l->b.origins[param];
    const char *place = own_access(l, param), *row = NULL;
    bool longest = false; /* stated: as long as the longest row, which others need not be */
    if (o->pointer && !o->rows) rg_expr_names(q->dims[1], note_reach, (void *[]){l, &longest});
    const char *count = rg__size_in_c(l, q->dims[0], own_access), *before = before_member(l, o->parent);
    if (count)
        q->column_count = rg_arena_printf(a, "%.*s ? %s : 0", (int)(strlen(before) - strlen("[rg_k].")), before, count);
    if (o->pointer)
        row = o->rows ? rg__reach_row_in_c(l, o->rows, own_access) : rg__size_in_c(l, q->dims[1], own_access);
    q->column = rg_arena_printf(a, o->pointer ? "(void *)%s" : "(void *)&%s", place);
    q->column_bytes = row ? rg_arena_printf(a, "(%s) * %lld", row, (long long)q->elem_bytes)
                          : rg_arena_printf(a, "(long)sizeof %s", place);
    q->access = rg_arena_printf(a, "rg_column_%s", q->name);
    if (!q->column_count || (o->pointer && !row) || longest)
        q->column = q->column_count = q->column_bytes = ""; /* NAME_auto is refused */
}

/* Strings behind a table of pointers. */
static void strings(struct rg__load *l, int param)
{
    struct rg_param *q = &l->p->params[param];
    struct rg_arena *a = &l->p->arena;
    const char *of = q->access ? q->access : q->name, *count = rg__size_in_c(l, q->dims[0], own_access);
    const bool own = q->origin == RG_ORIGIN_ARG && !q->access && count;
    q->column = own ? rg_arena_printf(a, "(void *)%s[rg_k]", of) : "";
    q->column_count = own ? rg_arena_printf(a, "%s ? %s : 0", of, count) : "";
    q->column_bytes =
        own ? rg_arena_printf(a, "(%1$s[rg_k] ? (long)__builtin_strlen((const char *)%1$s[rg_k]) + 1 : 0)", of) : "";
    if (own) q->access = rg_arena_printf(a, "rg_column_%s", q->name);
}

void rg__arguments(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    struct rg_arena *a = &p->arena;
    const struct rg__clang *c = l->unit.c;
    bool needed = false;
    for (int i = 0; i < p->n_params; i++) {
        p->params[i].c_pointer = p->params[i].origin == RG_ORIGIN_GLOBAL && l->b.origins[i].layout == RG__FILE_POINTER;
        enum { OF_FILE = 1 << RG__FILE_VALUE | 1 << RG__FILE_ARRAY | 1 << RG__FILE_POINTER };
        p->params[i].state = p->params[i].origin == RG_ORIGIN_GLOBAL && (OF_FILE >> l->b.origins[i].layout & 1) &&
                             !l->b.origins[i].outside;
        if (l->b.origins[i].layout == RG__FIELD) /* behind its structure, of which it is a member */
            p->params[i].state = p->params[l->b.origins[i].parent].state;
        needed |= p->params[i].indirect;
        p->in_file |= needs_file(l, i);
    }
    p->in_file |= l->unit.functions[l->function].is_static;
    needed |= p->in_file;
    if (!needed) return;
    p->args = rg_arena_alloc(a, (size_t)(l->b.n_args + 1) * sizeof *p->args);
    struct rg__children kids = rg__cursor_children(&l->unit, l->unit.functions[l->function].cursor, a);
    for (int i = 0; i < kids.n && p->n_args < l->b.n_args; i++) {
        if (c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        const struct rg__arg *x = &l->b.args[p->n_args];
        const struct rg_param *q = x->param >= 0 ? &p->params[x->param] : NULL;
        const char *name = rg__cursor_name(&l->unit, kids.items[i], a);
        if (q && !*name) name = q->name;
        bool pointer = x->end_of >= 0 || (q ? q->kind == RG_PARAM_ARRAY
                                          : x->carrier >= 0 && l->b.carriers[x->carrier].array ? true
                                                                                               : x->address);
        const char *type = pointer ? "void *"
                           : q     ? (q->elem == RG_STRUCT ? q->c_elem : rg_scalar_c(q->elem))
                                   : l->b.carriers[x->carrier].type;
        p->args[p->n_args++] = (struct rg_arg){
            name, q && q->rows ? table_decl(a, q, name, x->c_decl) : without_restrict(a, x->c_decl), type, x->param};
    }
    for (int i = 0; i < p->n_params; i++) p->params[i].access = access_of(l, i); /* a string comes before its length */
    for (int i = 0; i < p->n_params; i++)
        if (l->b.origins[i].layout == RG__COLUMN)
            column(l, i);
        else if (l->b.origins[i].text && l->b.origins[i].rows)
            strings(l, i);
    p->reached = reached(l);
}

struct types {
    struct rg__load *l;
    uint32_t end; /* of what is looked at: the function's */
    int n, cap;
    struct type {
        uint32_t at, end;
        struct rg_buf text, names; /* "\ncsr\ncsr_t\n" */
        bool needed;
    } * all;
    struct rg_buf names; /* of a structure inside a typedef that comes next */
};

static enum CXChildVisitResult constants(CXCursor c, CXCursor parent, CXClientData data)
{
    struct types *t = data;
    struct rg__unit *u = &t->l->unit;
    if (u->c->getCursorKind(c) == CXCursor_EnumConstantDecl)
        rg_buf_printf(&t->names, "%s\n", rg__cursor_name(u, c, &t->l->p->arena));
    return CXChildVisit_Recurse;
}

/* Behind attributes that follow a closing brace. */
static int past_attributes(const struct rg__source *s, int k)
{
    while (rg__tok_is(s, k, "__attribute__") || rg__tok_is(s, k, "__attribute")) {
        int depth = 0;
        for (k++; k < s->n_toks; k++) {
            depth += rg__tok_is(s, k, "(");
            if (rg__tok_is(s, k, ")") && --depth == 0) break;
        }
        k++;
    }
    return k;
}

static enum CXChildVisitResult type_at_top(CXCursor c, CXCursor parent, CXClientData data)
{
    struct types *t = data;
    struct rg__unit *u = &t->l->unit;
    const struct rg__source *s = &u->src;
    enum CXCursorKind k = u->c->getCursorKind(c);
    uint32_t at = rg__cursor_at(u, c);
    if (at >= t->end ||
        (k != CXCursor_StructDecl && k != CXCursor_UnionDecl && k != CXCursor_EnumDecl && k != CXCursor_TypedefDecl))
        return CXChildVisit_Continue;
    rg_buf_printf(&t->names, "%s\n", rg__cursor_name(u, c, &t->l->p->arena));
    u->c->visitChildren(c, constants, t);
    int next = past_attributes(s, rg__tok_from(s, rg__cursor_end(u, c))), before = rg__tok_from(s, at) - 1;
    while (rg__tok_is(s, before, "const") || rg__tok_is(s, before, "volatile") ||
           rg__tok_is(s, before, "__extension__"))
        before--;
    if (k != CXCursor_TypedefDecl && rg__tok_is(s, before, "typedef"))
        return CXChildVisit_Continue; /* the typedef's text has it */
    RG_GROW(t->all, t->n, t->cap);
    struct type *x = &t->all[t->n++];
    *x = (struct type){at, 0, RG_BUF_INIT, t->names, false};
    t->names = (struct rg_buf)RG_BUF_INIT;
    x->end = next < s->n_toks ? s->toks[next].at : rg__cursor_end(u, c);
    rg__source_slice(s, x->at, x->end, &x->text);
    return CXChildVisit_Continue;
}

static bool names_word(const char *text, const char *word, size_t n)
{
    for (const char *p = text; n && (p = strstr(p, word)); p++) {
        const char *letters = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        if ((p == text || !strchr(letters, p[-1])) && (!p[n] || !strchr(letters, p[n]))) return true;
    }
    return false;
}

static bool declares_a_word_of(const struct type *x, const char *text)
{
    for (const char *name = x->names.data, *end; name && (end = strchr(name, '\n')); name = end + 1) {
        char *word = rg_xstrndup(name, (size_t)(end - name));
        bool found = names_word(text, word, (size_t)(end - name));
        free(word);
        if (found) return true;
    }
    return false;
}

void rg__argument_types(struct rg__load *l, struct rg_buf *out)
{
    struct types t = {.l = l, .end = l->unit.functions[l->function].end};
    l->unit.c->visitChildren(l->unit.c->getTranslationUnitCursor(l->unit.tu), type_at_top, &t);
    struct rg_buf uses = RG_BUF_INIT;
    for (int i = 0; i < l->p->n_args; i++) rg_buf_printf(&uses, "%s; %s;\n", l->p->args[i].c_decl, l->p->args[i].type);
    for (int i = 0; i < l->p->n_params; i++) rg_buf_printf(&uses, "%s;\n", l->p->params[i].c_elem);
    for (bool more = true; more;) { /* what a needed one names is needed, wherever it stands */
        more = false;
        for (int i = t.n - 1; i >= 0; i--) {
            struct type *x = &t.all[i];
            if (x->needed || !declares_a_word_of(x, uses.data ? uses.data : "")) continue;
            x->needed = more = true;
            rg_buf_printf(&uses, "%s;\n", x->text.data);
        }
    }
    for (int i = 0; i < t.n; i++) {
        if (t.all[i].needed) rg_buf_printf(out, "%s;\n", t.all[i].text.data);
        rg_buf_release(&t.all[i].text);
        rg_buf_release(&t.all[i].names);
    }
    free(t.all);
    rg_buf_release(&t.names);
    rg_buf_release(&uses);
}
