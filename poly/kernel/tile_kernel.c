/* Several points a thread, and tiles in shared memory, in kernel IR: loops that all points share run once around loops
 * over the points, what lives from one of these to the next is in registers, one for each point, and blocks whose
 * points all exist ask for none. */
#include "poly/kernel/tile_kernel.h"

enum { MOST_HELD = 4 /* by one loop */, WIDEST_COPY = 16 /* bytes */ };

static struct kir_node *name(struct poly_tile *x, int symbol)
{
    return rg__kir_name(x->k, symbol);
}

static const struct poly_loop *loop_of(const struct poly_tile *x, int dim)
{
    return &x->b->g.p->scop->loops[x->b->g.kernel->dims[dim]];
}

static bool is_coarse(const struct poly_tile *x, int dim)
{
    return x->b->coarse[x->b->g.kernel->axis[dim]] > 1;
}

/* Where code stands that runs under the condition; NULL: always. */
static struct kir_node *where(struct poly_tile *x, struct kir_node *seq, struct kir_node *when)
{
    struct kir_node *branch = when ? rg__kir_if(x->k, when) : NULL;
    if (!branch) return seq;
    rg__kir_add_to(x->k, seq, branch);
    return rg__kir_body(branch);
}

/* ---- registers for each of the thread's points ---- */

/* What is more than a thread has is its memory's: the compiler keeps there what it can't hold. */
static int registers(struct poly_tile *x, const char *as, enum rg_scalar type)
{
    struct kir_node *dims[3];
    int64_t bytes = type == RG_STRUCT ? 0 : (int64_t)rg_scalar_bytes(type);
    int n = 0;
    for (int d = 0; d < x->b->g.kernel->n_dims; d++) {
        if (!is_coarse(x, d)) continue;
        dims[n++] = name(x, x->b->r[x->b->g.kernel->axis[d]]);
        bytes *= x->b->coarse[x->b->g.kernel->axis[d]];
    }
    if (!n) return rg__kir_scalar(x->k, as, type);
    x->bytes += bytes;
    enum kir_space space = x->bytes > KIR_MAX_REGISTER_BYTES - WIDEST_COPY ? KIR_LOCAL : KIR_REGISTER;
    return rg__kir_buffer(x->k, as, space, type, n, dims);
}

/* This point's. */
static struct kir_node *own(struct poly_tile *x, int symbol)
{
    struct kir_node *subs[3];
    int n = 0;
    for (int d = 0; d < x->b->g.kernel->n_dims; d++)
        if (is_coarse(x, d)) subs[n++] = name(x, x->r[d]);
    return n ? rg__kir_element(x->k, symbol, n, subs) : name(x, symbol);
}

static struct kir_node *declared(struct poly_tile *x, int symbol)
{
    bool several = x->k->symbols[symbol].kind == KIR_BUFFER;
    return several ? rg__kir_own_buffer(x->k, symbol) : rg__kir_var(x->k, symbol, NULL);
}

static struct kir_node *set(struct poly_tile *x, struct kir_node *place, struct kir_node *value)
{
    return place->kind == KIR_ELEMENT ? rg__kir_store(x->k, place, value) : rg__kir_assign(x->k, place->symbol, value);
}

static void hoist(struct poly_tile *x, struct kir_node *seq)
{
    const struct rg_ctree *t = x->b->g.p->scop->tree;
    for (int v = 0; v < t->n_vars; v++) {
        if (!x->tiling.hoisted[v]) continue;
        int s = registers(x, rg_arena_printf(x->k->arena, "%s_r", t->vars[v].name), t->vars[v].type);
        x->k->symbols[s].c_type = t->vars[v].type == RG_STRUCT ? t->vars[v].c_type : NULL;
        rg__kir_add_to(x->k, seq, declared(x, s));
        rg__kir_bind(x->b->g.t->names, v, own(x, s));
        x->b->g.t->names->outer[v] = true;
    }
}

/* ---- places ---- */

