/* Functions that set up file-scope variables for the one that is meant: `setup(n, x)` allocates and parks, `apply(y)`
 * uses. What is parked is a parameter of the problem; how long it is says the allocation, in terms of what else was
 * parked. The function is read like any other and its tree forgotten: what its file-scope variables came to is noted.
 */
#include "frontend/infer/infer.h"
#include "frontend/read/build_cell.h"
#include "frontend/read/read.h"
#include <stdlib.h>
#include <string.h>

struct reader {
    struct rg__load *l, *m; /* the problem's load; the other function's */
    CXCursor decl;
    const char *name;
};

static struct rg__fact *add_fact(struct reader *r, const char *name)
{
    struct rg__load *l = r->l;
    RG_GROW(l->facts, l->n_facts, l->cap_facts);
    struct rg__fact *f = &l->facts[l->n_facts++];
    *f = (struct rg__fact){.name = rg_arena_strdup(&l->p->arena, name), .decl = r->decl, .function = r->m->function};
    return f;
}

static void note(struct reader *r, const char *name, int array, int var)
{
    const struct rg__build *b = &r->m->b;
    struct rg_arena *a = &r->l->p->arena;
    if (array >= 0) {
        const struct rg_carray *x = &r->m->t->arrays[array];
        if (x->param >= 0 && !x->mallocd)
            add_fact(r, name)->given = rg_arena_strdup(a, rg_param_shown(&r->m->p->params[x->param]));
        for (int d = 0; d < x->n_dims && x->mallocd; d++)
            if (!x->dims[d]) return;
        if (!x->mallocd || x->n_dims > 8) return;
        struct rg__fact *f = add_fact(r, name);
        f->n_dims = x->n_dims;
        for (int d = 0; d < x->n_dims; d++) f->dims[d] = rg_expr_clone(a, x->dims[d]);
        f->filled = rg__writes_array(r->m->t->root, array);
        return;
    }
    for (int i = 0; i < b->n_known; i++) {
        const struct rg_expr *e = b->known[i].var == var ? rg__c_to_expr(r->m->t, b->known[i].value, a) : NULL;
        if (!e) continue;
        add_fact(r, name)->value = e;
        return;
    }
    add_fact(r, name)->filled = true;
}

