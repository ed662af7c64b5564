/* Parameters of the problem: the function's own, its result, and the file-scope variables it touches. */
#include "frontend/build.h"
#include "frontend/directive.h"
#include <stdlib.h>
#include <string.h>

static bool is_array_kind(CXType t)
{
    return t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray || t.kind == CXType_VariableArray;
}

/* A parameter's type as written: its canonical form has decayed already. */
static CXType array_form(struct rg__build *b, CXType t)
{
    return is_array_kind(t) ? t : b->c->getCanonicalType(t);
}

int rg__declared_dims(struct rg__build *b, CXCursor decl, const struct rg_expr **dims, int max)
{
    const struct rg__source *s = &b->u->src;
    struct rg_arena *a = &b->p->arena;
    struct rg__children kids = rg__cursor_children(b->u, decl, a);
    int k = rg__tok_from(s, rg__decl_key(b->u, decl)) + 1, n = 0;
    while (rg__tok_is(s, k, ")")) k++;
    while (rg__tok_is(s, k, "[") && n < max) {
        int depth = 0;
        uint32_t from = s->toks[k].at;
        for (; k < s->n_toks; k++) {
            if (rg__tok_is(s, k, "[")) depth++;
            if (rg__tok_is(s, k, "]") && --depth == 0) break;
        }
        uint32_t to = k < s->n_toks ? s->toks[k].at : (uint32_t)s->len;
        k++;
        dims[n] = NULL;
        for (int i = 0; i < kids.n; i++) {
            uint32_t at = rg__cursor_at(b->u, kids.items[i]);
            if (at <= from || at >= to) continue;
            int64_t v;
            struct rg_cnode *e;
            if (rg__eval_int(b->u, kids.items[i], &v))
                e = rg__c_int(b->t, v);
            else
                e = rg__build_expr(b, kids.items[i]);
            dims[n] = e ? rg__c_to_expr(b->t, e, a) : NULL;
        }
        n++;
    }
    return n;
}

static const struct rg_expr *int_expr(struct rg_arena *a, int64_t v)
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
    CXType t = array_form(b, type);
    if (t.kind == CXType_Pointer) {
        if (n == max) return -1;
        dims[n++] = NULL;
        t = array_form(b, b->c->getPointeeType(t));
    }
    while (is_array_kind(t)) {
        if (n == max) return -1;
        if (t.kind == CXType_ConstantArray) {
            dims[n++] = int_expr(&b->p->arena, b->c->getArraySize(t));
            if (w < n_written) w++;
        } else {
            const struct rg_expr *d = w < n_written ? written[w++] : NULL;
            if (!d && n > 0) return -1;
            dims[n++] = d;
        }
        t = array_form(b, b->c->getArrayElementType(t));
    }
    *elem = t;
    return n;
}

static struct rg_param *add_param(struct rg__build *b, const char *name, enum rg_param_kind kind, enum rg_origin origin)
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

/* Element type of a parameter: scalar or struct. */
static enum rg_status element(struct rg__build *b, CXCursor decl, CXType t, const char *what, const char *name,
                              struct rg_param *p)
{
    p->c_const = b->c->isConstQualifiedType(t);
    if (b->c->isVolatileQualifiedType(t)) return refuse(b, decl, what, name, "is volatile");
    enum CXTypeKind kind = b->c->getCanonicalType(t).kind;
    if (kind == CXType_LongDouble || kind == CXType_Float128) return refuse(b, decl, what, name, "is long double, which no GPU has; use double");
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
    if (c.kind == CXType_Pointer || is_array_kind(c)) {
        CXType e = c;
        while (e.kind == CXType_Pointer || is_array_kind(e))
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
        return refuse(b, decl, what, name, rg_arena_printf(&b->p->arena, "is a pointer to a function, and a kernel must know which: write a function that calls this one with a function of the file for "
                                      "'%s', and name it with --function", name));
    if (c.kind == CXType_Complex)
        return refuse(b, decl, what, name, "is complex of long double, which no GPU has, or of integers; use double complex, or two arrays");
    return refuse(b, decl, what, name,
                  rg_arena_printf(&b->p->arena, "has the type '%s', which cannot be transferred",
                                  rg__type_name(b->u, t, &b->p->arena)));
}

/* Kernels need a name that CUDA C++ takes and no other variable has; people keep theirs. */
static void rename_param(struct rg_param *p, const char *unique)
{
    if (strcmp(p->name, unique) && !p->c_name) p->c_name = p->name;
    p->name = unique;
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
    rename_param(p, x->name);
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
    rename_param(p, v->name);
    return var;
}

static void bind_param(struct rg__build *b, uint32_t key, int param, bool cell)
{
    if (b->p->params[param].kind == RG_PARAM_ARRAY) {
        int array = bind_array(b, param);
        rg__sym_add(b, key, cell ? RG__SYM_CELL : RG__SYM_ARRAY)->array = array;
    } else {
        int var = bind_variable(b, param, rg__is_written(b, key));
        rg__sym_add(b, key, RG__SYM_VAR)->var = var;
    }
}

static const char *declaration_text(struct rg__build *b, CXCursor decl)
{
    struct rg_buf text = RG_BUF_INIT;
    rg__source_slice(&b->u->src, rg__cursor_at(b->u, decl), rg__cursor_end(b->u, decl), &text);
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] == '\n') text.data[i] = ' ';
    const char *s = rg_arena_strdup(&b->p->arena, text.data);
    rg_buf_release(&text);
    return s;
}

