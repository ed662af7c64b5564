/* Parameters that are structures with pointers in them (`const struct csr *A`, `struct image im`): there is no buffer
 * to transfer, so the members are what the problem has, each a parameter of its own (`A.val`, `A.n`), and the shim puts
 * the structure together again around them. In the tree the parameter is a bundle (build_bundle.c) of these. */
#include "frontend/read/build_cell.h"
#include "frontend/read/build_columns.h"
#include "frontend/read/build_field.h"
#include "frontend/read/build_flat.h"
#include <string.h>

enum { MAX_DEPTH = 4, MAX_TABLE = 16, MOST_ELEMENTS = 8 };

/* ---- which members the functions use and change ---- */

struct usage {
    struct rg__build *b;
    uint32_t param;  /* the parameter's key */
    uint32_t member; /* of the declaration of the member */
    bool inside; /* looking at the function itself: only the parameter counts; elsewhere any structure of the type */
    bool used, written, several; /* several: it leads to more than one element */
    int uses, by_member;         /* how often it is named, and how often for a member of it */
};

static CXCursor below(struct rg__build *b, CXCursor c)
{
    for (;;) {
        c = rg__strip_parens(b, c);
        enum CXCursorKind k = b->c->getCursorKind(c);
        if (k != CXCursor_MemberRefExpr && k != CXCursor_ArraySubscriptExpr && k != CXCursor_UnaryOperator) return c;
        struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
        if (!kids.n) return c;
        c = kids.items[0];
    }
}

static bool is_member(const struct usage *s, CXCursor c)
{
    struct rg__build *b = s->b;
    if (b->c->getCursorKind(c) != CXCursor_MemberRefExpr ||
        rg__decl_key(b->u, b->c->getCursorReferenced(c)) != s->member)
        return false;
    CXCursor base = below(b, c);
    if (!s->inside || b->c->getCursorKind(base) != CXCursor_DeclRefExpr) return true;
    CXCursor d = b->c->getCursorReferenced(base);
    /* a local pointer may be a name for the parameter; another parameter is another structure */
    return b->c->getCursorKind(d) != CXCursor_ParmDecl || rg__decl_key(b->u, d) == s->param;
}

/* The member, or an element of it when it is an array, on the left of an assignment; what a pointer member points to is
 * not the member. */
static bool targets(const struct usage *s, CXCursor c)
{
    struct rg__build *b = s->b;
    for (;;) {
        c = rg__strip_parens(b, c);
        if (is_member(s, c)) return true;
        enum CXCursorKind k = b->c->getCursorKind(c);
        struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
        bool element = k == CXCursor_ArraySubscriptExpr && kids.n &&
                       rg__type_is_array(b->u, b->c->getCursorType(rg__strip_parens(b, kids.items[0])));
        bool part =
            k == CXCursor_MemberRefExpr && kids.n && !rg__type_is_pointer(b->u, b->c->getCursorType(kids.items[0]));
        if (!element && !part) return false;
        c = kids.items[0];
    }
}

/* An element of what the member points to other than the first, by a subscript. */
static bool further_element(const struct usage *s, CXCursor c)
{
    struct rg__build *b = s->b;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (kids.n != 2 || !is_member(s, rg__strip_parens(b, kids.items[0]))) return false;
    CXCursor at = rg__strip_parens(b, kids.items[1]);
    return b->c->getCursorKind(at) != CXCursor_IntegerLiteral ||
           !rg__tok_is(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, at)), "0");
}

static void look(void *arg, CXCursor c)
{
    struct usage *s = arg;
    struct rg__build *b = s->b;
    enum CXCursorKind k = b->c->getCursorKind(c);
    s->several |= k == CXCursor_ArraySubscriptExpr && further_element(s, c);
    s->used |= is_member(s, c);
    s->uses += is_member(s, c);
    if (k == CXCursor_MemberRefExpr) {
        struct rg__children of = rg__cursor_children(b->u, c, &b->p->arena);
        s->by_member += of.n && is_member(s, rg__strip_parens(b, of.items[0]));
    }
    if (k != CXCursor_BinaryOperator && k != CXCursor_CompoundAssignOperator && k != CXCursor_UnaryOperator) return;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    bool writes = k == CXCursor_CompoundAssignOperator;
    if (k == CXCursor_BinaryOperator)
        writes = kids.n == 2 && !strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "=");
    if (k == CXCursor_UnaryOperator && kids.n == 1) {
        uint32_t at = rg__cursor_at(b->u, c);
        bool prefix = rg__cursor_at(b->u, kids.items[0]) > at;
        int tok = rg__tok_from(&b->u->src, prefix ? at : rg__cursor_end(b->u, kids.items[0]));
        writes = rg__tok_is(&b->u->src, tok, "++") || rg__tok_is(&b->u->src, tok, "--") ||
                 (rg__tok_is(&b->u->src, tok, "&") && !rg__type_is_record(b->u, b->c->getCursorType(kids.items[0])));
    }
    if (writes && kids.n) s->written |= targets(s, kids.items[0]);
}

