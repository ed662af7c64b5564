/* A thread for each point of a kernel's dimensions, or, loaded and stored at once, for several neighbouring ones, in
 * kernel IR: blocks and threads, the point of a thread, the guard. */
#include "poly/kernel/threads_kernel.h"
#include "poly/kernel/points.h"
#include "poly/kernel/tiling.h"
#include <stdio.h>
#include <string.h>

static struct kir_node *num(struct poly_points *b, int64_t v)
{
    return rg__kir_int(b->g.k, v);
}

static struct kir_node *name(struct poly_points *b, int symbol)
{
    return rg__kir_name(b->g.k, symbol);
}

/* ---- points ---- */

/* The thread's number along the axis. */
static struct kir_node *number_of(struct poly_points *b, int axis, bool wide)
{
    struct kir_kernel *k = b->g.k;
    struct kir_node *at = wide ? rg__kir_cast(k, RG_LLONG, b->g.place[axis]) : b->g.place[axis];
    return rg__kir_add(k, rg__kir_mul(k, at, name(b, b->block[axis])), name(b, b->g.tx[axis]));
}

/* What all of the grid's threads cover. Signed, so that the compiler may count the loop's trips and unroll it; around
 * loops of a thread's own, where that would only be more code, unsigned, which may wrap. */
static struct kir_node *stride(struct poly_points *b, bool wide)
{
    struct kir_kernel *k = b->g.k;
    struct kir_node *n = rg__kir_extent(k, KIR_GRID_X), *threads = name(b, b->block[0]);
    if (wide) return rg__kir_mul(k, rg__kir_cast(k, RG_LLONG, n), threads);
    if (!rg__poly_knode_has_loop(b->g.kernel->body)) return rg__kir_mul(k, n, threads);
    return rg__kir_mul(k, rg__kir_cast(k, RG_U32, n), rg__kir_cast(k, RG_U32, threads));
}

/* The dimension's variable at the thread's place along its axis. */
static bool point(struct poly_points *b, struct kir_node *seq, int dim)
{
    struct kir_kernel *k = b->g.k;
    const struct poly_loop *l = rg__poly_grid_loop(&b->g, dim);
    enum rg_scalar type = rg__poly_grid_index_type(&b->g, l);
    int64_t step = l->step > 0 ? l->step : -l->step;
    int a = b->g.kernel->axis[dim];
    struct kir_node *first = rg__poly_kir_first(b->g.p, b->g.kernel, b->g.t->names, dim),
                    *at = number_of(b, a, rg_scalar_bytes(type) > 4);
    if (!first) return false;
    if (l->step == 1 && rg_scalar_bytes(type) == 4 && rg__poly_knode_has_loop(b->g.kernel->body)) {
        /* the compiler keeps the order of the sum, and chooses instructions by it: both orders are as they were timed
         */
        at = rg__kir_mul(k, b->g.place[a], name(b, b->block[a]));
        at = rg__kir_add(k, rg__kir_add(k, rg__kir_cast(k, RG_I32, first), at), name(b, b->g.tx[a]));
        at = rg__kir_cast(k, type, at);
    } else {
        at = rg__kir_mul(k, rg__kir_cast(k, type, at), num(b, step));
        at = rg__kir_cast(k, type, rg__kir_binary(k, l->step > 0 ? RG_COP_ADD : RG_COP_SUB, first, at));
    }
    int symbol = rg__kir_symbol_of(b->g.t->names, KIR_VALUE, l->var, type);
    rg__kir_add_to(k, seq, rg__kir_let(k, symbol, at));
    rg__poly_grid_bind(&b->g, dim, name(b, symbol));
    return true;
}

static bool code(struct poly_points *b, struct kir_node *seq)
{
    struct kir_node *code = rg__poly_thread_code_of(b->g.t, b->g.kernel->body);
    rg__kir_declare(b->g.t->names, seq);
    if (code) rg__kir_add_to(b->g.k, seq, code);
    return code != NULL;
}

/* ---- neighbouring points at once ---- */

