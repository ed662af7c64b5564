/* Blocks: storage, constants of their warps, barriers, the round over warps. */
#include "runtime/sim/model/estimate.h"
#include "runtime/sim/check/check.h"
#include <stdlib.h>
#include <string.h>

static void fill(struct sim_warp *w, const struct sim_const *c, uint64_t bits)
{
    if (c->bytes == 0)
        *sim_u32(w, c->slot) = (uint32_t)bits;
    else if (c->bytes == 8)
        for (int i = 0; i < 32; i++) sim_u64(w, c->slot)[i] = bits;
    else
        for (int i = 0; i < 32; i++) sim_u32(w, c->slot)[i] = (uint32_t)bits;
}

static uint64_t parameter(const struct sim_run *run, const struct sim_const *c)
{
    uint64_t v = 0;
    memcpy(&v, run->param_block + c->bits, (size_t)rg__ptx_type_bytes(c->type));
    switch (c->type) {
    case PTX_S8:
        return (uint64_t)(int8_t)v;
    case PTX_S16:
        return (uint64_t)(int16_t)v;
    case PTX_S32:
        return (uint64_t)(int32_t)v;
    default:
        return v;
    }
}

static void special(const struct sim_run *run, const struct sim_block *b, struct sim_warp *w, const struct sim_const *c)
{
    int s = (int)c->bits;
    uint64_t v = 0;
    switch (s) {
    case PTX_SR_TID_X:
    case PTX_SR_TID_Y:
    case PTX_SR_TID_Z:
    case PTX_SR_LANEID:
    case PTX_SR_LANEMASK_EQ:
    case PTX_SR_LANEMASK_LE:
    case PTX_SR_LANEMASK_LT:
    case PTX_SR_LANEMASK_GE:
    case PTX_SR_LANEMASK_GT:
        for (int i = 0; i < 32; i++) {
            int64_t t = (int64_t)w->index * 32 + i;
            uint32_t bit = (uint32_t)1 << i;
            uint64_t l = s == PTX_SR_TID_X         ? (uint64_t)(t % run->block[0])
                         : s == PTX_SR_TID_Y       ? (uint64_t)(t / run->block[0] % run->block[1])
                         : s == PTX_SR_TID_Z       ? (uint64_t)(t / run->block[0] / run->block[1])
                         : s == PTX_SR_LANEID      ? (uint64_t)i
                         : s == PTX_SR_LANEMASK_EQ ? bit
                         : s == PTX_SR_LANEMASK_LE ? bit | (bit - 1)
                         : s == PTX_SR_LANEMASK_LT ? bit - 1
                         : s == PTX_SR_LANEMASK_GE ? (uint32_t) ~(bit - 1)
                                                   : (uint32_t) ~(bit | (bit - 1));
            if (c->bytes == 8)
                sim_u64(w, c->slot)[i] = l;
            else
                sim_u32(w, c->slot)[i] = (uint32_t)l;
        }
        return;
    case PTX_SR_NTID_X:
    case PTX_SR_NTID_Y:
    case PTX_SR_NTID_Z:
        v = (uint64_t)run->block[s - PTX_SR_NTID_X];
        break;
    case PTX_SR_CTAID_X:
    case PTX_SR_CTAID_Y:
    case PTX_SR_CTAID_Z:
        v = (uint64_t)b->ctaid[s - PTX_SR_CTAID_X];
        break;
    case PTX_SR_CLUSTERID_X:
        v = (uint64_t)b->ctaid[0];
        break;
    case PTX_SR_NCTAID_X:
    case PTX_SR_NCTAID_Y:
    case PTX_SR_NCTAID_Z:
        v = (uint64_t)run->grid[s - PTX_SR_NCTAID_X];
        break;
    case PTX_SR_NCLUSTERID_X:
        v = (uint64_t)run->grid[0];
        break;
    case PTX_SR_WARPID:
        v = (uint64_t)w->index;
        break;
    case PTX_SR_NWARPID:
        v = 64;
        break;
    case PTX_SR_SMID:
        v = (uint64_t)(b->number % run->sms);
        break;
    case PTX_SR_NSMID:
        v = (uint64_t)run->sms;
        break;
    case PTX_SR_GRIDID:
        v = 1;
        break;
    case PTX_SR_DYNAMIC_SMEM:
        v = (uint64_t)run->launch->shared_bytes;
        break;
    case PTX_SR_TOTAL_SMEM:
        v = (uint64_t)run->shared_bytes;
        break;
    case PTX_SR_ENVREG1:
        v = run->workspace >> 32;
        break;
    case PTX_SR_ENVREG2:
        v = run->workspace & 0xffffffffu;
        break;
    case PTX_SR_CLUSTER_NCTAID_X:
    case PTX_SR_CLUSTER_NCTARANK:
        v = 1;
        break;
    default:
        break;
    }
    fill(w, c, v);
}

