/* Which sizes and input sets are verified, and the reference for each. */
#include "runtime/farm.h"
#include "runtime/inputs.h"
#include "runtime/layout.h"
#include <rg/file.h>
#include <rg/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGAIN_SEED = 7 };
static const double case_s = 30; /* of the user's C at one verify size, unless the options say otherwise */
static const double cheap_work = 1e7;        /* accesses up to which a size gets several input sets */
static const double sim_work_cap = 2e10;     /* what the interpreter is asked to run when nothing smaller is there */
static const double sequential_cap_s[2] = {10, 1}; /* predicted times up to which it is measured: real device, simulated */
static const double probe_cap_s = 1;         /* of a run that only serves to predict another */

static struct farm_worker *reference(struct rg_farm *f)
{
    return &f->workers[1];
}

/* .npy inputs have one shape: sizes they do not fit cannot be run. */
static enum rg_status files_fit(const struct rg_problem *p, const struct rg_sizes *s, bool *fit, struct rg_error *err)
{
    *fit = true;
    for (int i = 0; i < p->n_params && *fit; i++) {
        const struct rg_param *q = &p->params[i];
        if (q->role == RG_ROLE_OUT || q->input.kind != RG_INPUT_FILE) continue;
        enum rg_status st = rg__npy_fits(q->input.file, p, i, s, fit, err);
        if (st != RG_OK) return st;
    }
    return RG_OK;
}

static double case_limit(const struct rg_farm *f)
{
    return f->o.reference_s > 0 ? f->o.reference_s : case_s;
}

static int by_work(const void *va, const void *vb)
{
    const struct rg_sizes *const *a = va, *const *b = vb;
    return (*a)->work < (*b)->work ? -1 : (*a)->work > (*b)->work ? 1 : *a < *b ? -1 : 1;
}

static int add_case(struct rg_farm *f, const struct rg_sizes *s, int seed, bool timed, bool again)
{
    if (f->n_cases == RG_MAX_CASES) return -1;
    f->cases[f->n_cases] = (struct rg_case){.size = (int)(s - f->problem->sizes), .seed = seed, .timed = timed,
                                            .again = again, .expected = !timed};
    return f->n_cases++;
}

/* Sizes that will be verified, cheapest first, into list; n 0 with an error when there is none. */
static int verify_sizes(struct rg_farm *f, const struct rg_sizes **list, struct rg_error *err)
{
    const struct rg_problem *p = f->problem;
    int n = 0, m = 0;
    for (int i = 0; i < p->n_sizes; i++) {
        bool fit;
        if (files_fit(p, &p->sizes[i], &fit, err) != RG_OK) return 0;
        if (fit && (p->sizes[i].verify || !p->sizes[i].timed)) list[n++] = &p->sizes[i];
    }
    if (!n) { /* constant extents, or a file that fits the timed size only */
        for (int i = 0; i < p->n_sizes; i++) {
            bool fit;
            if (files_fit(p, &p->sizes[i], &fit, err) != RG_OK) return 0;
            if (fit) list[n++] = &p->sizes[i];
        }
        if (!n) {
            for (int i = 0; i < p->n_params; i++) /* says both shapes */
                if (p->params[i].role != RG_ROLE_OUT && p->params[i].input.kind == RG_INPUT_FILE &&
                    rg__input_load(p->params[i].input.file, p, i, &p->sizes[0], NULL, err) != RG_OK)
                    return 0;
            rg_error_set(err, RG_INPUT, "the .npy inputs fit no size of %s", p->function);
            return 0;
        }
    }
    qsort(list, (size_t)n, sizeof *list, by_work);
    if (!f->simulated) return n;
    for (int i = 0; i < n; i++)
        if (list[i]->on_sim) list[m++] = list[i];
    if (m) return m;
    if (list[0]->work <= sim_work_cap) {
        if (list[0]->work > 1e8)
            rg_log(RG_LOG_WARN, "%s has no size small enough to interpret quickly: each candidate executes about %.2g accesses, some %.0f s",
                   p->function, list[0]->work, list[0]->work * 3e-9 * (list[0]->work <= cheap_work ? 5 : 2));
        return 1;
    }
    rg_error_set(err, RG_INPUT,
                 "the smallest size of %s takes %.2g accesses: too much to be verified on the simulated device (%.0g). Give a "
                 "smaller one with --size or `#pragma regraph size(...)`",
                 p->function, list[0]->work, sim_work_cap);
    return 0;
}

