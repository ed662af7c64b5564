/* First steps: what coders do to the program before any action, where a proof or an estimate says that it pays. They
 * cost no evaluation and no node, stand in front of the chains of their coder's candidates, and are learnt of where an
 * action leaves one out (RG_SITE_NONE): what the candidate is slower then, the step has gained. */
#include "engine/engine.h"
#include <rg/buf.h>
#include <string.h>

void rg__first_init(struct rg__search *s)
{
    int most = 0;
    for (int c = 0; c < s->n_coders; c++) most += s->coders[c]->n_first;
    s->first = rg_arena_alloc(&s->arena, (size_t)(most + 1) * sizeof *s->first);
    for (int c = 0; c < s->n_coders; c++)
        for (int i = 0; i < s->coders[c]->n_first; i++)
            for (int step = 0; step < rg_regraph_steps(s->g); step++) {
                const struct rg_step *x = rg_regraph_step(s->g, step);
                if (!x->poly || strcmp(x->poly, s->coders[c]->first[i].edit)) continue;
                s->first[s->n_first++] = (struct rg__first){step, c, s->coders[c]->first[i].site};
                break;
            }
}

bool rg__first_has(const struct rg__search *s, const char *step, const char *site)
{
    for (int i = 0; i < s->n_first; i++)
        if (!strcmp(rg_regraph_step(s->g, s->first[i].step)->id, step) && !strcmp(s->first[i].site, site)) return true;
    return false;
}

bool rg__leaves_out(const char *site)
{
    return !strcmp(site, RG_SITE_NONE);
}

int rg__first_chain(const struct rg__search *s, const struct rg_template *t, struct rg_link **out, int *n)
{
    struct rg_link *all = rg_xcalloc((size_t)(s->n_first + t->n_chain) + 1, sizeof *all);
    *n = 0;
    for (int i = 0; i < s->n_first; i++) {
        const struct rg__first *f = &s->first[i];
        if (strcmp(s->coders[f->coder]->name, t->coder) || rg__step_found(s, t, f->step, RG_SITE_NONE) >= 0) continue;
        all[(*n)++] = (struct rg_link){(char *)rg_regraph_step(s->g, f->step)->id, (char *)f->site};
    }
    int n_first = *n;
    for (int i = 0; i < t->n_chain; i++) all[(*n)++] = t->chain[i];
    *out = all;
    return n_first;
}
