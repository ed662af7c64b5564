/* Verification and timing over a fake device. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "fake_device.h"
#include "fixture.h"
#include "runtime/compare.h"
#include "runtime/inputs.h"
#include "runtime/runner.h"
#include "runtime/timer.h"
#include <math.h>

static double kernel_us = 10;

struct args {
    int n;
    float a;
    float *x, *y;
};
static struct args args_of(const struct rg_launch *l)
{
    return (struct args){FAKE_ARG(l, 0, int), FAKE_ARG(l, 1, float), (float *)(uintptr_t)FAKE_ARG(l, 2, rg_addr), (float *)(uintptr_t)FAKE_ARG(l, 3, rg_addr)};
}
static void right(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    struct args g = args_of(l);
    for (int i = 0; i < g.n; i++) g.y[i] = g.a * g.x[i] + g.y[i];
    d->clock_us += kernel_us * (d->hz > 0 ? FAKE_HZ / d->hz : 1) + 0.01 * (double)(rg_mix64(d->jitter++) % 8);
}
static void slow(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    right(d, l, f);
    d->clock_us += kernel_us * (d->hz > 0 ? FAKE_HZ / d->hz : 1);
}
static void nothing(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f) { d->clock_us += 1; }
static void off_by_little(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    right(d, l, f);
    struct args g = args_of(l);
    g.y[g.n / 2] += 0.01f;
}
static void spoils_input(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    right(d, l, f);
    args_of(l).x[0] += 1;
}
static void writes_beside(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    right(d, l, f);
    struct args g = args_of(l);
    g.y[g.n] = 0;
}
static void traps(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    f->outcome = RG_OUTCOME_CRASH;
    strcpy(f->message, "illegal instruction");
}
static bool wrong_later;
static void wrong_at_large(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    right(d, l, f);
    struct args g = args_of(l);
    if (wrong_later && g.n > 5000) g.y[g.n - 1] = 0;
}

/* --- kernels that cheat: each is right until it is only timed --- */
static int calls, honest_calls;
static const float *kept_for;
static float *kept;

/* Keeps its result by address, as a __device__ variable could. */
static void keeps_results(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    struct args g = args_of(l);
    if (g.n < 5000 || calls++ < honest_calls || kept_for != g.x) {
        right(d, l, f);
        if (g.n < 5000) return;
        kept = realloc(kept, (size_t)g.n * sizeof *kept);
        memcpy(kept, g.y, (size_t)g.n * sizeof *kept);
        kept_for = g.x;
        return;
    }
    memcpy(g.y, kept, (size_t)g.n * sizeof *kept);
    d->clock_us += 1;
}

/* Works while it may still be warming up, then no more. */
static void stops_working(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    if (args_of(l).n < 5000 || calls++ < honest_calls) right(d, l, f);
    else d->clock_us += 1;
}

/* Right, and never twice the same: as sums in any order are. */
static void never_the_same(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    right(d, l, f);
    struct args g = args_of(l);
    g.y[calls++ % g.n] *= 1 + 3e-7f;
}
static const struct fake_kernel kernels[] = {{"_Z13keeps_resultsifPKfPf", keeps_results}, {"_Z13stops_workingifPKfPf", stops_working},
                                             {"_Z14never_the_sameifPKfPf", never_the_same},
{"_Z5rightifPKfPf", right}, {"_Z4slowifPKfPf", slow}, {"_Z7nothingifPKfPf", nothing},
                                             {"_Z13off_by_littleifPKfPf", off_by_little}, {"_Z12spoils_inputifPKfPf", spoils_input},
                                             {"_Z13writes_besideifPKfPf", writes_beside}, {"_Z5trapsifPKfPf", traps},
                                             {"_Z14wrong_at_largeifPKfPf", wrong_at_large}, {NULL, NULL}};

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

