/* One GPU against all of them: the same candidates, evaluations a second (printed, not judged). Skips without a GPU.
 * test-deadline: 600 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "../runtime/farm_fixture.h"
#include <rg/file.h>

enum { CANDIDATES = 96 };

static int start(void **state)
{
    problem = fx_saxpy("1048576;1000;37;5");
    return 0;
}

static bool open_farm(const char *device)
{
    struct rg_error e = RG_ERROR_INIT;
    struct rg_farm_options o = {.worker = worker, .device = device, .seed = 1, .deadline_s = 20};
    enum rg_status s = rg_farm_start(&o, problem, &farm, &e);
    if (s != RG_OK && s != RG_UNAVAILABLE) fail_msg("%s: %s", device, e.text);
    return s == RG_OK;
}

/* Compiled ahead, so that what is measured is verifying and timing. */
static double rate(int salt)
{
    struct rg_evaluator *ev = rg_farm_evaluator(farm);
    char *sources[CANDIDATES];
    struct rg_evaluation first = evaluate(fx_saxpy_cu, fx_saxpy_plan);
    assert_int_equal(first.outcome, RG_OUTCOME_OK);
    double t = 0;
    for (int round = 0; round < 2; round++) {
        if (round) t = rg_now();
        for (int k = 0; k < CANDIDATES / 2; k++) {
            sources[k] = rg_xasprintf("%s__device__ int all_%d_%d;\n", fx_saxpy_cu, salt, k);
            struct rg_source src = {sources[k], (char *)(uintptr_t)fx_saxpy_plan};
            assert_int_equal(ev->submit(ev->self, 1000 + k, &src, RG_EVAL_FULL, NULL), RG_OK);
        }
        for (int k = 0; k < CANDIDATES / 2; k++) {
            struct rg_eval_result r;
            bool got = false;
            assert_int_equal(ev->poll(ev->self, 60, &r, &got, NULL), RG_OK);
            assert_true(got);
            if (r.e.outcome != RG_OUTCOME_OK) fail_msg("%s: %s", rg_outcome_word(r.e.outcome), r.e.message);
        }
        for (int k = 0; k < CANDIDATES / 2; k++) free(sources[k]);
    }
    return CANDIDATES / 2 / (rg_now() - t);
}

static void all_devices_work(void **state)
{
    if (!open_farm("cuda:0")) skip();
    double one = rate(1);
    rg_farm_free(farm);
    farm = NULL;
    assert_true(open_farm("cuda:all"));
    int devices = rg_farm_info(farm)->devices;
    double busy = rg_farm_info(farm)->run_busy_s, ready = rg_farm_info(farm)->run_ready_s;
    double all = rate(2);
    busy = rg_farm_info(farm)->run_busy_s - busy, ready = rg_farm_info(farm)->run_ready_s - ready;
    print_message("%s: %.1f evaluations a second, one GPU %.1f: %.2fx with %d\n", rg_farm_info(farm)->device, all, one,
                  all / one, devices);
    print_message("busy %.1f %% of the time while candidates waited\n", 100 * busy / ready);
    assert_true(devices >= 1 && busy > 0 && busy <= ready * 1.001);
}

int main(int argc, char **argv)
{
    find_worker_beside(argv[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_devices_work)};
    return cmocka_run_group_tests(tests, start, stop);
}
