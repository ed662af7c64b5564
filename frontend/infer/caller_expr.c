/* What stands in the file around the function that is meant, and integer expressions of its callers. */
#include "frontend/infer/callers.h"
#include "frontend/infer/infer.h"
#include "frontend/read/read.h"
#include <stdlib.h>
#include <string.h>

enum { SMALL_NUMBER = 8 };

struct rg__children rg__caller_children(const struct rg__callers *c, CXCursor x)
{
    return rg__cursor_children(c->b->u, x, c->a);
}

enum CXCursorKind rg__caller_kind(const struct rg__callers *c, CXCursor x)
{
    return c->b->c->getCursorKind(x);
}

/* Without parentheses and casts. */
CXCursor rg__caller_bare(const struct rg__callers *c, CXCursor x)
{
    for (x = rg__strip_parens(c->b, x); rg__caller_kind(c, x) == CXCursor_CStyleCastExpr;
         x = rg__strip_parens(c->b, x)) {
        struct rg__children kids = rg__caller_children(c, x);
        if (!kids.n) return x;
        x = kids.items[kids.n - 1];
    }
    return x;
}

/* A variable, a member of one (`m.val`, `m->val`), either with subscripts behind it. */
bool rg__caller_place(const struct rg__callers *c, CXCursor x, struct rg__caller_set *out)
{
    *out = (struct rg__caller_set){0};
    for (x = rg__caller_bare(c, x); rg__caller_kind(c, x) == CXCursor_ArraySubscriptExpr; out->subscripts++) {
        struct rg__children kids = rg__caller_children(c, x);
        if (!kids.n) return false;
        x = rg__caller_bare(c, kids.items[0]);
    }
    if (rg__caller_kind(c, x) == CXCursor_MemberRefExpr) {
        struct rg__children kids = rg__caller_children(c, x);
        out->member = rg__cursor_name(c->b->u, x, c->a);
        if (!kids.n) return false;
        x = rg__caller_bare(c, kids.items[0]);
    }
    if (rg__caller_kind(c, x) != CXCursor_DeclRefExpr) return false;
    CXCursor d = c->b->c->getCursorReferenced(x), def = c->b->c->getCursorDefinition(d);
    out->key = rg__decl_key(c->b->u, c->b->c->Cursor_isNull(def) ? d : def);
    return true;
}

/* The value behind a declarator, past the sizes of its dimensions. */
static bool initialiser(const struct rg__callers *c, CXCursor d, CXCursor *value)
{
    struct rg__children kids = rg__caller_children(c, d);
    if (!kids.n || rg__type_is_array(c->b->u, c->b->c->getCursorType(d))) return false;
    *value = kids.items[kids.n - 1];
    enum CXCursorKind k = rg__caller_kind(c, *value);
    return k >= CXCursor_FirstExpr && k <= CXCursor_LastExpr;
}

struct fields {
    struct rg__callers *c;
    int n, cap;
    struct field {
        const char *name;
        bool several; /* an array or a structure: takes more than one value where its braces are left away */
    } * items;
};

static enum CXVisitorResult next_field(CXCursor x, CXClientData data)
{
    struct fields *f = data;
    CXType type = f->c->b->c->getCursorType(x);
    RG_GROW(f->items, f->n, f->cap);
    f->items[f->n++] = (struct field){rg__cursor_name(f->c->b->u, x, f->c->a),
                                      rg__type_is_array(f->c->b->u, type) || rg__type_is_record(f->c->b->u, type)};
    return CXVisit_Continue;
}

/* `struct grid g = {1000, 2000, NULL}`, `g = (struct grid){.rows = 1000}`: each member that the braces give is set to
 * its value. Braces left away in the middle end it: what follows belongs to no member that can be told. */
