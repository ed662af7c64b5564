/* Integers that the function takes by their address and only reads (`const int *n`), as in translated Fortran: bounds
 * and strides are parameters like those that are passed by value, so each is one, be it read as `*n` or as `n[0]`. The
 * shim passes the address of a variable that holds it. */
#include "frontend/read/build_cell.h"
#include "frontend/read/build_columns.h"
#include "frontend/read/build_flat.h"
#include <string.h>

struct reads {
    struct rg__build *b;
    uint32_t key;
    int uses, values;
    bool bad; /* stored to, or its address taken again */
};

static bool names(const struct reads *r, CXCursor c)
{
    struct rg__build *b = r->b;
    c = rg__strip_parens(b, c);
    return b->c->getCursorKind(c) == CXCursor_DeclRefExpr && rg__decl_key(b->u, b->c->getCursorReferenced(c)) == r->key;
}

/* `*n`, `n[0]` */
static bool is_value(const struct reads *r, CXCursor c)
{
    struct rg__build *b = r->b;
    c = rg__strip_parens(b, c);
    const enum CXCursorKind k = b->c->getCursorKind(c);
    if (k != CXCursor_UnaryOperator && k != CXCursor_ArraySubscriptExpr) return false;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    int64_t at;
    if (k == CXCursor_ArraySubscriptExpr)
        return kids.n == 2 && names(r, kids.items[0]) && rg__eval_int(b->u, kids.items[1], &at) && at == 0;
    return kids.n == 1 && rg__tok_is(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, c)), "*") &&
           names(r, kids.items[0]);
}

static void look(void *arg, CXCursor c)
{
    struct reads *r = arg;
    struct rg__build *b = r->b;
    const enum CXCursorKind k = b->c->getCursorKind(c);
    r->uses += k == CXCursor_DeclRefExpr && names(r, c);
    r->values += (k == CXCursor_UnaryOperator || k == CXCursor_ArraySubscriptExpr) && is_value(r, c);
    if (k != CXCursor_BinaryOperator && k != CXCursor_CompoundAssignOperator && k != CXCursor_UnaryOperator) return;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (!kids.n || !is_value(r, kids.items[0])) return;
    r->bad |=
        k == CXCursor_CompoundAssignOperator || (k == CXCursor_BinaryOperator && kids.n == 2 &&
                                                 !strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "="));
    if (k != CXCursor_UnaryOperator) return;
    const uint32_t at = rg__cursor_at(b->u, c);
    const bool prefix = rg__cursor_at(b->u, kids.items[0]) > at;
    const int tok = rg__tok_from(&b->u->src, prefix ? at : rg__cursor_end(b->u, kids.items[0]));
    r->bad |=
        rg__tok_is(&b->u->src, tok, "++") || rg__tok_is(&b->u->src, tok, "--") || rg__tok_is(&b->u->src, tok, "&");
}

static bool take(struct rg__build *b, CXCursor decl, CXType type, const char *name)
{
    const uint32_t key = rg__decl_key(b->u, decl);
    const int carrier = rg__add_carrier(b, type, -1, "");
    struct rg_cnode *var;
    const char *problem = NULL;
    const int param = rg__build_part_param(b, decl, type, name, name, false, &var, &problem);
    if (param < 0) return false;
    b->origins[param].layout = RG__PART;
    b->origins[param].parent = carrier;
    b->origins[param].member = "";
    b->args[b->n_args - 1].carrier = carrier;
    b->args[b->n_args - 1].address = true;
    struct rg_cnode *number = rg__fixed_number(b, param);
    rg__sym_add(b, key, RG__SYM_VALUE)->value = rg__address_of(b, number ? number : var);
    return true;
}

bool rg__behind_param(struct rg__build *b, const struct rg__function *f, CXCursor decl)
{
    CXType t = b->c->getCursorType(decl);
    const char *name = rg__cursor_name(b->u, decl, &b->p->arena);
    enum rg_scalar s;
    CXType canonical = b->c->getCanonicalType(t);
    const bool array = canonical.kind == CXType_IncompleteArray || /* `int n[]`, `int n[1]` */
                       (canonical.kind == CXType_ConstantArray && b->c->getArraySize(canonical) == 1);
    if (!*name || (canonical.kind != CXType_Pointer && !array) || rg__is_directed(b, name)) return false;
    CXType to = array ? b->c->getArrayElementType(t) : b->c->getPointeeType(canonical);
    if (!rg__type_scalar(b->u, to, &s) || !rg__scalar_is_int(s) || rg_scalar_bytes(s) < 4 ||
        b->c->isVolatileQualifiedType(to))
        return false;
    struct reads r = {.b = b, .key = rg__decl_key(b->u, decl)};
    rg__cursor_walk(b->u, f->body, look, &r);
    return r.uses && r.uses == r.values && !r.bad && take(b, decl, to, name);
}
