/* What happened before what: clocks of warps, passed on by barriers, fences and the atomics between them. */
#include "runtime/sim/check/check.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_CLOCK_BYTES = 256 << 20 };

static void drop(struct sim_known *k)
{
    if (!k || --k->refs) return;
    *k->total -= k->bytes;
    free(k);
}

void rg__sim_clocks_free(struct sim_clocks *c)
{
    free(c->block);
    drop(c->grid);
    c->block = NULL;
    c->grid = NULL;
}

void rg__sim_syncs_free(struct sim_syncs *s)
{
    for (int i = 0; i < s->cap; i++) rg__sim_clocks_free(&s->at[i].c);
    free(s->at);
    *s = (struct sim_syncs){0};
}

/* One's own to change. NULL: too much is remembered already. */
static struct sim_known *own(struct sim_check *c, struct sim_known **k)
{
    if (*k && (*k)->refs == 1) {
        (*k)->version = ++c->knowns;
        return *k;
    }
    size_t bytes = sizeof(struct sim_known) + sizeof(uint32_t) * (size_t)c->warps;
    if (c->memory > MAX_CLOCK_BYTES) {
        c->grid_off = true;
        return NULL;
    }
    struct sim_known *fresh = calloc(1, bytes);
    if (!fresh) {
        c->grid_off = true;
        return NULL;
    }
    c->memory += fresh->bytes = (int64_t)bytes;
    fresh->total = &c->memory;
    fresh->version = ++c->knowns;
    fresh->refs = 1;
    if (*k) memcpy(fresh->when, (*k)->when, sizeof(uint32_t) * (size_t)c->warps);
    drop(*k);
    return *k = fresh;
}

static void share(struct sim_known **to, struct sim_known *from)
{
    from->refs++;
    drop(*to);
    *to = from;
}

static void join_all(struct sim_check *c, struct sim_known **to, struct sim_known *from)
{
    bool more = false, less = false;
    for (int64_t i = 0; i < c->warps; i++) {
        more |= from->when[i] > (*to)->when[i];
        less |= from->when[i] < (*to)->when[i];
    }
    if (!more) return;
    if (!less) {
        share(to, from);
        return;
    }
    struct sim_known *k = own(c, to);
    for (int64_t i = 0; k && i < c->warps; i++)
        if (from->when[i] > k->when[i]) k->when[i] = from->when[i];
}

/* The warps of a block come to a barrier and leave it with the same knowledge, one after another: what it comes to is
 * kept. */
static void join_grid(struct sim_check *c, struct sim_known **to, struct sim_known *from)
{
    if (!from || *to == from || c->grid_off) return;
    if (!*to) {
        share(to, from);
        return;
    }
    const uint64_t was = (*to)->version;
    struct sim_joined *j = &c->joined[(was ^ from->version * 3) % SIM_JOINED];
    if (j->is && j->to == was && j->from == from->version) {
        if (j->is != *to) share(to, j->is);
        return;
    }
    join_all(c, to, from);
    if (c->grid_off) return;
    struct sim_known *before = j->is;
    *j = (struct sim_joined){was, from->version, *to};
    j->is->refs++;
    drop(before);
}

void rg__sim_joined_free(struct sim_check *c)
{
    for (int i = 0; i < SIM_JOINED; i++) drop(c->joined[i].is);
    memset(c->joined, 0, sizeof c->joined);
}

static void join(struct sim_run *run, struct sim_clocks *to, const struct sim_clocks *from)
{
    for (int i = 0; i < run->n_warps; i++)
        if (from->block[i] > to->block[i]) to->block[i] = from->block[i];
    join_grid(run->check, &to->grid, from->grid);
}

bool rg__sim_ordered(const struct sim_run *run, const struct sim_block *b, const struct sim_warp *w, int lane,
                     const struct sim_stamp *s)
{
    const struct sim_warp_check *c = w->check;
    int64_t warp = (s->who - 1) >> 5, here = warp - b->number * run->n_warps;
    int l = (int)((s->who - 1) & 31);
    if (here < 0 || here >= run->n_warps)
        return run->check->grid_off || (c->seen.grid && c->seen.grid->when[warp] >= s->when);
    if (here != w->index) return c->seen.block[here] >= s->when;
    return l == lane || c->full >= s->when || c->own >= s->when || (c->lanes && c->lanes[lane * 32 + l] >= s->when);
}

void rg__sim_check_fence(struct sim_run *run, struct sim_block *b, struct sim_warp *w, bool whole_grid)
{
    struct sim_warp_check *c = w->check;
    c->seen.block[w->index] = c->clock++;
    c->has_fenced = true;
    join(run, &c->fenced_block, &c->seen);
    if (whole_grid) join(run, &c->fenced, &c->seen);
}

void rg__sim_check_meet(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                        uint32_t mask)
{
    struct sim_warp_check *c = w->check;
    uint32_t left = mask, named;
    for (; left; left &= ~named) { /* groups of lanes may meet at one place, each with its own mask */
        int lane = __builtin_ctz(left);
        named = (in->a >= 0 ? sim_u32(w, in->a)[lane] & mask : mask) | (uint32_t)1 << lane;
        if (named == w->live) {
            c->full = c->clock;
            continue;
        }
        if (!c->lanes) c->lanes = rg_xcalloc(32 * 32, sizeof *c->lanes);
        uint32_t all[32] = {0};
        for (int j = 0; j < 32; j++) {
            for (int i = 0; i < 32; i++)
                if (named >> i & 1 && c->lanes[i * 32 + j] > all[j]) all[j] = c->lanes[i * 32 + j];
            if (named >> j & 1) all[j] = c->clock;
        }
        for (int i = 0; i < 32; i++)
            if (named >> i & 1) memcpy(c->lanes + i * 32, all, sizeof all);
    }
    c->clock++;
}

