/* Nests in a few words, for tests of the built-in coder that need no C front end.
 *     "in x[n]; inout y[n]; int n; float a | for i 0 n { y(i) = a * x(i) + y(i); }"
 * Loops: for VAR LOWER UPPER [by STEP] { ... }. Statements: local s = e;  array tmp[8];  target op= e;  if e { } */
#ifndef TESTS_POLY_MINI_H
#define TESTS_POLY_MINI_H
#include <ctype.h>
#include <rg/ctree.h>
#include <rg/problem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mini {
    struct rg_problem *p;
    struct rg_ctree *t;
    const char *s;
};

static void mini_fail(struct mini *m, const char *what)
{
    fprintf(stderr, "mini: %s at '%.40s'\n", what, m->s);
    abort();
}

static void mini_space(struct mini *m)
{
    while (isspace((unsigned char)*m->s)) m->s++;
}

static const char *mini_word(struct mini *m)
{
    mini_space(m);
    const char *b = m->s;
    while (isalnum((unsigned char)*m->s) || *m->s == '_') m->s++;
    if (b == m->s) mini_fail(m, "a name expected");
    return rg_arena_strndup(&m->t->arena, b, (size_t)(m->s - b));
}

static bool mini_take(struct mini *m, const char *w)
{
    mini_space(m);
    size_t n = strlen(w);
    if (strncmp(m->s, w, n) != 0 || (isalnum((unsigned char)w[0]) && isalnum((unsigned char)m->s[n]))) return false;
    m->s += n;
    return true;
}

static int mini_var(struct mini *m, const char *name)
{
    for (int i = m->t->n_vars - 1; i >= 0; i--)
        if (!strcmp(m->t->vars[i].name, name)) return i;
    return -1;
}

static int mini_array(struct mini *m, const char *name)
{
    for (int i = 0; i < m->t->n_arrays; i++)
        if (!strcmp(m->t->arrays[i].name, name)) return i;
    return -1;
}

static int mini_add_var(struct mini *m, const char *name, enum rg_cvar_kind kind, enum rg_scalar type, int param)
{
    RG_GROW(m->t->vars, m->t->n_vars, m->t->cap_vars);
    struct rg_cvar *v = &m->t->vars[m->t->n_vars];
    memset(v, 0, sizeof *v);
    v->name = name;
    v->kind = kind;
    v->type = type;
    v->param = param;
    v->struct_index = -1;
    v->c_type = rg_scalar_c(type);
    return m->t->n_vars++;
}

static struct rg_cnode *mini_node(struct mini *m, enum rg_c_kind kind, int n)
{
    struct rg_cnode *c = rg_cnode_new(m->t, kind, n);
    c->line = 1;
    c->var = c->array = c->callee = c->struct_index = -1;
    c->type = RG_I32;
    return c;
}

static struct rg_cnode *mini_convert(struct mini *m, const struct rg_expr *e)
{
    static const enum rg_c_op ops[] = {RG_COP_ADD, RG_COP_SUB, RG_COP_MUL, RG_COP_DIV, RG_COP_REM,
                                       RG_COP_LT,  RG_COP_LE,  RG_COP_GT,  RG_COP_GE,  RG_COP_EQ,
                                       RG_COP_NE,  RG_COP_AND, RG_COP_OR,  RG_COP_NOT, RG_COP_NEG};
    struct rg_cnode *c;
    switch (e->kind) {
    case RG_EXPR_INT:
        c = mini_node(m, RG_C_INT, 0);
        c->ivalue = e->value;
        return c;
    case RG_EXPR_REAL:
        c = mini_node(m, RG_C_REAL, 0);
        c->rvalue = e->real;
        c->text = e->name;
        c->type = RG_F32;
        return c;
    case RG_EXPR_NAME: {
        int v = mini_var(m, e->name);
        if (v < 0) mini_fail(m, e->name);
        c = mini_node(m, RG_C_VAR, 0);
        c->var = v;
        c->type = m->t->vars[v].type;
        return c;
    }
    case RG_EXPR_CALL: {
        int a = mini_array(m, e->name);
        c = mini_node(m, a >= 0 ? RG_C_INDEX : RG_C_CALL, e->n_args);
        c->array = a;
        c->text = e->name;
        for (int i = 0; i < e->n_args; i++) c->kid[i] = mini_convert(m, e->args[i]);
        bool integer = !strcmp(e->name, "min") || !strcmp(e->name, "max");
        c->type = a >= 0 ? m->t->arrays[a].elem : integer ? RG_I32 : RG_F32;
        return c;
    }
    default:
        c = mini_node(m,
                      e->kind == RG_EXPR_COND    ? RG_C_COND
                      : e->kind == RG_EXPR_UNARY ? RG_C_UNARY
                                                 : RG_C_BINARY,
                      e->n_args);
        for (int i = 0; i < e->n_args; i++) c->kid[i] = mini_convert(m, e->args[i]);
        if (e->kind != RG_EXPR_COND) c->op = ops[e->op];
        c->type = c->kid[e->n_args - 1]->type;
        if (e->n_args > 1 && rg_scalar_is_real(c->kid[e->n_args - 2]->type)) c->type = c->kid[e->n_args - 2]->type;
        if (e->kind == RG_EXPR_BINARY && e->op >= RG_OP_LT) c->type = RG_I32;
        return c;
    }
}

static struct rg_cnode *mini_expr(struct mini *m)
{
    struct rg_error err = RG_ERROR_INIT;
    const struct rg_expr *e;
    mini_space(m);
    if (rg_expr_parse(&m->t->arena, &m->s, "mini", 1, 1, &e, &err) != RG_OK) mini_fail(m, err.text);
    return mini_convert(m, e);
}

