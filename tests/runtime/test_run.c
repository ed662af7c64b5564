/* Verification, screening and pruning over a fake device; the comparison of outputs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "run_fixture.h"
#include "runtime/data/compare.h"

static void nothing(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    d->clock_us += 1;
}
static void off_by_little(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    right(d, l, f);
    struct args g = args_of(l);
    g.y[g.n / 2] += 0.01f;
}
static void spoils_input(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    right(d, l, f);
    args_of(l).x[0] += 1;
}
static void writes_beside(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    right(d, l, f);
    struct args g = args_of(l);
    g.y[g.n] = 0;
}
static void traps(struct fake_device *d, const struct rg_launch *l, struct rg_fault *f)
{
    f->outcome = RG_OUTCOME_CRASH;
    strcpy(f->message, "illegal instruction");
}
static const struct fake_kernel kernels[] = {{"_Z5rightifPKfPf", right},
                                             {"_Z7nothingifPKfPf", nothing},
                                             {"_Z13off_by_littleifPKfPf", off_by_little},
                                             {"_Z12spoils_inputifPKfPf", spoils_input},
                                             {"_Z13writes_besideifPKfPf", writes_beside},
                                             {"_Z5trapsifPKfPf", traps},
                                             {NULL, NULL}};

static void verify(struct world *w, const char *kernel, enum rg_outcome want, const char *says)
{
    struct rg_error e = RG_ERROR_INIT;
    load(w, kernel, NULL);
    if (rg__verify(&w->r, &w->l, false, &w->fault, &w->reply, &e) != RG_OK) fail_msg("%s", e.text);
    if (w->fault.outcome != want) fail_msg("%s: %s %s", kernel, rg_outcome_word(w->fault.outcome), w->fault.message);
    if (says && !strstr(w->fault.message, says)) fail_msg("'%s' does not say '%s'", w->fault.message, says);
}

static void outcomes(void **state)
{
    struct world w;
    world_new(&w, kernels);
    verify(&w, "right", RG_OUTCOME_OK, NULL);
    assert_true(w.reply.max_error < 1e-6);
    verify(&w, "nothing", RG_OUTCOME_WRONG, "y[0] is");
    verify(&w, "off_by_little", RG_OUTCOME_WRONG, "y[2] is"); /* n = 5 comes first */
    assert_non_null(strstr(w.fault.message, "n=5"));
    assert_true(w.reply.max_error > 0.003 && w.reply.max_error < 0.1); /* 0.01, in units of y's rms */
    verify(&w, "spoils_input", RG_OUTCOME_WRONG, "changed the input x");
    verify(&w, "writes_beside", RG_OUTCOME_BOUNDS, "'y'");
    verify(&w, "right", RG_OUTCOME_OK, NULL); /* nothing of it stays */
    world_end(&w);
}