static bool varies(uint64_t s)
{
    return s == PTX_SR_CTAID_X || s == PTX_SR_CTAID_Y || s == PTX_SR_CTAID_Z || s == PTX_SR_SMID ||
           s == PTX_SR_CLUSTERID_X;
}

/* What changes from block to block. */
static void vary(const struct sim_run *run, const struct sim_block *b)
{
    const struct sim_kernel *k = run->k;
    for (int i = 0; i < k->n_consts; i++) {
        const struct sim_const *c = &k->consts[i];
        if (!c->used || c->kind != SIM_K_SPECIAL || !varies(c->bits)) continue;
        for (int n = 0; n < b->n_warps; n++) special(run, b, &b->warps[n], c);
    }
}

static void constants(const struct sim_run *run, const struct sim_block *b, struct sim_warp *w)
{
    const struct sim_kernel *k = run->k;
    int64_t dynamic = (k->shared_static + k->shared_align - 1) / k->shared_align * k->shared_align;
    for (int i = 0; i < k->n_consts; i++) {
        const struct sim_const *c = &k->consts[i];
        if (!c->used) continue;
        switch (c->kind) {
        case SIM_K_BITS:
            fill(w, c, c->bits);
            break;
        case SIM_K_PARAM:
            fill(w, c, parameter(run, c));
            break;
        case SIM_K_PARAM_BLOCK:
            fill(w, c, run->param_addr + c->bits);
            break;
        case SIM_K_EXTERN_SHARED:
            fill(w, c, (uint64_t)dynamic + c->bits);
            break;
        case SIM_K_STACK:
            fill(w, c, (uint64_t)k->stack_base);
            break;
        case SIM_K_SPECIAL:
            special(run, b, w, c);
            break;
        }
    }
}

enum rg_status rg__sim_block_new(struct sim_run *run, struct sim_block *b, struct rg_error *err)
{
    memset(b, 0, sizeof *b);
    size_t frame = (size_t)run->k->frame_bytes + 64, local = (size_t)run->k->local_bytes * 32,
           shared = ((size_t)run->shared_bytes + 127) / 64 * 64;
    size_t returns = run->k->n_bodies ? ((size_t)run->k->local_bytes / 16 + 1) * 128 : 0,
           stack = returns ? local + returns : 0;
    if (stack) local = 0;
    size_t total = (frame + local) * (size_t)run->n_warps + shared + 256;
    if (stack) b->stacks = calloc(stack * (size_t)run->n_warps + 64, 1);
    b->memory = aligned_alloc(64, (total + 63) / 64 * 64);
    b->warps = calloc((size_t)run->n_warps, sizeof *b->warps);
    if (!b->memory || !b->warps || (stack && !b->stacks)) {
        rg__sim_block_free(b);
        return rg_error_set(err, RG_NOMEM, "no memory for a block of %d warps", run->n_warps);
    }
    char *p = b->memory, *stacks = b->stacks;
    if (stacks) stacks += (64 - (uintptr_t)stacks % 64) % 64;
    frame = frame / 64 * 64; /* local memory then starts aligned too: 32 lanes of 16 bytes */
    memset(p, 0, (frame + local) * (size_t)run->n_warps);
    b->n_warps = run->n_warps;
    for (int i = 0; i < run->n_warps; i++) {
        struct sim_warp *w = &b->warps[i];
        w->frame = p + (size_t)i * frame;
        w->local = p + frame * (size_t)run->n_warps + (size_t)i * local;
        if (stack) {
            w->local = stacks + (size_t)i * stack;
            w->returns = (int32_t *)(void *)(w->local + stack - returns);
        }
        w->index = i;
        int left = run->threads - i * 32;
        w->threads = left >= 32 ? 0xffffffffu : ((uint32_t)1 << left) - 1;
        constants(run, b, w);
    }
    b->shared = p + (frame + local) * (size_t)run->n_warps;
    b->shared += (64 - (uintptr_t)b->shared % 64) % 64;
    return run->check ? rg__sim_check_block_new(run, b, err) : RG_OK;
}

