/* Jobs through the workers: compile, then verify and time. The evaluator that the engine sees. */
#include "runtime/farm/farm.h"
#include <math.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double sim_deadline_s =
    600; /* on sim instruction budgets end what hangs; this only guards against our own bugs */

static double deadline(const struct rg_farm *f, enum farm_role role)
{
    double s = f->o.deadline_s > 0 ? f->o.deadline_s : 60;
    return role == FARM_RUN && f->simulated ? sim_deadline_s : s;
}

void rg__farm_finish(struct farm_job *j, enum rg_outcome o, const char *text)
{
    j->stage = FARM_DONE;
    j->e.outcome = o;
    snprintf(j->e.message, sizeof j->e.message, "%s", text);
}

static void compiled(const struct rg_farm *f, struct farm_job *j)
{
    const struct farm_program *p = j->program;
    j->e.compile_s = p->compile_s;
    j->e.compiled_before = p->cached;
    snprintf(j->e.ptx_hash, sizeof j->e.ptx_hash, "%s", p->ptx_hash);
    if (p->outcome != RG_OUTCOME_OK || j->compile_only)
        rg__farm_finish(j, p->outcome, p->message);
    else
        j->stage = rg__farm_looks(f, j) ? FARM_WANTS_LOOK : FARM_WANTS_RUN;
}

static bool start_compile(struct rg_farm *f, struct farm_worker *w, struct farm_program *p)
{
    struct rg_msg m;
    rg__msg_init(&m, RG_MSG_COMPILE, (int)(p - f->programs));
    m.source = p->source;
    m.program.plan = p->plan;
    m.room = p->room;
    m.arch = f->arch;
    m.limit_regs = f->o.limit_regs;
    m.limit_shared = f->o.limit_shared;
    if (rg__farm_send(w, &m, NULL) != RG_OK) return false;
    p->compiling = true;
    w->program = p;
    return true;
}

/* One in 20 of those that an estimate would prune is timed all the same. Which ones goes by their source and the seed,
 * never by the order in which they come. */
enum rg_may_prune rg__farm_may_prune(const struct rg_farm *f, const struct farm_job *j)
{
    enum { ONE_IN = 20, SALT = 977 };
    if (!f->info.prunes || j->purpose != RG_EVAL_FULL) return RG_PRUNE_NEVER;
    return rg_hash64(j->program->key, strlen(j->program->key), f->o.seed + SALT) % ONE_IN ? RG_PRUNE_MAY
                                                                                          : RG_PRUNE_MEASURE;
}

static bool start_run(struct rg_farm *f, struct farm_worker *w, struct farm_job *j)
{
    struct rg_msg m;
    rg__msg_init(&m, RG_MSG_RUN, j->id);
    m.program = j->program->program;
    m.again = j->purpose == RG_EVAL_AGAIN || j->purpose == RG_EVAL_LAST || j->suspected;
    m.anchored = f->anchored;
    double best_us = m.again ? 0 : f->best_us;
    m.time_us = best_us;
    if (!(best_us > 0) && f->info.sequential_ms > 0 && f->info.sequential_how != RG_SEQUENTIAL_AT_LEAST)
        m.time_us = f->info.sequential_ms * 1e3; /* what is several times slower than the C needs no second run */
    m.other_us = j->purpose == RG_EVAL_FULL && f->contend > 0 ? f->contend * best_us : 0;
    m.prune = f->best_us > 0 ? rg__farm_may_prune(f, j) : RG_PRUNE_NEVER;
    m.looked = j->seen && !m.again;
    m.screened = j->screened;
    m.estimate_us = j->estimate_us;
    m.low_us = j->low_us;
    m.high_us = j->high_us;
    if (rg__farm_send(w, &m, NULL) != RG_OK) return false;
    rg__farm_passed(f, j);
    j->stage = FARM_RUNNING;
    j->cases_version = w->cases_version;
    w->job = j;
    return true;
}

