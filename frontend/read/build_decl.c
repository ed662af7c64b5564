/* Local variables: scalars, structures, arrays, heap blocks, pointers. */
#include "frontend/read/build_columns.h"
#include "frontend/read/build_place.h"
#include "frontend/read/build_bits.h"
#include "frontend/read/build_void.h"
#include "frontend/read/build_cell.h"
#include "frontend/read/build_reads.h"
#include "frontend/read/build_shape.h"
#include "frontend/read/build_string.h"
#include <stdlib.h>
#include <string.h>

static struct rg_cnode *decl_node(struct rg__build *b, CXCursor c, int var, int array, struct rg_cnode *init)
{
    struct rg_cnode *d = rg_cnode_new(b->t, RG_C_DECL, init ? 1 : 0);
    d->var = var;
    d->array = array;
    d->type = array >= 0 ? b->t->arrays[array].elem : b->t->vars[var].type;
    if (init) d->kid[0] = init;
    rg__place_node(b, d, c);
    return d;
}

static CXCursor init_of(struct rg__build *b, CXCursor decl)
{
    struct rg__children kids = rg__cursor_children(b->u, decl, &b->p->arena);
    const struct rg__source *s = &b->u->src;
    if (!kids.n) return b->c->getNullCursor();
    CXCursor last = kids.items[kids.n - 1];
    int k = rg__tok_from(s, rg__cursor_at(b->u, last)) - 1;
    while (rg__tok_is(s, k, "(")) k--; /* the cursor of a parenthesised value may start inside */
    return rg__tok_is(s, k, "=") ? last : b->c->getNullCursor();
}

bool rg__set_element(struct rg__build *b, int array, CXType elem)
{
    struct rg_carray *x = &b->t->arrays[array];
    enum rg_scalar s;
    if (rg__type_scalar(b->u, elem, &s)) {
        x->elem = s;
        x->c_elem = rg_scalar_c(s);
        return true;
    }
    if (!rg__type_is_record(b->u, elem)) return false;
    int index = rg__build_local_struct(b, elem, "a local array");
    if (index < 0) return false;
    x = &b->t->arrays[array];
    x->elem = RG_STRUCT;
    x->struct_index = index;
    x->c_elem = b->p->structs[index].c_name;
    return true;
}

/* All elements below the first subscripts given: loops over the other dimensions. */
static struct rg_cnode *zero_loops(struct rg__build *b, int array, struct rg_cnode *outer, struct rg_cnode **subs,
                                   int n_subs)
{
    const struct rg_carray *x = &b->t->arrays[array];
    if (n_subs == x->n_dims) {
        struct rg_cnode *target = rg__c_index(b->t, array, n_subs, subs);
        struct rg__kids members = {0};
        if (target->type == RG_STRUCT)
            return rg__zero_members(b, target, &members) ? rg__kids_node(b->t, RG_C_BLOCK, &members) : NULL;
        return rg__c_stmt(b->t,
                          rg__c_assign(b->t, RG_COP_SET, target, rg__c_cast(b->t, rg__c_int(b->t, 0), target->type)));
    }
    struct rg_cnode *count = n_subs == 0 && outer ? outer
                             : x->dims[n_subs]    ? rg__c_from_expr(b->t, x->dims[n_subs])
                                                  : NULL;
    if (!count) return NULL;
    struct rg_cnode *body = rg_cnode_new(b->t, RG_C_BLOCK, 1);
    int k;
    struct rg_cnode *loop = rg__counted_loop(b, count, &k, body);
    subs[n_subs] = rg__c_var(b->t, k);
    body->kid[0] = zero_loops(b, array, NULL, subs, n_subs + 1);
    return body->kid[0] ? loop : NULL;
}

bool rg__zero_array(struct rg__build *b, int array, struct rg__kids *out)
{
    struct rg_cnode *subs[8], *fill = zero_loops(b, array, NULL, subs, 0);
    if (fill) rg__kids_add(out, fill);
    return fill != NULL;
}

