/* Access hooks: places in preprocessed text, and what follows for the bytes that must move from what a function
 * touches. test-deadline: 300 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "farm_fixture.h"
#include "runtime/reference/hooks.h"
#include <math.h>

static const char text[] = "# 1 \"a.c\"\n"
                           "int one; x[i][j + 1] = f(y[0])[k]->z[2];\n"
                           "# 1 \"/usr/include/h.h\" 1 3\n"
                           "int A[3];\n"
                           "# 7 \"dir/b.c\" 2\n"
                           "#pragma omp\n"
                           "    s.v[k] += A [2];\n"
                           "#line 20 \"a.c\"\n"
                           "(*p)[i] = q->r[g(n[1])];";

static void at(const char *file, int line, int column, const char *want)
{
    char out[60] = "none";
    bool found = rg__where_subscript(text, file, line, column, out, sizeof out);
    if (!found) strcpy(out, "none");
    assert_string_equal(out, want);
}

static void subscripts_are_found(void **state)
{
    at("a.c", 1, 11, "x[i]"); /* where gcc says: the bracket */
    at("a.c", 1, 14, "x[i][j + 1]");
    at("a.c", 1, 10, "x[i][j + 1]"); /* where clang says: the whole */
    at("a.c", 1, 31, "f(y[0])[k]");
    at("a.c", 1, 37, "f(y[0])[k]->z[2]");
    at("dir/b.c", 8, 8, "s.v[k]");
    at("a.c", 20, 1, "(*p)[i]");
    at("a.c", 20, 15, "q->r[g(n[1])]");
    at("a.c", 2, 1, "none"); /* the header's line is not a.c's */
    at("a.c", 1, 1, "none");
    at("a.c", 1, 400, "none");
    at("b.c", 8, 8, "none");
    at("a.c", 20, 24, "none"); /* a bracket that closes */
    at("a.c", 1, 0, "none");
}

static const struct fx_param gather[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                         {"k", "int", "n", RG_ROLE_IN, "uniform 0 3", false},
                                         {"x", "float", "n", RG_ROLE_IN, NULL, false},
                                         {"y", "float", "n", RG_ROLE_OUT, NULL, false},
                                         {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};

/* The traffic of f(n, k, x, y), n = 100000 timed, as far as the hooks know it. */
static struct rg_farm_info look(const char *source, const char *sizes)
{
    struct rg_problem *p = fx_problem("f", gather, source, "f(*(int*)a[0], a[1], a[2], a[3])", NULL, sizes, 3);
    p->compulsory_read_bytes = p->compulsory_write_bytes = 1;
    const struct rg_farm_options o = {.worker = worker, .seed = 1};
    struct rg_farm_info i;
    struct rg_error e = RG_ERROR_INIT;
    if (rg_farm_look(&o, p, &i, &e) != RG_OK) fail_msg("%s", e.text);
    rg_problem_free(p);
    return i;
}
#define F "void f(int n, const int *k, const float *x, float *y) "
static const char sizes[] = "100000;1000;37;5";

static void grows(const char *source, double read, double written)
{
    struct rg_farm_info i = look(source, sizes);
    if (i.traffic != RG_TRAFFIC_TOUCHED || i.read_bytes != read || i.write_bytes != written)
        fail_msg("%s %g read, %g written (%s), wanted %g and %g", rg_traffic_word(i.traffic), i.read_bytes,
                 i.write_bytes, i.traffic_why, read, written);
}

static void unknown(const char *source, const char *with, const char *why)
{
    struct rg_farm_info i = look(source, with);
    assert_int_equal(i.traffic, RG_TRAFFIC_UNKNOWN);
    if (!strstr(i.traffic_why, why)) fail_msg("'%s' does not say '%s'", i.traffic_why, why);
}

static void what_is_touched_whole_grows(void **state)
{
    grows(F "{ for (int i = 0; i < n; i++) y[i] = x[i] * (k[i] > 1 ? 2 : 3); }", 8e5, 4e5);
    /* margins are the same at every size; what it wrote itself it need not read */
    grows(F "{ for (int i = 0; i < n; i++) y[i] = 0; for (int i = 1; i < n - 2; i++) y[i] += x[i] + k[i]; }",
          8.0 * (1e5 - 3), 4e5);
    /* also where the smallest size has no such box */
    grows(F "{ for (int i = 0; i < n; i++) y[i] = k[i]; for (int i = 10; i < n - 10; i++) y[i] += x[i]; }",
          4.0 * (2e5 - 20), 4e5);
    grows("#include <string.h>\n" F "{ memcpy(y, x, n * sizeof *y); if (n > 1000000) y[0] = k[0]; }", 4e5, 4e5);
}

static void what_depends_on_data_does_not(void **state)
{
    unknown(F "{ for (int i = 0; i < n; i++) y[i] = x[k[i] * (n / 4)]; }", sizes,
            "only a part of x is read or written, and the sizes do not say how much");
    unknown(F "{ for (int i = 0; i < n; i++) if (k[i] > 1) y[i] = x[i]; }", sizes, "the sizes do not say");
    unknown(F "{ for (int i = 0; i < n; i++) y[i] = x[i] + k[i]; }", "100000;1000", "one size only");
    unknown("#include <stdio.h>\n" F "{ for (int i = 0; i < n; i++) { char t[40]; snprintf(t, sizeof t, \"%g\", "
            "(double)(x[i] + k[i])); sscanf(t, \"%f\", &y[i]); } }",
            sizes, "y is written by something");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(subscripts_are_found),
                                       cmocka_unit_test(what_is_touched_whole_grows),
                                       cmocka_unit_test(what_depends_on_data_does_not)};
    find_worker_beside(argv[0]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
