/* The simulated device's floating point against the host's: rounding modes, special values, conversions, the math
 * library's bounds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/sim/arith/scalar.h"
#include "tests/runtime/sim_features.h"
#include <fenv.h>
#include <limits.h>

/* What is computed between two changes of the rounding mode must stay there. */
#ifdef __clang__
#pragma STDC FENV_ACCESS ON
#else
#pragma GCC optimize("rounding-math")
#endif
static __attribute__((noinline)) float rounded(int mode, int op, volatile float x, volatile float y)
{
    fesetround(mode);
    volatile float r = op == 0 ? x + y : op == 1 ? x * y : op == 2 ? fmaf(x, y, x) : x / y;
    fesetround(FE_TONEAREST);
    return r;
}
static __attribute__((noinline)) double rounded64(int mode, int op, volatile double x, volatile double y)
{
    fesetround(mode);
    volatile double r = op == 0 ? x + y : x * y;
    fesetround(FE_TONEAREST);
    return r;
}

static void floats(void **state)
{
    struct sim *s = *state;
    static float a[N], b[N], out[N * 24];
    int n = N;
    for (int i = 0; i < N; i++) a[i] = draw_float(), b[i] = draw_float();
    a[0] = NAN;
    a[1] = INFINITY;
    b[2] = 0;
    a[3] = 0;
    b[3] = -0.0f;
    a[4] = 1e-40f;
    a[5] = -INFINITY;
    b[5] = INFINITY;
    b[6] = NAN;
    a[7] = 1e38f;
    b[7] = 1e5f;
    rg_addr da = sim_put(s, "a", a, sizeof a), db = sim_put(s, "b", b, sizeof b),
            dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_float", 8, 128, ARG(n), ARG(da), ARG(db), ARG(dout));
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < N; i++) {
        float x = a[i], y = b[i], *o = out + i * 24;
        SAME(0, x + y);
        SAME(1, x - y);
        SAME(2, x * y);
        SAME(3, x / y);
        SAME(4, fmaf(x, y, x));
        SAME(5, sqrtf(fabsf(x)));
        if (x != y) {
            SAME(6, fminf(x, y));
            SAME(7, fmaxf(x, y));
        }
        SAME(8, floorf(x));
        SAME(9, ceilf(x));
        SAME(10, rintf(x));
        SAME(11, truncf(x));
        SAME(12, rounded(FE_TOWARDZERO, 0, x, y));
        SAME(13, rounded(FE_UPWARD, 1, x, y));
        SAME(14, rounded(FE_DOWNWARD, 2, x, y));
        SAME(15, rounded(FE_TOWARDZERO, 3, x, y));
        SAME(16, 1 / y);
        if (fabsf(x) < 2e9f) SAME(17, (float)(int)x);
        if (fabsf(x) < 4e9f) SAME(18, (float)(uint32_t)fabsf(x));
        SAME(19, copysignf(x, y));
        SAME(20, x < y ? 1 : 0);
        SAME(21, !(x <= y) ? 1 : 0);
        SAME(22, x > 0 ? fminf(x, 1) : 0);
        SAME(23, (isnan(x) != 0) + 2 * (isinf(x) != 0));
    }
}

static void doubles(void **state)
{
    struct sim *s = *state;
    static double a[N], b[N], out[N * 16];
    int n = N;
    for (int i = 0; i < N; i++) a[i] = (double)draw_float() * 1.000000123, b[i] = (double)draw_float() / 3;
    a[0] = NAN;
    a[1] = INFINITY;
    b[2] = 0;
    rg_addr da = sim_put(s, "a", a, sizeof a), db = sim_put(s, "b", b, sizeof b),
            dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_double", 8, 128, ARG(n), ARG(da), ARG(db), ARG(dout));
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < N; i++) {
        double x = a[i], y = b[i], *o = out + i * 16;
        SAME(0, x + y);
        SAME(1, x * y);
        SAME(2, x / y);
        SAME(3, fma(x, y, x));
        SAME(4, sqrt(fabs(x)));
        SAME(5, fmin(x, y));
        SAME(6, floor(x));
        SAME(7, rint(x));
        SAME(8, (double)(float)x);
        if (fabs(x) < 9e18) SAME(9, (double)(long long)x);
        if (fabs(x) < 2e9) SAME(10, (double)(int)x);
        SAME(11, rounded64(FE_DOWNWARD, 0, x, y));
        SAME(12, rounded64(FE_TOWARDZERO, 1, x, y));
        SAME(13, 1 / y);
        SAME(14, fmod(x, y));
        SAME(15, copysign(x, y));
    }
}

