/* Shapes of overlapped tiles: what one takes of a multiprocessor, and which is fastest by estimate. */
#include "poly/steps/overlapped_tile.h"
#include <math.h>
#include <string.h>

const int64_t rg__poly_time_steps[TIME_TILE_STEPS] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16};

struct poly_time_shape rg__poly_time_shape_of(const struct poly_stencil *st, const struct poly_values *v)
{
    const int64_t threads[] = {v->bx, v->by, v->bz}, points[] = {v->rx, v->ry, v->rz};
    struct poly_time_shape x = {.steps = v->steps};
    for (int d = 0; d < st->n_dims; d++) {
        x.threads[d] = threads[st->n_dims - 1 - d];
        x.points[d] = points[st->n_dims - 1 - d];
    }
    return x;
}

static int64_t product(const int64_t *v, int n)
{
    int64_t p = 1;
    for (int d = 0; d < n; d++)
        p *= v[d];
    return p;
}

int rg__poly_time_neighbour(const struct poly_stencil *st, const struct poly_time_shape *x, int r, const int64_t *by,
                            int64_t *owner)
{
    int64_t at[STENCIL_DIMS], number = 0;
    for (int d = st->n_dims - 1; d >= 0; d--) {
        at[d] = r % x->points[d] + by[d];
        r /= (int)x->points[d];
    }
    *owner = 0;
    for (int d = 0; d < st->n_dims; d++) {
        int64_t whole = at[d] / x->points[d] - (at[d] % x->points[d] < 0);
        *owner = *owner * x->threads[d] + whole;
        number = number * x->points[d] + (at[d] - whole * x->points[d]);
    }
    return (int)number;
}

void rg__poly_time_slots(const struct poly_stencil *st, const struct poly_time_shape *x, struct poly_time_slots *out)
{
    int points = (int)product(x->points, st->n_dims);
    memset(out, 0, sizeof *out);
    memset(out->slot, -1, sizeof out->slot);
    for (int i = 0; i < st->n_accesses; i++)
        for (int r = 0; r < points; r++) {
            int64_t owner;
            const struct poly_stencil_access *a = &st->access[i];
            int at = rg__poly_time_neighbour(st, x, r, a->by, &owner);
            if (!owner)
                continue;
            out->slot[a->array][at] = 0;
            out->reach = llabs(owner) > out->reach ? llabs(owner) : out->reach;
        }
    for (int a = 0; a < st->n_arrays; a++)
        for (int r = 0; r < points; r++)
            if (!out->slot[a][r])
                out->slot[a][r] = out->n[a]++;
}

static size_t bytes_of(const struct poly_stencil *st, int array)
{
    size_t n = rg_scalar_bytes(st->s->tree->arrays[st->array[array].array].elem);
    return n ? n : 4;
}

int64_t rg__poly_time_registers(const struct poly_stencil *st, const struct poly_time_shape *x)
{
    enum { BESIDE = 28 }; /* addresses, masks, a sum on its way */
    int64_t words = 0;
    for (int a = 0; a < st->n_arrays; a++)
        words += ((int64_t)bytes_of(st, a) + 3) / 4;
    return (words * product(x->points, st->n_dims) + BESIDE) * product(x->threads, st->n_dims);
}

/* ---- the start: a small model of a launch ---- */

/* Of an H200: multiprocessors, clocks a microsecond, microseconds of a launch in a row; bytes a clock that a
 * multiprocessor gets out of L2, and out of shared memory; clocks in which threads wait for each other. */
static const double UNITS = 132, CLOCK = 1700, LAUNCH = 2.5, L2_BYTES = 24, SHARED_BYTES = 128, MEET = 60,
                    LEAST_WARPS = 12; /* that keep the four schedulers busy */

struct extents {
    double n[STENCIL_DIMS];
    double operations; /* of a point and iteration, in issue slots of a warp */
};

static double weight(const struct poly_stencil *st)
{
    double w = 0;
    for (int i = 0; i < st->n_sweeps; i++) {
        bool line = st->sweep[i].everywhere;
        for (int d = 0; d < st->n_dims; d++)
            line = line || st->sweep[i].loop[d] < 0; /* few points */
        for (int k = 0; k < st->sweep[i].n_items && !line; k++)
            w += (double)rg__c_size(st->sweep[i].item[k]) / 4 + 2;
    }
    return w;
}

/* At the first size; a million points where it does not say. */
static void extents_of(const struct poly_stencil *st, struct extents *e)
{
    const struct rg_problem *p = st->s->problem;
    struct rg_problem_env env;
    *e = (struct extents){.operations = weight(st)};
    if (p->n_sizes)
        rg_problem_env_init(&env, p, &p->sizes[0]);
    for (int a = 0; a < st->n_arrays && p->n_sizes; a++)
        for (int d = 0; d < st->n_dims; d++) {
            int64_t v;
            if (rg_expr_eval(st->s->tree->arrays[st->array[a].array].dims[d], &env.env, &v, NULL) == RG_OK)
                e->n[d] = fmax(e->n[d], (double)v);
        }
    for (int d = 0; d < st->n_dims; d++)
        if (e->n[d] < 1)
            e->n[d] = pow(1e6, 1.0 / st->n_dims);
}

