/* coarsen.register: several points a thread, their values in registers. */
#include "poly/steps/steps.h"

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    if (!rg__poly_need_threads(p, why)) return false;
    int done = 0;
    rg_refuse(why, RG_REFUSE_SHAPE, 0, "no kernel has a thread for each iteration");
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        if (k->form != POLY_THREADS || k->partner >= 0) continue;
        if (k->coarsened) {
            rg_refuse(why, RG_REFUSE_ALREADY, 0, "every thread has several points already");
            continue;
        }
        k->coarsened = true;
        if (rg__poly_trial_ok(p, i, why))
            done++;
        else
            k->coarsened = false;
    }
    return done > 0;
}

/* Dimensions of the kernels whose threads have several points; 0: none has. */
static int coarse_dims(const struct poly_program *p)
{
    int most = 0;
    for (int i = 0; i < p->n_kernels; i++)
        if (rg__poly_is_coarse(&p->kernels[i]) && p->kernels[i].n_dims > most) most = p->kernels[i].n_dims;
    return most;
}

static bool open_x(const struct poly_opening *o, struct poly_domain *d)
{
    int dims = coarse_dims(o->p);
    *d = (struct poly_domain){.least = 1, .most = 8, .start = 4, .values = {1, 2, 4, 8}};
    if (dims == 1) *d = (struct poly_domain){.least = 2, .most = 8, .start = 4, .values = {2, 4, 8}};
    return dims > 0;
}

static bool open_y(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){.least = 1, .most = 8, .start = 4, .values = {1, 2, 4, 8}};
    return coarse_dims(o->p) > 1;
}

static void require(const struct poly_opening *o, struct rg_arena *a, struct rg_tunables *t)
{
    rg__poly_require(a, t, "RX*RY >= 2");
}

static const struct poly_opens opens[] = {
    {.name = "RX", .open = open_x},
    {.name = "RY", .open = open_y, .require = require},
    {.name = NULL},
};

const struct poly_step rg__poly_step_coarsen_register = {
    POLY_STEP(coarsen_register),
    .when = POLY_ON_LAUNCHES,
    .apply = apply,
    .opens = opens,
};
