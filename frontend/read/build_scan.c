/* Which variables are assigned anywhere: read off libclang's tree before ours is built. */
#include "frontend/read/build_reads.h"
#include "frontend/read/build.h"
#include <stdlib.h>
#include <string.h>

struct scan {
    struct rg__build *b;
    uint32_t end; /* what begins there or further on is not looked at */
};

static void add_written(struct rg__build *b, uint32_t key)
{
    RG_GROW(b->written, b->n_written, b->cap_written);
    b->written[b->n_written++] = key;
}

/* What an assignment's left side finally names: the variable itself, or the array below subscripts and members. */
static void mark_target(struct rg__build *b, CXCursor c)
{
    bool through_pointer = false;
    for (;;) {
        c = rg__strip_parens(b, c);
        enum CXCursorKind k = b->c->getCursorKind(c);
        struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
        if (k == CXCursor_DeclRefExpr) {
            CXCursor d = b->c->getCursorReferenced(c);
            /* p[i] = x writes what p points to, not p; A[i] = x writes the array A */
            bool pointer =
                rg__type_is_pointer(b->u, b->c->getCursorType(d)) || b->c->getCursorKind(d) == CXCursor_ParmDecl;
            if (!through_pointer || !pointer) add_written(b, rg__decl_key(b->u, d));
            return;
        }
        if (!kids.n) return;
        if (k == CXCursor_ArraySubscriptExpr) through_pointer = true;
        if (k == CXCursor_MemberRefExpr && rg__type_is_pointer(b->u, b->c->getCursorType(kids.items[0])))
            through_pointer = true;
        if (k == CXCursor_UnaryOperator) through_pointer = true;
        if (k != CXCursor_ArraySubscriptExpr && k != CXCursor_MemberRefExpr && k != CXCursor_UnaryOperator) return;
        c = kids.items[0];
    }
}

/* f(&x) of a parameter that points to const, and through which f reads members alone. */
static bool only_to_read(struct rg__build *b, CXCursor parent, int tok)
{
    const struct rg__source *s = &b->u->src;
    CXType t = b->c->getCanonicalType(b->c->getCursorType(parent));
    return b->c->getCursorKind(parent) == CXCursor_UnexposedExpr && t.kind == CXType_Pointer &&
           b->c->isConstQualifiedType(b->c->getPointeeType(t)) &&
           (rg__tok_is(s, tok - 1, "(") || rg__tok_is(s, tok - 1, ",")) &&
           (rg__tok_is(s, tok + 2, ")") || rg__tok_is(s, tok + 2, ",")) && rg__argument_only_read(b, tok, 0);
}

static enum CXChildVisitResult scan_node(CXCursor c, CXCursor parent, CXClientData data)
{
    struct rg__build *b = ((struct scan *)data)->b;
    enum CXCursorKind k = b->c->getCursorKind(c);
    struct rg__children kids = {0};
    if (rg__cursor_at(b->u, c) >= ((struct scan *)data)->end) return CXChildVisit_Continue;
    if (k == CXCursor_BinaryOperator || k == CXCursor_CompoundAssignOperator || k == CXCursor_UnaryOperator ||
        k == CXCursor_UnexposedExpr)
        kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (k == CXCursor_CompoundAssignOperator && kids.n) mark_target(b, kids.items[0]);
    if (k == CXCursor_BinaryOperator && kids.n == 2 &&
        !strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "="))
        mark_target(b, kids.items[0]);
    if (k == CXCursor_UnaryOperator && kids.n == 1) {
        uint32_t at = rg__cursor_at(b->u, c);
        bool prefix = rg__cursor_at(b->u, kids.items[0]) > at;
        int tok = rg__tok_from(&b->u->src, prefix ? at : rg__cursor_end(b->u, kids.items[0]));
        const bool address = rg__tok_is(&b->u->src, tok, "&") && !only_to_read(b, parent, tok);
        if (rg__tok_is(&b->u->src, tok, "++") || rg__tok_is(&b->u->src, tok, "--") || address)
            mark_target(b, kids.items[0]);
    }
    if (k == CXCursor_UnexposedExpr && kids.n == 1 && rg__type_is_array(b->u, b->c->getCursorType(kids.items[0])) &&
        b->c->getCursorKind(parent) != CXCursor_ArraySubscriptExpr) { /* the array's address goes somewhere */
        CXCursor in = rg__strip_parens(b, kids.items[0]);
        bool param = b->c->getCursorKind(in) == CXCursor_DeclRefExpr &&
                     b->c->getCursorKind(b->c->getCursorReferenced(in)) == CXCursor_ParmDecl;
        if (!param) mark_target(b, kids.items[0]);
    }
    return CXChildVisit_Recurse;
}

struct reach {
    struct rg__build *b;
    bool *in; /* by unit function */
    int n_vars, cap_vars;
    uint32_t *vars;           /* file-scope variables looked through */
    bool unknown, taken_only; /* a call of something that is no function's name was met; look for addresses alone */
};

