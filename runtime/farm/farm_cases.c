/* The reference for each size and input set that is verified, and for the timed one. */
#include "runtime/farm/farm.h"
#include "runtime/data/inputs.h"
#include "runtime/data/layout.h"
#include "runtime/worker/ref_gates.h"
#include <math.h>
#include <rg/file.h>
#include <rg/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXPECTED_BYTES = 1 << 30, EXPECTED_LIMIT = 4 /* predictions are off by caches */ };
/* Times the cap below, and seconds for its memory: what takes longer than predicted is given up. Where so much less was
 * predicted, a crowded machine is likelier. */
static const double patience = 1.5, room_s = 1, unlikely = 8;
static const double case_s = 30; /* of the user's C at one verify size, unless the options say otherwise */
static const double sequential_cap_s[2] = {10,
                                           1}; /* predicted times up to which it is measured: real device, simulated */
static const double inputs_s = 300;            /* to make the inputs of the timed size */
static const double expected_cap_s =
    1;                               /* predicted time up to which candidates are compared with it at the timed size */
static const double probe_cap_s = 1; /* of a run that only serves to predict another */

static double case_limit(const struct rg_farm *f)
{
    return f->o.reference_s > 0 ? f->o.reference_s : case_s;
}

/* What a case and the run of the C on it take; the timed one's results stay out of it, as they need not come about.
 * Where that is more than there is, the system would end some process, without a word. */
static enum rg_status fits_memory(const struct rg_farm *f, const struct rg_case *c, const struct rg_layout *l,
                                  struct rg_error *err)
{
    enum { RUNS = 2 };
    double inputs = 0, all = 0, limit = (double)rg__farm_memory();
    for (int i = 0; i < l->n; i++) {
        all += (double)l->slots[i].bytes;
        if (l->slots[i].input >= 0) inputs += (double)l->slots[i].bytes;
    }
    double need = c->timed ? inputs + all : (double)l->bytes + RUNS * all;
    if (need <= limit) return RG_OK;
    char at[160];
    rg__sizes_text(f->problem, &f->problem->sizes[c->size], at, sizeof at);
    return rg_error_set(err, RG_INPUT,
                        "%s at %s needs %.3g GB of memory for its inputs and what it is run on, this machine has %.3g "
                        "GB: give a smaller size with --size",
                        f->problem->function, at, need * 1e-9, limit * 1e-9);
}

enum rg_status rg__farm_place(struct rg_farm *f, struct rg_case *c, struct rg_error *err)
{
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_layout l;
    enum rg_status s = rg__layout(&a, f->problem, &f->problem->sizes[c->size], true, &l, err);
    if (s == RG_OK) s = fits_memory(f, c, &l, err);
    if (s == RG_OK) s = rg__shm_alloc(&f->shm, l.bytes, &c->at, err);
    rg_arena_release(&a);
    return s;
}

/* What went wrong with a fill, as the user should read it. */
static enum rg_status explain(struct rg_farm *f, const struct farm_fill *fill, struct rg_error *err)
{
    char at[200];
    const struct rg_error *e = &fill->error;
    rg__sizes_text(f->problem, &f->problem->sizes[fill->c.size], at, sizeof at);
    if (e->status == RG_CANCELED)
        return rg_error_set(err, RG_INPUT,
                            "%s did not return within %g s at %s: does it loop for ever? Otherwise give smaller sizes "
                            "with --size",
                            f->problem->function, fill->limit_s, at);
    if (e->status == RG_LIMIT) return rg_error_set(err, RG_INPUT, "%s", e->text); /* the init function */
    if (e->status == RG_INPUT && (strstr(e->text, "killed by signal") || strstr(e->text, "ended with status")))
        return rg_error_set(err, RG_INPUT, "%s ended the process at %s: it was %s", f->problem->function, at, e->text);
    return rg__error_move(err, e->status, e);
}

/* The same of a verify size, where the access hooks may know the line. */
static enum rg_status explain_crash(struct rg_farm *f, const struct farm_fill *fill, struct rg_error *err)
{
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status s = explain(f, fill, &e);
    if (s != RG_INPUT || fill->error.status != RG_INPUT) return rg__error_move(err, s, &e);
    return rg__farm_hooks_explain(f, &fill->c, &e, err);
}

