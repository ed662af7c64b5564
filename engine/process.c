#include "engine/process.h"
#include <math.h>
#include <rg/buf.h>
#include <stdlib.h>
#include <string.h>

const float rg__feature_lacks = -1;

float rg__feature(int64_t value)
{
    return (float)log2((double)(value > 0 ? value : 1));
}

/* ---- covariance ---- */

/* By one tunable, in reaches. */
static double distance_by(const struct rg__process *g, int feature, float a, float b)
{
    if (a == b) return 0; /* in neither, mostly */
    bool one_lacks = a == rg__feature_lacks || b == rg__feature_lacks;
    double d = one_lacks ? g->p->draft_apart : fabs((double)a - (double)b);
    return g->matters[feature] * d / g->p->draft_reach;
}

static double alike(const struct rg__process *g, uint32_t a, uint32_t b)
{
    return g->p->draft_value_spread * g->p->draft_value_spread * (a == b ? 1 : g->p->draft_shared);
}

static double same_node(const struct rg__process *g, uint32_t a, uint32_t b)
{
    return a == b ? g->p->draft_node_spread * g->p->draft_node_spread : 0;
}

static double covariance(const struct rg__process *g, const struct rg__point *a, const struct rg__point *b)
{
    double d = 0;
    for (int i = 0; i < g->n_features; i++) d += distance_by(g, i, a->at[i], b->at[i]);
    return same_node(g, a->node, b->node) + alike(g, a->node, b->node) * exp(-d);
}

static double residual(const struct rg__process *g, const struct rg__point *p)
{
    return p->ln_us - g->slope * p->ln_draft;
}

/* ---- what the points seen say of the process ---- */

void rg__process_init(struct rg__process *g, const struct rg__params *p, int n_features)
{
    g->p = p;
    g->n_features = n_features < RG__FEATURES ? n_features : RG__FEATURES;
    g->n = g->n_solved = 0;
    g->squares = 0;
}

void rg__process_add(struct rg__process *g, uint32_t node, const float *at, double ln_us, double ln_draft)
{
    if (g->n == RG__SEEN_MOST) return;
    struct rg__point *p = &g->seen[g->n++];
    p->node = node;
    p->ln_us = ln_us;
    p->ln_draft = ln_draft;
    memcpy(p->at, at, sizeof p->at);
}

/* Least squares within candidates, as between them drafts may be off by anything; with a prior belief in 1. */
static double slope_of(const struct rg__process *g)
{
    double xy = g->p->draft_belief, xx = g->p->draft_belief;
    for (int i = 0; i < g->n; i++) {
        double x = 0, y = 0;
        int n = 0;
        for (int j = 0; j < g->n; j++) {
            if (g->seen[j].node != g->seen[i].node) continue;
            x += g->seen[j].ln_draft;
            y += g->seen[j].ln_us;
            n++;
        }
        xy += (g->seen[i].ln_draft - x / n) * (g->seen[i].ln_us - y / n);
        xx += (g->seen[i].ln_draft - x / n) * (g->seen[i].ln_draft - x / n);
    }
    return fmax(0, fmin(1.5, xy / xx));
}

static int only_difference(const float *a, const float *b)
{
    int at = -1;
    for (int i = 0; i < RG__FEATURES; i++) {
        if (a[i] == b[i]) continue;
        if (at >= 0 || a[i] == rg__feature_lacks || b[i] == rg__feature_lacks) return -1;
        at = i;
    }
    return at;
}

/* From pairs of one candidate that differ in one tunable alone. */
static void weigh_tunables(struct rg__process *g)
{
    enum { BELIEF = 2 }; /* pairs */
    double expected = g->p->draft_value_spread * g->p->draft_value_spread / g->p->draft_reach, sum[RG__FEATURES],
           n[RG__FEATURES];
    for (int i = 0; i < RG__FEATURES; i++) {
        sum[i] = BELIEF * expected;
        n[i] = BELIEF;
    }
    for (int i = 0; i < g->n; i++)
        for (int j = 0; j < i; j++) {
            const struct rg__point *a = &g->seen[i], *b = &g->seen[j];
            int at = a->node == b->node ? only_difference(a->at, b->at) : -1;
            if (at < 0) continue;
            double apart = residual(g, a) - residual(g, b);
            sum[at] += apart * apart / 2 / fabs((double)a->at[at] - (double)b->at[at]);
            n[at]++;
        }
    for (int i = 0; i < RG__FEATURES; i++) g->matters[i] = fmin(2, sum[i] / n[i] / expected);
}

static void believe(struct rg__process *g)
{
    double sum = 0;
    g->slope = slope_of(g);
    for (int i = 0; i < g->n; i++) sum += residual(g, &g->seen[i]) / g->n;
    g->mean = sum;
    weigh_tunables(g);
}

