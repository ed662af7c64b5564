/* The journal: what is in it, evidence rebuilt from it, a full disk, foreign bytes, learning. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "journal_fixture.h"
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/words.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_evidence_is_rebuilt(void **state)
{
    static const char *const policies[] = {"mcgs", "uct",       "random", "greedy",
                                           "beam", "best-of-n", "refine", "exhaustive"};
    for (size_t p = 0; p < sizeof policies / sizeof *policies; p++)
        for (int in_flight = 1; in_flight <= 3; in_flight += 2) {
            struct fake_world w = journal_world();
            struct rg_search_options o = fake_options();
            struct rg_search_result r;
            struct rg_search_row *rows;
            struct rg_error err = RG_ERROR_INIT;
            int n;
            w.stochastic = in_flight == 3;
            w.e[2].instead = w.stochastic ? "d" : NULL; /* credits go elsewhere than the action line says */
            unlink(journal_path);
            o.policy = policies[p];
            o.in_flight = in_flight;
            o.journal = journal_path;
            o.evals = 37; /* cuts an action */
            assert_int_equal(journal_run(&w, &o, &r, &err), RG_OK);
            struct rg_regraph *g = fake_graph(&w, NULL);
            assert_int_equal(rg_journal_evidence(journal_path, g, &rows, &n, &err), RG_OK);
            assert_true(n > 0);
            same_rows(r.rows, r.n_rows, rows, n);
            for (int i = 0; i < n; i++) /* the regraph takes every row */
                assert_int_equal(rg_regraph_learn(g, rows[i].edge, &rows[i].row, &err), RG_OK);
            rg_search_rows_free(rows, n);
            rg_search_result_release(&r);
            rg_regraph_free(g);
        }
}

/* Traits stand by their words; a journal of an earlier version has them as bits, and is resumed as it is. */
static void test_traits(void **state)
{
    static const char words[] = "\"traits\":[\"loop\",\"stencil\"]";
    struct fake_world w = journal_world();
    struct rg_search_options o = fake_options();
    struct rg_search_result r;
    struct rg_error err = RG_ERROR_INIT;
    o.journal = journal_path;
    o.evals = 5;
    o.traits = RG_TRAIT_LOOP | RG_TRAIT_STENCIL;
    unlink(journal_path);
    assert_int_equal(journal_run(&w, &o, &r, &err), RG_OK);
    rg_search_result_release(&r);
    size_t n;
    char *text = slurp(journal_path, &n), *at = strstr(text, words);
    assert_non_null(at);
    char *older = rg_xasprintf("%.*s\"traits\":%u%s", (int)(at - text), text, o.traits, at + strlen(words));
    assert_int_equal(rg_file_write(journal_path, older, strlen(older), &err), RG_OK);
    o.resume = true;
    o.evals = 10;
    w = journal_world();
    assert_int_equal(journal_run(&w, &o, &r, &err), RG_OK);
    rg_search_result_release(&r);
    free(text);
    text = slurp(journal_path, &n);
    assert_null(strstr(text, words));
    assert_true(n > strlen(older));
    free(older);
    free(text);
}

static void test_refuses_existing(void **state)
{
    struct fake_world w = journal_world();
    struct rg_search_options o = fake_options();
    struct rg_search_result r;
    struct rg_error err = RG_ERROR_INIT;
    o.journal = journal_path;
    o.evals = 5;
    unlink(journal_path);
    assert_int_equal(journal_run(&w, &o, &r, &err), RG_OK);
    rg_search_result_release(&r);
    size_t before, after;
    free(slurp(journal_path, &before));
    assert_int_equal(journal_run(&w, &o, &r, &err), RG_INPUT);
    assert_non_null(strstr(err.text, "--resume"));
    rg_search_result_release(&r);
    free(slurp(journal_path, &after));
    assert_int_equal(before, after);
    rg_error_clear(&err);
    o.journal = "/nonexistent/dir/journal.jsonl";
    assert_int_equal(journal_run(&w, &o, &r, &err), RG_IO);
    assert_non_null(strstr(err.text, "/nonexistent/dir"));
    rg_search_result_release(&r);
}

