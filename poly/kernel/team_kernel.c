/* Kernels whose threads share the loops of a point, in kernel IR: the teams' places, their points, and a loop cut over
 * the grid. */
#include "poly/kernel/team_kernel.h"
#include <stdlib.h>

/* ---- the launch ---- */

static int dim_along_x(const struct poly_teamwork *w)
{
    return rg__poly_dim_of_axis(w->kernel, 0);
}

/* Threads along the axes, and the points of a block. */
static void sides(struct poly_teamwork *w)
{
    struct kir_kernel *k = w->k;
    bool column = w->kernel->team == POLY_TEAM_COLUMN, lanes = w->kernel->team == POLY_TEAM_WARP;
    w->threads = column ? w->v->block / POLY_COLUMNS : lanes ? w->v->lanes : w->v->block;
    struct kir_node *block = rg__kir_name(k, rg__kir_constant(k, "BLOCK", w->v->block));
    w->size = column || lanes ? rg__kir_name(k, rg__kir_constant(k, "LANES", w->threads)) : block;
    for (int a = 0; a < 3; a++) w->g.per[a] = 1;
    w->g.side[0] = column ? rg__kir_int(k, POLY_COLUMNS) : block;
    w->g.side[1] = column ? w->size : NULL;
    w->g.per[0] = column ? POLY_COLUMNS : lanes ? w->v->block / w->threads : 1;
}

/* The thread's place in its team; where lanes are one, their loop. */
static struct kir_node *place_in_team(struct poly_teamwork *w, struct kir_node *in)
{
    struct kir_kernel *k = w->k;
    if (w->kernel->team != POLY_TEAM_WARP) {
        w->lane = rg__kir_name(k, w->g.tx[w->kernel->team == POLY_TEAM_COLUMN]);
        return in;
    }
    int lane = rg__kir_index(k, "lane", RG_I32);
    struct kir_node *loop = rg__kir_for(k, KIR_LANE, lane, w->size);
    rg__kir_add_to(k, in, loop);
    w->lane = rg__kir_name(k, lane);
    return rg__kir_body(loop);
}

/* ---- the team's point ---- */

static void name_point(struct poly_teamwork *w, struct kir_node *seq, int dim, struct kir_node *value)
{
    const struct poly_loop *l = rg__poly_grid_loop(&w->g, dim);
    enum rg_scalar type = rg__poly_grid_index_type(&w->g, l);
    int s = rg__kir_symbol_of(w->t->names, KIR_VALUE, l->var, type);
    rg__kir_add_to(w->k, seq, rg__kir_let(w->k, s, rg__kir_cast(w->k, type, value)));
    rg__poly_grid_bind(&w->g, dim, rg__kir_name(w->k, s));
}

static bool point(struct poly_teamwork *w, struct kir_node *seq, int dim)
{
    struct kir_kernel *k = w->k;
    const struct poly_loop *l = rg__poly_grid_loop(&w->g, dim);
    enum rg_scalar type = rg__poly_grid_index_type(&w->g, l);
    int axis = w->kernel->axis[dim];
    struct kir_node *first = rg__poly_kir_first(w->p, w->kernel, w->t->names, dim), *at = w->g.place[axis];
    if (!first) return false;
    if (axis == 0 && w->kernel->team == POLY_TEAM_WARP)
        at = rg__kir_add(k, rg__kir_mul(k, at, rg__kir_int(k, w->g.per[0])),
                         rg__kir_div(k, rg__kir_name(k, w->g.tx[0]), w->size));
    at = rg__kir_mul(k, rg__kir_cast(k, type, at), rg__kir_int(k, l->step > 0 ? l->step : -l->step));
    name_point(w, seq, dim, rg__kir_binary(k, l->step > 0 ? RG_COP_ADD : RG_COP_SUB, first, at));
    return true;
}

