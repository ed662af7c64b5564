/* grid.stride: as many blocks as fill the device, whose threads go through the points in strides. */
#include "poly/steps/steps.h"

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    if (!rg__poly_need_threads(p, why)) return false;
    bool any = false;
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        if (k->form == POLY_THREADS && k->n_dims == 1 && !k->n_staged && !k->coarsened) any = k->grid_stride = true;
    }
    if (!any) rg_refuse(why, RG_REFUSE_SHAPE, 0, "only kernels over one plain dimension get a grid-stride loop");
    return any;
}

static bool strides(const struct poly_kernel *k)
{
    return k->form == POLY_THREADS && k->grid_stride;
}

static bool open(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){.least = 1, .most = 65535, .start = 1056, .values = {264, 528, 1056, 2112}};
    return rg__poly_any_kernel(o->p, strides) && rg__poly_actions_have(o->taken, &rg__poly_step_grid_stride);
}

static const struct poly_opens opens[] = {
    {.name = "BLOCKS", .open = open},
    {.name = NULL},
};

const struct poly_step rg__poly_step_grid_stride = {
    POLY_STEP(grid_stride),
    .when = POLY_ON_LAUNCHES,
    .apply = apply,
    .opens = opens,
};
