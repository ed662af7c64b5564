/* Pointers under another shape than what they point to was declared with: `(float (*)[m])p` of a flat array, `&a[0][0]`
 * and `(float *)a` of one with rows. Elements of either lie one behind the other, so that there are two forms. A flat
 * pointer names an element, its array's subscripts but for the last being zeros, and goes on from there over the ends
 * of rows. A pointer to rows is a node of its own around a flat one, with the extents of what it points to; a subscript
 * takes one off, and the last gives an element of the array as it is. */
#include "frontend/read/build_cell.h"
#include "frontend/read/build_place.h"
#include "frontend/read/build_shape.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_EXTENTS = 7 };

static const char rows_name[] = "<rows>";

bool rg__is_rows(const struct rg_cnode *p)
{
    return p->kind == RG_C_CALL && p->text == rows_name;
}

static struct rg_cnode *uncast(struct rg_cnode *p)
{
    while (p->kind == RG_C_CAST && p->pointer && !p->text && p->kid[0]->pointer) p = p->kid[0];
    return p;
}

/* Levels of arrays and of elements that a pointer of that type leads through; 0: to pointers, to nothing. */
static int depth_of_type(struct rg__build *b, CXType t, CXType *elem)
{
    CXType e = rg__array_form(b, t);
    int depth = 1;
    e = rg__is_array_kind(e) ? b->c->getArrayElementType(e) : b->c->getPointeeType(b->c->getCanonicalType(e));
    for (; rg__type_is_array(b->u, e); depth++) e = b->c->getArrayElementType(rg__array_form(b, e));
    *elem = e;
    return rg__type_is_pointer(b->u, e) || b->c->getCanonicalType(e).kind == CXType_Void ||
                   b->c->getCanonicalType(e).kind == CXType_Invalid
               ? 0
               : depth;
}

int rg__pointer_depth(struct rg__build *b, struct rg_cnode *p)
{
    const int64_t *dims;
    p = uncast(p);
    if (!p->pointer) return 0;
    if (rg__is_rows(p)) return p->n;
    if (p->kind == RG_C_COND) return p->n == 3 ? rg__pointer_depth(b, p->kid[1]) : 0;
    if (p->op == RG_COP_ADD) return rg__pointer_depth(b, p->kid[0]);
    if (p->kind == RG_C_VAR && p->array >= 0) return b->t->arrays[p->array].n_dims;
    if (p->kind == RG_C_INDEX) return b->t->arrays[p->array].n_dims - p->n;
    if (p->kind == RG_C_MEMBER) {
        int n = rg__member_extents(b, p, &dims);
        return n > 0 ? n - (p->n - 1) : 0;
    }
    return p->op == RG_COP_ADDRESS ? 1 : 0;
}

/* One piece of memory, and no table of pointers to its rows? */
static bool in_one_piece(const struct rg__build *b, int array)
{
    const struct rg_carray *x = &b->t->arrays[array];
    if (x->param >= 0 && !b->helper && b->p->params[x->param].indirect) return false;
    for (int d = 1; d < x->n_dims; d++)
        if (!x->dims || !x->dims[d]) return false;
    return true;
}

void rg__note_walk(struct rg__build *b, const struct rg_cnode *p)
{
    if (p->kind != RG_C_INDEX || !p->pointer || !p->n || p->n != b->t->arrays[p->array].n_dims - 1) return;
    struct rg_carray *x = &b->t->arrays[p->array];
    if (!in_one_piece(b, p->array)) return;
    x->walked = true;
    x->walked_whole |= p->kid[p->n - 1]->kind == RG_C_INT && !p->kid[p->n - 1]->ivalue;
}

/* The element in front of which `subs` and then zeros lead. */
static struct rg_cnode *first_of(struct rg__build *b, int array, struct rg_cnode **given, int n)
{
    struct rg_cnode *subs[8], *p;
    int dims = b->t->arrays[array].n_dims;
    if (dims > 8 || !in_one_piece(b, array) || b->t->arrays[array].rows_apart) return NULL;
    for (int d = 0; d < dims; d++) subs[d] = d < n ? given[d] : rg__c_int(b->t, 0);
    if (dims == 1 || n == dims) return NULL;
    p = rg__c_index(b->t, array, dims - 1, subs);
    p->pointer = true;
    return p;
}

