/* Braced initialisers as C++ takes them: in memory order, without designators, every number converted where C would. */
#include "frontend/read/build.h"
#include "frontend/read/build_string.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_SLOTS = 4096 };

struct record {
    struct rg__build *b;
    int n, cap_names, cap_types;
    const char **names;
    CXType *types;
    bool bits; /* one is a bit-field */
};

static enum CXVisitorResult one_member(CXCursor c, CXClientData data)
{
    struct record *r = data;
    RG_GROW(r->names, r->n, r->cap_names);
    RG_GROW(r->types, r->n, r->cap_types);
    r->names[r->n] = rg__cursor_name(r->b->u, c, &r->b->p->arena);
    r->types[r->n++] = r->b->c->getCursorType(c);
    r->bits |= r->b->c->Cursor_isBitField(c) != 0;
    return CXVisit_Continue;
}

static struct rg_cnode *list_node(struct rg__build *b, CXType type, int n)
{
    struct rg_cnode *l = rg_cnode_new(b->t, RG_C_INITLIST, n);
    enum rg_scalar s;
    if (rg__type_scalar(b->u, type, &s))
        l->type = s;
    else if (rg__type_is_record(b->u, type))
        l->type = RG_STRUCT;
    return l;
}

/* What stands where nothing was written. */
static struct rg_cnode *zero(struct rg__build *b, CXType type)
{
    enum rg_scalar s;
    if (rg__type_scalar(b->u, type, &s)) return rg__c_cast(b->t, rg__c_int(b->t, 0), s);
    if (rg__type_complex(b, type, &s)) return rg__to_complex(b, rg__c_int(b->t, 0), s);
    return list_node(b, type, 0);
}

static bool is_designator(struct rg__build *b, CXCursor c)
{
    const struct rg__source *s = &b->u->src;
    int tok = rg__tok_from(s, rg__cursor_at(b->u, c));
    return b->c->getCursorKind(c) == CXCursor_UnexposedExpr && (rg__tok_is(s, tok, ".") || rg__tok_is(s, tok, "["));
}

int rg__init_slot(struct rg__build *b, CXCursor c, int next, const char *const *names, int n, CXCursor *value)
{
    *value = c;
    if (!is_designator(b, c)) return next;
    const struct rg__source *s = &b->u->src;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    int tok = rg__tok_from(s, rg__cursor_at(b->u, c));
    int64_t at;
    if (kids.n != 2) return -1;
    *value = kids.items[1];
    if (rg__tok_is(s, tok, "["))
        return rg__eval_int(b->u, kids.items[0], &at) && at >= 0 && at < MAX_SLOTS ? (int)at : -1;
    const char *name = rg__tok_text(s, tok + 1, &b->t->arena);
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], name)) return i;
    return -1;
}

static struct rg_cnode *aggregate(struct rg__build *b, CXCursor c, CXType type)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    struct record r = {.b = b};
    enum rg_scalar s;
    bool record = rg__type_is_record(b->u, type);
    CXType elem = type;
    if (record)
        b->c->Type_visitFields(b->c->getCanonicalType(type), one_member, &r);
    else
        elem = b->c->getArrayElementType(b->c->getCanonicalType(type));
    struct rg_cnode **slot = rg_xcalloc(MAX_SLOTS, sizeof *slot), *l = NULL;
    int n = 0, at = 0;
    if (r.bits) {
        l = rg__verbatim(b, c, "bit-fields are listed");
        goto out;
    }
    for (int i = 0; i < kids.n; i++, at++) {
        CXCursor v;
        at = rg__init_slot(b, kids.items[i], at, r.names, r.n, &v);
        if (at < 0 || at >= (record ? r.n : MAX_SLOTS)) goto out;
        CXType t = record ? r.types[at] : elem;
        bool flat = b->c->getCursorKind(v) != CXCursor_InitListExpr && b->c->getCursorKind(v) != CXCursor_StringLiteral;
        if (flat && (rg__type_is_array(b->u, t) || (rg__type_is_record(b->u, t) && !rg__type_complex(b, t, &s) &&
                                                    !rg__type_is_record(b->u, b->c->getCursorType(v)))))
            goto out; /* braces left away */
        slot[at] = rg__build_init(b, v, t);
        if (at + 1 > n) n = at + 1;
    }
    l = list_node(b, type, n);
    for (int i = 0; i < n; i++) l->kid[i] = slot[i] ? slot[i] : zero(b, record ? r.types[i] : elem);
out:
    free(slot);
    free(r.names);
    free(r.types);
    return l;
}

/* As written, when braces were left away: C++ fills in the same order. */
static struct rg_cnode *as_written(struct rg__build *b, CXCursor c, CXType type)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    struct rg_cnode *l = list_node(b, type, kids.n);
    enum rg_scalar s;
    while (rg__type_is_array(b->u, type)) type = b->c->getArrayElementType(b->c->getCanonicalType(type));
    for (int i = 0; i < kids.n; i++) {
        if (is_designator(b, kids.items[i])) return rg__verbatim(b, c, "an initialiser with nested designators");
        struct rg_cnode *k = rg__build_expr(b, kids.items[i]);
        l->kid[i] =
            rg__type_scalar(b->u, type, &s) && k->kind != RG_C_INITLIST && !k->pointer ? rg__c_cast(b->t, k, s) : k;
    }
    return l;
}

struct rg_cnode *rg__build_init(struct rg__build *b, CXCursor c, CXType type)
{
    enum rg_scalar s;
    bool braces = b->c->getCursorKind(c) == CXCursor_InitListExpr, scalar = rg__type_scalar(b->u, type, &s);
    if (!braces) {
        struct rg_cnode *e = rg__build_expr(b, c), *bytes = NULL;
        enum rg_scalar part;
        if (e->kind == RG_C_STRING && (bytes = rg__string_list(b, e, type, false))) return bytes;
        if (rg__type_complex(b, type, &part)) return e->pointer ? e : rg__to_complex(b, e, part);
        return scalar && !e->pointer && e->type != RG_STRUCT ? rg__c_cast(b->t, e, s) : e;
    }
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (scalar) return kids.n ? rg__build_init(b, kids.items[0], type) : zero(b, type);
    struct rg_cnode *l = aggregate(b, c, type);
    return l ? l : as_written(b, c, type);
}

struct rg_cnode *rg__build_compound(struct rg__build *b, CXCursor c)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    CXType type = b->c->getCursorType(c);
    enum rg_scalar s;
    if (!kids.n || (!rg__type_is_record(b->u, type) && !rg__type_scalar(b->u, type, &s)))
        return rg__verbatim(b, c, "a compound literal of an array");
    struct rg_cnode *v = rg__build_init(b, kids.items[kids.n - 1], type);
    if (v->kind != RG_C_INITLIST) return v;
    v->struct_index = rg__build_local_struct(b, type, "a compound literal");
    if (v->struct_index < 0) return rg__verbatim(b, c, "a compound literal of a structure that cannot be transferred");
    const char *name = b->p->structs[v->struct_index].c_name;
    v->text = strncmp(name, "struct ", 7) ? name : name + 7;
    return v;
}
