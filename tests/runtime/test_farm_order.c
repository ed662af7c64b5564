/* In which order the supervisor sends candidates to a device: over a run worker of our own that stands in for a GPU,
 * and says of each candidate the time that its kernel's name ends with, in us, and how many it ran before. Nothing here
 * depends on how long anything takes. test-deadline: 200 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "farm_fixture.h"
#include "runtime/farm/farm.h"
#include <string.h>

static char self[1000];

/* --- the stand-in --- */

static void say(const struct rg_msg *m)
{
    struct rg_buf b = RG_BUF_INIT;
    rg__msg_print(&b, m);
    if (write(1, b.data, b.len) != (ssize_t)b.len) _exit(3);
    rg_buf_release(&b);
}

static void ready(const char *role)
{
    struct rg_msg m;
    rg__msg_init(&m, RG_MSG_READY, 0);
    m.protocol = RG_PROTOCOL;
    m.role = role, m.device = "Fake GPU", m.driver = "13.0", m.sandbox = "nothing", m.arch = "sm_90", m.compiler = "",
    m.peaks = "data sheet", m.hardware_counters = "missing", m.model = m.accuracy = "";
    m.sms = 1, m.copy_bytes_s = m.dram_bytes_s = 1e12, m.fp32_flop_s = m.fp64_flop_s = 1e12, m.clock_hz = 1e9;
    say(&m);
}

static double number_behind(const char *name)
{
    size_t n = strcspn(name, "<");
    while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9') n--;
    return strtod(name + n, NULL);
}

static int run_worker(void)
{
    struct rg_msg m, r;
    struct rg_counter turn = {"turn", 0};
    char *line = NULL;
    size_t room = 0;
    ready("run");
    for (ssize_t n; (n = getline(&line, &room, stdin)) > 0;) {
        if (rg__msg_parse(line, (size_t)n, &m, NULL) != RG_OK) return 2;
        rg__msg_init(&r, RG_MSG_DONE, m.id);
        r.sandbox = "nothing";
        if (m.kind == RG_MSG_RUN) {
            struct rg_mapping text;
            if (rg__shm_map(RG_SHM_FD, m.program.plan, false, &text, NULL) != RG_OK) return 4;
            rg__msg_init(&r, RG_MSG_EVALUATED, m.id);
            r.outcome = "ok", r.text = "", r.limiter = "unknown";
            r.time_us = number_behind(text.data);
            r.anchored = true;
            turn.value++;
            r.counters = &turn, r.n_counters = 1;
            rg__shm_unmap(&text);
        }
        say(&r);
        rg__msg_release(&m);
    }
    free(line);
    return 0;
}

/* --- the tests --- */

static void open_farm(void)
{
    struct rg_error e = RG_ERROR_INIT;
    struct rg_farm_options o = {.worker = self, .device = "cuda:0", .compile_workers = 1, .seed = 1, .deadline_s = 60};
    problem = fx_saxpy("4096;1000;37");
    if (rg_farm_start(&o, problem, &farm, &e) != RG_OK) fail_msg("%s", e.text);
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    ev->contend(ev->self, 1.25, 8);
}

static void close_farm(void)
{
    rg_farm_free(farm);
    rg_problem_free(problem);
    farm = NULL;
    problem = NULL;
}

static struct rg_source source(const char *name)
{
    return (struct rg_source){
        rg_xasprintf("__global__ void %s(int n, float a, const float *x, float *y)\n{\n    int i = blockIdx.x * "
                     "blockDim.x + threadIdx.x;\n    if (i < n) y[i] = a * x[i] + y[i];\n}\n",
                     name),
        rg_xasprintf("%s<<<ceil_div(n, 256), 256>>>(n, a, x, y);", name)};
}

/* expected 0: nobody knows. */
static void submit(int id, const char *name, double expected_us)
{
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    struct rg_source src = source(name);
    struct rg_error e = RG_ERROR_INIT;
    if (expected_us > 0) ev->expect(ev->self, id, expected_us);
    if (ev->submit(ev->self, id, &src, RG_EVAL_FULL, &e) != RG_OK) fail_msg("%s", e.text);
    rg_source_release(&src);
}