/* Which of the block's points along the dimension it is. They are as far apart as the block has threads there, so that
 * neighbours of the block are neighbours in memory; `vec` of them side by side where tiles are read. */
static struct kir_node *in_block(struct poly_tile *x, int dim)
{
    struct kir_kernel *k = x->k;
    int a = x->b->g.kernel->axis[dim];
    int64_t vec = x->tiling.vec[a];
    struct kir_node *thread = name(x, x->b->g.tx[a]), *size = name(x, x->b->block[a]), *v = rg__kir_int(k, vec);
    if (!is_coarse(x, dim)) return thread;
    struct kir_node *r = name(x, x->r[dim]);
    if (vec == 1) return rg__kir_add(k, rg__kir_mul(k, r, size), thread);
    if (vec == x->b->coarse[a]) return rg__kir_add(k, rg__kir_mul(k, thread, v), r);
    struct kir_node *run = rg__kir_add(k, rg__kir_mul(k, rg__kir_div(k, r, v), size), thread);
    return rg__kir_add(k, rg__kir_mul(k, run, v), rg__kir_rem(k, r, v));
}

static bool place(struct poly_tile *x, struct kir_node *seq, int dim)
{
    struct poly_points *b = x->b;
    struct kir_kernel *k = x->k;
    const struct poly_loop *l = loop_of(x, dim);
    enum rg_scalar type = rg__poly_grid_index_type(&b->g, l);
    int a = b->g.kernel->axis[dim];
    struct kir_node *first = rg__poly_kir_first(b->g.p, b->g.kernel, b->g.t->names, dim),
                    *block = rg_scalar_bytes(type) > 4 ? rg__kir_cast(k, RG_LLONG, b->g.place[a]) : b->g.place[a],
                    *size = name(x, b->block[a]), *step;
    if (!first) return false;
    if (is_coarse(x, dim)) size = rg__kir_mul(k, size, name(x, b->r[a]));
    int origin = rg__kir_value(k, rg_arena_printf(k->arena, "%s0", l->name), type);
    rg__kir_add_to(k, seq,
                   rg__kir_let(k, origin, rg__kir_cast(k, type, rg__kir_add(k, first, rg__kir_mul(k, block, size)))));
    x->origin[dim] = name(x, origin);
    x->r[dim] = is_coarse(x, dim) ? rg__kir_index(k, rg_arena_printf(k->arena, "r%s", l->name), RG_I32) : -1;
    x->local[dim] = -1;
    x->place[dim] = step = in_block(x, dim);
    if (x->tiling.n_groups) {
        x->local[dim] = rg__kir_value(k, rg_arena_printf(k->arena, "%s_t", l->name), RG_I32);
        step = name(x, x->local[dim]);
    }
    x->at[dim] = rg__kir_symbol_of(b->g.t->names, KIR_VALUE, l->var, type);
    x->value[dim] = rg__kir_add(k, x->origin[dim], rg__kir_cast(k, type, step));
    return true;
}

/* Has the block a point, where a dimension's bounds lean on another's? *when NULL: it has. False: names->why. */
static bool has_points(struct poly_tile *x, struct kir_node **when)
{
    struct poly_points *b = x->b;
    struct kir_kernel *k = x->k;
    for (int d = 0; d < b->g.kernel->n_dims; d++) rg__poly_grid_bind(&b->g, d, x->origin[d]);
    for (int d = 0; d < b->g.kernel->n_dims; d++)
        for (int side = 0; side < 2; side++) {
            const struct poly_loop *l = loop_of(x, d);
            struct poly_linear bound = side ? l->upper : l->lower;
            struct kir_node *first = rg__kir_cast(k, RG_LLONG, x->origin[d]), *is;
            bool leans = false;
            for (int t = 0; bound.ok && t < bound.n; t++) {
                int dim = rg__poly_dim_at(b->g.p->scop, b->g.kernel, bound.term[t].var);
                if (dim < 0) continue;
                leans = true;
                if ((bound.term[t].c > 0) == side) /* the greatest upper bound, the least lower one */
                    bound.k += bound.term[t].c * (rg__poly_per_block(&x->tiling, b->g.kernel->axis[dim]) - 1);
            }
            if (!bound.ok || !leans) continue;
            if (!(is = rg__poly_kir_linear(b->g.t->names, &bound))) return false;
            if (!side)
                first = rg__kir_add(k, first, rg__kir_int(k, rg__poly_per_block(&x->tiling, b->g.kernel->axis[d]) - 1));
            *when = rg__kir_and(k, *when, rg__kir_binary(k, side ? RG_COP_LT : RG_COP_GE, first, is));
        }
    return true;
}

