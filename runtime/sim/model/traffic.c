/* What memory instructions of a sampled block ask of shared memory, L1, L2 and DRAM. */
#include "runtime/sim/model/estimate.h"
#include "runtime/sim/arith/atomic.h"
#include "runtime/sim/arith/mma.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- L1: a block's share, four ways, sectors filled one by one ---- */

/* Sectors of `line` among `wanted` that are not there; they are brought in when `allocate`. */
static unsigned l1_misses(struct sim_l1 *c, uint64_t line, unsigned wanted, bool allocate)
{
    if (!c->sets) return wanted;
    size_t set = (size_t)((line ^ line >> 7 ^ line >> 15) % (unsigned)c->sets) * 4;
    uint64_t *tag = c->tags + set, want = line + 1 + (c->emptied << 48);
    uint8_t *valid = c->valid + set;
    int way = 0;
    while (way < 4 && tag[way] != want) way++;
    unsigned have = way < 4 ? valid[way] : 0, missing = wanted & ~have;
    if (!allocate) return missing;
    if (way == 4) way = 3;
    for (; way > 0; way--) tag[way] = tag[way - 1], valid[way] = valid[way - 1];
    tag[0] = want;
    valid[0] = (uint8_t)(have | wanted);
    return missing;
}

/* ---- footprint ---- */

struct sim_touch *rg__sim_touch(struct sim_run *run, int buffer_index, uint64_t addr)
{
    struct sim_estimate *e = run->estimate;
    for (int i = 0; i < e->n_touched; i++)
        if (e->touched[i].index == buffer_index) return &e->touched[i];
    bool inside;
    const struct sim_buffer *b = rg__sim_find(run->memory, addr, &inside);
    if (!b || e->n_touched == SIM_MAX_TOUCHED) return NULL;
    if (b->index != buffer_index) return buffer_index < 0 ? rg__sim_touch(run, b->index, addr) : NULL;
    struct sim_touch *t = &e->touched[e->n_touched++];
    memset(t, 0, sizeof *t);
    t->index = b->index;
    t->addr = b->addr;
    t->bytes = b->bytes;
    t->buffer = b;
    t->last_line = -1;
    t->cold = b->cold;
    t->constant = b->is_const;
    t->stamps = calloc(b->bytes / 32 + 2, 1); /* pages nobody touches stay virtual */
    return t;
}

/* A line's name to caches: by the order in which the launch met the buffers, not by where these happen to lie, which
 * depends on what was allocated before. Spread, so that buffers do not share sets in step. */
static uint64_t name_of(const struct sim_estimate *e, const struct sim_touch *t, uint64_t line)
{
    return t ? line - t->addr / 128 + (uint64_t)(t - e->touched + 1) * 0x9E3779B97u : line;
}

static void touch(struct sim_estimate *e, struct sim_touch *t, unsigned sectors, uint64_t line, bool store)
{
    if (!t || !t->stamps) return;
    uint64_t first = line * 4 - t->addr / 32;
    for (unsigned s = 0; s < 4; s++) {
        if (!(sectors >> s & 1) || first + s > t->bytes / 32 + 1) continue;
        uint8_t *p = &t->stamps[first + s];
        uint8_t seen = *p & 0x7f, wrote = *p & 0x80;
        if (seen != e->stamp) {
            t->block_unique++;
            if (!store) t->block_read++;
            if (seen && seen + e->neighbours >= e->stamp) t->block_shared++;
            wrote = 0;
        }
        if (store && !wrote) t->block_written++;
        *p = (uint8_t)(e->stamp | (store ? 0x80 : wrote));
    }
}

/* Lines of a table come at ever new distances, those of rows, columns and tiles at a few. */
static void follow(struct sim_touch *t, int64_t line)
{
    int64_t by = line - t->last_line;
    bool first = t->last_line < 0; /* of the block */
    t->last_line = line;
    if (first || !by || by == 1) return;
    t->jumps++;
    for (int i = 0; i < 8; i++)
        if (t->strides[i] == by) return;
    t->wild++;
    t->strides[t->n_strides++ & 7] = by;
}

