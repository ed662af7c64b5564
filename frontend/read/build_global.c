/* File-scope variables: parameters, constants or tables, on first use. */
#include "frontend/read/build_cell.h"
#include "frontend/read/build_flat.h"
#include "frontend/read/build_string.h"
#include <stdlib.h>
#include <string.h>

CXCursor rg__initialiser(struct rg__build *b, CXCursor decl)
{
    struct rg__children kids = rg__cursor_children(b->u, decl, &b->p->arena);
    int name = rg__tok_from(&b->u->src, rg__decl_key(b->u, decl)), depth = 0;
    uint32_t end = rg__cursor_end(b->u, decl);
    for (int k = name; k < b->u->src.n_toks && b->u->src.toks[k].at < end; k++) {
        if (rg__tok_is(&b->u->src, k, "[") || rg__tok_is(&b->u->src, k, "(")) depth++;
        if (rg__tok_is(&b->u->src, k, "]") || rg__tok_is(&b->u->src, k, ")")) depth--;
        if (depth > 0 || !rg__tok_is(&b->u->src, k, "=")) continue;
        for (int i = 0; i < kids.n; i++)
            if (rg__cursor_at(b->u, kids.items[i]) > b->u->src.toks[k].at) return kids.items[i];
    }
    return b->c->getNullCursor();
}

static struct rg__sym *constant(struct rg__build *b, CXCursor decl, CXCursor init, enum rg_scalar s)
{
    struct rg_cnode *n = NULL;
    int64_t i;
    double r;
    if (rg__scalar_is_int(s) && rg__eval_int(b->u, init, &i)) {
        n = rg__c_int(b->t, i);
    } else if (!rg__scalar_is_int(s) && rg__eval_real(b->u, init, &r)) {
        n = rg_cnode_new(b->t, RG_C_REAL, 0);
        n->rvalue = s == RG_F32 ? (double)(float)r : r;
        n->type = s;
    }
    if (!n) return NULL;
    n = rg__c_cast(b->t, n, s);
    struct rg__sym *sym = rg__sym_add(b, rg__decl_key(b->u, decl), RG__SYM_VALUE);
    sym->value = n;
    sym->global = true;
    return sym;
}

/* Tables of all trees stand in one scope on the device: two helpers may each have a `base` of their own. */
const char *rg__table_name(struct rg__build *b, uint32_t key, const char *name)
{
    for (int k = 0;; k++) {
        const char *wanted = k ? rg_arena_printf(&b->p->arena, "%s_%d", name, k) : name;
        const char *unique = rg__c_unique(b->t, wanted);
        bool taken = rg__unit_function_named(b->u, unique) >= 0;
        for (int i = 0; i < b->n_device_tables; i++)
            taken |= b->device_tables[i].key != key && !strcmp(b->device_tables[i].name, unique);
        if (!taken) return unique;
    }
}

struct extremes { /* of a table's numbers */
    int64_t n, least, most, room;
    int64_t *values; /* the first `room` of them */
    bool known;
};

/* The numbers that stand in braces, in any depth. Designators and what is no constant: not known. */
static void extremes(struct rg__build *b, CXCursor v, struct extremes *out)
{
    v = rg__strip_parens(b, v);
    struct rg__children kids = rg__cursor_children(b->u, v, &b->p->arena);
    int64_t is;
    if (b->c->getCursorKind(v) == CXCursor_InitListExpr) {
        for (int i = 0; i < kids.n && out->known; i++) extremes(b, kids.items[i], out);
    } else if ((b->c->getCursorKind(v) != CXCursor_UnexposedExpr || kids.n == 1) && rg__eval_int(b->u, v, &is)) {
        out->least = out->n && out->least < is ? out->least : is;
        out->most = out->n && out->most > is ? out->most : is;
        if (out->n < out->room) out->values[out->n] = is;
        out->n++;
    } else {
        out->known = false;
    }
}

static void bound_table(struct rg__build *b, CXCursor decl, struct rg_carray *x)
{
    struct extremes e = {.known = true};
    CXCursor init = rg__initialiser(b, decl);
    int64_t n = 1;
    if (!rg__scalar_is_int(x->elem) || b->c->Cursor_isNull(init) || b->c->getCursorKind(init) != CXCursor_InitListExpr)
        return;
    for (int d = 0; d < x->n_dims; d++) {
        if (!x->dims[d] || x->dims[d]->kind != RG_EXPR_INT || x->dims[d]->value < 1) return;
        n *= x->dims[d]->value;
    }
    e.room = x->n_dims == 1 ? n : 0;
    e.values = rg_arena_alloc(&b->t->arena, (size_t)(e.room + 1) * sizeof *e.values);
    memset(e.values, 0, (size_t)(e.room + 1) * sizeof *e.values);
    extremes(b, init, &e);
    if (!e.known || !e.n) return;
    if (e.room) x->values = e.values;
    x->bounded = true;
    x->least = e.n < n && e.least > 0 ? 0 : e.least; /* what is not given is 0 */
    x->most = e.n < n && e.most < 0 ? 0 : e.most;
}

