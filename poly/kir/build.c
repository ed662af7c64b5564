/* Kernel IR: symbols and nodes; what is known when it is built is computed then. */
#include "ir/ctree_util.h"
#include "poly/kir/kir.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kir_kernel *rg__kir_kernel_new(struct rg_arena *a, const struct rg_ctree *t, const char *name)
{
    struct kir_kernel *k = rg_arena_alloc(a, sizeof *k);
    k->arena = a;
    k->tree = t;
    k->name = rg_arena_strdup(a, name);
    return k;
}

/* ---- symbols ---- */

/* Words that a target may mean something by. */
static bool reserved(const char *name)
{
    static const char *const words[] = {"min",
                                        "max",
                                        "int",
                                        "float",
                                        "double",
                                        "char",
                                        "short",
                                        "long",
                                        "unsigned",
                                        "signed",
                                        "bool",
                                        "if",
                                        "for",
                                        "while",
                                        "do",
                                        "return",
                                        "void",
                                        "const",
                                        "static",
                                        "auto",
                                        "else",
                                        "switch",
                                        "struct",
                                        "union",
                                        "threadIdx",
                                        "blockIdx",
                                        "blockDim",
                                        "gridDim",
                                        "warpSize",
                                        "nvcuda",
                                        "cooperative_groups"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], name)) return true;
    return rg__c_cxx_word(name);
}

static bool taken(const struct kir_kernel *k, const char *name)
{
    for (int i = 0; i < k->n_symbols; i++)
        if (!strcmp(k->symbols[i].name, name)) return true;
    const struct rg_ctree *t = k->tree;
    for (int v = 0; t && v < t->n_vars; v++)
        if (!strcmp(t->vars[v].name, name)) return true;
    for (int a = 0; t && a < t->n_arrays; a++)
        if (!strcmp(t->arrays[a].name, name)) return true;
    for (int h = 0; t && h < t->n_helpers; h++)
        if (!strcmp(t->helpers[h].name, name)) return true;
    return reserved(name);
}

int rg__kir_symbol_as(struct kir_kernel *k, enum kir_symbol_kind kind, const char *name, enum rg_scalar type)
{
    if (k->n_symbols == k->cap_symbols) { /* the old list stays the arena's */
        int cap = k->cap_symbols ? 2 * k->cap_symbols : 32;
        struct kir_symbol *more = rg_arena_alloc(k->arena, (size_t)cap * sizeof *more);
        if (k->n_symbols) memcpy(more, k->symbols, (size_t)k->n_symbols * sizeof *more);
        k->symbols = more;
        k->cap_symbols = cap;
    }
    k->symbols[k->n_symbols] = (struct kir_symbol){.kind = kind, .name = rg_arena_strdup(k->arena, name), .type = type};
    return k->n_symbols++;
}

static int fresh(struct kir_kernel *k, enum kir_symbol_kind kind, const char *name, enum rg_scalar type)
{
    const char *own = name;
    for (int n = 2; taken(k, own); n++) own = rg_arena_printf(k->arena, "%s_%d", name, n);
    return rg__kir_symbol_as(k, kind, own, type);
}

int rg__kir_param(struct kir_kernel *k, const char *name, enum rg_scalar type)
{
    return fresh(k, KIR_PARAM, name, type);
}

int rg__kir_constant(struct kir_kernel *k, const char *name, int64_t value)
{
    int s = fresh(k, KIR_CONSTANT, name, value > INT_MAX || value < INT_MIN ? RG_LLONG : RG_I32);
    k->symbols[s].value = value;
    return s;
}

int rg__kir_index(struct kir_kernel *k, const char *name, enum rg_scalar type)
{
    return fresh(k, KIR_INDEX, name, type);
}

int rg__kir_value(struct kir_kernel *k, const char *name, enum rg_scalar type)
{
    return fresh(k, KIR_VALUE, name, type);
}

int rg__kir_scalar(struct kir_kernel *k, const char *name, enum rg_scalar type)
{
    return fresh(k, KIR_SCALAR, name, type);
}

