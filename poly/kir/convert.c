/* Kernel IR: names, elements and values of the canonical C in the words of a kernel. */
#include "ir/ctree_util.h"
#include "poly/kir/convert.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kir_names *rg__kir_names_new(struct kir_kernel *k, const struct rg_ctree *t)
{
    struct kir_names *x = rg_arena_alloc(k->arena, sizeof *x);
    x->k = k;
    x->t = t;
    x->var = rg_arena_alloc(k->arena, (size_t)(t->n_vars + 1) * sizeof(struct kir_node *));
    x->undeclared = rg_arena_alloc(k->arena, (size_t)t->n_vars + 1);
    x->outer = rg_arena_alloc(k->arena, (size_t)t->n_vars + 1);
    x->as_is = rg_arena_alloc(k->arena, (size_t)t->n_vars + 1);
    x->elsewhere = rg_arena_alloc(k->arena, (size_t)t->n_arrays + 1);
    x->buffer = rg_arena_alloc(k->arena, (size_t)(t->n_arrays + 1) * sizeof *x->buffer);
    for (int a = 0; a < t->n_arrays; a++) x->buffer[a] = -1;
    return x;
}

void rg__kir_bind(struct kir_names *names, int var, struct kir_node *value)
{
    names->var[var] = value;
}

struct kir_node *rg__kir_no_form(struct kir_names *x, const char *what, const char *which)
{
    if (!*x->why) snprintf(x->why, sizeof x->why, what, which);
    return NULL;
}

/* ---- names ---- */

/* The launch's argument of that name; -1: the kernel has none yet. Names are copied for parts of a kernel, arguments
 * are the whole kernel's. */
static int argument_named(const struct kir_kernel *k, const char *name)
{
    for (int i = 0; i < k->n_symbols; i++)
        if (k->symbols[i].kind == KIR_PARAM && !strcmp(k->symbols[i].name, name)) return i;
    return -1;
}

static bool name_taken(const struct kir_kernel *k, const char *name)
{
    for (int i = 0; i < k->n_symbols; i++)
        if (!strcmp(k->symbols[i].name, name)) return true;
    return false;
}

int rg__kir_symbol_of(struct kir_names *names, enum kir_symbol_kind kind, int var, enum rg_scalar type)
{
    const char *name = names->t->vars[var].name;
    if (!name_taken(names->k, name)) return rg__kir_symbol_as(names->k, kind, name, type);
    return kind == KIR_INDEX   ? rg__kir_index(names->k, name, type)
           : kind == KIR_VALUE ? rg__kir_value(names->k, name, type)
                               : rg__kir_scalar(names->k, name, type);
}

int rg__kir_scalar_for(struct kir_names *x, int var)
{
    int s = rg__kir_symbol_of(x, KIR_SCALAR, var, x->t->vars[var].type);
    if (x->t->vars[var].type == RG_STRUCT) x->k->symbols[s].c_type = x->t->vars[var].c_type;
    return s;
}

struct kir_node *rg__kir_variable(struct kir_names *x, int var)
{
    const struct rg_cvar *v = &x->t->vars[var];
    if (x->var[var]) return x->as_is[var] ? x->var[var] : rg__kir_cast(x->k, v->type, x->var[var]);
    if (strchr(v->c_type, '*')) return rg__kir_no_form(x, "%s is a pointer", v->name);
    if (v->kind == RG_CVAR_ITER) return rg__kir_no_form(x, "loop variable %s has no value there", v->name);
    if (v->kind == RG_CVAR_PARAM && !v->assigned) {
        int param = argument_named(x->k, v->name);
        if (param < 0) param = rg__kir_symbol_as(x->k, KIR_PARAM, v->name, v->type);
        if (v->type == RG_STRUCT) x->k->symbols[param].c_type = v->c_type;
        return x->var[var] = rg__kir_name(x->k, param);
    }
    x->undeclared[var] = true;
    x->var[var] = rg__kir_name(x->k, rg__kir_scalar_for(x, var));
    return x->var[var];
}

void rg__kir_declare(struct kir_names *names, struct kir_node *seq)
{
    for (int v = 0; v < names->t->n_vars; v++)
        if (names->undeclared[v]) {
            rg__kir_add_to(names->k, seq, rg__kir_var(names->k, names->var[v]->symbol, NULL));
            names->undeclared[v] = false;
        }
}

