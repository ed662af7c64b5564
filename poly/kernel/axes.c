/* Which of a kernel's dimensions goes along x: the one whose neighbours touch neighbouring elements. */
#include "poly/kernel/kernel.h"

void rg__poly_stride_score(const struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *in,
                           const int *vars, int n_vars, int *unit, int *far)
{
    const struct poly_scop *s = p->scop;
    int stmts[256], n = rg__poly_knode_stmts(s, in, stmts, 256);
    *unit = *far = 0;
    for (int i = 0; i < n; i++)
        for (int a = 0; a < s->stmts[stmts[i]].n_accesses; a++) {
            const struct poly_access *x = &s->accesses[s->stmts[stmts[i]].first_access + a];
            if (x->whole || !x->n_subs) continue;
            int64_t last = 0;
            bool outer = false;
            for (int v = 0; v < n_vars; v++)
                for (int d = 0; d < x->n_subs; d++) {
                    int64_t c = x->sub[d].ok ? rg__poly_linear_coef(&x->sub[d], vars[v]) : 0;
                    if (d == x->n_subs - 1)
                        last = c ? c : last;
                    else
                        outer = outer || c;
                }
            /* a loop around it makes the access count more */
            int weight = s->stmts[stmts[i]].depth > k->n_dims + k->n_host ? 4 : 1;
            if (outer || last > 1 || last < -1)
                *far += weight * (x->write ? 2 : 1);
            else if (last)
                *unit += weight * (x->write ? 2 : 1);
        }
}

static int score(const struct poly_program *p, const struct poly_kernel *k, int dim)
{
    int vars[8], n = 0, unit, far;
    vars[n++] = p->scop->loops[k->dims[dim]].var;
    for (int j = 0; j < k->n_alias && n < 8; j++)
        if (k->alias[j].dim == dim) vars[n++] = p->scop->loops[k->alias[j].loop].var;
    rg__poly_stride_score(p, k, k->body, vars, n, &unit, &far);
    return unit - 2 * far;
}

void rg__poly_coalesce(struct poly_program *p, struct poly_kernel *k)
{
    int best = k->n_dims - 1, best_score = INT32_MIN;
    for (int d = k->n_dims - 1; d >= 0; d--)
        if (score(p, k, d) > best_score) {
            best_score = score(p, k, d);
            best = d;
        }
    /* the best on x, the others behind it from the innermost out */
    k->axis[best] = 0;
    int axis = 1;
    for (int d = k->n_dims - 1; d >= 0; d--)
        if (d != best) k->axis[d] = axis++;
    k->coalesced = true;
}

int rg__poly_dim_of_axis(const struct poly_kernel *k, int axis)
{
    int dim = -1;
    for (int d = 0; d < k->n_dims; d++)
        if (k->axis[d] == axis) dim = d;
    return dim;
}

int rg__poly_dim_at(const struct poly_scop *s, const struct poly_kernel *k, int var)
{
    for (int d = 0; d < k->n_dims; d++)
        if (s->loops[k->dims[d]].var == var) return d;
    for (int a = 0; a < k->n_alias; a++)
        if (s->loops[k->alias[a].loop].var == var) return k->alias[a].dim;
    return -1;
}

/* Phases share one block: as it is, or folded along the axes. All are powers of two. */
static void fold(const struct poly_kernel *k, const struct poly_values *v, int64_t threads[3])
{
    int64_t x = v->block, y = 1, wide = v->bx > 1 ? v->bx : 32;
    if (k->n_dims > 1) {
        for (x = 1; 2 * x <= wide && 2 * x <= v->block;) x *= 2;
        y = v->block / x;
    }
    if (k->n_dims > 2 && y > 4) y = 4;
    threads[0] = x;
    threads[1] = y;
    threads[2] = v->block / (x * y);
}

void rg__poly_threads_of(const struct poly_kernel *k, const struct poly_values *v, int64_t threads[3])
{
    if (k->region) {
        fold(k, v, threads);
        return;
    }
    const int64_t of[3] = {v->bx, v->by, v->bz};
    for (int a = 0; a < 3; a++) threads[a] = rg__poly_dim_of_axis(k, a) >= 0 ? of[a] : 1;
    if (k->n_dims == 1) threads[0] *= v->by * v->bz;
    if (k->n_dims == 2) threads[1] *= v->bz;
}

int64_t rg__poly_width(const struct poly_kernel *k, const struct poly_values *v)
{
    return v->width < k->wide ? v->width : k->wide;
}
