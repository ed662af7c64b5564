/* Resuming: a run cut at any line, or in the middle of one, goes on as if it had never stopped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "journal_fixture.h"

/* Same lines, clocks and seams apart. */
static void same_journals(const char *a, const char *b)
{
    size_t na, nb;
    char *ta = slurp(a, &na), *tb = slurp(b, &nb);
    struct rg__old_lines la, lb;
    struct rg_error err = RG_ERROR_INIT;
    assert_int_equal(rg__old_lines_parse(ta, na, a, &la, &err), RG_OK);
    assert_int_equal(rg__old_lines_parse(tb, nb, b, &lb, &err), RG_OK);
    for (int i = 0; i < la.n && i < lb.n; i++) assert_string_equal(la.items[i].stable, lb.items[i].stable);
    assert_int_equal(la.n, lb.n);
    rg__old_lines_release(&la);
    rg__old_lines_release(&lb);
    free(ta);
    free(tb);
}

static void same_results(const struct rg_search_result *a, const struct rg_search_result *b)
{
    assert_int_equal(a->evaluations, b->evaluations);
    assert_int_equal(a->nodes, b->nodes);
    assert_true(a->naive_us == b->naive_us);
    assert_string_equal(a->source.cuda, b->source.cuda);
    assert_true(a->evaluation.time_us == b->evaluation.time_us);
    assert_true(a->evaluation.counters[0].value == b->evaluation.counters[0].value);
    assert_memory_equal(a->outcomes, b->outcomes, sizeof a->outcomes);
    same_rows(a->rows, a->n_rows, b->rows, b->n_rows);
}

static struct fake_world stochastic_world(void)
{
    struct fake_world w = journal_world();
    w.stochastic = true;
    w.fail_samples = 1;
    w.e[2].instead = "d"; /* some of its answers are of another step than was asked for */
    return w;
}

/* policy, actions in flight, and a coder that samples, whose failures come from the journal */
static bool measured; /* the worlds': the fastest meet again in the closing section */

static const char *in_order[] = {"as_they_end=0"};

static void cut_everywhere(const char *policy, int in_flight, bool samples, int evals)
{
    struct rg_search_options o = fake_options();
    struct rg_search_result whole, part;
    struct rg_error err = RG_ERROR_INIT;
    struct fake_world w = samples ? stochastic_world() : journal_world();
    w.measured = measured;
    o.policy = policy;
    o.in_flight = in_flight;
    o.evals = evals;
    o.constants = in_order;
    o.n_constants = 1;
    o.journal = journal_path;
    unlink(journal_path);
    w.shuffle = in_flight > 1 ? 5 : 0;
    assert_int_equal(journal_run(&w, &o, &whole, &err), RG_OK);
    int fresh = w.submitted;
    size_t len;
    char *text = slurp(journal_path, &len);
    o.journal = other_path;
    o.resume = true;
    o.run_id = "another"; /* the journal's own wins */
    int line = 0;
    for (size_t at = 0; at <= len; at++) {
        if (at < len && text[at] != '\n') continue;
        line++;
        /* after the line; and for every third, in the middle of the next one */
        size_t cut = at < len ? at + 1 : len;
        if (line % 3 == 0 && cut + 9 < len) cut += 9;
        spill(other_path, text, cut);
        w = samples ? stochastic_world() : journal_world();
        w.measured = measured;
        w.shuffle = in_flight > 1 ? 99 + (uint64_t)line : 0;
        enum rg_status st = journal_run(&w, &o, &part, &err);
        if (st != RG_OK) print_error("cut after line %d: %s\n", line, err.text);
        assert_int_equal(st, RG_OK);
        assert_true(w.submitted <= fresh + 4 * in_flight);
        if (at == len && in_flight == 1) assert_int_equal(w.submitted, w.agains); /* the closing section's */
        if (line > 1) {
            same_results(&whole, &part);
            same_journals(journal_path, other_path);
        }
        rg_search_result_release(&part);
    }
    assert_true(line > 50);
    free(text);
    rg_search_result_release(&whole);
}

