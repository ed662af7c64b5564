/* Several points a thread, in kernel IR: loops that all points share run once around loops over the points, what lives
 * from one of these to the next is in registers, one for each point, and blocks whose points all exist ask for none. */
#include "poly/kernel/points.h"
#include "poly/kernel/tiling.h"

enum { MOST_HELD = 4 }; /* by one loop */

struct tile {
    struct poly_points *b;
    struct kir_kernel *k;
    struct poly_tiling tiling;
    int r[3], at[3];              /* symbols of the dimensions: which of the thread's points, and its place */
    struct kir_node *origin[3];   /* the block's first point */
    struct kir_node *value[3];    /* what `at` is */
    struct kir_node *full, *each; /* are all of the block's points, is this one, of the dimensions? each NULL: all */
    bool split;                   /* this is one of two arms: of full blocks, and of others */
};

static struct kir_node *name(struct tile *x, int symbol)
{
    return rg__kir_name(x->k, symbol);
}

static const struct poly_loop *loop_of(const struct tile *x, int dim)
{
    return &x->b->g.p->scop->loops[x->b->g.kernel->dims[dim]];
}

static bool is_coarse(const struct tile *x, int dim)
{
    return x->b->coarse[x->b->g.kernel->axis[dim]] > 1;
}

/* Where code stands that runs under the condition; NULL: always. */
static struct kir_node *where(struct tile *x, struct kir_node *seq, struct kir_node *when)
{
    struct kir_node *branch = when ? rg__kir_if(x->k, when) : NULL;
    if (!branch) return seq;
    rg__kir_add_to(x->k, seq, branch);
    return rg__kir_body(branch);
}

/* ---- registers for each of the thread's points ---- */

static int registers(struct tile *x, const char *as, enum rg_scalar type)
{
    struct kir_node *dims[3];
    int n = 0;
    for (int d = 0; d < x->b->g.kernel->n_dims; d++)
        if (is_coarse(x, d)) dims[n++] = name(x, x->b->r[x->b->g.kernel->axis[d]]);
    return n ? rg__kir_buffer(x->k, as, KIR_REGISTER, type, n, dims) : rg__kir_scalar(x->k, as, type);
}

/* This point's. */
static struct kir_node *own(struct tile *x, int symbol)
{
    struct kir_node *subs[3];
    int n = 0;
    for (int d = 0; d < x->b->g.kernel->n_dims; d++)
        if (is_coarse(x, d)) subs[n++] = name(x, x->r[d]);
    return n ? rg__kir_element(x->k, symbol, n, subs) : name(x, symbol);
}

static struct kir_node *declared(struct tile *x, int symbol)
{
    bool several = x->k->symbols[symbol].kind == KIR_BUFFER;
    return several ? rg__kir_own_buffer(x->k, symbol) : rg__kir_var(x->k, symbol, NULL);
}

static struct kir_node *set(struct tile *x, struct kir_node *place, struct kir_node *value)
{
    return place->kind == KIR_ELEMENT ? rg__kir_store(x->k, place, value) : rg__kir_assign(x->k, place->symbol, value);
}

static void hoist(struct tile *x, struct kir_node *seq)
{
    const struct rg_ctree *t = x->b->g.p->scop->tree;
    for (int v = 0; v < t->n_vars; v++) {
        if (!x->tiling.hoisted[v]) continue;
        int s = registers(x, rg_arena_printf(x->k->arena, "%s_r", t->vars[v].name), t->vars[v].type);
        rg__kir_add_to(x->k, seq, declared(x, s));
        rg__kir_bind(x->b->g.t->names, v, own(x, s));
        x->b->g.t->names->outer[v] = true;
    }
}

/* ---- places ---- */

/* The thread's points along the dimension are as far apart as the block has threads there, so that neighbours of the
 * block are neighbours in memory. */
