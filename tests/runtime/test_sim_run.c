/* The simulated device computes what whole kernels say: memory of every kind, structs, calls, vectors, matrix units;
 * against C on the host. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/sim/arith/scalar.h"
#include "tests/runtime/sim_features.h"

static void saxpy(void **state)
{
    struct sim *s = *state;
    float x[N], y[N], r[N], a = 2.5f;
    int n = N - 7;
    for (int i = 0; i < N; i++) x[i] = draw_float(), y[i] = draw_float();
    rg_addr dx = sim_put(s, "x", x, sizeof x), dy = sim_put(s, "y", y, sizeof y);
    LAUNCH(s, "t_saxpy", 8, 128, ARG(n), ARG(a), ARG(dx), ARG(dy));
    sim_get(s, r, dy, sizeof r);
    for (int i = 0; i < N; i++) assert_true(r[i] == (i < n ? fmaf(a, x[i], y[i]) : y[i]));
    uint64_t h1, h2;
    s->d.hash(s->d.self, dx, sizeof x, &h1, &s->err);
    s->d.hash(s->d.self, dy, sizeof y, &h2, &s->err);
    assert_true(h1 != h2);
}

struct body {
    float pos[3];
    double mass;
    int id;
};
static void structs(void **state)
{
    struct sim *s = *state;
    struct body b = {{1.5f, 2.5f, 3.5f}, 2, 100}, in[32], out[32];
    float f[33];
    int k = 2;
    memset(in, 0, sizeof in);
    for (int i = 0; i < 32; i++) in[i] = (struct body){{(float)i, 1, 2}, i + 0.5, i};
    rg_addr din = sim_put(s, "in", in, sizeof in), dout = sim_put(s, "out", NULL, sizeof out),
            df = sim_put(s, "f", NULL, sizeof f);
    for (int pass = 1; pass <= 2; pass++) {
        LAUNCH(s, "t_struct", 1, 32, ARG(b), ARG(k), ARG(din), ARG(dout), ARG(df));
        sim_get(s, f, df, sizeof f);
        assert_true(f[32] == (float)(5 + k * pass)); /* module variables keep their values between launches */
    }
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < 32; i++) {
        assert_true(out[i].pos[0] == (float)i + 3.5f * (float)(1 << (i & 7)) && out[i].pos[1] == 1 &&
                    out[i].mass == (i + 0.5) * 2 && out[i].id == i + 100);
        assert_true(f[i] == (float)(1 << ((i * 5 + k) & 7)) * (float)i + 8);
    }
    rg_addr a;
    size_t bytes;
    assert_int_equal(s->d.symbol(s->d.self, s->m, "table", &a, &bytes, &s->err), RG_OK);
    assert_int_equal(bytes, 32);
    assert_int_equal(s->d.symbol(s->d.self, s->m, "nothing", &a, &bytes, NULL), RG_INPUT);
}

static void calls(void **state)
{
    struct sim *s = *state;
    float a[32], out[32];
    for (int i = 0; i < 32; i++) a[i] = (float)i * 0.5f + 1;
    rg_addr da = sim_put(s, "a", a, sizeof a), dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_calls", 1, 32, ARG(da), ARG(dout));
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < 32; i++) {
        float r = (i ? a[i] * (float)i : -a[i]) + 1, e = a[i] * (float)(i + 1);
        assert_true(out[i] == (i & 1 ? r : r + e * 3));
    }
}

static void vectors(void **state)
{
    struct sim *s = *state;
    float x[32][4];
    double y[32][2];
    unsigned char c[32][4];
    int64_t l[32][4], out[32];
    int n = 30;
    for (int i = 0; i < 32; i++)
        for (int k = 0; k < 4; k++) x[i][k] = (float)(i * 4 + k), l[i][k] = (int64_t)i << 33 | k;
    rg_addr dx = sim_put(s, "x", x, sizeof x), dy = sim_put(s, "y", NULL, sizeof y),
            dc = sim_put(s, "c", NULL, sizeof c), dl = sim_put(s, "l", l, sizeof l),
            dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_vector", 1, 32, ARG(n), ARG(dx), ARG(dy), ARG(dc), ARG(dl), ARG(dout));
    sim_get(s, y, dy, sizeof y);
    sim_get(s, c, dc, sizeof c);
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < 32; i++) {
        bool on = i < n;
        assert_true(y[i][0] == (on ? (double)(x[i][0] + x[i][1]) : 0) &&
                    y[i][1] == (on ? (double)x[i][2] * (double)x[i][3] : 0));
        assert_int_equal(c[i][3], on ? i * 4 + 3 : 0);
        assert_true(out[i] == (on ? l[i][0] + l[i][3] : 0));
    }
}