int rg__kir_buffer(struct kir_kernel *k, const char *name, enum kir_space space, enum rg_scalar type, int n_dims,
                   struct kir_node *const *dims)
{
    int s = fresh(k, KIR_BUFFER, name, type);
    k->symbols[s].space = space;
    k->symbols[s].shared_by = KIR_BLOCK;
    k->symbols[s].n_dims = n_dims;
    for (int d = 0; d < n_dims; d++) k->symbols[s].dims[d] = dims[d];
    return s;
}

/* ---- expressions ---- */

struct kir_node *rg__kir_node(struct kir_kernel *k, enum kir_kind kind, int n)
{
    struct kir_node *x = rg_arena_alloc(k->arena, sizeof *x);
    x->kind = kind;
    x->symbol = -1;
    x->n = n;
    int cap = 1; /* append() has it so */
    while (cap < n) cap *= 2;
    x->kid = n ? rg_arena_alloc(k->arena, (size_t)cap * sizeof *x->kid) : NULL;
    return x;
}

static struct kir_node *typed(struct kir_kernel *k, enum kir_kind kind, enum rg_scalar type, int n)
{
    struct kir_node *x = rg__kir_node(k, kind, n);
    x->type = type;
    return x;
}

static struct kir_node *number(struct kir_kernel *k, int64_t v, enum rg_scalar type)
{
    struct kir_node *x = typed(k, KIR_INT, type, 0);
    x->ivalue = v;
    return x;
}

struct kir_node *rg__kir_int(struct kir_kernel *k, int64_t v)
{
    return number(k, v, v >= INT_MIN && v <= INT_MAX ? RG_I32 : RG_LLONG);
}

struct kir_node *rg__kir_real(struct kir_kernel *k, double v, enum rg_scalar type)
{
    struct kir_node *x = typed(k, KIR_REAL, type, 0);
    x->rvalue = v;
    return x;
}

struct kir_node *rg__kir_name(struct kir_kernel *k, int symbol)
{
    struct kir_node *x = typed(k, KIR_NAME, k->symbols[symbol].type, 0);
    x->symbol = symbol;
    return x;
}

struct kir_node *rg__kir_element(struct kir_kernel *k, int buffer, int n, struct kir_node *const *subs)
{
    struct kir_node *x = typed(k, KIR_ELEMENT, k->symbols[buffer].type, n);
    x->symbol = buffer;
    for (int i = 0; i < n; i++) x->kid[i] = subs[i];
    return x;
}

struct kir_node *rg__kir_at(struct kir_kernel *k, int buffer, int n, ...)
{
    struct kir_node *subs[KIR_MAX_DIMS + 1];
    va_list ap;
    va_start(ap, n);
    for (int i = 0; i < n; i++) subs[i] = va_arg(ap, struct kir_node *);
    va_end(ap);
    return rg__kir_element(k, buffer, n, subs);
}

struct kir_node *rg__kir_peer(struct kir_kernel *k, struct kir_node *element, struct kir_node *block)
{
    struct kir_node *x = typed(k, KIR_ELEMENT, element->type, element->n + 1);
    x->symbol = element->symbol;
    x->peer = true;
    for (int i = 0; i < element->n; i++) x->kid[i] = element->kid[i];
    x->kid[element->n] = block;
    return x;
}

bool rg__kir_holds(enum rg_scalar type, int64_t v)
{
    int bits = 8 * (int)rg_scalar_bytes(type);
    if (!rg__scalar_is_int(type)) return false;
    if (type == RG_BOOL) return v == 0 || v == 1;
    if (bits == 64) return rg_scalar_is_signed(type) || v >= 0;
    int64_t most = rg_scalar_is_signed(type) ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1;
    return v <= most && v >= (rg_scalar_is_signed(type) ? -most - 1 : 0);
}

