/* vectorize: wide copies into tiles whose rows are multiples of a vector; a thread of a kernel that stages nothing has
 * as many neighbours. */
#include "poly/steps/steps.h"

/* Are the rows of one of the kernel's tiles multiples of a vector? */
static bool copies_wide(struct poly_program *p, int kernel)
{
    struct poly_tiling t;
    struct rg_reason ignored = {0};
    bool wide = false;
    rg__poly_tiling_init(&t, p, kernel, &rg__poly_trial);
    rg__poly_tile_kernel(&t, &ignored);
    for (int g = 0; g < t.n_groups; g++) wide = wide || rg__poly_tile_width(&t, &t.groups[g]) > 1;
    rg__poly_tiling_release(&t);
    return wide;
}

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    if (!rg__poly_need_threads(p, why)) return false;
    bool any = false;
    rg_refuse(why, RG_REFUSE_SHAPE, 0, "no kernel has a thread for each iteration");
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        if (k->form != POLY_THREADS) continue;
        struct rg_reason no = {0};
        rg_refuse(&no, RG_REFUSE_BOUNDS, 0,
                  "no kernel stages rows in shared memory that could be copied several elements at a time");
        bool wide = false;
        k->vectorized = k->n_staged > 0;
        if (k->n_staged) {
            k->vectorized = wide = copies_wide(p, i);
        } else if (k->coarsened) {
            rg_refuse(&no, RG_REFUSE_SHAPE, 0, "the points of a thread are not neighbours (coarsen.register)");
        } else {
            k->wide = rg__poly_wide(p, k, &no);
            wide = k->wide > 0;
        }
        if (!wide) *why = no;
        any = any || wide;
    }
    return any;
}

static bool is_wide(const struct poly_kernel *k)
{
    return k->vectorized || k->wide;
}

static bool open(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){.least = 2, .most = 4, .start = 4, .power = true, .values = {4, 2}};
    return rg__poly_any_kernel(o->p, is_wide);
}

static const struct poly_opens opens[] = {
    {.name = "W", .open = open},
    {.name = NULL},
};

const struct poly_step rg__poly_step_vectorize = {
    POLY_STEP(vectorize),
    .when = POLY_ON_LAUNCHES,
    .apply = apply,
    .opens = opens,
};