bool rg__zero_row(struct rg__build *b, const struct rg_cnode *row, struct rg__kids *out)
{
    struct rg_cnode *subs[8];
    for (int i = 0; i < row->n; i++) subs[i] = rg__c_copy(b->t, row->kid[i]);
    struct rg_cnode *fill = zero_loops(b, row->array, NULL, subs, row->n);
    if (fill) rg__kids_add(out, fill);
    return fill != NULL;
}

/* The call of malloc or calloc that is a value, and which; null cursor when it is none. */
static CXCursor allocation(struct rg__build *b, CXCursor value, bool *zeroed)
{
    CXCursor c = rg__strip_parens(b, value);
    while (b->c->getCursorKind(c) == CXCursor_CStyleCastExpr) {
        struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
        if (!kids.n) return b->c->getNullCursor();
        c = rg__strip_parens(b, kids.items[kids.n - 1]);
    }
    const char *name = b->c->getCursorKind(c) == CXCursor_CallExpr ? rg__cursor_name(b->u, c, &b->p->arena) : "";
    *zeroed = !strcmp(name, "calloc");
    return *zeroed || !strcmp(name, "malloc") ? c : b->c->getNullCursor();
}

bool rg__is_allocation(struct rg__build *b, CXCursor value)
{
    bool zeroed;
    return !b->c->Cursor_isNull(allocation(b, value, &zeroed));
}

/* T (*p)[m] = calloc(n, sizeof *p): an array of as many dimensions. */
static bool heap_rows(struct rg__build *b, CXCursor decl, CXCursor value, struct rg__kids *out)
{
    const struct rg_expr *dims[8];
    CXType elem, row = b->c->getPointeeType(b->c->getCanonicalType(b->c->getCursorType(decl)));
    bool zeroed = false, is_alloc = false;
    CXCursor call = allocation(b, value, &zeroed);
    if (b->c->Cursor_isNull(call)) return false;
    int n = rg__array_dims(b, decl, b->c->getCursorType(decl), dims, 8, &elem);
    int64_t bytes = n > 1 ? b->c->Type_getSizeOf(row) : -1;
    struct rg_cnode *count = NULL;
    if (bytes > 0) {
        count = rg__alloc_count(b, value, bytes, &zeroed, &is_alloc);
        if (count) count = rg__expand_known(b, count);
    } else if (n > 1) { /* rows whose length the run knows */
        count = rg__alloc_count(b, value, b->c->Type_getSizeOf(b->c->getCanonicalType(elem)), &zeroed, &is_alloc);
        if (count) count = rg__rows_in(b, dims, n, rg__expand_known(b, count));
    }
    dims[0] = count ? rg__c_size_expr(b->t, count, &b->t->arena) : NULL;
    for (int d = 0; d < n; d++)
        if (!dims[d]) n = 0;
    if (n < 2) {
        rg__verbatim(b, decl, "an allocation whose size is no expression of the parameters");
        return true;
    }
    int array = rg__c_add_array(b->t, rg__cursor_name(b->u, decl, &b->p->arena), RG_F32);
    if (!rg__set_element(b, array, elem)) {
        rg__verbatim(b, decl, "an allocation of something that is neither number nor structure");
        return true;
    }
    struct rg_carray *x = &b->t->arrays[array];
    x->mallocd = true;
    x->n_dims = n;
    x->dims = rg_arena_alloc(&b->t->arena, (size_t)n * sizeof *x->dims);
    memcpy(x->dims, dims, (size_t)n * sizeof *x->dims);
    rg__sym_add(b, rg__decl_key(b->u, decl), RG__SYM_ARRAY)->array = array;
    rg__kids_add(out, decl_node(b, decl, -1, array, NULL));
    struct rg_cnode *subs[8], *fill = zeroed ? zero_loops(b, array, count, subs, 0) : NULL;
    if (fill) rg__kids_add(out, fill);
    return true;
}

struct row_settings {
    struct rg__build *b;
    uint32_t table;
    int n;
    CXCursor value;
};