static struct rg_cnode *mini_block(struct mini *m);

static struct rg_cnode *mini_stmt(struct mini *m)
{
    struct rg_cnode *c;
    if (mini_take(m, "for")) {
        const char *name = mini_word(m);
        c = mini_node(m, RG_C_LOOP, 3);
        c->kid[0] = mini_expr(m);
        mini_take(m, ",");
        c->kid[1] = mini_expr(m);
        c->step = 1;
        if (mini_take(m, "by")) c->step = strtol(m->s, (char **)&m->s, 10);
        c->var = mini_add_var(m, name, RG_CVAR_ITER, RG_I32, -1);
        c->kid[2] = mini_block(m);
        m->t->vars[c->var].name = rg_arena_printf(&m->t->arena, "%s", name);
        return c;
    }
    if (mini_take(m, "if")) {
        c = mini_node(m, RG_C_IF, 3);
        c->kid[0] = mini_expr(m);
        c->kid[1] = mini_block(m);
        c->kid[2] = mini_take(m, "else") ? mini_block(m) : NULL;
        return c;
    }
    if (mini_take(m, "local")) {
        c = mini_node(m, RG_C_DECL, 1);
        const char *name = mini_word(m);
        if (mini_take(m, "=")) c->kid[0] = mini_expr(m);
        c->var = mini_add_var(m, name, RG_CVAR_LOCAL, RG_F32, -1);
        mini_take(m, ";");
        return c;
    }
    struct rg_cnode *lhs = mini_expr(m), *a = mini_node(m, RG_C_ASSIGN, 2);
    static const char *const ops[] = {"+=", "-=", "*=", "="};
    for (int i = 0; i < 4 && !a->op; i++)
        if (mini_take(m, ops[i])) a->op = rg_c_op_of(RG_C_ASSIGN, ops[i]);
    a->kid[0] = lhs;
    a->kid[1] = mini_expr(m);
    a->type = lhs->type;
    if (!mini_take(m, ";")) mini_fail(m, "';' expected");
    c = mini_node(m, RG_C_STMT, 1);
    c->kid[0] = a;
    return c;
}

static struct rg_cnode *mini_block(struct mini *m)
{
    struct rg_cnode *kids[64];
    int n = 0;
    if (!mini_take(m, "{")) mini_fail(m, "'{' expected");
    while (!mini_take(m, "}")) kids[n++] = mini_stmt(m);
    struct rg_cnode *b = mini_node(m, RG_C_BLOCK, n);
    for (int i = 0; i < n; i++) b->kid[i] = kids[i];
    return b;
}

static void mini_decl(struct mini *m)
{
    static const char *const roles[] = {"in", "out", "inout"};
    struct rg_param *q = &m->p->params[m->p->n_params];
    memset(q, 0, sizeof *q);
    q->struct_index = -1;
    const char *word = mini_word(m);
    bool integer = !strcmp(word, "int"), real = !strcmp(word, "float");
    q->name = mini_word(m);
    q->elem = integer ? RG_I32 : RG_F32;
    q->elem_bytes = 4;
    q->c_elem = rg_scalar_c(q->elem);
    if (integer || real) {
        q->kind = RG_PARAM_SCALAR;
        mini_add_var(m, q->name, RG_CVAR_PARAM, q->elem, m->p->n_params);
        if (integer) {
            m->p->size_params[m->p->n_size_params++] = m->p->n_params;
        }
        m->p->n_params++;
        return;
    }
    q->kind = RG_PARAM_ARRAY;
    for (int r = 0; r < 3; r++)
        if (!strcmp(word, roles[r])) q->role = (enum rg_role)r;
    RG_GROW(m->t->arrays, m->t->n_arrays, m->t->cap_arrays);
    struct rg_carray *a = &m->t->arrays[m->t->n_arrays++];
    memset(a, 0, sizeof *a);
    a->name = q->name;
    a->param = m->p->n_params++;
    a->elem = q->elem;
    a->struct_index = -1;
    a->c_elem = q->c_elem;
    a->is_const = q->role == RG_ROLE_IN;
    a->dims = rg_arena_alloc(&m->t->arena, sizeof *a->dims * 8);
    while (mini_take(m, "[")) {
        struct rg_error err = RG_ERROR_INIT;
        if (rg_expr_parse(&m->t->arena, &m->s, "mini", 1, 1, &a->dims[a->n_dims++], &err) != RG_OK)
            mini_fail(m, err.text);
        mini_take(m, "]");
    }
    q->dims = a->dims;
    q->n_dims = a->n_dims;
}

static void mini_parse(const char *name, const char *text, struct rg_problem **p, struct rg_ctree **t)
{
    struct mini m = {rg_problem_new(), rg_xcalloc(1, sizeof(struct rg_ctree)), text};
    m.p->function = name;
    m.p->file = "mini.c";
    m.p->line = 1;
    m.p->params = rg_arena_alloc(&m.p->arena, sizeof *m.p->params * 16);
    m.p->size_params = rg_arena_alloc(&m.p->arena, sizeof(int) * 16);
    m.t->result_array = -1;
    do mini_decl(&m);
    while (mini_take(&m, ";"));
    mini_take(&m, "|");
    struct rg_cnode *kids[64];
    int n = 0;
    for (mini_space(&m); *m.s; mini_space(&m)) kids[n++] = mini_stmt(&m);
    m.t->root = mini_node(&m, RG_C_BLOCK, n);
    for (int i = 0; i < n; i++) m.t->root->kid[i] = kids[i];
    *p = m.p;
    *t = m.t;
}
#endif
