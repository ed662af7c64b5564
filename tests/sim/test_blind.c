/* Sampled launches whose control or addresses depend on what earlier launches wrote are told from others. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/sim/sim_nvrtc.h"

enum { ITEMS = 1 << 20 };

static double blind_after(struct cu *c, const char *first, const char *second)
{
    struct sim *s = &c->s;
    int n = ITEMS;
    rg_addr index = sim_put(s, "index", NULL, 4 * ITEMS), out = sim_put(s, "out", NULL, 4 * ITEMS),
            x = sim_put(s, "x", NULL, 4 * ITEMS);
    struct sim_arg a[] = {ARG(index), ARG(out), ARG(x), ARG(n)};
    struct rg_counter list[RG_MAX_COUNTERS];
    enum rg_limiter limiter;
    int k = RG_MAX_COUNTERS;
    s->d.counters(s->d.self, list, &k, &limiter);
    s->d.estimate_mode(s->d.self, true);
    s->d.mark(s->d.self, 0, &s->err);
    if (first) assert_int_equal(sim_launch_as(s, first, ITEMS / 256, 1, 256, 1, 0, false, a, 4), RG_OUTCOME_OK);
    assert_int_equal(sim_launch_as(s, second, ITEMS / 256, 1, 256, 1, 0, false, a, 4), RG_OUTCOME_OK);
    s->d.mark(s->d.self, 1, &s->err);
    s->d.estimate_mode(s->d.self, false);
    k = RG_MAX_COUNTERS;
    s->d.counters(s->d.self, list, &k, &limiter);
    s->d.release(s->d.self, index);
    s->d.release(s->d.self, out);
    s->d.release(s->d.self, x);
    for (int i = 0; i < k; i++)
        if (!strcmp(list[i].name, "blind_launches")) return list[i].value;
    fail();
    return 0;
}

static void only_what_depends(void **state)
{
    static const struct {
        const char *first, *second;
        int blind;
    } cases[] = {
        {NULL, "gather", 0}, {"reverse", "gather", 1}, {"reverse", "staged", 1}, {"reverse", "branch", 1}, {"reverse", "scale", 0}, {"scale", "gather", 0},
        {"hop", "hop", 1}, {"gather", "gather", 0} /* the second of two alike is not run: what it would find is known all the same */};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cu c; /* a module of its own: estimates are kept by module */
        cu_open(&c, __FILE__, "blind.cu");
        if (!c.have) skip();
        double got = blind_after(&c, cases[i].first, cases[i].second);
        if ((int)got != cases[i].blind)
            fail_msg("%s after %s: %g blind launches, not %d", cases[i].second,
                     cases[i].first ? cases[i].first : "nothing", got, cases[i].blind);
        cu_close(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_what_depends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
