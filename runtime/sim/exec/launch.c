#include "runtime/sim/exec/launch.h"
#include "runtime/sim/model/estimate.h"
#include <stdlib.h>
#include <string.h>

enum {
    SLICE = 4096, /* basic blocks a warp runs before others get a turn */
    ROUNDS = 64,  /* turns of a block before another one is started beside it: it may be waiting for that one */
    MAX_CONTEXT_BYTES = 1 << 30
};

int rg__sim_resident(const struct sim_model *m, const struct sim_kernel *k, int threads, int64_t shared_bytes)
{
    int warps = (threads + 31) / 32, limit = m->max_warps_per_sm / (warps ? warps : 1);
    if (limit > m->facts.max_blocks_per_sm) limit = (int)m->facts.max_blocks_per_sm;
    int regs = k->has_attributes && k->attributes.regs > 0 ? k->attributes.regs : 32;
    int64_t per_warp = ((int64_t)regs * 32 + m->reg_unit - 1) / m->reg_unit * m->reg_unit;
    /* Warps are spread over four schedulers, each with a quarter of the registers. */
    int64_t by_regs = m->facts.regs_per_sm / 4 / per_warp * 4 / (warps ? warps : 1);
    if (by_regs < limit) limit = (int)by_regs;
    int64_t shared = (shared_bytes + 1024 + 127) / 128 * 128; /* 1 KB of a block is the system's */
    if (m->facts.shared_per_sm / shared < limit) limit = (int)(m->facts.shared_per_sm / shared);
    return limit;
}

static bool refuse(struct sim_run *run, const char *what, long long have, long long most)
{
    return rg__sim_fault(run, NULL, NULL, -1, NULL, RG_OUTCOME_UNSUPPORTED, "%s: %lld, at most %lld", what, have, most);
}

static bool check(struct sim_run *run, const struct sim_model *m, const struct rg_launch *l)
{
    static const int64_t grid_max[3] = {INT32_MAX, 65535, 65535}, block_max[3] = {1024, 1024, 64};
    const struct sim_kernel *k = run->k;
    for (int i = 0; i < 3; i++) {
        if (l->grid[i] < 1 || l->grid[i] > grid_max[i])
            return refuse(run, "blocks in a grid's dimension", l->grid[i], grid_max[i]);
        if (l->block[i] < 1 || l->block[i] > block_max[i])
            return refuse(run, "threads in a block's dimension", l->block[i], block_max[i]);
        if (l->cluster[i] > 1)
            return rg__sim_fault(run, NULL, NULL, -1, NULL, RG_OUTCOME_UNSUPPORTED, "clusters on the simulated device");
    }
    int64_t threads = l->block[0] * l->block[1] * l->block[2];
    int most = m->facts.max_threads_per_block;
    if (k->has_attributes && k->attributes.max_threads > 0 && k->attributes.max_threads < most)
        most = k->attributes.max_threads;
    if (k->f->max_threads && k->f->max_threads < most) most = k->f->max_threads;
    if (threads > most) return refuse(run, "threads in a block", threads, most);
    if (l->shared_bytes < 0 || run->shared_bytes > m->facts.shared_per_block_optin)
        return refuse(run, "bytes of shared memory", run->shared_bytes, m->facts.shared_per_block_optin);
    run->threads = (int)threads;
    run->n_warps = (int)(threads + 31) / 32;
    int per_sm = rg__sim_resident(m, k, run->threads, run->shared_bytes);
    if (!per_sm)
        return rg__sim_fault(run, NULL, NULL, -1, NULL, RG_OUTCOME_UNSUPPORTED,
                             "a block needs more registers or shared memory than there are");
    run->resident = per_sm * m->facts.sms;
    run->n_blocks = l->grid[0] * l->grid[1] * l->grid[2];
    if (l->cooperative && run->n_blocks > run->resident)
        return refuse(run, "blocks of a cooperative launch", run->n_blocks, run->resident);
    return true;
}

enum rg_status rg__sim_prepare(struct sim_run *run, const struct sim_model *m, const struct sim_kernel *k,
                               const struct rg_launch *l, struct rg_error *err)
{
    run->k = k;
    run->launch = l;
    run->sms = m->facts.sms;
    run->slice = SLICE;
    int64_t dynamic = (k->shared_static + k->shared_align - 1) / k->shared_align * k->shared_align;
    run->shared_bytes = l->shared_bytes > 0 ? dynamic + l->shared_bytes : k->shared_static;
    for (int i = 0; i < 3; i++) run->grid[i] = l->grid[i], run->block[i] = l->block[i];
    if (k->unsupported) {
        rg__sim_fault(run, NULL, NULL, -1, NULL, RG_OUTCOME_UNSUPPORTED, "the simulated device lacks %s", k->why);
        return RG_OK;
    }
    if (!check(run, m, l)) return RG_OK;
    if (l->n_args != k->n_params)
        return rg_error_set(err, RG_BUG, "kernel %s takes %d arguments, %d given", k->shown, k->n_params, l->n_args);
    char *block = rg_xcalloc((size_t)k->param_bytes + 16, 1);
    for (int i = 0; i < l->n_args; i++) {
        const struct ptx_var *v = k->f->params[i];
        if ((int64_t)l->arg_bytes[i] != v->bytes) {
            free(block);
            return rg_error_set(err, RG_BUG, "argument %d of kernel %s has %lld bytes, %zu given", i + 1, k->shown,
                                (long long)v->bytes, l->arg_bytes[i]);
        }
        memcpy(block + v->offset, l->args[i], l->arg_bytes[i]);
    }
    run->param_block = block;
    run->sites = aligned_alloc(64, sizeof *run->sites * (size_t)(k->n_mem + 1));
    run->counts = calloc((size_t)k->n_blocks + 1, sizeof *run->counts);
    if (!run->sites || !run->counts) return rg_error_set(err, RG_NOMEM, "no memory for a launch");
    memset(run->sites, 0, sizeof *run->sites * (size_t)(k->n_mem + 1));
    for (int i = 0; i < k->n_mem; i++) run->sites[i].buffer_index = -1;
    return RG_OK;
}

