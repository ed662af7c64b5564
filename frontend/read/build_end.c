/* Pointer parameters that say where an array ends: `while (x != end) *z++ = *x++;`. Such a one leads to no memory of
 * its own; how many elements are before it is a size, `x.count`, and the parameter is the pointer x + x.count.
 * Which of two that are compared it is, the steps and comparisons say. One through which memory is accessed as well
 * (`*--end`) is such only where a loop goes on until it meets the other. */
#include "frontend/read/build_end.h"
#include "frontend/read/build_flat.h"
#include "frontend/read/end_flow.h"
#include <string.h>

struct ends {
    struct rg__build *b;
    struct rg__end_flow flow;
    CXCursor decl[RG__END_PARAMS];
    struct element { /* of the array that each may lead to */
        bool any, is_const;
        const char *type;
    } elem[RG__END_PARAMS];
};

static void find_element(struct ends *e, int i)
{
    struct rg__build *b = e->b;
    CXType t = b->c->getCanonicalType(b->c->getCursorType(e->decl[i]));
    if (!rg__type_is_pointer(b->u, t)) return;
    CXType to = b->c->getPointeeType(t);
    enum rg_scalar s;
    if (!rg__type_scalar(b->u, to, &s) && (b->setup || !rg__type_is_record(b->u, to))) return;
    if (b->c->isVolatileQualifiedType(to)) return;
    if (rg__flat_is(b, to)) return; /* its members are the parameters */
    e->elem[i] = (struct element){true, b->c->isConstQualifiedType(to), rg__plain_type(b, to)};
}

/* Can the parameter be a place in the array of the other, as far as it itself is concerned? */
static bool may_end(const struct ends *e, int end, int of)
{
    const struct element *x = &e->elem[end], *y = &e->elem[of];
    const struct rg__end_facts *f = &e->flow.of[end];
    if (end == of || !x->any || !y->any || strcmp(x->type, y->type) != 0 || f->unknown) return false;
    if (!f->read) return true;
    bool bound = false;
    for (int i = 0; i < e->flow.n; i++) bound |= f->meets[i] & RG__BOUND_BY;
    return bound && (x->is_const || !y->is_const);
}

static bool below(const struct ends *e, int low, int high)
{
    int says = e->flow.of[low].below[high] - e->flow.of[high].below[low];
    return says ? says > 0 : e->flow.of[low].read && !e->flow.of[high].read;
}

/* All that are compared with one another, directly or not, and so lead into one array. */
static unsigned together(const struct ends *e, int of)
{
    unsigned all = 1u << of, before = 0;
    while (all != before) {
        before = all;
        for (int i = 0; i < e->flow.n; i++)
            for (int k = 0; k < e->flow.n && all >> i & 1; k++) all |= e->flow.of[i].meets[k] ? 1u << k : 0;
    }
    return all;
}

/* Where does the array begin that the parameter leads into? -1: nothing says so. */
static int start_among(const struct ends *e, int end)
{
    unsigned all = together(e, end);
    int start = -1;
    for (int i = 0; i < e->flow.n; i++) {
        if (!(all >> i & 1)) continue;
        bool lowest = true, ends = false;
        for (int k = 0; k < e->flow.n; k++) {
            if (k == i || !(all >> k & 1)) continue;
            if (e->flow.of[i].meets[k] && below(e, k, i)) ends = true;
            lowest &= may_end(e, k, i);
        }
        if (ends) continue;
        if (!lowest || start >= 0) return -1;
        start = i;
    }
    return start == end ? -1 : start;
}

/* One through which nothing is accessed is a place in the one array that it is compared with, whatever that is compared
 * with besides. */
static int start_beside(const struct ends *e, int end)
{
    int start = -1;
    for (int i = 0; i < e->flow.n && !e->flow.of[end].read; i++) {
        if (!e->flow.of[end].meets[i] || !e->flow.of[i].read) continue;
        if (start >= 0) return -1;
        start = i;
    }
    return start >= 0 && may_end(e, end, start) && !below(e, end, start) ? start : -1;
}

struct rg__end_of *rg__array_ends(struct rg__build *b, const struct rg__function *f)
{
    struct rg__children kids = rg__cursor_children(b->u, f->cursor, &b->p->arena);
    struct ends *e = rg_arena_alloc(&b->p->arena, sizeof *e);
    struct rg__end_of *all = rg_arena_alloc(&b->p->arena, ((size_t)kids.n + 1) * sizeof *all);
    int n = 0;
    *e = (struct ends){.b = b};
    for (int i = 0; i < kids.n; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        if (n < RG__END_PARAMS) e->decl[n] = kids.items[i];
        all[n++] = (struct rg__end_of){.array = -1};
    }
    int pointers = 0;
    for (int i = 0; i < n && i < RG__END_PARAMS; i++) find_element(e, i), pointers += e->elem[i].any;
    if (pointers < 2) return all;
    rg__end_flow(b, f, &e->flow);
    for (int i = 0; i < e->flow.n; i++)
        if ((all[i].array = start_among(e, i)) < 0) all[i].array = start_beside(e, i);
    for (int i = 0; i < e->flow.n; i++)
        if (all[i].array >= 0 && all[all[i].array].array >= 0) all[i].array = -1; /* where that begins is elsewhere */
    for (int i = 0; i < e->flow.n; i++)
        for (int k = 0; k < e->flow.n; k++)
            if (all[i].array >= 0 && all[i].array == all[k].array && e->flow.of[i].below[k] > e->flow.of[k].below[i])
                all[i].below |= 1u << k, all[i].needs |= e->flow.of[i].needs & 1u << k;
    return all;
}