struct farm_fill *rg__farm_fill_now(struct rg_farm *f, const struct rg_case *c, bool measure, bool there,
                                    double limit_s, struct rg_error *err)
{
    struct farm_fill *fill = rg__farm_fill(f, RG_MSG_PREPARE, c, measure, limit_s);
    if (fill)
        fill->measure_only = there;
    else
        rg_error_set(err, RG_BUG, "too many cases");
    return fill && rg__farm_fills_wait(f, err) == RG_OK ? fill : NULL;
}

/* In double the same text may behave otherwise: take another branch, index beyond, not converge. As many at once as
 * there are workers, so that one that hangs costs one limit. */
static enum rg_status evaluate_in_double(struct rg_farm *f, int from, bool *done, struct rg_error *err)
{
    *done = false;
    if (f->problem->oracle != RG_ORACLE_F64 || !f->problem->oracle_c) return RG_OK;
    for (int i = from; i < f->n_cases; i += f->n_reference) {
        struct farm_fill *fills[FARM_MAX_REFERENCE];
        int n = 0;
        for (; n < f->n_reference && i + n < f->n_cases; n++)
            if (!(fills[n] = rg__farm_fill(f, RG_MSG_ORACLE, &f->cases[i + n], false, case_limit(f))))
                return rg_error_set(err, RG_BUG, "too many cases");
        enum rg_status s = rg__farm_fills_wait(f, err);
        if (s != RG_OK) return s;
        for (int k = 0; k < n; k++) {
            const struct rg_error *e = &fills[k]->error;
            f->cases[i + k].in_double = e->status == RG_OK;
            if (e->status == RG_OK) continue;
            if (e->status != RG_CANCELED && e->status != RG_INPUT) return rg__error_move(err, e->status, e);
            char at[200];
            rg__sizes_text(f->problem, &f->problem->sizes[fills[k]->c.size], at, sizeof at);
            rg_log(RG_LOG_WARN, "evaluated in double, %s %s at %s (%s): results are compared with its own instead",
                   f->problem->function, e->status == RG_CANCELED ? "does not return" : "gives nothing to compare with",
                   at, e->text);
            return RG_OK;
        }
    }
    *done = true;
    return RG_OK;
}

/* The user's --expect files against what the function gives. */
static enum rg_status check_files(struct rg_farm *f, struct rg_error *err)
{
    bool any = false;
    for (int i = 0; i < f->problem->n_params; i++) any = any || f->problem->params[i].expect_file;
    if (!any) return RG_OK;
    int first = f->n_fills;
    for (int i = 0; i < f->n_cases; i++)
        if (!rg__farm_fill(f, RG_MSG_EXPECT, &f->cases[i], false, case_limit(f)))
            return rg_error_set(err, RG_BUG, "too many cases");
    enum rg_status s = rg__farm_fills_wait(f, err);
    for (int i = first; i < f->n_fills && s == RG_OK; i++)
        if (f->fills[i].error.status != RG_OK) s = explain(f, &f->fills[i], err);
    return s;
}

/* How long the user's C takes where that was measured: at a size, and at a smaller one (NULL: none). */
struct timing {
    const struct rg_sizes *at, *small_at;
    double s, small_s;
};

/* Seconds at `to`; -1 unknown. By counted work, and where a unit of it took longer at the larger of two sizes, by as
 * much more as it did between these: data that no longer fit a cache do that. */
static double predict(const struct timing *k, const struct rg_sizes *to)
{
    static const double too_short_s = 2e-4, most = 1.5;
    if (k->at == to) return k->s;
    if (!(k->at->work > 0 && to->work > 0 && k->s > 0)) return -1;
    double power = 1;
    if (k->small_at && k->small_at->work > 0 && k->at->work > 1.5 * k->small_at->work && k->small_s > too_short_s)
        power = fmin(fmax(log(k->s / k->small_s) / log(k->at->work / k->small_at->work), 1), most);
    return k->s * pow(to->work / k->at->work, power);
}

