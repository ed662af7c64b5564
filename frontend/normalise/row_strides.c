/* Subscripts by the length of rows: strides that are products of parameters, quotients by them. */
#include "frontend/normalise/row_strides.h"
#include <string.h>

/* p with `var + f * by` for `var`. */
static struct rg__poly moved(const struct rg__poly *p, int var, const struct rg__poly *by, int64_t f)
{
    struct rg__poly out = rg__poly_int(0), v = rg__poly_var(var), sum = rg__poly_add(&v, by, f);
    out.bad = p->bad || sum.bad;
    for (int i = 0; i < p->n; i++) {
        struct rg__poly term = rg__poly_int(p->terms[i].c);
        for (int k = 0; k < p->terms[i].degree; k++) {
            struct rg__poly factor = rg__poly_var(p->terms[i].var[k]);
            term = rg__poly_mul(&term, p->terms[i].var[k] == var ? &sum : &factor);
        }
        out = rg__poly_add(&out, &term, 1);
    }
    return out;
}

struct rg__poly rg__shifted(const struct rg__shifts *s, const struct rg__poly *p)
{
    struct rg__poly out = *p;
    for (int i = 0; i < s->n; i++) out = moved(&out, s->items[i].var, &s->items[i].by, -1);
    return out;
}

struct rg__poly rg__unshifted(const struct rg__shifts *s, const struct rg__poly *p)
{
    struct rg__poly out = *p; /* backwards: what a later shift adds may hold the symbol of an earlier one */
    for (int i = s->n - 1; i >= 0; i--) out = moved(&out, s->items[i].var, &s->items[i].by, 1);
    return out;
}

bool rg__stride_param(const struct rg_ctree *t, int v)
{
    return v < RG__ATOM && t->vars[v].kind == RG_CVAR_PARAM && !t->vars[v].assigned;
}

/* The parameters of a term; true when something else multiplies them. */
bool rg__stride_part(const struct rg_ctree *t, const struct rg__term *m, struct rg__stride *s)
{
    bool other = false;
    *s = (struct rg__stride){.c = m->c};
    for (int k = 0; k < m->degree; k++) {
        if (rg__stride_param(t, m->var[k]))
            s->var[s->degree++] = m->var[k];
        else
            other = true;
    }
    return other;
}

/* a / b when b divides a. */
bool rg__stride_over(const struct rg__stride *a, const struct rg__stride *b, struct rg__stride *q)
{
    if (!b->c || a->c % b->c) return false;
    *q = (struct rg__stride){.c = a->c / b->c};
    int k = 0;
    for (int i = 0; i < a->degree; i++) {
        if (k < b->degree && a->var[i] == b->var[k])
            k++;
        else
            q->var[q->degree++] = a->var[i];
    }
    return k == b->degree;
}

struct rg__poly rg__stride_poly(const struct rg__stride *s)
{
    struct rg__poly p = rg__poly_int(s->c);
    for (int i = 0; i < s->degree; i++) {
        struct rg__poly v = rg__poly_var(s->var[i]);
        p = rg__poly_mul(&p, &v);
    }
    return p;
}

/* p = quotient * stride + rest, term by term. */
void rg__poly_over(const struct rg_ctree *t, const struct rg__poly *p, const struct rg__stride *s, struct rg__poly *q,
                   struct rg__poly *rest)
{
    *q = rg__poly_int(0);
    *rest = rg__poly_int(0);
    for (int i = 0; i < p->n; i++) {
        struct rg__stride x, d;
        rg__stride_part(t, &p->terms[i], &x);
        struct rg__poly term = {.n = 1};
        term.terms[0] = p->terms[i];
        if (rg__stride_over(&x, s, &d)) {
            struct rg__poly m = rg__stride_poly(&d);
            for (int k = 0; k < p->terms[i].degree; k++)
                if (!rg__stride_param(t, p->terms[i].var[k])) {
                    struct rg__poly v = rg__poly_var(p->terms[i].var[k]);
                    m = rg__poly_mul(&m, &v);
                }
            *q = rg__poly_add(q, &m, 1);
        } else {
            *rest = rg__poly_add(rest, &term, 1);
        }
    }
}
