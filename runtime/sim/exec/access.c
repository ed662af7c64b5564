/* Memory instructions in general: addresses of every lane, bounds and alignment, the transfer itself. What they learn
 * about a site lets exec.inc skip all of it next time. */
#include "runtime/sim/calls.h"
#include "runtime/sim/check/check.h"
#include "runtime/sim/arith/atomic.h"
#include "runtime/sim/arith/mma.h"
#include <stdio.h>
#include <string.h>

struct access {
    struct sim_run *run;
    struct sim_block *b;
    struct sim_warp *w;
    const struct sim_inst *in;
    uint32_t mask;
    enum sim_where where;
    int bytes; /* of a lane, all elements */
    bool store;
    bool missing; /* lenient: some lanes have no place; they are cleared from mask */
    bool quiet;   /* counted with an access before it */
    uint64_t a[32];
    char *host[32];
};

static const char *verb(const struct access *x)
{
    return x->in->op == SIM_ATOM ? "atomic" : x->store ? "write" : "read";
}

/* Of a stack, a thread has what it uses. */
static uint64_t local_end(const struct access *x, int lane)
{
    return x->run->k->n_bodies && sim_checking(x->run) ? rg__sim_stack_in_use(x->run, x->w, x->in, lane)
                                                       : (uint64_t)x->run->k->local_bytes;
}

static bool out_of_bounds(struct access *x, int lane)
{
    uint64_t a = x->a[lane];
    if (x->run->lenient) {
        x->mask &= ~((uint32_t)1 << lane);
        x->missing = true;
        return true;
    }
    if (x->where == SIM_AT_SHARED)
        return rg__sim_fault(x->run, x->b, x->w, lane, x->in, RG_OUTCOME_BOUNDS,
                             "%s of %d bytes at offset %lld of shared memory, which has %lld", verb(x), x->bytes,
                             (long long)(int64_t)(int32_t)a, (long long)x->run->shared_bytes);
    if (x->where == SIM_AT_LOCAL)
        return rg__sim_fault(x->run, x->b, x->w, lane, x->in, RG_OUTCOME_BOUNDS,
                             "%s of %d bytes at offset %lld of local memory, which has %lld", verb(x), x->bytes,
                             (long long)a, (long long)local_end(x, lane));
    bool inside;
    const struct sim_buffer *buf = rg__sim_find(x->run->memory, a, &inside);
    if (buf && inside && buf->is_const && x->store)
        return rg__sim_fault(x->run, x->b, x->w, lane, x->in, RG_OUTCOME_BOUNDS, "%s of constant '%s'", verb(x),
                             buf->name);
    if (buf) {
        int64_t offset = (int64_t)(a - buf->addr);
        char index[40] = ""; /* of a single element, as the kernel's author counts */
        if (x->bytes <= 8 && offset >= 0 && offset % x->bytes == 0)
            snprintf(index, sizeof index, " (index %lld)", (long long)(offset / x->bytes));
        return rg__sim_fault(x->run, x->b, x->w, lane, x->in, RG_OUTCOME_BOUNDS,
                             "%s of %d bytes at offset %lld of '%s', which has %lld bytes%s", verb(x), x->bytes,
                             (long long)offset, buf->name, (long long)buf->bytes, index);
    }
    /* Far from everything: most likely an index into the nearest buffer gone wrong. */
    const struct sim_buffer *near = NULL;
    for (int i = 0; i < x->run->memory->n; i++) {
        const struct sim_buffer *c = x->run->memory->buffers[i];
        if (!near || (c->addr > a ? c->addr - a : a - c->addr) < (near->addr > a ? near->addr - a : a - near->addr))
            near = c;
    }
    if (near && a >> 32 != 0)
        return rg__sim_fault(x->run, x->b, x->w, lane, x->in, RG_OUTCOME_BOUNDS,
                             "%s of %d bytes outside of all buffers, at offset %lld of '%s', which has %lld bytes",
                             verb(x), x->bytes, (long long)(a - near->addr), near->name, (long long)near->bytes);
    return rg__sim_fault(x->run, x->b, x->w, lane, x->in, RG_OUTCOME_BOUNDS,
                         "%s of %d bytes at address 0x%llx (null pointer)", verb(x), x->bytes, (unsigned long long)a);
}