/* Are all of the block's points of the dimensions? */
static bool all_inside(struct poly_tile *x, struct kir_node *seq)
{
    struct poly_points *b = x->b;
    struct kir_kernel *k = x->k;
    struct kir_node *all = NULL;
    for (int d = 0; d < b->g.kernel->n_dims; d++) {
        const struct poly_loop *l = loop_of(x, d);
        int a = b->g.kernel->axis[d];
        enum rg_scalar type = rg__poly_grid_index_type(&b->g, l),
                       wide = rg_scalar_is_signed(type) ? type : RG_LLONG; /* what is added may pass the type's end */
        struct kir_node *size = name(x, b->block[a]), *end = rg__poly_kir_end(b->g.p->scop, b->g.t->names, l);
        if (!end) return false;
        if (is_coarse(x, d)) size = rg__kir_mul(k, size, name(x, b->r[a]));
        struct kir_node *past = rg__kir_add(k, rg__kir_cast(k, wide, x->origin[d]), rg__kir_cast(k, wide, size));
        all = rg__kir_and(k, all, rg__kir_binary(k, RG_COP_LE, past, rg__kir_cast(k, wide, end)));
    }
    int full = rg__kir_value(k, "full", RG_I32);
    rg__kir_add_to(k, seq, rg__kir_let(k, full, all));
    x->full = name(x, full);
    return true;
}

/* ---- code of the points ---- */

/* Names for the point's place in the block, and its own. */
static void add_place(struct poly_tile *x, struct kir_node *seq, int dim)
{
    if (x->local[dim] >= 0) rg__kir_add_to(x->k, seq, rg__kir_let(x->k, x->local[dim], x->place[dim]));
    rg__kir_add_to(x->k, seq, rg__kir_let(x->k, x->at[dim], x->value[dim]));
}

/* Where code stands that runs for each of the thread's points. */
static struct kir_node *points(struct poly_tile *x, struct kir_node *seq)
{
    const struct poly_kernel *kernel = x->b->g.kernel;
    for (int d = 0; d < kernel->n_dims; d++) {
        if (!is_coarse(x, d)) continue;
        struct kir_node *loop = rg__kir_for(x->k, KIR_UNROLLED, x->r[d], name(x, x->b->r[kernel->axis[d]]));
        rg__kir_add_to(x->k, seq, loop);
        seq = rg__kir_body(loop);
    }
    for (int d = 0; d < kernel->n_dims; d++)
        if (is_coarse(x, d)) add_place(x, seq, d);
    return seq;
}

static bool is_closed(const struct poly_tile *x, const struct poly_knode *n)
{
    return n->kind == KN_LOOP && x->tiling.closed_loop[n->loop];
}

/* May a thread whose point does not exist compute this as well? It must touch nothing but registers, and tiles that
 * hold zeros beyond the array; nothing of it is stored. */