/* From memory to the registers, or back. */
static void move_wide(struct poly_points *b, struct kir_node *seq, const struct poly_wide *refs, int n,
                      struct kir_node *const *place, bool back)
{
    for (int i = 0; i < n; i++) {
        if (!(back ? refs[i].written : refs[i].read)) continue;
        struct kir_node *held = rg__kir_at(b->g.k, b->g.t->several[i].buffer, 1, num(b, 0));
        rg__kir_add_to(b->g.k, seq,
                       rg__kir_copy(b->g.k, back ? place[i] : held, back ? held : place[i], (int)b->width, false));
    }
}

/* All of the thread's points from `first` on exist, and so do vectors of what they read and write. */
static bool whole_vector(struct poly_points *b, struct kir_node *seq, const struct poly_wide *refs, int n, int first,
                         struct kir_node *const *place)
{
    struct kir_kernel *k = b->g.k;
    struct poly_thread *t = b->g.t;
    int dim = rg__poly_dim_of_axis(b->g.kernel, 0), r = rg__kir_index(k, "r", RG_I32);
    const struct poly_loop *l = rg__poly_grid_loop(&b->g, dim);
    struct kir_node *width = name(b, b->w), *loop = rg__kir_for(k, KIR_UNROLLED, r, width);
    for (int i = 0; i < n; i++) {
        const struct rg_carray *a = &b->g.p->scop->tree->arrays[refs[i].access->array];
        t->several[i].access = refs[i].access;
        t->several[i].at = name(b, r);
        t->several[i].buffer =
            rg__kir_buffer(k, rg_arena_printf(k->arena, "%s_v", a->name), KIR_REGISTER, a->elem, 1, &width);
    }
    move_wide(b, seq, refs, n, place, false);
    int i = rg__kir_symbol_of(t->names, KIR_VALUE, l->var, rg__poly_grid_index_type(&b->g, l));
    struct kir_node *in = rg__kir_body(loop);
    rg__kir_add_to(
        k, in,
        rg__kir_let(k, i,
                    rg__kir_add(k, name(b, first), rg__kir_cast(k, rg__poly_grid_index_type(&b->g, l), name(b, r)))));
    rg__poly_grid_bind(&b->g, dim, name(b, i));
    t->n_several = n;
    bool ok = code(b, in);
    t->n_several = 0;
    rg__kir_add_to(k, seq, loop);
    move_wide(b, seq, refs, n, place, true);
    return ok;
}

/* What there is of the thread's points, one by one. */
static bool one_by_one(struct poly_points *b, struct kir_node *seq, int i, struct kir_node *from, struct kir_node *to)
{
    struct kir_kernel *k = b->g.k;
    struct kir_node *loop = rg__kir_for_range(k, KIR_SERIAL, i, from, to, num(b, 1));
    rg__poly_grid_bind(&b->g, rg__poly_dim_of_axis(b->g.kernel, 0), name(b, i));
    rg__kir_add_to(k, seq, loop);
    return code(b, rg__kir_body(loop));
}

