/* Functions that call themselves on the simulated device: values against the host, planted bugs, estimates. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "tests/sim/kernels.h"
#include "tests/sim/recursive.inc"

#define REF(name) static void name(const struct in *in, double *r)
#define EACH(n) for (int i = 0; i < (n); i++)

REF(fibs)
{
    EACH(NN) r[i] = fib(in->k[i] % 13);
}
REF(ackermanns)
{
    EACH(NN) r[i] = ackermann(in->k[i] % 3, in->k[i] % 5);
}
REF(hofstadter)
{
    EACH(NN) r[i] = in->k[i] % 2 ? female(in->k[i] % 9) : male(in->k[i] % 11);
}
REF(depths)
{
    EACH(NN) r[i] = collatz((unsigned)in->k[i] + 1) + 1000 * collatz((unsigned)i + 1);
}
REF(quicksorts)
{
    EACH(256)
    {
        int a[24];
        for (int j = 0; j < 24; j++) a[j] = in->k[(i + j * 7) % NN];
        quicksort(a, 0, 23);
        for (int j = 0; j < 4; j++) r[i * 4 + j] = a[j * 7];
    }
}
REF(mergesorts)
{
    EACH(512)
    {
        int a[32];
        for (int j = 0; j < 32; j++) a[j] = in->k[(i * 3 + j * 5) % NN];
        mergesort(a, in->k[i] % 33);
        unsigned s = 0;
        for (int j = 0; j < 32; j++) s = s * 31 + (unsigned)a[j];
        r[i] = (int)s;
    }
}
REF(quadrature)
{
    EACH(256) for (int j = 0; j < 3; j++) r[i] += simpson(in->d[i], in->d[i] + 1 + j, 1 + (double)(in->k[i] * (j + 1)));
}
REF(boards)
{
    EACH(256)
    {
        int column[8];
        r[i] = queens(2 + in->k[i] % 5, 0, column);
    }
}
REF(columns)
{
    EACH(128)
    {
        int column[8], s = i & 63;
        column[0] = s & 7;
        column[1] = s >> 3;
        r[i] = free_at(column, column[1], 1) ? placed(column, 2) : 0;
    }
}
REF(trees)
{
    float table[320];
    for (int i = 0; i < 320; i++) table[i] = -1 + (float)i * (2.0f / 256);
    EACH(512)
    {
        struct best b = {1e30f, -1, 0};
        nearest(table, 0, 200 + in->k[i], in->x[i], &b);
        r[i] = b.at * 1000 + b.visited;
    }
}
REF(towers)
{
    EACH(NN)
    {
        struct body p = {in->x[i], in->k[i], in->z[i]};
        p = tower(p, in->k[i] % 5);
        r[i] = p.a + p.b + p.c;
    }
}
REF(shuffles)
{
    EACH(512)
    {
        struct bytes b;
        for (int j = 0; j < 13; j++) b.v[j] = (unsigned char)(in->k[(i + j) % NN] * 3);
        b.s = (short)(in->k[i] * 100);
        b = shuffle(b, in->k[i] % 20);
        unsigned s = (unsigned)b.s;
        for (int j = 0; j < 13; j++) s = s * 3 + b.v[j];
        r[i] = (int)s;
    }
}
REF(lists)
{
    EACH(NN) r[i] = ancestors(NULL, in->k[i] % 12);
}
REF(permuted)
{
    EACH(512)
    {
        int a[6];
        for (int j = 0; j < 6; j++) a[j] = in->k[(i + j) % NN];
        r[i] = permutations(a, 0, 3 + i % 3);
    }
}
REF(mixtures)
{
    EACH(512)
    {
        int own = in->k[i];
        r[i] = mixed(in->k[i] % 6, in->x[i], in->d[i], (unsigned char)in->k[i], in->k[i] * 1000000007ll, in->z[i],
                     in->d[i + 1], (short)-in->k[i], &own, i, in->d[i + 2], in->x[i + 1]);
    }
}
REF(halvings)
{
    EACH(256)
    {
        double a[16], b[16];
        for (int j = 0; j < 16; j++) a[j] = b[j] = in->d[i + j];
        halves(a, b, 8);
        r[i] = a[0] + 2 * a[3] + 3 * a[7];
    }
}
REF(wheels)
{
    EACH(256)
    {
        double a[16], b[16];
        for (int j = 0; j < 16; j++) a[j] = b[j] = in->d[i + j];
        spokes(a, b, 16, 1);
        r[i] = a[0] + 2 * a[3] + 3 * a[7] + 4 * a[13];
    }
}
REF(recursive_scan)
{
    EACH(512) r[i] = in->k[i] + (i % 256 ? r[i - 1] : 0);
}
REF(exchanges)
{
    for (int w = 0; w < 512; w += 32) {
        int v[6][32], b[32];
        for (int i = 0; i < 32; i++) v[0][i] = in->k[w + i];
        for (int q = 0, o = 16; q < 5; q++, o /= 2)
            for (int i = 0; i < 32; i++) v[q + 1][i] = v[q][i] + v[q][i ^ o];
        for (int q = 5, o = 1; q > 0; q--, o *= 2) {
            for (int i = 0; i < 32; i++) b[i] = v[5][i] * 3 + v[5][i ^ o];
            memcpy(v[5], b, sizeof b);
        }
        for (int i = 0; i < 32; i++) r[w + i] = v[5][i];
    }
}
REF(leavers)
{
    EACH(512)
    {
        int v = in->k[i] % 20, s = v;
        for (int d = 1; d <= 8; d++) s = s * 2 + d;
        r[i] = v <= 8 ? 1000 + v : s;
    }
}
static int visited(double *r, int d)
{
    if (r) r[d]++;
    return d == 0 ? 1 : visited(r, d - 1) + (d % 2 ? visited(r, d - 1) : 0);
}
REF(counted)
{
    EACH(512) visited(r, in->k[i] % 7);
}
REF(either)
{
    EACH(512)
    {
        int a[4] = {in->k[i], 2, 3, 4};
        r[i] = a[0] % 3 == 0   ? permutations(a, 0, 4)
               : a[0] % 3 == 1 ? ancestors(NULL, a[0] % 9)
                               : fib(a[0] % 9) + permutations(a, 1, 4);
    }
}

static const struct kernel all[] = {
    {"fibs", 8, 1, 128, 1, 0, false, OUT, I32, 1024, 0, fibs},
    {"ackermanns", 16, 1, 64, 1, 0, false, OUT, I32, 1024, 0, ackermanns},
    {"hofstadter", 8, 1, 128, 1, 0, false, OUT, I32, 1024, 0, hofstadter},
    {"depths", 8, 1, 128, 1, 0, false, OUT, I32, 1024, 0, depths},
    {"quicksorts", 4, 1, 64, 1, 0, false, OUT, I32, 1024, 0, quicksorts},
    {"mergesorts", 4, 1, 128, 1, 0, false, OUT, I32, 512, 0, mergesorts},
    {"quadrature", 2, 1, 128, 1, 0, false, OUT, F64, 256, 1e-8, quadrature},
    {"boards", 4, 1, 64, 1, 0, false, OUT, I32, 256, 0, boards},
    {"columns", 2, 1, 64, 1, 0, false, OUT, I32, 128, 0, columns},
    {"trees_at_once", 4, 1, 128, 1, 0, false, OUT, I32, 512, 0, trees},
    {"towers", 8, 1, 128, 1, 0, false, OUT, F64, 1024, 1e-6, towers},
    {"shuffles", 4, 1, 128, 1, 0, false, OUT, I32, 512, 0, shuffles},
    {"lists", 8, 1, 128, 1, 0, false, OUT, I32, 1024, 0, lists},
    {"permuted", 4, 1, 128, 1, 0, false, OUT, I32, 512, 0, permuted},
    {"mixtures", 4, 1, 128, 1, 0, false, OUT, F64, 512, 1e-6, mixtures},
    {"halvings", 2, 1, 128, 1, 0, false, OUT, F64, 256, 1e-12, halvings},
    {"wheels", 2, 1, 128, 1, 0, false, OUT, F64, 256, 1e-12, wheels},
    {"recursive_scan", 2, 1, 256, 1, 0, false, OUT, I32, 512, 0, recursive_scan},
    {"exchanges", 4, 1, 128, 1, 0, false, OUT, I32, 512, 0, exchanges},
    {"leavers", 4, 1, 128, 1, 0, false, OUT, I32, 512, 0, leavers},
    {"counted", 4, 1, 128, 1, 0, false, ZERO, I32, 8, 0, counted},
    {"either", 4, 1, 128, 1, 0, false, OUT, I32, 512, 0, either},
};

/* ---- what is wrong ---- */

