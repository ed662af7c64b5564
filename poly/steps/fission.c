/* fission: a loop in parts, one for each group of statements that nothing ties together. */
#include "poly/reorder/reorder.h"
#include "poly/steps/steps.h"

static struct poly_scop *reorder(struct poly_scop *s, const char *site, int number, struct rg_arena *arena, char *why,
                                 size_t size)
{
    return rg__poly_change_loops(s, site, number, arena, rg__poly_divide_loop, why, size);
}

static bool shares(const struct poly_scop *s, int a, int b)
{
    const struct poly_loop *x = &s->loops[a], *y = &s->loops[b];
    for (int i = x->first_stmt; i < x->first_stmt + x->n_stmts; i++)
        for (int u = 0; u < s->stmts[i].n_accesses; u++)
            for (int j = y->first_stmt; j < y->first_stmt + y->n_stmts; j++)
                for (int w = 0; w < s->stmts[j].n_accesses; w++)
                    if (s->accesses[s->stmts[i].first_access + u].array ==
                        s->accesses[s->stmts[j].first_access + w].array)
                        return true;
    return false;
}

/* Parts with loops of their own may want other shapes; parts that share nothing lose nothing. */
static bool better_apart(const struct poly_scop *s)
{
    for (int a = 0; a < s->n_loops; a++)
        for (int b = a + 1; b < s->n_loops; b++) {
            if (!rg__poly_pieces_of_one(s->loops[a].node, s->loops[b].node)) continue;
            bool la = false, lb = false;
            for (int l = 0; l < s->n_loops; l++) {
                la = la || s->loops[l].parent == a;
                lb = lb || s->loops[l].parent == b;
            }
            if ((la && lb) || !shares(s, a, b)) return true;
        }
    return false;
}

static const char *no_better_apart(const struct poly_program *before, const struct poly_program *p)
{
    return better_apart(p->scop)
               ? NULL
               : "its parts share arrays, and not each has a loop of its own: apart they would only be read twice";
}

static bool worth(const struct poly_offer *o, char *why, size_t size)
{
    return rg__poly_worth_reordering(o, POLY_SLOWER, no_better_apart, why, size);
}

const struct poly_step rg__poly_step_fission = {
    .word = "fission",
    .when = POLY_BEFORE_RESIDENT,
    .reorder = reorder,
    .sites = rg__poly_sites_loops,
    .worth = worth,
};
