/* Which actions a node offers, in what order and by whom: priors, masks, coders, the baseline, --apply. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "landscape.h"

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

/* What a model declines is closed there and below: it is asked once, whatever else is applied before or after. It is no
 * failure, and has a count of its own. */
static void test_refusals(void **state)
{
    for (int b_works = 0; b_works < 2; b_works++) {
        struct fake_world w = {.base_us = 1000,
                               .n = 3,
                               .stochastic = true,
                               .e = {{.id = "a", .factor = 0.5, .refused = true},
                                     {.id = "b", .factor = 0.5, .refused = !b_works},
                                     {.id = "c", .factor = 0.7, .refused = !b_works}}};
        struct rg_search_options o = fake_options();
        double prior[] = {0.9, 0.3, 0.3}; /* the refusal comes first */
        struct rg_search_result r = search(&w, &o, prior);
        assert_int_equal(w.asked[0], 1);
        if (!b_works) assert_int_equal(w.coded, 3);
        assert_true(!r.best == !b_works);
        int64_t refused = 0;
        for (int i = 0; i < r.n_rows; i++) {
            const struct rg_evidence *e = &r.rows[i].row;
            refused += e->refused;
            assert_int_equal(
                e->fail[RG_OUTCOME_UNSUPPORTED] + e->fail[RG_OUTCOME_COMPILE] + e->fail[RG_OUTCOME_REFUSED], 0);
            assert_int_equal(e->n, e->ok);
        }
        assert_int_equal(refused, b_works ? 1 : 3);
        if (!b_works) assert_non_null(strstr(r.last_failure, "refused: a dependence forbids it"));
        rg_search_result_release(&r);
    }
}

/* A prior of 0, however sure, is an opinion that the bonus of what is little known outweighs; "never" is none: no
 * search takes the edge, whatever is left. */
static void test_never(void **state)
{
    for (int barred = 0; barred < 2; barred++) {
        struct fake_world w = {
            .base_us = 1000,
            .n = 3,
            .e = {{.id = "a", .factor = 0.5}, {.id = "b", .factor = 0.9}, {.id = "c", .factor = 0.8}}};
        struct rg_search_options o = fake_options();
        const double prior[] = {0, 0.5, 0.5};
        struct rg_regraph *g = fake_graph(&w, prior);
        static const char *const before[] = {"@start", "b", "c"};
        for (int i = 0; i < 3; i++)
            assert_int_equal(barred ? rg_regraph_bar_edge(g, before[i], "a", true, NULL)
                                    : rg_regraph_set(g, before[i], "a", 0, 1000, NULL, NULL),
                             RG_OK);
        struct rg_coder coder = fake_coder(&w), *coders[] = {&coder};
        struct rg_evaluator ev = fake_evaluator(&w);
        struct rg_search_result r;
        assert_int_equal(rg_search_run(&o, g, coders, 1, &ev, &r, NULL), RG_OK);
        assert_int_equal(w.asked[0] > 0, !barred);
        assert_true(w.asked[1] > 0 && w.asked[2] > 0);
        rg_search_result_release(&r);
        rg_regraph_free(g);
    }
}

/* One thread for everything is where a model may start, not what it is asked for when something runs. */
static void test_needs_no_best(void **state)
{
    for (int stochastic = 0; stochastic < 2; stochastic++) {
        struct fake_world w = {
            .base_us = 1000,
            .n = 2,
            .stochastic = stochastic,
            .e = {{.id = "a", .factor = 0.5}, {.id = "one", .factor = 5, .extra = ",\"needs\":\"no-best\""}}};
        struct rg_search_options o = fake_options();
        double prior[] = {0.9, 0.2};
        struct rg_search_result r = search(&w, &o, prior);
        assert_int_equal(w.asked[1] > 0, !stochastic);
        rg_search_result_release(&r);
        w = (struct fake_world){.base_us = 1000,
                                .n = 2,
                                .stochastic = stochastic,
                                .e = {{.id = "a", .factor = 0.5, .outcome = RG_OUTCOME_WRONG},
                                      {.id = "one", .factor = 5, .extra = ",\"needs\":\"no-best\""}}};
        r = search(&w, &o, prior);
        assert_true(w.asked[1] > 0);
        assert_non_null(r.best);
        rg_search_result_release(&r);
    }
}

static const struct rg_evidence *row_of(const struct rg_search_result *r, const struct rg_regraph *g, const char *to)
{
    for (int i = 0; i < r->n_rows; i++)
        if (r->rows[i].row.n > 0 && !strcmp(rg_regraph_step(g, rg_regraph_edge(g, r->rows[i].edge)->to)->id, to))
            return &r->rows[i].row;
    return NULL;
}

/* Asked for b the coder does c, which it refuses when asked for it: the candidate stays, c's edge has the credit, b was
 * refused. */
static void test_other_step_taken(void **state)
{
    for (int vague = 0; vague < 2; vague++) {
        struct fake_world w = {.base_us = 1000,
                               .n = 3,
                               .stochastic = true,
                               .e = {{.id = "a", .factor = 0.5},
                                     {.id = "b", .factor = 0.9, .instead = "c", .vague = vague},
                                     {.id = "c", .factor = 0.25, .refused = true}}};
        struct rg_regraph *g = fake_graph(&w, NULL);
        struct rg_search_options o = fake_options();
        o.evals = 60;
        struct rg_search_result r = search(&w, &o, NULL);
        near(r.evaluation.time_us, 1000 * 0.5 * 0.9 * 0.25);
        const struct rg_evidence *c = row_of(&r, g, "c");
        if (vague) {
            assert_null(c); /* it was more than one step: kept, but no edge's merit */
        } else {
            assert_non_null(c);
            assert_true(c->ok > 0 && c->ok == c->n);
            assert_true(fabs((double)c->max * 1e-6 - log(4)) < 1e-3);
        }
        rg_search_result_release(&r);

        o.apply = "a,b"; /* a chain that is asked for is that chain */
        r = search(&w, &o, NULL);
        assert_string_equal(r.best->chain[1].step, "b");
        rg_search_result_release(&r);
        rg_regraph_free(g);
    }
}

