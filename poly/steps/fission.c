/* fission: a loop in parts, one for each group of statements that nothing ties together. */
#include "poly/reorder/reorder.h"
#include "poly/steps/step.h"

static struct poly_scop *reorder(struct poly_scop *s, const char *site, int number, struct rg_arena *arena, char *why, size_t size)
{
    return rg__poly_change_loops(s, site, number, arena, rg__poly_divide_loop, why, size);
}

const struct poly_step rg__poly_step_fission = {
    .word = "fission",
    .when = POLY_BEFORE_RESIDENT,
    .reorder = reorder,
    .sites = rg__poly_sites_loops,
};
