/* "Did you mean": distances and what is near enough to be offered. */
#include <rg/error.h>
#include <rg/similar.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void distances(void **state)
{
    assert_int_equal(rg_edit_distance("", ""), 0);
    assert_int_equal(rg_edit_distance("", "abc"), 3);
    assert_int_equal(rg_edit_distance("tile.shared", "tile.shared"), 0);
    assert_int_equal(rg_edit_distance("shwo", "show"), 1); /* a swap is one edit */
    assert_int_equal(rg_edit_distance("unrol", "unroll"), 1);
    assert_int_equal(rg_edit_distance("Unroll", "unroll"), 0);
    assert_int_equal(rg_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(rg_edit_distance("abc", "xyz"), 3);
    char a[300], b[300]; /* longer than what is looked at */
    memset(a, 'a', sizeof a - 1), memset(b, 'b', sizeof b - 1);
    a[sizeof a - 1] = b[sizeof b - 1] = 0;
    assert_int_equal(rg_edit_distance(a, b), 63);
}

static void nearest(void **state)
{
    const char *const known[] = {"tile.shared", NULL, "tile.two.level", "unroll", "n", "evals"};
    const int n = sizeof known / sizeof *known;
    char out[160];
    assert_string_equal(rg_similar("tile.sharde", known, n), "tile.shared");
    assert_string_equal(rg_similar("evalz", known, n), "evals");
    assert_string_equal(rg_similar("shared", known, n), "tile.shared"); /* the end of one */
    assert_string_equal(rg_similar("unr", known, n), "unroll");         /* its beginning */
    assert_null(rg_similar("m", known, n));                             /* one letter is no hint */
    assert_null(rg_similar("coalesce", known, n));
    assert_null(rg_similar("", known, n));
    assert_null(rg_similar("unroll", NULL, 0));
    assert_string_equal(rg_did_you_mean("unrol", known, n, out), "; did you mean 'unroll'?");
    assert_string_equal(rg_did_you_mean("zzzzzz", known, n, out), "");
}

static void errors_as_documents(void **state)
{
    struct rg_error e = RG_ERROR_INIT;
    rg_error_at(&e, RG_INPUT, "a \"b\".c", 7, 0, "bad \xff byte\n\"quoted\"");
    char *text = rg_error_json(&e);
    assert_non_null(strstr(text, "\"schema\": \"regraph-error/1\""));
    assert_non_null(strstr(text, "\"code\": \"input\""));
    assert_non_null(strstr(text, "\"file\": \"a \\\"b\\\".c\""));
    assert_non_null(strstr(text, "\"line\": 7"));
    assert_non_null(strstr(text, "\"column\": null"));
    assert_non_null(strstr(text, "bad ? byte\\n\\\"quoted\\\""));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances), cmocka_unit_test(nearest),
                                       cmocka_unit_test(errors_as_documents)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