struct kir_node *rg__kir_cast(struct kir_kernel *k, enum rg_scalar type, struct kir_node *a)
{
    if (a->type == type) return a;
    bool back = a->kind == KIR_CAST && a->kid[0]->type == type && rg__scalar_is_int(type) &&
                rg__scalar_is_int(a->type) && rg_scalar_bytes(a->type) > rg_scalar_bytes(type) && type != RG_BOOL;
    if (back) return a->kid[0]; /* (int)(long long)n */
    if (a->kind == KIR_INT && rg__kir_holds(type, a->ivalue)) return number(k, a->ivalue, type);
    if (a->kind == KIR_INT && (type == RG_F32 || type == RG_F64) && a->ivalue >= -(1 << 24) && a->ivalue <= 1 << 24)
        return rg__kir_real(k, (double)a->ivalue, type);
    struct kir_node *x = typed(k, KIR_CAST, type, 1);
    x->kid[0] = a;
    return x;
}

struct kir_node *rg__kir_unary(struct kir_kernel *k, enum rg_c_op op, struct kir_node *a)
{
    if (op == RG_COP_POS) return a;
    if (a->kind == KIR_INT && op == RG_COP_NOT) return rg__kir_int(k, !a->ivalue);
    if (a->kind == KIR_INT && op == RG_COP_NEG && a->ivalue != INT64_MIN && rg__kir_holds(a->type, -a->ivalue))
        return number(k, -a->ivalue, a->type);
    if (op == RG_COP_NOT && a->kind == KIR_BINARY && rg_c_relation(a->op) && rg__scalar_is_int(a->kid[0]->type)) {
        struct kir_node *x = rg__kir_copy_node(k, a);
        x->op = rg_c_opposite(a->op);
        return x;
    }
    struct kir_node *x = typed(k, KIR_UNARY,
                               op == RG_COP_NOT                                    ? RG_I32
                               : rg_scalar_bytes(a->type) < 4 && a->type != RG_F16 ? RG_I32
                                                                                   : a->type,
                               1);
    x->op = op;
    x->kid[0] = a;
    return x;
}

/* a op b of two numbers of the type; false: not known, or it does not fit. */
static bool computed(enum rg_c_op op, enum rg_scalar type, int64_t a, int64_t b, int64_t *v)
{
    bool ok = true;
    switch (op) {
    case RG_COP_ADD:
        ok = !__builtin_add_overflow(a, b, v);
        break;
    case RG_COP_SUB:
        ok = !__builtin_sub_overflow(a, b, v);
        break;
    case RG_COP_MUL:
        ok = !__builtin_mul_overflow(a, b, v);
        break;
    case RG_COP_DIV:
        ok = b != 0 && !(a == INT64_MIN && b == -1);
        *v = ok ? a / b : 0;
        break;
    case RG_COP_REM:
        ok = b != 0 && !(a == INT64_MIN && b == -1);
        *v = ok ? a % b : 0;
        break;
    case RG_COP_LT:
        *v = a < b;
        break;
    case RG_COP_GE:
        *v = a >= b;
        break;
    case RG_COP_GT:
        *v = a > b;
        break;
    case RG_COP_LE:
        *v = a <= b;
        break;
    case RG_COP_EQ:
        *v = a == b;
        break;
    case RG_COP_NE:
        *v = a != b;
        break;
    default:
        return false;
    }
    return ok && (rg_c_relation(op) || rg__kir_holds(type, *v));
}

/* && and || with a side that is known. */
static struct kir_node *logic(struct kir_kernel *k, enum rg_c_op op, struct kir_node *a, struct kir_node *b)
{
    bool and = op == RG_COP_AND;
    struct kir_node *one = a->kind == KIR_INT ? a : b->kind == KIR_INT ? b : NULL, *other = one == a ? b : a;
    if (!one) return NULL;
    if (!one->ivalue == and) return rg__kir_int(k, !and);
    bool truth = other->kind == KIR_INT || (other->kind == KIR_BINARY && rg_c_logic(other->op)) ||
                 (other->kind == KIR_UNARY && other->op == RG_COP_NOT);
    return other->kind == KIR_INT ? rg__kir_int(k, other->ivalue != 0)
           : truth                ? other
                                  : rg__kir_binary(k, RG_COP_NE, other, number(k, 0, other->type));
}

