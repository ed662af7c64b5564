/* The kernel of an overlapped tile in time, in kernel IR. Per block:
 *     registers = arrays, on tile and halo; shared = what neighbours read of them
 *     for each iteration, for each sweep:
 *         barrier where a neighbour's element must have come, or be read, first
 *         each of the thread's points inside the sweep's box: registers = statement over registers and neighbours
 *         (a free sweep: each of the points; then those outside of its box have their values restored from the array)
 *         shared = registers, where neighbours read them
 *     arrays' next buffers = registers, on the tile alone
 * Points at the rim of the halo compute from what lies beyond it: whatever that is, it stays inside the halo. */
#include "poly/steps/overlapped_tile.h"
#include "poly/kernel/thread_code.h"
#include "poly/steps/tile_points.h"
#include <stdlib.h>
#include <string.h>

struct building {
    const struct poly_program *p;
    const struct poly_stencil *st;
    const struct poly_time_shape *x;
    struct kir_kernel *k;
    struct kir_names *names;
    struct poly_time_slots slots;
    struct tile_points t;
    int n_threads;
    int64_t inner[STENCIL_DIMS], below[STENCIL_DIMS];
    struct kir_node *thread, *start[STENCIL_DIMS]; /* of the tile */
    int held[STENCIL_ARRAYS], shared[STENCIL_ARRAYS], next[STENCIL_ARRAYS];
    struct kir_node *box[STENCIL_SWEEPS];                              /* a bit for each of the thread's points */
    struct kir_node *outside[STENCIL_ARRAYS], *leaves[STENCIL_ARRAYS]; /* to restore; to write back */
    struct kir_node *end[STENCIL_ARRAYS]; /* of a flat array that may end before its last row does; NULL */
    struct kir_node *step, *left;         /* of the launch's iterations; all that are left, these included */
    struct kir_node *extent;              /* of some dimension of an array */
    /* where we stand */
    struct kir_node *row[TIME_TILE_POINTS];
    int point;
    struct kir_node *before; /* SEQ for neighbours' elements that are loaded */
    int n_near;
    struct near {
        int array, number;
        int64_t owner;
        struct kir_node *name;
    } near[STENCIL_ACCESSES];
};

static struct kir_node *let(struct building *b, struct kir_node *seq, const char *name, enum rg_scalar type,
                            struct kir_node *value)
{
    return rg__tile_let(b->k, seq, name, type, value);
}

static struct kir_node *plus(struct building *b, struct kir_node *e, int64_t k)
{
    return rg__tile_plus(b->k, e, k);
}

static struct kir_node *bit(struct building *b, struct kir_node *bits, int point)
{
    return rg__tile_bit(&b->t, bits, point);
}

static bool box_of(struct building *b, struct kir_node *seq, int sweep)
{
    struct kir_node *from[STENCIL_DIMS], *to[STENCIL_DIMS];
    if (!rg__tile_box(&b->t, sweep, from, to)) return false;
    b->box[sweep] = rg__tile_bits(&b->t, seq, from, to);
    return true;
}

/* ---- values that are needed now and then in the loop: what follows from them, a predicate or an address for each
 * point, would take registers all through it if a compiler computed it in front. So they seem to change with the
 * iteration. ---- */

/* Never: an extent is no negative number. A compiler does not know. */
static struct kir_node *never(struct building *b)
{
    return rg__kir_binary(b->k, RG_COP_EQ, rg__kir_add(b->k, b->step, b->extent), rg__kir_int(b->k, 0));
}

static struct kir_node *bits_here(struct building *b, struct kir_node *seq, struct kir_node *bits)
{
    return let(b, seq, "bits", bits->type, rg__kir_select(b->k, never(b), rg__tile_number(&b->t, 0), bits));
}

static void place_here(struct building *b, struct kir_node *seq, struct kir_node **first)
{
    for (int d = 0; d < b->st->n_dims; d++)
        first[d] = let(b, seq, "at", RG_I32, rg__kir_select(b->k, never(b), rg__kir_int(b->k, 0), b->t.first[d]));
}

/* ---- elements ---- */

/* A row is one slot of all threads: neighbouring threads touch neighbouring words. Threads at a rim reach beyond a
 * row's ends, into other rows: whatever they get there stays in the halo. */
