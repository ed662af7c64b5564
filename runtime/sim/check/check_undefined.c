/* Undefined values: which bytes of memory nobody wrote, which registers hold what came from there, and where that
 * decides something. */
#include "runtime/sim/calls.h"
#include "runtime/sim/check/check.h"
#include "runtime/sim/arith/mma.h"
#include "runtime/sim/lower/instruction_schedule.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ORIGINS = 1 << 16 };
const char rg__sim_stored[] = "is stored as a result";

static struct sim_buffer *unset(const struct sim_run *run, uint64_t addr)
{
    if (!run->memory->n_undefined) return NULL;
    struct sim_buffer *b = rg__sim_check_buffer(run, addr);
    return b && b->undefined ? b : NULL;
}

static bool padding(const struct sim_buffer *b, uint64_t addr, int bytes)
{
    if (!b->member) return false;
    for (int i = 0; i < bytes; i++)
        if (b->member[(int64_t)(addr - b->addr + (uint64_t)i) % b->element]) return false;
    return true;
}

bool rg__sim_may_hold(const struct sim_run *run, enum sim_where where, uint64_t addr, int bytes)
{
    const struct sim_buffer *b = where == SIM_AT_GLOBAL ? rg__sim_check_buffer(run, addr) : NULL;
    return where != SIM_AT_GLOBAL || (b && (b->scratch || padding(b, addr, bytes)));
}

bool rg__sim_came_from(const struct sim_run *run, const struct sim_warp *w, int32_t slot, uint64_t addr)
{
    const struct sim_origin *o = &run->check->origins[w->check->origin[slot / 4]];
    return o->cause == SIM_UNSET_MEMORY && o->where == SIM_AT_GLOBAL &&
           rg__sim_check_buffer(run, o->addr) == rg__sim_check_buffer(run, addr);
}

static uint8_t *bytes_of(const struct sim_run *run, const struct sim_block *b, const struct sim_warp *w, int lane,
                         enum sim_where where, uint64_t addr)
{
    return where == SIM_AT_SHARED ? b->check->defined + addr
                                  : w->check->local + (uint64_t)lane * (uint64_t)run->k->local_bytes + addr;
}

bool rg__sim_undefined(const struct sim_run *run, const struct sim_block *b, const struct sim_warp *w, int lane,
                       enum sim_where where, uint64_t addr, int bytes)
{
    if (run->check->off) return false;
    if (where == SIM_AT_GLOBAL) {
        const struct sim_buffer *u = unset(run, addr);
        bool any = false;
        for (uint64_t i = addr - (u ? u->addr : 0), end = i + (uint64_t)bytes; u && i < end; i++)
            any |= !(u->undefined[i / 8] >> (i % 8) & 1);
        return u && !any;
    }
    const uint8_t *p = bytes_of(run, b, w, lane, where, addr);
    for (int i = 0; i < bytes; i++)
        if (p[i]) return false;
    return true;
}

void rg__sim_define(struct sim_run *run, struct sim_block *b, struct sim_warp *w, int lane, enum sim_where where,
                    uint64_t addr, int bytes, bool defined)
{
    if (run->check->off) return;
    if (where != SIM_AT_GLOBAL) {
        memset(bytes_of(run, b, w, lane, where, addr), defined, (size_t)bytes);
        return;
    }
    struct sim_buffer *u = unset(run, addr);
    for (uint64_t i = addr - (u ? u->addr : 0), end = i + (uint64_t)bytes; u && i < end; i++) {
        if (defined)
            u->undefined[i / 8] &= (uint8_t) ~(1u << (i % 8));
        else
            u->undefined[i / 8] |= (uint8_t)(1u << (i % 8));
    }
}

static void set(struct sim_warp *w, int32_t slot, uint32_t mask, uint32_t lanes, uint32_t origin)
{
    if (slot < 0) return;
    uint32_t *t = &w->check->taint[slot / 4], now = (*t & ~mask) | (lanes & mask);
    w->tainted += (now != 0) - (*t != 0);
    *t = now;
    if (lanes & mask) w->check->origin[slot / 4] = origin;
}

void rg__sim_taint(struct sim_run *run, struct sim_warp *w, int32_t slot, uint32_t lanes, struct sim_origin origin)
{
    struct sim_check *c = run->check;
    int i = c->n_origins - 1; /* loops come back to the same places */
    for (int left = 16; i >= 0 && left && c->origins[i].pc != origin.pc; left--) i--;
    if (i < 0 || c->origins[i].pc != origin.pc) {
        if (c->n_origins == MAX_ORIGINS)
            i = c->n_origins - 1;
        else {
            RG_GROW(c->origins, c->n_origins, c->cap_origins);
            c->origins[i = c->n_origins++] = origin;
        }
    }
    set(w, slot, lanes, lanes, (uint32_t)i);
}

