/* How long a program would take, roughly, at the size that is timed: launches, what one thread does one after the other,
 * and what all do together. Good to a factor of a few: to tell orders of a nest apart, never to rank kernels. */
#include "poly/kernel.h"
#include <string.h>

/* Microseconds: a launch within a graph, a statement of a thread that waits for its operands, a barrier; statements a
 * microsecond of a whole device. */
static const double LAUNCH = 3, STATEMENT = 0.04, BARRIER = 0.6, DEVICE = 60000, BLOCK_THREADS = 256;

static bool listed(const int *v, int n, int x)
{
    for (int i = 0; i < n; i++)
        if (v[i] == x)
            return true;
    return false;
}

static double kernel_time(const struct poly_program *p, const struct poly_kernel *k)
{
    const struct poly_scop *s = p->scop;
    int stmts[256], n = rg__poly_knode_stmts(s, k->body, stmts, 256), around[POLY_MAX_DEPTH + 4], n_around = 0;
    double launches = rg__poly_passes(s, k->host, k->n_host), work = 0, dealt = 0, barriers = 0;
    for (int h = 0; h < k->n_host; h++)
        around[n_around++] = k->host[h];
    for (int d = 0; d < k->n_dims; d++)
        around[n_around++] = k->dims[d];
    double points = rg__poly_passes(s, around, n_around) / launches;
    points = points > 1 ? points : 1;
    for (int i = 0; i < n; i++) {
        const struct poly_stmt *st = &s->stmts[stmts[i]];
        int all[2 * POLY_MAX_DEPTH + 4], n_all = n_around;
        memcpy(all, around, sizeof *all * (size_t)n_around);
        for (int d = 0; d < st->depth; d++) {
            bool fused = false;
            for (int a = 0; a < k->n_alias; a++)
                fused = fused || k->alias[a].loop == st->loops[d];
            if (!fused && !listed(around, n_around, st->loops[d]))
                all[n_all++] = st->loops[d];
        }
        double runs = rg__poly_passes(s, all, n_all) / launches / points;
        double times = n_all > n_around ? rg__poly_passes(s, all, n_all - 1) / launches / points : runs, trip = runs / times;
        work += runs;
        dealt += runs / (trip < BLOCK_THREADS ? trip : BLOCK_THREADS); /* in a block the innermost loop is */
        barriers += times;
    }
    double lone = work * STATEMENT, together = points * work / DEVICE;
    if (k->form == POLY_BLOCK || k->form == POLY_PARTIAL || k->form == POLY_FINAL)
        lone = dealt * STATEMENT + barriers * BARRIER;
    return launches * (LAUNCH + (lone > together ? lone : together));
}

double rg__poly_program_time(const struct poly_program *p)
{
    double us = 0;
    for (int i = 0; i < p->n_kernels; i++)
        if (!p->kernels[i].last_resort)
            us += kernel_time(p, &p->kernels[i]);
    return us;
}
