/* Control and address slice: which loads decide where a kernel goes or what it touches: their values reach a branch,
 * an address or a barrier's number, through registers, shared or local memory. A sampled launch finds in memory what
 * the sampled blocks of earlier ones left; that does no harm unless such a load reads it (sample.c). */
#include "runtime/sim/lower/flow.h"
#include <stdlib.h>

struct steer {
    struct sim_flow *f;
    unsigned char *wanted; /* a register */
    bool inner;            /* what shared and local memory hold */
    bool changed;
    bool any; /* the instruction at hand defines a wanted one */
};

static void want(struct steer *s, int32_t reg)
{
    if (reg < 0 || s->wanted[reg]) return;
    s->wanted[reg] = 1;
    s->changed = true;
}
static void want_source(void *arg, int32_t *o, bool is_def)
{
    if (!is_def) want(arg, *o);
}
static void look(void *arg, int32_t *o, bool is_def)
{
    struct steer *s = arg;
    if (is_def && *o >= 0 && s->wanted[*o]) s->any = true;
}

enum traffic { NONE, OUTER_READ, INNER_READ, INNER_WRITE, OUTER_WRITE };
static enum traffic traffic(const struct sim_inst *in)
{
    switch (in->op) {
    case SIM_LDG:
    case SIM_LDG32:
    case SIM_LDX:
    case SIM_WMMALD:
        return OUTER_READ;
    case SIM_LDS:
    case SIM_LDS32:
    case SIM_LDL:
    case SIM_LDMATRIX:
        return INNER_READ;
    case SIM_STS:
    case SIM_STS32:
    case SIM_STL:
        return INNER_WRITE;
    case SIM_STG:
    case SIM_STG32:
    case SIM_STX:
    case SIM_WMMAST:
        return OUTER_WRITE;
    case SIM_ATOM:
        return in->e == PTX_SHARED ? INNER_READ : OUTER_READ;
    default:
        return NONE;
    }
}

static void visit(struct steer *s, struct sim_inst *in)
{
    struct sim_kernel *k = s->f->k;
    enum traffic t = traffic(in);
    if (in->op == SIM_CALL) return; /* arguments and results are registers that the callee uses and sets */
    s->any = false;
    rg__sim_visit(k, in, look, s);
    if (t != NONE) want(s, in->a); /* an address */
    if (in->op == SIM_CPASYNC) want(s, in->a), want(s, in->b);
    if (in->op == SIM_BRAP) want(s, in->a);
    if (in->op == SIM_BAR) want(s, in->a), want(s, in->b);
    if (t == INNER_READ && s->any && !s->inner) s->inner = s->changed = true;
    if (s->inner && (t == INNER_WRITE || (in->op == SIM_ATOM && in->e == PTX_SHARED)))
        rg__sim_visit(k, in, want_source, s);
    if (t == NONE && s->any) rg__sim_visit(k, in, want_source, s);
}

void rg__sim_mark_steering(struct sim_flow *f)
{
    struct sim_kernel *k = f->k;
    struct steer s = {.f = f, .wanted = rg_xcalloc((size_t)f->l->n_regs + 1, 1)};
    do {
        s.changed = false;
        for (int i = f->n - 1; i >= 0; i--)
            if (!f->dead[i]) visit(&s, &k->code[i]);
    } while (s.changed);
    f->steers = rg_xcalloc((size_t)f->n, sizeof *f->steers);
    for (int i = 0; i < f->n; i++) {
        struct sim_inst *in = &k->code[i];
        if (f->dead[i]) continue;
        s.any = false;
        rg__sim_visit(k, in, look, &s);
        if (traffic(in) == OUTER_READ) f->steers[i] = s.any;
        if (in->op == SIM_CPASYNC) f->steers[i] = s.inner;
    }
    free(s.wanted);
}
