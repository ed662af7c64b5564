/* Conversion of the canonical C, among its files: convert.c names and values, convert_effects.c what expressions do
 * besides their value, convert_statement.c statements, convert_quoted.c what has no other form than the file's. */
#ifndef RG_POLY_KIR_CONVERT_H
#define RG_POLY_KIR_CONVERT_H
#include "poly/kir/kir.h"

/* ---- convert.c ---- */
/* NULL; the first one's sentence, with the word in it, becomes names->why. */
struct kir_node *rg__kir_no_form(struct kir_names *x, const char *what, const char *which);
struct kir_node *rg__kir_variable(struct kir_names *x, int var);
int rg__kir_scalar_for(struct kir_names *x, int var); /* a new SCALAR for the tree's variable */

/* ---- convert_effects.c ---- */
/* What the expression does, its value unused, behind `seq`. False: names->why. */
bool rg__kir_effect(struct kir_names *x, struct kir_node *seq, const struct rg_cnode *e);
/* The value of one that does something besides: that goes to names->front. NULL: names->why. */
struct kir_node *rg__kir_worth(struct kir_names *x, const struct rg_cnode *e);
struct kir_node *rg__kir_put(struct kir_names *x, struct kir_node *place, struct kir_node *value); /* place = value */

/* ---- convert_quoted.c ---- */
/* A node of that kind for the tree, whose references are its kids. */
struct kir_node *rg__kir_quotation(struct kir_names *x, enum kir_kind kind, const struct rg_cnode *e);
/* The user's code as it is: for its names to be known to the kernel, they are asked for. */
struct kir_node *rg__kir_opaque(struct kir_names *x, const struct rg_cnode *n);

/* ---- convert_statement.c ---- */
struct kir_around { /* a loop that is converted whole: what stands in front of its next iteration */
    struct kir_around *outer;
    const struct rg_cnode *next;  /* of a for; NULL */
    const struct rg_cnode *until; /* of a do; NULL */
    struct kir_node *step;        /* of the loop's variable; NULL */
};
#endif
