/* Callers: how the file itself calls the function that is meant says what the code of the function cannot. `double *a =
 * malloc(n * m * sizeof *a); f(a, n, m)` gives a's extent in terms of n and m; `f(1000, x)` a size; `f(n, 5 * n, ..)`
 * one that follows from another. Read off libclang's tree, since a caller (main, with its files and printing) seldom
 * has a loop tree. Only what nothing else says is taken.
 *
 * An expression of a caller is one over atoms, "@place" or "@place.member", where the place is the variable's
 * declaration. What is passed for an integer parameter, or set to one, is a pair (expression, parameter); an extent is
 * found by putting parameters in their places. */
#include "frontend/infer/infer.h"
#include "frontend/read/read.h"
#include <rg/log.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 12, SMALL_NUMBER = 8, MAX_DIMS = 8 };

struct set { /* something is set to a value: a variable, a member of one, what it points to (`rows[i] = malloc(..)`) */
    uint32_t key;
    const char *member; /* NULL: none */
    int subscripts, function;
    CXCursor value;
};

struct pair {
    const struct rg_expr *is;
    int param, used;
};

struct callers {
    struct rg__load *l;
    struct rg__build *b;
    struct rg_arena *a;
    int function; /* being read; -1: file scope */
    int n_sets, cap_sets;
    struct set *sets;
    int n_calls, cap_calls;
    struct call {
        CXCursor cursor;
        int function, of; /* in which it stands; which it calls */
    } * calls;
    int n_pairs, cap_pairs;
    struct pair *pairs;
    int n_own, cap_own;
    int64_t *own; /* numbers that the function itself has in its text: no other stands for them */
};

/* ---- what stands in the file ---- */

static struct rg__children children(const struct callers *c, CXCursor x)
{
    return rg__cursor_children(c->b->u, x, c->a);
}

static enum CXCursorKind kind(const struct callers *c, CXCursor x)
{
    return c->b->c->getCursorKind(x);
}

/* Without parentheses and casts. */
static CXCursor bare(const struct callers *c, CXCursor x)
{
    for (x = rg__strip_parens(c->b, x); kind(c, x) == CXCursor_CStyleCastExpr; x = rg__strip_parens(c->b, x)) {
        struct rg__children kids = children(c, x);
        if (!kids.n) return x;
        x = kids.items[kids.n - 1];
    }
    return x;
}

/* A variable, a member of one (`m.val`, `m->val`), either with subscripts behind it. */
static bool place(const struct callers *c, CXCursor x, struct set *out)
{
    *out = (struct set){0};
    for (x = bare(c, x); kind(c, x) == CXCursor_ArraySubscriptExpr; out->subscripts++) {
        struct rg__children kids = children(c, x);
        if (!kids.n) return false;
        x = bare(c, kids.items[0]);
    }
    if (kind(c, x) == CXCursor_MemberRefExpr) {
        struct rg__children kids = children(c, x);
        out->member = rg__cursor_name(c->b->u, x, c->a);
        if (!kids.n) return false;
        x = bare(c, kids.items[0]);
    }
    if (kind(c, x) != CXCursor_DeclRefExpr) return false;
    CXCursor d = c->b->c->getCursorReferenced(x), def = c->b->c->getCursorDefinition(d);
    out->key = rg__decl_key(c->b->u, c->b->c->Cursor_isNull(def) ? d : def);
    return true;
}

/* The value behind a declarator, past the sizes of its dimensions. */
static bool initialiser(const struct callers *c, CXCursor d, CXCursor *value)
{
    struct rg__children kids = children(c, d);
    if (!kids.n || rg__type_is_array(c->b->u, c->b->c->getCursorType(d))) return false;
    *value = kids.items[kids.n - 1];
    enum CXCursorKind k = kind(c, *value);
    return k >= CXCursor_FirstExpr && k <= CXCursor_LastExpr;
}

