/* What experts do to graphs: barring, removing, renaming, and what merges make of it; scores, chains and the schema. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <math.h>
#include <rg/regraph.h>
#include <rg/regraph_tools.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "{\"format\": \"regraph/1\", \"name\": \"t\", \"baseline\": [[{\"step\": \"a\"}]], \"steps\": ["
    "{\"id\": \"a\", \"title\": \"A\", \"category\": \"memory\"}, {\"id\": \"b\", \"title\": \"B\", \"category\": "
    "\"memory\"},"
    "{\"id\": \"c\", \"title\": \"C\", \"category\": \"tuning\"}], \"edges\": ["
    "{\"from\": \"@start\", \"to\": \"a\", \"prior\": 0.9, \"confidence\": 4}, {\"from\": \"@start\", \"to\": \"b\", "
    "\"prior\": 0.1, \"confidence\": 4},"
    "{\"from\": \"a\", \"to\": \"c\", \"prior\": 0.8, \"confidence\": 4, \"evidence\": [{\"device\": \"sm_90\", "
    "\"class\": \"stencil\","
    "\"coder\": \"poly\", \"run\": \"r1\", \"n\": 2, \"ok\": 2, \"sum\": 600000, \"sumsq\": 180000, \"max\": 300000, "
    "\"lead\": 1}]},"
    "{\"from\": \"b\", \"to\": \"c\", \"prior\": 0.8, \"confidence\": 4}]}";

static struct rg_regraph *graph(void)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_regraph *g = NULL;
    if (rg_regraph_parse(text, strlen(text), "t", &g, &err) != RG_OK) fail_msg("%s", err.text);
    return g;
}

static int edge(const struct rg_regraph *g, const char *from, const char *to)
{
    int f = strcmp(from, "@start") ? rg_regraph_find(g, from) : -1, t = rg_regraph_find(g, to);
    return t < 0 || (f < 0 && strcmp(from, "@start")) ? -1 : rg_regraph_find_edge(g, f, t);
}

static void test_rename_meets_old_name(void **state)
{
    struct rg_regraph *mine = graph(), *theirs = graph();
    struct rg_buf notes = RG_BUF_INIT;
    assert_int_equal(rg_regraph_rename(mine, "a", "z", NULL), RG_OK);
    int n;
    assert_string_equal(rg_regraph_baseline(mine, &n)->items[0].step, "z");
    const struct rg_evidence row = {
        .device = "sm_90", .klass = "stencil", .coder = "poly", .run = "r2", .n = 1, .max = INT64_MIN};
    assert_int_equal(rg_regraph_learn(theirs, edge(theirs, "a", "c"), &row, NULL), RG_OK);
    assert_int_equal(rg_regraph_merge(mine, theirs, &notes, NULL), RG_OK); /* a graph that knows the old name */
    assert_int_equal(rg_regraph_steps(mine), 3);
    assert_int_equal(rg_regraph_find(mine, "a"), -1);
    assert_int_equal(rg_regraph_edge(mine, edge(mine, "z", "c"))->n_evidence, 2);
    assert_int_equal(rg_regraph_merge(theirs, mine, &notes, NULL),
                     RG_OK); /* and one that learns the new name from the other */
    assert_true(edge(theirs, "z", "c") >= 0 && rg_regraph_find(theirs, "a") < 0);
    assert_string_equal(rg_regraph_now(theirs, "a"), "z");
    assert_int_equal(rg_regraph_rename(mine, "z", "a", NULL), RG_OK); /* back again */
    assert_string_equal(rg_regraph_now(mine, "a"), "a");
    assert_string_equal(rg_regraph_now(mine, "z"), "a");
    assert_int_equal(rg_regraph_rename(mine, "a", "b", NULL), RG_INPUT);
    assert_int_equal(rg_regraph_rename(mine, "a", "@start", NULL), RG_INPUT);
    rg_buf_release(&notes);
    rg_regraph_free(mine);
    rg_regraph_free(theirs);
}

static void test_removed_stays_removed(void **state)
{
    struct rg_regraph *mine = graph(), *theirs = graph(), *third = graph();
    struct rg_buf notes = RG_BUF_INIT;
    rg_regraph_sign(mine, "Ada", "2026-11-23", NULL);
    assert_int_equal(rg_regraph_remove_step(mine, "b", NULL), RG_OK);
    assert_int_equal(rg_regraph_remove_edge(mine, "a", "c", NULL), RG_OK);
    assert_int_equal(rg_regraph_merge(mine, theirs, &notes, NULL), RG_OK);
    assert_true(rg_regraph_find(mine, "b") < 0 && edge(mine, "a", "c") < 0);
    assert_non_null(strstr(notes.data, "step b: was removed here"));
    int n;
    const struct rg_removal *r = rg_regraph_removals(mine, &n);
    assert_int_equal(n, 2);
    assert_string_equal(r[0].author, "Ada");
    rg_buf_reset(&notes);
    assert_int_equal(rg_regraph_merge(theirs, mine, &notes, NULL), RG_OK); /* what theirs has stays */
    assert_true(rg_regraph_find(theirs, "b") >= 0 && edge(theirs, "a", "c") >= 0);
    assert_non_null(strstr(notes.data, "step b: kept, the other graph removed it"));
    rg_regraph_removals(theirs, &n);
    assert_int_equal(n, 0);
    assert_int_equal(rg_regraph_remove_step(third, "b", NULL),
                     RG_OK); /* a tombstone travels to a graph that has not the step */
    struct rg_regraph *fourth = NULL;
    static const char none[] = "{\"format\": \"regraph/1\", \"name\": \"t\", \"steps\": [], \"edges\": []}";
    assert_int_equal(rg_regraph_parse(none, strlen(none), "n", &fourth, NULL), RG_OK);
    assert_int_equal(rg_regraph_merge(fourth, third, &notes, NULL), RG_OK);
    assert_int_equal(rg_regraph_merge(fourth, theirs, &notes, NULL), RG_OK);
    assert_true(rg_regraph_find(fourth, "b") < 0 && rg_regraph_find(fourth, "a") >= 0);
    rg_buf_release(&notes);
    rg_regraph_free(mine);
    rg_regraph_free(theirs);
    rg_regraph_free(third);
    rg_regraph_free(fourth);
}

