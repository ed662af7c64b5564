/* The access hooks as the supervisor uses them: which cases they watch, what they found, and what follows for the bytes
 * that must move. */
#include "runtime/farm/farm.h"
#include <rg/log.h>
#include <stdio.h>
#include <string.h>

static const double touch_s = 10;        /* of one case */
static const double first_work = 2e8;    /* accesses of the cheapest case, at most: some 10 ns each */
static const double more_work = 5e6;     /* of all others together */
static const double touched_share = 0.1; /* of what is known, as which arrays may count that are touched in part */
enum { SEEDS_A_SIZE = 2 };

static struct farm_worker *hooks_worker(struct rg_farm *f)
{
    for (int i = 0; i < f->n_workers; i++)
        if (f->workers[i].role == FARM_HOOKS) return &f->workers[i];
    return NULL;
}

void rg__farm_hooks_begin(struct rg_farm *f, enum rg_msg_kind kind)
{
    const struct rg_problem *p = f->problem;
    double work = 0;
    int n = 0;
    if (!hooks_worker(f)) return;
    for (int i = 0; i < f->n_cases && n < FARM_TOUCHES; i++) { /* the cheapest sizes come first */
        const struct rg_case *c = &f->cases[i];
        double w = p->sizes[c->size].work;
        if (w < 0) w = (double)c->at.len; /* nobody has counted it: by its data */
        int same = 0;
        for (int k = 0; k < i; k++) same += f->cases[k].size == c->size && !f->cases[k].again;
        if (c->timed || c->again || same >= SEEDS_A_SIZE || w > (n ? more_work - work : first_work)) continue;
        if (!rg__farm_fill(f, kind, c, false, touch_s)) return;
        work += n ? w : 0;
        n++;
    }
}

void rg__farm_hooks_lost(struct rg_farm *f, const char *why)
{
    for (int i = 0; i < f->n_fills; i++) {
        struct farm_fill *fill = &f->fills[i];
        if (fill->kind != RG_MSG_TOUCH || fill->state == FARM_FILL_DONE) continue;
        fill->state = FARM_FILL_DONE;
        rg_error_set(&fill->error, RG_UNAVAILABLE, "%s", why);
    }
}

enum rg_status rg__farm_hooks_wait(struct rg_farm *f, struct rg_error *err)
{
    for (;;) {
        bool open = false;
        for (int i = 0; i < f->n_fills; i++)
            open = open || (f->fills[i].kind == RG_MSG_TOUCH && f->fills[i].state != FARM_FILL_DONE);
        if (!open) return RG_OK;
        enum rg_status s = rg__farm_pump(f, 1, err);
        if (s != RG_OK) return s;
    }
}

enum rg_status rg__farm_hooks_explain(struct rg_farm *f, const struct rg_case *c, const struct rg_error *was,
                                      struct rg_error *err)
{
    struct farm_fill *fill = hooks_worker(f) ? rg__farm_fill(f, RG_MSG_TOUCH, c, false, touch_s) : NULL;
    struct rg_error ignored = RG_ERROR_INIT;
    if (fill && rg__farm_hooks_wait(f, &ignored) == RG_OK &&
        (fill->violation || (fill->error.status == RG_INPUT && fill->error.file[0])))
        return rg__error_move(err, RG_INPUT, &fill->error);
    return rg__error_move(err, was->status, was);
}

/* ---- bytes that must move ---- */

/* What is touched at the verify sizes, as far as it says something about the timed size. */
struct growth {
    double bytes; /* at the timed size */
    bool partly;  /* only some of it is touched, and no rule says which */
};

static const struct rg_touch_set *set_of(const struct farm_fill *fill, int param, bool written)
{
    for (int i = 0; i < fill->n_touches; i++)
        if (fill->touches[i].param == param) return written ? &fill->touches[i].written : &fill->touches[i].read;
    return NULL;
}

static bool filled(const struct farm_fill *fill)
{
    return fill->kind == RG_MSG_TOUCH && fill->error.status == RG_OK && fill->touches;
}

/* The box of `t` in an array with its dimensions at size `z`. */
static double box_at(const struct rg_farm *f, const struct rg_sizes *z, int param, const struct rg_touch_set *t)
{
    const struct rg_param *q = &f->problem->params[param];
    struct rg_problem_env env;
    double n = (double)t->per_element;
    rg_problem_env_init(&env, f->problem, z);
    for (int d = 0; d < t->n_dims; d++) {
        int64_t dim;
        enum rg_status s = t->n_dims == q->n_dims ? rg_expr_eval(q->dims[d], &env.env, &dim, NULL)
                                                  : rg_problem_elements(f->problem, param, z, &dim, NULL);
        if (s != RG_OK) return -1;
        if (dim <= t->below[d] + t->above[d]) return 0;
        n *= (double)(dim - t->below[d] - t->above[d]);
    }
    return n;
}

