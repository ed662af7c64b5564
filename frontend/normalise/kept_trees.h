/* The tree and the problem as they were, for an attempt that is taken back where it is no better (passes.c). What is
 * kept lives in the tree's and the problem's arenas. */
#ifndef RG_FRONTEND_KEPT_TREES_H
#define RG_FRONTEND_KEPT_TREES_H

#include "frontend/infer/infer.h"

struct rg__kept { /* of a tree: what passes change */
    struct rg_cnode *root;
    int n_vars, n_arrays, n_need;
    struct rg_cvar *vars;
    struct rg_carray *arrays;
    struct rg__requirement *need;
    int n_params;
    struct rg__param_shape { /* of the problem's parameters */
        int n_dims;
        const struct rg_expr **dims;
    } * shapes;
};

/* The problem's derived parameters from `from` on, whose places another attempt takes. */
struct rg__kept_sizes {
    int from, n, n_sizes, *size_params;
    struct rg_param *params;
    bool *unset;
    int64_t **values; /* by size; like the others new memory where there is one parameter more */
};

struct rg__kept rg__keep(struct rg__load *l);
void rg__put_back(struct rg__load *l, const struct rg__kept *k);
struct rg__kept_sizes rg__keep_sizes(struct rg__load *l, int from);
void rg__put_sizes_back(struct rg__load *l, const struct rg__kept_sizes *d);

#endif