static void setup(struct world *w)
{
    enum { CASES = 3 + SETS };
    memset(w, 0, sizeof *w);
    calls = 0;
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
        c->seen = rg_arena_alloc(&w->r.arena, 8 * sizeof *c->seen);
        for (int k = 0; k < 8; k++) c->seen[k] = rg_arena_alloc(&w->r.arena, sizeof **c->seen);
        struct rg_mapping m;
        assert_int_equal(rg__shm_alloc(&w->shm, c->layout.bytes, &c->c.at, NULL), RG_OK);
        assert_int_equal(rg__shm_map(w->shm.fd, c->c.at, true, &m, NULL), RG_OK);
        char *b = m.data;
        struct rg_fill f = {.problem = w->p, .sizes = &w->p->sizes[size], .base = 3, .seed = c->c.seed};
        for (int k = 0; k < 4; k++) assert_int_equal(rg__input_fill(&f, k, c->layout.slots[k].elements, b + c->layout.slots[k].input, NULL), RG_OK);
        float a = *(float *)(void *)(b + c->layout.slots[1].input), *x = (float *)(void *)(b + c->layout.slots[2].input),
              *y = (float *)(void *)(b + c->layout.slots[3].input), *out = (float *)(void *)(b + c->layout.slots[3].expect);
        for (int64_t k = 0; k < c->layout.slots[3].elements; k++) out[k] = a * x[k] + y[k];
        rg__shm_unmap(&m);
    }
    kernel_us = 10;
    wrong_later = false;
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
    if (rg__loaded_new(&w->r, &w->program, &w->l, &w->fault, &e) != RG_OK || w->fault.outcome) fail_msg("%s%s", e.text, w->fault.message);
    rg__msg_release(&w->reply);
    rg__msg_init(&w->reply, RG_MSG_EVALUATED, 1);
}

static void end(struct world *w)
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

static void verify(struct world *w, const char *kernel, enum rg_outcome want, const char *says)
{
    struct rg_error e = RG_ERROR_INIT;
    load(w, kernel, NULL);
    if (rg__verify(&w->r, &w->l, false, &w->fault, &w->reply, &e) != RG_OK) fail_msg("%s", e.text);
    if (w->fault.outcome != want) fail_msg("%s: %s %s", kernel, rg_outcome_word(w->fault.outcome), w->fault.message);
    if (says && !strstr(w->fault.message, says)) fail_msg("'%s' does not say '%s'", w->fault.message, says);
}

static void outcomes(void **state)
{
    struct world w;
    setup(&w);
    verify(&w, "right", RG_OUTCOME_OK, NULL);
    assert_true(w.reply.max_error < 1e-6);
    verify(&w, "nothing", RG_OUTCOME_WRONG, "y[0] is");
    verify(&w, "off_by_little", RG_OUTCOME_WRONG, "y[2] is"); /* n = 5 comes first */
    assert_non_null(strstr(w.fault.message, "n=5"));
    assert_true(w.reply.max_error > 0.003 && w.reply.max_error < 0.1); /* 0.01, in units of y's rms */
    verify(&w, "spoils_input", RG_OUTCOME_WRONG, "changed the input x");
    verify(&w, "writes_beside", RG_OUTCOME_BOUNDS, "'y'");
    verify(&w, "right", RG_OUTCOME_OK, NULL); /* nothing of it stays */
    end(&w);
}

/* PTX of right(n, a, x, y) whose body is given; threads' numbers are in %r1, y in %rd1, n in %r2. */
static double screen(struct world *w, const char *body)
{
    char ptx[1000];
    int len = snprintf(ptx, sizeof ptx,
                       ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry _Z5rightifPKfPf(.param .u32 p0, .param .f32 p1, .param .u64 p2, .param .u64 p3)\n"
                       "{\n.reg .b32 %%r<5>; .reg .b64 %%rd<5>; .reg .pred %%p<2>;\nmov.u32 %%r1, %%tid.x;\nld.param.u32 %%r2, [p0];\nld.param.u64 %%rd1, [p3];\n"
                       "%s\nret;\n}\n", body);
    load(w, "right", NULL);
    w->program.ptx = put(w, ptx, (size_t)len + 1);
    w->fault = (struct rg_fault){RG_OUTCOME_OK, ""};
    int before = w->d->launches;
    rg__screen(&w->r, &w->program, &w->fault, &w->reply);
    assert_int_equal(w->d->launches, before); /* the device itself sees nothing of it */
    for (int i = 0; i < w->reply.n_counters; i++)
        if (!strcmp(w->reply.counters[i].name, "screened")) return w->reply.counters[i].value;
    return -1;
}