/* On sim only small sizes are verified, and small sizes live in caches: a larger one, where it is affordable, predicts
 * better. */
static enum rg_status probe(struct rg_farm *f, const struct rg_sizes *timed, struct timing *known, bool positive,
                            struct rg_error *err)
{
    const struct rg_problem *p = f->problem;
    const struct rg_sizes *larger = known->at;
    if (predict(known, timed) <= sequential_cap_s[f->simulated] / 4)
        return RG_OK; /* it will be measured, or nothing is known */
    for (int i = 0; i < p->n_sizes; i++) {
        double t = predict(known, &p->sizes[i]);
        bool fit = true;
        if (p->sizes[i].timed || p->sizes[i].work <= larger->work || t < 0 || t > probe_cap_s) continue;
        if (rg__farm_files_fit(p, &p->sizes[i], &fit, err) == RG_OK && fit) larger = &p->sizes[i];
    }
    if (larger == known->at) return RG_OK;
    struct rg_case c = {.size = (int)(larger - p->sizes), .positive = positive};
    enum rg_status s = rg__farm_place(f, &c, err);
    if (s != RG_OK) return s;
    struct farm_fill *fill = rg__farm_fill_now(f, &c, true, false, case_limit(f), err);
    if (fill && fill->error.status == RG_OK && fill->seconds > 0) { /* a prediction is no reason to refuse anything */
        known->small_at = known->at;
        known->small_s = known->s;
        known->at = larger;
        known->s = fill->seconds;
    }
    rg__shm_free(&f->shm, c.at);
    return fill ? RG_OK : err->status;
}

static void sequential_is(struct rg_farm *f, double seconds, enum rg_sequential how)
{
    f->info.sequential_how = how;
    f->info.sequential_ms = seconds >= 0 ? seconds * 1e3 : -1;
}

void rg__farm_sequential(struct rg_farm *f, bool wait)
{
    struct farm_fill *fill = f->sequential;
    struct rg_error e = RG_ERROR_INIT;
    while (wait && fill && fill->state != FARM_FILL_DONE && rg__farm_pump(f, 1, &e) == RG_OK)
        ;
    if (!fill || fill->state != FARM_FILL_DONE) return;
    f->sequential = NULL;
    if (fill->error.status == RG_OK && fill->seconds >= 0)
        sequential_is(f, fill->seconds, RG_SEQUENTIAL_MEASURED);
    else if (fill->error.status == RG_CANCELED && f->info.sequential_ms * 1e-3 * unlikely > fill->limit_s)
        sequential_is(f, fmax(fill->limit_s, f->info.sequential_ms * 1e-3),
                      RG_SEQUENTIAL_AT_LEAST); /* slower than predicted */
    else if (fill->error.status != RG_OK && fill->error.status != RG_CANCELED && explain(f, fill, &e) != RG_OK)
        rg_log(RG_LOG_WARN, "the sequential time is not known: %s", e.text);
}

/* On a machine with cores to spare the user's C is timed beside the search, else before it. */
static bool may_time_beside(const struct rg_farm *f)
{
    return !f->simulated && f->n_reference > 1;
}

/* More inputs for the timed size, on a real device: timed launches get them in turn, so that no result can be kept from
 * one to the next. Not where they are large: each set is held twice. */
static int timed_sets(const struct rg_farm *f, const struct rg_case *first)
{
    const struct rg_problem *p = f->problem;
    bool any = false;
    for (int i = 0; i < p->n_params; i++) any = any || rg__gate_varies(p, i);
    return f->simulated || !any                  ? 1
           : first->at.len <= INT64_C(128) << 20 ? 3
           : first->at.len <= INT64_C(2) << 30   ? 2
                                                 : 1;
}

