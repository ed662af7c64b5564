/* A thread for each point of a kernel's dimensions, or, loaded and stored at once, for several neighbouring ones, in
 * kernel IR: blocks and threads, the point of a thread, the guard. */
#include "poly/kernel/threads_kernel.h"
#include "poly/kernel/thread_code.h"
#include <stdio.h>
#include <string.h>

enum {
    ALWAYS_FIT = 256,   /* threads of a block, whatever registers they take: 255 at most of 65536 */
    MOST_BLOCKS = 65535 /* along y or z */
};

struct building {
    const struct poly_program *p;
    const struct poly_kernel *kernel;
    struct poly_thread *t;
    struct kir_kernel *k;
    int64_t threads[3], width;  /* along each axis; neighbouring points of one */
    int block[3], tx[3], w;     /* symbols: their names, this one's place, that of the width */
    struct kir_node *blocks[3]; /* along each axis, in the plan's 64 bits */
    struct kir_node *place[3];  /* this one's */
    bool flat;                  /* they are numbered along x alone: an axis has more than CUDA's y and z hold */
};

static struct kir_node *num(struct building *b, int64_t v)
{
    return rg__kir_int(b->k, v);
}

static struct kir_node *name(struct building *b, int symbol)
{
    return rg__kir_name(b->k, symbol);
}

static const struct poly_loop *loop_of(const struct building *b, int dim)
{
    return &b->p->scop->loops[b->kernel->dims[dim]];
}

static int64_t per_block(const struct building *b, int axis)
{
    return b->threads[axis] * (axis ? 1 : b->width);
}

/* ---- the grid ---- */

static void choose_grid(struct building *b)
{
    const struct rg_problem *p = b->p->scop->problem;
    for (int a = 1; a < b->kernel->n_dims; a++)
        for (int s = 0; s < p->n_sizes && !b->flat; s++) {
            struct rg_problem_env env;
            int64_t n;
            rg_problem_env_init(&env, p, &p->sizes[s]);
            /* host loops' variables are unknown here: such an extent is taken to be small */
            b->flat = rg__poly_kir_value(b->k, b->blocks[a], &env, &n) && n > MOST_BLOCKS;
        }
}

static bool grid(struct building *b)
{
    for (int d = 0; d < b->kernel->n_dims; d++) {
        int a = b->kernel->axis[d];
        struct kir_node *n = rg__poly_kir_most(b->p, b->kernel, b->t->names, d, RG_LLONG);
        if (!n) return false;
        b->blocks[a] = rg__kir_ceil_div(b->k, n, per_block(b, a));
    }
    if (!b->kernel->n_dims) b->blocks[0] = num(b, 1);
    b->flat = b->kernel->region && b->kernel->n_dims > 1; /* one number, which resident blocks count through */
    choose_grid(b);
    return true;
}

/* The blocks' places where all are numbered along x. */
static bool unfold(struct building *b, struct kir_node *seq, int number)
{
    static const char *const counts[] = {"grid_x", "grid_y"}, *const names[] = {"bx", "by", "bz"};
    struct kir_kernel *k = b->k;
    struct kir_node *rest = rg__kir_cast(k, RG_U32, name(b, number)); /* unsigned: it divides faster */
    int n = b->kernel->n_dims;
    for (int a = 0; a < n; a++) {
        int at = rg__kir_value(k, names[a], RG_I32);
        if (a + 1 < n) {
            struct kir_node *most =
                rg__poly_kir_most(b->p, b->kernel, b->t->names, rg__poly_dim_of_axis(b->kernel, a), RG_I32);
            int count = rg__kir_value(k, counts[a], RG_U32);
            if (!most) return false;
            most = rg__kir_max(k, num(b, 1), rg__kir_ceil_div(k, rg__kir_cast(k, RG_I32, most), per_block(b, a)));
            rg__kir_add_to(k, seq, rg__kir_let(k, count, rg__kir_cast(k, RG_U32, most)));
            rg__kir_add_to(k, seq, rg__kir_let(k, at, rg__kir_cast(k, RG_I32, rg__kir_rem(k, rest, name(b, count)))));
            rest = rg__kir_div(k, rest, name(b, count));
        } else {
            rg__kir_add_to(k, seq, rg__kir_let(k, at, rg__kir_cast(k, RG_I32, rest)));
        }
        b->place[a] = name(b, at);
    }
    return true;
}

