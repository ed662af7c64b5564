/* What followed pointers (build_cell.c) lead to: structures and small arrays as their parts, each a cell, a variable or
 * an array, and memory that is allocated anywhere - in a helper that returns it, in a wrapper of malloc - and typed by
 * the pointer that it is kept in. */
#include "frontend/read/build_cell.h"
#include "frontend/read/build_flat.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 64, MOST_ELEMENTS = 32, MOST_DEPTH = 6 };

static CXType pointee(struct rg__build *b, CXType t)
{
    return b->c->getPointeeType(b->c->getCanonicalType(t));
}

struct fields {
    struct rg__build *b;
    int n;
    CXCursor item[MOST_PARTS];
    bool too_many;
};

static enum CXVisitorResult field(CXCursor c, CXClientData data)
{
    struct fields *f = data;
    if (f->n < MOST_PARTS)
        f->item[f->n++] = c;
    else
        f->too_many = true;
    return CXVisit_Continue;
}

static bool plain_record(struct rg__build *b, CXType t)
{
    enum rg_scalar part;
    CXType c = b->c->getCanonicalType(t);
    return rg__type_is_record(b->u, t) && !rg__type_complex(b, t, &part) &&
           b->c->getCursorKind(b->c->getTypeDeclaration(c)) == CXCursor_StructDecl;
}

static int64_t length(struct rg__build *b, CXType t)
{
    CXType form = rg__array_form(b, t);
    return form.kind == CXType_ConstantArray ? (int64_t)b->c->getArraySize(form) : -1;
}

/* Is there a pointer in it that is not to a function? */
static bool holds_pointers(struct rg__build *b, CXType t, int depth)
{
    if (depth > MOST_DEPTH) return false;
    if (rg__type_is_pointer(b->u, t)) return !rg__is_function_pointer(b, t);
    if (rg__type_is_array(b->u, t)) {
        int64_t n = length(b, t);
        return n > 0 && n <= MOST_ELEMENTS &&
               holds_pointers(b, b->c->getArrayElementType(rg__array_form(b, t)), depth + 1);
    }
    struct fields f = {.b = b};
    if (!plain_record(b, t)) return false;
    b->c->Type_visitFields(b->c->getCanonicalType(t), field, &f);
    for (int i = 0; i < f.n; i++)
        if (holds_pointers(b, b->c->getCursorType(f.item[i]), depth + 1)) return !f.too_many;
    return false;
}

bool rg__object_is(struct rg__build *b, CXType type)
{
    return b->follow && !b->helper && holds_pointers(b, type, 0);
}

static void declare(struct rg__build *b, int var, int array, uint32_t origin)
{
    struct rg_cnode *d = rg_cnode_new(b->t, RG_C_DECL, 0);
    d->var = var;
    d->array = array;
    d->type = array >= 0 ? b->t->arrays[array].elem : b->t->vars[var].type;
    bool here = b->follow->loops && !origin && b->hoist;
    rg__kids_add(here ? b->hoist : b->front, d);
}

static int struct_var(struct rg__build *b, CXType t, const char *name, uint32_t origin)
{
    int index = rg__build_local_struct(b, t, "a part of a structure");
    if (index < 0) return -1;
    int v = rg__c_add_var(b->t, name, RG_CVAR_LOCAL, RG_STRUCT);
    b->t->vars[v].struct_index = index;
    b->t->vars[v].c_type = b->p->structs[index].c_name;
    declare(b, v, -1, origin);
    return v;
}

static int array_part(struct rg__build *b, CXType t, const char *name, uint32_t origin)
{
    const struct rg_expr *dims[8];
    int n = 0;
    for (; n < 8 && rg__type_is_array(b->u, t); t = b->c->getArrayElementType(rg__array_form(b, t))) {
        int64_t size = length(b, t);
        if (size <= 0) return -1;
        dims[n++] = rg__int_expr(&b->t->arena, size);
    }
    int a = rg__c_add_array(b->t, name, RG_F32);
    if (n == 8 || !rg__set_element(b, a, t)) return -1;
    struct rg_carray *x = &b->t->arrays[a];
    x->n_dims = n;
    x->dims = rg_arena_alloc(&b->t->arena, sizeof *x->dims * (size_t)n);
    memcpy(x->dims, dims, sizeof *x->dims * (size_t)n);
    declare(b, -1, a, origin);
    return a;
}