static struct kir_node *shared_place(struct building *b, int array, int number, int64_t owner)
{
    int64_t rows = owner / b->n_threads; /* whole ones: a tile of one thread along a dimension */
    struct kir_node *row = rg__kir_int(b->k, b->slots.slot[array][number] + b->slots.beyond + rows);
    return rg__kir_at(b->k, b->shared[array], 2, row, plus(b, b->thread, owner - rows * b->n_threads));
}

static struct kir_node *register_of(struct building *b, int array, int point)
{
    return rg__kir_at(b->k, b->held[array], 1, rg__kir_int(b->k, point));
}

/* The neighbour's element, loaded once for the sweep. */
static struct kir_node *near_element(struct building *b, int array, int number, int64_t owner)
{
    for (int i = 0; i < b->n_near; i++)
        if (b->near[i].array == array && b->near[i].number == number && b->near[i].owner == owner)
            return b->near[i].name;
    struct kir_node *place = shared_place(b, array, number, owner);
    struct kir_node *name = let(b, b->before, "near", rg__tile_type(b->st, array), place);
    if (b->n_near < STENCIL_ACCESSES) b->near[b->n_near++] = (struct near){array, number, owner, name};
    return name;
}

static struct kir_node *element(void *arg, struct kir_names *names, const struct rg_cnode *index,
                                struct kir_node *const *subs)
{
    struct building *b = arg;
    const struct poly_stencil_access *a = rg__poly_stencil_access(b->st, index);
    int64_t owner;
    if (!a) return NULL;
    int number = rg__poly_time_neighbour(b->st, b->x, b->point, a->by, &owner);
    return owner ? near_element(b, a->array, number, owner) : register_of(b, a->array, number);
}

/* Where in the array the rows of the thread's box begin: as elements from its first one on. */
static void find_rows(struct building *b, struct kir_node *seq, int array, struct kir_node *const *first)
{
    const struct rg_carray *c = &b->st->s->tree->arrays[b->st->array[array].array];
    int n = b->st->n_dims, inner = (int)b->x->points[n - 1];
    struct kir_node *start = rg__kir_cast(b->k, RG_LLONG, first[0]), *stride[STENCIL_DIMS];
    stride[n - 1] = rg__kir_cast(b->k, RG_LLONG, rg__kir_int(b->k, 1));
    for (int d = n - 1; d > 0; d--) {
        struct kir_node *extent = rg__kir_cast(b->k, RG_LLONG, rg__kir_of_extent(b->names, c->dims[d]));
        stride[d - 1] = let(b, seq, "stride", RG_LLONG, rg__kir_mul(b->k, stride[d], extent));
    }
    for (int d = 1; d < n; d++) {
        struct kir_node *extent = rg__kir_of_extent(b->names, c->dims[d]);
        start = rg__kir_add(b->k, rg__kir_mul(b->k, start, extent), first[d]);
    }
    start = let(b, seq, "start", RG_LLONG, start);
    for (int r = 0; r < b->t.n; r += inner) {
        struct kir_node *at = start;
        for (int d = n - 2, left = r / inner; d >= 0; left /= (int)b->x->points[d--]) {
            int64_t k = left % b->x->points[d];
            at = k ? rg__kir_add(b->k, at, rg__kir_mul(b->k, rg__kir_int(b->k, k), stride[d])) : at;
        }
        b->row[r / inner] = let(b, seq, "row", RG_LLONG, at);
    }
}

/* The point's element: of the first row of the first plane, however far. */
static struct kir_node *global_place(struct building *b, int buffer, int point)
{
    struct kir_node *subs[STENCIL_DIMS];
    int inner = (int)b->x->points[b->st->n_dims - 1];
    for (int d = 0; d + 1 < b->st->n_dims; d++) subs[d] = rg__kir_int(b->k, 0);
    subs[b->st->n_dims - 1] = plus(b, b->row[point / inner], point % inner);
    return rg__kir_element(b->k, buffer, b->st->n_dims, subs);
}

/* ---- flat arrays ---- */

static void find_ends(struct building *b, struct kir_node *seq)
{
    for (int a = 0; a < b->st->n_arrays; a++) {
        struct kir_node *end = rg__poly_rows_end(b->p, b->names, b->st->array[a].array);
        if (end) b->end[a] = let(b, seq, "end", RG_LLONG, end);
    }
}

