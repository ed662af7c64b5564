/* Shapes of overlapped tiles: what one takes of a multiprocessor, and which is fastest by estimate. */
#include "poly/steps/overlapped_tile.h"
#include <math.h>
#include <stdlib.h>
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
    for (int d = 0; d < n; d++) p *= v[d];
    return p;
}

/* The same in threads along each dimension; false: it is the thread's own. */
static bool box_of(const struct poly_stencil *st, const int64_t *points, int r, const int64_t *by, int64_t *whole,
                   int *number)
{
    int64_t at[STENCIL_DIMS];
    bool other = false;
    for (int d = st->n_dims - 1; d >= 0; d--) {
        at[d] = r % points[d] + by[d];
        r /= (int)points[d];
    }
    *number = 0;
    for (int d = 0; d < st->n_dims; d++) {
        whole[d] = at[d] / points[d] - (at[d] % points[d] < 0);
        *number = *number * (int)points[d] + (int)(at[d] - whole[d] * points[d]);
        other = other || whole[d];
    }
    return other;
}

static int64_t owner_of(const struct poly_stencil *st, const int64_t *threads, const int64_t *whole)
{
    int64_t owner = 0;
    for (int d = 0; d < st->n_dims; d++) owner = owner * threads[d] + whole[d];
    return owner;
}

int rg__poly_time_neighbour(const struct poly_stencil *st, const struct poly_time_shape *x, int r, const int64_t *by,
                            int64_t *owner)
{
    int64_t whole[STENCIL_DIMS];
    int number;
    box_of(st, x->points, r, by, whole, &number);
    *owner = owner_of(st, x->threads, whole);
    return number;
}

void rg__poly_time_slots(const struct poly_stencil *st, const struct poly_time_shape *x, struct poly_time_slots *out)
{
    int points = (int)product(x->points, st->n_dims);
    int64_t reach = 0;
    memset(out, 0, sizeof *out);
    memset(out->slot, -1, sizeof out->slot);
    for (int i = 0; i < st->n_accesses; i++)
        for (int r = 0; r < points; r++) {
            int64_t owner;
            const struct poly_stencil_access *a = &st->access[i];
            int at = rg__poly_time_neighbour(st, x, r, a->by, &owner);
            if (!owner) continue;
            out->slot[a->array][at] = 0;
            reach = llabs(owner) > reach ? llabs(owner) : reach;
        }
    for (int a = 0; a < st->n_arrays; a++)
        for (int r = 0; r < points; r++)
            if (!out->slot[a][r]) out->slot[a][r] = out->n[a]++;
    int64_t threads = product(x->threads, st->n_dims);
    out->beyond = (reach + threads - 1) / threads;
}

static size_t bytes_of(const struct poly_stencil *st, int array)
{
    size_t n = rg_scalar_bytes(st->s->tree->arrays[st->array[array].array].elem);
    return n ? n : 4;
}

/* Of what an iteration makes anew little is alive at once: row by row it takes the place of what it is made from. */
int64_t rg__poly_time_registers(const struct poly_stencil *st, const struct poly_time_shape *x)
{
    enum { BESIDE = 24, FOR_ARRAY = 12 }; /* addresses and bits; neighbours' elements on their way */
    double words = 0;
    int64_t beside = BESIDE;
    for (int a = 0; a < st->n_arrays; a++) {
        bool anew = rg__poly_stencil_anew(&st->array[a]);
        words += (double)bytes_of(st, a) / 4 * (anew ? 0.4 : 1);
        beside += anew ? 0 : FOR_ARRAY;
    }
    return ((int64_t)ceil(words * (double)product(x->points, st->n_dims)) + beside) * product(x->threads, st->n_dims);
}

/* ---- the start: a small model of a launch ---- */

/* Of an H200, by the times of 109 tiles of three stencils: multiprocessors, clocks a microsecond; microseconds of a
 * launch in a row; bytes a clock that a multiprocessor moves to and from L2, and in shared memory; clocks in which
 * threads wait for each other; warps that keep its schedulers busy; issue slots of an operation, as many are fused;
 * the share of a thread's registers from which on the compiler has too few, and how much longer that takes. */