/* int sizes[3] = {n0, n1, n2}; what a set-up makes its arrays by, or loops over levels keep of each. */
static bool table_of_sizes(struct rg__build *b, CXType t, uint32_t key)
{
    enum rg_scalar s;
    bool asked = b->follow && !b->helper && (b->setup || (rg__by_trips(b) && rg__cell_form(b, key) != RG__ESCAPES));
    int64_t n = asked && rg__type_is_array(b->u, t) ? length(b, t) : -1;
    if (n < 1 || n > MOST_ELEMENTS) return false;
    return rg__type_scalar(b->u, b->c->getArrayElementType(rg__array_form(b, t)), &s) && rg__scalar_is_int(s);
}

static int build_object(struct rg__build *b, CXType type, const char *name, uint32_t key, uint32_t origin, int depth);

/* A part as the tree names it; NULL: it can't be one. */
static struct rg_cnode *part(struct rg__build *b, CXType t, const char *name, uint32_t key, uint32_t origin, int depth)
{
    enum rg_scalar s;
    if (holds_pointers(b, t, 0) || plain_record(b, t) || (!b->setup && table_of_sizes(b, t, key))) {
        int v = build_object(b, t, name, key, origin, depth + 1);
        return v < 0 ? NULL : rg__c_var(b->t, v);
    }
    if (rg__type_scalar(b->u, t, &s)) {
        int v = rg__c_add_var(b->t, name, RG_CVAR_LOCAL, s);
        declare(b, v, -1, origin);
        rg__cell_number(b, v, key, name, NULL);
        rg__cell_at(b, v)->origin = origin;
        return rg__c_var(b->t, v);
    }
    if (rg__type_is_array(b->u, t)) {
        int a = array_part(b, t, name, origin);
        return a < 0 ? NULL : rg__c_array_name(b->t, a);
    }
    int v = rg__type_is_record(b->u, t) ? struct_var(b, t, name, origin) : -1;
    return v < 0 ? NULL : rg__c_var(b->t, v);
}

static int build_object(struct rg__build *b, CXType type, const char *name, uint32_t key, uint32_t origin, int depth)
{
    if (depth > MOST_DEPTH) return -1;
    if (rg__type_is_pointer(b->u, type)) {
        int v = rg__cell_pointer(b, key, type, name);
        struct rg__cell *c = rg__cell_at(b, v);
        c->origin = origin;
        c->global = origin != 0;
        return v;
    }
    struct rg__bundle *x = rg__bundle_new(b, name);
    if (rg__type_is_array(b->u, type)) {
        CXType elem = b->c->getArrayElementType(rg__array_form(b, type));
        int64_t n = length(b, type);
        rg__bundle_table(x);
        rg__bundle_key(x, key);
        for (int64_t i = 0; i < n; i++) {
            const char *at = rg_arena_printf(&b->t->arena, "%s_%d", name, (int)i);
            struct rg_cnode *node = part(b, elem, at, key * 31 + (uint32_t)i + 1, origin, depth);
            if (!node) return -1;
            rg__bundle_part(b, x, rg_arena_printf(&b->p->arena, "%d", (int)i), node);
        }
        return rg__bundle_var(x);
    }
    struct fields f = {.b = b};
    b->c->Type_visitFields(b->c->getCanonicalType(type), field, &f);
    if (f.too_many) return -1;
    for (int i = 0; i < f.n; i++) {
        const char *member = rg__cursor_name(b->u, f.item[i], &b->p->arena);
        CXType t = b->c->getCursorType(f.item[i]);
        if (rg__is_function_pointer(b, t)) continue; /* its use ends the attempt */
        struct rg_cnode *node = part(b, t, rg_arena_printf(&b->t->arena, "%s_%s", name, member),
                                     key * 31 + rg__decl_key(b->u, f.item[i]), origin, depth);
        if (!node) return -1;
        rg__bundle_part(b, x, member, node);
    }
    return rg__bundle_var(x);
}

