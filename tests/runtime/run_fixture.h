/* A runner over a fake device: saxpy's cases, verified and timed, and kernels by name. */
#ifndef TESTS_RUNTIME_RUN_FIXTURE_H
#define TESTS_RUNTIME_RUN_FIXTURE_H
#include "fake_device.h"
#include "fixture.h"
#include "runtime/data/inputs.h"
#include "runtime/measure/runner.h"
#include <math.h>

static double kernel_us = 10;

struct args {
    int n;
    float a;
    float *x, *y;
};
static struct args args_of(const struct rg_launch *l)
{
    return (struct args){FAKE_ARG(l, 0, int), FAKE_ARG(l, 1, float), (float *)(uintptr_t)FAKE_ARG(l, 2, rg_addr),
                         (float *)(uintptr_t)FAKE_ARG(l, 3, rg_addr)};
}
static void right(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    struct args g = args_of(l);
    for (int i = 0; i < g.n; i++) g.y[i] = g.a * g.x[i] + g.y[i];
    d->clock_us += kernel_us * (d->hz > 0 ? FAKE_HZ / d->hz : 1) + 0.01 * (double)(rg_mix64(d->jitter++) % 8);
}

struct world {
    struct rg_problem *p;
    struct rg_shm shm;
    struct rg_runner r;
    struct fake_device *d;
    struct rg_loaded l;
    struct rg_program program;
    struct rg_kernel_info info;
    char lowered[100];
    struct rg_msg reply;
    struct rg_fault fault;
};

static struct rg_range put(struct world *w, const void *data, size_t n)
{
    struct rg_range r;
    struct rg_mapping m;
    assert_int_equal(rg__shm_alloc(&w->shm, (int64_t)n, &r, NULL), RG_OK);
    assert_int_equal(rg__shm_map(w->shm.fd, r, true, &m, NULL), RG_OK);
    memcpy(m.data, data, n);
    rg__shm_unmap(&m);
    return r;
}

enum { SETS = 3 }; /* of timed inputs */

static void world_new(struct world *w, const struct fake_kernel *kernels)
{
    enum { CASES = 3 + SETS };
    memset(w, 0, sizeof *w);
    w->p = fx_saxpy("10000;1000;37;5");
    assert_int_equal(rg__shm_create(&w->shm, NULL), RG_OK);
    w->d = fake_open(&w->r.device, kernels, false);
    w->r.problem = w->p;
    w->r.read_bytes = w->p->compulsory_read_bytes;
    w->r.write_bytes = w->p->compulsory_write_bytes;
    w->r.shm = w->shm.fd;
    w->r.n_cases = CASES;
    w->r.cases = rg_arena_alloc(&w->r.arena, CASES * sizeof *w->r.cases);
    for (int i = 0; i < CASES; i++) {
        struct rg_resident *c = &w->r.cases[i];
        int size = i < 3 ? 3 - i : 0;
        c->c = (struct rg_case){.size = size, .timed = size == 0, .expected = size != 0, .seed = i < 3 ? 0 : i - 3};
        assert_int_equal(rg__layout(&w->r.arena, w->p, &w->p->sizes[size], true, &c->layout, NULL), RG_OK);
        c->buffers = rg_arena_alloc(&w->r.arena, 64);
        c->pristine = rg_arena_alloc(&w->r.arena, 64);
        c->hashes = rg_arena_alloc(&w->r.arena, 64);
        c->references = rg_arena_alloc(&w->r.arena, 8 * sizeof *c->references);
        c->seen = rg_arena_alloc(&w->r.arena, 8 * sizeof *c->seen);
        for (int k = 0; k < 8; k++) c->seen[k] = rg_arena_alloc(&w->r.arena, sizeof **c->seen);
        struct rg_mapping m;
        assert_int_equal(rg__shm_alloc(&w->shm, c->layout.bytes, &c->c.at, NULL), RG_OK);
        assert_int_equal(rg__shm_map(w->shm.fd, c->c.at, true, &m, NULL), RG_OK);
        char *b = m.data;
        struct rg_fill f = {.problem = w->p, .sizes = &w->p->sizes[size], .base = 3, .seed = c->c.seed};
        for (int k = 0; k < 4; k++)
            assert_int_equal(rg__input_fill(&f, k, c->layout.slots[k].elements, b + c->layout.slots[k].input, NULL),
                             RG_OK);
        float a = *(float *)(void *)(b + c->layout.slots[1].input),
              *x = (float *)(void *)(b + c->layout.slots[2].input),
              *y = (float *)(void *)(b + c->layout.slots[3].input),
              *out = (float *)(void *)(b + c->layout.slots[3].expect);
        for (int64_t k = 0; k < c->layout.slots[3].elements; k++) out[k] = a * x[k] + y[k];
        rg__shm_unmap(&m);
    }
    kernel_us = 10;
}

static void load(struct world *w, const char *kernel, const char *plan_text)
{
    if (w->l.plan) rg__loaded_release(&w->r, &w->l);
    char plan[300];
    snprintf(plan, sizeof plan, plan_text ? plan_text : "%s<<<ceil_div(n, 256), 256>>>(n, a, x, y);", kernel);
    snprintf(w->lowered, sizeof w->lowered, "_Z%zu%sifPKfPf", strlen(kernel), kernel);
    w->info = (struct rg_kernel_info){kernel, w->lowered, {.regs = 16, .max_threads = 1024}, 0};
    w->program = (struct rg_program){put(w, plan, strlen(plan) + 1), {0, 0}, put(w, "cubin", 5), 1, &w->info};
    w->fault = (struct rg_fault){RG_OUTCOME_OK, ""};
    struct rg_error e = RG_ERROR_INIT;
    if (rg__loaded_new(&w->r, &w->program, &w->l, &w->fault, &e) != RG_OK || w->fault.outcome)
        fail_msg("%s%s", e.text, w->fault.message);
    rg__msg_release(&w->reply);
    rg__msg_init(&w->reply, RG_MSG_EVALUATED, 1);
}

static void world_end(struct world *w)
{
    if (w->l.plan) rg__loaded_release(&w->r, &w->l);
    for (int i = 0; i < w->r.n_cases; i++) rg__case_down(&w->r, &w->r.cases[i]);
    assert_int_equal(w->d->n_buffers, 0); /* nothing leaks on the device */
    w->r.device.free(w->d);
    free(w->r.got);
    rg_arena_release(&w->r.arena);
    rg__msg_release(&w->reply);
    rg__shm_close(&w->shm);
    rg_problem_free(w->p);
}

static double counter(const struct world *w, const char *name)
{
    struct rg_evaluation e = {.n_counters = w->reply.n_counters};
    if (e.n_counters) memcpy(e.counters, w->reply.counters, (size_t)e.n_counters * sizeof *e.counters);
    return rg_evaluation_counter(&e, name);
}
#endif