/* The loops over blocks and threads; the body of a thread. */
static struct kir_node *launch(struct building *b, int64_t most_blocks)
{
    static const char *const blocks[] = {"bx", "by", "bz"}, *const threads[] = {"tx", "ty", "tz"};
    struct kir_kernel *k = b->k;
    struct kir_node *in = NULL;
    int number = -1, n = b->kernel->n_dims;
    for (int round = 0; round < 2; round++)
        for (int a = 2; a >= 0; a--) {
            if (!b->blocks[a] || (b->flat && a && !round)) continue;
            int symbol = rg__kir_index(k, round ? threads[a] : b->flat ? "block" : blocks[a], RG_I32);
            struct kir_node *loop = rg__kir_for(k, (round ? KIR_BLOCK_X : KIR_GRID_X) + a, symbol, num(b, 1));
            if (round) {
                b->tx[a] = symbol;
                loop->kid[1] = n ? name(b, b->block[a]) : num(b, 1);
            } else {
                loop->kid[1] = b->blocks[a];
                for (int o = 1; b->flat && o < n; o++)
                    loop->kid[1] = rg__kir_mul(k, rg__kir_max(k, num(b, 1), loop->kid[1]),
                                               rg__kir_max(k, num(b, 1), b->blocks[o]));
                if (most_blocks) loop->kid[1] = rg__kir_min(k, num(b, most_blocks), loop->kid[1]);
                b->place[a] = name(b, number = symbol);
            }
            if (in)
                rg__kir_add_to(k, in, loop);
            else
                k->body = loop;
            in = rg__kir_body(loop);
        }
    return !b->flat || unfold(b, in, number) ? in : NULL;
}

/* ---- points ---- */

static enum rg_scalar index_type(const struct building *b, const struct poly_loop *l)
{
    enum rg_scalar t = b->p->scop->tree->vars[l->var].type;
    return rg_scalar_bytes(t) < 4 ? RG_I32 : t;
}

/* The thread's number along the axis. */
static struct kir_node *number_of(struct building *b, int axis, bool wide)
{
    struct kir_kernel *k = b->k;
    struct kir_node *at = wide ? rg__kir_cast(k, RG_LLONG, b->place[axis]) : b->place[axis];
    return rg__kir_add(k, rg__kir_mul(k, at, name(b, b->block[axis])), name(b, b->tx[axis]));
}

/* What all of the grid's threads cover. Signed, so that the compiler may count the loop's trips and unroll it; around
 * loops of a thread's own, where that would only be more code, unsigned, which may wrap. */
static struct kir_node *stride(struct building *b, bool wide)
{
    struct kir_kernel *k = b->k;
    struct kir_node *n = rg__kir_extent(k, KIR_GRID_X), *threads = name(b, b->block[0]);
    if (wide) return rg__kir_mul(k, rg__kir_cast(k, RG_LLONG, n), threads);
    if (!rg__poly_knode_has_loop(b->kernel->body)) return rg__kir_mul(k, n, threads);
    return rg__kir_mul(k, rg__kir_cast(k, RG_U32, n), rg__kir_cast(k, RG_U32, threads));
}

static void bind(struct building *b, int dim, struct kir_node *value)
{
    const struct poly_scop *s = b->p->scop;
    rg__kir_bind(b->t->names, loop_of(b, dim)->var, value);
    for (int a = 0; a < b->kernel->n_alias; a++)
        if (b->kernel->alias[a].dim == dim) rg__kir_bind(b->t->names, s->loops[b->kernel->alias[a].loop].var, value);
}

