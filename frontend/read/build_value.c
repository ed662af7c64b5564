/* Helpers that are one value - `return`s under conditions, nothing else - stand as that expression where they are
 * called: `imin(n - 1, i + k)` in a bound, `at(v, i, j)` in a subscript, `pixel(img, w, h, x, y)` that checks its
 * arguments. What is affine in them stays affine. */
#include "frontend/read/build.h"
#include <string.h>

enum { MAX_ARGUMENT = 24, MAX_VALUE = 120 };

struct value {
    struct rg__build *b;
    CXType result;
    bool failed;
};

static bool is_array_type(struct rg__build *b, CXType t)
{
    return rg__type_is_pointer(b->u, t) || rg__type_is_array(b->u, t) || t.kind == CXType_VariableArray ||
           t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray;
}

static struct rg_cnode *of_statements(struct value *v, const CXCursor *items, int n);

static struct rg_cnode *of_arm(struct value *v, CXCursor c)
{
    struct rg__build *b = v->b;
    if (b->c->getCursorKind(c) != CXCursor_CompoundStmt) return of_statements(v, &c, 1);
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    return of_statements(v, kids.items, kids.n);
}

/* const int k = ...; a name for a value. */
static bool declared(struct value *v, CXCursor stmt)
{
    struct rg__build *b = v->b;
    struct rg__children kids = rg__cursor_children(b->u, stmt, &b->p->arena);
    for (int i = 0; i < kids.n; i++) {
        CXCursor d = kids.items[i];
        enum rg_scalar s;
        struct rg__children parts = rg__cursor_children(b->u, d, &b->p->arena);
        if (b->c->getCursorKind(d) != CXCursor_VarDecl || !parts.n || rg__is_written(b, rg__decl_key(b->u, d)) ||
            !rg__type_scalar(b->u, b->c->getCursorType(d), &s) || b->c->Cursor_getStorageClass(d) == CX_SC_Static)
            return false;
        CXCursor last = parts.items[parts.n - 1];
        enum CXCursorKind k = b->c->getCursorKind(last);
        if (!(k >= CXCursor_FirstExpr && k <= CXCursor_LastExpr) || k == CXCursor_InitListExpr) return false;
        struct rg_cnode *e = rg__c_cast(b->t, rg__build_expr(b, last), s);
        if (!rg__c_pure(b->t, e) || rg__c_size(e) > MAX_ARGUMENT) return false;
        rg__sym_add(b, rg__decl_key(b->u, d), RG__SYM_VALUE)->value = e;
    }
    return true;
}

static struct rg_cnode *of_statements(struct value *v, const CXCursor *items, int n)
{
    struct rg__build *b = v->b;
    if (!n || v->failed) return NULL;
    struct rg__children kids = rg__cursor_children(b->u, items[0], &b->p->arena);
    switch (b->c->getCursorKind(items[0])) {
    case CXCursor_NullStmt:
        return of_statements(v, items + 1, n - 1);
    case CXCursor_CompoundStmt:
        return n == 1 ? of_arm(v, items[0]) : NULL;
    case CXCursor_DeclStmt:
        return declared(v, items[0]) ? of_statements(v, items + 1, n - 1) : NULL;
    case CXCursor_ReturnStmt: {
        enum rg_scalar s;
        if (kids.n != 1) return NULL;
        struct rg_cnode *e = rg__build_expr(b, kids.items[0]);
        if (is_array_type(b, v->result)) return e->pointer ? e : NULL;
        return rg__type_scalar(b->u, v->result, &s) ? rg__c_cast(b->t, e, s) : NULL;
    }
    case CXCursor_IfStmt: {
        if (kids.n < 2) return NULL;
        struct rg_cnode *c = rg_cnode_new(b->t, RG_C_COND, 3);
        c->kid[0] = rg__build_expr(b, kids.items[0]);
        c->kid[1] = of_arm(v, kids.items[1]);
        c->kid[2] = c->kid[1] ? kids.n > 2 ? of_arm(v, kids.items[2]) : of_statements(v, items + 1, n - 1) : NULL;
        if (!c->kid[2] || c->kid[0]->pointer) return NULL;
        c->type = c->kid[1]->type;
        c->struct_index = c->kid[1]->struct_index;
        c->pointer = c->kid[1]->pointer || c->kid[2]->pointer;
        c->line = c->kid[0]->line;
        c->column = c->kid[0]->column;
        return c;
    }
    default:
        return NULL;
    }
}