static void test_terms_and_chains(void **state)
{
    struct rg_regraph *g = graph();
    const struct rg_circumstances at = {"sm_90", "stencil", NULL, "poly"};
    for (int i = 0; i < rg_regraph_edges(g); i++) {
        struct rg_weight w;
        rg_regraph_weigh(g, i, &at, NULL, &w);
        assert_true(fabs(w.score - (w.prior + w.learnt + w.bonus + w.way)) < 1e-12);
        assert_true(rg_regraph_edge(g, i)->n_evidence ? w.way == 2 : w.way == 0 && fabs(w.learnt) < 1e-12);
    }
    struct rg_regraph_path *p;
    int n, c = rg_regraph_find(g, "c");
    assert_int_equal(rg_regraph_paths(g, -1, c, 5, &at, &p, &n, NULL), RG_OK);
    assert_int_equal(n, 2);
    assert_int_equal(p[0].edges[0], edge(g, "@start", "a"));
    assert_true(p[0].share > p[1].share &&
                fabs(p[0].share + p[1].share - 1) < 1e-9); /* c is the only way on from both */
    rg_regraph_paths_free(p, n);
    assert_int_equal(rg_regraph_bar_edge(g, "@start", "a", true, NULL), RG_OK);
    assert_int_equal(rg_regraph_paths(g, -1, c, 5, &at, &p, &n, NULL), RG_OK);
    assert_int_equal(n, 1);
    assert_int_equal(p[0].edges[0], edge(g, "@start", "b"));
    rg_regraph_paths_free(p, n);
    assert_int_equal(rg_regraph_bar_step(g, "c", true, NULL), RG_OK);
    assert_int_equal(rg_regraph_paths(g, -1, c, 5, &at, &p, &n, NULL), RG_OK);
    assert_int_equal(n, 0);
    rg_regraph_paths_free(p, n);
    rg_regraph_free(g);
}

static void test_schema(void **state)
{
    struct {
        const char *schema, *document;
        int n; /* violations */
    } cases[] = {
        {"{\"items\": {\"type\": \"integer\", \"minimum\": 2}}", "[3, 2.0]", 0},
        {"{\"items\": {\"type\": \"integer\", \"minimum\": 2}}", "[1, 2.5, \"x\"]", 3},
        {"{\"properties\": {\"a\": {\"maxItems\": 1, \"items\": {\"const\": \"x\"}}}, \"required\": [\"b\"]}",
         "{\"a\": [\"x\", \"y\"]}", 3},
        {"{\"type\": \"object\", \"additionalProperties\": {\"type\": \"string\"}, \"propertyNames\": {\"pattern\": "
         "\"^a\"}}",
         "{\"b\": 1}", 2},
        {"{\"properties\": {}, \"additionalProperties\": false}", "{\"b\": 1}", 1},
        {"{\"$defs\": {\"x\": {\"enum\": [1, 2]}}, \"items\": {\"$ref\": \"#/$defs/x\"}, \"uniqueItems\": true}",
         "[1, 3, 1]", 2},
        {"{\"items\": {\"anyOf\": [{\"type\": \"string\", \"minLength\": 2}, {\"type\": \"number\"}]}}",
         "[\"\\u00e9\", 1, \"\\u00e9\\u00e9\"]", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rg_buf out = RG_BUF_INIT;
        struct rg_error err = RG_ERROR_INIT;
        int n;
        assert_int_equal(rg_json_schema_check(cases[i].schema, strlen(cases[i].schema), cases[i].document,
                                              strlen(cases[i].document), "d", &out, &n, &err),
                         RG_OK);
        if (n != cases[i].n)
            fail_msg("%s of %s: %d, not %d: %s", cases[i].document, cases[i].schema, n, cases[i].n, out.data);
        rg_buf_release(&out);
    }
    static const char unknown[] = "{\"contains\": {}}";
    struct rg_buf out = RG_BUF_INIT;
    struct rg_error err = RG_ERROR_INIT;
    int n;
    assert_int_equal(rg_json_schema_check(unknown, strlen(unknown), "[]", 2, "d", &out, &n, &err),
                     RG_BUG); /* nothing of a schema is passed over */
    rg_buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rename_meets_old_name),
        cmocka_unit_test(test_removed_stays_removed),
        cmocka_unit_test(test_terms_and_chains),
        cmocka_unit_test(test_schema),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