static void screened_before_the_first_launch(void **state)
{
    struct world w;
    setup(&w);
    rg__screen_open(&w.r);
    assert_true(screen(&w, "") == 1);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK); /* results are not compared there */
    assert_true(screen(&w, "st.global.u32 [%rd1], %r1;") == 1);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_RACE);
    assert_non_null(strstr(w.fault.message, "offset 0 of 'y'"));
    assert_non_null(strstr(w.fault.message, "before the first launch"));
    assert_true(screen(&w, "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd2, %rd1;\nst.global.u32 [%rd2], %r1;") == 1);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_BOUNDS);
    /* what cannot be simulated, or would take too long, is let pass */
    assert_true(screen(&w, "barrier.cluster.arrive.aligned;") == 0);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    assert_true(screen(&w, "$L:\nbra $L;") == 0);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    w.r.no_screen = true;
    assert_true(screen(&w, "st.global.u32 [%rd1], %r1;") == -1);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    rg__screen_end(&w.r);
    end(&w);
}

static void a_trap_ends_the_process(void **state)
{
    struct world w;
    setup(&w);
    verify(&w, "traps", RG_OUTCOME_CRASH, "illegal instruction");
    assert_true(w.r.lost);
    w.r.lost = false;
    end(&w);
}

static enum rg_status time_it(struct world *w, const char *kernel, const char *plan, bool anchored)
{
    struct rg_error e = RG_ERROR_INIT;
    load(w, kernel, plan);
    enum rg_status s = rg__time(&w->r, &w->l, anchored, &w->fault, &w->reply, &e);
    if (s != RG_OK) fail_msg("%s", e.text);
    return s;
}

static void time_is_a_median_less_the_empty_pair(void **state)
{
    struct world w;
    setup(&w);
    time_it(&w, "right", NULL, false);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    assert_true(w.reply.time_us > 9.99 && w.reply.time_us < 10.1);
    assert_true(w.reply.noise_us < 0.05);
    assert_true(w.reply.anchored && w.reply.total_us > w.reply.time_us);
    assert_true(w.d->flushes >= 10 && w.d->holds >= 2);
    assert_true(w.reply.threads == 40.0 * 256);
    struct rg_evaluation e = {.n_counters = w.reply.n_counters};
    memcpy(e.counters, w.reply.counters, (size_t)e.n_counters * sizeof *e.counters);
    assert_true(rg_evaluation_counter(&e, "regs") == 16);
    assert_true(rg_evaluation_counter(&e, "occupancy") == 1);
    assert_true(fabs(rg_evaluation_counter(&e, "gb_s") - 12e4 / 10 * 1e-3) < 0.2);
    end(&w);
}

static double counter(const struct world *w, const char *name)
{
    struct rg_evaluation e = {.n_counters = w->reply.n_counters};
    memcpy(e.counters, w->reply.counters, (size_t)e.n_counters * sizeof *e.counters);
    return rg_evaluation_counter(&e, name);
}

static void timed_outputs_meet_the_anchor(void **state)
{
    struct world w;
    setup(&w);
    time_it(&w, "right", NULL, false);
    wrong_later = true;
    time_it(&w, "wrong_at_large", NULL, true);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_WRONG);
    assert_non_null(strstr(w.fault.message, "y[9999]"));
    for (int i = 3; i < w.r.n_cases; i++) w.r.cases[i].n_known = 0; /* as in a new worker: no hash is known, the anchor is in the memory file */
    time_it(&w, "slow", NULL, true);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    end(&w);
}

/* Where the user's C was run at the timed size, not even the first candidate is believed. */
static void the_first_is_checked_where_it_can_be(void **state)
{
    struct world w;
    setup(&w);
    for (int i = 3; i < w.r.n_cases; i++) w.r.cases[i].c.expected = true;
    wrong_later = true;
    time_it(&w, "wrong_at_large", NULL, false);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_WRONG);
    assert_non_null(strstr(w.fault.message, "at the timed size y[9999]"));
    time_it(&w, "right", NULL, false);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    end(&w);
}