static bool place(struct tile *x, struct kir_node *seq, int dim)
{
    struct poly_points *b = x->b;
    struct kir_kernel *k = x->k;
    const struct poly_loop *l = loop_of(x, dim);
    enum rg_scalar type = rg__poly_grid_index_type(&b->g, l);
    int a = b->g.kernel->axis[dim];
    struct kir_node *first = rg__poly_kir_first(b->g.p, b->g.kernel, b->g.t->names, dim),
                    *block = rg_scalar_bytes(type) > 4 ? rg__kir_cast(k, RG_LLONG, b->g.place[a]) : b->g.place[a],
                    *size = name(x, b->block[a]), *step = name(x, b->g.tx[a]);
    if (!first) return false;
    if (is_coarse(x, dim)) size = rg__kir_mul(k, size, name(x, b->r[a]));
    int origin = rg__kir_value(k, rg_arena_printf(k->arena, "%s0", l->name), type);
    rg__kir_add_to(k, seq,
                   rg__kir_let(k, origin, rg__kir_cast(k, type, rg__kir_add(k, first, rg__kir_mul(k, block, size)))));
    x->origin[dim] = name(x, origin);
    x->r[dim] = -1;
    if (is_coarse(x, dim)) {
        x->r[dim] = rg__kir_index(k, rg_arena_printf(k->arena, "r%s", l->name), RG_I32);
        step = rg__kir_add(k, rg__kir_mul(k, name(x, x->r[dim]), name(x, b->block[a])), step);
    }
    x->at[dim] = rg__kir_symbol_of(b->g.t->names, KIR_VALUE, l->var, type);
    x->value[dim] = rg__kir_add(k, x->origin[dim], rg__kir_cast(k, type, step));
    return true;
}

/* Has the block a point, where a dimension's bounds lean on another's? *when NULL: it has. False: names->why. */
static bool has_points(struct tile *x, struct kir_node **when)
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
static bool all_inside(struct tile *x, struct kir_node *seq)
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

/* Where code stands that runs for each of the thread's points. */
static struct kir_node *points(struct tile *x, struct kir_node *seq)
{
    const struct poly_kernel *kernel = x->b->g.kernel;
    for (int d = 0; d < kernel->n_dims; d++) {
        if (!is_coarse(x, d)) continue;
        struct kir_node *loop = rg__kir_for(x->k, KIR_UNROLLED, x->r[d], name(x, x->b->r[kernel->axis[d]]));
        rg__kir_add_to(x->k, seq, loop);
        seq = rg__kir_body(loop);
    }
    for (int d = 0; d < kernel->n_dims; d++)
        if (is_coarse(x, d)) rg__kir_add_to(x->k, seq, rg__kir_let(x->k, x->at[d], x->value[d]));
    return seq;
}

static bool is_closed(const struct tile *x, const struct poly_knode *n)
{
    return n->kind == KN_LOOP && x->tiling.closed_loop[n->loop];
}

/* May a thread whose point does not exist compute this as well? It must touch nothing but registers; nothing of it is
 * stored. */
static bool harmless(const struct tile *x, const struct poly_knode *n)
{
    const struct poly_scop *s = x->b->g.p->scop;
    if (!n) return true;
    if (n->kind == KN_LOOP) return false;
    for (int i = 0; i < n->n; i++)
        if (!harmless(x, n->kid[i])) return false;
    if (n->kind != KN_LEAF) return true;
    int id = rg__poly_stmt_of(s, n->node);
    if (rg__poly_calls_helper(n->node)) return false;
    for (int i = 0; id >= 0 && i < s->stmts[id].n_accesses; i++)
        if (!x->b->g.t->taken[s->accesses[s->stmts[id].first_access + i].array]) return false;
    return true;
}

static bool all_harmless(const struct tile *x, struct poly_knode *const *items, int n)
{
    for (int i = 0; i < n; i++)
        if (is_closed(x, items[i]) ? !all_harmless(x, items[i]->kid[0]->kid, items[i]->kid[0]->n)
                                   : !harmless(x, items[i]))
            return false;
    return true;
}

