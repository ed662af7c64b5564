/* reduce.block: loops that carry only associative updates, shared by the threads of a block, or, where nothing around
 * them is parallel, by the whole grid in two stages. */
#include "poly/steps/steps.h"

static void sites(const struct poly_sites *at)
{
    struct poly_scop *s = at->s;
    struct poly_program *p = rg__poly_sites_program(at);
    int places = 0;
    for (int i = 0; p && i < s->n_loops; i++) {
        bool copy = !rg__poly_reduce_site(p, i);
        for (int j = 0; j < i && !copy; j++) copy = rg__poly_same_source(s, i, j) && rg__poly_reduce_site(p, j);
        places += !copy;
    }
    if (places > 1) /* a program of several: all at once is where to begin */
        at->fn(at->arg, "C");
    for (int i = 0; p && i < s->n_loops; i++)
        if (rg__poly_reduce_site(p, i)) {
            bool first = true; /* one name, one site: the first loop of that variable */
            for (int j = 0; j < i; j++)
                first = first && !((s->loops[j].var == s->loops[i].var || rg__poly_same_source(s, i, j)) &&
                                   rg__poly_reduce_site(p, j));
            if (first) rg__poly_site_loop(at, s, i);
        }
    rg__poly_program_free(p);
}

/* A grid of as many blocks as are asked for. */
static bool is_free(const struct poly_kernel *k)
{
    return (rg__poly_has_team(k) && ((k->form == POLY_PARTIAL && !k->n_dims) || k->strides)) ||
           (k->form == POLY_THREADS && k->grid_stride);
}

static bool open_block(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){
        .least = 64, .most = 1024, .start = 256, .power = true, .values = {64, 128, 256, 512, 1024}};
    return rg__poly_any_kernel(o->p, rg__poly_has_team);
}

static bool open_blocks(const struct poly_opening *o, struct poly_domain *d)
{
    *d = (struct poly_domain){.least = 1, .most = 65535, .start = 1056, .values = {264, 528, 1056, 2112}};
    return rg__poly_any_kernel(o->p, is_free);
}

static const struct poly_opens opens[] = {
    {.name = "BLOCK", .open = open_block},
    {.name = "BLOCKS", .open = open_blocks},
    {.name = NULL},
};

const struct poly_step rg__poly_step_reduce_block = {
    POLY_STEP(reduce_block), .when = POLY_ANY_TIME, .traits = RG_TRAIT_REDUCTION,
    .begins = true,          .keeps_order = true,   .apply = rg__poly_reduce,
    .sites = sites,          .opens = opens,
};
