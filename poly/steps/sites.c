/* Sites: what each edit could be applied to at a state, legal or not. */
#include "poly/steps/step.h"
#include <string.h>

static bool reduces(struct poly_scop *s, int loop)
{
    struct poly_actions e = {0};
    char site[96], why[512];
    snprintf(site, sizeof site, "loop:%.80s", s->loops[loop].name);
    struct poly_program *p = rg__poly_actions_add(&e, &rg__poly_step_reduce_block, site) ? rg__poly_apply(s, &e, why, sizeof why) : NULL;
    rg__poly_program_free(p);
    return p != NULL;
}

/* Is there another order of it with something parallel? */
static bool ordered(struct poly_scop *s)
{
    struct poly_actions e = {0};
    char why[512];
    struct poly_program *p = rg__poly_actions_add(&e, &rg__poly_step_wavefront, "C") ? rg__poly_apply(s, &e, why, sizeof why) : NULL;
    rg__poly_program_free(p);
    return p != NULL;
}

/* One thread is the last resort, never an alternative to be searched. */
static bool nothing_parallel(struct poly_scop *s)
{
    struct poly_program *p = rg__poly_map(s, NULL);
    bool any = p && rg__poly_program_parallel(p);
    for (int i = 0; p && !any && i < s->n_loops; i++)
        any = rg__poly_reduce_site(p, i) && reduces(s, i);
    rg__poly_program_free(p);
    return !any && !ordered(s);
}

/* Steps that shape launches have nothing to do where resident kernels have taken all of them over. */
static bool taken_over(struct poly_scop *s, const struct poly_actions *e, const struct poly_step *step)
{
    char why[512];
    if (rg__poly_step_rank(step) >= rg__poly_step_rank(&rg__poly_step_resident_block) && step != &rg__poly_step_block_shape)
        return false;
    bool resident = rg__poly_actions_have(e, &rg__poly_step_resident_block) || rg__poly_actions_have(e, &rg__poly_step_resident_grid);
    struct poly_program *p = resident ? rg__poly_apply(s, e, why, sizeof why) : NULL;
    bool any = !p;
    for (int i = 0; p && i < p->n_kernels; i++) /* phases share a block of their own */
        any = any || (p->kernels[i].form == POLY_THREADS && !(p->kernels[i].region && step == &rg__poly_step_block_shape));
    rg__poly_program_free(p);
    return !any;
}

static bool resident(const struct poly_actions *e)
{
    return rg__poly_actions_have(e, &rg__poly_step_resident_block) || rg__poly_actions_have(e, &rg__poly_step_resident_grid);
}

/* Loops by name, each name once; outermost ones alone for another order of their nests. */
static void loop_sites(struct poly_scop *s, const struct poly_step *step, void (*fn)(void *arg, const char *site), void *arg)
{
    char site[96];
    bool nests = step == &rg__poly_step_wavefront;
    s = nests && s->plain ? s->plain : s;
    if (nests || step == &rg__poly_step_fuse)
        fn(arg, "C");
    for (int i = 0; i < s->n_loops; i++) {
        bool again = nests && s->loops[i].parent >= 0;
        for (int j = 0; j < i; j++)
            again = again || (!strcmp(s->loops[i].name, s->loops[j].name) && !(nests && s->loops[j].parent >= 0));
        snprintf(site, sizeof site, "loop:%.80s", s->loops[i].name);
        if (!again)
            fn(arg, site);
    }
}

