#ifndef RG_FRONTEND_LIKELY_NEIGHBOURS_H
#define RG_FRONTEND_LIKELY_NEIGHBOURS_H
#include "frontend/infer/values.h"
#include <rg/frontend.h>

/* The inputs of structures that are in order, or each of which begins where the one before ends, as the C compares
 * members of neighbours, and of the other reals beside them: their number, 0 where it compares none; *out is the
 * arena's. */
int rg__likely_neighbours(const struct rg_problem *p, struct rg_ctree *t, const struct rg__writes *writes,
                          struct rg_arena *arena, struct rg_frontend_input **out);
#endif