/* The rule: nothing is touched in any case, or in every case all of a box of elements whose distances from the array's
 * ends are the same at all sizes (and nothing where that leaves no box). */
static struct growth grow(const struct rg_farm *f, const struct rg_sizes *timed, int param, bool written)
{
    const struct rg_touch_set *first = NULL;
    bool shaped = true;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < f->n_fills; i++) {
            const struct farm_fill *fill = &f->fills[i];
            const struct rg_touch_set *t = filled(fill) ? set_of(fill, param, written) : NULL;
            if (!t) continue;
            if (!first && t->bytes > 0) first = t;
            if (!pass || !first) continue; /* the first pass looks for one with a box */
            if (!t->bytes)
                shaped = shaped && box_at(f, &f->problem->sizes[fill->c.size], param, first) == 0;
            else
                shaped = shaped && t->per_element == first->per_element && t->n_dims == first->n_dims;
            for (int d = 0; d < t->n_dims && shaped && t->bytes; d++)
                shaped = t->below[d] == first->below[d] && t->above[d] == first->above[d];
        }
    if (!first) return (struct growth){0, false};
    double bytes = shaped && first->per_element > 0 ? box_at(f, timed, param, first) : -1;
    return bytes < 0 ? (struct growth){0, true} : (struct growth){bytes, false};
}

/* NULL: the cases that were watched can say how what is touched grows; else why not. */
static const char *too_few(const struct rg_farm *f, const struct rg_sizes *timed, const char **detail)
{
    const struct farm_fill *first = NULL;
    bool grows = false, tried = false;
    *detail = "";
    for (int i = 0; i < f->n_fills; i++) {
        const struct farm_fill *fill = &f->fills[i];
        if (fill->kind != RG_MSG_TOUCH) continue;
        tried = true;
        if (!filled(fill))
            *detail = fill->error.text;
        else if (!first)
            first = fill;
        if (filled(fill)) grows = grows || fill->c.size != first->c.size || &f->problem->sizes[fill->c.size] == timed;
    }
    if (!tried) return "no verify size is small enough for the access hooks";
    if (!first) return "the access hooks are not to be had here: ";
    return grows ? NULL : "the access hooks saw one size only";
}

static const char *unseen(const struct rg_farm *f)
{
    for (int i = 0; i < f->n_fills; i++)
        for (int k = 0; filled(&f->fills[i]) && k < f->fills[i].n_touches; k++)
            if (f->fills[i].touches[k].unseen) return rg_param_shown(&f->problem->params[f->fills[i].touches[k].param]);
    return NULL;
}

static void touched_traffic(const struct rg_farm *f, const struct rg_sizes *timed, struct rg_farm_info *info)
{
    const struct rg_problem *p = f->problem;
    const char *detail, *why = too_few(f, timed, &detail), *by_others = unseen(f), *part = NULL;
    double bytes[2] = {0, 0}, in_part = 0, largest = 0;
    if (why) {
        snprintf(info->traffic_why, sizeof info->traffic_why, "%s%.150s", why, detail);
        return;
    }
    if (by_others) {
        snprintf(info->traffic_why, sizeof info->traffic_why,
                 "%.100s is written by something that the access hooks do not see", by_others);
        return;
    }
    for (int i = 0; i < p->n_params; i++)
        for (int pass = 0; pass < 2 && p->params[i].kind == RG_PARAM_ARRAY; pass++) {
            struct growth g = grow(f, timed, i, pass);
            int64_t elements;
            bytes[pass] += g.bytes;
            if (!g.partly || rg_problem_elements(p, i, timed, &elements, NULL) != RG_OK) continue;
            double all = (double)elements * (double)p->params[i].elem_bytes;
            in_part += all;
            if (all >= largest) {
                largest = all;
                part = rg_param_shown(&p->params[i]);
            }
        }
    double sum = bytes[0] + bytes[1];
    if (sum <= 0 || in_part > touched_share * sum) {
        snprintf(info->traffic_why, sizeof info->traffic_why,
                 part ? "only a part of %.100s is read or written, and the sizes do not say how much"
                      : "nothing is read or written",
                 part);
        return;
    }
    info->traffic = RG_TRAFFIC_TOUCHED;
    info->read_bytes = bytes[0];
    info->write_bytes = bytes[1];
    if (part)
        snprintf(info->traffic_why, sizeof info->traffic_why, "without %.100s, touched in part: up to %.2g %% more",
                 part, 100 * in_part / sum);
}