static void heat(struct sim_estimate *e, struct sim_touch *t, uint64_t line, double ns)
{
    if (e->n_looks > 1) return;
    if (t) t->block_queue += ns;
    line = name_of(e, t, line);
    if (!e->hot) e->hot = rg_xcalloc(SIM_HOT_LINES, sizeof *e->hot);
    for (unsigned k = 0, h = (unsigned)((line * 0x9E3779B97F4A7C15u) >> 54); k < 32; k++, h++) {
        struct sim_hot *x = &e->hot[h % SIM_HOT_LINES];
        if (x->line == line + 1 || (!x->line && e->n_hot < SIM_HOT_LINES * 3 / 4)) {
            if (!x->line) x->line = line + 1, x->touch = t ? (int)(t - e->touched) : -1, e->n_hot++;
            x->block_cost += ns;
            return;
        }
    }
}

/* Has a block that was watched been at this sector before? */
static bool again(const struct sim_touch *t, uint64_t line, unsigned sector)
{
    uint64_t at = t ? line * 4 - t->addr / 32 + (unsigned)__builtin_ctz(sector) : 0;
    return t && t->stamps && at < t->bytes / 32 + 2 && t->stamps[at];
}

/* A sector goes to L2. The share of such returns that L2 has lost, for its latency. */
static double returned(struct sim_run *run, struct sim_touch *t, uint64_t sector)
{
    struct sim_estimate *e = run->estimate;
    uint64_t h = sector * 0x9E3779B97F4A7C15u;
    if (!t) return 0;
    if (!(h >> 32 & (SIM_RETURN_SAMPLE - 1))) {
        if (!e->returns) e->returns = rg_xcalloc(SIM_RETURNS, sizeof *e->returns);
        struct sim_return *r = &e->returns[h >> 51];
        double asked = e->block.l2_loads + e->block.l2_stores;
        if (r->epoch != e->epoch)
            *r = (struct sim_return){sector, e->epoch, asked};
        else if (r->sector == sector) {
            t->returns++;
            t->returns_late += rg__sim_lost(e->model, (asked - r->asked) * 32 * e->in_flight);
            r->asked = asked;
        }
    }
    return t->returns > 0 ? t->returns_late / t->returns : 0;
}

/* ---- requests ---- */

/* Do all lanes of a group want what their neighbour, or the next but one, wants? Wide accesses then go for twice as
 * many lanes at once. */
static bool paired(const struct sim_site *s, uint32_t group)
{
    bool one = true, two = true;
    for (uint32_t left = s->mask & group; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        one = one && (!(s->mask >> (i ^ 1) & 1) || s->delta[i] == s->delta[i ^ 1]);
        two = two && (!(s->mask >> (i ^ 2) & 1) || s->delta[i] == s->delta[i ^ 2]);
    }
    return one || two;
}

/* A wave serves one word of each bank; lanes that want the same word share it. */
static int group_waves(const struct sim_site *s, uint64_t a, int words, uint32_t group)
{
    uint32_t rows[32][128];
    uint8_t n[32] = {0};
    int most = 0;
    for (uint32_t left = s->mask & group; left; left &= left - 1) {
        uint64_t at = a + s->delta[__builtin_ctz(left)];
        for (int k = 0; k < words; k++) {
            uint32_t word = (uint32_t)(at / 4) + (uint32_t)k, bank = word & 31;
            int j = 0, have = n[bank];
            while (j < have && rows[bank][j] != word) j++;
            if (j < have) continue;
            rows[bank][n[bank]++] = word;
            if (n[bank] > most) most = n[bank];
        }
    }
    return most;
}

/* 8-byte accesses go for half a warp at a time, 16-byte ones for a quarter, twice that where neighbours want the same.
 */
static int shared_waves(const struct sim_site *s, uint64_t a, int bytes)
{
    int words = bytes <= 4 ? 1 : bytes / 4, waves = 0, step = 32;
    if (words == 2) step = paired(s, ~0u) ? 32 : 16;
    for (int from = 0; from < 32;) {
        if (words >= 4) step = paired(s, 0xffffu << (from & 16)) ? 16 : 8;
        waves += group_waves(s, a, words, (step == 32 ? ~0u : ((1u << step) - 1) << from));
        from += step;
    }
    return waves > 0 ? waves : 1;
}

