/* Candidates through compile, verify and estimate on the simulated device, good and hostile. test-deadline: 400 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "farm_fixture.h"
#include "runtime/farm/farm.h"
#include <math.h>
#include <rg/file.h>
#include <signal.h>
#include <sys/stat.h>

static struct rg_farm_options options(void)
{
    return (struct rg_farm_options){.worker = worker,
                                    .device = "sim:h200",
                                    .compile_workers = 2,
                                    .seed = 1,
                                    .deadline_s = 20,
                                    .launcher = launcher(),
                                    .remote = 1};
}

static int start(void **state)
{
    struct rg_error e = RG_ERROR_INIT;
    struct rg_farm_options o = options();
    problem = fx_saxpy("1048576;1000;37;5");
    if (rg_farm_start(&o, problem, &farm, &e) == RG_OK) return 0;
    print_error("%s\n", e.text);
    return -1;
}

static void a_good_one(void)
{
    struct rg_evaluation e = evaluate(fx_saxpy_cu, fx_saxpy_plan);
    if (e.outcome != RG_OUTCOME_OK) fail_msg("%s: %s", rg_outcome_word(e.outcome), e.message);
    assert_true(e.time_us > 0 && e.estimated && e.max_error < 1e-6);
    assert_true(e.threads == 1048576);
    assert_int_equal(strlen(e.ptx_hash), 64);
    assert_true(rg_evaluation_counter(&e, "regs") > 0 && rg_evaluation_counter(&e, "gb_s") > 0);
}

static void end_to_end(void **state)
{
    const struct rg_farm_info *i = rg_farm_info(farm);
    a_good_one();
    assert_true(i->estimated && i->sequential_ms > 0 && i->sol_ms > 0);
    assert_string_equal(i->device, "sim:h200");
    double t = rg_now();
    char *sources[12];
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    for (int k = 0; k < 12; k++) { /* different texts: no cache */
        sources[k] = rg_xasprintf("%s__device__ int unused_%d;\n", fx_saxpy_cu, k);
        struct rg_source src = {sources[k], (char *)(uintptr_t)fx_saxpy_plan};
        assert_int_equal(ev->submit(ev->self, 1000 + k, &src, RG_EVAL_FULL, NULL), RG_OK);
    }
    double first = 0;
    for (int k = 0; k < 12; k++) {
        struct rg_eval_result r;
        bool got;
        assert_int_equal(ev->poll(ev->self, 60, &r, &got, NULL), RG_OK);
        assert_true(got && r.e.outcome == RG_OUTCOME_OK);
        if (!first) first = r.e.time_us;
        assert_true(r.e.time_us == first); /* the model repeats bit for bit */
        free(sources[k]);
    }
    double wall = rg_now() - t;
    print_message(
        "%.1f evaluations a second, busy %.2f of %.2f s while a candidate was ready, %.2f while there was one\n",
        12 / wall, i->run_busy_s, i->run_ready_s, i->run_open_s);
    assert_true(i->run_busy_s > 0 && i->run_busy_s <= i->run_ready_s &&
                i->run_ready_s <= i->run_open_s * 1.0001); /* one run worker */
    double open = i->run_open_s;
    usleep(200000); /* nothing to do: nobody waits */
    a_good_one();
    assert_true(i->run_open_s - open < 60 && i->run_busy_s <= i->run_ready_s);
    double idle = i->run_open_s;
    rg__farm_account(farm);
    assert_true(i->run_open_s == idle);
}

/* Guesses are compiled while nobody asks, never in the way of what is asked for; a wrong guess costs nothing but work.
 */
static void foreseen_work(void **state)
{
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    char *source = rg_xasprintf("%s__device__ int foreseen;\n", fx_saxpy_cu);
    for (int k = 0; k < 100; k++) {
        char *cuda = k == 3 ? rg_xstrdup(source) : rg_xasprintf("%s__device__ int guess_%d;\n", fx_saxpy_cu, k);
        struct rg_source src = {cuda, (char *)(uintptr_t)fx_saxpy_plan};
        ev->foresee(ev->self, &src);
        free(cuda);
    }
    a_good_one();
    struct rg_error e = RG_ERROR_INIT;
    bool there = false;
    double t = rg_now();
    while (!there && rg_now() - t < 60) {
        if (rg__farm_pump(farm, 0.1, &e) != RG_OK) fail_msg("%s", e.text);
        int open = 0;
        for (int i = 0; i < FARM_PROGRAMS; i++) open += farm->programs[i].ahead && !farm->programs[i].compiled;
        there = open == 0;
    }
    assert_true(there);
    double compiling = rg_farm_info(farm)->compile_s;
    gives(source, fx_saxpy_plan, RG_OUTCOME_OK, NULL);
    assert_true(rg_farm_info(farm)->compile_s == compiling); /* it was ready */
    free(source);
}

