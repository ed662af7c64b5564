/* Kernel IR: expressions as text in C's notation. */
#include "poly/kir/text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rg__kir_line(struct kir_writer *w, const char *fmt, ...)
{
    va_list ap;
    rg_buf_indent(w->out, w->indent);
    va_start(ap, fmt);
    rg_buf_vprintf(w->out, fmt, ap);
    va_end(ap);
    rg_buf_char(w->out, '\n');
}

void rg__kir_start(struct kir_writer *w)
{
    rg_buf_indent(w->out, w->indent);
}

void rg__kir_end(struct kir_writer *w, const char *text)
{
    rg_buf_printf(w->out, "%s\n", text);
}

static int binding(const struct kir_node *n)
{
    static const int prec[RG_N_C_OPS] = {
        [RG_COP_OR] = 4,   [RG_COP_AND] = 5,  [RG_COP_BOR] = 6,  [RG_COP_XOR] = 7,  [RG_COP_BAND] = 8,
        [RG_COP_EQ] = 9,   [RG_COP_NE] = 9,   [RG_COP_LT] = 10,  [RG_COP_GT] = 10,  [RG_COP_LE] = 10,
        [RG_COP_GE] = 10,  [RG_COP_SHL] = 11, [RG_COP_SHR] = 11, [RG_COP_ADD] = 12, [RG_COP_SUB] = 12,
        [RG_COP_MUL] = 13, [RG_COP_DIV] = 13, [RG_COP_REM] = 13};
    switch (n->kind) {
    case KIR_BINARY:
        return prec[n->op];
    case KIR_SELECT:
        return 3;
    case KIR_UNARY:
    case KIR_CAST:
        return KIR_PREC_UNARY;
    case KIR_INT:
        return n->ivalue < 0 ? KIR_PREC_UNARY : KIR_PREC_PRIMARY;
    case KIR_REAL:
        return signbit(n->rvalue) ? KIR_PREC_UNARY : KIR_PREC_PRIMARY;
    default:
        return KIR_PREC_PRIMARY;
    }
}

void rg__kir_subscripts(struct kir_writer *w, const struct kir_node *element)
{
    for (int i = 0; i < element->n - element->peer; i++) {
        rg_buf_char(w->out, '[');
        rg__kir_expression(w, element->kid[i], KIR_PREC_ANY);
        rg_buf_char(w->out, ']');
    }
}

static void integer(struct rg_buf *out, const struct kir_node *n)
{
    static const char *const suffix[RG_N_SCALARS] = {
        [RG_U32] = "u", [RG_LONG] = "l", [RG_ULONG] = "ul", [RG_LLONG] = "ll", [RG_ULLONG] = "ull"};
    if (n->text && *n->text)
        rg_buf_str(out, n->text);
    else
        rg_buf_printf(out, "%lld%s", (long long)n->ivalue, suffix[n->type] ? suffix[n->type] : "");
}

static void real(struct rg_buf *out, const struct kir_node *n)
{
    char text[64];
    if (isnan(n->rvalue) || isinf(n->rvalue)) {
        rg_buf_printf(out, "%s%s", n->type == RG_F64 ? "(double)" : "",
                      isnan(n->rvalue) ? "NAN"
                      : n->rvalue < 0  ? "-INFINITY"
                                       : "INFINITY");
        return;
    }
    bool wide = n->type == RG_F64;
    for (int digits = wide ? 15 : 6; digits <= (wide ? 17 : 9); digits++) { /* as few as say which value it is */
        snprintf(text, sizeof text, "%.*g", digits, n->rvalue);
        if (wide ? strtod(text, NULL) == n->rvalue : strtof(text, NULL) == (float)n->rvalue) break;
    }
    rg_buf_printf(out, "%s%s%s", text, strpbrk(text, ".e") ? "" : ".0", n->type == RG_F64 ? "" : "f");
}

static void call(struct kir_writer *w, const char *name, const struct kir_node *n)
{
    rg_buf_printf(w->out, "%s(", name);
    for (int i = 0; i < n->n; i++) {
        rg_buf_str(w->out, i ? ", " : "");
        rg__kir_expression(w, n->kid[i], KIR_PREC_ANY);
    }
    rg_buf_char(w->out, ')');
}

