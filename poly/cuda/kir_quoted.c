/* Kernel IR as CUDA: the user's code as it is, and the library's sorts by an order of the user's. */
#include "ir/ctree_util.h"
#include "poly/cuda/kir_cuda.h"
#include "poly/kir/text.h"
#include <string.h>

struct quoting {
    struct kir_writer *w;
    const struct kir_node *n;
    int first; /* of its kids that are references */
};

static bool quoted(void *arg, struct rg_buf *out, const struct rg_cnode *n)
{
    struct quoting *q = arg;
    for (int i = q->first; i < q->n->n; i++) {
        if (q->n->quoted[i - q->first] != n) continue;
        struct kir_writer w = *q->w;
        w.out = out;
        rg__kir_expression(&w, q->n->kid[i], KIR_PREC_PRIMARY);
        return true;
    }
    return false;
}

void rg__kir_cuda_opaque(struct kir_writer *w, const struct kir_node *n)
{
    struct quoting q = {w, n, 0};
    struct rg_c_printer p = {&q, quoted, w->indent};
    size_t before = w->out->len;
    rg_c_print(w->out, n->names->t, n->tree, &p);
    if (w->out->len > before && w->out->data[w->out->len - 1] != '\n') rg_buf_char(w->out, '\n');
}

/* What the order is given besides two elements. */
static void order_arguments(struct kir_writer *w, const struct kir_node *n)
{
    struct quoting q = {w, n, rg__kir_sort_operands(n->sort)};
    struct rg_c_printer p = {&q, quoted, w->indent};
    for (int i = 2; i < n->tree->n; i++) {
        rg_buf_str(w->out, ", ");
        rg_c_print(w->out, n->names->t, n->tree->kid[i], &p);
    }
}

static void own_sort(struct kir_writer *w, const struct kir_node *n)
{
    rg__kir_start(w);
    rg_buf_str(w->out, "rg_qsort(");
    rg__kir_cuda_address(w, n->kid[0]);
    rg_buf_str(w->out, ", ");
    rg__kir_expression(w, n->kid[1], KIR_PREC_ANY);
    rg_buf_printf(w->out, ", sizeof(%s), %s", rg__kir_type_word(&w->k->symbols[n->kid[0]->symbol]),
                  n->tree->kid[1]->text);
    order_arguments(w, n);
    rg__kir_end(w, ");");
}

/* The library's (ir/device_sort.h), with the order as a functor. */
void rg__kir_cuda_sort(struct kir_writer *w, const struct kir_node *n)
{
    if (n->sort == KIR_SORT_OWN) {
        own_sort(w, n);
        return;
    }
    const struct kir_symbol *room = &w->k->symbols[n->symbol];
    const char *type = rg__kir_type_word(room);
    bool merge = n->sort == KIR_SORT_MERGE;
    rg__kir_start(w);
    rg_buf_printf(w->out, "rg_%s_tile<%lld, %d>(", merge ? "merge" : "sort", (long long)rg__kir_threads(w->k),
                  n->width);
    if (merge) {
        rg__kir_cuda_address(w, n->kid[3]);
        rg_buf_str(w->out, ", ");
    }
    rg__kir_cuda_address(w, n->kid[0]);
    for (int i = 1; i < 4; i++) {
        const struct kir_node *operand = i == 1 ? n->kid[1] : i == 3 ? n->kid[2] : merge ? n->kid[4] : NULL;
        if (!operand) continue;
        rg_buf_str(w->out, ", ");
        rg__kir_expression(w, operand, KIR_PREC_ANY);
    }
    rg_buf_printf(w->out, ", %s, [&](const %s *rg_x, const %s *rg_y) { return %s(rg_x, rg_y", room->name, type, type,
                  n->tree->kid[1]->text);
    order_arguments(w, n);
    rg__kir_end(w, "); });");
}
