/* What becomes of a reply: a candidate, a repair, a refusal; and which actions are worth a request. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "client_bench.h"
#include <rg/log.h>

static void good_reply(void **state)
{
    struct script sc = {1, {{.body = good}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    assert_true(b.c.stochastic);
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
    assert_int_equal(a.id, 1);
    assert_string_equal(a.tmpl->coder, "llm");
    assert_int_equal(a.tmpl->n_chain, 1);
    assert_string_equal(a.tmpl->chain[0].step, "parallelize");
    assert_string_equal(a.tmpl->chain[0].site, "program");
    struct rg_source src;
    assert_int_equal(rg_template_instantiate(a.tmpl, NULL, &src, &b.err), RG_OK);
    assert_string_equal(src.cuda, GOOD_CUDA);
    assert_string_equal(src.plan, GOOD_PLAN);
    rg_source_release(&src);
    rg_template_unref(a.tmpl);
    assert_non_null(strstr(b.s.last_head, "POST /v1/chat/completions "));
    assert_non_null(strstr(b.s.last_head, "Authorization: Bearer " KEY "\r\n"));
    assert_null(strstr(b.s.last_body, KEY));
    assert_non_null(strstr(b.s.last_body, "\"model\":\"m\""));
    assert_non_null(strstr(b.s.last_body, "\"temperature\":0.2"));
    assert_non_null(strstr(b.s.last_body, "One thread an iteration"));
    assert_non_null(strstr(b.s.last_body, "- `y`: float *, [n] elements, in and out"));
    assert_non_null(strstr(b.s.last_body, "n=1000 (timed); n=7"));
    assert_non_null(strstr(b.s.last_body, "There is no CUDA code yet"));
    struct rg_llm_usage u = usage(&b);
    assert_int_equal(u.calls, 1);
    assert_int_equal(u.prompt_tokens, 1000);
    assert_int_equal(u.completion_tokens, 50);
    assert_true(u.cost == 0); /* this machine is free */
    bench_release(&b);
}

/* The other coder's candidate is shown at the parent's best vector, with the last attempts; the result's chain goes on.
 */