static void finds(const char *kernel, bool checked, enum rg_outcome want, const char *words)
{
    struct sim *s = &cu.s;
    int n = NN, line = cu_line(&cu, kernel), other;
    rg_addr out = sim_fresh(s, "out", 8 * M, true), zero = sim_put(s, "zero", NULL, 4 * M);
    s->d.check(s->d.self, checked ? 1e9 : 0);
    s->d.budget(s->d.self, 1e8);
    struct sim_arg a[] = {ARG(at.x), ARG(at.z), ARG(at.k), ARG(at.d), ARG(at.h), ARG(out), ARG(out), ARG(zero), ARG(n)};
    enum rg_outcome o = sim_launch_as(s, kernel, 1, 1, 64, 1, 0, false, a, 9);
    const char *m = s->fault.message;
    char where[80], mark[80];
    snprintf(mark, sizeof mark, "%s_2", kernel);
    other = cu_line(&cu, mark);
    snprintf(where, sizeof where, "kernel %s, line %d,", kernel, line);
    if (other && !strstr(m, where)) snprintf(where, sizeof where, "kernel %s, line %d,", kernel, other);
    if (getenv("RG_TEST_SHOW")) print_message("%s: %s\n", rg_outcome_word(o), m);
    if (o != want || !strstr(m, words) || !line || !strstr(m, where))
        fail_msg("%s: %s (%s), not %s with '%s' and '%s'", kernel, rg_outcome_word(o), m, rg_outcome_word(want), where,
                 words);
    s->d.release(s->d.self, out);
    s->d.release(s->d.self, zero);
}

