/* Inputs as the file's own program makes them: copies of the functions on the way from main() to its call of the
 * function, in which that call takes what it is passed, and what file-scope variables hold, as the problem's inputs,
 * and ends the program. The numbers in their text can be divided, so that the program also makes smaller inputs. */
#include "frontend/infer/reach.h"
#include "frontend/emit/program.h"
#include "frontend/emit/emit.h"
#include "frontend/infer/infer.h"
#include <stdlib.h>
#include <string.h>

enum { LEAST = 16, MOST_EDITS = 256, MOST_ARGS = 64, MOST_NAMED = 128, MOST_NESTED = 4 };

struct edit { /* text that goes in at a byte of the file */
    uint32_t at;
    const char *text;
};

struct named { /* [at, end): a constant of an unnamed enumeration stands there; or the number of elements of an array */
    uint32_t at, end;
    uint32_t from, to; /* the constant's own text; both 0 for an array */
};

struct copy {
    struct rg__load *l;
    struct rg_buf *out;
    int n_edits, n_named, n_numbers;
    struct edit edits[MOST_EDITS];
    struct named named[MOST_NAMED];
    struct number {
        long long value;
        uint32_t at; /* of a named constant's text; 0: wherever the number itself is written */
    } numbers[RG__PROGRAM_NUMBERS];
    bool names_only; /* numbers that are written as such stay */
    bool failed;
};

/* ---- what the parameters are where the function is called ---- */

static const char *arg_name(const struct rg__load *l, int k)
{
    const struct rg__build *b = &l->b;
    struct rg__children kids = rg__cursor_children(&l->unit, l->unit.functions[l->function].cursor, &l->p->arena);
    for (int i = 0, n = 0; i < kids.n; i++)
        if (b->c->getCursorKind(kids.items[i]) == CXCursor_ParmDecl && n++ == k)
            return rg__cursor_name(&l->unit, kids.items[i], &l->p->arena);
    return NULL;
}

static const char *carrier_text(struct rg__load *l, int carrier)
{
    const struct rg__carrier *x = &l->b.carriers[carrier];
    if (x->parent >= 0) {
        const char *above = carrier_text(l, x->parent);
        return above ? rg_arena_printf(&l->p->arena, x->array ? "%s%s[rg_k]" : "(*%s%s)", above, x->path) : NULL;
    }
    for (int k = 0; k < l->b.n_args; k++) {
        const char *name = l->b.args[k].carrier == carrier && l->b.args[k].param < 0 ? arg_name(l, k) : NULL;
        if (name)
            return rg_arena_printf(&l->p->arena, x->array ? "%s[rg_k]" : l->b.args[k].address ? "(*%s)" : "%s", name);
    }
    return NULL;
}

/* The parameter in C, at that call; NULL: no expression says it. */
static const char *param_text(struct rg__load *l, int i)
{
    const struct rg__origin *o = &l->b.origins[i];
    const struct rg_param *q = &l->p->params[i];
    if (q->origin == RG_ORIGIN_ARG) {
        for (int k = 0; k < l->b.n_args; k++)
            if (l->b.args[k].param == i) return arg_name(l, k);
        return NULL;
    }
    if (q->origin != RG_ORIGIN_GLOBAL) return NULL;
    switch (o->layout) {
    case RG__FILE_VALUE:
    case RG__FILE_ARRAY:
    case RG__FILE_POINTER:
        return o->outside ? NULL : o->name;
    case RG__FIELD: {
        const char *of = param_text(l, o->parent);
        bool behind = l->p->params[o->parent].kind == RG_PARAM_ARRAY && l->p->params[o->parent].origin == RG_ORIGIN_ARG;
        return of ? rg_arena_printf(&l->p->arena, "%s%s%s", of, behind ? "->" : ".", o->member) : NULL;
    }
    case RG__COLUMN: /* of element rg_k */
    case RG__PART: {
        const char *of = carrier_text(l, o->parent);
        return of ? rg_arena_printf(&l->p->arena, "%s%s", of, o->member) : NULL;
    }
    case RG__REACH:
        return rg__reach_in_c(l, i, param_text);
    default:
        return NULL;
    }
}

