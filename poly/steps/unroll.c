/* unroll: loops inside threads written out several times. */
#include "poly/steps/step.h"

static bool apply(struct poly_program *p, const char *site, char *why, size_t size)
{
    bool any = false;
    for (int i = 0; i < p->n_kernels; i++)
        if (rg__poly_knode_has_loop(p->kernels[i].body) || p->kernels[i].grid_stride || p->kernels[i].form == POLY_PRIVATE ||
            (p->kernels[i].form == POLY_BLOCK && rg__poly_has_opaque_loop(p->scop, p->kernels[i].body))) {
            p->kernels[i].unrolled = true;
            any = true;
        }
    if (!any)
        snprintf(why, size, "no kernel has a loop inside its threads");
    return any;
}

static bool worth(const struct poly_offer *o, char *why, size_t size)
{
    if (rg__poly_copies_most(o->p, false) >= 2)
        return true;
    snprintf(why, size, "the bodies of its loops are too long to be repeated: compilers would take seconds for them");
    return false;
}

const struct poly_step rg__poly_step_unroll = {
    .word = "unroll",
    .when = POLY_AFTER_START,
    .apply = apply,
    .worth = worth,
};
