/* Elements that accesses touch, as sets that isl reads. */
#ifndef RG_FRONTEND_ACCESS_SETS_H
#define RG_FRONTEND_ACCESS_SETS_H
#include "frontend/infer/infer.h"
#include "ir/access_walk.h"

struct rg__at_sizes {
    const struct rg_ctree *t;
    struct rg_problem_env env; /* env.env.arg: itself */
};

/* Appends `{ [s0, s1] : ... }`, a dimension for each subscript of the access; false: something in it is not affine. */
bool rg__access_set(const struct rg__at_sizes *f, const struct rg__visit *v, struct rg_buf *out);

#endif
