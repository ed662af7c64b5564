/* fuse: a loop joined with the next one over the same range. */
#include "poly/reorder/reorder.h"
#include "poly/steps/steps.h"

static struct poly_scop *reorder(struct poly_scop *s, const char *site, int number, struct rg_arena *arena,
                                 struct rg_reason *why)
{
    return rg__poly_change_loops(s, site, number, arena, rg__poly_join_loop, why);
}

static void sites(const struct poly_sites *at)
{
    at->fn(at->arg, "C");
    rg__poly_sites_loops(at);
}

static bool worth(const struct poly_offer *o, struct rg_reason *why)
{
    return rg__poly_worth_reordering(o, POLY_SLOWER, NULL, why);
}

const struct poly_step rg__poly_step_fuse = {
    POLY_STEP(fuse), .when = POLY_BEFORE_RESIDENT, .reorder = reorder, .sites = sites, .worth = worth,
};
