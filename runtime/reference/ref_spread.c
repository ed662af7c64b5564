#include "runtime/reference/ref_spread.h"
#include "runtime/data/compare.h"
#include <dlfcn.h>
#include <fenv.h>
#include <math.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512, DRAWS = 4, NUDGES = 3, SEEN = 2 /* rounded runs after which the next shows what is rare */ };
static const double budget_s = 0.3; /* of a case, for draws of one kind after the first */
/* Decisions that a rounding turns (a point between two clusters) are rare events: a few draws miss what one run in
 * three shows. Where they are to be expected, and the search goes on beside, there is time for more. */
enum { MANY_DRAWS = 24 };
static const double many_budget_s = 2.5, turned_budget_s = 1,
                    turning_budget_s = 5; /* a decision has turned; none yet */
static const double beside_work = 3e7;    /* accesses: less is filled before the search */
/* Draws that run so much longer than to nearest have lost what ends their loops: a fixed point that only exact
 * repetition finds. */
enum { LONGER = 4, LONGER_BY = 100000 };

struct spread {
    const struct rg_spread_of *o;
    double start, budget_s;
    int draws;
    bool decides; /* integers come out, and it is worth waiting for one that turns */
    bool known;   /* anything has been kept */
    int n_rounded;
};

void rg__spread_unknown(const struct rg_problem *p, const struct rg_layout *l, unsigned char *base)
{
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_slot *t = &l->slots[i];
        for (int k = 0; t->unsettled >= 0 && k < rg__n_parts(p, i); k++)
            ((double *)(void *)(base + t->unsettled))[k] = NAN;
        for (int64_t k = 0; t->moved >= 0 && k < t->reals; k++) ((double *)(void *)(base + t->moved))[k] = NAN;
    }
}

/* ---- what a run gave, beside the reference ---- */

/* The sequential run's reals from .. from+n-1 in order of elements and slots. */
static void sequential(const struct rg_spread_of *o, int param, const struct rg_parts *parts, int64_t from, int n,
                       double *out)
{
    const struct rg_slot *t = &o->layout->slots[param];
    const unsigned char *seq = o->base + t->expect;
    for (int i = 0; i < n; i++) {
        int64_t e = (from + i) / t->reals, slot = (from + i) % t->reals;
        const struct rg_field *f = parts->fields;
        for (; !rg_scalar_is_real(f->type) || slot >= f->count; f++)
            if (rg_scalar_is_real(f->type)) slot -= f->count;
        out[i] = rg__load_real(f->type, seq + e * o->problem->params[param].elem_bytes + f->offset +
                                            slot * (int64_t)rg_scalar_bytes(f->type));
    }
}

static void reference(const struct rg_spread_of *o, int param, const struct rg_parts *parts, int64_t from, int n,
                      double *out)
{
    const struct rg_slot *t = &o->layout->slots[param];
    if (t->oracle >= 0)
        memcpy(out, o->base + t->oracle + from * 8, (size_t)n * sizeof *out);
    else
        sequential(o, param, parts, from, n, out);
}

/* Reals of a run; call NULL: the sequential one. */
static void given(const struct rg_spread_of *o, int param, const struct rg_parts *parts, const struct rg_call *call,
                  int64_t from, int n, double *out)
{
    const struct rg_slot *t = &o->layout->slots[param];
    if (!call)
        sequential(o, param, parts, from, n, out);
    else if (parts->n == 1 && t->reals == 1)
        rg__call_reals(call, param, from, n, out);
    else
        for (int i = 0; i < n; i++) out[i] = rg__call_real(call, param, (from + i) / t->reals, (from + i) % t->reals);
}

static void keep_reals(const struct rg_spread_of *o, int param, const struct rg_call *call, bool first, bool nudged)
{
    const struct rg_slot *t = &o->layout->slots[param];
    float *spread = (float *)(void *)(o->base + t->spread);
    double *moved = nudged && t->moved >= 0 ? (double *)(void *)(o->base + t->moved) : NULL, ref[BLOCK], got[BLOCK];
    struct rg_parts parts;
    rg__parts(o->problem, param, &parts);
    for (int64_t at = 0, total = t->elements * t->reals; at < total; at += BLOCK) {
        int n = total - at < BLOCK ? (int)(total - at) : BLOCK;
        reference(o, param, &parts, at, n, ref);
        given(o, param, &parts, call, at, n, got);
        for (int i = 0; i < n; i++) {
            if (first) spread[at + i] = 0;
            const double d = fabs(got[i] - ref[i]);
            /* never written, or no number: then a run in the C's own types must not give one either */
            const bool other =
                isfinite(ref[i]) ? !isfinite(got[i]) : isnan(ref[i]) && !isnan(got[i]) && !(nudged && o->oracle);
            float most = fabsf(spread[at + i]);
            if (isfinite(d) && d > most) most = (float)d;
            spread[at + i] = other || signbit(spread[at + i]) ? -most : most;
            if (!isfinite(ref[i])) continue;
            double *m = moved ? &moved[(at + i) % t->reals] : NULL;
            if (m && isfinite(d) && !(d <= *m)) *m = d; /* the first: NaN. One that is no number is not compared */
        }
    }
}

