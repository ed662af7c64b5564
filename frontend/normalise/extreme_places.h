/* Comparisons with a best so far that is read at its place. */
#ifndef RG_FRONTEND_EXTREME_PLACES_H
#define RG_FRONTEND_EXTREME_PLACES_H
#include "frontend/normalise/canon.h"

/* Is y what x is with the places in place of their values? Subscripts are compared as polynomials. */
bool rg__at_places(struct rg_ctree *t, struct rg__range *r, int n, const int *place,
                   const struct rg_cnode *const *value, const struct rg_cnode *x, const struct rg_cnode *y);
/* What the variable holds where the block comes to statement `at`; NULL: nobody says. */
const struct rg_cnode *rg__held_value(const struct rg_cnode *block, int at, int var);
#endif