static struct usage usage_of(struct rg__build *b, const struct rg__function *f, CXCursor param, CXCursor member)
{
    struct usage s = {.b = b, .param = rg__decl_key(b->u, param), .member = rg__decl_key(b->u, member), .inside = true};
    for (int i = 0; i < b->u->n_functions && !f; i++) {
        s.inside = false;
        if (!b->in_run || b->in_run[i]) rg__cursor_walk(b->u, b->u->functions[i].body, look, &s);
    }
    if (!f) return s;
    rg__cursor_walk(b->u, f->body, look, &s);
    s.inside = false;
    for (int i = 0; i < b->u->n_functions; i++) {
        const struct rg__function *g = &b->u->functions[i];
        bool runs = b->in_run ? b->in_run[i] : g->called;
        const bool several = s.several;
        if (g != f && runs && !b->c->Cursor_isNull(g->body)) rg__cursor_walk(b->u, g->body, look, &s);
        if (!b->in_run) s.several = several; /* one that sets it up may be among those */
    }
    return s;
}

/* ---- types ---- */

struct members {
    struct rg__build *b;
    int n;
    CXCursor item[64];
    bool pointers, too_many;
    int depth;
};

static CXType pointee(struct rg__build *b, CXType t)
{
    return b->c->getPointeeType(b->c->getCanonicalType(t));
}

static bool holds_pointers(struct rg__build *b, CXType record, int depth);

static enum CXVisitorResult visit(CXCursor c, CXClientData data)
{
    struct members *m = data;
    CXType t = m->b->c->getCursorType(c), form = rg__array_form(m->b, t);
    if (form.kind == CXType_ConstantArray && m->b->c->getArraySize(form) <= MAX_TABLE)
        t = m->b->c->getArrayElementType(form);
    m->pointers |=
        rg__type_is_pointer(m->b->u, t) || (rg__type_is_record(m->b->u, t) && holds_pointers(m->b, t, m->depth + 1));
    if (m->n < 64)
        m->item[m->n++] = c;
    else
        m->too_many = true;
    return CXVisit_Continue;
}

static struct members members_of(struct rg__build *b, CXType record, int depth)
{
    struct members m = {.b = b, .depth = depth};
    CXType canonical = b->c->getCanonicalType(record);
    if (b->c->getCursorKind(b->c->getTypeDeclaration(canonical)) == CXCursor_StructDecl && depth < MAX_DEPTH)
        b->c->Type_visitFields(canonical, visit, &m);
    return m;
}

static bool holds_pointers(struct rg__build *b, CXType record, int depth)
{
    return members_of(b, record, depth).pointers;
}

/* ---- the parts ---- */

struct flat {
    struct rg__build *b;
    const struct rg__function *f; /* NULL: the structure is a file-scope variable */
    CXCursor param;
    enum rg_status status;
};

int rg__add_carrier(struct rg__build *b, CXType record, int parent, const char *path)
{
    RG_GROW(b->carriers, b->n_carriers, b->cap_carriers);
    b->carriers[b->n_carriers] = (struct rg__carrier){rg__plain_type(b, record), parent, path, false};
    return b->n_carriers++;
}

static bool parts(struct flat *x, CXType record, const char *name, const char *shown, const char *to, int carrier,
                  const char *path, int depth, struct rg__bundle **out);

struct rg_cnode *rg__address_of(struct rg__build *b, struct rg_cnode *k)
{
    struct rg_cnode *n = rg__c_operation(b->t, RG_C_UNARY, RG_COP_ADDRESS);
    n->kid[0] = k;
    n->type = k->type;
    n->pointer = true;
    return n;
}