/* t[i] = ... */
static void find_rows(void *arg, CXCursor c)
{
    struct row_settings *s = arg;
    struct rg__build *b = s->b;
    if (b->c->getCursorKind(c) != CXCursor_BinaryOperator) return;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (kids.n != 2 || strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "=") != 0) return;
    CXCursor left = rg__strip_parens(b, kids.items[0]);
    struct rg__children parts = rg__cursor_children(b->u, left, &b->p->arena);
    if (b->c->getCursorKind(left) != CXCursor_ArraySubscriptExpr || parts.n != 2) return;
    CXCursor base = rg__strip_parens(b, parts.items[0]);
    if (b->c->getCursorKind(base) != CXCursor_DeclRefExpr ||
        rg__decl_key(b->u, b->c->getCursorReferenced(base)) != s->table)
        return;
    s->n++;
    s->value = kids.items[1];
}

/* T **t = malloc(n * sizeof *t), whose rows are allocated alike at one place: an array of two dimensions. */
static bool heap_table(struct rg__build *b, CXCursor decl, CXCursor value, struct rg__kids *out)
{
    CXType row = b->c->getPointeeType(b->c->getCanonicalType(b->c->getCursorType(decl)));
    if (!rg__type_is_pointer(b->u, row) || b->verbatim) return false;
    CXType elem = b->c->getPointeeType(b->c->getCanonicalType(row));
    int64_t bytes = b->c->Type_getSizeOf(elem);
    struct row_settings s = {.b = b, .table = rg__decl_key(b->u, decl)};
    rg__walk_scope(b, s.table, find_rows, &s);
    bool zeroed, is_alloc = false;
    if (s.n != 1 || bytes <= 0 || rg__type_is_pointer(b->u, elem) ||
        b->c->Cursor_isNull(allocation(b, s.value, &zeroed)))
        return false;
    struct rg_cnode *n = rg__alloc_count(b, value, (int64_t)sizeof(void *), &zeroed, &is_alloc);
    struct rg_cnode *m = n ? rg__alloc_count(b, s.value, bytes, &zeroed, &is_alloc) : NULL;
    const struct rg_expr *dims[2] = {NULL, NULL};
    if (n) dims[0] = rg__c_size_expr(b->t, rg__expand_known(b, n), &b->t->arena);
    if (m) dims[1] = rg__c_size_expr(b->t, rg__expand_known(b, m), &b->t->arena);
    b->verbatim = NULL; /* names that come later say nothing yet */
    if (!dims[0] || !dims[1]) return false;
    int array = rg__c_add_array(b->t, rg__cursor_name(b->u, decl, &b->p->arena), RG_F32);
    if (!rg__set_element(b, array, elem)) return false;
    struct rg_carray *x = &b->t->arrays[array];
    x->mallocd = true;
    x->n_dims = 2;
    x->dims = rg_arena_alloc(&b->t->arena, sizeof dims);
    memcpy(x->dims, dims, sizeof dims);
    x->rows_apart = true;
    rg__sym_add(b, s.table, RG__SYM_ARRAY)->array = array;
    rg__kids_add(out, decl_node(b, decl, -1, array, NULL));
    return true;
}

struct rg_cnode *rg__heap_row(struct rg__build *b, struct rg_cnode *row, CXCursor value)
{
    bool zeroed;
    if (row->kind != RG_C_INDEX || !row->pointer || row->n != 1 || !b->t->arrays[row->array].mallocd ||
        b->t->arrays[row->array].n_dims != 2 || b->c->Cursor_isNull(allocation(b, value, &zeroed)))
        return NULL;
    if (!zeroed) return rg__c_int(b->t, 0);
    if (!b->hoist) return NULL;
    struct rg_cnode *subs[8] = {row->kid[0]}, *fill = zero_loops(b, row->array, NULL, subs, 1);
    if (!fill) return NULL;
    rg__kids_add(b->hoist, fill);
    return rg__c_int(b->t, 0);
}

/* A number of elements over what parameters hold as the function begins; NULL: `where` it stands, one of them has been
 * set, or may have been. */
