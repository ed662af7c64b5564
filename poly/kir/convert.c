/* Kernel IR: expressions and statements of the canonical C in the words of a kernel. */
#include "ir/ctree_util.h"
#include "poly/kir/kir.h"
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
    x->elsewhere = rg_arena_alloc(k->arena, (size_t)t->n_arrays + 1);
    x->buffer = rg_arena_alloc(k->arena, (size_t)(t->n_arrays + 1) * sizeof *x->buffer);
    for (int a = 0; a < t->n_arrays; a++) x->buffer[a] = -1;
    return x;
}

void rg__kir_bind(struct kir_names *names, int var, struct kir_node *value)
{
    names->var[var] = value;
}

void rg__kir_bind_array(struct kir_names *names, int array, int buffer)
{
    names->buffer[array] = buffer;
}

static struct kir_node *refuse(struct kir_names *x, const char *what, const char *which)
{
    if (!*x->why) snprintf(x->why, sizeof x->why, what, which);
    return NULL;
}

/* ---- names ---- */

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

static int scalar_for(struct kir_names *x, int var)
{
    int s = rg__kir_symbol_of(x, KIR_SCALAR, var, x->t->vars[var].type);
    if (x->t->vars[var].type == RG_STRUCT) x->k->symbols[s].c_type = x->t->vars[var].c_type;
    return s;
}

static struct kir_node *variable(struct kir_names *x, int var)
{
    const struct rg_cvar *v = &x->t->vars[var];
    if (x->var[var]) return rg__kir_cast(x->k, v->type, x->var[var]);
    if (strchr(v->c_type, '*')) return refuse(x, "%s is a pointer", v->name);
    if (v->kind == RG_CVAR_ITER) return refuse(x, "loop variable %s has no value there", v->name);
    if (v->kind == RG_CVAR_PARAM && !v->assigned) {
        int param = rg__kir_symbol_as(x->k, KIR_PARAM, v->name, v->type);
        if (v->type == RG_STRUCT) x->k->symbols[param].c_type = v->c_type;
        return x->var[var] = rg__kir_name(x->k, param);
    }
    x->undeclared[var] = true;
    x->var[var] = rg__kir_name(x->k, scalar_for(x, var));
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
                struct kir_node *n = variable(x, v);
                return n && wide ? rg__kir_cast(k, RG_LLONG, n) : n;
            }
        return refuse(x, "an extent is over %s, which is no parameter", e->name);
    }
    for (int i = 0; i < e->n_args && i < 3; i++)
        if (!(arg[i] = extent_of(x, e->args[i], wide))) return NULL;
    if (e->kind == RG_EXPR_UNARY) return rg__kir_unary(k, ops[e->op], arg[0]);
    if (e->kind == RG_EXPR_BINARY) return rg__kir_binary(k, ops[e->op], arg[0], arg[1]);
    if (e->kind == RG_EXPR_COND) return rg__kir_select(k, arg[0], arg[1], arg[2]);
    if (e->kind == RG_EXPR_CALL && e->n_args == 2 && !strcmp(e->name, "min")) return rg__kir_min(k, arg[0], arg[1]);
    if (e->kind == RG_EXPR_CALL && e->n_args == 2 && !strcmp(e->name, "max")) return rg__kir_max(k, arg[0], arg[1]);
    return refuse(x, "an extent is not over parameters alone%s", "");
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
        refuse(names, "%s has too many dimensions", a->name);
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
    if (e->n != a->n_dims || e->n > KIR_MAX_DIMS) return refuse(x, "a row of %s is used as a pointer", a->name);
    for (int i = 0; i < e->n; i++)
        if (!(subs[i] = rg__kir_of(x, e->kid[i]))) return NULL;
    struct kir_node *own = x->element ? x->element(x->arg, x, e, subs) : NULL;
    if (own) return own;
    int b = rg__kir_buffer_of(x, e->array);
    return b < 0 ? NULL : rg__kir_element(x->k, b, e->n, subs);
}

/* ---- what is quoted ---- */

struct collecting {
    struct kir_names *x;
    const struct rg_cnode *whole;
    int n, cap;
    struct kir_node **kid; /* malloc'd, as is the next */
    const struct rg_cnode **at;
    bool ok;
};

