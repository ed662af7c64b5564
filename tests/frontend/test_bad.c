/* Bad input: every file of tests/frontend/bad is refused with the texts its `// expect:` lines give. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <rg/file.h>
#include <rg/frontend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The text behind `// key: ` in the n-th such line; malloc'd, NULL when there are fewer. */
static char *line_of(const char *text, const char *key, int n)
{
    char want[64];
    snprintf(want, sizeof want, "// %s: ", key);
    for (const char *p = text; (p = strstr(p, want)); p++)
        if (n-- == 0) {
            p += strlen(want);
            return rg_xstrndup(p, strcspn(p, "\n"));
        }
    return NULL;
}

static void one(const char *path)
{
    char *text;
    size_t len;
    assert_int_equal(rg_file_read(path, 0, &text, &len, NULL), RG_OK);
    char *function = line_of(text, "function", 0), *size = line_of(text, "size", 0);
    const char *sizes[] = {size};
    struct rg_frontend_options o = {
        .file = path, .function = function, .sizes = sizes, .n_sizes = size != NULL, .rtol = -1, .atol = -1};
    struct rg_problem *p = NULL;
    struct rg_ctree *t = NULL;
    struct rg_error e = RG_ERROR_INIT;
    char message[1500];
    enum rg_status st = rg_frontend_load(&o, &p, &t, &e);
    if (st == RG_OK) fail_msg("%s was accepted", path);
    assert_null(p);
    assert_null(t);
    rg_error_format(&e, message, sizeof message);
    assert_int_equal(st, e.status);
    assert_int_equal(st, RG_INPUT);
    char *want;
    for (int i = 0; (want = line_of(text, "expect", i)); i++) {
        if (!strstr(message, want)) fail_msg("%s: '%s' is not in '%s'", path, want, message);
        free(want);
    }
    free(function);
    free(size);
    free(text);
}

static void test_files(void **state)
{
    struct dirent **list;
    int n = scandir("tests/frontend/bad", &list, NULL, alphasort);
    assert_true(n > 20);
    for (int i = 0; i < n; i++) {
        char path[512];
        snprintf(path, sizeof path, "tests/frontend/bad/%s", list[i]->d_name);
        if (strstr(path, ".c")) one(path);
        free(list[i]);
    }
    free(list);
}

static void expect_failure(const char *file, enum rg_status want, const char *text)
{
    struct rg_frontend_options o = {.file = file, .rtol = -1, .atol = -1};
    struct rg_problem *p;
    struct rg_ctree *t;
    struct rg_error e = RG_ERROR_INIT;
    assert_int_equal(rg_frontend_load(&o, &p, &t, &e), want);
    if (!strstr(e.text, text)) fail_msg("'%s' is not in '%s'", text, e.text);
}

static void test_no_file(void **state)
{
    expect_failure("no/such/file.c", RG_IO, "No such file");
    expect_failure("tests/frontend", RG_IO, "cannot read");
}

static void test_no_compiler(void **state)
{
    setenv("CC", "no-such-compiler-here", 1);
    expect_failure("examples/saxpy.c", RG_UNAVAILABLE, "no C compiler");
    setenv("CC", "false", 1);
    expect_failure("examples/saxpy.c", RG_UNAVAILABLE, "is that a C compiler? It comes from the variable CC");
    setenv("CC", "true", 1);
    expect_failure("examples/saxpy.c", RG_UNAVAILABLE, "gave no output and no message");
    unsetenv("CC");
}

int main(void)
{
    if (access("tests/frontend/bad", R_OK) && chdir("../..")) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_files), cmocka_unit_test(test_no_file),
                                       cmocka_unit_test(test_no_compiler)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
