/* readonly: __ldg for what a kernel only reads. */
#include "poly/steps/steps.h"

/* __ldg for what a kernel only reads. Nothing to do where all that it does is write. */
static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    bool any = false;
    rg_refuse(why, RG_REFUSE_DEPENDENCE, 0,
              p->scop->problem->may_alias
                  ? "arguments may overlap: what one kernel reads another argument may write"
                  : "every array that a parallel kernel reads is one that it writes as well, or no plain number");
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        for (int a = 0; a < p->scop->tree->n_arrays && k->form != POLY_SINGLE; a++)
            k->readonly =
                k->readonly || (rg__poly_knode_uses_array(p->scop, k->body, a, NULL) && rg__poly_only_read(p, k, a));
        any = any || k->readonly || k->region || k->resident; /* phases may have lost what they only read */
    }
    return any;
}

static bool worth(const struct poly_offer *o, struct rg_reason *why)
{
    rg_refuse(why, RG_REFUSE_SHAPE, 0,
              "what a kernel only reads is const __restrict__ from the start: the compiler takes the read-only path by "
              "itself");
    return false;
}

const struct poly_step rg__poly_step_readonly = {
    POLY_STEP(readonly),
    .when = POLY_AFTER_START,
    .apply = apply,
    .worth = worth,
};
