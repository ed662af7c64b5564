/* Memory that pointers cut into parts: `double *a, *b; a = malloc(2*n*sizeof *a); b = a + n;`. The block is one array
 * from its allocation on, wherever it is declared, and b a place in it. Where parts take turns with other arrays
 * (`t = x; x = b; b = t;`), each pointer is a view and an offset into what that stands for. */
#include "frontend/read/build_parts.h"
#include <string.h>

struct block {
    struct rg__build *b;
    CXCursor decl, part;
    int n;         /* allocations */
    bool other;    /* it is set to something else, steps, or its address is taken */
    bool repeated; /* the allocation stands in a loop, and one of the two declarations does not */
};

static bool is_it(const struct block *s, CXCursor c)
{
    CXCursor in = rg__strip_parens(s->b, c);
    return s->b->c->getCursorKind(in) == CXCursor_DeclRefExpr &&
           rg__decl_key(s->b->u, s->b->c->getCursorReferenced(in)) == rg__decl_key(s->b->u, s->decl);
}

static void note_value(struct block *s, CXCursor value)
{
    const bool memory = rg__is_allocation(s->b, value);
    s->n += memory;
    s->other |= !memory && !rg__is_null(s->b, value);
}

static void find_values(void *arg, CXCursor c)
{
    struct block *s = arg;
    struct rg__build *b = s->b;
    const enum CXCursorKind k = b->c->getCursorKind(c);
    if (k != CXCursor_BinaryOperator && k != CXCursor_CompoundAssignOperator && k != CXCursor_UnaryOperator) return;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (!kids.n || !is_it(s, kids.items[0])) return;
    if (k == CXCursor_BinaryOperator) {
        if (kids.n == 2 && !strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "="))
            note_value(s, kids.items[1]);
    } else { /* *p and !p are harmless */
        const int first = rg__tok_from(&b->u->src, rg__cursor_at(b->u, c));
        s->other |= !rg__tok_is(&b->u->src, first, "*") && !rg__tok_is(&b->u->src, first, "!");
    }
}

static bool lies_in(const struct block *s, CXCursor outer, CXCursor c)
{
    const uint32_t at = rg__cursor_at(s->b->u, c);
    return at >= rg__cursor_at(s->b->u, outer) && at < rg__cursor_end(s->b->u, outer);
}

static void find_call(void *arg, CXCursor c)
{
    struct block *s = arg;
    struct rg__build *b = s->b;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    s->n += b->c->getCursorKind(c) == CXCursor_BinaryOperator && kids.n == 2 && is_it(s, kids.items[0]) &&
            !strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "=") && rg__is_allocation(b, kids.items[1]);
}

/* What an iteration allocates is not what the part of an earlier one lies in. */
static void find_loops(void *arg, CXCursor c)
{
    struct block *s = arg;
    const enum CXCursorKind k = s->b->c->getCursorKind(c);
    if ((k != CXCursor_ForStmt && k != CXCursor_WhileStmt && k != CXCursor_DoStmt) ||
        (lies_in(s, c, s->decl) && lies_in(s, c, s->part)))
        return;
    struct block inside = *s;
    inside.n = 0;
    rg__cursor_walk(s->b->u, c, find_call, &inside);
    s->repeated |= inside.n > 0;
}

bool rg__becomes_memory(struct rg__build *b, CXCursor scope, CXCursor decl, CXCursor part)
{
    struct block s = {.b = b, .decl = decl, .part = part};
    if (b->c->getCursorKind(decl) != CXCursor_VarDecl || rg__at_file_scope(b, decl) ||
        b->c->Cursor_getStorageClass(decl) == CX_SC_Static)
        return false;
    CXCursor init = rg__initialiser(b, decl);
    if (!b->c->Cursor_isNull(init)) note_value(&s, init);
    rg__cursor_walk(b->u, scope, find_values, &s);
    rg__cursor_walk(b->u, scope, find_loops, &s);
    return s.n == 1 && !s.other && !s.repeated;
}

int rg__moving_view(struct rg__build *b, CXCursor decl)
{
    CXType elem = b->c->getPointeeType(b->c->getCanonicalType(b->c->getCursorType(decl)));
    enum rg_scalar scalar;
    if (!rg__type_scalar(b->u, elem, &scalar) && !rg__type_is_record(b->u, elem)) return -1;
    const int a = rg__c_add_array(b->t, rg__cursor_name(b->u, decl, &b->p->arena), RG_F32);
    if (!rg__set_element(b, a, elem)) return -1;
    struct rg_carray *x = &b->t->arrays[a];
    x->view = true;
    x->is_const = b->c->isConstQualifiedType(elem);
    x->n_dims = 1;
    x->dims = rg_arena_alloc(&b->t->arena, sizeof *x->dims);
    return a;
}

bool rg__moving_fits(const struct rg__build *b, const struct rg__sym *s, int array)
{
    const struct rg_carray *to = &b->t->arrays[array], *view = &b->t->arrays[s->array];
    return to->n_dims == 1 && to->elem == view->elem && to->struct_index == view->struct_index;
}

void rg__moving_assign(struct rg__build *b, const struct rg__sym *s, int array, struct rg__kids *out)
{
    rg__kids_add(out, rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, rg__c_array_name(b->t, s->array),
                                                    rg__c_array_name(b->t, array))));
}