/* Is it over what the quoted code itself declares, so that it has no value here? */
static bool over_own(const struct collecting *c, const struct rg_cnode *n)
{
    if (n->kind == RG_C_VAR && n->array < 0 && rg__c_binds(c->whole, n->var)) return true;
    for (int i = 0; i < n->n; i++)
        if (over_own(c, n->kid[i])) return true;
    return false;
}

/* Is an element of the array nothing but what C says, whoever builds the kernel: memory of the thread's own, or what
 * nothing writes? */
static bool stays(struct kir_names *x, int array)
{
    if (!x->assign || !rg__writes_array(x->t->root, array)) return true;
    int b = rg__kir_buffer_of(x, array);
    return b >= 0 && x->k->symbols[b].space == KIR_LOCAL;
}

static bool collect(void *arg, struct rg_cnode *n)
{
    struct collecting *c = arg;
    const struct rg_ctree *t = c->x->t;
    struct kir_node *is = NULL;
    bool index = n->kind == RG_C_INDEX && n->n == t->arrays[n->array].n_dims,
         scalar = n->kind == RG_C_VAR && n->array < 0 && n->var >= 0;
    if (!c->ok || (!index && !scalar)) return c->ok;
    if (over_own(c, n)) { /* its subscripts are asked for; where it has several, what C says is no CUDA */
        c->ok = !index || (n->n == 1 && stays(c->x, n->array)) ||
                refuse(c->x, "%s is used in code that has no other form than the file's", t->arrays[n->array].name);
        return c->ok;
    }
    is = index ? element(c->x, n) : variable(c->x, n->var);
    c->ok = is != NULL;
    if (c->n == c->cap) {
        c->cap = c->cap ? 2 * c->cap : 8;
        c->kid = rg_xrealloc(c->kid, (size_t)c->cap * sizeof *c->kid);
        c->at = rg_xrealloc(c->at, (size_t)c->cap * sizeof *c->at);
    }
    c->kid[c->n] = is;
    c->at[c->n++] = n;
    return false;
}

/* A node of that kind for the tree, whose references are its kids. */
static struct kir_node *quotation(struct kir_names *x, enum kir_kind kind, const struct rg_cnode *e)
{
    struct collecting c = {.x = x, .whole = e, .ok = true};
    rg__c_walk((struct rg_cnode *)e, collect, &c);
    struct kir_node *n = c.ok ? rg__kir_node(x->k, kind, c.n) : NULL;
    if (n) {
        n->tree = e;
        n->type = e->type;
        n->quoted = rg_arena_alloc(x->k->arena, (size_t)(c.n + 1) * sizeof *n->quoted);
        for (int i = 0; i < c.n; i++) {
            n->kid[i] = c.kid[i];
            n->quoted[i] = c.at[i];
        }
    }
    free(c.kid);
    free(c.at);
    return n;
}

static struct kir_node *call(struct kir_names *x, const struct rg_cnode *e)
{
    struct kir_node *arg[KIR_MAX_ARGUMENTS];
    const char *name = e->text;
    if (e->callee < 0 && !rg__c_pure_library(name)) return refuse(x, "%s() may do more than compute a value", name);
    if (e->callee >= 0 && !x->t->helpers[e->callee].pure)
        return refuse(x, "%s() may do more than compute a value", x->t->helpers[e->callee].name);
    if (e->n > KIR_MAX_ARGUMENTS) return refuse(x, "%s() has many arguments", name);
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
    if (e->pointer) return refuse(names, "a value is an address%s", "");
    if (e->value_of && names->value && (a = names->value(names->arg, names, e))) return rg__kir_cast(k, e->type, a);
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
        return e->array >= 0 ? refuse(names, "%s is used as a pointer", names->t->arrays[e->array].name)
                             : variable(names, e->var);
    case RG_C_INDEX:
        return element(names, e);
    case RG_C_CALL:
        return call(names, e);
    case RG_C_CAST:
        if (!(a = rg__kir_of(names, e->kid[0]))) return NULL;
        return rg__kir_cast(k, e->type, a);
    case RG_C_UNARY:
        if (e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS) return refuse(names, "an address is taken%s", "");
        return (a = rg__kir_of(names, e->kid[0])) ? rg__kir_unary(k, e->op, a) : NULL;
    case RG_C_BINARY:
        if (!(a = rg__kir_of(names, e->kid[0])) || !(b = rg__kir_of(names, e->kid[1]))) return NULL;
        return rg__kir_binary(k, e->op, a, b);
    case RG_C_COND:
        if (!(a = rg__kir_of(names, e->kid[0])) || !(b = rg__kir_of(names, e->kid[1])) ||
            !(c = rg__kir_of(names, e->kid[2])))
            return NULL;
        return rg__kir_select(k, a, b, c);
    case RG_C_MEMBER:
    case RG_C_INITLIST:
        return rg__c_pure(names->t, e) ? quotation(names, KIR_QUOTED, e) : refuse(names, "a member is changed%s", "");
    default:
        return refuse(names, "an expression assigns, or is no plain one%s", "");
    }
}

