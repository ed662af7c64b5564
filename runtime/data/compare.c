#include "runtime/data/compare.h"
#include "runtime/data/layout.h"
#include <math.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double rg__accumulated(const struct rg_problem *p, const struct rg_sizes *s)
{
    if (!p->accumulates || !(s->work > 0)) return 1;
    double outputs = 0;
    for (int i = 0; i < p->n_params; i++) {
        int64_t n;
        if (p->params[i].kind == RG_PARAM_ARRAY && p->params[i].role != RG_ROLE_IN &&
            rg_problem_elements(p, i, s, &n, NULL) == RG_OK)
            outputs += (double)n;
    }
    double n = outputs > 0 ? s->work / outputs : 1;
    return n > 1 ? n : 1;
}

/* One part (field) of the array. */
struct part {
    const struct rg_compare *c;
    const struct rg_field *f, *fields; /* one of these */
    int64_t elem_bytes, slot, slots;   /* this part's first real slot of `slots` */
    struct rg_seen *seen;
};

enum { BLOCK = 512 };

/* Scalars from .. from+n-1 of the part, in order of elements, as doubles. */
static void load(const struct part *p, const void *base, int64_t from, int n, double *out)
{
    int64_t size = (int64_t)rg_scalar_bytes(p->f->type);
    const unsigned char *b = (const unsigned char *)base + p->f->offset;
    if (p->f->count == 1 && p->elem_bytes == size && p->f->type == RG_F32) {
        const float *v = (const float *)(const void *)b + from;
        for (int i = 0; i < n; i++) out[i] = v[i];
    } else if (p->f->count == 1 && p->elem_bytes == size && p->f->type == RG_F64) {
        memcpy(out, (const double *)(const void *)b + from, (size_t)n * sizeof *out);
    } else {
        for (int i = 0; i < n; i++) {
            int64_t k = from + i;
            out[i] = rg__load_real(p->f->type, b + k / p->f->count * p->elem_bytes + k % p->f->count * size);
        }
    }
}

static void load_reference(const struct part *p, int64_t from, int n, double *out)
{
    if (!p->c->oracle) {
        load(p, p->c->expect, from, n, out);
        return;
    }
    if (p->f->count == 1 && p->slots == 1) {
        memcpy(out, p->c->oracle + from, (size_t)n * sizeof *out);
        return;
    }
    for (int i = 0; i < n; i++) {
        int64_t k = from + i;
        out[i] = p->c->oracle[k / p->f->count * p->slots + p->slot + k % p->f->count];
    }
}

/* How long each dimension is, where that is known. */
static void look_at_shape(const struct rg_compare *c, struct rg_difference *out)
{
    const struct rg_param *q = &c->problem->params[c->param];
    struct rg_problem_env env;
    if (!c->sizes || q->n_dims > RG_COMPARE_DIMS) return;
    rg_problem_env_init(&env, c->problem, c->sizes);
    for (int d = 0; d < q->n_dims; d++)
        if (rg_expr_eval(q->dims[d], &env.env, &out->extent[d], NULL) != RG_OK || out->extent[d] < 1) return;
    out->n_dims = q->n_dims;
}

/* The box around what is wrong. */
static void widen(struct rg_difference *out, int64_t i)
{
    for (int d = out->n_dims - 1; d >= 0; d--) {
        int64_t at = d ? i % out->extent[d] : i;
        if (d) i /= out->extent[d];
        if (!out->n_bad || at < out->low[d]) out->low[d] = at;
        if (!out->n_bad || at > out->high[d]) out->high[d] = at;
        if (!out->n_bad) out->first[d] = at;
    }
}

static void note_bad(struct rg_difference *out, const struct part *p, int64_t i, int64_t k)
{
    widen(out, i);
    if (out->n_bad++) return;
    out->first_bad = i;
    char index[24] = "";
    if (p->f->count > 1) snprintf(index, sizeof index, "[%lld]", (long long)k);
    snprintf(out->first_part, sizeof out->first_part, "%s%.30s%s", p->f->path[0] ? "." : "", p->f->path, index);
}

static bool measured(const struct part *p)
{
    return p->c->spread && p->c->unsettled && !isnan(p->c->unsettled[p->f - p->fields]);
}

static float raw_spread(const struct part *p, int64_t k)
{
    return p->c->spread[k / p->f->count * p->slots + p->slot + k % p->f->count];
}

