/* parallelize: a thread for each iteration of the loops that may run at once. */
#include "poly/steps/step.h"

static bool apply(struct poly_program *p, const char *site, char *why, size_t size)
{
    if (rg__poly_program_parallel(p))
        return true;
    rg__poly_refusal(p->scop, why, size);
    return false;
}

const struct poly_step rg__poly_step_parallelize = {
    .word = "parallelize",
    .when = POLY_AT_START,
    .traits = RG_TRAIT_PARALLEL,
    .begins = true,
    .keeps_order = true,
    .apply = apply,
};
