/* launch.bounds: how many blocks a multiprocessor is to hold, for the compiler's registers. */
#include "poly/steps/step.h"

static bool apply(struct poly_program *p, const char *site, char *why, size_t size)
{
    if (!rg__poly_program_parallel(p)) {
        snprintf(why, size, "no kernel is parallel yet");
        return false;
    }
    for (int i = 0; i < p->n_kernels; i++)
        p->kernels[i].launch_bounds = p->kernels[i].form != POLY_SINGLE;
    return true;
}

const struct poly_step rg__poly_step_launch_bounds = {
    .word = "launch_bounds",
    .when = POLY_AFTER_START,
    .apply = apply,
};
