/* The run role: alone with its device; verifies and times compiled programs. */
#include "runtime/sim/model/accuracy.h"
#include "runtime/measure/runner.h"
#include "runtime/worker/worker.h"
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTERS_TEXT = 400, ACCURACY_TEXT = 600 };

static enum rg_status start(struct rg_worker *w, struct rg_msg *ready, struct rg_error *err)
{
    struct rg_runner *r = rg_xcalloc(1, sizeof *r);
    int ordinal, end = 0;
    w->self = r;
    r->shm = w->shm;
    enum rg_status s;
    if (!strncmp(w->device, "sim:", 4))
        s = rg_device_open_sim(w->device + 4, &r->device, err);
    else if (sscanf(w->device, "cuda:%d%n", &ordinal, &end) == 1 && !w->device[end] && ordinal >= 0)
        /* a kernel loaded at its first launch would wait for the stream that is held: load all at once */
        s = setenv("CUDA_MODULE_LOADING", "EAGER", 0) ? RG_NOMEM : rg_device_open_cuda(ordinal, &r->device, err);
    else
        s = rg_error_set(err, RG_UNAVAILABLE, "no device '%s': use cuda:N, cuda:all or sim:NAME", w->device);
    if (s != RG_OK) return s;
    if (w->bare && !r->device.simulated) rg_device_cuda_bare(&r->device);
    if (!*w->replay) rg__screen_open(r);
    const struct rg_device_facts *f = &r->device.facts;
    ready->peaks = "model";
    ready->hardware_counters = "the timing model's";
    if (*w->replay) {
        ready->peaks = ready->hardware_counters = "not asked for";
    } else if (!r->device.simulated) {
        char *text = rg_arena_alloc(&ready->arena, COUNTERS_TEXT);
        ready->peaks = rg_device_cuda_peaks(&r->device, w->cache);
        rg_device_cuda_counters(&r->device, w->probe, text, COUNTERS_TEXT);
        ready->hardware_counters = text;
    }
    ready->model = r->model;
    if (*r->model) {
        char *why = rg_arena_alloc(&ready->arena, ACCURACY_TEXT);
        if (!rg__accuracy_good(r->screen->device.accuracy, why, ACCURACY_TEXT)) ready->accuracy = why;
    }
    ready->device = f->name;
    ready->driver = f->driver;
    ready->arch = f->arch;
    ready->simulated = r->device.simulated;
    ready->sms = f->sms;
    ready->shared_per_block = f->shared_per_block_optin;
    ready->regs_per_sm = f->regs_per_sm;
    ready->l2_bytes = f->l2_bytes;
    ready->copy_bytes_s = f->copy_bytes_s;
    ready->pcie_bytes_s = f->pcie_bytes_s;
    ready->dram_bytes_s = f->dram_bytes_s;
    ready->fp32_flop_s = f->fp32_flop_s;
    ready->fp64_flop_s = f->fp64_flop_s;
    ready->clock_hz = f->clock_hz;
    return RG_OK;
}

static void stop(struct rg_worker *w)
{
    struct rg_runner *r = w->self;
    if (!r) return;
    if (*w->replay && !r->problem && r->device.flush) { /* whether a profiler can read anything at all */
        struct rg_fault f = {RG_OUTCOME_OK, ""};
        if (r->device.flush(r->device.self, NULL) == RG_OK) (void)r->device.sync(r->device.self, &f, NULL);
    }
    if (!r->lost) rg__cases_forget(r); /* a lost context would only answer with errors */
    if (r->device.free && !r->lost) r->device.free(r->device.self);
    rg__screen_end(r);
    free(r);
}

static enum rg_status problem(struct rg_worker *w, struct rg_error *err)
{
    struct rg_runner *r = w->self;
    rg__cases_forget(r);
    r->problem = w->problem;
    return RG_OK;
}

/* What the program wrote in each case: evidence, for certificates. */
static void tell_outputs(const struct rg_runner *r, struct rg_msg *reply)
{
    reply->outputs = rg_arena_alloc(&reply->arena, (size_t)(r->n_cases + 1) * sizeof *reply->outputs);
    for (int i = 0; i < r->n_cases; i++) {
        const struct rg_resident *c = &r->cases[i];
        if (c->has_outputs)
            reply->outputs[reply->n_outputs++] = (struct rg_output_hash){c->c.size, c->c.seed, c->c.timed, c->outputs};
    }
}