bool rg__farm_assign(struct rg_farm *f)
{
    bool done = false;
    rg__farm_account(f);
    for (struct farm_job *j = f->jobs; j; j = j->next)
        if (j->stage == FARM_WANTS_COMPILE && j->program->compiled) {
            compiled(f, j);
            done = done || j->stage == FARM_DONE;
        }
    for (int i = 0; i < f->n_workers; i++) {
        struct farm_worker *w = &f->workers[i];
        if (w->state != FARM_IDLE) continue;
        if (w->role == FARM_REFERENCE || w->role == FARM_HOOKS) {
            rg__farm_fill_start(f, w);
            continue;
        }
        if ((w->role == FARM_RUN || w->role == FARM_LOOK) && w->cases_version != f->cases_version) {
            rg__farm_tell_cases(f, w);
            continue;
        }
        struct farm_job *j = w->role == FARM_RUN    ? rg__farm_next_run(f)
                             : w->role == FARM_LOOK ? rg__farm_next_look(f)
                                                    : NULL;
        struct farm_program *p = w->role == FARM_COMPILE ? rg__farm_next_compile(f) : NULL;
        if (!j && !p) continue;
        bool ok = p ? start_compile(f, w, p) : w->role == FARM_LOOK ? rg__farm_look_start(f, w, j) : start_run(f, w, j);
        if (!ok) continue; /* its end of file is seen next; the work stays queued */
        w->state = FARM_BUSY;
        rg__farm_clock(w, deadline(f, w->role));
    }
    return done;
}

static void mark(struct rg_evaluation *e, const char *name)
{
    if (rg_evaluation_counter(e, name) == 1 || e->n_counters == RG_MAX_COUNTERS) return;
    struct rg_counter *c = &e->counters[e->n_counters++];
    snprintf(c->name, sizeof c->name, "%s", name);
    c->value = 1;
}

/* Faster than memory delivers what must be read: nothing that this worker or its device holds is to be trusted, so it
 * is verified and timed once more in a fresh one, on inputs of its own. True: that is to happen now. */
static bool suspicious(const struct rg_farm *f, struct farm_job *j, const struct rg_msg *m)
{
    if (f->simulated || j->program->suspected || rg_outcome_parse(m->outcome) != RG_OUTCOME_OK) return false;
    for (int i = 0; i < m->n_counters; i++)
        if (!strcmp(m->counters[i].name, "suspect") && m->counters[i].value > 0) j->suspected = true;
    j->program->suspected = j->suspected;
    return j->suspected;
}

static void take_evaluation(struct rg_farm *f, struct farm_job *j, const struct rg_msg *m)
{
    struct rg_evaluation *e = &j->e;
    int o = rg_outcome_parse(m->outcome), limiter = rg_limiter_parse(m->limiter);
    rg__farm_finish(j, o < 0 ? RG_OUTCOME_CRASH : (enum rg_outcome)o, m->text);
    e->estimated = m->estimated;
    e->max_error = m->max_error;
    e->rms_error = m->rms_error;
    e->verify_s = m->verify_s;
    e->time_s = m->time_s;
    if (e->outcome != RG_OUTCOME_OK) return;
    e->time_us = m->time_us;
    if (f->best_us <= 0 || e->time_us < f->best_us) f->best_us = e->time_us;
    e->noise_us = m->noise_us;
    e->total_us = m->total_us;
    /* Transfers are the same whatever the kernel, but noisier than it: measured anew by every worker they would decide
     * between kernels. */
    if (m->total_us > m->time_us && f->transfer_us <= 0) f->transfer_us = m->total_us - m->time_us;
    if (m->total_us > 0 && f->transfer_us > 0) e->total_us = m->time_us + f->transfer_us;
    e->threads = m->threads;
    if (m->kernel) snprintf(e->kernel, sizeof e->kernel, "%s", m->kernel);
    e->limiter = limiter < 0 ? RG_LIMIT_UNKNOWN : (enum rg_limiter)limiter;
    e->n_counters = m->n_counters < RG_MAX_COUNTERS ? m->n_counters : RG_MAX_COUNTERS;
    for (int i = 0; i < e->n_counters; i++) e->counters[i] = m->counters[i];
    if (j->suspected) mark(e, "suspect");
    j->program->screened = j->program->screened || rg_evaluation_counter(e, "screened") == 1;
    double launches = rg_evaluation_counter(e, "launches");
    j->program->launches = launches > 0 && launches < 1e15 ? (int64_t)launches : 0;
    if (m->anchored) f->anchored = true;
    rg__farm_outputs(f, j->program->key, j->cases_version, m);
}