bool rg__program_reads(struct rg__load *l)
{
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg_param *q = &l->p->params[i];
        if (q->origin != RG_ORIGIN_RESULT && q->origin != RG_ORIGIN_DERIVED && q->origin != RG_ORIGIN_RETURNED &&
            !param_text(l, i))
            return false;
    }
    for (int k = 0; k < l->b.n_args; k++)
        if (l->b.args[k].end_of >= 0) return false;
    return l->b.n_args <= MOST_ARGS && (!l->b.n_tables || l->shape);
}

static bool is_size(const struct rg_param *q)
{
    return q->kind == RG_PARAM_SCALAR && q->elem != RG_STRUCT && rg__scalar_is_int(q->elem) &&
           q->origin != RG_ORIGIN_DERIVED;
}

/* ---- the functions copied ---- */

static void edit(struct copy *c, uint32_t at, const char *text)
{
    if (c->n_edits == MOST_EDITS) {
        c->failed = true;
        return;
    }
    int i = c->n_edits++;
    for (; i > 0 && c->edits[i - 1].at > at; i--) c->edits[i] = c->edits[i - 1];
    c->edits[i] = (struct edit){at, text};
}

/* A call that does more than compute is where the program ends: it asks for files, or for the user. */
static void leave_at(void *arg, CXCursor x)
{
    struct copy *c = arg;
    const struct rg__unit *u = &c->l->unit;
    if (u->c->getCursorKind(x) != CXCursor_CallExpr) return;
    int f = rg__unit_function(u, u->c->getCursorReferenced(x));
    for (int k = 0; k < c->l->program.n_path; k++)
        if (c->l->program.path[k] == f) return;
    if (f == c->l->function || !rg__call_does_more(c->l, x)) return;
    edit(c, rg__cursor_at(u, x), "(rg_leave(1), ");
    edit(c, rg__cursor_end(u, x), ")");
}

/* The integers that the named set-up function is passed may be given by the user. */
static void wrap_set_up(void *arg, CXCursor x)
{
    struct copy *c = arg;
    const struct rg__unit *u = &c->l->unit;
    if (u->c->getCursorKind(x) != CXCursor_CallExpr) return;
    const int f = rg__unit_function(u, u->c->getCursorReferenced(x));
    if (f != c->l->program.set_up && !rg__in_sequence(c->l, f)) return;
    struct rg__children kids = rg__cursor_children(u, x, &c->l->dirs.arena);
    for (int k = 1; k < kids.n && k <= RG__PROGRAM_ARGS; k++) {
        const int at = f == c->l->program.set_up ? k - 1 : rg__sequence_at(c->l, f, k - 1);
        if (at < 0 || at >= RG__PROGRAM_ARGS || !c->l->program.is_given[at]) continue;
        edit(c, rg__cursor_at(u, kids.items[k]),
             rg_arena_printf(&c->l->dirs.arena, "%s(%lld, ", c->l->program.stays[at] ? "rg_stays" : "rg_given",
                             (long long)c->l->program.given[at]));
        edit(c, rg__cursor_end(u, kids.items[k]), ")");
    }
}

static void note_named(struct copy *c, struct named x)
{
    if (c->n_named < MOST_NAMED) c->named[c->n_named++] = x; /* further ones stay as they are written */
}

bool rg__program_constant(const struct rg__load *l, CXCursor x, CXCursor *decl)
{
    const struct rg__unit *u = &l->unit;
    const struct rg__clang *k = u->c;
    struct rg_arena *a = (struct rg_arena *)&l->dirs.arena;
    *decl = k->getCursorKind(x) == CXCursor_DeclRefExpr ? k->getCursorReferenced(x) : k->getNullCursor();
    if (k->Cursor_isNull(*decl) || k->getCursorKind(*decl) != CXCursor_EnumConstantDecl) return false;
    const char *name = rg__cursor_name(u, k->getCursorSemanticParent(*decl), a);
    return rg__cursor_children(u, *decl, a).n == 1 &&
           (!*name || *name == '('); /* libclang says `(unnamed at ..)` from 16 on */
}