/* A fragment moves by groups of eight rows of 16 bytes; of those that note one access 16 bytes of each row stand for
 * all. */
static int fragment_waves(const struct sim_warp *w, const struct sim_inst *in, bool shared)
{
    int m = SIM_WMMA_M(in->imm), n = SIM_WMMA_N(in->imm), k = SIM_WMMA_K(in->imm), which = SIM_WMMA_WHICH(in->imm),
        type = SIM_WMMA_TYPE(in->imm);
    int size = type == PTX_S8 || type == PTX_U8      ? 1
               : type == PTX_F16 || type == PTX_BF16 ? 2
               : type == PTX_F64                     ? 8
                                                     : 4,
        rows = which == 1 ? k : m, cols = which == 0 ? k : n, notes = in->y > 4 ? in->y / 4 : 1, waves = 0;
    if (SIM_WMMA_COL(in->imm)) {
        int t = rows;
        rows = cols;
        cols = t;
    }
    uint32_t stride = sim_u32(w, in->b)[0] * (uint32_t)size;
    for (int r0 = 0; r0 < rows; r0 += 8) {
        uint8_t banks[8] = {0};
        int most = 8;
        if (shared) {
            most = 0;
            for (int r = r0; r < rows && r < r0 + 8; r++)
                if (++banks[(uint32_t)r * stride / 16 & 7] > most) most = banks[(uint32_t)r * stride / 16 & 7];
        }
        waves += most * (cols * size > 16 ? cols * size / 16 : 1);
    }
    return waves > notes ? waves / notes : 1;
}

static void note_shared(struct sim_run *run, const struct sim_warp *w, const struct sim_inst *in, struct sim_site *s,
                        uint64_t a, int bytes)
{
    struct sim_estimate *e = run->estimate;
    /* ptxas merges neighbouring accesses of one base: the first of a group stands for all. */
    if (in->group > 1) {
        bool aligned = (a & (uint64_t)(bytes * in->group - 1)) == 0;
        for (uint32_t left = s->mask; left && aligned; left &= left - 1)
            aligned = (s->delta[__builtin_ctz(left)] & (uint64_t)(bytes * in->group - 1)) == 0;
        s->merged = aligned;
        if (aligned) bytes *= in->group;
    } else if (in->group < 0 && run->sites[in->p + in->group].merged) {
        e->access_latency = (float)e->model->shared_latency;
        e->block.merged_accesses++;
        return;
    }
    double share = 1;
    if (in->flags & SIM_F_STREAM) { /* a quarter of a 16-byte access */
        share = bytes / 16.0;
        bytes = 16;
        a &= ~(uint64_t)15;
        e->block.merged_accesses += 1 - share;
    }
    uint32_t key = (uint32_t)(a & 127);
    if (s->waves_at != key + 1 || s->waves_mask != s->mask || s->waves_bytes != bytes || !s->same) {
        s->waves =
            in->op == SIM_WMMALD || in->op == SIM_WMMAST ? fragment_waves(w, in, true) : shared_waves(s, a, bytes);
        s->waves_at = key + 1;
        s->waves_mask = s->mask;
        s->waves_bytes = bytes;
        s->same = true;
    }
    e->block.shared_requests += share;
    e->block.shared_waves += s->waves * share;
    e->access_latency = (float)(e->model->shared_latency + (s->waves - 1) * 2);
}

