/* Runs of the fake world with a journal, and what the tests do to the file. */
#ifndef RG_TESTS_JOURNAL_FIXTURE_H
#define RG_TESTS_JOURNAL_FIXTURE_H
#include "engine/journal.h"
#include "fake_world.h"
#include <rg/file.h>
#include <unistd.h>

static inline struct fake_world journal_world(void)
{
    return (struct fake_world){.base_us = 1000,
                               .n = 6,
                               .noise = 0.03,
                               .e = {{.id = "parallelize", .factor = 0.9, .best = 4},
                                     {.id = "b", .factor = 0.3, .needs = "parallelize"},
                                     {.id = "c", .factor = 0.7},
                                     {.id = "d", .factor = 0.8, .best = 8},
                                     {.id = "e", .factor = 1.5, .noop = true},
                                     {.id = "f", .factor = 0.5, .outcome = RG_OUTCOME_WRONG}}};
}

static char journal_dir[64], journal_path[96], other_path[96];

static int journal_setup(void **state)
{
    strcpy(journal_dir, "/tmp/rg-journal-XXXXXX");
    if (!mkdtemp(journal_dir)) return -1;
    snprintf(journal_path, sizeof journal_path, "%s/journal.jsonl", journal_dir);
    snprintf(other_path, sizeof other_path, "%s/other.jsonl", journal_dir);
    return 0;
}

static int journal_teardown(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", journal_dir);
    return system(command);
}

static enum rg_status journal_run(struct fake_world *w, const struct rg_search_options *o, struct rg_search_result *r,
                                  struct rg_error *err)
{
    struct rg_regraph *g = fake_graph(w, NULL);
    struct rg_coder c = fake_coder(w), *coders[] = {&c};
    struct rg_evaluator ev = fake_evaluator(w);
    enum rg_status st = rg_search_run(o, g, coders, 1, &ev, r, err);
    for (int i = 0; i < w->n_answers; i++) rg_template_unref(w->answers[i].tmpl);
    w->n_answers = w->n_results = 0;
    rg_regraph_free(g);
    return st;
}

static char *slurp(const char *path, size_t *len)
{
    char *text;
    struct rg_error err = RG_ERROR_INIT;
    if (rg_file_read(path, 0, &text, len, &err) != RG_OK) fail_msg("%s", err.text);
    return text;
}

static inline void spill(const char *path, const char *text, size_t len)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, len, f), len);
    fclose(f);
}

static void same_rows(const struct rg_search_row *a, int na, const struct rg_search_row *b, int nb)
{
    assert_int_equal(na, nb);
    for (int i = 0; i < na; i++) {
        assert_int_equal(a[i].edge, b[i].edge);
        assert_string_equal(a[i].row.device, b[i].row.device);
        assert_string_equal(a[i].row.klass, b[i].row.klass);
        assert_string_equal(a[i].row.coder, b[i].row.coder);
        assert_string_equal(a[i].row.run, b[i].row.run);
        assert_int_equal(a[i].row.n, b[i].row.n);
        assert_int_equal(a[i].row.ok, b[i].row.ok);
        assert_int_equal(a[i].row.sum, b[i].row.sum);
        assert_int_equal(a[i].row.sumsq, b[i].row.sumsq);
        assert_true(a[i].row.max == b[i].row.max);
        assert_memory_equal(a[i].row.fail, b[i].row.fail, sizeof a[i].row.fail);
        assert_int_equal(a[i].row.lead, b[i].row.lead);
        assert_int_equal(a[i].row.n_tuned, b[i].row.n_tuned);
        for (int k = 0; k < a[i].row.n_tuned; k++) {
            assert_string_equal(a[i].row.tuned[k].name, b[i].row.tuned[k].name);
            assert_int_equal(a[i].row.tuned[k].value, b[i].row.tuned[k].value);
            assert_int_equal(a[i].row.tuned[k].count, b[i].row.tuned[k].count);
        }
    }
}
#endif
