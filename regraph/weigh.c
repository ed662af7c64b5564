/* The derived weight of an edge: docs/graph.md gives the formulas and says why. */
#include "regraph/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct rg_weighing rg_weighing_default = {
#define X(name, value, least, most, what) .name = value,
    RG_WEIGHING_MAP(X)
#undef X
};

static const struct rg_weighing *given(const struct rg_weighing *by)
{
    return by ? by : &rg_weighing_default;
}

static bool simulated(const char *device)
{
    return strncmp(device, "sim:", 4) == 0;
}

static bool other(const char *asked, const char *row)
{
    return asked && *asked && (!row || strcmp(asked, row) != 0);
}

double rg_evidence_relevance(const struct rg_evidence *e, const struct rg_circumstances *at,
                             const struct rg_weighing *by)
{
    by = given(by);
    double f = 1;
    if (other(at->device, e->device))
        f *= simulated(e->device) == simulated(at->device) ? by->other_arch : by->other_kind;
    if (other(at->klass, e->klass)) f *= by->other_class;
    if (other(at->program, e->program)) f *= by->other_program;
    if (other(at->coder, e->coder)) f *= by->other_coder;
    return f;
}

struct sums { /* weighted */
    double n, ok, sum, sumsq, runs, lead;
};

static void add(struct sums *s, const struct rg_evidence *e, double f)
{
    s->n += f * (double)e->n;
    s->ok += f * (double)e->ok;
    s->sum += f * (double)e->sum * 1e-6;
    s->sumsq += f * (double)e->sumsq * 1e-6;
    int runs;
    rg__row_runs(e, &runs);
    s->runs += f * runs;
    s->lead += f * (double)e->lead;
}

static struct sums gather(const struct rg_edge *e, const struct rg_circumstances *at, const struct rg_weighing *by)
{
    struct sums same = {0}, foreign = {0};
    bool few[64], *counted = e->n_evidence <= 64 ? few : rg_xcalloc((size_t)e->n_evidence, sizeof *counted);
    rg__rows_counted(e->evidence, e->n_evidence, counted);
    for (int i = 0; i < e->n_evidence; i++) {
        if (!counted[i] || e->evidence[i].n == 0) continue; /* 0: refused alone */
        double f = rg_evidence_relevance(&e->evidence[i], at, by);
        add(f == 1 ? &same : &foreign, &e->evidence[i], f);
    }
    if (counted != few) free(counted);
    double scale = foreign.n > by->most_foreign ? by->most_foreign / foreign.n : 1;
    same.n += scale * foreign.n;
    same.ok += scale * foreign.ok;
    same.sum += scale * foreign.sum;
    same.sumsq += scale * foreign.sumsq;
    same.runs += scale * foreign.runs;
    same.lead += scale * foreign.lead;
    return same;
}

/* The formula, here alone: fills in what follows from the rest. */
static void add_up(const struct rg_weighing *by, struct rg_weight *w)
{
    double expected = w->p_ok * w->gain, unknown = by->beta * w->sigma / sqrt(w->n + by->beta_shrink);
    w->learnt = expected / by->temperature - w->prior;
    w->bonus = unknown / by->temperature;
    w->way = by->lead_bonus * w->lead / (w->runs + by->lead_shrink);
    w->score = (expected + unknown) / by->temperature + w->way;
}

double rg_weight_score(const struct rg_weight *w, const struct rg_weighing *by, double n, double ok, double sum)
{
    double all = w->n + n, worked = w->n * w->p_ok + ok;
    struct rg_weight more = *w;
    more.n = all;
    more.p_ok = all > 0 ? worked / all : w->p_ok;
    more.gain = worked > 0 ? (w->n * w->p_ok * w->gain + sum) / worked : w->gain;
    add_up(given(by), &more);
    return more.score;
}

void rg_regraph_weigh(const struct rg_regraph *g, int edge, const struct rg_circumstances *at,
                      const struct rg_weighing *by, struct rg_weight *out)
{
    by = given(by);
    memset(out, 0, sizeof *out);
    const struct rg_edge *e = rg_regraph_edge(g, edge);
    if (!e) return;
    struct sums s = gather(e, at, by);
    double c = e->confidence, m0 = e->prior * by->unit_gain;
    out->n = c + s.n;
    out->p_ok = out->n > 0 ? (c * e->prior + s.ok) / out->n : e->prior;

    double kappa = c + s.ok, mean = s.ok > 0 ? s.sum / s.ok : 0;
    out->gain = kappa > 0 ? (c * m0 + s.sum) / kappa : m0;
    double within = fmax(0, s.sumsq - s.ok * mean * mean);
    double between = kappa > 0 ? c * s.ok * (mean - m0) * (mean - m0) / kappa : 0;
    double shape = by->prior_shape + s.ok / 2;
    double scale = by->prior_sigma * by->prior_sigma * (by->prior_shape - 1) + (within + between) / 2;
    out->sigma = sqrt(scale / (shape - 1));
    out->runs = s.runs;
    out->lead = s.lead;
    out->prior = e->prior * m0 / by->temperature;
    add_up(by, out);
}

bool rg_regraph_tuned(const struct rg_regraph *g, int step, const struct rg_circumstances *at,
                      const struct rg_weighing *by, const char *name, int64_t *value)
{
    struct vote {
        int64_t value;
        double weight;
    } *votes = NULL;
    int n = 0, cap = 0;
    for (int i = 0; i < rg_regraph_edges(g); i++) {
        const struct rg_edge *e = rg_regraph_edge(g, i);
        for (int r = 0; e->to == step && r < e->n_evidence; r++) {
            const struct rg_evidence *row = &e->evidence[r];
            for (int k = 0; k < row->n_tuned && !other(at->program, row->program); k++) {
                if (strcmp(row->tuned[k].name, name) != 0) continue;
                int v = 0;
                while (v < n && votes[v].value != row->tuned[k].value) v++;
                if (v == n) {
                    RG_GROW(votes, n, cap);
                    votes[n++] = (struct vote){row->tuned[k].value, 0};
                }
                votes[v].weight += rg_evidence_relevance(row, at, by) * (double)row->tuned[k].count;
            }
        }
    }
    int best = 0;
    for (int i = 1; i < n; i++)
        if (votes[i].weight > votes[best].weight ||
            (votes[i].weight == votes[best].weight && votes[i].value < votes[best].value))
            best = i;
    bool enough = n > 0 && votes[best].weight >= given(by)->least_votes;
    if (enough) *value = votes[best].value;
    free(votes);
    return enough;
}
