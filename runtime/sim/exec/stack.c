/* The stack of a thread at work (calls.h). */
#include "runtime/sim/calls.h"
#include "runtime/sim/check/check.h"
#include "runtime/sim/model/estimate.h"
#include <string.h>

#define LANES(i, m)                                                                                                    \
    for (uint32_t left_ = (m), i; left_ && ((i = (uint32_t)__builtin_ctz(left_)), 1); left_ &= left_ - 1)

uint32_t rg__sim_stack_enter(const struct sim_run *run, struct sim_warp *w, const struct sim_inst *in, uint32_t mask)
{
    const struct sim_kernel *k = run->k;
    const struct sim_call *c = &k->calls[in->p];
    uint32_t *sp = sim_u32(w, in->a), over = 0, high = 0;
    int32_t back = (int32_t)(in - k->code) + 1;
    LANES(i, mask)
    {
        uint32_t to = sp[i] + (uint32_t)c->frame;
        sp[i] = to;
        if ((int64_t)to + c->callee_frame > k->stack_top) {
            over |= (uint32_t)1 << i;
            continue;
        }
        *rg__sim_return_of(w, to, (int)i) = back;
        if (to > high) high = to;
    }
    if ((int64_t)high + c->callee_frame > w->stack_high) w->stack_high = (int64_t)high + c->callee_frame;
    return over;
}

/* Word `at` of a lane's memory: of all lanes when they are side by side. */
static uint32_t *words(const struct sim_warp *w, uint64_t at)
{
    return (uint32_t *)(void *)(w->local + at * 32);
}

/* Whether all lanes of the mask have one sp. */
static bool level(const uint32_t *sp, uint32_t mask)
{
    uint32_t first = sp[__builtin_ctz(mask)];
    LANES(i, mask) if (sp[i] != first) return false;
    return true;
}

#define ON(i) (0u - (mask >> (i)&1))
#define MIX(i, to, from) (((to) & ~ON(i)) | ((from)&ON(i)))
#define EACH(expr_level, expr_lane)                                                                                    \
    if (even) {                                                                                                        \
        uint32_t *m = words(w, at + sp[first]);                                                                        \
        for (uint32_t i = 0; i < 32; i++) {                                                                            \
            expr_level;                                                                                                \
        }                                                                                                              \
    } else                                                                                                             \
        LANES(i, mask)                                                                                                 \
        {                                                                                                              \
            uint32_t *m = words(w, at + sp[i]);                                                                        \
            expr_lane;                                                                                                 \
        }

void rg__sim_stack_save(struct sim_run *run, struct sim_warp *w, const struct sim_inst *in, uint32_t mask)
{
    const struct sim_call *c = &run->k->calls[in->p];
    const int32_t *slot = run->k->aux + c->aux;
    const uint32_t *sp = sim_u32(w, in->a);
    const bool even = level(sp, mask);
    const int first = __builtin_ctz(mask);
    uint64_t at = (uint64_t)c->save;
    for (int v = 0; v < c->n64; v++, slot++, at += 8) {
        const uint64_t *r = sim_u64(w, *slot);
        EACH((m[i] = MIX(i, m[i], (uint32_t)r[i]), m[32 + i] = MIX(i, m[32 + i], (uint32_t)(r[i] >> 32))),
             (m[i] = (uint32_t)r[i], m[32 + i] = (uint32_t)(r[i] >> 32)))
    }
    for (int v = 0; v < c->n32; v++, slot++, at += 4) {
        const uint32_t *r = sim_u32(w, *slot);
        EACH(m[i] = MIX(i, m[i], r[i]), m[i] = r[i])
    }
    for (int v = 0; v < c->n_preds; v++, slot++, at += 4) {
        uint32_t p = *sim_u32(w, *slot);
        EACH(m[i] = MIX(i, m[i], p >> i & 1), m[i] = p >> i & 1)
    }
    if (run->estimating && at > (uint64_t)c->save)
        rg__sim_note_stack(run, w, sp, mask, (uint64_t)c->save, (int)(at - (uint64_t)c->save), true);
}

