/* Hostile candidates on the simulated device. test-deadline: 600 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "../runtime/farm_fixture.h"
#include "attacks.h"

static int start(void **state)
{
    struct rg_error e = RG_ERROR_INIT;
    struct rg_farm_options o = {
        .worker = worker, .device = "sim:h200", .seed = 1, .compile_workers = 2, .deadline_s = 20};
    problem = attacked("1048576;1000;37;5");
    if (rg_farm_start(&o, problem, &farm, &e) == RG_OK) return 0;
    print_error("%s\n", e.text);
    return -1;
}

static void attacks_fail(void **state)
{
    all_attacks(false);
}

int main(int argc, char **argv)
{
    find_worker_beside(argv[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(attacks_fail)};
    return cmocka_run_group_tests(tests, start, stop);
}