int rg__object(struct rg__build *b, CXType type, const char *name, uint32_t key, uint32_t origin)
{
    return build_object(b, type, name, key, origin, 0);
}

/* ---- whole objects ---- */

struct each {
    struct rg__build *b;
    const struct rg_cnode *to;
    const struct rg_cnode *from; /* NULL: zeros */
    CXCursor where;
    bool bad;
};

static void set_number(struct rg__build *b, struct rg_cnode *to, struct rg_cnode *v)
{
    v = rg__c_cast(b->t, v, to->type);
    rg__kids_add(b->hoist, rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, to, v)));
    rg__cell_set_number(b, to->var, v);
}

static void set_part(struct each *e, struct rg_cnode *to, struct rg_cnode *from)
{
    struct rg__build *b = e->b;
    struct rg__cell *c = rg__cell_named(b, to), *of = from ? rg__cell_named(b, from) : NULL;
    if (rg__bundle_any(b, to)) {
        struct each in = {b, to, from, e->where, false};
        e->bad |= from ? !rg__object_copy(b, to, from, e->where) : !rg__object_clear(b, to);
        (void)in;
    } else if (c && c->pointer) {
        struct rg_cnode *v = from ? rg__cell_load(b, from) : rg__c_null(b->t);
        if (rg__is_null_pointer(v)) {
            if (!rg__cell_mark_null(b, c, v)) e->bad = true;
            c->value = of && !of->value ? NULL : v;
            c->maybe_null = false;
        } else {
            rg__cell_store(b, to->var, v, e->where);
        }
    } else if (c) {
        if (!of || of->set) set_number(b, to, from ? rg__cell_load(b, from) : rg__c_int(b->t, 0));
    } else if (to->kind == RG_C_VAR && to->array < 0 && from) {
        rg__kids_add(b->hoist, rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, to, from)));
    } else if (from) {
        e->bad = true; /* an array */
    } else if (to->array < 0 || !rg__zero_array(b, to->array, b->hoist)) {
        e->bad = true;
    }
}

static void clear_part(void *arg, int i, struct rg_cnode *node)
{
    (void)i;
    set_part(arg, node, NULL);
}

static void copy_part(void *arg, int i, struct rg_cnode *node)
{
    struct each *e = arg;
    struct rg_cnode *from = rg__bundle_at(e->b, e->from, i);
    if (!from)
        e->bad = true;
    else
        set_part(e, node, from);
}

bool rg__object_clear(struct rg__build *b, const struct rg_cnode *object)
{
    struct each e = {b, object, NULL, b->c->getNullCursor(), !b->hoist};
    if (!e.bad) rg__bundle_each(b, object, clear_part, &e);
    return !e.bad;
}

bool rg__object_copy(struct rg__build *b, const struct rg_cnode *to, const struct rg_cnode *from, CXCursor where)
{
    struct each e = {b, to, from, where, !b->hoist || !rg__bundle_any(b, from)};
    if (!e.bad) rg__bundle_each(b, to, copy_part, &e);
    return !e.bad;
}

static void list_part(void *arg, int i, struct rg_cnode *node)
{
    struct each *e = arg;
    struct rg__build *b = e->b;
    struct rg_cnode *v = i < e->from->n ? e->from->kid[i] : NULL;
    struct rg__cell *c = rg__cell_named(b, node);
    if (v && c && c->pointer && v->kind == RG_C_INT && v->ivalue == 0) v = NULL;
    if (!v) {
        set_part(e, node, NULL);
    } else if (rg__bundle_any(b, node)) {
        struct each in = {b, node, v, e->where, v->kind != RG_C_INITLIST};
        if (!in.bad) rg__bundle_each(b, node, list_part, &in);
        e->bad |= in.bad;
    } else if (c && c->pointer) {
        rg__cell_store(b, node->var, v, e->where);
    } else if (node->kind == RG_C_VAR && node->array < 0 && v->kind != RG_C_INITLIST) {
        set_number(b, node, v);
    } else {
        e->bad = true;
    }
}