static void bugs(void **state)
{
    if (!cu.have) skip();
    finds("runaway", true, RG_OUTCOME_CRASH, "stack overflow: ");
    finds("runaway", false, RG_OUTCOME_CRASH, "'endless' finds no room in the 32768 bytes of a thread's stack");
    finds("outside", true, RG_OUTCOME_BOUNDS, "read of 4 bytes at offset 16384 of 'k'");
    finds("outside", false, RG_OUTCOME_BOUNDS, "offset 16384 of 'k'");
    finds("array", true, RG_OUTCOME_BOUNDS, "write of 4 bytes at offset");
    finds("unset", true, RG_OUTCOME_WRONG, "was never written");
    finds("kept", true, RG_OUTCOME_WRONG,
          "offset 12 of local memory was never written; the value read there is stored as a result at line");
    finds("gone", true, RG_OUTCOME_BOUNDS, "of local memory");
    finds("uneven", true, RG_OUTCOME_RACE, "barrier");
}

/* ---- PTX as no compiler of ours prints it: tests/runtime/kernels/sim_recursive.ptx ---- */

static uint32_t by_bytes(uint32_t a, uint32_t b, uint32_t n)
{
    return n ? 3 * by_bytes(a + n, b ^ n, n - 1) + 1 : a + b;
}
struct addressed {
    uint32_t sum, n;
    uint64_t wide;
};
static struct addressed by_address(const uint32_t p[4], uint32_t n)
{
    struct addressed r = {0, 0, 0};
    const uint32_t swapped[4] = {p[2], p[3], p[0], p[1]};
    if (n) r = by_address(swapped, n - 1);
    return (struct addressed){r.sum + p[n & 3] + ((int32_t)p[n & 3] < 50 ? 1000 : 0), n,
                              r.wide + (p[2] | (uint64_t)p[3] << 32)};
}
static uint64_t pong(uint64_t v, uint32_t n)
{
    return n ? pong(v * 5 + 1, n - 1) + (n - 1) - v : v;
}
static uint32_t twice(uint32_t v, uint32_t n)
{
    return n ? twice(v, n - 1) + twice(v * 3, n - 1) + n : v;
}