static void reach_function(struct reach *r, int f);

static void reach_node(void *arg, CXCursor c)
{
    struct reach *r = arg;
    const struct rg__build *b = r->b;
    enum CXCursorKind k = b->c->getCursorKind(c);
    if (k == CXCursor_CallExpr && !r->taken_only) {
        CXCursor callee = b->c->getCursorReferenced(c);
        r->unknown |= b->c->Cursor_isNull(callee) || b->c->getCursorKind(callee) != CXCursor_FunctionDecl;
    }
    if (k != CXCursor_DeclRefExpr) return;
    CXCursor d = b->c->getCursorReferenced(c), def = b->c->getCursorDefinition(d);
    if (b->c->getCursorKind(d) == CXCursor_FunctionDecl) {
        bool called = rg__tok_is(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, c)) + 1, "(");
        int f = r->taken_only && called ? -1 : rg__unit_function(b->u, d);
        if (f >= 0) reach_function(r, f);
    } else if (b->c->getCursorKind(d) == CXCursor_VarDecl && !r->taken_only) { /* a table of functions */
        if (!b->c->Cursor_isNull(def)) d = def;
        uint32_t key = rg__decl_key(b->u, d);
        for (int i = 0; i < r->n_vars; i++)
            if (r->vars[i] == key) return;
        RG_GROW(r->vars, r->n_vars, r->cap_vars);
        r->vars[r->n_vars++] = key;
        rg__cursor_walk(b->u, d, reach_node, r);
    }
}

static void reach_function(struct reach *r, int f)
{
    if (r->in[f]) return;
    r->in[f] = true;
    bool taken_only = r->taken_only;
    r->taken_only = false;
    rg__cursor_walk(r->b->u, r->b->u->functions[f].body, reach_node, r);
    r->taken_only = taken_only;
}

void rg__scan_written(struct rg__build *b, int function)
{
    struct reach r = {.b = b, .in = rg_xcalloc((size_t)b->u->n_functions + 1, sizeof *r.in)};
    reach_function(&r, function);
    if (!r.unknown) { /* calls through pointers are not followed */
        b->in_run = rg_xcalloc((size_t)b->u->n_functions + 1, sizeof *b->in_run);
        memcpy(b->in_run, r.in, (size_t)b->u->n_functions * sizeof *b->in_run);
    }
    if (r.unknown) { /* whatever has its address taken anywhere */
        r.taken_only = true;
        rg__cursor_walk(b->u, b->c->getTranslationUnitCursor(b->u->tu), reach_node, &r);
    }
    struct scan s = {.b = b, .end = UINT32_MAX};
    for (int rest = 0; rest < 2; rest++) {
        for (int i = 0; i < b->u->n_functions; i++)
            if (r.in[i] == !rest) b->c->visitChildren(b->u->functions[i].body, scan_node, &s);
        if (!rest) b->n_written_run = b->n_written;
    }
    free(r.in);
    free(r.vars);
    if (b->in_run) rg__state_flow(b, function);
}

bool rg__is_written_in_run(const struct rg__build *b, uint32_t key)
{
    for (int i = 0; i < b->n_written_run; i++)
        if (b->written[i] == key) return true;
    return false;
}

int rg__times_written(const struct rg__build *b, uint32_t key)
{
    int n = 0;
    for (int i = 0; i < b->n_written; i++) n += b->written[i] == key;
    return n;
}

bool rg__is_written(const struct rg__build *b, uint32_t key)
{
    return rg__times_written(b, key) > 0;
}

struct round {
    const struct rg__build *b;
    uint32_t where;
    bool again;
};

static void around(void *arg, CXCursor c)
{
    struct round *r = arg;
    const struct rg__build *b = r->b;
    const enum CXCursorKind k = b->c->getCursorKind(c);
    const bool loop = k == CXCursor_ForStmt || k == CXCursor_WhileStmt || k == CXCursor_DoStmt;
    r->again |= k == CXCursor_GotoStmt || k == CXCursor_IndirectGotoStmt;
    r->again |= loop && rg__cursor_at(b->u, c) <= r->where && r->where < rg__cursor_end(b->u, c);
}

bool rg__is_unchanged_at(struct rg__build *b, uint32_t key, CXCursor where)
{
    struct round r = {.b = b, .where = rg__cursor_at(b->u, where)};
    struct scan s = {.b = b, .end = r.where};
    const int known = b->n_written;
    for (int i = 0; i < b->u->n_functions; i++) {
        CXCursor body = b->u->functions[i].body;
        if (b->c->Cursor_isNull(body) || rg__cursor_at(b->u, body) > r.where || rg__cursor_end(b->u, body) <= r.where)
            continue;
        rg__cursor_walk(b->u, body, around, &r);
        b->c->visitChildren(body, scan_node, &s);
        bool changed = r.again;
        for (int w = known; w < b->n_written; w++) changed |= b->written[w] == key;
        b->n_written = known;
        return !changed;
    }
    return false;
}