static struct rg__sym *table(struct rg__build *b, CXCursor decl, CXType type, const char *name)
{
    const struct rg_expr *dims[8];
    CXType elem;
    int n = rg__array_dims(b, decl, type, dims, 8, &elem);
    struct rg_param p = {.name = name, .struct_index = -1};
    bool cell = n == 0; /* a structure, or a number whose address goes somewhere */
    if (cell) dims[n++] = rg__int_expr(&b->t->arena, 1);
    if (n <= 0 || !dims[0] || rg__param_element(b, decl, elem, "table", name, &p) != RG_OK) return NULL;
    struct rg__sym *s = rg__sym_add(b, rg__decl_key(b->u, decl), cell ? RG__SYM_CELL : RG__SYM_ARRAY);
    s->array = rg__c_add_array(b->t, rg__table_name(b, rg__decl_key(b->u, decl), name), p.elem);
    s->global = true;
    struct rg_carray *x = &b->t->arrays[s->array];
    x->struct_index = p.struct_index;
    x->c_elem = p.c_elem;
    x->n_dims = n;
    x->dims = rg_arena_alloc(&b->t->arena, (size_t)n * sizeof *x->dims);
    memcpy(x->dims, dims, (size_t)n * sizeof *x->dims);
    x->constant_table = x->is_const = true;
    bound_table(b, decl, x);
    RG_GROW(b->device_tables, b->n_device_tables, b->cap_device_tables);
    b->device_tables[b->n_device_tables++] =
        (struct rg__table){.key = rg__decl_key(b->u, decl), .name = rg_arena_strdup(&b->p->arena, x->name)};
    return s;
}

/* The variable as a parameter; cell: a number that is written. -1 with err set, or where nothing of ours gets at it. */
static int as_param(struct rg__build *b, CXCursor decl, bool cell)
{
    struct rg_arena *a = &b->p->arena;
    uint32_t key = rg__decl_key(b->u, decl);
    CXType type = b->c->getCursorType(decl);
    const char *name = rg__cursor_name(b->u, decl, a);
    CXCursor init = rg__initialiser(b, decl);
    bool has_init = !b->c->Cursor_isNull(init), scalar = rg__is_scalar_type(b, type);
    bool outside = rg__unit_linked(b->u, key);
    if (outside && b->c->Cursor_getStorageClass(decl) == CX_SC_Static) return -1;
    bool pointer = b->c->getCanonicalType(type).kind == CXType_Pointer;
    struct rg_param *p = rg__add_param(b, name, scalar && !cell ? RG_PARAM_SCALAR : RG_PARAM_ARRAY, RG_ORIGIN_GLOBAL);
    struct rg_param copy = *p;
    int index = b->p->n_params - 1;
    b->origins[index].layout = scalar ? RG__FILE_VALUE : pointer ? RG__FILE_POINTER : RG__FILE_ARRAY;
    copy.c_decl = rg__declaration_text(b, decl);
    b->origins[index].outside = outside;
    b->origins[index].hidden = b->c->Cursor_getStorageClass(decl) == CX_SC_Static;
    enum rg_status st;
    if (scalar) {
        st = rg__param_element(b, decl, type, "file-scope variable", name, &copy);
        if (cell) {
            copy.n_dims = 1;
            copy.dims = rg_arena_alloc(a, sizeof *copy.dims);
            copy.dims[0] = rg__int_expr(a, 1);
        }
        int64_t v;
        double r;
        if (st == RG_OK && has_init && copy.elem != RG_STRUCT) { /* its value in the file is the default */
            if (rg__scalar_is_int(copy.elem) && rg__eval_int(b->u, init, &v))
                copy.input.text = rg_arena_printf(a, "constant(%lld)", (long long)v);
            else if (rg__eval_real(b->u, init, &r))
                copy.input.text = rg_arena_printf(a, "constant(%.17g)", r);
        }
    } else {
        st = rg__array_param(b, decl, &copy, "file-scope variable");
    }
    b->p->params[index] = copy;
    return st == RG_OK ? index : -1;
}

int rg__global_cell(struct rg__build *b, CXCursor decl)
{
    int index = as_param(b, decl, true);
    if (index < 0) return -1;
    rg__bind_param(b, 0, index, true);
    return b->syms[--b->n_syms].array;
}