struct quoting {
    struct kir_writer *w;
    const struct kir_node *n;
};

static bool quoted(void *arg, struct rg_buf *out, const struct rg_cnode *e)
{
    struct quoting *q = arg;
    for (int i = 0; i < q->n->n; i++) {
        if (q->n->quoted[i] != e) continue;
        struct kir_writer w = *q->w;
        w.out = out;
        rg__kir_expression(&w, q->n->kid[i], KIR_PREC_PRIMARY);
        return true;
    }
    return false;
}

/* The user's expression, with the kernel's words for what it refers to. */
static void quotation(struct kir_writer *w, const struct kir_node *n)
{
    bool simple = n->tree->kind == RG_C_MEMBER || n->tree->kind == RG_C_CALL || n->tree->kind == RG_C_INITLIST;
    struct quoting q = {w, n};
    struct rg_c_printer p = {&q, quoted, 0};
    if (!simple) rg_buf_char(w->out, '(');
    rg_c_print(w->out, w->k->tree, n->tree, &p);
    if (!simple) rg_buf_char(w->out, ')');
}

static void bare(struct kir_writer *w, const struct kir_node *n)
{
    static const char *const shuffles[] = {"shuffle_xor", "shuffle_up", "shuffle_down", "shuffle_from"};
    int prec = binding(n);
    switch (n->kind) {
    case KIR_INT:
        integer(w->out, n);
        return;
    case KIR_REAL:
        real(w->out, n);
        return;
    case KIR_NAME:
        rg_buf_str(w->out, w->k->symbols[n->symbol].name);
        return;
    case KIR_ELEMENT:
        rg_buf_str(w->out, w->k->symbols[n->symbol].name);
        rg__kir_subscripts(w, n);
        if (n->peer) {
            rg_buf_str(w->out, " of block ");
            rg__kir_expression(w, n->kid[n->n - 1], KIR_PREC_PRIMARY);
        }
        return;
    case KIR_UNARY:
        rg_buf_str(w->out, rg_c_op_text(n->op));
        if (binding(n->kid[0]) == KIR_PREC_UNARY && n->kid[0]->kind != KIR_CAST) rg_buf_char(w->out, ' '); /* - -x */
        rg__kir_expression(w, n->kid[0], KIR_PREC_UNARY);
        return;
    case KIR_BINARY:
        rg__kir_expression(w, n->kid[0], n->op == RG_COP_OR ? 4 : prec);
        rg_buf_printf(w->out, " %s ", rg_c_op_text(n->op));
        rg__kir_expression(w, n->kid[1], prec + 1);
        return;
    case KIR_SELECT:
        rg__kir_expression(w, n->kid[0], 4);
        rg_buf_str(w->out, " ? ");
        rg__kir_expression(w, n->kid[1], 3);
        rg_buf_str(w->out, " : ");
        rg__kir_expression(w, n->kid[2], 3);
        return;
    case KIR_MIN:
    case KIR_MAX:
        call(w, n->kind == KIR_MIN ? "min" : "max", n);
        return;
    case KIR_CAST:
        rg_buf_printf(w->out, "(%s)", rg_scalar_cuda(n->type));
        rg__kir_expression(w, n->kid[0], KIR_PREC_UNARY);
        return;
    case KIR_CALL:
        call(w, n->text, n);
        return;
    case KIR_ALIGNED:
        rg_buf_printf(w->out, "aligned%lld", (long long)n->ivalue);
        call(w, "", n);
        return;
    case KIR_SHUFFLE:
        call(w, shuffles[n->how], n);
        return;
    case KIR_EXTENT:
        rg_buf_printf(w->out, "extent(%s)", rg__kir_loop_word(n->loop));
        return;
    case KIR_QUOTED:
        quotation(w, n);
        return;
    default:
        return;
    }
}

void rg__kir_expression(struct kir_writer *w, const struct kir_node *n, int least)
{
    bool parentheses = binding(n) < least;
    if (parentheses) rg_buf_char(w->out, '(');
    if (!w->node || !w->node(w, n)) bare(w, n);
    if (parentheses) rg_buf_char(w->out, ')');
}