static void note(void *arg, CXCursor x)
{
    struct callers *c = arg;
    struct set s = {0};
    if (kind(c, x) == CXCursor_VarDecl && initialiser(c, x, &s.value)) {
        s.key = rg__decl_key(c->b->u, x);
        s.function = c->function;
        RG_GROW(c->sets, c->n_sets, c->cap_sets);
        c->sets[c->n_sets++] = s;
    }
    struct rg__children kids = children(c, x);
    if (kind(c, x) == CXCursor_BinaryOperator && kids.n == 2 &&
        !strcmp(rg__operator_between(c->b, kids.items[0], kids.items[1]), "=") && place(c, kids.items[0], &s)) {
        s.value = kids.items[1];
        s.function = c->function;
        RG_GROW(c->sets, c->n_sets, c->cap_sets);
        c->sets[c->n_sets++] = s;
    }
    if (kind(c, x) == CXCursor_CallExpr && kids.n) {
        CXCursor f = bare(c, kids.items[0]);
        int of = kind(c, f) == CXCursor_DeclRefExpr ? rg__unit_function(c->b->u, c->b->c->getCursorReferenced(f)) : -1;
        if (of < 0) return;
        RG_GROW(c->calls, c->n_calls, c->cap_calls);
        c->calls[c->n_calls++] = (struct call){x, c->function, of};
    }
}

static void note_number(void *arg, CXCursor x)
{
    struct callers *c = arg;
    int64_t v;
    if (kind(c, x) != CXCursor_IntegerLiteral || !rg__eval_int(c->b->u, x, &v)) return;
    RG_GROW(c->own, c->n_own, c->cap_own);
    c->own[c->n_own++] = v;
}

static bool is_own(const struct callers *c, int64_t v)
{
    for (int i = 0; i < c->n_own; i++)
        if (c->own[i] == v) return true;
    return v <= SMALL_NUMBER;
}

/* The one value that a place has in a function, or at file scope; false: none, or several. */
static bool only_set(const struct callers *c, int function, uint32_t key, const char *member, CXCursor *value)
{
    int n = 0;
    for (int i = 0; i < c->n_sets; i++) {
        const struct set *s = &c->sets[i];
        if (s->key != key || s->subscripts || (s->function != function && s->function >= 0)) continue;
        if (member ? !s->member || strcmp(s->member, member) != 0 : s->member != NULL) continue;
        *value = s->value;
        n++;
    }
    return n == 1;
}

/* ---- expressions over atoms ---- */

static struct rg_expr *number(const struct callers *c, int64_t v)
{
    struct rg_expr *e = rg_arena_alloc(c->a, sizeof *e);
    *e = (struct rg_expr){.kind = RG_EXPR_INT, .value = v};
    return e;
}

static struct rg_expr *node(const struct callers *c, enum rg_expr_kind k, enum rg_op op, const struct rg_expr *x,
                            const struct rg_expr *y)
{
    struct rg_expr *e = rg_arena_alloc(c->a, sizeof *e);
    *e = (struct rg_expr){.kind = k, .op = op, .n_args = y ? 2 : 1, .args = rg_arena_alloc(c->a, 2 * sizeof *e->args)};
    e->args[0] = rg_expr_clone(c->a, x);
    if (y) e->args[1] = rg_expr_clone(c->a, y);
    return e;
}

static const struct rg_expr *atom(const struct callers *c, uint32_t key, const char *member)
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
static const struct rg_expr *expr_of(const struct callers *c, CXCursor x)
{
    x = bare(c, x);
    int64_t v;
    struct set s;
    struct rg__children kids = children(c, x);
    enum rg_op op;
    switch (kind(c, x)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_UnaryExpr: /* sizeof */
        return rg__eval_int(c->b->u, x, &v) ? number(c, v) : NULL;
    case CXCursor_BinaryOperator: {
        if (kids.n != 2 || !operator_of(rg__operator_between(c->b, kids.items[0], kids.items[1]), &op)) return NULL;
        const struct rg_expr *l = expr_of(c, kids.items[0]), *r = expr_of(c, kids.items[1]);
        return l && r ? node(c, RG_EXPR_BINARY, op, l, r) : NULL;
    }
    case CXCursor_ConditionalOperator: { /* argc > 1 ? atoi(argv[1]) : 1000 */
        const struct rg_expr *l = kids.n == 3 ? expr_of(c, kids.items[1]) : NULL,
                             *r = kids.n == 3 ? expr_of(c, kids.items[2]) : NULL;
        return l && !r ? l : !l ? r : NULL;
    }
    case CXCursor_DeclRefExpr:
        if (kind(c, c->b->c->getCursorReferenced(x)) == CXCursor_EnumConstantDecl)
            return rg__eval_int(c->b->u, x, &v) ? number(c, v) : NULL;
        return place(c, x, &s) ? atom(c, s.key, NULL) : NULL;
    case CXCursor_MemberRefExpr:
        return place(c, x, &s) && !s.subscripts ? atom(c, s.key, s.member) : NULL;
    default:
        return NULL;
    }
}

