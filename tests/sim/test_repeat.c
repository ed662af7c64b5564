/* The same launch on the same data has the same estimate, limiter and counters, to the bit, whatever the device ran
 * before, wherever its buffers lie and however many threads there are. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/sim/sim_nvrtc.h"

enum { ITEMS = 1 << 16 };
static const char *const kernels[] = {"rows", "gather", "count", "sum", "tables", "tree", "chained", "little"};
enum { N_KERNELS = sizeof kernels / sizeof *kernels };
struct seen {
    double us;
    int n;
    enum rg_limiter limiter;
    struct rg_counter counters[RG_MAX_COUNTERS];
};

static struct sim_arg *arguments(rg_addr a[4], int *n)
{
    static struct sim_arg list[5];
    for (int i = 0; i < 4; i++) list[i] = (struct sim_arg){&a[i], sizeof a[i]};
    list[4] = (struct sim_arg){n, sizeof *n};
    return list;
}

static void look(struct sim *s, const char *kernel, bool sampled, const struct sim_arg *a, struct seen *out)
{
    memset(out, 0, sizeof *out);
    out->n = RG_MAX_COUNTERS;
    s->d.counters(s->d.self, out->counters, &out->n, &out->limiter);
    s->d.estimate_mode(s->d.self, sampled);
    s->d.mark(s->d.self, 0, &s->err);
    for (int i = 0; i < 3; i++)
        assert_int_equal(sim_launch_as(s, kernel, ITEMS / 256, 1, 256, 1, 0, false, a, 5), RG_OUTCOME_OK);
    s->d.mark(s->d.self, 1, &s->err);
    assert_int_equal(s->d.elapsed(s->d.self, 0, 1, &out->us, &s->fault, &s->err), RG_OK);
    s->d.estimate_mode(s->d.self, false);
    memset(out->counters, 0, sizeof out->counters);
    out->n = RG_MAX_COUNTERS;
    s->d.counters(s->d.self, out->counters, &out->n, &out->limiter);
}

/* What a worker may have done before. */
static void past(struct sim *s, int which, const struct sim_arg *a)
{
    rg_addr odd[6];
    struct seen ignored;
    if (which == 0) return;
    for (int i = 0; i < 6; i++) odd[i] = sim_put(s, "odd", NULL, (size_t)(100000 + 77777 * i));
    for (int i = 0; i < 6; i += 2) s->d.release(s->d.self, odd[i]);
    if (which == 1) return;
    if (which == 2) { /* a measurement that a fault ended */
        s->d.mark(s->d.self, 0, &s->err);
        assert_int_equal(sim_launch_as(s, "beyond", ITEMS / 256, 1, 256, 1, 0, false, a, 5), RG_OUTCOME_BOUNDS);
        return;
    }
    for (int i = 0; i < N_KERNELS; i++) look(s, kernels[i], i & 1, a, &ignored);
}

static void evaluate(int history, const char *threads, struct seen out[2][N_KERNELS])
{
    static float x[ITEMS];
    static int k[ITEMS];
    struct cu c;
    int n = ITEMS;
    setenv("RG_SIM_THREADS", threads, 1);
    cu_open(&c, __FILE__, "repeat.cu");
    if (!c.have) skip();
    struct sim *s = &c.s;
    for (int i = 0; i < ITEMS; i++) x[i] = (float)i, k[i] = (int)((unsigned)i * 2654435761u >> 16);
    if (history) {
        rg_addr before[4] = {sim_put(s, "b", NULL, 4 * ITEMS + 4), sim_put(s, "h", NULL, 4 * ITEMS),
                             sim_put(s, "x", x, sizeof x), sim_put(s, "k", k, sizeof k)};
        past(s, history, arguments(before, &n));
        if (history & 1)
            for (int i = 0; i < 4; i++) s->d.release(s->d.self, before[i]);
    }
    for (int full = 0; full < 2; full++)
        for (int i = 0; i < N_KERNELS; i++) {
            rg_addr a[4] = {sim_put(s, "y", NULL, 4 * ITEMS), sim_put(s, "h", NULL, 4 * ITEMS),
                            sim_put(s, "x", x, sizeof x), sim_put(s, "k", k, sizeof k)};
            if (strcmp(kernels[i], "chained") || !full) look(s, kernels[i], !full, arguments(a, &n), &out[full][i]);
            for (int j = 0; j < 4; j++) s->d.release(s->d.self, a[(j + history) & 3]);
        }
    cu_close(&c);
}

static void nothing_of_the_past_shows(void **state)
{
    static struct seen first[2][N_KERNELS], now[2][N_KERNELS];
    evaluate(0, "1", first);
    for (int h = 0; h < 4; h++) {
        evaluate(h, h & 1 ? "3" : "1", now);
        for (int full = 0; full < 2; full++)
            for (int i = 0; i < N_KERNELS; i++) {
                const struct seen *a = &first[full][i], *b = &now[full][i];
                for (int q = 0; q < a->n; q++)
                    if (a->counters[q].value != b->counters[q].value)
                        fail_msg("%s, past %d: %s is %.17g, was %.17g", kernels[i], h, a->counters[q].name,
                                 b->counters[q].value, a->counters[q].value);
                if (a->us != b->us || a->limiter != b->limiter || a->n != b->n)
                    fail_msg("%s, past %d: %.17g us %d, was %.17g us %d", kernels[i], h, b->us, b->limiter, a->us,
                             a->limiter);
            }
    }
}

/* A launch after an unfinished measurement is checked like any other. */
static void a_fault_ends_a_measurement(void **state)
{
    struct cu c;
    int n = ITEMS;
    double us;
    cu_open(&c, __FILE__, "repeat.cu");
    if (!c.have) skip();
    struct sim *s = &c.s;
    rg_addr a[4] = {sim_put(s, "y", NULL, 4 * ITEMS), sim_put(s, "h", NULL, 4 * ITEMS),
                    sim_put(s, "x", NULL, 4 * ITEMS), sim_put(s, "k", NULL, 4 * ITEMS)};
    s->d.estimate_mode(s->d.self, false);
    s->d.mark(s->d.self, 0, &s->err);
    assert_int_equal(sim_launch_as(s, "beyond", ITEMS / 256, 1, 256, 1, 0, false, arguments(a, &n), 5),
                     RG_OUTCOME_BOUNDS);
    s->d.estimate_mode(s->d.self, false);
    s->d.check(s->d.self, 1e8);
    assert_int_equal(sim_launch_as(s, "tables", ITEMS / 256, 1, 256, 1, 0, false, arguments(a, &n), 5), RG_OUTCOME_OK);
    s->d.mark(s->d.self, 0, &s->err);
    s->d.mark(s->d.self, 1, &s->err);
    assert_int_equal(s->d.elapsed(s->d.self, 0, 1, &us, &s->fault, &s->err), RG_OK);
    assert_true(us == 0);
    struct rg_counter list[RG_MAX_COUNTERS];
    enum rg_limiter limiter;
    int k = RG_MAX_COUNTERS;
    s->d.counters(s->d.self, list, &k, &limiter);
    for (int i = 0; i < k; i++)
        if (!strcmp(list[i].name, "launches")) assert_true(list[i].value == 0); /* "tables" was run, not estimated */
    cu_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_of_the_past_shows),
                                       cmocka_unit_test(a_fault_ends_a_measurement)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
