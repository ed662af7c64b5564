/* A sort that a grid does, as two kernels in kernel IR: blocks sort tiles of a piece of an array, then tiles of pairs
 * of sorted runs are merged (ir/device_sort.h). With dimensions each of their points has the tiles of its own piece. */
#include "poly/kernel/sort_kernel.h"
#include "poly/kernel/thread_code.h"
#include <stdio.h>

enum { MOST_ITEMS = 8, LEAST_BLOCK = 32, ALWAYS_FIT = 256, SHARED_BYTES = 48 * 1024 - 64 };

struct building {
    const struct poly_program *p;
    const struct poly_kernel *kernel;
    const struct poly_values *v;
    struct poly_sort_kernels *out;
    struct poly_thread *t;
    struct kir_kernel *k;
    struct rg_csort sort;
    int64_t block, items;
    struct kir_node *bound, *tiles; /* most elements of a piece; their tiles */
};

static const struct poly_knode *last_of(const struct poly_kernel *k)
{
    return k->body->kid[k->body->n - 1];
}

/* Over parameters and host loops: by the sort's own bounds, else all of the array. */
static struct kir_node *bound(struct building *b)
{
    const struct poly_scop *s = b->p->scop;
    const struct rg_carray *a = &s->tree->arrays[b->sort.element->array];
    const struct rg_cnode *lo = b->sort.loop->kid[0], *hi = b->sort.loop->kid[1];
    struct kir_node *first, *end, *all = rg__kir_cast(b->k, RG_LLONG, rg__kir_int(b->k, 1));
    bool leans = false;
    for (int d = 0; d < b->kernel->n_dims; d++)
        leans = leans || rg__poly_mentions_loop(s, lo, b->kernel->dims[d]) ||
                rg__poly_mentions_loop(s, hi, b->kernel->dims[d]);
    if (!leans && rg__poly_plan_can(s, lo) && rg__poly_plan_can(s, hi)) {
        if (!(first = rg__kir_of(b->t->names, lo)) || !(end = rg__kir_of(b->t->names, hi))) return NULL;
        return rg__kir_sub(b->k, rg__kir_cast(b->k, RG_LLONG, end), first);
    }
    for (int d = 0; d < a->n_dims; d++) {
        if (!(end = rg__kir_of_extent(b->t->names, a->dims[d]))) return NULL;
        all = rg__kir_mul(b->k, all, end);
    }
    return all;
}

/* Threads and items of a tile: no more than a short piece needs, and what shared memory holds. */
static void choose_tile(struct building *b, int64_t block, int64_t bytes)
{
    const struct rg_problem *p = b->p->scop->problem;
    struct rg_problem_env env;
    int64_t n = -1;
    if (p->n_sizes) rg_problem_env_init(&env, p, &p->sizes[0]);
    if (!p->n_sizes || !rg__poly_kir_value(b->k, b->bound, &env, &n)) n = -1;
    while (block > LEAST_BLOCK && n >= 0 && block / 2 * MOST_ITEMS >= n) block /= 2;
    while (block > LEAST_BLOCK && block * bytes > SHARED_BYTES) block /= 2;
    b->block = block;
    for (b->items = MOST_ITEMS; b->items > 1 && block * b->items * bytes > SHARED_BYTES;) b->items /= 2;
}