static const struct rg_expr *extent_at(struct rg__build *b, CXCursor where, const struct rg_cnode *count)
{
    struct rg_ctree *t = b->t;
    bool *changed = rg_xcalloc((size_t)t->n_vars + 1, sizeof *changed);
    for (int v = 0; v < t->n_vars; v++) changed[v] = t->vars[v].assigned;
    for (int i = 0; i < b->n_syms && !b->helper; i++) {
        const struct rg__sym *s = &b->syms[i];
        if (s->kind != RG__SYM_VAR || !changed[s->var] || t->vars[s->var].kind != RG_CVAR_PARAM ||
            !rg__c_mentions_var(count, s->var))
            continue;
        t->vars[s->var].assigned = !rg__is_unchanged_at(b, s->key, where);
    }
    const struct rg_expr *e = rg__c_size_expr(t, count, &t->arena);
    for (int v = 0; v < t->n_vars; v++) t->vars[v].assigned = changed[v];
    free(changed);
    return e;
}

/* What an allocation of `elem`s makes of the tree's array (-1: a new one called `name`): a local array. *array -1: it
 * has no node; the reason is noted. false: the value is no allocation. */
static bool allocate(struct rg__build *b, CXCursor where, CXCursor value, CXType elem, const char *name, int *array,
                     struct rg__kids *out)
{
    int64_t bytes = b->c->Type_getSizeOf(elem);
    bool zeroed = false, is_alloc = false;
    struct rg_cnode *count = bytes > 0 ? rg__alloc_count(b, value, bytes, &zeroed, &is_alloc) : NULL;
    if (!is_alloc) return false;
    count = count ? rg__expand_known(b, count) : NULL;
    const struct rg_expr *extent = count ? extent_at(b, where, count) : NULL;
    int known = *array;
    *array = -1;
    if ((!extent && zeroed) || rg__type_is_array(b->u, elem)) {
        rg__verbatim(b, where, "an allocation whose size is no expression of the parameters");
        return true;
    }
    if (known < 0) known = rg__c_add_array(b->t, name, RG_F32);
    if (!rg__set_element(b, known, elem)) {
        rg__verbatim(b, where, "an allocation of something that is neither number nor structure");
        return true;
    }
    struct rg_carray *x = &b->t->arrays[known];
    x->view = false;
    x->mallocd = true;
    x->n_dims = 1;
    x->dims = rg_arena_alloc(&b->t->arena, sizeof *x->dims);
    x->dims[0] = extent;
    *array = known;
    rg__kids_add(out, decl_node(b, where, -1, known, NULL));
    struct rg_cnode *subs[8], *fill = zeroed ? zero_loops(b, known, count, subs, 0) : NULL;
    if (fill) rg__kids_add(out, fill);
    return true;
}

/* T *p = malloc(count * sizeof(T)): a local array. */
bool rg__heap_array(struct rg__build *b, CXCursor decl, CXCursor value, struct rg__kids *out)
{
    CXType elem = b->c->getPointeeType(b->c->getCanonicalType(b->c->getCursorType(decl)));
    if (!rg__sym_find(b, rg__decl_key(b->u, decl))) { /* in its declaration */
        if (rg__type_is_array(b->u, elem)) return heap_rows(b, decl, value, out);
        if (heap_table(b, decl, value, out)) return true;
    }
    struct rg__sym *known = rg__sym_find(b, rg__decl_key(b->u, decl));
    int array = known && known->kind == RG__SYM_ARRAY ? known->array : -1;
    struct rg__kids made = {0};
    if (!allocate(b, decl, value, elem, rg__cursor_name(b->u, decl, &b->p->arena), &array, &made)) return false;
    if (array >= 0) {
        struct rg__sym *s = rg__sym_find(b, rg__decl_key(b->u, decl));
        if (s && s->kind == RG__SYM_POINTER) {
            s->value->kind = RG_C_BLOCK; /* its earlier declaration vanishes */
            s->value->n = 0;
        } else if (!s) {
            s = rg__sym_add(b, rg__decl_key(b->u, decl), RG__SYM_ARRAY);
        }
        s->kind = RG__SYM_ARRAY;
        s->array = array;
    }
    for (int i = 0; i < made.n; i++) rg__kids_add(out, made.items[i]);
    free(made.items);
    return true;
}