CXCursor rg__start_of_end(const struct rg__build *b, CXCursor param)
{
    for (int i = 0; i < b->n_args; i++)
        if (b->args[i].end_of >= 0 && b->c->equalCursors(b->args[i].decl, param))
            return b->args[b->args[i].end_of].decl;
    return param;
}

bool rg__has_end(const struct rg__build *b, int param)
{
    for (int i = 0; i < b->n_args; i++)
        if (b->args[i].end_of >= 0 && b->args[b->args[i].end_of].param == param) return true;
    return false;
}

/* The size that it stands for: `x.count`, or `middle.count` and `last.count` where there are several. */
static int count_param(struct rg__build *b, int arg, const char *end)
{
    struct rg_arena *a = &b->p->arena;
    const int parent = b->args[b->args[arg].end_of].param;
    const char *name = b->p->params[parent].name, *shown = rg_param_shown(&b->p->params[parent]);
    for (int i = 0; i < b->n_args; i++)
        if (i != arg && b->args[i].end_of == b->args[arg].end_of) name = shown = end;
    struct rg_param *p = rg__add_param(b, "", RG_PARAM_SCALAR, RG_ORIGIN_GLOBAL);
    int index = b->p->n_params - 1,
        v = rg__c_add_var(b->t, rg_arena_printf(a, "%s_count", name), RG_CVAR_PARAM, RG_LONG);
    b->t->vars[v].param = index;
    p->name = rg_arena_strdup(a, b->t->vars[v].name);
    p->c_name = rg_arena_printf(a, "%s.count", shown);
    p->elem = RG_LONG;
    p->elem_bytes = (int64_t)rg_scalar_bytes(RG_LONG);
    p->c_elem = rg_scalar_c(RG_LONG);
    p->c_decl = rg_arena_printf(a, "%s %s", p->c_elem, p->name);
    p->indirect = true;
    b->origins[index].layout = RG__COUNT;
    b->origins[index].parent = parent;
    b->origins[index].member = end;
    return v;
}

/* What goes on until it is at the other place has a meaning in that order alone. */
static void in_order(struct rg__build *b, int low, int high)
{
    struct rg_cnode *side[2] = {NULL, NULL};
    for (int v = 0; v < b->t->n_vars; v++)
        for (int k = 0; k < 2 && b->t->vars[v].kind == RG_CVAR_PARAM; k++)
            if (b->t->vars[v].param == b->args[k ? high : low].count) side[k] = rg__c_var(b->t, v);
    const struct rg_expr *e =
        side[0] && side[1] ? rg__c_to_expr(b->t, rg__c_binary(b->t, RG_COP_LE, side[0], side[1]), &b->p->arena) : NULL;
    if (!e) return;
    RG_GROW(b->asserted, b->n_asserted, b->cap_asserted);
    b->asserted[b->n_asserted++] = e;
}

void rg__bind_end(struct rg__build *b, CXCursor param, int arg)
{
    const uint32_t key = rg__decl_key(b->u, param);
    const char *name = rg__cursor_name(b->u, param, &b->p->arena);
    int parent = b->args[b->args[arg].end_of].param, v = count_param(b, arg, name), off = v;
    b->args[arg].count = b->t->vars[v].param;
    if (rg__is_written(b, key)) { /* it steps from there */
        off = rg__c_add_var(b->t, rg_arena_printf(&b->t->arena, "%s_at", name), RG_CVAR_LOCAL, RG_LONG);
        struct rg_cnode *d = rg_cnode_new(b->t, RG_C_DECL, 1);
        d->var = off;
        d->type = RG_LONG;
        d->kid[0] = rg__c_var(b->t, v);
        rg__kids_add(b->prologue, d);
    }
    for (int i = 0; i < b->n_args && i < RG__END_PARAMS; i++) { /* of two that are bound by now */
        if (b->args[i].count < 0) continue;
        if (b->args[arg].needs >> i & 1) in_order(b, arg, i);
        if (b->args[i].needs >> arg & 1) in_order(b, i, arg);
    }
    for (int x = 0; x < b->t->n_arrays; x++) {
        if (b->t->arrays[x].param != parent) continue;
        struct rg__sym *s = rg__sym_add(b, key, RG__SYM_ALIAS);
        s->array = x;
        s->off_var = off;
        s->n_rows = 0;
    }
}