/* turns[id]: which it was, from 1. */
static void poll_all(int n, int *turns)
{
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    for (int i = 0; i < n; i++) {
        struct rg_eval_result r;
        struct rg_error e = RG_ERROR_INIT;
        bool got = false;
        if (ev->poll(ev->self, 100, &r, &got, &e) != RG_OK) fail_msg("%s", e.text);
        assert_true(got);
        if (r.e.outcome != RG_OUTCOME_OK) fail_msg("%s: %s", rg_outcome_word(r.e.outcome), r.e.message);
        turns[r.id] = (int)rg_evaluation_counter(&r.e, "turn");
    }
}

/* Compiled first, and the device is free: it waits all the same for those that are at the compiler. */
static void far_behind_comes_last(void **state)
{
    int turns[8] = {0};
    open_farm();
    submit(0, "k10", 0);
    poll_all(1, turns);
    submit(1, "slow1000", 1000);
    submit(2, "k20", 20);
    submit(3, "k30", 0);
    submit(4, "k40", 79); /* within the factor */
    poll_all(4, turns);
    if (turns[1] != 5) fail_msg("it was number %d", turns[1]);
    assert_true(turns[2] == 2 && turns[3] == 3 && turns[4] == 4);
    /* what is needed by name is no such guess */
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    struct rg_source src = source("named1000");
    ev->expect(ev->self, 5, 1000);
    assert_int_equal(ev->submit(ev->self, 5, &src, RG_EVAL_SURE, NULL), RG_OK);
    rg_source_release(&src);
    submit(6, "k50", 0);
    poll_all(2, turns);
    assert_true(turns[5] == 6 && turns[6] == 7);
    close_farm();
}

/* A search that goes on and on gets its answer all the same. */
static void nothing_waits_for_ever(void **state)
{
    enum { OTHERS = 48 };
    int turns[OTHERS + 2] = {0}, next = 2;
    open_farm();
    submit(0, "k10", 0);
    poll_all(1, turns);
    submit(1, "slow1000", 1000);
    for (; next < 6; next++) {
        char name[20];
        snprintf(name, sizeof name, "k%d", 10 + next);
        submit(next, name, 0);
    }
    for (int i = 0; i < OTHERS && !turns[1]; i++) {
        poll_all(1, turns);
        char name[20];
        if (next == OTHERS + 2) break;
        snprintf(name, sizeof name, "k%d", 10 + next);
        submit(next++, name, 0);
    }
    if (turns[1] < 20 || turns[1] > 40) fail_msg("it was number %d", turns[1]);
    close_farm();
}

/* What others are compared with is what was asked for first, not what was compiled first. */
static void the_first_is_the_anchor(void **state)
{
    int turns[2] = {0};
    open_farm();
    struct rg_source src = source("quick500");
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    ev->foresee(ev->self, &src);
    rg_source_release(&src);
    for (bool done = false; !done;) {
        struct rg_error e = RG_ERROR_INIT;
        if (rg__farm_pump(farm, 1, &e) != RG_OK) fail_msg("%s", e.text);
        for (int i = 0; i < FARM_PROGRAMS; i++) done = done || farm->programs[i].compiled;
    }
    submit(0, "k10", 0);
    submit(1, "quick500", 500);
    poll_all(2, turns);
    assert_true(turns[0] == 1 && turns[1] == 2);
    close_farm();
}

int main(int argc, char **argv)
{
    snprintf(self, sizeof self, "%s", argv[0]);
    find_worker_beside(argv[0]);
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], "--role")) {
            if (!strcmp(argv[i + 1], "run")) return run_worker();
            argv[0] = worker;
            execvp(worker, argv);
            return 127;
        }
    const struct CMUnitTest tests[] = {cmocka_unit_test(far_behind_comes_last),
                                       cmocka_unit_test(nothing_waits_for_ever),
                                       cmocka_unit_test(the_first_is_the_anchor)};
    if (getenv("RG_TEST_ONLY")) cmocka_set_test_filter(getenv("RG_TEST_ONLY"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