struct rg_cnode *rg__flat_pointer(struct rg__build *b, struct rg_cnode *p)
{
    const int64_t *dims;
    struct rg_cnode *subs[9];
    p = uncast(p);
    int depth = rg__pointer_depth(b, p);
    if (rg__is_rows(p)) return p->kid[0];
    if (p->kind == RG_C_COND && p->n == 3 && depth > 1) {
        struct rg_cnode *x = rg__c_copy(b->t, p);
        for (int i = 1; i < 3; i++)
            if (!(x->kid[i] = rg__flat_pointer(b, p->kid[i]))) return NULL;
        return x;
    }
    if (p->kind == RG_C_MEMBER && depth > 0) {
        int n = rg__member_extents(b, p, &dims);
        if (n == 1) return p;
        struct rg_cnode *m = rg_cnode_new(b->t, RG_C_MEMBER, n);
        for (int i = 0; i < n; i++) m->kid[i] = i < p->n ? p->kid[i] : rg__c_int(b->t, 0);
        m->text = p->text;
        m->type = p->type;
        m->struct_index = p->struct_index;
        m->pointer = true;
        return rg__along_rows(b, m);
    }
    if (depth <= 1) return p;
    struct rg_cnode *off = NULL, *base = p;
    for (; base->op == RG_COP_ADD && base->pointer; base = uncast(base->kid[0]))
        off = off ? rg__c_binary(b->t, RG_COP_ADD, base->kid[1], off) : base->kid[1];
    if (base->kind == RG_C_MEMBER && off) { /* s.m + k */
        struct rg_cnode *m = rg_cnode_new(b->t, RG_C_MEMBER, base->n + 1);
        for (int i = 0; i < base->n; i++) m->kid[i] = base->kid[i];
        m->kid[base->n] = off;
        m->text = base->text;
        m->type = base->type;
        m->struct_index = base->struct_index;
        m->pointer = true;
        return rg__flat_pointer(b, m);
    }
    if (base->array < 0 || (base->kind != RG_C_VAR && base->kind != RG_C_INDEX)) return NULL;
    int n = base->kind == RG_C_INDEX ? base->n : 0;
    if (n > 7) return NULL;
    for (int d = 0; d < n; d++) subs[d] = base->kid[d];
    if (off) subs[n++] = off;
    return first_of(b, base->array, subs, n);
}

static struct rg_cnode *moved(struct rg__build *b, struct rg_cnode *flat, struct rg_cnode *by)
{
    if (by->kind == RG_C_INT && !by->ivalue) return flat;
    struct rg_cnode *sum = rg__c_operation(b->t, RG_C_BINARY, RG_COP_ADD);
    bool more = flat->op == RG_COP_ADD && flat->pointer;
    sum->pointer = true;
    sum->type = flat->type;
    sum->struct_index = flat->struct_index;
    sum->kid[0] = more ? flat->kid[0] : flat;
    sum->kid[1] = more ? rg__c_binary(b->t, RG_COP_ADD, flat->kid[1], by) : by;
    return sum;
}

struct rg_cnode *rg__rows_of(struct rg__build *b, struct rg_cnode *flat, struct rg_cnode *const *extents, int n)
{
    if (!n) return flat;
    struct rg_cnode *p = rg_cnode_new(b->t, RG_C_CALL, n + 1);
    p->text = rows_name;
    p->pointer = true;
    p->type = flat->type;
    p->struct_index = flat->struct_index;
    p->kid[0] = flat;
    for (int i = 0; i < n; i++) p->kid[i + 1] = rg__c_copy(b->t, extents[i]);
    return p;
}

struct rg_cnode *rg__row_size(struct rg__build *b, struct rg_cnode *const *extents, int n)
{
    struct rg_cnode *size = rg__c_copy(b->t, extents[0]);
    for (int i = 1; i < n; i++) size = rg__c_binary(b->t, RG_COP_MUL, size, rg__c_copy(b->t, extents[i]));
    return size;
}

struct rg_cnode *rg__rows_moved(struct rg__build *b, const struct rg_cnode *p, struct rg_cnode *by, bool into)
{
    int n = p->n - 1;
    bool zero = by->kind == RG_C_INT && !by->ivalue;
    struct rg_cnode *step = zero ? by : rg__c_binary(b->t, RG_COP_MUL, by, rg__row_size(b, p->kid + 1, n));
    return rg__rows_of(b, moved(b, p->kid[0], step), p->kid + 1 + into, n - into);
}

bool rg__keeps_extents(struct rg__build *b, struct rg__sym *s, const struct rg_cnode *value, bool first)
{
    int n = rg__is_rows(value) ? value->n - 1 : 0;
    if (!first && s->n_extents != n) return false;
    for (int i = 0; i < n && !first; i++)
        if (!rg__c_equal(s->extents[i], value->kid[i + 1])) return false;
    for (int i = 0; i < n && first; i++) s->extents[i] = rg__c_copy(b->t, value->kid[i + 1]);
    s->n_extents = n;
    return true;
}