/* The dimension's variable at the thread's place along its axis. */
static bool point(struct building *b, struct kir_node *seq, int dim)
{
    struct kir_kernel *k = b->k;
    const struct poly_loop *l = loop_of(b, dim);
    enum rg_scalar type = index_type(b, l);
    int64_t step = l->step > 0 ? l->step : -l->step;
    int a = b->kernel->axis[dim];
    struct kir_node *first = rg__poly_kir_first(b->p, b->kernel, b->t->names, dim),
                    *at = number_of(b, a, rg_scalar_bytes(type) > 4);
    if (!first) return false;
    if (l->step == 1 && rg_scalar_bytes(type) == 4 && rg__poly_knode_has_loop(b->kernel->body)) {
        /* the compiler keeps the order of the sum, and chooses instructions by it: both orders are as they were timed
         */
        at = rg__kir_mul(k, b->place[a], name(b, b->block[a]));
        at = rg__kir_add(k, rg__kir_add(k, rg__kir_cast(k, RG_I32, first), at), name(b, b->tx[a]));
        at = rg__kir_cast(k, type, at);
    } else {
        at = rg__kir_mul(k, rg__kir_cast(k, type, at), num(b, step));
        at = rg__kir_cast(k, type, rg__kir_binary(k, l->step > 0 ? RG_COP_ADD : RG_COP_SUB, first, at));
    }
    int symbol = rg__kir_symbol_of(b->t->names, KIR_VALUE, l->var, type);
    rg__kir_add_to(k, seq, rg__kir_let(k, symbol, at));
    bind(b, dim, name(b, symbol));
    return true;
}

/* Do whole blocks cover the dimension: is each of their points one of it? */
static bool whole_blocks(struct building *b, int dim)
{
    int64_t n;
    struct kir_node *most = rg__poly_kir_most(b->p, b->kernel, b->t->names, dim, RG_LLONG);
    const struct poly_loop *l = loop_of(b, dim);
    for (int d = 0; d < b->kernel->n_dims; d++)
        if (rg__poly_mentions_loop(b->p->scop, l->node->kid[0], b->kernel->dims[d])) return false;
    return most && rg__poly_kir_value(b->k, most, NULL, &n) && n > 0 && n % per_block(b, b->kernel->axis[dim]) == 0;
}

/* Is the point one of the dimension's? *when NULL: each is, so far. */
static bool inside(struct building *b, int dim, struct kir_node **when)
{
    struct kir_kernel *k = b->k;
    struct kir_names *names = b->t->names;
    const struct poly_loop *l = loop_of(b, dim);
    struct kir_node *i = names->var[l->var], *first, *end;
    if (whole_blocks(b, dim)) return true;
    if (!rg__poly_starts_exactly(b->p, b->kernel, dim)) {
        if (!(first = rg__kir_of(names, l->node->kid[0]))) return false;
        *when = rg__kir_and(k, *when, rg__kir_binary(k, l->step > 0 ? RG_COP_GE : RG_COP_LE, i, first));
    }
    if (!(end = rg__poly_kir_end(b->p->scop, names, l))) return false;
    *when = rg__kir_and(k, *when, rg__kir_binary(k, l->step > 0 ? RG_COP_LT : RG_COP_GT, i, end));
    return true;
}

static bool code(struct building *b, struct kir_node *seq)
{
    struct kir_node *code = rg__poly_thread_code_of(b->t, b->kernel->body);
    rg__kir_declare(b->t->names, seq);
    if (code) rg__kir_add_to(b->k, seq, code);
    return code != NULL;
}

static struct kir_node *guarded(struct building *b, struct kir_node *seq, struct kir_node *when)
{
    if (!when) return seq;
    struct kir_node *branch = rg__kir_if(b->k, when);
    rg__kir_add_to(b->k, seq, branch);
    return rg__kir_body(branch);
}

/* ---- neighbouring points at once ---- */

/* From memory to the registers, or back. */
static void move_wide(struct building *b, struct kir_node *seq, const struct poly_wide *refs, int n,
                      struct kir_node *const *place, bool back)
{
    for (int i = 0; i < n; i++) {
        if (!(back ? refs[i].written : refs[i].read)) continue;
        struct kir_node *held = rg__kir_at(b->k, b->t->several[i].buffer, 1, num(b, 0));
        rg__kir_add_to(b->k, seq,
                       rg__kir_copy(b->k, back ? place[i] : held, back ? held : place[i], (int)b->width, false));
    }
}