static enum rg_status run(struct rg_runner *r, const struct rg_msg *in, struct rg_fault *fault, struct rg_msg *reply,
                          struct rg_error *err)
{
    struct rg_loaded l;
    double t0 = rg_now();
    for (int i = 0; i < r->n_cases; i++) r->cases[i].has_outputs = false;
    r->best_us = in->time_us;
    r->contend_us = in->other_us;
    r->prune = in->prune > RG_PRUNE_NEVER && in->prune < RG_N_MAY_PRUNE && !in->again ? (enum rg_may_prune)in->prune
                                                                                      : RG_PRUNE_NEVER;
    r->disputed = false;
    if (r->device.simulated) rg__cases_settle(r);
    bool screened = in->looked ? in->screened : !in->again && rg__screen(r, &in->program, fault);
    if (!in->again && !r->no_screen && !r->device.simulated) rg__counter_add(reply, "screened", screened);
    if (fault->outcome != RG_OUTCOME_OK) {
        reply->verify_s = rg_now() - t0;
        return RG_OK;
    }
    enum rg_status s = rg__loaded_new(r, &in->program, &l, fault, err);
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK) s = rg__verify(r, &l, in->again, fault, reply, err);
    struct rg_interval expected = {in->estimate_us, in->low_us, in->high_us};
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK)
        rg__prune(r, in->looked ? expected : rg__expect(r, &in->program), fault, reply);
    double t1 = rg_now();
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK)
        s = r->device.simulated ? rg__estimate(r, &l, fault, reply, err)
                                : rg__time(r, &l, in->anchored, fault, reply, err);
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK) tell_outputs(r, reply);
    reply->disputed = r->disputed && fault->outcome == RG_OUTCOME_WRONG;
    reply->verify_s = t1 - t0;
    reply->time_s = rg_now() - t1;
    rg__loaded_release(r, &l);
    return s;
}

static enum rg_status duel(struct rg_runner *r, const struct rg_msg *in, struct rg_fault *fault, struct rg_msg *reply,
                           struct rg_error *err)
{
    struct rg_loaded a, b = {0};
    if (r->device.simulated) rg__cases_settle(r);
    enum rg_status s = rg__loaded_new(r, &in->program, &a, fault, err);
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK) s = rg__loaded_new(r, &in->other, &b, fault, err);
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK)
        s = r->device.simulated ? rg__estimate_duel(r, &a, &b, fault, reply, err)
                                : rg__time_duel(r, &a, &b, fault, reply, err);
    rg__loaded_release(r, &a);
    rg__loaded_release(r, &b);
    return s;
}

/* The plan once at the timed size, for a profiler that looks on. */
static enum rg_status profile(struct rg_runner *r, const struct rg_msg *in, struct rg_fault *fault,
                              struct rg_error *err)
{
    struct rg_loaded l;
    struct rg_resident *sets[RG_TIMED_SETS];
    int n;
    enum rg_status s = rg__loaded_new(r, &in->program, &l, fault, err);
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK) s = rg__timed_up(r, sets, &n, err);
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK) s = rg__case_restore(r, sets[0], err);
    if (s == RG_OK && fault->outcome == RG_OUTCOME_OK) {
        struct rg_exec x;
        rg__exec_init(&x, r, &l, sets[0]);
        s = rg__exec_run(&x, err);
        if (s == RG_OK) s = r->device.sync(r->device.self, &x.fault, err);
        *fault = x.fault;
        if (s == RG_OK && !x.launches) s = rg_error_set(err, RG_BUG, "the plan launched nothing");
        rg__exec_release(&x);
    }
    rg__loaded_release(r, &l);
    return s;
}

