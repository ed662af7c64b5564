/* What compute-sanitizer prints. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/farm/sanitizer.h"
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct rg_sanitizer_result parse(const char *name)
{
    struct rg_sanitizer_result r;
    char path[100], *text;
    size_t len;
    snprintf(path, sizeof path, "tests/data/sanitizer/%s", name);
    assert_int_equal(rg_file_read(path, 0, &text, &len, NULL), RG_OK);
    rg__sanitizer_parse(text, len, &r);
    free(text);
    return r;
}

static void what_it_finds(void **state)
{
    struct rg_sanitizer_result r = parse("read.txt");
    assert_true(r.summed && r.errors == 2);
    assert_non_null(strstr(r.first, "Invalid __global__ read of size 4 bytes at saxpy_k(int, float, const float *, "
                                    "float *)+0x90 in candidate.cu:5 by thread (5,0,0) in block (0,0,0)"));
    assert_null(strstr(r.first, "Host Frame"));
    assert_null(strstr(r.first, "(6,0,0)"));
    r = parse("race.txt");
    assert_true(r.summed && r.errors == 1);
    assert_non_null(strstr(r.first, "Race reported between Write access at "));
    assert_non_null(strstr(r.first, "candidate.cu:7"));
}

static void what_is_no_error(void **state)
{
    static const char *const names[] = {"clean.txt", "no_race.txt", "warning.txt"};
    for (int i = 0; i < 3; i++) {
        struct rg_sanitizer_result r = parse(names[i]);
        assert_true(r.summed && r.errors == 0);
        assert_string_equal(r.first, "");
    }
}

static void what_is_no_result(void **state)
{
    struct rg_sanitizer_result r = parse("unable.txt");
    assert_true(!r.summed && r.errors == 0);
    assert_non_null(strstr(r.complaint, "terminated before first"));
    static const char *const odd[] = {"",
                                      "=========",
                                      "========= ",
                                      "========= ERROR SUMMARY:",
                                      "========= ERROR SUMMARY: -3 errors",
                                      "ERROR SUMMARY: 0 errors\n",
                                      "========= RACECHECK SUMMARY: x (y error"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        rg__sanitizer_parse(odd[i], strlen(odd[i]), &r);
        assert_true(!r.summed && r.errors == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_it_finds), cmocka_unit_test(what_is_no_error),
                                       cmocka_unit_test(what_is_no_result)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