/* The cheapest size gets most input sets: at a tiny size they cost nothing. */
static void choose(struct rg_farm *f, const struct rg_sizes **list, int n)
{
    for (int i = 0; i < n; i++) {
        int seeds = n == 1 ? 5 : i == 0 ? 3 : i == 1 ? 2 : 1;
        bool cheap = list[i]->work <= cheap_work;
        if (!cheap) seeds = n == 1 ? 2 : 1;
        for (int k = 0; k < seeds; k++) add_case(f, list[i], i < 2 ? k : (i + k) % RG_N_STYLES, false, false);
        if (cheap) add_case(f, list[i], AGAIN_SEED + i, false, true);
    }
}

static enum rg_status place(struct rg_farm *f, struct rg_case *c, struct rg_error *err)
{
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_layout l;
    enum rg_status s = rg__layout(&a, f->problem, &f->problem->sizes[c->size], true, &l, err);
    if (s == RG_OK) s = rg__shm_alloc(&f->shm, l.bytes, &c->at, err);
    rg_arena_release(&a);
    return s;
}

/* About one case: PREPARE, ORACLE or EXPECT. RG_CANCELED: it did not answer; RG_INPUT: it died of it or refuses. */
static enum rg_status ask_once(struct rg_farm *f, struct rg_msg *m, double limit_s, struct rg_msg *reply, struct rg_error *err)
{
    struct farm_worker *w = reference(f);
    struct rg_error e = RG_ERROR_INIT;
    rg__msg_init(reply, RG_MSG_ERROR, 0);
    enum rg_status s = rg__farm_wait_idle(f, w, err);
    if (s != RG_OK) return s;
    s = rg__farm_ask(f, w, m, limit_s, reply, &e);
    if (s == RG_OK && reply->kind != (m->kind == RG_MSG_PREPARE ? RG_MSG_PREPARED : RG_MSG_DONE))
        s = rg_error_set(&e, RG_BUG, "the reference worker answered '%s'", rg__msg_word(reply->kind));
    if (s == RG_CANCELED)
        return rg_error_set(err, strstr(e.text, "no answer") ? RG_CANCELED : RG_INPUT, "%s", e.text);
    return rg__error_move(err, s, &e);
}

/* The reference process may die or hang over it: that is the user's function. Killed or stopped from outside, it is asked again. */
static enum rg_status ask(struct rg_farm *f, enum rg_msg_kind kind, struct rg_case *c, bool measure, double limit_s, double *seconds,
                          struct rg_error *err)
{
    struct rg_msg m, reply;
    struct rg_error e = RG_ERROR_INIT;
    rg__msg_init(&m, kind, c->size + 1);
    m.n_cases = 1;
    m.cases = c;
    m.measure = measure;
    enum rg_status s = ask_once(f, &m, limit_s, &reply, &e);
    if (s == RG_IO) {
        rg__msg_release(&reply);
        rg_error_clear(&e);
        s = ask_once(f, &m, limit_s, &reply, &e);
    }
    if (s == RG_OK && kind == RG_MSG_PREPARE) {
        *seconds = reply.seconds;
        c->positive = reply.positive;
    }
    rg__msg_release(&reply);
    return rg__error_move(err, s, &e);
}

/* One case filled. */
static enum rg_status prepare(struct rg_farm *f, struct rg_case *c, bool measure, double limit_s, double *seconds, struct rg_error *err)
{
    return ask(f, RG_MSG_PREPARE, c, measure, limit_s, seconds, err);
}

static void describe(const struct rg_problem *p, const struct rg_sizes *s, char *out, size_t size)
{
    size_t at = (size_t)snprintf(out, size, "%s", p->n_size_params ? "" : "its only size");
    for (int i = 0; i < p->n_size_params && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%s=%lld", i ? ", " : "", p->params[p->size_params[i]].name,
                               (long long)s->values[i]);
}

