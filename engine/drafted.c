/* Ranking by draft costs: a Gaussian process over ln(time / draft cost), of all vectors that this run measured, says
 * how far a draft is off at a vector nobody measured. Vectors of one node are off together; values near one another are
 * off alike, also at other nodes, and jointly: no value is good or bad by itself. What it promises beyond the best
 * known (expected improvement) orders what the tuner tries. Rasmussen and Williams, Gaussian Processes for Machine
 * Learning, ch. 2; Jones et al. 1998. */
#include "engine/engine.h"
#include <math.h>
#include <rg/buf.h>
#include <stdlib.h>
#include <string.h>

enum {
    PRODUCT_MOST = 1500, /* vectors of a template that are drafted */
    SEEN_MOST = 96,      /* measured vectors that are looked at */
    LOOKED_AT = 48       /* most promising by their mean, for which the spread is computed, too */
};

static const double far_away = 7; /* reaches */
static const float lacks = -1;    /* in place of a value's logarithm */

/* ---- features ---- */

static void features(struct rg__search *s, const struct rg_tunables *t, const struct rg_vector *v,
                     float out[RG__FEATURES])
{
    for (int i = 0; i < RG__FEATURES; i++) out[i] = lacks;
    for (int i = 0; i < t->n; i++) {
        int at = rg__search_name(s, t->items[i].name);
        if (at < RG__FEATURES) out[at] = (float)log2((double)(v->values[i] > 0 ? v->values[i] : 1));
    }
}

struct point {
    uint32_t node;
    float at[RG__FEATURES];
    double ln_us, ln_draft;
};

/* ---- the process ---- */

struct process {
    const struct rg__params *p;
    double matters[RG__FEATURES]; /* by tunable: how much a doubling changes what drafts are off by, 1 as expected */
    int n;
    struct point seen[SEEN_MOST];
    double lower[SEEN_MOST][SEEN_MOST], weight[SEEN_MOST];
    double mean;  /* of residuals: a device may be faster or slower throughout */
    double slope; /* how far times follow draft costs: 1 where these are right, 0 where they say nothing */
    double scale; /* of all spreads, as the residuals show it: where drafts are good, little is left to hope for */
};

static double likeness(const struct process *g, const float *a, const float *b)
{
    double d = 0;
    for (int i = 0; i < RG__FEATURES; i++) {
        if (a[i] == b[i]) continue; /* in neither, mostly */
        d += g->matters[i] * (a[i] == lacks || b[i] == lacks ? g->p->draft_apart : fabs((double)a[i] - (double)b[i]));
    }
    return d < far_away * g->p->draft_reach ? exp(-d / g->p->draft_reach) : 0;
}

static double covariance(const struct process *g, const struct point *a, const struct point *b)
{
    double alike = g->p->draft_value_spread * g->p->draft_value_spread * likeness(g, a->at, b->at);
    return a->node == b->node ? g->p->draft_node_spread * g->p->draft_node_spread + alike : g->p->draft_shared * alike;
}

static double residual(const struct process *g, const struct point *p)
{
    return p->ln_us - g->slope * p->ln_draft;
}

static void solve(struct process *g)
{
    int n = g->n;
    double z[SEEN_MOST], squares = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double x = covariance(g, &g->seen[i], &g->seen[j]) + (i == j ? g->p->draft_noise * g->p->draft_noise : 0);
            for (int k = 0; k < j; k++) x -= g->lower[i][k] * g->lower[j][k];
            g->lower[i][j] = i == j ? sqrt(fmax(x, 1e-9)) : x / g->lower[j][j];
        }
    for (int i = 0; i < n; i++) {
        z[i] = residual(g, &g->seen[i]) - g->mean;
        for (int k = 0; k < i; k++) z[i] -= g->lower[i][k] * z[k];
        z[i] /= g->lower[i][i];
        squares += z[i] * z[i];
    }
    g->scale = sqrt((g->p->draft_trust + squares) / (g->p->draft_trust + n));
    for (int i = n - 1; i >= 0; i--) {
        g->weight[i] = z[i];
        for (int k = i + 1; k < n; k++) g->weight[i] -= g->lower[k][i] * g->weight[k];
        g->weight[i] /= g->lower[i][i];
    }
}

