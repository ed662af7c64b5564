/* Evidence rows from credits. One function serves the end of a run and the journal, so both give the same rows. */
#include "engine/engine.h"
#include <math.h>
#include <rg/buf.h>
#include <stdlib.h>
#include <string.h>

static const double fixed_point = 1e6;

static struct rg_evidence *row_for(struct rg_search_row **rows, int *n, int *cap, int edge, const char *device,
                                   const char *klass, const char *coder, const char *run)
{
    for (int i = 0; i < *n; i++)
        if ((*rows)[i].edge == edge && !strcmp((*rows)[i].row.coder, coder)) return &(*rows)[i].row;
    RG_GROW(*rows, *n, *cap);
    struct rg_search_row *r = &(*rows)[(*n)++];
    memset(r, 0, sizeof *r);
    r->edge = edge;
    r->row.device = rg_xstrdup(device);
    r->row.klass = rg_xstrdup(klass);
    r->row.coder = rg_xstrdup(coder);
    r->row.run = rg_xstrdup(run);
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
    e->n++;
    e->fail[o]++;
}

static int by_edge(const void *a, const void *b)
{
    const struct rg_search_row *x = a, *y = b;
    return x->edge != y->edge ? (x->edge > y->edge) - (x->edge < y->edge) : strcmp(x->row.coder, y->row.coder);
}

void rg__evidence_rows(const struct rg__credit *c, int n, const struct rg__figure *f, int n_figures, double naive_us,
                       const char *device, const char *klass, const char *run, struct rg_search_row **rows, int *n_rows)
{
    int cap = 0;
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
            if (c[i].child >= (uint32_t)n_figures || !f[c[i].child].measured) continue; /* never measured: unknown */
            outcome = f[c[i].child].outcome;
            failed = outcome != RG_OUTCOME_OK;
            child = f[c[i].child].time_us;
        }
        if (!failed && !(parent > 0 && child > 0)) continue; /* nothing to compare with */
        struct rg_evidence *e = row_for(rows, n_rows, &cap, c[i].regraph_edge, device, klass, c[i].coder, run);
        if (failed)
            add_failure(e, outcome);
        else
            add_gain(e, llround(log(parent / child) * fixed_point));
    }
    if (*n_rows > 1) qsort(*rows, (size_t)*n_rows, sizeof **rows, by_edge);
}

void rg_search_rows_free(struct rg_search_row *rows, int n)
{
    for (int i = 0; i < n; i++) {
        free((char *)rows[i].row.device);
        free((char *)rows[i].row.klass);
        free((char *)rows[i].row.coder);
        free((char *)rows[i].row.run);
    }
    free(rows);
}