static void timed_runs_are_checked_too(void **state)
{
    for (honest_calls = SETS; honest_calls < 12; honest_calls++) {
        struct world w;
        setup(&w);
        time_it(&w, "right", NULL, false);
        assert_true(counter(&w, "input_sets") == SETS);
        assert_true(w.d->loads > 1); /* a fresh module between blocks */
        time_it(&w, "keeps_results", NULL, true);
        assert_int_equal(w.fault.outcome, RG_OUTCOME_WRONG);
        assert_non_null(strstr(w.fault.message, "y["));
        calls = 0;
        time_it(&w, "stops_working", NULL, true);
        assert_int_equal(w.fault.outcome, RG_OUTCOME_WRONG);
        end(&w);
        kept_for = NULL;
    }
    free(kept);
    kept = NULL;
}

static void what_varies_is_marked(void **state)
{
    struct world w;
    setup(&w);
    time_it(&w, "right", NULL, false);
    assert_true(isnan(counter(&w, "varies")));
    time_it(&w, "never_the_same", NULL, true);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    assert_true(counter(&w, "varies") == 1);
    end(&w);
}

static void with_clocks(struct world *w)
{
    setup(w);
    w->r.device.clock_queue = fake_clock_queue;
    w->r.device.clock_read = fake_clock_read;
    w->d->low_hz = 1.4e9;
}

/* Samples at a low clock are taken again: also the first ones, which only the later ones show to have been low. */
static void low_clocks_are_no_samples(void **state)
{
    struct world w;
    setup(&w);
    time_it(&w, "right", NULL, false);
    double plain = w.reply.time_us;
    assert_true(isnan(counter(&w, "sm_mhz")) && isnan(counter(&w, "discarded")) && isnan(counter(&w, "throttled"))); /* nothing to count by: nothing is said */
    end(&w);
    with_clocks(&w);
    time_it(&w, "right", NULL, false);
    assert_true(fabs(counter(&w, "sm_mhz") - 1980) < 20);
    assert_true(isnan(counter(&w, "discarded")) && fabs(w.reply.time_us - plain) < 0.1);
    int discarded = 0;
    for (int from = 0; from < 6; from++) {
        end(&w);
        with_clocks(&w);
        time_it(&w, "right", NULL, false);
        w.d->low_from = w.d->clocks / 2 + from;
        w.d->low_to = w.d->low_from + 6;
        time_it(&w, "right", NULL, true);
        assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
        if (fabs(w.reply.time_us - plain) > 0.1) fail_msg("low from %d: %g us instead of %g", from, w.reply.time_us, plain);
        assert_true(isnan(counter(&w, "throttled")) && fabs(counter(&w, "sm_mhz") - 1980) < 20);
        discarded += counter(&w, "discarded") > 0;
    }
    assert_true(discarded >= 3);
    end(&w);
    with_clocks(&w); /* low before anything higher was seen: the first sample that is higher shows it */
    w.d->low_to = 4;
    time_it(&w, "right", NULL, false);
    assert_true(fabs(w.reply.time_us - plain) < 0.1);
    end(&w);
}

/* A clock that stays down ends the patience: what is measured then is marked. */
static void a_clock_that_stays_down(void **state)
{
    struct world w;
    with_clocks(&w);
    w.d->low_from = 1;
    w.d->low_to = 1 << 30;
    time_it(&w, "right", NULL, false);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    assert_true(counter(&w, "throttled") == 1 && counter(&w, "discarded") == RG_TIMER_DISCARDS && counter(&w, "samples") >= 10);
    assert_true(fabs(counter(&w, "sm_mhz") - 1400) < 20 && w.reply.time_us > 13);
    end(&w);
}

struct other { /* a program beside the one that is loaded in a world */
    struct rg_loaded l;
    struct rg_program program;
    struct rg_kernel_info info;
    char name[100];
    const char *lowered[1];
};