static enum rg_status handle(struct rg_worker *w, const struct rg_msg *in, struct rg_msg *reply, struct rg_error *err)
{
    struct rg_runner *r = w->self;
    struct rg_fault fault = {RG_OUTCOME_OK, ""};
    enum rg_status s;
    switch (in->kind) {
    case RG_MSG_CASES:
        return rg__cases_set(r, in, err);
    case RG_MSG_RUN:
        reply->kind = RG_MSG_EVALUATED;
        reply->limiter = rg_limiter_word(RG_LIMIT_UNKNOWN);
        s = run(r, in, &fault, reply, err);
        break;
    case RG_MSG_DUEL:
        reply->kind = RG_MSG_DUELLED;
        s = duel(r, in, &fault, reply, err);
        break;
    case RG_MSG_PROFILE:
        return profile(r, in, &fault, err);
    default:
        return rg_error_set(err, RG_BUG, "a run worker was sent '%s'", rg__msg_word(in->kind));
    }
    if (r->lost) w->ending = true;
    reply->finished = r->lost;
    reply->outcome = rg_outcome_word(fault.outcome);
    reply->text = rg_arena_strdup(&reply->arena, fault.message);
    return s;
}

/* The driver's files, and what it reads of the machine. The simulated device needs none. */
static void sandbox(struct rg_worker *w, struct rg_arena *a, struct rg_sandbox *s)
{
    enum { MAX_DEVICES = 32 };
    static const char *const machine[] = {
        "/proc/driver/nvidia", "/proc/self", "/proc/devices", "/proc/modules", "/proc/meminfo",
        "/proc/cpuinfo",       "/sys",       "/dev/null",     "/dev/urandom",  NULL};
    static const char *const none[] = {NULL};
    const struct rg_runner *r = w->self;
    *s = (struct rg_sandbox){.read = none};
    if (r->device.simulated) return;
    const char **device = rg_arena_alloc(a, (MAX_DEVICES + 6) * sizeof *device);
    int n = 0;
    for (int i = 0; i < MAX_DEVICES; i++) device[n++] = rg_arena_printf(a, "/dev/nvidia%d", i);
    device[n++] = "/dev/nvidiactl";
    device[n++] = "/dev/nvidia-uvm";
    device[n++] = "/dev/nvidia-uvm-tools";
    device[n++] = "/dev/nvidia-modeset";
    device[n++] = "/dev/nvidia-caps";
    s->read = machine;
    s->device = device;
}

const struct rg_worker_role rg__role_run = {"run", start, problem, handle, stop, sandbox};

/* --- the look role: what a run worker would have the simulated device say of a program while its own device waits ---
 */

static enum rg_status look_start(struct rg_worker *w, struct rg_msg *ready, struct rg_error *err)
{
    struct rg_runner *r = rg_xcalloc(1, sizeof *r);
    w->self = r;
    r->shm = w->shm;
    ready->simulated = true;
    ready->device = w->device;
    if (strncmp(w->device, "sim:", 4))
        return rg_error_set(err, RG_UNAVAILABLE, "no device '%s': a look is taken on sim:NAME", w->device);
    return rg__screen_alone(r, w->device + 4, err);
}

static enum rg_status look_handle(struct rg_worker *w, const struct rg_msg *in, struct rg_msg *reply,
                                  struct rg_error *err)
{
    struct rg_runner *r = w->self;
    struct rg_fault fault = {RG_OUTCOME_OK, ""};
    double start_s = rg_now();
    if (in->kind == RG_MSG_CASES) return rg__cases_set(r, in, err);
    if (in->kind != RG_MSG_LOOK)
        return rg_error_set(err, RG_BUG, "a look worker was sent '%s'", rg__msg_word(in->kind));
    reply->kind = RG_MSG_LOOKED;
    r->best_us = in->time_us;
    r->prune = in->prune > RG_PRUNE_NEVER && in->prune < RG_N_MAY_PRUNE ? (enum rg_may_prune)in->prune : RG_PRUNE_NEVER;
    reply->screened = rg__screen(r, &in->program, &fault);
    if (fault.outcome == RG_OUTCOME_OK) {
        struct rg_interval t = rg__expect(r, &in->program);
        reply->estimate_us = t.us;
        reply->low_us = t.low;
        reply->high_us = t.high;
    }
    reply->outcome = rg_outcome_word(fault.outcome);
    reply->text = rg_arena_strdup(&reply->arena, fault.message);
    reply->seconds = rg_now() - start_s;
    return RG_OK;
}

static void look_sandbox(struct rg_worker *w, struct rg_arena *a, struct rg_sandbox *s)
{
    static const char *const none[] = {NULL};
    *s = (struct rg_sandbox){.read = none};
}

const struct rg_worker_role rg__role_look = {"look", look_start, problem, look_handle, stop, look_sandbox};