static bool refuse(struct flat *x, CXCursor member, const char *shown, const char *why)
{
    struct rg__place at = rg__source_place(&x->b->u->src, rg__decl_key(x->b->u, member));
    x->b->refused = true;
    x->status = rg_error_at(x->b->err, RG_INPUT, at.file, at.line, at.column, "the member '%s' %s", shown, why);
    return false;
}

const struct rg__shape_of *rg__shape_at(struct rg__build *b, const char *path)
{
    for (int i = 0; b->shape && i < b->shape->n; i++)
        if (!strcmp(b->shape->of[i].path, path)) return &b->shape->of[i];
    return NULL;
}

/* Structures behind a pointer at file scope, or in an array there or in a parameter (`of` NULL, count from its type,
 * and where its carrier has it). */
static bool table(struct flat *x, CXType record, const char *name, const char *shown, const struct rg__shape_of *of,
                  int64_t count, int carrier, const char *path, int depth, struct rg_cnode **node)
{
    struct rg__build *b = x->b;
    struct rg__bundle *inner, *all = rg__bundle_new(b, name);
    if (of) {
        RG_GROW(b->tables, b->n_tables, b->cap_tables);
        b->tables[b->n_tables++] = (struct rg__table_at){shown, of->count, of->pointers};
        count = of->count;
    }
    if (count == 1 && of && !of->pointers) {
        if (!parts(x, record, name, shown, "->", -1, "", depth + 1, &inner)) return false;
        *node = rg__address_of(b, rg__c_var(b->t, rg__bundle_var(inner)));
        return true;
    }
    rg__bundle_table(all);
    for (int64_t i = 0; i < count; i++) {
        const char *at = rg_arena_printf(&b->p->arena, "%s_%d", name, (int)i),
                   *seen = rg_arena_printf(&b->p->arena, "%s[%d]", shown, (int)i);
        bool pointers = of && of->pointers;
        const char *place = rg_arena_printf(&b->p->arena, "%s[%d]", path, (int)i);
        if (!parts(x, record, at, seen, pointers ? "->" : ".", carrier, carrier < 0 ? "" : place, depth + 1, &inner))
            return false;
        struct rg_cnode *one = rg__c_var(b->t, rg__bundle_var(inner));
        rg__bundle_part(b, all, rg_arena_printf(&b->p->arena, "%d", (int)i), pointers ? rg__address_of(b, one) : one);
    }
    *node = rg__c_var(b->t, rg__bundle_var(all));
    (*node)->pointer = true;
    return true;
}

/* The structure with pointers that t leads to, by one pointer or two, or is an array of. */
static bool leads_to_record(struct rg__build *b, CXType t, CXType *record, int depth)
{
    int n = 0;
    for (; rg__type_is_pointer(b->u, t) && n < 2; n++) t = pointee(b, t);
    if (!n && rg__type_is_array(b->u, t)) t = b->c->getArrayElementType(rg__array_form(b, t));
    *record = t;
    return rg__type_is_record(b->u, t) && holds_pointers(b, t, depth);
}

void rg__as_set_up(struct rg__build *b, int param, const struct rg__shape_of *of, struct rg_cnode **node)
{
    struct rg_param *q = &b->p->params[param];
    const struct rg_expr *holds;
    if (of->number && q->kind == RG_PARAM_SCALAR && rg__scalar_is_int(q->elem)) {
        const char *text = rg_arena_printf(&b->p->arena, "%s == %lld", q->name, (long long)of->value);
        if (rg_expr_parse_all(&b->p->arena, text, &holds, NULL) != RG_OK) return;
        RG_GROW(b->asserted, b->n_asserted, b->cap_asserted);
        b->asserted[b->n_asserted++] = holds;
        q->input.text = rg_arena_printf(&b->p->arena, "constant(%lld)", (long long)of->value);
        *node = rg__c_cast(b->t, rg__c_int(b->t, of->value), q->elem);
    }
    if (of->n_dims != q->n_dims || q->kind != RG_PARAM_ARRAY) return;
    const struct rg_expr **dims = rg_arena_alloc(&b->p->arena, sizeof *dims * (size_t)of->n_dims);
    for (int d = 0; d < of->n_dims; d++) dims[d] = rg__int_expr(&b->p->arena, of->dims[d]);
    q->dims = dims;
    for (int a = 0; a < b->t->n_arrays; a++)
        if (b->t->arrays[a].param == param) b->t->arrays[a].dims = dims;
}

