/* From a list of instructions over virtual registers to the code that runs: basic blocks, liveness, copies and dead
 * code removed, slots in the warp's frame shared by registers that are never alive together.
 *
 * Sharing is safe under divergence because every lane follows a scalar path and instructions write active lanes only.
 */
#include "runtime/sim/calls.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rg__sim_visit(struct sim_kernel *k, struct sim_inst *in, sim_visit_fn fn, void *arg)
{
    const char *s = rg__sim_op_shape(in->op);
    bool both = s[0] == 'V' && s[1] == 'v';
    for (; *s; s++) {
        int32_t *o = NULL;
        const struct sim_call *c =
            (*s == 'W' || *s == 'w') && k->calls ? &k->calls[in->p] : NULL; /* NULL: not known yet */
        bool is_def = false;
        switch (*s) {
        case 'd':
            o = &in->d, is_def = true;
            break;
        case 'p':
            o = &in->p, is_def = true;
            break;
        case 'a':
            o = &in->a;
            break;
        case 'b':
            o = &in->b;
            break;
        case 'c':
            o = &in->c;
            break;
        case 'e':
            o = &in->e;
            break;
        case 'V':
            for (int i = 0; i < in->y; i++) fn(arg, &k->aux[in->e + i], true);
            break;
        case 'v':
            for (int i = 0, n = both ? in->x : in->y; i < n; i++)
                fn(arg, &k->aux[in->e + (both ? in->y : 0) + i], false);
            break;
        case 'W':
        case 'w':
            for (int i = 0; c && i < c->n; i++) fn(arg, &k->aux[c->aux + (*s == 'W' ? c->n : 0) + i], *s == 'W');
            break;
        default:
            break;
        }
        if (o && *o != SIM_NONE) fn(arg, o, is_def);
    }
}

static bool ends_block(int op)
{
    return op == SIM_BRA || op == SIM_BRAP || op == SIM_EXIT || op == SIM_TRAP || op == SIM_CALL || op == SIM_RET;
}

static void make_blocks(struct sim_flow *f, const int *labels, int n_labels)
{
    struct sim_kernel *k = f->k;
    f->n = k->n_code;
    bool *leader = rg_xcalloc((size_t)f->n + 1, sizeof *leader);
    leader[0] = true;
    for (int i = 0; i < f->n; i++) {
        struct sim_inst *in = &k->code[i];
        if (in->op == SIM_BRA || in->op == SIM_BRAP || in->op == SIM_CALL) {
            in->imm = in->imm < 0 ? -in->imm : in->imm < n_labels ? labels[in->imm] : f->n - 1;
            if (in->imm >= f->n) in->imm = f->n - 1;
            leader[in->imm] = true;
        }
        if (ends_block(in->op) && i + 1 < f->n) leader[i + 1] = true;
    }
    f->block_of = rg_xmalloc(sizeof *f->block_of * (size_t)f->n);
    for (int i = 0; i < f->n; i++) {
        f->nb += leader[i];
        f->block_of[i] = f->nb - 1;
    }
    f->first = rg_xmalloc(sizeof *f->first * (size_t)(f->nb + 1));
    for (int i = 0, b = 0; i < f->n; i++)
        if (leader[i]) f->first[b++] = i;
    f->first[f->nb] = f->n;
    free(leader);
}

struct scan {
    struct sim_flow *f;
    int block;
};
static void scan_operand(void *arg, int32_t *o, bool is_def)
{
    struct scan *s = arg;
    if (*o < 0) return;
    uint64_t *use = s->f->use + (size_t)s->block * (size_t)s->f->words,
             *def = s->f->def + (size_t)s->block * (size_t)s->f->words;
    int w = *o >> 6;
    uint64_t bit = (uint64_t)1 << (*o & 63);
    if (is_def)
        def[w] |= bit;
    else if (!(def[w] & bit))
        use[w] |= bit;
}

/* Uses are visited before definitions: shapes list d first, so two passes an instruction. */
static void uses_only(void *arg, int32_t *o, bool is_def)
{
    if (!is_def) scan_operand(arg, o, false);
}
static void defs_only(void *arg, int32_t *o, bool is_def)
{
    if (is_def) scan_operand(arg, o, true);
}