static void set_aside(struct world *w, struct other *o)
{
    o->l = w->l;
    o->program = w->program;
    o->info = w->info;
    strcpy(o->name, w->lowered);
    o->info.lowered = o->lowered[0] = o->name;
    o->program.kernels = &o->info;
    o->l.program = &o->program;
    o->l.blob.lowered = o->lowered;
    w->l = (struct rg_loaded){0};
}

static void duels_at_falling_clocks(void **state)
{
    for (int from = 0; from < 12; from += 3) {
        struct world w;
        with_clocks(&w);
        time_it(&w, "right", NULL, false);
        struct other other;
        set_aside(&w, &other);
        load(&w, "slow", NULL);
        w.d->low_from = w.d->clocks / 2 + from;
        w.d->low_to = w.d->low_from + 3;
        struct rg_error e = RG_ERROR_INIT;
        if (rg__time_duel(&w.r, &w.l, &other.l, &w.fault, &w.reply, &e) != RG_OK) fail_msg("%s", e.text);
        assert_true(fabs(w.reply.ratio - 2) < 0.02 && w.reply.significant);
        rg__loaded_release(&w.r, &other.l);
        end(&w);
    }
}

/* Faster than memory could deliver the inputs: looked at once more, on inputs it has not seen, then accepted and marked. */
static void what_is_too_fast_is_looked_at_again(void **state)
{
    struct world w;
    setup(&w);
    w.p->compulsory_read_bytes = 4.8e12 * 11e-6; /* 11 us of the data sheet's bandwidth; below 0.9 of that is suspect */
    time_it(&w, "right", NULL, false);
    assert_true(isnan(counter(&w, "suspect")));
    w.p->compulsory_read_bytes = 4.8e12 * 12e-6;
    time_it(&w, "right", NULL, false);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    assert_true(counter(&w, "suspect") == 1);
    end(&w);
    setup(&w);
    w.p->compulsory_read_bytes = 4.8e12 * 12e-6;
    for (int i = 0; i < 3; i++) w.r.cases[i].c.again = true; /* what was verified before it was timed is the caller's */
    time_it(&w, "off_by_little", NULL, false);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_WRONG);
    assert_non_null(strstr(w.fault.message, "y[2]"));
    end(&w);
    setup(&w); /* in hot caches nothing is too fast */
    w.p->compulsory_read_bytes = 4.8e12 * 12e-6;
    w.r.cache_hot = true;
    time_it(&w, "right", NULL, false);
    assert_true(isnan(counter(&w, "suspect")));
    end(&w);
}

/* --- places --- */

static unsigned luck; /* bit by module: does it lie in a slow place? */
static bool unlucky(int number) { return luck >> number % 32 & 1; }

static const char many_launches[] = "for (int k = 0; k < 12; k++) { %s<<<ceil_div(n, 256), 256>>>(n, a, x, y); }";

/* The same program measured with any luck of places gives one time, as long as one of its places is a fast one; a duel of it with itself is never won.
 * With graphs and without. */
static void places_do_not_decide(void **state)
{
    for (int graphs = 0; graphs < 2; graphs++) {
        const char *plan = graphs ? many_launches : NULL;
        double launches = graphs ? 12 : 1;
        int spread = 0;
        for (unsigned k = 0; k < 24; k++) {
            struct world w;
            setup(&w);
            if (graphs) fake_with_graphs(&w.r.device);
            w.d->slow_module = unlucky;
            w.d->slow_us = 1;
            luck = 0x9e3779b9u * (k + 1);
            struct rg_error e = RG_ERROR_INIT;
            time_it(&w, "right", plan, false);
            assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
            assert_true(counter(&w, "places") == RG_TIMER_PLACES && (counter(&w, "graph") == 1) == graphs);
            unsigned three = graphs ? luck >> 1 & 7 : 0; /* the first module is the one that was checked */
            if (graphs) assert_int_equal(w.d->loads, 1 + RG_TIMER_PLACES);
            if (graphs) assert_true((counter(&w, "place_spread") > 0.05) == (three != 0 && three != 7));
            double want = launches * (three == 7 ? 11 : 10);
            if (graphs && fabs(w.reply.time_us - want) > 0.02 * want) fail_msg("luck %x: %g us instead of %g", luck, w.reply.time_us, want);
            spread += counter(&w, "place_spread") > 0.05;
            int from = w.d->loads, lucky = 0;
            if (rg__time_duel(&w.r, &w.l, &w.l, &w.fault, &w.reply, &e) != RG_OK) fail_msg("%s", e.text);
            assert_int_equal(w.d->loads, from + 2 * RG_TIMER_PLACES);
            for (int side = 0; side < 2; side++) {
                bool fast = false;
                for (int i = 0; i < RG_TIMER_PLACES; i++) fast = fast || !unlucky(from + side * RG_TIMER_PLACES + i);
                lucky += fast;
            }
            if (lucky != 1 && (w.reply.significant || fabs(w.reply.ratio - 1) > 0.01)) fail_msg("luck %x: %g", luck, w.reply.ratio);
            assert_int_equal(w.d->graphs, 0); /* nothing of it stays */
            end(&w);
        }
        assert_true(spread > 3);
    }
}