static void by_hand(void **state)
{
    struct sim s;
    enum { N = 96 };
    struct {
        uint32_t bytes, sum, n, twice;
        uint64_t wide, pong;
    } got[N];
    uint32_t in[N];
    sim_open(&s, "sim_recursive.ptx");
    for (uint32_t i = 0; i < N; i++) in[i] = i * 2654435761u >> 25;
    rg_addr out = sim_put(&s, "out", NULL, sizeof got), from = sim_put(&s, "in", in, sizeof in);
    for (int checked = 0; checked < 2; checked++) {
        s.d.check(s.d.self, checked ? 1e9 : 0);
        struct sim_arg a[] = {ARG(out), ARG(from)};
        if (sim_launch_as(&s, "k_recursive", 1, 1, N, 1, 0, false, a, 2)) fail_msg("%s", s.fault.message);
        sim_get(&s, got, out, sizeof got);
        for (uint32_t i = 0; i < N; i++) {
            const uint32_t p[4] = {in[i], i, i & 7, 9};
            struct addressed want = by_address(p, i & 7);
            assert_int_equal(got[i].bytes, by_bytes(in[i], i, i & 7));
            assert_int_equal(got[i].sum, want.sum);
            assert_int_equal(got[i].n, want.n);
            assert_int_equal(got[i].twice, twice(in[i], i & 7));
            assert_int_equal(got[i].wide, want.wide);
            assert_int_equal(got[i].pong, pong(in[i], i & 7) + (i & 7));
        }
    }
    sim_close(&s);
}

/* What the driver asks before it sets memory aside. */
static void stacks(void **state)
{
    size_t len;
    char *text = sim_file("sim_recursive.ptx", &len), *plain = sim_file("sim_speed.ptx", &len);
    assert_true(rg_ptx_recursive(text, strlen(text)));
    assert_false(rg_ptx_recursive(plain, strlen(plain)));
    assert_false(rg_ptx_recursive("\tcall.uni what", 14));
    struct rg_device_facts f = {.sms = 132, .max_threads_per_sm = 2048, .memory_bytes = (int64_t)141 << 30};
    assert_int_equal(rg_device_stack(&f), 32768);
    f.memory_bytes = (int64_t)40 << 30;
    assert_int_equal(rg_device_stack(&f), 8192);
    f.memory_bytes = (int64_t)1 << 30;
    assert_int_equal(rg_device_stack(&f), 1024);
    free(text);
    free(plain);
}

/* The estimate of recursion is the same every time, grows with what there is to do, and counts the stack's traffic. */
static double estimated(const char *kernel, int n)
{
    struct sim *s = &cu.s;
    double us = 0;
    rg_addr out = sim_put(s, "out", NULL, 8 * M), zero = sim_put(s, "zero", NULL, 4 * M);
    struct sim_arg a[] = {ARG(at.x), ARG(at.z), ARG(at.k), ARG(at.d), ARG(at.h), ARG(out), ARG(out), ARG(zero), ARG(n)};
    s->d.check(s->d.self, 0);
    s->d.budget(s->d.self, 1e10);
    s->d.estimate_mode(s->d.self, true);
    assert_int_equal(s->d.mark(s->d.self, 0, &s->err), RG_OK);
    if (sim_launch_as(s, kernel, 8, 1, 128, 1, 0, false, a, 9)) fail_msg("%s: %s", kernel, s->fault.message);
    assert_int_equal(s->d.mark(s->d.self, 1, &s->err), RG_OK);
    assert_int_equal(s->d.elapsed(s->d.self, 0, 1, &us, &s->fault, &s->err), RG_OK);
    s->d.estimate_mode(s->d.self, false);
    s->d.release(s->d.self, out);
    s->d.release(s->d.self, zero);
    return us;
}
static void estimates(void **state)
{
    if (!cu.have) skip();
    double few = estimated("climbs", 8), many = estimated("climbs", 14), again = estimated("climbs", 14);
    assert_true(few > 1 && few < 1000);
    assert_true(many > 4 * few && many < 100 * few); /* fib(14) makes 18 times the calls of fib(8) */
    assert_true(many == again);
    struct rg_counter c[64];
    int n = 64;
    double unknown = -1;
    enum rg_limiter limiter;
    cu.s.d.counters(cu.s.d.self, c, &n, &limiter);
    estimated("climbs", 30); /* is cut: no loop of the kernel tells how much is left */
    n = 64;
    cu.s.d.counters(cu.s.d.self, c, &n, &limiter);
    for (int i = 0; i < n; i++)
        if (!strcmp(c[i].name, "unknown_rounds")) unknown = c[i].value;
    assert_true(unknown > 0);
}

static int setup(void **state)
{
    return kernels_open(__FILE__, "recursive.inc recursive.cu");
}
static int teardown(void **state)
{
    cu_close(&cu);
    return 0;
}
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bugs), cmocka_unit_test(by_hand), cmocka_unit_test(stacks),
                                       cmocka_unit_test(estimates)};
    int failed = kernels_run(all, (int)(sizeof all / sizeof *all), setup, teardown);
    return failed + cmocka_run_group_tests(tests, setup, teardown);
}
