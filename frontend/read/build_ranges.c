/* Live ranges: a local pointer that the statements of its own block set, one behind the other, is another place after
 * each of them:     float *p = x; for (..) *p++ *= a;     p = y; for (..) *p++ += a; */
#include "frontend/read/build.h"
#include <string.h>

struct ranges {
    struct rg__build *b;
    uint32_t key;
    int sets, own; /* `p = ..` anywhere; as a statement of the block */
    bool declared; /* in the compound statement that is looked at */
    bool other;    /* jumps, p's address */
};

static bool sets_it(const struct ranges *r, CXCursor c)
{
    struct rg__build *b = r->b;
    if (b->c->getCursorKind(c) != CXCursor_BinaryOperator) return false;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    CXCursor left = kids.n == 2 ? rg__strip_parens(b, kids.items[0]) : b->c->getNullCursor();
    return kids.n == 2 && b->c->getCursorKind(left) == CXCursor_DeclRefExpr &&
           rg__decl_key(b->u, b->c->getCursorReferenced(left)) == r->key &&
           !strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "=");
}

static void look(void *arg, CXCursor c)
{
    struct ranges *r = arg;
    struct rg__build *b = r->b;
    const enum CXCursorKind k = b->c->getCursorKind(c);
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    r->other |= k == CXCursor_LabelStmt || k == CXCursor_GotoStmt || k == CXCursor_SwitchStmt;
    r->sets += sets_it(r, c);
    if (k == CXCursor_UnaryOperator && kids.n == 1) {
        CXCursor in = rg__strip_parens(b, kids.items[0]);
        r->other |= rg__tok_is(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, c)), "&") &&
                    b->c->getCursorKind(in) == CXCursor_DeclRefExpr &&
                    rg__decl_key(b->u, b->c->getCursorReferenced(in)) == r->key;
    }
    if (k != CXCursor_CompoundStmt) return;
    bool declared = false;
    int own = 0;
    for (int i = 0; i < kids.n; i++) {
        struct rg__children of = rg__cursor_children(b->u, kids.items[i], &b->p->arena);
        for (int d = 0; d < of.n && b->c->getCursorKind(kids.items[i]) == CXCursor_DeclStmt; d++)
            declared |=
                b->c->getCursorKind(of.items[d]) == CXCursor_VarDecl && rg__decl_key(b->u, of.items[d]) == r->key;
        own += sets_it(r, rg__strip_parens(b, kids.items[i]));
    }
    if (declared) r->declared = true, r->own = own;
}

bool rg__set_in_ranges(struct rg__build *b, CXCursor scope, CXCursor decl)
{
    struct ranges r = {.b = b, .key = rg__decl_key(b->u, decl)};
    if (b->c->getCursorKind(decl) != CXCursor_VarDecl) return false;
    rg__cursor_walk(b->u, scope, look, &r);
    look(&r, scope);
    return r.declared && !r.other && r.own > 0 && r.sets == r.own;
}
