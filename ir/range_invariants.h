/* Bounds that integer locals keep through loops: what `m` is at most in `for (m = n; m > 1; m = (m + 1) / 2)`. */
#ifndef RG_IR_RANGE_INVARIANTS_H
#define RG_IR_RANGE_INVARIANTS_H
#include "ir/range.h"

struct rg__invariants;

/* Looks at every assignment of the function, some rounds over the whole tree. Freed with rg__invariants_free. */
struct rg__invariants *rg__invariants_of(struct rg_ctree *t, const struct rg__given *g);
void rg__invariants_free(struct rg__invariants *x);
/* A value over parameters that e, an integer expression of locals and parameters, never exceeds (or, with `most` false,
 * is never below), in the tree's arena; NULL: nobody knows. Of loop variables nothing is known. */
struct rg_cnode *rg__invariant_end(struct rg__invariants *x, const struct rg_cnode *e, bool most);
/* row_locals.c: of a subscript q * k + m of a flat array, every local or parameter that is added, with every variable
 * that is a factor: m may be one of k places. */
void rg__each_in_row(struct rg_cnode *root, void (*fn)(void *arg, const struct rg_cnode *local, struct rg_cnode *row),
                     void *arg);
#endif