static bool misaligned(struct access *x, int lane, int align)
{
    if (x->run->lenient) {
        x->mask &= ~((uint32_t)1 << lane);
        x->missing = true;
        return true;
    }
    return rg__sim_fault(x->run, x->b, x->w, lane, x->in, RG_OUTCOME_CRASH,
                         "%s of %d bytes at a misaligned address (0x%llx)", verb(x), align,
                         (unsigned long long)x->a[lane]);
}

/* Generic addresses to one space; lanes in another wait in *rest. */
static uint32_t choose_space(struct access *x)
{
    uint32_t shared = 0, local = 0;
    for (uint32_t left = x->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        if (x->a[i] >= SIM_SHARED_BASE && x->a[i] < SIM_SHARED_TOP)
            shared |= (uint32_t)1 << i;
        else if (x->a[i] >= SIM_LOCAL_BASE && x->a[i] < SIM_LOCAL_TOP)
            local |= (uint32_t)1 << i;
    }
    uint32_t take = shared ? shared : local ? local : x->mask, rest = x->mask & ~take;
    x->where = shared ? SIM_AT_SHARED : local ? SIM_AT_LOCAL : SIM_AT_GLOBAL;
    uint64_t base = shared ? SIM_SHARED_BASE : local ? SIM_LOCAL_BASE : 0;
    for (uint32_t left = take; left; left &= left - 1) x->a[__builtin_ctz(left)] -= base;
    x->mask = take;
    return rest;
}

static void learn(struct access *x, uint64_t lo, uint64_t hi, int index)
{
    struct sim_site *s = &x->run->sites[x->in->p];
    if (sim_checking(x->run)) return; /* every access comes here */
    uint32_t mask = x->mask;
    int first = __builtin_ctz(mask);
    s->mask = mask;
    s->first = first;
    s->same = false;
    bool uniform = true, unit = x->in->y == 1;
    int64_t dmin = 0, dmax = 0;
    for (int i = 0; i < 32; i++) {
        bool on = mask >> i & 1;
        int64_t d = on ? (int64_t)(x->a[i] - x->a[first]) : 0;
        s->delta[i] = (uint64_t)d;
        s->care[i] = on ? ~(uint64_t)0 : 0;
        s->delta32[i] = (uint32_t)d;
        s->care32[i] = on ? ~0u : 0;
        if (!on) continue;
        if (d) uniform = false;
        if (d != (int64_t)(i - first) * x->bytes) unit = false;
        if (d < dmin) dmin = d;
        if (d > dmax) dmax = d;
    }
    s->kind = uniform ? SIM_UNIFORM : unit ? SIM_UNIT : SIM_SCATTERED;
    s->buffer_lo = lo;
    s->buffer_hi = hi;
    s->buffer_index = index;
    s->lo = lo - (uint64_t)dmin;
    uint64_t need = (uint64_t)(dmax - dmin) + (uint64_t)x->bytes;
    s->room = hi - lo >= need ? hi - lo - need : 0;
    if (hi - lo < need) s->mask = 0;
    /* The fast path must not see misaligned addresses: it only tests the first, so all deltas must keep alignment. */
    s->align = (uint64_t)(x->bytes & -x->bytes) - 1;
}

