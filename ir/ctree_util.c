#include "ir/ctree_util.h"
#include "ir/ctree_real.h"
#include "ir/device_library.h"
#include <stdlib.h>
#include <string.h>

const struct rg_cnode *rg__c_uncast(const struct rg_cnode *e, enum rg__c_casts which)
{
    while (e && e->kind == RG_C_CAST && (which == RG__C_CASTS || rg__scalar_is_int(e->type)) &&
           (which != RG__C_WIDE_CASTS || rg_scalar_bytes(e->type) >= 4))
        e = e->kid[0];
    return e;
}

bool rg__c_same_head(const struct rg_cnode *a, const struct rg_cnode *b)
{
    if (a->kind != b->kind || a->op != b->op || a->n != b->n || a->var != b->var || a->array != b->array ||
        a->callee != b->callee || a->ivalue != b->ivalue || a->rvalue != b->rvalue)
        return false;
    const bool literal = a->kind == RG_C_INT || a->kind == RG_C_REAL;
    return literal || (!a->text == !b->text && (!a->text || !strcmp(a->text, b->text)));
}

bool rg__c_same(const struct rg_cnode *a, const struct rg_cnode *b, unsigned how)
{
    if (how & RG__C_UNCAST) {
        a = rg__c_uncast(a, RG__C_CASTS);
        b = rg__c_uncast(b, RG__C_CASTS);
    }
    if (!a || !b) return a == b;
    if (!rg__c_same_head(a, b) || a->step != b->step) return false;
    const bool literal = a->kind == RG_C_INT || a->kind == RG_C_REAL;
    const bool typed = how & RG__C_TYPED || (!(how & RG__C_UNCAST) && (literal || a->kind == RG_C_CAST));
    if (typed && (a->type != b->type || a->pointer != b->pointer)) return false;
    for (int i = 0; i < a->n; i++)
        if (!rg__c_same(a->kid[i], b->kid[i], how)) return false;
    return true;
}

bool rg__c_equal(const struct rg_cnode *a, const struct rg_cnode *b)
{
    return rg__c_same(a, b, 0);
}

void rg__c_walk(struct rg_cnode *n, bool (*fn)(void *arg, struct rg_cnode *n), void *arg)
{
    if (!n || !fn(arg, n)) return;
    for (int i = 0; i < n->n; i++) rg__c_walk(n->kid[i], fn, arg);
}

bool rg__c_is_expr(const struct rg_cnode *n)
{
    return n->kind <= RG_C_STRING;
}

bool rg__c_of_params(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (!e) return true;
    if (e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER || e->kind == RG_C_CALL) return false;
    if (e->kind == RG_C_VAR && (e->array >= 0 || t->vars[e->var].kind != RG_CVAR_PARAM || t->vars[e->var].assigned))
        return false;
    for (int i = 0; i < e->n; i++)
        if (!rg__c_of_params(t, e->kid[i])) return false;
    return true;
}

bool rg__c_mentions_var(const struct rg_cnode *n, int var)
{
    if (!n) return false;
    if (n->var == var && (n->kind == RG_C_VAR || n->kind == RG_C_LOOP || n->kind == RG_C_DECL)) return true;
    if (n->kind == RG_C_VERBATIM) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__c_mentions_var(n->kid[i], var)) return true;
    return false;
}

int rg__c_count_var(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    int k = n->kind == RG_C_VAR && n->array < 0 && n->var == var;
    for (int i = 0; i < n->n; i++) k += rg__c_count_var(n->kid[i], var);
    return k;
}

/* An element, or a member of one, that can be named again: what else of the expression reads it is behind the store or
 * not sequenced with it, which C leaves undefined. */
static bool named_again(const struct rg_ctree *t, const struct rg_cnode *to)
{
    return (to->kind == RG_C_INDEX || to->kind == RG_C_MEMBER) && !to->pointer && to->type != RG_STRUCT &&
           rg__c_pure(t, to);
}

