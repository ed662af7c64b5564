/* The search on synthetic landscapes with a known optimum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "landscape.h"

static void test_every_policy_finds_optimum(void **state)
{
    static const char *const policies[] = {"mcgs", "uct",       "random", "greedy",
                                           "beam", "best-of-n", "refine", "exhaustive"};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        struct fake_world w = world();
        struct rg_search_options o = fake_options();
        o.policy = policies[i];
        o.evals = 400;
        struct rg_search_result r = search(&w, &o, NULL);
        assert_non_null(r.best);
        if (fabs(r.evaluation.time_us - optimum) > 1e-6 * optimum)
            print_error("%s: %g\n", policies[i], r.evaluation.time_us);
        near(r.evaluation.time_us, optimum);
        assert_true(r.evaluations < 400); /* the graph has 32 ok nodes: all were seen, and the run ended by itself */
        int n = 0;
        for (int k = 0; k < RG_N_OUTCOMES; k++) n += r.outcomes[k];
        assert_int_equal(n, r.evaluations);
        assert_non_null(r.source.cuda);
        rg_search_result_release(&r);
    }
}

/* Commuting orders share a node: 2^5 subsets of the steps that verify, not 5! chains; f once for each of them. */
static void test_shares_nodes(void **state)
{
    struct fake_world w = world();
    for (int i = 0; i < w.n; i++) w.e[i].best = 0;
    struct rg_search_options o = fake_options();
    o.policy = "exhaustive";
    o.evals = 1000;
    struct rg_search_result r = search(&w, &o, NULL);
    assert_int_equal(r.nodes, 31 + 32);
    assert_int_equal(r.evaluations, 31 + 32);
    assert_int_equal(r.outcomes[RG_OUTCOME_WRONG], 32);
    rg_search_result_release(&r);
}

/* Recording follows the fastest way beside the breadth: four steps deep within a budget that two levels would use up.
 */
