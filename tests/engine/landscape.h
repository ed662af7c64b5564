/* The landscape that most tests search, and a search of it. */
#ifndef RG_TESTS_LANDSCAPE_H
#define RG_TESTS_LANDSCAPE_H
#include "fake_world.h"

/* Six steps; the optimum applies a, b, c, d (not e: slower; f fails) with d's tunable at 8. b pays only after a. */
static __attribute__((unused)) struct fake_world world(void)
{
    return (struct fake_world){.base_us = 1000,
                               .n = 6,
                               .e = {{.id = "a", .factor = 1.1},
                                     {.id = "b", .factor = 0.3, .needs = "a"},
                                     {.id = "c", .factor = 0.7},
                                     {.id = "d", .factor = 0.8, .best = 8},
                                     {.id = "e", .factor = 1.5},
                                     {.id = "f", .factor = 0.5, .outcome = RG_OUTCOME_WRONG}}};
}

static __attribute__((unused)) const double optimum = 1000 * 1.1 * 0.3 * 0.7 * 0.8;

static __attribute__((unused)) struct rg_search_result search(struct fake_world *w, const struct rg_search_options *o,
                                                              const double *prior)
{
    struct rg_regraph *g = fake_graph(w, prior);
    struct rg_coder c = fake_coder(w), *coders[] = {&c};
    struct rg_evaluator ev = fake_evaluator(w);
    struct rg_search_result r;
    struct rg_error err = RG_ERROR_INIT;
    enum rg_status st = rg_search_run(o, g, coders, 1, &ev, &r, &err);
    if (st != RG_OK) print_error("%s\n", err.text);
    assert_int_equal(st, RG_OK);
    assert_true(!o->evals || r.evaluations <= o->evals);
    assert_int_equal(w->n_answers, 0);
    assert_int_equal(w->n_results, 0);
    rg_regraph_free(g);
    return r;
}

static __attribute__((unused)) void near(double a, double b)
{
    assert_true(fabs(a - b) <= 1e-9 * fabs(b));
}

#endif
