/* row.warp: teams of lanes instead of blocks share the loops of a point. */
#include "poly/steps/steps.h"

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    struct poly_scop *s = p->scop;
    int done = 0;
    struct rg_reason ignored = {0};
    rg_refuse(why, RG_REFUSE_SHAPE, 0, "no kernel shares the loop of a row among threads");
    for (int i = 0; i < s->n_loops; i++)
        if (rg__poly_reduce_site(p, i) && p->kernels[rg__poly_kernel_of(p, i)].form == POLY_THREADS)
            rg__poly_reduce_loop(p, i, &ignored);
    for (int i = 0; i < p->n_kernels; i++) { /* rows whose ends are data */
        struct poly_kernel *k = &p->kernels[i];
        if (k->form != POLY_THREADS || k->partner >= 0 || !rg__poly_has_opaque_loop(s, k->body) ||
            rg__poly_big_local(p, k) >= 0)
            continue;
        if (rg__poly_combined_and_shared(p, k) >= 0 || !rg__poly_block_ok(p, k, why)) continue;
        k->form = POLY_BLOCK;
        k->team = POLY_TEAM_BLOCK;
        k->grid_stride = false;
        for (int d = 0; d < k->n_dims; d++) k->axis[d] = k->n_dims - 1 - d;
        rg__poly_assign_homes(p);
    }
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        if (k->form != POLY_BLOCK || k->team != POLY_TEAM_BLOCK || !k->n_dims || rg__poly_big_local(p, k) >= 0)
            continue;
        k->team = POLY_TEAM_WARP;
        done++;
    }
    return done > 0;
}

static bool is_lanes(const struct poly_kernel *k)
{
    return rg__poly_has_team(k) && k->team == POLY_TEAM_WARP;
}

static bool open(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){.least = 2, .most = 32, .start = 32, .power = true, .values = {32, 16, 8, 4}};
    return rg__poly_any_kernel(o->p, is_lanes);
}

static const struct poly_opens opens[] = {
    {.name = "LANES", .open = open},
    {.name = NULL},
};

const struct poly_step rg__poly_step_row_warp = {
    POLY_STEP(row_warp),
    .when = POLY_ON_LAUNCHES,
    .traits = RG_TRAIT_REDUCTION,
    .apply = apply,
    .opens = opens,
    .opens_as = (const struct poly_step *const[]){&rg__poly_step_reduce_block, NULL},
};