static void lift(struct rg_ctree *t, const struct rg_cnode *whole, struct rg_cnode *e, bool stores,
                 struct rg__kids *before)
{
    if (!e || e->kind == RG_C_COMMA) return;
    bool lazy = e->kind == RG_C_COND || rg_c_lazy(e->op);
    for (int i = 0; i < (lazy ? 1 : e->n); i++) lift(t, whole, e->kid[i], stores, before);
    bool steps = e->kind == RG_C_INCDEC;
    if (!steps && e->kind != RG_C_ASSIGN) return;
    struct rg_cnode *to = e->kid[0];
    const bool later = e->op == RG_COP_POST_INC || e->op == RG_COP_POST_DEC; /* what it was before */
    const bool element = stores && !steps && named_again(t, to);
    if ((!steps && !rg__c_pure(t, e->kid[1])) ||
        (!element && (to->kind != RG_C_VAR || to->array >= 0 || to->pointer || rg__c_count_var(whole, to->var) != 1)))
        return;
    if (later && !rg__scalar_is_int(to->type)) return; /* what was rounded can't be taken back */
    struct rg_cnode *s = rg__c_stmt(t, rg__c_copy(t, e)), *v = rg__c_copy(t, to);
    s->line = e->line;
    s->column = e->column;
    rg__kids_add(before, s);
    *e = later ? *rg__c_cast(t, rg__c_binary(t, e->op == RG_COP_POST_INC ? RG_COP_SUB : RG_COP_ADD, v, rg__c_int(t, 1)),
                             v->type)
               : *v;
}

void rg__c_lift_assignments(struct rg_ctree *t, struct rg_cnode *e, struct rg__kids *before)
{
    lift(t, e, e, false, before);
}

void rg__c_lift_stores(struct rg_ctree *t, struct rg_cnode *e, struct rg__kids *before)
{
    lift(t, e, e, true, before);
}

bool rg__c_mentions_array(const struct rg_cnode *n, int array)
{
    if (!n) return false;
    if (n->array == array || n->kind == RG_C_VERBATIM) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__c_mentions_array(n->kid[i], array)) return true;
    return false;
}

/* The variable below members: the target of `v = `, `v.x = `. */
static const struct rg_cnode *base_of(const struct rg_cnode *n)
{
    while (n && n->kind == RG_C_MEMBER) n = n->kid[0];
    return n;
}

bool rg__c_writes_var(const struct rg_cnode *n, int var)
{
    if (!n) return false;
    if (n->kind == RG_C_VERBATIM) return true;
    bool target = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS;
    if (target) {
        const struct rg_cnode *b = base_of(n->kid[0]);
        if (b->kind == RG_C_VAR && b->var == var) return true;
    }
    if (n->kind == RG_C_LOOP && n->var == var) return true;
    if (n->kind == RG_C_DECL && n->var == var && n->n) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__c_writes_var(n->kid[i], var)) return true;
    return false;
}

static const char *const pure_names[] = {
    "abs",     "labs",      "llabs",     "acos",      "acosh", "asin",   "asinh",     "atan",    "atan2",   "atanh",
    "cbrt",    "ceil",      "copysign",  "cos",       "cosh",  "erf",    "erfc",      "exp",     "exp2",    "exp10",
    "expm1",   "fabs",      "fdim",      "floor",     "fma",   "fmax",   "fmin",      "fmod",    "hypot",   "ilogb",
    "ldexp",   "lgamma",    "llrint",    "llround",   "log",   "log10",  "log1p",     "log2",    "logb",    "lrint",
    "lround",  "nearbyint", "pow",       "remainder", "rint",  "round",  "scalbn",    "scalbln", "sin",     "sinh",
    "sqrt",    "tan",       "tanh",      "tgamma",    "trunc", "j0",     "j1",        "y0",      "y1",      "rsqrt",
    "isnan",   "isinf",     "isfinite",  "signbit",   "min",   "max",    "nextafter", "__isnan", "__isinf", "__finite",
    "finite",  "toupper",   "tolower",   "isdigit",   "nan",   "__popc", "__popcll",  "__clz",   "__clzll", "__ffs",
    "__ffsll", "__fmul_rn", "__dmul_rn",
};

/* The bits of a number as one of another kind (frontend/read/build_bits.c). */
static const char *const bit_names[] = {"__float_as_uint", "__uint_as_float", "__double_as_longlong",
                                        "__longlong_as_double"};

