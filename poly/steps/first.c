/* First steps: taken before any action, in the order of the registry, wherever a proof or an estimate says that they
 * pay. An action at the site "none" leaves one out: the program is begun again without it. */
#include "poly/reorder/reorder.h"
#include "poly/steps/steps.h"
#include <rg/poly.h>
#include <string.h>

enum rg_status rg__poly_begin(const struct rg_problem *p, const struct rg_ctree *t, struct rg_arena *arena,
                              struct poly_scop **out, struct rg_error *err)
{
    enum rg_status st = rg__poly_scop_new(p, t, out, err);
    for (int i = 0; i < POLY_N_STEPS && st == RG_OK; i++) {
        const struct poly_first *f = rg__poly_steps[i]->first;
        if (f && f->take && !(t->without & 1u << f->is)) st = f->take(out, arena, err);
    }
    if (st == RG_OK) {
        (*out)->as_written = t;
        (*out)->begin = rg__poly_begin;
    }
    return st;
}

unsigned rg_poly_first_bit(const char *word)
{
    const struct poly_step *step = rg__poly_step_named(word);
    return step && step->first ? 1u << step->first->is : 0;
}

static const struct poly_step *step_of(enum rg_preparation p)
{
    for (int i = 0; i < POLY_N_STEPS; i++)
        if (rg__poly_steps[i]->first && rg__poly_steps[i]->first->is == p) return rg__poly_steps[i];
    return NULL;
}

int rg__poly_first_taken(const struct rg_ctree *t, struct rg_arena *arena, struct rg_first_step **out)
{
    int n = 0;
    *out = rg_arena_alloc(arena, (size_t)(t->n_prepared + 1) * sizeof **out);
    for (int i = 0; i < t->n_prepared; i++) {
        const struct rg_prepared *p = &t->prepared[i];
        bool again = false;
        for (int k = 0; k < i; k++)
            again = again || (t->prepared[k].what == p->what && !strcmp(t->prepared[k].loop, p->loop));
        if (again) continue;
        (*out)[n++] = (struct rg_first_step){step_of(p->what)->word, rg_arena_printf(arena, "loop:%s", p->loop)};
    }
    return n;
}
