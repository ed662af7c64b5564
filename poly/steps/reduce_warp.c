/* reduce.warp: a block's results combined by shuffles within each warp first. */
#include "poly/steps/steps.h"

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    bool any = false;
    for (int i = 0; i < p->n_kernels; i++)
        if (p->kernels[i].form > POLY_SINGLE && p->kernels[i].form < POLY_KIR && p->kernels[i].team == POLY_TEAM_BLOCK)
            any = p->kernels[i].warp_reduce = true;
    if (!any) rg_refuse(why, RG_REFUSE_ORDER, 0, "nothing is reduced over a block yet: reduce.block comes first");
    return any;
}

const struct poly_step rg__poly_step_reduce_warp = {
    POLY_STEP(reduce_warp),
    .when = POLY_AFTER_START,
    .traits = RG_TRAIT_REDUCTION,
    .apply = apply,
};