/* All of the thread's points from `first` on exist, and so do vectors of what they read and write. */
static bool whole_vector(struct building *b, struct kir_node *seq, const struct poly_wide *refs, int n, int first,
                         struct kir_node *const *place)
{
    struct kir_kernel *k = b->k;
    struct poly_thread *t = b->t;
    int dim = rg__poly_dim_of_axis(b->kernel, 0), r = rg__kir_index(k, "r", RG_I32);
    const struct poly_loop *l = loop_of(b, dim);
    struct kir_node *width = name(b, b->w), *loop = rg__kir_for(k, KIR_UNROLLED, r, width);
    for (int i = 0; i < n; i++) {
        const struct rg_carray *a = &b->p->scop->tree->arrays[refs[i].access->array];
        t->several[i].access = refs[i].access;
        t->several[i].at = name(b, r);
        t->several[i].buffer =
            rg__kir_buffer(k, rg_arena_printf(k->arena, "%s_v", a->name), KIR_REGISTER, a->elem, 1, &width);
    }
    move_wide(b, seq, refs, n, place, false);
    int i = rg__kir_symbol_of(t->names, KIR_VALUE, l->var, index_type(b, l));
    struct kir_node *in = rg__kir_body(loop);
    rg__kir_add_to(k, in,
                   rg__kir_let(k, i, rg__kir_add(k, name(b, first), rg__kir_cast(k, index_type(b, l), name(b, r)))));
    bind(b, dim, name(b, i));
    t->n_several = n;
    bool ok = code(b, in);
    t->n_several = 0;
    rg__kir_add_to(k, seq, loop);
    move_wide(b, seq, refs, n, place, true);
    return ok;
}

/* What there is of the thread's points, one by one. */
static bool one_by_one(struct building *b, struct kir_node *seq, int i, struct kir_node *from, struct kir_node *to)
{
    struct kir_kernel *k = b->k;
    struct kir_node *loop = rg__kir_for_range(k, KIR_SERIAL, i, from, to, num(b, 1));
    bind(b, rg__poly_dim_of_axis(b->kernel, 0), name(b, i));
    rg__kir_add_to(k, seq, loop);
    return code(b, rg__kir_body(loop));
}

/* The points from the one that `first` names on. */
static bool neighbours(struct building *b, struct kir_node *seq, int first)
{
    struct kir_kernel *k = b->k;
    struct kir_names *names = b->t->names;
    int dim = rg__poly_dim_of_axis(b->kernel, 0);
    const struct poly_loop *l = loop_of(b, dim);
    struct poly_wide refs[POLY_MAX_WIDE];
    struct kir_node *place[POLY_MAX_WIDE], *at = name(b, first), *end = rg__poly_kir_end(b->p->scop, names, l),
                                           *past = rg__kir_add(k, at, rg__kir_cast(k, index_type(b, l), name(b, b->w))),
                                           *own, *from = at;
    int n = rg__poly_wide_references(b->p, b->kernel, (int)b->width, refs, POLY_MAX_WIDE),
        aligned = rg__kir_value(k, "aligned", RG_I32),
        each = rg__kir_symbol_of(names, KIR_INDEX, l->var, index_type(b, l));
    int64_t bytes = 0;
    if (!end) return false;
    bind(b, dim, at);
    for (int i = 0; i < n; i++) {
        if (!(place[i] = rg__kir_of(names, refs[i].access->node)) || place[i]->kind != KIR_ELEMENT) return false;
        int64_t own_bytes = (int64_t)rg_scalar_bytes(place[i]->type) * b->width;
        bytes = own_bytes > bytes ? own_bytes : bytes;
    }
    rg__kir_add_to(k, seq, rg__kir_let(k, aligned, rg__kir_aligned(k, n, place, bytes)));
    struct kir_node *when = name(b, aligned);
    if (!rg__poly_starts_exactly(b->p, b->kernel, dim)) { /* a row may begin behind the thread's first point */
        if (!(own = rg__kir_of(names, l->node->kid[0]))) return false;
        when = rg__kir_and(k, when, rg__kir_binary(k, RG_COP_GE, at, own));
        from = rg__kir_cast(k, index_type(b, l), rg__kir_max(k, at, own));
    }
    struct kir_node *whole = rg__kir_if(k, rg__kir_and(k, when, rg__kir_binary(k, RG_COP_LE, past, end)));
    rg__kir_note(whole, "vectorize: W neighbours at once where they are aligned and all there");
    rg__kir_add_to(k, seq, whole);
    return whole_vector(b, rg__kir_body(whole), refs, n, first, place) &&
           one_by_one(b, rg__kir_else(k, whole), each, from, rg__kir_min(k, past, end));
}