struct settings {
    struct rg__build *b;
    uint32_t member;
    int n;
};

static void count_settings(void *arg, CXCursor c)
{
    struct settings *s = arg;
    struct rg__build *b = s->b;
    if (b->c->getCursorKind(c) != CXCursor_BinaryOperator) return;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (kids.n != 2) return;
    CXCursor left = rg__strip_parens(b, kids.items[0]);
    s->n += b->c->getCursorKind(left) == CXCursor_MemberRefExpr &&
            rg__decl_key(b->u, b->c->getCursorReferenced(left)) == s->member &&
            !strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "=");
}

int rg__member_settings(struct rg__build *b, CXCursor member)
{
    struct settings s = {b, rg__decl_key(b->u, b->c->getCursorReferenced(member)), 0};
    rg__walk_scope(b, rg__own_with(b, s.member), count_settings, &s);
    return s.n;
}

/* Numbers of what such a function is given, by name: m->ne * sizeof *m->tri. */
static struct rg_cnode *with_members(struct rg__build *b, struct rg_cnode *e)
{
    int param = e->kind == RG_C_INDEX && !e->pointer && e->n == 1 ? b->t->arrays[e->array].param : -1;
    if (param >= 0 && e->kid[0]->kind == RG_C_INT && !e->kid[0]->ivalue && rg__scalar_is_int(e->type)) {
        int v = rg__c_add_var(b->t, b->p->params[param].name, RG_CVAR_PARAM, e->type);
        b->t->vars[v].param = param;
        b->t->vars[v].name = b->p->params[param].name;
        return rg__c_var(b->t, v);
    }
    for (int i = 0; i < e->n; i++) e->kid[i] = with_members(b, e->kid[i]);
    return e;
}

/* A function that sets up a structure allocates a member of what it is given: how long the array is. */
static bool given_memory(struct rg__build *b, CXCursor where, CXCursor value, CXType elem, int array)
{
    struct rg_carray *x = &b->t->arrays[array];
    if (!b->setup || x->param < 0 || b->p->params[x->param].origin != RG_ORIGIN_GLOBAL) return false;
    int64_t bytes = b->c->Type_getSizeOf(elem);
    bool zeroed, is_alloc = false;
    struct rg_cnode *count = bytes > 0 ? rg__alloc_count(b, value, bytes, &zeroed, &is_alloc) : NULL;
    if (count) count = with_members(b, rg__c_copy(b->t, rg__expand_known(b, count)));
    const struct rg_expr *extent = count ? rg__c_size_expr(b->t, count, &b->t->arena) : NULL;
    if (!is_alloc) return false;
    if (!extent) {
        rg__verbatim(b, where, "an allocation whose size is no expression of the parameters");
        return true;
    }
    const struct rg_expr **dims = rg_arena_alloc(&b->t->arena, (size_t)x->n_dims * sizeof *dims);
    memcpy(dims, x->dims, (size_t)x->n_dims * sizeof *dims);
    dims[0] = extent;
    x->dims = dims;
    x->mallocd = true;
    return true;
}

bool rg__heap_member(struct rg__build *b, CXCursor member, CXCursor value, struct rg__kids *out)
{
    CXCursor field = b->c->getCursorReferenced(member);
    if (!rg__type_is_pointer(b->u, b->c->getCursorType(field))) return false;
    struct rg_cnode *p = rg__member_settings(b, member) == 1 ? rg__build_expr(b, member) : NULL;
    if (!p || p->kind != RG_C_VAR || p->array < 0) return false;
    int array = p->array;
    CXType elem = b->c->getPointeeType(b->c->getCanonicalType(b->c->getCursorType(field)));
    if (!b->t->arrays[array].view) return given_memory(b, member, value, elem, array);
    return allocate(b, member, value, elem, NULL, &array, out);
}

