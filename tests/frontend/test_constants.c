/* The integer macros and enumerators that a function names: for the names in best.cu. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/frontend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "#include <ctype.h>\n#include <limits.h>\n#include \"sizes.h\"\n"
                           "#ifdef LARGE\n#define N 4000\n#else\n#define N 48\n#endif\n"
                           "#define M (2 * N)\n#define OLD 5\n#undef OLD\n#define OLD 7\n#define GONE 3\n#undef GONE\n"
                           "#define SCALE 1.5f\n#define TWICE(x) (2 * (x))\n#define SELF SELF\n#define UNNAMED 9\n"
                           "enum { ROWS = 24, COLS, OTHER };\nenum { HIDDEN = 6 };\n"
                           "#define HIDDEN 8\n"
                           "static float w[HALO];\n"
                           "void f(const float a[N][M], float b[N][M])\n{\n"
                           "    for (int i = 0; i < N; i++)\n        for (int j = HALO; j < M - HALO; j++)\n"
                           "            b[i][j] = SCALE * a[i][j] * w[i % HALO] + TWICE(OLD) + GIVEN + (i % ROWS + "
                           "COLS + HIDDEN + _ISdigit > INT_MAX - 1);\n"
                           "}\n";

static int64_t value(const struct rg_problem *p, const char *name)
{
    for (int i = 0; i < p->n_constants; i++)
        if (!strcmp(p->constants[i].name, name)) return p->constants[i].value;
    return -1;
}

static void constants(void **state)
{
    char dir[] = "/tmp/rg-constants-XXXXXX", message[1000];
    assert_non_null(mkdtemp(dir));
    char *file = rg_xasprintf("%s/f.c", dir), *header = rg_xasprintf("%s/sizes.h", dir);
    static const char sizes[] = "#define HALO 3\n";
    assert_int_equal(rg_file_write(file, text, sizeof text - 1, NULL), RG_OK);
    assert_int_equal(rg_file_write(header, sizes, sizeof sizes - 1, NULL), RG_OK);
    struct rg_frontend_options o = {.file = file, .cflags = "-DGIVEN=11"};
    struct rg_problem *p, *again;
    struct rg_ctree *t;
    struct rg_error e = RG_ERROR_INIT;
    if (rg_frontend_load(&o, &p, &t, &e) != RG_OK) fail_msg("%s", rg_error_format(&e, message, sizeof message));
    static const struct rg_constant want[] = {
        {"N", 48},     {"M", 96},     {"HALO", 3},   {"OLD", 7},      {"GIVEN", 11},   {"GONE", -1},
        {"SCALE", -1}, {"TWICE", -1}, {"SELF", -1},  {"UNNAMED", -1}, {"LARGE", -1},   {"INT_MAX", -1},
        {"ROWS", 24},  {"COLS", 25},  {"OTHER", 26}, {"HIDDEN", 8},   {"_ISdigit", -1}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        if (value(p, want[i].name) != want[i].value)
            fail_msg("%s is %lld", want[i].name, (long long)value(p, want[i].name));
    assert_int_equal(p->n_constants, 9);
    /* Saved and loaded; names are no part of what is computed. */
    char *json = rg_problem_to_json(p), hash[65];
    assert_int_equal(rg_problem_from_json(json, strlen(json), "p", &again, &e), RG_OK);
    assert_int_equal(again->n_constants, 9);
    assert_int_equal(value(again, "M"), 96);
    strcpy(hash, p->hash);
    p->n_constants = 0;
    rg_problem_rehash(p);
    assert_string_equal(p->hash, hash);
    rg_problem_free(again);
    /* What would be written into code is looked at. */
    char *at = strstr(json, "\"HALO\"");
    assert_non_null(at);
    memcpy(at, "\"H;*/\"", 6);
    assert_int_equal(rg_problem_from_json(json, strlen(json), "p", &again, &e), RG_INPUT);
    assert_non_null(strstr(e.text, "constants"));
    free(json);
    rg_problem_free(p);
    rg_ctree_free(t);
    remove(file);
    remove(header);
    remove(dir);
    free(file);
    free(header);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(constants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