static double spread_of(const struct part *p, int64_t k)
{
    return fabs((double)raw_spread(p, k));
}

/* Is it a number in some of the C's runs alone? */
static bool is_open(const struct part *p, int64_t k)
{
    return signbit(raw_spread(p, k));
}

/* The median by binary exponents: good to a factor of 2, on the low side. */
static void look_at_spread(const struct part *p, struct rg_seen *seen)
{
    enum { LOWEST = -1100, EXPONENTS = 2200 };
    int64_t total = p->c->elements * p->f->count, n = 0, below = 0, *count;
    if (!p->c->may_move && !measured(p)) return;
    seen->spread = seen->median = 0;
    if (p->c->may_move) return;
    count = rg_xcalloc(EXPONENTS, sizeof *count);
    for (int64_t k = 0; k < total; k++) {
        double d = spread_of(p, k);
        int e = LOWEST;
        if (!isfinite(d) || is_open(p, k)) continue;
        seen->spread = fmax(seen->spread, d);
        if (d > 0) frexp(d, &e);
        count[e - LOWEST]++;
        n++;
    }
    for (int e = 0; e < EXPONENTS && 2 * below < n; e++) {
        below += count[e];
        if (2 * below >= n && e) seen->median = ldexp(0.5, e + LOWEST);
    }
    free(count);
}

/* How far off real k, of that size, may be by the C's own measure. One that keeps not a digit by that is chaotic: what
 * a few runs showed of it says little of the next, which may be off by orders of magnitude, but not further than they
 * showed of any. */
static double uncertain(const struct part *p, const struct rg_seen *seen, int64_t k, double size)
{
    static const double digit = 0.1, orders = 1e3;
    int64_t total = p->c->elements * p->f->count, step = p->f->count;
    double most = seen->median;
    if (seen->spread < 0 || p->c->may_move) return 0;
    if (isinf(spread_of(p, k))) return INFINITY;
    for (int64_t i = k - RG_NEAR * step; i <= k + RG_NEAR * step; i += step)
        if (i >= 0 && i < total && isfinite(spread_of(p, i)) && (i == k || !is_open(p, i)))
            most = fmax(most, spread_of(p, i));
    const double any = is_open(p, k) ? orders * most : 8 * seen->spread; /* the numbers of open ones are kept apart */
    return 8 * most > digit * size ? fmax(8 * most, fmin(orders * most, any)) : 8 * most;
}

/* rms of the reference, and the worst of the sequential run against the oracle. */
static struct rg_seen look_at_reference(const struct part *p)
{
    if (p->seen && p->seen->known) return *p->seen;
    int64_t total = p->c->elements * p->f->count, finite = 0;
    double ref[BLOCK], seq[BLOCK], sum2 = 0, worst = 0;
    for (int64_t at = 0; at < total; at += BLOCK) {
        int n = total - at < BLOCK ? (int)(total - at) : BLOCK;
        load_reference(p, at, n, ref);
        if (p->c->oracle) load(p, p->c->expect, at, n, seq);
        for (int i = 0; i < n; i++) {
            if (!isfinite(ref[i])) continue;
            sum2 += ref[i] * ref[i];
            finite++;
            if (p->c->oracle && fabs(seq[i] - ref[i]) > worst) worst = fabs(seq[i] - ref[i]); /* false for NaN */
        }
    }
    /* an infinite sequential result where the oracle is finite must not excuse everything */
    struct rg_seen seen = {true, finite ? sqrt(sum2 / (double)finite) : 0, isfinite(worst) ? worst : 0, -1, -1};
    look_at_spread(p, &seen);
    if (p->seen) *p->seen = seen;
    return seen;
}

/* What is allowed besides rtol |ref|. The default atol suits values of about 1: where all are far smaller it would let
 * zeros pass, so it is at most a hundredth of their rms. */
static double slack(const struct part *p, double rms)
{
    double atol = rg_problem_atol(p->c->problem, p->f->type);
    if (p->c->problem->atol < 0 && rms > 0 && atol > 0.01 * rms) atol = 0.01 * rms;
    return atol + 4 * rg_scalar_epsilon(p->f->type) * rms * sqrt(p->c->n_accum);
}