static bool wide_points(struct building *b, struct kir_node *seq, int64_t unroll)
{
    struct kir_kernel *k = b->k;
    int x = rg__poly_dim_of_axis(b->kernel, 0);
    const struct poly_loop *l = loop_of(b, x);
    enum rg_scalar type = index_type(b, l);
    bool long_index = rg_scalar_bytes(type) > 4;
    struct kir_node *low = rg__poly_kir_first(b->p, b->kernel, b->t->names, x), *when = NULL, *end;
    const char *number = strrchr(l->name, '_'); /* as its own name may go without */
    bool numbered = number && number[1] && strspn(number + 1, "0123456789") == strlen(number + 1);
    const char *text =
        rg_arena_printf(k->arena, "%.*s0", numbered ? (int)(number - l->name) : (int)strlen(l->name), l->name);
    if (!low) return false;
    for (int d = 0; d < b->kernel->n_dims; d++)
        if (d != x && (!point(b, seq, d) || !inside(b, d, &when))) return false;
    struct kir_node *start = rg__kir_mul(k, number_of(b, 0, long_index), name(b, b->w));
    start = rg__kir_cast(k, type, rg__kir_add(k, low, start));
    if (b->kernel->grid_stride && b->kernel->n_dims == 1) {
        int first = rg__kir_index(k, text, type);
        if (!(end = rg__poly_kir_end(b->p->scop, b->t->names, l))) return false;
        struct kir_node *loop =
            rg__kir_for_range(k, unroll > 1 ? KIR_UNROLLED : KIR_SERIAL, first, start, end,
                              rg__kir_mul(k, rg__kir_cast(k, type, stride(b, long_index)), name(b, b->w)));
        loop->ivalue = unroll > 1 ? unroll : 0;
        rg__kir_add_to(k, seq, loop);
        return neighbours(b, rg__kir_body(loop), first);
    }
    int first = rg__kir_value(k, text, type);
    rg__kir_add_to(k, seq, rg__kir_let(k, first, start));
    return neighbours(b, guarded(b, seq, when), first);
}

/* ---- one point at a time ---- */

static bool points(struct building *b, struct kir_node *seq, int64_t unroll)
{
    const struct poly_kernel *x = b->kernel;
    struct kir_node *when = NULL, *in;
    if (x->grid_stride && x->n_dims == 1) {
        const struct poly_loop *l = loop_of(b, 0);
        bool wide = rg_scalar_bytes(index_type(b, l)) > 4;
        struct kir_node *loop =
            rg__poly_kir_loop(b->p->scop, b->t->names, l, number_of(b, 0, wide), stride(b, wide), unroll, &in);
        if (!loop) return false;
        bind(b, 0, b->t->names->var[l->var]);
        rg__kir_add_to(b->k, seq, loop);
        return code(b, in);
    }
    for (int d = 0; d < x->n_dims; d++)
        if (!point(b, seq, d)) return false;
    for (int d = 0; d < x->n_dims; d++)
        if (!inside(b, d, &when)) return false;
    return code(b, guarded(b, seq, when));
}

/* ---- the kernel ---- */

/* Of a phase: what others in the same launch write is no constant, and not this one's alone. */
static void share_places(struct building *b)
{
    const struct poly_program *p = b->p;
    for (int i = 0; i < b->k->n_symbols; i++) b->k->symbols[i].alone = false;
    for (int a = 0; a < p->scop->tree->n_arrays; a++) {
        int s = b->t->names->buffer[a];
        bool written = false;
        if (s < 0) continue;
        rg__poly_knode_uses_array(p->scop, b->kernel->body, a, &written);
        b->k->symbols[s].alone = !written && !rg__poly_written_beside(p, b->kernel, a) &&
                                 !(p->scop->tree->arrays[a].param >= 0 && p->scop->problem->may_alias);
    }
}