/* Expected ln us. */
static double mean_at(const struct process *g, const struct point *x)
{
    double m = g->mean + g->slope * x->ln_draft;
    for (int i = 0; i < g->n; i++) m += g->weight[i] * covariance(g, x, &g->seen[i]);
    return m;
}

static double spread_at(const struct process *g, const struct point *x)
{
    double v[SEEN_MOST], left = covariance(g, x, x);
    for (int i = 0; i < g->n; i++) {
        v[i] = covariance(g, x, &g->seen[i]);
        for (int k = 0; k < i; k++) v[i] -= g->lower[i][k] * v[k];
        v[i] /= g->lower[i][i];
        left -= v[i] * v[i];
    }
    return g->scale * sqrt(fmax(left, 1e-8));
}

static void add_seen(struct process *g, uint32_t node, const float *at, double ln_us, double ln_draft)
{
    if (g->n == SEEN_MOST) return;
    struct point *p = &g->seen[g->n++];
    p->node = node;
    p->ln_us = ln_us;
    p->ln_draft = ln_draft;
    memcpy(p->at, at, sizeof p->at);
}

/* Least squares within candidates, as between them drafts may be off by anything; with a prior belief in 1. */
static double slope_of(const struct process *g)
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
        if (at >= 0 || a[i] == lacks || b[i] == lacks) return -1;
        at = i;
    }
    return at;
}

/* From pairs of one candidate that differ in one tunable alone. */
static void weigh_tunables(struct process *g)
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
            const struct point *a = &g->seen[i], *b = &g->seen[j];
            int at = a->node == b->node ? only_difference(a->at, b->at) : -1;
            if (at < 0) continue;
            double apart = residual(g, a) - residual(g, b);
            sum[at] += apart * apart / 2 / fabs((double)a->at[at] - (double)b->at[at]);
            n[at]++;
        }
    for (int i = 0; i < RG__FEATURES; i++) g->matters[i] = fmin(2, sum[i] / n[i] / expected);
}

/* What the action may know: of its own node first, then the latest of all others. */
static void gather(struct rg__search *s, const struct rg__action *a, struct process *g)
{
    double sum = 0;
    g->n = 0;
    g->p = &s->p;
    for (int k = 0; k < a->n_consumed; k++) {
        const struct rg__shot *x = &a->shots[k];
        double us = x->e && !x->refused ? rg__expected(s, x->e) : 0;
        float at[RG__FEATURES];
        if (us <= 0 || x->draft_us <= 0) continue;
        features(s, &a->tmpl->tunables, &x->v, at);
        add_seen(g, a->target, at, log(us), log(x->draft_us));
    }
    for (int others = 0; others < 2; others++)
        for (int i = s->n_observed - 1; i >= 0; i--) {
            const struct rg__observed *o = &s->observed[i];
            if (o->stamp <= a->stamp && (o->node != a->target) == others)
                add_seen(g, o->node, o->at, o->ln_us, o->ln_draft);
        }
    g->slope = slope_of(g);
    for (int i = 0; i < g->n; i++) sum += residual(g, &g->seen[i]) / g->n;
    g->mean = sum;
    weigh_tunables(g);
    solve(g);
}

/* ---- draft costs of a template ---- */

static void vector_at(const struct rg_tunables *t, const uint8_t *at, struct rg_vector *v)
{
    v->n = t->n;
    for (int i = 0; i < t->n; i++) v->values[i] = t->items[i].values[at[i]];
}

