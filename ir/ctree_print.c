/* C and CUDA text of tree nodes. */
#include "ir/ctree_sort.h"
#include "ir/ctree_util.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

struct printing {
    struct rg_buf *out;
    const struct rg_ctree *t;
    const struct rg_c_printer *p;
    bool opaque; /* inside an OPAQUE: a return ends the whole function */
};

enum { PREC_COMMA = 1, PREC_ASSIGN, PREC_COND, PREC_OR, PREC_UNARY = 14, PREC_POSTFIX = 15, PREC_PRIMARY = 16 };

static int binary_prec(enum rg_c_op op)
{
    static const int prec[RG_N_C_OPS] = {
        [RG_COP_OR] = PREC_OR, [RG_COP_AND] = 5,  [RG_COP_BOR] = 6,  [RG_COP_XOR] = 7,  [RG_COP_BAND] = 8,
        [RG_COP_EQ] = 9,       [RG_COP_NE] = 9,   [RG_COP_LT] = 10,  [RG_COP_GT] = 10,  [RG_COP_LE] = 10,
        [RG_COP_GE] = 10,      [RG_COP_SHL] = 11, [RG_COP_SHR] = 11, [RG_COP_ADD] = 12, [RG_COP_SUB] = 12,
        [RG_COP_MUL] = 13,     [RG_COP_DIV] = 13, [RG_COP_REM] = 13};
    return prec[op];
}

static int prec_of(const struct rg_cnode *n)
{
    switch (n->kind) {
    case RG_C_COMMA:
        return PREC_COMMA;
    case RG_C_ASSIGN:
        return PREC_ASSIGN;
    case RG_C_COND:
        return PREC_COND;
    case RG_C_BINARY:
        return binary_prec(n->op);
    case RG_C_UNARY:
    case RG_C_CAST:
        return PREC_UNARY;
    case RG_C_INCDEC:
        return PREC_UNARY;
    case RG_C_INT:
        return n->ivalue < 0 ? PREC_UNARY : PREC_PRIMARY;
    case RG_C_REAL:
        return signbit(n->rvalue) ? PREC_UNARY : PREC_PRIMARY;
    default:
        return PREC_PRIMARY;
    }
}

static void expr(const struct printing *s, const struct rg_cnode *n, int min_prec);

static void param_dim(struct rg_buf *out, const struct rg_expr *e)
{
    if (!e) {
        rg_buf_str(out, "1");
    } else if (e->kind == RG_EXPR_INT || e->kind == RG_EXPR_NAME) {
        rg_expr_print(out, e, NULL, NULL);
    } else {
        rg_buf_char(out, '(');
        rg_expr_print(out, e, NULL, NULL);
        rg_buf_char(out, ')');
    }
}

/* Parameters and heap arrays are flat pointers on the device; local and constant arrays keep their shape. */
static bool flat_array(const struct rg_carray *a)
{
    return (a->param >= 0 || a->mallocd) && !a->constant_table;
}

/* Horner's rule over the subscripts given; missing ones are 0. */
static void linear_subscript(const struct printing *s, const struct rg_cnode *n)
{
    const struct rg_carray *a = &s->t->arrays[n->array];
    for (int d = 1; d < a->n_dims; d++) rg_buf_char(s->out, '(');
    rg_buf_str(s->out, "(long long)");
    expr(s, n->kid[0], PREC_UNARY);
    for (int d = 1; d < a->n_dims; d++) {
        rg_buf_str(s->out, d > 1 ? ") * " : " * ");
        param_dim(s->out, a->dims[d]);
        if (d < n->n) {
            rg_buf_str(s->out, " + ");
            expr(s, n->kid[d], 13);
        }
    }
    rg_buf_char(s->out, ')');
}