/* Places of all lanes; false after a fault. align: power of two every address must be a multiple of. */
static bool locate(struct access *x, int align)
{
    struct sim_run *run = x->run;
    const struct sim_inst *in = x->in;
    struct sim_site *s = &run->sites[in->p];
    uint64_t lo, hi;
    int index = -1;
    char *base;
    s->misses++;
    if (x->where == SIM_AT_GLOBAL) {
        int first = __builtin_ctz(x->mask);
        bool inside = x->a[first] - s->buffer_lo < s->buffer_hi - s->buffer_lo && s->buffer_index >= 0 && s->buffer_hi;
        lo = s->buffer_lo;
        hi = s->buffer_hi;
        index = s->buffer_index;
        if (!inside) {
            lo = hi = 0;
            for (uint32_t left = x->mask; left && !inside; left &= left - 1) {
                const struct sim_buffer *b = rg__sim_find(run->memory, x->a[__builtin_ctz(left)], &inside);
                if (inside && b->is_const && x->store) inside = false;
                if (inside)
                    lo = b->addr, hi = b->addr + b->bytes, index = b->index;
                else if (!run->lenient)
                    return out_of_bounds(x, __builtin_ctz(left));
            }
        }
        base = sim_host(run->memory, lo);
    } else {
        lo = 0;
        hi = (uint64_t)(x->where == SIM_AT_SHARED ? run->shared_bytes : run->k->local_bytes);
        base = x->where == SIM_AT_SHARED ? x->b->shared : x->w->local;
    }
    const bool stack = x->where == SIM_AT_LOCAL && run->k->n_bodies && sim_checking(run);
    for (uint32_t left = x->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        uint64_t a = x->a[i];
        char *h = base + (a - lo);
        if (stack) hi = local_end(x, i);
        if (a & (uint64_t)(align - 1)) {
            if (!misaligned(x, i, align)) return false;
            continue;
        }
        if (a - lo >= hi - lo || hi - a < (uint64_t)x->bytes || a < lo) {
            bool inside = false;
            const struct sim_buffer *b = x->where == SIM_AT_GLOBAL ? rg__sim_find(run->memory, a, &inside) : NULL;
            if (!inside || b->addr + b->bytes - a < (uint64_t)x->bytes || (b->is_const && x->store)) {
                if (!out_of_bounds(x, i)) return false;
                continue;
            }
            h = sim_host(run->memory, a); /* a pointer of another buffer */
            index = -1;
        }
        x->host[i] = h;
    }
    if (!x->mask) return true;
    if (!x->missing) {
        if (index >= 0 || x->where != SIM_AT_GLOBAL) learn(x, lo, hi, index);
        if (run->estimating && !x->quiet) {
            if (index < 0 && x->where == SIM_AT_GLOBAL) learn(x, lo, hi, -1), s->mask = 0;
            rg__sim_note(run, x->b, x->w, in, s, x->a[__builtin_ctz(x->mask)]);
            if (index < 0 && x->where == SIM_AT_GLOBAL) s->mask = 0;
        }
    }
    return true;
}

static enum sim_where space_of(int op)
{
    switch (op) {
    case SIM_LDS:
    case SIM_STS:
    case SIM_LDS32:
    case SIM_STS32:
    case SIM_LDMATRIX:
        return SIM_AT_SHARED;
    case SIM_LDL:
    case SIM_STL:
        return SIM_AT_LOCAL;
    default:
        return SIM_AT_GLOBAL;
    }
}

static void addresses(struct access *x, int32_t reg, bool narrow)
{
    uint64_t off = (uint64_t)x->in->imm;
    for (uint32_t left = x->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        x->a[i] = narrow ? (uint32_t)(sim_u32(x->w, reg)[i] + (uint32_t)off) : sim_u64(x->w, reg)[i] + off;
    }
}

/* Local memory lies as on the device: word w of all lanes of a warp side by side. */
static char *local_word(const struct sim_warp *w, int lane, uint64_t off)
{
    return w->local + off / 4 * 128 + (size_t)lane * 4 + off % 4;
}

static void local_read(const struct access *x, int lane, uint64_t off, char *to, int bytes)
{
    for (int done = 0; done < bytes;) {
        int n = bytes - done < 4 - (int)(off % 4) ? bytes - done : 4 - (int)(off % 4);
        memcpy(to + done, local_word(x->w, lane, off), (size_t)n);
        done += n;
        off += (uint64_t)n;
    }
}
static void local_write(const struct access *x, int lane, uint64_t off, const char *from, int bytes)
{
    for (int done = 0; done < bytes;) {
        int n = bytes - done < 4 - (int)(off % 4) ? bytes - done : 4 - (int)(off % 4);
        memcpy(local_word(x->w, lane, off), from + done, (size_t)n);
        done += n;
        off += (uint64_t)n;
    }
}

