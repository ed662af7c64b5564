/* File-scope variables that the function sets before it reads them (state_flow.c): in the tree they are locals of the
 * function, whose body and helpers see them alike. A number is a variable, a pointer an alias, a view or the array it
 * was allocated as, a structure its parts. */
#include "frontend/read/build_cell.h"
#include "frontend/read/build_place.h"
#include <stdlib.h>
#include <string.h>

struct rg__own *rg__own_of(const struct rg__build *b, uint32_t key)
{
    for (int i = 0; i < b->n_own; i++)
        if (b->own[i].key == key) return &b->own[i];
    return NULL;
}

struct field {
    const struct rg__build *b;
    uint32_t member;
    bool found;
};

static enum CXVisitorResult field(CXCursor c, CXClientData data)
{
    struct field *f = data;
    f->found |= rg__decl_key(f->b->u, c) == f->member;
    return f->found ? CXVisit_Break : CXVisit_Continue;
}

uint32_t rg__own_with(const struct rg__build *b, uint32_t member)
{
    struct field f = {b, member, false};
    for (int i = 0; i < b->n_own; i++) {
        CXType t = b->c->getCursorType(b->own[i].decl);
        if (rg__type_is_record(b->u, t)) b->c->Type_visitFields(b->c->getCanonicalType(t), field, &f);
        if (f.found) return b->own[i].key;
    }
    return 0;
}

void rg__walk_scope(struct rg__build *b, uint32_t key, void (*fn)(void *arg, CXCursor c), void *arg)
{
    if (!rg__own_of(b, key)) {
        rg__cursor_walk(b->u, b->scope, fn, arg);
        return;
    }
    for (int i = 0; i < b->u->n_functions; i++)
        if (b->in_run[i]) rg__cursor_walk(b->u, b->u->functions[i].body, fn, arg);
}

/* A helper's own tree has no file-scope variables. */
static struct rg__own *own_named(const struct rg__build *b, CXCursor name)
{
    if (b->helper) return NULL;
    CXCursor d = b->c->getCursorReferenced(name), def = b->c->getCursorDefinition(d);
    return rg__own_of(b, rg__decl_key(b->u, b->c->Cursor_isNull(def) ? d : def));
}

static void declare(struct rg__build *b, CXCursor decl, int var)
{
    struct rg_cnode *d = rg_cnode_new(b->t, RG_C_DECL, 1);
    d->n = 0;
    d->var = var;
    d->type = b->t->vars[var].type;
    rg__place_node(b, d, decl);
    rg__kids_add(b->front, d);
}

static bool number(struct rg__build *b, struct rg__own *o, CXType type)
{
    enum rg_scalar s;
    if (!rg__type_scalar(b->u, type, &s)) return false;
    if (o->first && rg__at_file_scope(b, o->decl) && !rg__global_start(b, o->decl)) return false;
    int v = rg__c_add_var(b->t, rg__cursor_name(b->u, o->decl, &b->p->arena), RG_CVAR_LOCAL, s);
    declare(b, o->decl, v);
    bool is_static = b->c->Cursor_getStorageClass(o->decl) == CX_SC_Static;
    if (!b->setup && !o->first && (o->seen || !is_static)) o->cell = rg__global_cell(b, o->decl);
    rg__sym_add(b, o->key, RG__SYM_VAR)->var = v;
    if (b->follow) {
        rg__cell_number(b, v, o->key, b->t->vars[v].name, NULL);
        rg__cell_at(b, v)->set = rg__cell_at(b, v)->starts_set = true;
        if (o->first) rg__cell_set_number(b, v, o->first);
        if (o->first) b->front->items[b->front->n - 1]->kid[0] = o->first, b->front->items[b->front->n - 1]->n = 1;
    }
    return true;
}

/* Allocated once, it is that array: one without a size until its allocation is met. */
static bool allocated(struct rg__build *b, struct rg__own *o)
{
    CXType elem = b->c->getPointeeType(b->c->getCanonicalType(b->c->getCursorType(o->decl)));
    if (o->allocations != 1 || rg__type_is_array(b->u, elem)) return false;
    if (rg__type_is_pointer(b->u, elem)) return true; /* rows: build_decl.c makes the table of it */
    int a = rg__c_add_array(b->t, rg__cursor_name(b->u, o->decl, &b->p->arena), RG_F32);
    if (!rg__set_element(b, a, elem)) return false;
    struct rg_carray *x = &b->t->arrays[a];
    x->mallocd = true;
    x->n_dims = 1;
    x->dims = rg_arena_alloc(&b->t->arena, sizeof *x->dims);
    x->dims[0] = NULL;
    rg__sym_add(b, o->key, RG__SYM_ARRAY)->array = a;
    return true;
}