/* ... and the point's element is in the array, which may end before its last row does; the rows were found. */
static struct kir_node *if_inside(struct building *b, int array, int point, struct kir_node *so)
{
    int inner = (int)b->x->points[b->st->n_dims - 1];
    if (!b->end[array]) return so;
    struct kir_node *at = plus(b, b->row[point / inner], point % inner);
    return rg__kir_binary(b->k, RG_COP_AND, so, rg__kir_binary(b->k, RG_COP_LT, at, b->end[array]));
}

/* ---- the pieces ---- */

static struct kir_node *share(struct building *b, int array, int point)
{
    return rg__kir_store(b->k, shared_place(b, array, point, 0), register_of(b, array, point));
}

static void share_all(struct building *b, struct kir_node *seq, int array)
{
    for (int r = 0; r < b->t.n && b->slots.n[array]; r++)
        if (b->slots.slot[array][r] >= 0) rg__kir_add_to(b->k, seq, share(b, array, r));
}

static bool buffers(struct building *b)
{
    for (int a = 0; a < b->st->n_arrays; a++) {
        const struct rg_carray *c = &b->st->s->tree->arrays[b->st->array[a].array];
        struct kir_node *points = rg__kir_int(b->k, b->t.n), *rows[2];
        if (rg__kir_buffer_of(b->names, b->st->array[a].array) < 0) return false;
        b->held[a] =
            rg__kir_buffer(b->k, rg_arena_printf(b->k->arena, "%s_r", c->name), KIR_REGISTER, c->elem, 1, &points);
        rows[0] = rg__kir_int(b->k, b->slots.n[a] + 2 * b->slots.beyond);
        rows[1] = rg__kir_int(b->k, b->n_threads);
        b->shared[a] = b->slots.n[a] ? rg__kir_buffer(b->k, rg_arena_printf(b->k->arena, "%s_s", c->name), KIR_SHARED,
                                                      c->elem, 2, rows)
                                     : -1;
        if ((b->next[a] = rg__tile_next(&b->t, b->p, a)) < 0) return false;
    }
    return true;
}

/* Bits of the points of the array's own extents, on tile and halo or on the tile alone. */
static struct kir_node *array_bits(struct building *b, struct kir_node *seq, int array, bool tile)
{
    const struct rg_carray *c = &b->st->s->tree->arrays[b->st->array[array].array];
    struct kir_node *from[STENCIL_DIMS], *to[STENCIL_DIMS];
    for (int d = 0; d < b->st->n_dims; d++) {
        struct kir_node *extent = rg__tile_whole(b->k, rg__kir_of_extent(b->names, c->dims[d]));
        from[d] = tile ? b->start[d] : rg__kir_int(b->k, 0);
        to[d] = tile ? rg__kir_min(b->k, plus(b, b->start[d], b->inner[d]), extent) : extent;
    }
    return rg__tile_bits(&b->t, seq, from, to);
}

static void load(struct building *b, struct kir_node *seq)
{
    for (int a = 0; a < b->st->n_arrays; a++) {
        const struct poly_stencil_array *x = &b->st->array[a];
        if (rg__poly_stencil_anew(x) || x->unread) continue;
        struct kir_node *exists = array_bits(b, seq, a, false), *zero;
        int global = rg__kir_buffer_of(b->names, x->array);
        if (x->fresh >= 0) { /* what the first sweep writes anyway is not read */
            exists = rg__tile_but(&b->t, exists, b->box[x->fresh]);
            exists = let(b, seq, "kept", exists->type, exists);
        }
        zero = rg__kir_cast(b->k, rg__tile_type(b->st, a), rg__kir_int(b->k, 0));
        find_rows(b, seq, a, b->t.first);
        for (int r = 0; r < b->t.n; r++)
            rg__kir_add_to(b->k, seq,
                           rg__kir_store(b->k, register_of(b, a, r),
                                         rg__kir_select(b->k, if_inside(b, a, r, bit(b, exists, r)),
                                                        global_place(b, global, r), zero)));
        share_all(b, seq, a);
    }
}

/* Bits of the array's points outside of the box of those who write it. */
static void find_restored(struct building *b, struct kir_node *seq)
{
    for (int a = 0; a < b->st->n_arrays; a++)
        for (int i = 0; i < b->st->n_sweeps && b->st->array[a].restored; i++)
            if (rg__poly_stencil_writes(b->st, i, a)) {
                struct kir_node *bits = rg__tile_but(&b->t, array_bits(b, seq, a, false), b->box[i]);
                b->outside[a] = let(b, seq, "outside", bits->type, bits);
                break;
            }
}

