/* The chains that may make the baseline of a search, as the graph lists them. */
#include "regraph/internal.h"

#include <string.h>

const struct rg_baseline_chain *rg_regraph_baseline(const struct rg_regraph *g, int *n)
{
    *n = g->n_baseline;
    return g->baseline;
}

void rg__copy_baseline(struct rg_regraph *to, const struct rg_regraph *from)
{
    struct rg_arena *a = &to->arena;
    size_t n = (size_t)from->n_baseline;
    struct rg_baseline_chain *c = n ? rg_arena_alloc(a, n * sizeof *c) : NULL;
    for (size_t i = 0; i < n; i++) {
        const struct rg_baseline_chain *was = &from->baseline[i];
        struct rg_baseline_step *items = rg_arena_alloc(a, (size_t)was->n * sizeof *items);
        for (int k = 0; k < was->n; k++) {
            items[k] = was->items[k];
            items[k].step = rg_arena_strdup(a, was->items[k].step);
            if (was->items[k].site) items[k].site = rg_arena_strdup(a, was->items[k].site);
        }
        c[i] = (struct rg_baseline_chain){was->n, items};
    }
    to->baseline = c;
    to->n_baseline = from->n_baseline;
}

static bool same_step(const struct rg_baseline_step *a, const struct rg_baseline_step *b)
{
    if (strcmp(a->step, b->step) != 0 || a->optional != b->optional || !a->site != !b->site) return false;
    return !a->site || strcmp(a->site, b->site) == 0;
}

bool rg__same_baseline(const struct rg_regraph *a, const struct rg_regraph *b)
{
    bool same = a->n_baseline == b->n_baseline;
    for (int i = 0; same && i < a->n_baseline; i++) {
        same = a->baseline[i].n == b->baseline[i].n;
        for (int k = 0; same && k < a->baseline[i].n; k++)
            same = same_step(&a->baseline[i].items[k], &b->baseline[i].items[k]);
    }
    return same;
}

void rg__baseline_rename(struct rg_regraph *g, const char *step, const char *now)
{
    for (int i = 0; i < g->n_baseline; i++)
        for (int k = 0; k < g->baseline[i].n; k++)
            if (strcmp(g->baseline[i].items[k].step, step) == 0) g->baseline[i].items[k].step = now;
}

void rg__baseline_without(struct rg_regraph *g, const char *step)
{
    int chains = 0;
    for (int i = 0; i < g->n_baseline; i++) {
        struct rg_baseline_chain *c = &g->baseline[i];
        int n = 0;
        bool lost = false;
        for (int k = 0; k < c->n; k++) {
            bool gone = strcmp(c->items[k].step, step) == 0;
            lost = lost || (gone && !c->items[k].optional);
            if (!gone) c->items[n++] = c->items[k];
        }
        c->n = n;
        if (n && !lost) g->baseline[chains++] = *c;
    }
    g->n_baseline = chains;
}
