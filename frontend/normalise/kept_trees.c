/* The tree and the problem as they were. */
#include "frontend/normalise/kept_trees.h"
#include <string.h>

struct rg__kept rg__keep(struct rg__load *l)
{
    struct rg_ctree *t = l->t;
    struct rg__kept k = {.root = t->root, .n_vars = t->n_vars, .n_arrays = t->n_arrays, .n_need = l->need.n};
    k.vars = rg_arena_alloc(&t->arena, (size_t)(k.n_vars + 1) * sizeof *k.vars);
    k.arrays = rg_arena_alloc(&t->arena, (size_t)(k.n_arrays + 1) * sizeof *k.arrays);
    k.need = rg_arena_alloc(&t->arena, (size_t)(k.n_need + 1) * sizeof *k.need);
    if (k.n_need) memcpy(k.need, l->need.items, (size_t)k.n_need * sizeof *k.need);
    if (k.n_vars) memcpy(k.vars, t->vars, (size_t)k.n_vars * sizeof *k.vars);
    if (k.n_arrays) memcpy(k.arrays, t->arrays, (size_t)k.n_arrays * sizeof *k.arrays);
    k.n_params = l->p->n_params;
    k.shapes = rg_arena_alloc(&t->arena, (size_t)(k.n_params + 1) * sizeof *k.shapes);
    for (int i = 0; i < k.n_params; i++)
        k.shapes[i] = (struct rg__param_shape){l->p->params[i].n_dims, l->p->params[i].dims};
    return k;
}

/* Tables only ever grow: there is room. */
void rg__put_back(struct rg__load *l, const struct rg__kept *k)
{
    struct rg_ctree *t = l->t;
    t->root = k->root;
    t->n_vars = k->n_vars;
    t->n_arrays = k->n_arrays;
    l->need.n = k->n_need;
    if (k->n_need) memcpy(l->need.items, k->need, (size_t)k->n_need * sizeof *k->need);
    if (k->n_vars) memcpy(t->vars, k->vars, (size_t)k->n_vars * sizeof *k->vars);
    if (k->n_arrays) memcpy(t->arrays, k->arrays, (size_t)k->n_arrays * sizeof *k->arrays);
    for (int i = 0; i < k->n_params && i < l->p->n_params; i++)
        if (l->p->params[i].n_dims != k->shapes[i].n_dims) {
            l->p->params[i].n_dims = k->shapes[i].n_dims;
            l->p->params[i].dims = k->shapes[i].dims;
        }
}

struct rg__kept_sizes rg__keep_sizes(struct rg__load *l, int from)
{
    struct rg_problem *p = l->p;
    struct rg__kept_sizes d = {from, p->n_params - from, p->n_size_params, p->size_params, NULL, l->unset, NULL};
    d.params = rg_arena_alloc(&p->arena, (size_t)(d.n + 1) * sizeof *d.params);
    d.values = rg_arena_alloc(&p->arena, (size_t)(p->n_sizes + 1) * sizeof *d.values);
    if (d.n) memcpy(d.params, p->params + from, (size_t)d.n * sizeof *d.params);
    for (int s = 0; s < p->n_sizes; s++) d.values[s] = p->sizes[s].values;
    return d;
}

void rg__put_sizes_back(struct rg__load *l, const struct rg__kept_sizes *d)
{
    struct rg_problem *p = l->p;
    if (d->n) memcpy(p->params + d->from, d->params, (size_t)d->n * sizeof *d->params);
    for (int s = 0; s < p->n_sizes; s++) p->sizes[s].values = d->values[s];
    p->n_params = d->from + d->n;
    p->n_size_params = d->n_sizes;
    p->size_params = d->size_params;
    l->unset = d->unset;
}
