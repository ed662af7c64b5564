/* Every step of the shipped graph that the built-in coder does: a nest where it applies and what its kernel shows for
 * it, a nest where it is refused and the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "poly/steps/steps.h"
#include "tests/poly/nest_fixture.h"
#include "tests/poly/chains.h"

enum { N = sizeof step_cases / sizeof *step_cases };

static void apply_and_refuse(void **state)
{
    for (int i = 0; i < N; i++) {
        has(step_cases[i].nest, step_cases[i].chain, step_cases[i].shows);
        refused(step_cases[i].not_on, step_cases[i].refused, step_cases[i].why);
    }
}

/* A step that comes new into the graph needs its line. */
static void all_of_the_graph(void **state)
{
    static char text[1 << 20];
    FILE *f = fopen("graphs/cuda.json", "r");
    if (!f) skip(); /* not run from the tree */
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    int found = 0;
    for (const char *p = text; (p = strstr(p, "\"poly\": \"")); found++) {
        p += strlen("\"poly\": \"");
        bool known = false;
        for (int i = 0; i < N; i++)
            known = known || (!strncmp(p, step_cases[i].step, strlen(step_cases[i].step)) &&
                              p[strlen(step_cases[i].step)] == '"');
        for (int i = 0; i < N_FIRST_STEPS; i++) /* test_first_steps.c */
            known = known || (!strncmp(p, first_steps[i].poly, strlen(first_steps[i].poly)) &&
                              p[strlen(first_steps[i].poly)] == '"');
        if (!known) fail_msg("no line for %.*s", (int)strcspn(p, "\""), p);
    }
    assert_true(found > 20);
}

/* A step's word is the name that the registry knows it by. */
static void registered(void **state)
{
    static const char *const words[] = {
#define X(word) #word,
        POLY_STEPS(X)
#undef X
    };
    for (int i = 0; i < POLY_N_STEPS; i++) {
        assert_string_equal(rg__poly_steps[i]->word, words[i]);
        assert_int_equal(rg__poly_steps[i]->rank, i);
        assert_ptr_equal(rg__poly_step_named(words[i]), rg__poly_steps[i]);
        assert_true(rg_poly_knows(words[i]));
    }
    assert_false(rg_poly_knows("no_step"));
}

/* A tunable that a step opens is one that kernels are printed with. */
static void opened(void **state)
{
    for (int i = 0; i < POLY_N_STEPS; i++)
        for (const struct poly_opens *x = rg__poly_steps[i]->opens; x && x->name; x++) {
            struct rg_tunable one = {.name = x->name};
            struct rg_tunables t = {.n = 1, .items = &one};
            struct rg_vector v = {.n = 1, .values = {4711}};
            struct poly_values got;
            rg__poly_values_of(&t, &v, &got);
            bool found = false;
            for (size_t m = 0; m < sizeof got / sizeof(int64_t); m++) found = found || ((int64_t *)&got)[m] == 4711;
            if (!found)
                fail_msg("%s opens %s, which is no member of struct poly_values", rg__poly_steps[i]->word, x->name);
        }
}

/* What a step would do to a kernel that only stands in at other sizes is no action for a search. */
static void stand_ins(void **state)
{
    struct rg_problem *p;
    struct rg_ctree *t;
    struct rg_coder c;
    char why[512];
    (void)state;
    mini_parse("nest", NEST_SOFTMAX, &p, &t);
    assert_int_equal(rg_poly_new(p, t, &c, NULL), RG_OK);
    struct rg_template *rows = chain_make(&c, "row.registers", why, sizeof why);
    assert_non_null(rows);
    static const struct {
        const char *step;
        bool offered;
    } next[] = {{"row.warp", false}, {"reduce.warp", false}, {"unroll", false}, {"launch.bounds", true}};
    for (size_t i = 0; i < sizeof next / sizeof *next; i++) {
        struct rg_site_list l = {0};
        assert_int_equal(c.sites(c.self, rows, chain_step(next[i].step), &l, NULL), RG_OK);
        if ((l.n > 0) != next[i].offered) fail_msg("%s after row.registers: %d sites", next[i].step, l.n);
        if (!next[i].offered) assert_true(l.n_refused > 0 && l.refused[0].legal);
        rg_site_list_release(&l);
    }
    rg_template_unref(rows);
    c.free(c.self);
    rg_ctree_free(t);
    rg_problem_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(apply_and_refuse), cmocka_unit_test(all_of_the_graph),
                                       cmocka_unit_test(registered), cmocka_unit_test(opened),
                                       cmocka_unit_test(stand_ins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
