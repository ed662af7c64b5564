/* What the body of a kernel computes: instructions of a warp over its life, and how long one of its threads takes for
 * them alone. */
#include "poly/draft/draft.h"
#include <math.h>
#include <string.h>

/* Cycles: memory by where the value is, an operation's result, a loop's end, a barrier. */
static const double SHARED_WAIT = 45, TILE_TURN = 55, L1_WAIT = 38, L2_WAIT = 260, DRAM_WAIT = 750, RESULT = 4.5,
                    RESULT_F64 = 8, BRANCH = 6, BARRIER = 37, EXCHANGE = 25;
enum { LOOP_SLOTS = 3, START_SLOTS = 20 };

struct work {
    double fp32, fp64, sfu, integers;
};

static void operations(const struct draft *d, const struct rg_cnode *e, struct work *w)
{
    if (!e || e->kind == RG_C_INDEX || e->kind == RG_C_DECL) return;
    bool real = rg_scalar_is_real(e->type), wide = e->type == RG_F64, divides = false, fused = false;
    double n = 0;
    switch (e->kind) {
    case RG_C_BINARY:
    case RG_C_ASSIGN:
        divides = e->op == RG_COP_DIV || e->op == RG_COP_REM || e->op == RG_COP_DIV_SET || e->op == RG_COP_REM_SET;
        n = e->op == RG_COP_SET ? 0 : divides ? 10 : 1;
        /* a sum takes the product in it along */
        for (int i = 0; i < e->n; i++)
            fused = fused || (e->kid[i] && e->kid[i]->kind == RG_C_BINARY && e->kid[i]->op == RG_COP_MUL);
        if (real && fused &&
            (e->op == RG_COP_ADD || e->op == RG_COP_SUB || e->op == RG_COP_ADD_SET || e->op == RG_COP_SUB_SET))
            n = 0;
        break;
    case RG_C_CALL:
        if (e->callee >= 0)
            n = (double)rg__poly_weight(d->s, e);
        else if (rg__poly_weight(d->s, e) > 8)
            w->sfu += wide ? 8 : 2;
        n = n > 0 ? n : wide ? 24 : 6;
        break;
    case RG_C_UNARY:
    case RG_C_COND:
    case RG_C_CAST:
        n = 1;
        break;
    default:
        break;
    }
    *(real ? wide ? &w->fp64 : &w->fp32 : &w->integers) += n;
    for (int i = 0; i < e->n; i++) operations(d, e->kid[i], w);
}

static struct work leaf_work(const struct draft *d, const struct rg_cnode *n)
{
    struct work w = {0};
    for (int i = 0; i < n->n; i++) operations(d, n->kid[i], &w);
    return w;
}

static double times_here(const struct draft *d)
{
    double n = 1;
    for (int i = 0; i < d->depth; i++) n *= d->around[i].turns;
    return n;
}

static void count_leaf(struct draft *d, const struct poly_knode *k)
{
    int id = rg__poly_stmt_of(d->s, k->node);
    struct work w = leaf_work(d, k->node);
    double times = times_here(d) * d->points;
    if (k->node->kind == RG_C_OPAQUE) {
        d->unknown = true;
        return;
    }
    d->count.fp32 += times * w.fp32;
    d->count.fp64 += times * w.fp64;
    d->count.sfu += times * w.sfu;
    d->count.integers += times * w.integers;
    d->count.issue += times * (w.fp32 + w.fp64 + w.sfu + w.integers);
    for (int i = 0; id >= 0 && i < d->s->stmts[id].n_accesses; i++)
        rg__draft_refer(d, &d->s->accesses[d->s->stmts[id].first_access + i]);
    if (k->node->kind == RG_C_DECL && k->node->array < 0)
        d->regs += (rg__poly_is_tiled(d->k) ? d->points : 1) * (k->node->type == RG_F64 ? 2 : 1);
}

/* Threads that shared a loop put their parts together: by exchange within warps, then over shared memory. */
static double combines(const struct draft *d)
{
    return log2(fmin(32, d->team)) + (d->team > 32 ? 5 : 0);
}

static void count(struct draft *d, const struct poly_knode *k)
{
    struct draft_outside out;
    if (!k || d->unknown) return;
    if (k->kind == KN_LEAF) {
        count_leaf(d, k);
        return;
    }
    if (k->kind != KN_LOOP) {
        for (int i = 0; i < k->n; i++) count(d, k->kid[i]);
        return;
    }
    double before = times_here(d);
    rg__draft_enter(d, k, &out);
    struct draft_loop *l = &d->around[d->depth - 1];
    double strips = 0;
    for (int g = 0; g < d->tiling.n_groups; g++)
        if (d->tiling.groups[g].at == k->loop) {
            strips = before * ceil(l->trips / (double)d->tiling.v.tile);
            rg__draft_copy_in(d, g, strips);
        }
    d->count.barriers += 2 * strips;
    count(d, k->kid[0]);
    d->count.issue += before * l->turns / l->unroll * LOOP_SLOTS;
    if (l->shared) {
        d->count.issue += before * 4 * combines(d);
        d->count.lsu += before * combines(d);
        d->count.barriers += before * (d->team > 32 ? 2 : 0);
    }
    rg__draft_leave(d, &out);
}

