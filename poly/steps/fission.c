/* fission: a loop in parts, one for each group of statements that nothing ties together. Before any action sequential
 * loops are split so where that sets parallel ones free. */
#include "poly/reorder/reorder.h"
#include "poly/steps/steps.h"

static struct poly_scop *reorder(struct poly_scop *s, const char *site, int number, struct rg_arena *arena,
                                 struct rg_reason *why)
{
    return rg__poly_change_loops(s, site, number, arena, rg__poly_divide_loop, why);
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

static bool worth(const struct poly_offer *o, struct rg_reason *why)
{
    return rg__poly_worth_reordering(o, POLY_SLOWER, no_better_apart, why);
}

static enum rg_status take(struct poly_scop **s, struct rg_arena *arena, struct rg_error *err)
{
    enum rg_status st = rg__poly_divide_where_it_pays(s, arena, err);
    if (st == RG_OK) rg__poly_cut_where_it_pays(s, arena);
    return st;
}

static const struct poly_first first = {.is = RG_PREPARE_FISSION, .take = take};

static void sites(const struct poly_sites *at)
{
    rg__poly_sites_loops(at);
    rg__poly_first_sites(at, &rg__poly_step_fission);
}

const struct poly_step rg__poly_step_fission = {
    POLY_STEP(fission), .first = &first, .when = POLY_BEFORE_RESIDENT,
    .reorder = reorder, .sites = sites,  .worth = worth,
};