static bool is_size_of(const struct callers *c, CXCursor x)
{
    return kind(c, bare(c, x)) == CXCursor_UnaryExpr;
}

/* The count of elements in a number of bytes: what is left of a product without its sizeof, or without the number
 * `bytes`. */
static const struct rg_expr *elements(const struct callers *c, CXCursor x, int64_t bytes)
{
    x = bare(c, x);
    struct rg__children kids = children(c, x);
    enum rg_op op;
    if (is_size_of(c, x)) return number(c, 1);
    if (kind(c, x) != CXCursor_BinaryOperator || kids.n != 2 ||
        !operator_of(rg__operator_between(c->b, kids.items[0], kids.items[1]), &op))
        return NULL;
    if (op == RG_OP_ADD || op == RG_OP_SUB) {
        const struct rg_expr *l = elements(c, kids.items[0], bytes), *r = elements(c, kids.items[1], bytes);
        return l && r ? node(c, RG_EXPR_BINARY, op, l, r) : NULL;
    }
    if (op != RG_OP_MUL) return NULL;
    for (int side = 1; side >= 0; side--) {
        int64_t v;
        CXCursor one = kids.items[side], other = kids.items[1 - side];
        if (is_size_of(c, one) ||
            (kind(c, bare(c, one)) == CXCursor_IntegerLiteral && rg__eval_int(c->b->u, bare(c, one), &v) && v == bytes))
            return expr_of(c, other);
    }
    for (int side = 1; side >= 0; side--) { /* n * sizeof(float) * m */
        const struct rg_expr *part = elements(c, kids.items[side], bytes),
                             *rest = part ? expr_of(c, kids.items[1 - side]) : NULL;
        if (rest)
            return side ? node(c, RG_EXPR_BINARY, RG_OP_MUL, rest, part)
                        : node(c, RG_EXPR_BINARY, RG_OP_MUL, part, rest);
    }
    return NULL;
}

struct found {
    const struct callers *c;
    int n;
    CXCursor call;
};

