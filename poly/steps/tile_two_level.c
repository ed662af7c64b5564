/* tile.two.level: neighbours on x, several points a thread, and every array that a loop reads again and again staged in
 * shared memory: each alone rarely pays; together they are the step. */
#include "poly/steps/steps.h"

/* Is the array read again and again along a loop that runs in tiles? */
static bool reused_in_strips(struct poly_program *p, int kernel, int array, struct rg_reason *why)
{
    struct poly_tiling t;
    bool strip = false;
    rg__poly_tiling_init(&t, p, kernel, &rg__poly_trial);
    bool ok =
        rg__poly_knode_uses_array(p->scop, p->kernels[kernel].body, array, NULL) && rg__poly_tile_array(&t, array, why);
    for (int g = 0; g < t.n_groups; g++) strip = strip || (t.groups[g].strip >= 0 && t.groups[g].reuse);
    rg__poly_tiling_release(&t);
    return ok && strip;
}

/* Where a loop reads two arrays or more again and again: neighbours on x, several points a thread, all of them staged.
 * Each alone rarely pays; together they are the step. */
static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    if (!rg__poly_need_threads(p, why)) return false;
    struct rg_reason ignored = {0};
    int done = 0;
    rg_refuse(why, RG_REFUSE_SHAPE, 0, "no kernel over two dimensions reads arrays again and again along a loop");
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i], before = *k;
        if (k->form != POLY_THREADS || k->n_dims < 2 || k->partner >= 0 || k->region) continue;
        rg__poly_coalesce(p, k);
        k->coarsened = true;
        bool ok = rg__poly_trial_ok(p, i, why);
        for (int a = 0; ok && a < p->scop->tree->n_arrays && k->n_staged < POLY_MAX_STAGED; a++) {
            if (!reused_in_strips(p, i, a, &ignored)) continue;
            k->staged[k->n_staged++] = a;
            if (!rg__poly_trial_ok(p, i, &ignored)) k->n_staged--;
        }
        if (ok && k->n_staged)
            done++;
        else
            *k = before;
    }
    return done > 0;
}

const struct poly_step rg__poly_step_tile_two_level = {
    POLY_STEP(tile_two_level),
    .when = POLY_ON_LAUNCHES,
    .apply = apply,
    .opens_as = (const struct poly_step *const[]){&rg__poly_step_coarsen_register, &rg__poly_step_tile_shared, NULL},
};