/* The worker itself failed (not the candidate): once more on a fresh one, then the farm gives up. */
static void worker_error(struct rg_farm *f, struct farm_worker *w, const struct rg_msg *m)
{
    struct rg_error e = RG_ERROR_INIT;
    struct farm_job *j = w->job;
    struct farm_program *p = w->program;
    rg__msg_to_error(m, &e);
    rg__farm_stop(w);
    if (w->role == FARM_LOOK) {
        rg__farm_look_lost(j);
        return;
    }
    if (p) p->compiling = false;
    if (++*(p ? &p->attempts : &j->attempts) < FARM_ATTEMPTS) {
        if (j) j->stage = FARM_WANTS_RUN;
        return;
    }
    rg_error_set(&f->failure, e.status, "%s", e.text);
}

void rg__farm_answer(struct rg_farm *f, struct farm_worker *w, const struct rg_msg *m)
{
    struct farm_job *j = w->job;
    struct farm_program *p = w->program;
    if ((!j && !p) || m->id != (p ? (int)(p - f->programs) : j->id)) return; /* of a duel that was given up */
    if (m->kind == RG_MSG_ERROR) {
        worker_error(f, w, m);
        return;
    }
    double spent = rg_now() - w->since;
    rg__farm_account(f);
    w->job = NULL;
    w->program = NULL;
    w->state = FARM_IDLE;
    if (m->kind == RG_MSG_COMPILED && p) {
        f->info.compile_s += spent;
        f->info.compiled++;
        rg__farm_compiled(f, p, m);
        rg__farm_cache_keep(f, p);
    } else if (m->kind == RG_MSG_LOOKED && j) {
        rg__farm_looked(j, m);
    } else if (m->kind == RG_MSG_EVALUATED && j) {
        bool fresh = suspicious(f, j, m);
        if (fresh)
            j->stage = FARM_WANTS_RUN;
        else
            take_evaluation(f, j, m);
        if (m->disputed && !j->canceled) rg__farm_dispute(f, j, w);
        f->info.verify_s += m->verify_s;
        f->info.time_s += m->time_s;
        f->info.run_busy_s += m->verify_s + m->time_s; /* by its own clock: not while its answer lies unread */
        if (m->finished || fresh) rg__farm_stop(w);    /* its context is poisoned; the next job gets a new one */
    }
}

static void end_compile(struct farm_program *p, enum rg_outcome o, const char *text)
{
    p->compiled = true; /* remembered: the same text would do it again */
    p->outcome = o;
    snprintf(p->message, sizeof p->message, "%s", text);
}

void rg__farm_lost(struct rg_farm *f, const struct farm_worker *was, enum farm_loss loss, const char *why)
{
    char text[300];
    struct farm_job *j = was->job;
    struct farm_program *p = was->program;
    if (was->fill) rg__farm_fill_lost(was->fill, loss, why);
    if (!j && !p) return;
    rg__farm_account(f);
    if (was->role == FARM_LOOK) {
        rg__farm_look_lost(j);
        return;
    }
    if (j) f->info.run_busy_s += rg_now() - was->since;
    if (p) p->compiling = false;
    if (loss == FARM_LATE) {
        snprintf(text, sizeof text, p ? "compiling it took longer than %g s" : "it ran longer than %g s",
                 deadline(f, p ? FARM_COMPILE : FARM_RUN));
        if (p)
            end_compile(p, RG_OUTCOME_TIMEOUT, text);
        else
            rg__farm_finish(j, RG_OUTCOME_TIMEOUT, text);
        return;
    }
    /* A candidate can make its worker crash; SIGKILL and SIGSTOP come from people, SIGKILL also from the system when
     * memory runs out: then it may be the candidate's doing, else it never is. */
    int *tries = loss == FARM_TAKEN ? (p ? &p->taken : &j->taken) : p ? &p->attempts : &j->attempts;
    if (++*tries < (loss == FARM_DIED    ? FARM_ATTEMPTS
                    : loss == FARM_TAKEN ? FARM_TAKEN_ATTEMPTS
                                         : FARM_KILLED_ATTEMPTS)) {
        if (j) j->stage = FARM_WANTS_RUN;
        return;
    }
    snprintf(text, sizeof text, "%s worker %s over it, again and again", p ? "the compile" : "the run", why);
    if (p)
        end_compile(p, RG_OUTCOME_CRASH, text);
    else
        rg__farm_finish(j, RG_OUTCOME_CRASH, text);
}

