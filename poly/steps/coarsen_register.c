/* coarsen.register: several points a thread, their values in registers. */
#include "poly/steps/step.h"

static bool apply(struct poly_program *p, const char *site, char *why, size_t size)
{
    if (!rg__poly_need_threads(p, why, size))
        return false;
    int done = 0;
    snprintf(why, size, "no kernel has a thread for each iteration");
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        if (k->form != POLY_THREADS || k->partner >= 0)
            continue;
        if (k->coarsened) {
            snprintf(why, size, "every thread has several points already");
            continue;
        }
        k->coarsened = true;
        if (rg__poly_trial_ok(p, i, why, size))
            done++;
        else
            k->coarsened = false;
    }
    return done > 0;
}

const struct poly_step rg__poly_step_coarsen_register = {
    .word = "coarsen_register",
    .when = POLY_ON_LAUNCHES,
    .apply = apply,
};
