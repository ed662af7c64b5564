/* Counters of 32 bits: 64 where a size of the problem brings a loop close to the end of the type, else a requirement of
 * the plan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/poly/nest_fixture.h"
#include "tests/poly/nests.h"

/* The chain's text at sizes where every size parameter is `n`, but for the first, which is `first`. */
static void at_sizes(const char *nest, const char *chain, int64_t first, int64_t n, struct rg_source *out)
{
    struct fixture f;
    struct rg_error err = RG_ERROR_INIT;
    char why[512] = "";
    int64_t values[16];
    struct rg_sizes sizes = {.values = values};
    mini_parse("nest", nest, &f.p, &f.t);
    for (int i = 0; i < 16; i++) values[i] = i ? n : first;
    f.p->sizes = &sizes;
    f.p->n_sizes = 1;
    assert_int_equal(rg_poly_new(f.p, f.t, &f.c, &err), RG_OK);
    struct rg_template *t = chain_make(&f.c, chain, why, sizeof why);
    if (!t) fail_msg("%s on %s: %s", chain, nest, why);
    assert_int_equal(rg_template_instantiate(t, NULL, out, &err), RG_OK);
    rg_template_unref(t);
    close_nest(&f);
}

static void prints(const char *nest, const char *chain, int64_t first, int64_t n, const char *cuda, const char *plan)
{
    struct rg_source s;
    at_sizes(nest, chain, first, n, &s);
    if (!strstr(s.cuda, cuda))
        fail_msg("%s on %s at %lld has no '%s':\n%s", chain, nest, (long long)first, cuda, s.cuda);
    if (plan[0] == '!' ? strstr(s.plan, plan + 1) != NULL : !strstr(s.plan, plan))
        fail_msg("%s on %s at %lld: '%s'\n%s", chain, nest, (long long)first, plan, s.plan);
    rg_source_release(&s);
}

#define NEAR 2147483600
#define FROM "in x[n]; out y[n]; int lo; int n | for i lo, lo + n { y(i - lo) = 2 * x(i - lo); }"
#define DOWN "in x[n]; out y[n]; int lo; int n | for i n - lo, 0 - lo by -1 { y(i + lo - 1) = 2 * x(i + lo - 1); }"
#define STEP "in x[n]; out y[n]; int n | for i 0, n by 100000 { y(i) = 2 * x(i); }"
#define WIDE "in x[k][n*m]; out y[k]; int n; int m; int k | for i 0, k { y(i) = x(i, 3); }"

static void near_the_end(void **state)
{
    prints(NEST_SAXPY, "parallelize", NEAR, NEAR, "const long long i = (long long)bx * (long long)BX + (long long)tx;",
           "!require");
    prints(NEST_SAXPY, "parallelize,coalesce,grid.stride", NEAR, NEAR, "i += (long long)(int)gridDim.x * (long long)BX",
           "!require");
    prints(NEST_SAXPY, "parallelize,coalesce,coarsen.register", NEAR, NEAR,
           "const long long i0 = (long long)bx * (long long)(BX * RX);", "!require");
    prints(NEST_SAXPY, "parallelize,vectorize", NEAR, NEAR,
           "const long long i0 = ((long long)bx * (long long)BX + (long long)tx) * (long long)W", "!require");
    prints(
        NEST_DOT, "reduce.block@loop:i", NEAR, NEAR,
        "for (long long i = (long long)bx * (long long)BLOCK + (long long)tx; i < (long long)n; i += (long long)(int)"
        "gridDim.x * (long long)BLOCK)",
        "!require");
    prints(FROM, "parallelize", NEAR, 40, "const long long i = (long long)lo + ((long long)bx * (long long)BX",
           "!require");
    prints(FROM, "parallelize", NEAR, 40, "y[(int)i - lo] = ", "!require"); /* as the C has it */
    prints(DOWN, "parallelize", NEAR, 40, "const long long i = (long long)(n - lo) - ", "!require");
    prints(STEP, "parallelize", 1000, 1000,
           "const long long i = ((long long)bx * (long long)BX + (long long)tx) * 100000ll;", "!require");
}

static void far_from_it(void **state)
{
    prints(NEST_SAXPY, "parallelize", 1000, 1000, "const int i = bx * BX + tx;", "require(n <= 2000000000);\n");
    prints(NEST_SAXPY, "parallelize,coalesce,grid.stride", 1000, 1000, "i += (int)gridDim.x * BX",
           "require(n <= 2000000000);\n");
    prints(FROM, "parallelize", 1000, 1000, "const int i = lo + ",
           "require(lo + n <= 2000000000);\nrequire(n <= 2000000000);\n");
    prints(DOWN, "parallelize", 1000, 1000, "const int i = n - lo - ", "require(-(0 - lo) <= 2000000000);\n");
    prints(NEST_JACOBI, "parallelize", 1000, 10,
           "const int i = ", "!require(steps"); /* the plan's own loop counts in 64 bits */
    prints("in x[100]; out y[100] | for i 0, 100 { y(i) = x(i); }", "parallelize", 0, 0, "const int i = ", "!require");
    prints(WIDE, "parallelize", 1000, 1000, "x[(long long)i * ((long long)n * (long long)m) + 3]",
           "require(k <= 2000000000);\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(near_the_end), cmocka_unit_test(far_from_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
