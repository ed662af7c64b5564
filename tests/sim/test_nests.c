/* A launch that is cut short within the first round of an outer loop: the rounds that are left are read off the loop's
 * counter; where they cannot be, the launch is marked and its interval wide. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/sim/sim_nvrtc.h"

enum { LONG = 1 << 24 };
struct told {
    double us, high, unknown;
};

static struct told look(struct cu *c, const char *kernel, bool together, int rounds, int n)
{
    struct sim *s = &c->s;
    static float x[1024];
    rg_addr y = sim_put(s, "y", NULL, 1 << 20), in = sim_put(s, "x", x, sizeof x);
    struct sim_arg a[] = {ARG(y), ARG(in), ARG(rounds), ARG(n)};
    struct rg_counter list[RG_MAX_COUNTERS];
    enum rg_limiter limiter;
    int k = RG_MAX_COUNTERS;
    struct told t = {0, 0, -1};
    s->d.counters(s->d.self, list, &k, &limiter);
    s->d.estimate_mode(s->d.self, true);
    s->d.mark(s->d.self, 0, &s->err);
    assert_int_equal(sim_launch_as(s, kernel, together ? 64 : 1, 1, together ? 256 : 1, 1, 0, together, a, 4),
                     RG_OUTCOME_OK);
    s->d.mark(s->d.self, 1, &s->err);
    assert_int_equal(s->d.elapsed(s->d.self, 0, 1, &t.us, &s->fault, &s->err), RG_OK);
    s->d.estimate_mode(s->d.self, false);
    k = RG_MAX_COUNTERS;
    s->d.counters(s->d.self, list, &k, &limiter);
    for (int i = 0; i < k; i++) {
        if (!strcmp(list[i].name, "unknown_rounds")) t.unknown = list[i].value;
        if (!strcmp(list[i].name, "interval_high_us")) t.high = list[i].value;
    }
    s->d.release(s->d.self, y);
    s->d.release(s->d.self, in);
    return t;
}

static void rounds_are_counted(void **state)
{
    static const struct {
        const char *kernel;
        bool together;
        int inner;
    } cases[] = {{"up", false, 1}, {"down", false, 1}, {"strides", false, 1}, {"three", false, 4}, {"grid", true, 1}};
    struct cu c;
    cu_open(&c, __FILE__, "nests.cu");
    if (!c.have) skip();
    double one = look(&c, "alone", false, 1, LONG).us;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct told few = look(&c, cases[i].kernel, cases[i].together, 2, LONG),
                    many = look(&c, cases[i].kernel, cases[i].together, 40, LONG);
        double ratio = many.us / few.us / 20;
        if (!(ratio > 0.8 && ratio < 1.25) || many.unknown != 0 || many.high > 2 * many.us)
            fail_msg("%s: 40 rounds %g us, 2 rounds %g us; unknown %g, up to %g us", cases[i].kernel, many.us, few.us,
                     many.unknown, many.high);
        double rounds = many.us / one / cases[i].inner;
        if (!cases[i].together && !(rounds > 20 && rounds < 80))
            fail_msg("%s: 40 rounds take %g us, one loop alone %g", cases[i].kernel, many.us, one);
    }
    cu_close(&c);
}

static void what_nobody_can_tell_is_said(void **state)
{
    struct cu c;
    cu_open(&c, __FILE__, "nests.cu");
    if (!c.have) skip();
    static const char *const kernels[] = {"converge", "after"};
    for (int i = 0; i < 2; i++) {
        struct told t = look(&c, kernels[i], false, 1000, LONG);
        if (t.unknown != 1 || !(t.high > 10 * t.us))
            fail_msg("%s: %g us, up to %g, %g launches of unknown length", kernels[i], t.us, t.high, t.unknown);
    }
    struct told u = look(&c, "alone", false, 1, LONG);
    assert_true(u.unknown == 0 && u.high < 2 * u.us);
    cu_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rounds_are_counted),
                                       cmocka_unit_test(what_nobody_can_tell_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