static void test_cut_mcgs(void **state)
{
    cut_everywhere("mcgs", 1, false, 40);
}
static void test_cut_in_flight(void **state)
{
    cut_everywhere("mcgs", 3, false, 40);
}
static void test_cut_random(void **state)
{
    cut_everywhere("random", 2, false, 40);
}
static void test_cut_best_of_n(void **state)
{
    cut_everywhere("best-of-n", 1, false, 30);
}
static void test_cut_samples(void **state)
{
    cut_everywhere("mcgs", 2, true, 40);
}
static void test_cut_beam(void **state)
{
    cut_everywhere("beam", 2, false, 40);
}
static void test_cut_measured(void **state)
{
    measured = true;
    cut_everywhere("mcgs", 2, false, 40);
    measured = false;
}

static struct rg_search_options as_they_end(const char *journal)
{
    struct rg_search_options o = fake_options();
    o.policy = "mcgs";
    o.in_flight = 4;
    o.evals = 60;
    o.journal = journal;
    unlink(journal);
    return o;
}

/* On a device that measures, whoever ends first is committed first, and the journal says who that was: a run that goes
 * on takes the same course as far as the journal goes, though answers come in another order now. */
static void test_cut_as_they_end(void **state)
{
    struct rg_search_options o = as_they_end(journal_path);
    struct rg_search_result whole, part;
    struct rg_error err = RG_ERROR_INIT;
    struct fake_world w = journal_world();
    w.measured = true;
    w.shuffle = 5;
    assert_int_equal(journal_run(&w, &o, &whole, &err), RG_OK);
    size_t len, n;
    char *text = slurp(journal_path, &len);
    const char *end = strstr(text, "{\"line\":\"end\"");
    assert_non_null(end);
    int actions[64], n_actions = 0, turned = 0;
    for (const char *at = text; (at = strstr(at, "{\"line\":\"action\",\"a\":")) && at < end && n_actions < 64; at++)
        actions[n_actions++] = atoi(at + strlen("{\"line\":\"action\",\"a\":"));
    for (int i = 1; i < n_actions; i++) turned += actions[i] < actions[i - 1];
    assert_true(turned > 3); /* else this tests nothing */
    o.resume = true;
    int line = 0;
    for (const char *at = text; at < end; at++) {
        if (*at != '\n') continue;
        line++;
        if (line % 5 && at + 1 < end) continue;
        spill(other_path, text, (size_t)(at + 1 - text));
        o.journal = other_path;
        w = journal_world();
        w.measured = true;
        w.shuffle = 99 + (uint64_t)line;
        enum rg_status st = journal_run(&w, &o, &part, &err);
        if (st != RG_OK) fail_msg("cut after line %d: %s", line, err.text);
        assert_int_equal(part.evaluations, 60);
        char *other = slurp(other_path, &n);
        assert_memory_equal(text, other, (size_t)(at + 1 - text));
        free(other);
        if (at + 1 == end) {
            assert_true(whole.nodes == part.nodes && whole.naive_us == part.naive_us);
            same_rows(whole.rows, whole.n_rows, part.rows, part.n_rows);
        }
        rg_search_result_release(&part);
    }
    free(text);
    rg_search_result_release(&whole);
}

/* One evaluation that lasts does not keep the others from being used, nor the search from going on. */
static void test_one_that_lasts(void **state)
{
    int at[2];
    for (int k = 0; k < 2; k++) {
        struct rg_search_options o = as_they_end(journal_path);
        struct rg_search_result r;
        struct rg_error err = RG_ERROR_INIT;
        struct fake_world w = journal_world();
        w.measured = true;
        w.held_mask = 1 << 2; /* "c" alone */
        o.constants = in_order;
        o.n_constants = k;
        assert_int_equal(journal_run(&w, &o, &r, &err), RG_OK);
        assert_true(w.held_id != 0);
        at[k] = w.held_id > 0 ? w.evaluated : w.at_release; /* the budget may be spent before */
        rg_search_result_release(&r);
    }
    if (at[0] < 2 * at[1]) fail_msg("%d evaluations beside it, %d in order", at[0], at[1]);
}

