/* Look workers: before a real device has a candidate, a simulated one looks for races and stray accesses, and where
 * estimates may prune, for how long it would take. That is work for a processor - up to two seconds of it where a
 * kernel has 70,000 threads that wait for each other - and done by the device's own worker it would keep the device
 * waiting. On few cores the device's worker does it. */
#include "runtime/farm/farm.h"
#include <rg/cpus.h>
#include <rg/log.h>
#include <stdio.h>

enum { CORES_EACH = 4, CORES_LEAST = 6, MEMORY_PART = 8 };

static int look_workers(const struct rg_farm *f)
{
    int cpus = rg_cpus(), n = cpus < CORES_LEAST ? 0 : cpus / CORES_EACH;
    int64_t most = 0, part = rg__farm_memory() / MEMORY_PART;
    if (f->o.look_workers) n = f->o.look_workers;
    if (n > FARM_MAX_LOOK) n = FARM_MAX_LOOK;
    for (int i = 0; i < f->n_cases; i++) /* each holds one timed case */
        if (f->cases[i].timed && f->cases[i].at.len > most) most = f->cases[i].at.len;
    while (n > 0 && most * n > part) n--;
    return n;
}

enum rg_status rg__farm_look_open(struct rg_farm *f, struct rg_error *err)
{
    enum rg_status s = RG_OK;
    if (f->simulated || (f->o.no_screen && !f->info.prunes)) return RG_OK;
    for (int n = look_workers(f); n > 0 && f->n_workers < FARM_MAX_WORKERS && s == RG_OK; n--) {
        struct farm_worker *w = &f->workers[f->n_workers++];
        w->role = FARM_LOOK;
        snprintf(w->device, sizeof w->device, "sim:%.18s", *f->model ? f->model : "h200"); /* for checks any will do */
        s = rg__farm_spawn(f, w, err);
    }
    return s;
}

bool rg__farm_looks(const struct rg_farm *f, const struct farm_job *j)
{
    bool any = false;
    for (int i = 0; i < f->n_workers; i++) any = any || (f->workers[i].role == FARM_LOOK && !f->workers[i].retired);
    return any && !j->unseen && !j->seen && !j->suspected && j->purpose != RG_EVAL_AGAIN && j->purpose != RG_EVAL_LAST;
}

bool rg__farm_look_start(struct rg_farm *f, struct farm_worker *w, struct farm_job *j)
{
    struct rg_msg m;
    rg__msg_init(&m, RG_MSG_LOOK, j->id);
    m.program = j->program->program;
    m.time_us = f->best_us;
    m.prune = rg__farm_may_prune(f, j);
    if (rg__farm_send(w, &m, NULL) != RG_OK) return false;
    j->stage = FARM_LOOKING;
    w->job = j;
    return true;
}

void rg__farm_looked(struct farm_job *j, const struct rg_msg *m)
{
    int o = rg_outcome_parse(m->outcome);
    if (o != RG_OUTCOME_OK) {
        rg__farm_finish(j, o < 0 ? RG_OUTCOME_CRASH : (enum rg_outcome)o, m->text);
        return;
    }
    j->seen = true;
    j->screened = m->screened;
    j->estimate_us = m->estimate_us;
    j->low_us = m->low_us;
    j->high_us = m->high_us;
    j->stage = j->canceled ? FARM_DONE : FARM_WANTS_RUN;
}

void rg__farm_look_lost(struct farm_job *j)
{
    if (!j) return;
    j->unseen = ++j->attempts >= FARM_ATTEMPTS;
    if (j->unseen) j->attempts = 0; /* what it does to a run worker is another matter */
    j->stage = j->canceled ? FARM_DONE : j->unseen ? FARM_WANTS_RUN : FARM_WANTS_LOOK;
}

void rg__farm_look_retire(struct rg_farm *f, struct farm_worker *w)
{
    bool any = false;
    w->retired = true;
    for (int i = 0; i < f->n_workers; i++) any = any || (f->workers[i].role == FARM_LOOK && !f->workers[i].retired);
    for (struct farm_job *j = f->jobs; j && !any; j = j->next)
        if (j->stage == FARM_WANTS_LOOK) j->stage = FARM_WANTS_RUN;
}
