/* In which order the supervisor sends candidates to a device, and who looks at them before: over a run worker of our
 * own that stands in for a GPU, and says of each candidate the time that its kernel's name ends with, in us, and how
 * many it ran before; and a look worker of our own that expects as much. Nothing here depends on how long anything
 * takes. test-deadline: 200 */
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

static void ready(const char *role, const char *model)
{
    struct rg_msg m;
    rg__msg_init(&m, RG_MSG_READY, 0);
    m.protocol = RG_PROTOCOL;
    m.role = role, m.device = "Fake GPU", m.driver = "13.0", m.sandbox = "nothing", m.arch = "sm_90", m.compiler = "",
    m.peaks = "data sheet", m.hardware_counters = "missing", m.model = model, m.accuracy = "";
    m.sms = 1, m.copy_bytes_s = m.dram_bytes_s = 1e12, m.fp32_flop_s = m.fp64_flop_s = 1e12, m.clock_hz = 1e9;
    say(&m);
}

static double number_behind(const char *name)
{
    size_t n = strcspn(name, "<");
    while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9') n--;
    return strtod(name + n, NULL);
}

/* The file that "opens" is there once such a candidate was run. */
static const char *door(pid_t test)
{
    static char path[60];
    snprintf(path, sizeof path, "/tmp/regraph-order-%d", (int)test);
    return path;
}

static int run_worker(const char *model)
{
    struct rg_msg m, r;
    struct rg_counter c[] = {{"turn", 0}, {"seen", 0}, {"low", 0}};
    char *line = NULL;
    size_t room = 0;
    ready("run", model);
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
            c[0].value++;
            c[1].value = m.looked;
            c[2].value = m.low_us;
            r.counters = c, r.n_counters = 3;
            if (!strncmp(text.data, "opens", 5)) fclose(fopen(door(getppid()), "w"));
            rg__shm_unmap(&text);
        }
        say(&r);
        rg__msg_release(&m);
    }
    free(line);
    return 0;
}

/* Held: until somebody opens. */
static int look_worker(void)
{
    struct rg_msg m, r;
    char *line = NULL;
    size_t room = 0;
    ready("look", "");
    for (ssize_t n; (n = getline(&line, &room, stdin)) > 0;) {
        if (rg__msg_parse(line, (size_t)n, &m, NULL) != RG_OK) return 2;
        rg__msg_init(&r, RG_MSG_DONE, m.id);
        r.sandbox = "nothing";
        if (m.kind == RG_MSG_LOOK) {
            struct rg_mapping text;
            if (rg__shm_map(RG_SHM_FD, m.program.plan, false, &text, NULL) != RG_OK) return 4;
            const char *name = text.data;
            if (!strncmp(name, "dies", 4)) return 5;
            for (int i = 0; i < 6000 && !strncmp(name, "held", 4) && access(door(getppid()), F_OK); i++) usleep(10000);
            rg__msg_init(&r, RG_MSG_LOOKED, m.id);
            r.outcome = strncmp(name, "race", 4) ? "ok" : "race", r.text = "";
            r.screened = true;
            r.estimate_us = number_behind(name);
            r.low_us = r.estimate_us / 2, r.high_us = r.estimate_us * 2;
            rg__shm_unmap(&text);
        }
        say(&r);
        rg__msg_release(&m);
    }
    free(line);
    return 0;
}

/* --- the tests --- */

static void open_with(const char *device, int look_workers)
{
    struct rg_error e = RG_ERROR_INIT;
    struct rg_farm_options o = {.worker = self,
                                .device = device,
                                .look_workers = look_workers,
                                .prune = RG_PRUNE_ON,
                                .compile_workers = 1,
                                .seed = 1,
                                .deadline_s = 60};
    problem = fx_saxpy("4096;1000;37");
    if (rg_farm_start(&o, problem, &farm, &e) != RG_OK) fail_msg("%s", e.text);
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    ev->contend(ev->self, 1.25, 8);
}

