/* Estimates order kernels as anyone would, are the same every time, and cost little. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/sim/model/model.h"
#include "tests/runtime/sim_fixture.h"

static int setup(void **state)
{
    struct sim *s = malloc(sizeof *s);
    sim_open(s, "sim_speed.ptx");
    *state = s;
    return 0;
}
static int teardown(void **state)
{
    sim_close(*state);
    free(*state);
    return 0;
}

static double timed(struct sim *s, bool sampled, const char *kernel, int gx, int gy, int bx, int by,
                    const struct sim_arg *a, int n)
{
    double us = -1;
    s->d.estimate_mode(s->d.self, sampled);
    s->d.mark(s->d.self, 0, &s->err);
    enum rg_outcome o = sim_launch_as(s, kernel, gx, gy, bx, by, 0, false, a, n);
    if (o) print_message("%s: %s\n", kernel, s->fault.message);
    assert_int_equal(o, RG_OUTCOME_OK);
    s->d.mark(s->d.self, 1, &s->err);
    assert_int_equal(s->d.elapsed(s->d.self, 0, 1, &us, &s->fault, &s->err), RG_OK);
    s->d.estimate_mode(s->d.self, false);
    assert_true(us > 0);
    return us;
}
#define TIME(kernel, gx, gy, bx, by, ...)                                                                              \
    ({                                                                                                                 \
        struct sim_arg a_[] = {__VA_ARGS__};                                                                           \
        timed(s, true, kernel, gx, gy, bx, by, a_, (int)(sizeof a_ / sizeof *a_));                                     \
    })

static void order(void **state)
{
    struct sim *s = *state;
    int n = 1 << 24, m = 1024;
    rg_addr a = sim_put(s, "a", NULL, (size_t)n * 4), b = sim_put(s, "b", NULL, (size_t)n * 4),
            c = sim_put(s, "c", NULL, (size_t)n * 4), r = sim_put(s, "r", NULL, 4);
    double rows = TIME("copy_rows", n / 256, 1, 256, 1, ARG(n), ARG(a), ARG(b)),
           tiny = TIME("copy_rows", n / 32, 1, 32, 1, ARG(n), ARG(a), ARG(b)),
           strided = TIME("copy_strided", n / 256, 1, 256, 1, ARG(n), ARG(a), ARG(b));
    assert_true(rows * 3 < tiny && rows * 3 < strided);
    assert_true(rows > 30 && rows < 90); /* 128 MB at 4.3 TB/s take 31 us */
    double hot = TIME("sum_atomic", n / 256, 1, 256, 1, ARG(n), ARG(a), ARG(r)),
           fast = TIME("sum_shuffle", 1056, 1, 256, 1, ARG(n), ARG(a), ARG(r)),
           few = TIME("sum_shuffle", 8, 1, 256, 1, ARG(n), ARG(a), ARG(r));
    assert_true(hot > 100 * fast && few > 5 * fast);
    double naive = TIME("gemm_naive", 64, 64, 16, 16, ARG(m), ARG(a), ARG(b), ARG(c)),
           tiled = TIME("gemm_tiled", 32, 32, 32, 8, ARG(m), ARG(a), ARG(b), ARG(c));
    assert_true(naive > 1.5 * tiled);
    m = 4096;
    double conflicts = TIME("9transposeILi0E", 128, 128, 32, 8, ARG(m), ARG(a), ARG(b)),
           padded = TIME("9transposeILi1E", 128, 128, 32, 8, ARG(m), ARG(a), ARG(b));
    assert_true(conflicts > 1.3 * padded);
}

