/* Is an array filled by an iteration before that reads it? */
#ifndef RG_FRONTEND_FILLED_FIRST_H
#define RG_FRONTEND_FILLED_FIRST_H
#include "ir/ctree_util.h"
#include "ir/range.h"

enum { RG__FILLED_DIMS = 3 };

/* Does every run of `body`, that of the innermost of the loops around it, write each element of the local array that it
 * reads before it reads it? Elements of structures count by their members. The array has at most RG__FILLED_DIMS
 * dimensions, all of them known. */
bool rg__fills_first(struct rg_ctree *t, const struct rg_problem *p, const struct rg__given *given, int array,
                     const struct rg_cnode *const *around, int n_around, const struct rg_cnode *body);
/* The same of a buffer that takes turns with others, whose places other iterations may use in other ways: that all of
 * them write the same elements doesn't count. */
bool rg__fills_first_in_turn(struct rg_ctree *t, const struct rg_problem *p, const struct rg__given *given, int array,
                             const struct rg_cnode *const *around, int n_around, const struct rg_cnode *body);
/* The same, and does it write every element of the array there is? */
bool rg__fills_all_first(struct rg_ctree *t, const struct rg_problem *p, const struct rg__given *given, int array,
                         const struct rg_cnode *const *around, int n_around, const struct rg_cnode *body);
/* Does the statement do nothing but set elements of the array to a constant (the zeros of a static array)? */
bool rg__only_fills(const struct rg_cnode *s, int array);
#endif