static struct farm_job *add_job(struct rg_farm *f, int id, const struct rg_source *src, enum rg_eval_purpose purpose,
                                struct rg_error *err)
{
    struct farm_program *p;
    if (rg__farm_program(f, src, &p, err) != RG_OK) return NULL;
    struct farm_job *j = rg_xcalloc(1, sizeof *j);
    rg__farm_account(f);
    j->id = id;
    j->purpose = purpose;
    j->program = p;
    if (id == f->expected_id) j->expected_us = f->expected_us;
    j->e.max_error = j->e.rms_error = NAN;
    j->e.total_us = -1;
    j->e.estimated = f->simulated;
    struct farm_job **end = &f->jobs;
    while (*end) end = &(*end)->next;
    *end = j;
    return j;
}

static void remove_job(struct rg_farm *f, struct farm_job *j)
{
    rg__farm_account(f);
    struct farm_job **at = &f->jobs;
    while (*at && *at != j) at = &(*at)->next;
    if (*at) *at = j->next;
    j->program->users--;
    free(j);
}

static enum rg_status submit(void *self, int id, const struct rg_source *src, enum rg_eval_purpose purpose,
                             struct rg_error *err)
{
    struct rg_farm *f = self;
    if (!add_job(f, id, src, purpose, err)) return err ? err->status : RG_LIMIT;
    return rg__farm_pump(f, 0, err);
}

/* At most half the places are for guesses: jobs find room whatever was foreseen. */
static void foresee(void *self, const struct rg_source *src)
{
    struct rg_farm *f = self;
    struct farm_program *p;
    struct rg_error ignored = RG_ERROR_INIT;
    int waiting = 0;
    for (int i = 0; i < FARM_PROGRAMS; i++) waiting += f->programs[i].ahead && !f->programs[i].compiled;
    if (waiting >= FARM_PROGRAMS / 2 || rg__farm_program(f, src, &p, &ignored) != RG_OK) return;
    p->users--;
    p->ahead = true;
    rg__farm_assign(f);
}

static struct farm_worker *idle_runner(struct rg_farm *f)
{
    for (int i = 0; i < f->n_workers; i++)
        if (f->workers[i].role == FARM_RUN && f->workers[i].state == FARM_IDLE) return &f->workers[i];
    return NULL;
}

/* Jobs that wait are not sent meanwhile: who asks for a device stands still until it has it, and the search with it. */
static enum rg_status wait_for_runner(struct rg_farm *f, struct farm_worker **w, struct rg_error *err)
{
    enum rg_status s = RG_OK;
    f->reserved = true;
    while (s == RG_OK && !(*w = idle_runner(f))) s = rg__farm_pump(f, 1, err);
    f->reserved = false;
    return s;
}

/* A tool that looks for races takes seconds: only what the search ends with is looked at by it, while nothing else runs
 * on that GPU. */