static void same_every_time(void **state)
{
    double first = 0;
    for (int pass = 0; pass < 2; pass++) {
        struct sim other, *s = &other;
        sim_open(s, "sim_speed.ptx");
        int n = 1 << 20;
        rg_addr a = sim_put(s, "a", NULL, (size_t)n * 4), b = sim_put(s, "b", NULL, (size_t)n * 4);
        double t = TIME("copy_strided", n / 128, 1, 128, 1, ARG(n), ARG(a), ARG(b));
        if (pass) assert_true(t == first);
        first = t;
        /* again: remembered, and no longer the first kernel's floor between marks that enclose one launch each */
        assert_true(TIME("copy_strided", n / 128, 1, 128, 1, ARG(n), ARG(a), ARG(b)) == first);
        sim_close(s);
    }
}

static void full_runs_have_times_too(void **state)
{
    struct sim *s = *state;
    int m = 256;
    static float x[65536], y[65536];
    for (int i = 0; i < 65536; i++) x[i] = (float)(i % 7);
    rg_addr a = sim_put(s, "a", x, sizeof x), b = sim_put(s, "b", x, sizeof x), c = sim_put(s, "c", NULL, sizeof y);
    struct sim_arg args[] = {ARG(m), ARG(a), ARG(b), ARG(c)};
    double all = timed(s, false, "gemm_naive", 16, 16, 16, 16, args, 4);
    sim_get(s, y, c, sizeof y);
    for (int i = 0; i < 65536; i += 997) {
        float r = 0;
        for (int k = 0; k < m; k++) r += x[i / m * m + k] * x[k * m + i % m];
        assert_true(y[i] == r); /* watched blocks compute what the others do */
    }
    struct sim fresh, *q = &fresh;
    sim_open(q, "sim_speed.ptx");
    rg_addr a2 = sim_put(q, "a", x, sizeof x), b2 = sim_put(q, "b", x, sizeof x), c2 = sim_put(q, "c", NULL, sizeof y);
    struct sim_arg args2[] = {ARG(m), ARG(a2), ARG(b2), ARG(c2)};
    double sampled = timed(q, true, "gemm_naive", 16, 16, 16, 16, args2, 4);
    assert_true(all < 1.3 * sampled && sampled < 1.3 * all);
    sim_close(q);
}

static void loops_cost_little(void **state)
{
    struct sim *s = *state;
    int n = 2000, launches = 200;
    rg_addr a = sim_put(s, "a", NULL, (size_t)n * (size_t)n * 4), b = sim_put(s, "b", NULL, (size_t)n * (size_t)n * 4);
    double us, one = TIME("jacobi", 63, 250, 32, 8, ARG(n), ARG(a), ARG(b)), t0 = rg_now();
    s->d.estimate_mode(s->d.self, true);
    s->d.mark(s->d.self, 0, &s->err);
    for (int t = 0; t < launches; t++) {
        rg_addr p = t & 1 ? b : a, q = t & 1 ? a : b;
        struct sim_arg args[] = {ARG(n), ARG(p), ARG(q)};
        assert_int_equal(sim_launch_as(s, "jacobi", 63, 250, 32, 8, 0, false, args, 3), RG_OUTCOME_OK);
    }
    s->d.mark(s->d.self, 1, &s->err);
    s->d.elapsed(s->d.self, 0, 1, &us, &s->fault, &s->err);
    assert_true(us > 0.4 * one * launches && us < 1.1 * one * launches);
    assert_true(rg_now() - t0 < 1); /* microseconds each: swapped buffers are known ones */
}

static void a_long_thread_ends(void **state)
{
    struct sim *s = *state;
    int n = 1 << 27, m = 1 << 18;
    rg_addr a = sim_put(s, "a", NULL, (size_t)n * 4), b = sim_put(s, "b", NULL, (size_t)n * 4);
    double small = TIME("serial", 1, 1, 1, 1, ARG(m), ARG(a), ARG(b)), t0 = rg_now(),
           t = TIME("serial", 1, 1, 1, 1, ARG(n), ARG(a), ARG(b)), seconds = rg_now() - t0;
    /* it is cut short, and its loop tells how much is left */
    assert_true(t > 0.5 * small * n / m && t < 2 * small * n / m);
    assert_true(seconds < 30);
}

