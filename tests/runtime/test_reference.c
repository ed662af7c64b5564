/* The reference worker: what it makes of good functions, and what it says of bad ones. test-deadline: 300 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "reference_fixture.h"
#include "runtime/data/layout.h"
#include <math.h>
#include <rg/file.h>
#include <signal.h>

static const struct fx_param xy[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                     {"x", "float", "n", RG_ROLE_IN, NULL, false},
                                     {"y", "float", "n", RG_ROLE_OUT, NULL, false},
                                     {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
static const char xy_call[] = "f(*(int*)a[0], a[1], a[2])";

static struct rg_problem *xy_problem(const char *source)
{
    return fx_problem("f", xy, source, xy_call, NULL, "100000;1000;37;5", 2);
}

static void check(struct rg_problem *p, enum rg_status want, const char *says)
{
    p->line = 1; /* as the frontend states it */
    struct rg_farm *f = farm_of(p);
    struct rg_error e = RG_ERROR_INIT;
    char text[1500];
    enum rg_status s = rg__farm_cases(f, &e);
    rg_error_format(&e, text, sizeof text);
    if (s != want) fail_msg("status %s: %s", rg_status_name(s), text);
    if (says && !strstr(text, says)) fail_msg("'%s' does not say '%s'", text, says);
    if (want == RG_INPUT && (!e.file[0] || e.line < 1)) fail_msg("'%s' names no place", text);
    rg_farm_free(f);
    rg_problem_free(p);
}

static void refuses(const char *source, const char *says)
{
    check(xy_problem(source), RG_INPUT, says);
}

static void fills_cases(void **state)
{
    struct rg_problem *p = fx_saxpy("200000;1000;37;5");
    struct rg_farm *f = farm_of(p);
    struct rg_error e = RG_ERROR_INIT;
    if (rg__farm_cases(f, &e) != RG_OK) fail_msg("%s", e.text);
    assert_true(f->n_cases >= 7);
    assert_true(f->info.sequential_ms > 0);
    assert_int_equal(f->info.sequential_how, RG_SEQUENTIAL_MEASURED);
    int timed = 0, again = 0, seeds = 0;
    for (int i = 0; i < f->n_cases; i++) {
        const struct rg_case *c = &f->cases[i];
        timed += c->timed;
        again += c->again;
        if (p->sizes[c->size].values[0] == 5 && !c->again) seeds++;
        if (c->timed) continue;
        struct rg_arena a = RG_ARENA_INIT;
        struct rg_layout l;
        struct rg_mapping m;
        assert_int_equal(rg__layout(&a, p, &p->sizes[c->size], true, &l, NULL), RG_OK);
        assert_int_equal(rg__shm_map(f->shm.fd, c->at, false, &m, NULL), RG_OK);
        const char *b = m.data;
        float s = *(const float *)(const void *)(b + l.slots[1].input);
        const float *x = (const float *)(const void *)(b + l.slots[2].input),
                    *y = (const float *)(const void *)(b + l.slots[3].input);
        const float *out = (const float *)(const void *)(b + l.slots[3].expect);
        for (int64_t k = 0; k < l.slots[3].elements; k++)
            assert_true(fabsf(out[k] - (s * x[k] + y[k])) <= 1e-5f * (1 + fabsf(out[k])));
        rg__shm_unmap(&m);
        rg_arena_release(&a);
    }
    assert_int_equal(timed, 1);
    assert_true(again >= 1);
    assert_true(seeds >= 2);
    rg_farm_free(f);
    rg_problem_free(p);
}

#define SUM(head) head " { float s = 0; for (int i = 0; i < n; i++) s += x[i]; *c = n; return s; }"

/* A sum whose evaluation in double is `oracle`. What a case at n = 1000003 then holds: the oracle's value, and how far
 * it and the sequential run are from the exact sum. */
