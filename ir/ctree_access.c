/* Which elements and scalars a node touches, in evaluation order; and what is affine. */
#include "ir/ctree_sort.h"
#include "ir/ctree_util.h"
#include <stdlib.h>
#include <string.h>

struct access_walk {
    const struct rg_ctree *t;
    void (*fn)(void *arg, const struct rg_caccess *a);
    void *arg;
    bool uncertain;                /* under a condition */
    const struct rg_cnode *opaque; /* innermost OPAQUE above; NULL none */
    bool reads;                    /* around: what is pointed to is only read */
};

enum mode { MODE_READ = 1, MODE_WRITE = 2 };

static void visit(struct access_walk *w, const struct rg_cnode *n, int mode);

static void emit_varying(struct access_walk *w, const struct rg_cnode *n, int array, int var, int mode, bool whole,
                         uint32_t varies)
{
    struct rg_caccess a = {n,     array,  var,          (mode & MODE_READ) != 0, (mode & MODE_WRITE) != 0,
                           whole, varies, !w->uncertain};
    w->fn(w->arg, &a);
}

static void emit(struct access_walk *w, const struct rg_cnode *n, int array, int var, int mode, bool whole)
{
    emit_varying(w, n, array, var, mode, whole, 0);
}

/* A subscript that takes other values while the opaque part runs: it mentions a scalar written in it or reads an
 * array written in it. */
static bool varies(const struct rg_ctree *t, const struct rg_cnode *sub, const struct rg_cnode *opaque)
{
    if (!sub) return false;
    if (sub->kind == RG_C_VAR && sub->array < 0 && rg__c_writes_var(opaque, sub->var)) return true;
    if (sub->kind == RG_C_VERBATIM || sub->kind == RG_C_CALL || sub->kind == RG_C_ASSIGN || sub->kind == RG_C_INCDEC) {
        if (!rg__c_pure(t, sub)) return true;
    }
    if (sub->kind == RG_C_INDEX && !t->arrays[sub->array].is_const) return true;
    if (sub->op == RG_COP_DEREF) return true;
    for (int i = 0; i < sub->n; i++)
        if (varies(t, sub->kid[i], opaque)) return true;
    return false;
}

static void array_pointer(struct access_walk *w, const struct rg_cnode *n)
{
    /* the callee or the pointer variable may do anything with it */
    bool reads = w->reads || w->t->arrays[n->array].is_const;
    emit(w, n, n->array, -1, reads ? MODE_READ : MODE_READ | MODE_WRITE, true);
}

static void index_node(struct access_walk *w, const struct rg_cnode *n, int mode)
{
    bool whole = n->n < w->t->arrays[n->array].n_dims;
    uint32_t moving = 0;
    bool reads = w->reads;
    w->reads = false;
    for (int i = 0; i < n->n; i++) {
        visit(w, n->kid[i], MODE_READ);
        if (w->opaque && varies(w->t, n->kid[i], w->opaque)) moving |= UINT32_C(1) << (i < 31 ? i : 31);
    }
    w->reads = reads;
    if (n->pointer) {
        array_pointer(w, n);
        return;
    }
    emit_varying(w, n, n->array, -1, mode, whole, moving);
}

static void everything(struct access_walk *w, const struct rg_cnode *n)
{
    for (int a = 0; a < w->t->n_arrays; a++)
        emit(w, n, a, -1, w->t->arrays[a].is_const ? MODE_READ : MODE_READ | MODE_WRITE, true);
    for (int v = 0; v < w->t->n_vars; v++) emit(w, n, -1, v, MODE_READ | MODE_WRITE, true);
}

static void target(struct access_walk *w, const struct rg_cnode *n, int mode)
{
    if (n->kind == RG_C_MEMBER) {
        for (int i = 1; i < n->n; i++) visit(w, n->kid[i], MODE_READ);
        /* one field written: the others stay, so the element is read as well */
        target(w, n->kid[0], mode | MODE_READ);
    } else {
        visit(w, n, mode);
    }
}

static void under_condition(struct access_walk *w, const struct rg_cnode *n)
{
    bool before = w->uncertain;
    w->uncertain = true;
    visit(w, n, MODE_READ);
    w->uncertain = before;
}

static void for_node(struct access_walk *w, const struct rg_cnode *n)
{
    visit(w, n->kid[0], MODE_READ);
    visit(w, n->kid[1], MODE_READ);
    under_condition(w, n->kid[3]);
    under_condition(w, n->kid[2]);
}