static enum rg_status look_for_races(struct rg_farm *f, struct farm_job *j, struct rg_error *err)
{
    struct farm_worker *w = NULL;
    enum rg_status s = RG_OK;
    if (f->simulated || j->looked || j->canceled || j->e.outcome != RG_OUTCOME_OK) return RG_OK;
    bool runs = j->purpose == RG_EVAL_LAST && f->sanitizer.wanted && !j->program->screened &&
                j->program->sanitized == FARM_NOT_LOOKED;
    if (runs) s = wait_for_runner(f, &w, err);
    return s == RG_OK ? rg__farm_sanitize(f, j, w, err) : s;
}

static enum rg_status poll_result(void *self, double seconds, struct rg_eval_result *out, bool *got,
                                  struct rg_error *err)
{
    struct rg_farm *f = self;
    double until = rg_now() + seconds;
    *got = false;
    for (;;) {
        bool waiting = false;
        for (struct farm_job *j = f->jobs, *next; j; j = next) {
            next = j->next;
            if (j->stage != FARM_DONE) {
                waiting = waiting || !j->canceled;
                continue;
            }
            if (j->hidden) continue;
            if (!j->looked) {
                enum rg_status s = look_for_races(f, j, err);
                if (s != RG_OK) return s;
                next = j->next; /* the list may have changed meanwhile */
            }
            bool canceled = j->canceled;
            out->id = j->id;
            out->e = j->e;
            remove_job(f, j);
            if (canceled) continue;
            *got = true;
            return RG_OK;
        }
        double left = until - rg_now();
        if (!waiting || (left <= 0 && seconds > 0)) return RG_OK;
        enum rg_status s = rg__farm_pump(f, left > 0 ? left : 0, err);
        if (s != RG_OK) return s;
        if (seconds <= 0) {
            bool done = false;
            for (struct farm_job *j = f->jobs; j; j = j->next) done = done || (j->stage == FARM_DONE && !j->hidden);
            if (!done) return RG_OK;
        }
    }
}

static void cancel(void *self, int id)
{
    struct rg_farm *f = self;
    for (struct farm_job *j = f->jobs, *next; j; j = next) {
        next = j->next;
        if (j->id != id || j->hidden) continue;
        j->canceled = true;
        if (j->stage != FARM_RUNNING && j->stage != FARM_LOOKING) remove_job(f, j);
    }
}

/* Waits until the job's program is compiled; false when it does not compile. */
static enum rg_status compile_now(struct rg_farm *f, struct farm_job *j, struct rg_error *err)
{
    while (j->stage != FARM_DONE) {
        enum rg_status s = rg__farm_pump(f, 1, err);
        if (s != RG_OK) return s;
    }
    return RG_OK;
}

static enum rg_status duel_run(struct rg_farm *f, const struct farm_program *a, const struct farm_program *b,
                               struct rg_duel *out, struct rg_error *err)
{
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status s = RG_IO;
    for (int attempt = 0; attempt < FARM_KILLED_ATTEMPTS && s == RG_IO; attempt++) {
        struct farm_worker *w;
        if ((s = wait_for_runner(f, &w, err)) != RG_OK) return s;
        struct rg_msg m, reply;
        rg__msg_init(&m, RG_MSG_DUEL, -1);
        m.program = a->program;
        m.other = b->program;
        rg_error_clear(&e);
        double start = rg_now();
        rg__farm_account(f);
        f->dueling = true;
        s = rg__farm_ask(f, w, &m, deadline(f, FARM_RUN), &reply, &e);
        f->info.run_busy_s += rg_now() - start;
        rg__farm_account(f);
        f->dueling = false;
        if (s == RG_OK && reply.kind == RG_MSG_DUELLED && rg_outcome_parse(reply.outcome) == RG_OUTCOME_OK) {
            *out = (struct rg_duel){reply.ratio, reply.significant, reply.time_us, reply.other_us};
        }
        if (s == RG_OK && reply.finished) rg__farm_stop(w);
        rg__msg_release(&reply);
    }
    if (s == RG_IO || s == RG_CANCELED) return RG_OK; /* it died or hung: no proof of anything */
    return rg__error_move(err, s, &e);
}