/* ---- conversions ---- */

/* What no later statement changes. */
static bool lasts(struct rg__build *b, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR) {
        if (e->array >= 0 || e->pointer || b->t->vars[e->var].kind != RG_CVAR_PARAM) return false;
        for (int i = 0; i < b->n_syms; i++)
            if (b->syms[i].kind == RG__SYM_VAR && b->syms[i].var == e->var) return !rg__is_written(b, b->syms[i].key);
        return true;
    }
    if (e->kind != RG_C_INT && e->kind != RG_C_BINARY && e->kind != RG_C_UNARY && e->kind != RG_C_CAST) return false;
    for (int i = 0; i < e->n; i++)
        if (!lasts(b, e->kid[i])) return false;
    return !e->pointer;
}

static struct rg_cnode *kept(struct rg__build *b, struct rg_cnode *size)
{
    int64_t number;
    struct rg_cnode *known = rg__expand_known(b, size);
    if (rg__cell_evaluate(known, &number)) return rg__c_int(b->t, number);
    if (lasts(b, known)) return known;
    if (!b->hoist || !rg__c_pure(b->t, size)) return NULL;
    int v = rg__c_add_var(b->t, "row_length", RG_CVAR_LOCAL, RG_LONG);
    struct rg_cnode *d = rg_cnode_new(b->t, RG_C_DECL, 1);
    d->var = v;
    d->type = RG_LONG;
    d->kid[0] = size;
    rg__kids_add(b->hoist, d);
    return rg__c_var(b->t, v);
}

/* The extents of what a pointer of that type points to; `sizes` were written for the last of them. */
static bool extents_of(struct rg__build *b, CXType t, struct rg_cnode **sizes, int n_sizes, int depth,
                       struct rg_cnode **out)
{
    CXType e = rg__array_form(b, t);
    if (depth - 1 > MAX_EXTENTS) return false;
    e = rg__is_array_kind(e) ? b->c->getArrayElementType(e) : b->c->getPointeeType(b->c->getCanonicalType(e));
    for (int d = 0; d < depth - 1; d++) {
        e = rg__array_form(b, e);
        int written = n_sizes - (depth - 1) + d;
        if (e.kind == CXType_ConstantArray)
            out[d] = rg__c_int(b->t, b->c->getArraySize(e));
        else if (written < 0 || !sizes[written] || !(out[d] = kept(b, sizes[written])))
            return false;
        e = b->c->getArrayElementType(e);
    }
    return true;
}

static bool same_element(struct rg__build *b, const struct rg_cnode *p, CXType elem)
{
    enum rg_scalar s;
    if (rg__type_scalar(b->u, elem, &s)) /* of integers of one width the sign is seen to where they are read */
        return p->type == s || (rg__scalar_is_int(s) && rg__scalar_is_int(p->type) && s != RG_BOOL &&
                                p->type != RG_BOOL && rg_scalar_bytes(s) == rg_scalar_bytes(p->type));
    return rg__type_is_record(b->u, elem) && p->type == RG_STRUCT && p->struct_index >= 0 &&
           !strcmp(rg__plain_type(b, elem), b->p->structs[p->struct_index].c_name);
}

/* Are its rows those already? Constant ones must be the same; where the run knows them, C takes them to be. */
static bool same_rows(struct rg__build *b, struct rg_cnode *p, struct rg_cnode **extents, int n)
{
    const int64_t *dims;
    p = uncast(p);
    for (int d = 0; d < n && rg__is_rows(p); d++)
        if (!rg__c_equal(p->kid[d + 1], extents[d])) return false;
    if (rg__is_rows(p)) return true;
    while (p->op == RG_COP_ADD && p->pointer) p = uncast(p->kid[0]);
    for (int d = 0; d < n && p->kind == RG_C_MEMBER; d++)
        if (rg__member_extents(b, p, &dims) != p->n + n || extents[d]->kind != RG_C_INT ||
            dims[p->n + d] != extents[d]->ivalue)
            return false;
    if (p->array < 0 || (p->kind != RG_C_VAR && p->kind != RG_C_INDEX)) return p->kind == RG_C_MEMBER;
    const struct rg_carray *x = &b->t->arrays[p->array];
    int first = x->n_dims - n;
    for (int d = 0; d < n; d++) {
        const struct rg_expr *e = rg__c_to_expr(b->t, extents[d], &b->t->arena);
        if (!x->dims || !x->dims[first + d]) return false;
        bool number = x->dims[first + d]->kind == RG_EXPR_INT;
        if ((number || extents[d]->kind == RG_C_INT || e) && !rg__same_extent(b, e, x->dims[first + d])) return false;
    }
    return true;
}