void rg__sim_block_free(struct sim_block *b)
{
    rg__sim_check_block_free(b);
    free(b->memory);
    free(b->stacks);
    free(b->warps);
    b->memory = b->stacks = b->warps = NULL;
}

void rg__sim_block_start(struct sim_run *run, struct sim_block *b, int64_t number)
{
    b->number = number;
    b->ctaid[0] = number % run->grid[0];
    b->ctaid[1] = number / run->grid[0] % run->grid[1];
    b->ctaid[2] = number / run->grid[0] / run->grid[1];
    b->n_done = 0;
    b->active = true;
    memset(b->bars, 0, sizeof b->bars);
    for (int i = 0; i < 16; i++) b->bars[i].all = 1;
    /* As unset as on the device, but the same every time: floats are NaN. */
    if (run->shared_bytes) memset(b->shared, 0xff, (size_t)run->shared_bytes);
    for (int i = 0; i < b->n_warps; i++) {
        struct sim_warp *w = &b->warps[i];
        /* What the block before left must not show, whichever that was. */
        for (int r = 0; r < run->k->n_unset; r++)
            memset(w->frame + run->k->unset[r].slot, 0,
                   run->k->unset[r].bytes ? (size_t)run->k->unset[r].bytes * 32 : 4);
        if (run->k->independent && run->k->local_bytes) memset(w->local, 0, (size_t)sim_local_used(run->k, w) * 32);
        w->clock = 0;
        w->live = w->threads;
        w->state = SIM_WARP_RUNS;
        w->n_splits = 1;
        w->splits[0] = (struct sim_split){w->threads, 0, SIM_READY, 0, 0};
        w->stamp = 1;
        w->fair = false;
        w->stale = 0;
    }
    if (run->k->block_specials) vary(run, b);
    if (run->check) rg__sim_check_block_start(run, b);
    for (int i = 0; i < b->n_warps; i++) b->warps[i].stack_high = 0;
}

static void release(struct sim_run *run, struct sim_block *b, int id)
{
    struct sim_barrier *bar = &b->bars[id];
    if (run->estimating) rg__sim_note_barrier(run, b, id);
    for (int i = 0; i < b->n_warps && run->check; i++)
        if (b->warps[i].state == SIM_WARP_DONE) rg__sim_check_arrive(run, b, &b->warps[i], NULL, id, false);
    for (int i = 0; i < b->n_warps; i++) {
        struct sim_warp *w = &b->warps[i];
        if (w->state != SIM_WARP_AT_BARRIER || w->barrier != id) continue;
        struct sim_split *s = &w->splits[0];
        const struct sim_inst *in = &run->k->code[s->pc];
        if (in->x == 2)
            for (int l = 0; l < 32; l++)
                if (s->mask >> l & 1) sim_u32(w, in->d)[l] = (uint32_t)bar->popc;
        if (in->x == 3) sim_set_pred(w, in->d, s->mask, bar->all ? ~0u : 0);
        if (in->x == 4) sim_set_pred(w, in->d, s->mask, bar->any ? ~0u : 0);
        if (run->check) rg__sim_check_leave(run, b, w, id);
        s->pc++;
        s->state = SIM_READY;
        w->state = SIM_WARP_RUNS;
    }
    if (run->check) rg__sim_check_open(run, b, id);
    *bar = (struct sim_barrier){0, 0, 0, 0, 1, 0};
}

/* Complete: as many threads as asked for, or every warp that has not ended. */
static void settle(struct sim_run *run, struct sim_block *b, int id)
{
    const struct sim_barrier *bar = &b->bars[id];
    if (!bar->arrived_warps) return;
    if (bar->expected ? bar->arrived_threads >= bar->expected : bar->arrived_warps >= b->n_warps - b->n_done)
        release(run, b, id);
}