static bool is_scalar_type(struct rg__build *b, CXType t)
{
    return !is_array_kind(array_form(b, t)) && b->c->getCanonicalType(t).kind != CXType_Pointer;
}

static enum rg_status array_param(struct rg__build *b, CXCursor decl, struct rg_param *p, const char *what)
{
    const struct rg_expr *dims[8];
    CXType elem = b->c->getCursorType(decl);
    int n = rg__array_dims(b, decl, elem, dims, 8, &elem);
    while (n > 0 && n < 3 && b->c->getCanonicalType(elem).kind == CXType_Pointer) { /* T **: rows, each as long as the others */
        if (dims[n - 1] && n == 1) dims[0] = NULL; /* T *a[N] of a parameter is T ** */
        dims[n++] = NULL;
        elem = array_form(b, b->c->getPointeeType(b->c->getCanonicalType(elem)));
        p->indirect = p->rows = true;
    }
    if (n < 0)
        return refuse(b, decl, what, p->name,
                      "has a size that is no integer expression of integer parameters and constants");
    p->n_dims = n;
    p->dims = rg_arena_alloc(&b->p->arena, (size_t)n * sizeof *p->dims);
    memcpy(p->dims, dims, (size_t)n * sizeof *p->dims);
    return element(b, decl, elem, what, p->name, p);
}

enum rg_status rg__build_params(struct rg__build *b, const struct rg__function *f)
{
    struct rg_arena *a = &b->p->arena;
    CXType type = b->c->getCursorType(f->cursor);
    struct rg__children kids = rg__cursor_children(b->u, f->cursor, a);
    if (b->c->isFunctionTypeVariadic(type))
        return rg_error_at(b->err, RG_INPUT, f->file, f->line, 0, "'%s' takes a variable number of arguments", f->name);
    int first = b->p->n_params;
    for (int i = 0; i < kids.n; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        CXType t = b->c->getCursorType(kids.items[i]);
        const char *name = rg__cursor_name(b->u, kids.items[i], a);
        if (!*name) name = rg_arena_printf(a, "arg%d", b->p->n_params - first);
        bool scalar = is_scalar_type(b, t);
        RG_GROW(b->args, b->n_args, b->cap_args);
        b->args[b->n_args++] = (struct rg__arg){-1, -1, false, declaration_text(b, kids.items[i])};
        if (rg__flat_is(b, t)) {
            enum rg_status st = rg__flat_param(b, f, kids.items[i]);
            if (st != RG_OK) return st;
            continue;
        }
        struct rg_param *p = add_param(b, name, scalar ? RG_PARAM_SCALAR : RG_PARAM_ARRAY, RG_ORIGIN_ARG);
        b->args[b->n_args - 1].param = b->p->n_params - 1;
        p->c_decl = b->args[b->n_args - 1].c_decl;
        if (!scalar) continue; /* their sizes may name any scalar: second pass */
        enum rg_status st = element(b, kids.items[i], t, "parameter", name, p);
        if (st != RG_OK) return st;
        p->c_const = false;
        bind_param(b, rg__decl_key(b->u, kids.items[i]), b->p->n_params - 1, false);
    }
    for (int i = 0, arg = 0; i < kids.n; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        int at = b->args[arg++].param;
        if (at >= 0 && b->p->params[at].kind == RG_PARAM_ARRAY) {
            struct rg_param copy = b->p->params[at]; /* the table may grow when a size names a file-scope variable */
            enum rg_status st = array_param(b, kids.items[i], &copy, "parameter");
            if (st != RG_OK) return st;
            b->p->params[at] = copy;
            bind_param(b, rg__decl_key(b->u, kids.items[i]), at, false);
        }
    }
    CXType result = b->c->getResultType(type);
    b->p->return_c = rg__type_name(b->u, result, a);
    if (b->c->getCanonicalType(result).kind == CXType_Void) return RG_OK;
    if (b->c->getCanonicalType(result).kind == CXType_Pointer) {
        b->refused = true;
        return rg_error_at(b->err, RG_INPUT, f->file, f->line, 0,
                           "'%s' returns a pointer ('%s'), which leads to memory nobody can compare; let it write into an "
                           "array that the caller gives as a parameter, and return void or a number",
                           f->name, b->p->return_c);
    }
    struct rg_param *p = add_param(b, "result", RG_PARAM_ARRAY, RG_ORIGIN_RESULT);
    enum rg_status st = element(b, f->cursor, result, "the return value of", f->name, p);
    if (st != RG_OK) return st;
    p->role = RG_ROLE_OUT;
    p->c_const = false;
    p->n_dims = 1;
    p->dims = rg_arena_alloc(a, sizeof *p->dims);
    p->dims[0] = int_expr(a, 1);
    bind_param(b, 0, b->p->n_params - 1, false);
    b->t->result_array = b->t->n_arrays - 1;
    return RG_OK;
}

