/* block.shape: blocks of shapes of their own, also long and flat ones. */
#include "poly/steps/steps.h"

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    if (rg__poly_program_parallel(p)) return true;
    rg_refuse(why, RG_REFUSE_ORDER, 0, "no kernel is parallel yet");
    return false;
}

static bool taken(const struct poly_opening *o)
{
    return rg__poly_actions_have(o->taken, &rg__poly_step_block_shape);
}

/* Points of a thread, or tiles, want blocks that are square. */
static bool is_small(const struct poly_opening *o, int dims)
{
    return dims == 2 && rg__poly_any_kernel(o->p, rg__poly_is_coarse);
}

static bool open_x(const struct poly_opening *o, struct poly_domain *d)
{
    int dims = rg__poly_launch_dims(o->p);
    if (dims == 1)
        *d = (struct poly_domain){.least = 8,
                                  .most = 1024,
                                  .start = rg__poly_block_start(o->p),
                                  .own_start = true,
                                  .values = {8, 16, 32, 64, 128, 256, 512, 1024}};
    else
        *d = (struct poly_domain){.least = 1,
                                  .most = 1024,
                                  .start = is_small(o, dims) ? 16 : 32,
                                  .own_start = true,
                                  .values = {4, 8, 16, 32, 64, 128, 256, 512}};
    return dims > 0 && taken(o);
}

static bool open_y(const struct poly_opening *o, struct poly_domain *d)
{
    int dims = rg__poly_launch_dims(o->p);
    bool square = is_small(o, dims) || rg__poly_any_kernel(o->p, rg__poly_is_staged);
    *d = (struct poly_domain){.least = 1,
                              .most = 1024,
                              .start = square      ? 16
                                       : dims == 3 ? 4
                                                   : 8,
                              .own_start = true,
                              .values = {1, 2, 4, 8, 16, 32}};
    return dims > 1 && taken(o);
}

static bool open_z(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){.least = 1, .most = 64, .start = 1, .values = {1, 2, 4, 8}};
    return rg__poly_launch_dims(o->p) == 3 && taken(o);
}

static const struct poly_opens opens[] = {
    {.name = "BX", .open = open_x},
    {.name = "BY", .open = open_y, .require = rg__poly_require_block},
    {.name = "BZ", .open = open_z},
    {.name = NULL},
};

const struct poly_step rg__poly_step_block_shape = {
    POLY_STEP(block_shape),
    .when = POLY_ON_OWN_LAUNCHES,
    .apply = apply,
    .opens = opens,
};