struct rg__sym *rg__build_global(struct rg__build *b, CXCursor decl)
{
    uint32_t key = rg__decl_key(b->u, decl);
    struct rg__sym *known = rg__sym_find(b, key);
    if (known) return known;
    CXCursor def = b->c->getCursorDefinition(decl); /* `extern float A[];` names the same variable */
    if (!b->c->Cursor_isNull(def) && rg__decl_key(b->u, def) != key) {
        struct rg__sym *s = rg__build_global(b, def);
        if (!s) return NULL;
        struct rg__sym copy = *s, *alias = rg__sym_add(b, key, copy.kind);
        copy.global = true;
        *alias = copy;
        alias->key = rg__decl_key(b->u, decl);
        return alias;
    }
    if (rg__source_place(&b->u->src, key).system) return NULL; /* stderr, errno */
    enum CX_StorageClass storage = b->c->Cursor_getStorageClass(decl);
    for (int i = 0; i < b->u->n_functions && storage != CX_SC_Static && storage != CX_SC_Extern; i++)
        if (key >= b->u->functions[i].at && key < b->u->functions[i].end)
            return NULL; /* a local one that its declaration gave up */
    CXType type = b->c->getCursorType(decl);
    const char *name = rg__cursor_name(b->u, decl, &b->p->arena);
    bool written = rg__is_written(b, key), is_static = b->c->Cursor_getStorageClass(decl) == CX_SC_Static;
    CXCursor init = rg__initialiser(b, decl);
    bool has_init = !b->c->Cursor_isNull(init);
    bool scalar = rg__is_scalar_type(b, type);
    CXType elem = type;
    while (rg__is_array_kind(rg__array_form(b, elem))) elem = b->c->getArrayElementType(rg__array_form(b, elem));
    bool is_const = b->c->isConstQualifiedType(elem);
    if (is_const && !scalar) written = false; /* a pointer into it, or to a row, writes nothing */
    bool constant_value = has_init && !written && (is_static || is_const);
    enum rg_scalar s;
    if (scalar && constant_value && rg__type_scalar(b->u, type, &s)) {
        struct rg__sym *v = constant(b, decl, init, s);
        if (v) return v;
    }
    if (scalar && has_init && is_const && rg__type_scalar(b->u, type, &s) && s != RG_BOOL) /* written: by its address */
        return table(b, decl, type, name);
    const bool record = rg__type_is_record(b->u, type) && !rg__flat_is(b, type);
    if (record && has_init && (is_const || constant_value)) return table(b, decl, type, name);
    if (!scalar && constant_value && b->c->getCanonicalType(type).kind != CXType_Pointer)
        return table(b, decl, type, name);
    struct rg__sym *characters =
        constant_value && b->c->getCanonicalType(type).kind == CXType_Pointer ? rg__string_bind(b, key, init) : NULL;
    if (characters) {
        characters->global = true;
        return characters;
    }
    if (b->helper) { /* a device function sees constants only */
        b->helper_impure = true;
        return NULL;
    }
    struct rg__sym *object = rg__object_global(b, decl);
    if (object || b->verbatim) return object;
    if (scalar && !rg__own_of(b, key)) rg__own_guard(b, decl);
    if (rg__own_of(b, key)) {
        struct rg__sym *own = rg__own_declare(b, decl);
        if (own || rg__own_of(b, key)) return own;
    }
    if (rg__type_is_record(b->u, type) && rg__flat_is(b, type)) return rg__flat_global(b, decl);
    if (rg__flat_table_is(b, type)) {
        struct rg__sym *all = rg__flat_global(b, decl);
        if (all || b->refused) return all;
    }
    if (!rg__at_file_scope(b, decl)) return NULL; /* a function's own: nothing outside it gets at that */
    bool cell = scalar && rg__is_written_in_run(b, key);
    int index = as_param(b, decl, cell);
    if (index < 0) return NULL;
    rg__bind_param(b, key, index, cell);
    struct rg__sym *bound = rg__sym_find(b, key);
    bound->global = true;
    const struct rg__shape_of *of = cell ? NULL : rg__shape_at(b, name);
    struct rg_cnode *node = NULL;
    if (of) rg__as_set_up(b, index, of, &node);
    if (node) {
        bound->kind = RG__SYM_VALUE;
        bound->value = node;
    }
    return bound;
}

bool rg__global_start(struct rg__build *b, CXCursor decl)
{
    int index = as_param(b, decl, false);
    if (index < 0) return false;
    struct rg_param *p = &b->p->params[index];
    if (!p->input.text || !*p->input.text) p->input.text = "constant(0)";
    return true;
}
