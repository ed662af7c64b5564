/* Two runs of the user's C on the same inputs, compared: is it a function of them? */
#include "runtime/worker/ref_runs.h"
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool rg__all_bytes_are(const unsigned char *p, size_t n, int byte)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != byte) return false;
    return true;
}

/* Element [i] of output `param`, or with a field: "y[3].mass". */
static void name_element(const struct rg_problem *p, int param, int64_t i, const char *path, char *out, size_t size)
{
    const struct rg_param *q = &p->params[param];
    if (q->origin == RG_ORIGIN_RESULT)
        snprintf(out, size, "the returned value");
    else
        snprintf(out, size, "%s[%lld]%s%s", rg_param_shown(q), (long long)i, path[0] ? "." : "", path);
}

/* One plain real and the same bytes in both runs, all of them finite: nothing to look at one by one. */
static bool same_and_finite(const struct rg_problem *p, const struct rg_layout *l, int i, const struct rg_call *a,
                            const struct rg_call *b)
{
    const struct rg_param *q = &p->params[i];
    const struct rg_slot *t = &l->slots[i];
    if ((q->elem != RG_F32 && q->elem != RG_F64) || memcmp(a->a[i], b->a[i], (size_t)t->bytes)) return false;
    double sum = 0; /* 0 x is 0, or NaN where x is not finite */
    if (q->elem == RG_F32)
        for (int64_t e = 0; e < t->elements; e++) sum += 0.0f * ((const float *)a->a[i])[e];
    else
        for (int64_t e = 0; e < t->elements; e++) sum += 0.0 * ((const double *)a->a[i])[e];
    return sum == 0;
}

static bool names(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = text; at && (at = strstr(at, word)); at += n)
        if ((at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) &&
            !(isalnum((unsigned char)at[n]) || at[n] == '_'))
            return true;
    return false;
}

unsigned rg__runs_says(const struct rg_problem *p)
{
    static const struct {
        const char *word;
        unsigned kind;
    } words[] = {{"INFINITY", RG__SAYS_INFINITY},
                 {"HUGE_VAL", RG__SAYS_INFINITY},
                 {"HUGE_VALF", RG__SAYS_INFINITY},
                 {"__builtin_inf", RG__SAYS_INFINITY},
                 {"__builtin_inff", RG__SAYS_INFINITY},
                 {"__builtin_huge_val", RG__SAYS_INFINITY},
                 {"__builtin_huge_valf", RG__SAYS_INFINITY},
                 {"NAN", RG__SAYS_NAN},
                 {"nan", RG__SAYS_NAN},
                 {"nanf", RG__SAYS_NAN},
                 {"__builtin_nan", RG__SAYS_NAN},
                 {"__builtin_nanf", RG__SAYS_NAN}};
    const char *const texts[] = {p->function_source, p->context_source};
    unsigned says = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            if (texts[k] && names(texts[k], words[i].word)) says |= words[i].kind;
    return says;
}

/* Reals of one part of an output, as they are counted. */
struct count {
    int64_t reals, odd; /* written; of these no numbers, of a kind that the C does not say */
    int64_t at;         /* the element of the first of them */
    double r;           /* and what it is */
};

/* Under a quarter; of an output that is small, and says little beside those of the larger sizes, half. */
static enum rg__finite grade(const struct count *n)
{
    enum { SHARE = 4, SMALL = 64, SMALL_SHARE = 2 };
    int64_t share = n->reals < SMALL ? SMALL_SHARE : SHARE;
    return !n->odd ? RG__FINITE_ALL : share * n->odd <= n->reals ? RG__FINITE_MOST : RG__FINITE_FEW;
}

static void take_grade(const struct rg_problem *p, int param, const char *path, const struct count *n,
                       enum rg__finite *finite, char *what, size_t size)
{
    char name[160];
    enum rg__finite g = grade(n);
    if (g <= *finite) return;
    *finite = g;
    name_element(p, param, n->at, path, name, sizeof name);
    if (n->odd == 1)
        snprintf(what, size, "%s is %g", name, n->r);
    else
        snprintf(what, size,
                 "%s is %g, and %lld of its %lld values are no numbers (NaN or infinite): too many to be compared with",
                 name, n->r, (long long)n->odd, (long long)n->reals);
}

enum rg_status rg__runs_check(const struct rg_problem *p, const struct rg_layout *l, const char *where,
                              const struct rg_call *a, const struct rg_call *b, unsigned says, enum rg__finite *finite,
                              char *what, size_t size, struct rg_error *err)
{
    *finite = RG__FINITE_ALL;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        const struct rg_slot *t = &l->slots[i];
        if (t->expect < 0 || same_and_finite(p, l, i, a, b)) continue;
        struct rg_parts parts;
        rg__parts(p, i, &parts);
        for (int k = 0; k < parts.n; k++) {
            const struct rg_field *f = &parts.fields[k];
            struct count count = {0};
            for (int64_t e = 0; e < t->elements; e++)
                for (int64_t v = 0; v < f->count; v++) {
                    size_t n = rg_scalar_bytes(f->type);
                    int64_t at = e * q->elem_bytes + f->offset + v * (int64_t)n;
                    const unsigned char *x = (unsigned char *)a->a[i] + at, *y = (unsigned char *)b->a[i] + at;
                    if (q->role == RG_ROLE_OUT && rg__all_bytes_are(x, n, RG_POISON) &&
                        rg__all_bytes_are(y, n, RG__OTHER_POISON))
                        continue;
                    char name[160];
                    if (memcmp(x, y, n)) {
                        name_element(p, i, e, f->path, name, sizeof name);
                        return rg_error_set(
                            err, RG_INPUT,
                            "%s is not deterministic: at %s two runs on the same inputs differ in %s. Does it read "
                            "what it has not written%s, keep static state, or use rand or the time?",
                            p->function, where, name,
                            q->role == RG_ROLE_OUT ? " (then say `#pragma regraph role(...: inout)`)" : "");
                    }
                    if (!rg_scalar_is_real(f->type)) continue;
                    double r = rg__load_real(f->type, x);
                    count.reals++;
                    if (isfinite(r) || (says & (isnan(r) ? RG__SAYS_NAN : RG__SAYS_INFINITY))) continue;
                    if (!count.odd++) count.at = e, count.r = r;
                }
            take_grade(p, i, f->path, &count, finite, what, size);
        }
    }
    return RG_OK;
}

bool rg__runs_rounded_alike(const struct rg_problem *p, const struct rg_layout *l, const struct rg_call *a,
                            const struct rg_call *b)
{
    const double rounding = 64; /* last places of the largest value */
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        const struct rg_slot *t = &l->slots[i];
        if (t->expect < 0 || same_and_finite(p, l, i, a, b)) continue;
        if (q->elem != RG_F32 && q->elem != RG_F64) {
            if (memcmp(a->a[i], b->a[i], (size_t)t->bytes)) return false;
            continue;
        }
        const unsigned char *x = a->a[i], *y = b->a[i];
        size_t n = rg_scalar_bytes(q->elem);
        double largest = 0, most = 0;
        for (int64_t e = 0; e < t->elements; e++, x += n, y += n) {
            double u = rg__load_real(q->elem, x), v = rg__load_real(q->elem, y);
            if ((isnan(u) && isnan(v)) || (isinf(u) && u == v)) continue;
            if (!isfinite(u) || !isfinite(v)) return false;
            largest = fmax(largest, fabs(u)), most = fmax(most, fabs(u - v));
        }
        if (most > rounding * largest * (q->elem == RG_F32 ? FLT_EPSILON : DBL_EPSILON)) return false;
    }
    return true;
}
