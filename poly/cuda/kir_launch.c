/* Kernel IR: the launch of a kernel in a plan. */
#include "poly/cuda/kir_cuda.h"
#include "poly/kir/text.h"
#include <stdlib.h>
#include <string.h>

/* (x - less + c - 1) / c of a number c. */
static bool rounded_up(const struct kir_kernel *k, const struct kir_node *n, int64_t *less)
{
    int64_t v, w;
    if (n->kind != KIR_BINARY || n->op != RG_COP_DIV || !rg__kir_number(k, n->kid[1], &w) ||
        n->kid[0]->kind != KIR_BINARY || n->kid[0]->op != RG_COP_ADD || !rg__kir_number(k, n->kid[0]->kid[1], &v))
        return false;
    *less = w - 1 - v;
    return v > 0 && *less >= 0;
}

/* In the plan's language: numbers of 64 bits, parameters under their names there. */
static bool plan_node(struct kir_writer *w, const struct kir_node *n)
{
    if (n->kind == KIR_CAST) {
        rg__kir_expression(w, n->kid[0], KIR_PREC_PRIMARY);
        return true;
    }
    if (n->kind == KIR_INT) {
        rg_buf_printf(w->out, "%lld", (long long)n->ivalue);
        return true;
    }
    int64_t less;
    if (rounded_up(w->k, n, &less)) {
        rg_buf_str(w->out, "ceil_div(");
        rg__kir_expression(w, n->kid[0]->kid[0], KIR_PREC_SUM);
        if (less) rg_buf_printf(w->out, " - %lld", (long long)less);
        rg_buf_str(w->out, ", ");
        rg__kir_expression(w, n->kid[1], KIR_PREC_ANY);
        rg_buf_char(w->out, ')');
        return true;
    }
    if (n->kind == KIR_NAME) {
        const struct kir_symbol *s = &w->k->symbols[n->symbol];
        if (s->from)
            rg__kir_expression(w, s->from, KIR_PREC_PRIMARY);
        else if (s->kind == KIR_CONSTANT)
            rg_buf_printf(w->out, "%lld", (long long)s->value);
        else
            rg_buf_str(w->out, s->pass ? s->pass : s->name);
        return true;
    }
    return false;
}

void rg__kir_plan_expression(const struct kir_kernel *k, const struct kir_node *n, struct rg_buf *plan)
{
    struct kir_writer w = {.k = k, .out = plan, .node = plan_node};
    rg__kir_expression(&w, n, KIR_PREC_ANY);
}

const char *rg__kir_plan_elements(const struct kir_kernel *k, const char *buffer, struct rg_arena *a)
{
    const char *text = NULL;
    for (int i = 0; i < k->n_symbols && !text; i++) {
        struct rg_buf b = RG_BUF_INIT;
        const struct kir_symbol *s = &k->symbols[i];
        if (!s->scratch || !s->pass || strcmp(s->pass, buffer) != 0) continue;
        rg__kir_plan_expression(k, s->scratch, &b);
        text = rg_arena_strdup(a, b.data);
        rg_buf_release(&b);
    }
    return text;
}

void rg__kir_plan_scratch(const struct kir_kernel *k, struct rg_buf *plan)
{
    for (int i = 0; i < k->n_symbols; i++) {
        const struct kir_symbol *s = &k->symbols[i];
        if (!s->scratch || s->several) continue;
        rg_buf_printf(plan, "scratch %s %s[", s->type == RG_STRUCT ? s->c_type : rg_scalar_c(s->type),
                      s->pass ? s->pass : s->name);
        rg__kir_plan_expression(k, s->scratch, plan);
        rg_buf_str(plan, "];\n");
    }
}

static bool is_positive(const struct kir_kernel *k, const struct kir_node *n)
{
    int64_t v;
    if (rg__kir_number(k, n, &v)) return v > 0;
    if (n->kind == KIR_NAME) return k->symbols[n->symbol].positive;
    if (n->kind == KIR_CAST) return is_positive(k, n->kid[0]);
    if (n->kind == KIR_MIN) return is_positive(k, n->kid[0]) && is_positive(k, n->kid[1]);
    if (n->kind == KIR_MAX) return is_positive(k, n->kid[0]) || is_positive(k, n->kid[1]);
    return rounded_up(k, n, &v) && !v && is_positive(k, n->kid[0]->kid[0]);
}

void rg__kir_plan_launch(const struct kir_kernel *k, struct rg_buf *plan, int indent)
{
    struct kir_writer w = {.k = k, .out = plan, .indent = indent, .node = plan_node};
    const struct kir_node *cluster = rg__kir_loop_of(k, KIR_CLUSTER_X);
    int axes = 1;
    for (int a = 1; a < 3; a++)
        if (rg__kir_loop_of(k, KIR_GRID_X + a) || rg__kir_loop_of(k, KIR_BLOCK_X + a)) axes = a + 1;
    rg__kir_start(&w);
    rg_buf_printf(plan, "%s%s<<<", k->resident ? "[cooperative] " : "", k->name);
    for (int part = 0; part < 2; part++) {
        rg_buf_str(plan, part ? ", " : "");
        rg_buf_str(plan, axes > 1 ? "dim3(" : "");
        for (int a = 0; a < axes; a++) {
            const struct kir_node *n = rg__kir_loop_of(k, (part ? KIR_BLOCK_X : KIR_GRID_X) + a);
            int64_t blocks = 1;
            rg_buf_str(plan, a ? ", " : "");
            if (!n) {
                rg_buf_char(plan, '1');
                continue;
            }
            bool least = !part && !is_positive(k, n->kid[1]), times = !part && !a && cluster;
            rg_buf_str(plan, least ? "max(1, " : "");
            rg__kir_expression(&w, n->kid[1], times && !least ? KIR_PREC_UNARY : KIR_PREC_ANY);
            rg_buf_str(plan, least ? ")" : "");
            if (times && rg__kir_number(k, cluster->kid[1], &blocks)) rg_buf_printf(plan, " * %lld", (long long)blocks);
        }
        rg_buf_str(plan, axes > 1 ? ")" : "");
    }
    const struct kir_node *asked = rg__kir_shared_asked((struct kir_kernel *)k);
    if (asked) {
        rg_buf_str(plan, ", ");
        rg__kir_expression(&w, asked, KIR_PREC_ANY);
    }
    rg_buf_str(plan, ">>>(");
    int *arguments, n = rg__kir_arguments(k, &arguments);
    for (int i = 0; i < n; i++) {
        const struct kir_symbol *s = &k->symbols[arguments[i]];
        rg_buf_str(plan, i ? ", " : "");
        if (s->from)
            rg__kir_expression(&w, s->from, KIR_PREC_ANY);
        else
            rg_buf_str(plan, s->pass ? s->pass : s->name);
    }
    free(arguments);
    rg__kir_end(&w, ");");
}