/* The file may not grow beyond some size: whole lines stay, the error is told, the best so far is given. */
static void test_disk_full(void **state)
{
    struct rlimit old;
    getrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t size = 100; size < 30000; size = size * 5 / 4) {
        struct fake_world w = journal_world();
        struct rg_search_options o = fake_options();
        struct rg_search_result r;
        struct rg_error err = RG_ERROR_INIT;
        unlink(journal_path);
        o.journal = journal_path;
        struct rlimit now = {size, old.rlim_max};
        setrlimit(RLIMIT_FSIZE, &now);
        enum rg_status st = journal_run(&w, &o, &r, &err);
        setrlimit(RLIMIT_FSIZE, &old);
        assert_true(st == RG_IO || st == RG_OK);
        if (st == RG_IO) assert_non_null(strstr(err.text, "journal"));
        if (size > 12000) assert_non_null(r.best);
        rg_search_result_release(&r);
        size_t len;
        char *text = slurp(journal_path, &len);
        assert_true(len <= size);
        assert_true(len == 0 || text[len - 1] == '\n');
        struct rg__old_lines lines;
        assert_int_equal(rg__old_lines_parse(text, len, "j", &lines, &err), RG_OK);
        assert_int_equal(lines.bytes, len);
        rg__old_lines_release(&lines);
        free(text);
    }
}

static void refused(const char *text, const char *want, int line)
{
    struct fake_world w = journal_world();
    struct rg_regraph *g = fake_graph(&w, NULL);
    struct rg_search_row *rows;
    struct rg_error err = RG_ERROR_INIT;
    int n;
    enum rg_status st = rg__journal_evidence_text(text, strlen(text), "j", g, &rows, &n, &err);
    if (st != RG_INPUT || !strstr(err.text, want) || err.line != line)
        print_error("'%s': %d '%s' line %d\n", text, st, err.text, err.line);
    assert_int_equal(st, RG_INPUT);
    assert_non_null(strstr(err.text, want));
    assert_int_equal(err.line, line);
    assert_int_equal(n, 0);
    rg_regraph_free(g);
}

#define RUN "{\"line\":\"run\",\"run\":\"r\",\"device\":\"d\",\"class\":\"other\"}\n"

static void test_foreign_bytes(void **state)
{
    refused("", "empty", 0);
    refused("not json\n", "no journal line", 1);
    refused("{\"line\":\"action\"}\n", "starts with a line \"run\"", 1);
    refused("{\"x\":1}\n", "member \"line\"", 1);
    refused("[1]\n", "member \"line\"", 1);
    refused("{\"line\":\"run\"}\n", "needs run", 1);
    refused(RUN "{\"line\":\"action\",\"a\":99,\"parent\":0}\n", "its number", 2);
    refused(RUN "{\"line\":\"action\",\"a\":-1,\"parent\":0}\n", "its number", 2);
    refused(RUN "{\"line\":\"action\",\"a\":0,\"parent\":4294967295}\n", "its parent", 2);
    refused(RUN "{\"line\":\"result\",\"a\":0,\"node\":0,\"outcome\":\"ok\"}\n", "without its action", 2);
    refused(RUN "{\"line\":\"settled\",\"node\":7000000,\"outcome\":\"ok\"}\n", "number", 2);
    refused(RUN "{\"line\":\"settled\",\"node\":0,\"outcome\":\"splendid\"}\n", "outcome", 2);
    refused(RUN "{\"line\":\"naive\",\"time_us\":-4}\n", "positive", 2);
    refused(RUN "\xff\xfe\n", "no journal line", 2);
    refused(RUN RUN "{\n", "no journal line", 3);
}

/* What compilers and models print need not be UTF-8; it is journaled all the same. */
static void test_bad_utf8_is_kept_out(void **state)
{
    char text[] = "a\xff\xc3\x28\xe2\x82z\xf0\x9f\x98\x80\xed\xa0\x80\xc0\x80";
    rg__utf8_clean(text);
    assert_string_equal(text, "a?\?(?\?z\xf0\x9f\x98\x80?????");
}