/* Is it part of an element of an array that nobody writes? */
static bool in_const(const struct rg_ctree *t, const struct rg_cnode *n)
{
    while (n->kind == RG_C_MEMBER) n = n->kid[0];
    return n->array >= 0 && t->arrays[n->array].is_const;
}

/* Is what argument i points to only read? */
static bool only_read(const struct rg_ctree *t, const struct rg_cnode *call, int i)
{
    if (call->callee >= 0) return i < 31 && (t->helpers[call->callee].reads >> i & 1);
    static const char *const compare[] = {"rg_memcmp", "rg_strcmp", "rg_strncmp", "rg_strlen", "rg_bplace"};
    for (size_t k = 0; k < sizeof compare / sizeof *compare; k++)
        if (!strcmp(call->text, compare[k])) return true;
    return i == 1 && (!strcmp(call->text, "rg_memcpy") || !strcmp(call->text, "rg_memmove"));
}

static void call_node(struct access_walk *w, const struct rg_cnode *n)
{
    bool reads = w->reads;
    for (int i = 0; i < n->n; i++) {
        w->reads = only_read(w->t, n, i);
        visit(w, n->kid[i], MODE_READ);
    }
    w->reads = reads;
}

static void visit(struct access_walk *w, const struct rg_cnode *n, int mode)
{
    if (!n) return;
    switch (n->kind) {
    case RG_C_VAR:
        if (n->array >= 0)
            array_pointer(w, n);
        else
            emit(w, n, -1, n->var, mode, false);
        return;
    case RG_C_INDEX:
        index_node(w, n, mode);
        return;
    case RG_C_MEMBER:
        for (int i = 1; i < n->n; i++) visit(w, n->kid[i], MODE_READ);
        if (n->pointer && !w->reads && !in_const(w->t, n))
            mode = MODE_READ | MODE_WRITE; /* an array of it goes there */
        visit(w, n->kid[0], mode);
        return;
    case RG_C_UNARY:
        if (n->op == RG_COP_ADDRESS) {
            target(w, n->kid[0], w->reads ? MODE_READ : MODE_READ | MODE_WRITE);
            return;
        }
        break;
    case RG_C_ASSIGN:
        visit(w, n->kid[1], MODE_READ);
        target(w, n->kid[0], n->op == RG_COP_SET ? MODE_WRITE : MODE_READ | MODE_WRITE);
        return;
    case RG_C_INCDEC:
        target(w, n->kid[0], MODE_READ | MODE_WRITE);
        return;
    case RG_C_COND:
    case RG_C_IF:
        visit(w, n->kid[0], MODE_READ);
        for (int i = 1; i < n->n; i++) under_condition(w, n->kid[i]);
        return;
    case RG_C_BINARY:
        visit(w, n->kid[0], MODE_READ);
        if (rg_c_lazy(n->op))
            under_condition(w, n->kid[1]);
        else
            visit(w, n->kid[1], MODE_READ);
        return;
    case RG_C_LOOP:
        visit(w, n->kid[0], MODE_READ);
        visit(w, n->kid[1], MODE_READ);
        if (n->n > 3) visit(w, n->kid[3], MODE_READ);
        if (w->opaque || n->n > 3)
            under_condition(w, n->kid[2]);
        else
            visit(w, n->kid[2], MODE_READ);
        return;
    case RG_C_DECL:
        if (n->n) visit(w, n->kid[0], MODE_READ);
        if (n->n && n->kid[0]) emit(w, n, n->array, n->array >= 0 ? -1 : n->var, MODE_WRITE, n->array >= 0);
        return;
    case RG_C_OPAQUE: {
        const struct rg_cnode *before = w->opaque;
        if (!before) w->opaque = n; /* the outermost: it runs as a unit */
        for (int i = 0; i < n->n; i++) visit(w, n->kid[i], MODE_READ);
        w->opaque = before;
        return;
    }
    case RG_C_FOR:
        for_node(w, n);
        return;
    case RG_C_WHILE:
        visit(w, n->kid[0], MODE_READ);
        under_condition(w, n->kid[1]);
        return;
    case RG_C_SWITCH:
        visit(w, n->kid[0], MODE_READ);
        under_condition(w, n->kid[1]);
        return;
    case RG_C_VERBATIM:
        everything(w, n);
        return;
    case RG_C_CALL:
        if (strcmp(n->text, RG_C_PLACE)) {
            call_node(w, n);
            return;
        }
        visit(w, n->kid[0], MODE_READ);
        for (int i = 2; i < n->n; i++) /* what the order looks into */
            if (n->kid[i]->kind == RG_C_VAR && n->kid[i]->array >= 0)
                emit(w, n->kid[i], n->kid[i]->array, -1, MODE_READ, true);
            else
                visit(w, n->kid[i]->op == RG_COP_ADDRESS ? n->kid[i]->kid[0] : n->kid[i], MODE_READ);
        return;
    default:
        break;
    }
    for (int i = 0; i < n->n; i++) visit(w, n->kid[i], MODE_READ);
}

