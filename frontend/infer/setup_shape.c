/* What a set-up function leaves behind pointers to structures: `net.layer = malloc(n * sizeof *net.layer)` and what
 * each layer gets. The function is read at the numbers that it is timed with (build_fixed.c), pointers followed by
 * value; how many structures there are, which numbers they hold and how long their arrays are is then known by place.
 */
#include "frontend/infer/infer.h"
#include "frontend/read/build_cell.h"
#include "frontend/read/read.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 6 };

struct reader {
    struct rg__load *l; /* of the function that is meant */
    struct rg__load *m; /* of the set-up */
    CXCursor decl;
    bool unknown; /* something there has no fixed shape, or two places lead to one array */
    int n_arrays, cap_arrays;
    int *arrays; /* of the set-up's tree, that a place leads to */
};

static struct rg__shape_of *add(struct reader *r, const char *path)
{
    struct rg__shape *s = r->l->shape;
    RG_GROW(s->of, s->n, s->cap);
    s->of[s->n] = (struct rg__shape_of){.path = rg_arena_strdup(&r->l->dirs.arena, path)};
    return &s->of[s->n++];
}

static void filled(struct reader *r, const char *path)
{
    struct rg__load *l = r->l;
    RG_GROW(l->facts, l->n_facts, l->cap_facts);
    l->facts[l->n_facts++] = (struct rg__fact){
        .name = rg_arena_strdup(&l->dirs.arena, path), .decl = r->decl, .function = r->m->function, .filled = true};
}

static void place(struct reader *r, const struct rg_cnode *at, CXType t, const char *path, int depth);

struct fields {
    struct reader *r;
    const struct rg_cnode *of;
    const char *path, *to;
    int depth;
};

static enum CXVisitorResult field(CXCursor c, CXClientData data)
{
    struct fields *f = data;
    struct rg__build *b = &f->r->m->b;
    const char *name = rg__cursor_name(b->u, c, &b->p->arena);
    struct rg_cnode *part = rg__bundle_member(b, f->of, name);
    if (part)
        place(f->r, part, b->c->getCursorType(c), rg_arena_printf(&b->p->arena, "%s%s%s", f->path, f->to, name),
              f->depth + 1);
    return CXVisit_Continue;
}

static void members(struct reader *r, const struct rg_cnode *of, CXType t, const char *path, const char *to, int depth)
{
    struct fields f = {r, of, path, to, depth};
    const struct rg__clang *c = r->m->b.c;
    c->Type_visitFields(c->getCanonicalType(t), field, &f);
}

/* The structure that a node is the address of, or itself is; NULL. */
static const struct rg_cnode *structure(struct rg__build *b, const struct rg_cnode *n, bool *pointer)
{
    const struct rg__cell *c = rg__cell_named(b, n);
    if (c && c->pointer) n = c->value;
    *pointer = c && c->pointer;
    n = n ? rg__c_uncast(n, RG__C_CASTS) : NULL;
    if (n && n->op == RG_COP_ADDRESS) n = n->kid[0], *pointer = true;
    return n && n->kind == RG_C_VAR && n->array < 0 && rg__bundle_is(b, n) ? n : NULL;
}

struct elements {
    struct reader *r;
    CXType t;
    const char *path;
    int depth;
    int64_t n;
    bool pointers;
};

static void element(void *arg, int i, struct rg_cnode *n)
{
    struct elements *e = arg;
    bool pointer;
    const struct rg_cnode *one = structure(&e->r->m->b, n, &pointer);
    e->n = i + 1;
    e->pointers |= pointer;
    if (!one || pointer != e->pointers)
        e->r->unknown = true;
    else
        members(e->r, one, e->t, rg_arena_printf(&e->r->m->b.p->arena, "%s[%d]", e->path, i), pointer ? "->" : ".",
                e->depth);
}

static void pointer(struct reader *r, const struct rg_cnode *v, CXType t, const char *path, int depth)
{
    struct rg__build *b = &r->m->b;
    bool address;
    while (v->kind == RG_C_CAST && v->pointer) v = v->kid[0];
    CXType to = b->c->getPointeeType(b->c->getCanonicalType(t));
    const struct rg_cnode *one = structure(b, v, &address);
    if (one) {
        add(r, path)->count = 1;
        members(r, one, to, path, "->", depth);
    } else if (v->kind == RG_C_VAR && v->array < 0 && rg__bundle_any(b, v)) {
        if (rg__type_is_pointer(b->u, to)) to = b->c->getPointeeType(b->c->getCanonicalType(to));
        struct elements e = {r, to, path, depth, 0, false};
        int place_at = r->l->shape->n;
        add(r, path);
        rg__bundle_each(b, v, element, &e);
        r->l->shape->of[place_at].count = e.n;
        r->l->shape->of[place_at].pointers = e.pointers;
    } else if (v->kind == RG_C_VAR && v->array >= 0) {
        const struct rg_carray *x = &r->m->t->arrays[v->array];
        struct rg__shape_of of = {.n_dims = x->n_dims};
        for (int d = 0; d < x->n_dims && of.n_dims; d++) {
            const struct rg_expr *e = x->dims[d];
            struct rg_expr_env none = {0};
            if (d == 4 || !e || rg_expr_eval(e, &none, &of.dims[d], NULL) != RG_OK) of.n_dims = 0;
        }
        for (int i = 0; i < r->n_arrays; i++) r->unknown |= r->arrays[i] == v->array;
        RG_GROW(r->arrays, r->n_arrays, r->cap_arrays);
        r->arrays[r->n_arrays++] = v->array;
        if (!x->mallocd || !of.n_dims) return;
        struct rg__shape_of *is = add(r, path);
        of.path = is->path;
        *is = of;
        filled(r, path);
    }
}