bool rg__c_pure_library(const char *name)
{
    for (size_t i = 0; i < sizeof bit_names / sizeof *bit_names; i++)
        if (!strcmp(name, bit_names[i])) return true;
    if (!strncmp(name, "__builtin_", 10)) name += 10;
    if (!strcmp(name, "rg_within")) return true; /* of the front end: is an element inside its array? */
    if (!strncmp(name, "rg_", 3)) return rg__device_pure_library(name);
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof pure_names / sizeof *pure_names; i++) {
        size_t m = strlen(pure_names[i]);
        if (!strncmp(name, pure_names[i], m) && (n == m || (n == m + 1 && (name[m] == 'f' || name[m] == 'l'))))
            return true;
    }
    return false;
}

bool rg__c_pure(const struct rg_ctree *t, const struct rg_cnode *n)
{
    if (!n) return true;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->kind == RG_C_VERBATIM) return false;
    if (n->kind == RG_C_CALL && !(n->callee >= 0 ? t->helpers[n->callee].pure : rg__c_pure_library(n->text)))
        return false;
    for (int i = 0; i < n->n; i++)
        if (!rg__c_pure(t, n->kid[i])) return false;
    return true;
}

int rg__c_size(const struct rg_cnode *n)
{
    int s = n != NULL;
    for (int i = 0; n && i < n->n; i++) s += rg__c_size(n->kid[i]);
    return s;
}

struct rg_cnode *rg__c_null(struct rg_ctree *t)
{
    struct rg_cnode *n = rg_cnode_new(t, RG_C_CAST, 1);
    n->text = "void *";
    n->pointer = true;
    n->kid[0] = rg__c_int(t, 0);
    return n;
}

struct rg_cnode *rg__c_replace_var(struct rg_ctree *t, struct rg_cnode *n, int var, const struct rg_cnode *by)
{
    if (!n) return NULL;
    if (n->kind == RG_C_VAR && n->var == var && n->array < 0) {
        struct rg_cnode *c = rg__c_copy(t, by);
        c->line = n->line;
        c->column = n->column;
        return c;
    }
    for (int i = 0; i < n->n; i++) n->kid[i] = rg__c_replace_var(t, n->kid[i], var, by);
    return n;
}

/* A logarithm that becomes an integer: CUDA's may be the double below it at a power of two, where C's is exact. */
static void exact_logarithm(struct rg_cnode *n)
{
    static const char *const towards[] = {"floor", "floorf", "ceil", "ceilf", "trunc", "truncf"};
    if (n->kind != RG_C_CALL || n->n != 1 || !n->text) return;
    for (size_t i = 0; i < sizeof towards / sizeof *towards; i++)
        if (!strcmp(n->text, towards[i])) exact_logarithm(n->kid[0]);
    if (!strcmp(n->text, "log2"))
        n->text = "rg_log2";
    else if (!strcmp(n->text, "log2f"))
        n->text = "rg_log2f";
}

struct rg_cnode *rg__c_cast(struct rg_ctree *t, struct rg_cnode *n, enum rg_scalar to)
{
    if (n->type == to && !n->pointer) return n;
    int64_t exact = to == RG_F32 ? 1 << 24 : (int64_t)1 << 53;
    if (n->kind == RG_C_INT && (to == RG_F32 || to == RG_F64) && n->ivalue <= exact && n->ivalue >= 0) {
        struct rg_cnode *r = rg_cnode_new(t, RG_C_REAL, 0);
        r->type = to;
        r->rvalue = (double)n->ivalue;
        r->text = rg_arena_printf(&t->arena, to == RG_F32 ? "%lld.0f" : "%lld.0", (long long)n->ivalue);
        r->line = n->line;
        r->column = n->column;
        return r;
    }
    if (rg__scalar_is_int(to)) exact_logarithm(n);
    struct rg_cnode *c = rg_cnode_new(t, RG_C_CAST, 1);
    c->type = to;
    c->kid[0] = n;
    c->line = n->line;
    c->column = n->column;
    return c;
}

static bool differs(const struct rg_cnode *e)
{
    bool some = e->op == RG_COP_SUB || e->op == RG_COP_NEG || (e->kind == RG_C_INT && e->ivalue < 0);
    for (int i = 0; i < e->n && !some; i++) some = differs(e->kid[i]);
    return some;
}

