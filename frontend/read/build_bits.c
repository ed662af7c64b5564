/* Type punning: the bits of a number read, or stored, as a number of another type of the same width, as memcpy(&u, &f,
 * sizeof u), *(int *)&f and a union of the two do. */
#include "frontend/read/build_bits.h"
#include <string.h>

static const struct {
    enum rg_scalar from, to;
    const char *name; /* CUDA's */
} kinds[] = {
    {RG_F32, RG_U32, "__float_as_uint"},
    {RG_U32, RG_F32, "__uint_as_float"},
    {RG_F64, RG_LLONG, "__double_as_longlong"},
    {RG_LLONG, RG_F64, "__longlong_as_double"},
};

/* The type of its width that bits are taken from, or given to. */
static enum rg_scalar carrier(enum rg_scalar s)
{
    if (s == RG_F32 || s == RG_F64 || !rg__scalar_is_int(s)) return s;
    return rg_scalar_bytes(s) == 4 ? RG_U32 : rg_scalar_bytes(s) == 8 ? RG_LLONG : s;
}

static int kind_of(enum rg_scalar from, enum rg_scalar to)
{
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++)
        if (kinds[i].from == carrier(from) && kinds[i].to == carrier(to)) return i;
    return -1;
}

bool rg__has_bits_of(enum rg_scalar to, enum rg_scalar from)
{
    return kind_of(from, to) >= 0;
}

struct rg_cnode *rg__bits_as(struct rg__build *b, struct rg_cnode *e, enum rg_scalar to)
{
    const int i = kind_of(e->type, to);
    if (i < 0) return NULL;
    struct rg_cnode *n = rg_cnode_new(b->t, RG_C_CALL, 1);
    n->text = kinds[i].name;
    n->type = kinds[i].to;
    n->kid[0] = rg__c_cast(b->t, e, kinds[i].from);
    return rg__c_cast(b->t, n, to);
}

struct rg_cnode *rg__bits_of(struct rg_cnode *e)
{
    if (e->kind == RG_C_CAST && !e->pointer && rg__scalar_is_int(e->type) && rg__scalar_is_int(e->kid[0]->type))
        e = e->kid[0];
    if (e->kind != RG_C_CALL || e->callee >= 0 || !e->text || e->n != 1) return NULL;
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++)
        if (!strcmp(e->text, kinds[i].name)) {
            struct rg_cnode *of = e->kid[0];
            const bool same = of->kind == RG_C_CAST && !of->pointer && carrier(of->kid[0]->type) == kinds[i].from;
            return same ? of->kid[0] : of;
        }
    return NULL;
}

/* ---- unions of numbers of one width ---- */

enum { MOST = 8 };

struct members {
    struct rg__build *b;
    int n;
    const char *names[MOST];
    enum rg_scalar types[MOST], whole; /* whole: an integer's */
    size_t bytes;
    bool other;
};

static enum CXVisitorResult member(CXCursor c, CXClientData data)
{
    struct members *m = data;
    enum rg_scalar s;
    if (m->n == MOST || m->b->c->Cursor_isBitField(c) || !rg__type_scalar(m->b->u, m->b->c->getCursorType(c), &s) ||
        s == RG_BOOL || (m->bytes && rg_scalar_bytes(s) != m->bytes)) {
        m->other = true;
        return CXVisit_Break;
    }
    m->names[m->n] = rg__cursor_name(m->b->u, c, &m->b->p->arena);
    m->types[m->n++] = s;
    m->bytes = rg_scalar_bytes(s);
    if (rg__scalar_is_int(s)) m->whole = s;
    return CXVisit_Continue;
}

static bool one_width(struct rg__build *b, CXType t, struct members *m)
{
    CXType canonical = b->c->getCanonicalType(t);
    *m = (struct members){.b = b, .whole = RG_STRUCT};
    if (b->c->getCursorKind(b->c->getTypeDeclaration(canonical)) != CXCursor_UnionDecl) return false;
    b->c->Type_visitFields(canonical, member, m);
    return !m->other && m->bytes >= 4 && m->whole != RG_STRUCT;
}

bool rg__union_number(struct rg__build *b, CXType t, enum rg_scalar *s)
{
    struct members m;
    if (!one_width(b, t, &m)) return false;
    *s = m.whole;
    return true;
}

struct naming {
    struct rg__build *b;
    uint32_t key;
    int all, members;
};

static void note_use(void *arg, CXCursor c)
{
    struct naming *n = arg;
    struct rg__build *b = n->b;
    const enum CXCursorKind k = b->c->getCursorKind(c);
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    const bool of = k == CXCursor_MemberRefExpr && kids.n == 1;
    CXCursor in = of ? rg__strip_parens(b, kids.items[0]) : c;
    if (b->c->getCursorKind(in) != CXCursor_DeclRefExpr || rg__decl_key(b->u, b->c->getCursorReferenced(in)) != n->key)
        return;
    n->all += !of;
    n->members += of;
}

bool rg__union_by_members(struct rg__build *b, CXCursor decl)
{
    struct naming n = {.b = b, .key = rg__decl_key(b->u, decl)};
    rg__cursor_walk(b->u, b->c->getCursorSemanticParent(decl), note_use, &n);
    return n.all == n.members;
}

/* The number as one of another type, by its bits. */
static struct rg_cnode *seen_as(struct rg__build *b, struct rg_cnode *e, enum rg_scalar s)
{
    struct rg_cnode *bits = rg__bits_as(b, e, s);
    return bits ? bits : e->type == s ? e : rg__c_cast(b->t, e, s);
}

struct rg_cnode *rg__union_member(struct rg__build *b, struct rg_cnode *whole, CXType of, CXType member)
{
    struct members m;
    enum rg_scalar s;
    if (whole->pointer || whole->kind != RG_C_VAR || whole->array >= 0 || !rg__scalar_is_int(whole->type) ||
        !one_width(b, of, &m) || !rg__type_scalar(b->u, member, &s))
        return NULL;
    return seen_as(b, whole, s);
}

struct rg_cnode *rg__union_init(struct rg__build *b, CXCursor init, CXType t)
{
    struct members m;
    struct rg__children kids = rg__cursor_children(b->u, init, &b->p->arena);
    if (!one_width(b, t, &m) || b->c->getCursorKind(init) != CXCursor_InitListExpr || kids.n != 1)
        return rg__verbatim(b, init, "a union starts as another one");
    CXCursor value;
    const int at = rg__init_slot(b, kids.items[0], 0, m.names, m.n, &value);
    if (at < 0 || at >= m.n) return rg__verbatim(b, init, "a list of another form");
    return seen_as(b, rg__c_cast(b->t, rg__build_expr(b, value), m.types[at]), m.whole);
}