static void index_expr(const struct printing *s, const struct rg_cnode *n)
{
    const struct rg_carray *a = &s->t->arrays[n->array];
    if (flat_array(a) && a->n_dims > 1) {
        bool row = n->n < a->n_dims;
        const struct rg_cnode *linear = rg_c_linear(s->t, n);
        rg_buf_printf(s->out, row ? "(%s + " : "%s[", a->name);
        if (linear)
            expr(s, linear, PREC_COMMA);
        else
            linear_subscript(s, n);
        rg_buf_char(s->out, row ? ')' : ']');
        return;
    }
    rg_buf_str(s->out, a->name);
    for (int d = 0; d < n->n; d++) {
        rg_buf_char(s->out, '[');
        expr(s, n->kid[d], PREC_COMMA);
        rg_buf_char(s->out, ']');
    }
}

static void real_literal(const struct printing *s, const struct rg_cnode *n)
{
    if (n->text && *n->text) {
        size_t len = strlen(n->text);
        if (n->text[len - 1] == 'l' || n->text[len - 1] == 'L') len--;
        rg_buf_add(s->out, n->text, len);
        return;
    }
    if (isnan(n->rvalue) || isinf(n->rvalue)) {
        const char *wide = n->type == RG_F64 ? "(double)" : ""; /* the macros are floats: overloads must see a double */
        rg_buf_printf(s->out, "%s%s", wide, isnan(n->rvalue) ? "NAN" : n->rvalue < 0 ? "-INFINITY" : "INFINITY");
        return;
    }
    char text[64];
    snprintf(text, sizeof text, n->type == RG_F32 ? "%.9g" : "%.17g", n->rvalue);
    rg_buf_printf(s->out, "%s%s%s", text, strpbrk(text, ".e") ? "" : ".0", n->type == RG_F32 ? "f" : "");
}

static void call(const struct printing *s, const struct rg_cnode *n)
{
    const char *name = n->text;
    if (n->callee < 0 && !strncmp(name, "__builtin_", 10) && rg__c_pure_library(name)) name += 10;
    if (n->callee < 0 && n->n == 0 && !strncmp(name, "rg_inf", 6)) {
        rg_buf_str(s->out, n->type == RG_F64 ? "(double)INFINITY" : "INFINITY");
        return;
    }
    if (n->callee >= 0) name = s->t->helpers[n->callee].name;
    rg_buf_printf(s->out, "%s(", name);
    for (int i = 0; i < n->n; i++) {
        if (i) rg_buf_str(s->out, ", ");
        expr(s, n->kid[i], PREC_ASSIGN);
    }
    rg_buf_char(s->out, ')');
}

static void list(const struct printing *s, const struct rg_cnode *n, const char *open, const char *close)
{
    rg_buf_str(s->out, open);
    for (int i = 0; i < n->n; i++) {
        if (i) rg_buf_str(s->out, ", ");
        expr(s, n->kid[i], PREC_ASSIGN);
    }
    rg_buf_str(s->out, close);
}

static void unary(const struct printing *s, const struct rg_cnode *n)
{
    const struct rg_cnode *k = n->kid[0];
    const char *op = rg_c_op_text(n->op);
    rg_buf_str(s->out, op);
    /* -(-x) and & & must not run together */
    bool clash = k->op == n->op ||
                 (n->op == RG_COP_NEG && prec_of(k) == PREC_UNARY && (k->kind == RG_C_INT || k->kind == RG_C_REAL)) ||
                 (k->kind == RG_C_INCDEC && rg_c_op_text(k->op)[0] == *op);
    if (clash) rg_buf_char(s->out, ' ');
    expr(s, k, PREC_UNARY);
}

static void cast(const struct printing *s, const struct rg_cnode *n)
{
    /* NULL is a 0 that both languages take for any pointer: C++ converts no void pointer */
    if (n->pointer && n->text && !strcmp(n->text, "void *") && n->kid[0]->kind == RG_C_INT && !n->kid[0]->ivalue) {
        rg_buf_char(s->out, '0');
        return;
    }
    if (n->text && *n->text)
        rg_buf_printf(s->out, "(%s)", n->text);
    else
        rg_buf_printf(s->out, "(%s%s)", rg_scalar_cuda(n->type), n->pointer ? " *" : "");
    expr(s, n->kid[0], PREC_UNARY);
}