/* Is an operand a signed difference that becomes unsigned? Below 0, the conversion makes another number of it. */
static bool turns_unsigned(const struct rg_cnode *n)
{
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *e = n->kid[i], *of = e->kind == RG_C_CAST ? e->kid[0] : NULL;
        if (of && !rg_scalar_is_signed(e->type) && rg__scalar_is_int(of->type) && rg_scalar_is_signed(of->type) &&
            differs(of))
            return true;
    }
    return false;
}

/* Numbers and unsigned values of 32 bits and more, added and multiplied: never negative. */
static bool no_sign(const struct rg_cnode *e)
{
    if (e->kind == RG_C_INT) return e->ivalue >= 0;
    if (e->kind == RG_C_CAST || e->op == RG_COP_ADD || e->op == RG_COP_MUL || e->op == RG_COP_DIV ||
        e->op == RG_COP_REM) {
        for (int i = 0; i < e->n; i++)
            if (!no_sign(e->kid[i])) return false;
        return true;
    }
    return rg__scalar_is_int(e->type) && !rg_scalar_is_signed(e->type) && e->op != RG_COP_SUB && e->op != RG_COP_NEG;
}

/* Is any of it unsigned, 32 bits and more, but for conversions? */
static bool any_unsigned(const struct rg_cnode *e)
{
    if (rg__scalar_is_int(e->type) && !rg_scalar_is_signed(e->type) && rg_scalar_bytes(e->type) >= 4) return true;
    bool any = false;
    if (e->kind == RG_C_CAST || e->kind == RG_C_BINARY || e->kind == RG_C_UNARY || e->kind == RG_C_COND)
        for (int i = 0; i < e->n && !any; i++) any = any_unsigned(e->kid[i]);
    return any;
}

/* Would a quotient or a comparison of signed numbers be one of unsigned ones without its conversions? Where all of it
 * is never negative it is the same. */
static bool loses_sign(const struct rg_cnode *n)
{
    bool signs = false, any = false;
    if (!rg_scalar_is_signed(rg__scalar_common(n->kid[0]->type, n->kid[1]->type))) return false;
    for (int i = 0; i < n->n; i++) signs = signs || !no_sign(n->kid[i]), any = any || any_unsigned(n->kid[i]);
    return signs && any;
}

struct rg_cnode *rg__c_strip_int_casts(struct rg_cnode *n)
{
    if (!n || n->kind == RG_C_INDEX) return n; /* subscripts of subscripts are data */
    while (n->kind == RG_C_CAST && !n->pointer && rg__scalar_is_int(n->type) && n->type != RG_BOOL &&
           rg__scalar_is_int(n->kid[0]->type) && !n->kid[0]->pointer && rg_scalar_bytes(n->type) >= 4)
        n = n->kid[0];
    if ((n->op == RG_COP_DIV || n->op == RG_COP_REM || rg_c_relation(n->op)) && (turns_unsigned(n) || loses_sign(n)))
        return n;
    if (n->op == RG_COP_SHR && rg_scalar_is_signed(n->kid[0]->type) && !no_sign(n->kid[0]) && any_unsigned(n->kid[0]))
        return n;
    if (n->kind == RG_C_BINARY || n->kind == RG_C_UNARY || n->kind == RG_C_COND)
        for (int i = 0; i < n->n; i++) n->kid[i] = rg__c_strip_int_casts(n->kid[i]);
    return n;
}

static const struct {
    enum rg_op op; /* of rg_expr */
    enum rg_c_op node;
} operators[] = {
    {RG_OP_ADD, RG_COP_ADD}, {RG_OP_SUB, RG_COP_SUB}, {RG_OP_MUL, RG_COP_MUL}, {RG_OP_DIV, RG_COP_DIV},
    {RG_OP_MOD, RG_COP_REM}, {RG_OP_LT, RG_COP_LT},   {RG_OP_LE, RG_COP_LE},   {RG_OP_GT, RG_COP_GT},
    {RG_OP_GE, RG_COP_GE},   {RG_OP_EQ, RG_COP_EQ},   {RG_OP_NE, RG_COP_NE},   {RG_OP_AND, RG_COP_AND},
    {RG_OP_OR, RG_COP_OR},
};