static bool set_list(struct rg__build *b, const struct rg_cnode *to, struct rg_cnode *list, CXCursor where)
{
    struct each e = {b, to, list, where, !b->hoist};
    if (!e.bad) rg__bundle_each(b, to, list_part, &e);
    return !e.bad;
}

/* ---- memory ---- */

static const char memory_name[] = "<memory>";

bool rg__is_memory(const struct rg__build *b, const struct rg_cnode *v)
{
    return b->follow && v->kind == RG_C_CALL && v->text == memory_name;
}

bool rg__is_allocator(const char *name)
{
    static const char *const names[] = {"malloc", "calloc", "realloc", "aligned_alloc"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    return false;
}

struct rg_cnode *rg__build_memory(struct rg__build *b, CXCursor call, const char *name, struct rg_cnode **args, int n)
{
    struct rg__follow *f = b->follow;
    if (!f || b->helper) return NULL;
    bool cal = !strcmp(name, "calloc"), re = !strcmp(name, "realloc"), aligned = !strcmp(name, "aligned_alloc");
    if (!cal && !re && !aligned && strcmp(name, "malloc") != 0) return NULL;
    if (n != (cal || re || aligned ? 2 : 1) || !b->hoist) return NULL;
    if (re && !rg__is_null_pointer(args[0]))
        return rg__verbatim(b, call, "memory is made longer, and its elements are kept");
    struct rg_cnode *bytes = cal ? rg__c_binary(b->t, RG_COP_MUL, args[0], args[1]) : args[n - 1];
    RG_GROW(f->memory, f->n_memory, f->cap_memory);
    f->memory[f->n_memory] = (struct rg__memory){
        .bytes = rg__expand_known(b, bytes), .zeroed = cal, .key = rg__cursor_at(b->u, call) * 31 + f->path};
    struct rg_cnode *x = rg_cnode_new(b->t, RG_C_CALL, 0);
    x->text = memory_name;
    x->pointer = true;
    x->ivalue = f->n_memory++;
    rg__place_node(b, x, call);
    return x;
}

static struct rg_cnode *address(struct rg__build *b, int var)
{
    return rg__address_of(b, rg__c_var(b->t, var));
}

static struct rg_cnode *objects(struct rg__build *b, int memory, CXType type, int64_t count, const char *name)
{
    uint32_t key = b->follow->memory[memory].key;
    bool zeroed = b->follow->memory[memory].zeroed;
    struct rg_cnode *typed = NULL;
    if (count == 1 && !rg__type_is_pointer(b->u, type)) {
        int v = rg__object(b, type, name, key, 0);
        typed = v < 0 ? NULL : address(b, v);
        if (typed && zeroed && !rg__object_clear(b, typed->kid[0])) typed = NULL;
        return typed;
    }
    struct rg__bundle *x = rg__bundle_new(b, name);
    rg__bundle_table(x);
    for (int64_t i = 0; i < count; i++) {
        const char *at = rg_arena_printf(&b->t->arena, "%s_%d", name, (int)i);
        struct rg_cnode *node = part(b, type, at, key * 31 + (uint32_t)i + 1, 0, 0);
        if (!node) return NULL;
        rg__bundle_part(b, x, rg_arena_printf(&b->p->arena, "%d", (int)i), node);
    }
    typed = rg__c_var(b->t, rg__bundle_var(x));
    if (zeroed && !rg__object_clear(b, typed)) return NULL;
    typed->pointer = true;
    return typed;
}

/* The extents behind the first of memory that a pointer to whole rows is set to; NULL in dims[d]: they come later. */
static int row_extents(struct rg__build *b, CXType elem, CXCursor decl, const struct rg_expr **dims, CXType *inner)
{
    int n = 1;
    dims[0] = NULL;
    *inner = elem;
    if (!rg__type_is_array(b->u, elem)) {
        for (; n < 8 && rg__type_is_pointer(b->u, *inner); *inner = pointee(b, *inner)) dims[n++] = NULL;
        return n;
    }
    if (!b->c->Cursor_isNull(decl)) return rg__array_dims(b, decl, b->c->getCursorType(decl), dims, 8, inner);
    for (; n < 8 && rg__type_is_array(b->u, *inner); *inner = b->c->getArrayElementType(rg__array_form(b, *inner))) {
        int64_t size = length(b, *inner);
        if (size <= 0) return -1;
        dims[n++] = rg__int_expr(&b->t->arena, size);
    }
    return n;
}

static struct rg_cnode *array_of(struct rg__build *b, int memory, CXType elem, const char *name, CXCursor where,
                                 CXCursor decl)
{
    static const char *const unsaid = "an allocation whose size is no expression of the parameters";
    struct rg__memory *m = &b->follow->memory[memory];
    const struct rg_expr *dims[8];
    CXType e;
    int depth = row_extents(b, elem, decl, dims, &e);
    bool rows = rg__type_is_array(b->u, elem);
    if (depth < 1 || (rows && depth < 2)) return rg__verbatim(b, where, "%s", unsaid);
    int64_t bytes = b->c->Type_getSizeOf(b->c->getCanonicalType(rows ? e : elem));
    struct rg_cnode *count = bytes > 0 ? rg__memory_elements(b, m->bytes, bytes) : NULL;
    if (count && rows) count = rg__rows_in(b, dims, depth, count);
    const struct rg_expr *extent = count ? rg__c_size_expr(b->t, count, &b->t->arena) : NULL;
    if (!extent && (m->zeroed || depth > 1)) return rg__verbatim(b, where, "%s", unsaid);
    int a = rg__c_add_array(b->t, name, RG_F32);
    if (!rg__set_element(b, a, e))
        return rg__verbatim(b, where, "an allocation of something that is neither number nor structure");
    struct rg_carray *x = &b->t->arrays[a];
    x->mallocd = true;
    x->n_dims = depth;
    x->rows_apart = !rows && depth > 1;
    x->dims = rg_arena_alloc(&b->t->arena, sizeof *x->dims * (size_t)depth);
    memcpy(x->dims, dims, sizeof *x->dims * (size_t)depth);
    x->dims[0] = extent;
    struct rg_cnode *d = rg_cnode_new(b->t, RG_C_DECL, 0);
    d->array = a;
    d->type = x->elem;
    rg__place_node(b, d, where);
    rg__kids_add(b->follow->loops ? b->hoist : b->front, d);
    if (m->zeroed && (rows || depth == 1) && !rg__zero_array(b, a, b->hoist))
        return rg__verbatim(b, where, "an allocation of zeros that cannot be counted");
    return rg__c_array_name(b->t, a);
}

struct rg_cnode *rg__typed_memory(struct rg__build *b, struct rg_cnode *v, CXType type, const char *name,
                                  CXCursor where, CXCursor decl)
{
    struct rg_cnode *in = v;
    while (in->kind == RG_C_CAST && in->pointer && !rg__is_null_pointer(in)) in = in->kid[0];
    if (!rg__is_memory(b, in)) return v;
    int k = (int)in->ivalue;
    struct rg__memory *m = &b->follow->memory[k];
    CXType elem = pointee(b, type);
    if (m->typed) return rg__c_copy(b->t, m->typed);
    if (b->c->getCanonicalType(elem).kind == CXType_Void) return in;
    if (!b->hoist) return rg__verbatim(b, where, "memory is allocated inside an expression");
    struct rg_cnode *typed = NULL, *n;
    int64_t count, bytes = b->c->Type_getSizeOf(b->c->getCanonicalType(elem));
    bool to_records =
        rg__type_is_pointer(b->u, elem) && plain_record(b, pointee(b, elem)) && holds_pointers(b, pointee(b, elem), 0);
    bool record = plain_record(b, elem) || to_records;
    if (record && bytes > 0 && (n = rg__memory_elements(b, m->bytes, bytes)) && rg__cell_evaluate(n, &count) &&
        (count == 1 || (count > 1 && count <= MOST_ELEMENTS && holds_pointers(b, elem, 0))))
        typed = objects(b, k, elem, count, name);
    else if (record && holds_pointers(b, elem, 0)) {
        if (!b->verbatim) rg__fix_sizes(b, m->bytes);
        return rg__verbatim(b, where, "structures with pointers, as many as only the run knows");
    }
    if (!typed) typed = array_of(b, k, elem, name, where, decl);
    b->follow->memory[k].typed = typed;
    return rg__c_copy(b->t, typed);
}

/* ---- places ---- */

struct rg_cnode *rg__build_place(struct rg__build *b, CXCursor c)
{
    if (!b->follow || b->helper) return NULL;
    c = rg__strip_parens(b, c);
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    struct rg_cnode *base, *x = NULL;
    switch (b->c->getCursorKind(c)) {
    case CXCursor_DeclRefExpr: {
        CXCursor d = b->c->getCursorReferenced(c);
        enum CXCursorKind k = b->c->getCursorKind(d);
        if (k != CXCursor_VarDecl && k != CXCursor_ParmDecl) return NULL;
        const struct rg__sym *s = rg__sym_find(b, rg__decl_key(b->u, d));
        if (!s) s = rg__build_global(b, d);
        if (s && s->kind == RG__SYM_VAR) x = rg__c_var(b->t, s->var);
        if (x && rg__cell_named(b, x) && rg__cell_named(b, x)->quiet) rg__place_node(b, x, c);
        break;
    }
    case CXCursor_MemberRefExpr:
        if (!kids.n) return NULL;
        if (rg__type_is_pointer(b->u, b->c->getCursorType(kids.items[0]))) {
            base = rg__build_expr(b, kids.items[0]);
            base = (struct rg_cnode *)rg__c_uncast(base, RG__C_CASTS);
            base = base->op == RG_COP_ADDRESS ? base->kid[0] : NULL;
        } else {
            base = rg__build_place(b, kids.items[0]);
        }
        x = base ? rg__bundle_member(b, base, rg__cursor_name(b->u, c, &b->t->arena)) : NULL;
        break;
    case CXCursor_ArraySubscriptExpr:
        if (kids.n != 2) return NULL;
        base = rg__build_place(b, kids.items[0]);
        if (base) base = rg__cell_load(b, base);
        if (base && base->op == RG_COP_ADDRESS) base = base->kid[0];
        x = base && rg__bundle_any(b, base) ? rg__bundle_element(b, base, rg__build_expr(b, kids.items[1])) : NULL;
        break;
    case CXCursor_UnaryOperator:
        if (kids.n != 1 || !rg__tok_is(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, c)), "*")) return NULL;
        if (!rg__build_place(b, kids.items[0])) return NULL;
        base = rg__build_expr(b, kids.items[0]);
        base = (struct rg_cnode *)rg__c_uncast(base, RG__C_CASTS);
        x = base->op == RG_COP_ADDRESS ? base->kid[0] : NULL;
        break;
    default:
        return NULL;
    }
    return x && (rg__cell_named(b, x) || rg__bundle_any(b, x)) ? x : NULL;
}

