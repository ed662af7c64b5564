/* Evidence rows from credits. One function serves the end of a run and the journal, so both give the same rows. */
#include "engine/engine.h"
#include <math.h>
#include <rg/buf.h>
#include <stdlib.h>
#include <string.h>

static const double fixed_point = 1e6;

static char *copy(const char *s)
{
    return rg_xstrdup(s ? s : "");
}

static struct rg_evidence *row_for(struct rg_search_row **rows, int *n, int *cap, int edge,
                                   const struct rg_circumstances *at, const char *coder, const char *run,
                                   const struct rg_provenance *origin)
{
    for (int i = 0; i < *n; i++)
        if ((*rows)[i].edge == edge && !strcmp((*rows)[i].row.coder, coder)) return &(*rows)[i].row;
    RG_GROW(*rows, *n, *cap);
    struct rg_search_row *r = &(*rows)[(*n)++];
    memset(r, 0, sizeof *r);
    r->edge = edge;
    r->row.device = rg_xstrdup(at->device);
    r->row.klass = rg_xstrdup(at->klass);
    r->row.program = rg_xstrdup(at->program);
    r->row.coder = rg_xstrdup(coder);
    r->row.run = rg_xstrdup(run);
    r->row.origin = (struct rg_provenance){copy(origin->date), copy(origin->version), copy(origin->machine)};
    r->row.max = INT64_MIN;
    return &r->row;
}

static void add_gain(struct rg_evidence *e, int64_t gain)
{
    e->n++;
    e->ok++;
    e->sum += gain;
    e->sumsq += llround((double)gain * (double)gain / fixed_point);
    if (gain > e->max) e->max = gain;
}

static void add_failure(struct rg_evidence *e, enum rg_outcome o)
{
    if (o == RG_OUTCOME_REFUSED) {
        e->refused++;
        return;
    }
    e->n++;
    e->fail[o]++;
}

/* The credit that made a node: the first that led to it. RG__NONE's and no-ops' lead nowhere. */
static const struct rg__credit *made_by(const struct rg__credit *c, int n, uint32_t node)
{
    for (int i = 0; i < n; i++)
        if (c[i].child == node && !c[i].noop) return &c[i];
    return NULL;
}

static const int64_t *value_of(const struct rg__figure *f, const char *name)
{
    for (int i = 0; f && i < f->n_values; i++)
        if (!strcmp(f->values[i].name, name)) return &f->values[i].value;
    return NULL;
}

static void add_tuned(struct rg_evidence *e, const char *name, int64_t value)
{
    struct rg_tuned *t = rg_xrealloc((void *)e->tuned, (size_t)(e->n_tuned + 1) * sizeof *t);
    int i = e->n_tuned;
    e->tuned = t;
    for (int k = 0; k < e->n_tuned; k++) /* the same step at two sites opens its tunables once */
        if (!strcmp(t[k].name, name)) return;
    while (i > 0 && strcmp(t[i - 1].name, name) > 0) {
        t[i] = t[i - 1];
        i--;
    }
    t[i] = (struct rg_tuned){rg_xstrdup(name), value, 1};
    e->n_tuned++;
}

/* Marks the way to the run's best candidate (RG__NONE: it is not known, the fastest is meant): its edges led there, and
 * the tunables each of them opened have the values they have there. What a step is worth in the end does not show in
 * its own gain when it only prepares others. */
static void mark_way(const struct rg__credit *c, int n, const struct rg__figure *f, int n_figures, uint32_t best,
                     struct rg_search_row *rows, int n_rows)
{
    bool known = best < (uint32_t)n_figures && f[best].measured && f[best].outcome == RG_OUTCOME_OK;
    if (!known) best = RG__NONE;
    for (int i = 1; i < n_figures && !known; i++)
        if (f[i].measured && f[i].outcome == RG_OUTCOME_OK && f[i].time_us > 0 &&
            (best == RG__NONE || f[i].time_us < f[best].time_us))
            best = (uint32_t)i;
    uint32_t node = best;
    for (int steps = 0; node != RG__NONE && node != RG__ROOT && steps <= n; steps++) {
        const struct rg__credit *x = made_by(c, n, node);
        if (!x) return;
        struct rg_evidence *e = NULL;
        for (int i = 0; i < n_rows && !e; i++)
            if (rows[i].edge == x->regraph_edge && !strcmp(rows[i].row.coder, x->coder)) e = &rows[i].row;
        const struct rg__figure *above = x->parent < (uint32_t)n_figures ? &f[x->parent] : NULL;
        const struct rg__figure *here = node < (uint32_t)n_figures ? &f[node] : NULL;
        if (e && e->ok > 0 && !x->left_out) {
            e->lead = 1; /* of one run, however many sites it used the edge at */
            for (int i = 0; here && i < here->n_values; i++) {
                const char *name = here->values[i].name;
                const int64_t *in_best = value_of(&f[best], name);
                if (!value_of(above, name)) add_tuned(e, name, in_best ? *in_best : here->values[i].value);
            }
        }
        node = x->parent;
    }
}