/* PTX of right(n, a, x, y) whose body is given; threads' numbers are in %r1, y in %rd1, n in %r2. */
static void load_ptx(struct world *w, const char *body, const char *plan)
{
    char ptx[1500];
    int len = snprintf(ptx, sizeof ptx,
                       ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry _Z5rightifPKfPf(.param .u32 p0, "
                       ".param .f32 p1, .param .u64 p2, .param .u64 p3)\n"
                       "{\n.reg .b32 %%r<5>; .reg .b64 %%rd<5>; .reg .f32 %%f<3>; .reg .pred %%p<2>;\nmov.u32 %%r1, "
                       "%%tid.x;\nld.param.u32 %%r2, [p0];\nld.param.u64 %%rd1, [p3];\n"
                       "%s\nret;\n}\n",
                       body);
    load(w, "right", plan);
    w->program.ptx = put(w, ptx, (size_t)len + 1);
    w->fault = (struct rg_fault){RG_OUTCOME_OK, ""};
}

static bool screen(struct world *w, const char *body)
{
    load_ptx(w, body, NULL);
    int before = w->d->launches;
    bool screened = rg__screen(&w->r, &w->program, &w->fault);
    assert_int_equal(w->d->launches, before); /* the device itself sees nothing of it */
    return screened;
}

static void screened_before_the_first_launch(void **state)
{
    struct world w;
    world_new(&w, kernels);
    rg__screen_open(&w.r);
    assert_true(screen(&w, "") == 1);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK); /* results are not compared there */
    assert_true(screen(&w, "st.global.u32 [%rd1], %r1;") == 1);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_RACE);
    assert_non_null(strstr(w.fault.message, "offset 0 of 'y'"));
    assert_non_null(strstr(w.fault.message, "before the first launch"));
    assert_true(screen(&w, "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd2, %rd1;\nst.global.u32 [%rd2], %r1;") == 1);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_BOUNDS);
    /* what cannot be simulated, or would take too long, is let pass */
    assert_true(screen(&w, "barrier.cluster.arrive.aligned;") == 0);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    assert_true(screen(&w, "$L:\nbra $L;") == 0);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    w.r.no_screen = true;
    assert_true(screen(&w, "st.global.u32 [%rd1], %r1;") == 0);
    assert_int_equal(w.fault.outcome, RG_OUTCOME_OK);
    rg__screen_end(&w.r);
    world_end(&w);
}

/* A chain of `limit` times eight exponentials, one after another: some 90 ns each round on the device that is
 * simulated. */
#define CHAIN(limit)                                                                                                   \
    "mov.f32 %f1, 0f3F800000;\nmov.u32 %r3, 0;\n" limit "$L:\n" E2 E2 E2 E2 E2 E2 E2 E2                                \
    "add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, %r4;\n@%p1 bra $L;\n"                                                 \
    "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd2, %rd1;\nst.global.f32 [%rd2], %f1;"
#define E2 "ex2.approx.f32 %f1, %f1;\n"
static const char one_warp[] = "%s<<<1, 32>>>(n, a, x, y);";

static enum rg_outcome prune(struct world *w, enum rg_may_prune may, double best_us, const char *body, const char *plan)
{
    load_ptx(w, body, plan);
    w->r.prune = may;
    w->r.best_us = best_us;
    int before = w->d->launches;
    rg__prune(&w->r, rg__expect(&w->r, &w->program), &w->fault, &w->reply);
    assert_int_equal(w->d->launches, before);
    return w->fault.outcome;
}

