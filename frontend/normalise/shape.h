/* Arrays get the dimensions that their subscripts show, with symbols for what the function computes from its sizes. */
#ifndef RG_FRONTEND_SHAPE_H
#define RG_FRONTEND_SHAPE_H
#include "frontend/load.h"

/* derive.c: symbols for what the function computes from its sizes. */
void rg__derive(struct rg__load *l);
/* And for the products n*m that bound loops over these arrays. How many were made. */
int rg__derive_products(struct rg__load *l, const bool *array);
/* rows.c: the tree canonical, its arrays with the dimensions that their subscripts show. */
enum rg_status rg__shape_arrays(struct rg__load *l);
#endif
