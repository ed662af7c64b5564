#include "ir/ctree_util.h"
#include <stdlib.h>
#include <string.h>

void rg_ctree_free(struct rg_ctree *t)
{
    if (!t) return;
    free(t->vars);
    free(t->arrays);
    free(t->helpers);
    rg_arena_release(&t->arena);
    free(t);
}

struct rg_cnode *rg__c_new(struct rg_arena *a, enum rg_c_kind kind, enum rg_c_op op, enum rg_scalar type, int n_kids,
                           const struct rg_cnode *at)
{
    struct rg_cnode *n = rg_arena_alloc(a, sizeof *n);
    n->kind = kind;
    n->op = op;
    n->type = type;
    n->struct_index = n->var = n->array = n->callee = -1;
    n->n = n_kids;
    n->kid = rg_arena_alloc(a, (size_t)(n_kids ? n_kids : 1) * sizeof *n->kid);
    if (at) {
        n->line = at->line;
        n->column = at->column;
    }
    return n;
}

struct rg_cnode *rg__c_shallow(struct rg_arena *a, const struct rg_cnode *n)
{
    struct rg_cnode *c = rg_arena_alloc(a, sizeof *c);
    *c = *n;
    c->kid = rg_arena_alloc(a, sizeof *c->kid * (size_t)(n->n ? n->n : 1));
    if (n->n) memcpy(c->kid, n->kid, sizeof *c->kid * (size_t)n->n);
    return c;
}

struct rg_cnode *rg_cnode_new(struct rg_ctree *t, enum rg_c_kind kind, int n_kids)
{
    return rg__c_new(&t->arena, kind, RG_COP_NONE, RG_I32, n_kids, NULL);
}

void rg__kids_add(struct rg__kids *k, struct rg_cnode *n)
{
    RG_GROW(k->items, k->n, k->cap);
    k->items[k->n++] = n;
}

struct rg_cnode *rg__kids_node(struct rg_ctree *t, enum rg_c_kind kind, struct rg__kids *k)
{
    struct rg_cnode *n = rg_cnode_new(t, kind, k->n);
    if (k->n) memcpy(n->kid, k->items, (size_t)k->n * sizeof *n->kid);
    free(k->items);
    memset(k, 0, sizeof *k);
    return n;
}

/* Words of C++ that C has not. */
static const char *const cxx_words[] = {
    "alignas",       "alignof",     "and",       "and_eq",
    "asm",           "bitand",      "bitor",     "bool",
    "catch",         "char8_t",     "char16_t",  "char32_t",
    "class",         "compl",       "concept",   "const_cast",
    "consteval",     "constexpr",   "constinit", "co_await",
    "co_return",     "co_yield",    "decltype",  "delete",
    "dynamic_cast",  "explicit",    "export",    "false",
    "friend",        "mutable",     "namespace", "new",
    "noexcept",      "not",         "not_eq",    "nullptr",
    "operator",      "or",          "or_eq",     "private",
    "protected",     "public",      "requires",  "reinterpret_cast",
    "static_assert", "static_cast", "template",  "this",
    "thread_local",  "throw",       "true",      "try",
    "typeid",        "typename",    "using",     "virtual",
    "wchar_t",       "xor",         "xor_eq",
};

/* What CUDA and its headers declare, or define as macros, and the words of the plan language. */
static const char *const cuda_words[] = {
    "threadIdx",    "blockIdx",      "blockDim",   "gridDim",      "warpSize",    "min",
    "max",          "dim3",          "half",       "half2",        "assert",      "restrict",
    "auto",         "sizeof",        "NULL",       "NAN",          "INFINITY",    "__shared__",
    "__global__",   "__device__",    "__host__",   "__constant__", "__managed__", "__launch_bounds__",
    "__restrict__", "__syncthreads", "__syncwarp", "__ldg",        "float2",      "float3",
    "float4",       "double2",       "double3",    "double4",      "int2",        "int3",
    "int4",         "uint2",         "uint3",      "uint4",        "atomicAdd",   "scratch",
    "fill",         "copy",          "swap",       "read",         "ceil_div",    "pow2",
    "pow2_from",    "cooperative",   "cluster",    "int8_t",       "int16_t",     "int32_t",
    "int64_t",      "uint8_t",       "uint16_t",   "uint32_t",     "uint64_t",    "size_t",
    "fma",          "fmaf",          "fmin",       "fminf",        "fmax",        "fmaxf",
};

static bool one_of(const char *const *words, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(words[i], name)) return true;
    return false;
}

bool rg__c_cxx_word(const char *name)
{
    return one_of(cxx_words, sizeof cxx_words / sizeof *cxx_words, name);
}

static bool reserved(const char *name)
{
    return rg__c_cxx_word(name) || one_of(cuda_words, sizeof cuda_words / sizeof *cuda_words, name);
}