/* ---- statements ---- */

static struct kir_node *put(struct kir_names *x, struct kir_node *place, struct kir_node *value)
{
    if (place->kind == KIR_CAST && place->kid[0]->kind == KIR_NAME) place = place->kid[0];
    if (place->kind == KIR_ELEMENT) return rg__kir_store(x->k, place, value);
    if (place->kind == KIR_NAME && x->k->symbols[place->symbol].kind == KIR_SCALAR)
        return rg__kir_assign(x->k, place->symbol, value);
    return refuse(x, "what is assigned is no variable%s", "");
}

/* An expression statement; NULL: it has no form here. */
static struct kir_node *effect(struct kir_names *x, const struct rg_cnode *e)
{
    struct kir_kernel *k = x->k;
    struct kir_node *place = NULL, *value = NULL,
                    *own = x->assign && (e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC) ? x->assign(x->arg, x, e)
                                                                                           : NULL;
    if (own || *x->why) return own;
    if (e->kind == RG_C_INCDEC) {
        if (!(place = rg__kir_of(x, e->kid[0]))) return NULL;
        value = rg__kir_binary(k, rg_c_increments(e->op) ? RG_COP_ADD : RG_COP_SUB, place, rg__kir_int(k, 1));
        return put(x, place, value);
    }
    if (e->kind != RG_C_ASSIGN) return refuse(x, "a statement is a call%s", "");
    if (!(value = rg__kir_of(x, e->kid[1])) || !(place = rg__kir_of(x, e->kid[0]))) return NULL;
    if (e->op != RG_COP_SET) value = rg__kir_binary(k, rg_c_applied(e->op), place, value);
    return put(x, place, value);
}

/* An array of the thread's with the values that the file lists for it. */
static struct kir_node *listed_buffer(struct kir_names *x, int buffer, const struct rg_cnode *list)
{
    struct kir_node *values = rg__kir_of(x, list), *own = values ? rg__kir_node(x->k, KIR_VAR, 1) : NULL;
    if (!own) return NULL;
    own->symbol = buffer;
    own->kid[0] = values;
    x->k->symbols[buffer].inside = true;
    return own;
}

static struct kir_node *declaration(struct kir_names *x, const struct rg_cnode *n)
{
    struct kir_node *value = NULL;
    if (n->array >= 0) {
        bool listed = n->n && n->kid[0];
        if (listed && n->kid[0]->kind != RG_C_INITLIST)
            return refuse(x, "%s is declared with a value", x->t->arrays[n->array].name);
        int b = x->elsewhere[n->array] ? -1 : rg__kir_buffer_of(x, n->array);
        if (b < 0) return x->elsewhere[n->array] ? rg__kir_seq(x->k) : NULL;
        if (x->k->symbols[b].space == KIR_LOCAL && !listed) return rg__kir_own_buffer(x->k, b);
        if (x->k->symbols[b].space == KIR_LOCAL) return listed_buffer(x, b, n->kid[0]);
        return listed ? refuse(x, "%s is declared with values", x->t->arrays[n->array].name) : rg__kir_seq(x->k);
    }
    if (strchr(x->t->vars[n->var].c_type, '*')) return refuse(x, "%s is a pointer", x->t->vars[n->var].name);
    if (n->n && n->kid[0] && !(value = rg__kir_of(x, n->kid[0]))) return NULL;
    if (value && n->kid[0]->kind == RG_C_INITLIST) value->type = x->t->vars[n->var].type;
    if (x->outer[n->var]) return value ? put(x, x->var[n->var], value) : rg__kir_seq(x->k);
    int s = scalar_for(x, n->var);
    x->var[n->var] = rg__kir_name(x->k, s);
    x->undeclared[n->var] = false;
    return rg__kir_var(x->k, s, value);
}