/* Cholesky's rows that are new, then the weights of all. */
void rg__process_fit(struct rg__process *g)
{
    if (g->n_solved == 0) believe(g);
    int n = g->n;
    for (int i = g->n_solved; i < n; i++) {
        g->z[i] = residual(g, &g->seen[i]) - g->mean;
        for (int j = 0; j <= i; j++) {
            double x = covariance(g, &g->seen[i], &g->seen[j]) + (i == j ? g->p->draft_noise * g->p->draft_noise : 0);
            for (int k = 0; k < j; k++) x -= g->lower[i][k] * g->lower[j][k];
            g->lower[i][j] = i == j ? sqrt(fmax(x, 1e-9)) : x / g->lower[j][j];
        }
        for (int k = 0; k < i; k++) g->z[i] -= g->lower[i][k] * g->z[k];
        g->z[i] /= g->lower[i][i];
        g->squares += g->z[i] * g->z[i];
    }
    g->n_solved = n;
    g->scale = sqrt((g->p->draft_trust + g->squares) / (g->p->draft_trust + n));
    for (int i = n - 1; i >= 0; i--) {
        g->weight[i] = g->z[i];
        for (int k = i + 1; k < n; k++) g->weight[i] -= g->lower[k][i] * g->weight[k];
        g->weight[i] /= g->lower[i][i];
    }
}

/* ---- what it says of others ---- */

double rg__process_mean(const struct rg__process *g, const struct rg__point *x)
{
    double m = g->mean + g->slope * x->ln_draft;
    for (int i = 0; i < g->n_solved; i++) m += g->weight[i] * covariance(g, x, &g->seen[i]);
    return m;
}

double rg__process_spread(const struct rg__process *g, const struct rg__point *x, struct rg__spread *known)
{
    if (known->n == 0) known->left = covariance(g, x, x);
    for (int i = known->n; i < g->n_solved; i++) {
        double v = covariance(g, x, &g->seen[i]);
        for (int k = 0; k < i; k++) v -= g->lower[i][k] * known->v[k];
        known->v[i] = v / g->lower[i][i];
        known->left -= known->v[i] * known->v[i];
    }
    known->n = g->n_solved;
    return g->scale * sqrt(fmax(known->left, 1e-8));
}

struct rg__profile {
    const struct rg__process *g;
    int n_tunables;
    double same;                                     /* what the points of its own node add at every vector */
    double *factor[RG_MAX_TUNABLES];                 /* [value * n + point] */
    double part[RG_MAX_TUNABLES + 1][RG__SEEN_MOST]; /* products over the tunables from that one on */
    uint8_t at[RG_MAX_TUNABLES];
    bool begun;
};

struct rg__profile *rg__profile_new(const struct rg__process *g, uint32_t node, const struct rg_tunables *t,
                                    const int *feature)
{
    struct rg__profile *f = rg_xcalloc(1, sizeof *f);
    bool own[RG__FEATURES] = {false};
    f->g = g;
    f->n_tunables = t->n;
    for (int i = 0; i < t->n; i++) {
        const struct rg_tunable *x = &t->items[i];
        f->factor[i] = rg_xmalloc((size_t)x->n_values * (size_t)(g->n_solved + 1) * sizeof *f->factor[i]);
        if (feature[i] < RG__FEATURES) own[feature[i]] = true;
        for (int k = 0; k < x->n_values; k++)
            for (int j = 0; j < g->n_solved; j++)
                f->factor[i][k * g->n_solved + j] =
                    feature[i] < RG__FEATURES
                        ? exp(-distance_by(g, feature[i], rg__feature(x->values[k]), g->seen[j].at[feature[i]]))
                        : 1;
    }
    for (int j = 0; j < g->n_solved; j++) {
        double d = 0;
        for (int i = 0; i < g->n_features; i++)
            if (!own[i]) d += distance_by(g, i, rg__feature_lacks, g->seen[j].at[i]);
        f->part[t->n][j] = g->weight[j] * alike(g, node, g->seen[j].node) * exp(-d);
        f->same += g->weight[j] * same_node(g, node, g->seen[j].node);
    }
    return f;
}

double rg__profile_mean(struct rg__profile *f, const uint8_t *at, double ln_draft)
{
    int n = f->g->n_solved, from = f->n_tunables;
    while (from > 0 && f->begun && f->at[from - 1] == at[from - 1]) from--;
    for (int i = from - 1; i >= 0; i--) {
        const double *x = f->factor[i] + (size_t)at[i] * (size_t)n, *above = f->part[i + 1];
        for (int j = 0; j < n; j++) f->part[i][j] = above[j] * x[j];
        f->at[i] = at[i];
    }
    f->begun = true;
    double m = f->g->mean + f->g->slope * ln_draft + f->same;
    for (int j = 0; j < n; j++) m += f->part[0][j];
    return m;
}

void rg__profile_free(struct rg__profile *f)
{
    for (int i = 0; f && i < f->n_tunables; i++) free(f->factor[i]);
    free(f);
}