static bool harmless(const struct poly_tile *x, const struct poly_knode *n)
{
    const struct poly_scop *s = x->b->g.p->scop;
    if (!n) return true;
    if (n->kind == KN_LOOP) return false;
    for (int i = 0; i < n->n; i++)
        if (!harmless(x, n->kid[i])) return false;
    if (n->kind != KN_LEAF) return true;
    int id = rg__poly_stmt_of(s, n->node);
    if (n->node->kind == RG_C_OPAQUE || rg__poly_calls_helper(n->node)) return false;
    for (int i = 0; id >= 0 && i < s->stmts[id].n_accesses; i++) {
        const struct poly_access *a = &s->accesses[s->stmts[id].first_access + i];
        bool zeros = a->node && !a->write && s->tree->arrays[a->array].elem != RG_STRUCT;
        if (!x->b->g.t->taken[a->array] && !(zeros && rg__poly_staged_group(x, a) >= 0)) return false;
    }
    return true;
}

static bool all_harmless(const struct poly_tile *x, struct poly_knode *const *items, int n)
{
    for (int i = 0; i < n; i++)
        if (is_closed(x, items[i]) ? !all_harmless(x, items[i]->kid[0]->kid, items[i]->kid[0]->n)
                                   : !harmless(x, items[i]))
            return false;
    return true;
}

/* Worth two arms: the whole kernel, or a loop. */
static bool is_heavy(const struct poly_tile *x, struct poly_knode *const *items, int n)
{
    if (n == x->b->g.kernel->body->n) return true;
    for (int i = 0; i < n; i++)
        if (rg__poly_knode_has_loop(items[i])) return true;
    return false;
}

static bool may_split(const struct poly_tile *x)
{
    return !x->split && x->each && x->tiling.rect;
}

static void add_two_arms(struct poly_tile *x, struct kir_node *seq, struct kir_node *guarded)
{
    rg__kir_add_to(x->k, seq, rg__kir_full_and_guarded(x->k, x->full, x->each, guarded));
}

static bool region(struct poly_tile *x, struct kir_node *seq, struct poly_knode *const *items, int n)
{
    bool free = all_harmless(x, items, n), heavy = x->b->g.kernel->coarsened && is_heavy(x, items, n),
         split = !free && heavy && may_split(x);
    struct kir_node *arm = split ? rg__kir_seq(x->k) : seq, *in = points(x, arm);
    const struct poly_knode list = {.kind = KN_SEQ, .n = n, .kid = (struct poly_knode **)items};
    struct kir_node *code = rg__poly_thread_code_of(x->b->g.t, &list);
    if (!code) return false;
    rg__kir_add_to(x->k, where(x, in, free ? NULL : x->each), code);
    if (split) add_two_arms(x, seq, arm);
    return true;
}

/* ---- loops that all points share ---- */

static bool in_step(struct poly_tile *x, struct kir_node *seq, const struct poly_knode *list);

static bool serial(struct poly_tile *x, struct kir_node *seq, const struct poly_knode *n)
{
    struct poly_thread *t = x->b->g.t;
    const struct poly_loop *l = &t->p->scop->loops[n->loop];
    struct kir_node *body, *before = t->names->var[l->var];
    int64_t unroll = rg__poly_knode_has_loop(n->kid[0]) ? 0 : t->unroll;
    struct kir_node *loop =
        rg__poly_kir_loop(t->p->scop, t->names, l, rg__kir_int(x->k, 0), rg__kir_int(x->k, 1), unroll, &body);
    if (!loop || !in_step(x, body, n->kid[0])) return false;
    if (l->node->made) loop->note = l->node->made;
    rg__kir_add_to(x->k, seq, loop);
    t->names->var[l->var] = before;
    return true;
}

/* ---- loops that stage ---- */

static bool stages_at(const struct poly_tile *x, int loop)
{
    bool any = false;
    for (int g = 0; g < x->tiling.n_groups; g++) any = any || x->tiling.groups[g].at == loop;
    return any;
}

static bool stages_inside(const struct poly_tile *x, const struct poly_knode *n)
{
    bool any = n && n->kind == KN_LOOP && stages_at(x, n->loop);
    for (int i = 0; n && i < n->n && !any; i++) any = stages_inside(x, n->kid[i]);
    return any;
}

