/* Who is right at the timed size? Where the user's C is too slow to be run there for every search, candidates are
 * compared with the first that was verified everywhere else. Sums in another order differ from it on ill-conditioned
 * data, and are as right. So the first time that one differs, the user's C is run at that size after all, in its own
 * precision and in double, or else rounded at random, beside the search; what waited for that is run again and compared
 * with it. Rounding at random takes longest: where there are values in double, it waits for a candidate that differs
 * from those, too. */
#include "runtime/data/compare.h"
#include "runtime/data/inputs.h"
#include "runtime/farm/farm.h"
#include "runtime/data/layout.h"
#include <math.h>
#include <rg/log.h>
#include <stdio.h>
#include <string.h>

static const double in_double = 1.5,
                    uncertain_s =
                        3; /* as long as in float, at most, but for caches; what measuring the spread takes besides */
enum { SLACK = 4 /* predictions are off by caches */, EVER_BYTES = 1 << 30 };

static double predicted_s(const struct rg_farm *f)
{
    return f->info.sequential_ms >= 0 && f->info.sequential_how != RG_SEQUENTIAL_AT_LEAST ? f->info.sequential_ms * 1e-3
                                                                                          : -1;
}

/* From now on what they say is the last word. */
static void settle(struct rg_farm *f, bool may_move)
{
    struct farm_arbiter *a = &f->arbiter;
    for (int i = 0; i < a->n; i++) a->cases[i].may_move = may_move;
    for (int i = 0; i < f->n_cases; i++)
        if (f->cases[i].timed) f->cases[i].may_move = may_move;
    f->cases_version++;
    a->state = FARM_ARBITER_JUDGED;
}

static void give_up(struct rg_farm *f, const char *why)
{
    rg_log(RG_LOG_WARN, "candidates that differ from %s at the timed size are called wrong: %s",
           f->arbiter.installed ? f->problem->function : "the first", why);
    f->arbiter.state = FARM_ARBITER_NONE_COMES;
    for (int i = 0; i < f->arbiter.n; i++) {
        struct farm_fill *fill = f->arbiter.fills[i];
        for (int k = 0; k < f->n_workers; k++)
            if (fill && f->workers[k].fill == fill) rg__farm_stop(&f->workers[k]); /* it may be writing there */
        if (fill) fill->state = FARM_FILL_DONE;
        if (!f->arbiter.installed) rg__shm_free(&f->shm, f->arbiter.cases[i].at);
    }
    if (f->arbiter.installed) settle(f, false);
    for (struct farm_job *j = f->jobs; j; j = j->next)
        if (j->stage == FARM_WANTS_ARBITER) j->stage = FARM_DONE; /* as it was judged at first */
}

static bool queue(struct rg_farm *f, enum rg_msg_kind kind)
{
    struct farm_arbiter *a = &f->arbiter;
    double s = predicted_s(f);
    for (int i = 0; i < a->n; i++)
        if (!(a->fills[i] = rg__farm_fill(f, kind, &a->cases[i], false,
                                          10 + SLACK * s * (kind == RG_MSG_ORACLE ? in_double : 1))))
            return false;
    return true;
}