static struct kir_node *extent_of(struct kir_names *x, const struct rg_expr *e, bool wide)
{
    static const enum rg_c_op ops[] = {
        [RG_OP_ADD] = RG_COP_ADD, [RG_OP_SUB] = RG_COP_SUB, [RG_OP_MUL] = RG_COP_MUL, [RG_OP_DIV] = RG_COP_DIV,
        [RG_OP_MOD] = RG_COP_REM, [RG_OP_LT] = RG_COP_LT,   [RG_OP_LE] = RG_COP_LE,   [RG_OP_GT] = RG_COP_GT,
        [RG_OP_GE] = RG_COP_GE,   [RG_OP_EQ] = RG_COP_EQ,   [RG_OP_NE] = RG_COP_NE,   [RG_OP_AND] = RG_COP_AND,
        [RG_OP_OR] = RG_COP_OR,   [RG_OP_NOT] = RG_COP_NOT, [RG_OP_NEG] = RG_COP_NEG};
    struct kir_kernel *k = x->k;
    struct kir_node *arg[3] = {NULL, NULL, NULL};
    if (e->kind == RG_EXPR_INT) return rg__kir_int(k, e->value);
    if (e->kind == RG_EXPR_NAME) {
        for (int v = 0; v < x->t->n_vars; v++)
            if (x->t->vars[v].kind == RG_CVAR_PARAM && !strcmp(x->t->vars[v].name, e->name)) {
                struct kir_node *n = rg__kir_variable(x, v);
                return n && wide ? rg__kir_cast(k, RG_LLONG, n) : n;
            }
        return rg__kir_no_form(x, "an extent is over %s, which is no parameter", e->name);
    }
    for (int i = 0; i < e->n_args && i < 3; i++)
        if (!(arg[i] = extent_of(x, e->args[i], wide))) return NULL;
    if (e->kind == RG_EXPR_UNARY) return rg__kir_unary(k, ops[e->op], arg[0]);
    if (e->kind == RG_EXPR_BINARY) return rg__kir_binary(k, ops[e->op], arg[0], arg[1]);
    if (e->kind == RG_EXPR_COND) return rg__kir_select(k, arg[0], arg[1], arg[2]);
    if (e->kind == RG_EXPR_CALL && e->n_args == 2 && !strcmp(e->name, "min")) return rg__kir_min(k, arg[0], arg[1]);
    if (e->kind == RG_EXPR_CALL && e->n_args == 2 && !strcmp(e->name, "max")) return rg__kir_max(k, arg[0], arg[1]);
    return rg__kir_no_form(x, "an extent is not over parameters alone%s", "");
}

struct kir_node *rg__kir_of_extent(struct kir_names *names, const struct rg_expr *e)
{
    bool plain = e->kind == RG_EXPR_BINARY && (e->op == RG_OP_ADD || e->op == RG_OP_SUB) &&
                 e->args[0]->kind == RG_EXPR_NAME && e->args[1]->kind == RG_EXPR_INT;
    /* of two numbers that fit 32 bits, what is computed may not */
    return extent_of(names, e, e->kind != RG_EXPR_INT && e->kind != RG_EXPR_NAME && !plain);
}

int rg__kir_buffer_of(struct kir_names *names, int array)
{
    const struct rg_carray *a = &names->t->arrays[array];
    struct kir_kernel *k = names->k;
    if (names->buffer[array] >= 0) return names->buffer[array];
    if (a->n_dims > KIR_MAX_DIMS) {
        rg__kir_no_form(names, "%s has too many dimensions", a->name);
        return -1;
    }
    struct kir_node *dims[KIR_MAX_DIMS] = {NULL};
    for (int d = 0; d < a->n_dims; d++)
        if (a->dims[d] && !(dims[d] = rg__kir_of_extent(names, a->dims[d]))) return -1;
    int s = rg__kir_symbol_as(k, KIR_BUFFER, a->name, a->elem);
    struct kir_symbol *b = &k->symbols[s];
    b->c_type = a->elem == RG_STRUCT ? a->c_elem : NULL;
    b->space = a->constant_table ? KIR_TABLE : a->param >= 0 ? KIR_GLOBAL : KIR_LOCAL;
    b->n_dims = a->n_dims;
    memcpy(b->dims, dims, sizeof dims);
    names->buffer[array] = s;
    return s;
}

/* ---- expressions ---- */

static struct kir_node *element(struct kir_names *x, const struct rg_cnode *e)
{
    const struct rg_carray *a = &x->t->arrays[e->array];
    struct kir_node *subs[KIR_MAX_DIMS];
    if (e->n != a->n_dims || e->n > KIR_MAX_DIMS)
        return rg__kir_no_form(x, "a row of %s is used as a pointer", a->name);
    for (int i = 0; i < e->n; i++)
        if (!(subs[i] = rg__kir_of(x, e->kid[i]))) return NULL;
    struct kir_node *own = x->element ? x->element(x->arg, x, e, subs) : NULL;
    if (own) return own;
    int b = rg__kir_buffer_of(x, e->array);
    return b < 0 ? NULL : rg__kir_element(x->k, b, e->n, subs);
}