/* The points from the one that `first` names on. */
static bool neighbours(struct poly_points *b, struct kir_node *seq, int first)
{
    struct kir_kernel *k = b->g.k;
    struct kir_names *names = b->g.t->names;
    int dim = rg__poly_dim_of_axis(b->g.kernel, 0);
    const struct poly_loop *l = rg__poly_grid_loop(&b->g, dim);
    struct poly_wide refs[POLY_MAX_WIDE];
    struct kir_node *place[POLY_MAX_WIDE],
        *at = name(b, first), *end = rg__poly_kir_end(b->g.p->scop, names, l),
        *past = rg__kir_add(k, at, rg__kir_cast(k, rg__poly_grid_index_type(&b->g, l), name(b, b->w))), *own,
        *from = at;
    int n = rg__poly_wide_references(b->g.p, b->g.kernel, (int)b->width, refs, POLY_MAX_WIDE),
        aligned = rg__kir_value(k, "aligned", RG_I32),
        each = rg__kir_symbol_of(names, KIR_INDEX, l->var, rg__poly_grid_index_type(&b->g, l));
    int64_t bytes = 0;
    if (!end) return false;
    rg__poly_grid_bind(&b->g, dim, at);
    for (int i = 0; i < n; i++) {
        if (!(place[i] = rg__kir_of(names, refs[i].access->node)) || place[i]->kind != KIR_ELEMENT) return false;
        int64_t own_bytes = (int64_t)rg_scalar_bytes(place[i]->type) * b->width;
        bytes = own_bytes > bytes ? own_bytes : bytes;
    }
    rg__kir_add_to(k, seq, rg__kir_let(k, aligned, rg__kir_aligned(k, n, place, bytes)));
    struct kir_node *when = name(b, aligned);
    if (!rg__poly_starts_exactly(b->g.p, b->g.kernel, dim)) { /* a row may begin behind the thread's first point */
        if (!(own = rg__kir_of(names, l->node->kid[0]))) return false;
        when = rg__kir_and(k, when, rg__kir_binary(k, RG_COP_GE, at, own));
        from = rg__kir_cast(k, rg__poly_grid_index_type(&b->g, l), rg__kir_max(k, at, own));
    }
    struct kir_node *whole = rg__kir_if(k, rg__kir_and(k, when, rg__kir_binary(k, RG_COP_LE, past, end)));
    rg__kir_note(whole, "vectorize: W neighbours at once where they are aligned and all there");
    rg__kir_add_to(k, seq, whole);
    return whole_vector(b, rg__kir_body(whole), refs, n, first, place) &&
           one_by_one(b, rg__kir_else(k, whole), each, from, rg__kir_min(k, past, end));
}

static bool wide_points(struct poly_points *b, struct kir_node *seq, int64_t unroll)
{
    struct kir_kernel *k = b->g.k;
    int x = rg__poly_dim_of_axis(b->g.kernel, 0);
    const struct poly_loop *l = rg__poly_grid_loop(&b->g, x);
    enum rg_scalar type = rg__poly_grid_index_type(&b->g, l);
    bool long_index = rg_scalar_bytes(type) > 4;
    struct kir_node *low = rg__poly_kir_first(b->g.p, b->g.kernel, b->g.t->names, x), *when = NULL, *end;
    const char *number = strrchr(l->name, '_'); /* as its own name may go without */
    bool numbered = number && number[1] && strspn(number + 1, "0123456789") == strlen(number + 1);
    const char *text =
        rg_arena_printf(k->arena, "%.*s0", numbered ? (int)(number - l->name) : (int)strlen(l->name), l->name);
    if (!low) return false;
    for (int d = 0; d < b->g.kernel->n_dims; d++)
        if (d != x && (!point(b, seq, d) || !rg__poly_grid_inside(&b->g, d, &when))) return false;
    struct kir_node *start = rg__kir_mul(k, number_of(b, 0, long_index), name(b, b->w));
    start = rg__kir_cast(k, type, rg__kir_add(k, low, start));
    if (b->g.kernel->grid_stride && b->g.kernel->n_dims == 1) {
        int first = rg__kir_index(k, text, type);
        if (!(end = rg__poly_kir_end(b->g.p->scop, b->g.t->names, l))) return false;
        struct kir_node *loop =
            rg__kir_for_range(k, unroll > 1 ? KIR_UNROLLED : KIR_SERIAL, first, start, end,
                              rg__kir_mul(k, rg__kir_cast(k, type, stride(b, long_index)), name(b, b->w)));
        loop->ivalue = unroll > 1 ? unroll : 0;
        rg__kir_add_to(k, seq, loop);
        return neighbours(b, rg__kir_body(loop), first);
    }
    int first = rg__kir_value(k, text, type);
    rg__kir_add_to(k, seq, rg__kir_let(k, first, start));
    return neighbours(b, rg__poly_kir_where(b->g.k, seq, when), first);
}

/* ---- one point at a time ---- */

