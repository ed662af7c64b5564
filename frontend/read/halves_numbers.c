/* Integer expressions of a function that calls itself for both halves, as polynomials (halves.h). */
#include "frontend/read/halves.h"

/* ---- numbers as polynomials ---- */

static const struct rg_cnode *value_of(const struct rg__halves *x, int var)
{
    for (int i = 0; i < x->n_sets; i++)
        if (x->set[i].var == var) return x->set[i].value;
    return NULL;
}

static struct rg__poly bad(void)
{
    struct rg__poly p = rg__poly_int(0);
    p.bad = true;
    return p;
}

/* p / d, where that leaves no rest: d is one term. */
struct rg__poly rg__halves_divided(const struct rg__poly *p, const struct rg__poly *d)
{
    struct rg__poly sum = rg__poly_int(0);
    if (p->bad || d->bad || d->n != 1) return bad();
    for (int i = 0; i < p->n; i++) {
        struct rg__term t = p->terms[i];
        if (t.c % d->terms[0].c) return bad();
        struct rg__poly term = rg__poly_int(t.c / d->terms[0].c);
        for (int k = 0; k < d->terms[0].degree; k++) {
            int at = -1;
            for (int j = 0; j < t.degree; j++)
                if (t.var[j] == d->terms[0].var[k]) at = j;
            if (at < 0) return bad();
            for (int j = at; j + 1 < t.degree; j++) t.var[j] = t.var[j + 1];
            t.degree--;
        }
        for (int j = 0; j < t.degree; j++) {
            struct rg__poly v = rg__poly_var(t.var[j]);
            term = rg__poly_mul(&term, &v);
        }
        sum = rg__poly_add(&sum, &term, 1);
    }
    return sum;
}

struct rg__poly rg__halves_twice(int a, int b)
{
    struct rg__poly p = rg__poly_var(a), two = rg__poly_int(2);
    p = rg__poly_mul(&p, &two);
    if (b < 0) return p;
    two = rg__poly_var(b);
    return rg__poly_mul(&p, &two);
}

static struct rg__poly poly(const struct rg__halves *x, const struct rg_cnode *e, int depth)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (depth > 16 || e->pointer) return bad();
    if (e->kind == RG_C_INT) return rg__poly_int(e->ivalue);
    if (e->kind == RG_C_VAR && e->array < 0 && rg__scalar_is_int(e->type)) {
        if (e->var == x->loop_var) return x->loop_value;
        if (!x->plain && x->size >= 0 && e->var == x->p[x->size].var) return rg__halves_twice(x->h, -1);
        if (!x->plain && x->whole >= 0 && e->var == x->p[x->whole].var)
            return rg__halves_twice(x->h, x->p[x->stride].var);
        const struct rg_cnode *v = value_of(x, e->var);
        return v ? poly(x, v, depth + 1) : rg__poly_var(e->var);
    }
    if (e->op == RG_COP_NEG || e->op == RG_COP_POS) {
        struct rg__poly a = poly(x, e->kid[0], depth + 1), zero = rg__poly_int(0);
        return a.bad ? a : rg__poly_add(&zero, &a, e->op == RG_COP_NEG ? -1 : 1);
    }
    if (e->kind != RG_C_BINARY) return bad();
    struct rg__poly a = poly(x, e->kid[0], depth + 1), b = poly(x, e->kid[1], depth + 1);
    int64_t c = 0;
    if (a.bad || b.bad) return bad();
    if (e->op == RG_COP_SHL || e->op == RG_COP_SHR) {
        if (!rg__poly_is_int(&b, &c) || c < 0 || c > 30) return bad();
        b = rg__poly_int((int64_t)1 << c);
    }
    switch (e->op) {
    case RG_COP_ADD:
        return rg__poly_add(&a, &b, 1);
    case RG_COP_SUB:
        return rg__poly_add(&a, &b, -1);
    case RG_COP_MUL:
    case RG_COP_SHL:
        return rg__poly_mul(&a, &b);
    case RG_COP_DIV:
    case RG_COP_SHR:
        return rg__halves_divided(&a, &b);
    default:
        return bad();
    }
}

struct rg__poly rg__halves_poly(const struct rg__halves *x, const struct rg_cnode *e)
{
    return poly(x, e, 0);
}

/* ---- what is set once ---- */

int rg__halves_times_set(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    int count = n->kind == RG_C_DECL && n->array < 0 && n->var == var && n->n;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) {
        const struct rg_cnode *to = n->kid[0];
        while (to->kind == RG_C_MEMBER) to = to->kid[0];
        count += to->kind == RG_C_VAR && to->array < 0 && to->var == var;
    }
    for (int i = 0; i < n->n; i++) count += rg__halves_times_set(n->kid[i], var);
    return count;
}

/* What the statement sets a scalar to. */
const struct rg_cnode *rg__halves_set_by(const struct rg_cnode *s, int *var)
{
    if (s->kind == RG_C_DECL && s->array < 0 && !s->pointer && s->n) {
        *var = s->var;
        return s->kid[0];
    }
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : s;
    if (e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0 ||
        e->kid[0]->pointer)
        return NULL;
    *var = e->kid[0]->var;
    return e->kid[1];
}

void rg__halves_find_sets(struct rg__halves *x, const struct rg_cnode *n)
{
    int var;
    const struct rg_cnode *v;
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        if (n->kid[i] && n->kind == RG_C_BLOCK && (v = rg__halves_set_by(n->kid[i], &var)) &&
            x->n_sets < RG__HALVES_SETS && rg__scalar_is_int(x->t->vars[var].type) &&
            rg__halves_times_set(x->body, var) == 1) {
            x->set[x->n_sets].var = var;
            x->set[x->n_sets++].value = v;
        }
        rg__halves_find_sets(x, n->kid[i]);
    }
}