static bool indices_of(const struct rg_tunables *t, const struct rg_vector *v, uint8_t *at)
{
    memset(at, 0, RG_MAX_TUNABLES);
    for (int i = 0; i < t->n; i++) {
        int k = 0;
        while (k < t->items[i].n_values && t->items[i].values[k] != v->values[i]) k++;
        if (k == t->items[i].n_values || k > UINT8_MAX) return false;
        at[i] = (uint8_t)k;
    }
    return true;
}

struct list {
    int n, cap;
    uint8_t (*at)[RG_MAX_TUNABLES];
    float *ln_us;
};

static bool listed(const struct list *l, const uint8_t *at)
{
    for (int i = 0; i < l->n; i++)
        if (!memcmp(l->at[i], at, RG_MAX_TUNABLES)) return true;
    return false;
}

static void list_add(struct list *l, const struct rg_tunables *t, const uint8_t *at)
{
    struct rg_vector v;
    vector_at(t, at, &v);
    if (!rg_tunables_allow(t, &v)) return;
    RG_GROW(l->at, l->n, l->cap);
    memcpy(l->at[l->n++], at, RG_MAX_TUNABLES);
}

/* Costs of those from `from` on; what has none leaves. */
static void price(struct list *l, const struct rg_template *t, int from)
{
    int n = l->n - from, kept = from;
    struct rg_vector *v = rg_xmalloc((size_t)(n + 1) * sizeof *v);
    double *us = rg_xmalloc((size_t)(n + 1) * sizeof *us);
    for (int i = 0; i < n; i++) vector_at(&t->tunables, l->at[from + i], &v[i]);
    rg_template_draft(t, v, n, us);
    l->ln_us = rg_xrealloc(l->ln_us, (size_t)(l->cap + 1) * sizeof *l->ln_us);
    for (int i = 0; i < n; i++) {
        if (us[i] <= 0) continue;
        memmove(l->at[kept], l->at[from + i], RG_MAX_TUNABLES);
        l->ln_us[kept++] = (float)log(us[i]);
    }
    l->n = kept;
    free(v);
    free(us);
}

static void product(struct list *l, const struct rg_tunables *t)
{
    uint8_t at[RG_MAX_TUNABLES] = {0};
    for (;;) {
        list_add(l, t, at);
        int i = 0;
        while (i < t->n && ++at[i] == t->items[i].n_values) at[i++] = 0;
        if (i == t->n) return;
    }
}

/* All values of one tunable, then steps of two at once. */
static void neighbours_of(struct list *l, const struct rg_tunables *t, const uint8_t *from)
{
    uint8_t at[RG_MAX_TUNABLES];
    for (int i = 0; i < t->n; i++)
        for (int k = 0; k < t->items[i].n_values; k++) {
            memcpy(at, from, sizeof at);
            at[i] = (uint8_t)k;
            if (!listed(l, at)) list_add(l, t, at);
            for (int j = 0; j < i; j++)
                for (int by = -1; by <= 1; by += 2) {
                    int to = from[j] + by;
                    if (to < 0 || to >= t->items[j].n_values) continue;
                    at[j] = (uint8_t)to;
                    if (!listed(l, at)) list_add(l, t, at);
                    at[j] = from[j];
                }
        }
}

static int cheapest_new(const struct list *l, const bool *done)
{
    int best = -1;
    for (int i = 0; i < l->n; i++)
        if (!done[i] && (best < 0 || l->ln_us[i] < l->ln_us[best])) best = i;
    return best;
}