static void note_local(struct sim_run *run, struct sim_warp *w, struct sim_site *s, uint64_t a, int bytes, bool store)
{
    struct sim_estimate *e = run->estimate;
    /* Words of local memory lie interleaved by thread: one line a word when all lanes use the same offset. */
    uint64_t lines[32];
    int n = 0, words = bytes <= 4 ? 1 : bytes / 4;
    if (s->kind == SIM_UNIFORM) lines[n++] = a / 4;
    for (uint32_t left = s->kind == SIM_UNIFORM ? 0 : s->mask; left; left &= left - 1) {
        uint64_t word = (a + s->delta[__builtin_ctz(left)]) / 4;
        int j = 0;
        while (j < n && lines[j] != word) j++;
        if (j == n) lines[n++] = word;
    }
    unsigned missing = 0;
    double late = 0;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < words; k++) {
            uint64_t line = ((uint64_t)1 << 56) + (((uint64_t)w->index << 20) + lines[j] + (uint64_t)k);
            unsigned miss = l1_misses(&e->l1, line, 15, true);
            missing += (unsigned)__builtin_popcount(miss);
            for (unsigned left = miss; left; left &= left - 1)
                late = returned(run, &e->local, line * 4 + (unsigned)__builtin_ctz(left));
        }
    e->block.local_requests++;
    e->block.local_sectors += missing;
    e->block.l1_waves += n * words;
    if (store)
        e->block.l2_stores += missing;
    else
        e->block.l2_loads += missing;
    double latency = missing && !store ? e->model->l2_latency + late * (e->model->dram_latency - e->model->l2_latency)
                                       : e->model->l1_latency;
    e->access_latency = (float)latency + (float)(n * words - 1) * 2;
}

void rg__sim_note_stack(struct sim_run *run, struct sim_warp *w, const uint32_t *sp, uint32_t mask, uint64_t offset,
                        int bytes, bool store)
{
    struct sim_site s = {.mask = mask, .kind = SIM_UNIFORM};
    uint32_t first = sp[__builtin_ctz(mask)];
    for (uint32_t left = mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        s.delta[i] = (uint64_t)(int64_t)(int32_t)(sp[i] - first);
        if (sp[i] != first) s.kind = SIM_SCATTERED;
    }
    note_local(run, w, &s, first + offset, bytes, store);
    run->estimate->block.local_requests += bytes / 4 - (bytes >= 4); /* one for each word */
}