static bool bind(struct rg__build *b, CXCursor param, struct rg_cnode *arg)
{
    CXType t = b->c->getCursorType(param);
    enum rg_scalar s;
    const struct rg__targets *targets = rg__targets_of(b, arg);
    if (targets && targets->n == 1 && !rg__is_written(b, rg__decl_key(b->u, param))) {
        rg__bind_function(b, rg__decl_key(b->u, param), targets, NULL);
        return true;
    }
    if (targets || rg__is_written(b, rg__decl_key(b->u, param)) || !rg__c_pure(b->t, arg) ||
        rg__c_size(arg) > MAX_ARGUMENT)
        return false;
    bool address = arg->op == RG_COP_ADDRESS && arg->kid[0]->kind == RG_C_VAR;
    if (rg__bundle_is(b, arg) ||
        (address && rg__bundle_is(b, arg->kid[0]))) { /* a structure that is there as its parts */
    } else if (is_array_type(b, t)) {
        struct rg_cnode *rows[8], *off;
        int array, n_rows;
        CXType e = b->c->getCanonicalType(t);
        if (e.kind != CXType_Pointer) return false;
        e = b->c->getPointeeType(e);
        if (!arg->pointer || !rg__split_pointer(b, arg, &array, rows, &n_rows, &off) ||
            b->t->arrays[array].n_dims - n_rows != 1)
            return false;
        bool same = rg__type_scalar(b->u, e, &s) ? s == b->t->arrays[array].elem
                                                 : rg__type_is_record(b->u, e) && b->t->arrays[array].elem == RG_STRUCT;
        if (!same) return false;
    } else if (rg__type_scalar(b->u, t, &s)) {
        if (arg->pointer) return false;
        arg = rg__c_cast(b->t, arg, s);
    } else if (!rg__type_is_record(b->u, t) || arg->kind != RG_C_VAR) {
        return false;
    }
    rg__sym_add(b, rg__decl_key(b->u, param), RG__SYM_VALUE)->value = arg;
    return true;
}

struct rg_cnode *rg__build_value(struct rg__build *b, int function, struct rg_cnode **args, int n_args)
{
    const struct rg__function *f = &b->u->functions[function];
    enum rg_scalar s;
    struct value v = {.b = b, .result = b->c->getResultType(b->c->getCursorType(f->cursor))};
    bool place = is_array_type(b, v.result); /* static double *at(g, i, j) { return &g->w[..]; } */
    if (b->helper || b->n_inlining >= RG__MAX_INLINE || (!place && !rg__type_scalar(b->u, v.result, &s))) return NULL;
    struct rg__children kids = rg__cursor_children(b->u, f->cursor, &b->p->arena);
    int n = 0;
    bool arrays = false;
    for (int i = 0; i < kids.n; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        arrays |= is_array_type(b, b->c->getCursorType(kids.items[i]));
        n++;
    }
    /* real values of real arguments read better, and compile as well, as functions */
    if (n != n_args || (!arrays && !place && !rg__scalar_is_int(s))) return NULL;
    const char *verbatim = b->verbatim;
    int first_sym = b->n_syms;
    struct rg__kids *hoist = b->hoist;
    CXCursor scope = b->scope;
    b->hoist = NULL;
    b->scope = f->body;
    b->inlining_args[b->n_inlining] = NULL;
    b->inlining[b->n_inlining++] = function;
    bool bound = true;
    for (int i = 0, k = 0; i < kids.n && bound; i++)
        if (b->c->getCursorKind(kids.items[i]) == CXCursor_ParmDecl) bound = bind(b, kids.items[i], args[k++]);
    struct rg_cnode *value = bound ? of_arm(&v, f->body) : NULL;
    b->n_inlining--;
    b->scope = scope;
    b->hoist = hoist;
    rg__drop_symbols(b, first_sym);
    if (!value || (!verbatim && b->verbatim) || b->refused || rg__c_size(value) > MAX_VALUE ||
        !rg__c_pure(b->t, value)) {
        b->verbatim = verbatim;
        return NULL;
    }
    return value;
}