struct rg_cnode *rg__object_assign(struct rg__build *b, CXCursor left, CXCursor right, CXCursor where)
{
    if (!b->follow || b->helper) return NULL;
    CXType t = b->c->getCursorType(rg__strip_parens(b, left));
    bool pointer = rg__type_is_pointer(b->u, t) && !rg__is_function_pointer(b, t);
    if (!pointer && !plain_record(b, t)) return NULL;
    struct rg_cnode *to = rg__build_place(b, left), *v;
    if (!pointer) {
        if (!to || !rg__bundle_any(b, to)) return NULL;
        v = rg__build_expr(b, right);
        bool done = v->kind == RG_C_INITLIST ? set_list(b, to, v, where) : rg__object_copy(b, to, v, where);
        return done ? to : rg__verbatim(b, where, "a structure is set to something unknown");
    }
    v = rg__build_expr(b, right);
    if (to && !rg__cell_named(b, to)) return rg__verbatim(b, where, "a pointer is set to other structures");
    if (to) return rg__cell_store(b, to->var, v, where);
    enum CXCursorKind k = b->c->getCursorKind(rg__strip_parens(b, left));
    if (k != CXCursor_ArraySubscriptExpr && k != CXCursor_UnaryOperator) return NULL;
    return rg__table_row(b, rg__build_expr(b, left), v, where);
}