/* What a shape takes, whatever the number of iterations. */
struct taken {
    double points, threads, together, issue, shared_bytes, bytes;
};

static bool take(const struct poly_stencil *st, const struct extents *e, const struct poly_time_shape *x, struct taken *t)
{
    struct poly_time_slots slots;
    int64_t threads = product(x->threads, st->n_dims), registers = rg__poly_time_registers(st, x), shared = 0;
    double words = 0;
    if (registers > TIME_TILE_REGISTERS || registers / threads > 255)
        return false;
    *t = (struct taken){.points = (double)(threads * product(x->points, st->n_dims)), .threads = (double)threads};
    rg__poly_time_slots(st, x, &slots);
    for (int a = 0; a < st->n_arrays; a++) {
        double size = (double)bytes_of(st, a);
        shared += slots.n[a] * (threads + 2 * slots.reach) * (int64_t)size;
        t->shared_bytes += 2.5 * slots.n[a] * size * (double)threads; /* stored by one, read by about one neighbour */
        t->bytes += size * (st->array[a].written && st->array[a].fresh < 0 ? 2 : st->array[a].fresh < 0 ? 1 : 0.1);
        words += size / 4;
    }
    t->together = fmin(fmin(floor((double)TIME_TILE_REGISTERS / (double)registers),
                            floor(TIME_TILE_SHARED / fmax((double)shared, 1))),
                       floor(2048.0 / t->threads));
    t->issue = t->points / 32 * e->operations * (words > st->n_arrays ? 2 : 1);
    return shared <= TIME_TILE_SHARED;
}

struct halo {
    int64_t steps, of[STENCIL_DIMS];
};

/* Microseconds of an iteration; INFINITY: the halo leaves nothing. */
static double time_of(const struct poly_stencil *st, const struct extents *e, const struct poly_time_shape *x,
                      const struct taken *t, const struct halo *h)
{
    double blocks = 1;
    for (int d = 0; d < st->n_dims; d++) {
        double inner = (double)(x->threads[d] * x->points[d] - h->of[d]);
        if (inner < 1)
            return INFINITY;
        blocks *= ceil(e->n[d] / inner);
    }
    double waves = ceil(blocks / UNITS), warps = t->threads / 32;
    double issue = t->issue / fmin(4, warps * fmin(t->together, waves) / LEAST_WARPS * 4);
    double sweep = fmax(issue, t->shared_bytes / SHARED_BYTES) + MEET * st->n_sweeps;
    return (waves * ((double)h->steps * sweep + t->points * t->bytes / L2_BYTES) / CLOCK + LAUNCH) / (double)h->steps;
}

bool rg__poly_time_start(const struct poly_stencil *st, struct poly_time_shape *best)
{
    static const int64_t threads[] = {1, 2, 4, 8, 16, 32, 64, 128, 256}, points[] = {1, 2, 3, 4, 6, 7, 8, 12, 16};
    enum { N = 9, ALL = N * N };
    struct extents e;
    struct halo halo[TIME_TILE_STEPS];
    double least = INFINITY;
    int total = 1;
    extents_of(st, &e);
    for (int k = 0; k < TIME_TILE_STEPS; k++) {
        int64_t below[STENCIL_DIMS], above[STENCIL_DIMS];
        halo[k].steps = rg__poly_time_steps[k];
        rg__poly_stencil_halo(st, halo[k].steps, below, above);
        for (int d = 0; d < st->n_dims; d++)
            halo[k].of[d] = below[d] + above[d];
    }
    for (int d = 0; d < st->n_dims; d++)
        total *= ALL;
    for (int i = 0; i < total; i++) {
        struct poly_time_shape x = {0};
        struct taken t;
        int64_t all = 1, box = 1;
        int left = i, inner = st->n_dims - 1;
        bool sound = true;
        for (int d = 0; d < st->n_dims && sound; d++, left /= ALL) {
            x.threads[d] = threads[left % N];
            x.points[d] = points[left % ALL / N];
            all *= x.threads[d];
            box *= x.points[d];
            sound = all <= 1024 && box <= TIME_TILE_POINTS && x.threads[d] * x.points[d] > halo[0].of[d] &&
                    (double)(x.threads[d] * x.points[d]) < 2 * e.n[d] + 64;
        }
        if (!sound || all < 64 || all % 32 || box < 4 || x.threads[inner] < 8 || x.points[inner] > 8 ||
            !take(st, &e, &x, &t))
            continue;
        for (int k = 0; k < TIME_TILE_STEPS; k++) {
            double us = time_of(st, &e, &x, &t, &halo[k]);
            x.steps = halo[k].steps;
            *best = us < least ? x : *best;
            least = fmin(least, us);
        }
    }
    return least < INFINITY;
}
