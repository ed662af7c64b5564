#include "engine/tuner.h"
#include <rg/buf.h>
#include <rg/rng.h>
#include <stdlib.h>
#include <string.h>

enum { SCATTERED_LEAST = 2 /* vectors, of a candidate however slow */ };

void rg__vector_inherit(const struct rg_tunables *child, const struct rg_tunables *parent,
                        const struct rg_vector *parent_v, rg__advice *advise, void *arg, struct rg_vector *out,
                        uint32_t *inherited)
{
    uint32_t got = 0;
    rg_tunables_default(child, out);
    struct rg_vector v = *out, advised;
    for (int i = 0; parent && parent_v && parent_v->n == parent->n && i < child->n; i++) {
        int j = rg_tunables_find(parent, child->items[i].name);
        if (j < 0 || !rg_tunable_has(&child->items[i], parent_v->values[j])) continue;
        v.values[i] = parent_v->values[j];
        got |= 1u << i;
    }
    advised = v;
    for (int i = 0; advise && i < child->n; i++) {
        int64_t value;
        if (!(got >> i & 1) && advise(arg, child->items[i].name, &value) && rg_tunable_has(&child->items[i], value))
            advised.values[i] = value;
    }
    if (rg_tunables_allow(child, &advised))
        *out = advised;
    else if (rg_tunables_allow(child, &v))
        *out = v;
    if (inherited) *inherited = got;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int find_known(const struct rg__tuner *t, const struct rg_vector *v)
{
    for (int i = 0; i < t->n_known; i++)
        if (rg_vector_equal(&t->known[i], v)) return i;
    return -1;
}

static void add_known(struct rg__tuner *t, const struct rg_vector *v)
{
    if (t->n_known < RG__TUNER_KNOWN && find_known(t, v) < 0) t->known[t->n_known++] = *v;
}

void rg__tuner_init(struct rg__tuner *t, const struct rg_tunables *tunables, const struct rg_vector *start,
                    uint32_t inherited, double parent_us, double reference_us)
{
    memset(t, 0, sizeof *t);
    t->p = &rg__params_default;
    t->t = tunables;
    t->start = *start;
    t->parent_us = parent_us;
    t->reference_us = reference_us;
    int n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < tunables->n; i++) {
            bool old = inherited >> i & 1;
            if (old == (pass == 1)) t->rank[n++] = i;
            if (!old && pass == 0 && tunables->items[i].n_values > 1) t->n_new++;
        }
    for (int i = 0; i < tunables->n; i++) {
        const struct rg_tunable *x = &tunables->items[i];
        t->order[i] = rg_xmalloc((size_t)x->n_values * sizeof(int));
        for (int k = 0; k < x->n_values; k++) { /* insertion sort: domains are short */
            int j = k;
            while (j > 0 && x->values[t->order[i][j - 1]] > x->values[k]) {
                t->order[i][j] = t->order[i][j - 1];
                j--;
            }
            t->order[i][j] = k;
        }
        if ((inherited >> i & 1) && x->n_values > 1) t->n_old++;
    }
    t->allowance = 1 + 2 * t->n_new;
    t->cap = (int)t->p->tuner_cap;
    if (t->allowance > t->cap) t->allowance = t->cap;
}

void rg__tuner_lean(struct rg__tuner *t)
{
    t->lean = true;
    t->allowance = 1;
}

void rg__tuner_release(struct rg__tuner *t)
{
    if (!t->t) return;
    for (int i = 0; i < t->t->n; i++) free(t->order[i]);
    memset(t, 0, sizeof *t);
}

static void take_best(struct rg__tuner *t, const struct rg_vector *v, double time_us)
{
    if (t->best_us == 0 || time_us < t->best_us) {
        t->best = *v;
        t->best_us = time_us;
    }
}

void rg__tuner_know(struct rg__tuner *t, const struct rg_vector *v, bool ok, double time_us)
{
    if (v->n != t->t->n) return;
    add_known(t, v);
    if (ok) take_best(t, v, time_us);
    if (rg_vector_equal(v, &t->start)) t->started = true;
    if (t->lean && t->started && t->best_us > 0) t->given_up = true;
}

static int position(const struct rg__tuner *t, int i, int64_t value)
{
    for (int k = 0; k < t->t->items[i].n_values; k++)
        if (t->t->items[i].values[t->order[i][k]] == value) return k;
    return -1;
}

/* v moved by `by` places along coordinate i; false at the end of the domain. */
static bool move(const struct rg__tuner *t, const struct rg_vector *v, int i, int by, struct rg_vector *out)
{
    int k = position(t, i, v->values[i]);
    if (k < 0 || k + by < 0 || k + by >= t->t->items[i].n_values) return false;
    *out = *v;
    out->values[i] = t->t->items[i].values[t->order[i][k + by]];
    return true;
}

static bool fresh(const struct rg__tuner *t, const struct rg_vector *v)
{
    return rg_tunables_allow(t->t, v) && find_known(t, v) < 0;
}