/* The iterations of a strip that starts at `first`: TILE, or, where the loop may end before, while `end` is not
 * reached. */
static bool chunk(struct poly_tile *x, struct kir_node *seq, const struct poly_knode *n, int first,
                  struct kir_node *end)
{
    struct poly_thread *t = x->b->g.t;
    struct kir_kernel *k = x->k;
    const struct poly_loop *l = &t->p->scop->loops[n->loop];
    enum rg_scalar type = k->symbols[first].type;
    const char *as = rg_arena_printf(k->arena, "%s_t", l->name);
    bool some = t->kernel->unrolled && t->unroll > 1, all = !t->kernel->coarsened;
    int at = end ? rg__kir_scalar(k, as, RG_I32) : rg__kir_index(k, as, RG_I32),
        var = rg__kir_symbol_of(t->names, KIR_VALUE, l->var, type);
    struct kir_node *loop, *before = t->names->var[l->var], *tile = name(x, x->tile),
                           *value = rg__kir_add(k, name(x, first), rg__kir_cast(k, type, name(x, at)));
    if (end) {
        struct kir_node *more = rg__kir_less(k, rg__kir_cast(k, end->type, value), end);
        loop = rg__kir_while(k, rg__kir_and(k, rg__kir_less(k, name(x, at), tile), more));
        loop->ivalue = 1; /* it runs once, at the end */
        rg__kir_add_to(k, seq, rg__kir_var(k, at, rg__kir_int(k, 0)));
    } else {
        loop = rg__kir_for(k, some || all ? KIR_UNROLLED : KIR_SERIAL, at, tile);
        loop->ivalue = some ? t->unroll : 0;
    }
    struct kir_node *body = rg__kir_body(loop);
    rg__kir_add_to(k, body, rg__kir_let(k, var, value));
    rg__kir_bind(t->names, l->var, name(x, var));
    for (int g = 0; g < x->tiling.n_groups; g++)
        if (x->tiling.groups[g].at == n->loop) x->strip[g].at = name(x, at);
    bool ok = in_step(x, body, n->kid[0]);
    if (end) rg__kir_add_to(k, body, rg__kir_assign(k, at, rg__kir_add(k, name(x, at), rg__kir_int(k, 1))));
    rg__kir_add_to(k, seq, loop);
    t->names->var[l->var] = before;
    return ok;
}

/* Both arms: whole strips of full blocks where one may be told apart, and the others. */
static bool chunks(struct poly_tile *x, struct kir_node *seq, const struct poly_knode *n, int first,
                   struct kir_node *end)
{
    struct kir_kernel *k = x->k;
    enum rg_scalar type = k->symbols[first].type, wide = rg_scalar_is_signed(type) ? type : RG_LLONG;
    struct kir_node *from = rg__kir_cast(k, wide, name(x, first)), *to = rg__kir_cast(k, wide, end),
                    *tile = rg__kir_cast(k, wide, name(x, x->tile)), *arm = rg__kir_seq(k),
                    *when = rg__kir_binary(k, RG_COP_LE, rg__kir_add(k, from, tile), to);
    bool was = x->split, split = may_split(x) && !all_harmless(x, n->kid[0]->kid, n->kid[0]->n);
    x->split = was || split;
    struct kir_node *branch = rg__kir_if(k, split ? rg__kir_and(k, x->full, when) : when);
    bool ok = chunk(x, arm, n, first, NULL) && chunk(x, rg__kir_else(k, branch), n, first, to);
    x->split = was;
    rg__kir_add_to(k, rg__kir_body(branch), split ? rg__kir_where_holds(k, x->each, arm) : arm);
    rg__kir_add_to(k, seq, branch);
    return ok;
}