/* `enum { N = 600 };` counts as `600` does where N stands: it is that number's name. The names of an enumeration's own
 * values (kinds, flags) are no numbers, and what an array has of elements must stay a constant. */
static void name_at(void *arg, CXCursor x)
{
    struct copy *c = arg;
    const struct rg__unit *u = &c->l->unit;
    const struct rg__clang *k = u->c;
    const bool object = k->getCursorKind(x) == CXCursor_VarDecl || k->getCursorKind(x) == CXCursor_FieldDecl;
    if (object && rg__type_is_array(u, k->getCursorType(x)))
        note_named(c, (struct named){.at = rg__cursor_at(u, x), .end = rg__cursor_end(u, x)});
    CXCursor d;
    if (!rg__program_constant(c->l, x, &d)) return;
    struct rg__children is = rg__cursor_children(u, d, &c->l->dirs.arena);
    note_named(c, (struct named){rg__cursor_at(u, x), rg__cursor_end(u, x), rg__cursor_at(u, is.items[0]),
                                 rg__cursor_end(u, is.items[0])});
    rg__cursor_walk(u, is.items[0], name_at, c);
}

/* The constant that the token names and that may be divided; NULL. */
static const struct named *named_number(const struct copy *c, const struct rg__tok *x, int brackets)
{
    const struct named *is = NULL;
    for (int i = 0; i < c->n_named; i++) {
        const struct named *n = &c->named[i];
        if (n->to ? n->at == x->at : brackets && n->at <= x->at && x->at < n->end) is = n;
        if (is && !is->to) return NULL;
    }
    return is;
}

static bool between(const struct rg__source *s, int tok, const char *const *words)
{
    for (; *words; words++)
        if (rg__tok_is(s, tok, *words)) return true;
    return false;
}

/* Nothing beside it asks for bits: no pattern, no shift, no number of which a remainder is taken, no constant of the
 * language. `x % n` is a place among n. */
static bool counts(const struct rg__source *s, int first, int tok)
{
    static const char *const in_front[] = {"<<", ">>", "&", "|", "^", "case", "<<=", ">>=", "&=", "|=", "^=", NULL},
                             *const behind[] = {"<<", ">>", "%", "&", "|", "^", NULL};
    return (tok == first || !between(s, tok - 1, in_front)) && !(tok + 1 < s->n_toks && between(s, tok + 1, behind));
}

/* Millions that are written to the last digit are no amount: a day (20240131), a key, what a generator begins with. */
static bool a_name(long long v)
{
    return v >= 1000000 && v % 1000 != 0 && v % 1024 != 0;
}

/* A number that may be divided. */
static bool divides(const struct rg__source *s, int first, int tok, int brackets, bool fixed)
{
    const char *t = s->text + s->toks[tok].at;
    uint32_t n = 0;
    while (n < s->toks[tok].len && t[n] >= '0' && t[n] <= '9') n++;
    if (!n || *t == '0' || n > 9) return false;
    for (uint32_t k = n; k < s->toks[tok].len; k++)
        if (!strchr("uUlL", t[k])) return false;
    return atoll(t) >= LEAST && !a_name(atoll(t)) && !brackets && !fixed && counts(s, first, tok);
}

/* Which of the numbers that can be told apart it is; -1: there are too many, it is divided wherever any are. */
static int number_at(struct copy *c, const char *text, uint32_t at)
{
    const long long v = atoll(text);
    for (int i = 0; i < c->n_numbers; i++)
        if (c->numbers[i].value == v && c->numbers[i].at == at) return i;
    if (c->n_numbers == RG__PROGRAM_NUMBERS) return -1;
    c->numbers[c->n_numbers] = (struct number){v, at};
    c->l->program.numbers[c->n_numbers] = v;
    return c->n_numbers++;
}