static void math_within(void **state)
{
    struct sim *s = *state;
    static float a[N], out[N * 20];
    int n = N;
    for (int i = 0; i < N; i++) a[i] = (float)(i - N / 2) * 0.0317f;
    rg_addr da = sim_put(s, "a", a, sizeof a), dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_math", 8, 128, ARG(n), ARG(da), ARG(dout));
    sim_get(s, out, dout, sizeof out);
    /* relative, absolute bounds: the CUDA guide's ulp errors, those of the fast ones as it states them */
    static const double rel[20] = {5e-7, 3e-7, 5e-7, 5e-7, 1e-6, 2e-6, 5e-7, 3e-7, 5e-7, 5e-7,
                                   5e-7, 5e-7, 5e-7, 5e-7, 3e-6, 3e-7, 0,    3e-7, 4e-6, 1e-6};
    static const double abs_[20] = {0, 3e-7, 1e-7, 1e-7, 1e-7, 0,    0,    3e-7, 0, 0,
                                    0, 0,    0,    0,    0,    5e-7, 2e-6, 0,    0, 1e-30};
    for (int i = 0; i < N; i++) {
        double x = a[i], p = (double)(fabsf(a[i]) + 1e-3f);
        double want[20] = {exp(x),      log(p),
                           sin(x),      cos(x),
                           tan(x),      pow(p, (double)1.7f),
                           exp2(x),     log2(p),
                           1 / sqrt(p), tanh(x),
                           erf(x),      cbrt(x),
                           atan2(x, p), log1p(p),
                           exp(x),      log(p),
                           sin(x),      x / p,
                           pow(p, 2.5), 0.5 * erfc(-x / sqrt(2))};
        for (int k = 0; k < 20; k++) {
            double d = fabs((double)out[i * 20 + k] - want[k]);
            if (!(d <= rel[k] * fabs(want[k]) + abs_[k]))
                fail_msg("math %d of %g: %.9g, not %.9g", k, x, (double)out[i * 20 + k], want[k]);
        }
    }
}

static void double_math(void **state)
{
    struct sim *s = *state;
    static double a[N], out[N * 8];
    int n = N;
    for (int i = 0; i < N; i++) a[i] = (i - N / 2) * 0.0317;
    rg_addr da = sim_put(s, "a", a, sizeof a), dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_dmath", 8, 128, ARG(n), ARG(da), ARG(dout));
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < N; i++) {
        double x = a[i], p = fabs(x) + 1e-3;
        double want[8] = {exp(x), log(p), sin(x * 1e6), cos(x), pow(p, 2.3), erf(x), tanh(x), 1 / sqrt(p)};
        for (int k = 0; k < 8; k++)
            if (!(fabs(out[i * 8 + k] - want[k]) <= 1e-15 * fabs(want[k]) + 3e-16))
                fail_msg("math %d of %g: %.17g, not %.17g", k, x, out[i * 8 + k], want[k]);
    }
}

static double h16(double x)
{
    return rg__sim_half_to_double(rg__sim_double_to_half(x, SIM_RN));
}
static double b16(double x)
{
    return rg__sim_bf16_to_double(rg__sim_double_to_bf16(x, SIM_RN));
}
static void halves(void **state)
{
    struct sim *s = *state;
    static float a[N], b[N], out[N * 10];
    int n = N;
    for (int i = 0; i < N; i++) a[i] = draw_float(), b[i] = draw_float();
    rg_addr da = sim_put(s, "a", a, sizeof a), db = sim_put(s, "b", b, sizeof b),
            dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_half", 8, 128, ARG(n), ARG(da), ARG(db), ARG(dout));
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < N; i++) {
        double x = h16(a[i]), y = h16(b[i]), p = b16(a[i]), q = b16(b[i]);
        float *o = out + i * 10;
        SAME(0, (float)h16(x + y));
        SAME(1, (float)h16(x * y));
        SAME(2, (float)h16(x * y + x));
        SAME(3, (float)h16(x * x + x));
        SAME(4, (float)h16(y * y + y));
        SAME(5, x < y);
        SAME(6, (float)fmax(x, y));
        SAME(7, (float)b16(p + q));
        SAME(8, (float)b16(p * q));
        SAME(9, (float)rg__sim_half_to_double(rg__sim_double_to_half((double)(a[i] * 1.001f), SIM_RZ)));
    }
    /* The conversions themselves: every half there is, both ways, and the known ends. */
    for (int h = 0; h < 65536; h++) {
        double v = rg__sim_half_to_double((uint16_t)h);
        if (!isnan(v)) assert_int_equal(rg__sim_double_to_half(v, SIM_RN), h);
    }
    assert_int_equal(rg__sim_double_to_half(65519.9, SIM_RN), 0x7bff);
    assert_int_equal(rg__sim_double_to_half(65520, SIM_RN), 0x7c00);
    assert_int_equal(rg__sim_double_to_half(0x1p-25, SIM_RN), 0);
    assert_int_equal(rg__sim_double_to_half(0x1.8p-25, SIM_RN), 1);
}