static void test_exhaustive_goes_deep(void **state)
{
    static const char *const ids[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    struct fake_world w = {.base_us = 1000, .n = 8};
    for (int i = 0; i < 8; i++) w.e[i] = (struct fake_effect){.id = ids[i], .factor = i < 4 ? 0.5 : 1.3};
    struct rg_search_options o = fake_options();
    o.policy = "exhaustive";
    o.evals = 37; /* 1 + 8 + 8 * 7 / 2 */
    struct rg_search_result r = search(&w, &o, NULL);
    near(r.evaluation.time_us, 1000. / 16);
    rg_search_result_release(&r);
}

/* A source that was measured before costs nothing, whatever chain printed it; comments do not count. */
static void test_same_source_is_free(void **state)
{
    struct fake_world w = {.base_us = 1000,
                           .n = 3,
                           .e = {{.id = "a", .factor = 0.9}, {.id = "b", .factor = 0.8}, {.id = "c", .silent = true}}};
    struct rg_search_options o = fake_options();
    o.policy = "exhaustive";
    struct rg_search_result r = search(&w, &o, NULL);
    assert_int_equal(r.evaluations, 4); /* none, a, b, ab: c is never measured beside its twin */
    near(r.evaluation.time_us, 720);
    rg_search_result_release(&r);
}

/* What prints the same source but may take values that it could not before is no twin of it: they are tried. */
static void test_more_values_are_no_twin(void **state)
{
    struct fake_world w = {.base_us = 1000,
                           .n = 2,
                           .e = {{.id = "a", .factor = 0.9, .best = 256}, {.id = "b", .silent = true, .widens = true}}};
    struct rg_search_options o = fake_options();
    struct rg_search_result r = search(&w, &o, NULL);
    near(r.evaluation.time_us, 900);
    rg_search_result_release(&r);
}

/* Wrong at two vectors is the edit's fault: no third is tried. What may not fit is tried smaller and larger. */
static void test_wrong_twice_is_enough(void **state)
{
    static const enum rg_outcome outcomes[] = {RG_OUTCOME_WRONG, RG_OUTCOME_COMPILE};
    for (int i = 0; i < 2; i++) {
        struct fake_world w = {
            .base_us = 1000, .n = 1, .e = {{.id = "a", .best = 8, .start = 4, .factor = 1, .outcome = outcomes[i]}}};
        struct rg_search_options o = fake_options();
        struct rg_search_result r = search(&w, &o, NULL);
        assert_int_equal(r.outcomes[outcomes[i]], i ? 3 : 2);
        rg_search_result_release(&r);
    }
}

/* Whatever order things finish in: the same course, for every policy and any number of actions in flight. */
static void test_repeats(void **state)
{
    static const char *const policies[] = {"mcgs", "uct", "random", "greedy", "beam", "best-of-n", "refine"};
    for (size_t p = 0; p < sizeof policies / sizeof *policies; p++)
        for (int in_flight = 1; in_flight <= 5; in_flight += 2) {
            struct rg_search_result r[6];
            for (int k = 0; k < 6; k++) {
                struct fake_world w = world();
                w.noise = 0.05;
                w.stochastic = p == 0 && in_flight == 3;
                w.fail_samples = w.stochastic;
                w.shuffle = in_flight > 1 ? (uint64_t)k + 1 : 0;
                struct rg_search_options o = fake_options();
                o.policy = policies[p];
                o.evals = 45;
                o.in_flight = in_flight;
                r[k] = search(&w, &o, NULL);
            }
            for (int k = 1; k < 6; k++) {
                if (r[k].nodes != r[0].nodes || strcmp(r[k].source.cuda, r[0].source.cuda) ||
                    r[k].n_rows != r[0].n_rows)
                    print_error("%s, %d in flight, order %d\n", policies[p], in_flight, k);
                assert_int_equal(r[k].evaluations, r[0].evaluations);
                assert_int_equal(r[k].nodes, r[0].nodes);
                assert_string_equal(r[k].source.cuda, r[0].source.cuda);
                assert_int_equal(r[k].n_rows, r[0].n_rows);
                for (int i = 0; i < r[0].n_rows; i++) {
                    assert_int_equal(r[k].rows[i].edge, r[0].rows[i].edge);
                    assert_int_equal(r[k].rows[i].row.sum, r[0].rows[i].row.sum);
                    assert_int_equal(r[k].rows[i].row.n, r[0].rows[i].row.n);
                }
            }
            for (int k = 0; k < 6; k++) rg_search_result_release(&r[k]);
        }
}

static void test_works_ahead(void **state)
{
    struct fake_world w = world();
    w.e[2].best = 4;
    w.e[1].best = 4;
    struct rg_search_options o = fake_options();
    struct rg_search_result r = search(&w, &o, NULL);
    assert_true(w.most_waiting >= 2); /* a node's vectors are submitted together */
    rg_search_result_release(&r);
}

static void test_failures(void **state)
{
    struct fake_world w = world();
    w.e[0].refused = true;
    for (int i = 1; i < w.n; i++) w.e[i].outcome = RG_OUTCOME_CRASH;
    struct rg_search_options o = fake_options();
    struct rg_search_result r = search(&w, &o, NULL);
    assert_null(r.best);
    assert_int_equal(r.outcomes[RG_OUTCOME_OK], 0);
    assert_true(r.outcomes[RG_OUTCOME_CRASH] > 0);
    assert_true(strstr(r.last_failure, "crash") || strstr(r.last_failure, "forbids"));
    for (int i = 0; i < r.n_rows; i++) {
        assert_int_equal(r.rows[i].row.ok, 0);
        assert_int_equal(r.rows[i].row.fail[RG_OUTCOME_CRASH], r.rows[i].row.n);
        assert_true(r.rows[i].row.max == INT64_MIN);
    }
    assert_int_equal(r.n_rows, 5); /* a refusal is no experience of the step */
    rg_search_result_release(&r);
}

static void test_second_measurement(void **state)
{
    struct fake_world w = world();
    w.again_fails = true;
    struct rg_search_options o = fake_options();
    struct rg_search_result r = search(&w, &o, NULL);
    assert_null(r.best); /* nothing survived its second measurement */
    assert_true(w.agains > 0);
    rg_search_result_release(&r);
    w = world();
    r = search(&w, &o, NULL);
    assert_true(w.agains >= 2);
    int clear = w.duels; /* a kernel far ahead by both second measurements meets nobody */
    rg_search_result_release(&r);
    w = world();
    o.constants = (const char *[]){"clear_margin=10"};
    o.n_constants = 1;
    r = search(&w, &o, NULL);
    assert_true(w.duels > clear);
    rg_search_result_release(&r);
}

/* c is a no-op: its edge learns a gain of zero, and no node is made of it. */
static void test_noop(void **state)
{
    struct fake_world w = world();
    w.e[2].noop = true;
    struct rg_search_options o = fake_options();
    o.policy = "exhaustive";
    o.evals = 1000;
    struct rg_search_result r = search(&w, &o, NULL);
    struct rg_regraph *g = fake_graph(&w, NULL);
    int found = 0;
    for (int i = 0; i < r.n_rows; i++) {
        const struct rg_edge *e = rg_regraph_edge(g, r.rows[i].edge);
        if (strcmp(rg_regraph_step(g, e->to)->id, "c") || e->from < 0) continue;
        assert_int_equal(r.rows[i].row.sum, 0);
        assert_int_equal(r.rows[i].row.ok, r.rows[i].row.n);
        found++;
    }
    assert_true(found > 0);
    for (int i = 0; i < r.best->n_chain; i++)
        if (r.best->n_chain > 1) assert_string_not_equal(r.best->chain[i].step, "c");
    rg_regraph_free(g);
    rg_search_result_release(&r);
    o.policy = "mcgs"; /* an edge back to where it came from must not trap the descent */
    o.evals = 300;
    r = search(&w, &o, NULL);
    assert_true(r.evaluations < 300);
    rg_search_result_release(&r);
}

static int stop_flag;

static void test_stop_and_budgets(void **state)
{
    struct fake_world w = world();
    struct rg_search_options o = fake_options();
    volatile int after = 7;
    stop_flag = 0;
    w.stop_after = &after;
    w.stop = &stop_flag;
    o.stop = &stop_flag;
    struct rg_search_result r = search(&w, &o, NULL);
    assert_true(r.stopped);
    assert_non_null(r.best);
    assert_true(r.evaluations <= 12);
    rg_search_result_release(&r);

    for (int evals = 1; evals < 20; evals++) {
        w = world();
        o = fake_options();
        o.evals = evals;
        r = search(&w, &o, NULL);
        assert_int_equal(r.evaluations, evals);
        assert_non_null(r.best);
        assert_false(r.stopped);
        rg_search_result_release(&r);
    }

    w = world();
    o = fake_options();
    o.evals = 0;
    o.target_us = optimum * 1.01;
    r = search(&w, &o, NULL);
    assert_true(r.evaluation.time_us <= o.target_us);
    rg_search_result_release(&r);

    w = world();
    o = fake_options();
    o.evals = 0;
    o.patience = 10;
    r = search(&w, &o, NULL);
    assert_true(r.evaluations < 200);
    rg_search_result_release(&r);

    w = world();
    w.hold = true; /* the device never answers: the clock ends the run */
    o = fake_options();
    o.seconds = 0.05;
    r = search(&w, &o, NULL);
    assert_null(r.best);
    assert_true(w.canceled > 0);
    rg_search_result_release(&r);

    w = world();
    w.late_s = rg_now() + 0.3; /* beyond the limit: a time that is given is kept */
    double since = rg_now();
    r = search(&w, &o, NULL);
    assert_null(r.best);
    assert_true(rg_now() - since < 0.25);
    rg_search_result_release(&r);
}

/* Gains on edges are those between final times, one for each action. */
static void test_gains(void **state)
{
    struct fake_world w = world();
    w.n = 3;
    struct rg_search_options o = fake_options();
    o.policy = "exhaustive";
    o.evals = 100;
    struct rg_search_result r = search(&w, &o, NULL);
    struct rg_regraph *g = fake_graph(&w, NULL);
    int edge = rg_regraph_find_edge(g, rg_regraph_find(g, "a"), rg_regraph_find(g, "b"));
    bool seen = false;
    for (int i = 0; i < r.n_rows; i++) {
        const struct rg_evidence *e = &r.rows[i].row;
        if (r.rows[i].edge != edge) continue;
        seen = true;
        /* from {a} to {a,b}, and from {a,c} to {a,b,c} unless c's edge is credited there */
        assert_true(e->n >= 1 && e->n <= 2);
        assert_int_equal(e->sum, e->n * llround(-log(0.3) * 1e6));
        assert_int_equal(e->max, llround(-log(0.3) * 1e6));
    }
    assert_true(seen);
    int64_t n = 0;
    for (int i = 0; i < r.n_rows; i++) n += r.rows[i].row.n;
    assert_int_equal(n, 12); /* edges of the cube, each credited once */
    rg_regraph_free(g);
    rg_search_result_release(&r);
}

static void test_many_in_flight(void **state)
{
    static const char *const policies[] = {"mcgs", "uct",       "random", "greedy",
                                           "beam", "best-of-n", "refine", "exhaustive"};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        struct fake_world w = world();
        w.shuffle = 77;
        struct rg_search_options o = fake_options();
        o.policy = policies[i];
        o.in_flight = 4;
        o.evals = 500;
        struct rg_search_result r = search(&w, &o, NULL);
        near(r.evaluation.time_us, optimum);
        rg_search_result_release(&r);
    }
}

