/* Whole programs of the kinds users bring (programs/): read by the C front end, shaped by a chain of steps, executed at
 * the small verify sizes with threads in both orders, compared with the tree run sequentially. And what is refused.
 * Skipped where libclang is missing. */
/* test-deadline: 300 */
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

enum { N = sizeof program_chains / sizeof *program_chains };

/* The reference is the tree's text: what it allocates it does not free. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

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

/* false: no libclang here. */
static bool load(const char *name, struct rg_problem **p, struct rg_ctree **t)
{
    struct rg_error err = RG_ERROR_INIT;
    char file[600];
    snprintf(file, sizeof file, "%s", __FILE__);
    snprintf(strrchr(file, '/') + 1, 200, "programs/%s.c", name);
    struct rg_frontend_options o = {.file = file, .rtol = -1, .atol = -1};
    enum rg_status st = rg_frontend_load(&o, p, t, &err);
    if (st != RG_OK && st != RG_UNAVAILABLE) fail_msg("%s: %s", file, err.text);
    return st == RG_OK;
}

static void programs(void **state)
{
    static struct execute_job jobs[N];
    static struct rg_problem *p[N];
    static struct rg_ctree *t[N];
    for (int i = 0; i < N; i++) {
        struct rg_error err = RG_ERROR_INIT;
        struct rg_coder c;
        char why[512] = "";
        if (!load(program_chains[i].file, &p[i], &t[i])) skip();
        assert_int_equal(rg_poly_new(p[i], t[i], &c, &err), RG_OK);
        struct rg_template *tm = chain_make(&c, program_chains[i].chain, why, sizeof why);
        if (!tm) fail_msg("%s on %s: %s", program_chains[i].chain, program_chains[i].file, why);
        if (rg_template_instantiate(tm, NULL, &jobs[i].source, &err) != RG_OK)
            fail_msg("%s on %s: %s", program_chains[i].chain, program_chains[i].file, err.text);
        if (!strstr(jobs[i].source.cuda, program_chains[i].has) && !strstr(jobs[i].source.plan, program_chains[i].has))
            fail_msg("%s on %s: no '%s' in\n%s\n%s", program_chains[i].chain, program_chains[i].file,
                     program_chains[i].has, jobs[i].source.cuda, jobs[i].source.plan);
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
                    fail_msg("%s on %s, size set %d: %s\n%s\n%s", program_chains[i].chain, program_chains[i].file, s,
                             why, jobs[i].source.cuda, jobs[i].source.plan);
                ran++;
            }
        if (!ran) fail_msg("%s: no size set is small enough", program_chains[i].file);
    }
    execute_release(jobs, N);
    for (int i = 0; i < N; i++) {
        rg_problem_free(p[i]);
        rg_ctree_free(t[i]);
    }
}

/* What must not be, and what the reason says. */
static void refusals(void **state)
{
    static const struct {
        const char *file, *chain, *why;
    } no[] = {
        {"refuse_slots", "parallelize", "dependence"},                 /* the old value is used, and moves by two */
        {"refuse_mixed", "parallelize", "dependence"},                 /* added to and read in one loop */
        {"refuse_twice", "scan.block", "carries a dependence on out"}, /* two stores of one counter's places */
        {"refuse_bytes", "parallelize", "no atomic for elements of 1 bytes"},
        {"scatter_weighted", "parallelize,histogram.private@w", "no kernel updates w by atomics"},
        {"scatter_csr", "parallelize,row.warp", "no kernel shares"},
        {"rows_csr", "parallelize,reduce.split", "no loop"},
        {"refuse_large", "parallelize,histogram.private@y", "does not fit"},
        {"scatter_cells", "parallelize,histogram.private@c", "more with c than update it by one operator"},
        {"scatter_marks", "parallelize,histogram.private@seen", "more with seen than"},
        {"swap_heat", "parallelize,resident.block", "too much for one block"},
        {"resident_wide", "parallelize,tile.shared@v_turn", "phases of one launch stage nothing"},
    };
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
        struct rg_problem *p;
        struct rg_ctree *t;
        struct rg_coder c;
        struct rg_error err = RG_ERROR_INIT;
        char why[512] = "";
        if (!load(no[i].file, &p, &t)) skip();
        assert_int_equal(rg_poly_new(p, t, &c, &err), RG_OK);
        struct rg_template *tm = chain_make(&c, no[i].chain, why, sizeof why);
        if (tm) fail_msg("%s on %s was not refused", no[i].chain, no[i].file);
        if (!strstr(why, no[i].why))
            fail_msg("%s on %s: '%s' does not say '%s'", no[i].chain, no[i].file, why, no[i].why);
        c.free(c.self);
        rg_problem_free(p);
        rg_ctree_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