static int successors(const struct sim_flow *f, int b, int out[2])
{
    const struct sim_inst *last = &f->k->code[f->first[b + 1] - 1];
    int n = 0;
    if (last->op == SIM_BRA || last->op == SIM_BRAP || last->op == SIM_CALL) out[n++] = f->block_of[last->imm];
    if (last->op != SIM_BRA && last->op != SIM_EXIT && last->op != SIM_TRAP && last->op != SIM_RET && b + 1 < f->nb)
        out[n++] = b + 1;
    return n;
}

void rg__sim_liveness(struct sim_flow *f)
{
    size_t bytes = (size_t)f->nb * (size_t)f->words * sizeof(uint64_t);
    memset(f->use, 0, bytes);
    memset(f->def, 0, bytes);
    memset(f->in, 0, bytes);
    memset(f->out, 0, bytes);
    for (int b = 0; b < f->nb; b++)
        for (int i = f->first[b]; i < f->first[b + 1]; i++) {
            struct scan s = {f, b};
            if (f->dead[i]) continue;
            rg__sim_visit(f->k, &f->k->code[i], uses_only, &s);
            rg__sim_visit(f->k, &f->k->code[i], defs_only, &s);
        }
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = f->nb - 1; b >= 0; b--) {
            int succ[2], n = successors(f, b, succ);
            size_t at = (size_t)b * (size_t)f->words;
            for (int w = 0; w < f->words; w++) {
                uint64_t o = 0;
                for (int s = 0; s < n; s++) o |= f->in[(size_t)succ[s] * (size_t)f->words + (size_t)w];
                uint64_t v = f->use[at + (size_t)w] | (o & ~f->def[at + (size_t)w]);
                f->out[at + (size_t)w] = o;
                if (v != f->in[at + (size_t)w]) f->in[at + (size_t)w] = v, changed = true;
            }
        }
    }
}

static void count_operand(void *arg, int32_t *o, bool is_def)
{
    struct sim_flow *f = arg;
    if (*o >= 0) (is_def ? f->n_defs : f->n_uses)[*o]++;
}
static void count_all(struct sim_flow *f)
{
    size_t bytes = sizeof(int) * (size_t)f->l->n_regs;
    memset(f->n_defs, 0, bytes);
    memset(f->n_uses, 0, bytes);
    for (int i = 0; i < f->n; i++)
        if (!f->dead[i]) rg__sim_visit(f->k, &f->k->code[i], count_operand, f);
}

/* ---- slots ---- */

struct interval {
    int start, end;
};
struct slots {
    struct interval *iv;
    int at; /* position of the instruction at hand */
    bool early;
};
static void extend(struct interval *v, int at)
{
    if (v->start < 0) v->start = v->end = at;
    if (at < v->start) v->start = at;
    if (at > v->end) v->end = at;
}
static void extend_operand(void *arg, int32_t *o, bool is_def)
{
    struct slots *s = arg;
    if (*o >= 0) extend(&s->iv[*o], is_def ? s->at + 1 : s->early ? s->at + 2 : s->at);
}
static void mark_const(void *arg, int32_t *o, bool is_def)
{
    struct sim_kernel *k = arg;
    if (*o <= -2) k->consts[-*o - 2].used = true;
}

struct place {
    const int32_t *reg;
    const struct sim_kernel *k;
};
static void place_operand(void *arg, int32_t *o, bool is_def)
{
    const struct place *p = arg;
    *o = *o >= 0 ? p->reg[*o] : p->k->consts[-*o - 2].slot;
}

struct pool {
    int bytes, n, n_free, cap_free;
    int *free_list;
};