bool rg__member_is_set(struct rg__build *b, CXCursor member)
{
    struct settings s = {b, rg__decl_key(b->u, b->c->getCursorReferenced(member)), 0};
    for (int i = 0; i < b->u->n_functions; i++)
        if (!b->c->Cursor_isNull(b->u->functions[i].body) && (!b->in_run || b->in_run[i]))
            rg__cursor_walk(b->u, b->u->functions[i].body, count_settings, &s);
    return s.n > 0;
}

/* `double *u = g->u`, where nothing ever sets either: another name for an array that is where it is; so is one of a
 * literal's characters. */
static bool another_name(struct rg__build *b, uint32_t key, CXCursor init)
{
    CXCursor member = rg__strip_parens(b, init);
    if (rg__is_written(b, key)) return false;
    if (rg__string_bind(b, key, init)) return true;
    if (b->c->getCursorKind(member) != CXCursor_MemberRefExpr) return false;
    if (rg__member_is_set(b, member)) return false;
    const struct rg_cnode *v = rg__build_expr(b, init);
    if (v->kind != RG_C_VAR || v->array < 0 || b->t->arrays[v->array].view) return false;
    rg__sym_add(b, key, RG__SYM_ARRAY)->array = v->array;
    return true;
}

/* A void pointer that stays one is a pointer to what it leads to: C++ converts no other. NULL: nothing says what. */
static const char *void_type(struct rg__build *b, CXCursor c, enum rg_scalar *elem)
{
    struct rg__void v;
    enum rg_scalar s = RG_U8;
    if (!rg__void_element(b, c, &v)) {
        if (v.differ) rg__verbatim(b, c, "a void pointer that is converted to %s", v.differ);
        return NULL;
    }
    const bool number = v.bytes || rg__type_scalar(b->u, v.type, &s);
    const char *name = number ? rg_scalar_c(s) : rg__plain_type(b, v.type);
    if (number) *elem = s;
    return rg_arena_printf(&b->t->arena, "%s *", name);
}

static void pointer_decl(struct rg__build *b, CXCursor c, CXCursor init, struct rg__kids *out)
{
    bool has_init = !b->c->Cursor_isNull(init);
    uint32_t key = rg__decl_key(b->u, c);
    if (has_init && (rg__heap_array(b, c, init, out) || another_name(b, key, init))) return;
    if (has_init && rg__rows_declare(b, c, init, out)) return;
    if (rg__alias_declare(b, c, !has_init)) {
        if (!has_init) return;
        struct rg_cnode *v = rg__declared_shape(b, rg__build_expr(b, init), c);
        bool null = v->kind == RG_C_INT || (v->kind == RG_C_CAST && !v->kid[0]->pointer);
        if (null) { /* its first real value comes later */
            struct rg__sym *s = rg__sym_find(b, key);
            rg__kids_add(b->prologue, decl_node(b, c, s->off_var, -1, NULL));
            rg__alias_clear(b, s, out);
            return;
        }
        struct rg__sym *s = rg__sym_find(b, key);
        if (rg__alias_assign(b, s, v, true, out)) return;
        rg__verbatim(b, c, "a pointer into something unknown");
        return;
    }
    if ((has_init && rg__place_declare(b, c, init, out)) || rg__view_declare(b, c, init, out)) return;
    CXType type = b->c->getCursorType(c);
    const char *name = rg__cursor_name(b->u, c, &b->p->arena);
    int var = rg__c_add_var(b->t, name, RG_CVAR_LOCAL, RG_F32);
    enum rg_scalar s;
    CXType pointee = b->c->getPointeeType(b->c->getCanonicalType(type));
    const char *known = rg__is_void_pointer(b, type) ? void_type(b, c, &b->t->vars[var].type) : NULL;
    if (rg__type_scalar(b->u, pointee, &s)) b->t->vars[var].type = s;
    b->t->vars[var].c_type =
        known ? known
              : rg__strip_qualifiers(&b->t->arena, rg__type_name(b->u, b->c->getCanonicalType(type), &b->t->arena));
    if (b->c->isConstQualifiedType(pointee))
        b->t->vars[var].c_type = rg_arena_printf(&b->t->arena, "const %s", b->t->vars[var].c_type);
    struct rg_cnode *value = has_init ? rg__build_expr(b, init) : NULL;
    struct rg_cnode *d = decl_node(b, c, var, -1, value);
    d->pointer = true;
    struct rg__sym *sym = rg__sym_add(b, key, RG__SYM_POINTER);
    sym->var = var;
    sym->value = d;
    rg__kids_add(out, d);
}

