/* Parameters of the problem: the function's own, its result, members and what is computed; build_global.c has the
 * file-scope variables. */
#include "frontend/read/build_columns.h"
#include "frontend/read/build_flat.h"
#include "frontend/read/build_returned.h"
#include "frontend/read/build_end.h"
#include "frontend/read/build_void.h"
#include "frontend/read/build_reads.h"
#include "frontend/read/build_cell.h"
#include "frontend/read/directive.h"
#include <stdlib.h>
#include <string.h>

bool rg__is_array_kind(CXType t)
{
    return t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray || t.kind == CXType_VariableArray;
}

CXType rg__array_form(struct rg__build *b, CXType t)
{
    return rg__is_array_kind(t) ? t : b->c->getCanonicalType(t);
}

int rg__bracket_sizes(struct rg__build *b, struct rg__children kids, int k, struct rg_cnode **sizes, int max)
{
    const struct rg__source *s = &b->u->src;
    int n = 0;
    while (rg__tok_is(s, k, "[") && n < max) {
        int depth = 0;
        uint32_t from = s->toks[k].at;
        for (; k < s->n_toks; k++) {
            if (rg__tok_is(s, k, "[")) depth++;
            if (rg__tok_is(s, k, "]") && --depth == 0) break;
        }
        uint32_t to = k < s->n_toks ? s->toks[k].at : (uint32_t)s->len;
        k++;
        sizes[n] = NULL;
        for (int i = 0; i < kids.n; i++) {
            uint32_t at = rg__cursor_at(b->u, kids.items[i]);
            if (at <= from || at >= to) continue;
            int64_t v;
            bool number = rg__eval_int(b->u, kids.items[i], &v);
            sizes[n] = number ? rg__c_int(b->t, v) : rg__build_expr(b, kids.items[i]);
        }
        n++;
    }
    return n;
}

int rg__bracket_dims(struct rg__build *b, struct rg__children kids, int k, const struct rg_expr **dims, int max)
{
    struct rg_arena *a = &b->p->arena;
    struct rg_cnode *sizes[8];
    int n = rg__bracket_sizes(b, kids, k, sizes, max < 8 ? max : 8);
    for (int i = 0; i < n; i++) {
        dims[i] = sizes[i] ? rg__c_to_expr(b->t, sizes[i], a) : NULL;
        if (sizes[i] && !dims[i]) /* int width = nx + 2 */
            dims[i] = rg__c_size_expr(b->t, rg__expand_known(b, sizes[i]), a);
    }
    return n;
}

int rg__declared_dims(struct rg__build *b, CXCursor decl, const struct rg_expr **dims, int max)
{
    int k = rg__tok_from(&b->u->src, rg__decl_key(b->u, decl)) + 1;
    while (rg__tok_is(&b->u->src, k, ")")) k++;
    return rg__bracket_dims(b, rg__cursor_children(b->u, decl, &b->p->arena), k, dims, max);
}

const struct rg_expr *rg__int_expr(struct rg_arena *a, int64_t v)
{
    struct rg_expr *e = rg_arena_alloc(a, sizeof *e);
    e->kind = RG_EXPR_INT;
    e->value = v;
    return e;
}

int rg__array_dims(struct rg__build *b, CXCursor decl, CXType type, const struct rg_expr **dims, int max, CXType *elem)
{
    const struct rg_expr *written[8];
    int n_written = rg__declared_dims(b, decl, written, 8), n = 0, w = 0;
    CXType t = rg__array_form(b, type);
    if (t.kind == CXType_Pointer) {
        if (n == max) return -1;
        dims[n++] = NULL;
        t = rg__array_form(b, b->c->getPointeeType(t));
    }
    while (rg__is_array_kind(t)) {
        if (n == max) return -1;
        if (t.kind == CXType_ConstantArray) {
            dims[n++] = rg__int_expr(&b->p->arena, b->c->getArraySize(t));
            if (w < n_written) w++;
        } else {
            const struct rg_expr *d = w < n_written ? written[w++] : NULL;
            if (!d && n > 0) return -1;
            dims[n++] = d;
        }
        t = rg__array_form(b, b->c->getArrayElementType(t));
    }
    *elem = t;
    return n;
}

