/* launch.bounds: how many blocks a multiprocessor is to hold, for the compiler's registers. */
#include "poly/steps/steps.h"

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    if (!rg__poly_program_parallel(p)) {
        rg_refuse(why, RG_REFUSE_ORDER, 0, "no kernel is parallel yet");
        return false;
    }
    for (int i = 0; i < p->n_kernels; i++) p->kernels[i].launch_bounds = p->kernels[i].form != POLY_SINGLE;
    return true;
}

static bool is_bounded(const struct poly_kernel *k)
{
    return k->launch_bounds;
}

static bool open(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){.least = 1, .most = 32, .start = 1, .values = {1, 2, 3, 4, 6, 8}};
    return rg__poly_any_kernel(o->p, is_bounded);
}

static const struct poly_opens opens[] = {
    {.name = "MINB", .open = open},
    {.name = NULL},
};

const struct poly_step rg__poly_step_launch_bounds = {
    POLY_STEP(launch_bounds),
    .when = POLY_AFTER_START,
    .apply = apply,
    .opens = opens,
};
