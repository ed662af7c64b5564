/* Pointer variables that are only ever set to whole arrays (`double *a = u, *b = v; ... a = b;`). Such a variable is
 * built as an array of its own, a view, so that subscripts, calls and copies through it look like everybody else's. */
#include "frontend/read/build.h"
#include <string.h>

/* A pointer as it stands: a name, *p, p[k], one of two of them, NULL. */
static bool whole_pointer(struct rg__build *b, CXCursor value)
{
    CXCursor v = rg__strip_parens(b, value);
    struct rg__children kids = rg__cursor_children(b->u, v, &b->p->arena);
    int64_t zero;
    switch (b->c->getCursorKind(v)) {
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr:
        return true;
    case CXCursor_ArraySubscriptExpr: /* of an array of pointers */
        return kids.n == 2 && rg__type_is_pointer(b->u, b->c->getCursorType(v));
    case CXCursor_CStyleCastExpr:
        return kids.n && whole_pointer(b, kids.items[kids.n - 1]);
    case CXCursor_ConditionalOperator:
        return kids.n == 3 && whole_pointer(b, kids.items[1]) && whole_pointer(b, kids.items[2]);
    case CXCursor_IntegerLiteral:
        return rg__eval_int(b->u, v, &zero) && !zero;
    case CXCursor_UnaryOperator:
        return kids.n == 1 && rg__tok_is(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, v)), "*") &&
               b->c->getCursorKind(rg__strip_parens(b, kids.items[0])) == CXCursor_DeclRefExpr;
    default:
        return false;
    }
}

struct search {
    struct rg__build *b;
    uint32_t key;
    bool bad;
};

static bool is_it(const struct search *s, CXCursor c)
{
    CXCursor in = rg__strip_parens(s->b, c);
    return s->b->c->getCursorKind(in) == CXCursor_DeclRefExpr &&
           rg__decl_key(s->b->u, s->b->c->getCursorReferenced(in)) == s->key;
}

static void look(void *arg, CXCursor c)
{
    struct search *s = arg;
    struct rg__build *b = s->b;
    enum CXCursorKind k = b->c->getCursorKind(c);
    if (k != CXCursor_BinaryOperator && k != CXCursor_CompoundAssignOperator && k != CXCursor_UnaryOperator) return;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (!kids.n || !is_it(s, kids.items[0])) return;
    if (k == CXCursor_CompoundAssignOperator) s->bad = true;
    if (k == CXCursor_BinaryOperator && kids.n == 2 &&
        !strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "=") && !whole_pointer(b, kids.items[1]))
        s->bad = true;
    if (k == CXCursor_UnaryOperator) { /* ++p and its like; *p and &p are harmless */
        int first = rg__tok_from(&b->u->src, rg__cursor_at(b->u, c));
        s->bad |= !rg__tok_is(&b->u->src, first, "*") && !rg__tok_is(&b->u->src, first, "&") &&
                  !rg__tok_is(&b->u->src, first, "!");
    }
}

struct span {
    struct rg__build *b;
    uint32_t key, last;      /* of the variable looked for; its last use */
    uint32_t view, from, to; /* does the view move between? */
    bool moves;
};

static bool refers(const struct span *s, CXCursor c, uint32_t key)
{
    CXCursor in = rg__strip_parens(s->b, c);
    return s->b->c->getCursorKind(in) == CXCursor_DeclRefExpr &&
           rg__decl_key(s->b->u, s->b->c->getCursorReferenced(in)) == key;
}

static void find_last(void *arg, CXCursor c)
{
    struct span *s = arg;
    if (s->b->c->getCursorKind(c) == CXCursor_DeclRefExpr && refers(s, c, s->key) &&
        rg__cursor_at(s->b->u, c) > s->last)
        s->last = rg__cursor_at(s->b->u, c);
}