/* A program whose own arrays fill the memory has fewer places, or none but the one it was checked in. */
static void places_need_memory(void **state)
{
    for (int room = 1; room < 5; room++)
        for (int graphs = 0; graphs < 2; graphs++) {
            struct world w;
            setup(&w);
            if (graphs) fake_with_graphs(&w.r.device);
            w.d->room = room;
            struct rg_error e = RG_ERROR_INIT;
            time_it(&w, "right", graphs ? many_launches : NULL, false);
            assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
            assert_true(fabs(w.reply.time_us - (graphs ? 120 : 10)) < 1);
            assert_true(room > 2 ? counter(&w, "places") == room - 1 : isnan(counter(&w, "places")));
            assert_int_equal(w.d->loaded, 1);
            if (rg__time_duel(&w.r, &w.l, &w.l, &w.fault, &w.reply, &e) != RG_OK) fail_msg("%s", e.text);
            assert_true(w.fault.outcome == RG_OUTCOME_OK && fabs(w.reply.ratio - 1) < 0.01);
            end(&w);
        }
}

static void plans_that_read_are_never_held(void **state)
{
    struct world w;
    setup(&w);
    w.p->params[3].elem = RG_F32;
    /* the loop's condition reads a scratch flag after the kernel ran: a held stream would deadlock (the fake says so) */
    time_it(&w, "right", "scratch int again[1]; fill(again, 0); do { %s<<<ceil_div(n, 256), 256>>>(n, a, x, y); } while (again[0]);", false);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    assert_true(w.l.plan->reads_data);
    assert_int_equal(w.d->holds, 1); /* the calibration's */
    end(&w);
}

static void duels(void **state)
{
    struct world w;
    setup(&w);
    time_it(&w, "right", NULL, false);
    struct other other;
    set_aside(&w, &other);
    load(&w, "slow", NULL);
    struct rg_error e = RG_ERROR_INIT;
    if (rg__time_duel(&w.r, &w.l, &other.l, &w.fault, &w.reply, &e) != RG_OK) fail_msg("%s", e.text);
    assert_true(fabs(w.reply.ratio - 2) < 0.02);
    assert_true(w.reply.significant);
    if (rg__time_duel(&w.r, &other.l, &other.l, &w.fault, &w.reply, &e) != RG_OK) fail_msg("%s", e.text);
    assert_true(fabs(w.reply.ratio - 1) < 0.02);
    assert_false(w.reply.significant);
    rg__loaded_release(&w.r, &other.l);
    end(&w);
}

/* --- comparison --- */

static struct rg_difference compare(const struct rg_problem *p, int param, int64_t n, const void *expect, const double *oracle, const void *got, double accum)
{
    struct rg_compare c = {.problem = p, .param = param, .elements = n, .expect = expect, .oracle = oracle, .got = got, .n_accum = accum};
    struct rg_difference d;
    rg__compare(&c, &d);
    return d;
}