/* With a number on one side that changes nothing, or decides everything. Integers alone: -0.0 and NaN are values. */
static struct kir_node *shortened(struct kir_kernel *k, enum rg_c_op op, struct kir_node *a, struct kir_node *b)
{
    if ((op == RG_COP_ADD || op == RG_COP_MUL) && a->kind == KIR_INT) {
        struct kir_node *t = a;
        a = b;
        b = t;
    }
    if (b->kind != KIR_INT) return NULL;
    if (b->ivalue == 0 && (op == RG_COP_ADD || op == RG_COP_SUB)) return a;
    if (b->ivalue == 1 && (op == RG_COP_MUL || op == RG_COP_DIV)) return a;
    if ((b->ivalue == 0 && op == RG_COP_MUL) || (b->ivalue == 1 && op == RG_COP_REM)) return number(k, 0, a->type);
    /* x + 2 + 3: what comes of it is the same, and is on the way nowhere larger than before */
    bool sum = op == RG_COP_ADD || op == RG_COP_SUB;
    if (sum && a->kind == KIR_BINARY && (a->op == RG_COP_ADD || a->op == RG_COP_SUB) && a->kid[1]->kind == KIR_INT &&
        rg_scalar_is_signed(a->type)) {
        int64_t first = a->op == RG_COP_ADD ? a->kid[1]->ivalue : -a->kid[1]->ivalue,
                then = op == RG_COP_ADD ? b->ivalue : -b->ivalue, both;
        if (!__builtin_add_overflow(first, then, &both) && rg__kir_holds(a->type, both) &&
            rg__kir_holds(a->type, -both))
            return rg__kir_binary(k, both < 0 ? RG_COP_SUB : RG_COP_ADD, a->kid[0],
                                  number(k, both < 0 ? -both : both, a->type));
    }
    return NULL;
}

struct kir_node *rg__kir_binary(struct kir_kernel *k, enum rg_c_op op, struct kir_node *a, struct kir_node *b)
{
    if (rg_c_lazy(op)) {
        struct kir_node *known = logic(k, op, a, b);
        if (known) return known;
    } else {
        bool shift = op == RG_COP_SHL || op == RG_COP_SHR;
        enum rg_scalar type = shift ? rg__scalar_common(a->type, RG_I32) : rg__scalar_common(a->type, b->type);
        a = rg__kir_cast(k, type, a);
        if (!shift) b = rg__kir_cast(k, type, b);
        int64_t v;
        if (!shift && a->kind == KIR_INT && b->kind == KIR_INT && computed(op, type, a->ivalue, b->ivalue, &v))
            return number(k, v, rg_c_relation(op) ? RG_I32 : type);
        struct kir_node *less = rg__scalar_is_int(type) ? shortened(k, op, a, b) : NULL;
        if (less) return less;
    }
    struct kir_node *x = typed(k, KIR_BINARY, rg_c_logic(op) ? RG_I32 : a->type, 2);
    x->op = op;
    x->kid[0] = a;
    x->kid[1] = b;
    return x;
}

struct kir_node *rg__kir_add(struct kir_kernel *k, struct kir_node *a, struct kir_node *b)
{
    return rg__kir_binary(k, RG_COP_ADD, a, b);
}

struct kir_node *rg__kir_sub(struct kir_kernel *k, struct kir_node *a, struct kir_node *b)
{
    return rg__kir_binary(k, RG_COP_SUB, a, b);
}

struct kir_node *rg__kir_mul(struct kir_kernel *k, struct kir_node *a, struct kir_node *b)
{
    return rg__kir_binary(k, RG_COP_MUL, a, b);
}