/* A graph file learns; the same run twice changes nothing; one that cannot be locked leaves the rows beside it. */
static void test_learn(void **state)
{
    struct fake_world w = journal_world();
    struct rg_regraph *g = fake_graph(&w, NULL), *back;
    char graph[96], lock[128], pending[160];
    snprintf(graph, sizeof graph, "%s/g.json", journal_dir);
    snprintf(lock, sizeof lock, "%s.lock", graph);
    snprintf(pending, sizeof pending, "%s.pending-run1.json", graph);
    struct rg_error err = RG_ERROR_INIT;
    assert_int_equal(rg_regraph_save(g, graph, &err), RG_OK);
    struct rg_search_options o = fake_options();
    struct rg_search_result r;
    assert_int_equal(journal_run(&w, &o, &r, &err), RG_OK);
    assert_true(r.n_rows > 0);
    assert_true(r.edges_updated > 0 && r.edges_updated <= r.n_rows);

    mkdir(lock, 0777); /* no lock can be had */
    assert_int_equal(rg_search_learn(graph, r.rows, r.n_rows, g, &err), RG_IO);
    assert_non_null(strstr(err.text, pending));
    assert_true(rg_file_exists(pending));
    rg_error_clear(&err);
    assert_int_equal(rg_regraph_load(graph, &back, &err), RG_OK);
    for (int i = 0; i < rg_regraph_edges(back); i++) assert_int_equal(rg_regraph_edge(back, i)->n_evidence, 0);
    rg_regraph_free(back);

    rmdir(lock);
    assert_int_equal(rg_search_learn(graph, NULL, 0, g, &err), RG_OK); /* a later run brings them in */
    assert_false(rg_file_exists(pending));
    size_t once_len, twice_len;
    char *once = slurp(graph, &once_len);
    assert_int_equal(rg_search_learn(graph, r.rows, r.n_rows, g, &err), RG_OK);
    char *twice = slurp(graph, &twice_len);
    assert_int_equal(once_len, twice_len);
    assert_memory_equal(once, twice, once_len);
    assert_int_equal(rg_regraph_load(graph, &back, &err), RG_OK);
    int found = 0;
    for (int i = 0; i < rg_regraph_edges(back); i++) found += rg_regraph_edge(back, i)->n_evidence;
    assert_int_equal(found, r.n_rows);
    rg_regraph_free(back);
    free(once);
    free(twice);

    spill(graph, "{ broken", 8); /* somebody's editor: the rows are not lost, and the file is left as it is */
    assert_int_equal(rg_search_learn(graph, r.rows, r.n_rows, g, &err), RG_IO);
    assert_true(rg_file_exists(pending));
    rg_search_result_release(&r);
    rg_regraph_free(g);
}

/* A file of evidence tells all that a row says: what was declined alone, where and when the run was, and steps by the
 * names they had. */
static void test_evidence_file(void **state)
{
    struct fake_world w = journal_world();
    struct rg_regraph *g = fake_graph(&w, NULL);
    char path[96];
    snprintf(path, sizeof path, "%s/rows.json", journal_dir);
    struct rg_error err = RG_ERROR_INIT;
    const struct rg_search_row row = {.edge = 0,
                                      .row = {.device = "sm_90",
                                              .klass = "stencil",
                                              .program = "",
                                              .coder = "llm",
                                              .run = "r",
                                              .max = INT64_MIN,
                                              .refused = 3,
                                              .origin = {"2026-11-23", "0.1", "node7"}}};
    assert_int_equal(rg_evidence_save(path, &row, 1, g, &err), RG_OK);
    const struct rg_edge *e = rg_regraph_edge(g, 0);
    char *to = rg_xstrdup(rg_regraph_step(g, e->to)->id);
    assert_int_equal(rg_regraph_rename(g, to, "renamed.since", &err), RG_OK);
    int n;
    assert_int_equal(rg_evidence_join(g, path, false, &n, &err), RG_OK);
    assert_int_equal(n, 1);
    e = rg_regraph_edge(g, rg_regraph_find_edge(g, -1, rg_regraph_find(g, "renamed.since")));
    assert_int_equal(e->n_evidence, 1);
    assert_int_equal(e->evidence[0].refused, 3);
    assert_string_equal(e->evidence[0].origin.date, "2026-11-23");
    assert_string_equal(e->evidence[0].origin.machine, "node7");
    free(to);
    rg_regraph_free(g);
}

static int rows_of(const struct rg_regraph *g, const char *run)
{
    int n = 0;
    for (int i = 0; i < rg_regraph_edges(g); i++)
        for (int k = 0; k < rg_regraph_edge(g, i)->n_evidence; k++)
            n += !strcmp(rg_regraph_edge(g, i)->evidence[k].run, run);
    return n;
}