/* ---- variables ---- */

struct rg__sym *rg__object_global(struct rg__build *b, CXCursor decl)
{
    uint32_t key = rg__decl_key(b->u, decl);
    CXType type = b->c->getCursorType(decl);
    if (!b->follow || b->helper || rg__cell_form(b, key) == RG__GIVEN || rg__unit_linked(b->u, key)) return NULL;
    if (!rg__is_written_in_run(b, key) || (!rg__object_is(b, type) && !plain_record(b, type))) return NULL;
    CXCursor init = rg__initialiser(b, decl);
    bool null = b->c->Cursor_isNull(init) || rg__is_null(b, init);
    bool pointer = rg__type_is_pointer(b->u, type);
    if ((!null && (!pointer || !rg__object_is(b, type))) || (!b->setup && rg__state_seen(b, key))) {
        rg__cell_decide(b, key, RG__GIVEN);
        return NULL;
    }
    const char *name = rg__cursor_name(b->u, decl, &b->p->arena);
    int v = rg__object(b, type, name, key, key);
    if (v < 0) {
        rg__verbatim(b, decl, "the file-scope variable '%s' has parts that nothing stands for", name);
        return NULL;
    }
    if (!null) { /* static struct ctx *ctx = &the_ctx; */
        struct rg__kids *hoist = b->hoist;
        b->hoist = b->front;
        rg__cell_store(b, v, rg__build_expr(b, init), decl);
        b->hoist = hoist;
    }
    struct rg__sym *s = rg__sym_add(b, key, RG__SYM_VAR);
    s->var = v;
    s->global = true;
    return s;
}