static void find_move(void *arg, CXCursor c)
{
    struct span *s = arg;
    enum CXCursorKind k = s->b->c->getCursorKind(c);
    uint32_t at = rg__cursor_at(s->b->u, c);
    if ((k != CXCursor_BinaryOperator && k != CXCursor_UnaryOperator) || at < s->from || at > s->to) return;
    struct rg__children kids = rg__cursor_children(s->b->u, c, &s->b->p->arena);
    if (!kids.n || !refers(s, kids.items[0], s->view)) return;
    if (k == CXCursor_UnaryOperator)
        s->moves |= rg__tok_is(&s->b->u->src, rg__tok_from(&s->b->u->src, at), "&");
    else
        s->moves |= kids.n == 2 && !strcmp(rg__operator_between(s->b, kids.items[0], kids.items[1]), "=");
}

bool rg__view_stays(struct rg__build *b, CXCursor scope, CXCursor pointer, uint32_t view)
{
    struct span s = {.b = b, .key = rg__decl_key(b->u, pointer), .view = view};
    if (b->c->getCursorKind(pointer) != CXCursor_VarDecl || rg__is_written(b, s.key)) return false;
    rg__cursor_walk(b->u, scope, find_last, &s);
    s.from = rg__cursor_at(b->u, pointer);
    s.to = s.last;
    rg__cursor_walk(b->u, scope, find_move, &s);
    return !s.moves;
}

/* A view by the declaration's name and type, set to what it is initialised with, or to `arg`, where there is one. */
static bool declare(struct rg__build *b, CXCursor decl, CXCursor init, struct rg_cnode *arg, struct rg__kids *out)
{
    const struct rg_expr *dims[8];
    CXType type = b->c->getCursorType(decl), elem = type;
    CXType pointee = b->c->getPointeeType(b->c->getCanonicalType(type));
    enum rg_scalar scalar;
    int n = 1;
    if (rg__type_is_array(b->u, pointee)) {
        n = rg__array_dims(b, decl, type, dims, 8, &elem);
        if (n < 2) return false;
    } else {
        for (elem = pointee; rg__type_is_pointer(b->u, elem) && n < 8; n++) { /* a table of rows */
            dims[n] = NULL;
            elem = b->c->getPointeeType(b->c->getCanonicalType(elem));
        }
    }
    if (!rg__type_scalar(b->u, elem, &scalar) && !rg__type_is_record(b->u, elem)) return false;
    struct rg_cnode *value = b->c->Cursor_isNull(init) ? arg : rg__build_expr(b, init);
    if (value && value->kind == RG_C_CAST && value->kid[0]->pointer) return false; /* to another type */
    int a = rg__c_add_array(b->t, rg__cursor_name(b->u, decl, &b->p->arena), RG_F32);
    if (!rg__set_element(b, a, elem)) return false;
    struct rg_carray *x = &b->t->arrays[a];
    x->view = true;
    x->is_const = b->c->isConstQualifiedType(elem);
    x->n_dims = n;
    x->dims = rg_arena_alloc(&b->t->arena, sizeof *x->dims * (size_t)n);
    for (int d = 1; d < n; d++) x->dims[d] = dims[d];
    rg__sym_add(b, rg__decl_key(b->u, decl), RG__SYM_ARRAY)->array = a;
    if (!value) return true;
    struct rg_cnode *name = rg_cnode_new(b->t, RG_C_VAR, 0);
    name->array = a;
    name->type = x->elem;
    name->struct_index = x->struct_index;
    name->pointer = true;
    struct rg_cnode *st = rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, name, value));
    rg__place_node(b, st, decl);
    rg__kids_add(out, st);
    return true;
}

bool rg__view_declare(struct rg__build *b, CXCursor decl, CXCursor init, struct rg__kids *out)
{
    bool has_init = !b->c->Cursor_isNull(init);
    struct search s = {.b = b, .key = rg__decl_key(b->u, decl)};
    if (has_init && !whole_pointer(b, init)) return false;
    rg__walk_scope(b, s.key, look, &s);
    return !s.bad && declare(b, decl, init, NULL, out);
}

bool rg__view_bind(struct rg__build *b, CXCursor body, CXCursor param, struct rg_cnode *arg, struct rg__kids *out)
{
    struct search s = {.b = b, .key = rg__decl_key(b->u, param)};
    if (arg->kind != RG_C_VAR || arg->array < 0) return false; /* a whole array */
    rg__cursor_walk(b->u, body, look, &s);
    return !s.bad && declare(b, param, b->c->getNullCursor(), arg, out);
}