static bool pointer(struct rg__build *b, struct rg__own *o)
{
    if (o->seen) return false;
    if (o->allocations) return allocated(b, o);
    if (!o->others) return false;
    return rg__alias_declare(b, o->decl, true) || rg__view_declare(b, o->decl, b->c->getNullCursor(), b->front);
}

struct rg__sym *rg__own_declare(struct rg__build *b, CXCursor decl)
{
    struct rg__own *o = rg__own_of(b, rg__decl_key(b->u, decl));
    if (!o || b->helper) return NULL;
    CXType type = b->c->getCursorType(o->decl);
    struct rg__kids *prologue = b->prologue;
    b->prologue = b->front;
    bool made = false;
    if (rg__type_is_pointer(b->u, type))
        made = pointer(b, o);
    else if (rg__type_is_record(b->u, type))
        made = !o->seen && rg__bundle_declare(b, o->decl, b->c->getNullCursor(), b->front);
    else if (!rg__type_is_array(b->u, type))
        made = number(b, o, type);
    b->prologue = prologue;
    struct rg__sym *s = made ? rg__sym_find(b, o->key) : NULL;
    if (s) s->global = true;
    if (!made) *o = b->own[--b->n_own]; /* a parameter like others */
    return s;
}

struct rg__sym *rg__own_sym(struct rg__build *b, CXCursor decl)
{
    CXCursor def = b->c->getCursorDefinition(decl);
    if (!b->c->Cursor_isNull(def)) decl = def;
    struct rg__sym *s = rg__sym_find(b, rg__decl_key(b->u, decl));
    return s ? s : rg__own_declare(b, decl);
}

bool rg__own_place(struct rg__build *b, CXCursor left)
{
    left = rg__strip_parens(b, left);
    if (b->c->getCursorKind(left) != CXCursor_DeclRefExpr) return false;
    struct rg__own *o = own_named(b, left);
    if (o) o->placed = true;
    return o != NULL;
}

struct rg_cnode *rg__own_null(struct rg__build *b, CXCursor name)
{
    const struct rg__own *o = own_named(b, name);
    if (!o || o->placed || !rg__type_is_pointer(b->u, b->c->getCursorType(o->decl))) return NULL;
    return rg__c_null(b->t);
}

/* x = y at the top of an expression. */
static bool assignment(struct rg__build *b, CXCursor e, CXCursor *left, CXCursor *right)
{
    CXCursor in = rg__strip_parens(b, e);
    struct rg__children kids = rg__cursor_children(b->u, in, &b->p->arena);
    if (b->c->getCursorKind(in) != CXCursor_BinaryOperator || kids.n != 2 ||
        strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "=") != 0)
        return false;
    *left = kids.items[0];
    *right = kids.items[1];
    return true;
}

bool rg__is_null(struct rg__build *b, CXCursor e)
{
    CXCursor left;
    int64_t zero;
    while (assignment(b, e, &left, &e)) {
    }
    for (e = rg__strip_parens(b, e); b->c->getCursorKind(e) == CXCursor_CStyleCastExpr; e = rg__strip_parens(b, e)) {
        struct rg__children kids = rg__cursor_children(b->u, e, &b->p->arena);
        if (!kids.n) return false;
        e = kids.items[kids.n - 1];
    }
    return b->c->getCursorKind(e) == CXCursor_IntegerLiteral && rg__eval_int(b->u, e, &zero) && !zero;
}

/* g = h = NULL of nothing but such pointers. */
static bool all_null(struct rg__build *b, CXCursor value)
{
    CXCursor left, rest = value;
    while (assignment(b, rest, &left, &rest)) {
        left = rg__strip_parens(b, left);
        if (b->c->getCursorKind(left) != CXCursor_DeclRefExpr || !own_named(b, left)) return false;
    }
    return rg__is_null(b, value);
}

