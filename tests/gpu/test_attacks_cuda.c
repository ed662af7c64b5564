/* Hostile candidates on a real GPU. Skips without one. test-deadline: 600 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "../runtime/farm_fixture.h"
#include "runtime/farm/farm.h"
#include "../attacks/attacks.h"

static int start(void **state)
{
    struct rg_error e = RG_ERROR_INIT;
    struct rg_farm_options o = {.worker = worker,
                                .device = "cuda:0",
                                .seed = 1,
                                .deadline_s = 4,
                                .no_screen = true}; /* the GPU itself is attacked */
    problem = attacked("67108864;1000003;1000;37;5");
    enum rg_status s = rg_farm_start(&o, problem, &farm, &e);
    if (s == RG_UNAVAILABLE)
        print_message("no GPU: %s\n", e.text);
    else if (s != RG_OK)
        print_error("%s\n", e.text);
    return s == RG_OK || s == RG_UNAVAILABLE ? 0 : -1;
}

static void attacks_fail(void **state)
{
    all_attacks(true);
}

/* Right, but below a floor that was set too high: nothing is found against it in a fresh worker on other inputs, so it
 * is accepted and marked. */
static void below_the_floor(void **state)
{
    struct rg_farm *other = farm;
    struct rg_problem *was = problem;
    struct rg_error err = RG_ERROR_INIT;
    struct rg_farm_options o = {.worker = worker, .device = "cuda:0", .seed = 1, .deadline_s = 20, .no_screen = true};
    if (!farm) skip();
    problem = attacked("67108864;1000003;1000;37;5");
    problem->compulsory_read_bytes *= 8;
    if (rg_farm_start(&o, problem, &farm, &err) != RG_OK) fail_msg("%s", err.text);
    pid_t before = farm->workers[0].proc.pid;
    struct rg_evaluation e = evaluate(fx_saxpy_cu, fx_saxpy_plan);
    if (e.outcome != RG_OUTCOME_OK) fail_msg("%s: %s", rg_outcome_word(e.outcome), e.message);
    assert_true(rg_evaluation_counter(&e, "suspect") == 1);
    assert_true(farm->workers[0].proc.pid != before);
    before = farm->workers[0].proc.pid;
    e = evaluate(fx_saxpy_cu, fx_saxpy_plan); /* known by now */
    assert_true(e.outcome == RG_OUTCOME_OK && rg_evaluation_counter(&e, "suspect") == 1 &&
                farm->workers[0].proc.pid == before);
    rg_farm_free(farm);
    rg_problem_free(problem);
    farm = other;
    problem = was;
}

int main(int argc, char **argv)
{
    find_worker_beside(argv[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(attacks_fail), cmocka_unit_test(below_the_floor)};
    return cmocka_run_group_tests(tests, start, stop);
}