/* Many at once on one folder: each run's rows are in the graph, or beside it until a later run brings them in. */
static void test_many_learners(void **state)
{
    enum { LEARNERS = 32 };
    struct fake_world w = journal_world();
    struct rg_regraph *g = fake_graph(&w, NULL), *back;
    char graph[96], name[32];
    snprintf(graph, sizeof graph, "%s/many.json", journal_dir);
    struct rg_error err = RG_ERROR_INIT;
    struct rg_search_options o = fake_options();
    struct rg_search_result r;
    pid_t pids[LEARNERS];
    assert_int_equal(journal_run(&w, &o, &r, &err), RG_OK);
    assert_true(r.n_rows > 0);
    assert_int_equal(rg_regraph_save(g, graph, &err), RG_OK);
    for (int i = 0; i < LEARNERS; i++) {
        if ((pids[i] = fork()) != 0) continue;
        snprintf(name, sizeof name, "learner%d", i);
        for (int k = 0; k < r.n_rows; k++) r.rows[k].row.run = name;
        enum rg_status st = rg_search_learn(graph, r.rows, r.n_rows, g, NULL);
        _exit(st == RG_OK || st == RG_IO ? 0 : 1); /* RG_IO: left beside it */
    }
    for (int i = 0; i < LEARNERS; i++) {
        int status = -1;
        assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(rg_search_learn(graph, NULL, 0, g, &err), RG_OK);
    assert_int_equal(rg_regraph_load(graph, &back, &err), RG_OK);
    for (int i = 0; i < LEARNERS; i++) {
        snprintf(name, sizeof name, "learner%d", i);
        assert_int_equal(rows_of(back, name), r.n_rows);
    }
    rg_regraph_free(back);
    rg_search_result_release(&r);
    rg_regraph_free(g);
}

/* Learnt weights change the next run: it needs fewer evaluations. */
static void test_second_run_is_faster(void **state)
{
    double spent[2] = {0, 0};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct fake_world w = {.base_us = 1000,
                               .n = 8,
                               .e = {{.id = "a", .factor = 0.8},
                                     {.id = "b", .factor = 0.3, .needs = "a"},
                                     {.id = "c", .factor = 0.7},
                                     {.id = "d", .factor = 0.6, .needs = "b"},
                                     {.id = "e", .factor = 1.5},
                                     {.id = "f", .factor = 0.5, .outcome = RG_OUTCOME_WRONG},
                                     {.id = "g", .factor = 1.2},
                                     {.id = "h", .factor = 0.5, .outcome = RG_OUTCOME_RACE}}};
        struct rg_regraph *g = fake_graph(&w, NULL);
        struct rg_coder c = fake_coder(&w), *coders[] = {&c};
        struct rg_search_options o = fake_options();
        o.evals = 200;
        o.seed = seed;
        o.target_us = 101; /* a, b, c and d */
        for (int k = 0; k < 2; k++) {
            struct rg_evaluator ev = fake_evaluator(&w);
            struct rg_search_result r;
            assert_int_equal(rg_search_run(&o, g, coders, 1, &ev, &r, NULL), RG_OK);
            assert_true(r.evaluation.time_us <= o.target_us);
            spent[k] += r.evaluations;
            for (int i = 0; i < r.n_rows; i++) rg_regraph_learn(g, r.rows[i].edge, &r.rows[i].row, NULL);
            rg_search_result_release(&r);
            o.seed += 100;
            o.run_id = "run2";
        }
        rg_regraph_free(g);
    }
    print_message("evaluations: %.1f, then %.1f\n", spent[0] / 10, spent[1] / 10);
    assert_true(spent[1] < 0.7 * spent[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_evidence_is_rebuilt),
        cmocka_unit_test(test_traits),
        cmocka_unit_test(test_refuses_existing),
        cmocka_unit_test(test_disk_full),
        cmocka_unit_test(test_foreign_bytes),
        cmocka_unit_test(test_bad_utf8_is_kept_out),
        cmocka_unit_test(test_learn),
        cmocka_unit_test(test_evidence_file),
        cmocka_unit_test(test_many_learners),
        cmocka_unit_test(test_second_run_is_faster),
    };
    return cmocka_run_group_tests(tests, journal_setup, journal_teardown);
}