/* What its parameter `name`, or a member of that, is called by the function that is meant. */
static const char *as_meant(struct reader *r, const char *shown)
{
    const struct rg__load *l = r->l;
    struct rg_arena *a = &r->l->p->arena;
    struct rg__children kids = rg__cursor_children(&l->unit, l->unit.functions[r->m->function].cursor, a);
    for (int i = 0; i < kids.n; i++) {
        if (l->unit.c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        const char *own = rg__cursor_name(&l->unit, kids.items[i], a), *meant;
        size_t n = strlen(own);
        if (strncmp(own, shown, n) != 0 || shown[n] != '.') continue;
        meant = rg__structure_meant(l, kids.items[i]);
        return meant ? rg_arena_printf(a, "%s%s", meant, shown + n) : shown;
    }
    return shown;
}

static void part(void *arg, const char *member, int array, int var)
{
    struct reader *r = arg;
    struct rg_buf name = RG_BUF_INIT;
    rg_buf_printf(&name, "%s.%s", r->name, member);
    note(r, name.data, array, var);
    rg_buf_release(&name);
}

/* The same where pointers are followed by value (build_cell.c): tables whose rows are one block, helpers that allocate.
 */
struct followed {
    struct rg__load *l;
    int from;                  /* facts that were there before */
    const struct rg_ctree *of; /* the attempt that was noted last */
};

static void place(struct reader *r, struct rg_cnode *at, CXType type, const char *name, int depth);

struct fields {
    struct reader *r;
    struct rg_cnode *of;
    const char *name;
    int depth;
};

static enum CXVisitorResult field(CXCursor c, CXClientData data)
{
    struct fields *f = data;
    struct rg__build *b = &f->r->m->b;
    const char *member = rg__cursor_name(b->u, c, &b->p->arena);
    struct rg_cnode *part = rg__bundle_member(b, f->of, member);
    if (part)
        place(f->r, part, b->c->getCursorType(c), rg_arena_printf(&b->p->arena, "%s.%s", f->name, member), f->depth);
    return CXVisit_Continue;
}

/* What a variable, or a member of what is set up, came to. */
static void place(struct reader *r, struct rg_cnode *at, CXType type, const char *name, int depth)
{
    enum { MOST_DEPTH = 6 };
    struct rg__build *b = &r->m->b;
    if (rg__bundle_is(b, at)) {
        struct fields f = {r, at, name, depth + 1};
        if (depth < MOST_DEPTH) b->c->Type_visitFields(b->c->getCanonicalType(type), field, &f);
        return;
    }
    const struct rg__cell *c = rg__cell_named(b, at);
    const struct rg_cnode *v = c && (c->pointer || rg__cell_known(b, c)) ? c->value : NULL;
    while (v && v->kind == RG_C_CAST && v->pointer) v = v->kid[0];
    if (v && rg__is_null_pointer(v)) v = NULL;
    if (v && v->kind == RG_C_VAR && v->array >= 0)
        note(r, name, v->array, -1);
    else if (v && v->op == RG_COP_ADDRESS && rg__bundle_is(b, v->kid[0]))
        place(r, v->kid[0], b->c->getPointeeType(b->c->getCanonicalType(type)), name, depth + 1);
    else if (v && !v->pointer) {
        struct rg__fact *f = add_fact(r, name);
        f->value = rg__c_size_expr(r->m->t, v, &r->l->p->arena);
        f->filled = !f->value;
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
    r->name = rg__cursor_name(b->u, d, &r->l->p->arena);
    if (s && s->kind == RG__SYM_VAR) place(r, rg__c_var(b->t, s->var), b->c->getCursorType(d), r->name, 0);
    return CXChildVisit_Continue;
}

/* What its parameters lead to. */
static void arguments(struct reader *r)
{
    struct rg__build *b = &r->m->b;
    struct rg__children kids = rg__cursor_children(b->u, b->u->functions[r->m->function].cursor, &b->p->arena);
    for (int i = 0; i < kids.n; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        const struct rg__sym *s = rg__sym_find(b, rg__decl_key(b->u, kids.items[i]));
        const char *name = rg__structure_meant(r->l, kids.items[i]);
        if (!s || s->kind != RG__SYM_VALUE || s->value->op != RG_COP_ADDRESS || !name) continue;
        r->decl = b->c->getNullCursor();
        place(r, s->value->kid[0], b->c->getPointeeType(b->c->getCanonicalType(b->c->getCursorType(kids.items[i]))),
              name, 0);
    }
}

static void note_followed(void *arg, struct rg__load *m)
{
    struct followed *f = arg;
    struct reader r = {.l = f->l, .m = m};
    f->l->n_facts = f->from; /* of an attempt before */
    f->of = m->t;
    m->unit.c->visitChildren(m->unit.c->getTranslationUnitCursor(m->unit.tu), variable, &r);
    arguments(&r);
}

static int writes_of(const struct rg_cnode *n, int array)
{
    if (!n) return 0;
    bool sets = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS;
    int count = n->kind == RG_C_VERBATIM || (n->pointer && n->array == array) ||
                (sets && n->kid[0]->kind == RG_C_INDEX && n->kid[0]->array == array);
    for (int i = 0; i < n->n; i++) count += writes_of(n->kid[i], array);
    return count;
}

/* The same of a member of the structures in an array. */
static int member_writes(const struct rg_cnode *n, const struct rg_cnode *member)
{
    if (!n) return 0;
    bool sets = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS;
    const struct rg_cnode *to = sets ? n->kid[0] : NULL;
    bool whole = to && to->kind == RG_C_INDEX && to->array == member->kid[0]->array;
    bool same =
        to && to->kind == RG_C_MEMBER && to->kid[0]->kind == RG_C_INDEX && to->text && !strcmp(to->text, member->text);
    int count = n->kind == RG_C_VERBATIM || n->kind == RG_C_CALL || whole || same;
    for (int i = 0; i < n->n; i++) count += member_writes(n->kid[i], member);
    return count;
}

/* What `to` is called by the function that is meant, where it is a number that is set this once; NULL. */
static const char *set_once(struct reader *r, const struct rg_cnode *to)
{
    struct rg_arena *a = &r->l->p->arena;
    const struct rg__load *m = r->m;
    const char *member = NULL;
    const struct rg_cnode *e = to;
    if (to->kind == RG_C_MEMBER) {
        if (!to->text || to->n != 1 || member_writes(m->t->root, to) != 1) return NULL;
        member = to->text;
        e = to->kid[0];
    } else if (to->kind != RG_C_INDEX || writes_of(m->t->root, to->array) != 1) {
        return NULL;
    }
    int q = e->kind == RG_C_INDEX ? m->t->arrays[e->array].param : -1;
    if (q < 0 || to->pointer) return NULL;
    const char *shown = rg_param_shown(&m->p->params[q]);
    return as_meant(r, member ? rg_arena_printf(a, "%s.%s", shown, member) : shown);
}

/* Numbers that it sets once, in any case: real ones to a number that stands there, of which sizes may be made, integers
 * to something of its parameters. */
static void note_numbers(struct reader *r, const struct rg_cnode *block)
{
    struct rg__load *l = r->l;
    const struct rg__load *m = r->m;
    for (int i = 0; i < block->n; i++) {
        const struct rg_cnode *s = block->kid[i];
        const struct rg_cnode *a = s->kind == RG_C_STMT && s->kid[0]->op == RG_COP_SET ? s->kid[0] : NULL;
        if (s->kind == RG_C_BLOCK) note_numbers(r, s);
        if (rg__mentions_kind(s, RG_C_RETURN) || rg__mentions_kind(s, RG_C_VERBATIM)) return;
        const char *name = a ? set_once(r, a->kid[0]) : NULL;
        if (!name) continue;
        if (rg__scalar_is_int(a->kid[0]->type)) {
            const struct rg_expr *value = rg__c_size_expr(m->t, rg__expand_known(&r->m->b, a->kid[1]), &l->p->arena);
            if (value) add_fact(r, name)->value = value;
            continue;
        }
        if (a->kid[0]->kind != RG_C_INDEX) continue;
        const struct rg_carray *x = &m->t->arrays[a->kid[0]->array];
        const struct rg_cnode *v = rg__c_uncast(a->kid[1], RG__C_CASTS);
        bool minus = v->kind == RG_C_UNARY && v->op == RG_COP_NEG;
        if (minus) v = rg__c_uncast(v->kid[0], RG__C_CASTS);
        bool number = v->kind == RG_C_REAL || v->kind == RG_C_INT;
        if ((x->elem != RG_F32 && x->elem != RG_F64) || !number) continue;
        double value = v->kind == RG_C_INT ? (double)v->ivalue : v->rvalue;
        RG_GROW(l->init_reals, l->n_init_reals, l->cap_init_reals);
        l->init_reals[l->n_init_reals++] = (struct rg__init_real){
            m->function, rg_arena_strdup(&l->p->arena, m->p->params[x->param].name), minus ? -value : value};
    }
}

void rg__init_stated(struct rg__load *l, int function, const char *name, struct rg_param *q)
{
    bool real = q->kind == RG_PARAM_SCALAR && (q->elem == RG_F32 || q->elem == RG_F64);
    for (int i = 0; i < l->n_init_reals && real && q->input.kind == RG_INPUT_INIT; i++)
        if (l->init_reals[i].function == function && !strcmp(l->init_reals[i].name, name)) {
            q->input.n_args = 1;
            q->input.int_args[0] = NULL;
            q->input.real_args[0] = l->init_reals[i].value;
        }
}

/* Does a parameter of it lead to a structure of the function that is meant? */
static bool leads_to_structures(const struct rg__load *l, int function)
{
    struct rg__children kids =
        rg__cursor_children(&l->unit, l->unit.functions[function].cursor, (struct rg_arena *)&l->dirs.arena);
    for (int i = 0; i < kids.n; i++)
        if (l->unit.c->getCursorKind(kids.items[i]) == CXCursor_ParmDecl && rg__structure_meant(l, kids.items[i]))
            return true;
    return false;
}

/* What the function leaves in file-scope variables, and in structures that it is given, as far as it can be read. */
void rg__read_facts(struct rg__load *l, int function)
{
    struct rg_error ignored = RG_ERROR_INIT;
    struct rg__load m = {.o = l->o, .unit = l->unit, .p = rg_problem_new(), .function = function, .err = &ignored};
    m.b.setup = true;
    m.p->function = l->unit.functions[function].name;
    struct followed followed = {l, l->n_facts, NULL};
    m.objects = note_followed;
    m.objects_arg = &followed;
    m.sizes_stay = true;
    m.follow = leads_to_structures(l, function);
    bool read = rg__read_body(&m) == RG_OK;
    if (followed.of != m.t) l->n_facts = followed.from;
    struct reader numbers = {l, &m, l->unit.c->getNullCursor(), NULL};
    if (read && m.t->root && !rg__is_verbatim(&m)) note_numbers(&numbers, m.t->root);
    if (read && followed.of != m.t)
        for (int i = 0; i < m.b.n_own; i++) {
            const struct rg__own *o = &m.b.own[i];
            const struct rg__sym *s = rg__sym_find(&m.b, o->key);
            struct reader r = {l, &m, o->decl, rg__cursor_name(&l->unit, o->decl, &l->p->arena)};
            if (!s) continue;
            if (s->kind == RG__SYM_ARRAY)
                note(&r, r.name, s->array, -1);
            else if (s->kind == RG__SYM_ALIAS && o->whole >= 0)
                note(&r, r.name, o->whole, -1);
            else if (s->kind == RG__SYM_VAR && rg__type_is_record(&l->unit, l->unit.c->getCursorType(o->decl)))
                rg__bundle_parts(&m.b, s->var, part, &r);
            else if (s->kind == RG__SYM_VAR)
                note(&r, r.name, -1, s->var);
        }
    for (int i = 0; i < m.p->n_params; i++) { /* arrays with a size of their own, and numbers it sets now and then */
        struct reader r = {l, &m, l->unit.c->getNullCursor(), NULL};
        for (int x = 0; x < m.t->n_arrays && m.p->params[i].origin == RG_ORIGIN_GLOBAL; x++)
            if (m.t->arrays[x].param == i && m.t->arrays[x].mallocd)
                note(&r, as_meant(&r, rg_param_shown(&m.p->params[i])), x, -1);
            else if (m.t->arrays[x].param == i && rg__writes_array(m.t->root, x))
                add_fact(&r, as_meant(&r, rg_param_shown(&m.p->params[i])))->filled = true;
    }
    rg__build_release(&m.b);
    rg_problem_free(m.p);
    rg_ctree_free(m.t);
}

const struct rg__fact *rg__fact_of(const struct rg__load *l, int function, const char *name)
{
    for (int i = 0; i < l->n_facts; i++)
        if (l->facts[i].function == function && !strcmp(l->facts[i].name, name)) return &l->facts[i];
    return NULL;
}

static bool is_name(const struct rg_expr *e, const char *name)
{
    return e && e->kind == RG_EXPR_NAME && !strcmp(e->name, name);
}

int rg__parked_in(const struct rg__load *l, int function, const char *name)
{
    for (int i = 0; i < l->n_facts; i++) {
        const struct rg__fact *f = &l->facts[i];
        bool number = is_name(f->value, name), pointer = f->given && !strcmp(f->given, name);
        int q = f->function == function && (number || pointer) ? rg__param_named(l->p, f->name) : -1;
        if (q >= 0 && (pointer || l->p->params[q].kind == RG_PARAM_SCALAR)) return q;
    }
    return -1;
}

int rg__stands_for(const struct rg__load *l, int function, const char *name)
{
    int q = rg__parked_in(l, function, name);
    return q >= 0 ? q : rg__param_named(l->p, name);
}

/* A number that is parked and not used still says how long arrays are. */
static int size_of(struct rg__load *l, int function, const char *name)
{
    int q = rg__stands_for(l, function, name);
    for (int i = 0; i < l->n_facts && q < 0; i++) {
        const struct rg__fact *f = &l->facts[i];
        if (f->function == function && is_name(f->value, name) && !strchr(f->name, '.') &&
            rg__build_global(&l->b, f->decl))
            q = rg__param_named(l->p, f->name);
    }
    bool size = q >= 0 && l->p->params[q].kind == RG_PARAM_SCALAR && rg__scalar_is_int(l->p->params[q].elem);
    return size ? q : -1;
}

struct renaming {
    struct rg__load *l;
    int function;
    bool failed;
};

static void rename(struct renaming *r, struct rg_expr *e)
{
    if (e->kind == RG_EXPR_NAME) {
        int q = size_of(r->l, r->function, e->name);
        if (q < 0)
            r->failed = true;
        else
            e->name = r->l->p->params[q].name;
    }
    for (int k = 0; k < e->n_args; k++) rename(r, e->args[k]);
}

static void extent(struct rg__load *l, int param, const struct rg__fact *f)
{
    struct renaming r = {l, f->function, false};
    const struct rg_expr **dims = rg_arena_alloc(&l->p->arena, 8 * sizeof *dims);
    for (int d = 0; d < f->n_dims; d++) {
        struct rg_expr *e = rg_expr_clone(&l->p->arena, f->dims[d]);
        rename(&r, e);
        dims[d] = e;
    }
    struct rg_param *q = &l->p->params[param];
    if (r.failed || q->n_dims != f->n_dims) return;
    q->dims = dims;
    for (int a = 0; a < l->t->n_arrays; a++)
        if (l->t->arrays[a].param == param) l->t->arrays[a].dims = dims;
}

static bool missing(const struct rg__load *l, int param)
{
    const struct rg_param *q = &l->p->params[param];
    if (q->kind != RG_PARAM_ARRAY || q->origin != RG_ORIGIN_GLOBAL) return false;
    for (int d = 0; d < q->n_dims; d++)
        if (!q->dims[d]) return true;
    return false;
}

/* ---- integers that it sets: their values follow ---- */

/* The integer that says a parameter of the set-up function: the function's own of that name, or the first that it is
 * parked in; -1. */
static int size_said(const struct rg__load *l, int function, const char *name)
{
    int q = rg__param_named(l->p, name);
    if (q >= 0 && l->p->params[q].origin != RG_ORIGIN_ARG) q = -1;
    for (int i = 0; i < l->p->n_params && q < 0; i++) {
        const struct rg__fact *f = rg__fact_of(l, function, rg_param_shown(&l->p->params[i]));
        if (f && is_name(f->value, name)) q = i;
    }
    bool size = q >= 0 && l->p->params[q].kind == RG_PARAM_SCALAR && rg__scalar_is_int(l->p->params[q].elem);
    return size ? q : -1;
}

static bool over_sizes(const struct rg__load *l, int function, int param, struct rg_expr *e)
{
    int q = e->kind == RG_EXPR_NAME ? size_said(l, function, e->name) : -1;
    if (e->kind == RG_EXPR_NAME && (q < 0 || q == param)) return false;
    if (q >= 0) e->name = l->p->params[q].name;
    for (int k = 0; k < e->n_args; k++)
        if (!over_sizes(l, function, param, e->args[k])) return false;
    return true;
}

static void follow_sizes(struct rg__load *l, int function)
{
    for (int i = 0; i < l->p->n_params; i++) {
        struct rg_param *q = &l->p->params[i];
        if (q->kind != RG_PARAM_SCALAR || q->origin != RG_ORIGIN_GLOBAL || !rg__scalar_is_int(q->elem)) continue;
        bool goes = false; /* with others, which is required */
        for (int k = 0; k < l->n_ties; k++) goes = goes || l->ties[k].param == i;
        const struct rg__fact *f = goes ? NULL : rg__fact_of(l, function, rg_param_shown(q));
        struct rg_expr *e =
            f && f->value && f->value->kind != RG_EXPR_INT ? rg_expr_clone(&l->p->arena, f->value) : NULL;
        if (e && over_sizes(l, function, i, e)) q->follows = e;
    }
}

static void a_name(void *arg, const char *name)
{
    (void)name;
    *(bool *)arg = false;
}

/* The size at which a function happens to set things up says nothing of others. */
static bool all_numbers(const struct rg__fact *f)
{
    bool numbers = true;
    for (int d = 0; d < f->n_dims; d++) rg_expr_names(f->dims[d], a_name, &numbers);
    return numbers;
}

struct own_names {
    struct rg__load *l;
    int not, n;
    bool failed;
};

static void own_names(struct own_names *x, struct rg_expr *e)
{
    x->failed |= e->kind == RG_EXPR_CALL || e->kind == RG_EXPR_REAL; /* whole parts of real numbers */
    if (e->kind == RG_EXPR_NAME) {
        int q = rg__param_named(x->l->p, e->name);
        const struct rg_param *p = q >= 0 ? &x->l->p->params[q] : NULL;
        x->failed |= !p || q == x->not || p->kind != RG_PARAM_SCALAR || !rg__scalar_is_int(p->elem);
        if (!x->failed) e->name = p->name, x->n++;
    }
    for (int k = 0; k < e->n_args; k++) own_names(x, e->args[k]);
}

/* nx, nx*ny: what bounds and strides are made of. Others say more as a number of their own. */
static bool is_product(const struct rg_expr *e)
{
    return e->kind == RG_EXPR_NAME ||
           (e->kind == RG_EXPR_BINARY && e->op == RG_OP_MUL && is_product(e->args[0]) && is_product(e->args[1]));
}

/* A member that init makes of its parameters, by whose names the function has sizes of its own: `run(s, nx, ny)` beside
 * `create(s, nx, ny)`, which sets s->nx. They go together; the problem requires it. */
static void tie(struct rg__load *l, const struct rg__fact *f)
{
    struct rg_problem *p = l->p;
    int q = f->value && strchr(f->name, '.') ? rg__param_named(p, f->name) : -1;
    if (q < 0 || p->params[q].kind != RG_PARAM_SCALAR || p->params[q].origin != RG_ORIGIN_GLOBAL ||
        !rg__scalar_is_int(p->params[q].elem))
        return;
    struct rg_expr *e = rg_expr_clone(&p->arena, f->value);
    struct own_names x = {.l = l, .not = q};
    own_names(&x, e);
    if (x.failed || !x.n || !is_product(e)) return; /* others follow from the sizes, but any call may have its own */
    RG_GROW(l->ties, l->n_ties, l->cap_ties);
    l->ties[l->n_ties++] = (struct rg__tie){q, e};
    struct rg_expr *is = rg_arena_alloc(&p->arena, sizeof *is), *name = rg_arena_alloc(&p->arena, sizeof *name);
    *name = (struct rg_expr){.kind = RG_EXPR_NAME, .name = p->params[q].name};
    *is = (struct rg_expr){.kind = RG_EXPR_BINARY, .op = RG_OP_EQ, .n_args = 2};
    is->args = rg_arena_alloc(&p->arena, 2 * sizeof *is->args);
    is->args[0] = name;
    is->args[1] = e;
    rg__add_require(p, is);
}

static void put(struct rg_expr *e, const char *name, const struct rg_expr *value)
{
    if (e->kind == RG_EXPR_NAME && !strcmp(e->name, name)) {
        *e = *value;
        return;
    }
    for (int k = 0; k < e->n_args; k++) put(e->args[k], name, value);
}

static const struct rg_expr **tied_dims(struct rg__load *l, const struct rg_expr *const *dims, int n)
{
    const struct rg_expr **own = rg_arena_alloc(&l->p->arena, ((size_t)n + 1) * sizeof *own);
    for (int d = 0; d < n; d++) {
        struct rg_expr *e = dims[d] ? rg_expr_clone(&l->p->arena, dims[d]) : NULL;
        for (int i = 0; i < l->n_ties && e; i++) put(e, l->p->params[l->ties[i].param].name, l->ties[i].value);
        own[d] = e;
    }
    return own;
}

void rg__tie_tree(struct rg__load *l)
{
    struct rg_ctree *t = l->t;
    for (int i = 0; i < l->p->n_params && l->n_ties; i++) {
        struct rg_param *q = &l->p->params[i];
        if (q->n_dims) q->dims = tied_dims(l, q->dims, q->n_dims);
    }
    for (int a = 0; a < t->n_arrays && l->n_ties; a++)
        if (t->arrays[a].n_dims) t->arrays[a].dims = tied_dims(l, t->arrays[a].dims, t->arrays[a].n_dims);
    for (int i = 0; i < l->n_ties; i++)
        for (int v = 0; v < t->n_vars; v++) {
            if (t->vars[v].kind != RG_CVAR_PARAM || t->vars[v].param != l->ties[i].param || t->vars[v].assigned)
                continue;
            struct rg_cnode *is = rg__c_cast(t, rg__c_from_expr(t, l->ties[i].value), t->vars[v].type);
            t->root = rg__c_replace_var(t, t->root, v, is);
        }
}

void rg__tie_sizes(const struct rg__load *l, int64_t *values)
{
    const struct rg_problem *p = l->p;
    const struct rg_sizes z = {.values = values};
    struct rg_problem_env env;
    rg_problem_env_init(&env, p, &z);
    for (int i = 0; i < l->n_ties; i++)
        for (int k = 0; k < p->n_size_params; k++) {
            int64_t v;
            if (p->size_params[k] == l->ties[i].param && rg_expr_eval(l->ties[i].value, &env.env, &v, NULL) == RG_OK)
                values[k] = v;
        }
}

void rg__read_setup(struct rg__load *l)
{
    int init = -1, n_params = l->p->n_params;
    bool any = false;
    for (int i = 0; i < l->dirs.n; i++)
        if (l->dirs.items[i].kind == RG__DIR_INIT) init = rg__unit_function_named(&l->unit, l->dirs.items[i].text);
    for (int i = 0; i < n_params; i++) any |= missing(l, i);
    if (init >= 0) rg__read_facts(l, init);
    bool *read = rg_xcalloc((size_t)l->unit.n_functions + 1, sizeof *read);
    rg__find_inits(l, read);
    for (int f = 0; f < l->unit.n_functions && any && init < 0; f++) /* whoever sets them up */
        if (f != l->function && !read[f] && !(l->b.in_run && l->b.in_run[f]) &&
            !(l->unit.functions[f].called && l->unit.functions[f].is_static) &&
            !rg__unit_linked(&l->unit, l->unit.functions[f].at))
            rg__read_facts(l, f);
    free(read);
    for (int i = 0; i < n_params; i++)
        for (int k = 0; k < l->n_facts && missing(l, i); k++)
            if (l->facts[k].n_dims && (init >= 0 || !all_numbers(&l->facts[k])) &&
                !strcmp(l->facts[k].name, rg_param_shown(&l->p->params[i])))
                extent(l, i, &l->facts[k]);
    for (int k = 0; k < l->n_facts && init >= 0; k++)
        if (l->facts[k].function == init) tie(l, &l->facts[k]);
    if (init >= 0) follow_sizes(l, init);
    for (int k = 0; k < l->n_facts && init >= 0; k++) { /* what it always sets to one number */
        const struct rg_expr *v = l->facts[k].value;
        int q = v && v->kind == RG_EXPR_INT ? rg__param_named(l->p, l->facts[k].name) : -1;
        if (q >= 0 && l->p->params[q].kind == RG_PARAM_SCALAR && l->p->params[q].origin == RG_ORIGIN_GLOBAL)
            l->p->params[q].input.text = rg_arena_printf(&l->p->arena, "constant(%lld)", (long long)v->value);
    }
}
