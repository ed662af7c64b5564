/* Small loops that ptxas unrolls: bodies of one basic block without barriers. What that changes is marked for the
 * estimate: loads of several iterations are under way together, loop control is paid once, neighbouring shared accesses
 * of successive iterations become wide ones. Nothing is unrolled here. */
#include "runtime/sim/lower/flow.h"
#include <stdlib.h>
#include <string.h>

static bool is_load(const struct sim_inst *in)
{
    return in->op == SIM_LDG || in->op == SIM_LDG32 || in->op == SIM_LDS || in->op == SIM_LDS32 || in->op == SIM_LDL ||
           in->op == SIM_LDX;
}

struct set {
    int32_t regs[256];
    int n;
    bool hit, full;
};
static bool has(const struct set *s, int32_t r)
{
    for (int i = 0; i < s->n; i++)
        if (s->regs[i] == r) return true;
    return false;
}
static void add(struct set *s, int32_t r)
{
    if (r < 0 || has(s, r)) return;
    if (s->n == 256)
        s->full = true;
    else
        s->regs[s->n++] = r;
}
static void defines(void *arg, int32_t *o, bool is_def)
{
    struct set *s = arg;
    if (is_def && has(s, *o)) s->hit = true;
}
static void add_sources(void *arg, int32_t *o, bool is_def)
{
    if (!is_def) add(arg, *o);
}

/* What register r advances by in one iteration: the constant of the only in-place addition to it; 0 none. */
static int64_t advance(const struct sim_flow *f, int b, int32_t r)
{
    int64_t by = 0;
    for (int i = f->first[b]; i < f->first[b + 1]; i++) {
        const struct sim_inst *in = &f->k->code[i];
        if (f->dead[i] || in->d != r) continue;
        if ((in->op != SIM_ADD32 && in->op != SIM_ADD64) || in->a != r || in->b > -2 || by) return 0;
        const struct sim_const *c = &f->k->consts[-in->b - 2];
        if (c->kind != SIM_K_BITS) return 0;
        by = c->bytes == 8 ? (int64_t)c->bits : (int32_t)c->bits;
    }
    return by;
}

/* The pointer an address is made of: itself, or what a narrowing in this block reads. */
static int32_t pointer(const struct sim_flow *f, int b, int32_t r)
{
    for (int i = f->first[b]; i < f->first[b + 1]; i++)
        if (!f->dead[i] && f->k->code[i].d == r && f->k->code[i].op == SIM_CVTU32U64) return f->k->code[i].a;
    return r;
}

/* Shared loads that together read on without a gap, iteration after iteration: each counts as a part of a 16-byte
 * access. */
static void mark_streams(struct sim_flow *f, int b)
{
    for (int i = f->first[b]; i < f->first[b + 1]; i++) {
        struct sim_inst *in = &f->k->code[i];
        if (f->dead[i] || in->op != SIM_LDS32 || in->group) continue;
        int32_t p = pointer(f, b, in->a);
        int64_t by = advance(f, b, p);
        if (by != 4 && by != 8 && by != -4 && by != -8) continue;
        bool neighbour = by == 4 || by == -4;
        for (int j = f->first[b]; j < f->first[b + 1] && !neighbour; j++) {
            const struct sim_inst *o = &f->k->code[j];
            int64_t d = o->imm - in->imm;
            neighbour = !f->dead[j] && o->op == SIM_LDS32 && (d == 4 || d == -4) && pointer(f, b, o->a) == p;
        }
        if (neighbour) in->flags |= SIM_F_STREAM;
    }
}

/* Is the loop's condition a comparison with a constant? Then ptxas knows how often it runs. */
static bool constant_bound(const struct sim_flow *f, int b, int32_t condition)
{
    for (int i = f->first[b]; i < f->first[b + 1]; i++) {
        const struct sim_inst *in = &f->k->code[i];
        if (f->dead[i] || in->d != condition) continue;
        int32_t c = in->b <= -2 ? in->b : in->a <= -2 ? in->a : 0;
        return c && f->k->consts[-c - 2].kind == SIM_K_BITS;
    }
    return false;
}

bool rg__sim_mark_early(struct sim_flow *f, int first, int end)
{
    struct sim_kernel *k = f->k;
    struct set early = {.n = 0};
    for (int i = first; i < end; i++) {
        struct sim_inst *in = &k->code[i];
        if (f->dead[i] || !is_load(in)) continue;
        in->flags |= SIM_F_EARLY;
        add(&early, in->a);
    }
    for (bool more = true; more && !early.full;) {
        more = false;
        for (int i = first; i < end; i++) {
            struct sim_inst *in = &k->code[i];
            if (f->dead[i] || (in->flags & SIM_F_EARLY) || is_load(in) || in->op == SIM_BRAP) continue;
            early.hit = false;
            rg__sim_visit(k, in, defines, &early);
            if (!early.hit) continue;
            in->flags |= SIM_F_EARLY;
            rg__sim_visit(k, in, add_sources, &early);
            more = true;
        }
    }
    return !early.full;
}

void rg__sim_mark_unrolled(struct sim_flow *f, int b)
{
    struct sim_kernel *k = f->k;
    int first = f->first[b], end = f->first[b + 1], n = 0, loads = 0;
    const struct sim_inst *last = &k->code[end - 1];
    if (f->dead[end - 1] || last->op != SIM_BRAP || last->imm != first) return;
    bool stores = false;
    for (int i = first; i < end; i++) {
        const struct sim_inst *in = &k->code[i];
        if (f->dead[i]) continue;
        n++;
        loads += is_load(in);
        switch (in->op) {
        case SIM_BAR:
        case SIM_WARPSYNC:
        case SIM_ATOM:
        case SIM_FENCE:
        case SIM_CPASYNC:
        case SIM_SHFL:
        case SIM_VOTE:
        case SIM_MATCH:
        case SIM_MMA:
        case SIM_WMMA:
        case SIM_WMMALD:
        case SIM_WMMAST:
            return;
        case SIM_STG:
        case SIM_STG32:
        case SIM_STS:
        case SIM_STS32:
        case SIM_STL:
        case SIM_STX:
            stores = true;
            break;
        default:
            break;
        }
        if (in->flags & SIM_F_ORDERED) return;
    }
    /* NVVM has unrolled what it could; ptxas goes on where the body is small and only reads. */
    if (!loads || stores || f->rolled[b]) return;
    if (constant_bound(f, b, last->a)) mark_streams(f, b);
    f->unroll[b] = loads >= 8 ? 1 : n <= 24 ? 4 : n <= 48 ? 2 : 1;
    if (loads >= 4 && f->unroll[b] > 2) f->unroll[b] = 2; /* NVVM did it */
    if (f->unroll[b] == 1) return;
    rg__sim_mark_early(f, first, end);
    struct set control = {.n = 0};
    /* Control: the branch, its comparison, additions of constants in place. */
    k->code[end - 1].flags |= SIM_F_CONTROL;
    add(&control, last->a);
    for (int i = first; i < end; i++) {
        struct sim_inst *in = &k->code[i];
        if (f->dead[i]) continue;
        control.hit = false;
        rg__sim_visit(k, in, defines, &control);
        bool step = (in->op == SIM_ADD32 || in->op == SIM_ADD64) && in->d == in->a && in->b <= -2;
        if (control.hit || step) in->flags |= SIM_F_CONTROL;
    }
}
