/* coalesce: the dimension whose neighbours touch neighbouring elements goes along x. */
#include "poly/steps/steps.h"

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    if (!rg__poly_need_threads(p, why)) return false;
    for (int i = 0; i < p->n_kernels; i++)
        if (p->kernels[i].form == POLY_THREADS && p->kernels[i].partner < 0) rg__poly_coalesce(p, &p->kernels[i]);
    return true;
}

const struct poly_step rg__poly_step_coalesce = {
    POLY_STEP(coalesce),
    .when = POLY_ON_LAUNCHES,
    .apply = apply,
};
