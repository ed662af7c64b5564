/* Void pointers: what they lead to is what the code converts them to, where that is one type everywhere
 * (`const float *x = data;`, `((int *)data)[i]`, a call of a helper that takes `const uint8_t *`). Read off libclang's
 * tree, before there is one of ours. */
#include "frontend/read/build.h"
#include "frontend/read/build_void.h"
#include <string.h>

enum { MOST_NAMES = 16 };

struct uses {
    struct rg__build *b;
    int n_names; /* the pointer, and void pointers that are set to it */
    uint32_t name[MOST_NAMES];
    CXType type, other; /* what the first conversion leads to, and one to something else */
    int n_types;
    bool many;    /* there are more names: what those are converted to is not known */
    bool counted; /* bytes are counted along it (GNU's `data + n`), */
    bool copied;  /* or memcpy and its like read or write them */
};

static CXType pointee(struct rg__build *b, CXType t)
{
    return b->c->getPointeeType(b->c->getCanonicalType(t));
}

static bool leads_to_void(struct rg__build *b, CXType t)
{
    return rg__type_is_pointer(b->u, t) && b->c->getCanonicalType(pointee(b, t)).kind == CXType_Void;
}

static void add_name(struct uses *s, CXCursor decl)
{
    const uint32_t key = rg__decl_key(s->b->u, decl);
    for (int i = 0; i < s->n_names; i++)
        if (s->name[i] == key) return;
    if (s->n_names == MOST_NAMES)
        s->many = true;
    else
        s->name[s->n_names++] = key;
}

/* Rows (`float (*)[3]`) lead to what stands in them. */
static void converted(struct uses *s, CXType to)
{
    struct rg__build *b = s->b;
    CXType e = pointee(b, to);
    while (rg__type_is_array(b->u, e)) e = b->c->getArrayElementType(rg__array_form(b, e));
    if (!s->n_types)
        s->type = e, s->n_types = 1;
    else if (s->n_types == 1 && strcmp(rg__plain_type(b, s->type), rg__plain_type(b, e)))
        s->other = e, s->n_types = 2;
}

/* What qsort sorts is what its order compares. */
static void compared(struct uses *s, CXCursor call)
{
    struct rg__build *b = s->b;
    struct rg__children kids = rg__cursor_children(b->u, call, &b->p->arena);
    CXCursor order = rg__strip_parens(b, kids.items[kids.n - 1]);
    if (b->c->getCursorKind(order) != CXCursor_DeclRefExpr) return;
    const int f = rg__unit_function(b->u, b->c->getCursorReferenced(order));
    struct rg__children params =
        f >= 0 ? rg__cursor_children(b->u, b->u->functions[f].cursor, &b->p->arena) : (struct rg__children){0};
    for (int i = 0; i < params.n; i++)
        if (b->c->getCursorKind(params.items[i]) == CXCursor_ParmDecl) add_name(s, params.items[i]);
}

/* The argument of a call: by the function's own parameter, where that is a void pointer too. */
static void argument(struct uses *s, CXCursor call, int k)
{
    struct rg__build *b = s->b;
    static const char *const bytes[] = {"memcpy", "memmove", "memset", "memcmp", "memchr"};
    const char *name = rg__cursor_name(b->u, call, &b->p->arena);
    if (!strncmp(name, "__builtin_", 10)) name += 10;
    const int f = rg__unit_function(b->u, b->c->getCursorReferenced(call));
    if (f < 0) {
        if (!k && !strcmp(name, "qsort")) compared(s, call);
        for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) s->copied |= !strcmp(name, bytes[i]);
        return;
    }
    struct rg__children kids = rg__cursor_children(b->u, b->u->functions[f].cursor, &b->p->arena);
    for (int i = 0; i < kids.n; i++)
        if (b->c->getCursorKind(kids.items[i]) == CXCursor_ParmDecl && k-- == 0 &&
            leads_to_void(b, b->c->getCursorType(kids.items[i])))
            add_name(s, kids.items[i]);
}

static bool is_named(const struct uses *s, CXCursor c)
{
    const struct rg__build *b = s->b;
    const enum CXCursorKind k = b->c->getCursorKind(c);
    if (k != CXCursor_DeclRefExpr && k != CXCursor_MemberRefExpr) return false;
    const uint32_t key = rg__decl_key(b->u, b->c->getCursorReferenced(c));
    for (int i = 0; i < s->n_names; i++)
        if (s->name[i] == key) return true;
    return false;
}

/* The pointer as the value of an expression, through parentheses, conversions between void pointers and the arms of ?:.
 * *to: the first conversion to another pointer, if any. */