static enum rg_status more_sets(struct rg_farm *f, const struct rg_case *first, struct rg_error *err)
{
    const struct rg_problem *p = f->problem;
    int n = timed_sets(f, first), from = f->n_fills;
    for (int k = 1; k < n; k++) {
        int i = rg__farm_add_case(f, &p->sizes[first->size], k * RG_N_STYLES, true, false);
        if (i < 0) return rg_error_set(err, RG_BUG, "too many cases");
        f->cases[i].positive = first->positive;
        f->cases[i].expected = first->expected;
        enum rg_status s = rg__farm_place(f, &f->cases[i], err);
        if (s != RG_OK) return s;
        /* the first set returned in time: a crowded machine is no reason to refuse the function over the others */
        if (!rg__farm_fill(f, RG_MSG_PREPARE, &f->cases[i], false, inputs_s))
            return rg_error_set(err, RG_BUG, "too many cases");
    }
    enum rg_status s = rg__farm_fills_wait(f, err);
    for (int i = from; i < f->n_fills && s == RG_OK; i++)
        if (f->fills[i].error.status != RG_OK) s = explain(f, &f->fills[i], err);
    return s;
}

/* Is the user's C run at the timed size too, so that candidates are compared with it there and not with the first that
 * was verified? On a real device where that is quick, and where what it gives can be a reference. */
static bool worth_expecting(const struct rg_farm *f, const struct rg_case *c, double predicted_s)
{
    const struct rg_problem *p = f->problem;
    return !f->simulated && rg__farm_c_can_judge(f, &p->sizes[c->size]) && predicted_s >= 0 &&
           predicted_s <= expected_cap_s && c->at.len <= EXPECTED_BYTES;
}

/* What the C gave on the sets of the timed size, from `first` on, becomes what candidates are compared with, where it
 * can be that. */
static enum rg_status make_reference(struct rg_farm *f, int first, struct rg_error *err)
{
    bool can = true, in_double = f->in_double;
    enum rg_status s = in_double ? evaluate_in_double(f, first, &in_double, err) : RG_OK;
    for (int k = first; k < f->n_cases && !in_double; k++) f->cases[k].in_double = false;
    bool needs = rg__farm_needs_spread(f, &f->cases[first]);
    int last = needs ? f->n_cases : first + 1; /* else of the other sets it would take as long again */
    int from = f->n_fills;
    if (s == RG_OK) s = rg__farm_uncertainty(f, first, last, err);
    for (int k = from; k < f->n_fills; k++) can = can && (!needs || f->fills[k].rounded);
    for (int k = first; k < f->n_cases; k++) f->cases[k].expected = can;
    return s;
}

/* Sequential time at the timed size: measured when that is affordable, else predicted. */
/* *n_sets: on so many input sets the C is still to be run there, beside the search; 0: it is not, or it was. */
static enum rg_status prepare_timed(struct rg_farm *f, const struct rg_sizes *timed, const struct timing *known,
                                    bool positive, int *n_sets, struct rg_error *err)
{
    enum rg_sequential how = RG_SEQUENTIAL_EXTRAPOLATED;
    int i = rg__farm_add_case(f, timed, 0, true, false);
    if (i < 0) return rg_error_set(err, RG_BUG, "too many cases");
    struct rg_case *c = &f->cases[i];
    c->positive = positive;
    enum rg_status s = rg__farm_place(f, c, err);
    if (s != RG_OK) return s;
    double cap = sequential_cap_s[f->simulated], predicted = predict(known, timed);
    c->expected = worth_expecting(f, c, predicted);
    bool later =
        f->o.beside &&
        c->expected; /* that run is no reason to wait: candidates are compared with the first of them meanwhile */
    if (later) c->expected = false;
    char at[160];
    rg__sizes_text(f->problem, timed, at, sizeof at);
    rg__farm_doing(f, "while %s at %s", predicted >= 0 && predicted <= cap ? "the C was timed" : "inputs were made",
                   at);
    bool measure = predicted >= 0 && predicted <= cap, beside = measure && may_time_beside(f) && !c->expected;
    struct rg_case inputs = *c;
    inputs.expected = false;
    struct farm_fill *fill = rg__farm_fill_now(f, &inputs, false, false, inputs_s, err);
    if (fill && fill->error.status == RG_OK && measure && !beside) {
        double limit = c->expected ? EXPECTED_LIMIT * expected_cap_s : patience * cap + room_s;
        fill = rg__farm_fill_now(f, c, true, true, limit, err);
        if (fill && fill->error.status == RG_CANCELED) { /* slower than predicted */
            if (predicted * unlikely > limit) {
                predicted = fmax(limit, predicted);
                how = RG_SEQUENTIAL_AT_LEAST;
            }
            beside = c->expected && may_time_beside(f);
            c->expected = false;
            rg_error_clear(&fill->error);
        }
    }
    if (!fill) return err->status;
    if (fill->error.status != RG_OK) return explain(f, fill, err);
    rg__sizes_text(f->problem, known->at, f->info.sequential_from, sizeof f->info.sequential_from);
    sequential_is(f, fill->seconds >= 0 ? fill->seconds : predicted, fill->seconds >= 0 ? RG_SEQUENTIAL_MEASURED : how);
    s = later ? RG_OK : more_sets(f, c, err);
    if (s == RG_OK && c->expected) s = make_reference(f, i, err);
    if (s == RG_OK && beside) {
        f->sequential = rg__farm_fill(f, RG_MSG_PREPARE, c, true, patience * cap + room_s);
        if (f->sequential) f->sequential->measure_only = true;
    }
    *n_sets = later ? timed_sets(f, c) : 0;
    return s;
}

