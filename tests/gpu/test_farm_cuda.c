/* The evaluator on a real GPU: verification, timing, duels and hostile candidates. Skips without one. test-deadline:
 * 600 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "../runtime/farm_fixture.h"
#include "runtime/farm/farm.h"
#include <dlfcn.h>
#include <math.h>
#include <rg/file.h>
#include <signal.h>
#include <unistd.h>

static int start(void **state)
{
    struct rg_error e = RG_ERROR_INIT;
    struct rg_farm_options o = {.worker = worker, .device = "cuda:0", .seed = 1, .deadline_s = 8, .no_screen = true};
    problem = fx_saxpy("67108864;1000003;1000;37;5");
    enum rg_status s = rg_farm_start(&o, problem, &farm, &e);
    if (s == RG_UNAVAILABLE)
        print_message("no GPU: %s\n", e.text);
    else if (s != RG_OK)
        print_error("%s\n", e.text);
    return s == RG_OK || s == RG_UNAVAILABLE ? 0 : -1;
}

static struct rg_evaluation a_good_one(void)
{
    struct rg_evaluation e = evaluate(fx_saxpy_cu, fx_saxpy_plan);
    if (e.outcome != RG_OUTCOME_OK) fail_msg("%s: %s", rg_outcome_word(e.outcome), e.message);
    assert_false(e.estimated);
    return e;
}

/* What takes half a second a run is run on few input sets; whoever comes after it is still compared on all of them.
 * First of all tests: the first candidate is the anchor. */
static void what_runs_long_may_come_first(void **state)
{
    static const char slow[] =
        "__global__ void k(int n, float a, const float *x, float *y) {\n"
        "    if (blockIdx.x == 0 && threadIdx.x == 0 && n > 10000000) {\n"
        "        unsigned long long from, now;\n"
        "        asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(from));\n"
        "        do asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(now)); while (now - from < 600000000ull);\n"
        "    }\n"
        "    int i = blockIdx.x * 256 + threadIdx.x;\n"
        "    if (i < n) y[i] = a * x[i] + y[i];\n}\n";
    if (!farm) skip();
    double from = rg_now();
    struct rg_evaluation e = evaluate(slow, "k<<<ceil_div(n, 256), 256>>>(n, a, x, y);");
    if (e.outcome != RG_OUTCOME_OK) fail_msg("%s: %s", rg_outcome_word(e.outcome), e.message);
    print_message("0.6 s a run: %.0f samples, %.1f s for all\n", rg_evaluation_counter(&e, "samples"), rg_now() - from);
    assert_true(e.time_us > 5e5 && rg_evaluation_counter(&e, "samples") == 2);
    a_good_one();
    e = evaluate(slow, "k<<<ceil_div(n, 256), 256>>>(n, a, x, y);");
    assert_int_equal(e.outcome, RG_OUTCOME_OK);
}

static void saxpy_is_timed(void **state)
{
    struct rg_evaluation e = a_good_one(), again = a_good_one();
    double gb = rg_evaluation_counter(&e, "gb_s");
    print_message("%s: %.2f us +- %.2f, %.0f GB/s, total %.0f us, sol %.3f ms, sequential %.1f ms\n",
                  rg_farm_info(farm)->device, e.time_us, e.noise_us, gb, e.total_us, rg_farm_info(farm)->sol_ms,
                  rg_farm_info(farm)->sequential_ms);
    assert_true(gb > 100 && gb < 20000);
    assert_true(e.noise_us < 0.05 * e.time_us);
    assert_true(fabs(e.time_us - again.time_us) < 0.05 * e.time_us);
    assert_true(e.total_us > e.time_us);
    print_message("at %.0f MHz, memory %.0f; %.0f samples discarded\n", rg_evaluation_counter(&e, "sm_mhz"),
                  rg_evaluation_counter(&e, "memory_mhz"), fmax(0, rg_evaluation_counter(&e, "discarded")));
    assert_true(rg_evaluation_counter(&e, "sm_mhz") > 100);
    double t = rg_now();
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    char *sources[16];
    for (int k = 0; k < 16; k++) {
        sources[k] = rg_xasprintf("%s__device__ int unused_%d;\n", fx_saxpy_cu, k);
        struct rg_source src = {sources[k], (char *)(uintptr_t)fx_saxpy_plan};
        assert_int_equal(ev->submit(ev->self, 1000 + k, &src, RG_EVAL_FULL, NULL), RG_OK);
    }
    for (int k = 0; k < 16; k++) {
        struct rg_eval_result r;
        bool got;
        assert_int_equal(ev->poll(ev->self, 60, &r, &got, NULL), RG_OK);
        if (k == 15) print_message("compile %.3f verify %.3f time %.3f s\n", r.e.compile_s, r.e.verify_s, r.e.time_s);
        assert_true(got && r.e.outcome == RG_OUTCOME_OK);
        free(sources[k]);
    }
    print_message("%.1f evaluations a second\n", 16 / (rg_now() - t));
}