struct rg_cnode *rg__c_from_expr(struct rg_ctree *t, const struct rg_expr *e)
{
    switch (e->kind) {
    case RG_EXPR_INT:
        return rg__c_int(t, e->value);
    case RG_EXPR_NAME:
        for (int i = 0; i < t->n_vars; i++)
            if (t->vars[i].kind == RG_CVAR_PARAM && !strcmp(t->vars[i].name, e->name)) return rg__c_var(t, i);
        return NULL;
    case RG_EXPR_UNARY: {
        struct rg_cnode *a = rg__c_from_expr(t, e->args[0]);
        return a ? rg__c_unary(t, e->op == RG_OP_NEG ? RG_COP_NEG : RG_COP_NOT, a) : NULL;
    }
    case RG_EXPR_BINARY: {
        struct rg_cnode *a = rg__c_from_expr(t, e->args[0]), *b = rg__c_from_expr(t, e->args[1]);
        if (!a || !b) return NULL;
        for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
            if (operators[i].op == e->op) return rg__c_binary(t, operators[i].node, a, b);
        return NULL;
    }
    case RG_EXPR_COND:
    case RG_EXPR_CALL: {
        if (e->kind == RG_EXPR_CALL && e->n_args == 1 && !strcmp(e->name, "trunc")) return rg__c_from_trunc(t, e);
        if (e->kind == RG_EXPR_CALL && e->n_args == 1 && !strncmp(e->name, "pow2", 4)) {
            struct rg_cnode *a = rg__c_from_expr(t, e->args[0]);
            return !a           ? NULL
                   : e->name[4] ? rg__c_power_from(t, a)
                                : rg__c_binary(t, RG_COP_SHL, rg__c_cast(t, rg__c_int(t, 1), RG_LLONG), a);
        }
        bool mm = e->kind == RG_EXPR_CALL && e->n_args == 2 && (!strcmp(e->name, "min") || !strcmp(e->name, "max"));
        if (e->kind == RG_EXPR_CALL && !mm) return NULL;
        struct rg_cnode *c = rg_cnode_new(t, RG_C_COND, 3);
        for (int i = 0; i < e->n_args; i++)
            if (!(c->kid[mm ? i + 1 : i] = rg__c_from_expr(t, e->args[i]))) return NULL;
        if (mm)
            c->kid[0] = rg__c_binary(t, e->name[1] == 'i' ? RG_COP_LT : RG_COP_GT, rg__c_copy(t, c->kid[1]),
                                     rg__c_copy(t, c->kid[2]));
        c->type = rg__scalar_common(c->kid[1]->type, c->kid[2]->type);
        return c;
    }
    default:
        return NULL;
    }
}

/* 1 << e, or another number in place of the one */
static const struct rg_expr *shifted_one(const struct rg_ctree *t, const struct rg_cnode *n, struct rg_arena *a)
{
    const struct rg_cnode *by = rg__c_uncast(n->kid[0], RG__C_INT_CASTS);
    const struct rg_expr *e = by->kind == RG_C_INT ? rg__c_to_expr(t, n->kid[1], a) : NULL;
    if (!e) return NULL;
    struct rg_expr *power = rg_arena_alloc(a, sizeof *power), *times = rg_arena_alloc(a, sizeof *times);
    power->args = rg_arena_alloc(a, sizeof *power->args);
    power->kind = RG_EXPR_CALL;
    power->name = "pow2";
    power->n_args = 1;
    power->args[0] = rg_expr_clone(a, e);
    if (by->ivalue == 1) return power;
    times->args = rg_arena_alloc(a, 2 * sizeof *times->args);
    times->kind = RG_EXPR_BINARY;
    times->op = RG_OP_MUL;
    times->n_args = 2;
    times->args[0] = rg_expr_clone(a, rg__c_to_expr(t, by, a));
    times->args[1] = power;
    return times;
}

struct rg_cnode *rg__c_power_from(struct rg_ctree *t, struct rg_cnode *n)
{
    struct rg_cnode *c = rg_cnode_new(t, RG_C_CALL, 1);
    c->text = "rg_pow2_from";
    c->type = RG_LLONG;
    c->kid[0] = rg__c_cast(t, n, RG_LLONG);
    return c;
}

