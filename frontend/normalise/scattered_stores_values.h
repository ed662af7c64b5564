/* Between the files of scattered_stores_proof.c. */
#ifndef RG_FRONTEND_SCATTERED_STORES_VALUES_H
#define RG_FRONTEND_SCATTERED_STORES_VALUES_H
#include "frontend/normalise/scattered_stores.h"

struct rg__limits { /* conditions on a value */
    int n;
    enum rg_c_op op[RG__ROUNDS_FACTS];
    const struct rg_cnode *k[RG__ROUNDS_FACTS];
};

extern const struct rg_cnode rg__scatter_nought; /* 0 */
/* The same value, by what names stand for. */
bool rg__scatter_same(const struct rg__scatter *s, const struct rg_cnode *a, const struct rg_cnode *b);
/* Has it one value throughout an iteration, wherever it stands? fixed: and throughout the loop. */
bool rg__scatter_steady(const struct rg__scatter *s, const struct rg_cnode *e, bool fixed);
bool rg__scatter_one_place(const struct rg__scatter *s, const struct rg_cnode *a, const struct rg_cnode *b);
/* `x op k` of a condition, x an element; false: it is of another form. */
bool rg__scatter_asked(const struct rg__scatter *s, const struct rg_cnode *c, const struct rg_cnode **x,
                       enum rg_c_op *op, const struct rg_cnode **k, int side);
/* What holds of the element behind `to` where the effect stands. */
struct rg__limits rg__scatter_limits(const struct rg__scatter *s, const struct rg__effect *e);
/* Does what the read asks come out the same before and after the store, wherever both mean one element? */
bool rg__scatter_unmoved(const struct rg__scatter *s, const struct rg__element *x, const struct rg__effect *e);
/* Is the element, once stored to, the very integer that the value says? */
bool rg__scatter_fits(const struct rg__scatter *s, const struct rg__effect *e);
/* Does an element of the type hold the number as it is? */
bool rg__scatter_keeps(enum rg_scalar to, double v);
/* The number that it is, as it is stored or compared: conversions must keep it. */
bool rg__scatter_number(const struct rg_cnode *e, double *v);
/* What is known of the locals in e goes to the range. */
void rg__scatter_know(const struct rg__scatter *s, struct rg__range *r, const struct rg_cnode *e);
#endif
