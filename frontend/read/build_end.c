/* Pointer parameters that say where an array ends: `while (x != end) *z++ = *x++;`. Such a one leads to no memory of
 * its own; how many elements are before it is a size, `x.count`, and the parameter is the pointer x + x.count. */
#include "frontend/read/build.h"
#include <string.h>

struct uses {
    struct rg__build *b;
    uint32_t key;       /* of the parameter asked about */
    int all, compared;  /* its uses; those that compare it with a pointer to one array or subtract it */
    uint32_t of;        /* the parameter that leads to that array; 0: none yet */
    bool several, down; /* it is one of several; some pointer to it goes down, so that the other may be its start */
};

/* The parameter that a walking pointer starts from: itself, or what a local pointer is declared with. */
static bool start_of(const struct uses *u, CXCursor e, uint32_t *key)
{
    struct rg__build *b = u->b;
    for (int depth = 0; depth < 4; depth++) {
        e = rg__strip_parens(b, e);
        if (b->c->getCursorKind(e) == CXCursor_UnaryOperator) {
            struct rg__children kids = rg__cursor_children(b->u, e, &b->p->arena);
            if (kids.n != 1 || !rg__type_is_pointer(b->u, b->c->getCursorType(e))) return false;
            e = rg__strip_parens(b, kids.items[0]);
        }
        if (b->c->getCursorKind(e) != CXCursor_DeclRefExpr) return false;
        CXCursor d = b->c->getCursorReferenced(e);
        if (!rg__type_is_pointer(b->u, b->c->getCursorType(d))) return false;
        if (b->c->getCursorKind(d) == CXCursor_ParmDecl) {
            *key = rg__decl_key(b->u, d);
            return *key != u->key;
        }
        struct rg__children kids = rg__cursor_children(b->u, d, &b->p->arena);
        if (b->c->getCursorKind(d) != CXCursor_VarDecl || !kids.n) return false;
        e = kids.items[kids.n - 1];
    }
    return false;
}

static bool names(const struct uses *u, CXCursor e)
{
    e = rg__strip_parens(u->b, e);
    return u->b->c->getCursorKind(e) == CXCursor_DeclRefExpr &&
           rg__decl_key(u->b->u, u->b->c->getCursorReferenced(e)) == u->key;
}

static void note_use(void *arg, CXCursor x)
{
    static const char *const compares[] = {"!=", "==", "<", ">", "<=", ">=", "-"};
    struct uses *u = arg;
    struct rg__build *b = u->b;
    enum CXCursorKind k = b->c->getCursorKind(x);
    u->all += k == CXCursor_DeclRefExpr && names(u, x);
    if (k == CXCursor_UnaryOperator && rg__type_is_pointer(b->u, b->c->getCursorType(x))) {
        int from = rg__tok_from(&b->u->src, rg__cursor_at(b->u, x)),
            behind = rg__tok_from(&b->u->src, rg__cursor_end(b->u, x));
        u->down |= rg__tok_is(&b->u->src, from, "--") || (behind > 0 && rg__tok_is(&b->u->src, behind - 1, "--"));
    }
    struct rg__children kids =
        k == CXCursor_BinaryOperator ? rg__cursor_children(b->u, x, &b->p->arena) : (struct rg__children){0};
    for (int side = 0; side < 2 && kids.n == 2; side++) {
        uint32_t of;
        if (!names(u, kids.items[side]) || !start_of(u, kids.items[1 - side], &of)) continue;
        const char *op = rg__operator_between(b, kids.items[0], kids.items[1]);
        bool compared = false;
        for (size_t i = 0; i < sizeof compares / sizeof *compares; i++) compared |= !strcmp(op, compares[i]);
        if (!compared) continue;
        u->compared++;
        u->several |= u->of && u->of != of;
        u->of = of;
    }
}

int rg__end_of_array(struct rg__build *b, const struct rg__function *f, CXCursor param)
{
    enum rg_scalar mine, other;
    CXType t = b->c->getCursorType(param);
    if (!rg__type_is_pointer(b->u, t) || !rg__type_scalar(b->u, b->c->getPointeeType(b->c->getCanonicalType(t)), &mine))
        return -1;
    struct uses u = {.b = b, .key = rg__decl_key(b->u, param)};
    rg__cursor_walk(b->u, f->body, note_use, &u);
    if (!u.all || u.all != u.compared || u.several || u.down) return -1;
    struct rg__children kids = rg__cursor_children(b->u, f->cursor, &b->p->arena);
    for (int i = 0, arg = 0; i < kids.n; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        CXType s = b->c->getCanonicalType(b->c->getCursorType(kids.items[i]));
        bool same = rg__decl_key(b->u, kids.items[i]) == u.of && rg__type_is_pointer(b->u, s);
        if (same && rg__type_scalar(b->u, b->c->getPointeeType(s), &other) && other == mine) return arg;
        arg++;
    }
    return -1;
}

void rg__bind_end(struct rg__build *b, CXCursor param, int arg)
{
    struct rg_arena *a = &b->p->arena;
    int parent = b->args[b->args[arg].end_of].param;
    const char *of = b->p->params[parent].name;
    struct rg_param *p = rg__add_param(b, "", RG_PARAM_SCALAR, RG_ORIGIN_GLOBAL);
    int index = b->p->n_params - 1, v = rg__c_add_var(b->t, rg_arena_printf(a, "%s_count", of), RG_CVAR_PARAM, RG_LONG);
    b->t->vars[v].param = index;
    p->name = rg_arena_strdup(a, b->t->vars[v].name);
    p->c_name = rg_arena_printf(a, "%s.count", rg_param_shown(&b->p->params[parent]));
    p->elem = RG_LONG;
    p->elem_bytes = (int64_t)rg_scalar_bytes(RG_LONG);
    p->c_elem = rg_scalar_c(RG_LONG);
    p->c_decl = rg_arena_printf(a, "%s %s", p->c_elem, p->name);
    p->indirect = true;
    b->origins[index].layout = RG__COUNT;
    b->origins[index].parent = parent;
    b->origins[index].member = rg__cursor_name(b->u, param, a);
    b->args[arg].count = index;
    for (int x = 0; x < b->t->n_arrays; x++) {
        if (b->t->arrays[x].param != parent) continue;
        struct rg__sym *s = rg__sym_add(b, rg__decl_key(b->u, param), RG__SYM_ALIAS);
        s->array = x;
        s->off_var = v;
        s->n_rows = 0;
    }
}