/* Is a structure without pointers only there for its members (`g->mesh.nx`), one of which may be a size? Then these are
 * parameters, too. */
static bool for_members(struct flat *x, CXCursor member, CXType t)
{
    struct rg__build *b = x->b;
    struct members m = members_of(b, t, 0);
    bool size = false;
    enum rg_scalar s;
    for (int i = 0; i < m.n; i++) {
        CXType is = b->c->getCursorType(m.item[i]);
        size = size || (rg__type_scalar(b->u, is, &s) && rg__scalar_is_int(s));
    }
    if (!size || m.too_many) return false;
    struct usage use = {.b = b, .member = rg__decl_key(b->u, member)};
    for (int i = 0; i < b->u->n_functions; i++) {
        bool runs = (x->f && i == (int)(x->f - b->u->functions)) || !b->in_run || b->in_run[i];
        if (runs && !b->c->Cursor_isNull(b->u->functions[i].body))
            rg__cursor_walk(b->u, b->u->functions[i].body, look, &use);
    }
    return use.uses && use.uses == use.by_member;
}

/* Where a parameter that is a member lies; of a file-scope variable its type says it. */
static void place(struct flat *x, int param, CXType t, int carrier, const char *path)
{
    struct rg__build *b = x->b;
    if (!x->f) {
        b->origins[param].layout = rg__is_scalar_type(b, t)       ? RG__FILE_VALUE
                                   : rg__type_is_pointer(b->u, t) ? RG__FILE_POINTER
                                                                  : RG__FILE_ARRAY;
        b->p->params[param].indirect = b->p->params[param].rows;
        return;
    }
    b->origins[param].layout = RG__PART;
    b->origins[param].parent = carrier;
    b->origins[param].member = path;
}

/* A few integers (`int dim[3]`) of which elements are read by constants, and no more: a parameter each. */
static bool few_integers(struct rg__build *b, CXCursor member, CXType t)
{
    CXType form = rg__array_form(b, t);
    enum rg_scalar s;
    CXType record = b->c->getCursorType(b->c->getCursorSemanticParent(member));
    return form.kind == CXType_ConstantArray && b->c->getArraySize(form) <= MOST_ELEMENTS &&
           rg__type_scalar(b->u, b->c->getArrayElementType(form), &s) && rg__scalar_is_int(s) &&
           rg__elements_only_read(b, rg__plain_type(b, record), rg__cursor_name(b->u, member, &b->p->arena), true);
}

static bool elements(struct flat *x, CXCursor member, const char *name, const char *shown, int carrier,
                     const char *path, struct rg_cnode **node)
{
    struct rg__build *b = x->b;
    struct rg_arena *a = &b->p->arena;
    CXType form = rg__array_form(b, b->c->getCursorType(member)), t = b->c->getArrayElementType(form);
    struct rg__bundle *all = rg__bundle_new(b, name);
    rg__bundle_table(all);
    for (int i = 0; i < (int)b->c->getArraySize(form); i++) {
        const char *problem = NULL;
        struct rg_cnode *one;
        int param = rg__build_part_param(b, member, t, rg_arena_printf(a, "%s_%d", name, i),
                                         rg_arena_printf(a, "%s[%d]", shown, i), false, &one, &problem);
        if (param < 0) {
            x->status = RG_INPUT;
            return false;
        }
        place(x, param, t, carrier, rg_arena_printf(a, "%s[%d]", path, i));
        const struct rg__shape_of *of = x->f ? NULL : rg__shape_at(b, b->origins[param].name);
        if (of) rg__as_set_up(b, param, of, &one);
        rg__bundle_part(b, all, rg_arena_printf(a, "%d", i), one);
    }
    *node = rg__c_var(b->t, rg__bundle_var(all));
    (*node)->pointer = true;
    return true;
}

static bool columns(struct flat *x, CXType record, const char *name, const char *shown, int carrier, const char *path,
                    int depth, int *out);