bool rg__own_statement(struct rg__build *b, CXCursor left, CXCursor value, struct rg__kids *out)
{
    struct rg__own *o = own_named(b, left);
    if (!o || !rg__type_is_pointer(b->u, b->c->getCursorType(o->decl))) return false;
    if (all_null(b, value)) return true; /* nobody looks at it any more */
    if (!o->allocations || !rg__is_allocation(b, value)) return false;
    rg__own_sym(b, o->decl);
    struct rg__kids made = {0};
    if (!(o = own_named(b, left)) || !rg__heap_array(b, o->decl, value, &made)) return false;
    o->placed = true;
    struct rg__sym *s = rg__sym_find(b, o->key);
    if (s) s->global = true;
    for (int i = 0; i < made.n; i++) { /* it may be allocated in a branch and used behind it */
        bool decl =
            made.items[i]->kind == RG_C_DECL && made.items[i]->array >= 0 && b->t->arrays[made.items[i]->array].dims[0];
        rg__kids_add(decl ? b->front : out, made.items[i]);
    }
    free(made.items);
    return true;
}

bool rg__own_member(struct rg__build *b, CXCursor left, struct rg_cnode *value)
{
    CXCursor in = rg__strip_parens(b, left);
    struct rg_cnode *rows[8], *off;
    int array, n_rows;
    if (b->c->getCursorKind(in) != CXCursor_MemberRefExpr || !value->pointer || !b->hoist) return false;
    if (!rg__own_with(b, rg__decl_key(b->u, b->c->getCursorReferenced(in))) || rg__member_settings(b, in) != 1)
        return false;
    if (!rg__split_pointer(b, value, &array, rows, &n_rows, &off) || n_rows || b->t->arrays[array].view) return false;
    struct rg_cnode *view = rg__build_expr(b, in);
    value = rg__c_copy(b->t, value);
    while (value->kind == RG_C_CAST && value->pointer) value = value->kid[0];
    rg__fix_place(b, value, rg__cursor_name(b->u, in, &b->p->arena), b->hoist);
    return view->kind == RG_C_VAR && view->array >= 0 && b->t->arrays[view->array].view &&
           rg__bundle_place(b, view, value);
}

void rg__own_set(struct rg__build *b, CXCursor left, int var, const struct rg_cnode *value)
{
    bool once = false;
    for (int i = 0; i < b->n_once; i++) once |= b->once[i] == rg__cursor_at(b->u, left);
    if (!once || b->helper || (!b->setup && !rg__scalar_is_int(b->t->vars[var].type)) || !rg__c_pure(b->t, value))
        return;
    struct rg_cnode *v = rg__expand_known(b, value);
    if (!rg__c_of_params(b->t, v)) return;
    RG_GROW(b->known, b->n_known, b->cap_known);
    b->known[b->n_known++] = (struct rg__known){var, v, true};
}

static struct rg_cnode *last_value(struct rg__build *b, const struct rg__own *o)
{
    struct rg_cnode *zero = rg__c_int(b->t, 0), *to = rg__c_index(b->t, o->cell, 1, &zero);
    return rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, to, rg__c_var(b->t, rg__sym_find(b, o->key)->var)));
}

static void leave(struct rg__build *b, struct rg_cnode *n, bool body)
{
    if (!n) return;
    if (n->kind != RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++) leave(b, n->kid[i], false);
        return;
    }
    struct rg__kids all = {0};
    for (int i = 0; i <= n->n; i++) {
        struct rg_cnode *k = i < n->n ? n->kid[i] : NULL;
        bool end = k ? k->kind == RG_C_RETURN : body && !(n->n && n->kid[n->n - 1]->kind == RG_C_RETURN);
        for (int j = 0; j < b->n_own && end; j++)
            if (b->own[j].cell >= 0) rg__kids_add(&all, last_value(b, &b->own[j]));
        if (!k) break;
        leave(b, k, false);
        rg__kids_add(&all, k);
    }
    *n = *rg__kids_node(b->t, RG_C_BLOCK, &all);
}

void rg__own_leave(struct rg__build *b, struct rg_cnode *body)
{
    bool any = false;
    for (int i = 0; i < b->n_own; i++) any |= b->own[i].cell >= 0;
    if (any) leave(b, body, true);
}
