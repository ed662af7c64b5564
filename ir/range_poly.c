/* Polynomial arithmetic for range.h. */
#include "ir/range.h"
#include <string.h>

struct rg__poly rg__poly_int(int64_t v)
{
    struct rg__poly p = {.n = v != 0};
    p.terms[0].c = v;
    return p;
}

struct rg__poly rg__poly_var(int id)
{
    struct rg__poly p = {.n = 1};
    p.terms[0].c = 1;
    p.terms[0].degree = 1;
    p.terms[0].var[0] = id;
    return p;
}

static int compare(const struct rg__term *a, const struct rg__term *b)
{
    if (a->degree != b->degree) return a->degree < b->degree ? -1 : 1;
    for (int i = 0; i < a->degree; i++)
        if (a->var[i] != b->var[i]) return a->var[i] < b->var[i] ? -1 : 1;
    return 0;
}

static void add_term(struct rg__poly *p, struct rg__term t)
{
    if (p->bad || !t.c) return;
    int i = 0;
    while (i < p->n && compare(&p->terms[i], &t) < 0) i++;
    if (i < p->n && !compare(&p->terms[i], &t)) {
        if (__builtin_add_overflow(p->terms[i].c, t.c, &p->terms[i].c)) p->bad = true;
        if (!p->terms[i].c) {
            memmove(&p->terms[i], &p->terms[i + 1], (size_t)(p->n - i - 1) * sizeof t);
            p->n--;
        }
        return;
    }
    if (p->n == RG__MAX_TERMS) {
        p->bad = true;
        return;
    }
    memmove(&p->terms[i + 1], &p->terms[i], (size_t)(p->n - i) * sizeof t);
    p->terms[i] = t;
    p->n++;
}

struct rg__poly rg__poly_add(const struct rg__poly *a, const struct rg__poly *b, int64_t factor)
{
    struct rg__poly p = *a;
    p.bad |= b->bad;
    for (int i = 0; i < b->n && !p.bad; i++) {
        struct rg__term t = b->terms[i];
        if (__builtin_mul_overflow(t.c, factor, &t.c)) p.bad = true;
        add_term(&p, t);
    }
    return p;
}

struct rg__poly rg__poly_mul(const struct rg__poly *a, const struct rg__poly *b)
{
    struct rg__poly p = {.bad = a->bad || b->bad};
    for (int i = 0; i < a->n && !p.bad; i++)
        for (int k = 0; k < b->n && !p.bad; k++) {
            struct rg__term t = a->terms[i];
            const struct rg__term *u = &b->terms[k];
            if (t.degree + u->degree > RG__MAX_DEGREE || __builtin_mul_overflow(t.c, u->c, &t.c)) {
                p.bad = true;
                break;
            }
            for (int v = 0; v < u->degree; v++) { /* insertion keeps ids sorted */
                int at = t.degree++;
                while (at > 0 && t.var[at - 1] > u->var[v]) {
                    t.var[at] = t.var[at - 1];
                    at--;
                }
                t.var[at] = u->var[v];
            }
            add_term(&p, t);
        }
    return p;
}

bool rg__poly_is_int(const struct rg__poly *p, int64_t *v)
{
    if (p->bad || p->n > 1 || (p->n == 1 && p->terms[0].degree)) return false;
    *v = p->n ? p->terms[0].c : 0;
    return true;
}

bool rg__poly_equal(const struct rg__poly *a, const struct rg__poly *b)
{
    struct rg__poly d = rg__poly_add(a, b, -1);
    return !d.bad && d.n == 0;
}

bool rg__poly_mentions(const struct rg__poly *p, int var)
{
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->terms[i].degree; k++)
            if (p->terms[i].var[k] == var) return true;
    return false;
}

bool rg__poly_split(const struct rg__poly *p, int var, struct rg__poly *coef, struct rg__poly *rest)
{
    *coef = rg__poly_int(0);
    *rest = rg__poly_int(0);
    if (p->bad) return false;
    for (int i = 0; i < p->n; i++) {
        struct rg__term t = p->terms[i];
        int at = -1, count = 0;
        for (int k = 0; k < t.degree; k++)
            if (t.var[k] == var) at = k, count++;
        if (count > 1) return false;
        if (count) {
            for (int k = at; k + 1 < t.degree; k++) t.var[k] = t.var[k + 1];
            t.degree--;
            add_term(coef, t);
        } else {
            add_term(rest, t);
        }
    }
    return true;
}