void rg__sim_note(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                  struct sim_site *s, uint64_t a)
{
    struct sim_estimate *e = run->estimate;
    int bytes = in->op == SIM_ATOM                             ? rg__ptx_type_bytes((enum ptx_type)in->y)
                : in->op == SIM_CPASYNC                        ? in->x
                : in->op == SIM_LDMATRIX                       ? 16
                : in->op == SIM_WMMALD || in->op == SIM_WMMAST ? 16
                                                               : (1 << (in->x & SIM_E_SIZE)) * in->y;
    bool store = in->op == SIM_STG || in->op == SIM_STG32 || in->op == SIM_STS || in->op == SIM_STS32 ||
                 in->op == SIM_STL || in->op == SIM_STX || in->op == SIM_WMMAST;
    enum ptx_space space =
        in->op == SIM_LDS || in->op == SIM_STS || in->op == SIM_LDS32 || in->op == SIM_STS32 || in->op == SIM_LDMATRIX
            ? PTX_SHARED
        : in->op == SIM_LDL || in->op == SIM_STL ? PTX_LOCAL
                                                 : PTX_GLOBAL;
    if (in->op == SIM_LDX || in->op == SIM_STX || in->op == SIM_ATOM || in->op == SIM_WMMALD || in->op == SIM_WMMAST)
        space = s->buffer_lo >= SIM_GLOBAL_BASE ? PTX_GLOBAL : PTX_SHARED;
    if (in->op == SIM_ATOM) {
        uint64_t addr[32];
        for (int i = 0; i < 32; i++) addr[i] = a + s->delta[i];
        rg__sim_note_atomic(run, in, addr, s->mask, space == PTX_SHARED);
        return;
    }
    if (space == PTX_SHARED) {
        note_shared(run, w, in, s, a, bytes);
        return;
    }
    if (space == PTX_LOCAL) {
        note_local(run, w, s, a, bytes, store);
        return;
    }
    struct sim_touch *t = s->touch && s->touch_index == s->buffer_index ? s->touch : NULL;
    if (!t) {
        t = rg__sim_touch(run, s->buffer_index, a);
        s->touch = t;
        s->touch_index = s->buffer_index;
    }
    if (t && t->constant && s->kind != SIM_UNIFORM) {
        int passes = 0; /* one address after another */
        for (uint32_t left = s->mask; left; left &= left - 1) {
            int i = __builtin_ctz(left);
            bool first = true;
            for (uint32_t before = s->mask & ((1u << i) - 1); before && first; before &= before - 1)
                first = s->delta[__builtin_ctz(before)] != s->delta[i];
            passes += first;
        }
        e->block.constant_passes += passes - 1;
        e->access_latency = (float)(e->model->l1_latency + (passes - 1) * e->model->constant_pass);
        return;
    }
    /* Distinct lines in order of the lanes, with the sectors asked of each. */
    uint64_t line[64];
    unsigned sectors[64];
    int n = 0;
    for (uint32_t left = s->mask; left; left &= left - 1) {
        uint64_t from = a + s->delta[__builtin_ctz(left)], to = from + (uint64_t)bytes - 1;
        for (uint64_t sec = from / 32; sec <= to / 32; sec++) {
            uint64_t l = sec / 4;
            int j = n - 1;
            while (j >= 0 && line[j] != l) j--;
            if (j < 0) {
                if (n == 64) continue;
                line[j = n++] = l;
                sectors[j] = 0;
            }
            sectors[j] |= 1u << (sec & 3);
        }
    }
    int total = 0, missing = 0, fresh = 0, l2_lines = 0;
    double late = 0;
    for (int j = 0; j < n; j++) {
        total += __builtin_popcount(sectors[j]);
        unsigned miss = store || in->flags & SIM_F_ORDERED
                            ? sectors[j]
                            : l1_misses(&e->l1, name_of(e, t, line[j]), sectors[j], true);
        missing += __builtin_popcount(miss);
        l2_lines += miss != 0;
        double before = t ? t->block_unique : 0;
        if (t && miss && !store) follow(t, (int64_t)(line[j] - t->addr / 128));
        if (store && total == 1 && n == 1 && again(t, line[j], sectors[j]))
            heat(e, t, line[j], e->model->store_same_ns);
        if (miss || store) touch(e, t, store ? sectors[j] : miss, line[j], store);
        if (t && t->block_unique > before) fresh++;
        for (unsigned left = store ? sectors[j] : miss; left; left &= left - 1)
            late = returned(run, t, name_of(e, t, line[j]) * 4 + (unsigned)__builtin_ctz(left));
    }
    int lanes = __builtin_popcount(s->mask), wave = (int)e->model->l1_wave_bytes,
        min_waves = (lanes * bytes + wave - 1) / wave;
    e->block.l2_lines += store ? n : l2_lines;
    e->block.global_requests++;
    e->block.global_lines += n;
    e->block.global_sectors += total;
    e->block.useful_bytes += s->kind == SIM_UNIFORM ? bytes : (double)lanes * bytes;
    e->block.l1_waves += in->op == SIM_WMMALD || in->op == SIM_WMMAST ? fragment_waves(w, in, false)
                         : n > min_waves                              ? n
                         : s->kind == SIM_UNIFORM                     ? (bytes > 8 ? 2 : n)
                                                                      : min_waves;
    if (store) {
        /* A line whose sectors are not written whole is merged in L2. */
        double whole = (double)lanes * bytes / 32;
        e->block.l2_stores += total;
        if (t) t->block_stores += total;
        e->block.partial_stores += total > whole + 0.5 ? n * (total - whole) / total : 0;
        e->access_latency = 0;
        return;
    }
    e->block.l2_loads += missing;
    if (t) t->block_loads += missing;
    double latency = e->model->l1_latency;
    if (missing)
        latency = e->model->l2_latency +
                  (fresh ? rg__sim_fresh_miss(run, t) : late) * (e->model->dram_latency - e->model->l2_latency);
    e->access_latency = (float)(latency + (n > 1 ? (n - 1) * e->model->line_wait : 0));
}

/* ---- atomics ---- */

