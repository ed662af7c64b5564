/* row.registers: a row is read once, kept in the registers of a warp or of a block's threads while every loop over it
 * runs on them, and written once.
 *     for r { m = max over c of x[r][c]; s = sum over c of exp(x[r][c] - m); for c y[r][c] = exp(x[r][c] - m) / s; }
 * becomes: each thread loads its places of row r, 16 bytes at a time; combines them, by shuffles and, between warps, by
 * shared memory; and stores what it made of them. */
#include "poly/kernel/rows.h"
#include "poly/steps/steps.h"
#include <string.h>

static struct kir_kernel *build(const struct poly_program *p, const struct poly_kernel *k, const struct poly_values *v,
                                struct rg_arena *arena, struct rg_reason *why)
{
    struct poly_row_shape shape = {.threads = (int)v->row,
                                   .held = (int)v->held,
                                   .rows = v->row == 32 ? (int)v->rows : 1,
                                   .min_blocks = k->launch_bounds && v->min_blocks > 1 ? (int)v->min_blocks : 0};
    return rg__poly_row_kernel(p, k, &shape, arena, why);
}

struct row_data {
    int64_t length; /* of a row at the size that is timed */
    int64_t bytes;  /* of a place, in registers */
};

static const int64_t held_values[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
enum { N_HELD = sizeof held_values / sizeof *held_values, REGISTER_BYTES = 512, START_BYTES = 256 };

/* How many elements a thread may hold in so many bytes of registers, of those values. */
static int64_t most_held(const struct row_data *x, int64_t bytes)
{
    int h = 0;
    while (h + 1 < N_HELD && held_values[h + 1] * x->bytes <= bytes) h++;
    return held_values[h];
}

static void starts(const struct row_data *x, struct poly_values *v)
{
    int h = 0;
    int64_t most = most_held(x, START_BYTES) < 32 ? most_held(x, START_BYTES) : 32;
    for (v->row = 32; v->row < 1024 && v->row * most < x->length;) v->row *= 2;
    while (h + 1 < N_HELD && v->row * held_values[h] < x->length) h++;
    v->held = held_values[h];
    v->rows = v->row == 32 ? 4 : 1;
}

/* Is the row as long at every size that the function is ever called with? */
static bool always_as_long(const struct poly_scop *s, const struct poly_row *r)
{
    const struct poly_linear *ends[] = {&r->first, &r->end};
    int64_t v;
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < ends[e]->n; i++)
            if (!rg_problem_fixed(s->problem, s->tree->vars[ends[e]->term[i].var].param, &v)) return false;
    return true;
}

static bool suits(const struct poly_kernel *k)
{
    return (k->form == POLY_THREADS || (k->form == POLY_BLOCK && !k->resident)) && !k->region && k->partner < 0 &&
           !k->n_staged && !k->coarsened && !k->n_scans && !k->last_resort;
}

static bool take(struct poly_program *p, int at, struct rg_reason *why)
{
    struct poly_row r;
    struct rg_reason text = {0};
    struct poly_values v = rg__poly_trial;
    if (!rg__poly_row_of(p, &p->kernels[at], &r, why)) return false;
    struct row_data *x = rg_arena_alloc(&p->arena, sizeof *x);
    x->length = p->scop->problem->n_sizes ? rg__poly_row_length(p->scop, &r, &p->scop->problem->sizes[0]) : 1024;
    for (int a = 0; a < r.n_arrays; a++)
        x->bytes += (int64_t)rg_scalar_bytes(p->scop->tree->arrays[r.arrays[a].array].elem);
    starts(x, &v);
    if (x->length < 1 || v.row * v.held < x->length || v.held > most_held(x, REGISTER_BYTES)) {
        rg_refuse(why, RG_REFUSE_SPACE, 0, "a row of %lld elements does not fit the registers of a block",
                  (long long)x->length);
        return false;
    }
    struct poly_kernel was = p->kernels[at], *k = &p->kernels[at];
    if (!always_as_long(p->scop, &r)) { /* what runs where rows are longer */
        if (p->n_kernels == POLY_MAX_KERNELS) {
            rg_refuse(why, RG_REFUSE_SPACE, 0, "too many kernels");
            return false;
        }
        if (k->form == POLY_THREADS) rg__poly_reduce_loop(p, r.loops[0].k->loop, &text);
        p->kernels[p->n_kernels] = *k;
        p->kernels[p->n_kernels].last_resort = true;
        was.otherwise = p->n_kernels++;
    }
    *k = was;
    k->form = POLY_KIR;
    k->team = POLY_TEAM_BLOCK;
    k->grid_stride = false;
    k->kir = build;
    k->kir_data = x;
    rg__poly_assign_homes(p);
    return rg__poly_kir_holds(p, k, &v, why);
}

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    int done = 0, n = p->n_kernels;
    (void)site;
    rg_refuse(why, RG_REFUSE_SHAPE, 0, "no kernel goes over the rows of an array in several loops");
    for (int i = 0; i < n; i++)
        if (suits(&p->kernels[i])) {
            struct poly_kernel was = p->kernels[i];
            int kernels = p->n_kernels;
            bool ok = take(p, i, why);
            done += ok;
            if (ok) continue;
            p->kernels[i] = was;
            p->n_kernels = kernels;
            rg__poly_assign_homes(p);
        }
    return done > 0;
}

