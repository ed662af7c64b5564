/* test-deadline: 400. Chains of steps on nests of every kind, executed at odd sizes and in both thread orders, give
 * what the sequential code gives; nothing is touched out of bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/poly/chain.h"
#include "tests/poly/execute.h"
#include "tests/poly/mini.h"
#include "tests/poly/chains.h"

enum { N = sizeof nest_chains / sizeof *nest_chains };

static void fill(void *arg, int param, int64_t n, void *to)
{
    uint32_t x = 99u + (uint32_t)param;
    for (int64_t i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        ((float *)to)[i] = (float)(x >> 8) / 8388608.0f - 1.0f;
    }
}

static void chains(void **state)
{
    static struct execute_job jobs[N];
    static struct rg_problem *p[N];
    static struct rg_ctree *t[N];
    for (int i = 0; i < N; i++) {
        struct rg_coder c;
        struct rg_error err = RG_ERROR_INIT;
        char why[512] = "";
        mini_parse("nest", nest_chains[i].nest, &p[i], &t[i]);
        assert_int_equal(rg_poly_new(p[i], t[i], &c, &err), RG_OK);
        struct rg_template *tm = chain_make(&c, nest_chains[i].chain, why, sizeof why);
        if (!tm) fail_msg("%s on %s: %s", nest_chains[i].chain, nest_chains[i].nest, why);
        c.free(c.self); /* templates outlive their coder */
        jobs[i].problem = p[i];
        jobs[i].tree = t[i];
        assert_int_equal(rg_template_instantiate(tm, NULL, &jobs[i].source, &err), RG_OK);
        rg_template_unref(tm);
    }
    assert_true(execute_compile(jobs, N));
    static int64_t sizes[][4] = {{37, 53, 7, 5}, {64, 64, 64, 3}, {1, 1, 1, 1}, {65, 31, 70, 2}, {3, 129, 2, 4}};
    for (int i = 0; i < N; i++)
        for (int z = 0; z < 5; z++)
            for (int r = 0; r < 2; r++) {
                struct rg_sizes s = {.values = sizes[z]};
                char why[256];
                if (!execute_case(&jobs[i].x, p[i], &s, fill, NULL, r, why, sizeof why))
                    fail_msg("%s on %s, sizes %d, order %d: %s\n%s\n%s", nest_chains[i].chain, nest_chains[i].nest, z,
                             r, why, jobs[i].source.cuda, jobs[i].source.plan);
            }
    execute_release(jobs, N);
    for (int i = 0; i < N; i++) {
        rg_problem_free(p[i]);
        rg_ctree_free(t[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