static bool batch_add(struct rg__tuner *t, const struct rg_vector *v, int limit)
{
    if (t->n_batch >= limit || t->n_known >= RG__TUNER_KNOWN || !fresh(t, v)) return false;
    add_known(t, v);
    t->batch[t->n_batch] = *v;
    t->better[t->n_batch] = false;
    t->n_batch++;
    return true;
}

/* The start failed: the defaults, then the smallest and the largest allowed vector, once each. Which of them may
 * work is unknown (too much shared memory wants smaller, a bound on blocks larger). */
static bool recovery(struct rg__tuner *t)
{
    while (t->n_recovery < (int)t->p->recovery) {
        int which = t->n_recovery++;
        struct rg_vector v;
        rg_tunables_default(t->t, &v);
        if (which > 0)
            for (int i = 0; i < t->t->n; i++) {
                int k = which == 1 ? 0 : t->t->items[i].n_values - 1;
                v.values[i] = t->t->items[i].values[t->order[i][k]];
            }
        if (batch_add(t, &v, 1)) return true;
    }
    return false;
}

struct step { /* of one coordinate, one place up or down */
    int i, by;
    double gain;
};

/* Single steps from the best: by what such steps gained elsewhere, then as the coordinates are ranked, up before down.
 */
static int steps_from_best(const struct rg__tuner *t, struct step *out)
{
    int n = 0;
    for (int r = 0; r < t->t->n; r++)
        for (int by = 1; by >= -1; by -= 2) {
            struct rg_vector v;
            struct step x = {t->rank[r], by, 0};
            if (!move(t, &t->best, x.i, by, &v)) continue;
            if (t->expect) x.gain = t->expect(t->expect_arg, t->t->items[x.i].name, t->best.values[x.i], v.values[x.i]);
            int at = n++;
            for (; at > 0 && out[at - 1].gain < x.gain; at--) out[at] = out[at - 1];
            out[at] = x;
        }
    return n;
}

/* Moves from the best: on in the direction that paid, then single steps; where a constraint forbids a step, it is
 * paired with the opposite step of another coordinate (TX up, TY down). */
static void neighbours(struct rg__tuner *t, int limit)
{
    struct step steps[2 * RG_MAX_TUNABLES];
    struct rg_vector v, w;
    for (int i = 0; i < t->n_combine; i++) batch_add(t, &t->combine[i], limit);
    t->n_combine = 0;
    int n = steps_from_best(t, steps);
    for (int k = 0; k < n && t->n_batch < limit; k++) {
        int i = steps[k].i, by = steps[k].by;
        move(t, &t->best, i, by, &v);
        if (rg_tunables_allow(t->t, &v)) {
            batch_add(t, &v, limit);
            continue;
        }
        for (int j = 0; j < t->t->n; j++)
            if (j != i && move(t, &v, j, -by, &w) && rg_tunables_allow(t->t, &w)) {
                batch_add(t, &w, limit);
                break;
            }
    }
}

/* At a local optimum: other values of one tunable, then two moves at once. */
static void far_neighbours(struct rg__tuner *t, int limit)
{
    struct rg_vector v, w;
    for (int by = 2; by < 64 && t->n_batch < limit; by++)
        for (int r = 0; r < t->t->n; r++) {
            if (move(t, &t->best, t->rank[r], by, &v)) batch_add(t, &v, limit);
            if (move(t, &t->best, t->rank[r], -by, &v)) batch_add(t, &v, limit);
        }
    for (int r = 0; r < t->t->n; r++)
        for (int q = r + 1; q < t->t->n && t->n_batch < limit; q++)
            for (int signs = 0; signs < 4; signs++)
                if (move(t, &t->best, t->rank[r], signs & 1 ? -1 : 1, &v) &&
                    move(t, &v, t->rank[q], signs & 2 ? -1 : 1, &w))
                    batch_add(t, &w, limit);
}

/* Any allowed vector, the same one in every run. */
static void scattered(struct rg__tuner *t, int limit)
{
    enum { DRAWS = 64 };
    struct rg_rng rng;
    rg_rng_seed(&rng, (uint64_t)t->n_known);
    for (int k = 0; k < DRAWS; k++) {
        struct rg_vector v = t->best;
        for (int i = 0; i < t->t->n; i++)
            v.values[i] = t->t->items[i].values[rg_rng_below(&rng, (uint64_t)t->t->items[i].n_values)];
        if (batch_add(t, &v, limit)) return;
    }
}