static void garbage_indices(void **state)
{
    struct sim *s = *state;
    int n = 1 << 16;
    rg_addr idx = sim_put(s, "idx", NULL, (size_t)n * 4), a = sim_put(s, "a", NULL, 4000),
            b = sim_put(s, "b", NULL, (size_t)n * 4);
    s->d.fill(s->d.self, idx, (size_t)n, 4, 0x7fffffff, &s->err); /* as scratch that a sampled kernel left unwritten */
    assert_true(TIME("gather", n / 256, 1, 256, 1, ARG(n), ARG(idx), ARG(a), ARG(b)) > 0);
    struct sim_arg args[] = {ARG(n), ARG(idx), ARG(a), ARG(b)};
    assert_int_equal(sim_launch_as(s, "gather", n / 256, 1, 256, 1, 0, false, args, 4), RG_OUTCOME_BOUNDS);
}

static double counter(const struct rg_counter *c, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(c[i].name, name)) return c[i].value;
    fail_msg("no counter %s", name);
    return 0;
}
static void counters(void **state)
{
    struct sim *s = *state;
    int m = 512, n = RG_MAX_COUNTERS;
    struct rg_counter c[RG_MAX_COUNTERS];
    enum rg_limiter limiter;
    rg_addr a = sim_put(s, "a", NULL, (size_t)m * (size_t)m * 4), b = sim_put(s, "b", NULL, (size_t)m * (size_t)m * 4),
            d = sim_put(s, "c", NULL, (size_t)m * (size_t)m * 4);
    TIME("gemm_naive", 32, 32, 16, 16, ARG(m), ARG(a), ARG(b), ARG(d));
    s->d.counters(s->d.self, c, &n, &limiter);
    double flops = counter(c, n, "flops"), want = 2.0 * m * m * m;
    assert_true(fabs(flops - want) < 0.02 * want);
    assert_true(counter(c, n, "lanes_active") == 32 && counter(c, n, "launches") == 1);
    assert_true(limiter != RG_LIMIT_UNKNOWN);
    assert_true(counter(c, n, "interval_low_us") < counter(c, n, "interval_high_us"));
    n = RG_MAX_COUNTERS;
    s->d.counters(s->d.self, c, &n, &limiter);
    assert_true(counter(c, n, "flops") == 0 && limiter == RG_LIMIT_UNKNOWN);
    int big = 1 << 22;
    rg_addr x = sim_put(s, "x", NULL, (size_t)big * 4), r = sim_put(s, "r", NULL, 4);
    TIME("sum_atomic", big / 256, 1, 256, 1, ARG(big), ARG(x), ARG(r));
    n = RG_MAX_COUNTERS;
    s->d.counters(s->d.self, c, &n, &limiter);
    assert_int_equal(limiter, RG_LIMIT_ATOMIC);
    assert_true(fabs(counter(c, n, "atomics") - big) < 0.02 * big);
    TIME("copy_strided", big / 256, 1, 256, 1, ARG(big), ARG(x), ARG(x));
    n = RG_MAX_COUNTERS;
    s->d.counters(s->d.self, c, &n, &limiter);
    assert_true(counter(c, n, "sectors_per_request") > 30 && counter(c, n, "global_efficiency") < 0.2);
}

/* After a flush (--cache cold) what a plan touches first comes from DRAM, in whichever launch; what it touched before
 * does not. */
struct cold_step {
    double us, dram;
};

