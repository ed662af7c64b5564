/* Hostile candidates on a real GPU. Skips without one. test-deadline: 600 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "../runtime/farm_fixture.h"
#include "../attacks/attacks.h"

static int start(void **state)
{
    struct rg_error e = RG_ERROR_INIT;
    struct rg_farm_options o = {.worker = worker, .device = "cuda:0", .seed = 1, .deadline_s = 4, .no_screen = true}; /* the GPU itself is attacked */
    problem = attacked("67108864;1000003;1000;37;5");
    enum rg_status s = rg_farm_start(&o, problem, &farm, &e);
    if (s == RG_UNAVAILABLE) print_message("no GPU: %s\n", e.text);
    else if (s != RG_OK) print_error("%s\n", e.text);
    return s == RG_OK || s == RG_UNAVAILABLE ? 0 : -1;
}

static void attacks_fail(void **state)
{
    all_attacks(true);
}

int main(int argc, char **argv)
{
    find_worker_beside(argv[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(attacks_fail)};
    return cmocka_run_group_tests(tests, start, stop);
}
