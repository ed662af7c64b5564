/* Life of the checks: of a launch, of a block; what messages say of a place. */
#include "runtime/sim/check/check.h"
#include "runtime/sim/arith/mma.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int smallest_access(const struct sim_kernel *k)
{
    int least = 4;
    for (int i = 0; i < k->n_code; i++) {
        const struct sim_inst *in = &k->code[i];
        int n = 4;
        switch (in->op) {
        case SIM_LDG:
        case SIM_STG:
        case SIM_LDS:
        case SIM_STS:
        case SIM_LDX:
        case SIM_STX:
            n = 1 << (in->x & SIM_E_SIZE);
            break;
        case SIM_ATOM:
            n = rg__ptx_type_bytes((enum ptx_type)in->y);
            break;
        case SIM_WMMALD:
        case SIM_WMMAST:
            n = rg__sim_wmma_element(SIM_WMMA_TYPE(in->imm));
            break;
        default:
            break;
        }
        if (n < least) least = n;
    }
    return least;
}

enum rg_status rg__sim_check_begin(struct sim_run *run, double accesses, struct rg_error *err)
{
    struct sim_check *c = rg_xcalloc(1, sizeof *c);
    c->left = accesses;
    c->granule = smallest_access(run->k);
    c->warps = run->n_blocks * run->n_warps;
    c->grid_off = c->warps > (int64_t)UINT32_MAX / 32 - 1;
    c->excused = calloc((size_t)run->k->n_code + 1, 1);
    c->cap_origins = 0;
    run->check = c;
    return c->excused ? RG_OK : rg_error_set(err, RG_NOMEM, "no memory to check a launch");
}

void rg__sim_check_end(struct sim_run *run)
{
    struct sim_check *c = run->check;
    if (!c) return;
    if (c->undefined.outcome != RG_OUTCOME_OK &&
        (run->fault->outcome == RG_OUTCOME_OK || (run->fault->outcome != RG_OUTCOME_RACE && c->steers)))
        *run->fault = c->undefined;
    for (int i = 0; i < c->n_pending && run->fault->outcome == RG_OUTCOME_OK; i++)
        if (!c->excused[c->pending[i].pc]) *run->fault = c->pending[i].fault;
    for (int i = 0; i < c->n_shadows; i++) {
        for (int64_t p = 0; p < c->shadows[i].n_pages; p++) free(c->shadows[i].pages[p]);
        free(c->shadows[i].pages);
    }
    free(c->shadows);
    rg__sim_syncs_free(&c->syncs);
    rg__sim_joined_free(c);
    free(c->origins);
    free(c->excused);
    free(c);
    run->check = NULL;
}

static uint32_t *clocks(const struct sim_run *run)
{
    return rg_xcalloc((size_t)run->n_warps, sizeof(uint32_t));
}

enum rg_status rg__sim_check_block_new(struct sim_run *run, struct sim_block *b, struct rg_error *err)
{
    struct sim_block_check *c = rg_xcalloc(1, sizeof *c);
    b->check = c;
    size_t shared = (size_t)run->shared_bytes;
    c->cells = calloc(shared / (size_t)run->check->granule + 1, sizeof *c->cells);
    c->defined = calloc(shared + 1, 1);
    c->warps = rg_xcalloc((size_t)run->n_warps, sizeof *c->warps);
    if (!c->cells || !c->defined) return rg_error_set(err, RG_NOMEM, "no memory to check a block");
    for (int i = 0; i < run->n_warps; i++) {
        struct sim_warp_check *w = &c->warps[i];
        b->warps[i].check = w;
        w->seen.block = clocks(run);
        w->fenced.block = clocks(run);
        w->fenced_block.block = clocks(run);
        w->taint = calloc((size_t)run->k->frame_bytes / 4 + 64, sizeof *w->taint);
        w->origin = calloc((size_t)run->k->frame_bytes / 4 + 64, sizeof *w->origin);
        w->local = calloc((size_t)run->k->local_bytes * 32 + 1, 1);
        w->saved = calloc(run->k->n_bodies ? (size_t)run->k->local_bytes / 4 + 1 : 1, sizeof *w->saved);
        if (!w->taint || !w->origin || !w->local || !w->saved)
            return rg_error_set(err, RG_NOMEM, "no memory to check a block");
    }
    for (int i = 0; i < 16; i++) {
        c->bars[i].seen.block = clocks(run);
        c->bars[i].fenced.block = clocks(run);
        c->bars[i].fenced_block.block = clocks(run);
    }
    return RG_OK;
}