struct rg_param *rg__add_param(struct rg__build *b, const char *name, enum rg_param_kind kind, enum rg_origin origin)
{
    struct rg_param *grown = rg_arena_alloc(&b->p->arena, (size_t)(b->p->n_params + 1) * sizeof *grown);
    if (b->p->n_params) memcpy(grown, b->p->params, (size_t)b->p->n_params * sizeof *grown);
    b->p->params = grown;
    if (b->p->n_params >= b->cap_origins) {
        b->cap_origins = b->cap_origins ? b->cap_origins * 2 : 16;
        b->origins = rg_xrealloc(b->origins, (size_t)b->cap_origins * sizeof *b->origins);
    }
    b->origins[b->p->n_params] = (struct rg__origin){.name = name, .parent = -1};
    struct rg_param *p = &grown[b->p->n_params++];
    p->name = name;
    p->kind = kind;
    p->origin = origin;
    p->role = RG_ROLE_IN;
    p->struct_index = -1;
    p->c_decl = "";
    p->input.text = "";
    return p;
}

static enum rg_status refuse(struct rg__build *b, CXCursor decl, const char *what, const char *name, const char *why)
{
    struct rg__place at = rg__source_place(&b->u->src, rg__decl_key(b->u, decl));
    b->refused = true;
    return rg_error_at(b->err, RG_INPUT, at.file, at.line, at.column, "%s '%s' %s", what, name, why);
}

enum rg_status rg__param_element(struct rg__build *b, CXCursor decl, CXType t, const char *what, const char *name,
                                 struct rg_param *p)
{
    p->c_const = b->c->isConstQualifiedType(t);
    if (b->c->isVolatileQualifiedType(t)) return refuse(b, decl, what, name, "is volatile");
    enum CXTypeKind kind = b->c->getCanonicalType(t).kind;
    if (kind == CXType_LongDouble || kind == CXType_Float128)
        return refuse(b, decl, what, name, "is long double, which no GPU has; use double");
    if (rg__type_scalar(b->u, t, &p->elem)) {
        p->elem_bytes = (int64_t)rg_scalar_bytes(p->elem);
        p->c_elem = rg__strip_qualifiers(&b->p->arena, rg__type_name(b->u, t, &b->p->arena));
        return RG_OK;
    }
    CXType c = b->c->getCanonicalType(t);
    if (rg__type_is_record(b->u, t)) {
        p->elem = RG_STRUCT;
        p->struct_index = rg__build_struct(b, t, rg_arena_printf(&b->p->arena, "%s '%s'", what, name));
        if (p->struct_index < 0) return RG_INPUT;
        p->elem_bytes = b->p->structs[p->struct_index].bytes;
        p->c_elem = b->p->structs[p->struct_index].c_name;
        return RG_OK;
    }
    if (c.kind == CXType_Pointer || rg__is_array_kind(c)) {
        CXType e = c;
        while (e.kind == CXType_Pointer || rg__is_array_kind(e))
            e = b->c->getCanonicalType(e.kind == CXType_Pointer ? b->c->getPointeeType(e)
                                                                : b->c->getArrayElementType(e));
        const char *elem = rg__strip_qualifiers(&b->p->arena, rg__type_name(b->u, e, &b->p->arena));
        return refuse(
            b, decl, what, name,
            rg_arena_printf(&b->p->arena,
                            "is an array of pointers: rows at arbitrary addresses cannot be transferred; use one "
                            "block, '%s *%s' read as %s[i*m + j], or a C99 array '%s %s[n][m]'",
                            elem, name, name, elem, name));
    }
    if (c.kind == CXType_Void)
        return refuse(b, decl, what, name, "is a void pointer; give its element type (float *, ...)");
    if (c.kind == CXType_FunctionProto || c.kind == CXType_FunctionNoProto)
        return refuse(b, decl, what, name,
                      rg_arena_printf(&b->p->arena,
                                      "is a pointer to a function, and a kernel must know which: write a function that "
                                      "calls this one with a function of the file for "
                                      "'%s', and name it with --function",
                                      name));
    if (c.kind == CXType_Complex)
        return refuse(b, decl, what, name,
                      "is complex of long double, which no GPU has, or of integers; use double complex, or two arrays");
    return refuse(b, decl, what, name,
                  rg_arena_printf(&b->p->arena, "has the type '%s', which cannot be transferred",
                                  rg__type_name(b->u, t, &b->p->arena)));
}