static void restore(struct building *b, struct kir_node *seq, int array)
{
    struct kir_node *some = rg__kir_if(b->k, rg__tile_any(&b->t, b->outside[array])), *body = rg__kir_body(some);
    struct kir_node *bits = bits_here(b, body, b->outside[array]), *at[STENCIL_DIMS];
    place_here(b, body, at);
    find_rows(b, body, array, at);
    for (int r = 0; r < b->t.n; r++) {
        struct kir_node *branch = rg__kir_if(b->k, if_inside(b, array, r, bit(b, bits, r)));
        int global = rg__kir_buffer_of(b->names, b->st->array[array].array);
        rg__kir_add_to(b->k, rg__kir_body(branch),
                       rg__kir_store(b->k, register_of(b, array, r), global_place(b, global, r)));
        rg__kir_add_to(b->k, body, branch);
    }
    rg__kir_add_to(b->k, seq, rg__kir_note(some, "outside of the sweep's box nothing changes"));
}

static void store(struct building *b, struct kir_node *seq, int array, struct kir_node *bits,
                  struct kir_node *const *first)
{
    find_rows(b, seq, array, first);
    for (int r = 0; r < b->t.n; r++) {
        struct kir_node *branch = rg__kir_if(b->k, if_inside(b, array, r, bit(b, bits, r)));
        rg__kir_add_to(b->k, rg__kir_body(branch),
                       rg__kir_store(b->k, global_place(b, b->next[array], r), register_of(b, array, r)));
        rg__kir_add_to(b->k, seq, branch);
    }
}

/* What the block writes back of each array. */
static void find_leaves(struct building *b, struct kir_node *seq)
{
    for (int a = 0; a < b->st->n_arrays; a++) {
        const struct poly_stencil_array *x = &b->st->array[a];
        if (!x->written) continue;
        b->leaves[a] = array_bits(b, seq, a, true);
        if (x->fresh >= 0)
            b->leaves[a] = let(b, seq, "leaves", b->leaves[a]->type,
                               rg__kir_binary(b->k, RG_COP_BAND, b->leaves[a], b->box[x->fresh]));
        struct kir_node *set = NULL;
        for (int i = 0; i < b->st->n_sweeps && x->unread; i++)
            if (rg__poly_stencil_writes(b->st, i, a))
                set = set ? rg__kir_binary(b->k, RG_COP_BOR, set, b->box[i]) : b->box[i];
        if (set) b->leaves[a] = let(b, seq, "leaves", set->type, rg__kir_binary(b->k, RG_COP_BAND, b->leaves[a], set));
    }
}

/* A fresh array, behind the sweep that writes it last: of the last iteration. Its registers are free from here on. */
static void leave(struct building *b, struct kir_node *seq, int array)
{
    struct kir_node *last = rg__kir_binary(b->k, RG_COP_EQ, plus(b, b->step, 1), b->left), *at[STENCIL_DIMS];
    struct kir_node *only = rg__kir_if(b->k, last), *bits = bits_here(b, rg__kir_body(only), b->leaves[array]);
    place_here(b, rg__kir_body(only), at);
    store(b, rg__kir_body(only), array, bits, at);
    rg__kir_add_to(b->k, seq, rg__kir_note(only, "nobody reads it before it is made anew"));
}

static bool writes_last(const struct building *b, int sweep, int array)
{
    for (int i = sweep + 1; i < b->st->n_sweeps; i++)
        if (rg__poly_stencil_writes(b->st, i, array)) return false;
    return rg__poly_stencil_writes(b->st, sweep, array);
}

static bool sweep_items(struct building *b, const struct poly_sweep *w, struct kir_node *seq)
{
    for (int i = 0; i < w->n_items; i++) {
        struct kir_node *n = rg__kir_statement(b->names, w->item[i]);
        if (!n) return false;
        rg__kir_add_to(b->k, seq, n);
    }
    return true;
}

