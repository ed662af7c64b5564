/* Initialisers between braces, with and without designators, and compound literals. */
#include "frontend/build.h"
#include <stdlib.h>
#include <string.h>

struct field_place {
    struct rg__build *b;
    const char *name;
    int at, found;
};

static enum CXVisitorResult find_field(CXCursor c, CXClientData data)
{
    struct field_place *f = data;
    if (!strcmp(rg__cursor_name(f->b->u, c, &f->b->p->arena), f->name)) f->found = f->at;
    f->at++;
    return CXVisit_Continue;
}

/* Where the initialiser `.name = x` or `[2] = x` goes; -1 for one that leads deeper. */
static int64_t designated(struct rg__build *b, CXCursor list, const struct rg__children *parts, int tok)
{
    const struct rg__source *s = &b->u->src;
    if (rg__tok_is(s, tok, ".")) {
        struct field_place f = {b, rg__tok_text(s, tok + 1, &b->p->arena), 0, -1};
        if (!rg__tok_is(s, tok + 2, "=")) return -1;
        b->c->Type_visitFields(b->c->getCanonicalType(b->c->getCursorType(list)), find_field, &f);
        return f.found;
    }
    int64_t at;
    return parts->n == 2 && rg__eval_int(b->u, parts->items[0], &at) && at >= 0 && at < 1 << 20 ? at : -1;
}

/* {1, 2}; with designators in the order of the members or elements, zeros between them. */
struct rg_cnode *rg__build_list(struct rg__build *b, CXCursor c)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    struct rg__kids out = {0};
    int64_t at = 0;
    for (int i = 0; i < kids.n; i++) {
        CXCursor value = kids.items[i];
        int tok = rg__tok_from(&b->u->src, rg__cursor_at(b->u, value));
        if (rg__tok_is(&b->u->src, tok, ".") || rg__tok_is(&b->u->src, tok, "[")) {
            struct rg__children parts = rg__cursor_children(b->u, value, &b->p->arena);
            at = parts.n ? designated(b, c, &parts, tok) : -1;
            if (at < 0) {
                free(out.items);
                return rg__verbatim(b, c, "an initialiser with nested designators");
            }
            value = parts.items[parts.n - 1];
        }
        while (out.n <= at) {
            struct rg_cnode *zero = rg_cnode_new(b->t, RG_C_INITLIST, 0); /* {} */
            rg__kids_add(&out, zero);
        }
        out.items[at++] = rg__build_expr(b, value);
    }
    struct rg_cnode *n = rg__kids_node(b->t, RG_C_INITLIST, &out);
    rg__set_type(b, n, c);
    return n;
}

/* (struct v){x, y}: in C++ v{x, y}. */
struct rg_cnode *rg__build_compound(struct rg__build *b, CXCursor c)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    CXType t = b->c->getCursorType(c);
    if (!kids.n || b->c->getCursorKind(kids.items[kids.n - 1]) != CXCursor_InitListExpr || rg__type_is_array(b->u, t))
        return rg__verbatim(b, c, "a compound literal of an array");
    struct rg_cnode *n = rg__build_list(b, kids.items[kids.n - 1]);
    rg__set_type(b, n, c);
    if (n->type != RG_STRUCT) return n->n == 1 ? n->kid[0] : rg__verbatim(b, c, "a compound literal");
    const char *name = rg__plain_type(b, t);
    n->text = rg_arena_strdup(&b->t->arena, strncmp(name, "struct ", 7) ? name : name + 7);
    return n;
}