static void pruned_by_estimate(void **state)
{
    static const char slow[] = CHAIN("mov.u32 %r4, 60000;\n"), quick[] = CHAIN("mov.u32 %r4, 60;\n"),
                      long_[] = CHAIN("mov.u32 %r4, 4000000000;\n");
    struct world w;
    world_new(&w, kernels);
    rg__screen_open(&w.r);
    assert_string_equal(w.r.model, ""); /* no file describes a fake: whatever is asked for, its candidates are timed */
    assert_int_equal(prune(&w, RG_PRUNE_MAY, 1000, slow, one_warp), RG_OUTCOME_OK);
    strcpy(w.r.model, "h200");
    assert_int_equal(prune(&w, RG_PRUNE_MAY, 1000, slow, one_warp), RG_OUTCOME_PRUNED);
    assert_non_null(strstr(w.fault.message, "not timed"));
    assert_true(isnan(counter(&w, "prune_low_us")));
    /* one in 20 is timed, and says what was expected */
    assert_int_equal(prune(&w, RG_PRUNE_MEASURE, 1000, slow, one_warp), RG_OUTCOME_OK);
    assert_true(counter(&w, "prune_limit_us") == 2000 && counter(&w, "prune_low_us") > 2000 &&
                counter(&w, "prune_low_us") < 20000);
    assert_int_equal(prune(&w, RG_PRUNE_MEASURE, 1000, quick, one_warp), RG_OUTCOME_OK);
    assert_true(isnan(counter(&w, "prune_low_us"))); /* it would not have been pruned */
    assert_int_equal(prune(&w, RG_PRUNE_NEVER, 1000, slow, one_warp), RG_OUTCOME_OK);
    /* it is measured against twice the best, with the estimate's low end; where the best is quick, timing costs less
     * than estimating */
    assert_int_equal(prune(&w, RG_PRUNE_MAY, 1e5, slow, one_warp), RG_OUTCOME_OK);
    assert_int_equal(prune(&w, RG_PRUNE_MAY, 999, slow, one_warp), RG_OUTCOME_OK);
    assert_int_equal(prune(&w, RG_PRUNE_MAY, 0, slow, one_warp), RG_OUTCOME_OK);
    assert_int_equal(prune(&w, RG_PRUNE_MAY, 1000, quick, one_warp), RG_OUTCOME_OK);
    assert_int_equal(prune(&w, RG_PRUNE_MAY, 1000, long_, one_warp),
                     RG_OUTCOME_PRUNED); /* cut short: its loop tells how much is left */
    assert_int_equal(prune(&w, RG_PRUNE_MAY, 1000, slow, one_warp),
                     RG_OUTCOME_PRUNED); /* none of that left anything behind */
    /* where the estimate would be a guess */
    assert_int_equal(prune(&w, RG_PRUNE_MAY, 1000, slow,
                           "scratch int again[1]; fill(again, 0); do { %s<<<1, 32>>>(n, a, x, y); } while (again[0]);"),
                     RG_OUTCOME_OK);
    assert_int_equal(prune(&w, RG_PRUNE_MAY, 1000,
                           CHAIN("ld.global.u32 %r4, [%rd1];\nand.b32 %r4, %r4, 1;\nadd.u32 %r4, %r4, 60000;\n"),
                           "%s<<<1, 32>>>(n, a, x, y); right<<<1, 32>>>(n, a, x, y);"),
                     RG_OUTCOME_OK);
    assert_int_equal(prune(&w, RG_PRUNE_MAY, 1000, "barrier.cluster.arrive.aligned;", one_warp), RG_OUTCOME_OK);
    assert_int_equal(prune(&w, RG_PRUNE_MAY, 1000, "st.global.u32 [0], %r1;", one_warp),
                     RG_OUTCOME_OK);  /* the device itself has verified it */
    assert_true(screen(&w, "") == 1); /* beside it, screening goes on */
    assert_int_equal(prune(&w, RG_PRUNE_MAY, 1000, slow, one_warp), RG_OUTCOME_PRUNED);
    rg__screen_end(&w.r);
    world_end(&w);
}

static void a_trap_ends_the_process(void **state)
{
    struct world w;
    world_new(&w, kernels);
    verify(&w, "traps", RG_OUTCOME_CRASH, "illegal instruction");
    assert_true(w.r.lost);
    w.r.lost = false;
    world_end(&w);
}

/* --- comparison --- */

static struct rg_difference compare(const struct rg_problem *p, int param, int64_t n, const void *expect,
                                    const double *oracle, const void *got, double accum)
{
    struct rg_compare c = {
        .problem = p, .param = param, .elements = n, .expect = expect, .oracle = oracle, .got = got, .n_accum = accum};
    struct rg_difference d;
    rg__compare(&c, &d);
    return d;
}

