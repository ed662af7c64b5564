/* What a run does at its end: the best's neighbours are tried, and the fastest candidates of a measured run meet once
 * more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "journal_fixture.h"

/* a halves the time; b and c are worth 1 and 2 %, less than the noise of a single measurement. */
static struct fake_world close_world(uint64_t noise_seed)
{
    return (struct fake_world){
        .base_us = 1000,
        .n = 3,
        .measured = true,
        .noise = 0.04,
        .noise_seed = noise_seed,
        .e = {{.id = "a", .factor = 0.5}, {.id = "b", .factor = 0.99}, {.id = "c", .factor = 0.98}}};
}

static const char *const fastest = "\n7 "; /* all three steps, in a candidate's text */

static struct rg_search_result run(struct fake_world *w, const struct rg_search_options *o)
{
    struct rg_search_result r;
    struct rg_error err = RG_ERROR_INIT;
    if (journal_run(w, o, &r, &err) != RG_OK) fail_msg("%s", err.text);
    return r;
}

static void test_winner_is_best(void **state)
{
    int with = 0, without = 0, runs = 30, better = 0;
    for (int i = 0; i < runs; i++) {
        struct rg_search_options o = fake_options();
        struct fake_world w = close_world((uint64_t)i);
        struct rg_search_result r = run(&w, &o);
        with += strstr(r.source.cuda, fastest) != NULL;
        better += w.duels;
        assert_true(w.agains <= 12);
        rg_search_result_release(&r);
        w = close_world((uint64_t)i);
        w.measured = false;
        r = run(&w, &o);
        without += strstr(r.source.cuda, fastest) != NULL;
        better -= w.duels;
        rg_search_result_release(&r);
    }
    assert_int_equal(with, runs);
    assert_true(without < runs); /* else this shows nothing */
    assert_true(better > runs);  /* duels that a model's estimates have no need of */
}

/* Its lines stand behind the end, evidence is that of the journal, and another session holds them anew. */
static void test_in_closing_section(void **state)
{
    static const char *const set[] = {"minimal_share=0"}; /* that is another part of it */
    struct rg_search_options o = fake_options();
    o.constants = set;
    o.n_constants = 1;
    struct fake_world w = close_world(3);
    o.journal = journal_path;
    unlink(journal_path);
    struct rg_search_result r = run(&w, &o);
    size_t len;
    char *text = slurp(journal_path, &len), *end = strstr(text, "{\"line\":\"end\"");
    assert_non_null(end);
    assert_null(strstr(text, "\"final\",") && strstr(text, "\"final\",") < end ? text : NULL);
    char *first = strstr(end, "\"purpose\":\"final\"");
    assert_non_null(first);
    assert_non_null(strstr(first, "\"line\":\"duel\""));
    int n = 0;
    for (const char *p = first; p; p = strstr(p + 1, "\"purpose\":\"final\"")) n++;
    assert_true(n >= 1 && n <= 4); /* four, the best among them, and naive */
    struct rg_regraph *g = fake_graph(&w, NULL);
    struct rg_search_row *rows;
    struct rg_error err = RG_ERROR_INIT;
    if (rg_journal_evidence(journal_path, g, &rows, &n, &err) != RG_OK) fail_msg("%s", err.text);
    same_rows(r.rows, r.n_rows, rows, n);
    rg_search_rows_free(rows, n);
    rg_regraph_free(g);
    free(text);
    struct fake_world again = close_world(3);
    o.resume = true;
    struct rg_search_result s = run(&again, &o);
    assert_int_equal(again.submitted, again.agains); /* nothing but the finalists */
    assert_string_equal(r.source.cuda, s.source.cuda);
    assert_true(r.evaluation.time_us == s.evaluation.time_us);
    rg_search_result_release(&s);
    rg_search_result_release(&r);
}

/* Single measurements are off by 12 %, candidates differ from naive by 4 to 8 %: what is reported of the two comes from
 * the runs in which they took turns, and never has the best behind naive. */