/* Statements and conditions that are plain ones. */
static bool plain(const struct rg_ctree *t, const struct poly_knode *k)
{
    if (!k) return true;
    if ((k->kind == KN_IF && !rg__kir_can(t, k->node->kid[0])) || (k->kind == KN_LEAF && !rg__kir_can(t, k->node)))
        return false;
    for (int i = 0; i < k->n; i++)
        if (!plain(t, k->kid[i])) return false;
    return true;
}

/* Does it declare an array of its own whose size data or parameters say? */
static bool declares_unknown(const struct poly_program *p, const struct poly_knode *k)
{
    const struct rg_ctree *t = p->scop->tree;
    int a = k && k->kind == KN_LEAF && k->node->kind == RG_C_DECL ? k->node->array : -1;
    for (int d = 0; a >= 0 && !p->array_scratch[a] && d < t->arrays[a].n_dims; d++)
        if (!t->arrays[a].dims[d] || t->arrays[a].dims[d]->kind != RG_EXPR_INT) return true;
    for (int i = 0; k && i < k->n; i++)
        if (declares_unknown(p, k->kid[i])) return true;
    return false;
}

bool rg__poly_threads_in_kir(const struct poly_program *p, const struct poly_kernel *k)
{
    const struct rg_ctree *t = p->scop->tree;
    if ((k->form != POLY_THREADS && k->form != POLY_SINGLE) || k->n_staged || k->coarsened || k->partner >= 0)
        return false;
    for (int a = 0; a < t->n_arrays; a++) /* a thread's own, too large for it */
        if (p->array_parts[a] && rg__poly_knode_uses_array(p->scop, k->body, a, NULL)) return false;
    return plain(t, k->body) && !declares_unknown(p, k->body);
}

struct kir_kernel *rg__poly_threads_kernel(const struct poly_program *p, const struct poly_kernel *kernel,
                                           const struct poly_values *v, struct rg_arena *arena, struct rg_reason *why)
{
    static const char *const names[] = {"BX", "BY", "BZ"};
    int axes = kernel->n_dims ? kernel->n_dims : 1;
    struct building b = {
        .p = p, .kernel = kernel, .threads = {1, 1, 1}, .width = kernel->wide ? rg__poly_width(kernel, v) : 1};
    struct kir_node top = {.kind = KIR_SEQ, .symbol = -1}, bottom = top, *in;
    int64_t unroll = kernel->unrolled ? v->unroll : 0;
    bool strides = kernel->grid_stride && kernel->n_dims == 1;
    b.t = rg__poly_thread_new(p, kernel, arena, &top, &bottom, why);
    if (!b.t) return NULL;
    struct kir_kernel *k = b.k = b.t->k;
    b.t->unroll = unroll;
    b.t->chunk = v->ahead;
    if (kernel->region) share_places(&b);
    if (kernel->form == POLY_THREADS) rg__poly_threads_of(kernel, v, b.threads);
    for (int a = 0; a < axes; a++) b.block[a] = rg__kir_constant(k, names[a], b.threads[a]);
    if (kernel->wide) b.w = rg__kir_constant(k, "W", b.width);
    if (!grid(&b) || !(in = launch(&b, strides ? v->grid : 0))) {
        rg__poly_no_form(b.t->names, why, "how many points there are has no form in the plan");
        return NULL;
    }
    rg__kir_add_to(k, in, &top);
    if (!(kernel->wide ? wide_points : points)(&b, in, unroll)) {
        rg__poly_no_form(b.t->names, why, "a part of the kernel has no form in kernel IR");
        return NULL;
    }
    rg__kir_add_to(k, in, &bottom);
    int64_t threads = b.threads[0] * b.threads[1] * b.threads[2];
    k->any_block = !kernel->launch_bounds && threads <= ALWAYS_FIT;
    k->min_blocks = rg__poly_min_blocks(kernel, v, threads);
    k->heading = rg__poly_heading(p, kernel, v, arena);
    rg__kir_finish(k);
    return k;
}