static int on_path(const struct rg__load *l, const struct rg__source *s, int tok)
{
    for (int k = 0; k < l->program.n_path; k++)
        if (rg__tok_is(s, tok, l->unit.functions[l->program.path[k]].name)) return l->program.path[k];
    return -1;
}

/* The text of [from, to): calls of the function meet the program's end, those of copied functions their copies. */
static void copy_text(struct copy *c, uint32_t from, uint32_t to, int depth)
{
    const struct rg__load *l = c->l;
    const struct rg__source *s = &l->unit.src;
    int first = rg__tok_from(s, from), brackets = 0, next = 0;
    bool fixed = false; /* a static variable's initialiser, an enumeration */
    for (int t = first; t < s->n_toks && s->toks[t].at < to; t++) {
        const struct rg__tok *x = &s->toks[t];
        bool member = t > first && (rg__tok_is(s, t - 1, ".") || rg__tok_is(s, t - 1, "->"));
        bool called = t + 1 < s->n_toks && rg__tok_is(s, t + 1, "(");
        for (; next < c->n_edits && c->edits[next].at <= x->at; next++)
            if (c->edits[next].at >= from) rg_buf_str(c->out, c->edits[next].text);
        if (x->kind == RG__TOK_IDENT && (rg__tok_is(s, t, "static") || rg__tok_is(s, t, "enum"))) fixed = true;
        if (rg__tok_is(s, t, ";")) fixed = false;
        brackets += rg__tok_is(s, t, "[") - rg__tok_is(s, t, "]");
        int to_copy = x->kind == RG__TOK_IDENT && !member && called ? on_path(l, s, t) : -1;
        const struct named *number =
            x->kind == RG__TOK_IDENT && !member && !fixed && depth < MOST_NESTED && counts(s, first, t)
                ? named_number(c, x, brackets)
                : NULL;
        if (x->kind == RG__TOK_NUMBER && (depth || !c->names_only) && divides(s, first, t, brackets, fixed))
            rg_buf_printf(c->out, "((__typeof__(%1$.*2$s))rg_divided(%3$d, %1$.*2$s))", s->text + x->at, (int)x->len,
                          number_at(c, s->text + x->at, depth ? x->at : 0));
        else if (number) {
            rg_buf_char(c->out, '(');
            copy_text(c, number->from, number->to, depth + 1);
            rg_buf_char(c->out, ')');
        } else if (to_copy >= 0)
            rg_buf_printf(c->out, "rg_path_%s", l->unit.functions[to_copy].name);
        else if (x->kind == RG__TOK_IDENT && !member && rg__tok_is(s, t, l->unit.functions[l->function].name))
            rg_buf_str(c->out, "rg_meet");
        else if (x->kind == RG__TOK_IDENT && !member && called && rg__tok_is(s, t, "exit"))
            rg_buf_str(c->out, "rg_leave");
        else if (x->kind == RG__TOK_IDENT && !member && called && rg__tok_is(s, t, "time"))
            rg_buf_str(c->out, "rg_no_time");
        else
            rg_buf_printf(c->out, "%.*s", (int)x->len, s->text + x->at);
        rg_buf_char(c->out, rg__tok_is(s, t, ";") || rg__tok_is(s, t, "{") ? '\n' : ' ');
    }
    for (; next < c->n_edits && c->edits[next].at <= to; next++)
        if (c->edits[next].at >= from) rg_buf_str(c->out, c->edits[next].text);
}

/* What stands in front of a function's body, without words that no second one can have; its name is another. */
static void head_text(struct copy *c, int function, const char *name)
{
    const struct rg__load *l = c->l;
    const struct rg__source *s = &l->unit.src;
    const struct rg__function *f = &l->unit.functions[function];
    static const char *const drop[] = {"static", "inline", "extern", "__inline", "__inline__", "_Noreturn", NULL};
    uint32_t body = rg__cursor_at(&l->unit, f->body);
    bool named = false;
    rg_buf_str(c->out, "static ");
    for (int t = rg__tok_from(s, f->at); t < s->n_toks && s->toks[t].at < body; t++) {
        if (between(s, t, drop)) continue;
        bool is = !named && rg__tok_is(s, t, f->name);
        named |= is;
        if (is)
            rg_buf_printf(c->out, "%s ", name);
        else
            rg_buf_printf(c->out, "%.*s ", (int)s->toks[t].len, s->text + s->toks[t].at);
    }
}