/* What the search is for: with the same budget it comes nearer than a random walk, over seeds. */
static void test_beats_random(void **state)
{
    double sum[2] = {0, 0};
    static const char *const policies[] = {"mcgs", "random"};
    for (int p = 0; p < 2; p++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct fake_world w = world();
            w.n = 8;
            w.e[6] = (struct fake_effect){.id = "g", .factor = 1.4};
            w.e[7] = (struct fake_effect){.id = "h", .factor = 1.3, .best = 4};
            struct rg_search_options o = fake_options();
            o.policy = policies[p];
            o.seed = seed;
            o.evals = 40;
            struct rg_search_result r = search(&w, &o, NULL);
            sum[p] += log(r.evaluation.time_us / optimum);
            rg_search_result_release(&r);
        }
    print_message("%g %g\n", sum[0], sum[1]);
    assert_true(sum[0] < 0.7 * sum[1]);
}

/* The fastest vector does not survive its second measurement: the next best of the node stands in. */
static void test_second_vector(void **state)
{
    struct fake_world w = {.base_us = 1000, .n = 1, .e = {{.id = "d", .factor = 0.8, .best = 8}}};
    w.again_fails = true;
    w.again_fails_at = "T_0=8";
    struct rg_search_options o = fake_options();
    struct rg_search_result r = search(&w, &o, NULL);
    assert_non_null(r.best);
    assert_int_not_equal(r.vector.values[0], 8);
    near(r.evaluation.time_us, 1000 * 0.8 * 1.2); /* 4 or 16 */
    assert_int_equal(r.n_rows, 1);
    assert_int_equal(r.rows[0].row.ok, 1);
    rg_search_result_release(&r);
}

