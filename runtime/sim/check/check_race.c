/* Races: who touched a granule last, and whether anything orders that with who touches it now. */
#include "runtime/sim/check/check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_CELLS = 1024, MAX_CELL_BYTES = 384 << 20 };

static struct sim_cell *global_cell(struct sim_run *run, uint64_t addr)
{
    struct sim_check *c = run->check;
    struct sim_shadow *s = NULL;
    for (int i = 0; i < c->n_shadows && !s; i++) {
        int k = (c->last_shadow + i) % c->n_shadows;
        if (addr - c->shadows[k].addr < (uint64_t)c->shadows[k].n_pages * PAGE_CELLS * (uint64_t)c->granule)
            s = &c->shadows[c->last_shadow = k];
    }
    if (!s) {
        const struct sim_buffer *b = rg__sim_check_buffer(run, addr);
        if (!b) return NULL;
        c->shadows = rg_xrealloc(c->shadows, sizeof *c->shadows * (size_t)(c->n_shadows + 1));
        s = &c->shadows[c->n_shadows++];
        s->addr = b->addr;
        s->n_pages = (int64_t)(b->bytes / (PAGE_CELLS * (uint64_t)c->granule)) + 1;
        s->pages = rg_xcalloc((size_t)s->n_pages, sizeof *s->pages);
    }
    uint64_t cell = (addr - s->addr) / (uint64_t)c->granule;
    struct sim_cell **page = &s->pages[cell / PAGE_CELLS];
    if (!*page) {
        c->memory += (int64_t)sizeof(struct sim_cell) * PAGE_CELLS;
        if (c->memory > MAX_CELL_BYTES) c->off = true;
        *page = c->off ? NULL : calloc(PAGE_CELLS, sizeof(struct sim_cell));
        if (!*page) {
            c->off = true;
            return NULL;
        }
    }
    return &(*page)[cell % PAGE_CELLS];
}

struct now {
    struct sim_run *run;
    struct sim_block *b;
    struct sim_warp *w;
    const struct sim_inst *in;
    int lane;
    enum sim_where where;
    uint64_t addr;
    int bytes;
};

static bool of_block(const struct now *n, const struct sim_stamp *s)
{
    int64_t warp = (int64_t)((s->who - 1) >> 5) - n->b->number * n->run->n_warps;
    return warp >= 0 && warp < n->run->n_warps;
}
/* Nothing to race with: nobody, a block whose shared memory this was before, or ordered. */
static bool fine(const struct now *n, const struct sim_stamp *s)
{
    if (!s->who || (n->where == SIM_AT_SHARED && !of_block(n, s))) return true;
    return rg__sim_ordered(n->run, n->b, n->w, n->lane, s);
}

static void who_else(const struct now *n, const struct sim_stamp *s, const char *what, char *out, size_t size)
{
    const struct sim_run *run = n->run;
    int64_t warp = (s->who - 1) >> 5, block = warp / run->n_warps, t = warp % run->n_warps * 32 + (s->who - 1) % 32;
    int line = run->k->code[s->pc & ~SIM_STRONG].line, at = 0;
    at = snprintf(out, size, "the %s", what);
    if (line) at += snprintf(out + at, size - (size_t)at, " at line %d", line);
    at += snprintf(out + at, size - (size_t)at, " by thread (%lld,%lld,%lld)", (long long)(t % run->block[0]),
                   (long long)(t / run->block[0] % run->block[1]), (long long)(t / run->block[0] / run->block[1]));
    if (block != n->b->number)
        snprintf(out + at, size - (size_t)at, " of block (%lld,%lld,%lld)", (long long)(block % run->grid[0]),
                 (long long)(block / run->grid[0] % run->grid[1]), (long long)(block / run->grid[0] / run->grid[1]));
}

/* What would have ordered the two. Where the other thread waits at a barrier meanwhile, that one was passed by, or
 * comes too late. */