/* The cases to be judged: those of the timed size, with room of their own, as the others are being compared with. */
static void begin(struct rg_farm *f, int n_sets)
{
    bool quick = n_sets > 0; /* nobody waits for it */
    struct farm_arbiter *a = &f->arbiter;
    double s = predicted_s(f), each = s * (1 + (f->in_double ? in_double : 0)) + (f->in_double ? 0 : uncertain_s);
    double budget_s = f->o.arbiter_s > 0
                          ? f->o.arbiter_s
                          : 40; /* predicted: fewer input sets are judged, then timed, where the C is slow */
    const char *why = NULL;
    const struct rg_case *first = NULL;
    int there = 0;
    for (int i = 0; i < f->n_cases; i++) {
        if (!f->cases[i].timed) continue;
        if (!first) first = &f->cases[i];
        there++;
    }
    if (!first || !rg__farm_c_can_judge(f, &f->problem->sizes[first->size]))
        why = "there is no evaluation in double, and too much to measure how exact it is";
    else if (s < 0)
        why = "how long the C takes there is not known";
    else if (!quick && s * (1 + in_double) > budget_s)
        why = "the C takes too long there";
    int most = why || quick || each <= 0 ? RG_MAX_TIMED : (int)fmax(1, budget_s * f->n_reference / each);
    if (n_sets < there) n_sets = there;
    for (int k = 0; k < n_sets && !why && a->n < RG_MAX_TIMED && a->n < most; k++) {
        struct rg_case c = *first;
        c.seed = k * RG_N_STYLES;
        c.expected = true;
        if (c.at.len > EVER_BYTES || rg__shm_alloc(&f->shm, c.at.len, &c.at, NULL) != RG_OK)
            why = "there is no memory for it";
        else
            a->cases[a->n++] = c;
    }
    if (!why && !queue(f, RG_MSG_PREPARE)) why = "too many cases";
    if (why) {
        give_up(f, why);
        return;
    }
    rg_log(RG_LOG_INFO, "a candidate differs from the first at the timed size: %s is run there%s, some %.0f s",
           f->problem->function, f->in_double ? " in its own precision and in double" : "",
           each * a->n / (f->n_reference < a->n ? f->n_reference : a->n));
    a->state = FARM_ARBITER_RUNS;
}

void rg__farm_arbiter_begin(struct rg_farm *f, int n_sets)
{
    if (f->arbiter.state == FARM_ARBITER_IDLE) begin(f, n_sets);
}

void rg__farm_dispute(struct rg_farm *f, struct farm_job *j, const struct farm_worker *w)
{
    struct farm_arbiter *a = &f->arbiter;
    if (w->cases_version != f->cases_version) {
        j->stage = FARM_WANTS_RUN; /* it ran by the old rule meanwhile */
        return;
    }
    if (f->n_moves) {
        j->stage = FARM_WANTS_ARBITER;
        return;
    }
    if (a->state == FARM_ARBITER_IDLE) begin(f, 0);
    if (a->state == FARM_ARBITER_JUDGED && a->cases[0].may_move) {
        a->state = FARM_ARBITER_RUNS;
        if (!queue(f, RG_MSG_SPREAD)) give_up(f, "too many cases");
    }
    if (a->state == FARM_ARBITER_RUNS) j->stage = FARM_WANTS_ARBITER;
}

/* The first candidate's outputs, which all were compared with so far. */
static bool first_was_right(struct rg_farm *f, const struct rg_case *was, const struct rg_case *is, bool may_move,
                            char *text, size_t size)
{
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_layout l;
    struct rg_mapping first = {NULL, 0, NULL}, truth = {NULL, 0, NULL};
    const struct rg_sizes *sizes = &f->problem->sizes[is->size];
    bool right = true;
    if (rg__layout(&a, f->problem, sizes, true, &l, NULL) == RG_OK &&
        rg__shm_map(f->shm.fd, was->at, false, &first, NULL) == RG_OK &&
        rg__shm_map(f->shm.fd, is->at, false, &truth, NULL) == RG_OK)
        for (int i = 0; i < l.n && right; i++) {
            const struct rg_slot *t = &l.slots[i];
            if (t->expect < 0) continue;
            struct rg_compare c;
            struct rg_difference d;
            rg__compare_case(&c, f->problem, sizes, &l, i, truth.data, (char *)first.data + t->expect);
            c.may_move = may_move;
            rg__compare(&c, &d);
            right = d.equal;
            if (!right) rg__compare_text(&c, &d, text, size);
        }
    rg__shm_unmap(&first);
    rg__shm_unmap(&truth);
    rg_arena_release(&a);
    return right;
}

static bool all_in_double(const struct farm_arbiter *a)
{
    for (int i = 0; i < a->n; i++)
        if (!a->cases[i].in_double) return false;
    return true;
}

