/* Where the time of a run goes: the model's clock around each launch, or marks on a real device. A result whose time
 * passes in one thread, or in one block, is told by that, however many threads a copy beside it has. */
#include "runtime/measure/runner.h"
#include <math.h>
#include <stdlib.h>

/* What a launch of a few statements takes: no time that more threads would shorten. */
static const double IDLE_US = 4;
/* Marks of their own, above those of samples. */
enum { FIRST_MARK = 1 << 14, MAX_WATCHED = 4096 };

void rg__watch(struct rg_exec *x)
{
    rg__watch_release(x);
    x->watch.n = x->l->program->n_kernels;
    x->watch.kernels = rg_xcalloc((size_t)x->watch.n + 1, sizeof *x->watch.kernels);
    if (!x->r->device.clock) x->watch.marks = rg_xcalloc(MAX_WATCHED, sizeof *x->watch.marks);
}

void rg__watch_release(struct rg_exec *x)
{
    free(x->watch.kernels);
    free(x->watch.marks);
    x->watch = (struct rg_watch){.n = 0};
}

static void add(struct rg_exec *x, int kernel, double threads, bool one_block, double us)
{
    struct rg_watched *w = &x->watch.kernels[kernel];
    us = fmax(us, 0);
    w->us += us;
    us = fmax(us - IDLE_US, 0);
    if (threads <= 1)
        w->lone_us += us;
    else if (one_block)
        w->block_us += us;
}

void rg__watch_launch(struct rg_exec *x, const struct rg_plan_launch *l, double us)
{
    if (l->kernel < 0 || l->kernel >= x->watch.n) return;
    double blocks = 1, block = 1;
    for (int i = 0; i < 3; i++) {
        blocks *= (double)l->grid[i];
        block *= (double)l->block[i];
    }
    struct rg_watched *w = &x->watch.kernels[l->kernel];
    if (blocks * block > w->threads) {
        w->threads = blocks * block;
        w->block = (int64_t)block;
        w->shared = l->shared_bytes;
    }
    if (us >= 0)
        add(x, l->kernel, blocks * block, blocks <= 1, us);
    else
        x->watch.marks[x->watch.n_marks++] = (struct rg_mark){l->kernel, blocks * block, blocks <= 1};
}

bool rg__watch_marks(const struct rg_exec *x)
{
    return x->watch.marks && x->watch.n_marks < MAX_WATCHED;
}

enum rg_status rg__watch_mark(struct rg_exec *x, bool end, struct rg_error *err)
{
    struct rg_device *d = &x->r->device;
    return d->mark(d->self, FIRST_MARK + 2 * x->watch.n_marks + end, err);
}

enum rg_status rg__watch_read(struct rg_exec *x, struct rg_error *err)
{
    struct rg_device *d = &x->r->device;
    enum rg_status s = RG_OK;
    for (int i = 0; i < x->watch.n_marks && s == RG_OK && x->fault.outcome == RG_OUTCOME_OK; i++) {
        const struct rg_mark *m = &x->watch.marks[i];
        double us = 0;
        s = d->elapsed(d->self, FIRST_MARK + 2 * i, FIRST_MARK + 2 * i + 1, &us, &x->fault, err);
        if (s == RG_OK) add(x, m->kernel, m->threads, m->one_block, us - x->r->empty_us);
    }
    free(x->watch.marks); /* later runs of the plan are samples */
    x->watch.marks = NULL;
    x->watch.n_marks = 0;
    return s;
}

int rg__watch_main(const struct rg_exec *x)
{
    int best = -1;
    for (int i = 0; i < x->watch.n; i++)
        if (x->watch.kernels[i].threads > 0 && (best < 0 || x->watch.kernels[i].us > x->watch.kernels[best].us))
            best = i;
    return best;
}