static void generic(void **state)
{
    struct sim *s = *state;
    int g[32], out[32], k = 6;
    for (int i = 0; i < 32; i++) g[i] = -i;
    rg_addr dg = sim_put(s, "g", g, sizeof g), dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_generic", 1, 32, ARG(dg), ARG(dout), ARG(k));
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < 32; i++)
        assert_int_equal(out[i], i % 3 == 0 ? -i : i % 3 == 1 ? i * 10 + 1000 : 100 + (k & 3) + i);
}

static void matrices(void **state)
{
    struct sim *s = *state;
    uint16_t a[256], b[256];
    float c[256], d[256];
    uint32_t frag[32 * 8];
    for (int i = 0; i < 256; i++) {
        a[i] = rg__sim_double_to_half((double)((int)(draw() % 33) - 16) / 8, SIM_RN);
        b[i] = rg__sim_double_to_half((double)((int)(draw() % 33) - 16) / 4, SIM_RN);
        c[i] = (float)(draw() % 16);
    }
    rg_addr da = sim_put(s, "a", a, sizeof a), db = sim_put(s, "b", b, sizeof b), dc = sim_put(s, "c", c, sizeof c),
            dd = sim_put(s, "d", NULL, sizeof d), df = sim_put(s, "f", NULL, sizeof frag);
    LAUNCH(s, "t_mma", 1, 32, ARG(da), ARG(db), ARG(dc), ARG(dd));
    sim_get(s, d, dd, sizeof d);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 8; j++) {
            double r = (double)c[i * 8 + j];
            for (int k = 0; k < 16; k++)
                r += rg__sim_half_to_double(a[i * 16 + k]) * rg__sim_half_to_double(b[k * 8 + j]);
            assert_true((double)d[i * 8 + j] == r);
        }
    LAUNCH(s, "t_ldmatrix", 1, 32, ARG(da), ARG(df));
    sim_get(s, frag, df, sizeof frag);
    for (int l = 0; l < 32; l++)
        for (int q = 0; q < 4; q++) { /* matrices: rows 0-7, rows 8-15 of the left half, then of the right */
            int r0 = q % 2 * 8, c0 = q / 2 * 8, row = l / 4, col = l % 4 * 2;
            assert_int_equal(frag[l * 8 + q],
                             a[(r0 + row) * 16 + c0 + col] | (uint32_t)a[(r0 + row) * 16 + c0 + col + 1] << 16);
            assert_int_equal(frag[l * 8 + 4 + q],
                             a[(r0 + col) * 16 + c0 + row] | (uint32_t)a[(r0 + col + 1) * 16 + c0 + row] << 16);
        }
    LAUNCH(s, "t_wmma", 1, 32, ARG(da), ARG(db), ARG(dd));
    sim_get(s, d, dd, sizeof d);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            double r = 0.5;
            for (int k = 0; k < 16; k++)
                r += rg__sim_half_to_double(a[i * 16 + k]) * rg__sim_half_to_double(b[j * 16 + k]);
            assert_true((double)d[i * 16 + j] == r);
        }
}

static void gemm(void **state)
{
    struct sim *s = *state;
    enum { M = 37 };
    static float a[M * M], b[M * M], c[M * M];
    int n = M;
    for (int i = 0; i < M * M; i++) a[i] = (float)((int)(draw() % 17) - 8), b[i] = (float)((int)(draw() % 17) - 8);
    rg_addr da = sim_put(s, "A", a, sizeof a), db = sim_put(s, "B", b, sizeof b), dc = sim_put(s, "C", NULL, sizeof c);
    struct sim_arg args[] = {ARG(n), ARG(da), ARG(db), ARG(dc)};
    assert_int_equal(sim_launch_as(s, "t_gemm", 3, 3, 16, 16, 0, false, args, 4), RG_OUTCOME_OK);
    sim_get(s, c, dc, sizeof c);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            float r = 0;
            for (int k = 0; k < M; k++) r += a[i * M + k] * b[k * M + j];
            assert_true(c[i * M + j] == r);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {SIM_TEST(saxpy),   SIM_TEST(structs),  SIM_TEST(calls), SIM_TEST(vectors),
                                       SIM_TEST(generic), SIM_TEST(matrices), SIM_TEST(gemm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
