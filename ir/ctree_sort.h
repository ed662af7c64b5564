/* Sorting as the tree has it. `qsort(a, n, sizeof *a, order)` is a loop over the elements that it may exchange, each of
 * which takes its place: `for (k = 0; k < n; k++) rg_place(&a[k], order, ..)`. So what it touches, how long the array
 * is and which dimensions it has are read off as of any loop. The loop is one statement all the same: it runs as a
 * whole, in an order of its own. */
#ifndef RG_IR_CTREE_SORT_H
#define RG_IR_CTREE_SORT_H
#include <rg/ctree.h>

#define RG_C_PLACE "rg_place"

struct rg_csort {
    const struct rg_cnode *loop;    /* kid[0] .. kid[1] are the places */
    const struct rg_cnode *call;    /* of RG_C_PLACE, with all of what follows */
    const struct rg_cnode *element; /* the INDEX at the loop's variable */
    const struct rg_cnode *order;   /* STRING: the function that compares two elements by address, with .. */
    int n_with;                     /* .. these behind them */
    struct rg_cnode *const *with;
};
/* Is the node (in blocks of its own, or opaque) such a loop? */
bool rg_c_sort_of(const struct rg_cnode *n, struct rg_csort *out);
#endif