/* A member of the structures of an array: a column over them. */
static bool column(struct flat *x, CXCursor member, CXType record, const char *name, const char *shown, int carrier,
                   const char *path, int depth, int to)
{
    struct rg__build *b = x->b;
    CXType t = b->c->getCursorType(member), leads_to;
    struct usage use = usage_of(b, x->f, x->param, member);
    const char *problem = NULL;
    if (!use.used) return true;
    if (use.written) rg__columns_written(b, to);
    if (b->c->Cursor_isBitField(member) || !*rg__cursor_name(b->u, member, &b->p->arena))
        return refuse(x, member, shown, "of an array of structures is a bit-field or has no name; use a plain member");
    if (rg__type_is_record(b->u, t) && holds_pointers(b, t, depth)) {
        int inner;
        if (!columns(x, t, name, shown, carrier, path, depth + 1, &inner)) return false;
        rg__columns_part(b, to, member, -1, inner);
        return true;
    }
    if (!rg__type_is_record(b->u, t) && leads_to_record(b, t, &leads_to, depth))
        return refuse(x, member, shown,
                      "of an array of structures leads to structures that hold pointers again: what they lead to lies "
                      "anywhere and cannot be transferred; use arrays of their own, or indices into one block");
    if (use.written && rg__type_is_pointer(b->u, t))
        return refuse(
            x, member, shown,
            "of an array of structures is a pointer that is set to another place; nothing can be said of what "
            "it leads to");
    const int array = rg__build_column_param(b, member, t, name, shown, b->c->isConstQualifiedType(record), &problem);
    if (array < 0 && problem) return refuse(x, member, shown, problem);
    if (array < 0) return x->status = RG_INPUT, false;
    const int param = b->t->arrays[array].param;
    b->origins[param].layout = RG__COLUMN;
    b->origins[param].parent = carrier;
    b->origins[param].member = path;
    rg__columns_part(b, to, member, array, -1);
    return true;
}

/* An array of structures, as many as subscripts say. */
static bool columns(struct flat *x, CXType record, const char *name, const char *shown, int carrier, const char *path,
                    int depth, int *out)
{
    struct rg__build *b = x->b;
    struct rg_arena *a = &b->p->arena;
    struct members m = members_of(b, record, 0);
    if (depth > MAX_DEPTH || m.too_many)
        return refuse(x, x->param, shown, "holds structures nested too deep, or too many members");
    *out = rg__columns_new(b, name);
    for (int i = 0; i < m.n; i++) {
        const char *own = rg__cursor_name(b->u, m.item[i], a);
        if (!column(x, m.item[i], record, rg_arena_printf(a, "%s_%s", name, own),
                    rg_arena_printf(a, "%s.%s", shown, own), carrier, rg_arena_printf(a, "%s.%s", path, own), depth,
                    *out))
            return false;
    }
    return true;
}

/* The carrier of an array of structures and its columns; the array of the tree that stands for it. */
static bool structures(struct flat *x, CXType record, const char *name, const char *shown, int parent, const char *path,
                       int depth, int *out)
{
    const int carrier = rg__add_carrier(x->b, record, parent, path);
    x->b->carriers[carrier].array = true;
    return columns(x, record, name, shown, carrier, "", depth, out);
}