static bool run_sweep(struct building *b, int sweep, struct kir_node *seq)
{
    const struct poly_sweep *w = &b->st->sweep[sweep];
    if (w->everywhere) return sweep_items(b, w, seq);
    struct kir_node *bits = w->free ? NULL : bits_here(b, seq, b->box[sweep]);
    if (rg__poly_stencil_line(b->st, w)) { /* few threads have any of its points */
        struct kir_node *some = rg__kir_if(b->k, rg__tile_any(&b->t, bits));
        rg__kir_add_to(b->k, seq, some);
        seq = rg__kir_body(some);
    }
    b->n_near = 0;
    b->before = seq;
    for (b->point = 0; b->point < b->t.n; b->point++) {
        int r = b->point;
        for (int d = b->st->n_dims - 1; d >= 0; d--) {
            if (w->loop[d] >= 0)
                rg__kir_bind(b->names, b->st->s->loops[w->loop[d]].var,
                             plus(b, b->t.first[d], r % b->x->points[d] - w->shift[d]));
            r /= (int)b->x->points[d];
        }
        struct kir_node *branch = w->free ? NULL : rg__kir_if(b->k, bit(b, bits, b->point));
        struct kir_node *body = w->n_items > 1 ? rg__kir_seq(b->k) : seq;
        if (!sweep_items(b, w, branch ? rg__kir_body(branch) : body)) return false;
        if (branch || w->n_items > 1) rg__kir_add_to(b->k, seq, branch ? branch : body);
    }
    for (int a = 0; a < b->st->n_arrays && w->free; a++)
        if (rg__poly_stencil_writes(b->st, sweep, a)) restore(b, seq, a);
    return true;
}

static bool iterations(struct building *b, struct kir_node *seq, struct kir_node *count, struct kir_node *time)
{
    int index = rg__kir_index(b->k, "step", RG_I32);
    b->step = rg__kir_name(b->k, index);
    struct kir_node *loop = rg__kir_for(b->k, KIR_SERIAL, index, count), *body = rg__kir_body(loop);
    struct poly_time_meetings m;
    rg__poly_time_meetings(b->st, b->x, &b->slots, &m);
    struct kir_node *now = let(b, body, "now", time->type, rg__tile_now(&b->t, time, rg__kir_name(b->k, index)));
    rg__kir_bind(b->names, b->st->s->loops[b->st->loop].var, now);
    for (int i = 0; i < b->st->n_sweeps; i++) {
        if (m.before[i]) rg__kir_add_to(b->k, body, rg__kir_barrier(b->k, KIR_BLOCK));
        if (!run_sweep(b, i, body)) return false;
        if (m.behind[i]) rg__kir_add_to(b->k, body, rg__kir_barrier(b->k, KIR_BLOCK));
        for (int a = 0; a < b->st->n_arrays; a++) {
            if (rg__poly_stencil_writes(b->st, i, a)) share_all(b, body, a);
            if (b->st->array[a].fresh >= 0 && writes_last(b, i, a)) leave(b, body, a);
        }
    }
    rg__kir_add_to(b->k, seq, loop);
    return true;
}

static struct kir_node *places(struct building *b, struct kir_node **outer)
{
    static const enum kir_loop grid[] = {KIR_GRID_X, KIR_GRID_Y, KIR_GRID_Z};
    static const char *const block[] = {"block_x", "block_y", "block_z"}, *const at[] = {"x", "y", "z"};
    struct kir_node *in = NULL, *seq, *index[STENCIL_DIMS];
    for (int d = 0; d < b->st->n_dims; d++) {
        int axis = b->st->n_dims - 1 - d, s = rg__kir_index(b->k, block[axis], RG_I32);
        struct kir_node *n = rg__tile_blocks(&b->t, d, b->inner[d]);
        if (!n) return NULL;
        struct kir_node *loop = rg__kir_for(b->k, grid[axis], s, n);
        index[d] = rg__kir_name(b->k, s);
        if (in)
            rg__kir_add_to(b->k, rg__kir_body(in), loop);
        else
            *outer = loop;
        in = loop;
    }
    int t = rg__kir_index(b->k, "thread", RG_I32);
    struct kir_node *loop = rg__kir_for(b->k, KIR_BLOCK_X, t, rg__kir_int(b->k, b->n_threads));
    rg__kir_add_to(b->k, rg__kir_body(in), loop);
    seq = rg__kir_body(loop);
    b->thread = rg__kir_name(b->k, t);
    int64_t stride = 1;
    for (int d = b->st->n_dims - 1; d >= 0; d--) {
        struct kir_node *mine = stride > 1 ? rg__kir_div(b->k, b->thread, rg__kir_int(b->k, stride)) : b->thread;
        if (d) mine = rg__kir_rem(b->k, mine, rg__kir_int(b->k, b->x->threads[d]));
        mine = rg__kir_mul(b->k, mine, rg__kir_int(b->k, b->x->points[d]));
        stride *= b->x->threads[d];
        const char *name = at[b->st->n_dims - 1 - d];
        b->start[d] = let(b, seq, rg_arena_printf(b->k->arena, "tile_%s", name), RG_I32,
                          rg__kir_mul(b->k, index[d], rg__kir_int(b->k, b->inner[d])));
        b->t.first[d] = let(b, seq, name, RG_I32, plus(b, rg__kir_add(b->k, b->start[d], mine), -b->below[d]));
    }
    return seq;
}