/* A reference that takes its worker with it: whose doing it was and where. */
static enum rg_status who_ended(struct rg_farm *f, const struct rg_case *c, enum rg_status s, struct rg_error *e, struct rg_error *err)
{
    char at[200];
    describe(f->problem, &f->problem->sizes[c->size], at, sizeof at);
    if (s == RG_INPUT && (strstr(e->text, "killed by signal") || strstr(e->text, "ended with status")))
        return rg_error_set(err, RG_INPUT, "%s ended the process at %s: it was %s", f->problem->function, at, e->text);
    return rg__error_move(err, s, e);
}

/* In double the same text may behave otherwise: take another branch, index beyond, not converge. */
static enum rg_status evaluate_in_double(struct rg_farm *f, struct rg_case *c, const char *at, struct rg_error *err)
{
    struct rg_error e = RG_ERROR_INIT;
    if (f->problem->oracle != RG_ORACLE_F64 || !f->problem->oracle_c || f->no_oracle) return RG_OK;
    enum rg_status s = ask(f, RG_MSG_ORACLE, c, false, case_limit(f), NULL, &e);
    if (s != RG_CANCELED && s != RG_INPUT) return rg__error_move(err, s, &e);
    rg_log(RG_LOG_WARN, "evaluated in double, %s %s at %s (%s): results are compared with its own instead", f->problem->function,
           s == RG_CANCELED ? "does not return" : "fails", at, e.text);
    f->no_oracle = true;
    return RG_OK;
}

static bool expects_files(const struct rg_problem *p)
{
    for (int i = 0; i < p->n_params; i++)
        if (p->params[i].expect_file) return true;
    return false;
}

static enum rg_status prepare_verify(struct rg_farm *f, int i, double *seconds, struct rg_error *err)
{
    struct rg_error e = RG_ERROR_INIT;
    struct rg_case *c = &f->cases[i];
    char at[200];
    enum rg_status s = prepare(f, c, false, case_limit(f), seconds, &e);
    describe(f->problem, &f->problem->sizes[c->size], at, sizeof at);
    if (s == RG_OK) {
        s = evaluate_in_double(f, c, at, err);
        if (s != RG_OK || !expects_files(f->problem)) return s;
        return ask(f, RG_MSG_EXPECT, c, false, case_limit(f), NULL, err);
    }
    if (s == RG_CANCELED)
        return rg_error_set(err, RG_INPUT, "%s did not return within %g s at %s: does it loop for ever? Otherwise give smaller sizes "
                            "with --size", f->problem->function, case_limit(f), at);
    return who_ended(f, c, s, &e, err);
}

/* Seconds at `to` from those at `from`, by counted work; -1 unknown. */
static double scaled(const struct rg_sizes *from, double seconds, const struct rg_sizes *to)
{
    if (from == to) return seconds;
    return from->work > 0 && to->work > 0 && seconds > 0 ? seconds * to->work / from->work : -1;
}

/* On sim only small sizes are verified, and small sizes live in caches: a larger one, where it is affordable, predicts better. */
static enum rg_status probe(struct rg_farm *f, const struct rg_sizes *timed, const struct rg_sizes **big, double *big_s, bool positive,
                            struct rg_error *err)
{
    const struct rg_problem *p = f->problem;
    const struct rg_sizes *larger = *big;
    if (scaled(*big, *big_s, timed) <= sequential_cap_s[f->simulated] / 4) return RG_OK; /* it will be measured, or nothing is known */
    for (int i = 0; i < p->n_sizes; i++) {
        double t = scaled(*big, *big_s, &p->sizes[i]);
        bool fit = true;
        if (p->sizes[i].timed || p->sizes[i].work <= larger->work || t < 0 || t > probe_cap_s) continue;
        if (files_fit(p, &p->sizes[i], &fit, err) == RG_OK && fit) larger = &p->sizes[i];
    }
    if (larger == *big) return RG_OK;
    struct rg_case c = {.size = (int)(larger - p->sizes), .positive = positive};
    double seconds = -1;
    struct rg_error ignored = RG_ERROR_INIT; /* a prediction is no reason to refuse anything */
    enum rg_status s = place(f, &c, err);
    if (s != RG_OK) return s;
    if (prepare(f, &c, true, case_limit(f), &seconds, &ignored) == RG_OK && seconds > 0) {
        *big = larger;
        *big_s = seconds;
    }
    rg__shm_free(&f->shm, c.at);
    return RG_OK;
}

