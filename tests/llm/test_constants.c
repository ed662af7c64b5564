/* Constants of the device code in a plan, and the values that a reply leaves open. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "llm/llm.h"
#include <rg/plan.h>
#include <stdlib.h>
#include <string.h>

static struct rg_param params[] = {{.name = "n", .kind = RG_PARAM_SCALAR, .elem = RG_I32}};
static const struct rg_problem problem = {.function = "f", .n_params = 1, .params = params};

static void constants(void **state)
{
    static const struct {
        const char *cuda, *plan, *head; /* head: what stands before the plan; "" nothing */
    } cases[] = {
        {"#define BLOCK 256\n", "k<<<ceil_div(n, BLOCK), BLOCK>>>(n);\n", "int BLOCK = 256"},
        {"#define TILE 16 /* wide */\n#define BLOCK (TILE * 8u)\n", "k<<<1, BLOCK>>>(n);\n", "int BLOCK = 128"},
        {"#define N (1 << 10)\n#define M (size_t)(N >> 2)\n", "k<<<N, M>>>(n);\n", "int N = 1024, M = 256"},
        {"constexpr int B = 64; static const unsigned C = B / 2;\n", "k<<<B, C>>>(n);\n", "int B = 64, C = 32"},
        {"enum { A = 3, NEXT, LAST = NEXT * 2 };\n", "k<<<NEXT, LAST>>>(n);\n", "int NEXT = 4, LAST = 8"},
        {"#define BLOCK 256\n", "int BLOCK = 128; k<<<1, BLOCK>>>(n);\n", ""}, /* the plan's own */
        {"#define BLOCK 256\n", "scratch int BLOCK[3]; k<<<1, 1>>>(BLOCK);\n", ""},
        {"#define BLOCK 256\n", "dim3 BLOCK(32, 8); k<<<1, BLOCK>>>(n);\n", ""},
        {"#define n 256\n", "k<<<1, n>>>(n);\n", ""}, /* a parameter */
        {"#ifdef X\n#define B 1\n#else\n#define B 2\n#endif\n", "k<<<1, B>>>(n);\n",
         ""}, /* which one is the compiler's to know */
        {"#define B(x) 256\n", "k<<<1, B>>>(n);\n", ""},
        {"#define B A\n#define A B\n", "k<<<1, B>>>(n);\n", ""},
        {"__global__ void k(int n) { const int B = 3; }\n", "k<<<1, B>>>(n);\n", ""}, /* a name inside a function */
        {"__device__ int B = 3; const int T[2] = {1, 2};\n", "k<<<B, T>>>(n);\n", ""},
        {"// #define B 3\n", "k<<<1, B>>>(n); // B\n", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *plan = rg__plan_with_constants(&problem, cases[i].cuda, cases[i].plan), *bare = rg__plan_bare(plan),
             *again = rg__plan_with_constants(&problem, cases[i].cuda, plan);
        size_t len = strlen(cases[i].head);
        if (strncmp(plan, cases[i].head, len) || (len ? plan[len] != ';' : strcmp(plan, cases[i].plan)))
            fail_msg("%s: %s", cases[i].cuda, plan);
        assert_string_equal(bare, cases[i].plan);
        assert_string_equal(again, plan);
        struct rg_plan *p;
        assert_int_equal(rg_plan_parse(plan, &p, NULL), RG_OK);
        rg_plan_free(p);
        free(plan);
        free(bare);
        free(again);
    }
    /* reals have no variables: written out */
    char *plan = rg__plan_with_constants(&problem, "#define EPS 1e-6f\n", "do k<<<1, 1>>>(); while (e[0] > EPS);");
    assert_string_equal(plan, "do k<<<1, 1>>>(); while (e[0] > 1e-6f);");
    free(plan);
}

static void tuned(void **state)
{
    static const char code[] =
        "#define T 64 // tune: T in 128, 32,64\nconstexpr int U = 2; /* tune: U in {1, 2, 4} */\n"
        "// tune: V in 1, 2\n#define W 3 // tune: W in 0, 3\n__global__ void k(int n) { int T2 = T * U; }\n";
    struct rg__reply r = {.cuda = strdup(code), .plan = strdup("k<<<ceil_div(n, T), T>>>(n);\n")};
    struct rg_template *t = rg__template_new(&problem, NULL, "write", "program", 0, 0, &r);
    struct rg_buf b = RG_BUF_INIT;
    struct rg_source s;
    struct rg_vector v;
    assert_int_equal(t->tunables.n, 2); /* V is defined nowhere, W may not be 0 */
    assert_string_equal(t->tunables.items[0].name, "T");
    assert_int_equal(t->tunables.items[0].n_values, 3);
    assert_int_equal(t->tunables.items[0].values[0], 32);
    assert_int_equal(t->tunables.items[0].link, 0);
    rg_tunables_default(&t->tunables, &v);
    rg_vector_print(&b, &t->tunables, &v);
    assert_string_equal(b.data, "T=64,U=2");
    assert_int_equal(rg_template_instantiate(t, NULL, &s, NULL), RG_OK);
    assert_string_equal(s.cuda, code);
    assert_string_equal(s.plan, "int T = 64; // constants of the device code\nk<<<ceil_div(n, T), T>>>(n);\n");
    rg_source_release(&s);
    v.values[0] = 128;
    v.values[1] = 4;
    assert_int_equal(rg_template_instantiate(t, &v, &s, NULL), RG_OK);
    assert_non_null(strstr(s.cuda, "#define T 128 // tune"));
    assert_non_null(strstr(s.cuda, "constexpr int U = 4;"));
    assert_non_null(strstr(s.cuda, "int T2 = T * U;"));
    assert_non_null(strstr(s.plan, "int T = 128;"));
    rg_source_release(&s);
    v.values[0] = 100;
    assert_int_equal(rg_template_instantiate(t, &v, &s, NULL), RG_INPUT);
    rg_buf_release(&b);
    rg_template_unref(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(constants), cmocka_unit_test(tuned)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
