/* Kernel IR: expressions as text in C's notation, which the printers share. */
#ifndef RG_POLY_KIR_TEXT_H
#define RG_POLY_KIR_TEXT_H
#include "poly/kir/kir.h"

struct kir_writer {
    const struct kir_kernel *k;
    struct rg_buf *out;
    int indent;
    /* Prints the node itself, and says so; asked first for every expression. NULL: none. */
    bool (*node)(struct kir_writer *w, const struct kir_node *n);
};
enum { KIR_PREC_ANY, KIR_PREC_SUM = 12, KIR_PREC_UNARY = 14, KIR_PREC_PRIMARY = 16 };
/* In parentheses where it binds less than that. */
void rg__kir_expression(struct kir_writer *w, const struct kir_node *n, int least);
void rg__kir_subscripts(struct kir_writer *w, const struct kir_node *element); /* "[i][j]" */
void rg__kir_line(struct kir_writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The statement's line, from its start, without an end: the printer's own words and expressions in between. */
void rg__kir_start(struct kir_writer *w);
void rg__kir_end(struct kir_writer *w, const char *text);
#endif
