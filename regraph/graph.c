/* Life of a graph in memory: new, free, clone, canonical order, look-ups. */
#include "regraph/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct rg_regraph *rg__new(const char *name)
{
    struct rg_regraph *g = rg_xcalloc(1, sizeof *g);
    g->name = rg_arena_strdup(&g->arena, name);
    return g;
}

static void release_link(struct rg__link *l)
{
    free(l->rows);
    free(l->flat);
}

void rg_regraph_free(struct rg_regraph *g)
{
    if (!g) return;
    for (int i = 0; i < g->n_links; i++) release_link(&g->links[i]);
    free(g->removals);
    free(g->nodes);
    free(g->links);
    free(g->out);
    free(g->out_start);
    rg_arena_release(&g->arena);
    free(g);
}

/* --- canonical order --- */

static int by_id(const void *a, const void *b)
{
    const struct rg__node *x = a, *y = b;
    return strcmp(x->step.id, y->step.id);
}

static int by_ends(const void *a, const void *b)
{
    const struct rg_edge *x = &((const struct rg__link *)a)->edge, *y = &((const struct rg__link *)b)->edge;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (x->to > y->to) - (x->to < y->to);
}

static int by_row(const void *a, const void *b)
{
    const struct rg__row *x = a, *y = b;
    int c = rg__row_key_compare(&x->e, &y->e);
    return c ? c : rg__row_compare(x, y);
}

