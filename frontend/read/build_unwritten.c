/* Integer members that nothing writes in a function that writes others of the same structure: `m->k` is as much of a
 * number as a parameter is while `m->iters` counts. What might write it without naming it leaves it a member: a
 * structure that is assigned as a whole, or whose address becomes that of something else, or leaves the file. */
#include "frontend/read/build_field.h"
#include <string.h>

struct writes {
    struct rg__build *b;
    const char *record, *member;
    int64_t bytes; /* of the record */
    bool some;
};

static bool leads_to(const struct writes *w, CXType t)
{
    t = w->b->c->getCanonicalType(t);
    while (t.kind == CXType_Pointer) {
        t = w->b->c->getCanonicalType(w->b->c->getPointeeType(t));
        if (!strcmp(rg__plain_type(w->b, t), w->record)) return true;
    }
    return false;
}

static bool names(const struct writes *w, CXCursor c)
{
    struct rg__build *b = w->b;
    if (b->c->getCursorKind(c) != CXCursor_MemberRefExpr ||
        strcmp(rg__cursor_name(b->u, c, &b->p->arena), w->member) != 0)
        return false;
    CXCursor of = b->c->getCursorSemanticParent(b->c->getCursorReferenced(c));
    return !strcmp(rg__plain_type(b, b->c->getCursorType(of)), w->record);
}

static bool is_null(const struct writes *w, CXCursor c)
{
    int64_t v;
    c = rg__strip_parens(w->b, c);
    if (w->b->c->getCursorKind(c) == CXCursor_CStyleCastExpr) {
        struct rg__children kids = rg__cursor_children(w->b->u, c, &w->b->p->arena);
        return kids.n && is_null(w, kids.items[kids.n - 1]);
    }
    return w->b->c->getCursorKind(c) == CXCursor_IntegerLiteral && rg__eval_int(w->b->u, c, &v) && !v;
}

static void note(void *arg, CXCursor c)
{
    struct writes *w = arg;
    struct rg__build *b = w->b;
    const enum CXCursorKind k = b->c->getCursorKind(c);
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    CXCursor to;
    if (w->some) return;
    if (rg__is_set_or_taken(b, c, &to)) {
        CXType t = b->c->getCanonicalType(b->c->getCursorType(to));
        w->some = names(w, to) || leads_to(w, t) ||
                  (k != CXCursor_UnaryOperator && rg__type_is_record(b->u, t) && b->c->Type_getSizeOf(t) >= w->bytes);
    } else if ((k == CXCursor_UnexposedExpr || k == CXCursor_CStyleCastExpr) && kids.n) {
        CXCursor of = kids.items[kids.n - 1];
        CXType from = b->c->getCanonicalType(b->c->getCursorType(of)),
               now = b->c->getCanonicalType(b->c->getCursorType(c));
        if (from.kind == CXType_Pointer && leads_to(w, from) != leads_to(w, now)) w->some = !is_null(w, of);
        if (from.kind != CXType_Pointer && leads_to(w, now) && !rg__type_is_array(b->u, from))
            w->some = w->some || !is_null(w, of);
        if (now.kind != CXType_Pointer && leads_to(w, from) && k == CXCursor_CStyleCastExpr) w->some = true;
    } else if (k == CXCursor_CallExpr && rg__unit_function(b->u, b->c->getCursorReferenced(c)) < 0) {
        for (int i = 0; i < kids.n; i++) w->some = w->some || leads_to(w, b->c->getCursorType(kids.items[i]));
    }
}

/* Does another member lie on it, as in a union? */
static bool overlaps(const struct rg_struct *s, const struct rg_field *f)
{
    for (int i = 0; i < s->n_fields; i++) {
        const struct rg_field *o = &s->fields[i];
        if (o == f || o->offset >= f->offset + (int64_t)rg_scalar_bytes(f->type)) continue;
        if (o->offset + o->count * (int64_t)rg_scalar_bytes(o->type) > f->offset) return true;
    }
    return false;
}

bool rg__member_unwritten(struct rg__build *b, int structure, const char *member)
{
    const struct rg_struct *s = &b->p->structs[structure];
    struct writes w = {.b = b, .record = s->c_name, .member = member, .bytes = s->bytes};
    const struct rg_field *f = NULL;
    for (int i = 0; i < s->n_fields; i++)
        if (!strcmp(s->fields[i].path, member)) f = &s->fields[i];
    if (!b->in_run || !f || f->count != 1 || overlaps(s, f)) return false;
    for (int i = 0; i < b->u->n_functions && !w.some; i++)
        if (b->in_run[i] && !b->c->Cursor_isNull(b->u->functions[i].body))
            rg__cursor_walk(b->u, b->u->functions[i].body, note, &w);
    return !w.some;
}