/* Is every use of the pointer parameter `name` a read of a member: name->x, (*name).x? */
static bool only_members_read(struct rg__build *b, const char *name)
{
    static const char *const writes[] = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--"};
    const struct rg__source *s = &b->u->src;
    uint32_t end = rg__cursor_end(b->u, b->scope);
    for (int k = rg__tok_from(s, rg__cursor_at(b->u, b->scope)); k < s->n_toks && s->toks[k].at < end; k++) {
        if (!rg__tok_is(s, k, name) || rg__tok_is(s, k - 1, ".") || rg__tok_is(s, k - 1, "->")) continue;
        int after = k + 1;
        if (rg__tok_is(s, k - 1, "*") && rg__tok_is(s, k - 2, "(") && rg__tok_is(s, after, ")") &&
            rg__tok_is(s, after + 1, "."))
            after += 3;
        else if (rg__tok_is(s, after, "->"))
            after += 2;
        else
            return false;
        for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
            if (rg__tok_is(s, after, writes[i])) return false;
        if (rg__tok_is(s, k - 1, "++") || rg__tok_is(s, k - 1, "--") || rg__tok_is(s, k - 1, "&")) return false;
    }
    return true;
}

struct rg_cnode *rg__build_field_param(struct rg__build *b, const struct rg_cnode *base, const char *member,
                                       CXType type)
{
    enum rg_scalar s;
    if (b->helper || (b->n_inlining > 1 && base->kind != RG_C_VAR) || !rg__type_scalar(b->u, type, &s) || !rg__scalar_is_int(s)) return NULL;
    int parent = -1;
    if (base->kind == RG_C_VAR && base->array < 0 && b->t->vars[base->var].kind == RG_CVAR_PARAM &&
        !b->t->vars[base->var].assigned)
        parent = b->t->vars[base->var].param;
    if (base->kind == RG_C_INDEX && base->n == 1 && base->kid[0]->kind == RG_C_INT && base->kid[0]->ivalue == 0)
        parent = b->t->arrays[base->array].param;
    if (parent < 0 || b->p->params[parent].origin != RG_ORIGIN_ARG || b->p->params[parent].elem != RG_STRUCT)
        return NULL;
    if (base->kind == RG_C_INDEX && !only_members_read(b, b->origins[parent].name)) return NULL;
    for (int v = 0; v < b->t->n_vars; v++) {
        int q = b->t->vars[v].kind == RG_CVAR_PARAM ? b->t->vars[v].param : -1;
        if (q >= 0 && b->origins[q].layout == RG__FIELD && b->origins[q].parent == parent &&
            !strcmp(b->origins[q].member, member))
            return rg__c_var(b->t, v);
    }
    struct rg_arena *a = &b->p->arena;
    const char *name = rg_arena_printf(a, "%s_%s", b->p->params[parent].name, member);
    struct rg_param *p = add_param(b, name, RG_PARAM_SCALAR, RG_ORIGIN_GLOBAL);
    int index = b->p->n_params - 1;
    p->elem = s;
    p->elem_bytes = (int64_t)rg_scalar_bytes(s);
    p->c_elem = rg_scalar_c(s);
    p->c_decl = rg_arena_printf(a, "%s %s", p->c_elem, name);
    b->origins[index].layout = RG__FIELD;
    b->origins[index].parent = parent;
    b->origins[index].member = rg_arena_strdup(a, member);
    int v = rg__c_add_var(b->t, name, RG_CVAR_PARAM, s);
    b->t->vars[v].param = index;
    b->p->params[index].name = b->t->vars[v].name;
    b->p->params[index].c_name = rg_arena_printf(a, "%s.%s", rg_param_shown(&b->p->params[parent]), member);
    return rg__c_var(b->t, v);
}