static void load_lane(const struct access *x, int i, const char *from)
{
    const struct sim_inst *in = x->in;
    int size = 1 << (in->x & SIM_E_SIZE);
    bool one = in->op == SIM_LDG32 || in->op == SIM_LDS32;
    for (int j = 0; j < in->y; j++) {
        uint64_t v = 0;
        memcpy(&v, from + (size_t)j * (size_t)size, (size_t)size);
        if (in->x & SIM_E_SIGNED)
            v = size == 1 ? (uint64_t)(int8_t)v : size == 2 ? (uint64_t)(int16_t)v : (uint64_t)(int32_t)v;
        int32_t d = one ? in->d : x->run->k->aux[in->e + j];
        if (size == 8 || (in->x & SIM_E_WIDE))
            sim_u64(x->w, d)[i] = v;
        else
            sim_u32(x->w, d)[i] = (uint32_t)v;
    }
}

static void store_lane(const struct access *x, int i, char *to)
{
    const struct sim_inst *in = x->in;
    int size = 1 << (in->x & SIM_E_SIZE);
    bool one = in->op == SIM_STG32 || in->op == SIM_STS32;
    for (int j = 0; j < in->y; j++) {
        int32_t r = one ? in->b : x->run->k->aux[in->e + j];
        uint64_t v = size == 8 || (in->x & SIM_E_WIDE) ? sim_u64(x->w, r)[i] : sim_u32(x->w, r)[i];
        memcpy(to + (size_t)j * (size_t)size, &v, (size_t)size);
    }
}

static bool checked_load(const struct access *x, int i)
{
    const struct sim_inst *in = x->in;
    int size = 1 << (in->x & SIM_E_SIZE);
    bool one = in->op == SIM_LDG32 || in->op == SIM_LDS32;
    if (!rg__sim_check_access(x->run, x->b, x->w, in, i, x->where, x->a[i], x->bytes, SIM_READS, false)) return false;
    for (int j = 0; j < in->y; j++) {
        uint64_t at = x->a[i] + (uint64_t)(j * size);
        if (rg__sim_undefined(x->run, x->b, x->w, i, x->where, at, size))
            rg__sim_taint(x->run, x->w, one ? in->d : x->run->k->aux[in->e + j], (uint32_t)1 << i,
                          (struct sim_origin){SIM_UNSET_MEMORY, (int32_t)(in - x->run->k->code), x->where, at});
    }
    return true;
}

/* was: what lies there now, new: what the lane stores */
static bool checked_store(struct access *x, int i, const char *was, const char *new)
{
    const struct sim_inst *in = x->in;
    int size = 1 << (in->x & SIM_E_SIZE);
    bool one = in->op == SIM_STG32 || in->op == SIM_STS32;
    bool same = !memcmp(was, new, (size_t)x->bytes),
         unset = rg__sim_undefined(x->run, x->b, x->w, i, x->where, x->a[i], x->bytes);
    if (!rg__sim_check_access(x->run, x->b, x->w, in, i, x->where, x->a[i], x->bytes, SIM_WRITES, same && !unset))
        return false;
    for (int j = 0; j < in->y; j++) {
        int32_t r = one ? in->b : x->run->k->aux[in->e + j];
        bool bad = sim_tainted(x->w, r) >> i & 1;
        /* an element that was held in a register through a loop of no iterations comes back as it was: still unset */
        bool back = bad && same && unset && rg__sim_came_from(x->run, x->w, r, x->a[i]);
        if (bad && !back && !rg__sim_may_hold(x->run, x->where, x->a[i] + (uint64_t)(j * size), size))
            rg__sim_used(x->run, x->b, x->w, in, r, (uint32_t)1 << i, rg__sim_stored), bad = false;
        rg__sim_define(x->run, x->b, x->w, i, x->where, x->a[i] + (uint64_t)(j * size), size, !bad);
    }
    return true;
}