static void parent_and_attempts(void **state)
{
    char *shared = fake_completion(
        "```cuda\n__global__ void t(int n) { __shared__ float s[4]; }\n```\n```plan\nt<<<1, 1>>>(n);\n```", "stop", 1,
        1);
    struct script sc = {1, {{.body = shared}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    struct rg_vector v = {1, {128}};
    struct rg_evaluation e = {.limiter = RG_LIMIT_DRAM};
    struct rg_attempt at[3] = {{NULL, NULL, RG_OUTCOME_RACE, "oldest"},
                               {NULL, NULL, RG_OUTCOME_COMPILE,
                                "note: x\nk.cu(3): error: 'foo' is undefined\n  foo = 1;\nk.cu(9): error: second"},
                               {"LASTCODE", "LASTPLAN", RG_OUTCOME_WRONG, "y[3] is 1, expected 2"}};
    struct rg_hint h = {.vector = &v, .evaluation = &e, .n_attempts = 3, .attempts = at};
    submit(&b, 9, &parent_template, &step_shared, &h);
    struct rg_answer a = wait_answer(&b, 20);
    assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
    assert_int_equal(a.tmpl->n_chain, 2);
    assert_string_equal(a.tmpl->chain[0].step, "coalesce");
    assert_string_equal(a.tmpl->chain[1].step, "tile.shared");
    assert_int_equal(a.tmpl->traits, RG_TRAIT_SHARED);
    assert_non_null(strstr(a.tmpl->key, "k1/llm:tile.shared@program#0+3"));
    rg_template_unref(a.tmpl);
    const char *body = b.s.last_body;
    assert_non_null(strstr(body, "TX=128"));
    assert_null(strstr(body, "TX=64"));
    assert_non_null(strstr(body, "What limits it: device memory bandwidth"));
    assert_non_null(strstr(body, "'foo' is undefined"));
    assert_non_null(strstr(body, "foo = 1;"));
    assert_null(strstr(body, "error: second"));
    assert_null(strstr(body, "note: x"));
    assert_null(strstr(body, "oldest"));
    assert_non_null(strstr(body, "wrong: y[3] is 1, expected 2"));
    assert_non_null(strstr(body, "LASTCODE"));
    assert_null(strstr(body, "There is no CUDA code yet"));
    assert_int_equal(parent_template.refs, 1000);
    bench_release(&b);
    free(shared);
}

static void one_repair(void **state)
{
    char *first[] = {prose, cut, diffy};
    const char *told[] = {"no fenced code block", "Be brief", "You sent a diff"};
    for (int i = 0; i < 3; i++) {
        struct script sc = {2, {{.body = first[i]}, {.body = good}}};
        struct bench b;
        bench_init(&b, &sc);
        bench_open(&b);
        struct rg_answer a = ask(&b);
        assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
        assert_int_equal(usage(&b).calls, 2);
        assert_int_equal(usage(&b).repairs, 1);
        assert_non_null(strstr(b.s.last_body, told[i]));
        rg_template_unref(a.tmpl);
        bench_release(&b);
    }
}

static void only_one_repair(void **state)
{
    struct script sc = {1, {{.body = prose}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_FAILED);
    assert_int_equal(a.status, RG_OK);
    assert_int_equal(a.outcome, RG_OUTCOME_COMPILE);
    assert_non_null(strstr(a.message, "no block"));
    assert_int_equal(b.s.requests, 2);
    bench_release(&b);
}

static void declined_and_not_applied(void **state)
{
    char *same = fake_completion("```cuda\n" SAME_CUDA "```\n```plan\n" SAME_PLAN "\n```\n", "stop", 900, 10);
    struct script sc = {3, {{.body = refused}, {.body = same}, {.body = same}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    struct rg_answer a = ask(&b);
    assert_int_equal(a.kind, RG_ANSWER_REFUSED);
    assert_non_null(strstr(a.message, "nothing is reused"));
    submit(&b, 2, &parent_template, &step_shared, NULL); /* the reply is the current version, twice */
    a = wait_answer(&b, 20);
    assert_int_equal(a.kind, RG_ANSWER_REFUSED);
    assert_true(!strncmp(a.message, "not applied: ", 13));
    assert_int_equal(b.s.requests, 3);
    assert_int_equal(usage(&b).refused, 2);
    bench_release(&b);
    free(same);
}

static enum rg_status looped_instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                         struct rg_error *err)
{
    out->cuda = rg_xstrdup("__global__ void parent(int n) { }\n");
    out->plan = rg_xstrdup("for (int t = 0; t < n; t++) { parent<<<1, 64>>>(n); }\n");
    return RG_OK;
}
static const struct rg_template_ops looped_ops = {.instantiate = looped_instantiate, .free = parent_free};

static void sites_are_the_program(void **state)
{
    struct script sc = {1, {{.body = good}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    struct rg_site_list l = {0};
    assert_int_equal(b.c.sites(b.c.self, NULL, &step_shared, &l, &b.err), RG_OK);
    assert_int_equal(l.n, 1);
    assert_string_equal(l.items[0].name, "program");
    assert_false(l.items[0].exact);
    assert_int_equal(l.items[0].traits, RG_TRAIT_LOOP | RG_TRAIT_PARALLEL);
    assert_int_equal(b.c.sites(b.c.self, &parent_template, &step_shared, &l, &b.err), RG_OK);
    assert_int_equal(l.items[1].traits, RG_TRAIT_LOOP | RG_TRAIT_PARALLEL | RG_TRAIT_ATOMICS);
    rg_site_list_release(&l);
    bench_release(&b);
}

/* A step that has nothing to work on, or whose mark is there already, costs no call. */
static void not_applicable(void **state)
{
    static const struct {
        enum rg_needs needs;
        const char *pattern;
        enum rg_check_change change;
        bool at_root, at_one_launch, at_loop;
    } cases[] = {
        {RG_NEEDS_NOTHING, NULL, RG_CHECK_NONE, true, true, true},
        {RG_NEEDS_CODE, NULL, RG_CHECK_NONE, false, true, true},
        {RG_NEEDS_LAUNCHES, NULL, RG_CHECK_NONE, false, false, true},
        {RG_NEEDS_NO_BEST, NULL, RG_CHECK_NONE, true, true, true}, /* the search's business */
        {RG_NEEDS_NOTHING, "__global__", RG_CHECK_APPEARS, true, false, false},
        {RG_NEEDS_NOTHING, "__global__", RG_CHECK_RISES, true, true, true},
        {RG_NEEDS_NOTHING, "__syncthreads", RG_CHECK_APPEARS, true, true, true},
        {RG_NEEDS_NOTHING, "__syncthreads", RG_CHECK_FALLS, true, false, false},
        {RG_NEEDS_NOTHING, "<<<[^;]*>>>", RG_CHECK_CHANGES, true, true, true},
    };
    static struct rg_link chain[] = {{(char *)"coalesce", (char *)"program"}};
    struct rg_template looped = parent_template;
    looped.ops = &looped_ops;
    looped.key = (char *)"k2";
    looped.chain = chain;
    struct script sc = {1, {{.body = good}}};
    struct bench b;
    bench_init(&b, &sc);
    bench_open(&b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct rg_step s = {
            .id = "x", .needs = cases[i].needs, .check_pattern = cases[i].pattern, .check_change = cases[i].change};
        struct rg_template *at[] = {NULL, &parent_template, &looped};
        const bool want[] = {cases[i].at_root, cases[i].at_one_launch, cases[i].at_loop};
        for (int k = 0; k < 3; k++) {
            struct rg_site_list l = {0};
            assert_int_equal(b.c.sites(b.c.self, at[k], &s, &l, &b.err), RG_OK);
            if (l.n != want[k]) fail_msg("case %d at %d: %d sites", (int)i, k, l.n);
            rg_site_list_release(&l);
        }
    }
    bench_release(&b);
}

/* Nor does a step for loops of a form that the C has not; what analysis sees at the places of a step counts as traits.
 */
static void form_of_the_loops(void **state)
{
    static const struct rg_llm_form forms[] = {{"rows", false, 0}, {"scan", true, RG_TRAIT_SCAN}};
    static const struct {
        const char *step;
        enum rg_needs needs;
        int sites;
        bool scan;
    } cases[] = {{"rows", RG_NEEDS_FORM, 0, false},
                 {"rows", RG_NEEDS_NOTHING, 1, false}, /* the graph doesn't ask */
                 {"scan", RG_NEEDS_FORM, 1, true},
                 {"tile", RG_NEEDS_FORM, 1, false}}; /* unknown */
    struct script sc = {1, {{.body = good}}};
    struct bench b;
    bench_init(&b, &sc);
    b.o.forms = forms;
    b.o.n_forms = 2;
    bench_open(&b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct rg_step s = {.id = cases[i].step, .needs = cases[i].needs};
        struct rg_template *at[] = {NULL, &parent_template};
        for (int k = 0; k < 2; k++) {
            struct rg_site_list l = {0};
            assert_int_equal(b.c.sites(b.c.self, at[k], &s, &l, &b.err), RG_OK);
            assert_int_equal(l.n, cases[i].sites);
            if (l.n) assert_int_equal((l.items[0].traits & RG_TRAIT_SCAN) != 0, cases[i].scan);
            rg_site_list_release(&l);
        }
    }
    bench_release(&b);
}

/* What another coder wrote is shown with a blank for each four in front of a line, and up to 4 kB of it: of a longer
 * version the model is told the time, and writes its own from the C; steps that would change its text are not asked. */
static int body_lines;
static enum rg_status long_instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                       struct rg_error *err)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_str(&b, "__global__ void k(int *p)\n{\n");
    for (int i = 0; i < body_lines; i++) rg_buf_printf(&b, "        p[%03d] = 1; /* %03d */\n", i, i);
    rg_buf_str(&b, "}\n");
    out->cuda = rg_buf_steal(&b);
    out->plan = rg_xstrdup("k<<<1, 1>>>(y);\n");
    return RG_OK;
}
static const struct rg_template_ops long_ops = {.instantiate = long_instantiate, .free = parent_free};

static void long_versions(void **state)
{
    const struct rg_step readonly = {.id = "readonly", .once = RG_ONCE_SITE, .poly = "readonly"},
                         improve = {.id = "improve", .needs = RG_NEEDS_BEST};
    struct rg_link chain[] = {{(char *)"coalesce", (char *)"program"}};
    for (int k = 0; k < 4; k++) {
        bool long_ = k & 1, own = k & 2;
        struct script sc = {1, {{.body = good}}};
        struct bench b;
        bench_init(&b, &sc);
        bench_open(&b);
        body_lines = long_ ? 400 : 200;
        struct rg_template t = parent_template;
        t.ops = &long_ops;
        t.coder = own ? "llm" : "poly";
        t.key = (char *)(own ? "own" : "long");
        t.chain = chain;
        t.tunables = (struct rg_tunables){0};
        struct rg_site_list l = {0};
        assert_int_equal(b.c.sites(b.c.self, &t, &readonly, &l, &b.err), RG_OK);
        assert_int_equal(l.n, !long_ || own);
        rg_site_list_release(&l);
        l = (struct rg_site_list){0};
        assert_int_equal(b.c.sites(b.c.self, &t, &improve, &l, &b.err), RG_OK);
        assert_int_equal(l.n, 1);
        rg_site_list_release(&l);
        struct rg_evaluation e = {.outcome = RG_OUTCOME_OK, .time_us = 12.5};
        struct rg_hint h = {.evaluation = &e};
        submit(&b, 1, &t, &improve, &h);
        struct rg_answer a = wait_answer(&b, 20);
        assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
        rg_template_unref(a.tmpl);
        const char *body = b.s.last_body;
        bool shown = !long_ || own;
        assert_int_equal(strstr(body, "p[007] = 1;") != NULL, shown);
        assert_int_equal(strstr(body, "\\n  p[007] = 1;") != NULL, shown && !own);
        assert_int_equal(strstr(body, "is too long to be shown") != NULL, !shown);
        assert_non_null(strstr(body, "12.5 us"));
        bench_release(&b);
    }
}

/* A request that would be long leaves out the examples first, and of the version and the failed attempt at it the
 * attempt alone is shown: an error is mended there. */
static void long_requests(void **state)
{
    struct rg_buf code = RG_BUF_INIT;
    for (int i = 0; i < 150; i++) rg_buf_printf(&code, "q[%03d] = undeclared;\n", i);
    const struct rg_attempt last = {code.data, "k<<<1, 1>>>(y);", RG_OUTCOME_COMPILE, "k.cu(3): error: no"};
    struct rg_hint h = {.n_attempts = 1, .attempts = &last};
    static char example[] = "an example of the step";
    struct rg_step step = step_shared;
    step.example_before = example;
    for (int long_ = 0; long_ < 2; long_++) {
        struct script sc = {1, {{.body = good}}};
        struct bench b;
        bench_init(&b, &sc);
        bench_open(&b);
        body_lines = long_ ? 190 : 5;
        struct rg_template t = parent_template;
        t.ops = &long_ops;
        t.tunables = (struct rg_tunables){0};
        submit(&b, 1, &t, &step, &h);
        struct rg_answer a = wait_answer(&b, 20);
        assert_int_equal(a.kind, RG_ANSWER_TEMPLATE);
        rg_template_unref(a.tmpl);
        const char *body = b.s.last_body;
        assert_int_equal(strstr(body, example) != NULL, !long_);
        assert_int_equal(strstr(body, "p[004] = 1;") != NULL, !long_);
        assert_int_equal(strstr(body, "The last attempt, which started from it, is shown below") != NULL, long_);
        assert_non_null(strstr(body, "q[149] = undeclared;"));
        assert_non_null(strstr(body, "k.cu(3): error: no"));
        bench_release(&b);
    }
    rg_buf_release(&code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_reply),
        cmocka_unit_test(parent_and_attempts),
        cmocka_unit_test(one_repair),
        cmocka_unit_test(only_one_repair),
        cmocka_unit_test(declined_and_not_applied),
        cmocka_unit_test(sites_are_the_program),
        cmocka_unit_test(not_applicable),
        cmocka_unit_test(form_of_the_loops),
        cmocka_unit_test(long_versions),
        cmocka_unit_test(long_requests),
    };
    return cmocka_run_group_tests(tests, texts_make, texts_free);
}