void rg_c_accesses(const struct rg_ctree *t, const struct rg_cnode *n,
                   void (*fn)(void *arg, const struct rg_caccess *a), void *arg)
{
    struct access_walk w = {.t = t, .fn = fn, .arg = arg};
    visit(&w, n, MODE_READ);
}

/* Is it a value of that type, which no conversion has changed? */
static bool fits(int64_t v, enum rg_scalar type)
{
    const int bits = 8 * (int)rg_scalar_bytes(type);
    if (type == RG_BOOL) return v == 0 || v == 1;
    if (!rg_scalar_is_signed(type)) return v >= 0 && (bits == 64 || v >> bits == 0);
    return bits == 64 || (v >= -((int64_t)1 << (bits - 1)) && v < (int64_t)1 << (bits - 1));
}

/* Of two numbers; false: a conversion has made another of one, as of a negative one where C compares as unsigned. */
static bool relation_number(const struct rg_cnode *e, int64_t a, int64_t b, int64_t *v)
{
    for (int i = 0; i < 2; i++)
        if (!fits(a, e->kid[i]->type) || !fits(b, e->kid[i]->type)) return false;
    *v = rg__relation_holds(e->op, a < b ? -1 : a > b, 0);
    return true;
}

bool rg__c_convert(int64_t *v, enum rg_scalar type)
{
    const int bits = 8 * (int)rg_scalar_bytes(type);
    if (type == RG_BOOL) return *v = *v != 0, true;
    if (bits == 64) return rg_scalar_is_signed(type) || *v >= 0;
    *v &= ((int64_t)1 << bits) - 1;
    if (rg_scalar_is_signed(type) && *v >> (bits - 1)) *v -= (int64_t)1 << bits;
    return true;
}

bool rg__c_comes_round(const struct rg_cnode *e, int64_t *v)
{
    return e->pointer || !rg__scalar_is_int(e->type) || rg_scalar_is_signed(e->type) || rg__c_convert(v, e->type);
}

/* Of two numbers in the type that C converts both to. */
static bool arithmetic(const struct rg_cnode *e, int64_t a, int64_t b, int64_t *v)
{
    if (!rg__c_comes_round(e, &a) || !rg__c_comes_round(e, &b)) return false;
    if (e->op == RG_COP_ADD) return !__builtin_add_overflow(a, b, v) && rg__c_comes_round(e, v);
    if (e->op == RG_COP_SUB) return !__builtin_sub_overflow(a, b, v) && rg__c_comes_round(e, v);
    if (e->op == RG_COP_MUL) return !__builtin_mul_overflow(a, b, v) && rg__c_comes_round(e, v);
    if (e->op == RG_COP_DIV && b > 0) return *v = a / b, true;
    if (e->op == RG_COP_REM && b > 0) return *v = a % b, true;
    return false;
}

bool rg__c_number(const struct rg_cnode *e, int64_t *v)
{
    int64_t a, b;
    switch (e->kind) {
    case RG_C_INT:
        *v = e->ivalue;
        return rg__c_comes_round(e, v);
    case RG_C_CAST:
        return rg__scalar_is_int(e->type) && rg__c_number(e->kid[0], v) && (e->pointer || rg__c_convert(v, e->type));
    case RG_C_UNARY:
        if (!rg__c_number(e->kid[0], &a)) return false;
        if (e->op == RG_COP_NEG) return !__builtin_sub_overflow((int64_t)0, a, v) && rg__c_comes_round(e, v);
        if (e->op == RG_COP_POS) return *v = a, true;
        if (e->op == RG_COP_NOT) return *v = !a, true;
        return false;
    case RG_C_BINARY:
        if (!rg__c_number(e->kid[0], &a) || !rg__c_number(e->kid[1], &b)) return false;
        if (rg_c_relation(e->op)) return relation_number(e, a, b, v);
        if (e->op == RG_COP_AND) return *v = a && b, true;
        if (e->op == RG_COP_OR) return *v = a || b, true;
        if (e->op == RG_COP_SHL && a >= 0 && a <= INT32_MAX && b >= 0 && b < 31) return *v = a << b, *v <= INT32_MAX;
        return arithmetic(e, a, b, v);
    default:
        return false;
    }
}