/* Counted to its end at the timed size, the C takes less there than its bounds allow: it is timed after all. */
static enum rg_status time_counted(struct rg_farm *f, const struct rg_sizes *timed, struct rg_error *err)
{
    const struct rg_case *c = NULL;
    for (int i = 0; i < f->n_cases && !c; i++)
        if (f->cases[i].timed && f->cases[i].size == (int)(timed - f->problem->sizes)) c = &f->cases[i];
    if (!f->simulated || !c || !(c->steps > 0) || f->info.sequential_how == RG_SEQUENTIAL_MEASURED) return RG_OK;
    rg__farm_doing(f, "while the C was timed");
    const double limit = patience * sequential_cap_s[f->simulated] + room_s;
    const struct farm_fill *fill = rg__farm_fill_now(f, c, true, true, limit, err);
    if (!fill) return err->status;
    if (fill->error.status == RG_OK && fill->seconds >= 0)
        sequential_is(f, fill->seconds, RG_SEQUENTIAL_MEASURED); /* else what was predicted stands */
    return RG_OK;
}

static enum rg_status gates_once(struct rg_farm *f, struct rg_error *err)
{
    struct farm_worker *w = &f->workers[1];
    enum rg_status s = rg__farm_wait_idle(f, w, err);
    if (s != RG_OK) return s;
    struct rg_msg m, reply;
    rg__msg_init(&m, RG_MSG_GATES, 1);
    m.n_cases = f->n_cases;
    m.cases = f->cases;
    s = rg__farm_ask(f, w, &m, 300, &reply, err);
    rg__msg_release(&reply);
    return s;
}

static enum rg_status gates(struct rg_farm *f, struct rg_error *err)
{
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status s = gates_once(f, &e);
    for (int i = 1; i < FARM_KILLED_ATTEMPTS && s == RG_IO; i++) { /* killed or stopped from outside */
        rg_error_clear(&e);
        s = gates_once(f, &e);
    }
    return rg__error_move(err, s, &e);
}

/* What is wrong with the user's function is told with its place, where nothing closer is known. */
static enum rg_status at_function(const struct rg_farm *f, enum rg_status s, const struct rg_error *e,
                                  struct rg_error *err)
{
    if (s == RG_INPUT && !e->file[0] && f->problem->file)
        return rg_error_at(err, s, f->problem->file, f->problem->line, 0, "%s", e->text);
    return rg__error_move(err, s, e);
}

/* Places for all; those of large sizes leave the list for now, as many as can be spared: the first shows what inputs
 * the function takes. */