bool rg__object_param(struct rg__build *b, CXCursor decl)
{
    uint32_t key = rg__decl_key(b->u, decl);
    CXType type = b->c->getCursorType(decl), to = pointee(b, type);
    if (!b->setup || !b->follow || rg__cell_form(b, key) == RG__GIVEN || !rg__type_is_pointer(b->u, type)) return false;
    if (b->c->isConstQualifiedType(to) || !plain_record(b, to) || rg__is_written(b, key)) return false;
    int v = rg__object(b, to, rg__cursor_name(b->u, decl, &b->p->arena), key, key);
    if (v < 0) return false;
    rg__sym_add(b, key, RG__SYM_VALUE)->value = address(b, v);
    return true;
}

bool rg__object_local(struct rg__build *b, CXCursor decl, CXCursor init)
{
    CXType type = b->c->getCursorType(decl);
    uint32_t key = rg__decl_key(b->u, decl);
    if (!rg__object_is(b, type) && !table_of_sizes(b, type, key)) return false;
    const char *name = rg__cursor_name(b->u, decl, &b->p->arena);
    bool has_init = !b->c->Cursor_isNull(init);
    struct rg_cnode *v = has_init && b->c->getCursorKind(init) != CXCursor_InitListExpr ? rg__build_expr(b, init)
                         : has_init                                                     ? rg__build_init(b, init, type)
                                                                                        : NULL;
    int var = rg__object(b, type, name, key, 0);
    if (var < 0) return false;
    if (rg__cell_at(b, var)) rg__cell_at(b, var)->decl = decl;
    rg__sym_add(b, key, RG__SYM_VAR)->var = var;
    if (!v) return true;
    struct rg_cnode *to = rg__c_var(b->t, var);
    if (rg__type_is_pointer(b->u, type))
        rg__cell_store(b, var, v, decl);
    else if (v->kind == RG_C_INITLIST ? !set_list(b, to, v, decl) : !rg__object_copy(b, to, v, decl))
        rg__verbatim(b, decl, "a structure is set to something unknown");
    return true;
}
