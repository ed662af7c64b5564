/* A kernel to begin from, and totals as what is minimised. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "journal_fixture.h"
#include "landscape.h"

/* The optimum's own source: a, b, c, d with its tunable at 8. */
static char best_cuda[] = "// 15\n15 0 T_3=8", wrong_cuda[] = "// 32\n32 0", plan[] = "k<<<1, 1>>>();";
static const struct rg_link chain[] = {{"c", "A"}, {"a", "A"}, {"b", "A"}, {"d", "A"}};
static const char *const names[] = {"T_3", "GONE"};
static const int64_t values[] = {8, 5};

static void source_alone(void **state)
{
    static const char *const policies[] = {"mcgs", "uct", "random", "greedy", "beam", "best-of-n", "refine"};
    const struct rg_search_given given = {.source = {best_cuda, plan}};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        struct fake_world w = world();
        struct rg_search_options o = fake_options();
        o.policy = policies[i];
        o.given = &given;
        o.evals = 6;
        struct rg_search_result r = search(&w, &o, NULL);
        near(r.evaluation.time_us, optimum);
        assert_string_equal(r.best->coder, "given");
        assert_string_equal(r.source.cuda, best_cuda);
        rg_search_result_release(&r);
    }
}

/* One evaluation, of the chain's end: it is the source that was given. What is left of the budget goes on from there.
 */
static void chain_is_applied(void **state)
{
    const struct rg_search_given given = {
        .source = {best_cuda, plan}, .n_chain = 4, .chain = chain, .n_values = 2, .names = names, .values = values};
    struct fake_world w = world();
    struct rg_search_options o = fake_options();
    o.given = &given;
    o.evals = 1; /* this world has no naive before the policy */
    struct rg_search_result r = search(&w, &o, NULL);
    near(r.evaluation.time_us, optimum);
    assert_int_equal(r.evaluations, 1);
    assert_string_equal(r.best->coder, "fake");
    assert_int_equal(r.best->n_chain, 4);
    assert_string_equal(r.best->chain[0].step, "c");
    assert_int_equal(r.vector.values[0], 8);
    rg_search_result_release(&r);
}

/* The chain gives another source today: both are measured, and the given one is the best. */
static void chain_gives_another(void **state)
{
    const struct rg_search_given given = {.source = {best_cuda, plan}, .n_chain = 3, .chain = chain};
    struct fake_world w = world();
    struct rg_search_options o = fake_options();
    o.given = &given;
    o.evals = 2;
    struct rg_search_result r = search(&w, &o, NULL);
    near(r.evaluation.time_us, optimum);
    assert_string_equal(r.best->coder, "given");
    rg_search_result_release(&r);
}

/* What is not offered to a search today is no hindrance to a kernel that was made by it. */
static void chain_begins_with_what_is_held_back(void **state)
{
    const struct rg_search_given given = {
        .source = {best_cuda, plan}, .n_chain = 4, .chain = chain, .n_values = 1, .names = names, .values = values};
    struct fake_world w = world();
    w.e[2].beside = "b";
    w.e[1].extra = ",\"poly\":\"b\"";
    struct rg_search_options o = fake_options();
    o.given = &given;
    o.evals = 1;
    struct rg_search_result r = search(&w, &o, NULL);
    near(r.evaluation.time_us, optimum);
    assert_string_equal(r.best->coder, "fake");
    assert_int_equal(r.best->n_chain, 4);
    rg_search_result_release(&r);
}

/* The values are not at the optimum: tuning from there finds it. */
static void is_tuned_further(void **state)
{
    static char cuda[] = "// 15\n15 0 T_3=2";
    static const int64_t off[] = {2};
    const struct rg_search_given given = {
        .source = {cuda, plan}, .n_chain = 4, .chain = chain, .n_values = 1, .names = names, .values = off};
    struct fake_world w = world();
    struct rg_search_options o = fake_options();
    o.given = &given;
    o.evals = 30;
    struct rg_search_result r = search(&w, &o, NULL);
    near(r.evaluation.time_us, optimum);
    assert_string_equal(r.best->coder, "fake");
    rg_search_result_release(&r);
}

static void does_not_hold(void **state)
{
    const struct rg_search_given given = {.source = {wrong_cuda, plan}};
    struct fake_world w = world();
    struct rg_search_options o = fake_options();
    o.given = &given;
    o.evals = 200;
    struct rg_search_result r = search(&w, &o, NULL);
    near(r.evaluation.time_us, optimum);
    assert_true(r.outcomes[RG_OUTCOME_WRONG] > 0);
    rg_search_result_release(&r);
}

/* A chain that cannot be applied here: unknown step, another site, a coder that samples. */
static void chain_is_not_legal(void **state)
{
    static const struct rg_link unknown[] = {{"c", "A"}, {"zzz", "A"}}, elsewhere[] = {{"c", "Q"}};
    for (int i = 0; i < 3; i++) {
        const struct rg_search_given given = {.source = {best_cuda, plan},
                                              .n_chain = i == 0   ? 2
                                                         : i == 1 ? 1
                                                                  : 4,
                                              .chain = i == 0   ? unknown
                                                       : i == 1 ? elsewhere
                                                                : chain};
        struct fake_world w = world();
        struct rg_search_options o = fake_options();
        w.stochastic = i == 2;
        o.given = &given;
        o.evals = 8;
        struct rg_search_result r = search(&w, &o, NULL);
        near(r.evaluation.time_us, optimum);
        rg_search_result_release(&r);
    }
}