static int32_t *assign(struct sim_flow *f)
{
    int n_regs = f->l->n_regs;
    struct slots s = {rg_xmalloc(sizeof *s.iv * (size_t)(n_regs + 1)), 0, false};
    for (int r = 0; r < n_regs; r++) s.iv[r] = (struct interval){-1, -1};
    for (int b = 0; b < f->nb; b++) {
        for (int w = 0; w < f->words; w++) {
            uint64_t in = f->in[(size_t)b * (size_t)f->words + (size_t)w],
                     out = f->out[(size_t)b * (size_t)f->words + (size_t)w];
            for (; in; in &= in - 1) extend(&s.iv[w * 64 + __builtin_ctzll(in)], 2 * f->first[b]);
            for (; out; out &= out - 1) extend(&s.iv[w * 64 + __builtin_ctzll(out)], 2 * f->first[b + 1] - 1);
        }
        for (int i = f->first[b]; i < f->first[b + 1]; i++) {
            if (f->dead[i]) continue;
            s.at = 2 * i;
            s.early = strchr(rg__sim_op_shape(f->k->code[i].op), '&') != NULL;
            rg__sim_visit(f->k, &f->k->code[i], extend_operand, &s);
        }
    }
    for (int w = 0; f->kept && w < f->words; w++) {
        for (uint64_t left = f->kept[w]; left; left &= left - 1)
            extend(&s.iv[w * 64 + __builtin_ctzll(left)], 2 * f->n);
        if (f->l->sp >> 6 == w) extend(&s.iv[f->l->sp], 0), extend(&s.iv[f->l->sp], 2 * f->n);
    }
    /* Linear scan: registers chained by where they start and where they end. */
    int positions = 2 * f->n + 3;
    int *starts = rg_xmalloc(sizeof *starts * (size_t)positions * 2), *ends = starts + positions;
    int *next_start = rg_xmalloc(sizeof *next_start * (size_t)(n_regs + 1) * 2), *next_end = next_start + n_regs + 1;
    memset(starts, -1, sizeof *starts * (size_t)positions * 2);
    for (int r = n_regs - 1; r >= 0; r--) {
        if (s.iv[r].start < 0) continue;
        next_start[r] = starts[s.iv[r].start];
        starts[s.iv[r].start] = r;
        next_end[r] = ends[s.iv[r].end];
        ends[s.iv[r].end] = r;
    }
    struct pool pools[3] = {{4, 0, 0, 0, NULL}, {128, 0, 0, 0, NULL}, {256, 0, 0, 0, NULL}};
    int32_t *slot = rg_xmalloc(sizeof *slot * (size_t)(n_regs + 1));
    memset(slot, 0, sizeof *slot * (size_t)(n_regs + 1));
    for (int p = 0; p < positions; p++) {
        if (p > 0)
            for (int r = ends[p - 1]; r >= 0; r = next_end[r]) {
                struct pool *q = &pools[f->l->cls[r] / 4 > 2 ? 2 : f->l->cls[r] / 4];
                RG_GROW(q->free_list, q->n_free, q->cap_free);
                q->free_list[q->n_free++] = slot[r];
            }
        for (int r = starts[p]; r >= 0; r = next_start[r]) {
            struct pool *q = &pools[f->l->cls[r] / 4 > 2 ? 2 : f->l->cls[r] / 4];
            slot[r] = q->n_free ? q->free_list[--q->n_free] : q->n++;
        }
    }
    /* Frame: 64-bit lanes, 32-bit lanes, constants, predicates. */
    int64_t at64 = 0, at32 = (int64_t)pools[2].n * 256, top = at32 + (int64_t)pools[1].n * 128;
    for (int i = 0; i < f->k->n_consts; i++)
        if (f->k->consts[i].used && f->k->consts[i].bytes) {
            f->k->consts[i].slot = (int32_t)top;
            top += f->k->consts[i].bytes * 32;
        }
    int64_t preds = top;
    for (int r = 0; r < n_regs; r++)
        slot[r] = (int32_t)(f->l->cls[r] == 0   ? preds + (int64_t)slot[r] * 4
                            : f->l->cls[r] == 4 ? at32 + (int64_t)slot[r] * 128
                                                : at64 + (int64_t)slot[r] * 256);
    top = preds + (int64_t)pools[0].n * 4;
    for (int i = 0; i < f->k->n_consts; i++)
        if (f->k->consts[i].used && !f->k->consts[i].bytes) f->k->consts[i].slot = (int32_t)top, top += 4;
    top = (top + 63) / 64 * 64;
    f->k->frame_bytes = (int32_t)(top > 64 << 20 ? -1 : top);
    for (int i = 0; i < 3; i++) free(pools[i].free_list);
    free(starts);
    free(next_start);
    free(s.iv);
    return slot;
}