static void note_members(struct rg__callers *c, const struct rg__caller_set *of)
{
    CXCursor list = rg__caller_bare(c, of->value);
    struct rg__children kids = rg__caller_children(c, list);
    CXType type = c->b->c->getCanonicalType(c->b->c->getCursorType(list));
    if (rg__caller_kind(c, list) == CXCursor_CompoundLiteralExpr && kids.n) {
        list = kids.items[kids.n - 1];
        kids = rg__caller_children(c, list);
    }
    if (of->member || of->subscripts || rg__caller_kind(c, list) != CXCursor_InitListExpr ||
        !rg__type_is_record(c->b->u, type))
        return;
    struct fields f = {.c = c};
    c->b->c->Type_visitFields(type, next_field, &f);
    for (int i = 0, at = 0; i < kids.n; i++, at++) {
        struct rg__caller_set s = *of;
        struct rg__children parts = rg__caller_children(c, kids.items[i]);
        s.value = kids.items[i];
        if (rg__caller_kind(c, s.value) == CXCursor_UnexposedExpr && parts.n == 2 &&
            rg__caller_kind(c, parts.items[0]) == CXCursor_MemberRef) {
            const char *name = rg__cursor_name(c->b->u, parts.items[0], c->a);
            for (at = 0; at < f.n && strcmp(f.items[at].name, name) != 0;) at++;
            s.value = parts.items[1];
        }
        if (at >= f.n || (f.items[at].several && rg__caller_kind(c, s.value) != CXCursor_InitListExpr)) break;
        s.member = f.items[at].name;
        RG_GROW(c->sets, c->n_sets, c->cap_sets);
        c->sets[c->n_sets++] = s;
    }
    free(f.items);
}

static void note_set(struct rg__callers *c, struct rg__caller_set s, CXCursor value)
{
    s.value = value;
    s.function = c->function;
    RG_GROW(c->sets, c->n_sets, c->cap_sets);
    c->sets[c->n_sets++] = s;
    note_members(c, &s);
}

static bool steps(const struct rg__callers *c, CXCursor x)
{
    struct rg__children kids = rg__caller_children(c, x);
    if (rg__caller_kind(c, x) == CXCursor_CompoundAssignOperator) return kids.n == 2;
    if (rg__caller_kind(c, x) != CXCursor_UnaryOperator || kids.n != 1) return false;
    const struct rg__source *src = &c->b->u->src;
    const uint32_t at = rg__cursor_at(c->b->u, x);
    const bool prefix = rg__cursor_at(c->b->u, kids.items[0]) > at;
    const int tok = rg__tok_from(src, prefix ? at : rg__cursor_end(c->b->u, kids.items[0]));
    return rg__tok_is(src, tok, "++") || rg__tok_is(src, tok, "--");
}

static void note(void *arg, CXCursor x)
{
    struct rg__callers *c = arg;
    struct rg__caller_set s = {0};
    if (rg__caller_kind(c, x) == CXCursor_VarDecl && initialiser(c, x, &s.value)) {
        s.key = rg__decl_key(c->b->u, x);
        note_set(c, s, s.value);
    }
    struct rg__children kids = rg__caller_children(c, x);
    if (rg__caller_kind(c, x) == CXCursor_BinaryOperator && kids.n == 2 &&
        !strcmp(rg__operator_between(c->b, kids.items[0], kids.items[1]), "=") &&
        rg__caller_place(c, kids.items[0], &s))
        note_set(c, s, kids.items[1]);
    if (steps(c, x) && rg__caller_place(c, kids.items[0], &s)) { /* it counts: what it began with is no size */
        s.value = c->b->c->getNullCursor();
        s.function = c->function;
        if (kids.n == 2) {
            const char *op = rg__operator_between(c->b, kids.items[0], kids.items[1]);
            s.moved = !strcmp(op, "+=") ? 1 : !strcmp(op, "-=") ? -1 : 0;
            s.by = kids.items[1];
        }
        RG_GROW(c->sets, c->n_sets, c->cap_sets);
        c->sets[c->n_sets++] = s;
    }
    if (rg__caller_kind(c, x) == CXCursor_CallExpr && kids.n) {
        CXCursor f = rg__caller_bare(c, kids.items[0]);
        int of = rg__caller_kind(c, f) == CXCursor_DeclRefExpr
                     ? rg__unit_function(c->b->u, c->b->c->getCursorReferenced(f))
                     : -1;
        if (of < 0) return;
        RG_GROW(c->calls, c->n_calls, c->cap_calls);
        c->calls[c->n_calls++] = (struct rg__caller_call){x, c->function, of, kids};
    }
}

static void note_number(void *arg, CXCursor x)
{
    struct rg__callers *c = arg;
    int64_t v;
    if (rg__caller_kind(c, x) != CXCursor_IntegerLiteral || !rg__eval_int(c->b->u, x, &v)) return;
    RG_GROW(c->own, c->n_own, c->cap_own);
    c->own[c->n_own++] = v;
}

