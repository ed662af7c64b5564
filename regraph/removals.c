/* Tombstones: what an expert removed or renamed, so that no merge and no newer release brings it back. */
#include "regraph/internal.h"

#include <stdlib.h>
#include <string.h>

static int text_compare(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

/* Steps before edges; one entry a step or edge. */
int rg__removal_compare(const void *x, const void *y)
{
    const struct rg_removal *a = x, *b = y;
    if (!a->step != !b->step) return a->step ? -1 : 1;
    int c = text_compare(a->step, b->step);
    if (!c) c = text_compare(a->from, b->from);
    return c ? c : text_compare(a->to, b->to);
}

const struct rg_removal *rg_regraph_removals(const struct rg_regraph *g, int *n)
{
    *n = g->n_removals;
    return g->removals;
}

static int find(const struct rg_regraph *g, const char *step, const char *from, const char *to)
{
    const struct rg_removal key = {.step = step, .from = from, .to = to};
    for (int i = 0; i < g->n_removals; i++)
        if (rg__removal_compare(&g->removals[i], &key) == 0) return i;
    return -1;
}

static const char *keep(struct rg_regraph *g, const char *s)
{
    return s && *s ? rg_arena_strdup(&g->arena, s) : NULL;
}

void rg__add_removal(struct rg_regraph *g, const struct rg_removal *r)
{
    if (find(g, r->step, r->from, r->to) >= 0) return;
    RG_GROW(g->removals, g->n_removals, g->cap_removals);
    g->removals[g->n_removals++] = (struct rg_removal){keep(g, r->step), keep(g, r->now),    keep(g, r->from),
                                                       keep(g, r->to),   keep(g, r->author), keep(g, r->date)};
    qsort(g->removals, (size_t)g->n_removals, sizeof *g->removals, rg__removal_compare);
}

void rg__removed_step(struct rg_regraph *g, const char *id, const char *now)
{
    rg__removal_forget(g, id, NULL, NULL);
    rg__add_removal(g, &(struct rg_removal){.step = id, .now = now, .author = g->author, .date = g->date});
}

void rg__removed_edge(struct rg_regraph *g, const char *from, const char *to)
{
    rg__add_removal(g, &(struct rg_removal){.from = from, .to = to, .author = g->author, .date = g->date});
}

void rg__removal_forget(struct rg_regraph *g, const char *step, const char *from, const char *to)
{
    int i = find(g, step, from, to);
    if (i < 0) return;
    memmove(&g->removals[i], &g->removals[i + 1], (size_t)(g->n_removals - i - 1) * sizeof *g->removals);
    g->n_removals--;
}

bool rg__is_removed_step(const struct rg_regraph *g, const char *id)
{
    return find(g, id, NULL, NULL) >= 0;
}

bool rg__is_removed_edge(const struct rg_regraph *g, const char *from, const char *to)
{
    return find(g, NULL, from, to) >= 0;
}

void rg__copy_removals(struct rg_regraph *to, const struct rg_regraph *from)
{
    for (int i = 0; i < from->n_removals; i++) rg__add_removal(to, &from->removals[i]);
}

const char *rg_regraph_now(const struct rg_regraph *g, const char *id)
{
    /* A chain of new names has at most as many links as there are entries: a circle ends there. */
    for (int hops = 0; hops <= g->n_removals; hops++) {
        int i = find(g, id, NULL, NULL);
        if (i < 0 || !g->removals[i].now) return id;
        id = g->removals[i].now;
    }
    return id;
}