static bool is_memory(int op)
{
    return (op >= SIM_LDG && op <= SIM_STX) || op == SIM_ATOM || op == SIM_CPASYNC || op == SIM_LDMATRIX ||
           op == SIM_WMMALD || op == SIM_WMMAST;
}

bool rg__sim_writes(int op)
{
    return op == SIM_STG || op == SIM_STG32 || op == SIM_STX || op == SIM_ATOM || op == SIM_WMMAST;
}

static void write_code(struct sim_flow *f, const int32_t *slot)
{
    struct sim_kernel *k = f->k;
    int alive = 0;
    for (int i = 0; i < f->n; i++) alive += !f->dead[i];
    struct sim_inst *code = rg_xcalloc((size_t)(alive + f->nb), sizeof *code);
    int *start = rg_xmalloc(sizeof *start * (size_t)f->nb);
    k->meets = rg_xcalloc((size_t)(alive + f->nb), sizeof *k->meets);
    k->blocks = rg_xcalloc((size_t)f->nb, sizeof *k->blocks);
    k->n_blocks = f->nb;
    struct place p = {slot, k};
    int n = 0;
    for (int b = 0; b < f->nb; b++) {
        start[b] = n;
        code[n].op = SIM_BB;
        code[n].d = code[n].a = code[n].b = code[n].p = SIM_NONE;
        code[n].c = f->polls[b] ? 0 : -1; /* what is left of the warp's turn, bits: one look a turn */
        code[n++].e = b;
        k->blocks[b].first = n;
        for (int i = f->first[b]; i < f->first[b + 1]; i++) {
            if (f->dead[i]) continue;
            rg__sim_visit(k, &k->code[i], place_operand, &p);
            code[n] = k->code[i];
            if (is_memory(code[n].op)) {
                k->sites = rg_xrealloc(k->sites, (size_t)(k->n_mem + 1) * sizeof *k->sites);
                k->sites[k->n_mem] = (struct sim_site_kind){f->steers[i], rg__sim_writes(code[n].op)};
                code[n].p = k->n_mem++; /* its site; memory instructions write no predicate */
            }
            k->code[i].p = code[n].p;
            if (f->leader[i] >= 0) code[n].group = (int16_t)(k->code[f->leader[i]].p - code[n].p);
            n++;
        }
        k->blocks[b].n = n - k->blocks[b].first;
        k->blocks[b].unroll = f->unroll[b];
        k->blocks[b].region = f->region[b];
        k->blocks[b].equal = f->equal[b];
        code[start[b]].imm = k->blocks[b].n;
        for (int i = f->first[b + 1] - 1, at = n - 1; i >= f->first[b]; i--)
            if (!f->dead[i]) k->meets[at] = f->meets[i] || (at < n - 1 && k->meets[at + 1]), at--;
        k->meets[start[b]] = k->blocks[b].n > 0 && k->meets[start[b] + 1];
    }
    for (int i = 0; i < n; i++)
        if (code[i].op == SIM_BRA || code[i].op == SIM_BRAP || code[i].op == SIM_CALL)
            code[i].imm = start[f->block_of[code[i].imm]];
    for (int i = 0; i < k->n_bodies; i++)
        k->bodies[i].first = start[f->block_of[f->l->flat.labels[f->l->flat.bodies[i].label]]];
    if (k->n_bodies) k->sp = slot[f->l->sp];
    free(start);
    free(k->code);
    k->code = code;
    k->n_code = k->cap_code = n;
}

/* Registers that hold something all through block b; predicates apart. Addresses in parts are counted whole: more than
 * ptxas needs. */