void rg__sim_stack_restore(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                           uint32_t mask)
{
    const struct sim_call *c = &run->k->calls[in->p];
    const int32_t *slot = run->k->aux + c->aux + c->n;
    uint32_t *sp = sim_u32(w, in->a);
    if (sim_checking(run)) /* the callee's frame is left */
        LANES(i, mask) rg__sim_define(run, b, w, (int)i, SIM_AT_LOCAL, sp[i], (int)c->callee_frame, false);
    LANES(i, mask) sp[i] -= (uint32_t)c->frame;
    const bool even = level(sp, mask);
    const int first = __builtin_ctz(mask);
    uint64_t at = (uint64_t)c->save;
    for (int v = 0; v < c->n64; v++, slot++, at += 8) {
        uint64_t *r = sim_u64(w, *slot);
        EACH(if (mask >> i & 1) r[i] = m[i] | (uint64_t)m[32 + i] << 32, r[i] = m[i] | (uint64_t)m[32 + i] << 32)
    }
    for (int v = 0; v < c->n32; v++, slot++, at += 4) {
        uint32_t *r = sim_u32(w, *slot);
        EACH(r[i] = MIX(i, r[i], m[i]), r[i] = m[i])
    }
    for (int v = 0; v < c->n_preds; v++, slot++, at += 4) {
        uint32_t p = 0;
        EACH(p |= (m[i] & 1) << i, p |= m[i] << i) /* words of lanes that are elsewhere hold anything */
        sim_set_pred(w, *slot, mask, p);
    }
    if (run->estimating && at > (uint64_t)c->save)
        rg__sim_note_stack(run, w, sp, mask, (uint64_t)c->save, (int)(at - (uint64_t)c->save), false);
}

void rg__sim_stack_pass(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                        uint32_t mask)
{
    const uint32_t *sp = sim_u32(w, in->a);
    LANES(i, mask)
    {
        uint64_t from = sp[i] + (uint64_t)(int64_t)in->b, to = sp[i] + (uint64_t)(int64_t)in->c;
        for (int64_t n = 0; n < in->imm; n++, from++, to++) {
            ((char *)(words(w, to & ~(uint64_t)3) + i))[to & 3] =
                ((const char *)(words(w, from & ~(uint64_t)3) + i))[from & 3];
            if (sim_checking(run))
                rg__sim_define(run, b, w, (int)i, SIM_AT_LOCAL, to, 1,
                               !rg__sim_undefined(run, b, w, (int)i, SIM_AT_LOCAL, from, 1));
        }
    }
    if (run->estimating) rg__sim_note_stack(run, w, sp, mask, (uint64_t)(int64_t)in->b, (int)in->imm, in->x == 0);
}

void rg__sim_stack_fault(struct sim_run *run, const struct sim_block *b, const struct sim_warp *w,
                         const struct sim_inst *in, int lane, int depth)
{
    const struct sim_kernel *k = run->k;
    char name[100];
    rg__sim_plain_name(k->calls[in->p].callee, name, sizeof name);
    rg__sim_fault(run, b, w, lane, in, RG_OUTCOME_CRASH,
                  "stack overflow: %d calls deep, a call of '%s' finds no room in the %lld bytes of a thread's stack",
                  depth, name, (long long)(k->stack_top - k->stack_base));
}

uint64_t rg__sim_stack_in_use(const struct sim_run *run, const struct sim_warp *w, const struct sim_inst *in, int lane)
{
    const struct sim_kernel *k = run->k;
    int64_t pc = in - k->code;
    uint64_t end = (uint64_t)k->stack_first;
    for (int i = 0; i < k->n_bodies && k->bodies[i].first <= pc; i++)
        end = sim_u32(w, k->sp)[lane] + (uint64_t)k->bodies[i].frame;
    return end;
}
