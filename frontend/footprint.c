/* Bytes that must move: distinct elements of every array parameter that affine accesses read before they are written,
 * and that are written. Boxes of subscripts over loop ranges; unknown where an access has none. */
#include "frontend/load.h"
#include "frontend/walk.h"
#include <stdlib.h>
#include <string.h>

struct box {
    int n;
    double lo[8], hi[8];
    bool set;
};

struct footprint {
    const struct rg_problem *p;
    struct rg_ctree *t;
    struct rg_problem_env env;
    int array;
    bool written;
    bool unknown, any;
    bool partial; /* some access is not counted: it may never happen, or data decides where */
    struct box box;
    double runs; /* executions of all its accesses: no more elements can be touched */
};

/* Range of an affine expression over the loops around it, by interval arithmetic. */
static bool interval(const struct footprint *f, const struct rg__visit *v, const struct rg_cnode *e, int depth,
                     double *lo, double *hi)
{
    double a, b, c, d;
    if (depth > 24) return false;
    switch (e->kind) {
    case RG_C_INT:
        return *lo = *hi = (double)e->ivalue, true;
    case RG_C_CAST:
        return interval(f, v, e->kid[0], depth + 1, lo, hi);
    case RG_C_VAR:
        if (e->array >= 0) return false;
        for (int i = 0; i < v->range->n_loops; i++) {
            const struct rg_cnode *l = v->range->loops[i];
            if (l->var != e->var) continue;
            if (!interval(f, v, l->kid[0], depth + 1, &a, &b) || !interval(f, v, l->kid[1], depth + 1, &c, &d))
                return false;
            if (l->step > 0)
                *lo = a, *hi = d - 1;
            else
                *lo = c + 1, *hi = b;
            return true;
        }
        if (f->t->vars[e->var].kind == RG_CVAR_PARAM) {
            int64_t x;
            if (!f->env.env.name((void *)(uintptr_t)&f->env, f->t->vars[e->var].name, &x)) return false;
            *lo = *hi = (double)x;
            return true;
        }
        return false;
    case RG_C_UNARY:
        if (e->text[0] != '-' || !interval(f, v, e->kid[0], depth + 1, &a, &b)) return false;
        return *lo = -b, *hi = -a, true;
    case RG_C_BINARY: {
        if (e->text[1] || !interval(f, v, e->kid[0], depth + 1, &a, &b) ||
            !interval(f, v, e->kid[1], depth + 1, &c, &d))
            return false;
        double x[4] = {a * c, a * d, b * c, b * d};
        switch (e->text[0]) {
        case '+':
            return *lo = a + c, *hi = b + d, true;
        case '-':
            return *lo = a - d, *hi = b - c, true;
        case '*':
            *lo = *hi = x[0];
            for (int i = 1; i < 4; i++) {
                if (x[i] < *lo) *lo = x[i];
                if (x[i] > *hi) *hi = x[i];
            }
            return true;
        case '/':
            return c == d && c > 0 && a >= 0 && (*lo = (double)(int64_t)(a / c), *hi = (double)(int64_t)(b / c), true);
        case '%':
            return c == d && c > 0 && a >= 0 && (*lo = 0, *hi = b < c - 1 ? b : c - 1, true);
        default:
            return false;
        }
    }
    case RG_C_COND:
        if (!interval(f, v, e->kid[1], depth + 1, &a, &b) || !interval(f, v, e->kid[2], depth + 1, &c, &d))
            return false;
        return *lo = a < c ? a : c, *hi = b > d ? b : d, true;
    default:
        return false;
    }
}

static void visit(void *arg, const struct rg__visit *v)
{
    struct footprint *f = arg;
    if (v->node->array != f->array || (f->written ? !v->write : !v->read)) return;
    if (v->pointer || v->node->n > 8) {
        f->unknown = true;
        return;
    }
    struct box b = {.n = v->node->n};
    f->partial |= !v->certain;
    if (!v->certain) return; /* may never happen: not compulsory */
    for (int d = 0; d < b.n; d++) {
        if (!interval(f, v, v->node->kid[d], 0, &b.lo[d], &b.hi[d])) { /* data decides: nothing is compulsory */
            f->partial = true;
            return;
        }
        if (b.hi[d] < b.lo[d]) return;
    }
    f->any = true;
    f->runs += rg__executions(f->p, f->t, f->p->sizes[0].values, v->range->loops, v->range->n_loops);
    if (!f->box.set) {
        f->box = b;
        f->box.set = true;
        return;
    }
    for (int d = 0; d < b.n && d < f->box.n; d++) {
        if (b.lo[d] < f->box.lo[d]) f->box.lo[d] = b.lo[d];
        if (b.hi[d] > f->box.hi[d]) f->box.hi[d] = b.hi[d];
    }
}

static double elements(const struct footprint *f, double limit)
{
    if (!f->any) return 0;
    double n = 1;
    for (int d = 0; d < f->box.n; d++) n *= f->box.hi[d] - f->box.lo[d] + 1;
    if (f->runs < n) n = f->runs;
    return n < limit ? n : limit;
}

void rg__compulsory(struct rg_problem *p, struct rg_ctree *t)
{
    p->compulsory_read_bytes = p->compulsory_write_bytes = -1;
    p->compulsory_counted = false;
    if (!t || !p->n_sizes) return;
    double read = 0, write = 0;
    struct rg__given *given = rg__given_of(t, p);
    bool unknown = false, partial = false;
    for (int a = 0; a < t->n_arrays; a++) {
        int i = t->arrays[a].param;
        if (i < 0 || t->arrays[a].constant_table) continue;
        const struct rg_param *q = &p->params[i];
        int64_t limit;
        if (rg_problem_elements(p, i, &p->sizes[0], &limit, NULL) != RG_OK) continue;
        for (int pass = 0; pass < 2; pass++) {
            if (pass == 0 && q->role == RG_ROLE_OUT) continue;
            if (pass == 1 && q->role == RG_ROLE_IN) continue;
            struct footprint f = {.p = p, .t = t, .array = a, .written = pass == 1};
            rg_problem_env_init(&f.env, p, &p->sizes[0]);
            f.env.env.arg = &f.env;
            rg__each_access(t, t->root, given, visit, &f);
            double n = elements(&f, (double)limit);
            (pass ? &write : &read)[0] += n * (double)q->elem_bytes;
            unknown |= f.unknown;
            partial |= f.partial;
        }
    }
    rg__given_free(given);
    if (unknown || read + write <= 0) return;
    p->compulsory_read_bytes = read;
    p->compulsory_write_bytes = write;
    p->compulsory_counted = !partial;
}
