/* sequential: the whole function as one thread, where nothing is parallel; no other step goes with it. */
#include "poly/steps/steps.h"

/* Do some values of its tunables give kernels? */
static bool has_kernels(const struct poly_program *p, const struct poly_actions *e)
{
    struct rg_arena arena = RG_ARENA_INIT;
    struct rg_tunables t;
    struct rg_error misfit;
    rg__poly_tunables_of(p, e, rg__poly_steps, &arena, &t);
    bool ok = rg__poly_tunables_settle(p, &t, &misfit);
    rg_arena_release(&arena);
    return ok;
}

static bool reduces(struct poly_scop *s, int loop)
{
    struct poly_actions e = {0};
    char site[96];
    struct rg_reason why = {0};
    snprintf(site, sizeof site, "loop:%.80s", s->loops[loop].name);
    struct poly_program *p =
        rg__poly_actions_add(&e, &rg__poly_step_reduce_block, site) ? rg__poly_apply(s, &e, &why) : NULL;
    bool ok = p && has_kernels(p, &e);
    rg__poly_program_free(p);
    return ok;
}

/* Is there another order of it with something parallel? */
static bool ordered(struct poly_scop *s)
{
    struct poly_actions e = {0};
    struct rg_reason why = {0};
    struct poly_program *p =
        rg__poly_actions_add(&e, &rg__poly_step_wavefront, "C") ? rg__poly_apply(s, &e, &why) : NULL;
    bool ok = p && has_kernels(p, &e);
    rg__poly_program_free(p);
    return ok;
}

/* One thread is the last resort, never an alternative to be searched. */
static bool nothing_parallel(struct poly_scop *s)
{
    struct poly_program *p = rg__poly_map(s, NULL);
    bool any = p && rg__poly_program_parallel(p);
    for (int i = 0; p && !any && i < s->n_loops; i++) any = rg__poly_reduce_site(p, i) && reduces(s, i);
    rg__poly_program_free(p);
    return !any && !ordered(s);
}

static void sites(const struct poly_sites *at)
{
    if (nothing_parallel(at->base)) at->fn(at->arg, "C");
}

const struct poly_step rg__poly_step_sequential = {
    POLY_STEP(sequential),
    .when = POLY_AT_START,
    .alone = rg__poly_map_sequential,
    .sites = sites,
};
