/* Addresses of the simulated memory: what is alive lies the same, whatever was alive before. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/sim/sim.h"
#include <string.h>

static uint64_t get(struct sim_memory *m, size_t bytes)
{
    uint64_t a = 0;
    struct rg_error e = RG_ERROR_INIT;
    if (rg__sim_alloc(m, bytes, "b", false, &a, &e) != RG_OK) fail_msg("%s", e.text);
    return a;
}

static void history_does_not_show(void **state)
{
    struct sim_memory m;
    struct rg_error e = RG_ERROR_INIT;
    if (rg__sim_memory_open(&m, (size_t)1 << 30, &e) != RG_OK) fail_msg("%s", e.text);
    uint64_t a = get(&m, 10000), b = get(&m, 10000), c = get(&m, 10000), d = get(&m, 70000);
    assert_true(a < b && b < c && c < d);
    /* all of one kind go and come again, in whatever order they went */
    const uint64_t orders[3][3] = {{a, b, c}, {c, a, b}, {b, c, a}};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) rg__sim_release(&m, orders[k][i]);
        assert_true(get(&m, 10000) == a && get(&m, 10000) == b && get(&m, 10000) == c);
    }
    /* what a program had beside them leaves no trace: another size begins at the same place */
    uint64_t first = get(&m, 5000), second = get(&m, 9000);
    rg__sim_release(&m, first);
    rg__sim_release(&m, second);
    assert_true(get(&m, 123456) == first);
    rg__sim_release(&m, first);
    rg__sim_release(&m, d);
    rg__sim_release(&m, a);
    rg__sim_release(&m, c);
    rg__sim_release(&m, b);
    assert_true(get(&m, 70000) == a); /* from the start again */
    rg__sim_memory_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(history_does_not_show)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