static void array_decl(struct rg__build *b, CXCursor c, CXCursor init, struct rg__kids *out)
{
    const struct rg_expr *dims[8];
    CXType elem = b->c->getCursorType(c);
    const char *name = rg__cursor_name(b->u, c, &b->p->arena);
    int n = rg__array_dims(b, c, elem, dims, 8, &elem);
    for (int i = 0; i < n; i++)
        if (!dims[i] && (i || n > 1)) n = -1; /* one unknown extent is read off the accesses later */
    if (n <= 0) {
        rg__verbatim(b, c, "the local array '%s' has a size that is no expression of the parameters", name);
        return;
    }
    int array = rg__c_add_array(b->t, name, RG_F32);
    if (!rg__set_element(b, array, elem)) {
        rg__verbatim(b, c, "the local array '%s' holds neither numbers nor structures", name);
        return;
    }
    struct rg_carray *x = &b->t->arrays[array];
    x->n_dims = n;
    x->dims = rg_arena_alloc(&b->t->arena, (size_t)n * sizeof *x->dims);
    memcpy(x->dims, dims, (size_t)n * sizeof *x->dims);
    struct rg__sym *s = rg__sym_add(b, rg__decl_key(b->u, c), RG__SYM_ARRAY);
    s->array = array;
    struct rg_cnode *value = b->c->Cursor_isNull(init) ? NULL : rg__build_init(b, init, b->c->getCursorType(c));
    struct rg_cnode *string = value && value->kind == RG_C_STRING ? value : NULL;
    if (string) value = rg__string_list(b, string, b->c->getCursorType(c), true);
    if (string && !value) rg__verbatim(b, init, "a local string");
    rg__kids_add(out, decl_node(b, c, -1, array, value));
}

/* static float row[N]; in the function itself or in one that is put in place: scratch that would be too long for the
 * stack. It is what a first call finds, zeros or its initialiser, from the start of the function that is meant; one
 * that counts on what an earlier call of that left differs from run to run, which verification says. */
static bool static_array(struct rg__build *b, CXCursor c, CXCursor init)
{
    CXType elem = b->c->getCursorType(c);
    enum rg_scalar s;
    bool none = b->c->Cursor_isNull(init);
    while (rg__type_is_array(b->u, elem)) elem = b->c->getArrayElementType(b->c->getCanonicalType(elem));
    if (!rg__type_is_array(b->u, b->c->getCursorType(c)) || b->helper || !rg__type_scalar(b->u, elem, &s)) return false;
    if (b->c->isConstQualifiedType(elem) || (!none && !rg__is_written(b, rg__decl_key(b->u, c))))
        return false;                                        /* a table */
    if (rg__sym_find(b, rg__decl_key(b->u, c))) return true; /* of an earlier call of the function */
    array_decl(b, c, init, b->front);
    struct rg__sym *sym = rg__sym_find(b, rg__decl_key(b->u, c));
    if (!sym) return true;
    sym->global = true;
    struct rg_cnode *subs[8], *fill = none ? zero_loops(b, sym->array, NULL, subs, 0) : NULL;
    if (fill) rg__kids_add(b->front, fill);
    return true;
}