static void wrong_results(void **state)
{
    gives(KERNEL("    if (i < n) y[i] = a * x[i];"), plan, RG_OUTCOME_WRONG, "y[0] is");
    gives(KERNEL("    if (i < n - 1) y[i] = a * x[i] + y[i];"), plan, RG_OUTCOME_WRONG, "y[4]");
    gives(KERNEL("    if (i < n && n < 0) y[i] = 1;"), plan, RG_OUTCOME_WRONG, NULL);
    gives(KERNEL("    if (i < n) { y[i] = a * x[i] + y[i]; ((float *)x)[i] = 0; }"), plan, RG_OUTCOME_WRONG,
          "changed the input x");
    gives(KERNEL("    if (i < n) y[i] = a * x[i] + y[i];"), "k<<<ceil_div(n, 256), 128>>>(n, a, x, y);",
          RG_OUTCOME_WRONG, NULL);
}

static void out_of_bounds(void **state)
{
    gives(KERNEL("    y[i] = a * x[i] + y[i];"), plan, RG_OUTCOME_BOUNDS, NULL);
    gives(KERNEL("    if (i < n) y[i] = a * x[i - 1] + y[i];"), plan, RG_OUTCOME_BOUNDS, "x");
    gives(KERNEL("    __shared__ float s[256]; s[threadIdx.x + 256 * (n > 0)] = 1; if (i < n) y[i] = s[threadIdx.x];"),
          plan, RG_OUTCOME_BOUNDS, NULL);
    a_good_one();
}

static void endless_loops(void **state)
{
    gives(KERNEL("    if (i < n) { volatile int go = 1; while (go) { y[i] += 1; } }"), plan, RG_OUTCOME_TIMEOUT, NULL);
    gives(KERNEL("    if (i < n) y[i] = a * x[i] + y[i];"),
          "scratch int f[1]; fill(f, 1); do { k<<<1, 32>>>(n, a, x, y); } while (f[0]);", RG_OUTCOME_TIMEOUT, NULL);
    a_good_one();
}

static void traps(void **state)
{
    struct rg_evaluation e = evaluate(KERNEL("    __trap();"), plan);
    assert_true(e.outcome == RG_OUTCOME_CRASH || e.outcome == RG_OUTCOME_UNSUPPORTED);
    a_good_one();
}

static void does_not_compile(void **state)
{
    gives(KERNEL("    y[i] = nonsense;"), plan, RG_OUTCOME_COMPILE, "candidate.cu(4): error: identifier \"nonsense\"");
    gives("", plan, RG_OUTCOME_PLAN, "k");
    gives("#include \"/etc/passwd\"\n" KERNEL("    y[i] = 1;"), plan, RG_OUTCOME_COMPILE, NULL);
    gives("template <int N> struct T { static const long v = T<N - 1>::v + T<N - 2>::v; };\n" KERNEL(
              "    y[i] = T<100000>::v;"),
          plan, RG_OUTCOME_COMPILE, NULL);
}

static void bad_plans(void **state)
{
    const char *ok = KERNEL("    if (i < n) y[i] = a * x[i] + y[i];");
    gives("extern \"C\" __global__ void k(int n, float a, const float *x, float *y) { }", plan, RG_OUTCOME_PLAN,
          "extern");
    gives(ok, "", RG_OUTCOME_PLAN, NULL);
    gives(ok, "k<<<1, 256>>(n, a, x, y);", RG_OUTCOME_PLAN, "plan:1:");
    gives(ok, "k<<<1, 256>>>(n, a, x);", RG_OUTCOME_PLAN, NULL);
    gives(ok, "k<<<1, 256>>>(n, a, y, x);", RG_OUTCOME_PLAN, "x");
    gives(ok, "k<<<1, 4096>>>(n, a, x, y);", RG_OUTCOME_PLAN, NULL);
    gives(ok, "k<<<n / 0, 256>>>(n, a, x, y);", RG_OUTCOME_PLAN, NULL);
    gives(ok, "scratch float s[4000000000 * n * n]; k<<<1, 256>>>(n, a, x, y);", RG_OUTCOME_UNSUPPORTED, "s");
    gives("__global__ void k(int n, double *x) { x[0] = n; }", "k<<<1, 1>>>(n, y);", RG_OUTCOME_PLAN, NULL);
    a_good_one();
}

static void signal_one(enum farm_role role, int sig)
{
    for (int i = 0; i < farm->n_workers; i++)
        if (farm->workers[i].role == role && farm->workers[i].proc.pid > 0) kill(farm->workers[i].proc.pid, sig);
}