static void expr_bare(const struct printing *s, const struct rg_cnode *n)
{
    struct rg_buf *o = s->out;
    switch (n->kind) {
    case RG_C_INT:
        if (n->text && *n->text)
            rg_buf_str(o, n->text);
        else
            rg_buf_printf(o, "%lld", (long long)n->ivalue);
        break;
    case RG_C_REAL:
        real_literal(s, n);
        break;
    case RG_C_VAR:
        rg_buf_str(o, n->array >= 0 ? s->t->arrays[n->array].name : s->t->vars[n->var].name);
        break;
    case RG_C_INDEX:
        index_expr(s, n);
        break;
    case RG_C_MEMBER:
        expr(s, n->kid[0], PREC_POSTFIX);
        if (n->text[0] != '[') rg_buf_char(o, '.');
        rg_buf_str(o, n->text);
        if (n->n > 1) { /* element of an array member */
            for (int i = 1; i < n->n; i++) {
                rg_buf_char(o, '[');
                expr(s, n->kid[i], PREC_COMMA);
                rg_buf_char(o, ']');
            }
        }
        break;
    case RG_C_UNARY:
        unary(s, n);
        break;
    case RG_C_BINARY: {
        int p = binary_prec(n->op);
        expr(s, n->kid[0], p);
        rg_buf_printf(o, " %s ", rg_c_op_text(n->op));
        expr(s, n->kid[1], p + 1);
        break;
    }
    case RG_C_ASSIGN:
        expr(s, n->kid[0], PREC_UNARY);
        rg_buf_printf(o, " %s ", rg_c_op_text(n->op));
        expr(s, n->kid[1], PREC_ASSIGN);
        break;
    case RG_C_INCDEC:
        if (n->op == RG_COP_PRE_INC || n->op == RG_COP_PRE_DEC) rg_buf_add(o, rg_c_op_text(n->op), 2);
        expr(s, n->kid[0], PREC_POSTFIX);
        if (n->op == RG_COP_POST_INC || n->op == RG_COP_POST_DEC) rg_buf_add(o, rg_c_op_text(n->op) + 1, 2);
        break;
    case RG_C_COND:
        expr(s, n->kid[0], PREC_OR);
        rg_buf_str(o, " ? ");
        expr(s, n->kid[1], PREC_COND);
        rg_buf_str(o, " : ");
        expr(s, n->kid[2], PREC_COND);
        break;
    case RG_C_CALL:
        call(s, n);
        break;
    case RG_C_CAST:
        cast(s, n);
        break;
    case RG_C_COMMA:
        list(s, n, "", "");
        break;
    case RG_C_INITLIST:
        if (n->text) rg_buf_str(o, n->text); /* a compound literal */
        list(s, n, "{", "}");
        break;
    case RG_C_STRING:
    case RG_C_VERBATIM:
        rg_buf_str(o, n->text);
        break;
    default:
        break;
    }
}

static void expr(const struct printing *s, const struct rg_cnode *n, int min_prec)
{
    if (!n) return;
    bool parens = prec_of(n) < min_prec;
    if (parens) rg_buf_char(s->out, '(');
    if (!(s->p && s->p->node && s->p->node(s->p->arg, s->out, n))) expr_bare(s, n);
    if (parens) rg_buf_char(s->out, ')');
}

static void stmt(const struct printing *s, const struct rg_cnode *n, int indent);

static void body(const struct printing *s, const struct rg_cnode *n, int indent)
{
    rg_buf_str(s->out, " {\n");
    if (n && n->kind == RG_C_BLOCK) {
        for (int i = 0; i < n->n; i++) stmt(s, n->kid[i], indent + 1);
    } else if (n) {
        stmt(s, n, indent + 1);
    }
    rg_buf_indent(s->out, indent);
    rg_buf_char(s->out, '}');
}