static int64_t whole(double x, int mode, double lo, double hi)
{
    fesetround(mode);
    volatile double v = x; /* neither compiler keeps a plain value behind the call */
    v = nearbyint(v);
    fesetround(FE_TONEAREST);
    x = v;
    return x <= lo ? (int64_t)lo : x >= hi ? (int64_t)hi : (int64_t)x;
}
static void conversions(void **state)
{
    struct sim *s = *state;
    static double a[N];
    static long long out[N * 12];
    int n = N;
    for (int i = 0; i < N; i++) a[i] = (double)draw_float() * (i % 5 ? 1 : 1e7) + 0.5 * (i % 2);
    a[0] = 1e30;
    a[1] = -1e30;
    a[2] = 2.5;
    a[3] = -2.5;
    a[4] = 3.5;
    rg_addr da = sim_put(s, "a", a, sizeof a), dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_cvt", 8, 128, ARG(n), ARG(da), ARG(dout));
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < N; i++) {
        double x = a[i], y = 0;
        float f = (float)x;
        long long *o = out + i * 12;
        CHECK(0, whole(x, FE_TONEAREST, INT_MIN, INT_MAX));
        CHECK(1, whole(x, FE_DOWNWARD, INT_MIN, INT_MAX));
        if (fabs(x) < 9e18) CHECK(2, whole(x, FE_UPWARD, -9.3e18, 9.3e18));
        CHECK(3, whole(x, FE_TOWARDZERO, 0, UINT32_MAX));
        CHECK(4, whole(f, FE_TONEAREST, INT_MIN, INT_MAX));
        CHECK(5, whole(f, FE_UPWARD, INT_MIN, INT_MAX));
        CHECK(6, whole(f, FE_TOWARDZERO, 0, UINT32_MAX));
        int bits;
        memcpy(&bits, &f, 4);
        CHECK(7, (long long)bits);
        if (fabs(x * 1e12) < 9e18) {
            float g = (float)(long long)(x * 1e12);
            memcpy(&bits, &g, 4);
            CHECK(8, (long long)bits);
        }
        fesetround(FE_TOWARDZERO);
        volatile uint32_t u = (uint32_t)i * 2654435761u;
        volatile float g = (float)u;
        fesetround(FE_TONEAREST);
        memcpy(&bits, (const void *)&g, 4);
        CHECK(9, (long long)bits);
        if (fabs(x * 1e17) < 9e18) {
            volatile long long v = (long long)(x * 1e17);
            fesetround(FE_DOWNWARD);
            volatile double e = (double)v;
            fesetround(FE_TONEAREST);
            long long w;
            memcpy(&w, (const void *)&e, 8);
            CHECK(10, w);
        }
        fesetround(FE_UPWARD);
        volatile double in = x;
        volatile float up = (float)in;
        fesetround(FE_TONEAREST);
        memcpy(&bits, (const void *)&up, 4);
        CHECK(11, (long long)bits);
    }
}

/* Denormals are flushed where the whole kernel says so, and only there. */
static void flush_to_zero(void **state)
{
    struct sim *s = *state;
    for (int ftz = 0; ftz < 2; ftz++) {
        char *ptx = rg_xasprintf(".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 "
                                 "p)\n{\n.reg .b64 %%d; .reg .f32 %%f<3>;\n"
                                 "ld.param.u64 %%d, [p];\nld.global.f32 %%f1, [%%d];\nadd%s.f32 %%f2, %%f1, "
                                 "%%f1;\nst.global.f32 [%%d+4], %%f2;\nret;\n}\n",
                                 ftz ? ".ftz" : "");
        const char *name = "k";
        struct rg_blob blob = {.ptx = ptx, .ptx_len = strlen(ptx), .n_kernels = 1, .lowered = &name};
        struct rg_module *m;
        assert_int_equal(s->d.load(s->d.self, &blob, &m, &s->fault, &s->err), RG_OK);
        float v[2] = {0x1p-130f, -1};
        rg_addr a = sim_put(s, "v", v, sizeof v);
        const void *args[] = {&a};
        size_t bytes[] = {8};
        struct rg_launch l = {
            .module = m, .grid = {1, 1, 1}, .block = {1, 1, 1}, .n_args = 1, .args = args, .arg_bytes = bytes};
        assert_int_equal(s->d.launch(s->d.self, &l, &s->fault, &s->err), RG_OK);
        sim_get(s, v, a, sizeof v);
        assert_true(v[1] == (ftz ? 0 : 0x1p-129f));
        s->d.unload(s->d.self, m);
        free(ptx);
    }
    volatile float tiny = 1e-40f;
    assert_true(tiny + tiny > 0); /* the program's own arithmetic is as before */
}

int main(void)
{
    const struct CMUnitTest tests[] = {SIM_TEST(floats),       SIM_TEST(doubles), SIM_TEST(math_within),
                                       SIM_TEST(double_math),  SIM_TEST(halves),  SIM_TEST(conversions),
                                       SIM_TEST(flush_to_zero)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
