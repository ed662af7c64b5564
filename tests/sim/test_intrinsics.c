/* The kernels of intrinsics.cu: none of their threads may disagree with plain C++. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/sim/sim_nvrtc.h"

enum { ITEMS = 8192 };
static struct cu cu;
static struct {
    rg_addr x, k, d;
} at;

static void no_thread_disagrees(void **state)
{
    const char *kernel = *state;
    if (!cu.have) skip();
    struct sim *s = &cu.s;
    int bad = 0, n = 1024;
    rg_addr count = sim_put(s, "bad", NULL, 4), w = sim_put(s, "w", NULL, 4 * ITEMS);
    struct sim_arg a[] = {ARG(at.x), ARG(at.k), ARG(at.d), ARG(count), ARG(w), ARG(n)};
    s->d.check(s->d.self, 1e9);
    if (sim_launch_as(s, kernel, 2, 1, 128, 1, 0, false, a, 6))
        fail_msg("%s: %s", rg_outcome_word(s->fault.outcome), s->fault.message);
    sim_get(s, &bad, count, 4);
    s->d.release(s->d.self, count);
    s->d.release(s->d.self, w);
    if (bad) fail_msg("%s: %d disagree", kernel, bad);
}

static int setup(void **state)
{
    static float x[ITEMS];
    static uint32_t k[ITEMS];
    static double d[ITEMS];
    cu_open(&cu, __FILE__, "intrinsics.cu");
    if (!cu.have) return 0;
    uint32_t s = 99;
    for (int i = 0; i < ITEMS; i++) {
        s = s * 1664525u + 1013904223u;
        k[i] = s ^ s >> 15;
        x[i] = (float)(int32_t)(s = s * 1664525u + 1013904223u) / 2147483648.0f;
        d[i] = (double)(int32_t)(s = s * 1664525u + 1013904223u) / 536870912.0;
    }
    at.x = sim_put(&cu.s, "x", x, sizeof x);
    at.k = sim_put(&cu.s, "k", k, sizeof k);
    at.d = sim_put(&cu.s, "d", d, sizeof d);
    return 0;
}
static int teardown(void **state)
{
    cu_close(&cu);
    return 0;
}

int main(void)
{
    static const char *const all[] = {"dots",      "bits",          "simd_video",     "wide_sums",
                                      "doubles",   "singles",       "halves",         "bfloats",
                                      "eighths",   "warp_exchange", "all_atomics",    "groups",
                                      "pipelines", "printing",      "named_barriers", "loads_and_stores"};
    struct CMUnitTest tests[sizeof all / sizeof *all];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tests[i] = (struct CMUnitTest){all[i], no_thread_disagrees, NULL, NULL, (void *)(uintptr_t)all[i]};
    return _cmocka_run_group_tests("intrinsics", tests, sizeof all / sizeof *all, setup, teardown);
}
