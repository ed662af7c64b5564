/* Parts of one block of memory: block_parts.c finds them, block_parts_check.c asks the data. */
#ifndef RG_FRONTEND_BLOCK_PARTS_H
#define RG_FRONTEND_BLOCK_PARTS_H
#include "ir/range.h"

struct rg__span { /* of a block's elements, both ends included, over parameters */
    bool known;
    struct rg__poly low, high;
};

/* Statements that add to the scalar `strays` for each time that `place`, a subscript somewhere below `from`, is
 * evaluated and `value` does not lie in 0 .. last then; nothing else is done. `from`: a loop, in front of which they
 * may stand, or the tree's root. NULL: what leads there is not known in front of `from`. */
struct rg_cnode *rg__part_check(struct rg_ctree *t, struct rg_cnode *from, const struct rg_cnode *place,
                                const struct rg_cnode *value, const struct rg_cnode *last, int strays);
#endif