/* A parameter whose old values nobody reads need not be copied to the device. */
static void hint_roles(const struct rg_farm *f, const struct rg_sizes *timed)
{
    const char *detail;
    if (too_few(f, timed, &detail)) return;
    for (int i = 0; i < f->problem->n_params; i++) {
        const struct rg_param *q = &f->problem->params[i];
        if (q->kind != RG_PARAM_ARRAY || q->role != RG_ROLE_INOUT) continue;
        int64_t elements = 0;
        rg_problem_elements(f->problem, i, timed, &elements, NULL);
        struct growth read = grow(f, timed, i, false), written = grow(f, timed, i, true);
        if (read.bytes > 0 || read.partly || written.partly || written.bytes < (double)elements * (double)q->elem_bytes)
            continue;
        rg_log(RG_LOG_INFO,
               "%s is taken as inout, but every element was written before it was read in the cases watched: if that "
               "is always so, "
               "`#pragma regraph role(%s: out)` saves its copy to the device",
               rg_param_shown(q), rg_param_shown(q));
    }
}

/* Elements up to the last one of the set. */
static int64_t reach_of(const struct rg_touch_set *t, int64_t extent)
{
    return t->bytes ? extent - t->above[0] : 0;
}

enum rg_status rg__farm_hooks_reach(struct rg_farm *f, struct rg_error *err)
{
    const int prepared = f->n_fills;
    for (int i = 0; i < prepared; i++) /* sizes at which the C ends or steps outside say nothing, and are nobody's */
        if (f->fills[i].error.status == RG_OK && !rg__farm_fill(f, RG_MSG_TOUCH, &f->fills[i].c, false, touch_s)) break;
    enum rg_status s = rg__farm_hooks_wait(f, err);
    for (int i = prepared; i < f->n_fills && s == RG_OK; i++) {
        const struct farm_fill *fill = &f->fills[i];
        for (int k = 0; filled(fill) && k < fill->n_touches; k++) {
            const struct rg_touch *t = &fill->touches[k];
            int64_t extent = 0;
            if (t->read.n_dims != 1 || t->unseen ||
                rg_problem_elements(f->problem, t->param, &f->problem->sizes[fill->c.size], &extent, NULL) != RG_OK)
                continue;
            int64_t read = reach_of(&t->read, extent), written = reach_of(&t->written, extent);
            f->o.reached(f->o.reached_arg, t->param, fill->c.size, read > written ? read : written);
        }
    }
    return s;
}

enum rg_status rg__farm_hooks_end(struct rg_farm *f, struct rg_error *err)
{
    const struct rg_problem *p = f->problem;
    struct rg_farm_info *info = &f->info;
    const struct rg_sizes *timed = &p->sizes[0];
    enum rg_status s = rg__farm_hooks_wait(f, err);
    if (s != RG_OK) return s;
    for (int i = 0; i < f->n_fills; i++) {
        const struct farm_fill *fill = &f->fills[i];
        if (fill->kind != RG_MSG_TOUCH) continue;
        if (fill->violation) return rg__error_move(err, RG_INPUT, &fill->error);
        if (fill->error.status != RG_OK) rg_log(RG_LOG_INFO, "access hooks: %s", fill->error.text);
    }
    for (int i = 0; i < p->n_sizes; i++)
        if (p->sizes[i].timed) timed = &p->sizes[i];
    info->traffic = RG_TRAFFIC_UNKNOWN;
    info->read_bytes = info->write_bytes = -1;
    info->traffic_why[0] = 0;
    touched_traffic(f, timed, info);
    /* what it reads again after writing it is counted, but need not come from memory: then what was touched says less
     */
    bool less =
        info->traffic == RG_TRAFFIC_TOUCHED && !info->traffic_why[0] && info->read_bytes < p->compulsory_read_bytes;
    if (p->compulsory_counted && !less) {
        info->traffic = RG_TRAFFIC_COUNTED;
        info->read_bytes = p->compulsory_read_bytes;
        info->write_bytes = p->compulsory_write_bytes;
        info->traffic_why[0] = 0;
    }
    hint_roles(f, timed);
    return RG_OK;
}
