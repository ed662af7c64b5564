/* parallelize: a thread for each iteration of the loops that may run at once. */
#include "poly/steps/steps.h"

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    if (rg__poly_program_parallel(p)) return true;
    rg__poly_refusal(p->scop, why);
    return false;
}

static bool open_x(const struct poly_opening *o, struct poly_domain *d)
{
    const struct poly_program *p = o->p;
    int dims = rg__poly_launch_dims(p);
    if (dims == 1)
        *d = (struct poly_domain){
            .least = 32, .most = 1024, .start = rg__poly_block_start(p), .values = {32, 64, 128, 256, 512}};
    else if (dims == 2 && rg__poly_any_kernel(p, rg__poly_is_coarse))
        *d = (struct poly_domain){.least = 1, .most = 1024, .start = 16, .values = {8, 16, 32}};
    else if (dims == 2 && rg__poly_any_kernel(p, rg__poly_is_staged))
        *d = (struct poly_domain){.least = 1, .most = 1024, .start = 32, .values = {16, 32}};
    else
        *d = (struct poly_domain){.least = 1, .most = 1024, .start = 32, .values = {16, 32, 64}};
    return dims > 0;
}

static bool open_y(const struct poly_opening *o, struct poly_domain *d)
{
    const struct poly_program *p = o->p;
    int dims = rg__poly_launch_dims(p);
    if (dims == 2 && rg__poly_any_kernel(p, rg__poly_is_coarse))
        *d = (struct poly_domain){.least = 1, .most = 1024, .start = 16, .values = {4, 8, 16}};
    else if (dims == 2 && rg__poly_any_kernel(p, rg__poly_is_staged))
        *d = (struct poly_domain){.least = 1, .most = 1024, .start = 16, .values = {4, 8, 16, 32}};
    else if (dims == 2)
        *d = (struct poly_domain){
            .least = 1, .most = 1024, .start = rg__poly_block_start(p) / 32, .values = {1, 2, 4, 8, 16}};
    else
        *d = (struct poly_domain){.least = 1, .most = 1024, .start = 4, .values = {2, 4, 8}};
    return dims > 1;
}

static bool open_z(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){.least = 1, .most = 64, .start = 1, .values = {1, 2, 4}};
    return rg__poly_launch_dims(o->p) == 3;
}

static const struct poly_opens opens[] = {
    {.name = "BX", .open = open_x},
    {.name = "BY", .open = open_y, .require = rg__poly_require_block},
    {.name = "BZ", .open = open_z},
    {.name = NULL},
};

const struct poly_step rg__poly_step_parallelize = {
    POLY_STEP(parallelize), .when = POLY_AT_START, .traits = RG_TRAIT_PARALLEL, .begins = true, .keeps_order = true,
    .apply = apply,         .opens = opens,
};