void rg__sim_finish(struct sim_run *run)
{
    free((void *)(uintptr_t)run->param_block);
    free(run->sites);
    free(run->counts);
    run->param_block = NULL;
    run->sites = NULL;
    run->counts = NULL;
}

struct pool {
    struct sim_run *run;
    struct sim_block *blocks;
    int64_t n, next, active;
    int64_t watched; /* number of the block being watched, -1 */
    int n_watched;
    double watched_from;
};

static enum rg_status start(struct pool *p, struct sim_block *b, struct rg_error *err)
{
    struct sim_run *run = p->run;
    int64_t number = p->next++;
    rg__sim_block_start(run, b, number);
    p->active++;
    while (p->n_watched < run->n_choices && run->choices[p->n_watched].block < number) p->n_watched++;
    if (p->watched >= 0 || p->n_watched >= run->n_choices || run->choices[p->n_watched].block != number) return RG_OK;
    enum rg_status s = rg__sim_timelines_new(run, b, err);
    if (s) return s;
    rg__sim_watch_begin(run, b, &run->choices[p->n_watched++]);
    p->watched = number;
    return RG_OK;
}

/* Some rounds of a block. */
static void turn(struct pool *p, struct sim_block *b, sim_exec_fn plain, int64_t blocks_in_flight)
{
    struct sim_run *run = p->run;
    bool progress, watched = b->number == p->watched;
    double limit = run->work + (double)SLICE * ROUNDS / 4 * b->n_warps;
    int rounds = blocks_in_flight > 1 ? 1 : ROUNDS;
    for (int r = 0; b->active && (watched ? run->work < limit : r < rounds); r++) {
        sim_exec_fn exec = plain;
        double before = run->work;
        run->slice = blocks_in_flight > 1 ? SLICE / 4 : SLICE;
        if (watched) exec = rg__sim_watch_exec(run, b);
        bool more = rg__sim_block_round(run, b, exec, &progress);
        if (watched) run->estimate->ran += run->work - before;
        run->estimating = false;
        if (!more) break;
        if (watched && blocks_in_flight > 1 && r > 64) break;
    }
    if (watched && !b->active) {
        rg__sim_watch_end(run, b);
        rg__sim_timelines_free(b);
        p->watched = -1;
    }
}

enum rg_status rg__sim_run_all(struct sim_run *run, struct rg_error *err)
{
    if (run->k->independent && !run->check && !run->n_choices && !run->launch->cooperative)
        return rg__sim_run_apart(run, err);
    sim_exec_fn exec = run->check ? rg__sim_exec_checked : rg__sim_exec_pick(run->isa, false);
    int64_t context =
        ((int64_t)run->k->frame_bytes + sim_local_likely(run->k) * 32) * run->n_warps + run->shared_bytes + 1024;
    int64_t most = MAX_CONTEXT_BYTES / context;
    if (most > run->resident) most = run->resident;
    if (most > run->n_blocks) most = run->n_blocks;
    if (most < 1) most = 1;
    struct pool p = {run, rg_xcalloc((size_t)most, sizeof *p.blocks), 0, 0, 0, -1, 0, 0};
    int64_t wanted = run->launch->cooperative ? most : 1;
    enum rg_status s = RG_OK;
    while (!s && run->fault->outcome == RG_OUTCOME_OK && (p.next < run->n_blocks || p.active)) {
        while (!s && p.n < wanted && p.next < run->n_blocks) {
            s = rg__sim_block_new(run, &p.blocks[p.n++], err);
            if (!s) s = start(&p, &p.blocks[p.n - 1], err);
        }
        bool tired = true;
        for (int64_t i = 0; i < p.n && !s && run->fault->outcome == RG_OUTCOME_OK; i++) {
            struct sim_block *b = &p.blocks[i];
            turn(&p, b, exec, p.n);
            if (b->active) continue;
            tired = false;
            p.active--;
            if (run->fault->outcome != RG_OUTCOME_OK) break;
            if (p.next < run->n_blocks)
                s = start(&p, b, err);
            else {
                rg__sim_block_free(b);
                *b = p.blocks[--p.n];
                i--;
            }
        }
        if (tired && wanted < most) wanted++; /* all wait or are long: perhaps for one that has not begun */
    }
    for (int64_t i = 0; i < p.n; i++) {
        rg__sim_timelines_free(&p.blocks[i]);
        rg__sim_block_free(&p.blocks[i]);
    }
    free(p.blocks);
    return s;
}