static bool part(struct flat *x, CXCursor member, const char *name, const char *shown, int carrier, const char *path,
                 int depth, struct rg_cnode **node)
{
    struct rg__build *b = x->b;
    CXType t = b->c->getCursorType(member);
    struct usage use = usage_of(b, x->f, x->param, member);
    enum rg_scalar s;
    *node = NULL;
    if (b->c->Cursor_isBitField(member))
        return !use.used || refuse(x, member, shown, "is a bit-field beside a pointer; use a plain integer there");
    /* a count that is not used still says how long arrays are: extent(g.col: g.n_edges) */
    if (!use.used && !(rg__type_scalar(b->u, t, &s) && rg__scalar_is_int(s) && s != RG_BOOL)) return true;
    struct rg__bundle *inner;
    if (rg__type_is_record(b->u, t) && (holds_pointers(b, t, depth) || for_members(x, member, t))) {
        if (!parts(x, t, name, shown, ".", carrier, path, depth + 1, &inner)) return false;
        *node = rg__c_var(b->t, rg__bundle_var(inner));
        return true;
    }
    CXType record;
    if (!x->f && !rg__type_is_record(b->u, t) && leads_to_record(b, t, &record, depth)) {
        const struct rg__shape_of *of = rg__shape_at(b, shown);
        int64_t n = rg__type_is_array(b->u, t) ? b->c->getArraySize(rg__array_form(b, t)) : 0;
        bool known = n > 0
                         ? n <= MAX_TABLE && !rg__type_is_pointer(b->u, b->c->getArrayElementType(rg__array_form(b, t)))
                         : of && of->count > 0;
        if (known) return table(x, record, name, shown, n > 0 ? NULL : of, n, -1, "", depth, node);
        b->wants_shape = true;
        return refuse(x, member, shown,
                      "of a file-scope variable leads to other structures, as many as no set-up function says that can "
                      "be followed (--init names one, --size its numbers; write one where your program makes them by "
                      "several calls)");
    }
    if (x->f && rg__type_is_array(b->u, t) && leads_to_record(b, t, &record, depth)) {
        const int64_t n = b->c->getArraySize(rg__array_form(b, t));
        if (n > 0 && n <= MAX_TABLE) return table(x, record, name, shown, NULL, n, carrier, path, depth, node);
    }
    if (rg__type_is_pointer(b->u, t) && rg__type_is_record(b->u, pointee(b, t)) &&
        holds_pointers(b, pointee(b, t), depth)) {
        if (use.written)
            return refuse(
                x, member, shown,
                "is a pointer to a structure that is set to another one; nothing can be said of what it leads to");
        if (use.several) {
            int all;
            if (!structures(x, pointee(b, t), name, shown, carrier, path, depth + 1, &all)) return false;
            *node = rg__c_array_name(b->t, all);
            return true;
        }
        int inner_carrier = rg__add_carrier(b, pointee(b, t), carrier, path);
        if (!parts(x, pointee(b, t), name, shown, ".", inner_carrier, "", depth + 1, &inner)) return false;
        *node = rg__address_of(b, rg__c_var(b->t, rg__bundle_var(inner)));
        return true;
    }
    if (!use.written && !rg__is_directed(b, name) && few_integers(b, member, t))
        return elements(x, member, name, shown, carrier, path, node);
    const char *problem = NULL;
    int param = rg__build_part_param(b, member, t, name, shown, use.written, node, &problem);
    if (param < 0) {
        if (problem) return refuse(x, member, shown, problem);
        x->status = RG_INPUT;
        return false;
    }
    place(x, param, t, carrier, path);
    const struct rg__shape_of *of = x->f ? NULL : rg__shape_at(b, shown);
    if (of && !use.written) rg__as_set_up(b, param, of, node);
    struct rg_cnode *number = use.written ? NULL : rg__fixed_number(b, param);
    if (number) *node = number;
    return true;
}

static bool parts(struct flat *x, CXType record, const char *name, const char *shown, const char *to, int carrier,
                  const char *path, int depth, struct rg__bundle **out)
{
    struct rg__build *b = x->b;
    struct rg_arena *a = &b->p->arena;
    struct members m = members_of(b, record, 0);
    if (depth > MAX_DEPTH || m.too_many)
        return refuse(x, x->param, shown, "holds structures nested too deep, or too many members");
    *out = rg__bundle_new(b, name);
    for (int i = 0; i < m.n; i++) {
        const char *member = rg__cursor_name(b->u, m.item[i], a);
        struct rg_cnode *node;
        if (!part(x, m.item[i], rg_arena_printf(a, "%s_%s", name, member),
                  rg_arena_printf(a, "%s%s%s", shown, to, member), carrier, rg_arena_printf(a, "%s.%s", path, member),
                  depth, &node))
            return false;
        if (node) rg__bundle_part(b, *out, member, node);
    }
    return true;
}

bool rg__flat_is(struct rg__build *b, CXType t)
{
    if (rg__type_is_pointer(b->u, t)) t = pointee(b, t);
    return rg__type_is_record(b->u, t) && holds_pointers(b, t, 0);
}

bool rg__flat_table_is(struct rg__build *b, CXType t)
{
    CXType record;
    return !rg__type_is_record(b->u, t) && leads_to_record(b, t, &record, 0);
}