static const char *missing(const struct now *n, const struct sim_stamp *s, char *text, size_t size)
{
    if (of_block(n, s)) {
        const struct sim_warp *other = &n->b->warps[(int64_t)((s->who - 1) >> 5) - n->b->number * n->run->n_warps];
        int line = other != n->w && other->state == SIM_WARP_AT_BARRIER ? n->run->k->code[other->splits[0].pc].line : 0;
        if (line) {
            snprintf(text, size,
                     "no __syncthreads between them: the other thread waits at the one of line %d, which this thread "
                     "skipped or has not reached",
                     line);
            return text;
        }
    }
    if (!of_block(n, s)) return "no fence and atomic, or a new launch, between them";
    return (int64_t)((s->who - 1) >> 5) == n->b->number * n->run->n_warps + n->w->index
               ? (n->run->n_warps > 1 ? "no __syncthreads or __syncwarp between them" : "no __syncwarp between them")
               : "no __syncthreads between them";
}

/* false always. */
static bool race(const struct now *n, const char *mine, const struct sim_stamp *s, const char *theirs)
{
    char place[120], other[160], between[160];
    rg__sim_check_place(n->run, n->where, n->addr, place, sizeof place);
    who_else(n, s, theirs, other, sizeof other);
    return rg__sim_fault(n->run, n->b, n->w, n->lane, n->in, RG_OUTCOME_RACE,
                         "race: %s of %d bytes at %s against %s, %s", mine, n->bytes, place, other,
                         missing(n, s, between, sizeof between));
}

/* A plain read against an atomic: an error unless its instruction turns out to begin an atomic sequence. */
static void perhaps(const struct now *n, const char *mine, const struct sim_stamp *s, const char *theirs,
                    int32_t read_pc)
{
    struct sim_check *c = n->run->check;
    if (c->excused[read_pc] || c->n_pending == SIM_MAX_PENDING || n->run->fault->outcome != RG_OUTCOME_OK) return;
    for (int i = 0; i < c->n_pending; i++)
        if (c->pending[i].pc == read_pc) return;
    race(n, mine, s, theirs);
    c->pending[c->n_pending++] = (struct sim_pending){read_pc, *n->run->fault};
    memset(n->run->fault, 0, sizeof *n->run->fault);
}

static void note_read(const struct now *n, struct sim_cell *cell, struct sim_stamp me)
{
    struct sim_stamp *last = &cell->read[0], *other = &cell->read[1];
    if (last->who && last->who != me.who &&
        ((last->who - 1) >> 5 != (me.who - 1) >> 5 || !other->who || fine(n, other)))
        *other = *last;
    *last = me;
}

static bool copying(const struct now *n, const char *mine)
{
    char place[120];
    rg__sim_check_place(n->run, n->where, n->addr, place, sizeof place);
    int line = 0, lane = -1;
    for (int i = 0; i < n->run->n_warps; i++) {
        const struct sim_warp_check *c = &n->b->check->warps[i];
        for (int k = 0; k < c->n_copies; k++)
            if (n->addr + (uint64_t)n->bytes > c->copies[k].offset &&
                n->addr < c->copies[k].offset + (uint64_t)c->copies[k].bytes)
                line = n->run->k->code[c->copies[k].pc].line, lane = i * 32 + c->copies[k].lane;
    }
    return rg__sim_fault(n->run, n->b, n->w, n->lane, n->in, RG_OUTCOME_RACE,
                         "%s of %d bytes at %s, which the cp.async at line %d of thread number %d is still writing: no "
                         "cp.async wait_group for it",
                         mine, n->bytes, place, line, lane);
}

static bool granule(const struct now *n, struct sim_cell *cell, enum sim_access kind, bool strong)
{
    const char *const mine = kind == SIM_READS ? "read" : kind == SIM_WRITES ? "write" : "atomic";
    struct sim_stamp me = {(uint32_t)((n->b->number * n->run->n_warps + n->w->index) * 32 + n->lane) + 1,
                           n->w->check->clock, (int32_t)(n->in - n->run->k->code) | (strong ? SIM_STRONG : 0)};
    if (cell->copying && n->where == SIM_AT_SHARED) return copying(n, mine);
    bool strong_write = cell->write.pc & SIM_STRONG;
    if (!(strong && strong_write) && !fine(n, &cell->write)) {
        if (kind == SIM_READS && strong_write)
            perhaps(n, mine, &cell->write, "atomic or volatile write", me.pc);
        else
            return race(n, mine, &cell->write, strong_write ? "atomic or volatile write" : "write");
    }
    if (kind == SIM_READS) {
        note_read(n, cell, me);
        return true;
    }
    for (int i = 0; i < 2; i++) {
        const struct sim_stamp *r = &cell->read[i];
        if ((strong && r->pc & SIM_STRONG) || fine(n, r)) continue;
        if (strong)
            perhaps(n, mine, r, "read", r->pc & ~SIM_STRONG);
        else
            return race(n, mine, r, "read");
    }
    *cell = (struct sim_cell){.write = me};
    return true;
}