static struct kir_node *call(struct kir_names *x, const struct rg_cnode *e)
{
    struct kir_node *arg[KIR_MAX_ARGUMENTS];
    const char *name = e->text;
    if (e->callee < 0 && !rg__c_pure_library(name))
        return rg__kir_no_form(x, "%s() may do more than compute a value", name);
    if (e->callee >= 0 && !x->t->helpers[e->callee].pure)
        return rg__kir_no_form(x, "%s() may do more than compute a value", x->t->helpers[e->callee].name);
    if (e->n > KIR_MAX_ARGUMENTS) return rg__kir_no_form(x, "%s() has many arguments", name);
    bool nan = e->callee < 0 && e->n == 1 && e->kid[0]->kind == RG_C_STRING &&
               (!strcmp(name, "nan") || !strcmp(name, "nanf")); /* the macro NAN */
    if (nan) return rg__kir_real(x->k, (double)NAN, e->type);
    for (int i = 0; i < e->n; i++)
        if (!(arg[i] = rg__kir_of(x, e->kid[i]))) return NULL;
    if (e->callee < 0 && !strncmp(name, "__builtin_", 10)) name += 10;
    if (e->callee < 0 && e->n == 0 && !strncmp(name, "rg_inf", 6)) return rg__kir_real(x->k, (double)INFINITY, e->type);
    if (e->callee < 0 && e->n == 2 && !strcmp(name, "min"))
        return rg__kir_cast(x->k, e->type, rg__kir_min(x->k, arg[0], arg[1]));
    if (e->callee < 0 && e->n == 2 && !strcmp(name, "max"))
        return rg__kir_cast(x->k, e->type, rg__kir_max(x->k, arg[0], arg[1]));
    struct kir_node *n = rg__kir_call(x->k, e->callee >= 0 ? x->t->helpers[e->callee].name : name, e->type, e->n, arg);
    n->helper = e->callee >= 0;
    return n;
}

struct kir_node *rg__kir_of(struct kir_names *names, const struct rg_cnode *e)
{
    struct kir_kernel *k = names->k;
    struct kir_node *a, *b, *c;
    if (e->pointer) return rg__kir_no_form(names, "a value is an address%s", "");
    if (names->value && (a = names->value(names->arg, names, e))) return rg__kir_cast(k, e->type, a);
    switch (e->kind) {
    case RG_C_INT:
        a = rg__kir_node(k, KIR_INT, 0);
        a->type = e->type;
        a->ivalue = e->ivalue;
        a->text = e->text;
        return a;
    case RG_C_REAL:
        a = rg__kir_real(k, e->rvalue, e->type);
        a->text = e->text;
        return a;
    case RG_C_VAR:
        return e->array >= 0 ? rg__kir_no_form(names, "%s is used as a pointer", names->t->arrays[e->array].name)
                             : rg__kir_variable(names, e->var);
    case RG_C_INDEX:
        return element(names, e);
    case RG_C_CALL:
        return call(names, e);
    case RG_C_CAST:
        if (!(a = rg__kir_of(names, e->kid[0]))) return NULL;
        return rg__kir_cast(k, e->type, a);
    case RG_C_UNARY:
        if (e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS)
            return rg__kir_no_form(names, "an address is taken%s", "");
        return (a = rg__kir_of(names, e->kid[0])) ? rg__kir_unary(k, e->op, a) : NULL;
    case RG_C_BINARY:
        if (rg_c_lazy(e->op) && !rg__c_pure(names->t, e->kid[1])) return rg__kir_worth(names, e);
        if (!(a = rg__kir_of(names, e->kid[0])) || !(b = rg__kir_of(names, e->kid[1]))) return NULL;
        return rg__kir_binary(k, e->op, a, b);
    case RG_C_COND:
        if (!rg__c_pure(names->t, e->kid[1]) || !rg__c_pure(names->t, e->kid[2])) return rg__kir_worth(names, e);
        if (!(a = rg__kir_of(names, e->kid[0])) || !(b = rg__kir_of(names, e->kid[1])) ||
            !(c = rg__kir_of(names, e->kid[2])))
            return NULL;
        return rg__kir_select(k, a, b, c);
    case RG_C_MEMBER:
    case RG_C_INITLIST:
        return rg__c_pure(names->t, e) ? rg__kir_quotation(names, KIR_QUOTED, e)
                                       : rg__kir_no_form(names, "a member is changed%s", "");
    case RG_C_ASSIGN:
    case RG_C_INCDEC:
    case RG_C_COMMA:
        return rg__kir_worth(names, e);
    default:
        return rg__kir_no_form(names, "an expression is no plain one%s", "");
    }
}

struct kir_node *rg__kir_place_of(struct kir_names *names, const struct rg_cnode *index)
{
    return element(names, index);
}