static const char *path_name(const struct rg__load *l, int function)
{
    return rg_arena_printf(&l->p->arena, "rg_path_%s", l->unit.functions[function].name);
}

/* ---- file-scope variables as they are when a program starts ---- */

struct variables {
    struct rg__load *l;
    struct rg_buf *out;
    int n;
};

static enum CXChildVisitResult variable(CXCursor d, CXCursor parent, CXClientData data)
{
    struct variables *v = data;
    const struct rg__unit *u = &v->l->unit;
    (void)parent;
    if (u->c->getCursorKind(d) != CXCursor_VarDecl || u->c->Cursor_getStorageClass(d) == CX_SC_Extern)
        return CXChildVisit_Continue;
    uint32_t at = rg__decl_key(u, d);
    CXType t = u->c->getCursorType(d);
    while (rg__type_is_array(u, t)) {
        CXType canonical = u->c->getCanonicalType(t); /* the qualifiers stand at the whole there */
        if (u->c->isConstQualifiedType(t) || u->c->isConstQualifiedType(canonical)) return CXChildVisit_Continue;
        t = u->c->getArrayElementType(canonical);
    }
    if (rg__source_place(&u->src, at).system || rg__unit_linked(u, at) || u->c->isConstQualifiedType(t))
        return CXChildVisit_Continue;
    const char *name = rg__cursor_name(u, d, &v->l->p->arena);
    rg_buf_printf(v->out,
                  "    { static char rg_was[sizeof %1$s]; if (rg_first) __builtin_memcpy(rg_was, (void *)&%1$s, sizeof "
                  "rg_was); else __builtin_memcpy((void *)&%1$s, rg_was, sizeof rg_was); }\n",
                  name);
    v->n++;
    return CXChildVisit_Continue;
}

static void fresh(struct rg__load *l, struct rg_buf *out)
{
    struct variables v = {l, out, 0};
    rg_buf_str(out, "static void rg_fresh(int rg_first)\n{\n    (void)rg_first;\n");
    l->unit.c->visitChildren(l->unit.c->getTranslationUnitCursor(l->unit.tu), variable, &v);
    rg_buf_str(out, "}\n__attribute__((constructor)) static void rg_started(void) { rg_fresh(1); }\n");
}

/* ---- what the call is met with ---- */

struct scalars {
    const struct rg__load *l;
};

static const char *scalar_of(void *arg, const char *name)
{
    const struct rg__load *l = arg;
    int i = rg_problem_param(l->p, name);
    const struct rg_param *q = i >= 0 ? &l->p->params[i] : NULL;
    if (!q) return name;
    if (!q->derived)
        return rg_arena_printf((struct rg_arena *)&l->p->arena, "(*(%s *)rg_to[%d])", rg_scalar_c(q->elem), i);
    struct rg_buf b = RG_BUF_INIT;
    rg__shim_expr((struct rg_arena *)&l->p->arena, &b, q->derived, scalar_of, arg);
    const char *text = rg_arena_printf((struct rg_arena *)&l->p->arena, "(%s)", b.data);
    rg_buf_release(&b);
    return text;
}

static const char *element_type(const struct rg_param *q)
{
    if (q->elem != RG_STRUCT) return rg_scalar_c(q->elem);
    if (!strncmp(q->c_elem, "rg_complex", 10))
        return !strcmp(q->c_elem, "rg_complexf") ? "float _Complex" : "double _Complex";
    return q->c_elem;
}

static void dimensions(struct rg__load *l, const struct rg_param *q, int from, int to, struct rg_buf *out)
{
    for (int d = from; d < to; d++) {
        rg_buf_str(out, d > from ? " * (long)(" : "(long)(");
        rg__shim_expr(&l->p->arena, out, q->dims[d], scalar_of, l);
        rg_buf_char(out, ')');
    }
    if (from == to) rg_buf_str(out, "1");
}

