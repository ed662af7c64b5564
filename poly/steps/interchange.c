/* interchange: a loop and the one right inside it change places. */
#include "poly/reorder/reorder.h"
#include "poly/steps/steps.h"

static bool in_grid(const struct poly_program *p, int loop)
{
    for (int i = 0; i < p->n_kernels; i++)
        for (int d = 0; d < p->kernels[i].n_dims; d++)
            if (p->kernels[i].dims[d] == loop) return true;
    return false;
}

/* Is one of two loops that changed places a loop still? Dimensions of a grid have no order but that of their axes. */
static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    const struct poly_scop *s = p->scop;
    for (int l = 0; l < s->n_loops; l++)
        for (int in = l + 1; in < s->n_loops; in++)
            if (s->loops[in].parent == l && s->loops[l].node->edit &&
                s->loops[in].node->edit == s->loops[l].node->edit && !(in_grid(p, l) && in_grid(p, in)))
                return true;
    rg_refuse(why, RG_REFUSE_ORDER, 0, "both loops are dimensions of a grid: coalesce chooses the axes");
    return false;
}

static struct poly_scop *reorder(struct poly_scop *s, const char *site, int number, struct rg_arena *arena,
                                 struct rg_reason *why)
{
    return rg__poly_change_loops(s, site, number, arena, rg__poly_swap_loops, why);
}

/* Neighbours along the loop, against elements that lie apart. */
static int stride_score(const struct poly_scop *s, int inside, int var)
{
    const struct poly_loop *l = &s->loops[inside];
    int score = 0;
    for (int i = l->first_stmt; i < l->first_stmt + l->n_stmts; i++)
        for (int u = 0; u < s->stmts[i].n_accesses; u++) {
            const struct poly_access *a = &s->accesses[s->stmts[i].first_access + u];
            for (int d = 0; d < a->n_subs; d++) {
                int64_t c = a->sub[d].ok ? rg__poly_linear_coef(&a->sub[d], var) : 0;
                score += c == 0 ? 0 : d + 1 == a->n_subs && (c == 1 || c == -1) ? 1 : -2;
            }
        }
    return score;
}

/* Of two loops that change places inside a thread, or a block, the one with the nearer elements belongs inside. */
static bool better_strides(const struct poly_scop *s)
{
    for (int l = 0; l < s->n_loops; l++)
        for (int in = l + 1; in < s->n_loops; in++)
            if (s->loops[in].parent == l && s->loops[l].node->edit &&
                s->loops[in].node->edit == s->loops[l].node->edit &&
                stride_score(s, in, s->loops[in].var) > stride_score(s, in, s->loops[l].var))
                return true;
    return false;
}

static bool same_launches(const struct poly_program *x, const struct poly_program *y)
{
    bool same = x->n_kernels == y->n_kernels;
    for (int k = 0; same && k < x->n_kernels; k++)
        same = x->kernels[k].n_dims == y->kernels[k].n_dims && x->kernels[k].n_host == y->kernels[k].n_host &&
               x->kernels[k].form == y->kernels[k].form;
    return same;
}

static const char *near_already(const struct poly_program *before, const struct poly_program *p)
{
    return same_launches(before, p) && !better_strides(p->scop) ? "the loop inside has the nearer elements already"
                                                                : NULL;
}

static bool worth(const struct poly_offer *o, struct rg_reason *why)
{
    return rg__poly_worth_reordering(o, POLY_SLOWER, near_already, why);
}

const struct poly_step rg__poly_step_interchange = {
    POLY_STEP(interchange), .when = POLY_BEFORE_RESIDENT,  .reorder = reorder,
    .apply = apply,         .sites = rg__poly_sites_loops, .worth = worth,
};
