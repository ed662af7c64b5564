/* Refusals: the kind of the reason and its line, beside the sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "poly/kir/kir.h"
#include "poly/steps/steps.h"
#include "tests/poly/nest_fixture.h"
#include "tests/poly/nests.h"

static const struct {
    const char *nest, *after, *step, *site;
    enum rg_refusal_kind kind;
    bool at_line;
} cases[] = {
    {NEST_SCAN, "", "parallelize", "C", RG_REFUSE_DEPENDENCE, true},
    {NEST_DOT, "", "parallelize", "C", RG_REFUSE_DEPENDENCE, true},
    {NEST_SAXPY, "", "wavefront", "C", RG_REFUSE_COST, false},
    {NEST_GEMM, "parallelize", "fuse", "C", RG_REFUSE_SHAPE, true},
    {NEST_SAXPY, "parallelize", "reduce.warp", "C", RG_REFUSE_ORDER, false},
    {NEST_GEMM, "parallelize", "fission", "loop:kk", RG_REFUSE_SHAPE, true},
    {NEST_TURNED, "parallelize", "interchange", "loop:i", RG_REFUSE_DEPENDENCE, true},
    {NEST_SAXPY, "parallelize", "tile.shared", "x", RG_REFUSE_COST, false},
    {NEST_LU, "parallelize", "time.tile", "loop:k", RG_REFUSE_BOUNDS, true},
    {NEST_GEMV, "parallelize", "vectorize", "C", RG_REFUSE_ANALYSIS, false},
};

static void kinds(void **state)
{
    size_t as_said = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        char why[512] = "";
        struct rg_site_list l = {0};
        open_nest(&f, cases[i].nest);
        struct rg_template *t = *cases[i].after ? chain_make(&f.c, cases[i].after, why, sizeof why) : NULL;
        assert_int_equal(f.c.sites(f.c.self, t, chain_step(cases[i].step), &l, NULL), RG_OK);
        const struct rg_refusal *r = NULL;
        for (int k = 0; k < l.n_refused; k++)
            if (!strcmp(l.refused[k].site, cases[i].site)) r = &l.refused[k];
        if (!r || r->legal)
            print_error("%s@%s is not refused after '%s'\n", cases[i].step, cases[i].site, cases[i].after);
        else if (r->kind != cases[i].kind || (r->line > 0) != cases[i].at_line)
            print_error("%s@%s: %s, line %d: %s\n", cases[i].step, cases[i].site, rg_refusal_word(r->kind), r->line,
                        r->reason);
        else
            as_said++;
        rg_site_list_release(&l);
        rg_template_unref(t);
        close_nest(&f);
    }
    assert_int_equal(as_said, sizeof cases / sizeof *cases);
}

/* What is legal and not offered is so for its cost. */
static void not_worth(void **state)
{
    struct fixture f;
    char why[512] = "";
    struct rg_site_list l = {0};
    open_nest(&f, NEST_SAXPY);
    struct rg_template *t = chain_make(&f.c, "parallelize", why, sizeof why);
    for (int i = 0; i < N_CHAIN_STEPS; i++) {
        assert_int_equal(f.c.sites(f.c.self, t, &chain_steps[i], &l, NULL), RG_OK);
        for (int k = 0; k < l.n_refused; k++) {
            assert_int_not_equal(l.refused[k].kind, RG_REFUSE_NONE);
            if (l.refused[k].legal) assert_int_equal(l.refused[k].kind, RG_REFUSE_COST);
        }
        rg_site_list_release(&l);
        memset(&l, 0, sizeof l);
    }
    rg_template_unref(t);
    close_nest(&f);
}