static bool transfer(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                     uint32_t mask, bool store)
{
    int size = 1 << (in->x & SIM_E_SIZE);
    static const char nothing[64];
    const bool checking = sim_checking(run);
    for (uint32_t rest = mask; rest;) {
        struct access x = {.run = run, .b = b, .w = w, .in = in, .mask = rest, .store = store, .bytes = size * in->y};
        x.where = space_of(in->op);
        addresses(&x, in->a, x.where != SIM_AT_GLOBAL);
        uint32_t all = rest;
        rest = in->op == SIM_LDX || in->op == SIM_STX ? choose_space(&x) : 0;
        uint32_t asked = all & ~rest;
        if (!locate(&x, x.bytes & -x.bytes)) return false;
        for (uint32_t left = asked; left; left &= left - 1) {
            int i = __builtin_ctz(left);
            bool there = x.mask >> i & 1;
            char words[64], fresh[64];
            if (checking && there && !store && !checked_load(&x, i)) return false;
            if (checking && there && store) {
                if (x.where == SIM_AT_LOCAL) local_read(&x, i, x.a[i], words, x.bytes);
                store_lane(&x, i, fresh);
                if (!checked_store(&x, i, x.where == SIM_AT_LOCAL ? words : x.host[i], fresh)) return false;
            }
            if (x.where == SIM_AT_LOCAL && there) {
                if (!store) local_read(&x, i, x.a[i], words, x.bytes);
                x.host[i] = words;
            }
            if (store && there)
                store_lane(&x, i, x.host[i]);
            else if (!store)
                load_lane(&x, i, there ? x.host[i] : nothing);
            if (x.where == SIM_AT_LOCAL && there && store) local_write(&x, i, x.a[i], words, x.bytes);
        }
    }
    return true;
}

bool rg__sim_load(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                  uint32_t mask)
{
    return transfer(run, b, w, in, mask, false);
}
bool rg__sim_store(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                   uint32_t mask)
{
    return transfer(run, b, w, in, mask, true);
}