static void many_launches_become_a_graph(void **state)
{
    struct rg_evaluation e = evaluate(
        "__global__ void part(int n, int from, float a, const float *x, float *y)\n{\n"
        "    int i = from + blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) y[i] = a * x[i] + y[i];\n}\n",
        "for (int i = 0; i < n; i = i + ceil_div(n, 64)) part<<<ceil_div(ceil_div(n, 64), 256), 256>>>(min(n, i + "
        "ceil_div(n, 64)), i, a, x, y);");
    if (e.outcome != RG_OUTCOME_OK) fail_msg("%s: %s", rg_outcome_word(e.outcome), e.message);
    print_message("64 launches: %.2f us, graph %g\n", e.time_us, rg_evaluation_counter(&e, "graph"));
    assert_true(rg_evaluation_counter(&e, "graph") == 1);
}

static void data_dependent_plans_run(void **state)
{
    struct rg_evaluation e = evaluate(fx_saxpy_cu, "scratch int again[1]; fill(again, 0); do { saxpy_k<<<ceil_div(n, "
                                                   "256), 256>>>(n, a, x, y); } while (again[0]);");
    if (e.outcome != RG_OUTCOME_OK) fail_msg("%s: %s", rg_outcome_word(e.outcome), e.message);
}

static void a_duel_tells_fast_from_slow(void **state)
{
    if (!farm) skip();
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    struct rg_source good = {(char *)(uintptr_t)fx_saxpy_cu, (char *)(uintptr_t)fx_saxpy_plan};
    struct rg_source slow = {(char *)(uintptr_t)fx_saxpy_cu,
                             (char *)(uintptr_t) "saxpy_k<<<ceil_div(n, 32), 32>>>(n, a, x, y);"};
    struct rg_duel d;
    struct rg_error e = RG_ERROR_INIT;
    if (ev->duel(ev->self, &slow, &good, &d, &e) != RG_OK) fail_msg("%s", e.text);
    print_message("32 against 256 threads a block: %.3f\n", d.ratio);
    assert_true(d.ratio > 1.1 && d.significant && fabs(d.a_us / d.b_us - d.ratio) < 1e-9);
    if (ev->duel(ev->self, &good, &good, &d, &e) != RG_OK) fail_msg("%s", e.text);
    assert_true(fabs(d.ratio - 1) <
                (d.significant ? 0.01 : 0.05)); /* intervals of 95 % are apart now and then, but not by much */
}

static void hostile_candidates(void **state)
{
    gives(KERNEL("    if (i < n) y[i] = a * x[i];"), plan, RG_OUTCOME_WRONG, NULL);
    gives(KERNEL("    if (i < n && n < 0) y[i] = 1;"), plan, RG_OUTCOME_WRONG, NULL);
    gives(KERNEL("    if (i < n) { y[i] = a * x[i] + y[i]; ((float *)x)[i] = 0; }"), plan, RG_OUTCOME_WRONG, NULL);
    gives(KERNEL("    if (i < n) y[i] = a * x[i] + y[i]; if (i == n) y[n] = 1;"), plan, RG_OUTCOME_BOUNDS, NULL);
    a_good_one();
    gives(KERNEL("    if (i < n) y[i] = *(float *)0x10;"), plan, RG_OUTCOME_BOUNDS, NULL);
    a_good_one();
    gives(KERNEL("    __trap();"), plan, RG_OUTCOME_CRASH, NULL);
    a_good_one();
    gives(KERNEL("    volatile int go = 1; while (go) y[i % n] += 1;"), plan, RG_OUTCOME_TIMEOUT, NULL);
    a_good_one();
    gives(KERNEL("    if (i < n) y[i] = a * x[i] + y[i];"),
          "scratch float s[4000000000 * n]; k<<<1, 256>>>(n, a, x, y);", RG_OUTCOME_UNSUPPORTED, NULL);
    gives(KERNEL("    if (n < 100000000) { if (i < n) y[i] = (n > 20000000 && i == 7) ? 0 : a * x[i] + y[i]; }"), plan,
          RG_OUTCOME_WRONG, NULL); /* at the timed size only */
    a_good_one();
}

/* By default the simulated device looks first, and names what a GPU would not. */
static void screened(void **state)
{
    struct rg_error e = RG_ERROR_INIT;
    struct rg_farm *unscreened = farm;
    struct rg_farm_options o = {.worker = worker, .device = "cuda:0", .seed = 1, .deadline_s = 20};
    if (!farm) skip();
    if (rg_farm_start(&o, problem, &farm, &e) != RG_OK) fail_msg("%s", e.text);
    struct rg_evaluation good = a_good_one();
    struct rg_evaluation bad = evaluate("__global__ void k(int n, float a, const float *x, float *y) {\n int i = "
                                        "blockIdx.x * blockDim.x + threadIdx.x;\n"
                                        " if (i < n) y[i] = a * x[i] + y[i];\n if (i < n) y[0] = y[i];\n}\n",
                                        "k<<<ceil_div(n, 256), 256>>>(n, a, x, y);");
    rg_farm_free(farm);
    farm = unscreened;
    assert_true(rg_evaluation_counter(&good, "screened") == 1);
    assert_int_equal(bad.outcome, RG_OUTCOME_RACE);
    assert_non_null(strstr(bad.message, "before the first launch"));
}

