/* time.tile: several iterations of a time loop around stencils a launch, on tiles with halos (overlapped_tile.h).
 *     for (t) { S1; S2; }   ->   for (t by STEPS) { tile<<<>>>(A, A_next, t); swap(A, A_next); }
 * Legal where the loop is an iterated stencil (iterated_stencil.h). Blocks read what others have not written yet, so an
 * array's new values go to a buffer beside it, which takes its place; one whose values an iteration always makes anew
 * (a fresh one), or that nothing reads, needs none: it is written behind the last iteration alone. */
#include "poly/steps/overlapped_tile.h"
#include "poly/steps/steps.h"
#include <string.h>

#define MOST_BYTES ((int64_t)4 << 30) /* of an array that gets another one beside it */

static bool is_tile(const struct poly_kernel *k)
{
    return k->form == POLY_KIR && k->kir == rg__poly_time_kernel;
}

/* Of the first such kernel: several share the tunables. NULL: there is none, or no tile fits a block. */
static const struct poly_time_tile *tile_of(const struct poly_program *p)
{
    struct poly_time_tile *t = NULL;
    for (int i = 0; i < p->n_kernels && !t; i++)
        if (is_tile(&p->kernels[i])) t = (struct poly_time_tile *)p->kernels[i].kir_data;
    if (t && !t->asked) {
        t->asked = true;
        t->fits = rg__poly_time_start(&t->stencil, &t->start);
    }
    return t && t->fits ? t : NULL;
}

/* ---- the plan ---- */

static bool name_taken(const struct poly_scop *s, const char *name)
{
    for (int v = 0; v < s->tree->n_vars; v++)
        if (!strcmp(s->tree->vars[v].name, name)) return true;
    for (int h = 0; h < s->tree->n_helpers; h++)
        if (!strcmp(s->tree->helpers[h].name, name)) return true;
    return rg__poly_array_named(s, name) >= 0 || rg_problem_param(s->problem, name) >= 0;
}

static void give_next(struct poly_program *p, int array)
{
    if (!p->next) p->next = rg_arena_alloc(&p->arena, sizeof *p->next * (size_t)(p->scop->tree->n_arrays + 1));
    const char *name = rg_arena_printf(&p->arena, "%s_next", p->scop->tree->arrays[array].name);
    while (name_taken(p->scop, name)) name = rg_arena_printf(&p->arena, "%s_", name);
    p->next[array] = name;
}

static struct poly_hnode *node(struct poly_program *p, enum poly_hnode_kind kind)
{
    struct poly_hnode *h = rg_arena_alloc(&p->arena, sizeof *h);
    h->kind = kind;
    h->loop = h->kernel = -1;
    return h;
}

static int first_kernel(const struct poly_hnode *h)
{
    int k = h->kind == HN_KERNEL ? h->kernel : -1;
    for (int i = 0; i < h->n && k < 0; i++) k = first_kernel(h->kid[i]);
    return k;
}

/* The kernel in place of all that the loop launched, and what changes places behind it. */
static void settle(struct poly_program *p, struct poly_hnode *h, const struct poly_time_tile *tile)
{
    const struct poly_stencil *st = &tile->stencil;
    int at = first_kernel(h);
    struct poly_kernel *k = &p->kernels[at], old = *k;
    *k = (struct poly_kernel){.form = POLY_KIR,
                              .reduce_loop = -1,
                              .partner = -1,
                              .otherwise = -1,
                              .kir = rg__poly_time_kernel,
                              .kir_data = tile};
    while (k->n_host < old.n_host && (!k->n_host || old.host[k->n_host - 1] != h->loop)) {
        k->host[k->n_host] = old.host[k->n_host];
        k->n_host++;
    }
    k->atomic = rg_arena_alloc(&p->arena, (size_t)p->scop->tree->n_arrays + 1);
    k->body = rg__poly_knode_body(p, p->scop->loops[h->loop].node->kid[2]);
    rg__poly_prepend_recomputed(p, k);
    h->strip = true;
    h->n = 0;
    h->cap = 1 + st->n_arrays;
    h->kid = rg_arena_alloc(&p->arena, sizeof *h->kid * (size_t)h->cap);
    h->kid[h->n] = node(p, HN_KERNEL);
    h->kid[h->n++]->kernel = at;
    for (int a = 0; a < st->n_arrays; a++) {
        if (!rg__poly_stencil_moves(&st->array[a])) continue;
        give_next(p, st->array[a].array);
        h->kid[h->n] = node(p, HN_SWAP);
        h->kid[h->n++]->swapped = st->array[a].array;
    }
}

/* ---- legality ---- */