void rg__sim_arrive(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                    uint32_t mask, bool waits)
{
    int lane = __builtin_ctz(mask), id = (int)(sim_u32(w, in->a)[lane] & 15);
    struct sim_barrier *bar = &b->bars[id];
    bar->arrived_warps++;
    bar->arrived_threads += 32;
    if (in->b >= 0) bar->expected = (int)sim_u32(w, in->b)[lane];
    if (in->e >= 0) {
        uint32_t p = *sim_u32(w, in->e);
        bar->popc += __builtin_popcount(p & mask);
        bar->all &= (~p & mask) == 0;
        bar->any |= (p & mask) != 0;
    }
    if (waits) w->barrier = id;
    if (run->check) rg__sim_check_arrive(run, b, w, in, id, waits);
    settle(run, b, id);
}

static bool stuck(struct sim_run *run, struct sim_block *b)
{
    /* Nobody can go on: name one who waits, and for what. */
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < b->n_warps; i++) {
            struct sim_warp *w = &b->warps[i];
            if (w->state == SIM_WARP_DONE || (w->state == SIM_WARP_AT_BARRIER) != (pass == 1)) continue;
            const struct sim_split *s = &w->splits[0];
            const struct sim_inst *in = &run->k->code[s->pc];
            int lane = __builtin_ctz(s->mask);
            if (w->state == SIM_WARP_AT_BARRIER)
                rg__sim_fault(run, b, w, lane, in, RG_OUTCOME_RACE,
                              "a barrier that not all threads of the block reach");
            else if (s->state == SIM_AT_BAR) {
                int line = 0;
                for (int k = 1; k < w->n_splits; k++)
                    if (w->splits[k].pc != s->pc) line = run->k->code[w->splits[k].pc].line;
                if (line)
                    rg__sim_fault(run, b, w, lane, in, RG_OUTCOME_RACE,
                                  "a barrier in divergent code: other threads of the warp wait at line %d", line);
                else
                    rg__sim_fault(run, b, w, lane, in, RG_OUTCOME_RACE, "a barrier in divergent code");
            } else
                rg__sim_fault(run, b, w, lane, in, RG_OUTCOME_RACE,
                              "%s names lanes that never arrive (lanes there: 0x%08x)",
                              in->op == SIM_WARPSYNC ? "__syncwarp" : "a warp exchange", s->mask);
            return false;
        }
    return false;
}

/* Is what some lanes of it do next something that other blocks may notice, or that notices them? */
static bool meets(const struct sim_run *run, const struct sim_warp *w)
{
    bool any = false;
    for (int i = 0; i < w->n_splits; i++)
        any = any || (w->splits[i].state == SIM_READY && run->k->meets[w->splits[i].pc]);
    return any;
}

bool rg__sim_block_round(struct sim_run *run, struct sim_block *b, sim_exec_fn exec, bool *progress)
{
    bool moved = false, ran = false;
    for (int i = 0; i < b->n_warps; i++) {
        struct sim_warp *w = &b->warps[i];
        if (w->state != SIM_WARP_RUNS) continue;
        moved = true;
        if (run->until > 0 && rg__sim_clock(w) > run->until + (meets(run, w) ? 0 : run->ahead)) continue;
        ran = true;
        switch (exec(run, b, w)) {
        case SIM_STOP_DONE:
            b->n_done++;
            for (int id = 0; id < 16; id++) settle(run, b, id);
            break;
        case SIM_STOP_BLOCKED:
            if (w->state == SIM_WARP_AT_BARRIER) {
                const struct sim_split *s = &w->splits[0];
                rg__sim_arrive(run, b, w, &run->k->code[s->pc], s->mask, true);
                if (run->fault->outcome != RG_OUTCOME_OK) return false;
            }
            break;
        case SIM_STOP_YIELD:
            break;
        case SIM_STOP_FAULT:
            return false;
        }
    }
    *progress = ran;
    if (b->n_done == b->n_warps) {
        b->active = false;
        return false;
    }
    if (!moved) return stuck(run, b);
    if (run->before + run->executed > run->budget) {
        const struct sim_warp *w = &b->warps[0];
        for (int i = 0; i < b->n_warps; i++)
            if (b->warps[i].state == SIM_WARP_RUNS) w = &b->warps[i];
        rg__sim_fault(
            run, b, w, -1,
            w->n_splits ? &run->k->code[w->splits[0].pc + (run->k->code[w->splits[0].pc].op == SIM_BB)] : NULL,
            RG_OUTCOME_TIMEOUT, "more than %.3g instructions of all threads: it hangs or is far too slow", run->budget);
        return false;
    }
    return true;
}