static const char *called_name(const struct callers *c, CXCursor x)
{
    return kind(c, x) == CXCursor_CallExpr ? rg__cursor_name(c->b->u, x, c->a) : "";
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

static struct rg_expr *with_arguments(const struct callers *c, const struct rg_expr *e, int function,
                                      const struct rg__children *call)
{
    struct rg__children params = children(c, c->b->u->functions[function].cursor);
    for (int i = 0, k = 0; i < params.n && e->kind == RG_EXPR_NAME; i++) {
        if (kind(c, params.items[i]) != CXCursor_ParmDecl) continue;
        k++;
        if (strcmp(atom(c, rg__decl_key(c->b->u, params.items[i]), NULL)->name, e->name) != 0) continue;
        const struct rg_expr *is = k < call->n ? expr_of(c, call->items[k]) : NULL;
        return is ? rg_expr_clone(c->a, is) : NULL;
    }
    if (e->kind == RG_EXPR_NAME) return NULL;
    struct rg_expr *out = rg_arena_alloc(c->a, sizeof *out);
    *out = *e;
    if (e->n_args) out->args = rg_arena_alloc(c->a, (size_t)e->n_args * sizeof *out->args);
    for (int i = 0; i < e->n_args; i++)
        if (!(out->args[i] = with_arguments(c, e->args[i], function, call))) return NULL;
    return out;
}

/* How many elements a call allocates: C's own functions, and one of the file that makes one such call
 * (`new_vector(n)`). */
static const struct rg_expr *allocated(const struct callers *c, CXCursor value, int64_t bytes)
{
    CXCursor x = bare(c, value);
    struct rg__children kids = children(c, x);
    const char *name = called_name(c, x);
    if (!strcmp(name, "calloc") && kids.n == 3) {
        const struct rg_expr *l = expr_of(c, kids.items[1]), *r = expr_of(c, kids.items[2]);
        if (is_size_of(c, kids.items[2]) || (r && r->kind == RG_EXPR_INT && r->value == bytes)) return l;
        return is_size_of(c, kids.items[1]) || (l && l->kind == RG_EXPR_INT && l->value == bytes) ? r : NULL;
    }
    if (allocates(name)) {
        if (kids.n < 2) return NULL;
        const struct rg_expr *n = elements(c, kids.items[kids.n - 1], bytes);
        return n || bytes != 1 ? n : expr_of(c, kids.items[kids.n - 1]);
    }
    int f = kids.n && *name ? rg__unit_function_named(c->b->u, name) : -1;
    struct found in = {.c = c};
    if (f >= 0) rg__cursor_walk(c->b->u, c->b->u->functions[f].body, note_allocation, &in);
    const struct rg_expr *e = in.n == 1 ? allocated(c, in.call, bytes) : NULL;
    return e ? with_arguments(c, e, f, &kids) : NULL;
}

/* ---- in terms of the parameters ---- */

static int global_param(const struct callers *c, const char *name)
{
    const struct rg__sym *s =
        name[0] == '@' && !strchr(name, '.') ? rg__sym_find(c->b, (uint32_t)strtoul(name + 1, NULL, 10)) : NULL;
    if (!s || s->kind != RG__SYM_VAR) return -1;
    int q = c->l->t->vars[s->var].param;
    return q >= 0 && c->l->p->params[q].kind == RG_PARAM_SCALAR && rg__scalar_is_int(c->l->p->params[q].elem) ? q : -1;
}

static const struct rg_expr *named(const struct callers *c, int param)
{
    struct rg_expr *e = rg_arena_alloc(c->a, sizeof *e);
    *e = (struct rg_expr){.kind = RG_EXPR_NAME, .name = c->l->p->params[param].name};
    return e;
}

/* `e` over the problem's parameters; NULL: something in it is none. `not`: the parameter that is to be expressed; -1. A
 * number is a parameter where one is passed as just that (a macro's value, behind the preprocessor); of several equal
 * ones, each in its turn. */
static const struct rg_expr *settled(struct callers *c, const struct rg_expr *e, int function, int not, int depth)
{
    if (depth > MAX_STEPS) return NULL;
    struct pair *equal = NULL;
    for (int i = 0; i < c->n_pairs; i++) {
        struct pair *p = &c->pairs[i];
        if (p->param == not || !rg_expr_equal(p->is, e)) continue;
        if (e->kind == RG_EXPR_INT && is_own(c, e->value)) continue;
        if (!equal || p->used < equal->used) equal = p;
    }
    if (equal) return equal->used++, named(c, equal->param);
    if (e->kind == RG_EXPR_INT) return e;
    if (e->kind == RG_EXPR_NAME) {
        const char *dot = strchr(e->name, '.');
        CXCursor value;
        int q = global_param(c, e->name);
        if (q >= 0 && q != not ) return named(c, q);
        if (only_set(c, function, (uint32_t)strtoul(e->name + 1, NULL, 10), dot ? dot + 1 : NULL, &value)) {
            const struct rg_expr *is = expr_of(c, value);
            return is ? settled(c, is, function, not, depth + 1) : NULL;
        }
        const struct call *only = NULL; /* a parameter of that function, which is called once */
        for (int i = 0, n = 0; i < c->n_calls; i++)
            if (c->calls[i].of == function) only = n++ ? NULL : &c->calls[i];
        struct rg__children kids = only && function >= 0 ? children(c, only->cursor) : (struct rg__children){0};
        const struct rg_expr *is = kids.n ? with_arguments(c, e, function, &kids) : NULL;
        return is ? settled(c, is, only->function, not, depth + 1) : NULL;
    }
    if (e->kind != RG_EXPR_BINARY) return NULL;
    const struct rg_expr *l = settled(c, e->args[0], function, not, depth + 1),
                         *r = l ? settled(c, e->args[1], function, not, depth + 1) : NULL;
    return r ? node(c, RG_EXPR_BINARY, e->op, l, r) : NULL;
}

static void add_pair(struct callers *c, const struct rg_expr *e, int param)
{
    const struct rg_param *q = &c->l->p->params[param];
    if (!e || q->kind != RG_PARAM_SCALAR || !rg__scalar_is_int(q->elem)) return;
    RG_GROW(c->pairs, c->n_pairs, c->cap_pairs);
    c->pairs[c->n_pairs++] = (struct pair){e, param, 0};
}

static bool argument_place(const struct callers *c, CXCursor x, struct set *out);

/* What the calls in a function that take the structure at `key` set its member to: `make(&a, n)` with `m->n = n`. */
static void add_set_by_calls(struct callers *c, int function, uint32_t key, const char *member, int param)
{
    for (int i = 0; i < c->n_calls; i++) {
        int of = c->calls[i].of;
        if (c->calls[i].function != function || of == c->l->function || of == function) continue;
        struct rg__children args = children(c, c->calls[i].cursor), params = children(c, c->b->u->functions[of].cursor);
        for (int p = 0, k = 0; p < params.n; p++) {
            struct set at;
            if (kind(c, params.items[p]) != CXCursor_ParmDecl) continue;
            if (++k >= args.n || !argument_place(c, args.items[k], &at) || at.key != key || at.member) continue;
            uint32_t inside = rg__decl_key(c->b->u, params.items[p]);
            for (int x = 0; x < c->n_sets; x++) {
                const struct set *s = &c->sets[x];
                if (s->function != of || s->key != inside || s->subscripts || !s->member ||
                    strcmp(s->member, member) != 0)
                    continue;
                const struct rg_expr *e = expr_of(c, s->value);
                add_pair(c, e ? with_arguments(c, e, of, &args) : NULL, param);
            }
        }
    }
}

/* Members of the structure at `key` that are parameters, "A.n": as they are read there, and what they are set to in
 * that function. */
static void add_members(struct callers *c, int function, uint32_t key, const char *shown)
{
    size_t len = strlen(shown);
    for (int i = 0; i < c->l->p->n_params; i++) {
        const char *name = rg_param_shown(&c->l->p->params[i]);
        if (strncmp(name, shown, len) != 0 || name[len] != '.' || strchr(name + len + 1, '.')) continue;
        add_pair(c, atom(c, key, name + len + 1), i);
        add_set_by_calls(c, function, key, name + len + 1, i);
        for (int k = 0; k < c->n_sets; k++) {
            const struct set *s = &c->sets[k];
            if (s->function == function && s->key == key && !s->subscripts && s->member &&
                !strcmp(s->member, name + len + 1))
                add_pair(c, expr_of(c, s->value), i);
        }
    }
}

static const char *argument_name(const struct callers *c, int k)
{
    struct rg__children kids = children(c, c->l->unit.functions[c->l->function].cursor);
    for (int i = 0; i < kids.n; i++)
        if (kind(c, kids.items[i]) == CXCursor_ParmDecl && !k--) return rg__cursor_name(c->b->u, kids.items[i], c->a);
    return "";
}

/* An argument without the address of its first element: `&a[0][0]`, `&m`. */
static bool argument_place(const struct callers *c, CXCursor x, struct set *out)
{
    x = bare(c, x);
    struct rg__children kids = children(c, x);
    if (kind(c, x) == CXCursor_UnaryOperator && kids.n == 1) x = kids.items[0];
    return place(c, x, out);
}

static void pairs_of_call(struct callers *c, const struct call *call)
{
    struct rg__children kids = children(c, call->cursor);
    c->n_pairs = 0;
    for (int k = 0; k < c->b->n_args && k + 1 < kids.n; k++) {
        struct set s;
        if (c->b->args[k].param >= 0)
            add_pair(c, expr_of(c, kids.items[k + 1]), c->b->args[k].param);
        else if (argument_place(c, kids.items[k + 1], &s))
            add_members(c, call->function, s.key, argument_name(c, k));
    }
}

/* ---- extents ---- */

/* Dimensions of an array as its declaration writes them. */
static int declared(const struct callers *c, CXCursor d, const struct rg_expr **dims)
{
    int n = 0, k = 0;
    CXType t = c->b->c->getCursorType(d);
    struct rg__children kids = children(c, d);
    for (; rg__type_is_array(c->b->u, t) && n < MAX_DIMS;
         t = c->b->c->getArrayElementType(c->b->c->getCanonicalType(t))) {
        while (k < kids.n &&
               (kind(c, kids.items[k]) < CXCursor_FirstExpr || kind(c, kids.items[k]) > CXCursor_LastExpr))
            k++;
        int64_t size = c->b->c->getArraySize(c->b->c->getCanonicalType(t));
        dims[n] = k < kids.n && kind(c, kids.items[k]) != CXCursor_InitListExpr ? expr_of(c, kids.items[k++]) : NULL;
        if (!dims[n] && size > 0) dims[n] = number(c, size);
        if (!dims[n++]) return 0;
    }
    return n;
}

struct sought {
    const struct callers *c;
    uint32_t key;
    bool found;
    CXCursor decl;
};

static void find_declaration(void *arg, CXCursor x)
{
    struct sought *s = arg;
    if (kind(s->c, x) != CXCursor_VarDecl || rg__decl_key(s->c->b->u, x) != s->key) return;
    s->found = true;
    s->decl = x;
}

static int memory_of(struct callers *c, const struct set *at, int function, const struct rg_param *q,
                     const struct rg_expr **dims, int *where);

/* What stands for one dimension of several, or for all of a flat pointer's. */
static bool take_extent(struct callers *c, int param, const struct rg_expr *const *dims, int n, int function)
{
    struct rg_param *q = &c->l->p->params[param];
    const struct rg_expr *e[MAX_DIMS];
    for (int i = 0; i < c->n_pairs; i++) c->pairs[i].used = 0;
    for (int d = 0; d < n; d++)
        if (!(e[d] = settled(c, dims[d], function, -1, 0))) return false;
    if (n != q->n_dims && q->n_dims != 1) return false;
    for (int d = 1; d < n && q->n_dims == 1; d++) e[0] = node(c, RG_EXPR_BINARY, RG_OP_MUL, e[0], e[d]);
    const struct rg_expr **all = rg_arena_alloc(&c->l->p->arena, (size_t)q->n_dims * sizeof *all);
    for (int d = 0; d < q->n_dims; d++) all[d] = q->dims[d] ? q->dims[d] : rg_expr_clone(&c->l->p->arena, e[d]);
    q->dims = all;
    q->extent_from = function >= 0
                         ? rg_arena_printf(&c->l->p->arena, "as %s allocates it", c->l->unit.functions[function].name)
                         : "as the file declares it";
    for (int a = 0; a < c->l->t->n_arrays; a++)
        if (c->l->t->arrays[a].param == param && c->l->t->arrays[a].n_dims == q->n_dims) c->l->t->arrays[a].dims = all;
    return true;
}

static int memory_of(struct callers *c, const struct set *at, int function, const struct rg_param *q,
                     const struct rg_expr **dims, int *where)
{
    struct sought s = {c, at->key, false, c->b->c->getNullCursor()};
    if (!at->member) {
        rg__cursor_walk(c->b->u, c->b->c->getTranslationUnitCursor(c->b->u->tu), find_declaration, &s);
        int n = s.found ? declared(c, s.decl, dims) : 0;
        *where = function;
        if (n) return n;
    }
    int n = 0;
    for (int level = 0; level < MAX_DIMS && level < (q->indirect ? q->n_dims : 1); level++) {
        const struct set *best = NULL;
        for (int i = 0; i < c->n_sets; i++) {
            const struct set *x = &c->sets[i];
            bool same = at->member ? x->member && !strcmp(x->member, at->member) : x->key == at->key && !x->member;
            if (!same || x->subscripts != level ||
                !allocated(c, x->value, level + 1 < q->n_dims ? (int64_t)sizeof(void *) : q->elem_bytes))
                continue;
            if (!best || (x->function == function && best->function != function)) best = x;
        }
        if (!best) break;
        dims[n++] = allocated(c, best->value, level + 1 < q->n_dims ? (int64_t)sizeof(void *) : q->elem_bytes);
        *where = best->function;
        function = best->function;
    }
    return n;
}

static bool lacks(const struct rg_param *q)
{
    for (int d = 0; d < q->n_dims; d++)
        if (!q->dims[d]) return true;
    return false;
}

static void of_call(struct callers *c, const struct call *call, int param)
{
    struct rg__children kids = children(c, call->cursor);
    const struct rg_param *q = &c->l->p->params[param];
    const struct rg_expr *dims[MAX_DIMS];
    for (int k = 0; k < c->b->n_args && k + 1 < kids.n; k++) {
        struct set at;
        int where = call->function, n;
        const char *shown = argument_name(c, k);
        size_t len = strlen(shown);
        if (!argument_place(c, kids.items[k + 1], &at)) continue;
        if (c->b->args[k].param == param) {
            if ((n = memory_of(c, &at, call->function, q, dims, &where))) take_extent(c, param, dims, n, where);
        } else if (c->b->args[k].param < 0 && !strncmp(rg_param_shown(q), shown, len) &&
                   rg_param_shown(q)[len] == '.') {
            at.member = rg_param_shown(q) + len + 1;
            if (!(n = memory_of(c, &at, call->function, q, dims, &where))) continue;
            for (int i = 0; i < c->n_sets; i++) /* the structure may have another name where it is filled */
                if (c->sets[i].function == where && c->sets[i].member && !strcmp(c->sets[i].member, at.member)) {
                    add_members(c, where, c->sets[i].key, shown);
                    break;
                }
            take_extent(c, param, dims, n, where);
        }
    }
}

/* A pointer at file scope: whoever allocates it, with what stands for its sizes there. */
static void of_global(struct callers *c, int param)
{
    const struct rg_param *q = &c->l->p->params[param];
    const struct rg_expr *dims[MAX_DIMS];
    for (int i = 0; i < c->n_sets && lacks(q); i++) {
        const struct set *x = &c->sets[i];
        const struct rg__sym *s = x->member || x->subscripts ? NULL : rg__sym_find(c->b, x->key);
        if (!s || s->kind != RG__SYM_ARRAY || c->l->t->arrays[s->array].param != param) continue;
        int where = x->function, n = memory_of(c, x, x->function, q, dims, &where);
        c->n_pairs = 0;
        for (int k = 0; k < c->n_sets; k++) { /* rows = n; behind or before */
            int g = c->sets[k].function == where && !c->sets[k].member
                        ? global_param(c, atom(c, c->sets[k].key, NULL)->name)
                        : -1;
            if (g >= 0) add_pair(c, expr_of(c, c->sets[k].value), g);
        }
        if (n) take_extent(c, param, dims, n, where);
    }
}

static void read_callers(struct callers *c)
{
    const struct rg__unit *u = &c->l->unit;
    c->b = &c->l->b;
    c->a = &c->l->dirs.arena;
    struct rg__children all = children(c, c->b->c->getTranslationUnitCursor(u->tu));
    c->function = -1;
    rg__cursor_walk(u, u->functions[c->l->function].body, note_number, c);
    for (int i = 0; i < all.n; i++)
        if (kind(c, all.items[i]) == CXCursor_VarDecl) note(c, all.items[i]);
    for (int f = 0; f < u->n_functions; f++) {
        c->function = f;
        if (f != c->l->function && !rg__unit_linked(u, u->functions[f].at))
            rg__cursor_walk(u, u->functions[f].body, note, c);
    }
}

static void release(struct callers *c)
{
    free(c->sets);
    free(c->calls);
    free(c->pairs);
    free(c->own);
}

void rg__caller_extents(struct rg__load *l)
{
    bool any = false;
    for (int i = 0; i < l->p->n_params; i++) any |= lacks(&l->p->params[i]);
    if (!any || !l->t) return;
    struct callers c = {.l = l};
    read_callers(&c);
    for (int i = 0; i < l->p->n_params; i++) {
        for (int k = 0; k < c.n_calls && lacks(&l->p->params[i]); k++) {
            if (c.calls[k].of != l->function) continue;
            pairs_of_call(&c, &c.calls[k]);
            of_call(&c, &c.calls[k], i);
        }
        if (lacks(&l->p->params[i]) && l->p->params[i].origin == RG_ORIGIN_GLOBAL) of_global(&c, i);
    }
    release(&c);
}

/* ---- sizes ---- */

struct names_only {
    struct rg__load *l;
    bool known;
};

static void is_given(void *arg, const char *name)
{
    struct names_only *n = arg;
    int q = rg_problem_param(n->l->p, name);
    for (int k = 0; k < n->l->p->n_size_params; k++)
        if (n->l->p->size_params[k] == q && n->l->unset[k]) n->known = false;
}

/* The value of size parameter `k` at each size: over others that are given, or a number. `value` stands in that
 * function. */
static bool take_size(struct callers *c, CXCursor value, int function, int k, struct rg_buf *said)
{
    struct rg_problem *p = c->l->p;
    for (int i = 0; i < c->n_pairs; i++) c->pairs[i].used = 0;
    const struct rg_expr *is = expr_of(c, value), *e = is ? settled(c, is, function, p->size_params[k], 0) : NULL;
    struct names_only n = {c->l, true};
    if (e) rg_expr_names(e, is_given, &n);
    if (!e || !n.known) return false;
    int64_t *at = rg_xcalloc((size_t)p->n_sizes + 1, sizeof *at);
    bool ok = true;
    for (int s = 0; s < p->n_sizes && ok; s++) {
        struct rg_problem_env env;
        rg_problem_env_init(&env, p, &p->sizes[s]);
        ok = rg_expr_eval(e, &env.env, &at[s], NULL) == RG_OK && at[s] > 0;
    }
    for (int s = 0; s < p->n_sizes && ok; s++) p->sizes[s].values[k] = at[s];
    free(at);
    if (!ok) return false;
    c->l->unset[k] = false;
    c->l->called[k] = true;
    rg_buf_printf(said, "%s%s=", said->len ? ", " : "", rg_param_shown(&p->params[p->size_params[k]]));
    rg_expr_print(said, e, rg_problem_shown, p);
    return true;
}

/* Where a size parameter has its value from: an argument of the call, the one place that sets a file-scope variable or
 * a member. */
static bool source_of(struct callers *c, const struct call *call, int param, CXCursor *value, int *function)
{
    const char *shown = rg_param_shown(&c->l->p->params[param]), *dot = strchr(shown, '.');
    struct rg__children kids = call ? children(c, call->cursor) : (struct rg__children){0};
    const struct set *only = NULL;
    int n = 0;
    c->n_pairs = 0;
    if (call) pairs_of_call(c, call);
    for (int a = 0; a < c->b->n_args && a + 1 < kids.n; a++)
        if (c->b->args[a].param == param) return *value = kids.items[a + 1], *function = call->function, true;
    for (int i = 0; i < c->n_sets; i++) {
        const struct set *s = &c->sets[i];
        bool same = dot ? s->member && !strcmp(s->member, dot + 1)
                        : !s->member && global_param(c, atom(c, s->key, NULL)->name) == param;
        if (s->subscripts || !same) continue;
        only = s;
        n++;
    }
    if (n != 1 || (dot && strchr(dot + 1, '.'))) return false;
    if (dot) add_members(c, only->function, only->key, rg_arena_strndup(c->a, shown, (size_t)(dot - shown)));
    *value = only->value;
    *function = only->function;
    return true;
}

void rg__caller_sizes(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    bool any = false;
    for (int k = 0; k < p->n_size_params; k++) any |= l->unset[k] && !p->params[p->size_params[k]].derived;
    if (!any) return;
    l->n_called = p->n_size_params;
    l->called = rg_arena_alloc(&p->arena, (size_t)p->n_size_params + 1);
    struct callers c = {.l = l};
    read_callers(&c);
    struct rg_buf said = RG_BUF_INIT;
    const struct call *call = NULL;
    for (int i = 0; i < c.n_calls && !call; i++)
        if (c.calls[i].of == l->function) call = &c.calls[i];
    int from = -1;
    for (int round = 0; round < 3;
         round++) /* what follows from sizes that are given; numbers; what follows from those */
        for (int k = 0; k < p->n_size_params; k++) {
            CXCursor value;
            int function;
            if (!l->unset[k] || p->params[p->size_params[k]].derived ||
                !source_of(&c, call, p->size_params[k], &value, &function))
                continue;
            if (round == 1) c.n_pairs = 0;
            if (take_size(&c, value, function, k, &said)) from = function;
        }
    if (said.len)
        p->size_note = rg_arena_printf(&p->arena, "%s, as in %s", said.data,
                                       from >= 0 ? l->unit.functions[from].name : "the file");
    rg_buf_release(&said);
    release(&c);
}