static int live_through(const struct sim_flow *f, int b)
{
    int n = 0;
    for (int w = 0; w < f->words; w++)
        for (uint64_t left =
                 f->in [(size_t)b * (size_t)f->words + (size_t) w] & f->out[(size_t)b * (size_t)f->words + (size_t)w];
             left; left &= left - 1) {
            int r = w * 64 + __builtin_ctzll(left);
            n += f->l->cls[r] / 4;
        }
    return n;
}

enum rg_status rg__sim_flow(struct sim_lower *l, const int *labels, int n_labels, const bool *rolled)
{
    struct sim_flow flow, *f = &flow;
    memset(f, 0, sizeof *f);
    f->l = l;
    f->k = l->k;
    make_blocks(f, labels, n_labels);
    f->rolled = rg_xcalloc((size_t)f->nb, sizeof *f->rolled);
    for (int b = 0; b < f->nb; b++) f->rolled[b] = rolled[f->first[b]];
    f->words = (l->n_regs + 63) / 64 + 1;
    size_t words = (size_t)f->nb * (size_t)f->words;
    if (words > (size_t)8 << 20) {
        l->k->unsupported = true;
        snprintf(l->k->why, sizeof l->k->why, "a kernel of %d registers and %d basic blocks", l->n_regs, f->nb);
    } else {
        f->use = rg_xmalloc(words * 8 * 4);
        f->def = f->use + words;
        f->in = f->def + words;
        f->out = f->in + words;
        f->n_defs = rg_xmalloc(sizeof(int) * (size_t)(l->n_regs + 1) * 2);
        f->n_uses = f->n_defs + l->n_regs + 1;
        f->dead = rg_xcalloc((size_t)f->n, sizeof *f->dead);
        rg__sim_liveness(f);
        count_all(f);
        rg__sim_remove_copies(f);
        count_all(f);
        rg__sim_remove_repeats(f);
        count_all(f);
        rg__sim_remove_dead(f);
        if (l->flat.n_calls) {
            rg__sim_liveness(f);
            rg__sim_frames(f);
        }
        int regs = l->k->has_attributes ? l->k->attributes.regs : 40, in_flight = regs > 18 ? regs - 12 : 6;
        rg__sim_liveness(f);
        f->leader = rg_xmalloc(sizeof *f->leader * (size_t)f->n);
        f->unroll = rg_xmalloc(sizeof *f->unroll * (size_t)f->nb);
        memset(f->leader, -1, sizeof *f->leader * (size_t)f->n);
        for (int b = 0; b < f->nb; b++) {
            int room = regs - live_through(f, b) - 4;
            rg__sim_schedule(f->k, f->first[b], f->first[b + 1], f->dead, l->n_regs,
                             room < 8           ? 8
                             : room < in_flight ? room
                                                : in_flight);
            rg__sim_merge_shared(f->k, f->first[b], f->first[b + 1], f->dead, f->leader);
            f->unroll[b] = 1;
            rg__sim_mark_unrolled(f, b);
        }
        rg__sim_mark_predicated(f, in_flight);
        rg__sim_liveness(f);
        for (int i = 0; i < f->n; i++)
            if (!f->dead[i]) rg__sim_visit(f->k, &f->k->code[i], mark_const, f->k);
        int32_t *slot = assign(f);
        count_all(f);
        rg__sim_mark_independent(f, slot);
        rg__sim_mark_rounds(f);
        rg__sim_mark_steering(f);
        if (l->k->unsupported) {
        } else if (l->k->frame_bytes < 0) {
            l->k->unsupported = true;
            snprintf(l->k->why, sizeof l->k->why, "a kernel of %d registers", l->n_regs);
        } else {
            write_code(f, slot);
            rg__sim_mark_latches(l->k);
        }
        free(slot);
    }
    free(f->rolled);
    free(f->use);
    free(f->n_defs);
    free(f->dead);
    free(f->leader);
    free(f->kept);
    free(f->unroll);
    free(f->region);
    free(f->polls);
    free(f->meets);
    free(f->equal);
    free(f->steers);
    free(f->first);
    free(f->block_of);
    return RG_OK;
}