static void tolerances(void **state)
{
    struct rg_problem *p = fx_saxpy("10;5");
    float e[4] = {1, 100, NAN, INFINITY}, g[4] = {1.00005f, 100.005f, NAN, INFINITY};
    assert_true(compare(p, 3, 4, e, NULL, g, 1).equal);
    g[1] = 100.02f;
    struct rg_difference d = compare(p, 3, 4, e, NULL, g, 1);
    assert_false(d.equal);
    assert_int_equal(d.first_bad, 1);
    assert_int_equal(d.n_bad, 1);
    g[1] = 100;
    g[2] = 0; /* a number where NaN belongs */
    assert_false(compare(p, 3, 4, e, NULL, g, 1).equal);
    memset(&g[2], RG_POISON, sizeof g[2]); /* never written is no result, */
    assert_false(compare(p, 3, 4, e, NULL, g, 1).equal);
    e[2] = g[2]; /* unless the C doesn't write it either */
    assert_true(compare(p, 3, 4, e, NULL, g, 1).equal);
    e[2] = NAN;
    g[2] = NAN;
    g[0] = NAN;
    assert_false(compare(p, 3, 4, e, NULL, g, 1).equal);
    g[0] = 1;
    g[3] = -INFINITY;
    assert_false(compare(p, 3, 4, e, NULL, g, 1).equal);
    float e2[2] = {1, INFINITY}, g2[2] = {1, 5}; /* alone in its block */
    assert_false(compare(p, 3, 2, e2, NULL, g2, 1).equal);
    g2[1] = INFINITY;
    assert_true(compare(p, 3, 2, e2, NULL, g2, 1).equal);
    /* zeros do not pass for small values, whatever the default atol says */
    float e3[2] = {3e-6f, -2e-6f}, g3[2] = {0, 0};
    assert_false(compare(p, 3, 2, e3, NULL, g3, 1).equal);
    /* a cancelling sum of many terms may be off by eps s sqrt(n) */
    float e1[2] = {1e-3f, 1000}, g1[2] = {1e-3f + 0.02f, 1000};
    assert_false(compare(p, 3, 2, e1, NULL, g1, 1).equal);
    assert_true(compare(p, 3, 2, e1, NULL, g1, 1e6).equal);
    rg_problem_free(p);
}

static void the_oracle_decides(void **state)
{
    struct rg_problem *p = fx_saxpy("10;5");
    float sequential = 1000.5f, good = 1000.01f,
          worse = 1004.5f; /* the sequential sum drifted by 0.5: eight times that is too much */
    double oracle = 1000;
    assert_true(compare(p, 3, 1, &sequential, &oracle, &good, 1).equal);
    assert_true(compare(p, 3, 1, &sequential, &oracle, &sequential, 1).equal); /* as good as the user's own */
    assert_false(compare(p, 3, 1, &sequential, &oracle, &worse, 1).equal);
    rg_problem_free(p);
}

/* --- errors beyond the sequential run's --- */

enum { MANY = 64 };

/* One float output near 3 of which value [5] is off by `off` (relative); the sequential run's values are off by `own`,
 * and inputs one rounding away move them by `moved`. */
static struct rg_difference capped(struct rg_problem *p, double off, double own, double moved)
{
    float e[MANY], g[MANY];
    double o[MANY];
    for (int i = 0; i < MANY; i++) {
        o[i] = 3 + 0.01 * i;
        e[i] = (float)(o[i] * (1 + own));
        g[i] = (float)(o[i] * (i == 5 ? 1 + off : 1));
    }
    struct rg_compare c = {
        .problem = p, .param = 3, .elements = MANY, .expect = e, .oracle = o, .moved = &moved, .got = g, .n_accum = 1};
    struct rg_difference d;
    char text[500];
    rg__compare(&c, &d);
    rg__compare_text(&c, &d, text, sizeof text);
    assert_true(d.equal == (d.n_bad == 0));
    if (!d.equal)
        assert_true(d.first_bad == 5 && strstr(text, "y[5] is ") == text &&
                    strstr(text, "1 of 64 values are wrong (1.56 %)") && strstr(text, "errors: max "));
    assert_true((strstr(text, "--allow fast-math takes it") != NULL) == (d.takes == RG_ALLOW_FAST_MATH && !d.equal));
    assert_true((strstr(text, "--allow tf32 takes it") != NULL) == (d.takes == RG_ALLOW_TF32));
    return d;
}

