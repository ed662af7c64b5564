/* wavefront: a nest in the order that isl finds for it, fronts that are parallel one after another. */
#include "poly/reorder/scheduler.h"
#include "poly/steps/steps.h"
#include <string.h>

static struct poly_scop *reorder(struct poly_scop *s, const char *site, int number, struct rg_arena *arena,
                                 struct rg_reason *why)
{
    s = s->plain ? s->plain : s;
    if (!strcmp(site, "C")) return rg__poly_reorder_where_it_pays(s, arena, why);
    const char *name = site + (strncmp(site, "loop:", 5) ? 0 : 5);
    rg_refuse(why, RG_REFUSE_SITE, 0, "there is no outermost loop %s", name);
    for (int l = 0; l < s->n_loops; l++)
        if (s->loops[l].parent < 0 && !strcmp(s->loops[l].name, name)) {
            struct poly_scop *next = rg__poly_reorder_nest(s, l, arena, why);
            if (next) return next;
        }
    return NULL;
}

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    if (rg__poly_program_parallel(p)) return true;
    rg__poly_refusal(p->scop, why);
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
    struct rg_reason why = {0};
    rg__poly_actions_add(&all, &rg__poly_step_wavefront, "C");
    struct poly_program *p = rg__poly_apply(o->s, &all, &why);
    bool same = p && rg__poly_same_kernels(o, p, o->taken);
    rg__poly_program_free(p);
    return same;
}

static bool worth(const struct poly_offer *o, struct rg_reason *why)
{
    bool whole = !strcmp(o->site, "C");
    if (!whole && all_nests_do(o)) {
        rg_refuse(why, RG_REFUSE_COST, 0, "wavefront@C comes to the same kernels");
        return false;
    }
    return rg__poly_worth_reordering(o, whole ? POLY_SLOWER : 1, NULL, why);
}

const struct poly_step rg__poly_step_wavefront = {
    POLY_STEP(wavefront), .when = POLY_AT_START, .traits = RG_TRAIT_CARRIED,
    .begins = true,       .reorder = reorder,    .apply = apply,
    .sites = sites,       .worth = worth,
};
