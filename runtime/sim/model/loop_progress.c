/* How far a block that is too long to be run has come: its loops compare a counter with a bound, and the distance
 * between them shrinks at a steady rate. */
#include "runtime/sim/calls.h"
#include "runtime/sim/model/estimate.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The comparison that decides the branch ending basic block b; NULL: none that counts. */
static const struct sim_inst *latch(const struct sim_kernel *k, int b, bool ahead)
{
    int64_t at = ahead ? k->blocks[b].leaves : k->blocks[b].latch;
    return at >= 0 ? &k->code[at] : NULL;
}

/* What the comparison sees in a slot. */
static double value(const struct sim_warp *w, const struct sim_inst *compare, int32_t slot)
{
    int lane = __builtin_ctz(w->live);
    switch (compare->op) {
    case SIM_LTU32:
    case SIM_LEU32:
        return (double)sim_u32(w, slot)[lane];
    case SIM_LTU64:
    case SIM_LEU64:
        return (double)sim_u64(w, slot)[lane];
    default:
        return compare->op >= SIM_EQ64 ? (double)(int64_t)sim_u64(w, slot)[lane]
                                       : (double)(int32_t)sim_u32(w, slot)[lane];
    }
}

/* Code of a function that calls itself: its counters are those of one of many activations. */
static bool in_recursion(const struct sim_kernel *k, int64_t pc)
{
    return k->n_bodies && pc >= k->bodies[0].first;
}

/* Where the warp is; while it is in such a function, where the kernel called that. */
static int64_t place(const struct sim_run *run, const struct sim_warp *w)
{
    int64_t pc = w->splits[0].pc;
    return in_recursion(run->k, pc)
               ? *rg__sim_return_of(w, (uint32_t)run->k->stack_first, __builtin_ctz(w->splits[0].mask)) - 1
               : pc;
}

/* Of the warp that has come furthest. */
static double distance(const struct sim_block *blocks, int n, const struct sim_inst *in)
{
    double least = INFINITY;
    for (int q = 0; q < n; q++)
        for (int i = 0; blocks[q].active && i < blocks[q].n_warps; i++) {
            const struct sim_warp *w = &blocks[q].warps[i];
            if (w->state == SIM_WARP_DONE || !w->live) continue;
            least = fmin(least, fabs(value(w, in, in->a) - value(w, in, in->b)));
        }
    return least;
}

void rg__sim_progress_note(const struct sim_run *run, const struct sim_block *blocks, int n, struct sim_progress *p)
{
    p->work = run->work;
    p->n = 0;
    for (int ahead = 0; ahead < 2; ahead++)
        for (int i = 0;
             i < run->k->n_blocks && !in_recursion(run->k, run->k->blocks[i].first) && p->n < SIM_MAX_LATCHES; i++) {
            const struct sim_inst *in = run->counts[i].warps ? latch(run->k, i, ahead) : NULL;
            if (in) p->latches[p->n++] = (struct sim_latch){i, ahead, run->counts[i].warps, distance(blocks, n, in)};
        }
}

/* Code between where the branch goes and where it stands: a loop around another has more. */
static int64_t span(const struct sim_kernel *k, int b)
{
    int64_t at = k->blocks[b].first + k->blocks[b].n - 1;
    return llabs(at - k->code[at].imm);
}

/* ---- a loop of equal rounds ---- */

static bool encloses(const struct sim_kernel *k, int outer, int inner)
{
    int64_t end = k->blocks[outer].first + k->blocks[outer].n - 1, at = k->blocks[inner].first + k->blocks[inner].n - 1;
    if (k->blocks[outer].n < 1 || (k->code[end].op != SIM_BRAP && k->code[end].op != SIM_BRA)) return false;
    return k->code[end].imm <= k->code[at].imm && end > at;
}

int rg__sim_progress_loop(const struct sim_run *run)
{
    const struct sim_kernel *k = run->k;
    for (int b = 0; b < k->n_blocks; b++) {
        bool outermost = k->blocks[b].equal && run->counts[b].warps && latch(k, b, false);
        for (int q = b + 1; q < k->n_blocks && outermost; q++) outermost = !encloses(k, q, b);
        if (outermost) return b;
    }
    return -1;
}

double rg__sim_progress_distance(const struct sim_run *run, const struct sim_block *blocks, int n, int loop)
{
    return distance(blocks, n, latch(run->k, loop, false));
}

/* ---- loops around those that moved: their counters are read off ---- */

struct loop {
    int64_t begin, end;
    double turns;
}; /* turns: of one warp */