/* Kernels need a name that CUDA C++ takes and no other variable has; people keep theirs. */
static void rename_param(struct rg__build *b, struct rg_param *p, const char *unique)
{
    if (strcmp(p->name, unique) && !p->c_name) p->c_name = p->name;
    p->name = rg_arena_strdup(&b->p->arena, unique);
}

/* The parameter's array or variable in the tree; the key it is found by, if any, is the caller's matter. */
static int bind_array(struct rg__build *b, int param)
{
    struct rg_param *p = &b->p->params[param];
    int array = rg__c_add_array(b->t, p->name, p->elem);
    struct rg_carray *x = &b->t->arrays[array];
    x->param = param;
    x->struct_index = p->struct_index;
    x->c_elem = p->elem == RG_STRUCT ? p->c_elem : rg_scalar_c(p->elem);
    x->n_dims = p->n_dims;
    x->dims = p->dims;
    x->is_const = p->c_const;
    rename_param(b, p, x->name);
    return array;
}

static int bind_variable(struct rg__build *b, int param, bool assigned)
{
    struct rg_param *p = &b->p->params[param];
    int var = rg__c_add_var(b->t, p->name, RG_CVAR_PARAM, p->elem);
    struct rg_cvar *v = &b->t->vars[var];
    v->param = param;
    v->struct_index = p->struct_index;
    if (p->elem == RG_STRUCT) v->c_type = p->c_elem;
    v->assigned = assigned;
    rename_param(b, p, v->name);
    return var;
}

void rg__bind_param(struct rg__build *b, uint32_t key, int param, bool cell)
{
    if (b->p->params[param].kind == RG_PARAM_ARRAY) {
        int array = bind_array(b, param);
        rg__sym_add(b, key, cell ? RG__SYM_CELL : RG__SYM_ARRAY)->array = array;
    } else {
        bool written = rg__is_written_in_run(b, key);
        int var = bind_variable(b, param, written);
        if (!written && rg__bind_fixed(b, key, param)) return;
        rg__sym_add(b, key, RG__SYM_VAR)->var = var;
    }
}

const char *rg__declaration_text(struct rg__build *b, CXCursor decl)
{
    struct rg_buf text = RG_BUF_INIT;
    rg__source_slice(&b->u->src, rg__cursor_at(b->u, decl), rg__cursor_end(b->u, decl), &text);
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] == '\n') text.data[i] = ' ';
    const char *s = rg_arena_strdup(&b->p->arena, text.data);
    rg_buf_release(&text);
    return s;
}

bool rg__is_scalar_type(struct rg__build *b, CXType t)
{
    return !rg__is_array_kind(rg__array_form(b, t)) && b->c->getCanonicalType(t).kind != CXType_Pointer;
}

/* A void pointer's elements are what the code takes them for; whether they may be written the parameter says. */
static enum rg_status void_element(struct rg__build *b, CXCursor decl, CXType elem, const char *what,
                                   struct rg_param *p)
{
    struct rg__void v;
    const bool found = rg__void_element(b, decl, &v);
    if (!found && v.differ)
        return refuse(b, decl, what, p->name,
                      rg_arena_printf(&b->p->arena,
                                      "is a void pointer that is converted to %s; give its element type (float *, ...)",
                                      v.differ));
    if (!found || b->c->isVolatileQualifiedType(elem)) return rg__param_element(b, decl, elem, what, p->name, p);
    if (v.bytes) {
        p->elem = RG_U8;
        p->elem_bytes = 1;
        p->c_elem = rg_scalar_c(RG_U8);
    } else {
        enum rg_status st = rg__param_element(b, decl, v.type, what, p->name, p);
        if (st != RG_OK) return st;
    }
    p->c_const = b->c->isConstQualifiedType(elem);
    p->c_void = true;
    return RG_OK;
}