static const double UNITS = 132, CLOCK = 1750, LAUNCH = 5, L2_BYTES = 50, SHARED_BYTES = 84, MEET = 40, WARPS = 10,
                    SLOTS = 0.6, TIGHT = 0.8, SPILLS = 3.5;

struct extents {
    double n[STENCIL_DIMS];
    double operations; /* of a point and iteration, in issue slots of a warp */
    double sweeps;
};

static double operations(const struct rg_cnode *n)
{
    double sum = 0;
    if (!n || n->kind == RG_C_INDEX || n->kind == RG_C_VAR) return 0;
    for (int i = 0; i < n->n; i++) sum += operations(n->kid[i]);
    bool divides = n->op == RG_COP_DIV || n->op == RG_COP_DIV_SET;
    switch (n->kind) {
    case RG_C_CALL:
        return sum + 20;
    case RG_C_BINARY:
    case RG_C_UNARY:
    case RG_C_COND:
        return sum + (divides ? 10 : 1);
    case RG_C_ASSIGN:
        return sum + (divides ? 10 : n->op != RG_COP_SET);
    default:
        return sum;
    }
}

static void weigh(const struct poly_stencil *st, struct extents *e)
{
    for (int i = 0; i < st->n_sweeps; i++) {
        bool few = st->sweep[i].everywhere || rg__poly_stencil_line(st, &st->sweep[i]);
        for (int k = 0; k < st->sweep[i].n_items && !few; k++)
            e->operations += operations(st->sweep[i].item[k]->kid[0]) + 2;
        e->sweeps += !few;
    }
}

/* At the first size; a million points where it does not say. */
static void extents_of(const struct poly_stencil *st, struct extents *e)
{
    const struct rg_problem *p = st->s->problem;
    struct rg_problem_env env;
    *e = (struct extents){.operations = 0};
    weigh(st, e);
    if (p->n_sizes) rg_problem_env_init(&env, p, &p->sizes[0]);
    for (int a = 0; a < st->n_arrays && p->n_sizes; a++)
        for (int d = 0; d < st->n_dims; d++) {
            int64_t v;
            if (rg_expr_eval(st->s->tree->arrays[st->array[a].array].dims[d], &env.env, &v, NULL) == RG_OK)
                e->n[d] = fmax(e->n[d], (double)v);
        }
    for (int d = 0; d < st->n_dims; d++)
        if (e->n[d] < 1) e->n[d] = pow(1e6, 1.0 / st->n_dims);
}

/* What a shape takes, whatever the number of iterations. */
struct taken {
    double points, warps, together, issue, shared_bytes, bytes;
};

/* What neighbours read of a box of so many points, whatever the threads: elements of each array, and whose boxes. */
enum { MOST_OWNERS = 128 };
struct seam {
    bool known;
    int n[STENCIL_ARRAYS], n_owners;
    int read[STENCIL_ARRAYS]; /* elements of other threads' boxes that a thread reads */
    int64_t owner[MOST_OWNERS][STENCIL_DIMS];
};

/* Its number; those too many share the last one. */
static int note_owner(const struct poly_stencil *st, struct seam *s, const int64_t *whole)
{
    for (int i = 0; i < s->n_owners; i++)
        if (!memcmp(s->owner[i], whole, (size_t)st->n_dims * sizeof *whole)) return i;
    if (s->n_owners == MOST_OWNERS) return MOST_OWNERS - 1;
    memcpy(s->owner[s->n_owners], whole, (size_t)st->n_dims * sizeof *whole);
    return s->n_owners++;
}