void rg__sim_note_atomic(struct sim_run *run, const struct sim_inst *in, const uint64_t *addr, uint32_t mask,
                         bool shared)
{
    struct sim_estimate *e = run->estimate;
    const struct sim_model *m = e->model;
    int lanes = __builtin_popcount(mask);
    bool elected = e->costs[in - run->k->code].elected;
    if (elected) { /* lanes are counted, one goes */
        e->block.issue += 6;
        mask &= ~mask + 1;
    }
    if (shared) {
        /* Lanes on one bank go one after another, whether on one word or several. */
        uint8_t per_bank[32] = {0};
        int most = 0;
        for (uint32_t left = mask; left; left &= left - 1) {
            uint8_t *n = &per_bank[addr[__builtin_ctz(left)] / 4 & 31];
            if (++*n > most) most = *n;
        }
        enum ptx_type t = (enum ptx_type)in->y;
        bool native = !ptx_is_float(t) && rg__ptx_type_bytes(t) == 4; /* others are a loop of compare-and-swap */
        double cycles = (most + 3) * m->shared_atomic_cycles * (native ? 1 : 4);
        e->block.shared_requests++;
        e->block.shared_waves += cycles;
        e->access_latency = (float)(m->shared_latency + cycles * 2);
        return;
    }
    /* L2 does a sector's atomics together, the same word's one after another; a line's sectors queue at one slice. */
    uint64_t sector[32];
    int multiplicity[32], n = 0, words = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        int i = __builtin_ctz(left), same = 1;
        bool first = true;
        for (uint32_t other = mask & ~(1u << i); other; other &= other - 1) {
            int q = __builtin_ctz(other);
            if (addr[q] != addr[i]) continue;
            same++;
            first = first && q > i;
        }
        words += first;
        int j = 0;
        while (j < n && sector[j] != addr[i] / 32) j++;
        if (j == n) sector[n] = addr[i] / 32, multiplicity[n++] = 0;
        if (same > multiplicity[j]) multiplicity[j] = same;
    }
    double cost = n * m->atomic_sector + words * m->atomic_word;
    struct sim_touch *t = rg__sim_touch(run, -1, addr[__builtin_ctz(mask)]);
    for (int j = 0; j < n; j++) {
        bool alone = elected || multiplicity[j] == lanes; /* the whole request is one word: L2 keeps it at hand */
        double same = ptx_is_float((enum ptx_type)in->y) ? m->atomic_same_ns : m->atomic_whole_ns;
        heat(e, t, sector[j] / 4,
             (alone ? same : m->atomic_sector_ns) +
                 (multiplicity[j] - 1) * (alone ? fmax(same, m->atomic_lane_ns) : m->atomic_lane_ns));
        cost += (multiplicity[j] - 1) * m->atomic_repeat;
    }
    e->block.atomics += lanes;
    e->block.atomic_sectors += cost;
    e->block.l1_waves += n;
    e->access_latency = in->d >= 0 ? (float)m->atomic_latency : 0;
    if (t && in->x == SIM_A_CAS) t->block_cas += lanes;
    for (int j = 0; j < n; j++) touch(e, t, 1u << (sector[j] & 3), sector[j] / 4, true);
}

/* ---- blocks ---- */

void rg__sim_block_begin(struct sim_run *run)
{
    struct sim_estimate *e = run->estimate;
    memset(&e->block, 0, sizeof e->block);
    memset(run->counts, 0, sizeof *run->counts * (size_t)run->k->n_blocks);
    if (e->l1.sets) memset(e->l1.tags, 0, sizeof *e->l1.tags * (size_t)e->l1.sets * 4);
    e->stamp++;
    e->epoch++;
    if (e->stamp > 126) { /* stamps have seven bits */
        for (int i = 0; i < e->n_touched; i++) memset(e->touched[i].stamps, 0, e->touched[i].bytes / 32 + 2);
        e->stamp = 2;
    }
    for (int i = 0; i < e->n_touched; i++) {
        struct sim_touch *u = &e->touched[i];
        memset(u->kept, 0, sizeof u->kept);
        u->last_line = -1;
        u->block_unique = u->block_written = u->block_shared = u->half_unique = u->half_written = u->half_read =
            u->block_cas = u->block_queue = u->block_loads = u->block_stores = u->block_read = 0;
    }
    for (int i = 0; e->hot && i < SIM_HOT_LINES; i++) e->hot[i].block_cost = 0;
}

void rg__sim_block_half(struct sim_run *run)
{
    for (int i = 0; i < run->estimate->n_touched; i++) {
        struct sim_touch *u = &run->estimate->touched[i];
        u->half_unique = u->block_unique;
        u->half_written = u->block_written;
        u->half_read = u->block_read;
    }
}

/* What was touched by the whole block: a stream keeps growing as between half and full, what is reused does not. */
static double grown(double half, double full, double ratio)
{
    double rate = full - half;
    return ratio > 1 ? full + rate * 2 * (ratio - 1) : full;
}