enum rg_status rg__array_param(struct rg__build *b, CXCursor decl, struct rg_param *p, const char *what)
{
    const struct rg_expr *dims[8];
    CXType elem = b->c->getCursorType(decl);
    int n = rg__array_dims(b, decl, elem, dims, 8, &elem);
    while (n > 0 && n < 3 &&
           b->c->getCanonicalType(elem).kind == CXType_Pointer) { /* T **: rows, each as long as the others */
        if (dims[n - 1] && n == 1) dims[0] = NULL;                /* T *a[N] of a parameter is T ** */
        dims[n++] = NULL;
        elem = rg__array_form(b, b->c->getPointeeType(b->c->getCanonicalType(elem)));
        p->indirect = p->rows = true;
    }
    if (n < 0)
        return refuse(b, decl, what, p->name,
                      "has a size that is no integer expression of integer parameters and constants");
    p->n_dims = n;
    p->dims = rg_arena_alloc(&b->p->arena, (size_t)n * sizeof *p->dims);
    memcpy(p->dims, dims, (size_t)n * sizeof *p->dims);
    if (n == 1 && b->c->getCanonicalType(elem).kind == CXType_Void) return void_element(b, decl, elem, what, p);
    return rg__param_element(b, decl, elem, what, p->name, p);
}

enum rg_status rg__build_params(struct rg__build *b, const struct rg__function *f)
{
    struct rg_arena *a = &b->p->arena;
    CXType type = b->c->getCursorType(f->cursor);
    struct rg__children kids = rg__cursor_children(b->u, f->cursor, a);
    if (b->c->isFunctionTypeVariadic(type))
        return rg_error_at(b->err, RG_INPUT, f->file, f->line, 0, "'%s' takes a variable number of arguments", f->name);
    const int first = b->p->n_params;
    const struct rg__end_of *ends = rg__array_ends(b, f);
    for (int i = 0; i < kids.n; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        CXType t = b->c->getCursorType(kids.items[i]);
        const char *name = rg__cursor_name(b->u, kids.items[i], a);
        if (!*name) name = rg_arena_printf(a, "arg%d", b->p->n_params - first);
        bool scalar = rg__is_scalar_type(b, t);
        RG_GROW(b->args, b->n_args, b->cap_args);
        b->args[b->n_args++] =
            (struct rg__arg){-1, -1, false, rg__declaration_text(b, kids.items[i]), kids.items[i], -1, -1, 0, 0};
        b->args[b->n_args - 1].end_of = ends[b->n_args - 1].array;
        b->args[b->n_args - 1].below = ends[b->n_args - 1].below;
        b->args[b->n_args - 1].needs = ends[b->n_args - 1].needs;
        if (b->args[b->n_args - 1].end_of >= 0) continue;
        if (rg__object_param(b, kids.items[i]) || rg__behind_param(b, f, kids.items[i])) continue;
        if (rg__flat_is(b, t) || (rg__type_is_array(b->u, t) && rg__flat_table_is(b, t))) {
            enum rg_status st = rg__flat_param(b, f, kids.items[i]);
            if (st != RG_OK) return st;
            continue;
        }
        struct rg_param *p = rg__add_param(b, name, scalar ? RG_PARAM_SCALAR : RG_PARAM_ARRAY, RG_ORIGIN_ARG);
        b->args[b->n_args - 1].param = b->p->n_params - 1;
        p->c_decl = b->args[b->n_args - 1].c_decl;
        if (!scalar) continue; /* their sizes may name any scalar: second pass */
        enum rg_status st = rg__param_element(b, kids.items[i], t, "parameter", name, p);
        if (st != RG_OK) return st;
        p->c_const = false;
        rg__bind_param(b, rg__decl_key(b->u, kids.items[i]), b->p->n_params - 1, false);
    }
    for (int i = 0, arg = 0; i < kids.n; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        int at = b->args[arg++].param;
        if (at >= 0 && b->p->params[at].kind == RG_PARAM_ARRAY) {
            struct rg_param copy = b->p->params[at]; /* the table may grow when a size names a file-scope variable */
            enum rg_status st = rg__array_param(b, kids.items[i], &copy, "parameter");
            if (st != RG_OK) return st;
            b->p->params[at] = copy;
            rg__bind_param(b, rg__decl_key(b->u, kids.items[i]), at, false);
        }
    }
    for (int i = 0, arg = 0; i < kids.n; i++)
        if (b->c->getCursorKind(kids.items[i]) == CXCursor_ParmDecl && b->args[arg++].end_of >= 0)
            rg__bind_end(b, kids.items[i], arg - 1);
    CXType result = b->c->getResultType(type);
    b->p->return_c = rg__type_name(b->u, result, a);
    if (b->c->getCanonicalType(result).kind == CXType_Void) return RG_OK;
    struct rg_param *p;
    enum rg_status st;
    if (b->c->getCanonicalType(result).kind == CXType_Pointer) {
        st = rg__returned_param(b, f, result);
        p = &b->p->params[b->p->n_params - 1];
    } else {
        p = rg__add_param(b, "result", RG_PARAM_ARRAY, RG_ORIGIN_RESULT);
        st = rg__param_element(b, f->cursor, result, "the return value of", f->name, p);
    }
    if (st != RG_OK) return st;
    p->role = RG_ROLE_OUT;
    p->c_const = false;
    p->n_dims = 1;
    p->dims = rg_arena_alloc(a, sizeof *p->dims);
    p->dims[0] = rg__int_expr(a, 1);
    rg__bind_param(b, 0, b->p->n_params - 1, false);
    b->t->result_array = b->t->n_arrays - 1;
    return RG_OK;
}

