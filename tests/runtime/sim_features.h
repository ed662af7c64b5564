/* What the tests of sim_features.ptx share: one device and module a test, drawn inputs, results checked against C.
 * Include it behind cmocka.h. */
#ifndef SIM_FEATURES_H
#define SIM_FEATURES_H
#include "tests/runtime/sim_fixture.h"

enum { N = 1000 };
static uint32_t seed = 12345;
static inline uint32_t draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed ^ seed >> 13;
}
static inline float draw_float(void)
{
    return ((float)(draw() >> 8) / 8388608.0f - 1) * powf(10, (float)(draw() % 7) - 3);
}

static inline int setup(void **state)
{
    struct sim *s = malloc(sizeof *s);
    sim_open(s, "sim_features.ptx");
    *state = s;
    return 0;
}
static inline int teardown(void **state)
{
    sim_close(*state);
    free(*state);
    return 0;
}
#define SIM_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

/* In a loop over i with operands x and y and results o[k]. */
#define CHECK(k, v)                                                                                                    \
    if (o[k] != (v))                                                                                                   \
    fail_msg("%s: result %d of %d (%lld, %lld): %lld, not %lld", __func__, k, i, (long long)x, (long long)y,           \
             (long long)o[k], (long long)(v))

static inline bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && (a != 0 || signbit(a) == signbit(b)));
}
#define SAME(k, v)                                                                                                     \
    if (!same(o[k], v))                                                                                                \
    fail_msg("%s: result %d of %d (%.9g, %.9g): %.9g, not %.9g", __func__, k, i, (double)x, (double)y, (double)o[k],   \
             (double)(v))
#endif