static bool name_taken(const struct rg_ctree *t, const char *name)
{
    if (reserved(name)) return true;
    for (int i = 0; i < t->n_vars; i++)
        if (!strcmp(t->vars[i].name, name)) return true;
    for (int i = 0; i < t->n_arrays; i++)
        if (!strcmp(t->arrays[i].name, name)) return true;
    for (int i = 0; i < t->n_helpers; i++)
        if (!strcmp(t->helpers[i].name, name)) return true;
    return false;
}

const char *rg__c_unique(struct rg_ctree *t, const char *wanted)
{
    if (!name_taken(t, wanted)) return rg_arena_strdup(&t->arena, wanted);
    if (reserved(wanted)) {
        const char *name = rg_arena_printf(&t->arena, "%s_", wanted);
        if (!name_taken(t, name)) return name;
    }
    for (int k = 2;; k++) {
        const char *name = rg_arena_printf(&t->arena, "%s_%d", wanted, k);
        if (!name_taken(t, name)) return name;
    }
}

int rg__c_add_var(struct rg_ctree *t, const char *name, enum rg_cvar_kind kind, enum rg_scalar type)
{
    const char *unique = rg__c_unique(t, name);
    RG_GROW(t->vars, t->n_vars, t->cap_vars);
    t->vars[t->n_vars] = (struct rg_cvar){.name = unique,
                                          .wanted = rg_arena_strdup(&t->arena, name),
                                          .kind = kind,
                                          .param = -1,
                                          .type = type,
                                          .struct_index = -1,
                                          .c_type = rg_scalar_c(type)};
    return t->n_vars++;
}

int rg__c_add_array(struct rg_ctree *t, const char *name, enum rg_scalar elem)
{
    const char *unique = rg__c_unique(t, name);
    RG_GROW(t->arrays, t->n_arrays, t->cap_arrays);
    t->arrays[t->n_arrays] =
        (struct rg_carray){.name = unique, .param = -1, .elem = elem, .struct_index = -1, .c_elem = rg_scalar_c(elem)};
    return t->n_arrays++;
}

bool rg__scalar_is_int(enum rg_scalar s)
{
    return s < RG_F16;
}

static int int_rank(enum rg_scalar s)
{
    switch (s) {
    case RG_BOOL:
        return 0;
    case RG_CHAR:
    case RG_I8:
    case RG_U8:
        return 1;
    case RG_I16:
    case RG_U16:
        return 2;
    case RG_I32:
    case RG_U32:
        return 3;
    case RG_LONG:
    case RG_ULONG:
        return 4;
    default:
        return 5;
    }
}

enum rg_scalar rg__scalar_common(enum rg_scalar a, enum rg_scalar b)
{
    if (a == RG_STRUCT || b == RG_STRUCT) return a;
    if (!rg__scalar_is_int(a) || !rg__scalar_is_int(b)) {
        if (rg__scalar_is_int(a)) return b;
        if (rg__scalar_is_int(b)) return a;
        return a > b ? a : b; /* F16 < F32 < F64 */
    }
    if (int_rank(a) < 3) a = RG_I32;
    if (int_rank(b) < 3) b = RG_I32;
    if (a == b) return a;
    bool sa = rg_scalar_is_signed(a), sb = rg_scalar_is_signed(b);
    int ra = int_rank(a), rb = int_rank(b);
    if (sa == sb) return ra > rb ? a : b;
    enum rg_scalar u = sa ? b : a, s = sa ? a : b;
    if (int_rank(u) >= int_rank(s)) return u;
    if (rg_scalar_bytes(s) > rg_scalar_bytes(u)) return s;
    return s == RG_LONG ? RG_ULONG : RG_ULLONG;
}

struct rg_cnode *rg__c_int(struct rg_ctree *t, int64_t v)
{
    struct rg_cnode *n = rg_cnode_new(t, RG_C_INT, 0);
    n->ivalue = v;
    n->type = v >= INT32_MIN && v <= INT32_MAX ? RG_I32 : RG_LONG;
    n->text = rg_arena_printf(&t->arena, n->type == RG_I32 ? "%lld" : "%lldL", (long long)v);
    return n;
}

struct rg_cnode *rg__c_int_of(struct rg_ctree *t, int64_t v, enum rg_scalar type)
{
    if (!rg__c_convert(&v, type)) return NULL;
    struct rg_cnode *n = rg__c_int(t, v);
    if (rg_scalar_bytes(type) < rg_scalar_bytes(RG_I32) || type == n->type) return n;
    n->type = type;
    n->text = rg_arena_printf(&t->arena, "%lld%s%s", (long long)v, rg_scalar_is_signed(type) ? "" : "U",
                              rg_scalar_bytes(type) > 4 ? "LL" : "");
    return n;
}