static void decl(const struct printing *s, const struct rg_cnode *n)
{
    struct rg_buf *o = s->out;
    if (n->array >= 0) {
        const struct rg_carray *a = &s->t->arrays[n->array];
        if (a->mallocd) {
            rg_buf_printf(o, "%s *%s = (%s *)malloc(sizeof(%s)", a->c_elem, a->name, a->c_elem, a->c_elem);
            for (int d = 0; d < a->n_dims; d++) {
                rg_buf_str(o, " * ");
                if (a->dims[d])
                    param_dim(o, a->dims[d]);
                else
                    rg_buf_str(o, "..."); /* known when it runs */
            }
            rg_buf_char(o, ')');
            return;
        }
        rg_buf_printf(o, "%s %s", a->elem == RG_STRUCT ? a->c_elem : rg_scalar_cuda(a->elem), a->name);
        for (int d = 0; d < a->n_dims; d++) {
            rg_buf_char(o, '[');
            if (a->dims[d]) rg_expr_print(o, a->dims[d], NULL, NULL);
            rg_buf_char(o, ']');
        }
    } else {
        const struct rg_cvar *v = &s->t->vars[n->var];
        const char *type = v->c_type;
        if (v->type != RG_STRUCT && !strchr(type, '*')) type = rg_scalar_cuda(v->type);
        rg_buf_printf(o, "%s%s%s", type, type[strlen(type) - 1] == '*' ? "" : " ", v->name);
    }
    if (n->n && n->kid[0]) {
        rg_buf_str(o, " = ");
        expr(s, n->kid[0], PREC_ASSIGN);
    }
}

static void header_part(const struct printing *s, const struct rg_cnode *n)
{
    if (!n) return;
    if (n->kind == RG_C_DECL)
        decl(s, n);
    else if (n->kind == RG_C_STMT)
        expr(s, n->kid[0], PREC_COMMA);
    else if (n->kind == RG_C_BLOCK) { /* several declarations of one type: only by our own construction */
        for (int i = 0; i < n->n; i++) {
            if (i) rg_buf_str(s->out, ", ");
            header_part(s, n->kid[i]);
        }
    } else
        expr(s, n, PREC_COMMA);
}

static void sort(const struct printing *s, const struct rg_csort *sort)
{
    const struct rg_cvar *v = &s->t->vars[sort->loop->var];
    rg_buf_printf(s->out, "{ const %s %s = ", rg_scalar_cuda(v->type), v->name);
    expr(s, sort->loop->kid[0], PREC_ASSIGN);
    rg_buf_str(s->out, "; rg_qsort(&");
    expr(s, sort->element, PREC_UNARY);
    rg_buf_str(s->out, ", ");
    expr(s, sort->loop->kid[1], PREC_ASSIGN);
    rg_buf_printf(s->out, " - %s, sizeof(", v->name);
    expr(s, sort->element, PREC_COMMA);
    rg_buf_printf(s->out, "), %s", sort->order->text);
    for (int i = 0; i < sort->n_with; i++) {
        rg_buf_str(s->out, ", ");
        expr(s, sort->with[i], PREC_ASSIGN);
    }
    rg_buf_str(s->out, "); }");
}

static void loop(const struct printing *s, const struct rg_cnode *n, int indent)
{
    struct rg_csort as_sort;
    if (rg_c_sort_of(n, &as_sort)) {
        sort(s, &as_sort);
        return;
    }
    const struct rg_cvar *v = &s->t->vars[n->var];
    rg_buf_printf(s->out, "for (%s %s = ", rg_scalar_cuda(v->type), v->name);
    expr(s, n->kid[0], PREC_ASSIGN);
    rg_buf_printf(s->out, "; %s %s ", v->name, n->step > 0 ? "<" : ">");
    expr(s, n->kid[1], 11);
    if (n->n > 3) {
        rg_buf_str(s->out, " && ");
        expr(s, n->kid[3], 11);
    }
    if (n->step == 1 || n->step == -1)
        rg_buf_printf(s->out, "; %s%s)", v->name, n->step > 0 ? "++" : "--");
    else
        rg_buf_printf(s->out, "; %s %s %lld)", v->name,
                      n->step > 0 ? "+=" : "-=", (long long)(n->step > 0 ? n->step : -n->step));
    body(s, n->kid[2], indent);
}

