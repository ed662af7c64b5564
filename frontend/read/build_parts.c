/* Memory that pointers cut into parts: `double *a, *b; a = malloc(2*n*sizeof *a); b = a + n;`. The block is one array
 * from its allocation on, wherever it is declared, and b a place in it, where every use is behind the allocation. Where
 * parts take turns with other arrays
 * (`t = x; x = b; b = t;`), each pointer is a view and an offset into what that stands for. */
#include "frontend/read/build_parts.h"
#include <string.h>

struct block {
    struct rg__build *b;
    CXCursor decl, part;
    int n;         /* allocations */
    uint32_t at;   /* where the last one found is */
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
    if (memory) s->at = rg__cursor_at(s->b->u, value);
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

bool rg__only_allocated(struct rg__build *b, CXCursor decl)
{
    struct block s = {.b = b, .decl = decl};
    rg__walk_scope(b, rg__decl_key(b->u, decl), find_values, &s);
    return !s.other;
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

/* The part of the code that runs whenever what stands at `at` does, as far as blocks and branches tell. false: `at` is
 * not in there. */
static bool region_at(struct rg__build *b, CXCursor scope, uint32_t at, CXCursor *region)
{
    bool inside = false;
    *region = scope;
    for (CXCursor c = scope;;) {
        struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
        const enum CXCursorKind k = b->c->getCursorKind(c);
        int i = 0;
        while (i < kids.n && (at < rg__cursor_at(b->u, kids.items[i]) || at >= rg__cursor_end(b->u, kids.items[i])))
            i++;
        if (i == kids.n) return inside;
        const char *op = k == CXCursor_BinaryOperator && i ? rg__operator_between(b, kids.items[0], kids.items[1]) : "";
        const bool sometimes = !strcmp(op, "&&") || !strcmp(op, "||") || k == CXCursor_IfStmt ||
                               k == CXCursor_SwitchStmt || k == CXCursor_ConditionalOperator || k == CXCursor_WhileStmt;
        c = kids.items[i];
        inside = true;
        if (k == CXCursor_ForStmt || k == CXCursor_DoStmt || k == CXCursor_CaseStmt || k == CXCursor_DefaultStmt ||
            b->c->getCursorKind(c) == CXCursor_CompoundStmt || (sometimes && i))
            *region = c;
    }
}

struct uses {
    struct rg__build *b;
    uint32_t key, from, to; /* of the pointer; where its uses may lie */
    bool outside;
    uint32_t at, label; /* the allocation; the first label behind it that may be reached without it */
    bool jumps;         /* a goto stands in front of it */
};

/* free(p), if (p) free(p): nothing is read. */
static bool only_frees(struct rg__build *b, CXCursor c)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    const enum CXCursorKind k = b->c->getCursorKind(c);
    if (k == CXCursor_CallExpr) {
        const CXCursor of = kids.n == 2 ? rg__strip_parens(b, kids.items[1]) : c;
        return b->c->getCursorKind(of) == CXCursor_DeclRefExpr &&
               !strcmp(rg__cursor_name(b->u, c, &b->p->arena), "free");
    }
    const int from = k == CXCursor_IfStmt;
    if ((k != CXCursor_IfStmt && k != CXCursor_CompoundStmt) || kids.n <= from) return false;
    for (int i = from; i < kids.n; i++)
        if (!only_frees(b, kids.items[i])) return false;
    return true;
}

static bool refers(const struct uses *u, CXCursor c)
{
    c = rg__strip_parens(u->b, c);
    return u->b->c->getCursorKind(c) == CXCursor_DeclRefExpr &&
           rg__decl_key(u->b->u, u->b->c->getCursorReferenced(c)) == u->key;
}

static void find_uses(struct uses *u, CXCursor c)
{
    struct rg__build *b = u->b;
    const uint32_t at = rg__cursor_at(b->u, c);
    if (b->c->getCursorKind(c) == CXCursor_DeclRefExpr && refers(u, c)) u->outside |= at < u->from || at >= u->to;
    if (only_frees(b, c)) return;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    const bool set = b->c->getCursorKind(c) == CXCursor_BinaryOperator && kids.n == 2 && refers(u, kids.items[0]) &&
                     !strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "=");
    if (set && (rg__is_null(b, kids.items[1]) || (u->at >= at && u->at < rg__cursor_end(b->u, c)))) return;
    for (int i = 0; i < kids.n; i++) find_uses(u, kids.items[i]);
}