/* A loop that goes down, or on by a flag: its variable is one that is assigned. */
static struct kir_node *other_loop(struct kir_names *x, const struct rg_cnode *n, struct kir_node *first,
                                   struct kir_node *end)
{
    struct kir_kernel *k = x->k;
    int s = scalar_for(x, n->var);
    struct kir_node *before = x->var[n->var], *i = rg__kir_name(k, s), *all = rg__kir_seq(k);
    struct kir_node *on = rg__kir_binary(k, n->step < 0 ? RG_COP_GT : RG_COP_LT, i, end);
    x->var[n->var] = i;
    struct kir_node *flag = n->n > 3 ? rg__kir_of(x, n->kid[3]) : NULL, *body = rg__kir_statement(x, n->kid[2]);
    x->var[n->var] = before;
    if ((n->n > 3 && !flag) || !body) return NULL;
    struct kir_node *loop = rg__kir_while(k, rg__kir_and(k, on, flag));
    rg__kir_add_to(k, rg__kir_body(loop), body);
    rg__kir_add_to(k, rg__kir_body(loop), rg__kir_assign(k, s, rg__kir_add(k, i, rg__kir_int(k, n->step))));
    rg__kir_add_to(k, all, rg__kir_var(k, s, first));
    rg__kir_add_to(k, all, loop);
    return all;
}

static struct kir_node *serial(struct kir_names *x, const struct rg_cnode *n)
{
    const struct rg_cvar *v = &x->t->vars[n->var];
    struct kir_kernel *k = x->k;
    struct kir_node *first = rg__kir_of(x, n->kid[0]), *end = first ? rg__kir_of(x, n->kid[1]) : NULL;
    if (!end) return NULL;
    if (n->n > 3 || n->step < 0) return other_loop(x, n, first, end);
    enum rg_scalar type = rg_scalar_bytes(v->type) < 4 ? RG_I32 : v->type;
    int index = rg__kir_symbol_of(x, KIR_INDEX, n->var, type);
    struct kir_node *before = x->var[n->var],
                    *loop = rg__kir_for_range(k, KIR_SERIAL, index, first, end, rg__kir_int(k, n->step));
    x->var[n->var] = rg__kir_name(k, index);
    struct kir_node *body = rg__kir_statement(x, n->kid[2]);
    x->var[n->var] = before;
    if (!body) return NULL;
    rg__kir_add_to(k, rg__kir_body(loop), body);
    return loop;
}

/* What stands in a for's header: nothing, an expression, a statement. False: why. */
static bool header(struct kir_names *x, struct kir_node *to, const struct rg_cnode *n)
{
    bool both = n && n->kind == RG_C_COMMA;
    for (int i = 0; both && i < n->n; i++)
        if (!header(x, to, n->kid[i])) return false;
    if (!n || both) return true;
    struct kir_node *s = rg__c_is_expr(n) ? effect(x, n) : rg__kir_statement(x, n);
    if (s) rg__kir_add_to(x->k, to, s);
    return s != NULL;
}

/* A loop of C's that is left by its condition alone. */
static struct kir_node *c_loop(struct kir_names *x, const struct rg_cnode *n)
{
    bool counts = n->kind == RG_C_FOR;
    const struct rg_cnode *on = n->kid[counts], *in = n->kid[counts ? 3 : 1];
    struct kir_kernel *k = x->k;
    struct kir_node *all = rg__kir_seq(k), *body, *loop;
    if (n->kind == RG_C_DO || rg__leaves_loop(in) || rg__leaves_early(in))
        return refuse(x, "a loop is left from inside%s", "");
    if (counts && !header(x, all, n->kid[0])) return NULL;
    struct kir_node *condition = on ? rg__kir_of(x, on) : rg__kir_int(k, 1);
    if (!condition || !(body = rg__kir_statement(x, in))) return NULL;
    loop = rg__kir_while(k, condition);
    rg__kir_add_to(k, rg__kir_body(loop), body);
    if (counts && !header(x, rg__kir_body(loop), n->kid[2])) return NULL;
    rg__kir_add_to(k, all, loop);
    return all;
}

