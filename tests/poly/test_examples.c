/* The shipped examples through the C front end, each with a chain an expert would take: executed at the verify sizes
 * that are small enough, compared with the tree run sequentially. Skipped where libclang is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/data/inputs.h"
#include "tests/poly/chain.h"
#include "tests/poly/chains.h"
#include "tests/poly/execute.h"
#include <rg/frontend.h>

enum { N = sizeof example_chains / sizeof *example_chains };

struct filling {
    const struct rg_problem *p;
    const struct rg_sizes *s;
    int seed;
};

static void fill(void *arg, int param, int64_t n, void *to)
{
    const struct filling *x = arg;
    struct rg_fill f = {.problem = x->p, .sizes = x->s, .base = 1, .seed = x->seed};
    struct rg_error err = RG_ERROR_INIT;
    if (rg__input_fill(&f, param, n, to, &err) != RG_OK) fail_msg("%s", err.text);
}

static void examples(void **state)
{
    static struct execute_job jobs[N];
    static struct rg_problem *p[N];
    static struct rg_ctree *t[N];
    char dir[400], file[600];
    snprintf(dir, sizeof dir, "%s", __FILE__);
    for (int up = 0; up < 3; up++)
        if (strrchr(dir, '/'))
            *strrchr(dir, '/') = 0;
        else
            snprintf(dir, sizeof dir, ".");
    if (!strcmp(dir, "tests")) snprintf(dir, sizeof dir, ".");
    for (int i = 0; i < N; i++) {
        struct rg_error err = RG_ERROR_INIT;
        struct rg_coder c;
        char why[512] = "";
        snprintf(file, sizeof file, "%s/examples/%s.c", dir, example_chains[i].file);
        struct rg_frontend_options o = {.file = file, .rtol = -1, .atol = -1};
        enum rg_status st = rg_frontend_load(&o, &p[i], &t[i], &err);
        if (st == RG_UNAVAILABLE) skip();
        if (st != RG_OK) fail_msg("%s: %s", file, err.text);
        assert_int_equal(rg_poly_new(p[i], t[i], &c, &err), RG_OK);
        struct rg_template *tm = chain_make(&c, example_chains[i].chain, why, sizeof why);
        if (!tm) fail_msg("%s on %s: %s", example_chains[i].chain, file, why);
        assert_int_equal(rg_template_instantiate(tm, NULL, &jobs[i].source, &err), RG_OK);
        rg_template_unref(tm);
        c.free(c.self);
        jobs[i].problem = p[i];
        jobs[i].tree = t[i];
    }
    assert_true(execute_compile(jobs, N));
    for (int i = 0; i < N; i++) {
        int ran = 0;
        for (int s = 0; s < p[i]->n_sizes; s++)
            for (int r = 0; r < 2 && p[i]->sizes[s].on_sim && p[i]->sizes[s].work <= 1e6; r++) {
                struct filling f = {p[i], &p[i]->sizes[s], s};
                char why[256];
                if (!execute_case(&jobs[i].x, p[i], &p[i]->sizes[s], fill, &f, r, why, sizeof why))
                    fail_msg("%s on %s, size set %d: %s\n%s\n%s", example_chains[i].chain, example_chains[i].file, s,
                             why, jobs[i].source.cuda, jobs[i].source.plan);
                ran++;
            }
        if (!ran) fail_msg("%s: no size set is small enough", example_chains[i].file);
    }
    execute_release(jobs, N);
    for (int i = 0; i < N; i++) {
        rg_problem_free(p[i]);
        rg_ctree_free(t[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