/* The best is tuned on when nothing is left to apply. */
static void test_polish(void **state)
{
    struct fake_world w = {.base_us = 1000,
                           .n = 4,
                           .e = {{.id = "a", .factor = 0.8, .best = 64},
                                 {.id = "b", .factor = 0.8, .best = 64},
                                 {.id = "c", .factor = 0.8, .best = 64},
                                 {.id = "d", .factor = 0.8, .best = 64}}};
    struct rg_search_options o = fake_options();
    o.policy = "refine"; /* one chain to the end */
    o.max_depth = 4;
    o.evals = 400;
    struct rg_search_result r = search(&w, &o, NULL);
    near(r.evaluation.time_us, 1000 * 0.8 * 0.8 * 0.8 * 0.8);
    rg_search_result_release(&r);
    o.max_depth = 1;
    r = search(&w, &o, NULL);
    assert_int_equal(r.best->n_chain, 1);
    assert_int_equal(r.nodes, 4);
    rg_search_result_release(&r);
}

static struct rg_search_result search_on(struct fake_world *w, const struct rg_search_options *o,
                                         const struct rg_regraph *g)
{
    struct rg_coder c = fake_coder(w), *coders[] = {&c};
    struct rg_evaluator ev = fake_evaluator(w);
    struct rg_search_result r;
    assert_int_equal(rg_search_run(o, g, coders, 1, &ev, &r, NULL), RG_OK);
    return r;
}