static void far_less_exact_than_the_c(void **state)
{
    struct rg_problem *p = fx_saxpy("10;5");
    p->oracle = RG_ORACLE_F64;
    p->oracle_c = "";
    struct rg_difference d = capped(p, 9e-5, 5e-8, 1e-7); /* within the tolerance of 1e-4 */
    assert_true(!d.equal && d.n_capped == 1 && d.takes == RG_ALLOW_FAST_MATH);
    assert_true(capped(p, 1e-6, 5e-8, 1e-7).equal); /* what functions of CUDA's library may be off by */
    assert_true(capped(p, 9e-5, 2e-5, 1e-7).equal); /* the C is no better */
    assert_true(capped(p, 9e-5, 5e-8, 1e-4).equal); /* nor can anything be */
    assert_true(capped(p, 9e-5, 5e-8, NAN).equal);  /* not known: the tolerance alone */
    d = capped(p, 1e-3, 5e-8, 1e-7);
    assert_true(!d.equal && d.n_capped == 0 && d.takes == RG_ALLOW_TF32);
    d = capped(p, 0.1, 5e-8, 1e-7);
    assert_true(!d.equal && d.takes == 0);
    p->allow = RG_ALLOW_FAST_MATH;
    assert_true(capped(p, 9e-5, 5e-8, 1e-7).equal);
    assert_false(capped(p, 1e-3, 5e-8, 1e-7).equal);
    p->allow = RG_ALLOW_TF32;
    assert_true(capped(p, 1e-3, 5e-8, 1e-7).equal);
    assert_false(capped(p, 0.1, 5e-8, 1e-7).equal);
    p->allow = 0;
    p->rtol = 1e-4; /* the user has said what is good enough */
    assert_true(capped(p, 9e-5, 5e-8, 1e-7).equal);
    p->rtol = -1;
    p->oracle_c = NULL; /* nothing to tell the sequential run's error by */
    p->oracle = RG_ORACLE_SEQUENTIAL;
    assert_true(capped(p, 9e-5, 0, 1e-7).equal);
    rg_problem_free(p);
}

/* A comparison of y of saxpy, with the spread of each of its elements. */
static struct rg_compare of_reals(const struct rg_problem *p, int64_t n, const float *expect, const float *got,
                                  const float *spread, const double *unsettled)
{
    return (struct rg_compare){.problem = p,
                               .param = 3,
                               .elements = n,
                               .expect = expect,
                               .got = got,
                               .n_accum = 1,
                               .spread = spread,
                               .unsettled = unsettled};
}

/* Reals that the C itself moves far now and then: 8 times as many as in one of its runs, a thousandth at most. */
static bool with_jumps(int n, double jumped, int off)
{
    struct rg_problem *p = fx_saxpy("10;5");
    float *e = rg_xcalloc((size_t)n, sizeof *e), *g = rg_xcalloc((size_t)n, sizeof *g),
          *spread = rg_xcalloc((size_t)n, sizeof *spread);
    for (int i = 0; i < n; i++) e[i] = g[i] = 1 + (float)i / (float)n;
    for (int i = 0; i < off; i++) g[i * (n / off)] += 5;
    struct rg_compare c = of_reals(p, n, e, g, spread, &jumped);
    struct rg_difference d;
    double seen = 1;
    rg__compare(&c, &d);
    assert_int_equal(d.n_bad, off);
    rg__reals_off(&c, &seen);
    assert_true(seen == (off > 1 ? off : 1));
    free(e);
    free(g);
    free(spread);
    rg_problem_free(p);
    return d.equal;
}

static void rare_jumps_of_reals(void **state)
{
    assert_true(with_jumps(100000, 2, 16));
    assert_false(with_jumps(100000, 2, 17));
    assert_false(with_jumps(100000, 0, 1));
    assert_true(with_jumps(100000, 50, 100)); /* a thousandth */
    assert_false(with_jumps(100000, 50, 101));
    assert_true(with_jumps(1000, 50, 8));
    assert_false(with_jumps(1000, 50, 9));
}

