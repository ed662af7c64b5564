/* Sizes that nobody asked for, with inputs that an init function makes: they may be meant for others alone (meshes of a
 * square number of points, matrices of as many rows as columns). Where the user's C gives nothing to compare with
 * there, ends, or leaves its arrays, they are left out, unless no size is left: then that is what is wrong with the
 * function.
 */
#include "runtime/farm/farm.h"
#include <stdlib.h>
#include <string.h>

static bool nobodys(const struct rg_farm *f, const struct rg_case *c)
{
    return f->problem->init_function && f->problem->sizes[c->size].chosen;
}

bool rg__farm_unfit(const struct rg_farm *f, const struct farm_fill *fill)
{
    return fill->undefined || (fill->error.status == RG_INPUT && !fill->random && nobodys(f, &fill->c));
}

/* What is wrong, without the advice that follows: nobody asked for the size. */
static void leave_out(struct rg_farm *f, const struct rg_case *c, const struct rg_error *why)
{
    struct rg_error e = *why;
    char *advice = strstr(e.text, ". ");
    if (advice) *advice = 0;
    rg__farm_leave_out(f, c, &e, 0);
}

void rg__farm_drop_unfit(struct rg_farm *f, struct farm_fill **fills, int *n_fills)
{
    int n = 0, left = 0;
    const struct farm_fill **why = rg_xcalloc((size_t)f->problem->n_sizes + 1, sizeof *why);
    for (int i = 0; i < *n_fills; i++)
        if (rg__farm_unfit(f, fills[i])) why[fills[i]->c.size] = fills[i];
    for (int i = 0; i < *n_fills; i++)
        if (!why[fills[i]->c.size]) fills[left++] = fills[i];
    for (int i = 0, last = -1; i < f->n_cases && left; i++) {
        const struct rg_case c = f->cases[i];
        if (!why[c.size])
            f->cases[n++] = c;
        else if (c.size == last)
            rg__shm_free(&f->shm, c.at);
        else
            leave_out(f, &c, &why[c.size]->error);
        last = c.size;
    }
    if (left) f->n_cases = n, *n_fills = left;
    free(why);
}

enum rg_status rg__farm_drop_outside(struct rg_farm *f, struct rg_error *err)
{
    bool any = false;
    for (int i = 0; i < f->n_cases; i++) any = any || nobodys(f, &f->cases[i]);
    if (!any) return RG_OK;
    enum rg_status s = rg__farm_hooks_wait(f, err);
    if (s != RG_OK) return s;
    struct farm_fill *first = NULL, **seen = rg_xcalloc((size_t)f->problem->n_sizes + 1, sizeof *seen);
    for (int i = 0; i < f->n_fills; i++) {
        struct farm_fill *x = &f->fills[i];
        if (x->kind != RG_MSG_TOUCH) continue;
        const bool outside = x->violation && nobodys(f, &x->c);
        if (outside && !first) first = x;
        if (outside || (!seen[x->c.size] && x->error.status == RG_OK)) seen[x->c.size] = x;
    }
    int left = 0, n = 0;
    for (int i = 0; i < f->n_cases && first; i++) {
        const struct farm_fill *x = seen[f->cases[i].size];
        left += !nobodys(f, &f->cases[i]) || (x && !x->violation);
    }
    for (int i = 0, last = -1; i < f->n_cases && left; i++) { /* where nobody has looked, it may be the same */
        const struct rg_case c = f->cases[i];
        const struct farm_fill *x = seen[c.size];
        if (!nobodys(f, &c) || (x && !x->violation))
            f->cases[n++] = c;
        else if (c.size == last)
            rg__shm_free(&f->shm, c.at);
        else
            leave_out(f, &c, x ? &x->error : &first->error);
        last = c.size;
    }
    if (left) {
        f->n_cases = n;
        for (int i = 0; i < f->n_late; i++)
            if (nobodys(f, &f->late[i].c)) rg__farm_late_drop(f, &f->late[i], &first->error);
        for (int i = 0; i < f->n_fills; i++)
            if (f->fills[i].kind == RG_MSG_TOUCH && nobodys(f, &f->fills[i].c)) f->fills[i].violation = false;
    }
    free(seen);
    return RG_OK;
}