static void steps(struct sim *s, bool sampled, bool flushed, int n, const rg_addr *from, const rg_addr *to, int count,
                  struct cold_step *out)
{
    s->d.estimate_mode(s->d.self, sampled);
    if (flushed) assert_int_equal(s->d.flush(s->d.self, &s->err), RG_OK);
    s->d.mark(s->d.self, 0, &s->err);
    for (int i = 0; i < count; i++) {
        struct sim_arg args[] = {ARG(n), ARG(from[i]), ARG(to[i])};
        struct rg_counter c[RG_MAX_COUNTERS];
        enum rg_limiter limiter;
        int k = RG_MAX_COUNTERS;
        s->d.counters(s->d.self, c, &k, &limiter);
        assert_int_equal(sim_launch_as(s, "copy_rows", n / 256, 1, 256, 1, 0, false, args, 3), RG_OUTCOME_OK);
        s->d.mark(s->d.self, i + 1, &s->err);
        assert_int_equal(s->d.elapsed(s->d.self, i, i + 1, &out[i].us, &s->fault, &s->err), RG_OK);
        s->d.mark(s->d.self, i + 1, &s->err);
        k = RG_MAX_COUNTERS;
        s->d.counters(s->d.self, c, &k, &limiter);
        out[i].dram = counter(c, k, "dram_bytes");
    }
    s->d.estimate_mode(s->d.self, false);
}

static void a_flush_is_felt_once(void **state)
{
    struct sim *s = *state;
    int n = 1 << 20; /* 4 MB each: all of it stays in L2 */
    double bytes = 4.0 * n;
    rg_addr a = sim_put(s, "a", NULL, (size_t)n * 4), b = sim_put(s, "b", NULL, (size_t)n * 4),
            c = sim_put(s, "c", NULL, (size_t)n * 4);
    rg_addr from[] = {a, a, b, c}, to[] = {b, b, a, a};
    for (int sampled = 0; sampled < 2; sampled++)
        for (int again = 0; again < 2; again++) { /* from the second time on launches are remembered */
            struct cold_step hot[4], cold[4];
            steps(s, sampled, false, n, from, to, 4, hot);
            steps(s, sampled, true, n, from, to, 4, cold);
            for (int i = 0; i < 4; i++) {
                bool first = i == 0 || i == 3; /* of a and of c */
                assert_true(hot[i].dram < 0.01 * bytes);
                if (first &&
                    !(cold[i].dram > 0.95 * bytes && cold[i].dram < 1.05 * bytes && cold[i].us > hot[i].us + 0.3))
                    fail_msg("launch %d: %g bytes from DRAM, %g us; hot %g", i, cold[i].dram, cold[i].us, hot[i].us);
                if (!first && (cold[i].dram != hot[i].dram || fabs(cold[i].us - hot[i].us) > 1e-6))
                    fail_msg("launch %d: %g bytes, %g us; hot %g", i, cold[i].dram, cold[i].us, hot[i].us);
            }
        }
}

static void devices(void **state)
{
    /* What is built in is what the file says; every shipped device opens. */
    struct rg_error e = RG_ERROR_INIT;
    static const char *const names[] = {"h200", "h100", "a100", "l4", "rtx4090"};
    for (int i = 0; i < 5; i++) {
        struct sim_model m;
        if (rg__sim_model_load(names[i], &m, &e)) fail_msg("%s: %s: %s", names[i], e.file, e.text);
        assert_true(m.facts.sms > 0 && m.issue > 0 && m.facts.arch[0] == 's');
    }
    size_t len, inc_len;
    char *json = sim_file("../../../runtime/devices/h200.json", &len),
         *inc = sim_file("../../../runtime/sim/model/h200_builtin.inc", &inc_len), *out = rg_xmalloc(inc_len + 1),
         *o = out;
    for (char *p = inc; *p; p++) { /* "line\n" -> line */
        if (*p == '\\' && p[1] == 'n')
            *o++ = '\n', p++;
        else if (*p == '\\')
            *o++ = *++p;
        else if (*p != '"' && *p != '\n')
            *o++ = *p;
    }
    *o = 0;
    assert_string_equal(out, json);
    free(json);
    free(inc);
    free(out);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {T(order),
                                       T(same_every_time),
                                       T(full_runs_have_times_too),
                                       T(loops_cost_little),
                                       T(a_long_thread_ends),
                                       T(garbage_indices),
                                       T(counters),
                                       T(a_flush_is_felt_once),
                                       T(devices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