static void sum_with_oracle(const char *oracle, double *by_oracle, double *off_oracle, double *off_sequential)
{
    static const struct fx_param params[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                             {"x", "float", "n", RG_ROLE_IN, "uniform 0.1 1.", false},
                                             {"result", "float", "1", RG_ROLE_OUT, NULL, true},
                                             {"c", "int", "1", RG_ROLE_OUT, NULL, false},
                                             {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
    struct rg_problem *p = fx_problem("sum", params, SUM("float sum(int n, const float *x, int *c)"), NULL, NULL,
                                      "2000000;1000003;100", 1);
    const char *call = "*(float *)a[2] = sum(*(int*)a[0], a[1], a[3])",
               *call64 = "*(double *)a[2] = sum64(*(int*)a[0], a[1], a[3])";
    p->reference_c = fx_shim(p, SUM("float sum(int n, const float *x, int *c)"), call, false);
    p->oracle_c = fx_shim(p, oracle, call64, true);
    p->oracle = RG_ORACLE_F64;
    p->accumulates = true;
    struct rg_farm *f = farm_of(p);
    struct rg_error e = RG_ERROR_INIT;
    if (rg__farm_cases(f, &e) != RG_OK) fail_msg("%s", e.text);
    bool seen = false;
    for (int i = 0; i < f->n_cases; i++) {
        const struct rg_case *c = &f->cases[i];
        if (c->timed || p->sizes[c->size].values[0] != 1000003) continue;
        struct rg_arena a = RG_ARENA_INIT;
        struct rg_layout l;
        struct rg_mapping m;
        assert_int_equal(rg__layout(&a, p, &p->sizes[c->size], true, &l, NULL), RG_OK);
        assert_int_equal(rg__shm_map(f->shm.fd, c->at, false, &m, NULL), RG_OK);
        const char *b = m.data;
        const float *x = (const float *)(const void *)(b + l.slots[1].input);
        double exact = 0;
        for (int k = 0; k < 1000003; k++) exact += x[k];
        *by_oracle = *(const double *)(const void *)(b + l.slots[2].oracle);
        *off_oracle = fabs(*by_oracle - exact);
        *off_sequential = fabs((double)*(const float *)(const void *)(b + l.slots[2].expect) - exact);
        seen = true;
        rg__shm_unmap(&m);
        rg_arena_release(&a);
    }
    assert_true(seen);
    rg_farm_free(f);
    rg_problem_free(p);
}

static void oracle_is_more_precise(void **state)
{
    double by, off, sequential;
    sum_with_oracle("double sum64(int n, const double *x, int *c) { double s = 0; for (int i = 0; i < n; i++) s += "
                    "x[i]; *c = n; return s; }",
                    &by, &off, &sequential);
    assert_true(off < 1e-6);
    assert_true(sequential > 1e-3); /* float sums drift: that is why there is an oracle */
}

/* What the function does in double is no fault of the user's: its own results stand, and a word is said. The last one
 * gives another integer. */
static void failing_oracle_gives_way(void **state)
{
    static const char *const bad[] = {
        "double sum64(int n, const double *x, int *c) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; "
        "*(volatile int *)8 = 0; return s; }",
        "double sum64(int n, const double *x, int *c) { double s = 0; for (int i = 0; i < 100 * n; i++) s += x[i]; "
        "return s; }",
        "void exit(int); double sum64(int n, const double *x, int *c) { exit(3); return 0; }",
        "double sum64(int n, const double *x, int *c) { volatile int go = 1; while (go) go = 1; return 0; }",
        "double sum64(int n, const double *x, int *c) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; *c = n + "
        "1; return s; }"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double by, off, sequential;
        sum_with_oracle(bad[i], &by, &off, &sequential);
        assert_true(off == sequential && off > 1e-3);
    }
}

/* The first of its processes is stopped in the middle of the user's C: it is asked again, elsewhere. */
static void stopped_reference_is_replaced(void **state)
{
    char *source = rg_xasprintf(
        "#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\nint raise(int);\n"
        "void f(int n, const float *x, float *y) { char flag[500]; snprintf(flag, 500, \"%%s/flag\", "
        "getenv(\"TMPDIR\"));\n"
        "for (int i = 0; i < n; i++) y[i] = 2 * x[i]; if (open(flag, O_CREAT | O_EXCL, 0600) >= 0) raise(%d); }",
        SIGSTOP);
    double start = rg_now();
    check(xy_problem(source), RG_OK, NULL);
    assert_true(rg_now() - start > 2.5); /* it was: that takes 3 s to be seen */
    free(source);
}

static void out_of_bounds_is_named(void **state)
{
    refuses("void f(int n, const float *x, float *y) { for (int i = 0; i <= n; i++) y[i] = x[0]; }",
            "y[5] is outside its extent of 5 elements");
    refuses("void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i] + x[i + 1]; }",
            "x[5] is outside");
    refuses("void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i] + x[i - 1]; }",
            "x[-1] is outside");
    refuses("void f(int n, const float *x, float *y) { y[-1] = 0; for (int i = 0; i < n; i++) y[i] = x[i]; }",
            "y[-1] is outside");
}

static void crashes_are_explained(void **state)
{
    refuses("void f(int n, const float *x, float *y) { *(volatile int *)0 = 1; }", "segmentation fault");
    refuses("#include <stdlib.h>\nvoid f(int n, const float *x, float *y) { abort(); }", "abort");
    refuses("volatile int zero; void f(int n, const float *x, float *y) { y[0] = n / zero; }", "division by zero");
    refuses("#include <stdlib.h>\nvoid f(int n, const float *x, float *y) { exit(3); }", "ended with status 3");
    refuses("void f(int n, const float *x, float *y) { volatile char big[1 << 20]; for (int i = 0; i < 1 << 20; i++) "
            "big[i] = 1; f(n, x, y); y[0] = big[n]; }",
            "the stack may have overflowed");
    refuses("void f(int n, const float *x, float *y) { volatile int few[4]; int far = 1 << 28; for (int i = 0; i < n; "
            "i++) few[far + i] = 1; y[0] = few[n]; }",
            "a subscript leads far out of a local array");
    refuses("void f(int n, const float *x, float *y) { y[0] = *(volatile float *)(0x8000000000000 + (char *)y); }",
            "a pointer was never set");
}

static void hang_is_told(void **state)
{
    refuses("void f(int n, const float *x, float *y) { for (volatile int i = 0;;) i++; }", "did not return within");
}

static void not_finite_is_told(void **state)
{
    refuses("#include <math.h>\nvoid f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = sqrtf(-1 "
            "- x[i] * x[i]); }",
            "nan");
    refuses("void f(int n, const float *x, float *y) { volatile float z = 0; for (int i = 0; i < n; i++) y[i] = x[i] > "
            "0 ? 1 / z : 1; }",
            "inf");
    static const struct fx_param linked[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                             {"x", "float", "n", RG_ROLE_IN, NULL, false},
                                             {"links", "int", "n", RG_ROLE_IN, NULL, false},
                                             {"y", "float", "n", RG_ROLE_OUT, NULL, false},
                                             {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
    check(fx_problem("f", linked,
                     "void f(int n, const float *x, const int *links, float *y) { float s = 0; for (int i = 0; i < n; "
                     "i++) y[i] = s += x[i] / links[i]; }",
                     "f(*(int*)a[0], a[1], a[2], a[3])", NULL, "1000;37", 2),
          RG_INPUT, "input(links: uniform(1, 10))");
    check(fx_problem("f", linked, /* a few are no numbers */
                     "void f(int n, const float *x, const int *links, float *y) { for (int i = 0; i < n; i++) y[i] = "
                     "x[i] / links[i]; }",
                     "f(*(int*)a[0], a[1], a[2], a[3])", NULL, "1000;37", 2),
          RG_OK, NULL);
}

static void mixed_signs_give_way_to_positive(void **state)
{
    check(xy_problem("#include <math.h>\nvoid f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = "
                     "logf(x[i]); }"),
          RG_OK, NULL);
}

static void more_memory_than_there_is(void **state)
{
    check(fx_problem("f", xy,
                     "void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i] + 1; }",
                     xy_call, NULL, "1099511627776;37;5", 2),
          RG_INPUT, "n=1099511627776 needs");
}

static void must_be_deterministic(void **state)
{
    refuses(
        "static int k; void f(int n, const float *x, float *y) { k++; for (int i = 0; i < n; i++) y[i] = x[i] + k; }",
        "not deterministic");
    refuses("void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] += 1 + 0 * x[i]; y[0] = *(int "
            "*)y; }",
            "not deterministic");
    /* state that moves by the last place goes on moving */
    refuses(
        "static float k = 1; void f(int n, const float *x, float *y) { k *= 1.0000002f; for (int i = 0; i < n; i++) "
        "y[i] = x[i] * k; }",
        "not deterministic");
}

/* What is made in the first call may be rounded otherwise than on later ones, as compilers write that way out twice. */
static void first_calls_may_round_otherwise(void **state)
{
    check(xy_problem("static int made; void f(int n, const float *x, float *y) { float k = made ? 1 : 1.0000001f; made "
                     "= 1; for (int i = 0; i < n; i++) y[i] = x[i] * k; }"),
          RG_OK, NULL);
    refuses(
        "static int made; void f(int n, const float *x, float *y) { float k = made ? 1 : 1.001f; made = 1; for (int i "
        "= 0; i < n; i++) y[i] = x[i] * k; }",
        "not deterministic");
}

static void null_kernels_must_fail(void **state)
{
    refuses("void f(int n, const float *x, float *y) { }", "leaves its outputs as they were");
    refuses("void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = 0 * x[i]; }", "writes zeros");
    refuses("void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = 7; }",
            "would pass as f on every input tried (at n=");
    refuses("void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = i + 1; }",
            "gave the same outputs at n=5; n=37; n=1000.");
    struct rg_problem *p =
        xy_problem("void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = 7; }");
    p->allow_trivial = true;
    check(p, RG_OK, NULL);
    /* a copy passes: its inputs differ from set to set */
    check(xy_problem("void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i]; }"), RG_OK,
          NULL);
    /* what is overwritten, as far as it can be told only sometimes, may hold anything before */
    static const struct fx_param written[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                              {"k", "int", NULL, RG_ROLE_IN, NULL, false},
                                              {"y", "float", "n", RG_ROLE_INOUT, NULL, false},
                                              {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
    check(fx_problem("f", written,
                     "void f(int n, int k, float *y) { if (n < 0) return; for (int i = 0; i < n; i++) y[i] = i * i; }",
                     "f(*(int *)a[0], *(int *)a[1], a[2])", NULL, "30,3;17,3;5,3", 3),
          RG_OK, NULL);
    /* a size at which nothing is written is a case like others: candidates must write nothing there */
    check(xy_problem("void f(int n, const float *x, float *y) { for (int i = 10; i < n; i++) y[i] = x[i]; }"), RG_OK,
          NULL);
    /* parts that are not written stay out of it */
    check(xy_problem("void f(int n, const float *x, float *y) { for (int i = 1; i < n - 1; i++) y[i] = x[i]; }"), RG_OK,
          NULL);
}

static void compiler_errors_have_places(void **state)
{
    refuses("# 12 \"user.c\"\nvoid f(int n, const float *x, float *y) { y[0] = undeclared; }", "user.c:12:");
    refuses("void g(float *); void f(int n, const float *x, float *y) { g(y); }", "--with");
}

static void what_it_prints_is_harmless(void **state)
{
    check(xy_problem("#include <stdio.h>\n#include <unistd.h>\nvoid f(int n, const float *x, float *y) { char c; "
                     "printf(\"{\\\"msg\\\":1}\\n\"); fflush(stdout);"
                     "if (write(1, \"junk\\n\", 5) < 0 || read(0, &c, 1) > 0) return; for (int i = 0; i < n; i++) y[i] "
                     "= x[i] + 1; }"),
          RG_OK, NULL);
}

static void names_of_libc_are_the_users(void **state)
{
    /* `index` and `remove` exist in libc and `rg_now` in the worker: the user's must win */
    check(xy_problem("static float seen; float index(float v) { return v + 1; } double rg_now(void) { return 2; }\n"
                     "void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = index(x[i]) * "
                     "rg_now(); seen = y[0]; }"),
          RG_OK, NULL);
}

/* Where an init function makes the inputs, sets differ by next to nothing: that outputs are alike says nothing of the
 * function. */
static void init_makes_everything(void **state)
{
    static const struct fx_param params[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                             {"x", "float", "n", RG_ROLE_IN, "init", false},
                                             {"y", "float", "n", RG_ROLE_OUT, NULL, false},
                                             {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
    struct rg_problem *p = fx_problem("f", params, "", xy_call, NULL, "1000;100", 2);
    p->init_function = "my_init";
    p->reference_c =
        fx_shim(p,
                "void my_init(void **a) { float *x = a[1]; for (int i = 0; i < *(int *)a[0]; i++) x[i] = i % 7; }\n"
                "void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = x[i] > 3.5f ? 1 : 2; }",
                xy_call, false);
    check(p, RG_OK, NULL);
}

/* The same where one element is all that comes out: it is no constant only by being told from another. */
static void init_makes_the_one_result(void **state)
{
    static const struct fx_param params[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                             {"x", "int", "n", RG_ROLE_IN, "init", false},
                                             {"y", "int", "1", RG_ROLE_OUT, NULL, false},
                                             {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
    for (int sizes = 1; sizes <= 2; sizes++) { /* of those that are verified */
        struct rg_problem *p = fx_problem("f", params, "", xy_call, NULL, sizes == 1 ? "1000;100" : "1000;100;50", 2);
        p->init_function = "my_init";
        p->reference_c = fx_shim(
            p,
            "void my_init(void **a) { int *x = a[1]; for (int i = 0; i < *(int *)a[0]; i++) x[i] = i % 7; }\n"
            "void f(int n, const int *x, int *y) { *y = 0; for (int i = 0; i < n; i++) if (x[i] > *y) *y = x[i]; }",
            xy_call, false);
        if (sizes == 1)
            check(p, RG_OK, NULL);
        else /* two sizes tell it from another */
            check(p, RG_INPUT, "writes one constant would pass as f on every input tried (at n=");
    }
}

/* Sizes at which there is nothing to tell apart do not stand for the others. */
static void trivial_sizes_do_not_decide(void **state)
{
    static const char same[] = "void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = n > 50 ? "
                               "x[i] : i + 1; }",
                      constant[] =
                          "void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = n > 50 "
                          "? x[i] : 3; }";
    check(xy_problem(same), RG_OK, NULL); /* at n=37 and n=5 the outputs do not depend on the inputs */
    check(xy_problem(constant), RG_OK, NULL);
    check(fx_problem("f", xy, same, xy_call, NULL, "30;17;5", 2), RG_INPUT, "gave the same outputs at n=5; n=17");
    check(fx_problem("f", xy, constant, xy_call, NULL, "30;17;5", 2), RG_INPUT,
          "writes one constant would pass as f on every input tried (at n=5; n=17");
}

static void init_functions_fill(void **state)
{
    static const struct fx_param params[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                             {"x", "float", "n", RG_ROLE_IN, "init", false},
                                             {"y", "float", "n", RG_ROLE_OUT, NULL, false},
                                             {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
    struct rg_problem *p = fx_problem("f", params, "", xy_call, NULL, "1000;100", 2);
    p->init_function = "my_init";
    p->reference_c =
        fx_shim(p,
                "void my_init(void **a) { float *x = a[1]; for (int i = 0; i < *(int *)a[0]; i++) x[i] = i + 1; }\n"
                "void f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }",
                xy_call, false);
    struct rg_farm *f = farm_of(p);
    struct rg_error e = RG_ERROR_INIT;
    if (rg__farm_cases(f, &e) != RG_OK) fail_msg("%s", e.text);
    struct rg_input_facts seen;
    assert_true(rg_farm_input(f, 1, &seen));
    assert_true(seen.least == 1 && seen.most == 1000 && !seen.whole && !seen.ascends);
    assert_false(rg_farm_input(f, 0, &seen) || rg_farm_input(f, 2, &seen)); /* a scalar; an output */
    for (int i = 0; i < f->n_cases; i++) {
        struct rg_mapping m;
        if (f->cases[i].timed) continue;
        struct rg_arena a = RG_ARENA_INIT;
        struct rg_layout l;
        assert_int_equal(rg__layout(&a, p, &p->sizes[f->cases[i].size], true, &l, NULL), RG_OK);
        assert_int_equal(rg__shm_map(f->shm.fd, f->cases[i].at, false, &m, NULL), RG_OK);
        const float *x = (const float *)(const void *)((char *)m.data + l.slots[1].input);
        if (f->cases[i].seed == 0)
            assert_true(x[99] == 100);
        else
            assert_true(x[99] != 100 && x[99] > 89 && x[99] < 111); /* later sets vary what init made */
        rg__shm_unmap(&m);
        rg_arena_release(&a);
    }
    rg_farm_free(f);
    rg_problem_free(p);
}

/* Of row pointers, the degrees. */
static void inputs_are_looked_at(void **state)
{
    static const struct fx_param params[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                             {"x", "int", "n", RG_ROLE_IN, "init", false},
                                             {"y", "int", "n", RG_ROLE_OUT, NULL, false},
                                             {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
    for (int falls = 0; falls < 2; falls++) {
        struct rg_problem *p = fx_problem("f", params, "", xy_call, NULL, "1001;100", 2);
        p->init_function = "my_init";
        p->reference_c = fx_shim(p,
                                 falls ? "void my_init(void **a) { int *x = a[1], n = *(int *)a[0]; for (int i = 0; i "
                                         "< n; i++) x[i] = i == n - 1 ? -5 : i / 2 * 6; }\n"
                                         "void f(int n, const int *x, int *y) { for (int i = 0; i < n; i++) y[i] = 2 * "
                                         "x[i]; }"
                                       : "void my_init(void **a) { int *x = a[1], n = *(int *)a[0]; for (int i = 0; i "
                                         "< n; i++) x[i] = i / 2 * 6; }\n"
                                         "void f(int n, const int *x, int *y) { for (int i = 0; i < n; i++) y[i] = 2 * "
                                         "x[i]; }",
                                 xy_call, false);
        struct rg_farm *f = farm_of(p);
        struct rg_error e = RG_ERROR_INIT;
        struct rg_input_facts seen;
        if (rg__farm_cases(f, &e) != RG_OK) fail_msg("%s", e.text);
        assert_true(rg_farm_input(f, 1, &seen) && seen.whole && seen.ascends == !falls);
        assert_true(seen.least == (falls ? -5 : 0) && seen.most == (falls ? 2994 : 3000));
        if (!falls) assert_true(seen.least_step == 0 && seen.most_step == 6 && seen.mean_step == 3);
        rg_farm_free(f);
        rg_problem_free(p);
    }
}

/* Also those of an input that an output stands in front of: the place of its expected values is between the two. */
static void inputs_behind_outputs_are_looked_at(void **state)
{
    static const struct fx_param params[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                             {"y", "float", "n", RG_ROLE_INOUT, "init", false},
                                             {"x", "int", "n", RG_ROLE_IN, "init", false},
                                             {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
    struct rg_problem *p = fx_problem("f", params, "", "f(*(int *)a[0], a[1], a[2])", NULL, "1001;100", 2);
    p->init_function = "my_init";
    p->reference_c = fx_shim(p,
                             "void my_init(void **a) { float *y = a[1]; int *x = a[2], n = *(int *)a[0]; for (int i = "
                             "0; i < n; i++) { y[i] = 2; x[i] = 7 + i; } }\n"
                             "void f(int n, float *y, const int *x) { for (int i = 0; i < n; i++) y[i] += x[i]; }",
                             "f(*(int *)a[0], a[1], a[2])", false);
    struct rg_farm *f = farm_of(p);
    struct rg_error e = RG_ERROR_INIT;
    struct rg_input_facts seen;
    if (rg__farm_cases(f, &e) != RG_OK) fail_msg("%s", e.text);
    assert_true(rg_farm_input(f, 1, &seen) && seen.least == 2 && seen.most == 2);
    assert_true(rg_farm_input(f, 2, &seen) && seen.least == 7 && seen.most == 1007);
    rg_farm_free(f);
    rg_problem_free(p);
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN);
    find_worker_beside(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_cases),
        cmocka_unit_test(oracle_is_more_precise),
        cmocka_unit_test(failing_oracle_gives_way),
        cmocka_unit_test(stopped_reference_is_replaced),
        cmocka_unit_test(out_of_bounds_is_named),
        cmocka_unit_test(crashes_are_explained),
        cmocka_unit_test(hang_is_told),
        cmocka_unit_test(not_finite_is_told),
        cmocka_unit_test(mixed_signs_give_way_to_positive),
        cmocka_unit_test(must_be_deterministic),
        cmocka_unit_test(first_calls_may_round_otherwise),
        cmocka_unit_test(more_memory_than_there_is),
        cmocka_unit_test(null_kernels_must_fail),
        cmocka_unit_test(compiler_errors_have_places),
        cmocka_unit_test(what_it_prints_is_harmless),
        cmocka_unit_test(names_of_libc_are_the_users),
        cmocka_unit_test(init_functions_fill),
        cmocka_unit_test(inputs_are_looked_at),
        cmocka_unit_test(inputs_behind_outputs_are_looked_at),
        cmocka_unit_test(init_makes_everything),
        cmocka_unit_test(init_makes_the_one_result),
        cmocka_unit_test(trivial_sizes_do_not_decide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