static void test_never_behind_naive(void **state)
{
    int crossed = 0, kept = 0;
    for (int i = 0; i < 40; i++) {
        struct rg_search_options o = fake_options();
        struct fake_world w = close_world((uint64_t)i);
        w.noise = 0.12;
        w.duel_noise = i % 2 ? 0.12 : 0;
        w.e[0].factor = 0.95;
        w.e[1].factor = w.e[2].factor = 0.96;
        o.journal = journal_path;
        o.resume = false;
        unlink(journal_path);
        struct rg_search_result r = run(&w, &o);
        if (!(r.evaluation.time_us <= r.naive_us))
            fail_msg("run %d: %g us, naive %g", i, r.evaluation.time_us, r.naive_us);
        size_t len;
        char *text = slurp(journal_path, &len), *final = strstr(text, "{\"line\":\"final\""),
             *paired = strstr(final, "\"paired_us\"");
        if (paired) {
            crossed += atof(strstr(final, "\"time_us\":") + 10) > atof(strstr(final, "\"naive_us\":") + 11);
            kept += r.evaluation.time_us == r.naive_us;
        }
        free(text);
        struct fake_world again = w;
        o.resume = true;
        struct rg_search_result s = run(&again, &o);
        assert_true(s.evaluation.time_us == r.evaluation.time_us && s.naive_us == r.naive_us);
        rg_search_result_release(&s);
        rg_search_result_release(&r);
    }
    assert_true(crossed > 2 && kept > 0); /* else this shows nothing */
}

/* One that does not verify a second time has no part in it. */
static void test_wrong_finalist(void **state)
{
    int met = 0;
    for (int i = 0; i < 20; i++) {
        struct rg_search_options o = fake_options();
        struct fake_world w = close_world((uint64_t)i);
        w.again_fails = true;
        w.again_fails_at = fastest;
        struct rg_search_result r = run(&w, &o);
        assert_null(strstr(r.source.cuda, fastest));
        met += w.duels;
        rg_search_result_release(&r);
    }
    assert_true(met > 0);
}

/* What was believed while candidates were compared with something wrong is verified again; what fails then is not the
 * best, however fast. */
static void test_overruled(void **state)
{
    for (int overruled = 0; overruled < 2; overruled++)
        for (int all = 0; all < 2; all++) {
            struct rg_search_options o = fake_options();
            struct fake_world w = close_world(2);
            w.noise = 0;
            w.overruled = overruled;
            w.again_fails_at = all ? NULL : fastest;
            o.journal = journal_path;
            unlink(journal_path);
            struct rg_search_result r = run(&w, &o);
            if (overruled && all)
                assert_null(r.best);
            else
                assert_true(r.best && (strstr(r.source.cuda, fastest) == NULL) == overruled &&
                            r.evaluation.outcome == RG_OUTCOME_OK);
            struct rg_regraph *g = fake_graph(&w, NULL);
            struct rg_search_row *rows;
            struct rg_error err = RG_ERROR_INIT;
            int n;
            if (rg_journal_evidence(journal_path, g, &rows, &n, &err) != RG_OK) fail_msg("%s", err.text);
            same_rows(r.rows, r.n_rows, rows, n);
            rg_search_rows_free(rows, n);
            rg_regraph_free(g);
            rg_search_result_release(&r);
        }
}

/* Races are looked for at the end, of the winner alone; where it has one, of the next. */
static void test_winner_is_looked_at(void **state)
{
    for (int races = 0; races < 2; races++) {
        struct rg_search_options o = fake_options();
        struct fake_world w = close_world(2);
        w.looks = true;
        w.noise = 0;
        w.races_at = races ? fastest : NULL;
        o.journal = journal_path;
        unlink(journal_path);
        struct rg_search_result r = run(&w, &o);
        assert_true(r.best && r.evaluation.outcome == RG_OUTCOME_OK);
        assert_true((strstr(r.source.cuda, fastest) == NULL) == races);
        assert_int_equal(w.n_looked, 1 + races);
        assert_true(w.contend == 1.25); /* nobody set it otherwise */
        struct rg_regraph *g = fake_graph(&w, NULL);
        struct rg_search_row *rows;
        struct rg_error err = RG_ERROR_INIT;
        int n;
        if (rg_journal_evidence(journal_path, g, &rows, &n, &err) != RG_OK) fail_msg("%s", err.text);
        same_rows(r.rows, r.n_rows, rows, n);
        rg_search_rows_free(rows, n);
        rg_regraph_free(g);
        rg_search_result_release(&r);
    }
}

static double hardware(const struct rg_evaluation *e)
{
    return rg_evaluation_counter(e, "hw_length");
}

/* The device's own counters: of the best, at the end; of every new best where a coder may be a model. A resumed run
 * takes them from its journal. */