/* Threads beyond the last column stay for the barriers, on the last point's place, and write nothing. */
static struct kir_node *columns(struct poly_teamwork *w, struct kir_node *seq, int dim)
{
    struct kir_kernel *k = w->k;
    const struct poly_loop *l = rg__poly_grid_loop(&w->g, dim);
    enum rg_scalar type = rg__poly_grid_index_type(&w->g, l);
    struct kir_node *low = rg__poly_kir_first(w->p, w->kernel, w->t->names, dim),
                    *end = low ? rg__poly_kir_end(w->p->scop, w->t->names, l) : NULL, *own;
    if (!end) return NULL;
    int first = rg__kir_value(k, rg_arena_printf(k->arena, "%s0", l->name), type),
        here = rg__kir_value(k, "here", RG_I32);
    struct kir_node *at = rg__kir_mul(k, rg__kir_cast(k, type, w->g.place[0]), rg__kir_int(k, POLY_COLUMNS));
    rg__kir_add_to(k, seq, rg__kir_let(k, first, rg__kir_cast(k, type, rg__kir_add(k, low, at))));
    seq = rg__poly_kir_where(k, seq, rg__kir_binary(k, RG_COP_LT, rg__kir_name(k, first), end));
    own = rg__kir_add(k, rg__kir_name(k, first), rg__kir_cast(k, type, rg__kir_name(k, w->g.tx[0])));
    rg__kir_add_to(k, seq, rg__kir_let(k, here, rg__kir_cast(k, RG_I32, rg__kir_binary(k, RG_COP_LT, own, end))));
    w->here = rg__kir_name(k, here);
    name_point(w, seq, dim,
               rg__kir_select(k, w->here, own, rg__kir_cast(k, type, rg__kir_sub(k, end, rg__kir_int(k, 1)))));
    return seq;
}

/* What stands where the team has a point. NULL: names->why. */
static struct kir_node *points(struct poly_teamwork *w, struct kir_node *seq)
{
    int x = w->kernel->team == POLY_TEAM_COLUMN ? dim_along_x(w) : -1;
    struct kir_node *when = NULL;
    for (int d = 0; d < w->kernel->n_dims; d++)
        if (d != x && !point(w, seq, d)) return NULL;
    for (int d = 0; d < w->kernel->n_dims; d++)
        if (d != x && !rg__poly_grid_inside(&w->g, d, &when)) return NULL;
    seq = rg__poly_kir_where(w->k, seq, when);
    return x < 0 ? seq : columns(w, seq, x);
}

/* ---- a loop cut over the grid ---- */

struct cut {
    struct poly_teamwork *w;
    const struct poly_knode *inner;
};

/* The block's iterations of the outer loop, its threads' of the inner one. */
static bool outer_and_inner(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *n,
                            const struct poly_knode *inner, struct kir_node *place, struct kir_node *stride)
{
    const struct poly_loop *l = &w->p->scop->loops[n->loop];
    rg__poly_team_forget(w, n);
    struct kir_node *before = w->t->names->var[l->var], *in,
                    *loop = rg__poly_kir_loop(w->p->scop, w->t->names, l, place, stride, 0, &in);
    bool ok = loop && rg__poly_team_deal(w, in, inner, w->lane, w->size, rg__poly_team_unroll(w, 4));
    w->t->names->var[l->var] = before;
    if (ok) rg__kir_add_to(w->k, seq, loop);
    return ok;
}

/* This part's iterations, `part` of so many. */
static bool share_of_loop(struct poly_teamwork *w, struct kir_node *seq, const struct poly_knode *n,
                          struct kir_node *part, struct kir_node *parts)
{
    struct kir_kernel *k = w->k;
    const struct poly_knode *inner = rg__poly_inner_shared(w->p->scop, w->kernel, n, POLY_SHARE_REDUCE);
    const struct poly_loop *l = &w->p->scop->loops[n->loop];
    enum rg_scalar type = rg_scalar_bytes(rg__poly_grid_index_type(&w->g, l)) > 4 ? RG_LLONG : RG_U32;
    int64_t number; /* a number of them: the compiler may count trips */
    struct kir_node *stride = rg__kir_number(k, parts, &number) ? parts : rg__kir_cast(k, type, parts);
    if (inner) return outer_and_inner(w, seq, n, inner, part, stride);
    struct kir_node *at = type == RG_LLONG ? rg__kir_cast(k, type, part) : part;
    return rg__poly_team_deal(w, seq, n, rg__kir_add(k, rg__kir_mul(k, at, w->size), w->lane),
                              rg__kir_mul(k, stride, w->size),
                              rg__poly_knode_has_loop(n->kid[0]) ? 0 : rg__poly_team_unroll(w, 4));
}