static struct kir_node *converted(struct kir_names *x, const struct rg_cnode *n)
{
    struct kir_kernel *k = x->k;
    struct kir_node *a, *b;
    switch (n->kind) {
    case RG_C_BLOCK:
        a = rg__kir_seq(k);
        for (int i = 0; i < n->n; i++) {
            if (!(b = rg__kir_statement(x, n->kid[i]))) return NULL;
            rg__kir_add_to(k, a, b);
        }
        return a;
    case RG_C_IF:
        if (!(a = rg__kir_of(x, n->kid[0]))) return NULL;
        a = rg__kir_if(k, a);
        for (int i = 1; i < n->n; i++) {
            if (!n->kid[i]) continue;
            if (!(b = rg__kir_statement(x, n->kid[i]))) return NULL;
            rg__kir_add_to(k, i == 1 ? a->kid[1] : rg__kir_else(k, a), b);
        }
        return a;
    case RG_C_STMT:
        return effect(x, n->kid[0]);
    case RG_C_DECL:
        return declaration(x, n);
    case RG_C_LOOP:
        return serial(x, n);
    case RG_C_FOR:
    case RG_C_WHILE:
    case RG_C_DO:
        return c_loop(x, n);
    case RG_C_OPAQUE:
        return rg__kir_statement(x, n->kid[0]);
    default:
        return refuse(x, "a statement is no plain one%s", "");
    }
}

struct meeting {
    struct kir_names *names;
    bool ok;
};

static bool meet(void *arg, struct rg_cnode *n)
{
    struct meeting *m = arg;
    bool assigns = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_RETURN) /* names nobody knows; the end of the whole kernel */
        m->ok = m->ok && refuse(m->names, "a statement has no other form than the file's%s", "");
    if (assigns && m->names->assign && (m->names->assign(m->names->arg, m->names, n) || *m->names->why))
        m->ok = m->ok && refuse(m->names, "an update that must be atomic stands in code left from inside%s", "");
    if ((n->kind == RG_C_INDEX || n->kind == RG_C_VAR) && n->array >= 0)
        m->ok = m->ok && rg__kir_buffer_of(m->names, n->array) >= 0;
    return true;
}

/* The user's code as it is: for its names to be known to the kernel, they are asked for. */
static struct kir_node *opaque(struct kir_names *x, const struct rg_cnode *n)
{
    struct meeting m = {x, true};
    *x->why = 0;
    rg__c_walk((struct rg_cnode *)n, meet, &m);
    struct kir_node *o = m.ok ? quotation(x, KIR_OPAQUE, n) : NULL;
    if (!o) return NULL;
    struct kir_names *as = rg_arena_alloc(x->k->arena, sizeof *as);
    *as = *x;
    as->var = rg_arena_alloc(x->k->arena, (size_t)(x->t->n_vars + 1) * sizeof(struct kir_node *));
    memcpy(as->var, x->var, (size_t)x->t->n_vars * sizeof(struct kir_node *));
    for (int v = 0; v < x->t->n_vars; v++)
        if (rg__c_binds(n, v)) as->var[v] = NULL;
    o->names = as;
    return o;
}

struct kir_node *rg__kir_place_of(struct kir_names *names, const struct rg_cnode *index)
{
    return element(names, index);
}

struct kir_node *rg__kir_sort(struct kir_names *names, enum kir_sort what, int shared, int width,
                              struct kir_node *const *kids, const struct rg_cnode *call)
{
    struct kir_node *order = opaque(names, call), *x;
    if (!order) return NULL;
    x = rg__kir_node(names->k, KIR_SORT, what == KIR_SORT_TILE ? 3 : 5);
    x->sort = what;
    x->symbol = shared;
    x->width = width;
    x->tree = call;
    x->names = order->names;
    for (int i = 0; i < x->n; i++) x->kid[i] = kids[i];
    return x;
}