static bool points(struct poly_points *b, struct kir_node *seq, int64_t unroll)
{
    const struct poly_kernel *x = b->g.kernel;
    struct kir_node *when = NULL, *in;
    if (x->grid_stride && x->n_dims == 1) {
        const struct poly_loop *l = rg__poly_grid_loop(&b->g, 0);
        bool wide = rg_scalar_bytes(rg__poly_grid_index_type(&b->g, l)) > 4;
        struct kir_node *loop =
            rg__poly_kir_loop(b->g.p->scop, b->g.t->names, l, number_of(b, 0, wide), stride(b, wide), unroll, &in);
        if (!loop) return false;
        rg__poly_grid_bind(&b->g, 0, b->g.t->names->var[l->var]);
        rg__kir_add_to(b->g.k, seq, loop);
        return code(b, in);
    }
    for (int d = 0; d < x->n_dims; d++)
        if (!point(b, seq, d)) return false;
    for (int d = 0; d < x->n_dims; d++)
        if (!rg__poly_grid_inside(&b->g, d, &when)) return false;
    return code(b, rg__poly_kir_where(b->g.k, seq, when));
}

/* ---- the kernel ---- */

struct kir_kernel *rg__poly_threads_kernel(const struct poly_program *p, const struct poly_kernel *kernel,
                                           const struct poly_values *v, struct rg_arena *arena, struct rg_reason *why)
{
    static const char *const names[] = {"BX", "BY", "BZ"}, *const several[] = {"RX", "RY"};
    int axes = kernel->n_dims ? kernel->n_dims : 1;
    struct poly_points b = {.g = {.p = p, .kernel = kernel},
                            .threads = {1, 1, 1},
                            .coarse = {1, 1, 1},
                            .width = kernel->wide ? rg__poly_width(kernel, v) : 1};
    struct kir_node top = {.kind = KIR_SEQ, .symbol = -1}, bottom = top, *in;
    int64_t unroll = kernel->unrolled ? v->unroll : 0;
    bool strides = kernel->grid_stride && kernel->n_dims == 1 && !kernel->coarsened;
    b.g.t = rg__poly_thread_new(p, kernel, arena, &top, &bottom, why);
    if (!b.g.t) return NULL;
    struct kir_kernel *k = b.g.k = b.g.t->k;
    b.g.t->unroll = unroll;
    b.g.t->chunk = v->ahead;
    b.g.t->parts = v->split;
    if (kernel->region) rg__poly_share_places(p, kernel, b.g.t);
    if (kernel->form == POLY_THREADS) rg__poly_threads_of(kernel, v, b.threads);
    for (int a = 0; a < axes; a++) {
        b.block[a] = rg__kir_constant(k, names[a], b.threads[a]);
        b.g.side[a] = kernel->n_dims ? name(&b, b.block[a]) : num(&b, 1);
        if (kernel->coarsened) b.coarse[a] = a == 0 ? v->rx : a == 1 ? v->ry : 1;
        b.g.per[a] = b.threads[a] * b.coarse[a] * (a ? 1 : b.width);
    }
    for (int a = 0; a < axes; a++)
        if (b.coarse[a] > 1) b.r[a] = rg__kir_constant(k, several[a], b.coarse[a]);
    if (kernel->wide) b.w = rg__kir_constant(k, "W", b.width);
    if (!rg__poly_grid_count(&b.g) || !(in = rg__poly_grid_launch(&b.g, strides ? v->grid : 0))) {
        rg__poly_no_form(b.g.t->names, why, "how many points there are has no form in the plan");
        return NULL;
    }
    rg__kir_add_to(k, in, &top);
    in = rg__poly_kir_guarded(b.g.t, in);
    if (!rg__poly_part_buffers(&b.g, in, strides ? v->grid : 0)) {
        rg__poly_no_form(b.g.t->names, why, "how many points there are has no form in the plan");
        return NULL;
    }
    if (rg__poly_is_tiled(kernel)) {
        if (!rg__poly_tile_points(&b, in, v, why)) return NULL;
    } else if (!(kernel->wide ? wide_points : points)(&b, in, unroll)) {
        rg__poly_no_form(b.g.t->names, why, "a part of the kernel has no form in kernel IR");
        return NULL;
    }
    rg__kir_add_to(k, in, &bottom);
    int64_t threads = b.threads[0] * b.threads[1] * b.threads[2];
    k->any_block = !kernel->launch_bounds && !kernel->coarsened && threads <= POLY_ALWAYS_FIT;
    k->min_blocks = rg__poly_min_blocks(kernel, v, threads);
    k->heading = rg__poly_heading(p, kernel, v, arena);
    rg__kir_finish(k);
    return k;
}