/* Does the function go along the pointer (m[i], m + 1, m++)? */
static bool walked(struct rg__build *b, const struct rg__function *f, const char *name)
{
    static const char *const moves[] = {"++", "--", "+", "-", "+=", "-="};
    const struct rg__source *s = &b->u->src;
    for (int k = rg__tok_from(s, rg__cursor_at(b->u, f->body)); k < s->n_toks && s->toks[k].at < f->end; k++) {
        if (!rg__tok_is(s, k, name) || rg__tok_is(s, k - 1, ".") || rg__tok_is(s, k - 1, "->")) continue;
        if (rg__tok_is(s, k + 1, "[") && !(rg__tok_is(s, k + 2, "0") && rg__tok_is(s, k + 3, "]"))) return true;
        for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
            if (rg__tok_is(s, k + 1, moves[i])) return true;
        bool member = rg__tok_is(s, k + 1, "->"); /* ++m->n[k] steps what it leads to */
        if (!member && (rg__tok_is(s, k - 1, "++") || rg__tok_is(s, k - 1, "--"))) return true;
    }
    return false;
}

/* A pointer at file scope to structures with pointers, or an array of them. */
static struct rg__sym *flat_table(struct rg__build *b, CXCursor decl, const char *name)
{
    struct flat x = {b, NULL, decl, RG_OK};
    CXType t = b->c->getCursorType(decl), record;
    struct rg_cnode *node;
    const struct rg__shape_of *of = rg__shape_at(b, name);
    int64_t n = rg__type_is_array(b->u, t) ? b->c->getArraySize(rg__array_form(b, t)) : 0;
    bool known = leads_to_record(b, t, &record, 0) && (n > 0 ? n <= MAX_TABLE : of && of->count > 0);
    b->wants_shape |= !known && n <= 0;
    if (!known) return NULL;
    if (!table(&x, record, name, name, n > 0 ? NULL : of, n, -1, "", 0, &node)) return NULL;
    struct rg__sym *s = rg__sym_add(b, rg__decl_key(b->u, decl), RG__SYM_VALUE);
    s->value = node;
    s->global = true;
    return s;
}

struct rg__sym *rg__flat_global(struct rg__build *b, CXCursor decl)
{
    struct flat x = {b, NULL, decl, RG_OK};
    const char *name = rg__cursor_name(b->u, decl, &b->p->arena);
    if (!rg__type_is_record(b->u, b->c->getCursorType(decl))) return flat_table(b, decl, name);
    struct rg__bundle *whole;
    if (!parts(&x, b->c->getCursorType(decl), name, name, ".", -1, "", 0, &whole)) return NULL;
    struct rg__sym *s = rg__sym_add(b, rg__decl_key(b->u, decl), RG__SYM_VAR);
    s->var = rg__bundle_var(whole);
    s->global = true;
    return s;
}

enum rg_status rg__flat_param(struct rg__build *b, const struct rg__function *f, CXCursor decl)
{
    struct flat x = {b, f, decl, RG_OK};
    CXType t = b->c->getCursorType(decl);
    const bool array = rg__type_is_array(b->u, t), pointer = array || rg__type_is_pointer(b->u, t);
    CXType record = array ? b->c->getArrayElementType(rg__array_form(b, t)) : pointer ? pointee(b, t) : t;
    const char *name = rg__cursor_name(b->u, decl, &b->p->arena);
    uint32_t key = rg__decl_key(b->u, decl);
    if (pointer && (rg__is_written(b, key) || walked(b, f, name) || rg__goes_along(b, record, f, name))) {
        int all;
        const int first = b->n_carriers;
        if (!structures(&x, record, name, name, -1, "", 0, &all)) return x.status == RG_OK ? RG_INPUT : x.status;
        b->args[b->n_args - 1].carrier = first;
        rg__sym_add(b, key, RG__SYM_ARRAY)->array = all;
        return RG_OK;
    }
    struct rg__bundle *whole;
    int carrier = rg__add_carrier(b, record, -1, "");
    if (!parts(&x, record, name, name, ".", carrier, "", 0, &whole)) return x.status == RG_OK ? RG_INPUT : x.status;
    b->args[b->n_args - 1].carrier = carrier;
    b->args[b->n_args - 1].address = pointer;
    struct rg_cnode *var = rg__c_var(b->t, rg__bundle_var(whole));
    if (pointer)
        rg__sym_add(b, key, RG__SYM_VALUE)->value = rg__address_of(b, var);
    else
        rg__sym_add(b, key, RG__SYM_VAR)->var = var->var;
    return RG_OK;
}