/* The one instruction between begin and end that sets the slot; NULL: none or several (*n). */
static const struct sim_inst *setter(const struct sim_kernel *k, const struct loop *l, int32_t slot, int *n)
{
    const struct sim_inst *only = NULL;
    *n = 0;
    for (int64_t x = l->begin; x <= l->end; x++) {
        const struct sim_inst *in = &k->code[x];
        if (in->d == slot && strchr(rg__sim_op_shape(in->op), 'd')) only = (*n)++ ? NULL : in;
    }
    return only;
}

static bool fixed(const struct sim_kernel *k, const struct loop *l, int32_t slot)
{
    int n;
    setter(k, l, slot, &n);
    return !n;
}

/* How a comparison of x goes with a counter: x is that, or the counter a step further. */
struct counter {
    int32_t slot, step; /* slot: holds this round's count */
    bool stepped;       /* a comparison at the loop's end sees the next round's */
};

/* i += s in place; or j = i + s, and i = j at the loop's end or beginning. */
static bool counts(const struct sim_kernel *k, const struct loop *l, const struct sim_inst *compare, int32_t x,
                   struct counter *out)
{
    int n;
    const struct sim_inst *set = setter(k, l, x, &n), *add = set;
    if (!set) return false;
    bool copied = set->op == SIM_MOV32 || set->op == SIM_MOV64;
    if (copied) add = setter(k, l, set->a, &n); /* x is i */
    if (!add || (add->op != SIM_ADD32 && add->op != SIM_ADD64) || !fixed(k, l, add->b) || (copied && add->a != x))
        return false;
    *out = (struct counter){x, add->b, copied ? add < set && set < compare : set < compare};
    if (copied || add->a == x) return true;
    const struct sim_inst *back = setter(k, l, add->a, &n); /* x is j */
    *out = (struct counter){add->a, add->b, true};
    return back && (back->op == SIM_MOV32 || back->op == SIM_MOV64) && back->a == x;
}

/* Turns after the one the warp is in, as the comparison (last: at the loop's end) has it; < 0: it tells nothing. */
static double turns_after(const struct sim_kernel *k, const struct loop *l, const struct sim_inst *compare, bool last,
                          const struct sim_warp *w)
{
    int32_t bound = compare->b;
    struct counter c;
    if (!fixed(k, l, bound) || !counts(k, l, compare, compare->a, &c)) {
        bound = compare->a;
        if (!fixed(k, l, bound) || !counts(k, l, compare, compare->b, &c)) return -1;
    }
    bool wide = compare->op >= SIM_EQ64; /* what is added may be below 0 where counts are not */
    int lane = __builtin_ctz(w->live);
    double by = wide ? (double)(int64_t)sim_u64(w, c.step)[lane] : (double)(int32_t)sim_u32(w, c.step)[lane];
    double turns =
        by != 0 ? ceil((value(w, compare, bound) - value(w, compare, c.slot)) / by) - !(last && !c.stepped) : -1;
    return isfinite(turns) ? turns : -1;
}

/* Of all the comparisons that end the loop the one that does so first; < 0: none counts. */
static double rounds(const struct sim_kernel *k, const struct loop *l, const struct sim_warp *w)
{
    double least = -1;
    for (int b = 0; b < k->n_blocks; b++) {
        int64_t at = k->blocks[b].first + k->blocks[b].n - 1;
        if (k->blocks[b].n < 1 || at < l->begin || at > l->end || k->code[at].op != SIM_BRAP) continue;
        int64_t to = k->code[at].imm;
        if (to != l->begin && to <= l->end) continue;
        const struct sim_inst *compare = latch(k, b, to != l->begin);
        double n = compare ? turns_after(k, l, compare, to == l->begin, w) : -1;
        if (n >= 0 && (least < 0 || n < least)) least = n;
    }
    return least;
}

/* The smallest loop that is longer than `longer` and in which the warp and the instruction at `inside` are. */
static bool around(const struct sim_run *run, const struct sim_warp *w, int64_t inside, int64_t longer, double warps,
                   struct loop *out)
{
    const struct sim_kernel *k = run->k;
    int64_t pc = place(run, w);
    bool found = false;
    for (int b = 0; b < k->n_blocks; b++) {
        int64_t at = k->blocks[b].first + k->blocks[b].n - 1;
        if (k->blocks[b].n < 1 || (k->code[at].op != SIM_BRAP && k->code[at].op != SIM_BRA)) continue;
        int64_t begin = k->code[at].imm;
        if (begin > at || begin > pc || at < pc || begin > inside || at < inside || at - begin <= longer ||
            (found && at - begin >= out->end - out->begin))
            continue;
        *out = (struct loop){begin, at, (double)run->counts[b].warps / warps};
        found = true;
    }
    return found;
}

