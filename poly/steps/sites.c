/* Sites: what each step could be applied to at a state, legal or not. */
#include "poly/steps/steps.h"
#include <string.h>

static bool resident(const struct poly_actions *taken)
{
    for (int i = 0; i < taken->n; i++)
        if (taken->items[i].step->takes_over) return true;
    return false;
}

/* Is there a launch with a thread for each iteration that no resident kernel has taken over? own: nor is a phase of
 * one, as phases share a block. */
static bool any_launch(const struct poly_sites *at, bool own)
{
    struct rg_reason why = {0};
    struct poly_program *p = resident(at->taken) ? rg__poly_apply(at->base, at->taken, &why) : NULL;
    bool any = !p;
    for (int i = 0; p && i < p->n_kernels; i++)
        any = any || (p->kernels[i].form == POLY_THREADS && !(p->kernels[i].region && own));
    rg__poly_program_free(p);
    return any;
}

static bool is_time(const struct poly_sites *at, enum poly_when when)
{
    bool mapped = rg__poly_is_mapped(at->taken);
    switch (when) {
    case POLY_ANY_TIME:
        return true;
    case POLY_AT_START:
        return !mapped;
    case POLY_AFTER_START:
        return mapped;
    case POLY_BEFORE_RESIDENT:
        return mapped && !resident(at->taken);
    case POLY_ON_LAUNCHES:
    case POLY_ON_OWN_LAUNCHES:
        return mapped && any_launch(at, when == POLY_ON_OWN_LAUNCHES);
    }
    return false;
}

struct poly_program *rg__poly_sites_program(const struct poly_sites *at)
{
    struct rg_reason why = {0};
    return rg__poly_is_mapped(at->taken) ? rg__poly_apply(at->base, at->taken, &why) : rg__poly_map(at->s, NULL);
}

void rg__poly_site_loop(const struct poly_sites *at, const struct poly_scop *s, int loop)
{
    char site[96];
    snprintf(site, sizeof site, "loop:%.80s", s->loops[loop].name);
    at->fn(at->arg, site);
}

void rg__poly_sites_loops(const struct poly_sites *at)
{
    const struct poly_scop *s = at->s;
    for (int i = 0; i < s->n_loops; i++) {
        bool again = false;
        for (int j = 0; j < i; j++) again = again || !strcmp(s->loops[i].name, s->loops[j].name);
        if (!again) rg__poly_site_loop(at, s, i);
    }
}

void rg__poly_candidates(struct poly_scop *s, const struct poly_actions *taken, const struct poly_step *step,
                         void (*fn)(void *arg, const char *site), void *arg)
{
    struct rg_reason why = {0};
    struct poly_sites at = {.base = s, .taken = taken, .fn = fn, .arg = arg};
    for (int i = 0; i < taken->n; i++)
        if (taken->items[i].step->alone) return;
    at.s = rg__poly_derived(s, taken, &why);
    if (!at.s || !is_time(&at, step->when)) return;
    if (step->sites)
        step->sites(&at);
    else
        fn(arg, "C");
}

void rg__poly_first_sites(const struct poly_sites *at, const struct poly_step *step)
{
    if (rg__poly_was_taken(at->s->tree, step)) at->fn(at->arg, RG_SITE_NONE);
}
