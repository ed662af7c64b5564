/* The inside of rg__canon_private: scratch that is sorted. */
#ifndef RG_FRONTEND_SORTED_SCRATCH_H
#define RG_FRONTEND_SORTED_SCRATCH_H
#include "ir/ctree_util.h"
#include <rg/problem.h>

/* Is the array sorted there? Sorts are shared by the threads of a block, which see one array. */
bool rg__mentions_sort(const struct rg_cnode *n, int array);

enum rg__scratch_home {
    RG__SCRATCH_STAYS, /* few rows of many elements, each of which a grid sorts */
    RG__SCRATCH_OWN,   /* its declaration is to move into the loop */
    RG__SCRATCH_ROWS   /* it has got a row for each iteration: its declaration stays */
};
/* Of a local array that each iteration of the loop fills before it reads it, and that is used in the loop alone. */
enum rg__scratch_home rg__sorted_scratch(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *loop,
                                         int array);
#endif
