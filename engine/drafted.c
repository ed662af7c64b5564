/* Ranking by draft costs, corrected by a process over what they are off by (process.h): what a vector promises beyond
 * the best known (expected improvement; Jones et al. 1998) orders what the tuner tries. */
#include "engine/engine.h"
#include "engine/process.h"
#include <math.h>
#include <rg/buf.h>
#include <stdlib.h>
#include <string.h>

enum {
    PRODUCT_MOST = 1500, /* vectors of a template that are drafted */
    LOOKED_AT = 48       /* most promising by their mean, for which the spread is computed, too */
};

/* ---- features ---- */

static void names_of(struct rg__search *s, const struct rg_tunables *t, int feature[RG_MAX_TUNABLES])
{
    for (int i = 0; i < t->n; i++) feature[i] = rg__search_name(s, t->items[i].name);
}

static void features(const struct rg_tunables *t, const int *feature, const struct rg_vector *v,
                     float out[RG__FEATURES])
{
    for (int i = 0; i < RG__FEATURES; i++) out[i] = rg__feature_lacks;
    for (int i = 0; i < t->n; i++)
        if (feature[i] < RG__FEATURES) out[feature[i]] = rg__feature(v->values[i]);
}

/* What the action may know: of its own node first, then the latest of all others. */
static void gather(struct rg__search *s, const struct rg__action *a, const int *feature, struct rg__process *g)
{
    rg__process_init(g, &s->p, s->n_move_names);
    for (int k = 0; k < a->n_consumed; k++) {
        const struct rg__shot *x = &a->shots[k];
        double us = x->e && !x->refused ? rg__expected(s, x->e) : 0;
        float at[RG__FEATURES];
        if (us <= 0 || x->draft_us <= 0) continue;
        features(&a->tmpl->tunables, feature, &x->v, at);
        rg__process_add(g, a->target, at, log(us), log(x->draft_us));
    }
    for (int others = 0; others < 2; others++)
        for (int i = s->n_observed - 1; i >= 0; i--) {
            const struct rg__observed *o = &s->observed[i];
            if (o->stamp <= a->stamp && (o->node != a->target) == others)
                rg__process_add(g, o->node, o->at, o->ln_us, o->ln_draft);
        }
    rg__process_fit(g);
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
    int n_slots; /* a power of two */
    int *slots;  /* open addressing: index + 1; 0 free */
};

static int *slot_of(const struct list *l, const uint8_t *at)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    for (int i = 0; i < RG_MAX_TUNABLES; i++) h = (h ^ at[i]) * 1099511628211u;
    int k = (int)((h ^ h >> 32) & (uint64_t)(l->n_slots - 1));
    while (l->slots[k] && memcmp(l->at[l->slots[k] - 1], at, RG_MAX_TUNABLES) != 0) k = (k + 1) & (l->n_slots - 1);
    return &l->slots[k];
}

static bool listed(const struct list *l, const uint8_t *at)
{
    return l->n_slots && *slot_of(l, at);
}

static void index_from(struct list *l, int from)
{
    for (int i = from; i < l->n; i++) *slot_of(l, l->at[i]) = i + 1;
}

/* After entries left: the rest has other places. */
static void index_anew(struct list *l)
{
    if (l->n_slots) memset(l->slots, 0, (size_t)l->n_slots * sizeof *l->slots);
    index_from(l, 0);
}