static bool build(struct building *b)
{
    struct kir_node *outer = NULL, *seq = places(b, &outer), *time, *count;
    if (!seq || !buffers(b) || !(count = rg__tile_count(&b->t, seq, b->x->steps, &time, &b->left))) return false;
    const struct rg_carray *some = &b->st->s->tree->arrays[b->st->array[0].array];
    b->extent = rg__tile_whole(b->k, rg__kir_of_extent(b->names, some->dims[b->st->n_dims - 1]));
    find_ends(b, seq);
    for (int i = 0; i < b->st->n_sweeps; i++)
        if (!b->st->sweep[i].everywhere && !box_of(b, seq, i)) return false;
    find_restored(b, seq);
    find_leaves(b, seq);
    load(b, seq);
    b->names->element = element;
    b->names->arg = b;
    if (!iterations(b, seq, count, time)) return false;
    for (int a = 0; a < b->st->n_arrays; a++)
        if (b->st->array[a].written && b->st->array[a].fresh < 0) store(b, seq, a, b->leaves[a], b->t.first);
    b->k->body = outer;
    return true;
}

static const char *heading(const struct building *b)
{
    const struct poly_loop *l = &b->st->s->loops[b->st->loop];
    const char *text =
        rg_arena_printf(b->k->arena, "time.tile: %lld iterations of loop %s (line %d) a launch, tiles of",
                        (long long)b->x->steps, l->name, l->node->line);
    for (int d = 0; d < b->st->n_dims; d++)
        text = rg_arena_printf(b->k->arena, "%s %s%lld + %lld", text, d ? "x " : "", (long long)b->inner[d],
                               (long long)(b->x->threads[d] * b->x->points[d] - b->inner[d]));
    return rg_arena_printf(b->k->arena, "%s points, halo behind the +; %d points a thread, in registers", text, b->t.n);
}

struct kir_kernel *rg__poly_time_kernel(const struct poly_program *p, const struct poly_kernel *k,
                                        const struct poly_values *v, struct rg_arena *a, struct rg_reason *why)
{
    const struct poly_stencil *st = &((const struct poly_time_tile *)k->kir_data)->stencil;
    struct poly_time_shape x = rg__poly_time_shape_of(st, v);
    struct building *b = rg_arena_alloc(a, sizeof *b);
    int64_t above[STENCIL_DIMS];
    *b = (struct building){.p = p, .st = st, .x = &x, .t = {.st = st, .points = x.points, .n = 1}, .n_threads = 1};
    rg__poly_stencil_halo(b->st, x.steps, b->below, above);
    for (int d = 0; d < b->st->n_dims; d++) {
        b->inner[d] = x.threads[d] * x.points[d] - b->below[d] - above[d];
        b->t.n *= (int)x.points[d];
        b->n_threads *= (int)x.threads[d];
        if (b->inner[d] < 1 || b->t.n > TIME_TILE_POINTS) {
            if (b->inner[d] < 1)
                rg_refuse(why, RG_REFUSE_SPACE, 0, "the halo of %lld iterations takes all of a tile",
                          (long long)x.steps);
            else
                rg_refuse(why, RG_REFUSE_SPACE, 0, "a thread would have more than its share of the points");
            return NULL;
        }
    }
    rg__poly_time_slots(b->st, &x, &b->slots);
    b->t.k = b->k = rg__poly_kir_new(p, k, a, &b->names);
    b->t.names = b->names;
    if (!build(b)) {
        rg__poly_no_form(b->names, why, "a part of the stencil has no form in kernel IR");
        return NULL;
    }
    b->k->min_blocks = k->launch_bounds && v->min_blocks > 1 ? (int)v->min_blocks : 0;
    b->k->heading = heading(b);
    rg__kir_finish(b->k);
    return b->k;
}