bool rg__caller_own_number(const struct rg__callers *c, int64_t v)
{
    for (int i = 0; i < c->n_own; i++)
        if (c->own[i] == v) return true;
    return v <= SMALL_NUMBER;
}

/* The one value that a place has in a function, or at file scope; false: none, or several. */
bool rg__caller_only_set(const struct rg__callers *c, int function, uint32_t key, const char *member, CXCursor *value)
{
    int n = 0;
    for (int i = 0; i < c->n_sets; i++) {
        const struct rg__caller_set *s = &c->sets[i];
        if (s->key != key || s->subscripts || (s->function != function && s->function >= 0)) continue;
        if (member ? !s->member || strcmp(s->member, member) != 0 : s->member != NULL) continue;
        *value = s->value;
        n++;
    }
    return n == 1;
}

/* ---- expressions over atoms ---- */

struct rg_expr *rg__caller_number(const struct rg__callers *c, int64_t v)
{
    struct rg_expr *e = rg_arena_alloc(c->a, sizeof *e);
    *e = (struct rg_expr){.kind = RG_EXPR_INT, .value = v};
    return e;
}

struct rg_expr *rg__caller_node(const struct rg__callers *c, enum rg_expr_kind k, enum rg_op op,
                                const struct rg_expr *x, const struct rg_expr *y)
{
    struct rg_expr *e = rg_arena_alloc(c->a, sizeof *e);
    *e = (struct rg_expr){.kind = k, .op = op, .n_args = y ? 2 : 1, .args = rg_arena_alloc(c->a, 2 * sizeof *e->args)};
    e->args[0] = rg_expr_clone(c->a, x);
    if (y) e->args[1] = rg_expr_clone(c->a, y);
    return e;
}

const struct rg_expr *rg__caller_atom(const struct rg__callers *c, uint32_t key, const char *member)
{
    struct rg_expr *e = rg_arena_alloc(c->a, sizeof *e);
    *e = (struct rg_expr){.kind = RG_EXPR_NAME};
    e->name =
        member ? rg_arena_printf(c->a, "@%u.%s", (unsigned)key, member) : rg_arena_printf(c->a, "@%u", (unsigned)key);
    return e;
}

static bool operator_of(const char *text, enum rg_op *op)
{
    static const struct {
        const char *text;
        enum rg_op op;
    } all[] = {{"+", RG_OP_ADD}, {"-", RG_OP_SUB}, {"*", RG_OP_MUL}, {"/", RG_OP_DIV}, {"%", RG_OP_MOD}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(text, all[i].text)) return *op = all[i].op, true;
    return false;
}

/* NULL: it is none that extents are made of. */
const struct rg_expr *rg__caller_expr(const struct rg__callers *c, CXCursor x)
{
    x = rg__caller_bare(c, x);
    int64_t v;
    struct rg__caller_set s;
    struct rg__children kids = rg__caller_children(c, x);
    enum rg_op op;
    switch (rg__caller_kind(c, x)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_UnaryExpr: /* sizeof */
        return rg__eval_int(c->b->u, x, &v) ? rg__caller_number(c, v) : NULL;
    case CXCursor_BinaryOperator: {
        if (kids.n != 2) return NULL;
        const char *text = rg__operator_between(c->b, kids.items[0], kids.items[1]);
        if (!strcmp(text, "<<") && rg__eval_int(c->b->u, kids.items[1], &v) && v >= 0 && v < 32) {
            const struct rg_expr *one = rg__caller_expr(c, kids.items[0]);
            if (one && one->kind == RG_EXPR_INT && one->value < 1 << 20) return rg__caller_number(c, one->value << v);
            return one ? rg__caller_node(c, RG_EXPR_BINARY, RG_OP_MUL, one, rg__caller_number(c, (int64_t)1 << v))
                       : NULL;
        }
        if (!operator_of(text, &op)) return NULL;
        const struct rg_expr *l = rg__caller_expr(c, kids.items[0]), *r = rg__caller_expr(c, kids.items[1]);
        return l && r ? rg__caller_node(c, RG_EXPR_BINARY, op, l, r) : NULL;
    }
    case CXCursor_ConditionalOperator: { /* argc > 1 ? atoi(argv[1]) : 1000 */
        const struct rg_expr *l = kids.n == 3 ? rg__caller_expr(c, kids.items[1]) : NULL,
                             *r = kids.n == 3 ? rg__caller_expr(c, kids.items[2]) : NULL;
        return l && !r ? l : !l ? r : NULL;
    }
    case CXCursor_DeclRefExpr:
        if (rg__caller_kind(c, c->b->c->getCursorReferenced(x)) == CXCursor_EnumConstantDecl)
            return rg__eval_int(c->b->u, x, &v) ? rg__caller_number(c, v) : NULL;
        return rg__caller_place(c, x, &s) ? rg__caller_atom(c, s.key, NULL) : NULL;
    case CXCursor_MemberRefExpr:
        return rg__caller_place(c, x, &s) && !s.subscripts ? rg__caller_atom(c, s.key, s.member) : NULL;
    default:
        return NULL;
    }
}