static bool strips(struct poly_tile *x, struct kir_node *seq, const struct poly_knode *n)
{
    struct poly_thread *t = x->b->g.t;
    struct kir_kernel *k = x->k;
    const struct poly_loop *l = &t->p->scop->loops[n->loop];
    enum rg_scalar type = rg__poly_grid_index_type(&x->b->g, l);
    struct kir_node *begin = rg__kir_of(t->names, l->node->kid[0]),
                    *end = begin ? rg__poly_kir_end(t->p->scop, t->names, l) : NULL;
    int first = rg__kir_index(k, rg_arena_printf(k->arena, "%s0", l->name), type);
    int64_t trips;
    if (!end) return false;
    struct kir_node *loop = rg__kir_for_range(k, KIR_SERIAL, first, rg__kir_cast(k, type, begin), end,
                                              rg__kir_cast(k, type, name(x, x->tile))),
                    *body = rg__kir_body(loop),
                    *most = rg__poly_kir_most_of(t->p, t->kernel, t->names, n->loop, RG_LLONG);
    bool ok = true, whole = most && rg__kir_number(k, most, &trips) && trips > 0 && trips % x->tiling.v.tile == 0;
    for (int g = 0; g < x->tiling.n_groups; g++)
        if (x->tiling.groups[g].at == n->loop) {
            x->strip[g].first = name(x, first);
            ok = ok && rg__poly_stage(x, body, g);
        }
    rg__kir_add_to(k, body, rg__kir_barrier(k, KIR_BLOCK));
    ok = ok && (whole ? chunk(x, body, n, first, NULL) : chunks(x, body, n, first, end));
    rg__kir_add_to(k, body, rg__kir_barrier(k, KIR_BLOCK));
    for (int g = 0; g < x->tiling.n_groups; g++)
        if (x->tiling.groups[g].at == n->loop) x->live[g] = false;
    loop->line = l->node->line;
    rg__kir_add_to(k, seq, loop);
    return ok;
}

/* ---- what such loops hold ---- */

struct held {
    int n;
    struct poly_promotion of[MOST_HELD];
    struct kir_node *is[MOST_HELD];
    struct kir_node *runs; /* has the loop an iteration? */
};

/* From memory to the registers, or back: where the point exists, and the element. */
static bool move(struct poly_tile *x, struct kir_node *seq, const struct held *h, bool back)
{
    struct kir_kernel *k = x->k;
    for (int i = 0; i < h->n; i++) {
        struct kir_node *when = h->of[i].guard ? rg__kir_and(k, x->each, h->runs) : x->each, *in = points(x, seq),
                        *element = rg__kir_of(x->b->g.t->names, h->of[i].element), *reg = h->is[i];
        if (!element) return false;
        if (back) {
            rg__kir_add_to(k, where(x, in, when), rg__kir_store(k, element, reg));
        } else { /* every register has a value */
            struct kir_node *zero = rg__kir_cast(k, reg->type, rg__kir_int(k, 0));
            rg__kir_add_to(k, in, set(x, reg, when ? rg__kir_select(k, when, element, zero) : element));
        }
    }
    return true;
}

static bool hold(struct poly_tile *x, struct kir_node *seq, const struct poly_knode *n, struct held *h)
{
    struct poly_thread *t = x->b->g.t;
    int room = POLY_HELD - t->n_held;
    bool guard = false;
    h->n = rg__poly_promotions(t->p, t->kernel, n, t->taken, h->of, room < MOST_HELD ? room : MOST_HELD);
    for (int i = 0; i < h->n; i++) {
        const struct rg_carray *a = &t->p->scop->tree->arrays[h->of[i].array];
        int s = registers(x, rg_arena_printf(x->k->arena, "%s_r", a->name), a->elem);
        rg__kir_add_to(x->k, seq, declared(x, s));
        h->is[i] = own(x, s);
        guard = guard || h->of[i].guard;
    }
    if (!guard) return true;
    struct kir_node *count = rg__poly_kir_count(t->p->scop, t->names, &t->p->scop->loops[n->loop]);
    h->runs = count ? rg__kir_less(x->k, rg__kir_int(x->k, 0), count) : NULL;
    return count != NULL;
}

