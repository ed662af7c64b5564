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

/* `g.n = (uint16_t)n`: the integer parameter that v is for all values which the type it is cast to holds; NULL. It does
 * not follow from that parameter, as others are no value of it. */
static const char *narrowed(struct reader *r, const struct rg_cnode *v)
{
    while (v && v->kind == RG_C_CAST && v->type == v->kid[0]->type) v = v->kid[0];
    if (!v || v->kind != RG_C_CAST || v->pointer || !rg__scalar_is_int(v->type) || v->type == RG_BOOL) return NULL;
    const struct rg_expr *of = rg__c_to_expr(r->m->t, v->kid[0], &r->l->p->arena);
    int q = of && of->kind == RG_EXPR_NAME ? rg_problem_param(r->m->p, of->name) : -1;
    bool less = q >= 0 && rg_scalar_bytes(r->m->p->params[q].elem) > rg_scalar_bytes(v->type);
    return less ? of->name : NULL;
}

static void number(struct reader *r, const char *name, const struct rg_expr *value, const struct rg_cnode *v)
{
    struct rg__fact *f = add_fact(r, name);
    f->value = value;
    f->filled = !value;
    if (value || !(f->narrowed = narrowed(r, v))) return;
    f->cast = v->type;
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
    const struct rg_cnode *v = NULL;
    const struct rg_expr *e = NULL;
    for (int i = 0; i < b->n_known && !e; i++)
        if (b->known[i].var == var) v = b->known[i].value, e = rg__c_size_expr(r->m->t, v, a);
    number(r, name, e, v);
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
    else if (v && !v->pointer)
        number(r, name, rg__c_size_expr(r->m->t, v, &r->l->p->arena), v);
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

/* Numbers that it sets once, in any case: real ones to a number that stands there, of which sizes may be made, or to
 * one of its parameters, integers to something of its parameters. */
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
            const struct rg_cnode *v = rg__expand_known(&r->m->b, a->kid[1]);
            const struct rg_expr *value = rg__c_size_expr(m->t, v, &l->p->arena);
            if (value || narrowed(r, v)) number(r, name, value, v);
            continue;
        }
        if (a->kid[0]->kind != RG_C_INDEX) continue;
        const struct rg_expr *parked = rg__c_size_expr(m->t, rg__expand_known(&r->m->b, a->kid[1]), &l->p->arena);
        if (parked && parked->kind == RG_EXPR_NAME) number(r, name, parked, a->kid[1]);
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

/* `if (l % 2 || n > MOST) return -1;` in front of all that it does: what must hold for it to set anything up. */
static void note_doors(struct reader *r, const struct rg_cnode *block)
{
    struct rg__load *l = r->l, *m = r->m;
    const int before = m->p->n_require;
    for (int i = 0; i < block->n; i++) {
        const struct rg_cnode *s = block->kid[i], *then = s->kind == RG_C_IF && s->n < 3 ? s->kid[1] : NULL;
        if (s->kind == RG_C_DECL && (!s->n || rg__c_pure(m->t, s->kid[0]))) continue;
        if (then && then->kind == RG_C_BLOCK && then->n == 1) then = then->kid[0];
        if (!then || then->kind != RG_C_RETURN || !rg__c_pure(m->t, s->kid[0])) break;
        rg__guard_against(m, s->kid[0]);
    }
    const int n = m->n_guards + m->p->n_require - before;
    for (int i = 0; i < n; i++) {
        const struct rg_expr *e = i < m->n_guards ? m->guards[i] : m->p->require[before + i - m->n_guards];
        RG_GROW(l->doors, l->n_doors, l->cap_doors);
        l->doors[l->n_doors++] = (struct rg__door){m->function, rg_expr_clone(&l->p->arena, e)};
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
    if (read && m.t->root && !rg__is_verbatim(&m)) {
        note_numbers(&numbers, m.t->root);
        note_doors(&numbers, m.t->root);
    }
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
    free(m.guards);
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