static void killed_workers_are_replaced(void **state)
{
    a_good_one();
    signal_one(FARM_RUN, SIGKILL);
    a_good_one();
    signal_one(FARM_COMPILE, SIGKILL);
    a_good_one();
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    for (int k = 0; k < 8; k++) { /* in the middle of work, at some point or other */
        char *text = rg_xasprintf("%s__device__ int other_%d;\n", fx_saxpy_cu, k);
        struct rg_source src = {text, (char *)(uintptr_t)fx_saxpy_plan};
        assert_int_equal(ev->submit(ev->self, 2000 + k, &src, RG_EVAL_FULL, NULL), RG_OK);
        usleep(4000u * (unsigned)k);
        signal_one(k % 2 ? FARM_RUN : FARM_COMPILE, SIGKILL);
        struct rg_eval_result r;
        bool got;
        struct rg_error e = RG_ERROR_INIT;
        if (ev->poll(ev->self, 60, &r, &got, &e) != RG_OK) fail_msg("%s", e.text);
        assert_true(got);
        if (r.e.outcome != RG_OUTCOME_OK) fail_msg("%s: %s", rg_outcome_word(r.e.outcome), r.e.message);
        free(text);
    }
}

/* Whoever is at this very work is killed, more often than a candidate that runs out of memory would be believed. */
static void killed_again_and_again(void **state)
{
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    struct rg_source src = {rg_xasprintf("%s__device__ int hunted;\n", fx_saxpy_cu), (char *)(uintptr_t)fx_saxpy_plan};
    struct rg_eval_result r;
    struct rg_error e = RG_ERROR_INIT;
    bool got = false;
    int kills = 0;
    assert_int_equal(ev->submit(ev->self, 3000, &src, RG_EVAL_FULL, &e), RG_OK);
    while (kills < FARM_KILLED_ATTEMPTS + 3 && !got) {
        for (int i = 0; i < farm->n_workers; i++) {
            const struct farm_worker *w = &farm->workers[i];
            if (w->state == FARM_BUSY && w->program && kill(w->proc.pid, SIGKILL) == 0) kills++;
        }
        if (ev->poll(ev->self, 0.02, &r, &got, &e) != RG_OK) fail_msg("%s", e.text);
    }
    if (!got && ev->poll(ev->self, 100, &r, &got, &e) != RG_OK) fail_msg("%s", e.text);
    assert_true(got && kills > FARM_KILLED_ATTEMPTS);
    if (r.e.outcome != RG_OUTCOME_OK) fail_msg("%s: %s", rg_outcome_word(r.e.outcome), r.e.message);
    free(src.cuda);
}

/* That they stand still is not the candidate's doing: no deadline is waited for, no timeout booked. */
static void stopped_workers_are_replaced(void **state)
{
    for (int k = 0; k < 2; k++) {
        double t = rg_now();
        signal_one(k ? FARM_RUN : FARM_COMPILE, SIGSTOP);
        char *text = rg_xasprintf("%s__device__ int stopped_%d;\n", fx_saxpy_cu, k);
        struct rg_evaluation e = evaluate(text, fx_saxpy_plan);
        if (e.outcome != RG_OUTCOME_OK) fail_msg("%s: %s", rg_outcome_word(e.outcome), e.message);
        assert_true(rg_now() - t > 2.5);
        free(text);
    }
}

/* Time in which this process itself did not look after them is on nobody's account. */
static void our_own_absence_does_not_count(void **state)
{
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    struct rg_source src = {(char *)(uintptr_t)fx_saxpy_cu, (char *)(uintptr_t)fx_saxpy_plan};
    assert_int_equal(ev->submit(ev->self, 77, &src, RG_EVAL_FULL, NULL), RG_OK);
    struct farm_worker *w = &farm->workers[0];
    for (int i = 0; i < 500 && w->state != FARM_BUSY; i++) assert_int_equal(rg__farm_pump(farm, 0.01, NULL), RG_OK);
    if (w->state == FARM_BUSY) { /* not already done */
        double left = w->deadline - rg_now();
        farm->watched -= 1000;
        rg__farm_pump(farm, 0, NULL);
        assert_true(w->state == FARM_IDLE || w->deadline - rg_now() > left + 900);
    }
    struct rg_eval_result r;
    bool got;
    assert_int_equal(ev->poll(ev->self, 60, &r, &got, NULL), RG_OK);
    assert_true(got && r.e.outcome == RG_OUTCOME_OK);
}

/* The worker that a profiler looks at, here on a simulated device: it works off what stands in a file, and launches the
 * plan once. */