/* Labels and cases behind the allocation; the cases of a switch that starts behind it are behind it in every run. */
static void find_labels(struct uses *u, CXCursor c, bool behind)
{
    struct rg__build *b = u->b;
    const enum CXCursorKind k = b->c->getCursorKind(c);
    const uint32_t at = rg__cursor_at(b->u, c);
    behind |= k == CXCursor_SwitchStmt && at > u->at;
    u->jumps |= (k == CXCursor_GotoStmt || k == CXCursor_IndirectGotoStmt) && at < u->at;
    const bool label = k == CXCursor_LabelStmt && u->jumps,
               arm = (k == CXCursor_CaseStmt || k == CXCursor_DefaultStmt) && !behind;
    if ((label || arm) && at > u->at && at < u->label) u->label = at;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    for (int i = 0; i < kids.n; i++) find_labels(u, kids.items[i], behind);
}

bool rg__allocated_before_use(struct rg__build *b, CXCursor scope, CXCursor decl, uint32_t at)
{
    struct uses u = {.b = b, .key = rg__decl_key(b->u, decl), .at = at, .label = UINT32_MAX};
    CXCursor region;
    if (!region_at(b, scope, at, &region)) return false;
    find_labels(&u, scope, false);
    u.from = at;
    u.to = rg__cursor_end(b->u, region) < u.label ? rg__cursor_end(b->u, region) : u.label;
    find_uses(&u, scope);
    return !u.outside;
}

bool rg__stays_in_block(struct rg__build *b, CXCursor scope, CXCursor root, CXCursor decl)
{
    struct block s = {.b = b, .decl = root, .at = rg__cursor_at(b->u, root)};
    struct uses u = {.b = b, .key = rg__decl_key(b->u, decl), .at = UINT32_MAX};
    CXCursor region;
    if (b->c->getCursorKind(root) != CXCursor_VarDecl || rg__at_file_scope(b, root) || rg__own_of(b, u.key))
        return true;
    rg__cursor_walk(b->u, scope, find_values, &s);
    if (!region_at(b, scope, s.at, &region)) return true;
    u.from = rg__cursor_at(b->u, region);
    u.to = rg__cursor_end(b->u, region);
    find_uses(&u, scope);
    return !u.outside;
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
    return s.n == 1 && !s.other && !s.repeated && rg__allocated_before_use(b, scope, decl, s.at);
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

bool rg__same_pointee(struct rg__build *b, CXCursor x, CXCursor y)
{
    CXType to = b->c->getCanonicalType(b->c->getCursorType(x)),
           from = b->c->getCanonicalType(b->c->getCursorType(rg__strip_parens(b, y)));
    from = rg__type_is_array(b->u, from) ? b->c->getArrayElementType(from) : b->c->getPointeeType(from);
    to = b->c->getPointeeType(to);
    return from.kind != CXType_Invalid && to.kind != CXType_Invalid &&
           !strcmp(rg__plain_type(b, to), rg__plain_type(b, from));
}

bool rg__leads_on(struct rg__build *b, CXCursor v)
{
    CXType t = b->c->getCursorType(v);
    const bool element = b->c->getCursorKind(v) == CXCursor_ArraySubscriptExpr ||
                         rg__tok_is(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, v)), "*");
    return element && (rg__type_is_pointer(b->u, t) || rg__type_is_array(b->u, t));
}
