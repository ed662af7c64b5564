/* A kernel that scatters into copies: a block fills its copies in shared memory with what changes nothing, goes through
 * points a grid apart and updates the copies, and adds to the arrays what it found. Where the copies may not fit at
 * some size, the launch asks first. */
#include "poly/kernel/private_kernel.h"
#include "poly/kernel/thread_code.h"
#include <stdio.h>

struct building {
    const struct poly_program *p;
    const struct poly_kernel *kernel;
    const struct poly_private *data;
    const struct poly_private_shape *shape;
    struct poly_thread *t;
    struct kir_kernel *k;
    int block, tx, at[3]; /* symbols: threads of a block, this one's place, the block's along x, y, z */
    struct kir_node *elements[POLY_MAX_PRIVATE]; /* of each copy */
};

static struct kir_node *num(struct building *b, int64_t v)
{
    return rg__kir_int(b->k, v);
}

/* The copies; whether they all fit where their sizes are known at the launch alone. */
static bool copies(struct building *b)
{
    const struct rg_ctree *tree = b->p->scop->tree;
    struct kir_kernel *k = b->k;
    b->t->own = rg_arena_alloc(k->arena, (size_t)(tree->n_arrays + 1) * sizeof *b->t->own);
    for (int a = 0; a < tree->n_arrays; a++) b->t->own[a] = -1;
    for (int i = 0; i < b->data->n; i++) {
        const struct rg_carray *c = &tree->arrays[b->data->array[i]];
        struct kir_node *n = num(b, 1), *x;
        for (int d = 0; d < c->n_dims; d++) {
            if (!(x = rg__kir_of_extent(b->t->names, c->dims[d]))) return false;
            n = rg__kir_mul(k, n, x);
        }
        b->elements[i] = n;
        b->t->own[b->data->array[i]] =
            rg__kir_buffer(k, rg_arena_printf(k->arena, "%s_own", c->name), KIR_SHARED, c->elem, 1, &n);
    }
    return true;
}

/* Over every element of every copy, dealt out to the threads: filled, or merged into the array. */
static void each_element(struct building *b, struct kir_node *seq, bool merge)
{
    struct kir_kernel *k = b->k;
    for (int i = 0; i < b->data->n; i++) {
        int a = b->data->array[i], own = b->t->own[a], buffer = rg__kir_buffer_of(b->t->names, a),
            e = rg__kir_index(k, "b", RG_I32), found;
        enum poly_op op = rg__poly_private_op(b->p->scop, b->kernel, a);
        struct kir_node *none = rg__poly_kir_identity(k, op, k->symbols[own].type),
                        *mine = rg__kir_at(k, own, 1, rg__kir_name(k, e)),
                        *loop = rg__kir_for_range(k, KIR_SERIAL, e, rg__kir_name(k, b->tx), b->elements[i],
                                                  rg__kir_name(k, b->block));
        rg__kir_add_to(k, seq, loop);
        if (!merge) {
            rg__kir_add_to(k, rg__kir_body(loop), rg__kir_store(k, mine, none));
            continue;
        }
        struct kir_node *subs[KIR_MAX_DIMS];
        int n = k->symbols[buffer].n_dims;
        for (int d = 0; d < n; d++) subs[d] = num(b, 0); /* as if all of it were one row */
        subs[n - 1] = rg__kir_name(k, e);
        found = rg__kir_value(k, "found", k->symbols[own].type);
        rg__kir_add_to(k, rg__kir_body(loop), rg__kir_let(k, found, mine));
        struct kir_node *any = rg__kir_if(k, rg__kir_binary(k, RG_COP_NE, rg__kir_name(k, found), none));
        rg__kir_add_to(
            k, rg__kir_body(any),
            rg__poly_kir_atomic_op(k, KIR_GRID, op, rg__kir_element(k, buffer, n, subs), rg__kir_name(k, found)));
        rg__kir_add_to(k, rg__kir_body(loop), any);
    }
}

/* The points: each dimension from the block's, or the thread's, place on, by as many as there are along its axis. */
static bool points(struct building *b, struct kir_node *seq)
{
    const struct poly_scop *s = b->p->scop;
    struct kir_kernel *k = b->k;
    for (int d = 0; d < b->kernel->n_dims; d++) {
        int axis = b->kernel->axis[d];
        const struct poly_loop *l = &s->loops[b->kernel->dims[d]];
        struct kir_node *place = rg__kir_name(k, b->at[axis]), *stride = rg__kir_extent(k, KIR_GRID_X + axis), *body;
        bool last = d + 1 == b->kernel->n_dims, wide = rg_scalar_bytes(s->tree->vars[l->var].type) > 4;
        if (wide) {
            place = rg__kir_cast(k, RG_LLONG, place);
            stride = rg__kir_cast(k, RG_LLONG, stride);
        }
        if (axis == 0) {
            place = rg__kir_add(k, rg__kir_mul(k, place, rg__kir_name(k, b->block)), rg__kir_name(k, b->tx));
            stride = rg__kir_mul(k, stride, rg__kir_name(k, b->block));
        }
        int64_t unroll = last && !rg__poly_knode_has_loop(b->kernel->body) ? b->t->unroll : 0;
        struct kir_node *loop = rg__poly_kir_loop(s, b->t->names, l, place, stride, unroll, &body);
        if (!loop) return false;
        for (int a = 0; a < b->kernel->n_alias; a++)
            if (b->kernel->alias[a].dim == d)
                rg__kir_bind(b->t->names, s->loops[b->kernel->alias[a].loop].var, b->t->names->var[l->var]);
        rg__kir_add_to(k, seq, loop);
        seq = body;
    }
    struct kir_node *code = rg__poly_thread_code_of(b->t, b->kernel->body);
    rg__kir_declare(b->t->names, seq);
    if (code) rg__kir_add_to(k, seq, code);
    return code != NULL;
}