void rg__poly_candidates(struct poly_scop *s, const struct poly_actions *e, const struct poly_step *step,
                     void (*fn)(void *arg, const char *site), void *arg)
{
    char why[512], site[96];
    bool mapped = rg__poly_is_mapped(e);
    struct poly_scop *base = s;
    if (rg__poly_actions_have(e, &rg__poly_step_sequential) || !(s = rg__poly_derived(base, e, why, sizeof why)))
        return;
    if (step == &rg__poly_step_sequential) {
        if (!mapped && nothing_parallel(base))
            fn(arg, "C");
        return;
    }
    if (step == &rg__poly_step_parallelize) {
        if (!mapped)
            fn(arg, "C");
        return;
    }
    if (step->reorder) {
        if (step == &rg__poly_step_wavefront ? !mapped : mapped && !resident(e))
            loop_sites(s, step, fn, arg);
        return;
    }
    if (step == &rg__poly_step_reduce_block) {
        struct poly_program *p = mapped ? rg__poly_apply(base, e, why, sizeof why) : rg__poly_map(s, NULL);
        int places = 0;
        for (int i = 0; p && i < s->n_loops; i++) {
            bool copy = !rg__poly_reduce_site(p, i);
            for (int j = 0; j < i && !copy; j++)
                copy = rg__poly_same_source(s, i, j) && rg__poly_reduce_site(p, j);
            places += !copy;
        }
        if (places > 1) /* a program of several: all at once is where to begin */
            fn(arg, "C");
        for (int i = 0; p && i < s->n_loops; i++)
            if (rg__poly_reduce_site(p, i)) {
                snprintf(site, sizeof site, "loop:%.80s", s->loops[i].name);
                bool first = true; /* one name, one site: the first loop of that variable */
                for (int j = 0; j < i; j++)
                    first = first && !((s->loops[j].var == s->loops[i].var || rg__poly_same_source(s, i, j)) && rg__poly_reduce_site(p, j));
                if (first)
                    fn(arg, site);
            }
        rg__poly_program_free(p);
        return;
    }
    if (step == &rg__poly_step_scan_block) {
        struct poly_program *p = mapped ? rg__poly_apply(base, e, why, sizeof why) : rg__poly_map(s, NULL);
        int names = 0;
        for (int all = 0; p && all < 2; all++) /* every loop at once is where to begin */
            for (int i = 0; i < s->n_loops; i++) {
                bool first = rg__poly_scan_site(p, i);
                for (int j = 0; j < i; j++)
                    first = first && !(!strcmp(s->loops[j].name, s->loops[i].name) && rg__poly_scan_site(p, j));
                if (first && all && names > 1) {
                    snprintf(site, sizeof site, "loop:%.80s", s->loops[i].name);
                    fn(arg, site);
                } else if (first && !all && !names++) {
                    fn(arg, "C");
                }
            }
        rg__poly_program_free(p);
        return;
    }
    if ((!mapped && step != &rg__poly_step_resident_block) || taken_over(base, e, step))
        return;
    if (step == &rg__poly_step_resident_block || step == &rg__poly_step_resident_grid) {
        struct poly_hnode *loops[POLY_MAX_KERNELS];
        struct poly_program *p = mapped ? rg__poly_apply(base, e, why, sizeof why) : rg__poly_map(s, NULL);
        int n = p ? rg__poly_host_loops(p, loops, POLY_MAX_KERNELS) : 0;
        if (n > 1)
            fn(arg, "C");
        for (int i = 0; i < n; i++) {
            bool again = false;
            for (int j = 0; j < i; j++)
                again = again || !strcmp(s->loops[loops[i]->loop].name, s->loops[loops[j]->loop].name);
            snprintf(site, sizeof site, "loop:%.80s", s->loops[loops[i]->loop].name);
            if (!again)
                fn(arg, site);
        }
        rg__poly_program_free(p);
        return;
    }
    if (step == &rg__poly_step_reduce_split) {
        struct poly_program *p = rg__poly_apply(base, e, why, sizeof why);
        fn(arg, "C");
        for (int i = 0; p && i < s->n_loops; i++) {
            bool first = rg__poly_split_site(p, i);
            for (int j = 0; j < i; j++)
                first = first && !(s->loops[j].var == s->loops[i].var && rg__poly_split_site(p, j));
            snprintf(site, sizeof site, "loop:%.80s", s->loops[i].name);
            if (first)
                fn(arg, site);
        }
        rg__poly_program_free(p);
        return;
    }
    if (step == &rg__poly_step_privatise_histogram) {
        struct poly_program *p = rg__poly_apply(base, e, why, sizeof why);
        for (int a = 0; p && a < s->tree->n_arrays; a++)
            if (rg__poly_private_site(p, a))
                fn(arg, s->tree->arrays[a].name);
        rg__poly_program_free(p);
        return;
    }
    if (step == &rg__poly_step_tile_shared) {
        for (int a = 0; a < s->tree->n_arrays; a++) {
            bool used = false;
            for (int i = 0; i < s->n_accesses; i++)
                used = used || (s->accesses[i].array == a && s->accesses[i].read);
            if (used && !s->tree->arrays[a].constant_table)
                fn(arg, s->tree->arrays[a].name);
        }
        return;
    }
    fn(arg, "C");
}

