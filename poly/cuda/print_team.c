/* The threads that share a point's loops, in print: their places, barriers, the point's variables; loops cut into parts
 * over the grid. */
#include "poly/cuda/print.h"
#include <string.h>

/* Where along its dimension the point stands, from the block's place and the thread's. */
static const char *place(struct poly_print *pr, int d)
{
    const char *b = rg__poly_block(pr, pr->k->axis[d]);
    if (pr->k->axis[d] == 0 && pr->k->team == POLY_TEAM_WARP)
        return rg__poly_printf(pr, "%s * (\1BLOCK / \1LANES) + threadIdx.x / \1LANES", b);
    return b;
}

static void point(struct poly_print *pr, int d)
{
    const struct poly_loop *l = &pr->s->loops[pr->k->dims[d]];
    const char *lo = rg__poly_dim_lower(pr, l->id, false), *type = rg__poly_index_type(pr, l->var), *idx = place(pr, d);
    bool sum = pr->k->axis[d] == 0 && pr->k->team == POLY_TEAM_WARP,
         wide = rg_scalar_bytes(pr->t->vars[l->var].type) > 4;
    if (wide && (l->step == 1 || l->step == -1)) /* an unsigned place must not decide the type of a sum with an int */
        idx = rg__poly_printf(pr, "(%s)(%s)", type, idx);
    if (l->step != 1 && l->step != -1)
        idx = rg__poly_printf(pr, sum ? "(%s)(%s) * %lld" : "(%s)%s * %lld", type, idx,
                              (long long)(l->step > 0 ? l->step : -l->step));
    if (strcmp(lo, "0") == 0 && l->step > 0)
        rg__poly_line(pr, "const %s %s = %s;", type, l->name, idx);
    else
        rg__poly_line(pr, "const %s %s = %s %c %s;", type, l->name, lo, l->step > 0 ? '+' : '-',
                      l->step > 0 ? idx : rg__poly_printf(pr, "(%s)(%s)", type, idx));
}

/* a < b the other way round; what has more in it in parentheses. */
static const char *negated(struct poly_print *pr, const char *condition)
{
    const char *less = strstr(condition, " < ");
    if (!less || strpbrk(condition, "&|?") || strpbrk(less + 3, "<>=")) return rg__poly_printf(pr, "!(%s)", condition);
    return rg__poly_printf(pr, "%.*s >= %s", (int)(less - condition), condition, less + 3);
}

void rg__poly_team_lines(struct poly_print *pr)
{
    rg__poly_block_lines(pr);
    if (pr->k->team == POLY_TEAM_WARP) {
        rg__poly_line(pr, "const int %s = threadIdx.x %% \1LANES;", rg__poly_lane(pr));
        rg__poly_line(pr, "const unsigned %s = (0xffffffffu >> (32 - \1LANES)) << (threadIdx.x %% 32 - %s);",
                      rg__poly_fresh(pr, "team"), rg__poly_lane(pr));
    }
    for (int d = 0; d < pr->k->n_dims; d++) point(pr, d);
    const char *guard = rg__poly_guard(pr);
    if (*guard) rg__poly_line(pr, "if (%s) return;", negated(pr, guard));
    rg__poly_aliases(pr);
}