/* Does real k there hold what outputs hold before a launch? */
static bool unwritten(const struct part *p, const void *base, int64_t k)
{
    size_t size = rg_scalar_bytes(p->f->type);
    const unsigned char *at =
        (const unsigned char *)base + k / p->f->count * p->elem_bytes + p->f->offset + k % p->f->count * (int64_t)size;
    for (size_t i = 0; i < size; i++)
        if (at[i] != RG_POISON) return false;
    return true;
}

/* NaN for NaN. No operation of a device gives the NaN that outputs hold before a launch: it is no result where the C
 * wrote another. */
static bool special(const struct part *p, double r, double g, int64_t k)
{
    if (isnan(r) || isnan(g))
        return isnan(r) && isnan(g) && (!unwritten(p, p->c->got, k) || unwritten(p, p->c->expect, k));
    if (r == g) return true;
    double seq = 0; /* the oracle's range is wider: what overflowed sequentially may overflow here */
    if (p->c->oracle) load(p, p->c->expect, k, 1, &seq);
    return p->c->oracle && seq == g;
}

/* What is asked besides the tolerance: |d| <= fixed + ulps |ref|; infinite: nothing. */
struct cap {
    double fixed, ulps;
};

static double moved_at_most(const struct part *p)
{
    double most = p->c->moved ? 0 : NAN;
    for (int64_t k = 0; p->c->moved && !p->c->may_move && k < p->f->count; k++)
        if (!(p->c->moved[p->slot + k] <= most)) most = p->c->moved[p->slot + k]; /* NaN stays */
    return most;
}

static struct cap cap_of(const struct part *p, struct rg_seen seen, double moved)
{
    double ulp = 2 * rg_scalar_epsilon(p->f->type);
    bool tf32 = (p->c->problem->allow & RG_ALLOW_TF32) && p->f->type == RG_F32;
    if (!p->c->oracle || !rg_problem_capped(p->c->problem) || tf32 || isnan(moved)) return (struct cap){INFINITY, 0};
    double fixed = fmax(8 * fmax(fmax(seen.sequential, moved), seen.spread), 16 * ulp * seen.rms);
    return (struct cap){fixed + 2 * ulp * seen.rms * sqrt(p->c->n_accum), 16 * ulp};
}

/* How far off products of operands of 11 bits may be. */
static struct cap tf32_of(const struct part *p, struct rg_seen seen, double moved)
{
    static const double eps = 0x1p-11;
    if (p->f->type != RG_F32) return (struct cap){0, 0};
    return (struct cap){fmax(8 * eps * seen.rms, isnan(moved) ? 0 : 8 * moved * (eps / rg_scalar_epsilon(RG_F32))),
                        8 * eps};
}

static struct rg_bounds bounds_of(const struct part *p, struct rg_seen seen)
{
    struct rg_bounds b = {.slack = slack(p, seen.rms), .rtol = rg_problem_rtol(p->c->problem, p->f->type)};
    struct cap cap = cap_of(p, seen, moved_at_most(p));
    b.base = seen.spread < 0 ? fmax(b.slack, 8 * seen.sequential) : b.slack;
    b.fixed = cap.fixed;
    b.ulps = cap.ulps;
    return b;
}

bool rg__compare_bounds(const struct rg_compare *c, struct rg_bounds *out)
{
    struct rg_parts parts;
    rg__parts(c->problem, c->param, &parts);
    const struct rg_field *f = &parts.fields[0];
    int64_t bytes = c->problem->params[c->param].elem_bytes;
    if (parts.n != 1 || f->count != 1 || (f->type != RG_F32 && f->type != RG_F64)) return false;
    if (bytes != (int64_t)rg_scalar_bytes(f->type)) return false;
    struct part p = {c, f, parts.fields, bytes, 0, 1, c->seen};
    *out = bounds_of(&p, look_at_reference(&p));
    return true;
}

/* The C does not say itself whether real k is a number: both are right, but not one that is further off than its own.
 * What nobody wrote is none, too: where rounding decides whether the C turns back, it leaves elements unwritten. */
static bool may_be_any(const struct part *p, double ref, double got, int64_t k, double own, bool within)
{
    if (isinf(spread_of(p, k))) return true; /* beyond what a float holds */
    if (!is_open(p, k)) return false;
    return !isfinite(ref) || !isfinite(got) || within || fabs(got - ref) <= own;
}