static int index_of(const struct rg_regraph *g, const char *id)
{
    int low = 0, high = g->n_nodes;
    while (low < high) {
        int mid = low + (high - low) / 2, c = strcmp(g->nodes[mid].step.id, id);
        if (c == 0) return mid;
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return -1;
}

/* Steps into order of their ids; the edges' indices follow. */
static void sort_nodes(struct rg_regraph *g)
{
    const char **ids = rg_xcalloc((size_t)g->n_nodes + 1, sizeof *ids);
    for (int i = 0; i < g->n_nodes; i++) ids[i] = g->nodes[i].step.id;
    if (g->n_nodes > 1) qsort(g->nodes, (size_t)g->n_nodes, sizeof *g->nodes, by_id);
    int *now = rg_xcalloc((size_t)g->n_nodes + 1, sizeof *now);
    for (int i = 0; i < g->n_nodes; i++) now[i] = index_of(g, ids[i]);
    for (int i = 0; i < g->n_links; i++) {
        struct rg_edge *e = &g->links[i].edge;
        if (e->from >= 0) e->from = now[e->from];
        e->to = now[e->to];
    }
    free(now);
    free(ids);
}

void rg__regraph_settle(struct rg_regraph *g)
{
    sort_nodes(g);
    if (g->n_links > 1) qsort(g->links, (size_t)g->n_links, sizeof *g->links, by_ends);
    for (int i = 0; i < g->n_links; i++) {
        struct rg__link *l = &g->links[i];
        if (l->n_rows > 1) qsort(l->rows, (size_t)l->n_rows, sizeof *l->rows, by_row);
        free(l->flat);
        l->flat = l->n_rows ? rg_xcalloc((size_t)l->n_rows, sizeof *l->flat) : NULL;
        for (int r = 0; r < l->n_rows; r++) l->flat[r] = l->rows[r].e;
        l->edge.evidence = l->flat;
        l->edge.n_evidence = l->n_rows;
    }
    free(g->out);
    free(g->out_start);
    g->out = rg_xcalloc((size_t)g->n_links + 1, sizeof *g->out);
    g->out_start = rg_xcalloc((size_t)g->n_nodes + 2, sizeof *g->out_start);
    for (int i = 0; i < g->n_links; i++) { /* sorted by source: the groups are already together */
        g->out[i] = i;
        g->out_start[g->links[i].edge.from + 2]++;
    }
    for (int s = 1; s < g->n_nodes + 2; s++) g->out_start[s] += g->out_start[s - 1];
}

/* --- copies --- */

static const char *dup(struct rg_arena *a, const char *s)
{
    return s ? rg_arena_strdup(a, s) : NULL;
}

struct rg__extra rg__copy_extra(struct rg_arena *a, const struct rg__extra *x)
{
    struct rg__extra r = {x->n, NULL};
    if (x->n) r.items = rg_arena_alloc(a, (size_t)x->n * sizeof *r.items);
    for (int i = 0; i < x->n; i++) r.items[i] = (struct rg__member){dup(a, x->items[i].key), dup(a, x->items[i].json)};
    return r;
}

struct rg__row rg__copy_row(struct rg_arena *a, const struct rg__row *r)
{
    struct rg__row c = *r;
    c.e.device = dup(a, r->e.device);
    c.e.klass = dup(a, r->e.klass);
    c.e.program = dup(a, r->e.program ? r->e.program : "");
    c.e.coder = dup(a, r->e.coder);
    c.e.run = dup(a, r->e.run ? r->e.run : "");
    c.e.origin =
        (struct rg_provenance){dup(a, r->e.origin.date), dup(a, r->e.origin.version), dup(a, r->e.origin.machine)};
    c.e.runs = r->e.n_runs ? rg_arena_alloc(a, (size_t)r->e.n_runs * sizeof *c.e.runs) : NULL;
    for (int i = 0; i < r->e.n_runs; i++) c.e.runs[i] = dup(a, r->e.runs[i]);
    struct rg_tuned *tuned = r->e.n_tuned ? rg_arena_alloc(a, (size_t)r->e.n_tuned * sizeof *tuned) : NULL;
    for (int i = 0; i < r->e.n_tuned; i++)
        tuned[i] = (struct rg_tuned){dup(a, r->e.tuned[i].name), r->e.tuned[i].value, r->e.tuned[i].count};
    c.e.tuned = tuned;
    c.extra = rg__copy_extra(a, &r->extra);
    return c;
}

static struct rg_tunables copy_tunables(struct rg_arena *a, const struct rg_tunables *t)
{
    struct rg_tunables c = *t;
    c.items = t->n ? rg_arena_alloc(a, (size_t)t->n * sizeof *c.items) : NULL;
    for (int i = 0; i < t->n; i++) {
        c.items[i] = t->items[i];
        c.items[i].name = dup(a, t->items[i].name);
        c.items[i].values = rg_arena_alloc(a, (size_t)t->items[i].n_values * sizeof *c.items[i].values);
        memcpy(c.items[i].values, t->items[i].values, (size_t)t->items[i].n_values * sizeof *c.items[i].values);
    }
    c.constraints = t->n_constraints ? rg_arena_alloc(a, (size_t)t->n_constraints * sizeof *c.constraints) : NULL;
    for (int i = 0; i < t->n_constraints; i++) c.constraints[i] = rg_expr_clone(a, t->constraints[i]);
    return c;
}

void rg__copy_node(struct rg_regraph *g, const struct rg__node *n)
{
    struct rg_arena *a = &g->arena;
    struct rg__node c = *n;
    const char **text[] = {
        &c.step.id,           &c.step.title,         &c.step.category,       &c.step.poly,          &c.step.hint,
        &c.step.precondition, &c.step.check_pattern, &c.step.example_before, &c.step.example_after, &c.step.source};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) *text[i] = dup(a, *text[i]);
    c.step.tunables = copy_tunables(a, &n->step.tunables);
    c.require = n->n_require ? rg_arena_alloc(a, (size_t)n->n_require * sizeof *c.require) : NULL;
    for (int i = 0; i < n->n_require; i++) c.require[i] = dup(a, n->require[i]);
    c.extra = rg__copy_extra(a, &n->extra);
    c.check_extra = rg__copy_extra(a, &n->check_extra);
    c.example_extra = rg__copy_extra(a, &n->example_extra);
    RG_GROW(g->nodes, g->n_nodes, g->cap_nodes);
    g->nodes[g->n_nodes++] = c;
}

void rg__reserve_rows(struct rg__link *l, int more)
{
    if (l->n_rows + more <= l->cap_rows) return;
    l->cap_rows = l->n_rows + more;
    l->rows = rg_xrealloc(l->rows, (size_t)l->cap_rows * sizeof *l->rows);
}

void rg__add_row(struct rg__link *l, struct rg__row row)
{
    RG_GROW(l->rows, l->n_rows, l->cap_rows);
    l->rows[l->n_rows++] = row;
}