/* While other threads do the same: only what independent.c lets pass. */
static void update_beside(char *at, int bytes, int op, enum ptx_type t, uint64_t v)
{
    if (bytes == 8) {
        uint64_t *p = (uint64_t *)(void *)at, old = __atomic_load_n(p, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(p, &old, rg__sim_atomic(op, t, old, v, 0), true, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
            continue;
    } else {
        uint32_t *p = (uint32_t *)(void *)at, old = __atomic_load_n(p, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(p, &old, (uint32_t)rg__sim_atomic(op, t, old, v, 0), true, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
            continue;
    }
}

bool rg__sim_atom(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                  uint32_t mask)
{
    enum ptx_type t = (enum ptx_type)in->y;
    int bytes = rg__ptx_type_bytes(t);
    for (uint32_t rest = mask; rest;) {
        struct access x = {.run = run, .b = b, .w = w, .in = in, .mask = rest, .store = true, .bytes = bytes};
        x.where = in->e == PTX_SHARED ? SIM_AT_SHARED : SIM_AT_GLOBAL;
        addresses(&x, in->a, x.where == SIM_AT_SHARED);
        rest = in->e == PTX_GENERIC ? choose_space(&x) : 0;
        if (!locate(&x, bytes)) return false;
        for (uint32_t left = x.mask; left; left &= left - 1) {
            int i = __builtin_ctz(left);
            uint64_t old = 0, v = bytes == 8 ? sim_u64(w, in->b)[i] : sim_u32(w, in->b)[i];
            uint64_t c = in->c < 0 ? 0 : bytes == 8 ? sim_u64(w, in->c)[i] : sim_u32(w, in->c)[i];
            if (sim_checking(run)) {
                if (!rg__sim_check_access(run, b, w, in, i, x.where, x.a[i], bytes, SIM_UPDATES, false)) return false;
                if (in->x != SIM_A_EXCH && rg__sim_undefined(run, b, w, i, x.where, x.a[i], bytes))
                    rg__sim_unset_atomic(run, b, w, in, i, x.where, x.a[i]);
                rg__sim_define(run, b, w, i, x.where, x.a[i], bytes, true);
            }
            if (run->beside && x.where == SIM_AT_GLOBAL) {
                update_beside(x.host[i], bytes, in->x, t, v);
                continue; /* nobody looks at what was there */
            }
            memcpy(&old, x.host[i], (size_t)bytes);
            uint64_t now = (x.where == SIM_AT_GLOBAL ? rg__sim_atomic_global : rg__sim_atomic)(in->x, t, old, v, c);
            memcpy(x.host[i], &now, (size_t)bytes);
            if (in->d < 0) continue;
            if (bytes == 8)
                sim_u64(w, in->d)[i] = old;
            else
                sim_u32(w, in->d)[i] = (uint32_t)old;
        }
    }
    return true;
}

/* Copied at once: who reads before it waits is found out by the checks only. */
bool rg__sim_cpasync(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                     uint32_t mask)
{
    struct access to = {
        .run = run, .b = b, .w = w, .in = in, .mask = mask, .store = true, .bytes = in->x, .where = SIM_AT_SHARED};
    struct access from = {.run = run, .b = b, .w = w, .in = in, .mask = mask, .bytes = in->x, .where = SIM_AT_GLOBAL};
    for (uint32_t left = mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        to.a[i] = sim_u32(w, in->a)[i];
        uint32_t n = in->c >= 0 ? sim_u32(w, in->c)[i] : in->x;
        if (!n) from.mask &= ~((uint32_t)1 << i); /* zero bytes: the source is not touched, the target is zeroed */
        from.a[i] = sim_u64(w, in->b)[i] + (uint64_t)in->imm;
    }
    uint32_t wanted = from.mask;
    if (from.mask && !locate(&from, in->x)) return false;
    uint64_t hi = (uint64_t)run->shared_bytes;
    for (uint32_t left = mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        if (to.a[i] & (uint64_t)(in->x - 1)) {
            if (!misaligned(&to, i, in->x)) return false;
            continue;
        }
        if (to.a[i] > hi || hi - to.a[i] < in->x) {
            if (!out_of_bounds(&to, i)) return false;
            continue;
        }
        uint32_t n = in->c >= 0 ? sim_u32(w, in->c)[i] : in->x;
        if (n > in->x) n = in->x;
        bool unset = false;
        if (sim_checking(run)) {
            if (n && !rg__sim_check_access(run, b, w, in, i, SIM_AT_GLOBAL, from.a[i], (int)n, SIM_READS, false))
                return false;
            unset = n && rg__sim_undefined(run, b, w, i, SIM_AT_GLOBAL, from.a[i], (int)n);
            if (!rg__sim_check_copy(run, b, w, in, i, (uint32_t)to.a[i], in->x)) return false;
            rg__sim_define(run, b, w, i, SIM_AT_SHARED, to.a[i], in->x, !unset);
        }
        memset(b->shared + to.a[i], 0, in->x);
        if ((from.mask & wanted) >> i & 1) memcpy(b->shared + to.a[i], from.host[i], n);
    }
    return true;
}

/* Rows of 16 bytes; lane l gives the address of row l % 8 of matrix l / 8. */
bool rg__sim_ldmatrix(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                      uint32_t mask)
{
    if (mask != 0xffffffffu)
        return rg__sim_fault(run, b, w, __builtin_ctz(mask), in, RG_OUTCOME_CRASH,
                             "ldmatrix in a warp that is not whole");
    struct access x = {.run = run, .b = b, .w = w, .in = in, .bytes = 16, .where = SIM_AT_SHARED};
    x.mask = in->y == 4 ? 0xffffffffu : in->y == 2 ? 0xffffu : 0xffu;
    addresses(&x, in->a, true);
    uint32_t asked = x.mask;
    if (!locate(&x, 16)) return false;
    static char nothing[16];
    uint32_t unset[4][32] = {{0}};
    for (uint32_t left = sim_checking(run) ? x.mask : 0; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        if (!rg__sim_check_access(run, b, w, in, i, SIM_AT_SHARED, x.a[i], 16, SIM_READS, false)) return false;
        for (int l = 0; l < 8; l++) /* halves */
            if (rg__sim_undefined(run, b, w, i, SIM_AT_SHARED, x.a[i] + (uint64_t)(2 * l), 2))
                unset[i / 8][i % 8] |= 1u << l;
    }
    for (uint32_t left = asked & ~x.mask; left; left &= left - 1) x.host[__builtin_ctz(left)] = nothing;
    for (int j = 0; j < in->y; j++)
        for (int l = 0; l < 32; l++) {
            uint32_t v;
            if (!in->x)
                memcpy(&v, x.host[j * 8 + l / 4] + l % 4 * 4, 4);
            else {
                uint16_t a, c;
                memcpy(&a, x.host[j * 8 + l % 4 * 2] + l / 4 * 2, 2);
                memcpy(&c, x.host[j * 8 + l % 4 * 2 + 1] + l / 4 * 2, 2);
                v = a | (uint32_t)c << 16;
            }
            sim_u32(w, run->k->aux[in->e + j])[l] = v;
            if (!sim_checking(run)) continue;
            uint32_t first = in->x ? unset[j][l % 4 * 2] >> (l / 4) : unset[j][l / 4] >> (l % 4 * 2);
            uint32_t second = in->x ? unset[j][l % 4 * 2 + 1] >> (l / 4) : unset[j][l / 4] >> (l % 4 * 2 + 1);
            if (first & second & 1)
                rg__sim_taint(run, w, run->k->aux[in->e + j], (uint32_t)1 << l,
                              (struct sim_origin){SIM_UNSET_MEMORY, (int32_t)(in - run->k->code), SIM_AT_SHARED,
                                                  x.a[j * 8 + l / 4]});
        }
    return true;
}

bool rg__sim_wmma_move(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                       bool store)
{
    int m = SIM_WMMA_M(in->imm), n = SIM_WMMA_N(in->imm), k = SIM_WMMA_K(in->imm), which = SIM_WMMA_WHICH(in->imm);
    int rows = which == 1 ? n : m, cols = which == 2 ? n : k; /* B is numbered by columns: its rows are n */
    int type = SIM_WMMA_TYPE(in->imm), size = rg__sim_wmma_element(type), per = size < 4 ? 4 / size : 1,
        per_lane = in->y * per;
    bool along = (which == 1) == (SIM_WMMA_COL(in->imm) != 0); /* do neighbours in the numbering lie side by side? */
    for (int e = 0; e < per_lane; e++) {
        struct access x = {.run = run, .b = b, .w = w, .in = in, .mask = 0xffffffffu, .store = store, .bytes = size};
        for (int i = 0; i < 32; i++) {
            int64_t number = (i * per_lane + e) % (rows * cols), r = number / cols, c = number % cols,
                    stride = (int32_t)sim_u32(w, in->b)[0];
            x.a[i] = sim_u64(w, in->a)[0] + (uint64_t)((along ? r * stride + c : c * stride + r) * size);
        }
        x.where = in->imm & SIM_WMMA_SHARED ? SIM_AT_SHARED : SIM_AT_GLOBAL;
        if (!(in->imm & (SIM_WMMA_SHARED | SIM_WMMA_GLOBAL))) choose_space(&x);
        x.quiet = e % (16 / size) != 0; /* a fragment's rows move 16 bytes at a time */
        if (!locate(&x, size)) return false;
        for (int i = 0; i < 32; i++) {
            int32_t slot = run->k->aux[in->e + e / per];
            char *reg = w->frame + slot + (size == 8 ? 8 : 4) * i + size * (e % per);
            if (x.mask >> i & 1 && sim_checking(run)) {
                bool same = store && !memcmp(x.host[i], reg, (size_t)size),
                     bad = store && sim_tainted(w, slot) >> i & 1;
                if (!rg__sim_check_access(run, b, w, in, i, x.where, x.a[i], size, store ? SIM_WRITES : SIM_READS,
                                          same))
                    return false;
                if (bad && !rg__sim_may_hold(run, x.where, x.a[i], size))
                    rg__sim_used(run, b, w, in, slot, (uint32_t)1 << i, rg__sim_stored), bad = false;
                if (store)
                    rg__sim_define(run, b, w, i, x.where, x.a[i], size, !bad);
                else if (rg__sim_undefined(run, b, w, i, x.where, x.a[i], size))
                    rg__sim_taint(run, w, slot, (uint32_t)1 << i,
                                  (struct sim_origin){SIM_UNSET_MEMORY, (int32_t)(in - run->k->code), x.where, x.a[i]});
            }
            if (x.mask >> i & 1 && store)
                memcpy(x.host[i], reg, (size_t)size);
            else if (!store && x.mask >> i & 1)
                memcpy(reg, x.host[i], (size_t)size);
            else if (!store)
                memset(reg, 0, (size_t)size);
        }
    }
    return true;
}