static void compare_reals(const struct part *p, struct rg_difference *out, double *sum_d2)
{
    double ref[BLOCK], got[BLOCK], worst = 0, sum = 0;
    unsigned takes = RG_ALLOW_TF32 | RG_ALLOW_FAST_MATH;
    struct rg_seen seen = look_at_reference(p);
    double seq = seen.sequential;
    out->rms = fmax(out->rms, seen.rms);
    out->sequential_error = fmax(out->sequential_error, seq);
    struct rg_bounds b = bounds_of(p, seen);
    double rtol = b.rtol, base = b.base, plain = b.slack;
    struct cap cap = {b.fixed, b.ulps}, tf32 = tf32_of(p, seen, moved_at_most(p));
    bool wide = p->c->problem->allow & RG_ALLOW_TF32;
    int64_t total = p->c->elements * p->f->count;
    for (int64_t at = 0; at < total; at += BLOCK) {
        int n = total - at < BLOCK ? (int)(total - at) : BLOCK, odd = 0;
        load_reference(p, at, n, ref);
        load(p, p->c->got, at, n, got);
        for (int i = 0; i < n; i++) { /* vectorised: NaN and infinity make it odd */
            double d = fabs(got[i] - ref[i]), size = fabs(ref[i]), allowed = fmax(plain + rtol * size, base),
                   asked = cap.fixed + cap.ulps * size;
            odd += !(d <= allowed && d <= asked && d < INFINITY);
            double finite = d < INFINITY ? d : 0;
            worst = finite > worst ? finite : worst;
            sum += finite * finite;
        }
        for (int i = 0; odd && i < n; i++) {
            double d = fabs(got[i] - ref[i]), size = fabs(ref[i]);
            bool within = d <= fmax(plain + rtol * size, base) && d < INFINITY,
                 as_tf32 = d <= tf32.fixed + tf32.ulps * size && d < INFINITY;
            double own = within ? 0 : uncertain(p, &seen, at + i, size);
            within = within || (d <= own && d < INFINITY);
            if ((within && d <= cap.fixed + cap.ulps * size) || (wide && as_tf32)) continue;
            if (seen.spread >= 0 && !p->c->may_move && may_be_any(p, ref[i], got[i], at + i, own, within)) continue;
            if (!(isfinite(ref[i]) && isfinite(got[i])) && special(p, ref[i], got[i], at + i)) continue;
            for (int digits = 9; !out->n_bad && digits <= 17; digits += 8) { /* as many as tell them apart */
                snprintf(out->expected, sizeof out->expected, "%.*g", digits, ref[i]);
                snprintf(out->got, sizeof out->got, "%.*g", digits, got[i]);
                if (strcmp(out->expected, out->got)) break;
            }
            note_bad(out, p, (at + i) / p->f->count, (at + i) % p->f->count);
            out->n_capped += within;
            if (!within)
                takes = as_tf32 ? takes & ~RG_ALLOW_FAST_MATH : 0;
            else if (!as_tf32)
                takes &= ~RG_ALLOW_TF32;
        }
    }
    out->n += total;
    out->max_error = fmax(out->max_error, worst);
    *sum_d2 += sum;
    out->takes &= takes;
}

static void compare_ints(const struct part *p, struct rg_difference *out)
{
    const struct rg_compare *c = p->c;
    int64_t size = (int64_t)rg_scalar_bytes(p->f->type);
    for (int64_t i = 0; i < c->elements; i++)
        for (int64_t k = 0; k < p->f->count; k++) {
            int64_t at = i * p->elem_bytes + p->f->offset + k * size;
            const unsigned char *e = (const unsigned char *)c->expect + at, *g = (const unsigned char *)c->got + at;
            out->n++;
            if (!memcmp(e, g, (size_t)size)) continue;
            if (!out->n_bad) {
                bool wide = p->f->type == RG_ULONG || p->f->type == RG_ULLONG;
                snprintf(out->expected, sizeof out->expected, wide ? "%llu" : "%lld",
                         (long long)rg__load_int(p->f->type, e));
                snprintf(out->got, sizeof out->got, wide ? "%llu" : "%lld", (long long)rg__load_int(p->f->type, g));
            }
            note_bad(out, p, i, k);
        }
}

/* How many of the part's values the C itself gives otherwise when it rounds otherwise: integers, and reals beyond their
 * spread. */
static double unsettled(const struct part *p)
{
    double n = p->c->unsettled && !p->c->may_move ? p->c->unsettled[p->f - p->fields] : 0;
    return isnan(n) ? 0 : n;
}