static struct rg_cnode *reshaped(struct rg__build *b, struct rg_cnode *p, CXType to, struct rg_cnode **sizes,
                                 int n_sizes, bool flat)
{
    CXType elem;
    struct rg_cnode *extents[MAX_EXTENTS];
    int want = depth_of_type(b, to, &elem), have = flat ? 1 : rg__pointer_depth(b, p);
    if (!p->pointer || !want || !have || !same_element(b, p, elem)) return NULL;
    if (want == 1 && have == 1) return p;
    if (!extents_of(b, to, sizes, n_sizes, want, extents)) return NULL;
    if (want == have && same_rows(b, p, extents, want - 1)) return p;
    struct rg_cnode *first = flat ? p : rg__flat_pointer(b, p);
    if (!first) return NULL;
    rg__note_walk(b, first->op == RG_COP_ADD && first->pointer ? first->kid[0] : first);
    return rg__rows_of(b, first, extents, want - 1);
}

struct rg_cnode *rg__cast_shape(struct rg__build *b, struct rg_cnode *p, CXType to, CXCursor cast,
                                struct rg__children kids)
{
    CXType from;
    CXCursor operand = rg__strip_parens(b, kids.items[kids.n - 1]);
    int tok = rg__tok_from(&b->u->src, rg__cursor_at(b->u, cast)),
        end = rg__tok_from(&b->u->src, rg__cursor_at(b->u, kids.items[kids.n - 1])), n = 0;
    struct rg_cnode *sizes[8];
    while (tok < end && !rg__tok_is(&b->u->src, tok, "[")) tok++;
    if (tok < end) n = rg__bracket_sizes(b, kids, tok, sizes, 8);
    bool flat = !rg__pointer_depth(b, p) && depth_of_type(b, b->c->getCursorType(operand), &from) == 1;
    return reshaped(b, p, to, sizes, n, flat);
}

struct rg_cnode *rg__declared_shape(struct rg__build *b, struct rg_cnode *p, CXCursor decl)
{
    CXType elem, to = b->c->getCursorType(decl);
    struct rg_cnode *sizes[8];
    int want = depth_of_type(b, to, &elem), have = rg__pointer_depth(b, p);
    if (!want || !have || (want == 1 && have == 1)) return p;
    int tok = rg__tok_from(&b->u->src, rg__decl_key(b->u, decl)) + 1, n = 0;
    while (rg__tok_is(&b->u->src, tok, ")")) tok++;
    if (want > 1) n = rg__bracket_sizes(b, rg__cursor_children(b->u, decl, &b->p->arena), tok, sizes, 8);
    struct rg_cnode *x = reshaped(b, p, to, sizes, n, false);
    return x ? x : p;
}

const char *rg__misshapen(struct rg__build *b, struct rg_cnode *v, CXType t)
{
    struct rg_cnode *rows[8], *off;
    int array, n_rows;
    if (rg__is_rows(uncast(v)) || uncast(v)->kind == RG_C_MEMBER) {
        CXType elem;
        int has = rg__pointer_depth(b, v);
        bool same = !has || (depth_of_type(b, t, &elem) == has && same_element(b, v, elem));
        return same ? NULL : "an array is used under another shape";
    }
    if (!rg__split_pointer(b, v, &array, rows, &n_rows, &off)) return NULL;
    CXType e = t;
    int depth = 0;
    while (depth < 8 && (rg__type_is_array(b->u, e) || rg__type_is_pointer(b->u, e))) {
        CXType k = rg__is_array_kind(rg__array_form(b, e)) ? rg__array_form(b, e) : b->c->getCanonicalType(e);
        e = k.kind == CXType_Pointer ? b->c->getPointeeType(k) : b->c->getArrayElementType(k);
        depth++;
    }
    if (b->c->getCanonicalType(e).kind == CXType_Void) return NULL;
    if (depth != b->t->arrays[array].n_dims - n_rows) return "an array is used under another shape";
    enum rg_scalar s;
    if (rg__type_scalar(b->u, e, &s) ? s != b->t->arrays[array].elem : b->t->arrays[array].elem != RG_STRUCT)
        return "an array is used under another element type";
    return NULL;
}

bool rg__rows_left(const struct rg_cnode *n)
{
    if (!n) return false;
    if (rg__is_rows(n)) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__rows_left(n->kid[i])) return true;
    return false;
}