static int stop_flag;

/* Stopped by the user, resumed, stopped, resumed: the same as one run. A larger budget continues a finished run. */
static void test_stop_and_extend(void **state)
{
    struct rg_search_options o = fake_options();
    struct rg_search_result whole, part;
    struct rg_error err = RG_ERROR_INIT;
    struct fake_world w = journal_world();
    o.evals = 60;
    o.journal = journal_path;
    unlink(journal_path);
    unlink(other_path);
    assert_int_equal(journal_run(&w, &o, &whole, &err), RG_OK);
    o.journal = other_path;
    o.resume = true; /* of nothing: starts */
    for (int k = 0; k < 6; k++) {
        volatile int after = 9;
        stop_flag = 0;
        w = journal_world();
        w.stop_after = &after;
        w.stop = &stop_flag;
        o.stop = &stop_flag;
        assert_int_equal(journal_run(&w, &o, &part, &err), RG_OK);
        assert_true(part.stopped || part.evaluations == 60);
        rg_search_result_release(&part);
    }
    o.stop = NULL;
    for (int evals = 61; evals >= 60; evals--) {
        o.evals = evals == 61 ? 41 : 60; /* fewer than are in the journal, then all */
        w = journal_world();
        assert_int_equal(journal_run(&w, &o, &part, &err), RG_OK);
        assert_int_equal(part.evaluations, o.evals);
        if (evals == 60) same_results(&whole, &part);
        rg_search_result_release(&part);
    }
    same_journals(journal_path, other_path);
    rg_search_result_release(&whole);
}

static void expect_refusal(struct rg_search_options o, struct fake_world w, const char *text)
{
    struct rg_search_result r;
    struct rg_error err = RG_ERROR_INIT;
    size_t before, after;
    free(slurp(journal_path, &before));
    o.resume = true;
    assert_int_equal(journal_run(&w, &o, &r, &err), RG_INPUT);
    if (!strstr(err.text, text)) print_error("%s\n", err.text);
    assert_non_null(strstr(err.text, text));
    free(slurp(journal_path, &after));
    assert_int_equal(before, after); /* what is there stays */
    rg_search_result_release(&r);
}

static void test_other_run_is_refused(void **state)
{
    struct rg_search_options o = fake_options();
    struct rg_search_result r;
    struct rg_error err = RG_ERROR_INIT;
    struct fake_world w = journal_world();
    o.journal = journal_path;
    unlink(journal_path);
    assert_int_equal(journal_run(&w, &o, &r, &err), RG_OK);
    rg_search_result_release(&r);
    o.seed = 2;
    expect_refusal(o, journal_world(), "cannot be resumed");
    o.seed = 1;
    o.policy = "random";
    expect_refusal(o, journal_world(), "cannot be resumed");
    o.policy = "mcgs";
    w = journal_world();
    w.e[3].best = 0; /* the coder makes other templates now */
    expect_refusal(o, w, "cannot be resumed");
    w = journal_world();
    w.n = 5; /* another graph */
    expect_refusal(o, w, "cannot be resumed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_mcgs),
        cmocka_unit_test(test_cut_in_flight),
        cmocka_unit_test(test_cut_random),
        cmocka_unit_test(test_cut_best_of_n),
        cmocka_unit_test(test_cut_samples),
        cmocka_unit_test(test_cut_beam),
        cmocka_unit_test(test_cut_measured),
        cmocka_unit_test(test_cut_as_they_end),
        cmocka_unit_test(test_one_that_lasts),
        cmocka_unit_test(test_stop_and_extend),
        cmocka_unit_test(test_other_run_is_refused),
    };
    return cmocka_run_group_tests(tests, journal_setup, journal_teardown);
}