static void find_seam(const struct poly_stencil *st, const int64_t *points, struct seam *s)
{
    bool read[STENCIL_ARRAYS][TIME_TILE_POINTS] = {{false}};
    uint64_t by[STENCIL_ARRAYS][TIME_TILE_POINTS][MOST_OWNERS / 64] = {{{0}}};
    int n = (int)product(points, st->n_dims);
    s->known = true;
    for (int i = 0; i < st->n_accesses; i++)
        for (int r = 0; r < n; r++) {
            const struct poly_stencil_access *a = &st->access[i];
            int64_t whole[STENCIL_DIMS];
            int number;
            if (!box_of(st, points, r, a->by, whole, &number)) continue;
            s->n[a->array] += !read[a->array][number];
            read[a->array][number] = true;
            int owner = note_owner(st, s, whole);
            uint64_t *seen = &by[a->array][number][owner / 64], bit = (uint64_t)1 << owner % 64;
            s->read[a->array] += !(*seen & bit);
            *seen |= bit;
        }
}

static int64_t rows_beyond(const struct poly_stencil *st, const struct seam *s, const int64_t *threads)
{
    int64_t reach = 0, all = product(threads, st->n_dims);
    for (int i = 0; i < s->n_owners; i++) {
        int64_t owner = llabs(owner_of(st, threads, s->owner[i]));
        reach = owner > reach ? owner : reach;
    }
    return (reach + all - 1) / all;
}

static bool take(const struct poly_stencil *st, const struct extents *e, const struct poly_time_shape *x,
                 struct seam *seam, struct taken *t)
{
    int64_t threads = product(x->threads, st->n_dims), registers = rg__poly_time_registers(st, x), shared = 0;
    double words = 0, apart = (double)x->points[st->n_dims - 1]; /* elements between those of neighbouring threads */
    int64_t most = TIME_TILE_REGISTERS / threads / 8 * 8;        /* of a thread: they come in eights */
    most = most < 255 ? most : 255;
    if (registers / threads > most) return false;
    t->warps = ceil((double)threads / 32);
    t->points = t->warps * 32 * (double)product(x->points, st->n_dims);
    t->shared_bytes = t->bytes = 0;
    if (!seam->known) find_seam(st, x->points, seam);
    int64_t beyond = rows_beyond(st, seam, x->threads);
    for (int a = 0; a < st->n_arrays; a++) {
        double size = (double)bytes_of(st, a);
        bool moved = st->array[a].fresh < 0 && !st->array[a].unread;
        shared += seam->n[a] ? (seam->n[a] + 2 * beyond) * threads * (int64_t)size : 0;
        t->shared_bytes += (0.4 * seam->n[a] + 1.3 * seam->read[a]) * size * t->warps * 32;
        t->bytes +=
            moved * size * (1 + 0.12 * apart) + (moved && st->array[a].written) * 0.8 * size * fmin(apart, 32 / size);
        words += size / 4;
    }
    t->together = fmin(
        fmin(floor((double)TIME_TILE_REGISTERS / (double)registers), floor(TIME_TILE_SHARED / fmax((double)shared, 1))),
        floor(64 / t->warps));
    double tight = (double)registers / (double)threads / (double)most - TIGHT;
    t->issue = t->points / 32 * SLOTS * e->operations * (words > st->n_arrays ? 2 : 1) * (1 + SPILLS * fmax(0, tight));
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
        if (inner < 1) return INFINITY;
        blocks *= ceil(e->n[d] / inner);
    }
    double waves = ceil(blocks / UNITS), busy = fmin(1, t->warps * fmin(t->together, waves) / WARPS);
    double sweeps = fmax(t->issue / 4 / busy, t->shared_bytes / SHARED_BYTES) + MEET * e->sweeps;
    return (waves * ((double)h->steps * sweeps + t->points * t->bytes / L2_BYTES) / CLOCK + LAUNCH) / (double)h->steps;
}

enum { MOST_CHOICES = 20, MOST_POINTS = 40 };
/* Along one dimension: threads, points of each. */
static const int64_t choices[2][2][MOST_CHOICES] = {
    {{1, 2, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 48, 64, 128, 256}, {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16}},
    {{1, 2, 4, 6, 7, 8, 10, 12, 14, 16, 32, 64}, {1, 2, 3, 4, 6, 7, 8}}}; /* of three dimensions */

