/* Flat arrays get their dimensions back. */
#ifndef RG_FRONTEND_DELINEARISATION_H
#define RG_FRONTEND_DELINEARISATION_H
#include "frontend/infer/extent.h"

/* A[i*n + j] becomes A[i][j] where 0 <= j < n is proven or can be required. */
void rg__delinearize(struct rg_ctree *t, const struct rg_problem *p, struct rg_arena *a, struct rg__derived *need);
/* Extent of dims[0] of delinearised arrays from the flat extents of their parameters. */
void rg__outer_dims(struct rg_ctree *t, const struct rg_problem *p);
#endif
