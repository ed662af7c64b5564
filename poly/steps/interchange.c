/* interchange: a loop and the one right inside it change places. */
#include "poly/reorder/reorder.h"
#include "poly/steps/step.h"

static bool in_grid(const struct poly_program *p, int loop)
{
    for (int i = 0; i < p->n_kernels; i++)
        for (int d = 0; d < p->kernels[i].n_dims; d++)
            if (p->kernels[i].dims[d] == loop)
                return true;
    return false;
}

/* Is one of two loops that changed places a loop still? Dimensions of a grid have no order but that of their axes. */
static bool apply(struct poly_program *p, const char *site, char *why, size_t size)
{
    const struct poly_scop *s = p->scop;
    for (int l = 0; l < s->n_loops; l++)
        for (int in = l + 1; in < s->n_loops; in++)
            if (s->loops[in].parent == l && s->loops[l].node->edit && s->loops[in].node->edit == s->loops[l].node->edit &&
                !(in_grid(p, l) && in_grid(p, in)))
                return true;
    snprintf(why, size, "both loops are dimensions of a grid: coalesce chooses the axes");
    return false;
}

static struct poly_scop *reorder(struct poly_scop *s, const char *site, int number, struct rg_arena *arena, char *why, size_t size)
{
    return rg__poly_change_loops(s, site, number, arena, rg__poly_swap_loops, why, size);
}

const struct poly_step rg__poly_step_interchange = {
    .word = "interchange",
    .when = POLY_BEFORE_RESIDENT,
    .reorder = reorder,
    .apply = apply,
    .sites = rg__poly_sites_loops,
};