struct kir_node *rg__kir_div(struct kir_kernel *k, struct kir_node *a, struct kir_node *b)
{
    return rg__kir_binary(k, RG_COP_DIV, a, b);
}

struct kir_node *rg__kir_rem(struct kir_kernel *k, struct kir_node *a, struct kir_node *b)
{
    return rg__kir_binary(k, RG_COP_REM, a, b);
}

struct kir_node *rg__kir_less(struct kir_kernel *k, struct kir_node *a, struct kir_node *b)
{
    return rg__kir_binary(k, RG_COP_LT, a, b);
}

struct kir_node *rg__kir_and(struct kir_kernel *k, struct kir_node *a, struct kir_node *b)
{
    return !a ? b : !b ? a : rg__kir_binary(k, RG_COP_AND, a, b);
}

struct kir_node *rg__kir_ceil_div(struct kir_kernel *k, struct kir_node *a, int64_t b)
{
    return rg__kir_div(k, rg__kir_add(k, a, rg__kir_int(k, b - 1)), rg__kir_int(k, b));
}

static struct kir_node *extreme(struct kir_kernel *k, enum kir_kind kind, struct kir_node *a, struct kir_node *b)
{
    enum rg_scalar type = rg__scalar_common(a->type, b->type);
    a = rg__kir_cast(k, type, a);
    b = rg__kir_cast(k, type, b);
    if (a->kind == KIR_INT && b->kind == KIR_INT)
        return (kind == KIR_MIN ? a->ivalue < b->ivalue : a->ivalue > b->ivalue) ? a : b;
    struct kir_node *x = typed(k, kind, type, 2);
    x->kid[0] = a;
    x->kid[1] = b;
    return x;
}

struct kir_node *rg__kir_min(struct kir_kernel *k, struct kir_node *a, struct kir_node *b)
{
    return extreme(k, KIR_MIN, a, b);
}

struct kir_node *rg__kir_max(struct kir_kernel *k, struct kir_node *a, struct kir_node *b)
{
    return extreme(k, KIR_MAX, a, b);
}

struct kir_node *rg__kir_select(struct kir_kernel *k, struct kir_node *c, struct kir_node *a, struct kir_node *b)
{
    enum rg_scalar type = a->type == b->type ? a->type : rg__scalar_common(a->type, b->type);
    a = rg__kir_cast(k, type, a);
    b = rg__kir_cast(k, type, b);
    if (c->kind == KIR_INT) return c->ivalue ? a : b;
    struct kir_node *x = typed(k, KIR_SELECT, type, 3);
    x->kid[0] = c;
    x->kid[1] = a;
    x->kid[2] = b;
    return x;
}

struct kir_node *rg__kir_call(struct kir_kernel *k, const char *function, enum rg_scalar type, int n,
                              struct kir_node *const *arguments)
{
    struct kir_node *x = typed(k, KIR_CALL, type, n);
    x->text = rg_arena_strdup(k->arena, function);
    for (int i = 0; i < n; i++) x->kid[i] = arguments[i];
    return x;
}

struct kir_node *rg__kir_aligned(struct kir_kernel *k, int n, struct kir_node *const *elements, int64_t bytes)
{
    struct kir_node *x = typed(k, KIR_ALIGNED, RG_I32, n);
    x->ivalue = bytes;
    for (int i = 0; i < n; i++) x->kid[i] = elements[i];
    return x;
}

struct kir_node *rg__kir_extent(struct kir_kernel *k, enum kir_loop loop)
{
    struct kir_node *x = typed(k, KIR_EXTENT, RG_I32, 0);
    x->loop = loop;
    return x;
}

struct kir_node *rg__kir_shuffle(struct kir_kernel *k, enum kir_shuffle how, int width, struct kir_node *value,
                                 struct kir_node *lane)
{
    struct kir_node *x = typed(k, KIR_SHUFFLE, value->type, 2);
    x->how = how;
    x->width = width;
    x->kid[0] = value;
    x->kid[1] = lane;
    return x;
}