void rg__build_variable(struct rg__build *b, CXCursor c, struct rg__kids *out)
{
    CXType type = b->c->getCursorType(c);
    const char *name = rg__cursor_name(b->u, c, &b->p->arena);
    CXCursor init = init_of(b, c);
    enum CX_StorageClass storage = b->c->Cursor_getStorageClass(c);
    if (storage == CX_SC_Extern) return; /* names a file-scope variable: found on use */
    if (storage == CX_SC_Static) {
        if (static_array(b, c, init)) return;
        if (b->follow && !b->helper && rg__build_global(b, c)) return;
        if (rg__is_written(b, rg__decl_key(b->u, c)) && !b->c->isConstQualifiedType(type))
            rg__verbatim(b, c, "the static variable '%s' keeps its value between calls", name);
        else
            rg__build_global(b, c);
        return;
    }
    /* A volatile local is one that nobody else sees: here it is like any other. */
    if (rg__columns_declare(b, c, init, out)) return;
    if (rg__object_local(b, c, init)) return;
    if (rg__bundle_declare(b, c, init, out)) return;
    if (rg__type_is_array(b->u, type)) {
        struct rg__children sizes = rg__cursor_children(b->u, c, &b->p->arena);
        for (int i = 0; i < sizes.n && b->c->Cursor_isNull(init); i++) {
            const enum CXCursorKind k = b->c->getCursorKind(sizes.items[i]);
            int64_t number;
            if (k >= CXCursor_FirstExpr && k <= CXCursor_LastExpr && !rg__eval_int(b->u, sizes.items[i], &number))
                rg__alloc_plain(b, c, rg__build_expr(b, sizes.items[i]));
        }
        array_decl(b, c, init, out);
        return;
    }
    if (rg__type_is_pointer(b->u, type)) {
        struct rg__targets t;
        if (rg__is_function_pointer(b, type) && !b->c->Cursor_isNull(init) &&
            !rg__is_written(b, rg__decl_key(b->u, c)) && rg__function_targets(b, init, &t)) {
            rg__bind_function(b, rg__decl_key(b->u, c), &t, out);
            return;
        }
        pointer_decl(b, c, init, out);
        return;
    }
    enum rg_scalar s = RG_I32;
    const bool bits = rg__union_number(b, type, &s) && rg__union_by_members(b, c);
    bool record = !bits && rg__type_is_record(b->u, type);
    if (!record && !bits && !rg__type_scalar(b->u, type, &s)) {
        rg__verbatim(b, c, "'%s' has the type '%s'", name, rg__type_name(b->u, type, &b->p->arena));
        return;
    }
    struct rg_cnode *value = b->c->Cursor_isNull(init) ? NULL
                             : bits                    ? rg__union_init(b, init, type)
                             : record                  ? rg__build_init(b, init, type)
                                                       : rg__build_expr(b, init);
    int var = rg__c_add_var(b->t, name, RG_CVAR_LOCAL, record ? RG_STRUCT : s);
    if (record) {
        int index = rg__build_local_struct(b, type, "a local structure");
        if (index < 0) return;
        b->t->vars[var].struct_index = index;
        b->t->vars[var].c_type = b->p->structs[index].c_name;
    } else if (value && value->kind == RG_C_INITLIST && value->n == 1) {
        value = value->kid[0];
    }
    struct rg__sym *sym = rg__sym_add(b, rg__decl_key(b->u, c), RG__SYM_VAR);
    sym->var = var;
    bool number = !record && !bits && rg__scalar_is_int(s),
         written = number && rg__is_written(b, rg__decl_key(b->u, c));
    if (number && b->follow && !b->helper && (b->follow->n_fixed || rg__by_trips(b) || written))
        rg__cell_local(b, var, rg__decl_key(b->u, c), value);
    else if (value && number && !written && rg__c_pure(b->t, value))
        rg__note_known(b, var, value);
    else if (value && !record && !bits && rg__of_real_params(b, value) && !rg__is_written(b, rg__decl_key(b->u, c)))
        rg__note_known(b, var, rg__c_cast(b->t, value, s)); /* sizes may be whole parts of it */
    if (value && value->kind == RG_C_ASSIGN) {              /* float a = b = 0 */
        rg__emit_expr(b, value, out);
        value = rg__c_copy(b->t, value->kid[0]);
    }
    rg__kids_add(out, decl_node(b, c, var, -1, value));
}