static void a_worker_beside_a_profiler(void **state)
{
    char folder[] = "/tmp/regraph-ncu-XXXXXX";
    static const char script[] = "#!/bin/bash\nwhile [ $# -gt 0 ]; do case $1 in --log-file) log=$2; shift;; "
                                 "--metrics) shift 2; break;; esac; shift; done\n\"$@\"; rc=$?\n"
                                 "[ $rc = 0 ] && cat tests/data/ncu/two_launches.csv >$log || echo \"==ERROR== the "
                                 "target ended with $rc\" >$log\n";
    assert_non_null(mkdtemp(folder));
    snprintf(farm->counters.ncu, sizeof farm->counters.ncu, "%s/ncu", folder);
    assert_int_equal(rg_file_write(farm->counters.ncu, script, strlen(script), NULL), RG_OK);
    assert_int_equal(chmod(farm->counters.ncu, 0755), 0);
    struct rg_error e = RG_ERROR_INIT;
    for (int broken = 0; broken < 2; broken++) {
        struct rg_source src = {(char *)(uintptr_t)fx_saxpy_cu, (char *)(uintptr_t)fx_saxpy_plan};
        struct rg_counter c[RG_MAX_COUNTERS];
        struct farm_program *p;
        int n;
        a_good_one();
        assert_int_equal(rg__farm_program(farm, &src, &p, &e), RG_OK);
        assert_true(p->compiled);
        int64_t len = p->program.plan.len;
        if (broken) p->program.plan.len--; /* a text without its end: what the worker is asked is an error */
        if (rg__farm_profile(farm, p, &farm->workers[0], c, &n, &e) != RG_OK) fail_msg("%s", e.text);
        p->program.plan.len = len;
        p->users--;
        if ((n > 5) == broken) fail_msg("%d counters: %s", n, farm->info.hardware_counters);
    }
    assert_non_null(strstr(farm->info.hardware_counters, "ended with 1"));
    unlink(farm->counters.ncu);
    rmdir(folder);
}

static void duels_and_cancels(void **state)
{
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    struct rg_source good = {(char *)(uintptr_t)fx_saxpy_cu, (char *)(uintptr_t)fx_saxpy_plan};
    struct rg_source slow = {(char *)(uintptr_t)fx_saxpy_cu,
                             (char *)(uintptr_t) "saxpy_k<<<ceil_div(n, 32), 32>>>(n, a, x, y);"};
    struct rg_duel d;
    struct rg_error e = RG_ERROR_INIT;
    if (ev->duel(ev->self, &slow, &good, &d, &e) != RG_OK) fail_msg("%s", e.text);
    assert_true(d.ratio >= 1 && d.a_us > 0 && d.b_us > 0);
    if (ev->duel(ev->self, &good, &good, &d, &e) != RG_OK) fail_msg("%s", e.text);
    assert_true(d.ratio == 1 && !d.significant && d.a_us == d.b_us);
    assert_int_equal(ev->submit(ev->self, 31, &good, RG_EVAL_FULL, NULL), RG_OK);
    assert_int_equal(ev->submit(ev->self, 32, &slow, RG_EVAL_AGAIN, NULL), RG_OK);
    ev->cancel(ev->self, 31);
    struct rg_eval_result r;
    bool got;
    assert_int_equal(ev->poll(ev->self, 60, &r, &got, NULL), RG_OK);
    assert_true(got && r.id == 32 && r.e.outcome == RG_OUTCOME_OK);
    assert_int_equal(ev->poll(ev->self, 0.2, &r, &got, NULL), RG_OK);
    assert_false(got);
}

static void unavailable_things_are_said(void **state)
{
    struct rg_farm_options o = options();
    struct rg_farm *f;
    struct rg_error e = RG_ERROR_INIT;
    o.device = "sim:nosuch";
    assert_int_equal(rg_farm_start(&o, problem, &f, &e), RG_UNAVAILABLE);
    rg_error_clear(&e);
    o.device = "cuda:99";
    assert_int_equal(rg_farm_start(&o, problem, &f, &e), RG_UNAVAILABLE);
    rg_error_clear(&e);
    o = options();
    o.worker = "/nonexistent/regraph-worker";
    assert_int_equal(rg_farm_start(&o, problem, &f, &e), RG_UNAVAILABLE);
    assert_non_null(strstr(e.text, "/nonexistent/regraph-worker"));
}

int main(int argc, char **argv)
{
    find_worker_beside(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(end_to_end),
        cmocka_unit_test(foreseen_work),
        cmocka_unit_test(wrong_results),
        cmocka_unit_test(out_of_bounds),
        cmocka_unit_test(endless_loops),
        cmocka_unit_test(traps),
        cmocka_unit_test(does_not_compile),
        cmocka_unit_test(bad_plans),
        cmocka_unit_test(killed_workers_are_replaced),
        cmocka_unit_test(killed_again_and_again),
        cmocka_unit_test(stopped_workers_are_replaced),
        cmocka_unit_test(our_own_absence_does_not_count),
        cmocka_unit_test(duels_and_cancels),
        cmocka_unit_test(a_worker_beside_a_profiler),
        cmocka_unit_test(unavailable_things_are_said),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