void rg__compare_case(struct rg_compare *c, const struct rg_problem *p, const struct rg_sizes *s,
                      const struct rg_layout *l, int param, const void *base, const void *got)
{
    const struct rg_slot *t = &l->slots[param];
    const char *b = base;
    *c = (struct rg_compare){.problem = p,
                             .param = param,
                             .elements = t->elements,
                             .expect = b + t->expect,
                             .got = got,
                             .sizes = s,
                             .n_accum = rg__accumulated(p, s)};
    c->unsettled = (const double *)(const void *)(b + t->unsettled);
    if (t->spread >= 0) c->spread = (const float *)(const void *)(b + t->spread);
    if (t->oracle < 0) return;
    c->oracle = (const double *)(const void *)(b + t->oracle);
    c->moved = (const double *)(const void *)(b + t->moved);
}

static void determined_reals(const struct part *p, struct rg_determined *out)
{
    struct rg_seen seen = look_at_reference(p);
    double ref[BLOCK], sum2 = 0, plain = slack(p, seen.rms), rtol = rg_problem_rtol(p->c->problem, p->f->type);
    int64_t total = p->c->elements * p->f->count, n = 0;
    for (int64_t at = 0; at < total; at += BLOCK) {
        int m = total - at < BLOCK ? (int)(total - at) : BLOCK;
        load_reference(p, at, m, ref);
        for (int i = 0; i < m; i++) {
            double d = spread_of(p, at + i);
            const bool open = isinf(d) || is_open(p, at + i);
            out->n_open += open;
            if (!isfinite(ref[i]) || open) continue;
            out->n_loose += 8 * d > plain + rtol * fabs(ref[i]);
            sum2 += d * d;
            n++;
        }
    }
    if (!(sum2 > 0 && seen.rms > 0)) return;
    double digits = fmax(-log10(sqrt(sum2 / (double)n) / seen.rms), 0);
    if (digits < out->digits) {
        out->digits = digits;
        out->tolerance = -log10(rtol + plain / seen.rms);
    }
}

static void count_reals(const struct part *p, struct rg_determined *out)
{
    double r;
    for (int64_t k = 0, total = p->c->elements * p->f->count; k < total; k++) {
        load(p, p->c->expect, k, 1, &r);
        if (isnan(r) && unwritten(p, p->c->expect, k)) continue;
        out->n_reals++;
        out->n_nan += isnan(r) != 0;
        out->n_infinite += isinf(r) != 0;
    }
}

bool rg__determined(const struct rg_compare *c, struct rg_determined *out)
{
    bool known = true;
    *out = (struct rg_determined){.digits = INFINITY};
    struct rg_parts parts;
    rg__parts(c->problem, c->param, &parts);
    int64_t slots = 0, slot = 0;
    for (int k = 0; k < parts.n; k++)
        if (rg_scalar_is_real(parts.fields[k].type)) slots += parts.fields[k].count;
    for (int k = 0; k < parts.n; k++) {
        struct part p = {c, &parts.fields[k], parts.fields, c->problem->params[c->param].elem_bytes, slot, slots, NULL};
        if (rg_scalar_is_real(p.f->type)) count_reals(&p, out);
        known = known && c->unsettled && !isnan(c->unsettled[k]);
        if (known && rg_scalar_is_real(p.f->type)) {
            determined_reals(&p, out);
            slot += p.f->count;
        } else if (known && unsettled(&p) > 0) {
            out->n_open += (int64_t)unsettled(&p);
            out->integers = true;
        }
    }
    return known;
}

