/* resident.block: a loop of the plan inside a kernel of one block, whose barriers take the launches' place. */
#include "poly/steps/steps.h"
#include <string.h>

void rg__poly_resident_sites(const struct poly_sites *at)
{
    struct poly_hnode *loops[POLY_MAX_KERNELS];
    const struct poly_scop *s = at->s;
    struct poly_program *p = rg__poly_sites_program(at);
    int n = p ? rg__poly_plan_loops(p->root, loops, 0, POLY_MAX_KERNELS) : 0;
    if (n > 1) at->fn(at->arg, "C");
    for (int i = 0; i < n; i++) {
        bool again = false;
        for (int j = 0; j < i; j++)
            again = again || !strcmp(s->loops[loops[i]->loop].name, s->loops[loops[j]->loop].name);
        if (!again) rg__poly_site_loop(at, s, loops[i]->loop);
    }
    rg__poly_program_free(p);
}

/* Microseconds of one thread at the timed size: some 500,000 statements, which 1024 threads all run. */
static const double MOST_REPEATED = 20000;

/* How much more than at the timed size there is to do at one of those where kernels are verified. */
static double most_work(const struct rg_problem *p)
{
    double most = 1;
    for (int i = 1; i < p->n_sizes; i++)
        if (p->sizes[0].work > 0 && p->sizes[i].work > most * p->sizes[0].work)
            most = p->sizes[i].work / p->sizes[0].work;
    return most;
}

/* A block that takes the plan's loops over saves launches. Where far more time goes into what its threads can't share,
 * as every one of them goes through all of that, or into work that kept the whole device busy before, there is nothing
 * to be gained. Where nothing of the plan could run in parallel it takes one thread's place, and must share what that
 * one is busy with. */
static const char *saves_little(const struct poly_offer *o)
{
    struct rg_reason ignored = {0};
    struct poly_actions taken, alone = {0};
    rg__poly_before(o, &taken);
    struct poly_program *before = rg__poly_apply(o->s, &taken, &ignored);
    bool one_thread = !before;
    if (one_thread) {
        rg__poly_actions_add(&alone, &rg__poly_step_sequential, "C");
        before = rg__poly_apply(o->s, &alone, &ignored);
    }
    if (!before) return NULL;
    double saved = rg__poly_launch_time(before) - rg__poly_launch_time(o->p), was = rg__poly_program_time(before), lone,
           shared;
    rg__poly_resident_time(o->p, &lone, &shared);
    rg__poly_program_free(before);
    if (lone * most_work(o->s->problem) > MOST_REPEATED)
        return "every one of its threads would go through most of the work: at one of the sizes that takes far too "
               "long";
    if (one_thread)
        return 2 * lone > was ? "by estimate its threads can't share most of the work: one thread alone is as fast"
                              : NULL;
    if (lone > POLY_SLOWER * saved)
        return "by estimate what its threads can't share takes longer than all the launches that it saves";
    if (shared > POLY_SLOWER * saved && shared > was)
        return "by estimate one multiprocessor needs far longer for all that work than the launches that it saves take";
    return NULL;
}

static bool worth(const struct poly_offer *o, struct rg_reason *why)
{
    const char *little = saves_little(o);
    if (little) rg_refuse(why, RG_REFUSE_COST, 0, "%s", little);
    return !little;
}

static bool is_resident(const struct poly_kernel *k)
{
    return k->resident;
}

static bool open(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){
        .least = 32, .most = 1024, .start = 512, .power = true, .values = {32, 64, 128, 256, 512, 1024}};
    return rg__poly_any_kernel(o->p, rg__poly_has_team) && rg__poly_any_kernel(o->p, is_resident);
}

static const struct poly_opens opens[] = {
    {.name = "BLOCK", .open = open},
    {.name = NULL},
};

const struct poly_step rg__poly_step_resident_block = {
    POLY_STEP(resident_block),
    .when = POLY_ANY_TIME,
    .begins = true,
    .takes_over = true,
    .apply = rg__poly_resident_block,
    .sites = rg__poly_resident_sites,
    .worth = worth,
    .opens = opens,
};