/* A member of the structures of an array, and the rows that it leads to. */
static void take_column(struct rg__load *l, int i, const char *is, const char *type, struct rg_buf *out)
{
    const struct rg_param *q = &l->p->params[i];
    const struct rg__origin *o = &l->b.origins[i];
    rg_buf_printf(out, "    if (%.*s) for (long rg_k = 0; rg_k < ", (int)(strstr(is, "[rg_k]") - is), is);
    dimensions(l, q, 0, 1, out);
    if (!o->pointer) {
        rg_buf_printf(out,
                      "; rg_k++) __builtin_memcpy((char *)rg_to[%1$d] + rg_k * sizeof %2$s, (void *)&%2$s, sizeof "
                      "%2$s);\n",
                      i, is);
        return;
    }
    rg_buf_str(out, "; rg_k++) ");
    if (o->text) { /* what is behind a string is as in the rows that NAME_auto gathers */
        rg_buf_printf(out, "{ __builtin_memset((%s *)rg_to[%d] + rg_k * ", type, i);
        dimensions(l, q, 1, 2, out);
        rg_buf_str(out, ", 0, ");
        dimensions(l, q, 1, 2, out);
        rg_buf_str(out, "); ");
    }
    rg_buf_printf(out, "if (%1$s) __builtin_memcpy((%2$s *)rg_to[%3$d] + rg_k * ", is, type, i);
    dimensions(l, q, 1, 2, out);
    const char *own = o->rows ? rg__reach_row_in_c(l, o->rows, param_text) : NULL;
    rg_buf_printf(out, ", (void *)%s, ", is);
    if (own)
        rg_buf_printf(out, "((%1$s) > 0 ? (%1$s) : 0)", own);
    else
        dimensions(l, q, 1, 2, out);
    rg_buf_printf(out, " * sizeof(%s));%s\n", type, o->text ? " }" : "");
}

static void take(struct rg__load *l, int i, struct rg_buf *out)
{
    const struct rg_param *q = &l->p->params[i];
    const struct rg__origin *o = &l->b.origins[i];
    const char *is = param_text(l, i), *type = element_type(q);
    bool rows = q->rows && q->n_dims > 1 && (o->layout != RG__PART || o->pointer);
    bool memory =
        q->kind == RG_PARAM_ARRAY && q->origin == RG_ORIGIN_GLOBAL &&
        (o->layout == RG__FILE_ARRAY || o->layout == RG__FILE_VALUE || (o->layout == RG__PART && !o->pointer));
    if (o->layout == RG__COLUMN) {
        take_column(l, i, is, type, out);
    } else if (q->kind == RG_PARAM_SCALAR) {
        rg_buf_printf(out, "    *(%s *)rg_to[%d] = %s;\n", type, i, is);
    } else if (rows) {
        rg_buf_printf(out, "    if (%s) for (long rg_i = 0; rg_i < ", is);
        dimensions(l, q, 0, 1, out);
        if (q->n_dims > 2) {
            rg_buf_printf(out, "; rg_i++) if (%s[rg_i]) for (long rg_j = 0; rg_j < ", is);
            dimensions(l, q, 1, 2, out);
            rg_buf_printf(out, "; rg_j++) if (%1$s[rg_i][rg_j]) __builtin_memcpy((%2$s *)rg_to[%3$d] + (rg_i * ", is,
                          type, i);
            dimensions(l, q, 1, 2, out);
            rg_buf_str(out, " + rg_j) * ");
            dimensions(l, q, 2, q->n_dims, out);
            rg_buf_printf(out, ", (void *)%s[rg_i][rg_j], ", is);
            dimensions(l, q, 2, q->n_dims, out);
        } else {
            rg_buf_printf(out, "; rg_i++) if (%1$s[rg_i]) __builtin_memcpy((%2$s *)rg_to[%3$d] + rg_i * ", is, type, i);
            dimensions(l, q, 1, 2, out);
            rg_buf_printf(out, ", (void *)%s[rg_i], ", is);
            if (o->text)
                rg_buf_printf(out, "(__builtin_strlen((const char *)%s[rg_i]) + 1)", is);
            else
                dimensions(l, q, 1, 2, out);
        }
        rg_buf_printf(out, " * sizeof(%s));\n", type);
    } else if (memory) {
        rg_buf_printf(out, "    __builtin_memcpy(rg_to[%1$d], (void *)&%2$s, sizeof %2$s);\n", i, is);
    } else {
        rg_buf_printf(out, "    if (%s) __builtin_memcpy(rg_to[%d], (void *)%s, ", is, i, is);
        dimensions(l, q, 0, q->n_dims, out);
        rg_buf_printf(out, " * sizeof(%s));\n", type);
    }
}

