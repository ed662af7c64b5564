/* Casts: of numbers, and of pointers whose memory is read as what it is. */
#include "frontend/read/build_reads.h"
#include "frontend/read/build_void.h"
#include "frontend/read/build_bits.h"
#include "frontend/read/build_cell.h"
#include "frontend/read/build_shape.h"
#include <stdlib.h>
#include <string.h>

static bool same_element(struct rg__build *b, const struct rg_cnode *p, CXType pointee)
{
    enum rg_scalar s;
    if (rg__type_scalar(b->u, pointee, &s)) return p->type == s;
    if (!rg__type_is_record(b->u, pointee) || p->type != RG_STRUCT) return false;
    const int of = p->struct_index < 0 && p->array >= 0 ? b->t->arrays[p->array].struct_index : p->struct_index,
              complex = rg__complex_struct(b, pointee);
    if (of < 0 || complex >= 0) return of < 0 || of == complex;
    return !strcmp(b->p->structs[of].c_name, rg__plain_type(b, pointee)); /* ((struct other *)p)->w */
}

/* Numbers of one width, with and without a sign, or an integer and a real: of a pointer to one as a pointer to the
 * other only what is read differs, and by a conversion (rg__as_pointed). */
static bool other_kind(const struct rg__build *b, const struct rg_cnode *p, CXType pointee)
{
    enum rg_scalar s;
    if (p->pointer && rg__type_scalar(b->u, pointee, &s) && rg__has_bits_of(s, p->type)) return true;
    return p->pointer && rg__scalar_is_int(p->type) && rg__type_scalar(b->u, pointee, &s) && rg__scalar_is_int(s) &&
           s != RG_BOOL && p->type != RG_BOOL && rg_scalar_bytes(s) == rg_scalar_bytes(p->type);
}

static struct rg_cnode *to_pointer(struct rg__build *b, CXCursor c, struct rg__children kids, struct rg_cnode *k)
{
    CXType to = b->c->getCursorType(c), canonical = b->c->getCanonicalType(to);
    CXType pointee = b->c->getPointeeType(canonical);
    if (k->kind == RG_C_CALL && !rg__is_rows(k)) { /* (float *)malloc(..): seen by the declaration */
        const CXType had =
            b->c->getPointeeType(b->c->getCanonicalType(kids.n ? b->c->getCursorType(kids.items[kids.n - 1]) : to));
        const bool other = had.kind != CXType_Invalid && b->c->getCanonicalType(had).kind != CXType_Void &&
                           b->c->getCanonicalType(pointee).kind != CXType_Void &&
                           strcmp(rg__plain_type(b, had), rg__plain_type(b, pointee)) != 0;
        return other ? rg__verbatim(b, c, "memory is read as another type") : k;
    }
    if (k->kind == RG_C_INT) {
        struct rg_cnode *n = rg_cnode_new(b->t, RG_C_CAST, 1);
        n->text = "void *";
        n->pointer = true;
        n->kid[0] = k;
        return n;
    }
    bool to_void = b->c->getCanonicalType(pointee).kind == CXType_Void;
    if (k->pointer && to_void) return k;
    struct rg_cnode *shaped = rg__cast_shape(b, k, to, c, kids);
    if (shaped && !other_kind(b, shaped, pointee)) return shaped;
    if (shaped) k = shaped;
    if (k->pointer && rg__pointer_depth(b, k) < 2 && same_element(b, k, pointee)) return k;
    if (other_kind(b, k, pointee)) {
        struct rg_cnode *n = rg_cnode_new(b->t, RG_C_CAST, 1);
        n->text = rg__type_name(b->u, to, &b->t->arena);
        n->pointer = true;
        rg__type_scalar(b->u, pointee, &n->type);
        n->kid[0] = k;
        return n;
    }
    CXType row = pointee;
    while (rg__type_is_array(b->u, row)) row = b->c->getArrayElementType(rg__array_form(b, row));
    if (k->pointer && same_element(b, k, row))
        return rg__verbatim(b, c, "a flat pointer is read as an array of another shape");
    return rg__verbatim(b, c, "memory is read as another type");
}

struct rg_cnode *rg__from_void(struct rg__build *b, CXCursor c, struct rg_cnode *k)
{
    CXType to = b->c->getCursorType(c);
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (!k->pointer || k->kind == RG_C_CALL || kids.n != 1 || rg__is_null(b, c) || !rg__type_is_pointer(b->u, to) ||
        rg__is_void_pointer(b, to) || !rg__is_void_pointer(b, b->c->getCursorType(kids.items[0])))
        return k;
    CXType e = b->c->getPointeeType(b->c->getCanonicalType(to));
    while (rg__type_is_array(b->u, e)) e = b->c->getArrayElementType(rg__array_form(b, e));
    enum rg_scalar s;
    if (same_element(b, k, e) || (!rg__type_scalar(b->u, e, &s) && !rg__type_is_record(b->u, e))) return k;
    if (k->kind == RG_C_VAR && k->array < 0 && rg__type_is_record(b->u, e))
        return rg__verbatim(b, c, "a void pointer into more than one array of structures");
    return to_pointer(b, c, kids, k);
}

struct rg_cnode *rg__build_cast(struct rg__build *b, CXCursor c)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (!kids.n) return rg__verbatim(b, c, "a cast of nothing");
    CXType to = b->c->getCursorType(c);
    struct rg_cnode *k = rg__build_expr(b, kids.items[kids.n - 1]);
    enum rg_scalar s;
    CXType canonical = b->c->getCanonicalType(to);
    if (canonical.kind == CXType_Void) return k;
    if (rg__type_scalar(b->u, to, &s)) {
        enum rg_scalar part;
        if (k->pointer) return rg__verbatim(b, c, "a pointer is cast to a number");
        if (rg__c_is_complex(b, k, &part)) return rg__c_cast(b->t, rg__complex_part(b, k, false), s);
        if (k->type == s || rg__scalar_is_int(s)) return rg__c_cast(b->t, k, s);
        struct rg_cnode *n = rg_cnode_new(b->t, RG_C_CAST, 1);
        n->type = s;
        n->kid[0] = k;
        return n;
    }
    if (canonical.kind == CXType_Pointer) return to_pointer(b, c, kids, k);
    if (rg__type_complex(b, to, &s) && !k->pointer) return rg__to_complex(b, k, s);
    if (rg__type_is_record(b->u, to)) return k;
    return rg__verbatim(b, c, "a cast to '%s'", rg__type_name(b->u, to, &b->t->arena));
}