/* As many parts as the plan has, over any of its loops around the launch. */
static bool ask_for_parts(struct poly_teamwork *w, const int *buffer, int n)
{
    struct kir_kernel *k = w->k;
    struct kir_node *size = rg__kir_int(k, w->kernel->n_dims ? w->v->split : w->v->grid);
    for (int d = 0; d < w->kernel->n_dims; d++) {
        struct kir_node *most = rg__poly_kir_most_ever(w->p, w->kernel, w->t->names, d, RG_LLONG);
        if (!most) return false;
        size = rg__kir_mul(k, size, rg__kir_max(k, rg__kir_cast(k, RG_LLONG, rg__kir_int(k, 1)), most));
    }
    for (int i = 0; i < n; i++) k->symbols[buffer[i]].scratch = size;
    return true;
}

static bool first_stage(struct poly_teamwork *w, struct kir_node *seq)
{
    struct kir_kernel *k = w->k;
    const struct poly_knode *body = w->kernel->body, *n = body->kid[body->n - 1];
    int axis = w->kernel->n_dims, buffer[POLY_ACCS];
    struct kir_node *part = w->g.place[axis], *total[POLY_ACCS],
                    *parts = axis ? rg__kir_name(k, rg__kir_constant(k, "SPLIT", w->v->split))
                                  : rg__kir_extent(k, KIR_GRID_X);
    struct poly_acc acc[POLY_ACCS];
    for (int i = 0; i + 1 < body->n; i++)
        if (!rg__poly_add_code(w->t, seq, body->kid[i])) return false;
    int count = rg__poly_accumulators(w->p->scop, w->kernel, n->loop, acc, POLY_ACCS);
    if (count < 0 || !rg__poly_acc_buffers(w->t, acc, count, buffer) || !ask_for_parts(w, buffer, count) ||
        !rg__poly_acc_open(w->t, seq, acc, count))
        return false;
    if (!share_of_loop(w, rg__poly_kir_where(k, seq, w->here), n, part, parts)) return false;
    rg__kir_note(seq->kid[seq->n - 1],
                 rg_arena_printf(k->arena, "this block's share of loop %s", w->p->scop->loops[n->loop].name));
    rg__poly_team_reduce(w, seq, acc, count, total);
    for (int i = 0; i < count; i++) {
        struct kir_node *place = rg__poly_acc_part(w->t, buffer[i], part);
        if (!place) return false;
        rg__kir_add_to(k, rg__poly_kir_where(k, seq, rg__poly_team_lone(w)), rg__kir_store(k, place, total[i]));
    }
    return true;
}

/* ---- the kernel ---- */

/* The team's barriers order what its threads do to these; atomics of other blocks come in between. */
static void order_places(struct poly_teamwork *w)
{
    enum kir_scope scope = w->kernel->team == POLY_TEAM_WARP ? KIR_LANES : KIR_BLOCK;
    for (int s = 0; s < w->k->n_symbols; s++) w->k->symbols[s].ordered = scope;
    for (int a = 0; a < w->p->scop->tree->n_arrays; a++) {
        int s = w->t->names->buffer[a];
        if (s >= 0 && w->kernel->atomic && w->kernel->atomic[a]) w->k->symbols[s].ordered = KIR_THREAD;
    }
}

/* To the compiler, restrict says that nobody else's pointer writes there, and it would keep values over barriers. */
static void see_each_other(struct kir_kernel *k)
{
    for (int i = 0; i < k->n_symbols; i++)
        if (k->symbols[i].written) k->symbols[i].alone = false;
}

/* What a scalar is in the end: one thread's word, once all have read what it was. */
static void scalars_back(struct poly_teamwork *w, struct kir_node *seq, struct kir_node *stores)
{
    if (!stores->n) return;
    if (w->t->meets) rg__kir_add_to(w->k, seq, rg__kir_barrier(w->k, KIR_BLOCK));
    rg__kir_add_to(w->k, rg__poly_kir_where(w->k, seq, rg__poly_team_lone(w)), stores);
}

static struct kir_node *blocks_of_first_stage(struct poly_teamwork *w)
{
    struct kir_kernel *k = w->k;
    int parts = rg__kir_param(k, "parts", RG_I32);
    struct kir_node *n = rg__poly_partial_blocks(w->p, &w->p->kernels[w->kernel->partner], w->t->names, w->v, RG_LLONG);
    k->symbols[parts].from = n;
    return n ? rg__kir_name(k, parts) : NULL;
}

static struct kir_node *pieces(struct poly_teamwork *w)
{
    struct kir_kernel *k = w->k;
    int parts = rg__kir_param(k, "parts", RG_I32);
    struct kir_node *n = rg__poly_scan_blocks(w);
    if (n) k->symbols[parts].from = rg__kir_mul(k, n, rg__kir_int(k, w->v->block / 32));
    return n ? rg__kir_name(k, parts) : NULL;
}