static void meet(struct copy *c, bool trial)
{
    struct rg__load *l = c->l;
    head_text(c, l->function, "rg_meet");
    rg_buf_str(c->out, "\n{\n");
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg_param *q = &l->p->params[i];
        if (!is_size(q)) continue;
        if (trial)
            rg_buf_printf(c->out, "    __builtin_printf(\"\\n@regraph %d %%lld\\n\", (long long)%s);\n", i,
                          param_text(l, i));
        else if (rg__program_binds(l, i))
            rg_buf_printf(c->out, "    if (%s != *(%s *)rg_to[%d]) rg_leave(1);\n", param_text(l, i),
                          rg_scalar_c(q->elem), i);
    }
    for (int i = 0; i < l->p->n_params && !trial; i++)
        if (l->p->params[i].input.kind == RG_INPUT_INIT) take(l, i, c->out);
    if (trial) {
        rg_buf_printf(c->out, "    if (rg_timed) {\n        long rg_began = rg_ticks();\n        (void)%s(",
                      l->unit.functions[l->function].name);
        for (int k = 0; k < l->b.n_args; k++) rg_buf_printf(c->out, "%s%s", k ? ", " : "", arg_name(l, k));
        rg_buf_str(c->out,
                   ");\n        __builtin_printf(\"\\n@regraph-call %ld\\n\", rg_ticks() - rg_began);\n    }\n");
    }
    rg_buf_str(c->out, trial ? "    rg_met = 1;\n    rg_leave(0);\n    __builtin_unreachable();\n}\n"
                             : "    rg_shim_init_missed = 0;\n    rg_leave(0);\n    __builtin_unreachable();\n}\n");
}