static void test_own_counters(void **state)
{
    for (int k = 0; k < 4; k++) {
        bool model = k & 1, none = k & 2;
        struct rg_search_options o = fake_options();
        struct fake_world w = close_world(5);
        w.tells = none ? 2 : 1;
        w.stochastic = model;
        o.journal = journal_path;
        o.evals = 12;
        static const char *const any[] = {"profile_first=0", "profile_share=1e6"};
        o.constants = any;
        o.n_constants = 2;
        unlink(journal_path);
        struct rg_search_result r = run(&w, &o);
        size_t len;
        char *text = slurp(journal_path, &len), *end = strstr(text, "{\"line\":\"end\""),
             *first = strstr(text, "{\"line\":\"counters\"");
        assert_true(w.profiled >= 1 && (w.profiled > 1 || !model || none));
        if (none)
            assert_true(isnan(hardware(&r.evaluation)) && !first);
        else
            assert_true(hardware(&r.evaluation) == (double)strlen(r.source.cuda) && first && (first < end) == model);
        if (first) assert_non_null(strstr(first, "\"source\":\""));
        int before = w.profiled;
        struct fake_world again = close_world(5);
        again.tells = w.tells;
        again.stochastic = model;
        o.resume = true;
        struct rg_search_result s = run(&again, &o);
        assert_true(none ? isnan(hardware(&s.evaluation)) : hardware(&s.evaluation) == hardware(&r.evaluation));
        assert_true(again.profiled <= before &&
                    (none || again.profiled <= 1)); /* what the closing section had is asked for anew */
        again = close_world(5);                     /* and where it tells nothing now, the run still goes on */
        again.stochastic = model;
        struct rg_search_result u = run(&again, &o);
        assert_string_equal(u.source.cuda, r.source.cuda);
        free(text);
        rg_search_result_release(&r);
        rg_search_result_release(&s);
        rg_search_result_release(&u);
    }
}

/* Reading them takes seconds of the device: in a short run no candidate waits for that, only the end does. */
static void test_counters_have_a_share(void **state)
{
    for (int k = 0; k < 2; k++) {
        static const char *const quick[] = {"profile_first=0", "profile_share=1e6"};
        struct rg_search_options o = fake_options();
        struct fake_world w = close_world(5);
        w.tells = 1;
        w.stochastic = true;
        o.evals = 12;
        o.constants = quick;
        o.n_constants = k ? 2 : 0;
        struct rg_search_result r = run(&w, &o);
        assert_true(k ? w.profiled > 1 : w.profiled == 1);
        assert_true(hardware(&r.evaluation) == (double)strlen(r.source.cuda));
        rg_search_result_release(&r);
    }
}

/* Whoever stops a run does not wait for duels. */
static void test_not_when_stopped(void **state)
{
    struct rg_search_options o = fake_options();
    struct fake_world w = close_world(1);
    volatile int stop = 0, after = 6;
    w.stop_after = &after;
    w.stop = (int *)(uintptr_t)&stop;
    o.stop = &stop;
    o.journal = journal_path;
    unlink(journal_path);
    struct rg_search_result r = run(&w, &o);
    assert_true(r.stopped);
    size_t len;
    char *text = slurp(journal_path, &len);
    assert_null(strstr(text, "\"purpose\":\"final\""));
    free(text);
    rg_search_result_release(&r);
}

/* Out of patience: whatever the best candidate still offered was tried. */
static void test_lingers_at_the_best(void **state)
{
    int lingered = 0, whole = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct rg_search_options o = fake_options();
        struct fake_world w = journal_world();
        w.noise = 0;
        o.seed = seed;
        o.patience = 12;
        o.evals = 0;
        o.in_flight = 1 + (int)seed % 3;
        o.journal = journal_path;
        unlink(journal_path);
        struct rg_search_result r = run(&w, &o);
        size_t len;
        char *text = slurp(journal_path, &len), *end = strstr(text, "{\"line\":\"end\""),
             *final = strstr(text, "{\"line\":\"final\""), mark[64];
        assert_non_null(strstr(end, "\"patience\""));
        lingered += strstr(end, "\"purpose\":\"linger\"") != NULL;
        assert_null(strstr(text, "\"purpose\":\"linger\"") && strstr(text, "\"purpose\":\"linger\"") < end ? text
                                                                                                           : NULL);
        bool spent = r.evaluations - atoi(strstr(end, "\"evaluations\":") + 14) >= o.patience / 2;
        whole += !spent;
        int node = atoi(strstr(final, "\"node\":") + 7);
        snprintf(mark, sizeof mark, "\"parent\":%d,\"step\":", node);
        for (int i = 0; i < w.n; i++) {
            char step[100];
            snprintf(step, sizeof step, "%s\"%s\"", mark, w.e[i].id);
            bool applied = false;
            for (int k = 0; k < r.best->n_chain; k++) applied = applied || !strcmp(r.best->chain[k].step, w.e[i].id);
            if (!applied && !spent && !strstr(text, step))
                fail_msg("seed %d: %s was not tried at the best", (int)seed, w.e[i].id);
        }
        struct rg_regraph *g = fake_graph(&w, NULL);
        struct rg_search_row *rows;
        struct rg_error err = RG_ERROR_INIT;
        int n;
        if (rg_journal_evidence(journal_path, g, &rows, &n, &err) != RG_OK) fail_msg("%s", err.text);
        same_rows(r.rows, r.n_rows, rows, n);
        rg_search_rows_free(rows, n);
        rg_regraph_free(g);
        free(text);
        rg_search_result_release(&r);
    }
    assert_true(lingered > 2 && whole > 2);
}