/* Worth two arms: the whole kernel, or a loop. */
static bool is_heavy(const struct tile *x, struct poly_knode *const *items, int n)
{
    if (n == x->b->g.kernel->body->n) return true;
    for (int i = 0; i < n; i++)
        if (rg__poly_knode_has_loop(items[i])) return true;
    return false;
}

static bool may_split(const struct tile *x)
{
    return !x->split && x->each && x->tiling.rect;
}

static void add_two_arms(struct tile *x, struct kir_node *seq, struct kir_node *guarded)
{
    rg__kir_add_to(x->k, seq, rg__kir_full_and_guarded(x->k, x->full, x->each, guarded));
}

static bool region(struct tile *x, struct kir_node *seq, struct poly_knode *const *items, int n)
{
    bool free = all_harmless(x, items, n), split = !free && may_split(x) && is_heavy(x, items, n);
    struct kir_node *arm = split ? rg__kir_seq(x->k) : seq, *in = points(x, arm);
    const struct poly_knode list = {.kind = KN_SEQ, .n = n, .kid = (struct poly_knode **)items};
    struct kir_node *code = rg__poly_thread_code_of(x->b->g.t, &list);
    if (!code) return false;
    rg__kir_add_to(x->k, where(x, in, free ? NULL : x->each), code);
    if (split) add_two_arms(x, seq, arm);
    return true;
}

/* ---- loops that all points share ---- */

static bool in_step(struct tile *x, struct kir_node *seq, const struct poly_knode *list);

static bool serial(struct tile *x, struct kir_node *seq, const struct poly_knode *n)
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

struct held {
    int n;
    struct poly_promotion of[MOST_HELD];
    struct kir_node *is[MOST_HELD];
    struct kir_node *runs; /* has the loop an iteration? */
};

/* From memory to the registers, or back: where the point exists, and the element. */
static bool move(struct tile *x, struct kir_node *seq, const struct held *h, bool back)
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

static bool hold(struct tile *x, struct kir_node *seq, const struct poly_knode *n, struct held *h)
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

static bool shared_loop(struct tile *x, struct kir_node *seq, const struct poly_knode *n)
{
    struct poly_thread *t = x->b->g.t;
    struct held h = {.n = 0};
    if (!hold(x, seq, n, &h) || !move(x, seq, &h, false)) return false;
    for (int i = 0; i < h.n; i++) {
        t->held[t->n_held].array = h.of[i].array;
        t->held[t->n_held++].is = h.is[i];
        t->taken[h.of[i].array] = true;
    }
    bool split = may_split(x) && !all_harmless(x, n->kid[0]->kid, n->kid[0]->n), ok;
    if (split) {
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

static bool in_step(struct tile *x, struct kir_node *seq, const struct poly_knode *list)
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

static bool body(struct tile *x, struct kir_node *seq)
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
        if (!is_coarse(x, d)) rg__kir_add_to(x->k, seq, rg__kir_let(x->k, x->at[d], x->value[d]));
        rg__poly_grid_bind(&b->g, d, name(x, x->at[d]));
    }
    for (int d = 0; d < n; d++)
        if (!rg__poly_grid_inside(&b->g, d, &x->each)) return false;
    if ((x->tiling.rect && !all_inside(x, seq)) || !in_step(x, code, b->g.kernel->body)) return false;
    rg__kir_declare(b->g.t->names, seq);
    rg__kir_add_to(x->k, seq, code);
    return true;
}

bool rg__poly_tile_points(struct poly_points *b, struct kir_node *seq, const struct poly_values *v,
                          struct rg_reason *why)
{
    struct tile x = {.b = b, .k = b->g.k};
    rg__poly_tiling_init(&x.tiling, b->g.p, (int)(b->g.kernel - b->g.p->kernels), v);
    bool tiles = rg__poly_tile_kernel(&x.tiling, why), ok = tiles && body(&x, seq);
    if (tiles && !ok) rg__poly_no_form(b->g.t->names, why, "a part of the kernel has no form in kernel IR");
    rg__poly_tiling_release(&x.tiling);
    return ok;
}
