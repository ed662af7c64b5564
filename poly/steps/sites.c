/* Sites: what each edit could be applied to at a state, legal or not. */
#include "poly/steps/edit.h"
#include <string.h>

static bool reduces(struct poly_scop *s, int loop)
{
    struct poly_edits e = {0};
    char site[96], why[512];
    snprintf(site, sizeof site, "loop:%.80s", s->loops[loop].name);
    struct poly_program *p = rg__poly_edits_add(&e, POLY_EDIT_REDUCE_BLOCK, site) ? rg__poly_apply(s, &e, why, sizeof why) : NULL;
    rg__poly_program_free(p);
    return p != NULL;
}

/* Is there another order of it with something parallel? */
static bool ordered(struct poly_scop *s)
{
    struct poly_edits e = {0};
    char why[512];
    struct poly_program *p = rg__poly_edits_add(&e, POLY_EDIT_WAVEFRONT, "C") ? rg__poly_apply(s, &e, why, sizeof why) : NULL;
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
static bool taken_over(struct poly_scop *s, const struct poly_edits *e, enum poly_edit_kind kind)
{
    char why[512];
    if (kind >= POLY_EDIT_RESIDENT_BLOCK && kind != POLY_EDIT_BLOCK_SHAPE)
        return false;
    bool resident = rg__poly_edits_have(e, POLY_EDIT_RESIDENT_BLOCK) || rg__poly_edits_have(e, POLY_EDIT_RESIDENT_GRID);
    struct poly_program *p = resident ? rg__poly_apply(s, e, why, sizeof why) : NULL;
    bool any = !p;
    for (int i = 0; p && i < p->n_kernels; i++) /* phases share a block of their own */
        any = any || (p->kernels[i].form == POLY_THREADS && !(p->kernels[i].region && kind == POLY_EDIT_BLOCK_SHAPE));
    rg__poly_program_free(p);
    return !any;
}

static bool resident(const struct poly_edits *e)
{
    return rg__poly_edits_have(e, POLY_EDIT_RESIDENT_BLOCK) || rg__poly_edits_have(e, POLY_EDIT_RESIDENT_GRID);
}

/* Loops by name, each name once; outermost ones alone for another order of their nests. */
static void loop_sites(struct poly_scop *s, enum poly_edit_kind kind, void (*fn)(void *arg, const char *site), void *arg)
{
    char site[96];
    bool nests = kind == POLY_EDIT_WAVEFRONT;
    s = nests && s->plain ? s->plain : s;
    if (nests || kind == POLY_EDIT_FUSE)
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

void rg__poly_candidates(struct poly_scop *s, const struct poly_edits *e, enum poly_edit_kind kind,
                     void (*fn)(void *arg, const char *site), void *arg)
{
    char why[512], site[96];
    bool mapped = rg__poly_is_mapped(e);
    struct poly_scop *base = s;
    if (rg__poly_edits_have(e, POLY_EDIT_SEQUENTIAL) || !(s = rg__poly_derived(base, e, why, sizeof why)))
        return;
    if (kind == POLY_EDIT_SEQUENTIAL) {
        if (!mapped && nothing_parallel(base))
            fn(arg, "C");
        return;
    }
    if (kind == POLY_EDIT_PARALLELIZE) {
        if (!mapped)
            fn(arg, "C");
        return;
    }
    if (rg__poly_reorders(kind)) {
        if (kind == POLY_EDIT_WAVEFRONT ? !mapped : mapped && !resident(e))
            loop_sites(s, kind, fn, arg);
        return;
    }
    if (kind == POLY_EDIT_REDUCE_BLOCK) {
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
    if (kind == POLY_EDIT_SCAN) {
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
    if ((!mapped && kind != POLY_EDIT_RESIDENT_BLOCK) || taken_over(base, e, kind))
        return;
    if (kind == POLY_EDIT_RESIDENT_BLOCK || kind == POLY_EDIT_RESIDENT_GRID) {
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
    if (kind == POLY_EDIT_REDUCE_SPLIT) {
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
    if (kind == POLY_EDIT_PRIVATISE) {
        struct poly_program *p = rg__poly_apply(base, e, why, sizeof why);
        for (int a = 0; p && a < s->tree->n_arrays; a++)
            if (rg__poly_private_site(p, a))
                fn(arg, s->tree->arrays[a].name);
        rg__poly_program_free(p);
        return;
    }
    if (kind == POLY_EDIT_TILE_SHARED) {
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

uint32_t rg__poly_stage_traits(const struct poly_program *p, const char *site)
{
    uint32_t t = 0;
    char why[256];
    static const struct poly_values v = {.bx = 16, .by = 16, .bz = 1, .rx = 1, .ry = 1, .tile = 8, .unroll = 1, .block = 128,
                                         .grid = 256, .lanes = 32, .split = 8};
    for (int i = 0; i < p->n_kernels; i++)
        for (int a = 0; a < p->kernels[i].n_staged; a++) {
            if (strcmp(p->scop->tree->arrays[p->kernels[i].staged[a]].name, site) != 0)
                continue;
            struct poly_print pr;
            rg__poly_print_init(&pr, p, i, &v, NULL);
            rg__poly_plan_groups(&pr, p->kernels[i].staged[a], why, sizeof why);
            for (int g = 0; g < pr.n_groups; g++) {
                t |= pr.groups[g].reuse ? (uint32_t)RG_TRAIT_REUSE : 0;
                t |= pr.groups[g].strided ? (uint32_t)RG_TRAIT_STRIDED : 0;
            }
            rg__poly_print_release(&pr);
        }
    return t;
}