/* Of each credit, its part of the gain of the fastest candidate that was measured behind steps of which nobody measured
 * what each one is worth alone: these share it. NAN: it has none. */
static double *shares(const struct rg__credit *c, int n, const struct rg__figure *f, int n_figures, double naive_us)
{
    double *share = rg_xmalloc((size_t)(n + 1) * sizeof *share), *of = rg_xcalloc((size_t)n + 1, sizeof *of);
    for (int i = 0; i < n; i++) share[i] = NAN;
    for (int i = 0; i < n; i++) {
        uint32_t node = c[i].child;
        if (node == RG__NONE || c[i].noop || node >= (uint32_t)n_figures || !f[node].measured || f[node].time_us <= 0)
            continue;
        const struct rg__credit *x = &c[i];
        int steps = 1;
        while (x && steps <= n && x->parent < (uint32_t)n_figures && x->parent != RG__ROOT && !f[x->parent].measured) {
            x = made_by(c, n, x->parent);
            steps++;
        }
        if (!x || steps < 2 || x->parent >= (uint32_t)n_figures) continue;
        double above = x->parent == RG__ROOT ? naive_us : f[x->parent].time_us;
        if (!(above > 0)) continue;
        double gain = log(above / f[node].time_us) / steps;
        for (x = &c[i]; steps > 0; steps--, x = made_by(c, n, x->parent)) {
            int k = (int)(x - c);
            if (of[k] > 0 && of[k] <= f[node].time_us) continue;
            of[k] = f[node].time_us;
            share[k] = gain;
        }
    }
    free(of);
    return share;
}

static int by_edge(const void *a, const void *b)
{
    const struct rg_search_row *x = a, *y = b;
    return x->edge != y->edge ? (x->edge > y->edge) - (x->edge < y->edge) : strcmp(x->row.coder, y->row.coder);
}

void rg__evidence_rows(const struct rg__credit *c, int n, const struct rg__figure *f, int n_figures, uint32_t best,
                       double naive_us, const struct rg_circumstances *at, const char *run,
                       const struct rg_provenance *origin, struct rg_search_row **rows, int *n_rows)
{
    int cap = 0;
    double *share = shares(c, n, f, n_figures, naive_us);
    *rows = NULL;
    *n_rows = 0;
    for (int i = 0; i < n; i++) {
        if (c[i].regraph_edge < 0) continue;
        double parent = c[i].parent == RG__ROOT             ? naive_us
                        : c[i].parent < (uint32_t)n_figures ? f[c[i].parent].time_us
                                                            : 0;
        bool failed = c[i].child == RG__NONE && !c[i].noop;
        enum rg_outcome outcome = c[i].outcome;
        double child = parent;
        if (c[i].child != RG__NONE) {
            if (c[i].child >= (uint32_t)n_figures) continue;
            if (!isnan(share[i])) {
                struct rg_evidence *e = row_for(rows, n_rows, &cap, c[i].regraph_edge, at, c[i].coder, run, origin);
                add_gain(e, llround(share[i] * fixed_point));
                continue;
            }
            if (!f[c[i].child].measured) continue; /* never measured: unknown */
            outcome = f[c[i].child].outcome;
            failed = outcome != RG_OUTCOME_OK;
            child = f[c[i].child].time_us;
        }
        if (failed && outcome == RG_OUTCOME_PRUNED) continue; /* nobody knows */
        if (!failed && !(parent > 0 && child > 0)) continue;  /* nothing to compare with */
        if (c[i].left_out && (failed || c[i].noop)) continue;
        struct rg_evidence *e = row_for(rows, n_rows, &cap, c[i].regraph_edge, at, c[i].coder, run, origin);
        if (failed)
            add_failure(e, outcome);
        else
            add_gain(e, llround(log(c[i].left_out ? child / parent : parent / child) * fixed_point));
    }
    free(share);
    for (int i = 0; i < *n_rows; i++) (*rows)[i].row.told = n;
    mark_way(c, n, f, n_figures, best, *rows, *n_rows);
    if (*n_rows > 1) qsort(*rows, (size_t)*n_rows, sizeof **rows, by_edge);
}

void rg_search_rows_free(struct rg_search_row *rows, int n)
{
    for (int i = 0; i < n; i++) {
        free((char *)rows[i].row.device);
        free((char *)rows[i].row.klass);
        free((char *)rows[i].row.program);
        free((char *)rows[i].row.coder);
        free((char *)rows[i].row.run);
        free((char *)rows[i].row.origin.date);
        free((char *)rows[i].row.origin.version);
        free((char *)rows[i].row.origin.machine);
        for (int k = 0; k < rows[i].row.n_tuned; k++) free((char *)rows[i].row.tuned[k].name);
        free((void *)rows[i].row.tuned);
    }
    free(rows);
}
