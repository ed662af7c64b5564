/* File-scope variables of a body that runs as it is written: it and the functions that it calls name them, so that on
 * the device they are file-scope variables too. What the problem has as parameters is copied in before the body runs
 * and out behind it; the others start as the file says, as in a process of their own. */
#include "frontend/read/build.h"
#include "frontend/read/helper_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct search {
    struct rg__build *b;
    bool *seen; /* by unit function */
};

static void visit(struct search *s, int function);

/* In C's order of words, for a variable of the device; NULL: no type that a device has. */
const char *rg__device_type(struct rg__build *b, CXType t)
{
    enum rg_scalar s;
    if (rg__type_scalar(b->u, t, &s)) return rg_scalar_cuda(s);
    if (rg__type_is_record(b->u, t)) return rg__plain_type(b, t);
    if (!rg__type_is_pointer(b->u, t)) return NULL;
    CXType to = b->c->getPointeeType(b->c->getCanonicalType(t));
    const char *inner = rg__device_type(b, to);
    if (!inner) return NULL;
    return rg_arena_printf(&b->p->arena, "%s%s *", inner, b->c->isConstQualifiedType(to) ? " const" : "");
}

/* As the file initialises it; NULL: by zeros. *constant: it could be worked out, or there was nothing to. */
static const char *value_text(struct rg__build *b, CXCursor decl, enum rg_scalar s, bool *constant)
{
    CXCursor init = rg__initialiser(b, decl);
    int64_t i;
    double r;
    *constant = true;
    if (b->c->Cursor_isNull(init)) return NULL;
    if (rg__scalar_is_int(s) && rg__eval_int(b->u, init, &i))
        return rg_arena_printf(&b->p->arena, "%lld", (long long)i);
    if (!rg__scalar_is_int(s) && rg__eval_real(b->u, init, &r) && isfinite(r))
        return rg_arena_printf(&b->p->arena, "%.17g", r);
    *constant = false;
    return NULL;
}

static bool local_to_a_function(const struct rg__build *b, uint32_t key)
{
    for (int i = 0; i < b->u->n_functions; i++)
        if (key >= b->u->functions[i].at && key < b->u->functions[i].end) return true;
    return false;
}

static int param_of(const struct rg__build *b, const char *name)
{
    for (int i = 0; i < b->p->n_params; i++)
        if (b->p->params[i].origin == RG_ORIGIN_GLOBAL && b->origins[i].layout <= RG__FILE_POINTER &&
            b->origins[i].name && !strcmp(b->origins[i].name, name))
            return i;
    return -1;
}

static void add_table(struct rg__build *b, uint32_t key, const char *name)
{
    for (int i = 0; i < b->n_device_tables; i++)
        if (b->device_tables[i].key == key && !strcmp(b->device_tables[i].name, name)) return;
    RG_GROW(b->device_tables, b->n_device_tables, b->cap_device_tables);
    b->device_tables[b->n_device_tables++] = (struct rg__table){.key = key, .name = name};
}

bool rg__device_state_table(struct rg__build *b, CXCursor decl)
{
    CXCursor def = b->c->getCursorDefinition(decl);
    if (!b->c->Cursor_isNull(def)) decl = def;
    uint32_t key = rg__decl_key(b->u, decl);
    CXType elem = b->c->getCursorType(decl);
    const char *name = rg__cursor_name(b->u, decl, &b->p->arena);
    enum rg_scalar s;
    bool given = !b->c->Cursor_isNull(rg__initialiser(b, decl)), is_array = rg__type_is_array(b->u, elem);
    while (rg__type_is_array(b->u, elem)) elem = b->c->getArrayElementType(elem); /* qualified, as it is written */
    bool plain = rg__type_scalar(b->u, elem, &s) || rg__type_is_record(b->u, elem),
         stays = b->c->isConstQualifiedType(elem) ||
                 (!rg__is_written(b, key) && b->c->Cursor_getStorageClass(decl) == CX_SC_Static);
    if (!given || !is_array || !plain || !stays || rg__source_place(&b->u->src, key).system ||
        local_to_a_function(b, key) || rg__unit_linked(b->u, key))
        return false;
    for (int i = 0; i < b->n_device_tables; i++)
        if (b->device_tables[i].key != key && !strcmp(b->device_tables[i].name, name)) return false;
    add_table(b, key, name);
    return true;
}