bool rg__program_text(struct rg__load *l, bool trial, struct rg_buf *out)
{
    struct copy c = {.l = l, .out = out};
    rg_buf_printf(
        out,
        "static long rg_by = 1;\nstatic void *rg_back[5];\nstatic void **rg_to;\n"
        "static unsigned long long rg_which = ~0ull;\nstatic int rg_times;\n"
        "static long long rg_divided(int rg_k, long long rg_v)\n"
        "{\n    long long rg_s = rg_v / rg_by;\n"
        "    if (rg_times && (rg_k < 0 || rg_which >> rg_k & 1)) return rg_v * rg_by;\n"
        "    if (rg_times || rg_by == 1 || (rg_k >= 0 && !(rg_which >> rg_k & 1))) return rg_v;\n"
        "    return rg_s < 8 ? 8 : rg_s;\n}\n"
        "%sstatic void rg_leave(int rg_code)\n{\n    (void)rg_code;\n    %s__builtin_longjmp(rg_back, 1);\n}\n"
        "static long rg_no_time(void *rg_t)\n{\n    if (rg_t) *(long *)rg_t = 0;\n    return 0;\n}\n"
        "#define rg_given(rg_v, rg_e) ((void)sizeof(rg_e), rg_divided(-1, rg_v))\n"
        "#define rg_stays(rg_v, rg_e) ((void)sizeof(rg_e), (rg_v))\n",
        trial ? "void __asan_handle_no_return(void) __attribute__((weak));\n" : "",
        trial ? "if (__asan_handle_no_return) __asan_handle_no_return();\n    " : "");
    if (trial) rg__shim_functions(out);
    rg_buf_str(
        out, trial ? "static int rg_met, rg_timed;\nint rg_gettime(int, long *) __asm__(\"clock_gettime\");\n"
                     "static long rg_ticks(void)\n{\n    long rg_t[2] = {0, 0};\n    rg_gettime(1, rg_t);\n"
                     "    return rg_t[0] * 1000000 + rg_t[1] / 1000;\n}\n"
                     "const char *__asan_default_options(void);\n"
                     "const char *__asan_default_options(void) { return \"detect_leaks=0:hard_rss_limit_mb=4096\"; }\n"
                   : "");
    fresh(l, out);
    meet(&c, trial);
    for (int k = 0; k < l->program.n_path; k++) {
        head_text(&c, l->program.path[k], path_name(l, l->program.path[k]));
        rg_buf_str(out, ";\n");
    }
    for (int k = 0; k < l->program.n_path; k++) {
        const struct rg__function *f = &l->unit.functions[l->program.path[k]];
        head_text(&c, l->program.path[k], path_name(l, l->program.path[k]));
        c.n_edits = c.n_named = 0;
        c.names_only = k >= l->program.n_ways;
        rg__cursor_walk(&l->unit, f->body, leave_at, &c);
        if (!l->program.plain) rg__cursor_walk(&l->unit, f->body, name_at, &c);
        if (l->program.set_up >= 0) rg__cursor_walk(&l->unit, f->body, wrap_set_up, &c);
        copy_text(&c, rg__cursor_at(&l->unit, f->body), rg__cursor_end(&l->unit, f->body), 0);
        rg_buf_char(out, '\n');
    }
    l->program.n_numbers = c.n_numbers;
    struct rg__children kids =
        rg__cursor_children(&l->unit, l->unit.functions[l->program.path[0]].cursor, &l->p->arena);
    int n = 0;
    for (int i = 0; i < kids.n; i++) n += l->b.c->getCursorKind(kids.items[i]) == CXCursor_ParmDecl;
    rg_buf_printf(out,
                  "__attribute__((noinline)) static void rg_start(void)\n{\n    static char rg_name[] = \"program\";\n"
                  "    static char *rg_argv[] = {rg_name, 0};\n    (void)rg_argv;\n    rg_fresh(0);\n"
                  "    if (!__builtin_setjmp(rg_back)) rg_path_main(%s);\n}\n",
                  n == 0   ? ""
                  : n == 2 ? "1, (void *)rg_argv"
                           : "1, (void *)rg_argv, (void *)(rg_argv + 1)");
    return !c.failed && (n == 0 || n == 2 || n == 3);
}

void rg__program_init(struct rg__load *l, struct rg_buf *out)
{
    const struct rg__program *g = &l->program;
    rg_buf_str(out, "int rg_shim_init_missed;\n");
    rg__program_text(l, false, out);
    rg_buf_printf(out,
                  "const int rg_shim_has_init = 1;\nvoid rg_shim_init(void **rg_a)\n{\n    rg_by = rg_times = 0;\n"
                  "    rg_which = %lluull;\n",
                  (unsigned long long)g->which);
    for (int r = 0; r < g->n_rows; r++) {
        rg_buf_str(out, "    if (!rg_by");
        for (int i = 0; i < l->p->n_params; i++)
            if (is_size(&l->p->params[i]) && rg__program_binds(l, i))
                rg_buf_printf(out, " && *(%s *)rg_a[%d] == (%s)%lldll", rg_scalar_c(l->p->params[i].elem), i,
                              rg_scalar_c(l->p->params[i].elem), (long long)g->rows[r].values[i]);
        rg_buf_printf(out, ") { rg_by = %d; rg_times = %d; }\n", abs(g->rows[r].by), g->rows[r].by < 0);
    }
    rg_buf_str(out, "    rg_shim_init_missed = 1;\n    rg_to = rg_a;\n    if (rg_by) rg_start();\n}\n");
}