static enum rg_status put_off(struct rg_farm *f, struct rg_error *err)
{
    bool files = false;
    for (int i = 0; i < f->problem->n_params; i++) files = files || f->problem->params[i].expect_file;
    int n = 0;
    for (int i = 0; i < f->n_cases; i++) {
        struct rg_case c = f->cases[i];
        enum rg_status s = rg__farm_place(f, &c, err);
        if (s != RG_OK) return s;
        bool late = n > 0 && !files && rg__farm_is_late(f, &c) && rg__farm_late_add(f, &c, case_limit(f));
        if (!late) f->cases[n++] = c;
    }
    f->n_cases = n;
    return RG_OK;
}

/* What an init function makes may be all that the C takes: where it crashes on the same moved by little (particles that
 * come to lie on one another), it is verified with what was made. */
static void drop_moved(struct rg_farm *f, struct farm_fill **fills)
{
    int n = 0;
    for (int i = 0; i < f->n_cases; i++) {
        bool fails =
            f->problem->init_function && f->cases[i].seed > 0 && !fills[i]->random && fills[i]->error.status != RG_OK;
        if (fails) {
            rg_log(RG_LOG_INFO, "what %s makes is not moved: %s", f->problem->init_function, fills[i]->error.text);
            rg__shm_free(&f->shm, f->cases[i].at);
            continue;
        }
        fills[n] = fills[i];
        f->cases[n++] = f->cases[i];
    }
    f->n_cases = n;
}

static enum rg_status cases(struct rg_farm *f, struct rg_error *err)
{
    const struct rg_problem *p = f->problem;
    const struct rg_sizes *timed = NULL, **list = rg_arena_alloc(&f->arena, (size_t)(p->n_sizes + 1) * sizeof *list);
    for (int i = 0; i < p->n_sizes; i++)
        if (p->sizes[i].timed) timed = &p->sizes[i];
    if (!timed) return rg_error_set(err, RG_INPUT, "%s has no size to be timed", p->function);
    int n = rg__farm_verify_sizes(f, list, err);
    if (!n) return err && err->status != RG_OK ? err->status : RG_INPUT;
    rg__farm_choose_cases(f, list, n);
    f->info.digits = NAN;
    rg__farm_doing(f, "while %s was run at its verify sizes", p->function);
    double start = rg_now();
    struct farm_fill *fills[RG_MAX_CASES];
    bool positive = false;
    enum rg_status s = put_off(f, err);
    if (s != RG_OK) return s;
    struct timing known = {.at = &p->sizes[f->cases[f->n_cases - 1].size]};
    for (int i = 0; i < n; i++)
        if (list[i]->work < known.at->work && (!known.small_at || list[i]->work > known.small_at->work))
            known.small_at = list[i];
    for (int i = 0; i < f->n_cases; i++) {
        struct rg_case *c = &f->cases[i];
        c->positive = positive;
        if (!(fills[i] = rg__farm_fill(f, RG_MSG_PREPARE, c, false, rg__farm_brief(f, c, case_limit(f)))))
            return rg_error_set(err, RG_BUG, "too many cases");
        /* the cheapest case alone: whether mixed signs leave the function's domain is worth knowing for the others */
        if (i > 0 && i + 1 < f->n_cases) continue;
        if ((s = rg__farm_verify_brief(f, fills, i + 1, err)) != RG_OK) return s;
        if (fills[0]->error.status != RG_OK && !rg__farm_unfit(f, fills[0])) return explain_crash(f, fills[0], err);
        if (i == 0) positive = fills[0]->c.positive;
    }
    drop_moved(f, fills);
    int n_fills = f->n_cases;
    rg__farm_drop_unfit(f, fills, &n_fills);
    for (int i = 0; i < f->n_cases; i++) {
        struct rg_case *c = &f->cases[i];
        if (fills[i]->error.status != RG_OK) return explain_crash(f, fills[i], err);
        c->positive = fills[i]->c.positive;
        f->info.init_missed += fills[i]->random && c->seed == 0;
        if (c->seed == 0) positive = positive || c->positive; /* later sets may need it for their own reasons */
        double seconds = fills[i]->seconds;
        double *best = &p->sizes[c->size] == known.at         ? &known.s
                       : &p->sizes[c->size] == known.small_at ? &known.small_s
                                                              : NULL;
        if (best && (*best <= 0 || seconds < *best)) *best = seconds;
    }
    rg__farm_drop_costly(f, fills);
    if ((s = rg__farm_timed_brief(f, timed, positive, err)) != RG_OK) return s;
    if (positive) rg_log(RG_LOG_INFO, "default inputs of %s are positive: mixed signs leave its domain", p->function);
    rg__farm_hooks_begin(f, RG_MSG_TOUCH);
    if (p->init_function && (s = rg__farm_drop_outside(f, err)) != RG_OK) return s;
    rg__farm_doing(f, "while %s was run in double at its verify sizes", p->function);
    s = evaluate_in_double(f, 0, &f->in_double, err);
    rg__farm_doing(f, "while it was measured how well %s determines its results", p->function);
    if (s == RG_OK) s = rg__farm_uncertainty(f, 0, f->n_cases, err);
    if (s == RG_OK) s = check_files(f, err);
    if (s == RG_OK && !p->init_function) s = rg__farm_drop_outside(f, err); /* the hooks have run beside till here */
    rg__farm_doing(f, "while it was made sure that %s can be a reference", p->function);
    if (s == RG_OK) s = gates(f, err);
    if (s == RG_OK) s = probe(f, timed, &known, positive, err);
    int n_sets = 0;
    if (s == RG_OK) s = prepare_timed(f, timed, &known, positive, &n_sets, err);
    if (s == RG_OK) s = rg__farm_count(f, err);
    if (s == RG_OK) s = time_counted(f, timed, err);
    rg__farm_doing(f, "while the accesses of %s were watched", p->function);
    if (s == RG_OK) s = rg__farm_hooks_end(f, err);
    f->info.reference_s += rg_now() - start;
    f->cases_ready = s == RG_OK;
    if (s != RG_OK) return s;
    for (int i = 0; i < f->n_late; i++) f->late[i].c.positive = positive;
    rg__farm_moves_begin(f);
    rg__farm_late_begin(f);
    if (n_sets) rg__farm_arbiter_begin(f, n_sets);
    return rg__farm_pump(f, 0, err);
}