/* A value that keeps not a digit may be off by orders of magnitude, no further than 8 times what any of them moved; one
 * that keeps its digits may not. */
static void chaotic_values(void **state)
{
    enum { N = 100, LOST = 50, BLOWN = 90 };
    struct rg_problem *p = fx_saxpy("10;5");
    float e[N], g[N], spread[N];
    double settled = 0;
    for (int i = 0; i < N; i++) e[i] = g[i] = 1, spread[i] = 1e-7f;
    spread[LOST] = 0.2f;
    spread[BLOWN] = 40;
    struct rg_compare c = of_reals(p, N, e, g, spread, &settled);
    static const struct {
        int at;
        float off;
        bool equal;
    } tries[] = {{LOST, 150, true}, {LOST, 250, false}, {BLOWN, 310, true}, {BLOWN, 330, false}, {10, 0.01f, false}};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        struct rg_difference d;
        g[tries[i].at] += tries[i].off;
        rg__compare(&c, &d);
        assert_int_equal(d.equal, tries[i].equal);
        g[tries[i].at] = 1;
    }
    rg_problem_free(p);
}

/* What is a number in some of the C's runs alone may be one or none, but no number that is further off than its own,
 * and it lets no other value be; what nobody wrote is no result. */
static void open_values(void **state)
{
    enum { N = 100, OPEN = 50, NARROW = 60 };
    struct rg_problem *p = fx_saxpy("10;5");
    float e[N], g[N], spread[N];
    double settled = 0;
    for (int i = 0; i < N; i++) e[i] = g[i] = 1, spread[i] = 1e-7f;
    spread[OPEN] = -0.2f;
    spread[NARROW] = -0.0f;
    struct rg_compare c = of_reals(p, N, e, g, spread, &settled);
    float poison;
    memset(&poison, RG_POISON, sizeof poison);
    const struct {
        int at;
        float got;
        bool equal;
    } tries[] = {{OPEN, NAN, true},    {OPEN, -INFINITY, true}, {OPEN, 150, true},
                 {OPEN, 300, false},   {NARROW, NAN, true},     {NARROW, 1.1f, false},
                 {OPEN, poison, true}, {OPEN + 1, 1.1f, false}, {OPEN + 1, NAN, false}};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        struct rg_difference d;
        g[tries[i].at] = tries[i].got;
        rg__compare(&c, &d);
        assert_int_equal(d.equal, tries[i].equal);
        g[tries[i].at] = 1;
    }
    e[OPEN] = NAN;
    for (int k = 0; k < 2; k++) { /* the reference is none: what it would be nobody knows */
        struct rg_difference d;
        g[OPEN + k] = 7;
        rg__compare(&c, &d);
        assert_int_equal(d.equal, !k);
    }
    rg_problem_free(p);
}

/* What has yet to be measured grants nothing: neither by what it will be, nor by what stands in for it. */
static void nothing_is_granted_meanwhile(void **state)
{
    enum { N = 64 };
    struct rg_problem *p = fx_saxpy("10;5");
    float e[N], g[N], spread[N];
    double oracle[N], jumped = 3, moved = 1;
    for (int i = 0; i < N; i++) {
        oracle[i] = 1;
        e[i] = i ? 1 : 1.05f; /* the C itself is as far off somewhere */
        g[i] = 1.01f;
        spread[i] = 0.1f;
    }
    struct rg_compare c = of_reals(p, N, e, g, spread, &jumped);
    c.oracle = oracle;
    c.moved = &moved;
    struct rg_difference d;
    rg__compare(&c, &d);
    assert_true(d.equal);
    c.may_move = true;
    rg__compare(&c, &d);
    assert_int_equal(d.n_bad, N);
    jumped = NAN; /* not measured */
    rg__compare(&c, &d);
    assert_int_equal(d.n_bad, N);
    c.may_move = false;
    rg__compare(&c, &d);
    assert_true(d.equal);
    rg_problem_free(p);
}

