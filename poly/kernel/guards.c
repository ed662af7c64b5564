/* Conditions of the plan that the device has computed. A plan that reads a number back waits for all before it, which
 * takes as long as several launches: inside its loops kernels ask such a condition themselves, where few launches
 * depend on it, and a loop that goes on by a flag looks at it now and then. */
#include "poly/kernel/mechanisms.h"
#include <string.h>

enum { MOST_LAUNCHES = 8 }; /* that may turn out to be for nothing: about what reading a number back costs */
#define MOST_POINTS 4e6     /* of such a launch: its blocks start and end one after the other */

/* ---- which kernels ---- */

struct launches { /* in their order */
    int n, kernel[MOST_LAUNCHES];
};

/* Kernels and what chooses between them, without loops; false: something else, or too many. */
static bool gather(const struct poly_hnode *h, struct launches *l)
{
    if (h->kind == HN_KERNEL) {
        if (l->n == MOST_LAUNCHES) return false;
        l->kernel[l->n++] = h->kernel;
        return true;
    }
    if (h->kind != HN_SEQ && h->kind != HN_IF) return false;
    for (int i = 0; i < h->n; i++)
        if (!gather(h->kid[i], l)) return false;
    return true;
}

static bool may_ask(const struct poly_program *p, const struct poly_kernel *k)
{
    double points;
    if (k->form == POLY_KIR || k->form == POLY_SORT || k->otherwise >= 0 || k->region || k->last_resort) return false;
    return k->n_guards < POLY_MAX_GUARDS && rg__poly_timed_points(p, k, &points) && points <= MOST_POINTS;
}

static bool sets(const struct poly_program *p, const struct poly_kernel *k, int var)
{
    struct poly_effect e = rg__poly_effect_new(p->scop);
    rg__poly_kernel_effect(p, k, &e);
    bool does = e.written[var];
    rg__poly_effect_free(&e);
    return does;
}

static bool asks(const struct poly_kernel *k, int var)
{
    for (int i = 0; i < k->n_guards; i++)
        if (k->guard[i].var == var && !k->guard[i].negated) return true;
    return false;
}

/* A launch that comes behind one that sets the flag would see the new value: it may not depend on the old one. What
 * sets it is one block, which reads it first. */
static bool may_all_ask(const struct poly_program *p, const struct launches *l, int var)
{
    bool set = false;
    for (int i = 0; i < l->n; i++) {
        const struct poly_kernel *k = &p->kernels[l->kernel[i]];
        if (!asks(k, var) && (set || !may_ask(p, k))) return false;
        if (!sets(p, k, var)) continue;
        if (!rg__poly_runs_once(k)) return false;
        set = true;
    }
    return true;
}

/* In front of those it has: they are of conditions further in, whose flags may be made only where this one holds. */
static void all_ask(struct poly_program *p, const struct launches *l, int var, bool negated)
{
    for (int i = 0; i < l->n; i++) {
        struct poly_kernel *k = &p->kernels[l->kernel[i]];
        if (!negated && asks(k, var)) continue;
        memmove(k->guard + 1, k->guard, sizeof *k->guard * (size_t)k->n_guards++);
        k->guard[0] = (struct poly_guard){var, negated};
    }
}

/* ---- where ---- */

/* The condition becomes the kernels' own. */
static bool branch(struct poly_program *p, struct poly_hnode *h)
{
    const struct rg_cnode *flag = h->node->kid[0];
    struct launches all = {0}, arm = {0};
    if (!rg__poly_plan_flag(p->scop, flag) || !gather(h, &all) || !may_all_ask(p, &all, flag->var)) return false;
    for (int a = 0; a < h->n; a++) {
        arm.n = 0;
        gather(h->kid[a], &arm);
        all_ask(p, &arm, flag->var, a == 1);
    }
    h->kind = HN_SEQ;
    return true;
}

/* Rounds of which somebody has said how many there may be often come to that; of others there may be few. */
static bool round_of(struct poly_program *p, struct poly_hnode *h)
{
    struct launches l = {0};
    const struct rg_cnode *loop = p->scop->loops[h->loop].node, *flag = loop->n > 3 ? loop->kid[3] : NULL;
    bool endless = loop->kid[1]->kind == RG_C_INT && loop->kid[1]->ivalue >= INT32_MAX;
    if (h->region || h->strip || endless || !flag || !rg__poly_plan_flag(p->scop, flag)) return false;
    for (int i = 0; i < h->n; i++)
        if (!gather(h->kid[i], &l)) return false;
    if (!may_all_ask(p, &l, flag->var)) return false;
    all_ask(p, &l, flag->var, false);
    h->seldom = true;
    return true;
}

static bool ask(struct poly_program *p, struct poly_hnode *h, bool looped)
{
    bool any = false;
    if (h->region) return false;
    looped = looped || h->kind == HN_FOR;
    for (int i = 0; i < h->n; i++) any = ask(p, h->kid[i], looped) || any;
    if (looped && h->kind == HN_IF) any = branch(p, h) || any;
    if (h->kind == HN_FOR) any = round_of(p, h) || any;
    return any;
}

void rg__poly_ask_in_kernels(struct poly_program *p)
{
    if (ask(p, p->root, false)) rg__poly_assign_homes(p);
}