static const struct rg_expr *to_expr(const struct rg_ctree *t, const struct rg_cnode *n, struct rg_arena *a, bool reals)
{
    struct rg_expr *e = rg_arena_alloc(a, sizeof *e);
    e->args = rg_arena_alloc(a, 3 * sizeof *e->args);
    switch (n->kind) {
    case RG_C_INT:
        e->kind = RG_EXPR_INT;
        e->value = n->ivalue;
        return e;
    case RG_C_VAR:
        if (n->array >= 0 || t->vars[n->var].kind != RG_CVAR_PARAM || t->vars[n->var].assigned) return NULL;
        e->kind = RG_EXPR_NAME;
        e->name = rg_arena_strdup(a, t->vars[n->var].name);
        return e;
    case RG_C_CAST:
        if (reals && rg_scalar_is_real(n->kid[0]->type)) return rg__c_trunc_expr(t, n, a);
        return rg__scalar_is_int(n->type) && rg__scalar_is_int(n->kid[0]->type) && rg_scalar_bytes(n->type) >= 4
                   ? to_expr(t, n->kid[0], a, reals)
                   : NULL;
    case RG_C_UNARY:
        if (n->op == RG_COP_POS) return to_expr(t, n->kid[0], a, reals);
        if (n->op != RG_COP_NEG && n->op != RG_COP_NOT) return NULL;
        e->kind = RG_EXPR_UNARY;
        e->op = n->op == RG_COP_NEG ? RG_OP_NEG : RG_OP_NOT;
        break;
    case RG_C_CALL:
        if (n->callee >= 0 || !n->text || strcmp(n->text, "rg_pow2_from")) return NULL;
        e->kind = RG_EXPR_CALL;
        e->name = "pow2_from";
        break;
    case RG_C_BINARY: {
        if (n->op == RG_COP_SHL) return shifted_one(t, n, a);
        size_t i = 0, m = sizeof operators / sizeof *operators;
        while (i < m && operators[i].node != n->op) i++;
        if (i == m) return NULL;
        e->kind = RG_EXPR_BINARY;
        e->op = operators[i].op;
        break;
    }
    case RG_C_COND:
        e->kind = RG_EXPR_COND;
        break;
    default:
        return NULL;
    }
    e->n_args = n->n;
    for (int i = 0; i < n->n; i++) {
        const struct rg_expr *k = to_expr(t, n->kid[i], a, reals);
        if (!k) return NULL;
        e->args[i] = rg_expr_clone(a, k);
    }
    return e;
}

const struct rg_expr *rg__c_to_expr(const struct rg_ctree *t, const struct rg_cnode *n, struct rg_arena *a)
{
    return to_expr(t, n, a, false);
}

const struct rg_expr *rg__c_size_expr(const struct rg_ctree *t, const struct rg_cnode *n, struct rg_arena *a)
{
    return to_expr(t, n, a, true);
}

struct rg_cnode *rg__c_stands(struct rg_cnode *n, const struct rg_cnode *at)
{
    n->line = at->line;
    n->column = at->column;
    return n;
}

struct rg_cnode *rg__c_declaration(struct rg_ctree *t, int var, struct rg_cnode *value, const struct rg_cnode *at)
{
    struct rg_cnode *d = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 1), at);
    d->var = var;
    d->type = t->vars[var].type;
    d->struct_index = t->vars[var].struct_index;
    d->kid[0] = value;
    return d;
}

int rg__c_declared_int(const struct rg_cnode *n, const struct rg_cnode *except, int var, int64_t *value)
{
    int found = 0;
    if (!n || n == except) return 0;
    bool sets = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS;
    if (n->kind == RG_C_VERBATIM) return 2;
    if (sets && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var == var) return 2;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == var) {
        const struct rg_cnode *v = n->n ? rg__c_uncast(n->kid[0], RG__C_INT_CASTS) : NULL;
        if (!v || v->kind != RG_C_INT) return 2;
        *value = v->ivalue;
        found = 1;
    }
    for (int i = 0; i < n->n; i++) found += rg__c_declared_int(n->kid[i], except, var, value);
    return found;
}