/* Kept until the end of the launch. */
static void keep(struct sim_run *run)
{
    if (run->check->undefined.outcome == RG_OUTCOME_OK) run->check->undefined = *run->fault;
    memset(run->fault, 0, sizeof *run->fault);
}

void rg__sim_used(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in, int32_t slot,
                  uint32_t lanes, const char *how)
{
    const struct sim_origin *o = &run->check->origins[w->check->origin[slot / 4]];
    set(w, slot, lanes, 0, 0);
    run->check->steers |= how != rg__sim_stored;
    if (run->check->undefined.outcome != RG_OUTCOME_OK) return;
    char place[120], line[40] = "";
    const struct sim_inst *at = &run->k->code[o->pc];
    rg__sim_check_place(run, o->where, o->addr, place, sizeof place);
    if (in->line && in->line != at->line) snprintf(line, sizeof line, " at line %d", in->line);
    if (o->cause == SIM_INACTIVE_LANE)
        rg__sim_fault(run, b, w, __builtin_ctz(lanes), at, RG_OUTCOME_RACE,
                      "a shuffle takes a value from lane %d, which is not active, and the value %s%s", (int)o->addr,
                      how, line);
    else
        rg__sim_fault(run, b, w, __builtin_ctz(lanes), at, RG_OUTCOME_WRONG,
                      "uninitialised: %s was never written; the value read there %s%s", place, how, line);
    keep(run);
}

void rg__sim_unset_atomic(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                          int lane, enum sim_where where, uint64_t addr)
{
    char place[120];
    rg__sim_check_place(run, where, addr, place, sizeof place);
    rg__sim_fault(run, b, w, lane, in, RG_OUTCOME_WRONG, "uninitialised: an atomic on %s, which was never written",
                  place);
    keep(run);
}

struct uses {
    const struct sim_warp *w;
    uint32_t lanes, origin, mask;
};
static void collect(void *arg, int32_t *o, bool is_def)
{
    struct uses *u = arg;
    if (is_def || *o < 0) return;
    uint32_t t = u->w->check->taint[*o / 4] & u->mask;
    if (t & ~u->lanes) u->origin = u->w->check->origin[*o / 4];
    u->lanes |= t;
}
struct defs {
    struct sim_warp *w;
    uint32_t lanes, origin, mask;
};
static void spread(void *arg, int32_t *o, bool is_def)
{
    struct defs *d = arg;
    if (is_def) set(d->w, *o, d->mask, d->lanes, d->origin);
}

static void results(struct sim_run *run, struct sim_warp *w, const struct sim_inst *in, uint32_t mask, uint32_t lanes,
                    uint32_t origin)
{
    struct defs d = {w, lanes, origin, mask};
    struct sim_inst copy = *in;
    rg__sim_visit((struct sim_kernel *)(uintptr_t)run->k, &copy, spread, &d);
}

static uint32_t first_origin(const struct sim_warp *w, const int32_t *slots, int n, uint32_t lanes)
{
    for (int i = 0; i < n; i++)
        if (sim_tainted(w, slots[i]) & lanes) return w->check->origin[slots[i] / 4];
    return 0;
}