static bool is_size_of(const struct rg__callers *c, CXCursor x)
{
    return rg__caller_kind(c, rg__caller_bare(c, x)) == CXCursor_UnaryExpr;
}

/* The count of elements in a number of bytes: what is left of a product without its sizeof, or without the number
 * `bytes`. */
static const struct rg_expr *elements(const struct rg__callers *c, CXCursor x, int64_t bytes)
{
    x = rg__caller_bare(c, x);
    struct rg__children kids = rg__caller_children(c, x);
    enum rg_op op;
    if (is_size_of(c, x)) return rg__caller_number(c, 1);
    if (rg__caller_kind(c, x) != CXCursor_BinaryOperator || kids.n != 2 ||
        !operator_of(rg__operator_between(c->b, kids.items[0], kids.items[1]), &op))
        return NULL;
    if (op == RG_OP_ADD || op == RG_OP_SUB) {
        const struct rg_expr *l = elements(c, kids.items[0], bytes), *r = elements(c, kids.items[1], bytes);
        return l && r ? rg__caller_node(c, RG_EXPR_BINARY, op, l, r) : NULL;
    }
    if (op != RG_OP_MUL) return NULL;
    for (int side = 1; side >= 0; side--) {
        int64_t v;
        CXCursor one = kids.items[side], other = kids.items[1 - side];
        if (is_size_of(c, one) || (rg__caller_kind(c, rg__caller_bare(c, one)) == CXCursor_IntegerLiteral &&
                                   rg__eval_int(c->b->u, rg__caller_bare(c, one), &v) && v == bytes))
            return rg__caller_expr(c, other);
    }
    for (int side = 1; side >= 0; side--) { /* n * sizeof(float) * m */
        const struct rg_expr *part = elements(c, kids.items[side], bytes),
                             *rest = part ? rg__caller_expr(c, kids.items[1 - side]) : NULL;
        if (rest)
            return side ? rg__caller_node(c, RG_EXPR_BINARY, RG_OP_MUL, rest, part)
                        : rg__caller_node(c, RG_EXPR_BINARY, RG_OP_MUL, part, rest);
    }
    return NULL;
}

struct found {
    const struct rg__callers *c;
    int n;
    CXCursor call;
};

static const char *called_name(const struct rg__callers *c, CXCursor x)
{
    return rg__caller_kind(c, x) == CXCursor_CallExpr ? rg__cursor_name(c->b->u, x, c->a) : "";
}

static bool allocates(const char *name)
{
    return !strcmp(name, "malloc") || !strcmp(name, "calloc") || !strcmp(name, "realloc") ||
           !strcmp(name, "aligned_alloc");
}

static void note_allocation(void *arg, CXCursor x)
{
    struct found *f = arg;
    if (!allocates(called_name(f->c, x))) return;
    f->call = x;
    f->n++;
}

struct rg_expr *rg__caller_with_arguments(const struct rg__callers *c, const struct rg_expr *e, int function,
                                          const struct rg__children *call)
{
    struct rg__children params = rg__caller_children(c, c->b->u->functions[function].cursor);
    for (int i = 0, k = 0; i < params.n && e->kind == RG_EXPR_NAME; i++) {
        if (rg__caller_kind(c, params.items[i]) != CXCursor_ParmDecl) continue;
        k++;
        if (strcmp(rg__caller_atom(c, rg__decl_key(c->b->u, params.items[i]), NULL)->name, e->name) != 0) continue;
        const struct rg_expr *is = k < call->n ? rg__caller_expr(c, call->items[k]) : NULL;
        return is ? rg_expr_clone(c->a, is) : NULL;
    }
    if (e->kind == RG_EXPR_NAME) return NULL;
    struct rg_expr *out = rg_arena_alloc(c->a, sizeof *out);
    *out = *e;
    if (e->n_args) out->args = rg_arena_alloc(c->a, (size_t)e->n_args * sizeof *out->args);
    for (int i = 0; i < e->n_args; i++)
        if (!(out->args[i] = rg__caller_with_arguments(c, e->args[i], function, call))) return NULL;
    return out;
}

