/* tile.shared: what the threads of a block read of an array, staged in shared memory. */
#include "poly/steps/steps.h"
#include <string.h>

static bool is_staged(const struct poly_kernel *k, int array)
{
    for (int i = 0; i < k->n_staged; i++)
        if (k->staged[i] == array) return true;
    return false;
}

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    if (!rg__poly_need_threads(p, why)) return false;
    int array = rg__poly_array_named(p->scop, site), done = 0;
    if (array < 0) {
        rg_refuse(why, RG_REFUSE_SITE, 0, "there is no array %s", site);
        return false;
    }
    rg_refuse(why, RG_REFUSE_SHAPE, 0, "no parallel kernel reads %s", site);
    for (int i = 0; i < p->n_kernels; i++) {
        struct poly_kernel *k = &p->kernels[i];
        if (k->region) {
            rg_refuse(why, RG_REFUSE_BARRIER, 0,
                      "phases of one launch stage nothing: there is one shared memory for all");
            continue;
        }
        if (k->form != POLY_THREADS || k->partner >= 0 || k->n_staged == POLY_MAX_STAGED ||
            !rg__poly_knode_uses_array(p->scop, k->body, array, NULL))
            continue;
        if (is_staged(k, array)) {
            rg_refuse(why, RG_REFUSE_ALREADY, 0, "%s is staged in shared memory already", site);
            continue;
        }
        struct poly_tiling t;
        rg__poly_tiling_init(&t, p, i, &rg__poly_trial);
        bool ok = rg__poly_tile_array(&t, array, why);
        rg__poly_tiling_release(&t);
        if (!ok) continue;
        k->staged[k->n_staged++] = array;
        if (rg__poly_trial_ok(p, i, why))
            done++;
        else
            k->n_staged--;
    }
    return done > 0;
}

/* What is staged: is it read again and again, or in strides? */
static uint32_t site_traits(const struct poly_program *p, const char *site, uint32_t traits)
{
    uint32_t t = traits & ~(uint32_t)(RG_TRAIT_REUSE | RG_TRAIT_STRIDED);
    struct rg_reason why = {0};
    for (int i = 0; i < p->n_kernels; i++)
        for (int a = 0; a < p->kernels[i].n_staged; a++) {
            if (strcmp(p->scop->tree->arrays[p->kernels[i].staged[a]].name, site) != 0) continue;
            struct poly_tiling tiling;
            rg__poly_tiling_init(&tiling, p, i, &rg__poly_trial);
            rg__poly_tile_array(&tiling, p->kernels[i].staged[a], &why);
            for (int g = 0; g < tiling.n_groups; g++) {
                t |= tiling.groups[g].reuse ? (uint32_t)RG_TRAIT_REUSE : 0;
                t |= tiling.groups[g].strided ? (uint32_t)RG_TRAIT_STRIDED : 0;
            }
            rg__poly_tiling_release(&tiling);
        }
    return t;
}

static void sites(const struct poly_sites *at)
{
    const struct poly_scop *s = at->s;
    for (int a = 0; a < s->tree->n_arrays; a++) {
        bool used = false;
        for (int i = 0; i < s->n_accesses; i++) used = used || (s->accesses[i].array == a && s->accesses[i].read);
        if (used && !s->tree->arrays[a].constant_table) at->fn(at->arg, s->tree->arrays[a].name);
    }
}

static bool open(const struct poly_opening *o, struct poly_domain *d)
{
    int dims = 0;
    for (int i = 0; i < o->p->n_kernels; i++)
        if (rg__poly_is_staged(&o->p->kernels[i]) && o->p->kernels[i].n_dims > dims) dims = o->p->kernels[i].n_dims;
    *d = (struct poly_domain){.least = 8, .most = 32, .start = 16, .values = {8, 16, 32}};
    if (dims == 1)
        *d = (struct poly_domain){
            .least = 8, .most = 256, .start = 128, .own_start = true, .values = {8, 16, 32, 64, 128, 256}};
    return dims > 0;
}

static const struct poly_opens opens[] = {
    {.name = "TILE", .open = open},
    {.name = NULL},
};

const struct poly_step rg__poly_step_tile_shared = {
    POLY_STEP(tile_shared),     .when = POLY_ON_LAUNCHES, .apply = apply,
    .site_traits = site_traits, .sites = sites,           .opens = opens,
};
