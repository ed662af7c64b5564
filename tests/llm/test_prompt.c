/* Prompts: the embedded texts are the files, overrides are checked, values are never expanded, foreign text can't break out. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "llm/llm.h"
#include "llm_fixture.h"
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void embedded_is_current(void **state)
{
    for (int i = 0; i < RG__N_PROMPTS; i++) {
        char path[128], *text;
        size_t n;
        snprintf(path, sizeof path, "llm/prompts/%s.txt", rg__prompt_name(i));
        assert_int_equal(rg_file_read(path, 0, &text, &n, NULL), RG_OK);
        if (strcmp(text, rg__prompt_builtin(i))) fail_msg("llm/prompts.inc is older than %s: run llm/embed-prompts.sh", path);
        free(text);
    }
    struct rg__prompts p; /* and passes its own check */
    struct rg_error err = RG_ERROR_INIT;
    if (rg__prompts_load(&p, "llm/prompts", &err) != RG_OK) fail_msg("%s", err.text);
    rg__prompts_release(&p);
}

static void expansion(void **state)
{
    struct rg_buf b = RG_BUF_INIT;
    const struct rg__var vars[] = {{"a", "A{{b}}"}, {"b", ""}, {"c", NULL}};
    rg__prompt_expand(&b, "x {{a}} {{#a}}yes{{/a}}{{#b}}no{{/b}}{{#c}}no {{a}}{{/c}} {{ {{not a tag}} {{", vars, 3);
    assert_string_equal(b.data, "x A{{b}} yes {{ {{not a tag}} {{");
    rg_buf_reset(&b);
    rg__prompt_expand(&b, "1\n{{#b}}\ngone\n{{/b}}\n{{#a}}\nkept\n{{/a}}\n2\n", vars, 3);
    assert_string_equal(b.data, "1\nkept\n2\n");
    rg_buf_release(&b);
}

static void overrides(void **state)
{
    char dir[] = "/tmp/rg-prompts-XXXXXX", path[64];
    assert_non_null(mkdtemp(dir));
    struct rg__prompts p;
    struct rg_error err = RG_ERROR_INIT;
    assert_int_equal(rg__prompts_load(&p, dir, &err), RG_INPUT); /* none there */
    snprintf(path, sizeof path, "%s/step.txt", dir);
    assert_int_equal(rg_file_write(path, "do {{id}}", 9, NULL), RG_OK);
    rg_error_clear(&err);
    assert_int_equal(rg__prompts_load(&p, dir, &err), RG_OK);
    assert_string_equal(p.text[RG__PROMPT_STEP], "do {{id}}");
    assert_string_equal(p.text[RG__PROMPT_SYSTEM], rg__prompt_builtin(RG__PROMPT_SYSTEM));
    rg__prompts_release(&p);
    static const char *const bad[] = {"line one\n{{unknown}}", "x\n{{#id}} no end", "x\n{{/id}}", "x\n{{#id}}{{#hint}}{{/hint}}{{/id}}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rg_error_clear(&err);
        assert_int_equal(rg_file_write(path, bad[i], strlen(bad[i]), NULL), RG_OK);
        assert_int_equal(rg__prompts_load(&p, dir, &err), RG_INPUT);
        assert_int_equal(err.line, 2);
        assert_string_equal(err.file, path);
    }
    unlink(path);
    rmdir(dir);
}

static void fences_hold(void **state)
{
    struct rg_buf b = RG_BUF_INIT;
    rg__fenced(&b, "c", "a\n```\nb\n````\n");
    assert_string_equal(b.data, "`````c\na\n```\nb\n````\n`````");
    rg_buf_release(&b);
}

static void problem_text(void **state)
{
    struct fixture f;
    struct rg__prompts p;
    struct rg_buf b = RG_BUF_INIT;
    fixture_init(&f);
    f.p.function_source = "void f() { /* caf\xe9 \x01 {{device}} */ }";
    assert_int_equal(rg__prompts_load(&p, NULL, NULL), RG_OK);
    rg__describe_problem(&b, &p, &f.p, NULL, RG__PROBLEM_WHOLE);
    assert_non_null(strstr(b.data, "caf?  {{device}}"));
    assert_null(strstr(b.data, "Device:"));
    assert_non_null(strstr(b.data, "- `x`: const float *, [n] elements, in\n"));
    rg_buf_release(&b);
    rg__prompts_release(&p);
}

static void step_text(void **state)
{
    struct rg__prompts p;
    struct rg_buf b = RG_BUF_INIT;
    int64_t values[] = {16, 32, 64};
    struct rg_tunable t[] = {{.name = "TILE", .n_values = 3, .values = values}, {.name = "K", .n_values = 1, .values = values}};
    struct rg_step s = step_shared;
    s.tunables.n = 2;
    s.tunables.items = t;
    assert_int_equal(rg__prompts_load(&p, NULL, NULL), RG_OK);
    rg__describe_step(&b, &p, &s, "program", RG__REQUEST_WHOLE);
    assert_non_null(strstr(b.data, "# The step to apply: Stage tiles (tile.shared)\nStage reused tiles.\n"));
    assert_non_null(strstr(b.data, "work: TILE 16, 32 or 64; K 16 ("));
    assert_non_null(strstr(b.data, "Before:\n```\na\n```\nAfter:\n```\nb\n```\n"));
    assert_null(strstr(b.data, "Precondition"));
    assert_null(strstr(b.data, "{{"));
    rg_buf_release(&b);
    rg__prompts_release(&p);
}

static void short_error(void **state)
{
    struct rg_buf b = RG_BUF_INIT;
    rg__short_error(&b, "warning: w\nfoo.cu(3): error: one\n  x y\n    ^\nfoo.cu(4): error: two\n", 300);
    assert_string_equal(b.data, "foo.cu(3): error: one\n  x y\n    ^");
    rg_buf_reset(&b);
    rg__short_error(&b, "y[3] is 1, expected 2", 10);
    assert_string_equal(b.data, "y[3] is 1,");
    rg_buf_reset(&b);
    rg__short_error(&b, "", 10);
    assert_string_equal(b.data, "");
    rg_buf_release(&b);
}

static void clean_text(void **state)
{
    static const struct {
        const char *in, *out;
    } cases[] = {{"a\tb\n", "a\tb\n"},       {"\x1b[31m\x7f", "[31m"},       {"\xc3\xa9", "\xc3\xa9"}, {"\xc3", "?"},
                 {"\xe0\x80\x80", "???"},    {"\xed\xa0\x80", "???"},        {"\xf4\x90\x80\x80", "????"},
                 {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"}, {"\xc0\xaf", "??"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *s = rg__clean_text(cases[i].in, strlen(cases[i].in));
        assert_string_equal(s, cases[i].out);
        free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(embedded_is_current), cmocka_unit_test(expansion), cmocka_unit_test(overrides),
                                       cmocka_unit_test(fences_hold), cmocka_unit_test(problem_text), cmocka_unit_test(step_text), cmocka_unit_test(short_error),
                                       cmocka_unit_test(clean_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