struct rg_cnode *rg__build_length_param(struct rg__build *b, const struct rg_cnode *array, bool written)
{
    struct rg_arena *a = &b->p->arena;
    if (b->helper || array->kind != RG_C_VAR || array->array < 0) return NULL;
    int parent = b->t->arrays[array->array].param;
    if (parent < 0) return NULL;
    const struct rg_param *q = &b->p->params[parent];
    bool bytes = q->elem == RG_CHAR || q->elem == RG_I8 || q->elem == RG_U8;
    if (!bytes || q->n_dims != 1 || (!q->c_const && !written) || q->origin == RG_ORIGIN_RESULT) return NULL;
    for (int v = 0; v < b->t->n_vars; v++) {
        int i = b->t->vars[v].kind == RG_CVAR_PARAM ? b->t->vars[v].param : -1;
        if (i >= 0 && b->origins[i].layout == RG__LENGTH && b->origins[i].parent == parent) return rg__c_var(b->t, v);
    }
    struct rg_param *p = rg__add_param(b, "", RG_PARAM_SCALAR, RG_ORIGIN_GLOBAL);
    int index = b->p->n_params - 1,
        v = rg__c_add_var(b->t, rg_arena_printf(a, "%s_len", b->p->params[parent].name), RG_CVAR_PARAM, RG_ULONG);
    b->t->vars[v].param = index;
    p->name = rg_arena_strdup(a, b->t->vars[v].name);
    p->c_name = rg_arena_printf(a, "%s.len", rg_param_shown(&b->p->params[parent]));
    p->elem = RG_ULONG;
    p->elem_bytes = (int64_t)rg_scalar_bytes(RG_ULONG);
    p->c_elem = rg_scalar_c(RG_ULONG);
    p->c_decl = rg_arena_printf(a, "%s %s", p->c_elem, p->name);
    b->origins[index].layout = RG__LENGTH;
    b->origins[index].parent = parent;
    struct rg_param *s = &b->p->params[parent];
    if (!s->dims[0]) { /* the string and its NUL */
        struct rg_cnode *end = rg__c_binary(b->t, RG_COP_ADD, rg__c_var(b->t, v), rg__c_int(b->t, 1));
        s->dims = rg_arena_alloc(a, sizeof *s->dims);
        s->dims[0] = rg__c_to_expr(b->t, end, a);
        s->extent_inferred = true;
        b->t->arrays[array->array].dims = s->dims;
    }
    struct rg__directive d = {
        .name = s->name, .text = rg_arena_printf(a, "string(%s, 97, 100)", p->name), .file = "", .option = true};
    rg__parse_input(a, &d, &s->input, NULL);
    return rg__c_var(b->t, v);
}