static void conditional(const struct printing *s, const struct rg_cnode *n, int indent)
{
    rg_buf_str(s->out, "if (");
    expr(s, n->kid[0], PREC_COMMA);
    rg_buf_char(s->out, ')');
    body(s, n->kid[1], indent);
    if (n->n > 2 && n->kid[2]) {
        rg_buf_str(s->out, " else");
        body(s, n->kid[2], indent);
    }
}

static void stmt(const struct printing *s, const struct rg_cnode *n, int indent)
{
    struct rg_buf *o = s->out;
    if (!n) return;
    if (n->kind == RG_C_OPAQUE && n->n) {
        struct printing inner = *s;
        inner.opaque = true;
        stmt(&inner, n->kid[0], indent);
        return;
    }
    rg_buf_indent(o, indent);
    switch (n->kind) {
    case RG_C_BLOCK:
        rg_buf_str(o, "{\n");
        for (int i = 0; i < n->n; i++) stmt(s, n->kid[i], indent + 1);
        rg_buf_indent(o, indent);
        rg_buf_str(o, "}\n");
        return;
    case RG_C_LOOP:
        loop(s, n, indent);
        break;
    case RG_C_IF:
        conditional(s, n, indent);
        break;
    case RG_C_DECL:
        decl(s, n);
        rg_buf_char(o, ';');
        break;
    case RG_C_RETURN:
        if (s->t->result_array >= 0 && n->n && n->kid[0])
            rg_buf_printf(o, "%s%s[0] = ", s->opaque ? "{ " : "", s->t->arrays[s->t->result_array].name);
        else
            rg_buf_str(o, n->n && n->kid[0] ? "return " : "return");
        if (n->n && n->kid[0]) expr(s, n->kid[0], PREC_COMMA);
        rg_buf_str(o, s->t->result_array >= 0 && n->n && n->kid[0] && s->opaque ? "; return; }" : ";");
        break;
    case RG_C_FOR:
        rg_buf_str(o, "for (");
        header_part(s, n->kid[0]);
        rg_buf_str(o, "; ");
        header_part(s, n->kid[1]);
        rg_buf_str(o, "; ");
        header_part(s, n->kid[2]);
        rg_buf_char(o, ')');
        body(s, n->kid[3], indent);
        break;
    case RG_C_WHILE:
        rg_buf_str(o, "while (");
        expr(s, n->kid[0], PREC_COMMA);
        rg_buf_char(o, ')');
        body(s, n->kid[1], indent);
        break;
    case RG_C_DO:
        rg_buf_str(o, "do");
        body(s, n->kid[0], indent);
        rg_buf_str(o, " while (");
        expr(s, n->kid[1], PREC_COMMA);
        rg_buf_str(o, ");");
        break;
    case RG_C_BREAK:
        rg_buf_str(o, "break;");
        break;
    case RG_C_CONTINUE:
        rg_buf_str(o, "continue;");
        break;
    case RG_C_SWITCH:
        rg_buf_str(o, "switch (");
        expr(s, n->kid[0], PREC_COMMA);
        rg_buf_char(o, ')');
        body(s, n->kid[1], indent);
        break;
    case RG_C_CASE:
        if (n->kid[0]) {
            rg_buf_str(o, "case ");
            expr(s, n->kid[0], PREC_COND);
            rg_buf_str(o, ":\n");
        } else {
            rg_buf_str(o, "default:\n");
        }
        stmt(s, n->kid[1], indent + 1);
        return;
    case RG_C_STMT:
        if (n->n && n->kid[0]) expr(s, n->kid[0], PREC_COMMA);
        rg_buf_char(o, ';');
        break;
    case RG_C_VERBATIM:
        rg_buf_str(o, n->text);
        break;
    default:
        expr(s, n, PREC_COMMA);
        rg_buf_char(o, ';');
        break;
    }
    rg_buf_char(o, '\n');
}

void rg_c_print(struct rg_buf *out, const struct rg_ctree *t, const struct rg_cnode *n, const struct rg_c_printer *p)
{
    struct printing s = {out, t, p, false};
    if (!n) return;
    if (rg__c_is_expr(n))
        expr(&s, n, PREC_COMMA);
    else
        stmt(&s, n, p ? p->indent : 0);
}
