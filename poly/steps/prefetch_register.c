/* prefetch.register: a loop that loads and stores goes in chunks, whose loads all come first. */
#include "poly/steps/steps.h"

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    bool any = false, said = false;
    rg_refuse(why, RG_REFUSE_SHAPE, 0,
              "no thread has an innermost loop that stores, and also loads what nothing in it writes (unroll does for "
              "the others)");
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        bool tiled = k->n_staged > 0 || k->coarsened || k->wide, loads = rg__poly_prefetch_any(p, k, k->body);
        k->ahead = !tiled && loads && !k->n_scans;
        if (!tiled && loads && !k->ahead && !said) {
            said = true;
            rg_refuse(why, RG_REFUSE_SHAPE, 0, "what loads ahead stands beside statements that are run as they are");
        }
        said = said || (!k->ahead && !tiled && (k->form == POLY_THREADS || k->form == POLY_SINGLE) &&
                        rg__poly_prefetch_refusal(p, k, k->body, why));
        any = any || k->ahead;
    }
    return any;
}

static bool is_ahead(const struct poly_kernel *k)
{
    return k->ahead;
}

static bool open(const struct poly_opening *o, struct poly_domain *d)
{
    int64_t copies = rg__poly_copies_most(o->p, true);
    *d = (struct poly_domain){.least = 2,
                              .most = copies < 2    ? 2
                                      : copies < 32 ? copies
                                                    : 32,
                              .start = 8,
                              .values = {4, 8, 16}};
    return rg__poly_any_kernel(o->p, is_ahead);
}

static const struct poly_opens opens[] = {
    {.name = "AHEAD", .open = open},
    {.name = NULL},
};

const struct poly_step rg__poly_step_prefetch_register = {
    POLY_STEP(prefetch_register),
    .when = POLY_AFTER_START,
    .apply = apply,
    .opens = opens,
};