/* How many elements a call allocates: C's own functions, and one of the file that makes one such call
 * (`new_vector(n)`). */
const struct rg_expr *rg__caller_allocated(const struct rg__callers *c, CXCursor value, int64_t bytes)
{
    CXCursor x = rg__caller_bare(c, value);
    struct rg__children kids = rg__caller_children(c, x);
    const char *name = called_name(c, x);
    if (!strcmp(name, "calloc") && kids.n == 3) {
        const struct rg_expr *l = rg__caller_expr(c, kids.items[1]), *r = rg__caller_expr(c, kids.items[2]);
        if (is_size_of(c, kids.items[2]) || (r && r->kind == RG_EXPR_INT && r->value == bytes)) return l;
        return is_size_of(c, kids.items[1]) || (l && l->kind == RG_EXPR_INT && l->value == bytes) ? r : NULL;
    }
    if (allocates(name)) {
        if (kids.n < 2) return NULL;
        const struct rg_expr *n = elements(c, kids.items[kids.n - 1], bytes);
        return n || bytes != 1 ? n : rg__caller_expr(c, kids.items[kids.n - 1]);
    }
    int f = kids.n && *name ? rg__unit_function_named(c->b->u, name) : -1;
    struct found in = {.c = c};
    if (f >= 0) rg__cursor_walk(c->b->u, c->b->u->functions[f].body, note_allocation, &in);
    const struct rg_expr *e = in.n == 1 ? rg__caller_allocated(c, in.call, bytes) : NULL;
    return e ? rg__caller_with_arguments(c, e, f, &kids) : NULL;
}

/* Who calls all of several set-up functions calls what stands for them (read/init_sequence.c). */
static void call_of_sequence(struct rg__callers *c)
{
    const struct rg__sequence *s = &c->l->sequence;
    for (int f = 0; f < c->b->u->n_functions && s->n; f++) {
        struct rg__caller_call whole = {.function = f, .of = s->function};
        whole.args.n = s->n_own + 1;
        whole.args.items = rg_arena_alloc(c->a, ((size_t)s->n_own + 1) * sizeof *whole.args.items);
        int n = 0;
        for (int p = s->n - 1; p >= 0; p--) /* of several that pass a parameter the first does */
            for (int i = 0, last = n; i < c->n_calls && n == last; i++) {
                const struct rg__caller_call *x = &c->calls[i];
                if (x->function != f || x->of != s->of[p]) continue;
                if (!n++) whole.cursor = x->cursor;
                whole.args.items[0] = x->args.items[0];
                for (int k = 0; k + 1 < x->args.n; k++) {
                    const int at = rg__sequence_at(c->l, s->of[p], k);
                    if (at >= 0) whole.args.items[at + 1] = x->args.items[k + 1];
                }
            }
        if (n < s->n) continue;
        RG_GROW(c->calls, c->n_calls, c->cap_calls);
        c->calls[c->n_calls++] = whole;
    }
}

void rg__callers_read(struct rg__callers *c)
{
    const struct rg__unit *u = &c->l->unit;
    c->b = &c->l->b;
    c->a = &c->l->dirs.arena;
    struct rg__children all = rg__caller_children(c, c->b->c->getTranslationUnitCursor(u->tu));
    c->function = -1;
    rg__cursor_walk(u, u->functions[c->l->function].body, note_number, c);
    for (int i = 0; i < all.n; i++)
        if (rg__caller_kind(c, all.items[i]) == CXCursor_VarDecl) note(c, all.items[i]);
    for (int f = 0; f < u->n_functions; f++) {
        c->function = f;
        if (f != c->l->function && f != c->l->sequence.function && !rg__unit_linked(u, u->functions[f].at))
            rg__cursor_walk(u, u->functions[f].body, note, c);
    }
    call_of_sequence(c);
}

void rg__callers_release(struct rg__callers *c)
{
    free(c->sets);
    free(c->calls);
    free(c->pairs);
    free(c->own);
}
