/* Threads of the simulated device with each other: warps, divergence, shared memory, atomics, forward progress, grid
 * barriers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/runtime/sim_features.h"

static void warps(void **state)
{
    struct sim *s = *state;
    int a[32], out[32 * 16], sum = 0, most = 0, x = 0, ballot = 0, odd = 0, above = 0;
    bool three = false;
    for (int i = 0; i < 32; i++) {
        a[i] = (int)(draw() % 100);
        sum += a[i];
        x ^= a[i];
        if (a[i] > most) most = a[i];
        if (a[i] > 50) ballot |= (int)(1u << i);
        odd += a[i] & 1;
        above += a[i] > 10;
        three |= a[i] == 3;
    }
    rg_addr da = sim_put(s, "a", a, sizeof a), dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_warp", 1, 32, ARG(da), ARG(dout));
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < 32; i++) {
        int *o = out + i * 16, y = 0, peers = 0;
        for (int j = 0; j < 32; j++) peers |= (a[j] & 3) == (a[i] & 3) ? (int)(1u << j) : 0;
        CHECK(0, a[(i + 5) & 31]);
        CHECK(1, i >= 3 ? a[i - 3] : a[i]);
        CHECK(2, (i & 15) + 7 < 16 ? a[i + 7] : a[i]);
        CHECK(3, a[i ^ 9]);
        CHECK(4, ballot);
        CHECK(5, most > 98);
        CHECK(6, 1);
        CHECK(7, peers);
        CHECK(8, sum);
        CHECK(9, most);
        CHECK(10, x);
        CHECK(11, a[i] & 1 ? odd : 0);
        CHECK(12, sum);
        CHECK(13, -1 + 1);
        CHECK(14, above);
        CHECK(15, three + 2);
    }
}

static void shared_memory(void **state)
{
    struct sim *s = *state;
    static float x[N], out[N + 1];
    float sum = 0;
    int n = N;
    for (int i = 0; i < N; i++) sum += x[i] = (float)(draw() % 64);
    rg_addr dx = sim_put(s, "x", x, sizeof x), dout = sim_put(s, "out", NULL, sizeof out);
    struct sim_arg args[] = {ARG(n), ARG(dx), ARG(dout)};
    assert_int_equal(sim_launch_as(s, "t_shared", 4, 1, 256, 1, 1024, false, args, 3), RG_OUTCOME_OK);
    sim_get(s, out, dout, sizeof out);
    assert_true(out[0] == sum);
    for (int i = 0; i < N; i++) {
        int j = i / 256 * 256 + 255 - i % 256;
        assert_true(out[1 + i] == (j < N ? x[j] : 0));
    }
}

static void atomics(void **state)
{
    struct sim *s = *state;
    static int x[N];
    int out[12] = {0, -1000000, 1000000, 0, 0, 0, -1, 0, 0, 0, 0, 0}, r[12],
        want[12] = {0, -1000000, 1000000, 0, 0, 0, -1, 2 * N, 0, 0, 0, 0}, n = N;
    float f = 0;
    double d = 0;
    unsigned long long u = 0;
    for (int i = 0; i < N; i++) {
        x[i] = (int)(draw() % 1000) - 500;
        want[0] += x[i];
        if (x[i] > want[1]) want[1] = x[i];
        if (x[i] < want[2]) want[2] = x[i];
        want[3] |= (int)(1u << (x[i] & 31));
        want[4] ^= x[i];
        want[6] &= ~(1 << (x[i] & 7));
        want[8 + (x[i] & 3)]++;
    }
    want[5] = N % 7;
    rg_addr dx = sim_put(s, "x", x, sizeof x), dout = sim_put(s, "out", out, sizeof out), df = sim_put(s, "f", &f, 4),
            dd = sim_put(s, "d", &d, 8), du = sim_put(s, "u", &u, 8);
    LAUNCH(s, "t_atomic", 8, 128, ARG(n), ARG(dx), ARG(dout), ARG(df), ARG(dd), ARG(du));
    sim_get(s, r, dout, sizeof r);
    for (int i = 0; i < 12; i++) assert_int_equal(r[i], want[i]);
    sim_get(s, &f, df, 4);
    sim_get(s, &d, dd, 8);
    sim_get(s, &u, du, 8);
    assert_true(f == N * 0.5f && d == N * 0.25 && u == 3 * N);
}

static void progress(void **state)
{
    struct sim *s = *state;
    int zero[2] = {0, 0}, count, out[8];
    rg_addr lock = sim_put(s, "lock", zero, 4), c = sim_put(s, "count", zero, 4);
    LAUNCH(s, "t_lock", 3, 64, ARG(lock), ARG(c));
    sim_get(s, &count, c, 4);
    assert_int_equal(count, 192);
    rg_addr flag = sim_put(s, "flag", NULL, 32), dout = sim_put(s, "out", NULL, 32);
    LAUNCH(s, "t_chain", 8, 64, ARG(flag), ARG(dout));
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < 8; i++) assert_int_equal(out[i], 8 - i);
}

static void grid_sync(void **state)
{
    struct sim *s = *state;
    enum { G = 512 };
    float x[G], y[G], r[G];
    int n = G;
    for (int i = 0; i < G; i++) x[i] = (float)i;
    rg_addr dx = sim_put(s, "x", x, sizeof x), dy = sim_put(s, "y", NULL, sizeof y);
    struct sim_arg args[] = {ARG(dx), ARG(dy), ARG(n)};
    enum rg_outcome o = sim_launch_as(s, "t_grid", 8, 1, 64, 1, 0, true, args, 3);
    if (o) print_message("%s\n", s->fault.message);
    assert_int_equal(o, RG_OUTCOME_OK);
    sim_get(s, r, dx, sizeof r);
    for (int i = 0; i < G; i++) assert_true(r[i] == (float)((i + 4) % G + 4));
}

static void tiles_and_copies(void **state)
{
    struct sim *s = *state;
    float x[384], out[384];
    for (int i = 0; i < 384; i++) x[i] = (float)i;
    rg_addr dx = sim_put(s, "x", x, sizeof x), dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_tile", 1, 64, ARG(dx), ARG(dout));
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < 8; i++) assert_true(out[i] == (float)(i * 64 + 28));
    LAUNCH(s, "t_async", 1, 32, ARG(dx), ARG(dout));
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < 384; i++) assert_true(out[i] == x[i / 128 * 128 + 127 - i % 128]);
}

static void divergence(void **state)
{
    struct sim *s = *state;
    static int x[N], out[N];
    int n = N;
    for (int i = 0; i < N; i++) x[i] = (int)(draw() % 10000) + 1;
    rg_addr dx = sim_put(s, "x", x, sizeof x), dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_diverge", 8, 128, ARG(n), ARG(dx), ARG(dout));
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < N; i++) {
        int v = x[i], steps = 0;
        while (v != 1) {
            v = v & 1 ? 3 * v + 1 : v >> 1;
            if (++steps > 500) break;
            if (steps % 7 == 3) continue;
            if ((v & 3) == 1 && v == 5) steps++;
        }
        assert_int_equal(out[i], steps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {SIM_TEST(warps),     SIM_TEST(shared_memory), SIM_TEST(atomics),
                                       SIM_TEST(progress),  SIM_TEST(grid_sync),     SIM_TEST(tiles_and_copies),
                                       SIM_TEST(divergence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