/* Its word is overruled by no more than what is known to be certain. */
static bool first_stands(struct rg_farm *f)
{
    char text[400];
    for (int i = 0, k = 0; i < f->n_cases && k < f->arbiter.n && f->anchored; i++)
        if (f->cases[i].timed && !first_was_right(f, &f->cases[i], &f->arbiter.cases[k++], true, text, sizeof text))
            return false;
    return true;
}

void rg__farm_go_on(struct rg_farm *f)
{
    for (struct farm_job *j = f->jobs; j; j = j->next)
        if (j->stage == FARM_WANTS_ARBITER) j->stage = FARM_WANTS_RUN;
    for (int i = 0; i < f->n_workers; i++) /* what they found is in the memory file */
        if (f->workers[i].role == FARM_REFERENCE && !f->workers[i].fill && !rg__farm_fill_waits(f, FARM_REFERENCE))
            rg__farm_stop(&f->workers[i]);
}

/* From now on the run workers compare with what is there. */
static void install(struct rg_farm *f, bool may_move)
{
    struct farm_arbiter *a = &f->arbiter;
    char text[400];
    int n = 0, judged = 0;
    for (int i = 0; i < f->n_cases; i++) {
        struct rg_case c = f->cases[i];
        if (c.timed && judged == a->n)
            continue; /* a set less to be timed with; its range stays: a run may be reading it */
        if (c.timed) {
            if (f->anchored && !f->info.overruled &&
                !first_was_right(f, &c, &a->cases[judged], may_move, text, sizeof text)) {
                f->info.overruled = true;
                rg_log(RG_LOG_WARN,
                       "the first candidate, which others were compared with at the timed size, is wrong there: %s",
                       text);
            }
            c = a->cases[judged++];
        }
        f->cases[n++] = c;
    }
    for (; judged < a->n && n < RG_MAX_CASES; judged++)
        f->cases[n++] = a->cases[judged]; /* sets that there was no time for before */
    f->n_cases = n;
    a->installed = true;
    settle(f, may_move);
    f->doubt_from = f->cases_version;
}

bool rg__farm_arbiter_lost(struct rg_farm *f, const char *why)
{
    if (f->arbiter.state != FARM_ARBITER_RUNS) return false;
    give_up(f, why);
    return true;
}

void rg__farm_arbiter(struct rg_farm *f)
{
    struct farm_arbiter *a = &f->arbiter;
    if (a->state != FARM_ARBITER_RUNS) return;
    for (int i = 0; i < a->n; i++) {
        if (a->fills[i]->state != FARM_FILL_DONE) return;
        if (a->fills[i]->kind == RG_MSG_ORACLE) a->cases[i].in_double = a->fills[i]->error.status == RG_OK;
        if (a->fills[i]->kind == RG_MSG_SPREAD && rg__farm_needs_spread(f, &a->cases[i]) && !a->fills[i]->rounded) {
            give_up(f, "there is no evaluation in double, and it could not be measured how exact it is");
            return;
        }
        /* without values in double its own are judged by their spread, and without a spread the tolerance stands alone
         */
        if (a->fills[i]->error.status == RG_OK || a->fills[i]->kind != RG_MSG_PREPARE) continue;
        give_up(f, a->fills[i]->error.text);
        return;
    }
    rg__farm_account(f);
    enum rg_msg_kind done = a->fills[0]->kind;
    bool certain = done == RG_MSG_ORACLE && all_in_double(a) && first_stands(f);
    if (done == RG_MSG_SPREAD && a->installed) {
        settle(f, false);
    } else if (done == RG_MSG_SPREAD || certain) {
        install(f, certain);
    } else {
        if (!queue(f, done == RG_MSG_ORACLE || !f->in_double ? RG_MSG_SPREAD : RG_MSG_ORACLE))
            give_up(f, "too many cases");
        return;
    }
    rg__farm_go_on(f);
}