static int count(const int64_t *v)
{
    int n = 0;
    while (n < MOST_CHOICES && v[n]) n++;
    return n;
}

struct search {
    const struct poly_stencil *st;
    struct extents e;
    struct halo halo[TIME_TILE_STEPS];
    struct poly_time_shape x, best;
    struct seam *seams; /* by which points were chosen */
    int chosen;
    double least;
};

static void try_shape(struct search *s, int64_t threads)
{
    struct taken t;
    if (threads < 32 || s->x.threads[s->st->n_dims - 1] < 7 || !take(s->st, &s->e, &s->x, &s->seams[s->chosen], &t))
        return;
    for (int k = 0; k < TIME_TILE_STEPS; k++) {
        double us = time_of(s->st, &s->e, &s->x, &t, &s->halo[k]);
        s->x.steps = s->halo[k].steps;
        s->best = us < s->least ? s->x : s->best;
        s->least = fmin(s->least, us);
    }
}

static void try_dims(struct search *s, int d, int64_t threads, int64_t points)
{
    const int64_t(*c)[MOST_CHOICES] = choices[s->st->n_dims == STENCIL_DIMS];
    if (d == s->st->n_dims) {
        try_shape(s, threads);
        return;
    }
    int before = s->chosen;
    for (int i = 0; i < count(c[0]); i++)
        for (int k = 0; k < count(c[1]); k++) {
            int64_t whole = c[0][i] * c[1][k];
            s->x.threads[d] = c[0][i];
            s->x.points[d] = c[1][k];
            s->chosen = before * count(c[1]) + k;
            if (threads * c[0][i] <= 1024 && points * c[1][k] <= MOST_POINTS && whole > s->halo[0].of[d] &&
                (double)whole < 2 * s->e.n[d] + 64 && (d + 1 < s->st->n_dims || c[1][k] <= 8))
                try_dims(s, d + 1, threads * c[0][i], points * c[1][k]);
        }
}

bool rg__poly_time_start(const struct poly_stencil *st, struct poly_time_shape *best)
{
    struct search s = {.st = st, .least = INFINITY};
    extents_of(st, &s.e);
    for (int k = 0; k < TIME_TILE_STEPS; k++) {
        int64_t below[STENCIL_DIMS], above[STENCIL_DIMS];
        s.halo[k].steps = rg__poly_time_steps[k];
        rg__poly_stencil_halo(st, s.halo[k].steps, below, above);
        for (int d = 0; d < st->n_dims; d++) s.halo[k].of[d] = below[d] + above[d];
    }
    size_t n_seams = 1;
    for (int d = 0; d < st->n_dims; d++) n_seams *= (size_t)count(choices[st->n_dims == STENCIL_DIMS][1]);
    s.seams = rg_xcalloc(n_seams, sizeof *s.seams);
    try_dims(&s, 0, 1, 1);
    free(s.seams);
    *best = s.best;
    return s.least < INFINITY;
}

double rg__poly_time_draft(const struct poly_program *p, const struct poly_kernel *k, const struct poly_values *v)
{
    const struct poly_stencil *st = &((const struct poly_time_tile *)k->kir_data)->stencil;
    struct poly_time_shape x = rg__poly_time_shape_of(st, v);
    struct extents e;
    struct taken t;
    struct halo h = {.steps = x.steps};
    int64_t below[STENCIL_DIMS], above[STENCIL_DIMS], points = product(x.points, st->n_dims);
    struct seam *seam = rg_xcalloc(1, sizeof *seam);
    extents_of(st, &e);
    rg__poly_stencil_halo(st, x.steps, below, above);
    for (int d = 0; d < st->n_dims; d++) h.of[d] = below[d] + above[d];
    bool fits = points <= TIME_TILE_POINTS && product(x.threads, st->n_dims) <= 1024 && take(st, &e, &x, seam, &t);
    double us = fits ? time_of(st, &e, &x, &t, &h) : 0;
    free(seam);
    return isfinite(us) ? us : 0;
}