static bool is_row(const struct poly_kernel *k)
{
    return k->form == POLY_KIR && k->kir == build;
}

/* The longest row of all. */
static bool longest(const struct poly_program *p, struct row_data *x)
{
    *x = (struct row_data){0, 0};
    for (int i = 0; i < p->n_kernels; i++) {
        const struct row_data *o = p->kernels[i].kir_data;
        if (!is_row(&p->kernels[i])) continue;
        x->length = o->length > x->length ? o->length : x->length;
        x->bytes = o->bytes > x->bytes ? o->bytes : x->bytes;
    }
    return x->length > 0;
}

static bool open_row(const struct poly_opening *o, struct poly_domain *d)
{
    struct row_data x;
    struct poly_values v;
    if (!longest(o->p, &x)) return false;
    starts(&x, &v);
    *d = (struct poly_domain){.least = 32,
                              .most = 1024,
                              .start = v.row,
                              .own_start = true,
                              .power = true,
                              .values = {32, 64, 128, 256, 512, 1024}};
    return true;
}

static bool open_held(const struct poly_opening *o, struct poly_domain *d)
{
    struct row_data x;
    struct poly_values v;
    if (!longest(o->p, &x)) return false;
    starts(&x, &v);
    *d = (struct poly_domain){.least = 1, .most = most_held(&x, REGISTER_BYTES), .start = v.held, .own_start = true};
    memcpy(d->values, held_values, sizeof held_values);
    return true;
}

static void require_held(const struct poly_opening *o, struct rg_arena *a, struct rg_tunables *t)
{
    struct row_data x;
    if (!longest(o->p, &x)) return;
    int64_t waste = 2 * x.length > 32 ? 2 * x.length : 32;
    rg__poly_require(a, t, rg_arena_printf(a, "ROW*HELD >= %lld", (long long)x.length));
    rg__poly_require(a, t, rg_arena_printf(a, "ROW*HELD <= %lld", (long long)waste));
}

static bool open_rows(const struct poly_opening *o, struct poly_domain *d)
{
    struct row_data x;
    struct poly_values v;
    if (!longest(o->p, &x)) return false;
    starts(&x, &v);
    *d = (struct poly_domain){
        .least = 1, .most = 32, .start = v.rows, .own_start = true, .power = true, .values = {1, 2, 4, 8, 16}};
    return true;
}

static void require_rows(const struct poly_opening *o, struct rg_arena *a, struct rg_tunables *t)
{
    (void)o;
    rg__poly_require(a, t, "ROWS == 1 || ROW == 32");
}

static const struct poly_opens opens[] = {
    {.name = "ROW", .open = open_row},
    {.name = "HELD", .open = open_held, .require = require_held},
    {.name = "ROWS", .open = open_rows, .require = require_rows},
    {.name = NULL},
};

const struct poly_step rg__poly_step_row_registers = {
    POLY_STEP(row_registers), .when = POLY_ANY_TIME, .traits = RG_TRAIT_REDUCTION, .begins = true, .keeps_order = true,
    .apply = apply,           .opens = opens,
};
