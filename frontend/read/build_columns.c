/* Arrays of structures with pointers in them (`const struct polygon *zones`, `zones[z].lon[i]`): each member is a
 * column over the elements, a parameter of its own (build_flat.c). In the tree an array stands for the structures until
 * a member is named, so that all that is read of pointers into arrays holds for pointers to them: `&zones[z]`, `p++`.
 * What the member of a pointer leads to is a row of the column, as of a table of pointers. */
#include "frontend/read/build_columns.h"
#include "frontend/read/build_place.h"
#include <string.h>

enum { MOST_PARTS = 64 };

struct rg__columns {
    struct rg__columns *next;
    bool written; /* a member of some element is set */
    int of;       /* the array that stands for the structures; never in a finished tree */
    int n;
    struct {
        const char *member;
        uint32_t key; /* of its declaration */
        int array, inner;
    } part[MOST_PARTS];
};

static struct rg__columns *columns_of(const struct rg__build *b, int array)
{
    for (struct rg__columns *x = b->columns; x && array >= 0; x = x->next)
        if (x->of == array) return x;
    return NULL;
}

int rg__columns_new(struct rg__build *b, const char *name)
{
    struct rg__columns *x = rg_arena_alloc(&b->p->arena, sizeof *x);
    memset(x, 0, sizeof *x);
    x->of = rg__c_add_array(b->t, name, RG_STRUCT);
    struct rg_carray *a = &b->t->arrays[x->of];
    a->struct_index = -1;
    a->param = -1;
    a->n_dims = 1;
    a->dims = rg_arena_alloc(&b->t->arena, sizeof *a->dims);
    a->dims[0] = rg__int_expr(&b->t->arena, 1);
    x->next = b->columns;
    b->columns = x;
    return x->of;
}

void rg__columns_part(struct rg__build *b, int columns, CXCursor member, int array, int inner)
{
    struct rg__columns *x = columns_of(b, columns);
    if (!x || x->n == MOST_PARTS) return;
    x->part[x->n].member = rg__cursor_name(b->u, member, &b->p->arena);
    x->part[x->n].key = rg__decl_key(b->u, member);
    x->part[x->n].array = array;
    x->written |= inner >= 0 && columns_of(b, inner)->written;
    x->part[x->n++].inner = inner;
}

void rg__columns_written(struct rg__build *b, int columns)
{
    struct rg__columns *x = columns_of(b, columns);
    if (x) x->written = true;
}

bool rg__columns_copy(struct rg__build *b, CXCursor decl, const struct rg_cnode *value, struct rg__kids *out)
{
    const struct rg__columns *x =
        value && value->kind == RG_C_INDEX && value->n == 1 ? columns_of(b, value->array) : NULL;
    if (!x || x->written || rg__is_written(b, rg__decl_key(b->u, decl)) || !rg__c_pure(b->t, value)) return false;
    struct rg_cnode *place = rg__c_copy(b->t, value);
    rg__fix_place(b, place, rg__cursor_name(b->u, decl, &b->p->arena), out);
    rg__sym_add(b, rg__decl_key(b->u, decl), RG__SYM_VALUE)->value = place;
    return true;
}

bool rg__columns_declare(struct rg__build *b, CXCursor decl, CXCursor init, struct rg__kids *out)
{
    if (!b->columns || b->c->Cursor_isNull(init) || !rg__type_is_record(b->u, b->c->getCursorType(decl)) ||
        b->c->getCursorKind(init) == CXCursor_InitListExpr || rg__sets_or_calls(b, init, true))
        return false;
    return rg__columns_copy(b, decl, rg__build_expr(b, init), out);
}

struct rg_cnode *rg__columns_member(struct rg__build *b, const struct rg_cnode *base, const char *member)
{
    const struct rg__columns *x = base->kind == RG_C_INDEX && base->n == 1 ? columns_of(b, base->array) : NULL;
    for (int i = 0; x && i < x->n; i++) {
        if (strcmp(x->part[i].member, member) != 0) continue;
        struct rg_cnode *sub = rg__c_copy(b->t, base->kid[0]);
        return rg__c_index(b->t, x->part[i].array >= 0 ? x->part[i].array : x->part[i].inner, 1, &sub);
    }
    return NULL;
}

bool rg__columns_rows(const struct rg__build *b, CXCursor member)
{
    const uint32_t key = rg__decl_key(b->u, member);
    for (const struct rg__columns *x = b->columns; x; x = x->next)
        for (int i = 0; i < x->n; i++)
            if (x->part[i].key == key && x->part[i].array >= 0)
                return b->p->params[b->t->arrays[x->part[i].array].param].rows;
    return false;
}

bool rg__columns_left(const struct rg__build *b, const struct rg_cnode *n)
{
    if (!n || !b->columns) return false;
    if ((n->kind == RG_C_VAR || n->kind == RG_C_INDEX || n->kind == RG_C_DECL) && columns_of(b, n->array)) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__columns_left(b, n->kid[i])) return true;
    return false;
}

struct walk {
    struct rg__build *b;
    const char *record;
    bool found;
};

static void look(void *arg, CXCursor c)
{
    struct walk *w = arg;
    struct rg__build *b = w->b;
    if (b->c->getCursorKind(c) != CXCursor_ArraySubscriptExpr || w->found) return;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    int64_t at;
    if (kids.n != 2 || (rg__eval_int(b->u, kids.items[1], &at) && !at)) return;
    CXCursor p = rg__strip_parens(b, kids.items[0]);
    if (b->c->getCursorKind(p) != CXCursor_DeclRefExpr ||
        b->c->getCursorKind(b->c->getCursorReferenced(p)) != CXCursor_ParmDecl)
        return;
    CXType t = b->c->getCanonicalType(b->c->getCursorType(p));
    w->found = rg__type_is_pointer(b->u, t) && !strcmp(rg__plain_type(b, b->c->getPointeeType(t)), w->record);
}

/* f(zones, n) */
static bool passed_on(struct rg__build *b, const struct rg__function *f, const char *name)
{
    const struct rg__source *s = &b->u->src;
    for (int k = rg__tok_from(s, rg__cursor_at(b->u, f->body)); k < s->n_toks && s->toks[k].at < f->end; k++)
        if (rg__tok_is(s, k, name) && (rg__tok_is(s, k - 1, "(") || rg__tok_is(s, k - 1, ",")) &&
            (rg__tok_is(s, k + 1, ")") || rg__tok_is(s, k + 1, ",")))
            return true;
    return false;
}

bool rg__goes_along(struct rg__build *b, CXType record, const struct rg__function *but, const char *name)
{
    struct walk w = {.b = b, .record = rg__plain_type(b, record)};
    if (!passed_on(b, but, name)) return false;
    for (int i = 0; i < b->u->n_functions; i++) {
        const struct rg__function *f = &b->u->functions[i];
        if (f != but && b->in_run && b->in_run[i] && !b->c->Cursor_isNull(f->body))
            rg__cursor_walk(b->u, f->body, look, &w);
    }
    return w.found;
}