static void count_instructions(const struct sim_run *run, struct sim_tally *t, double whole)
{
    for (int i = 0; i < run->k->n_blocks; i++) {
        double warps = (double)run->counts[i].warps * whole, lanes = (double)run->counts[i].lanes * whole;
        if (!(warps > 0)) continue;
        const struct sim_block_info *info = &run->k->blocks[i];
        for (int j = info->first; j < info->first + info->n; j++) {
            const struct sim_cost *c = &run->estimate->costs[j];
            t->warp_instructions += warps;
            t->thread_instructions += lanes;
            t->issue += warps * (double)c->issue;
            t->pipe[c->pipe] += warps * (double)c->busy;
            int op = run->k->code[j].op;
            if (op == SIM_FFMA32 || op == SIM_FFMA64)
                t->flops += 2 * lanes;
            else if ((op >= SIM_FADD32 && op <= SIM_FMAX32) || (op >= SIM_FADD64 && op <= SIM_FMAX64))
                t->flops += lanes;
        }
    }
}

void rg__sim_touch_counts(struct sim_touch *u, double *list[SIM_TOUCH_COUNTS])
{
    double *all[SIM_TOUCH_COUNTS] = {&u->block_unique, &u->block_written, &u->block_shared, &u->block_read,
                                     &u->block_loads,  &u->block_stores,  &u->block_cas,    &u->block_queue};
    memcpy(list, all, sizeof all);
}

void rg__sim_block_keep(struct sim_estimate *e)
{
    double *list[SIM_TOUCH_COUNTS];
    for (int i = 0; i < e->n_touched; i++) {
        rg__sim_touch_counts(&e->touched[i], list);
        for (int k = 0; k < SIM_TOUCH_COUNTS; k++) e->touched[i].kept[k] = *list[k];
    }
}

void rg__sim_block_take_back(struct sim_estimate *e)
{
    double *list[SIM_TOUCH_COUNTS];
    for (int i = 0; i < e->n_touched; i++) {
        rg__sim_touch_counts(&e->touched[i], list);
        for (int k = 0; k < SIM_TOUCH_COUNTS; k++) *list[k] = e->touched[i].kept[k];
    }
}

void rg__sim_block_end(struct sim_run *run, double ratio, double scale, double whole)
{
    struct sim_estimate *e = run->estimate;
    struct sim_tally *t = &e->block;
    double *sum = (double *)&e->sum, *one = (double *)t;
    if (e->probing) return;
    for (size_t i = 0; i < sizeof *t / sizeof(double); i++) one[i] *= scale; /* so far only what was watched */
    count_instructions(run, t, whole);
    t->issue -= t->merged_accesses;
    t->pipe[SIM_PIPE_LSU] -= t->merged_accesses;
    for (size_t i = 0; i < sizeof *t / sizeof(double); i++) sum[i] += one[i] * e->weight;
    if (t->lifetime > e->lifetimes_max) e->lifetimes_max = t->lifetime;
    for (int i = 0; i < e->n_touched; i++) {
        struct sim_touch *u = &e->touched[i];
        u->unique += grown(u->half_unique, u->block_unique, ratio) * e->weight;
        u->written += grown(u->half_written, u->block_written, ratio) * e->weight;
        u->read += grown(u->half_read, u->block_read, ratio) * e->weight;
        u->loads += u->block_loads * ratio * e->weight;
        u->stores += u->block_stores * ratio * e->weight;
        u->cas += u->block_cas * ratio * e->weight;
        u->queue += u->block_queue * ratio * e->weight;
        if (e->neighbours) u->pair_unique += u->block_unique, u->pair_shared += u->block_shared;
    }
    for (int i = 0; e->hot && i < SIM_HOT_LINES; i++) {
        if (!(e->hot[i].block_cost > 0)) continue;
        e->hot[i].cost += e->hot[i].block_cost * ratio * e->weight;
        e->hot[i].alone += e->hot[i].block_cost * ratio;
        if (!e->hot[i].groups || e->hot[i].last_group != e->group) e->hot[i].groups++;
        e->hot[i].last_group = e->group;
    }
}
