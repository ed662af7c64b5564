/* Tables in memory, and what they say of vectors that nobody measured. */
#include "table.h"
#include <math.h>
#include <rg/buf.h>
#include <stdlib.h>
#include <string.h>

struct table_node *table_node(struct table *t, int index)
{
    while (t->n <= index) {
        RG_GROW(t->nodes, t->n, t->cap);
        memset(&t->nodes[t->n], 0, sizeof *t->nodes);
        t->nodes[t->n++].first_parent = -1;
    }
    return &t->nodes[index];
}

void table_action(struct table *t, int node, const char *step, const char *site, int child, enum rg_outcome outcome)
{
    struct table_node *n = table_node(t, node);
    for (int i = 0; i < n->n_actions; i++)
        if (!strcmp(n->actions[i].step, step) && !strcmp(n->actions[i].site, site)) return;
    RG_GROW(n->actions, n->n_actions, n->cap_actions);
    n->actions[n->n_actions++] = (struct table_action){rg_xstrdup(step), rg_xstrdup(site), child, outcome};
}

static const struct table_trial *measured(const struct table_node *n, const struct rg_vector *v)
{
    for (int i = 0; i < n->n_trials; i++)
        if (rg_vector_equal(&n->trials[i].v, v)) return &n->trials[i];
    return NULL;
}

void table_trial(struct table *t, int node, const struct table_trial *trial)
{
    struct table_node *n = table_node(t, node);
    if (measured(n, &trial->v)) return;
    RG_GROW(n->trials, n->n_trials, n->cap_trials);
    n->trials[n->n_trials++] = *trial;
}

void table_close(struct table *t)
{
    t->best_us = 0;
    for (int i = 0; i < t->n; i++) {
        struct table_node *n = &t->nodes[i];
        n->best_us = 0;
        for (int k = 0; k < n->n_trials; k++) {
            const struct table_trial *x = &n->trials[k];
            if (x->outcome == RG_OUTCOME_OK && (n->best_us == 0 || x->time_us < n->best_us)) n->best_us = x->time_us;
        }
        if (n->best_us > 0 && (t->best_us == 0 || n->best_us < t->best_us)) t->best_us = n->best_us;
        for (int k = 0; k < n->n_actions; k++) {
            int child = n->actions[k].node;
            if (child > i && t->nodes[child].first_parent < 0) t->nodes[child].first_parent = i;
        }
    }
}

void table_free(struct table *t)
{
    for (int i = 0; t && i < t->n; i++) {
        free(t->nodes[i].draft_at);
        free(t->nodes[i].draft_us);
        for (int k = 0; k < t->nodes[i].n_actions; k++) {
            free(t->nodes[i].actions[k].step);
            free(t->nodes[i].actions[k].site);
        }
        free(t->nodes[i].actions);
        free(t->nodes[i].trials);
    }
    if (!t) return;
    free(t->nodes);
    free(t->name);
    free(t->klass);
    free(t->device);
    rg_arena_release(&t->arena);
    free(t);
}

/* Mean of ln(t(to) / t(from)) over pairs of ok trials of a node that differ in the tunable `name` alone. */
static bool slope(const struct table_node *n, const char *name, int64_t from, int64_t to, double *out)
{
    int at = rg_tunables_find(&n->tunables, name), pairs = 0;
    double sum = 0;
    if (at < 0) return false;
    for (int i = 0; i < n->n_trials; i++) {
        const struct table_trial *a = &n->trials[i];
        if (a->outcome != RG_OUTCOME_OK || a->v.values[at] != from) continue;
        struct rg_vector v = a->v;
        v.values[at] = to;
        const struct table_trial *b = measured(n, &v);
        if (!b || b->outcome != RG_OUTCOME_OK) continue;
        sum += log(b->time_us / a->time_us);
        pairs++;
    }
    if (pairs) *out = sum / pairs;
    return pairs > 0;
}

static double effect(const struct table *t, int node, const char *name, int64_t from, int64_t to)
{
    double x = 0;
    for (int n = node; n > 0; n = t->nodes[n].first_parent)
        if (slope(&t->nodes[n], name, from, to, &x)) return x;
    return 0;
}

static int distance(const struct rg_vector *a, const struct rg_vector *b)
{
    int differ = 0;
    for (int k = 0; k < a->n; k++) differ += a->values[k] != b->values[k];
    return differ;
}

struct table_trial table_lookup(const struct table *t, int node, const struct rg_vector *v)
{
    const struct table_node *n = &t->nodes[node];
    const struct table_trial *near = measured(n, v);
    if (near) return *near;
    struct table_trial out = {.v = *v, .outcome = RG_OUTCOME_UNSUPPORTED};
    int least = RG_MAX_TUNABLES + 1;
    for (int i = 0; i < n->n_trials; i++)
        least = distance(&n->trials[i].v, v) < least ? distance(&n->trials[i].v, v) : least;
    double sum = 0;
    int ok = 0;
    for (int i = 0; i < n->n_trials; i++) {
        if (distance(&n->trials[i].v, v) > least) continue;
        near = &n->trials[i];
        if (near->outcome != RG_OUTCOME_OK) continue;
        ok++;
        out.limiter = near->limiter;
        sum += log(near->time_us);
        for (int k = 0; k < v->n; k++)
            if (near->v.values[k] != v->values[k])
                sum += effect(t, node, n->tunables.items[k].name, near->v.values[k], v->values[k]);
    }
    if (!near) return out;
    out.outcome = ok ? RG_OUTCOME_OK : near->outcome;
    if (ok) out.time_us = fmax(exp(sum / ok), n->best_us);
    return out;
}

double table_draft(const struct table *t, int node, const struct rg_vector *v)
{
    const struct table_node *n = &t->nodes[node];
    int64_t number = 0, unit = 1;
    for (int i = 0; i < n->tunables.n; i++) {
        const struct rg_tunable *x = &n->tunables.items[i];
        int k = 0;
        while (k < x->n_values && x->values[k] != v->values[i]) k++;
        if (k == x->n_values) return 0;
        number += k * unit;
        unit *= x->n_values;
    }
    int low = 0, high = n->n_drafts;
    while (low < high) {
        int mid = (low + high) / 2;
        if (n->draft_at[mid] < number)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n->n_drafts && n->draft_at[low] == number ? (double)n->draft_us[low] : 0;
}
