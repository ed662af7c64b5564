/* The places of a program: each a fresh module, with graphs of it where that pays. Launch for launch the same code
 * costs a tenth more in some places of the device's memory than in others, for as long as it stays there; a program
 * that is timed in one place only is timed with that place's luck. */
#include "runtime/measure/timer.h"
#include <math.h>
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>

enum {
    GRAPH_MAX = 20000,
};
static const double places_cap_s = 1.2; /* to make them, of one program */
static const double alike = 0.01;       /* of the time: places that differ by less are one */

static void leave(struct rg_runner *r, struct rg_place *p)
{
    struct rg_device *d = &r->device;
    for (int i = 0; i < p->n_graphs; i++)
        if (p->graphs[i]) d->graph_free(d->self, p->graphs[i]);
    if (p->module) d->unload(d->self, p->module);
    *p = (struct rg_place){0};
}

void rg__timer_leave(struct rg_runner *r, struct rg_timer *t, int keep)
{
    while (t->n_places > keep) leave(r, &t->places[--t->n_places]);
}

/* A graph holds the scalars of its set. */
bool rg__timer_same_scalars(const struct rg_timer *t)
{
    const struct rg_resident *a = t->sets[0];
    for (int k = 1; k < t->n_sets; k++)
        for (int i = 0; i < a->layout.n; i++) {
            const struct rg_slot *s = &a->layout.slots[i];
            if (a->buffers[i] || s->input < 0) continue;
            if (memcmp((char *)a->data.data + s->input, (char *)t->sets[k]->data.data + s->input, (size_t)s->bytes) !=
                0)
                return false;
        }
    return true;
}

/* Launch-heavy straight plans become graphs; where capture is refused they are launched one by one. */
static enum rg_status make_graphs(struct rg_runner *r, struct rg_timer *t, struct rg_place *p, struct rg_error *err)
{
    struct rg_device *d = &r->device;
    if (!d->capture_begin || t->l->plan->reads_data || t->x.launches < RG_TIMER_GRAPH || t->x.launches > GRAPH_MAX)
        return RG_OK;
    int n = rg__timer_same_scalars(t) ? 1 : t->n_sets;
    for (int i = 0; i < n; i++) {
        struct rg_error e = RG_ERROR_INIT;
        void *graph = NULL;
        if (d->capture_begin(d->self, &e) != RG_OK) break;
        t->x.c = t->sets[i];
        enum rg_status s = rg__exec_run(&t->x, &e), ended = d->capture_end(d->self, &graph, &e);
        if (graph) p->graphs[p->n_graphs++] = graph;
        if (s != RG_OK || ended != RG_OK || !graph) break;
        s = d->graph_upload(d->self, graph, err); /* not behind a held stream */
        if (s == RG_OK) s = d->sync(d->self, &t->x.fault, err);
        if (s != RG_OK || t->x.fault.outcome != RG_OUTCOME_OK) return s;
    }
    if (p->n_graphs == n) return RG_OK;
    while (p->n_graphs) d->graph_free(d->self, p->graphs[--p->n_graphs]);
    return d->sync(d->self, &t->x.fault, err);
}

/* The old place, if any, is left when the new one is taken: else the new one would be the old one. Where there is no
 * memory for both it stays. */
static enum rg_status take(struct rg_runner *r, struct rg_timer *t, struct rg_place *p, struct rg_error *err)
{
    struct rg_place new = {0};
    struct rg_module *was = t->l->module;
    enum rg_status s = r->device.load(r->device.self, &t->l->blob, &new.module, &t->x.fault, err);
    if (s == RG_OK &&
        t->x.fault.outcome == RG_OUTCOME_UNSUPPORTED) { /* it was loaded before: its arrays have no room for one more */
        t->x.fault = (struct rg_fault){RG_OUTCOME_OK, ""};
        return RG_OK;
    }
    if (s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK) {
        t->l->module = new.module;
        s = make_graphs(r, t, &new, err);
        t->l->module = was;
    }
    leave(r, p);
    *p = new;
    return s;
}

static bool fine(const struct rg_timer *t, enum rg_status s)
{
    return s == RG_OK && t->x.fault.outcome == RG_OUTCOME_OK;
}

enum rg_status rg__timer_places(struct rg_runner *r, struct rg_timer *t, int most, struct rg_error *err)
{
    double start = rg_now(), longest = 0, from = start;
    enum rg_status s = RG_OK;
    bool first = t->n_places == 0;
    while (fine(t, s) && t->n_places < most && t->n_places < RG_TIMER_PLACES &&
           from - start + longest <= places_cap_s) {
        s = take(r, t, &t->places[t->n_places], err);
        if (!t->places[t->n_places].module) break;
        t->n_places++;
        longest = fmax(longest, rg_now() - from);
        from = rg_now();
    }
    if (first && t->n_places && t->places[0].n_graphs) t->operations += 1 - (int)fmin((double)t->x.launches, 1e6);
    return s;
}

enum rg_status rg__timer_renew(struct rg_runner *r, struct rg_timer *t, int place, struct rg_error *err)
{
    return take(r, t, &t->places[place], err);
}

/* --- what the samples say --- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double rg__timer_median(const double *v, int n, double *half)
{
    double s[RG_TIMER_SAMPLES], d[RG_TIMER_SAMPLES];
    memcpy(s, v, (size_t)n * sizeof *s);
    qsort(s, (size_t)n, sizeof *s, by_value);
    double m = n % 2 ? s[n / 2] : 0.5 * (s[n / 2 - 1] + s[n / 2]);
    for (int i = 0; i < n; i++) d[i] = fabs(s[i] - m);
    qsort(d, (size_t)n, sizeof *d, by_value);
    double mad = n % 2 ? d[n / 2] : 0.5 * (d[n / 2 - 1] + d[n / 2]);
    if (half) *half = 1.96 * 1.2533 * 1.4826 * mad / sqrt(n);
    return m;
}

double rg__timer_time(const struct rg_timer *t, double *half, double *spread)
{
    double own[RG_TIMER_PLACES][RG_TIMER_SAMPLES], m[RG_TIMER_PLACES], h[RG_TIMER_PLACES], all[RG_TIMER_SAMPLES],
        slowest = 0;
    int n[RG_TIMER_PLACES] = {0}, best = -1, n_all = 0;
    for (int i = 0; i < t->n; i++) own[t->at[i]][n[t->at[i]]++] = t->us[i];
    for (int p = 0; p < RG_TIMER_PLACES; p++) {
        if (!n[p]) continue;
        m[p] = rg__timer_median(own[p], n[p], &h[p]);
        if (best < 0 || m[p] < m[best]) best = p;
        slowest = fmax(slowest, m[p]);
    }
    for (int p = 0; p < RG_TIMER_PLACES; p++)
        if (n[p] && m[p] - m[best] <= fmax(alike * m[best], h[p] + h[best])) {
            memcpy(all + n_all, own[p], (size_t)n[p] * sizeof *all);
            n_all += n[p];
        }
    double time = rg__timer_median(all, n_all, half);
    if (half && n_all == 1 && t->n > 1) *half = alike * time; /* one sample says nothing of its noise */
    if (spread) *spread = slowest > (1 + alike) * m[best] && n_all < t->n ? slowest / m[best] - 1 : 0;
    return time;
}
