/* Cooperative kernels: what equal rounds of a loop come to is told from a few of them; and waiting for a block costs
 * little. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/sim/sim_nvrtc.h"

enum { BLOCKS = 132, THREADS = 256 };

static enum rg_outcome launch(struct cu *c, const char *kernel, int n, int rounds, bool sampled, double budget,
                              double *flops)
{
    struct sim *s = &c->s;
    rg_addr x = sim_put(s, "x", NULL, 4 * (size_t)n), y = sim_put(s, "y", NULL, 4 * (size_t)n);
    struct sim_arg a[] = {ARG(n), ARG(rounds), ARG(x), ARG(y)};
    struct rg_counter list[RG_MAX_COUNTERS];
    enum rg_limiter limiter;
    int k = RG_MAX_COUNTERS;
    s->d.budget(s->d.self, budget);
    s->d.counters(s->d.self, list, &k, &limiter);
    s->d.estimate_mode(s->d.self, sampled);
    s->d.mark(s->d.self, 0, &s->err);
    enum rg_outcome o = sim_launch_as(s, kernel, BLOCKS, 1, THREADS, 1, 0, true, a, 4);
    s->d.mark(s->d.self, 1, &s->err);
    s->d.estimate_mode(s->d.self, false);
    k = RG_MAX_COUNTERS;
    s->d.counters(s->d.self, list, &k, &limiter);
    s->d.release(s->d.self, x);
    s->d.release(s->d.self, y);
    for (int i = 0; i < k; i++)
        if (!strcmp(list[i].name, "flops")) *flops = list[i].value;
    return o;
}

/* One addition an element and round; two rounds and a bit are within the budget, all are not. */
static void rounds(void **state)
{
    struct cu c;
    cu_open(&c, __FILE__, "steps.cu");
    if (!c.have) skip();
    double flops = 0, n = BLOCKS * THREADS * 8, all = n * 400;
    assert_int_equal(launch(&c, "steps", (int)n, 400, true, 40 * n * 12, &flops), RG_OUTCOME_OK);
    if (flops < 0.995 * all || flops > 1.005 * all) fail_msg("equal rounds: %g additions, not %g", flops, all);
    double sum = 0;
    for (int t = 0; t < 20; t++) sum += n - t * (double)((int)n / 20);
    assert_int_equal(launch(&c, "shrinking", (int)n, 20, true, 4e9, &flops), RG_OUTCOME_OK);
    if (flops < 0.98 * sum || flops > 1.02 * sum) fail_msg("a triangle: %g additions, not %g", flops, sum);
    cu_close(&c);
}

/* The other blocks look once a turn: what they do in vain is less than what is done. */
static void waiting(void **state)
{
    struct cu c;
    cu_open(&c, __FILE__, "steps.cu");
    if (!c.have) skip();
    double flops = 0;
    int n = 100000;
    assert_int_equal(launch(&c, "behind", n, 1, false, 40.0 * n, &flops), RG_OUTCOME_OK);
    cu_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rounds), cmocka_unit_test(waiting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