/* The place of the point's variables, from the number of the point. */
static bool points(struct building *b, struct kir_node *seq, struct kir_node *point)
{
    const struct poly_kernel *x = b->kernel;
    struct kir_kernel *k = b->k;
    for (int d = x->n_dims - 1; d >= 0; d--) {
        const struct poly_loop *l = &b->p->scop->loops[x->dims[d]];
        enum rg_scalar type = b->p->scop->tree->vars[l->var].type;
        struct kir_node *first = rg__poly_kir_first(b->p, x, b->t->names, d), *at = point,
                        *count = rg__poly_kir_most(b->p, x, b->t->names, d, RG_I32);
        if (!first || !count) return false;
        count = rg__kir_cast(k, RG_U32, rg__kir_max(k, rg__kir_int(k, 1), count));
        if (d) at = rg__kir_rem(k, point, count);
        point = rg__kir_div(k, point, count);
        type = rg_scalar_bytes(type) < 4 ? RG_I32 : type;
        at = rg__kir_mul(k, rg__kir_cast(k, type, at), rg__kir_int(k, l->step));
        int symbol = rg__kir_symbol_of(b->t->names, KIR_VALUE, l->var, type);
        rg__kir_add_to(k, seq, rg__kir_let(k, symbol, rg__kir_cast(k, type, rg__kir_add(k, first, at))));
        rg__kir_bind(b->t->names, l->var, rg__kir_name(k, symbol));
        for (int a = 0; a < x->n_alias; a++)
            if (x->alias[a].dim == d)
                rg__kir_bind(b->t->names, b->p->scop->loops[x->alias[a].loop].var, rg__kir_name(k, symbol));
    }
    return true;
}

/* The blocks and threads; the body of a thread, and the block's tile. */
static struct kir_node *launch(struct building *b, struct kir_node **tile)
{
    struct kir_kernel *k = b->k;
    struct kir_node *blocks = b->tiles, *n;
    for (int d = 0; d < b->kernel->n_dims; d++) {
        if (!(n = rg__poly_kir_most(b->p, b->kernel, b->t->names, d, RG_LLONG))) return NULL;
        blocks = rg__kir_mul(k, blocks, rg__kir_max(k, rg__kir_int(k, 1), n));
    }
    int block = rg__kir_index(k, "block", RG_I32), size = rg__kir_constant(k, "BLOCK", b->block);
    struct kir_node *grid = rg__kir_for(k, KIR_GRID_X, block, blocks), *in, *at = rg__kir_name(k, block),
                    *threads = rg__kir_for(k, KIR_BLOCK_X, rg__kir_index(k, "tx", RG_I32), rg__kir_name(k, size));
    rg__kir_add_to(k, rg__kir_body(grid), threads);
    k->body = grid;
    in = rg__kir_body(threads);
    *tile = at;
    if (!b->kernel->n_dims) return in;
    int tiles = rg__kir_value(k, "tiles", RG_U32), point = rg__kir_value(k, "point", RG_U32),
        which = rg__kir_value(k, "tile", RG_U32);
    at = rg__kir_cast(k, RG_U32, at);
    rg__kir_add_to(k, in, rg__kir_let(k, tiles, rg__kir_cast(k, RG_U32, b->tiles)));
    rg__kir_add_to(k, in, rg__kir_let(k, point, rg__kir_div(k, at, rg__kir_name(k, tiles))));
    rg__kir_add_to(k, in, rg__kir_let(k, which, rg__kir_rem(k, at, rg__kir_name(k, tiles))));
    *tile = rg__kir_name(k, which);
    return points(b, in, rg__kir_name(k, point)) ? in : NULL;
}