enum rg_status rg__farm_cases(struct rg_farm *f, struct rg_error *err)
{
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status s = cases(f, &e);
    return at_function(f, s, &e, err);
}

static enum rg_status look(struct rg_farm *f, struct rg_error *err)
{
    const struct rg_sizes **list = rg_arena_alloc(&f->arena, (size_t)(f->problem->n_sizes + 1) * sizeof *list);
    int n = rg__farm_verify_sizes(f, list, err);
    if (!n) return err && err->status != RG_OK ? err->status : RG_INPUT;
    rg__farm_choose_cases(f, list, n);
    enum rg_status s = RG_OK;
    for (int i = 0; i < f->n_cases && s == RG_OK; i++) s = rg__farm_place(f, &f->cases[i], err);
    if (s != RG_OK) return s;
    rg__farm_hooks_begin(f, RG_MSG_PREPARE);
    s = rg__farm_fills_wait(f, err);
    if (s == RG_OK && f->o.reached) return rg__farm_hooks_reach(f, err);
    struct farm_fill *fills[RG_MAX_CASES];
    int n_fills = f->n_fills < RG_MAX_CASES ? f->n_fills : RG_MAX_CASES;
    for (int i = 0; i < n_fills; i++) fills[i] = &f->fills[i];
    rg__farm_drop_unfit(f, fills, &n_fills);
    for (int i = 0; i < n_fills && s == RG_OK; i++)
        if (fills[i]->error.status != RG_OK) s = explain_crash(f, fills[i], err);
    if (s != RG_OK) return s;
    rg__farm_hooks_begin(f, RG_MSG_TOUCH);
    s = rg__farm_drop_outside(f, err);
    return s == RG_OK ? rg__farm_hooks_end(f, err) : s;
}

enum rg_status rg__farm_look(struct rg_farm *f, struct rg_error *err)
{
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status s = look(f, &e);
    return at_function(f, s, &e, err);
}