void rg__sim_track(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                   uint32_t mask)
{
    if (run->check->off) {
        memset(w->check->taint, 0, sizeof(uint32_t) * ((size_t)run->k->frame_bytes / 4 + 64));
        w->tainted = 0;
        return;
    }
    uint32_t t;
#define DECIDES(slot, how)                                                                                             \
    if ((t = sim_tainted(w, slot) & mask)) rg__sim_used(run, b, w, in, slot, t, how)
    switch (in->op) {
    case SIM_BB:
    case SIM_BRA:
    case SIM_EXIT:
    case SIM_TRAP:
    case SIM_BAR:
    case SIM_WARPSYNC:
    case SIM_FENCE:
    case SIM_MARK:
    case SIM_SHFL:
    case SIM_VOTE:
    case SIM_MATCH:
    case SIM_REDUX:
    case SIM_ELECT:
    case SIM_MMA:
    case SIM_WMMA:
    case SIM_LDMATRIX:
    case SIM_SAVE:
    case SIM_RESTORE:
    case SIM_CALL:
    case SIM_RET:
    case SIM_PASS:
        return;
    case SIM_BRAP:
        DECIDES(in->a, "decides a branch");
        return;
    case SIM_LDG:
    case SIM_LDG32:
    case SIM_LDS:
    case SIM_LDS32:
    case SIM_LDL:
    case SIM_LDX:
    case SIM_WMMALD:
        DECIDES(in->a, "is the address of a load");
        results(run, w, in, mask, 0, 0);
        return;
    case SIM_STG:
    case SIM_STG32:
    case SIM_STS:
    case SIM_STS32:
    case SIM_STL:
    case SIM_STX:
    case SIM_WMMAST:
        DECIDES(in->a, "is the address of a store");
        return;
    case SIM_ATOM:
        DECIDES(in->a, "is the address of an atomic");
        DECIDES(in->b, "goes into an atomic");
        DECIDES(in->c, "goes into an atomic");
        results(run, w, in, mask, 0, 0);
        return;
    case SIM_CPASYNC:
        DECIDES(in->a, "is the address of a copy");
        DECIDES(in->b, "is the address of a copy");
        DECIDES(in->c, "is the size of a copy");
        return;
    case SIM_SEL32:
    case SIM_SEL64:
    case SIM_PSEL: { /* what is not chosen does not matter */
        uint32_t p = *sim_u32(w, in->c),
                 lanes = sim_tainted(w, in->c) | (p & sim_tainted(w, in->a)) | (~p & sim_tainted(w, in->b));
        set(w, in->d, mask, lanes, first_origin(w, (const int32_t[]){in->c, in->a, in->b}, 3, lanes & mask));
        return;
    }
    case SIM_PAND:
    case SIM_POR: {
        uint32_t a = *sim_u32(w, in->a), c = *sim_u32(w, in->b), ta = sim_tainted(w, in->a), tc = sim_tainted(w, in->b);
        uint32_t decided = in->op == SIM_PAND ? (~ta & ~a) | (~tc & ~c) : (~ta & a) | (~tc & c),
                 lanes = (ta | tc) & ~decided;
        set(w, in->d, mask, lanes, first_origin(w, (const int32_t[]){in->a, in->b}, 2, lanes & mask));
        return;
    }
    default: {
        struct uses u = {w, 0, 0, mask};
        struct sim_inst copy = *in;
        rg__sim_visit((struct sim_kernel *)(uintptr_t)run->k, &copy, collect, &u);
        results(run, w, in, mask, u.lanes, u.origin);
        return;
    }
    }
#undef DECIDES
}

void rg__sim_track_saved(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                         uint32_t mask)
{
    const struct sim_call *c = &run->k->calls[in->p];
    uint64_t at = (uint64_t)c->save;
    for (int v = 0; v < c->n; v++) {
        int32_t slot = run->k->aux[c->aux + v];
        int bytes = v < c->n64 ? 8 : 4;
        uint32_t tainted = sim_tainted(w, slot) & mask, now = 0, origin = 0;
        for (uint32_t left = mask; left; left &= left - 1) {
            int i = __builtin_ctz(left);
            uint64_t addr = sim_u32(w, in->a)[i] + at;
            if (in->op == SIM_SAVE) {
                rg__sim_define(run, b, w, i, SIM_AT_LOCAL, addr, bytes, !(tainted >> i & 1));
                if (tainted >> i & 1) w->check->saved[addr / 4] = w->check->origin[slot / 4];
            } else if (rg__sim_undefined(run, b, w, i, SIM_AT_LOCAL, addr, bytes)) {
                now |= (uint32_t)1 << i;
                origin = w->check->saved[addr / 4];
            }
        }
        if (in->op == SIM_RESTORE && (w->tainted || now)) set(w, slot, mask, now, origin);
        at += (uint64_t)bytes;
    }
}

/* ---- exchanges ---- */

static void track_shfl(struct sim_run *run, struct sim_warp *w, const struct sim_inst *in, uint32_t mask)
{
    const uint32_t *from = sim_u32(w, in->b), *clamp = sim_u32(w, in->c);
    uint32_t lanes = 0, t = sim_tainted(w, in->a), origin = t ? w->check->origin[in->a / 4] : 0;
    int lost = -1;
    for (uint32_t left = mask; left; left &= left - 1) {
        int i = __builtin_ctz(left), j = rg__sim_shfl_source(in->x, i, from[i], clamp[i]) & 31;
        if (!(mask >> j & 1)) lost = j;
        if (!(mask >> j & 1) || t >> j & 1) lanes |= (uint32_t)1 << i;
    }
    if (w->tainted || lanes) set(w, in->d, mask, lanes, origin);
    if (w->tainted && in->p >= 0) set(w, in->p, mask, 0, 0);
    if (lost < 0) return;
    uint32_t bad = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        if (!(mask >> (rg__sim_shfl_source(in->x, i, from[i], clamp[i]) & 31) & 1)) bad |= (uint32_t)1 << i;
    }
    rg__sim_taint(run, w, in->d, bad,
                  (struct sim_origin){SIM_INACTIVE_LANE, (int32_t)(in - run->k->code), SIM_AT_LOCAL, (uint64_t)lost});
}