static struct kir_node *launch(struct poly_teamwork *w)
{
    enum poly_form form = w->kernel->form;
    bool part = form == POLY_PARTIAL, scan = form == POLY_SCAN_TOTALS || form == POLY_SCAN_APPLY;
    sides(w);
    w->g.parts = part && w->kernel->n_dims ? w->v->split : 0;
    if (!rg__poly_grid_count(&w->g)) return NULL;
    if (part && !w->kernel->n_dims &&
        !(w->g.blocks[0] = rg__poly_partial_blocks(w->p, w->kernel, w->t->names, w->v, RG_LLONG)))
        return NULL;
    if (scan && !(w->g.blocks[0] = rg__poly_scan_blocks(w))) return NULL;
    if (form == POLY_SCAN_OFFSETS && !(w->parts = pieces(w))) return NULL;
    if (form == POLY_FINAL && !(w->parts = blocks_of_first_stage(w))) return NULL;
    struct kir_node *in = rg__poly_grid_launch(&w->g, 0);
    return in ? place_in_team(w, in) : NULL;
}

/* A condition, or a loop that goes on by a flag. */
static bool decides(const struct poly_knode *n)
{
    bool any = n && (n->kind == KN_IF || (n->kind == KN_LOOP && n->node->n > 3));
    for (int i = 0; n && i < n->n && !any; i++) any = decides(n->kid[i]);
    return any;
}

static bool code(struct poly_teamwork *w, struct kir_node *in)
{
    struct kir_node *all = rg__kir_seq(w->k), *seq = points(w, all);
    size_t n = (size_t)w->p->scop->tree->n_arrays + 1;
    if (!seq) return false;
    w->decides = decides(w->kernel->body);
    w->read = rg_xcalloc(n, 1);
    w->written = rg_xcalloc(n, 1);
    bool ok = w->kernel->form == POLY_PARTIAL       ? first_stage(w, seq)
              : w->kernel->form >= POLY_SCAN_TOTALS ? rg__poly_scan_code(w, seq)
                                                    : rg__poly_team_code(w, seq, w->kernel->body);
    free(w->read);
    free(w->written);
    rg__kir_declare(w->t->names, in);
    rg__kir_add_to(w->k, in, all);
    return ok;
}

struct kir_kernel *rg__poly_team_kernel(const struct poly_program *p, const struct poly_kernel *kernel,
                                        const struct poly_values *v, struct rg_arena *arena, struct rg_reason *why)
{
    struct kir_node top = {.kind = KIR_SEQ, .symbol = -1}, bottom = top, *in;
    struct poly_teamwork w = {.p = p, .kernel = kernel, .v = v, .g = {.p = p, .kernel = kernel}};
    w.t = w.g.t = rg__poly_thread_new(p, kernel, arena, &top, &bottom, why);
    if (!w.t) return NULL;
    struct kir_kernel *k = w.k = w.g.k = w.t->k;
    w.t->unroll = kernel->unrolled ? v->unroll : 0;
    if (kernel->region) rg__poly_share_places(p, kernel, w.t);
    order_places(&w);
    if (!(in = launch(&w))) {
        rg__poly_no_form(w.t->names, why, "how many points there are has no form in the plan");
        return NULL;
    }
    rg__kir_add_to(k, in, &top);
    in = rg__poly_kir_guarded(w.t, in);
    enum poly_form form = kernel->form;
    bool many = form == POLY_PARTIAL || form == POLY_SCAN_TOTALS || form == POLY_SCAN_APPLY; /* blocks share a loop */
    if (!rg__poly_part_buffers(&w.g, in, many && !kernel->n_dims ? v->grid : 0) || !code(&w, in)) {
        rg__poly_no_form(w.t->names, why, "a part of the kernel has no form in kernel IR");
        return NULL;
    }
    scalars_back(&w, in, &bottom);
    k->any_block = !kernel->launch_bounds && v->block <= POLY_ALWAYS_FIT;
    k->min_blocks = rg__poly_min_blocks(kernel, v, v->block);
    k->heading = rg__poly_heading(p, kernel, v, arena);
    rg__kir_finish(k);
    if (kernel->form != POLY_PARTIAL) see_each_other(k);
    return k;
}