void rg__draft_work(struct draft *d)
{
    d->regs += 22;
    for (int g = 0; g < d->tiling.n_groups; g++)
        if (d->tiling.groups[g].at < 0) {
            rg__draft_copy_in(d, g, 1);
            d->count.barriers += 1;
        }
    count(d, d->k->body);
    d->count.issue += START_SLOTS;
    /* a grid that goes round: all of it again */
    double stride = 1;
    if (d->k->grid_stride && d->k->n_dims == 1)
        stride = fmax(1, rg__poly_trips(d->s, d->k->dims[0]) / (d->blocks * (double)rg__poly_per_block(&d->tiling, 0)));
    if (stride > 1) {
        double *c = (double *)&d->count;
        for (size_t i = 0; i < sizeof d->count / sizeof *c; i++) c[i] *= stride;
        for (int g = 0; g < d->n_groups; g++) {
            d->groups[g].asked *= stride;
            d->groups[g].sectors *= stride;
        }
    }
    /* loads under way and the running sums of an innermost loop */
    double loads = 0;
    for (int i = 0; i < d->n_refs; i++)
        if (d->refs[i].load && d->refs[i].depth > 0)
            loads += d->refs[i].group < 0 ? d->refs[i].points : 2 * d->refs[i].points;
    d->regs += fmin(64, loads);
}

/* ---- one thread alone ---- */

static double wait_of(const struct draft *d, const struct draft_ref *r)
{
    if (r->group < 0) return SHARED_WAIT;
    const struct draft_group *g = &d->groups[r->group];
    return L1_WAIT + g->l1 * (L2_WAIT + g->l2 * (DRAM_WAIT - L2_WAIT));
}

static struct draft_span life(struct draft *d, const struct poly_knode *k);

/* Loads of straight code are under way together. */
static struct draft_span list(struct draft *d, struct poly_knode *const *items, int n)
{
    struct draft_span all = {0, 0, 0};
    double longest = 0;
    for (int i = 0; i < n; i++) {
        if (!items[i]) continue;
        struct draft_span x = life(d, items[i]);
        all.busy += x.busy;
        all.phases += x.phases;
        if (items[i]->kind == KN_LEAF)
            longest = fmax(longest, x.wait);
        else
            all.wait += x.wait;
    }
    all.wait += longest;
    all.phases += longest > SHARED_WAIT;
    return all;
}

/* Does code right in the loop read tiles? */
static bool reads_tiles(const struct draft *d)
{
    for (int i = 0; i < d->n_refs; i++) {
        const struct draft_ref *r = &d->refs[i];
        int loop = d->s->stmts[r->a->stmt].loop;
        if (r->group < 0 && r->depth == d->depth && loop == d->around[d->depth - 1].loop) return true;
    }
    return false;
}

static struct draft_span leaf_life(struct draft *d, const struct poly_knode *k)
{
    struct work w = leaf_work(d, k->node);
    int id = rg__poly_stmt_of(d->s, k->node), requests = 0;
    struct draft_span x = {0, d->points * (w.fp32 + w.fp64 + w.sfu + w.integers), 0};
    for (int i = 0; i < d->n_refs && id >= 0; i++) {
        const struct draft_ref *r = &d->refs[i];
        if (r->a->stmt != id || r->depth != d->depth) continue;
        x.busy += 2;
        requests++;
        if (r->load) x.wait = fmax(x.wait, wait_of(d, r));
    }
    return x;
}

static struct draft_span life(struct draft *d, const struct poly_knode *k)
{
    struct draft_outside out;
    if (k->kind == KN_LEAF) return leaf_life(d, k);
    if (k->kind != KN_LOOP) return list(d, k->kid, k->n);
    rg__draft_enter(d, k, &out);
    struct draft_loop *l = &d->around[d->depth - 1];
    struct draft_span body = list(d, &k->kid[0], 1), all;
    bool reduces = rg__poly_reduction_loop(d->tiling.p->scop, k->loop);
    double result = d->count.fp64 > 0 ? RESULT_F64 : RESULT,
           chain = reduces && d->points < 2 ? fmax(0, result - body.busy) : 0;
    all.busy = l->turns * (body.busy + LOOP_SLOTS / l->unroll);
    all.phases = l->turns / l->unroll * body.phases;
    if (reads_tiles(d)) /* each iteration waits for its own: there are no registers for more */
        all.wait = l->turns * (body.wait + TILE_TURN / l->unroll);
    else
        all.wait = l->turns * chain + l->turns / l->unroll * (body.wait + BRANCH);
    for (int g = 0; g < d->tiling.n_groups; g++)
        if (d->tiling.groups[g].at == k->loop) {
            double strips = ceil(l->trips / (double)d->tiling.v.tile);
            all.phases += g ? 0 : strips;
            all.wait += strips * (g ? SHARED_WAIT : L2_WAIT + SHARED_WAIT + 2 * BARRIER);
        }
    if (l->shared) {
        all.wait += combines(d) * EXCHANGE + (d->team > 32 ? 2 * BARRIER + SHARED_WAIT : 0);
        all.busy += 4 * combines(d);
    }
    rg__draft_leave(d, &out);
    return all;
}

struct draft_span rg__draft_life(struct draft *d)
{
    struct draft_span x = life(d, d->k->body);
    for (int g = 0; g < d->tiling.n_groups; g++)
        if (d->tiling.groups[g].at < 0) x.wait += L2_WAIT + BARRIER;
    x.busy += START_SLOTS;
    x.phases = fmax(1, x.phases);
    return x;
}
