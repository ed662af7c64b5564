/* A sort in the plan: its buffer and its launches. */
#include "poly/cuda/kir_cuda.h"
#include "poly/cuda/print.h"

void rg__poly_sort_scratch(struct poly_print *pr, struct rg_buf *plan)
{
    const struct poly_sort_kernels *x = &pr->sort;
    if (pr->k->form != POLY_SORT) return;
    const struct kir_symbol *from = &x->merges->symbols[x->from];
    rg_buf_printf(plan, "scratch %s %s[", from->type == RG_STRUCT ? from->c_type : rg_scalar_c(from->type),
                  x->merges->symbols[x->to].name);
    for (int d = 0; d < from->n_dims; d++) {
        rg_buf_str(plan, d ? " * max(1, " : "max(1, ");
        rg__kir_plan_expression(x->merges, from->dims[d], plan);
        rg_buf_char(plan, ')');
    }
    rg_buf_str(plan, "];\n");
}

/* From the array to the buffer, with runs twice as long back. */
void rg__poly_sort_launch(struct poly_print *pr, struct rg_buf *plan, int indent)
{
    const struct poly_sort_kernels *x = &pr->sort;
    struct kir_symbol *s = x->merges->symbols;
    const char *run = s[x->run].name, *array = s[x->from].pass ? s[x->from].pass : s[x->from].name;
    rg__kir_plan_launch(x->tiles, plan, indent);
    rg_buf_indent(plan, indent);
    rg_buf_printf(plan, "for (int %s = %lld; %s < ", run, (long long)x->tile, run);
    rg__kir_plan_expression(x->tiles, x->bound, plan);
    rg_buf_printf(plan, "; %s *= 4) {\n", run);
    for (int back = 0; back < 2; back++) {
        s[x->from].pass = back ? s[x->to].name : array;
        s[x->to].pass = back ? array : s[x->to].name;
        s[x->run].pass = back ? rg__poly_printf(pr, "%s * 2", run) : run;
        rg__kir_plan_launch(x->merges, plan, indent + 1);
    }
    rg_buf_indent(plan, indent);
    rg_buf_str(plan, "}\n");
    s[x->from].pass = array;
}
