/* wavefront: a nest in the order that isl finds for it, fronts that are parallel one after another. */
#include "poly/reorder/scheduler.h"
#include "poly/steps/steps.h"
#include <string.h>

static struct poly_scop *reorder(struct poly_scop *s, const char *site, int number, struct rg_arena *arena, char *why,
                                 size_t size)
{
    s = s->plain ? s->plain : s;
    if (!strcmp(site, "C")) return rg__poly_reorder_where_it_pays(s, arena, why, size);
    const char *name = site + (strncmp(site, "loop:", 5) ? 0 : 5);
    snprintf(why, size, "there is no outermost loop %s", name);
    for (int l = 0; l < s->n_loops; l++)
        if (s->loops[l].parent < 0 && !strcmp(s->loops[l].name, name)) {
            struct poly_scop *next = rg__poly_reorder_nest(s, l, arena, why, size);
            if (next) return next;
        }
    return NULL;
}

static bool apply(struct poly_program *p, const char *site, char *why, size_t size)
{
    if (rg__poly_program_parallel(p)) return true;
    rg__poly_refusal(p->scop, why, size);
    return false;
}

/* All nests at once, or one, by the name of its outermost loop. */
static void sites(const struct poly_sites *at)
{
    const struct poly_scop *s = at->s->plain ? at->s->plain : at->s;
    at->fn(at->arg, "C");
    for (int i = 0; i < s->n_loops; i++) {
        bool again = s->loops[i].parent >= 0;
        for (int j = 0; j < i; j++)
            again = again || (!strcmp(s->loops[i].name, s->loops[j].name) && s->loops[j].parent < 0);
        if (!again) rg__poly_site_loop(at, s, i);
    }
}

/* Does wavefront at all nests make the kernels that it makes at one? */
static bool all_nests_do(const struct poly_offer *o)
{
    struct poly_actions all = {0};
    char why[512];
    rg__poly_actions_add(&all, &rg__poly_step_wavefront, "C");
    struct poly_program *p = rg__poly_apply(o->s, &all, why, sizeof why);
    bool same = p && rg__poly_same_kernels(p, o->taken, o->p, o->taken);
    rg__poly_program_free(p);
    return same;
}

static bool worth(const struct poly_offer *o, char *why, size_t size)
{
    bool whole = !strcmp(o->site, "C");
    if (!whole && all_nests_do(o)) {
        snprintf(why, size, "wavefront@C comes to the same kernels");
        return false;
    }
    return rg__poly_worth_reordering(o, whole ? POLY_SLOWER : 1, NULL, why, size);
}

const struct poly_step rg__poly_step_wavefront = {
    .word = "wavefront",
    .when = POLY_AT_START,
    .traits = RG_TRAIT_CARRIED,
    .begins = true,
    .reorder = reorder,
    .apply = apply,
    .sites = sites,
    .worth = worth,
};
