/* Which legal actions are worth a place among those that a search tries: every one costs compilations and runs. What is
 * left out here can still be asked for by name. */
#include "poly/steps/steps.h"
#include <ctype.h>
#include <string.h>

/* The text of a program, for comparison. */
static void text_of(const struct poly_program *p, const struct poly_actions *e, const struct poly_step *const *steps,
                    struct rg_buf *out)
{
    struct rg_arena a = {0};
    struct rg_tunables t;
    struct rg_vector v;
    struct poly_values values;
    struct rg_buf plan = RG_BUF_INIT;
    rg__poly_tunables_of(p, e, steps, &a, &t);
    rg_tunables_default(&t, &v);
    rg__poly_values_of(&t, &v, &values);
    if (rg__poly_print_program(p, &values, out, &plan, NULL) == RG_OK) rg_buf_str(out, plan.data);
    rg_buf_release(&plan);
    rg_arena_release(&a);
}

/* Past a comment, and past the number by which copies of one variable differ (i_2). */
static const char *skipped(const char *x)
{
    for (;;) {
        const char *y = x;
        if (x[0] == '/' && x[1] == '/')
            y = strchrnul(x, '\n');
        else if (*x == '_' && isdigit((unsigned char)x[1]))
            for (y = x + 1; isdigit((unsigned char)*y); y++) {
            }
        if (y == x) return x;
        x = y;
    }
}

static bool same_code(const char *x, const char *y)
{
    for (;; x++, y++) {
        x = skipped(x);
        y = skipped(y);
        if (*x != *y) return false;
        if (!*x) return true;
    }
}

bool rg__poly_same_kernels(const struct poly_offer *o, const struct poly_program *other,
                           const struct poly_actions *others)
{
    struct rg_buf x = RG_BUF_INIT, y = RG_BUF_INIT;
    text_of(o->p, o->taken, o->steps, &x);
    text_of(other, others, o->steps, &y);
    bool same = same_code(x.data, y.data);
    rg_buf_release(&x);
    rg_buf_release(&y);
    return same;
}

void rg__poly_before(const struct poly_offer *o, struct poly_actions *before)
{
    *before = *o->parent;
    if (!before->n) rg__poly_actions_add(before, &rg__poly_step_parallelize, "C");
}

bool rg__poly_worth_reordering(const struct poly_offer *o, double slower,
                               const char *(*but)(const struct poly_program *before, const struct poly_program *p),
                               struct rg_reason *why)
{
    struct poly_actions taken;
    struct rg_reason ignored = {0};
    rg__poly_before(o, &taken);
    struct poly_program *before = rg__poly_apply(o->s, &taken, &ignored);
    if (!before) return true;
    const char *no = NULL;
    if (rg__poly_same_kernels(o, before, &taken))
        no = "it would change nothing in the kernels";
    else if (rg__poly_program_time(o->p) > slower * rg__poly_program_time(before))
        no = slower > 1 ? "by estimate it is more than three times slower"
                        : "by estimate the order of the file is faster";
    else if (but)
        no = but(before, o->p);
    if (no) rg_refuse(why, RG_REFUSE_COST, 0, "%s", no);
    rg__poly_program_free(before);
    return !no;
}

bool rg__poly_front_is_faster(const struct poly_offer *o, struct rg_reason *why)
{
    struct poly_actions front = {0};
    struct rg_reason ignored = {0};
    rg__poly_actions_add(&front, &rg__poly_step_wavefront, "C");
    struct poly_program *other = rg__poly_apply(o->s, &front, &ignored);
    if (!other) return false;
    double own = rg__poly_program_time(o->p), fronts = rg__poly_program_time(other);
    bool faster = own > POLY_SLOWER * fronts && !rg__poly_same_kernels(o, other, &front);
    if (faster)
        rg_refuse(why, RG_REFUSE_COST, 0,
                  "by estimate wavefront@C, which leaves the order of the file, is %.0f times faster", own / fronts);
    rg__poly_program_free(other);
    return faster;
}

bool rg__poly_changes_stand_ins_only(const struct poly_offer *o)
{
    const struct poly_program *p = o->p;
    struct rg_reason ignored = {0};
    bool same = o->parent->n > 0;
    for (int i = 0; i < p->n_kernels && same; i++)
        same = p->kernels[i].last_resort || (p->kernels[i].form == POLY_KIR && !p->kernels[i].strides);
    struct poly_program *before = same ? rg__poly_apply(o->s, o->parent, &ignored) : NULL;
    same = before && before->scop == p->scop && before->n_kernels == p->n_kernels;
    for (int i = 0; same && i < p->n_kernels; i++) {
        const struct poly_kernel *x = &p->kernels[i], *y = &before->kernels[i];
        same = x->last_resort == y->last_resort &&
               (x->last_resort || (y->form == POLY_KIR && x->kir == y->kir && x->launch_bounds == y->launch_bounds));
    }
    rg__poly_program_free(before);
    return same;
}
