/* The simulated device's integer instructions, of every width, against C. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/runtime/sim_features.h"
#include <limits.h>

static void integers(void **state)
{
    struct sim *s = *state;
    static int a[N], b[N], out[N * 24];
    int n = N;
    for (int i = 0; i < N; i++) a[i] = (int)draw(), b[i] = i % 3 ? (int)draw() : (int)(draw() % 40) - 20;
    a[0] = INT_MIN;
    b[0] = -1;
    a[1] = 0;
    b[1] = 0;
    a[2] = -1;
    b[2] = INT_MIN;
    rg_addr da = sim_put(s, "a", a, sizeof a), db = sim_put(s, "b", b, sizeof b),
            dout = sim_put(s, "out", NULL, sizeof out);
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
    for (int i = 0; i < N; i++)
        a[i] = (long long)((uint64_t)draw() << 32 | draw()),
        b[i] = i % 2 ? (long long)((uint64_t)draw() << 32 | draw()) : (int)draw() >> 20;
    a[0] = 0;
    rg_addr da = sim_put(s, "a", a, sizeof a), db = sim_put(s, "b", b, sizeof b),
            dout = sim_put(s, "out", NULL, sizeof out);
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
    rg_addr da = sim_put(s, "a", a, sizeof a), db = sim_put(s, "b", b, sizeof b),
            dout = sim_put(s, "out", NULL, sizeof out);
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

int main(void)
{
    const struct CMUnitTest tests[] = {SIM_TEST(integers), SIM_TEST(longs), SIM_TEST(small_integers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