/* Too many: from the defaults always on from the cheapest. */
static void explore(struct list *l, const struct rg_template *t)
{
    struct rg_vector v;
    uint8_t at[RG_MAX_TUNABLES];
    bool *done = rg_xcalloc(4 * PRODUCT_MOST, sizeof *done);
    rg_tunables_default(&t->tunables, &v);
    if (indices_of(&t->tunables, &v, at)) list_add(l, &t->tunables, at);
    price(l, t, 0);
    for (int next = l->n ? 0 : -1; next >= 0 && l->n < PRODUCT_MOST; next = cheapest_new(l, done)) {
        int from = l->n;
        uint8_t here[RG_MAX_TUNABLES];
        memcpy(here, l->at[next], sizeof here);
        done[next] = true;
        neighbours_of(l, &t->tunables, here);
        if (l->n > 4 * PRODUCT_MOST - 1) l->n = 4 * PRODUCT_MOST - 1;
        price(l, t, from);
    }
    free(done);
}

static const struct rg__drafted *drafted(struct rg__search *s, const struct rg_template *t)
{
    uint64_t hash = rg__plan_hash(t->key);
    for (int i = 0; i < s->n_drafted; i++)
        if (s->drafted[i].key_hash == hash && !strcmp(s->drafted[i].key, t->key)) return &s->drafted[i];
    struct list l = {0};
    double size = 1;
    bool small = true;
    for (int i = 0; i < t->tunables.n; i++) {
        size *= t->tunables.items[i].n_values;
        small = small && t->tunables.items[i].n_values <= UINT8_MAX;
    }
    if (!t->ops->draft || !small || t->tunables.n == 0) {
    } else if (size <= PRODUCT_MOST) {
        product(&l, &t->tunables);
        price(&l, t, 0);
    } else
        explore(&l, t);
    RG_GROW(s->drafted, s->n_drafted, s->cap_drafted);
    struct rg__drafted *d = &s->drafted[s->n_drafted++];
    *d = (struct rg__drafted){hash, rg_arena_strdup(&s->arena, t->key), l.n, l.at, l.ln_us};
    return d;
}

const struct rg__drafted *rg__drafted_list(struct rg__search *s, const struct rg_template *t)
{
    const struct rg__drafted *d = drafted(s, t);
    return d->n > 0 ? d : NULL;
}

bool rg__drafted_known(struct rg__search *s, const struct rg_template *t)
{
    return drafted(s, t)->n > 0;
}

/* ---- ranking ---- */

struct candidate {
    uint8_t at[RG_MAX_TUNABLES];
    struct point p;
    double mean, gain; /* ln us; expected improvement */
};

static bool known_to(const struct rg__tuner *t, const struct rg_vector *v)
{
    for (int i = 0; i < t->n_known; i++)
        if (rg_vector_equal(&t->known[i], v)) return true;
    return false;
}

static double improvement(double best, double mean, double spread)
{
    double z = (best - mean) / spread;
    return (best - mean) * 0.5 * erfc(-z / sqrt(2)) + spread * exp(-z * z / 2) / sqrt(2 * M_PI);
}

/* The LOOKED_AT lowest by mean less a spread's worth of doubt are kept in order. */
static void keep_lowest(struct candidate *list, int *n, const struct candidate *c)
{
    int at = *n < LOOKED_AT ? (*n)++ : LOOKED_AT;
    for (; at > 0 && list[at - 1].mean > c->mean; at--)
        if (at < LOOKED_AT) list[at] = list[at - 1];
    if (at < LOOKED_AT) list[at] = *c;
}

static int rank(struct rg__search *s, const struct rg__action *a, const struct process *g,
                const struct rg__tuner *tuner, struct candidate *top)
{
    const struct rg_tunables *t = &a->tmpl->tunables;
    const struct rg__drafted *d = drafted(s, a->tmpl);
    struct list near = {0};
    uint8_t best[RG_MAX_TUNABLES];
    int n = 0;
    if (tuner && tuner->best_us > 0 && indices_of(t, &tuner->best, best)) {
        neighbours_of(&near, t, best);
        price(&near, a->tmpl, 0);
    }
    for (int i = 0; i < d->n + near.n; i++) {
        struct rg_vector v;
        struct candidate c;
        memcpy(c.at, i < d->n ? d->at[i] : near.at[i - d->n], sizeof c.at);
        if (i >= d->n && listed(&(struct list){d->n, d->n, d->at, d->ln_us}, c.at)) continue;
        vector_at(t, c.at, &v);
        if (tuner && known_to(tuner, &v)) continue;
        c.p.node = a->target;
        features(s, t, &v, c.p.at);
        c.p.ln_draft = (double)(i < d->n ? d->ln_us[i] : near.ln_us[i - d->n]);
        c.mean = mean_at(g, &c.p);
        keep_lowest(top, &n, &c);
    }
    free(near.at);
    free(near.ln_us);
    return n;
}

