/* How far integer locals count that steps through loops move on: `if (keep) out[k++] = x;`. */
#ifndef RG_FRONTEND_COUNTER_BOUNDS_H
#define RG_FRONTEND_COUNTER_BOUNDS_H
#include "ir/range.h"

enum { RG__COUNTER_BOUNDS = 4 };

/* The local is at most the greatest of bound[0 .. result-1] wherever the statement that holds the node `use` begins, in
 * terms of what stands around the loops that count. 0: nobody knows. `r` is for proofs. */
int rg__counter_bounds(struct rg_ctree *t, int var, const struct rg_cnode *use, struct rg__range *r,
                       struct rg__poly *bound);
#endif
