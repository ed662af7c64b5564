/* Walks over a plan's statements, and what `swap` may mix up. */
#include "runtime/plan/plan_internal.h"
#include <rg/buf.h>
#include <stdlib.h>
#include <string.h>

static void each(const struct rg_plan_stmt *s, void (*fn)(void *, const struct rg_plan_stmt *), void *arg)
{
    fn(arg, s);
    if (s->init) fn(arg, s->init);
    for (int i = 0; i < s->n_body; i++) each(s->body[i], fn, arg);
    for (int i = 0; i < s->n_else; i++) each(s->orelse[i], fn, arg);
    if (s->step) fn(arg, s->step);
}

void rg__plan_each(const struct rg_plan *p, void (*fn)(void *, const struct rg_plan_stmt *), void *arg)
{
    for (int i = 0; i < p->n; i++) each(p->stmts[i], fn, arg);
}

struct groups { /* union-find over parameters, then scratch buffers */
    const struct rg_problem *problem;
    int n, cap;
    const char **names;
    int *parent;
};

static int node(struct groups *g, const char *name)
{
    for (int i = 0; i < g->n; i++)
        if (!strcmp(g->names[i], name)) return i;
    if (g->n == g->cap) {
        g->cap *= 2;
        g->names = rg_xrealloc(g->names, (size_t)g->cap * sizeof *g->names);
        g->parent = rg_xrealloc(g->parent, (size_t)g->cap * sizeof *g->parent);
    }
    g->names[g->n] = name;
    g->parent[g->n] = g->n;
    return g->n++;
}

static int root(const struct groups *g, int i)
{
    while (g->parent[i] != i) i = g->parent[i];
    return i;
}

static void join(void *arg, const struct rg_plan_stmt *s)
{
    struct groups *g = arg;
    if (s->kind != RG_PLAN_SWAP) return;
    int a = root(g, node(g, s->a)), b = root(g, node(g, s->b));
    /* The least index leads: parameters come first. */
    if (a < b)
        g->parent[b] = a;
    else
        g->parent[a] = b;
}

void rg__plan_swap_groups(const struct rg_plan *p, const struct rg_problem *problem, int *group)
{
    struct groups g = {problem, 0, problem->n_params + 8, NULL, NULL};
    g.names = rg_xmalloc((size_t)g.cap * sizeof *g.names);
    g.parent = rg_xmalloc((size_t)g.cap * sizeof *g.parent);
    for (int i = 0; i < problem->n_params; i++) { /* by index, also should two names be equal */
        g.names[g.n] = problem->params[i].name;
        g.parent[g.n] = g.n;
        g.n++;
    }
    rg__plan_each(p, join, &g);
    for (int i = 0; i < problem->n_params; i++) group[i] = root(&g, i);
    for (int i = 0; i < problem->n_params; i++) { /* alone with itself: never swapped */
        bool swapped = false;
        for (int k = 0; k < g.n; k++) swapped |= k != i && root(&g, k) == root(&g, i);
        if (!swapped) group[i] = -1;
    }
    free(g.names);
    free(g.parent);
}