static void place(struct reader *r, const struct rg_cnode *at, CXType t, const char *path, int depth)
{
    struct rg__build *b = &r->m->b;
    const struct rg__cell *c = rg__cell_named(b, at);
    int64_t v;
    if (depth > MOST_DEPTH) return;
    if (rg__type_is_pointer(b->u, t)) {
        if (c && c->value && !rg__is_null_pointer(c->value)) pointer(r, c->value, t, path, depth);
    } else if (rg__type_is_record(b->u, t)) {
        members(r, at, t, path, ".", depth);
    } else if (c && c->value && rg__cell_evaluate(c->value, &v)) {
        struct rg__shape_of *is = add(r, path);
        is->number = true;
        is->value = v;
    } else if (c) {
        filled(r, path);
    }
}

static enum CXChildVisitResult variable(CXCursor d, CXCursor parent, CXClientData data)
{
    struct reader *r = data;
    struct rg__build *b = &r->m->b;
    (void)parent;
    if (b->c->getCursorKind(d) != CXCursor_VarDecl) return CXChildVisit_Continue;
    const struct rg__sym *s = rg__sym_find(b, rg__decl_key(b->u, d));
    r->decl = d;
    if (s && s->kind == RG__SYM_VAR)
        place(r, rg__c_var(b->t, s->var), b->c->getCursorType(d), rg__cursor_name(b->u, d, &b->p->arena), 0);
    return CXChildVisit_Continue;
}

static void note(void *arg, struct rg__load *m)
{
    struct reader r = {.l = arg, .m = m};
    struct rg__load *l = r.l;
    const struct rg__follow *f = m->b.follow;
    l->shape->n = l->n_facts = l->n_set = 0; /* of an attempt before */
    m->unit.c->visitChildren(m->unit.c->getTranslationUnitCursor(m->unit.tu), variable, &r);
    if (r.unknown) l->shape->n = l->n_facts = 0;
    free(r.arrays);
    for (int i = 0; i < f->n_fixed; i++) {
        RG_GROW(l->set, l->n_set, l->cap_set);
        l->set[l->n_set++] = (struct rg__set_arg){rg_arena_strdup(&l->dirs.arena, f->fixed[i].name), f->fixed[i].value};
    }
}

static bool leaves_structures(const struct rg__shape *s)
{
    for (int i = 0; i < s->n; i++)
        if (s->of[i].count > 0) return true;
    return false;
}

static bool read_at(struct rg__load *l, int function)
{
    struct rg_error ignored = RG_ERROR_INIT;
    struct rg__load m = {.o = l->o, .unit = l->unit, .dirs = l->dirs, .p = rg_problem_new(), .function = function};
    m.dirs.arena = (struct rg_arena){0}; /* what is noted in l's own meanwhile must not share its memory */
    m.err = &ignored;
    m.sequence = l->sequence;
    m.objects = note;
    m.objects_arg = l;
    m.b.setup = true;
    m.p->function = l->unit.functions[function].name;
    rg__read_body(&m);
    if (m.b.asks && l->err) {
        *l->err = (struct rg_error)RG_ERROR_INIT; /* it would have said what the structures are */
        const struct rg__function *f = &l->unit.functions[function];
        rg_error_at(l->err, RG_INPUT, f->file, f->line, 0, "%s: %s", f->name, m.b.asks);
    }
    rg__build_release(&m.b);
    rg_problem_free(m.p);
    rg_ctree_free(m.t);
    rg_arena_release(&m.dirs.arena);
    l->shape_of = function;
    return leaves_structures(l->shape);
}

bool rg__read_shape(struct rg__load *l)
{
    int init = -1;
    if (!l->shape) l->shape = rg_xcalloc(1, sizeof *l->shape);
    for (int i = 0; i < l->dirs.n; i++)
        if (l->dirs.items[i].kind == RG__DIR_INIT) init = rg__unit_function_named(&l->unit, l->dirs.items[i].text);
    if (init >= 0) return read_at(l, init);
    for (int f = 0; f < l->unit.n_functions; f++) /* whoever sets them up */
        if (f != l->function && !(l->b.in_run && l->b.in_run[f]) && strcmp(l->unit.functions[f].name, "main") != 0 &&
            !(l->unit.functions[f].called && l->unit.functions[f].is_static) &&
            !rg__unit_linked(&l->unit, l->unit.functions[f].at) && read_at(l, f))
            return true;
    return false;
}
