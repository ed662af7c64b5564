#include "runtime/sim/launch.h"
#include <stdlib.h>
#include <string.h>

enum {
    SLICE = 4096,          /* basic blocks a warp runs before others get a turn */
    ROUNDS = 64,           /* turns of a block before another one is started beside it: it may be waiting for that one */
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
        if (l->grid[i] < 1 || l->grid[i] > grid_max[i]) return refuse(run, "blocks in a grid's dimension", l->grid[i], grid_max[i]);
        if (l->block[i] < 1 || l->block[i] > block_max[i]) return refuse(run, "threads in a block's dimension", l->block[i], block_max[i]);
        if (l->cluster[i] > 1) return rg__sim_fault(run, NULL, NULL, -1, NULL, RG_OUTCOME_UNSUPPORTED, "clusters on the simulated device");
    }
    int64_t threads = l->block[0] * l->block[1] * l->block[2];
    int most = m->facts.max_threads_per_block;
    if (k->has_attributes && k->attributes.max_threads > 0 && k->attributes.max_threads < most) most = k->attributes.max_threads;
    if (k->f->max_threads && k->f->max_threads < most) most = k->f->max_threads;
    if (threads > most) return refuse(run, "threads in a block", threads, most);
    if (l->shared_bytes < 0 || run->shared_bytes > m->facts.shared_per_block_optin)
        return refuse(run, "bytes of shared memory", run->shared_bytes, m->facts.shared_per_block_optin);
    run->threads = (int)threads;
    run->n_warps = (int)(threads + 31) / 32;
    int per_sm = rg__sim_resident(m, k, run->threads, run->shared_bytes);
    if (!per_sm) return rg__sim_fault(run, NULL, NULL, -1, NULL, RG_OUTCOME_UNSUPPORTED, "a block needs more registers or shared memory than there are");
    run->resident = per_sm * m->facts.sms;
    run->n_blocks = l->grid[0] * l->grid[1] * l->grid[2];
    if (l->cooperative && run->n_blocks > run->resident) return refuse(run, "blocks of a cooperative launch", run->n_blocks, run->resident);
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
            return rg_error_set(err, RG_BUG, "argument %d of kernel %s has %lld bytes, %zu given", i + 1, k->shown, (long long)v->bytes,
                                l->arg_bytes[i]);
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

enum rg_status rg__sim_run_all(struct sim_run *run, struct rg_error *err)
{
    sim_exec_fn exec = rg__sim_exec_pick(false);
    int64_t context = ((int64_t)run->k->frame_bytes + run->k->local_bytes * 32) * run->n_warps + run->shared_bytes + 1024;
    int64_t most = MAX_CONTEXT_BYTES / context;
    if (most > run->resident) most = run->resident;
    if (most > run->n_blocks) most = run->n_blocks;
    if (most < 1) most = 1;
    struct sim_block *pool = rg_xcalloc((size_t)most, sizeof *pool);
    int64_t n_pool = 0, next = 0, wanted = run->launch->cooperative ? most : 1, active = 0;
    enum rg_status s = RG_OK;
    while (!s && run->fault->outcome == RG_OUTCOME_OK && (next < run->n_blocks || active)) {
        for (int64_t i = 0; i < wanted && next < run->n_blocks && !s; i++) {
            if (i == n_pool) s = rg__sim_block_new(run, &pool[n_pool++], err);
            if (!s && !pool[i].active) {
                rg__sim_block_start(run, &pool[i], next++);
                active++;
            }
        }
        bool tired = active > 0;
        for (int64_t i = 0; i < n_pool && !s && run->fault->outcome == RG_OUTCOME_OK; i++) {
            bool progress;
            for (int r = 0; r < (wanted > 1 ? 1 : ROUNDS) && pool[i].active; r++)
                if (!rg__sim_block_round(run, &pool[i], exec, &progress)) break;
            if (!pool[i].active) {
                active -= 1;
                tired = false;
                pool[i].active = false;
                /* counted once: a finished context is idle until it is started again */
                if (next < run->n_blocks) {
                    rg__sim_block_start(run, &pool[i], next++);
                    active++;
                } else {
                    struct sim_block t = pool[i];
                    pool[i] = pool[n_pool - 1];
                    pool[--n_pool] = t;
                    rg__sim_block_free(&pool[n_pool]);
                    i--;
                }
            }
        }
        if (tired && wanted < most) wanted++;
    }
    for (int64_t i = 0; i < n_pool; i++) rg__sim_block_free(&pool[i]);
    free(pool);
    return s;
}