static bool fits_twice(const struct poly_program *p, const struct poly_stencil *st, char *why, size_t size)
{
    const struct rg_problem *prob = p->scop->problem;
    for (int a = 0; a < st->n_arrays; a++)
        for (int i = 0; i < prob->n_sizes; i++) {
            const struct rg_carray *c = &p->scop->tree->arrays[st->array[a].array];
            struct rg_problem_env env;
            int64_t bytes = (int64_t)rg_scalar_bytes(c->elem), v;
            rg_problem_env_init(&env, prob, &prob->sizes[i]);
            for (int d = 0; d < c->n_dims; d++)
                if (rg_expr_eval(c->dims[d], &env.env, &v, NULL) != RG_OK ||
                    __builtin_mul_overflow(bytes, v > 1 ? v : 1, &bytes) || bytes > MOST_BYTES) {
                    snprintf(why, size, "%s is too large to have another one beside it", c->name);
                    return false;
                }
        }
    return true;
}

static bool take(struct poly_program *p, struct poly_hnode *h, char *why, size_t size)
{
    const struct poly_loop *l = &p->scop->loops[h->loop];
    const char *file = p->scop->problem->file ? p->scop->problem->file : "?";
    struct poly_time_tile *tile = rg_arena_alloc(&p->arena, sizeof *tile);
    struct poly_stencil *st = &tile->stencil;
    int first = first_kernel(h);
    if (h->region || (first >= 0 && p->kernels[first].region)) {
        snprintf(why, size, "the launches of loop %s (%s:%d) are phases of one kernel already", l->name, file,
                 l->node->line);
        return false;
    }
    bool can = first >= 0 && rg__poly_stencil_of(p->scop, h->loop, st, why, size) && fits_twice(p, st, why, size);
    if (can) settle(p, h, tile);
    return can;
}

static int each_loop(struct poly_program *p, struct poly_hnode *h, const char *name, char *why, size_t size)
{
    int n = 0;
    if (h->kind == HN_FOR && !h->strip && (!name || !strcmp(p->scop->loops[h->loop].name, name)))
        n = take(p, h, why, size);
    for (int i = 0; i < h->n && !n && !h->strip; i++) n += each_loop(p, h->kid[i], name, why, size);
    return n;
}

static bool apply(struct poly_program *p, const char *site, char *why, size_t size)
{
    const char *name = strncmp(site, "loop:", 5) == 0 ? site + 5 : NULL;
    int n = 0;
    snprintf(why, size, "the plan has no loop%s%s", name ? " " : "", name ? name : "");
    while (each_loop(p, p->root, name, why, size)) n++;
    if (!n) return false;
    rg__poly_sweep_kernels(p);
    rg__poly_assign_homes(p);
    return true;
}

/* ---- sites ---- */

static int loops_of(const struct poly_hnode *h, int *out, int n)
{
    if (h->kind == HN_FOR && n < POLY_MAX_LOOPS) out[n++] = h->loop;
    for (int i = 0; i < h->n; i++) n = loops_of(h->kid[i], out, n);
    return n;
}

static void sites(const struct poly_sites *at)
{
    struct poly_program *p = rg__poly_sites_program(at);
    int loops[POLY_MAX_LOOPS], n = p ? loops_of(p->root, loops, 0) : 0;
    if (n > 1) at->fn(at->arg, "C");
    for (int i = 0; i < n; i++) {
        bool again = false;
        for (int j = 0; j < i; j++)
            again = again || !strcmp(p->scop->loops[loops[i]].name, p->scop->loops[loops[j]].name);
        if (!again) rg__poly_site_loop(at, p->scop, loops[i]);
    }
    rg__poly_program_free(p);
}

/* ---- tunables ---- */

static bool open_at(const struct poly_opening *o, struct poly_domain *d, bool points, int axis)
{
    static const int64_t threads[] = {1, 2, 4, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 48, 64, 128, 256, 512, 0},
                         box[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 0};
    const struct poly_time_tile *t = tile_of(o->p);
    if (!t || axis >= t->stencil.n_dims) return false;
    int dim = t->stencil.n_dims - 1 - axis, n = 0;
    *d = (struct poly_domain){.least = 1, .most = points ? TIME_TILE_POINTS : 1024, .own_start = true};
    d->start = points ? t->start.points[dim] : t->start.threads[dim];
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
    const struct poly_time_tile *t = tile_of(o->p);
    if (!t) return false;
    *d = (struct poly_domain){.least = 1, .most = 16, .start = t->start.steps, .own_start = true};
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
    const struct poly_stencil *st = &tile_of(o->p)->stencil;
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
    .word = "time_tile",
    .when = POLY_ANY_TIME,
    .begins = true,
    .takes_over = true,
    .traits = RG_TRAIT_SHARED | RG_TRAIT_TIME_LOOP | RG_TRAIT_STENCIL,
    .apply = apply,
    .sites = sites,
    .opens = opens,
};