static void keep_integers(const struct rg_spread_of *o, int param, const struct rg_call *call)
{
    const struct rg_slot *t = &o->layout->slots[param];
    double *unsettled = (double *)(void *)(o->base + t->unsettled);
    int64_t bytes = o->problem->params[param].elem_bytes;
    struct rg_parts parts;
    rg__parts(o->problem, param, &parts);
    for (int k = 0; k < parts.n; k++) {
        const struct rg_field *f = &parts.fields[k];
        int64_t size = (int64_t)rg_scalar_bytes(f->type), n = 0;
        if (rg_scalar_is_real(f->type)) continue;
        for (int64_t e = 0; e < t->elements; e++)
            for (int64_t v = 0; v < f->count; v++) {
                int64_t at = e * bytes + f->offset + v * size;
                n += memcmp((unsigned char *)call->a[param] + at, o->base + t->expect + at, (size_t)size) != 0;
            }
        unsettled[k] = fmax(unsettled[k], (double)n);
    }
}

/* Reals that a decision turns (where an iteration without a fixed point stops) are rare, and move far: as many as one
 * run gave where the runs before it had not. */
static void keep_jumps(const struct rg_spread_of *o, int param, const struct rg_call *call)
{
    const struct rg_slot *t = &o->layout->slots[param];
    double *unsettled = (double *)(void *)(o->base + t->unsettled);
    struct rg_compare c;
    rg__compare_case(&c, o->problem, o->sizes, o->layout, param, o->base, call->a[param]);
    rg__reals_off(&c, unsettled);
}

/* call NULL: the sequential run itself. Integers of a nudged run say nothing: ties of inputs may be broken. */
static void keep(struct spread *s, const struct rg_call *call, bool nudged)
{
    const struct rg_spread_of *o = s->o;
    for (int i = 0; i < o->problem->n_params; i++) {
        const struct rg_slot *t = &o->layout->slots[i];
        if (t->expect < 0) continue;
        if (!s->known) memset(o->base + t->unsettled, 0, (size_t)rg__n_parts(o->problem, i) * sizeof(double));
        if (t->spread >= 0 && !s->known) keep_reals(o, i, NULL, true, false);
        if (!nudged && s->n_rounded >= SEEN) keep_jumps(o, i, call);
        if (t->spread >= 0) keep_reals(o, i, call, false, nudged);
        if (!nudged) keep_integers(o, i, call);
    }
    s->known = true;
    s->n_rounded += !nudged;
}

/* ---- the runs ---- */

struct draw {
    void (*begin)(unsigned long long seed, unsigned long long most);
    unsigned long long (*end)(int *over);
    uint64_t seed, most, blocks;
    int over;
    bool inexact; /* anything was rounded */
};

static void switch_rounding(void *arg, bool on)
{
    struct draw *d = arg;
    if (on) {
        feclearexcept(FE_INEXACT);
        d->begin(d->seed, d->most);
    } else {
        d->blocks = d->end(&d->over);
        d->inexact = fetestexcept(FE_INEXACT) != 0;
    }
}

/* One run of a library; nudge > 0: on inputs moved by that draw. draw NULL: as it is. */
static enum rg_status run(struct spread *s, const struct rg_library *l, int nudge, struct draw *draw,
                          struct rg_error *err)
{
    const struct rg_spread_of *o = s->o;
    struct rg_call c = {0};
    enum rg_status st = rg__call_new(&c, o->problem, l, o->layout, true, err);
    if (st == RG_OK) {
        rg__call_load(&c, o->base, RG_POISON);
        if (nudge) rg__call_nudge(&c, (uint64_t)nudge - 1);
        if (draw) {
            c.watch = switch_rounding;
            c.watch_arg = draw;
        }
        st = rg__call_run(&c, o->where, NULL, err);
    }
    if (st == RG_OK && !(draw && draw->over)) keep(s, &c, nudge > 0);
    if (c.problem) rg__call_free(&c);
    return st;
}

static double within(const struct rg_spread_of *o, double seconds)
{
    return o->most_s > 0 ? fmin(seconds, o->most_s) : seconds;
}

static bool may_go_on(const struct spread *s, double last_s)
{
    return rg_now() - s->start + last_s <= s->budget_s;
}

/* Inputs half an ulp away, where the oracle's types hold that; else an ulp of their own for about half of them. */
static enum rg_status nudged(struct spread *s, struct rg_error *err)
{
    enum rg_status st = RG_OK;
    double last = 0;
    for (int k = 0; k < NUDGES && st == RG_OK && (!k || may_go_on(s, last)); k++) {
        double start = rg_now();
        st = run(s, s->o->oracle ? s->o->oracle : s->o->c, k + 1, NULL, err);
        last = rg_now() - start;
    }
    return st;
}

