/* Which variables are assigned anywhere: read off libclang's tree before ours is built. */
#include "frontend/build.h"
#include <string.h>

struct scan {
    struct rg__build *b;
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

static enum CXChildVisitResult scan_node(CXCursor c, CXCursor parent, CXClientData data)
{
    struct rg__build *b = ((struct scan *)data)->b;
    enum CXCursorKind k = b->c->getCursorKind(c);
    struct rg__children kids = {0};
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
        if (rg__tok_is(&b->u->src, tok, "++") || rg__tok_is(&b->u->src, tok, "--") || rg__tok_is(&b->u->src, tok, "&"))
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

void rg__scan_written(struct rg__build *b, CXCursor body)
{
    struct scan s = {b};
    b->c->visitChildren(body, scan_node, &s);
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