bool rg__sim_check_arrive(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                          int id, bool waits)
{
    struct sim_warp_check *c = w->check;
    struct sim_meeting *bar = &b->check->bars[id];
    const struct sim_inst *first = bar->pc >= 0 ? &run->k->code[bar->pc] : in;
    /* __syncthreads is one place for all; counts and other numbers are for code that means it. */
    if (in && id == 0 && in->b < 0 && waits && first->line && in->line && first->line != in->line && first->b < 0)
        return rg__sim_fault(run, b, w, __builtin_ctz(w->live), in, RG_OUTCOME_RACE,
                             "a barrier in divergent code: other warps of the block wait at the one of line %d",
                             first->line);
    if (in) bar->pc = (int)(in - run->k->code);
    c->full = c->seen.block[w->index] = c->clock++;
    join(run, &bar->seen, &c->seen);
    join(run, &bar->fenced, &c->fenced);
    join(run, &bar->fenced_block, &c->fenced_block);
    return true;
}

void rg__sim_check_leave(struct sim_run *run, struct sim_block *b, struct sim_warp *w, int id)
{
    struct sim_warp_check *c = w->check;
    struct sim_meeting *bar = &b->check->bars[id];
    join(run, &c->seen, &bar->seen);
    join(run, &c->fenced, &bar->fenced);
    join(run, &c->fenced_block, &bar->fenced_block);
    for (int i = 0; i < run->n_warps && !c->has_fenced; i++) c->has_fenced = bar->fenced_block.block[i] != 0;
}

void rg__sim_check_open(struct sim_run *run, struct sim_block *b, int id)
{
    struct sim_meeting *bar = &b->check->bars[id];
    struct sim_clocks *all[] = {&bar->seen, &bar->fenced, &bar->fenced_block};
    for (int i = 0; i < 3; i++) {
        memset(all[i]->block, 0, sizeof(uint32_t) * (size_t)run->n_warps);
        drop(all[i]->grid);
        all[i]->grid = NULL;
    }
    bar->pc = -1;
}

/* ---- through memory ---- */

static struct sim_sync *place(struct sim_syncs *s, uint64_t addr, bool add)
{
    if (add && (s->n + 1) * 2 > s->cap) {
        struct sim_syncs grown = {0, s->cap ? s->cap * 2 : 16, NULL};
        grown.at = rg_xcalloc((size_t)grown.cap, sizeof *grown.at);
        for (int i = 0; i < s->cap; i++)
            if (s->at[i].addr) *place(&grown, s->at[i].addr, true) = s->at[i];
        free(s->at);
        grown.n = s->n;
        *s = grown;
    }
    if (!s->cap) return NULL;
    for (uint64_t i = (addr >> 2) * 0x9e3779b97f4a7c15u >> 20;; i++) {
        struct sim_sync *x = &s->at[i & (uint64_t)(s->cap - 1)];
        if (x->addr == addr) return x;
        if (x->addr) continue;
        if (!add) return NULL;
        x->addr = addr;
        s->n++;
        return x;
    }
}

void rg__sim_check_publish(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                           uint64_t addr)
{
    struct sim_warp_check *c = w->check;
    struct sim_check *all = run->check;
    if (in->flags & SIM_F_RELEASE) rg__sim_check_fence(run, b, w, !(in->flags & SIM_F_BLOCK));
    if (!c->has_fenced) return;
    struct sim_sync *here = place(&b->check->syncs, addr, true);
    if (!here->c.block) here->c.block = rg_xcalloc((size_t)run->n_warps, sizeof(uint32_t));
    join(run, &here->c, &c->fenced_block);
    here->version = ++all->version;
    bool any = c->fenced.grid != NULL;
    for (int i = 0; i < run->n_warps && !any; i++) any = c->fenced.block[i] != 0;
    if (!any || all->grid_off || addr < SIM_GLOBAL_BASE) return;
    struct sim_sync *far = place(&all->syncs, addr, true);
    join_grid(all, &far->c.grid, c->fenced.grid);
    struct sim_known *k = own(all, &far->c.grid);
    for (int i = 0; k && i < run->n_warps; i++) {
        uint32_t *to = &k->when[b->number * run->n_warps + i];
        if (c->fenced.block[i] > *to) *to = c->fenced.block[i];
    }
    far->version = ++all->version;
}

void rg__sim_check_take(struct sim_run *run, struct sim_block *b, struct sim_warp *w, uint64_t addr)
{
    struct sim_warp_check *c = w->check;
    const struct sim_sync *here = place(&b->check->syncs, addr, false), *far = place(&run->check->syncs, addr, false);
    uint32_t version = (here ? here->version : 0) > (far ? far->version : 0) ? here->version : far ? far->version : 0;
    if (!version || (c->taken_addr == addr && c->taken_version == version)) return;
    c->taken_addr = addr;
    c->taken_version = version;
    if (here) {
        join(run, &c->seen, &here->c);
        if (here->c.block[w->index] > c->own) c->own = here->c.block[w->index];
    }
    if (far && far->c.grid && !run->check->grid_off) {
        const uint32_t *mine = far->c.grid->when + b->number * run->n_warps;
        for (int i = 0; i < run->n_warps; i++)
            if (mine[i] > c->seen.block[i]) c->seen.block[i] = mine[i];
        if (mine[w->index] > c->own) c->own = mine[w->index];
        join_grid(run->check, &c->seen.grid, far->c.grid);
    }
}
