/* The shape of a launch: blocks, threads, how many threads share what, how often a thread goes round each loop. */
#include "poly/draft/draft.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

static bool in_team(const struct poly_kernel *k)
{
    return k->form == POLY_BLOCK || k->form == POLY_PARTIAL || k->form == POLY_FINAL;
}

static bool modelled(const struct poly_kernel *k)
{
    return (k->form == POLY_THREADS || k->form == POLY_SINGLE || in_team(k)) && !k->region && !k->resident &&
           !k->n_scans;
}

/* Coordinates of a thread: x runs fastest in a warp. */
static void shape(struct draft *d)
{
    const struct poly_values *v = &d->tiling.v;
    for (int a = 0; a < 3; a++) d->shape[a] = d->tiling.threads[a];
    d->lane_axis = -1;
    d->team = 1;
    if (!in_team(d->k)) return;
    bool warp = d->k->team == POLY_TEAM_WARP, column = d->k->team == POLY_TEAM_COLUMN;
    d->lane_axis = column ? 1 : 0;
    d->shape[0] = warp ? v->lanes : column ? POLY_COLUMNS : v->block;
    d->shape[1] = v->block / d->shape[0];
    d->team = (double)d->shape[d->lane_axis];
}

/* Do the dimension's bounds lean on another one's variable? Then the grid covers the longest row, and part of its
 * blocks find nothing. */
static bool leans(const struct draft *d, int dim)
{
    const struct rg_cnode *loop = d->s->loops[d->k->dims[dim]].node;
    for (int o = 0; o < d->k->n_dims; o++)
        if (o != dim && (rg__poly_mentions_loop(d->s, loop->kid[0], d->k->dims[o]) ||
                         rg__poly_mentions_loop(d->s, loop->kid[1], d->k->dims[o])))
            return true;
    return false;
}

static double blocks_of(struct draft *d)
{
    const struct poly_values *v = &d->tiling.v;
    double n = 1;
    d->share = 1;
    for (int i = 0; i < d->k->n_dims && d->k->form != POLY_FINAL; i++) {
        double trips = rg__poly_trips(d->s, d->k->dims[i]),
               most = leans(d, i) ? fmax(trips, rg__poly_last_trips(d->s, d->k->dims[i])) : trips;
        n *= fmax(1, ceil(most / (double)rg__poly_per_block(&d->tiling, d->k->axis[i])));
        d->share *= trips / most;
    }
    if (d->k->grid_stride && d->k->n_dims == 1) n = fmin(n, (double)v->grid);
    return n;
}

/* Blocks that share the loop of a reduction over the grid. */
static double parts_of(const struct draft *d)
{
    const struct poly_kernel *part = d->k->form == POLY_PARTIAL ? d->k : &d->tiling.p->kernels[d->k->partner];
    if (part->n_dims) return (double)d->tiling.v.split;
    double n = rg__poly_trips(d->s, part->reduce_loop);
    bool inner =
        rg__poly_inner_shared(d->tiling.p->scop, part, part->body->kid[part->body->n - 1], POLY_SHARE_REDUCE) != NULL;
    return fmax(1, fmin((double)d->tiling.v.grid, inner ? n : ceil(n / (double)d->tiling.v.block)));
}

bool rg__draft_launch(struct draft *d, const struct poly_program *p, int kernel, const struct poly_values *v)
{
    struct rg_reason why;
    memset(d, 0, offsetof(struct draft, refs));
    d->k = &p->kernels[kernel];
    d->s = p->scop;
    rg__poly_tiling_init(&d->tiling, p, kernel, v);
    if (!modelled(d->k) || d->k->n_dims > 3 || !d->s->problem->n_sizes) return false;
    if (rg__poly_is_tiled(d->k) && !rg__poly_tile_kernel(&d->tiling, &why)) return false;
    rg_problem_env_init(&d->env, d->s->problem, &d->s->problem->sizes[0]);
    shape(d);
    d->threads = (double)(d->shape[0] * d->shape[1] * d->shape[2]);
    d->warps = ceil(d->threads / 32);
    d->points = (double)(d->tiling.coarse[0] * d->tiling.coarse[1] * d->tiling.coarse[2]);
    d->parts = d->k->partner >= 0 ? parts_of(d) : 1;
    d->blocks = blocks_of(d) * (d->k->form == POLY_PARTIAL ? d->parts : 1);
    d->launches = rg__poly_launches(d->s, d->k);
    return d->threads >= 1 && d->threads <= 1024 && d->blocks >= 1;
}

