/* share.block: a block for each point instead of a thread, where a point runs loops that are free of order among what
 * it does in order: rounds of a transform of every row, columns of every matrix of a batch. The block's threads share
 * those loops and meet behind them. Loops that reduce besides are reduce.block's. */
#include "poly/steps/steps.h"

static bool reduces(struct poly_program *p, const struct poly_knode *n)
{
    if (!n) return false;
    if (n->kind == KN_LOOP && rg__poly_reduce_site(p, n->loop)) return true;
    for (int i = 0; i < n->n; i++)
        if (reduces(p, n->kid[i])) return true;
    return false;
}

static bool stores(struct poly_scop *s, const struct poly_knode *n)
{
    int stmts[256], count = rg__poly_knode_stmts(s, n, stmts, 256);
    for (int i = 0; i < count; i++)
        for (int a = 0; a < s->stmts[stmts[i]].n_accesses; a++)
            if (s->accesses[s->stmts[stmts[i]].first_access + a].write) return true;
    return false;
}

/* A loop that a block's threads may share: its number; -1. */
static int shared_loop(struct poly_program *p, const struct poly_kernel *k, const struct poly_knode *n)
{
    struct poly_scop *s = p->scop;
    int found = -1;
    if (!n) return -1;
    if (n->kind == KN_LOOP && rg__poly_share_of_node(s, k, n) == POLY_SHARE_DEAL)
        return rg__poly_long_enough(s, n->loop) && stores(s, n) ? n->loop : -1;
    for (int i = 0; i < n->n && found < 0; i++) found = shared_loop(p, k, n->kid[i]);
    return found;
}

static bool may_share(const struct poly_kernel *k)
{
    return k->form == POLY_THREADS && k->partner < 0 && !k->region && !k->n_scans;
}

static bool share(struct poly_program *p, struct poly_kernel *k, struct rg_reason *why)
{
    const struct poly_scop *s = p->scop;
    if (!may_share(k) || shared_loop(p, k, k->body) < 0) return false;
    if (reduces(p, k->body))
        return rg_refuse(why, RG_REFUSE_SHAPE, 0,
                         "a loop inside reduces: reduce.block shares it and the others with it");
    for (int a = 0; a < s->tree->n_arrays; a++)
        if (k->atomic[a] && rg__poly_knode_uses_array(s, k->body, a, NULL))
            return rg_refuse(why, RG_REFUSE_DEPENDENCE, 0, "blocks would collide on %s, which is updated by atomics",
                             s->tree->arrays[a].name);
    struct poly_kernel before = *k;
    k->form = POLY_BLOCK;
    k->team = POLY_TEAM_BLOCK;
    k->grid_stride = false;
    k->shares = true;
    for (int d = 0; d < k->n_dims; d++) k->axis[d] = k->n_dims - 1 - d;
    if (rg__poly_block_ok(p, k, why)) return true;
    *k = before;
    return false;
}

static bool apply(struct poly_program *p, const char *site, struct rg_reason *why)
{
    bool any = false;
    rg_refuse(why, RG_REFUSE_SHAPE, 0, "no thread goes through a loop whose iterations are free of order");
    for (int i = 0; i < p->n_kernels; i++) any = share(p, &p->kernels[i], why) || any;
    if (any) rg__poly_assign_homes(p);
    return any;
}

/* Does a block a point pay in some kernel? Where there are points enough, a thread for each keeps the device as busy.
 */
static bool worth(const struct poly_offer *o, struct rg_reason *why)
{
    struct rg_reason ignored = {0};
    struct poly_actions taken;
    rg__poly_before(o, &taken);
    struct poly_program *before = rg__poly_apply(o->s, &taken, &ignored);
    bool gains = !before || before->n_kernels != o->p->n_kernels;
    for (int i = 0; !gains && i < before->n_kernels; i++) {
        const struct poly_kernel *k = &o->p->kernels[i];
        gains = k->form == POLY_BLOCK && before->kernels[i].form == POLY_THREADS &&
                POLY_SLOWER * rg__poly_team_time(o->p, k) <= rg__poly_kernel_time(before, &before->kernels[i]);
    }
    if (!gains) rg_refuse(why, RG_REFUSE_COST, 0, "by estimate a thread for each point keeps the device as busy");
    rg__poly_program_free(before);
    return gains;
}

static void sites(const struct poly_sites *at)
{
    struct poly_program *p = rg__poly_sites_program(at);
    bool any = false;
    for (int i = 0; p && i < p->n_kernels; i++)
        any = any || (may_share(&p->kernels[i]) && shared_loop(p, &p->kernels[i], p->kernels[i].body) >= 0 &&
                      !reduces(p, p->kernels[i].body));
    rg__poly_program_free(p);
    if (any) at->fn(at->arg, "C");
}

const struct poly_step rg__poly_step_share_block = {
    POLY_STEP(share_block),
    .when = POLY_ANY_TIME,
    .traits = RG_TRAIT_PARALLEL,
    .begins = true,
    .keeps_order = true,
    .sites = sites,
    .apply = apply,
    .worth = worth,
    .opens_as = (const struct poly_step *const[]){&rg__poly_step_reduce_block, NULL},
};