/* More patience in another session: it goes on from where it was out, as if it had never been. */
static void test_more_patience(void **state)
{
    struct rg_search_options o = fake_options();
    struct fake_world w = journal_world();
    o.evals = 0;
    o.patience = 10;
    o.in_flight = 2;
    o.journal = journal_path;
    unlink(journal_path);
    struct rg_search_result r = run(&w, &o);
    rg_search_result_release(&r);
    o.resume = true;
    o.patience = 40;
    w = journal_world();
    r = run(&w, &o);
    o.resume = false;
    o.journal = other_path;
    unlink(other_path);
    w = journal_world();
    struct rg_search_result s = run(&w, &o);
    assert_string_equal(r.source.cuda, s.source.cuda);
    assert_int_equal(r.evaluations, s.evaluations);
    same_rows(r.rows, r.n_rows, s.rows, s.n_rows);
    rg_search_result_release(&r);
    rg_search_result_release(&s);
}

/* What was verified when a run ends is what it may end with, whatever its action was about: stopped after any
 * evaluation, or out of time there. */
static int stop_flag;

struct clock {
    struct rg_search_options *o;
    int at;
};

static const double began_ago = 100;

static void run_out(void *arg, const struct rg_search_progress *p)
{
    const struct clock *c = arg;
    if (p->evaluations >= c->at) c->o->seconds = began_ago; /* the search is over, what ends it is not */
}

static void test_unfinished_action_counts(void **state)
{
    int better = 0, agains = 0;
    for (int k = 0; k < 4 * 20; k++) {
        struct fake_world w = {.base_us = 1000,
                               .n = 2,
                               .e = {{.id = "a", .factor = 0.9}, {.id = "b", .factor = 0.1, .best = 8, .start = 1}}};
        struct rg_search_options o = fake_options();
        volatile int after = 1 + k / 4;
        struct clock c = {&o, 1 + k / 4};
        stop_flag = 0;
        o.in_flight = k & 1 ? 3 : 1;
        o.journal = journal_path;
        unlink(journal_path);
        if (k & 2) {
            o.began = rg_now() - began_ago;
            o.seconds = 10 * began_ago;
            o.progress = run_out;
            o.progress_arg = &c;
        } else {
            w.stop_after = &after;
            w.stop = &stop_flag;
            o.stop = &stop_flag;
        }
        struct rg_search_result r = run(&w, &o);
        size_t len;
        char *text = slurp(journal_path, &len), *end = strstr(text, "{\"line\":\"end\"");
        double least = 0;
        for (char *p = text; (p = strstr(p, "{\"line\":\"eval\"")) != NULL; p++) {
            double us = atof(strstr(p, "\"time_us\":") + 10);
            least = least > 0 && least < us ? least : us;
        }
        assert_non_null(end);
        assert_true((r.best != NULL) == (least > 0));
        if (r.best) assert_true(r.evaluation.time_us == least);
        better += strstr(end, "\"line\":\"result\"") != NULL;
        agains += k & 2 && strstr(end, "\"line\":\"again\"");
        free(text);
        rg_search_result_release(&r);
    }
    assert_true(better > 10); /* else this shows nothing */
    assert_true(agains > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_winner_is_best),      cmocka_unit_test(test_in_closing_section),
        cmocka_unit_test(test_never_behind_naive),  cmocka_unit_test(test_wrong_finalist),
        cmocka_unit_test(test_overruled),           cmocka_unit_test(test_winner_is_looked_at),
        cmocka_unit_test(test_own_counters),        cmocka_unit_test(test_counters_have_a_share),
        cmocka_unit_test(test_not_when_stopped),    cmocka_unit_test(test_unfinished_action_counts),
        cmocka_unit_test(test_lingers_at_the_best), cmocka_unit_test(test_more_patience),
    };
    return cmocka_run_group_tests(tests, journal_setup, journal_teardown);
}
