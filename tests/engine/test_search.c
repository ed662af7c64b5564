/* The search on synthetic landscapes with a known optimum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_world.h"

/* Six steps; the optimum applies a, b, c, d (not e: slower; f fails) with d's tunable at 8. b pays only after a. */
static struct fake_world world(void)
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

static const double optimum = 1000 * 1.1 * 0.3 * 0.7 * 0.8;

static struct rg_search_result search(struct fake_world *w, const struct rg_search_options *o, const double *prior)
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

static void near(double a, double b)
{
    assert_true(fabs(a - b) <= 1e-9 * fabs(b));
}

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

static void test_repeats(void **state)
{
    for (int in_flight = 1; in_flight <= 5; in_flight += 2) {
        struct rg_search_result r[3];
        for (int k = 0; k < 3; k++) {
            struct fake_world w = world();
            w.noise = 0.05;
            w.shuffle = in_flight > 1 ? (uint64_t)k + 1 : 0; /* the order of completion must not matter */
            struct rg_search_options o = fake_options();
            o.evals = 45;
            o.in_flight = in_flight;
            r[k] = search(&w, &o, NULL);
        }
        for (int k = 1; k < 3; k++) {
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
        for (int k = 0; k < 3; k++) rg_search_result_release(&r[k]);
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
    assert_true(w.duels >= 1);
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
}

static char first_picks[8][64];
static int n_picks;

static void note_pick(void *arg, const struct rg_search_progress *p)
{
    if (p->new_best || !p->action[0] || n_picks >= 8) return;
    if (n_picks && !strcmp(first_picks[n_picks - 1], p->action)) return;
    snprintf(first_picks[n_picks++], sizeof first_picks[0], "%s", p->action);
}

static void test_prior_changes_first_picks(void **state)
{
    for (int step = 0; step < 6; step++) {
        struct fake_world w = world();
        double prior[6] = {0.2, 0.2, 0.2, 0.2, 0.2, 0.2};
        prior[step] = 0.95;
        struct rg_search_options o = fake_options();
        o.progress = note_pick;
        o.evals = 12;
        n_picks = 0;
        struct rg_search_result r = search(&w, &o, prior);
        assert_true(n_picks > 0);
        assert_int_equal(first_picks[0][0], 'a' + step);
        rg_search_result_release(&r);
    }
}

static void test_forbid_and_mask(void **state)
{
    struct fake_world w = world();
    const char *forbid[] = {"b", "f"};
    struct rg_search_options o = fake_options();
    o.forbid = forbid;
    o.n_forbid = 2;
    o.evals = 500;
    struct rg_search_result r = search(&w, &o, NULL);
    near(r.evaluation.time_us, 1000 * 0.7 * 0.8);
    assert_int_equal(r.outcomes[RG_OUTCOME_WRONG], 0);
    assert_int_equal(r.actions_masked, 0); /* `once` is no mask: every step that was offered had a site */
    rg_search_result_release(&r);

    w = world();
    w.only = "c";
    o = fake_options();
    r = search(&w, &o, NULL);
    assert_int_equal(r.nodes, 1);
    assert_int_equal(r.actions_masked, 5 + 5); /* at the root, and after c */
    rg_search_result_release(&r);

    struct rg_regraph *g = fake_graph(&w, NULL);
    struct rg_coder c = fake_coder(&w), *coders[] = {&c};
    struct rg_evaluator ev = fake_evaluator(&w);
    struct rg_error err = RG_ERROR_INIT;
    forbid[0] = "zzz";
    o.forbid = forbid;
    o.n_forbid = 1;
    assert_int_equal(rg_search_run(&o, g, coders, 1, &ev, &r, &err), RG_USAGE);
    assert_non_null(strstr(err.text, "zzz"));
    rg_search_result_release(&r);
    o.n_forbid = 0;
    o.policy = "magic";
    rg_error_clear(&err);
    assert_int_equal(rg_search_run(&o, g, coders, 1, &ev, &r, &err), RG_USAGE);
    assert_non_null(strstr(err.text, "best-of-n"));
    rg_search_result_release(&r);
    rg_regraph_free(g);
}

/* Two coders: the second does what the first cannot, and takes over where the first fails. */
static void test_coders_compose(void **state)
{
    struct fake_world poly = world(), model = world();
    poly.name = "poly";
    poly.only = "c";
    model.name = "model";
    model.stochastic = true;
    struct rg_regraph *g = fake_graph(&poly, NULL);
    struct rg_coder a = fake_coder(&poly), b = fake_coder(&model), *coders[] = {&a, &b};
    struct rg_evaluator ev = fake_evaluator(&poly);
    struct rg_search_options o = fake_options();
    o.evals = 300;
    struct rg_search_result r;
    assert_int_equal(rg_search_run(&o, g, coders, 2, &ev, &r, NULL), RG_OK);
    assert_true(poly.coded > 0 && model.coded > 0);
    assert_true(r.evaluation.time_us < 1.1 * optimum);
    assert_int_equal(r.actions_masked, 0);
    rg_search_result_release(&r);

    /* The model first, and its service is down: poly goes on, the status is told. */
    poly = world();
    poly.name = "poly";
    model.service_down = true;
    coders[0] = &b;
    coders[1] = &a;
    model.coded = 0;
    ev = fake_evaluator(&poly);
    assert_int_equal(rg_search_run(&o, g, coders, 2, &ev, &r, NULL), RG_OK);
    assert_int_equal(r.coder_status, RG_SERVICE);
    assert_int_equal(model.coded, 1);
    near(r.evaluation.time_us, optimum);
    for (int i = 0; i < r.n_rows; i++) assert_string_equal(r.rows[i].row.coder, "poly"); /* not the step's fault */
    rg_search_result_release(&r);

    /* The model answers, but never with code: poly does each of those steps. */
    poly = world();
    poly.name = "poly";
    model = world();
    model.name = "model";
    model.stochastic = true;
    model.fail_samples = 99;
    o.evals = 400;
    ev = fake_evaluator(&poly);
    assert_int_equal(rg_search_run(&o, g, coders, 2, &ev, &r, NULL), RG_OK);
    near(r.evaluation.time_us, optimum);
    bool failures = false;
    for (int i = 0; i < r.n_rows; i++) failures = failures || !strcmp(r.rows[i].row.coder, "model");
    assert_true(failures);
    rg_search_result_release(&r);
    rg_regraph_free(g);
}

static void test_samples(void **state)
{
    struct fake_world w = world();
    w.stochastic = true;
    w.fail_samples = 1; /* the first answer of each action is no code, the second is */
    struct rg_search_options o = fake_options();
    o.evals = 300;
    struct rg_search_result r = search(&w, &o, NULL);
    assert_non_null(r.best);
    assert_true(r.evaluation.time_us < 1.2 * optimum);
    bool failed = false;
    for (int i = 0; i < r.n_rows; i++) failed = failed || r.rows[i].row.fail[RG_OUTCOME_COMPILE] > 0;
    assert_true(failed);
    rg_search_result_release(&r);
}

static void test_naive(void **state)
{
    struct fake_world w = {.base_us = 800,
                           .n = 4,
                           .e = {{.id = "parallelize", .factor = 0.5, .best = 16},
                                 {.id = "coalesce", .factor = 0.5},
                                 {.id = "reduce.block", .factor = 0.9},
                                 {.id = "x", .factor = 0.9}}};
    struct rg_search_options o = fake_options();
    struct rg_search_result r = search(&w, &o, NULL);
    near(r.naive_us, 200 * (1 + 0.2 * 16)); /* both, at the default tunable, which is far off */
    near(r.evaluation.time_us, 200 * 0.81);
    rg_search_result_release(&r);
    w.e[1].outcome = RG_OUTCOME_RACE; /* coalesce does not verify: parallelize alone */
    r = search(&w, &o, NULL);
    near(r.naive_us, 400 * (1 + 0.2 * 16));
    rg_search_result_release(&r);
    w.e[0].outcome = RG_OUTCOME_RACE;
    r = search(&w, &o, NULL);
    near(r.naive_us, 720); /* reduce.block */
    rg_search_result_release(&r);
    w.e[2].refused = true;
    r = search(&w, &o, NULL);
    near(r.naive_us, 720); /* the first that verified: x */
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

static void expect_apply_error(struct fake_world *w, const char *chain, enum rg_status want, const char *text)
{
    struct rg_regraph *g = fake_graph(w, NULL);
    struct rg_coder c = fake_coder(w), *coders[] = {&c};
    struct rg_evaluator ev = fake_evaluator(w);
    struct rg_search_options o = fake_options();
    struct rg_search_result r;
    struct rg_error err = RG_ERROR_INIT;
    o.apply = chain;
    enum rg_status st = rg_search_run(&o, g, coders, 1, &ev, &r, &err);
    if (st != want || !strstr(err.text, text)) print_error("'%s' gives %d: %s\n", chain, st, err.text);
    assert_int_equal(st, want);
    assert_non_null(strstr(err.text, text));
    rg_search_result_release(&r);
    rg_regraph_free(g);
}

static void test_apply(void **state)
{
    struct fake_world w = world();
    struct rg_search_options o = fake_options();
    o.apply = "a, d@A{T_3=4} ,b @ A";
    struct rg_search_result r = search(&w, &o, NULL);
    assert_non_null(r.best);
    assert_int_equal(r.best->n_chain, 3);
    assert_string_equal(r.best->chain[1].step, "d");
    near(r.evaluation.time_us, 1000 * 1.1 * 0.8 * 0.3 * 1.2); /* T_3 = 4 is inherited and not tuned */
    assert_int_equal(r.evaluations, 3);
    rg_search_result_release(&r);
    o.apply = "a,f"; /* the last link's outcome counts */
    r = search(&w, &o, NULL);
    assert_null(r.best);
    assert_non_null(strstr(r.last_failure, "wrong"));
    rg_search_result_release(&r);

    expect_apply_error(&w, "zzz", RG_USAGE, "it has a, b, c");
    expect_apply_error(&w, "a@Q", RG_INPUT, "its sites: A");
    expect_apply_error(&w, "a,a", RG_INPUT, "applied already");
    expect_apply_error(&w, "a,a", RG_INPUT, "legal here: b, c");
    expect_apply_error(&w, "d{T_3=3}", RG_INPUT, "it can be 1, 2, 4");
    expect_apply_error(&w, "d{Q=3}", RG_INPUT, "there is T_3");
    expect_apply_error(&w, "d{T_3=}", RG_USAGE, "integer");
    expect_apply_error(&w, "d{T_3=8", RG_USAGE, "character");
    expect_apply_error(&w, "d{T_3", RG_USAGE, "NAME=INTEGER");
    expect_apply_error(&w, "a,", RG_USAGE, "step expected");
    expect_apply_error(&w, ",a", RG_USAGE, "step expected");
    expect_apply_error(&w, "", RG_USAGE, "step expected");
    expect_apply_error(&w, "a@", RG_USAGE, "site expected");
    expect_apply_error(&w, "d{T_3=1}x", RG_USAGE, "',' expected");
    w.e[0].refused = true;
    expect_apply_error(&w, "a", RG_INPUT, "a dependence forbids it");
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

/* `when` is asked of the site where the coder knows it, else of the problem; types are always the problem's. */
static void test_when(void **state)
{
    struct fake_world w = {.base_us = 1000,
                           .n = 3,
                           .e = {{.id = "a", .factor = 0.9},
                                 {.id = "b", .factor = 0.5, .extra = ",\"when\":[\"stencil\"]"},
                                 {.id = "c", .factor = 0.7, .extra = ",\"when\":[\"fp32\"]"}}};
    struct rg_search_options o = fake_options();
    o.traits = RG_TRAIT_FP32;
    struct rg_search_result r = search(&w, &o, NULL);
    near(r.evaluation.time_us, 1000 * 0.9 * 0.7);
    rg_search_result_release(&r);
    o.traits |= RG_TRAIT_STENCIL;
    r = search(&w, &o, NULL);
    near(r.evaluation.time_us, 1000 * 0.9 * 0.7 * 0.5);
    rg_search_result_release(&r);
    w.site_exact = true; /* these sites are no stencils, whatever else the function does */
    r = search(&w, &o, NULL);
    near(r.evaluation.time_us, 1000 * 0.9 * 0.7);
    rg_search_result_release(&r);
    w.site_traits = RG_TRAIT_STENCIL;
    o.traits = 0;
    r = search(&w, &o, NULL);
    near(r.evaluation.time_us, 1000 * 0.9 * 0.5);
    rg_search_result_release(&r);
}

/* Between equal priors, the step that relieves what bounds the candidate goes first. */
static void test_limiter(void **state)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct fake_world w = {.base_us = 1000,
                               .n = 4,
                               .limiter = RG_LIMIT_DRAM,
                               .e = {{.id = "a", .factor = 0.9},
                                     {.id = "b", .factor = 0.9},
                                     {.id = "c", .factor = 0.9, .extra = ",\"limiter\":[\"dram\"]"},
                                     {.id = "d", .factor = 0.9}}};
        static const double prior[] = {0.9, 0.2, 0.2, 0.2}; /* a is the first candidate */
        struct rg_search_options o = fake_options();
        o.seed = seed;
        o.evals = 2;
        o.policy = "greedy";
        struct rg_search_result r = search(&w, &o, prior);
        assert_int_equal(r.best->n_chain, 2);
        assert_string_equal(r.best->chain[1].step, "c");
        rg_search_result_release(&r);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_policy_finds_optimum),
        cmocka_unit_test(test_shares_nodes),
        cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_works_ahead),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_second_measurement),
        cmocka_unit_test(test_noop),
        cmocka_unit_test(test_stop_and_budgets),
        cmocka_unit_test(test_prior_changes_first_picks),
        cmocka_unit_test(test_forbid_and_mask),
        cmocka_unit_test(test_coders_compose),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_naive),
        cmocka_unit_test(test_gains),
        cmocka_unit_test(test_apply),
        cmocka_unit_test(test_many_in_flight),
        cmocka_unit_test(test_beats_random),
        cmocka_unit_test(test_when),
        cmocka_unit_test(test_limiter),
        cmocka_unit_test(test_second_vector),
        cmocka_unit_test(test_polish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
