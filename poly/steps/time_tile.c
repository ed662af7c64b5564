/* time.tile: several iterations of a time loop around stencils a launch, on tiles with halos (overlapped_tile.h).
 *     for (t) { S1; S2; }   ->   for (t by STEPS) { tile<<<>>>(A, A_next, t); swap(A, A_next); }
 * Legal where the loop is an iterated stencil (iterated_stencil.h). Blocks read what others have not written yet, so an
 * array's new values go to a buffer beside it, which takes its place; one whose values an iteration always makes anew
 * (a fresh one), or that nothing reads, needs none: it is written behind the last iteration alone. */
#include "poly/steps/overlapped_tile.h"
#include "poly/steps/steps.h"
#include <string.h>

static const struct poly_time_start *start_of(const struct poly_stencil *st)
{
    struct poly_loop *l = &st->s->loops[st->loop];
    if (l->start) return l->start;
    l->start = rg_arena_alloc(&st->s->arena, sizeof *l->start);
    l->start->fits = rg__poly_time_start(st, &l->start->shape);
    return l->start;
}

/* Of the first such kernel: several share the tunables. NULL: there is none, or no tile fits a block. */
static const struct poly_time_tile *tile_of(const struct poly_program *p, struct poly_time_shape *start)
{
    const struct poly_time_tile *t = rg__poly_time_tile_of(p, rg__poly_time_kernel);
    const struct poly_time_start *from = t ? start_of(&t->stencil) : NULL;
    if (!t || !from->fits) return NULL;
    *start = from->shape;
    return t;
}

static const struct poly_time_way way = {.build = rg__poly_time_kernel, .draft = rg__poly_time_draft};

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    return rg__poly_time_apply(p, site, &way, why);
}

/* ---- tunables ---- */

static bool open_at(const struct poly_opening *o, struct poly_domain *d, bool points, int axis)
{
    static const int64_t threads[] = {1, 2, 4, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 48, 64, 128, 256, 512, 0},
                         box[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 0};
    struct poly_time_shape start;
    const struct poly_time_tile *t = tile_of(o->p, &start);
    if (!t || axis >= t->stencil.n_dims) return false;
    int dim = t->stencil.n_dims - 1 - axis, n = 0;
    *d = (struct poly_domain){.least = 1, .most = points ? TIME_TILE_POINTS : 1024, .own_start = true};
    d->start = points ? start.points[dim] : start.threads[dim];
    for (const int64_t *v = points ? box : threads; *v; v++) {
        if (*v > d->start && (!n || d->values[n - 1] < d->start)) d->values[n++] = d->start;
        if (*v * 4 >= d->start && *v <= d->start * 4 && n < POLY_MAX_DOMAIN - 2) d->values[n++] = *v;
    }
    return true;
}

static bool open_bx(const struct poly_opening *o, struct poly_domain *d)
{
    return open_at(o, d, false, 0);
}

static bool open_by(const struct poly_opening *o, struct poly_domain *d)
{
    return open_at(o, d, false, 1);
}

static bool open_bz(const struct poly_opening *o, struct poly_domain *d)
{
    return open_at(o, d, false, 2);
}

static bool open_rx(const struct poly_opening *o, struct poly_domain *d)
{
    return open_at(o, d, true, 0);
}

static bool open_ry(const struct poly_opening *o, struct poly_domain *d)
{
    return open_at(o, d, true, 1);
}

static bool open_rz(const struct poly_opening *o, struct poly_domain *d)
{
    return open_at(o, d, true, 2);
}

static bool open_steps(const struct poly_opening *o, struct poly_domain *d)
{
    struct poly_time_shape start;
    if (!tile_of(o->p, &start)) return false;
    *d = (struct poly_domain){.least = 1, .most = 16, .start = start.steps, .own_start = true};
    memcpy(d->values, rg__poly_time_steps, sizeof rg__poly_time_steps);
    return true;
}

/* How many of a tile's points along the dimension are halo, for each choice of STEPS. */
static const char *halo_text(struct rg_arena *a, const struct poly_stencil *st, int dim)
{
    const char *text = NULL;
    for (int i = TIME_TILE_STEPS - 1; i >= 0; i--) {
        int64_t below[STENCIL_DIMS], above[STENCIL_DIMS];
        rg__poly_stencil_halo(st, rg__poly_time_steps[i], below, above);
        long long n = below[dim] + above[dim];
        text = text ? rg_arena_printf(a, "STEPS <= %lld ? %lld : %s", (long long)rg__poly_time_steps[i], n, text)
                    : rg_arena_printf(a, "%lld", n);
    }
    return text;
}

/* What fits a block and leaves more of a tile than its halo. */
static void require_tile(const struct poly_opening *o, struct rg_arena *a, struct rg_tunables *t)
{
    static const char *const b[] = {"BX", "BY", "BZ"}, *const r[] = {"RX", "RY", "RZ"};
    struct poly_time_shape start;
    const struct poly_stencil *st = &tile_of(o->p, &start)->stencil;
    const char *threads = "1", *points = "1";
    for (int axis = 0; axis < st->n_dims; axis++) {
        threads = axis ? rg_arena_printf(a, "%s * %s", threads, b[axis]) : b[axis];
        points = axis ? rg_arena_printf(a, "%s * %s", points, r[axis]) : r[axis];
        rg__poly_require(
            a, t, rg_arena_printf(a, "%s * %s > (%s)", b[axis], r[axis], halo_text(a, st, st->n_dims - 1 - axis)));
    }
    long long words = 0; /* halves, those that little of is alive at once */
    for (int i = 0; i < st->n_arrays; i++)
        words += ((long long)rg_scalar_bytes(o->p->scop->tree->arrays[st->array[i].array].elem) + 3) / 4 *
                 (st->array[i].fresh >= 0 && st->array[i].restored ? 1 : 2);
    rg__poly_require(a, t, rg_arena_printf(a, "%s >= 32", threads));
    rg__poly_require(a, t, rg_arena_printf(a, "%s <= 1024", threads));
    rg__poly_require(a, t, rg_arena_printf(a, "%s <= %d", points, TIME_TILE_POINTS));
    rg__poly_require(
        a, t, rg_arena_printf(a, "%s * (%lld * %s / 2 + 20) <= %d", threads, words, points, TIME_TILE_REGISTERS));
}

static const struct poly_opens opens[] = {
    {.name = "BX", .open = open_bx},
    {.name = "BY", .open = open_by},
    {.name = "BZ", .open = open_bz},
    {.name = "RX", .open = open_rx},
    {.name = "RY", .open = open_ry},
    {.name = "RZ", .open = open_rz},
    {.name = "STEPS", .open = open_steps, .require = require_tile},
    {.name = NULL},
};

const struct poly_step rg__poly_step_time_tile = {
    POLY_STEP(time_tile),
    .when = POLY_ANY_TIME,
    .begins = true,
    .takes_over = true,
    .traits = RG_TRAIT_SHARED | RG_TRAIT_TIME_LOOP | RG_TRAIT_STENCIL,
    .apply = apply,
    .sites = rg__poly_time_sites,
    .opens = opens,
};
