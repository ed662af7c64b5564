#include "runtime/compare.h"
#include "runtime/layout.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static double epsilon(enum rg_scalar t)
{
    return t == RG_F16 ? 0x1p-11 : t == RG_F32 ? 0x1p-24 : 0x1p-53;
}

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
    const struct rg_field *f;
    int64_t elem_bytes, slot, slots; /* this part's first real slot of `slots` */
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

static void note_bad(struct rg_difference *out, const struct part *p, int64_t i, int64_t k)
{
    if (out->n_bad++) return;
    out->first_bad = i;
    char index[24] = "";
    if (p->f->count > 1) snprintf(index, sizeof index, "[%lld]", (long long)k);
    snprintf(out->first_part, sizeof out->first_part, "%s%.30s%s", p->f->path[0] ? "." : "", p->f->path, index);
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
    struct rg_seen seen = {true, finite ? sqrt(sum2 / (double)finite) : 0, isfinite(worst) ? worst : 0};
    if (p->seen) *p->seen = seen;
    return seen;
}

/* What is allowed besides rtol |ref|. The default atol suits values of about 1: where all are far smaller it would let zeros
 * pass, so it is at most a hundredth of their rms. */
static double slack(const struct part *p, double rms)
{
    double atol = rg_problem_atol(p->c->problem, p->f->type);
    if (p->c->problem->atol < 0 && rms > 0 && atol > 0.01 * rms) atol = 0.01 * rms;
    return atol + 4 * epsilon(p->f->type) * rms * sqrt(p->c->n_accum);
}

static bool special(const struct part *p, double r, double g, int64_t k)
{
    if (isnan(r) || isnan(g)) return isnan(r) && isnan(g);
    if (r == g) return true;
    double seq = 0; /* the oracle's range is wider: what overflowed sequentially may overflow here */
    if (p->c->oracle) load(p, p->c->expect, k, 1, &seq);
    return p->c->oracle && seq == g;
}

static void compare_reals(const struct part *p, struct rg_difference *out, double *sum_d2)
{
    double ref[BLOCK], got[BLOCK], worst = 0, sum = 0;
    struct rg_seen seen = look_at_reference(p);
    double rms = seen.rms, seq = seen.sequential;
    out->rms = fmax(out->rms, rms);
    out->sequential_error = fmax(out->sequential_error, seq);
    double rtol = rg_problem_rtol(p->c->problem, p->f->type), base = fmax(slack(p, rms), 8 * seq);
    double plain = slack(p, rms);
    int64_t total = p->c->elements * p->f->count;
    for (int64_t at = 0; at < total; at += BLOCK) {
        int n = total - at < BLOCK ? (int)(total - at) : BLOCK, odd = 0;
        load_reference(p, at, n, ref);
        load(p, p->c->got, at, n, got);
        for (int i = 0; i < n; i++) { /* vectorised: NaN and infinity make it odd */
            double d = fabs(got[i] - ref[i]), allowed = fmax(plain + rtol * fabs(ref[i]), base);
            odd += !(d <= allowed && d < INFINITY);
            double finite = d < INFINITY ? d : 0;
            worst = finite > worst ? finite : worst;
            sum += finite * finite;
        }
        for (int i = 0; odd && i < n; i++) {
            double d = fabs(got[i] - ref[i]), allowed = fmax(plain + rtol * fabs(ref[i]), base);
            if (d <= allowed && d < INFINITY) continue;
            if (!(isfinite(ref[i]) && isfinite(got[i])) && special(p, ref[i], got[i], at + i)) continue;
            for (int digits = 9; !out->n_bad && digits <= 17; digits += 8) { /* as many as tell them apart */
                snprintf(out->expected, sizeof out->expected, "%.*g", digits, ref[i]);
                snprintf(out->got, sizeof out->got, "%.*g", digits, got[i]);
                if (strcmp(out->expected, out->got)) break;
            }
            note_bad(out, p, (at + i) / p->f->count, (at + i) % p->f->count);
        }
    }
    out->n += total;
    out->max_error = fmax(out->max_error, worst);
    *sum_d2 += sum;
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
                snprintf(out->expected, sizeof out->expected, wide ? "%llu" : "%lld", (long long)rg__load_int(p->f->type, e));
                snprintf(out->got, sizeof out->got, wide ? "%llu" : "%lld", (long long)rg__load_int(p->f->type, g));
            }
            note_bad(out, p, i, k);
        }
}

void rg__compare(const struct rg_compare *c, struct rg_difference *out)
{
    *out = (struct rg_difference){.equal = true};
    const struct rg_param *q = &c->problem->params[c->param];
    struct rg_parts parts;
    rg__parts(c->problem, c->param, &parts);
    int64_t slots = 0, slot = 0, reals = 0, bad_ints = 0, ints = 0;
    for (int k = 0; k < parts.n; k++)
        if (rg_scalar_is_real(parts.fields[k].type)) slots += parts.fields[k].count;
    double sum_d2 = 0;
    for (int k = 0; k < parts.n; k++) {
        struct part p = {c, &parts.fields[k], q->elem_bytes, slot, slots, c->seen ? &c->seen[k] : NULL};
        int64_t before = out->n, bad = out->n_bad;
        if (rg_scalar_is_real(p.f->type)) {
            compare_reals(&p, out, &sum_d2);
            slot += p.f->count;
            reals += out->n - before;
            if (out->n_bad > bad) out->equal = false;
        } else {
            compare_ints(&p, out);
            ints += out->n - before;
            bad_ints += out->n_bad - bad;
        }
    }
    if (bad_ints && (double)bad_ints > q->mismatch_share * (double)ints) out->equal = false;
    out->rms_error = reals ? sqrt(sum_d2 / (double)reals) : 0;
}

void rg__compare_text(const struct rg_compare *c, const struct rg_difference *d, char *text, size_t size)
{
    const struct rg_param *q = &c->problem->params[c->param];
    char share[64] = "";
    if (d->n > 1)
        snprintf(share, sizeof share, "; %lld of %lld values are wrong (%.3g %%)", (long long)d->n_bad, (long long)d->n,
                 100.0 * (double)d->n_bad / (double)d->n);
    const char *hint = !strcmp(d->got, "nan") || !strcmp(d->got, "-nan") || !strcmp(d->got, "-1") ?
                           " (never written? outputs start as 0xFF bytes)" : "";
    if (c->elements == 1)
        snprintf(text, size, "%s%s is %s, expected %s%s%s", q->name, d->first_part, d->got, d->expected, hint, share);
    else
        snprintf(text, size, "%s[%lld]%s is %s, expected %s%s%s", q->name, (long long)d->first_bad, d->first_part, d->got,
                 d->expected, hint, share);
}