int rg__draft_axis(const struct draft *d, int var)
{
    for (int i = 0; i < d->depth; i++)
        if (d->around[i].shared && d->s->loops[d->around[i].loop].var == var) return d->lane_axis;
    int dim = rg__poly_dim_at(d->s, d->k, var);
    if (dim < 0) return -1;
    if (!in_team(d->k)) return d->k->axis[dim];
    if (d->k->axis[dim]) return -1;
    return d->k->team == POLY_TEAM_WARP ? 1 : d->k->team == POLY_TEAM_COLUMN ? 0 : -1;
}

/* Does a team go through the loop together? Sets *deal to a loop right inside that it shares instead. */
static bool is_shared(const struct draft *d, const struct poly_knode *k, const struct poly_knode **deal)
{
    struct poly_scop *s = d->tiling.p->scop;
    bool written = false;
    *deal = NULL;
    if (!in_team(d->k) || d->dealt) return false;
    if (d->deal) return d->deal == k;
    enum poly_share how = rg__poly_share_of_node(s, d->k, k);
    for (int a = 0; a < d->s->tree->n_arrays && how == POLY_SHARE_DEAL && !written; a++)
        rg__poly_knode_uses_array(d->s, k, a, &written);
    if (how == POLY_SHARE_NONE || (how == POLY_SHARE_DEAL && !written)) return false;
    *deal = rg__poly_inner_shared(s, d->k, k, how);
    return !*deal;
}

/* A loop of fewer iterations than it is written out for runs in what is left over for such cases. */
static double unroll_of(const struct draft *d, const struct poly_knode *k, double turns, bool shared)
{
    const struct poly_loop *l = &d->s->loops[k->loop];
    bool inner = !rg__poly_knode_has_loop(k->kid[0]), short_one = l->constant && turns <= DRAFT_SHORT && !shared;
    double u = inner && d->k->ahead      ? (double)d->tiling.v.ahead
               : inner && d->k->unrolled ? (double)d->tiling.v.unroll
                                         : 1;
    if (short_one) return u > 1 && u < turns ? u : fmax(1, turns);
    if (u <= 1 && inner && !(rg__poly_is_tiled(d->k) && d->tiling.closed_loop[k->loop])) u = DRAFT_COMPILER_UNROLLS;
    return turns < u ? 1 : fmax(1, u);
}

void rg__draft_enter(struct draft *d, const struct poly_knode *k, struct draft_outside *out)
{
    struct draft_loop *l = &d->around[d->depth];
    const struct poly_knode *deal;
    *out = (struct draft_outside){d->dealt, d->deal};
    l->loop = k->loop;
    l->trips = rg__poly_trips(d->s, k->loop);
    l->shared = is_shared(d, k, &deal);
    if (d->k->partner >= 0 && k->loop == d->k->reduce_loop) {
        if (d->k->form == POLY_PARTIAL)
            l->trips = fmax(1, l->trips / d->parts);
        else
            l->trips = d->parts;
    }
    l->turns = l->shared ? fmax(1, ceil(l->trips / d->team)) : l->trips;
    l->unroll = unroll_of(d, k, l->turns, l->shared);
    d->dealt = d->dealt || l->shared;
    d->deal = d->dealt ? NULL : deal;
    d->depth++;
}

void rg__draft_leave(struct draft *d, const struct draft_outside *out)
{
    d->depth--;
    d->dealt = out->dealt;
    d->deal = out->deal;
}