static void remember(struct sim_warp_check *c, int lane, uint64_t addr, int32_t pc)
{
    int i = c->next_recent[lane]++ % SIM_RECENT;
    c->recent[lane][i].addr = addr;
    c->recent[lane][i].pc = pc;
}

bool rg__sim_check_access(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                          int lane, enum sim_where where, uint64_t addr, int bytes, enum sim_access kind, bool silent)
{
    struct sim_check *c = run->check;
    if (where == SIM_AT_LOCAL || c->off) return true;
    if (--c->left < 0) {
        c->off = true;
        return true;
    }
    uint64_t name = where == SIM_AT_SHARED ? addr + SIM_SHARED_BASE : addr;
    bool strong = kind == SIM_UPDATES || in->flags & SIM_F_ORDERED;
    if (strong && kind != SIM_WRITES) rg__sim_check_take(run, b, w, name);
    if (kind == SIM_UPDATES)
        for (int i = 0; i < SIM_RECENT; i++)
            if (w->check->recent[lane][i].addr == name) c->excused[w->check->recent[lane][i].pc] = 1;
    if (kind == SIM_READS && !strong) remember(w->check, lane, name, (int32_t)(in - run->k->code));
    struct now n = {run, b, w, in, lane, where, addr, bytes};
    for (int at = 0; at < bytes && !(silent && !strong); at += c->granule) {
        uint64_t a = addr + (uint64_t)at;
        struct sim_cell *cell =
            where == SIM_AT_SHARED ? &b->check->cells[a / (uint64_t)c->granule] : global_cell(run, a);
        if (!cell) return true;
        if (!granule(&n, cell, kind, strong)) return false;
    }
    if (strong && kind != SIM_READS) rg__sim_check_publish(run, b, w, in, name);
    return true;
}

/* ---- cp.async ---- */

bool rg__sim_check_copy(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                        int lane, uint32_t offset, int bytes)
{
    if (!rg__sim_check_access(run, b, w, in, lane, SIM_AT_SHARED, offset, bytes, SIM_WRITES, false)) return false;
    struct sim_warp_check *c = w->check;
    if (run->check->off) return true;
    for (int at = 0; at < bytes; at += run->check->granule)
        b->check->cells[(offset + (uint32_t)at) / (uint32_t)run->check->granule].copying = true;
    RG_GROW(c->copies, c->n_copies, c->cap_copies);
    c->copies[c->n_copies++] =
        (struct sim_copy){offset, c->committed[lane], (uint8_t)bytes, (uint8_t)lane, (int32_t)(in - run->k->code)};
    return true;
}

void rg__sim_check_copies(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                          uint32_t mask)
{
    struct sim_warp_check *c = w->check;
    if (in->x == 1) {
        for (uint32_t left = mask; left; left &= left - 1) c->committed[__builtin_ctz(left)]++;
        return;
    }
    bool all = in->flags & SIM_F_ALL_COPIES; /* wait_all: also what is in no group yet */
    int kept = 0;
    for (int i = 0; i < c->n_copies; i++) {
        struct sim_copy *x = &c->copies[i];
        bool waits = mask >> x->lane & 1, over = all || (uint16_t)(c->committed[x->lane] - x->group) > in->y;
        if (!waits || !over) {
            c->copies[kept++] = *x;
            continue;
        }
        /* It is there now: as if the thread had written it here. */
        uint32_t who = (uint32_t)((b->number * run->n_warps + w->index) * 32 + x->lane) + 1;
        for (int at = 0; at < x->bytes; at += run->check->granule)
            b->check->cells[(x->offset + (uint32_t)at) / (uint32_t)run->check->granule] =
                (struct sim_cell){.write = {who, c->clock, x->pc}};
    }
    c->n_copies = kept;
}