/* A model goes on from the text alone. */
static void is_gone_on_from(void **state)
{
    static char cuda[] = "// 7\n7 0"; /* a, b, c */
    static const struct rg_link made[] = {{"a", "A"}, {"b", "A"}, {"c", "A"}};
    const struct rg_search_given given = {.source = {cuda, plan}, .n_chain = 3, .chain = made};
    struct fake_world w = world();
    struct rg_search_options o = fake_options();
    w.stochastic = true;
    w.e[3].best = 0;
    o.given = &given;
    o.evals = 12;
    struct rg_search_result r = search(&w, &o, NULL);
    near(r.evaluation.time_us, optimum);
    assert_string_equal(r.best->coder, "fake");
    rg_search_result_release(&r);
}

/* Cut anywhere, it goes on as if it had not been; with another kernel, or none, it is another run. */
static void resumes(void **state)
{
    static char cuda[] = "// 15\n15 0 T_0=4 T_3=8";
    static const struct rg_link made[] = {{"parallelize", "A"}, {"b", "A"}, {"c", "A"}, {"d", "A"}};
    static const char *const both[] = {"T_0", "T_3"};
    static const int64_t best[] = {4, 8};
    const struct rg_search_given given = {
        .source = {cuda, plan}, .n_chain = 4, .chain = made, .n_values = 2, .names = both, .values = best};
    struct rg_search_options o = fake_options();
    struct rg_search_result whole, part;
    struct rg_error err = RG_ERROR_INIT;
    struct fake_world w = journal_world();
    o.given = &given;
    o.evals = 25;
    o.in_flight = 3;
    o.journal = journal_path;
    unlink(journal_path);
    w.shuffle = 5;
    assert_int_equal(journal_run(&w, &o, &whole, &err), RG_OK);
    int fresh = w.submitted;
    size_t len;
    char *text = slurp(journal_path, &len);
    o.journal = other_path;
    o.resume = true;
    for (size_t at = 0; at < len; at++) {
        if (text[at] != '\n') continue;
        spill(other_path, text, at + 1);
        w = journal_world();
        w.shuffle = at;
        enum rg_status st = journal_run(&w, &o, &part, &err);
        if (st != RG_OK) fail_msg("%s", err.text);
        assert_string_equal(part.source.cuda, whole.source.cuda);
        assert_int_equal(part.evaluations, whole.evaluations);
        assert_true(w.submitted <=
                    fresh + 3 * 4); /* what is asked for ahead depends on who answers when; 3 in flight, 4 ahead each */
        same_rows(part.rows, part.n_rows, whole.rows, whole.n_rows);
        rg_search_result_release(&part);
    }
    o.given = NULL;
    w = journal_world();
    assert_int_equal(journal_run(&w, &o, &part, &err), RG_INPUT);
    assert_non_null(strstr(err.text, "cannot be resumed"));
    rg_search_result_release(&part);
    free(text);
    rg_search_result_release(&whole);
}

/* c makes the kernel quicker and the transfers dearer. */
static void totals(void **state)
{
    for (int total = 0; total < 2; total++) {
        struct fake_world w = world();
        struct rg_search_options o = fake_options();
        w.transfer_us = 50;
        w.heavy = "c";
        o.total = total;
        o.evals = 200;
        struct rg_search_result r = search(&w, &o, NULL);
        near(r.evaluation.time_us, total ? optimum / 0.7 : optimum);
        near(r.evaluation.total_us, total ? optimum / 0.7 + 50 : optimum + 500);
        rg_search_result_release(&r);
    }
}

/* The new best's kernel is slower than the old one's: what counts in their duel is the totals. */
static void totals_decide_duels(void **state)
{
    const struct rg_search_given given = {.source = {best_cuda, plan}};
    struct fake_world w = world();
    struct rg_search_options o = fake_options();
    w.transfer_us = 50;
    w.heavy = "c";
    o.total = true;
    o.given = &given;
    o.evals = 200;
    struct rg_search_result r = search(&w, &o, NULL);
    near(r.evaluation.total_us, optimum / 0.7 + 50);
    assert_true(w.duels > 0);
    rg_search_result_release(&r);
}

/* Goals are totals too; times in the result and in evidence stay those of kernels. */
static void totals_are_goals(void **state)
{
    struct rg_search_options o = fake_options();
    struct fake_world w = {.base_us = 1000,
                           .n = 2,
                           .e = {{.id = "parallelize", .factor = 0.5}, {.id = "b", .factor = 0.5}},
                           .transfer_us = 5000};
    o.total = true;
    o.target_us = 5300;
    struct rg_search_result r = search(&w, &o, NULL);
    near(r.evaluation.time_us, 250);
    near(r.naive_us, 500);
    assert_true(r.n_rows > 0);
    bool halved = false;
    for (int i = 0; i < r.n_rows; i++) halved = halved || r.rows[i].row.max == 693147; /* ln 2, not ln(5500/5250) */
    assert_true(halved);
    rg_search_result_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(source_alone),
        cmocka_unit_test(chain_is_applied),
        cmocka_unit_test(chain_begins_with_what_is_held_back),
        cmocka_unit_test(chain_gives_another),
        cmocka_unit_test(is_tuned_further),
        cmocka_unit_test(does_not_hold),
        cmocka_unit_test(chain_is_not_legal),
        cmocka_unit_test(is_gone_on_from),
        cmocka_unit_test(resumes),
        cmocka_unit_test(totals),
        cmocka_unit_test(totals_are_goals),
        cmocka_unit_test(totals_decide_duels),
    };
    return cmocka_run_group_tests(tests, journal_setup, journal_teardown);
}