static void forget(struct sim_clocks *c, int n)
{
    memset(c->block, 0, sizeof *c->block * (size_t)n);
    struct sim_clocks grid = {NULL, c->grid};
    rg__sim_clocks_free(&grid);
    c->grid = NULL;
}

/* Stamps in the cells name their block, so those of the block before are known for what they are. */
void rg__sim_check_block_start(struct sim_run *run, struct sim_block *b)
{
    struct sim_block_check *c = b->check;
    int n = run->n_warps;
    memset(c->defined, 0, (size_t)run->shared_bytes);
    rg__sim_syncs_free(&c->syncs);
    for (int i = 0; i < n; i++) {
        struct sim_warp_check *w = &c->warps[i];
        w->clock = 1;
        w->full = w->own = 0;
        free(w->lanes);
        w->lanes = NULL;
        forget(&w->seen, n);
        forget(&w->fenced, n);
        forget(&w->fenced_block, n);
        w->has_fenced = false;
        w->taken_addr = 0;
        memset(w->recent, 0, sizeof w->recent);
        for (int k = 0; k < w->n_copies; k++)
            c->cells[w->copies[k].offset / (uint32_t)run->check->granule].copying = false;
        w->n_copies = 0;
        memset(w->committed, 0, sizeof w->committed);
        for (int lane = 0; lane < 32; lane++)
            memset(w->local + lane * run->k->local_bytes, 0, (size_t)sim_local_used(run->k, &b->warps[i]));
        if (b->warps[i].tainted) memset(w->taint, 0, sizeof *w->taint * ((size_t)run->k->frame_bytes / 4 + 64));
        b->warps[i].tainted = 0;
    }
    for (int i = 0; i < 16; i++) {
        forget(&c->bars[i].seen, n);
        forget(&c->bars[i].fenced, n);
        forget(&c->bars[i].fenced_block, n);
        c->bars[i].pc = -1;
    }
}

void rg__sim_check_block_free(struct sim_block *b)
{
    struct sim_block_check *c = b->check;
    if (!c) return;
    for (int i = 0; i < b->n_warps && c->warps; i++) {
        struct sim_warp_check *w = &c->warps[i];
        rg__sim_clocks_free(&w->seen);
        rg__sim_clocks_free(&w->fenced);
        rg__sim_clocks_free(&w->fenced_block);
        free(w->lanes);
        free(w->copies);
        free(w->taint);
        free(w->origin);
        free(w->local);
        free(w->saved);
    }
    for (int i = 0; i < 16; i++) {
        rg__sim_clocks_free(&c->bars[i].seen);
        rg__sim_clocks_free(&c->bars[i].fenced);
        rg__sim_clocks_free(&c->bars[i].fenced_block);
    }
    rg__sim_syncs_free(&c->syncs);
    free(c->warps);
    free(c->cells);
    free(c->defined);
    free(c);
    b->check = NULL;
}

struct sim_buffer *rg__sim_check_buffer(const struct sim_run *run, uint64_t addr)
{
    struct sim_check *c = run->check;
    bool inside = true;
    if (c->near && addr - c->near->addr < c->near->bytes) return c->near;
    struct sim_buffer *b = rg__sim_find(run->memory, addr, &inside);
    if (!b || !inside) return NULL;
    return c->near = b;
}

void rg__sim_check_place(const struct sim_run *run, enum sim_where where, uint64_t addr, char *out, size_t size)
{
    bool inside = false;
    const struct sim_buffer *b = where == SIM_AT_GLOBAL ? rg__sim_find(run->memory, addr, &inside) : NULL;
    if (b)
        snprintf(out, size, "offset %lld of '%s'", (long long)(addr - b->addr), b->name);
    else if (where == SIM_AT_SHARED)
        rg__sim_shared_place(run->k, (int64_t)addr, out, size);
    else
        snprintf(out, size, "offset %lld of local memory", (long long)addr);
}