struct rg_cnode *rg__build_length_param(struct rg__build *b, const struct rg_cnode *array)
{
    struct rg_arena *a = &b->p->arena;
    if (b->helper || array->kind != RG_C_VAR || array->array < 0) return NULL;
    int parent = b->t->arrays[array->array].param;
    if (parent < 0) return NULL;
    const struct rg_param *q = &b->p->params[parent];
    bool bytes = q->elem == RG_CHAR || q->elem == RG_I8 || q->elem == RG_U8;
    if (!bytes || q->n_dims != 1 || !q->c_const || q->origin == RG_ORIGIN_RESULT) return NULL;
    for (int v = 0; v < b->t->n_vars; v++) {
        int i = b->t->vars[v].kind == RG_CVAR_PARAM ? b->t->vars[v].param : -1;
        if (i >= 0 && b->origins[i].layout == RG__LENGTH && b->origins[i].parent == parent) return rg__c_var(b->t, v);
    }
    struct rg_param *p = add_param(b, "", RG_PARAM_SCALAR, RG_ORIGIN_GLOBAL);
    int index = b->p->n_params - 1, v = rg__c_add_var(b->t, rg_arena_printf(a, "%s_len", b->p->params[parent].name), RG_CVAR_PARAM, RG_ULONG);
    b->t->vars[v].param = index;
    p->name = b->t->vars[v].name;
    p->c_name = rg_arena_printf(a, "%s.len", rg_param_shown(&b->p->params[parent]));
    p->elem = RG_ULONG;
    p->elem_bytes = (int64_t)rg_scalar_bytes(RG_ULONG);
    p->c_elem = rg_scalar_c(RG_ULONG);
    p->c_decl = rg_arena_printf(a, "%s %s", p->c_elem, p->name);
    b->origins[index].layout = RG__LENGTH;
    b->origins[index].parent = parent;
    struct rg_param *s = &b->p->params[parent];
    if (!s->dims[0]) { /* the string and its NUL */
        struct rg_cnode *end = rg__c_binary(b->t, "+", rg__c_var(b->t, v), rg__c_int(b->t, 1));
        s->dims = rg_arena_alloc(a, sizeof *s->dims);
        s->dims[0] = rg__c_to_expr(b->t, end, a);
        s->extent_inferred = true;
        b->t->arrays[array->array].dims = s->dims;
    }
    struct rg__directive d = {.name = s->name, .text = rg_arena_printf(a, "string(%s, 97, 100)", p->name), .file = "", .option = true};
    rg__parse_input(a, &d, &s->input, NULL);
    return rg__c_var(b->t, v);
}