static void fill(struct rg__tuner *t)
{
    if (t->n_fed < t->n_batch || t->given_up) return;
    int left = t->allowance - t->spent;
    if (left <= 0 && t->spent > 0) return;
    t->n_batch = t->n_fed = t->n_given = 0;
    t->base = t->best;
    t->base_us = t->best_us;
    if (!t->started) {
        t->started = true;
        if (batch_add(t, &t->start, 1)) return;
    }
    if (t->best_us == 0) {
        if (!recovery(t)) t->given_up = true;
        return;
    }
    int most = left < RG__TUNER_AHEAD ? left : RG__TUNER_AHEAD, limit = most - (t->scatter && most > 1);
    if (t->propose) {
        struct rg_vector v[RG__TUNER_AHEAD];
        int n = t->propose(t->propose_arg, t, v, limit);
        for (int i = 0; i < n; i++) batch_add(t, &v[i], limit);
        t->n_combine = 0; /* moves are not what it goes by */
    } else {
        neighbours(t, limit);
        if (t->n_batch == 0 && t->wide) far_neighbours(t, limit);
    }
    if (t->scatter && (t->n_batch > 0 || t->spent < SCATTERED_LEAST)) scattered(t, most);
    if (t->n_batch == 0) t->given_up = true; /* a local optimum */
}

bool rg__tuner_next(struct rg__tuner *t, struct rg_vector *out)
{
    fill(t);
    if (t->n_given >= t->n_batch) return false;
    *out = t->batch[t->n_given++];
    return true;
}

/* After a batch: what improved earns evaluations and shapes the next moves. */
static void close_batch(struct rg__tuner *t)
{
    if (t->lean && t->base_us == 0) {
        if (t->best_us == 0 && t->n_recovery < (int)t->p->recovery) t->allowance++;
        return;
    }
    if (t->base_us == 0) { /* the first that works: what it says of the template sets the allowance */
        bool known = t->best_us > 0 && t->parent_us > 0;
        bool far = t->best_us > 0 && ((known && t->best_us > t->p->slow_factor * t->parent_us) ||
                                      (t->reference_us > 0 && t->best_us > t->p->slow_factor * t->reference_us));
        /* Slow: steps that only pay after a further step still get measured, but do not eat the budget. */
        if (far) t->allowance = least(t->allowance, 1 + (t->scatter ? SCATTERED_LEAST - 1 : t->n_new));
        /* What the parent was tuned for is worth a second look where the step pays, or nearly. */
        else if (t->best_us > 0 && !(known && t->best_us > t->p->near_factor * t->parent_us))
            t->allowance += least(t->n_old, (int)t->p->inherited_most);
        t->allowance = least(t->allowance, t->cap);
        return;
    }
    if (t->best_us >= t->base_us * (1 - t->p->move_gain)) return;
    /* Climbing on pays at a candidate that may become the best, or where the climb is steep. */
    bool contender = t->reference_us <= 0 || t->best_us <= t->p->near_factor * t->reference_us;
    if (contender || t->best_us < t->p->steep * t->base_us)
        t->allowance = least(t->allowance + (int)t->p->earned, t->cap);
    struct rg_vector all = t->base, on = t->best;
    int moved = 0;
    for (int b = 0; b < t->n_batch; b++) {
        if (!t->better[b]) continue;
        moved++;
        for (int i = 0; i < t->t->n; i++)
            if (t->batch[b].values[i] != t->base.values[i] && all.values[i] == t->base.values[i])
                all.values[i] = t->batch[b].values[i];
    }
    if (moved > 1) t->combine[t->n_combine++] = all;
    bool further = true;
    for (int i = 0; i < t->t->n; i++) {
        int from = position(t, i, t->base.values[i]), to = position(t, i, t->best.values[i]);
        if (from != to && !move(t, &on, i, to > from ? 1 : -1, &on)) further = false;
    }
    if (further) t->combine[t->n_combine++] = on;
}

void rg__tuner_feed(struct rg__tuner *t, const struct rg_vector *v, bool ok, double time_us, bool free_of_cost)
{
    if (!free_of_cost) t->spent++;
    if (t->n_fed < t->n_batch) {
        if (ok && t->base_us > 0 && time_us < t->base_us * (1 - t->p->move_gain)) t->better[t->n_fed] = true;
        t->n_fed++;
    }
    if (ok) take_best(t, v, time_us);
    /* a sweep of values that nobody has moved yet teaches as much at a better place */
    if (t->lean && t->spent == 1 && ok && t->reference_us > 0 && time_us > t->p->hopeless_factor * t->reference_us)
        t->given_up = true;
    if (t->n_fed == t->n_batch) close_batch(t);
}

bool rg__tuner_done(struct rg__tuner *t)
{
    if (t->n_fed < t->n_batch) return false;
    fill(t);
    return t->n_fed >= t->n_batch;
}

int rg__tuner_foresee(const struct rg__tuner *t, struct rg_vector *out, int max)
{
    struct rg__tuner next = *t; /* borrows `order` */
    double us = t->best_us > 0 ? t->best_us : t->parent_us > 0 ? t->parent_us : 1;
    while (next.n_fed < next.n_batch) rg__tuner_feed(&next, &next.batch[next.n_fed], true, us, false);
    int n = 0;
    while (n < max && rg__tuner_next(&next, &out[n])) n++;
    return n;
}