static enum rg_status duel(void *self, const struct rg_source *a, const struct rg_source *b, struct rg_duel *out,
                           struct rg_error *err)
{
    struct rg_farm *f = self;
    *out = (struct rg_duel){.ratio = 1};
    f->wait_until = f->o.until;
    rg__farm_doing(f, "while two kernels met");
    struct farm_job *ja = add_job(f, -1, a, RG_EVAL_FULL, err), *jb = NULL;
    if (ja) {
        ja->hidden = ja->compile_only = true;
        jb = add_job(f, -2, b, RG_EVAL_FULL, err);
    }
    enum rg_status s = jb ? RG_OK : err ? err->status : RG_LIMIT;
    if (jb) {
        jb->hidden = jb->compile_only = true;
        s = compile_now(f, ja, err);
        if (s == RG_OK) s = compile_now(f, jb, err);
        if (s == RG_OK && ja->e.outcome == RG_OUTCOME_OK && jb->e.outcome == RG_OUTCOME_OK)
            s = duel_run(f, ja->program, jb->program, out, err);
    }
    if (ja) remove_job(f, ja);
    if (jb) remove_job(f, jb);
    f->wait_until = 0;
    return s;
}

static enum rg_status profile(void *self, const struct rg_source *src, struct rg_counter *out, int *n,
                              struct rg_error *err)
{
    struct rg_farm *f = self;
    *n = 0;
    if (!f->counters.wanted) return RG_OK;
    struct rg_error e = RG_ERROR_INIT;
    struct farm_job *j = add_job(f, -1, src, RG_EVAL_FULL, err);
    if (!j) return RG_OK;
    f->wait_until = f->o.until;
    j->hidden = j->compile_only = true;
    enum rg_status s = compile_now(f, j, &e);
    struct farm_worker *w = NULL;
    if (s == RG_OK && j->e.outcome == RG_OUTCOME_OK) s = wait_for_runner(f, &w, &e);
    if (s == RG_OK && w) s = rg__farm_profile(f, j->program, w, out, n, &e);
    remove_job(f, j);
    f->wait_until = 0;
    if (s == RG_LIMIT) return RG_OK; /* no time is left for it */
    return rg__error_move(err, s, &e);
}

static void no_free(void *self) {}

static bool doubts(void *self, const struct rg_source *src)
{
    return rg_farm_doubts(self, src);
}

static bool unlooked(void *self, const struct rg_source *src)
{
    const struct rg_farm *f = self;
    char key[65];
    if (f->simulated || !f->sanitizer.wanted) return false;
    rg__farm_key(src, key);
    for (int i = 0; i < FARM_PROGRAMS; i++)
        if (!strcmp(f->programs[i].key, key))
            return !f->programs[i].screened && f->programs[i].sanitized == FARM_NOT_LOOKED;
    return true;
}

static void contend(void *self, double times, double behind)
{
    struct rg_farm *f = self;
    f->contend = times;
    f->behind = behind;
}

static void expect(void *self, int id, double us)
{
    struct rg_farm *f = self;
    f->expected_id = id;
    f->expected_us = us;
}

static void settle(void *self, double until)
{
    struct rg_farm *f = self;
    f->wait_until = until;
    rg__farm_settle_cases(f);
    f->wait_until = 0;
}

void rg__farm_evaluator_init(struct rg_farm *f)
{
    f->evaluator = (struct rg_evaluator){.self = f,
                                         .device = f->device,
                                         .arch = f->simulated ? f->device : f->info.arch,
                                         .estimated = f->simulated,
                                         .submit = submit,
                                         .poll = poll_result,
                                         .duel = duel,
                                         .foresee = foresee,
                                         .cancel = cancel,
                                         .free = no_free,
                                         .profile = f->counters.wanted ? profile : NULL,
                                         .settle = settle,
                                         .doubts = doubts,
                                         .unlooked = unlooked,
                                         .contend = contend,
                                         .expect = expect};
}

void rg__farm_jobs_free(struct rg_farm *f)
{
    while (f->jobs) remove_job(f, f->jobs);
}
