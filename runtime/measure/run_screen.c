/* Screening: before a candidate's first launch on a real device its plan runs once on the simulated one, at the
 * smallest size, with every check on. A race or a stray access is told with names, and costs no worker. What the
 * simulated device lacks or finds too long is not held against the candidate. */
#include "runtime/measure/runner.h"
#include <rg/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LAUNCHES = 500, MAX_BYTES = 64 << 20, CASES = 2 /* the one that is screened, the timed one */ };
static const double accesses = 6e6, least_instructions = 2e7, most_instructions = 5e8;

void rg__screen_forget(struct rg_runner *r)
{
    struct rg_runner *q = r->screen;
    if (!q) return;
    for (int i = 0; i < q->n_cases; i++) rg__case_down(q, &q->cases[i]);
    rg_arena_release(&q->arena);
    q->cases = NULL;
    q->n_cases = 0;
}

void rg__screen_end(struct rg_runner *r)
{
    rg__screen_forget(r);
    if (r->screen && r->screen->device.free) r->screen->device.free(r->screen->device.self);
    free(r->screen);
    r->screen = NULL;
}

void rg__screen_open(struct rg_runner *r)
{
    struct rg_error e = RG_ERROR_INIT;
    if (r->device.simulated) return;
    r->screen = rg_xcalloc(1, sizeof *r->screen);
    /* for checks any will do */
    if (!rg_device_sim_of(r->device.facts.name, r->device.facts.sms, r->model, sizeof r->model)) r->model[0] = 0;
    if (rg_device_open_sim(*r->model ? r->model : "h200", &r->screen->device, &e) == RG_OK) return;
    rg_log(RG_LOG_INFO, "candidates are not screened: %s", e.text);
    rg_error_clear(&e);
    r->model[0] = 0;
    free(r->screen);
    r->screen = NULL;
}

enum rg_status rg__screen_alone(struct rg_runner *r, const char *name, struct rg_error *err)
{
    r->screen = rg_xcalloc(1, sizeof *r->screen);
    enum rg_status s = rg_device_open_sim(name, &r->screen->device, err);
    if (s == RG_OK) snprintf(r->model, sizeof r->model, "%s", name);
    return s;
}

/* The cheapest case that has an answer; NULL: none is small enough. */
static const struct rg_resident *smallest(const struct rg_runner *r)
{
    for (int i = 0; i < r->n_cases; i++) {
        const struct rg_resident *c = &r->cases[i];
        if (!c->c.timed && c->c.expected && !c->c.again) return c->layout.bytes <= MAX_BYTES ? c : NULL;
    }
    return NULL;
}

struct rg_resident *rg__screen_case(struct rg_runner *r, const struct rg_resident *c)
{
    struct rg_runner *q = r->screen;
    if (!c || !q) return NULL;
    q->problem = r->problem;
    q->shm = r->shm;
    q->limit_memory = r->limit_memory;
    for (int i = 0; i < q->n_cases; i++)
        if (q->cases[i].c.timed == c->c.timed) return &q->cases[i];
    size_t n = (size_t)r->problem->n_params + 1;
    if (!q->cases) q->cases = rg_arena_alloc(&q->arena, CASES * sizeof *q->cases);
    struct rg_resident *mine = &q->cases[q->n_cases++];
    *mine = (struct rg_resident){.c = c->c, .layout = c->layout};
    mine->buffers = rg_arena_alloc(&q->arena, n * sizeof(rg_addr));
    mine->pristine = rg_arena_alloc(&q->arena, n * sizeof(rg_addr));
    mine->hashes = rg_arena_alloc(&q->arena, n * sizeof(uint64_t));
    mine->references = rg_arena_alloc(&q->arena, n * sizeof *mine->references);
    return mine;
}

static enum rg_status run_once(struct rg_runner *q, struct rg_resident *c, const struct rg_loaded *l,
                               struct rg_fault *fault, struct rg_error *err)
{
    struct rg_device *d = &q->device;
    double work = 100 * q->problem->sizes[c->c.size].work + least_instructions;
    d->check(d->self, accesses);
    d->budget(d->self, work < most_instructions ? work : most_instructions);
    enum rg_status s = rg__case_up(q, c, err);
    if (s == RG_OK) s = rg__case_restore(q, c, err);
    struct rg_exec x;
    rg__exec_init(&x, q, l, c);
    x.max_launches = MAX_LAUNCHES;
    if (s == RG_OK) s = rg__exec_run(&x, err);
    *fault = x.fault;
    rg__exec_release(&x);
    d->check(d->self, 0);
    return s;
}

bool rg__screen(struct rg_runner *r, const struct rg_program *p, struct rg_fault *fault)
{
    if (r->no_screen || r->device.simulated) return false;
    struct rg_runner *q = r->screen;
    struct rg_resident *c = rg__screen_case(r, smallest(r));
    bool screened = false;
    if (c) {
        struct rg_loaded l;
        struct rg_fault found = {RG_OUTCOME_OK, ""};
        struct rg_error e = RG_ERROR_INIT;
        enum rg_status s = rg__loaded_new(q, p, &l, &found, &e);
        if (s == RG_OK && found.outcome == RG_OUTCOME_OK) s = run_once(q, c, &l, &found, &e);
        rg__loaded_release(q, &l);
        if (s != RG_OK) rg_log(RG_LOG_DEBUG, "not screened: %s", e.text);
        rg_error_clear(&e);
        switch (s == RG_OK ? found.outcome : RG_OUTCOME_UNSUPPORTED) {
        case RG_OUTCOME_RACE:
        case RG_OUTCOME_BOUNDS:
        case RG_OUTCOME_CRASH:
        case RG_OUTCOME_WRONG /* uninitialised: nothing is compared here */:
            rg__fault_set(fault, found.outcome, "%.440s (found before the first launch, on the simulated device)",
                          found.message);
            screened = true;
            break;
        case RG_OUTCOME_OK:
            screened = true;
            break;
        default:
            break; /* unsupported, too long: the real device decides */
        }
    }
    return screened;
}
