/* How large the integers are that a loop adds up, by their types alone. */
#ifndef RG_FRONTEND_TERM_RANGES_H
#define RG_FRONTEND_TERM_RANGES_H
#include "frontend/load.h"

struct rg__term_at { /* where an expression stands */
    const struct rg_ctree *t;
    const struct rg_cnode *scope; /* all that may set what the scope declares */
    const struct rg_cnode *block; /* in block->kid[at]; NULL: somewhere */
    int at;
};

/* All values that the integer expression may have, whatever the data: no operation in it leaves its type, so that it
 * may be computed of elements that C does not compute it of. False: that can't be said. Cost: its size. */
bool rg__term_range(const struct rg__term_at *where, const struct rg_cnode *e, int64_t *lo, int64_t *hi);

/* Is the integer scalar, which is the number `first` in front of the loop (FOR), never less than it was, and does its
 * type hold all that the whole loop may add? *need: what that asks of the sizes, in l's problem's arena; NULL: nothing.
 */
bool rg__term_sum_held(struct rg__load *l, const struct rg_cnode *loop, int var, int64_t first,
                       const struct rg_expr **need);
#endif