struct rg__link *rg__copy_link(struct rg_regraph *g, const struct rg__link *l, int from, int to)
{
    struct rg__link c = {0};
    c.edge = l->edge;
    c.edge.from = from;
    c.edge.to = to;
    c.edge.note = dup(&g->arena, l->edge.note);
    c.edge.author = dup(&g->arena, l->edge.author);
    c.edge.date = dup(&g->arena, l->edge.date);
    c.edge.n_evidence = 0;
    c.edge.evidence = NULL;
    c.extra = rg__copy_extra(&g->arena, &l->extra);
    rg__reserve_rows(&c, l->n_rows);
    for (int i = 0; i < l->n_rows; i++) rg__add_row(&c, rg__copy_row(&g->arena, &l->rows[i]));
    RG_GROW(g->links, g->n_links, g->cap_links);
    g->links[g->n_links] = c;
    return &g->links[g->n_links++];
}

void rg_regraph_swap(struct rg_regraph *a, struct rg_regraph *b)
{
    struct rg_regraph was = *a;
    *a = *b;
    *b = was;
}

struct rg_regraph *rg_regraph_clone(const struct rg_regraph *g)
{
    struct rg_regraph *c = rg__new(g->name);
    c->extra = rg__copy_extra(&c->arena, &g->extra);
    rg__copy_baseline(c, g);
    rg__copy_removals(c, g);
    c->author = dup(&c->arena, g->author);
    c->date = dup(&c->arena, g->date);
    for (int i = 0; i < g->n_nodes; i++) rg__copy_node(c, &g->nodes[i]);
    for (int i = 0; i < g->n_links; i++) rg__copy_link(c, &g->links[i], g->links[i].edge.from, g->links[i].edge.to);
    rg__regraph_settle(c);
    return c;
}

/* --- removal --- */

void rg__drop_link(struct rg_regraph *g, int index)
{
    release_link(&g->links[index]);
    memmove(&g->links[index], &g->links[index + 1], (size_t)(g->n_links - index - 1) * sizeof *g->links);
    g->n_links--;
}

void rg__drop_node(struct rg_regraph *g, int index)
{
    rg__baseline_without(g, g->nodes[index].step.id);
    for (int i = g->n_links - 1; i >= 0; i--)
        if (g->links[i].edge.from == index || g->links[i].edge.to == index) rg__drop_link(g, i);
    for (int i = 0; i < g->n_links; i++) {
        struct rg_edge *e = &g->links[i].edge;
        e->from -= e->from > index;
        e->to -= e->to > index;
    }
    memmove(&g->nodes[index], &g->nodes[index + 1], (size_t)(g->n_nodes - index - 1) * sizeof *g->nodes);
    g->n_nodes--;
}

/* --- look-ups --- */

const char *rg__id(const struct rg_regraph *g, int index)
{
    return index < 0 ? "@start" : g->nodes[index].step.id;
}
const char *rg_regraph_name(const struct rg_regraph *g)
{
    return g->name;
}
int rg_regraph_steps(const struct rg_regraph *g)
{
    return g->n_nodes;
}
int rg_regraph_edges(const struct rg_regraph *g)
{
    return g->n_links;
}
int rg_regraph_find(const struct rg_regraph *g, const char *id)
{
    return index_of(g, id);
}

const struct rg_step *rg_regraph_step(const struct rg_regraph *g, int index)
{
    return index >= 0 && index < g->n_nodes ? &g->nodes[index].step : NULL;
}

const struct rg_edge *rg_regraph_edge(const struct rg_regraph *g, int index)
{
    return index >= 0 && index < g->n_links ? &g->links[index].edge : NULL;
}

const int *rg_regraph_out(const struct rg_regraph *g, int from, int *n)
{
    *n = 0;
    if (from < -1 || from >= g->n_nodes) return g->out;
    int start = g->out_start[from + 1];
    *n = g->out_start[from + 2] - start;
    return g->out + start;
}

int rg_regraph_find_edge(const struct rg_regraph *g, int from, int to)
{
    int n;
    const int *out = rg_regraph_out(g, from, &n);
    for (int i = 0; i < n; i++)
        if (g->links[out[i]].edge.to == to) return out[i];
    return -1;
}