void rg__drafted_start(struct rg__search *s, const struct rg__action *a, struct rg_vector *start)
{
    double us;
    rg_template_draft(a->tmpl, start, 1, &us);
    if (us <= 0 || !rg__drafted_known(s, a->tmpl)) return;
    struct process *g = rg_xmalloc(sizeof *g);
    struct candidate *top = rg_xmalloc(LOOKED_AT * sizeof *top);
    gather(s, a, g);
    int n = rank(s, a, g, NULL, top);
    struct point here = {.node = a->target, .ln_draft = log(us)};
    features(s, &a->tmpl->tunables, start, here.at);
    if (n && top[0].mean + s->p.draft_start < mean_at(g, &here)) vector_at(&a->tmpl->tunables, top[0].at, start);
    free(g);
    free(top);
}

int rg__drafted_propose(const void *arg, const struct rg__tuner *tuner, struct rg_vector *out, int max)
{
    const struct rg__action *a = arg;
    struct rg__search *s = (struct rg__search *)a->search;
    struct process *g = rg_xmalloc(sizeof *g);
    struct candidate *top = rg_xmalloc(LOOKED_AT * sizeof *top);
    int given = 0;
    gather(s, a, g);
    int n = rank(s, a, g, tuner, top);
    /* Far from the best of the run it is no use to be a little better. */
    double reach = a->reference_us > 0 && !tuner->wide ? s->p.draft_goal * a->reference_us : INFINITY;
    double best = log(fmin(tuner->best_us, reach)), least = tuner->wide ? s->p.draft_gain_best : s->p.draft_gain;
    /* Several at once: each as if those before it had come out as expected, so that they are not all alike. */
    while (given < max) {
        int first = -1;
        for (int i = 0; i < n; i++) {
            top[i].gain = improvement(best, top[i].mean, spread_at(g, &top[i].p));
            if (first < 0 || top[i].gain > top[first].gain) first = i;
        }
        if (first < 0 || top[first].gain < least) break;
        vector_at(&a->tmpl->tunables, top[first].at, &out[given++]);
        add_seen(g, top[first].p.node, top[first].p.at, top[first].mean, top[first].p.ln_draft);
        top[first] = top[--n];
        if (given < max) solve(g);
    }
    free(g);
    free(top);
    return given;
}

void rg__drafted_release(struct rg__search *s)
{
    for (int i = 0; i < s->n_drafted; i++) {
        free(s->drafted[i].at);
        free(s->drafted[i].ln_us);
    }
    free(s->drafted);
}

void rg__drafted_note(struct rg__search *s, const struct rg__action *a, uint32_t node)
{
    for (int k = 0; k < a->n_counted; k++) {
        const struct rg__shot *x = &a->shots[k];
        double us = x->e && !x->refused && !x->reused ? rg__expected(s, x->e) : 0;
        if (us <= 0 || x->draft_us <= 0) continue;
        RG_GROW(s->observed, s->n_observed, s->cap_observed);
        struct rg__observed *o = &s->observed[s->n_observed++];
        *o = (struct rg__observed){.stamp = s->commits, .node = node, .ln_us = log(us), .ln_draft = log(x->draft_us)};
        features(s, &a->tmpl->tunables, &x->v, o->at);
    }
}