/* --- memory of the device --- */

static int (*mem_info)(size_t *free_bytes, size_t *total);

/* A context of this process's own, only to ask; false: the driver does not tell. */
static bool open_memory(void)
{
    int device;
    void *context, *h = dlopen("libcuda.so.1", RTLD_NOW);
    if (!h) return false;
    int (*init)(unsigned) = (int (*)(unsigned))dlsym(h, "cuInit");
    int (*get)(int *, int) = (int (*)(int *, int))dlsym(h, "cuDeviceGet");
    int (*retain)(void **, int) = (int (*)(void **, int))dlsym(h, "cuDevicePrimaryCtxRetain");
    int (*current)(void *) = (int (*)(void *))dlsym(h, "cuCtxSetCurrent");
    mem_info = (int (*)(size_t *, size_t *))dlsym(h, "cuMemGetInfo_v2");
    return init && get && retain && current && mem_info && !init(0) && !get(&device, 0) && !retain(&context, device) &&
           !current(context);
}

static double free_mib(void)
{
    size_t left = 0, total;
    assert_int_equal(mem_info(&left, &total), 0);
    return (double)left / (1 << 20);
}

/* Free memory once it is within 4 MiB of what is expected; else after 10 s, as it is then. */
static double settled(double expected)
{
    double until = rg_now() + 10, is = free_mib();
    for (; fabs(is - expected) > 4 && rg_now() < until; is = free_mib()) usleep(50000);
    return is;
}

static void kill_run_worker(void)
{
    for (int i = 0; i < farm->n_workers; i++)
        if (farm->workers[i].role == FARM_RUN && farm->workers[i].state != FARM_DOWN)
            assert_int_equal(kill(farm->workers[i].proc.pid, SIGKILL), 0);
}

/* A search under way, killed in the middle: by hand, by its deadline, by a fault. Each time a new worker is up for the
 * next candidate, the device has as much memory left as with the worker before; and without the farm, as much as there
 * was before it. */
static void memory_comes_back(void **state)
{
    enum { KILLS = 12 };
    struct rg_error e = RG_ERROR_INIT;
    struct rg_farm *other = farm;
    struct rg_farm_options o = {.worker = worker, .device = "cuda:0", .seed = 1, .deadline_s = 4, .no_screen = true};
    if (!farm || !open_memory()) skip();
    double before = free_mib();
    if (rg_farm_start(&o, problem, &farm, &e) != RG_OK) fail_msg("%s", e.text);
    a_good_one();
    double with = free_mib(), worst = 0;
    assert_true(before - with > 64); /* buffers of 64 M floats: what is looked for would show */
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    for (int i = 0; i < KILLS; i++) {
        struct rg_source src = {(char *)(uintptr_t)fx_saxpy_cu, (char *)(uintptr_t)fx_saxpy_plan};
        struct rg_eval_result r;
        bool got = false;
        switch (i % 3) {
        case 0: /* by hand, at some moment of its work */
            assert_int_equal(ev->submit(ev->self, 500 + i, &src, RG_EVAL_FULL, &e), RG_OK);
            usleep((useconds_t)(20000 + 60000 * i));
            kill_run_worker();
            assert_int_equal(ev->poll(ev->self, 60, &r, &got, &e), RG_OK);
            assert_true(got && r.e.outcome == RG_OUTCOME_OK);
            break;
        case 1:
            gives(KERNEL("    volatile int go = 1; while (go) y[i % n] += 1;"), plan, RG_OUTCOME_TIMEOUT, NULL);
            break;
        default:
            gives(KERNEL("    __trap();"), plan, RG_OUTCOME_CRASH, NULL);
        }
        a_good_one();
        double is = settled(with);
        worst = fmax(worst, fabs(is - with));
        if (fabs(is - with) > 4) fail_msg("after kill %d %.0f MiB are free, %.0f were", i, is, with);
    }
    kill_run_worker();
    rg_farm_free(farm);
    farm = other;
    double after = settled(before);
    print_message(
        "%d workers killed: %.0f MiB free before, %.0f with a worker (at most %.1f off after a kill), %.0f after all\n",
        KILLS + 1, before, with, worst, after);
    assert_true(fabs(after - before) <= 4);
}

int main(int argc, char **argv)
{
    find_worker_beside(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_runs_long_may_come_first),
        cmocka_unit_test(saxpy_is_timed),
        cmocka_unit_test(many_launches_become_a_graph),
        cmocka_unit_test(data_dependent_plans_run),
        cmocka_unit_test(a_duel_tells_fast_from_slow),
        cmocka_unit_test(hostile_candidates),
        cmocka_unit_test(screened),
        cmocka_unit_test(memory_comes_back),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