/* The same where the coder says that b makes no sense there: b is not asked for again, there or below. */
static void test_declined_for_another(void **state)
{
    int asked[2];
    for (int declines = 0; declines < 2; declines++) {
        struct fake_world w = {.base_us = 1000,
                               .n = 3,
                               .stochastic = true,
                               .e = {{.id = "a", .factor = 0.5},
                                     {.id = "b", .factor = 0.9, .instead = "c", .declines = declines},
                                     {.id = "c", .factor = 0.25, .refused = true}}};
        struct rg_search_options o = fake_options();
        o.evals = 60;
        struct rg_search_result r = search(&w, &o, NULL);
        near(r.evaluation.time_us, declines ? 1000 * 0.5 * 0.25 : 1000 * 0.5 * 0.9 * 0.25);
        asked[declines] = w.asked[1];
        rg_search_result_release(&r);
    }
    assert_true(asked[1] < asked[0]);
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

/* While nothing has verified, what says only what for is asked more often than a step that says how. */
static void test_samples_unmade(void **state)
{
    int asked[2];
    for (int any_way = 0; any_way < 2; any_way++) {
        struct fake_world w = {
            .base_us = 800,
            .stochastic = true,
            .n = 1,
            .e = {
                {.id = "x", .factor = 0.5, .outcome = RG_OUTCOME_COMPILE, .extra = any_way ? ",\"once\":\"no\"" : ""}}};
        struct rg_search_options o = fake_options();
        o.policy = "mcgs";
        o.evals = 100;
        o.patience = 0;
        struct rg_search_result r = search(&w, &o, NULL);
        asked[any_way] = w.coded;
        rg_search_result_release(&r);
    }
    if (asked[1] < asked[0] + 8) fail_msg("asked %d and %d times", asked[0], asked[1]);
}

/* Best of n asks for n, also where the first of them come to nothing when they are measured. */
static void test_best_of_n_goes_on(void **state)
{
    struct fake_world w = {
        .base_us = 800, .stochastic = true, .n = 1, .e = {{.id = "x", .factor = 0.5, .outcome = RG_OUTCOME_COMPILE}}};
    struct rg_search_options o = fake_options();
    o.policy = "best-of-n";
    o.tries = 5;
    struct rg_search_result r = search(&w, &o, NULL);
    assert_null(r.best);
    assert_int_equal(w.coded, 5);
    rg_search_result_release(&r);
}

static void test_naive(void **state)
{
    struct fake_world w = {.base_us = 800,
                           .baseline =
                               "\"baseline\":[[{\"step\":\"parallelize\"},{\"step\":\"coalesce\",\"optional\":true}],"
                               "[{\"step\":\"reduce.block\"}]],",
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

/* What a coder holds back for the sake of another step is offered where that one is forbidden, or fails as the
 * baseline. */
static void test_held_back(void **state)
{
    struct fake_world w = {.base_us = 800,
                           .baseline =
                               "\"baseline\":[[{\"step\":\"wavefront\",\"site\":\"C\"}],[{\"step\":\"parallelize\"}]],",
                           .n = 3,
                           .e = {{.id = "parallelize", .factor = 0.5, .beside = "front"},
                                 {.id = "wavefront", .factor = 0.8, .site = "C", .extra = ",\"poly\":\"front\""},
                                 {.id = "x", .factor = 0.9, .needs = "parallelize"}}};
    struct rg_search_options o = fake_options();
    o.max_depth = 1;
    struct rg_search_result r = search(&w, &o, NULL);
    near(r.naive_us, 640);
    near(r.evaluation.time_us, 640);
    rg_search_result_release(&r);
    o.max_depth = 0;
    o.apply = "parallelize";
    r = search(&w, &o, NULL);
    near(r.evaluation.time_us, 400);
    rg_search_result_release(&r);
    o.apply = NULL;
    const char *forbid[] = {"wavefront"};
    o.forbid = forbid;
    o.n_forbid = 1;
    r = search(&w, &o, NULL);
    near(r.naive_us, 400);
    near(r.evaluation.time_us, 360);
    rg_search_result_release(&r);
    o.n_forbid = 0;
    w.e[1].outcome = RG_OUTCOME_WRONG;
    r = search(&w, &o, NULL);
    near(r.naive_us, 400);
    near(r.evaluation.time_us, 360);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prior_changes_first_picks),
        cmocka_unit_test(test_forbid_and_mask),
        cmocka_unit_test(test_coders_compose),
        cmocka_unit_test(test_other_step_taken),
        cmocka_unit_test(test_declined_for_another),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_samples_unmade),
        cmocka_unit_test(test_best_of_n_goes_on),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_never),
        cmocka_unit_test(test_needs_no_best),
        cmocka_unit_test(test_naive),
        cmocka_unit_test(test_held_back),
        cmocka_unit_test(test_apply),
        cmocka_unit_test(test_when),
        cmocka_unit_test(test_limiter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
