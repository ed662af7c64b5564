/* resident.grid: a loop of the plan inside a cooperative kernel, its launches as phases. */
#include "poly/steps/steps.h"

static bool is_phase(const struct poly_kernel *k)
{
    return k->region;
}

static bool is_folded(const struct poly_kernel *k)
{
    return k->form == POLY_THREADS && k->region && k->n_dims > 1;
}

/* Of the one block that all phases share. */
static bool open_x(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){.least = 8, .most = 1024, .start = 32, .values = {16, 32, 64, 128}};
    return !rg__poly_launch_dims(o->p) && rg__poly_any_kernel(o->p, is_folded);
}

static bool open_block(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){
        .least = 64, .most = 1024, .start = 512, .power = true, .values = {64, 128, 256, 512, 1024}};
    return rg__poly_any_kernel(o->p, is_phase);
}

static bool open_blocks(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){.least = 1, .most = 65535, .start = 132, .values = {66, 132, 264, 528}};
    return rg__poly_any_kernel(o->p, is_phase);
}

static const struct poly_opens opens[] = {
    {.name = "BX", .open = open_x},
    {.name = "BLOCK", .open = open_block},
    {.name = "BLOCKS", .open = open_blocks},
    {.name = NULL},
};

const struct poly_step rg__poly_step_resident_grid = {
    POLY_STEP(resident_grid),        .when = POLY_AFTER_START,         .takes_over = true,
    .apply = rg__poly_resident_grid, .sites = rg__poly_resident_sites, .opens = opens,
};