/* Where the wrong values are, by rows and columns. */
static void what_is_wrong_is_a_region(void **state)
{
    const struct fx_param params[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                      {"m", "int", NULL, RG_ROLE_IN, NULL, false},
                                      {"C", "float", "n,m", RG_ROLE_OUT, NULL, false},
                                      {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
    struct rg_problem *p = fx_problem("f", params, "void f(int n, int m, float *C) {}", "f(0, 0, 0)", NULL, "6,10", 1);
    float e[60], g[60];
    char text[500];
    struct rg_difference d;
    for (int i = 0; i < 60; i++) e[i] = g[i] = 1;
    g[2 * 10 + 8] = g[2 * 10 + 9] = g[4 * 10 + 7] = 5;
    struct rg_compare c = {
        .problem = p, .param = 2, .elements = 60, .expect = e, .got = g, .n_accum = 1, .sizes = &p->sizes[0]};
    rg__compare(&c, &d);
    rg__compare_text(&c, &d, text, sizeof text);
    assert_string_equal(text, "C[2][8] is 5, expected 1; 3 of 60 values are wrong (5 %), all in [2..4][7..9]; errors: "
                              "max 4, rms 0.894, of values of rms 1");
    rg_problem_free(p);
}

/* Nine digits, and more where those are the same. */
static void values_are_told_apart(void **state)
{
    const struct fx_param params[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                      {"y", "double", "n", RG_ROLE_OUT, NULL, false},
                                      {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
    struct rg_problem *p = fx_problem("f", params, "void f(int n, double *y) {}", "f(0, 0)", NULL, "10", 1);
    double e[1] = {0.125}, g[1] = {0.25};
    struct rg_difference d = compare(p, 1, 1, e, NULL, g, 1);
    assert_string_equal(d.got, "0.25");
    g[0] = 0.125 + 0x1p-40;
    p->rtol = p->atol = 1e-14;
    d = compare(p, 1, 1, e, NULL, g, 1);
    assert_string_equal(d.expected, "0.125");
    assert_string_equal(d.got, "0.12500000000090949");
    rg_problem_free(p);
}

static void integers_are_exact_or_a_share(void **state)
{
    const struct fx_param params[] = {{"n", "int", NULL, RG_ROLE_IN, NULL, false},
                                      {"y", "int", "n", RG_ROLE_OUT, NULL, false},
                                      {NULL, NULL, NULL, RG_ROLE_IN, NULL, false}};
    struct rg_problem *p = fx_problem("f", params, "void f(int n, int *y) {}", "f(0, 0)", NULL, "10", 1);
    int e[10] = {0}, g[10] = {0};
    assert_true(compare(p, 1, 10, e, NULL, g, 1).equal);
    g[7] = 1;
    assert_false(compare(p, 1, 10, e, NULL, g, 1).equal);
    p->params[1].mismatch_share = 0.1;
    assert_true(compare(p, 1, 10, e, NULL, g, 1).equal);
    g[8] = 1;
    assert_false(compare(p, 1, 10, e, NULL, g, 1).equal);
    rg_problem_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes),
        cmocka_unit_test(screened_before_the_first_launch),
        cmocka_unit_test(pruned_by_estimate),
        cmocka_unit_test(far_less_exact_than_the_c),
        cmocka_unit_test(what_is_wrong_is_a_region),
        cmocka_unit_test(rare_jumps_of_reals),
        cmocka_unit_test(nothing_is_granted_meanwhile),
        cmocka_unit_test(chaotic_values),
        cmocka_unit_test(open_values),
        cmocka_unit_test(a_trap_ends_the_process),
        cmocka_unit_test(tolerances),
        cmocka_unit_test(the_oracle_decides),
        cmocka_unit_test(values_are_told_apart),
        cmocka_unit_test(integers_are_exact_or_a_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