int rg__build_part_param(struct rg__build *b, CXCursor member, CXType t, const char *name, const char *shown,
                         bool written, struct rg_cnode **node, const char **problem)
{
    struct rg_arena *a = &b->p->arena;
    bool pointer = rg__type_is_pointer(b->u, t), scalar = rg__is_scalar_type(b, t), cell = scalar && written;
    struct rg_param *p = rg__add_param(b, name, scalar && !cell ? RG_PARAM_SCALAR : RG_PARAM_ARRAY, RG_ORIGIN_GLOBAL);
    int index = b->p->n_params - 1;
    p->c_decl = rg_arena_printf(a, "%s %s", rg__type_name(b->u, t, a), name);
    struct rg_param copy = *p;
    enum rg_status st =
        scalar ? rg__param_element(b, member, t, "member", shown, &copy) : rg__array_param(b, member, &copy, "member");
    if (st != RG_OK) return -1;
    copy.name = name;
    copy.indirect = true;
    if (scalar && !cell) copy.c_const = false;
    if (cell) {
        copy.n_dims = 1;
        copy.dims = rg_arena_alloc(a, sizeof *copy.dims);
        copy.dims[0] = rg__int_expr(a, 1);
    }
    if (pointer && b->c->isVolatileQualifiedType(b->c->getPointeeType(b->c->getCanonicalType(t)))) {
        *problem = "points to volatile memory";
        return -1;
    }
    b->p->params[index] = copy;
    b->origins[index].pointer = pointer;
    b->origins[index].name = shown;
    if (copy.kind == RG_PARAM_SCALAR) {
        *node = rg__c_var(b->t, bind_variable(b, index, false));
    } else {
        struct rg_cnode *zero = rg__c_int(b->t, 0);
        *node = rg_cnode_new(b->t, RG_C_VAR, 0);
        (*node)->array = bind_array(b, index);
        (*node)->type = copy.elem;
        (*node)->struct_index = copy.struct_index;
        (*node)->pointer = true;
        if (cell) *node = rg__c_index(b->t, (*node)->array, 1, &zero);
    }
    b->p->params[index].c_name = shown;
    return index;
}

int rg__build_column_param(struct rg__build *b, CXCursor member, CXType t, const char *name, const char *shown,
                           bool is_const, const char **problem)
{
    struct rg_arena *a = &b->p->arena;
    const bool pointer = rg__type_is_pointer(b->u, t), scalar = rg__is_scalar_type(b, t);
    struct rg_param copy = *rg__add_param(b, name, RG_PARAM_ARRAY, RG_ORIGIN_GLOBAL);
    const int index = b->p->n_params - 1;
    enum rg_status st =
        scalar ? rg__param_element(b, member, t, "member", shown, &copy) : rg__array_param(b, member, &copy, "member");
    if (st != RG_OK) return -1;
    if (copy.rows || (pointer && copy.n_dims != 1))
        *problem = "of an array of structures leads to rows that lie anywhere; use one block";
    if (pointer && b->c->isVolatileQualifiedType(b->c->getPointeeType(b->c->getCanonicalType(t))))
        *problem = "points to volatile memory";
    if (*problem) return -1;
    const struct rg_expr **dims = rg_arena_alloc(a, (size_t)(copy.n_dims + 1) * sizeof *dims);
    dims[0] = NULL;
    for (int d = 0; d < copy.n_dims; d++) dims[d + 1] = copy.dims[d];
    copy.dims = dims;
    copy.n_dims++;
    copy.name = name;
    copy.indirect = true;
    copy.rows = pointer;
    if (!pointer) copy.c_const |= is_const;
    copy.c_decl = rg_arena_printf(a, "%s%s *%s%s", copy.c_const ? "const " : "", copy.c_elem, pointer ? "*" : "", name);
    b->p->params[index] = copy;
    b->origins[index].pointer = pointer;
    b->origins[index].name = shown;
    const int array = bind_array(b, index);
    b->p->params[index].c_name = shown;
    return array;
}

void rg__derive_var(struct rg__build *b, int v, const struct rg_expr *value)
{
    struct rg_arena *a = &b->p->arena;
    const char *name = b->t->vars[v].name;
    enum rg_scalar type = b->t->vars[v].type;
    struct rg_param *p = rg__add_param(b, rg_arena_strdup(a, name), RG_PARAM_SCALAR, RG_ORIGIN_DERIVED);
    int index = b->p->n_params - 1;
    p->elem = type;
    p->elem_bytes = (int64_t)rg_scalar_bytes(type);
    p->c_elem = rg_scalar_c(type);
    p->derived = value;
    p->c_decl = rg_arena_printf(a, "%s %s", p->c_elem, name);
    b->t->vars[v].param = index;
    rename_param(b, p, b->t->vars[v].name);
}

int rg__build_derived_param(struct rg__build *b, const char *name, enum rg_scalar type, const struct rg_expr *value)
{
    int v = rg__c_add_var(b->t, name, RG_CVAR_PARAM, type);
    rg__derive_var(b, v, value);
    return v;
}

void rg__rename_derived(struct rg_problem *p, int param, const char *name)
{
    p->params[param].name = rg_arena_strdup(&p->arena, name);
    p->params[param].c_name = NULL;
}