static bool shared_loop(struct poly_tile *x, struct kir_node *seq, const struct poly_knode *n)
{
    struct poly_thread *t = x->b->g.t;
    struct held h = {.n = 0};
    if (!hold(x, seq, n, &h) || !move(x, seq, &h, false)) return false;
    for (int i = 0; i < h.n; i++) {
        t->held[t->n_held].array = h.of[i].array;
        t->held[t->n_held++].is = h.is[i];
        t->taken[h.of[i].array] = true;
    }
    bool split = may_split(x) && !stages_inside(x, n) && !all_harmless(x, n->kid[0]->kid, n->kid[0]->n), ok;
    if (stages_at(x, n->loop)) {
        ok = strips(x, seq, n);
    } else if (split) {
        struct kir_node *arm = rg__kir_seq(x->k);
        x->split = true;
        ok = serial(x, arm, n);
        x->split = false;
        if (ok) add_two_arms(x, seq, arm);
    } else {
        ok = serial(x, seq, n);
    }
    for (int i = 0; i < h.n; i++) t->taken[h.of[i].array] = false;
    t->n_held -= h.n;
    return ok && move(x, seq, &h, true);
}

static bool in_step(struct poly_tile *x, struct kir_node *seq, const struct poly_knode *list)
{
    struct kir_names *names = x->b->g.t->names;
    for (int i = 0, j; i < list->n; i = j) {
        j = i + 1;
        if (is_closed(x, list->kid[i])) {
            if (!shared_loop(x, seq, list->kid[i])) return false;
        } else if (rg__poly_uniform_leaf(&x->tiling, list->kid[i])) {
            struct kir_node *s = rg__kir_statement(names, list->kid[i]->node);
            if (!s) return false;
            rg__kir_add_to(x->k, seq, s);
        } else {
            while (j < list->n && !is_closed(x, list->kid[j]) && !rg__poly_uniform_leaf(&x->tiling, list->kid[j])) j++;
            if (!region(x, seq, &list->kid[i], j - i)) return false;
        }
    }
    return true;
}

/* ---- the kernel ---- */

static bool body(struct poly_tile *x, struct kir_node *seq)
{
    struct poly_points *b = x->b;
    struct kir_node *some = NULL, *code = rg__kir_seq(x->k);
    int n = b->g.kernel->n_dims;
    for (int d = 0; d < n; d++)
        if (!place(x, seq, d)) return false;
    hoist(x, seq);
    if (!has_points(x, &some)) return false;
    seq = where(x, seq, some);
    for (int d = 0; d < n; d++) {
        if (!is_coarse(x, d)) add_place(x, seq, d);
        rg__poly_grid_bind(&b->g, d, name(x, x->at[d]));
    }
    for (int d = 0; d < n; d++) {
        const struct kir_node *others = x->each;
        if (!rg__poly_grid_inside(&b->g, d, &x->each)) return false;
        x->whole[d] = x->each == others;
    }
    if (x->tiling.n_groups && !rg__poly_stage_first(x, seq)) return false;
    if ((x->tiling.rect && !all_inside(x, seq)) || !in_step(x, code, b->g.kernel->body)) return false;
    rg__kir_declare(b->g.t->names, seq);
    rg__kir_add_to(x->k, seq, code);
    return true;
}

bool rg__poly_tile_points(struct poly_points *b, struct kir_node *seq, const struct poly_values *v,
                          struct rg_reason *why)
{
    struct poly_tile x = {.b = b, .k = b->g.k};
    rg__poly_tiling_init(&x.tiling, b->g.p, (int)(b->g.kernel - b->g.p->kernels), v);
    bool tiles = rg__poly_tile_kernel(&x.tiling, why), ok = tiles && body(&x, seq);
    if (tiles && !ok) rg__poly_no_form(b->g.t->names, why, "a part of the kernel has no form in kernel IR");
    rg__poly_tiling_release(&x.tiling);
    return ok;
}