/* Evidence marks the way to the best and the values its tunables ended at; the next run starts from both. "b" costs
 * without "a", "a" costs by itself: only the way tells that they belong together. */
static void test_second_run_goes_straight(void **state)
{
    struct fake_world w = {.base_us = 1000,
                           .n = 6,
                           .e = {{.id = "a", .factor = 1.2, .best = 64},
                                 {.id = "b", .factor = 0.2, .needs = "a", .best = 32},
                                 {.id = "c", .factor = 1.1},
                                 {.id = "d", .factor = 1.05},
                                 {.id = "e", .factor = 1.15},
                                 {.id = "f", .factor = 1.2}}};
    struct rg_search_options o = fake_options();
    struct rg_regraph *g = fake_graph(&w, NULL);
    o.evals = 400;
    struct rg_search_result r = search_on(&w, &o, g);
    double best = r.evaluation.time_us;
    near(best, 1000 * 1.2 * 0.2);
    int lead = 0, tuned = 0;
    for (int i = 0; i < r.n_rows; i++) {
        const struct rg_evidence *e = &r.rows[i].row;
        lead += (int)e->lead;
        for (int k = 0; k < e->n_tuned; k++) {
            bool a = !strcmp(e->tuned[k].name, "T_0");
            assert_int_equal(rg_regraph_edge(g, r.rows[i].edge)->to, rg_regraph_find(g, a ? "a" : "b"));
            assert_int_equal(e->tuned[k].value, a ? 64 : 32);
            tuned++;
        }
    }
    assert_int_equal(lead, 2);
    assert_int_equal(tuned, 2);
    o.evals = 4; /* a, then b: naive is what is verified first */
    o.seed = 2;
    struct rg_search_result first = search_on(&w, &o, g);
    for (int i = 0; i < r.n_rows; i++)
        assert_int_equal(rg_regraph_learn(g, r.rows[i].edge, &r.rows[i].row, NULL), RG_OK);
    struct rg_search_result second = search_on(&w, &o, g);
    near(second.evaluation.time_us, best);
    assert_true(first.evaluation.time_us > 1.05 * best);
    rg_search_result_release(&r);
    rg_search_result_release(&first);
    rg_search_result_release(&second);
    rg_regraph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_policy_finds_optimum),
        cmocka_unit_test(test_shares_nodes),
        cmocka_unit_test(test_same_source_is_free),
        cmocka_unit_test(test_exhaustive_goes_deep),
        cmocka_unit_test(test_more_values_are_no_twin),
        cmocka_unit_test(test_wrong_twice_is_enough),
        cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_works_ahead),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_second_measurement),
        cmocka_unit_test(test_noop),
        cmocka_unit_test(test_stop_and_budgets),
        cmocka_unit_test(test_gains),
        cmocka_unit_test(test_many_in_flight),
        cmocka_unit_test(test_beats_random),
        cmocka_unit_test(test_second_vector),
        cmocka_unit_test(test_polish),
        cmocka_unit_test(test_second_run_goes_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