/* Which results of a matrix product depend on undefined elements: run it with those as NaN and everything else as
 * nought, bytes (which have no NaN) with those as 64 and everything else as 1. */
static void track_matrix(struct sim_run *run, struct sim_warp *w, const struct sim_inst *in)
{
    const int32_t *regs = run->k->aux + in->e;
    int nd = in->y, ns = in->x;
    uint32_t any = 0, origin = 0;
    for (int i = 0; i < ns; i++)
        if (sim_tainted(w, regs[nd + i]))
            any |= sim_tainted(w, regs[nd + i]), origin = w->check->origin[regs[nd + i] / 4];
    if (!any) {
        if (w->tainted) results(run, w, in, 0xffffffffu, 0, 0);
        return;
    }
    enum { REG = 256 };
    char *kept = rg_xmalloc((size_t)(nd + ns) * REG);
    for (int i = 0; i < nd + ns; i++) memcpy(kept + (size_t)i * REG, w->frame + regs[i], REG);
    int ab = in->op == SIM_MMA ? rg__sim_mma_get((int)in->imm)->ab : SIM_WMMA_TYPE(in->imm),
        k = in->op == SIM_MMA ? rg__sim_mma_get((int)in->imm)->k : SIM_WMMA_K(in->imm);
    bool wide = ab == PTX_F64, whole = ab == PTX_S8 || ab == PTX_U8;
    uint32_t lanes[64] = {0};
    for (int i = 0; i < ns; i++)
        for (int l = 0; l < 32; l++) {
            bool bad = sim_tainted(w, regs[nd + i]) >> l & 1;
            if (whole)
                sim_u32(w, regs[nd + i])[l] = i >= ns - nd ? bad : bad ? 0x40404040u : 0x01010101u;
            else if (wide)
                sim_u64(w, regs[nd + i])[l] = bad ? ~(uint64_t)0 : 0;
            else
                sim_u32(w, regs[nd + i])[l] = bad ? ~0u : 0;
        }
    if (in->op == SIM_MMA)
        rg__sim_mma_run((int)in->imm, w->frame, regs);
    else
        rg__sim_wmma_run(w->frame, in, regs);
    for (int i = 0; i < nd && i < 64; i++)
        for (int l = 0; l < 32; l++)
            if (wide ? sim_u64(w, regs[i])[l] != 0 : sim_u32(w, regs[i])[l] != (whole ? (uint32_t)k : 0))
                lanes[i] |= (uint32_t)1 << l;
    for (int i = nd + ns - 1; i >= 0; i--) memcpy(w->frame + regs[i], kept + (size_t)i * REG, REG);
    for (int i = 0; i < nd && i < 64; i++) set(w, regs[i], 0xffffffffu, lanes[i], origin);
    free(kept);
}

bool rg__sim_track_exchange(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                            uint32_t mask)
{
    if (run->check->off) return true;
    int32_t members = in->op == SIM_SHFL ? in->e : in->op == SIM_ELECT || in->op == SIM_WARPSYNC ? in->a : in->b;
    switch (in->op) {
    case SIM_SHFL:
    case SIM_ELECT:
    case SIM_WARPSYNC:
    case SIM_VOTE:
    case SIM_MATCH:
    case SIM_REDUX:
        for (uint32_t left = members >= 0 ? mask : 0; left; left &= left - 1)
            if (!(sim_u32(w, members)[__builtin_ctz(left)] >> __builtin_ctz(left) & 1))
                return rg__sim_fault(run, b, w, __builtin_ctz(left), in, RG_OUTCOME_RACE,
                                     "a thread takes part in an exchange whose mask 0x%08x does not name it (lane %d)",
                                     sim_u32(w, members)[__builtin_ctz(left)], __builtin_ctz(left));
        break;
    default:
        break;
    }
    switch (in->op) {
    case SIM_SHFL:
        track_shfl(run, w, in, mask);
        return true;
    case SIM_WARPSYNC:
        rg__sim_check_meet(run, b, w, in, mask);
        return true;
    case SIM_MMA:
    case SIM_WMMA:
        track_matrix(run, w, in);
        return true;
    default:
        break;
    }
    if (!w->tainted) return true;
    uint32_t t = sim_tainted(w, in->a) & mask; /* one decides for all of them */
    if (in->op == SIM_LDMATRIX && t) rg__sim_used(run, b, w, in, in->a, t, "is the address of a load");
    results(run, w, in, mask, in->op != SIM_LDMATRIX && t ? mask : 0, t ? w->check->origin[in->a / 4] : 0);
    return true;
}