bool rg_c_affine(const struct rg_ctree *t, const struct rg_cnode *e)
{
    int64_t v;
    if (!e) return false;
    if (e->pointer || !rg__scalar_is_int(e->type)) return false;
    switch (e->kind) {
    case RG_C_INT:
        return true;
    case RG_C_VAR: {
        if (e->array >= 0) return false;
        const struct rg_cvar *x = &t->vars[e->var];
        return x->kind == RG_CVAR_ITER || (x->kind == RG_CVAR_PARAM && !x->assigned);
    }
    case RG_C_CAST:
        return rg_scalar_bytes(e->type) >= 4 && rg_c_affine(t, e->kid[0]);
    case RG_C_UNARY:
        return (e->op == RG_COP_NEG || e->op == RG_COP_POS || e->op == RG_COP_NOT) && rg_c_affine(t, e->kid[0]);
    case RG_C_BINARY:
        if (!rg_c_affine(t, e->kid[0]) || !rg_c_affine(t, e->kid[1])) return false;
        if (e->op == RG_COP_MUL) return rg__c_number(e->kid[0], &v) || rg__c_number(e->kid[1], &v);
        if (e->op == RG_COP_DIV || e->op == RG_COP_REM) return rg__c_number(e->kid[1], &v) && v > 0;
        return rg_c_logic(e->op) || e->op == RG_COP_ADD || e->op == RG_COP_SUB;
    case RG_C_COND:
        return rg_c_affine(t, e->kid[0]) && rg_c_affine(t, e->kid[1]) && rg_c_affine(t, e->kid[2]);
    default:
        return false;
    }
}

/* Does the node say what the extent does? */
static bool says(const struct rg_ctree *t, const struct rg_cnode *n, const struct rg_expr *e)
{
    static const enum rg_c_op ops[] = {
        [RG_OP_ADD] = RG_COP_ADD, [RG_OP_SUB] = RG_COP_SUB, [RG_OP_MUL] = RG_COP_MUL, [RG_OP_DIV] = RG_COP_DIV};
    n = rg__c_uncast(n, RG__C_INT_CASTS);
    if (e->kind == RG_EXPR_INT) return n->kind == RG_C_INT && n->ivalue == e->value;
    if (e->kind == RG_EXPR_NAME)
        return n->kind == RG_C_VAR && n->array < 0 && t->vars[n->var].kind == RG_CVAR_PARAM &&
               !strcmp(t->vars[n->var].name, e->name);
    return e->kind == RG_EXPR_BINARY && e->op <= RG_OP_DIV && n->op == ops[e->op] && says(t, n->kid[0], e->args[0]) &&
           says(t, n->kid[1], e->args[1]);
}

const struct rg_cnode *rg_c_linear(const struct rg_ctree *t, const struct rg_cnode *n)
{
    const struct rg_carray *a = &t->arrays[n->array];
    if (n->n < 2 || n->n != a->n_dims) return NULL;
    const struct rg_cnode *all = n->kid[n->n - 1];
    if (all->op != RG_COP_REM) return NULL;
    all = all->kid[0];
    const struct rg_cnode *at = all, *above = NULL; /* x / k / m: x and k are `at` and `above` of the level below */
    for (int d = n->n - 1; d >= 0; d--) {
        const struct rg_cnode *part = n->kid[d];
        if (d) {
            if (part->op != RG_COP_REM || !a->dims[d] || !says(t, part->kid[1], a->dims[d])) return NULL;
            part = part->kid[0];
        }
        if (above) {
            if (part->op != RG_COP_DIV || !rg__c_equal(part->kid[0], at) || !rg__c_equal(part->kid[1], above))
                return NULL;
        } else if (!rg__c_equal(part, at))
            return NULL;
        at = part;
        above = d ? n->kid[d]->kid[1] : NULL;
    }
    return all;
}