struct rg_cnode *rg__c_var(struct rg_ctree *t, int var)
{
    struct rg_cnode *n = rg_cnode_new(t, RG_C_VAR, 0);
    n->var = var;
    n->type = t->vars[var].type;
    n->struct_index = t->vars[var].struct_index;
    return n;
}

struct rg_cnode *rg__c_array_name(struct rg_ctree *t, int array)
{
    struct rg_cnode *n = rg_cnode_new(t, RG_C_VAR, 0);
    n->array = array;
    n->type = t->arrays[array].elem;
    n->struct_index = t->arrays[array].struct_index;
    n->pointer = true;
    return n;
}

const char *rg_c_op_text(enum rg_c_op op)
{
    static const char *const texts[] = {
#define X(name, text, kind) text,
        RG_C_OP_MAP(X)
#undef X
    };
    return texts[op];
}

enum rg_c_kind rg__c_op_kind(enum rg_c_op op)
{
    static const enum rg_c_kind kinds[] = {
#define X(name, text, kind) RG_C_##kind,
        RG_C_OP_MAP(X)
#undef X
    };
    return kinds[op];
}

enum rg_c_op rg_c_op_of(enum rg_c_kind kind, const char *text)
{
    for (int i = RG_COP_NONE + 1; i < RG_N_C_OPS; i++)
        if (rg__c_op_kind((enum rg_c_op)i) == kind && !strcmp(rg_c_op_text((enum rg_c_op)i), text))
            return (enum rg_c_op)i;
    return RG_COP_NONE;
}

struct rg_cnode *rg__c_operation(struct rg_ctree *t, enum rg_c_kind kind, enum rg_c_op op)
{
    struct rg_cnode *n = rg_cnode_new(t, kind, kind == RG_C_BINARY || kind == RG_C_ASSIGN ? 2 : 1);
    n->op = op;
    return n;
}

struct rg_cnode *rg__c_binary(struct rg_ctree *t, enum rg_c_op op, struct rg_cnode *a, struct rg_cnode *b)
{
    struct rg_cnode *n = rg__c_operation(t, RG_C_BINARY, op);
    n->kid[0] = a;
    n->kid[1] = b;
    bool shift = op == RG_COP_SHL || op == RG_COP_SHR;
    n->type = rg_c_logic(op) ? RG_I32 : rg__scalar_common(a->type, shift ? RG_I32 : b->type);
    n->line = a->line;
    n->column = a->column;
    return n;
}

struct rg_cnode *rg__c_choice(struct rg_ctree *t, struct rg_cnode *c, struct rg_cnode *a, struct rg_cnode *b)
{
    struct rg_cnode *x = rg_cnode_new(t, RG_C_COND, 3);
    x->kid[0] = c;
    x->kid[1] = a;
    x->kid[2] = b;
    x->type = a->type;
    return x;
}

struct rg_cnode *rg__c_unary(struct rg_ctree *t, enum rg_c_op op, struct rg_cnode *a)
{
    struct rg_cnode *n = rg__c_operation(t, RG_C_UNARY, op);
    n->kid[0] = a;
    n->type = op == RG_COP_NOT ? RG_I32 : rg__scalar_is_int(a->type) ? rg__scalar_common(a->type, RG_I32) : a->type;
    n->line = a->line;
    n->column = a->column;
    return n;
}

struct rg_cnode *rg__c_assign(struct rg_ctree *t, enum rg_c_op op, struct rg_cnode *lhs, struct rg_cnode *rhs)
{
    struct rg_cnode *n = rg__c_operation(t, RG_C_ASSIGN, op);
    n->kid[0] = lhs;
    n->kid[1] = rhs;
    n->type = lhs->type;
    n->struct_index = lhs->struct_index;
    n->line = lhs->line;
    n->column = lhs->column;
    return n;
}

struct rg_cnode *rg__c_index(struct rg_ctree *t, int array, int n, struct rg_cnode *const *subs)
{
    struct rg_cnode *x = rg_cnode_new(t, RG_C_INDEX, n);
    x->array = array;
    x->type = t->arrays[array].elem;
    x->struct_index = t->arrays[array].struct_index;
    x->pointer = n < t->arrays[array].n_dims;
    for (int i = 0; i < n; i++) x->kid[i] = subs[i];
    return x;
}

struct rg_cnode *rg__c_stmt(struct rg_ctree *t, struct rg_cnode *e)
{
    struct rg_cnode *s = rg_cnode_new(t, RG_C_STMT, 1);
    s->kid[0] = e;
    s->line = e->line;
    s->column = e->column;
    return s;
}

struct rg_cnode *rg__c_copy(struct rg_ctree *t, const struct rg_cnode *n)
{
    if (!n) return NULL;
    struct rg_cnode *c = rg__c_shallow(&t->arena, n);
    for (int i = 0; i < n->n; i++) c->kid[i] = rg__c_copy(t, n->kid[i]);
    return c;
}