/* A store to a member of an element. */
static bool sets_member(const struct rg_cnode *n)
{
    return n->kind == RG_C_STMT && n->n && n->kid[0]->n && n->kid[0]->kid[0]->kind == RG_C_MEMBER &&
           (n->kid[0]->kind == RG_C_ASSIGN || n->kid[0]->kind == RG_C_INCDEC);
}

struct kir_node *rg__kir_statement(struct kir_names *names, const struct rg_cnode *n)
{
    *names->why = 0;
    names->line = 0;
    struct kir_node *a = converted(names, n);
    if (!a && n->kind == RG_C_OPAQUE) a = opaque(names, n->kid[0]);
    if (!a && sets_member(n)) a = opaque(names, n);
    if (a && !a->line) a->line = n->line;
    if (!a && !names->line) names->line = n->line;
    return a;
}

/* ---- what is sure to have a form ---- */

static bool is_number(enum rg_scalar type, bool pointer)
{
    return !pointer && type != RG_STRUCT;
}

/* A member of a variable, or of an element. */
static bool can_member(const struct rg_ctree *t, const struct rg_cnode *n)
{
    const struct rg_cnode *e = n;
    while (e->kind == RG_C_MEMBER && !e->pointer && e->n) e = e->kid[0];
    bool var = e->kind == RG_C_VAR && e->array < 0 && !e->pointer, index = e->kind == RG_C_INDEX && !e->pointer;
    return n->kind == RG_C_MEMBER && (var || (index && rg__kir_can(t, e))) && rg__c_pure(t, n);
}

static bool can_place(const struct rg_ctree *t, const struct rg_cnode *n)
{
    return (n->kind == RG_C_VAR || n->kind == RG_C_INDEX) && rg__kir_can(t, n);
}

bool rg__kir_can(const struct rg_ctree *t, const struct rg_cnode *n)
{
    const struct rg_cnode *e = n->kind == RG_C_STMT && n->n ? n->kid[0] : NULL;
    bool own = true;
    switch (n->kind) {
    case RG_C_INT:
    case RG_C_REAL:
    case RG_C_BLOCK:
    case RG_C_IF:
        break;
    case RG_C_VAR:
        own = n->array < 0 && !n->pointer;
        break;
    case RG_C_INDEX:
        own = !n->pointer && n->n == t->arrays[n->array].n_dims && n->n <= KIR_MAX_DIMS;
        break;
    case RG_C_CALL:
        own = !n->pointer && n->n <= KIR_MAX_ARGUMENTS &&
              (n->callee < 0 ? rg__c_pure_library(n->text) : t->helpers[n->callee].pure);
        break;
    case RG_C_UNARY:
        own = n->op != RG_COP_DEREF && n->op != RG_COP_ADDRESS && is_number(n->type, n->pointer);
        break;
    case RG_C_CAST:
    case RG_C_BINARY:
        own = is_number(n->type, n->pointer);
        break;
    case RG_C_COND:
        own = !n->pointer;
        break;
    case RG_C_INITLIST:
        own = rg__c_pure(t, n);
        break;
    case RG_C_STMT:
        if (!e || (e->kind != RG_C_ASSIGN && e->kind != RG_C_INCDEC) ||
            !(can_place(t, e->kid[0]) || can_member(t, e->kid[0])))
            return false;
        return e->kind == RG_C_INCDEC || rg__kir_can(t, e->kid[1]);
    case RG_C_MEMBER:
        return is_number(n->type, n->pointer) && can_member(t, n);
    case RG_C_DECL:
        if (n->array >= 0 && n->n && n->kid[0] && n->kid[0]->kind != RG_C_INITLIST) return false;
        own = n->array >= 0 ? t->arrays[n->array].n_dims <= KIR_MAX_DIMS : !strchr(t->vars[n->var].c_type, '*');
        break;
    default:
        return false;
    }
    for (int i = 0; own && i < n->n; i++) own = !n->kid[i] || rg__kir_can(t, n->kid[i]);
    return own;
}
