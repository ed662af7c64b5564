/* At the end a step that adds nothing is no part of the best, and earned nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "landscape.h"

/* x does nothing to the time, and is tried first; y seems to pay where it opens nothing: it does. */
static struct fake_world idle_step(void)
{
    return (struct fake_world){.base_us = 1000,
                               .n = 4,
                               .e = {{.id = "x", .factor = 1},
                                     {.id = "a", .factor = 0.7},
                                     {.id = "y", .factor = 0.9},
                                     {.id = "d", .factor = 0.8}}};
}

static const double keen[] = {0.95, 0.3, 0.3, 0.3};

static bool has(const struct rg_template *t, const char *step)
{
    for (int i = 0; i < t->n_chain; i++)
        if (!strcmp(t->chain[i].step, step)) return true;
    return false;
}

static int runs_with(const char *step, const struct rg_search_options *options, bool measured, int seeds)
{
    int n = 0;
    for (int seed = 1; seed <= seeds; seed++) {
        struct fake_world w = idle_step();
        struct rg_search_options o = *options;
        o.seed = (uint64_t)seed;
        w.measured = measured;
        struct rg_search_result r = search(&w, &o, keen);
        near(r.evaluation.time_us, 1000 * 0.7 * 0.9 * 0.8);
        n += has(r.best, step);
        rg_search_result_release(&r);
    }
    return n;
}

static void what_adds_nothing_is_dropped(void **state)
{
    struct rg_search_options o = fake_options();
    assert_int_equal(runs_with("x", &o, false, 10), 0);
    assert_int_equal(runs_with("x", &o, true, 10), 0);
    assert_int_equal(runs_with("y", &o, false, 10), 10);
}

/* The budget is kept, and with none of it left what was measured anyway still tells. */
static void within_the_budget(void **state)
{
    static const char *const none[] = {"minimal_share=0"};
    struct rg_search_options o = fake_options();
    o.constants = none;
    o.n_constants = 1;
    assert_int_equal(runs_with("x", &o, false, 10), 0);
}

/* No way is marked over it. */
static void it_earns_nothing(void **state)
{
    struct fake_world w = idle_step();
    struct rg_search_options o = fake_options();
    struct rg_regraph *g = fake_graph(&w, keen);
    struct rg_coder c = fake_coder(&w), *coders[] = {&c};
    struct rg_evaluator ev = fake_evaluator(&w);
    struct rg_search_result r;
    struct rg_error err = RG_ERROR_INIT;
    assert_int_equal(rg_search_run(&o, g, coders, 1, &ev, &r, &err), RG_OK);
    int led = 0;
    for (int i = 0; i < r.n_rows; i++) {
        const char *to = rg_regraph_step(g, rg_regraph_edge(g, r.rows[i].edge)->to)->id;
        led += r.rows[i].row.lead > 0;
        if (!strcmp(to, "x")) assert_int_equal(r.rows[i].row.lead, 0);
    }
    assert_true(led >= 3);
    rg_search_result_release(&r);
    rg_regraph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_adds_nothing_is_dropped),
        cmocka_unit_test(within_the_budget),
        cmocka_unit_test(it_earns_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