int rg__build_part_param(struct rg__build *b, CXCursor member, const char *name, const char *shown, bool written, struct rg_cnode **node,
                         const char **problem)
{
    struct rg_arena *a = &b->p->arena;
    CXType t = b->c->getCursorType(member);
    bool pointer = rg__type_is_pointer(b->u, t), scalar = is_scalar_type(b, t), cell = scalar && written;
    struct rg_param *p = add_param(b, name, scalar && !cell ? RG_PARAM_SCALAR : RG_PARAM_ARRAY, RG_ORIGIN_GLOBAL);
    int index = b->p->n_params - 1;
    p->c_decl = rg_arena_printf(a, "%s %s", rg__type_name(b->u, t, a), name);
    struct rg_param copy = *p;
    enum rg_status st = scalar ? element(b, member, t, "member", shown, &copy) : array_param(b, member, &copy, "member");
    if (st != RG_OK) return -1;
    copy.name = name;
    copy.indirect = true;
    if (scalar && !cell) copy.c_const = false;
    if (cell) {
        copy.n_dims = 1;
        copy.dims = rg_arena_alloc(a, sizeof *copy.dims);
        copy.dims[0] = int_expr(a, 1);
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

int rg__build_derived_param(struct rg__build *b, const char *name, enum rg_scalar type, const struct rg_expr *value)
{
    struct rg_arena *a = &b->p->arena;
    struct rg_param *p = add_param(b, rg_arena_strdup(a, name), RG_PARAM_SCALAR, RG_ORIGIN_DERIVED);
    int index = b->p->n_params - 1, v = rg__c_add_var(b->t, name, RG_CVAR_PARAM, type);
    p->elem = type;
    p->elem_bytes = (int64_t)rg_scalar_bytes(type);
    p->c_elem = rg_scalar_c(type);
    p->derived = value;
    p->c_decl = rg_arena_printf(a, "%s %s", p->c_elem, name);
    b->t->vars[v].param = index;
    rename_param(p, b->t->vars[v].name);
    return v;
}

void rg__rename_derived(struct rg_problem *p, int param, const char *name)
{
    p->params[param].name = rg_arena_strdup(&p->arena, name);
    p->params[param].c_name = NULL;
}

static CXCursor initialiser(struct rg__build *b, CXCursor decl)
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

static struct rg__sym *table(struct rg__build *b, CXCursor decl, CXType type, const char *name)
{
    const struct rg_expr *dims[8];
    CXType elem;
    int n = rg__array_dims(b, decl, type, dims, 8, &elem);
    struct rg_param p = {.name = name, .struct_index = -1};
    if (n <= 0 || !dims[0] || element(b, decl, elem, "table", name, &p) != RG_OK) return NULL;
    struct rg__sym *s = rg__sym_add(b, rg__decl_key(b->u, decl), RG__SYM_ARRAY);
    s->array = rg__c_add_array(b->t, name, p.elem);
    s->global = true;
    struct rg_carray *x = &b->t->arrays[s->array];
    x->struct_index = p.struct_index;
    x->c_elem = p.c_elem;
    x->n_dims = n;
    x->dims = rg_arena_alloc(&b->t->arena, (size_t)n * sizeof *x->dims);
    memcpy(x->dims, dims, (size_t)n * sizeof *x->dims);
    x->constant_table = x->is_const = true;
    RG_GROW(b->device_tables, b->n_device_tables, b->cap_device_tables);
    b->device_tables[b->n_device_tables++] = rg__decl_key(b->u, decl);
    return s;
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
    struct rg_arena *a = &b->p->arena;
    if (rg__source_place(&b->u->src, key).system) return NULL; /* stderr, errno */
    enum CX_StorageClass storage = b->c->Cursor_getStorageClass(decl);
    for (int i = 0; i < b->u->n_functions && storage != CX_SC_Static && storage != CX_SC_Extern; i++)
        if (key >= b->u->functions[i].at && key < b->u->functions[i].end) return NULL; /* a local one that its declaration gave up */
    CXType type = b->c->getCursorType(decl);
    const char *name = rg__cursor_name(b->u, decl, a);
    bool written = rg__is_written(b, key), is_static = b->c->Cursor_getStorageClass(decl) == CX_SC_Static;
    CXCursor init = initialiser(b, decl);
    bool has_init = !b->c->Cursor_isNull(init);
    bool scalar = is_scalar_type(b, type);
    CXType elem = type;
    while (is_array_kind(array_form(b, elem))) elem = b->c->getArrayElementType(array_form(b, elem));
    bool constant_value = has_init && !written && (is_static || b->c->isConstQualifiedType(elem));
    enum rg_scalar s;
    if (scalar && constant_value && rg__type_scalar(b->u, type, &s)) {
        struct rg__sym *v = constant(b, decl, init, s);
        if (v) return v;
    }
    if (!scalar && constant_value && b->c->getCanonicalType(type).kind != CXType_Pointer)
        return table(b, decl, type, name);
    if (b->helper) { /* a device function sees constants only */
        b->helper_impure = true;
        return NULL;
    }
    bool outside = rg__unit_linked(b->u, key);
    if (outside && is_static) return NULL; /* nothing of ours gets at it */
    bool cell = scalar && written;
    bool pointer = b->c->getCanonicalType(type).kind == CXType_Pointer;
    struct rg_param *p = add_param(b, name, scalar && !cell ? RG_PARAM_SCALAR : RG_PARAM_ARRAY, RG_ORIGIN_GLOBAL);
    struct rg_param copy = *p;
    int index = b->p->n_params - 1;
    b->origins[index].layout = scalar ? RG__FILE_VALUE : pointer ? RG__FILE_POINTER : RG__FILE_ARRAY;
    copy.c_decl = declaration_text(b, decl);
    b->origins[index].outside = outside;
    enum rg_status st;
    if (scalar) {
        st = element(b, decl, type, "file-scope variable", name, &copy);
        if (cell) {
            copy.n_dims = 1;
            copy.dims = rg_arena_alloc(a, sizeof *copy.dims);
            copy.dims[0] = int_expr(a, 1);
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
        st = array_param(b, decl, &copy, "file-scope variable");
    }
    b->p->params[index] = copy;
    if (st != RG_OK) return NULL;
    bind_param(b, key, index, cell);
    struct rg__sym *bound = rg__sym_find(b, key);
    bound->global = true;
    return bound;
}