/* The coder's answer has the kind and the line of what it refuses. */
static void answers(void **state)
{
    static const struct rg_step unknown = {.id = "unknown", .poly = "unknown"};
    static const struct {
        const char *nest, *after, *step;
        enum rg_refusal_kind kind;
        bool at_line;
    } asked[] = {
        {NEST_SCAN, "", "parallelize", RG_REFUSE_DEPENDENCE, true},
        {NEST_SAXPY, "parallelize", "parallelize", RG_REFUSE_ALREADY, false},
        {NEST_SAXPY, "", "coalesce", RG_REFUSE_ORDER, false},
        {NEST_SAXPY, "", NULL, RG_REFUSE_SITE, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct fixture f;
        struct rg_answer a;
        char why[512] = "";
        bool got = false;
        open_nest(&f, asked[i].nest);
        struct rg_template *t = *asked[i].after ? chain_make(&f.c, asked[i].after, why, sizeof why) : NULL;
        f.c.submit(f.c.self, 1, t, asked[i].step ? chain_step(asked[i].step) : &unknown, "C", NULL, NULL);
        f.c.poll(f.c.self, 0, &a, &got, NULL);
        assert_true(got && a.kind == RG_ANSWER_REFUSED);
        if (a.refusal != asked[i].kind || (a.line > 0) != asked[i].at_line)
            fail_msg("%s: %s, line %d: %s", asked[i].step, rg_refusal_word(a.refusal), a.line, a.message);
        rg_template_unref(t);
        close_nest(&f);
    }
}

/* So have kernels in kernel IR: a row that is longer than the threads hold, a statement that has no form. */
static void kernels(void **state)
{
    struct poly_values v = {.row = 32, .held = 1, .rows = 1};
    struct rg_error err = RG_ERROR_INIT;
    struct rg_arena arena = RG_ARENA_INIT;
    struct rg_reason why = {0};
    struct poly_actions e = {0};
    struct rg_problem *p;
    struct rg_ctree *t;
    struct poly_scop *s;
    (void)state;
    mini_parse("nest",
               "in x[m][1024]; out y[m][1024]; int m | for i 0, m { local s = 0.0; for j 0, 1024 { s += x(i,j); } "
               "for k 0, 1024 { y(i,k) = x(i,k) / s; } }",
               &p, &t);
    assert_int_equal(rg__poly_scop_new(p, t, &s, &err), RG_OK);
    rg__poly_actions_add(&e, &rg__poly_step_parallelize, "C");
    rg__poly_actions_add(&e, &rg__poly_step_row_registers, "C");
    struct poly_program *program = rg__poly_apply(s, &e, &why);
    if (!program) fail_msg("%s", why.text);
    assert_null(rg__poly_kir_build(program, &program->kernels[0], &v, &arena, &why));
    assert_int_equal(why.kind, RG_REFUSE_SPACE);
    v.held = 16;
    v.row = 64;
    why = (struct rg_reason){.line = 0};
    assert_non_null(rg__poly_kir_build(program, &program->kernels[0], &v, &arena, &why));
    struct kir_names *names = rg__kir_names_new(rg__kir_kernel_new(&arena, t, "nest"), t);
    const struct rg_cnode returns = {.kind = RG_C_RETURN, .line = 7, .array = -1, .var = -1};
    struct rg_cnode *inside[] = {(struct rg_cnode *)&returns};
    const struct rg_cnode block = {.kind = RG_C_BLOCK, .line = 3, .n = 1, .kid = inside, .array = -1, .var = -1};
    assert_null(rg__kir_statement(names, &block));
    rg__poly_no_form(names, &why, "nothing");
    assert_int_equal(why.kind, RG_REFUSE_FORM);
    assert_int_equal(why.line, 7); /* not the block's */
    assert_string_equal(why.text, names->why);
    rg_arena_release(&arena);
    rg__poly_program_free(program);
    rg__poly_scop_free(s);
    rg_ctree_free(t);
    rg_problem_free(p);
}

/* A sentence may quote the one before it. */
static void quoted(void **state)
{
    struct rg_reason why = {0};
    assert_false(rg_refuse(&why, RG_REFUSE_SPACE, 7, "no room for %s", "x"));
    assert_false(rg_refuse(&why, RG_REFUSE_FORM, -1, "%s, twice", why.text));
    assert_int_equal(why.kind, RG_REFUSE_FORM);
    assert_int_equal(why.line, 0);
    assert_string_equal(why.text, "no room for x, twice");
    assert_string_equal(rg_refusal_word(RG_REFUSE_BARRIER), "barrier");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),   cmocka_unit_test(not_worth), cmocka_unit_test(answers),
        cmocka_unit_test(kernels), cmocka_unit_test(quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