/* About as many blocks as wanted in all, over the axes. */
static bool grid(struct building *b, struct kir_node *extent[3])
{
    struct kir_kernel *k = b->k;
    struct kir_node *blocks = num(b, b->shape->blocks);
    for (int a = 0; a < 3; a++) extent[a] = NULL;
    for (int d = 0; d < b->kernel->n_dims; d++) {
        struct kir_node *n = rg__poly_kir_most(b->p, b->kernel, b->t->names, d, RG_LLONG);
        if (!n) return false;
        extent[b->kernel->axis[d]] = rg__kir_max(k, num(b, 1), n);
    }
    for (int a = b->kernel->n_dims - 1; a >= 0; a--) {
        if (a == 0) extent[a] = rg__kir_ceil_div(k, extent[a], b->shape->block);
        extent[a] = rg__kir_min(k, blocks, extent[a]);
        blocks = rg__kir_max(k, num(b, 1), rg__kir_div(k, blocks, extent[a]));
    }
    return true;
}

/* The loops over blocks and threads; the body of a thread. */
static struct kir_node *launch(struct building *b, struct kir_node *const *extent)
{
    static const char *const names[] = {"bx", "by", "bz"};
    struct kir_kernel *k = b->k;
    struct kir_node *in = NULL;
    for (int a = 2; a >= 0; a--) {
        if (!extent[a]) continue;
        b->at[a] = rg__kir_index(k, names[a], RG_I32);
        struct kir_node *loop = rg__kir_for(k, KIR_GRID_X + a, b->at[a], num(b, 1));
        loop->kid[1] = extent[a]; /* in the plan's 64 bits */
        if (in)
            rg__kir_add_to(k, in, loop);
        else
            k->body = loop;
        in = rg__kir_body(loop);
    }
    struct kir_node *threads = rg__kir_for(k, KIR_BLOCK_X, b->tx, rg__kir_name(k, b->block));
    rg__kir_add_to(k, in, threads);
    return rg__kir_body(threads);
}

static void heading(struct building *b)
{
    const struct poly_kernel *x = b->kernel;
    struct rg_arena *a = b->k->arena;
    const char *text = "histogram.private: a copy of what is scattered into for each block, over";
    for (int d = 0; d < x->n_dims; d++)
        text = rg_arena_printf(a, "%s%s %s", text, d ? "," : "", b->p->scop->loops[x->dims[d]].name);
    if (b->t->unroll > 1)
        text = rg_arena_printf(a, "%s; unroll: loops without others inside, %lld iterations at once", text,
                               (long long)b->t->unroll);
    if (b->k->min_blocks)
        text = rg_arena_printf(a, "%s; launch.bounds: registers for %d blocks on a multiprocessor", text,
                               b->k->min_blocks);
    b->k->heading = text;
}

struct kir_kernel *rg__poly_private_kernel(const struct poly_program *p, const struct poly_kernel *kernel,
                                           const struct poly_private *data, const struct poly_private_shape *shape,
                                           struct rg_arena *arena, struct rg_reason *why)
{
    struct building b = {.p = p, .kernel = kernel, .data = data, .shape = shape};
    struct kir_node *extent[3], top = {.kind = KIR_SEQ, .symbol = -1}, *in;
    b.t = rg__poly_thread_new(p, kernel, arena, &top, NULL, why);
    if (!b.t) return NULL;
    struct kir_kernel *k = b.k = b.t->k;
    b.t->unroll = shape->unroll;
    b.block = rg__kir_constant(k, "BLOCK", shape->block);
    b.tx = rg__kir_index(k, "tx", RG_I32);
    if (!grid(&b, extent) || !copies(&b)) {
        rg__poly_no_form(b.t->names, why, "how many points there are has no form in the plan");
        return NULL;
    }
    in = launch(&b, extent);
    rg__kir_add_to(k, in, &top);
    each_element(&b, in, false);
    rg__kir_add_to(k, in, rg__kir_barrier(k, KIR_BLOCK));
    if (!points(&b, in)) {
        rg__poly_no_form(b.t->names, why, "a part of the kernel has no form in kernel IR");
        return NULL;
    }
    rg__kir_add_to(k, in, rg__kir_barrier(k, KIR_BLOCK));
    each_element(&b, in, true);
    k->fits = NULL;
    if (kernel->otherwise >= 0) {
        rg__kir_finish(k);
        struct kir_node *asked = rg__kir_shared_asked(k);
        k->fits = asked ? rg__kir_binary(k, RG_COP_LE, asked, num(&b, KIR_STATIC_SHARED_BYTES)) : NULL;
    }
    k->min_blocks = shape->min_blocks;
    heading(&b);
    rg__kir_finish(k);
    return k;
}
