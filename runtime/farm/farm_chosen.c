/* Sizes that nobody asked for. What an init function makes may be meant for others alone (meshes of a square number of
 * points, matrices of as many rows as columns); and a function may want more than the least of them (windows, halos,
 * two samples for a variance). Where the user's C gives nothing to compare with there, ends, or leaves its arrays, they
 * are left out, unless no size is left: then that is what is wrong with the function.
 */
#include "runtime/farm/farm.h"
#include <rg/file.h>
#include <rg/log.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool nobodys(const struct rg_farm *f, const struct rg_case *c)
{
    return f->problem->sizes[c->size].chosen;
}

/* Without an init function a size is left out as too small alone: others work, and each is clearly larger. Where nobody
 * stated the extents, what is wrong may be these. */
static bool may_leave_out(const struct rg_farm *f, const bool *bad, const bool *good)
{
    const struct rg_problem *p = f->problem;
    if (p->extent_note) return false;
    if (p->init_function) return true;
    for (int i = 0; i < p->n_sizes; i++)
        for (int k = 0; k < p->n_sizes && bad[i]; k++)
            if (good[k] && p->sizes[k].work < 2 * p->sizes[i].work) return false;
    return true;
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
    const size_t sizes = (size_t)f->problem->n_sizes + 1;
    const struct farm_fill **why = rg_xcalloc(sizes, sizeof *why);
    bool *bad = rg_xcalloc(2 * sizes, sizeof *bad), *good = bad + sizes;
    for (int i = 0; i < *n_fills; i++) {
        if (rg__farm_unfit(f, fills[i]))
            why[fills[i]->c.size] = fills[i], bad[fills[i]->c.size] = true;
        else
            good[fills[i]->c.size] = true;
    }
    for (size_t i = 0; i < sizes; i++) good[i] = good[i] && !bad[i];
    bool may = may_leave_out(f, bad, good);
    free(bad);
    for (int i = 0; i < *n_fills && may; i++)
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

/* A simulated device interprets: what the C does in a second takes it minutes, and how much work data make is seen when
 * the C runs, not before. Of the sizes that nobody asked for, and of the timed one, which is verified because little
 * work was counted there, those stay for which one candidate takes a small part of the time, and in any case two
 * inputs. */
void rg__farm_drop_costly(struct rg_farm *f, struct farm_fill **fills)
{
    enum { LEAST = 2 };
    const double slower = 100, share = 0.125;
    double left_s = share * (f->o.until - rg_now());
    int n = 0;
    if (!f->simulated || f->o.until <= 0) return;
    for (int i = 0; i < f->n_cases; i++) { /* by their work */
        const double s = slower * fmax(fills[i]->seconds, 0);
        const bool spare = nobodys(f, &f->cases[i]) || f->problem->sizes[f->cases[i].size].timed;
        const bool stays = n < LEAST || !spare || s <= left_s;
        if (stays) {
            left_s -= s;
            fills[n] = fills[i];
            f->cases[n++] = f->cases[i];
            continue;
        }
        left_s = 0;
        rg_log(RG_LOG_INFO,
               "no candidate is verified on input %d of a size at which the C takes %.2g s: on the "
               "simulated device that would take most of the time",
               f->cases[i].seed, fills[i]->seconds);
        rg__shm_free(&f->shm, f->cases[i].at);
    }
    f->n_cases = n;
}

/* Those that the access hooks saw, of the sizes that nobody asked for. */
struct seen {
    struct farm_fill *first, **of; /* of: by size, NULL: nobody has looked */
    bool *bad, *good;
};

static void look_at(struct rg_farm *f, struct seen *s)
{
    for (int i = 0; i < f->n_fills; i++) {
        struct farm_fill *x = &f->fills[i];
        if (x->kind != RG_MSG_TOUCH) continue;
        const bool outside = x->violation && nobodys(f, &x->c);
        if (outside && !s->first) s->first = x;
        if (outside || (!s->of[x->c.size] && x->error.status == RG_OK)) s->of[x->c.size] = x;
        s->bad[x->c.size] = s->bad[x->c.size] || outside;
    }
    for (int i = 0; i < f->problem->n_sizes; i++) s->good[i] = s->of[i] && !s->bad[i];
}

enum rg_status rg__farm_drop_outside(struct rg_farm *f, struct rg_error *err)
{
    bool any = false, random = !f->problem->init_function;
    for (int i = 0; i < f->n_cases; i++) any = any || nobodys(f, &f->cases[i]);
    if (!any) return RG_OK;
    enum rg_status s = rg__farm_hooks_wait(f, err);
    if (s != RG_OK) return s;
    const size_t sizes = (size_t)f->problem->n_sizes + 1;
    struct farm_fill **of = rg_xcalloc(sizes, sizeof *of);
    bool *flags = rg_xcalloc(2 * sizes, sizeof *flags);
    struct seen seen = {NULL, of, flags, flags + sizes};
    look_at(f, &seen);
    int left = 0, n = 0;
    bool may = seen.first && may_leave_out(f, seen.bad, seen.good);
    for (int i = 0; i < f->n_cases && may; i++)
        left += seen.good[f->cases[i].size] || (!random && !nobodys(f, &f->cases[i]));
    for (int i = 0, last = -1; i < f->n_cases && left; i++) {
        const struct rg_case c = f->cases[i];
        /* of what an init function makes where nobody has looked, it may be the same */
        if (!nobodys(f, &c) || seen.good[c.size] || (random && !seen.bad[c.size]))
            f->cases[n++] = c;
        else if (c.size == last)
            rg__shm_free(&f->shm, c.at);
        else
            leave_out(f, &c, seen.of[c.size] ? &seen.of[c.size]->error : &seen.first->error);
        last = c.size;
    }
    if (left) {
        f->n_cases = n;
        for (int i = 0; i < f->n_late && !random; i++)
            if (nobodys(f, &f->late[i].c)) rg__farm_late_drop(f, &f->late[i], &seen.first->error);
        for (int i = 0; i < f->n_fills; i++)
            if (f->fills[i].kind == RG_MSG_TOUCH && nobodys(f, &f->fills[i].c)) f->fills[i].violation = false;
    }
    free(flags);
    free(of);
    return RG_OK;
}