/* To nearest, as it stands. */
static enum rg_status draw_init(struct draw *d, const struct rg_library *l, struct rg_error *err)
{
    *d = (struct draw){.seed = 0};
    *(void **)&d->begin = dlsym(l->handle, "rg_rounding_begin");
    *(void **)&d->end = dlsym(l->handle, "rg_rounding_end");
    return d->begin && d->end ? RG_OK
                              : rg_error_set(err, RG_BUG, "the build that rounds at random lacks its functions");
}

enum rg_status rg__count_steps(const struct rg_spread_of *o, double *steps, double *rounds, struct rg_error *err)
{
    struct draw d;
    unsigned long long (*gone)(void);
    struct rg_call c = {0};
    if (!o->rounded->handle)
        return rg_error_set(err, RG_UNAVAILABLE, "no compiler here counts what a function runs through");
    enum rg_status st = draw_init(&d, o->rounded, err);
    if (st == RG_OK) st = rg__call_new(&c, o->problem, o->rounded, o->layout, true, err);
    if (st != RG_OK) return st;
    rg__call_load(&c, o->base, RG_POISON);
    c.watch = switch_rounding;
    c.watch_arg = &d;
    st = rg__call_run(&c, o->where, NULL, err);
    rg__call_free(&c);
    *steps = (double)d.blocks;
    *(void **)&gone = dlsym(o->rounded->handle, "rg_rounding_rounds");
    *rounds = gone && o->problem->round_at ? (double)gone() : 0;
    return st;
}

static bool has_turned(const struct rg_spread_of *o)
{
    for (int i = 0; i < o->problem->n_params; i++) {
        const struct rg_slot *t = &o->layout->slots[i];
        const double *unsettled = (const double *)(const void *)(o->base + t->unsettled);
        struct rg_parts parts;
        rg__parts(o->problem, i, &parts);
        for (int k = 0; t->expect >= 0 && k < parts.n; k++)
            if (!rg_scalar_is_real(parts.fields[k].type) && unsettled[k] > 0) return true;
    }
    return false;
}

/* Do any reals move further than is tolerated? */
static bool is_loose(const struct rg_spread_of *o)
{
    for (int i = 0; i < o->problem->n_params; i++) {
        struct rg_compare c;
        struct rg_determined d;
        if (o->layout->slots[i].expect < 0) continue;
        rg__compare_case(&c, o->problem, o->sizes, o->layout, i, o->base, NULL);
        if (rg__determined(&c, &d) && d.n_loose > 0) return true;
    }
    return false;
}

/* To nearest without contraction, then at random, unless nothing is rounded. */
static enum rg_status rounded(struct spread *s, struct rg_error *err)
{
    struct draw d;
    enum rg_status st = draw_init(&d, s->o->rounded, err);
    double last = 0;
    int least = 2;
    for (int k = 0; k <= s->draws && st == RG_OK && (k < least || may_go_on(s, last)); k++) {
        double start = rg_now();
        d.seed = (uint64_t)k;
        st = run(s, s->o->rounded, 0, &d, err);
        if (!k) d.most = LONGER * d.blocks + LONGER_BY;
        if (!k && !d.inexact) break; /* comparisons and copies: no direction makes a difference */
        last = rg_now() - start;
        if (k == 1 && is_loose(s->o)) least = SEEN + 1;
        if (s->decides) s->budget_s = within(s->o, has_turned(s->o) ? turned_budget_s : turning_budget_s);
    }
    return st;
}

/* Integers that come out of a function of reals (labels, counts, indices) are decisions. A double that decides as the C
 * did is no sign that every rounding does: it is one draw more. */
static bool decides(const struct rg_spread_of *o)
{
    bool reals = false, integers = false;
    for (int i = 0; i < o->problem->n_params; i++) {
        struct rg_parts parts;
        rg__parts(o->problem, i, &parts);
        for (int k = 0; k < parts.n; k++) {
            bool real = rg_scalar_is_real(parts.fields[k].type);
            reals = reals || real;
            integers = integers || (!real && o->layout->slots[i].expect >= 0);
        }
    }
    return reals && integers;
}

enum rg_status rg__spread_measure(struct rg_spread_of *o, struct rg_error *err)
{
    bool many = o->sizes->work > beside_work && (!o->oracle || decides(o));
    struct spread s = {.o = o,
                       .start = rg_now(),
                       .budget_s = within(o, many ? many_budget_s : budget_s),
                       .draws = many ? MANY_DRAWS : DRAWS,
                       .decides = many && decides(o)};
    enum rg_status st = RG_OK;
    /* the runs that are less likely to leave the function's domain first: an error ends the process */
    if (o->rounded->handle && rg__spread_rounds(o->sizes)) {
        st = rounded(&s, err);
        o->was_rounded = st == RG_OK;
    }
    s.start = rg_now();
    s.budget_s = fmin(s.budget_s, within(o, s.decides ? turned_budget_s : many_budget_s));
    if (st == RG_OK) st = nudged(&s, err);
    return st;
}
