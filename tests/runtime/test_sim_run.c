/* The simulated device computes what the kernels say: each feature against C on the host. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/sim/scalar.h"
#include "tests/runtime/sim_fixture.h"
#include <fenv.h>
#include <limits.h>

enum { N = 1000 };
static uint32_t seed = 12345;
static uint32_t draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed ^ seed >> 13;
}
static float draw_float(void) { return ((float)(draw() >> 8) / 8388608.0f - 1) * powf(10, (float)(draw() % 7) - 3); }

static int setup(void **state)
{
    struct sim *s = malloc(sizeof *s);
    sim_open(s, "sim_features.ptx");
    *state = s;
    return 0;
}
static int teardown(void **state)
{
    sim_close(*state);
    free(*state);
    return 0;
}

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

#define CHECK(k, v)                                                                                           \
    if (o[k] != (v)) fail_msg("%s: result %d of %d (%lld, %lld): %lld, not %lld", __func__, k, i, (long long)x, (long long)y, (long long)o[k], (long long)(v))
static void integers(void **state)
{
    struct sim *s = *state;
    static int a[N], b[N], out[N * 24];
    int n = N;
    for (int i = 0; i < N; i++) a[i] = (int)draw(), b[i] = i % 3 ? (int)draw() : (int)(draw() % 40) - 20;
    a[0] = INT_MIN; b[0] = -1; a[1] = 0; b[1] = 0; a[2] = -1; b[2] = INT_MIN;
    rg_addr da = sim_put(s, "a", a, sizeof a), db = sim_put(s, "b", b, sizeof b), dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_int", (N + 95) / 96, 96, ARG(n), ARG(da), ARG(db), ARG(dout));
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < N; i++) {
        int x = a[i], y = b[i], *o = out + i * 24, d = y ? y : 1;
        uint32_t ux = (uint32_t)x, uy = (uint32_t)y, ud = uy ? uy : 1;
        CHECK(0, (int)(ux + uy));
        CHECK(1, (int)(ux - uy));
        CHECK(2, (int)(ux * uy));
        CHECK(3, d == -1 ? (int)(0 - ux) : x / d);
        CHECK(4, d == -1 ? 0 : x % d);
        CHECK(5, (int)(ux / ud));
        CHECK(6, (int)(ux % ud));
        CHECK(7, (int)((int64_t)x * y >> 32));
        CHECK(8, (int)((uint64_t)ux * uy >> 32));
        CHECK(9, x < y ? x : y);
        CHECK(10, x > y ? x : y);
        CHECK(11, (int)(ux < uy ? ux : uy));
        CHECK(12, (int)(ux << (uy & 31)));
        CHECK(13, x >> (y & 31));
        CHECK(14, (int)(ux >> (uy & 31)));
        CHECK(15, x < 0 ? (int)(0 - ux) : x);
        CHECK(16, __builtin_popcount(ux));
        CHECK(17, ux ? __builtin_clz(ux) : 32);
        uint32_t rev = 0, perm = 0;
        for (int k = 0; k < 32; k++) rev |= (ux >> k & 1) << (31 - k);
        CHECK(18, (int)rev);
        CHECK(19, __builtin_ffs(x));
        for (int k = 0; k < 4; k++) {
            uint32_t sel = (0x5410u ^ (uy & 0x7777)) >> (4 * k) & 7;
            perm |= (uint32_t)(((uint64_t)uy << 32 | ux) >> (8 * sel) & 255) << (8 * k);
        }
        CHECK(20, (int)perm);
        CHECK(21, (int)(uint32_t)(((uint64_t)uy << 32 | ux) << (uy & 31) >> 32));
        int dot = 7;
        for (int k = 0; k < 4; k++) dot += (int8_t)(ux >> (8 * k)) * (int8_t)(uy >> (8 * k));
        CHECK(22, dot);
        CHECK(23, (x & y) ^ (x | ~y));
    }
}

static void longs(void **state)
{
    struct sim *s = *state;
    static long long a[N], b[N], out[N * 16];
    int n = N;
    for (int i = 0; i < N; i++) a[i] = (long long)((uint64_t)draw() << 32 | draw()), b[i] = i % 2 ? (long long)((uint64_t)draw() << 32 | draw()) : (int)draw() >> 20;
    a[0] = 0;
    rg_addr da = sim_put(s, "a", a, sizeof a), db = sim_put(s, "b", b, sizeof b), dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_long", 8, 128, ARG(n), ARG(da), ARG(db), ARG(dout));
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < N; i++) {
        long long x = a[i], y = b[i], d = y ? y : 1, *o = out + i * 16;
        uint64_t ux = (uint64_t)x, uy = (uint64_t)y, rev = 0;
        CHECK(0, (long long)(ux + uy));
        CHECK(1, (long long)(ux * uy));
        CHECK(2, x / d);
        CHECK(3, x % d);
        CHECK(4, (long long)(ux / (uint64_t)d));
        CHECK(5, (long long)(ux % (uint64_t)d));
        CHECK(6, (long long)((__int128)x * y >> 64));
        CHECK(7, (long long)((unsigned __int128)ux * uy >> 64));
        CHECK(8, x < y ? x : y);
        CHECK(9, (long long)(ux << (uy & 63)));
        CHECK(10, x >> (y & 63));
        CHECK(11, (long long)(ux >> (uy & 63)));
        CHECK(12, __builtin_popcountll(ux));
        CHECK(13, ux ? __builtin_clzll(ux) : 64);
        CHECK(14, __builtin_ffsll(x));
        for (int k = 0; k < 64; k++) rev |= (ux >> k & 1) << (63 - k);
        CHECK(15, (long long)rev);
    }
}

static void small_integers(void **state)
{
    struct sim *s = *state;
    static short a[N];
    static unsigned char b[N];
    static int out[N * 8];
    int n = N;
    for (int i = 0; i < N; i++) a[i] = (short)draw(), b[i] = (unsigned char)draw();
    rg_addr da = sim_put(s, "a", a, sizeof a), db = sim_put(s, "b", b, sizeof b), dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_small", 8, 128, ARG(n), ARG(da), ARG(db), ARG(dout));
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < N; i++) {
        int x = a[i], y = b[i], *o = out + i * 8;
        CHECK(0, (short)(x * 3 + y));
        CHECK(1, x >> 2);
        CHECK(2, (unsigned short)x >> 3);
        CHECK(3, (signed char)y);
        CHECK(4, x < (signed char)y);
        CHECK(5, (short)(x / (y + 1)));
        CHECK(6, x > y ? x : y);
        CHECK(7, (unsigned char)(y + 200));
    }
}

static bool same(double a, double b) { return (isnan(a) && isnan(b)) || (a == b && (a != 0 || signbit(a) == signbit(b))); }
#define SAME(k, v)                                                                                            \
    if (!same(o[k], v)) fail_msg("%s: result %d of %d (%.9g, %.9g): %.9g, not %.9g", __func__, k, i, (double)x, (double)y, (double)o[k], (double)(v))

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
    a[0] = NAN; a[1] = INFINITY; b[2] = 0; a[3] = 0; b[3] = -0.0f; a[4] = 1e-40f; a[5] = -INFINITY; b[5] = INFINITY; b[6] = NAN; a[7] = 1e38f; b[7] = 1e5f;
    rg_addr da = sim_put(s, "a", a, sizeof a), db = sim_put(s, "b", b, sizeof b), dout = sim_put(s, "out", NULL, sizeof out);
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
    a[0] = NAN; a[1] = INFINITY; b[2] = 0;
    rg_addr da = sim_put(s, "a", a, sizeof a), db = sim_put(s, "b", b, sizeof b), dout = sim_put(s, "out", NULL, sizeof out);
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
    static const double rel[20] = {5e-7, 3e-7, 5e-7, 5e-7, 1e-6, 2e-6, 5e-7, 3e-7, 5e-7, 5e-7, 5e-7, 5e-7, 5e-7, 5e-7, 3e-6, 3e-7, 0, 3e-7, 4e-6, 1e-6};
    static const double abs_[20] = {0, 3e-7, 1e-7, 1e-7, 1e-7, 0, 0, 3e-7, 0, 0, 0, 0, 0, 0, 0, 5e-7, 2e-6, 0, 0, 1e-30};
    for (int i = 0; i < N; i++) {
        double x = a[i], p = (double)(fabsf(a[i]) + 1e-3f);
        double want[20] = {exp(x), log(p), sin(x), cos(x), tan(x), pow(p, (double)1.7f), exp2(x), log2(p), 1 / sqrt(p), tanh(x), erf(x), cbrt(x),
                           atan2(x, p), log1p(p), exp(x), log(p), sin(x), x / p, pow(p, 2.5), 0.5 * erfc(-x / sqrt(2))};
        for (int k = 0; k < 20; k++) {
            double d = fabs((double)out[i * 20 + k] - want[k]);
            if (!(d <= rel[k] * fabs(want[k]) + abs_[k])) fail_msg("math %d of %g: %.9g, not %.9g", k, x, (double)out[i * 20 + k], want[k]);
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
            if (!(fabs(out[i * 8 + k] - want[k]) <= 1e-15 * fabs(want[k]) + 3e-16)) fail_msg("math %d of %g: %.17g, not %.17g", k, x, out[i * 8 + k], want[k]);
    }
}

static double h16(double x) { return rg__sim_half_to_double(rg__sim_double_to_half(x, SIM_RN)); }
static double b16(double x) { return rg__sim_bf16_to_double(rg__sim_double_to_bf16(x, SIM_RN)); }
static void halves(void **state)
{
    struct sim *s = *state;
    static float a[N], b[N], out[N * 10];
    int n = N;
    for (int i = 0; i < N; i++) a[i] = draw_float(), b[i] = draw_float();
    rg_addr da = sim_put(s, "a", a, sizeof a), db = sim_put(s, "b", b, sizeof b), dout = sim_put(s, "out", NULL, sizeof out);
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
    a[0] = 1e30; a[1] = -1e30; a[2] = 2.5; a[3] = -2.5; a[4] = 3.5;
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

struct body { float pos[3]; double mass; int id; };
static void structs(void **state)
{
    struct sim *s = *state;
    struct body b = {{1.5f, 2.5f, 3.5f}, 2, 100}, in[32], out[32];
    float f[33];
    int k = 2;
    memset(in, 0, sizeof in);
    for (int i = 0; i < 32; i++) in[i] = (struct body){{(float)i, 1, 2}, i + 0.5, i};
    rg_addr din = sim_put(s, "in", in, sizeof in), dout = sim_put(s, "out", NULL, sizeof out), df = sim_put(s, "f", NULL, sizeof f);
    for (int pass = 1; pass <= 2; pass++) {
        LAUNCH(s, "t_struct", 1, 32, ARG(b), ARG(k), ARG(din), ARG(dout), ARG(df));
        sim_get(s, f, df, sizeof f);
        assert_true(f[32] == (float)(5 + k * pass)); /* module variables keep their values between launches */
    }
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < 32; i++) {
        assert_true(out[i].pos[0] == (float)i + 3.5f * (float)(1 << (i & 7)) && out[i].pos[1] == 1 && out[i].mass == (i + 0.5) * 2 && out[i].id == i + 100);
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
    int out[12] = {0, -1000000, 1000000, 0, 0, 0, -1, 0, 0, 0, 0, 0}, r[12], want[12] = {0, -1000000, 1000000, 0, 0, 0, -1, 2 * N, 0, 0, 0, 0}, n = N;
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
    rg_addr dx = sim_put(s, "x", x, sizeof x), dout = sim_put(s, "out", out, sizeof out), df = sim_put(s, "f", &f, 4), dd = sim_put(s, "d", &d, 8),
            du = sim_put(s, "u", &u, 8);
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
    rg_addr dx = sim_put(s, "x", x, sizeof x), dy = sim_put(s, "y", NULL, sizeof y), dc = sim_put(s, "c", NULL, sizeof c), dl = sim_put(s, "l", l, sizeof l),
            dout = sim_put(s, "out", NULL, sizeof out);
    LAUNCH(s, "t_vector", 1, 32, ARG(n), ARG(dx), ARG(dy), ARG(dc), ARG(dl), ARG(dout));
    sim_get(s, y, dy, sizeof y);
    sim_get(s, c, dc, sizeof c);
    sim_get(s, out, dout, sizeof out);
    for (int i = 0; i < 32; i++) {
        bool on = i < n;
        assert_true(y[i][0] == (on ? (double)(x[i][0] + x[i][1]) : 0) && y[i][1] == (on ? (double)x[i][2] * (double)x[i][3] : 0));
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
    for (int i = 0; i < 32; i++) assert_int_equal(out[i], i % 3 == 0 ? -i : i % 3 == 1 ? i * 10 + 1000 : 100 + (k & 3) + i);
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
    rg_addr da = sim_put(s, "a", a, sizeof a), db = sim_put(s, "b", b, sizeof b), dc = sim_put(s, "c", c, sizeof c), dd = sim_put(s, "d", NULL, sizeof d),
            df = sim_put(s, "f", NULL, sizeof frag);
    LAUNCH(s, "t_mma", 1, 32, ARG(da), ARG(db), ARG(dc), ARG(dd));
    sim_get(s, d, dd, sizeof d);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 8; j++) {
            double r = (double)c[i * 8 + j];
            for (int k = 0; k < 16; k++) r += rg__sim_half_to_double(a[i * 16 + k]) * rg__sim_half_to_double(b[k * 8 + j]);
            assert_true((double)d[i * 8 + j] == r);
        }
    LAUNCH(s, "t_ldmatrix", 1, 32, ARG(da), ARG(df));
    sim_get(s, frag, df, sizeof frag);
    for (int l = 0; l < 32; l++)
        for (int q = 0; q < 4; q++) { /* matrices: rows 0-7, rows 8-15 of the left half, then of the right */
            int r0 = q % 2 * 8, c0 = q / 2 * 8, row = l / 4, col = l % 4 * 2;
            assert_int_equal(frag[l * 8 + q], a[(r0 + row) * 16 + c0 + col] | (uint32_t)a[(r0 + row) * 16 + c0 + col + 1] << 16);
            assert_int_equal(frag[l * 8 + 4 + q], a[(r0 + col) * 16 + c0 + row] | (uint32_t)a[(r0 + col + 1) * 16 + c0 + row] << 16);
        }
    LAUNCH(s, "t_wmma", 1, 32, ARG(da), ARG(db), ARG(dd));
    sim_get(s, d, dd, sizeof d);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            double r = 0.5;
            for (int k = 0; k < 16; k++) r += rg__sim_half_to_double(a[i * 16 + k]) * rg__sim_half_to_double(b[j * 16 + k]);
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

/* Denormals are flushed where the whole kernel says so, and only there. */
static void flush_to_zero(void **state)
{
    struct sim *s = *state;
    for (int ftz = 0; ftz < 2; ftz++) {
        char *ptx = rg_xasprintf(".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b64 %%d; .reg .f32 %%f<3>;\n"
                                 "ld.param.u64 %%d, [p];\nld.global.f32 %%f1, [%%d];\nadd%s.f32 %%f2, %%f1, %%f1;\nst.global.f32 [%%d+4], %%f2;\nret;\n}\n",
                                 ftz ? ".ftz" : "");
        const char *name = "k";
        struct rg_blob blob = {.ptx = ptx, .ptx_len = strlen(ptx), .n_kernels = 1, .lowered = &name};
        struct rg_module *m;
        assert_int_equal(s->d.load(s->d.self, &blob, &m, &s->fault, &s->err), RG_OK);
        float v[2] = {0x1p-130f, -1};
        rg_addr a = sim_put(s, "v", v, sizeof v);
        const void *args[] = {&a};
        size_t bytes[] = {8};
        struct rg_launch l = {.module = m, .grid = {1, 1, 1}, .block = {1, 1, 1}, .n_args = 1, .args = args, .arg_bytes = bytes};
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
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {T(saxpy), T(integers), T(longs), T(small_integers), T(floats), T(doubles), T(math_within), T(double_math), T(halves),
                                       T(conversions), T(structs), T(calls), T(warps), T(shared_memory), T(atomics), T(progress), T(grid_sync),
                                       T(tiles_and_copies), T(vectors), T(generic), T(divergence), T(matrices), T(gemm), T(flush_to_zero)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