static void open_farm(void)
{
    open_with("cuda:0", -1);
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

static struct rg_evaluation poll_one(int id, const char *name, enum rg_eval_purpose purpose)
{
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    struct rg_source src = source(name);
    struct rg_error e = RG_ERROR_INIT;
    struct rg_eval_result r;
    bool got = false;
    if (ev->submit(ev->self, id, &src, purpose, &e) != RG_OK || ev->poll(ev->self, 100, &r, &got, &e) != RG_OK)
        fail_msg("%s", e.text);
    rg_source_release(&src);
    assert_true(got && r.id == id);
    return r.e;
}

/* A long look keeps nobody else from the device. */
static void a_look_holds_up_nobody(void **state)
{
    int turns[5] = {0};
    open_with("cuda:1", 2);
    submit(0, "k10", 0);
    poll_all(1, turns);
    submit(1, "held20", 0);
    submit(2, "k30", 0);
    submit(3, "opens40", 0);
    poll_all(3, turns);
    unlink(door(getpid()));
    assert_true(turns[2] == 2 && turns[3] == 3 && turns[1] == 4);
    close_farm();
}

/* What it says is final, or goes with the candidate to the device; a second look has no need of it. */
static void a_look_is_believed(void **state)
{
    open_with("cuda:1", 1);
    struct rg_evaluation e = poll_one(0, "k10", RG_EVAL_FULL);
    assert_true(rg_evaluation_counter(&e, "seen") == 1);
    e = poll_one(1, "race20", RG_EVAL_FULL);
    assert_int_equal(e.outcome, RG_OUTCOME_RACE);
    e = poll_one(2, "k30", RG_EVAL_FULL);
    assert_true(rg_evaluation_counter(&e, "turn") == 2 && rg_evaluation_counter(&e, "low") == 15);
    e = poll_one(3, "k30", RG_EVAL_AGAIN);
    assert_true(rg_evaluation_counter(&e, "seen") == 0);
    /* who dies of it twice is left to the run worker, and others are looked at as before */
    e = poll_one(4, "dies40", RG_EVAL_FULL);
    assert_true(e.outcome == RG_OUTCOME_OK && rg_evaluation_counter(&e, "seen") == 0);
    e = poll_one(5, "k50", RG_EVAL_FULL);
    assert_true(rg_evaluation_counter(&e, "seen") == 1);
    close_farm();
}

/* An estimate counts for more than a draft, where there is one. */
static void a_look_says_who_is_last(void **state)
{
    int turns[4] = {0};
    open_with("cuda:1", 1);
    submit(0, "k10", 0);
    poll_all(1, turns);
    submit(1, "slow1000", 20);
    submit(2, "k30", 0);
    submit(3, "k40", 0);
    poll_all(3, turns);
    if (turns[1] != 4) fail_msg("it was number %d", turns[1]);
    close_farm();
}

/* The program's own look worker. */
static void a_real_look(void **state)
{
    static const char stray[] = "__global__ void stray(int n, float a, const float *x, float *y)\n{\n    y[n + "
                                "threadIdx.x] = a * x[threadIdx.x];\n}\n";
    struct rg_source src = {(char *)(uintptr_t)stray,
                            (char *)(uintptr_t) "stray<<<ceil_div(n, 256), 256>>>(n, a, x, y);"};
    struct rg_evaluator *ev;
    struct rg_eval_result r;
    struct rg_error err = RG_ERROR_INIT;
    bool got = false;
    open_with("cuda:0", 1);
    struct rg_evaluation e = poll_one(0, "k10", RG_EVAL_FULL);
    assert_true(e.outcome == RG_OUTCOME_OK && rg_evaluation_counter(&e, "seen") == 1);
    ev = rg_farm_evaluator(farm);
    if (ev->submit(ev->self, 1, &src, RG_EVAL_FULL, &err) != RG_OK || ev->poll(ev->self, 100, &r, &got, &err) != RG_OK)
        fail_msg("%s", err.text);
    if (!got || r.e.outcome != RG_OUTCOME_BOUNDS || !strstr(r.e.message, "before the first launch"))
        fail_msg("%s: %s", rg_outcome_word(r.e.outcome), r.e.message);
    e = poll_one(2, "k20", RG_EVAL_FULL);
    assert_true(rg_evaluation_counter(&e, "turn") == 2); /* the device has seen nothing of it */
    close_farm();
    /* where a file describes the device, it estimates, too: n = 4096 takes a few us, whatever the best says */
    open_with("cuda:2", 1);
    e = poll_one(0, "k2000", RG_EVAL_FULL);
    assert_true(rg_evaluation_counter(&e, "low") == 0); /* there is no best yet */
    e = poll_one(1, "k1900", RG_EVAL_FULL);
    double low = rg_evaluation_counter(&e, "low");
    if (!(low > 0.5 && low < 20)) fail_msg("at least %g us", low);
    close_farm();
}

int main(int argc, char **argv)
{
    snprintf(self, sizeof self, "%s", argv[0]);
    find_worker_beside(argv[0]);
    const char *model = "";
    bool fake = false;
    for (int i = 1; i + 1 < argc; i++) {
        if (!strcmp(argv[i], "--device") && !strcmp(argv[i + 1], "cuda:1")) model = "fake";
        if (!strcmp(argv[i], "--device") && !strcmp(argv[i + 1], "cuda:2")) model = "h200";
        if (!strcmp(argv[i], "--device") && !strcmp(argv[i + 1], "sim:fake")) fake = true;
    }
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], "--role")) {
            if (!strcmp(argv[i + 1], "run")) return run_worker(model);
            if (!strcmp(argv[i + 1], "look") && fake) return look_worker();
            argv[0] = worker;
            execvp(worker, argv);
            return 127;
        }
    const struct CMUnitTest tests[] = {cmocka_unit_test(far_behind_comes_last),
                                       cmocka_unit_test(nothing_waits_for_ever),
                                       cmocka_unit_test(the_first_is_the_anchor),
                                       cmocka_unit_test(a_look_holds_up_nobody),
                                       cmocka_unit_test(a_look_is_believed),
                                       cmocka_unit_test(a_look_says_who_is_last),
                                       cmocka_unit_test(a_real_look)};
    if (getenv("RG_TEST_ONLY")) cmocka_set_test_filter(getenv("RG_TEST_ONLY"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