static void list_add(struct list *l, const struct rg_tunables *t, const uint8_t *at)
{
    struct rg_vector v;
    vector_at(t, at, &v);
    if (!rg_tunables_allow(t, &v)) return;
    RG_GROW(l->at, l->n, l->cap);
    memcpy(l->at[l->n++], at, RG_MAX_TUNABLES);
    if (2 * l->n > l->n_slots) {
        free(l->slots);
        l->n_slots = l->n_slots ? 2 * l->n_slots : 64;
        l->slots = rg_xcalloc((size_t)l->n_slots, sizeof *l->slots);
        index_from(l, 0);
    } else
        index_from(l, l->n - 1);
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
    if (kept < from + n) index_anew(l);
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
static void explore(struct list *l, const struct rg_template *t, int most)
{
    struct rg_vector v;
    uint8_t at[RG_MAX_TUNABLES];
    bool *done = rg_xcalloc(4 * PRODUCT_MOST, sizeof *done);
    rg_tunables_default(&t->tunables, &v);
    if (indices_of(&t->tunables, &v, at)) list_add(l, &t->tunables, at);
    price(l, t, 0);
    for (int next = l->n ? 0 : -1; next >= 0 && l->n < most; next = cheapest_new(l, done)) {
        int from = l->n;
        uint8_t here[RG_MAX_TUNABLES];
        memcpy(here, l->at[next], sizeof here);
        done[next] = true;
        neighbours_of(l, &t->tunables, here);
        if (l->n > 4 * PRODUCT_MOST - 1) {
            l->n = 4 * PRODUCT_MOST - 1;
            index_anew(l);
        }
        price(l, t, from);
    }
    free(done);
}

/* most: vectors that a product may have to be drafted as a whole, and those that are looked at of a larger one. What a
 * candidate is made ahead by and what its values are ranked by are two lists: one may be asked for at any time. */
static const struct rg__drafted *drafted(struct rg__search *s, const struct rg_template *t, int most)
{
    uint64_t hash = rg__plan_hash(t->key);
    for (int i = 0; i < s->n_drafted; i++) {
        const struct rg__drafted *d = &s->drafted[i];
        if (d->key_hash == hash && (d->whole || d->most == most) && !strcmp(d->key, t->key)) return d;
    }
    struct list l = {0};
    double size = 1;
    bool small = true;
    for (int i = 0; i < t->tunables.n; i++) {
        size *= t->tunables.items[i].n_values;
        small = small && t->tunables.items[i].n_values <= UINT8_MAX;
    }
    bool whole = size <= most;
    if (!t->ops->draft || !small || t->tunables.n == 0) {
    } else if (whole) {
        product(&l, &t->tunables);
        price(&l, t, 0);
    } else
        explore(&l, t, most);
    RG_GROW(s->drafted, s->n_drafted, s->cap_drafted);
    struct rg__drafted *d = &s->drafted[s->n_drafted++];
    *d = (struct rg__drafted){hash,   rg_arena_strdup(&s->arena, t->key), whole, most, l.n, 0, l.at, l.ln_us, l.n_slots,
                              l.slots};
    for (int i = 1; i < l.n; i++)
        if (l.ln_us[i] < l.ln_us[d->cheapest]) d->cheapest = i;
    return d;
}

const struct rg__drafted *rg__drafted_list(struct rg__search *s, const struct rg_template *t)
{
    const struct rg__drafted *d = drafted(s, t, PRODUCT_MOST);
    return d->n > 0 ? d : NULL;
}

const struct rg__drafted *rg__drafted_glance(struct rg__search *s, const struct rg_template *t)
{
    const struct rg__drafted *d = drafted(s, t, fmin(s->p.ahead_vectors, PRODUCT_MOST));
    return d->n > 0 ? d : NULL;
}

bool rg__drafted_known(struct rg__search *s, const struct rg_template *t)
{
    return drafted(s, t, PRODUCT_MOST)->n > 0;
}

/* ---- ranking ---- */

struct candidate {
    uint8_t at[RG_MAX_TUNABLES];
    struct rg__point p;
    double mean, gain; /* ln us; expected improvement */
    struct rg__spread spread;
};

static bool known_to(const struct rg__tuner *t, const struct rg_vector *v)
{
    for (int i = 0; i < t->n_known; i++)
        if (rg_vector_equal(&t->known[i], v)) return true;
    return false;
}

double rg__improvement(double best, double mean, double spread)
{
    double z = (best - mean) / spread;
    return (best - mean) * 0.5 * erfc(-z / sqrt(2)) + spread * exp(-z * z / 2) / sqrt(2 * M_PI);
}

struct rg__process *rg__drafted_process(struct rg__search *s)
{
    const struct rg__action all = {.target = RG__NONE, .stamp = s->commits};
    struct rg__process *g = rg_xmalloc(sizeof *g);
    gather(s, &all, NULL, g);
    return g;
}

void rg__drafted_features(struct rg__search *s, const struct rg_template *t, const uint8_t *at, float out[RG__FEATURES])
{
    int feature[RG_MAX_TUNABLES];
    struct rg_vector v;
    names_of(s, &t->tunables, feature);
    vector_at(&t->tunables, at, &v);
    features(&t->tunables, feature, &v, out);
}

struct ranking {
    struct rg__search *s;
    const struct rg__action *a;
    const struct rg__tuner *tuner; /* NULL: none yet */
    int feature[RG_MAX_TUNABLES];
    struct rg__process process;
    int n;
    struct {
        uint8_t at[RG_MAX_TUNABLES];
        double mean, ln_draft;
    } low[LOOKED_AT + 1]; /* of the lowest mean, in order */
    struct candidate top[LOOKED_AT];
};

static void look_at(struct ranking *r, struct rg__profile *f, const uint8_t *at, double ln_draft)
{
    struct rg_vector v;
    double mean = rg__profile_mean(f, at, ln_draft);
    if (r->n == LOOKED_AT && mean >= r->low[LOOKED_AT - 1].mean) return;
    vector_at(&r->a->tmpl->tunables, at, &v);
    if (r->tuner && known_to(r->tuner, &v)) return;
    int i = r->n;
    for (; i > 0 && r->low[i - 1].mean > mean; i--) r->low[i] = r->low[i - 1];
    memcpy(r->low[i].at, at, sizeof r->low[i].at);
    r->low[i].mean = mean;
    r->low[i].ln_draft = ln_draft;
    if (r->n < LOOKED_AT) r->n++;
}

/* What the cheapest of a large product left out around the best known. */
static void look_around(struct ranking *r, struct rg__profile *f, const struct rg__drafted *d)
{
    const struct rg_tunables *t = &r->a->tmpl->tunables;
    struct list near = {0}, known = {.n = d->n, .at = d->at, .n_slots = d->n_slots, .slots = d->slots};
    uint8_t best[RG_MAX_TUNABLES];
    if (d->whole || !r->tuner || r->tuner->best_us <= 0 || !indices_of(t, &r->tuner->best, best)) return;
    neighbours_of(&near, t, best);
    price(&near, r->a->tmpl, 0);
    for (int i = 0; i < near.n; i++)
        if (!listed(&known, near.at[i])) look_at(r, f, near.at[i], (double)near.ln_us[i]);
    free(near.at);
    free(near.ln_us);
    free(near.slots);
}

static struct ranking *rank(struct rg__search *s, const struct rg__action *a, const struct rg__tuner *tuner)
{
    const struct rg_tunables *t = &a->tmpl->tunables;
    const struct rg__drafted *d = drafted(s, a->tmpl, PRODUCT_MOST);
    struct ranking *r = rg_xmalloc(sizeof *r);
    r->s = s;
    r->a = a;
    r->tuner = tuner;
    r->n = 0;
    names_of(s, t, r->feature);
    gather(s, a, r->feature, &r->process);
    struct rg__profile *f = rg__profile_new(&r->process, a->target, t, r->feature);
    for (int i = 0; i < d->n; i++) look_at(r, f, d->at[i], (double)d->ln_us[i]);
    look_around(r, f, d);
    rg__profile_free(f);
    for (int i = 0; i < r->n; i++) {
        struct candidate *c = &r->top[i];
        struct rg_vector v;
        memcpy(c->at, r->low[i].at, sizeof c->at);
        vector_at(t, c->at, &v);
        c->mean = r->low[i].mean;
        c->p = (struct rg__point){.node = a->target, .ln_draft = r->low[i].ln_draft};
        features(t, r->feature, &v, c->p.at);
        c->spread.n = 0;
    }
    return r;
}

void rg__drafted_start(struct rg__search *s, const struct rg__action *a, struct rg_vector *start)
{
    double us;
    rg_template_draft(a->tmpl, start, 1, &us);
    if (us <= 0 || !rg__drafted_known(s, a->tmpl)) return;
    struct ranking *r = rank(s, a, NULL);
    struct rg__point here = {.node = a->target, .ln_draft = log(us)};
    features(&a->tmpl->tunables, r->feature, start, here.at);
    if (r->n && r->top[0].mean + s->p.draft_start < rg__process_mean(&r->process, &here))
        vector_at(&a->tmpl->tunables, r->top[0].at, start);
    free(r);
}

int rg__drafted_propose(const void *arg, const struct rg__tuner *tuner, struct rg_vector *out, int max)
{
    const struct rg__action *a = arg;
    struct rg__search *s = (struct rg__search *)a->search;
    struct ranking *r = rank(s, a, tuner);
    int given = 0;
    /* Far from the best of the run it is no use to be a little better. */
    double reach = a->reference_us > 0 && !tuner->wide ? s->p.draft_goal * a->reference_us : INFINITY;
    double best = log(fmin(tuner->best_us, reach)), least = tuner->wide ? s->p.draft_gain_best : s->p.draft_gain;
    /* Several at once: each as if those before it had come out as expected, so that they are not all alike. */
    while (given < max) {
        struct candidate *first = NULL;
        for (struct candidate *c = r->top; c < r->top + r->n; c++) {
            c->gain = rg__improvement(best, c->mean, rg__process_spread(&r->process, &c->p, &c->spread));
            if (!first || c->gain > first->gain) first = c;
        }
        if (!first || first->gain < least) break;
        vector_at(&a->tmpl->tunables, first->at, &out[given++]);
        rg__process_add(&r->process, first->p.node, first->p.at, first->mean, first->p.ln_draft);
        *first = r->top[--r->n];
        if (given < max) rg__process_fit(&r->process);
    }
    free(r);
    return given;
}

void rg__drafted_release(struct rg__search *s)
{
    for (int i = 0; i < s->n_drafted; i++) {
        free(s->drafted[i].at);
        free(s->drafted[i].ln_us);
        free(s->drafted[i].slots);
    }
    free(s->drafted);
}

void rg__drafted_note(struct rg__search *s, const struct rg__action *a, uint32_t node)
{
    int feature[RG_MAX_TUNABLES];
    if (a->n_counted) names_of(s, &a->tmpl->tunables, feature);
    for (int k = 0; k < a->n_counted; k++) {
        const struct rg__shot *x = &a->shots[k];
        double us = x->e && !x->refused && !x->reused ? rg__expected(s, x->e) : 0;
        if (us <= 0 || x->draft_us <= 0) continue;
        RG_GROW(s->observed, s->n_observed, s->cap_observed);
        struct rg__observed *o = &s->observed[s->n_observed++];
        *o = (struct rg__observed){.stamp = s->commits, .node = node, .ln_us = log(us), .ln_draft = log(x->draft_us)};
        features(&a->tmpl->tunables, feature, &x->v, o->at);
    }
}