static void tolerances(void **state)
{
    struct rg_problem *p = fx_saxpy("10;5");
    float e[4] = {1, 100, NAN, INFINITY}, g[4] = {1.00005f, 100.005f, NAN, INFINITY};
    assert_true(compare(p, 3, 4, e, NULL, g, 1).equal);
    g[1] = 100.02f;
    struct rg_difference d = compare(p, 3, 4, e, NULL, g, 1);
    assert_false(d.equal);
    assert_int_equal(d.first_bad, 1);
    assert_int_equal(d.n_bad, 1);
    g[1] = 100;
    g[2] = 0; /* a number where NaN belongs */
    assert_false(compare(p, 3, 4, e, NULL, g, 1).equal);
    g[2] = NAN;
    g[0] = NAN;
    assert_false(compare(p, 3, 4, e, NULL, g, 1).equal);
    g[0] = 1;
    g[3] = -INFINITY;
    assert_false(compare(p, 3, 4, e, NULL, g, 1).equal);
    float e2[2] = {1, INFINITY}, g2[2] = {1, 5}; /* alone in its block */
    assert_false(compare(p, 3, 2, e2, NULL, g2, 1).equal);
    g2[1] = INFINITY;
    assert_true(compare(p, 3, 2, e2, NULL, g2, 1).equal);
    /* zeros do not pass for small values, whatever the default atol says */
    float e3[2] = {3e-6f, -2e-6f}, g3[2] = {0, 0};
    assert_false(compare(p, 3, 2, e3, NULL, g3, 1).equal);
    /* a cancelling sum of many terms may be off by eps s sqrt(n) */
    float e1[2] = {1e-3f, 1000}, g1[2] = {1e-3f + 0.02f, 1000};
    assert_false(compare(p, 3, 2, e1, NULL, g1, 1).equal);
    assert_true(compare(p, 3, 2, e1, NULL, g1, 1e6).equal);
    rg_problem_free(p);
}

static void the_oracle_decides(void **state)
{
    struct rg_problem *p = fx_saxpy("10;5");
    float sequential = 1000.5f, good = 1000.01f, worse = 1004.5f; /* the sequential sum drifted by 0.5: eight times that is too much */
    double oracle = 1000;
    assert_true(compare(p, 3, 1, &sequential, &oracle, &good, 1).equal);
    assert_true(compare(p, 3, 1, &sequential, &oracle, &sequential, 1).equal); /* as good as the user's own */
    assert_false(compare(p, 3, 1, &sequential, &oracle, &worse, 1).equal);
    rg_problem_free(p);
}

static void integers_are_exact_or_a_share(void **state)
{
    const struct fx_param params[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false}, {"y", "int", "n", RG_ROLE_OUT, NULL, false}, {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
    struct rg_problem *p = fx_problem("f", params, "void f(int n, int *y) {}", "f(0, 0)", NULL, "10", 1);
    int e[10] = {0}, g[10] = {0};
    assert_true(compare(p, 1, 10, e, NULL, g, 1).equal);
    g[7] = 1;
    assert_false(compare(p, 1, 10, e, NULL, g, 1).equal);
    p->params[1].mismatch_share = 0.1;
    assert_true(compare(p, 1, 10, e, NULL, g, 1).equal);
    g[8] = 1;
    assert_false(compare(p, 1, 10, e, NULL, g, 1).equal);
    rg_problem_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes), cmocka_unit_test(screened_before_the_first_launch), cmocka_unit_test(a_trap_ends_the_process), cmocka_unit_test(time_is_a_median_less_the_empty_pair),
        cmocka_unit_test(timed_outputs_meet_the_anchor), cmocka_unit_test(the_first_is_checked_where_it_can_be), cmocka_unit_test(timed_runs_are_checked_too), cmocka_unit_test(what_varies_is_marked), cmocka_unit_test(what_is_too_fast_is_looked_at_again), cmocka_unit_test(places_do_not_decide), cmocka_unit_test(places_need_memory), cmocka_unit_test(plans_that_read_are_never_held), cmocka_unit_test(low_clocks_are_no_samples), cmocka_unit_test(a_clock_that_stays_down), cmocka_unit_test(duels_at_falling_clocks), cmocka_unit_test(duels),
        cmocka_unit_test(tolerances), cmocka_unit_test(the_oracle_decides), cmocka_unit_test(integers_are_exact_or_a_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