static void variable(struct rg__build *b, CXCursor decl)
{
    CXCursor def = b->c->getCursorDefinition(decl);
    if (!b->c->Cursor_isNull(def)) decl = def;
    uint32_t key = rg__decl_key(b->u, decl);
    if (rg__source_place(&b->u->src, key).system || local_to_a_function(b, key) || rg__unit_linked(b->u, key)) return;
    for (int i = 0; i < b->n_state; i++)
        if (b->state[i].key == key) return;
    CXType type = b->c->getCursorType(decl), elem = type;
    struct rg_buf dims = RG_BUF_INIT;
    bool is_const = b->c->isConstQualifiedType(type);
    for (; rg__type_is_array(b->u, elem); elem = b->c->getArrayElementType(b->c->getCanonicalType(elem))) {
        CXType written = b->c->getArrayElementType(elem); /* the canonical type of records is without it */
        is_const = is_const || (written.kind != CXType_Invalid && b->c->isConstQualifiedType(written));
        rg_buf_printf(&dims, "[%lld]", (long long)b->c->getArraySize(b->c->getCanonicalType(elem)));
    }
    is_const = is_const || b->c->isConstQualifiedType(elem);
    struct rg__state v = {.key = key,
                          .name = rg__cursor_name(b->u, decl, &b->p->arena),
                          .type = rg__device_type(b, elem),
                          .dims = rg_arena_strdup(&b->p->arena, dims.data ? dims.data : "")};
    rg_buf_release(&dims);
    enum rg_scalar s = RG_LLONG;
    bool scalar = rg__type_scalar(b->u, type, &s), constant = false;
    bool never_set = is_const || (!rg__is_written(b, key) && b->c->Cursor_getStorageClass(decl) == CX_SC_Static);
    v.param = param_of(b, v.name);
    if (scalar) v.value = value_text(b, decl, s, &constant);
    v.constant = never_set && scalar && constant && v.value && v.param < 0;
    if (never_set && v.dims[0] && v.param < 0 && !b->c->Cursor_isNull(rg__initialiser(b, decl))) {
        add_table(b, key, v.name);
        return;
    }
    bool rows = v.param >= 0 && b->p->params[v.param].indirect; /* a table of pointers, where kernels get one block */
    if (!v.type || rows || (!v.constant && is_const)) return;
    RG_GROW(b->state, b->n_state, b->cap_state);
    b->state[b->n_state++] = v;
}

static void look(void *arg, CXCursor c)
{
    struct search *s = arg;
    struct rg__build *b = s->b;
    if (b->c->getCursorKind(c) != CXCursor_DeclRefExpr) return;
    CXCursor d = b->c->getCursorReferenced(c);
    enum CXCursorKind k = b->c->getCursorKind(d);
    if (k == CXCursor_VarDecl)
        variable(b, d);
    else if (k == CXCursor_FunctionDecl)
        visit(s, rg__unit_function(b->u, d));
}

static void visit(struct search *s, int function)
{
    const struct rg__unit *u = s->b->u;
    if (function < 0 || s->seen[function] || rg__source_place(&u->src, u->functions[function].at).system) return;
    s->seen[function] = true;
    rg__cursor_walk(u, u->functions[function].body, look, s);
}

void rg__device_state_find(struct rg__build *b, int function)
{
    struct search s = {b, rg_xcalloc((size_t)b->u->n_functions + 1, sizeof(bool))};
    visit(&s, function);
    free(s.seen);
}

void rg__device_state_declare(const struct rg__build *b, struct rg_buf *out)
{
    for (int i = 0; i < b->n_state; i++) {
        const struct rg__state *v = &b->state[i];
        if (v->constant)
            rg_buf_printf(out, "__constant__ const %s %s = %s;\n", v->type, v->name, v->value);
        else
            rg_buf_printf(out, "__device__ %s %s%s;\n", v->type, v->name, v->dims);
    }
}

bool rg__device_state_has(const struct rg__build *b, int param)
{
    for (int i = 0; i < b->n_state; i++)
        if (b->state[i].param == param) return true;
    return false;
}

void rg__device_state_enter(const struct rg__build *b, struct rg_buf *out)
{
    for (int i = 0; i < b->n_state; i++) {
        const struct rg__state *v = &b->state[i];
        const char *n = v->name;
        if (v->constant) continue;
        if (v->param < 0) {
            if (v->value)
                rg_buf_printf(out, "::%s = %s;\n", n, v->value);
            else
                rg_buf_printf(out, "memset((void *)&::%s, 0, sizeof ::%s);\n", n, n);
            continue;
        }
        const struct rg_param *q = &b->p->params[v->param];
        bool pointer = b->origins[v->param].layout == RG__FILE_POINTER;
        if (v->dims[0])
            rg_buf_printf(out, "memcpy((void *)::%s, (const void *)%s, sizeof ::%s);\n", n, q->name, n);
        else if (pointer)
            rg_buf_printf(out, "*(void **)&::%s = (void *)%s;\n", n, q->name);
        else
            rg_buf_printf(out, "::%s = %s%s;\n", n, q->kind == RG_PARAM_SCALAR ? "" : "*", q->name);
    }
}

void rg__device_state_names(const struct rg__build *b, struct rg_buf *out)
{
    rg_buf_str(out, "{\n");
    for (int i = 0; i < b->n_state; i++)
        if (!b->state[i].constant && b->state[i].param >= 0)
            rg_buf_printf(out, "auto &%s = ::%s;\n", b->state[i].name, b->state[i].name);
}

void rg__device_state_leave(const struct rg__build *b, struct rg_buf *out)
{
    for (int i = 0; i < b->n_state; i++) {
        const struct rg__state *v = &b->state[i];
        if (v->constant || v->param < 0 || b->origins[v->param].layout == RG__FILE_POINTER) continue;
        const struct rg_param *q = &b->p->params[v->param];
        if (q->kind == RG_PARAM_SCALAR || q->c_const) continue;
        if (v->dims[0])
            rg_buf_printf(out, "memcpy((void *)%s, (const void *)::%s, sizeof ::%s);\n", q->name, v->name, v->name);
        else
            rg_buf_printf(out, "*%s = ::%s;\n", q->name, v->name);
    }
}