/* Marks the basic blocks that may run after the one that holds `at`. */
static void follow(const struct sim_kernel *k, int64_t at, bool *seen)
{
    int *todo = rg_xcalloc((size_t)k->n_blocks * 2 + 2, sizeof *todo), n = 0;
    int64_t to[2] = {at, -1};
    for (;;) {
        for (int q = 0; q < 2; q++) /* the block of an instruction: the last that begins at or before it, a mark stands
                                       in front of the first */
            for (int b = k->n_blocks - 1; b >= 0 && to[q] >= 0; b--)
                if (k->blocks[b].first - 1 <= to[q]) {
                    if (!seen[b]) seen[b] = true, todo[n++] = b;
                    break;
                }
        if (!n) break;
        const struct sim_block_info *info = &k->blocks[todo[--n]];
        const struct sim_inst *last = info->n > 0 ? &k->code[info->first + info->n - 1] : NULL;
        to[0] = last && (last->op == SIM_BRA || last->op == SIM_BRAP || last->op == SIM_CALL) ? last->imm : -1;
        to[1] =
            last && (last->op == SIM_BRA || last->op == SIM_EXIT || last->op == SIM_RET) ? -1 : info->first + info->n;
    }
    free(todo);
}

/* A loop that comes after where the warp is and has not begun: nobody knows how long it takes. Shorter code than that
 * of the loop at hand is what unrolling leaves over. */
static bool unseen_loop(const struct sim_run *run, const struct sim_warp *w, int64_t shortest)
{
    const struct sim_kernel *k = run->k;
    bool *seen = rg_xcalloc((size_t)k->n_blocks + 1, sizeof *seen), found = false;
    const int64_t pc = place(run, w);
    follow(k, pc, seen);
    for (int b = 0; b < k->n_blocks && !found; b++) {
        int64_t at = k->blocks[b].first + k->blocks[b].n - 1;
        found = seen[b] && k->blocks[b].n > 0 && !run->counts[b].warps &&
                (k->code[at].op == SIM_BRAP || k->code[at].op == SIM_BRA || k->code[at].op == SIM_CALL) &&
                k->code[at].imm <= at && !(k->code[at].imm <= pc && pc <= at) && at - k->code[at].imm >= shortest;
    }
    free(seen);
    return found;
}

static const struct sim_warp *any_warp(const struct sim_block *blocks, int n, double *warps)
{
    const struct sim_warp *one = NULL;
    *warps = 0;
    for (int q = 0; q < n; q++)
        for (int i = 0; blocks[q].active && i < blocks[q].n_warps; i++) {
            const struct sim_warp *w = &blocks[q].warps[i];
            ++*warps;
            if (!one && w->live && w->state != SIM_WARP_DONE) one = w;
        }
    return one;
}

/* The outermost loop that moved says how much is left of it. Not the one with the fewest turns: a loop inside may be
 * left at once most of the times. The loops around it hardly moved: a round of theirs is all that ran and is left, over
 * the rounds begun. */
double rg__sim_progress_left(const struct sim_run *run, const struct sim_block *blocks, int n,
                             const struct sim_progress *then, double ran, bool *unsure)
{
    double left = 0, warps;
    int64_t widest = 0, inside = -1;
    bool queue = false;
    for (int i = 0; i < then->n; i++) {
        const struct sim_latch *l = &then->latches[i];
        if (l->ahead && left > 0) break; /* a queue has no counted loop; elsewhere such a test may be anything */
        uint64_t turns = run->counts[l->block].warps - l->turns;
        double now = distance(blocks, n, latch(run->k, l->block, l->ahead)), moved = l->distance - now;
        if (turns < 2 || !(moved > 0) || !isfinite(moved) || span(run->k, l->block) <= widest) continue;
        widest = span(run->k, l->block);
        inside = run->k->blocks[l->block].first;
        queue = l->ahead;
        left = now / moved * (run->work - then->work);
    }
    const struct sim_warp *w = any_warp(blocks, n, &warps);
    if (!w || w->n_splits < 1) return left;
    *unsure = *unsure || inside < 0 || unseen_loop(run, w, widest);
    if (inside < 0) inside = place(run, w);
    struct loop l = {0};
    if (queue && around(run, w, inside, 0, warps, &l)) widest = l.end - l.begin; /* it is that loop's own end */
    for (; around(run, w, inside, widest, warps, &l); widest = l.end - l.begin) {
        double more = rounds(run->k, &l, w);
        if (more < 0)
            *unsure = true;
        else
            left += more * (ran + left) / (floor(l.turns) + 1);
    }
    return left;
}

bool rg__sim_progress_after(const struct sim_run *run, const struct sim_block *blocks, int n, int loop)
{
    double warps;
    const struct sim_warp *w = any_warp(blocks, n, &warps);
    return !w || w->n_splits < 1 || unseen_loop(run, w, span(run->k, loop));
}