/* Sequential time at the timed size: measured when that is affordable, else scaled from the largest verified size. */
static enum rg_status prepare_timed(struct rg_farm *f, const struct rg_sizes *timed, const struct rg_sizes *big,
                                    double big_s, bool positive, struct rg_error *err)
{
    int i = add_case(f, timed, 0, true, false);
    if (i < 0) return rg_error_set(err, RG_BUG, "too many cases");
    struct rg_case *c = &f->cases[i];
    c->positive = positive;
    enum rg_status s = place(f, c, err);
    if (s != RG_OK) return s;
    double cap = sequential_cap_s[f->simulated], predicted = scaled(big, big_s, timed), seconds = -1;
    bool measure = predicted >= 0 && predicted <= cap;
    double limit = measure ? cap + 2.5 : 300; /* with the inputs made */
    struct rg_error e = RG_ERROR_INIT;
    s = prepare(f, c, measure, limit, &seconds, &e);
    if (s == RG_CANCELED && measure) { /* slower than predicted: the inputs alone */
        rg_error_clear(&e);
        predicted = limit;
        s = prepare(f, c, false, 300, &seconds, &e);
    }
    if (s != RG_OK) return who_ended(f, c, s, &e, err);
    f->info.sequential_extrapolated = seconds < 0 && predicted >= 0;
    f->info.sequential_ms = seconds >= 0 ? seconds * 1e3 : predicted >= 0 ? predicted * 1e3 : -1;
    return RG_OK;
}

static enum rg_status gates_once(struct rg_farm *f, struct rg_error *err)
{
    struct farm_worker *w = reference(f);
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
    return s == RG_IO ? gates_once(f, err) : rg__error_move(err, s, &e);
}

enum rg_status rg__farm_cases(struct rg_farm *f, struct rg_error *err)
{
    const struct rg_problem *p = f->problem;
    const struct rg_sizes *timed = NULL, **list = rg_arena_alloc(&f->arena, (size_t)(p->n_sizes + 1) * sizeof *list);
    for (int i = 0; i < p->n_sizes; i++)
        if (p->sizes[i].timed) timed = &p->sizes[i];
    if (!timed) return rg_error_set(err, RG_INPUT, "%s has no size to be timed", p->function);
    int n = verify_sizes(f, list, err);
    if (!n) return err && err->status != RG_OK ? err->status : RG_INPUT;
    choose(f, list, n);
    double start = rg_now(), big_s = 0;
    const struct rg_sizes *big = list[n - 1];
    bool positive = false;
    for (int i = 0; i < f->n_cases; i++) {
        struct rg_case *c = &f->cases[i];
        double seconds = 0;
        c->positive = positive;
        enum rg_status s = place(f, c, err);
        if (s == RG_OK) s = prepare_verify(f, i, &seconds, err);
        if (s != RG_OK) return s;
        if (c->positive && !positive)
            rg_log(RG_LOG_INFO, "default inputs of %s are positive: mixed signs leave its domain", p->function);
        if (c->seed == 0) positive = c->positive; /* later sets may need it for their own reasons */
        if (&p->sizes[c->size] == big && (big_s <= 0 || seconds < big_s)) big_s = seconds;
    }
    enum rg_status s = gates(f, err);
    if (s == RG_OK) s = probe(f, timed, &big, &big_s, positive, err);
    if (s == RG_OK) s = prepare_timed(f, timed, big, big_s, positive, err);
    f->info.reference_s += rg_now() - start;
    f->cases_ready = s == RG_OK;
    return s;
}