/* What stands in front of the sort is computed again; then the tile. */
static bool code(struct building *b, struct kir_node *in, struct kir_node *tile, bool merge)
{
    struct kir_kernel *k = b->k;
    struct kir_names *names = b->t->names;
    struct poly_knode front = *b->kernel->body;
    front.n--;
    struct kir_node *before = rg__poly_thread_code_of(b->t, &front), *first, *end, *kids[5];
    rg__kir_declare(names, in);
    if (!before) return false;
    rg__kir_add_to(k, in, before);
    if (!(first = rg__kir_of(names, b->sort.loop->kid[0])) || !(end = rg__kir_of(names, b->sort.loop->kid[1])))
        return false;
    int at = rg__kir_symbol_of(names, KIR_VALUE, b->sort.loop->var, RG_LLONG),
        length = rg__kir_value(k, "length", RG_LLONG);
    rg__kir_add_to(k, in, rg__kir_let(k, at, rg__kir_cast(k, RG_LLONG, first)));
    rg__kir_bind(names, b->sort.loop->var, rg__kir_name(k, at));
    rg__kir_add_to(k, in, rg__kir_let(k, length, rg__kir_sub(k, rg__kir_cast(k, RG_LLONG, end), rg__kir_name(k, at))));
    struct kir_node *place = rg__kir_place_of(names, b->sort.element), *size = rg__kir_int(k, b->block * b->items);
    if (!place || place->kind != KIR_ELEMENT) return false;
    int from = place->symbol, room = rg__kir_buffer(k, "room", KIR_SHARED, place->type, 1, &size);
    const char *c_type = k->symbols[from].c_type;
    k->symbols[room].c_type = c_type;
    k->symbols[from].alone = false; /* threads of a block see each other's stores */
    kids[0] = place;
    kids[1] = rg__kir_name(k, length);
    kids[2] = tile;
    if (merge) {
        int number = (int)(b->kernel - b->p->kernels);
        struct kir_symbol array = k->symbols[from];
        int to = rg__kir_buffer(k, rg_arena_printf(k->arena, "merged%d", number), KIR_GLOBAL, array.type, array.n_dims,
                                array.dims),
            run = rg__kir_param(k, rg_arena_printf(k->arena, "run%d", number), RG_LLONG);
        k->symbols[to].c_type = c_type;
        b->out->from = from;
        b->out->to = to;
        b->out->run = run;
        kids[0] = rg__kir_element(k, to, place->n, place->kid); /* the buffer has the array's places */
        kids[3] = place;
        kids[4] = rg__kir_name(k, run);
    }
    struct kir_node *sorts =
        rg__kir_sort(names, merge ? KIR_SORT_MERGE : KIR_SORT_TILE, room, (int)b->items, kids, b->sort.call);
    rg__kir_add_to(k, in, sorts);
    return sorts != NULL;
}

static struct kir_kernel *build(struct building *b, struct rg_arena *arena, bool merge, struct rg_reason *why)
{
    struct kir_node top = {.kind = KIR_SEQ, .symbol = -1}, *in, *tile;
    int64_t bytes;
    b->t = rg__poly_thread_new(b->p, b->kernel, arena, &top, NULL, why);
    if (!b->t) return NULL;
    struct kir_kernel *k = b->k = b->t->k;
    for (int i = 0; i < k->n_symbols; i++) k->symbols[i].cached = false; /* the order is given addresses */
    rg__poly_sort_of(b->p->scop, last_of(b->kernel)->node, &b->sort, &bytes);
    if (merge) k->name = rg_arena_printf(k->arena, "%s_merge", k->name);
    if ((b->bound = bound(b))) {
        choose_tile(b, b->v->block, bytes);
        b->tiles = rg__kir_max(k, rg__kir_int(k, 1), rg__kir_ceil_div(k, b->bound, b->block * b->items));
    }
    if (!b->bound || !(in = launch(b, &tile))) {
        rg__poly_no_form(b->t->names, why, "how much is sorted has no form in the plan");
        return NULL;
    }
    rg__kir_add_to(k, in, &top);
    if (!code(b, in, tile, merge)) {
        rg__poly_no_form(b->t->names, why, "a part of the sort has no form in kernel IR");
        return NULL;
    }
    k->any_block = !b->kernel->launch_bounds && b->block <= ALWAYS_FIT;
    k->min_blocks = rg__poly_min_blocks(b->kernel, b->v, b->block);
    k->heading = merge ? NULL : rg__poly_heading(b->p, b->kernel, b->v, k->arena);
    rg__kir_finish(k);
    return rg__poly_kir_verified(k, why) ? k : NULL;
}

bool rg__poly_sort_kernels(const struct poly_program *p, const struct poly_kernel *k, const struct poly_values *v,
                           struct rg_arena *arena, struct poly_sort_kernels *out, struct rg_reason *why)
{
    struct building tiles = {.p = p, .kernel = k, .v = v, .out = out}, merges = tiles;
    out->tiles = build(&tiles, arena, false, why);
    out->merges = out->tiles ? build(&merges, arena, true, why) : NULL;
    out->bound = tiles.bound;
    out->tile = tiles.block * tiles.items;
    return out->merges != NULL;
}