static bool is_value(const struct uses *s, CXCursor e, CXType *to, bool *is_to)
{
    struct rg__build *b = s->b;
    for (int depth = 0; depth < 32; depth++) {
        if (is_named(s, e)) return true;
        const enum CXCursorKind k = b->c->getCursorKind(e);
        struct rg__children kids = rg__cursor_children(b->u, e, &b->p->arena);
        if (k == CXCursor_ConditionalOperator && kids.n == 3)
            return is_value(s, kids.items[1], to, is_to) || is_value(s, kids.items[2], to, is_to);
        const bool passes = k == CXCursor_ParenExpr || k == CXCursor_UnexposedExpr || k == CXCursor_CStyleCastExpr;
        if (!passes || !kids.n) return false;
        CXType t = b->c->getCursorType(e);
        if (!rg__type_is_pointer(b->u, t)) return false;
        if (!leads_to_void(b, t)) *to = t, *is_to = true;
        e = kids.items[kids.n - 1];
    }
    return false;
}

static bool is_plain(const struct uses *s, CXCursor e)
{
    CXType to;
    bool is_to = false;
    return is_value(s, e, &to, &is_to) && !is_to;
}

static void note(void *arg, CXCursor c)
{
    struct uses *s = arg;
    struct rg__build *b = s->b;
    const enum CXCursorKind k = b->c->getCursorKind(c);
    CXType to;
    bool is_to = false;
    if ((k == CXCursor_UnexposedExpr || k == CXCursor_CStyleCastExpr) && is_value(s, c, &to, &is_to) && is_to)
        converted(s, to);
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (k == CXCursor_CallExpr)
        for (int i = 1; i < kids.n; i++)
            if (is_plain(s, kids.items[i])) argument(s, c, i - 1);
    if (k == CXCursor_VarDecl && kids.n && leads_to_void(b, b->c->getCursorType(c)) &&
        is_plain(s, kids.items[kids.n - 1]))
        add_name(s, c);
    if (k == CXCursor_UnaryOperator && kids.n == 1 && leads_to_void(b, b->c->getCursorType(c)))
        s->counted |= is_plain(s, kids.items[0]);
    if ((k != CXCursor_BinaryOperator && k != CXCursor_CompoundAssignOperator) || kids.n != 2) return;
    const char *op = rg__operator_between(b, kids.items[0], kids.items[1]);
    if (!strcmp(op, "=")) {
        CXCursor left = rg__strip_parens(b, kids.items[0]);
        if (is_plain(s, kids.items[1]) && b->c->getCursorKind(left) == CXCursor_DeclRefExpr &&
            leads_to_void(b, b->c->getCursorType(left)))
            add_name(s, b->c->getCursorReferenced(left));
    } else if (*op == '+' || *op == '-') {
        s->counted |= is_plain(s, kids.items[0]) || is_plain(s, kids.items[1]);
    }
}

/* Names are found in any order: what one is set to may be read above. */
static void look(struct uses *s)
{
    const struct rg__build *b = s->b;
    for (int known = 0; known != s->n_names;) {
        known = s->n_names;
        for (int i = 0; i < b->u->n_functions; i++)
            if ((!b->in_run || b->in_run[i]) && !b->c->Cursor_isNull(b->u->functions[i].body))
                rg__cursor_walk(b->u, b->u->functions[i].body, note, s);
    }
}

bool rg__is_void_pointer(struct rg__build *b, CXType t)
{
    return leads_to_void(b, t);
}

bool rg__void_element(struct rg__build *b, CXCursor decl, struct rg__void *out)
{
    struct rg_arena *a = &b->p->arena;
    struct uses s = {.b = b};
    memset(out, 0, sizeof *out);
    add_name(&s, decl);
    look(&s);
    enum rg_scalar e;
    const bool number = s.n_types == 1 && rg__type_scalar(b->u, s.type, &e);
    if (s.n_types == 2 || (s.n_types == 1 && s.counted && (!number || rg_scalar_bytes(e) != 1))) {
        const char *first = rg__strip_qualifiers(a, rg__type_name(b->u, s.type, a)),
                   *second = s.n_types == 2 ? rg__strip_qualifiers(a, rg__type_name(b->u, s.other, a)) : "char";
        out->differ = rg_arena_printf(a, "'%s *' and '%s *'", first, second);
        return false;
    }
    if (s.many) {
        out->differ = rg_arena_printf(a, "no type that is known: more than %d others are set to it", MOST_NAMES - 1);
        return false;
    }
    out->bytes = !s.n_types;
    out->type = s.type;
    return s.n_types || s.counted || s.copied;
}