void rg__compare(const struct rg_compare *c, struct rg_difference *out)
{
    *out = (struct rg_difference){.equal = true, .takes = RG_ALLOW_TF32 | RG_ALLOW_FAST_MATH};
    const struct rg_param *q = &c->problem->params[c->param];
    struct rg_parts parts;
    look_at_shape(c, out);
    rg__parts(c->problem, c->param, &parts);
    int64_t slots = 0, slot = 0, reals = 0, bad_ints = 0, ints = 0;
    for (int k = 0; k < parts.n; k++)
        if (rg_scalar_is_real(parts.fields[k].type)) slots += parts.fields[k].count;
    static const double own = 8;
    double sum_d2 = 0;
    for (int k = 0; k < parts.n; k++) {
        struct part p = {c, &parts.fields[k], parts.fields, q->elem_bytes, slot, slots, c->seen ? &c->seen[k] : NULL};
        int64_t before = out->n, bad = out->n_bad;
        if (rg_scalar_is_real(p.f->type)) {
            compare_reals(&p, out, &sum_d2);
            slot += p.f->count;
            reals += out->n - before;
            /* rare ones alone: a border that is wrong must not hide among values that are all uncertain */
            double rare = fmin(own * unsettled(&p), fmax(own, 1e-3 * (double)(out->n - before)));
            if ((double)(out->n_bad - bad) > (unsettled(&p) > 0 ? rare : 0)) out->equal = false;
        } else {
            compare_ints(&p, out);
            ints += out->n - before;
            if ((double)(out->n_bad - bad) > own * unsettled(&p)) bad_ints += out->n_bad - bad;
        }
    }
    if (bad_ints && (double)bad_ints > q->mismatch_share * (double)ints) out->equal = false;
    if (bad_ints || !out->n_bad || c->problem->rtol >= 0 || c->problem->atol >= 0)
        out->takes = 0;
    else if (out->takes & RG_ALLOW_FAST_MATH)
        out->takes = RG_ALLOW_FAST_MATH; /* the smaller of two */
    out->rms_error = reals ? sqrt(sum_d2 / (double)reals) : 0;
}

void rg__reals_off(const struct rg_compare *c, double *off)
{
    struct rg_parts parts;
    int64_t slots = 0, slot = 0;
    rg__parts(c->problem, c->param, &parts);
    for (int k = 0; k < parts.n; k++)
        if (rg_scalar_is_real(parts.fields[k].type)) slots += parts.fields[k].count;
    for (int k = 0; k < parts.n; k++) {
        struct part p = {c, &parts.fields[k], parts.fields, c->problem->params[c->param].elem_bytes, slot, slots, NULL};
        struct rg_difference d = {.equal = true};
        double sum_d2 = 0;
        if (!rg_scalar_is_real(p.f->type)) continue;
        compare_reals(&p, &d, &sum_d2);
        slot += p.f->count;
        off[k] = fmax(off[k], (double)d.n_bad);
    }
}

static void put_index(struct rg_buf *b, const struct rg_difference *d)
{
    if (!d->n_dims) rg_buf_printf(b, "[%lld]", (long long)d->first_bad);
    for (int k = 0; k < d->n_dims; k++) rg_buf_printf(b, "[%lld]", (long long)d->first[k]);
}

static void put_box(struct rg_buf *b, const struct rg_difference *d)
{
    rg_buf_str(b, ", all in ");
    for (int k = 0; k < d->n_dims; k++) {
        rg_buf_printf(b, "[%lld", (long long)d->low[k]);
        if (d->high[k] > d->low[k]) rg_buf_printf(b, "..%lld", (long long)d->high[k]);
        rg_buf_str(b, "]");
    }
}

void rg__compare_text(const struct rg_compare *c, const struct rg_difference *d, char *text, size_t size)
{
    const struct rg_param *q = &c->problem->params[c->param];
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_str(&b, rg_param_shown(q));
    if (c->elements > 1) put_index(&b, d);
    rg_buf_printf(&b, "%s is %s, expected %s", d->first_part, d->got, d->expected);
    if (!strcmp(d->got, "nan") || !strcmp(d->got, "-nan") || !strcmp(d->got, "-1"))
        rg_buf_str(&b, " (never written? outputs start as 0xFF bytes)");
    if (d->n > 1)
        rg_buf_printf(&b, "; %lld of %lld values are wrong (%.3g %%)", (long long)d->n_bad, (long long)d->n,
                      100.0 * (double)d->n_bad / (double)d->n);
    if (d->n_bad > 1 && d->n_dims) put_box(&b, d);
    if (d->rms > 0)
        rg_buf_printf(&b, "; errors: max %.3g, rms %.3g, of values of rms %.3g", d->max_error, d->rms_error, d->rms);
    if (d->n_capped == d->n_bad && d->n_bad)
        rg_buf_printf(
            &b, ". That is within the tolerance, but far less exact than the sequential run (off by %.3g at most)",
            d->sequential_error);
    if (d->takes) rg_buf_printf(&b, ": --allow %s takes it", d->takes == RG_ALLOW_TF32 ? "tf32" : "fast-math");
    snprintf(text, size, "%s", b.data);
    rg_buf_release(&b);
}
